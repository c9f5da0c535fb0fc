"""`paleo run --lan` as a whole: what the terminal tells, who may what, and that a code is told once."""

from __future__ import annotations

import json
import re
import ssl
import urllib.request
from pathlib import Path
from urllib.error import HTTPError

import pytest

from companion.serving import own_addresses
from tests.cli.running import Running


def told(running: Running) -> str:
    """Everything that the terminal says until it names the data folder."""
    assert running.process.stdout is not None
    said = ""
    for line in running.process.stdout:
        said += line
        if "All it keeps" in line:
            return said
    raise AssertionError(said)


def test_the_house_comes_in_by_plain_and_secure_line_and_the_code_is_told_once(tmp_path: Path) -> None:
    house = own_addresses()
    assert house, "this machine is in no network"
    arguments = ("--data", tmp_path / "data", "--lan", "--secure-port", "0", "--no-autoplay")
    first = Running(*arguments)
    try:
        said = told(first)
        (plain,) = re.findall(rf"http://{re.escape(house[0])}:\d+", said.partition("Phones")[0])
        (secure,) = re.findall(rf"https://{re.escape(house[0])}:\d+", said)
        assert "▀" in said
        assert re.search(r"owner's code, told this once: \w{5}-\w{5}", said)
        trust = ssl.create_default_context(cafile=str(tmp_path / "data/tls/authority.crt"))
        for address, context in ((plain, None), (secure, trust)):
            with urllib.request.urlopen(f"{address}/api/me", timeout=10, context=context) as answer:
                assert json.load(answer)["role"] == "spectator"
        with pytest.raises(HTTPError, match="403"):
            urllib.request.urlopen(f"{plain}/picture/camera.jpg", timeout=10)
        assert first.get("/api/me")["role"] == "owner"
        assert first.end()[0] == 0
    finally:
        first.process.kill()
    second = Running(*arguments)
    try:
        assert "owner's code" not in told(second)
        assert second.get("/api/me")["here"] is True
    finally:
        second.process.kill()
