import os
import re
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.camera_choice import CameraChoiceError, parse_choice
from zarbiter.config import Settings, Value, spoken
from zarbiter.config_file import read_values, save, values_of
from zarbiter.config_keys import KEYS, ConfigError
from zarbiter.config_load import Layer, Loaded, Places, load, places_of, settings_of, values_in
from zarbiter.config_sample import PI_VALUES, sample_text

DOC = Path(__file__).resolve().parents[2] / "docs" / "reference" / "configuration.md"


@pytest.fixture
def places(tmp_path: Path) -> Places:
    return Places(tmp_path / "etc.toml", tmp_path / "user.toml")


def said(text: str) -> str:
    with pytest.raises(ConfigError) as caught:
        values_of(text, "config.toml")
    return caught.value.text("en")


def refused(environment: dict[str, str], places: Places, **flags: Value) -> str:
    with pytest.raises(ConfigError) as caught:
        load(places, environment, flags)
    return caught.value.text("en")


def origin(loaded: Loaded, key: str) -> tuple[str, str]:
    one = loaded.origins[key]
    return one.layer.value, one.where


def test_without_any_file_the_defaults_hold(places: Places) -> None:
    loaded = load(places, {})
    assert loaded.settings == Settings()
    assert {one.layer for one in loaded.origins.values()} == {Layer.DEFAULT}
    assert loaded.origins.keys() == KEYS.keys()


def test_each_layer_overrides_those_below_it(places: Places) -> None:
    places.system.write_text("[camera]\nwidth = 640\nheight = 480\nfps = 5\n[web]\nport = 1\n")
    places.user.write_text("[camera]\nheight = 600\nfps = 6\n[web]\nport = 2\n")
    environment = {"ZARBITER_CAMERA_FPS": "7", "ZARBITER_WEB_PORT": "3"}
    loaded = load(places, environment, {"web.port": 4})
    assert loaded.settings.camera.width == 640
    assert loaded.settings.camera.height == 600
    assert loaded.settings.camera.fps == 7
    assert loaded.settings.web.port == 4
    assert origin(loaded, "camera.width") == ("system", str(places.system))
    assert origin(loaded, "camera.height") == ("user", str(places.user))
    assert origin(loaded, "camera.fps") == ("environment", "ZARBITER_CAMERA_FPS")
    assert origin(loaded, "web.port") == ("flag", "--port")
    assert origin(loaded, "web.host") == ("default", "")


def test_a_file_named_on_the_command_line_stands_for_the_others(
    places: Places, tmp_path: Path
) -> None:
    places.system.write_text("[camera]\nwidth = 640\n")
    only = tmp_path / "only.toml"
    only.write_text("[camera]\nheight = 480\n")
    named = Places(places.system, places.user, only)
    loaded = load(named, {})
    assert (loaded.settings.camera.width, loaded.settings.camera.height) == (1280, 480)
    assert named.written == only
    only.unlink()
    with pytest.raises(ConfigError, match="no such file"):
        load(named, {})


def test_the_users_file_is_where_xdg_has_it(tmp_path: Path) -> None:
    def home() -> Path:
        return tmp_path

    usual = tmp_path / ".config" / "zarbiter" / "config.toml"
    assert places_of({}, home).user == usual
    assert places_of({"XDG_CONFIG_HOME": "relative"}, home).user == usual
    assert places_of({"XDG_CONFIG_HOME": "/x"}, home).user == Path("/x/zarbiter/config.toml")
    assert places_of({}, home).system == Path("/etc/zarbiter/config.toml")


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("[camera]\nwith = 640\n", ["config.toml: camera.with", "Perhaps camera.width?"]),
        ("[camera]\nport = 80\n", ["camera.port", "Perhaps web.port?"]),
        ("[camra]\nwidth = 640\n", ["[camra]", "there are [table]", "Perhaps [camera]?"]),
        ("width = 640\n", ["[width]", "Perhaps camera.width?"]),
        ("camera = 'usb'\n", ["this is a section"]),
        ("[camera]\nwidth = '640'\n", ['"640" is not a whole number', "320–4608 px"]),
        ("[camera]\nwidth = true\n", ["true is not a whole number"]),
        ("[camera]\nwidth = 64.0\n", ["64.0 is not a whole number"]),
        ("[camera]\nwidth = 64\n", ["64 will not do; allowed: 320–4608 px"]),
        ("[web]\nspectators_see_camera = 1\n", ["1 is not true or false"]),
        ("[camera]\nsource = 'webcam'\n", ['"webcam" will not do', "v4l2:/dev/video0"]),
        ("[camera]\nmains_hz = 55\n", ["allowed: 50, 60"]),
        ("[table]\nrules = 'chess'\n", ["a rule set"]),
        ("[table]\nname = ''\n", ["1–40"]),
        ("[clock]\ncontrol = '5 minutes'\n", ["10m+12s delay"]),
        ("[web]\nhost = '300.1.1.1'\n", ["an address"]),
        ("[buttons]\nwhite_pin = 1\n", ["2–27"]),
        ("[record]\nfolder = 'here'\n", ["a path from / or ~"]),
        ("[referee]\nrole = 'judge'\n", ["silent, monitor, referee"]),
        ("[camera\n", ["this is not TOML", "line 1"]),
    ],
)
def test_what_is_wrong_names_file_key_allowed_and_nearest(text: str, parts: list[str]) -> None:
    message = said(text)
    assert [part for part in parts if part not in message] == []


def test_all_that_is_wrong_is_told_at_once_and_in_russian_too(places: Places) -> None:
    places.system.write_text("[camera]\nwith = 1\nfps = 0\n")
    places.user.write_text("[web]\nport = 'http'\n")
    with pytest.raises(ConfigError) as caught:
        load(places, {"ZARBITER_WEB_HOSTS": "x"})
    assert len(caught.value.problems) == 4
    assert "такого ключа нет" in caught.value.text("ru")


def test_variables_are_read_by_their_keys_type(places: Places) -> None:
    environment = {
        "ZARBITER_WEB_SPECTATORS_SEE_CAMERA": "Yes",
        "ZARBITER_TABLE_NAME": "7",
        "ZARBITER_ORACLE_SEED": "another program's",
        "ZARBITER_CAMERA_MAINS_HZ": " 60 ",
    }
    settings = load(places, environment).settings
    assert settings.web.spectators_see_camera is True
    assert settings.table.name == "7"
    assert settings.camera.mains_hz == 60


@pytest.mark.parametrize(
    ("name", "value", "part"),
    [
        ("ZARBITER_CAMERA_WITH", "1", "Perhaps camera.width?"),
        ("ZARBITER_CAMRA_WIDTH", "640", "Perhaps [camera]?"),
        ("ZARBITER_CAMERA_WIDTH", "wide", "not a whole number"),
        ("ZARBITER_CAMERA_WIDTH", "²", "not a whole number"),
        ("ZARBITER_WEB_SPECTATORS_SEE_CAMERA", "maybe", "not true or false"),
    ],
)
def test_a_wrong_variable_is_named(places: Places, name: str, value: str, part: str) -> None:
    message = refused({name: value}, places)
    assert message.startswith(name)
    assert part in message


def test_a_wrong_flag_is_named(places: Places) -> None:
    assert refused({}, places, **{"web.port": 70_000}).startswith("--port: web.port")


def test_two_wires_on_one_pin_are_refused_only_where_both_are_wired(places: Places) -> None:
    places.system.write_text("[buttons]\nsource='gpio'\nwhite_pin=5\n[lamp]\ngreen_pin=5\n")
    assert load(places, {}).settings.buttons.white_pin == 5
    message = refused({"ZARBITER_LAMP_SOURCE": "gpio"}, places)
    assert "pin 5 is taken by buttons.white_pin already" in message
    places.system.write_text("[lamp]\nsource='gpio'\ngreen_pin=0\namber_pin=0\n")
    assert load(places, {}).settings.lamp.amber_pin == 0


def test_a_file_that_cannot_be_read_is_named(places: Places) -> None:
    places.system.write_bytes(b"\xff\xfe\x00")
    assert "not UTF-8" in refused({}, places)
    places.system.unlink()
    places.system.mkdir()
    assert "cannot be read" in refused({}, places)


def test_changes_leave_comments_and_all_else_in_place(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text(
        "# ours\n[camera]  # the lens\nwidth = 640 # px\nfps = 5\n\n[web]\nport=1\n"
    )
    save(
        path, {"camera.width": 800, "web.port": None, "web.host": "0.0.0.0", "table.name": "7"}
    )
    text = path.read_text()
    assert text.startswith("# ours\n[camera]  # the lens\nwidth = 800 # px\nfps = 5\n")
    assert read_values(path) == {
        "camera.width": 800,
        "camera.fps": 5,
        "web.host": "0.0.0.0",
        "table.name": "7",
    }


def test_a_first_change_makes_the_file(tmp_path: Path) -> None:
    path = tmp_path / "new" / "config.toml"
    save(path, {"referee.role": "monitor", "web.spectators_see_camera": True})
    assert read_values(path) == {"referee.role": "monitor", "web.spectators_see_camera": True}
    save(path, {"referee.role": None, "calibration.profile": None})
    assert read_values(path) == {"web.spectators_see_camera": True}


def test_a_change_that_cannot_be_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text("[camera]\nwidth = 640\n")
    for changes in ({"camera.with": 1}, {"camra.width": 1}, {"camera.width": 1}, {"width": 1}):
        with pytest.raises(ConfigError):
            save(path, {"camera.fps": 7, **changes})
    path.write_text("[camera\n")
    with pytest.raises(ConfigError):
        save(path, {"camera.fps": 7})
    assert path.read_text() == "[camera\n"
    assert [one.name for one in tmp_path.iterdir()] == ["config.toml"]


def test_a_changed_file_keeps_its_rights_and_a_link_stays_a_link(tmp_path: Path) -> None:
    real, link = tmp_path / "real.toml", tmp_path / "link.toml"
    real.write_text("")
    real.chmod(0o640)
    link.symlink_to(real)
    save(link, {"camera.fps": 7})
    assert link.is_symlink()
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    assert read_values(real) == {"camera.fps": 7}


def test_a_failed_write_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "config.toml"
    save(path, {"camera.fps": 7})

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        save(path, {"camera.fps": 8})
    assert read_values(path) == {"camera.fps": 7}
    assert [one.name for one in tmp_path.iterdir()] == ["config.toml"]


NUMBERS = {
    "camera.width": st.integers(320, 4608),
    "web.port": st.integers(0, 65535),
    "record.budget_mb": st.integers(50, 1_000_000),
    "web.spectators_see_camera": st.booleans(),
    "record.folder": st.text("aя\"\\# '=", max_size=9).map("/{}".format),
}


@given(st.fixed_dictionaries({}, optional=NUMBERS))
def test_what_is_saved_is_what_is_read(
    tmp_path_factory: pytest.TempPathFactory, values: dict[str, Value]
) -> None:
    path = tmp_path_factory.mktemp("config") / "config.toml"
    save(path, values)
    assert read_values(path) == values


def test_settings_go_to_values_and_back() -> None:
    settings = settings_of(PI_VALUES)
    assert settings_of(values_in(settings)) == settings
    assert values_in(Settings()) == {full: key.default for full, key in KEYS.items()}


@pytest.mark.parametrize("language", ["ru", "en"])
def test_the_sample_sets_what_it_says_and_its_defaults_are_sound(language: str) -> None:
    text = sample_text(language, PI_VALUES)
    assert values_of(text, "sample") == PI_VALUES
    bare = [re.sub(r"^# (?=[a-z_]+ = )", "", line) for line in text.splitlines()]
    everything = values_of("\n".join(bare), "sample")
    assert everything == {full: key.default for full, key in KEYS.items()} | dict(PI_VALUES)


def test_every_key_is_told_in_both_languages() -> None:
    for key in KEYS.values():
        assert key.about.en
        assert any("а" <= letter <= "я" for letter in key.about.ru), key.full


def test_the_language_of_the_environment_is_asked_only_for_auto() -> None:
    def never() -> str:
        raise AssertionError

    settings = Settings().table
    assert spoken(settings.language, lambda: "ru") == "ru"
    assert spoken(settings_of({"table.language": "en"}).table.language, never) == "en"


def test_every_camera_that_the_configuration_takes_is_one_that_can_be_opened() -> None:
    accepts = KEYS["camera.source"].about.limit.accepts
    named = [
        "auto", "picamera2", "picamera2:0", "usb", "v4l2:/dev/video0", "video:/a b.mp4",
        "folder:x",
    ]  # fmt: skip
    for text in named:
        assert accepts(text)
        assert parse_choice(text)
    for text in ("", "picamera2:", "picamera2:x", "v4l2:video0", "video:", "usb:1"):
        assert not accepts(text)
        with pytest.raises(CameraChoiceError):
            parse_choice(text)
    assert accepts("sim")


@pytest.mark.skipif(not DOC.is_file(), reason="needs docs/, which no wheel has")
def test_the_reference_has_every_key() -> None:
    from zarbiter.config_sample import reference_table

    assert reference_table() in DOC.read_text(encoding="utf-8")


@pytest.mark.parametrize(("key", "good", "bad"), [
    ("web.names", ["", "table.club.example", "a.example, b.example"], ["a b", "a,,b"]),
    ("web.prefix", ["", "/table3", "/a/b-1"], ["table3", "/a/", "/", "/a b"]),
    ("web.proxy", ["", "10.0.0.1", "::1"], ["proxy.example", "10.0.0"]),
])  # fmt: skip
def test_what_a_proxy_needs_is_checked(key: str, good: list[str], bad: list[str]) -> None:
    accepts = KEYS[key].about.limit.accepts
    assert all(accepts(one) for one in good)
    assert not any(accepts(one) for one in bad)
