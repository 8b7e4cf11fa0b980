"""`zarbiter rules`: rule sheets and the list of the sets, for people and programs."""

import dataclasses
from collections.abc import Iterator
from typing import Any, TypeAlias

from rules import DEFAULT, VARIANTS, Variant
from rules.sheet import shared_laws, sheet, source_text
from rules.variant import parameters

JsonObject: TypeAlias = dict[str, Any]


def sheet_to_json(variant: Variant, language: str) -> JsonObject:
    """Write a set's rule sheet for programs."""
    return {
        "name": variant.name,
        "title": variant.title(language),
        "verified": variant.verified,
        "source": variant.source,
        "shared": list(shared_laws(language)),
        "laws": [dataclasses.asdict(line) for line in sheet(variant, language)],
    }


def sheet_to_text(variant: Variant, language: str) -> Iterator[str]:
    """Yield the lines of a set's rule sheet as a referee reads it."""
    ru = language == "ru"
    yield f"{variant.title(language)} ({variant.name})"
    if not variant.verified:
        yield (
            "! не сверено с печатным приказом"
            if ru
            else "! unverified: check against the printed order"
        )
    yield f"{'По тексту' if ru else 'After'} {source_text(variant.source, language)}"
    yield ""
    for law in shared_laws(language):
        yield f"  {law}"
    yield ""
    lines = sheet(variant, language)
    width = max(len(line.title) for line in lines)
    for line in lines:
        yield f"  {line.title:{width}}  {line.value}  [{line.source}]"
        if line.decided:
            yield f"  {'':{width}}  ⚑ {line.decided}"
    yield ""
    yield (
        "⚑ — текст молчит или противоречит себе; так решено здесь."
        if ru
        else "⚑ — the text is silent or contradicts itself; decided here."
    )


def sets_to_json(language: str) -> JsonObject:
    """Write the list of the sets for programs."""
    return {
        "default": DEFAULT.name,
        "sets": {
            name: {"title": one.title(language), "verified": one.verified}
            for name, one in VARIANTS.items()
        },
        "parameters": parameters(),
    }


def sets_to_text(language: str) -> Iterator[str]:
    """Yield the list of the sets, and of the parameters by which others are derived."""
    for name, one in VARIANTS.items():
        yield f"{name:14} {one.title(language)}{' *' if one is DEFAULT else ''}"
    yield ""
    yield (
        "* — по умолчанию. Любой параметр меняется: SET+параметр=значение"
        if language == "ru"
        else "* is the default. Any parameter can be changed: SET+parameter=value"
    )
    for key, values in parameters().items():
        yield f"  {key:20} {values}"
