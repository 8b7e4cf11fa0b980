import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.support.not_boards import drawings, photos
from tests.support.views import view
from vision.board_finder import BoardFinderSettings, find_board
from vision.cv import BgrImage, PointsPx
from vision.frame import read_image
from vision.observation import BoardSighting

SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "data"
needs_shared = pytest.mark.skipif(
    not SHARED.is_dir(), reason="the measuring data is not beside the checkout"
)
WIDTH, HEIGHT = 480, 420


def flat_board(bar: int = 40, *, checkers: bool = True, frame: int = 22) -> BgrImage:
    """A drawn board: 2 px a mm, the field inside a frame."""
    wide, tall, edge = 2 * WIDTH, 2 * HEIGHT, 2 * frame
    field = np.full((tall, wide, 3), (150, 190, 205), dtype=np.uint8)
    pitch = (WIDTH - bar) / 12
    colors = ((40, 50, 120), (60, 60, 50))
    for column in range(12):
        x = column * pitch + (bar if column >= 6 else 0)
        for top in (True, False):
            base, tip = (0.0, 0.42 * HEIGHT) if top else (float(HEIGHT), 0.58 * HEIGHT)
            corners = np.array([(x, base), (x + pitch, base), (x + pitch / 2, tip)]) * 2
            color = colors[(column + top) % 2]
            cv2.fillPoly(field, [np.rint(corners).astype(np.int32)], color, cv2.LINE_AA)
            if checkers and (column * 5 + top) % 4 == 0:
                for k in range(1 + column % 4):
                    y = 18 + 34 * k if top else HEIGHT - 18 - 34 * k
                    at = (round(2 * (x + pitch / 2)), 2 * y)
                    shade = (225, 235, 240) if column % 3 else (45, 35, 30)
                    cv2.circle(field, at, 33, shade, -1, cv2.LINE_AA)
                    cv2.circle(field, at, 33, (90, 90, 90), 1, cv2.LINE_AA)
    if bar:
        left = WIDTH - bar
        cv2.rectangle(field, (left, 0), (left + 2 * bar, tall), (60, 85, 120), -1)
    board = np.full((tall + 2 * edge, wide + 2 * edge, 3), (55, 80, 115), dtype=np.uint8)
    board[edge:-edge, edge:-edge] = field
    return board


def photographed(
    board: BgrImage, turn_deg: float, tilt: float, frame: int = 22, seed: int = 1
) -> tuple[BgrImage, PointsPx]:
    """A drawn board on a table, turned, at a tilt, with noise; and its field's corners."""
    rng = np.random.default_rng(seed)
    tall, wide = board.shape[:2]
    outer = np.array([(0, 0), (wide, 0), (wide, tall), (0, tall)], dtype=np.float64)
    centered = (outer - (wide / 2, tall / 2)) * 0.62
    cosine, sine = np.cos(np.radians(turn_deg)), np.sin(np.radians(turn_deg))
    turned = centered @ np.array([[cosine, sine], [-sine, cosine]])
    depth = 1.0 + tilt * turned[:, 1:2] / 700.0
    seen = turned / depth + (640, 480)
    matrix = cv2.getPerspectiveTransform(outer.astype(np.float32), seen.astype(np.float32))
    grain = cv2.resize(rng.normal(0, 9, (48, 1280)).astype(np.float32), (1280, 960))
    table = np.clip(np.array((95, 120, 140)) + grain[..., None], 0, 255).astype(np.uint8)
    cv2.warpPerspective(
        board,
        matrix,
        (1280, 960),
        dst=table,
        borderMode=cv2.BORDER_TRANSPARENT,
        flags=cv2.INTER_AREA,
    )
    noisy = cv2.GaussianBlur(table, (0, 0), 0.8) + rng.normal(0, 3, table.shape)
    picture = np.clip(noisy, 0, 255).astype(np.uint8)
    edge = 2.0 * frame
    field = np.array(
        [(edge, edge), (wide - edge, edge), (wide - edge, tall - edge), (edge, tall - edge)]
    )
    corners = cv2.perspectiveTransform(field[None], matrix)[0]
    return picture, np.asarray(corners, dtype=np.float64)


def worst_share(seen: BoardSighting, truth: PointsPx) -> float:
    """The worst corner's error as a share of the diagonal."""
    assert seen.corners_px is not None
    apart = np.linalg.norm(np.asarray(seen.corners_px) - truth, axis=1)
    return float(apart.max() / np.linalg.norm(truth[0] - truth[2]))


@pytest.mark.parametrize(
    ("bar", "turn_deg", "tilt"), [(40, 0.0, 0.0), (0, 14.0, 0.2), (40, -20.0, -0.25)]
)
def test_a_drawn_board_is_found_to_two_per_cent(bar: int, turn_deg: float, tilt: float) -> None:
    picture, truth = photographed(flat_board(bar), turn_deg, tilt)
    seen = find_board(picture)
    assert seen.found
    assert seen.confidence >= BoardFinderSettings().sure_enough
    assert worst_share(seen, truth) < 0.02


def test_a_board_turned_by_a_quarter_starts_at_the_corner_that_a_quarter_back_makes_first() -> (
    None
):
    picture, truth = photographed(flat_board(), 0.0, 0.0)
    turned = np.ascontiguousarray(np.rot90(picture))  # anticlockwise
    expected = np.stack([truth[:, 1], picture.shape[1] - 1 - truth[:, 0]], axis=1)
    seen = find_board(turned)
    assert seen.found
    assert worst_share(seen, expected) < 0.02
    assert int(np.argmax(expected[:, 1] - expected[:, 0])) == 0  # the image's bottom-left


def test_a_larger_picture_gives_the_same_corners() -> None:
    picture, truth = photographed(flat_board(), 5.0, 0.1)
    large = cv2.resize(picture, None, fx=2.0, fy=2.0, interpolation=cv2.INTER_CUBIC)
    seen = find_board(np.asarray(large, dtype=np.uint8))
    assert seen.found
    assert worst_share(seen, 2.0 * truth + 0.5) < 0.02


def test_a_board_cut_by_the_picture_is_not_reported() -> None:
    picture, truth = photographed(flat_board(), 0.0, 0.0)
    x_cut = int(truth[:, 0].mean() + 40)
    seen = find_board(np.ascontiguousarray(picture[:, :x_cut]))
    assert not seen.found
    assert seen.corners_px is None


@pytest.mark.parametrize("look", ["walnut", "baize", "tournament", "village"])
@pytest.mark.parametrize(
    ("tilt_deg", "height_mm", "bar_mm"),
    [(3.0, 800.0, 36.0), (18.0, 900.0, 0.0), (30.0, 1000.0, 24.0)],
)
def test_boards_of_the_simulated_table_are_found(
    look: str, tilt_deg: float, height_mm: float, bar_mm: float
) -> None:
    shown = view(look, "middle", tilt_deg=tilt_deg, height_mm=height_mm, bar_mm=bar_mm)
    seen = find_board(shown.bgr)
    assert seen.found
    assert worst_share(seen, np.asarray(shown.corners_px)) < 0.03


def test_most_of_what_is_no_board_is_seen_not_to_be_one() -> None:
    # All two hundred of them take a minute; the figures are in board-finding.md.
    pictures = [*list(photos())[::7], *drawings(seeds=1)]
    assert len(pictures) >= 12
    assert [name for name, bgr in pictures if find_board(bgr).found] == []


def no_boards() -> dict[str, BgrImage]:
    rng = np.random.default_rng(5)
    y, x = np.mgrid[0:480, 0:640]
    noise = rng.integers(0, 256, (480, 640, 3), dtype=np.uint8)
    chess = np.where(((x // 50) + (y // 50)) % 2, 215, 60)
    stripes = np.where((x // 21) % 2, 200, 70)
    books = np.zeros((480, 640), dtype=np.int64)
    at = 0
    while at < 640:
        wide = int(rng.integers(14, 40))
        for shelf in (0, 240):
            books[shelf + int(rng.integers(5, 60)) : shelf + 235, at : at + wide] = (
                rng.integers(30, 230)
            )
        at += wide
    zigzag = np.where((y + 40 * np.abs((x / 40.0) % 2 - 1)) % 60 < 30, 210, 80)
    paper = np.full((480, 640), 90)
    paper[90:400, 120:520] = 240
    gray = {
        "chess": chess,
        "stripes": stripes,
        "books": books,
        "zigzag": zigzag,
        "paper": paper,
    }
    pictures = {"noise": noise, "plain": np.full((480, 640, 3), 128, dtype=np.uint8)}
    for name, luma in gray.items():
        soft = luma[..., None] + rng.normal(0, 4, (480, 640, 3))
        pictures[name] = np.clip(soft, 0, 255).astype(np.uint8)
    return pictures


@pytest.mark.parametrize("name", sorted(no_boards()))
def test_what_is_no_board_is_not_taken_for_one(name: str) -> None:
    seen = find_board(no_boards()[name])
    assert not seen.found
    assert seen.corners_px is None
    assert seen.confidence < BoardFinderSettings().sure_enough


def test_one_row_of_points_is_no_board() -> None:
    board = flat_board(checkers=False)
    board[board.shape[0] // 2 :] = (150, 190, 205)
    picture, _ = photographed(board, 0.0, 0.0)
    assert not find_board(picture).found


def test_a_tiny_picture_holds_no_board() -> None:
    assert not find_board(np.zeros((16, 16, 3), dtype=np.uint8)).found


@pytest.mark.shared
@needs_shared
def test_rendered_boards_are_found_within_three_per_cent() -> None:
    folder = SHARED / "renders"
    lines = (folder / "labels.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines if line.strip()][::24]
    near = wrong = 0
    for row in rows:
        seen = find_board(read_image(folder / row["file"]))
        if seen.found:
            error = worst_share(seen, np.asarray(row["board_corners"], dtype=np.float64))
            near += error <= 0.03
            wrong += error > 0.10
    assert wrong == 0
    assert near >= len(rows) // 2
