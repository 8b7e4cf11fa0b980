"""The table over JSON: state, stream, rows, time, words."""

from typing import Final

from flask import Response, request

from web.access import AccessStore
from web.api import Answer
from web.body import json_body, whole_query
from web.problems import ProblemError
from web.roles import WebRole, speakers_of
from web.serving import ApiBlueprint, serving, viewer
from web.session import Session
from web.stream import compact
from web.view import Json, legal_to_json, told_to_json
from web.words import WordError, word_from

table = ApiBlueprint("table")
_MOST_SEQ: Final = 2**53


@table.on("GET", "/state", WebRole.SPECTATOR)
def get_state() -> Response:
    """Return everything a page shows."""
    served, session = serving(), viewer()
    speakers = speakers_of(session.role, session.side)
    text = served.feed.state_text(served.api.state(), speakers)
    own = compact(session.to_json())
    return Response(f'{text[:-1]},"session":{own}}}', mimetype="application/json")


@table.on("GET", "/stream", WebRole.SPECTATOR)
def get_stream() -> Response:
    """Send states and rows as they come."""
    served, session = serving(), viewer()
    last = request.headers.get("Last-Event-ID", "")
    if last.isascii() and last.isdecimal() and len(last) < 16:
        after: int | None = int(last)
    else:
        after = whole_query("after", -1, _MOST_SEQ)
        after = None if after == -1 else after
    give_back = served.streams.take()
    if give_back is None:
        raise ProblemError("too_many_streams", retry_after_s=10)
    left = request.environ.get("waitress.client_disconnected", lambda: False)
    access, mark = served.access, _mark(served.access, session)

    def gone() -> bool:
        return left() or _mark(access, session) != mark

    events = served.feed.events(
        after,
        speakers_of(session.role, session.side),
        compact(session.to_json()),
        gone,
    )
    answer = Response(events, mimetype="text/event-stream")
    answer.headers["X-Accel-Buffering"] = "no"
    answer.headers["Cache-Control"] = "no-store, no-transform"
    # Not in the generator: one that was never begun never comes to its end.
    answer.call_on_close(give_back)
    return answer


def _mark(access: AccessStore, session: Session) -> tuple[bool, str | None]:
    """What changes when the session ends: its role's PIN, or the set-up."""
    return access.is_set_up, None if session.role is None else access.mark(session.role)


@table.on("GET", "/entries", WebRole.SPECTATOR)
def get_entries() -> Response:
    """Return rows, where there is no stream."""
    served = serving()
    after = whole_query("after", 0, _MOST_SEQ)
    limit = max(1, whole_query("limit", 200, 500))
    seq = served.api.state().seq
    rows = served.feed.row_texts(min(after, seq), seq, limit)
    text = ",".join(text for _, text in rows)
    last = rows[-1][0] if rows else min(after, seq)
    body = f'{{"entries":[{text}],"after":{last},"seq":{seq}}}'
    return Response(body, mimetype="application/json")


@table.on("GET", "/time", WebRole.SPECTATOR)
def get_time() -> Json:
    """Return the table's time, for a view's clock."""
    api = serving().api
    return {"now_ms": api.now_ms(), "rate": api.state().rate}


@table.on("GET", "/legal", WebRole.SPECTATOR)
def get_legal() -> Json:
    """Return the legal turns of the throw in hand."""
    return {"legal": legal_to_json(serving().api.state().match)}


@table.on("POST", "/words", WebRole.PLAYER)
def post_word() -> Json:
    """Say something at the table."""
    served, session = serving(), viewer()
    try:
        by, word = word_from(json_body())
    except WordError as error:
        raise ProblemError("unfit", str(error)) from error
    if by not in speakers_of(session.role, session.side):
        raise ProblemError("not_yours")
    return answer_to_json(served.api.say(word))


def answer_to_json(answer: Answer) -> Json:
    """Write what became of something asked.

    Raises:
        ProblemError: it was not done; says why.
    """
    body = {
        "done": answer.done,
        "told": [told_to_json(one) for one in answer.told],
        "seq": answer.seq,
    }
    if not answer.done:
        raise ProblemError("refused", more=body)
    return body
