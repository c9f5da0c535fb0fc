"""The dashboard: pages, API and live stream over a companion; nothing here knows vision or rules."""

from companion.dashboard.app import create_app
from companion.dashboard.server import ServeError, open_server, serve

__all__ = ["ServeError", "create_app", "open_server", "serve"]
