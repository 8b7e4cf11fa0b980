"""Traces of button lines: what edges come when. Read from files or drawn with a seed."""

import csv
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from hardware.debounce import (
    DebounceSettings,
    Down,
    Faulty,
    Healed,
    HeldLong,
    Line,
    LineEvent,
    Up,
    begin,
    due_s,
    edge,
    tick,
)

Trace = list[tuple[float, bool]]
"""(seconds, down) of each edge."""


def from_file(name: str) -> Trace:
    path = Path(__file__).parent / name
    lines = [one for one in path.read_text("utf-8").splitlines() if not one.startswith("#")]
    return [(float(row["t_ms"]) / 1000, row["down"] == "1") for row in csv.DictReader(lines)]


def fast_presses(count: int, down_s: float, up_s: float) -> Trace:
    trace: Trace = []
    for number in range(count):
        at_s = 1.0 + number * (down_s + up_s)
        trace += [(at_s, True), (at_s + down_s, False)]
    return trace


def spikes(every_s: float, lasts_s: float, until_s: float) -> Trace:
    trace: Trace = []
    at_s = every_s
    while at_s < until_s:
        trace += [(at_s, True), (at_s + lasts_s, False)]
        at_s += every_s
    return trace


def chatter(seed: int, lasts_s: float = 0.3, mean_s: float = 0.006) -> Trace:
    """A loose contact: levels that last as chance will have it, then silence."""
    rng = np.random.default_rng(seed)
    trace: Trace = []
    at_s, down = 1.0, True
    while at_s < 1.0 + lasts_s:
        trace.append((at_s, down))
        down = not down
        at_s += float(rng.exponential(mean_s))
    if trace[-1][1]:
        trace.append((at_s, False))
    return trace


def bouncing(seed: int, presses: int) -> tuple[Trace, list[float]]:
    """Presses as players make them, each edge a burst of bounces within 8 ms."""
    rng = np.random.default_rng(seed)
    trace: Trace = []
    starts: list[float] = []
    at_s = 1.0
    for _ in range(presses):
        starts.append(at_s)
        trace += _burst(rng, at_s, to=True)
        at_s += float(rng.uniform(0.06, 1.2))
        trace += _burst(rng, at_s, to=False)
        at_s += float(rng.uniform(0.08, 2.0))
    return trace, starts


def _burst(rng: np.random.Generator, at_s: float, *, to: bool) -> Trace:
    bounces = 2 * int(rng.integers(0, 5))
    later = np.sort(rng.uniform(0.0001, 0.008, bounces))
    times = [at_s, *(at_s + float(one) for one in later)]
    return [(one, to if number % 2 == 0 else not to) for number, one in enumerate(times)]


@dataclass
class Played:
    """What a line made of a trace."""

    line: Line
    events: list[LineEvent] = field(default_factory=list)

    @property
    def presses(self) -> list[float]:
        return [one.at_s for one in self.events if isinstance(one, Down)]

    @property
    def releases(self) -> list[float]:
        return [one.at_s for one in self.events if isinstance(one, Up)]

    @property
    def faults(self) -> list[str]:
        return [one.fault.value for one in self.events if isinstance(one, Faulty)]

    @property
    def calls(self) -> list[float]:
        return [one.at_s for one in self.events if isinstance(one, HeldLong)]

    @property
    def healed(self) -> int:
        return sum(isinstance(one, Healed) for one in self.events)


def play(
    trace: Trace,
    until_s: float,
    settings: DebounceSettings | None = None,
    *,
    down_at_start: bool = False,
    level: bool | None = None,
) -> Played:
    """Feed a trace, with ticks just when they are due.

    Args:
        trace: the edges.
        until_s: how long to go on.
        settings: how long is long.
        down_at_start: the level at time zero.
        level: what reading the line gives at each tick; not read where None.
    """
    settings = settings or DebounceSettings()
    heard = begin(down_at_start, 0.0)
    played = Played(heard.line, list(heard.events))

    def pass_time(to_s: float) -> None:
        while (due := due_s(played.line, settings)) is not None and due <= to_s:
            heard = tick(played.line, due, settings, down=level)
            played.line = heard.line
            played.events += heard.events
            after = due_s(played.line, settings)
            assert after is None or after > due, "a tick that was due changed nothing"

    for at_s, down in trace:
        pass_time(at_s)
        heard = edge(played.line, at_s, down, settings)
        played.line = heard.line
        played.events += heard.events
    pass_time(until_s)
    return played
