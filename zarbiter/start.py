"""A recording without a set-up: the start position on the board says how the table stands."""

from collections.abc import Iterator
from itertools import islice

from calibration.layout import BoardLayout, Corner
from referee.evidence import evidence_of, outcomes_of
from rules import Color, Variant
from rules.start import start_position
from vision.observation import CheckersReading, Corners, Side
from vision.observe import Known, observe
from zarbiter.setup import Setup, SetupError
from zarbiter.source import BadFrame, Recording, frames_of

_FRAMES = 40
"""The start position must be seen within this many frames."""
_FIT = 8.0
"""Natural log below the likeliest reading up to which a board may be the start position."""
_MARGIN = 6.0
"""Natural log by which one way the table may stand must beat the others."""


def setup_from_start(recording: Recording, variant: Variant) -> Setup:
    """Find the start position and read the table's set-up from it.

    Light checkers are taken to be White's, and White to begin: neither can be seen.

    Raises:
        SetupError: no start position within the first frames.
        SourceError: a video that cannot be decoded.
    """
    for corners_px, reading in _readings(recording):
        layout = layout_of_start(reading, variant)
        if layout is not None:
            return Setup(
                variant=variant,
                turn=Color.WHITE,
                white=Side.LIGHT,
                layout=layout,
                corners_px=corners_px,
                position=start_position(variant),
            )
    raise SetupError(
        f"{recording.path} has no setup.json, and its first frames do not show the start "
        f"position of {variant.name}; name a set-up with --setup "
        '({"rules","turn","light","white_start"} at the least)'
    )


def layout_of_start(reading: CheckersReading, variant: Variant) -> BoardLayout | None:
    """Return how the table stands if the reading is the start position, else None.

    Args:
        reading: what was seen.
        variant: whose start position it may be.
    """
    start = outcomes_of([start_position(variant)])
    fits = []
    for corner in Corner:
        layout = BoardLayout(corner)
        evidence = evidence_of(reading, layout, Side.LIGHT)
        best = float(evidence.points.max(axis=1).sum())
        fits.append((float(evidence.log_likelihood(start)[0]) - best, corner))
    fits.sort(reverse=True)
    (first, corner), (second, _) = fits[:2]
    if first < -_FIT or first - second < _MARGIN:
        return None
    return BoardLayout(corner)


def _readings(recording: Recording) -> Iterator[tuple[Corners, CheckersReading]]:
    corners: Corners | None = None
    for frame in islice(frames_of(recording), _FRAMES):
        if isinstance(frame, BadFrame):
            continue
        seen = observe(frame.bgr, Known(corners_px=corners))
        if seen.board is not None and seen.board.corners_px and seen.checkers is not None:
            corners = seen.board.corners_px
            yield corners, seen.checkers
