"""Who asks, and whether they may: the role of each request, limits, and who was refused."""

from __future__ import annotations

import ipaddress
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus

from flask import Flask, Response, abort, g, request
from flask import session as cookie
from flask_limiter import Limiter

from companion.access import Access, Pass, Role
from companion.dashboard.counts import SCHEME
from companion.dashboard.policy import READS, role_needed
from companion.dashboard.protocol import CompanionLike
from companion.dashboard.security import LOOPBACK_HOSTS, host_name
from companion.games.base import IllegalMove

PASS_FIELD = "pass"  # the cookie's field that holds a pass's secret
FORWARDED = ("Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-Ip")
COMMANDS_LIMIT = "60 per 10 seconds"  # a hand on the virtual table gives ten orders in a second at most
SIGN_IN_LIMIT = "5 per minute; 20 per hour"
ALL_SIGN_INS_LIMIT = "60 per hour"  # of all devices together: a swarm guesses no faster
COMMAND_ID = "Idempotency-Key"  # chosen by whoever asks, for each command
EARLIER_COMMAND_ID = "X-Command-Id"  # its name on pages that have been open since before it was described
MAX_COMMAND_ID = 64  # characters by which a repeated command is known
REMEMBERED_COMMANDS = 2000  # an evening's
TOLD_AGAIN_S = 60.0  # the same refusal to the same device is journalled once in this time
REMEMBERED = 256  # devices whose refusals are remembered
REFUSALS_AN_HOUR = 200  # journalled at most, whoever knocks from however many addresses
HOUR_S = 3600.0
TABLE = "table"  # how the journal names whoever sits at the machine itself


class Forbidden(Exception):
    """The role of whoever asks does not suffice; `needs` says which would."""

    def __init__(self, needs: Role) -> None:
        super().__init__(needs.word)
        self.needs = needs


class OutOfTurn(Exception):
    """A player asked for what is another seat's to do; `whose` names it."""

    def __init__(self, whose: str) -> None:
        super().__init__(whose)
        self.whose = whose


class NotHeld(Exception):
    """A seat was asked of a browser that does not hold it."""


@dataclass(frozen=True, slots=True)
class Person:
    """Whoever asks. seat: the one side that a player is bound to; name: as the journal has it."""

    role: Role
    seat: str | None
    name: str
    here: bool
    pass_id: int | None = None


def guard(app: Flask, companion: CompanionLike, access: Access) -> Limiter:
    """Refuses what the policy does not allow; returns what limits sign-ins."""
    refusals = Refusals(companion)
    app.extensions["paleo_access"], app.extensions["paleo_refusals"] = access, refusals
    limiter = Limiter(
        key_func=address,
        app=app,
        default_limits=[COMMANDS_LIMIT],
        default_limits_per_method=False,
        default_limits_exempt_when=lambda: request.method in READS or person().here,
        storage_uri=f"{SCHEME}://",
        headers_enabled=True,
    )

    once = Once()

    @app.before_request
    def only_those_who_may() -> None:
        if request.url_rule is None:
            return  # answered with 404
        need(role_needed(request.method, request.url_rule.rule))
        told = request.headers.get(COMMAND_ID) or request.headers.get(EARLIER_COMMAND_ID)
        if not told or request.method in READS:
            return
        if len(told) > MAX_COMMAND_ID:
            abort(HTTPStatus.BAD_REQUEST)
        once.begin(person().name, told, request.path)
        g.command = (person().name, told)

    @app.after_request
    def may_ask_again(response: Response) -> Response:
        if "command" in g:
            once.end(*g.pop("command"), done=not was_refused(response.status_code))
        return response

    return limiter


def was_refused(status: int) -> bool:
    """Whether an answer says that nothing was changed; after a fault of our own nobody knows."""
    return status >= HTTPStatus.BAD_REQUEST and status != HTTPStatus.INTERNAL_SERVER_ERROR


def person() -> Person:
    """Whoever makes this request."""
    if "person" not in g:
        g.person = _person()
    found: Person = g.person
    return found


def need(role: Role) -> None:
    """Raises Forbidden where the role of whoever asks does not suffice."""
    if person().role < role:
        raise Forbidden(role)


def address() -> str:
    """The address that a request came from."""
    return request.remote_addr or "unknown"


def _person() -> Person:
    access = _access()
    held = _held(access)
    here = access.trust_machine and at_this_machine()
    if here:
        return Person(Role.OWNER, None, TABLE, True, held.id if held else None)
    if held is None:
        return Person(Role.SPECTATOR, None, f"spectator at {address()}", False)
    seat = f" ({held.seat})" if held.seat else ""
    return Person(held.role, held.seat, f"{held.role.word} {held.id}{seat}", False, held.id)


def _access() -> Access:
    from flask import current_app

    found: Access = current_app.extensions["paleo_access"]
    return found


def _held(access: Access) -> Pass | None:
    secret = cookie.get(PASS_FIELD)
    return access.find(secret) if isinstance(secret, str) else None


def at_this_machine() -> bool:
    """Whether a request comes from a browser on this machine: by its address, its host's name, and by no proxy."""
    try:
        remote = ipaddress.ip_address(request.remote_addr or "")
    except ValueError:
        return False
    mapped = getattr(remote, "ipv4_mapped", None) or remote
    forwarded = any(name in request.headers for name in FORWARDED)
    return bool(mapped.is_loopback) and host_name(request.host) in LOOPBACK_HOSTS and not forwarded


class Once:
    """Remembers the last commands, so that one sent again, by a bad line or by a stranger, is not carried out twice.

    One that was refused changed nothing: it may be sent again under the same key.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: OrderedDict[tuple[str, str], _Command] = OrderedDict()

    def begin(self, name: str, told: str, path: str) -> None:
        """Takes a person's command in by its key. Raises IllegalMove where the key is known."""
        with self._lock:
            known = self._known.get((name, told))
            if known is None:
                self._known[name, told] = _Command(path)
                if len(self._known) > REMEMBERED_COMMANDS:
                    self._known.popitem(last=False)
            elif known.path != path:
                raise IllegalMove("this key was told with another command; choose a new one for each command")
            elif known.done:
                raise IllegalMove("this command was carried out already")
            else:
                raise IllegalMove("this command is being carried out; look at the score in a moment")

    def end(self, name: str, told: str, *, done: bool) -> None:
        """Remembers that a command was carried out, or forgets it where it was refused."""
        with self._lock:
            known = self._known.get((name, told))
            if known is None:
                return
            known.done = done
            if not done:
                del self._known[name, told]


@dataclass(slots=True)
class _Command:
    path: str
    done: bool = False


class Refusals:
    """Journals refused commands, the same one from the same device once a while: nobody fills the disk by knocking."""

    def __init__(self, companion: CompanionLike, clock: Callable[[], float] = time.monotonic) -> None:
        self._companion, self._clock = companion, clock
        self._lock = threading.Lock()
        self._told: OrderedDict[tuple[str, str], float] = OrderedDict()
        self._lately: deque[float] = deque(maxlen=REFUSALS_AN_HOUR)

    def tell(self, what: str, path: str) -> None:
        """Writes an entry about this request, where it was not written just now."""
        if request.method in READS:
            return
        now, key = self._clock(), (address(), what)
        with self._lock:
            full = len(self._lately) == REFUSALS_AN_HOUR and now - self._lately[0] < HOUR_S
            if full or now - self._told.get(key, float("-inf")) < TOLD_AGAIN_S:
                return
            self._lately.append(now)
            self._told[key] = now
            self._told.move_to_end(key)
            while len(self._told) > REMEMBERED:
                self._told.popitem(last=False)
        self._companion.audit({"what": what, "path": path, "by": person().name, "address": address()})
