import random
from pathlib import Path

import pytest

from rules import VARIANTS, Color, Position, Verdict, judge_play, variant_named
from rules.dice import Roll
from tests.support.film_game import play_game
from tests.zarbiter.conftest import Run


@pytest.mark.parametrize("name", VARIANTS)
def test_the_game_is_what_it_says_of_itself(name: str) -> None:
    variant = variant_named(name)
    played = list(play_game(variant, random.Random(3), 12))
    before = None
    for number, one in enumerate(played):
        if before is not None:
            assert one.turn.before == before
        before = one.turn.after
        color = Color(one.turn.side)
        assert color is (Color.WHITE, Color.BLACK)[number % 2]
        judged = judge_play(
            Position.from_json(one.turn.before), color, Roll(*one.turn.dice),
            Position.from_json(one.turn.after), variant,
        )  # fmt: skip
        assert (judged.verdict, judged.law) == (one.verdict, one.law)
        assert one.turn.facts["verdict"] == one.verdict.value


def test_a_game_has_a_void_throw_and_a_foul() -> None:
    played = list(play_game(variant_named("bolshie-nardy"), random.Random(1), 4))
    assert [len(one.turn.voids) for one in played] == [0, 1, 0, 0]
    assert [one.verdict is Verdict.LEGAL for one in played] == [True, True, True, False]


def test_the_same_seed_is_the_same_game() -> None:
    variant = variant_named("classic")
    games = [list(play_game(variant, random.Random(seed), 5)) for seed in (5, 5, 6)]
    assert games[0] == games[1] != games[2]


def test_a_game_ends_when_it_is_over() -> None:
    variant = variant_named("bolshie-nardy")
    assert len(list(play_game(variant, random.Random(2), 2000))) < 2000


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("--turns", "0"), "1 to 2000 turns"),
        (("--turns", "2001"), "1 to 2000 turns"),
        (("--length", "0"), "at least one point"),
        (("--looks", "marble"), "walnut"),
        (("--incidents", "meteor"), "no incidents 'meteor'"),
        (("--clock", "soon"), "soon"),
        (("--role", "king"), "invalid choice"),
        (("--match", "--turns", "3"), "not allowed with"),
        (("--turns", "many"), "invalid int"),
        (("--seed", "-1"), "from 0 up"),
        (("--rules", "chess"), "no rule set"),
        (("--keep", "."), "is in use"),
        (("--keep", "a.txt"), "is in use"),
        (("--language", "de"), "invalid choice"),
    ],
)
def test_a_demo_that_cannot_be_is_wrong_use(
    run: Run,
    arguments: tuple[str, ...],
    word: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.txt").write_text("mine")
    said = run("demo", *arguments)
    assert (said.status, said.out) == (2, "")
    assert word in said.err
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]


def test_a_film_that_cannot_be_kept_is_a_failed_job(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    said = run("demo", "--turns", "1", "--keep", tmp_path / "file" / "film")
    assert said.status == 1
    assert "Not a directory" in said.err
