"""`zarbiter replay`: frames in, judged throws and plays out, as they fall."""

import itertools
import json
from collections import Counter
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TextIO

from calibration.homography import GeometryError
from calibration.lens import Lens
from calibration.profile import CalibrationProfile, ProfileError
from referee.codec import JsonLine, event_to_json
from referee.events import Event, Notice, PlayJudged, PositionSeen, ThrowJudged
from referee.follow import advance, begin
from referee.states import (
    AwaitingThrow,
    End,
    FollowSettings,
    Input,
    Judging,
    Look,
    Over,
    Playing,
    Press,
    State,
)
from rules import DEFAULT, Position, Variant, variant_named
from rules.throw import ThrowVerdict
from vision.frame import Frame
from vision.observation import Corners
from vision.observe import check_field
from vision.straight import lens_to_mend, straight_corners, straight_frame
from zarbiter.eye import Eye
from zarbiter.eye_profile import with_profile
from zarbiter.replay_pace import Pace, Paced, paced
from zarbiter.replay_record import ReplayRecord
from zarbiter.setup import Setup, SetupError, read_setup
from zarbiter.source import BadFrame, Recording, open_recording, pictures_of
from zarbiter.start import setup_from_start


def run_replay(
    path: Path,
    *,
    setup_path: Path | None,
    rules: str | None,
    as_json: bool,
    language: str,
    out: TextIO,
    err: TextIO,
    keep: Path | None = None,
    profile: CalibrationProfile | None = None,
) -> int:
    """Replay a source and print what falls.

    Args:
        path: a folder or a video.
        setup_path: how the table stands; None: the recording's own, or the start position.
        rules: a rule set instead of the set-up's.
        as_json: JSON lines instead of sentences.
        language: `ru` or `en`.
        out: where the events go.
        err: where progress and complaints go.
        keep: a new folder for the record; None: none is kept.
        profile: what was measured of board and camera.

    Returns:
        0, or 1 when some frame could not be read.

    Raises:
        SourceError: nothing there that can be replayed.
        SetupError: no set-up, or an impossible one.
        RecordError: the record cannot be kept in the folder.
    """
    recording = open_recording(path)
    chosen = setup_path or recording.setup_path
    if chosen is None:
        setup = setup_from_start(recording, DEFAULT if rules is None else variant_named(rules))
    else:
        setup = read_setup(chosen, rules)
    keeping = (
        nullcontext()
        if keep is None
        else ReplayRecord(keep, setup, buttons=recording.has_buttons)
    )
    with keeping as record:
        items = replay(recording, setup, record, profile)
        if chosen is None:
            items = itertools.chain([_assumed(setup)], items)
        progress = _Progress(len(recording.frames), err, shown=err.isatty() and not as_json)
        counts: Counter[str] = Counter()
        for item in items:
            if isinstance(item, BadFrame):
                counts["bad_frames"] += 1
                err.write(f"zarbiter: {item.error}; the replay goes on without this frame\n")
                continue
            if isinstance(item, float):
                counts["frames"] += 1
                progress.at(counts["frames"])
                continue
            _count(item, counts)
            line = event_to_json(item, setup.variant)
            progress.clear()
            said = _line(line) if as_json else _told(item, line, language)
            out.write(f"{said}\n")
            out.flush()
        progress.clear()
    summary = _summary(counts, setup.variant)
    out.write(f"{_line(summary) if as_json else _summed(summary, language)}\n")
    return 1 if counts["bad_frames"] else 0


def _line(value: JsonLine) -> str:
    return json.dumps(value, ensure_ascii=False)


def replay(
    recording: Recording,
    setup: Setup,
    record: ReplayRecord | None = None,
    profile: CalibrationProfile | None = None,
) -> Iterator[Event | BadFrame | float]:
    """Yield events as they fall, unreadable frames, and the time of every other frame.

    Args:
        recording: frames and presses.
        setup: how the table stands.
        record: kept on the way; None: none is.
        profile: what was measured of board and camera.

    Raises:
        SourceError: a video that cannot be decoded.
        SetupError: corners that make no board in the first frame; a profile of another view.
    """
    settings = FollowSettings(
        variant=setup.variant, began=setup.turn, lifted_dice_end=not recording.has_buttons
    )
    eye = Eye(setup.white, setup.layout, corners_px=setup.corners_px)
    started = begin(setup.turn, setup.position)
    state = started.state
    if record is not None and setup.position is not None:
        record.begin(0.0, setup.position)
    yield from started.events
    known: Position | None = setup.position
    presses = list(recording.presses)
    unchecked = setup.corners_px
    last_s = 0.0
    lens: Lens | None = None
    pace = Pace()
    for now in paced(pictures_of(recording)):
        at_s = now.picture.at_s
        pace = pace.after(now)
        if presses and presses[0].at_s <= at_s:
            pace = pace.anew()
        elif pace.skips(now, _looks_of_use(state)):
            if now.passing:
                state, events = _step(state, Look(at_s, calm=False), settings)
                yield from events
            if record is not None:
                record.between(at_s, calm=now.still)
            last_s = at_s
            yield last_s
            continue
        frame = now.picture.frame()
        if isinstance(frame, BadFrame):
            yield frame
            continue
        if unchecked is not None:
            _check_corners(unchecked, frame)
            unchecked = None
        if profile is not None:
            (eye, lens), profile = _profiled(eye, profile, frame), None
        frame = straight_frame(frame, lens)
        while presses and presses[0].at_s <= frame.at_s:
            press = presses.pop(0)
            if record is not None:
                record.press(press.at_s, press.side)
            state, events = _step(_compared(state, press, eye), press, settings)
            for event in events:
                eye = _after(event, eye)
            yield from events
        eye, look = eye.see(frame, moving=_moving(state, pace, now))
        last_s = frame.at_s
        pace = pace.looked(last_s, calm=look is None or look.calm)
        if look is not None:
            if known is not None and look.calm:
                eye, known = eye.learn(known), None
            if record is not None:
                record.look(frame, look, eye)
            if _may_end_the_turn(state, look, settings):
                look = replace(look, touched=eye.touched())
            state, events = _step(state, look, settings)
            for event in events:
                eye = _after(event, eye)
                if record is not None and isinstance(event, PositionSeen) and event.position:
                    record.begin(frame.at_s, event.position)
            yield from events
        yield frame.at_s
    closing: tuple[Input, ...] = (*presses, End(last_s))
    for given in closing:
        state, events = _step(state, given, settings)
        yield from events
    yield from _left_open(state, eye, last_s)


def _looks_of_use(state: State) -> int:
    """Return how many looks at a board at rest are of use."""
    match state:
        case Judging():
            return 5
        case Playing():
            return 2
        case AwaitingThrow():
            # Dice that are still not settled get more.
            return 5 if state.moved and state.looks and state.looks[-1].dice else 3
        case Over():
            return 1


def _moving(state: State, pace: Pace, now: Paced) -> bool | None:
    """Tell the eye what is known of a frame; while a play is judged each look is a full one."""
    in_doubt = isinstance(state, Judging) or (
        isinstance(state, AwaitingThrow) and state.belief is None
    )
    moving = pace.moving(now)
    return None if in_doubt and not moving else moving


def _compared(state: State, press: Press, eye: Eye) -> State:
    """Add to the last look which points were touched, where a press has it judged now."""
    if not isinstance(state, Playing) or press.side is not state.turn or not state.looks:
        return state
    last = replace(state.looks[-1], touched=eye.touched())
    return replace(state, looks=(*state.looks[:-1], last))


def _may_end_the_turn(state: State, look: Look, settings: FollowSettings) -> bool:
    """Whether a look may lead to a judgement."""
    if not look.calm:
        return False
    lifted = settings.lifted_dice_end and not look.dice
    return isinstance(state, Judging) or (isinstance(state, Playing) and lifted)


def _profiled(eye: Eye, profile: CalibrationProfile, frame: Frame) -> tuple[Eye, Lens | None]:
    """Return the eye with what the profile knows, and the lens to straighten."""
    size = (frame.bgr.shape[1], frame.bgr.shape[0])
    try:
        lens = lens_to_mend(profile.for_size(size).lens, size)
        if eye.corners_px is not None and lens is not None:
            eye = replace(eye, corners_px=straight_corners(eye.corners_px, lens))
        return with_profile(eye, profile, size), lens
    except ProfileError as error:
        raise SetupError(f"profile: {error}") from error


def _check_corners(corners_px: Corners, frame: Frame) -> None:
    try:
        check_field(corners_px, (frame.bgr.shape[1], frame.bgr.shape[0]))
    except GeometryError as error:
        raise SetupError(f"board_corners: {error}") from error


def _after(event: Event, eye: Eye) -> Eye:
    """Let the eye know what was found out."""
    if isinstance(event, PositionSeen) and event.position is not None:
        return eye.learn(event.position)
    void = isinstance(event, ThrowJudged) and event.verdict is ThrowVerdict.VOID
    return eye.turn_over() if void or isinstance(event, PlayJudged) else eye


def _step(
    state: State, given: Input, settings: FollowSettings
) -> tuple[State, tuple[Event, ...]]:
    moved = advance(state, given, settings)
    return moved.state, moved.events


def _assumed(setup: Setup) -> Notice:
    corner = setup.layout.white_start.value
    return Notice(
        0.0,
        "start_assumed",
        f"Расстановка взята с начальной позиции: светлые — белые и начинают ({corner}).",
        f"Read from the start position: light is White and begins ({corner}).",
    )


def _left_open(state: State, eye: Eye, at_s: float) -> Iterator[Event]:
    """Say what the recording did not show to its end."""
    if eye.corners_px is None:
        yield Notice(
            at_s,
            "no_board",
            "Доска не найдена: укажите её углы в setup.json (board_corners).",
            "No board was found: give its corners in setup.json (board_corners).",
        )
    elif not isinstance(state, AwaitingThrow | Over):
        yield Notice(
            at_s,
            "turn_open",
            "Запись кончилась раньше хода: ход не судится.",
            "The recording ended before the turn did: the play is not judged.",
        )
    elif isinstance(state, AwaitingThrow) and state.belief is None:
        yield Notice(
            at_s,
            "no_position",
            "Спокойной доски запись не показала.",
            "The recording never showed the board at rest.",
        )


class _Progress:
    """A line on the terminal that says how far the replay is."""

    def __init__(self, total: int, err: TextIO, *, shown: bool) -> None:
        self._total, self._err, self._shown = total, err, shown

    def at(self, number: int) -> None:
        if self._shown:
            of = f" of {self._total}" if self._total else ""
            self._err.write(f"\rframe {number}{of} ")
            self._err.flush()

    def clear(self) -> None:
        if self._shown:
            self._err.write("\r\033[K")


def _count(event: Event, counts: Counter[str]) -> None:
    if isinstance(event, ThrowJudged):
        counts[f"throws_{event.verdict.value}"] += 1
    elif isinstance(event, PlayJudged):
        counts[f"plays_{event.verdict.value if event.verdict else 'unsure'}"] += 1


def _summary(counts: Counter[str], variant: Variant) -> JsonLine:
    def tally(kind: str, names: tuple[str, ...]) -> JsonLine:
        return {name: counts[f"{kind}_{name}"] for name in names}

    return {
        "event": "summary",
        "rules": variant.name,
        "frames": counts["frames"],
        "bad_frames": counts["bad_frames"],
        "throws": tally("throws", ("valid", "void", "unsure")),
        "plays": tally("plays", ("legal", "incomplete", "illegal", "unsure")),
    }


def _told(event: Event, line: JsonLine, language: str) -> str:
    """Say an event to a person, in one line."""
    ru = language == "ru"
    clock = f"{line['t_s']:8.2f} s  "
    match event:
        case Notice():
            return clock + (event.ru if ru else event.en)
        case PositionSeen():
            if event.position is None:
                text = "положение не ясно" if ru else "the position is not clear"
            else:
                text = f"{'положение' if ru else 'position'} {event.position}"
            return clock + text
        case ThrowJudged():
            side = _side(line["side"], ru=ru)
            values = "-".join("?" if one is None else str(one) for one in event.values)
            verdict = _VERDICTS[event.verdict.value][0 if ru else 1]
            reasons = ", ".join(_reason(one, ru=ru) for one in event.reasons)
            return f"{clock}{side}: {values}, {verdict}" + (f" ({reasons})" if reasons else "")
        case PlayJudged():
            side = _side(line["side"], ru=ru)
            return f"{clock}{side}: {event.explain.ru if ru else event.explain.en}"
        case _:
            if line["winner"] is None:
                return clock + ("ничья" if ru else "a draw")
            won = "выигрывают" if ru else "wins"
            return (
                f"{clock}{_side(line['winner'], ru=ru)} {won}: {line['win']}, {line['points']}"
            )


_VERDICTS = {
    "valid": ("бросок считается", "counts"),
    "void": ("бросок недействителен", "void"),
    "unsure": ("не ясно, решает человек", "unsure, a person decides"),
}
_REASONS = {
    "different_halves": ("на разных половинах", "on different halves"),
    "wrong_half": ("не на той половине", "on the wrong half"),
    "off_board": ("кость вне доски", "a die is off the board"),
    "on_woodwork": ("кость на борту", "a die on the woodwork"),
    "on_checker": ("кость на шашке", "a die on a checker"),
    "tilted": ("кость косо", "a die is tilted"),
    "touches_checker": ("кость касается шашки", "a die touches a checker"),
    "touches_wall": ("кость касается борта", "a die touches the wall"),
    "missing_die": ("видна не вся пара", "a die is not seen"),
    "too_many_dice": ("костей больше двух", "more than two dice"),
    "value_unsure": ("очки не видны ясно", "a face is not clear"),
    "facts_unsure": ("не видно, как лежит кость", "how a die lies is not clear"),
}


def _reason(code: str, *, ru: bool) -> str:
    return _REASONS[code][0 if ru else 1]


def _side(code: str, *, ru: bool) -> str:
    if code == "w":
        return "белые" if ru else "White"
    return "чёрные" if ru else "Black"


def _summed(summary: JsonLine, language: str) -> str:
    throws, plays = summary["throws"], summary["plays"]
    if language == "ru":
        return (
            f"Кадров {summary['frames']}. Броски: годных {throws['valid']}, недействительных "
            f"{throws['void']}, неясных {throws['unsure']}. Ходы: верных {plays['legal']}, "
            f"недоигранных {plays['incomplete']}, неверных {plays['illegal']}, неясных "
            f"{plays['unsure']}."
        )
    return (
        f"{summary['frames']} frames. Throws: {throws['valid']} valid, {throws['void']} void, "
        f"{throws['unsure']} unsure. Plays: {plays['legal']} legal, {plays['incomplete']} "
        f"incomplete, {plays['illegal']} illegal, {plays['unsure']} unsure."
    )
