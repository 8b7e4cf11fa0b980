"""Why a camera gives no picture: each kind asks for something else to be done."""

from hardware.camera import CameraError
from hardware.errors import Sentence

_RESEAT = Sentence(
    "Проверьте шлейф или кабель камеры и блок питания; если не поможет, выключите и включите "
    "устройство.",
    "Reseat the camera's ribbon or cable and check the power supply; if that does not help, "
    "switch the device off and on.",
)


class CameraClosedError(CameraError):
    """`close` was called; there will be no picture any more."""

    def __init__(self) -> None:
        super().__init__(Sentence("Камера закрыта.", "The camera is closed."))


class CameraTimeoutError(CameraError):
    """The camera is open but gave no picture in time. Another try may succeed."""

    def __init__(self, waited_s: float) -> None:
        super().__init__(
            Sentence(
                f"Камера не дала кадра за {waited_s:g} с.",
                f"The camera gave no picture within {waited_s:g} s.",
            ),
            _RESEAT,
        )


class CameraFailedError(CameraError):
    """The driver reports a fault. Opening the camera anew may help."""

    def __init__(self, what: str) -> None:
        super().__init__(
            Sentence(f"Драйвер камеры сообщает: {what}.", f"The camera's driver says: {what}."),
            _RESEAT,
        )


class CameraAbsentError(CameraError):
    """No such camera: never plugged in, or pulled out. It may come back."""

    def __init__(self, name: str, found: tuple[str, ...] = ()) -> None:
        there = ", ".join(found)
        super().__init__(
            Sentence(
                f"Камера {name} не найдена"
                + (f"; есть {there}." if found else ", и других камер нет."),
                f"There is no camera {name}"
                + (f"; there is {there}." if found else ", nor any other."),
            ),
            Sentence(
                "Подключите её; камеру на шлейфе подключают при выключенном питании.",
                "Plug it in; a ribbon camera is plugged in while the power is off.",
            ),
        )


class CameraBusyError(CameraError):
    """Another program has the camera.

    Args:
        name: the camera.
        holders: who has it, `name (pid)`; empty where that cannot be seen.
    """

    def __init__(self, name: str, holders: tuple[str, ...] = ()) -> None:
        self.holders = holders
        who = ", ".join(holders)
        super().__init__(
            Sentence(
                f"Камеру {name} держит {who or 'другая программа, чьё имя отсюда не видно'}.",
                f"The camera {name} is held by "
                f"{who or 'another program whose name cannot be seen from here'}.",
            ),
            Sentence(
                "Завершите эту программу"
                + ("." if holders else "; её назовёт «sudo fuser -v /dev/video* /dev/media*»."),
                "End that program"
                + ("." if holders else "; “sudo fuser -v /dev/video* /dev/media*” names it."),
            ),
        )


class CameraUnusableError(CameraError):
    """Nothing that trying again could help: a library is missing, a setting is wrong."""


class CameraOverError(CameraError):
    """A recording has been shown to its end."""

    def __init__(self, name: str) -> None:
        super().__init__(Sentence(f"Запись {name} окончена.", f"The recording {name} is over."))
