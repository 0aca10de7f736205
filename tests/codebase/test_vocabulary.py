"""One word for one thing: public signatures keep to docs/reference/parameters.md."""

import inspect
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import mineproof as mp

# Words that were used for the same things, and what they are called now.
NOT = {
    "col": "column",
    "cols": "columns",
    "first_cell": "start",
    "jobs": "threads",
    "workers": "threads",
    "probability": "mine_probability",
    "width": "columns",
    "height": "rows",
    "around": "neighbours",
}
DEFAULTS: dict[str, set[str | None]] = {
    "flags": {"trust", "check"},
    "first_click": {"safe", None},
    "fairness": {"none"},
    "topology": {"grid", None},
}


def public() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Functions, and methods of classes, that are public. What classes are made with is data, unless people call it."""
    for name in mp.__all__:
        thing = getattr(mp, name)
        if inspect.isfunction(thing):
            yield name, thing
        elif inspect.isclass(thing):
            for member in vars(thing):
                if not member.startswith("_") and callable(getattr(thing, member)):
                    yield f"{name}.{member}", getattr(thing, member)
            if name in ("Board", "Game", "Layout", "Budget", "Rules"):
                yield name, thing


def parameters(function: Callable[..., Any]) -> list[inspect.Parameter]:
    return [value for value in inspect.signature(function).parameters.values() if value.name not in ("self", "cls")]


def complaints(things: Iterator[tuple[str, Callable[..., Any]]], known: set[str]) -> list[str]:
    results = []
    for name, function in things:
        for parameter in parameters(function):
            if parameter.name in NOT:
                results.append(f"{name}({parameter.name}): the word is {NOT[parameter.name]}")
            elif parameter.name not in known:
                results.append(f"{name}({parameter.name}): not in docs/reference/parameters.md")
            allowed = DEFAULTS.get(parameter.name)
            if (
                allowed is not None
                and parameter.default is not inspect.Parameter.empty
                and parameter.default not in allowed
            ):
                results.append(f"{name}({parameter.name}={parameter.default!r}): expected one of {allowed}")
    return results


@pytest.fixture(scope="module")
def known(root: Path) -> set[str]:
    """Every word in code marks in the first column of the tables."""
    rows = re.findall(r"^\| (.*?) \|", (root / "docs/reference/parameters.md").read_text("utf-8"), re.MULTILINE)
    return {word for row in rows for word in re.findall(r"`(\w+)`", row)}


def test_parameters_are_words_of_the_table(known: set[str]) -> None:
    assert complaints(public(), known) == []


def test_text_is_never_a_method() -> None:
    results = [getattr(mp, name) for name in mp.__all__ if inspect.isclass(getattr(mp, name))]
    assert [result.__name__ for result in results if inspect.isroutine(getattr(result, "text", None))] == []


def test_what_is_public_is_listed_and_shown() -> None:
    assert dir(mp) == mp.__all__ == sorted(set(mp.__all__))
    assert mp.formats.FORMATS
    assert all(hasattr(mp, name) for name in mp.__all__)
    with pytest.raises(AttributeError, match="no attribute 'simulat'"):
        _ = mp.simulat  # type: ignore[attr-defined]


def test_no_module_has_the_name_of_a_public_function(root: Path) -> None:
    functions = {name for name in mp.__all__ if inspect.isfunction(getattr(mp, name))}
    modules = {path.stem for path in (root / "src/mineproof").rglob("*.py") if "cli" not in path.parts}
    assert functions & modules == set()


def test_sizes_are_said_in_the_order_of_players(root: Path) -> None:
    """Only `mineproof.base.words.size` puts two numbers around ×."""
    said = re.compile(r"\{[^{}]*(?:rows|columns|height|width)[^{}]*\} × ")
    results = [
        f"{path.name}: {line.strip()}"
        for path in (root / "src/mineproof").rglob("*.py")
        for line in path.read_text("utf-8").splitlines()
        if said.search(line) and path.name != "words.py"
    ]
    assert results == []


def test_a_wrong_word_is_seen() -> None:
    def clumsy(col: int, board: object, novelty: int, first_click: str = "any") -> None: ...

    assert complaints(iter([("clumsy", clumsy)]), {"board", "first_click"}) == [
        "clumsy(col): the word is column",
        "clumsy(novelty): not in docs/reference/parameters.md",
        "clumsy(first_click='any'): expected one of " + str(DEFAULTS["first_click"]),
    ]
