"""Who may do what at a table: roles, codes (argon2id) and passes that can be taken back, kept beside the journal."""

from __future__ import annotations

import hashlib
import json
import secrets
import threading
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from enum import IntEnum
from pathlib import Path
from typing import Any

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from companion.atomic import replace_private
from companion.journal import utc_now

ACCESS_FILE = "access.json"
FORMAT = 1
SECRET_BYTES = 32  # of the key that signs cookies
PASS_BYTES = 16  # 128 bits: nobody guesses a pass, so a plain digest keeps it
ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ"  # no 0, 1, I, L, O, U: read aloud and typed on a phone without a doubt
CODE_LENGTH = 10  # 49 bits: with argon2id and twenty tries an hour out of reach
CODE_GROUP = 5  # characters before the hyphen
NO_FILE = -1  # in place of when a file was last changed
MAX_PASSES = 200  # phones of a club's evening; the oldest go first


class AccessError(ValueError):
    """The access file cannot be read or written; one line: what, where, what to do."""


class Role(IntEnum):
    """What somebody may do; each may what the ones below may."""

    SPECTATOR = 0
    PLAYER = 1
    REFEREE = 2
    OWNER = 3

    @property
    def word(self) -> str:
        """The role's name as the API and the journal have it."""
        return self.name.lower()


CODED = (Role.REFEREE, Role.OWNER)  # these come by a code, players by a pass


@dataclass(frozen=True, slots=True)
class Pass:
    """One device's, or one printed code's, right to a role; `seat` binds a player to one side."""

    id: int
    role: Role
    seat: str | None
    label: str
    made: str
    digest: str
    by_code: bool = False


class Access:
    """The codes and passes of one data folder; safe to use from several threads.

    path: the file, None to keep nothing; trust_machine: who sits at the machine itself is the owner.
    Raises AccessError where the file is there and cannot be used.
    """

    def __init__(
        self, path: Path | None = None, *, trust_machine: bool = True, clock: Callable[[], str] = utc_now
    ) -> None:
        self.trust_machine = trust_machine
        self._path, self._clock = path, clock
        self._lock, self._hashing = threading.RLock(), threading.Lock()
        self._hasher = PasswordHasher()  # argon2id with the parameters of RFC 9106, low memory
        self._secret = secrets.token_hex(SECRET_BYTES)
        self._codes: dict[str, str] = {}
        self._passes: dict[int, Pass] = {}
        self._last = 0
        self._seen_ns = NO_FILE  # when the file was last changed, as far as this process knows
        if path is not None and not path.exists():
            self._write({}, {}, 0)
        self._refresh()

    @property
    def secret_key(self) -> bytes:
        """Signs cookies; the same after a restart, so that phones keep their seats."""
        return bytes.fromhex(self._secret)

    # -- codes -------------------------------------------------------------------------------------
    def has_code(self, role: Role) -> bool:
        """Whether there is a code for the role."""
        with self._lock:
            self._refresh()
            return role.word in self._codes

    def new_code(self, role: Role) -> str:
        """Makes a role's code, told this once; passes that came by the old one end. Raises ValueError for others."""
        if role not in CODED:
            raise ValueError(f"{role.word}: only {' and '.join(r.word for r in CODED)} come by a code")
        code = "".join(secrets.choice(ALPHABET) for _ in range(CODE_LENGTH))
        with self._hashing:
            hashed = self._hasher.hash(code)
        with self._lock:
            self._refresh()
            left = {n: p for n, p in self._passes.items() if not (p.by_code and p.role == role)}
            self._write({**self._codes, role.word: hashed}, left, self._last)
        return f"{code[:CODE_GROUP]}-{code[CODE_GROUP:]}"

    def role_of_code(self, told: str) -> Role | None:
        """The role whose code this is. One at a time: each look takes memory and a good part of a second."""
        code = "".join(c for c in told.upper() if c.isalnum())
        with self._lock:
            self._refresh()
            codes = dict(self._codes)
        with self._hashing:
            for role in reversed(CODED):
                if role.word in codes and self._fits(codes[role.word], code):
                    return role
        return None

    def _fits(self, hashed: str, code: str) -> bool:
        try:
            return self._hasher.verify(hashed, code)
        except (VerificationError, InvalidHashError):
            return False

    # -- passes ------------------------------------------------------------------------------------
    def new_pass(
        self, role: Role, seat: str | None = None, label: str = "", *, by_code: bool = False
    ) -> tuple[str, Pass]:
        """Makes a pass and returns its secret, told this once; beyond MAX_PASSES the oldest one ends."""
        secret = secrets.token_urlsafe(PASS_BYTES)
        with self._lock:
            self._refresh()
            made = Pass(self._last + 1, role, seat, label, self._clock(), _digest(secret), by_code)
            passes = {**self._passes, made.id: made}
            while len(passes) > MAX_PASSES:
                del passes[min(passes)]
            self._write(self._codes, passes, made.id)
        return secret, made

    def find(self, secret: str) -> Pass | None:
        """The pass of a secret, None where there is none or it was taken back."""
        digest = _digest(secret)
        with self._lock:
            self._refresh()
            return next((p for p in self._passes.values() if secrets.compare_digest(p.digest, digest)), None)

    def passes(self) -> list[Pass]:
        """All passes that hold, oldest first."""
        with self._lock:
            self._refresh()
            return sorted(self._passes.values(), key=lambda p: p.id)

    def revoke(self, number: int) -> bool:
        """Takes a pass back at once; False where there is none."""
        with self._lock:
            self._refresh()
            if number not in self._passes:
                return False
            self._write(self._codes, {n: p for n, p in self._passes.items() if n != number}, self._last)
            return True

    # -- the file ----------------------------------------------------------------------------------
    def _refresh(self) -> None:
        """Reads the file again where another process changed it: `paleo code`, or a backup that was restored.

        One that is gone takes nothing back: where a whole folder went, phones would lose their seats in mid-match.
        """
        if self._path is None or (changed := _changed_ns(self._path)) in (self._seen_ns, NO_FILE):
            return
        self._read(self._path)
        self._seen_ns = changed

    def _read(self, path: Path) -> None:
        try:
            body = json.loads(path.read_text(encoding="utf-8"))
            self._secret = str(body["secret"])
            if body["format"] != FORMAT or len(bytes.fromhex(self._secret)) != SECRET_BYTES:
                raise ValueError("format")
            self._codes = {r.word: str(body["codes"][r.word]) for r in CODED if r.word in body["codes"]}
            self._passes = {p["id"]: _pass(p) for p in body["passes"]}
            self._last = int(body["last"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise AccessError(
                f"{path}: codes and passes cannot be read ({error}); move the file away, and new ones are made"
            ) from None

    def _write(self, codes: dict[str, str], passes: dict[int, Pass], last: int) -> None:
        """These codes and passes hold from now on: once they are on the disk, and not where they cannot be written."""
        if self._path is not None:
            told = [{**asdict(p), "role": p.role.word} for p in passes.values()]
            body = {"format": FORMAT, "secret": self._secret, "codes": codes, "passes": told, "last": last}
            try:
                replace_private(self._path, json.dumps(body, indent=1))
            except OSError as error:
                raise AccessError(
                    f"{self._path}: codes and passes cannot be written ({error.strerror}); see to the folder and its "
                    "space"
                ) from None
            self._seen_ns = _changed_ns(self._path)
        self._codes, self._passes, self._last = codes, passes, last


def _changed_ns(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return NO_FILE


def _pass(body: dict[str, Any]) -> Pass:
    found = Pass(**body)
    return replace(found, role=Role[str(body["role"]).upper()])


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
