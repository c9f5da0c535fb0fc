"""The tree's shape: what may import what, where input and output live, and what must not be in it."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
MAY_IMPORT = {
    "calibration": set[str](),
    "firmware_bridge": set[str](),
    "vision": {"calibration"},
    "companion": {"calibration", "firmware_bridge", "vision"},
}
FOLDERS = {".ci", "benchmarks", "calibration", "companion", "docs", "firmware_bridge", "tests", "vision"}
ONLY_IN = {  # a library, and where alone it may be used: input and output at named edges
    "flask": ("companion/dashboard/",),
    "sqlalchemy": ("companion/journal.py", "companion/migrations/"),
    "serial": ("firmware_bridge/", "companion/doctor.py"),
    "pymunk": ("vision/virtual_table/",),
    "zeroconf": ("companion/announcing.py", "companion/doctor.py"),
}
UNWANTED = {  # ada is the person of our examples
    "a path of somebody's machine": r"/(?:work|root)/|/(?:home|Users)/(?!ada/)[a-z]|C:\\Users",
    "a package registry's address": r"(?:pypi|npmjs)\.org|pythonhosted|deb\.debian",
}
MODULES = sorted(p for package in MAY_IMPORT for p in (ROOT / package).rglob("*.py"))


def tree_files() -> list[Path]:
    """All files that belong to the project: committed, or about to be."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=ROOT, capture_output=True, check=True, text=True
    )
    return [ROOT / name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]


@cache
def imported(module: Path) -> frozenset[str]:
    """Full names of the modules that a module imports, anywhere in it."""
    names = set[str]()
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}: imports are absolute in this project"
            names.add(node.module or "")
    return frozenset(names)


@pytest.mark.parametrize("package", sorted(MAY_IMPORT))
def test_imports_run_one_way(package: str) -> None:
    ours = set(MAY_IMPORT) | {"tests", "benchmarks"}
    for module in (m for m in MODULES if m.relative_to(ROOT).parts[0] == package):
        used = {name.split(".")[0] for name in imported(module)} & ours
        wrong = used - MAY_IMPORT[package] - {package}
        assert not wrong, f"{module.relative_to(ROOT)} imports {wrong}"


@pytest.mark.parametrize("library", sorted(ONLY_IN))
def test_a_library_for_input_and_output_stays_at_its_edge(library: str) -> None:
    for module in MODULES:
        name = module.relative_to(ROOT).as_posix()
        if not name.startswith(ONLY_IN[library]):
            assert library not in {used.split(".")[0] for used in imported(module)}, f"{name} uses {library}"


def test_no_module_swallows_every_error() -> None:
    for module in MODULES:
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ExceptHandler):
                caught = ast.unparse(node.type) if node.type else "everything"
                assert caught not in ("everything", "Exception"), f"{module}:{node.lineno} catches {caught}"


def test_the_top_level_holds_only_the_agreed_folders() -> None:
    found = {path.relative_to(ROOT).parts[0] for path in tree_files() if len(path.relative_to(ROOT).parts) > 1}
    assert found <= FOLDERS


@pytest.mark.parametrize("what", sorted(UNWANTED))
def test_the_tree_is_free_of(what: str) -> None:
    pattern = re.compile(UNWANTED[what])
    for path in tree_files():
        if path == Path(__file__).resolve():
            continue
        data = path.read_bytes()
        if b"\0" in data[:4096]:
            continue
        found = pattern.search(data.decode("utf-8"))
        assert found is None, f"{path.relative_to(ROOT)} holds {what}: {found.group(0) if found else ''}"


def test_every_package_is_named_in_the_project_file() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    folders = {p.parent.relative_to(ROOT).as_posix().replace("/", ".") for p in MODULES}
    missing = {name for name in folders if f'"{name}"' not in text}
    assert not missing, f"pyproject.toml does not list {missing}"


@pytest.mark.parametrize("module", ["calibration.pose", "vision.worker_child", "companion.tracking"])
def test_numpy_is_told_how_many_threads_it_may_have_before_it_is_imported(module: str) -> None:
    watch = (
        "import os, sys\n"
        "class Finder:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'numpy': print(os.environ.get('OPENBLAS_NUM_THREADS'))\n"
        f"sys.meta_path.insert(0, Finder())\nimport {module}\n"
    )
    free = {k: v for k, v in os.environ.items() if k != "OPENBLAS_NUM_THREADS"}
    told = subprocess.run([sys.executable, "-c", watch], cwd=ROOT, env=free, capture_output=True, check=True, text=True)
    assert told.stdout.split() == ["1"]


def options_of(module: Path) -> set[str]:
    """The options that a script's parser knows."""
    calls = (node for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))) if isinstance(node, ast.Call))
    firsts = (call.args[0] for call in calls if ast.unparse(call.func) == "parser.add_argument")
    return {str(first.value) for first in firsts if isinstance(first, ast.Constant) and str(first.value)[0] == "-"}


def test_how_a_benchmark_is_called_names_each_of_its_options_and_no_other() -> None:
    known = {module: options for module in (ROOT / "benchmarks").rglob("*.py") if (options := options_of(module))}
    assert len(known) > 10
    for module, options in known.items():
        docstring = ast.get_docstring(ast.parse(module.read_text(encoding="utf-8"))) or ""
        usage = docstring[docstring.index("python ") :].partition("\n\n")[0]
        assert (module.name, set(re.findall(r"--[a-z][a-z-]*", usage))) == (module.name, options)
