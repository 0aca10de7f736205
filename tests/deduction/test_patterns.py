"""Patterns that players have names for, by geometry and counts: in every direction, and no near misses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import mineproof as mp
from support.engines import KERNEL, needs_kernel

pytestmark = needs_kernel

Rows = tuple[str, ...]


def turned(rows: Rows) -> Rows:
    return tuple("".join(column) for column in zip(*rows[::-1], strict=True))


def symmetries(rows: Rows) -> Iterator[Rows]:
    """A board in its eight directions."""
    for start in (rows, rows[::-1]):
        board = start
        for _ in range(4):
            yield board
            board = turned(board)


def steps_of(rows: Rows, **options: Any) -> list[mp.Deduction]:
    return mp.deduce(mp.Board.parse("/".join(rows), **options), engine=KERNEL)


def patterns(rows: Rows, **options: Any) -> set[str | None]:
    """The patterns of all steps by more than one number; steps by a single number never have one."""
    steps = steps_of(rows, **options)
    assert {step.pattern for step in steps if step.technique.startswith("single")} <= {None}
    return {step.pattern for step in steps if not step.technique.startswith("single")}


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("1-1", ("###", "11~")),
        ("1-1", ("###", "111")),
        ("1-1", ("####", "1111")),
        ("1-2", ("###", "12~")),
        ("1-2", ("####", "~12~")),  # the wall continues beside the 1
        ("1-2-1", ("###", "121")),
        ("1-2-1", ("#####", "~121~")),
        ("1-2-2-1", ("####", "1221")),
        ("1-2-2-1", ("######", "~1221~")),
        ("1-1", ("###", "12F")),  # with a known mine: the 2 needs 1 more
        ("1-2", ("####", "F22~")),
        ("1-2", ("F33F", "###F")),
        ("1-1", ("###", "232", "F~F")),
    ],
)
def test_a_pattern_in_every_direction(name: str, rows: Rows) -> None:
    for board in symmetries(rows):
        assert patterns(board) == {name}, board


@pytest.mark.parametrize(
    "rows",
    [
        ("11#", "###"),  # the last 1 also has a cell at the end of the wall
        ("###", "11~", "#~~"),  # both have a cell on their other side
        ("###", "1~1", "~~~"),  # not side by side
        ("####", "~11~"),  # a wall that continues at both ends decides nothing
        ("#1##", "1#1#", "#1##"),  # crosswise
    ],
)
def test_what_only_looks_like_a_pattern(rows: Rows) -> None:
    for board in symmetries(rows):
        assert patterns(board) <= {None}, board


@pytest.mark.parametrize("topology", ["torus", "hex"])
def test_patterns_are_of_plain_boards(topology: str) -> None:
    rows = ("~~~~~", "~###~", "~11~~", "~~~~~", "~~~~~")
    assert patterns(rows) == {"1-1"}
    assert patterns(rows, topology=topology) <= {None}


def test_a_pattern_decides_what_its_name_says() -> None:
    """In a 1-2-1 the mines are beside the ones, in a 1-2-2-1 beside the twos."""
    for rows, mines in ((("###", "121"), {0, 2}), (("####", "1221"), {1, 2})):
        decided = {cell for step in steps_of(rows) for cell in step.mines}
        assert decided == {(0, column) for column in mines}


def test_the_name_is_the_first_clause_and_in_the_json() -> None:
    first = steps_of(("###", "121"))[0]
    assert first.argument.parts[0].kind == "pattern-1-2-1"
    assert first.as_json()["pattern"] == "1-2-1"
    assert first.text.startswith("This is part of a 1-2-1 pattern. ")
    assert first.text_in("de").startswith("Das gehört zu einem 1-2-1-Muster. ")
    assert steps_of(("1#", "11"))[0].as_json()["pattern"] is None


def test_a_mine_count() -> None:
    assert patterns(("1#", "##", "1#"), total_mines=1) == {"mine-count"}
    assert patterns(("##",), total_mines=2) == {"mine-count"}
    exhaustive = steps_of(("#####", "#7#7#", "#####", "#4#4#"), total_mines=13)[0]
    assert (exhaustive.technique, exhaustive.pattern) == ("exhaustive", "mine-count")


def test_a_step_that_builds_on_a_mine_count_is_none() -> None:
    """Its proof needs the total, but its own argument counts no mines."""
    counted = mp.deduce(mp.Board.parse("#1F1#", total_mines=2), flags="ignore", engine=KERNEL)
    assert any(step.uses_total and step.pattern is None for step in counted)
    assert counted[0].pattern == "mine-count"
