"""What many threads have freed is not kept by each of them: a server's process stays as large as one thread needs."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="glibc's heaps are looked at")

THREADS = 12
NEEDED_MIB = 20  # by each thread, for a moment
GROWN = f"""
import threading, queue
import numpy as np
from vision.memory import shared_heap

def mib():
    with open("/proc/self/status") as told:
        return int(next(line for line in told if line.startswith("VmRSS")).split()[1]) / 1024

def work(asked, done):
    while asked.get():
        np.ones({NEEDED_MIB} << 20, dtype=np.uint8).sum()
        done.put(True)

shared_heap()
pairs = [(queue.Queue(), queue.Queue()) for _ in range({THREADS})]
for pair in pairs:
    threading.Thread(target=work, args=pair, daemon=True).start()
before = mib()
for asked, done in 3 * pairs:  # one after the other
    asked.put(True)
    done.get()
print(mib() - before)
"""


def test_threads_that_share_a_heap_keep_what_one_of_them_needs() -> None:
    """Without, they keep it each: 240 MiB."""
    done = subprocess.run([sys.executable, "-c", GROWN], capture_output=True, text=True, timeout=60, check=True)
    assert float(done.stdout) < 3 * NEEDED_MIB
