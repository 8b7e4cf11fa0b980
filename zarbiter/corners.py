"""Four corners as people and files write them."""

from vision.observation import Corners

_FARTHEST_PX = 1e6
"""No picture is that large; beyond it arithmetic overflows."""


class RequestError(ValueError):
    """A request that asks for nothing that can be done; `code` names the cause."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def parse_corners(text: str) -> Corners:
    """Read `x,y x,y x,y x,y`.

    Raises:
        RequestError: not four points.
    """
    try:
        points = [tuple(float(number) for number in part.split(",")) for part in text.split()]
    except ValueError:
        points = []
    return checked_corners(points)


def checked_corners(value: object) -> Corners:
    """Check four corners given as pairs of numbers.

    Raises:
        RequestError: not four pairs of numbers within reason.
    """
    problem = RequestError(
        "bad_corners",
        'corners are four points clockwise from the top-left: "x,y x,y x,y x,y"',
    )
    if not isinstance(value, list | tuple) or len(value) != 4:
        raise problem
    corners = []
    for pair in value:
        if not isinstance(pair, list | tuple) or len(pair) != 2:
            raise problem
        x, y = pair
        if not all(type(one) in (int, float) and abs(one) < _FARTHEST_PX for one in (x, y)):
            raise problem
        corners.append((float(x), float(y)))
    return corners[0], corners[1], corners[2], corners[3]
