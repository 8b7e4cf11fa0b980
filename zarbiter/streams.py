"""Standard streams made fit for JSON Lines and for any text, whatever the environment says."""

import codecs
import contextlib
import io
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

_ESCAPE = "zarbiter-escape"
_FILE_ENCODING = "utf-8-sig"
"""Files made on Windows may begin with a byte order mark."""


class StreamError(Exception):
    """A file of questions, or standard input, that cannot be read."""


def prepare() -> None:
    """Make printing safe: no text may crash it, and closed streams swallow what is said."""
    codecs.register_error(_ESCAPE, _escaped)
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_WRONLY), "w"))
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_ESCAPE)
    # What OpenCV and FFmpeg have to say of a broken file we say ourselves, once.
    os.environ.setdefault("OPENCV_LOG_LEVEL", "SILENT")
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")


def abandon_output() -> None:
    """Throw away what cannot be printed any more, so that leaving does not try again."""
    try:
        sys.stdout.flush()
    except OSError:
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextlib.contextmanager
def question_lines(name: str) -> Iterator[TextIO]:
    """Open a file of JSON Lines, `-` for standard input; closed at the end if it is a file.

    Bytes that are no UTF-8 are kept as half surrogate pairs: in a file name they still name
    the file, and a line of them is no JSON, not a crash.

    Raises:
        StreamError: a directory, or nothing that can be read.
    """
    if name == "-":
        if sys.stdin is None:
            raise StreamError("standard input is closed; name a file of questions")
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(encoding=_FILE_ENCODING, errors="surrogateescape")
        yield sys.stdin
        return
    try:
        path = Path(name)
        if path.is_dir():
            raise StreamError(f"{name} is a directory, not a file of questions")
        lines = path.open(encoding=_FILE_ENCODING, errors="surrogateescape")
    except OSError as error:
        raise StreamError(f"cannot read {name}: {error.strerror}") from error
    with lines:
        yield lines


def _escaped(error: UnicodeError) -> tuple[str, int]:
    """Write what an encoding lacks as JSON does: four hex digits, two groups beyond U+FFFF."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object[error.start : error.end]
    units = text.encode("utf-16-be", "surrogatepass")
    pairs = (int.from_bytes(units[at : at + 2], "big") for at in range(0, len(units), 2))
    return "".join(f"\\u{unit:04x}" for unit in pairs), error.end
