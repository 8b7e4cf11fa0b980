"""The device's Ed25519 key: made on first start, signs records, never leaves the device."""

import base64
import hashlib
import os
import stat
import tempfile
from pathlib import Path
from typing import Final

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
    load_pem_public_key,
)

from recording.record_errors import KeyFileError, from_os
from recording.record_files import sync_folder

KEY_FILE: Final = "signing.key"
PUBLIC_FILE: Final = "signing.pub"


class PublicKey:
    """Checks signatures.

    Args:
        raw: the 32 bytes of an Ed25519 public key.
    """

    def __init__(self, raw: bytes) -> None:
        self._key = Ed25519PublicKey.from_public_bytes(raw)
        self.raw = raw

    @property
    def fingerprint(self) -> str:
        """Sixteen hex digits for people to compare."""
        return hashlib.sha256(self.raw).hexdigest()[:16]

    @property
    def text(self) -> str:
        """The key as rows have it."""
        return base64.b64encode(self.raw).decode("ascii")

    def verifies(self, signature: bytes, message: bytes) -> bool:
        """Tell whether the key's owner signed the message."""
        try:
            self._key.verify(signature, message)
        except InvalidSignature:
            return False
        return True

    def __eq__(self, other: object) -> bool:
        """Compare by the key itself."""
        return isinstance(other, PublicKey) and other.raw == self.raw

    def __hash__(self) -> int:
        """Hash by the key itself."""
        return hash(self.raw)


class SigningKey:
    """Signs.

    Args:
        key: the secret.
        was_exposed: whether others could read its file before it was opened here.
    """

    def __init__(self, key: Ed25519PrivateKey, *, was_exposed: bool = False) -> None:
        self._key = key
        self.was_exposed = was_exposed
        self.public = PublicKey(key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw))

    def sign(self, message: bytes) -> bytes:
        """Return the signature of a message, 64 bytes."""
        return self._key.sign(message)


def public_key_from_text(text: str) -> PublicKey:
    """Read a key as rows have it.

    Raises:
        KeyFileError: no key.
    """
    try:
        return PublicKey(base64.b64decode(text, validate=True))
    except ValueError as error:
        raise _no_key(text[:60]) from error


def read_public_key(path: Path) -> PublicKey:
    """Read a public key's PEM file.

    Raises:
        KeyFileError: it cannot be read, is none, or is the secret one.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise KeyFileError(
            f"Не прочитать {path}: {error.strerror}.", f"Cannot read {path}: {error.strerror}."
        ) from error
    if b"PRIVATE KEY" in data:
        raise KeyFileError(
            f"{path} — секретный ключ, его нельзя раздавать. Нужен {PUBLIC_FILE}.",
            f"{path} is the secret key, which must not be passed around. Give {PUBLIC_FILE}.",
        )
    try:
        key = load_pem_public_key(data)
    except (ValueError, UnsupportedAlgorithm) as error:
        raise _no_key(str(path)) from error
    if not isinstance(key, Ed25519PublicKey):
        raise _no_key(str(path))
    return PublicKey(key.public_bytes(Encoding.Raw, PublicFormat.Raw))


def device_key(folder: Path) -> SigningKey:
    """Return the device's key, made on first start with its public half beside it.

    Args:
        folder: the data folder; made if missing.

    Raises:
        KeyFileError: the file holds no key.
        RecordError: the folder cannot be written.
    """
    path = folder / KEY_FILE
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            _make(path)
        key = _load(path)
        public = folder / PUBLIC_FILE
        if not public.exists():
            _write_whole(public, _public_pem(key), 0o644)
    except OSError as error:
        raise from_os(path, error) from error
    return key


def _make(path: Path) -> None:
    secret = Ed25519PrivateKey.generate()
    pem = secret.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    _write_whole(path, pem, 0o600)


def _write_whole(path: Path, data: bytes, mode: int) -> None:
    """Let the file appear whole or not at all; where two make it at once, the first stays."""
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            os.fchmod(descriptor, mode)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(temporary, path)
        except FileExistsError:
            pass
        except OSError:  # a file system without links
            temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
    sync_folder(path.parent)


def _load(path: Path) -> SigningKey:
    mode = stat.S_IMODE(path.stat().st_mode)
    exposed = bool(mode & 0o077)
    if exposed:
        path.chmod(0o600)
    try:
        key = load_pem_private_key(path.read_bytes(), password=None)
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise _unusable(path) from error
    if not isinstance(key, Ed25519PrivateKey):
        raise _unusable(path)
    return SigningKey(key, was_exposed=exposed)


def _public_pem(key: SigningKey) -> bytes:
    public = Ed25519PublicKey.from_public_bytes(key.public.raw)
    return public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)


def _unusable(path: Path) -> KeyFileError:
    return KeyFileError(
        f"{path} — не ключ подписи. Верните его из копии или уберите в сторону: тогда будет "
        "создан новый, и протоколы отметят смену ключа.",
        f"{path} is no signing key. Bring it back from a copy, or move it away: then a new one "
        "is made and the records note the change.",
    )


def _no_key(what: str) -> KeyFileError:
    return KeyFileError(
        f"{what} — не открытый ключ Ed25519.", f"{what} is no Ed25519 public key."
    )
