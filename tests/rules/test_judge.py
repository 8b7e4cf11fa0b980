import random
from dataclasses import dataclass
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules import (
    VARIANTS,
    Color,
    Judgement,
    Law,
    Position,
    Roll,
    Turn,
    Verdict,
    judge_play,
    legal_turns,
)
from tests.rules.playouts import first_turns, games, shuffled_boards
from tests.support.boards import (
    LONG_START,
    SHORT_START,
    B,
    W,
    board,
    moved,
    roll,
    rules,
    steps,
    texts,
)


@dataclass(frozen=True)
class Play:
    rules: str
    before: str
    turn: str
    dice: str
    steps: tuple[tuple[int, int], ...]
    ru: tuple[str, ...]
    """Words the Russian sentence must have."""
    en: tuple[str, ...]
    after: str = ""
    """The position left, where hands did more than move the mover's checkers."""
    verdict: Verdict = Verdict.ILLEGAL


def judged(play: Play) -> Judgement:
    before, color = board(play.before), Color(play.turn)
    after = board(play.after) if play.after else moved(before, color, *play.steps)
    return judge_play(before, color, roll(play.dice), after, rules(play.rules))


START = "24:w15 12:b15"
SHORT = str(SHORT_START)

BREACHES: dict[str, tuple[Law, Play]] = {
    "white takes two from the head": (
        Law.HEAD,
        Play(
            "bolshie-nardy", START, "w", "6-5", ((24, 18), (24, 19)),
            ("головы (24)", "при 6-5", "одну"), ("head (24)", "only one", "not 2"),
        ),
    ),
    "black takes three from the head": (
        Law.HEAD,
        Play(
            "bolshie-nardy", "24:w14 23:w1 12:b15", "b", "1-1",
            ((12, 11), (12, 11), (12, 11), (11, 10)),
            ("головы (12)", "одну"), ("head (12)", "only one", "not 3"),
        ),
    ),
    "three from the head where two may leave": (
        Law.HEAD,
        Play(
            "kush", START, "w", "1-1", ((24, 23), (24, 23), (24, 23), (23, 22)),
            ("головы (24)", "две"), ("head (24)", "only two", "not 3"),
        ),
    ),
    "over the enemy head": (
        Law.CLOSED_POINT,
        Play(
            "bolshie-nardy", START, "w", "4-4", ((24, 8),),
            ("Пункт 12", "16→12", "костью 4"), ("Point 12", "16→12", "the 4"),
        ),
    ),
    "in from the bar over a made point": (
        Law.CLOSED_POINT,
        Play(
            "short", "bar:w1 24:w1 13:w5 8:w3 6:w5 19:b5 17:b3 12:b5 1:b2", "w", "6-6",
            ((25, 13),), ("Пункт 19", "бар→19"), ("Point 19", "bar→19"),
        ),
    ),
    "six in a row with nobody ahead": (
        Law.BLOCK,
        Play(
            "moscow-open", "24:w4 10:w1 9:w2 8:w2 7:w2 6:w2 5:w2 12:b15", "w", "6-1",
            ((10, 4), (24, 23)), ("9, 8, 7, 6, 5, 4", "впереди"), ("9, 8, 7, 6, 5, 4", "ahead"),
        ),
    ),
    "borne off with one outside": (
        Law.NOT_ALL_HOME,
        Play(
            "bolshie-nardy", "20:w1 6:w14 12:b15", "w", "6-1", ((6, 0), (20, 19)),
            ("с пункта 6", "на 20"), ("from 6", "on 20"),
        ),
    ),
    "borne off with one outside by a wrong number": (
        Law.NOT_ALL_HOME,
        Play(
            "bolshie-nardy", "20:w1 6:w14 12:b15", "w", "4-1", ((6, 0),),
            ("с пункта 6", "на 20"), ("from 6", "on 20"),
        ),
    ),
    "borne off from below": (
        Law.LOWER_POINT,
        Play(
            "bolshie-nardy", "6:w5 3:w10 12:b15", "w", "5-4", ((3, 0), (6, 2)),
            ("Числом 5", "с пункта 3", "на 6"), ("The 5", "point 3", "back, 6"),
        ),
    ),
    "black of short nardy borne off from below": (
        Law.LOWER_POINT,
        Play(
            "short", "6:w15 19:b5 22:b10", "b", "5-4", ((22, 0), (19, 23)),
            ("Числом 5", "с пункта 22", "дальше от выброса, на 19"),
            ("point 22", "farther back, 19"),
        ),
    ),
    "nothing played": (
        Law.DIE_NOT_PLAYED,
        Play(
            "bolshie-nardy", START, "w", "6-5", (),
            ("не сделан", "6-5", "ходов: 2"), ("Nothing", "6-5", "(2 moves)"),
            verdict=Verdict.INCOMPLETE,
        ),
    ),
    "nothing played where one move is due": (
        Law.DIE_NOT_PLAYED,
        Play(
            "bolshie-nardy", START, "w", "6-6", (),
            ("ходов: 1",), ("(1 move)",), verdict=Verdict.INCOMPLETE,
        ),
    ),
    "one of two played": (
        Law.DIE_NOT_PLAYED,
        Play(
            "bolshie-nardy", START, "w", "6-5", ((24, 18),),
            ("24→18", "1 из 2", "число 5"), ("24→18", "1 of 2", "the 5"),
            verdict=Verdict.INCOMPLETE,
        ),
    ),
    "three of four played": (
        Law.DIE_NOT_PLAYED,
        Play(
            "bolshie-nardy", START, "w", "5-5", ((24, 9),),
            ("3 из 4", "число 5"), ("3 of 4", "the 5"), verdict=Verdict.INCOMPLETE,
        ),
    ),
    "a die lost by playing the other one badly": (
        Law.DIE_NOT_PLAYED,
        Play(
            "moscow-open", "24:w12 22:w1 19:w1 16:b2 12:b13 6:w1", "b", "6-1", ((16, 15),),
            ("Потеряно число 6", "16→15", "оба числа"), ("The 6 was lost", "both numbers"),
        ),
    ),
    "the smaller where only one plays": (
        Law.LARGER_NUMBER,
        Play(
            "bolshie-nardy", "24:w13 22:w1 12:b15 7:w1", "b", "3-2", ((12, 10),),
            ("большее, 3", "сыграно 2", "12→10"), ("the larger, 3", "the 2 was"),
        ),
    ),
    "the smaller first": (
        Law.LARGER_FIRST,
        Play(
            "beginner", "24:w11 21:w1 20:w1 18:b1 17:b1 16:w1 12:b12 11:w1 8:b1", "w", "4-2",
            ((21, 15),), ("большее число, 4", "21→19, 19→15"), ("number, 4", "21→19, 19→15"),
        ),
    ),
    "another checker while one is on the bar": (
        Law.BAR_FIRST,
        Play(
            "short", "bar:w1 24:w1 13:w5 8:w3 6:w5 19:b5 17:b3 12:b5 1:b2", "w", "4-2",
            ((8, 4), (6, 4)), ("На баре", "8→4"), ("on the bar", "8→4"),
        ),
    ),
    "the enemy's checker pushed on": (
        Law.MOVED_ENEMY_CHECKER,
        Play(
            "bolshie-nardy", START, "w", "6-5", (),
            ("шашки соперника", "на пункте 12 было 15, стало 14"), ("point 12", "15, now 14"),
            after="24:w14 13:w1 12:b14 11:b1",
        ),
    ),
    "the enemy's checker taken without being hit": (
        Law.MOVED_ENEMY_CHECKER,
        Play(
            "short", SHORT, "w", "3-1", (),
            ("шашки соперника", "на пункте 1 было 2, стало 1"), ("point 1", "2, now 1"),
            after="24:w2 13:w5 8:w2 6:w4 5:w2 1:b1 12:b5 17:b3 19:b5 bar:b1",
        ),
    ),
    "backwards": (
        Law.MOVED_BACKWARDS,
        Play(
            "bolshie-nardy", "24:w14 18:w1 12:b15", "w", "2-1", ((18, 20),),
            ("назад: 18→20",), ("backwards: 18→20",),
        ),
    ),
    "black backwards across the seam of numbers": (
        Law.MOVED_BACKWARDS,
        Play(
            "bolshie-nardy", "24:w15 12:b14 23:b1", "b", "2-1", ((23, 1),),
            ("назад: 23→1",), ("backwards: 23→1",),
        ),
    ),
    "back onto a blot": (
        Law.MOVED_BACKWARDS,
        Play(
            "short", "20:w1 13:w14 21:b1 12:b14", "w", "2-1", ((20, 21),),
            ("назад: 20→21",), ("backwards: 20→21",),
        ),
    ),
    "back from the off": (
        Law.MOVED_BACKWARDS,
        Play(
            "bolshie-nardy", "3:w14 off:w1 18:b15", "w", "2-1", ((0, 5),),
            ("выброс→5",), ("off→5",),
        ),
    ),
    "a die played twice": (
        Law.TOO_MANY_MOVES,
        Play(
            "bolshie-nardy", "24:w10 20:w5 12:b15", "w", "6-5", ((20, 14), (20, 14)),
            ("больше, чем дают кости 6-5",), ("More was played than 6-5",),
        ),
    ),
    "five parts of a double": (
        Law.TOO_MANY_MOVES,
        Play(
            "bolshie-nardy", "24:w10 20:w5 12:b15", "w", "1-1", ((20, 19),) * 5,
            ("больше", "1-1"), ("More", "1-1"),
        ),
    ),
    "a die shared by two checkers": (
        Law.DIE_SPLIT,
        Play(
            "bolshie-nardy", "24:w10 20:w5 12:b15", "w", "6-5", ((20, 13), (20, 16)),
            ("разделено", "6-5"), ("split", "6-5"),
        ),
    ),
    "a die shared beside one played in full": (
        Law.DIE_SPLIT,
        Play(
            "bolshie-nardy", "24:w10 20:w5 12:b15", "w", "6-5", ((20, 14), (20, 17), (20, 18)),
            ("разделено", "6-5"), ("split", "6-5"),
        ),
    ),
    "a two shared as two ones": (
        Law.DIE_SPLIT,
        Play(
            "bolshie-nardy", "24:w10 20:w5 12:b15", "w", "2-1", ((20, 19),) * 3,
            ("разделено", "2-1"), ("split", "2-1"),
        ),
    ),
    "not by the dice": (
        Law.WRONG_DISTANCE,
        Play(
            "bolshie-nardy", START, "w", "6-5", ((24, 22),),
            ("не на числа костей 6-5", "24→22"), ("by the dice 6-5", "24→22"),
        ),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BREACHES)
def test_the_law_broken_is_named_with_points_and_numbers(name: str) -> None:
    law, play = BREACHES[name]
    judgement = judged(play)
    assert (judgement.law, judgement.verdict) == (law, play.verdict)
    for part in play.ru:
        assert part in judgement.explain.ru
    for part in play.en:
        assert part in judgement.explain.en


def test_every_law_has_a_play_here_that_breaks_it() -> None:
    named = {law for law, _ in BREACHES.values()}
    assert named == set(Law)


def test_a_legal_play_is_told_with_its_moves() -> None:
    judgement = judge_play(
        LONG_START, W, roll("6-5"), board("24:w14 13:w1 12:b15"), rules("bolshie-nardy")
    )
    assert (judgement.verdict, judgement.law) == (Verdict.LEGAL, None)
    assert judgement.explain.ru.startswith("Ход верен: 6-5, 24→1")
    assert judgement.played is not None
    assert judgement.nearest == (judgement.played,)


def test_passing_is_legal_when_nothing_can_be_played() -> None:
    stuck = board("bar:w1 6:w14 24:b2 23:b2 22:b2 21:b2 20:b2 19:b5")
    judgement = judge_play(stuck, W, roll("6-5"), stuck, rules("short"))
    assert judgement.verdict is Verdict.LEGAL
    assert "ходов нет" in judgement.explain.ru


def test_a_play_that_can_be_gone_on_with_is_incomplete_and_one_that_cannot_is_illegal() -> None:
    before = board("24:w12 22:w1 19:w1 16:b2 12:b13 6:w1")
    variant = rules("moscow-open")
    right = moved(before, B, (12, 11))
    wrong = moved(before, B, (16, 15))
    assert judge_play(before, B, roll("6-1"), right, variant).verdict is Verdict.INCOMPLETE
    assert judge_play(before, B, roll("6-1"), wrong, variant).verdict is Verdict.ILLEGAL


def test_the_subtler_of_two_ways_is_taken_as_what_was_played() -> None:
    # 7-6 and then 3 off breaks one law; 3 off first would break another, cruder one.
    before = board("7:w1 6:w4 3:w10 12:b15")
    judgement = judge_play(
        before, W, roll("5-1"), moved(before, W, (7, 6), (3, 0)), rules("bolshie-nardy")
    )
    assert judgement.law is Law.LOWER_POINT


def test_a_hit_that_was_made_is_part_of_the_play() -> None:
    before = board("24:w2 13:w5 8:w3 6:w5 20:b1 19:b4 17:b3 12:b5 1:b2")
    hit = moved(before, W, (24, 20), (24, 21))
    assert hit.bar(B) == 1
    assert judge_play(before, W, roll("4-3"), hit, rules("short")).verdict is Verdict.LEGAL


def test_a_blot_passed_over_may_be_hit_on_the_way() -> None:
    before = board("24:w2 13:w5 8:w3 6:w5 20:b1 19:b4 17:b3 12:b5 1:b2")
    through = board("24:w1 18:w1 13:w5 8:w3 6:w5 bar:b1 19:b4 17:b3 12:b5 1:b2")
    around = board("24:w1 18:w1 13:w5 8:w3 6:w5 20:b1 19:b4 17:b3 12:b5 1:b2")
    for after in (through, around):
        judgement = judge_play(before, W, roll("4-2"), after, rules("short"))
        assert judgement.verdict is Verdict.LEGAL


@pytest.mark.parametrize("second", [(24, 19), (20, 16), (20, 17)])
def test_the_nearest_legal_plays_share_what_was_right(second: tuple[int, int]) -> None:
    before = board("24:w10 20:w2 17:w3 12:b15")
    wrong = moved(before, W, (24, 18), second)
    judgement = judge_play(before, W, roll("6-5"), wrong, rules("bolshie-nardy"))
    assert judgement.verdict is Verdict.ILLEGAL
    assert len(judgement.nearest) == 3
    assert {(24, 18), second} & set(steps(judgement.nearest[0].moves))


# --- whatever the position -----------------------------------------------------------------

SOME = settings(max_examples=30, deadline=None)
SETS = (*VARIANTS, "classic+block=in_home", "classic+bear_off_same_turn=no")


@st.composite
def questions(
    draw: st.DrawFn, names: tuple[str, ...] = SETS
) -> tuple[str, Position, Color, Roll]:
    name = draw(st.sampled_from(names))
    variant = rules(name)
    sources = (
        [games, shuffled_boards] if variant.hits else [games, shuffled_boards, first_turns]
    )
    source = draw(st.sampled_from(sources))
    rng = random.Random(draw(st.integers(0, 2**32)))
    plies = draw(st.integers(0, 70)) if source is games else 0
    position, color, _ = next(islice(source(variant, rng), plies, None))
    return name, position, color, Roll(draw(st.integers(1, 6)), draw(st.integers(1, 6)))


def some(turns: tuple[Turn, ...], rng: random.Random, most: int = 3) -> list[Turn]:
    return rng.sample(turns, min(most, len(turns)))


@SOME
@given(questions(), st.randoms(use_true_random=False))
def test_a_legal_result_is_always_judged_legal(
    question: tuple[str, Position, Color, Roll], rng: random.Random
) -> None:
    name, position, color, dice = question
    for turn in some(legal_turns(position, color, dice, rules(name)), rng):
        judgement = judge_play(position, color, dice, turn.result, rules(name))
        assert (judgement.verdict, judgement.law) == (Verdict.LEGAL, None)


def loosened(name: str) -> str:
    return "short" if name == "short" else "kush+head=no"


@SOME
@given(questions(), st.integers(1, 6), st.integers(1, 6), st.randoms(use_true_random=False))
def test_what_is_not_among_the_legal_results_is_never_judged_legal(
    question: tuple[str, Position, Color, Roll], first: int, second: int, rng: random.Random
) -> None:
    name, position, color, dice = question
    legal = legal_turns(position, color, dice, rules(name))
    other = legal_turns(position, color, Roll(first, second), rules(loosened(name)))
    for turn in some(other, rng):
        judgement = judge_play(position, color, dice, turn.result, rules(name))
        inside = str(turn.result) in texts(legal)
        assert (judgement.verdict is Verdict.LEGAL) is inside
        if not inside:
            assert judgement.law is not None
            assert set(judgement.nearest) <= set(legal)
            assert 1 <= len(judgement.nearest) <= 3
            assert judgement.explain.ru.endswith(".")
            assert judgement.explain.en.endswith(".")


@SOME
@given(questions(), st.randoms(use_true_random=False))
def test_the_beginning_of_a_legal_turn_is_incomplete(
    question: tuple[str, Position, Color, Roll], rng: random.Random
) -> None:
    name, position, color, dice = question
    turns = legal_turns(position, color, dice, rules(name))
    for turn in some(turns, rng):
        for played in range(len(turn.moves)):
            after = moved(position, color, *steps(turn.moves[:played]))
            judgement = judge_play(position, color, dice, after, rules(name))
            if str(after) in texts(turns):
                assert judgement.verdict is Verdict.LEGAL
            elif judgement.law is not Law.BLOCK:  # a block must not be left standing
                assert judgement.verdict is Verdict.INCOMPLETE
                assert judgement.law is Law.DIE_NOT_PLAYED


LONG = tuple(name for name in VARIANTS if name not in ("short", "kush"))


@SOME
@given(questions(LONG), st.randoms(use_true_random=False))
def test_what_only_the_head_law_forbids_is_called_a_breach_of_it(
    question: tuple[str, Position, Color, Roll], rng: random.Random
) -> None:
    name, position, color, dice = question
    lawful = texts(legal_turns(position, color, dice, rules(name)))
    without = legal_turns(position, color, dice, rules(f"{name}+head=no"))
    for turn in some(without, rng):
        if str(turn.result) not in lawful:
            judgement = judge_play(position, color, dice, turn.result, rules(name))
            assert judgement.law is Law.HEAD


@SOME
@given(questions(LONG), st.randoms(use_true_random=False))
def test_what_only_the_block_law_forbids_is_called_a_breach_of_it(
    question: tuple[str, Position, Color, Roll], rng: random.Random
) -> None:
    name, position, color, dice = question
    lawful = texts(legal_turns(position, color, dice, rules(name)))
    without = legal_turns(position, color, dice, rules(f"{name}+block=none"))
    for turn in some(without, rng):
        if str(turn.result) not in lawful:
            judgement = judge_play(position, color, dice, turn.result, rules(name))
            assert judgement.law is Law.BLOCK


def mirrored(position: Position) -> Position:
    """Long nardy with the colours changed: half a lap on."""
    stacks: dict[Color, dict[int, int]] = {W: {}, B: {}}
    for point, color, count in position.occupied():
        stacks[color.other][(point + 11) % 24 + 1] = count
    return Position.of(stacks[W], stacks[B], off=(position.off(B), position.off(W)))


@SOME
@given(questions(LONG), st.integers(1, 6), st.integers(1, 6), st.randoms(use_true_random=False))
def test_both_colours_are_judged_alike(
    question: tuple[str, Position, Color, Roll], first: int, second: int, rng: random.Random
) -> None:
    name, position, color, dice = question
    other = legal_turns(position, color, Roll(first, second), rules("kush+head=no"))
    for turn in some(other, rng, 3):
        one = judge_play(position, color, dice, turn.result, rules(name))
        two = judge_play(
            mirrored(position), color.other, dice, mirrored(turn.result), rules(name)
        )
        assert (one.verdict, one.law) == (two.verdict, two.law)
        assert {str(mirrored(t.result)) for t in one.nearest[:1]} <= texts(
            legal_turns(mirrored(position), color.other, dice, rules(name))
        )
