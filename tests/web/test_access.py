import json
import stat
from pathlib import Path

import pytest

from tests.support.web_site import PINS, Site, site
from tests.support.web_table import FakeTable
from web.access import AccessError, AccessStore, PinError, cookie_key
from web.access_gate import FREE_TRIES, TOGETHER, PinGate
from web.roles import WebRole, speakers_of
from web.settings import WebSettings

CHOSEN = {WebRole(role): pin for role, pin in PINS.items()}


# --- the store --------------------------------------------------------------------------------


def test_a_new_table_has_no_pin_and_shows_a_code_of_its_own(tmp_path: Path) -> None:
    one, other = AccessStore(tmp_path / "a", 2), AccessStore(tmp_path / "b", 2)
    assert not one.is_set_up
    assert one.setup_code != other.setup_code
    for pin in ("", "0000", "1234", "admin", "password", "zarbiter", one.setup_code or ""):
        assert one.role_of(pin) is None


def test_the_code_is_read_as_people_type_it_and_works_once(tmp_path: Path) -> None:
    store = AccessStore(tmp_path / "access", 2)
    code = store.setup_code
    assert code is not None
    assert store.code_fits(code.lower().replace("-", " "))
    assert not store.code_fits(code[:-1])
    assert not store.code_fits("")
    store.choose(CHOSEN)
    assert store.setup_code is None
    assert not store.code_fits(code)


def test_pins_are_kept_hashed_in_a_file_of_the_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "access"
    AccessStore(path).choose(CHOSEN)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert not any(pin in path.read_text() for pin in PINS.values())
    again = AccessStore(path)
    assert again.setup_code is None
    assert {role: again.role_of(pin) for role, pin in CHOSEN.items()} == {
        role: role for role in CHOSEN
    }
    assert again.role_of("918274") is None


@pytest.mark.parametrize("damage", ["", "{}", '{"version": 2}', '{"version": 1, "salt": "",'
                                    ' "pins": {}}', "[1]"])  # fmt: skip
def test_a_damaged_file_lets_nobody_in(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "access"
    path.write_text(damage)
    with pytest.raises(AccessError):
        AccessStore(path)


@pytest.mark.parametrize(
    ("role", "pin"),
    [
        ("admin", "12345"),
        ("referee", "555555"),
        ("player", "1234"),
        ("player", "407"),
        ("admin", "654321"),
        ("player", "918273"),
        ("player", "x" * 65),
    ],
    ids=["short", "alike", "sequence", "short player", "downwards", "twice", "long"],
)
def test_weak_pins_are_refused_and_nothing_is_set(tmp_path: Path, role: str, pin: str) -> None:
    store = AccessStore(tmp_path / "access", 2)
    with pytest.raises(PinError):
        store.choose({**CHOSEN, WebRole(role): pin})
    assert not store.is_set_up


def test_spectators_need_no_pin_and_the_others_do(tmp_path: Path) -> None:
    store = AccessStore(tmp_path / "access", 2)
    with pytest.raises(PinError):
        store.choose({WebRole.ADMIN: "918273", WebRole.REFEREE: "564738"})
    store.choose({role: pin for role, pin in CHOSEN.items() if role is not WebRole.SPECTATOR})
    assert WebRole.SPECTATOR not in store.roles()


def test_the_cookie_key_stays_and_is_secret(tmp_path: Path) -> None:
    key = cookie_key(tmp_path / "key")
    assert len(key) == 32
    assert cookie_key(tmp_path / "key") == key
    assert stat.S_IMODE((tmp_path / "key").stat().st_mode) == 0o600
    (tmp_path / "key").write_bytes(b"short")
    with pytest.raises(AccessError):
        cookie_key(tmp_path / "key")


# --- the gate ---------------------------------------------------------------------------------


def test_waits_grow_and_are_forgotten_in_time() -> None:
    now = [0.0]
    gate = PinGate(lambda: now[0])
    waits: list[int] = []
    for _ in range(12):
        wait = gate.enter("10.0.0.1")
        waits.append(wait)
        now[0] += wait
        if wait:
            assert gate.enter("10.0.0.1") == 0
    assert waits[:FREE_TRIES] == [0] * FREE_TRIES
    assert sorted(waits) == waits
    assert max(waits) <= 900
    now[0] += 4000
    assert gate.enter("10.0.0.1") == 0


def test_a_right_pin_ends_the_waits_of_its_address() -> None:
    gate = PinGate(lambda: 0.0)
    for _ in range(FREE_TRIES - 1):
        assert gate.enter("10.0.0.1") == 0
    gate.passed("10.0.0.1")
    assert [gate.enter("10.0.0.1") for _ in range(FREE_TRIES)] == [0] * FREE_TRIES
    assert gate.enter("10.0.0.1") > 0


def test_many_addresses_together_are_held_as_well_and_the_device_is_not() -> None:
    gate = PinGate(lambda: 0.0)
    let_in = sum(gate.enter(f"10.0.{n // 250}.{n % 250}") == 0 for n in range(500))
    assert let_in == TOGETHER
    assert gate.enter("127.0.0.1") == 0


def test_addresses_of_one_ipv6_customer_count_as_one() -> None:
    gate = PinGate(lambda: 0.0)
    let_in = sum(gate.enter(f"2001:db8::{n:x}") == 0 for n in range(50))
    assert let_in == FREE_TRIES
    assert gate.enter("::ffff:10.0.0.1") == 0


# --- roles ------------------------------------------------------------------------------------


def test_what_each_role_may_say() -> None:
    def said(role: WebRole | None, side: str | None = None) -> list[str]:
        return [one.value for one in speakers_of(role, side)]

    assert said(None) == said(WebRole.SPECTATOR) == []
    assert said(WebRole.PLAYER, "w") == ["white"]
    assert said(WebRole.PLAYER, "b") == ["black"]
    assert said(WebRole.PLAYER) == ["white", "black", "both"]
    assert "referee" in said(WebRole.REFEREE)
    assert said(WebRole.ADMIN) == ["white", "black", "both", "referee"]


def test_every_role_may_do_what_the_next_may() -> None:
    roles = list(WebRole)
    assert [one.may_act_as(WebRole.PLAYER) for one in roles] == [True, True, True, False]


# --- set-up and login over HTTP ---------------------------------------------------------------


def test_on_the_network_nothing_works_before_set_up(tmp_path: Path) -> None:
    table = FakeTable(tmp_path / "record")
    shut = site(table, tmp_path, host="0.0.0.0")
    phone = shut.phone()
    assert phone.load()["needs_setup"] is True
    for path in ("state", "stream", "entries", "live.jpg", "matches", "settings", "rules"):
        assert phone.get(path).status_code == 403
    for path in ("words", "matches", "login"):
        assert phone.post(path).status_code == 403
    assert phone.get("/").headers["Location"].endswith("/setup")
    assert phone.get("/healthz").status_code == 200
    wrong = phone.post("setup", {"code": "AAAA-AAAA", "pins": PINS})
    assert wrong.status_code == 401
    assert not shut.access.is_set_up
    right = phone.post("setup", {"code": shut.access.setup_code, "pins": PINS})
    assert right.get_json()["role"] == "admin"
    assert phone.get("state").status_code == 200
    assert shut.phone().get("state").status_code == 401
    table.close()


def test_at_home_pins_may_be_chosen_without_a_code_and_count_from_then(home: Site) -> None:
    admin = home.phone("127.0.0.1")
    assert admin.load()["role"] == "admin"
    assert admin.post("setup", {"pins": PINS}).status_code == 200
    assert admin.get("state").get_json()["session"]["role"] == "admin"
    assert home.phone("127.0.0.1").get("state").status_code == 401


def test_loopback_behind_a_proxy_is_no_home(tmp_path: Path) -> None:
    for more in ({"allowed_hosts": ("nardy.club",)}, {"trusted_proxy": "127.0.0.1"}):
        assert not WebSettings(tmp_path, **more).at_home
    assert WebSettings(tmp_path).at_home
    assert not WebSettings(tmp_path, "0.0.0.0").at_home


def test_set_up_is_done_once(hall: Site) -> None:
    phone = hall.phone()
    again = phone.post("setup", {"code": "", "pins": {**PINS, "admin": "111222"}})
    assert again.status_code == 409
    assert phone.login("referee").post("setup", {"pins": PINS}).status_code == 409


def test_the_administrator_may_change_pins_and_old_sessions_end(hall: Site) -> None:
    admin, player = hall.phone().login("admin"), hall.phone().login("player", "w")
    assert player.get("state").status_code == 200
    changed = admin.post("setup", {"pins": {**PINS, "player": "8066"}})
    assert changed.get_json()["roles"] == list(PINS)
    assert player.get("state").status_code == 401
    assert admin.get("state").status_code == 200


def test_a_weak_pin_is_refused_in_words(home: Site) -> None:
    answer = home.phone().post("setup", {"pins": {**PINS, "player": "1111"}})
    assert answer.status_code == 422
    assert "PIN" in answer.get_json()["error"]["ru"]


def test_a_pin_tells_its_role_and_the_side_is_the_players(hall: Site) -> None:
    for role in PINS:
        session = hall.phone().login(role, "b").load()
        assert session["role"] == role
        assert session["side"] == ("b" if role == "player" else None)


def test_a_wrong_pin_is_answered_alike_whatever_was_tried(hall: Site) -> None:
    bodies = set()
    for pin in ("0000", PINS["admin"][:-1], "x" * 64, ""):
        answer = hall.phone(f"10.1.1.{len(pin)}").post("login", {"pin": pin})
        assert answer.status_code == 401
        bodies.add(answer.text)
    assert len(bodies) == 1


def test_logging_in_and_out_renews_the_session(hall: Site) -> None:
    phone = hall.phone()
    before = phone.load()["csrf"]
    phone.login("player", "w")
    inside = phone.csrf
    assert inside != before
    phone.post("logout")
    assert phone.csrf not in (before, inside)
    assert phone.get("state").status_code == 401


def test_language_theme_and_side_are_the_viewers_own(hall: Site) -> None:
    phone = hall.phone().login("player", "w")
    assert phone.post("session/language", {"language": "en"}).get_json()["language"] == "en"
    assert phone.post("session/theme", {"theme": "contrast"}).get_json()["theme"] == "contrast"
    assert phone.post("session/side", {"side": None}).get_json()["side"] is None
    assert phone.post("session/theme", {"theme": "pink"}).status_code == 422
    assert hall.phone().login("player").load()["theme"] == "auto"
    phone.post("logout")
    assert phone.load()["language"] == "en"


def test_a_player_speaks_for_one_side_and_no_further(hall: Site) -> None:
    phone = hall.phone().login("player", "w")
    for by in ("black", "both", "referee"):
        answer = phone.post("words", {"word": "call_referee", "by": by})
        assert answer.get_json()["error"]["code"] == "not_yours"
    assert set(phone.get("state").get_json()["may"]) == {"white"}
    spectator = hall.phone().login("spectator")
    assert spectator.post("words", {"word": "accept", "by": "white"}).status_code == 403
    assert spectator.get("state").get_json()["may"] == {}


@pytest.mark.parametrize(
    ("role", "path", "status"),
    [
        ("spectator", "live.jpg", 403),
        ("spectator", f"pictures/{'0' * 64}", 403),
        ("spectator", "settings", 403),
        ("spectator", "diagnostics.zip", 403),
        ("spectator", "matches", 200),
        ("player", "live.jpg", 200),
        ("player", "settings", 200),
        ("player", "diagnostics.zip", 403),
        ("referee", "join/player.svg", 200),
        ("referee", "access", 403),
        ("player", "join/player.svg", 403),
        ("admin", "diagnostics.zip", 200),
        ("admin", "access", 200),
    ],
)
def test_what_each_role_may_see(hall: Site, role: str, path: str, status: int) -> None:
    assert hall.phone().login(role).get(path).status_code == status


def test_spectators_see_the_camera_where_they_may(tmp_path: Path) -> None:
    table = FakeTable(tmp_path / "record")
    open_hall = site(table, tmp_path, host="0.0.0.0", spectators_see_picture=True)
    open_hall.set_up()
    assert open_hall.phone().login("spectator").get("live.jpg").status_code == 200
    table.close()


def test_every_route_of_the_api_has_a_role(home: Site) -> None:
    from web.openapi import routes
    from web.serving import NAME

    served = home.app.extensions[NAME]
    assert {endpoint for endpoint, _, _ in routes(home.app)} <= set(served.roles)


def test_the_file_says_its_version(tmp_path: Path) -> None:
    AccessStore(tmp_path / "a", 2).choose(CHOSEN)
    assert json.loads((tmp_path / "a").read_text())["version"] == 1
