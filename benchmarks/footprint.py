"""How much memory and processor a running companion needs.

    python -m benchmarks.footprint [--minutes 10] [--every 20] [-- OPTIONS OF paleo run]

Starts `paleo run` on a free port with a fresh data folder, looks at the score as a page would, and prints, now and
then, the memory of all its processes (PSS: what is shared is counted once) and the share of one core they use. Linux.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Sequence
from pathlib import Path

MEMORY_LIMIT_MIB = 700
TICKS_A_SECOND = os.sysconf("SC_CLK_TCK")


def family(pid: int) -> list[int]:
    """A process and all that descend from it."""
    children = [int(c) for f in Path(f"/proc/{pid}/task").glob("*/children") for c in f.read_text().split()]
    return [pid, *(p for child in children for p in family(child))]


def memory_mib(pids: Sequence[int]) -> float:
    """Proportional set size of the processes together."""
    total_kib = 0
    for pid in pids:
        found = re.search(r"^Pss:\s+(\d+)", Path(f"/proc/{pid}/smaps_rollup").read_text(), re.MULTILINE)
        total_kib += int(found.group(1)) if found else 0
    return total_kib / 1024


def processor_s(pids: Sequence[int]) -> float:
    """Seconds of processor time that the processes used so far."""
    fields = [Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split() for pid in pids]
    return sum(int(f[11]) + int(f[12]) for f in fields) / TICKS_A_SECOND


def watch(process: subprocess.Popen[str], address: str, minutes: float, every_s: float) -> float:
    """Prints a line every so often; returns the most memory seen."""
    began_s, most, used_s = time.monotonic(), 0.0, 0.0
    while (now_s := time.monotonic() - began_s) < minutes * 60:
        time.sleep(every_s)
        pids = family(process.pid)
        memory, spent_s = memory_mib(pids), processor_s(pids)
        most = max(most, memory)
        with urllib.request.urlopen(address + "/healthz", timeout=10) as answer:
            health = json.load(answer)
        share = (spent_s - used_s) / every_s
        used_s = spent_s
        camera = health["camera"]
        print(
            f"{now_s:6.0f} s  {memory:6.0f} MiB  {share:5.0%} of a core  {camera['state']} "
            f"{camera['fps']:.1f} fps  journal {health['journal']['last_id']}",
            flush=True,
        )
    return most


def main() -> None:
    """Runs and measures; exit code 1 where the memory was above the limit."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.footprint", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--every", type=float, default=20, help="seconds between two lines")
    parser.add_argument("rest", nargs="*", help="more options of `paleo run`, after --")
    told = parser.parse_args()
    with tempfile.TemporaryDirectory() as data:
        command = [sys.executable, "-m", "companion.cli", "run", "--port", "0", "--data", data, *told.rest]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            address = re.search(r"http://\S+", process.stdout.readline())
            assert address is not None
            most = watch(process, address.group(), told.minutes, told.every)
            process.terminate()
    print(f"at most {most:.0f} MiB (limit {MEMORY_LIMIT_MIB})")
    raise SystemExit(most > MEMORY_LIMIT_MIB)


if __name__ == "__main__":
    main()
