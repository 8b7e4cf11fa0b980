"""The little SVG that plots need: attributes only, no styles, so that any policy shows it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final
from xml.sax.saxutils import escape, quoteattr

WIDTH: Final = 480
HEIGHT: Final = 300
LEFT: Final = 46
RIGHT: Final = 14
TOP: Final = 44
BOTTOM: Final = 62


@dataclass(frozen=True, slots=True)
class Palette:
    """Colours of a theme; the two series differ by shape as well."""

    ground: str
    text: str
    grid: str
    white: str
    black: str
    note: str


PALETTES: Final = MappingProxyType(
    {
        "light": Palette("#ffffff", "#1b1f24", "#d5d9de", "#b45309", "#1d3f91", "#4b5563"),
        "dark": Palette("#14181d", "#e8eaed", "#3a424c", "#fbbf24", "#8ab4ff", "#b4bcc6"),
        "contrast": Palette("#000000", "#ffffff", "#808080", "#ffd400", "#5ce1ff", "#ffffff"),
    }
)


@dataclass
class Drawing:
    """An SVG in the making; x and y in its own units, y downwards."""

    palette: Palette
    title: str
    description: str
    language: str
    parts: list[str] = field(default_factory=list)

    def line(
        self,
        points: Sequence[tuple[float, float]],
        color: str,
        *,
        width: float = 2.0,
        dash: str = "",
    ) -> None:
        """Draw a line through points."""
        path = " ".join(f"{_n(x)},{_n(y)}" for x, y in points)
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        self.parts.append(
            f'<polyline points="{path}" fill="none" stroke="{color}" '
            f'stroke-width="{_n(width)}" stroke-linejoin="round"{dashed}/>'
        )

    def bar(
        self, x: float, y: float, width: float, height: float, color: str, *, hollow: bool
    ) -> None:
        """Draw a bar, filled or with its outline alone."""
        fill = "none" if hollow else color
        self.parts.append(
            f'<rect x="{_n(x)}" y="{_n(y)}" width="{_n(width)}" height="{_n(max(0, height))}" '
            f'fill="{fill}" stroke="{color}" stroke-width="1.5"/>'
        )

    def dot(self, x: float, y: float, color: str, *, hollow: bool, radius: float = 2.5) -> None:
        """Draw a dot, filled or hollow."""
        fill = self.palette.ground if hollow else color
        self.parts.append(
            f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(radius)}" fill="{fill}" '
            f'stroke="{color}" stroke-width="1.2"/>'
        )

    def text(
        self,
        x: float,
        y: float,
        words: str,
        *,
        size: int = 12,
        anchor: str = "start",
        color: str | None = None,
        bold: bool = False,
    ) -> None:
        """Write words."""
        weight = ' font-weight="600"' if bold else ""
        self.parts.append(
            f'<text x="{_n(x)}" y="{_n(y)}" font-size="{size}" text-anchor="{anchor}" '
            f'fill="{color or self.palette.text}"{weight}>{escape(words)}</text>'
        )

    def axis(self, top: float, ticks: Sequence[float], unit: str) -> None:
        """Draw horizontal grid lines with their values."""
        for value in ticks:
            y = height_of(value, top)
            self.line([(LEFT, y), (WIDTH - RIGHT, y)], self.palette.grid, width=1)
            self.text(LEFT - 6, y + 4, number(value), anchor="end", color=self.palette.note)
        if unit:
            self.text(LEFT - 6, TOP - 10, unit, anchor="end", color=self.palette.note)

    def key(self, names: tuple[str, str]) -> None:
        """Say which series is whose, above the plot."""
        white, black = (name if len(name) <= 22 else f"{name[:21]}…" for name in names)
        middle = (LEFT + WIDTH - RIGHT) / 2
        self.bar(LEFT + 4, 14, 11, 11, self.palette.white, hollow=True)
        self.text(LEFT + 21, 24, white)
        self.bar(middle + 4, 14, 11, 11, self.palette.black, hollow=False)
        self.text(middle + 21, 24, black)

    def nothing(self, words: str) -> None:
        """Say that there is nothing to draw yet."""
        self.text(WIDTH / 2, HEIGHT / 2, words, anchor="middle", size=14)

    def written(self) -> str:
        """Return the SVG."""
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
            f'role="img" aria-labelledby="t d" xml:lang={quoteattr(self.language)} '
            'font-family="system-ui, sans-serif">'
            f'<title id="t">{escape(self.title)}</title>'
            f'<desc id="d">{escape(self.description)}</desc>'
            f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{self.palette.ground}"/>'
        )
        return f"{head}{''.join(self.parts)}</svg>"


def height_of(value: float, top: float) -> float:
    """Return the y of a value on an axis from 0 to `top`."""
    room = HEIGHT - TOP - BOTTOM
    return HEIGHT - BOTTOM - room * value / max(top, 1e-9)


def nice_ticks(largest: float, about: int = 4) -> tuple[float, ...]:
    """Return round values from 0 up to one not below the largest."""
    if largest <= 0:
        return (0.0, 1.0)
    raw = largest / about
    unit = 10 ** math.floor(math.log10(raw))
    step = next(unit * one for one in (1, 2, 5, 10) if unit * one >= raw)
    count = math.ceil(largest / step - 1e-9)
    return tuple(step * n for n in range(count + 1))


def number(value: float) -> str:
    """Write a number without needless digits."""
    return f"{value:g}"


def _n(value: float) -> str:
    return f"{value:.1f}".rstrip("0").rstrip(".")
