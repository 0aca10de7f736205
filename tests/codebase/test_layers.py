"""Arrows point one way: a module imports only what stands before it, and what solves cannot see the mines."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

# Lowest first. A new module goes in here, at its place; a folder counts as one module.
ORDER = (
    "version",
    "errors",
    "codes",
    "budget",
    "topology",
    "notation",
    "board",
    "levels",
    "rng",
    "sealing",
    "layout",
    "record",
    "field",
    "measures",
    "formats",
    "reference",
    "reference_optimal",
    "_kernel",
    "kernel",
    "engine",
    "contradiction",
    "analysis",
    "layouts",
    "fair",
    "wording",
    "techniques",
    "ladder",
    "guess",
    "hints",
    "choice",
    "optimal",
    "strategy",
    "game",
    "review",
    "autosave",
    "certificate",
    "difficulty",
    "generate",
    "intervals",
    "simulation",
    "simulate",
    "bench",
    "__init__",
    "tui",
    "cli",
    "demo",
    "__main__",
)
SOLVES = {"reference", "kernel", "engine", "contradiction", "analysis", "layouts"}
SOLVES |= {"techniques", "ladder", "guess", "hints", "fair"}
SOLVES |= {"reference_optimal", "choice", "optimal", "strategy"}
KNOWS_THE_MINES = {"layout", "record", "field", "measures", "formats", "game"}
IMPORTS_THE_KERNEL = {"kernel"}


def test_modules_import_only_what_stands_before_them(root: Path) -> None:
    assert wrong_imports(root / "src/mineproof") == []


def test_the_kernel_knows_no_python(root: Path) -> None:
    assert python_includes(root / "native") == []


def wrong_imports(package: Path) -> list[str]:
    """One line for each import in `package` that the layers forbid."""
    graph: dict[str, set[str]] = {}
    wrong = []
    for path in sorted(package.rglob("*.py")):
        module = path.relative_to(package).parts[0].removesuffix(".py")
        if module not in ORDER:
            wrong.append(f"{path.name}: {module} has no place in ORDER")
            continue
        for line, target in imports(path, package):
            graph.setdefault(module, set()).add(target)
            where = f"{path.relative_to(package)}:{line}"
            if target not in ORDER:
                wrong.append(f"{where}: {target} has no place in ORDER")
            elif target != module and ORDER.index(target) > ORDER.index(module):
                wrong.append(f"{where}: {module} imports {target}, which stands after it")
            if target == "_kernel" and module not in IMPORTS_THE_KERNEL:
                wrong.append(f"{where}: {module} imports the kernel")
    for module in sorted(SOLVES):
        seen = reachable(module, graph) & KNOWS_THE_MINES
        wrong += [f"{module} solves, and reaches {target}, which knows the mines" for target in sorted(seen)]
    return wrong


def imports(path: Path, package: Path) -> Iterator[tuple[int, str]]:
    """The modules of `package` that a file imports, wherever in it and in whichever way, with their lines."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        match node:
            case ast.Import(names=names):
                full_names = [alias.name for alias in names]
            case ast.ImportFrom(module=None):
                full_names = ["mineproof.<relative import>"]
            case ast.ImportFrom(module=str(module), names=names, level=0):
                full_names = [f"{module}.{alias.name}" for alias in names]
            case ast.ImportFrom():
                full_names = ["mineproof.<relative import>"]
            case ast.Call(
                func=ast.Name(id="import_module" | "__import__") | ast.Attribute(attr="import_module"),
                args=[ast.Constant(value=str(name)), *_],
            ):
                full_names = [name]
            case _:
                continue
        for name in full_names:
            match name.split("."):
                case ["mineproof", part, *_] if part in ORDER or is_module(package / part) or "<" in part:
                    yield node.lineno, part
                case ["mineproof", *_]:
                    yield node.lineno, "__init__"


def is_module(path: Path) -> bool:
    return path.is_dir() or path.with_suffix(".py").is_file()


def reachable(module: str, graph: dict[str, set[str]]) -> set[str]:
    seen: set[str] = set()
    waiting = [module]
    while waiting:
        for target in graph.get(waiting.pop(), set()) - seen:
            seen.add(target)
            waiting.append(target)
    return seen


def python_includes(native: Path) -> list[str]:
    """One line for each header of Python, of nanobind or of the bindings that the C++ library includes."""
    forbidden = re.compile(r'^\s*#\s*include\s*[<"](Python\.h|nanobind/|pybind11/|.*bindings/)', re.MULTILINE)
    sources = [path for folder in ("include", "src") for path in sorted((native / folder).rglob("*.[ch]pp"))]
    assert sources, "no C++ sources found"
    return [
        f"{path.relative_to(native)}: {match[0].strip()}"
        for path in sources
        for match in forbidden.finditer(path.read_text("utf-8"))
    ]


@pytest.mark.parametrize(
    ("files", "complaint"),
    [
        ({"board.py": "from mineproof import analysis"}, "board imports analysis, which stands after it"),
        ({"board.py": "from mineproof.cli import main"}, "board imports cli, which stands after it"),
        ({"board.py": "def late():\n    import mineproof.engine"}, "board imports engine, which stands after it"),
        ({"formats/mbf.py": "import mineproof as mp"}, "formats imports __init__, which stands after it"),
        ({"analysis.py": "from mineproof import Board"}, "analysis imports __init__, which stands after it"),
        ({"analysis.py": "from mineproof._kernel import analyze"}, "analysis imports the kernel"),
        ({"cli.py": "from importlib import import_module\nimport_module('mineproof._kernel')"}, "imports the kernel"),
        ({"analysis.py": "from mineproof.layout import Layout"}, "analysis solves, and reaches layout"),
        (
            {"layouts.py": "import mineproof.engine", "engine.py": "import mineproof.formats.mbf"},
            "layouts solves, and reaches formats",
        ),
        ({"board.py": "from . import errors"}, "<relative import> has no place"),
        ({"helpers.py": ""}, "helpers has no place in ORDER"),
        ({"board.py": "from mineproof import helpers", "helpers.py": ""}, "helpers has no place in ORDER"),
    ],
)
def test_a_wrong_import_is_seen(tmp_path: Path, files: dict[str, str], complaint: str) -> None:
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    assert any(complaint in line for line in wrong_imports(tmp_path)), wrong_imports(tmp_path)


def test_a_python_header_is_seen(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src/count.cpp").write_text("#include <vector>\n#include <nanobind/nanobind.h>\n")
    assert python_includes(tmp_path) == ["src/count.cpp: #include <nanobind/"]
