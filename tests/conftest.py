"""What all tests share: the strict switch, under which a skipped test is a failed one."""

from __future__ import annotations

import os
import signal
from collections import Counter
from collections.abc import Iterator
from itertools import groupby

import pytest

from vision.memory import give_back, shared_heap

shared_heap()  # else the threads of each server under test keep what they have freed, and a worker grows to over a GiB

SHORT = ("companion", "dashboard")  # folders whose files take a few seconds each, but for those with a browser

STRICT = os.environ.get("PALEO_STRICT") == "1"

# Started in the background, a shell hands on that interrupts are to be ignored; the programs under test must not.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Spreads the files that wait for a browser or for other programs over all others, which keep the cores busy.

    Short ones come last: a long one would be waited for at the end, with a core that has nothing left to do.
    """
    files = [list(group) for _, group in groupby(items, key=lambda item: item.path)]
    browsers = [f for f in files if f[0].get_closest_marker("browser")]
    programs = [f for f in files if f[0].path.parent.name == "cli"]
    waits = [*programs, *sorted(browsers, key=len, reverse=True)]
    reckons = sorted((f for f in files if f not in waits), key=lambda f: f[0].path.parent.name in SHORT)
    placed = [(k / len(part), f) for part in (waits, reckons) for k, f in enumerate(part)]
    items[:] = [item for _, file in sorted(placed, key=lambda at: at[0]) for item in file]


@pytest.fixture(scope="module", autouse=True)
def _no_memory_is_kept_from_file_to_file() -> Iterator[None]:
    """What a file's tests have freed goes back to the system."""
    yield
    give_back()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """Turns a skip into a failure where PALEO_STRICT=1: on that machine everything must be there."""
    report = yield
    if STRICT and report.skipped:  # type: ignore[attr-defined]
        report.outcome = "failed"
        report.longrepr = f"skipped, which PALEO_STRICT=1 forbids: {call.excinfo and call.excinfo.value}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Iterator[None]:
    """The same for a whole module that skips itself."""
    report = yield
    if STRICT and report.skipped:  # type: ignore[attr-defined]
        report.outcome = "failed"
        report.longrepr = f"{collector.nodeid}: skipped, which PALEO_STRICT=1 forbids"
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Says what this machine lacks, and how many tests, or whole files of them, were left out: they have not passed."""
    for reason, count in Counter(map(_skipped_for, terminalreporter.stats.get("skipped", []))).most_common():
        said = f"{count} tests, or whole files of them, were not run: {reason} (PALEO_STRICT=1 forbids this)"
        terminalreporter.write_line(said, yellow=True)


def _skipped_for(report: pytest.TestReport | pytest.CollectReport) -> str:
    return report.longrepr[2].removeprefix("Skipped: ") if isinstance(report.longrepr, tuple) else "for a reason untold"
