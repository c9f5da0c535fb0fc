"""What goes between the companion and the worker process: frozen, picklable values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from vision.camera_settings import CameraSettings
from vision.events import Event
from vision.explain import Explained
from vision.frames import Frame, FrameSource, Image
from vision.shot_film import Replay

if TYPE_CHECKING:
    from vision.pipeline import LiveView
    from vision.virtual_table.beams import Felt

FILM_S = 8.0  # how long a film of every frame takes: two seconds of rest, a flick, and a puck that comes to rest


@dataclass(frozen=True, slots=True)
class WorkerConfig:
    """What the worker watches, and with what calibration.

    source: "virtual", a device number, a path or a stream's address. realtime: a film or the virtual table goes at
    its own speed; where the tracker cannot keep up frames are dropped, and the virtual table's time goes slower;
    otherwise as fast as can be, all frames.
    resolution: (width, height) and fps asked of a device or the virtual table.
    layout: how the virtual table's pucks lie at first, key -> (x_mm, y_mm); None: all on their circles.
    sensors: the virtual table tells what a sensor board would feel.
    settings: what a device is set to and locked at; told_path: where it is kept what became of that.
    record: the folder of a recording that keeps the source's film.
    """

    source: str
    board_path: Path
    lens_path: Path | None = None
    calibration_path: Path | None = None
    realtime: bool = True
    seed: int = 0
    resolution: tuple[int, int] = (1280, 720)
    fps: float = 30.0
    layout: Mapping[str, tuple[float, float]] | None = None
    sensors: bool = False
    settings: CameraSettings | None = None
    told_path: Path | None = None
    record: Path | None = None


@dataclass(frozen=True, slots=True)
class EventMessage:
    """Something happened on the table."""

    event: Event


@dataclass(frozen=True, slots=True)
class LiveMessage:
    """Where everything is now, moving pucks too."""

    live: LiveView


@dataclass(frozen=True, slots=True)
class PictureMessage:
    """The camera's picture and the tracker's overlay, both JPEG; only while somebody asks for them."""

    jpeg: bytes
    overlay: bytes


@dataclass(frozen=True, slots=True)
class StatusMessage:
    """How the worker does.

    state: "starting" until the first frame, "running", "stalled" while no frame comes, "lost" when the worker is down
    and will be tried again, "ended" at a film's end; detail: why, in a line for people; fps: frames a second of late;
    last_frame_age_s: since when none has come, None before the first.
    time_s: the source's time of the last frame; dropped: frames dropped since the start;
    dropped_fps: frames dropped a second, of late; why: what a source was lost by, where it is not simply gone
    ("resized"); doubts: what is to be said of board and light, a sentence each; unfilmed: why the film that is to be
    kept is kept no more, for the log.
    """

    state: str
    fps: float = 0.0
    last_frame_age_s: float | None = None
    dropped: int = 0
    detail: str = ""
    time_s: float = 0.0
    dropped_fps: float = 0.0
    why: str = ""
    doubts: tuple[str, ...] = ()
    unfilmed: str = ""


@dataclass(frozen=True, slots=True)
class TableMessage:
    """How the virtual table stands: its true pucks, {key: (team, number, x_mm, y_mm)}, and whether a hand is busy.

    keep: what a new worker needs to lay out the same table; refused: why the last order was not carried out;
    shots: the last shots as they truly were, as people who stand around the table have seen them.
    """

    pucks: Mapping[str, tuple[str, int | None, float, float]]
    busy: bool
    keep: Mapping[str, Any] = field(default_factory=dict)
    refused: str = ""
    shots: Sequence[Mapping[str, Any]] = ()


@dataclass(frozen=True, slots=True)
class FeltMessage:
    """What the virtual table's sensors felt, up to the source's time_s."""

    felt: tuple[Felt, ...]
    time_s: float


@dataclass(frozen=True, slots=True)
class ReplayMessage:
    """The film of a shot, sent just before the shot's end is told: the shot's number, and its pictures."""

    shot: int
    replay: Replay


@dataclass(frozen=True, slots=True)
class FilmMessage:
    """One frame of a film of every frame, as JPEG, only while one was asked for. film: its number.

    missed: frames that were lost just before this one; last: the film is over.
    """

    film: int
    time_s: float
    jpeg: bytes
    missed: int = 0
    last: bool = False


WorkerMessage = (
    EventMessage
    | ReplayMessage
    | LiveMessage
    | PictureMessage
    | StatusMessage
    | TableMessage
    | FeltMessage
    | FilmMessage
)


class Table(Protocol):
    """The virtual table as the worker sees it, besides its frames."""

    @property
    def busy(self) -> bool:
        """True while a hand or a puck moves, or commands wait."""

    def command(self, order: dict[str, Any]) -> None:
        """Carries out a flick, a place, a removal or a set-up by a simulated hand."""

    def pucks(self) -> Mapping[str, tuple[str, int | None, float, float]]:
        """True places."""


class TrackerLike(Protocol):
    """What the worker needs of vision.pipeline.Tracker."""

    @property
    def explained(self) -> Explained | None:
        """The last shot told, and what it was decided on."""

    @property
    def doubts(self) -> tuple[str, ...]:
        """What is to be said of board and light as they are now, a sentence each."""

    def readied(self, frame: Frame) -> Frame:
        """A frame that update() takes sooner than as it came; another thread may ask."""

    def update(self, frame: Frame) -> list[Event]:
        """Events that this frame settles."""

    def finish(self) -> list[Event]:
        """Events that the source's end settles."""

    def live(self) -> LiveView:
        """Where everything is now."""

    def draw_overlay(self, image: Image) -> Image:
        """The tracker's view of things, drawn on a copy."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What a worker is made of. keep: gives what a new worker needs to lay out the same virtual table; shots: its
    last shots as they truly were; felt: what its sensors felt since the last call, in the time of the frames' stamps;
    unfilmed: why the film that is to be kept is kept no more, or empty.
    """

    source: FrameSource
    tracker: TrackerLike
    table: Table | None = None
    patient: bool = False
    keep: Callable[[], Mapping[str, Any]] = dict
    shots: Callable[[], Sequence[Mapping[str, Any]]] = tuple
    felt: Callable[[], Sequence[Felt]] = tuple
    unfilmed: Callable[[], str] = str


@dataclass(frozen=True, slots=True)
class Orders:
    """What a worker process is started with.

    epoch_s: the companion's monotonic clock at the source's time 0, so that time goes on through restarts;
    shots: the highest shot number given so far; named: how many ids were given to pucks; kept: the virtual table as the
    last worker left it;
    resume_s: frames up to this source time were seen by the worker before.
    """

    config: WorkerConfig
    make_parts: Callable[[Orders], Parts]
    epoch_s: float
    shots: int = 0
    named: int = 0
    resume_s: float = 0.0
    kept: Mapping[str, Any] = field(default_factory=dict)
