"""New tasks from a seed: positions that fit what is required, and true and false statements about them.

Determinism   Task k of a seed is a function of (seed, k) and the options. All of its draws come from stream k of a key
              derived from the seed. Time limits never change a task; they only raise BudgetExceeded.
Wishes        ``technique`` and ``numbers`` describe the easiest way to an answer: the hardest technique of the ladder,
              technique by technique, up to the first step that decides a cell of the right sort, and the numbers of the
              proof of that step.
Statements    A claim is true as often as false, as far as the position allows. A false proof lacks one of the numbers
              that the step needs, or states the opposite. Counting decides what is true, never the way it was made.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

from mineproof.advice.proofs import hardest_technique
from mineproof.analysis.analysis import analyze
from mineproof.base import checks, words
from mineproof.base.budget import Budget, Deadline
from mineproof.base.rng import TASKS, Random, derive, fresh_seed
from mineproof.board.board import Board
from mineproof.board.cells import COVERED, Cell
from mineproof.board.levels import Size, read_size
from mineproof.deduction.deduction import Deduction
from mineproof.deduction.ladder import LADDER, steps
from mineproof.engine.answers import Engine
from mineproof.engine.default import chosen_engine
from mineproof.errors import BoardSyntaxError, BudgetExceeded
from mineproof.exams.positions import game_positions, middle, plain_positions
from mineproof.exams.tasks import FORMS, STATES, Assertion, BoardForm, CellState, Task, require_kind, state_of
from mineproof.game.field import MineField
from mineproof.game.layout import Layout
from mineproof.generation.generator import generate
from mineproof.history.game_row import level_name
from mineproof.practice.puzzles import GUESS
from mineproof.wording.catalogue import language

LEVEL = "beginner"
BEST_MOVE_MAX_LAYOUTS = 500  # more make optimal play slow
PROOF_STEPS = 4  # of the ladder, one of which a proof is about
LARGEST_TASK_NUMBER = 2**62 - 1


class _Requirements(NamedTuple):
    """What a position must have."""

    kind: str
    technique: str | None
    numbers: tuple[int | None, int | None] | None

    @property
    def are_about_a_step(self) -> bool:
        return self.technique is not None or self.numbers is not None


def task(
    kind: str = "safe-cell",
    *,
    level: str = LEVEL,
    form: BoardForm = "grid",
    technique: str | None = None,
    numbers: int | tuple[int | None, int | None] | None = None,
    seed: int | None = None,
    number: int = 0,
    budget: Budget | float | None = None,
    engine: Engine | None = None,
) -> Task:
    """Return task ``number`` of a seed: the same for the same arguments.

    ``kind`` is ``"safe"`` or ``"mines"`` (every certainly safe cell, every certain mine), ``"safe-cell"`` (one safe
    cell), ``"best-move"``, ``"claim"`` or ``"proof"`` (is this right?) or ``"game"`` (a whole game, turn by turn).
    ``form`` is how the board is written: ``"grid"``, ``"coordinates"`` or ``"words"``. ``technique`` is the hardest
    technique that the easiest way to an answer needs, ``numbers`` how many numbers its proof takes: a count, or the
    least and the most. ``level`` is a name or ``"WxHxM"``. Without a ``seed`` a random one is drawn.

    Raises BudgetExceeded if no position was found in time.

    >>> exam = task("safe-cell", level="5x5x4", seed=1)
    >>> exam.board.count(-1), exam.answer
    (9, '[[0, 4]]')
    """
    required = _Requirements(require_kind(kind), technique, _require_numbers(numbers))
    checks.one_of("form", form, FORMS)
    checks.one_of("technique", technique, (*LADDER, None))
    if required.are_about_a_step and kind in ("best-move", "game"):
        raise ValueError(f"technique and numbers are for other kinds of tasks, got them with {kind!r}")
    size = read_size(checks.instance("level", level, str))
    if not 0 < size.mines < size.rows * size.columns:
        raise BoardSyntaxError(f"expected at least one mine and one free cell, got {words.size(*size)}")
    seed = fresh_seed() if seed is None else checks.seed("seed", seed)
    checks.whole("number", number, 0, LARGEST_TASK_NUMBER)
    random, limit, engine = Random(derive(seed, TASKS), number), Budget.of(budget), chosen_engine(engine)
    draft = _draft(required, size, random, limit, engine)
    return replace(draft, form=form, language=language(), level=level_name(size), seed=seed, number=number)


def _require_numbers(numbers: object) -> tuple[int | None, int | None] | None:
    if numbers is None:
        return None
    if not isinstance(numbers, tuple | list):
        count = checks.whole("numbers", numbers, 1)
        return count, count
    if len(numbers) != 2:
        raise ValueError(f"numbers must be a count, or the least and the most, got {checks.shorten(numbers)}")
    least, most = (None if bound is None else checks.whole("numbers", bound, 1) for bound in numbers)
    if least is not None and most is not None and least > most:
        raise ValueError(f"numbers must be the least and the most, in this order, got {least} and {most}")
    return least, most


def _draft(required: _Requirements, size: Size, random: Random, budget: Budget, engine: Engine) -> Task:
    """A task without the arguments that only describe it."""
    deadline = Deadline(budget)
    if required.kind == "game":
        return _new_game(size, random, deadline, engine)
    searched = 0
    try:
        for board in _boards(required, size, random, deadline, engine):
            searched += 1
            budget.raise_if_cancelled()
            draft = _draft_at(board, required, random, deadline, engine)
            if draft is not None:
                return draft
    except BudgetExceeded as error:
        message = f"No position for this task among {words.plural(searched, 'position')}. {error}"
        raise BudgetExceeded(
            message, limit=error.limit, seconds=error.seconds, states=error.states, width=error.width
        ) from None
    raise AssertionError("positions never end")


def _boards(required: _Requirements, size: Size, random: Random, deadline: Deadline, engine: Engine) -> Iterator[Board]:
    if required.kind == "best-move":
        places = game_positions(size, [], "safe", random, deadline, engine)  # on small boards "open" forces no guess
        return (place.board for place in places if place.technique == GUESS)
    if required.technique is None:
        return plain_positions(size, random, deadline, engine)
    names = list(LADDER)
    usable = names[: names.index(required.technique) + 1]
    places = game_positions(size, usable, "open", random, deadline, engine)
    return (place.board for place in places if place.technique == required.technique)


def _draft_at(board: Board, required: _Requirements, random: Random, deadline: Deadline, engine: Engine) -> Task | None:
    """A task about a position, or None if the position does not fit."""
    analysis = analyze(board, budget=deadline.rest(), engine=engine)
    if required.kind == "best-move":
        few = analysis.log10_layouts < 4 and 1 < analysis.layouts <= BEST_MOVE_MAX_LAYOUTS
        return Task("best-move", board) if few and not analysis.safe else None
    cells = {"safe": analysis.safe, "safe-cell": analysis.safe, "mines": analysis.mines}.get(required.kind)
    if (cells is not None and not cells) or not board.count(COVERED):
        return None
    step = technique = None
    if required.are_about_a_step:
        step, technique = _easiest_step(board, required.kind, deadline.rest(), engine)
        if step is None or not _fits(step, technique, required):
            return None
    numbers = None if step is None else len(step.because)
    assertion = None
    if required.kind == "claim":
        states: dict[Cell, CellState] = {cell: state_of(analysis, cell) for cell in board.cells(COVERED)}
        assertion = _draw_claim(states, step, random)
    elif required.kind == "proof":
        if step is None:
            first_steps = list(islice(steps(board, budget=deadline.rest(), engine=engine), PROOF_STEPS))
            if not first_steps:
                return None
            step = first_steps[random.below(len(first_steps))]
        assertion = _draw_proof(board, step, random, deadline.rest(), engine)
    return Task(require_kind(required.kind), board, technique=technique, numbers=numbers, assertion=assertion)


def _easiest_step(board: Board, kind: str, budget: Budget, engine: Engine) -> tuple[Deduction | None, str | None]:
    """The first step that decides cells for this kind of task, and the hardest technique until then."""
    taken = []
    for step in steps(board, by_rung=True, budget=budget, engine=engine):
        taken.append(step)
        cells = {"mines": step.mines, "safe": step.safe, "safe-cell": step.safe}.get(kind, step.safe | step.mines)
        if cells:
            return step, hardest_technique(taken)
    return None, None


def _fits(step: Deduction, technique: str | None, required: _Requirements) -> bool:
    """Do the technique and the numbers of a step match?"""
    if required.technique not in (None, technique):
        return False
    least, most = required.numbers or (None, None)
    return (least or 0) <= len(step.because) <= (most or len(step.because))


def _draw_claim(states: dict[Cell, CellState], step: Deduction | None, random: Random) -> Assertion:
    """A claim about one cell, as often true as false; about the cells of a step if the task was chosen by it."""
    cells = sorted(states if step is None else step.safe | step.mines)
    if random.below(2):  # a true one
        known = sorted({states[cell] for cell in cells})
        state = known[random.below(len(known))]
        fitting = [cell for cell in cells if states[cell] == state]
        return Assertion(fitting[random.below(len(fitting))], state)
    cell = cells[random.below(len(cells))]
    others = [state for state in STATES if state != states[cell]]
    return Assertion(cell, others[random.below(len(others))])


def _draw_proof(board: Board, step: Deduction, random: Random, budget: Budget, engine: Engine) -> Assertion:
    """A proof of one cell of a step, or a proof that counting refutes."""
    cells = sorted(step.safe | step.mines)
    cell = cells[random.below(len(cells))]
    state: CellState = "safe" if cell in step.safe else "mine"
    right = Assertion(cell, state, step.because, step.uses_total)
    if random.below(2):
        return right
    shorter = [replace(right, because=tuple(n for n in step.because if n != number)) for number in step.because]
    if step.uses_total:
        shorter.append(replace(right, uses_total=False))
    if len(step.because) > 1 or step.uses_total:
        weaker = shorter[random.below(len(shorter))]
        if (weaker.because or weaker.uses_total) and not weaker.holds(board, budget, engine):
            return weaker
    return replace(right, state="mine" if state == "safe" else "safe")


def _new_game(size: Size, random: Random, deadline: Deadline, engine: Engine) -> Task:
    """A game that needs no guess, and that the first click, which is made already, does not win."""
    start = middle(size)
    while True:
        deadline.check()
        seed, rest = random.next(), deadline.rest()
        mines = generate(*size, seed=seed, no_guess=True, start=start, budget=rest, engine=engine).mines
        layout = Layout(size.rows, size.columns, mines, start, no_guess=True)
        field = MineField(layout)
        field.open([start])
        if not field.is_cleared:
            return Task("game", field.board, layout=layout)
