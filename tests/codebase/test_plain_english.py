"""Plain English stays: dialect words in texts, names that cannot be searched for, and paragraphs written twice.

The limits below are what is left of an earlier style. They only ever get smaller.
"""

import ast
import inspect
import re
import tokenize
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

import mineproof as mp
from mineproof.wording.catalogue import load_catalogue

DIALECT = re.compile(
    r"""\b(?:whoever|whomever|nobody|somebody('s)?|nobody's|unasked|rudely
    |(?:is|are|be|was|were)\ told|tells?\ (?:of|how|what|which|whether|that)
    |goes?\ on(?!\ to\b)|went\ on|gone\ on|going\ on\ from
    |so\ many\ (?:mines|cells|games|of)|asked\ for|as\ asked|is\ asked|wished|(?:is|are)\ heard|mend(?:s|ed|ing)?
    |of\ one's\ own|lies\ there|gives\ up\ with|without\ a\ thought)\b
    |\bfound\b[^.]{0,60},\ expected\b""",
    re.VERBOSE | re.IGNORECASE,
)
PARTICIPLES = {"told", "made", "kept", "shown", "found", "seen", "said", "known", "given", "taken", "drawn", "left",
               "held", "chosen", "written", "begun", "gone", "heard", "meant", "met"}  # fmt: skip
VAGUE_NAMES = {"found", "told", "asked", "kept", "wanted", "each"}

# What is left, by kind. A change may lower a limit, never raise it.
LIMITS = {
    "strings": 1,  # an owner in the database
    "documents": 0,
    "page": 0,
    "participle functions": 4,  # public methods that return a changed copy, such as Layout.cleared
    "vague names": 6,  # the public attribute `asked` of results
    "shared class names": 0,
    "MOST_ constants": 0,
}


def dialect(text: str) -> list[str]:
    return [match[0] for match in DIALECT.finditer(" ".join(text.split()))]


@pytest.fixture(scope="module")
def trees(root: Path) -> dict[str, ast.Module]:
    package = root / "src/mineproof"
    paths = sorted(package.rglob("*.py"))
    return {str(path.relative_to(package)): ast.parse(path.read_text("utf-8")) for path in paths}


def check(kind: str, lines: list[str]) -> None:
    assert len(lines) <= LIMITS[kind], f"{len(lines)} {kind}, at most {LIMITS[kind]} allowed:\n" + "\n".join(lines)
    assert len(lines) == LIMITS[kind], f"only {len(lines)} {kind} are left: lower the limit in LIMITS"


def docstring_nodes(tree: ast.Module) -> Iterator[ast.Constant]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and node.body:
            first = node.body[0]
            if (
                isinstance(first, ast.Expr)
                and isinstance(first.value, ast.Constant)
                and isinstance(first.value.value, str)
            ):
                yield first.value


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
        docstrings = {id(node) for node in docstring_nodes(tree)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
                lines += [f"{name}:{node.lineno}: {word}" for word in dialect(node.value)]
    check("strings", lines)


def test_public_docstrings() -> None:
    """Everything that ``help(mineproof)`` leads to."""
    lines = []
    for name in mp.__all__:
        thing = getattr(mp, name)
        members = vars(thing).items() if inspect.isclass(thing) else ()
        documented = [(name, thing), *((f"{name}.{key}", member) for key, member in members if not key.startswith("_"))]
        lines += [f"{where}: {word}" for where, what in documented for word in dialect(inspect.getdoc(what) or "")]
    assert lines == []


def comments_and_docstrings(path: Path) -> Iterator[tuple[int, str]]:
    with tokenize.open(path) as file:
        for token in tokenize.generate_tokens(file.readline):
            if token.type == tokenize.COMMENT:
                yield token.start[0], token.string
    for node in docstring_nodes(ast.parse(path.read_text("utf-8"))):
        yield node.lineno, str(node.value)


@pytest.mark.slow
def test_comments_and_docstrings_everywhere(project_files: list[Path], root: Path) -> None:
    """Also those of tests, tools and benchmarks."""
    assert [
        f"{path.relative_to(root)}:{line}: {word}"
        for path in project_files
        if path.suffix == ".py" and path != Path(__file__)
        for line, text in comments_and_docstrings(path)
        for word in dialect(text)
    ] == []


def test_documents(project_files: list[Path], root: Path) -> None:
    documents = [path for path in project_files if path.suffix == ".md" and path.name != "CHANGELOG.md"]
    lines = [
        f"{path.relative_to(root)}:{number}: {word}"
        for path in documents
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        for word in dialect(line)
    ]
    check("documents", lines)


def test_the_page(root: Path) -> None:
    lines = [
        f"{path.name}:{number}: {word}"
        for path in sorted((root / "src/mineproof/web/static").rglob("*.js"))
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        for word in dialect(line)
    ]
    check("page", lines)


def participle_functions(trees: dict[str, ast.Module]) -> list[str]:
    lines = []
    for name, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                word = node.name.strip("_")
                is_property = any("property" in ast.unparse(decorator) for decorator in node.decorator_list)
                if not is_property and (word in PARTICIPLES or re.fullmatch(r"(?!embed$)[a-z]{3,}(?<!e)ed", word)):
                    lines.append(f"{name}:{node.lineno}: {node.name}")
    return lines


def vague_names(trees: dict[str, ast.Module]) -> list[str]:
    return [
        f"{name}:{node.lineno}: {node.id}"
        for name, tree in trees.items()
        if not name.endswith("/wire.py")  # its names are keys of JSON, which stay
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id.strip("_") in VAGUE_NAMES
    ]


@pytest.mark.slow
def test_functions_are_verbs(trees: dict[str, ast.Module]) -> None:
    check("participle functions", participle_functions(trees))


@pytest.mark.slow
def test_names_say_what_they_hold(trees: dict[str, ast.Module]) -> None:
    check("vague names", vague_names(trees))


@pytest.mark.slow
def test_no_two_classes_share_a_name(trees: dict[str, ast.Module]) -> None:
    names = Counter(node.name for tree in trees.values() for node in ast.walk(tree) if isinstance(node, ast.ClassDef))
    check("shared class names", sorted(name for name, times in names.items() if times > 1))


@pytest.mark.slow
def test_limits_say_what_they_limit(trees: dict[str, ast.Module]) -> None:
    lines = [
        f"{name}:{node.lineno}: {node.id}"
        for name, tree in trees.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and re.match(r"_?MOST\b|_?MOST_", node.id)
    ]
    check("MOST_ constants", lines)


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


def test_every_check_can_fail() -> None:
    assert dialect("The server is told; whoever\nwaits goes on without it.") == ["is told", "whoever", "goes on"]
    assert dialect("found a server that ends, expected one that continues") != []
    assert dialect("Expected a number, got 'x'. The best move wins most often.") == []
    tree = {"x.py": ast.parse("def _told(): ...\ndef parse_header(): ...\nfound = 1\nsteps = 2")}
    assert participle_functions(tree) == ["x.py:1: _told"]
    assert vague_names(tree) == ["x.py:3: found"]
    row = "| `games`, `first_game` | of long runs; `threads` are how many things are done at a time, by an executor |"
    assert repeated_paragraphs(f"{row}\n{row}\n\nother\n") == [row]
