"""The table by its name in the house's network: told by multicast DNS (RFC 6762, 6763), where that library is there."""

from __future__ import annotations

import logging
import socket
import threading
from collections.abc import Sequence
from importlib.util import find_spec
from types import TracebackType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from zeroconf import ServiceInfo, Zeroconf

SERVICES = ("_paleo._tcp.local.", "_http._tcp.local.")  # ours, and the one that browsers' lists of pages look for
TITLE = "Paleo Companion"
LIBRARY = "zeroconf"


def can_announce() -> bool:
    """Whether the library is there; it is an extra, and nothing is said where it is missing."""
    return find_spec(LIBRARY) is not None


class Announced:
    """Tells the house where the pages are, from entering on until the end; does nothing without the library.

    addresses: this machine's own; secure_port: of the secure line, 0 for none; interfaces: addresses of the networks to
    tell it in, all by default. A network that cannot be told is no reason not to play: it is logged, and no more.
    """

    def __init__(
        self, addresses: Sequence[str], port: int, secure_port: int = 0, interfaces: Sequence[str] = ()
    ) -> None:
        self._addresses, self._port, self._secure_port = tuple(addresses), port, secure_port
        self._interfaces = list(interfaces)
        self._line: Zeroconf | None = None
        self._telling: threading.Thread | None = None

    def __enter__(self) -> Announced:
        if self._addresses and can_announce():
            self._telling = threading.Thread(target=self._tell, name="announcing", daemon=True)
            self._telling.start()  # asking whether the name is free takes a second
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._telling is not None:
            self._telling.join()
        if self._line is not None:
            self._line.unregister_all_services()
            self._line.close()

    def _tell(self) -> None:
        from zeroconf import Error, InterfaceChoice, Zeroconf

        try:
            self._line = Zeroconf(interfaces=self._interfaces or InterfaceChoice.All)
            for service in SERVICES:
                self._line.register_service(self._info(service), allow_name_change=True)
        except (Error, OSError) as error:
            logging.getLogger(__name__).warning("the table is not found by its name in the network: %s", error)

    def _info(self, service: str) -> ServiceInfo:
        from zeroconf import ServiceInfo

        host = socket.gethostname().partition(".")[0]
        told = {"path": "/", **({"secure_port": str(self._secure_port)} if self._secure_port else {})}
        return ServiceInfo(
            service, f"{TITLE} ({host}).{service}", port=self._port, properties=told,
            server=f"{host}.local.", parsed_addresses=list(self._addresses),
        )  # fmt: skip
