"""The shape of the source: short functions, short files, no assert, a law on top of every file."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
PACKAGES: Final = (ROOT / "abuse_gate", ROOT / "adapters" / "abuse_gate_adapters")
EVERYTHING: Final = (*PACKAGES, ROOT / "tests", ROOT / "examples", ROOT / "benchmarks")
MOST_FUNCTION_LINES: Final = 60
MOST_FILE_LINES: Final = 250
MOST_PATCHES: Final = 5
PATCHING: Final = re.compile(r"\.setattr\(|\.delattr\(|\bmock\b|\bpatch\(", re.IGNORECASE)
VAGUE: Final = {"utils", "util", "helpers", "helper", "common", "misc"}


Telling = ast.FunctionDef | ast.AsyncFunctionDef | ast.ImportFrom | ast.Assert


@cache
def sources(folders: tuple[Path, ...]) -> list[Path]:
    return sorted(path for folder in folders for path in folder.rglob("*.py"))


def relative(path: Path) -> str:
    return str(path.relative_to(ROOT))


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


@cache
def telling(path: Path) -> list[Telling]:
    """The nodes that some law speaks of; walking is what takes long."""
    return [node for node in ast.walk(tree_of(path)) if isinstance(node, Telling)]


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in telling(path):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def lines_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    return (function.end_lineno or function.lineno) - function.lineno + 1


def test_there_is_something_to_look_at() -> None:
    assert len(sources(PACKAGES)) > 50


def test_no_function_is_longer_than_a_screen() -> None:
    long = [
        f"{relative(path)}: {function.name}"
        for path in sources(EVERYTHING)
        for function in functions(path)
        if lines_of(function) > MOST_FUNCTION_LINES
    ]
    assert long == []


def test_no_file_is_longer_than_a_sitting() -> None:
    sizes = {
        relative(path): len(path.read_text("utf-8").splitlines()) for path in sources(PACKAGES)
    }
    assert {name: size for name, size in sizes.items() if size > MOST_FILE_LINES} == {}


def test_no_assert_guards_anything() -> None:
    """It disappears under `python -O`."""
    guards = [
        f"{relative(path)}:{node.lineno}"
        for path in sources(PACKAGES)
        for node in telling(path)
        if isinstance(node, ast.Assert)
    ]
    assert guards == []


def test_every_file_says_what_it_is_for() -> None:
    silent = [
        relative(path) for path in sources(EVERYTHING) if not ast.get_docstring(tree_of(path))
    ]
    assert silent == []


def test_names_say_what_is_inside() -> None:
    assert [relative(path) for path in sources(EVERYTHING) if path.stem in VAGUE] == []


def test_hardly_any_test_patches_anything() -> None:
    this = Path(__file__).resolve()
    patching = [
        f"{relative(path)}: {line.strip()}"
        for path in sources((ROOT / "tests",))
        if path != this
        for line in path.read_text("utf-8").splitlines()
        if PATCHING.search(line)
    ]
    assert len(patching) <= MOST_PATCHES, patching


def test_test_files_have_names_of_their_own() -> None:
    names = [path.name for path in (ROOT / "tests").rglob("test_*.py")]
    assert sorted(names) == sorted(set(names))


def test_there_is_no_relative_import() -> None:
    relative_imports = [
        f"{relative(path)}:{node.lineno}"
        for path in sources(EVERYTHING)
        for node in telling(path)
        if isinstance(node, ast.ImportFrom) and node.level
    ]
    assert relative_imports == []
