import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee import recovery
from referee.recovery import recovered
from rules import Roll, legal_turns, variant_named
from rules.start import start_position
from tests.support.boards import LONG_START, SHORT_START, B, W, board, moved

LONG, SHORT = variant_named("bolshie-nardy"), variant_named("short")
RACE = board("4:w8 3:w* 22:b1 13:b8 14:b*")
"""White bears off; Black's straggler has not come home."""


def test_one_play_is_found_with_its_dice() -> None:
    seen = moved(LONG_START, W, (24, 18), (18, 13))
    found = recovered(LONG_START, W, seen, LONG)
    assert found is not None
    assert [(one.side, one.rolls) for one in found.turns] == [(W, (Roll(6, 5),))]
    assert found.dice_known


def test_a_throw_that_was_seen_is_the_only_one_asked_about() -> None:
    seen = moved(LONG_START, W, (24, 16))
    apart = recovered(LONG_START, W, seen, LONG, Roll(5, 3))
    assert apart is not None
    assert apart.turns[0].rolls == (Roll(5, 3),)
    assert recovered(LONG_START, W, seen, LONG, Roll(6, 5)) is None


def test_a_play_of_more_than_one_throw_is_found_without_its_dice() -> None:
    seen = moved(LONG_START, W, (24, 16))
    found = recovered(LONG_START, W, seen, LONG)
    assert found is not None
    assert set(found.turns[0].rolls) >= {Roll(6, 2), Roll(5, 3)}
    assert not found.dice_known


def test_a_double_is_told_by_its_four_steps() -> None:
    start = board("20:w5 24:w* 12:b*")
    seen = moved(start, W, (20, 17), (20, 17), (20, 17), (20, 17))
    found = recovered(start, W, seen, LONG)
    assert found is not None
    assert found.turns[0].rolls == (Roll(3, 3),)


def test_both_sides_turns_are_found_in_their_order() -> None:
    first = moved(LONG_START, W, (24, 23), (23, 21))
    seen = moved(first, B, (12, 11), (11, 9))
    found = recovered(LONG_START, W, seen, LONG)
    assert found is not None
    assert [(one.side, one.rolls) for one in found.turns] == [
        (W, (Roll(2, 1),)),
        (B, (Roll(2, 1),)),
    ]
    assert found.turns[0].after == found.turns[1].before == first
    assert recovered(LONG_START, B, seen, LONG) != found


def test_what_no_legal_play_explains_is_left_to_people() -> None:
    two_from_head = moved(LONG_START, W, (24, 18), (24, 19))
    assert recovered(LONG_START, W, two_from_head, LONG) is None
    backwards = moved(RACE, W, (4, 9))
    assert recovered(RACE, W, backwards, LONG) is None
    assert recovered(LONG_START, W, LONG_START, LONG) is None


def test_two_ways_are_no_way() -> None:
    # Eleven and three pips: two turns of one throw each, or four smaller ones.
    seen = moved(LONG_START, W, (24, 18), (18, 13))
    assert recovered(LONG_START, W, moved(seen, B, (12, 7), (7, 6)), LONG) is None


def test_a_turn_that_may_have_been_danced_leaves_whose_turn_it_is_open() -> None:
    # Black stands before a wall: whether he has thrown since cannot be seen.
    start = board("18:w2 11:w2 10:w2 9:w2 8:w2 7:w2 24:w* 12:b*")
    played = moved(start, W, (24, 19), (24, 23))
    assert not legal_turns(played, B, Roll(2, 1), LONG)[0].moves
    assert recovered(start, W, played, LONG, Roll(5, 1)) is None


def test_a_hit_is_found_in_short_nardy() -> None:
    start = board("24:w2 13:w8 8:w* 1:b1 4:b1 12:b5 17:b3 19:b*")
    seen = moved(start, W, (8, 4), (13, 11))
    found = recovered(start, W, seen, SHORT)
    assert found is not None
    assert found.turns[0].rolls == (Roll(4, 2),)
    assert seen.bar(B) == 1


def test_the_search_gives_up_rather_than_take_long(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = moved(LONG_START, W, (24, 18), (18, 13))
    recovered.cache_clear()
    monkeypatch.setattr(recovery, "MOST_QUESTIONS", 5)
    assert recovered(LONG_START, W, seen, LONG) is None
    recovered.cache_clear()


def test_a_play_of_short_nardy_is_found_for_black_too() -> None:
    seen = moved(SHORT_START, B, (1, 5), (19, 21))
    found = recovered(SHORT_START, B, seen, SHORT)
    assert found is not None
    assert [(one.side, one.rolls) for one in found.turns] == [(B, (Roll(4, 2),))]


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 10_000), st.integers(0, 24), st.sampled_from(["kush", "federation"]))
def test_what_is_recovered_is_legal_and_ends_where_it_must(
    seed: int, skipped: int, name: str
) -> None:
    variant, rng = variant_named(name), random.Random(seed)
    position, color = start_position(variant), W
    for _ in range(skipped):
        turns = legal_turns(position, color, _thrown(rng), variant)
        position, color = rng.choice(turns).result, color.other
    ground, mover = position, color
    truth = []
    for _ in range(rng.randint(1, 2)):
        turns = legal_turns(position, color, _thrown(rng), variant)
        position, color = rng.choice(turns).result, color.other
        truth.append(position)
    found = recovered(ground, mover, position, variant)
    if found is not None:
        assert [one.after for one in found.turns] == truth
        for one in found.turns:
            for roll in one.rolls:
                legal = legal_turns(one.before, one.side, roll, variant)
                assert one.after in [turn.result for turn in legal]


def _thrown(rng: random.Random) -> Roll:
    return Roll(rng.randint(1, 6), rng.randint(1, 6))
