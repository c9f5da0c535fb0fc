"""What was played: statistics, a match's report, recordings of disputed shots, backup and restore."""

from __future__ import annotations

import logging
import tempfile
import threading
from datetime import UTC, datetime
from pathlib import Path

from flask import Blueprint, Response, abort, current_app, jsonify, render_template, request, send_file

from companion.amend import rulings
from companion.backup import make_backup
from companion.dashboard.answering import fresh
from companion.dashboard.arriving import MOST_PARTS, PART_BYTES, ArrivingBackup
from companion.dashboard.asking import told_as
from companion.dashboard.geometry import board_json
from companion.dashboard.guard import person
from companion.dashboard.models import Nothing
from companion.dashboard.protocol import CompanionLike, Json
from companion.dashboard.reading import PALEO, read_line
from companion.dashboard.texts import language, team_name
from companion.games import GAMES
from companion.games.base import IllegalMove
from companion.history import plays, stretch
from companion.recording import recording
from companion.scoreboard import fold, scoreboard
from companion.statistics import Statistics, shot_map

MAX_SENDER = 64  # characters that tell apart who sends a backup
RESTORE_PATH = "/api/restore/"
IN_MEMORY = 8 << 20  # bytes of a backup beyond which it is made on the disk
REPORT_LINES = 400  # the newest of a match: a longer one is read in the journal
ZARGO = "zargo"  # whose points are cities

log = logging.getLogger(__name__)


def make_records(companion: CompanionLike) -> Blueprint:
    """The blueprint over one companion."""
    blueprint = Blueprint("records", __name__)
    _statistics(blueprint, companion)
    _recordings(blueprint, companion)
    _backups(blueprint, companion)
    return blueprint


def _statistics(blueprint: Blueprint, companion: CompanionLike) -> None:
    lock, added_up = threading.Lock(), Statistics()
    kept: dict[str, object] = {"last_id": -1, "matches": []}

    @blueprint.get("/api/statistics")
    def statistics() -> Response:
        with lock:  # one thread adds up while the others wait for the same sum
            last_id = companion.last_id()
            if kept["last_id"] != last_id:
                kept.update(last_id=last_id, matches=added_up.of(companion.whole_journal()))
            return fresh(jsonify(matches=kept["matches"]))

    @blueprint.get("/api/shot/<int:entry>")
    def shot(entry: int) -> Response:
        """One shot as it is drawn beside its film."""
        return fresh(jsonify(shot_map(companion.whole_journal(), entry)))

    @blueprint.get("/report/<int:number>")
    def report(number: int) -> str:
        """One match on paper: who, when, points, and all that was ruled."""
        found = _reported(companion, number)
        if found is None:
            abort(404)
        return render_template("report.html", page="report", sheets=("pages",), **found)


def _reported(companion: CompanionLike, number: int) -> Json | None:
    entries = companion.whole_journal()
    found = stretch(entries, number)
    if found is None:
        return None
    first, _, end = found
    score = scoreboard(fold(entries[:end]))
    play = next((p for p in plays(entries[:end]) if p.entry == first.id), None)
    game = first.data["game"]
    names = {} if game == PALEO else {p["team"]: str(p.get("name") or p["team"]) for p in score["players"]}
    ruled = rulings(entries[:end])
    said = [
        {"at": at, "time": _clock(at), "text": read_line(line, names)[language()], "rules": line["rules"]}
        for at, line in ruled[-REPORT_LINES:]
    ]
    sides = {p["team"]: team_name(p["team"]) for p in score["players"] if "team" in p}
    title = GAMES[game].title.to_json()[language()]
    return {"number": number, "title": title, "at": first.time, "begun": first.time[:16].replace("T", " "),
            "score": score, "sides": sides, "sided": game == PALEO or any(s != team for team, s in sides.items()),
            "of_cities": game == ZARGO, "play": play, "said": said, "left_out": len(ruled) - len(said)}  # fmt: skip


def _clock(at: str) -> str:
    return datetime.fromisoformat(at).astimezone(UTC).strftime("%H:%M")


def _recordings(blueprint: Blueprint, companion: CompanionLike) -> None:
    @blueprint.get("/recording/<int:entry>.zip")
    def saved(entry: int) -> Response:
        film = companion.replay(entry)
        if film is None:
            abort(404)
        body = recording(film, companion.whole_journal(), entry, board_json(companion.board))
        headers = {"Content-Disposition": f'attachment; filename="shot-{entry}.zip"'}
        return fresh(Response(body, mimetype="application/zip", headers=headers))

    @blueprint.post("/api/dispute/<int:entry>")
    def dispute(entry: int) -> Response:
        """Keeps the film of a shot on, beyond the last ones. Raises IllegalMove where none was kept."""
        told_as(Nothing)
        if companion.replay(entry) is None:
            raise IllegalMove("no film was kept of entry {entry}", entry=entry)
        companion.dispute(entry)
        companion.audit({"what": "disputed", "entry": entry, "by": person().name})
        return fresh(jsonify(ok=True))


def _backups(blueprint: Blueprint, companion: CompanionLike) -> None:
    @blueprint.get("/backup.zip")
    def backup() -> Response:
        file = tempfile.SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115 - the server closes it after sending
        try:
            make_backup(companion.data_dir, companion.whole_journal(), file)
        except OSError as error:
            log.error("no backup can be made in %s (%s)", tempfile.gettempdir(), error.strerror)
            raise IllegalMove(
                "there is no room on the companion's disk to make a backup of so many films; free some space there, "
                "then save again"
            ) from None
        file.seek(0)
        companion.audit({"what": "backup taken", "by": person().name})
        stamp = datetime.now(UTC).strftime("%Y-%m-%d")
        return fresh(send_file(file, "application/zip", as_attachment=True, download_name=f"paleo-{stamp}.zip"))

    # before anything else looks at the request: who looks for a token in its body asks how long that may be
    blueprint.record_once(lambda state: state.app.before_request_funcs.setdefault(None, []).insert(0, _let_pieces_in))

    arriving = ArrivingBackup(companion.data_dir)

    def sender() -> str:
        return request.args.get("sender", "")[:MAX_SENDER]

    @blueprint.post(f"{RESTORE_PATH}<int:part>")
    def restore_part(part: int) -> Response:
        """One piece of a backup, in order, from 0 on; nothing is restored yet. sender: in the address, a sign of
        whoever sends it, so that the pieces of two are not put together."""
        if part >= MOST_PARTS or request.mimetype != "application/octet-stream":
            abort(400)
        arriving.take(part, request.get_data(), sender())
        return fresh(jsonify(ok=True))

    @blueprint.post("/api/restore/end")
    def restore_end() -> Response:
        """Looks at every byte of what came, and leaves it for the next start, instead of one that waits for it."""
        told_as(Nothing)
        contents, instead = arriving.end(sender())
        companion.audit({"what": "restore at the next start", "made": contents.made, "by": person().name})
        told = {"made": contents.made, "entries": contents.entries, "files": contents.files, "instead": instead}
        return fresh(jsonify(told))

    @blueprint.get("/authority.crt")
    def authority() -> Response:
        """The certificate that phones may install once."""
        certificate = current_app.config.get("PALEO_AUTHORITY")
        if certificate is None:
            abort(404)
        text = Path(certificate.authority).read_text(encoding="ascii")
        return fresh(Response(text, mimetype="application/x-x509-ca-cert"))


def _let_pieces_in() -> None:
    """A piece of a backup may be larger than a command."""
    if request.path.removeprefix(RESTORE_PATH).isdecimal():
        request.max_content_length = PART_BYTES
