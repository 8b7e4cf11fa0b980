import io
import re
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import cv2
import numpy as np
import pytest

from tests.support.web_site import Site, site
from web.openapi import PREFIX, description, routes
from web.openapi_parts import BODIES, QUERIES
from web.qr import join_address, own_address, qr_svg
from web.settings import WebSettings

DOCS = Path(__file__).parents[2] / "docs" / "reference" / "http-api.md"
CORNERS = [[100, 50], [850, 50], [860, 700], [90, 700]]


# --- sight ------------------------------------------------------------------------------------


def test_corners_are_set_by_hand_and_found_anew(home: Site) -> None:
    phone = home.phone()
    answer = phone.post("sight/corners", {"corners": CORNERS}).get_json()
    assert answer["sight"]["corners_by_hand"] is True
    assert answer["sight"]["corners_px"] == CORNERS
    assert phone.post("sight/find").get_json()["sight"]["corners_by_hand"] is False


@pytest.mark.parametrize(
    "corners",
    [None, [], CORNERS[:3], [[1, 1]] * 4, [[1, "a"]] * 4, [[True, 1]] * 4, [[1e9, 0]] * 4],
    ids=range(7),
)
def test_corners_that_make_no_field_are_refused(home: Site, corners: object) -> None:
    assert home.phone().post("sight/corners", {"corners": corners}).status_code == 422


def test_where_white_begins_is_said(home: Site) -> None:
    phone = home.phone()
    answer = phone.post("sight/layout", {"white_start": "bottom_left", "white": "D"})
    layout = answer.get_json()["layout"]
    assert layout["white_start"] == "bottom_left"
    assert layout["white"] == "D"
    assert layout["bottom"][0] == 24
    against = {"white_start": "bottom_left", "direction": "cw"}
    assert phone.post("sight/layout", against).status_code == 422
    assert phone.post("sight/layout", {"white_start": "middle"}).status_code == 422
    assert (
        phone.post("sight/layout", {"white_start": "top_left", "white": "X"}).status_code == 422
    )


# --- settings, health, reports ----------------------------------------------------------------


def test_settings_are_changed_and_wrong_ones_named(home: Site) -> None:
    phone = home.phone()
    changed = phone.post("settings", {"settings": {"sound.volume": 0.2}})
    assert changed.get_json()["settings"]["sound.volume"] == 0.2
    assert phone.get("settings").get_json()["settings"]["sound.volume"] == 0.2
    wrong = phone.post("settings", {"settings": {"sound.colour": 1}})
    assert wrong.status_code == 422
    assert "sound.colour" in wrong.get_json()["error"]["en"]
    assert phone.post("settings", {"settings": []}).status_code == 422


def test_a_wrong_reading_is_kept_with_what_it_should_have_been(home: Site) -> None:
    report = {"note": "  не та\nкость ", "correction": {"dice": [6, 5]}}
    answer = home.phone().post("wrong-reading", report)
    assert answer.get_json() == {"kept": "clip-1"}
    assert home.table.knobs.clips == [("не та кость", {"dice": [6, 5]})]


def test_the_diagnostics_are_a_zip_to_download(home: Site) -> None:
    answer = home.phone().get("diagnostics.zip")
    assert zipfile.ZipFile(io.BytesIO(answer.data)).namelist()
    assert re.search(r'"zarbiter-\d{8}-\d{4}\.zip"', answer.headers["Content-Disposition"])


def test_health_comes_as_the_table_tells_it(home: Site) -> None:
    assert home.phone().get("health").get_json() == {"level": "ok", "findings": []}


# --- what there is ----------------------------------------------------------------------------


def test_what_can_be_chosen_can_be_used(home: Site) -> None:
    phone = home.phone()
    options = phone.get("options").get_json()
    assert {one["name"] for one in options["rules"]} >= {"bolshie-nardy", "short"}
    for clock in options["clocks"]:
        assert clock["title"]["ru"] != clock["title"]["en"]
        made = phone.post("matches", {"clock": clock["name"], "length": 3})
        assert made.status_code in (200, 409), clock
    for start in options["white_starts"]:
        assert phone.post("sight/layout", {"white_start": start}).status_code == 200


def test_a_rule_sheet_is_told_in_both_languages(home: Site) -> None:
    phone = home.phone()
    for one in phone.get("rules").get_json()["rules"]:
        sheet = phone.get(f"rules/{one['name']}").get_json()
        assert sheet["laws"]
        assert all(law["title"]["ru"] and law["value"]["en"] for law in sheet["laws"])
        assert len(sheet["shared"]["ru"]) == len(sheet["shared"]["en"])
    derived = phone.get("rules/classic+block=in_home")
    assert derived.status_code == 200
    assert phone.get("rules/chess").status_code == 404


# --- joining ----------------------------------------------------------------------------------


def test_a_qr_code_holds_the_address_to_join_at(hall: Site) -> None:
    referee = hall.phone().login("referee")
    address = referee.get("join/player").get_json()["address"]
    assert address == "http://192.168.1.5/join/player"
    svg = referee.get("join/player.svg")
    assert svg.mimetype == "image/svg+xml"
    assert ElementTree.fromstring(svg.text).tag.endswith("svg")
    assert referee.get("join/king.svg").status_code == 404


def test_a_qr_code_can_be_read_again() -> None:
    import segno

    text = "http://192.168.1.5:8080/join/player"
    code = segno.make(text, error="m", micro=False)
    matrix = np.array([list(row) for row in code.matrix], np.uint8)
    picture = np.kron(np.pad(1 - matrix, 4, constant_values=1), np.ones((8, 8), np.uint8)) * 255
    read, _, _ = cv2.QRCodeDetector().detectAndDecode(picture)
    assert read == text
    assert qr_svg(text).startswith(b"<svg")


def test_the_address_to_join_at_is_one_a_phone_can_reach(tmp_path: Path) -> None:
    network = WebSettings(tmp_path, "0.0.0.0", 8080)
    at_table = join_address(network, "http://localhost:8080/", "/join/player")
    assert at_table == f"http://{own_address()}:8080/join/player"
    proxied = WebSettings(tmp_path, prefix="/t3", public_url="https://nardy.club/t3/")
    told = join_address(proxied, "http://localhost:8080/", "/t3/join/player")
    assert told == "https://nardy.club/t3/join/player"


# --- the description --------------------------------------------------------------------------


def test_the_description_has_every_route_and_no_other(home: Site) -> None:
    body = home.phone().get("openapi.json").get_json()
    described = {
        (method.upper(), path)
        for path, operations in body["paths"].items()
        for method in operations
    }
    real = {
        (method, re.sub(r"<(\w+)>", r"{\1}", rule.removeprefix(PREFIX)))
        for _, method, rule in routes(home.app)
    }
    assert described == real
    assert body["openapi"].startswith("3.1")


def test_the_description_tells_roles_and_bodies(home: Site) -> None:
    body = description(home.app, "1")
    assert body["paths"]["/words"]["post"]["x-role"] == "player"
    assert body["paths"]["/session"]["get"]["x-role"] is None
    endpoints = {endpoint for endpoint, _, _ in routes(home.app)}
    posts = {endpoint for endpoint, method, _ in routes(home.app) if method == "POST"}
    assert set(BODIES) == posts
    assert set(QUERIES) <= endpoints
    for operations in body["paths"].values():
        for one in operations.values():
            assert one["summary"].endswith((".", "null: one phone for both."))


@pytest.mark.skipif(not DOCS.is_file(), reason="needs docs/, which no wheel has")
def test_the_reference_names_every_route(home: Site) -> None:
    text = DOCS.read_text(encoding="utf-8")
    for _, method, rule in routes(home.app):
        path = re.sub(r"<(\w+)>", lambda m: m[1].upper(), rule.removeprefix(PREFIX))
        assert f"`{method} {path}`" in text, f"{method} {path}"


@pytest.mark.parametrize(
    "wrong", [{"language": "de"}, {"prefix": "x"}, {"prefix": "/x/"}, {"beat_s": 9.0}]
)
def test_settings_that_do_not_fit_are_named(tmp_path: Path, wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        WebSettings(tmp_path, **wrong)  # type: ignore[arg-type]


def test_a_sub_path_shows_in_the_description(home: Site, tmp_path: Path) -> None:
    below = site(home.table, tmp_path / "below", prefix="/table3")
    assert description(below.app, "1")["servers"] == [{"url": "/table3/api/v1"}]
