"""The lamp and the buzzer: what is shown, as data. Nothing here knows a pin or a thread."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, Protocol

from hardware.errors import Sentence


class Signal(StrEnum):
    """What the table has to say by light and sound."""

    DARK = "dark"
    YOUR_THROW = "your_throw"
    """The dice may be thrown."""
    COUNTS = "counts"
    """The throw counts, or the play is right."""
    VOID = "void"
    """The throw does not count: throw again."""
    WRONG_PLAY = "wrong_play"
    """The play breaks a law; stays until it is answered."""
    UNSURE = "unsure"
    """A person is asked; stays until it is answered."""
    REFEREE = "referee"
    """The referee was called; stays until one comes."""
    FLAG = "flag"
    """Time is up."""
    FAULT = "fault"
    """A device fails: look at the table's page."""


@dataclass(frozen=True, slots=True)
class Lit:
    """What is on."""

    green: bool = False
    amber: bool = False
    red: bool = False
    buzzer: bool = False

    @property
    def any_light(self) -> bool:
        """Whether a person who sees no colours sees light."""
        return self.green or self.amber or self.red


@dataclass(frozen=True, slots=True)
class Phase:
    """Something that is on for some time."""

    lit: Lit
    for_ms: int


@dataclass(frozen=True, slots=True)
class Pattern:
    """First the one, once; then the other, again and again. No other: it stays dark."""

    first: tuple[Phase, ...] = ()
    then: tuple[Phase, ...] = ()


class Lamp(Protocol):
    """A lamp with a buzzer."""

    def show(self, signal: Signal) -> None:
        """Show a signal from its beginning; returns at once."""
        ...

    def close(self) -> None:
        """Switch it off and give the device back. May be called twice."""
        ...


DARK: Final = Lit()
_GREEN: Final = Lit(green=True)
_AMBER: Final = Lit(amber=True)
_RED: Final = Lit(red=True)
_ALL: Final = Lit(green=True, amber=True, red=True)


def _heard(lit: Lit) -> Lit:
    return replace(lit, buzzer=True)


def _beeps(lit: Lit, count: int, on_ms: int, off_ms: int) -> tuple[Phase, ...]:
    return (Phase(_heard(lit), on_ms), Phase(DARK, off_ms)) * count


# Rhythm alone tells them apart, for people who see no colours and for people who only hear.
PATTERNS: Final[dict[Signal, Pattern]] = {
    Signal.DARK: Pattern(),
    Signal.YOUR_THROW: Pattern(then=(Phase(_GREEN, 120), Phase(DARK, 1880))),
    Signal.COUNTS: Pattern((Phase(_heard(_GREEN), 80), Phase(_GREEN, 1920))),
    Signal.VOID: Pattern((*_beeps(_RED, 2, 300, 200), Phase(_RED, 1000))),
    Signal.WRONG_PLAY: Pattern(
        (Phase(_heard(_RED), 900), Phase(DARK, 300)),
        (Phase(_RED, 600), Phase(DARK, 300)),
    ),
    Signal.UNSURE: Pattern(_beeps(_AMBER, 2, 90, 90), (Phase(_AMBER, 1200), Phase(DARK, 1200))),
    Signal.REFEREE: Pattern(
        _beeps(_ALL, 3, 150, 100),
        (Phase(_ALL, 150), Phase(DARK, 150), Phase(_ALL, 150), Phase(DARK, 950)),
    ),
    Signal.FLAG: Pattern((Phase(_heard(_RED), 1500),), (Phase(_RED, 1000),)),
    Signal.FAULT: Pattern(
        _beeps(_AMBER, 4, 60, 60),
        (Phase(_RED, 200), Phase(DARK, 100), Phase(_AMBER, 200), Phase(DARK, 100)),
    ),
}

SIGNAL_WORDS: Final[dict[Signal, Sentence]] = {
    Signal.DARK: Sentence("не горит", "dark"),
    Signal.YOUR_THROW: Sentence(
        "зелёная, короткая вспышка раз в 2 с", "green, a short flash every 2 s"
    ),
    Signal.COUNTS: Sentence(
        "зелёная горит 2 с, короткий сигнал", "green for 2 s, one short beep"
    ),
    Signal.VOID: Sentence(
        "красная, две вспышки с двумя сигналами, затем горит 1 с",
        "red, two flashes with two beeps, then on for 1 s",
    ),
    Signal.WRONG_PLAY: Sentence(
        "красная мигает размеренно, сначала длинный сигнал",
        "red, blinking evenly, after one long beep",
    ),
    Signal.UNSURE: Sentence(
        "жёлтая мигает медленно, сначала два коротких сигнала",
        "amber, blinking slowly, after two short beeps",
    ),
    Signal.REFEREE: Sentence(
        "все три, двойные вспышки, сначала три сигнала",
        "all three, double flashes, after three beeps",
    ),
    Signal.FLAG: Sentence(
        "красная горит без перерыва, сначала очень длинный сигнал",
        "red, steady, after one very long beep",
    ),
    Signal.FAULT: Sentence(
        "красная и жёлтая быстро по очереди, сначала четыре очень коротких сигнала",
        "red and amber in quick turns, after four very short beeps",
    ),
}


def lit_at(pattern: Pattern, elapsed_ms: int) -> tuple[Lit, int | None]:
    """Return what is on some time after a pattern began, and when that changes.

    Returns:
        What is on, and the time from the pattern's beginning at which to look again; None when
        nothing changes any more.
    """
    began_ms = 0
    for phase in pattern.first:
        if elapsed_ms < began_ms + phase.for_ms:
            return phase.lit, began_ms + phase.for_ms
        began_ms += phase.for_ms
    round_ms = sum(phase.for_ms for phase in pattern.then)
    if round_ms == 0:
        return DARK, None
    if len(pattern.then) == 1:
        return pattern.then[0].lit, None
    began_ms += (elapsed_ms - began_ms) // round_ms * round_ms
    for phase in pattern.then:
        began_ms += phase.for_ms
        if elapsed_ms < began_ms:
            return phase.lit, began_ms
    raise AssertionError("the rounds cover all time")
