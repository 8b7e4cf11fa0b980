"""What the table says about its clock, in Russian and English."""

from referee.timer_presets import TimeControl
from referee.timer_reading import ClockReading
from referee.timer_settings import ClockKind
from referee.timer_state import Answer, By, Official, Pause, PauseReason, Phase
from rules import Color
from rules.explain import Explanation

_SIDES = {Color.WHITE: ("белых", "White"), Color.BLACK: ("чёрных", "Black")}
_MOVERS = {Color.WHITE: ("белые", "White"), Color.BLACK: ("чёрные", "Black")}
_STOPPED_BY: dict[By, tuple[str, str]] = {
    Color.WHITE: ("остановили белые", "stopped by White"),
    Color.BLACK: ("остановили чёрные", "stopped by Black"),
    Official.REFEREE: ("остановил судья", "stopped by the referee"),
    Official.TABLE: ("остановил стол", "stopped by the table"),
}
_WHY = {
    PauseReason.QUESTION: ("ждём ответа на вопрос", "a question awaits its answer"),
    PauseReason.BOTH_PRESSED: (
        "обе кнопки нажаты разом",
        "both buttons were pressed at once",
    ),
    PauseReason.TAKEN_BACK: ("ход взят назад", "a turn was taken back"),
    PauseReason.TIME_SET: ("время исправлено судьёй", "the referee set the time"),
    PauseReason.RESTART: ("стол включился заново", "the table was restarted"),
}
_ANSWERS = {
    Answer.STARTED: ("Часы пущены.", "The clock is started."),
    Answer.SWITCHED: ("Часы переключены.", "The clock is switched."),
    Answer.PAUSED: ("Часы остановлены.", "The clock is stopped."),
    Answer.RESUMED: ("Часы идут дальше.", "The clock runs on."),
    Answer.STOPPED: ("Партия окончена, часы стоят.", "The game is over, the clock stands."),
    Answer.BOTH_PRESSED: (
        "Обе кнопки нажаты разом: часы стоят, очередь не перешла.",
        "Both buttons were pressed at once: the clock stands, the turn has not passed.",
    ),
    Answer.TAKEN_BACK: (
        "Ход взят назад: часы стоят, время восстановлено.",
        "The turn was taken back: the clock stands, the times are restored.",
    ),
    Answer.FLAG_FELL: ("Флаг упал.", "The flag has fallen."),
    Answer.TIME_SET: ("Время установлено судьёй.", "The referee has set the time."),
    Answer.DELAY_RESET: ("Задержка начата заново.", "The delay begins anew."),
    Answer.BOUNCE: ("Дребезг кнопки не считается.", "Contact bounce does not count."),
    Answer.NOT_YOUR_TURN: (
        "Нажата кнопка стороны, чьё время не идёт: не считается.",
        "That side's time is not running: the press does not count.",
    ),
    Answer.NOT_RUNNING: ("Часы не идут.", "The clock is not running."),
    Answer.STANDS: (
        "Часы остановлены: нажатие не считается.",
        "The clock is stopped: the press does not count.",
    ),
    Answer.NOT_ALLOWED: (
        "Пустить часы может тот, чья очередь, или судья.",
        "Only the side to move or the referee may start the clock again.",
    ),
    Answer.FLAG_IS_DOWN: (
        "Флаг упал: нажатие не считается.",
        "The flag is down: the press does not count.",
    ),
    Answer.NO_EFFECT: ("Сейчас это ничего не меняет.", "That changes nothing now."),
}


def answer_sentence(answer: Answer) -> Explanation:
    """Return what became of a call as one sentence."""
    return Explanation(*_ANSWERS[answer])


def status_sentence(reading: ClockReading) -> Explanation:
    """Say who runs, or why nobody does and what starts the clock."""
    match reading.phase:
        case Phase.FLAG if reading.flag is not None:
            ru, en = _SIDES[reading.flag]
            return Explanation(f"Флаг {ru} упал.", f"{en}'s flag has fallen.")
        case Phase.PAUSED if reading.pause is not None:
            return _paused(reading.pause, reading.to_move)
        case Phase.READY if reading.to_move is not None:
            ru, en = _MOVERS[reading.to_move]
            other_ru, other_en = _MOVERS[reading.to_move.other]
            return Explanation(
                f"Начинают {ru}: часы пускают {other_ru} своей кнопкой.",
                f"{en} begins: {other_en} starts the clock with its own button.",
            )
        case Phase.RUNNING if reading.to_move is not None:
            ru, en = _SIDES[reading.to_move]
            return Explanation(f"Идёт время {ru}.", f"{en}'s time is running.")
        case _:
            return Explanation(
                "Часы стоят: ещё не решено, кто начинает.",
                "The clock stands: who begins is not settled yet.",
            )


def describe_control(control: TimeControl) -> Explanation:
    """Describe a time control for a dashboard or a protocol sheet."""
    if control.kind is ClockKind.NONE:
        return Explanation("без часов", "no clock")
    ru, en = [], []
    if control.per_point_ms:
        ru.append(f"{_span_ru(control.per_point_ms)} на очко матча")
        en.append(f"{_span_en(control.per_point_ms)} a point of the match")
    if control.fixed_ms:
        ru.append(f"{_span_ru(control.fixed_ms)} каждому")
        en.append(f"{_span_en(control.fixed_ms)} each")
    if control.less_a_point_ms:
        ru.append(f"минус {_span_ru(control.less_a_point_ms)} за каждое уже набранное очко")
        en.append(f"less {_span_en(control.less_a_point_ms)} for each point scored before")
    if control.bonus_ms:
        bonus_ru, bonus_en = _span_ru(control.bonus_ms), _span_en(control.bonus_ms)
        ru.append({
            ClockKind.DELAY: f"задержка {bonus_ru} на ход",
            ClockKind.INCREMENT: f"добавление {bonus_ru} за ход",
            ClockKind.BRONSTEIN: f"возврат до {bonus_ru} за ход (Бронштейн)",
        }[control.kind])  # fmt: skip
        en.append({
            ClockKind.DELAY: f"{bonus_en} delay a turn",
            ClockKind.INCREMENT: f"{bonus_en} increment a turn",
            ClockKind.BRONSTEIN: f"up to {bonus_en} back a turn (Bronstein)",
        }[control.kind])  # fmt: skip
    else:
        ru.append("без добавления")
        en.append("sudden death")
    if control.overtime_ms:
        ru.append(f"добавочное время {_span_ru(control.overtime_ms)}")
        en.append(f"{_span_en(control.overtime_ms)} overtime")
    if control.each_game:
        ru.append("на каждую партию")
        en.append("for each game")
    return Explanation(", ".join(ru), ", ".join(en))


def clock_text(ms: int) -> str:
    """Write a time as a clock shows it: `1:02:03`, `14:05`, below ten seconds `0:09.4`.

    What is begun is not shown: a display never promises more than there is.
    """
    seconds = ms // 1000
    if seconds < 10:
        return f"0:0{seconds}.{ms % 1000 // 100}"
    hours, rest = divmod(seconds, 3600)
    minutes, seconds = divmod(rest, 60)
    if hours:
        return f"{hours}:{minutes:02d}:{seconds:02d}"
    return f"{minutes}:{seconds:02d}"


def _paused(pause: Pause, to_move: Color | None) -> Explanation:
    why_ru, why_en = _WHY.get(pause.reason, _STOPPED_BY[pause.by])
    if to_move is None:
        return Explanation(f"Часы стоят: {why_ru}.", f"The clock stands: {why_en}.")
    ru, en = _MOVERS[to_move]
    return Explanation(
        f"Часы стоят: {why_ru}. Очередь: {ru}.",
        f"The clock stands: {why_en}. {en} to move.",
    )


def _span_ru(ms: int) -> str:
    return _span(ms, "мин", "с").replace(".", ",")


def _span_en(ms: int) -> str:
    return _span(ms, "min", "s")


def _span(ms: int, minutes: str, seconds: str) -> str:
    if ms >= 60_000 and ms % 6_000 == 0:
        return f"{ms / 60_000:g} {minutes}"
    if ms >= 60_000:
        return f"{ms // 60_000} {minutes} {ms % 60_000 / 1000:g} {seconds}"
    return f"{ms / 1000:g} {seconds}"
