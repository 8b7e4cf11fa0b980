import cv2
import numpy as np
import pytest

from vision.networks import blob_of, net_of, packaged


def test_pictures_become_planes_between_minus_one_and_one() -> None:
    picture = np.zeros((4, 6, 3), np.uint8)
    picture[..., 2] = 255
    blob = blob_of([picture, 255 - picture])
    assert blob.shape == (2, 3, 4, 6)
    assert blob.dtype == np.float32
    np.testing.assert_allclose(blob[0, 2], 1.0, atol=1e-6)
    np.testing.assert_allclose(blob[0, 0], -1.0)
    np.testing.assert_allclose(blob[1], -blob[0], atol=1e-6)


def test_a_network_says_the_same_where_opencv_has_but_one_engine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    picture = np.random.default_rng(1).integers(0, 255, (64, 96, 3), np.uint8)

    def said() -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
        with packaged("dice_seek.onnx") as model:
            net = net_of(model)
        net.setInput(blob_of([picture]))
        return np.array(net.forward(), np.float32)

    chosen = said()
    monkeypatch.delattr(cv2.dnn, "ENGINE_CLASSIC", raising=False)
    np.testing.assert_allclose(said(), chosen, atol=1e-3)
