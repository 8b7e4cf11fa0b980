"""`zarbiter export` and `zarbiter import`: the options; `zarbiter.exchange` does the work.

The formats are loaded only when one of the commands runs: the others start sooner.
"""

import argparse
from typing import Final

from zarbiter.command import ParserOf

FORMATS: Final = ("mat", "sgf", "json", "csv", "pdf")


def add_export(parser_of: ParserOf, language: str) -> None:
    """Add the command `export`.

    Args:
        parser_of: makes a command's parser.
        language: of the protocol sheet, unless it is named.
    """
    parser = parser_of(
        "export",
        "write a match for other programs: .mat, .sgf, JSON, CSV of throws, protocol sheet",
        "  zarbiter export tables/7 --format pdf --out final.pdf    # from a record\n"
        "  zarbiter export tables/7 --format mat --match final --out final.nardy.mat\n"
        "  zarbiter export final.sgf --format mat --out final.mat\n"
        "  zarbiter export final.mat --format csv > throws.csv\n"
        "  zarbiter export long.nardy.mat --format json",
    )
    parser.add_argument(
        "match",
        metavar="MATCH",
        help="a record's folder, or a match file: .mat, .nardy.mat, .sgf",
    )
    parser.add_argument("--format", required=True, choices=FORMATS)
    parser.add_argument("--out", metavar="FILE", help="default: standard output")
    parser.add_argument(
        "--match",
        dest="match_name",
        metavar="NAME",
        help="which match of a record (default: the last one)",
    )
    parser.add_argument(
        "--language", choices=("ru", "en"), default=language, help="of the protocol sheet"
    )
    _add_rules(parser)
    parser.set_defaults(run=_export)


def _export(options: argparse.Namespace) -> int:
    from zarbiter.exchange import run_export

    return run_export(options)


def add_import(parser_of: ParserOf) -> None:
    """Add the command `import`."""
    parser = parser_of(
        "import",
        "read match files and say what they hold: games, scores, plies, problems",
        "  zarbiter import *.mat *.sgf\n  zarbiter import club.mat --json",
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help=".mat, .nardy.mat or .sgf")
    parser.add_argument("--json", action="store_true", help="one JSON line a file")
    _add_rules(parser)
    parser.set_defaults(run=_import)


def _import(options: argparse.Namespace) -> int:
    from zarbiter.exchange import run_import

    return run_import(options)


def _add_rules(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--rules",
        metavar="SET",
        help="rule set of a .mat file (default: the one it names, else short)",
    )
