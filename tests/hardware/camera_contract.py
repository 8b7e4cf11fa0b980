"""What every camera must do: one suite, run over each of them."""

import numpy as np
import pytest

from hardware.camera import Camera, CameraError
from tests.hardware.scenes import BLUE, RED, quarter


class CameraContract:
    """Subclass it with a fixture `camera` that shows `scenes.scene`, number by number."""

    shows_scene = True
    """Whether the pictures are of `scenes.scene`."""

    def test_a_picture_is_blue_first_contiguous_and_eight_bits(self, camera: Camera) -> None:
        bgr = camera.read().bgr
        assert bgr.dtype == np.uint8
        assert bgr.ndim == 3
        assert bgr.shape[2] == 3
        assert bgr.flags.c_contiguous
        assert bgr.flags.writeable
        if self.shows_scene:
            assert quarter(bgr, 0, 0) == pytest.approx(BLUE, abs=25)
            assert quarter(bgr, 1, 0) == pytest.approx(RED, abs=25)

    def test_a_picture_is_the_readers_own(self, camera: Camera) -> None:
        first = camera.read()
        kept = first.bgr.copy()
        second = camera.read()
        if second is not first:
            second.bgr[:] = 0
        assert np.array_equal(first.bgr, kept)
        if second is not first:
            assert not np.shares_memory(first.bgr, second.bgr)

    def test_numbers_and_times_never_go_back(self, camera: Camera) -> None:
        pictures = [camera.read() for _ in range(5)]
        assert [one.seq for one in pictures] == sorted(one.seq for one in pictures)
        assert [one.at_s for one in pictures] == sorted(one.at_s for one in pictures)
        assert pictures[0].seq >= 0

    def test_all_pictures_have_one_size(self, camera: Camera) -> None:
        assert len({camera.read().bgr.shape for _ in range(4)}) == 1

    def test_after_closing_there_are_no_pictures(self, camera: Camera) -> None:
        camera.read()
        camera.close()
        camera.close()
        with pytest.raises(CameraError, match="closed"):
            camera.read()
        with pytest.raises(CameraError, match="closed"):
            camera.read()
