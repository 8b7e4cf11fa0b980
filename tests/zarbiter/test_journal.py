import io
import logging
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from zarbiter.journal import (
    JournalFormatter,
    is_journal,
    priority_of,
    set_up_logging,
    without_secrets,
)


@pytest.fixture(autouse=True)
def _root_as_before() -> Iterator[None]:
    root = logging.getLogger()
    level, handlers = root.level, list(root.handlers)
    yield
    root.setLevel(level)
    root.handlers = handlers


def test_levels_become_the_journals_priorities() -> None:
    levels = (logging.CRITICAL, logging.ERROR, logging.WARNING, logging.INFO, logging.DEBUG)
    assert [priority_of(level) for level in levels] == [2, 3, 4, 6, 7]


def test_every_line_of_a_message_has_its_priority() -> None:
    record = logging.LogRecord("zarbiter", logging.ERROR, "", 0, "one\ntwo", (), None)
    assert JournalFormatter(priorities=True).format(record) == "<3>zarbiter: one\n<3>two"
    assert JournalFormatter(priorities=False).format(record) == "ERROR zarbiter: one\ntwo"


def test_the_journal_is_known_by_its_stream_and_not_by_the_variable(tmp_path: Path) -> None:
    with (tmp_path / "out").open("w") as ours, (tmp_path / "other").open("w") as other:
        status = os.fstat(ours.fileno())
        environment = {"JOURNAL_STREAM": f"{status.st_dev}:{status.st_ino}"}
        assert is_journal(ours, environment)
        assert not is_journal(other, environment)
        assert not is_journal(ours, {})
        assert not is_journal(io.StringIO(), environment)


def test_logging_is_set_up_once_however_often_it_is_asked_for() -> None:
    first, second = io.StringIO(), io.StringIO()
    set_up_logging(stream=first, environment={})
    set_up_logging(logging.WARNING, stream=second, environment={})
    log = logging.getLogger("zarbiter.test")
    log.info("unheard")
    log.warning("camera %s", "lost")
    assert first.getvalue() == ""
    assert second.getvalue() == "WARNING zarbiter.test: camera lost\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("pin=1234 ok", "pin=… ok"),
        ('{"pin": "1234", "table": 7}', '{"pin": …, "table": 7}'),
        ("Authorization: Bearer abc.def-ghi", "Authorization: …"),
        ("sent Bearer abcdefgh now", "sent Bearer … now"),
        ("setup_token=xyz&next=/", "setup_token=…&next=/"),
        ("password: hunter2", "password: …"),
        ("Cookie: session=abc", "Cookie: …"),
        ("rtsp://me:secret@cam/1", "rtsp://me:…@cam/1"),
        ("white_pin = 17", "white_pin = 17"),
        ("spinning: 4", "spinning: 4"),
        ("lamp: green", "lamp: green"),
    ],
)
def test_secrets_are_hidden_and_nothing_else(text: str, expected: str) -> None:
    assert without_secrets(text) == expected


def test_a_secret_in_an_error_is_hidden_too() -> None:
    out = io.StringIO()
    set_up_logging(stream=out, environment={})
    try:
        raise ValueError("token=abc123")
    except ValueError:
        logging.getLogger("zarbiter.test").exception("failed")
    assert "abc123" not in out.getvalue()
    assert "ValueError: token=…" in out.getvalue()
