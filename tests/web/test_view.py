"""The table as JSON for pages."""

import json
from dataclasses import replace

import pytest

from referee.arbiter import Actor, MatchSetup, MatchState
from referee.arbiter.events import PauseAsked, ResignOffered, SightLost, ThrowAnswered
from referee.timer_presets import control_named
from rules import VARIANTS, Color, Roll
from rules.outcome import Win
from tests.support.boards import moved
from tests.support.looks import LAYOUT, die
from tests.support.match import Table
from vision.observation import Side
from web.api import Sight, SightState, TableState, Told
from web.view import legal_to_json, state_to_json

W, B = Color.WHITE, Color.BLACK


def shown(match: MatchState, **more: object) -> dict[str, object]:
    state = replace(TableState(now_ms=9000, match_name="m", match=match), **more)  # type: ignore[arg-type]
    made = state_to_json(state, (Actor.WHITE, Actor.BLACK))
    again: dict[str, object] = json.loads(json.dumps(made))
    return again


def table(rules: str = "bolshie-nardy") -> Table:
    made = Table(MatchSetup(rules, "Анна", "Борис", 3, control_named("10m+12s delay")))
    made.begin()
    return made


def test_an_empty_table_is_shown_as_one() -> None:
    empty = json.loads(json.dumps(state_to_json(TableState())))
    assert (empty["phase"], empty["match"], empty["position"]) == ("not_opened", None, None)
    assert (empty["question"], empty["may"], empty["lamp"]) == (None, {}, "off")


@pytest.mark.parametrize("rules", VARIANTS)
def test_a_turn_is_shown_from_throw_to_ruling(rules: str) -> None:
    one = table(rules)
    for _ in range(3):
        phase = shown(one.state)
        side = Color(str(phase["turn"]))
        if phase["phase"] == "awaiting_throw":
            one.throw(side, 2, 1)
        playing = shown(one.state)
        assert (playing["phase"], playing["turn"]) == ("playing", side.value)
        assert playing["lamp"] == "green"
        legal = legal_to_json(one.state)
        assert legal is not None
        positions = [play["position"] for play in legal["plays"]]
        one.press(side)
        after = one.legal()
        assert dict(after.to_json(with_bar=one.state.variant.hits)) in positions
        one.leave(after)
        now = shown(one.state)
        assert now["position"] == dict(after.to_json(with_bar=one.state.variant.hits))
        assert now["roll"] is None


def test_a_wrong_play_shows_what_was_wrong_and_who_answers() -> None:
    one = table()
    one.throw(W, 6, 5)
    before = one.position
    one.press(W)
    one.leave(moved(before, W, (24, 14)))
    now = shown(one.state)
    assert (now["phase"], now["lamp"]) == ("disputed", "red")
    dispute, question = now["dispute"], now["question"]
    assert isinstance(dispute, dict)
    assert isinstance(question, dict)
    assert set(dispute["explain"]) == {"ru", "en"}
    assert dispute["nearest"]
    assert question["of"] == ["black", "referee", "both"]
    may = now["may"]
    assert isinstance(may, dict)
    assert {"accept", "demand"} <= set(may["black"])
    assert "accept" not in may["white"]


def test_every_question_says_what_it_is_about() -> None:
    one = table()
    one.do(ResignOffered(one.tick(), W, Win.OIN))
    question = shown(one.state)["question"]
    assert isinstance(question, dict)
    assert (question["asked"], question["extra"]) == (
        "resignation",
        {"side": "w", "win": "oin"},
    )
    two = table()
    two.do(SightLost(two.tick(), "board_changed"))
    lost = shown(two.state)
    assert (lost["phase"], lost["lamp"], lost["turn"]) == ("lost", "red", "w")
    question = lost["question"]
    assert isinstance(question, dict)
    assert question["candidates"] == [lost["position"]]


def test_the_clock_is_the_reading_at_the_moment_shown() -> None:
    one = table()
    one.do(PauseAsked(one.tick(), Actor.REFEREE))
    clock = shown(one.state)["clock"]
    assert isinstance(clock, dict)
    assert clock["phase"] in ("paused", "ready")
    assert clock["w"]["left_ms"] == 600_000


def test_rolls_are_written_high_first() -> None:
    one = table()
    one.throw(W, 2, 5)
    assert shown(one.state)["roll"] == [5, 2]
    one.do(ThrowAnswered(one.tick(), Actor.REFEREE, Roll(1, 4)))
    assert shown(one.state)["roll"] == [4, 1]


def test_sight_and_layout_are_told() -> None:
    sight = Sight(SightState.LIVE, age_ms=40, dice=(die(6, 500),), trouble=("нет", "none"))
    told = (Told(4, 8000, "ruling", "да", "yes"),)
    made = shown(table().state, sight=sight, layout=LAYOUT, white=Side.DARK, told=told)
    seen, layout = made["sight"], made["layout"]
    assert isinstance(seen, dict)
    assert isinstance(layout, dict)
    assert seen["dice"][0]["value"] == 6
    assert seen["trouble"] == {"ru": "нет", "en": "none"}
    assert sorted([*layout["top"], *layout["bottom"]]) == list(range(1, 25))
    assert layout["white"] == "D"
    assert made["told"] == [
        {"seq": 4, "at_ms": 8000, "code": "ruling", "ru": "да", "en": "yes", "refused": False}
    ]


def test_a_void_throw_leaves_the_lamp_red_until_something_else_is_said() -> None:
    void = Told(4, 8000, "throw_void", "нет", "no")
    assert shown(table().state, told=(void,))["lamp"] == "red"
    assert shown(table().state, told=(void, Told(5, 9000, "paused", "", "")))["lamp"] == "green"
