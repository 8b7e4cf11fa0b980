"""The dashboard beside a table: where it is found and what is said of it."""

import socket
import urllib.request
from pathlib import Path

import pytest

from tests.support.web_table import FakeTable
from web.settings import WebSettings
from zarbiter.dashboard import Dashboard


def test_on_loopback_the_address_alone_is_said(tmp_path: Path) -> None:
    table = FakeTable(tmp_path / "record")
    dashboard = Dashboard(table, WebSettings(tmp_path, port=0))
    try:
        assert dashboard.greeting == (
            (f"Панель: {dashboard.url}", f"Dashboard: {dashboard.url}"),
        )
        with urllib.request.urlopen(dashboard.url, timeout=10) as page:
            assert page.status == 200
    finally:
        dashboard.close()
        table.close()


def test_on_a_network_phones_get_a_code_to_scan_and_the_owner_one_to_type(
    tmp_path: Path,
) -> None:
    table = FakeTable(tmp_path / "record")
    dashboard = Dashboard(table, WebSettings(tmp_path, "0.0.0.0", 0))
    try:
        (_, at), (_, phones), (_, setup) = dashboard.greeting
        assert at == f"Dashboard: {dashboard.url}"
        assert f":{dashboard.port}/" in phones
        assert "█" in phones
        assert setup.startswith("Set-up code: ")
    finally:
        dashboard.close()
        table.close()


def test_a_port_that_is_taken_is_named(tmp_path: Path) -> None:
    table = FakeTable(tmp_path / "record")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(OSError, match=f"127.0.0.1:{port} cannot be served"):
            Dashboard(table, WebSettings(tmp_path, port=port))
    table.close()
