"""The two commands, with real pictures, films and files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import av
import cv2
import numpy as np
import pytest

from calibration.board import default_board_path
from calibration.commands import calibrate_lens, calibrate_pose, parse_corners
from calibration.lens import CalibrationError, load_lens
from calibration.lens_views import FILM_VIEWS, gather_views, spread
from calibration.patterns import parse_pattern
from calibration.pictures import FILM_LOOKS, read_pictures, read_still_frames
from calibration.pose_fit import surface_corners_mm
from calibration.store import load_calibration, save_lens
from tests.calibration import scene
from tests.calibration.test_lens import TRUE, views
from tests.films import film as small_film

BOARD = default_board_path()


def write(path: Path, image: scene.Image) -> Path:
    assert cv2.imwrite(str(path), image)
    return path


def film(path: Path, images: list[scene.Image], fps: float = 10.0) -> Path:
    size = (images[0].shape[1], images[0].shape[0])
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), fps, size)
    for image in images:
        writer.write(cv2.cvtColor(image, cv2.COLOR_GRAY2BGR))
    writer.release()
    return path


def clicks(camera: scene.Pose) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in camera.image_from_board(surface_corners_mm(scene.paleo())))


def test_a_picture_with_markers_gives_a_calibration_file(tmp_path: Path) -> None:
    camera, out = scene.pose(), tmp_path / "cal.json"
    save_lens(tmp_path / "lens.json", camera.lens)
    view = write(tmp_path / "view.png", scene.picture(camera))
    report = calibrate_pose(view, BOARD, out, tmp_path / "lens.json")
    assert "markers 0, 1, 2, 3" in str(report)
    assert scene.error_mm(load_calibration(out), camera, scene.paleo()) < 0.4


def test_a_film_with_a_passing_hand_gives_the_pose(tmp_path: Path) -> None:
    camera = scene.pose()
    frames = [scene.picture(camera)] * 12
    frames[4] = frames[4].copy()
    frames[4][:, :600] = 120
    save_lens(tmp_path / "lens.json", camera.lens)
    clip = film(tmp_path / "clip.mp4", frames)
    calibrate_pose(clip, BOARD, tmp_path / "cal.json", tmp_path / "lens.json")
    assert scene.error_mm(load_calibration(tmp_path / "cal.json"), camera, scene.paleo()) < 0.4


def test_clicked_corners_do_where_there_are_no_markers(tmp_path: Path) -> None:
    camera, out = scene.pose(), tmp_path / "cal.json"
    view = write(tmp_path / "view.png", scene.picture(camera, only=()))
    report = calibrate_pose(view, BOARD, out, corners=clicks(camera))
    assert "clicked corners" in str(report)
    assert "no lens file" in str(report)
    corners = load_calibration(out).image_from_board(surface_corners_mm(scene.paleo()))
    np.testing.assert_allclose(corners, parse_corners(clicks(camera)), atol=0.1)


def test_markers_near_the_clicked_corners_say_it_more_precisely(tmp_path: Path) -> None:
    camera = scene.pose()
    save_lens(tmp_path / "lens.json", camera.lens)
    view = write(tmp_path / "view.png", scene.picture(camera))
    off = scene.pose(aside_mm=(1.5, -1.0))
    report = calibrate_pose(view, BOARD, tmp_path / "cal.json", tmp_path / "lens.json", clicks(off))
    assert "markers" in report.source
    assert scene.error_mm(report.pose, camera, scene.paleo()) < 0.4


@pytest.mark.parametrize("known", [True, False], ids=["with a lens", "without"])
def test_corners_clicked_from_another_corner_on_are_held_against_the_markers(tmp_path: Path, known: bool) -> None:
    camera = scene.pose()
    save_lens(tmp_path / "lens.json", camera.lens)
    view = write(tmp_path / "view.png", scene.picture(camera))
    lens = tmp_path / "lens.json" if known else None
    turned = " ".join([*clicks(camera).split()[1:], clicks(camera).split()[0]])
    report = calibrate_pose(view, BOARD, tmp_path / "cal.json", lens, turned)
    assert "the markers that are seen say otherwise: by them the " in str(report)
    right = calibrate_pose(view, BOARD, tmp_path / "cal.json", lens, clicks(camera))
    assert "say otherwise" not in str(right)


def test_corners_that_only_an_unusual_camera_sees_so_are_doubted(tmp_path: Path) -> None:
    camera = scene.pose()
    view = write(tmp_path / "view.png", scene.picture(camera, only=()))
    (x, y), *others = parse_corners(clicks(camera))
    slipped = " ".join(f"{u:.1f},{v:.1f}" for u, v in [(x + 60, y + 30), *others])
    assert "by an unusual camera alone" in str(calibrate_pose(view, BOARD, tmp_path / "cal.json", corners=slipped))
    assert "unusual" not in str(calibrate_pose(view, BOARD, tmp_path / "cal.json", corners=clicks(camera)))


def test_a_crooked_marker_is_warned_of(tmp_path: Path) -> None:
    camera = scene.pose()
    save_lens(tmp_path / "lens.json", camera.lens)
    view = write(tmp_path / "view.png", scene.picture(camera, crooked=1))
    assert "marker 1" in str(calibrate_pose(view, BOARD, tmp_path / "cal.json", tmp_path / "lens.json"))


def test_a_refused_picture_is_named_and_nothing_is_written(tmp_path: Path) -> None:
    mirrored = np.ascontiguousarray(scene.picture(scene.pose())[:, ::-1])
    view = write(tmp_path / "selfie.png", mirrored)
    with pytest.raises(CalibrationError, match=r"selfie\.png: the picture is mirrored"):
        calibrate_pose(view, BOARD, tmp_path / "cal.json")
    assert not (tmp_path / "cal.json").exists()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1,2 3,4 5,6", "found 3 points"),
        ("1,2 3,4 5,6 7,8 9,10", "found 5 points"),
        ("1,2 3,4 5,six 7,8", "point 3 is '5,six'"),
        ("1,2 3,4 5 7,8", "point 3"),
        ("0,0 0,10 10,10 10,0", "anticlockwise"),
        ("0,0 10,10 10,0 0,10", "convex"),
        ("0,0 5,0 10,0 0,10", "convex"),
        ("", "found 0 points"),
    ],
)
def test_wrong_corners_say_what_was_found_and_expected(text: str, said: str) -> None:
    with pytest.raises(CalibrationError, match=said) as caught:
        parse_corners(text)
    assert "north-west" in str(caught.value)


def test_corners_are_read_with_signs_and_fractions() -> None:
    np.testing.assert_array_equal(
        parse_corners("-3.5,0 640,.5  641.,480 0,+479"), [[-3.5, 0], [640, 0.5], [641, 480], [0, 479]]
    )


def test_a_folder_of_pictures_gives_a_lens_file(tmp_path: Path) -> None:
    folder = tmp_path / "views"
    folder.mkdir()
    for view in views():
        write(folder / view.name, view.image)
    report = calibrate_lens(folder, "chessboard:9x6:25", tmp_path / "lens.json", tmp_path / "sure.png")
    assert cv2.imread(str(tmp_path / "sure.png")) is not None
    assert "a place is right to 0." in str(report)
    lens = load_lens(tmp_path / "lens.json")
    assert lens.focal_px == pytest.approx(TRUE.focal_px, rel=0.003)
    assert lens.views == 10
    assert "view0.png" in str(report)


def test_a_film_of_the_pattern_gives_a_lens_file(tmp_path: Path) -> None:
    clip = film(tmp_path / "views.mp4", [v.image for v in views() for _ in range(3)])
    report = calibrate_lens([clip], "chessboard:9x6:25", tmp_path / "lens.json")
    assert load_lens(tmp_path / "lens.json").focal_px == pytest.approx(TRUE.focal_px, rel=0.01)
    assert "views.mp4 at" in str(report)


def test_pictures_of_one_name_in_two_folders_are_told_apart(tmp_path: Path) -> None:
    """Cameras count from 1 again on every card."""
    for number, view in enumerate(views()):
        folder = tmp_path / f"card{number % 2}"
        folder.mkdir(exist_ok=True)
        write(folder / f"{number // 2}.png", view.image)
    report = calibrate_lens([tmp_path / "card0", tmp_path / "card1"], "chessboard:9x6:25", tmp_path / "lens.json")
    assert load_lens(tmp_path / "lens.json").focal_px == pytest.approx(TRUE.focal_px, rel=0.01)
    assert [name for name, _ in report.fit.views] == [
        str(tmp_path / card / f"{n}.png") for card in ("card0", "card1") for n in range(5)
    ]


def test_of_many_frames_some_are_taken_and_of_pictures_beside_them_all(tmp_path: Path) -> None:
    seen = gather_views(views(), parse_pattern("chessboard:9x6:25")).kept
    moved = [
        replace(seen[n % 10], name=f"frame {n}", pixels=seen[n % 10].pixels + 3.0 * (n // 10), from_film=True)
        for n in range(50)
    ]
    kept = spread([*seen, *moved])
    assert kept[:10] == list(seen)
    assert len(kept) == 10 + FILM_VIEWS


@pytest.mark.parametrize("frames", [401, 599, 610, 900])
def test_a_film_is_looked_at_to_its_end(tmp_path: Path, frames: int) -> None:
    """Of one of 599 frames the last third was left out."""
    clip = small_film(tmp_path / "views.mp4", frames)
    seen = [picture.seconds for picture in read_pictures(clip)]
    assert 200 <= len(seen) <= FILM_LOOKS
    assert seen[-1] == pytest.approx(frames / 30, abs=0.6)


def test_a_film_that_does_not_tell_its_length_is_looked_at_to_its_end(tmp_path: Path) -> None:
    """So browsers record, and programs that are killed."""
    clip = small_film(tmp_path / "views.mp4", 610)
    endless = tmp_path / "views.mkv"
    with av.open(str(clip)) as source, av.open(str(endless), "w", options={"live": "1"}) as copy:
        stream = copy.add_stream_from_template(source.streams.video[0])
        for packet in source.demux(video=0):
            if packet.dts is not None:
                packet.stream = stream
                copy.mux(packet)
    assert cv2.VideoCapture(str(endless)).get(cv2.CAP_PROP_FRAME_COUNT) <= 0
    seen = [picture.seconds for picture in read_pictures(endless)]
    assert 200 <= len(seen) <= FILM_LOOKS
    assert seen[-1] == pytest.approx(610 / 30, abs=0.6)


def test_a_pattern_of_names_finds_pictures_in_order(tmp_path: Path) -> None:
    for name in ("b.png", "a.png", "c.txt"):
        (tmp_path / name).write_bytes(cv2.imencode(".png", np.zeros((4, 4), np.uint8))[1].tobytes())
    assert [p.name for p in read_pictures(tmp_path / "*.png")] == ["a.png", "b.png"]


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("empty.mp4", b"", "empty"),
        ("notes.txt", b"hello", "neither a picture nor a film"),
        ("broken.jpg", b"\xff\xd8\xff", "not a picture"),
        ("void.png", b"", "not a picture"),
        ("vast.png", b"P5 40000 40000 255\n", "not a picture"),
    ],
)
def test_what_is_no_picture_is_refused(tmp_path: Path, name: str, content: bytes, said: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(CalibrationError, match=said) as caught:
        read_still_frames(tmp_path / name, 3)
    assert name in str(caught.value)


def test_nothing_to_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CalibrationError, match="not found"):
        list(read_pictures(tmp_path / "none.png"))
    with pytest.raises(CalibrationError, match="no pictures in this folder"):
        list(read_pictures(tmp_path))
    with pytest.raises(CalibrationError, match="folder"):
        read_still_frames(tmp_path, 3)
