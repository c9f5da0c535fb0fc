"""Streaks: discs swept over a ground while the shutter was open, gathered again."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.board import Board, default_board_path, load_board
from calibration.colours import bgr_of
from tests.vision.painted_board import camera_over
from vision.frames import Image
from vision.shares import PaintShares
from vision.streaks import Ground, Streak, faint_level, faint_paints, find_streaks, make_ground, windows
from vision.view import TopView, make_view

FloatImage = NDArray[np.float32]

EXPOSURE_S = 1 / 60
SEA = (150.0, 120.0, 60.0)  # BGR
PLACE_MM = 0.5  # a pixel and a half of the view
MASS_SHARE = 0.12  # the ends of a streak fade under the noise


@pytest.fixture(scope="module")
def view() -> TopView:
    board = load_board(default_board_path())
    return make_view(board, camera_over(board), (1280, 720))


def team_shares(
    now: FloatImage, was: FloatImage, looks: dict[str, list[NDArray[np.float64]]],
    alone: NDArray[np.bool_] | None = None, inks: dict[str, NDArray[np.float64]] | None = None,
) -> dict[str, FloatImage]:  # fmt: skip
    """Each team's share of puck in some pixels. now, was: (N, 3) BGR."""
    shares = PaintShares(np.ascontiguousarray(now.T), np.ascontiguousarray(was.T), looks)
    return shares.plain() if alone is None else shares.where_alone(alone, inks or {})


def puck_share(now: FloatImage, was: FloatImage, paint_bgr: NDArray[np.float64]) -> FloatImage:
    return team_shares(now, was, {"": [paint_bgr]})[""]


def paint(board: Board, team: str) -> NDArray[np.float64]:
    return np.array(bgr_of(board.team(team).colour), dtype=float)


def ground_of(view: TopView, seed: int = 3) -> FloatImage:
    """A sea with soft patches of light and dark."""
    rng = np.random.default_rng(seed)
    patches = cv2.resize(rng.normal(0, 6, (12, 12)).astype(np.float32), view.size, interpolation=cv2.INTER_CUBIC)
    return np.asarray(np.array(SEA) + patches[..., None], dtype=np.float32)


def swept(view: TopView, places_mm: NDArray[np.float64]) -> FloatImage:
    """The share of the exposure for which a disc at these places in turn hides each pixel."""
    w, h = view.size
    ys, xs = np.mgrid[0:h, 0:w].astype(np.float32)
    total = np.zeros((h, w), np.float32)
    for x, y in view.px_from_mm(places_mm).astype(np.float32):
        total += np.clip(view.radius_px + 0.5 - np.hypot(xs - x, ys - y), 0, 1) / len(places_mm)
    return total


def picture(ground: FloatImage, covers: list[tuple[FloatImage, NDArray[np.float64]]], noise: float = 2.0) -> Image:
    image = ground.copy()
    for cover, colour in covers:
        image = image * (1 - cover[..., None]) + cover[..., None] * colour.astype(np.float32)
    noisy = image + np.random.default_rng(5).normal(0, noise, image.shape)
    return np.asarray(np.clip(noisy, 0, 255), dtype=np.uint8)


def streaks_in(image: Image, ground: FloatImage, view: TopView, *teams: str, light: float = 1.0) -> list[Streak]:
    field = np.full((view.size[1] // 16 + 1, view.size[0] // 16 + 1, 3), light, np.float32)
    paints = {team: [paint(view.board, team)] for team in teams}
    clean = Ground(np.asarray(np.clip(ground, 0, 255), dtype=np.uint8))
    return find_streaks(0, image, (0, 0), field, clean, view, paints).streaks


def way(middle: tuple[float, float], speed_mm_s: float, angle_deg: float) -> NDArray[np.float64]:
    """Places of a puck that slides evenly through a middle while the shutter is open."""
    along = np.linspace(-0.5, 0.5, 41)[:, None] * speed_mm_s * EXPOSURE_S
    turn = math.radians(angle_deg)
    return np.asarray(np.array(middle) + along * np.array([math.cos(turn), math.sin(turn)]))


@pytest.mark.parametrize("team", ["red", "green"])
@pytest.mark.parametrize("speed", [0.0, 300.0, 1000.0, 2000.0, 3000.0])
def test_a_swept_disc_is_one_puck_at_its_place_in_mid_exposure(view: TopView, team: str, speed: float) -> None:
    ground, middle = ground_of(view), (301.3, 248.7)
    image = picture(ground, [(swept(view, way(middle, speed, 33.0)), paint(view.board, team))])
    (streak,) = streaks_in(image, ground, view, team)
    assert streak.team == team
    assert streak.mass == pytest.approx(1.0, abs=MASS_SHARE)
    assert math.dist(streak.place, middle) < PLACE_MM
    assert streak.clean(view.board.puck.radius_mm)


@pytest.mark.parametrize("speed", [1000.0, 2000.0, 3000.0])
def test_a_streak_tells_how_far_and_which_way_the_puck_moved(view: TopView, speed: float) -> None:
    ground = ground_of(view)
    image = picture(ground, [(swept(view, way((301.3, 248.7), speed, 33.0)), paint(view.board, "red"))])
    (streak,) = streaks_in(image, ground, view, "red")
    assert streak.length_mm(view.board.puck.radius_mm) == pytest.approx(speed * EXPOSURE_S, rel=0.15)
    assert math.degrees(streak.angle_rad) == pytest.approx(33.0, abs=3.0)


def test_bare_ground_has_no_streaks(view: TopView) -> None:
    ground = ground_of(view)
    assert streaks_in(picture(ground, []), ground, view, "red", "green") == []


def test_the_light_of_the_frame_is_no_streak(view: TopView) -> None:
    ground = ground_of(view)
    dimmed = np.asarray(picture(ground, []) * 0.7, dtype=np.uint8)
    assert streaks_in(dimmed, ground, view, "red", "green", light=0.7) == []


def test_a_puck_in_dim_light_is_still_one_puck(view: TopView) -> None:
    ground, middle = ground_of(view), (301.3, 248.7)
    image = picture(ground, [(swept(view, way(middle, 800.0, 100.0)), paint(view.board, "red"))])
    (streak,) = streaks_in(np.asarray(image * 0.7, dtype=np.uint8), ground, view, "red", light=0.7)
    assert streak.mass == pytest.approx(1.0, abs=MASS_SHARE)
    assert math.dist(streak.place, middle) < PLACE_MM


DARK_SEA, FAINT = np.array([45.0, 44.0, 17.0]), np.array([49.0, 55.0, 13.0])  # BGR, as in a dim room


@pytest.mark.parametrize("speed", [0.0, 300.0, 600.0])
def test_a_puck_hardly_other_than_the_ground_is_seen_where_noise_is_smoothed_away(view: TopView, speed: float) -> None:
    """It differs by 12 grey levels from a ground whose noise is 3."""
    ground, middle = np.asarray(ground_of(view) / 4 + (DARK_SEA - np.array(SEA) / 4), np.float32), (301.3, 248.7)
    image = picture(ground, [(swept(view, way(middle, speed, 33.0)), FAINT)], noise=3.0)
    clean = Ground(np.asarray(ground.round(), dtype=np.uint8))
    field = np.ones((30, 30, 3), np.float32)
    paints = {"teal": [FAINT]}
    assert faint_paints(clean.image, paints) == ["teal"]
    assert not find_streaks(0, image, (0, 0), field, clean, view, paints).streaks
    (streak,) = find_streaks(0, image, (0, 0), field, clean, view, paints, faint=["teal"]).streaks
    assert streak.team == "teal"
    assert streak.mass > 0.4
    assert math.dist(streak.place, middle) < 4 * PLACE_MM


@pytest.mark.parametrize("shade", [1.0, 0.85])
def test_neither_noise_nor_a_shadow_is_such_a_puck(view: TopView, shade: float) -> None:
    ground = np.asarray(ground_of(view) / 4 + (DARK_SEA - np.array(SEA) / 4), np.float32)
    image = picture(ground, [(swept(view, way((301.3, 248.7), 0.0, 0.0)), DARK_SEA * shade)], noise=3.0)
    clean = Ground(np.asarray(ground.round(), dtype=np.uint8))
    field, paints = np.ones((30, 30, 3), np.float32), {"teal": [FAINT]}
    assert not find_streaks(0, image, (0, 0), field, clean, view, paints, faint=["teal"]).streaks


def test_a_bright_puck_is_not_hardly_other_than_the_ground(view: TopView) -> None:
    ground = np.asarray(ground_of(view), dtype=np.uint8)
    paints = {team: [paint(view.board, team)] for team in ("red", "green")} | {"sea": [np.array(SEA)], "none": []}
    assert faint_paints(ground, paints) == ["sea"]


def test_pucks_of_two_teams_give_a_streak_each(view: TopView) -> None:
    ground = ground_of(view)
    covers = [(swept(view, way((200.0, 300.0), 900.0, 0.0)), paint(view.board, "red")),
              (swept(view, way((400.0, 300.0), 900.0, 90.0)), paint(view.board, "green"))]  # fmt: skip
    found = {s.team: s.place for s in streaks_in(picture(ground, covers), ground, view, "red", "green")}
    assert set(found) == {"red", "green"}
    assert math.dist(found["red"], (200.0, 300.0)) < PLACE_MM
    assert math.dist(found["green"], (400.0, 300.0)) < PLACE_MM


def test_a_hand_is_no_streak_but_hides_the_ground(view: TopView) -> None:
    ground = ground_of(view)
    hand = np.zeros(ground.shape[:2], np.float32)
    x, y = view.px_from_mm(np.array([[300.0, 300.0]]))[0].astype(int)
    cv2.rectangle(hand, (x, y), (x + round(80 * view.scale), ground.shape[0] - 1), (1.0,), -1)
    image = picture(ground, [(hand, np.array([130.0, 160.0, 215.0]))])
    clean = Ground(ground.astype(np.uint8))
    field = np.ones((30, 30, 3), np.float32)
    sight = find_streaks(0, image, (0, 0), field, clean, view, {"green": [paint(view.board, "green")]})
    assert sight.streaks == []
    for mask in (sight.hands, sight.busy):
        assert mask[hand > 0].mean() > 0.9
        assert mask[hand == 0].mean() < 0.02


def test_half_a_puck_is_half_of_the_way_from_ground_to_paint() -> None:
    was = np.array([[60.0, 120.0, 150.0]] * 3, dtype=np.float32)
    colour = np.array([42.0, 52.0, 200.0])
    shares = np.array([[0.0], [0.5], [1.0]], dtype=np.float32)
    now = was + shares * (colour.astype(np.float32) - was)
    assert puck_share(now, was, colour) == pytest.approx([0.0, 0.5, 1.0], abs=0.01)


def test_a_change_of_another_colour_is_no_share_of_a_puck() -> None:
    was = np.array([[60.0, 120.0, 150.0]], dtype=np.float32)
    assert puck_share(was + np.float32(60), was, np.array([42.0, 52.0, 200.0])) == pytest.approx([0.0])


def test_the_ground_shows_what_lay_under_a_puck_that_left(view: TopView) -> None:
    bare = ground_of(view)
    place = np.array([[300.0, 250.0]])
    before = picture(bare, [(swept(view, place), paint(view.board, "red"))])
    ground = make_ground(before, picture(bare, []), view.px_from_mm(place), np.empty((0, 2)), view.radius_px)
    under = swept(view, place) > 0
    assert np.abs(ground.image[under] - bare[under]).mean() < 4.0  # two deviations of the noise


def test_the_ground_is_guessed_where_another_puck_came_to_lie(view: TopView) -> None:
    bare = ground_of(view)
    left, came = np.array([[300.0, 250.0]]), np.array([[305.0, 250.0]])
    before = picture(bare, [(swept(view, left), paint(view.board, "red"))])
    after = picture(bare, [(swept(view, came), paint(view.board, "green"))])
    ground = make_ground(before, after, view.px_from_mm(left), view.px_from_mm(came), view.radius_px)
    under = swept(view, left) > 0
    assert np.abs(ground.image[under] - bare[under]).mean() < 8.0  # the patches of the sea, and the noise


def test_a_puck_is_a_streak_of_the_team_whose_paint_it_is() -> None:
    """Yellow is a share of red as well; but it is better explained by yellow."""
    was = np.array([[150.0, 110.0, 40.0]], dtype=np.float32)
    looks = {"red": [np.array([40.0, 50.0, 195.0])], "yellow": [np.array([45.0, 190.0, 215.0])]}
    for team, paints in looks.items():
        half = (was + 0.5 * (paints[0].astype(np.float32) - was)).astype(np.float32)
        shares = team_shares(half, was, looks)
        assert shares[team] == pytest.approx([0.5], abs=0.02)
        assert all(share == pytest.approx([0.0]) for other, share in shares.items() if other != team)


def test_a_puck_shows_through_the_shadow_that_goes_with_it_where_no_hand_can_be() -> None:
    """Half a pink puck over sand that its shadow darkens by a third: a darker purple, which is no share of pink."""
    was = np.array([[85.0, 180.0, 225.0]], dtype=np.float32)
    looks = {"pink": [np.array([132.0, 97.0, 230.0])]}
    now = (was * (1 - 0.33) + 0.5 * (looks["pink"][0].astype(np.float32) - was)).astype(np.float32)
    assert team_shares(now, was, looks)["pink"] == pytest.approx([0.0])
    assert team_shares(now, was, looks, np.array([True]))["pink"] == pytest.approx([0.5], abs=0.02)


def test_a_number_that_blurs_into_faint_paint_is_a_share_of_the_puck() -> None:
    """Seven tenths of a dark green puck on a dark green sea, a third of it white ink: no share of paint alone."""
    was = np.array([[20.0, 45.0, 42.0]], dtype=np.float32)
    looks, ink = {"green": [np.array([21.0, 62.0, 21.0])]}, np.array([150.0, 160.0, 165.0])
    top = looks["green"][0] * (2 / 3) + ink / 3
    now = (was * 0.3 + 0.7 * top).astype(np.float32)
    alone = np.array([True])
    assert team_shares(now, was, looks, alone)["green"] == pytest.approx([0.0])
    assert team_shares(now, was, looks, alone, {"green": ink})["green"] == pytest.approx([0.7], abs=0.02)
    assert team_shares(now, was, looks, None, {"green": ink})["green"] == pytest.approx([0.0])  # it may be a hand


@pytest.mark.parametrize("shade", [0.2, 0.45])
def test_a_shadow_alone_is_no_puck_that_shows_through_it(shade: float) -> None:
    was = np.array([[85.0, 180.0, 225.0], [60.0, 120.0, 150.0]], dtype=np.float32)
    looks = {"pink": [np.array([132.0, 97.0, 230.0])], "red": [np.array([40.0, 50.0, 195.0])]}
    now = (was * (1 - shade)).astype(np.float32)
    alone = team_shares(now, was, looks, np.array([True, True]))
    assert all(alone[team] == pytest.approx(share) for team, share in team_shares(now, was, looks).items())
    assert alone["pink"] == pytest.approx([0.0, 0.0])


@pytest.mark.parametrize("gap", [3.0, 40.0])
def test_pieces_of_change_are_looked_at_one_by_one_and_none_is_cut(gap: float) -> None:
    busy = np.zeros((300, 400), np.uint8)
    cv2.circle(busy, (100, 100), 15, (1,), -1)
    cv2.circle(busy, (round(100 + 30 + gap), 110), 15, (1,), -1)
    boxes = windows(busy, 15.0)
    assert len(boxes) == (1 if gap < 10 else 2)
    covered = np.zeros_like(busy)
    for x, y, w, h in boxes:
        covered[y : y + h, x : x + w] += 1
    assert covered.max() == 1
    assert not (busy > covered).any()


def noise(density: float, seed: int) -> NDArray[np.uint8]:
    """A mask, (400, 500), of which noise of two pixels' breadth holds so much."""
    values = cv2.GaussianBlur(np.random.default_rng(seed).normal(0, 1, (400, 500)).astype(np.float32), (0, 0), 0.7)
    return np.asarray(values > np.quantile(values, 1 - density), dtype=np.uint8)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(("density", "dense"), [(0.1, 0.35), (0.2, 0.5), (0.25, 0.55)])
def test_what_is_more_than_noise_is_held_whole_and_hardly_more(density: float, dense: float, seed: int) -> None:
    disc = np.zeros((400, 500), np.uint8)
    cv2.circle(disc, (130, 220), 15, (1,), -1)
    busy = np.where(disc > 0, noise(dense, 100 + seed), noise(density, seed))
    held = np.zeros_like(busy)
    for x, y, w, h in windows(busy, 15.0, beyond_noise=True):
        held[y : y + h, x : x + w] = 1
    assert not (disc > held).any()
    assert held.sum() < 0.25 * held.size


@pytest.mark.parametrize("share", [0.6, 0.8, 0.97])
def test_a_hand_over_most_of_what_changed_is_held_whole(share: float) -> None:
    busy = noise(0.2, 1)
    busy[:, : round(share * 500)] = 1
    held = np.zeros_like(busy)
    for x, y, w, h in windows(busy, 15.0, beyond_noise=True):
        held[y : y + h, x : x + w] = 1
    assert held[:, : round(share * 500)].all()


def test_where_there_is_no_noise_all_that_changed_is_held() -> None:
    busy = np.zeros((400, 500), np.uint8)
    busy[50:54, 60:64] = busy[300, 400] = 1
    assert windows(busy, 15.0, beyond_noise=True) == windows(busy, 15.0)


@pytest.mark.parametrize("part", [(0, 0, 30, 40), (211, 97, 60, 300), (340, 510, 130, 90)])
def test_a_part_is_lit_as_it_is_in_the_whole(part: tuple[int, int, int, int]) -> None:
    """To a grey level: the light of a part is stretched from the blocks that it covers only."""
    rng = np.random.default_rng(4)
    ground = Ground(rng.integers(0, 200, (640, 480, 3)).astype(np.uint8))
    blocks = rng.uniform(0.7, 1.2, (26, 20, 3)).astype(np.float32)
    field = np.asarray(cv2.GaussianBlur(blocks, (0, 0), 1.5), dtype=np.float32)
    x, y, w, h = part
    whole = ground.image * cv2.resize(field, (480, 640))
    lit = ground.lit((x, y), (h, w, 3), field)
    assert np.abs(lit - whole[y : y + h, x : x + w]).max() < 1.0


@pytest.mark.parametrize(("noise", "least", "most"), [(1.0, 4.0, 4.0), (14.0, 5.0, 12.0)])
def test_what_is_more_than_noise_is_told_by_the_board_at_rest(
    view: TopView, noise: float, least: float, most: float
) -> None:
    """Whatever the light does meanwhile, and although a puck has come."""
    ground, rng = ground_of(view), np.random.default_rng(7)
    puck = [(swept(view, way((301.3, 248.7), 0.0, 0.0)), np.array([0.0, 0.0, 255.0]))]
    before, after = (
        np.clip(picture(ground, covers, 0.0) * light + rng.normal(0, noise, ground.shape), 0, 255).astype(np.uint8)
        for covers, light in (([], 1.0), (puck, 0.9))
    )
    assert least <= faint_level(before, after, view.radius_px) <= most
