import argparse
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from zarbiter import config_load
from zarbiter.config_cli import add_config
from zarbiter.config_keys import KEYS

Said = tuple[int, str, str]
Config = Callable[..., Said]


@pytest.fixture
def config(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Config:
    """Run `zarbiter config …` with files of its own."""
    monkeypatch.setattr(config_load, "SYSTEM", tmp_path / "etc.toml")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "xdg"))

    def call(*arguments: str) -> Said:
        parser = argparse.ArgumentParser()
        commands = parser.add_subparsers()
        add_config(lambda name, _summary, _examples: commands.add_parser(name), "en")
        options = parser.parse_args(["config", *arguments])
        status = options.run(options)
        said = capsys.readouterr()
        return status, said.out, said.err

    return call


def test_show_prints_every_value_and_where_it_comes_from(
    config: Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "etc.toml").write_text("[camera]\nwidth = 640\n")
    monkeypatch.setenv("ZARBITER_WEB_PORT", "9000")
    status, out, _ = config("show", "--origin")
    assert status == 0
    assert f"camera.width = 640  # system {tmp_path / 'etc.toml'}\n" in out
    assert "web.port = 9000  # environment ZARBITER_WEB_PORT\n" in out
    assert 'web.host = "127.0.0.1"  # default\n' in out
    _, out, _ = config("show", "--json")
    assert json.loads(out).keys() == KEYS.keys()
    _, out, _ = config("show", "--json", "--origin")
    assert json.loads(out)["camera.width"] == {
        "value": 640,
        "origin": "system",
        "where": str(tmp_path / "etc.toml"),
    }


def test_a_broken_file_is_told_and_fails(config: Config, tmp_path: Path) -> None:
    broken = tmp_path / "etc.toml"
    broken.write_text("[camera]\nwith = 640\n")
    for part in ("show", "check"):
        status, out, err = config(part)
        assert (status, out) == (1, "")
        assert f"zarbiter: {broken}: camera.with: there is no such key" in err
    assert "такого ключа нет" in config("check", "--language", "ru")[2]
    status, out, _ = config("check", "--json")
    assert status == 1
    assert json.loads(out)["problems"][0]["key"] == "camera.with"
    # The broken file is not the one asked about.
    sound = tmp_path / "sound.toml"
    sound.write_text("[camera]\nwidth = 640\n")
    assert config("check", str(sound))[0] == 0
    assert config("show", "--config", str(sound))[0] == 0
    assert config("check", str(tmp_path / "none.toml"))[0] == 1


def test_init_writes_a_sound_file_once(config: Config, tmp_path: Path) -> None:
    status, out, _ = config("init", "--pi", "--language", "ru")
    path = tmp_path / "xdg" / "zarbiter" / "config.toml"
    assert (status, out) == (0, f"{path}\n")
    assert "Имя стола" in path.read_text(encoding="utf-8")
    assert config("check")[0] == 0
    status, _, err = config("init")
    assert status == 1
    assert "left as it is" in err


def test_path_names_the_files_weakest_first(config: Config, tmp_path: Path) -> None:
    status, out, _ = config("path")
    assert status == 0
    assert [line.split()[0] for line in out.splitlines()] == ["system", "user"]
    assert json.loads(config("path", "--json")[1])[0] == {
        "layer": "system",
        "path": str(tmp_path / "etc.toml"),
        "exists": False,
    }
