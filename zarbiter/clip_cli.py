"""The command `zarbiter clip`: the part of a recording that shows a problem, to be sent."""

import argparse
import sys
from pathlib import Path

from zarbiter.command import FAILED, WRONG_USE, ParserOf, complain


def add_clip(parser_of: ParserOf, language: str) -> None:
    """Add the command."""
    parser = parser_of(
        "clip",
        "cut the part of a recording that shows a problem, to be sent and replayed",
        "  zarbiter clip game.mp4 --from 312 --to 340 problem/\n"
        "  zarbiter clip recording/ --note 'the second die is a 5' problem/\n"
        "  zarbiter replay problem/",
    )
    parser.add_argument(
        "source", metavar="SOURCE", help="a folder with frames.jsonl, or a video file"
    )
    parser.add_argument("out", metavar="DIR", help="a new folder")
    parser.add_argument(
        "--from", dest="from_s", type=float, metavar="S", help="first second (default: all)"
    )
    parser.add_argument("--to", dest="to_s", type=float, metavar="S", help="last second")
    parser.add_argument("--every", type=float, default=0.2, metavar="S", help="seconds a frame")
    parser.add_argument("--note", default="", help="what is wrong, in your words")
    parser.add_argument("--language", choices=("ru", "en"), default=language)
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    from zarbiter.clips import cut_clip
    from zarbiter.source import SourceError

    out = Path(options.out)
    if out.exists():
        return complain(f"{out} is in use; name a new folder", WRONG_USE)
    if options.every <= 0:
        return complain("--every is above 0", WRONG_USE)
    from_s = float("-inf") if options.from_s is None else options.from_s
    to_s = float("inf") if options.to_s is None else options.to_s
    try:
        cut = cut_clip(Path(options.source), out, from_s, to_s, options.every, options.note)
    except SourceError as error:
        return complain(str(error), WRONG_USE)
    if not cut.pictures:
        return complain("no picture lies between those times", FAILED)
    ru = options.language == "ru"
    sys.stdout.write(
        f"{out}: кадров {cut.pictures}, разных {cut.files}, {cut.size_bytes / 1e6:.1f} МБ\n"
        if ru
        else f"{out}: {cut.pictures} frames, {cut.files} of them different, "
        f"{cut.size_bytes / 1e6:.1f} MB\n"
    )
    return 0
