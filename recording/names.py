"""Players' names as match files can hold them."""

import re
from typing import Final

_LONGEST_BYTES: Final = 31
_SPECIAL = re.compile(r"[:;,()\[\]\\\s]+")


def fitting_name(name: str, fallback: str = "") -> str:
    """Return a name as GNU Backgammon takes it.

    It reads 31 bytes, in the middle of a letter if need be; a colon ends a name, a comma begins
    a rating, a semicolon parts the fields of a board.
    """
    plain = _SPECIAL.sub(" ", fitting_header(name)).strip()
    return (
        plain.encode(errors="replace")[:_LONGEST_BYTES].decode(errors="ignore").strip()
        or fallback
    )


def fitting_header(text: str) -> str:
    """Return a header's value on one line and without the quote that would end it."""
    return " ".join(text.replace('"', "'").split())
