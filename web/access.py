"""PINs by role: hashed with scrypt in one file of its own, set up with a one-time code.

No PIN is there before somebody chose it. The hashes share one salt, so that a try costs one
hash whatever the role, and neither time nor answer tells which roles have a PIN.
"""

import hashlib
import hmac
import json
import os
import secrets
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final

from web.roles import WebRole

FEWEST_DIGITS: Final = MappingProxyType(
    {WebRole.ADMIN: 6, WebRole.REFEREE: 6, WebRole.PLAYER: 4, WebRole.SPECTATOR: 4}
)
"""Shortest PIN of each role; longer and other characters are welcome."""
LONGEST: Final = 64
REQUIRED: Final = (WebRole.ADMIN, WebRole.REFEREE, WebRole.PLAYER)
"""Roles that need a PIN; without one for spectators nobody joins as such."""
_ALPHABET: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
COST: Final = 2**14
"""Of scrypt, with blocks of 8: 16 MB and some 50 ms here."""
_MEMORY: Final = 64 * 2**20


class AccessError(Exception):
    """The file with the PINs cannot be read: nobody is let in until a person has looked."""


class PinError(ValueError):
    """PINs that cannot be used; says why in Russian and English."""

    def __init__(self, ru: str, en: str) -> None:
        super().__init__(en)
        self.ru, self.en = ru, en


@dataclass(frozen=True, slots=True)
class _Pin:
    hash: str
    mark: str
    """Changes with the PIN: sessions begun with an older one end."""


class AccessStore:
    """The PINs of a table.

    Args:
        path: the file; made at set-up, readable by its owner alone.
        cost: of scrypt, for PINs chosen from now on.

    Raises:
        AccessError: there is a file that this program did not write.
    """

    def __init__(self, path: Path, cost: int = COST) -> None:
        self._path, self._cost, self._read_cost = path, cost, cost
        self._lock = threading.Lock()
        self._hashing = threading.Lock()
        self._salt = b""
        self._pins: dict[WebRole, _Pin] = {}
        if path.exists():
            self._read()
        self._code = None if self._pins else _new_code()

    @property
    def is_set_up(self) -> bool:
        """Whether PINs were chosen."""
        with self._lock:
            return bool(self._pins)

    @property
    def setup_code(self) -> str | None:
        """The one-time code to show at the device; None once it was used."""
        with self._lock:
            return self._code

    def roles(self) -> tuple[WebRole, ...]:
        """Return the roles that have a PIN."""
        with self._lock:
            return tuple(self._pins)

    def mark(self, role: WebRole) -> str | None:
        """Return what changes with a role's PIN; None: it has none."""
        with self._lock:
            pin = self._pins.get(role)
            return None if pin is None else pin.mark

    def code_fits(self, code: str) -> bool:
        """Tell whether this is the one-time code; written as people write it."""
        with self._lock:
            wanted = self._code
        given = _plain(code).encode(errors="replace")
        return wanted is not None and hmac.compare_digest(given, _plain(wanted).encode())

    def choose(self, pins: Mapping[WebRole, str]) -> None:
        """Set all PINs anew; the one-time code is used up.

        Raises:
            PinError: one is missing, too short, or given to two roles.
        """
        _check(pins)
        salt = secrets.token_bytes(16)
        made = {role: _Pin(self._hash(pin, salt, self._cost), secrets.token_hex(8))
                for role, pin in pins.items()}  # fmt: skip
        with self._lock:
            self._write(salt, made)
            self._salt, self._pins, self._code = salt, made, None
            self._read_cost = self._cost

    def role_of(self, pin: str) -> WebRole | None:
        """Return whose PIN this is, None if nobody's; takes as long either way."""
        with self._lock:
            salt, pins, cost = self._salt, dict(self._pins), self._read_cost
        given = self._hash(pin[: LONGEST + 1], salt or b"-" * 16, cost)
        found = None
        for role, one in pins.items():
            if hmac.compare_digest(one.hash, given):
                found = role
        return found

    def _hash(self, pin: str, salt: bytes, cost: int) -> str:
        # One at a time: a flood of tries costs one core and 16 MB, not all.
        with self._hashing:
            return hashlib.scrypt(
                pin.encode(errors="replace"), salt=salt, n=cost, r=8, p=1, maxmem=_MEMORY
            ).hex()

    def _read(self) -> None:
        try:
            data = json.loads(self._path.read_text(encoding="utf-8"))
            if data["version"] != 1:
                raise ValueError(data["version"])
            self._salt, self._read_cost = bytes.fromhex(data["salt"]), int(data["cost"])
            self._pins = {
                WebRole(role): _Pin(str(one["hash"]), str(one["mark"]))
                for role, one in data["pins"].items()
            }
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise AccessError(
                f"{self._path}: cannot be read ({type(error).__name__}); move it away to set "
                "access up anew"
            ) from error
        if not self._pins:
            raise AccessError(f"{self._path}: holds no PIN; move it away to set up anew")

    def _write(self, salt: bytes, pins: Mapping[WebRole, _Pin]) -> None:
        text = json.dumps(
            {
                "version": 1,
                "cost": self._cost,
                "salt": salt.hex(),
                "pins": {r.value: {"hash": p.hash, "mark": p.mark} for r, p in pins.items()},
            }
        )
        write_secret(self._path, text.encode())


def write_secret(path: Path, data: bytes) -> None:
    """Write a file that only its owner may read, all or nothing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    made = path.with_name(f"{path.name}.new")
    made.unlink(missing_ok=True)
    handle = os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())
    made.replace(path)


def cookie_key(path: Path) -> bytes:
    """Return the key that session cookies are signed with, made at first use."""
    if not path.exists():
        write_secret(path, secrets.token_bytes(32))
    key = path.read_bytes()
    if len(key) < 32:
        raise AccessError(f"{path}: too short for a key; move it away")
    return key


def _new_code() -> str:
    letters = "".join(secrets.choice(_ALPHABET) for _ in range(8))
    return f"{letters[:4]}-{letters[4:]}"


def _plain(code: str) -> str:
    """Read a code as people type it: no dashes, O for 0, I and L for 1."""
    text = "".join(one for one in code.upper() if one.isalnum())
    return text.translate(str.maketrans("OIL", "011"))


def _check(pins: Mapping[WebRole, str]) -> None:
    for role in REQUIRED:
        if role not in pins:
            raise PinError(f"Задайте PIN: {role.value}.", f"Choose a PIN: {role.value}.")
    for role, pin in pins.items():
        least = FEWEST_DIGITS[role]
        if not least <= len(pin) <= LONGEST:
            raise PinError(
                f"PIN ({role.value}): не короче {least} и не длиннее {LONGEST} знаков.",
                f"The PIN of {role.value} has {least} to {LONGEST} characters.",
            )
        if len(set(pin)) == 1 or pin in "01234567890123456789" or pin in "98765432109876543210":
            raise PinError(
                f"PIN ({role.value}) слишком прост: все знаки одинаковы или идут подряд.",
                f"The PIN of {role.value} is too plain: all alike, or in sequence.",
            )
    if len(set(pins.values())) < len(pins):
        raise PinError(
            "PIN у каждой роли свой: по нему узнаётся роль.",
            "Every role has a PIN of its own: the role is told by it.",
        )
