"""The table as JSON for pages: pure projections of what the arbiter knows.

Sides are `w` and `b`, positions in the exchange format, sentences as `{"ru", "en"}`. Forms:
docs/reference/http-api.md.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final, TypeAlias

from recording.statistics import pip_count
from referee.arbiter import Actor, Lamp, MatchSetup, MatchState, lamp_of, question_of
from referee.arbiter.states import (
    AwaitingThrow,
    ClaimAsked,
    Disputed,
    DoubleAsked,
    FlagAsked,
    GameOver,
    Judging,
    Lost,
    MatchOver,
    NotOpened,
    Opening,
    Phase,
    PlayAsked,
    Playing,
    PrematureAsked,
    ResignAsked,
    SettingUp,
    ThrowAsked,
    ground_of,
    mover_of,
)
from referee.timer_json import reading_to_json
from referee.timer_presets import format_control
from referee.timer_reading import at as clock_at
from referee.timer_settings import ClockKind
from rules import Color, Position, Roll
from rules.start import start_position
from rules.turns import legal_turns
from rules.variant import Unfinished
from vision.observation import DieReading
from web.api import Sight, TableState, Told
from web.words import words_possible

Json: TypeAlias = dict[str, Any]

PHASES: Final[Mapping[type[object], str]] = {
    NotOpened: "not_opened",
    SettingUp: "setting_up",
    Opening: "opening",
    AwaitingThrow: "awaiting_throw",
    ThrowAsked: "throw_asked",
    Playing: "playing",
    Judging: "judging",
    PlayAsked: "play_asked",
    Disputed: "disputed",
    PrematureAsked: "premature_asked",
    ClaimAsked: "claim_asked",
    DoubleAsked: "double_asked",
    ResignAsked: "resign_asked",
    FlagAsked: "flag_asked",
    Lost: "lost",
    GameOver: "game_over",
    MatchOver: "match_over",
}
"""What a page calls each phase."""


def state_to_json(state: TableState, speakers: Iterable[Actor] = ()) -> Json:
    """Write everything a page shows.

    Args:
        state: the table.
        speakers: for whom to say what may be said now; each costs some hundred microseconds.
    """
    match = state.match
    phase = match.phase
    position = position_of(match)
    return {
        "version": state.version,
        "seq": state.seq,
        "now_ms": state.now_ms,
        "rate": state.rate,
        "table": state.table,
        "simulated": state.simulated,
        "stopped": _both(state.stopped),
        "storage": None if state.storage is None else _both(state.storage.warning),
        "match": None if state.match_name is None else match_to_json(state),
        "phase": PHASES[type(phase)],
        "turn": _letter(turn_of(phase)),
        "roll": _roll(roll_of(phase)),
        "opening": _opening(phase),
        "position": _position(position, match),
        "pips": None if position is None else _pips(position, match),
        "cube": cube_to_json(match),
        "clock": reading_to_json(clock_at(match.clock, state.now_ms)),
        "lamp": _lamp(state).value,
        "question": question_to_json(match),
        "dispute": dispute_to_json(match),
        "called": None if match.called is None else match.called.value,
        "told": [told_to_json(one) for one in state.told],
        "sight": sight_to_json(state.sight),
        "layout": layout_to_json(state),
        "may": {by.value: list(words_possible(match, by, state.now_ms)) for by in speakers},
    }


def match_to_json(state: TableState) -> Json:
    """Write what was agreed and how the match stands."""
    match, setup = state.match, state.match.setup
    variant = match.variant
    return {
        "name": state.match_name,
        **setup_to_json(setup),
        "players": {"w": match.name(Color.WHITE), "b": match.name(Color.BLACK)},
        "score": {"w": match.score.white, "b": match.score.black},
        "game": match.game,
        "swapped": match.swapped,
        "crawford": match.score.is_crawford(variant),
        "has_bar": variant.hits,
        "touch_law": variant.touch_move,
        "voids": {color.value: match.voids[color] for color in Color},
        "results": results_to_json(match),
    }


def results_to_json(match: MatchState) -> list[Json]:
    """Write the games that are over."""
    return [
        {
            "game": one.game,
            "winner": _letter(one.winner),
            "swapped": swapped,
            "win": None if one.win is None else one.win.value,
            "points": one.points,
            "how": one.how.value,
        }
        for one, swapped in match.results
    ]


def setup_to_json(setup: MatchSetup) -> Json:
    """Write an agreement."""
    return {
        "rules": setup.rules,
        "white": setup.white,
        "black": setup.black,
        "length": setup.length,
        "clock": None if setup.clock.kind is ClockKind.NONE else format_control(setup.clock),
        "role": setup.role.value,
        "flag_law": setup.flag.value,
        "premature_law": setup.premature.value,
        "event": setup.event,
        "place": setup.place,
        "round": setup.round,
        "season": setup.season,
        "number": setup.number,
        "arbiter": setup.arbiter,
    }


def turn_of(phase: Phase) -> Color | None:
    """Return whose turn it is, None where it is nobody's."""
    match phase:
        case ResignAsked() | FlagAsked() | Lost():
            return mover_of(phase.under)
        case Opening() | NotOpened() | SettingUp() | GameOver() | MatchOver():
            return None
        case _:
            return mover_of(phase)


def roll_of(phase: Phase) -> Roll | None:
    """Return the roll that is being played."""
    match phase:
        case Playing():
            return phase.roll
        case Judging() | PlayAsked() | Disputed() | ClaimAsked():
            return phase.playing.roll
        case ThrowAsked():
            return phase.shown
        case ResignAsked() | FlagAsked() | Lost():
            return roll_of(phase.under)
        case _:
            return None


def position_of(match: MatchState) -> Position | None:
    """Return the last certain position; before a game the one to be put up."""
    phase = match.phase
    match phase:
        case NotOpened():
            return None
        case SettingUp():
            return start_position(match.variant)
        case Opening():
            return phase.position
        case ResignAsked() | FlagAsked() | Lost():
            return ground_of(phase.under)
        case GameOver() | MatchOver():
            # The board as it was when the game ended is in the last turn's beginning; what was
            # played last is told by the record.
            return match.turns[-1].phase.position if match.turns else None
        case _:
            return ground_of(phase)


def question_to_json(match: MatchState) -> Json | None:
    """Write what a person is asked."""
    question = question_of(match)
    if question is None:
        return None
    return {
        "asked": question.asked.value,
        "of": [one.value for one in question.of],
        "values": list(question.values),
        "candidates": [_position(one, match) for one in question.candidates],
        "reasons": _asked_reasons(match.phase),
        "extra": _asked_about(match),
    }


def dispute_to_json(match: MatchState) -> Json | None:
    """Write the wrong play that is disputed."""
    phase = match.phase
    if not isinstance(phase, Disputed):
        return None
    ruling = phase.ruling
    return {
        "side": ruling.side.value,
        "roll": _roll(ruling.roll),
        "before": _position(ruling.before, match),
        "played": _position(ruling.played, match),
        "verdict": ruling.verdict.value,
        "law": ruling.law,
        "explain": ruling.explain.to_json(),
        "nearest": [_position(one, match) for one in ruling.nearest],
        "must_correct": match.variant.unfinished is Unfinished.LEGAL_MOVES,
    }


def legal_to_json(match: MatchState, most: int = 200) -> Json | None:
    """Write the legal turns of the throw in hand, None where there is none."""
    phase = match.phase
    if not isinstance(phase, Playing | Judging | PlayAsked | Disputed):
        return None
    playing = phase if isinstance(phase, Playing) else phase.playing
    turns = legal_turns(playing.before, playing.turn, playing.roll, match.variant)
    return {
        "side": playing.turn.value,
        "roll": _roll(playing.roll),
        "count": len(turns),
        "plays": [
            {
                "moves": [one.to_json() for one in turn.moves],
                "position": _position(turn.result, match),
            }
            for turn in turns[:most]
        ],
    }


def cube_to_json(match: MatchState) -> Json | None:
    """Write the cube, None where the rule set has none."""
    if not match.variant.cube:
        return None
    cube = match.cube
    return {
        "value": cube.value,
        "owner": _letter(cube.owner),
        "offered_by": _letter(cube.offered_by),
        "beavered": cube.beavered,
    }


def told_to_json(one: Told) -> Json:
    """Write a sentence."""
    return {
        "seq": one.seq,
        "at_ms": one.at_ms,
        "code": one.code,
        "ru": one.ru,
        "en": one.en,
        "refused": one.refused,
    }


def sight_to_json(sight: Sight) -> Json:
    """Write what the camera shows."""
    checkers = sight.checkers
    return {
        "state": sight.state.value,
        "age_ms": sight.age_ms,
        "fps": sight.fps,
        "dropped": sight.dropped,
        "size_px": sight.size_px,
        "corners_px": sight.corners_px,
        "corners_by_hand": sight.corners_by_hand,
        "corners_confidence": sight.corners_confidence,
        "points": None
        if checkers is None
        else {
            "top": [one.label for one in checkers.top],
            "bottom": [one.label for one in checkers.bottom],
        },
        "dice": [_die(one) for one in sight.dice],
        "advice": [_both(one) for one in sight.advice],
        "source": sight.source,
        "trouble": _both(sight.trouble),
    }


def layout_to_json(state: TableState) -> Json | None:
    """Write where the points lie in the picture."""
    layout = state.layout
    if layout is None:
        return None
    rows = {name: [0] * 12 for name in ("top", "bottom")}
    for point in range(1, 25):
        row, column = layout.slot(point)
        rows[row][column] = point
    return {
        "white_start": layout.white_start.value,
        "direction": layout.direction.value,
        "white": state.white.value,
        **rows,
    }


def _lamp(state: TableState) -> Lamp:
    """Return the lamp; it stays red after a void throw until the next thing is said."""
    void = bool(state.told) and state.told[-1].code == "throw_void"
    if void and isinstance(state.match.phase, AwaitingThrow):
        return Lamp.RED
    return lamp_of(state.match)


def _die(die: DieReading) -> Json:
    return {
        "value": die.value,
        "box_px": die.box_px,
        "center_px": die.center_px,
        "confidence": round(die.confidence, 3),
        "flat": die.flat,
        "tilt_deg": die.tilt_deg,
        "half": None if die.half is None else die.half.value,
        "on": None if die.on is None else die.on.value,
    }


def _asked_reasons(phase: Phase) -> list[str]:
    return [one.value for one in phase.reasons] if isinstance(phase, ThrowAsked) else []


def _asked_about(match: MatchState) -> Json:
    """Write what only this question has."""
    phase = match.phase
    match phase:
        case ThrowAsked():
            return {"roll": _roll(phase.shown), "pressed": phase.pressed}
        case PrematureAsked():
            return {
                "side": phase.throw.side.value,
                "values": [d.value for d in phase.throw.dice],
            }
        case ClaimAsked():
            return {"point": phase.point, "by": phase.by.value}
        case DoubleAsked():
            return {"value": 2 * match.cube.value}
        case ResignAsked():
            return {"side": phase.side.value, "win": phase.win.value}
        case FlagAsked():
            return {"side": phase.side.value}
        case Lost():
            return {"reason": phase.reason}
        case PlayAsked():
            return {"before": _position(phase.playing.before, match)}
        case _:
            return {}


def _opening(phase: Phase) -> Json | None:
    return {"w": phase.white, "b": phase.black} if isinstance(phase, Opening) else None


def _letter(color: Color | None) -> str | None:
    return None if color is None else color.value


def _roll(roll: Roll | None) -> list[int] | None:
    return None if roll is None else sorted((roll.first, roll.second), reverse=True)


def _position(position: Position | None, match: MatchState) -> Json | None:
    if position is None:
        return None
    return dict(position.to_json(with_bar=match.variant.hits))


def _pips(position: Position, match: MatchState) -> Json:
    return {color.value: pip_count(position, color, match.variant) for color in Color}


def _both(pair: tuple[str, str] | None) -> Json | None:
    return None if pair is None else {"ru": pair[0], "en": pair[1]}


__all__ = [
    "PHASES",
    "Json",
    "cube_to_json",
    "dispute_to_json",
    "layout_to_json",
    "legal_to_json",
    "match_to_json",
    "position_of",
    "question_to_json",
    "results_to_json",
    "roll_of",
    "setup_to_json",
    "sight_to_json",
    "state_to_json",
    "told_to_json",
    "turn_of",
]
