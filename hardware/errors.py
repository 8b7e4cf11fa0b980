"""The root of what can go wrong with devices: a cause and a cure, in both languages."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sentence:
    """What is said to people, in both languages."""

    ru: str
    en: str

    def to_json(self) -> dict[str, str]:
        """Write the exchange format."""
        return {"ru": self.ru, "en": self.en}

    def __add__(self, other: "Sentence") -> "Sentence":
        return Sentence(f"{self.ru} {other.ru}", f"{self.en} {other.en}")


class HardwareError(RuntimeError):
    """A device that does not do its work.

    Args:
        cause: what is wrong; plain text where no person is going to read it.
        cure: what to do about it.
    """

    def __init__(self, cause: Sentence | str, cure: Sentence | None = None) -> None:
        self.cause = cause if isinstance(cause, Sentence) else Sentence(cause, cause)
        self.cure = cure
        super().__init__(self.sentence.en)

    @property
    def sentence(self) -> Sentence:
        """Cause and cure."""
        return self.cause if self.cure is None else self.cause + self.cure
