"""Sessions: set-up, login, language, theme, side, and the QR code to join by."""

import math
from typing import Final

from flask import Response, request, url_for
from flask import session as cookie

from web.access import LONGEST, REQUIRED, PinError
from web.body import json_body, text_field
from web.problems import ProblemError
from web.qr import join_address, qr_svg
from web.roles import WebRole
from web.serving import ApiBlueprint, serving, viewer
from web.session import SIDES, THEMES, log_in, log_out, read_session
from web.view import Json

session = ApiBlueprint("session")
_LANGUAGES: Final = ("ru", "en")


@session.on("GET", "/session", None)
def get_session() -> Json:
    """Return the viewer's own session."""
    return viewer().to_json()


@session.on("POST", "/session/language", None)
def set_language() -> Json:
    """Choose a language."""
    return _choose("language", _LANGUAGES)


@session.on("POST", "/session/theme", None)
def set_theme() -> Json:
    """Choose a theme."""
    return _choose("theme", THEMES)


@session.on("POST", "/session/side", WebRole.PLAYER)
def set_side() -> Json:
    """Say which side's phone this is; null: one phone for both."""
    data = json_body("side")
    cookie["side"] = _side(data.get("side"))
    return _now()


@session.on("POST", "/login", None)
def login() -> Json:
    """Take up a role by its PIN."""
    data = json_body("pin", "side")
    pin, side, served = data.get("pin"), _side(data.get("side")), serving()
    if not isinstance(pin, str) or len(pin) > LONGEST:
        raise ProblemError("unfit", f"pin: ≤ {LONGEST}")
    address = _address()
    _wait(served.pins.enter(address))
    role = served.access.role_of(pin)
    if role is None:
        raise ProblemError("wrong_pin")
    served.pins.passed(address)
    log_in(served.access, role, side if role is WebRole.PLAYER else None)
    return _now()


@session.on("POST", "/logout", None)
def logout() -> Json:
    """Give up the role."""
    log_out()
    return _now()


@session.on("POST", "/setup", None)
def set_up() -> Json:
    """Choose the PINs: with the one-time code, or as the administrator anew."""
    data, served = json_body("code", "pins"), serving()
    pins = data.get("pins")
    known = {one.value for one in WebRole}
    if not isinstance(pins, dict) or not set(pins) <= known:
        raise ProblemError("unfit", f"pins: {', '.join(sorted(known))}")
    chosen = {WebRole(role): pin for role, pin in pins.items() if pin not in (None, "")}
    if not all(isinstance(pin, str) for pin in chosen.values()):
        raise ProblemError("unfit", "pins: text")
    _may_set_up(text_field(data, "code", 40))
    try:
        served.access.choose(chosen)
    except PinError as error:
        raise _unfit(error) from error
    log_in(served.access, WebRole.ADMIN, None)
    return {**_now(), "roles": [one.value for one in chosen]}


@session.on("GET", "/access", WebRole.ADMIN)
def get_access() -> Json:
    """Return which roles have a PIN and what a PIN needs."""
    access = serving().access
    return {
        "set_up": access.is_set_up,
        "roles": [one.value for one in access.roles()],
        "required": [one.value for one in REQUIRED],
    }


@session.on("GET", "/join/<role>.svg", WebRole.REFEREE)
def get_join(role: str) -> Response:
    """Return the QR code by which a phone finds the table."""
    if role not in {one.value for one in WebRole}:
        raise ProblemError("not_found")
    path = url_for("pages.page_join", role=role)
    address = join_address(serving().settings, request.host_url, path)
    return Response(qr_svg(address), mimetype="image/svg+xml")


@session.on("GET", "/join/<role>", WebRole.REFEREE)
def get_join_address(role: str) -> Json:
    """Return the address that the QR code holds."""
    if role not in {one.value for one in WebRole}:
        raise ProblemError("not_found")
    path = url_for("pages.page_join", role=role)
    return {"address": join_address(serving().settings, request.host_url, path)}


def _may_set_up(code: str) -> None:
    """Let in the holder of the one-time code; afterwards the administrator alone."""
    served = serving()
    if served.access.is_set_up:
        if viewer().role is not WebRole.ADMIN:
            raise ProblemError("set_up_already")
        return
    if viewer().role is WebRole.ADMIN and not code:
        return  # at home, on the device itself
    address = _address()
    _wait(served.pins.enter(address))
    if not served.access.code_fits(code):
        raise ProblemError("wrong_code")
    served.pins.passed(address)


def _unfit(error: PinError) -> ProblemError:
    problem = ProblemError("unfit")
    problem.ru, problem.en = error.ru, error.en
    return problem


def _choose(name: str, choices: tuple[str, ...]) -> Json:
    value = json_body(name).get(name)
    if value not in choices:
        raise ProblemError("unfit", f"{name}: {', '.join(choices)}")
    cookie[name] = value
    return _now()


def _side(value: object) -> str | None:
    if value is None or value == "":
        return None
    if value not in SIDES:
        raise ProblemError("unfit", "side: w, b, null")
    return str(value)


def _now() -> Json:
    served = serving()
    return read_session(served.access, served.settings).to_json()


def _address() -> str:
    return request.remote_addr or "?"


def _wait(seconds: int) -> None:
    if seconds:
        raise ProblemError("too_many_tries", retry_after_s=math.ceil(seconds))
