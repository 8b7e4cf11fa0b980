"""A viewer's session: a signed cookie that holds its role, side, language and theme."""

import secrets
from dataclasses import dataclass
from typing import Any, Final

from flask import Flask, Request, current_app, request
from flask import session as cookie
from flask.sessions import SecureCookieSessionInterface

from web.access import AccessStore
from web.roles import WebRole, speakers_of
from web.settings import WebSettings

THEMES: Final = ("auto", "light", "dark", "contrast")
SIDES: Final = ("w", "b")
DAYS: Final = 90
"""How long a session lasts that is not used."""


@dataclass(frozen=True, slots=True)
class Session:
    """A viewer."""

    role: WebRole | None
    side: str | None
    """`w` or `b`: the side a player plays; None: both, or none."""
    language: str | None
    """None: not chosen; the browser's."""
    theme: str
    csrf: str
    needs_setup: bool
    """Nothing works before the one-time code was given."""
    may_see_pictures: bool

    def to_json(self) -> dict[str, object]:
        """Return what a page may know."""
        return {
            "role": self.role,
            "side": self.side,
            "language": self.language,
            "theme": self.theme,
            "csrf": self.csrf,
            "needs_setup": self.needs_setup,
            "may_see_pictures": self.may_see_pictures,
            "speakers": [one.value for one in speakers_of(self.role, self.side)],
        }


class _Cookies(SecureCookieSessionInterface):
    """Cookies that go by https where the page came so, and stay under the page's path."""

    def get_cookie_secure(self, app: Flask) -> bool:
        return request.is_secure

    def get_cookie_path(self, app: Flask) -> str:
        return request.script_root or "/"

    def save_session(self, app: Flask, session: Any, response: Any) -> None:
        # A changed or new cookie answers a viewer by page; streams and pictures never set one.
        if response.is_streamed or (response.mimetype or "").startswith("image/"):
            session.modified = False
        super().save_session(app, session, response)

    def open_session(self, app: Flask, request: Request) -> Any:
        return super().open_session(app, request)


def use_cookies(app: Flask, settings: WebSettings, key: bytes) -> None:
    """Let the app keep sessions."""
    app.secret_key = key
    app.session_interface = _Cookies()
    app.config.update(
        # Browsers keep one jar for all ports of a host.
        SESSION_COOKIE_NAME=f"zarbiter_{settings.port}",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_REFRESH_EACH_REQUEST=False,
        PERMANENT_SESSION_LIFETIME=DAYS * 24 * 3600,
    )


def read_session(access: AccessStore, settings: WebSettings) -> Session:
    """Return the session of the request; a viewer without one gets one."""
    token = cookie.get("csrf")
    if not isinstance(token, str) or len(token) < 20:
        renew_cookie()
        token = str(cookie["csrf"])
    ready = access.is_set_up
    role = _role(access) if ready else None
    if not ready and settings.at_home:
        role = WebRole.ADMIN
    side = cookie.get("side")
    seen = role is not None and (
        role is not WebRole.SPECTATOR or settings.spectators_see_picture
    )
    language, theme = cookie.get("language"), cookie.get("theme")
    return Session(
        role=role,
        side=side if side in SIDES else None,
        language=language if language in ("ru", "en") else None,
        theme=theme if theme in THEMES else "auto",
        csrf=token,
        needs_setup=not ready and not settings.at_home,
        may_see_pictures=seen,
    )


def renew_cookie() -> None:
    """Begin the cookie anew, as at every login: nobody can have planted it before."""
    kept = {key: cookie[key] for key in ("language", "theme") if key in cookie}
    cookie.clear()
    cookie.permanent = True
    cookie.update(kept)
    cookie["csrf"] = secrets.token_urlsafe(24)


def log_in(access: AccessStore, role: WebRole, side: str | None) -> None:
    """Give the session a role."""
    renew_cookie()
    cookie["role"], cookie["mark"], cookie["side"] = role.value, access.mark(role), side


def log_out() -> None:
    """Take the session's role."""
    renew_cookie()


def keep_alive() -> None:
    """Let the cookie live on from now: a page was opened."""
    cookie.modified = True


def _role(access: AccessStore) -> WebRole | None:
    try:
        role = WebRole(str(cookie.get("role")))
    except ValueError:
        return None
    mark = access.mark(role)
    return role if mark is not None and cookie.get("mark") == mark else None


def default_language(chosen: str | None) -> str:
    """Return the language to answer in: the chosen one, the browser's, the table's."""
    if chosen:
        return chosen
    best = request.accept_languages.best_match(["ru", "en"])
    return best or str(current_app.config["ZARBITER_LANGUAGE"])
