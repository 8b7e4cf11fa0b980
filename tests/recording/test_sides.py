from dataclasses import replace

import pytest

from recording.mat import parse_mat
from recording.mat_write import write_mat
from recording.position_ids import position_id
from recording.sides import turned, turned_position
from recording.transcript import Match, Play, play_between
from recording.walk import walk
from rules import Color
from tests.recording import samples

MATCHES = [
    samples.resigned(2, 2),
    samples.with_wrong_plays(),
    samples.from_the_middle(),
    samples.long_match((6, 5), (2, 1), (4, 4), (6, 6), (5, 3)),
]


@pytest.mark.parametrize("match", MATCHES)
def test_to_turn_twice_changes_nothing(match: Match) -> None:
    variant = samples.CLASSIC if match.rules == "classic" else samples.SHORT
    game = match.games[0]
    assert turned(turned(game, variant), variant) == game
    assert turned(game, variant) != game


@pytest.mark.parametrize("match", MATCHES)
def test_plays_stay_what_they_were_for_the_other_side(match: Match) -> None:
    variant = samples.CLASSIC if match.rules == "classic" else samples.SHORT
    for table, action in walk(turned(match.games[0], variant)):
        if isinstance(action, Play):
            again = play_between(
                table.position, action.color, action.roll, action.after, variant
            )
            assert (again.lawful, again.after) == (action.lawful, action.after)


def test_a_position_turned_has_the_same_name_seen_by_the_other() -> None:
    for play in samples.turns(samples.START, (3, 1), (6, 1), (6, 5), (5, 5)):
        other = turned_position(play.after, samples.SHORT)
        assert position_id(other, Color.BLACK) == position_id(play.after, Color.WHITE)


def test_a_game_played_with_colours_changed_joins_the_match() -> None:
    match = samples.resigned(1, 1)
    game = match.games[0]
    second = replace(turned(replace(game, score=(0, 1)), samples.SHORT), number=2)
    whole = replace(match, games=(game, second))
    assert second.score == (1, 0)
    assert whole.score == (1, 1)
    back = parse_mat(write_mat(whole))
    assert [game.error for game in back.games] == [None, None]
    assert back.score == (1, 1)
