"""Cells that are alike: mirrored or turned boards, and boards that only look symmetric."""

import mineproof as mp
from mineproof.decision.symmetry import alike_cells


def alike(text: str, *cell: int, topology: str = "grid") -> list[tuple[int, int]]:
    board = mp.Board.parse(text, topology=topology)  # type: ignore[call-overload]
    place = (cell[0], cell[1])
    return sorted(alike_cells(board, frozenset([place]))[place])


def test_a_square_has_eight_symmetries() -> None:
    assert alike("###/###/###", 0, 1) == [(0, 1), (1, 0), (1, 2), (2, 1)]
    assert len(alike("/".join(5 * ["#####"]), 0, 1)) == 8


def test_a_rectangle_has_four() -> None:
    assert alike("####/####", 0, 0) == [(0, 0), (0, 3), (1, 0), (1, 3)]


def test_a_number_breaks_it() -> None:
    assert alike("1###/####", 0, 3) == [(0, 3)]
    assert alike("1##1/####", 1, 0) == [(1, 0), (1, 3)]


def test_hexagons_have_their_own() -> None:
    assert alike("###/###/###", 0, 0, topology="hex") == [(0, 0), (2, 0)]  # the middle row is shifted
    assert alike("###/###", 0, 0, topology="hex") == [(0, 0), (1, 2)]


def test_alike_cells_have_the_same_exact_value() -> None:
    """The value of each cell of a symmetric position that is solved exactly."""
    board = mp.Board.parse("#####/#212#/#####", total_mines=4)
    moves = mp.best_move(board, exact=True).as_json()["moves"]
    values = {tuple(move["cell"]): move["win_fraction"] for move in moves}
    groups = [[tuple(move["cell"]), *map(tuple, move["alike"])] for move in moves]
    assert max(map(len, groups)) > 1
    for group in groups:
        assert len({values[cell] for cell in group if cell in values}) == 1


def test_the_corners_of_an_untouched_board_are_one_choice() -> None:
    board = mp.Board.parse("/".join(30 * ["########"]), total_mines=30)
    first = mp.best_move(board, playouts=0).as_json()["moves"][0]
    assert len(first["alike"]) == 3
