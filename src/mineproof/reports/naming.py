"""What configurations are called in tables, plots and pages: by that in which they differ, and no more."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from mineproof.base.words import at, plural, size
from mineproof.simulation.results import Totals

T = TypeVar("T")

LONGEST = 40  # characters of the name of a strategy; of its own there may be any

PARTS: dict[str, Callable[[Totals], str]] = {
    "board": lambda found: size(found.rows, found.columns),
    "mines": lambda found: plural(found.mines, "mine"),
    "topology": lambda found: found.topology,
    "first click": lambda found: f"first click {found.first_click}",
    "strategy": lambda found: shown(found.strategy),
}

# What tells configurations apart: two strategies may be shown by the same short name.
_KEYS = PARTS | {"strategy": lambda found: found.strategy}


def shown(text: str) -> str:
    """A name that somebody chose: printable, on one line, and no longer than people read."""
    plain = "".join(each if each.isprintable() else "\ufffd" for each in text)
    return plain if len(plain) <= LONGEST else f"{plain[: LONGEST - 1]}…"


def differing(found: Sequence[Totals]) -> list[str]:
    """The parts in which some configurations differ."""
    return [part for part, key in _KEYS.items() if len({key(each) for each in found}) > 1]


def name(found: Totals, parts: Iterable[str]) -> str:
    """What a configuration is called by some of its parts; by its board and strategy if these are none."""
    chosen = list(parts) or ["board", "strategy"]
    return ", ".join(PARTS[part](found) for part in PARTS if part in chosen)


def common(found: Sequence[Totals]) -> str:
    """What all configurations have in common."""
    words = [
        *(tell(found[0]) for part, tell in PARTS.items() if part not in differing(found)),
        *([f"start {where(found[0])}"] if len({each.start for each in found}) == 1 else []),
        *([f"seed {found[0].seed}"] if len({each.seed for each in found}) == 1 else []),
    ]
    return ", ".join(word for word in words if word != "grid")


def where(found: Totals) -> str:
    """The first click."""
    return "a random cell" if found.start == "random" else at(found.start)


def grouped(found: Sequence[Totals], without: Iterable[str]) -> dict[tuple[str, ...], list[int]]:
    """The numbers of configurations that differ in some parts alone."""
    kept = [key for part, key in _KEYS.items() if part not in set(without)]
    groups: dict[tuple[str, ...], list[int]] = {}
    for number, each in enumerate(found):
        groups.setdefault(tuple(key(each) for key in kept), []).append(number)
    return groups


def evenly(things: Sequence[T], most: int) -> list[T]:
    """No more than so many, from the first to the last at about equal steps."""
    if len(things) <= most:
        return list(things)
    if most == 1:
        return [things[0]]
    return [things[round(place * (len(things) - 1) / (most - 1))] for place in range(most)]
