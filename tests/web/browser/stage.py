"""A table on a real server for browser tests, driven through the arbiter's own events."""

import socket
import time
from pathlib import Path

from referee.arbiter import MatchSetup
from referee.arbiter.events import Event, PlayRead, Pressed, Restarted, ThrowSeen
from referee.arbiter.states import Playing
from referee.timer_presets import control_named
from rules import Color, Position, Roll, legal_turns
from tests.support.match import good_dice
from tests.support.web_table import FakeTable, Players
from web.access import AccessStore
from web.app import ACCESS_FILE, create_app
from web.roles import WebRole
from web.server import WebServer
from web.settings import WebSettings

W, B = Color.WHITE, Color.BLACK
MATCH = MatchSetup(white="Анна", black="Борис", length=3, clock=control_named("federation"))


class Stage:
    """Table and server in a folder; the server can be started again on the same port.

    Args:
        folder: of record and access.
        renders: whether pictures show the board; slower.
        streams: how many pages may listen at once.
    """

    def __init__(self, folder: Path, *, renders: bool = False, streams: int = 24) -> None:
        self.folder, self.renders, self.streams = folder, renders, streams
        self.port = _free_port()
        self.began_s, self.ahead_ms = time.monotonic(), 0
        self._start()

    def _start(self) -> None:
        self.table = FakeTable(self.folder / "record", self._now_ms)
        self.table.knobs.renders = self.renders
        self.table.touch()
        settings = WebSettings(
            self.folder / "web", port=self.port, beat_s=1.0, most_streams=self.streams
        )
        self.access = AccessStore(settings.folder / ACCESS_FILE)
        self.server = WebServer(create_app(self.table, settings, access=self.access), settings)
        self.server.start()
        self.players = Players(self.table)

    def _now_ms(self) -> int:
        return round(1000 * (time.monotonic() - self.began_s)) + 1000 + self.ahead_ms

    def _pass(self, ms: int = 120) -> None:
        """Let some time go by: two presses at once would be bounce."""
        self.ahead_ms += ms

    def url(self, path: str = "") -> str:
        return f"http://127.0.0.1:{self.port}/{path}"

    def stop(self) -> None:
        self.server.close()
        self.table.close()

    def start_again(self) -> None:
        """Come up again as after a power cut; the table's time counts anew."""
        self.began_s, self.ahead_ms = time.monotonic(), 0
        self._start()
        self.do(Restarted(self._now_ms()))

    def set_up(self, pins: dict[str, str]) -> None:
        """Choose the PINs, so that every browser has to log in."""
        self.access.choose({WebRole(role): pin for role, pin in pins.items()})

    # --- driving ------------------------------------------------------------------------------

    def do(self, event: Event) -> None:
        self.table.do(event)

    def open(self, setup: MatchSetup = MATCH) -> None:
        self.table.open_match(setup)

    def begin(self, first: Color = W) -> None:
        """Start position, opening throw, clock."""
        self._pass()
        self.players.begin(first)
        clock = self.table.keeper.state.clock
        if clock.to_move is not None and clock.phase.value == "ready":
            self.players.press(clock.to_move.other)

    def throw(self, side: Color, first: int | None, second: int | None) -> None:
        """Dice at rest; None: a number that cannot be read."""
        self._pass()
        self.do(ThrowSeen(self._now_ms(), side, good_dice(first, second)))

    def turn(self, side: Color, first: int, second: int, choice: int = 0) -> None:
        """A whole legal turn."""
        self._pass()
        self.players.play(side, first, second, choice)

    def wrong(self, side: Color, first: int, second: int, played_as: tuple[int, int]) -> None:
        """A throw, and a play that only another throw would allow."""
        self.throw(side, first, second)
        before = self._before()
        other = legal_turns(before, side, Roll(*played_as), self.table.keeper.state.variant)
        self._pass()
        self.do(Pressed(self._now_ms(), side))
        self.do(PlayRead(self._now_ms(), other[0].result))

    def unsure(self, side: Color, first: int, second: int, most: int = 4) -> None:
        """A throw, and a board that may be several positions."""
        self.throw(side, first, second)
        before = self._before()
        turns = legal_turns(before, side, Roll(first, second), self.table.keeper.state.variant)
        self._pass()
        self.do(Pressed(self._now_ms(), side))
        candidates = tuple(turn.result for turn in turns[:most])
        self.do(PlayRead(self._now_ms(), None, candidates))

    def _before(self) -> Position:
        phase = self.table.keeper.state.phase
        assert isinstance(phase, Playing), phase
        return phase.before


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port
