"""`zarbiter config`: where the settings come from, what they are, whether they are sound."""

import argparse
import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from zarbiter.command import FAILED, ParserOf, complain

if TYPE_CHECKING:
    from zarbiter.config_keys import ConfigError


def add_config(parser_of: ParserOf, language: str) -> None:
    """Add the command with its four parts."""
    parser = parser_of(
        "config",
        "show, check and begin the live service's configuration",
        "  zarbiter config show --origin\n  zarbiter config check /etc/zarbiter/config.toml\n"
        "  zarbiter config init\n  zarbiter config path",
    )
    parts = parser.add_subparsers(title="parts", metavar="PART", required=True)
    show = parts.add_parser("show", help="print the values in force")
    show.add_argument("--origin", action="store_true", help="and where each comes from")
    show.set_defaults(run=_show)
    path = parts.add_parser("path", help="print the files that are read, weakest first")
    path.set_defaults(run=_path)
    check = parts.add_parser("check", help="name what is wrong, in all layers or in one file")
    check.add_argument("file", nargs="?", metavar="FILE", help="this file alone")
    check.set_defaults(run=_check)
    init = parts.add_parser("init", help="write a commented file to begin with")
    init.add_argument("file", nargs="?", metavar="FILE", help="default: the user's file")
    init.add_argument("--pi", action="store_true", help="for a Raspberry Pi with buttons")
    init.set_defaults(run=_init)
    for part in (show, path, check):
        part.add_argument("--json", action="store_true", help="machine-readable")
    for part in (show, check):
        part.add_argument(
            "--config", metavar="FILE", help="this file instead of system's and user's"
        )
    for part in (show, check, init):
        part.add_argument("--language", choices=("ru", "en"), default=language)


def _show(options: argparse.Namespace) -> int:
    from zarbiter.config_keys import ConfigError
    from zarbiter.config_load import load, places_of, values_in
    from zarbiter.config_sample import toml_value

    places = places_of(os.environ, only=_file(options.config))
    try:
        loaded = load(places, os.environ)
    except ConfigError as error:
        return _refused(error, options)
    values = values_in(loaded.settings)
    if options.json:
        _say(
            json.dumps(
                {
                    full: {
                        "value": value,
                        "origin": loaded.origins[full].layer.value,
                        "where": loaded.origins[full].where,
                    }
                    for full, value in values.items()
                }
                if options.origin
                else values,
                ensure_ascii=False,
            )
        )
        return 0
    for full, value in values.items():
        origin = loaded.origins[full]
        line = f"{full} = {toml_value(value)}"
        told = f"  # {origin.layer.value} {origin.where}".rstrip() if options.origin else ""
        _say(line + told)
    return 0


def _path(options: argparse.Namespace) -> int:
    from zarbiter.config_load import places_of

    places = places_of(os.environ)
    if options.json:
        rows = [
            {"layer": layer.value, "path": str(path), "exists": path.exists()}
            for layer, path in places.files()
        ]
        _say(json.dumps(rows, ensure_ascii=False))
        return 0
    for layer, path in places.files():
        _say(f"{layer.value:8}{path}{'' if path.exists() else '  (none yet)'}")
    return 0


def _check(options: argparse.Namespace) -> int:
    from zarbiter.config_keys import ConfigError
    from zarbiter.config_load import load, places_of

    named = _file(options.file)
    places = places_of(os.environ, only=named or _file(options.config))
    try:
        # A file that is named is judged by itself, whatever the environment says.
        load(places, {} if named else os.environ)
    except ConfigError as error:
        return _refused(error, options)
    if options.json:
        _say(json.dumps({"ok": True, "problems": []}))
    else:
        _say(
            "настройки в порядке" if options.language == "ru" else "the configuration is sound"
        )
    return 0


def _init(options: argparse.Namespace) -> int:
    from zarbiter.config_file import write_whole
    from zarbiter.config_load import places_of
    from zarbiter.config_sample import PI_VALUES, sample_text

    path = _file(options.file) or places_of(os.environ).user
    ru = options.language == "ru"
    if path.exists():
        sys.stderr.write(
            f"zarbiter: {path} уже есть и не тронут\n"
            if ru
            else f"zarbiter: {path} is there already and was left as it is\n"
        )
        return FAILED
    write_whole(path, sample_text(options.language, PI_VALUES if options.pi else {}))
    _say(str(path))
    return 0


def _refused(error: "ConfigError", options: argparse.Namespace) -> int:
    if options.json:
        problems = [one.to_json() for one in error.problems]
        _say(json.dumps({"ok": False, "problems": problems}, ensure_ascii=False))
        return FAILED
    for line in error.text(options.language).splitlines():
        complain(line)
    return FAILED


def _file(name: str | None) -> Path | None:
    return None if name is None else Path(name)


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
