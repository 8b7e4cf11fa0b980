"""One sentence, in Russian and English, for each judgement: the law, the points, the dice.

Numbers are absolute points (White's own), as in the exchange format.
"""

from dataclasses import dataclass

from rules.dice import Roll
from rules.law import Law
from rules.variant import BlockLaw


@dataclass(frozen=True, slots=True)
class Explanation:
    """The sentence in both languages."""

    ru: str
    en: str

    def to_json(self) -> dict[str, str]:
        """Write the exchange format."""
        return {"ru": self.ru, "en": self.en}


@dataclass(frozen=True, slots=True)
class Facts:
    """What a sentence speaks of."""

    roll: Roll
    steps: tuple[tuple[int, int], ...] = ()
    """(from, to), absolute points, 0 off, 25 bar."""
    points: tuple[int, ...] = ()
    """The points the law was broken at."""
    die: int = 0
    count: int = 0
    block: BlockLaw = BlockLaw.NONE
    can_go_on: bool = False
    """Whether an unfinished play can be finished as it stands."""
    in_passing: bool = False
    """The block stood only between two moves."""


_ENEMY_SIDE = {
    BlockLaw.AHEAD: (
        "а впереди него нет ни одной шашки соперника",
        "with no enemy checker ahead of it",
    ),
    BlockLaw.IN_HOME: (
        "а в доме соперника нет ни одной его шашки",
        "with no enemy checker in its home",
    ),
    BlockLaw.ALL_HOME: (
        "а не все шашки соперника дома",
        "while not all enemy checkers are home",
    ),
    BlockLaw.NONE: ("", ""),
}


def explain(law: Law | None, facts: Facts) -> Explanation:
    """Return the sentence for a judged play.

    Args:
        law: the law broken; None for a legal play.
        facts: what it speaks of.
    """
    ru, en = _sentence(law, facts)
    return Explanation(ru, en)


def place_ru(slot: int) -> str:
    """Name a place in Russian."""
    return {0: "выброс", 25: "бар"}.get(slot, str(slot))


def place_en(slot: int) -> str:
    """Name a place in English."""
    return {0: "off", 25: "bar"}.get(slot, str(slot))


def steps_ru(steps: tuple[tuple[int, int], ...]) -> str:
    """Write moves as a Russian reader expects them."""
    return ", ".join(f"{place_ru(s)}→{place_ru(t)}" for s, t in steps) or "ходов нет"


def steps_en(steps: tuple[tuple[int, int], ...]) -> str:
    """Write moves as an English reader expects them."""
    return ", ".join(f"{place_en(s)}→{place_en(t)}" for s, t in steps) or "no moves"


def _sentence(law: Law | None, facts: Facts) -> tuple[str, str]:
    roll, die, points = facts.roll, facts.die, facts.points
    ru, en = steps_ru(facts.steps), steps_en(facts.steps)
    match law:
        case None if not facts.steps:
            return (
                f"Верно: при {roll} ходов нет, очередь переходит.",
                f"Legal: {roll} cannot be played, the turn passes.",
            )
        case None:
            return f"Ход верен: {roll}, {ru}.", f"Legal: {roll}, {en}."
        case Law.HEAD:
            many = sum(source == points[0] for source, _ in facts.steps)
            allowed_ru = "одну" if facts.count == 1 else "две"
            allowed_en = "one" if facts.count == 1 else "two"
            return (
                f"С головы ({points[0]}) снято шашек больше дозволенного: {ru}; "
                f"при {roll} здесь можно снять {allowed_ru}.",
                f"Too many checkers left the head ({points[0]}): {en}; "
                f"{roll} lets only {allowed_en} leave here, not {many}.",
            )
        case Law.CLOSED_POINT:
            return (
                f"Пункт {points[1]} закрыт соперником: ход {place_ru(points[0])}→{points[1]} "
                f"костью {die} невозможен.",
                f"Point {points[1]} is closed by the opponent: "
                f"{place_en(points[0])}→{points[1]} cannot be played with the {die}.",
            )
        case Law.BLOCK:
            why_ru, why_en = _ENEMY_SIDE[facts.block]
            row = ", ".join(map(str, points))
            passing_ru = ", хотя бы и на проходе" if facts.in_passing else ""
            passing_en = ", even if only in passing," if facts.in_passing else ""
            return (
                f"Построено заграждение из шести пунктов ({row}){passing_ru}, {why_ru}: {ru}.",
                f"A block of six points was built ({row}){passing_en} {why_en}: {en}.",
            )
        case Law.DIE_NOT_PLAYED:
            return _unfinished(facts, ru, en)
        case Law.LARGER_NUMBER:
            return (
                f"Сыграть можно лишь одно число из {roll}, и это должно быть большее, "
                f"{roll.larger}; сыграно {roll.smaller}: {ru}.",
                f"Only one number of {roll} can be played and it must be the larger, "
                f"{roll.larger}; the {roll.smaller} was played: {en}.",
            )
        case Law.LARGER_FIRST:
            return (
                f"Первым играется большее число, {roll.larger}; сыграно {ru}.",
                f"The larger number, {roll.larger}, is played first; played was {en}.",
            )
        case Law.NOT_ALL_HOME if len(points) == 1:
            return (
                f"Шашка выброшена с пункта {points[0]} в тот же ход, которым последняя пришла "
                f"домой: выбрасывать можно лишь со следующего хода; сыграно {ru}.",
                f"A checker was borne off from {points[0]} in the turn in which the last one "
                f"came home; bearing off begins with the next turn: {en}.",
            )
        case Law.NOT_ALL_HOME:
            return (
                f"Шашка выброшена с пункта {place_ru(points[0])}, когда ещё не все дома: "
                f"стоит шашка на {place_ru(points[1])}.",
                f"A checker was borne off from {place_en(points[0])} before all were home: "
                f"one is still on {place_en(points[1])}.",
            )
        case Law.LOWER_POINT:
            return (
                f"Числом {die} выброшена шашка с пункта {points[0]}, хотя дальше от выброса, "
                f"на {points[1]}, ещё стоят шашки.",
                f"The {die} bore off a checker from point {points[0]} while a point farther "
                f"back, {points[1]}, is still held.",
            )
        case Law.BAR_FIRST:
            return (
                f"На баре есть шашка: сначала она входит, а сыграно {ru}.",
                f"A checker on the bar enters first; played was {en}.",
            )
        case Law.MOVED_ENEMY_CHECKER:
            where_ru = {0: "на выбросе", 25: "на баре"}.get(points[0], f"на пункте {points[0]}")
            where_en = {0: "off the board", 25: "on the bar"}.get(
                points[0], f"on point {points[0]}"
            )
            return (
                f"Сдвинуты шашки соперника: {where_ru} было {die}, стало {facts.count}.",
                f"The opponent's checkers were moved: {where_en} there "
                f"{'was' if die == 1 else 'were'} {die}, now {facts.count}.",
            )
        case Law.MOVED_BACKWARDS:
            return (
                f"Шашка пошла назад: {place_ru(points[0])}→{place_ru(points[1])}.",
                f"A checker moved backwards: {place_en(points[0])}→{place_en(points[1])}.",
            )
        case Law.TOO_MANY_MOVES:
            return (
                f"Сыграно больше, чем дают кости {roll}: {ru}.",
                f"More was played than {roll} gives: {en}.",
            )
        case Law.DIE_SPLIT:
            return (
                f"Число одной кости разделено между шашками: {ru} при {roll}; шашка идёт ровно "
                "на число кости.",
                f"One die's number was split between checkers: {en} with {roll}; a checker "
                "moves by exactly one die.",
            )
        case Law.WRONG_DISTANCE:
            return (
                f"Шашки прошли не на числа костей {roll}: {ru}.",
                f"The checkers did not move by the dice {roll}: {en}.",
            )


def _unfinished(facts: Facts, ru: str, en: str) -> tuple[str, str]:
    roll, done, due = facts.roll, len(facts.steps), facts.count
    moves = f"{due} move" if due == 1 else f"{due} moves"
    if not done:
        return (
            f"Ход не сделан, хотя при {roll} можно сыграть ходов: {due}.",
            f"Nothing was played, though {roll} can be played ({moves}).",
        )
    if facts.can_go_on:
        return (
            f"Ход не доигран: сыграно {ru}, ходов {done} из {due}; число {facts.die} ещё можно "
            "сыграть.",
            f"The play is unfinished: {en}, {done} of {due} moves; the {facts.die} can still "
            "be played.",
        )
    if roll.is_double:
        return (
            f"Сыграно меньше возможного: после {ru} число {facts.die} больше не сыграть, а "
            f"иначе при {roll} можно сыграть ходов: {due}.",
            f"Less was played than could be: after {en} no {facts.die} can be played, while "
            f"otherwise {roll} gives {moves}.",
        )
    return (
        f"Потеряно число {facts.die}: после {ru} его не сыграть, хотя из {roll} можно сыграть "
        "оба числа.",
        f"The {facts.die} was lost: after {en} it cannot be played, though both numbers of "
        f"{roll} can be.",
    )
