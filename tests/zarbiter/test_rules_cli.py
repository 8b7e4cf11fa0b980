import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.zarbiter.conftest import AFTER, START, Run
from zarbiter.rules_cli import answer_judge, answer_legal, answer_lines

QUESTION: dict[str, Any] = {"id": 1, "position": START, "turn": "w", "dice": [6, 5]}


def asked(**changes: object) -> str:
    return json.dumps({**QUESTION, **changes})


def without(field: str) -> str:
    return json.dumps({key: value for key, value in QUESTION.items() if key != field})


def test_legal_lists_the_turns(run: Run) -> None:
    said = run("legal", stdin=asked() + "\n")
    assert said.status == 0
    assert said.lines == [
        {"id": 1, "turns": [{"moves": [[24, 18], [18, 13]], "result": AFTER}]}
    ]


def test_judge_says_what_becomes_of_a_play(run: Run) -> None:
    said = run("judge", stdin=asked(played=AFTER) + "\n" + asked(played=START) + "\n")
    assert said.status == 0
    assert [line["verdict"] for line in said.lines] == ["legal", "incomplete"]
    assert said.lines[0]["law"] is None
    assert said.lines[1]["law"] == "die_not_played"
    assert set(said.lines[1]["explain"]) == {"ru", "en"}
    assert said.lines[1]["nearest"][0]["result"] == AFTER


def test_the_set_of_the_command_line_holds_where_the_question_names_none(run: Run) -> None:
    question = asked(dice=[6, 6], position={"points": {"24": "w15", "1": "b15"}})
    plain = run("legal", stdin=question)
    changed = run("legal", "--rules", "classic+head=2", stdin=question)
    named = run("legal", "--rules", "short", stdin=asked(rules="bolshie-nardy"))
    assert (plain.status, changed.status, named.status) in {(0, 0, 0), (0, 2, 0)}
    assert "bar" not in named.lines[0]["turns"][0]["result"]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("{", "bad_json"),
        ("nonsense", "bad_json"),
        ('{"id": NaN}', "bad_json"),
        ("[" * 100_000, "bad_json"),
        ('{"id": ' + "9" * 5000 + "}", "bad_json"),
        ("[]", "bad_question"),
        ("5", "bad_question"),
        ("null", "bad_question"),
        (without("position"), "missing_field"),
        (without("turn"), "missing_field"),
        (without("dice"), "missing_field"),
        (asked(turn="x"), "bad_turn"),
        (asked(turn=[]), "bad_turn"),
        (asked(dice=[7, 1]), "bad_dice"),
        (asked(dice=[6]), "bad_dice"),
        (asked(dice="65"), "bad_dice"),
        (asked(dice=[True, 1]), "bad_dice"),
        (asked(dice=[6.0, 5]), "bad_dice"),
        (asked(dice=[10**300, 5]), "bad_dice"),
        (asked(rules="nardy"), "unknown_rules"),
        (asked(rules=""), "unknown_rules"),
        (asked(rules=5), "unknown_rules"),
        (asked(rules="\ud800"), "unknown_rules"),
        (asked(rules="classic+block=sometimes"), "unknown_rules"),
        (asked(rules="classic+"), "unknown_rules"),
        (asked(position=None), "bad_position"),
        (asked(position={"points": {"24": "w16", "12": "b15"}}), "bad_position"),
        (asked(position={"points": {"25": "w15", "12": "b15"}}), "bad_position"),
        (asked(position={"points": {"٢٤": "w15", "12": "b15"}}), "bad_position"),
        (asked(position={"points": {"24": "w15", "12": "b15"}, "cube": 2}), "bad_position"),
        (
            asked(
                position={"points": {"24": "w14", "12": "b15"}, "bar": {"w": 1}}, played=AFTER
            ),
            "bad_position",
        ),
    ],
)
def test_a_line_that_cannot_be_answered_says_why_and_the_rest_goes_on(
    run: Run, line: str, code: str
) -> None:
    for command, good in (("legal", asked()), ("judge", asked(played=AFTER))):
        said = run(command, stdin=f"{good}\n{line}\n\n{good}\n")
        assert said.status == 1
        assert said.codes == [None, code, None]
        assert said.lines[1]["error"]["message"]
        assert said.err == ""


def test_a_play_is_judged_only_with_the_position_left(run: Run) -> None:
    said = run("judge", stdin=asked() + "\n" + asked(played={"points": {}}))
    assert said.codes == ["missing_field", "bad_position"]


@pytest.mark.parametrize("id_", [None, "доска", "\ud800", "😀", [1, {"a": None}], 1.5, 10**300])
def test_an_id_comes_back_as_it_went(run: Run, id_: object) -> None:
    said = run("legal", stdin=asked(id=id_) + "\n" + asked(id=id_, dice=[0, 0]))
    assert [line["id"] for line in said.lines] == [id_, id_]


@pytest.mark.parametrize("id_", ["1e999", "[" * 900 + "]" * 900])
def test_an_id_that_json_cannot_write_crashes_nothing(run: Run, id_: str) -> None:
    line = asked(id="here").replace('"here"', id_)
    said = run("legal", stdin=f"{line}\n{asked()}\n")
    assert len(said.lines) == 2
    assert said.lines[1]["turns"]


def test_a_message_does_not_repeat_a_whole_flood(run: Run) -> None:
    said = run("legal", stdin=asked(dice=[1] * 100_000))
    assert len(said.out) < 1000


def test_bytes_that_are_no_text_are_answered_like_other_nonsense(run: Run) -> None:
    said = run("legal", stdin=b"\xff\xfe\x00\x01\n" + asked().encode() + b"\n")
    assert said.status == 1
    assert said.codes == ["bad_json", None]


def test_a_byte_order_mark_is_passed_over(run: Run) -> None:
    assert run("legal", stdin=b"\xef\xbb\xbf" + asked().encode()).status == 0


def test_nothing_asked_is_nothing_answered(run: Run) -> None:
    said = run("legal", stdin="\n  \n")
    assert (said.status, said.out) == (0, "")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(
    st.dictionaries(
        st.sampled_from(["id", "rules", "position", "turn", "dice", "played"]), json_values
    )
)
def test_every_object_gets_one_answer(changes: dict[str, object]) -> None:
    line = json.dumps({**QUESTION, "played": AFTER, **changes})
    for answer in (answer_legal, answer_judge):
        ((text, good),) = answer_lines([line], answer, "bolshie-nardy")
        assert ("error" in json.loads(text)) is not good
