import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from rules import VARIANTS
from tests.zarbiter.conftest import Run
from zarbiter.cli import build_parser, main

Process = Callable[..., subprocess.CompletedProcess[bytes]]
COMMANDS = (
    "demo", "run", "config", "calibrate", "clip", "replay", "see", "legal", "judge", "rules",
    "export", "import", "verify", "backup", "restore", "doctor",
)  # fmt: skip
BROKEN = b'{"id": "\xd0\xb4\xd0\xbe\xd1\x81\xd0\xba\xd0\xb0 \xf0\x9f\x98\x80 \xc3\xa9"}\n'
BROKEN_ID = "доска 😀 é"


def first_line(stream: bytes) -> dict[str, object]:
    line: dict[str, object] = json.loads(stream.splitlines()[0])
    return line


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_examples(run: Run, command: str) -> None:
    said = run(command, "--help")
    assert said.status == 0
    assert "examples:" in said.out
    assert f"zarbiter {command}" in said.out


def test_the_parser_knows_these_commands_and_no_others(run: Run) -> None:
    said = run("fly")
    assert said.status == 2
    assert all(f"'{command}'" in said.err for command in COMMANDS)
    assert said.err.count("'") == 2 * (len(COMMANDS) + 1)


def test_no_command_is_wrong_use(run: Run) -> None:
    said = run()
    assert (said.status, said.out) == (2, "")
    assert "COMMAND" in said.err


def test_the_version_is_told(run: Run) -> None:
    assert run("--version").out.startswith("zarbiter ")


@pytest.mark.parametrize("command", ["legal", "judge"])
@pytest.mark.parametrize("name", ["no/such/file", ".", "n" * 300])
def test_a_file_of_questions_that_cannot_be_read_is_wrong_use(
    run: Run, command: str, name: str
) -> None:
    said = run(command, name)
    assert said.status == 2
    assert said.out == ""
    assert said.err.startswith("zarbiter: ")
    assert len(said.err.splitlines()) == 1


def test_an_unknown_set_is_wrong_use(run: Run) -> None:
    for arguments in (("rules", "chess"), ("legal", "--rules", "chess")):
        said = run(*arguments)
        assert said.status == 2
        assert "no rule set 'chess'; there are bolshie-nardy" in said.err


@pytest.mark.parametrize("language", ["ru", "en"])
@pytest.mark.parametrize("name", [*VARIANTS, "classic+block=in_home"])
def test_every_set_has_a_sheet(run: Run, name: str, language: str) -> None:
    spoken = run("rules", name, "--language", language)
    assert spoken.status == 0
    assert f"({name})" in spoken.out
    (sheet,) = run("rules", name, "--language", language, "--json").lines
    assert sheet["name"] == name
    assert len(sheet["laws"]) > 5


def test_the_sets_are_listed_and_the_default_is_marked(run: Run) -> None:
    spoken = run("rules", "--language", "en")
    (default,) = [line for line in spoken.out.splitlines() if line.endswith(" *")]
    assert default.startswith("bolshie-nardy ")
    (listed,) = run("rules", "--json").lines
    assert list(listed["sets"]) == list(VARIANTS)
    assert listed["default"] == "bolshie-nardy"


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "ru_RU.UTF-8"}, "ru"),
        ({"LANG": "C"}, "en"),
        ({"LANG": "ru_RU.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "en_GB.UTF-8", "LC_MESSAGES": "ru_RU"}, "ru"),
    ],
)
def test_the_language_is_that_of_the_environment(
    environment: dict[str, str], language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert build_parser().parse_args(["rules"]).language == language


@pytest.mark.parametrize(
    "environment",
    [
        {"LANG": "C"},
        {"LC_ALL": "C"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"LANG": "ru_RU.UTF-8"},
        {"PYTHONIOENCODING": "ascii"},
        {"PYTHONIOENCODING": "ascii:strict"},
        {"PYTHONIOENCODING": "latin-1"},
    ],
    ids=lambda environment: " ".join(f"{k}={v}" for k, v in environment.items()),
)
def test_json_goes_in_and_out_whatever_the_locale(
    process: Process, environment: dict[str, str]
) -> None:
    done = process("legal", stdin=BROKEN, environment=environment)
    assert done.returncode == 1
    assert done.stderr == b""
    encoding = "latin-1" if "latin-1" in environment.values() else "utf-8"
    assert json.loads(done.stdout.decode(encoding))["id"] == BROKEN_ID


def test_russian_is_printed_where_the_terminal_knows_only_ascii(process: Process) -> None:
    ascii_only = {"PYTHONIOENCODING": "ascii:strict"}
    done = process("rules", "classic", "--language", "ru", environment=ascii_only)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"(classic)" in done.stdout
    wrong = process("legal", "нет.jsonl", environment=ascii_only)
    assert wrong.returncode == 2
    assert b"Traceback" not in wrong.stderr


def shell(command: str, folder: Path) -> subprocess.CompletedProcess[bytes]:
    """Run a shell line in which $Z is the command."""
    return subprocess.run(
        ["sh", "-c", command],
        capture_output=True,
        cwd=folder,
        env={"PATH": "/usr/bin:/bin", "Z": f"{sys.executable} -m zarbiter"},
        check=False,
        timeout=120,
    )


@pytest.mark.parametrize(
    ("command", "status"),
    [
        ("$Z rules >&-", 0),
        ("$Z rules nothing 2>&-", 2),
        ("$Z legal <&-", 2),
        ("{ $Z rules; echo $? >&2; } | true", 0),
        ("{ $Z --help; } | true", 0),
    ],
)
def test_closed_streams_leave_no_trace(tmp_path: Path, command: str, status: int) -> None:
    done = shell(command, tmp_path)
    assert done.returncode == status
    assert b"Traceback" not in done.stderr
    assert b"Exception" not in done.stderr


def test_a_reader_that_leaves_early_is_no_fault_worth_words(tmp_path: Path) -> None:
    (tmp_path / "many").write_bytes(BROKEN * 20_000)
    done = shell("{ $Z legal many; echo status $? >&2; } | head -1", tmp_path)
    assert first_line(done.stdout)["id"] == BROKEN_ID
    assert done.stderr == b"status 1\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_is_a_failed_job(tmp_path: Path) -> None:
    done = shell("$Z rules > /dev/full", tmp_path)
    assert done.returncode == 1
    assert b"No space left on device" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_answers_come_as_soon_as_they_are_asked_for(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "zarbiter", "legal"]
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=tmp_path,
        # A shell's background jobs ignore Ctrl-C, and so would what they start.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as asked:
        assert asked.stdin is not None
        assert asked.stdout is not None
        asked.stdin.write(BROKEN)
        asked.stdin.flush()
        assert first_line(asked.stdout.readline())["id"] == BROKEN_ID
        # It waits for the next question now: Ctrl-C ends it.
        os.kill(asked.pid, signal.SIGINT)
        assert asked.wait(timeout=60) == 130


def test_ctrl_c_ends_a_command_with_a_word(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Interrupted:
        def __iter__(self) -> Iterator[str]:
            raise KeyboardInterrupt

    monkeypatch.setattr(sys, "stdin", Interrupted())
    assert main(["legal"]) == 130
    assert capsys.readouterr().err == "zarbiter: stopped\n"
