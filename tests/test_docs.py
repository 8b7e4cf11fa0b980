import argparse
import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import referee
import zarbiter
from referee import codec
from rules import VARIANTS, Law
from rules.errors import PositionError, RollError, VariantError
from rules.throw import Reason, ThrowVerdict
from zarbiter.cli import build_parser

DOCS = Path(__file__).resolve().parent.parent / "docs"
pytestmark = pytest.mark.skipif(not DOCS.is_dir(), reason="needs docs/, which no wheel has")


def page(name: str) -> str:
    return (DOCS / "reference" / name).read_text(encoding="utf-8")


def missing(words: set[str], text: str) -> list[str]:
    """Words that the page does not name as code."""
    named = set(re.findall(r"`([^`\n]+)`", text))
    return sorted(words - named - {word for one in named for word in one.split()})


def sources(*packages: object) -> Iterator[ast.Module]:
    for package in packages:
        for path in Path(str(getattr(package, "__file__", ""))).parent.glob("*.py"):
            yield ast.parse(path.read_text(encoding="utf-8"))


def words_passed(callee: str, place: int, *packages: object) -> set[str]:
    """Text constants that calls of one name are given at a place."""
    words = set()
    for module in sources(*packages):
        for node in ast.walk(module):
            match node:
                case ast.Call(func=ast.Name(id=name), args=args) if name == callee:
                    given = args[place] if len(args) > place else None
                    if isinstance(given, ast.Constant) and isinstance(given.value, str):
                        words.add(given.value)
    return words


def commands() -> set[str]:
    (choices,) = (
        action.choices
        for action in build_parser()._actions
        if isinstance(action, argparse._SubParsersAction)
    )
    return set(choices)


def test_every_command_is_documented() -> None:
    text = page("commands.md")
    assert [name for name in sorted(commands()) if f"`zarbiter {name}" not in text] == []


def test_no_command_is_documented_that_is_none() -> None:
    assert set(re.findall(r"\| `zarbiter ([a-z]+)", page("commands.md"))) == commands()


def test_every_law_is_documented() -> None:
    assert missing({law.value for law in Law}, page("exchange-format.md")) == []


def test_every_error_code_of_the_exchange_format_is_documented() -> None:
    codes = words_passed("QuestionError", 0, zarbiter)
    assert "bad_json" in codes
    codes |= {PositionError.code, RollError.code, VariantError.code}
    assert missing(codes, page("exchange-format.md")) == []


def test_every_event_is_documented() -> None:
    tree = ast.parse(Path(codec.__file__).read_text(encoding="utf-8"))
    events = {
        value.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Dict)
        for key, value in zip(node.keys, node.values, strict=True)
        if isinstance(key, ast.Constant) and key.value == "event"
        if isinstance(value, ast.Constant) and isinstance(value.value, str)
    }
    assert {"throw", "play", "notice"} <= events
    assert missing(events | {"summary"}, page("events.md")) == []


def test_every_notice_is_documented() -> None:
    codes = words_passed("Notice", 1, referee, zarbiter)
    assert "stray_press" in codes
    assert missing(codes, page("events.md")) == []


def test_every_reason_and_verdict_of_a_throw_is_documented() -> None:
    words = {reason.value for reason in Reason} | {verdict.value for verdict in ThrowVerdict}
    assert missing(words, page("events.md")) == []


def test_every_rule_set_is_documented() -> None:
    path = DOCS / "reference" / "rule-sets.md"
    assert missing(set(VARIANTS), path.read_text(encoding="utf-8")) == []


def test_the_decisions_are_numbered_without_gaps() -> None:
    names = sorted(path.name for path in (DOCS / "adr").glob("*.md"))
    assert [name[:5] for name in names] == [f"{n:04}-" for n in range(1, len(names) + 1)]
    for name in names:
        title = (DOCS / "adr" / name).read_text(encoding="utf-8").splitlines()[0]
        assert re.match(rf"# .*\b0*{int(name[:4])}\b", title), f"{name}: {title}"


def test_links_between_pages_lead_somewhere() -> None:
    broken = [
        f"{path.relative_to(DOCS.parent)}: {target}"
        for path in [*DOCS.rglob("*.md"), *DOCS.parent.glob("*.md")]
        for target in re.findall(
            r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", path.read_text(encoding="utf-8")
        )
        if not (path.parent / target).exists()
    ]
    assert broken == []
