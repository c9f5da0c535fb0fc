"""Seats outlive the process that gave them out, for the match that they were taken in and for no other."""

from __future__ import annotations

import json
import logging
from pathlib import Path

import pytest

from companion.claims import SEATS_FILE, Claims

BEGUN = "2026-11-28T20:00:00.000+00:00"


class Table:
    """Which match is on, and when it was begun."""

    def __init__(self, match: int = 5, begun: str = BEGUN) -> None:
        self.match, self.begun = match, begun

    def claims(self, path: Path) -> Claims:
        return Claims(lambda: self.match, lambda number: self.begun if number == self.match else "", path)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / SEATS_FILE


def test_seats_are_held_by_the_same_browsers_after_a_restart(path: Path) -> None:
    first = Table().claims(path)
    assert first.claim("ann", "secret of ann")
    assert first.claim("ben", "secret of ben")
    again = Table().claims(path)
    assert (again.of("secret of ann"), again.of("secret of ben"), again.of("a stranger")) == ({"ann"}, {"ben"}, set())
    assert not again.claim("ann", "a stranger")
    assert again.claim("ann", "secret of ann")


def test_the_file_tells_no_secret_and_is_its_owners_alone(path: Path) -> None:
    Table().claims(path).claim("ann", "secret of ann")
    assert "secret of ann" not in path.read_text(encoding="utf-8")
    assert json.loads(path.read_text(encoding="utf-8"))["match"] == 5
    assert path.stat().st_mode & 0o077 == 0
    assert [p.name for p in path.parent.iterdir()] == [SEATS_FILE]


def test_what_was_let_go_or_freed_stays_so_after_a_restart(path: Path) -> None:
    first = Table().claims(path)
    for seat in ("ann", "ben", "cid"):
        first.claim(seat, f"secret of {seat}")
    first.release("ann")
    with first.freeing("ben") as held:
        assert held
    assert Table().claims(path).held() == first.held() == ["cid"]


def test_each_taking_of_a_seat_is_another_holding(path: Path) -> None:
    claims = Table().claims(path)
    claims.claim("ann", "secret of ann")
    first = claims.holdings()["ann"]
    claims.claim("ann", "secret of ann")
    assert claims.holdings() == {"ann": first}, "it was hers already"
    claims.release("ann")
    assert claims.holdings() == {}
    claims.claim("ann", "secret of ben")
    assert claims.holdings()["ann"] != first
    with claims.freeing("ann") as holding:
        assert holding not in (None, first)
    with claims.freeing("ann") as holding:
        assert holding is None


def test_a_seat_is_not_freed_where_nobody_could_be_told(path: Path) -> None:
    claims = Table().claims(path)
    claims.claim("ann", "secret of ann")
    with pytest.raises(RuntimeError), claims.freeing("ann"):
        raise RuntimeError("the journal's disk is full")
    assert claims.of("secret of ann") == {"ann"}
    assert Table().claims(path).held() == ["ann"]


@pytest.mark.parametrize("table", [Table(match=9), Table(match=0), Table(begun="2026-11-28T21:00:00.000+00:00")])
def test_seats_of_another_match_or_another_journal_are_void(path: Path, table: Table) -> None:
    Table().claims(path).claim("ann", "secret of ann")
    assert table.claims(path).held() == []


def test_another_match_makes_seats_void_while_the_companion_runs(path: Path) -> None:
    table = Table()
    claims = table.claims(path)
    claims.claim("ann", "secret of ann")
    table.match = 9
    assert claims.claim("ann", "secret of ben")
    assert (claims.of("secret of ann"), table.claims(path).of("secret of ben")) == (set(), {"ann"})


DIGEST = "0" * 64
GOOD = {"format": 1, "match": 5, "begun": BEGUN, "seats": {"ann": DIGEST}}
DAMAGED = [
    b"",
    b"\x00" * 300,
    b"\xff\xfe",
    json.dumps(GOOD).encode()[:-20],
    b"[" * 60_000,
    b"null",
    b"[]",
    *(json.dumps({**GOOD, **part}).encode() for part in (
        {"format": 2}, {"match": "5"}, {"match": None}, {"match": True}, {"seats": None}, {"seats": [1]},
        {"seats": {"ann": None}}, {"seats": {"ann": "é" * 64}}, {"seats": {"ann": ["x"]}}, {"seats": "ann"},
    )),
    json.dumps({**GOOD, "more": "x" * 70_000}).encode(),
]  # fmt: skip


@pytest.mark.parametrize("text", DAMAGED, ids=range(len(DAMAGED)))
def test_a_damaged_file_is_told_in_a_line_and_means_only_that_seats_are_to_be_taken_again(
    path: Path, text: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    path.write_bytes(text)
    claims = Table().claims(path)
    assert claims.held() == []
    (told,) = caplog.records
    assert (told.levelno, told.exc_info, "\n" in told.getMessage()) == (logging.WARNING, None, False)
    assert claims.claim("ann", "secret of ann")
    assert Table().claims(path).of("secret of ann") == {"ann"}


def test_no_file_is_nothing_to_be_told(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    assert Table().claims(path).held() == []
    assert not caplog.records


def test_seats_that_cannot_be_kept_are_held_for_as_long_as_the_companion_runs(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path.mkdir()
    claims = Table().claims(path)
    assert claims.claim("ann", "secret of ann")
    assert claims.of("secret of ann") == {"ann"}
    assert len(caplog.records) == 2
    assert all(record.exc_info is None for record in caplog.records)


def test_who_let_go_while_nothing_could_be_written_does_not_come_back_by_the_older_file(path: Path) -> None:
    Table().claims(path).claim("ann", "secret of ann")
    crowded = path.rename(path.with_name("s" * 250))  # of a name beside which none that is a little longer has room
    claims = Table().claims(crowded)
    assert claims.of("secret of ann") == {"ann"}
    claims.release("ann")
    assert Table().claims(crowded).held() == claims.held() == []
