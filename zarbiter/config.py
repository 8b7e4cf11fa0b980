"""The live service's settings: one frozen object, each key with its default and its limits.

Read by `zarbiter.config_load`; a package gets the slice it needs, never the whole. What is
measured of one board or lens belongs to a calibration profile, not here.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, TypeAlias, TypeVar

from referee.arbiter.setup import Role
from rules import DEFAULT
from zarbiter.config_limits import (
    ADDRESS,
    CAMERA,
    CONTROL,
    FOLDER,
    HOST,
    HOSTS,
    MAINS,
    NAME,
    PATH,
    PIN,
    PIN_OR_NONE,
    PREFIX_PATH,
    RULES,
    YES_OR_NO,
    Limit,
    between,
    one_of,
)

Value: TypeAlias = str | int | bool
"""What a key holds, as TOML has it; a word of a list is a `StrEnum`, which is a `str`."""
_T = TypeVar("_T")
ABOUT: Final = "about"


@dataclass(frozen=True, slots=True)
class About:
    """What people are told of a key."""

    en: str
    ru: str
    limit: Limit


def _key(default: _T, limit: Limit, en: str, ru: str) -> _T:
    made: _T = field(default=default, metadata={ABOUT: About(en, ru, limit)})
    return made


class Language(StrEnum):
    """What the table speaks."""

    AUTO = "auto"
    """As the environment says (`LC_ALL`, `LC_MESSAGES`, `LANG`)."""
    RU = "ru"
    EN = "en"


class ButtonSource(StrEnum):
    """Where presses come from; the dashboard's buttons work beside any of them."""

    GPIO = "gpio"
    KEYBOARD = "keyboard"
    NONE = "none"


class LampSource(StrEnum):
    """What lamp and buzzer hang on."""

    GPIO = "gpio"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class TableSettings:
    """The table and what is played at it."""

    name: str = _key(
        "table",
        NAME,
        "the table's name, in the record and on the dashboard",
        "имя стола, в записи и на панели",
    )
    rules: str = _key(
        DEFAULT.name,
        RULES,
        "the rule set a new match begins with; `zarbiter rules` lists them",
        "набор правил нового матча; список даёт `zarbiter rules`",
    )
    language: Language = _key(  # noqa: RUF009 - a `field`
        Language.AUTO,
        one_of(Language),
        "what the table speaks; auto: as the environment says",
        "язык стола; auto: как в окружении",
    )


@dataclass(frozen=True, slots=True)
class CameraSettings:
    """The camera."""

    source: str = _key(
        "auto",
        CAMERA,
        "the camera; auto: the Pi's own, else the first on USB",
        "камера; auto: камера Pi, иначе первая на USB",
    )
    width: int = _key(1280, between(320, 4608, "px"), "width of a picture", "ширина кадра")
    height: int = _key(960, between(240, 3456, "px"), "height of a picture", "высота кадра")
    fps: int = _key(15, between(1, 60), "pictures a second", "кадров в секунду")
    mains_hz: int = _key(
        50,
        MAINS,
        "the mains that lamps flicker with: 50 in Europe and Asia, 60 in America",
        "частота сети, с которой мерцают лампы: 50 в Европе и Азии, 60 в Америке",
    )


@dataclass(frozen=True, slots=True)
class ButtonSettings:
    """The two clock buttons."""

    source: ButtonSource = _key(  # noqa: RUF009 - a `field`
        ButtonSource.NONE,
        one_of(ButtonSource),
        "where presses come from; those on the dashboard count always",
        "откуда нажатия; кнопки на панели действуют всегда",
    )
    white_pin: int = _key(17, PIN, "White's button", "кнопка белых")
    black_pin: int = _key(27, PIN, "Black's button", "кнопка чёрных")


@dataclass(frozen=True, slots=True)
class LampSettings:
    """Lamp and buzzer."""

    source: LampSource = _key(  # noqa: RUF009 - a `field`
        LampSource.NONE, one_of(LampSource), "what they hang on", "к чему они подключены"
    )
    green_pin: int = _key(
        5, PIN_OR_NONE, "the green light; 0: there is none", "зелёный свет; 0: его нет"
    )
    amber_pin: int = _key(
        6, PIN_OR_NONE, "the amber light; 0: there is none", "жёлтый свет; 0: его нет"
    )
    red_pin: int = _key(
        13, PIN_OR_NONE, "the red light; 0: there is none", "красный свет; 0: его нет"
    )
    buzzer_pin: int = _key(
        26, PIN_OR_NONE, "the buzzer; 0: there is none", "зуммер; 0: его нет"
    )


@dataclass(frozen=True, slots=True)
class ClockSettings:
    """The game clock."""

    control: str = _key(
        "none",
        CONTROL,
        "the time control a new match begins with: a preset, a text such as "
        "10m+12s delay, or none",
        "контроль времени нового матча: имя, запись вида 10m+12s delay или none",
    )


@dataclass(frozen=True, slots=True)
class WebSettings:
    """The dashboard."""

    host: str = _key(
        "127.0.0.1",
        HOST,
        "the address listened on; 127.0.0.1: this device alone, 0.0.0.0: the whole network",
        "адрес приёма; 127.0.0.1: только это устройство, 0.0.0.0: вся сеть",
    )
    port: int = _key(
        8080, between(0, 65535), "the port; 0: any free one", "порт; 0: любой свободный"
    )
    names: str = _key(
        "",
        HOSTS,
        "further names by which the dashboard is asked, as behind a proxy; others fail",
        "другие имена, под которыми панель спрашивают, например за прокси; прочим нет ответа",
    )
    prefix: str = _key(
        "",
        PREFIX_PATH,
        "the path under which a proxy shows it",
        "путь, под которым её показывает прокси",
    )
    proxy: str = _key(
        "",
        ADDRESS,
        "the address of a proxy whose word on the asker's address and https is believed",
        "адрес прокси, которому верят об адресе спросившего и о https",
    )
    spectators_see_camera: bool = _key(
        False,
        YES_OR_NO,
        "whether spectators see the live picture",
        "видят ли зрители живую картинку",
    )
    spectator_delay_s: int = _key(
        0,
        between(0, 3600, "s"),
        "how late spectators see the match; above 0 they get no live picture",
        "с каким опозданием зрители видят матч; если не 0, живой картинки у них нет",
    )


@dataclass(frozen=True, slots=True)
class RecordSettings:
    """Where matches are kept."""

    folder: str = _key(
        "~/.local/share/zarbiter",
        FOLDER,
        "the folder of records, pictures and the device's key",
        "папка записей, снимков и ключа устройства",
    )
    budget_mb: int = _key(
        4000,
        between(50, 1_000_000, "MB"),
        "room for pictures; the oldest undisputed ones give way, events never do",
        "место для снимков; старые неспорные уступают новым, события — никогда",
    )


@dataclass(frozen=True, slots=True)
class RefereeSettings:
    """What the arbiter may do."""

    role: Role = _key(  # noqa: RUF009 - a `field`
        Role.REFEREE,
        one_of(Role),
        "what the arbiter does: silent only records, monitor flags a wrong play, referee "
        "stops the clock on one",
        "что делает арбитр: silent только записывает, monitor отмечает неверный ход, "
        "referee останавливает на нём часы",
    )


@dataclass(frozen=True, slots=True)
class CalibrationSettings:
    """What was measured of this board and camera."""

    profile: str = _key(
        "", PATH, "the calibration profile; empty: none", "профиль калибровки; пусто: нет"
    )


@dataclass(frozen=True, slots=True)
class Settings:
    """All of it: a section of the file each."""

    table: TableSettings = field(default_factory=TableSettings)
    camera: CameraSettings = field(default_factory=CameraSettings)
    buttons: ButtonSettings = field(default_factory=ButtonSettings)
    lamp: LampSettings = field(default_factory=LampSettings)
    clock: ClockSettings = field(default_factory=ClockSettings)
    web: WebSettings = field(default_factory=WebSettings)
    record: RecordSettings = field(default_factory=RecordSettings)
    referee: RefereeSettings = field(default_factory=RefereeSettings)
    calibration: CalibrationSettings = field(default_factory=CalibrationSettings)


def spoken(language: Language, environment: Callable[[], str]) -> str:
    """Return `ru` or `en`; `environment` is asked only for `auto`."""
    return environment() if language is Language.AUTO else language.value


def pin_clash(settings: Settings) -> tuple[str, str] | None:
    """Return two keys that name one pin, of what is wired at all; None when all differ."""
    wired: dict[str, int] = {}
    buttons, lamp = settings.buttons, settings.lamp
    if buttons.source is ButtonSource.GPIO:
        wired |= {
            "buttons.white_pin": buttons.white_pin,
            "buttons.black_pin": buttons.black_pin,
        }
    if lamp.source is LampSource.GPIO:
        lit = {
            "lamp.green_pin": lamp.green_pin,
            "lamp.amber_pin": lamp.amber_pin,
            "lamp.red_pin": lamp.red_pin,
            "lamp.buzzer_pin": lamp.buzzer_pin,
        }
        wired |= {name: pin for name, pin in lit.items() if pin}
    seen: dict[int, str] = {}
    for name, pin in wired.items():
        if pin in seen:
            return seen[pin], name
        seen[pin] = name
    return None
