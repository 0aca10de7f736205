"""What a solver knows at one moment: the numbers, and the cells decided so far with their proofs.

Sets of cells are integers with one bit per cell of the board, so that "inside", "without" and "how many" are single
operations. A technique returns a `Finding`: cells, the numbers it argued with, and the argument as data. The ladder
turns the finding into a `Deduction` once the proof is minimal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from mineproof.analysis.shrink import shrink
from mineproof.base.budget import Budget, Deadline
from mineproof.board.board import Board
from mineproof.board.cells import COVERED, FLAGGED, Cell
from mineproof.engine.answers import MINE, SAFE, Engine
from mineproof.engine.question import Question
from mineproof.wording.clauses import Clause, NumberAt

Cells = int  # a set: bit i stands for cell i


class Proof(NamedTuple):
    """Numbers, as cell indices, that force something; with the total if it is needed."""

    numbers: frozenset[int]
    uses_total: bool = False


class Restriction(NamedTuple):
    """Exactly ``need`` mines among ``cells``."""

    cells: Cells
    need: int


NOTHING_LEFT = Restriction(0, 0)


@dataclass(frozen=True, slots=True)
class Finding:
    """Cells that a technique proves certain, the numbers its argument names, and the argument.

    Cells decided earlier around those numbers are part of the argument; the ladder adds their proofs. ``chain`` is the
    number of steps of the argument.
    """

    safe: Cells
    mines: Cells
    numbers: tuple[int, ...]
    argument: Clause
    uses_total: bool = False
    chain: int = 1


@dataclass
class State:
    """The situation that a technique looks at. Techniques read it; only the ladder changes it, through `learn`."""

    board: Board  # whose flags are mines
    budget: Budget
    engine: Engine
    numbers: dict[int, Cells] = field(init=False)  # open number → the covered cells around it, decided or not
    mines: Cells = 0
    safe: Cells = 0
    proofs: dict[int, Proof] = field(default_factory=dict)  # by decided cell

    def __post_init__(self) -> None:
        self.deadline = Deadline(self.budget)  # of all work with this state
        self.codes, self.total = self.board.codes, self.board.total_mines
        covered = {i for i, code in enumerate(self.codes) if code == COVERED & 0xFF}
        self.covered: Cells = as_set(covered)
        self.flags = self.board.count(FLAGGED)
        self.numbers = {}
        self._flags_around: dict[int, int] = {}
        neighbours = self.board.geometry.neighbours
        for index in _numbers_with_covered(self.board):
            around = neighbours(index)
            self.numbers[index] = as_set(other for other in around if other in covered)
            self._flags_around[index] = sum(self.codes[other] == FLAGGED & 0xFF for other in around)
        self._restrictions = {number: self._restrict(number) for number in self.numbers}

    # reading

    @property
    def unknown(self) -> Cells:
        """Covered cells not decided yet."""
        return self.covered & ~(self.mines | self.safe)

    @property
    def mines_left(self) -> int | None:
        """Mines among the unknown cells, if the total is known."""
        return None if self.total is None else self.total - self.flags - self.mines.bit_count()

    def restriction(self, number: int) -> Restriction:
        """Mines that a number needs beyond the known ones, and the unknown cells around it."""
        return self._restrictions.get(number, NOTHING_LEFT)

    def restrictions(self) -> dict[int, Restriction]:
        """The restriction of every number with unknown cells, in row order."""
        return self._restrictions.copy()

    def _restrict(self, number: int) -> Restriction:
        cells = self.numbers[number]
        need = self.codes[number] - self._flags_around[number] - (cells & self.mines).bit_count()
        return Restriction(cells & ~(self.mines | self.safe), need)

    def known_mines_around(self, number: int) -> list[int]:
        """Flags and decided mines next to a number."""
        around = self.board.geometry.neighbours(number)
        return [i for i in around if self.codes[i] == FLAGGED & 0xFF or self.mines >> i & 1]

    # proving

    def proof_of(self, finding: Finding) -> Proof:
        """All the numbers a finding rests on, those that proved earlier cells included; not minimal."""
        numbers = set(finding.numbers)
        uses_total = finding.uses_total
        decided = self.mines | self.safe
        around = decided if finding.uses_total else union(self.numbers[number] for number in finding.numbers) & decided
        for cell in bits(around):
            numbers |= self.proofs[cell].numbers
            uses_total |= self.proofs[cell].uses_total
        return Proof(frozenset(numbers), uses_total)

    def forces(self, proof: Proof, safe: Cells, mines: Cells) -> bool:
        """Do these numbers (and the total) on their own make these cells certain?"""
        verdicts = self._verdicts(proof)
        claims = ((safe, SAFE), (mines, MINE))
        return all(verdicts[i] == verdict for cells, verdict in claims for i in bits(cells))

    def only(self, proof: Proof) -> State:
        """The situation of a player who sees only these numbers (and the total), at the start."""
        return State(self._board_with(proof), self.deadline.rest(), self.engine)

    def _board_with(self, proof: Proof) -> Board:
        return self.board.only(proof.numbers, total=proof.uses_total)

    def _verdicts(self, proof: Proof) -> bytes:
        return self.engine.solve(Question.of(self._board_with(proof)), self.budget).verdicts()

    def shrink(self, proof: Proof, safe: Cells, mines: Cells, keep: Sequence[int] = ()) -> Proof:
        """A minimal part of a proof; numbers in ``keep`` are the last to be removed."""
        if proof.uses_total and self.forces(Proof(proof.numbers), safe, mines):
            proof = Proof(proof.numbers)
        if len(proof.numbers) <= 1 and not proof.uses_total:
            return proof
        order = sorted(proof.numbers, key=lambda number: (number in keep, number))

        def suffices(numbers: Sequence[int]) -> bool:
            return self.forces(Proof(frozenset(numbers), proof.uses_total), safe, mines)

        return Proof(frozenset(shrink(order, suffices)), proof.uses_total)

    def learn(self, safe: Cells, mines: Cells, proof: Proof) -> None:
        """Add decided cells, with their proof."""
        self.safe |= safe
        self.mines |= mines
        for cell in bits(safe | mines):
            self.proofs[cell] = proof
            for number in self._restrictions.keys() & self.board.geometry.neighbours(cell):
                left = self._restrictions[number] = self._restrict(number)
                if not left.cells:
                    del self._restrictions[number]

    # arguments

    def cells(self, cells: Cells) -> tuple[Cell, ...]:
        """The members of a set as (row, column), in row order."""
        return tuple(map(self.board.cell, bits(cells)))

    def number(self, index: int, *, need: int | None = None) -> NumberAt:
        """A number as arguments name it."""
        return NumberAt(self.board.cell(index), self.codes[index], need)

    def number_list(self, indices: Iterable[int]) -> tuple[NumberAt, ...]:
        """Numbers as arguments name them."""
        return tuple(map(self.number, indices))

    def count_left(self) -> Clause:
        """The mines left; or the mines of the board, if none of them is known."""
        return Clause("count-left" if self.flags or self.mines else "board-has", count=self.mines_left or 0)

    def safe_or_mines(self, prefix: str, cells: Cells, *, mines: bool, count: int | None = None) -> Clause:
        """A conclusion about cells: with the prefix ``so``, of the kind ``so-safe`` or ``so-mines``."""
        return Clause(f"{prefix}-{'mines' if mines else 'safe'}", self.cells(cells), count=count)


def bits(cells: Cells) -> Iterator[int]:
    """The members of a set, ascending."""
    while cells:
        low = cells & -cells
        yield low.bit_length() - 1
        cells ^= low


def as_set(cells: Iterable[int]) -> Cells:
    """The set with these members."""
    members = 0
    for cell in cells:
        members |= 1 << cell
    return members


def _numbers_with_covered(board: Board) -> list[int]:
    """Open numbers that have a covered neighbour, ascending; all at once, since a board may have many covered cells."""
    codes = np.frombuffer(board.codes, dtype=np.int8)
    next_to = np.append(codes == COVERED, False)[board.geometry.table].any(axis=1)
    return np.flatnonzero((codes >= 0) & next_to).tolist()


def union(sets: Iterable[Cells]) -> Cells:
    """All members of some sets."""
    members = 0
    for cells in sets:
        members |= cells
    return members
