"""The certificate of a layout that needs no guess: every step of a careful game with its proof, as data and as JSON.

It is made by `mineproof.generation.certifying` and checked by `mineproof.generation.verifier`.
"""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from mineproof.base.words import at, plural, size
from mineproof.board.cells import Cell
from mineproof.board.geometry import Topology
from mineproof.deduction.deduction import Deduction
from mineproof.errors import BoardSyntaxError, MineproofError

SCHEMA = "mineproof/certificate/1"


class CertificateError(MineproofError, ValueError):
    """A certificate that does not prove what it claims of a layout; ``step`` counts from 0, None for the whole."""

    code = "certificate"

    def __init__(self, message: str, step: int | None = None) -> None:
        self.step = step
        super().__init__(message if step is None else f"step {step}: {message}")

    def as_json(self) -> dict[str, object]:
        return {**super().as_json(), "step": self.step}


@dataclass(frozen=True, slots=True)
class ProofStep:
    """One deduction, and the cells that its safe ones opened, in row order."""

    deduction: Deduction
    opened: tuple[Cell, ...]

    def as_json(self) -> dict[str, object]:
        return {**self.deduction.as_json(), "opened": [list(cell) for cell in self.opened]}


@dataclass(frozen=True, slots=True)
class Certificate:
    """Why a layout needs no guess: every step from the first click on, with its proof; see `verify`.

    A step's proof is its numbers ``because``, the total if it ``uses_total``, and what earlier steps proved. ``solved``
    is False, and there is nothing to verify, where a guess was needed after these steps.
    """

    rows: int
    columns: int
    total_mines: int
    topology: Topology
    start: Cell
    opened: tuple[Cell, ...]
    steps: tuple[ProofStep, ...]
    solved: bool

    def __repr__(self) -> str:
        board = size(self.rows, self.columns, self.total_mines)
        end = "" if self.solved else ", then a guess"
        return f"<Certificate of {board}: {plural(len(self.steps), 'step')} from {at(self.start)}{end}>"

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
            found = _read_document(text)
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

    def step(self) -> ProofStep:
        deduction = Deduction(self.technique, self.safe, self.mines, self.because, self.uses_total, self.text)
        return ProofStep(deduction, self.opened)


class _Document(msgspec.Struct, tag_field="schema", tag=SCHEMA, kw_only=True, forbid_unknown_fields=True):
    rows: int
    columns: int
    total_mines: int
    topology: Topology
    start: Cell
    opened: tuple[Cell, ...]
    steps: list[_StepDocument]
    solved: bool


# Made at import: msgspec crashes where two threads make one at once.
_read_document = msgspec.json.Decoder(_Document).decode
