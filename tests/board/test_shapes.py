"""Shapes beyond grids: numbers above 8 in every notation, whole games, custom graphs, and what is refused by name."""

from __future__ import annotations

import pickle
from fractions import Fraction
from io import StringIO
from itertools import product

import numpy as np
import pytest
from rich.console import Console

import mineproof as mp
from mineproof.board import notation
from mineproof.board.geometry import TOPOLOGIES, Geometry, Topology, require_shape
from mineproof.board.levels import size_on
from mineproof.pictures.rich_picture import rich_picture
from support.engines import REFERENCE, needs_kernel
from support.positions import OTHERS

LARGE = "5x5x? radius2\n3####\n#####\n##(10)##\n#####\n###F~"


def test_boards_are_read_with_a_shape() -> None:
    ring = mp.Shape.from_neighbours([[1, 3], [2], [3], []])
    board = mp.Board.parse("1###", total_mines=1, shape=ring)
    assert board == mp.Board.parse("1###", total_mines=1, topology=ring.topology)
    assert mp.Board.parse("1##/###", shape="hex", rules="liar").topology == "hex"
    with pytest.raises(mp.BoardSyntaxError, match="expected torus as the topology, got hex"):
        mp.Board.parse("1##/###", topology="torus", shape="hex")
    with pytest.raises(TypeError, match="shape"):
        mp.Board.parse("1##/###", shape=6)  # type: ignore[call-overload]


def test_numbers_above_8_are_read_and_written() -> None:
    board = mp.Board.parse(LARGE)
    assert board[2, 2] == 10
    assert str(board) == LARGE
    assert eval(repr(board), {"Board": mp.Board}) == board
    assert board.as_json()["cells"][2] == "##(10)##"
    assert pickle.loads(pickle.dumps(board)) == board
    assert mp.Board.from_array(board.to_array(), topology="radius2") == board
    assert mp.formats.read(LARGE).value == board
    assert mp.formats.read(mp.formats.write(board, "json")).value == board
    rows = LARGE.split("\n", 1)[1]
    assert mp.formats.read(rows, topology="radius2").value == board  # as the page asks
    assert mp.Board.parse("(3)(0)#", topology="grid") == mp.Board.parse("30#")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1##\n#(99)#\n###", "line 2, character 2: expected a number of at most 32 in parentheses, got 99"),
        ("3x3x? radius2\n###\n#(25)#\n###", r"\(1,1\): expected cell code 0-24, -1, -2 or -9, got 25"),
        ("###\n#(9)#\n###", r"\(1,1\): expected cell code 0-8, -1, -2 or -9, got 9"),
        ("3x3x? radius2\n###\n(12)(11)x#\n###", "line 3, character 9"),
        ("4x1x? graph:0-1,1-1\n####", "expected two different cells in each pair of a graph, got 1-1"),
        ("2x1x? graph:0-1,1-2\n##", "expected at least 3 cells for this graph, got 2"),
        ("2x1x? graph:0_1\n##", "expected pairs of cells such as graph:0-1,1-2"),
    ],
)
def test_what_is_no_board(text: str, message: str) -> None:
    with pytest.raises(mp.BoardSyntaxError, match=message):
        mp.Board.parse(text, alphabet="mineproof")


def test_rows_are_split_into_cells() -> None:
    codes = bytes([12, 0xFF, 3, 0xFE, 9, 32])
    text = "".join(notation.write_rows(6, codes))
    assert text == "(12)#3F(9)(32)"
    assert notation.codes_of(notation.split_symbols(text)) == codes


def test_pictures_show_large_numbers() -> None:
    board = mp.Board.parse(LARGE)
    assert ">10</text>" in mp.draw(board, odds=True).svg
    written = StringIO()
    Console(file=written, width=60).print(rich_picture(board))
    shown = written.getvalue()
    assert "(10)" in shown
    with pytest.raises(mp.BoardSyntaxError, match="Pictures with numbers above 8 cannot be read"):
        mp.formats.read(shown)


SIZES = {"cube": (4, 12), "sphere": (7, 10)}


@needs_kernel
@pytest.mark.parametrize("kind", OTHERS)
def test_a_whole_game(kind: Topology) -> None:
    rows, columns = SIZES.get(kind, (6, 7))
    layout = mp.generate(rows, columns, 4, seed=1, no_guess=True, topology=kind)
    assert layout.certificate.solved
    mp.verify(layout.certificate, layout)
    game = mp.Game(layout)
    assert layout.start is not None
    game.open(*layout.start)
    while not game.is_over:
        board = game.board
        kernel, reference = mp.analyze(board), mp.analyze(board, engine=REFERENCE)
        assert kernel.layouts == reference.layouts
        assert kernel.safe == reference.safe
        np.testing.assert_allclose(kernel.mine_probability, reference.mine_probability, rtol=1e-12)
        move = mp.best_move(board)
        assert move.cell in mp.hint(board).safe | kernel.safe
        game.open(*min(kernel.safe))
    assert game.status == "won"
    assert mp.Game.replay(game.record()).board == game.board
    assert mp.measure(layout) == mp.measure(layout, engine=REFERENCE)
    played = mp.simulate(rows, columns, 4, games=20, seed=2, topology=kind, strategy="strong")
    assert played.games == 20
    assert "svg" in mp.draw(game).svg


@needs_kernel
def test_optimal_play_agrees_on_wide_boards() -> None:
    board = mp.Board.parse("3x4x? radius2\n4##\n###\n###\n##5")
    for total in (5, 6):
        position = board.replace({}, total_mines=total)
        assert mp.win_probability(position) == mp.win_probability(position, engine=REFERENCE)


def test_levels_have_sizes_on_every_shape() -> None:
    assert mp.generate("beginner", topology="sphere", seed=1).rows == 10
    for kind, level in product(TOPOLOGIES, mp.LEVELS.values()):
        size = size_on(kind, level)
        shape = Geometry(kind, size.rows, size.columns)
        require_shape(kind, size.rows, size.columns)
        assert 0 < size.mines < shape.cells - len(shape.holes)
        assert size == level or kind in ("cube", "sphere")


def test_a_custom_shape() -> None:
    cross = mp.Shape.from_neighbours([[1, 2, 3, 4], [], [], [], []])
    assert (cross.rows, cross.columns, cross.topology) == (1, 5, "graph:0-1,0-2,0-3,0-4")
    assert cross.neighbours == [[1, 2, 3, 4], [0], [0], [0], [0]]
    board = mp.Board.parse("2####", total_mines=2, topology=cross.topology)
    for engine in (None, REFERENCE):
        analysis = mp.analyze(board, engine=engine)
        assert analysis.layouts == 6
        assert analysis.exact(0, 1) == Fraction(1, 2)
    assert mp.Board.parse(str(board)) == board
    assert pickle.loads(pickle.dumps(board)) == board
    hub = mp.Board.parse("1x1x? graph:\n#")
    assert mp.analyze(hub, density=0.25).exact(0, 0) == Fraction(1, 4)


def test_outlines_of_a_custom_shape() -> None:
    corners = [[(x, y), (x + 2, y), (x + 2, y + 2), (x, y + 2)] for y, x in product((0, 2), (0, 2, 4))]
    shape = mp.Shape.from_neighbours([[1, 3], [2, 4], [5], [4], [5], []], outlines=corners)
    picture = mp.draw(mp.Board.parse("1#####", topology=shape.topology))
    assert picture.svg.count("z") == picture.svg.count("M")
    with pytest.raises(ValueError, match="outlines must be as many as cells, 2, got 1"):
        mp.Shape.from_neighbours([[1], []], outlines=[corners[0]])
    with pytest.raises(ValueError, match="enclose an area"):
        mp.Shape.from_neighbours([[]], outlines=[[(0, 0), (1, 0), (2, 0)]])


@pytest.mark.parametrize(
    ("neighbours", "message"),
    [
        ([], "neighbours must name 1 to 1,000,000 cells, got 0"),
        ([[0]], "neighbours of cell 0 must be other cells up to 0, got 0"),
        ([[1], [2]], "neighbours of cell 1 must be other cells up to 1, got 2"),
        ([range(1, 34), *[[]] * 33], "expected at most 32 neighbours of a cell, got 33 of cell 0"),
    ],
)
def test_what_is_no_shape(neighbours: list[list[int]], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        mp.Shape.from_neighbours(neighbours)


@needs_kernel
def test_what_other_programs_cannot_play_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match=r"strategy go plays only .* at most 8 neighbours, not cube"):
        mp.simulate(3, 9, 2, games=1, topology="cube", strategy="go")
    with pytest.raises(mp.BoardSyntaxError, match="mine holds plain grids only, got topology triangles"):
        mp.formats.write(mp.Board.parse("##", total_mines=1, topology="triangles"), "mine")
