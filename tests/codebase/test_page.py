"""The files of the page, and what checks them."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ADDRESS = re.compile(r"https?://[^\s\"'`<>)\\]*")
# Names of XML namespaces, which nobody asks for; and this machine, in examples.
ALLOWED = re.compile(r"http://www\.w3\.org/(2000/svg|1999/xhtml|1999/xlink)|http://127\.0\.0\.1:8642/.*")


@pytest.fixture(scope="module")
def static(root: Path) -> dict[str, Path]:
    """Every file of the page by its name in the folder."""
    folder = root / "src/mineproof/web/static"
    return {path.relative_to(folder).as_posix(): path for path in sorted(folder.rglob("*")) if path.is_file()}


def addresses(text: str) -> list[str]:
    return [found for found in ADDRESS.findall(text) if not ALLOWED.fullmatch(found)]


def strings(found: Any) -> Iterator[str]:
    """Every string in a document, except whom its packages ask for money."""
    if isinstance(found, str):
        yield found
    elif isinstance(found, list):
        for one in found:
            yield from strings(one)
    elif isinstance(found, dict):
        for name, one in found.items():
            if name != "funding":
                yield from (name, *strings(one))


def test_the_page_names_no_other_site(static: dict[str, Path]) -> None:
    texts = {name: addresses(path.read_text("utf-8", errors="ignore")) for name, path in static.items()}
    assert {name: found for name, found in texts.items() if found} == {}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('src="https://example.org/x.js"', ["https://example.org/x.js"]),
        ("url(http://example.org)", ["http://example.org"]),
        ('"http://www.w3.org/2000/svg"', []),
        ("http://www.w3.org/2000/svg/x", ["http://www.w3.org/2000/svg/x"]),
        ("curl http://127.0.0.1:8642/api/v1/analyze \\", []),
    ],
)
def test_another_site_is_seen(text: str, found: list[str]) -> None:
    assert addresses(text) == found


def test_every_file_of_the_page_is_named_by_another(static: dict[str, Path]) -> None:
    texts = {name: path.read_text("utf-8", errors="ignore") for name, path in static.items()}
    loose = [
        name
        for name, path in static.items()
        if name != "index.html" and not any(path.name in text for other, text in texts.items() if other != name)
    ]
    assert loose == []


def test_what_checks_the_page_has_exact_versions(root: Path) -> None:
    package = json.loads((root / "package.json").read_text("utf-8"))
    assert package["private"] is True
    assert "dependencies" not in package, "a browser loads the page as it is"
    wrong = {name: v for name, v in package["devDependencies"].items() if not re.fullmatch(r"\d+\.\d+\.\d+", v)}
    assert wrong == {}


def test_versions_are_locked_and_addresses_are_not(root: Path) -> None:
    lock = json.loads((root / "package-lock.json").read_text("utf-8"))
    package = json.loads((root / "package.json").read_text("utf-8"))
    assert lock["packages"][""]["devDependencies"] == package["devDependencies"]
    found = list(strings(lock))
    assert len(found) > 100
    assert [text for text in found if "://" in text or text == "resolved"] == []
    assert [name for name, one in lock["packages"].items() if name and "integrity" not in one] == []


@pytest.mark.parametrize("document", [{"a": {"resolved": "x"}}, {"a": ["https://example.org/x.tgz"]}])
def test_an_address_is_seen_in_a_lock(document: Any) -> None:
    assert [text for text in strings(document) if "://" in text or text == "resolved"]
