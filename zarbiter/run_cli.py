"""The command `zarbiter run`."""

import argparse
import os
import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from zarbiter.command import FAILED, WRONG_USE, ParserOf, complain

_FLAGS = {
    "camera": "camera.source",
    "rules": "table.rules",
    "table": "table.name",
    "record": "record.folder",
    "host": "web.host",
    "port": "web.port",
    "buttons": "buttons.source",
    "role": "referee.role",
    "profile": "calibration.profile",
}
"""Options that stand for one key of the configuration."""


def add_run(parser_of: ParserOf, language: str) -> None:
    """Add the command."""
    parser = parser_of(
        "run",
        "referee the table: camera, buttons, clock, record and dashboard",
        "  zarbiter run\n"
        "  zarbiter run --camera sim                  # the simulated table\n"
        "  zarbiter run --camera usb --buttons keyboard --rules classic\n"
        "  zarbiter run --host 0.0.0.0 --port 80      # for phones in this network\n"
        "  zarbiter run --set web.spectators_see_camera=true",
    )
    parser.add_argument("--config", metavar="FILE", help="instead of system's and user's file")
    parser.add_argument(
        "--camera",
        metavar="CAMERA",
        help="auto, picamera2:0, usb, v4l2:…, video:…, folder:…, sim",
    )
    parser.add_argument("--rules", metavar="SET", help="what a new match begins with")
    parser.add_argument("--table", metavar="NAME", help="the table's name")
    parser.add_argument("--record", metavar="DIR", help="the folder of record and pictures")
    parser.add_argument("--host", metavar="ADDRESS", help="0.0.0.0: the whole network")
    parser.add_argument("--port", metavar="PORT", help="of the dashboard")
    parser.add_argument("--buttons", choices=("gpio", "keyboard", "none"))
    parser.add_argument("--role", choices=("silent", "monitor", "referee"))
    parser.add_argument("--profile", metavar="FILE", help="calibration profile")
    parser.add_argument(
        "--set", metavar="SECTION.KEY=VALUE", action="append", default=[], help="any setting"
    )
    parser.add_argument(
        "--speed", type=float, default=1.0, help="of the simulated players (default: 1)"
    )
    parser.add_argument("--language", choices=("ru", "en"), default=language)
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    from hardware.errors import HardwareError
    from recording.record_errors import RecordError
    from zarbiter.config_keys import ConfigError
    from zarbiter.config_load import load, places_of
    from zarbiter.journal import set_up_logging
    from zarbiter.machine import Machine
    from zarbiter.notify import Notifier
    from zarbiter.run import RunOptions, run, stopped_by_signals

    ru = options.language == "ru"
    try:
        places = places_of(os.environ, only=Path(options.config) if options.config else None)
        loaded = load(places, os.environ, _flags(options))
    except ConfigError as error:
        for line in error.text(options.language).splitlines():
            complain(line)
        return WRONG_USE
    set_up_logging()
    notifier = Notifier(os.environ)
    machine = Machine(loaded, notifier, os.environ)
    chosen = RunOptions(
        loaded.settings,
        machine,
        language=options.language,
        ready=partial(notifier.ready, "running"),
        alive=machine.alive,
        speed=options.speed,
    )
    try:
        with stopped_by_signals() as stop:
            status = run(chosen, stop, sys.stderr)
            notifier.stopping()
    except RecordError as error:
        return complain(error.ru if ru else error.en, FAILED)
    except HardwareError as error:
        said = error.sentence
        return complain(said.ru if ru else said.en, FAILED)
    return status


def _flags(options: argparse.Namespace) -> Mapping[str, str | int | bool]:
    """Return the flags by `section.key`.

    Raises:
        ConfigError: a key or a value that cannot be.
    """
    from zarbiter.config_keys import KEYS, ConfigError, Problem, parsed, unknown_key

    texts = {
        full: (f"--{name}", getattr(options, name))
        for name, full in _FLAGS.items()
        if getattr(options, name) is not None
    }
    problems: list[Problem] = []
    for one in options.set:
        full, equals, text = one.partition("=")
        if not equals or full not in KEYS:
            section, _, name = full.partition(".")
            problems.append(unknown_key("--set", section, name))
        else:
            texts[full] = ("--set", text)
    flags: dict[str, str | int | bool] = {}
    for full, (where, text) in texts.items():
        try:
            flags[full] = parsed(KEYS[full], text, where)
        except ConfigError as error:
            problems.extend(error.problems)
    if problems:
        raise ConfigError(problems)
    return flags
