"""The printable sheet a lens is measured with, at its true size, with a ruler."""

from typing import Final, Literal

from calibration.sheet import CELLS_PER_SQUARE, DEFAULT_SHEET, Sheet
from recording.protocol_paper import Paper

_PAGE_MM: Final = (297.0, 210.0)
_TOP_MM: Final = 10.0
RULER_MM: Final = 200

_WORDS: Final = {
    "en": (
        "Zarbiter · sheet for measuring a camera's lens",
        "Print at 100 %, not fitted to the page: the ruler must be 200 mm long. Glue the sheet "
        "to something flat. Take at least 8 pictures from different sides and distances, some "
        "of them aslant, so that the sheet is once in every part of the picture. "
        "Then: zarbiter calibrate --lens PICTURES",
    ),
    "ru": (
        "Zarbiter · лист для измерения объектива камеры",
        "Печатайте в масштабе 100 %, без подгонки под страницу: линейка должна быть 200 мм. "
        "Наклейте лист на что-нибудь ровное. Снимите не меньше 8 кадров с разных сторон и "
        "расстояний, часть из них наискось, чтобы лист побывал во всех частях кадра. "
        "Затем: zarbiter calibrate --lens СНИМКИ",
    ),
}


def sheet_pdf(language: Literal["ru", "en"] = "en", sheet: Sheet = DEFAULT_SHEET) -> bytes:
    """Return the sheet as one page, A4 across; all of it is drawn as vectors."""
    paper = Paper()
    paper.set_auto_page_break(False)
    paper.set_margins(12, 8, 12)
    paper.add_page(orientation="landscape")
    title, words = _WORDS[language]
    paper.set_title(title)
    width, height = sheet.size_mm
    _draw_squares(paper, sheet, (_PAGE_MM[0] - width) / 2)
    _draw_ruler(paper, (_PAGE_MM[0] - RULER_MM) / 2, _TOP_MM + height + 9.0)
    paper.set_xy(paper.l_margin, _TOP_MM + height + 17.0)
    paper.ink(10, bold=True)
    paper.lines(title, 5)
    paper.ink(8)
    paper.lines(words, 4)
    return bytes(paper.output())


def _draw_squares(paper: Paper, sheet: Sheet, left_mm: float) -> None:
    """Fill the black cells, in runs: no hairline then shows between neighbours."""
    step = sheet.square_mm / CELLS_PER_SQUARE
    cells = sheet.black_cells()
    paper.set_fill_color(0, 0, 0)
    drawn: dict[tuple[int, int], int] = {}
    runs: list[tuple[int, int, int, int]] = []
    for y, row in enumerate(cells):
        at, open_ = 0, {}
        while at < len(row):
            end = at
            while end < len(row) and row[end]:
                end += 1
            if end > at:
                # A run just like the one above it makes that one taller.
                above = drawn.get((at, end))
                if above is None:
                    runs.append((at, y, end - at, 1))
                    open_[at, end] = len(runs) - 1
                else:
                    x, top, wide, tall = runs[above]
                    runs[above] = (x, top, wide, tall + 1)
                    open_[at, end] = above
            at = end + 1
        drawn = open_
    for x, y, wide, tall in runs:
        paper.rect(left_mm + x * step, _TOP_MM + y * step, wide * step, tall * step, style="F")


def _draw_ruler(paper: Paper, left_mm: float, top_mm: float) -> None:
    paper.set_line_width(0.2)
    paper.line(left_mm, top_mm, left_mm + RULER_MM, top_mm)
    paper.ink(6)
    for mm in range(RULER_MM + 1):
        tall = 3.0 if mm % 10 == 0 else 2.0 if mm % 5 == 0 else 1.2
        paper.line(left_mm + mm, top_mm, left_mm + mm, top_mm - tall)
        if mm % 20 == 0:
            label = f"{mm} mm" if mm == RULER_MM else str(mm)
            paper.set_xy(left_mm + mm - 10, top_mm + 0.5)
            paper.cell(20, 3, label, align="C")
