"""The certificate of the secure line: real TLS between two ends, trusted through the authority alone."""

from __future__ import annotations

import socket
import ssl
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509

from companion.certificate import SERVER_DAYS, Certificate, certificate_for
from companion.dashboard.tls import server_context

NAMES = ("table", "table.local", "192.168.1.5")


def shake_hands(certificate: Certificate, name: str, trusted: Path) -> str | None:
    """The TLS version that a client and a server agree on, the client trusting one authority."""
    client = ssl.create_default_context(cafile=str(trusted))
    here, there = socket.socketpair()
    server = server_context(certificate.chain, certificate.key)

    def serve() -> None:
        try:
            with server.wrap_socket(there, server_side=True) as tls:
                tls.recv(1)
        except OSError:
            there.close()

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        with client.wrap_socket(here, server_hostname=name) as tls:
            tls.send(b"x")
            return tls.version()
    finally:
        here.close()
        thread.join()


@pytest.mark.parametrize("name", [*NAMES, "localhost", "127.0.0.1"])
def test_a_client_that_trusts_the_authority_trusts_every_name_of_the_machine(tmp_path: Path, name: str) -> None:
    made = certificate_for(tmp_path, NAMES)
    assert shake_hands(made, name, made.authority) in ("TLSv1.2", "TLSv1.3")


def test_another_name_is_not_trusted(tmp_path: Path) -> None:
    made = certificate_for(tmp_path, NAMES)
    with pytest.raises(ssl.SSLCertVerificationError):
        shake_hands(made, "192.168.1.6", made.authority)


def test_who_steals_the_authoritys_key_deceives_about_no_site_outside(tmp_path: Path) -> None:
    made = certificate_for(tmp_path, NAMES)
    stolen = tmp_path / "stolen"
    (stolen / "tls").mkdir(parents=True)
    for name in ("authority.crt", "authority.key"):
        (stolen / "tls" / name).write_bytes((tmp_path / "tls" / name).read_bytes())
    from companion import certificate as parts

    authority, key = parts._authority(
        stolen / "tls/authority.crt", stolen / "tls/authority.key", NAMES, datetime.now(UTC)
    )
    where = Certificate(stolen / "tls/server.pem", stolen / "tls/server.key", made.authority, "")
    parts._make_server(where, authority, key, ["bank.example"], datetime.now(UTC))
    with pytest.raises(ssl.SSLCertVerificationError, match=r"permitted subtree|not permitted"):
        shake_hands(where, "bank.example", made.authority)


def test_it_is_kept_while_it_fits_and_the_authority_outlives_a_new_address(tmp_path: Path) -> None:
    first = certificate_for(tmp_path, NAMES)
    chain = first.chain.read_bytes()
    assert certificate_for(tmp_path, NAMES) == first
    assert first.chain.read_bytes() == chain
    moved = certificate_for(tmp_path, ("table", "table.local", "192.168.178.20"))
    assert moved.fingerprint == first.fingerprint
    assert shake_hands(moved, "192.168.178.20", first.authority)


def test_it_is_made_anew_before_it_ends(tmp_path: Path) -> None:
    first = certificate_for(tmp_path, NAMES, datetime.now(UTC) - timedelta(days=SERVER_DAYS - 5))
    chain = first.chain.read_bytes()
    again = certificate_for(tmp_path, NAMES)
    assert again.chain.read_bytes() != chain
    assert again.fingerprint == first.fingerprint


@pytest.mark.parametrize(
    "off",
    [timedelta(days=-20000), timedelta(days=-800), timedelta(days=2), timedelta(days=3000), timedelta(days=40000)],
    ids=["1970", "two years behind", "two days ahead", "eight years ahead", "a century ahead"],
)
def test_one_that_was_made_while_the_clock_was_wrong_is_made_anew_and_trusted(tmp_path: Path, off: timedelta) -> None:
    certificate_for(tmp_path, NAMES, datetime.now(UTC) + off)
    again = certificate_for(tmp_path, NAMES)
    assert shake_hands(again, NAMES[0], again.authority) is not None
    server = x509.load_pem_x509_certificate(again.chain.read_bytes())
    assert server.not_valid_before_utc <= datetime.now(UTC) < server.not_valid_after_utc
    assert certificate_for(tmp_path, NAMES) == again, "and kept from then on"


def test_a_clock_that_is_not_set_yet_costs_no_phone_its_trust(tmp_path: Path) -> None:
    """A small computer without a battery starts in 1970, and is told the time a minute later."""
    good = certificate_for(tmp_path, NAMES)
    chain = good.chain.read_bytes()
    for now in (datetime(1970, 1, 1, tzinfo=UTC), None):
        assert certificate_for(tmp_path, NAMES, now) == good
        assert good.chain.read_bytes() == chain


def test_a_server_of_the_authority_before_is_made_anew_although_both_have_one_name(tmp_path: Path) -> None:
    certificate_for(tmp_path, NAMES)
    (tmp_path / "tls/authority.crt").unlink()
    again = certificate_for(tmp_path, NAMES)
    assert shake_hands(again, NAMES[0], again.authority) is not None


def test_keys_are_for_their_owner_alone(tmp_path: Path) -> None:
    certificate_for(tmp_path, NAMES)
    assert [p.name for p in (tmp_path / "tls").iterdir() if p.suffix == ".key" and p.stat().st_mode & 0o077] == []
