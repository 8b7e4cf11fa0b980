"""What a replay calls each kind of event, in Russian and English."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

LABELS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "match_opened": ("Матч начат", "Match begun"),
        "restarted": ("Программа перезапущена", "Program restarted"),
        "start_seen": ("Расстановка", "Start position"),
        "opening_die_seen": ("Кость жребия", "Opening die"),
        "throw_seen": ("Кости легли", "Dice at rest"),
        "dice_changed": ("Кости сдвинуты", "Dice disturbed"),
        "dice_lifted": ("Кости подняты", "Dice taken up"),
        "pressed": ("Кнопка часов", "Clock pressed"),
        "play_read": ("Ход прочитан", "Play read"),
        "time_passed": ("Время прошло", "Time passed"),
        "sight_lost": ("Доска потеряна из виду", "Board lost from sight"),
        "board_nudged": ("Доска сдвинута", "Board nudged"),
        "throw_answered": ("Бросок указан", "Throw said"),
        "press_withdrawn": ("Нажатие отменено", "Press taken back"),
        "position_chosen": ("Положение указано", "Position said"),
        "accepted": ("Ход принят", "Play accepted"),
        "demanded": ("Потребован верный ход", "Right move demanded"),
        "premature_answered": ("Решение о раннем броске", "Early throw decided"),
        "adjust_said": ("«Поправляю»", "“I adjust”"),
        "touch_claimed": ("Заявлено касание", "Touch claimed"),
        "claim_answered": ("Решение о касании", "Touch decided"),
        "resign_offered": ("Сдача предложена", "Resignation offered"),
        "resign_answered": ("Ответ на сдачу", "Resignation answered"),
        "double_offered": ("Даве: удвоение", "Double offered"),
        "double_taken": ("Басе: удвоение принято", "Double taken"),
        "double_dropped": ("Удвоение отклонено", "Double dropped"),
        "beavered": ("Бивер", "Beaver"),
        "pause_asked": ("Пауза", "Pause"),
        "resumed": ("Игра продолжена", "Play resumed"),
        "time_set": ("Время установлено", "Clock set"),
        "referee_called": ("Позван судья", "Referee called"),
        "referee_left": ("Судья ушёл", "Referee done"),
        "flag_answered": ("Решение о времени", "Time decided"),
        "overridden": ("Положение установлено судьёй", "Position set by the referee"),
        "undone": ("Ходы возвращены", "Turns taken back"),
        "result_corrected": ("Результат исправлен", "Result corrected"),
        "next_game_started": ("Следующая партия", "Next game"),
        "match_closed": ("Матч закрыт", "Match closed"),
        "opening_ruled": ("Жребий", "Opening throw"),
        "throw_ruled": ("Бросок рассужен", "Throw judged"),
        "play_ruled": ("Ход рассужен", "Play judged"),
        "flag_fell": ("Флаг упал", "Flag fell"),
        "game_ended": ("Партия окончена", "Game over"),
        "match_ended": ("Матч окончен", "Match over"),
    }
)
