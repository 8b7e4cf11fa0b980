"""Who is let in, before any view: size, host, origin, token, role; and the answer's headers."""

import hmac
import ipaddress
import socket
from typing import Final
from urllib.parse import urlsplit

from flask import Flask, Response, g, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from web.body import MOST_BYTES
from web.problems import ProblemError
from web.serving import Serving, serving
from web.session import keep_alive, read_session
from web.settings import LOOPBACK_NAMES, WebSettings, is_loopback

CONTENT_POLICY: Final = (
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)
HEADERS: Final = {
    "Content-Security-Policy": CONTENT_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=()",
}
_BEFORE_SETUP: Final = (
    "pages.page_setup",
    "pages.catalogue",
    "pages.assets",
    "session.get_session",
    "session.set_language",
    "session.set_theme",
    "session.set_up",
    "info.healthz",
    "healthz",
)
_SAFE: Final = ("GET", "HEAD", "OPTIONS")


def guard(app: Flask) -> None:
    """Put the guard before every view of the app."""
    app.before_request(_admit)
    app.after_request(_add_headers)


def _admit() -> AnyResponse | None:
    served = serving()
    _check_host(served.settings)
    if request.content_length is not None and request.content_length > MOST_BYTES:
        raise ProblemError("too_large")
    session = g.session = read_session(served.access, served.settings)
    endpoint = request.endpoint or ""
    is_page = endpoint.startswith("pages.page_")
    if request.path.startswith("/api/") or request.method not in _SAFE:
        _check_origin()
    if session.needs_setup and endpoint not in _BEFORE_SETUP:
        if is_page:
            return redirect(url_for("pages.page_setup"))
        raise ProblemError("setup_needed")
    if request.method not in _SAFE:
        _check_token(session.csrf)
    if is_page:
        keep_alive()
    _check_role(served, endpoint)
    return None


def _check_role(served: Serving, endpoint: str) -> None:
    if endpoint not in served.roles:
        return  # a page, which looks at roles itself, or nothing at all
    needed = served.roles[endpoint]
    role = g.session.role
    if needed is None:
        return
    if role is None:
        raise ProblemError("login_needed")
    if not role.may_act_as(needed):
        raise ProblemError("forbidden")


# --- where from ------------------------------------------------------------------------------


def _check_host(settings: WebSettings) -> None:
    """Answer to known names only: a foreign name that points here is somebody's trick."""
    given = request.headers.get("Host", "")
    try:
        host = "" if "@" in given else urlsplit(f"//{given}").hostname or ""
    except ValueError as error:
        raise ProblemError("wrong_host") from error
    if not host_is_ours(host.lower(), settings):
        raise ProblemError("wrong_host")


def host_is_ours(host: str, settings: WebSettings) -> bool:
    """Tell whether the table answers to a name.

    Addresses are not names: nobody can point one of theirs here. A table bound to loopback
    answers to loopback and to what it was told, else a proxy could let the network in.
    """
    if host in LOOPBACK_NAMES or host in {one.lower() for one in settings.allowed_hosts}:
        return True
    if settings.on_loopback:
        return is_loopback(host)
    own = socket.gethostname().lower()
    if host in (own, f"{own}.local", settings.host.lower()):
        return True
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _check_origin() -> None:
    """Refuse what another site's page asks for."""
    if request.headers.get("Sec-Fetch-Site") in ("cross-site", "same-site"):
        raise ProblemError("foreign")
    origin = request.headers.get("Origin")
    if origin is None:
        return
    try:
        parts = urlsplit(origin)
        ours = urlsplit(f"{request.scheme}://{request.headers.get('Host', '')}")
        same = (parts.hostname, parts.port or _port(parts.scheme)) == (
            ours.hostname,
            ours.port or _port(ours.scheme),
        )
    except ValueError as error:
        raise ProblemError("foreign") from error
    # Behind a proxy that tells nothing of https the ports differ and the names do not.
    named = (
        parts.hostname in {one.lower() for one in serving().settings.allowed_hosts}
        and parts.hostname == ours.hostname
    )
    if not (same or named):
        raise ProblemError("foreign")


def _port(scheme: str) -> int:
    return 443 if scheme == "https" else 80


def _check_token(csrf: str) -> None:
    given = request.headers.get("X-CSRF-Token")
    if given is None and request.mimetype in (
        "application/x-www-form-urlencoded",
        "multipart/form-data",
    ):
        given = request.form.get("csrf")
    if given is None or not hmac.compare_digest(given.encode(), csrf.encode()):
        raise ProblemError("csrf")


# --- the answer ------------------------------------------------------------------------------


def _add_headers(answer: Response) -> Response:
    for name, value in HEADERS.items():
        answer.headers.setdefault(name, value)
    if "Cache-Control" not in answer.headers:
        answer.headers["Cache-Control"] = "no-store"
    return answer
