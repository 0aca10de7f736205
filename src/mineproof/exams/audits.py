"""Audits: which claimed answers of a position are wrong, undecidable or incomplete, with a proof for each.

Wrong         The opposite of the claim is certain. The proof are the steps that decide the cell.
Undecidable   The layouts that fit disagree. The proof are two of them, one for each side, and how many there are.
Incomplete    A certain cell is missing in a list that claims to be complete. The proof are the steps that decide it.
Impossible    No layout fits the position. The proof are the few numbers that contradict each other.
Cost          One analysis for each position; the ladder and further counts only for positions with a fault.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Final, Literal, get_args

from mineproof.advice.hints import LAYOUT_SHARE_MAX_DIGITS
from mineproof.advice.proofs import leading_to
from mineproof.analysis.analysis import Analysis, analyze
from mineproof.analysis.judgement import EVEN_DENSITY
from mineproof.base import checks
from mineproof.base.budget import Budget, Deadline
from mineproof.board.board import Board
from mineproof.board.cells import COVERED, FLAGGED, Cell, pairs
from mineproof.deduction.deduction import Deduction
from mineproof.deduction.ladder import LADDER_MAX_CELLS, steps
from mineproof.engine.answers import Engine
from mineproof.engine.default import chosen_engine
from mineproof.engine.question import Question
from mineproof.errors import ContradictionError
from mineproof.exams.labels import LabelledPosition
from mineproof.exams.tasks import CellState, state_of
from mineproof.wording.phrases import CellValue, HasText, Phrase, Risk, phrase

if TYPE_CHECKING:
    from mineproof.exams.wire import AuditJson, LabelFaultJson

SCHEMA: Final = "mineproof/audit/1"
AuditVerdict = Literal["right", "incomplete", "undecidable", "wrong", "impossible"]
AUDIT_VERDICTS: tuple[AuditVerdict, ...] = get_args(AuditVerdict)  # the worst last


@dataclass(frozen=True, slots=True)
class LabelFault(HasText):
    """A claim that does not hold, with its proof.

    ``label`` is the claim: ``"safe"``, ``"mine"``, ``"undecided"``, a number from ``"0"`` to ``"8"``, or
    ``"missing"``. ``proof`` are the steps that decide the cell. For an undecidable claim, ``supporting`` and
    ``refuting`` are the mines of two layouts that fit, ``agreeing`` of all ``layouts`` agree with the claim.
    """

    verdict: AuditVerdict
    cell: Cell | None
    label: str
    reason: Phrase
    proof: tuple[Deduction, ...] = ()
    supporting: frozenset[Cell] | None = None
    refuting: frozenset[Cell] | None = None
    agreeing: int | None = None
    layouts: int | None = None

    @property
    def text(self) -> str:
        """The claim and its proof, in the current language."""
        return " ".join([self.reason.text, *(step.text for step in self.proof)])

    def as_json(self) -> LabelFaultJson:
        """The fault as it stands in ``mineproof/audit/1``."""
        return {
            "verdict": self.verdict,
            "cell": None if self.cell is None else list(self.cell),
            "label": self.label,
            "text": self.text,
            "proof": [step.as_json() for step in self.proof],
            "supporting": None if self.supporting is None else pairs(self.supporting),
            "refuting": None if self.refuting is None else pairs(self.refuting),
            "agreeing": None if self.agreeing is None else str(self.agreeing),
            "layouts": None if self.layouts is None else str(self.layouts),
        }


@dataclass(frozen=True, slots=True)
class Audit:
    """The result of checking one labelled position; see `audit`. ``claims`` is the number of labelled cells."""

    position: LabelledPosition = field(repr=False)
    claims: int
    faults: tuple[LabelFault, ...]

    @property
    def verdict(self) -> AuditVerdict:
        """``"right"``, or the worst verdict of a fault."""
        return max((fault.verdict for fault in self.faults), key=AUDIT_VERDICTS.index, default="right")

    def as_json(self) -> AuditJson:
        """The ``mineproof/audit/1`` shape."""
        return {
            "schema": SCHEMA,
            "id": self.position.name,
            "verdict": self.verdict,
            "claims": self.claims,
            "board": self.position.board.as_json(),
            "faults": [fault.as_json() for fault in self.faults],
        }


def audit(position: LabelledPosition, *, budget: Budget | float | None = None, engine: Engine | None = None) -> Audit:
    """Check the claimed answers of a position by counting, and prove every fault.

    >>> board = Board.parse("#1##/1###", total_mines=3)
    >>> checked = audit(LabelledPosition("example", board, mines=frozenset([(0, 0)])))
    >>> checked.verdict, checked.faults[0].agreeing, checked.faults[0].layouts
    ('undecidable', 1, 2)
    """
    checks.instance("position", position, LabelledPosition, "read_labels yields them")
    limit, using = Budget.of(budget), chosen_engine(engine)
    deadline = Deadline(limit)
    lists = [cells for cells in (position.safe, position.mines, position.undecided, position.shown) if cells]
    claims = sum(map(len, lists))
    try:
        analysis = analyze(position.board, budget=limit, engine=using)
    except ContradictionError as error:
        reason = phrase("audit-impossible-because", reason=error.explanation or str(error))
        return Audit(position, claims, (LabelFault("impossible", None, "", reason),))
    faults = _Auditor(position, analysis, deadline, using).faults()
    return Audit(position, claims, tuple(faults))


class _Auditor:
    """Checks the claims of one position."""

    def __init__(self, position: LabelledPosition, analysis: Analysis, deadline: Deadline, engine: Engine) -> None:
        self.position, self.board, self.analysis = position, position.board, analysis
        self._deadline, self._engine = deadline, engine
        self._steps: list[Deduction] | None = None

    def faults(self) -> Iterator[LabelFault]:
        """Yield every fault, in row order within each kind of claim."""
        position = self.position
        claims: list[tuple[CellState, frozenset[Cell]]] = [
            ("safe", position.safe or frozenset()),
            ("mine", position.mines or frozenset()),
            ("undecided", position.undecided),
        ]
        for state, cells in claims:
            for cell in sorted(cells):
                if (fault := self._check(cell, state)) is not None:
                    yield fault
        for cell, number in sorted(position.shown.items()):
            if (fault := self._check_number(cell, number)) is not None:
                yield fault
        if position.complete and position.safe is not None:
            yield from self._missing("audit-label-missing-safe", self.analysis.safe - position.safe)
        if position.complete and position.mines is not None:
            yield from self._missing("audit-label-missing-mine", self.analysis.mines - position.mines)

    def _missing(self, key: str, cells: frozenset[Cell]) -> Iterator[LabelFault]:
        for cell in sorted(cells):
            yield LabelFault("incomplete", cell, "missing", phrase(key, cell=CellValue(cell)), self._proof(cell))

    def _check(self, cell: Cell, state: CellState) -> LabelFault | None:
        """The fault of a claim that a cell is certainly safe, certainly a mine, or undecided."""
        known = self._visible_fault(cell, state)
        if known is not None or not self._is_covered(cell):
            return known
        truth = state_of(self.analysis, cell)
        if truth == state:
            return None
        label = phrase(f"audit-label-{state}", cell=CellValue(cell))
        if truth != "undecided":
            return LabelFault("wrong", cell, state, label, self._proof(cell))
        mined, free = self.board.suppose(mines=[cell]), self.board.suppose(free=[cell])
        agreeing, other = (mined, free) if state == "mine" else (free, mined)
        return self._undecidable(cell, state, label, agreeing, other, count_of=mined)

    def _visible_fault(self, cell: Cell, state: CellState) -> LabelFault | None:
        """The fault of a claim about a cell that is not covered, or not on the board."""
        value = CellValue(cell)
        if not self._is_inside(cell):
            return LabelFault("wrong", cell, state, phrase("audit-outside", cell=value))
        code = self.board[cell]
        label = phrase(f"audit-label-{state}", cell=value)
        if code == FLAGGED and state != "mine":
            reason = phrase("audit-flagged", cell=value)
            return LabelFault("wrong", cell, state, phrase("audit-proof", label=label, reason=reason))
        if code >= 0 and state != "safe":
            reason = phrase("audit-open", cell=value, number=code)
            return LabelFault("wrong", cell, state, phrase("audit-proof", label=label, reason=reason))
        return None

    def _check_number(self, cell: Cell, number: int) -> LabelFault | None:
        """The fault of a claim that a covered cell shows a number when it is opened."""
        value = CellValue(cell)
        if not self._is_inside(cell):
            return LabelFault("wrong", cell, str(number), phrase("audit-outside", cell=value))
        label, code = phrase("audit-label-number", cell=value, number=number), self.board[cell]
        if code == number:
            return None
        if code != COVERED:
            key = "audit-flagged" if code == FLAGGED else "audit-open"
            reason = phrase("audit-proof", label=label, reason=phrase(key, cell=value, number=code))
            return LabelFault("wrong", cell, str(number), reason)
        opened = self.board.replace({cell: number})
        agreeing, layouts = self._count_layouts(opened), self.analysis.layouts
        if agreeing == layouts:
            return None
        if agreeing:
            reason = phrase("audit-proof", label=label, reason=_share("audit-some", agreeing, layouts))
            return LabelFault("undecidable", cell, str(number), reason, agreeing=agreeing, layouts=layouts)
        proof = self._proof(cell) if cell in self.analysis.mines else ()
        reason = label if proof else phrase("audit-proof", label=label, reason=phrase("audit-never"))
        return LabelFault("wrong", cell, str(number), reason, proof, agreeing=0, layouts=layouts)

    def _undecidable(
        self, cell: Cell, state: CellState, label: Phrase, agreeing: Board, other: Board, *, count_of: Board
    ) -> LabelFault:
        layouts, mined = self.analysis.layouts, self._count_layouts(count_of)
        text = _share("audit-both", mined, layouts)
        count = mined if state == "mine" else layouts - mined
        return LabelFault(
            "undecidable", cell, state, phrase("audit-proof", label=label, reason=text),
            supporting=self._one_layout(agreeing), refuting=self._one_layout(other), agreeing=count, layouts=layouts,
        )  # fmt: skip

    def _one_layout(self, board: Board) -> frozenset[Cell]:
        (mines,) = self._engine.sample(Question.of(board, EVEN_DENSITY), 0, range(1), self._deadline.rest())
        return frozenset(map(board.cell, mines))

    def _count_layouts(self, board: Board) -> int:
        try:
            return self._engine.solve(Question.of(board), self._deadline.rest()).layouts()
        except ContradictionError:
            return 0

    def _proof(self, cell: Cell) -> tuple[Deduction, ...]:
        """The steps of the ladder that decide a certain cell; none on boards too large for the ladder."""
        if self.board.geometry.cells > LADDER_MAX_CELLS:
            return ()
        if self._steps is None:
            self._steps = list(steps(self.board, budget=self._deadline.rest(), engine=self._engine))
        return tuple(leading_to(frozenset([cell]), self._until(cell), self.board))

    def _until(self, cell: Cell) -> list[Deduction]:
        taken = []
        for step in self._steps or ():
            taken.append(step)
            if cell in step.safe | step.mines:
                break
        return taken

    def _is_inside(self, cell: Cell) -> bool:
        return 0 <= cell[0] < self.board.rows and 0 <= cell[1] < self.board.columns

    def _is_covered(self, cell: Cell) -> bool:
        return self.board[cell] == COVERED


def _share(key: str, count: int, layouts: int) -> Phrase:
    """A sentence about a share of the layouts: two counts, or a percentage where they are too long to read."""
    if layouts <= 10**LAYOUT_SHARE_MAX_DIGITS:
        return phrase(key, agreeing=count, layouts=layouts)
    return phrase(f"{key}-share", risk=Risk(float(Fraction(count, layouts))))
