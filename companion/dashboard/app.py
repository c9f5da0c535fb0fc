"""The Flask application over one companion."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from importlib import metadata

from flask import Flask

from companion.dashboard.api import make_api
from companion.dashboard.errors import answer_errors
from companion.dashboard.hub import MAX_CLIENTS, Hub
from companion.dashboard.pages import make_pages
from companion.dashboard.protocol import CompanionLike
from companion.dashboard.seats import make_seats
from companion.dashboard.security import protect
from companion.dashboard.texts import speak

SECRET_BYTES = 32


def create_app(
    companion: CompanionLike,
    *,
    secret_key: bytes | None = None,
    hosts: Sequence[str] = (),
    max_streams: int = MAX_CLIENTS,
) -> Flask:
    """Builds the dashboard.

    secret_key: signs sessions; a fresh one where None, then open pages fetch a new token after a restart.
    hosts: names or addresses other than loopback by which browsers may ask for it.
    """
    app = Flask("companion.dashboard")
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    protect(app, secret_key or secrets.token_bytes(SECRET_BYTES), hosts)
    speak(app)
    answer_errors(app)
    hub = Hub(companion, max_clients=max_streams)
    app.register_blueprint(make_api(companion, hub, _version()))
    app.register_blueprint(make_seats(companion))
    app.register_blueprint(make_pages(companion))
    return app


def _version() -> str:
    try:
        return metadata.version("paleo-companion")
    except metadata.PackageNotFoundError:
        return "0"
