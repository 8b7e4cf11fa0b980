import numpy as np
import pytest

from hardware import Camera, CameraError
from table.camera import TableCamera
from table.looks import LOOKS
from table.scene import Scene
from table.script import Shot

SIZE = (120, 90)


def shot(at_s: float, exposure: float = 1.0) -> Shot:
    return Shot(at_s, "before", Scene(LOOKS["walnut"], exposure=exposure))


def test_the_newest_scene_is_photographed_and_older_ones_are_dropped() -> None:
    camera = TableCamera(SIZE)
    for at_s in (0.2, 0.4, 0.6):
        camera.show(shot(at_s))
    reader: Camera = camera
    frame = reader.read()
    assert frame.bgr.shape == (90, 120, 3)
    assert (frame.at_s, frame.seq, camera.dropped) == (0.6, 2, 2)


def test_the_same_scene_is_photographed_once() -> None:
    camera = TableCamera(SIZE)
    camera.show(shot(0.2))
    assert camera.read() is camera.read()
    camera.show(shot(0.4, exposure=0.5))
    assert np.mean(camera.read().bgr) > 5
    assert camera.dropped == 0


def test_a_camera_without_a_scene_gives_no_picture() -> None:
    with pytest.raises(CameraError, match="nothing"):
        TableCamera(SIZE).read()


def test_a_closed_camera_gives_no_picture() -> None:
    camera = TableCamera(SIZE)
    camera.show(shot(0.2))
    camera.close()
    camera.close()
    with pytest.raises(CameraError, match="closed"):
        camera.read()
