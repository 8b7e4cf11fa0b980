"""Rolls: the two numbers of a throw that counts."""

from dataclasses import dataclass

from rules.errors import RollError


@dataclass(frozen=True, slots=True)
class Roll:
    """Two dice in the order they were named; the order has no meaning in play.

    Raises:
        RollError: a number no die shows.
    """

    first: int
    second: int

    def __post_init__(self) -> None:
        for number in (self.first, self.second):
            if type(number) is not int or not 1 <= number <= 6:
                raise RollError(f"a die shows 1 to 6, not {number!r}")

    @classmethod
    def from_json(cls, value: object) -> "Roll":
        """Read `[6, 5]`.

        Raises:
            RollError: not two numbers from 1 to 6.
        """
        if not isinstance(value, list) or len(value) != 2:
            raise RollError(f"dice are a list of two numbers, not {value!r}")
        return cls(value[0], value[1])

    @property
    def is_double(self) -> bool:
        """Whether both dice show the same number."""
        return self.first == self.second

    @property
    def larger(self) -> int:
        """The larger number."""
        return max(self.first, self.second)

    @property
    def smaller(self) -> int:
        """The smaller number."""
        return min(self.first, self.second)

    @property
    def numbers(self) -> tuple[int, ...]:
        """All the numbers to be played: two, or four of a double."""
        return (self.first,) * 4 if self.is_double else (self.first, self.second)

    def __str__(self) -> str:
        return f"{self.first}-{self.second}"
