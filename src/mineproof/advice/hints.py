"""Choose one step for a player who is stuck: where to look, what follows, or which guess to take.

The player's flags are marks, not facts. A flag that cannot be right comes first, because every step that relies on it
goes wrong. Then comes the easiest step of the ladder. It may rely on the numbers and on flags that the exact engine has
proved right, so a hint never repeats what the player knows. A guess is proposed, with its odds, only if the engine
knows no certain cell.

A hint has four levels: where to look, which numbers matter, the move, and the whole reasoning.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeVar, overload

from mineproof.advice.proofs import argument, combine_steps, proof_of_safety
from mineproof.analysis.analysis import Analysis, analyze
from mineproof.analysis.layout_count import count_layouts
from mineproof.base import checks
from mineproof.base.budget import Budget
from mineproof.base.notebook import Shown
from mineproof.base.words import at, percent, plural
from mineproof.board.board import Board
from mineproof.board.cells import COVERED, FLAGGED, Cell, pairs
from mineproof.board.other_boards import Hinting, refuse_options
from mineproof.decision.best_moves import best_move
from mineproof.decision.moves import find_drawback
from mineproof.decision.safest import SafestCell, safest_cell
from mineproof.deduction.deduction import Deduction
from mineproof.deduction.ladder import LADDER, steps
from mineproof.deduction.state import Proof, State
from mineproof.engine.answers import Engine
from mineproof.engine.default import chosen_engine
from mineproof.errors import BudgetExceeded, ContradictionError
from mineproof.wording.best_moves import Drawback
from mineproof.wording.catalogue import use_language
from mineproof.wording.clauses import Clause, NumberAt
from mineproof.wording.contradictions import Contradiction
from mineproof.wording.hints import (
    LEVELS,
    LOOK,
    MOVE,
    NUMBERS,
    REASONING,
    Basis,
    Guess,
    GuessFacts,
    HintFacts,
    Peers,
    SolvedFacts,
    StepFacts,
    Uncertainty,
    WrongFlagFacts,
)
from mineproof.wording.regions import region_of

if TYPE_CHECKING:
    from mineproof.advice.wire import HintJson

H = TypeVar("H")

__all__ = ["LEVELS", "LOOK", "MOVE", "NUMBERS", "REASONING", "Hint", "HintFlags", "HintKind", "Preference", "hint"]

HintKind = Literal["flag", "step", "guess", "done"]
HintFlags = Literal["check", "trust", "ignore"]  # check: marks that may be wrong; trust: known mines; ignore: covered
Preference = Literal["easiest", "safe"]

SCHEMA: Final = "mineproof/hint/1"
FULL_PROOF_MAX_NUMBERS = 6  # proofs with more numbers start from known mines instead of proving those too
WRONG_FLAGS_MAX = 10  # wrong flags that are compared to find the one with the shortest proof
CANDIDATES_MAX = 4  # cells that a hint about a guess lets the player compare
BEST_GUESS_MAX_CELLS = 10_000  # on larger boards a hint names the safest cell only
LAYOUT_SHARE_MAX_DIGITS = 6  # with more layouts, odds are given in per cent only


@dataclass(frozen=True, slots=True)
class Hint(Shown):
    """Advice for one move; see `hint`.

    ``kind`` is ``"flag"`` (the flag at ``cell`` is wrong, and ``deduction`` proves it), ``"step"`` (``deduction`` is
    certain), ``"guess"`` (nothing is certain; ``cell`` is the best guess, ``mine_fraction`` its risk and ``safest`` the
    safest cell, all None if the odds are unknown) or ``"done"``. ``levels`` are the texts of the four levels; ``text``
    is the last one. ``facts`` is the data behind the texts, and ``proof`` has the single steps of the reasoning.

    A hint can be used like the `Deduction` it holds. Without one, ``safe`` and ``mines`` are empty. A step relies on
    flags only if they are certainly right. With ``prefer="safe"`` it may also rely on certain mines without a flag, if
    proving them would take long; the text then says how many.
    """

    kind: HintKind
    facts: HintFacts
    deduction: Deduction | None = None
    cell: Cell | None = None
    mine_fraction: Fraction | None = None
    near: Cell | None = None  # the number to look at first
    safest: Cell | None = None
    candidates: tuple[Cell, ...] = ()  # of a guess: the cells to compare, in row order
    proof: tuple[Deduction, ...] = ()
    board: Board | None = field(default=None, compare=False)

    def __repr__(self) -> str:
        summary: str = self.kind
        if self.cell is not None:
            summary += f" at {at(self.cell)}"
        if self.mine_fraction is not None:
            summary += f", mine {percent(float(self.mine_fraction))}"
        if self.deduction is not None:
            counts = f"{len(self.safe)} safe, {plural(len(self.mines), 'mine')}"
            summary += f" by {self.technique}" + (f": {counts}" if self.kind == "step" else "")
        return f"<Hint: {summary}>"

    @property
    def technique(self) -> str | None:
        """Name of the technique, or None for a guess and for a solved board."""
        return None if self.deduction is None else self.deduction.technique

    @property
    def pattern(self) -> str | None:
        """Name that players use for the step: ``"1-2-1"``, ``"mine-count"`` and so on; None if it has none."""
        return None if self.deduction is None else self.deduction.pattern

    @property
    def safe(self) -> frozenset[Cell]:
        """Cells that the step proves to be safe."""
        return frozenset() if self.deduction is None else self.deduction.safe

    @property
    def mines(self) -> frozenset[Cell]:
        """Cells that the step proves to be mines."""
        return frozenset() if self.deduction is None else self.deduction.mines

    @property
    def because(self) -> tuple[Cell, ...]:
        """Numbers that the proof uses; empty for a guess."""
        return () if self.deduction is None else self.deduction.because

    @property
    def uses_total(self) -> bool:
        """Does the proof use the total number of mines?"""
        return self.deduction is not None and self.deduction.uses_total

    @property
    def certain(self) -> bool:
        """Does the hint name a move that is certainly right?"""
        return self.deduction is not None

    @property
    def mine_probability(self) -> float | None:
        """Chance of a mine in the guessed cell, or None."""
        return None if self.mine_fraction is None else float(self.mine_fraction)

    @property
    def levels(self) -> tuple[str, ...]:
        """The texts of the four levels, in the current language."""
        return tuple(map(self.level, LEVELS))

    @property
    def text(self) -> str:
        """The whole reasoning, in the current language."""
        return self.level(REASONING)

    def text_in(self, language: str, level: int = REASONING) -> str:
        """The text of a level, by default the whole reasoning, in another language."""
        with use_language(language):
            return self.level(level)

    def level(self, number: int) -> str:
        """The text of a level: 1 where to look, 2 which numbers matter, 3 the move, 4 the whole reasoning."""
        match checks.whole("level", number, LOOK, REASONING):
            case 1:
                return self.facts.look()
            case 2:
                return self.facts.numbers(self._question())
            case 3:
                return self.facts.move()
            case _:
                return self.facts.reasoning("" if self.deduction is None else self.deduction.text)

    def _question(self) -> str:
        """The question that leads from the numbers to the technique."""
        if self.deduction is None or not self.because:
            return ""
        return LADDER["total" if self.uses_total else self.deduction.technique].question(len(self.because))

    def __str__(self) -> str:
        return self.text

    def as_json(self, level: int = REASONING) -> HintJson:
        """Return the ``mineproof/hint/1`` document; keys that the level does not reveal are null."""
        text = self.level(level)
        numbers = level >= NUMBERS and self.deduction is not None
        move = level >= MOVE
        return {
            "schema": SCHEMA,
            "kind": self.kind,
            "level": level,
            "text": text,
            "near": None if self.near is None else list(self.near),
            "technique": self.technique if numbers else None,
            "pattern": self.pattern if numbers else None,
            "because": pairs(self.because) if numbers else None,
            "uses_total": self.uses_total if numbers else None,
            "safe": pairs(self.safe) if move else None,
            "mines": pairs(self.mines) if move else None,
            "cell": list(self.cell) if move and self.cell is not None else None,
            "mine_probability": self.mine_probability if move else None,
            "mine_fraction": str(self.mine_fraction) if move and self.mine_fraction is not None else None,
            "safest": list(self.safest) if move and self.safest is not None else None,
            "candidates": pairs(self.candidates) if level >= NUMBERS and self.kind == "guess" else None,
            "argument": self.deduction.argument.as_json()
            if level == REASONING and self.deduction is not None
            else None,
        }


@overload
def hint(
    board: Board,
    *,
    flags: HintFlags = "check",
    prefer: Preference = "easiest",
    strategy: str | None = "best",
    fair: bool = False,
    density: float | Fraction | Decimal | None = None,
    budget: Budget | float | None = None,
    engine: Engine | None = None,
) -> Hint: ...


@overload
def hint(
    board: Hinting[H],
    *,
    prefer: Preference = "easiest",
    density: float | Fraction | Decimal | None = None,
    budget: Budget | float | None = None,
    engine: Engine | None = None,
) -> H: ...


def hint(
    board: Board | Hinting[Any],
    *,
    flags: HintFlags = "check",
    prefer: Preference = "easiest",
    strategy: str | None = "best",
    fair: bool = False,
    density: float | Fraction | Decimal | None = None,
    budget: Budget | float | None = None,
    engine: Engine | None = None,
) -> Any:
    """Return the next hint: a wrong flag, the easiest certain step, or else the best guess and its odds.

    Flags are the player's marks and are checked. With ``flags="trust"`` they are known mines, with ``"ignore"`` covered
    cells. ``prefer="safe"`` is for players who set no flags: a step then ends with a cell to open. A guess is the
    choice of a ``strategy`` for `best_move`, together with the safest cell. If ``strategy`` is None, the total is
    unknown or the engine does not play, a guess is the safest cell alone. ``fair`` means that the rules of the game
    protect forced guesses. ``density`` gives the odds of a guess if the total is unknown. A `VariantBoard` gives a
    `VariantHint`. Raises ContradictionError if no layout fits.

    >>> print(hint(Board.parse("1#/11")))
    The 1 at (0,0) needs 1 mine. Only (0,1) is left for it. So (0,1) is a mine.
    >>> print(hint(Board.parse("11/##", total_mines=1)).level(3))
    No cell is certainly safe. You have to guess. The best guess is (1,0). The risk of a mine is 50 %. No cell is \
safer. It is a 50/50 between (1,0) and (1,1).
    """
    if not isinstance(board, Board) and isinstance(board, Hinting):
        refuse_options(flags=flags not in ("check", "trust"), strategy=strategy not in ("best", None), fair=fair)
        return board.hint(prefer=prefer, density=density, budget=budget, engine=engine)
    checks.instance("board", board, Board, "Board.parse reads text")
    checks.one_of("flags", flags, ("check", "trust", "ignore"))
    checks.one_of("prefer", prefer, ("easiest", "safe"))
    limit, chosen = Budget.of(budget), chosen_engine(engine)
    marked = frozenset(board.cells(FLAGGED)) if flags == "check" else frozenset()
    seen = board if flags == "trust" else board.without_flags()
    analysis = analyze(seen, density=density, budget=limit, engine=chosen)
    view = _PlayerView(analysis, board, marked, limit, chosen)
    return replace(_choose_hint(view, prefer, strategy, fair, density is not None), board=board)


class _PlayerView(NamedTuple):
    """A position as a player sees it: ``board`` has all flags, ``marked`` are the flags to check.

    ``analysis`` is that of the board without unproved flags: it has flags only if they are trusted.
    """

    analysis: Analysis
    board: Board
    marked: frozenset[Cell]
    budget: Budget
    engine: Engine

    @property
    def flagged_mines(self) -> frozenset[Cell]:
        """Flags that are certainly right."""
        return self.marked & self.analysis.mines

    @property
    def unflagged_mines(self) -> frozenset[Cell]:
        """Certain mines without a flag."""
        return self.analysis.mines - self.marked

    @property
    def has_unproved_flags(self) -> bool:
        return not self.marked <= self.analysis.mines


def _choose_hint(view: _PlayerView, prefer: Preference, strategy: str | None, fair: bool, has_density: bool) -> Hint:
    analysis = view.analysis
    if wrong_flags := sorted(view.marked & analysis.safe):
        return _wrong_flag_hint(view, wrong_flags)
    if _is_solved(view):
        return Hint("done", SolvedFacts(view.board.count(COVERED) + view.board.count(FLAGGED)))
    if analysis.safe and prefer == "safe":
        return _safe_cell_hint(view)
    if analysis.safe or (view.unflagged_mines and prefer == "easiest"):
        return _easiest_step_hint(view)
    return _guess_hint(view, strategy, fair, has_density)


def _is_solved(view: _PlayerView) -> bool:
    """Are only mines covered, and can the player know that, by the flags or by counting?"""
    board = view.analysis.board
    covered = frozenset(board.cells(COVERED))
    return covered == view.analysis.mines and (board.total_mines is not None or covered <= view.marked)


# wrong flags


def _wrong_flag_hint(view: _PlayerView, wrong_flags: Sequence[Cell]) -> Hint:
    """The wrong flag that the fewest numbers disprove."""
    board = view.analysis.board
    state = State(board, view.budget, view.engine)
    proofs = [(proof_of_safety(state, flag), flag) for flag in wrong_flags[:WRONG_FLAGS_MAX]]
    proof, flag = min(proofs, key=lambda pair: (pair[0].uses_total, len(pair[0].numbers), pair[1]))
    chain = argument(board, proof, frozenset([flag]), view.budget, view.engine)
    because = tuple(map(board.cell, sorted(proof.numbers)))
    deduction = combine_steps(chain, frozenset([flag]), because, proof.uses_total, board)
    deduction = replace(deduction, argument=Clause.join([deduction.argument, Clause("wrong-flag", (flag,))]))
    facts = WrongFlagFacts(flag, region_of(flag, board.rows, board.columns), _basis(board, deduction))
    return Hint("flag", facts, deduction, flag, proof=tuple(chain))


# certain steps


def _easiest_step_hint(view: _PlayerView) -> Hint:
    known = view.analysis.board.suppose(mines=view.flagged_mines)
    step = next(steps(known, budget=view.budget, engine=view.engine))
    return _step_hint(view, step, (step,))


def _safe_cell_hint(view: _PlayerView) -> Hint:
    """The easiest step to a cell to open, with the steps before it; if these are many, certain mines are assumed."""
    budget, engine = view.budget, view.engine
    known = view.analysis.board.suppose(mines=view.flagged_mines)
    step = _first_safe_step(known, budget, engine)
    proof = Proof(frozenset(map(known.index, step.because)), step.uses_total)
    if step.uses_total or len(proof.numbers) > FULL_PROOF_MAX_NUMBERS:
        assumed = view.unflagged_mines
        step = _first_safe_step(known.suppose(mines=assumed), budget, engine)
        if assumed:
            assumption = Clause("known-mines", tuple(sorted(assumed)), count=len(assumed))
            step = replace(step, argument=Clause.join([assumption, step.argument]))
        return _step_hint(view, step, (step,), assumed)
    chain = argument(known, proof, step.safe, budget, engine)
    return _step_hint(view, combine_steps(chain, step.safe, step.because, step.uses_total, known), tuple(chain))


def _first_safe_step(board: Board, budget: Budget, engine: Engine) -> Deduction:
    return next(step for step in steps(board, budget=budget, engine=engine) if step.safe)


def _step_hint(
    view: _PlayerView, step: Deduction, proof: tuple[Deduction, ...], assumed_mines: Iterable[Cell] = ()
) -> Hint:
    board = view.analysis.board
    near = _nearest_number(board, step.because, step.safe | step.mines)
    facts = StepFacts(
        None if near is None else NumberAt(near, board[near]),
        _basis(board, step, view.flagged_mines),
        tuple(sorted(step.safe)),
        tuple(sorted(step.mines)),
        tuple(sorted(assumed_mines)),
    )
    return Hint("step", facts, step, near=near, proof=proof)


def _basis(board: Board, step: Deduction, flagged: frozenset[Cell] = frozenset()) -> Basis:
    numbers = tuple(NumberAt(cell, board[cell]) for cell in step.because)
    flags = flagged.intersection(neighbour for cell in step.because for neighbour in board.neighbours(cell))
    return Basis(numbers, (board.total_mines or 0) if step.uses_total else None, len(flags))


def _nearest_number(board: Board, numbers: Sequence[Cell], cells: Iterable[Cell]) -> Cell | None:
    """Return the number that touches most of the cells."""
    decided = frozenset(cells)
    return max(numbers, key=lambda number: len(decided.intersection(board.neighbours(number))), default=None)


# guesses


def _guess_hint(view: _PlayerView, strategy: str | None, fair: bool, has_density: bool) -> Hint:
    """The proof that a guess is forced, the best guess, and the safest cell if that is another."""
    analysis, board = view.analysis, _marked_board(view)
    uncertainty = _uncertainty(view)
    if board.total_mines is None and not has_density:
        return Hint("guess", GuessFacts(uncertainty, None, fair))
    safest = safest_cell(analysis, board)
    choice = _choose_guess(view, safest.cell, strategy)
    cell = safest.cell if choice is None else choice.cell
    risk = safest.fraction if cell == safest.cell else analysis.exact(*cell)
    counted = analysis.board.total_mines is not None and analysis.log10_layouts <= LAYOUT_SHARE_MAX_DIGITS
    guess = Guess(
        cell,
        risk,
        region_of(cell, board.rows, board.columns),
        by_strategy=choice is not None,
        safest=safest.cell,
        least_risk=safest.fraction,
        peers=_peers(board, safest, view.marked),
        is_for_density=analysis.board.total_mines is None,
        mined_layouts=int(risk * analysis.layouts) if counted else None,
        layouts=analysis.layouts if counted else None,
        fifty_fifty=_fifty_fifty_partner(analysis, cell, risk),
        drawback=None if choice is None else choice.drawback,
        is_flagged=cell in view.marked,
    )
    facts = GuessFacts(uncertainty, guess, fair)
    near = _nearest_number(board, [other for other in board.neighbours(cell) if board[other] > 0], [cell])
    candidates = _candidates(view, [cell, safest.cell, guess.fifty_fifty], choice)
    return Hint("guess", facts, None, cell, risk, near, safest.cell, candidates)


def _candidates(view: _PlayerView, named: Sequence[Cell | None], choice: _GuessChoice | None) -> tuple[Cell, ...]:
    """Return a few cells to compare: those that the hint names, the next best ones, else the next safest ones."""
    analysis, odds = view.analysis, view.analysis.mine_probability
    others = () if choice is None else choice.compared
    if not others:
        others = tuple(sorted(analysis.undecided, key=lambda cell: (float(odds[cell]), cell))[:CANDIDATES_MAX])
    distinct = dict.fromkeys(cell for cell in (*named, *others) if cell is not None and cell not in view.marked)
    return tuple(sorted(list(distinct)[:CANDIDATES_MAX]))


def _marked_board(view: _PlayerView) -> Board:
    """The board with the flags that are checked; ignored flags are covered cells."""
    return view.board if view.marked else view.analysis.board


class _GuessChoice(NamedTuple):
    """The guess of a strategy, and why the safest cell is worse where that is another."""

    cell: Cell
    drawback: Drawback | None = None
    compared: tuple[Cell, ...] = ()


def _choose_guess(view: _PlayerView, safest: Cell, strategy: str | None) -> _GuessChoice | None:
    """Return the guess of a strategy, or the safest cell if that is as good; None if the strategy cannot be used."""
    board = view.analysis.board
    too_large = len(board.codes) > BEST_GUESS_MAX_CELLS
    if strategy is None or board.total_mines is None or not view.engine.plays or too_large:
        return None
    try:
        move = best_move(board, strategy, budget=view.budget, playouts=0, engine=view.engine)
    except BudgetExceeded as error:
        if error.limit == "cancelled":
            raise
        return None
    best, compared = move.moves[0], tuple(option.cell for option in move.moves)
    other = next((option for option in move.moves if option.cell == safest), None)
    if other is None and best.mine_probability <= float(view.analysis.mine_probability[safest]):
        # cells that no number touches are all alike, and only one of them was compared
        return _GuessChoice(safest, None, compared)
    if other is None:
        return _GuessChoice(best.cell, find_drawback(best, move.safest), compared)
    alike = best.win_fraction == other.win_fraction if best.exact and other.exact else best.score == other.score
    if alike:
        return _GuessChoice(safest, None, compared)
    return _GuessChoice(best.cell, find_drawback(best, other), compared)


def _uncertainty(view: _PlayerView) -> Uncertainty:
    analysis, marked, board = view.analysis, view.marked, _marked_board(view)
    return Uncertainty(
        count_layouts(analysis),
        certain_mines=len(analysis.mines) + board.count(FLAGGED) - len(marked),
        mines_are_flagged=analysis.mines <= marked,
        has_unproved_flags=view.has_unproved_flags,
        if_flags_are_right=_certain_if_flags_right(view, board) if view.has_unproved_flags else 0,
    )


def _certain_if_flags_right(view: _PlayerView, board: Board) -> int | Contradiction:
    """Return the number of cells that are certain if all flags are right, or why they cannot all be."""
    try:
        trusted = analyze(board, budget=view.budget, engine=view.engine)
    except ContradictionError as error:
        if not isinstance(error.explanation, Contradiction):
            raise
        return error.explanation
    return len(trusted.safe) + len(trusted.mines)


def _peers(board: Board, safest: SafestCell, marked: frozenset[Cell]) -> Peers:
    neighbours = board.neighbours(safest.cell)
    covered = sum(board[cell] < 0 for cell in neighbours)
    unflagged = sum(cell not in marked for cell in safest.peers if cell != safest.cell)
    return Peers(len(safest.peers), unflagged, covered, touches_number=covered < len(neighbours))


def _fifty_fifty_partner(analysis: Analysis, cell: Cell, risk: Fraction) -> Cell | None:
    """Return the other cell, if a number proves that exactly one of the two is a mine, each with a chance of 1/2."""
    if risk != Fraction(1, 2):
        return None
    board = analysis.board
    undecided = {cell for cell in board.cells(COVERED) if cell not in analysis.safe and cell not in analysis.mines}
    for number in board.neighbours(cell):
        pair = undecided.intersection(board.neighbours(number)) if board[number] >= 0 else set()
        if len(pair) == 2:  # both are undecided, so the number needs exactly one of them
            return next(iter(pair - {cell}))
    return None
