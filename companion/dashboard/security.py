"""What protects the pages: headers on every answer, trusted hosts, body limit, CSRF tokens for every POST."""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence
from http import HTTPStatus

from flask import Flask, Response, abort, request
from flask_wtf import CSRFProtect

from companion.dashboard.cookies import Cookies

MAX_BODY_BYTES = 64 * 1024  # the largest command is a new match with eight names
EVERY_ADDRESS = "*"  # any IP address: no other site can have one as its name, so there is nothing to rebind
LOOPBACK_HOSTS = ("localhost", "127.0.0.1", "[::1]")
CSRF_HEADER = "X-CSRFToken"

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' blob:",  # a chart on its way to a picture that is saved
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}


def protect(app: Flask, secret_key: bytes, hosts: Sequence[str]) -> None:
    """Sets limits, cookies, CSRF and headers; `hosts` are names other than loopback by which this server is known."""
    app.config.update(
        SECRET_KEY=secret_key,
        MAX_CONTENT_LENGTH=MAX_BODY_BYTES,
        MAX_FORM_MEMORY_SIZE=MAX_BODY_BYTES,
        SESSION_COOKIE_NAME="paleo_session",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Strict",
        SESSION_REFRESH_EACH_REQUEST=False,  # an answer that is late would put an older cookie in a newer one's place
        WTF_CSRF_TIME_LIMIT=None,  # a screen on the wall stays open for days
        WTF_CSRF_HEADERS=[CSRF_HEADER],
    )
    app.session_interface = Cookies()
    trusted = frozenset(name.lower() for name in (*LOOPBACK_HOSTS, *hosts))

    @app.before_request
    def only_known_hosts() -> None:
        name = host_name(request.host)
        if name not in trusted and not (EVERY_ADDRESS in trusted and _is_address(name)):
            abort(HTTPStatus.BAD_REQUEST)

    CSRFProtect(app)
    app.after_request(_with_headers)


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


def host_name(host: str) -> str:
    """A Host header without its port, in small letters.

    Checked here, as Werkzeug's list of trusted hosts (3.1) cuts an IPv6 address at its first colon.
    """
    name = host[: host.find("]") + 1] if host.startswith("[") else host.partition(":")[0]
    return name.lower().rstrip(".")


def _with_headers(response: Response) -> Response:
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    if request.is_secure or host_name(request.host) in LOOPBACK_HOSTS:  # browsers warn of it elsewhere
        response.headers.setdefault("Cross-Origin-Opener-Policy", "same-origin")
    if not response.cache_control.max_age and "no-store" not in response.headers.get("Cache-Control", ""):
        response.headers.setdefault("Cache-Control", "no-cache")
    return response
