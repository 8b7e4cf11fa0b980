"""Whether the dice were thrown unevenly, and how little a match can say about it.

Pearson's χ² of six faces against a fair die, five degrees of freedom. The words are chosen so
that they never accuse: chance makes uneven matches, and who looks at many finds one.
"""

import math
from dataclasses import dataclass
from typing import Final, TypeAlias

from rules.explain import Explanation

Faces: TypeAlias = tuple[int, int, int, int, int, int]

ENOUGH_DICE: Final = 60
"""Ten of each face expected; below that nothing is said at all."""
_NOTABLE: Final = 0.05
_STRIKING: Final = 0.001
_DEGREES: Final = 5
# Noncentrality at which χ² with five degrees finds a bias four times in five at the 5 % level.
_FINDS_FOUR_IN_FIVE: Final = 12.83
_SMALLEST_P: Final = 0.0001


@dataclass(frozen=True, slots=True)
class DiceTest:
    """The test of one set of counts."""

    faces: Faces
    chi_square: float
    p_value: float
    """How often fair dice come out at least this uneven."""
    looked_at: int
    """How many such tests are shown together."""

    @property
    def dice(self) -> int:
        """How many dice were counted."""
        return sum(self.faces)

    @property
    def enough(self) -> bool:
        """Whether there are enough throws to say anything."""
        return self.dice >= ENOUGH_DICE

    @property
    def p_adjusted(self) -> float:
        """The chance that the worst of all those looked at is this uneven (Bonferroni)."""
        return min(1.0, self.p_value * self.looked_at)

    @property
    def would_find(self) -> float | None:
        """The share of throws one face must come up in to be noticed four times in five.

        None where no share below one half would be.
        """
        if not self.dice:
            return None
        # One face at 1/6 + d, the others at 1/6 − d/5: w² = 6 d² (1 + 1/5) = 7.2 d².
        share = 1 / 6 + math.sqrt(_FINDS_FOUR_IN_FIVE / (7.2 * self.dice))
        return share if share < 0.5 else None


def dice_test(faces: Faces, looked_at: int = 1) -> DiceTest:
    """Test counts of the six faces against a fair die.

    Args:
        faces: how often 1 to 6 were thrown.
        looked_at: how many such tests the reader is shown: two sides and both make three.
    """
    expected = sum(faces) / 6
    chi_square = sum((n - expected) ** 2 for n in faces) / expected if expected else 0.0
    return DiceTest(faces, chi_square, chi_square_tail(chi_square, _DEGREES), looked_at)


def chi_square_tail(value: float, degrees: int) -> float:
    """Return the chance that χ² exceeds a value.

    The upper incomplete gamma function of a half-integer, from its closed beginning (erfc or
    exp) by the recurrence Q(a + 1, y) = Q(a, y) + y^a e^-y / Γ(a + 1); exact but for rounding.

    Raises:
        ValueError: a negative value, or no degree of freedom.
    """
    if value < 0 or degrees < 1:
        raise ValueError(f"no χ² distribution has value {value} and {degrees} degrees")
    y = value / 2
    if y == 0:
        return 1.0
    a = 0.5 if degrees % 2 else 1.0
    tail = math.erfc(math.sqrt(y)) if degrees % 2 else math.exp(-y)
    while 2 * a < degrees:
        tail += math.exp(a * math.log(y) - y - math.lgamma(a + 1))
        a += 1
    return min(1.0, tail)


def dice_sentence(test: DiceTest) -> Explanation:
    """Say what the counts do and do not tell."""
    if not test.enough:
        return Explanation(
            f"Костей брошено {test.dice}: слишком мало, чтобы о них судить.",
            f"{test.dice} dice thrown: too few to say anything about them.",
        )
    ru, en = _how_often(test.p_value)
    if test.p_value >= _NOTABLE:
        can_ru, can_en = _limits(test)
        return Explanation(
            f"Ничего необычного: у честных костей выходит не ровнее {ru}. {can_ru}",
            f"Nothing unusual: fair dice come out at least this uneven {en}. {can_en}",
        )
    if test.p_adjusted >= _NOTABLE:
        return Explanation(
            f"Неровно: у честных костей так выходит {ru}; но когда рядом показано "
            f"подсчётов: {test.looked_at}, это обычное дело.",
            f"Uneven: fair dice do this {en}, but among {test.looked_at} such counts shown "
            "together that is to be expected.",
        )
    if test.p_adjusted >= _STRIKING:
        return Explanation(
            f"Заметно неровно: у честных костей так выходит {ru}. Один такой счёт ничего не "
            "доказывает; смотрите, повторится ли он с теми же костями.",
            f"Notably uneven: fair dice do this {en}. One such count proves nothing; see "
            "whether it comes again with the same dice.",
        )
    return Explanation(
        f"Очень неровно: у честных костей так выходит {ru}. Проверьте кости и то, верно ли "
        "камера читает их грани: счёт сам по себе не говорит, в чём причина.",
        f"Very uneven: fair dice do this {en}. Check the dice, and whether the camera reads "
        "their faces right: the count itself does not tell the cause.",
    )


def _limits(test: DiceTest) -> tuple[str, str]:
    """Say which bias would have gone unseen."""
    share = test.would_find
    if share is None:
        return (
            "Столько бросков обнаружили бы лишь очень грубый перекос.",
            "This many throws would show only a very gross bias.",
        )
    percent = math.ceil(100 * share)
    return (
        f"Честности это не доказывает: грань, выпадающая реже чем в {percent} % случаев вместо "
        "16,7 %, могла остаться незамеченной.",
        f"That does not prove them fair: a face coming up less than {percent} % of the time "
        "instead of 16.7 % could have gone unnoticed.",
    )


def _how_often(p_value: float) -> tuple[str, str]:
    """Word a probability as people count: in so many of a hundred, or once in so many."""
    if p_value < _SMALLEST_P:
        return "реже чем в одном случае из 10 000", "less than once in 10,000 times"
    if p_value < 0.095:
        times = _round(1 / p_value)
        return f"примерно раз на {times}", f"about once in {times} times"
    percent = round(100 * p_value)
    return f"примерно в {percent} случаях из 100", f"about {percent} times in 100"


def _round(value: float) -> int:
    """Round to two significant digits: more would be a precision that is not there."""
    unit = int(10 ** max(0, math.floor(math.log10(value)) - 1))
    return round(value / unit) * unit
