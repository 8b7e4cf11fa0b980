"""The layers of the configuration: defaults, system, user, environment, flags."""

import difflib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import Final

import cattrs

from zarbiter.config import Settings, Value, pin_clash
from zarbiter.config_file import read_values
from zarbiter.config_keys import (
    KEYS,
    PREFIX,
    SECTIONS,
    ConfigError,
    Key,
    Problem,
    checked,
    parsed,
    unknown_key,
    unknown_section,
)

SYSTEM: Final = Path("/etc/zarbiter/config.toml")
_CONVERTER: Final = cattrs.Converter(forbid_extra_keys=True)


class Layer(StrEnum):
    """Where a value comes from, weakest first."""

    DEFAULT = "default"
    SYSTEM = "system"
    USER = "user"
    FILE = "file"
    """A file named on the command line; it stands for system and user files."""
    ENVIRONMENT = "environment"
    FLAG = "flag"


@dataclass(frozen=True, slots=True)
class Origin:
    """Where one value comes from."""

    layer: Layer
    where: str = ""
    """The file, the variable, the flag; empty for a default."""


@dataclass(frozen=True, slots=True)
class Places:
    """The files that are read."""

    system: Path
    user: Path
    """The dashboard's settings page writes this one."""
    only: Path | None = None
    """A file that stands for both, and must be there."""

    def files(self) -> tuple[tuple[Layer, Path], ...]:
        """The files in the order in which they count."""
        if self.only is not None:
            return ((Layer.FILE, self.only),)
        return ((Layer.SYSTEM, self.system), (Layer.USER, self.user))

    @property
    def written(self) -> Path:
        """The file that changes go to."""
        return self.only or self.user


@dataclass(frozen=True, slots=True)
class Loaded:
    """The settings, and where each came from."""

    settings: Settings
    origins: Mapping[str, Origin]
    """By `section.key`, every key there is."""
    places: Places


def places_of(
    environment: Mapping[str, str],
    home: Callable[[], Path] = Path.home,
    only: Path | None = None,
) -> Places:
    """Return where files are looked for.

    Args:
        environment: of the process.
        home: the user's home folder.
        only: the file named on the command line.
    """
    # The XDG standard has relative paths ignored.
    given = environment.get("XDG_CONFIG_HOME", "")
    base = Path(given) if given.startswith("/") else home() / ".config"
    return Places(SYSTEM, base / "zarbiter" / "config.toml", only)


def load(
    places: Places,
    environment: Mapping[str, str],
    flags: Mapping[str, Value] = MappingProxyType({}),
) -> Loaded:
    """Read all layers.

    Args:
        places: the files.
        environment: of the process.
        flags: values given on the command line, by `section.key`.

    Raises:
        ConfigError: all that is wrong in any of the layers.
    """
    values: dict[str, Value] = {full: key.default for full, key in KEYS.items()}
    origins = dict.fromkeys(KEYS, Origin(Layer.DEFAULT))
    problems: list[Problem] = []
    for layer, path in places.files():
        try:
            found = read_values(path)
        except FileNotFoundError:
            if layer is Layer.FILE:
                problems.append(_missing(path))
            continue
        except ConfigError as error:
            problems.extend(error.problems)
            continue
        values |= found
        origins |= dict.fromkeys(found, Origin(layer, str(path)))
    for key, value, name in _variables(environment, problems):
        values[key.full], origins[key.full] = value, Origin(Layer.ENVIRONMENT, name)
    for full, value in flags.items():
        flag = f"--{KEYS[full].name.replace('_', '-')}"
        try:
            values[full] = checked(KEYS[full], value, flag)
        except ConfigError as error:
            problems.extend(error.problems)
        origins[full] = Origin(Layer.FLAG, flag)
    if problems:
        raise ConfigError(problems)
    settings = settings_of(values)
    if clash := pin_clash(settings):
        raise ConfigError((_one_pin(clash, values, origins),))
    return Loaded(settings, MappingProxyType(origins), places)


def settings_of(values: Mapping[str, Value]) -> Settings:
    """Make the settings of checked values; keys left out have their defaults."""
    sections: dict[str, dict[str, Value]] = {}
    for full, value in values.items():
        section, name = full.split(".")
        sections.setdefault(section, {})[name] = value
    return _CONVERTER.structure(sections, Settings)


def values_in(settings: Settings) -> dict[str, Value]:
    """Return the settings by `section.key`, as JSON and TOML have them."""
    sections: dict[str, dict[str, Value]] = _CONVERTER.unstructure(settings)
    return {
        f"{section}.{name}": value
        for section, content in sections.items()
        for name, value in content.items()
    }


def _variables(
    environment: Mapping[str, str], problems: list[Problem]
) -> Iterator[tuple[Key, Value, str]]:
    by_variable = {key.variable: key for key in KEYS.values()}
    for name in sorted(environment):
        if not name.startswith(PREFIX):
            continue
        section, _, rest = name.removeprefix(PREFIX).lower().partition("_")
        key = by_variable.get(name)
        if key is not None:
            try:
                yield key, parsed(key, environment[name], name), name
            except ConfigError as error:
                problems.extend(error.problems)
        elif section in SECTIONS:
            problems.append(unknown_key(name, section, rest))
        elif difflib.get_close_matches(section, SECTIONS, 1, 0.75):
            # Other programs' variables may begin alike: only a slip of the pen is refused.
            problems.append(unknown_section(name, section))


def _missing(path: Path) -> Problem:
    return Problem(str(path), "", "такого файла нет", "there is no such file")


def _one_pin(
    clash: tuple[str, str], values: Mapping[str, Value], origins: Mapping[str, Origin]
) -> Problem:
    first, second = clash
    where = origins[second].where or origins[first].where
    pin = values[second]
    return Problem(
        where,
        second,
        f"вывод {pin} уже занят ключом {first}",
        f"pin {pin} is taken by {first} already",
    )
