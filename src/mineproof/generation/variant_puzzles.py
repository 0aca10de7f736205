"""New boards of variants: layouts with their clues, without guessing, and puzzles with exactly one solution.

Layout   Mines are sampled from all layouts that the rules on the mines allow. With a start, it and the cells that touch
         it are free of mines and open from the beginning, since one clue of most variants says little. A *solved*
         board shows all of it: mines as flags, and a clue in every other cell. A rule such as ``liar`` may show one of
         several clues, and one is drawn.
No guess The solver opens the start, and then every cell that the steps of `mineproof.deduce` prove safe. Layouts are
         drawn until one is solved that way. The certificate lists each group of safe cells with the clues that prove
         it, and `verify_variant` checks it by counting alone.
Unique   All clues are shown; those without which there is still one solution are hidden, in random order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from mineproof.analysis.problem_analysis import analyze_problem
from mineproof.base import checks
from mineproof.base.budget import Budget, Deadline
from mineproof.base.rng import Random
from mineproof.base.words import plural
from mineproof.board.cells import Cell, pairs
from mineproof.board.geometry import Geometry, Topology, require_shape
from mineproof.engine.answers import Engine
from mineproof.errors import BudgetExceeded, ContradictionError, OutsideError
from mineproof.generation.certificate import CertificateError
from mineproof.variants.clues import clue_rule
from mineproof.variants.position import VariantCell, VariantPosition
from mineproof.variants.shown import shown_clues
from mineproof.variants.variant import Variant, clued_cells
from mineproof.variants.variant_board import VariantBoard
from mineproof.variants.variant_layouts import sample_variant_layouts

if TYPE_CHECKING:
    from mineproof.generation.wire import GeneratedVariantJson, SafeStepJson, VariantCertificateJson, VariantCheckJson
    from mineproof.variants.wire import VariantPuzzleCheckJson

SCHEMA: Final = "mineproof/variant-generated/1"
CERTIFICATE_SCHEMA: Final = "mineproof/variant-certificate/1"
MAX_ATTEMPTS = 10_000
MAX_DRAWS = 20_000  # layouts of which one must obey the rules on the shape of all mines
UNIQUE_MAX_CELLS = 400


@dataclass(frozen=True, slots=True)
class SafeStep:
    """Cells that some clues prove safe."""

    safe: tuple[Cell, ...]
    because: tuple[Cell, ...]
    rules: tuple[str, ...]
    uses_total: bool

    def as_json(self) -> SafeStepJson:
        """Return safe, because, rules and uses_total."""
        return {
            "safe": pairs(self.safe),
            "because": pairs(self.because),
            "rules": list(self.rules),
            "uses_total": self.uses_total,
        }


@dataclass(frozen=True, slots=True)
class GeneratedVariant:
    """A generated board: the ``board`` of the player, and the ``solution``, which shows everything.

    ``start`` is the first cell to open, and ``steps`` are the certificate of a board without guessing.
    """

    board: VariantBoard
    solution: VariantBoard
    seed: int
    number: int
    attempts: int
    start: Cell | None = None
    steps: tuple[SafeStep, ...] = ()

    def certificate_json(self) -> VariantCertificateJson:
        """Return the ``mineproof/variant-certificate/1`` document."""
        return {
            "schema": CERTIFICATE_SCHEMA,
            "solution": self.solution.as_json(),
            "start": None if self.start is None else list(self.start),
            "steps": [step.as_json() for step in self.steps],
        }

    def as_json(self, *, certificate: bool = False) -> GeneratedVariantJson:
        """Return the ``mineproof/variant-generated/1`` document."""
        document: GeneratedVariantJson = {
            "schema": SCHEMA,
            "seed": self.seed,
            "number": self.number,
            "attempts": self.attempts,
            "board": self.board.as_json(),
            "solution": self.solution.as_json(),
            "start": None if self.start is None else list(self.start),
        }
        return document | {"certificate": self.certificate_json()} if certificate else document


@dataclass(frozen=True, slots=True)
class VariantCheck:
    """How far certain steps lead on a layout: ``board`` is the position at the end of them."""

    no_guess: bool
    start: Cell
    board: VariantBoard
    steps: tuple[SafeStep, ...]

    def as_json(self) -> VariantCheckJson:
        """Return the ``mineproof/variant-check/1`` document."""
        return {
            "schema": "mineproof/variant-check/1",
            "no_guess": self.no_guess,
            "start": list(self.start),
            "board": self.board.as_json(),
            "steps": [step.as_json() for step in self.steps],
        }


def generate_variant(
    rows: int,
    columns: int,
    mines: int,
    rules: str | Variant,
    *,
    topology: Topology = "grid",
    seed: int = 0,
    number: int = 0,
    start: Cell | None = None,
    no_guess: bool = False,
    unique: bool = False,
    budget: Budget | float | None = None,
    engine: Engine | None = None,
) -> GeneratedVariant:
    """Return a new board of a variant; the same for the same seed and number.

    With ``no_guess``, the board can be solved without a guess from its ``start``, by default the middle. With
    ``unique``, it is a puzzle: some clues are shown, and exactly one layout fits. Raises ContradictionError if the
    rules allow no layout, and BudgetExceeded if none is found in time.

    >>> puzzle = generate_variant(4, 4, 4, "liar", unique=True, seed=1)
    >>> puzzle.board.analyze().layouts
    1
    """
    variant = rules if isinstance(rules, Variant) else Variant.parse(rules)
    rows, columns = checks.whole("rows", rows, 1), checks.whole("columns", columns, 1)
    checks.whole("mines", mines, 0)
    if unique and no_guess:
        raise ValueError("unique=True and no_guess=True exclude each other: a puzzle shows its clues at the beginning")
    if variant.cell_max > 1:
        raise ValueError("Boards are generated with one mine in a cell. Leave out the rule mines:N.")
    if unique and rows * columns > UNIQUE_MAX_CELLS:
        raise ValueError(f"Puzzles have at most {UNIQUE_MAX_CELLS} cells, got {rows * columns}")
    limit = Budget.of(budget)
    deadline = Deadline(limit)
    seed, number = checks.seed("seed", seed), checks.whole("number", number, 0)
    first = _start(rows, columns, topology, start) if no_guess or start is not None else None
    empty = _empty(rows, columns, mines, variant, topology, first, budget=limit, engine=engine)
    for attempt in range(MAX_ATTEMPTS):
        deadline.check()
        random = Random(seed, number * MAX_ATTEMPTS + attempt)
        layout_seed = random.below(2**63)
        solution = solved_board(empty, _deal(empty, layout_seed, deadline, engine), random)
        if unique:
            puzzle = _puzzle(solution, random, deadline, engine)
            if puzzle is not None:
                return GeneratedVariant(puzzle, solution, seed, number, attempt + 1)
            continue
        if not no_guess:
            return GeneratedVariant(_first_board(solution, first), solution, seed, number, attempt + 1, first)
        assert first is not None
        result = check_variant(solution, first, budget=deadline.rest(), engine=engine)
        if result.no_guess:
            return GeneratedVariant(
                _first_board(solution, first), solution, seed, number, attempt + 1, first, result.steps
            )
    kind = "with exactly one solution" if unique else "without a guess"
    raise BudgetExceeded(f"No result: none of {MAX_ATTEMPTS:,} layouts is one {kind}.", limit="attempts")


def check_variant(
    solution: VariantBoard, start: Cell, *, budget: Budget | float | None = None, engine: Engine | None = None
) -> VariantCheck:
    """Open a solved board from a start cell, by certain steps only.

    A solved board shows a clue, or ``?``, in every cell without a mine. Raises ValueError for other boards.
    """
    require_solved(checks.instance("solution", solution, VariantBoard))
    start = checks.cell("start", start)
    if solution[start].state != "open":
        raise ValueError(f"The start ({start[0]},{start[1]}) has a mine.")
    deadline = Deadline(Budget.of(budget))
    board = _first_board(solution, start)
    steps: list[SafeStep] = []
    left = sum(cell.state == "open" for cell in solution.position.cells) - len(first_cells(solution, start))
    while left:
        safe = board.analyze(budget=deadline.rest(), engine=engine).safe
        if not safe:
            return VariantCheck(False, start, board, tuple(steps))
        steps += _prove(board, safe, deadline, engine)
        board = board.suppose(free={cell: solution[cell] for cell in safe})
        left -= len(safe)
    return VariantCheck(True, start, board, tuple(steps))


def _prove(board: VariantBoard, safe: frozenset[Cell], deadline: Deadline, engine: Engine | None) -> Iterator[SafeStep]:
    for step in board.deduce(budget=deadline.rest(), engine=engine):
        if step.safe & safe:
            yield SafeStep(tuple(sorted(step.safe & safe)), step.because, step.rules, step.uses_total)


def puzzle_check_json(board: VariantBoard, solutions: int) -> VariantPuzzleCheckJson:
    """Return the ``mineproof/variant-puzzle-check/1`` document: how many solutions a puzzle has."""
    return {
        "schema": "mineproof/variant-puzzle-check/1",
        "solutions": str(solutions),
        "unique": solutions == 1,
        "board": board.as_json(),
    }


def verify_variant(
    document: Mapping[str, Any], *, budget: Budget | float | None = None, engine: Engine | None = None
) -> None:
    """Check a ``mineproof/variant-certificate/1`` document, by counting alone.

    Every step is checked with the clues that it names and no others, which must be open already. Raises
    CertificateError, with the number of the step, if the certificate does not prove that no guess is needed.
    """
    if checks.instance("document", document, dict).get("schema") != CERTIFICATE_SCHEMA:
        raise CertificateError(f"expected the schema {CERTIFICATE_SCHEMA}, got {document.get('schema')!r}")
    solution = VariantBoard.parse(_as_text(document["solution"]))
    require_solved(solution)
    row, column = document["start"]
    start = (int(row), int(column))
    opened = set(first_cells(solution, start))
    deadline = Deadline(Budget.of(budget))
    for place, step in enumerate(document["steps"], 1):
        because = {(int(r), int(c)) for r, c in step["because"]}
        safe = {(int(r), int(c)) for r, c in step["safe"]}
        if not because <= opened:
            raise CertificateError(f"step {place} uses a clue that is still covered")
        if not _are_safe(solution, opened, because, safe, bool(step["uses_total"]), deadline, engine):
            raise CertificateError(f"step {place} does not follow from its clues")
        opened |= safe
    if any(cell.state == "open" and divmod(i, solution.columns) not in opened for i, cell in _number_cells(solution)):
        raise CertificateError("the steps do not open every cell without a mine")


def _are_safe(
    solution: VariantBoard,
    opened: set[Cell],
    because: set[Cell],
    safe: set[Cell],
    uses_total: bool,
    deadline: Deadline,
    engine: Engine | None,
) -> bool:
    cells = []
    for index, cell in _number_cells(solution):
        place = divmod(index, solution.columns)
        if place in opened:
            cells.append(cell if place in because else VariantCell("open"))
        else:
            cells.append(VariantCell("absent" if cell.state == "absent" else "covered"))
    total = solution.total_mines if uses_total else None
    position = VariantPosition(solution.rows, solution.columns, tuple(cells), total, solution.topology)
    analysis = VariantBoard(position, solution.variant).analyze(budget=deadline.rest(), engine=engine)
    return safe <= analysis.safe


def _number_cells(board: VariantBoard) -> Iterator[tuple[int, VariantCell]]:
    return enumerate(board.position.cells)


def _as_text(document: Mapping[str, Any]) -> str:
    import json

    return json.dumps(document)


def require_solved(board: VariantBoard) -> None:
    """Raise ValueError unless a board shows all mines and has a known number of them."""
    if any(cell.state == "covered" for cell in board.position.cells):
        raise ValueError("A solved board has no covered cells: mines are F, and other cells show a clue or ?.")
    mines = sum(cell.state == "mine" for cell in board.position.cells)
    if board.total_mines != mines:
        raise ValueError(f"A solved board has as many mines as it shows, {mines}, got {board.total_mines}.")


# layouts


def _start(rows: int, columns: int, topology: Topology, start: Cell | None) -> Cell:
    if start is None:
        present = [divmod(i, columns) for i in range(rows * columns) if i not in _holes(rows, columns, topology)]
        middle = rows // 2, columns // 2
        return min(present, key=lambda cell: (abs(cell[0] - middle[0]) + abs(cell[1] - middle[1]), cell))
    row, column = checks.cell("start", start)
    if not (0 <= row < rows and 0 <= column < columns) or row * columns + column in _holes(rows, columns, topology):
        raise OutsideError(f"({row},{column}) is not on this board.")
    return row, column


def _holes(rows: int, columns: int, topology: Topology) -> frozenset[int]:
    return frozenset(Geometry(topology, rows, columns).holes)


def _empty(
    rows: int,
    columns: int,
    mines: int,
    variant: Variant,
    topology: Topology,
    start: Cell | None,
    *,
    budget: Budget,
    engine: Engine | None,
) -> VariantBoard:
    """Return the board before the first click; the start is free, and the cells around it if the rules allow that."""
    require_shape(topology, rows, columns)
    holes = _holes(rows, columns, topology)
    cells = [VariantCell("absent" if index in holes else "covered") for index in range(rows * columns)]
    room = sum(cell.state == "covered" for cell in cells) - (start is not None)
    if mines > room:
        raise ContradictionError(f"No layout has {plural(mines, 'mine')}: {plural(room, 'cell')} can have one.")
    position = VariantPosition(rows, columns, tuple(cells), mines, topology)
    if start is None:
        return VariantBoard(position, variant)
    around = variant.area(position).neighbours(start)
    only, whole = (
        VariantBoard(position, variant).suppose(free=dict.fromkeys(shown, VariantCell("open")))
        for shown in ([start], [start, *around])
    )
    try:
        analyze_problem(variant.problem(whole.position), budget, engine)
    except ContradictionError:
        return only
    return whole


def solved_board(empty: VariantBoard, mines: frozenset[Cell], random: Random) -> VariantBoard:
    """Return a board that shows all mines, and a clue in every other cell that can have one."""
    area, rule = empty.variant.area(empty.position), clue_rule(empty.variant.clues)
    cells = []
    for index, cell in _number_cells(empty):
        place = divmod(index, empty.columns)
        if cell.state == "absent":
            cells.append(cell)
        elif place in mines:
            cells.append(VariantCell("mine"))
        else:
            around = clued_cells(area, place, rule)
            clues = shown_clues(rule, around, [int(other in mines) for other in around], 1)
            shown = (clues[random.below(len(clues)) if len(clues) > 1 else 0],) if clues else ()
            cells.append(VariantCell("open", shown))
    return VariantBoard(empty.position.replace(cells), empty.variant)


def first_cells(solution: VariantBoard, start: Cell) -> frozenset[Cell]:
    """Return the cells that the first click opens: the start, and the cells that touch it if none has a mine."""
    around = solution.variant.area(solution.position).neighbours(start)
    is_free = all(solution[cell].state != "mine" for cell in around)
    return frozenset([start, *around]) if is_free else frozenset([start])


def _deal(empty: VariantBoard, seed: int, deadline: Deadline, engine: Engine | None) -> frozenset[Cell]:
    """Return the mines of a layout that the rules allow, all equally likely."""
    variant = empty.variant
    counted = VariantBoard(empty.position, Variant(variant.clues, variant.local))
    draws = sample_variant_layouts(
        counted, MAX_DRAWS if variant.shapes else 1, seed=seed, budget=deadline.rest(), engine=engine
    )
    area = variant.area(empty.position)
    for mines in draws:
        deadline.check()
        if all(rule.allows(area, mines) for rule in variant.shapes):
            return mines
    names = " and ".join(rule.name for rule in variant.shapes)
    raise BudgetExceeded(f"No result: none of {MAX_DRAWS:,} layouts obeys {names}. Use a smaller board.", limit="size")


def _first_board(solution: VariantBoard, start: Cell | None) -> VariantBoard:
    """Return the board of a player who has made the first click, or nothing."""
    shown = frozenset[Cell]() if start is None else first_cells(solution, start)
    cells = [
        cell if cell.state == "absent" or divmod(index, solution.columns) in shown else VariantCell("covered")
        for index, cell in _number_cells(solution)
    ]
    return VariantBoard(solution.position.replace(cells), solution.variant)


# puzzles


def _puzzle(solution: VariantBoard, random: Random, deadline: Deadline, engine: Engine | None) -> VariantBoard | None:
    """Return a board with few clues and one solution, or None if not even all clues give one."""
    shown = {divmod(index, solution.columns): cell for index, cell in _number_cells(solution) if cell.state == "open"}
    if not _is_unique(solution, shown, deadline, engine):
        return None
    order = sorted(shown)
    for place in range(len(order) - 1, 0, -1):
        other = random.below(place + 1)
        order[place], order[other] = order[other], order[place]
    for cell in order:
        rest = {place: clue for place, clue in shown.items() if place != cell}
        if _is_unique(solution, rest, deadline, engine):
            shown = rest
    return _with_clues(solution, shown)


def _with_clues(solution: VariantBoard, shown: Mapping[Cell, VariantCell]) -> VariantBoard:
    cells = [
        cell if cell.state == "absent" else shown.get(divmod(index, solution.columns), VariantCell("covered"))
        for index, cell in _number_cells(solution)
    ]
    return VariantBoard(solution.position.replace(cells), solution.variant)


def _is_unique(
    solution: VariantBoard, shown: Mapping[Cell, VariantCell], deadline: Deadline, engine: Engine | None
) -> bool:
    try:
        return _with_clues(solution, shown).analyze(budget=deadline.rest(), engine=engine).layouts == 1
    except BudgetExceeded as error:
        if error.limit != "size":
            raise
        return False  # too many layouts to be judged: more than one
