"""Find the board in a picture: try pitches that repeat, fit lattices to them, and choose the one with most evidence."""

from __future__ import annotations

from collections.abc import Iterable

from mineproof.base.budget import Deadline
from mineproof.errors import BoardSyntaxError
from mineproof.screens.board_fit import BoardFit
from mineproof.screens.figures import figure_periods
from mineproof.screens.lattice_fit import MAX_CELLS, TooManyCells, place
from mineproof.screens.patches import Canvas
from mineproof.screens.periods import Period, halve, periods
from mineproof.screens.pixels import Pixels

MIN_SIDE_CELLS = 3  # rows and columns of a board
CERTAIN_EVIDENCE = 0.5  # ends the search at the best period
CERTAIN_CELLS = 60  # of a board with such evidence
CLEARLY_BETTER = 2.0  # share of a score by which a board that was found by its figures must win
WORSE_PERIOD = 0.7  # share of the best period's score; below it a period is not tried once a board is certain
LARGE_PICTURE_PIXELS = 3_000_000  # larger pictures are searched at half their size first
COARSE_CELL_PIXELS = 14  # enough pixels of a cell at half size
TOO_MANY_CELLS = f"expected a board of at most {MAX_CELLS:,} cells in the picture, got more"


def find(pixels: Pixels, deadline: Deadline) -> BoardFit | None:
    """Return the lattice that is most like a board, or None.

    Raises BoardSyntaxError if the clearest board, or the only one, has too many cells, and BudgetExceeded when the
    deadline passes.
    """
    if pixels.shape[0] * pixels.shape[1] > LARGE_PICTURE_PIXELS:
        board = find(halve(pixels), deadline)
        if board is not None and min(board.lattice.wide, board.lattice.tall) >= COARSE_CELL_PIXELS:
            return board.double_size()
    canvas = Canvas.of(pixels, deadline)
    best = _best(canvas, periods(pixels, canvas.across, canvas.down, deadline))
    if best is None or not _is_certain(best[1]):
        other = _best(canvas, figure_periods(canvas.across, canvas.down))
        if other is not None and (best is None or other[0] > CLEARLY_BETTER * best[0]):
            best = other
    return None if best is None else best[1]


def _is_certain(board: BoardFit) -> bool:
    return board.evidence > CERTAIN_EVIDENCE and board.rows * board.columns > CERTAIN_CELLS


def _best(canvas: Canvas, candidates: Iterable[Period]) -> tuple[float, BoardFit] | None:
    best: tuple[float, BoardFit] | None = None
    clearest, is_crowded, is_certain = 0.0, False, False
    for period in candidates:
        clearest = max(clearest, period.score)
        if is_certain and (period.score < WORSE_PERIOD * clearest or not period.is_square):
            continue
        try:
            board = place(canvas, period)
        except TooManyCells:
            if period.score == clearest:
                raise BoardSyntaxError(TOO_MANY_CELLS) from None
            is_crowded = True
            continue
        if board is None:
            continue
        count, evidence = board.lattice.rows * board.lattice.columns, board.evidence
        score = count * (evidence + 0.5) * min(1.0, 0.3 + period.score / clearest)
        if best is None or score > best[0]:
            best = score, board
        is_certain = is_certain or _is_certain(board)
        if is_certain and period.score == clearest:
            break
    if best is None and is_crowded:
        raise BoardSyntaxError(TOO_MANY_CELLS)
    return best
