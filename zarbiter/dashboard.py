"""The dashboard on its port, beside a table in service."""

from dataclasses import dataclass, replace
from pathlib import Path

from web.api import RefereeApi


@dataclass(frozen=True, slots=True)
class DashboardSettings:
    """Where the dashboard is found."""

    host: str = "127.0.0.1"
    port: int = 8080
    spectators_see_picture: bool = False
    language: str = "en"
    """Of viewers who have not chosen and whose browser names neither."""
    names: tuple[str, ...] = ()
    """Further names by which it may be asked."""
    prefix: str = ""
    """The path under which a proxy shows it."""
    proxy: str | None = None
    """The address of a proxy that is believed."""


class Dashboard:
    """A running dashboard.

    Args:
        api: the table.
        settings: where it is found.
        folder: where PINs (hashed) and the key of the session cookies are kept.

    Raises:
        OSError: the port is taken, or not ours to take.
    """

    def __init__(self, api: RefereeApi, settings: DashboardSettings, folder: Path) -> None:
        # Flask and waitress are loaded only where something is served.
        from web.app import create_app, serving_of
        from web.qr import join_address
        from web.server import WebServer
        from web.settings import WebSettings

        served = WebSettings(
            folder,
            settings.host,
            settings.port,
            settings.names,
            prefix=settings.prefix,
            trusted_proxy=settings.proxy,
            spectators_see_picture=settings.spectators_see_picture,
            language=settings.language,
        )
        app = create_app(api, served)
        try:
            self._server = WebServer(app, served)
        except OSError as error:
            where = f"{settings.host}:{settings.port}"
            raise OSError(error.errno, f"{where} cannot be served: {error.strerror}") from error
        self._code = None if served.at_home else serving_of(app).access.setup_code
        path = f"{served.prefix}/"
        self._phones = (
            None
            if served.on_loopback
            else join_address(replace(served, port=self._server.port), self._server.url, path)
        )
        self._server.start()

    @property
    def url(self) -> str:
        """Where a browser on this device finds it."""
        return self._server.url

    @property
    def port(self) -> int:
        """The port it listens on."""
        return self._server.port

    @property
    def greeting(self) -> tuple[tuple[str, str], ...]:
        """What is said at the start, Russian and English each."""
        from web.qr import qr_text

        lines = [(f"Панель: {self.url}", f"Dashboard: {self.url}")]
        if self._phones is not None:
            code = qr_text(self._phones)
            lines.append(
                (f"С телефона: {self._phones}\n{code}", f"On a phone: {self._phones}\n{code}")
            )
        if self._code is not None:
            lines.append(
                (
                    f"Код первой настройки: {self._code} — введите его на странице setup.",
                    f"Set-up code: {self._code} — enter it on the set-up page.",
                )
            )
        return tuple(lines)

    def close(self) -> None:
        """Serve no more; streams that are open end."""
        self._server.close()
