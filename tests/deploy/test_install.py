"""The installer without a system to install into; `make test-install` tries it in a chroot."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from zarbiter.config_file import values_of
from zarbiter.config_sample import PI_VALUES, sample_text

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"
INSTALL = DEPLOY / "install.sh"
pytestmark = pytest.mark.skipif(not DEPLOY.is_dir(), reason="needs deploy/, which no wheel has")
Done = subprocess.CompletedProcess[str]


def install(root: Path | None, *arguments: str) -> Done:
    environment = {"PATH": os.environ["PATH"]}
    if root is not None:
        environment["DESTDIR"] = str(root)
    return subprocess.run(
        ["bash", str(INSTALL), *arguments],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def made_release(root: Path, name: str, age_s: int, *, sound: bool = True) -> Path:
    """Put a release into a root that only says yes to whatever it is asked."""
    folder = root / "opt/zarbiter/releases" / name
    for path in (folder / "bin", folder / "deploy"):
        path.mkdir(parents=True)
    program = folder / "bin" / "zarbiter"
    program.write_text("#!/bin/sh\nexit 0\n")
    program.chmod(0o755)
    (folder / "deploy" / "zarbiter.service").write_text(f"# {name}\n")
    if sound:
        (folder / ".complete").touch()
    os.utime(folder, (10_000 - age_s, 10_000 - age_s))
    return folder


def current(root: Path) -> str:
    return (root / "opt/zarbiter/current").readlink().name


def files(root: Path) -> set[str]:
    return {
        str(path.relative_to(root))
        for path in root.rglob("*")
        if path.is_file() or path.is_symlink()
    }


@pytest.mark.skipif(shutil.which("shellcheck") is None, reason="needs shellcheck")
@pytest.mark.parametrize("script", sorted(DEPLOY.rglob("*.sh")), ids=lambda path: path.name)
def test_the_scripts_are_clean_shell(script: Path) -> None:
    done = subprocess.run(
        ["shellcheck", str(script)], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.stdout == ""


def test_help_names_every_option_and_exits_well() -> None:
    done = install(None, "--help")
    assert done.returncode == 0
    for option in (
        "wheel",
        "wheelhouse",
        "lan",
        "rollback",
        "uninstall",
        "dry-run",
        "no-start",
    ):
        assert f"--{option}" in done.stdout


@pytest.mark.parametrize(
    "arguments",
    [["--frobnicate"], ["--wheel"], ["--wheel", "/nowhere.whl"], ["--language", "de"]],
)
def test_wrong_use_is_refused_before_anything_is_done(
    tmp_path: Path, arguments: list[str]
) -> None:
    done = install(tmp_path, *arguments)
    assert done.returncode == 2
    assert "--help" in done.stderr
    assert files(tmp_path) == set()


def test_a_dry_run_says_what_it_would_do_and_does_nothing(tmp_path: Path) -> None:
    wheel = tmp_path / "zarbiter-1.2.3-py3-none-any.whl"
    wheel.write_bytes(b"no wheel")
    root = tmp_path / "root"
    done = install(root, "--dry-run", "--wheel", str(wheel))
    assert done.returncode == 0, done.stderr
    assert "--system-site-packages" in done.stdout
    assert "/opt/zarbiter/releases/1.2.3-" in done.stdout
    assert "zarbiter.service" in done.stdout
    assert not root.exists()


def test_going_back_takes_the_newest_other_release_that_was_sound(tmp_path: Path) -> None:
    made_release(tmp_path, "1.0-aaaaaaaa", 300)
    made_release(tmp_path, "1.1-bbbbbbbb", 200)
    made_release(tmp_path, "1.2-cccccccc", 100, sound=False)
    made_release(tmp_path, "1.3-dddddddd", 0)
    (tmp_path / "opt/zarbiter/current").symlink_to("/opt/zarbiter/releases/1.3-dddddddd")
    done = install(tmp_path, "--rollback")
    assert done.returncode == 0, done.stderr
    assert current(tmp_path) == "1.1-bbbbbbbb"
    unit = tmp_path / "etc/systemd/system/zarbiter.service"
    assert unit.read_text() == "# 1.1-bbbbbbbb\n"


def test_without_another_release_nothing_is_gone_back_to(tmp_path: Path) -> None:
    done = install(tmp_path, "--rollback")
    assert (done.returncode, "nothing is installed" in done.stderr) == (1, True)
    made_release(tmp_path, "1.0-aaaaaaaa", 300)
    (tmp_path / "opt/zarbiter/current").symlink_to("/opt/zarbiter/releases/1.0-aaaaaaaa")
    done = install(tmp_path, "--rollback")
    assert done.returncode == 1
    assert current(tmp_path) == "1.0-aaaaaaaa"


def test_uninstalling_leaves_record_and_configuration_and_may_be_repeated(
    tmp_path: Path,
) -> None:
    made_release(tmp_path, "1.0-aaaaaaaa", 300)
    (tmp_path / "opt/zarbiter/current").symlink_to("/opt/zarbiter/releases/1.0-aaaaaaaa")
    for name in (
        "var/lib/zarbiter/record/events.db",
        "etc/zarbiter/config.toml",
        "etc/systemd/system/zarbiter.service",
        "usr/lib/sysusers.d/zarbiter.conf",
        "usr/lib/tmpfiles.d/zarbiter.conf",
        "etc/avahi/services/zarbiter.service",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "usr/local/bin").mkdir(parents=True)
    (tmp_path / "usr/local/bin/zarbiter").symlink_to("/opt/zarbiter/current/bin/zarbiter")
    for _ in range(2):
        done = install(tmp_path, "--uninstall")
        assert done.returncode == 0, done.stderr
        assert files(tmp_path) == {
            "var/lib/zarbiter/record/events.db",
            "etc/zarbiter/config.toml",
        }


def test_a_command_of_another_program_is_not_removed(tmp_path: Path) -> None:
    other = tmp_path / "usr/local/bin/zarbiter"
    other.parent.mkdir(parents=True)
    other.write_text("another's")
    assert install(tmp_path, "--uninstall").returncode == 0
    assert other.read_text() == "another's"


def test_the_sample_configuration_is_the_one_that_is_installed() -> None:
    text = (DEPLOY / "config.toml").read_text(encoding="utf-8")
    assert text == sample_text("en", PI_VALUES)
    assert values_of(text, "config.toml") == PI_VALUES


def test_the_service_is_announced_by_the_port_that_the_installer_replaces() -> None:
    assert (DEPLOY / "zarbiter.avahi.service").read_text().count("8080") == 1


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="needs systemd-analyze")
class TestUnit:
    @pytest.fixture
    def unit(self, tmp_path: Path) -> Path:
        """The unit, with a program in the place of one that is not installed here."""
        text = (DEPLOY / "zarbiter.service").read_text(encoding="utf-8")
        unit = tmp_path / "zarbiter.service"
        unit.write_text(
            text.replace("/opt/zarbiter/current/bin/zarbiter", shutil.which("true") or "")
        )
        return unit

    @pytest.mark.parametrize(
        "check", [["verify"], ["security", "--offline=true", "--threshold=30"]]
    )
    def test_systemd_has_nothing_against_it(self, unit: Path, check: list[str]) -> None:
        done = subprocess.run(
            ["systemd-analyze", *check, str(unit)],
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        assert done.stderr == ""
