"""What the doctor finds."""

from dataclasses import dataclass
from enum import StrEnum


class Health(StrEnum):
    """How bad a finding is."""

    OK = "ok"
    WARNING = "warning"
    """Works, but something a person may want is missing."""
    FAULT = "fault"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing checked."""

    name: str
    health: Health
    found: str
    cure: str = ""
    """What to do; empty when all is well."""
    found_ru: str = ""
    """Empty: the same in both languages, such as a version."""
    cure_ru: str = ""

    def text(self, language: str) -> tuple[str, str]:
        """Return what was found and the cure in `ru` or `en`."""
        if language == "ru":
            return self.found_ru or self.found, self.cure_ru or self.cure
        return self.found, self.cure

    def to_json(self) -> dict[str, object]:
        """Write it for programs."""
        ru, cure_ru = self.text("ru")
        return {
            "check": self.name,
            "health": self.health.value,
            "found": self.found,
            "cure": self.cure,
            "found_ru": ru,
            "cure_ru": cure_ru,
        }
