"""The promise of a replay: what it says is true, and it says it of at least half."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any, TypeAlias

from rules import Position
from zarbiter.replay import run_replay

Json: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Score:
    """What became of the throws and plays that really were."""

    right: int
    unsure: int
    wrong: tuple[str, ...]

    def __add__(self, other: "Score") -> "Score":
        return Score(
            self.right + other.right, self.unsure + other.unsure, self.wrong + other.wrong
        )


def replayed(folder: Path, out: StringIO, err: StringIO) -> list[Json]:
    """Replay a folder without letting the referee near its `truth.json`; return the events."""
    status = run_replay(
        folder, setup_path=None, rules=None, as_json=True, language="en", out=out, err=err
    )
    assert status == 0, err.getvalue()
    return [json.loads(line) for line in out.getvalue().splitlines()]


def score(events: list[Json], truth: Json) -> Score:
    """Compare what was said with what was so.

    Every throw and play of the output must be one that was, in order, or be unsure; what was
    and is not in the output counts as unsure. Positions told must have stood there.
    """
    turns = truth.get("turns", [truth])
    throws = [throw for turn in turns for throw in _true_throws(turn)]
    said = [_throw(event) for event in events if event["event"] == "throw"]
    played = [_play(event) for event in events if event["event"] == "play"]
    result = _aligned(said, throws) + _aligned(played, [_true_play(turn) for turn in turns])
    stood = {Position.from_json(turn[when]) for turn in turns for when in ("before", "after")}
    invented = [
        f"said {event['position']} at {event['t_s']}"
        for event in events
        if event["event"] == "position" and event["position"] is not None
        if Position.from_json(event["position"]) not in stood
    ]
    return result + Score(0, 0, tuple(invented))


def _true_throws(turn: Json) -> Iterator[str]:
    for throw in turn.get("throws") or [{"throw": turn["throw"], "values": turn["dice"]}]:
        yield _words(turn["side"], throw["throw"], throw["values"], throw.get("reason"))


def _words(side: str, verdict: str, values: list[int], reason: str | None) -> str:
    # Of a void throw the verdict and its reason matter; its numbers count for nothing.
    numbers = reason or "void" if verdict == "void" else "-".join(map(str, sorted(values)))
    return f"throw of {side}: {verdict} {numbers}"


def _throw(event: Json) -> str | None:
    if event["verdict"] == "unsure":
        return None
    reason = event["reasons"][0] if event["reasons"] else None
    return _words(event["side"], event["verdict"], event["values"], reason)


def _play(event: Json) -> str | None:
    if event["verdict"] == "unsure":
        return None
    return _play_words(event["side"], event["verdict"], event["played"])


def _true_play(turn: Json) -> str:
    return _play_words(turn["side"], turn["verdict"], turn["after"])


def _play_words(side: str, verdict: str, after: Json) -> str:
    # Truth may be kept as "legal" or "not legal" only.
    legal = "legal" if verdict == "legal" else "not legal"
    return f"{legal} play of {side} to {Position.from_json(after)}"


def _aligned(said: list[str | None], true: list[str]) -> Score:
    """Match what was said with what was so, in order; what was not said counts as unsure."""
    wrong, at, right = [], 0, 0
    for one in said:
        if one is None:
            continue
        if one in true[at:]:
            at = true.index(one, at) + 1
            right += 1
        else:
            wrong.append(f"said {one}; was {true[at:]}")
    return Score(right, len(true) - right, tuple(wrong))
