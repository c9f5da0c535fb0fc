"""Starts a companion with its dashboard, after everything it was given has been looked at."""

from __future__ import annotations

import errno
import os
import socket
from collections.abc import Callable

from calibration.board import load_board
from calibration.lens import load_lens
from calibration.store import load_calibration
from companion.config import CompanionConfig, ConfigError
from vision.sources import STREAM_SCHEMES, open_film


def check_inputs(config: CompanionConfig, host: str, port: int) -> None:
    """Opens what can be opened before the start, so that a mistake is one line now and not a page that stays empty.

    Raises BoardFileError, CalibrationError, SourceError or ConfigError. Cameras and streams may come later.
    """
    load_board(config.board_path)
    if config.lens_path is not None:
        load_lens(config.lens_path)
    if config.calibration_path is not None:
        load_calibration(config.calibration_path)
    if names_a_film(config.camera):
        open_film_path(config.camera)
    check_port(host, port)


def names_a_film(camera: str) -> bool:
    """True where the source is neither virtual, nor a device's number, nor a stream's address."""
    return not (camera == "virtual" or camera.isdecimal() or camera.lower().startswith(STREAM_SCHEMES))


def open_film_path(path: str) -> None:
    """Opens and closes a film. Raises SourceError."""
    from pathlib import Path

    open_film(Path(path)).close()


def check_port(host: str, port: int) -> None:
    """Tries to listen. Raises ConfigError where the port is taken or the address is not ours."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            if os.name == "posix":  # elsewhere the option would let two programs share the port
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, port))
    except OSError as error:
        raise ConfigError(_port_message(host, port, error)) from None


def serve_companion(config: CompanionConfig, host: str, port: int, announce: Callable[[str], None]) -> None:
    """Runs companion and dashboard until interrupted."""
    from companion.app import Companion
    from companion.dashboard import create_app, serve

    companion = Companion(config)
    companion.start()
    try:
        shown = "127.0.0.1" if host in ("0.0.0.0", "::") else host
        announce(
            f"Paleo Companion: open http://{shown}:{port} in a browser (Ctrl-C ends it; data in {config.data_dir})"
        )
        serve(create_app(companion), host, port)
    except OSError as error:
        raise ConfigError(_port_message(host, port, error)) from None
    finally:
        companion.stop()


def _port_message(host: str, port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"{host}:{port}: the port is in use; end the other program, or give another one with --port"
    return f"{host}:{port}: cannot listen there ({error.strerror or error}); give other --host and --port"
