"""3BV, openings, islands: against clicks counted naively, and against numbers known from outside."""

import random

import pytest

from mineproof.board.board import Board
from mineproof.board.geometry import TOPOLOGIES
from mineproof.errors import BoardSyntaxError
from mineproof.game.layout import Layout
from mineproof.game.measures import Measures, measure, solved_bbbv
from support.positions import Ground, ground

# 3BV, openings and islands by the Board class of ms_toollib from PyPI.
KNOWN = [
    ("...*.*./.....*./.**..**/....*../***.*..", Measures(15, 2, 2)),
    ("..*..*./..*..*./*....**/..*...*/..*.*.*", Measures(17, 2, 2)),
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
        Measures(21, 2, 2),
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
        Measures(75, 6, 8),
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
        Measures(161, 12, 8),
    ),
]


def layout_of(text: str) -> Layout:
    rows = [row.strip() for row in text.replace("/", "\n").strip().splitlines()]
    cells = {(row, column): sign for row, signs in enumerate(rows) for column, sign in enumerate(signs)}
    mines, absent = (frozenset(cell for cell, sign in cells.items() if sign == wanted) for wanted in "*~")
    return Layout(len(rows), len(rows[0]), mines, absent=absent)


def clicked(truth: Ground) -> tuple[Measures, list[set[tuple[int, int]]]]:
    """Somebody clicks the board open, zeros first: the measures, and what each click opens."""
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
    return Measures(len(clicks) + len(rest), len(clicks), islands), [*clicks, *({cell} for cell in sorted(rest))]


def layout_from(truth: Ground) -> Layout:
    places = {(row, column) for row in range(truth.rows) for column in range(truth.columns)}
    return Layout(truth.rows, truth.columns, truth.mines, None, truth.kind, frozenset(places - truth.cells))


def grounds(count: int) -> list[Ground]:
    rng = random.Random(4)
    sizes = [(rng.randint(1, 9), rng.randint(1, 9)) for _ in range(count)]
    made = [
        ground(rng, rows, columns, rng.randint(0, rows * columns // 2), rng.choice(TOPOLOGIES), rng.choice([0.0, 0.2]))
        for rows, columns in sizes
    ]
    return [truth for truth in made if truth.cells]


@pytest.mark.parametrize(("text", "expected"), KNOWN)
def test_measures_known_from_outside(text: str, expected: Measures) -> None:
    assert measure(layout_of(text)) == expected


def test_every_shape_against_clicks() -> None:
    for truth in grounds(300):
        assert measure(layout_from(truth)) == clicked(truth)[0], truth


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (".", Measures(1, 1, 0)),
        ("*", Measures(0, 0, 0)),
        ("*.*", Measures(1, 0, 1)),
        ("...", Measures(1, 1, 0)),
        (".*.", Measures(2, 0, 2)),
        ("*..*..*", Measures(4, 0, 2)),
        (".~./~~~/.~.", Measures(4, 4, 0)),
    ],
)
def test_small_layouts(text: str, expected: Measures) -> None:
    assert measure(layout_of(text)) == expected


def test_a_torus_joins_what_a_grid_parts() -> None:
    mines = frozenset((row, 3) for row in range(7))
    assert measure(Layout(7, 7, mines)) == Measures(2, 2, 0)
    assert measure(Layout(7, 7, mines, topology="torus")) == Measures(1, 1, 0)


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
    assert solved_bbbv(layout, Board.parse("#1000/F1000")) == 1, "the 1 that no zero touches"
    assert solved_bbbv(layout, Board.parse("#F000/11000")) == 1, "and it alone"
    assert solved_bbbv(layout, Board.parse("#1###/#1###")) == 0


def test_a_board_of_another_layout_is_refused() -> None:
    with pytest.raises(BoardSyntaxError, match=r"found a board of 2 × 1 \(grid\), expected 3 × 1 \(grid\)"):
        solved_bbbv(layout_of("..*"), Board.parse("1#"))
    with pytest.raises(BoardSyntaxError, match=r"\(hex\), expected 3 × 1 \(grid\)"):
        solved_bbbv(layout_of("..*"), Board.parse("01#", topology="hex"))
