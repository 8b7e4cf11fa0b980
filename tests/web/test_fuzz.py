import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.web_fuzz import requests
from tests.support.web_site import Site, site
from tests.support.web_table import FakeTable, Players, played
from web.openapi import description

EXAMPLES = 300


@pytest.fixture(scope="module")
def fuzzed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("fuzzed")
    table = played(folder / "record", steps=25)
    yield site(table, folder)
    table.close()


@given(data=st.data())
@settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_no_request_whatever_breaks_the_server(fuzzed: Site, data: st.DataObject) -> None:
    described = description(fuzzed.app, "1")
    rows = [row for row in fuzzed.table.rows() if row.evidence][:3]
    names = {
        "name": [fuzzed.table.keeper.match or "x", "bolshie-nardy", "short+cube=no"],
        "sha256": [row.evidence[0].sha256 for row in rows],
        "role": ["player", "admin"],
        "plot": ["pips", "dice", "times"],
    }
    method, url, body = data.draw(requests(described, names))
    if url.startswith(("/setup", "/logout")) and method == "POST":
        url = "/session"  # it would end the visit
        method = "GET"
    answer = ask(fuzzed, method, url, body)
    assert answer.status_code < 500, (method, url, body, answer.text)
    if answer.status_code >= 400:
        error = answer.get_json()["error"]
        assert error["ru"]
        assert error["en"]
    if fuzzed.table.keeper.match is None or data.draw(st.integers(0, 9)) == 0:
        go_on(fuzzed.table)


def ask(made: Site, method: str, url: str, body: Any) -> Any:
    phone = made.phone("127.0.0.1")
    phone.load()
    if method == "GET":
        return phone.get(url.removeprefix("/"))
    try:
        text = json.dumps(body).encode()
    except ValueError:
        text = b"{"
    return phone._open(
        "POST",
        url.removeprefix("/"),
        data=text,
        content_type="application/json",
        headers={"X-CSRF-Token": phone.csrf},
    )


def go_on(table: FakeTable) -> None:
    """Let the match move, so that other words fit than before."""
    kind = type(table.keeper.state.phase).__name__
    if kind not in ("NotOpened", "MatchOver", "Lost"):
        players = Players(table)
        if players.state.clock.flag is None:
            players.go_on()
