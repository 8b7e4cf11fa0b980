"""Whether the picture can be read at all, looked at now and then."""

from dataclasses import dataclass
from typing import Final

from calibration.advice import advice_on
from calibration.quality import Fault, ViewQuality, measure_view
from vision.frame import Frame
from vision.observation import Corners

BLIND: Final = frozenset((Fault.TOO_DARK, Fault.OVEREXPOSED, Fault.OUT_OF_FOCUS))
"""Faults with which nothing is read. A board that is cut off is read where it shows."""
_EVERY_S: Final = 10.0
"""A look costs as much as reading the checkers twice; light and focus rarely change."""
_BLIND_EVERY_S: Final = 1.0
"""The same while nothing can be read."""


@dataclass(frozen=True, slots=True)
class ViewCheck:
    """The last look at the view."""

    quality: ViewQuality | None = None
    """None: none yet."""
    at_s: float = float("-inf")

    def after(self, frame: Frame, corners_px: Corners | None, *, changed: bool) -> "ViewCheck":
        """Return the check after a frame; the same one where it is too soon for another.

        Args:
            frame: the newest.
            corners_px: the field's; None: no board was found.
            changed: whether light or camera may have changed since.
        """
        wait_s = _BLIND_EVERY_S if self.blind else 0.0 if changed else _EVERY_S
        if 0 <= frame.at_s - self.at_s < wait_s:
            return self
        return ViewCheck(measure_view(frame.bgr, corners_px), frame.at_s)

    @property
    def blind(self) -> bool:
        """Whether nothing can be read."""
        return self.quality is not None and not BLIND.isdisjoint(self.quality.faults)

    @property
    def advice(self) -> tuple[tuple[str, str], ...]:
        """What would make the view better, in Russian and English."""
        if self.quality is None:
            return ()
        return tuple((one.ru, one.en) for one in advice_on(self.quality))
