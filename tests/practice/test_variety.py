"""Shapes of puzzles, the book, and that a player does not get the same exercise again and again."""

from dataclasses import replace

import pytest

import mineproof as mp
from mineproof.practice.book import book
from mineproof.practice.next_puzzle import MAX_SEARCHES, book_puzzle, next_puzzle, search_varied, unused_entries
from mineproof.practice.puzzles import TECHNIQUES
from mineproof.practice.search import puzzle, puzzle_at
from mineproof.practice.variety import RECENT_SHAPES, RING, _canonical, puzzle_shape

RINGS = [  # contradiction, beginner, seeds 0, 2, 3: what a player used to get four times out of eight
    "#########/#########/###111###/###101###/###101###/###111###/#########/#########/#########",
    "#########/#########/#########/##1111###/##1001###/##1111###/#########/#########/#########",
    "#########/#########/##1111###/###101###/###201###/##F211###/#########/#########/#########",
]


def turned(board: mp.Board, times: int, *, mirrored: bool) -> mp.Board:
    rows = str(board).split("\n")[1:]
    for _ in range(times):
        rows = ["".join(column) for column in zip(*reversed(rows), strict=True)]
    if mirrored:
        rows = [row[::-1] for row in rows]
    return mp.Board.parse("\n".join(rows), total_mines=board.total_mines)


@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("times", range(4))
def test_a_turned_puzzle_has_the_same_shape(times: int, mirrored: bool) -> None:
    task = puzzle("bounds", level="beginner", seed=7)  # one step, one cell
    again = puzzle_at(turned(task.board, times, mirrored=mirrored), "bounds")
    assert again is not None
    assert puzzle_shape(again) == puzzle_shape(task)


def test_the_place_on_the_board_does_not_matter() -> None:
    marks = {(2, 3): 1, (2, 4): 2, (3, 3): -1, (3, 4): -1}
    moved = {(row + 5, column - 3): mark for (row, column), mark in marks.items()}
    assert _canonical(moved) == _canonical(marks)
    assert _canonical(moved | {(9, 0): -1}) != _canonical(marks)
    assert _canonical({**marks, (2, 3): 2}) != _canonical(marks)


@pytest.mark.parametrize("text", RINGS)
def test_rings_around_the_first_click_have_one_shape(text: str) -> None:
    task = puzzle_at(mp.Board.parse(text, total_mines=10), "contradiction")
    assert task is not None
    assert puzzle_shape(task) == RING


@pytest.mark.slow
def test_different_puzzles_have_different_shapes() -> None:
    shapes = {puzzle_shape(puzzle("bounds", level="intermediate", seed=seed)) for seed in range(12)}
    assert len(shapes) >= 8


@pytest.mark.parametrize(
    ("technique", "level"), [("total", "beginner"), ("partition", "beginner"), ("bounds", "expert")]
)
def test_no_shape_twice_among_the_last_ones(technique: str, level: str) -> None:
    """Of the first beginner puzzles for `total`, every other one was the same last cell."""
    recent: list[str] = []
    answered: set[int] = set()
    for seed in range(14):
        task = next_puzzle(technique, level=level, seed=seed, recent=recent[:RECENT_SHAPES], answered=answered)
        shape = puzzle_shape(task)
        assert shape not in recent[:RECENT_SHAPES]
        recent.insert(0, shape)
        answered.add(task.seed)


def test_a_search_leaves_out_recent_shapes() -> None:
    plain = [puzzle("total", level="beginner", seed=seed) for seed in (2, 3, 4)]
    assert puzzle_shape(plain[0]) == puzzle_shape(plain[1]) != puzzle_shape(plain[2])
    task = search_varied("total", level="beginner", seed=2, recent=[puzzle_shape(plain[0])])
    assert task == plain[2]


def test_if_every_shape_is_recent_the_oldest_comes() -> None:
    tasks = {seed: puzzle("total", level="beginner", seed=seed) for seed in range(MAX_SEARCHES)}
    recent = list(dict.fromkeys(puzzle_shape(task) for task in tasks.values()))
    task = search_varied("total", level="beginner", seed=0, recent=recent)
    assert puzzle_shape(task) == recent[-1]


# the book


def test_the_book_has_puzzles_of_different_shapes() -> None:
    for (technique, _), entries in book().items():
        assert technique in TECHNIQUES
        shapes = [entry.shape for entry in entries]
        assert len(set(shapes)) == len(shapes)
        assert shapes.count(RING) <= 1


@pytest.mark.parametrize("technique", TECHNIQUES)
def test_the_book_is_true(technique: str) -> None:
    for level in ("beginner", "intermediate", "expert"):
        for entry in book().get((technique, level), [])[:2]:
            task = puzzle_at(mp.Board.parse(entry.position.replace("/", "\n")), technique)
            assert task is not None
            assert puzzle_shape(task) == entry.shape


def test_the_book_is_what_the_search_finds() -> None:
    for technique, level in (("single-open", "expert"), ("partition", "beginner"), ("total", "intermediate")):
        entry = book()[technique, level][-1]
        task = book_puzzle(technique, level=level, seed=0, answered={one.seed for one in book()[technique, level][:-1]})
        assert task is not None
        found = puzzle(technique, level=level, seed=entry.seed)
        assert task == replace(found, positions=0, games=0)


def test_every_level_has_enough_easy_puzzles_at_once() -> None:
    for level in ("beginner", "intermediate", "expert"):
        for technique in ("single-open", "single-flag", "partition", "bounds", "total"):
            assert len(unused_entries(technique, level)) >= RECENT_SHAPES
    assert unused_entries("total", "5x5x5") == []
    assert book_puzzle("total", level="5x5x5", seed=1) is None
