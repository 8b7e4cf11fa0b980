import random

import pytest

from rules import Color, Position, Roll, legal_turns, variant_named
from rules.outcome import GameState, state_after
from rules.start import start_position
from table.players import Player, RandomPlayer, SensiblePlayer
from tests.support.boards import board

W, B = Color.WHITE, Color.BLACK


def play(rules: str, players: dict[Color, Player], seed: int) -> tuple[Position, int]:
    variant = variant_named(rules)
    rng = random.Random(seed)
    position, color, turns = start_position(variant), W, 0
    while True:
        roll = Roll(rng.randint(1, 6), rng.randint(1, 6))
        turn = players[color].choose(position, color, roll, variant, rng)
        assert turn in legal_turns(position, color, roll, variant)
        position, turns = turn.result, turns + 1
        if state_after(position, variant, began=W, moved=color) is GameState.OVER:
            return position, turns
        color = color.other


@pytest.mark.parametrize("rules", ["bolshie-nardy", "federation", "short"])
@pytest.mark.parametrize("player", [RandomPlayer(), SensiblePlayer()])
def test_a_game_comes_to_its_end(rules: str, player: Player) -> None:
    _, turns = play(rules, {W: player, B: player}, 5)
    assert 40 < turns < 400


@pytest.mark.parametrize("rules", ["bolshie-nardy", "short"])
def test_sense_beats_chance(rules: str) -> None:
    players: dict[Color, Player] = {W: RandomPlayer(), B: SensiblePlayer()}
    ends = [play(rules, players, seed)[0] for seed in range(5)]
    assert sum(end.off(B) == 15 for end in ends) >= 4


@pytest.mark.parametrize("player", [RandomPlayer(), SensiblePlayer()])
def test_the_same_draws_choose_the_same_turn(player: Player) -> None:
    variant = variant_named("short")
    position = start_position(variant)
    chosen = {
        str(player.choose(position, W, Roll(3, 1), variant, random.Random(9)).result)
        for _ in range(3)
    }
    assert len(chosen) == 1


def test_a_blot_in_reach_is_hit() -> None:
    variant = variant_named("short")
    position = board("13:w5 8:w3 6:w5 24:w* 4:b1 1:b2 12:b5 17:b3 19:b*")
    turn = SensiblePlayer().choose(position, W, Roll(4, 2), variant, random.Random(1))
    assert turn.result.bar(B) == 1


def test_who_cannot_move_passes() -> None:
    variant = variant_named("short")
    position = board("24:w* bar:w1 19:b3 20:b3 21:b3 22:b2 23:b2 18:b*")
    turn = SensiblePlayer().choose(position, W, Roll(6, 5), variant, random.Random(1))
    assert turn.moves == ()
