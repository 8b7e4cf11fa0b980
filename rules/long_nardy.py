"""The sets of long nardy.

Sources: T0 «Большие нарды», official tournament rules; T1 unified rules of the first Moscow
open international tournament; T2 general rules of long nardy (1.1–4.3), once with the
federation's draw; T3 «Нарды. История нард. Правила игры»; T4 two primers for beginners;
P practice of clubs and federations today. See docs/reference/rule-sets.md.
"""

import dataclasses
from types import MappingProxyType

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
    ThrowLaw,
    ThrownFrom,
    Variant,
)

_LOT = (
    "next_start",
    "текст молчит: следующую партию снова начинают по жребию",
    "the text is silent: the next game begins by lot again",
)
_LEFT_STANDING = (
    "block_in_passing",
    "текст говорит об оставленном заграждении; проходящее не нарушает закона",
    "the text speaks of a block left standing; one in passing does not break the law",
)
_ACCEPT = (
    "unfinished",
    "текст молчит: как в «Больших нардах», соперник принимает ход или требует верного",
    "the text is silent: as in T0, the opponent accepts the play or demands a right one",
)
_OLD_BLOCK = (
    "block",
    "заграждение, уже стоявшее до хода, ходом не строится и заново не карается",
    "a block that stood before the turn is not built by it and is not punished again",
)
_ON_CHECKER = (
    "die_on_checker",
    "кость, лёгшая на шашку, не лежит на доске: бросок недействителен",
    "a die on a checker does not lie on the board: the throw is void",
)

BOLSHIE_NARDY = Variant(
    name="bolshie-nardy",
    title_ru="Большие нарды",
    title_en="Bolshie nardy",
    source="T0",
    head_exception=HeadException.NEVER,
    block=BlockLaw.ALL_HOME,
    decisions=(_LEFT_STANDING, _LOT, _OLD_BLOCK),
)

MOSCOW_OPEN = Variant(
    name="moscow-open",
    title_ru="Московский открытый турнир",
    title_en="Moscow open tournament",
    source="T1",
    head_exception=HeadException.BLOCKED_DOUBLE,
    block=BlockLaw.AHEAD,
    next_start=NextStart.WINNER,
    thrown_from=ThrownFrom.CUP_OR_HAND,
    end_of_turn=EndOfTurn.DICE_LIFTED,
    touch_move=True,
    decisions=(_ACCEPT, _ON_CHECKER, _OLD_BLOCK),
)

CLASSIC = Variant(
    name="classic",
    title_ru="Классические длинные нарды",
    title_en="Classic long nardy",
    source="T2",
    head_exception=HeadException.ENEMY_HEAD,
    block=BlockLaw.AHEAD,
    block_in_passing=True,
    opening_takes_white=True,
    next_start=NextStart.COLORS_SWAP,
    sources=MappingProxyType({"block": "T1, T2"}),
    decisions=(
        (
            "bear_off_same_turn",
            "замечание о шашке на 18 при 6-1 противоречит закону о выбросе: выбрасывать можно "
            "в том же ходу",
            "the remark on the last checker on 18 with 6-1 contradicts the bearing-off law: "
            "bearing off may begin in the same turn",
        ),
        _ON_CHECKER,
        _OLD_BLOCK,
    ),
)

FEDERATION = dataclasses.replace(
    CLASSIC,
    name="federation",
    title_ru="Федерация: с последним броском и ничьей",
    title_en="Federation: last throw and draw",
    source="T2 + federation",
    opening=Opening.WHITE,
    opening_takes_white=False,
    end=EndOfGame.LAST_THROW,
    sources=MappingProxyType({"block": "T1, T2", "end": "federation", "opening": "federation"}),
)

CLUB = Variant(
    name="club",
    title_ru="Клубные длинные нарды",
    title_en="Club long nardy",
    source="T3",
    head_exception=HeadException.BLOCKED_ROLL,
    block=BlockLaw.AHEAD,
    end_of_turn=EndOfTurn.DICE_OR_CLOCK,
    sources=MappingProxyType({"block": "T1, T3", "throw": "T2", "opening": "T1"}),
    decisions=(
        _LEFT_STANDING,
        ("opening", "как в T1: старшая кость бросает обе", "as T1: the higher throws both"),
        _LOT,
        ("throw", "годность броска как в T2", "validity of a throw as in T2"),
        ("thrown_from", "из стакана, как в T2", "from a cup, as in T2"),
        ("end_of_turn", "как в T2: кости отданы или нажаты часы", "as T2: dice or clock"),
        _ACCEPT,
        _ON_CHECKER,
        _OLD_BLOCK,
    ),
)

BEGINNER = Variant(
    name="beginner",
    title_ru="Для начинающих",
    title_en="Beginners' primer",
    source="T4a",
    head_exception=HeadException.BLOCKED_DOUBLE,
    block=BlockLaw.IN_HOME,
    order=DiceOrder.LARGER_FIRST,
    opening=Opening.HIGHER_THROWS_BOTH,
    throw=ThrowLaw(half=HalfLaw.FREE, touching=DieCase.VOID),
    end_of_turn=EndOfTurn.UNSTATED,
    decisions=(
        (
            "order",
            "полный ход важнее порядка: если начать с большего числа значит потерять меньшее, "
            "а наоборот играются оба, играют оба",
            "the full move comes before the order: where the larger first would lose the "
            "smaller and the other way round plays both, both are played",
        ),
        _LEFT_STANDING,
        _LOT,
        _ACCEPT,
        _OLD_BLOCK,
    ),
)

KUSH = Variant(
    name="kush",
    title_ru="Куш",
    title_en="Kush primer",
    source="T4b",
    head_exception=HeadException.ANY_DOUBLE,
    block=BlockLaw.NONE,
    next_start=NextStart.WINNER,
    throw=ThrowLaw(half=HalfLaw.FREE, tilted=DieCase.ASK, die_on_checker=DieCase.ASK),
    thrown_from=ThrownFrom.UNSTATED,
    end_of_turn=EndOfTurn.UNSTATED,
    decisions=(
        (
            "tilted",
            "текст называет лишь кость на борту и вне доски; о вставшей косо решает человек",
            "the text names only the rim and off the board; a person decides on a tilted die",
        ),
        (
            "die_on_checker",
            "о кости на шашке текст молчит: решает человек",
            "the text is silent on a die on a checker: a person decides",
        ),
        _ACCEPT,
    ),
)

SPORT_RF = dataclasses.replace(
    FEDERATION,
    name="sport-rf",
    title_ru="Спортивные правила РФ (не сверены)",
    title_en="Russian sport rules (unverified)",
    source="P",
    opening=Opening.HIGHER_PLAYS_BOTH,
    end=EndOfGame.AT_ONCE,
    cube=True,
    verified=False,
    sources=MappingProxyType({"block": "T1, T2", "head_exception": "T2"}),
    decisions=(
        (
            "end",
            "последнего броска нет, пока приказ не сверен",
            "no last throw until the order has been checked",
        ),
        *CLASSIC.decisions,
    ),
)

LONG_SETS = (
    BOLSHIE_NARDY, MOSCOW_OPEN, CLASSIC, FEDERATION, CLUB, BEGINNER, KUSH, SPORT_RF,
)  # fmt: skip
