"""Verification of a certificate without trust in the ladder or the engine.

The verifier plays the layout. For every step it checks whether the numbers it names, with the mines proved before,
allow another solution: cells touched by the same numbers are a group, groups are filled one after the other, and the
only state is what each number still needs. This module imports nothing that finds proofs; a test walks its imports.

A step also fails if it names a cell that is open or proved already, or a number that its proof does not need. The
argument and its text are not checked: the digest of the certificate shows whether they were changed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from mineproof.base import checks
from mineproof.base.budget import Budget, Meter
from mineproof.base.words import at, listing, plural
from mineproof.base.words import size as board_size
from mineproof.board.cells import COVERED, FLAGGED, Cell
from mineproof.deduction.deduction import Deduction
from mineproof.errors import IllegalMoveError
from mineproof.game.field import MineField
from mineproof.game.layout import Layout
from mineproof.generation.careful_player import new_cells, open_safe, start_cell, take
from mineproof.generation.certificate import Certificate, CertificateError, ProofStep


def verify(certificate: Certificate, layout: Layout, *, budget: Budget | float | None = None) -> None:
    """Check that a certificate proves that a layout needs no guess. Raises CertificateError if it does not.

    Every step must decide only new cells, by its numbers and the steps before it, and must need all of its numbers.
    A digest, which every certificate of `certify` has, must match everything in it, including the text. The budget is
    for the whole certificate.
    """
    checks.instance("certificate", certificate, Certificate, "certify returns one")
    _require_same_board(certificate, checks.instance("layout", layout, Layout, "formats.read returns one"))
    try:
        start = start_cell(layout, certificate.start)
    except IllegalMoveError as error:
        raise CertificateError(f"invalid start: {error}") from None
    field, meter = MineField(layout), Meter(Budget.of(budget))
    if open_safe(field, [start]) != certificate.opened:
        raise CertificateError(f"the first click at {at(start)} opens other cells than listed")
    for number, step in enumerate(certificate.steps):
        try:
            _verify_step(field, step, meter)
        except _Unproved as error:
            raise CertificateError(str(error), number) from None
    if not field.is_cleared:
        left = len(layout.cells()) - layout.total_mines - field.opened
        raise CertificateError(f"it ends with {plural(left, 'safe cell')} still covered")
    if not certificate.solved:
        raise CertificateError("it does not claim that the layout needs no guess")
    if certificate.digest not in (None, certificate.computed_digest()):
        raise CertificateError("its digest does not match: the certificate was changed")


def fault_of(
    certificate: Certificate, layout: Layout, start: Cell, *, budget: Budget | float | None = None
) -> CertificateError | None:
    """Return what is wrong with a certificate for a layout and a ``start``; None if the proof is valid."""
    if certificate.start != start:
        return CertificateError(f"expected a certificate that starts at {at(start)}, got {at(certificate.start)}")
    try:
        verify(certificate, layout, budget=budget)
    except CertificateError as error:
        return error
    return None


class _Unproved(Exception):
    """What is wrong with a step."""


def _require_same_board(certificate: Certificate, layout: Layout) -> None:
    expected = certificate.rows, certificate.columns, certificate.total_mines, certificate.topology
    actual = layout.rows, layout.columns, layout.total_mines, layout.topology
    if expected != actual:
        boards = [f"{board_size(*board[:3])}, {board[3]}" for board in (expected, actual)]
        raise CertificateError(f"expected a layout of {boards[0]}, got {boards[1]}")


def _verify_step(field: MineField, step: ProofStep, meter: Meter) -> None:
    claim = step.deduction
    _check_cells(field, claim)
    _check_news(field, claim)
    if (cell := doubtful_cell(field, claim, meter)) is not None:
        verdict = "a mine" if cell in claim.mines else "safe"
        raise _Unproved(f"{_argument(field, claim)} {at(cell)} need not be {verdict}")
    _check_minimal(field, claim, meter)
    if take(field, claim) != step.opened:
        raise _Unproved("its safe cells open other cells than listed")


def _check_cells(field: MineField, claim: Deduction) -> None:
    """Raise unless a step names cells of the board and open numbers."""
    layout = field.layout
    for row, column in sorted(claim.safe | claim.mines | frozenset(claim.because)):
        if not (0 <= row < layout.rows and 0 <= column < layout.columns) or (row, column) in layout.absent:
            raise _Unproved(f"{at((row, column))} is not a cell of the board")
    for cell in claim.because:
        if field[cell] < 0:
            raise _Unproved(f"{at(cell)} is not an open number")
    for cell in claim.safe & claim.mines:
        raise _Unproved(f"{at(cell)} cannot be both safe and a mine")


def _check_news(field: MineField, claim: Deduction) -> None:
    """Raise unless a step decides cells, and only cells that are neither open nor proved mines."""
    news = new_cells(field, claim)
    if not news:
        raise _Unproved("it decides no new cell")
    if known := sorted((claim.safe | claim.mines).difference(news)):
        state = "was proved to be a mine before" if known[0] in claim.mines else "is open already"
        raise _Unproved(f"{at(known[0])} {state}. A step names only new cells. Certify the layout again.")


def _check_minimal(field: MineField, claim: Deduction, meter: Meter) -> None:
    """Raise if the proof of a step has a number it does not need."""
    if len(set(claim.because)) < len(claim.because):
        raise _Unproved("it names the same number twice")
    if claim.uses_total and doubtful_cell(field, replace(claim, uses_total=False), meter) is None:
        raise _Unproved("its proof does not need the total")
    for cell in claim.because:
        if doubtful_cell(field, without(claim, cell), meter) is None:
            raise _Unproved(f"its proof does not need the {field[cell]} at {at(cell)}")


def without(claim: Deduction, number: Cell) -> Deduction:
    """Return a deduction without one of its numbers."""
    return replace(claim, because=tuple(other for other in claim.because if other != number))


def _argument(field: MineField, claim: Deduction) -> str:
    """Return the numbers of a step, as the beginning of a sentence."""
    parts = [f"the {field[cell]} at {at(cell)}" for cell in claim.because]
    parts += ["the total"] if claim.uses_total else []
    return f"by {listing(parts)} alone" if parts else "without any number"


def doubtful_cell(field: MineField, claim: Deduction, meter: Meter) -> Cell | None:
    """Return a cell that a deduction does not prove by its numbers and the open and flagged cells, or None."""
    equations = _equations(field, claim.because, claim.uses_total)
    for cell in new_cells(field, claim):
        if field[cell] != COVERED or _may_differ(equations, cell, cell in claim.mines, meter):
            return cell
    return None


class _Equation(NamedTuple):
    """A number of mines among some covered cells."""

    cells: frozenset[Cell]
    mines: int


def _equations(field: MineField, numbers: Iterable[Cell], uses_total: bool) -> list[_Equation]:
    """Return an equation for each number, about the covered cells around it; then one for the total."""
    layout = field.layout
    equations = _order_equations(
        _equation(field, layout.neighbours(cell), field[cell]) for cell in dict.fromkeys(numbers)
    )
    return [*equations, _equation(field, layout.cells(), layout.total_mines)] if uses_total else equations


def _equation(field: MineField, cells: Iterable[Cell], mines: int) -> _Equation:
    """Return a number of mines among some cells as an equation about the covered ones."""
    shown = {cell: field[cell] for cell in cells}
    flags = sum(code == FLAGGED for code in shown.values())
    return _Equation(frozenset(cell for cell, code in shown.items() if code == COVERED), mines - flags)


def _order_equations(equations: Iterable[_Equation]) -> list[_Equation]:
    """Order equations so that those with common cells are close together."""
    line: list[_Equation] = []
    left, reached = list(equations), set[Cell]()
    while left:
        line.append(left.pop(max(range(len(left)), key=lambda place: len(left[place].cells & reached))))
        reached |= line[-1].cells
    return line


def _may_differ(equations: Sequence[_Equation], cell: Cell, mined: bool, meter: Meter) -> bool:
    """Do some equations allow a covered cell to be other than what is claimed?

    Cells in the same equations are alike, so only how many mines such a group holds matters: the cell is no mine in
    some way if its group is not full, and a mine in some way if its group is not empty. Groups are filled one after the
    other; a state is what each equation still needs.
    """
    groups: defaultdict[tuple[int, ...], int] = defaultdict(int)
    for other in frozenset().union(*(equation.cells for equation in equations)):
        groups[_members(equations, other)] += 1
    here = _members(equations, cell)
    room = [len(equation.cells) for equation in equations]  # the most mines that groups to come can hold
    states = {tuple(equation.mines for equation in equations)}
    for members, size in sorted(groups.items()):
        for number in members:
            room[number] -= size
        fewest, most = (0, size) if members != here else (0, size - 1) if mined else (1, size)
        states = {
            after
            for state in states
            for count in range(fewest, most + 1)
            if (after := _fill_group(state, members, count, room)) is not None
        }
        meter.spend(len(states) + 1)
    return bool(states)


def _members(equations: Sequence[_Equation], cell: Cell) -> tuple[int, ...]:
    return tuple(number for number, equation in enumerate(equations) if cell in equation.cells)


def _fill_group(
    state: tuple[int, ...], members: Sequence[int], count: int, room: Sequence[int]
) -> tuple[int, ...] | None:
    """Return what equations still need after a group holds ``count`` mines; None if that is impossible."""
    after = list(state)
    for number in members:
        after[number] -= count
        if not 0 <= after[number] <= room[number]:
            return None
    return tuple(after)
