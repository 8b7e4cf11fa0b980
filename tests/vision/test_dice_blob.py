import numpy as np

from vision.dice_blob import blob_of


def test_pictures_become_planes_between_minus_one_and_one() -> None:
    picture = np.zeros((4, 6, 3), np.uint8)
    picture[..., 2] = 255
    blob = blob_of([picture, 255 - picture])
    assert blob.shape == (2, 3, 4, 6)
    assert blob.dtype == np.float32
    np.testing.assert_allclose(blob[0, 2], 1.0, atol=1e-6)
    np.testing.assert_allclose(blob[0, 0], -1.0)
    np.testing.assert_allclose(blob[1], -blob[0], atol=1e-6)
