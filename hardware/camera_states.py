"""How a camera is, by name, and what is said of it."""

from dataclasses import dataclass
from enum import StrEnum

from hardware.errors import Sentence


class CameraState(StrEnum):
    """How a camera is. Only a live one's picture may be ruled on."""

    STARTING = "starting"
    """Being opened; no picture yet."""
    LIVE = "live"
    STALE = "stale"
    """The newest picture is too old to be ruled on."""
    LOST = "lost"
    """It gives no pictures and is being opened anew."""
    BUSY = "busy"
    """Another program has it; tried again and again."""
    ABSENT = "absent"
    """It is not plugged in; tried again and again."""
    UNUSABLE = "unusable"
    """A library or a setting is wrong: no try could help."""
    HUNG = "hung"
    """The driver does not come back from a call; only a restart helps."""
    ENDED = "ended"
    """A recording has been shown to its end."""
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class Outage:
    """A time without pictures."""

    began_s: float
    """Of the last picture before it, or of the start."""
    ended_s: float | None
    """Of the first picture after it; None while it lasts."""
    state: CameraState
    """The worst it came to."""

    def lasted_s(self, now_s: float) -> float:
        """Return how long it was, or has been so far."""
        return (now_s if self.ended_s is None else self.ended_s) - self.began_s

    def to_json(self) -> dict[str, float | str | None]:
        """Write it for the dashboard and the record."""
        return {"began_s": self.began_s, "ended_s": self.ended_s, "state": self.state.value}


@dataclass(frozen=True, slots=True)
class CameraChange:
    """A camera's state became another one."""

    at_s: float
    before: CameraState
    after: CameraState
    sentence: Sentence
    outage: Outage | None
    """The outage that began, goes on, or has just ended."""


@dataclass(frozen=True, slots=True)
class CameraStatus:
    """All that a dashboard shows of a camera."""

    name: str
    state: CameraState
    since_s: float
    """When it came to be in this state."""
    age_s: float | None
    """Of the newest picture; None before the first."""
    fps: float
    size_px: tuple[int, int] | None
    pictures: int
    dropped: int
    """Pictures that nobody fetched before the next one."""
    tries: int
    """Failed tries to open it since it last worked for long."""
    recovered: int
    """How many outages have ended."""
    outages: tuple[Outage, ...]
    """The latest ones, the newest last."""
    often: bool
    """Whether there were so many lately that the cable wants looking at."""
    sentence: Sentence
    """Cause and cure, or that all is well."""
    notes: tuple[Sentence, ...]
    """What a person should know of this camera's picture."""

    def to_json(self) -> dict[str, object]:
        """Write it for the dashboard and for `doctor --json`."""
        return {
            "name": self.name,
            "state": self.state.value,
            "since_s": self.since_s,
            "age_s": self.age_s,
            "fps": round(self.fps, 1),
            "size_px": self.size_px,
            "pictures": self.pictures,
            "dropped": self.dropped,
            "tries": self.tries,
            "recovered": self.recovered,
            "outages": [one.to_json() for one in self.outages],
            "often": self.often,
            "sentence": self.sentence.to_json(),
            "notes": [one.to_json() for one in self.notes],
        }


STATE_WORDS = {
    CameraState.STARTING: Sentence("Камера включается.", "The camera is starting."),
    CameraState.LIVE: Sentence("Камера работает.", "The camera works."),
    CameraState.STALE: Sentence(
        "Камера замерла: новых кадров нет, решения по старым не выносятся.",
        "The camera stalls: there are no new pictures, and nothing is ruled on old ones.",
    ),
    CameraState.LOST: Sentence(
        "Камера не даёт кадров; её включают заново.",
        "The camera gives no pictures; it is being opened anew.",
    ),
    CameraState.BUSY: Sentence(
        "Камеру держит другая программа.", "Another program has the camera."
    ),
    CameraState.ABSENT: Sentence("Камеры нет.", "There is no camera."),
    CameraState.UNUSABLE: Sentence(
        "Камерой нельзя пользоваться.", "The camera cannot be used."
    ),
    CameraState.HUNG: Sentence(
        "Драйвер камеры завис. Перезапустите службу; если не поможет — проверьте шлейф и "
        "выключите и включите питание.",
        "The camera's driver hangs. Restart the service; if that does not help, reseat the "
        "ribbon and switch the power off and on.",
    ),
    CameraState.ENDED: Sentence("Запись окончена.", "The recording is over."),
    CameraState.CLOSED: Sentence("Камера закрыта.", "The camera is closed."),
}
OFTEN = Sentence(
    "Камера пропадала не раз за последний час: проверьте шлейф или кабель и блок питания.",
    "The camera dropped out several times within the last hour: check the ribbon or cable and "
    "the power supply.",
)
