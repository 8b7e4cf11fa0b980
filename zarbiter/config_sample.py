"""The configuration written out for people: a commented file, and the reference's table."""

import json
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from zarbiter.config import Value
from zarbiter.config_keys import KEYS, SECTIONS, Key

PI_VALUES: Final = MappingProxyType(
    {
        "camera.source": "auto",
        "buttons.source": "gpio",
        "web.host": "127.0.0.1",
        "record.folder": "/var/lib/zarbiter/record",
    }
)
"""What the file installed on a Raspberry Pi sets."""
_HEAD: Final = {
    "en": (
        "# Zarbiter's configuration. A line that begins with # is a default: take the # away",
        "# to change it. `zarbiter config check` names what is wrong in this file,",
        "# `zarbiter config show --origin` tells where each value in force comes from.",
    ),
    "ru": (
        "# Настройки Zarbiter. Строка с # в начале — значение по умолчанию: уберите #, чтобы",
        "# изменить его. `zarbiter config check` проверяет этот файл и называет ошибки,",
        "# `zarbiter config show --origin` говорит, откуда взято каждое значение.",
    ),
}


def sample_text(
    language: str = "en", values: Mapping[str, Value] = MappingProxyType({})
) -> str:
    """Return a commented file with every key.

    Args:
        language: of the comments, `ru` or `en`.
        values: what it sets, by `section.key`; all else is shown as a commented default.
    """
    return "\n".join(_sample(language, values)) + "\n"


def toml_value(value: Value) -> str:
    """Write a value as TOML has it."""
    # A TOML text, number and truth value look like JSON's.
    return json.dumps(value, ensure_ascii=False)


def reference_table() -> str:
    """Return the keys as a Markdown table."""
    return "\n".join(_reference()) + "\n"


def _sample(language: str, values: Mapping[str, Value]) -> Iterator[str]:
    yield from _HEAD[language]
    for section in SECTIONS:
        yield ""
        yield f"[{section}]"
        for key in KEYS.values():
            if key.section != section:
                continue
            about = key.about
            said, limit = (
                (about.ru, about.limit.ru) if language == "ru" else (about.en, about.limit.en)
            )
            yield f"# {said[0].upper()}{said[1:]}."
            yield f"#   {'можно' if language == 'ru' else 'allowed'}: {limit}"
            line = f"{key.name} = {toml_value(values.get(key.full, key.default))}"
            yield line if key.full in values else f"# {line}"


def _reference() -> Iterator[str]:
    yield "| key | default | allowed | what it is |"
    yield "| --- | --- | --- | --- |"
    for key in KEYS.values():
        yield f"| {' | '.join(_cells(key))} |"


def _cells(key: Key) -> tuple[str, ...]:
    default = f"`{toml_value(key.default)}`"
    return f"`{key.full}`", default, key.about.limit.en, key.about.en
