"""Two clock buttons together: edges in, events out. One thread's; no hardware, no waiting."""

from collections.abc import Mapping
from typing import assert_never

from hardware.button import Press, SideName
from hardware.button_events import (
    BothPressed,
    ButtonEvent,
    ButtonFault,
    ButtonHealed,
    ButtonHealth,
    RefereeCall,
)
from hardware.debounce import (
    DebounceSettings,
    Down,
    Faulty,
    Healed,
    Heard,
    HeldLong,
    Line,
    Up,
    begin,
    due_s,
    edge,
    tick,
)


class ButtonBoard:
    """The lines of both buttons.

    Args:
        levels: which buttons are down now; their keys say which buttons there are.
        at_s: now.
        settings: how long is long.
    """

    def __init__(
        self,
        levels: Mapping[SideName, bool],
        at_s: float,
        settings: DebounceSettings | None = None,
    ) -> None:
        self._settings = settings or DebounceSettings()
        self._lines: dict[SideName, Line] = {}
        self._presses: dict[SideName, int] = dict.fromkeys(levels, 0)
        self.at_start: tuple[ButtonEvent, ...] = ()
        """What was wrong from the beginning."""
        for side, down in levels.items():
            self.at_start += self._heard(side, begin(down, at_s))

    def edge(self, side: SideName, at_s: float, down: bool) -> tuple[ButtonEvent, ...]:
        """Take an edge of one line, with the time it fell."""
        return self._heard(side, edge(self._lines[side], at_s, down, self._settings))

    def tick(
        self, now_s: float, levels: Mapping[SideName, bool] | None = None
    ) -> tuple[ButtonEvent, ...]:
        """Let time pass; levels just read uncover edges that got lost."""
        events: tuple[ButtonEvent, ...] = ()
        for side in tuple(self._lines):
            down = None if levels is None else levels.get(side)
            heard = tick(self._lines[side], now_s, self._settings, down=down)
            events += self._heard(side, heard)
        return events

    def due_s(self) -> float | None:
        """Return when the next tick is wanted; None while nothing is to come."""
        due = [due_s(line, self._settings) for line in self._lines.values()]
        return min((one for one in due if one is not None), default=None)

    def health(self) -> tuple[ButtonHealth, ...]:
        """Say how each line is."""
        return tuple(
            ButtonHealth(
                side, line.settled, self._presses[side], line.noise, line.missed, line.fault
            )
            for side, line in self._lines.items()
        )

    def _heard(self, side: SideName, heard: Heard) -> tuple[ButtonEvent, ...]:
        self._lines[side] = heard.line
        events: list[ButtonEvent] = []
        for event in heard.events:
            match event:
                case Down(at_s):
                    self._presses[side] += 1
                    events.append(Press(at_s, side))
                    events += self._both(side, at_s)
                case HeldLong(at_s):
                    events.append(RefereeCall(at_s, side))
                case Faulty(at_s, fault):
                    events.append(ButtonFault(at_s, side, fault))
                case Healed(at_s):
                    events.append(ButtonHealed(at_s, side))
                case Up():
                    pass
                case _:
                    assert_never(event)
        return tuple(events)

    def _both(self, side: SideName, at_s: float) -> list[ButtonEvent]:
        for other, line in self._lines.items():
            if other != side and line.settled and line.fault is None:
                apart_s = abs(at_s - line.settled_s)
                return [BothPressed(max(at_s, line.settled_s), apart_s)]
        return []
