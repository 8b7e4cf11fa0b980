from collections.abc import Sequence

import numpy as np
import pytest

from calibration.camera_pose import CameraPose, camera_over
from calibration.geometry import BoardGeometry
from calibration.homography import apply, board_from_image
from calibration.layout import BoardLayout
from table.die import DiePose, project
from table.looks import LOOKS
from table.render import die_patch, render
from table.scene import Camera, Die, Scene
from table.truth import corners_px
from table.world import Board
from vision.cv import BgrImage, FloatImage
from vision.die_lie import (
    CROP_PX,
    DIE_PX,
    LieNet,
    crop,
    crop_from_image,
    mended_views,
    read_lies,
)
from vision.observation import DieReading

SIZE = (1280, 960)


@pytest.fixture(scope="module")
def net() -> LieNet:
    return LieNet.load()


def pose_of(camera: Camera) -> CameraPose:
    geometry = BoardGeometry()
    projection = camera.projection(geometry, SIZE)
    field = [[0, 0, 0], [480, 0, 0], [480, 420, 0], [0, 420, 0]]
    corners = [(float(x), float(y)) for x, y in project(projection, field)]
    return camera_over(board_from_image(corners, 480.0, 420.0), SIZE)


def noise() -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    rng = np.random.default_rng(3)
    return rng.integers(0, 256, (CROP_PX, CROP_PX, 3), dtype=np.uint8)


@pytest.mark.parametrize("box", [(200.0, 180.0, 24.0, 26.0), (900.0, 700.0, 44.0, 40.0)])
def test_the_crop_has_the_die_in_its_middle_at_a_fixed_size(
    box: tuple[float, float, float, float],
) -> None:
    matrix, slant = crop_from_image(pose_of(Camera(tilt_deg=14.0)), box)
    x, y, width, height = box

    corners = apply(matrix, [(x, y), (x + width, y), (x + width, y + height), (x, y + height)])
    middle = apply(matrix, [(x + width / 2, y + height / 2)])[0]
    first, second = corners[2] - corners[0], corners[3] - corners[1]
    area = abs(float(first[0] * second[1] - first[1] * second[0])) / 2

    assert middle == pytest.approx([(CROP_PX - 1) / 2] * 2)
    assert np.sqrt(area) == pytest.approx(DIE_PX, rel=0.01)
    assert slant > 0.0


def test_the_crop_is_cut_where_its_homography_says() -> None:
    picture = np.zeros((200, 200, 3), np.uint8)
    picture[90:111, 100:121] = 255
    matrix, _ = crop_from_image(pose_of(Camera()), (100.0, 90.0, 21.0, 21.0))

    seen = crop(picture, matrix)

    assert seen.shape == (CROP_PX, CROP_PX, 3)
    assert seen[CROP_PX // 2, CROP_PX // 2].min() == 255
    assert seen[4, 4].max() == 0
    assert seen[..., 0].mean() / 255 == pytest.approx((DIE_PX / CROP_PX) ** 2, rel=0.1)


def test_left_and_right_do_not_matter(net: LieNet) -> None:
    seen, mirrored = net.look([noise(), np.ascontiguousarray(noise()[:, ::-1])], [0.3, 0.3])

    mirrored[7] = -mirrored[7]
    assert seen == pytest.approx(mirrored, abs=1e-3)


def test_looking_at_two_dice_at_once_changes_nothing(net: LieNet) -> None:
    both = net.look([noise(), noise()[::-1]], [0.1, 0.5])

    assert both[1] == pytest.approx(net.look([noise()[::-1]], [0.5])[0], abs=1e-4)


def test_without_dice_nothing_is_asked() -> None:
    assert read_lies(np.zeros((96, 96, 3), np.uint8), (), pose_of(Camera())) == ()


@pytest.mark.parametrize("camera", [Camera(tilt_deg=3.0), Camera(tilt_deg=17.0)])
def test_a_drawn_die_that_lies_flat_looks_flatter_than_a_leaning_one(
    net: LieNet, camera: Camera
) -> None:
    board = Board(LOOKS["baize"], BoardLayout.of("top_right"), BoardGeometry())
    flat = Die(DiePose(5, 120.0, 215.0, yaw_deg=25.0))
    edge = board.look.die.edge_mm
    leaning = Die(DiePose(3, 260.0 + 0.68 * edge, 215.0, 180.0, 33.0, 90.0), where="wall")
    scene = Scene(board.look, board.geometry, camera, dice=(flat, leaning))
    boxes = [die_patch(scene, one).box_px for one in scene.dice]
    dice = [
        DieReading(5, (x + width / 2, y + height / 2), (x, y, width, height), 0.99)
        for x, y, width, height in boxes
    ]
    pose = camera_over(board_from_image(corners_px(scene), 480.0, 420.0), SIZE)

    lies = read_lies(render(scene), dice, pose, net)

    assert lies[0].tilted < lies[1].tilted
    assert lies[0].tilted < 0.3


def test_an_outline_is_mended_until_it_fits_however_large_it_was_at_first(
    net: LieNet, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = Board(LOOKS["baize"], BoardLayout.of("top_right"), BoardGeometry())
    camera = Camera(tilt_deg=3.0)
    scene = Scene(
        board.look, board.geometry, camera, dice=(Die(DiePose(5, 120.0, 215.0, 25.0)),)
    )
    x, y, width, height = die_patch(scene, scene.dice[0]).box_px
    reading = DieReading(5, (x + width / 2, y + height / 2), (x, y, width, height), 0.99)
    pose = camera_over(board_from_image(corners_px(scene), 480.0, 420.0), SIZE)
    bgr = render(scene)
    asked: list[bool] = []
    look = net.look

    def counted(
        crops: Sequence[BgrImage], slants: Sequence[float], *, mirrored: bool = True
    ) -> FloatImage:
        asked.append(mirrored)
        return look(crops, slants, mirrored=mirrored)

    monkeypatch.setattr(net, "look", counted)
    (fits,) = read_lies(bgr, [reading], pose, net)
    at_once = len(asked)
    (large,) = read_lies(bgr, [reading], pose, net, grown=1.3)
    assert at_once < len(asked) - at_once <= 6
    assert fits.tilted < 0.2
    assert large.tilted < 0.2
    assert large.on_board > 0.9


def test_mending_yields_every_outline_on_the_way_and_ends_where_nothing_is_left_to_mend(
    net: LieNet,
) -> None:
    fits = crop_from_image(pose_of(Camera()), (600.0, 400.0, 30.0, 30.0))
    large = crop_from_image(pose_of(Camera()), (570.0, 370.0, 90.0, 90.0))
    stages = list(mended_views(np.full((960, 1280, 3), 90, np.uint8), [fits, large], net))
    assert all(
        np.array_equal(a[0], b[0]) for a, b in zip(stages[0], [fits, large], strict=True)
    )
    assert 2 <= len(stages) <= 6
    assert not np.array_equal(stages[0][1][0], stages[-1][1][0])
    assert list(mended_views(np.zeros((9, 9, 3), np.uint8), [], net)) == [[]]
