"""A layout opened by certainty alone: the careful player's game, its certificate, and two ways of checking.

Walking    Play a layout as a careful person would. After every deduction that frees a cell, open the cell (a zero opens
           its surroundings) and look again from the bottom of the ladder, because what it shows may make the next step
           easy. So a technique is named only where nothing simpler went on, and the hardest one named is really needed.
           One climb of the ladder for each opening; single-number steps are taken together, since they are most of a
           game and opening one cell earlier makes none of them harder.
Verifying  A certificate is that game with its proofs, for somebody who trusts neither ladder nor engine. `verify` plays
           the layout itself and asks of every step whether the numbers it names, with the mines proved before, leave
           another way: cells touched by the same numbers are a group, groups are filled one after the other, and what
           each number still needs is the only thing remembered. Nothing here is shared with what found the proofs.
Checking   To know only whether a guess is forced, open everything the engine is certain of until nothing is: `check`,
           some thirty times as fast as a walk.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import msgspec

from mineproof.analysis import analyze
from mineproof.board import Board
from mineproof.budget import Budget, Deadline, Meter
from mineproof.codes import COVERED, FLAGGED
from mineproof.errors import BoardSyntaxError, Cell, IllegalMoveError, MineproofError
from mineproof.field import Field
from mineproof.hints import Hint, hint
from mineproof.ladder import LADDER, steps
from mineproof.layout import Layout
from mineproof.techniques.deduction import Deduction
from mineproof.techniques.state import listing, plural
from mineproof.topology import Kind
from mineproof.wording import at

SCHEMA, CHECK_SCHEMA = "mineproof/certificate/1", "mineproof/check/1"
EASY = "single-flag"  # up to here deductions are taken together
RUNGS: list[str] = list(LADDER)


class CertificateError(MineproofError, ValueError):
    """A certificate that does not prove what it claims of a layout; ``step`` counts from 0, None for the whole."""

    code = "certificate"

    def __init__(self, message: str, step: int | None = None) -> None:
        self.step = step
        super().__init__(message if step is None else f"step {step}: {message}")

    def as_json(self) -> dict[str, object]:
        return {**super().as_json(), "step": self.step}


# a game in which only what is certain is opened and flagged


def first_click(layout: Layout, start: Cell | None) -> Cell:
    """Where a careful player begins: at a cell given or the layout's own. IllegalMoveError where nobody can."""
    cell = layout.start if start is None else start
    if cell is None:
        raise IllegalMoveError("the layout names no first click, so one must be given")
    if not (0 <= cell[0] < layout.rows and 0 <= cell[1] < layout.columns):
        raise IllegalMoveError(f"found {at(cell)}, expected a cell of a board of {layout.rows} × {layout.columns}")
    if cell in layout.absent:
        raise IllegalMoveError(f"{at(cell)} is not part of the board: nobody can start there")
    if cell in layout.mines:
        raise IllegalMoveError(f"{at(cell)} is a mine: nobody can start there")
    return cell


def _open(field: Field, cells: Iterable[Cell]) -> tuple[Cell, ...]:
    """Open safe cells, those that are not open yet; all that was opened, in row order."""
    opened = field.open([cell for cell in cells if field[cell] == COVERED])
    return tuple(sorted(field.shown(opened)))


def _flag(field: Field, cells: Iterable[Cell]) -> None:
    for cell in cells:
        field.mark(cell, FLAGGED)


def _take(field: Field, claim: Deduction) -> tuple[Cell, ...]:
    """Act on a deduction; the cells that opened."""
    _flag(field, claim.mines)
    return _open(field, claim.safe)


# walking


@dataclass(frozen=True, slots=True)
class Step:
    """One deduction, and the cells that its safe ones opened, in row order."""

    deduction: Deduction
    opened: tuple[Cell, ...]

    def as_json(self) -> dict[str, object]:
        return {**self.deduction.as_json(), "opened": [list(cell) for cell in self.opened]}


@dataclass(frozen=True, slots=True)
class Walk:
    """How far a careful player comes: ``opened`` by the first click, then by steps; ``board`` is where it ended.

    Mines that were proved are flagged on the board. Steps after the last one that led to a cell are left out.
    """

    start: Cell
    opened: tuple[Cell, ...]
    steps: tuple[Step, ...]
    board: Board
    solved: bool


def walk(
    layout: Layout, start: Cell | None = None, *, upto: str = RUNGS[-1], budget: Budget | float | None = None
) -> Walk:
    """Play a layout by deduction from a first click, by default its own, with no harder technique than one.

    The budget is for each climb of the ladder. Raises IllegalMoveError when the first click hits a mine.
    """
    limit, cell = Budget.of(budget), first_click(layout, start)
    field = Field(layout)
    opened = _open(field, [cell])
    taken: list[Step] = []
    while not field.is_cleared and (more := _go_on(field, upto, limit)):
        taken += more
    return Walk(cell, opened, tuple(taken), field.board, field.is_cleared)


def _go_on(field: Field, upto: str, budget: Budget) -> list[Step]:
    """Take deductions until a cell is opened; those taken, none if none leads to a cell."""
    taken = list(steps(field.board, upto=min(upto, EASY, key=RUNGS.index), budget=budget))
    _flag(field, (cell for step in taken for cell in step.mines))
    if not any(step.safe for step in taken):
        for step in steps(field.board, upto=upto, budget=budget):
            taken.append(step)
            _flag(field, step.mines)
            if step.safe:
                break
    told = [Step(step, _open(field, step.safe)) for step in taken]
    return told if any(step.opened for step in told) else []


# certificates


@dataclass(frozen=True, slots=True)
class Certificate:
    """Why a layout needs no guess: every step from the first click on, with its proof; see `verify`.

    A step's proof is its numbers ``because``, the total if it ``uses_total``, and what earlier steps proved. ``solved``
    is False, and there is nothing to verify, where a guess was needed after these steps.
    """

    rows: int
    columns: int
    total_mines: int
    topology: Kind
    start: Cell
    opened: tuple[Cell, ...]
    steps: tuple[Step, ...]
    solved: bool

    def as_json(self) -> dict[str, object]:
        """The ``mineproof/certificate/1`` shape."""
        return {
            "schema": SCHEMA,
            "rows": self.rows,
            "columns": self.columns,
            "total_mines": self.total_mines,
            "topology": self.topology,
            "start": list(self.start),
            "opened": [list(cell) for cell in self.opened],
            "steps": [step.as_json() for step in self.steps],
            "solved": self.solved,
        }

    @staticmethod
    def from_json(text: str | bytes) -> Certificate:
        """Read what `as_json` has, written as text; BoardSyntaxError names the key that is wrong."""
        try:
            found = msgspec.json.decode(text, type=_Document)
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            raise BoardSyntaxError(f"certificate: {error}") from None
        return Certificate(
            found.rows, found.columns, found.total_mines, found.topology, found.start, found.opened,
            tuple(step.step() for step in found.steps), found.solved,
        )  # fmt: skip


class _StepDocument(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    technique: str
    safe: frozenset[Cell]
    mines: frozenset[Cell]
    because: tuple[Cell, ...]
    uses_total: bool
    text: str
    opened: tuple[Cell, ...]

    def step(self) -> Step:
        deduction = Deduction(self.technique, self.safe, self.mines, self.because, self.uses_total, self.text)
        return Step(deduction, self.opened)


class _Document(msgspec.Struct, tag_field="schema", tag=SCHEMA, kw_only=True, forbid_unknown_fields=True):
    rows: int
    columns: int
    total_mines: int
    topology: Kind
    start: Cell
    opened: tuple[Cell, ...]
    steps: list[_StepDocument]
    solved: bool


def certify(layout: Layout, start: Cell | None = None, *, budget: Budget | float | None = None) -> Certificate:
    """The certificate that a layout needs no guess from a first click, by default its own; not ``solved`` if it does.

    The budget is for each climb of the ladder. Raises IllegalMoveError when the first click hits a mine.

    >>> found = certify(Layout(3, 3, frozenset([(0, 0), (0, 2)])), (2, 1))
    >>> found.solved, [step.deduction.technique for step in found.steps]
    (True, ['partition', 'single-open'])
    """
    found = walk(layout, start, budget=budget)
    size = layout.rows, layout.columns, layout.total_mines, layout.topology
    told = tuple(_lean_steps(found, layout, Meter(Budget.of(budget))))
    return Certificate(*size, found.start, found.opened, told, found.solved)


def _lean_steps(found: Walk, layout: Layout, meter: Meter) -> Iterator[Step]:
    """The steps of a walk that tell something new, with the numbers that it takes after those before.

    The ladder proves what it takes together each from the numbers alone; here a step may build on the one before it.
    """
    field = Field(layout)
    field.open([found.start])
    for step in found.steps:
        if _news(field, step.deduction):
            yield Step(_lean(field, step.deduction, meter), step.opened)
        _take(field, step.deduction)


def _lean(field: Field, claim: Deduction, meter: Meter) -> Deduction:
    for cell in claim.because:
        fewer = replace(claim, because=tuple(other for other in claim.because if other != cell))
        if _doubtful(field, fewer, meter) is None:
            claim = fewer
    free = replace(claim, uses_total=False)
    return free if _doubtful(field, free, meter) is None else claim


# verifying


def verify(certificate: Certificate, layout: Layout, *, budget: Budget | float | None = None) -> None:
    """Check that a certificate proves a layout to need no guess; CertificateError says where it does not.

    The budget is for the whole certificate.
    """
    _same_board(certificate, layout)
    try:
        start = first_click(layout, certificate.start)
    except IllegalMoveError as error:
        raise CertificateError(f"the start cannot be: {error}") from None
    field, meter = Field(layout), Meter(Budget.of(budget))
    if _open(field, [start]) != certificate.opened:
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


class _Unproved(Exception):
    """What is wrong with a step."""


def _same_board(certificate: Certificate, layout: Layout) -> None:
    meant = certificate.rows, certificate.columns, certificate.total_mines, certificate.topology
    found = layout.rows, layout.columns, layout.total_mines, layout.topology
    if meant != found:
        told = ["{} × {} with {} mines, {}".format(*each) for each in (found, meant)]
        raise CertificateError(f"found a layout of {told[0]}, expected {told[1]}")


def _verify_step(field: Field, step: Step, meter: Meter) -> None:
    claim = step.deduction
    _check_cells(field, claim)
    if (cell := _doubtful(field, claim, meter)) is not None:
        fate = "a mine" if cell in claim.mines else "safe"
        raise _Unproved(f"{_argument(field, claim)} {at(cell)} need not be {fate}")
    if _take(field, claim) != step.opened:
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


def _news(field: Field, claim: Deduction) -> list[Cell]:
    """The cells that a deduction tells something new about."""
    safe = [cell for cell in claim.safe if field[cell] < 0]
    return sorted([*safe, *(cell for cell in claim.mines if field[cell] != FLAGGED)])


def _doubtful(field: Field, claim: Deduction, meter: Meter) -> Cell | None:
    """A cell that need not be what a deduction says, by its own numbers and by what is open and flagged."""
    equations = _equations(field, claim.because, claim.uses_total)
    for cell in _news(field, claim):
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
    told = _in_line(_equation(field, layout.around(cell), field[cell]) for cell in dict.fromkeys(numbers))
    return [*told, _equation(field, layout.cells(), layout.total_mines)] if uses_total else told


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
    """Do some equations leave a covered cell another fate than the one claimed?

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


# checking


@dataclass(frozen=True, slots=True)
class Check:
    """Whether a layout needs no guess from a start; see `check`.

    ``board`` is where certainty ended, with every certain mine flagged. If that is not the end of the game, it is the
    first forced guess, and ``guess`` has the safest cell with its odds.
    """

    start: Cell
    no_guess: bool
    board: Board
    safe_cells: int
    guess: Hint | None

    @property
    def open_cells(self) -> int:
        """How many of the ``safe_cells`` are open where it ended."""
        return sum(code <= 8 for code in self.board.codes)

    def as_json(self) -> dict[str, object]:
        """The ``mineproof/check/1`` shape; ``board`` is in our own alphabet."""
        return {
            "schema": CHECK_SCHEMA,
            "start": list(self.start),
            "no_guess": self.no_guess,
            "open_cells": self.open_cells,
            "safe_cells": self.safe_cells,
            "board": str(self.board).split("\n"),
            "guess": None if self.guess is None else self.guess.as_json(),
        }


def check(layout: Layout, start: Cell | None = None, *, budget: Budget | float | None = None) -> Check:
    """Whether a layout needs no guess from a first click, by default its own, and where the first forced one is.

    The budget is for each question to the exact engine. Raises IllegalMoveError when the first click hits a mine.

    >>> found = check(Layout(1, 5, frozenset([(0, 1), (0, 4)])), (0, 2))
    >>> found.no_guess, found.guess.cell, found.guess.exact
    (False, (0, 0), Fraction(1, 2))
    """
    limit, cell = Budget.of(budget), first_click(layout, start)
    field = Field(layout)
    _open(field, [cell])
    _flag(field, _open_certain(field, limit))
    guess = None if field.is_cleared else hint(field.board, flags="trust", budget=limit)
    return Check(cell, field.is_cleared, field.board, len(layout.cells()) - layout.total_mines, guess)


def _open_certain(field: Field, budget: Budget) -> frozenset[Cell]:
    """Open all that is certainly safe, as far as it goes; the mines that are certain in the end."""
    while True:
        found = analyze(field.board, budget=budget)
        if not found.safe:
            return found.mines
        field.open(found.safe)


def no_guess_starts(layout: Layout, *, budget: Budget | float | None = None) -> list[Cell]:
    """Every cell from which a layout needs no guess, in row order. The budget is for all of them together."""
    deadline = Deadline(Budget.of(budget))
    verdicts: dict[bytes, bool] = {}  # by what the first click shows: zeros that touch open the same
    found = []
    for cell in layout.cells():
        if cell in layout.mines:
            continue
        field = Field(layout)
        field.open([cell])
        shown = field.board.codes
        if shown not in verdicts:
            deadline.check()
            _open_certain(field, deadline.rest())
            verdicts[shown] = field.is_cleared
        if verdicts[shown]:
            found.append(cell)
    return found
