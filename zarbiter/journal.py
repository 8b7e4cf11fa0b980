"""Logging: to the journal with priorities, to a terminal without, never with a secret."""

import logging
import os
import re
import sys
from collections.abc import Mapping
from typing import Final, TextIO

_PRIORITIES: Final = (
    (logging.CRITICAL, 2),
    (logging.ERROR, 3),
    (logging.WARNING, 4),
    (logging.INFO, 6),
)
_DEBUG: Final = 7
_HIDDEN: Final = "…"
_SECRETS: Final = (
    # A name that says it, and what follows up to a blank, a comma or the end of the quotes.
    re.compile(
        r"(?i)([\"']?\b(?:[\w-]*(?:password|passwd|secret|token|api[_-]?key)|pin|cookie|"
        r"csrf[\w-]*|set-cookie|authorization)[\"']?\s*[:=]\s*)(?:bearer\s+|basic\s+)?"
        r"(\"[^\"]*\"|'[^']*'|[^\s,;&}\]]+)"
    ),
    re.compile(r"(?i)(\b(?:bearer|basic)\s+)([\w.~+/=-]{6,})"),
    re.compile(r"(\b\w+://[^\s:/@]+:)([^\s@]+)(?=@)"),
)


class JournalFormatter(logging.Formatter):
    """Formats a record of the log.

    Args:
        priorities: whether every line begins with `<N>`, by which the journal sorts.
    """

    def __init__(self, *, priorities: bool) -> None:
        # The journal has the time and the process already.
        super().__init__(
            "%(name)s: %(message)s" if priorities else "%(levelname)s %(name)s: %(message)s"
        )
        self._priorities = priorities

    def format(self, record: logging.LogRecord) -> str:
        """Return the text, without secrets, each of its lines with its priority."""
        text = without_secrets(super().format(record))
        if not self._priorities:
            return text
        prefix = f"<{priority_of(record.levelno)}>"
        return "\n".join(prefix + line for line in text.splitlines() or [""])


def set_up_logging(
    level: int = logging.INFO,
    stream: TextIO | None = None,
    environment: Mapping[str, str] | None = None,
) -> logging.Handler:
    """Send the whole program's log to a stream, in the form that suits it.

    Args:
        level: the least that is told.
        stream: where to; standard error unless told.
        environment: of the process.

    Returns:
        The handler, already in place; a second call takes the first one's out.
    """
    stream = sys.stderr if stream is None else stream
    environment = os.environ if environment is None else environment
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JournalFormatter(priorities=is_journal(stream, environment)))
    root = logging.getLogger()
    for old in [one for one in root.handlers if isinstance(one.formatter, JournalFormatter)]:
        root.removeHandler(old)
    root.addHandler(handler)
    root.setLevel(level)
    return handler


def is_journal(stream: TextIO, environment: Mapping[str, str]) -> bool:
    """Tell whether a stream is the one that systemd connected with its journal.

    The variable alone does not say it: it is inherited by programs whose output goes elsewhere.
    """
    device, _, inode = environment.get("JOURNAL_STREAM", "").partition(":")
    try:
        status = os.fstat(stream.fileno())
    except (OSError, ValueError):
        return False
    return (device, inode) == (str(status.st_dev), str(status.st_ino))


def priority_of(level: int) -> int:
    """Return syslog's priority for a level of the log."""
    return next((priority for least, priority in _PRIORITIES if level >= least), _DEBUG)


def without_secrets(text: str) -> str:
    """Hide what follows `pin`, `token`, `password` and the like, and passwords in addresses."""
    for form in _SECRETS:
        text = form.sub(rf"\g<1>{_HIDDEN}", text)
    return text
