"""What the doctor asks of the machine: cameras, pins, rights, disk, time, configuration."""

import os
import pwd
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Literal

from hardware.camera_list import Listing
from hardware.colour_patch import PATCH_WORDS, PatchResult, check_patch
from hardware.errors import HardwareError
from hardware.picture import Pixels
from zarbiter.config_keys import ConfigError
from zarbiter.findings import Finding, Health
from zarbiter.health import Level, MachineReading, facts_of

DEV: Final = Path("/dev")
_NODES: Final = ("video*", "media*", "gpiochip*", "dma_heap/*")
_HEALTH: Final = {Level.OK: Health.OK, Level.WARN: Health.WARNING, Level.BAD: Health.FAULT}


def cameras_finding(listing: Listing) -> Finding:
    """Say which cameras are there and who holds them."""
    name = "cameras"
    if not listing.cameras:
        return Finding(
            name,
            Health.WARNING,
            "none found",
            "plug in a USB camera, or seat the ribbon cable with the power off",
            "не найдено ни одной",
            "подключите USB-камеру или вставьте шлейф при выключенном питании",
        )
    told = ", ".join(f"{one.choice} ({one.model})" for one in listing.cameras)
    held = [(one.choice, ", ".join(one.held_by)) for one in listing.cameras if one.held_by]
    if held:
        who = "; ".join(f"{choice}: {holders}" for choice, holders in held)
        return Finding(
            name,
            Health.WARNING,
            f"{told}; in use — {who}",
            "that is right while Zarbiter's service runs; else close the program named",
            f"{told}; занята — {who}",
            "так и должно быть, пока работает служба Zarbiter; иначе закройте эту программу",
        )
    return Finding(name, Health.OK, told)


def colour_finding(bgr: Pixels, held: Literal["red", "blue"]) -> Finding:
    """Say whether a camera has red and blue where they belong.

    Args:
        bgr: (H, W, 3) uint8, a picture of a red or blue card in its middle.
        held: the card's colour.
    """
    result = check_patch(bgr, held)
    said = PATCH_WORDS[result]
    if result is PatchResult.RIGHT:
        return Finding("colours", Health.OK, said.en, "", said.ru)
    bad = result is PatchResult.SWAPPED
    # The sentence names the cure itself.
    found = ("red and blue are swapped", "красный и синий перепутаны") if bad else (
        "cannot be told", "не различить"
    )  # fmt: skip
    health = Health.FAULT if bad else Health.WARNING
    return Finding("colours", health, found[0], said.en, found[1], said.ru)


def pins_finding(
    open_pins: Callable[[], Any],
    name_of: Callable[[Any], str],
    *,
    wanted: bool,
    dev: Path = DEV,
) -> Finding:
    """Say which library drives the pins, or why none does.

    Args:
        open_pins: returns a pin factory, which is closed again.
        name_of: names it.
        wanted: whether the configuration has buttons or a lamp on pins.
        dev: where the devices are.
    """
    name = "pins"
    if not wanted and not any(dev.glob("gpiochip*")):
        return Finding(name, Health.OK, "there are none here", "", "здесь их нет")
    try:
        factory = open_pins()
    except HardwareError as error:
        cure = error.cure
        return Finding(
            name,
            Health.FAULT if wanted else Health.WARNING,
            error.cause.en,
            cure.en if cure else "set buttons.source and lamp.source to none",
            error.cause.ru,
            cure.ru if cure else "задайте buttons.source и lamp.source равными none",
        )
    library = name_of(factory)
    factory.close()
    return Finding(name, Health.OK, f"driven by {library}", "", f"через {library}")


def rights_finding(
    dev: Path = DEV,
    *,
    may: Callable[[Path], bool] = lambda node: os.access(node, os.R_OK | os.W_OK),
    group: Callable[[Path], str] = lambda node: node.group(),
    user: Callable[[], str] = lambda: pwd.getpwuid(os.getuid()).pw_name,
) -> Finding:
    """Say whether this user may use cameras and pins, and which groups are missing."""
    name = "groups"
    nodes = [node for form in _NODES for node in sorted(dev.glob(form))]
    missing: dict[str, None] = {}
    for node in nodes:
        if not may(node):
            missing[_group(group, node)] = None
    if missing:
        groups, who = ",".join(missing), user()
        return Finding(
            name,
            Health.WARNING,
            f"{who} may not use devices of the group {groups}",
            f"sudo usermod -aG {groups} {who}, then log in again",
            f"{who} не имеет доступа к устройствам группы {groups}",
            f"sudo usermod -aG {groups} {who} и войти заново",
        )
    if not nodes:
        return Finding(
            name, Health.OK, "no camera or pin to use", "", "нет ни камер, ни выводов"
        )
    return Finding(name, Health.OK, "cameras and pins may be used", "", "доступ есть")


def _group(group: Callable[[Path], str], node: Path) -> str:
    try:
        return group(node)
    except (KeyError, OSError):
        return "root"


def machine_findings(reading: MachineReading) -> Iterator[Finding]:
    """Say how the machine is, in the words of its health."""
    for fact in facts_of(replace(reading, uptime_s=None)):
        cure = fact.cure
        yield Finding(
            fact.name,
            _HEALTH[fact.level],
            fact.said.en,
            cure.en if cure else "",
            fact.said.ru,
            cure.ru if cure else "",
        )


@dataclass(frozen=True, slots=True)
class Configured:
    """What the doctor needs of the configuration."""

    folder: Path
    pins: bool


def config_finding(error: ConfigError | None, files: Iterable[Path]) -> Finding:
    """Say whether the configuration can be read."""
    name = "configuration"
    if error is not None:
        return Finding(
            name,
            Health.FAULT,
            "; ".join(error.text("en").splitlines()),
            "correct it, then: zarbiter config check",
            "; ".join(error.text("ru").splitlines()),
            "исправьте, затем: zarbiter config check",
        )
    there = ", ".join(str(path) for path in files if path.exists())
    if there:
        return Finding(name, Health.OK, there)
    return Finding(name, Health.OK, "no file: the defaults", "", "файла нет: всё по умолчанию")


def read_config() -> tuple[Finding, Configured]:
    """Read the configuration, and judge it; where it is broken the defaults stand in."""
    from zarbiter.config import ButtonSource, LampSource, Settings
    from zarbiter.config_load import load, places_of

    places = places_of(os.environ)
    settings, trouble = Settings(), None
    try:
        settings = load(places, os.environ).settings
    except ConfigError as error:
        trouble = error
    pins = (
        settings.buttons.source is ButtonSource.GPIO or settings.lamp.source is LampSource.GPIO
    )
    finding = config_finding(trouble, (path for _, path in places.files()))
    return finding, Configured(Path(settings.record.folder).expanduser(), pins)
