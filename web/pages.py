"""The pages: HTML shells with their words; what is live comes through the JSON API."""

import gzip
import hashlib
import mimetypes
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from flask import (
    Blueprint,
    Flask,
    Response,
    abort,
    g,
    redirect,
    render_template,
    request,
    url_for,
)
from werkzeug.wrappers import Response as AnyResponse

from web import i18n
from web.api import RefereeApi
from web.session import default_language
from web.settings import WebSettings

STATIC: Final = Path(__file__).parent / "static"
THEMES: Final = ("auto", "light", "dark", "contrast")
ANYONE: Final = ("admin", "referee", "player", "spectator")
PLAYING: Final = ("admin", "referee", "player")
RULING: Final = ("admin", "referee")

PAGES: Final[Mapping[str, tuple[str, tuple[str, ...]]]] = {
    "table": ("/", ANYONE),
    "picture": ("/picture", ANYONE),
    "match": ("/match", PLAYING),
    "replay": ("/replay", ANYONE),
    "statistics": ("/statistics", ANYONE),
    "protocol": ("/protocol", ANYONE),
    "settings": ("/settings", ANYONE),
    "wizard": ("/wizard", PLAYING),
    "referee": ("/referee", RULING),
    "spectator": ("/spectator", ANYONE),
    "kiosk": ("/kiosk", ANYONE),
}
"""Pages that show the table: path, and which roles may open them."""
_WITH_NAME: Final = ("replay", "statistics", "protocol")
_MENU: Final = (
    "table", "picture", "match", "replay", "statistics", "protocol", "referee", "kiosk",
    "settings",
)  # fmt: skip

_IMPORT: Final = re.compile(
    r"""^(?:import|\}) .*?["']\./(\w+)\.js["'];?(?: //.*)?$""", re.MULTILINE
)
_FOREVER: Final = "public, max-age=31536000, immutable"

pages = Blueprint("pages", __name__)


def register_pages(app: Flask, api: RefereeApi, settings: WebSettings) -> None:
    """Add the pages to the app.

    Args:
        app: where to.
        api: the table.
        settings: the dashboard's settings.
    """
    del api, settings  # what is live comes through the JSON API
    app.register_blueprint(pages)
    app.context_processor(_context)


def _session() -> Any:
    return getattr(g, "session", None)


def _of_session(name: str, default: str | None) -> Any:
    value = getattr(_session(), name, None)
    return default if value in (None, "") else value


def _language() -> str:
    return i18n.language_of(default_language(_of_session("language", None)))


def _context() -> dict[str, Any]:
    language = _language()
    words = i18n.words(language)
    role = _of_session("role", None)
    catalogue = None
    if language != i18n.SOURCE_LANGUAGE:
        catalogue = url_for(
            "pages.catalogue", language=language, v=i18n.script_catalogue_mark(language)
        )
    return {
        "_": words.one,
        "ngettext": words.many,
        "language": language,
        "languages": i18n.LANGUAGES,
        "theme": _of_session("theme", "auto"),
        "themes": THEMES,
        "role": role,
        "side": _of_session("side", None),
        "csrf": _of_session("csrf", ""),
        "catalogue": catalogue,
        "base": url_for("pages.page_table"),
        "asset": _asset,
        "modules_of": _modules_of,
        "menu": [name for name in _MENU if role in PAGES[name][1]],
    }


def _asset(name: str) -> str:
    """Return a static file's address; scripts name each other relative to theirs."""
    return url_for("pages.assets", mark=_mark(), name=name)


@cache
def _files() -> Mapping[str, tuple[bytes, bytes]]:
    """Return all static files by name, plain and packed: read once, never from a path given."""
    return {
        path.relative_to(STATIC).as_posix(): (data, gzip.compress(data, mtime=0))
        for path in sorted(STATIC.rglob("*"))
        if path.is_file() and (data := path.read_bytes())
    }


@cache
def _mark() -> str:
    """Return what changes when any static file does."""
    digest = hashlib.sha256()
    for name, (data, _) in _files().items():
        digest.update(name.encode())
        digest.update(data)
    return digest.hexdigest()[:10]


@cache
def _modules_of(script: str | None) -> tuple[str, ...]:
    """Return all modules that a page's script brings in, so that they are fetched at once."""
    if not script:
        return ()
    found: list[str] = []
    waiting = [script]
    while waiting:
        name = waiting.pop(0)
        if name in found:
            continue
        found.append(name)
        text = (STATIC / "js" / f"{name}.js").read_text(encoding="utf-8")
        waiting += _IMPORT.findall(text)
    return tuple(found[1:])


def _show(name: str, **more: Any) -> AnyResponse | str:
    role = _of_session("role", None)
    if role is None:
        return redirect(url_for("pages.page_login", next=request.script_root + request.path))
    if role not in PAGES[name][1]:
        abort(403)
    return render_template(f"{name}.html", page=name, **more)


def _add(name: str, path: str) -> None:
    def view(match: str | None = None) -> AnyResponse | str:
        return _show(name, match=match)

    pages.add_url_rule(path, f"page_{name}", view)
    if name in _WITH_NAME:
        pages.add_url_rule(f"{path}/<match>", f"page_{name}_of", view)


for _name, (_path, _) in PAGES.items():
    _add(_name, _path)


@pages.get("/login")
def page_login() -> str:
    """Show where a PIN is given."""
    return render_template("login.html", page="login")


@pages.get("/setup")
def page_setup() -> str:
    """Show where the one-time code is given and the PINs are chosen."""
    return render_template("setup.html", page="setup")


@pages.get("/join")
@pages.get("/join/<role>")
def page_join(role: str | None = None) -> AnyResponse | str:
    """Show QR codes to those who may hand them out; lead a phone that read one to its PIN."""
    if _of_session("role", None) is None:
        return redirect(url_for("pages.page_login"))
    return render_template("join.html", page="join", joining=role)


@pages.errorhandler(403)
def not_for_this_role(error: Exception) -> tuple[str, int]:
    """Say that a page is for others, and where to go."""
    del error
    return render_template("forbidden.html", page="forbidden"), 403


@pages.get("/catalogue/<language>.json")
def catalogue(language: str) -> Response:
    """Return the words of the scripts."""
    if language not in i18n.LANGUAGES:
        abort(404)
    data = i18n.script_catalogue(language)
    return _kept(data, gzip.compress(data, mtime=0), "application/json", forever=True)


@pages.get("/assets/<mark>/<path:name>")
def assets(mark: str, name: str) -> Response:
    """Return a style, script or icon; the address changes when any of them does."""
    found = _files().get(name)
    if found is None:
        abort(404)
    return _kept(*found, mimetypes.guess_type(name)[0], forever=mark == _mark())


def _kept(data: bytes, packed: bytes, kind: str | None, *, forever: bool) -> Response:
    """Return a file, packed for those who can unpack it."""
    small = request.accept_encodings.quality("gzip") > 0
    answer = Response(packed if small else data, mimetype=kind)
    if small:
        answer.headers["Content-Encoding"] = "gzip"
    answer.headers["Vary"] = "Accept-Encoding"
    if forever:
        answer.headers["Cache-Control"] = _FOREVER
    return answer
