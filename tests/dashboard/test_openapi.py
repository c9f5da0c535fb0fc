"""The API as described: nothing is left out, and whatever is sent by the description brings no fault of ours."""

from __future__ import annotations

import json
import re
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import not_a_server_error
from schemathesis.config import SchemathesisConfig

from companion.access import Access, Role
from companion.dashboard import create_app
from companion.dashboard.openapi import openapi_document
from companion.dashboard.security import EVERY_ADDRESS
from tests.companion.fed_companion import companion_for
from tests.dashboard.fake import FakeCompanion
from tests.dashboard.serving import Served, serving

ENDLESS = "/api/stream"
FOR_BROWSERS = ("/manifest.webmanifest", "/offline", "/service-worker.js")
QUICK = settings(
    max_examples=8,
    deadline=None,
    derandomize=True,  # the same requests each time: a fault that is found stays found
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=list(HealthCheck),
)


SCHEMA = schemathesis.openapi.from_dict(openapi_document("0")).exclude(path=ENDLESS)
# drawn by chance only: the cases that cover each rule of the description take seconds to make, and are sent above
DRAWN = schemathesis.openapi.from_dict(
    openapi_document("0"), config=SchemathesisConfig.from_dict({"phases": {"coverage": {"enabled": False}}})
).exclude(path=ENDLESS)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A real companion with a journal of its own, as a browser reaches it."""
    made, _ = companion_for(tmp_path_factory.mktemp("table"))
    with serving(made, access=Access()) as where:
        yield where
    made.stop()


@pytest.fixture(scope="module")
def signed(served: Served) -> dict[str, str]:
    """Headers of a page at the machine itself."""
    with urllib.request.urlopen(f"{served.url}/api/session", timeout=10) as answer:
        token = json.load(answer)["csrf_token"]
        return {"X-CSRFToken": token, "Cookie": answer.headers["Set-Cookie"].partition(";")[0]}


@SCHEMA.parametrize()
@QUICK
def test_whatever_the_owner_sends_by_the_description_is_no_fault_of_ours(
    case: Any, served: Served, signed: dict[str, str]
) -> None:
    case.call_and_validate(served.url, headers=signed, checks=[not_a_server_error])


@pytest.mark.long
@DRAWN.parametrize()
@settings(QUICK, max_examples=200, derandomize=False)
def test_many_more_of_the_same_are_no_fault_of_ours(case: Any, served: Served, signed: dict[str, str]) -> None:
    case.call_and_validate(served.url, headers=signed, checks=[not_a_server_error])


def test_every_address_of_the_api_is_described() -> None:
    app = create_app(FakeCompanion())
    described = app.test_client().get("/api/openapi.json").get_json()["paths"]
    pages = {"/static/<path:filename>", "/report/<int:number>", *FOR_BROWSERS}
    for rule in app.url_map.iter_rules():
        if rule.rule in pages or rule.endpoint.startswith("pages."):
            continue
        path = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule)
        assert path in described or path == "/api/command/{name}", path
        for method in (rule.methods or set()) & {"GET", "POST"} if path in described else ():
            assert method.lower() in described[path], (method, path)


def test_every_command_may_tell_the_key_by_which_it_is_known_when_it_is_sent_again() -> None:
    document = openapi_document("0")
    assert "Idempotency-Key" in document["info"]["description"]
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            told = {p["name"]: p for p in operation.get("parameters", []) if p["in"] == "header"}
            assert ("Idempotency-Key" in told) == (method == "post"), path
            assert not told.get("Idempotency-Key", {}).get("required", False)


def test_the_role_of_an_address_is_what_the_description_says() -> None:
    app = create_app(FakeCompanion(), access=Access(), hosts=[EVERY_ADDRESS])
    described = app.test_client().get("/api/openapi.json").get_json()["paths"]
    client = app.test_client()
    where: dict[str, Any] = {"base_url": "http://192.168.1.5", "environ_overrides": {"REMOTE_ADDR": "192.168.1.9"}}
    told = {r.word for r in Role}
    for path, operations in described.items():
        for method, operation in operations.items():
            assert operation["x-role"] in told
            if method == "get" and operation["x-role"] != "spectator":
                address = re.sub(r"\{kind\}", "camera", re.sub(r"\{\w+\}(?!\.jpg)", "1", path))
                assert client.get(address, **where).status_code == 403, path
