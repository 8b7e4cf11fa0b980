"""Games with the colours changed: in a transcript a player keeps one side all match long.

Where the rules have the players change colours between games, every game in which the left
player had Black is turned before it joins the others.
"""

from dataclasses import replace

from recording.transcript import Action, Game, GameResult, Play, SetUp
from rules import Color, Move, Point, Position, Spot, Variant
from rules.board import Source
from rules.turns import absolute


def turned(game: Game, variant: Variant) -> Game:
    """Return a game with White and Black changed: same own numbers, the other colour."""
    white, black = game.score
    result = game.result
    if result is not None and result.winner is not None:
        result = GameResult(result.winner.other, result.points, result.ends_match)
    return replace(
        game,
        score=(black, white),
        start=turned_position(game.start, variant),
        actions=tuple(_turned_action(action, variant) for action in game.actions),
        result=result,
    )


def turned_position(position: Position, variant: Variant) -> Position:
    """Return a position with White and Black changed."""
    counts: dict[Color, dict[int, int]] = {Color.WHITE: {}, Color.BLACK: {}}
    for point, color, count in position.occupied():
        counts[color.other][_turned_point(point, variant)] = count
    return Position.of(
        counts[Color.WHITE],
        counts[Color.BLACK],
        off=(position.off(Color.BLACK), position.off(Color.WHITE)),
        bar=(position.bar(Color.BLACK), position.bar(Color.WHITE)),
    )


def _turned_point(point: int, variant: Variant) -> int:
    return absolute(point, variant.path, Color.BLACK)


def _turned_place(place: Source, variant: Variant) -> Source:
    return place if isinstance(place, Spot) else Point(_turned_point(place, variant))


def _turned_action(action: Action, variant: Variant) -> Action:
    if isinstance(action, SetUp):
        return SetUp(
            turned_position(action.position, variant),
            action.cube,
            action.owner and action.owner.other,
        )
    if not isinstance(action, Play):
        return replace(action, color=action.color.other)
    moves = tuple(
        Move(_turned_place(move.source, variant), _turned_place(move.target, variant))
        for move in action.moves
    )
    return replace(
        action,
        color=action.color.other,
        moves=moves,
        after=turned_position(action.after, variant),
    )
