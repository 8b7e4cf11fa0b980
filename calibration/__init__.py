"""What is known of one board and one camera: geometry, transforms, layout."""

from calibration.geometry import BoardGeometry, Row
from calibration.homography import GeometryError, Matrix, Rectifier, board_from_image
from calibration.layout import BoardLayout, Corner, Direction, LayoutError

__all__ = [
    "BoardGeometry",
    "BoardLayout",
    "Corner",
    "Direction",
    "GeometryError",
    "LayoutError",
    "Matrix",
    "Rectifier",
    "Row",
    "board_from_image",
]
