"""A season's figures: shares with their intervals, and the curve over the noise."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tests.support.season import Tally

_Z = 1.96
_WIDTH, _HEIGHT, _LEFT, _TOP, _PLOT_W, _PLOT_H = 640, 340, 70, 24, 420, 260
_FLOOR, _CEILING = -4.0, 0.0
"""Decades shown."""
_LINES = (
    ("wrong", "wrong rulings per turn", "#c0392b", 0.001),
    ("condoned", "illegal called legal, of illegal plays", "#8e44ad", 0.005),
    ("asks", "asks per turn", "#2471a3", 0.03),
)


@dataclass(frozen=True, slots=True)
class Share:
    """So many of so many."""

    count: int
    of: int

    @property
    def share(self) -> float:
        """The quotient; 0 of nothing."""
        return self.count / self.of if self.of else 0.0


def wilson(count: int, of: int) -> tuple[float, float]:
    """Return the 95 % Wilson interval of a share."""
    if not of:
        return 0.0, 1.0
    share = count / of
    middle = share + _Z**2 / (2 * of)
    half = _Z * math.sqrt(share * (1 - share) / of + _Z**2 / (4 * of**2))
    whole = 1 + _Z**2 / of
    return max(0.0, (middle - half) / whole), min(1.0, (middle + half) / whole)


def rates_of(tally: Tally) -> tuple[Share, Share, Share]:
    """Return wrong rulings and asks per turn, and in between what was condoned."""
    return (
        Share(sum(tally.wrong.values()), tally.turns),
        Share(sum(tally.condoned.values()), sum(tally.illegal.values())),
        Share(sum(tally.asks.values()), tally.turns),
    )


def figures(tally: Tally) -> dict[str, object]:
    """Return a tally for a JSON file."""
    shares = dict(zip(("wrong", "condoned", "asks"), rates_of(tally), strict=True))
    return {
        "games": tally.games,
        "turns": tally.turns,
        "throws": tally.throws,
        "void_throws": tally.void_throws,
        "looks": tally.looks,
        "illegal": sum(tally.illegal.values()),
        "rates": {
            name: {"count": one.count, "of": one.of, "interval": wilson(one.count, one.of)}
            for name, one in shares.items()
        },
        "kinds": {
            "illegal": dict(tally.illegal),
            "condoned": dict(tally.condoned),
            "wrong": dict(tally.wrong),
            "asks": dict(tally.asks),
        },
        "faults": tally.faults[:50],
    }


def chart(seasons: Sequence[Mapping[str, object]]) -> str:
    """Draw the three rates over the noise as an SVG picture, on a logarithmic scale."""
    noises = [float(str(one["noise"])) for one in seasons]
    most = max([*noises, 1.0])
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{_HEIGHT}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#ffffff"/>',
    ]
    for decade in range(int(_FLOOR), int(_CEILING) + 1):
        y = _y(10.0**decade)
        parts.append(f'<path d="M{_LEFT} {y:.1f}h{_PLOT_W}" stroke="#dddddd"/>')
        label = f"{100 * 10.0**decade:g} %"
        parts.append(f'<text x="{_LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{label}</text>')
    for noise in noises:
        x, y = _x(noise, most), _TOP + _PLOT_H + 18
        parts.append(f'<text x="{x:.1f}" y="{y}" text-anchor="middle">×{noise:g}</text>')
    parts.append(
        f'<text x="{_LEFT + _PLOT_W / 2}" y="{_HEIGHT - 12}" text-anchor="middle">'
        "noise, times the measured rates of slips</text>"
    )
    for row, (key, title, colour, bar) in enumerate(_LINES):
        y = _y(bar)
        parts.append(
            f'<path d="M{_LEFT} {y:.1f}h{_PLOT_W}" stroke="{colour}" stroke-dasharray="3 5"/>'
        )
        points = []
        for noise, season in zip(noises, seasons, strict=True):
            share, low, high = _share(season, key)
            x = _x(noise, most) + 3 * (row - 1)
            points.append(f"{x:.1f},{_y(share):.1f}")
            parts.append(
                f'<path d="M{x:.1f} {_y(low):.1f}V{_y(high):.1f}" stroke="{colour}" '
                'stroke-opacity="0.5"/>'
            )
            parts.append(f'<circle cx="{x:.1f}" cy="{_y(share):.1f}" r="3" fill="{colour}"/>')
        joined = " ".join(points)
        parts.append(f'<polyline points="{joined}" fill="none" stroke="{colour}"/>')
        parts += _legend(row, title, colour)
    return "\n".join([*parts, "</svg>", ""])


def _legend(row: int, title: str, colour: str) -> list[str]:
    words, y = title.split(", "), _TOP + 20 + 56 * row
    x = _LEFT + _PLOT_W + 14
    lines = [f'<circle cx="{x}" cy="{y - 4}" r="4" fill="{colour}"/>']
    return lines + [
        f'<text x="{x + 10}" y="{y + 15 * n}">{word}</text>' for n, word in enumerate(words)
    ]


def _share(season: Mapping[str, object], key: str) -> tuple[float, float, float]:
    rates = season["rates"]
    assert isinstance(rates, Mapping)
    one = rates[key]
    low, high = one["interval"]
    return (one["count"] / one["of"] if one["of"] else 0.0), low, high


def _x(noise: float, most: float) -> float:
    return _LEFT + 12 + (_PLOT_W - 24) * math.sqrt(noise / most)


def _y(share: float) -> float:
    decades = max(_FLOOR, min(_CEILING, math.log10(max(share, 1e-9))))
    return _TOP + _PLOT_H * (_CEILING - decades) / (_CEILING - _FLOOR)
