"""The table of games on a protocol sheet: its columns and what stands in them."""

from dataclasses import dataclass

from fpdf.enums import Align

from recording.protocol import GameEntry, PlayerGame, Protocol, result_words
from recording.protocol_words import Words, time_text


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the table."""

    label: str
    width_mm: float
    align: Align = Align.C
    group: str = ""
    """What stands above this column and its neighbours."""


def columns_of(protocol: Protocol, words: Words) -> list[Column]:
    """Return the columns that this match needs."""
    name_mm = 39.0 - 8 * protocol.variant.cube - 10 * protocol.colors_swap
    columns = [Column(words.number, 6.5, Align.R)]
    if protocol.colors_swap:
        columns.append(Column(words.white, 10.0))
    columns += [
        Column(words.winner, name_mm, Align.L),
        Column(words.result, 27.5, Align.L),
    ]
    if protocol.variant.cube:
        columns.append(Column(words.cube, 8.0))
    return [
        *columns,
        Column(words.points, 9.5),
        Column(words.score, 14.0),
        Column(words.time, 23.0),
        Column(words.voids, 15.0),
        Column(words.accepted, 13.5, group=words.wrong_plays),
        Column(words.corrected, 13.5, group=words.wrong_plays),
        Column(words.disputes, 13.5),
    ]


def game_row(
    protocol: Protocol, game: GameEntry, names: tuple[str, str], language: str
) -> list[str]:
    """Return what a game's line says.

    Args:
        protocol: the sheet.
        game: one of its games.
        names: the players' as they fit the column.
        language: `ru` or `en`.
    """
    result = result_words(game, protocol.variant)
    row = [str(game.number)]
    if protocol.colors_swap:
        row.append(str(game.white + 1))
    row.append("–" if game.winner is None else names[game.winner])
    row.append(result.ru if language == "ru" else result.en)
    if protocol.variant.cube:
        row.append(str(game.cube))
    row += [str(game.points), f"{game.score[0]} : {game.score[1]}"]
    return row + _counts(game.players, game.disputes)


def total_row(protocol: Protocol, words: Words) -> list[str]:
    """Return the last line."""
    row = [""] * (1 + protocol.colors_swap) + [words.total, ""]
    row += [""] * (1 + protocol.variant.cube)
    row.append(f"{protocol.score[0]} : {protocol.score[1]}")
    totals = protocol.totals(0), protocol.totals(1)
    return row + _counts(totals, sum(game.disputes for game in protocol.games))


def _counts(players: tuple[PlayerGame, PlayerGame], disputes: int) -> list[str]:
    first, second = players
    times = f"{time_text(first.time_ms)} / {time_text(second.time_ms)}"
    if first.time_ms is None and second.time_ms is None:
        times = "–"
    return [
        times,
        _both(first.void_throws, second.void_throws),
        _both(first.wrong_accepted, second.wrong_accepted),
        _both(first.wrong_corrected, second.wrong_corrected),
        str(disputes) if disputes else "–",
    ]


def _both(first: int, second: int) -> str:
    return f"{first} / {second}" if first or second else "–"
