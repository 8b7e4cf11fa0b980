"""What a request can fail with, in words for people and a code for programs."""

from collections.abc import Mapping
from typing import Final

_CATALOGUE: Final[Mapping[str, tuple[int, str, str]]] = {
    "bad_request": (400, "Запрос не понят.", "The request cannot be understood."),
    "not_json": (415, "Нужен JSON.", "JSON is wanted here."),
    "login_needed": (401, "Введите PIN.", "Give your PIN first."),
    "wrong_pin": (401, "PIN не подошёл.", "That PIN is not right."),
    "wrong_code": (401, "Код не подошёл.", "That code is not right."),
    "forbidden": (403, "Вам это здесь не разрешено.", "You may not do this here."),
    "not_yours": (
        403,
        "От этого имени вы говорить не можете.",
        "You may not speak for that side.",
    ),
    "no_picture_for_you": (
        403,
        "Снимки зрителям не показывают.",
        "Spectators are not shown pictures.",
    ),
    "setup_needed": (
        403,
        "Сначала введите одноразовый код и задайте PIN.",
        "Give the one-time code and choose PINs first.",
    ),
    "set_up_already": (409, "Доступ уже настроен.", "Access has been set up already."),
    "csrf": (
        403,
        "Страница устарела: обновите её.",
        "This page is out of date: load it again.",
    ),
    "foreign": (403, "Запрос с чужой страницы.", "The request comes from another site."),
    "wrong_host": (
        421,
        "По этому имени стол не отвечает.",
        "The table does not answer to this name.",
    ),
    "not_found": (404, "Здесь ничего нет.", "There is nothing here."),
    "no_match": (404, "Такого матча в протоколе нет.", "The record holds no such match."),
    "no_picture": (404, "Этого снимка нет.", "There is no such picture."),
    "no_throw": (404, "Такого броска в протоколе нет.", "The record holds no such throw."),
    "method": (405, "Так сюда не обращаются.", "That method is not for this address."),
    "refused": (409, "Не выполнено.", "Not done."),
    "shown_late": (
        409,
        "Зрители видят матч с опозданием: этого ещё нет.",
        "Spectators see the match late: this is not there yet.",
    ),
    "busy_match": (409, "Сейчас идёт матч.", "A match is under way."),
    "too_large": (413, "Слишком много данных.", "Too much data."),
    "unfit": (422, "Значение не подходит.", "A value does not fit."),
    "too_many_tries": (
        429,
        "Слишком много попыток: подождите {seconds} с.",
        "Too many tries: wait {seconds} s.",
    ),
    "failed": (500, "Внутренняя ошибка: она записана в журнал.", "An error; it was logged."),
    "stopped": (503, "Стол сейчас не отвечает.", "The table does not answer now."),
    "too_many_streams": (
        503,
        "Слишком много подключений: страница обновляется реже.",
        "Too many connections: the page is updated less often.",
    ),
}
CODES: Final = tuple(_CATALOGUE)


class ProblemError(Exception):
    """A request that is not served.

    Args:
        code: one of the catalogue.
        detail: what exactly, as it was said elsewhere; stands after the sentence.
        retry_after_s: when to try again.
        more: what else the answer holds.
    """

    def __init__(
        self,
        code: str,
        detail: str = "",
        *,
        retry_after_s: int | None = None,
        more: Mapping[str, object] | None = None,
    ) -> None:
        super().__init__(code, detail)
        self.code = code
        self.status, ru, en = _CATALOGUE[code]
        words = {"seconds": retry_after_s}
        extra = f" {detail}" if detail else ""
        self.ru, self.en = ru.format(**words) + extra, en.format(**words) + extra
        self.retry_after_s = retry_after_s
        self.more = dict(more or {})

    def to_json(self) -> dict[str, object]:
        """Return the answer's body."""
        return {"error": {"code": self.code, "ru": self.ru, "en": self.en}, **self.more}


_BY_STATUS: Final = {
    400: "bad_request",
    401: "login_needed",
    403: "forbidden",
    404: "not_found",
    405: "method",
    413: "too_large",
    415: "not_json",
    422: "unfit",
}


def problem_of_status(status: int) -> ProblemError:
    """Return the problem that an HTTP status stands for."""
    return ProblemError(_BY_STATUS.get(status, "failed" if status >= 500 else "bad_request"))
