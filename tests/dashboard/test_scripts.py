"""The pages' scripts: checked by TypeScript, and tested where they compute."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent / "scripts"
TSC = Path(sys.prefix) / "node/node_modules/typescript/bin/tsc"  # put there by `make test`


@pytest.fixture(scope="module")
def node() -> str:
    found = shutil.which("node")
    if found is None:
        pytest.skip("no Node.js on this machine; install it, on Debian with: apt-get install nodejs npm")
    return found


def test_typescript_finds_no_mistake_in_any_script(node: str) -> None:
    if not TSC.exists():
        pytest.skip("TypeScript is not installed; `make test` does it")
    done = subprocess.run([node, TSC, "-p", HERE / "tsconfig.json"], capture_output=True, text=True, timeout=120)
    assert done.stdout == ""
    assert done.returncode == 0


def test_what_the_scripts_compute_is_right(node: str) -> None:
    files = sorted(HERE.glob("*.test.mjs"))
    done = subprocess.run([node, "--test", *files], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout
    passed = re.search(r"(?:# |ℹ )pass (\d+)", done.stdout)
    assert passed is not None
    assert int(passed.group(1)) >= 10
