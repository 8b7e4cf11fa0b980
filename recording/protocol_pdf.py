"""The protocol sheet as an A4 PDF, in Russian or English, ready to be signed.

The same protocol and date make the same bytes. Fonts are embedded; a letter they lack is
printed as an empty box and never stops a sheet.
"""

from datetime import datetime
from typing import Final

from fpdf import FontFace
from fpdf.enums import Align, TableBordersLayout
from fpdf.table import Table

from recording.protocol import Protocol, rule_lines, verdict_sentence
from recording.protocol_columns import Column, columns_of, game_row, total_row
from recording.protocol_paper import BLACK, GREY, SHADE, Paper
from recording.protocol_words import WORDS, Words, date_text
from referee.timer_words import describe_control
from rules.explain import Explanation

_HAND_LINES: Final = 3
_HAND_LINE_MM: Final = 7.5
_SIGNATURE_MM: Final = 13.5
_NAME_PT: Final = 13.0
_SMALL_NAME_PT: Final = 9.0
_CELL: Final = (0.9, 0.8)
"""Space above and below, left and right of a cell's text, in mm."""


def protocol_pdf(protocol: Protocol, language: str, created: datetime) -> bytes:
    """Return the sheet as a PDF.

    Args:
        protocol: what to print.
        language: `ru` or `en`.
        created: the file's date, time zone included; the sheet's own is `protocol.day`.
    """
    sheet = _Sheet(protocol, language)
    sheet.set_creation_date(created)
    sheet.heading()
    sheet.facts()
    sheet.players()
    sheet.games()
    sheet.remarks()
    sheet.rules()
    sheet.by_hand()
    sheet.signatures()
    return bytes(sheet.output())


class _Sheet(Paper):
    """One protocol being printed, section by section."""

    def __init__(self, protocol: Protocol, language: str) -> None:
        super().__init__()
        self._protocol = protocol
        self._russian = language == "ru"
        self._language = "ru" if self._russian else "en"
        self._words: Words = WORDS[self._language]
        names = " – ".join(map(self.printable, protocol.players))
        self.set_title(f"{self._words.title}: {names}")
        self.set_subject(protocol.event)
        self.set_lang(self._language)
        self.set_creator("Zarbiter")
        self.set_producer("Zarbiter")
        self.add_page()

    # --- parts of every page ---

    def header(self) -> None:
        """Name the match again at the top of further pages."""
        if self.page_no() == 1:
            return
        self.ink(8, color=GREY)
        self.one_line(self._short_title(), self.epw)
        self.ln(5.5)
        self.rule()
        self.ln(5)

    def footer(self) -> None:
        """Number the pages."""
        self.set_y(4 - self.b_margin)
        self.ink(8, color=GREY)
        # On the left: the number of pages is filled in at the end and would shift a right edge.
        self.cell(self.epw, 4, self._words.page.format(page=self.page_no(), pages="{nb}"))

    # --- sections ---

    def heading(self) -> None:
        """Print the event and what sheet this is."""
        protocol, words = self._protocol, self._words
        if protocol.event:
            self.ink(11, color=GREY)
            self.lines(protocol.event, 5.5)
            self.ln(0.5)
        self.ink(19, bold=True)
        parts = [words.title]
        if protocol.number:
            parts.append(f"{words.number} {protocol.number}")
        title = " ".join(parts)
        if protocol.season:
            title += f", {words.season} {protocol.season}"
        self.lines(title, 9)
        self.ln(2)

    def facts(self) -> None:
        """Print date, place, rules and time in two columns."""
        protocol, words = self._protocol, self._words
        day = date_text(protocol.day, self._language)
        if not protocol.day_synced:
            day += f" {words.not_synced}"
        length = words.no_length
        if protocol.length is not None:
            word = self._points_word(protocol.length)
            length = words.to.format(points=protocol.length, word=word)
        clock = words.no_clock
        if protocol.control is not None:
            clock = self._say(describe_control(protocol.control))
        rules = f"{protocol.variant.title(self._language)} ({protocol.variant.name})"
        left = [
            (words.date, day),
            (words.place, protocol.place),
            (words.stage, protocol.stage),
            (words.rules, rules),
        ]
        right = [
            (words.table, protocol.table),
            (words.length, length),
            (words.referee, protocol.referee or words.nobody),
            (words.clock, clock),
        ]
        self._pairs(left, right)
        self.ln(3.5)

    def players(self) -> None:
        """Print the names and the score, large, and the result as a sentence."""
        protocol = self._protocol
        labels = self._labels()
        score_mm = 34.0
        name_mm = (self.epw - score_mm) / 2
        top = self.get_y()
        bottoms = []
        for index, align in ((0, Align.L), (1, Align.R)):
            x = self.l_margin + index * (name_mm + score_mm)
            self.set_xy(x, top + 2.5)
            self.ink(8, color=GREY)
            self.cell(name_mm, 4, labels[index], align=align)
            self.set_xy(x, top + 7)
            self.ink(_NAME_PT, bold=True)
            self.fit_words(protocol.players[index], name_mm, _SMALL_NAME_PT)
            self.lines(protocol.players[index], 6, width=name_mm, align=align)
            bottoms.append(self.get_y())
        bottom = max(bottoms) + 2.5
        first, second = protocol.score
        self.ink(24, bold=True)
        self.set_xy(self.l_margin + name_mm, top)
        self.cell(score_mm, bottom - top, f"{first} : {second}", align=Align.C)
        for y in (top, bottom):
            self.set_xy(self.l_margin, y)
            self.rule()
        self.set_xy(self.l_margin, bottom + 2)
        self.ink(10)
        self.lines(self._say(verdict_sentence(protocol)), 5.5)
        self.ln(2)

    def games(self) -> None:
        """Print a line for each game and the totals; headings come again on every page."""
        protocol, words = self._protocol, self._words
        if not protocol.games:
            return
        self.section(words.games)
        columns = columns_of(protocol, words)
        names = self._short_names(columns)
        self.ink(8.5)
        self.set_draw_color(*GREY)
        with self.table(
            width=self.epw,
            align=Align.L,
            col_widths=tuple(column.width_mm for column in columns),
            text_align=tuple(column.align for column in columns),
            borders_layout=TableBordersLayout.HORIZONTAL_LINES,
            headings_style=FontFace(emphasis="BOLD", size_pt=7, fill_color=SHADE),
            num_heading_rows=2,
            line_height=4.0,
            padding=_CELL,
        ) as table:
            self._headings(table, columns)
            for game in protocol.games:
                row = game_row(protocol, game, names, self._language)
                table.row([self.printable(text) for text in row])
            table.row(total_row(protocol, words), style=FontFace(emphasis="BOLD"))
        self.rule()
        self.set_draw_color(*BLACK)
        self.ln(1)
        self.ink(7.5, color=GREY)
        first, second = protocol.players
        self.lines(words.order.format(first=first, second=second), 3.6)
        self.ln(3)

    def remarks(self) -> None:
        """Print disputes and how they were decided."""
        protocol, words = self._protocol, self._words
        if not protocol.remarks:
            return
        self.section(words.remarks)
        self.ink(8.5)
        self.set_draw_color(*GREY)
        with self.table(
            width=self.epw,
            align=Align.L,
            col_widths=(22, self.epw - 22),
            text_align=(Align.L, Align.L),
            borders_layout=TableBordersLayout.HORIZONTAL_LINES,
            first_row_as_headings=False,
            line_height=4.2,
            padding=(0.8, 0.8),
        ) as table:
            for remark in protocol.remarks:
                where = words.of_match
                if remark.game is not None:
                    where = f"{words.of_game} {remark.game}"
                table.row([where, self.printable(self._say(remark.text))])
        self.set_draw_color(*BLACK)
        self.ln(3)

    def rules(self) -> None:
        """Print every law in force, in small running type."""
        protocol, words = self._protocol, self._words
        laws = rule_lines(protocol.variant, self._language)
        self.section(f"{words.rules_in_force}: {protocol.variant.title(self._language)}")
        self.ink(7.5)
        text = "; ".join(
            f"**{title}:** {value}{' *' if changed else ''}" for title, value, changed in laws
        )
        self.lines(f"{text}.", 3.7, markdown=True)
        self.ink(7.5, color=GREY)
        if any(changed for _, _, changed in laws):
            self.lines(words.changed, 3.7)
        if not protocol.variant.verified:
            self.lines(words.unverified, 3.7)
        self.ln(2.5)

    def by_hand(self) -> None:
        """Leave lines to write on."""
        # Kept together with the signatures; where the page is nearly full, fewer lines.
        lines = _HAND_LINES
        while lines > 1 and self.room_mm() < self._by_hand_mm(lines):
            lines -= 1
        if self.room_mm() < self._by_hand_mm(lines):
            self.add_page()
            lines = _HAND_LINES
        self.section(self._words.by_hand)
        for _ in range(lines):
            self.ln(_HAND_LINE_MM)
            self.rule()
        self.ln(5)

    def signatures(self) -> None:
        """Print a line for each signer, and what ties the sheet to its record."""
        protocol, words = self._protocol, self._words
        first, second = protocol.score
        self.section(words.signatures.format(first=first, second=second))
        labels = self._labels()
        signers = [*zip(labels, protocol.players, strict=True)]
        signers.append((words.referee, protocol.referee))
        for label, name in signers:
            self._signature(label, name)
        self._seal()

    # --- pieces ---

    def _signature(self, label: str, name: str) -> None:
        top, name_mm, line_mm = self.get_y(), 92.0, 78.0
        x = self.w - self.r_margin - line_mm
        self.ink(7.5, color=GREY)
        self.cell(name_mm, 4, label)
        self.set_xy(self.l_margin, top + 4.6)
        self.ink(10, bold=True)
        if name:
            self.fitted(name, name_mm)
        else:
            self.line(self.l_margin, top + 9.5, self.l_margin + name_mm - 6, top + 9.5)
        self.line(x, top + 9.5, x + line_mm, top + 9.5)
        self.ink(7, color=GREY)
        self.set_xy(x, top + 9.7)
        self.cell(line_mm / 2, 3.5, self._words.signature)
        self.cell(line_mm / 2, 3.5, self._words.date.lower(), align=Align.R)
        self.set_xy(self.l_margin, top + _SIGNATURE_MM)

    def _labels(self) -> tuple[str, str]:
        """Name the players by colour, by number too where they change colours."""
        words = self._words
        if self._protocol.colors_swap:
            return f"1) {words.white_in_first}", f"2) {words.black_in_first}"
        return words.white, words.black

    def _seal(self) -> None:
        seal, words = self._protocol.seal, self._words
        if seal is None:
            return
        signed = f"{words.signed_by} {seal.key_fingerprint}"
        if seal.key_fingerprint is None:
            signed = words.unsigned
        self.ink(7, color=GREY)
        self.ln(1)
        row = "" if seal.row is None else f"{seal.row}:"
        self.lines(f"{words.record} SHA-256 {row}{_in_groups(seal.record_sha256)}", 3.4)
        self.lines(f"{signed}; {words.verify}", 3.4)

    def _by_hand_mm(self, lines: int) -> float:
        """Return the room for so many lines and the signatures below them."""
        return 11.5 + lines * _HAND_LINE_MM + self._signatures_mm()

    def _signatures_mm(self) -> float:
        return 6.5 + 3 * _SIGNATURE_MM + (8 if self._protocol.seal else 0)

    def _headings(self, table: Table, columns: list[Column]) -> None:
        """Print two rows of headings; a group stands once, above its columns."""
        upper, lower, done = table.row(), table.row(), ""
        for column in columns:
            if not column.group:
                upper.cell(column.label, rowspan=2)
                continue
            if column.group != done:
                size = sum(one.group == column.group for one in columns)
                upper.cell(column.group, align=Align.C, colspan=size)
                done = column.group
            lower.cell(column.label)

    def _short_names(self, columns: list[Column]) -> tuple[str, str]:
        """Return the players' names as they fit one line of a column, never two alike."""
        self.ink(8.5)
        width = next(one.width_mm for one in columns if one.label == self._words.winner)
        width -= 2 * _CELL[1]
        players = self._protocol.players
        first, second = (self.cut(name, width) for name in players)
        if first == second or self._protocol.colors_swap:
            first, second = (self.cut(f"{n}) {one}", width) for n, one in enumerate(players, 1))
        return first, second

    def _pairs(self, left: list[tuple[str, str]], right: list[tuple[str, str]]) -> None:
        """Print label and value, two pairs a line; empty values are left out."""
        columns = [[pair for pair in side if pair[1]] for side in (left, right)]
        width = self.epw / 2
        top, bottoms = self.get_y(), []
        for index, pairs in enumerate(columns):
            self.set_y(top)
            for label, value in pairs:
                self._pair(label, value, self.l_margin + index * width, width - 4)
            bottoms.append(self.get_y())
        self.set_y(max(bottoms))

    def _pair(self, label: str, value: str, x: float, width: float) -> None:
        label_mm = 19.0
        self.set_x(x)
        self.ink(9, color=GREY)
        self.cell(label_mm, 5, label)
        self.ink(9)
        self.lines(value, 5, width=width - label_mm)

    def _say(self, text: Explanation) -> str:
        return text.ru if self._russian else text.en

    def _points_word(self, number: int) -> str:
        if not self._russian:
            return "point" if number == 1 else "points"
        # "до 1 очка", "до 21 очка", but "до 7 очков", "до 11 очков".
        return "очка" if number % 10 == 1 and number % 100 != 11 else "очков"

    def _short_title(self) -> str:
        protocol, words = self._protocol, self._words
        parts = [words.title]
        if protocol.number:
            parts[0] += f" {words.number} {protocol.number}"
        parts += [" – ".join(protocol.players), date_text(protocol.day, self._language)]
        return "   ·   ".join(parts)


def _in_groups(text: str) -> str:
    return " ".join(text[at : at + 8] for at in range(0, len(text), 8))
