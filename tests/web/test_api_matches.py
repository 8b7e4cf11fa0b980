import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import cv2
import numpy as np
import pytest

from recording.keeper import last_match
from recording.retold import facts_of
from recording.statistics import MatchStatistics, SideStatistics, match_statistics
from recording.story import story_of
from referee.arbiter import Actor, MatchSetup, MatchState, advance, from_entry
from referee.arbiter.codec import KINDS
from referee.arbiter.events import MatchClosed
from rules import Color, Position
from tests.support.web_site import Site, site
from tests.support.web_table import FakeTable, Players, drawn, played
from web.labels import LABELS
from web.pictures import close_up
from web.plots import PLOTS, plot_svg
from web.steps import Matches
from web.svg import PALETTES, nice_ticks

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def over(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A whole short match, wrong plays and disputes among it."""
    folder = tmp_path_factory.mktemp("over")
    setup = MatchSetup("short", "Анна", "Борис", 1)
    table = played(folder / "record", setup=setup, steps=400, seed=3, wrong=0.1)
    if type(table.keeper.state.phase).__name__ != "MatchOver":
        table.do(MatchClosed(table.now_ms(), Actor.BOTH))
    yield site(table, folder)
    table.close()


def name_of(made: Site) -> str:
    name: str = made.phone().get("matches").get_json()["matches"][0]["name"]
    return name


# --- the list ---------------------------------------------------------------------------------


def test_matches_are_listed_newest_first_with_what_was_agreed(tmp_path: Path) -> None:
    table = FakeTable(tmp_path / "record")
    made = site(table, tmp_path)
    phone = made.phone()
    assert phone.get("matches").get_json() == {"matches": [], "current": None}
    phone.post("matches", {"white": "Анна", "black": "Борис", "length": 5})
    table.do(MatchClosed(table.now_ms(), Actor.BOTH))
    phone.post("matches", {"white": "Вера", "black": "Глеб"})
    body = phone.get("matches").get_json()
    assert [one["white"] for one in body["matches"]] == ["Вера", "Анна"]
    assert [one["over"] for one in body["matches"]] == [False, True]
    assert body["matches"][1]["score"] == {"w": 0, "b": 0}
    assert body["current"] == body["matches"][0]["name"]
    one = phone.get(f"matches/{body['current']}").get_json()
    assert one == body["matches"][0] | {"results": []}
    assert phone.get("matches/nothing").status_code == 404
    table.close()


# --- replay -----------------------------------------------------------------------------------


def test_every_event_of_a_match_is_a_step(over: Site) -> None:
    body = over.phone().get(f"matches/{name_of(over)}/steps?limit=2000").get_json()
    rows = [row for row in over.table.rows() if row.match is not None and not row.is_own]
    assert [one["seq"] for one in body["steps"]] == [row.seq for row in rows]
    assert body["last_seq"] == rows[-1].seq
    assert body["count"] == len(rows)


def test_steps_say_what_the_arbiter_makes_of_the_record_today(over: Site) -> None:
    steps = over.phone().get(f"matches/{name_of(over)}/steps?limit=2000").get_json()["steps"]
    state, told = MatchState(), []
    for row in over.table.rows():
        if row.match is None or row.is_own:
            continue
        step = advance(state, from_entry(row.kind, row.version, row.data))
        state = step.state
        told.append([getattr(one, "ru", None) for one in step.effects if hasattr(one, "ru")])
    assert [[one["ru"] for one in step["told"]] for step in steps] == told
    assert steps[-1]["phase"] == "match_over"
    assert steps[-1]["score"] == {"w": state.score.white, "b": state.score.black}
    assert any(one["roll"] for one in steps)
    assert all(one["label"]["ru"] and one["label"]["en"] for one in steps)


def test_the_board_of_a_step_is_what_was_played(over: Site) -> None:
    steps = over.phone().get(f"matches/{name_of(over)}/steps?limit=2000").get_json()["steps"]
    ruled = [step for step in steps if step["kind"] == "play_ruled"]
    rows = {row.seq: row for row in over.table.rows()}
    assert ruled
    for step in ruled:
        played = Position.from_json(rows[step["seq"]].data["played"])
        assert Position.from_json(step["position"]) == played
    assert steps[-1]["position"] == steps[-2]["position"]  # it stays when the match is over


def test_a_match_tells_how_its_games_ended(over: Site) -> None:
    told = over.phone().get(f"matches/{name_of(over)}").get_json()
    results = over.table.keeper.state.results
    assert [one["points"] for one in told["results"]] == [one.points for one, _ in results]


def test_steps_are_paged(over: Site) -> None:
    phone, name = over.phone(), name_of(over)
    all_ = phone.get(f"matches/{name}/steps?limit=2000").get_json()["steps"]
    paged, after = [], 0
    while page := phone.get(f"matches/{name}/steps?limit=17&after={after}").get_json()["steps"]:
        paged += page
        after = page[-1]["seq"]
    assert paged == all_


def test_a_match_under_way_is_folded_on_and_not_anew(tmp_path: Path) -> None:
    table = played(tmp_path / "record", steps=30)
    matches = Matches(table.rows)
    fold = matches.fold(table.keeper.match or "")
    assert fold is not None
    before, count = fold.steps[0], len(fold.steps)
    players = Players(table, 2)
    for _ in range(10):
        players.go_on()
    again = matches.fold(table.keeper.match or "")
    assert again is fold
    assert again.steps[0] is before
    assert len(again.steps) > count
    assert again.steps == (Matches(table.rows).fold(table.keeper.match or "") or fold).steps
    assert matches.fold("nothing") is None
    table.close()


def test_every_kind_of_event_has_a_label_in_both_languages() -> None:
    assert set(LABELS) == set(KINDS)
    assert all(ru != en for ru, en in LABELS.values())


# --- pictures ---------------------------------------------------------------------------------


def test_a_step_leads_to_its_picture_and_to_the_throw_in_close_up(over: Site) -> None:
    phone = over.phone()
    steps = phone.get(f"matches/{name_of(over)}/steps?limit=2000").get_json()["steps"]
    throw = next(step for step in steps if step["kind"] == "throw_seen")
    assert all(one["value"] and one["box_px"] for one in throw["dice"])
    sha = throw["evidence"][0]
    picture = phone.get(f"pictures/{sha}")
    assert picture.data == over.table.evidence(sha)
    assert "immutable" in picture.headers["Cache-Control"]
    etag = picture.headers["ETag"]
    assert phone.get(f"pictures/{sha}", headers={"If-None-Match": etag}).status_code == 304
    near = phone.get(f"pictures/{sha}/dice?seq={throw['seq']}")
    assert near.mimetype == "image/jpeg"
    assert near.headers["X-Boxes"] == "2"
    for seq in (0, throw["seq"] + 1, 10**9):
        assert phone.get(f"pictures/{sha}/dice?seq={seq}").status_code == 404
    assert phone.get(f"pictures/{'0' * 64}/dice?seq={throw['seq']}").status_code == 404


def test_a_close_up_cuts_the_dice_out_and_draws_them() -> None:
    shot = drawn('{"points": {"24": "w15", "12": "b15"}, "off": {"w": 0, "b": 0}}', (3, 5))
    made = close_up(shot.jpeg, shot.boxes, ["3", "5"])
    assert made is not None
    near = cv2.imdecode(np.frombuffer(made, np.uint8), cv2.IMREAD_COLOR)
    assert near is not None
    height, width = near.shape[:2]
    assert min(height, width) >= 300
    yellow = (abs(near.astype(int) - (90, 230, 255)).sum(2) < 60).sum()
    assert yellow > 0.01 * height * width


def test_a_close_up_without_boxes_is_the_whole_picture_and_of_no_picture_nothing() -> None:
    shot = drawn('{"points": {"24": "w15", "12": "b15"}, "off": {"w": 0, "b": 0}}', ())
    whole = close_up(shot.jpeg, [], [])
    assert whole is not None
    decoded = cv2.imdecode(np.frombuffer(whole, np.uint8), cv2.IMREAD_COLOR)
    assert decoded is not None
    assert decoded.shape == (720, 960, 3)
    outside = [(5000, 5000, 10, 10), (10, 10, 0, 5)]
    assert close_up(shot.jpeg, outside, ["1", "2"]) == whole
    assert close_up(b"no picture", [], []) is None


# --- statistics and export --------------------------------------------------------------------


def test_figures_are_those_of_the_record(over: Site) -> None:
    body = over.phone().get(f"matches/{name_of(over)}/statistics").get_json()
    kept = last_match(over.table.rows())
    assert kept is not None
    figures = match_statistics(fact for _, fact in facts_of(story_of(kept.events)))
    assert body["w"]["faces"] == list(figures.white.faces)
    assert body["both"]["dice"] == figures.both.dice
    assert len(body["pips"]) == len(figures.pip_counts)
    assert 0 <= body["both"]["p_value"] <= 1
    assert body["both"]["said"]["ru"]


@pytest.mark.parametrize("plot", PLOTS)
@pytest.mark.parametrize("theme", PALETTES)
def test_a_plot_is_svg_that_says_in_words_what_it_shows(
    over: Site, plot: str, theme: str
) -> None:
    for language in ("ru", "en"):
        path = (
            f"matches/{name_of(over)}/statistics/{plot}.svg?language={language}&theme={theme}"
        )
        answer = over.phone().get(path)
        assert answer.mimetype == "image/svg+xml"
        root = ElementTree.fromstring(answer.text)
        title, text = root.findtext(f"{SVG}title"), root.findtext(f"{SVG}desc")
        assert title
        assert text
        assert bool(re.search("[а-я]", title)) is (language == "ru")
        assert root.get("role") == "img"
        assert "style" not in answer.text
        assert "script" not in answer.text


def test_a_plot_of_nothing_says_so_and_names_cannot_break_it() -> None:
    names = {Color.WHITE: '<script>"&', Color.BLACK: "Очень длинное имя " * 9}
    side = SideStatistics(1, (1, 1, 0, 0, 0, 0), times_ms=(4200,))
    some = MatchStatistics(side, side, ((300, 310), (290, 300)))
    for plot in PLOTS:
        empty = MatchStatistics(SideStatistics(), SideStatistics())
        ElementTree.fromstring(plot_svg(plot, empty, names, "en", "light"))
        text = plot_svg(plot, some, names, "ru", "dark")
        ElementTree.fromstring(text)
        assert "<script" not in text


def test_ticks_are_round_and_cover_what_is_shown() -> None:
    assert nice_ticks(37) == (0, 10, 20, 30, 40)
    assert nice_ticks(0) == (0, 1)
    for largest in (0.3, 1, 7, 99, 100, 101, 4000):
        ticks = nice_ticks(largest)
        assert ticks[-1] >= largest
        assert 2 <= len(ticks) <= 6


def test_a_match_is_exported_under_its_name(over: Site) -> None:
    phone, name = over.phone(), name_of(over)
    answer = phone.get(f"matches/{name}/export?format=mat")
    assert answer.status_code == 200
    assert f'filename="{name}.mat"' in answer.headers["Content-Disposition"]
    assert phone.get(f"matches/{name}/export?format=exe").status_code == 422
    refused = phone.get(f"matches/{name}/export?format=pdf")
    assert refused.status_code == 422
    assert "pdf" in refused.get_json()["error"]["en"]
    assert phone.get("matches/nothing/export").status_code == 404
