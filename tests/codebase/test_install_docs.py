"""What README and docs tell people to install and to read is there."""

import re
import tomllib
from pathlib import Path

import pytest

SAMPLE = re.compile(r"\bsamples/[\w.-]+\.\w+")
# mineproof is on no package index: its name alone after `pip install` works only where it is installed already.
FROM_INDEX = re.compile(r"pip install '?mineproof(?:\[|'|\s|`|$)", re.MULTILINE)


@pytest.fixture(scope="module")
def documents(root: Path) -> dict[str, str]:
    paths = [root / "README.md", *(root / "docs").rglob("*.md")]
    return {path.relative_to(root).as_posix(): path.read_text("utf-8") for path in paths}


def test_samples_that_are_named_exist(documents: dict[str, str], root: Path) -> None:
    named = {sample for text in documents.values() for sample in SAMPLE.findall(text)}
    assert len(named) >= 5
    assert [sample for sample in sorted(named) if not (root / sample).is_file()] == []


def test_every_sample_is_named(documents: dict[str, str], root: Path) -> None:
    text = "\n".join(documents.values())
    assert [path.name for path in sorted((root / "samples").iterdir()) if f"samples/{path.name}" not in text] == []


def test_nothing_is_installed_from_an_index(documents: dict[str, str]) -> None:
    assert [name for name, text in documents.items() if FROM_INDEX.search(text)] == ["docs/install.md"]
    assert len(FROM_INDEX.findall(documents["docs/install.md"])) == 1, "an extra of a mineproof that is installed"


@pytest.mark.parametrize(
    "line", ["pip install mineproof", "RUN pip install 'mineproof[cluster]'", "`pip install mineproof`"]
)
def test_an_install_from_an_index_is_seen(line: str) -> None:
    assert FROM_INDEX.search(line)
    assert not FROM_INDEX.search("pip install '/path/to/mineproof[web]'")


def test_the_extras_are_listed(documents: dict[str, str], root: Path) -> None:
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    listed = re.findall(r"^\| `([\w-]+)` \|", documents["docs/install.md"].split("## Extras")[1], re.MULTILINE)
    assert sorted(listed) == sorted(project["optional-dependencies"])
