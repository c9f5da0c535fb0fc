"""Measuring a lens: right for a known one, and strict with views that would spoil it."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from calibration.lens import CalibrationError, Lens, lens_from_json
from calibration.lens_fit import LensFit, fit_lens
from calibration.lens_views import NEWER_LAYOUT, OLDER_LAYOUT, View, Views, gather_views
from calibration.patterns import Pattern, parse_pattern
from calibration.pictures import Picture
from calibration.uncertainty import lens_errors_mm
from companion.troubles import in_french
from tests.calibration import scene

SIZE = (640, 480)
TRUE = Lens(SIZE, np.array([[532.0, 0, 327.0], [0, 532.0, 236.0], [0, 0, 1.0]]), np.array([-0.22, 0.06, 0.0, 0.0, 0.0]))
BOARD = parse_pattern("chessboard:9x6:25")
TILTS = [(0.0, 0.0), (0.5, 0.0), (-0.5, 0.1), (0.0, 0.5), (0.1, -0.5), (0.35, 0.35), (-0.35, 0.3), (0.3, -0.4),
         (-0.4, -0.35), (0.2, 0.6)]  # fmt: skip


@cache
def views() -> tuple[Picture, ...]:
    rng = np.random.default_rng(3)
    pictures = []
    for number, (x, y) in enumerate(TILTS):
        rvec = np.array([x, y, rng.uniform(-0.3, 0.3)])
        middle = cv2.Rodrigues(rvec)[0] @ np.array([100.0, 62.5, 0.0])
        aside = np.array([rng.uniform(-60, 60), rng.uniform(-40, 40), rng.uniform(330, 420)])
        image = scene.chessboard(9, 6, TRUE, rvec, aside - middle, 25.0)
        pictures.append(Picture(f"view{number}.png", image))
    return tuple(pictures)


@cache
def gathered() -> Views:
    return gather_views(views(), BOARD)


@cache
def fitted() -> LensFit:
    return fit_lens(gathered())


def test_the_focal_length_of_a_known_lens_is_found_to_three_thousandths() -> None:
    fit = fitted()
    assert fit.lens.focal_px == pytest.approx(TRUE.focal_px, rel=0.003)
    assert fit.lens.rms_px is not None
    assert fit.lens.rms_px < 0.2
    assert fit.focal_error_px < 2


def test_no_point_of_the_picture_is_off_by_more_than_half_a_pixel() -> None:
    """Rays of the measured lens, seen through the true one; the pose takes up a shift and turn."""
    found = fitted().lens
    xs, ys = np.meshgrid(np.linspace(20, 619, 9), np.linspace(20, 459, 7))
    pixels = np.column_stack([xs.ravel(), ys.ravel()])
    rays = cv2.undistortPoints(pixels.reshape(-1, 1, 2), found.camera_matrix, found.distortion).reshape(-1, 2)
    flat = np.column_stack([rays, np.zeros(len(rays))]) * 1000
    rvec, tvec = np.zeros(3), np.array([0.0, 0.0, 1000.0])
    _, rvec, tvec = cv2.solvePnP(flat, pixels, TRUE.camera_matrix, TRUE.distortion, rvec, tvec, True)
    seen = cv2.projectPoints(flat, rvec, tvec, TRUE.camera_matrix, TRUE.distortion)[0].reshape(-1, 2)
    assert np.linalg.norm(seen - pixels, axis=1).max() < 0.5


def test_the_model_is_chosen_by_held_out_views() -> None:
    fit = fitted()
    assert fit.model != "no distortion"
    assert fit.held_out_px[fit.model] <= 1.02 * min(fit.held_out_px.values())


def test_a_lens_without_distortion_is_given_none() -> None:
    rng = np.random.default_rng(5)
    straight = replace(TRUE, distortion=np.zeros(5))
    seen = []
    for number, view in enumerate(gathered().kept):
        rvec = np.array([*TILTS[number], 0.1])
        middle = cv2.Rodrigues(rvec)[0] @ np.array([100.0, 62.5, 0.0])
        tvec = np.array([0.0, 0.0, 380.0]) - middle
        pixels = cv2.projectPoints(view.places_mm, rvec, tvec, straight.camera_matrix, straight.distortion)[0]
        seen.append(replace(view, pixels=pixels.reshape(-1, 2) + rng.normal(0, 0.1, (54, 2))))
    assert fit_lens(Views(tuple(seen), (), ())).lens.distortion == pytest.approx(np.zeros(5), abs=0.02)


def test_a_view_that_stands_out_is_named_and_dropped() -> None:
    kept = list(gathered().kept)
    bent = kept[4].pixels + 4 * np.sin(kept[4].pixels[:, ::-1] / 40)
    kept[4] = replace(kept[4], pixels=bent)
    fit = fit_lens(Views(tuple(kept), (), ()))
    assert [name for name, _ in fit.dropped] == ["view4.png"]
    assert "outlier" in fit.dropped[0][1]
    assert fit.lens.focal_px == pytest.approx(TRUE.focal_px, rel=0.005)


def test_half_of_the_views_foretell_the_others() -> None:
    fit = fitted()
    assert fit.lens.rms_px is not None
    assert fit.held_out_px[fit.model] < 1.3 * fit.lens.rms_px


def test_a_lens_from_few_views_is_less_sure_than_one_from_many() -> None:
    many, few = fitted().lens, fit_lens(Views(gathered().kept[:5], (), ())).lens
    sure, unsure = lens_errors_mm(many), lens_errors_mm(few)
    assert sure is not None
    assert unsure is not None
    assert 0 < np.median(sure) < 1.0
    assert np.median(unsure) > np.median(sure)


def test_blurred_partial_repeated_turned_and_resized_views_are_refused_with_the_word() -> None:
    good = views()
    spoilt = [
        Picture("soft.png", cv2.GaussianBlur(good[1].image, (0, 0), 4.0)),
        Picture("cut.png", np.ascontiguousarray(np.roll(good[2].image, 330, axis=1))),
        Picture("again.png", good[0].image),
        Picture("turned.png", np.ascontiguousarray(np.rot90(good[3].image))),
        Picture("small.png", cv2.resize(good[4].image, (512, 384), interpolation=cv2.INTER_AREA)),
    ]
    seen = gather_views([*good[:6], *spoilt], BOARD)
    why = dict(seen.refused)
    assert why["soft.png"].startswith(("blurred", "partial"))
    assert why["cut.png"].startswith("partial")
    assert why["turned.png"].startswith("turned")
    assert why["small.png"].startswith("resized")
    repeated = [name for name, word in why.items() if word.startswith("repeated")]
    assert len(repeated) == 1
    assert repeated[0] in ("again.png", "view0.png")
    assert "another size" in seen.warnings[0]
    assert len(seen.kept) == 6


def test_too_few_views_are_refused_with_advice() -> None:
    few = Views(gathered().kept[:2], (("a.png", "partial: the whole pattern is not seen"),), ())
    with pytest.raises(CalibrationError, match=r"2 usable views.*a\.png: partial.*10 to 20"):
        fit_lens(few)


@pytest.mark.parametrize(
    ("count", "told", "french"),
    [(0, "no usable view of", "aucune vue utilisable de"), (1, "1 usable view of", "1 vue utilisable de"),
     (2, "2 usable views of", "2 vues utilisables de")],
)  # fmt: skip
def test_how_many_views_can_be_used_is_told_as_a_person_would(count: int, told: str, french: str) -> None:
    with pytest.raises(CalibrationError) as error:
        fit_lens(Views(gathered().kept[:count], (), ()))
    assert str(error.value).startswith(f"{told} the pattern, expected at least 3; ")
    assert in_french(str(error.value)).startswith(f"{french} la mire, attendu au moins 3 ; ")


def test_why_views_cannot_be_used_is_told_once_and_in_french_too() -> None:
    """In French it was left out."""
    refused = (("b.png", "repeated: the same view as a.png"),
               *((f"{n}.png", "partial: the whole pattern is not seen") for n in range(5)))  # fmt: skip
    with pytest.raises(CalibrationError) as error:
        fit_lens(Views((), refused, ()))
    said = str(error.value)
    assert "(0.png, 1.png, 2.png …: partial: the whole pattern is not seen); check" in said
    assert "(0.png, 1.png, 2.png … : partielle : la mire entière n’est pas vue) ; vérifiez" in in_french(said)


def test_a_wrong_pattern_does_not_pass() -> None:
    """Squares said to be oblong: no lens explains the pictures."""
    stretched = tuple(replace(v, places_mm=v.places_mm * (1.0, 1.5, 1.0)) for v in gathered().kept)
    with pytest.raises(CalibrationError, match="do not fit the pattern"):
        fit_lens(Views(tuple(replace(v, places_mm=_swapped(v)) for v in stretched), (), ()))


def _swapped(view: View) -> scene.FloatArray:
    places = view.places_mm.copy()
    places[::2, 0] *= 1.2
    return places


def test_few_and_straight_views_are_warned_of() -> None:
    warnings = " ".join(fit_lens(Views(gathered().kept[:4], (), ())).warnings)
    assert "only 4 views" in warnings


def seen_through(lens: Lens, tilt: float, long: float = 1.0, count: int = 14) -> Views:
    """Views of the pattern, tilted by so many radians, on a sheet that is so much longer than wide."""
    rng, places, found = np.random.default_rng(1), gathered().kept[0].places_mm, list[View]()
    while len(found) < count:
        turn = rng.normal(0, 1, 2)
        rvec = np.array([*(turn / np.linalg.norm(turn) * tilt), rng.normal(0, 0.3)])
        middle = cv2.Rodrigues(rvec)[0] @ np.array([100.0, 62.5, 0.0])
        away = rng.uniform(300, 450)
        tvec = np.array([*rng.uniform(-0.25, 0.25, 2) * away, away]) - middle
        pixels = cv2.projectPoints(places * (long, 1, 1), rvec, tvec, lens.camera_matrix, lens.distortion)[0]
        pixels = pixels.reshape(-1, 2) + rng.normal(0, 0.1, (len(places), 2))
        if (pixels > 0).all() and (pixels < lens.image_size).all():
            found.append(View(f"view {len(found)}", lens.image_size, pixels, places, 2.0, False))
    return Views(tuple(found), (), ())


def test_views_from_the_front_alone_are_warned_of_also_where_the_lens_bends() -> None:
    """By what it bends they seemed tilted; the focal length was off by a part of a hundred and said to be exact."""
    bent = replace(TRUE, distortion=np.array([-0.32, 0.12, 0.0, 0.0, 0.0]))
    fit = fit_lens(seen_through(bent, 0.01))
    assert fit.focal_error_px > 0.5 * abs(fit.lens.focal_px - TRUE.focal_px)
    assert fit.focal_error_px > 20
    assert any("focal length is known to" in w for w in fit.warnings)


def test_how_sure_the_focal_length_is_holds_for_tilted_views() -> None:
    fit = fit_lens(seen_through(TRUE, 0.5))
    assert abs(fit.lens.focal_px - TRUE.focal_px) < 4 * fit.focal_error_px < 4
    assert fit.warnings == ()


@pytest.mark.parametrize(("long", "percent"), [(1.01, "1"), (1.03, "3"), (0.98, "2")])
def test_a_sheet_that_was_printed_longer_one_way_is_told(long: float, percent: str) -> None:
    """Places were off by 3 to 8 mm by such a lens, and nothing was said."""
    said = [w for w in fit_lens(seen_through(TRUE, 0.5, long)).warnings if "is stretched by" in w]
    assert len(said) == 1
    assert float(said[0].partition("stretched by ")[2].split()[0]) == pytest.approx(float(percent), abs=0.35)


@pytest.mark.parametrize("legacy", [False, True])
def test_a_charuco_sheet_in_the_other_layout_is_told_and_not_called_partial(legacy: bool) -> None:
    board = cv2.aruco.CharucoBoard((6, 4), 30, 22, cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_100))
    board.setLegacyPattern(not legacy)
    sheet = np.asarray(cv2.GaussianBlur(board.generateImage((600, 400), marginSize=20), (0, 0), 0.8), dtype=np.uint8)
    pattern = parse_pattern("charuco:6x4:30:22:DICT_5X5_100" + (":legacy" if legacy else ""))
    views = gather_views([Picture("sheet.png", sheet), Picture("bare.png", np.full_like(sheet, 200))], pattern)
    assert dict(views.refused) == {
        "sheet.png": NEWER_LAYOUT if legacy else OLDER_LAYOUT, "bare.png": "partial: the whole pattern is not seen",
    }  # fmt: skip
    with pytest.raises(CalibrationError, match=r"no usable view .*sheet\.png: laid out as .* :legacy") as error:
        fit_lens(views)
    assert "(sheet.png : disposée comme le font les programmes" in in_french(str(error.value))


@pytest.mark.parametrize("legacy", [False, True])
def test_a_charuco_sheet_is_found_also_in_the_legacy_layout(legacy: bool) -> None:
    text = "charuco:6x4:30:22:DICT_5X5_100" + (":legacy" if legacy else "")
    pattern = parse_pattern(text)
    board = cv2.aruco.CharucoBoard((6, 4), 30, 22, cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_100))
    board.setLegacyPattern(legacy)
    sheet = board.generateImage((600, 400), marginSize=20)
    found = pattern.find(cv2.GaussianBlur(sheet, (0, 0), 0.8))
    assert found is not None
    assert len(found.pixels) == pattern.corners == 15
    same_scale = np.ptp(found.pixels, axis=0) / np.ptp(found.places_mm[:, :2], axis=0)
    assert same_scale[0] == pytest.approx(same_scale[1], rel=0.002)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("stripes:9x6:25", "expected chessboard"),
        ("chessboard:9x6", "expected chessboard"),
        ("chessboard:9by6:25", "COLSxROWS"),
        ("chessboard:1x6:25", "at least 3"),
        ("chessboard:2x2:25", "at least 3"),
        ("chessboard:2x9:25", "at least 3"),
        ("chessboard:9x6:0", "side of a square"),
        ("chessboard:9x6:wide", "side of a square"),
        ("charuco:4x4:30:45:DICT_5X5_100", "smaller than its square"),
        ("charuco:4x4:45:30:DICT_9X9", "DICT_9X9"),
        ("charuco:4x4:45:30:DICT_5X5_100:old", "expected legacy"),
    ],
)
def test_a_pattern_that_is_none_says_what_was_expected(text: str, said: str) -> None:
    with pytest.raises(CalibrationError, match=said):
        parse_pattern(text)


def test_patterns_are_read() -> None:
    assert parse_pattern("chessboard:9x6:25") == Pattern("chessboard", 9, 6, 25.0)
    assert parse_pattern("charuco:4x4:45:30:DICT_5X5_100:legacy") == Pattern(
        "charuco", 4, 4, 45.0, 30.0, "DICT_5X5_100", True
    )


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"image_size": [640]}, "image_size"),
        ({"camera_matrix": [[1, 2], [3, 4]]}, "camera_matrix"),
        ({"camera_matrix": [[0, 0, 1], [0, 0, 1], [0, 0, 1]]}, "focal length"),
        ({"distortion": [1, 2]}, "distortion"),
        ({"distortion": [float("nan")] * 5}, "distortion"),
    ],
)
def test_a_wrong_lens_file_names_the_field(change: dict[str, object], said: str) -> None:
    with pytest.raises(CalibrationError, match=said):
        lens_from_json({**TRUE.to_json(), **change}, "lens.json")
