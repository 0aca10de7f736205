"""JSON documents about generated layouts."""

from typing import Literal, NotRequired, TypedDict

from mineproof.advice.wire import HintJson
from mineproof.base.wire import CellJson
from mineproof.board.wire import BoardJson
from mineproof.deduction.wire import DeductionJson
from mineproof.errors import ErrorJson
from mineproof.game.wire import LayoutJson, MeasuresJson
from mineproof.variants.wire import VariantBoardJson


class ProofStepJson(DeductionJson):
    """A step of a certificate, with the cells that it opens."""

    opened: list[CellJson]


class CertificateJson(TypedDict):
    """A proof that a layout needs no guess."""

    schema: Literal["mineproof/certificate/1"]
    rows: int
    columns: int
    total_mines: int
    topology: str
    start: CellJson
    opened: list[CellJson]
    steps: list[ProofStepJson]
    solved: bool
    digest: NotRequired[str]


class GeneratedJson(TypedDict):
    """A new layout; ``file`` is where it was written, if it was."""

    schema: Literal["mineproof/generated/1"]
    seed: int
    number: int
    method: str
    attempts: int
    layout: LayoutJson
    measures: NotRequired[MeasuresJson]
    board: NotRequired[BoardJson]
    certificate: NotRequired[CertificateJson]
    step_texts: NotRequired[list[str]]
    file: NotRequired[str]


class CheckJson(TypedDict):
    """Whether a layout needs a guess. ``certificate`` is null if the certificate is valid."""

    schema: Literal["mineproof/check/1"]
    start: CellJson
    no_guess: bool
    open_cells: int
    safe_cells: int
    total_mines: int | None
    topology: str
    board: list[str]
    guess: HintJson | None
    position: BoardJson
    certificate: NotRequired[ErrorJson | None]


class StartsJson(TypedDict):
    """Where a layout needs no guess to begin."""

    schema: Literal["mineproof/starts/1"]
    starts: list[CellJson]
    safe_cells: int


class GradeJson(TypedDict):
    """How hard a layout is; ``used`` counts steps by technique."""

    schema: Literal["mineproof/grade/1"]
    solved: bool
    hardest: str | None
    used: dict[str, int]
    open_cells: int
    total_mines: int | None
    topology: str
    board: list[str]
    guess: HintJson | None
    difficulty: float
    position: BoardJson


class SafeStepJson(TypedDict):
    """Cells of a variant that are safe, and why."""

    safe: list[CellJson]
    because: list[CellJson]
    rules: list[str]
    uses_total: bool


class VariantCertificateJson(TypedDict):
    """A proof that a layout of a variant needs no guess."""

    schema: Literal["mineproof/variant-certificate/1"]
    solution: VariantBoardJson
    start: CellJson | None
    steps: list[SafeStepJson]


class GeneratedVariantJson(TypedDict):
    """A new layout of a variant."""

    schema: Literal["mineproof/variant-generated/1"]
    seed: int
    number: int
    attempts: int
    board: VariantBoardJson
    solution: VariantBoardJson
    start: CellJson | None
    certificate: NotRequired[VariantCertificateJson]


class VariantCheckJson(TypedDict):
    """Whether a layout of a variant needs a guess."""

    schema: Literal["mineproof/variant-check/1"]
    no_guess: bool
    start: CellJson
    board: VariantBoardJson
    steps: list[SafeStepJson]
