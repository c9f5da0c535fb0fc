"""`paleo sensors`: what each sensor does, how the line is, and a test of each sensor in turn."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from calibration.board import load_board
from calibration.figures import figures_in
from companion.config import ConfigError
from companion.play_words import terminal_texts
from companion.sensor_words import troubles
from firmware_bridge.bridge import Bridge, BridgeState
from firmware_bridge.inputs import WIRED, Input, door_name, fitted_of, label
from firmware_bridge.named_port import NamedPort
from firmware_bridge.ports import AUTO, ask_who, find_board
from firmware_bridge.session import Gap, Item, SensorEvent
from firmware_bridge.transport import PortError, SerialTransport, Transport, Trouble
from firmware_bridge.virtual_board import VirtualBoard
from firmware_bridge.virtual_port import VIRTUAL_PORT, VirtualPort

REFRESH_S = 0.1  # a hand in a beam is seen at once
CONNECT_S = 8.0  # a board that is opened may start anew, and is asked until it answers
TEST_S = 30.0  # for a person to walk round the table and break a beam
VIRTUAL_PULSE_S = 0.3  # one sensor after the other, for half of it as if touched


@dataclass(slots=True)
class Seen:
    """What one input has done since the start."""

    changes: int = 0
    last_s: float | None = None
    active: bool = False


@dataclass(frozen=True, slots=True)
class Shown:
    """Where it is shown, in which language, and the board's doors by the names that its file gives them."""

    console: Console
    language: str
    doors: tuple[str, ...]

    def word(self, key: str, **values: object) -> str:
        """One of the terminal's texts about sensors."""
        told = terminal_texts()[f"sensors.{key}"][self.language].format(**values)
        return figures_in(self.language, told)

    def say(self, key: str, **values: object) -> None:
        """Prints a line of them."""
        self.console.print(self.word(key, **values))

    def side(self, wired: Input) -> dict[str, str]:
        """Whose beam it is, and which of the two."""
        return {"door": door_name(wired.door or 0, self.doors), "side": self.word(wired.side)} if wired.side else {}

    def name(self, wired: Input) -> str:
        """An input, for people."""
        return self.word(wired.kind, **self.side(wired))


class Watch:
    """Collects what the board says, for the table and for the test. Nothing is journalled here."""

    def __init__(self) -> None:
        self.seen = [Seen() for _ in WIRED]
        self.gaps: list[Gap] = []
        self._changed = threading.Condition()

    def take(self, items: list[Item]) -> bool:
        """The bridge's items; True: they need not be told again."""
        with self._changed:
            for item in items:
                if isinstance(item, SensorEvent) and item.input >= len(self.seen):
                    continue  # of a board with more inputs than we know
                if isinstance(item, SensorEvent):
                    seen = self.seen[item.input]
                    seen.changes, seen.last_s, seen.active = seen.changes + 1, item.host_s, item.active
                else:
                    self.gaps.append(item)
            self._changed.notify_all()
        return True

    def wait_for(self, number: int, changes: int, timeout_s: float) -> bool:
        """Waits until an input has changed so often; False when the time is over."""
        with self._changed:
            return self._changed.wait_for(lambda: self.seen[number].changes >= changes, timeout_s)


def run(port: str, board_path: Path, *, test: bool, new_id: bool, seconds: float | None, console: Console,
        language: str, fitted: str | None = None) -> int:  # fmt: skip
    """Shows the live table, tests each sensor, or changes a setting. Returns the exit code.

    fitted: names of the sensors that there are, see fitted_of. Raises PortError, ConfigError or BoardFileError.
    """
    board = load_board(board_path)
    shown = Shown(console, language, tuple(door.name for door in board.doors))
    there = None if fitted is None else _fitted(fitted, shown)
    virtual = VirtualBoard() if port == VIRTUAL_PORT else None
    open_port: Callable[[str], Transport] = VirtualPort(virtual).open if virtual is not None else SerialTransport
    if port == AUTO:
        port = find_board()
    _check(port, open_port)
    watch = Watch()
    named = NamedPort(port, lambda: bridge.heard, open_port=open_port)
    bridge = Bridge(watch.take, find=named.find, open_port=named.open, new_id=secrets.randbits(32) or 1)
    bridge.start()
    stopping = threading.Event()
    try:
        _connected(bridge)
        if new_id:
            return _give_id(bridge, shown)
        if there is not None:
            return _tell_fitted(bridge, there, shown)
        if virtual is not None:
            threading.Thread(target=_play, args=(virtual, stopping), daemon=True).start()
        if test:
            return _test(bridge, watch, shown)
        return _show(bridge, watch, shown, seconds)
    finally:
        stopping.set()
        bridge.stop()


def _check(port: str, open_port: Callable[[str], Transport]) -> None:
    """Opens the port once, so that what is wrong with it is told in one line."""
    transport = open_port(port)
    try:
        ask_who(transport, port)
    finally:
        transport.close()


def _connected(bridge: Bridge) -> None:
    end_s = time.monotonic() + CONNECT_S
    while bridge.state().state != "connected" or bridge.state().fitted is None:
        if time.monotonic() > end_s:
            state = bridge.state()
            raise PortError(*state.troubles or [_complaint(state.port, "the sensor board stopped answering")])
        threading.Event().wait(REFRESH_S)


def _complaint(port: str, what: str) -> Trouble:
    return Trouble("no_answer", f"{port}: {what}", port)


def _fitted(names: str, shown: Shown) -> int:
    words = {name: shown.word(f"fitted.{name}") for name in ("all", "none", "doors")}
    words |= {label(wired.number, shown.doors): shown.name(wired) for wired in WIRED}
    try:
        return fitted_of(names, shown.doors, words)
    except ValueError as error:
        raise ConfigError(f"--fitted: {error}") from None


def _tell_fitted(bridge: Bridge, there: int, shown: Shown) -> int:
    """The board keeps it through power cuts, and says nothing of the others from now on."""
    bridge.command(lambda session: session.set("fitted", there))
    end_s = time.monotonic() + CONNECT_S
    while bridge.state().fitted != there:
        if time.monotonic() > end_s:
            raise PortError(_complaint(bridge.state().port, "the board did not keep what is fitted; try again"))
        threading.Event().wait(REFRESH_S)
    names = [shown.name(w) for w in WIRED if there & 1 << w.number]
    shown.say("fitted", names=", ".join(names) or shown.word("none"))
    return 0


def _give_id(bridge: Bridge, shown: Shown) -> int:
    wanted = secrets.randbits(32) or 1
    bridge.command(lambda session: session.set("id", wanted))
    end_s = time.monotonic() + CONNECT_S
    while bridge.state().board != wanted:
        if time.monotonic() > end_s:
            raise PortError(_complaint(bridge.state().port, "the board did not take the new id; try again"))
        threading.Event().wait(REFRESH_S)
    shown.say("id", number=f"{wanted:08X}")
    return 0


def _show(bridge: Bridge, watch: Watch, shown: Shown, seconds: float | None) -> int:
    """The live table, until interrupted or for so long."""
    end_s = None if seconds is None else time.monotonic() + seconds
    try:
        with Live(console=shown.console, refresh_per_second=1 / REFRESH_S) as live:
            while end_s is None or time.monotonic() < end_s:
                live.update(picture(bridge.state(), watch, shown, time.monotonic()))
                threading.Event().wait(REFRESH_S)
    except KeyboardInterrupt:
        return 0
    return 0


def picture(state: BridgeState, watch: Watch, shown: Shown, now_s: float) -> Group:
    """Sensors, the line and its counters as they are now."""
    table = Table(title=shown.word("title"))
    for column in ("sensor", "pin", "now", "changes", "last"):
        table.add_column(shown.word(column))
    levels = state.levels if state.state == "connected" else None  # what was heard last may be long over
    for wired, seen in zip(WIRED, watch.seen, strict=True):
        fitted = state.fitted is None or bool(state.fitted & 1 << wired.number)
        active = None if levels is None else bool(levels & 1 << wired.number)
        ago = "" if seen.last_s is None else shown.word("ago", seconds=f"{max(now_s - seen.last_s, 0):.1f}")
        table.add_row(shown.name(wired), wired.pin, _now(wired, active, fitted, shown), str(seen.changes), ago)
    return Group(table, Text(line_of(state, shown)), Text(counters_of(state, shown)))


def _now(wired: Input, active: bool | None, fitted: bool, shown: Shown) -> Text:
    """active: None while nobody knows."""
    if not fitted:
        return Text(shown.word("now.unfitted"), "dim")
    if active is None:
        return Text(shown.word("now.unknown"), "yellow")
    if active:
        return Text(shown.word(f"now.{wired.kind}.on"), "bold red")
    return Text(shown.word(f"now.{wired.kind}.off"), "green")


def line_of(state: BridgeState, shown: Shown) -> str:
    """Which board is on which port, and how it is."""
    board = "" if state.board is None else shown.word("board", number=f"{state.board:08X}")
    version = None if state.firmware is None else f"{state.firmware >> 8}.{state.firmware & 0xFF}"
    firmware = "" if version is None else shown.word("firmware", version=version)
    how = shown.word(state.state)
    if state.detail:
        told = getattr(troubles(state.troubles), shown.language)
        how = shown.word("trouble", state=how, trouble=told)
    return shown.word("line", port=state.port, board=board, firmware=firmware, state=how, ppm=f"{state.drift_ppm:+.0f}")


def counters_of(state: BridgeState, shown: Shown) -> str:
    """What the line has been through."""
    c = state.counters
    return shown.word("counters", events=c.events, resent=c.resent, duplicates=c.duplicates, damaged=c.damaged,
                      there=c.damaged_there, gaps=c.gaps, overruns=c.overruns)  # fmt: skip


def _test(bridge: Bridge, watch: Watch, shown: Shown) -> int:
    """Asks for each fitted sensor in turn. Returns 0 where all answered."""
    fitted = bridge.state().fitted or 0
    silent = []
    for wired in WIRED:
        if not fitted & 1 << wired.number:
            continue
        asked = shown.word(f"do.{wired.kind}", **shown.side(wired))
        shown.console.print(shown.word("do.where", what=asked, pin=wired.pin, seconds=f"{TEST_S:.0f}"), end="")
        before = watch.seen[wired.number].changes
        if watch.wait_for(wired.number, before + 2, TEST_S):
            shown.say("works")
        else:
            shown.say("stays" if watch.seen[wired.number].changes > before else "unheard")
            silent.append(shown.name(wired))
    shown.say("not_working", names=", ".join(silent)) if silent else shown.say("all_work")
    return 1 if silent else 0


def _play(board: VirtualBoard, stopping: threading.Event) -> None:
    """A virtual board's sensors, one after the other."""
    number = 0
    while not stopping.wait(VIRTUAL_PULSE_S / 2):
        board.set(number, True)
        stopping.wait(VIRTUAL_PULSE_S / 2)
        board.set(number, False)
        number = (number + 1) % len(WIRED)
