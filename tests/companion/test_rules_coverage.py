"""Every numbered rule is carried by a function that cites it, or listed in docs/rules-coverage.md with a reason."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from companion.games import GAMES

ROOT = Path(__file__).resolve().parents[2]
RULES = {"P": 39, "A": 26, "T": 19, "S": 27, "Z": 19}  # the numbered items of Paleo, Armadöra, Paper Tales, ...
IDS = {f"{letter}{n}" for letter, last in RULES.items() for n in range(1, last + 1)}
OPEN = {  # the items that the rules leave open or that are missing in them
    *(f"P{n}" for n in range(29, 40)),
    *(f"A{n}" for n in range(18, 27)),
    *(f"T{n}" for n in range(13, 20)),
    *(f"S{n}" for n in range(24, 28)),
    "Z18",
    "Z19",
}
CITED = re.compile(r"\b([PATSZ])(\d{1,2})(?:-\1(\d{1,2}))?\b")


def cited_in(text: str) -> set[str]:
    """The ids that a text names, ranges such as A1-A3 with what lies between."""
    found = set()
    for letter, first, last in CITED.findall(text):
        found |= {f"{letter}{n}" for n in range(int(first), int(last or first) + 1)}
    return found & IDS


def cited_by_functions() -> dict[str, list[str]]:
    """Rule ids with the functions and classes of the games whose docstrings cite them."""
    found: dict[str, list[str]] = {}
    for module in sorted((ROOT / "companion" / "games").glob("*.py")):
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                for rule in cited_in(ast.get_docstring(node) or ""):
                    found.setdefault(rule, []).append(f"{module.stem}.{node.name}")
    return found


def listed() -> dict[str, str]:
    """Rule ids of docs/rules-coverage.md with the reasons why they need no function of their own."""
    found = {}
    for line in (ROOT / "docs" / "rules-coverage.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| ") and len(cells) == 2 and cells[0] in IDS:
            found[cells[0]] = cells[1]
    return found


def test_no_rule_is_missing() -> None:
    covered = set(cited_by_functions()) | set(listed())
    missing = sorted(IDS - covered, key=lambda rule: (rule[0], int(rule[1:])))
    assert not missing, f"neither carried by a function nor listed: {', '.join(missing)}"


def test_what_is_listed_has_a_reason() -> None:
    for rule, reason in listed().items():
        assert len(reason) > 20, f"{rule} needs a reason"


def test_every_open_point_is_an_option_or_is_listed() -> None:
    options = {option.rule for game in GAMES.values() for option in game.options}
    missing = sorted(OPEN - options - set(listed()))
    assert not missing, f"no option and no reason for {', '.join(missing)}"


def test_every_option_says_why_in_both_languages() -> None:
    for game in GAMES.values():
        for option in game.options:
            assert option.rule in IDS, f"{game.name}: {option.name} names no rule"
            assert len(set(option.choices)) >= 2
            assert len(option.why.en) > 20
            assert len(option.why.fr) > 20
