"""A calibration profile in use: applied to the first frame, refreshed by what play shows.

The file that `zarbiter calibrate` wrote stays as it was measured. How board and light look now
is kept beside the record, for the next start.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from calibration.lens import Lens
from calibration.profile import (
    CalibrationProfile,
    ProfileError,
    read_profile,
    write_profile,
)
from vision.checkers_look import BoardLook
from vision.frame import Frame
from vision.observation import Corners
from vision.straight import bent_corners, lens_to_mend, straight_corners, straight_frame
from zarbiter.eye import Eye
from zarbiter.eye_profile import with_profile
from zarbiter.placing import Placing
from zarbiter.profiles import light_level, refreshed

KEPT: Final = "profile.json"
_KEEP_EVERY_S: Final = 300.0
Sentence = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Begun:
    """What the first frame and the profile made of the table."""

    eye: Eye
    placing: Placing
    trouble: Sentence | None = None


class ProfileDesk:
    """Keeps one table's profile.

    Args:
        profile: as measured, or as play refreshed it; None: there is none.
        keep: writes down what play made of it.
    """

    def __init__(
        self,
        profile: CalibrationProfile | None = None,
        keep: Callable[[CalibrationProfile], None] = lambda _: None,
    ) -> None:
        self._profile, self._keep = profile, keep
        self._lens: Lens | None = None
        self._seen: BoardLook | None = None
        self._kept_s: float | None = None
        self._fresh = False
        self._fits = False

    def begin(self, eye: Eye, placing: Placing, image_size_px: tuple[int, int]) -> Begun:
        """Apply the profile to the first frame.

        Args:
            eye: with what is known without the profile.
            placing: corners as they were kept; where they lie in pictures of a lens that is
                now straightened, or no longer, they are brought over or looked for anew.
            image_size_px: (width, height) of the camera's frames.
        """
        trouble: Sentence | None = None
        if self._profile is not None:
            try:
                fitted = self._profile.for_size(image_size_px)
            except ProfileError as error:
                trouble = f"профиль калибровки: {error}", f"calibration profile: {error}"
                self._profile = None
            else:
                self._lens, self._fits = lens_to_mend(fitted.lens, image_size_px), True
        if placing.straight != (self._lens is not None):
            corners = placing.corners_px
            if self._lens is not None and corners is not None:
                corners = straight_corners(corners, self._lens)
            elif corners is not None:
                corners = None
                trouble = trouble or _LENS_GONE
            placing = replace(
                placing,
                corners_px=corners,
                by_hand=placing.by_hand and corners is not None,
                straight=self._lens is not None,
            )
            eye = replace(eye, corners_px=corners)
        if self._profile is not None:
            eye = with_profile(eye, self._profile, image_size_px)
        self._seen = eye.look
        return Begun(eye, placing, trouble)

    def straight(self, frame: Frame) -> Frame:
        """Return the frame as a lens without distortion would have made it."""
        return straight_frame(frame, self._lens)

    def in_picture(self, corners_px: Corners) -> Corners:
        """Return corners seen in straightened frames in the pixels of the camera's own."""
        return corners_px if self._lens is None else bent_corners(corners_px, self._lens)

    def look(self, eye: Eye, frame: Frame) -> None:
        """Refresh the profile where the eye has learned a look from a certain position.

        Args:
            eye: after the frame.
            frame: the newest, straightened.
        """
        if self._profile is None or not self._fits or eye.look is self._seen:
            return
        self._seen = eye.look
        if eye.look is None or eye.corners_px is None or eye.calm is None:
            return
        light = light_level(eye.calm.bgr, eye.corners_px)
        self._profile = refreshed(self._profile, eye.look, light)
        self._fresh = True
        if self._kept_s is None or frame.at_s - self._kept_s >= _KEEP_EVERY_S:
            self._kept_s = frame.at_s
            self.close()

    def close(self) -> None:
        """Keep what play taught since it was kept last."""
        if self._fresh and self._profile is not None:
            self._keep(self._profile)
            self._fresh = False


_LENS_GONE: Final[Sentence] = (
    "Объектив больше не выпрямляется: углы доски ищутся заново.",
    "The lens is no longer straightened: the board's corners are looked for anew.",
)


def profile_for(measured: CalibrationProfile, folder: Path) -> CalibrationProfile:
    """Return a measured profile with the look that earlier play on this table made of it.

    Args:
        measured: from the file that the configuration names.
        folder: where the table keeps its record.
    """
    try:
        kept = read_profile(folder / KEPT)
    except ProfileError:
        # None yet, or one that cannot be read: the measured one is always good.
        return measured
    if (kept.made_utc, kept.name, kept.image_size_px, kept.corners_px) != (
        measured.made_utc,
        measured.name,
        measured.image_size_px,
        measured.corners_px,
    ):
        return measured
    return replace(measured, look=kept.look, light=kept.light)


def keeper_in(folder: Path) -> Callable[[CalibrationProfile], None]:
    """Return what keeps a refreshed profile in the table's folder."""

    def keep(profile: CalibrationProfile) -> None:
        # Where the disk does not take it the board is known as it was measured.
        with suppress(OSError):
            write_profile(folder / KEPT, profile)

    return keep
