"""French and English are complete: nothing missing, nothing left over."""

from __future__ import annotations

import json
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po
from flask.testing import FlaskClient

import companion.dashboard
from companion.dashboard.set_up_words import set_up_words
from companion.journal import JournalError
from companion.words import LANGUAGES, catalogue, game_terms, game_words, rule_texts
from tests.dashboard.fake import FakeCompanion

HERE = Path(companion.dashboard.__file__).parent
SCRIPTS = "\n".join(p.read_text(encoding="utf-8") for p in sorted((HERE / "static/js").glob("*.js")))
BUILT = re.findall(r"`(\w+)\.\$\{\w+\}`", SCRIPTS)  # `team.${name}`: any text of that family may be used
ASKED = set(re.findall(r"\bt\(\s*\"([^\"]+)\"", SCRIPTS)) | {
    key for pair in re.findall(r"\? \"([a-z_]+\.[a-z_-]+)\" : \"([a-z_]+\.[a-z_-]+)\"", SCRIPTS) for key in pair
}


def _forms(text: str | dict[str, str]) -> list[str]:
    return list(text.values()) if isinstance(text, dict) else [text]


def test_every_text_that_the_scripts_ask_for_is_there() -> None:
    assert ASKED
    assert {*catalogue(), *set_up_words()} >= ASKED


def test_every_text_in_the_catalogue_is_asked_for() -> None:
    families = tuple(f"{name}." for name in BUILT)
    assert {key for key in catalogue() if not key.startswith(families)} <= ASKED


@pytest.mark.parametrize("key", sorted(catalogue()))
def test_a_text_is_there_in_every_language_with_the_same_gaps_to_fill(key: str) -> None:
    text = catalogue()[key]
    assert set(text) == set(LANGUAGES)
    gaps = {lang: {g for f in _forms(text[lang]) for g in re.findall(r"\{(\w+)\}", f)} for lang in LANGUAGES}
    assert all(f.strip() for lang in LANGUAGES for f in _forms(text[lang]))
    assert len({frozenset(g) for g in gaps.values()}) == 1


def _catalog(lang: str) -> Catalog:
    with (HERE / f"translations/{lang}/LC_MESSAGES/messages.po").open("rb") as file:
        return read_po(file, locale=lang)


def test_the_pages_texts_and_their_french_are_the_same_list() -> None:
    methods = [("templates/**.html", "jinja2"), ("*.py", "python")]
    asked = {found[2] for found in extract_from_dir(HERE, method_map=methods)}
    french = {m.id: m.string for m in _catalog("fr") if m.id}
    assert asked == set(french)
    assert all(french.values())


def test_the_compiled_french_is_up_to_date() -> None:
    with (HERE / "translations/fr/LC_MESSAGES/messages.mo").open("rb") as file:
        compiled = {m.id: m.string for m in read_mo(file) if m.id}
    assert compiled == {m.id: m.string for m in _catalog("fr") if m.id}


def test_the_browser_chooses_the_language_and_a_switch_overrules_it(client: FlaskClient) -> None:
    french = {"Accept-Language": "fr-CH,fr;q=0.9,en;q=0.5"}
    assert '<html lang="fr"' in client.get("/", headers=french).get_data(as_text=True)
    assert '<html lang="en"' in client.get("/?lang=en", headers=french).get_data(as_text=True)
    assert '<html lang="en"' in client.get("/", headers=french).get_data(as_text=True)
    assert '<html lang="en"' in client.get("/", headers={"Accept-Language": "de"}).get_data(as_text=True)


def test_a_choice_that_does_not_exist_is_passed_over(client: FlaskClient) -> None:
    page = client.get("/?lang=xx&theme=purple").get_data(as_text=True)
    assert '<html lang="en" data-theme="auto"' in page
    assert 'data-theme="dark"' in client.get("/?theme=dark").get_data(as_text=True)


@pytest.mark.parametrize(("lang", "word"), [("en", "Filming"), ("fr", "On filme")])
def test_every_page_says_that_the_film_is_kept_while_it_is(
    client: FlaskClient, fake: FakeCompanion, lang: str, word: str
) -> None:
    pages = ("/", "/table", "/camera", "/games", "/lobby", "/seat", "/history", "/help", "/referee", "/join", "/boards")
    for filming in (False, True):
        fake.filming = filming
        for path in pages:
            told = f">{word}</span>" in client.get(f"{path}?lang={lang}").get_data(as_text=True)
            assert told is filming, path


@pytest.mark.parametrize("on_screen", [True, False])
def test_flicking_is_offered_where_the_table_is_the_virtual_one(
    client: FlaskClient, fake: FakeCompanion, on_screen: bool
) -> None:
    fake.on_screen = on_screen
    for path in ("/", "/games", "/lobby"):
        assert ('href="/table"' in client.get(path).get_data(as_text=True)) is on_screen, path
    assert ("virtual table" in client.get("/lobby").get_data(as_text=True)) is on_screen


BROKEN = re.compile("[^ ] [:;?!»]|« ")  # a French sign of two parts that a line could begin or end with


def _french(told: Any) -> Iterator[str]:
    """Every French text of a catalogue."""
    if isinstance(told, dict):
        for key, value in told.items():
            if key == "fr":
                yield from _forms(value)
            else:
                yield from _french(value)
    if isinstance(told, list):
        for one in told:
            yield from _french(one)


def test_no_line_begins_with_a_french_sign_of_two_parts() -> None:
    texts = [*_french([catalogue(), game_words(), game_terms(), rule_texts(), set_up_words()])]
    texts += [str(m.string) for m in _catalog("fr") if m.id]
    assert len(texts) > 500
    assert [text for text in texts if BROKEN.search(text)] == []


ELIDED = r"(?<![^\W\d_])(?:[dlnjmtcsy]|(?:jus|lors|puis|quel|pres|quoi)?qu|aujourd)"
STRAIGHT = re.compile(ELIDED + r"'(?:[^\W\d_]|[{«“<\[]|\"*$)", re.IGNORECASE)  # l'or, qu'il, n'{verb}


def test_french_has_one_apostrophe_wherever_people_read_it() -> None:
    """In the catalogues, and in what the code itself says in both languages; keys and what is typed may differ."""
    texts = [*_french([catalogue(), game_words(), game_terms(), rule_texts(), set_up_words()])]
    texts += [str(m.string) for m in _catalog("fr") if m.id]
    for name in ("refusals", "troubles", "usage", "help", "terminal"):
        told = json.loads((HERE / f"translations/{name}.json").read_text(encoding="utf-8"))
        texts += [text for text in told.values() if isinstance(text, str)] + [*_french(told)]
    packages = [HERE.parent, *(HERE.parents[1] / name for name in ("calibration", "firmware_bridge", "vision"))]
    for file in (file for package in packages for file in package.rglob("*.py")):
        with file.open("rb") as source:
            literals = [one.string for one in tokenize.tokenize(source.readline) if one.type == tokenize.STRING]
        texts += [literal for literal in literals if literal.endswith('"')]
    assert sum("’" in text for text in texts) > 600
    assert [text for text in texts if STRAIGHT.search(text)] == []


def test_a_word_that_means_two_things_has_two_in_french() -> None:
    """A zone is left freely, a wall costs nothing; results are read from the tables, cards are the table's own."""
    french = {name: term["fr"] for name, term in game_terms().items()}
    assert (french["free"], french["wall_cost.free"]) == ("libre", "gratuit")
    assert (french["table"], french["combat_results.table"]) == ("de la table", "lus dans les tableaux")


def test_what_is_refused_to_everybody_is_told_in_french_too(fake: FakeCompanion, client: FlaskClient) -> None:
    token = client.get("/api/session").get_json()["csrf_token"]
    fake.refuse = JournalError("the disk is full")
    send = {"json": {}, "headers": {"X-CSRFToken": token, "Accept-Language": "fr"}}
    assert client.post("/api/command/undo", **send).get_json()["error"].startswith("le journal ne peut pas être écrit")
    forged = client.post("/api/command/undo", json={}, headers={"Accept-Language": "fr"})
    assert forged.get_json()["error"].startswith("le jeton de cette page manque")
