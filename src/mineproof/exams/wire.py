"""JSON documents about tasks, verdicts and audits."""

from typing import Literal, TypedDict

from mineproof.base.wire import CellJson
from mineproof.board.wire import BoardJson
from mineproof.deduction.wire import DeductionJson
from mineproof.exams.audits import AuditVerdict
from mineproof.exams.tasks import BoardForm, CellState, TaskKind
from mineproof.exams.verdicts import VerdictOutcome
from mineproof.game.wire import LayoutJson


class AssertionJson(TypedDict):
    """A claim about a cell."""

    cell: CellJson
    state: CellState
    because: list[CellJson] | None
    uses_total: bool


class TaskMetadataJson(TypedDict):
    """All that a verdict needs."""

    form: BoardForm
    language: str
    level: str | None
    seed: int | None
    number: int | None
    technique: str | None
    numbers: int | None
    board: BoardJson
    assertion: AssertionJson | None
    layout: LayoutJson | None


class TaskJson(TypedDict):
    """A task in words."""

    schema: Literal["mineproof/task/1"]
    id: str
    kind: TaskKind
    prompt: str
    answer: str
    metadata: TaskMetadataJson


class VerdictJson(TypedDict):
    """What an answer proves."""

    schema: Literal["mineproof/verdict/1"]
    id: str
    kind: TaskKind
    outcome: VerdictOutcome
    score: float
    luck: float
    proved: list[CellJson]
    lucky: list[CellJson]
    wrong: list[CellJson]
    missed: list[CellJson]
    text: str


class LabelFaultJson(TypedDict):
    """A label that is not right, with its proof."""

    verdict: AuditVerdict
    cell: CellJson | None
    label: str | None
    text: str
    proof: list[DeductionJson]
    supporting: list[CellJson] | None
    refuting: list[CellJson] | None
    agreeing: str | None
    layouts: str | None


class AuditJson(TypedDict):
    """Whether the labels of a position are right."""

    schema: Literal["mineproof/audit/1"]
    id: str
    verdict: AuditVerdict
    claims: int
    board: BoardJson
    faults: list[LabelFaultJson]
