"""A certificate made on the spot: a small authority that may vouch for this house alone, and what it vouches for."""

from __future__ import annotations

import ipaddress
import os
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

FOLDER = "tls"
AUTHORITY_DAYS = 3650  # phones install it once
SERVER_DAYS = 398  # browsers refuse certificates that hold longer
RENEW_DAYS = 30  # made anew where it would end this soon
WRITTEN = datetime(2024, 1, 1, tzinfo=UTC)  # a clock that is before this program has not been set, and tells nothing
OWNER_ONLY = 0o600
HOUSE_NETWORKS = ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "127.0.0.0/8", "fc00::/7",
                  "fe80::/10", "::1/128")  # fmt: skip
HOUSE_NAMES = ("localhost", "local", "lan", "home.arpa", "internal")


@dataclass(frozen=True, slots=True)
class Certificate:
    """Files of one certificate. authority: what a phone may install once; fingerprint: SHA-256 of the authority."""

    chain: Path
    key: Path
    authority: Path
    fingerprint: str


def certificate_for(data_dir: Path, names: Sequence[str], now: datetime | None = None) -> Certificate:
    """A certificate for these names and addresses, kept where it still fits. Raises OSError.

    The authority is made once and vouches, by its own constraints, for names and addresses of a house alone: a phone
    that trusts it is deceived about no other site, even by who steals its key.
    """
    now = max(now or datetime.now(UTC), WRITTEN)
    folder = data_dir / FOLDER
    folder.mkdir(mode=0o700, exist_ok=True)
    found = Certificate(folder / "server.pem", folder / "server.key", folder / "authority.crt", "")
    authority, authority_key = _authority(found.authority, folder / "authority.key", names, now)
    if not _fits(found, authority, names, now):
        _make_server(found, authority, authority_key, names, now)
    return Certificate(found.chain, found.key, found.authority, _shown(authority))


def _authority(
    path: Path, key_path: Path, names: Sequence[str], now: datetime
) -> tuple[x509.Certificate, ec.EllipticCurvePrivateKey]:
    if path.exists() and key_path.exists():
        kept = x509.load_pem_x509_certificate(path.read_bytes())
        key = serialization.load_pem_private_key(key_path.read_bytes(), None)
        if isinstance(key, ec.EllipticCurvePrivateKey) and _lasts(kept, now) and _permits(kept, names):
            return kept, key
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"Paleo Companion of {names[0]}")])
    builder = _builder(name, name, key, now, AUTHORITY_DAYS)
    made = (
        builder.add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(x509.NameConstraints(_permitted(names), None), critical=True)
        .add_extension(_usage(sign_certificates=True), critical=True)
        .sign(key, hashes.SHA256())
    )
    path.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    _write_key(key_path, key)
    return made, key


def _permitted(names: Sequence[str]) -> list[x509.GeneralName]:
    """What the authority may vouch for: a house's networks and names, and this machine where it is called otherwise."""
    house = [ipaddress.ip_network(n) for n in HOUSE_NETWORKS]
    addresses = [a for a in map(_address, names) if a is not None]
    others = [ipaddress.ip_network(a) for a in addresses if not any(a in network for network in house)]
    domains = dict.fromkeys([*HOUSE_NAMES, *(n for n in names if _address(n) is None)])
    return [*(x509.IPAddress(n) for n in (*house, *others)), *(x509.DNSName(n) for n in domains)]


def _permits(authority: x509.Certificate, names: Sequence[str]) -> bool:
    told = authority.extensions.get_extension_for_class(x509.NameConstraints).value.permitted_subtrees or []
    return set(_permitted(names)) <= set(told)


def _make_server(
    where: Certificate,
    authority: x509.Certificate,
    authority_key: ec.EllipticCurvePrivateKey,
    names: Sequence[str],
    now: datetime,
) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Paleo Companion")])
    made = (
        _builder(subject, authority.subject, key, now, SERVER_DAYS)
        .add_extension(x509.SubjectAlternativeName(_alternatives(names)), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(sign_certificates=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(authority_key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    where.chain.write_bytes(made.public_bytes(pem) + authority.public_bytes(pem))
    _write_key(where.key, key)


def _builder(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey, now: datetime, days: int
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))  # a phone's clock may be behind
        .not_valid_after(now + timedelta(days=days))
    )


def _fits(kept: Certificate, authority: x509.Certificate, names: Sequence[str], now: datetime) -> bool:
    if not (kept.chain.exists() and kept.key.exists()):
        return False
    server = x509.load_pem_x509_certificate(kept.chain.read_bytes())
    told = server.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return _vouches(authority, server) and _lasts(server, now) and set(_alternatives(names)) <= set(told)


def _vouches(authority: x509.Certificate, server: x509.Certificate) -> bool:
    """True where this very authority signed: the one before it had the same name."""
    try:
        server.verify_directly_issued_by(authority)
    except (ValueError, TypeError, InvalidSignature):
        return False
    return True


def _lasts(certificate: x509.Certificate, now: datetime) -> bool:
    """True where it holds now and for some time to come. One that was made while this machine's clock was ahead does
    not hold yet; nor does a good one by a clock that is not set, for which no phone need trust another one."""
    begins, ends = certificate.not_valid_before_utc, certificate.not_valid_after_utc
    return now <= WRITTEN or (begins <= now and ends > now + timedelta(days=RENEW_DAYS))


def _alternatives(names: Sequence[str]) -> list[x509.GeneralName]:
    every = dict.fromkeys([*names, "localhost", "127.0.0.1"])
    found: list[x509.GeneralName] = []
    for name in every:
        address = _address(name)
        found.append(x509.IPAddress(address) if address is not None else x509.DNSName(name))
    return found


def _address(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return None


def _usage(*, sign_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=True, key_cert_sign=sign_certificates, crl_sign=sign_certificates,
        content_commitment=False, key_encipherment=False, data_encipherment=False, key_agreement=False,
        encipher_only=False, decipher_only=False,
    )  # fmt: skip


def _write_key(path: Path, key: ec.EllipticCurvePrivateKey) -> None:
    path.unlink(missing_ok=True)
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY)
    with open(handle, "wb") as file:
        pem, plain = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
        file.write(key.private_bytes(pem, plain, serialization.NoEncryption()))


def _shown(certificate: x509.Certificate) -> str:
    return certificate.fingerprint(hashes.SHA256()).hex(":").upper()
