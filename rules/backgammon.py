"""The set of short nardy (backgammon).

Sources: T3 «Нарды. История нард. Правила игры»; P practice of WBGF, USBGF and UKBGF.
"""

from types import MappingProxyType

from rules.variant import (
    BlockLaw,
    EndOfTurn,
    HeadException,
    NextStart,
    Opening,
    Path,
    Points,
    ThrownFrom,
    Variant,
)

SHORT = Variant(
    name="short",
    title_ru="Короткие нарды",
    title_en="Short nardy (backgammon)",
    source="T3, P",
    path=Path.TOWARDS,
    head=False,
    head_exception=HeadException.NEVER,
    block=BlockLaw.NONE,
    opening=Opening.HIGHER_PLAYS_BOTH,
    next_start=NextStart.LOT,
    thrown_from=ThrownFrom.CUP,
    end_of_turn=EndOfTurn.DICE_OR_CLOCK,
    points=Points(koks=3),
    cube=True,
    beavers=True,
    crawford=True,
    jacoby=True,
    sources=MappingProxyType({"throw": "P", "unfinished": "P", "crawford": "P", "jacoby": "P"}),
    decisions=(
        (
            "half",
            "обе кости на одной половине, любой; правую игрока требует half=players_right",
            "both dice on one half, either one; half=players_right asks for the player's right",
        ),
        (
            "die_on_checker",
            "кость на шашке не в счёт (классика); с 2016 года USBGF её считает: "
            "die_on_checker=valid",
            "a die on a checker is void (classic); USBGF counts it since 2016: "
            "die_on_checker=valid",
        ),
        (
            "koks",
            "тройной проигрыш (кокс) считается; отключается koks=none",
            "backgammon (triple loss) counts; koks=none turns it off",
        ),
    ),
)

SHORT_SETS = (SHORT,)
