"""What to do about a poor view, in one plain sentence each, Russian and English."""

import math
from dataclasses import dataclass

from calibration.quality import LIMITS, Edge, Fault, QualityLimits, ViewQuality


@dataclass(frozen=True, slots=True)
class Advice:
    """One fault and what to do about it."""

    fault: Fault
    en: str
    ru: str

    def text(self, language: str) -> str:
        """Return the sentence in a language; all but Russian is English."""
        return self.ru if language == "ru" else self.en


_EDGES_EN = {
    Edge.LEFT: "left",
    Edge.TOP: "top",
    Edge.RIGHT: "right",
    Edge.BOTTOM: "bottom",
}
_EDGES_RU = {
    Edge.LEFT: "слева",
    Edge.TOP: "сверху",
    Edge.RIGHT: "справа",
    Edge.BOTTOM: "снизу",
}


def advice_on(quality: ViewQuality, limits: QualityLimits = LIMITS) -> tuple[Advice, ...]:
    """Return what to do, the most urgent first; nothing where the view is good."""
    return tuple(_sentence(fault, quality, limits) for fault in quality.faults)


def _sentence(fault: Fault, seen: ViewQuality, limits: QualityLimits) -> Advice:
    match fault:
        case Fault.NO_BOARD:
            return Advice(
                fault,
                "No board is seen. Bring all of it into the picture, or give its corners.",
                "Доска не видна. Поместите в кадр всю доску или укажите её углы.",
            )
        case Fault.CUT:
            sides_en = " and ".join(_EDGES_EN[edge] for edge in seen.cut)
            sides_ru = " и ".join(_EDGES_RU[edge] for edge in seen.cut)
            return Advice(
                fault,
                f"The board is cut off at the {sides_en}. Move the board or the camera until "
                "all of it shows.",
                f"Доска обрезана {sides_ru}. Подвиньте доску или камеру, чтобы она была видна "
                "целиком.",
            )
        case Fault.TOO_DARK:
            return Advice(
                fault,
                "It is too dark. Switch on a lamp, or give the camera a longer exposure.",
                "Слишком темно. Включите лампу или увеличьте выдержку камеры.",
            )
        case Fault.OVEREXPOSED:
            return Advice(
                fault,
                "The picture is overexposed. Dim the lamp, or shorten the camera's exposure.",
                "Кадр пересвечен. Убавьте свет или уменьшите выдержку камеры.",
            )
        case Fault.OUT_OF_FOCUS:
            return Advice(
                fault,
                f"The picture is blurred (edges are {seen.blur_px:.0f} pixels wide). "
                "Focus the lens on the board, wipe it, and see that the camera does not shake.",
                f"Кадр размыт (края шириной {seen.blur_px:.0f} пикс.). Наведите объектив на "
                "доску, протрите его и проверьте, что камера не дрожит.",
            )
        case Fault.TOO_FAR:
            return _nearer(seen, limits)
        case Fault.TOO_SLANTED:
            return Advice(
                fault,
                f"The camera looks aslant at the board ({seen.tilt_deg:.0f}° off vertical). "
                "Hang it more above the board's middle: up to 25° is good.",
                f"Камера смотрит на доску наискось ({seen.tilt_deg:.0f}° от вертикали). "
                "Повесьте её ближе к середине доски: хорошо до 25°.",
            )
        case Fault.GLARE:
            return Advice(
                fault,
                f"Glare covers {100 * seen.glare:.0f} % of the board. Move the lamp aside, or "
                "shade it with paper.",
                f"Блик закрывает {100 * seen.glare:.0f} % доски. Отодвиньте лампу или "
                "прикройте её бумагой.",
            )
        case Fault.TOO_CLOSE:
            return _farther(seen)


def _nearer(seen: ViewQuality, limits: QualityLimits) -> Advice:
    fault = Fault.TOO_FAR
    by_cm = _steps_cm(seen.height_mm * (1.0 - seen.px_per_mm / limits.good_px_per_mm))
    if by_cm == 0:
        return Advice(
            fault,
            "The board is too small in the picture. Move the camera closer, or take larger "
            "pictures.",
            "Доска в кадре слишком мала. Придвиньте камеру или снимайте крупнее.",
        )
    return Advice(
        fault,
        f"The board is too small in the picture. Move the camera {by_cm} cm closer, or take "
        "larger pictures.",
        f"Доска в кадре слишком мала. Придвиньте камеру на {by_cm} см или снимайте с большим "
        "разрешением.",
    )


def _farther(seen: ViewQuality) -> Advice:
    by_cm = max(_steps_cm(seen.height_mm * 0.12), 5)
    return Advice(
        Fault.TOO_CLOSE,
        f"There is no room beside the board for fallen dice. Move the camera {by_cm} cm away.",
        f"Рядом с доской нет места для упавших костей. Отодвиньте камеру на {by_cm} см.",
    )


def _steps_cm(distance_mm: float) -> int:
    """Return a distance in whole steps of 5 cm."""
    if not math.isfinite(distance_mm) or distance_mm <= 0:
        return 0
    return max(5, 5 * round(distance_mm / 50.0))
