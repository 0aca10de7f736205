"""What a reasoner knows at one moment: the numbers, and the cells decided so far with their proofs.

Sets of cells are whole numbers with one bit per cell of the board, so that "inside", "without" and "how many" are
single operations. A `Finding` is what a technique hands back: cells, the numbers it argued with, and the words. The
ladder turns it into a `Deduction` once the proof is made minimal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from mineproof.analysis.shrink import shrink
from mineproof.base.budget import Budget, Deadline
from mineproof.base.words import at, listing, plural
from mineproof.board.board import Board
from mineproof.board.cells import COVERED, FLAGGED
from mineproof.engine.answers import MINE, SAFE, Engine
from mineproof.engine.question import Question

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
    """Cells a technique found certain, the numbers its words speak of, and the words.

    Cells decided earlier around those numbers are part of the argument; the ladder adds their proofs. ``chain`` is how
    many steps the argument has.
    """

    safe: Cells
    mines: Cells
    numbers: tuple[int, ...]
    text: str
    uses_total: bool = False
    chain: int = 1


@dataclass
class State:
    """The situation a technique looks at. Techniques read it; only the ladder adds to it, through `learn`."""

    board: Board  # whose flags are mines
    budget: Budget
    engine: Engine
    numbers: dict[int, Cells] = field(init=False)  # open number → the covered cells around it, decided or not
    mines: Cells = 0
    safe: Cells = 0
    proofs: dict[int, Proof] = field(default_factory=dict)  # by decided cell

    def __post_init__(self) -> None:
        self.deadline = Deadline(self.budget)  # for all that is done with it
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

    # looking

    @property
    def unknown(self) -> Cells:
        """Covered cells not decided yet."""
        return self.covered & ~(self.mines | self.safe)

    @property
    def mines_left(self) -> int | None:
        """Mines among the unknown cells, if the total is known."""
        return None if self.total is None else self.total - self.flags - self.mines.bit_count()

    def restriction(self, number: int) -> Restriction:
        """What a number still says about the unknown cells around it."""
        return self._restrictions.get(number, NOTHING_LEFT)

    def restrictions(self) -> dict[int, Restriction]:
        """Every number that still has unknown cells, in row order."""
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
        around = decided if finding.uses_total else _union(self.numbers[number] for number in finding.numbers) & decided
        for cell in bits(around):
            numbers |= self.proofs[cell].numbers
            uses_total |= self.proofs[cell].uses_total
        return Proof(frozenset(numbers), uses_total)

    def forces(self, proof: Proof, safe: Cells, mines: Cells) -> bool:
        """Do these numbers (and the total) on their own make these cells certain?"""
        verdicts = self._verdicts(proof)
        wanted = ((safe, SAFE), (mines, MINE))
        return all(verdicts[i] == verdict for cells, verdict in wanted for i in bits(cells))

    def forced(self, proof: Proof) -> tuple[Cells, Cells]:
        """Every cell that these numbers (and the total) on their own make safe, and make a mine."""
        verdicts = self._verdicts(proof)
        safe = as_set(i for i, verdict in enumerate(verdicts) if verdict == SAFE)
        return safe, as_set(i for i, verdict in enumerate(verdicts) if verdict == MINE)

    def only(self, proof: Proof) -> State:
        """The situation of somebody who sees only these numbers (and the total), at the start."""
        return State(self._board_with(proof), self.deadline.rest(), self.engine)

    def _board_with(self, proof: Proof) -> Board:
        return self.board.only(proof.numbers, total=proof.uses_total)

    def _verdicts(self, proof: Proof) -> bytes:
        return self.engine.solve(Question.of(self._board_with(proof)), self.budget).verdicts()

    def shrink(self, proof: Proof, safe: Cells, mines: Cells, keep: Sequence[int] = ()) -> Proof:
        """A part of a proof of which nothing can be spared; numbers in ``keep`` are the last to be tried."""
        if proof.uses_total and self.forces(Proof(proof.numbers), safe, mines):
            proof = Proof(proof.numbers)
        if len(proof.numbers) <= 1 and not proof.uses_total:
            return proof
        order = sorted(proof.numbers, key=lambda number: (number in keep, number))

        def suffices(numbers: Sequence[int]) -> bool:
            return self.forces(Proof(frozenset(numbers), proof.uses_total), safe, mines)

        return Proof(frozenset(shrink(order, suffices)), proof.uses_total)

    def learn(self, safe: Cells, mines: Cells, proof: Proof) -> None:
        """Take cells for decided from now on."""
        self.safe |= safe
        self.mines |= mines
        for cell in bits(safe | mines):
            self.proofs[cell] = proof
            for number in self._restrictions.keys() & self.board.geometry.neighbours(cell):
                left = self._restrictions[number] = self._restrict(number)
                if not left.cells:
                    del self._restrictions[number]

    # words

    def name(self, number: int) -> str:
        """A number as a reader finds it: ``3 at (0,2)``."""
        return f"{self.codes[number]} at {self.at(number)}"

    def needs(self, number: int) -> str:
        """``needs``, or ``still needs`` where some of its mines are known."""
        return "needs" if self.restriction(number).need == self.codes[number] else "still needs"

    def count_left(self) -> str:
        """``2 mines are left``, or ``the board has 2 mines`` where none has been found."""
        left = self.mines_left or 0
        mines = plural(left, "mine") if left else "no mine"
        if self.flags or self.mines:
            return f"{mines} {'are' if left > 1 else 'is'} left"
        return f"the board has {mines}"

    def at(self, index: int) -> str:
        return at(self.board.cell(index))

    def list(self, cells: Cells) -> str:
        """Cells in words: ``(1,1), (1,2) and (1,3)``."""
        return listing([self.at(index) for index in bits(cells)])


def bits(cells: Cells) -> Iterator[int]:
    """The members of a set, ascending."""
    while cells:
        low = cells & -cells
        yield low.bit_length() - 1
        cells ^= low


def as_set(cells: Iterable[int]) -> Cells:
    found = 0
    for cell in cells:
        found |= 1 << cell
    return found


def _numbers_with_covered(board: Board) -> list[int]:
    """Open numbers that have a covered neighbour, ascending; all at once, since a board may have many covered cells."""
    codes = np.frombuffer(board.codes, dtype=np.int8)
    next_to = np.append(codes == COVERED, False)[board.geometry.table].any(axis=1)
    return np.flatnonzero((codes >= 0) & next_to).tolist()


def _union(sets: Iterable[Cells]) -> Cells:
    found = 0
    for cells in sets:
        found |= cells
    return found
