"""What the arbiter says and why it refuses, in Russian and English: one catalogue."""

from types import MappingProxyType
from typing import Any, Final

from referee.arbiter.states import Refused, Say
from rules import Color
from rules.outcome import Win
from rules.throw import Reason

SIDES: Final = MappingProxyType(
    {Color.WHITE: ("белые", "White"), Color.BLACK: ("чёрные", "Black")}
)
LOST_WHY: Final = MappingProxyType(
    {"board_changed": (", стоит другое", ", something else stands on it")}
)
"""Why a board is lost, by the event's code; a code that is not here is not told."""
WINS: Final = MappingProxyType(
    {
        Win.OIN: ("ойн", "a single game (oin)"),
        Win.MARS: ("марс", "mars (gammon)"),
        Win.HOME_MARS: ("домашний марс", "home mars"),
        Win.KOKS: ("кокс", "koks (backgammon)"),
    }
)
REASONS: Final = MappingProxyType(
    {
        Reason.MISSING_DIE: ("видна не вся пара костей", "not both dice can be seen"),
        Reason.TOO_MANY_DICE: ("на доске больше двух костей", "there are more than two dice"),
        Reason.OFF_BOARD: ("кость вне доски", "a die is off the board"),
        Reason.ON_WOODWORK: ("кость на борту", "a die is on the woodwork"),
        Reason.DIFFERENT_HALVES: ("кости на разных половинах", "the dice lie in both halves"),
        Reason.WRONG_HALF: (
            "кости не на правой половине",
            "the dice are not in the right half",
        ),
        Reason.ON_CHECKER: ("кость на шашке", "a die lies on a checker"),
        Reason.TILTED: ("кость стоит косо", "a die is cocked"),
        Reason.TOUCHES_CHECKER: ("кость касается шашки", "a die touches a checker"),
        Reason.TOUCHES_WALL: ("кость касается стенки", "a die touches the wall"),
        Reason.VALUE_UNSURE: ("число не разобрать", "a number cannot be read"),
        Reason.FACTS_UNSURE: ("не видно, как лежит кость", "how a die lies cannot be seen"),
    }
)

_CATALOGUE: Final = MappingProxyType(
    {
        # said
        "restarted": (
            "Программа запущена снова: партия идёт с последнего события, часы стоят.",
            "The program has been restarted: the game goes on from the last event, the clock "
            "is paused.",
        ),
        "start_wrong": (
            "Начальное положение ещё не собрано: {what_ru}.",
            "The start position is not complete yet: {what_en}.",
        ),
        "begins": ("Начинают {side_ru}.", "{side_en} begins."),
        "opening": (
            "Бросьте по одной кости: кому начинать.",
            "Throw one die each: the higher begins.",
        ),
        "opening_tie": (
            "Поровну, {white_die} и {black_die}: оба бросают снова.",
            "Equal, {white_die} and {black_die}: both throw again.",
        ),
        "opening_won": (
            "{white_die} у белых, {black_die} у чёрных: начинают {side_ru}{plays_ru}.",
            "White {white_die}, Black {black_die}: {side_en} begins{plays_en}.",
        ),
        "colors_swap": (
            "Игроки меняются цветом: белыми играет {white}, чёрными — {black}.",
            "The players change colours: {white} has White, {black} has Black.",
        ),
        "throw_valid": ("{roll}, бросок засчитан.", "{roll}, the throw counts."),
        "throw_void": (
            "Бросок не засчитан: {reasons_ru}. Бросают снова {side_ru}.",
            "The throw does not count: {reasons_en}. {side_en} throws again.",
        ),
        "throw_unsure": (
            "Засчитать ли бросок, решают люди: {reasons_ru}.",
            "Whether the throw counts is for people to say: {reasons_en}.",
        ),
        "throw_unseen": (
            "Кнопка нажата, а броска не видели: скажите, что выпало, или отмените нажатие.",
            "The button was pressed but no throw was seen: say what was thrown, or take the "
            "press back.",
        ),
        "no_moves": (
            "При {roll} ходов нет: очередь перейдёт с концом хода.",
            "{roll} cannot be played: the turn passes when it is ended.",
        ),
        "out_of_turn": (
            "Бросили {side_ru}, а очередь не их: бросок не в счёт.",
            "{side_en} threw out of turn: the throw does not count.",
        ),
        "dice_changed": (
            "Кости на доске изменились; играется выпавшее {roll}.",
            "The dice on the board have changed; {roll} is what was thrown and is played.",
        ),
        "premature": (
            "{side_ru} бросили раньше времени: ход соперника ещё не окончен.",
            "{side_en} threw too early: the opponent's turn had not ended.",
        ),
        "premature_again": (
            "Бросок был преждевременным: {side_ru} бросают снова.",
            "The throw came too early: {side_en} throws again.",
        ),
        "ruling": ("{ru}", "{en}"),
        "play_unsure": (
            "Положение после хода не ясно: выберите, что стоит на доске.",
            "The position after the play is not clear: choose what stands on the board.",
        ),
        "accept_or_demand": (
            "{side_ru} принимают ход как есть или требуют правильного.",
            "{side_en} accepts the play as it stands or demands a right one.",
        ),
        "must_correct": (
            "Ход надо исправить: {side_ru} возвращают шашки и играют {roll} снова.",
            "The play must be put right: {side_en} takes it back and plays {roll} again.",
        ),
        "stands": ("Ход остаётся как есть.", "The play stands."),
        "taken_back": (
            "Требуется правильный ход: {side_ru} играют {roll} снова.",
            "A right move is demanded: {side_en} plays {roll} again.",
        ),
        "stray_press": (
            "Кнопка нажата не в свою очередь: нажатие не учтено.",
            "The button was pressed out of turn: the press is not counted.",
        ),
        "both_pressed": (
            "Нажаты обе кнопки: часы остановлены.",
            "Both buttons were pressed: the clock is stopped.",
        ),
        "clock_started": ("Часы пущены: идёт время, {side_ru}.", "The clock runs: {side_en}."),
        "paused": ("Пауза: часы стоят.", "Paused: the clock is stopped."),
        "resumed": ("Игра продолжается.", "The game goes on."),
        "time_set": ("Время установлено рукой.", "The clock was set by hand."),
        "referee_called": (
            "Позван судья: часы стоят.",
            "The referee is called: clock stopped.",
        ),
        "flag": ("Время вышло: {side_ru}.", "Out of time: {side_en}."),
        "lost": (
            "За доской больше не уследить{why_ru}: поставьте шашки как показано или укажите "
            "положение.",
            "The board can no longer be followed{why_en}: set it as shown or say what "
            "stands on it.",
        ),
        "nudged": (
            "Доска или камера сдвинулась и найдена снова ({by_px} пикс.).",
            "The board or the camera was nudged and has been found again ({by_px} px).",
        ),
        "played_unseen": (
            "Пока доску не было видно, сыграно, видимо, так: {turns_ru}. Подтвердите это или "
            "поставьте шашки, как они стояли.",
            "While the board was out of sight this seems to have been played: {turns_en}. "
            "Confirm it, or set the checkers as they stood.",
        ),
        "found": ("Доска снова видна верно.", "The board can be followed again."),
        "differs": (
            "Доска стоит не так, как известно: {what_ru}.",
            "The board is not as last known: {what_en}.",
        ),
        "adjust": ("«Поправляю»: {side_ru}.", "“I adjust”: {side_en}."),
        "claim": (
            "Заявлено касание: пункт {point}.",
            "A touch is claimed: point {point}.",
        ),
        "claim_upheld": (
            "Касание признано: шашка с пункта {point} должна быть сыграна.",
            "The touch is upheld: a checker from point {point} must be moved.",
        ),
        "claim_void": (
            "С пункта {point} правильного хода нет: касание ничего не меняет.",
            "No legal move leaves point {point}: the touch changes nothing.",
        ),
        "claim_declined": ("Касание не признано.", "The touch is not upheld."),
        "resign": (
            "{side_ru} сдаются: {win_ru}. Ответ за соперником.",
            "{side_en} resigns {win_en}. The opponent answers.",
        ),
        "resigned": ("{side_ru} сдаются: {win_ru}.", "{side_en} resigns {win_en}."),
        "resign_declined": ("Сдача не принята, игра идёт.", "Not accepted, the game goes on."),
        "double": (
            "{side_ru}: даве, куб {value}. Ответ за соперником.",
            "{side_en} doubles to {value}. The opponent answers.",
        ),
        "take": ("{side_ru}: басе, куб {value}.", "{side_en} takes, the cube is at {value}."),
        "overridden": (
            "Положение установлено решением судьи.",
            "The position was set by the referee's decision.",
        ),
        "undone": (
            "Возврат на ходов: {turns}. Часы стоят.",
            "Turns taken back: {turns}. The clock is paused.",
        ),
        "game_won": (
            "{side_ru} выиграли: {win_ru}, очков {points}.",
            "{side_en} wins {win_en}: {points}.",
        ),
        "game_drawn": ("Ничья.", "A draw."),
        "match_won": ("Матч окончен: победа, {side_ru}.", "The match is over: {side_en} wins."),
        "match_closed": ("Матч закончен.", "The match is closed."),
        "result_corrected": ("Результат исправлен.", "The result has been corrected."),
        "match_reopened": ("Матч продолжается.", "The match goes on."),
        # refused
        "not_now": ("Сейчас это невозможно.", "This is not possible now."),
        "not_yours": (
            "Это решает другой: соперник или судья.",
            "This is for the opponent or the referee to say.",
        ),
        "referee_only": (
            "Это решает судья или оба игрока вместе.",
            "This is for the referee or both players together.",
        ),
        "no_touch_law": (
            "В этих правилах закона «тронул — ходи» нет.",
            "This rule set has no touch-move law.",
        ),
        "adjusting": ("Было сказано «поправляю».", "“I adjust” had been said."),
        "no_such_win": (
            "Такого исхода в этих правилах нет: {win}.",
            "This rule set knows no {win}.",
        ),
        "no_cube": (
            "В этих правилах куба нет.",
            "This rule set is played without a cube.",
        ),
        "cube_not_yours": ("Куб у соперника.", "The other side owns the cube."),
        "crawford": (
            "В партии Кроуфорда не удваивают.",
            "There is no doubling in the Crawford game.",
        ),
        "cube_ends": ("Куб больше не удваивается.", "The cube cannot go any higher."),
        "no_beaver": (
            "Бивер здесь не играется.",
            "A beaver is not played here.",
        ),
        "no_such_turn": (
            "В этой партии столько ходов не было: {turns}.",
            "This game has not had so many turns: {turns}.",
        ),
        "no_such_game": ("Такой партии нет: {game}.", "There is no game {game}."),
        "no_such_point": ("Пунктов 24, такого нет: {point}.", "There is no point {point}."),
        "bad_position": ("Такого положения не бывает: {why}.", "Impossible position: {why}."),
        "bad_result": ("Такого результата не бывает.", "There is no such result."),
        "clock_off": ("Часов в этом матче нет.", "This match has no clock."),
        "after_play": (
            "Этим броском ход уже сделан и принят; судья может установить положение.",
            "The turn of that throw is over; the referee can set the position.",
        ),
    }
)


def say(code: str, *, side: Color | None = None, **values: object) -> Say:
    """Return a sentence of the catalogue."""
    return Say(code, *_written(code, side, values))


def refuse(code: str, *, side: Color | None = None, **values: object) -> Refused:
    """Return why something is refused."""
    return Refused(code, *_written(code, side, values))


def reasons(given: tuple[Reason, ...]) -> dict[str, Any]:
    """Return reasons as the values `reasons_ru` and `reasons_en`."""
    return {
        "reasons_ru": "; ".join(REASONS[one][0] for one in given),
        "reasons_en": "; ".join(REASONS[one][1] for one in given),
    }


def _written(code: str, side: Color | None, values: dict[str, object]) -> tuple[str, str]:
    ru, en = _CATALOGUE[code]
    names = SIDES[side] if side is not None else ("", "")
    # Positional braces in the values themselves (player names) are not looked into by format.
    filled = {**values, "side_ru": names[0], "side_en": names[1]}
    ru, en = ru.format(**filled), en.format(**filled)
    return ru[:1].upper() + ru[1:], en[:1].upper() + en[1:]


def codes() -> frozenset[str]:
    """Return the codes of all sentences."""
    return frozenset(_CATALOGUE)
