"""The eye of match and replay: which frames are calm, and what a calm one shows the referee."""

import math
from dataclasses import dataclass, field, replace

from calibration.geometry import BoardGeometry
from calibration.layout import BoardLayout
from referee.evidence import Touched, evidence_of
from referee.states import Look
from rules import Position
from vision.board_finder import find_board
from vision.board_view import estimate_geometry, rectify, rectify_measured
from vision.checkers import learn_look, read_checkers
from vision.checkers_look import BoardLook
from vision.frame import Frame
from vision.hands import hand_in_view, only_laid_beside
from vision.observation import (
    BarReading,
    CheckersReading,
    Corners,
    DieReading,
    Side,
)
from vision.observe import dice_on_board
from vision.registration import shift_between, shifted_picture
from vision.relocation import LOST, Move, relocate
from vision.stillness import board_changed
from zarbiter.eye_dice import carried, new_among, old_among
from zarbiter.eye_memory import Remembered
from zarbiter.view_check import ViewCheck

_LOOK_EVERY_S = 0.2
"""Looks closer together than this add nothing: dice must rest that long anyway."""
_READ_OFTEN = 5
"""Readings of a picture in which nothing changes: a slip of one of them is outvoted …"""
_READ_AGAIN_S = 1.0
"""… and more of them say the same. From then on it is read so often; what was read last is
handed out in between. A player may think for minutes, and the processor should rest then."""
_KEPT_STILL_S = 1.4
"""What keeps still for so long is looked at again: it may be the board that moved."""
_ANOTHER_S = 10.0
"""What keeps still for so long is the board, however it looks."""
_ANOTHER_SOON_S = 3.0
"""The same while the board is being set up, or was lost."""
_REMEMBERED = 3
"""Boards known: the one before a play, the play that was taken back, the one it led to."""
_PAST = 2


@dataclass(frozen=True, slots=True)
class Eye:
    """What is known of the table so far."""

    white: Side
    layout: BoardLayout
    corners_px: Corners | None = None
    geometry: BoardGeometry | None = None
    look: BoardLook | None = None
    """How the board looks, learned from the last certain position."""
    focal_px: float | None = None
    """The camera's focal length, where its lens was measured."""
    calm: Frame | None = None
    """The last calm frame: hands are told by what differs from it."""
    base: Frame | None = None
    """The board before the throw now awaited: what looks like a die and lay there already is
    an old die, or a hinge."""
    past: tuple[Frame, ...] = ()
    """Calm frames from before the last hands: one that held a shadow at the edge and was taken
    for calm must not make everything after it look like a hand."""
    restless: Frame | None = None
    """The frame since which something not calm has kept still; None: all is calm."""
    still_since_s: float = 0.0
    """Since when it has kept still; `restless` is renewed now and then."""
    nudge_px: float = 0.0
    """By how much the board was found to have moved in the picture, all in all."""
    looked_s: float = float("-inf")
    read_s: float = float("-inf")
    """When a frame was last read; looks in between are handed out again."""
    reads: int = 0
    """How often the picture was read as it stands."""
    told: Look | None = None
    """What the last reading said."""
    dice: tuple[DieReading, ...] = ()
    """All that looked like dice in the last calm frame, old ones too."""
    lay: tuple[DieReading, ...] = ()
    """What of it lay there already in `base`."""
    seen: CheckersReading | None = None
    """What the last calm frame showed, as it was read."""
    bar: tuple[BarReading, BarReading] | None = None
    """(read, true): what the bar was read as when it was last known what lay there; hinges look
    like checkers, and go on looking like the same ones."""

    check: ViewCheck = field(default_factory=ViewCheck)
    """How good the view was when it was last looked at."""
    other: bool = False
    """Whether the last calm frame differed from `base`."""
    known: tuple[Remembered, ...] = ()
    """Boards known, the last one first: a play that is taken back leads to the one before."""

    def see(
        self, frame: Frame, *, expectant: bool = False, moving: bool | None = None
    ) -> "tuple[Eye, Look | None]":
        """Look at a frame.

        Args:
            frame: the newest.
            expectant: the board is being set up, or was lost: it may look quite another.
            moving: whether it is known to differ from the frame before it; false: nothing
                has changed since the last calm one, and its checkers need not be read again;
                None: not known.

        Returns:
            The eye with what it learned, and a look; None where nothing new can be said:
            no board yet, or the same calm board as a moment ago.
        """
        eye = self
        if eye.corners_px is None:
            sighting = find_board(frame.bgr)
            if sighting.corners_px is None:
                return replace(eye, check=eye.check.after(frame, None, changed=False)), None
            eye = replace(eye, corners_px=sighting.corners_px)
        corners = eye.corners_px
        assert corners is not None
        if eye.calm is None:
            return eye._read(frame, corners)
        soon = frame.at_s - eye.looked_s < _LOOK_EVERY_S
        if moving is False and eye.restless is None:
            return (eye, None) if soon else eye._read(frame, corners, same=True)
        hand = hand_in_view(frame.bgr, eye.calm.bgr, corners)
        if hand is None:
            # Light or camera changed as a whole: nothing to compare with any more.
            return replace(eye, calm=None, past=()), Look(frame.at_s, calm=False)
        if hand:
            moves = moving is True
            eye, corners, calm_after_all = eye._kept_still(frame, corners, moving=moves)
            if not calm_after_all:
                if eye._still_s(frame) < (_ANOTHER_SOON_S if expectant else _ANOTHER_S):
                    return eye, Look(frame.at_s, calm=False)
                eye, corners = eye._afresh(frame, corners)
                return eye._read(frame, corners)
        calm = eye.calm
        again = eye._read_lately(frame)
        if calm is None or not (soon or again) or board_changed(frame.bgr, calm.bgr, corners):
            return eye._read(frame, corners)
        if soon or again is None:
            return eye, None
        return replace(eye, looked_s=frame.at_s), replace(again, at_s=frame.at_s)

    def _read_lately(self, frame: Frame) -> Look | None:
        """Return what was read a moment ago and often enough, where nothing moved since."""
        often = self.reads >= _READ_OFTEN and self.restless is None
        return self.told if often and frame.at_s - self.read_s < _READ_AGAIN_S else None

    def _kept_still(
        self, frame: Frame, corners: Corners, *, moving: bool = False
    ) -> "tuple[Eye, Corners, bool]":
        """See whether what differs from the calm board and keeps still is a hand.

        It is none if the board looks calm beside one from before the last hands, or beside the
        calm one shifted as a nudge would shift it, or if it only lies beside the board. Returns
        the eye, the corners, and whether the board is calm after all.
        """
        since, calm = self.restless, self.calm
        if (
            since is None
            or calm is None
            or (moving and since.seq == frame.seq - 1)
            or board_changed(frame.bgr, since.bgr, corners)
        ):
            return replace(self, restless=frame, still_since_s=frame.at_s), corners, False
        if any(hand_in_view(frame.bgr, one.bgr, corners) is False for one in self.past):
            return self, corners, True
        if frame.at_s - since.at_s < _KEPT_STILL_S:
            return self, corners, False
        if only_laid_beside(frame.bgr, calm.bgr, corners):
            return self, corners, True
        eye = replace(self, restless=frame)
        shift = shift_between(calm.bgr, frame.bgr, corners)
        if shift is None:
            return eye, corners, False
        dx, dy = shift
        a, b, c, d = ((x + dx, y + dy) for x, y in corners)
        moved: Corners = (a, b, c, d)

        def shifted(old: Frame) -> Frame:
            return Frame(shifted_picture(old.bgr, shift), old.at_s, old.seq)

        nudged = replace(
            eye,
            corners_px=moved,
            calm=shifted(calm),
            base=self.base and shifted(self.base),
            past=(),
            dice=(),
            lay=carried(self.lay, shift),
            nudge_px=self.nudge_px + math.hypot(dx, dy),
        )
        still = hand_in_view(frame.bgr, shifted(calm).bgr, moved) is False
        return nudged, moved, still

    def _still_s(self, frame: Frame) -> float:
        """For how long something that is not calm has kept still."""
        return 0.0 if self.restless is None else frame.at_s - self.still_since_s

    def _afresh(self, frame: Frame, corners: Corners) -> "tuple[Eye, Corners]":
        """Take what has kept still for long for the board, moved or quite changed.

        A hand does not rest so long without a tremor; after an outage, or when the board was
        set up anew at one go, there is nothing else to wait for.
        """
        calm = self.calm
        found = LOST if calm is None else relocate(calm.bgr, frame.bgr, corners)
        if found.corners_px is None or found.move is Move.STAYED:
            return replace(self, calm=None, past=(), restless=None, dice=()), corners
        moved = replace(
            self,
            corners_px=found.corners_px,
            calm=None,
            base=None,
            past=(),
            restless=None,
            dice=(),
            lay=(),
            nudge_px=self.nudge_px + max(1.0, found.shift_px),
        )
        return moved, found.corners_px

    def learn(self, position: Position) -> "Eye":
        """Learn the look of the board from a position known to stand in the last calm frame."""
        if self.calm is None or self.corners_px is None or self.geometry is None:
            return self
        remembered = Remembered.of(
            position, self.calm.bgr, self.corners_px, self.geometry, self.layout, self.white
        )
        known = remembered.reading
        return replace(
            self,
            look=learn_look(remembered.view, self.geometry, known),
            bar=None if self.seen is None else (self.seen.bar, known.bar),
            known=(remembered, *self.known)[:_REMEMBERED],
            reads=0,
        )

    def touched(self, since: Position | None = None) -> Touched | None:
        """Measure how far points look otherwise in the last calm frame than when last learned.

        Args:
            since: the position to compare with; None: the one that was learned last.

        Returns:
            None where it was not learned, the board moved in the picture since, or more of it
            changed than any turn changes.
        """
        fitting = (one for one in self.known if since is None or one.position == since)
        before = next(fitting, None)
        if self.calm is None or before is None or before.corners_px != self.corners_px:
            return None
        return before.touched_in(self.calm.bgr)

    def turn_over(self) -> "Eye":
        """Take what lies on the board now as lying there before the next throw."""
        lay = self.dice if self.other else self.lay
        return replace(self, base=self.calm, lay=lay, other=False, reads=0)

    def _read(
        self, frame: Frame, corners: Corners, *, same: bool = False
    ) -> "tuple[Eye, Look]":
        """Read a calm frame.

        Args:
            frame: the newest.
            corners: of the board in it.
            same: nothing has changed since the last calm one.
        """
        check = self.check.after(frame, corners, changed=self.calm is None)
        if check.blind:
            # What is read in the dark, or out of focus, is no evidence of anything.
            blinded = replace(self, check=check, calm=None, past=(), restless=None)
            return blinded, Look(frame.at_s, calm=False)
        geometry = self.geometry or estimate_geometry(rectify(frame.bgr, corners))
        view = rectify_measured(frame.bgr, corners, geometry)
        base, lay = self.base or frame, self.lay
        dice: tuple[DieReading, ...] = ()
        found: tuple[DieReading, ...] = ()
        same = same and self.calm is not None
        other = self.other if same else board_changed(frame.bgr, base.bgr, corners)
        # Checkers that nothing has moved are read again only where that may settle a doubt.
        checkers = self.seen if same else None
        if checkers is None:
            checkers = read_checkers(view, geometry, look=self.look)
        changed = self.calm is None or other != self.other
        if other and not changed and not same and self.calm is not None:
            changed = board_changed(frame.bgr, self.calm.bgr, corners)
        if other or self.base is None:
            known = () if changed else self.dice
            found = dice_on_board(
                frame.bgr,
                view,
                geometry,
                checkers,
                known=known,
                stands=self.known[0].reading if self.known else None,
                focal_px=self.focal_px,
            )
            if self.base is None:
                lay = found
            else:
                dice = new_among(found, base.bgr, frame.bgr)
        past = self.past
        if self.restless is not None and self.calm is not None:
            past = (self.calm, *past)[:_PAST]
        eye = replace(
            self,
            past=past,
            check=check,
            restless=None,
            geometry=geometry,
            calm=frame,
            base=base,
            looked_s=frame.at_s,
            seen=checkers,
            dice=found,
            lay=lay,
            other=other,
        )
        checkers = replace(checkers, bar=self._bar(checkers.bar))
        evidence = evidence_of(checkers, self.layout, self.white)
        there_still = old_among(lay, base.bgr, frame.bgr) if other else lay
        look = Look(frame.at_s, calm=True, evidence=evidence, dice=dice, lay=there_still)
        reads = 1 if changed else self.reads + 1
        return replace(eye, read_s=frame.at_s, reads=reads, told=look), look

    def _bar(self, read: BarReading) -> BarReading:
        """Correct a reading of the bar by what was learned of it."""
        if self.bar is None:
            return read
        was, true = self.bar
        if read == was and None not in (read.light, read.dark):
            return true
        light = _of_a_side(read.light, was.light, true.light)
        dark = _of_a_side(read.dark, was.dark, true.dark)
        return BarReading(None, None) if None in (light, dark) else BarReading(light, dark)


def _of_a_side(read: int | None, was: int | None, true: int | None) -> int | None:
    """Return how many checkers of a side lie on a bar that looks other than when learned.

    What was once misread may be misread in another way where more of it is seen. But hinges
    stay: where less is seen, or at last all, it is checkers that are gone.
    """
    if read is None or was is None or true is None or was == true or read < was:
        return read
    return true if read == was > true else None
