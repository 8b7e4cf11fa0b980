"""The dashboard as a Flask app over the table's API."""

import json
import logging
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from flask import Flask, Response, request
from flask.json.provider import DefaultJSONProvider
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException

from web.access import AccessStore, cookie_key
from web.access_gate import PinGate
from web.api import RefereeApi, TableStoppedError
from web.body import MOST_BYTES
from web.delayed import DelayedApi
from web.guard import guard
from web.pages import register_pages
from web.pictures import CloseUps, Viewers
from web.problems import ProblemError, problem_of_status
from web.routes_device import device
from web.routes_info import healthz, info
from web.routes_matches import matches
from web.routes_pictures import pictures
from web.routes_session import session
from web.routes_table import table
from web.serving import NAME, ApiBlueprint, Serving
from web.session import use_cookies
from web.settings import WebSettings
from web.steps import Matches
from web.stream import Feed, Slots

BLUEPRINTS: Final[tuple[ApiBlueprint, ...]] = (
    table, session, matches, pictures, device, info,
)  # fmt: skip
ACCESS_FILE: Final = "web-access.json"
KEY_FILE: Final = "web.key"
if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

_log = logging.getLogger("zarbiter.web")


class _Json(DefaultJSONProvider):
    """Letters as they are, keys in the order given."""

    ensure_ascii = False
    sort_keys = False

    def dumps(self, obj: Any, **options: Any) -> str:
        options.setdefault("separators", (",", ":"))
        return super().dumps(obj, **options)


def create_app(
    api: RefereeApi,
    settings: WebSettings,
    *,
    access: AccessStore | None = None,
    now_s: Callable[[], float] = time.monotonic,
) -> Flask:
    """Build the dashboard.

    Args:
        api: the table.
        settings: where it is served and what it lets in.
        access: the PINs; None: those kept in the settings' folder.
        now_s: monotonic time in seconds.

    Raises:
        AccessError: the file with the PINs cannot be read.
    """
    settings.folder.mkdir(parents=True, exist_ok=True)
    app = Flask("web", static_folder=None)
    app.json = _Json(app)
    app.config.update(
        MAX_CONTENT_LENGTH=MOST_BYTES,
        MAX_FORM_PARTS=20,
        ZARBITER_LANGUAGE=settings.language,
    )
    use_cookies(app, settings, cookie_key(settings.folder / KEY_FILE))
    served = Serving(
        api=api,
        settings=settings,
        access=access or AccessStore(settings.folder / ACCESS_FILE),
        pins=PinGate(now_s),
        feed=Feed(api, now_s, settings.beat_s),
        streams=Slots(settings.most_streams),
        viewers=Viewers(api, now_s, settings.most_viewers, settings.live_fps),
        close_ups=CloseUps(),
        matches=Matches(api.rows),
    )
    if settings.spectator_delay_s:
        served = replace(served, late=_late(served, now_s))
    app.extensions[NAME] = served
    guard(app)
    for one in BLUEPRINTS:
        app.register_blueprint(one)
        served.roles.update(one.roles)
    app.add_url_rule("/healthz", "healthz", healthz)
    served.roles["healthz"] = None
    register_pages(app, api, settings)
    app.register_error_handler(ProblemError, _problem)
    app.register_error_handler(TableStoppedError, _stopped)
    app.register_error_handler(HTTPException, _http_error)
    app.register_error_handler(Exception, _failed)
    if settings.prefix:
        mounted = _Mounted(app.wsgi_app, settings.prefix)
        app.wsgi_app = mounted  # type: ignore[method-assign,assignment]
    return app


def _late(served: Serving, now_s: Callable[[], float]) -> Serving:
    """Return what spectators are served who see the match late."""
    settings = served.settings
    api = DelayedApi(served.api, settings.spectator_delay_s, now_s)
    api.start()
    return replace(
        served,
        api=api,
        feed=Feed(api, now_s, settings.beat_s),
        viewers=Viewers(api, now_s, settings.most_viewers, settings.live_fps),
        matches=Matches(api.rows),
        closing=api.close,
        behind=True,
    )


def serving_of(app: Flask) -> Serving:
    """Return what an app serves."""
    found: Serving = app.extensions[NAME]
    return found


def close_streams(app: Flask) -> None:
    """End all streams of an app: its server stops."""
    served = serving_of(app)
    for one in (served, served.late):
        if one is not None:
            one.feed.closing.set()
            one.viewers.closing.set()
            one.closing()


class _Mounted:
    """Puts an app under a path, whether or not the proxy in front has cut it off."""

    def __init__(self, app: "WSGIApplication", prefix: str) -> None:
        self._app, self._prefix = app, prefix

    def __call__(
        self, environ: "WSGIEnvironment", start: "StartResponse", /
    ) -> Iterable[bytes]:
        path = environ.get("PATH_INFO", "")
        if path == self._prefix or path.startswith(f"{self._prefix}/"):
            environ["PATH_INFO"] = path[len(self._prefix) :] or "/"
        environ["SCRIPT_NAME"] = self._prefix
        return self._app(environ, start)


# --- errors ----------------------------------------------------------------------------------


def _problem(problem: ProblemError) -> ResponseReturnValue:
    text = json.dumps(problem.to_json(), ensure_ascii=False)
    answer = Response(text, problem.status, mimetype="application/json")
    if problem.retry_after_s is not None:
        answer.headers["Retry-After"] = str(problem.retry_after_s)
    return answer


def _stopped(error: TableStoppedError) -> ResponseReturnValue:
    del error
    return _problem(ProblemError("stopped", retry_after_s=5))


def _http_error(error: HTTPException) -> ResponseReturnValue:
    if error.code is None or error.code < 400:
        return error  # a redirect
    if not request.path.startswith("/api/"):
        return error
    answer = _problem(problem_of_status(error.code))
    assert isinstance(answer, Response)
    answer.status_code = error.code
    for name, value in error.get_headers():
        if name in ("Allow", "Retry-After"):
            answer.headers[name] = value
    return answer


def _failed(error: Exception) -> ResponseReturnValue:
    # Neither query nor body: a PIN may stand in them.
    _log.error("%s %s failed", request.method, request.path, exc_info=error)
    return _problem(ProblemError("failed"))
