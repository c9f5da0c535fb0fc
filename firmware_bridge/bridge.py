"""Keeps one sensor board connected, and hands over what it reports; acknowledges what has been kept for good."""

from __future__ import annotations

import math
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from firmware_bridge.ports import find_board, no_answer, other_version
from firmware_bridge.session import SILENT_S, Counters, Gap, Item, Mark, Session, Timed, marks_of
from firmware_bridge.transport import PortError, PortLostError, SerialTransport, Transport, Trouble

REOPEN_S = 0.25  # how often a port that has gone is looked for
NO_HELLO_S = 5.0  # a port where no board answers for longer is closed, and looked for anew
OFFER_AGAIN_S = 0.25  # how often items are offered to a journal that could not take them
WAITING_MOST = 256  # items that the journal has not yet taken; then nothing is read, and the board keeps the rest

SILENT = "the sensor board says nothing; look at its cable and its status light"
GARBLED = (
    "what the sensor board says comes damaged, all of it; look at its cable and plugs, keep it away from motors, and "
    "close whatever else uses the port"
)

Deliver = Callable[[list[Item]], bool]


@dataclass(frozen=True, slots=True)
class BridgeState:
    """How the bridge does. state: "searching", "connected", "silent", "garbled", "refused" or "stopped".

    detail: for people, in English; troubles: the same, to be told in other languages.
    levels: a bit for each active input, None while unknown; settled: the same, but only while every event before has
    been taken and kept; waiting: items that the journal has not yet taken.
    """

    state: str
    detail: str = ""
    port: str = ""
    board: int | None = None
    firmware: int | None = None
    fitted: int | None = None
    levels: int | None = None
    settled: int | None = None
    drift_ppm: float = 0.0
    waiting: int = 0
    counters: Counters = field(default_factory=Counters)
    troubles: tuple[Trouble, ...] = ()


class Bridge:
    """deliver: takes items, in order, and returns True once they are kept for good; False has them offered again.

    find: gives the port, or raises PortError; by default the board is looked for. marks, new_id: see Session.
    pause: waits for so many seconds, or until stop().
    Runs in a thread of its own between start() and stop().
    """

    def __init__(
        self,
        deliver: Deliver,
        *,
        find: Callable[[], str] = find_board,
        open_port: Callable[[str], Transport] = SerialTransport,
        marks: Mapping[int, Mark] | None = None,
        new_id: int = 0,
        clock: Callable[[], float] = time.monotonic,
        pause: Callable[[float], object] | None = None,
    ) -> None:
        self._deliver, self._find, self._open, self._clock = deliver, find, open_port, clock
        self._marks, self._new_id = dict(marks or {}), new_id
        self._waiting: deque[Item] = deque()
        self._transport: Transport | None = None
        self._session: Session | None = None
        self._timed: Timed | None = None  # of the board that was heard last
        self.heard: int | None = None  # its id, once it has one
        self._port = ""
        self._silent = False
        self._unanswered: Trouble | None = None  # what was wrong when no board answered the last time
        self._next_try_s = self._opened_s = self._refused_s = -math.inf
        self._state = BridgeState("searching")
        self._lock = threading.RLock()
        self._stopping = threading.Event()
        self._pause = pause or self._stopping.wait
        self._thread: threading.Thread | None = None

    # -- running ---------------------------------------------------------------------------------------
    def start(self) -> None:
        """Begins to look for the board; returns at once."""
        self._thread = threading.Thread(target=self._run, name="sensor bridge", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Lets go of the port; safe to call twice."""
        self._stopping.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()
        self._close()
        self._state = replace(self._state, state="stopped")

    def _run(self) -> None:
        try:
            while not self._stopping.is_set():
                if not self.step():
                    self._stopping.wait(REOPEN_S)
        finally:
            if not self._stopping.is_set():  # a fault of the program, which the log has: nobody listens any more
                self._close()
                self._state = replace(self._state, state="stopped")

    def step(self) -> bool:
        """Does what is due once: opens, reads, hands over, acknowledges. False where there is no port to read from."""
        now = self._clock()
        if self._transport is None and (now < self._next_try_s or not self._connect(now)):
            self._hand_over()
            return False
        try:
            self._work()
        except PortLostError as error:
            self._lose(error)
            return False
        return True

    def _connect(self, now: float) -> bool:
        self._next_try_s = now + REOPEN_S
        try:
            self._port = self._find()
            transport = self._open(self._port)
        except PortError as error:
            self._unanswered = None
            self._search(error)
            return False
        with self._lock:
            self._transport, self._silent = transport, False
            self._session = Session(self._marks, self._waiting, new_id=self._new_id, timed=self._timed)
            self._show(self._session)
        self._opened_s = now
        return True

    def _work(self) -> None:
        transport, session = self._transport, self._session
        assert transport is not None and session is not None
        full = len(self._waiting) >= WAITING_MOST
        data = b"" if full else transport.read()
        with self._lock:
            self._waiting += session.receive(data, self._clock())
            if not full:
                self._note_silence(session)
        self._hand_over()
        with self._lock:
            out = session.outgoing(self._clock())
        if out:
            transport.write(out)
        self._show(session)
        if session.board is None and session.other_version is None and self._clock() - self._opened_s > NO_HELLO_S:
            self._unanswered = no_answer(self._port, session.heard, NO_HELLO_S)
            raise PortLostError(self._unanswered)
        if full:
            self._pause(REOPEN_S)  # the journal takes nothing: the board keeps what comes meanwhile

    def _hand_over(self) -> None:
        """Offers what waits to the journal; what it took is acknowledged, and will not be taken again."""
        if not self._waiting or self._clock() - self._refused_s < OFFER_AGAIN_S:
            return
        items = list(self._waiting)
        if not self._deliver(items):
            self._refused_s = self._clock()
            return
        self._waiting.clear()
        self._marks.update(marks_of(items))
        if self._session is not None:
            for item in items:
                self._session.committed(item)

    def _note_silence(self, session: Session) -> None:
        now = self._clock()
        silent = session.silent(now) and now - self._opened_s > SILENT_S
        if silent and not self._silent and session.board is not None:
            reason = "garbled" if session.garbled(now) else "silent"
            self._tell(Gap(session.board, None, None, now, reason, None))
        self._silent = silent

    def _tell(self, gap: Gap) -> None:
        """Unless the journal has not yet taken the last one like it: a loose plug must not fill the memory."""
        last = self._waiting[-1] if self._waiting else None
        if not (isinstance(last, Gap) and (last.board, last.reason) == (gap.board, gap.reason)):
            self._waiting.append(gap)

    def _lose(self, why: PortLostError) -> None:
        session = self._session
        if session is not None and session.board is not None:
            self._tell(Gap(session.board, None, None, self._clock(), "unplugged", None))
        self._close()
        self._hand_over()
        self._search(why)

    def _search(self, why: PortError) -> None:
        self._state = BridgeState("searching", str(why), self._port, waiting=len(self._waiting), troubles=why.troubles)

    def _close(self) -> None:
        with self._lock:
            if self._session is not None:
                self._timed = self._session.timed or self._timed
            transport, self._transport, self._session = self._transport, None, None
        if transport is not None:
            transport.close()

    # -- for others ------------------------------------------------------------------------------------
    def _show(self, session: Session) -> None:
        hello = session.hello
        state, trouble = self._how(session)
        if session.board is not None:
            self._unanswered, self.heard = None, session.board or self.heard
        self._state = BridgeState(
            state, trouble.line if trouble else "", self._port, session.board,
            hello.firmware if hello else self._state.firmware, hello.fitted if hello else self._state.fitted,
            session.levels, None if self._waiting or self._silent else session.settled, session.clock.drift_ppm,
            len(self._waiting), replace(session.counters), (trouble,) if trouble else (),
        )  # fmt: skip

    def _how(self, session: Session) -> tuple[str, Trouble | None]:
        """The state's name, and what is wrong."""
        if session.other_version is not None:
            return "refused", other_version(self._port, session.other_version)
        if session.board is None:
            return "searching", self._unanswered or Trouble("waiting", "waiting for the board's hello", self._port)
        if not self._silent:
            return "connected", None
        if session.garbled(self._clock()):
            return "garbled", Trouble("garbled", GARBLED, self._port)
        return "silent", Trouble("silent", SILENT, self._port)

    def state(self) -> BridgeState:
        """How things are now."""
        return self._state

    def command(self, do: Callable[[Session], None]) -> bool:
        """Gives the board a command, such as lambda s: s.light(0, 1); False where no board is connected."""
        with self._lock:
            if self._session is None or self._session.board is None:
                return False
            do(self._session)
            return True
