"""What a worker is made of: the source that its configuration names, and a tracker over it."""

from __future__ import annotations

import contextlib
import logging
import math
import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from calibration.board import Board, load_board
from calibration.lens import CalibrationError, Lens, load_lens
from calibration.store import load_calibration, save_lens
from vision.camera_settings import Setting, save_told
from vision.film_file import RecordError
from vision.frames import FrameSource
from vision.live_pictures import LivePictures
from vision.pacing import Paced
from vision.pipeline import Tracker
from vision.recorder import Recorded, Recorder
from vision.relays import Resumed
from vision.sources import DeviceSource, FileSource, open_source
from vision.virtual_table.physics import Puck
from vision.virtual_table.setup import puck_keys
from vision.virtual_table.table import VirtualTable
from vision.worker_messages import Orders, Parts

log = logging.getLogger(__name__)

TOLD_SHOTS = 3  # a question is about the last shot, or one of those that waited behind it


def make_parts(orders: Orders) -> Parts:
    """Opens the source and makes the tracker that the configuration asks for.

    Raises SourceError, BoardFileError or CalibrationError.
    """
    config = orders.config
    board = load_board(config.board_path)
    pose = load_calibration(config.calibration_path) if config.calibration_path else None
    table = _lay_out(orders, board) if config.source == "virtual" else None
    lens = load_lens(config.lens_path) if config.lens_path else table.lens if table is not None else None
    source = _open(orders) if table is None else Resumed(table, shift_s=orders.resume_s)
    tracker = Tracker(board, frame_size=source.size, fps=source.fps, pose=pose, lens=lens, tell=log.warning,
                      named=orders.named)  # fmt: skip
    patient = isinstance(source, Paced | Resumed)
    unfilmed: Callable[[], str] = str
    if config.record is not None:
        source, unfilmed = _recorded(source, config.record, patient, table.lens if table is not None else None)
    if not patient:
        source = LivePictures(source)
    if table is None:
        return Parts(source, tracker, patient=patient, unfilmed=unfilmed)
    shift_s = orders.resume_s
    return Parts(source, tracker, table, keep=lambda: _kept(table), shots=lambda: _seen_by_all(table, shift_s),
                 felt=lambda: [replace(f, time_s=f.time_s + shift_s) for f in table.felt()],
                 unfilmed=unfilmed)  # fmt: skip


def _open(orders: Orders) -> FrameSource:
    """A camera or stream stamped by the companion's clock; a film played as if live, or as fast as can be."""
    config = orders.config

    def clock() -> float:
        return time.monotonic() - orders.epoch_s

    source = open_source(config.source, clock=clock, size=config.resolution, fps=config.fps, live=config.realtime,
                         settings=config.settings)  # fmt: skip
    if isinstance(source, DeviceSource):
        _tell_settings(source.settings, config.told_path)
    if not isinstance(source, FileSource):
        return source
    rest = Resumed(source, after_s=orders.resume_s)
    if config.realtime:  # a film waits for us: on a slow machine it goes slower, and no frame is left out
        return Paced(rest, clock=clock, start_s=0.0 if orders.resume_s else None, late_s=math.inf)
    return rest


def _recorded(
    source: FrameSource, folder: Path, patient: bool, lens: Lens | None
) -> tuple[FrameSource, Callable[[], str]]:
    """The source with its film kept; as it is where that cannot be: a disk that is full, or was pulled, costs the film,
    and no match. And what tells why the film is kept no more, or empty.
    """
    try:
        if lens is not None:
            save_lens(folder / "lens.json", lens)
        recorder = Recorder(folder, source, patient=patient, goes_on=True, tell=log.warning)
    except (RecordError, CalibrationError, OSError) as error:
        why = str(error)
        log.warning("%s", why)
        return source, lambda: why
    return Recorded(source, recorder), lambda: recorder.kept.ended or ""


def _tell_settings(told: tuple[Setting, ...], path: Path | None) -> None:
    """Logs what did not take, and keeps all for the page Calibration and `paleo doctor`."""
    for setting in told:
        if not setting.took:
            log.warning("camera: %s", setting)
    if told and path is not None:
        with contextlib.suppress(CalibrationError):  # a full disk is told elsewhere, and stops no camera
            save_told(path, told)


def _lay_out(orders: Orders, board: Board) -> VirtualTable:
    """The virtual table, as the last worker left it where there was one; on a slow machine its time goes slower."""
    config = orders.config
    laid = orders.kept or ({} if config.layout is None else {"pucks": _laid(board, config.layout, config.seed)})
    return VirtualTable(board, size=config.resolution, fps=config.fps, seed=config.seed, realtime=config.realtime,
                        patient=True, sensors=config.sensors, **laid)  # fmt: skip


def _laid(board: Board, layout: Mapping[str, tuple[float, float]], seed: int) -> tuple[Puck, ...]:
    """The pucks as they lay when the companion ended; keys that are no puck of this board are passed over."""
    rng = random.Random(f"layout {seed}")
    return tuple(Puck(key, team, number, *layout[key], rng.uniform(0, 2 * math.pi))
                 for key, team, number in puck_keys(board) if key in layout)  # fmt: skip


def _seen_by_all(table: VirtualTable, shift_s: float) -> Sequence[Mapping[str, Any]]:
    """The last shots as they truly were, in the time of the frames' stamps."""
    shots = table.latest_shots(TOLD_SHOTS)
    return [{**s, "t_start": s["t_start"] + shift_s, "t_end": s["t_end"] + shift_s} for s in shots]


def _kept(table: VirtualTable) -> Mapping[str, Any]:
    return {"pucks": table.lying(), "reefs": table.reefs, "pose": table.pose, "material": table.material}
