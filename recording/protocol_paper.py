"""Paper for a form: an A4 page, embedded fonts, and the few ways of printing a line on it.

A letter that the fonts lack is printed as an empty box and never stops a form.
"""

from importlib.resources import as_file, files
from typing import Final

from fpdf import FPDF
from fpdf.enums import Align, XPos, YPos
from fpdf.fonts import TTFFont

GREY: Final = (110, 110, 110)
BLACK: Final = (0, 0, 0)
SHADE: Final = (236, 236, 236)
_FONT: Final = "form"
_FILES: Final = {"": "DejaVuSansCondensed.ttf", "B": "DejaVuSansCondensed-Bold.ttf"}
_MISSING: Final = "□"
_LEFT_MM, _RIGHT_MM, _TOP_MM, _BOTTOM_MM = 20.0, 15.0, 14.0, 16.0
_LINE_MM: Final = 0.2
_SMALLEST_PT: Final = 7.0


class Paper(FPDF):
    """A form being printed from top to bottom; begin with `add_page`."""

    def __init__(self) -> None:
        super().__init__(format="A4", unit="mm")
        self.set_margins(_LEFT_MM, _TOP_MM, _RIGHT_MM)
        self.set_auto_page_break(True, _BOTTOM_MM)
        self.c_margin = 0
        self.set_line_width(_LINE_MM)
        for style, name in _FILES.items():
            with as_file(files("recording") / "fonts" / name) as path:
                self.add_font(_FONT, style, path)
        self._letters = frozenset.intersection(
            *(frozenset(one.cmap) for one in self.fonts.values() if isinstance(one, TTFFont))
        )

    def lines(
        self,
        text: str,
        height: float,
        *,
        width: float | None = None,
        align: Align = Align.L,
        markdown: bool = False,
    ) -> None:
        """Print text, wrapped; the next thing starts below at the left margin."""
        self.multi_cell(
            width or self.epw,
            height,
            self.printable(text),
            align=align,
            markdown=markdown,
            new_x=XPos.LMARGIN,
            new_y=YPos.NEXT,
        )

    def one_line(self, text: str, width: float) -> None:
        """Print one line, cut short where it does not fit."""
        self.cell(width, 5, self.cut(text, width))

    def cut(self, text: str, width: float) -> str:
        """Return text as it fits a width, with dots where it was cut."""
        text = self.printable(text)
        if self.get_string_width(text) <= width:
            return text
        while text and self.get_string_width(text + "…") > width:
            text = text[:-1].rstrip()
        return text + "…"

    def fit_words(self, text: str, width: float, smallest_pt: float) -> None:
        """Make the type smaller, down to a limit, until no word has to be broken."""
        words, size = self.printable(text).split(), self.font_size_pt
        while size > smallest_pt and max(map(self.get_string_width, words), default=0) > width:
            size -= 0.5
            self.set_font_size(size)

    def rule(self) -> None:
        """Draw a line from margin to margin."""
        self.line(self.l_margin, self.get_y(), self.w - self.r_margin, self.get_y())

    def fitted(self, text: str, width: float) -> None:
        """Print a name on one line, in smaller type where it is long."""
        size = self.font_size_pt
        while size > _SMALLEST_PT and self.get_string_width(self.printable(text)) > width - 4:
            size -= 0.5
            self.set_font_size(size)
        self.one_line(text, width - 4)

    def ink(
        self, size_pt: float, *, bold: bool = False, color: tuple[int, int, int] = BLACK
    ) -> None:
        """Choose size, weight and colour of what comes next."""
        self.set_font(_FONT, "B" if bold else "", size_pt)
        self.set_text_color(*color)

    def section(self, title: str) -> None:
        """Begin a section, on this page if some of it fits."""
        self.keep(24)
        self.ink(10, bold=True)
        self.lines(title, 5.5)
        self.ln(0.8)

    def keep(self, height_mm: float) -> None:
        """Begin a page unless so much room is left on this one."""
        if self.room_mm() < height_mm:
            self.add_page()

    def printable(self, text: str) -> str:
        """Return text with a box for each letter the fonts lack, and no line breaks."""
        return "".join(
            one if ord(one) in self._letters else " " if one.isspace() else _MISSING
            for one in text
        )

    def room_mm(self) -> float:
        """Return how much of this page is left."""
        return float(self.h - self.b_margin - self.get_y())
