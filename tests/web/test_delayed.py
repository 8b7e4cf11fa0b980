"""Spectators who see the match late learn nothing of it early, whatever they ask."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.arbiter import MatchSetup
from tests.support.web_site import Site, site
from tests.support.web_table import FakeTable, Players
from web.app import close_streams, serving_of
from web.delayed import DelayedApi
from web.settings import WebSettings

DELAY_S = 60.0


@pytest.fixture
def late(tmp_path: Path) -> Iterator[Site]:
    """A match that spectators see a minute late."""
    table = FakeTable(tmp_path / "record")
    made = site(
        table,
        tmp_path,
        host="0.0.0.0",
        spectators_see_picture=True,
        spectator_delay_s=DELAY_S,
    )
    made.set_up()
    yield made
    close_streams(made.app)
    table.close()


def delayed(site: Site) -> DelayedApi:
    late = serving_of(site.app).late
    assert late is not None
    assert isinstance(late.api, DelayedApi)
    return late.api


def pass_s(site: Site, seconds: float) -> None:
    """Let time pass; states are kept twice a second, here once before and once after."""
    delayed(site).tick()
    site.now.s += seconds
    delayed(site).tick()


def play(site: Site, steps: int = 40) -> Players:
    site.table.open_match(MatchSetup(white="Anna", black="Boris", length=1))
    players = Players(site.table)
    players.begin()
    for _ in range(steps):
        players.go_on(wrong=0.0)
    return players


def test_before_the_delay_is_over_not_even_the_match_is_told(late: Site) -> None:
    play(late)
    spectator = late.phone().login("spectator")
    pass_s(late, DELAY_S - 1)
    state = spectator.get("state").get_json()
    assert state["phase"] == "not_opened"
    assert "Anna" not in str(state)
    assert state["seq"] == 0
    listed = spectator.get("matches").get_json()
    assert listed == {"matches": [], "current": None}


def test_then_spectators_see_what_players_saw(late: Site) -> None:
    play(late)
    player, spectator = late.phone().login("player"), late.phone().login("spectator")
    then = player.get("state").get_json()
    pass_s(late, DELAY_S + 0.1)
    for _ in range(10):
        late.table.touch()
    seen = spectator.get("state").get_json()
    for key in ("seq", "phase", "position", "turn", "told", "match"):
        assert seen[key] == then[key], key
    rows = spectator.get("entries?after=0").get_json()
    assert "error" not in rows


def test_rows_exports_and_replays_end_where_the_spectator_s_match_does(late: Site) -> None:
    players = play(late, 30)
    spectator = late.phone().login("spectator")
    pass_s(late, DELAY_S + 0.1)
    shown = spectator.get("state").get_json()["seq"]
    name = late.table.state().match_name
    assert name is not None
    for _ in range(30):
        players.go_on(wrong=0.0)
    assert late.table.state().seq > shown
    api = delayed(late)
    assert [row.seq for row in api.rows()][-1] == shown
    steps = spectator.get(f"matches/{name}/steps").get_json()["steps"]
    assert steps[-1]["seq"] <= shown
    refused = spectator.get(f"matches/{name}/export?form=json")
    assert refused.status_code == 409
    assert refused.get_json()["error"]["code"] == "shown_late"
    assert (
        late.phone().login("referee").get(f"matches/{name}/export?form=json").status_code == 200
    )
    pass_s(late, DELAY_S + 0.1)
    assert spectator.get(f"matches/{name}/export?form=json").status_code == 200


def test_there_is_no_live_picture_and_the_clocks_are_as_late(late: Site) -> None:
    spectator = late.phone().login("spectator")
    for path in ("live.jpg", "live.mjpg"):
        refused = spectator.get(path)
        assert refused.status_code == 409
        assert refused.get_json()["error"]["code"] == "shown_late"
    assert late.phone().login("player").get("live.jpg").status_code == 200
    now = spectator.get("time").get_json()["now_ms"]
    assert late.table.now_ms() - now == pytest.approx(1000 * DELAY_S, abs=5000)


def test_who_plays_or_rules_sees_everything_at_once(late: Site) -> None:
    play(late)
    for role in ("player", "referee", "admin"):
        state = late.phone().login(role).get("state").get_json()
        assert state["phase"] != "not_opened"


def test_nothing_can_be_done_through_it(late: Site) -> None:
    api = delayed(late)
    for asked in (
        lambda: api.find_board(),
        lambda: api.open_match(MatchSetup()),
        lambda: api.keep_clip("", {}),
        lambda: api.change_settings({}),
        lambda: api.diagnostics(),
    ):
        with pytest.raises(PermissionError):
            asked()
    assert late.phone().login("spectator").post("words", {"word": "accept"}).status_code == 403


def test_a_wait_ends_when_something_becomes_old_enough(late: Site) -> None:
    api = delayed(late)
    version = api.state().version
    assert api.wait(version, 0.01).version == version
    late.table.touch()
    pass_s(late, DELAY_S + 0.1)
    assert api.wait(version, 5.0).version > version


def test_without_a_delay_spectators_are_served_as_all_are(home: Site) -> None:
    assert serving_of(home.app).late is None
    with pytest.raises(ValueError, match="spectator_delay_s"):
        WebSettings(Path(), spectator_delay_s=-1)
