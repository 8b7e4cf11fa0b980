"""The API described in OpenAPI 3.1: routes, roles and summaries from the app itself."""

import re
from collections.abc import Mapping
from typing import Any, Final

from flask import Flask

from web.openapi_parts import ANSWERS, BODIES, QUERIES, SCHEMAS
from web.roles import WebRole
from web.serving import NAME, Serving

PREFIX: Final = "/api/v1"
_PATH_PART: Final = re.compile(r"<(?:\w+:)?(\w+)>")


def description(app: Flask, version: str) -> dict[str, Any]:
    """Return the description of an app's API.

    Args:
        app: made by `create_app`.
        version: of the program.
    """
    served: Serving = app.extensions[NAME]
    paths: dict[str, dict[str, Any]] = {}
    for endpoint, method, rule in routes(app):
        operation = _operation(app, endpoint, method, rule, served.roles[endpoint])
        path = _PATH_PART.sub(r"{\1}", rule.removeprefix(PREFIX))
        paths.setdefault(path, {})[method.lower()] = operation
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Zarbiter",
            "version": version,
            "description": "The referee of one nardy table. Forms: docs/reference/http-api.md.",
        },
        "servers": [{"url": f"{served.settings.prefix}{PREFIX}"}],
        "paths": dict(sorted(paths.items())),
        "components": {
            "schemas": SCHEMAS,
            "securitySchemes": {
                "session": {
                    "type": "apiKey",
                    "in": "cookie",
                    "name": app.config["SESSION_COOKIE_NAME"],
                },
                "csrf": {"type": "apiKey", "in": "header", "name": "X-CSRF-Token"},
            },
        },
    }


def routes(app: Flask) -> list[tuple[str, str, str]]:
    """Return the API's routes as (endpoint, method, rule)."""
    return sorted(
        (rule.endpoint, method, rule.rule)
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith(f"{PREFIX}/")
        for method in (rule.methods or set()) & {"GET", "POST"}
    )


def _operation(
    app: Flask, endpoint: str, method: str, rule: str, role: WebRole | None
) -> dict[str, Any]:
    view = app.view_functions[endpoint]
    summary = (view.__doc__ or "").strip().splitlines()[0]
    operation: dict[str, Any] = {
        "operationId": endpoint.rpartition(".")[2],
        "tags": [endpoint.partition(".")[0]],
        "summary": summary,
        "x-role": None if role is None else role.value,
        "parameters": [
            {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
            for name in _PATH_PART.findall(rule)
        ]
        + [
            {"name": name, "in": "query", "required": False, "schema": schema}
            for name, schema in QUERIES.get(endpoint, {}).items()
        ],
        "responses": _responses(endpoint, method, role),
    }
    if method == "POST":
        operation["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": BODIES[endpoint]}},
        }
    needs: dict[str, list[str]] = {} if role is None else {"session": []}
    if method == "POST":
        needs["csrf"] = []
    operation["security"] = [needs]
    return operation


def _responses(endpoint: str, method: str, role: WebRole | None) -> dict[str, Any]:
    media, schema = ANSWERS.get(endpoint, ("application/json", {"type": "object"}))
    statuses = {400, 403, 404, 413, 421, 429, 503} | ({401} if role is not None else set())
    if method == "POST":
        statuses |= {401, 409, 415, 422}
    elif endpoint in QUERIES or endpoint == "matches.get_export":
        statuses |= {422}
    return {
        "200": {"description": "Done.", "content": {media: _with_schema(schema)}},
        **{
            str(status): {
                "description": _WHY[status],
                "content": {
                    "application/json": {"schema": {"$ref": "#/components/schemas/Error"}}
                },
            }
            for status in sorted(statuses)
        },
    }


def _with_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {"schema": dict(schema)} if schema else {}


_WHY: Final = {
    400: "Not understood.",
    401: "Log in first, or the PIN is wrong.",
    403: "Not for this session.",
    404: "There is no such thing.",
    409: "Not done; `told` says why.",
    413: "Too much data.",
    415: "JSON is wanted.",
    421: "Asked by a name the table does not answer to.",
    422: "A value does not fit; the sentence names it.",
    429: "Too many tries; `Retry-After` says how long to wait.",
    503: "The table does not answer, or all places are taken; see `Retry-After`.",
}
