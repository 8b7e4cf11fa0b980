"""What a pair of clock buttons tells, and what is said of a faulty one."""

from dataclasses import dataclass
from typing import TypeAlias

from hardware.button import Press, SideName
from hardware.debounce import LineFault
from hardware.errors import Sentence


@dataclass(frozen=True, slots=True)
class RefereeCall:
    """A player holds the button down: the referee is wanted. The press itself came before."""

    at_s: float
    side: SideName


@dataclass(frozen=True, slots=True)
class BothPressed:
    """Both buttons are down at once. Both presses are told besides; the clock judges them."""

    at_s: float
    """Of the later press."""
    apart_s: float
    """How long the earlier one was down already."""


@dataclass(frozen=True, slots=True)
class ButtonFault:
    """A button's line went wrong: its presses do not count until it is quiet."""

    at_s: float
    side: SideName
    fault: LineFault

    @property
    def sentence(self) -> Sentence:
        """What is wrong and what to do."""
        return _WORDS[self.fault, self.side]


@dataclass(frozen=True, slots=True)
class ButtonHealed:
    """A faulty line is quiet again and its presses count."""

    at_s: float
    side: SideName

    @property
    def sentence(self) -> Sentence:
        """Say so."""
        ru, en = _SIDES[self.side]
        return Sentence(f"Кнопка {ru} снова исправна.", f"{en}'s button works again.")


ButtonEvent: TypeAlias = Press | RefereeCall | BothPressed | ButtonFault | ButtonHealed


@dataclass(frozen=True, slots=True)
class ButtonHealth:
    """A button's line, for the dashboard."""

    side: SideName
    down: bool
    presses: int
    noise: int
    """Disturbances that came to nothing."""
    missed: int
    """Edges that never came."""
    fault: LineFault | None

    def to_json(self) -> dict[str, object]:
        """Write it for the dashboard."""
        return {
            "side": self.side,
            "down": self.down,
            "presses": self.presses,
            "noise": self.noise,
            "missed": self.missed,
            "fault": None if self.fault is None else self.fault.value,
        }


_SIDES: dict[SideName, tuple[str, str]] = {"w": ("белых", "White"), "b": ("чёрных", "Black")}
_ELSE = Sentence(
    "Пока она не считается; часы переключает клавиатура или страница стола.",
    "Meanwhile it does not count; the keyboard or the table's page switches the clock.",
)
_FAULTS = {
    LineFault.STUCK_AT_START: Sentence(
        "была нажата уже при включении: отпустите её или проверьте провод.",
        "was down already at the start: let it go, or look for a short in its wire.",
    ),
    LineFault.STUCK: Sentence(
        "нажата слишком долго: уберите то, что на ней лежит, или проверьте провод.",
        "has been down for too long: remove what lies on it, or look for a short in its wire.",
    ),
    LineFault.CHATTERING: Sentence(
        "дребезжит, как не может палец: проверьте контакт, провод и подтяжку к 3,3 В.",
        "chatters as no finger can: check the contact, the wire and the pull-up to 3.3 V.",
    ),
}
_WORDS: dict[tuple[LineFault, SideName], Sentence] = {
    (fault, side): Sentence(f"Кнопка {ru} {said.ru}", f"{en}'s button {said.en}") + _ELSE
    for fault, said in _FAULTS.items()
    for side, (ru, en) in _SIDES.items()
}
