"""`zarbiter verify`, `backup` and `restore`: the options; `zarbiter.records` does the work.

Databases and signatures are loaded only when one of the commands runs: the others start sooner.
"""

import argparse

from zarbiter.command import ParserOf


def add_verify(parser_of: ParserOf, language: str) -> None:
    """Add the command that checks a record."""
    parser = parser_of(
        "verify",
        "check that a record is whole, unchanged and signed",
        "  zarbiter verify tables/7\n"
        "  zarbiter verify tables/7 --key signing.pub      # the device's key, got elsewhere\n"
        "  zarbiter verify tables/7 --head 412:9f86d081    # as its protocol sheet prints it\n"
        "  zarbiter verify match.jsonl --json",
    )
    parser.add_argument("record", metavar="RECORD", help="a record's folder, or its .jsonl")
    parser.add_argument("--key", metavar="FILE", help="public key that must have signed it")
    parser.add_argument(
        "--head", metavar="SEQ:HASH", help="a row that must be in it; the hash may be cut short"
    )
    parser.add_argument("--no-pictures", action="store_true", help="do not read the pictures")
    parser.add_argument("--language", choices=("ru", "en"), default=language)
    parser.add_argument("--json", action="store_true", help="machine-readable")
    parser.set_defaults(run=_verify)


def add_backup(parser_of: ParserOf, language: str) -> None:
    """Add the command that copies a live record."""
    parser = parser_of(
        "backup",
        "copy a record with its pictures while its table plays on",
        "  zarbiter backup tables/7 /media/stick/7",
    )
    parser.add_argument("record", metavar="RECORD", help="a record's folder")
    parser.add_argument("to", metavar="FOLDER", help="where to; an older copy is replaced")
    parser.add_argument("--language", choices=("ru", "en"), default=language)
    parser.set_defaults(run=_backup)


def add_restore(parser_of: ParserOf, language: str) -> None:
    """Add the command that brings a copy back."""
    parser = parser_of(
        "restore",
        "put a copy in the place of a damaged record",
        "  zarbiter restore /media/stick/7 tables/7 --keys data/",
    )
    parser.add_argument("copy", metavar="COPY", help="the copy's folder")
    parser.add_argument("record", metavar="RECORD", help="the record's folder")
    parser.add_argument(
        "--keys",
        metavar="FOLDER",
        help="the folder of the device's signing.key (default: the one the record lies in)",
    )
    parser.add_argument(
        "--even-broken", action="store_true", help="take a copy that does not verify"
    )
    parser.add_argument("--language", choices=("ru", "en"), default=language)
    parser.set_defaults(run=_restore)


def _verify(options: argparse.Namespace) -> int:
    from zarbiter.records import run_verify

    return run_verify(options)


def _backup(options: argparse.Namespace) -> int:
    from zarbiter.records import run_backup

    return run_backup(options)


def _restore(options: argparse.Namespace) -> int:
    from zarbiter.records import run_restore

    return run_restore(options)
