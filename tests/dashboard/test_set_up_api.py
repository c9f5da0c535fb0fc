"""Drawing boards and calibrating over HTTP: pictures in and out, and whatever is sent brings no fault of ours."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
import schemathesis
from flask.testing import FlaskClient
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import not_a_server_error

from calibration.board import default_board_path, load_board
from calibration.pose_fit import surface_corners_mm
from companion.board_desk import BoardDesk, file_name
from companion.calibration_desk import CalibrationDesk, camera_folder
from companion.dashboard import create_app
from companion.dashboard.openapi import openapi_document
from tests.calibration import scene
from tests.dashboard.fake import FakeCompanion

QUICK = settings(max_examples=6, deadline=None, derandomize=True, phases=(Phase.explicit, Phase.generate),
                 suppress_health_check=list(HealthCheck))  # fmt: skip
SCHEMA = schemathesis.openapi.from_dict(openapi_document("0")).include(path_regex=r"^/(api/)?(boards|calibration)")
JPEG = cv2.imencode(".jpg", scene.picture(scene.pose()))[1].tobytes()


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("data")
    calibration = CalibrationDesk(camera_folder(folder, "0"), lambda: JPEG, load_board(default_board_path()))
    return create_app(FakeCompanion(), desk=BoardDesk(folder / "boards", lambda: JPEG), calibration=calibration)


@pytest.fixture
def client(app: Any) -> FlaskClient:
    made: FlaskClient = app.test_client()
    token = made.get("/api/session").get_json()["csrf_token"]
    made.environ_base["HTTP_X_CSRFTOKEN"] = token
    return made


@SCHEMA.parametrize()
@QUICK
def test_whatever_is_sent_by_the_description_is_no_fault_of_ours(case: Any, app: Any) -> None:
    client = app.test_client()
    token = client.get("/api/session").get_json()["csrf_token"]
    cookie = client.get_cookie("paleo_session")
    headers = {"X-CSRFToken": token, "Cookie": f"paleo_session={cookie.value if cookie else ''}"}
    case.call_and_validate(app=app, base_url="http://localhost", headers=headers, checks=[not_a_server_error])


def test_every_address_of_these_pages_is_described(app: Any) -> None:
    described = app.test_client().get("/api/openapi.json").get_json()["paths"]
    routes = {rule.rule.replace("<", "{").replace(">", "}") for rule in app.url_map.iter_rules()
              if rule.endpoint.startswith(("boards.", "calibration."))}  # fmt: skip
    assert routes <= set(described)


def test_a_photograph_larger_than_a_command_is_taken(client: FlaskClient) -> None:
    noisy = np.random.default_rng(0).integers(0, 255, (600, 800, 3), np.uint8)
    photograph = cv2.imencode(".png", noisy)[1].tobytes()
    assert len(photograph) > 1_000_000
    taken = client.post("/api/boards/picture", data=photograph, content_type="image/png")
    assert taken.get_json()["size"] == [800, 600]
    assert client.get("/boards/picture.jpg").data.startswith(b"\xff\xd8")


@pytest.mark.parametrize(
    ("data", "kind", "status", "said"),
    [(b"no picture", "image/jpeg", 422, "no picture that can be read"), (b"", "image/png", 422, "no picture"),
     (b"\0\0\0\x18ftypheic\0\0\0\0mif1heic", "application/octet-stream", 422, "HEIC"),
     (b"%PDF-1.7\n", "application/octet-stream", 422, "photograph the board"), (b"a=1", "text/plain", 415, "")],
)  # fmt: skip
def test_what_is_no_picture_is_refused(client: FlaskClient, data: bytes, kind: str, status: int, said: str) -> None:
    answer = client.post("/api/boards/picture", data=data, content_type=kind)
    assert answer.status_code == status
    assert said in answer.get_json()["error"]


def test_corners_and_colours_are_those_of_the_picture_that_was_clicked_in(client: FlaskClient) -> None:
    """Two people at two screens: the second one's picture had been seen from above by the first one's corners."""
    first = client.post("/api/boards/picture", data=JPEG, content_type="image/jpeg").get_json()["picture"]
    second = client.post("/api/boards/picture", data=JPEG, content_type="image/jpeg").get_json()["picture"]
    corners = scene.pose().image_from_board(surface_corners_mm(scene.paleo())).tolist()
    asked = {"size": [650, 650], "corners": corners}
    refused = client.post("/api/boards/above", json={**asked, "picture": first})
    assert refused.status_code == 422
    assert "another picture was taken meanwhile" in refused.get_json()["error"]
    assert client.post("/api/boards/above", json={**asked, "picture": second}).status_code == 200
    assert client.post("/api/boards/colour", json={"at": [300, 300], "picture": first}).status_code == 422
    assert client.post("/api/boards/colour", json={"at": [300, 300], "picture": second}).status_code == 200


def test_measures_that_do_not_fit_clicked_corners_are_told(client: FlaskClient) -> None:
    client.post("/api/boards/picture", data=JPEG, content_type="image/jpeg")
    corners = scene.pose().image_from_board(surface_corners_mm(scene.paleo())).tolist()
    for width, fits in ((650, True), (720, False)):
        above = client.post("/api/boards/above", json={"size": [width, 650], "corners": corners}).get_json()
        assert above["fits"] is fits


def test_who_begins_to_measure_the_lens_later_takes_no_views_from_whoever_began_before(client: FlaskClient) -> None:
    pattern = {"pattern": "chessboard:9x6:25"}
    first = client.post("/api/calibration/lens/begin", json=pattern).get_json()["turn"]
    second = client.post("/api/calibration/lens/begin", json=pattern).get_json()["turn"]
    for ask in ("look", "finish"):
        refused = client.post(f"/api/calibration/lens/{ask}", json={"turn": first}).get_json()
        assert "another screen" in refused["error"]
    assert client.post("/api/calibration/lens/look", json={"turn": second}).get_json()["word"] == "unseen"


def test_corners_clicked_in_a_picture_of_another_size_are_not_taken(client: FlaskClient) -> None:
    corners = scene.pose().image_from_board(surface_corners_mm(scene.paleo())).tolist()
    wide, high = scene.SIZE
    refused = client.post("/api/calibration/pose", json={"corners": corners, "size": [2 * wide, 2 * high]})
    assert f"pictures of {wide}x{high} now" in refused.get_json()["error"]
    assert client.post("/api/calibration/pose", json={"corners": corners, "size": [wide, high]}).status_code == 200


def test_without_its_token_nothing_is_taken(app: Any) -> None:
    answer = app.test_client().post("/api/boards/picture", data=JPEG, content_type="image/jpeg")
    assert answer.status_code == 400


def test_a_boards_name_leads_nowhere_else(client: FlaskClient) -> None:
    assert file_name("../../etc/passwd") == "etc-passwd"
    assert file_name("Plateau d'été !") == "plateau-d-ete"
    assert file_name("Île de l'Œuf") == "ile-de-l-oeuf"
    assert file_name("…") == "board"
    assert client.get("/boards/file/..%2F..%2Fsecret.toml").status_code == 404


def test_a_shape_of_a_team_that_is_not_there_is_refused(client: FlaskClient) -> None:
    team = {"name": "red", "colour": "#c8342a", "digit_colour": "#f5f1e6", "mercenaries": [], "explorers": []}
    door = {"id": "a", "kind": "door", "team": 2, "points": [[10, 10], [50, 10]]}
    drawing = {"name": "A", "size": [500, 500], "puck": {"diameter": 20, "height": 5}, "teams": [team]}
    answer = client.post("/api/boards/check", json={**drawing, "shapes": [door]})
    assert (answer.status_code, "shape a: found team 2" in answer.get_json()["error"]) == (422, True)


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "boards").write_text("in the way")
    desk = BoardDesk(tmp_path / "boards", lambda: JPEG)
    client = create_app(FakeCompanion(), desk=desk).test_client()
    token = client.get("/api/session").get_json()["csrf_token"]
    team = {"name": "red", "colour": "#c8342a", "digit_colour": "#f5f1e6", "mercenaries": [], "explorers": []}
    drawing = {"name": "A", "size": [500, 500], "puck": {"diameter": 20, "height": 5}, "teams": [team], "shapes": []}
    answer = client.post("/api/boards/save", json=drawing, headers={"X-CSRFToken": token})
    assert (answer.status_code, "boards" in answer.get_json()["error"]) == (422, True)


def test_boards_are_listed_opened_by_file_or_text_and_refused_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "boards").mkdir()
    (tmp_path / "boards" / "torn.toml").write_text("format = ")
    (tmp_path / "secret.toml").write_text(default_board_path().read_text())
    client = create_app(FakeCompanion(), desk=BoardDesk(tmp_path / "boards", lambda: JPEG)).test_client()
    client.environ_base["HTTP_X_CSRFTOKEN"] = client.get("/api/session").get_json()["csrf_token"]
    listed = client.get("/api/boards").get_json()["boards"]
    assert [(b["file"], b["name"]) for b in listed] == [("torn", None), ("shipped:paleo", "Paleo")]
    assert client.post("/api/boards/open", json={"file": "shipped:paleo"}).get_json()["remarks"] is True
    (tmp_path / "boards" / "marked.toml").write_text("\ufeff" + default_board_path().read_text())
    for asked_whole in ({"file": "marked"}, {"text": "\ufeff" + default_board_path().read_text()}):
        opened = client.post("/api/boards/open", json=asked_whole)
        assert (opened.status_code, opened.get_json().get("remarks")) == (200, True)
    many = '[[zone]]\nname = "{0}"\nkind = "island"\ncircle = [9, 9, 9]\n'
    text = default_board_path().read_text().split("# estimates: each circle")[0]
    for asked, said in (
        ({"file": "torn"}, "torn.toml: not valid TOML"),
        ({"file": "../secret"}, "no saved board of this name"),
        ({"text": "name = 3"}, "format: found nothing"),
        ({"text": text + "".join(many.format(i) for i in range(830))}, "cannot be changed here (shapes: "),
    ):
        answer = client.post("/api/boards/open", json=asked)
        assert (answer.status_code, said in answer.get_json()["error"]) == (422, True), answer.get_json()


def drawn(things: int, mirror: str) -> dict[str, Any]:
    team = {"colour": "#c8342a", "digit_colour": "#f5f1e6", "mercenaries": [1, 2, 8], "explorers": [3, 4, 5, 6, 7]}
    return {
        "name": f"Board of {things}", "size": [2000, 400], "puck": {"diameter": 28, "height": 9}, "mirror": mirror,
        "rim": {"width": 60, "height": 8},
        "teams": [{**team, "name": "red"}, {**team, "name": "green", "colour": "#2f8f4e"}],
        "shapes": [
            {"id": str(i), "kind": "facade", "team": 0, "height": 9,
             "points": [[x, y], [x + 20.11, y], [x + 20.11, y + 10.22], [x, y + 10.22]]}
            for i in range(things) for x, y in [(20 + i % 40 * 24.12, 20 + i // 40 * 30.65)]
        ],
    }  # fmt: skip


@pytest.mark.parametrize("mirror", ["none", "both"])
def test_a_board_of_two_hundred_things_is_opened_again_and_saved_again(tmp_path: Path, mirror: str) -> None:
    """It could be saved, and was refused as too long for ever after."""
    client = create_app(FakeCompanion(), desk=BoardDesk(tmp_path, lambda: None)).test_client()
    client.environ_base["HTTP_X_CSRFTOKEN"] = client.get("/api/session").get_json()["csrf_token"]
    drawing = drawn(200, mirror)
    saved = client.post("/api/boards/save", json=drawing)
    assert saved.status_code == 200, saved.get_json()
    opened = client.post("/api/boards/open", json={"file": saved.get_json()["file"]})
    assert opened.status_code == 200, opened.get_json()
    told = opened.get_json()["drawing"]
    again = {**drawing, **{key: told[key] for key in ("source", "shapes", "teams", "mirror")}}
    once_more = client.post("/api/boards/save", json={**again, "file": saved.get_json()["file"], "replace": True})
    assert once_more.status_code == 200, once_more.get_json()


def test_a_board_that_could_not_be_opened_again_is_not_saved(tmp_path: Path) -> None:
    client = create_app(FakeCompanion(), desk=BoardDesk(tmp_path, lambda: None)).test_client()
    client.environ_base["HTTP_X_CSRFTOKEN"] = client.get("/api/session").get_json()["csrf_token"]
    refused = client.post("/api/boards/save", json=drawn(260, "both"))
    assert refused.status_code == 422
    assert "expected 800 at most, so that it can be opened again" in refused.get_json()["error"]
    assert list(tmp_path.iterdir()) == []
