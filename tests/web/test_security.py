import json
import logging
import re
from pathlib import Path
from typing import Any

import pytest

from tests.support.web_site import PINS, Phone, Site, site
from tests.support.web_table import FakeTable
from web.access_gate import TOGETHER, TOGETHER_REFILL_S
from web.body import MOST_BYTES
from web.guard import HEADERS, host_is_ours
from web.openapi import routes
from web.settings import WebSettings

EVIL = "http://evil.example"


# --- PINs -------------------------------------------------------------------------------------


def test_an_hour_of_guessing_from_many_addresses_gets_few_tries(
    hall: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[str] = []
    monkeypatch.setattr(hall.access, "role_of", lambda pin: tried.append(pin))
    phones = [hall.phone(f"10.0.0.{n}") for n in range(20)]
    for round_ in range(30):
        for phone in phones:
            answer = phone.post("login", {"pin": f"{round_:04}"})
            assert answer.status_code in (401, 429)
            if answer.status_code == 429:
                assert int(answer.headers["Retry-After"]) > 0
        hall.now.s += 120
    assert len(tried) <= TOGETHER + 3600 / TOGETHER_REFILL_S
    assert len(tried) > TOGETHER  # and yet the table can be joined


def test_one_address_that_guesses_is_slowed_and_the_right_pin_waits_with_it(
    hall: Site,
) -> None:
    phone = hall.phone()
    statuses = [phone.post("login", {"pin": "0000"}).status_code for _ in range(6)]
    assert statuses == [401, 401, 401, 429, 429, 429]
    assert phone.post("login", {"pin": PINS["admin"]}).status_code == 429
    assert hall.phone("192.168.1.99").post("login", {"pin": PINS["admin"]}).status_code == 200
    hall.now.s += 900
    assert phone.post("login", {"pin": PINS["admin"]}).status_code == 200


def test_the_one_time_code_cannot_be_guessed_either(tmp_path: Path) -> None:
    table = FakeTable(tmp_path / "record")
    shut = site(table, tmp_path, host="0.0.0.0")
    phone = shut.phone()
    statuses = [
        phone.post("setup", {"code": f"AAAA-{n:04}", "pins": PINS}).status_code
        for n in range(5)
    ]
    assert statuses == [401, 401, 401, 429, 429]
    right = {"code": shut.access.setup_code, "pins": PINS}
    assert phone.post("setup", right).status_code == 429
    table.close()


def test_a_forged_or_foreign_session_is_none(hall: Site, tmp_path: Path) -> None:
    other = site(hall.table, tmp_path / "other", host="0.0.0.0")
    other.set_up()
    theirs = other.phone().login("admin")
    cookie = theirs.client.get_cookie("zarbiter_8080", domain="192.168.1.5")
    assert cookie is not None
    for value in (cookie.value, "x.y.z", "", cookie.value[:-2] + "xx"):
        phone = hall.phone()
        phone.client.set_cookie("zarbiter_8080", value, domain="192.168.1.5")
        assert phone.get("state").status_code == 401


# --- other sites ------------------------------------------------------------------------------


def posts(made: Site) -> list[str]:
    return [rule for _, method, rule in routes(made.app) if method == "POST"]


def test_no_change_is_taken_without_the_pages_token(home: Site) -> None:
    phone = home.phone()
    phone.load()
    other = home.phone()
    other.load()
    for path in posts(home):
        for token in (None, "", "x", other.csrf, phone.csrf[:-1]):
            headers = {} if token is None else {"X-CSRF-Token": token}
            answer = phone._open("POST", path, json={}, headers=headers)
            assert answer.status_code == 403, (path, token)
            assert answer.get_json()["error"]["code"] == "csrf"
    assert home.table.keeper.match is None
    assert not home.access.is_set_up


@pytest.mark.parametrize(
    "media", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]
)
def test_a_form_of_another_site_is_not_taken_for_json(home: Site, media: str) -> None:
    phone = home.phone()
    phone.load()
    body = json.dumps({"white": "A", "csrf": phone.csrf})
    answer = phone._open("POST", "matches", data=body, content_type=media)
    assert answer.status_code in (400, 403)
    with_token = phone._open(
        "POST", "matches", data=body, content_type=media, headers={"X-CSRF-Token": phone.csrf}
    )
    assert with_token.status_code == 415


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": EVIL},
        {"Origin": "null"},
        {"Origin": "http://localhost:9999"},
        {"Origin": "http://localhost.evil.example"},
        {"Origin": "http://[::1"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_what_another_sites_page_asks_for_is_refused_even_with_the_token(
    home: Site, headers: dict[str, str]
) -> None:
    phone = home.phone()
    answer = phone.post("matches", headers=headers)
    assert answer.get_json()["error"]["code"] == "foreign"
    assert phone.get("state", headers=headers).status_code == 403
    assert phone.get("live.jpg", headers=headers).status_code == 403


def test_its_own_origin_is_taken_with_or_without_a_port(home: Site) -> None:
    assert home.phone(host="localhost:8080").post(
        "matches", headers={"Origin": "http://localhost:8080", "Sec-Fetch-Site": "same-origin"}
    ).status_code == 200  # fmt: skip


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:8080", "localhost.evil.example", "", "127.0.0.1.nip.io",
     "192.168.1.5", "[::1", "локалхост", "localhost@evil.example:x"],
)  # fmt: skip
def test_a_name_that_was_pointed_here_is_not_answered(home: Site, host: str) -> None:
    phone = home.phone(host="localhost")
    for path in ("/", "/api/v1/state", "/api/v1/session", "/healthz", "/login", "/nothing"):
        answer = phone.get(path, headers={"Host": host.encode().decode("latin-1")})
        assert answer.status_code == 421, (path, host)
        assert "Set-Cookie" not in answer.headers


def test_which_names_are_ours(tmp_path: Path) -> None:
    alone = WebSettings(tmp_path)
    network = WebSettings(tmp_path, "0.0.0.0", allowed_hosts=("Nardy.Club",))
    assert host_is_ours("127.0.0.1", alone)
    assert host_is_ours("::1", alone)
    assert not host_is_ours("192.168.1.5", alone)
    assert host_is_ours("192.168.1.5", network)
    assert host_is_ours("nardy.club", network)
    assert not host_is_ours("nardy.club.evil.example", network)
    assert not host_is_ours("table.local.evil.example", network)


# --- bodies and paths -------------------------------------------------------------------------


def test_a_body_too_large_is_refused(home: Site) -> None:
    phone = home.phone()
    phone.load()
    headers = {"X-CSRF-Token": phone.csrf}
    large = b'{"note": "' + b"x" * MOST_BYTES + b'"}'
    for path in posts(home):
        told = phone._open("POST", path, data=large, content_type="application/json",
                           headers=headers)  # fmt: skip
        assert told.status_code == 413, path
        assert told.get_json()["error"]["code"] == "too_large"


@pytest.mark.parametrize(
    "body",
    [
        "",
        "{",
        "[]",
        "null",
        '"text"',
        '{"note": NaN}',
        '{"note": 1e999, "correction": {"a": Infinity}}',
        '{"note": "\\ud800"}',
        '{"note": "\\u0000"}',
        '{"note": "a", "correction": {"n": 9007199254740994}}',
        '{"correction": ' + "[" * 5000 + "]" * 5000 + "}",
        '{"correction": ' + '{"a": ' * 40 + "1" + "}" * 40 + "}",
        '{"note": ' + "9" * 5000 + "}",
        '{"correction": {"\\ud800": 1}}',
        "\xff\xfe",
    ],
    ids=range(15),
)
def test_json_that_is_none_or_cannot_be_written_down_is_refused(home: Site, body: str) -> None:
    phone = home.phone()
    phone.load()
    answer = phone._open(
        "POST",
        "wrong-reading",
        data=body.encode("latin-1"),
        content_type="application/json",
        headers={"X-CSRF-Token": phone.csrf},
    )
    assert answer.status_code in (400, 422)
    assert home.table.knobs.clips == []


@pytest.mark.parametrize(
    "path",
    [
        "/api/v1/pictures/../../../../etc/passwd",
        "/api/v1/pictures/..%2f..%2f..%2fetc%2fpasswd",
        "/api/v1/pictures/%2e%2e",
        f"/api/v1/pictures/{'A' * 64}",
        f"/api/v1/pictures/{'0' * 63}%00",
        f"/api/v1/pictures/{'0' * 64}.jpg",
        "/api/v1/matches/..%2f..%2fsecret/steps",
        "/api/v1/matches/%00/steps",
        f"/api/v1/matches/{'x' * 5000}/steps",
        "/api/v1/matches/x/export?format=mat",
        "/api/v1/matches/x/statistics/..%2f..%2fapp.svg",
        "/api/v1/join/..%2fadmin.svg",
        "/api/v1/rules/..%2f..%2f",
        "/assets/x/../../app.py",
        "/assets/x/..%2f..%2fapp.py",
        "/assets/x/%2fetc%2fpasswd",
        "/assets/x//etc/passwd",
        "/catalogue/..%2f..%2fapp.json",
        "//evil.example/%2e%2e",
        "/web.key",
        "/static/app.py",
    ],
)
def test_paths_lead_nowhere_else(home: Site, path: str) -> None:
    answer = home.phone().get(path)
    assert answer.status_code in (301, 308, 404), path
    assert b"create_app" not in answer.data
    assert b"root:" not in answer.data
    assert "evil.example" not in answer.headers.get("Location", "")


def test_numbers_of_a_query_are_plain_or_refused(after_play: Site) -> None:
    phone = after_play.phone()
    for value in ("-1", "1e3", "0x10", "९", "1" * 20, "abc", "1;2", "%00"):
        assert phone.get(f"entries?after={value}").status_code == 422


# --- answers ----------------------------------------------------------------------------------


def test_every_answer_has_the_headers_that_keep_others_out(home: Site) -> None:
    phone = home.phone()
    for path in ("/", "/api/v1/state", "/api/v1/live.jpg", "/nothing", "/healthz", "/setup"):
        answer = phone.get(path)
        for name in HEADERS:
            assert answer.headers[name] == HEADERS[name], path
        assert "Server" not in answer.headers
    policy = HEADERS["Content-Security-Policy"]
    assert "unsafe" not in policy
    assert "http" not in policy
    assert phone.get("state").headers["Cache-Control"] == "no-store"


def test_the_cookie_is_for_the_server_alone(home: Site, tmp_path: Path) -> None:
    cookie = home.phone().get("session").headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert "Secure" not in cookie
    below = site(home.table, tmp_path / "below", prefix="/table3")
    secure = below.app.test_client().get(
        "/table3/api/v1/session", base_url="https://localhost/"
    ).headers["Set-Cookie"]  # fmt: skip
    assert "Secure" in secure
    assert "Path=/table3" in secure


def test_under_a_path_of_a_proxy_everything_stays_below_it(home: Site, tmp_path: Path) -> None:
    below = site(home.table, tmp_path / "below", prefix="/table3", host="0.0.0.0")
    for path in ("/table3/", "/"):
        moved = below.phone().get(path)
        assert moved.headers["Location"] == "/table3/setup"
    assert below.phone().get("/table3/healthz").status_code == 200


def test_what_fails_inside_is_logged_and_not_shown(
    home: Site, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken() -> Any:
        raise RuntimeError("secret detail")

    monkeypatch.setattr(home.table, "health", broken)
    answer = home.phone().get("health?pin=918273")
    assert answer.status_code == 500
    assert answer.get_json()["error"]["code"] == "failed"
    assert "secret" not in answer.text
    assert "secret detail" in caplog.text
    assert "918273" not in caplog.text


def test_no_secret_is_ever_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    table = FakeTable(tmp_path / "record")
    made = site(table, tmp_path, host="0.0.0.0")
    code = made.access.setup_code or ""
    made.set_up()
    phone: Phone = made.phone()
    phone.post("login", {"pin": "000000"})
    phone.login("admin")
    phone.post("logout")
    for _ in range(5):
        phone.post("login", {"pin": PINS["referee"] + "1"})
    for secret in (*PINS.values(), code, code.replace("-", ""), phone.csrf):
        assert secret not in caplog.text
    table.close()


def test_a_get_changes_nothing(after_play: Site) -> None:
    head = after_play.table.record.head
    phone = after_play.phone()
    for _, method, rule in routes(after_play.app):
        if method == "GET" and "<" not in rule and not rule.endswith(("stream", ".mjpg")):
            assert phone.get(rule).status_code == 200, rule
    assert after_play.table.record.head == head


def test_behind_a_path_no_page_points_out_of_it(home: Site, tmp_path: Path) -> None:
    below = site(home.table, tmp_path / "below", prefix="/table3")
    for page in ("/", "/match", "/replay", "/settings", "/kiosk", "/login"):
        text = below.phone().get(page).text
        found = re.findall(r'(?:href|src|action|data-base)="([^"#]*)"', text)
        assert found
        for address in found:
            assert address.startswith(("/table3/", "data:")), (page, address)
