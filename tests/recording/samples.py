"""Small matches for the tests of formats."""

from collections import Counter
from collections.abc import Callable

from recording.transcript import (
    MONEY,
    Action,
    Double,
    Game,
    GameResult,
    Match,
    Play,
    Resign,
    SetUp,
    Take,
    play_between,
)
from rules import Color, Position, Roll, legal_turns, variant_named
from rules.start import start_position

SHORT = variant_named("short")
START = start_position(SHORT)
CLASSIC = variant_named("classic")
BEAVERED = """\
 0 point match

 Game 1
 Anna : 0                       Boris : 0
  1) 31: 8/5 6/5                 61: 13/7 8/7
  2)  Doubles => 2                Beavers => 4
  3)  Takes
  4) 31: 13/10 6/5               42: 8/4 6/4
      Wins 8 points
"""


def first_turn(position: Position, color: Color, roll: Roll) -> Play:
    """The first of the legal plays."""
    after = legal_turns(position, color, roll, SHORT)[0].result
    return play_between(position, color, roll, after, SHORT)


def turns(
    position: Position,
    *rolls: tuple[int, int],
    begins: Color = Color.WHITE,
    choose: Callable[[Position, Color, Roll], Play] = first_turn,
) -> list[Play]:
    """Play rolls one after the other."""
    plays = []
    color = begins
    for first, second in rolls:
        plays.append(choose(position, color, Roll(first, second)))
        position = plays[-1].after
        color = color.other
    return plays


def match_of(*actions: Action, length: int = 7, result: GameResult | None = None) -> Match:
    """A match of one game from the start position."""
    return Match(length, ("Anna", "Boris"), (Game(1, (0, 0), START, actions, result),))


def short_match() -> Match:
    """A few lawful turns without an end."""
    return match_of(*turns(START, (3, 1), (6, 1), (4, 2), (6, 5), (5, 5), (6, 6), (4, 4)))


def resigned(points: int, cube: int, length: int = 7) -> Match:
    """Boris resigns a single game, a gammon or a backgammon, the cube turned or not."""
    plays = turns(START, (3, 1), (6, 1))
    doubled: list[Action] = [Double(Color.WHITE, 2), Take(Color.BLACK)] if cube == 2 else []
    result = GameResult(Color.WHITE, points * cube, points * cube >= length != MONEY)
    return match_of(
        *plays, *doubled, Resign(Color.BLACK, points * cube), length=length, result=result
    )


def shifted(position: Position, color: Color, source: int, target: int) -> Position:
    """Carry one checker from an absolute point to another, 0 off: no law asked."""
    sides: dict[Color, Counter[int]] = {
        side: Counter({int(at): n for at, who, n in position.occupied() if who is side})
        for side in Color
    }
    off = {side: position.off(side) for side in Color}
    sides[color][source] -= 1
    if target:
        sides[color][target] += 1
    else:
        off[color] += 1
    return Position.of(
        +sides[Color.WHITE],
        +sides[Color.BLACK],
        off=(off[Color.WHITE], off[Color.BLACK]),
        bar=(position.bar(Color.WHITE), position.bar(Color.BLACK)),
    )


def with_wrong_plays() -> Match:
    """Wrong plays of every kind that stood, lawful ones between them, a cube in the middle."""
    actions: list[Action] = []
    position = START

    def play(color: Color, first: int, second: int, after: Position) -> None:
        nonlocal position
        actions.append(play_between(position, color, Roll(first, second), after, SHORT))
        position = after

    def lawful(color: Color, first: int, second: int) -> None:
        roll = Roll(first, second)
        play(color, first, second, legal_turns(position, color, roll, SHORT)[-1].result)

    one_die = shifted(position, Color.WHITE, 8, 5)
    play(Color.WHITE, 3, 1, one_die)
    nothing = position
    play(Color.BLACK, 6, 1, nothing)
    actions.extend((Double(Color.WHITE, 2), Take(Color.BLACK)))
    off_too_early = shifted(position, Color.WHITE, 6, 0)
    play(Color.WHITE, 6, 1, off_too_early)
    lawful(Color.BLACK, 4, 2)
    backwards = shifted(position, Color.WHITE, 13, 15)
    play(Color.WHITE, 5, 2, backwards)
    enemy_checker = shifted(position, Color.WHITE, 24, 23)
    play(Color.BLACK, 5, 3, enemy_checker)
    lawful(Color.WHITE, 6, 4)
    lawful(Color.BLACK, 3, 1)
    assert [one.lawful for one in actions if isinstance(one, Play)].count(False) == 5
    return match_of(*actions)


def from_the_middle() -> Match:
    """A game that begins in its middle and whose board is put up by hand once more."""
    start = Position.of({6: 5, 5: 5, 4: 3}, {19: 6, 20: 6, 21: 3}, off=(2, 0))
    plays = turns(start, (6, 1), (5, 2), begins=Color.BLACK)
    other = Position.of({6: 4, 5: 5, 4: 2}, {19: 5, 20: 6, 21: 3}, off=(4, 1))
    again = turns(other, (6, 4), (3, 3), begins=Color.BLACK)
    game = Game(1, (0, 0), start, (*plays, SetUp(other, 2, Color.WHITE), *again), None)
    return Match(5, ("Anna", "Boris"), (game,))


def long_match(*rolls: tuple[int, int]) -> Match:
    """Lawful turns of long nardy."""
    position, color = start_position(CLASSIC), Color.WHITE
    plays = []
    for first, second in rolls:
        roll = Roll(first, second)
        after = legal_turns(position, color, roll, CLASSIC)[-1].result
        plays.append(play_between(position, color, roll, after, CLASSIC))
        position, color = after, color.other
    game = Game(1, (0, 0), start_position(CLASSIC), tuple(plays), None)
    return Match(3, ("Анна", "Борис"), (game,), rules="classic")
