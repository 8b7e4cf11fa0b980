"""Matches to and from the formats of other programs: what `export` and `import` do.

What a match can be read from and written to stands in two tables here, `LOADERS` and
`EXPORTERS`; a new source or format is one more line in them.
"""

import argparse
import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from recording.doubts import doubts
from recording.mat import read_mat
from recording.mat_write import ExportError, write_mat
from recording.match_json import match_to_json
from recording.record_copy import export_jsonl
from recording.record_errors import RecordError
from recording.record_reader import RecordReader
from recording.sgf import read_sgf
from recording.sgf_write import write_sgf
from recording.throws_csv import throws_of, write_throws_csv
from recording.transcript import MONEY, Game, Match, Play
from rules import Variant, variant_named
from zarbiter.command import FAILED, WRONG_USE, complain
from zarbiter.record_export import (
    RecordedMatch,
    RecordMatchError,
    is_record,
    recorded_match,
)

_LONG_SUFFIX: Final = ".nardy.mat"
_HEAD_BYTES: Final = 256


class LoadError(ValueError):
    """A file that is no match in any format known here."""


@dataclass(frozen=True, slots=True)
class Loader:
    """One kind of source of matches."""

    recognises: Callable[[Path, bytes], bool]
    """Told the path and the first bytes."""
    read: Callable[[Path, Variant | None], Match]
    """The rule set is the one asked for, None: the source's own."""


def _is_sgf(path: Path, head: bytes) -> bool:
    return path.suffix.lower() == ".sgf" or head.lstrip(b"\xef\xbb\xbf \r\n").startswith(b"(;")


def _is_mat(path: Path, head: bytes) -> bool:
    return path.suffix.lower() in (".mat", ".txt") and b"\0" not in head


LOADERS: Final[tuple[Loader, ...]] = (
    Loader(lambda path, _: is_record(path), lambda path, _: recorded_match(path).transcript),
    Loader(_is_sgf, lambda path, _: read_sgf(path)),
    Loader(_is_mat, read_mat),
)


def load_match(path: Path, variant: Variant | None = None) -> Match:
    """Read a match from whatever holds it.

    Args:
        path: a match file.
        variant: the rule set played, None: the one the file names.

    Raises:
        OSError: it cannot be read.
        LoadError: it is none of the formats known.
    """
    head = b""
    if not path.is_dir():
        with path.open("rb") as stream:
            head = stream.read(_HEAD_BYTES)
    for loader in LOADERS:
        if loader.recognises(path, head):
            return loader.read(path, variant)
    raise LoadError(
        f"{path}: no match is read from this; there are .mat, .sgf and the folder of a record"
    )


def _mat(match: Match) -> bytes:
    return write_mat(match).encode()


def _sgf(match: Match) -> bytes:
    return write_sgf(match).encode()


def _json(match: Match) -> bytes:
    return (json.dumps(match_to_json(match), ensure_ascii=False) + "\n").encode()


def _csv(match: Match) -> bytes:
    return write_throws_csv(throws_of(match), match.players).encode()


def _pdf(match: Match) -> bytes:
    raise ExportError("the protocol sheet is made from a record of Zarbiter, not a match file")


def export_recorded(recorded: RecordedMatch, form: str, language: str) -> bytes:
    """Write a match of a record: a record knows more than a transcript does.

    Raises:
        ExportError: the match cannot be told in this format.
    """
    match form:
        case "pdf":
            return recorded.pdf(language)
        case "csv":
            return recorded.csv()
        case "json":
            # All rows, so that the copy verifies as the record does.
            with RecordReader(recorded.place) as reader:
                return "".join(f"{line}\n" for line in export_jsonl(reader)).encode()
        case _:
            return EXPORTERS[form](recorded.transcript)


def _from_record(options: argparse.Namespace, place: Path) -> tuple[Match, bytes]:
    recorded = recorded_match(place, options.match_name)
    data = export_recorded(recorded, options.format, options.language)
    return recorded.transcript, data


EXPORTERS: Final[Mapping[str, Callable[[Match], bytes]]] = MappingProxyType(
    {"mat": _mat, "sgf": _sgf, "json": _json, "csv": _csv, "pdf": _pdf}
)


# --- export -----------------------------------------------------------------------------------


def run_export(options: argparse.Namespace) -> int:
    """Write one match; 1 when it, or a part of it, cannot be had, 2 on wrong use."""
    out = Path(options.out) if options.out else None
    try:
        source = Path(options.match)
        if is_record(source):
            match, data = _from_record(options, source)
        else:
            match = load_match(source, _variant(options.rules))
            data = EXPORTERS[options.format](match)
    except (LoadError, ExportError, RecordMatchError) as error:
        return complain(str(error), FAILED)
    except RecordError as error:
        return complain(error.ru if options.language == "ru" else error.en, FAILED)
    long = not variant_named(match.rules).hits
    if out and options.format == "mat" and long != out.name.lower().endswith(_LONG_SUFFIX):
        return complain(
            f"--out {out}: a long nardy match ends in {_LONG_SUFFIX}, no other does",
            WRONG_USE,
        )
    if out:
        out.write_bytes(data)
    else:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
    status = 0
    for text in _problems(match):
        status = complain(f"{options.match}: {text}", FAILED)
    return status


# --- import -----------------------------------------------------------------------------------


def run_import(options: argparse.Namespace) -> int:
    """Read files one by one; 1 when a game of any of them is broken."""
    variant = _variant(options.rules)
    status = 0
    for name in options.files:
        try:
            match = load_match(Path(name), variant)
        except (LoadError, RecordMatchError, RecordError, OSError) as error:
            message = error.strerror if isinstance(error, OSError) else str(error)
            if options.json:
                _say(_line({"file": name, "error": message or str(error)}))
            else:
                complain(
                    f"{name}: {message}" if isinstance(error, OSError) else f"{message}", 1
                )
            status = FAILED
            continue
        if options.json:
            _say(_line(_summary(name, match)))
        else:
            for line in _report(name, match):
                _say(line)
        if match.errors or any(game.error for game in match.games):
            status = FAILED
    return status


def _summary(name: str, match: Match) -> dict[str, Any]:
    return {
        "file": name,
        "rules": match.rules,
        "length": None if match.length == MONEY else match.length,
        "players": list(match.players),
        "score": list(match.score),
        "winner": match.winner and match.winner.value,
        "games": [
            {
                "game": game.number,
                "score": list(game.score),
                "score_after": list(game.score_after),
                "plies": len(_plays(game)),
                "dances": sum(play.lawful and not play.moves for play in _plays(game)),
                "wrong_plays": sum(not play.lawful for play in _plays(game)),
                "error": None
                if game.error is None
                else {"line": game.error.line, "message": game.error.message},
            }
            for game in match.games
        ],
        "errors": [{"line": one.line, "message": one.message} for one in match.errors],
        "doubts": [{"game": number, "message": text} for number, text in doubts(match)],
    }


def _report(name: str, match: Match) -> list[str]:
    length = "money session" if match.length == MONEY else f"match to {match.length}"
    white, black = match.players
    lines = [f"{name}: {white or 'White'} – {black or 'Black'}, {match.rules}, {length}"]
    for game in match.games:
        plays = _plays(game)
        wrong = sum(not play.lawful for play in plays)
        before, after = ("–".join(map(str, one)) for one in (game.score, game.score_after))
        lines.append(
            f"  game {game.number}: {before} → {after if game.result else 'no result'}, "
            f"plies: {len(plays)}" + (f", wrong ones accepted: {wrong}" if wrong else "")
        )
    lines += [f"  ! {text}" for text in _problems(match)]
    lines += [f"  ? game {number}: {text}" for number, text in doubts(match)]
    return lines


def _problems(match: Match) -> list[str]:
    found = [f"line {error.line}: {error.message}" for error in match.errors]
    return found + [
        f"game {game.number} breaks off at line {game.error.line}: {game.error.message}"
        for game in match.games
        if game.error
    ]


def _plays(game: Game) -> list[Play]:
    return [action for action in game.actions if isinstance(action, Play)]


# --- shared -----------------------------------------------------------------------------------


def _variant(name: str | None) -> Variant | None:
    return None if name is None else variant_named(name)


def _line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
