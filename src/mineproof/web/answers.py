"""Responses to questions: the JSON of the commands, made by the same library functions.

Each function takes a request body, runs in a thread of the pool, and returns a document. `Written` is a response that
is not JSON: a board in another format.
"""

from __future__ import annotations

import dataclasses
import json
import secrets
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple, cast

import msgspec

from mineproof import formats
from mineproof.advice.hints import NUMBERS, hint
from mineproof.analysis.analysis import Analysis, analyze
from mineproof.base import checks, words
from mineproof.base.budget import Budget, Deadline, budget_error
from mineproof.board import notation
from mineproof.board.board import Board
from mineproof.board.cells import COVERED, FLAGGED, LARGEST_NUMBER, Cell
from mineproof.board.geometry import TOPOLOGIES, Topology, require_size
from mineproof.board.levels import Size, read_sides, read_size
from mineproof.decision.best_moves import PLAYOUTS, THINKING, best_move
from mineproof.decision.optimal import FirstMoves, optimal_first_moves, require_total
from mineproof.deduction.ladder import LADDER, deduce, solution_json
from mineproof.deduction.techniques.bounds import bounds_json, bounds_table
from mineproof.deduction.techniques.elimination import matrix
from mineproof.engine.default import default_engine
from mineproof.engine.question import Question
from mineproof.errors import BoardSyntaxError, BudgetExceeded, ContradictionError
from mineproof.formats.detection import sniff
from mineproof.formats.table import WRITABLE
from mineproof.game.layout import Layout
from mineproof.generation.careful_player import start_cell
from mineproof.generation.certificate import Certificate
from mineproof.generation.generator import NoGuessLayout, generate
from mineproof.generation.guess_check import check, no_guess_starts, starts_json
from mineproof.generation.verifier import fault_of
from mineproof.screens.reader import read_image
from mineproof.web import requests
from mineproof.web.budgets import question_budget
from mineproof.web.errors import Refused
from mineproof.web.limits import LIGHT_TEXT, MAX_CELLS, MAX_LINES, MAX_MATRIX_ENTRIES, PICTURE_SECONDS

if TYPE_CHECKING:
    from mineproof.advice.wire import HintJson
    from mineproof.analysis.wire import AnalysisJson, PossibleNumberJson
    from mineproof.decision.wire import BestMoveJson, FirstMovesJson
    from mineproof.deduction.wire import BoundsJson, MatrixJson, SolutionJson
    from mineproof.generation.wire import CheckJson, GeneratedJson, StartsJson
    from mineproof.screens.wire import ReadingJson
    from mineproof.web.wire import ConvertedBoardJson, ConvertedLayoutJson

Document = Mapping[str, object]
Cancelled = Callable[[], bool]
HARDEST = list(LADDER)[-1]

AT_ONCE = Budget(seconds=0.003, states=20_000)
SEARCH_OPTIONS = ("needs", "hardest", "difficulty", "bbbv", "openings", "islands", "zini", "human_zini")
AT_ONCE_MAX_CHARACTERS, AT_ONCE_MAX_CELLS = 2000, 600  # of a board that is analyzed without a thread


class Written(NamedTuple):
    """A board in a format that is not JSON."""

    content: bytes
    media_type: str


# the input of a question


def _reading(source: requests.BoardRequest) -> formats.FormatReading:
    size = None if source.size is None else read_sides(source.size)
    content = source.data or source.board
    _require_few_lines(content)
    if source.data and (source.from_ or sniff(source.data)) == "image":
        raise BoardSyntaxError("expected a board in `data`, got a picture. Send pictures to POST /api/v1/read")
    reading = formats.read(
        content, source.from_, size=size, total_mines=source.mines, topology=source.topology, check_size=require_room
    )
    if reading.value.topology not in TOPOLOGIES:
        raise BoardSyntaxError("The server takes built-in shapes only. Use the library or the command line for graphs.")
    return reading


def _require_few_lines(content: str | bytes) -> None:
    """Reject a text with too many lines before parsing it."""
    text = content if isinstance(content, bytes) else content.encode()
    lines = text.count(b"\n") + text.count(b"/")
    if lines > MAX_LINES:
        raise Refused("too-large", f"expected at most {MAX_LINES:,} lines, got {lines:,}. The command line takes more.")


def takes_long(question: msgspec.Struct) -> bool:
    """Return whether a question obviously takes long: a long text, or a search for a layout."""
    if isinstance(question, requests.BoardRequest):
        return len(question.data or question.board) > LIGHT_TEXT
    if isinstance(question, requests.GenerateRequest):
        return any(getattr(question, name) is not None for name in SEARCH_OPTIONS)
    return False


def _position(source: requests.BoardRequest) -> Board:
    reading = _reading(source)
    if not isinstance(reading.value, Board):
        raise BoardSyntaxError(
            f"expected a board with covered cells, got one that shows where the mines are (format {reading.format})"
        )
    return reading.value


def _layout(source: requests.BoardRequest) -> Layout:
    reading = _reading(source)
    layout = reading.layout if isinstance(reading.value, Board) else reading.value
    if layout is None:
        raise BoardSyntaxError(
            f"expected a board with its mines, got one that does not show where they are (format {reading.format})"
        )
    return layout


def require_room(rows: int, columns: int) -> None:
    """Reject a board that is too large for the server."""
    if rows * columns > MAX_CELLS:
        actual = f"{words.size(rows, columns)} = {rows * columns:,}"
        raise Refused("too-large", f"expected at most {MAX_CELLS:,} cells, got {actual}. The command line takes more.")


def size_of(sized: requests.SizedRequest, default: str) -> Size:
    """Return the requested size."""
    given = {name: value for name in Size._fields if (value := getattr(sized, name)) is not None}
    if sized.level is None and 0 < len(given) < len(Size._fields):
        missing = words.listing([f"`{name}`" for name in Size._fields if name not in given])
        raise ValueError(f"expected `level`, or all of `rows`, `columns` and `mines`, got a size without {missing}")
    size = read_size(sized.level or default)._replace(**given)
    require_size(size.rows, size.columns)
    require_room(size.rows, size.columns)
    if size.mines > size.rows * size.columns:
        most = f"at most {size.rows * size.columns} mines on {words.size(size.rows, size.columns)}"
        raise BoardSyntaxError(f"expected {most}, got {size.mines}")
    return size


def _density(density: float | str | None) -> Fraction | float | None:
    return checks.read_chance(density) if isinstance(density, str) else density


# the responses, one per command


def analyze_at_once(question: requests.AnalyzeRequest) -> AnalysisJson | None:
    """Return the response if it takes no longer than switching to a thread and back; None otherwise.

    Switching costs about 0.3 ms of a processor, because Python threads wait for each other, and most positions of games
    take less. Only rows of cells are parsed here: a short link may hold a million cells. The engine and the count of
    layouts stop after `AT_ONCE`, so the event loop is blocked for a few milliseconds at most. Explaining a
    contradiction takes longer, so a thread does that.
    """
    if question.exact or question.density is not None or question.cell is not None:
        return None
    if question.from_ is not None or question.size is not None:
        return None
    if len(question.board) > AT_ONCE_MAX_CHARACTERS or not notation.is_plain(question.board):
        return None
    board = _position(question).as_seen(question.flags)
    if len(board.codes) > AT_ONCE_MAX_CELLS:
        return None
    deadline = Deadline(AT_ONCE)
    try:
        return Analysis(board, default_engine().solve(Question.of(board), AT_ONCE)).for_encoder(deadline.rest())
    except (BudgetExceeded, ContradictionError):
        return None


def analyze_answer(question: requests.AnalyzeRequest, cancelled: Cancelled) -> AnalysisJson:
    board = _position(question).as_seen(question.flags)
    deadline = Deadline(question_budget(question.budget, cancelled, question.states))
    analysis = analyze(board, density=_density(question.density), budget=deadline.rest())
    document = analysis.as_json(exact=question.exact, budget=deadline.rest())
    if question.cell is not None:
        document["numbers"] = _possible_numbers(board, analysis, question.cell, deadline)
    return document


def _possible_numbers(board: Board, analysis: Analysis, cell: Cell, deadline: Deadline) -> list[PossibleNumberJson]:
    """Return each number that a covered cell can show, with the chance that it shows it, if that is known."""
    if board[cell] not in (COVERED, FLAGGED):
        raise ValueError(f"cell must be covered, got {words.at(cell)}")
    numbers: list[PossibleNumberJson] = []
    for number in range(min(LARGEST_NUMBER, len(board.neighbours(cell))) + 1):
        try:
            count = default_engine().solve(Question.of(board.replace({cell: number})), deadline.rest())
        except ContradictionError:
            continue
        is_known = board.total_mines is not None
        chance = 10 ** (count.log10_layouts() - analysis.log10_layouts) if is_known else None
        numbers.append({"number": number, "chance": chance})
    return numbers


def require_count(document: Document, spent: float, allowed: float) -> None:
    """Raise BudgetExceeded for an analysis without a layout count if it did not use all of its time."""
    if document.get("layouts", "") is None and spent < allowed:
        raise budget_error("seconds", spent, 0, None)


def solve_answer(question: requests.SolveRequest, cancelled: Cancelled) -> SolutionJson | BoundsJson | MatrixJson:
    board = _position(question).as_seen(question.flags)
    budget = question_budget(question.budget, cancelled, question.states)
    if question.show is not None:
        if question.technique is not None:
            raise ValueError("expected `show` or `technique`, got both")
        if question.show == "bounds":
            return bounds_json(bounds_table(board, budget=budget))
        _require_matrix(board)
        return matrix(board, budget=budget).as_json()
    steps = deduce(board, upto=question.technique or HARDEST, budget=budget)
    return solution_json(steps) | {"board": board.as_json()}


def _require_matrix(board: Board) -> None:
    """Reject a board whose matrix would be too large: a row per number, a column per cell next to one."""
    covered = set(board.cells(COVERED))
    every_number = (board.cell(index) for index, code in enumerate(board.codes) if code <= LARGEST_NUMBER)
    around = [near for cell in every_number if (near := covered.intersection(board.neighbours(cell)))]
    entries = len(around) * len(set().union(*around))
    if entries > MAX_MATRIX_ENTRIES:
        most = f"expected a matrix of at most {MAX_MATRIX_ENTRIES:,} entries"
        raise Refused("too-large", f"{most}, got {entries:,}. The command line takes more.")


def hint_answer(question: requests.HintRequest, cancelled: Cancelled) -> HintJson:
    board = _position(question)
    step = hint(
        board, flags=question.flags, prefer=question.prefer, density=_density(question.density),
        budget=question_budget(question.budget, cancelled, question.states),
    )  # fmt: skip
    level = min(question.level, NUMBERS) if question.safe_only and not step.certain else question.level
    return step.as_json(level) | {"board": board.as_json()}


def best_answer(question: requests.BestRequest, cancelled: Cancelled) -> BestMoveJson | FirstMovesJson:
    budget = question_budget(question.budget, cancelled, question.states)
    if question.exact and question.strategy is not None:
        raise ValueError("expected `exact` or `strategy`, got both: `exact` plays optimally")
    if question.seconds is not None and (question.exact or question.strategy not in (None, *THINKING)):
        other = "`exact`" if question.exact else f"strategy {checks.shorten(question.strategy)}"
        raise ValueError(f"`seconds` needs strategy {words.listing(THINKING, 'or')}, got {other}")
    if _is_size(question.board):
        return _first_moves(question, budget)
    if question.first_click is not None:
        raise ValueError("`first_click` needs a size, got a position, where the first click is already made")
    board = _position(question).as_seen(question.flags)
    playouts = PLAYOUTS if question.playouts is None else question.playouts
    move = best_move(
        board, question.strategy or "best", exact=question.exact, budget=budget, playouts=playouts,
        seconds=question.seconds,
    )  # fmt: skip
    return move.as_json() | {"board": board.as_json()}


def position_to_think_over(question: requests.ThinkRequest, cancelled: Cancelled) -> Board:
    """Return the position after checking it, so that errors are raised before any event."""
    board = _position(question).as_seen(question.flags)
    require_total(board)
    analyze(board, budget=question_budget(question.budget, cancelled, question.states))
    return board


def _is_size(text: str) -> bool:
    try:
        read_size(text)
    except BoardSyntaxError:
        return False
    return True


def _first_moves(question: requests.BestRequest, budget: Budget) -> FirstMovesJson:
    if not question.exact:
        raise ValueError("A size needs `exact`: only the chance to win is known. Or pass a position.")
    size, rule, topology = read_size(question.board), question.first_click or "safe", question.topology or "grid"
    require_room(size.rows, size.columns)
    values = optimal_first_moves(*size, rule, topology=topology, budget=budget)
    return FirstMoves(size, topology, rule, values).as_json()


def convert_answer(question: requests.ConvertRequest) -> ConvertedBoardJson | ConvertedLayoutJson | Written:
    reading = _reading(question)
    value = reading.value
    if question.to not in formats.FORMATS:
        able = ", ".join(WRITABLE)
        raise ValueError(f"`to` must be one of {able}, got {checks.shorten(question.to)}")
    if (formats.FORMATS[question.to].holds == "layout" or question.start is not None) and reading.layout is not None:
        value = reading.layout
    if question.start is not None:
        if isinstance(value, Board):
            raise ValueError("`start` needs a layout, got a position")
        value = dataclasses.replace(value, start=question.start)
    written = formats.write(value, question.to)
    if isinstance(written, bytes):
        return Written(written, "application/octet-stream")
    if question.to == "json":
        document = json.loads(written) | {"read_as": reading.as_json()}
        return cast("ConvertedBoardJson | ConvertedLayoutJson", document)
    return Written(f"{written}\n".encode(), "text/plain; charset=utf-8")


def read_answer(data: bytes, question: requests.ReadQuery, cancelled: Cancelled) -> ReadingJson:
    marks, changes = question.marks(), question.changes()
    deadline = Deadline(question_budget(PICTURE_SECONDS, cancelled))
    reading = read_image(data, budget=deadline.rest())
    if changes:
        reading = reading.resize(changes, budget=deadline.rest())
    rows, columns = len(reading.cells), len(reading.cells[0])
    require_room(rows, columns)
    for row, column in marks:
        if row >= rows or column >= columns:
            cell = words.at((row, column))
            raise ValueError(f"`confirm`: expected a cell on the {words.size(rows, columns)} board, got {cell}")
    return (reading.confirm(marks, budget=deadline.rest()) if marks else reading).as_json()


def check_answer(question: requests.CheckRequest, cancelled: Cancelled) -> CheckJson | StartsJson:
    layout, budget = _layout(question), question_budget(question.budget, cancelled)
    if question.anywhere:
        if question.start is not None or question.certificate is not None:
            raise ValueError("`anywhere` cannot be combined with `start` or `certificate`")
        return starts_json(layout, no_guess_starts(layout, budget=budget))
    certificate = None if question.certificate is None else Certificate.from_json(json.dumps(question.certificate))
    named = question.start or layout.start or (None if certificate is None else certificate.start)
    if named is None:
        raise ValueError("The layout has no start cell. Pass `start`, or `anywhere` to try all cells.")
    start = start_cell(layout, named)
    result = check(layout, start, budget=budget).as_json()
    if certificate is None:
        return result
    fault = fault_of(certificate, layout, start, budget=budget)
    return result | {"certificate": None if fault is None else fault.as_json()}


def generate_answer(question: requests.GenerateRequest, cancelled: Cancelled) -> GeneratedJson:
    if question.certificate and not question.no_guess:
        raise ValueError("`certificate` needs `no_guess`: it proves that no guess is needed")
    made = generate(
        *size_of(question, "expert"),
        seed=secrets.randbits(32) if question.seed is None else question.seed,
        number=question.number, no_guess=question.no_guess, start=question.start, first_click=question.first_click,
        topology=question.topology, method=question.method, needs=question.needs, hardest=question.hardest,
        difficulty=question.difficulty, bbbv=question.bbbv, openings=question.openings, islands=question.islands,
        zini=question.zini, human_zini=question.human_zini, budget=question_budget(question.budget, cancelled),
    )  # fmt: skip
    answer = made.generated_json(certificate=question.certificate, measures=question.measures)
    if question.certificate and isinstance(made, NoGuessLayout):
        # In the reader's language; the texts inside the certificate are part of its digest and stay English.
        answer["step_texts"] = [step.deduction.text for step in made.certificate.steps]
    return answer


# boards of other handlers


def layout_to_play(text: str, topology: Topology | None) -> Layout:
    """Return a layout for a game; BoardSyntaxError if it cannot be played."""
    layout = _layout(requests.BoardRequest(board=text, topology=topology))
    if len(layout.mines) == len(layout.cells()):
        raise BoardSyntaxError("expected at least one cell without a mine, got none")
    return layout


def position_of(text: str) -> Board:
    """Return a position in any format after checking its size."""
    return _position(requests.BoardRequest(board=text))
