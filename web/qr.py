"""QR codes of the addresses by which phones join; made here, no request leaves the device."""

import io
import socket
from contextlib import closing
from urllib.parse import urlsplit

import segno

from web.settings import WebSettings, is_loopback


def qr_svg(text: str) -> bytes:
    """Return a QR code as SVG, dark on light whatever the theme: scanners want it so."""
    out = io.BytesIO()
    segno.make(text, error="m", micro=False).save(
        out, kind="svg", scale=8, border=4, dark="#000", light="#fff", title=text,
        xmldecl=False, omitsize=True,
    )  # fmt: skip
    return out.getvalue()


def qr_text(text: str) -> str:
    """Return a QR code for a terminal: half blocks, two modules a character high."""
    out = io.StringIO()
    segno.make(text, error="l", micro=False).terminal(out, border=2, compact=True)
    return out.getvalue()


def join_address(settings: WebSettings, asked_at: str, path: str) -> str:
    """Return the address that a phone can reach.

    Args:
        settings: of the dashboard.
        asked_at: how the asker reached it, as `http://192.168.1.5:8080/`.
        path: of the page, from the root.
    """
    if settings.public_url is not None:
        below = path.removeprefix(settings.prefix)
        return settings.public_url.rstrip("/") + below
    parts = urlsplit(asked_at)
    if not is_loopback(parts.hostname or "") or settings.on_loopback:
        return f"{parts.scheme}://{parts.netloc}{path}"
    address = own_address()
    host = f"[{address}]" if ":" in address else address
    return f"http://{host}:{settings.port}{path}"


def own_address() -> str:
    """Return the address this device has on its network; no packet is sent."""
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as probe:
        try:
            # An address for documentation: only the route is looked up.
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"
