import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from recording.record_errors import KeyFileError
from recording.signing import device_key, public_key_from_text, read_public_key
from tests.support.records import key_of


def test_the_key_is_made_once_for_its_owner_alone(tmp_path: Path) -> None:
    made, again = device_key(tmp_path / "data"), device_key(tmp_path / "data")
    assert made.public == again.public
    assert stat.S_IMODE((tmp_path / "data" / "signing.key").stat().st_mode) == 0o600
    assert sorted(one.name for one in (tmp_path / "data").iterdir()) == [
        "signing.key",
        "signing.pub",
    ]
    assert read_public_key(tmp_path / "data" / "signing.pub") == made.public


def test_two_first_starts_at_once_agree_on_one_key(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        keys = list(pool.map(lambda _: device_key(tmp_path / "data"), range(16)))
    assert len({key.public for key in keys}) == 1


def test_a_key_others_could_read_is_closed_and_told_of(tmp_path: Path) -> None:
    device_key(tmp_path)
    path = tmp_path / "signing.key"
    path.chmod(0o644)
    assert device_key(tmp_path).was_exposed
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert not device_key(tmp_path).was_exposed


@pytest.mark.parametrize("data", [b"", b"no key", b"\0" * 64])
def test_a_spoiled_key_is_never_replaced_silently(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "signing.key").write_bytes(data)
    with pytest.raises(KeyFileError, match="no signing key"):
        device_key(tmp_path)
    assert (tmp_path / "signing.key").read_bytes() == data


def test_the_secret_key_is_not_taken_for_the_public_one(tmp_path: Path) -> None:
    device_key(tmp_path)
    with pytest.raises(KeyFileError, match=r"signing\.pub"):
        read_public_key(tmp_path / "signing.key")


@pytest.mark.parametrize("data", [b"", b"-----BEGIN PUBLIC KEY-----\nAAAA\n"])
def test_what_is_no_public_key_is_refused(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.pub").write_bytes(data)
    with pytest.raises(KeyFileError):
        read_public_key(tmp_path / "a.pub")
    with pytest.raises(KeyFileError):
        read_public_key(tmp_path / "missing.pub")
    with pytest.raises(KeyFileError):
        public_key_from_text("AAAA")


def test_a_signature_holds_for_its_message_and_its_key_only() -> None:
    one, other = key_of(1), key_of(2)
    signature = one.sign(b"message")
    assert one.public.verifies(signature, b"message")
    assert not one.public.verifies(signature, b"massage")
    assert not other.public.verifies(signature, b"message")
    assert public_key_from_text(one.public.text) == one.public
