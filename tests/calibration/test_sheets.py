"""Sheets as a printer would make them: rasterised, then found and measured like markers before a camera."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pypdfium2
import pytest

from calibration.board import Marker, default_board_path
from calibration.commands import write_sheets
from calibration.lens import CalibrationError
from calibration.markers import detect, find_markers
from calibration.patterns import parse_pattern
from calibration.sheet_words import LANGUAGES, WORDS
from calibration.sheets import CHARUCO, EDGE_MM, FOOT_MM, PAPERS_MM, SheetPlan, cut_side_mm, make_sheets
from tests.calibration import scene

DPI = 100
PX_MM = DPI / 25.4
EXACT_MM = 0.06  # a quarter of a pixel


def pages(plan: SheetPlan) -> list[scene.Image]:
    """Each page as gray pixels at DPI, as soft as a camera sees them."""
    document = pypdfium2.PdfDocument(make_sheets(plan))
    crisp = [np.asarray(page.render(scale=DPI / 72, grayscale=True).to_numpy()).squeeze() for page in document]
    return [np.asarray(cv2.GaussianBlur(page, (0, 0), 1.0), dtype=np.uint8) for page in crisp]


def sides_mm(corners: scene.FloatArray) -> scene.FloatArray:
    return np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1) / PX_MM


@pytest.mark.parametrize("paper", sorted(PAPERS_MM))
def test_every_marker_of_the_board_is_printed_upright_at_its_size(paper: str) -> None:
    page = pages(SheetPlan(scene.paleo(), paper, ("markers",)))[0]
    assert page.shape[::-1] == pytest.approx(np.array(PAPERS_MM[paper]) * PX_MM, abs=2)
    found = find_markers(page, scene.paleo())
    assert sorted(found) == [0, 1, 2, 3]
    for corners in found.values():
        np.testing.assert_allclose(sides_mm(corners), 34.0, atol=EXACT_MM)
        assert corners[1, 0] > corners[0, 0]
        assert corners[3, 1] > corners[0, 1]


def test_the_measured_scale_is_made_up_for() -> None:
    """A ruler of 98 mm means that this printer shrinks: drawn longer, it comes out right."""
    plan = SheetPlan(scene.paleo(), "a4", ("markers",), 98.0)
    shrunk = [sides_mm(c) * 0.98 for c in find_markers(pages(plan)[0], scene.paleo()).values()]
    np.testing.assert_allclose(shrunk, 34.0, atol=EXACT_MM)
    assert ruler_mm(pages(plan)[0]) * 0.98 == pytest.approx(100.0, abs=0.1)


@pytest.mark.parametrize("paper", sorted(PAPERS_MM))
def test_the_ruler_is_100_mm_long_on_every_page(paper: str) -> None:
    rulers = [ruler_mm(page) for page in pages(SheetPlan(scene.paleo(), paper))]
    assert len(rulers) > 1
    assert rulers == pytest.approx([100.0] * len(rulers), abs=0.1)


def ruler_mm(page: scene.Image) -> float:
    """From the middle of the ruler's first mark to that of its last, read just above its line."""
    foot = page[round(page.shape[0] - FOOT_MM * PX_MM) :][: round(9 * PX_MM)]
    ink = 255.0 - foot[int(np.argmin(foot.mean(1))) - round(1.5 * PX_MM)]
    inked = np.flatnonzero(ink > 10)
    first, last = (np.arange(at - 3, at + 4) for at in (inked[0] + 2, inked[-1] - 2))
    return float(last @ ink[last] / ink[last].sum() - first @ ink[first] / ink[first].sum()) / PX_MM


@pytest.mark.parametrize("paper", sorted(PAPERS_MM))
def test_the_charuco_sheet_is_found_with_the_description_printed_on_it(paper: str) -> None:
    page = pages(SheetPlan(scene.paleo(), paper, ("charuco",)))[0]
    found = parse_pattern(CHARUCO).find(page)
    assert found is not None
    assert len(found.pixels) == 48
    to_page, _ = cv2.findHomography(found.places_mm[:, :2], found.pixels)
    np.testing.assert_allclose(np.diag(to_page)[:2], PX_MM, rtol=1e-3)
    dark = np.argwhere(page < 128)
    (top, left), (bottom, right) = dark.min(0), dark.max(0)
    assert min(top, left, page.shape[0] - bottom, page.shape[1] - right) > 5 * PX_MM


def test_cut_marks_stand_around_each_marker_at_the_width_of_the_rim() -> None:
    board = scene.paleo()
    page = pages(SheetPlan(board, "a4", ("markers",)))[0]
    assert cut_side_mm(board, board.markers[0]) == 44.0
    for corners in find_markers(page, board).values():
        centre = corners.mean(0) + 0.5
        for sx, sy in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
            x, y = np.round(centre + np.array([sx * (22 + 2.5), sy * 22]) * PX_MM).astype(int)
            assert page[y - 2 : y + 3, x].min() < 240
            x, y = np.round(centre + np.array([sx * 22, sy * (22 + 2.5)]) * PX_MM).astype(int)
            assert page[y, x - 2 : x + 3].min() < 240


def test_as_many_markers_as_a_board_has_are_spread_over_pages() -> None:
    many = tuple(Marker("DICT_4X4_50", n, 40.0, (0.0, 0.0), 0.0) for n in range(30))
    board = replace(scene.paleo(), markers=many)
    found = [[n for n, _ in detect(p, "DICT_4X4_50")] for p in pages(SheetPlan(board, "letter", ("markers",)))]
    assert len(found) > 2
    assert sorted(n for page in found for n in page) == list(range(30))


def test_all_texts_fit_on_the_page_in_both_languages() -> None:
    for language in LANGUAGES:
        for paper in PAPERS_MM:
            for page in pages(SheetPlan(scene.paleo(), paper, language=language, measured_mm=98.7)):
                assert page[:, -round(0.6 * EDGE_MM * PX_MM) :].min() > 200


def test_the_words_are_there_in_both_languages_with_the_same_gaps() -> None:
    assert set(WORDS) == set(LANGUAGES)
    gaps = [{key: sorted(part.split("}")[0] for part in text.split("{")[1:]) for key, text in WORDS[lang].items()}
            for lang in LANGUAGES]  # fmt: skip
    assert gaps[0] == gaps[1]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"paper": "a3"}, "paper 'a3': expected one of a4, letter"),
        ({"kinds": ("posters",)}, "sheet 'posters'"),
        ({"language": "de"}, "language 'de'"),
        ({"measured_mm": 3.94}, "measures 3.94 mm: expected 90 to 110 mm"),
        ({"measured_mm": float("nan")}, "measures nan mm"),
    ],
)
def test_a_choice_that_does_not_exist_is_refused(change: dict[str, object], said: str) -> None:
    with pytest.raises(CalibrationError, match=said):
        SheetPlan(scene.paleo(), **change)  # type: ignore[arg-type]


def test_a_marker_wider_than_the_paper_is_refused() -> None:
    wide = (Marker("DICT_4X4_50", 0, 190.0, (0.0, 0.0), 0.0),)
    with pytest.raises(CalibrationError, match="marker 0 with its margin is 253 mm wide"):
        make_sheets(SheetPlan(replace(scene.paleo(), markers=wide), "a4", ("markers",)))


def test_a_board_without_markers_gets_the_other_sheets_or_a_word_why_not() -> None:
    assert len(pages(SheetPlan(scene.without_markers()))) == 1
    with pytest.raises(CalibrationError, match="has no markers"):
        make_sheets(SheetPlan(scene.without_markers(), kinds=("markers",)))


def test_the_file_is_written_whole(tmp_path: Path) -> None:
    said = write_sheets(tmp_path / "out.pdf", default_board_path(), "letter", ("markers", "charuco"), 100.0, "fr")
    assert "full size" in said
    assert len(pypdfium2.PdfDocument(tmp_path / "out.pdf")) == 2
