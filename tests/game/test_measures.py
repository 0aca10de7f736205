"""3BV, openings, islands: against clicks counted naively, and against numbers known from outside."""

import random
from typing import Any

import numpy as np
import pytest

from mineproof.board.board import Board
from mineproof.engine.answers import Engine
from mineproof.errors import BoardSyntaxError
from mineproof.game.layout import Layout
from mineproof.game.measures import measure, measure_many, solved_bbbv, truths_of
from support.engines import KERNEL, REFERENCE
from support.positions import CLASSIC, Ground, ground

# 3BV, openings and islands by the Board class of ms_toollib from PyPI.
KNOWN = [
    ("...*.*./.....*./.**..**/....*../***.*..", (15, 2, 2)),
    ("..*..*./..*..*./*....**/..*...*/..*.*.*", (17, 2, 2)),
    (
        """
        ...**..**
        .........
        ......*..
        ...*.....
        .....*...
        .........
        ..*..*...
        ....*....
        .........
        """,
        (21, 2, 2),
    ),
    (
        """
        **..*..*.....*..
        .*...*.....*....
        ................
        .....**...*.....
        .*.....*.***....
        *...............
        ..*...*.*.......
        .....*.*.......*
        ...*.........*..
        *...............
        ...*...*.*.....*
        .....*..........
        ..*.*...........
        .......**.......
        ..*..*..*.....*.
        .........*......
        """,
        (75, 6, 8),
    ),
    (
        """
        *...**.*..*..........*..*.....
        *......**.*.....*....*.*.....*
        *....*.***....*...*..*........
        *..*.***..*.....****......*...
        ....*.**....*.....*...........
        .*...*...*........*.*.........
        ........*.*.....***..**......*
        ....**..........*..*..*.....*.
        .......*.*..........*.........
        .............*..*.......**..*.
        *..*...***..*.....*..**..*..**
        ...................*.*........
        .*.........*..*...*.........*.
        ...*.*..........*.*..*........
        ..*..*...........*....*......*
        ........*...........*.*.....*.
        """,
        (161, 12, 8),
    ),
]

Triple = tuple[int, int, int]


def triple(layout: Layout) -> Triple:
    """3BV, openings and islands."""
    measures = measure(layout, zini=False)
    return measures.bbbv, measures.openings, measures.islands


def layout_of(text: str) -> Layout:
    rows = [row.strip() for row in text.replace("/", "\n").strip().splitlines()]
    cells = {(row, column): sign for row, signs in enumerate(rows) for column, sign in enumerate(signs)}
    mines, absent = (frozenset(cell for cell, sign in cells.items() if sign == wanted) for wanted in "*~")
    return Layout(len(rows), len(rows[0]), mines, absent=absent)


def clicked(truth: Ground) -> tuple[Triple, list[set[tuple[int, int]]]]:
    """Click the board open, zeros first: the measures, and what each click opens."""
    opened: set[tuple[int, int]] = set()
    clicks = []
    for cell in sorted(truth.safe):
        if truth.number(cell) == 0 and cell not in opened:
            clicks.append(truth.cascade(cell))
            opened |= clicks[-1]
    rest = truth.safe - opened
    islands, left = 0, set(rest)
    while left:
        islands += 1
        shore = {left.pop()}
        while shore:
            shore = set().union(*map(truth.around, shore)) & left
            left -= shore
    return (len(clicks) + len(rest), len(clicks), islands), [*clicks, *({cell} for cell in sorted(rest))]


def layout_from(truth: Ground) -> Layout:
    places = {(row, column) for row in range(truth.rows) for column in range(truth.columns)}
    return Layout(truth.rows, truth.columns, truth.mines, None, truth.kind, frozenset(places - truth.cells))


def grounds(count: int) -> list[Ground]:
    rng = random.Random(4)
    sizes = [(rng.randint(1, 9), rng.randint(1, 9)) for _ in range(count)]
    made = [
        ground(rng, rows, columns, rng.randint(0, rows * columns // 2), rng.choice(CLASSIC), rng.choice([0.0, 0.2]))
        for rows, columns in sizes
    ]
    return [truth for truth in made if truth.cells]


@pytest.mark.parametrize(("text", "expected"), KNOWN)
def test_measures_known_from_outside(text: str, expected: Triple) -> None:
    assert triple(layout_of(text)) == expected


def test_every_shape_against_clicks() -> None:
    for truth in grounds(300):
        assert triple(layout_from(truth)) == clicked(truth)[0], truth


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (".", (1, 1, 0)),
        ("*", (0, 0, 0)),
        ("*.*", (1, 0, 1)),
        ("...", (1, 1, 0)),
        (".*.", (2, 0, 2)),
        ("*..*..*", (4, 0, 2)),
        (".~./~~~/.~.", (4, 4, 0)),
    ],
)
def test_small_layouts(text: str, expected: Triple) -> None:
    assert triple(layout_of(text)) == expected


def test_a_torus_joins_what_a_grid_parts() -> None:
    mines = frozenset((row, 3) for row in range(7))
    assert triple(Layout(7, 7, mines)) == (2, 2, 0)
    assert triple(Layout(7, 7, mines, topology="torus")) == (1, 1, 0)


# how much is done


def test_each_click_does_one() -> None:
    for truth in grounds(60):
        layout = layout_from(truth)
        clicks = clicked(truth)[1]
        random.Random(len(clicks)).shuffle(clicks)
        opened: set[tuple[int, int]] = set()
        for done, cells in enumerate(clicks):
            assert solved_bbbv(layout, truth.board(opened)) == done
            opened |= cells
        assert solved_bbbv(layout, truth.board(opened)) == len(clicks)


def test_an_opening_is_done_when_all_of_it_is_open() -> None:
    layout = layout_of("*..../.....")
    assert solved_bbbv(layout, Board.parse("#1000/11000")) == 2
    assert solved_bbbv(layout, Board.parse("#1000/F1000")) == 1, "the 1 that no zero touches is missing"
    assert solved_bbbv(layout, Board.parse("#F000/11000")) == 2, "a number beside a zero is no part of what counts"
    assert solved_bbbv(layout, Board.parse("#1F00/11000")) == 1, "a zero is"
    assert solved_bbbv(layout, Board.parse("#1###/#1###")) == 0


def test_a_board_of_another_layout_is_refused() -> None:
    with pytest.raises(BoardSyntaxError, match=r"expected a board of 3 × 1 \(grid\) .*, got 2 × 1"):
        solved_bbbv(layout_of("..*"), Board.parse("1#"))
    with pytest.raises(BoardSyntaxError, match=r"3 × 1 \(grid\) .*, got .* \(hex\)"):
        solved_bbbv(layout_of("..*"), Board.parse("01#", topology="hex"))


# ZiNi and the rest


@pytest.mark.parametrize(
    ("text", "greedy", "human"),
    [
        ("...", 1, 1),
        ("*", 0, 0),
        ("*.*", 1, 1),
        (".*.*.", 3, 3),  # nothing is saved: a chord would need two flags
        ("*../.../...", 1, 1),
        ("..../.*../..../....", 4, 4),  # a corner, a flag and a chord, and the opening; the same in another order
        (".../.*./...", 5, 6),  # (1,0), a flag and three chords; with (0,0) first it takes one chord more
    ],
)  # fmt: skip
@pytest.mark.parametrize("engine", [KERNEL, REFERENCE], ids=["kernel", "reference"])
def test_zini_by_hand(text: str, greedy: int, human: int, engine: Engine) -> None:
    measures = measure(layout_of(text), engine=engine)
    assert (measures.zini, measures.human_zini) == (greedy, human)


def test_zini_is_not_worked_out_unasked() -> None:
    measures = measure(layout_of("*..*"), zini=False)
    assert (measures.zini, measures.human_zini) == (None, None)


def test_numbers_are_counted_on_safe_cells() -> None:
    assert measure(layout_of("*../.../**.")).numbers == (1, 3, 0, 2, 0, 0, 0, 0, 0)


@pytest.mark.parametrize("engine", [KERNEL, REFERENCE], ids=["kernel", "reference"])
def test_many_are_as_one(engine: Engine) -> None:
    rng = random.Random(5)
    layouts = [Layout(4, 5, frozenset((rng.randrange(4), rng.randrange(5)) for _ in range(6))) for _ in range(30)]
    array = np.array([truths_of(layout).reshape(4, 5) for layout in layouts])
    for threads in (1, 3):
        result = measure_many(array, zini=True, threads=threads, engine=engine)
        assert len(result) == 30
        assert result.zini is not None
        for place, layout in enumerate(layouts):
            one = measure(layout, engine=engine)
            assert (result.bbbv[place], result.openings[place], result.islands[place]) == triple(layout)
            assert (result.zini[place], tuple(result.numbers[place])) == (one.zini, one.numbers)


def test_many_of_another_shape() -> None:
    mines = np.zeros((1, 7, 7), dtype=bool)
    mines[0, :, 3] = True
    assert measure_many(mines).bbbv.tolist() == [2]
    assert measure_many(mines, topology="torus").bbbv.tolist() == [1]
    assert measure_many(mines).zini is None
    assert len(measure_many(np.zeros((0, 3, 3), dtype=np.int64))) == 0
    assert measure_many([[[0, 2, 0]]]).openings.tolist() == [2], "2 is no cell"


@pytest.mark.parametrize(
    ("array", "words"),
    [
        ([[0, 1]], r"expected an array \(n, rows, columns\) of whole numbers or booleans,"),
        ([[[0.5]]], "and type float64"),
        ([[[0, 3]]], r"expected 0 \(safe\), 1 \(mine\) or 2 \(absent\) in the array, got 0 to 3"),
        ([[[-1, 0]]], r"expected 0 \(safe\), 1 \(mine\) or 2 \(absent\) in the array, got -1 to 0"),
    ],
)
def test_arrays_that_are_no_layouts(array: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        measure_many(array)
