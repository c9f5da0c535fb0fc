"""Starts a companion with its dashboard, after everything it was given has been looked at."""

from __future__ import annotations

import errno
import os
import socket
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from calibration.board import load_board
from calibration.lens import load_lens
from calibration.store import load_calibration
from companion.access import ACCESS_FILE, Access, Role
from companion.announcing import Announced
from companion.backup import restore_pending
from companion.certificate import certificate_for
from companion.config import CompanionConfig, ConfigError
from companion.dashboard.qr import terminal
from companion.dashboard.security import EVERY_ADDRESS as ANY_ADDRESS
from companion.no_camera import NO_CAMERA
from firmware_bridge.ports import AUTO
from firmware_bridge.transport import SerialTransport
from firmware_bridge.virtual_port import VIRTUAL_PORT
from vision.memory import shared_heap
from vision.sources import STREAM_SCHEMES, open_film, open_source

if TYPE_CHECKING:
    from companion.app import Companion

EVERYWHERE = ("0.0.0.0", "::")  # addresses that mean all of this machine's own
LOOPBACK = "127.0.0.1"
MOST_SHOWN = 60  # signs of an address that is none
NEIGHBOUR = ("192.0.2.1", 9)  # a documentation address (RFC 5737): asking the way there sends nothing


def check_inputs(config: CompanionConfig, host: str, port: int) -> None:
    """Opens what can be opened before the start, so that a mistake is one line now and not a page that stays empty.

    Raises BoardFileError, CalibrationError, PortError, SourceError or ConfigError. A camera, stream or sensor port that
    is named has to be there at the start; one that is lost later is waited for.
    """
    load_board(config.board_path)
    if config.lens_path is not None:
        load_lens(config.lens_path)
    if config.calibration_path is not None:
        load_calibration(config.calibration_path)
    check_port(host, port)
    if config.sensors not in ("none", AUTO, VIRTUAL_PORT):
        SerialTransport(config.sensors).close()
    if names_a_film(config.camera):
        open_film(Path(config.camera)).close()
    elif config.camera not in ("virtual", NO_CAMERA):
        open_source(config.camera).close()


def names_a_film(camera: str) -> bool:
    """True where the source is neither virtual, nor none, nor a device's number, nor a stream's address."""
    return not (camera in ("virtual", NO_CAMERA) or camera.isdecimal() or camera.lower().startswith(STREAM_SCHEMES))


def check_port(host: str, port: int) -> None:
    """Tries to listen. Raises ConfigError where the port is taken or the address is not ours."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            if os.name == "posix":  # elsewhere the option would let two programs share the port
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, port))
    except UnicodeError:  # of a name with two dots in a row, or of a hundred letters
        raise ConfigError(f"{_short(host)}: this is no address; expected one such as 127.0.0.1 with --host") from None
    except OSError as error:
        raise ConfigError(_port_message(host, port, error)) from None


@dataclass(frozen=True, slots=True)
class Door:
    """How the pages are reached. lan: the house comes in by QR codes, with a secure line at secure_port beside the
    plain one; trust_machine: who sits at this machine is the owner and asked for no code."""

    host: str = LOOPBACK
    port: int = 8000
    lan: bool = False
    secure_port: int = 8443
    trust_machine: bool = True


def serve_companion(config: CompanionConfig, door: Door, announce: Callable[[str], None]) -> None:
    """Runs companion and dashboard until interrupted. Raises ServeError where the address was taken meanwhile."""
    from companion.board_desk import BOARDS, BoardDesk
    from companion.calibration_desk import CalibrationDesk, camera_folder
    from companion.dashboard import create_app, open_server
    from companion.dashboard.server import Tls

    shared_heap()  # before there are threads
    restored = restore_pending(config.data_dir, config.journal_url)
    if restored is not None:
        announce(f"Restored: {restored}, as of {restored.when}")
    access = Access(config.data_dir / ACCESS_FILE, trust_machine=door.trust_machine)
    certificate = certificate_for(config.data_dir, certified_names(door.host)) if door.lan else None
    config = with_kept_calibration(config)
    companion = _make_companion(config)
    companion.start()

    def picture() -> bytes | None:
        return companion.picture("camera")

    desk = BoardDesk(config.data_dir / BOARDS, picture, config.lens_path)
    folder = camera_folder(config.data_dir, config.camera)
    calibration = CalibrationDesk(folder, picture, companion.board, config.lens_path,
                                  fps=lambda: companion.health()["camera"]["fps"],
                                  film=companion.flick_film)  # fmt: skip
    try:
        app = create_app(companion, access=access, hosts=names_of_this_machine(door.host), desk=desk,
                         calibration=calibration)  # fmt: skip
        tls = Tls(certificate, door.secure_port) if certificate is not None else None
        server = open_server(app, door.host, door.port, tls)
        plain = addresses_to_open(door.host, server.effective_port)
        secure = addresses_to_open(door.host, server.secure_port, "https") if server.secure_port else []
        app.config["PALEO_ADDRESSES"] = [a for a in (*plain, *secure) if LOOPBACK not in a]
        app.config["PALEO_AUTHORITY"] = certificate if server.secure_port else None
        for line in (*_welcome(plain, secure, door), *_first_code(access, door)):
            announce(line)
        announce(f"All it keeps lies in {config.data_dir}")
        if config.record is not None:
            announce(f"The camera is recorded, without sound, in {config.record}; later: paleo label FOLDER")
        house = [a for a in own_addresses() if door.lan]
        try:
            with Announced(house, server.effective_port, server.secure_port or 0):
                server.run()
        finally:
            app.extensions["paleo_hub"].close()
            server.close()
    finally:
        companion.stop()
        if lost := companion.unwritten:
            announce(
                f"The journal could not be written: what was seen since is lost by this end (entries: {lost}); when "
                "there is room again, tell on the page Referee what is missing"
            )


def with_kept_calibration(config: CompanionConfig) -> CompanionConfig:
    """What was measured and set for this camera on an earlier day, where nothing else is told.

    A kept pose is used only for boards without markers: markers tell it better, wherever the camera stands now.
    """
    from companion.calibration_desk import LENS_FILE, POSE_FILE, SETTINGS_FILE, camera_folder

    if names_a_film(config.camera) or config.camera == "virtual":
        return config
    folder = camera_folder(config.data_dir, config.camera)
    if config.lens_path is None and (folder / LENS_FILE).is_file():
        config = replace(config, lens_path=folder / LENS_FILE)
    if config.settings_path is None and (folder / SETTINGS_FILE).is_file():
        config = replace(config, settings_path=folder / SETTINGS_FILE)
    if config.calibration_path is None and (folder / POSE_FILE).is_file() and not load_board(config.board_path).markers:
        config = replace(config, calibration_path=folder / POSE_FILE)
    return config


def _welcome(plain: list[str], secure: list[str], door: Door) -> Iterator[str]:
    """What the terminal says: where to go, and a code for phones."""
    for address in plain:
        yield f"Paleo Companion: {address}  (Ctrl-C ends it)"
    phones = [a for a in plain if LOOPBACK not in a]
    if door.lan and phones:
        yield from (f"Secure line: {address}" for address in secure if LOOPBACK not in address)
        yield f"Phones scan this, and watch; the page Lobby at {plain[0]} shows codes to play:"
        yield terminal(phones[0])
    elif door.lan:
        yield "This machine is in no network now; phones find it when it is, and this is started again."


def _first_code(access: Access, door: Door) -> Iterator[str]:
    """The owner's code, told once: made where others can come in, or where this machine is not trusted either."""
    if access.has_code(Role.OWNER) or not (door.lan or door.host in EVERYWHERE or not door.trust_machine):
        return
    yield f"The owner's code, told this once: {access.new_code(Role.OWNER)}  (another one: paleo code owner)"


def certified_names(host: str) -> list[str]:
    """What the certificate is for: this machine's names and addresses, the name first."""
    names = [name for name in names_of_this_machine(host) if name != ANY_ADDRESS and name.isascii()]
    return names or [LOOPBACK]


def _make_companion(config: CompanionConfig) -> Companion:
    from companion.app import Companion

    try:
        return Companion(config)
    except ValueError as error:  # a board on which the game cannot be played
        raise ConfigError(str(error)) from None


def addresses_to_open(host: str, port: int, scheme: str = "http") -> list[str]:
    """What a person types into a browser, here and elsewhere in the house."""
    shown = [LOOPBACK, *own_addresses()] if host in EVERYWHERE else [host]
    return [f"{scheme}://[{name}]:{port}" if ":" in name else f"{scheme}://{name}:{port}" for name in shown]


def names_of_this_machine(host: str) -> list[str]:
    """The names by which browsers elsewhere may ask for the pages: none where only this machine is listened to."""
    if host not in EVERYWHERE:
        return [f"[{host}]" if ":" in host else host]
    name = socket.gethostname()
    return [name, f"{name}.local", *own_addresses(), ANY_ADDRESS]  # a router may give another address at any time


def own_addresses() -> list[str]:
    """This machine's address in the house's network, as far as it can be told."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(NEIGHBOUR)
        except OSError:
            return []
        return [str(probe.getsockname()[0])]


def _short(host: str) -> str:
    return host if len(host) <= MOST_SHOWN else f"{host[:MOST_SHOWN]}…"


def _port_message(host: str, port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"{host}:{port}: the port is in use; end the other program, or give another one with --port"
    return f"{host}:{port}: cannot listen there ({error.strerror or error}); give other --host and --port"
