"""The device over JSON: sight, settings, health, what helps those who mend."""

import math
from datetime import UTC, datetime
from typing import Final

from flask import Response

from calibration.layout import BoardLayout, LayoutError
from vision.observation import Side
from web.body import json_body, text_field
from web.problems import ProblemError
from web.roles import WebRole
from web.serving import ApiBlueprint, serving
from web.view import Json, layout_to_json, sight_to_json

device = ApiBlueprint("device")
_MOST_PX: Final = 100_000


@device.on("POST", "/sight/find", WebRole.PLAYER)
def find_board() -> Json:
    """Look for the board anew."""
    json_body("again")
    return _sight(lambda: serving().api.find_board())


@device.on("POST", "/sight/corners", WebRole.PLAYER)
def set_corners() -> Json:
    """Say where the corners of the field are in the picture."""
    corners = _corners(json_body("corners").get("corners"))
    return _sight(lambda: serving().api.set_corners(corners))


@device.on("POST", "/sight/layout", WebRole.PLAYER)
def set_layout() -> Json:
    """Say where White begins and which checkers are White's."""
    data = json_body("white_start", "direction", "white")
    start, direction = data.get("white_start"), data.get("direction")
    if not isinstance(start, str) or not isinstance(direction, str | None):
        raise ProblemError("unfit", "white_start")
    try:
        layout, white = BoardLayout.of(start, direction), Side(data.get("white", "L"))
    except (LayoutError, ValueError) as error:
        raise ProblemError("unfit", str(error)[:200]) from error
    return _sight(lambda: serving().api.set_layout(layout, white))


@device.on("GET", "/settings", WebRole.PLAYER)
def get_settings() -> Json:
    """Return what may be set here."""
    return {"settings": dict(serving().api.settings())}


@device.on("POST", "/settings", WebRole.ADMIN)
def change_settings() -> Json:
    """Change settings by their names."""
    changes = json_body("settings").get("settings")
    if not isinstance(changes, dict):
        raise ProblemError("unfit", "settings: {…}")
    try:
        return {"settings": dict(serving().api.change_settings(changes))}
    except ValueError as error:
        raise ProblemError("unfit", str(error)[:300]) from error


@device.on("GET", "/health", WebRole.SPECTATOR)
def get_health() -> Json:
    """Return how the device is."""
    return dict(serving().api.health())


@device.on("GET", "/diagnostics.zip", WebRole.ADMIN)
def get_diagnostics() -> Response:
    """Return a bundle for those who help; no secrets in it."""
    answer = Response(serving().api.diagnostics(), mimetype="application/zip")
    name = f"zarbiter-{datetime.now(UTC):%Y%m%d-%H%M}.zip"
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


@device.on("POST", "/wrong-reading", WebRole.PLAYER)
def report_reading() -> Json:
    """Keep the latest pictures and what they should have been read as; nothing is sent."""
    data = json_body("note", "correction")
    correction = data.get("correction") or {}
    if not isinstance(correction, dict):
        raise ProblemError("unfit", "correction: {…}")
    try:
        return {"kept": serving().api.keep_clip(text_field(data, "note", 1000), correction)}
    except ValueError as error:
        raise ProblemError("unfit", str(error)[:300]) from error


def _sight(change: object) -> Json:
    assert callable(change)
    try:
        sight = change()
    except ValueError as error:
        raise ProblemError("unfit", str(error)[:300]) from error
    state = serving().api.state()
    return {"sight": sight_to_json(sight), "layout": layout_to_json(state)}


def _corners(
    value: object,
) -> tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]:
    if not isinstance(value, list) or len(value) != 4:
        raise ProblemError("unfit", "corners: [[x, y] × 4]")
    one, two, three, four = (_point(each) for each in value)
    return one, two, three, four


def _point(value: object) -> tuple[float, float]:
    if (
        isinstance(value, list)
        and len(value) == 2
        and all(isinstance(n, int | float) and not isinstance(n, bool) for n in value)
        and all(math.isfinite(n) and abs(n) <= _MOST_PX for n in value)
    ):
        return float(value[0]), float(value[1])
    raise ProblemError("unfit", "corners: [[x, y] × 4]")
