"""Plain English stays: dialect words in texts, names that cannot be searched for, and paragraphs written twice.

The words, the names and their limits are in tools/plain_english.py, which also counts them.
"""

import ast
import importlib.util
import inspect
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import mineproof as mp
from mineproof.wording.catalogue import load_catalogue


def load_tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("plain_english", Path(__file__).parents[2] / "tools/plain_english.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


TOOL = load_tool()
OWNERLESS = {"web/players.py"}  # has a user named nobody


def dialect(text: str) -> list[str]:
    words: list[str] = TOOL.dialect(text)
    return words


@pytest.fixture(scope="module")
def trees(root: Path) -> dict[str, ast.Module]:
    package = root / "src/mineproof"
    paths = sorted(package.rglob("*.py"))
    return {str(path.relative_to(package)): ast.parse(path.read_text("utf-8")) for path in paths}


def test_messages_of_the_catalogue() -> None:
    texts = load_catalogue("en").texts
    assert [f"{key}: {word}" for key, forms in texts.items() for text in forms for word in dialect(text)] == []


ERROR_CALL = re.compile(r"(Error|Refused|BudgetExceeded|ExtraMissing|\.error|fault)$")
SENTENCE = re.compile(r"[A-Z][a-z]+ ")


def error_texts(tree: ast.Module) -> Iterator[str]:
    """Yield the texts of errors, with {} for each field; those that are a single word are codes."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ERROR_CALL.search(ast.unparse(node.func)):
            for argument in node.args[:2]:
                parts = argument.values if isinstance(argument, ast.JoinedStr) else [argument]
                text = "".join(
                    part.value if isinstance(part, ast.Constant) and isinstance(part.value, str) else "{}"
                    for part in parts
                )
                if " " in text:
                    yield text


def is_in_style(text: str) -> bool:
    """Is it ``expected X, got Y`` or ``NAME must be X, got Y`` without a full stop, or whole sentences with one?"""
    is_single = ". " not in text
    if text.startswith("expected ") or re.match(r"\S+ must be ", text):
        return not is_single or not text.endswith(".")
    return not text.startswith("Expected ") and (not SENTENCE.match(text) or text.endswith((".", "{}", ")")))


@pytest.mark.slow
def test_errors_have_one_style(trees: dict[str, ast.Module]) -> None:
    texts = [(name, text) for name, tree in trees.items() for text in error_texts(tree)]
    assert len(texts) > 400
    assert [f"{name}: {text}" for name, text in texts if not is_in_style(text)] == []


@pytest.mark.parametrize(
    ("text", "good"),
    [
        ("expected 0-8, got {}", True),
        ("expected 0-8, got {}.", False),
        ("Expected 0-8, got {}.", False),
        ("expected at most {} cells, got {}. The command line takes more.", True),
        ("--games must be at least 1, got {}", True),
        ("--games must be at least 1, got {}.", False),
        ("Cannot open {}: it is flagged.", True),
        ("Cannot open {}: it is flagged", False),
    ],
)
def test_the_style_of_errors_can_fail(text: str, good: bool) -> None:
    assert is_in_style(text) == good


@pytest.mark.slow
def test_strings(trees: dict[str, ast.Module]) -> None:
    lines = []
    for name, tree in trees.items():
        ignored = {id(node) for node in TOOL.docstrings(tree)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in ignored:
                lines += [f"{name}:{node.lineno}: {word}" for word in dialect(node.value)]
    assert [line for line in lines if line.partition(":")[0] not in OWNERLESS] == []


def test_public_docstrings() -> None:
    """Everything that ``help(mineproof)`` leads to."""
    lines = []
    for name in mp.__all__:
        thing = getattr(mp, name)
        members = vars(thing).items() if inspect.isclass(thing) else ()
        documented = [(name, thing), *((f"{name}.{key}", member) for key, member in members if not key.startswith("_"))]
        lines += [f"{where}: {word}" for where, what in documented for word in dialect(inspect.getdoc(what) or "")]
    assert lines == []


COMMENTED = {".py", ".cpp", ".hpp", ".js", ".mjs", ".ts"}


@pytest.mark.slow
def test_comments_and_docstrings_everywhere(project_files: list[Path], root: Path) -> None:
    """Also those of the kernel, of scripts, of tests, tools and benchmarks."""
    assert [
        f"{path.relative_to(root)}:{line}: {word}"
        for path in project_files
        if path.suffix in COMMENTED and path.name not in ("test_plain_english.py", "plain_english.py")
        for line, text in TOOL.comments(path)
        for word in dialect(text)
    ] == []


def test_documents(project_files: list[Path], root: Path) -> None:
    documents = [path for path in project_files if path.suffix == ".md"]
    assert [
        f"{path.relative_to(root)}:{number}: {word}"
        for path in documents
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        for word in dialect(line)
    ] == []


def test_the_page(root: Path) -> None:
    assert [
        f"{path.name}:{number}: {word}"
        for path in sorted((root / "src/mineproof/web/static").rglob("*.js"))
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        for word in dialect(line)
    ] == []


def test_names_of_the_package_can_be_searched_for(trees: dict[str, ast.Module]) -> None:
    """`make lint` also counts those of tests, tools and benchmarks. ``tools/plain_english.py -v`` lists every place."""
    assert list(TOOL.faults({"src": TOOL.find_names(trees)})) == []


def repeated_paragraphs(text: str) -> list[str]:
    """Paragraphs and table rows of at least 80 characters that stand in a document twice."""
    prose = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    parts = [" ".join(part.split()) for part in re.split(r"\n\s*\n|\n(?=\||\* )", prose)]
    return sorted(part for part, times in Counter(parts).items() if times > 1 and len(part) >= 80)


def test_no_paragraph_stands_twice(project_files: list[Path], root: Path) -> None:
    documents = [path for path in project_files if path.suffix == ".md"]
    assert [
        f"{path.relative_to(root)}: {part[:60]}…"
        for path in documents
        for part in repeated_paragraphs(path.read_text("utf-8"))
    ] == []


def test_every_check_can_fail(tmp_path: Path) -> None:
    assert dialect("The server is told; whoever\nwaits goes on without it.") == ["is told", "whoever", "goes on"]
    assert dialect("They go on, and the game goes on.") == ["go on", "goes on"]
    assert dialect("found a server that ends, expected one that continues") != []
    assert dialect("Expected a number, got 'x'. The best move wins most often.") == []
    modules = {
        "x.py": "def _told(): ...\ndef parse_header(): ...\nfound = 1\nsteps = 2\nMOST_CELLS = 3\nclass A: ...\n"
    }
    modules |= {f"y{number}.py": "def _draw(): ...\nclass A: ...\n" for number in range(6)}
    names = TOOL.find_names({name: ast.parse(text) for name, text in modules.items()})
    assert names.participles == ["x.py:1: _told"]
    assert names.vague == ["x.py:3: found"]
    assert names.most == ["x.py:5: MOST_CELLS"]
    assert [place.partition(":")[0] for place in names.classes] == ["A"]
    assert [place.partition(":")[0] for place in names.shared] == ["_draw"]
    [above] = TOOL.faults({"tools": names._replace(participles=["told"] * 9, most=[], shared=[], classes=[])})
    assert "9 participles, at most" in above
    below = list(TOOL.faults({"tests": names._replace(shared=[])}))
    assert all("lower the limit" in line for line in below)
    assert len(below) == 2
    script = tmp_path / "x.cpp"
    script.write_text("int x;  // what is told\n/* goes on */\n")
    assert list(TOOL.comments(script)) == [(1, " what is told"), (2, " goes on ")]
    row = "| `games`, `first_game` | of long runs; `threads` are how many things are done at a time, by an executor |"
    assert repeated_paragraphs(f"{row}\n{row}\n\nother\n") == [row]
