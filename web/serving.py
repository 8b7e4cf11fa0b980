"""What the views share: the table, the settings, who may come in, the streams."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from flask import Blueprint, current_app, g

from web.access import AccessStore
from web.access_gate import PinGate
from web.api import RefereeApi
from web.pictures import CloseUps, Viewers
from web.roles import WebRole
from web.session import Session
from web.settings import WebSettings
from web.steps import Matches
from web.stream import Feed, Slots

NAME: Final = "zarbiter"
ViewT = TypeVar("ViewT", bound=Callable[..., Any])


@dataclass(frozen=True)
class Serving:
    """Everything a view may ask."""

    api: RefereeApi
    settings: WebSettings
    access: AccessStore
    pins: PinGate
    feed: Feed
    streams: Slots
    viewers: Viewers
    close_ups: CloseUps
    matches: Matches
    closing: Callable[[], None] = lambda: None
    """Called when the server stops."""
    behind: bool = False
    """Whether all this is of a while ago."""
    late: "Serving | None" = None
    """What spectators are served where they see the match late."""
    roles: dict[str, WebRole | None] = field(default_factory=dict)
    """Endpoint → the least role it serves; None: anybody."""


class ApiBlueprint(Blueprint):
    """Views of the JSON API, each with the role it needs."""

    def __init__(self, name: str) -> None:
        super().__init__(name, __name__, url_prefix="/api/v1")
        self.roles: dict[str, WebRole | None] = {}

    def on(self, method: str, rule: str, role: WebRole | None) -> Callable[[ViewT], ViewT]:
        """Serve a rule.

        Args:
            method: `GET` or `POST`.
            rule: below `/api/v1`.
            role: the least that is served; None: anybody.
        """

        def add(view: ViewT) -> ViewT:
            self.add_url_rule(rule, view.__name__, view, methods=[method])
            self.roles[f"{self.name}.{view.__name__}"] = role
            return view

        return add


def serving() -> Serving:
    """Return what the current app serves to whoever asks."""
    found: Serving = current_app.extensions[NAME]
    session: Session | None = g.get("session")
    if found.late is not None and session is not None and session.role is WebRole.SPECTATOR:
        return found.late
    return found


def viewer() -> Session:
    """Return who asks."""
    session: Session = g.session
    return session
