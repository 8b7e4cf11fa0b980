"""Pictures over HTTP: the camera now, what an event rests on, a throw in close-up."""

import re
from typing import Final

from flask import Response, request

from referee.arbiter import EntryError, from_entry
from web.body import choice_query, whole_query
from web.pictures import BOUNDARY
from web.problems import ProblemError
from web.roles import WebRole
from web.serving import ApiBlueprint, serving, viewer
from web.steps import dice_of

pictures = ApiBlueprint("pictures")
_SHA: Final = re.compile(r"[0-9a-f]{64}")
_FOREVER: Final = "private, max-age=31536000, immutable"


@pictures.on("GET", "/live.jpg", WebRole.SPECTATOR)
def get_live_picture() -> Response:
    """Return the camera's newest picture."""
    _may_see()
    picture = serving().api.picture(drawn=_drawn())
    if picture is None:
        raise ProblemError("no_picture")
    answer = Response(picture.jpeg, mimetype="image/jpeg")
    answer.headers["X-Age-Ms"] = str(picture.age_ms)
    answer.headers["X-At-Ms"] = str(picture.at_ms)
    answer.headers["X-Seq"] = str(picture.seq)
    return answer


@pictures.on("GET", "/live.mjpg", WebRole.SPECTATOR)
def get_live_stream() -> Response:
    """Send the camera's pictures as they come; a slow viewer gets fewer, never old ones."""
    _may_see()
    served, session = serving(), viewer()
    if served.behind:
        raise ProblemError("shown_late")
    drawn = _drawn()
    give_back = served.viewers.slots.take()
    if give_back is None:
        raise ProblemError("too_many_streams", retry_after_s=5)
    left = request.environ.get("waitress.client_disconnected", lambda: False)
    access, role = served.access, session.role
    mark = None if role is None else access.mark(role)

    def gone() -> bool:
        return left() or (role is not None and access.mark(role) != mark)

    parts = served.viewers.parts(drawn=drawn, gone=gone)
    answer = Response(parts, content_type=f"multipart/x-mixed-replace; boundary={BOUNDARY}")
    answer.headers["X-Accel-Buffering"] = "no"
    answer.call_on_close(give_back)
    return answer


@pictures.on("GET", "/pictures/<sha256>", WebRole.SPECTATOR)
def get_picture(sha256: str) -> Response:
    """Return a picture that an event rests on."""
    _may_see()
    return _kept(_jpeg(sha256), sha256)


@pictures.on("GET", "/pictures/<sha256>/dice", WebRole.SPECTATOR)
def get_close_up(sha256: str) -> Response:
    """Return a throw in close-up, with what was seen drawn on it."""
    _may_see()
    served, jpeg = serving(), _jpeg(sha256)
    seq = whole_query("seq", 0, 2**53)
    row = next(served.api.rows(seq - 1), None) if seq else None
    if row is None or row.seq != seq or sha256 not in [one.sha256 for one in row.evidence]:
        raise ProblemError("no_throw")
    try:
        dice = dice_of(from_entry(row.kind, row.version, row.data))
    except EntryError as error:
        raise ProblemError("no_throw") from error
    known = [one for one in dice if one["box_px"] is not None]
    made = served.close_ups.get(
        sha256,
        seq,
        jpeg,
        [tuple(one["box_px"]) for one in known],
        ["?" if one["value"] is None else str(one["value"]) for one in known],
    )
    if made is None:
        raise ProblemError("no_picture")
    answer = _kept(made, f"{sha256}-{seq}")
    # Records from before version 2 do not say where the dice lay.
    answer.headers["X-Boxes"] = str(len(known))
    return answer


def _may_see() -> None:
    if not viewer().may_see_pictures:
        raise ProblemError("no_picture_for_you")


def _drawn() -> bool:
    return choice_query("drawn", ("0", "1"), "0") == "1"


def _jpeg(sha256: str) -> bytes:
    jpeg = serving().api.evidence(sha256) if _SHA.fullmatch(sha256) else None
    if jpeg is None:
        raise ProblemError("no_picture")
    return jpeg


def _kept(data: bytes, name: str) -> Response:
    answer = Response(data, mimetype="image/jpeg")
    answer.headers["Cache-Control"] = _FOREVER
    answer.set_etag(name)
    answer.make_conditional(request)
    return answer
