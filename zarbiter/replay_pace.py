"""Which frames of a recording are worth a full look.

Most of a game is thinking: a frame in which nothing moved, after the board at rest was looked
at often enough, shows what the frames before it showed. And a frame that differs from the one
before it and from the one behind it shows something on its way, which is all there is to say of
it. Both cost a small decoded picture and the comparison. Now and then even such frames are
looked at.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from vision.cv import GrayImage
from vision.stillness import MotionState, StillnessSettings, advance
from zarbiter.source import Picture

_MOTION = StillnessSettings(moving_px=4, moving_share=0.0, renew_after_s=1e9)
"""The smallest die covers some twenty pixels of a picture a quarter as wide as the frame. All
of a rest is compared with its first frame: what creeps shows in the end."""
_AGAIN_S = 20.0
"""A board at rest is looked at this often all the same."""
_PASSING_S = 1.5
"""The same while things move: what flickers must not hide the board."""
_NEAR_S = 0.35
"""Frames farther apart than this say nothing of what was between them."""


@dataclass(frozen=True, slots=True)
class Paced:
    """A frame, and how it compares with its neighbours."""

    picture: Picture
    still: bool
    """It shows what the one before it showed."""
    passing: bool
    """It differs from the one before it and the one behind it, both near in time."""


def paced(pictures: Iterable[Picture]) -> Iterator[Paced]:
    """Compare frames in order of time, each small."""
    motion = MotionState()
    held: Paced | None = None
    """The newest frame, as long as the one behind it is not known."""
    before_s, readable = float("-inf"), False
    for picture in pictures:
        luma = picture.luma()
        motion, still = _seen(motion, luma, picture.at_s)
        if held is not None:
            gaps = (held.picture.at_s - before_s, picture.at_s - held.picture.at_s)
            both_read = readable and luma is not None
            passing = not held.still and not still and both_read and max(gaps) <= _NEAR_S
            yield replace(held, passing=passing)
            before_s = held.picture.at_s
        held, readable = Paced(picture, still, passing=False), luma is not None
    if held is not None:
        yield held


def _seen(motion: MotionState, luma: GrayImage | None, at_s: float) -> tuple[MotionState, bool]:
    """Return the motion state and whether the frame is still; one unread never is."""
    if luma is None:
        return MotionState(), False
    motion, told = advance(motion, luma, at_s, _MOTION)
    return motion, told.still_since_s is not None


@dataclass(frozen=True, slots=True)
class Pace:
    """What was looked at since something moved last."""

    looks: int = 0
    """Calm looks."""
    looked_s: float = float("-inf")
    """The last look, calm or not."""

    def after(self, frame: Paced) -> "Pace":
        """Take a frame into account before it is decided whether to look at it."""
        return self if frame.still else replace(self, looks=0)

    def skips(self, frame: Paced, wanted: int) -> bool:
        """Whether a look at a frame would show nothing new.

        Args:
            frame: the newest.
            wanted: how many looks at this rest would be of use.
        """
        since_s = frame.picture.at_s - self.looked_s
        if frame.passing:
            return since_s < _PASSING_S
        return frame.still and self.looks >= wanted and since_s < _AGAIN_S

    def moving(self, frame: Paced) -> bool | None:
        """Say what is known of a frame beside the last calm one; None: nothing."""
        if not frame.still:
            return True
        return False if self.looks else None

    def looked(self, at_s: float, *, calm: bool) -> "Pace":
        """Count a look."""
        return Pace(self.looks + calm, at_s)

    def anew(self) -> "Pace":
        """Begin to count again: something else is of interest now."""
        return replace(self, looks=0)
