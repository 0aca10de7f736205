"""What would stop `make docs`, and with it `make site`: checked here without Sphinx."""

import ast
import re
from importlib import import_module
from pathlib import Path

import pytest

import mineproof

LABEL = re.compile(r"[A-Z][a-z]+(?: [a-z]+)? {2,}(?=\S)", re.MULTILINE)  # as docs/_ext/essays.py
BLOCK = re.compile(r"^```\{(essay|room|toctree)\}(.*?)^```", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def blocks(root: Path) -> dict[str, list[str]]:
    """The modules of all essays, rooms with their names, and the pages of all tables of contents."""
    lines: dict[str, list[str]] = {"essay": [], "room": [], "name": [], "toctree": []}
    for page in (root / "docs").rglob("*.md"):
        for kind, text in BLOCK.findall(page.read_text("utf-8")):
            entries = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith(":")]
            if kind == "toctree":
                lines[kind] += [(page.parent / entry).relative_to(root / "docs").as_posix() for entry in entries]
            else:
                lines[kind] += entries[:1]
                lines["name"] += entries[1:]
    return lines


def test_each_page_is_in_a_table_of_contents(blocks: dict[str, list[str]], root: Path) -> None:
    pages = {path.relative_to(root / "docs").with_suffix("").as_posix() for path in (root / "docs").rglob("*.md")}
    assert pages - {"index"} == set(blocks["toctree"])


def test_no_link_leads_to_a_page_outside_the_docs(root: Path) -> None:
    docs = root / "docs"
    assert [
        f"{page.name}: {target}"
        for page in docs.rglob("*.md")
        for target in re.findall(r"\]\((?!\w+:)([^)#\s]+\.md)", page.read_text("utf-8"))
        if not (page.parent / target).resolve().is_relative_to(docs)
    ] == []


def test_each_labelled_docstring_is_shown(blocks: dict[str, list[str]], root: Path) -> None:
    package = root / "src/mineproof"
    labelled = set()
    for path in package.rglob("*.py"):
        docstring = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
        if any(LABEL.match(line) for line in docstring.splitlines()):
            module = ".".join(path.relative_to(package.parent).with_suffix("").parts)
            labelled.add(module.removesuffix(".__init__"))
    assert labelled - set(blocks["essay"]) == set()


def test_each_name_that_is_shown_exists(blocks: dict[str, list[str]]) -> None:
    missing = []
    for name in blocks["name"]:
        module, _, last = name.rpartition(".")
        try:
            if not hasattr(import_module(module), last):
                missing.append(name)
        except ImportError as error:  # of an optional package
            if error.name is None or error.name.startswith("mineproof"):
                raise
    assert missing == []


def test_each_public_name_is_shown(blocks: dict[str, list[str]]) -> None:
    hidden = [
        name
        for name, module in vars(mineproof)["_ROOMS"].items()
        if module != "mineproof"
        and f"mineproof.{name}" not in blocks["name"]
        and not any(f"{module}.".startswith(f"{room}.") for room in blocks["room"])
    ]
    assert hidden == []
