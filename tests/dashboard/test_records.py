"""Statistics, reports, recordings, backup and restore over HTTP, from a real companion's journal."""

from __future__ import annotations

import io
import json
import random
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from flask.testing import FlaskClient

from companion.access import Access, Role
from companion.app import Companion
from companion.backup import PENDING, look_into
from companion.dashboard import create_app
from companion.dashboard.arriving import PART_BYTES
from companion.dashboard.records import IN_MEMORY, REPORT_LINES
from companion.dashboard.security import EVERY_ADDRESS
from companion.games import GAMES
from companion.replays import packed
from companion.statistics import matches, speed_mm_s, way_mm, way_of
from tests.companion.fed_companion import companion_for
from tests.companion.paleo_table import SHEET
from tests.companion.test_app import fill_disk, limit_disk
from tests.companion.test_backup import no_file_larger_than
from tests.dashboard.fake import FakeCompanion, played_entries
from tests.dashboard.test_roles import Phone
from vision.shot_film import Replay


@pytest.fixture
def played(fake: FakeCompanion, tmp_path: Path) -> FakeCompanion:
    played_entries(fake)
    ok, jpeg = cv2.imencode(".jpg", np.full((90, 160, 3), 120, np.uint8))
    assert ok
    fake.films = {3: packed(Replay((10.0, 10.1, 10.2), (jpeg.tobytes(),) * 3))}
    fake.data_dir = tmp_path
    (tmp_path / "boards").mkdir()
    (tmp_path / "boards/ours.toml").write_text("format = 1")
    return fake


@pytest.fixture
def owner(played: FakeCompanion) -> FlaskClient:
    return create_app(played).test_client()


def send(client: FlaskClient, path: str, body: bytes, kind: str = "application/octet-stream") -> Any:
    token = client.get("/api/session").get_json()["csrf_token"]
    return client.post(path, data=body, content_type=kind, headers={"X-CSRFToken": token})


def test_a_shots_rests_ways_touches_and_speed_are_added_up(owner: FlaskClient) -> None:
    (match,) = owner.get("/api/statistics").get_json()["matches"]
    assert match["rests"] == [[243.0, 214.0, "red"], [178.0, 325.0, "red"]]
    assert match["ways"][0] == {"team": "red", "points": [[203.0, 214.0], [230.0, 214.0], [243.0, 214.0]]}
    assert match["touches"] == [[230.0, 214.0]]
    assert match["speeds"] == [{"team": "red", "mm_s": 135}]  # 27 mm in 0.2 s
    assert match["points"] == [{"minutes": 0.0, "points": {"green": 0, "red": 0}}]
    assert list(match["pucks"].values()) == [{"shots": 1, "touches": 1, "doors": 0, "exits": 0}]


def test_a_shot_that_was_undone_counts_in_no_sum(played: FakeCompanion) -> None:
    played.append("undo", {"undoes": 3, "what": "shot", "by": "table"})
    (match,) = matches(played.whole_journal())
    assert (match["rests"], match["touches"], match["speeds"], match["pucks"]) == ([], [], [], {})


def test_a_puck_that_touched_nothing_was_twice_as_fast_as_on_the_mean() -> None:
    puck = {"puck": "a", "team": "red", "number": 1, "x_mm": 0.0, "y_mm": 0.0}
    shot = {
        "flicked": "a",
        "t_start": 1.0,
        "t_end": 2.0,
        "touches": [],
        "before": [puck],
        "after": [{**puck, "x_mm": 300.0}],
    }
    assert speed_mm_s(shot) == 600.0
    assert speed_mm_s({**shot, "t_end": 1.0}) is None
    assert speed_mm_s({**shot, "after": []}) is None
    assert speed_mm_s({**shot, "flicked": "b"}) is None


def test_a_way_over_the_rim_ends_where_it_last_touched() -> None:
    puck = {"x_mm": 0.0, "y_mm": 0.0}
    met = {"puck": "b", "other": "a", "x_mm": 30.0, "y_mm": 40.0}
    assert way_of("a", puck, None, [met]) == [[0.0, 0.0], [30.0, 40.0]]
    assert way_mm(way_of("a", puck, None, [met])) == 50.0
    assert way_of("a", puck, None, []) == [[0.0, 0.0]]


def test_one_shot_is_drawn_with_its_ways_touches_and_verdict(owner: FlaskClient) -> None:
    shot = owner.get("/api/shot/3").get_json()
    assert [(way["puck"], way["flicked"], way["rests"]) for way in shot["ways"]] == [
        ("v0", True, True),
        ("v3", False, True),
    ]
    assert shot["touches"] == [[230.0, 214.0, 0.2]]
    assert (shot["speed_mm_s"], shot["corrected"]) == (pytest.approx(135), False)
    assert shot["lines"][0]["rules"] == ["P13"]
    assert owner.get("/api/shot/1").get_json()["ways"] == []


@pytest.mark.parametrize(
    ("lang", "words", "side"),
    [("en", "Red Mercenary 1 was played", "Red"), ("fr", "Le Mercenaire rouge 1 a été joué", "Rouge")],
)
def test_a_report_tells_the_match_in_the_pages_language(owner: FlaskClient, lang: str, words: str, side: str) -> None:
    page = owner.get(f"/report/1?lang={lang}").get_data(as_text=True)
    assert words in page
    assert f"<td>{side}</td>" in page
    assert "css/pages.css" in page
    assert "Blaise" in page
    assert "/help#P11" in page


def test_a_report_tells_what_counts_now_and_nothing_that_was_undone(played: FakeCompanion, owner: FlaskClient) -> None:
    """A capture that was undone, or told otherwise, had stood in it for good, beside what is right."""
    told = {"flicked": "red-1", "touched": ["green-2"], "doors": [], "exits": [], "on_gate": []}
    correction = played.append("correction", {"of": 3, "facts": told, "by": "table", "game": "paleo"})
    page = owner.get("/report/1").get_data(as_text=True)
    assert "Green Mercenary 2 captured" in page
    assert "nothing was captured" not in page
    assert owner.get("/api/shot/3").get_json()["corrected"]
    played.append("undo", {"undoes": correction.id, "what": "correction", "by": "table"})
    page = owner.get("/report/1").get_data(as_text=True)
    assert "nothing was captured" in page
    assert "captured: touched" not in page
    assert not owner.get("/api/shot/3").get_json()["corrected"]
    played.append("undo", {"undoes": 3, "what": "shot", "by": "table"})
    assert "was played" not in owner.get("/report/1").get_data(as_text=True)


@pytest.mark.parametrize(
    ("seconds", "lang", "told"),
    [
        (0, "en", "less than a minute"),
        (20, "fr", "moins d’une minute"),
        (60, "en", "1 minute"),
        (5400, "fr", "90 minutes"),
    ],
)
def test_a_report_tells_how_long_a_match_took_as_a_person_would(
    fake: FakeCompanion, seconds: int, lang: str, told: str
) -> None:
    game, rng = GAMES["armadora"], random.Random(1)
    setup = {"game": "armadora", "players": {"ann": "Ann", "ben": "Ben"}, "seed": 1}
    fake.append("match_started", setup)
    state = game.start({"match": 1, **setup})
    while (action := game.pick(state, rng)) is not None:
        fake.append(action.type, dict(action.data))
        state = game.apply(state, action)
    ended = (datetime.fromisoformat(fake.journal[-1].time) + timedelta(seconds=seconds)).isoformat()
    fake.journal[-1] = replace(fake.journal[-1], time=ended)
    page = create_app(fake).test_client().get(f"/report/1?lang={lang}").get_data(as_text=True)
    assert f"· {told}</p>" in page


@pytest.mark.parametrize(
    ("game", "lang", "told"),
    [("zargo", "en", "Cities"), ("zargo", "fr", "Villes"), ("armadora", "en", "Points"), ("armadora", "fr", "Points")],
)
def test_a_report_calls_what_is_counted_as_the_game_does(fake: FakeCompanion, game: str, lang: str, told: str) -> None:
    seats = dict(zip(GAMES[game].seat_names or ("ann", "ben"), ("Ann", "Ben"), strict=False))
    fake.append("match_started", {"game": game, "players": seats, "seed": 1})
    page = create_app(fake).test_client().get(f"/report/1?lang={lang}").get_data(as_text=True)
    assert f'<th scope="col">{told}</th></tr>' in page


@pytest.mark.parametrize(
    ("lang", "told"),
    [
        ("en", "Earlier lines, left out here: 5. The journal has them."),
        ("fr", "Lignes précédentes, laissées de côté ici : 5. Le journal les contient."),
    ],
)
def test_a_report_of_a_match_that_is_longer_than_it_says_how_much_is_left_out(
    fake: FakeCompanion, lang: str, told: str
) -> None:
    fake.append("match_started", {"game": "paleo", "players": {}, "options": {"kept_by": "taps"}, "sheet": SHEET})
    fake.append("round_started", {"begins": "red"})
    page = create_app(fake).test_client()
    for n in range(REPORT_LINES + 4):
        side = ("red", "green")[n % 2]
        fake.append("shot_by_hand", {"flicked": f"{side}-3", "touched": []})
        if n == REPORT_LINES - 2:
            text = page.get(f"/report/1?lang={lang}").get_data(as_text=True)
            assert (text.count("<li>"), told[:15] in text) == (REPORT_LINES, False)
    text = page.get(f"/report/1?lang={lang}").get_data(as_text=True)
    assert (text.count("<li>"), told in text.replace("\u00a0", " ")) == (REPORT_LINES, True)


def test_a_report_of_no_match_is_not_there(owner: FlaskClient) -> None:
    assert owner.get("/report/2").status_code == 404
    assert owner.get("/report/0").status_code == 404


def test_a_recording_holds_the_film_and_all_that_was_said(
    played: FakeCompanion, owner: FlaskClient, tmp_path: Path
) -> None:
    played.append("correction", {"of": 3, "facts": {"flicked": "red-1"}, "by": "referee 2"})
    whole = zipfile.ZipFile(io.BytesIO(owner.get("/recording/3.zip").data))
    shot = json.loads(whole.read("shot.json"))
    assert shot["seen"]["flicked"] == "v0"
    assert shot["rulings"][0][0]["rules"] == ["P13"]
    assert shot["corrections"] == [{"by": "referee 2", "facts": {"flicked": "red-1"}}]
    (tmp_path / "clip.mp4").write_bytes(whole.read("clip.mp4"))
    film = cv2.VideoCapture(str(tmp_path / "clip.mp4"))
    assert (film.get(cv2.CAP_PROP_FRAME_COUNT), film.get(cv2.CAP_PROP_FRAME_WIDTH)) == (3, 160)
    assert film.get(cv2.CAP_PROP_FPS) == pytest.approx(10)


def test_a_disputed_shot_keeps_its_film_and_one_without_is_refused(played: FakeCompanion, owner: FlaskClient) -> None:
    assert send(owner, "/api/dispute/3", b"{}", "application/json").status_code == 200
    assert send(owner, "/api/dispute/9", b"{}", "application/json").status_code == 409
    assert played.disputed == [3]
    assert played.journal[-1].data == {"what": "disputed", "entry": 3, "by": "table"}


def test_a_backup_comes_out_and_goes_in_again_for_the_next_start(
    played: FakeCompanion, owner: FlaskClient, tmp_path: Path
) -> None:
    whole = owner.get("/backup.zip").data
    assert send(owner, "/api/restore/0", whole).status_code == 200
    answer = send(owner, "/api/restore/end", b"{}", "application/json")
    assert answer.get_json()["entries"] == 4
    assert not (tmp_path / f".{PENDING}.part").exists()
    assert look_into(tmp_path / PENDING).files == 1


def test_a_backup_of_many_films_goes_in_piece_by_piece(
    played: FakeCompanion, owner: FlaskClient, tmp_path: Path
) -> None:
    (tmp_path / "replays").mkdir()
    (tmp_path / "replays" / "3.film").write_bytes(random.Random(0).randbytes(5 * PART_BYTES // 2))
    whole = owner.get("/backup.zip").data
    pieces = [whole[at : at + PART_BYTES] for at in range(0, len(whole), PART_BYTES)]
    assert [len(piece) for piece in pieces[:2]] == [PART_BYTES] * 2
    for number, piece in enumerate(pieces):
        assert send(owner, f"/api/restore/{number}", piece).status_code == 200
    assert send(owner, "/api/restore/end", b"{}", "application/json").get_json()["files"] == 2
    assert look_into(tmp_path / PENDING).files == 2


def test_what_is_no_backup_is_thrown_away(owner: FlaskClient, tmp_path: Path) -> None:
    assert send(owner, "/api/restore/0", b"no zip").status_code == 200
    answer = send(owner, "/api/restore/end", b"{}", "application/json")
    assert answer.status_code == 409
    assert "no backup" in answer.get_json()["error"]
    assert list(tmp_path.glob("*.zip")) == []
    assert list(tmp_path.glob(".*part")) == []


def test_an_end_without_any_piece_tells_nothing_of_this_machine(owner: FlaskClient, tmp_path: Path) -> None:
    answer = send(owner, "/api/restore/end", b"{}", "application/json")
    assert answer.status_code == 409
    assert answer.get_json()["error"] == "no piece of a backup has come; begin with piece 0"


def test_pieces_of_two_backups_are_not_put_together(owner: FlaskClient, tmp_path: Path) -> None:
    """Whoever began last is heard to the end; the other is told so, and not that a good backup is damaged."""
    whole = owner.get("/backup.zip").data
    assert send(owner, "/api/restore/0?sender=a", b"x" * PART_BYTES).status_code == 200
    assert send(owner, "/api/restore/0?sender=b", whole).status_code == 200
    for path, kind in (("1", "application/octet-stream"), ("end", "application/json")):
        refused = send(owner, f"/api/restore/{path}?sender=a", b"{}", kind)
        assert refused.status_code == 409
        assert refused.get_json()["error"].startswith("another backup is being sent since")
    done = send(owner, "/api/restore/end?sender=b", b"{}", "application/json").get_json()
    assert (done["entries"], done["instead"]) == (4, False)
    assert send(owner, "/api/restore/0?sender=a", whole).status_code == 200, "then the other can be sent again"
    assert send(owner, "/api/restore/end?sender=a", b"{}", "application/json").get_json()["instead"]


def test_pieces_come_in_order_and_none_is_large(owner: FlaskClient) -> None:
    assert send(owner, "/api/restore/1", b"x").status_code == 409
    assert send(owner, "/api/restore/0", b"x" * (PART_BYTES + 1)).status_code == 413
    assert send(owner, "/api/restore/0", b"x", "text/plain").status_code == 400


@pytest.fixture
def real(tmp_path: Path) -> Iterator[Companion]:
    made, _ = companion_for(tmp_path / "real")
    yield made
    made.stop()


def test_who_came_in_is_in_the_journal_of_a_real_companion_and_changes_no_score(real: Companion) -> None:
    before = {k: v for k, v in real.scoreboard().items() if k != "last_id"}
    real.audit({"what": "came in", "pass": 1})
    (entry,) = [e for e in real.whole_journal() if e.type == "access"]
    assert entry.data == {"what": "came in", "pass": 1}
    assert {k: v for k, v in real.scoreboard().items() if k != "last_id"} == before


def test_while_the_disk_is_full_a_backup_is_given_and_a_new_code_is_told(real: Companion) -> None:
    """Just then a backup was refused. A code had been made, but not its journal entry, and it was lost."""
    access = Access()
    app = create_app(real, access=access, hosts=[EVERY_ADDRESS])
    phone, stranger = Phone(app).holding(access, Role.OWNER), Phone(app)
    fill_disk(real)
    saved = phone.get("/backup.zip")
    assert saved.status_code == 200
    with zipfile.ZipFile(io.BytesIO(saved.data)) as archive:
        assert "journal.json" in archive.namelist()
    made = phone.post("/api/codes/owner")
    assert made.status_code == 200
    assert access.role_of_code(made.get_json()["code"]) == Role.OWNER
    assert stranger.post("/api/codes/owner").status_code == 403
    assert not real.live()["kept"], "pages say that something waits"
    limit_disk(real, 2**30)
    real.audit({"what": "tried again"})
    told = [e.data["what"] for e in real.whole_journal() if e.type == "access" and e.data]
    assert told == ["came in", "backup taken", "code made", "not allowed", "tried again"]
    assert real.live()["kept"]


def test_a_backup_that_does_not_fit_on_the_disk_is_told_so_and_leaves_nothing_there(
    owner: FlaskClient, tmp_path: Path
) -> None:
    """It was a fault of the companion's, and what had come of it stayed on the full disk, hidden, for good."""
    before = sorted(tmp_path.rglob("*"))
    piece = b"x" * PART_BYTES
    with no_file_larger_than(3 * PART_BYTES // 2):
        assert send(owner, "/api/restore/0", piece).status_code == 200
        answer = send(owner, "/api/restore/1", piece)
    assert answer.status_code == 409
    assert "free some space" in answer.get_json()["error"]
    assert sorted(tmp_path.rglob("*")) == before


def test_films_for_which_there_is_no_room_in_a_backup_are_told(owner: FlaskClient, tmp_path: Path) -> None:
    (tmp_path / "replays").mkdir()
    (tmp_path / "replays" / "3.film").write_bytes(random.Random(0).randbytes(IN_MEMORY + PART_BYTES))
    with no_file_larger_than(PART_BYTES):
        answer = owner.get("/backup.zip")
    assert answer.status_code == 409
    assert "free some space" in answer.get_json()["error"]


def test_the_manifest_and_the_worker_that_says_offline_are_there(owner: FlaskClient) -> None:
    manifest = owner.get("/manifest.webmanifest").get_json()
    for icon in manifest["icons"]:
        assert owner.get(icon["src"]).status_code == 200
    worker = owner.get("/service-worker.js")
    assert worker.headers["Service-Worker-Allowed"] == "/"
    for part in ("/offline", "/static/css/theme.css", "/static/css/base.css", "/static/js/offline.js"):
        assert f'"{part}"' in worker.get_data(as_text=True)
        assert owner.get(part).status_code == 200
