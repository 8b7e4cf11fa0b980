"""A small piece of the season of benchmarks/season.py: games under a camera that errs."""

import random
from collections import Counter

import pytest

from calibration.layout import BoardLayout, Corner
from referee.evidence import evidence_of, outcomes_of
from rules import Color, Position, Roll, Verdict, judge_play, legal_turns, variant_named
from rules.start import start_position
from tests.support.season import SeasonGame, Tally, play_game
from tests.support.season_noise import NoiseRates, NoisyCamera, TrueDie
from tests.support.season_plays import wrong_play
from tests.support.season_table import chart, figures, wilson
from vision.observation import Half, Side

MIDDLE = Position.of({24: 4, 18: 3, 14: 2, 10: 2, 4: 4}, {12: 5, 5: 4, 20: 3, 22: 3})
LAYOUT = BoardLayout(Corner.TOP_RIGHT)
DICE = (TrueDie(6, 500, 300), TrueDie(5, 600, 300), TrueDie(1, 120, 300, half=Half.LEFT))


def camera(rates: NoiseRates, lasting: float = 0.85) -> NoisyCamera:
    return NoisyCamera(rates, random.Random(1), LAYOUT, Side.LIGHT, lasting=lasting)


@pytest.fixture(scope="module")
def season() -> Tally:
    whole = Tally()
    for number, rules in enumerate(
        ("bolshie-nardy", "moscow-open", "classic", "short", "kush", "federation")
    ):
        whole.add(play_game(SeasonGame(rules, number, most_turns=30)))
    return whole


def test_no_ruling_of_the_small_season_is_wrong(season: Tally) -> None:
    assert season.turns > 150
    assert season.faults == []


def test_no_illegal_play_of_the_small_season_is_called_legal(season: Tally) -> None:
    assert sum(season.illegal.values()) >= 5
    assert season.condoned == Counter()


def test_few_turns_of_the_small_season_are_asked_about(season: Tally) -> None:
    assert sum(season.asks.values()) <= 0.06 * season.turns


def test_a_camera_without_slips_shows_the_truth() -> None:
    seen = camera(NoiseRates().times(0))
    evidence = evidence_of(seen.checkers(MIDDLE), LAYOUT, Side.LIGHT)
    assert (evidence.points.argmax(axis=1) == outcomes_of([MIDDLE])[0]).all()
    assert {one.value for one in seen.dice(DICE)} == {6, 5, 1}


def test_a_lasting_slip_comes_again_until_the_stack_changes() -> None:
    seen = camera(NoiseRates(point_off_by_one=0.5), lasting=1.0)
    first = seen.checkers(MIDDLE)
    labels = [one.label for one in (*first.top, *first.bottom)]
    for _ in range(5):
        again = seen.checkers(MIDDLE)
        assert [one.label for one in (*again.top, *again.bottom)] == labels


def test_slips_are_as_frequent_as_asked_for_whatever_part_of_them_lasts() -> None:
    rates = NoiseRates().times(0)
    rates = NoiseRates(**{**_as_dict(rates), "point_unsure": 0.1})
    for lasting in (0.0, 0.85):
        unsure = 0
        for _ in range(300):
            seen = NoisyCamera(rates, random.Random(_), LAYOUT, Side.LIGHT, lasting=lasting)
            reading = seen.checkers(MIDDLE)
            unsure += sum(one.unsure for one in (*reading.top, *reading.bottom))
        assert 0.08 < unsure / (300 * 9) < 0.12


def _as_dict(rates: NoiseRates) -> dict[str, float]:
    return {name: getattr(rates, name) for name in rates.__dataclass_fields__}


@pytest.mark.parametrize("rules", ["bolshie-nardy", "short"])
def test_wrong_plays_are_wrong_and_of_many_kinds(rules: str) -> None:
    variant, rng = variant_named(rules), random.Random(4)
    position, color = start_position(variant), Color.WHITE
    kinds = set()
    for _ in range(60):
        roll = Roll(rng.randint(1, 6), rng.randint(1, 6))
        legal = rng.choice(legal_turns(position, color, roll, variant)).result
        found = wrong_play(position, color, roll, variant, legal, rng)
        if found is not None:
            kind, played = found
            kinds.add(kind)
            judged = judge_play(position, color, roll, played, variant)
            assert judged.verdict is not Verdict.LEGAL
        position, color = legal, color.other
    assert len(kinds) >= 5


def test_the_interval_of_a_share_holds_it() -> None:
    low, high = wilson(3, 100)
    assert 0 < low < 0.03 < high < 0.1
    assert wilson(0, 0) == (0.0, 1.0)


def test_the_curve_is_drawn_from_the_figures(season: Tally) -> None:
    drawn = chart([{"noise": noise, **figures(season)} for noise in (0.5, 1.0, 2.0)])
    assert drawn.startswith("<svg")
    assert drawn.count("<polyline") == 3
