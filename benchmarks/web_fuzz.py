"""Many made-up requests to the dashboard's API: none may break it.

schemathesis makes them up from the API's own OpenAPI description, fitting ones and unfitting
ones by turns. Needs `pip install schemathesis`. Prints one JSON line; fails on any 5xx.

    python benchmarks/web_fuzz.py [--requests 10000] [--seed 1]
"""

import argparse
import json
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

# Python puts a script's own folder first on the path; the tests' helpers lie beside it.
sys.path[:] = [one for one in sys.path if Path(one).resolve() != Path(__file__).parent]
sys.path.append(str(Path(__file__).resolve().parents[1]))

import schemathesis  # noqa: E402
from hypothesis import HealthCheck, Phase, given, seed, settings  # noqa: E402
from schemathesis import GenerationMode  # noqa: E402

from tests.support.web_fuzz import STREAMS  # noqa: E402
from tests.support.web_site import Phone, Site, site  # noqa: E402
from tests.support.web_table import FakeTable, Players, played  # noqa: E402
from web.openapi import description  # noqa: E402

LEFT_OUT = (*STREAMS, "/logout", "/setup")
"""Streams do not end; the others end the visit, and have tests of their own."""


def fuzz(made: Site, count: int, number: int) -> dict[str, Any]:
    """Ask so many times, spread over all operations."""
    raw = json.loads(json.dumps(description(made.app, "1")))
    raw["paths"] = {path: one for path, one in raw["paths"].items() if path not in LEFT_OUT}
    schema = schemathesis.openapi.from_dict(raw)
    operations = [result.ok() for result in schema.get_all_operations()]
    statuses: Counter[int] = Counter()
    broken: list[str] = []
    phone = made.phone("127.0.0.1")
    phone.load()
    for operation in operations:
        for mode in GenerationMode:
            each = max(1, count // (2 * len(operations)))
            try:
                _ask(made.table, phone, operation, mode, each, number, statuses, broken)
            except schemathesis.errors.SchemathesisError as error:
                broken.append(f"{operation.label}: {type(error).__name__}")
            except Exception as error:
                if "Unsatisfiable" not in type(error).__name__:
                    raise
    return {
        "requests": sum(statuses.values()),
        "operations": len(operations),
        "statuses": {str(key): statuses[key] for key in sorted(statuses)},
        "broken": broken[:20],
    }


def _ask(
    table: FakeTable,
    phone: Phone,
    operation: Any,
    mode: GenerationMode,
    count: int,
    number: int,
    statuses: "Counter[int]",
    broken: list[str],
) -> None:
    @seed(number)
    @settings(
        max_examples=count,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def once(case: Any) -> None:
        ready = case.as_transport_kwargs(base_url="http://localhost/api/v1")
        headers = {
            key: value
            for key, value in (ready.get("headers") or {}).items()
            if key.lower() not in ("host", "cookie", "content-length", "user-agent")
        }
        if case.method != "GET":
            headers["X-CSRF-Token"] = phone.csrf
        answer = phone.client.open(
            ready["url"].removeprefix("http://localhost"),
            method=case.method,
            query_string=ready.get("params") or {},
            headers=[*_plain(headers), ("Host", "localhost")],
            **_body(ready),
        )
        statuses[answer.status_code] += 1
        if answer.status_code >= 500:
            broken.append(f"{case.method} {ready['url']} {answer.status_code}")
        if sum(statuses.values()) % 7 == 0:
            _go_on(table)

    once()


def _plain(headers: dict[str, str]) -> list[tuple[str, str]]:
    kept = []
    for key, value in headers.items():
        text = value if isinstance(value, str) else bytes(value).decode("latin-1")
        text = text.encode("latin-1", "replace").decode("latin-1")
        kept.append((key, text.replace("\r", " ").replace("\n", " ")))
    return kept


def _body(ready: dict[str, Any]) -> dict[str, Any]:
    if "json" in ready:
        try:
            data = json.dumps(ready["json"]).encode()
        except (TypeError, ValueError):
            data = b"{"
        return {"data": data, "content_type": "application/json"}
    data = ready.get("data") or b""
    return {"data": data if isinstance(data, bytes) else str(data).encode(errors="replace")}


def _go_on(table: FakeTable) -> None:
    kind = type(table.keeper.state.phase).__name__
    if kind not in ("NotOpened", "MatchOver", "Lost") and table.keeper.state.clock.flag is None:
        Players(table).go_on()


def main() -> int:
    """Ask, count, tell."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--requests", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    began_s = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="web-fuzz-") as folder:
        table = played(Path(folder) / "record", steps=25)
        report = fuzz(site(table, Path(folder)), options.requests, options.seed)
        table.close()
    report["seconds"] = round(time.perf_counter() - began_s, 1)
    sys.stdout.write(json.dumps({**report, "seed": options.seed}) + "\n")
    return 1 if report["broken"] else 0


if __name__ == "__main__":
    sys.exit(main())
