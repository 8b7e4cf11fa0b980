"""`zarbiter demo`: a match on the simulated table, refereed, clocked, recorded and exported.

The referee gets pictures and button presses, as from a real table. What was really thrown and
played the players keep to themselves; only the comparison at the end opens it.
"""

import json
import tempfile
import webbrowser
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from recording.mat_write import ExportError, write_mat
from recording.sgf_write import write_sgf
from recording.verify import verify_record
from referee.arbiter import MatchSetup, Role
from referee.arbiter.codec import to_entry
from referee.arbiter.events import (
    Event,
    PlayRuled,
    ThrowRuled,
)
from referee.arbiter.sentences import SIDES
from referee.timer_presets import TimeControl, control_named
from rules import Variant
from table.incidents import IncidentError, plan_named
from table.looks import LOOKS
from web.settings import WebSettings
from zarbiter.dashboard import Dashboard
from zarbiter.demo_stage import Stage, StageSettings
from zarbiter.demo_truth import compare
from zarbiter.live import Step
from zarbiter.record_export import RecordedMatch, recorded_match

MOST_TURNS = 2000
_CLOCK, _SHORT_CLOCK = "10m+12s delay", "30s+8s delay"
"""Nobody watches a flag for ten minutes."""
_NAMES = {"ru": ("Анна", "Борис"), "en": ("Anna", "Boris")}


class DemoError(ValueError):
    """A demo that cannot be shown as asked."""


@dataclass(frozen=True, slots=True)
class DemoOptions:
    """What is to be shown."""

    variant: Variant
    seed: int = 1
    turns: int | None = 8
    """None: to the end of the match."""
    length: int = 1
    look: str = "walnut"
    incidents: str = "few"
    role: Role = Role.REFEREE
    clock: TimeControl | None = None
    """None: one that suits what is shown."""
    keep: Path | None = None
    as_json: bool = False
    language: str = "en"
    speed: float | None = None
    """How fast beside real time; None: as fast as this machine can."""
    port: int | None = None
    """Of the dashboard; None: there is none."""
    browser: bool = True
    """Whether a browser is opened on the dashboard."""

    def __post_init__(self) -> None:
        if self.turns is not None and not 1 <= self.turns <= MOST_TURNS:
            raise DemoError(f"a demo has 1 to {MOST_TURNS} turns, not {self.turns}")
        if self.seed < 0:
            raise DemoError(f"a seed is a number from 0 up, not {self.seed}")
        if self.length < 1:
            raise DemoError(f"a match has at least one point, not {self.length}")
        if self.speed is not None and not 0.1 <= self.speed <= 20:
            raise DemoError(f"a speed is from 0.1 to 20, not {self.speed:g}")
        if self.look not in LOOKS:
            raise DemoError(f"no board looks like {self.look!r}; there are {', '.join(LOOKS)}")
        keep = self.keep
        if keep is not None and keep.exists() and (not keep.is_dir() or any(keep.iterdir())):
            raise DemoError(f"{keep} is in use; name a new folder for the record")
        try:
            plan_named(self.incidents)
        except IncidentError as error:
            raise DemoError(str(error)) from error


def run_demo(options: DemoOptions, *, out: TextIO, err: TextIO) -> int:
    """Play, referee, record, export, compare; show it on the dashboard if asked.

    Returns:
        0; 1 when the record does not verify or a ruling was wrong.

    Raises:
        RecordError: the record cannot be kept where it was asked for.
        OSError: the exports cannot be written, or the dashboard's port is taken.
    """
    with tempfile.TemporaryDirectory(prefix="zarbiter-demo-") as scratch:
        folder = options.keep or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        with Stage(_settings(options, folder)) as stage:
            shown = None
            if options.port is not None:
                web = WebSettings(folder, port=options.port, language=options.language)
                shown = Dashboard(stage.service, web)
            try:
                if shown is not None:
                    _announce(shown.url, options, err)
                for step in stage.play():
                    for line in _lines(step, options):
                        out.write(f"{line}\n")
                        out.flush()
                stage.sign()
                status = _report(stage, options, folder, err)
                if shown is not None:
                    _linger(stage, options, err)
            finally:
                if shown is not None:
                    shown.close()
    return status


def _settings(options: DemoOptions, folder: Path) -> StageSettings:
    white, black = _NAMES[options.language]
    usual = _SHORT_CLOCK if options.incidents == "flag_fall" else _CLOCK
    agreed = MatchSetup(
        rules=options.variant.name,
        white=white,
        black=black,
        length=options.length,
        clock=options.clock or control_named(usual),
        role=options.role,
    )
    return StageSettings(
        options.variant,
        agreed,
        folder,
        options.seed,
        options.turns,
        options.look,
        options.incidents,
        options.speed,
    )


def _report(stage: Stage, options: DemoOptions, folder: Path, err: TextIO) -> int:
    ru = options.language == "ru"
    place = folder / "record"
    kept = recorded_match(place)
    told = compare(stage.truth, kept.kept.events)
    found = verify_record(place)
    err.write(
        f"{'Запись' if ru else 'Record'}: {found.explain[0 if ru else 1]}\n"
        + (
            f"Бросков {told.throws}, ходов {told.plays}; людей спросили {told.asked} раз; "
            f"неверных решений {len(told.wrong)}.\n"
            if ru
            else f"{told.throws} throws and {told.plays} plays ruled, people asked "
            f"{told.asked} times; against the truth: {len(told.wrong)} wrong.\n"
        )
    )
    for one in told.wrong:
        err.write(f"  {one}\n")
    if options.keep is not None:
        for path in _export(kept, folder, options.language):
            err.write(f"{path}\n")
    return 1 if told.wrong or found.broken else 0


def _announce(url: str, options: DemoOptions, err: TextIO) -> None:
    ru = options.language == "ru"
    err.write(f"{'Панель' if ru else 'Dashboard'}: {url}\n")
    err.flush()
    if options.browser:
        # Where no browser can be opened the address above is there to be typed.
        webbrowser.open(url)


def _linger(stage: Stage, options: DemoOptions, err: TextIO) -> None:
    """Keep the dashboard open until Ctrl-C: there is a whole match to look at."""
    err.write(
        "Панель остаётся открытой; Ctrl-C — конец.\n"
        if options.language == "ru"
        else "The dashboard stays open; Ctrl-C ends.\n"
    )
    err.flush()
    try:
        while True:
            stage.service.turn(1.0)
    except KeyboardInterrupt:
        return


def _lines(step: Step, options: DemoOptions) -> Iterator[str]:
    """Yield what a person, or a program, reads of a step."""
    if options.as_json:
        for event in step.settled.events:
            kind, _, data = to_entry(event)
            row = {"event": kind, "t_s": event.at_ms / 1000, **data}
            yield json.dumps(row, ensure_ascii=False)
        return
    ru = options.language == "ru"
    at_s = step.event.at_ms / 1000
    side = _side_of(step.settled.events, ru=ru)
    for said in step.settled.said:
        text = said.ru if ru else said.en
        who = side if said.code in ("ruling", "throw_valid") else ""
        yield f"{at_s:8.2f} s  {who}{text}"
    if step.settled.refused is not None:
        refused = step.settled.refused
        yield f"{at_s:8.2f} s  {refused.ru if ru else refused.en}"


def _side_of(events: tuple[Event, ...], *, ru: bool) -> str:
    for event in events:
        if isinstance(event, ThrowRuled | PlayRuled):
            name = SIDES[event.side][0 if ru else 1]
            return f"{name[0].upper()}{name[1:]}: "
    return ""


def _export(recorded: RecordedMatch, folder: Path, language: str) -> Iterator[Path]:
    """Write the protocol sheet and the match files beside the record."""
    match = recorded.transcript
    long = not recorded.story.state.variant.hits
    sheets: list[tuple[str, bytes]] = [("protocol.pdf", recorded.pdf(language))]
    sheets.append(("throws.csv", recorded.csv()))
    try:
        name = "match.nardy.mat" if long else "match.mat"
        sheets.append((name, write_mat(match).encode()))
        if not long:
            sheets.append(("match.sgf", write_sgf(match).encode()))
    except ExportError:
        # A game set up by hand has no place in these formats; the record has it all.
        pass
    for name, data in sheets:
        (folder / name).write_bytes(data)
        yield folder / name
