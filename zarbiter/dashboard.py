"""The dashboard on its port, beside a table in service."""

from dataclasses import replace

from web.api import RefereeApi
from web.settings import WebSettings


class Dashboard:
    """A running dashboard.

    Args:
        api: the table.
        settings: where it is found, and the folder of its PINs.

    Raises:
        OSError: the port is taken, or not ours to take.
    """

    def __init__(self, api: RefereeApi, settings: WebSettings) -> None:
        # Flask and waitress are loaded only where something is served.
        from web.app import create_app, serving_of
        from web.qr import join_address
        from web.server import WebServer

        app = create_app(api, settings)
        try:
            self._server = WebServer(app, settings)
        except OSError as error:
            where = f"{settings.host}:{settings.port}"
            raise OSError(error.errno, f"{where} cannot be served: {error.strerror}") from error
        self._code = None if settings.at_home else serving_of(app).access.setup_code
        path = f"{settings.prefix}/"
        self._phones = (
            None
            if settings.on_loopback
            else join_address(replace(settings, port=self._server.port), self._server.url, path)
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
