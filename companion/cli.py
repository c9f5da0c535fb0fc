"""The command `paleo`. Heavy imports wait inside the commands, so that --help answers at once."""

from __future__ import annotations

import errno
import os
import re
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from companion.atomic import spare
from companion.cli_french import (
    LANGUAGE_OPTIONS,
    Commands,
    RefusedInBothLanguages,
    error_told,
    line_told,
    lines_told,
    warning_told,
)
from companion.config import ConfigError, database_url_from_environment, default_data_dir, prepare_data_dir
from companion.terminal import as_typed, ask, let_go, one_line, readable_streams

if TYPE_CHECKING:
    from companion.drawn import Drawn
    from vision.pipeline import Tracker
    from vision.sources import OpenSource

app = Commands(
    name="paleo",
    cls=RefusedInBothLanguages,
    help="A camera over a real Paleo board: who touched whom, what it means by the rules, and the score on any screen.",
    epilog="Start with [bold]paleo run[/bold]: a match on a virtual table, in your browser at http://127.0.0.1:8000.",
    rich_markup_mode="rich",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
calibrate_app = Commands(no_args_is_help=True, help="Measure the camera's lens, or where the camera stands.")
app.add_typer(calibrate_app, name="calibrate", rich_help_panel="Set-up")
board_app = Commands(no_args_is_help=True, help="Make a file for a new board, or check one.")
app.add_typer(board_app, name="board", rich_help_panel="Set-up")

MOST_MM = 5000.0  # no board is larger
MOST_CAMERAS = 999_999_999  # OpenCV counts little further
MOST_GIGABYTES = 1e6  # no disk has more
SIZE = re.compile(r"(\d{3,5})x(\d{3,5})")

BoardOption = Annotated[
    Path | None, typer.Option("--board", metavar="BOARD.toml", help="The board file; by default the box's board.")
]
LensOption = Annotated[
    Path | None, typer.Option("--lens", metavar="LENS.json", help="The lens; by default one free of distortion.")
]
CalibrationOption = Annotated[
    Path | None,
    typer.Option("--calibration", metavar="CAL.json", help="Where the camera stands; by default found by markers."),
]
QuestionableSize = Annotated[
    str, typer.Option("--size", metavar="WxH", help="Picture size asked of a camera, or of the virtual table.")
]
LanguageOption = Annotated[
    str | None, typer.Option(*LANGUAGE_OPTIONS, help="en or fr; by default what this machine speaks.")
]

ERRORS = (  # module and name of each error that is told in one line
    ("calibration.board", "BoardFileError"),
    ("calibration.lens", "CalibrationError"),
    ("companion.access", "AccessError"),
    ("companion.atomic", "OutputError"),
    ("companion.backup", "BackupError"),
    ("companion.config", "ConfigError"),
    ("companion.dashboard.server", "ServeError"),
    ("companion.journal", "JournalError"),
    ("firmware_bridge.transport", "PortError"),
    ("vision.film_file", "RecordError"),
    ("vision.sources", "SourceError"),
    ("vision.virtual_table.film", "FilmError"),
)
# Where a path leads through somebody else's folder, or is longer than names may be: it cannot even be asked for.
UNREACHABLE = (errno.EACCES, errno.EPERM, errno.ENAMETOOLONG)


def main() -> None:
    """Runs the command line; every expected error is one line on standard error and exit code 1."""
    signal.signal(signal.SIGTERM, _terminate)
    try:
        readable_streams()
        try:
            app()
        except SystemExit:
            sys.stdout.flush()  # now, while it can still be said that it went nowhere
            raise
    except expected_errors() as error:
        _end(error_told(error, sys.argv[1:]))
    except BrokenPipeError:
        _end("")
    except OSError as error:
        if error.errno not in UNREACHABLE or error.filename is None:
            raise
        why = f"{error.filename}: cannot be reached ({error.strerror}); check the path and its rights, or name another"
        _end(error_told(ConfigError(why), sys.argv[1:]))
    except KeyboardInterrupt:  # before the command had begun, or after it
        raise SystemExit(130) from None


def _end(told: str) -> NoReturn:
    """Ends the program with exit code 1 and one line, or none where the reader of what it told has gone."""
    with suppress(OSError, ValueError):  # standard error may be full or closed, too
        if told:
            sys.stderr.write(f"paleo: {one_line(told)}\n")
    for stream in (sys.stdout, sys.stderr):
        let_go(stream)
    raise SystemExit(1) from None


def expected_errors() -> tuple[type[BaseException], ...]:
    """What may go wrong without being a fault of the program: of modules never loaded nothing did."""
    loaded = (getattr(sys.modules.get(module), name, None) for module, name in ERRORS)
    return tuple(error for error in loaded if error is not None)


@app.command(rich_help_panel="Play")
def run(
    camera: Annotated[
        str,
        typer.Option(metavar="SOURCE", help="A device number, a film, a stream's address, [bold]virtual[/] or none."),
    ] = "virtual",
    board: BoardOption = None,
    lens: LensOption = None,
    calibration: CalibrationOption = None,
    sensors: Annotated[
        str, typer.Option(metavar="PORT", help="The sensor board's port, [bold]auto[/], [bold]virtual[/] or none.")
    ] = "none",
    host: Annotated[str, typer.Option(help="Address to listen on; 0.0.0.0 lets other devices in the house in.")] = (
        "127.0.0.1"
    ),
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on.")] = 8000,
    lan: Annotated[bool, typer.Option("--lan", help="Let the phones in the house in: QR codes, and a secure line.")] = (
        False
    ),
    secure_port: Annotated[int, typer.Option(min=0, max=65535, help="Port of the secure line with --lan.")] = 8443,
    ask_code: Annotated[
        bool, typer.Option("--ask-code", help="Ask for the owner's code at this machine, too; needed behind a proxy.")
    ] = False,
    data: Annotated[str | None, typer.Option(metavar="DIR", help="Where everything is kept.")] = None,
    autoplay: Annotated[bool, typer.Option(help="Simulated players play on the virtual table.")] = True,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the virtual table and its players.")] = 0,
    size: QuestionableSize = "1280x720",
    fps: Annotated[float, typer.Option(min=1, max=240, help="Frames a second asked of a camera.")] = 30.0,
    record: Annotated[
        Path | None,
        typer.Option(
            "--record", metavar="DIR", help="Keep the film of the evening in a folder in DIR, for paleo label."
        ),
    ] = None,
) -> None:
    """Watch a table, referee the match, and show it in the browser."""
    from calibration.board import default_board_path
    from companion.config import CompanionConfig
    from companion.data_lock import held
    from companion.serving import EVERYWHERE, Door, check_inputs, serve_companion

    door = Door(EVERYWHERE[0] if lan else host, port, lan, secure_port, not ask_code)
    config = CompanionConfig(
        data_dir=_data_dir(data),
        board_path=board or default_board_path(),
        camera=camera,
        lens_path=lens,
        calibration_path=calibration,
        sensors=sensors,
        database_url=database_url_from_environment(),
        autoplay=autoplay,
        seed=seed,
        resolution=_parse_size(size),
        fps=fps,
        record=record,
    )
    check_inputs(config, door.host, port)
    with held(prepare_data_dir(config.data_dir)):
        serve_companion(config, door, announce=_say)


@app.command(rich_help_panel="Play")
def play(
    game: Annotated[str, typer.Argument(metavar="GAME", help="armadora, paper_tales, sacrifice, zargo or paleo.")],
    players: Annotated[
        str, typer.Option("--players", "--joueurs", help="Names in turn order, or seat=name pairs: ann=Ann,ben=Ben.")
    ] = "",
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed",
            "--graine",
            min=0,
            help="Deals as with the same seed before; by default cards and gold are drawn anew.",
        ),
    ] = None,
    option: Annotated[list[str] | None, typer.Option(metavar="NAME=CHOICE", help="A house choice; repeatable.")] = None,
    language: LanguageOption = None,
    file: Annotated[
        Path | None,
        typer.Option(
            "--file", "--fichier", metavar="MATCH.json", help="Keep the match here, and go on with it another day."
        ),
    ] = None,
) -> None:
    """Play a game in this terminal, by the same rules as on the pages."""
    from companion.play_terminal import in_terminal

    in_terminal(game, as_typed(players), seed, option or [], _language(language), file)


@app.command("export", rich_help_panel="Records")
def export_command(
    out: Annotated[Path, typer.Argument(metavar="OUT.json", help="Where everything that was played is written.")],
    data: Annotated[str | None, typer.Option(metavar="DIR", help="The data folder.")] = None,
) -> None:
    """Write the whole journal to a JSON file."""
    from companion.games.base import in_english
    from companion.transfer import export_journal

    count = export_journal(_data_dir(data), out)
    _say(f"{out}: {in_english(count, 'entry', 'entries')}")


@app.command("import", rich_help_panel="Records")
def import_command(
    source: Annotated[Path, typer.Argument(metavar="FILE.json", help="A file that 'paleo export' or a page wrote.")],
    data: Annotated[str | None, typer.Option(metavar="DIR", help="The data folder.")] = None,
) -> None:
    """Add the matches of an exported file to the journal; stop 'paleo run' first."""
    from companion.data_lock import held
    from companion.games.base import in_english
    from companion.transfer import import_journal

    with held(folder := prepare_data_dir(_data_dir(data))):
        added = import_journal(folder, source, _say)
        _say(f"{in_english(added, 'entry was', 'entries were')} added")


@app.command(rich_help_panel="Films")
def track(
    clip: Annotated[str, typer.Argument(metavar="CLIP", help="A video file, or a stream's address.")],
    board: Annotated[Path, typer.Option("--board", metavar="BOARD.toml", help="The board file.")],
    events: Annotated[Path, typer.Option("--events", metavar="OUT.jsonl", help="Where the events are written.")],
    lens: LensOption = None,
    calibration: CalibrationOption = None,
    explain: Annotated[
        Path | None,
        typer.Option("--explain", metavar="DIR", help="A folder for a picture of each shot, and the film drawn on."),
    ] = None,
) -> None:
    """Read a film to its end and write down what happened on the table."""
    from companion.tracking import terminal_progress, track_film

    spare(events, clip, board, lens, calibration)
    drawing = _drawing_into(explain, clip) if explain is not None else None
    progress = terminal_progress(tell=lambda line: line_told(line, sys.argv[1:]))
    for warning in track_film(clip, board, lens, calibration, events, progress, drawing):
        sys.stderr.write(f"paleo: {warning_told(warning, sys.argv[1:])}\n")


def _drawing_into(folder: Path, clip: str) -> Callable[[Tracker, OpenSource], Drawn]:
    """Opens what draws the shots of a film into a folder; what that needs is imported only where it is asked for."""
    from companion.drawn import FILM, Drawn
    from companion.explain_words import drawn_in

    spare(folder / FILM, clip)
    draw = partial(drawn_in, _language(None))
    return lambda tracker, source: Drawn(folder, tracker, source.size, source.fps, draw)


@app.command(rich_help_panel="Films")
def film(
    out: Annotated[Path, typer.Argument(metavar="OUT.mp4", help="The film to make.")],
    board: BoardOption = None,
    seed: Annotated[int, typer.Option(min=0, help="The same seed makes the same film.")] = 0,
    shots: Annotated[int, typer.Option(min=0, help="How many shots are played.")] = 4,
    tier: Annotated[str, typer.Option(help="Camera and light: standard, easy, sharp, dim, slant, vga, …")] = "standard",
    seconds: Annotated[float | None, typer.Option(min=1, help="Stop after so many seconds.")] = None,
) -> None:
    """Film a passage of play on the virtual table, with the truth beside it."""
    from calibration.board import default_board_path
    from vision.virtual_table.film import make_film, progress_on
    from vision.virtual_table.looks import TIERS

    if tier not in TIERS:
        raise ConfigError(f"--tier {tier}: expected one of {', '.join(TIERS)}")
    spare(out, board)
    make_film(
        out,
        board_path=board or default_board_path(),
        seed=seed,
        shots=shots,
        tier=tier,
        seconds=seconds,
        progress=progress_on(lambda line: line_told(line, sys.argv[1:])) if sys.stderr.isatty() else None,
    )
    _say(f"{out} is made; board, lens and truth lie beside it")


@app.command(rich_help_panel="Films")
def record(
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The folder to make; it holds the film when all is over.")],
    camera: Annotated[
        str,
        typer.Option(
            "--source",
            "--camera",
            metavar="SOURCE",
            help="A device number, a film, a stream's address or [bold]virtual[/].",
        ),
    ] = "0",
    board: BoardOption = None,
    lens: LensOption = None,
    calibration: CalibrationOption = None,
    seconds: Annotated[float | None, typer.Option(min=1, help="Stop after so many seconds; else by Ctrl-C.")] = None,
    gigabytes: Annotated[
        float, typer.Option(min=0.01, max=MOST_GIGABYTES, help="Stop when the film is so large.")
    ] = 8.0,
    data: Annotated[str | None, typer.Option(metavar="DIR", help="Where the camera's lens and settings are.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the virtual table and its players.")] = 0,
    size: QuestionableSize = "1280x720",
    fps: Annotated[float, typer.Option(min=1, max=240, help="Frames a second asked of a camera.")] = 30.0,
) -> None:
    """Keep a camera's film of real play, with board, lens and settings; no sound. A kill loses a second at most."""
    from calibration.board import default_board_path
    from companion.config import CompanionConfig
    from companion.record import record as keep

    config = CompanionConfig(
        data_dir=_data_dir(data),
        board_path=board or default_board_path(),
        camera=camera,
        lens_path=lens,
        calibration_path=calibration,
        seed=seed,
        resolution=_parse_size(size),
        fps=fps,
    )
    result = keep(config, out, seconds, round(gigabytes * 1e9), tell=lambda line: line_told(line, sys.argv[1:]))
    _say(result)
    if result.cut_short:
        raise typer.Exit(1)


@app.command(rich_help_panel="Films")
def label(
    folder: Annotated[Path, typer.Argument(metavar="OUT", help="A recording, made by paleo record or run --record.")],
    language: LanguageOption = None,
    shot: Annotated[int | None, typer.Option(min=1, help="Ask about this shot again.")] = None,
) -> None:
    """Say shot by shot what truly happened in a recording: your word makes it a film by which the camera is judged."""
    from companion.labelling import label as ask_and_write

    typer.echo(ask_and_write(folder, _language(language), ask, shot))


@app.command(rich_help_panel="Set-up")
def doctor(
    data: Annotated[str | None, typer.Option(metavar="DIR", help="The data folder to look at.")] = None,
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port to look at.")] = 8000,
) -> None:
    """Say what works on this machine, and what to do about the rest."""
    from companion.doctor import examine, show

    findings = examine(_data_dir(data), port)
    raise typer.Exit(show(findings, lambda text: lines_told(text, sys.argv[1:])))


@app.command(rich_help_panel="Set-up")
def sensors(
    port: Annotated[
        str,
        typer.Option(
            "--sensors", metavar="PORT", help="The sensor board's serial port, [bold]auto[/] or [bold]virtual[/]."
        ),
    ] = "auto",
    board: BoardOption = None,
    test: Annotated[bool, typer.Option("--test", help="Ask for each sensor in turn, and say which work.")] = False,
    new_id: Annotated[bool, typer.Option("--new-id", help="Give the board another id.")] = False,
    fitted: Annotated[
        str | None,
        typer.Option(
            metavar="NAMES",
            help="Tell the board which sensors it has, with commas between: doors, [bold]gate[/], [bold]knock[/], "
            "[bold]turn button[/], or [bold]all[/]. It keeps that.",
        ),
    ] = None,
    seconds: Annotated[float | None, typer.Option(min=0.1, help="Stop after so many seconds.")] = None,
) -> None:
    """Show what each sensor does and how the line is, or test the sensors in turn."""
    from rich.console import Console

    from calibration.board import default_board_path
    from companion.sensors import run as run_sensors

    board_path = board or default_board_path()
    code = run_sensors(port, board_path, test=test, new_id=new_id, seconds=seconds, console=Console(),
                       language=_language(None), fitted=fitted)  # fmt: skip
    raise typer.Exit(code)


@calibrate_app.command("lens")
def calibrate_lens(
    views: Annotated[
        list[str], typer.Argument(metavar="PICTURES_OR_FILM", help="Pictures, a folder of them, or a film.")
    ],
    pattern: Annotated[str, typer.Option(metavar="PATTERN", help="What is printed on the pattern; see above.")],
    out: Annotated[Path, typer.Option(metavar="LENS.json", help="The lens file to write.")],
    picture: Annotated[
        Path | None, typer.Option(metavar="PICTURE.png", help="A picture of how sure the lens is, in mm.")
    ] = None,
) -> None:
    """Measure the lens from pictures of a printed pattern.

    PATTERN is chessboard:COLSxROWS:MM (inner corners, side of a square)

    or charuco:COLSxROWS:SQUARE_MM:MARKER_MM:DICTIONARY, with :legacy after it for boards made by older programs.
    """
    from calibration import commands
    from calibration.pictures import read_from

    read = read_from(views)
    spare(out, *read)
    if picture is not None:
        spare(picture, *read)
    _say(commands.calibrate_lens(views, pattern, out, picture, _language(None)))


@calibrate_app.command("pose")
def calibrate_pose(
    view: Annotated[str, typer.Argument(metavar="CLIP_OR_PICTURE", help="A film or picture of the whole board.")],
    board: Annotated[Path, typer.Option("--board", metavar="BOARD.toml", help="The board file.")],
    out: Annotated[Path, typer.Option(metavar="CAL.json", help="The calibration to write.")],
    lens: LensOption = None,
    corners: Annotated[
        str | None,
        typer.Option(
            metavar='"x,y x,y x,y x,y"',
            help="Pixels of the surface's corners: NW, NE, SE, SW; without it markers or outline do.",
        ),
    ] = None,
) -> None:
    """Find where the camera stands over the board."""
    from calibration import commands

    spare(out, view, board, lens)
    _say(commands.calibrate_pose(view, board, out, lens_path=lens, corners=corners))


@board_app.command("new")
def board_new(
    out: Annotated[Path, typer.Argument(metavar="BOARD.toml", help="The board file to make.")],
    name: Annotated[str, typer.Option(help="What the board is called.")] = "Our board",
    size: Annotated[str, typer.Option(metavar="WxH", help="Playing surface in mm, west to east x north to south.")] = (
        "650x650"
    ),
    puck: Annotated[str, typer.Option(metavar="DxH", help="Puck in mm, diameter x height.")] = "28x9",
    rim: Annotated[str, typer.Option(metavar="WxH", help="Rim in mm, width x height; 0x0 for none.")] = "44x12",
) -> None:
    """Make a board file to begin with; every estimate in it says how to measure it."""
    from calibration.board_commands import new_board
    from companion.words import team_in

    surface, piece, border = _parse_pair(size, "--size"), _parse_pair(puck, "--puck"), _parse_pair(rim, "--rim")
    _say(new_board(out, as_typed(name), surface, piece, border, _language(None), team_in))


@board_app.command("check")
def board_check(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The board file.")],
    language: LanguageOption = None,
) -> None:
    """Say what is wrong with a board file. Exit code 1 where something is."""
    from calibration.board_commands import check_board
    from companion.words import team_in

    report = check_board(file, _language(language), team_in, lambda warning: line_told(warning, sys.argv[1:]))
    typer.echo(report)
    raise typer.Exit(0 if report.sound else 1)


@calibrate_app.command("check")
def calibrate_check(
    film: Annotated[Path, typer.Argument(metavar="FILM", help="Some seconds of the board, with one flick in them.")],
    board: BoardOption = None,
    lens: LensOption = None,
    pictures: Annotated[
        Path | None, typer.Option(metavar="DIR", help="A folder for pictures of residuals and uncertainty.")
    ] = None,
    language: LanguageOption = None,
) -> None:
    """Say how good a set-up is: green, amber or red, with figures and what to change. Exit code 1 where it is red."""
    from calibration import commands
    from calibration.board import default_board_path

    report = commands.calibrate_check(film, board or default_board_path(), lens, pictures, _language(language))
    typer.echo(report)
    raise typer.Exit(1 if report.check.grade == "red" else 0)


@calibrate_app.command("camera")
def calibrate_camera(
    number: Annotated[
        int, typer.Argument(metavar="NUMBER", min=0, max=MOST_CAMERAS, help="The camera's number, as for paleo run.")
    ],
    exposure: Annotated[str | None, typer.Option(metavar="SECONDS", help="Such as 1/250; else held as it is.")] = None,
    gain: Annotated[float | None, typer.Option(help="In the driver's units; else held.")] = None,
    focus: Annotated[float | None, typer.Option(help="In the driver's units; else held.")] = None,
    white_balance: Annotated[float | None, typer.Option(metavar="KELVIN", help="Such as 4500; else held.")] = None,
    size: QuestionableSize = "1280x720",
    fps: Annotated[float, typer.Option(min=1, max=240, help="Frames a second asked of the camera.")] = 30.0,
    data: Annotated[str | None, typer.Option(metavar="DIR", help="Where everything is kept.")] = None,
) -> None:
    """Lock a camera's exposure, gain, focus and white balance; paleo run locks them so from then on."""
    from companion.camera_lock import lock_camera
    from vision.camera_settings import CameraSettings, parse_exposure

    wanted = CameraSettings(parse_exposure(exposure) if exposure else None, gain, focus, white_balance)
    _say(lock_camera(number, wanted, _parse_size(size), fps, _data_dir(data)))


@app.command(rich_help_panel="Set-up")
def sheets(
    out: Annotated[Path, typer.Argument(metavar="OUT.pdf", help="The PDF to make.")] = Path("sheets.pdf"),
    board: BoardOption = None,
    paper: Annotated[str, typer.Option(help="a4 or letter.")] = "a4",
    what: Annotated[str, typer.Option(help="Which sheets: markers, charuco, ruler.")] = "markers,charuco,ruler",
    measured: Annotated[
        float, typer.Option(metavar="MM", help="What the ruler of 100 mm measures when printed here.")
    ] = 100.0,
    language: LanguageOption = None,
) -> None:
    """Make sheets to print: the board's rim markers, a pattern for the lens, and a ruler on each page."""
    from calibration.board import default_board_path
    from calibration.commands import write_sheets

    kinds = tuple(part.strip() for part in what.split(",") if part.strip())
    spare(out, board)
    _say(write_sheets(out, board or default_board_path(), paper, kinds, measured, _language(language)))


@app.command(rich_help_panel="Set-up")
def backup(
    out: Annotated[Path, typer.Argument(metavar="OUT.zip", help="The file to write.")],
    data: Annotated[str | None, typer.Option(metavar="DIR", help="The data folder.")] = None,
) -> None:
    """Put everything the companion keeps into one file; it may run meanwhile."""
    from companion.backup import backup_of
    from companion.config import stored_in

    contents = backup_of(stored_in(_data_dir(data)), out)
    _say(f"{out}: {contents}; keep it safe, it holds the codes")


@app.command(rich_help_panel="Set-up")
def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE.zip", help="A file that paleo backup made.")],
    data: Annotated[str | None, typer.Option(metavar="DIR", help="The data folder.")] = None,
) -> None:
    """Put a backup back; what is there now is kept as a backup beside the data folder. End the companion first."""
    from companion.backup import restore as put_back
    from companion.config import stored_in
    from companion.data_lock import held

    where = stored_in(prepare_data_dir(_data_dir(data)))
    with held(where.folder):
        contents = put_back(file, where.folder, where.journal_url)
    _say(f"{where.folder}: {contents}, as of {contents.when}")


@app.command(rich_help_panel="Set-up")
def code(
    role: Annotated[str, typer.Argument(metavar="ROLE", help="owner or referee.")],
    data: Annotated[str | None, typer.Option(metavar="DIR", help="The data folder.")] = None,
) -> None:
    """Make a new code for the owner or the referee; the old one ends, and who came in by it watches."""
    from companion.access import ACCESS_FILE, CODED, Access, Role

    if role.upper() not in Role.__members__ or Role[role.upper()] not in CODED:
        raise ConfigError(f"{role}: expected owner or referee")
    folder = prepare_data_dir(_data_dir(data))
    _say(f"The {role}'s code, told this once: {Access(folder / ACCESS_FILE).new_code(Role[role.upper()])}")


@app.command(rich_help_panel="Set-up")
def version() -> None:
    """Print the version."""
    from importlib.metadata import version as installed_version

    typer.echo(f"paleo-companion {installed_version('paleo-companion')}")


def _say(told: object) -> None:
    """Prints what all went well with, in the language of whoever typed the command."""
    typer.echo(lines_told(str(told), sys.argv[1:]))


def _parse_pair(text: str, option: str) -> tuple[float, float]:
    """Two measures in mm, such as 650x650 or 28,5x9."""
    parts = text.lower().replace(",", ".").split("x")
    try:
        first, second = (float(part) for part in parts)
    except ValueError:
        first = second = -1.0
    if not (0 <= first <= MOST_MM and 0 <= second <= MOST_MM):
        raise ConfigError(f"{option} {text}: expected two measures in mm, such as 650x650")
    return first, second


def _data_dir(told: str | None) -> Path:
    """The data folder: as told, or where this machine keeps such. Raises ConfigError where the name told is empty.

    A path of no letters is the folder that one happens to be in.
    """
    if told is None:
        return default_data_dir()
    if not told.strip():
        raise ConfigError('--data "": found an empty name, expected a folder; name one, or leave out --data')
    return Path(told)


def _language(told: str | None) -> str:
    """The language to speak: as told, or that of this machine. Raises ConfigError."""
    from companion.play_words import terminal_texts
    from companion.words import LANGUAGES, language_of

    if told is None:
        return language_of(os.environ)
    if told not in LANGUAGES:
        refusal = terminal_texts()["say.language"][language_of(os.environ)]
        raise ConfigError(refusal.format(option=LANGUAGE_OPTIONS[0], told=told))
    return told


def _parse_size(text: str) -> tuple[int, int]:
    found = SIZE.fullmatch(text.lower())
    width, height = map(int, found.groups()) if found else (0, 0)
    if width < 160 or height < 120:
        raise ConfigError(f"--size {text:.40}: expected WIDTHxHEIGHT of at least 160x120, such as 1280x720")
    return width, height


def _terminate(_signal: int, _frame: object) -> None:
    """A polite kill ends the program as an interrupt does: through every `finally`."""
    raise SystemExit(143)


if __name__ == "__main__":
    main()
