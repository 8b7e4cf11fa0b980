import http.client
import json
import socket
import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from referee.arbiter import Actor
from referee.arbiter.events import RefereeCalled, RefereeLeft
from tests.support.web_site import Now, Site, site
from tests.support.web_table import FakeTable, Players
from web.pictures import BOUNDARY, Viewers
from web.server import WebServer
from web.stream import Feed, Slots

MANY = 200


@dataclass
class Event:
    kind: str
    id: int | None
    data: Any


def read(texts: Iterator[str], most: int) -> Iterator[Event]:
    """Read events as a browser does."""
    for text in islice((one for one in texts if not one.startswith("retry")), most):
        fields = dict(line.split(": ", 1) for line in text.strip().split("\n"))
        number = fields.get("id")
        yield Event(
            fields["event"],
            None if number is None else int(number),
            json.loads(fields["data"]),
        )


def ids(events: Iterable[Event]) -> list[int]:
    return [one.id for one in events if one.id is not None]


def never() -> bool:
    return False


def call_and_leave(table: FakeTable, times: int = 1) -> None:
    """Make two rows a time."""
    for _ in range(times):
        table.do(RefereeCalled(table.now_ms(), Actor.WHITE))
        table.do(RefereeLeft(table.now_ms(), Actor.REFEREE))


@pytest.fixture
def game(home: Site) -> Site:
    home.phone().post("matches", {"white": "Анна", "black": "Борис"})
    Players(home.table).begin()
    return home


# --- the feed ---------------------------------------------------------------------------------


def test_the_state_comes_at_once_then_what_was_missed_then_what_is_new(game: Site) -> None:
    feed, head = Feed(game.table, Now(), 3.0), game.table.record.head.seq
    texts = feed.events(head - 3, (), "{}", never)
    first = list(read(texts, 4))
    assert [one.kind for one in first] == ["state", *["entry"] * 3]
    assert [one.id for one in first[1:]] == [head - 2, head - 1, head]
    call_and_leave(game.table)
    later = list(read(texts, 4))
    assert ids(later) == [head + 1, head + 2]
    state = next(one for one in later if one.kind == "state")
    assert state.data["seq"] == head + 2
    assert state.data["session"] == {}


def test_coming_back_again_and_again_loses_nothing_and_doubles_nothing(game: Site) -> None:
    feed = Feed(game.table, Now(), 3.0)
    seen: list[int] = []
    for round_ in range(12):
        after = seen[-1] if seen else 0
        there = game.table.record.head.seq - after
        texts = feed.events(after, (), "{}", never)
        seen += ids(read(texts, 1 + min(there, 1 + round_ % 3)))
        call_and_leave(game.table)
    rest = game.table.record.head.seq - seen[-1]
    seen += ids(read(feed.events(seen[-1], (), "{}", never), 1 + rest))
    assert seen == list(range(1, game.table.record.head.seq + 1))


def test_rows_older_than_those_kept_come_from_the_record(after_play: Site) -> None:
    feed, head = Feed(after_play.table, Now(), 3.0), after_play.table.record.head.seq
    late = [seq for seq, _ in feed.row_texts(head - 2, head)]
    assert late == [head - 1, head]
    assert [seq for seq, _ in feed.row_texts(0, head, 5)] == [1, 2, 3, 4, 5]


def test_a_number_beyond_the_record_hides_nothing_that_comes(game: Site) -> None:
    feed, head = Feed(game.table, Now(), 3.0), game.table.record.head.seq
    texts = feed.events(10**9, (), "{}", never)
    assert next(read(texts, 1)).kind == "state"
    call_and_leave(game.table)
    assert ids(read(texts, 4))[:2] == [head + 1, head + 2]


def test_one_who_names_no_row_gets_only_what_comes(game: Site) -> None:
    feed, head = Feed(game.table, Now(), 3.0), game.table.record.head.seq
    texts = feed.events(None, (), "{}", never)
    next(read(texts, 1))
    call_and_leave(game.table)
    assert ids(read(texts, 4)) == [head + 1, head + 2]


def test_a_quiet_table_beats_with_its_own_time(game: Site) -> None:
    now = Now()
    texts = Feed(game.table, now, 3.0).events(None, (), "{}", never)
    next(read(texts, 1))
    beat = next(read(texts, 1))
    assert beat.kind == "beat"
    assert beat.data["now_ms"] > game.table.state().now_ms
    assert beat.data["rate"] == 1.0
    now.s += 3.0
    assert next(read(texts, 1)).kind == "beat"


class _Waits(threading.Event):
    """Notes how long somebody wanted to wait, and lets time pass."""

    def __init__(self, now: Now) -> None:
        super().__init__()
        self.now, self.asked = now, list[float]()

    def wait(self, timeout: float | None = None) -> bool:
        self.asked.append(timeout or 0.0)
        self.now.s += timeout or 0.0
        return False


def test_changes_in_quick_succession_make_ten_states_a_second_at_most(game: Site) -> None:
    now = Now()
    feed = Feed(game.table, now, 3.0)
    feed.closing = waits = _Waits(now)
    texts = feed.events(None, (), "{}", never)
    states = 0
    for one in read(texts, 40):
        game.table.touch()
        states += one.kind == "state"
    assert states <= 1 + 10 * (now.s - 1000.0) + 1
    assert max(waits.asked) <= 0.1 + 1e-9


def test_a_stream_ends_with_its_client_its_session_and_its_server(game: Site) -> None:
    left = [False]
    feed = Feed(game.table, Now(), 3.0)
    texts = feed.events(None, (), "{}", lambda: left[0])
    next(texts)
    left[0] = True
    assert len(list(texts)) == 1
    other = feed.events(None, (), "{}", never)
    next(other)
    feed.closing.set()
    assert len(list(other)) == 1


def test_a_state_is_written_once_for_all_who_look(game: Site) -> None:
    feed, state = Feed(game.table, Now(), 3.0), game.table.state()
    assert feed.state_text(state, ()) is feed.state_text(state, ())
    assert json.loads(feed.state_text(state, (Actor.WHITE,)))["may"]["white"]


def test_places_are_given_back_once() -> None:
    slots = Slots(1)
    back = slots.take()
    assert back is not None
    assert slots.take() is None
    back()
    back()
    assert slots.take() is not None
    assert slots.take() is None


# --- pictures ---------------------------------------------------------------------------------


def pictures_of(stream: Iterator[bytes], most: int) -> list[bytes]:
    """Take pictures out of a stream, without the lines between them."""
    return list(islice((one for one in stream if b"Content-Type" in one), most))


def test_a_picture_is_sent_once_and_again_when_it_stays(home: Site) -> None:
    now = Now()
    viewers = Viewers(home.table, now, 4, 10.0)
    viewers.closing = _Waits(now)
    stream = viewers.parts(drawn=False, gone=never)
    assert next(stream) == f"--{BOUNDARY}".encode()
    first, again = pictures_of(stream, 2)
    assert first.startswith(b"\r\nContent-Type: image/jpeg\r\n")
    assert b"X-Age-Ms: 120" in first
    assert again == first
    assert now.s - 1000 == pytest.approx(5.0, abs=0.2)


def test_a_slow_viewer_gets_the_newest_picture_and_not_the_ones_between(home: Site) -> None:
    now = Now()
    viewers = Viewers(home.table, now, 4, 10.0)
    viewers.closing = _Waits(now)
    stream = viewers.parts(drawn=False, gone=never)
    pictures_of(stream, 1)
    for _ in range(7):
        home.table.new_picture()  # while the last one is still going out
    assert b"X-Seq: 7\r\n" in pictures_of(stream, 1)[0]


def test_a_slow_viewer_gets_smaller_pictures_until_it_keeps_up(home: Site) -> None:
    home.table.knobs.renders = True
    now = Now()
    viewers = Viewers(home.table, now, 4, 10.0)
    viewers.closing = _Waits(now)
    stream = viewers.parts(drawn=False, gone=never)
    sizes: list[int] = []
    for number in range(80):
        home.table.new_picture()
        sizes += [len(one) for one in pictures_of(stream, 1)]
        now.s += 1.0 if number < 3 else 0.0  # so long the line took it
    assert sizes[0] > 2 * sizes[1] > 4 * sizes[2]
    assert abs(sizes[2] - sizes[3]) < 20  # the head has a number in it
    assert abs(sizes[-1] - sizes[0]) < 20


def test_nothing_is_encoded_while_nobody_looks_and_once_for_all_who_do(home: Site) -> None:
    assert home.table.knobs.encoded == 0
    streams = [Viewers(home.table, Now(), 4, 10.0).parts(drawn=False, gone=never)
               for _ in range(4)]  # fmt: skip
    for stream in streams:
        assert pictures_of(stream, 1)
    assert home.table.knobs.encoded == 1


def test_the_last_places_are_refused_with_a_time_to_come_back(home: Site) -> None:
    served = home.app.extensions["zarbiter"]
    taken = [served.streams.take() for _ in range(home.settings.most_streams)]
    watched = [served.viewers.slots.take() for _ in range(home.settings.most_viewers)]
    assert all(taken)
    assert all(watched)
    for path in ("stream", "live.mjpg"):
        answer = home.phone().get(path)
        assert answer.status_code == 503
        assert int(answer.headers["Retry-After"]) > 0
        assert answer.get_json()["error"]["code"] == "too_many_streams"
    assert home.phone().get("live.jpg").status_code == 200


# --- the server -------------------------------------------------------------------------------


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[Site, WebServer]]:
    table = FakeTable(tmp_path / "record")
    made = site(table, tmp_path, port=0)
    server = WebServer(made.app, made.settings)
    server.start()
    yield made, server
    server.close()
    table.close()


def opened(server: WebServer, path: str, last: int | None = None) -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    # So the answer alone holds the socket, and closing it is leaving.
    headers = {"Connection": "close"}
    if last is not None:
        headers["Last-Event-ID"] = str(last)
    connection.request("GET", f"/api/v1/{path}", headers=headers)
    return connection.getresponse()


def status(server: WebServer, path: str) -> int:
    with opened(server, path) as answer:
        return answer.status


def events_of(answer: http.client.HTTPResponse) -> Iterator[str]:
    lines: list[str] = []
    while line := answer.readline():
        if line.strip():
            lines.append(line.decode().rstrip("\n"))
        elif lines:
            yield "\n".join(lines)
            lines = []


def settled(condition: Any) -> bool:
    """Wait, as long as it may take on a busy machine, until something holds."""
    pause = threading.Event()
    return any(condition() or pause.wait(0.05) for _ in range(600))


def test_a_browser_that_comes_back_names_its_last_row_and_misses_none(
    served: tuple[Site, WebServer],
) -> None:
    made, server = served
    made.phone().post("matches")
    Players(made.table).begin()
    first = opened(server, "stream?after=0")
    seen = ids(read(events_of(first), 4))
    first.close()
    call_and_leave(made.table, 3)
    # What the browser remembers counts, not the address it was first given.
    again = opened(server, "stream?after=0", last=seen[-1])
    head = made.table.record.head.seq
    seen += ids(read(events_of(again), 1 + head - seen[-1]))
    again.close()
    assert seen == list(range(1, head + 1))


def test_all_places_can_be_used_and_one_more_is_refused(
    served: tuple[Site, WebServer],
) -> None:
    made, server = served
    streams = [opened(server, "stream") for _ in range(made.settings.most_streams)]
    watched = [opened(server, "live.mjpg") for _ in range(made.settings.most_viewers)]
    assert {one.status for one in streams + watched} == {200}
    with opened(server, "stream") as refused:
        assert (refused.status, refused.getheader("Retry-After")) == (503, "10")
    assert status(server, "live.mjpg") == 503
    assert status(server, "live.jpg") == 200
    assert status(server, "state") == 200
    streams[0].close()
    assert settled(lambda: status(server, "stream") == 200)
    for one in streams + watched:
        one.close()


def test_streams_opened_and_dropped_leave_no_thread_and_no_place_taken(
    served: tuple[Site, WebServer],
) -> None:
    made, server = served
    assert status(server, "state") == 200
    before = threading.active_count()
    for number in range(MANY):
        path = "stream" if number % 4 else "live.mjpg"

        def dropped(path: str = path, number: int = number) -> bool:
            with opened(server, path) as answer:
                if number % 3 and answer.status == 200:
                    answer.readline()
                return answer.status == 200

        assert settled(dropped)
    serving = made.app.extensions["zarbiter"]

    def all_free() -> bool:
        slots = [(serving.streams, serving.streams.most), (serving.viewers.slots, 4)]
        backs = [slot.take() for slot, most in slots for _ in range(most)]
        free = all(backs)
        for back in backs:
            if back is not None:
                back()
        return free

    assert settled(all_free)
    assert status(server, "state") == 200
    assert threading.active_count() <= before


def test_it_ends_with_streams_open_and_leaves_no_thread(tmp_path: Path) -> None:
    before = threading.active_count()
    table = FakeTable(tmp_path / "record")
    made = site(table, tmp_path, port=0)
    server = WebServer(made.app, made.settings)
    server.start()
    open_ones = [opened(server, path) for path in ("stream", "stream", "live.mjpg")]
    for one in open_ones:
        one.readline()
    server.close()
    assert settled(lambda: threading.active_count() <= before)
    assert b"event: state" in open_ones[0].read()  # and its end, not a hang
    for one in open_ones:
        one.close()
    table.close()


def test_a_second_server_on_a_port_is_refused(served: tuple[Site, WebServer]) -> None:
    made, server = served
    taken = site(made.table, made.settings.folder, port=server.port)
    with pytest.raises(OSError, match="in use"):
        WebServer(taken.app, taken.settings)


def test_it_ends_with_a_client_that_reads_nothing(tmp_path: Path) -> None:
    before = threading.active_count()
    table = FakeTable(tmp_path / "record")
    table.knobs.renders = True
    made = site(table, tmp_path, port=0)
    server = WebServer(made.app, made.settings)
    server.start()
    with socket.socket() as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        deaf.connect(("127.0.0.1", server.port))
        deaf.sendall(b"GET /api/v1/live.mjpg HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert settled(lambda: table.knobs.encoded > 0)
        table.new_picture()  # the next one waits for the first, which goes nowhere
        server.close()
        assert settled(lambda: threading.active_count() <= before)
    table.close()


def test_a_body_that_does_not_say_how_large_it_is_is_cut_off(
    served: tuple[Site, WebServer],
) -> None:
    _, server = served
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    chunk = b"x" * 8192
    head = {"Transfer-Encoding": "chunked", "Content-Type": "application/json"}
    connection.request("POST", "/api/v1/words", iter([chunk] * 9), head, encode_chunked=True)
    assert connection.getresponse().status == 413
    connection.close()
