"""The certificate of a layout that needs no guess: every step of a careful game with its proof, as data and as JSON.

`mineproof.generation.certificate_builder` creates it, `mineproof.generation.verifier` checks it.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import msgspec

from mineproof.base.words import at, plural, size
from mineproof.board.cells import Cell
from mineproof.board.geometry import Topology
from mineproof.deduction.deduction import Deduction
from mineproof.errors import BoardSyntaxError, ErrorJson, MineproofError
from mineproof.wording.arguments import render_argument
from mineproof.wording.catalogue import DEFAULT_LANGUAGE, use_language
from mineproof.wording.cells import use_cell_labels
from mineproof.wording.clauses import Clause

if TYPE_CHECKING:
    from mineproof.generation.wire import CertificateJson, ProofStepJson

SCHEMA: Final = "mineproof/certificate/1"


class CertificateError(MineproofError, ValueError):
    """A certificate that does not prove what it claims of a layout; ``step`` counts from 0, None for the whole."""

    code = "certificate"

    def __init__(self, message: str, step: int | None = None) -> None:
        self.step = step
        super().__init__(message if step is None else f"step {step}: {message}")

    def as_json(self) -> ErrorJson:
        return {**super().as_json(), "step": self.step}


@dataclass(frozen=True, slots=True)
class ProofStep:
    """One deduction, and the cells that its safe ones opened, in row order."""

    deduction: Deduction
    opened: tuple[Cell, ...]

    def as_json(self) -> ProofStepJson:
        """Return this step as a JSON object; its text is English, because the digest covers it."""
        with use_language(DEFAULT_LANGUAGE), use_cell_labels("index"):
            return {**self.deduction.as_json(), "opened": [list(cell) for cell in self.opened]}


@dataclass(frozen=True, slots=True)
class Certificate:
    """Why a layout needs no guess: every step from the first click on, with its proof; see `verify`.

    A step's proof is its numbers ``because``, the total if it ``uses_total``, and what earlier steps proved. ``solved``
    is False, and there is nothing to verify, if a guess was needed after these steps. ``digest`` shows whether the
    certificate was changed after it was created; it is None in older certificates.
    """

    rows: int
    columns: int
    total_mines: int
    topology: Topology
    start: Cell
    opened: tuple[Cell, ...]
    steps: tuple[ProofStep, ...]
    solved: bool
    digest: str | None = None

    def __repr__(self) -> str:
        board = size(self.rows, self.columns, self.total_mines)
        end = "" if self.solved else ", then a guess"
        return f"<Certificate of {board}: {plural(len(self.steps), 'step')} from {at(self.start)}{end}>"

    def as_json(self) -> CertificateJson:
        """Return ``mineproof/certificate/1``."""
        return self._content() | ({} if self.digest is None else {"digest": self.digest})

    def computed_digest(self) -> str:
        """Return the SHA-256 of the JSON without the digest, keys sorted and without blanks, in hexadecimal digits."""
        text = json.dumps(self._content(), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()

    def sealed(self) -> Certificate:
        """Return the same certificate with the digest of its content."""
        return replace(self, digest=self.computed_digest())

    def _content(self) -> CertificateJson:
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
        """Read the JSON text of a certificate. Raises BoardSyntaxError, which names the wrong key."""
        try:
            document = _read_document(text)
            steps = tuple(step.step() for step in document.steps)
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            raise BoardSyntaxError(f"certificate: {error}") from None
        return Certificate(
            document.rows, document.columns, document.total_mines, document.topology, document.start, document.opened,
            steps, document.solved, document.digest,
        )  # fmt: skip


class _StepDocument(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    technique: str
    safe: frozenset[Cell]
    mines: frozenset[Cell]
    because: tuple[Cell, ...]
    uses_total: bool
    text: str
    opened: tuple[Cell, ...]
    pattern: str | None = None  # the first clause of the argument says the same
    argument: Clause | None = None  # None in older certificates

    def step(self) -> ProofStep:
        argument = Clause.of_text(self.text) if self.argument is None else self.argument
        render_argument(argument)  # ValueError if a clause is unknown or incomplete
        if self.pattern != argument.pattern:
            raise ValueError(f"expected the pattern of the argument, {argument.pattern!r}, got {self.pattern!r}")
        claim = (self.technique, self.safe, self.mines, self.because, self.uses_total)
        return ProofStep(Deduction(*claim, argument, stored_text=self.text), self.opened)


class _CertificateDocument(msgspec.Struct, tag_field="schema", tag=SCHEMA, kw_only=True, forbid_unknown_fields=True):
    rows: int
    columns: int
    total_mines: int
    topology: Topology
    start: Cell
    opened: tuple[Cell, ...]
    steps: list[_StepDocument]
    solved: bool
    digest: str | None = None


# Made at import: msgspec crashes where two threads make one at once.
_read_document = msgspec.json.Decoder(_CertificateDocument).decode
