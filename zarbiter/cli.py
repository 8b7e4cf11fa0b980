"""The `zarbiter` command: one parser, one function a command.

Exit status: 0 done, 1 a job or a part of it failed, 2 wrong use, 130 stopped with Ctrl-C.
"""

import argparse
import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from rules import DEFAULT, RulesError, Variant, variant_named
from zarbiter.calibrate_cli import add_calibrate
from zarbiter.clip_cli import add_clip
from zarbiter.command import FAILED, WRONG_USE, complain
from zarbiter.config_cli import add_config
from zarbiter.exchange_cli import add_export, add_import
from zarbiter.rules_cli import answer_judge, answer_legal, answer_lines
from zarbiter.run_cli import add_run
from zarbiter.sheet_cli import sets_to_json, sets_to_text, sheet_to_json, sheet_to_text
from zarbiter.streams import StreamError, abandon_output, prepare, question_lines
from zarbiter.verify_cli import add_backup, add_restore, add_verify

if TYPE_CHECKING:
    from vision.observation import Observation
    from zarbiter.findings import Finding
    from zarbiter.see_cli import JsonLine, Request

_DEMO_TURNS = 8


class UsageError(Exception):
    """Wrong use of the command line."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit status."""
    prepare()
    try:
        try:
            options = build_parser().parse_args(arguments)
            status: int = options.run(options)
        finally:
            sys.stdout.flush()
    except (UsageError, StreamError, RulesError) as error:
        complain(str(error))
        return WRONG_USE
    except KeyboardInterrupt:
        complain("stopped")
        return 130
    except BrokenPipeError:
        # The reader of our output has gone (`zarbiter … | head`); nothing is left to say.
        abandon_output()
        return FAILED
    except OSError as error:
        # A full disk, a folder that may not be written, a name the disk does not take.
        complain(f"{error.filename}: {error.strerror}" if error.filename else str(error))
        abandon_output()
        return FAILED
    return status


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of all commands."""
    parser = argparse.ArgumentParser(
        prog="zarbiter",
        description="The camera arbiter for a real nardy or backgammon board.",
    )
    parser.add_argument("--version", action="version", version=f"zarbiter {_version()}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    _add_rules_commands(commands)
    _add_see(commands)
    _add_replay(commands)
    _add_demo(commands)

    def parser_of(name: str, summary: str, examples: str) -> argparse.ArgumentParser:
        return _command(commands, name, summary, examples)

    add_run(parser_of, _language())
    add_config(parser_of, _language())
    add_calibrate(parser_of, _language())
    add_clip(parser_of, _language())
    add_export(parser_of, _language())
    add_import(parser_of)
    for add in (add_verify, add_backup, add_restore):
        add(parser_of, _language())
    _add_doctor(commands)
    return parser


def _version() -> str:
    try:
        return version("zarbiter")
    except PackageNotFoundError:  # run from its folder, not installed
        return "(not installed)"


def _say(text: str = "") -> None:
    sys.stdout.write(f"{text}\n")


def _command(commands: Any, name: str, summary: str, examples: str) -> argparse.ArgumentParser:
    made: argparse.ArgumentParser = commands.add_parser(
        name,
        help=summary,
        description=summary[0].upper() + summary[1:] + ".",
        epilog=f"examples:\n{examples}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    return made


def _add_rules_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--rules",
        metavar="SET",
        help=f"rule set, or one changed: classic+block=in_home (default: {DEFAULT.name})",
    )


def _chosen(name: str | None) -> Variant:
    return DEFAULT if name is None else variant_named(name)


# --- rules -----------------------------------------------------------------------------------


def _add_rules_commands(commands: Any) -> None:
    legal = _command(
        commands,
        "legal",
        "list all legal turns, JSON Lines in and out",
        '  echo \'{"id":1,"rules":"classic","position":{"points":{"24":"w15","12":"b15"}},'
        '"turn":"w","dice":[6,5]}\' | zarbiter legal\n'
        "  zarbiter legal questions.jsonl > answers.jsonl",
    )
    judge = _command(
        commands,
        "judge",
        "judge plays and name the law broken, JSON Lines in and out",
        '  zarbiter judge plays.jsonl    # as for legal, plus "played": the position left\n'
        "  zarbiter judge --rules short < plays.jsonl",
    )
    for parser, answer in ((legal, answer_legal), (judge, answer_judge)):
        parser.add_argument(
            "file",
            nargs="?",
            default="-",
            help="questions, one a line (default: standard input)",
        )
        _add_rules_option(parser)
        parser.set_defaults(run=_answer, answer=answer)
    rules = _command(
        commands,
        "rules",
        "print the rule sheet of a set, or list the sets",
        "  zarbiter rules\n  zarbiter rules classic --language en\n"
        "  zarbiter rules short+half=players_right --json",
    )
    rules.add_argument("set", nargs="?", help="rule set (default: list them all)")
    rules.add_argument("--language", choices=("ru", "en"), default=_language())
    rules.add_argument("--json", action="store_true", help="machine-readable")
    rules.set_defaults(run=_rules)


def _language() -> str:
    """Return the user's language by the environment, as other programs do."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if os.environ.get(name):
            return "ru" if os.environ[name].startswith("ru") else "en"
    return "en"


def _answer(options: argparse.Namespace) -> int:
    default = _chosen(options.rules).name
    failed = False
    with question_lines(options.file) as lines:
        for text, good in answer_lines(lines, options.answer, default):
            sys.stdout.write(text + "\n")
            # Another program may wait for this answer before it asks on.
            sys.stdout.flush()
            failed = failed or not good
    return FAILED if failed else 0


def _rules(options: argparse.Namespace) -> int:
    language = options.language
    variant = None if options.set is None else variant_named(options.set)
    if options.json:
        value = sets_to_json(language) if variant is None else sheet_to_json(variant, language)
        _say(json.dumps(value, ensure_ascii=False))
        return 0
    for line in sets_to_text(language) if variant is None else sheet_to_text(variant, language):
        _say(line)
    return 0


# --- sight -----------------------------------------------------------------------------------


def _add_see(commands: Any) -> None:
    parser = _command(
        commands,
        "see",
        "look at pictures: board, checkers, dice, throw",
        "  zarbiter see table.jpg\n"
        '  zarbiter see table.jpg --json --corners "388,234 949,237 947,725 385,722"\n'
        "  zarbiter see dice.jpg --dice-only\n"
        "  zarbiter see table.jpg --overlay seen.png\n"
        "  zarbiter see table.jpg --json --setup setup.json    # with the position\n"
        "  zarbiter see --json --requests requests.jsonl",
    )
    parser.add_argument("images", nargs="*", metavar="IMAGE")
    parser.add_argument("--json", action="store_true", help="one JSON line an image")
    _add_rules_option(parser)
    parser.add_argument(
        "--corners",
        metavar='"x,y x,y x,y x,y"',
        help="the playing field's outer corners, clockwise from the image's top-left",
    )
    parser.add_argument(
        "--profile", metavar="FILE", help="calibration profile, as zarbiter calibrate writes it"
    )
    parser.add_argument(
        "--setup", metavar="FILE", help="how the table stands: adds the game's position"
    )
    parser.add_argument("--dice-only", action="store_true", help="any photo of dice, no board")
    parser.add_argument("--overlay", metavar="FILE", help="draw what is seen (one image)")
    parser.add_argument(
        "--requests",
        metavar="FILE",
        help='JSON Lines {"image","corners","dice_only"}; - is stdin',
    )
    parser.set_defaults(run=_see)


def _see(options: argparse.Namespace) -> int:
    # Sight is imported where it is used: `zarbiter legal` must not wait for OpenCV.
    from zarbiter.see_cli import Request, look_at, observation_to_text
    from zarbiter.setup import SetupError, read_setup

    if bool(options.images) == (options.requests is not None):
        raise UsageError("name pictures, or a file of --requests; see zarbiter see --help")
    own = options.corners is not None or options.dice_only or options.profile is not None
    if options.requests is not None and own:
        raise UsageError("each line of --requests says its own corners, dice_only, profile")
    if options.overlay is not None:
        _check_overlay(options)
    try:
        setup = read_setup(Path(options.setup), options.rules) if options.setup else None
    except SetupError as error:
        raise UsageError(str(error)) from error
    variant = setup.variant if setup else _chosen(options.rules)
    failed = False
    with _requests(options) as requests:
        for request in requests:
            if isinstance(request, Request):
                line, seen = look_at(request, variant, setup)
            else:
                line, seen = request, None
            if options.json:
                _say(json.dumps(line, ensure_ascii=False))
            elif seen is not None:
                _say(observation_to_text(line["image"], seen, line))
            # Another program may wait for this answer before it asks on.
            sys.stdout.flush()
            if seen is None:
                failed = True
                if not options.json:
                    complain(line["error"]["message"])
            elif options.overlay is not None:
                _write_overlay(Path(options.overlay), line["image"], seen)
    return FAILED if failed else 0


@contextmanager
def _requests(options: argparse.Namespace) -> "Iterator[Iterator[Request | JsonLine]]":
    from zarbiter.corners import RequestError, parse_corners
    from zarbiter.see_cli import Request, requests_from

    if options.requests is not None:
        with question_lines(options.requests) as lines:
            yield requests_from(lines)
        return
    try:
        corners = None if options.corners is None else parse_corners(options.corners)
    except RequestError as error:
        raise UsageError(str(error)) from error
    yield (
        Request(image, corners, options.dice_only, options.profile) for image in options.images
    )


def _check_overlay(options: argparse.Namespace) -> None:
    """Refuse before the work what could only fail after it."""
    from cv2 import haveImageWriter

    if options.requests is not None or len(options.images) != 1:
        raise UsageError("--overlay draws one picture: name one image")
    if not haveImageWriter(options.overlay):
        raise UsageError(f"--overlay {options.overlay}: end the name in .png or .jpg")


def _write_overlay(path: Path, image: str, seen: "Observation") -> None:
    from vision.cv import write_image
    from vision.frame import read_image
    from vision.overlay import draw_observation

    write_image(path, draw_observation(read_image(Path(image)), seen))


# --- replay, demo ----------------------------------------------------------------------------


def _add_replay(commands: Any) -> None:
    parser = _command(
        commands,
        "replay",
        "referee a recorded table: frames in, throws and plays judged",
        "  zarbiter replay recording/ --json\n"
        "  zarbiter replay recording/ --rules classic --setup setup.json\n"
        "  zarbiter replay table.mp4 --setup setup.json",
    )
    parser.add_argument(
        "source", metavar="SOURCE", help="a folder with frames.jsonl, or a video file"
    )
    _add_rules_option(parser)
    parser.add_argument(
        "--setup", metavar="FILE", help="set-up file (default: SOURCE/setup.json)"
    )
    parser.add_argument(
        "--profile", metavar="FILE", help="calibration profile, as zarbiter calibrate writes it"
    )
    parser.add_argument("--out", metavar="DIR", help="keep the record, as run does, here")
    parser.add_argument("--language", choices=("ru", "en"), default=_language())
    parser.add_argument(
        "--json", action="store_true", help="events as JSON lines, then a summary"
    )
    parser.set_defaults(run=_replay)


def _replay(options: argparse.Namespace) -> int:
    from calibration.profile import ProfileError, read_profile
    from recording.record_errors import RecordError
    from zarbiter.replay import run_replay
    from zarbiter.setup import SetupError
    from zarbiter.source import SourceError

    try:
        profile = read_profile(Path(options.profile)) if options.profile else None
    except ProfileError as error:
        raise UsageError(str(error)) from error
    try:
        return run_replay(
            Path(options.source),
            setup_path=Path(options.setup) if options.setup else None,
            rules=options.rules,
            as_json=options.json,
            language=options.language,
            out=sys.stdout,
            err=sys.stderr,
            keep=_new_folder(options.out),
            profile=profile,
        )
    except (SetupError, SourceError) as error:
        raise UsageError(str(error)) from error
    except RecordError as error:
        complain(error.ru if options.language == "ru" else error.en)
        return FAILED


def _new_folder(name: str | None) -> Path | None:
    if name is None:
        return None
    folder = Path(name)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder} is in use; name a new folder for the record")
    return folder


def _add_demo(commands: Any) -> None:
    parser = _command(
        commands,
        "demo",
        "play and referee a match on the simulated table, camera to protocol sheet",
        "  zarbiter demo                          # opens the dashboard\n"
        "  zarbiter demo --headless --rules classic --seed 7 --turns 20\n"
        "  zarbiter demo --incidents many --looks baize\n"
        "  zarbiter demo --match --keep demo/    # to the end; record, sheet and exports kept",
    )
    _add_rules_option(parser)
    parser.add_argument("--seed", type=int, default=1, help="another game (default: 1)")
    length = parser.add_mutually_exclusive_group()
    length.add_argument(
        "--turns", type=int, help="turns to play (default: 8; on the dashboard the whole match)"
    )
    length.add_argument("--match", action="store_true", help="play to the end of the match")
    parser.add_argument("--length", type=int, default=1, help="points to win (default: 1)")
    parser.add_argument("--looks", default="walnut", metavar="NAME", help="the board")
    parser.add_argument(
        "--incidents",
        default="few",
        metavar="NAME",
        help="what goes wrong: none, few, many, or one kind (default: few)",
    )
    parser.add_argument(
        "--clock",
        metavar="CONTROL",
        help="such as 2m/pt+12s delay, or none: taking up the dice then ends a turn",
    )
    parser.add_argument("--role", choices=("silent", "monitor", "referee"), default="referee")
    parser.add_argument("--keep", metavar="DIR", help="keep record and exports in this folder")
    parser.add_argument(
        "--speed",
        type=float,
        metavar="X",
        help="beside real time (default: 1 with the dashboard, else as fast as it goes)",
    )
    parser.add_argument("--port", type=int, default=8080, help="of the dashboard")
    parser.add_argument("--no-browser", action="store_true", help="open no browser")
    parser.add_argument("--headless", action="store_true", help="no dashboard at all")
    parser.add_argument("--language", choices=("ru", "en"), default=_language())
    parser.add_argument("--json", action="store_true", help="events as JSON lines")
    parser.set_defaults(run=_demo)


def _demo(options: argparse.Namespace) -> int:
    from recording.record_errors import RecordError
    from referee.arbiter.setup import NO_CLOCK, Role
    from referee.timer_presets import control_named
    from zarbiter.demo import DemoOptions, run_demo

    try:
        chosen = DemoOptions(
            variant=_chosen(options.rules),
            seed=options.seed,
            turns=_turns(options),
            length=options.length,
            look=options.looks,
            incidents=options.incidents,
            role=Role(options.role),
            keep=Path(options.keep) if options.keep else None,
            as_json=options.json,
            language=options.language,
            speed=options.speed if options.headless else options.speed or 1.0,
            port=None if options.headless else options.port,
            browser=not options.no_browser,
        )
        if options.clock is not None:
            clock = NO_CLOCK if options.clock == "none" else control_named(options.clock)
            chosen = replace(chosen, clock=clock)
    except ValueError as error:
        raise UsageError(str(error)) from error
    try:
        return run_demo(chosen, out=sys.stdout, err=sys.stderr)
    except RecordError as error:
        complain(error.ru if options.language == "ru" else error.en)
        return FAILED


def _turns(options: argparse.Namespace) -> int | None:
    if options.turns is not None:
        turns: int = options.turns
        return turns
    return _DEMO_TURNS if options.headless and not options.match else None


# --- doctor ----------------------------------------------------------------------------------


def _add_doctor(commands: Any) -> None:
    parser = _command(
        commands,
        "doctor",
        "check the installation and say how to cure what is wrong",
        "  zarbiter doctor\n  zarbiter doctor --json\n"
        "  zarbiter doctor --colour red card.jpg    # are red and blue exchanged?",
    )
    parser.add_argument("--json", action="store_true", help="machine-readable")
    parser.add_argument(
        "--colour",
        nargs=2,
        metavar=("red|blue", "IMAGE"),
        help="a picture filled with a card of this colour: are the channels in order?",
    )
    parser.add_argument("--language", choices=("ru", "en"), default=_language())
    parser.set_defaults(run=_doctor)


def _doctor(options: argparse.Namespace) -> int:
    from zarbiter.doctor import Health, findings

    worst = Health.OK
    found_here = findings() if options.colour is None else (_colour(*options.colour),)
    for finding in found_here:
        if finding.health is Health.FAULT or worst is Health.OK:
            worst = finding.health
        if options.json:
            _say(json.dumps(finding.to_json(), ensure_ascii=False))
            continue
        mark = {Health.OK: "ok     ", Health.WARNING: "warning", Health.FAULT: "FAULT  "}
        found, cure = finding.text(options.language)
        _say(f"{mark[finding.health]} {finding.name}: {found}")
        if cure:
            _say(f"        → {cure}")
    return FAILED if worst is Health.FAULT else 0


def _colour(name: str, image: str) -> "Finding":
    from vision.frame import FrameError, read_image
    from zarbiter.doctor_device import colour_finding

    colours: dict[str, Literal["red", "blue"]] = {"red": "red", "blue": "blue"}
    if name not in colours:
        raise UsageError(f"--colour {name}: red or blue")
    try:
        return colour_finding(read_image(Path(image)), colours[name])
    except FrameError as error:
        raise UsageError(str(error)) from error
