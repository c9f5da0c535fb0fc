"""The table is found by its name: a listener in the same network learns where the pages are, and when they are gone."""

from __future__ import annotations

import socket
import threading
from typing import Any

import pytest
from zeroconf import ServiceBrowser, ServiceStateChange, Zeroconf

from companion.announcing import SERVICES, Announced
from companion.serving import LOOPBACK

PATIENCE_S = 20.0


class Listener:
    """Hears what is told on this machine's own loop."""

    def __init__(self, service: str) -> None:
        self.line = Zeroconf(interfaces=[LOOPBACK])
        self.there, self.gone, self.name = threading.Event(), threading.Event(), ""
        self._browser = ServiceBrowser(self.line, service, handlers=[self._hear])

    def _hear(self, zeroconf: Any, service_type: str, name: str, state_change: ServiceStateChange) -> None:
        if state_change is ServiceStateChange.Added:
            self.name = name
            self.there.set()
        elif state_change is ServiceStateChange.Removed:
            self.gone.set()


@pytest.mark.parametrize("service", SERVICES)
def test_what_is_told_is_where_the_pages_are(service: str) -> None:
    info = Announced(["192.168.1.5"], 8000, 8443)._info(service)
    assert (info.parsed_addresses(), info.port) == (["192.168.1.5"], 8000)
    assert info.decoded_properties == {"path": "/", "secure_port": "8443"}
    assert info.name == f"Paleo Companion ({socket.gethostname().partition('.')[0]}).{service}"


@pytest.mark.long
@pytest.mark.parametrize("service", SERVICES)
def test_who_listens_in_the_house_learns_where_the_pages_are_and_when_they_are_gone(service: str) -> None:
    listener = Listener(service)
    with Announced(["192.168.1.5"], 8000, 8443, interfaces=[LOOPBACK]):
        assert listener.there.wait(PATIENCE_S)
        told = listener.line.get_service_info(service, listener.name, timeout=1000 * PATIENCE_S)
        assert told is not None
        assert (told.parsed_addresses(), told.port) == (["192.168.1.5"], 8000)
        assert told.decoded_properties == {"path": "/", "secure_port": "8443"}
        assert listener.name.startswith(f"Paleo Companion ({socket.gethostname().partition('.')[0]})")
    assert listener.gone.wait(PATIENCE_S)
    listener.line.close()


def test_a_machine_in_no_network_tells_nothing() -> None:
    with Announced([], 8000) as announced:
        assert announced._telling is None
