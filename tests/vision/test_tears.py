"""Which pictures of a damaged film are taken for made up, and how it is told."""

from __future__ import annotations

from vision.tears import TOLD_MOST, TORN_MOST_S, Tears, told_damage

FPS = 25.0


def torn(kinds: str, damaged: set[int]) -> str:
    """The pictures of a film by how they are coded, and which of these are torn (T) where some are damaged."""
    tears = Tears()
    return "".join("T" if tears.look(n / FPS, kind, n in damaged) else "." for n, kind in enumerate(kinds))


def test_pictures_are_torn_from_the_damage_to_the_next_that_stands_for_itself() -> None:
    assert torn("IPPPPPPIPPPPPP", {3}) == "...TTTT......."


def test_a_picture_that_stands_for_itself_and_is_damaged_mends_nothing() -> None:
    assert torn("IPPPPIPPPPIPP", {5}) == ".....TTTTT..."


def test_where_pictures_are_coded_out_of_order_the_next_may_still_be_the_damaged_one() -> None:
    kinds = "IBBP" + "IBBP" * 8
    assert torn(kinds, {3}) == "..." + "T" * 17 + "." * (len(kinds) - 20)


def test_a_film_without_another_key_picture_is_believed_again_after_a_while() -> None:
    shown = torn("I" + "P" * 400, {10})
    assert shown.count("T") == round(TORN_MOST_S * FPS) + 1


def test_stretches_are_told_with_their_times_and_many_in_short() -> None:
    assert "damaged at 2.0 s, 3.1–4.0 s: " in told_damage([(2.0, 2.01), (3.1, 4.0)])
    assert " s (more places: 3): " in told_damage([(float(n), n + 0.5) for n in range(TOLD_MOST + 3)])
