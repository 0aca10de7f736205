"""Rooms and their order: a room imports only from rooms before it, and what reasons cannot see the mines."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

# The first rooms are single files, which everybody may import. A new room goes in here, at its place.
GROUND = ("version", "errors", "base")
KNOWLEDGE = (
    "board",
    "wording",
    "problems",
    "engine",
    "analysis",
    "variants",
    "deduction",
    "decision",
    "advice",
    "protocol",
)  # what a player sees, and what follows
TRUTH = ("game", "generation", "simulation")  # where the mines are
# what comes in and goes out
EXCHANGE = ("bench", "sweeps", "reports", "leagues", "datasets", "screens", "formats", "stats")
MEMORY = ("history", "practice")  # what is kept of finished games, and of puzzles out of such
JUDGES = ("exams",)  # tasks in words, and verdicts on answers and labels
PEOPLE = ("pictures", "lessons", "__init__", "gym", "adapters", "mcp", "tui", "web", "cli", "__main__")
ORDER = (*GROUND, *KNOWLEDGE, *TRUTH, *EXCHANGE, *MEMORY, *JUDGES, *PEOPLE)

EXTENSION = "mineproof.engine._kernel"
IMPORT_THE_EXTENSION = ("engine/kernel.py", "engine/kernel_problems.py")
FINDS_PROOFS = (
    "mineproof.engine",
    "mineproof.analysis",
    "mineproof.deduction.ladder",
    "mineproof.deduction.techniques",
)
VERIFIER = "mineproof.generation.verifier"


@pytest.mark.slow
def test_rooms_import_only_from_rooms_before_them(root: Path) -> None:
    assert wrong_imports(root / "src/mineproof") == []


def test_every_room_says_what_lives_in_it_and_what_must_not(root: Path) -> None:
    for room in ORDER:
        path = root / "src/mineproof" / room / "__init__.py"
        if path.exists():
            words = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
            assert len(words) > 60, f"{room} does not say what lives in it"


@pytest.mark.slow
def test_the_verifier_imports_nothing_that_finds_proofs(root: Path) -> None:
    seen = reachable(VERIFIER, module_graph(root / "src/mineproof"))
    assert "mineproof.game.field" in seen, "the walk along the imports is broken"
    assert proof_finders(seen) == []


def test_the_kernel_knows_no_python(root: Path) -> None:
    assert python_includes(root / "native") == []


def wrong_imports(package: Path) -> list[str]:
    """One line for each import in `package` that the order of rooms forbids."""
    wrong = []
    for path in sorted(package.rglob("*.py")):
        room = path.relative_to(package).parts[0].removesuffix(".py")
        if room not in ORDER:
            wrong.append(f"{path.name}: {room} has no place in ORDER")
            continue
        for line, name in imports(path):
            where = f"{path.relative_to(package).as_posix()}:{line}"
            target = room_of(name, package)
            if target not in ORDER:
                wrong.append(f"{where}: {target} has no place in ORDER")
            elif ORDER.index(target) > ORDER.index(room):
                wrong.append(f"{where}: {room} imports {target}, which stands after it")
            if name.startswith(EXTENSION) and path.relative_to(package).as_posix() not in IMPORT_THE_EXTENSION:
                wrong.append(f"{where}: imports the extension")
    return wrong


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """The names below `mineproof` that a file imports, wherever in it and in whichever way, with their lines."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        match node:
            case ast.Import(names=names):
                found = [alias.name for alias in names]
            case ast.ImportFrom(level=level) if level > 0:
                found = ["mineproof.<relative import>"]
            case ast.ImportFrom(module=str(module), names=names):
                found = [f"{module}.{alias.name}" for alias in names]
            case ast.Call(
                func=ast.Name(id="import_module" | "__import__") | ast.Attribute(attr="import_module"),
                args=[ast.Constant(value=str(name)), *_],
            ):
                found = [name]
            case _:
                continue
        yield from ((node.lineno, name) for name in found if name.split(".")[0] == "mineproof")


def room_of(name: str, package: Path) -> str:
    """The room that an imported name belongs to; a public name of the package belongs to its front door."""
    parts = name.split(".")
    if len(parts) > 1 and (parts[1] in ORDER or is_module(package / parts[1]) or "<" in parts[1]):
        return parts[1]
    return "__init__"


def is_module(path: Path) -> bool:
    return path.is_dir() or path.with_suffix(".py").is_file()


def module_graph(package: Path) -> dict[str, set[str]]:
    """Which module imports which, by full names; a package stands for its ``__init__``.

    Modules ``wire`` are left out: they declare JSON documents for annotations, and nothing that runs imports them.
    """
    graph: dict[str, set[str]] = {}
    for path in package.rglob("*.py"):
        parts = [package.name, *path.relative_to(package).with_suffix("").parts]
        module = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        targets = graph.setdefault(module, set())
        for _, name in imports(path):
            parts = name.split(".")
            if "wire" not in parts:
                targets |= {".".join(parts[:length]) for length in range(2, len(parts) + 1)}  # its packages run, too
    return {module: targets & graph.keys() for module, targets in graph.items()}


def reachable(module: str, graph: dict[str, set[str]]) -> set[str]:
    seen: set[str] = set()
    waiting = [module]
    while waiting:
        for target in graph.get(waiting.pop(), set()) - seen:
            seen.add(target)
            waiting.append(target)
    return seen


def proof_finders(modules: set[str]) -> list[str]:
    return sorted(
        name for name in modules for finder in FINDS_PROOFS if name == finder or name.startswith(f"{finder}.")
    )


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
        ({"board/board.py": "from mineproof import analysis"}, "board imports analysis, which stands after it"),
        ({"board/board.py": "from mineproof.cli import main"}, "board imports cli, which stands after it"),
        (
            {"board/board.py": "def late():\n    import mineproof.engine.default"},
            "board imports engine, which stands after",
        ),
        ({"formats/mbf.py": "import mineproof as mp"}, "formats imports __init__, which stands after it"),
        ({"analysis/analysis.py": "from mineproof import Board"}, "analysis imports __init__, which stands after it"),
        ({"analysis/analysis.py": "from mineproof.engine._kernel import analyze"}, "imports the extension"),
        ({"engine/default.py": "from mineproof.engine import _kernel"}, "imports the extension"),
        (
            {"cli/x.py": "from importlib import import_module\nimport_module('mineproof.engine._kernel')"},
            "the extension",
        ),
        ({"decision/x.py": "from mineproof.game.layout import Layout"}, "decision imports game, which stands after it"),
        ({"advice/x.py": "import mineproof.formats.mbf"}, "advice imports formats, which stands after it"),
        ({"board/board.py": "from . import cells"}, "<relative import> has no place"),
        ({"helpers.py": ""}, "helpers has no place in ORDER"),
        ({"board/board.py": "from mineproof import helpers", "helpers.py": ""}, "helpers has no place in ORDER"),
    ],
)
def test_a_wrong_import_is_seen(tmp_path: Path, files: dict[str, str], complaint: str) -> None:
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    assert any(complaint in line for line in wrong_imports(tmp_path)), wrong_imports(tmp_path)


def test_a_verifier_that_asks_the_engine_is_seen(tmp_path: Path) -> None:
    package = tmp_path / "mineproof"
    files = {
        "generation/verifier.py": "from mineproof.game.field import MineField",
        "game/field.py": "import mineproof.analysis.analysis as found",
        "analysis/analysis.py": "",
    }
    for name, text in files.items():
        path = package / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    assert proof_finders(reachable(VERIFIER, module_graph(package))) == ["mineproof.analysis.analysis"]


def test_a_python_header_is_seen(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src/count.cpp").write_text("#include <vector>\n#include <nanobind/nanobind.h>\n")
    assert python_includes(tmp_path) == ["src/count.cpp: #include <nanobind/"]
