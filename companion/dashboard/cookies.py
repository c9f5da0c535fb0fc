"""Signed cookies that hold whatever the time of day is here: machines at tables sleep, or start without knowing it."""

from __future__ import annotations

from datetime import UTC, datetime

from flask import Flask, Request
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface, SessionMixin
from itsdangerous import BadSignature

FAR_OFF = datetime(2100, 1, 1, tzinfo=UTC)  # browsers keep none for longer than 400 days, by their own clock


class Cookies(SecureCookieSessionInterface):
    """Sessions whose cookies have no age by this machine's clock, which may be set back, or by years: whoever came in
    would be sent out by that. What a cookie's pass may do ends when the pass is taken back."""

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        """The session of a request; an empty one where its cookie was not signed here."""
        signer = self.get_signing_serializer(app)
        if signer is None:
            return None
        try:
            return self.session_class(signer.loads(request.cookies.get(self.get_cookie_name(app), "")))
        except BadSignature:
            return self.session_class()

    def get_expiration_time(self, app: Flask, session: SessionMixin) -> datetime | None:
        """Until when a browser keeps it, at the longest."""
        return FAR_OFF if session.permanent else None
