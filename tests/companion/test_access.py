"""Codes and passes: kept as digests, taken back at once, there again after a restart."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.access import ACCESS_FILE, MAX_PASSES, Access, AccessError, Role
from tests.companion.test_backup import no_file_larger_than


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / ACCESS_FILE


def test_a_code_opens_its_own_role_however_it_is_typed(path: Path) -> None:
    access = Access(path)
    owner, referee = access.new_code(Role.OWNER), access.new_code(Role.REFEREE)
    assert access.role_of_code(owner) == Role.OWNER
    assert access.role_of_code(f"  {referee.lower().replace('-', ' ')} ") == Role.REFEREE
    assert access.role_of_code("AAAAA-AAAAA") is None
    assert access.role_of_code("") is None


def test_the_file_holds_no_code_no_pass_and_is_for_its_owner_alone(path: Path) -> None:
    access = Access(path)
    code = access.new_code(Role.OWNER)
    secret, _ = access.new_pass(Role.PLAYER, "red")
    kept = path.read_text()
    assert "$argon2id$" in kept
    assert code.replace("-", "") not in kept
    assert secret not in kept
    assert path.stat().st_mode & 0o077 == 0


def test_a_new_code_ends_the_old_one_and_who_came_by_it(path: Path) -> None:
    access = Access(path)
    old = access.new_code(Role.REFEREE)
    by_code, _ = access.new_pass(Role.REFEREE, by_code=True)
    handed_out, _ = access.new_pass(Role.REFEREE)
    access.new_code(Role.REFEREE)
    assert access.role_of_code(old) is None
    assert access.find(by_code) is None
    assert access.find(handed_out) is not None


def test_a_pass_holds_after_a_restart_until_it_is_taken_back(path: Path) -> None:
    first = Access(path)
    secret, made = first.new_pass(Role.PLAYER, "green", "Ben's phone")
    second = Access(path)
    assert second.find(secret) == made
    assert second.secret_key == first.secret_key
    assert second.revoke(made.id)
    assert not second.revoke(made.id)
    assert second.find(secret) is None
    assert Access(path).passes() == []


def test_a_code_made_by_another_process_holds_at_once(path: Path) -> None:
    running, command = Access(path), Access(path)
    code = command.new_code(Role.OWNER)
    assert running.role_of_code(code) == Role.OWNER
    running.new_pass(Role.PLAYER)
    assert Access(path).role_of_code(code) == Role.OWNER


def test_a_number_of_a_pass_is_never_used_twice(path: Path) -> None:
    access = Access(path)
    _, first = access.new_pass(Role.PLAYER)
    access.revoke(first.id)
    _, second = Access(path).new_pass(Role.PLAYER)
    assert second.id > first.id


def test_beyond_the_most_passes_the_oldest_ends() -> None:
    access = Access()
    oldest, _ = access.new_pass(Role.PLAYER)
    for _ in range(MAX_PASSES):
        access.new_pass(Role.PLAYER)
    assert access.find(oldest) is None
    assert len(access.passes()) == MAX_PASSES


@pytest.mark.parametrize("text", ["", "{", "[]", '{"format": 2}', '{"format": 1, "secret": "00", "passes": []}'])
def test_a_file_that_is_no_access_file_is_refused_in_one_line(path: Path, text: str) -> None:
    path.write_text(text)
    with pytest.raises(AccessError, match="move the file away") as told:
        Access(path)
    assert "\n" not in str(told.value)


def test_players_come_by_no_code() -> None:
    with pytest.raises(ValueError, match="player"):
        Access().new_code(Role.PLAYER)


def test_what_a_full_disk_refuses_has_not_been_done(path: Path) -> None:
    """A code that could not be kept had ended the old one, and nobody was ever told the new one."""
    access = Access(path)
    code = access.new_code(Role.OWNER)
    secret, made = access.new_pass(Role.OWNER, by_code=True)
    with no_file_larger_than(10):
        with pytest.raises(AccessError, match="cannot be written"):
            access.new_code(Role.OWNER)
        with pytest.raises(AccessError, match="cannot be written"):
            access.new_pass(Role.PLAYER, "red")
        with pytest.raises(AccessError, match="cannot be written"):
            access.revoke(made.id)
        assert access.role_of_code(code) == Role.OWNER
        assert access.find(secret) == made
        assert access.passes() == [made]
    assert access.revoke(made.id), "there is room again"
    assert access.find(secret) is None
    assert Access(path).passes() == []


def test_while_the_folder_is_gone_who_came_in_stays_in(tmp_path: Path) -> None:
    """Every page was refused to every phone until the folder was back."""
    folder = tmp_path / "data"
    folder.mkdir()
    access = Access(folder / ACCESS_FILE)
    secret, made = access.new_pass(Role.PLAYER, "red")
    code = access.new_code(Role.OWNER)
    folder.rename(tmp_path / "elsewhere")
    assert access.find(secret) == made
    assert access.role_of_code(code) == Role.OWNER
    with pytest.raises(AccessError, match="cannot be written"):
        access.revoke(made.id)
    (tmp_path / "elsewhere").rename(folder)
    assert access.revoke(made.id)
    assert Access(folder / ACCESS_FILE).find(secret) is None
