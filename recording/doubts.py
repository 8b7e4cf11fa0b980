"""What a match file says of its scores that cannot be so, though every game may be read."""

from collections.abc import Iterator
from itertools import pairwise

from recording.transcript import MONEY, Match


def doubts(match: Match) -> Iterator[tuple[int, str]]:
    """Yield (game number, what does not fit); a match is won by points, not by words."""
    length = match.length
    for game in match.games:
        if length != MONEY and max(game.score) >= length:
            yield game.number, f"played at {_told(game.score)}, when the match was won already"
        if game.result and game.result.ends_match and max(game.score_after) < length:
            yield (
                game.number,
                f"said to end the match at {_told(game.score_after)} of {length} points",
            )
    for game, following in pairwise(match.games):
        if game.error or following.score == game.score_after:
            continue
        if game.result is None:
            yield game.number, "has no result, and yet the score goes on"
        else:
            yield (
                following.number,
                f"begins at {_told(following.score)} after a game that ended at "
                f"{_told(game.score_after)}",
            )


def _told(score: tuple[int, int]) -> str:
    return f"{score[0]}-{score[1]}"
