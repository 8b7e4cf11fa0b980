"""The keys of the configuration, by their names `section.key`, taken from the settings."""

import difflib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from zarbiter.config import ABOUT, About, Settings, Value

_YES: Final = frozenset({"true", "yes", "on", "1"})
_NO: Final = frozenset({"false", "no", "off", "0"})
_KINDS: Final = {
    bool: ("true or false", "true или false"),
    int: ("a whole number", "целое число"),
    str: ("a text in quotes", "текст в кавычках"),
}


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with a value, and where it stands."""

    where: str
    """A file, a variable, a flag."""
    key: str
    """`section.key`, or what stands in its place; empty: the file as a whole."""
    ru: str
    en: str

    def text(self, language: str) -> str:
        """Say it in `ru` or `en`."""
        said = self.ru if language == "ru" else self.en
        return ": ".join(part for part in (self.where, self.key, said) if part)

    def to_json(self) -> dict[str, str]:
        """Write it for programs."""
        return {"where": self.where, "key": self.key, "ru": self.ru, "en": self.en}


class ConfigError(ValueError):
    """A configuration that cannot be used; holds all that is wrong with it."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(one.text("en") for one in self.problems))

    def text(self, language: str) -> str:
        """Say it all in `ru` or `en`, a line a problem."""
        return "\n".join(one.text(language) for one in self.problems)


@dataclass(frozen=True, slots=True)
class Key:
    """One key."""

    section: str
    name: str
    kind: type[bool] | type[int] | type[str]
    default: Value
    about: About

    @property
    def full(self) -> str:
        """`section.key`."""
        return f"{self.section}.{self.name}"

    @property
    def variable(self) -> str:
        """The environment variable that sets it."""
        return f"{PREFIX}{self.section}_{self.name}".upper()


PREFIX: Final = "ZARBITER_"


def _keys() -> Iterator[Key]:
    settings = Settings()
    for part in fields(Settings):
        section = getattr(settings, part.name)
        for one in fields(section):
            default: Value = getattr(section, one.name)
            if isinstance(default, StrEnum):
                default = default.value
            about: About = one.metadata[ABOUT]
            yield Key(part.name, one.name, _kind(default), default, about)


def _kind(default: Value) -> type[bool] | type[int] | type[str]:
    if isinstance(default, bool):
        return bool
    return int if isinstance(default, int) else str


KEYS: Final = MappingProxyType({one.full: one for one in _keys()})
SECTIONS: Final = tuple(part.name for part in fields(Settings))


def checked(key: Key, value: object, where: str) -> Value:
    """Return a value that its key may hold.

    Raises:
        ConfigError: another type, or out of its range; says what is allowed.
    """
    limit = key.about.limit
    # In Python True is a whole number, in a configuration it is not.
    if type(value) is not key.kind and not (key.kind is str and isinstance(value, str)):
        en, ru = _KINDS[key.kind]
        raise _wrong(where, key, f"{_shown(value)}: нужно {ru}", f"{_shown(value)} is not {en}")
    if not limit.accepts(value):
        raise _wrong(where, key, f"{_shown(value)} нельзя", f"{_shown(value)} will not do")
    if isinstance(value, StrEnum):
        return value.value
    assert isinstance(value, str | int)
    return value


def parsed(key: Key, text: str, where: str) -> Value:
    """Read a value from an environment variable or a flag.

    Raises:
        ConfigError: as `checked`.
    """
    value: object = text
    word = text.strip().lower()
    if key.kind is bool and word in _YES | _NO:
        value = word in _YES
    elif key.kind is int and word.lstrip("-").isascii() and word.lstrip("-").isdigit():
        value = int(word)
    return checked(key, value, where)


def unknown_key(where: str, section: str, name: str) -> Problem:
    """Say that a section has no such key, which it has, and which was meant."""
    names = [one.name for one in KEYS.values() if one.section == section]
    near = difflib.get_close_matches(name, names, 1, 0.6)
    meant = f"{section}.{near[0]}" if near else _elsewhere(name)
    have = ", ".join(names)
    return Problem(
        where,
        f"{section}.{name}",
        f"такого ключа нет; есть {have}" + (f". Может быть, {meant}?" if meant else ""),
        f"there is no such key; there are {have}" + (f". Perhaps {meant}?" if meant else ""),
    )


def unknown_section(where: str, name: str) -> Problem:
    """Say that there is no such section, which there are, and which was meant."""
    near = difflib.get_close_matches(name, SECTIONS, 1, 0.6)
    meant = f"[{near[0]}]" if near else _elsewhere(name)
    have = ", ".join(f"[{one}]" for one in SECTIONS)
    return Problem(
        where,
        f"[{name}]",
        f"такого раздела нет; есть {have}" + (f". Может быть, {meant}?" if meant else ""),
        f"there is no such section; there are {have}"
        + (f". Perhaps {meant}?" if meant else ""),
    )


def _elsewhere(name: str) -> str | None:
    by_name = {one.name: one.full for one in KEYS.values()}
    near = difflib.get_close_matches(name, by_name, 1, 0.8)
    return by_name[near[0]] if near else None


def _wrong(where: str, key: Key, ru: str, en: str) -> ConfigError:
    limit = key.about.limit
    return ConfigError(
        (Problem(where, key.full, f"{ru}; можно: {limit.ru}", f"{en}; allowed: {limit.en}"),)
    )


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else str(value)
