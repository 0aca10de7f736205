"""The files of the page, and what checks them."""

import itertools
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


# contrast: axe-core sees no canvas

SIGNS = [(f"n{number}", "open") for number in range(1, 9)] + [
    (sign, "covered") for sign in ("safe", "wrong", "flag", "pole", "best", "ink")
]  # fmt: skip
WORDS = [("mine", "open"), ("because", "open"), ("quiet", "stage"), ("cursor", "stage"), ("quiet", "page")]
LEAST = 4.5


def luminance(colour: tuple[float, ...]) -> float:
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: tuple[float, ...], other: tuple[float, ...]) -> float:
    dark, light = sorted([luminance(one), luminance(other)])
    return (light + 0.05) / (dark + 0.05)


def read_colour(text: str) -> tuple[float, ...]:
    return tuple(int(text[place : place + 2], 16) / 255 for place in (1, 3, 5))


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_what_is_drawn_on_cells_can_be_read(static: dict[str, Path], theme: int) -> None:
    sheet = static["style.css"].read_text("utf-8")
    both = dict(re.findall(r"--([\w-]+): (?:light-dark\()?(#\w{6}(?:, #\w{6})?)", sheet))
    colours = {name: read_colour(found.split(", ")[theme if "," in found else 0]) for name, found in both.items()}
    found = {pair: contrast(colours[pair[0]], colours[pair[1]]) for pair in SIGNS + WORDS}
    assert {pair: ratio for pair, ratio in found.items() if ratio < LEAST} == {}


def test_per_cents_can_be_read_on_every_heat(static: dict[str, Path]) -> None:
    script = static["app/board/pictures.js"].read_text("utf-8")
    (list_of_stops,) = re.findall(r"const stops = (\[\[.*?\]\]);", script)
    (ink,) = re.findall(r'const ON_HEAT = "(#\w{6})";', script)
    stops = json.loads(list_of_stops)
    for low, high in itertools.pairwise(stops):
        for part in range(11):
            heat = tuple((a * (10 - part) + b * part) / 2550 for a, b in zip(low, high, strict=True))
            assert contrast(heat, read_colour(ink)) >= LEAST, heat
