"""Counts words and names that make texts hard to read: `python tools/plain_english.py [-v] [FOLDER]`.

A bare participle as the name of a function says neither what it does nor what it returns, and a name such as ``found``
cannot be searched for. Prints a table with the counts by folder, of the clone or of FOLDER; -v lists every place. With
--check it prints places above the limits below and fails; `make lint` runs that.
"""

from __future__ import annotations

import argparse
import ast
import io
import re
import sys
import tokenize
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
FOLDERS = ("src", "tests", "tools", "benchmarks")

DIALECT = re.compile(
    r"""\b(?:whoever|whomever|nobody|somebody('s)?|nobody's|unasked|rudely
    |(?:is|are|be|was|were)\ told|tells?\ (?:of|how|what|which|whether|that)
    |go(?:es)?\ on(?!\ to\b)|went\ on|gone\ on|going\ on\ from
    |so\ many\ (?:mines|cells|games|of)|asked\ for|as\ asked|is\ asked|wished|(?:is|are)\ heard|mend(?:s|ed|ing)?
    |of\ one's\ own|lies\ there|gives\ up\ with|without\ a\ thought)\b
    |\bfound\b[^.]{0,60},\ expected\b""",
    re.VERBOSE | re.IGNORECASE,
)
# Participles that do not end in -ed. Those that are also verbs in the imperative (read, set, put) are left out.
PARTICIPLES = {
    "told", "made", "kept", "shown", "found", "seen", "said", "known", "given", "taken", "drawn", "left",
    "held", "chosen", "written", "begun", "gone", "heard", "meant", "met", "built", "sent", "spent", "lost",
    "won", "sought", "thought", "brought", "caught", "taught", "led", "paid", "laid", "done", "grown", "thrown",
    "hidden", "broken", "bound", "lent", "felt", "dealt", "swept", "stuck", "understood", "got", "sold",
    "bought", "fought", "lit", "slid",
}  # fmt: skip
VAGUE_NAMES = {"found", "told", "asked", "kept", "wanted", "each"}
SHARED_MODULES = 6  # in so many modules a private function of one name cannot be searched for

SLACK = 40  # so far may a count be below its limit: branches that meet need not agree on it

# What is left. A change may lower a limit, never raise it.
LIMITS = {
    # src: four public methods that return a changed copy, and History.lent; the public attribute `asked` of results
    "src": {"participles": 5, "vague": 6, "classes": 0, "shared": 6, "most": 0},
    "tests": {"participles": 205, "vague": 450, "classes": 8, "shared": 2, "most": 12},
    "tools": {"participles": 4, "vague": 10, "classes": 0, "shared": 0, "most": 0},
    "benchmarks": {"participles": 4, "vague": 16, "classes": 0, "shared": 0, "most": 0},
}


class Names(NamedTuple):
    """Places of one folder by kind, each as ``file:line: name``."""

    participles: list[str]  # functions, without properties
    vague: list[str]  # assignments
    classes: list[str]  # names of classes that two places define
    shared: list[str]  # names of private functions that many modules define
    most: list[str]  # limits such as MOST, which do not say what they limit


def dialect(text: str) -> list[str]:
    """The words of a text that only this project used."""
    return [match[0] for match in DIALECT.finditer(" ".join(text.split()))]


def is_participle(name: str) -> bool:
    """Is the name of a function a bare participle, such as ``told`` or ``_opened``?"""
    word = name.strip("_")
    return not name.startswith("__") and (
        word in PARTICIPLES or bool(re.fullmatch(r"(?!embed$|seed$|speed$)[a-z]{3,}ed", word))
    )


def parse_modules(folder: Path) -> dict[str, ast.Module]:
    """The modules of a folder by their path in it."""
    return {str(path.relative_to(folder)): ast.parse(path.read_text("utf-8")) for path in sorted(folder.rglob("*.py"))}


def find_names(trees: dict[str, ast.Module]) -> Names:
    """Find the names of all modules."""
    participles, vague, most = [], [], []
    classes: dict[str, list[str]] = {}
    private: dict[str, set[str]] = {}
    for name, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                if is_participle(node.name) and not any("property" in ast.unparse(by) for by in node.decorator_list):
                    participles.append(f"{name}:{node.lineno}: {node.name}")
                if re.fullmatch(r"_[a-z]+", node.name):
                    private.setdefault(node.name, set()).add(name)
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                if node.id.strip("_") in VAGUE_NAMES and not name.endswith("/wire.py"):  # those are keys of JSON
                    vague.append(f"{name}:{node.lineno}: {node.id}")
                if re.match(r"_?MOST\b|_?MOST_", node.id):
                    most.append(f"{name}:{node.lineno}: {node.id}")
            elif isinstance(node, ast.ClassDef):
                classes.setdefault(node.name, []).append(f"{name}:{node.lineno}")
    twice = [f"{name}: {', '.join(places)}" for name, places in classes.items() if len(places) > 1]
    shared = [
        f"{name}: {', '.join(sorted(places))}" for name, places in private.items() if len(places) >= SHARED_MODULES
    ]
    return Names(participles, vague, sorted(twice), sorted(shared), most)


def docstrings(tree: ast.Module) -> Iterator[ast.Constant]:
    """The docstrings of a module, of its classes and of its functions."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and node.body:
            first = node.body[0]
            match first:
                case ast.Expr(value=ast.Constant(value=str()) as text):
                    yield text


_LINE_COMMENT = re.compile(r"(?:^|\s)//(.*)$|/\*(.*?)\*/|^\s*\*\s(.*)$")


def comments(path: Path) -> Iterator[tuple[int, str]]:
    """Comments and docstrings of a Python, C++ or JavaScript file with their lines."""
    text = path.read_text("utf-8")
    if path.suffix == ".py":
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                yield token.start[0], token.string
        for node in docstrings(ast.parse(text)):
            yield node.lineno, str(node.value)
    else:
        for number, line in enumerate(text.splitlines(), 1):
            for match in _LINE_COMMENT.finditer(line):
                yield number, " ".join(part for part in match.groups() if part)


def counts(root: Path) -> dict[str, Names]:
    """The names of each folder of the project."""
    return {folder: find_names(parse_modules(root / folder)) for folder in FOLDERS if (root / folder).exists()}


def faults(by_folder: dict[str, Names]) -> Iterator[str]:
    """Yield what is above its limit, and limits that can be lowered."""
    for folder, names in by_folder.items():
        for kind, places in names._asdict().items():
            limit = LIMITS[folder][kind]
            if len(places) > limit:
                yield f"{folder}: {len(places)} {kind}, at most {limit} allowed:\n" + "\n".join(places)
            elif len(places) < limit - SLACK:
                yield f"{folder}: only {len(places)} {kind} are left: lower the limit in tools/plain_english.py"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT)
    parser.add_argument("-v", "--verbose", action="store_true", help="list every place")
    parser.add_argument("--check", action="store_true", help="fail if a count is above its limit")
    options = parser.parse_args()
    by_folder = counts(options.folder)
    if options.check:
        lines = list(faults(by_folder))
        print("\n".join(lines), end="\n" if lines else "")
        return bool(lines)
    for folder, names in by_folder.items():
        trees = parse_modules(options.folder / folder)
        functions = sum(
            isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef) for t in trees.values() for n in ast.walk(t)
        )
        words = Counter(place.rpartition(": ")[2].strip("_") for place in names.vague)
        print(f"{folder}: {functions:,} functions, {len(names.participles)} of them bare participles")
        print(f"  vague names assigned: {len(names.vague)} ({', '.join(f'{w} {n}' for w, n in words.most_common())})")
        print(f"  classes with one name: {len(names.classes)}; private functions in many modules: {len(names.shared)}")
        for place in [place for places in names for place in places] if options.verbose else ():
            print(f"    {place}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
