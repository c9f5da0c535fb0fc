"""The Flask application over one companion."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import metadata

from flask import Flask

from companion.access import Access
from companion.board_desk import BOARDS, BoardDesk
from companion.calibration_desk import CalibrationDesk, camera_folder
from companion.dashboard.api import make_api
from companion.dashboard.boards import make_boards
from companion.dashboard.calibration_pages import make_calibration
from companion.dashboard.entry import make_entry
from companion.dashboard.errors import answer_errors
from companion.dashboard.guard import guard
from companion.dashboard.hub import MAX_CLIENTS, Hub
from companion.dashboard.pages import make_pages
from companion.dashboard.protocol import CompanionLike
from companion.dashboard.records import make_records
from companion.dashboard.seats import make_seats
from companion.dashboard.security import protect
from companion.dashboard.shell import make_shell
from companion.dashboard.table_mark import MARK_CONFIG, table_mark
from companion.dashboard.texts import speak


def create_app(
    companion: CompanionLike,
    *,
    access: Access | None = None,
    hosts: Sequence[str] = (),
    addresses: Sequence[str] = (),
    max_streams: int = MAX_CLIENTS,
    desk: BoardDesk | None = None,
    calibration: CalibrationDesk | None = None,
) -> Flask:
    """Builds the dashboard.

    access: codes, passes and the key that signs sessions; where None they end with the process.
    hosts: names or addresses other than loopback by which browsers may ask for it; EVERY_ADDRESS for any IP address.
    addresses: where phones find it, for QR codes; the best one first.
    desk, calibration: where new boards are drawn, and the camera calibrated; without a lens where None.
    """
    app = Flask("companion.dashboard")
    app.json.sort_keys = False  # type: ignore[attr-defined]  # players stay in the order of the table
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    access = access or Access()
    protect(app, access.secret_key, hosts)
    app.config["PALEO_ADDRESSES"] = list(addresses)
    app.config[MARK_CONFIG] = table_mark(companion, _version())
    limiter = guard(app, companion, access)
    speak(app)
    answer_errors(app)
    hub = Hub(companion, max_clients=max_streams)
    app.register_blueprint(make_api(companion, hub, _version()))
    app.register_blueprint(make_entry(companion, access, limiter))
    app.register_blueprint(make_seats(companion))
    app.register_blueprint(make_records(companion))
    app.register_blueprint(make_shell(_version()))
    app.register_blueprint(make_pages(companion))
    app.register_blueprint(make_boards(desk or _desk_of(companion)))
    app.register_blueprint(make_calibration(calibration or _calibration_of(companion)))
    return app


def _desk_of(companion: CompanionLike) -> BoardDesk:
    return BoardDesk(companion.data_dir / BOARDS, lambda: companion.picture("camera"))


def _calibration_of(companion: CompanionLike) -> CalibrationDesk:
    folder = camera_folder(companion.data_dir, "unknown")
    return CalibrationDesk(folder, lambda: companion.picture("camera"), companion.board)


def _version() -> str:
    try:
        return metadata.version("paleo-companion")
    except metadata.PackageNotFoundError:
        return "0"
