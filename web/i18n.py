"""What the pages say, in the language of who reads: English in the source, the rest by gettext.

Catalogues lie in `locale/<language>/LC_MESSAGES/pages.po` with the compiled `.mo` beside them;
a test compares the two. Scripts get their share of the same catalogue as JSON.
"""

import gettext
import hashlib
import json
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

LANGUAGES: Final[Mapping[str, str]] = MappingProxyType({"ru": "Русский", "en": "English"})
"""Those that the pages can be read in, by code, each named in itself."""
SOURCE_LANGUAGE: Final = "en"
DOMAIN: Final = "pages"
LOCALE: Final = Path(__file__).parent / "locale"


class Words(NamedTuple):
    """The two calls of a template."""

    one: Callable[[str], str]
    many: Callable[[str, str, int], str]


def language_of(wanted: str | None, default: str = "ru") -> str:
    """Return a language there is."""
    return wanted if wanted is not None and wanted in LANGUAGES else default


@cache
def translations(language: str) -> gettext.NullTranslations:
    """Return a language's catalogue; English needs none."""
    if language == SOURCE_LANGUAGE:
        return gettext.NullTranslations()
    return gettext.translation(DOMAIN, LOCALE, [language], fallback=True)


def words(language: str) -> Words:
    """Return what a template calls: `_("…")` and `ngettext("…", "…", n)`."""
    found = translations(language)
    return Words(found.gettext, found.ngettext)


@cache
def script_catalogue(language: str) -> bytes:
    """Return the catalogue for scripts: message → text, or → forms by plural."""
    texts: dict[str, str | list[str]] = {}
    found = translations(language)
    if isinstance(found, gettext.GNUTranslations):
        for key, text in sorted(_messages(found), key=str):
            if isinstance(key, str):
                texts[key] = text
            else:
                forms = texts.setdefault(key[0], [])
                if isinstance(forms, list):
                    forms.append(text)
    texts.pop("", None)
    return json.dumps(texts, ensure_ascii=False, separators=(",", ":")).encode()


@cache
def script_catalogue_mark(language: str) -> str:
    """Return what changes when the catalogue does, for its address."""
    return hashlib.sha256(script_catalogue(language)).hexdigest()[:10]


def _messages(found: gettext.GNUTranslations) -> list[tuple[str | tuple[str, int], str]]:
    """Return (message, text) and ((message, form), text) as the catalogue was read."""
    catalogue: dict[str | tuple[str, int], str] = vars(found)["_catalog"]
    return list(catalogue.items())
