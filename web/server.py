"""The dashboard's server: waitress inside the program, with caps, and an end within seconds.

One process and one owner of the table: started twice on a port, the second fails.
"""

import logging
import socket
import threading
import time
from typing import Any, Final

from flask import Flask
from waitress import wasyncore
from waitress.channel import HTTPChannel
from waitress.server import create_server

from web.app import close_streams, serving_of
from web.body import MOST_BYTES
from web.settings import WebSettings

SPARE_THREADS: Final = 10
"""For everything that is no stream."""
_PENDING_BYTES: Final = 12 * 1024
"""What may wait for a slow client before its stream waits too: then pictures are left out."""
_KERNEL_BYTES: Final = 16 * 1024
"""On the way to a client at once; ..."""
_UNSENT_BYTES: Final = 8 * 1024
"""... and of these not on the way yet."""
_DEAD_AFTER_MS: Final = 20_000
"""A client that acknowledges nothing for so long is gone, as a phone out of reach."""
_MOST_CONNECTIONS: Final = 256
_END_S: Final = 1
_TURN_S: Final = 0.25


class WebServer:
    """Serves an app in threads of its own.

    Args:
        app: made by `create_app`.
        settings: the host and port; port 0 takes a free one.

    Raises:
        OSError: the port is taken, or not ours to take.
    """

    def __init__(self, app: Flask, settings: WebSettings) -> None:
        self._app = app
        self._sockets: dict[int, Any] = {}
        self._ending = threading.Event()
        self._socket = _listening(settings.host, settings.port)
        trusted: dict[str, Any] = {}
        if settings.trusted_proxy is not None:
            trusted = {
                "trusted_proxy": settings.trusted_proxy,
                "trusted_proxy_headers": {"x-forwarded-for", "x-forwarded-proto"},
                "trusted_proxy_count": 1,
            }
        self._server = create_server(
            app,
            map=self._sockets,
            sockets=[self._socket],
            threads=settings.most_streams + settings.most_viewers + SPARE_THREADS,
            ident=None,
            connection_limit=_MOST_CONNECTIONS,
            channel_timeout=60,
            cleanup_interval=10,
            max_request_body_size=MOST_BYTES + 1,
            max_request_header_size=16 * 1024,
            outbuf_high_watermark=_PENDING_BYTES,
            # Reads on while a stream runs: so it is noticed that its client has gone.
            channel_request_lookahead=1,
            asyncore_use_poll=True,
            asyncore_loop_timeout=1,
            clear_untrusted_proxy_headers=True,
            log_socket_errors=False,
            **trusted,
        )
        self._server.adj.socket_options = _socket_options()
        logging.getLogger("waitress.queue").setLevel(logging.ERROR)
        # A client that leaves is no news; its path might hold more than a log should.
        logging.getLogger("waitress").setLevel(logging.WARNING)
        self._thread = threading.Thread(target=self._run, name="web-server", daemon=True)

    @property
    def port(self) -> int:
        """The port it listens on."""
        return int(self._socket.getsockname()[1])

    @property
    def url(self) -> str:
        """Where a browser on this device finds it."""
        return f"http://localhost:{self.port}{serving_of(self._app).settings.prefix}/"

    def start(self) -> None:
        """Serve, in the background."""
        self._thread.start()

    def close(self) -> None:
        """Serve no more: streams end, what is being answered is answered."""
        close_streams(self._app)
        self._ending.set()
        if self._thread.is_alive():
            self._thread.join(_END_S + 4 * _TURN_S)

    def _run(self) -> None:
        while not self._ending.is_set():
            wasyncore.loop(_TURN_S, use_poll=True, map=self._sockets, count=1)
        ends = threading.Thread(target=self._end_tasks, name="web-server-end", daemon=True)
        ends.start()
        until_s = time.monotonic() + _END_S / 2
        while ends.is_alive():
            # What is still being answered goes out through this loop.
            wasyncore.loop(0.05, use_poll=True, map=self._sockets, count=1)
            if time.monotonic() > until_s:
                self._hang_up()
        self._hang_up()
        wasyncore.close_all(self._sockets, ignore_all=True)

    def _hang_up(self) -> None:
        """Part from clients that do not read: a thread waits for each of them."""
        for one in list(self._sockets.values()):
            if isinstance(one, HTTPChannel):
                one.handle_close()

    def _end_tasks(self) -> None:
        self._server.task_dispatcher.shutdown(cancel_pending=True, timeout=_END_S)


def _listening(host: str, port: int) -> socket.socket:
    family, kind, protocol, _, address = socket.getaddrinfo(
        host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    made = socket.socket(family, kind, protocol)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind(address)
    except OSError:
        made.close()
        raise
    return made


def _socket_options() -> list[tuple[int, int, int]]:
    options = [
        (socket.IPPROTO_TCP, socket.TCP_NODELAY, 1),
        # What the kernel holds back for a slow viewer is old when it gets there.
        (socket.SOL_SOCKET, socket.SO_SNDBUF, _KERNEL_BYTES),
        (socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1),
    ]
    if hasattr(socket, "TCP_NOTSENT_LOWAT"):
        options.append((socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, _UNSENT_BYTES))
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        options.append((socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _DEAD_AFTER_MS))
    return options
