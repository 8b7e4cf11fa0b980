"""How the dashboard is served: its slice of the configuration."""

import ipaddress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

LOOPBACK_NAMES: Final = ("localhost", "127.0.0.1", "::1")
_LANGUAGES: Final = ("ru", "en")


@dataclass(frozen=True, slots=True)
class WebSettings:
    """Where the dashboard is found and what it lets in."""

    folder: Path
    """Where PINs (hashed) and the key of the session cookies are kept."""
    host: str = "127.0.0.1"
    """The address it listens on; loopback unless told otherwise."""
    port: int = 8080
    allowed_hosts: tuple[str, ...] = ()
    """Further names by which it may be asked, as behind a proxy; no others are answered."""
    spectators_see_picture: bool = False
    """Whether spectators get pictures of the camera, live and kept."""
    language: str = "ru"
    """Of a viewer who has not chosen and whose browser names neither."""
    prefix: str = ""
    """Path under which a proxy shows it, as `/table3`."""
    trusted_proxy: str | None = None
    """Address of a proxy whose `X-Forwarded-For` and `-Proto` are believed."""
    public_url: str | None = None
    """Address on the QR codes; None: worked out."""
    most_streams: int = 24
    most_viewers: int = 4
    live_fps: float = 10.0
    """Pictures a second that viewers of the camera get at most."""
    beat_s: float = 3.0
    """Time between two beats of a stream."""
    spectator_delay_s: float = 0.0
    """How late spectators see the match; then they get no live picture."""

    def __post_init__(self) -> None:
        if self.language not in _LANGUAGES:
            raise ValueError(f"language: one of {', '.join(_LANGUAGES)}")
        if self.prefix and (not self.prefix.startswith("/") or self.prefix.endswith("/")):
            raise ValueError("prefix: begins with a slash and does not end with one")
        if not 0 <= self.spectator_delay_s <= 3600:
            raise ValueError("spectator_delay_s: 0 to 3600")
        if not 0 < self.beat_s <= 4:
            raise ValueError("beat_s: above 0, at most 4")

    @property
    def on_loopback(self) -> bool:
        """Whether only this device can reach it."""
        return is_loopback(self.host)

    @property
    def at_home(self) -> bool:
        """Whether whoever can reach it sits at the device: no PIN is asked before set-up."""
        return self.on_loopback and not self.allowed_hosts and self.trusted_proxy is None


def is_loopback(host: str) -> bool:
    """Tell whether a host name or address is this device alone."""
    if host in LOOPBACK_NAMES:
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
