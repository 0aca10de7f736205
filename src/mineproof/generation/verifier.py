"""Checking a certificate for somebody who trusts neither the ladder nor the engine.

The layout is played, and of every step it is asked whether the numbers it names, with the mines proved before, leave
another way: cells touched by the same numbers are a group, groups are filled one after the other, and what each number
still needs is the only thing remembered. This module imports nothing that finds proofs; a test walks its imports.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from mineproof.base import checks
from mineproof.base.budget import Budget, Meter
from mineproof.base.words import at, listing, plural
from mineproof.base.words import size as board_size
from mineproof.board.cells import COVERED, FLAGGED, Cell
from mineproof.deduction.deduction import Deduction
from mineproof.errors import IllegalMoveError
from mineproof.game.field import Field
from mineproof.game.layout import Layout
from mineproof.generation.careful import open_safe, start_cell, take
from mineproof.generation.certificate import Certificate, CertificateError, ProofStep


def verify(certificate: Certificate, layout: Layout, *, budget: Budget | float | None = None) -> None:
    """Check that a certificate proves a layout to need no guess; CertificateError says where it does not.

    The budget is for the whole certificate.
    """
    checks.instance("certificate", certificate, Certificate, "certify makes one")
    _same_board(certificate, checks.instance("layout", layout, Layout, "formats.read gives one"))
    try:
        start = start_cell(layout, certificate.start)
    except IllegalMoveError as error:
        raise CertificateError(f"the start cannot be: {error}") from None
    field, meter = Field(layout), Meter(Budget.of(budget))
    if open_safe(field, [start]) != certificate.opened:
        raise CertificateError(f"the first click at {at(start)} opens other cells than are listed")
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


def fault_of(
    certificate: Certificate, layout: Layout, start: Cell, *, budget: Budget | float | None = None
) -> CertificateError | None:
    """What is wrong with a certificate for a layout that is opened from ``start``; None if it proves it."""
    if certificate.start != start:
        return CertificateError(f"it starts at {at(certificate.start)}, and {at(start)} was asked for")
    try:
        verify(certificate, layout, budget=budget)
    except CertificateError as error:
        return error
    return None


class _Unproved(Exception):
    """What is wrong with a step."""


def _same_board(certificate: Certificate, layout: Layout) -> None:
    meant = certificate.rows, certificate.columns, certificate.total_mines, certificate.topology
    found = layout.rows, layout.columns, layout.total_mines, layout.topology
    if meant != found:
        words = [f"{board_size(rows, columns, mines)}, {topology}" for rows, columns, mines, topology in (found, meant)]
        raise CertificateError(f"found a layout of {words[0]}, expected {words[1]}")


def _verify_step(field: Field, step: ProofStep, meter: Meter) -> None:
    claim = step.deduction
    _check_cells(field, claim)
    if (cell := doubtful_cell(field, claim, meter)) is not None:
        verdict = "a mine" if cell in claim.mines else "safe"
        raise _Unproved(f"{_argument(field, claim)} {at(cell)} need not be {verdict}")
    if take(field, claim) != step.opened:
        raise _Unproved("its safe cells open other cells than are listed")


def _check_cells(field: Field, claim: Deduction) -> None:
    """A step speaks of cells of the board, and argues with numbers that are seen."""
    layout = field.layout
    for row, column in sorted(claim.safe | claim.mines | frozenset(claim.because)):
        if not (0 <= row < layout.rows and 0 <= column < layout.columns) or (row, column) in layout.absent:
            raise _Unproved(f"{at((row, column))} is not a cell of the board")
    for cell in claim.because:
        if field[cell] < 0:
            raise _Unproved(f"{at(cell)} is not an open number")
    for cell in claim.safe & claim.mines:
        raise _Unproved(f"{at(cell)} cannot be both safe and a mine")


def _argument(field: Field, claim: Deduction) -> str:
    """What a step argued with, as the beginning of a sentence."""
    parts = [f"the {field[cell]} at {at(cell)}" for cell in claim.because]
    parts += ["the total"] if claim.uses_total else []
    return f"by {listing(parts)} alone" if parts else "without any number"


def new_cells(field: Field, claim: Deduction) -> list[Cell]:
    """The cells that a deduction tells something new about."""
    safe = [cell for cell in claim.safe if field[cell] < 0]
    return sorted([*safe, *(cell for cell in claim.mines if field[cell] != FLAGGED)])


def doubtful_cell(field: Field, claim: Deduction, meter: Meter) -> Cell | None:
    """A cell that need not be what a deduction says, by its own numbers and by what is open and flagged."""
    equations = _equations(field, claim.because, claim.uses_total)
    for cell in new_cells(field, claim):
        if field[cell] != COVERED or _may_differ(equations, cell, cell in claim.mines, meter):
            return cell
    return None


class _Equation(NamedTuple):
    """So many mines among these covered cells."""

    cells: frozenset[Cell]
    mines: int


def _equations(field: Field, numbers: Iterable[Cell], uses_total: bool) -> list[_Equation]:
    """What numbers say, each about the covered cells around it; then the total, which is about all of them."""
    layout = field.layout
    said = _in_line(_equation(field, layout.neighbours(cell), field[cell]) for cell in dict.fromkeys(numbers))
    return [*said, _equation(field, layout.cells(), layout.total_mines)] if uses_total else said


def _equation(field: Field, cells: Iterable[Cell], mines: int) -> _Equation:
    """So many mines among some cells, told of those that are not known yet."""
    shown = {cell: field[cell] for cell in cells}
    flags = sum(code == FLAGGED for code in shown.values())
    return _Equation(frozenset(cell for cell, code in shown.items() if code == COVERED), mines - flags)


def _in_line(equations: Iterable[_Equation]) -> list[_Equation]:
    """Equations so ordered that those with common cells stand close together."""
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
            if (after := _filled(state, members, count, room)) is not None
        }
        meter.spend(len(states) + 1)
    return bool(states)


def _members(equations: Sequence[_Equation], cell: Cell) -> tuple[int, ...]:
    return tuple(number for number, equation in enumerate(equations) if cell in equation.cells)


def _filled(state: tuple[int, ...], members: Sequence[int], count: int, room: Sequence[int]) -> tuple[int, ...] | None:
    """What is still needed once a group holds so many mines, if that can be met."""
    after = list(state)
    for number in members:
        after[number] -= count
        if not 0 <= after[number] <= room[number]:
            return None
    return tuple(after)
