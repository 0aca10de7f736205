"""What the documents point at is there. (Their examples are run too: pytest collects them as doctests.)"""

import doctest
import re
from pathlib import Path

import pytest

CODE = re.compile(r"^```.*?^```|`[^`\n]+`", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)(?:\s[^)]*)?\)")
HEADING = re.compile(r"^#+\s+(.+?)\s*$", re.MULTILINE)
MAKE = re.compile(r"(?:^|`)make ([a-z][a-z-]*)", re.MULTILINE)


@pytest.fixture(scope="module")
def documents(project_files: list[Path]) -> list[Path]:
    return [path for path in project_files if path.suffix == ".md"]


def test_the_main_documents_exist(documents: list[Path], root: Path) -> None:
    found = {str(path.relative_to(root)) for path in documents}
    assert {"README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"} <= found


def test_the_readme_has_examples_that_run(root: Path) -> None:
    assert doctest.DocTestParser().get_examples((root / "README.md").read_text("utf-8"))


def test_links_lead_somewhere(documents: list[Path], root: Path) -> None:
    assert [line for path in documents for line in broken_links(path, root)] == []


def test_make_targets_exist(documents: list[Path], root: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (root / "Makefile").read_text("utf-8"), re.MULTILINE))
    named = {
        (path.name, target)
        for path in documents
        for code in CODE.findall(path.read_text("utf-8"))
        for target in MAKE.findall(code)
    }
    assert [f"{name}: make {target}" for name, target in sorted(named) if target not in targets] == []


def test_every_folder_of_tests_is_a_room_or_has_its_question(root: Path) -> None:
    section = (root / "CONTRIBUTING.md").read_text("utf-8").partition("## Tests\n")[2]
    others = set(re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE))
    rooms = {path.parent.name for path in (root / "src/mineproof").glob("*/__init__.py")}
    folders = {path.parent.name for path in (root / "tests").glob("*/*") if path.suffix in (".py", ".js", ".json")}
    assert folders - rooms == others
    assert rooms - folders == set(), "a room without tests"


def test_tables_have_a_line_for_each_row(documents: list[Path]) -> None:
    """A table that a formatter has joined into a paragraph is not shown as one."""
    joined = re.compile(r"\| \|-{3}")
    assert [path.name for path in documents if joined.search(path.read_text("utf-8"))] == []
    assert joined.search("| pass | used for | |---|---| | `contour` | sampling |")


def broken_links(path: Path, root: Path) -> list[str]:
    broken = []
    for target in LINK.findall(CODE.sub("", path.read_text("utf-8"))):
        if re.match(r"[a-z]+:", target):
            continue  # an address on the web
        name, _, anchor = target.partition("#")
        file = (path.parent / name).resolve() if name else path
        if not file.exists() or not file.is_relative_to(root):
            broken.append(f"{path.name}: {target}: no such file")
        elif anchor and anchor not in anchors(file):
            broken.append(f"{path.name}: {target}: no such heading")
    return broken


def anchors(document: Path) -> set[str]:
    """The headings of a document, as links name them."""
    headings = HEADING.findall(re.sub(r"^```.*?^```", "", document.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_a_broken_link_is_seen(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "# Two words\n[there](page.md) [also](#two-words) [web](https://example.org) `[code](nowhere)`\n"
        "[gone](nowhere.md) ![picture](nowhere.png) [lost](page.md#three-words)\n"
    )
    assert broken_links(page, tmp_path) == [
        "page.md: nowhere.md: no such file",
        "page.md: nowhere.png: no such file",
        "page.md: page.md#three-words: no such heading",
    ]
