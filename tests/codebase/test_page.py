"""The files of the page, and what checks them."""

import itertools
import json
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mineproof.base.colours import (
    BOARD_COLOURS,
    CANVAS_COLOURS,
    DARK_HEAT_STOPS,
    DIGITS,
    HEAT_STOPS,
    ON_DARK_HEAT,
    ON_HEAT,
    PAGE_COLOURS,
    SKINS,
)

ADDRESS = re.compile(r"https?://[^\s\"'`<>)\\]*")
# Names of XML namespaces, which are never requested; and this machine, in examples.
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
    results = list(strings(lock))
    assert len(results) > 100
    assert [text for text in results if "://" in text or text == "resolved"] == []
    assert [name for name, one in lock["packages"].items() if name and "integrity" not in one] == []


@pytest.mark.parametrize("document", [{"a": {"resolved": "x"}}, {"a": ["https://example.org/x.tgz"]}])
def test_an_address_is_seen_in_a_lock(document: Any) -> None:
    assert [text for text in strings(document) if "://" in text or text == "resolved"]


# contrast: axe-core sees no canvas

SIGNS = [(f"n{number}", "open") for number in range(1, 9)] + [
    (sign, "covered") for sign in ("safe", "wrong", "flag", "pole", "best", "ink")
]  # fmt: skip
WORDS = [("mine", "open"), ("because", "open"), ("cursor", "stage"), ("quiet", "page"), ("frame-ink", "frame")]
WORDS += [("safe", "safe-ground"), ("wrong", "mine-ground"), ("ink", "open"), ("wrong", "safe-ground")]
LEAST = 4.5


def luminance(colour: tuple[float, ...]) -> float:
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: tuple[float, ...], other: tuple[float, ...]) -> float:
    dark, light = sorted([luminance(one), luminance(other)])
    return (light + 0.05) / (dark + 0.05)


def read_colour(text: str) -> tuple[float, ...]:
    return tuple(int(text[place : place + 2], 16) / 255 for place in (1, 3, 5))


def palette(skin: str, digits: str, theme: int) -> dict[str, tuple[float, ...]]:
    """The colours of a board of the page, with the heat scale and its text."""
    colours = {**PAGE_COLOURS, **BOARD_COLOURS, **CANVAS_COLOURS, **SKINS.get(skin, {})}
    chosen = digits or ("classic" if skin in SKINS else "")
    colours |= {f"n{number}": colour for number, colour in enumerate(DIGITS.get(chosen, ()), 1)}
    return {name: read_colour(pair[theme]) for name, pair in colours.items()}


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("digits", ["", *DIGITS])
@pytest.mark.parametrize("skin", ["mineproof", *SKINS])
def test_what_is_drawn_on_cells_can_be_read(skin: str, digits: str, theme: int) -> None:
    colours = palette(skin, digits, theme)
    results = {pair: contrast(colours[pair[0]], colours[pair[1]]) for pair in SIGNS + WORDS}
    assert {pair: ratio for pair, ratio in results.items() if ratio < LEAST} == {}
    if skin == "contrast":
        numbers = {pair: results[pair] for pair in SIGNS[:8]}
        assert {pair: ratio for pair, ratio in numbers.items() if ratio < 7} == {}


def simulated(colour: tuple[float, ...], matrix: tuple[tuple[float, ...], ...]) -> tuple[float, ...]:
    """Lightness and hue (CIELAB) of a colour as a colour-blind person sees it."""
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour]
    r, g, b = (min(1.0, max(0.0, sum(w * part for w, part in zip(row, linear, strict=True)))) for row in matrix)
    xyz = (
        (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505,
        0.2126 * r + 0.7152 * g + 0.0722 * b,
        (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089,
    )
    x, y, z = (part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116 for part in xyz)
    return (116 * y - 16, 500 * (x - y), 200 * (y - z))


# How deuteranopes and protanopes see linear red, green and blue (Machado, Oliveira and Fernandes 2009).
BLIND = {
    "deuteranopia": ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969)),
    "protanopia": ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
}


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("kind", BLIND)
def test_distinct_numbers_differ_for_colour_blind_people(kind: str, theme: int) -> None:
    """The numbers 1 to 4, which boards are full of, differ clearly, and more than those of the skin."""

    def nearest(digits: str) -> float:
        colours = palette("mineproof", digits, theme)
        seen = [simulated(colours[f"n{number}"], BLIND[kind]) for number in range(1, 5)]
        return min(math.dist(one, other) for one, other in itertools.combinations(seen, 2))

    assert nearest("distinct") > max(15, nearest(""))


@pytest.mark.parametrize(
    ("stops", "ink"), [(HEAT_STOPS, ON_HEAT), (DARK_HEAT_STOPS, ON_DARK_HEAT)], ids=["light", "dark"]
)
def test_per_cents_can_be_read_on_every_heat(stops: tuple[tuple[int, int, int], ...], ink: str) -> None:
    for low, high in itertools.pairwise(stops):
        for part in range(11):
            heat = tuple((a * (10 - part) + b * part) / 2550 for a, b in zip(low, high, strict=True))
            assert contrast(heat, read_colour(ink)) >= LEAST, heat


def test_the_dark_heat_scale_does_not_glare() -> None:
    """No colour of odds is as bright as a number."""
    numbers = [luminance(read_colour(BOARD_COLOURS[f"n{number}"][1])) for number in range(1, 9)]
    heats = [luminance(tuple(part / 255 for part in stop)) for stop in DARK_HEAT_STOPS]
    assert max(heats) < min(numbers) / 2
