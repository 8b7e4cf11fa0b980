"""A record retold for replay: what each event led to, folded anew by the arbiter.

A match is folded once and kept; rows that come later are added to what is there.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from recording.record_row import Row
from recording.retold import facts_of
from recording.statistics import MatchStatistics, match_statistics
from recording.story import MatchStory, tell
from referee.arbiter import Event, MatchSetup, MatchState, advance, from_entry
from referee.arbiter.events import (
    GameEnded,
    MatchEnded,
    MatchOpened,
    OpeningDieSeen,
    PlayRuled,
    ThrowSeen,
)
from referee.arbiter.states import GameOver, MatchOver, Say
from referee.timer_reading import at as clock_at
from rules import Color, Position
from web.labels import LABELS
from web.view import (
    PHASES,
    Json,
    cube_to_json,
    position_of,
    roll_of,
    setup_to_json,
    turn_of,
)

_MATCHES_KEPT: Final = 6


@dataclass(slots=True)
class Fold:
    """One match as far as its rows were read."""

    name: str
    steps: list[Json] = field(default_factory=list)
    story: MatchStory = field(default_factory=MatchStory)
    last_seq: int = 0
    position: Position | None = None
    facts: tuple[int, MatchStatistics] | None = None

    def take(self, rows: Iterable[Row]) -> None:
        """Add rows, oldest first."""
        for row in rows:
            if row.is_own or row.match != self.name or row.seq <= self.last_seq:
                continue
            event = from_entry(row.kind, row.version, row.data)
            self.steps.append(self._step(row, event))
            self.last_seq = row.seq

    def statistics(self) -> MatchStatistics:
        """Return the match's figures, counted once."""
        if self.facts is None or self.facts[0] != self.last_seq:
            told = match_statistics(fact for _, fact in facts_of(self.story))
            self.facts = self.last_seq, told
        return self.facts[1]

    def _step(self, row: Row, event: Event) -> Json:
        before = self.story.state
        effects = advance(before, event).effects
        self.story = tell(self.story, event)
        state = self.story.state
        self.position = _stands(state, event, self.position)
        clock = clock_at(state.clock, event.at_ms)
        roll = roll_of(state.phase)
        label = LABELS[row.kind]
        return {
            "seq": row.seq,
            "kind": row.kind,
            "label": {"ru": label[0], "en": label[1]},
            "at_s": row.at_s,
            "wall": row.wall,
            "synced": row.synced,
            "told": [
                {"code": one.code, "ru": one.ru, "en": one.en}
                for one in effects
                if isinstance(one, Say)
            ],
            "game": state.game,
            "phase": PHASES[type(state.phase)],
            "turn": _letter(turn_of(state.phase)),
            "roll": None if roll is None else sorted((roll.first, roll.second), reverse=True),
            "position": None
            if self.position is None
            else dict(self.position.to_json(with_bar=state.variant.hits)),
            "cube": cube_to_json(state),
            "score": {"w": state.score.white, "b": state.score.black},
            "clock": {color.value: {"left_ms": clock.of(color).left_ms} for color in Color},
            "evidence": [one.sha256 for one in row.evidence],
            "dice": dice_of(event),
        }


def _stands(state: MatchState, event: Event, before: Position | None) -> Position | None:
    """Return what stands on the board: over is a game with its last play done."""
    if isinstance(event, PlayRuled):
        return event.played
    if isinstance(state.phase, GameOver | MatchOver):
        return before
    return position_of(state)


def dice_of(event: Event) -> list[Json]:
    """Return the dice an event saw, each with its box in the picture or None."""
    match event:
        case ThrowSeen():
            boxes = [*event.boxes_px, *[None] * len(event.dice)]
            return [
                {"value": die.value, "box_px": None if box is None else list(box)}
                for die, box in zip(event.dice, boxes, strict=False)
            ]
        case OpeningDieSeen():
            box = event.box_px
            return [{"value": event.value, "box_px": None if box is None else list(box)}]
        case _:
            return []


@dataclass(slots=True)
class _Entry:
    """A match in the list."""

    name: str
    began: str
    synced: bool
    first_seq: int
    last_seq: int = 0
    setup: Json = field(default_factory=dict)
    games: int = 0
    score: dict[str, int] = field(default_factory=lambda: {"w": 0, "b": 0})
    over: bool = False


class Matches:
    """The matches of a record, for many readers.

    Args:
        rows: the record's rows after one, of one match or of all, as `RefereeApi.rows`.
    """

    def __init__(self, rows: Callable[[int, str | None], Iterator[Row]]) -> None:
        self._rows = rows
        self._lock = threading.Lock()
        self._folds: OrderedDict[str, Fold] = OrderedDict()
        self._entries: dict[str, _Entry] = {}
        self._listed_to = 0

    def fold(self, name: str) -> Fold | None:
        """Return a match folded to its end; None: there is none of that name.

        The fold grows when it is asked for again; read it while `locked`.
        """
        fold = self._folds.get(name) or Fold(name)
        fold.take(self._rows(fold.last_seq, name))
        if not fold.steps:
            return None
        self._folds[name] = fold
        self._folds.move_to_end(name)
        while len(self._folds) > _MATCHES_KEPT:
            self._folds.popitem(last=False)
        return fold

    @property
    def locked(self) -> threading.Lock:
        """What to hold while reading a fold."""
        return self._lock

    def listed(self) -> list[Json]:
        """Return all matches, newest first."""
        with self._lock:
            for row in self._rows(self._listed_to, None):
                self._listed_to = row.seq
                if row.match is not None and not row.is_own:
                    self._list(row, row.match)
            return [_entry_to_json(one) for one in reversed(self._entries.values())]

    def _list(self, row: Row, name: str) -> None:
        entry = self._entries.setdefault(name, _Entry(name, row.wall, row.synced, row.seq))
        entry.last_seq = row.seq
        if row.kind not in ("match_opened", "game_ended", "match_ended", "undone"):
            return
        match from_entry(row.kind, row.version, row.data):
            case MatchOpened(setup=setup):
                entry.setup = _setup(setup)
            case GameEnded(game=game):
                entry.games = game
            case MatchEnded(white=white, black=black):
                entry.over, entry.score = True, {"w": white, "b": black}
            case _:  # taken back: the match goes on
                entry.over = False


def _setup(setup: MatchSetup) -> Json:
    return dict(setup_to_json(setup))


def _entry_to_json(one: _Entry) -> Json:
    return {
        "name": one.name,
        "began": one.began,
        "synced": one.synced,
        "first_seq": one.first_seq,
        "last_seq": one.last_seq,
        "games": one.games,
        "over": one.over,
        "score": dict(one.score) if one.over else None,
        **one.setup,
    }


def _letter(color: Color | None) -> str | None:
    return None if color is None else color.value
