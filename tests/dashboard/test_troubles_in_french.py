"""What calibration, board files and the check of requests have to say is told in French on French pages."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
import pytest
from pydantic import BaseModel, Field, TypeAdapter, ValidationError

import calibration
import companion
from calibration.board import BoardFileError, default_board_path, load_board, parse_board
from calibration.commands import CORNER_NAMES, DOUBTS, FAR_CLICKS, NO_LENS, ODD_CLICKS
from calibration.drawn_board import DrawingError, DrawnBoard
from calibration.lens_fit import STRETCHED
from calibration.lens_views import NEWER_LAYOUT, OLDER_LAYOUT
from calibration.marker_slips import ALL_TURNED, EXCHANGED, MIRRORED, MIXED, TURNED
from calibration.markers import why_not_found
from calibration.pose_doubts import CROOKED, FEW_MARKERS, NOT_SURE, SIZES, SMALL, SQUEEZED, UNBENT, UNITS
from companion.board_desk import BoardDesk
from companion.calibration_desk import CalibrationDesk
from companion.dashboard import create_app
from companion.dashboard.board_models import Drawing, OpenBoard
from companion.picture_files import HEIC, NO_PICTURE, PDF
from companion.troubles import GAP, in_french, trouble_texts
from tests.calibration import scene
from tests.dashboard.fake import FakeCompanion
from tests.dashboard.full_house import camera_picture
from vision.brightening import DARK_BOARD

CALIBRATION = Path(calibration.__file__).parent
COMPANION = Path(companion.__file__).parent
IN_A_TERMINAL = ("board_commands.py", "commands.py", "film_look.py", "pictures.py", "sheets.py")
ERRORS = ("BoardFileError", "CalibrationError")
# phrases that are put together from parts, and one of what they come to
COMPOSED = {"a number7 (mm)": "a number above 7 (mm)", "7 [[x, y], …] in mm": "at least 7 points [[x, y], …] in mm"}
ENGLISH = re.compile(r"\b(expected|found|should|the|is|are|of|a number|nothing|see)\b")


def written(told: ast.expr) -> str | None:
    """A sentence as it may be raised, with something in each gap; None where it is made elsewhere."""
    if isinstance(told, ast.Constant) and isinstance(told.value, str):
        return told.value
    if isinstance(told, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "7" for part in told.values)
    if isinstance(told, ast.BinOp):
        left, right = written(told.left), written(told.right)
        return None if left is None else left + (right if right is not None else "7")
    return "" if isinstance(told, ast.IfExp) else None


def raised() -> Iterator[tuple[str, str]]:
    """Where a sentence is raised that a page may show, and what it says."""
    own = [*COMPANION.glob("*_desk.py"), COMPANION / "picture_files.py", *COMPANION.glob("dashboard/*.py")]
    for path in sorted([*CALIBRATION.glob("*.py"), *own]):
        if path.name in IN_A_TERMINAL:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            called = ast.unparse(node.func)
            told = written(node.args[0]) if called in ERRORS else None
            if called == "self.fail" and path.name == "board.py":
                told = written(node.args[3])
            if told is not None:
                yield f"{path.name}:{node.lineno}", told


def test_every_sentence_that_a_page_may_show_has_its_french() -> None:
    said = {where: COMPOSED.get(told, told) for where, told in raised()}
    assert len(said) > 60
    missing = {where: told for where, told in said.items() if told != "7" and in_french(told) == told}
    assert missing == {}


SAID_OF_POSE_AND_LENS = (
    *NO_LENS.values(),
    *(doubt.format(percent="+12") for doubt in DOUBTS.values()),
    NO_PICTURE, PDF, HEIC, ODD_CLICKS, *(FAR_CLICKS.format(which=which, px=312) for which in CORNER_NAMES),
    TURNED.format(ids="1, 2"), ALL_TURNED.format(degrees=90), EXCHANGED.format(one=0, other=1), MIRRORED,
    MIXED.format(ids="0, 1"),
    NOT_SURE, FEW_MARKERS, UNBENT, CROOKED.format(id=3), SIZES.format(file=34, seen=31),
    SQUEEZED.format(percent=133),
    UNITS.format(w=65, h=65, puck=2.8), SMALL.format(px=9, least=12), DARK_BOARD.format(mean=12, least=20),
    "the board's outline", "markers 0, 1, 2", "markers near the clicked corners", "clicked corners",
    "clicked corners, refined on the board's outline",
    "only 5 views: take 10 to 20 for a lens to rely on",
    "the pattern was never in the left and upper third of the picture: distortion is unsure there",
    STRETCHED.format(percent="2.8"), OLDER_LAYOUT, NEWER_LAYOUT,
    "the focal length is known to 4 % only: add views tilted by 20 to 40 degrees",
    "blurred: edges of 4.1 px, expected below 2.0", "outlier: rms 2.10 px, the others 0.30",
    "turned: 720x1280, the others are 1280x720", "repeated: the same view as view 2",
    "cal.json: tvec: found '[1]', expected 3 numbers of at most 1000000",
    "cal.json: rms_px: found 'x', expected a number of at most 1000000",
    "lens.json: camera_matrix: found a focal length of 0.1 px, expected one of at least 1",
)  # fmt: skip


@pytest.mark.parametrize("told", SAID_OF_POSE_AND_LENS)
def test_what_is_said_of_a_pose_or_a_lens_has_its_french(told: str) -> None:
    french = in_french(told)
    assert french != told
    assert not ENGLISH.search(french), french


def test_the_calibration_page_tells_a_pose_in_french(tmp_path: Path) -> None:
    """By what it was found, and what is unsure without a lens."""
    desk = CalibrationDesk(tmp_path, camera_picture, scene.paleo())
    client = create_app(FakeCompanion(), calibration=desk).test_client()
    token = client.get("/api/session").get_json()["csrf_token"]
    headers = {"X-CSRFToken": token, "Accept-Language": "fr"}
    found = client.post("/api/calibration/pose", json={"corners": None}, headers=headers).get_json()
    assert found["source"].startswith("les repères 0, 1")
    assert found["warnings"]
    assert [one for one in found["warnings"] if ENGLISH.search(one)] == []


def test_both_languages_have_the_same_gaps_but_those_that_only_english_fills() -> None:
    for english, french in trouble_texts().items():
        assert set(GAP.findall(french)) <= set(GAP.findall(english)), english


def test_why_markers_are_not_seen_is_told() -> None:
    board = load_board(default_board_path())
    told = why_not_found(np.full((480, 640), 128, dtype=np.uint8), board)
    french = in_french(told)
    assert french.startswith("aucun repère n’est vu, attendu les repères ")
    assert not ENGLISH.search(french)


SIZE = "size = [650, 650]"
WRONG = {
    "size = 7": "[largeur, hauteur] en mm, au-dessus de 0",
    f'{SIZE}\n[puck]\ndiameter = "x"': "[puck] diameter : trouvé 'x', attendu un nombre au-dessus de 0 (mm)",
    f"{SIZE}\n[puck]\nheight = 9": "[puck] diameter : trouvé rien, attendu un nombre au-dessus de 0 (mm)",
    SIZE: "[puck] le tableau : trouvé rien, attendu un tableau [puck]",
    f"{SIZE}\n[puck]\ndiameter = 28,5": "ligne 5, colonne 14 ; 28,5 s’écrit ici 28.5, avec un point",
    f"{SIZE}\n[puck]\ndiameter = 28\nheight = 9": "trouvé rien, attendu au moins 1 tableau écrit [[team]]",
}


@pytest.mark.parametrize("text", WRONG)
def test_a_board_file_that_is_wrong_is_told(text: str) -> None:
    with pytest.raises(BoardFileError) as error:
        parse_board(f'format = 1\nname = "x"\n{text}', "the file")
    french = in_french(str(error.value))
    assert french.startswith("le fichier : ")
    assert WRONG[text] in french
    assert not ENGLISH.search(french)


UNFIT: tuple[tuple[Any, str], ...] = (
    (int, '"x"'), (int, '"1x"'), (int, "1.5"), (int, "[]"), (float, '"x"'), (float, "[]"), (bool, '"maybe"'),
    (bool, "[]"), (str, "7"), (list[int], "7"), (dict[str, int], "7"), (Drawing, "7"), (Literal["a"], "7"),
    (Literal["a", "b", "c"], "7"), (None, "7"), (int, "{"), (int, ""), (Annotated[str, Field(min_length=1)], '""'),
    (Annotated[str, Field(min_length=2)], '""'), (Annotated[str, Field(max_length=1)], '"xx"'),
    (Annotated[str, Field(max_length=2)], '"xxx"'), (Annotated[str, Field(pattern="^#$")], '"x"'),
    (Annotated[list[int], Field(min_length=1)], "[]"), (Annotated[list[int], Field(min_length=2)], "[]"),
    (Annotated[list[int], Field(max_length=1)], "[1, 2]"), (Annotated[list[int], Field(max_length=2)], "[1, 2, 3]"),
    (Annotated[int, Field(gt=1)], "0"), (Annotated[int, Field(ge=1)], "0"), (Annotated[int, Field(lt=1)], "7"),
    (Annotated[int, Field(le=1)], "7"), (Annotated[float, Field(allow_inf_nan=False)], "NaN"),
)  # fmt: skip


@pytest.mark.parametrize(("wanted", "body"), UNFIT)
def test_what_is_wrong_with_a_request_is_told(wanted: Any, body: str) -> None:
    with pytest.raises(ValidationError) as error:
        TypeAdapter(wanted).validate_json(body)
    for one in error.value.errors():
        french = in_french(one["msg"])
        assert french.startswith(("attendu", "JSON illisible")), one["msg"]
        assert not ENGLISH.search(french)


@pytest.fixture
def send(tmp_path: Path) -> Callable[..., tuple[int, str]]:
    """Posts what a French page would; the answer's status and error."""
    desk = BoardDesk(tmp_path / "boards", lambda: None, None)
    client = create_app(FakeCompanion(), desk=desk).test_client()
    token = client.get("/api/session").get_json()["csrf_token"]

    def post(path: str, body: Any) -> tuple[int, str]:
        headers = {"X-CSRFToken": token, "Accept-Language": "fr", "Content-Type": "application/json"}
        kind = {"json": body} if isinstance(body, dict) else {"data": body}
        answer = client.post(path, headers=headers, **kind)
        return answer.status_code, answer.get_json()["error"].replace("\u00a0", " ")

    return post


@pytest.mark.parametrize(
    ("path", "body", "told"),
    [
        ("/api/command/undo", "{", "body : JSON illisible à la ligne 1, colonne 1 ; voir /api/openapi.json"),
        ("/api/command/undo", {"seen": "x"}, "seen : attendu un nombre entier ; voir"),
        ("/api/command/undo", {"more": 1}, "more : champ inconnu ; voir"),
        ("/api/boards/picture/camera", {}, "la caméra ne donne pas encore d’image ; attendez"),
        ("/api/boards/colour", {"at": [1, 2]}, "les couleurs se prennent dans la vue de dessus"),
        ("/api/boards/above", {"size": [5000, 300]}, "Surface, d’ouest en est : attendu un nombre d’au plus 3000"),
        ("/api/boards/check", [], "body : "),
        ("/api/boards/above", {"size": [650, 650]}, "il n’y a pas encore d’image ; prenez-en une d’abord"),
        ("/api/boards/open", {"file": "x"}, "x : aucun plateau enregistré ne porte ce nom"),
        ("/api/boards/open", {"text": "format = 2"}, "le fichier : format : trouvé 2, attendu 1"),
    ],
)
def test_a_french_page_is_answered_in_french(
    send: Callable[..., tuple[int, str]], path: str, body: Any, told: str
) -> None:
    status, error = send(path, body)
    assert status == 422
    assert error.startswith(told)


TEAMS = [{"name": "red", "colour": "#c8342a", "digit_colour": "#ffffff", "mercenaries": [], "explorers": []}]
PLAIN = {"name": "x", "size": [650, 650], "puck": {"diameter": 28, "height": 9}, "teams": TEAMS, "shapes": []}
DOOR_ALONE = {**PLAIN, "shapes": [{"id": "1", "kind": "door", "team": 0, "points": [[0, 10], [0, 50]]}]}


def test_why_a_drawn_board_is_not_saved_is_told_in_french(send: Callable[..., tuple[int, str]]) -> None:
    status, error = send("/api/boards/save", DOOR_ALONE)
    assert (status, error) == (422, "cette porte n’a pas de sanctuaire à elle : tracer aussi le sanctuaire")


class CountingDesk(BoardDesk):
    """A desk that counts how often it judges."""

    judged = 0

    def judge(self, drawing: Mapping[str, Any]) -> DrawnBoard:
        self.judged += 1
        return super().judge(drawing)


@pytest.mark.parametrize(("body", "status"), [(PLAIN, 200), (DOOR_ALONE, 422)])
def test_a_drawing_that_is_saved_is_judged_once(tmp_path: Path, body: dict[str, Any], status: int) -> None:
    """Its mistakes are told in both languages by the error itself, and by the answer where it can be used."""
    desk = CountingDesk(tmp_path / "boards", lambda: None, None)
    client = create_app(FakeCompanion(), desk=desk).test_client()
    headers = {"X-CSRFToken": client.get("/api/session").get_json()["csrf_token"]}
    assert client.post("/api/boards/save", headers=headers, json=body).status_code == status
    assert desk.judged == 1


def test_a_desk_says_what_is_wrong_with_a_drawing_in_both_languages(tmp_path: Path) -> None:
    with pytest.raises(DrawingError) as error:
        BoardDesk(tmp_path / "boards", lambda: None, None).save(Drawing.model_validate(DOOR_ALONE).model_dump())
    assert str(error.value) == error.value.texts["en"]
    assert error.value.texts["fr"].startswith("cette porte n’a pas de sanctuaire à elle")


def test_own_checks_of_a_request_are_told() -> None:
    assert told_by(Drawing, {"name": "x"}) == "champ manquant"
    assert told_by(OpenBoard, {"file": 7}) == "attendu un texte"


def told_by(model: type[BaseModel], body: dict[str, Any]) -> str:
    with pytest.raises(ValidationError) as error:
        model.model_validate(body)
    return in_french(error.value.errors()[0]["msg"])
