"""A configuration file: read whole, checked whole, changed without losing its comments."""

import os
import tempfile
import tomllib
from collections.abc import Mapping, MutableMapping
from pathlib import Path

from zarbiter.config import Value
from zarbiter.config_keys import (
    KEYS,
    SECTIONS,
    ConfigError,
    Problem,
    checked,
    unknown_key,
    unknown_section,
)

_MODE = 0o644


def read_values(path: Path) -> dict[str, Value]:
    """Return what a file sets, by `section.key`.

    Raises:
        ConfigError: unreadable, no TOML, or something in it is unknown or impossible.
        FileNotFoundError: there is none.
    """
    return values_of(_text(path), str(path))


def values_of(text: str, where: str) -> dict[str, Value]:
    """Return what a text sets, by `section.key`.

    Raises:
        ConfigError: no TOML, or something in it is unknown or impossible.
    """
    try:
        sections = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ConfigError((_no_toml(where, error),)) from error
    values: dict[str, Value] = {}
    problems: list[Problem] = []
    for section, content in sections.items():
        if section not in SECTIONS:
            problems.append(unknown_section(where, section))
        elif not isinstance(content, dict):
            problems.append(
                Problem(
                    where,
                    section,
                    f"это раздел: [{section}], под ним его ключи",
                    f"this is a section: [{section}], with its keys under it",
                )
            )
        else:
            for name, value in content.items():
                key = KEYS.get(f"{section}.{name}")
                if key is None:
                    problems.append(unknown_key(where, section, name))
                    continue
                try:
                    values[key.full] = checked(key, value, where)
                except ConfigError as error:
                    problems.extend(error.problems)
    if problems:
        raise ConfigError(problems)
    return values


def save(path: Path, changes: Mapping[str, Value | None]) -> None:
    """Change keys in a file and leave all else in it as it was, comments included.

    The file is replaced in one step: a power cut leaves the old one or the new one.

    Args:
        path: the file; it and its folder are made where they are missing.
        changes: values by `section.key`; None takes the key out, so that the layer below
            counts again.

    Raises:
        ConfigError: a key or value that cannot be, or a file that could not be read; nothing
            was written.
        OSError: it cannot be written.
    """
    # Needed here alone; reading does with the standard library.
    import tomlkit

    where = str(path)
    values = {full: _checked(full, value, where) for full, value in changes.items()}
    try:
        text = _text(path)
    except FileNotFoundError:
        text = ""
    values_of(text, where)
    document = tomlkit.parse(text)
    for full, value in values.items():
        section, name = full.split(".")
        table: MutableMapping[str, object] = document.get(section, {})
        if value is None:
            table.pop(name, None)
        elif section in document:
            table[name] = value
        else:
            if document.body:
                document.add(tomlkit.nl())
            document.add(section, tomlkit.item({name: value}))
    changed = tomlkit.dumps(document)
    values_of(changed, where)
    write_whole(path, changed)


def write_whole(path: Path, text: str) -> None:
    """Replace a file in one step, and keep its rights.

    Raises:
        OSError: it cannot be written; the old one is as it was.
    """
    path = path.resolve()  # a link stays a link
    path.parent.mkdir(parents=True, exist_ok=True)
    mode = path.stat().st_mode & 0o777 if path.exists() else _MODE
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            os.fchmod(file.fileno(), mode)
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _checked(full: str, value: Value | None, where: str) -> Value | None:
    key = KEYS.get(full)
    if key is None:
        section, _, name = full.partition(".")
        known = section in SECTIONS
        raise ConfigError(
            (unknown_key(where, section, name) if known else unknown_section(where, section),)
        )
    return None if value is None else checked(key, value, where)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConfigError(
            (Problem(str(path), "", "это не текст UTF-8", "this is not UTF-8 text"),)
        ) from error
    except FileNotFoundError:
        raise
    except OSError as error:
        said = error.strerror or str(error)
        raise ConfigError(
            (Problem(str(path), "", f"не читается: {said}", f"cannot be read: {said}"),)
        ) from error


def _no_toml(where: str, error: Exception) -> Problem:
    return Problem(where, "", f"это не TOML: {error}", f"this is not TOML: {error}")
