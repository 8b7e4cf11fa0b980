import contextlib
import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.cv import BgrImage, as_u8
from vision.frame import Frame, FrameError, decode_image, read_image

RNG = np.random.default_rng(4)
PICTURE = as_u8(RNG.integers(0, 256, (40, 60, 3)))


def encoded(
    suffix: str, picture: BgrImage | np.ndarray[tuple[int, ...], np.dtype[np.uint16]]
) -> bytes:
    ok, data = cv2.imencode(suffix, picture)
    assert ok
    return data.tobytes()


JPEG = encoded(".jpg", PICTURE)
PNG = encoded(".png", PICTURE)


def code_of(data: bytes) -> str:
    with pytest.raises(FrameError) as caught:
        decode_image(data, "a picture")
    return caught.value.code


def with_segment(marker: int, content: bytes) -> bytes:
    """The JPEG with a segment put in at its head."""
    return (
        JPEG[:2]
        + bytes([0xFF, marker])
        + struct.pack(">H", len(content) + 2)
        + content
        + JPEG[2:]
    )


def png_chunk(kind: bytes, content: bytes) -> bytes:
    return (
        struct.pack(">I", len(content))
        + kind
        + content
        + struct.pack(">I", zlib.crc32(kind + content))
    )


def test_a_picture_comes_out_blue_first(tmp_path: Path) -> None:
    path = tmp_path / "доска.png"
    path.write_bytes(PNG)
    assert np.array_equal(read_image(path), PICTURE)


@pytest.mark.parametrize("channels", [1, 3, 4])
@pytest.mark.parametrize("deep", [False, True])
def test_gray_deep_and_transparent_pictures_become_plain_colour(
    channels: int, deep: bool
) -> None:
    gray = PICTURE[:, :, :1]
    full = np.concatenate([PICTURE, gray], axis=2)
    picture = gray if channels == 1 else full[:, :, :channels]
    data = encoded(".png", picture.astype(np.uint16) * 257 if deep else picture)
    bgr = decode_image(data, "picture")
    assert bgr.dtype == np.uint8
    assert np.array_equal(bgr, np.repeat(gray, 3, axis=2) if channels == 1 else PICTURE)


def test_a_picture_lying_on_its_side_is_set_upright() -> None:
    turn_right = b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0"
    assert decode_image(with_segment(0xE1, turn_right), "picture").shape == (60, 40, 3)


@pytest.mark.parametrize("share", [0.3, 0.6, 0.99])
def test_a_cut_jpeg_is_refused_though_it_would_decode(share: float) -> None:
    assert code_of(JPEG[: int(len(JPEG) * share)]) == "truncated"
    assert code_of(JPEG[:-1]) == "truncated"


def test_the_end_of_a_thumbnail_is_not_the_end_of_the_picture() -> None:
    whole = with_segment(0xE1, b"Exif\0\0" + JPEG[:900] + b"\xff\xd9")
    assert decode_image(whole, "picture").shape == PICTURE.shape
    assert code_of(whole[:-400]) == "truncated"


def test_what_a_telephone_hangs_behind_a_jpeg_does_no_harm() -> None:
    assert decode_image(JPEG + bytes(9000), "picture").shape == PICTURE.shape


@pytest.mark.parametrize("share", [0.3, 0.9])
def test_a_cut_png_is_refused(share: float) -> None:
    assert code_of(PNG[: int(len(PNG) * share)]) == "truncated"


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "empty_file"),
        (b"hello, I am a text\n", "not_a_picture"),
        (b"\xff\xd8\xff\xd9", "not_a_picture"),
        (b"\xff\xd8", "truncated"),
        (b"\x89PNG\r\n\x1a\n", "not_a_picture"),
        (RNG.bytes(3000), "not_a_picture"),
        (encoded(".png", PICTURE[:1, :1]), "too_small"),
        (encoded(".jpg", PICTURE[:15]), "too_small"),
    ],
    ids=["empty", "text", "bare", "two bytes", "PNG head", "noise", "a pixel", "a strip"],
)
def test_what_is_no_picture_is_refused_with_its_cause(data: bytes, code: str) -> None:
    assert code_of(data) == code


@given(st.integers(0, len(JPEG) - 1), st.binary(min_size=1, max_size=40))
def test_a_damaged_file_gives_a_picture_or_a_cause(at: int, scratch: bytes) -> None:
    for whole in (JPEG, PNG):
        data = whole[:at] + scratch + whole[at + len(scratch) :]
        with contextlib.suppress(FrameError):
            assert decode_image(data, "picture").ndim == 3


def test_a_huge_picture_is_refused_before_it_is_unpacked() -> None:
    head = struct.pack(">IIBBBBB", 60_000, 60_000, 8, 2, 0, 0, 0)
    bomb = (
        PNG[:8] + png_chunk(b"IHDR", head) + png_chunk(b"IDAT", b"") + png_chunk(b"IEND", b"")
    )
    assert code_of(bomb) == "too_large"
    at = JPEG.index(b"\xff\xc0")
    sides = struct.pack(">HH", 60_000, 60_000)
    assert code_of(JPEG[: at + 5] + sides + JPEG[at + 9 :]) == "too_large"


def test_files_that_are_none_are_named(tmp_path: Path) -> None:
    for path, code in (
        (tmp_path, "is_directory"),
        (tmp_path / "nothing.jpg", "not_found"),
        (tmp_path / ("n" * 300), "unreadable"),
        (tmp_path / "zero\0byte", "not_found"),
        (tmp_path / "half\ud800pair", "not_found"),
    ):
        with pytest.raises(FrameError) as caught:
            read_image(path)
        assert caught.value.code == code
        assert str(caught.value)


def test_the_error_names_the_file_as_it_was_given(tmp_path: Path) -> None:
    path = tmp_path / "text.jpg"
    path.write_text("hello")
    with pytest.raises(FrameError, match=r"text\.jpg is not a picture"):
        read_image(path)


@pytest.mark.parametrize(
    "picture",
    [np.zeros((4, 4), np.uint8), np.zeros((4, 4, 4), np.uint8), np.zeros((4, 4, 3), np.uint16)],
)
def test_a_frame_is_a_colour_picture(picture: BgrImage) -> None:
    with pytest.raises(FrameError, match="uint8"):
        Frame(picture)
