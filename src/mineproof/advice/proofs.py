"""Proofs as a player can follow them: the steps that lead from a few numbers to the cells that they decide."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from mineproof.base.budget import Budget
from mineproof.board.board import Board
from mineproof.board.cells import Cell
from mineproof.deduction.deduction import Deduction
from mineproof.deduction.ladder import LADDER, steps
from mineproof.deduction.patterns import find_pattern, name_pattern
from mineproof.deduction.state import Finding, Proof, State, as_set
from mineproof.engine.answers import Engine
from mineproof.wording.clauses import ARGUMENT, PATTERN_PREFIX, Clause


def argument(
    board: Board,
    proof: Proof,
    cells: frozenset[Cell],
    budget: Budget,
    engine: Engine,
    *,
    upto: str | None = None,
    by_rung: bool = False,
) -> list[Deduction]:
    """Return the steps that lead from the numbers of a proof, and from nothing else, to the cells it decides.

    A pattern has the name that the whole board gives it, which may be longer than its part of the proof. The list is
    empty if techniques up to ``upto``, by default all of them, do not decide all of the cells.
    """
    taken: list[Deduction] = []
    undecided = set(cells)
    visible = board.only(proof.numbers, total=proof.uses_total)
    hardest = upto or list(LADDER)[-1]
    climb = steps(visible, upto=hardest, by_rung=by_rung, budget=budget, engine=engine)
    while undecided and (step := next(climb, None)) is not None:
        taken.append(step)
        undecided -= step.safe | step.mines
    return [] if undecided else _name_patterns(leading_to(cells, taken, board), State(board, budget, engine))


def _name_patterns(taken: Sequence[Deduction], state: State) -> list[Deduction]:
    """Return steps with the pattern that their numbers are part of on the whole board."""
    renamed = []
    index = state.board.index
    for step in taken:
        safe, mines = as_set(map(index, step.safe)), as_set(map(index, step.mines))
        argument = step.argument
        if step.pattern is not None:
            reasons = Clause(ARGUMENT, parts=argument.parts[1:])
            numbers = {index(number.cell) for clause in reasons.walk() for number in clause.numbers}
            finding = Finding(safe, mines, tuple(sorted(numbers)), reasons, step.uses_total)
            argument = name_pattern(reasons, find_pattern(finding, state) or argument.parts[0])
        renamed.append(replace(step, argument=argument))
        state.learn(safe, mines, Proof(frozenset(map(index, step.because)), step.uses_total))
    return renamed


def leading_to(cells: frozenset[Cell], taken: Sequence[Deduction], board: Board) -> list[Deduction]:
    """Return those of the steps, in order, that decide the cells or something around the numbers that these need."""
    needed, leading = set(cells), []
    for step in reversed(taken):
        if needed & (step.safe | step.mines):
            leading.append(step)
            needed.update(neighbour for number in step.because for neighbour in board.neighbours(number))
    return leading[::-1]


def proof_of_safety(state: State, cell: Cell) -> Proof:
    """Return a minimal set of numbers that proves a cell safe; numbers near the cell are preferred."""
    index = state.board.index(cell)
    neighbours = state.board.geometry.neighbours
    near = {number for other in neighbours(index) for number in neighbours(other) if number in state.numbers}
    everything = Proof(frozenset(state.numbers), state.total is not None)
    return state.shrink(everything, 1 << index, 0, keep=sorted(near))


def hardest_technique(proof: Iterable[Deduction]) -> str:
    """Return the hardest technique of some steps."""
    return max((step.technique for step in proof), key=list(LADDER).index)


def combine_steps(
    proof: Sequence[Deduction], safe: frozenset[Cell], because: tuple[Cell, ...], uses_total: bool, board: Board
) -> Deduction:
    """Return one deduction that stands for a whole proof of safe cells."""
    parts: list[Clause] = []
    for part in Clause.join(step.argument for step in proof).parts:
        is_pattern = part.kind.startswith(PATTERN_PREFIX)
        if not is_pattern or all(part.kind != earlier.kind for earlier in parts):  # a pattern is named once
            parts.append(part)
    argument = Clause(ARGUMENT, parts=tuple(parts))
    return Deduction(hardest_technique(proof), safe, frozenset(), because, uses_total, argument, board)
