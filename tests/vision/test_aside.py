"""Another thread finds out what need not be known at once."""

from __future__ import annotations

import os
import threading

import pytest

from vision.aside import aside


def test_what_is_asked_first_is_done_first_and_all_of_it() -> None:
    done: list[int] = []
    asked = [aside(done.append, k) for k in range(50)]
    asked[-1].result(5)
    assert done == list(range(50))


def test_it_is_another_thread_and_what_was_asked_before_can_be_used() -> None:
    first = aside(threading.get_ident)
    second = aside(lambda: first.result() + 1)
    assert second.result(5) == first.result() + 1 != threading.get_ident() + 1


def test_what_fails_fails_where_it_is_asked_for_and_nothing_else_does() -> None:
    broken = aside(lambda: 1 // 0)
    after = [aside(pow, 2, k) for k in range(8)]
    with pytest.raises(ZeroDivisionError):
        broken.result(5)
    assert [a.result(5) for a in after] == [2**k for k in range(8)]


def test_no_more_than_one_waits_as_each_may_keep_a_frame() -> None:
    gate, asked = threading.Event(), threading.Semaphore(0)

    def ask() -> None:
        for _ in range(4):
            aside(gate.wait, 10)
            asked.release()

    asking = threading.Thread(target=ask)
    asking.start()
    try:
        assert asked.acquire(timeout=5)
        assert not asked.acquire(timeout=0.2)
    finally:
        gate.set()
    asking.join(5)
    assert not asking.is_alive()


def test_a_process_that_was_forked_has_a_thread_of_its_own() -> None:
    aside(int).result(5)
    child = os.fork()
    if child == 0:
        os._exit(aside(lambda: 7).result(5))
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
