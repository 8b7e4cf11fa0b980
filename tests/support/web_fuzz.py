"""Requests made up from the API's own description: mostly fitting, now and then anything."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from hypothesis import strategies as st

ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**63), 2**63),
    st.floats(),
    st.text(max_size=20),
    st.sampled_from(
        ["", "\x00", "\ud800", "../..", "%00", "<script>", "🎲" * 40, "x" * 3000, "{0}", "%s"]
    ),
    st.lists(st.integers(-3, 30), max_size=4),
    st.dictionaries(st.text(max_size=5), st.integers(), max_size=3),
)
STREAMS = ("/stream", "/live.mjpg")


def values(schema: Mapping[str, Any], shared: Mapping[str, Any]) -> st.SearchStrategy[Any]:
    """Values that fit a schema."""
    match schema:
        case {"$ref": str(name)}:
            return values(shared[name.rpartition("/")[2]], shared)
        case {"enum": list(choices)}:
            return st.sampled_from(choices)
        case {"oneOf": list(parts)}:
            return st.one_of([values(one, shared) for one in parts])
        case {"type": "null"}:
            return st.none()
        case {"type": "boolean"}:
            return st.booleans()
        case {"type": "integer"}:
            return st.integers(schema.get("minimum", -5), schema.get("maximum", 2**40))
        case {"type": "number"}:
            return st.floats(-1e4, 1e4)
        case {"type": "string", "pattern": str(pattern)}:
            return st.from_regex(pattern, fullmatch=True)
        case {"type": "string"}:
            return st.text(max_size=min(60, schema.get("maxLength", 60)))
        case {"type": "array"}:
            return st.lists(
                values(schema["items"], shared),
                min_size=schema.get("minItems", 0),
                max_size=schema.get("maxItems", 4),
            )
        case {"type": "object", "patternProperties": dict(patterns)}:
            [(key, value)] = patterns.items()
            keys = st.from_regex(key, fullmatch=True)
            return st.dictionaries(keys, values(value, shared), max_size=6)
        case {"type": "object", "properties": dict(fields)}:
            needed = schema.get("required", [])
            made = {name: values(one, shared) for name, one in fields.items()}
            return st.fixed_dictionaries(
                {name: made[name] for name in needed},
                optional={name: one for name, one in made.items() if name not in needed},
            )
        case _:
            return st.dictionaries(st.text(max_size=8), ODD, max_size=3)


@st.composite
def requests(
    draw: st.DrawFn, described: Mapping[str, Any], names: Mapping[str, list[str]]
) -> tuple[str, str, Any]:
    """Return a request as (method, path with its query, body).

    Args:
        draw: hypothesis's.
        described: the OpenAPI description.
        names: what may stand for a part of a path, by its name.
    """
    shared = described["components"]["schemas"]
    path = draw(st.sampled_from(sorted(set(described["paths"]) - set(STREAMS))))
    method = draw(st.sampled_from(sorted(described["paths"][path])))
    operation = described["paths"][path][method]
    query: list[str] = []
    url = path
    for one in operation["parameters"]:
        odd = draw(st.integers(0, 5)) == 0
        if one["in"] == "path":
            known = st.sampled_from(names.get(one["name"], ["x"]))
            value = draw(st.text(min_size=1, max_size=30) if odd else known)
            url = url.replace("{" + one["name"] + "}", _quoted(value))
        elif draw(st.booleans()):
            value = draw(ODD if odd else values(one["schema"], shared))
            query.append(f"{one['name']}={_quoted(str(value))}")
    body = None
    if method == "post":
        schema = operation["requestBody"]["content"]["application/json"]["schema"]
        body = draw(values(schema, shared))
        if draw(st.integers(0, 3)) == 0:
            if isinstance(body, dict) and body and draw(st.booleans()):
                body[draw(st.sampled_from(sorted(body)))] = draw(ODD)
            else:
                body = draw(ODD)
    return method.upper(), url + ("?" + "&".join(query) if query else ""), body


def _quoted(value: str) -> str:
    return quote(value.encode(errors="replace"), safe="")
