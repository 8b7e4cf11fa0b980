from typing import Any

import pytest

from referee.arbiter import Actor
from referee.arbiter.events import RefereeCalled
from tests.support.web_site import Site
from tests.support.web_table import Players
from web.api import SightState
from web.problems import CODES, ProblemError


def test_the_state_says_what_the_table_is_and_who_looks(home: Site) -> None:
    state = home.phone().get("state").get_json()
    assert state["phase"] == "not_opened"
    assert state["sight"]["state"] == "live"
    assert state["session"]["role"] == "admin"
    assert set(state["may"]) == {"white", "black", "both", "referee"}


def test_a_match_is_opened_and_words_are_said(home: Site) -> None:
    phone = home.phone()
    opened = phone.post(
        "matches",
        {"rules": "bolshie-nardy", "white": "Анна", "black": "Борис", "length": 3,
         "clock": "federation", "flag_law": "game", "arbiter": "Вера"},
    )  # fmt: skip
    assert opened.status_code == 200, opened.text
    assert opened.get_json()["done"] is True
    state = phone.get("state").get_json()
    assert state["match"]["clock"] == "2m/pt+8s delay"
    assert state["match"]["flag_law"] == "game"
    Players(home.table).begin()
    answer = phone.post("words", {"word": "call_referee", "by": "white"})
    assert answer.get_json()["done"] is True
    assert phone.get("state").get_json()["called"] == "white"


def test_what_is_refused_is_told_to_the_asker_alone(home: Site) -> None:
    phone = home.phone()
    answer = phone.post("words", {"word": "accept", "by": "white"})
    body = answer.get_json()
    assert answer.status_code == 409
    assert body["done"] is False
    assert body["told"][0]["refused"] is True
    assert body["told"][0]["ru"]
    assert phone.get("state").get_json()["told"] == []


@pytest.mark.parametrize(
    ("word", "field"),
    [
        ({"word": "fly", "by": "white"}, "word"),
        ({"word": "accept"}, "by"),
        ({"word": "accept", "by": "camera"}, "by"),
        ({"word": "undo", "by": "referee", "turns": True}, "turns"),
        ({"word": "accept", "by": "white", "more": 1}, "more"),
        ({"word": "position", "by": "referee", "position": {"points": {"99": "w1"}}}, ""),
    ],
)
def test_a_word_that_does_not_fit_is_named(
    home: Site, word: dict[str, Any], field: str
) -> None:
    answer = home.phone().post("words", word)
    assert answer.status_code == 422
    assert field in answer.get_json()["error"]["en"]


@pytest.mark.parametrize(
    ("setup", "field"),
    [
        ({"rules": "chess"}, "chess"),
        ({"length": 0}, "length"),
        ({"length": True}, "length"),
        ({"clock": "fast"}, "fast"),
        ({"clock": "federation"}, "length"),  # time by the point, and no points
        ({"role": "god"}, "role"),
        ({"white": "x" * 81}, "white"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_an_agreement_that_does_not_fit_is_named(
    home: Site, setup: dict[str, Any], field: str
) -> None:
    answer = home.phone().post("matches", setup)
    assert answer.status_code == 422
    assert field in answer.get_json()["error"]["en"]
    assert home.table.keeper.match is None


def test_a_second_match_waits_for_the_first(home: Site) -> None:
    phone = home.phone()
    assert phone.post("matches").status_code == 200
    assert phone.post("matches").status_code == 409


def test_rows_are_polled_without_loss_or_doubles(after_play: Site) -> None:
    phone = after_play.phone()
    seen: list[int] = []
    after = 0
    while True:
        body = phone.get(f"entries?after={after}&limit=37").get_json()
        if not body["entries"]:
            break
        seen += [row["seq"] for row in body["entries"]]
        after = body["after"]
    assert seen == list(range(1, after_play.table.record.head.seq + 1))


def test_a_row_says_what_the_record_says(after_play: Site) -> None:
    rows = after_play.phone().get("entries?limit=500").get_json()["entries"]
    throw = next(row for row in rows if row["kind"] == "throw_seen")
    kept = next(row for row in after_play.table.rows() if row.seq == throw["seq"])
    assert throw["data"] == kept.data
    assert throw["wall"] == kept.wall
    assert throw["evidence"] == [
        {"kind": one.kind.value, "sha256": one.sha256} for one in kept.evidence
    ]
    assert len(throw["data"]["boxes_px"]) == len(throw["data"]["dice"])


def test_a_number_from_another_record_gets_no_old_rows(after_play: Site) -> None:
    body = after_play.phone().get("entries?after=999999").get_json()
    assert body["entries"] == []
    assert body["after"] == after_play.table.record.head.seq


def test_time_goes_on_while_the_state_stands(home: Site) -> None:
    phone = home.phone()
    first, second = (phone.get("time").get_json()["now_ms"] for _ in range(2))
    assert second > first
    assert phone.get("state").get_json()["now_ms"] < first


def test_legal_turns_come_with_the_positions_they_lead_to(home: Site) -> None:
    phone = home.phone()
    assert phone.get("legal").get_json() == {"legal": None}
    phone.post("matches", {"white": "A", "black": "B"})
    players = Players(home.table)
    players.begin()
    players.throw(players.at_turn(), 5, 2)
    legal = phone.get("legal").get_json()["legal"]
    assert legal["roll"] == [5, 2]
    assert legal["count"] == len(legal["plays"]) > 0
    assert legal["plays"][0]["position"]["points"]


def test_a_stopped_table_is_told_as_such(home: Site) -> None:
    phone = home.phone()
    phone.load()
    home.table.knobs.stopped = True
    answer = phone.post("words", {"word": "accept", "by": "white"})
    assert answer.status_code == 503
    assert answer.headers["Retry-After"]
    assert answer.get_json()["error"]["code"] == "stopped"
    assert phone.get("state").status_code == 200


def test_a_lost_camera_is_told_by_state_health_and_picture(home: Site) -> None:
    home.table.knobs.sight = SightState.LOST
    home.table.touch()
    phone = home.phone()
    assert phone.get("state").get_json()["sight"]["trouble"]["en"]
    assert phone.get("health").get_json()["level"] == "bad"
    assert phone.get("live.jpg").status_code == 404


def test_every_problem_is_told_in_both_languages() -> None:
    for code in CODES:
        problem = ProblemError(code, retry_after_s=3)
        assert problem.ru != problem.en
        assert "{" not in problem.ru + problem.en


def test_what_is_said_elsewhere_shows_at_once(home: Site) -> None:
    phone = home.phone()
    phone.post("matches")
    Players(home.table).begin()
    home.table.do(RefereeCalled(home.table.now_ms(), Actor.BLACK))
    assert phone.get("state").get_json()["called"] == "black"
