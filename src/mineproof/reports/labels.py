"""Names of configurations in tables, plots and pages. A name has only the parts in which configurations differ."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from mineproof.base.words import at, size
from mineproof.simulation.results import Totals
from mineproof.simulation.series import StartCell
from mineproof.wording.catalogue import message, plural

T = TypeVar("T")

NAME_MAX_CHARACTERS = 40  # of a strategy; those written by users may have any length

PARTS: dict[str, Callable[[Totals], str]] = {
    "board": lambda totals: size(totals.rows, totals.columns),
    "mines": lambda totals: plural("report-mines", totals.mines),
    "topology": lambda totals: totals.topology,
    "first click": lambda totals: message("report-first-click", rule=totals.first_click),
    "strategy": lambda totals: short_name(totals.strategy),
}

# The keys that identify configurations: two strategies may have the same short name.
_KEYS = PARTS | {"strategy": lambda totals: totals.strategy}


def short_name(text: str) -> str:
    """Return the name of a strategy without control characters; a long one is cut in its middle.

    The commands of two bots often begin alike, with the same interpreter, and end with their own file.
    """
    plain = "".join(character if character.isprintable() else "\ufffd" for character in text)
    if len(plain) <= NAME_MAX_CHARACTERS:
        return plain
    start = NAME_MAX_CHARACTERS // 3
    return f"{plain[:start]}…{plain[start + 1 - NAME_MAX_CHARACTERS :]}"


def differing_parts(results: Sequence[Totals]) -> list[str]:
    """Return the parts in which some configurations differ."""
    return [part for part, key in _KEYS.items() if len({key(totals) for totals in results}) > 1]


def name(totals: Totals, parts: Iterable[str]) -> str:
    """Return a name of a configuration made of some parts; board and strategy if there are none."""
    chosen = list(parts) or ["board", "strategy"]
    return ", ".join(PARTS[part](totals) for part in PARTS if part in chosen)


def common(results: Sequence[Totals]) -> str:
    """Return the parts that all configurations have in common."""
    first, differences = results[0], differing_parts(results)
    words = [
        *(format_part(first) for part, format_part in PARTS.items() if part not in differences),
        *(
            [message("report-start", cell=start_label(first.start))]
            if len({totals.start for totals in results}) == 1
            else []
        ),
        *([message("report-seed", seed=first.seed)] if len({totals.seed for totals in results}) == 1 else []),
    ]
    return ", ".join(word for word in words if word != "grid")


def start_label(start: StartCell) -> str:
    """Return the first click."""
    return message("report-random-cell") if start == "random" else at(start)


def group_by_parts(results: Sequence[Totals], without: Iterable[str]) -> dict[tuple[str, ...], list[int]]:
    """Return groups of configurations, by number, that differ only in the parts ``without``."""
    keys = [key for part, key in _KEYS.items() if part not in set(without)]
    groups: dict[tuple[str, ...], list[int]] = {}
    for number, totals in enumerate(results):
        groups.setdefault(tuple(key(totals) for key in keys), []).append(number)
    return groups


def evenly(things: Sequence[T], most: int) -> list[T]:
    """Return at most ``most`` things, from the first to the last in about equal steps."""
    if len(things) <= most:
        return list(things)
    if most == 1:
        return [things[0]]
    return [things[round(place * (len(things) - 1) / (most - 1))] for place in range(most)]
