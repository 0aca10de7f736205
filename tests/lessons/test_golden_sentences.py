"""The sentences of reviews, lessons and puzzles, whole, in every language."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

import pytest

import mineproof as mp
from mineproof.game.help import HelpUsed
from mineproof.game.record import Clicks, Record
from mineproof.game.rules import Fairness
from mineproof.practice.puzzles import TECHNIQUES, technique_label
from mineproof.wording.cells import use_cell_labels
from mineproof.wording.lessons import practise_phrase
from mineproof.wording.puzzles import task_text
from mineproof.wording.reviews import move_text
from support.golden_sentences import check_sentences

Moves = Sequence[tuple[str, tuple[int, int] | None, int]]

SUBSET = "111/###/###"  # (1,0) and (1,2) are safe, because the middle 1 sees everything that the others see
SUBSET_MINES = frozenset([(1, 1), (2, 2)])


def play(game: mp.Game, moves: Moves) -> Record:
    for kind, cell, ms in moves:
        game.play(kind, cell, ms=ms)  # type: ignore[arg-type]
    return game.record()


def on_board(rows: str, moves: Moves, *, fairness: Fairness = "none", first_click: str = "any") -> Record:
    lines = rows.split("/")
    mines = frozenset((r, c) for r, line in enumerate(lines) for c, sign in enumerate(line) if sign == "*")
    layout = mp.Layout(len(lines), len(lines[0]), mines)
    return play(mp.Game(layout, fairness=fairness, first_click=first_click, clock=lambda: 0.0), moves)  # type: ignore[arg-type]


def from_position(position: str, mines: frozenset[tuple[int, int]], moves: Moves) -> Record:
    given = mp.Board.parse(position, total_mines=len(mines))
    layout = mp.Layout(given.rows, given.columns, mines)
    return play(mp.Game(layout, first_click="any", given=given, clock=lambda: 0.0), moves)


@cache
def records() -> dict[str, Record]:
    """Games that show every kind of guess, pause and click."""
    tricky = mp.Board.parse("#####/123##/###3#", total_mines=6)
    tricky_mines = next(layout for layout in mp.enumerate_layouts(tricky) if (0, 1) not in layout)
    needless = [("open", (2, 0), 0), ("open", (1, 0), 400), ("open", (1, 2), 800), ("open", (2, 1), 1200)]
    flags = [("open", (0, 5), 0), ("flag", (0, 0), 10), ("flag", (0, 4), 20), ("chord", (0, 5), 30)]
    pauses = [
        ("open", (1, 0), 0), ("flag", (1, 1), 500), ("open", (1, 2), 10_500), ("open", (2, 0), 11_000),
        ("open", (2, 1), 11_500),
    ]  # fmt: skip
    start = ("open", (0, 3), 0)
    return {
        "no guess": on_board("..*", [("open", (0, 0), 0)], first_click="safe"),
        "forced, won": on_board("..../*...", [start, ("open", (0, 0), 500)], first_click="safe"),
        "forced, lost": on_board("*.../....", [start, ("open", (0, 0), 500)], first_click="safe"),
        "taken back": on_board(
            "*.../....", [start, ("open", (0, 0), 500), ("undo", None, 600), ("open", (1, 0), 900)], first_click="safe"
        ),
        "rescued": on_board("*.../....", [start, ("open", (0, 0), 500)], fairness="forced", first_click="safe"),
        "lucky": on_board("*..*.*", [("open", (0, 1), 0), ("open", (0, 2), 10), ("open", (0, 4), 20)]),
        "unlucky": on_board("*..*.*", [("open", (0, 1), 0), ("open", (0, 2), 10), ("open", (0, 3), 20)]),
        "needless, won": from_position(SUBSET, SUBSET_MINES, needless),
        "needless, lost": from_position(SUBSET, SUBSET_MINES, [("open", (2, 2), 0)]),
        "certain mine": from_position(SUBSET, SUBSET_MINES, [("open", (1, 1), 0)]),
        "wrong flag": from_position(SUBSET, SUBSET_MINES, [("flag", (1, 2), 0), ("chord", (0, 2), 100)]),
        "chord": on_board(
            ".*./...", [("open", (1, 1), 0), ("flag", (0, 0), 10), ("chord", (1, 1), 20)], first_click="safe"
        ),
        "pause": from_position(SUBSET, SUBSET_MINES, pauses),
        "best, not safest": from_position(
            "#####/123##/###3#", tricky_mines, [("open", (0, 1), 0), ("open", min(tricky_mines), 900)]
        ),
        "wasted clicks": replace(from_position(SUBSET, SUBSET_MINES, needless), clicks=Clicks(9, 0, 3)),
        "unused flag": on_board("*...*..", [*flags, ("open", (0, 3), 40), ("open", (0, 2), 40)]),
    }


def review_lines() -> Iterator[str]:
    for name, record in records().items():
        yield f"# {name}"
        yield from mp.review(record).text.splitlines()
        line = mp.timeline(record)
        yield from (move_text(step, len(line.steps)) for step in line.steps)
    yield "# help"
    yield HelpUsed().text
    yield HelpUsed((1, 0, 0, 0), undos=1).text
    yield HelpUsed((3, 0, 1, 2), odds_moves=4, best_moves=1, auto_moves=20, undos=5, repeats=1, pauses=2).text


def lesson_lines() -> Iterator[str]:
    lessons = {name: mp.lesson(record, name=name) for name, record in records().items() if record.over}
    for name, lesson in lessons.items():
        yield f"# {name}"
        yield from lesson.text.splitlines()
        yield from (guess.cost_text for guess in lesson.guesses if guess.cost_text)
    for title, names in {
        "all games": list(lessons),
        "two needless losses": ["needless, lost", "needless, lost"],
        "a loss that could not be avoided": ["forced, won", "forced, lost"],
    }.items():
        yield f"# profile: {title}"
        yield from mp.profile([lessons[name] for name in names]).text.splitlines()
    yield "# techniques"
    yield from (practise_phrase(technique).text for technique in TECHNIQUES)
    yield "# with the labels of the ruler"
    with use_cell_labels("ruler"):
        yield from lessons["needless, lost"].text.splitlines()


def puzzle_lines() -> Iterator[str]:
    yield "# techniques"
    yield from (technique_label(technique) for technique in TECHNIQUES)
    yield "# tasks"
    yield from map(task_text, ("open", "flag", "guess"))
    for technique, level, seed in (("bounds", "beginner", 7), ("single-flag", "beginner", 3), ("guess", "beginner", 2)):
        puzzle = mp.puzzle(technique, level=level, seed=seed)
        yield f"# {puzzle.name}"
        remarks: dict[str, str] = {}
        for cell in puzzle.board.cells(mp.COVERED):
            answer = mp.answer(puzzle, cell)
            if answer.remark is not None:
                remarks.setdefault(answer.remark.key, answer.remark.text)
        yield from (remarks[key] for key in sorted(remarks))


def test_reviews() -> None:
    check_sentences("reviews", review_lines)


@pytest.mark.slow
def test_lessons() -> None:
    check_sentences("lessons", lesson_lines)


@pytest.mark.slow
def test_puzzles() -> None:
    check_sentences("puzzles", puzzle_lines)
