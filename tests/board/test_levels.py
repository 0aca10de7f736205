"""Sizes by name and as written."""

from __future__ import annotations

import pytest

from mineproof.board.levels import LEVELS, Size, read_size
from mineproof.errors import BoardSyntaxError


def test_the_levels_players_know() -> None:
    assert LEVELS["beginner"] == Size(rows=9, columns=9, mines=10)
    assert LEVELS["beginner8"] == Size(rows=8, columns=8, mines=10)
    assert LEVELS["intermediate"] == Size(rows=16, columns=16, mines=40)
    assert LEVELS["expert"] == Size(rows=16, columns=30, mines=99)
    assert all(read_size(f" {name}\n") == size for name, size in LEVELS.items())


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("30x16x99", Size(rows=16, columns=30, mines=99)),
        ("8X2×0", Size(2, 8, 0)),
        ("EXPERT", Size(16, 30, 99)),
        ("1x1x1", Size(1, 1, 1)),
        ("1000x1000x1000000", Size(1000, 1000, 1_000_000)),
    ],
)
def test_sizes_are_width_height_mines(text: str, size: Size) -> None:
    assert read_size(text) == size


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "expected beginner, beginner8, intermediate, expert or a size such as 30x16x99, got ''"),
        ("Expret", "expected beginner, beginner8, intermediate, expert or a size such as 30x16x99, got 'Expret'"),
        ("9x9", "expected beginner, beginner8, intermediate, expert or a size such as 30x16x99, got '9x9'"),
        ("9x9x-1", "expected beginner, beginner8, intermediate, expert or a size such as 30x16x99, got '9x9x-1'"),
        ("9x9x?", "expected beginner, beginner8, intermediate, expert or a size such as 30x16x99, got '9x9x?'"),
        ("٣x3x1", "expected beginner, beginner8, intermediate, expert or a size such as 30x16x99, got '٣x3x1'"),
        ("0x9x0", "expected a board of at least one cell, got 0 × 9"),
        ("1001x1000x5", "expected at most 1000000 cells, got 1001 × 1000 = 1001000"),
        ("3x2x7", "expected at most 6 mines on 3 × 2, got 7"),
    ],
)
def test_other_sizes_are_refused(text: str, said: str) -> None:
    with pytest.raises(BoardSyntaxError) as caught:
        read_size(text)
    assert str(caught.value).startswith(said)
