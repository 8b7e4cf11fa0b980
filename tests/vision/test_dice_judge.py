import numpy as np
import pytest

from table.die import DieLook, DiePose, camera_looking, draw_die, render_die
from vision.cv import BgrImage
from vision.dice_judge import SIZE_PX, DiceJudge, default_judge
from vision.dice_pool import NO_DIE

WHITE = DieLook(edge_mm=14.0, gloss=0.1, pip_radius=0.1)


def die_at_middle(value: int, yaw: float = 20.0) -> tuple[BgrImage, np.ndarray]:
    bgr = np.full((160, 160, 3), (70, 110, 60), np.uint8)
    camera = camera_looking(3.0, (80.0, 80.0), distance_mm=700.0)
    patch = render_die(WHITE, DiePose(value, yaw_deg=yaw), camera)
    return draw_die(bgr, patch, 0.3), np.array([patch.box_px])


def test_the_model_is_in_the_package_and_gives_probabilities() -> None:
    answers = DiceJudge.load().look([np.zeros((SIZE_PX, SIZE_PX, 3), np.uint8)] * 3)
    assert answers.shape == (3, 8)
    assert answers.sum(axis=1) == pytest.approx(np.ones(3))


@pytest.mark.parametrize("value", range(1, 7))
def test_a_plain_white_die_is_read(value: int) -> None:
    (answer,) = default_judge().judge(*die_at_middle(value))
    assert answer.argmax() == value
    assert answer[value] > 0.9


def test_bare_cloth_is_no_die() -> None:
    bgr = np.full((100, 100, 3), (70, 110, 60), np.uint8)
    (answer,) = default_judge().judge(bgr, np.array([[40.0, 40.0, 20.0, 20.0]]))
    assert answer.argmax() == NO_DIE


def test_no_outlines_have_no_answers() -> None:
    answers = default_judge().judge(np.zeros((50, 50, 3), np.uint8), np.empty((0, 4)))
    assert answers.shape == (0, 8)
