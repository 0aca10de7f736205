"""What questions are answered with: the JSON of the commands, made by the same functions of the library.

Each function takes a body and a budget, works in a thread of the pool, and returns a document. `Written` is an answer
that is no JSON: a board in another format.
"""

from __future__ import annotations

import dataclasses
import json
import secrets
from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from mineproof import formats
from mineproof.advice.hints import NUMBERS, hint
from mineproof.analysis.analysis import Analysis, analyze
from mineproof.base import checks, words
from mineproof.base.budget import Budget, Deadline
from mineproof.board.board import Board
from mineproof.board.cells import COVERED, LARGEST_NUMBER
from mineproof.board.geometry import Topology, require_size
from mineproof.board.levels import Size, read_sides, read_size
from mineproof.decision.choosing import PLAYOUTS, THINKING, best_move
from mineproof.decision.optimal import FirstMoves, optimal_first_moves, require_total
from mineproof.deduction.ladder import LADDER, deduce, solution_json
from mineproof.deduction.techniques.bounds import bounds_json, bounds_table
from mineproof.deduction.techniques.elimination import matrix
from mineproof.engine.choice import default_engine
from mineproof.engine.question import Question
from mineproof.errors import BoardSyntaxError, BudgetExceeded, ContradictionError
from mineproof.formats.sniffing import sniff
from mineproof.game.layout import Layout
from mineproof.generation.careful import start_cell
from mineproof.generation.certificate import Certificate
from mineproof.generation.checking import check, no_guess_starts, starts_json
from mineproof.generation.making import generate
from mineproof.generation.verifier import fault_of
from mineproof.screens.reading import read_image
from mineproof.web import asked
from mineproof.web.failure import Refused
from mineproof.web.limits import MOST_CELLS, MOST_ENTRIES, STATES

Document = dict[str, object]
Cancelled = Callable[[], bool]
HARDEST = list(LADDER)[-1]

AT_ONCE = Budget(seconds=0.003, states=20_000)
SHORT, SMALL = 2000, 600  # letters of a text, cells of a board, that are looked at without a thread


class Written(NamedTuple):
    """A board in a format that is not JSON."""

    content: bytes
    media_type: str


# what is asked about


def _reading(source: asked.Source) -> formats.Reading:
    size = None if source.size is None else read_sides(source.size)
    content = source.data or source.board
    if source.data and (source.from_ or sniff(source.data)) == "image":
        raise BoardSyntaxError("found a picture in `data`, expected it as the body of POST /api/v1/read")
    found = formats.read(content, source.from_, size=size, total_mines=source.mines, topology=source.topology)
    require_room(found.value.rows, found.value.columns)
    return found


def _position(source: asked.Source) -> Board:
    found = _reading(source)
    if not isinstance(found.value, Board):
        raise BoardSyntaxError(f"found a layout ({found.format}), which hides nothing; expected a position")
    return found.value


def _layout(source: asked.Source) -> Layout:
    found = _reading(source)
    layout = found.layout if isinstance(found.value, Board) else found.value
    if layout is None:
        raise BoardSyntaxError(f"found a position ({found.format}), which hides its mines; expected a layout")
    return layout


def require_room(rows: int, columns: int) -> None:
    """Refused where a board is larger than those that are asked about or played here."""
    if rows * columns > MOST_CELLS:
        found = f"{words.size(rows, columns)} = {rows * columns:,} cells"
        raise Refused("too-large", f"found {found}, expected at most {MOST_CELLS:,} here; the command takes more")


def size_of(sized: asked.Sized, default: str) -> Size:
    """The size that is asked for."""
    given = {name: value for name in Size._fields if (value := getattr(sized, name)) is not None}
    if sized.level is None and 0 < len(given) < len(Size._fields):
        raise ValueError("found a part of a size, expected `level`, or all of `rows`, `columns` and `mines`")
    size = read_size(sized.level or default)._replace(**given)
    require_size(size.rows, size.columns)
    require_room(size.rows, size.columns)
    if size.mines > size.rows * size.columns:
        found = f"{words.plural(size.mines, 'mine')} on {words.size(size.rows, size.columns)}"
        raise BoardSyntaxError(f"found {found}, expected at most {size.rows * size.columns}")
    return size


def _density(density: float | str | None) -> Fraction | float | None:
    return checks.read_chance(density) if isinstance(density, str) else density


def _with_board(answer: Document, board: Board) -> Document:
    return answer | {"board": board.as_json()}


# the answers, one a command


def analyze_at_once(question: asked.Analyze) -> Document | None:
    """The answer, if it takes no longer than handing the question to a thread and back would; None otherwise.

    Handing over costs some 0.3 ms of a processor, as the threads of Python wait for each other, and most positions of
    games are answered in less. The board is small and the engine gives up after `AT_ONCE`, so the event loop is never
    held up for longer than a few milliseconds. What a contradiction is due to takes longer: that is for a thread.
    """
    if len(question.board) > SHORT or question.exact or question.density is not None:
        return None
    board = _position(question).as_seen(question.flags)
    if len(board.codes) > SMALL:
        return None
    try:
        return Analysis(board, default_engine().solve(Question.of(board), AT_ONCE)).for_encoder()
    except (BudgetExceeded, ContradictionError):
        return None


def analyze_answer(question: asked.Analyze, cancelled: Cancelled) -> Document:
    board = _position(question).as_seen(question.flags)
    deadline = Deadline(Budget(question.budget, question.states, cancelled))
    found = analyze(board, density=_density(question.density), budget=deadline.rest())
    return found.as_json(exact=question.exact, budget=deadline.rest())


def solve_answer(question: asked.Solve, cancelled: Cancelled) -> Document:
    board = _position(question).as_seen(question.flags)
    budget = Budget(question.budget, question.states, cancelled)
    if question.show is not None:
        if question.technique is not None:
            raise ValueError("found `show` and `technique`, expected one of them")
        if question.show == "bounds":
            return bounds_json(bounds_table(board, budget=budget))
        _require_matrix(board)
        return matrix(board, budget=budget).as_json()
    return _with_board(solution_json(deduce(board, upto=question.technique or HARDEST, budget=budget)), board)


def _require_matrix(board: Board) -> None:
    """Refused where the matrix of a board would have too many entries: a row a number, a column a cell next to one."""
    covered = set(board.cells(COVERED))
    every_number = (board.cell(index) for index, code in enumerate(board.codes) if code <= LARGEST_NUMBER)
    around = [near for cell in every_number if (near := covered.intersection(board.neighbours(cell)))]
    entries = len(around) * len(set().union(*around))
    if entries > MOST_ENTRIES:
        expected = f"expected at most {MOST_ENTRIES:,} here; the command takes more"
        raise Refused("too-large", f"found a matrix of {entries:,} entries, {expected}")


def hint_answer(question: asked.Hint, cancelled: Cancelled) -> Document:
    board = _position(question)
    found = hint(
        board, flags=question.flags, prefer=question.prefer, density=_density(question.density),
        budget=Budget(question.budget, question.states, cancelled),
    )  # fmt: skip
    level = min(question.level, NUMBERS) if question.safe_only and not found.certain else question.level
    return _with_board(found.as_json(level), board)


def best_answer(question: asked.Best, cancelled: Cancelled) -> Document:
    budget = Budget(question.budget, question.states, cancelled)
    if question.exact and question.strategy is not None:
        raise ValueError("found `exact` and `strategy`, expected one of them: `exact` plays optimally")
    if question.seconds is not None and (question.exact or question.strategy not in (None, *THINKING)):
        found = "`exact`" if question.exact else f"strategy {checks.shortened(question.strategy)}"
        raise ValueError(f"found `seconds` with {found}, expected strategy {words.listing(THINKING, 'or')} with it")
    if _is_size(question.board):
        return _first_moves(question, budget)
    if question.first_click is not None:
        raise ValueError(
            "found `first_click` with a position, expected it with a size: there the click is made already"
        )
    board = _position(question).as_seen(question.flags)
    playouts = PLAYOUTS if question.playouts is None else question.playouts
    move = best_move(
        board, question.strategy or "best", exact=question.exact, budget=budget, playouts=playouts,
        seconds=question.seconds,
    )  # fmt: skip
    return _with_board(move.as_json(), board)


def to_think_over(question: asked.Think, cancelled: Cancelled) -> Board:
    """The position; what is wrong with it is raised, before any event."""
    board = _position(question).as_seen(question.flags)
    require_total(board)
    analyze(board, budget=Budget(question.budget, question.states, cancelled))
    return board


def _is_size(text: str) -> bool:
    try:
        read_size(text)
    except BoardSyntaxError:
        return False
    return True


def _first_moves(question: asked.Best, budget: Budget) -> Document:
    if not question.exact:
        raise ValueError("found a size, of which only the chance to win can be told: expected `exact` with it")
    size, rule, topology = read_size(question.board), question.first_click or "safe", question.topology or "grid"
    require_room(size.rows, size.columns)
    values = optimal_first_moves(*size, rule, topology=topology, budget=budget)
    return FirstMoves(size, topology, rule, values).as_json()


def convert_answer(question: asked.Convert, _: Cancelled) -> Document | Written:
    found = _reading(question)
    value = found.value
    if question.to not in formats.FORMATS:
        able = ", ".join(row.name for row in formats.FORMATS.values() if row.writes)
        raise ValueError(f"found {checks.shortened(question.to)} in `to`, expected one of {able}")
    if (formats.FORMATS[question.to].holds == "layout" or question.start is not None) and found.layout is not None:
        value = found.layout
    if question.start is not None:
        if isinstance(value, Board):
            raise ValueError("found `start` with a position, expected it with a layout")
        value = dataclasses.replace(value, start=question.start)
    written = formats.write(value, question.to)
    if isinstance(written, bytes):
        return Written(written, "application/octet-stream")
    if question.to == "json":
        document: Document = json.loads(written)
        return document | {"read_as": found.as_json()}
    return Written(f"{written}\n".encode(), "text/plain; charset=utf-8")


def read_answer(data: bytes, question: asked.Read) -> Document:
    marks = question.marks()
    reading = read_image(data)
    rows, columns = len(reading.cells), len(reading.cells[0])
    require_room(rows, columns)
    for row, column in marks:
        if row >= rows or column >= columns:
            found = f"found {words.at((row, column))} in `confirm`"
            raise ValueError(f"{found}, expected a cell of the board, which has {words.size(rows, columns)}")
    return (reading.confirm(marks) if marks else reading).as_json()


def check_answer(question: asked.Check, cancelled: Cancelled) -> Document:
    layout, budget = _layout(question), Budget(question.budget, STATES, cancelled)
    if question.anywhere:
        if question.start is not None or question.certificate is not None:
            raise ValueError("found `anywhere` with `start` or `certificate`, expected it alone")
        return starts_json(layout, no_guess_starts(layout, budget=budget))
    certificate = None if question.certificate is None else Certificate.from_json(json.dumps(question.certificate))
    named = question.start or layout.start or (None if certificate is None else certificate.start)
    if named is None:
        raise ValueError("found a layout that names no first click, expected `start`; `anywhere` tries them all")
    start = start_cell(layout, named)
    found = check(layout, start, budget=budget).as_json()
    if certificate is None:
        return found
    fault = fault_of(certificate, layout, start, budget=budget)
    return found | {"certificate": None if fault is None else fault.as_json()}


def generate_answer(question: asked.Generate, cancelled: Cancelled) -> Document:
    if question.certificate and not question.no_guess:
        raise ValueError("found `certificate` without `no_guess`, expected both: it proves that no guess is needed")
    made = generate(
        *size_of(question, "expert"),
        seed=secrets.randbits(32) if question.seed is None else question.seed,
        number=question.number, no_guess=question.no_guess, start=question.start, first_click=question.first_click,
        topology=question.topology, method=question.method, needs=question.needs, hardest=question.hardest,
        bbbv=question.bbbv, openings=question.openings, islands=question.islands, zini=question.zini,
        human_zini=question.human_zini, budget=Budget(question.budget, STATES, cancelled),
    )  # fmt: skip
    return made.generated_json(certificate=question.certificate, measures=question.measures)


# what other handlers read


def layout_to_play(text: str, topology: Topology | None) -> Layout:
    """A layout that somebody wants to play as it is."""
    layout = _layout(asked.Source(board=text, topology=topology))
    if len(layout.mines) == len(layout.cells()):
        raise BoardSyntaxError("found a mine in every cell, expected a cell that can be opened")
    return layout


def position_of(text: str) -> Board:
    """A position in any format, once it is known to be no larger than others may be."""
    return _position(asked.Source(board=text))
