import argparse
import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import cv2
import numpy as np
import pypdf
import pytest

from calibration.profile import read_profile
from tests.calibration.test_lens import photo
from tests.support.views import view
from vision.cv import write_image
from vision.frame import read_image
from zarbiter.calibrate_cli import add_calibrate, run_calibrate
from zarbiter.lens_sheet import sheet_pdf

Call = Callable[..., tuple[int, str, str]]
NOW = datetime(2026, 11, 30, 8, 0, tzinfo=UTC)


@pytest.fixture
def calibrate(capsys: pytest.CaptureFixture[str]) -> Call:
    def call(*arguments: object, language: str = "en") -> tuple[int, str, str]:
        top = argparse.ArgumentParser()
        commands = top.add_subparsers()
        add_calibrate(
            lambda name, summary, examples: commands.add_parser(
                name, help=summary, epilog=examples
            ),
            language,
        )
        options = top.parse_args(["calibrate", *(str(one) for one in arguments)])
        status = run_calibrate(options, now=lambda: NOW)
        said = capsys.readouterr()
        return status, said.out, said.err

    return call


@pytest.fixture
def start(tmp_path: Path) -> Path:
    path = tmp_path / "start.png"
    write_image(path, view("walnut", "short").bgr)
    return path


def corners() -> str:
    return " ".join(f"{x},{y}" for x, y in view("walnut", "short").corners_px)


def test_a_picture_of_the_start_gives_a_profile(
    calibrate: Call, start: Path, tmp_path: Path
) -> None:
    out, drawn = tmp_path / "table.json", tmp_path / "seen.png"
    status, said, err = calibrate(
        start, "--out", out, "--overlay", drawn, "--name", "Table 7", "--json"
    )
    assert (status, err) == (0, "")
    line = json.loads(said)
    assert line["start"] == "short"
    assert line["white_start"] == "top_right"
    assert line["board"]["found"]
    assert line["usable"]
    assert line["profile"] == str(out)
    profile = read_profile(out)
    assert (profile.name, profile.made_utc) == ("Table 7", "2026-11-30T08:00:00Z")
    assert profile.look is not None
    assert read_image(drawn).shape == (720, 960, 3)
    truth = np.array(view("walnut", "short").corners_px)
    assert np.abs(np.array(profile.corners_px) - truth).max() < 0.03 * 960


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", ("Board found", "backgammon", "Profile written")),
     ("ru", ("Доска найдена", "короткие нарды", "Профиль записан"))],
)  # fmt: skip
def test_what_was_done_is_told_in_both_languages(
    calibrate: Call, start: Path, tmp_path: Path, language: str, words: tuple[str, ...]
) -> None:
    status, said, _ = calibrate(
        start, "--corners", corners(), "--out", tmp_path / "p.json", language=language
    )
    assert status == 0
    assert all(word in said for word in words)


def test_without_a_start_position_it_is_asked_for(calibrate: Call, tmp_path: Path) -> None:
    path = tmp_path / "m.png"
    write_image(path, view("walnut", "middle").bgr)
    status, said, _ = calibrate(path, "--corners", corners())
    assert status == 0
    assert "No start position seen" in said
    _, said, _ = calibrate(path, "--corners", corners(), "--start", "none")
    assert "start position" not in said


def test_an_unusable_view_writes_nothing_and_says_what_to_do(
    calibrate: Call, tmp_path: Path
) -> None:
    path, out = tmp_path / "dark.png", tmp_path / "p.json"
    write_image(path, (view("walnut", "short").bgr * 0.05).astype(np.uint8))
    status, said, _ = calibrate(path, "--corners", corners(), "--out", out)
    assert status == 1
    assert "too dark" in said
    assert "No profile written" in said
    assert not out.exists()


def test_a_folder_s_pictures_are_taken_together(calibrate: Call, tmp_path: Path) -> None:
    folder = tmp_path / "pictures"
    folder.mkdir()
    for k in range(2):
        write_image(folder / f"{k}.png", view("walnut", "short", seed=k).bgr)
    (folder / "notes.txt").write_text("no picture", encoding="utf-8")
    status, said, _ = calibrate(folder, "--corners", corners(), "--json")
    assert status == 0
    assert len(json.loads(said)["images"]) == 2


def test_the_lens_is_measured_and_kept_in_the_profile(
    calibrate: Call, start: Path, tmp_path: Path
) -> None:
    sheets = tmp_path / "sheets"
    sheets.mkdir()
    for k in range(8):
        gray = photo(25.0, 45.0 * k, 330.0 + 20 * (k % 3), (6.0 * k - 24, 8.0 - 2 * k))
        write_image(sheets / f"{k}.png", cv2.merge([gray] * 3).astype(np.uint8))
    out = tmp_path / "p.json"
    status, said, _ = calibrate(
        start, "--corners", corners(), "--lens", sheets, "--out", out, "--json"
    )
    assert status == 0
    line = json.loads(said)
    assert line["lens"]["pictures"] == 8
    assert line["lens"]["rms_px"] < 0.5
    lens = read_profile(out).lens
    assert lens is not None
    assert lens.focal_px[0] == pytest.approx(900, rel=0.05)


def test_too_few_sheets_are_an_error_with_its_code(calibrate: Call, tmp_path: Path) -> None:
    path = tmp_path / "one.png"
    write_image(path, cv2.merge([photo(20.0, 30.0, 350.0, (0, 0))] * 3).astype(np.uint8))
    status, said, _ = calibrate("--lens", path, "--json")
    assert status == 1
    assert json.loads(said)["error"]["code"] == "too_few_pictures"
    status, _, err = calibrate("--lens", path)
    assert status == 1
    assert "8 are needed" in err


@pytest.mark.parametrize("language", ["en", "ru"])
def test_the_sheet_is_one_page_at_its_true_size(
    calibrate: Call, tmp_path: Path, language: str
) -> None:
    out = tmp_path / "sheet.pdf"
    status, said, _ = calibrate("--sheet", out, language=language)
    assert status == 0
    assert str(out) in said
    reader = pypdf.PdfReader(out)
    (page,) = reader.pages
    mm = 72 / 25.4
    assert float(page.mediabox.width) == pytest.approx(297 * mm, abs=0.1)
    words = page.extract_text()
    assert "200 mm" in words
    assert ("ruler" in words) == (language == "en")
    # The ruler's line, in points: 200 mm to a hair.
    drawn = page.get_contents()
    assert drawn is not None
    lines = re.findall(rb"([\d.]+) ([\d.]+) m ([\d.]+) ([\d.]+) l", drawn.get_data())
    longest = max(abs(float(x1) - float(x0)) for x0, _, x1, _ in lines)
    assert longest == pytest.approx(200 * mm, abs=0.05)


def test_the_sheet_is_the_same_every_time_it_is_drawn() -> None:
    squares = [
        re.findall(rb"[\d.]+ [\d.]+ [\d.]+ -?[\d.]+ re", pdf_data(sheet_pdf(language)))
        for language in ("en", "ru")
    ]
    assert squares[0] == squares[1]
    assert len(squares[0]) > 100


def pdf_data(pdf: bytes) -> bytes:
    from io import BytesIO

    drawn = pypdf.PdfReader(BytesIO(pdf)).pages[0].get_contents()
    assert drawn is not None
    return drawn.get_data()


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ((), "name pictures"),
        (("--out", "p.json"), "name pictures"),
        (("--lens", "a.png", "--out", "p.json"), "need pictures of the board"),
        (("--sheet", "sheet.png"), ".pdf"),
        (("a.png", "--overlay", "o.xyz"), ".png or .jpg"),
        (("a.png", "--corners", "1,2"), "cannot"),
    ],
)
def test_wrong_use_is_said(calibrate: Call, arguments: tuple[str, ...], word: str) -> None:
    status, _, err = calibrate(*arguments)
    assert status in (1, 2)
    assert err
    assert word in err or status == 1


def test_a_lens_measured_in_pictures_of_another_shape_is_refused(
    calibrate: Call, tmp_path: Path
) -> None:
    sheets, wide = tmp_path / "sheets", tmp_path / "wide.png"
    sheets.mkdir()
    for k in range(8):
        gray = photo(25.0, 45.0 * k, 330.0 + 20 * (k % 3), (6.0 * k - 24, 8.0 - 2 * k))
        write_image(sheets / f"{k}.png", cv2.merge([gray] * 3).astype(np.uint8))
    write_image(wide, np.full((540, 960, 3), 90, dtype=np.uint8))
    status, said, _ = calibrate(wide, "--corners", corners(), "--lens", sheets, "--json")
    assert status == 1
    error = json.loads(said)["error"]
    assert error["code"] == "other_shape"
    assert "960×720" in error["message"]
