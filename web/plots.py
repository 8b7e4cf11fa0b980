"""Plots of a match's figures as SVG: pips by turn, faces thrown, time taken."""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType
from typing import Final

from recording.statistics import MatchStatistics, SideStatistics
from recording.statistics_dice import dice_test
from rules import Color
from web.svg import (
    BOTTOM,
    HEIGHT,
    LEFT,
    PALETTES,
    RIGHT,
    TOP,
    WIDTH,
    Drawing,
    height_of,
    nice_ticks,
    number,
)

_WORDS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "white": ("Белые", "White"),
        "black": ("Чёрные", "Black"),
        "pips": ("Очки до конца по ходам", "Pip count by turn"),
        "dice": ("Сколько раз выпала каждая грань", "How often each face was thrown"),
        "times": ("Время на ход", "Time per turn"),
        "turn": ("ход", "turn"),
        "pip_unit": ("очк.", "pips"),
        "second": ("с", "s"),
        "none": ("Пока нечего показать", "Nothing to show yet"),
        "expected": ("пунктир: ожидается", "dashed: expected"),
        "few": ("бросков мало, судить рано", "too few throws to judge"),
        "median": ("пунктир: середина (медиана)", "dashed: median"),
        "longest": ("дольше всего", "longest"),
        "no_clock": ("Время на ход не записано", "No times were taken"),
        "now": ("осталось", "left"),
    }
)
_FACES: Final = range(1, 7)
_INSIDE: Final = WIDTH - LEFT - RIGHT
_MOST_LABELS: Final = 8


def plot_svg(
    plot: str,
    figures: MatchStatistics,
    names: Mapping[Color, str],
    language: str,
    theme: str,
) -> str:
    """Draw a plot.

    Args:
        plot: one of `PLOTS`.
        figures: of the match.
        names: of the players; empty ones are called by their colour.
        language: `ru` or `en`.
        theme: one of `web.svg.PALETTES`.
    """
    pick = 0 if language == "ru" else 1
    words = {key: pair[pick] for key, pair in _WORDS.items()}
    sides = (
        _named(names.get(Color.WHITE, ""), words["white"]),
        _named(names.get(Color.BLACK, ""), words["black"]),
    )
    drawing = Drawing(PALETTES[theme], words[plot], "", language)
    _DRAWN[plot](drawing, figures, sides, words)
    return drawing.written()


def _named(name: str, color: str) -> str:
    return f"{name} ({color.lower()})" if name else color


def _pips(
    drawing: Drawing, figures: MatchStatistics, sides: tuple[str, str], words: dict[str, str]
) -> None:
    counts = [one for one in figures.pip_counts if one is not None]
    if len(counts) < 2:
        drawing.nothing(words["none"])
        drawing.description = words["none"]
        return
    ticks = nice_ticks(max(max(pair) for pair in counts))
    drawing.axis(ticks[-1], ticks, words["pip_unit"])
    drawing.key(sides)
    starts = [0, *_new_games(counts), len(counts)]
    for start in starts[1:-1]:
        x = (_x(start - 1, len(counts)) + _x(start, len(counts))) / 2
        drawing.line([(x, TOP), (x, HEIGHT - BOTTOM)], drawing.palette.grid, width=1.5)
    for index, (color, dash) in enumerate(
        ((drawing.palette.white, "6 3"), (drawing.palette.black, ""))
    ):
        points = [
            (_x(turn, len(counts)), height_of(pair[index], ticks[-1]))
            for turn, pair in enumerate(counts)
        ]
        for start, end in pairwise(starts):
            drawing.line(points[start:end], color, dash=dash)
        drawing.dot(*points[-1], color, hollow=index == 0, radius=3.5)
    _turn_labels(drawing, len(counts), words)
    white, black = counts[-1]
    drawing.description = (
        f"{sides[0]}: {words['now']} {white}. {sides[1]}: {words['now']} {black}."
    )


def _new_games(counts: Sequence[tuple[int, int]]) -> list[int]:
    """Return the turns with which new games begin: a play never sets both sides back."""
    return [
        turn
        for turn, (before, now) in enumerate(pairwise(counts), start=1)
        if now[0] > before[0] and now[1] > before[1]
    ]


def _dice(
    drawing: Drawing, figures: MatchStatistics, sides: tuple[str, str], words: dict[str, str]
) -> None:
    both = (figures.white, figures.black)
    if not figures.both.dice:
        drawing.nothing(words["none"])
        drawing.description = words["none"]
        return
    ticks = nice_ticks(max(max(one.faces) for one in both))
    drawing.axis(ticks[-1], ticks, "")
    drawing.key(sides)
    slot = _INSIDE / 6
    wide = slot * 0.34
    for face in _FACES:
        left = LEFT + slot * (face - 1)
        for index, one in enumerate(both):
            count = one.faces[face - 1]
            x, y = left + slot * 0.13 + index * (wide + 4), height_of(count, ticks[-1])
            color = drawing.palette.black if index else drawing.palette.white
            bottom = height_of(0, ticks[-1])
            drawing.bar(x, y, wide, bottom - y, color, hollow=index == 0)
            expected = height_of(one.dice / 6, ticks[-1])
            drawing.line([(x, expected), (x + wide, expected)], drawing.palette.text,
                         width=1.5, dash="3 2")  # fmt: skip
        drawing.text(left + slot / 2, HEIGHT - 44, str(face), anchor="middle")
    said = [_tested(one, side, words) for one, side in zip(both, sides, strict=True)]
    for line, text in enumerate(said):
        drawing.text(LEFT, HEIGHT - 24 + 16 * line, text, color=drawing.palette.note)
    drawing.text(
        WIDTH - RIGHT, TOP - 6, words["expected"], anchor="end", size=11,
        color=drawing.palette.note,
    )  # fmt: skip
    faces = (
        f"{side}: " + ", ".join(f"{face}×{one.faces[face - 1]}" for face in _FACES)
        for one, side in zip(both, sides, strict=True)
    )
    drawing.description = ". ".join([*faces, *said]) + "."


def _tested(one: SideStatistics, side: str, words: dict[str, str]) -> str:
    test = dice_test(one.faces, looked_at=3)
    short = side if len(side) <= 30 else f"{side[:29]}…"
    if not test.enough:
        return f"{short}: n = {test.dice}; {words['few']}"
    p = f"p = {test.p_value:.2f}" if test.p_value >= 0.005 else "p < 0.005"
    return f"{short}: n = {test.dice}, χ² = {test.chi_square:.1f}, {p}"


def _times(
    drawing: Drawing, figures: MatchStatistics, sides: tuple[str, str], words: dict[str, str]
) -> None:
    both = (figures.white, figures.black)
    most = max(len(one.times_ms) for one in both)
    if not most:
        drawing.nothing(words["no_clock"])
        drawing.description = words["no_clock"]
        return
    ticks = nice_ticks(max(max(one.times_ms, default=0) for one in both) / 1000)
    drawing.axis(ticks[-1], ticks, words["second"])
    drawing.key(sides)
    slot = _INSIDE / most
    told: list[str] = []
    for index, (one, side) in enumerate(zip(both, sides, strict=True)):
        color = drawing.palette.black if index else drawing.palette.white
        bottom = height_of(0, ticks[-1])
        wide = max(0.8, slot * 0.38)
        for turn, time_ms in enumerate(one.times_ms):
            y = height_of(time_ms / 1000, ticks[-1])
            x = LEFT + slot * turn + slot * 0.08 + index * slot * 0.45
            drawing.bar(x, y, wide, bottom - y, color, hollow=index == 0 and slot > 8)
        if one.median_ms is not None and one.longest_ms is not None:
            y = height_of(one.median_ms / 1000, ticks[-1])
            drawing.line([(LEFT, y), (WIDTH - RIGHT, y)], color, width=1.2, dash="5 3")
            told.append(
                f"{side}: {number(round(one.median_ms / 1000, 1))} {words['second']}, "
                f"{words['longest']} {number(round(one.longest_ms / 1000, 1))} "
                f"{words['second']}"
            )
    _turn_labels(drawing, most, words)
    drawing.text(
        WIDTH - RIGHT, TOP - 6, words["median"], anchor="end", size=11,
        color=drawing.palette.note,
    )  # fmt: skip
    drawing.description = ". ".join([words["median"], *told]) + "."


def _x(turn: int, turns: int) -> float:
    return LEFT + _INSIDE * turn / max(1, turns - 1)


def _turn_labels(drawing: Drawing, turns: int, words: dict[str, str]) -> None:
    step = max(1, round(nice_ticks(turns, _MOST_LABELS)[1]))
    for turn in range(step, turns + 1, step):
        drawing.text(_x(turn - 1, turns), HEIGHT - 44, str(turn), anchor="middle", size=11,
                     color=drawing.palette.note)  # fmt: skip
    drawing.text(WIDTH / 2, HEIGHT - 26, words["turn"], anchor="middle", size=11,
                 color=drawing.palette.note)  # fmt: skip


_DRAWN: Final[
    Mapping[str, Callable[[Drawing, MatchStatistics, tuple[str, str], dict[str, str]], None]]
] = MappingProxyType({"pips": _pips, "dice": _dice, "times": _times})
PLOTS: Final = tuple(_DRAWN)
"""The plots by name."""
