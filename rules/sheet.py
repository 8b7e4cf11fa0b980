"""The rule sheet of a set: every law in force, its source, and what the texts leave open.

The words are built from the set's values, so a sheet can never tell other rules than those
the engine plays.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from rules.variant import (
    BlockLaw,
    DiceOrder,
    DieCase,
    EndOfGame,
    EndOfTurn,
    HalfLaw,
    HeadException,
    NextStart,
    Opening,
    Path,
    ThrownFrom,
    Unfinished,
    Variant,
)

TEXTS = {
    "T0": (
        "«Большие нарды», официальные турнирные правила длинных нард",
        "«Большие нарды», official tournament rules of long nardy",
    ),
    "T1": (
        "единые правила 1-го Московского открытого международного турнира",
        "unified rules of the first Moscow open international tournament",
    ),
    "T2": ("общие правила длинных нард (1.1–4.3)", "general rules of long nardy (1.1–4.3)"),
    "federation": (
        "те же правила с последним броском и ничьей федерации",
        "the same with the federation's last throw and draw",
    ),
    "T3": ("«Нарды. История нард. Правила игры»", "«Нарды. История нард. Правила игры»"),
    "T4a": ("памятка начинающим (клетки 0–23)", "beginners' primer (cells 0–23)"),
    "T4b": ("памятка «куш»", "the «kush» primer"),
    "P": (
        "практика клубов и федераций (РФ 2024/2025, WBGF, USBGF, UKBGF)",
        "practice of clubs and federations (Russia 2024/2025, WBGF, USBGF, UKBGF)",
    ),
    "option": ("изменено по выбору", "changed by choice"),
}

_WORD_LIST: tuple[tuple[StrEnum, str, str], ...] = (
    (
        Path.SAME_WAY,
        "обе стороны идут в одну сторону и не бьют",
        "both sides travel the same way round and never hit",
    ),
    (
        Path.TOWARDS,
        "стороны идут навстречу; одиночную шашку бьют",
        "the sides travel towards each other; a lone checker can be hit",
    ),
    (HeadException.NEVER, "исключений нет", "no exception"),
    (
        HeadException.BLOCKED_DOUBLE,
        "первым ходом при 3-3, 4-4 и 6-6 две, если одна шашка всего не проходит",
        "on the first turn two with 3-3, 4-4 and 6-6, when one checker cannot play it all",
    ),
    (
        HeadException.ENEMY_HEAD,
        "первым ходом при 3-3, 4-4 и 6-6 две, если одну шашку останавливает голова соперника; "
        "если раньше останавливает другая его шашка — нет",
        "on the first turn two with 3-3, 4-4 and 6-6, when the enemy head stops one checker; "
        "not when another enemy checker stops it earlier",
    ),
    (
        HeadException.BLOCKED_ROLL,
        "первым ходом две при любом броске, который одна шашка не проходит целиком",
        "on the first turn two with any roll that one checker cannot play in full",
    ),
    (
        HeadException.ANY_DOUBLE,
        "первым ходом две при любом дубле, по желанию",
        "on the first turn two with any double, at will",
    ),
    (BlockLaw.NONE, "закона нет", "no law"),
    (
        BlockLaw.AHEAD,
        "можно, лишь если впереди него есть шашка соперника",
        "allowed only if an enemy checker is ahead of it",
    ),
    (
        BlockLaw.IN_HOME,
        "можно, когда хоть одна шашка соперника в его доме или выброшена",
        "allowed once an enemy checker is in its home or off",
    ),
    (
        BlockLaw.ALL_HOME,
        "нельзя, пока все шашки соперника не дома или не выброшены",
        "forbidden until all enemy checkers are home or off",
    ),
    (DiceOrder.FREE, "любой", "free"),
    (DiceOrder.LARGER_FIRST, "сначала большее число", "the larger number first"),
    (
        Opening.HIGHER_THROWS_BOTH,
        "по одной кости; старшая бросает обе, при равенстве заново",
        "one die each; the higher throws both, equal dice again",
    ),
    (
        Opening.HIGHER_PLAYS_BOTH,
        "по одной кости; старшая играет выпавшие два числа, при равенстве заново",
        "one die each; the higher plays the two numbers, equal dice again",
    ),
    (Opening.WHITE, "белые", "White"),
    (NextStart.LOT, "снова жребий", "by lot again"),
    (NextStart.WINNER, "победитель", "the winner"),
    (
        NextStart.COLORS_SWAP,
        "меняются цветами: начинает тот, кто играл чёрными",
        "colours swap: the player who had Black",
    ),
    (EndOfGame.AT_ONCE, "сразу, ничьей нет", "at once, no draw"),
    (
        EndOfGame.LAST_THROW,
        "у чёрных, ходивших вторыми, ещё один бросок; оба выбросили — ничья",
        "Black, if second, has one last throw; both off is a draw",
    ),
    (
        Unfinished.ACCEPT_OR_DEMAND,
        "соперник принимает его как есть или требует верного",
        "the opponent accepts it as it stands or demands a right one",
    ),
    (
        Unfinished.LEGAL_MOVES,
        "исправляется, если замечен до следующего броска",
        "must be put right if seen before the next throw",
    ),
    (ThrownFrom.CUP, "из стакана", "from a cup"),
    (
        ThrownFrom.CUP_OR_HAND,
        "из стакана или рукой; по требованию из стакана",
        "from a cup or by hand; from a cup on demand",
    ),
    (ThrownFrom.UNSTATED, "не сказано", "not stated"),
    (
        EndOfTurn.DICE_OR_CLOCK,
        "кости отданы или нажаты часы",
        "the dice are handed over or the clock is pressed",
    ),
    (
        EndOfTurn.DICE_LIFTED,
        "кости подняты; бросок соперника принимает ход",
        "the dice are taken up; the opponent's throw accepts the play",
    ),
    (EndOfTurn.UNSTATED, "не сказано", "not stated"),
    (HalfLaw.ANY_SAME, "обе на одной половине", "both on one half"),
    (HalfLaw.PLAYERS_RIGHT, "обе на правой от бросающего", "both on the thrower's right"),
    (HalfLaw.FREE, "любые", "any"),
    (DieCase.VALID, "считается", "counts"),
    (DieCase.VOID, "бросок недействителен", "the throw is void"),
    (DieCase.ASK, "решает человек", "a person decides"),
)
# By type and value: members of different enums with equal words would be one dict key.
_WORDS = {(type(one), one): (ru, en) for one, ru, en in _WORD_LIST}

_TITLES = {
    "path": ("Путь", "Travel"),
    "head": ("С головы за ход", "From the head in a turn"),
    "head_exception": ("Вторая шашка с головы", "Second checker from the head"),
    "block": ("Заграждение из шести", "Block of six"),
    "block_in_passing": ("Заграждение на проходе", "Block in passing"),
    "order": ("Порядок чисел", "Order of the dice"),
    "bear_off_same_turn": (
        "Выброс в ход, когда последняя шашка пришла домой",
        "Bearing off in the turn the last checker comes home",
    ),
    "opening": ("Кто начинает первую партию", "Who begins game 1"),
    "next_start": ("Кто начинает следующую", "Who begins the next game"),
    "end": ("Конец партии", "End of the game"),
    "half": ("Половины доски для костей", "Halves for the dice"),
    "tilted": ("Кость косо", "A tilted die"),
    "die_on_checker": ("Кость на шашке", "A die on a checker"),
    "on_woodwork": ("Кость на борту", "A die on the woodwork"),
    "touching": (
        "Ровная кость касается борта или шашки",
        "A flat die touching wall or checker",
    ),
    "baffle_box": ("Бросок через башню", "Baffle box"),
    "thrown_from": ("Бросают", "Thrown"),
    "end_of_turn": ("Конец хода", "End of the turn"),
    "unfinished": ("Недоигранный или неверный ход", "Unfinished or wrong play"),
    "touch_move": ("Тронул — ходи", "Touch-move"),
    "opening_takes_white": ("Выигравший розыгрыш берёт белые", "The lot's winner takes White"),
    "oin": ("Ойн", "Oin (single)"),
    "mars": ("Марс", "Mars (gammon)"),
    "koks": ("Кокс", "Koks (backgammon)"),
    "home_mars": ("Домашний марс", "Home mars"),
    "cube": ("Куб (даве)", "Cube"),
    "beavers": ("Бивер", "Beavers"),
    "crawford": ("Правило Кроуфорда", "Crawford"),
    "jacoby": ("Правило Джекоби (на интерес)", "Jacoby (money)"),
}
_SHARED_RU = (
    "Полный ход: играется столько чисел, сколько можно; если можно лишь одно — большее.",
    "Дубль играется четырьмя ходами.",
    "Выброс — когда все 15 шашек дома; с нижнего пункта лишь при пустых верхних.",
)
_SHARED_EN = (
    "Full move: as many dice as can be played must be played; if only one can, the larger.",
    "A double is four moves.",
    "Bearing off once all 15 are home; from a lower point only with the higher ones empty.",
)
_HEAD_FIELDS = {"head", "head_exception", "block", "block_in_passing", "opening_takes_white"}
_CUBE_FIELDS = {"beavers", "crawford", "jacoby"}


@dataclass(frozen=True, slots=True)
class Line:
    """One law on the sheet."""

    field: str
    title: str
    value: str
    source: str
    decided: str | None
    """What was decided where the text is silent or contradicts itself."""


def sheet(variant: Variant, language: str) -> tuple[Line, ...]:
    """Return the laws of a set in `ru` or `en`, in the order a referee reads them."""
    return tuple(_lines(variant, 0 if language == "ru" else 1))


def shared_laws(language: str) -> tuple[str, ...]:
    """Return the laws that hold in every set."""
    return _SHARED_RU if language == "ru" else _SHARED_EN


def source_text(tag: str, language: str) -> str:
    """Return what a source tag stands for; several are joined."""
    pick = 0 if language == "ru" else 1
    names = [part.strip() for part in tag.replace("+", ",").split(",")]
    return "; ".join(f"{name}: {TEXTS[name][pick]}" for name in names)


def _lines(variant: Variant, pick: int) -> Iterator[Line]:
    decisions = {field: (ru, en) for field, ru, en in variant.decisions}
    for field, titles in _TITLES.items():
        if variant.hits and field in _HEAD_FIELDS:
            continue
        if not variant.cube and field in _CUBE_FIELDS:
            continue
        value = _value(variant, field)
        decided = decisions.get(field)
        if decided is None and field in _THROW_FIELDS and "throw" in decisions:
            decided = decisions["throw"]
        group = "throw" if field in _THROW_FIELDS else field
        yield Line(
            field=field,
            title=titles[pick],
            value=_word(value, field)[pick],
            source=variant.sources.get(field) or variant.sources.get(group) or variant.source,
            decided=decided[pick] if decided else None,
        )


_THROW_FIELDS = {
    "half", "tilted", "die_on_checker", "on_woodwork", "touching", "baffle_box",
}  # fmt: skip
_POINT_FIELDS = {"oin", "mars", "koks", "home_mars"}


def _value(variant: Variant, field: str) -> object:
    if field in _THROW_FIELDS:
        return getattr(variant.throw, field)
    if field in _POINT_FIELDS:
        return getattr(variant.points, field)
    return getattr(variant, field)


def _word(value: object, field: str) -> tuple[str, str]:
    if isinstance(value, StrEnum):
        return _WORDS[type(value), value]
    if field == "head":
        return ("одна шашка", "one checker") if value else ("сколько угодно", "any number")
    if field == "block_in_passing":
        return (
            ("тоже нарушает", "breaks the law too")
            if value
            else ("не нарушает", "is no breach")
        )
    if value is None:
        return "нет", "none"
    if isinstance(value, bool):
        return ("да", "yes") if value else ("нет", "no")
    return f"очков: {value}", f"{value} point" if value == 1 else f"{value} points"
