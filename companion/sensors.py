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

from calibration.board import Board, load_board
from companion.config import ConfigError
from firmware_bridge.bridge import Bridge, BridgeState
from firmware_bridge.inputs import GATE, KNOCK, WIRED, Input, fitted_of, label
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
        fitted: str | None = None) -> int:  # fmt: skip
    """Shows the live table, tests each sensor, or changes a setting. Returns the exit code.

    fitted: names of the sensors that there are, see fitted_of. Raises PortError, ConfigError or BoardFileError.
    """
    board = load_board(board_path)
    there = None if fitted is None else _fitted(fitted, board)
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
            return _give_id(bridge, console)
        if there is not None:
            return _tell_fitted(bridge, there, board, console)
        if virtual is not None:
            threading.Thread(target=_play, args=(virtual, stopping), daemon=True).start()
        if test:
            return _test(bridge, watch, board, console)
        return _show(bridge, watch, board, seconds, console)
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


def _fitted(names: str, board: Board) -> int:
    try:
        return fitted_of(names, tuple(door.name for door in board.doors))
    except ValueError as error:
        raise ConfigError(f"--fitted: {error}") from None


def _tell_fitted(bridge: Bridge, there: int, board: Board, console: Console) -> int:
    """The board keeps it through power cuts, and says nothing of the others from now on."""
    bridge.command(lambda session: session.set("fitted", there))
    end_s = time.monotonic() + CONNECT_S
    while bridge.state().fitted != there:
        if time.monotonic() > end_s:
            raise PortError(_complaint(bridge.state().port, "the board did not keep what is fitted; try again"))
        threading.Event().wait(REFRESH_S)
    doors = tuple(door.name for door in board.doors)
    names = [label(w.number, doors) for w in WIRED if there & 1 << w.number]
    console.print(f"The board now has: {', '.join(names) or 'no sensor'}.")
    return 0


def _give_id(bridge: Bridge, console: Console) -> int:
    wanted = secrets.randbits(32) or 1
    bridge.command(lambda session: session.set("id", wanted))
    end_s = time.monotonic() + CONNECT_S
    while bridge.state().board != wanted:
        if time.monotonic() > end_s:
            raise PortError(_complaint(bridge.state().port, "the board did not take the new id; try again"))
        threading.Event().wait(REFRESH_S)
    console.print(f"This board's id is now {wanted:08X}.")
    return 0


def _show(bridge: Bridge, watch: Watch, board: Board, seconds: float | None, console: Console) -> int:
    """The live table, until interrupted or for so long."""
    end_s = None if seconds is None else time.monotonic() + seconds
    try:
        with Live(console=console, refresh_per_second=1 / REFRESH_S) as live:
            while end_s is None or time.monotonic() < end_s:
                live.update(picture(bridge.state(), watch, board, time.monotonic()))
                threading.Event().wait(REFRESH_S)
    except KeyboardInterrupt:
        return 0
    return 0


def picture(state: BridgeState, watch: Watch, board: Board, now_s: float) -> Group:
    """Sensors, the line and its counters as they are now."""
    doors = tuple(door.name for door in board.doors)
    table = Table(title="Sensors")
    for column in ("Sensor", "Pin", "Now", "Changes", "Last"):
        table.add_column(column)
    for wired, seen in zip(WIRED, watch.seen, strict=True):
        fitted = state.fitted is None or bool(state.fitted & 1 << wired.number)
        active = bool((state.levels or 0) & 1 << wired.number)
        ago = "" if seen.last_s is None else f"{max(now_s - seen.last_s, 0):.1f} s ago"
        table.add_row(label(wired.number, doors), wired.pin, _now(wired, active, fitted), str(seen.changes), ago)
    return Group(table, Text(line_of(state)), Text(counters_of(state)))


def _now(wired: Input, active: bool, fitted: bool) -> Text:
    if not fitted:
        return Text("not fitted", "dim")
    words = {"beam": ("broken", "free"), "gate": ("covered", "free"), "knock": ("knock", "quiet"),
             "button": ("pressed", "up")}[wired.kind]  # fmt: skip
    return Text(words[0], "bold red") if active else Text(words[1], "green")


def line_of(state: BridgeState) -> str:
    """Which board is on which port, and how it is."""
    board = "" if state.board is None else f", board {state.board:08X}"
    firmware = "" if state.firmware is None else f", firmware {state.firmware >> 8}.{state.firmware & 0xFF}"
    detail = f": {state.detail}" if state.detail else ""
    return f"{state.port}{board}{firmware}, {state.state}{detail}; its clock is {state.drift_ppm:+.0f} ppm off"


def counters_of(state: BridgeState) -> str:
    """What the line has been through."""
    c = state.counters
    return (
        f"{c.events} events, {c.resent} sent again, {c.duplicates} came twice, {c.damaged} lines failed their CRC here "
        f"and {c.damaged_there} there, {c.gaps} gaps, {c.overruns} bytes overrun"
    )


def _test(bridge: Bridge, watch: Watch, board: Board, console: Console) -> int:
    """Asks for each fitted sensor in turn. Returns 0 where all answered."""
    doors = tuple(door.name for door in board.doors)
    fitted = bridge.state().fitted or 0
    silent = []
    for wired in WIRED:
        if not fitted & 1 << wired.number:
            continue
        name = label(wired.number, doors)
        console.print(f"{asked(wired, name)} (pin {wired.pin}, {TEST_S:.0f} s) … ", end="")
        before = watch.seen[wired.number].changes
        if watch.wait_for(wired.number, before + 2, TEST_S):
            console.print("[green]works[/]")
        elif watch.seen[wired.number].changes > before:
            console.print("[red]stays as it is[/]: it changed, but did not come back")
            silent.append(name)
        else:
            console.print("[red]nothing came[/]: look at its plug, its light and hardware.md")
            silent.append(name)
    console.print("All sensors work." if not silent else f"Not working: {', '.join(silent)}.")
    return 1 if silent else 0


def asked(wired: Input, name: str) -> str:
    """What a person is to do."""
    if wired.number == GATE:
        return "Put a pawn on the gate and lift it again"
    if wired.number == KNOCK:
        return "Knock on the board"
    if wired.kind == "button":
        return "Press the turn button and let go"
    return f"Break the {wired.side} beam at {name.removesuffix(f' {wired.side} beam')} and free it again"


def _play(board: VirtualBoard, stopping: threading.Event) -> None:
    """A virtual board's sensors, one after the other."""
    number = 0
    while not stopping.wait(VIRTUAL_PULSE_S / 2):
        board.set(number, True)
        stopping.wait(VIRTUAL_PULSE_S / 2)
        board.set(number, False)
        number = (number + 1) % len(WIRED)
