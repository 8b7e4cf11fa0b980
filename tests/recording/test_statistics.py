import math
import statistics
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recording.mat import parse_mat, read_mat
from recording.statistics import (
    DOUBLES,
    MEAN_PIPS,
    MatchStatistics,
    SideStatistics,
    TurnFact,
    facts_of_match,
    match_statistics,
    merge,
    pip_count,
    season,
)
from recording.statistics_dice import (
    ENOUGH_DICE,
    Faces,
    chi_square_tail,
    dice_sentence,
    dice_test,
)
from rules import VARIANTS, Color, variant_named
from rules.start import start_position
from tests.support.boards import board

W, B = Color.WHITE, Color.BLACK
MATCHES = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "matches" / "mat"

FACTS = (
    TurnFact(W, (6, 5), time_ms=20_000, pips=(156, 167), pips_played=11, can_double=False),
    TurnFact(B, (3, 3), void_throws=2, time_ms=5_000, pips=(156, 155), pips_played=12),
    TurnFact(W, (2, 2), legal=False, time_ms=61_000, pips=(150, 155), pips_played=6),
    TurnFact(B, None, void_throws=1, legal=None),
    TurnFact(W, (1, 2), time_ms=10_000, pips=(147, 155), pips_played=3),
)

# Upper critical values of χ² as printed in statistical tables (three decimals).
TABLE = {
    1: {0.10: 2.706, 0.05: 3.841, 0.01: 6.635, 0.001: 10.828},
    2: {0.10: 4.605, 0.05: 5.991, 0.01: 9.210, 0.001: 13.816},
    5: {0.95: 1.145, 0.50: 4.351, 0.10: 9.236, 0.05: 11.070, 0.01: 15.086, 0.001: 20.515},
    10: {0.95: 3.940, 0.10: 15.987, 0.05: 18.307, 0.01: 23.209, 0.001: 29.588},
}


# --- the test itself --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("degrees", "chance", "value"),
    [(degrees, p, value) for degrees, row in TABLE.items() for p, value in row.items()],
)
def test_the_tail_agrees_with_printed_tables(degrees: int, chance: float, value: float) -> None:
    # The tables round the value to half a thousandth.
    assert chi_square_tail(value + 0.0006, degrees) < chance
    assert chi_square_tail(value - 0.0006, degrees) > chance


@pytest.mark.parametrize("degrees", range(1, 12))
@pytest.mark.parametrize("value", [0.01, 0.7, 3.0, 11.07, 40.0])
def test_the_tail_agrees_with_the_integral_of_the_density(degrees: int, value: float) -> None:
    def density(x: float) -> float:
        half = degrees / 2
        return math.exp(
            (half - 1) * math.log(x) - x / 2 - half * math.log(2) - math.lgamma(half)
        )

    # Simpson over t = log x, from the value far into the tail.
    low, high, steps = math.log(value), math.log(400.0), 2_000
    width = (high - low) / steps
    points = [
        density(math.exp(low + i * width)) * math.exp(low + i * width) for i in range(steps + 1)
    ]
    total = points[0] + points[-1] + 4 * sum(points[1:-1:2]) + 2 * sum(points[2:-1:2])
    assert chi_square_tail(value, degrees) == pytest.approx(total * width / 3, rel=1e-6)


def test_the_ends_of_the_tail() -> None:
    assert chi_square_tail(0, 5) == 1
    assert 0 < chi_square_tail(700, 5) < 1e-140
    for value, degrees in ((-1.0, 5), (1.0, 0)):
        with pytest.raises(ValueError, match="χ²"):
            chi_square_tail(value, degrees)


@given(st.integers(1, 12), st.floats(0, 80), st.floats(0, 80))
def test_the_tail_never_rises(degrees: int, one: float, other: float) -> None:
    low, high = sorted((one, other))
    assert chi_square_tail(high, degrees) <= chi_square_tail(low, degrees) + 1e-15


def test_chi_square_of_a_known_table() -> None:
    test = dice_test((5, 8, 9, 8, 10, 20))
    assert test.chi_square == pytest.approx(13.4)
    assert test.p_value == pytest.approx(0.0199, abs=5e-5)


def test_fair_dice_are_called_notable_as_seldom_as_promised() -> None:
    random = Random(5)
    called = 0
    for _ in range(2_000):
        thrown = random.choices(range(6), k=240)
        called += dice_test(faces_of(thrown)).p_value < 0.05
    # 5 % of 2,000 is 100; four standard deviations are 39.
    assert 61 <= called <= 139


def test_the_bias_said_to_be_found_is_found_four_times_in_five() -> None:
    random = Random(7)
    share = dice_test((70, 70, 70, 70, 70, 70)).would_find
    assert share is not None
    found = 0
    for _ in range(1_000):
        weights = [share] + [(1 - share) / 5] * 5
        thrown = random.choices(range(6), weights, k=420)
        found += dice_test(faces_of(thrown)).p_value < 0.05
    assert 740 <= found <= 860


def faces_of(thrown: list[int]) -> Faces:
    one, two, three, four, five, six = (thrown.count(face) for face in range(6))
    return one, two, three, four, five, six


# --- what is said about it --------------------------------------------------------------------


def test_few_throws_say_nothing_however_uneven() -> None:
    words = dice_sentence(dice_test((ENOUGH_DICE - 1, 0, 0, 0, 0, 0)))
    assert words.ru == "Костей брошено 59: слишком мало, чтобы о них судить."
    assert words.en == "59 dice thrown: too few to say anything about them."
    assert "0 dice" in dice_sentence(dice_test((0, 0, 0, 0, 0, 0))).en


def test_even_dice_are_not_called_fair() -> None:
    words = dice_sentence(dice_test((62, 70, 55, 71, 66, 68)))
    assert words.ru == (
        "Ничего необычного: у честных костей выходит не ровнее примерно в 74 случаях из 100. "
        "Честности это не доказывает: грань, выпадающая реже чем в 24 % случаев вместо 16,7 %, "
        "могла остаться незамеченной."
    )
    assert words.en == (
        "Nothing unusual: fair dice come out at least this uneven about 74 times in 100. "
        "That does not prove them fair: a face coming up less than 24 % of the time instead of "
        "16.7 % could have gone unnoticed."
    )


def test_the_more_one_looks_at_the_less_an_uneven_one_means() -> None:
    faces = (20, 11, 7, 9, 8, 8)
    alone, among = dice_sentence(dice_test(faces)), dice_sentence(dice_test(faces, 3))
    assert alone.en.startswith("Notably uneven: fair dice do this about once in ")
    assert "proves nothing" in alone.en
    assert "among 3 such counts" in among.en
    assert "подсчётов: 3" in among.ru


def test_gross_unevenness_asks_for_a_look_and_accuses_nobody() -> None:
    words = dice_sentence(dice_test((90, 30, 30, 30, 30, 30), 3))
    assert "less than once in 10,000" in words.en
    assert "camera" in words.en
    assert "камера" in words.ru


@given(st.tuples(*[st.integers(0, 300)] * 6), st.integers(1, 40))
def test_no_sentence_claims_more_than_counts_can(
    counts: tuple[int, int, int, int, int, int], looked_at: int
) -> None:
    test = dice_test(counts, looked_at)
    words = dice_sentence(test)
    for word in ("loaded", "cheat", "are fair", "манипул", "нечестн", "жульн"):
        assert word not in words.en + words.ru
    if "ven: " in words.en:
        assert test.enough
        assert test.p_value < 0.05
    assert words.en.endswith(".")
    assert words.ru.endswith(".")


# --- the folds --------------------------------------------------------------------------------


def test_a_match_is_counted_by_side() -> None:
    figures = match_statistics(FACTS)
    white = figures.white
    assert white.turns == 3
    assert white.faces == (1, 3, 0, 0, 1, 1)
    assert white.throws == 3
    assert (white.doubles, white.doubles_possible) == (1, 2)  # an opening cannot be one
    assert (white.pips_thrown, white.pips_played) == (22, 20)
    assert (white.mean_ms, white.median_ms, white.longest_ms) == (30_333, 20_000, 61_000)
    assert (white.void_throws, white.wrong_plays) == (0, 1)
    black = figures.black
    assert (black.turns, black.throws, black.void_throws, black.wrong_plays) == (2, 1, 3, 0)
    assert black.times_ms == (5_000,)
    assert figures.of(B) is black
    assert figures.both.faces == (1, 3, 2, 0, 1, 1)
    assert figures.pip_counts == ((156, 167), (156, 155), (150, 155), None, (147, 155))


def test_nothing_played_gives_no_figures_rather_than_zeros() -> None:
    empty = match_statistics(()).both
    assert empty == SideStatistics()
    assert empty.doubles_share is None
    assert empty.mean_pips is None
    assert empty.mean_ms is None
    assert empty.median_ms is None
    assert empty.longest_ms is None


SIDES = st.lists(
    st.builds(
        TurnFact,
        side=st.sampled_from(list(Color)),
        dice=st.one_of(st.none(), st.tuples(st.integers(1, 6), st.integers(1, 6))),
        legal=st.sampled_from([True, False, None]),
        void_throws=st.integers(0, 3),
        time_ms=st.one_of(st.none(), st.integers(0, 10**6)),
        pips_played=st.one_of(st.none(), st.integers(0, 24)),
        can_double=st.booleans(),
    ),
    max_size=30,
)


@given(SIDES, SIDES)
def test_a_season_is_the_sum_of_its_matches(one: list[TurnFact], other: list[TurnFact]) -> None:
    together, apart = (
        match_statistics(one + other),
        [match_statistics(one), match_statistics(other)],
    )
    for color in Color:
        assert merge(apart[0].of(color), apart[1].of(color)) == together.of(color)
    assert together.both.turns == len(one) + len(other)
    assert together.both.doubles <= together.both.doubles_possible <= together.both.throws
    times = [fact.time_ms for fact in one + other if fact.time_ms is not None]
    if times:
        assert together.both.longest_ms == max(times)
        assert together.both.median_ms == round(statistics.median(times))


def test_a_season_follows_the_player_through_the_colours() -> None:
    figures = match_statistics(FACTS)
    players = season([(("Анна", "Борис"), figures), (("Борис", "Анна"), figures)])
    assert players == {
        "Анна": merge(figures.white, figures.black),
        "Борис": merge(figures.black, figures.white),
    }


# --- transcripts ------------------------------------------------------------------------------

TWO_GAMES = """\
 7 point match

 Game 1
 Anna : 0                        Boris : 0
  1)                             41: 13/9 24/23
  2) 31: 6/5 8/5                 42: 8/4 6/4
  3)  Doubles => 2                Takes
  4) 64: 24/14                   11: 8/7(2) 6/5(2)
  5) 66: ????
      Wins 2 points

 Game 2
 Anna : 2                        Boris : 0
  1) 31: 8/5 6/5                 11: 24/23 24/23 8/7 8/7
"""


def test_a_transcript_gives_its_turns() -> None:
    facts = list(facts_of_match(parse_mat(TWO_GAMES)))
    assert [(fact.side, fact.dice) for fact in facts] == [
        (B, (4, 1)), (W, (3, 1)), (B, (4, 2)), (W, (6, 4)), (B, (1, 1)), (W, (6, 6)),
        (W, (3, 1)), (B, (1, 1)),
    ]  # fmt: skip
    # One die each begins a game of short nardy: those throws can be no doubles.
    assert [index for index, fact in enumerate(facts) if not fact.can_double] == [0, 6]
    assert facts[0].pips == (167, 162)
    assert facts[0].pips_played == 5
    assert facts[5].legal is None  # rolled and resigned
    assert {fact.time_ms for fact in facts} == {None}


@pytest.mark.parametrize("name", sorted(VARIANTS))
def test_every_game_begins_with_the_known_pip_count(name: str) -> None:
    variant = variant_named(name)
    position = start_position(variant)
    expected = 167 if variant.hits else 360
    assert {pip_count(position, color, variant) for color in Color} == {expected}


def test_a_checker_on_the_bar_has_twenty_five_pips_to_go() -> None:
    short = variant_named("short")
    assert pip_count(board("bar:w1 1:w14 24:b15"), W, short) == 39
    assert pip_count(board("off:w15 24:b15"), B, short) == 15
    assert pip_count(board("off:w15 24:b15"), B, variant_named("classic")) == 180


@pytest.mark.shared
@pytest.mark.skipif(not MATCHES.is_dir(), reason="needs ../shared/data/matches")
def test_real_matches_throw_fair_dice_and_play_what_they_throw() -> None:
    figures: list[MatchStatistics] = [
        match_statistics(facts_of_match(read_mat(path)))
        for path in sorted(MATCHES.glob("*.mat"))[::3]
    ]
    total = SideStatistics()
    for one in figures:
        total = merge(total, one.both)
    assert total.dice > 4_000
    assert total.doubles_share == pytest.approx(DOUBLES, abs=0.02)
    assert total.mean_pips == pytest.approx(MEAN_PIPS, abs=0.15)
    assert dice_test(total.faces).p_value > 0.001
    assert 0.8 < total.pips_played / total.pips_thrown <= 1
    assert total.wrong_plays == 0
