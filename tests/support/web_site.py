"""A dashboard to be asked: an app over a fake table, and the phones of those who use it."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.support.web_table import FakeTable
from web.access import AccessStore
from web.app import ACCESS_FILE, create_app
from web.settings import WebSettings

PINS = {"admin": "918273", "referee": "564738", "player": "4071", "spectator": "9930"}


@dataclass
class Now:
    """Monotonic time, set by hand."""

    s: float = 1000.0

    def __call__(self) -> float:
        return self.s


@dataclass
class Phone:
    """A browser: keeps cookies, sends the token of its page."""

    client: FlaskClient
    address: str = "192.168.1.20"
    host: str = "localhost"
    csrf: str = ""
    headers: dict[str, str] = field(default_factory=dict)

    def get(self, path: str, **more: Any) -> TestResponse:
        return self._open("GET", path, **more)

    def post(self, path: str, data: object = None, **more: Any) -> TestResponse:
        if not self.csrf:
            self.load()
        headers = {"X-CSRF-Token": self.csrf, **more.pop("headers", {})}
        answer = self._open("POST", path, json={} if data is None else data,
                            headers=headers, **more)  # fmt: skip
        body = answer.get_json(silent=True)
        if isinstance(body, dict) and "csrf" in body:
            self.csrf = body["csrf"]
        return answer

    def load(self) -> dict[str, Any]:
        """Load a page: learn the session and its token."""
        session: dict[str, Any] = self.get("session").get_json()
        self.csrf = session["csrf"]
        return session

    def login(self, role: str, side: str | None = None) -> "Phone":
        answer = self.post("login", {"pin": PINS[role], "side": side})
        assert answer.status_code == 200, answer.text
        return self

    def _open(self, method: str, path: str, **more: Any) -> TestResponse:
        headers = {"Host": self.host, **self.headers, **more.pop("headers", {})}
        url = path if path.startswith("/") else f"/api/v1/{path}"
        environ = {"REMOTE_ADDR": self.address}
        return self.client.open(
            url, method=method, headers=headers, environ_overrides=environ, **more
        )


@dataclass
class Site:
    """A table with its dashboard."""

    table: FakeTable
    app: Flask
    settings: WebSettings
    access: AccessStore
    now: Now

    def phone(self, address: str = "192.168.1.20", host: str | None = None) -> Phone:
        """Return a browser without cookies."""
        named = host or ("localhost" if self.settings.on_loopback else "192.168.1.5")
        return Phone(self.app.test_client(), address, named)

    def set_up(self) -> Phone:
        """Choose PINs; returns the administrator."""
        admin = self.phone("127.0.0.1")
        code = self.access.setup_code
        answer = admin.post("setup", {"code": code, "pins": PINS})
        assert answer.status_code == 200, answer.text
        return admin


def site(table: FakeTable, folder: Path, **settings: Any) -> Site:
    """Return a dashboard over a table."""
    now = Now()
    made = WebSettings(folder / "web", **settings)
    access = AccessStore(made.folder / ACCESS_FILE, cost=2)
    app = create_app(table, made, access=access, now_s=now)
    return Site(table, app, made, access, now)
