"""One step for a player who does not see how to go on: where to look, what follows, or what to risk.

The player's flags are marks, not facts. A flag that cannot be right comes first, since whatever is built on it goes
wrong. Then comes the easiest step of the ladder from what the board shows: its numbers, and the flags that the exact
engine has found to be right, so that nothing is told again that the player knows. Only when the engine knows of no
certain cell is a guess proposed, with its odds.

A hint is told in four levels: where to look, which numbers, the move, the whole reasoning.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Literal, NamedTuple

from mineproof.advice.wording import region
from mineproof.analysis.analysis import Analysis, analyze
from mineproof.analysis.words import layouts_fit
from mineproof.base import checks
from mineproof.base.budget import Budget
from mineproof.base.showing import Shown
from mineproof.base.words import at, listing, percent, plural
from mineproof.board.board import Board
from mineproof.board.cells import COVERED, FLAGGED, Cell, pairs
from mineproof.decision.choosing import best_move
from mineproof.decision.moves import lack
from mineproof.decision.safest import SafestCell, safest_cell
from mineproof.deduction.deduction import Deduction
from mineproof.deduction.ladder import LADDER, steps
from mineproof.deduction.state import Proof, State
from mineproof.engine.answers import Engine
from mineproof.engine.choice import chosen_engine
from mineproof.errors import BudgetExceeded, ContradictionError

HintKind = Literal["flag", "step", "guess", "done"]
HintFlags = Literal["check", "trust", "ignore"]  # marks that may be wrong; known mines; covered cells like others
Preference = Literal["easiest", "safe"]
Words = tuple[str, str, str, str]

SCHEMA = "mineproof/hint/1"
LOOK, NUMBERS, MOVE, REASONING = LEVELS = (1, 2, 3, 4)

_RUNGS: list[str] = list(LADDER)
MOST_LED = 6  # numbers of a proof that is told from its beginning
MOST_FLAGS = 10  # wrong flags among which the one with the shortest proof is looked for
MOST_WEIGHED = 10_000  # cells of a board on which the best move is looked for
MOST_DIGITS = 6  # of a number of layouts of which odds are told as "so many of so many"


@dataclass(frozen=True, slots=True)
class Hint(Shown):
    """What to tell a player now; see `hint`.

    ``kind`` is ``"flag"`` (the flag at ``cell`` is wrong, and ``deduction`` says why), ``"step"`` (``deduction``),
    ``"guess"`` (nothing is certain; ``cell`` is the best guess, ``mine_fraction`` its odds and ``safest`` the safest
    cell, all None where they cannot be known) or ``"done"``. ``levels`` are the words of the four levels, the last of
    which is ``text``. A hint can be used like the `Deduction` it holds: without one, nothing is safe and no mine. In a
    step, flags that are certainly right are taken for granted; other flags never are. With ``prefer="safe"`` so are
    certain mines without a flag where proving them would take long, and the words say how many.
    """

    kind: HintKind
    levels: Words
    deduction: Deduction | None = None
    cell: Cell | None = None
    mine_fraction: Fraction | None = None
    near: Cell | None = None  # the number to look at first
    safest: Cell | None = None
    board: Board | None = field(default=None, compare=False)  # what it was asked about

    def __repr__(self) -> str:
        words: str = self.kind
        if self.cell is not None:
            words += f" at {at(self.cell)}"
        if self.mine_fraction is not None:
            words += f", mine {percent(float(self.mine_fraction))}"
        if self.deduction is not None:
            counts = f"{len(self.safe)} safe, {plural(len(self.mines), 'mine')}"
            words += f" by {self.technique}" + (f": {counts}" if self.kind == "step" else "")
        return f"<Hint: {words}>"

    @property
    def technique(self) -> str | None:
        return None if self.deduction is None else self.deduction.technique

    @property
    def safe(self) -> frozenset[Cell]:
        return frozenset() if self.deduction is None else self.deduction.safe

    @property
    def mines(self) -> frozenset[Cell]:
        return frozenset() if self.deduction is None else self.deduction.mines

    @property
    def because(self) -> tuple[Cell, ...]:
        return () if self.deduction is None else self.deduction.because

    @property
    def uses_total(self) -> bool:
        return self.deduction is not None and self.deduction.uses_total

    @property
    def certain(self) -> bool:
        """Does it name a move that cannot go wrong?"""
        return self.deduction is not None

    @property
    def mine_probability(self) -> float | None:
        """Of the best guess."""
        return None if self.mine_fraction is None else float(self.mine_fraction)

    @property
    def text(self) -> str:
        """The whole reasoning."""
        return self.levels[-1]

    def level(self, number: int) -> str:
        """The words of a level: 1 where to look, 2 which numbers, 3 the move, 4 the whole reasoning."""
        return self.levels[checks.whole("level", number, LOOK, REASONING) - 1]

    def __str__(self) -> str:
        return self.text

    def as_json(self, level: int = REASONING) -> dict[str, object]:
        """The ``mineproof/hint/1`` shape; what a level does not tell yet is null."""
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
            "because": pairs(self.because) if numbers else None,
            "uses_total": self.uses_total if numbers else None,
            "safe": pairs(self.safe) if move else None,
            "mines": pairs(self.mines) if move else None,
            "cell": list(self.cell) if move and self.cell is not None else None,
            "mine_probability": self.mine_probability if move else None,
            "mine_fraction": str(self.mine_fraction) if move and self.mine_fraction is not None else None,
            "safest": list(self.safest) if move and self.safest is not None else None,
        }


def hint(
    board: Board,
    *,
    flags: HintFlags = "check",
    prefer: Preference = "easiest",
    strategy: str | None = "best",
    fair: bool = False,
    density: float | Fraction | None = None,
    budget: Budget | float | None = None,
    engine: Engine | None = None,
) -> Hint:
    """The next thing to tell a player: a wrong flag, the easiest certain step, or else the best guess and its odds.

    Flags are the player's marks and are checked; with ``flags="trust"`` they are known mines, with ``"ignore"`` covered
    cells. ``prefer="safe"`` is for players who set no flags: a step then ends with a cell to open. A guess is that of
    a ``strategy`` for `best_move`, with the safest cell beside it; of None, or where the total is unknown or the engine
    does not play, the safest alone. ``fair`` says that the rules of the game let no forced guess lose. ``density`` is
    for the odds of a guess where the total is unknown. Raises ContradictionError when no layout fits.

    >>> print(hint(Board.parse("1#/11")))
    The 1 at (0,0) needs 1 mine, and (0,1) is the only covered cell around it: it is a mine.
    >>> print(hint(Board.parse("11/##", total_mines=1)).level(3))
    No cell is certain. The best guess is (1,0), and none is safer: its chance of a mine is 50.0 %.
    """
    checks.instance("board", board, Board, "Board.parse reads text")
    checks.one_of("flags", flags, ("check", "trust", "ignore"))
    checks.one_of("prefer", prefer, ("easiest", "safe"))
    found = _find(board, flags, prefer, strategy, fair, density, Budget.of(budget), chosen_engine(engine))
    return replace(found, board=board)


def _find(
    board: Board,
    flags: HintFlags,
    prefer: Preference,
    strategy: str | None,
    fair: bool,
    density: float | Fraction | None,
    limit: Budget,
    using: Engine,
) -> Hint:
    marked = frozenset(board.cells(FLAGGED)) if flags == "check" else frozenset()
    seen = board if flags == "trust" else board.without_flags()
    found = analyze(seen, density=density, budget=limit, engine=using)
    if wrong := sorted(marked & found.safe):
        return _wrong_flag(State(seen, limit, using), wrong)
    if _is_done(found, marked):
        return _done(board)
    if found.safe and prefer == "safe":
        return _safe_step(seen, marked & found.mines, found.mines - marked, limit, using)
    if found.safe or (found.mines - marked and prefer == "easiest"):
        return _step(seen, marked & found.mines, limit, using)
    position = _Stuck(found, board if marked else seen, marked, density is not None, fair, limit, using)
    return _guess(position, strategy)


# a flag that cannot be right


def _wrong_flag(state: State, wrong: Sequence[Cell]) -> Hint:
    """The wrong flag that the fewest numbers prove wrong."""
    board = state.board
    proofs = [(_why_safe(state, flag), flag) for flag in wrong[:MOST_FLAGS]]
    proof, flag = min(proofs, key=lambda each: (each[0].uses_total, len(each[0].numbers), each[1]))
    told = argument(board, proof, frozenset([flag]), state.budget, state.engine)
    hardest = max((step.technique for step in told), key=_RUNGS.index)
    reasoning = f"{' '.join(step.text for step in told)} Your flag at {at(flag)} is wrong."
    because = tuple(map(board.cell, sorted(proof.numbers)))
    deduction = Deduction(hardest, frozenset([flag]), frozenset(), because, proof.uses_total, reasoning, board)
    words = (
        f"Look at your flags{_comma(region(board, flag))}: one of them is wrong.",
        f"One of your flags is wrong. {_numbers(board, deduction)}",
        f"The flag at {at(flag)} is wrong: the cell is safe. Take the flag off and open it.",
        reasoning,
    )
    return Hint("flag", words, deduction, flag)


def _why_safe(state: State, cell: Cell) -> Proof:
    index = state.board.index(cell)
    around = state.board.geometry.neighbours
    near = {number for other in around(index) for number in around(other) if number in state.numbers}
    everything = Proof(frozenset(state.numbers), state.total is not None)
    return state.shrink(everything, 1 << index, 0, keep=sorted(near))


def argument(
    board: Board,
    proof: Proof,
    cells: frozenset[Cell],
    budget: Budget,
    engine: Engine,
    *,
    upto: str = _RUNGS[-1],
    by_rung: bool = False,
) -> list[Deduction]:
    """The steps of somebody who sees nothing but the numbers of a proof, as far as they lead to the cells it decides.

    Empty if techniques up to one of them do not lead there.
    """
    taken: list[Deduction] = []
    left = set(cells)
    climb = steps(
        board.only(proof.numbers, total=proof.uses_total), upto=upto, by_rung=by_rung, budget=budget, engine=engine
    )
    while left and (step := next(climb, None)) is not None:
        taken.append(step)
        left -= step.safe | step.mines
    return [] if left else leading_to(cells, taken, board)


def leading_to(cells: frozenset[Cell], taken: Sequence[Deduction], board: Board) -> list[Deduction]:
    """Of steps in order, those that decide some cells, or something around the numbers that such a step needs."""
    needed, kept = set(cells), []
    for step in reversed(taken):
        if needed & (step.safe | step.mines):
            kept.append(step)
            needed.update(near for number in step.because for near in board.neighbours(number))
    return kept[::-1]


# a step of the ladder


def _step(board: Board, flagged: frozenset[Cell], budget: Budget, engine: Engine) -> Hint:
    """The easiest step for a player who has flagged these cells, all of them mines."""
    return _told(board, next(steps(board.suppose(mines=flagged), budget=budget, engine=engine)), flagged)


def _safe_step(
    board: Board, flagged: frozenset[Cell], unmarked: frozenset[Cell], budget: Budget, engine: Engine
) -> Hint:
    """The easiest step to a cell to open, with what leads there; where that is much, with certain mines known."""
    known = board.suppose(mines=flagged)
    climb = steps(known, budget=budget, engine=engine)
    step = next(each for each in climb if each.safe)
    proof = Proof(frozenset(map(board.index, step.because)), step.uses_total)
    if step.uses_total or len(proof.numbers) > MOST_LED:
        step = next(each for each in steps(known.suppose(mines=unmarked), budget=budget, engine=engine) if each.safe)
        return _told(board, step, flagged, unmarked)
    told = argument(known, proof, step.safe, budget, engine)
    hardest = max((each.technique for each in told), key=_RUNGS.index)
    text = " ".join(each.text for each in told)
    return _told(board, Deduction(hardest, step.safe, frozenset(), step.because, step.uses_total, text, known), flagged)


def _told(board: Board, step: Deduction, flagged: frozenset[Cell], taken: frozenset[Cell] = frozenset()) -> Hint:
    """A step in four levels; ``taken`` are certain mines that it takes for known, though they are not flagged."""
    near = _nearest(board, step.because, step.safe | step.mines)
    numbers = _numbers(board, step, flagged)
    if taken:
        one = len(taken) == 1
        mines = f"{plural(len(taken), 'cell')} without a flag {'is certainly a mine' if one else 'are certainly mines'}"
        step = replace(step, text=f"{mines}; with {'it' if one else 'them'} known: {step.text}")
        numbers = f"{mines}: count {'it' if one else 'them'} as such. {numbers}"
    return Hint("step", (_look(board, step, near), numbers, _move(step.safe, step.mines), step.text), step, near=near)


def _look(board: Board, step: Deduction, near: Cell | None) -> str:
    if near is None:
        return "Look at the whole board, and count the mines that are left."
    count = ", and count the mines that are left" if step.uses_total else ""
    return f"Look around the {_name(board, near)}{_comma(region(board, near))}{count}."


_QUESTIONS = {
    "single-open": ("Are all its mines known?", "Which of them has all its mines?"),
    "single-flag": ("How many covered cells does it have left?", "Which of them needs every covered cell it has left?"),
    "partition": ("", "Where the cells of one lie among those of another, what is left over?"),
    "bounds": ("", "Where their cells overlap, how many mines can be there, at least and at most?"),
    "elimination": ("", "Add them up and subtract them like equations: which cells are left over?"),
    "contradiction": ("Suppose a cell next to it were a mine, or safe: can that be?",
                      "Suppose a cell next to them were a mine, or safe: where does that lead?"),
    "total": ("How many mines does it need, and how many are left for the other cells?",
              "How many mines do they need, and how many are left for the other cells?"),
    "exhaustive": ("Try every way to satisfy it: what is always the same?",
                   "Try every way to satisfy them all: what is always the same?"),
}  # fmt: skip


def _numbers(board: Board, step: Deduction, flagged: frozenset[Cell] = frozenset()) -> str:
    names = [f"the {_name(board, cell)}" for cell in step.because]
    if step.uses_total:
        names.append(f"the total of {plural(board.total_mines or 0, 'mine')}")
    if any(flagged.intersection(board.neighbours(cell)) for cell in step.because):
        names.append("your flags around, which are right")
    question = _QUESTIONS["total" if step.uses_total else step.technique][len(step.because) > 1] if step.because else ""
    return f"All it takes is {listing(names)}. {question}".rstrip()


def _move(safe: Iterable[Cell], mines: Iterable[Cell]) -> str:
    sentences = []
    if cells := sorted(safe):
        sentences.append(f"{_list(cells)} {'is safe: open it' if len(cells) == 1 else 'are safe: open them'}.")
    if cells := sorted(mines):
        sentences.append(f"{_list(cells)} {'is a mine: flag it' if len(cells) == 1 else 'are mines: flag them'}.")
    return " ".join(sentences)


# a guess


class _Stuck(NamedTuple):
    """A position without a certain cell, as a player sees it; ``fair`` if the rules let no forced guess lose."""

    found: Analysis
    board: Board
    marked: frozenset[Cell]
    weighed: bool
    fair: bool
    budget: Budget
    engine: Engine


def _guess(position: _Stuck, strategy: str | None) -> Hint:
    """The proof that a guess is forced, the best one, and the safest where that is another."""
    found, board, marked = position.found, position.board, position.marked
    stuck = "No cell is certain: only a guess leads on."
    proof = _forced(found, board, marked) + _doubts(found, board, marked, position.budget, position.engine)
    cannot_lose = " By the rules of this game a forced guess cannot lose." if position.fair else ""
    if board.total_mines is None and not position.weighed:
        missing = "The odds depend on how many mines there are: tell the total, or a density."
        return Hint("guess", (stuck, proof, f"{stuck} {missing}", f"{proof} {missing}"))
    safest = safest_cell(found, board)
    best = _best(position, safest.cell, strategy)
    cell = safest.cell if best is None else best.cell
    chance = safest.fraction if cell == safest.cell else found.exact(*cell)
    where = region(board, cell)
    odds = f"its chance of a mine is {percent(float(chance))}"
    if best is None or cell == safest.cell:
        kind = f"The safest guess is {at(cell)}" if best is None else f"The best guess is {at(cell)}, and none is safer"
        short, whole = f"{kind}: {odds}.", f"{kind}: {_odds(found, chance)}. {_reasons(board, safest, marked)}"
    else:
        kind = f"The best guess is {at(cell)}"
        least = f"The safest is {at(safest.cell)}, {percent(float(safest.fraction))}"
        least = f"{at(safest.cell)} is as safe" if chance == safest.fraction else least
        short, whole = f"{kind}: {odds}. {least}.", f"{kind}: {_odds(found, chance)}. {least}, but {best.lack}."
    if cell in marked:
        whole += " You have flagged it, but nothing proves that flag."
    words = (
        f"{stuck}{cannot_lose} Look {where}." if where else f"{stuck}{cannot_lose}",
        f"{proof}{cannot_lose}",
        f"No cell is certain. {short}{cannot_lose}",
        f"{proof} {whole}{cannot_lose}",
    )
    return Hint("guess", words, cell=cell, mine_fraction=chance, safest=safest.cell)


class _Best(NamedTuple):
    """The move of a strategy, and what speaks against the safest cell where that is another."""

    cell: Cell
    lack: str


def _best(position: _Stuck, safest: Cell, strategy: str | None) -> _Best | None:
    """What a strategy would open, the safest cell if that is as good; None if it cannot be asked, or not in time."""
    board = position.found.board
    if strategy is None or board.total_mines is None or not position.engine.plays or len(board.codes) > MOST_WEIGHED:
        return None
    try:
        move = best_move(board, strategy, budget=position.budget, playouts=0, engine=position.engine)
    except BudgetExceeded as error:
        if error.limit == "cancelled":
            raise
        return None
    best = move.moves[0]
    other = next((option for option in move.moves if option.cell == safest), None)
    if other is None and best.mine_probability <= float(position.found.mine_probability[safest]):
        return _Best(safest, "")  # cells that no number touches are all alike, and only one of them was weighed
    if other is None:
        return _Best(best.cell, lack(best, move.safest or best))
    alike = best.win_fraction == other.win_fraction if best.exact and other.exact else best.score == other.score
    return _Best(safest, "") if alike else _Best(best.cell, lack(best, other))


def _forced(found: Analysis, board: Board, marked: frozenset[Cell]) -> str:
    known = len(found.mines) + board.count(FLAGGED) - len(marked)
    named = f"{plural(known, 'mine')} already flagged" if found.mines <= marked else f"{plural(known, 'certain mine')}"
    apart = f"apart from {named}, " if known else ""
    cells = "each covered cell" if marked <= found.mines else "each covered cell, flagged or not,"
    rest = f"{cells} is a mine in some of them and free in others"
    return f"No cell is certain: {layouts_fit(found)}, and {apart}{rest}."


def _doubts(found: Analysis, board: Board, marked: frozenset[Cell], budget: Budget, engine: Engine) -> str:
    """What is to be said about flags that nothing proves."""
    if marked <= found.mines:
        return ""
    try:
        trusted = analyze(board, budget=budget, engine=engine)
    except ContradictionError as error:
        return f" Your flags cannot all be right: {error}."
    more = len(trusted.safe) + len(trusted.mines)
    return f" If your flags are right, {plural(more, 'cell')} {'is' if more == 1 else 'are'} certain." if more else ""


def _odds(found: Analysis, chance: Fraction) -> str:
    shown = percent(float(chance))
    if found.board.total_mines is None:
        return f"at that density its chance of a mine is {shown}"
    if found.log10_layouts > MOST_DIGITS:
        return f"its chance of a mine is {shown}"
    return f"it is a mine in {int(chance * found.layouts):,} of the {found.layouts:,} layouts, {shown}"


def _reasons(board: Board, best: SafestCell, marked: frozenset[Cell]) -> str:
    others = sum(cell not in marked for cell in best.peers if cell != best.cell)
    neighbours = board.neighbours(best.cell)
    around = sum(board[other] < 0 for other in neighbours)
    if len(best.peers) == 1:
        reason = "Every other cell is riskier."
    elif not others:
        reason = "Only cells that you have flagged are as safe."
    elif others == 1:
        reason = f"1 other cell is as safe; it has no fewer covered neighbours ({around})."
    else:
        reason = f"{others:,} other cells are as safe; none has fewer covered neighbours ({around})."
    return f"{reason} No number touches it." if around == len(neighbours) else reason


# nothing left


def _is_done(found: Analysis, marked: frozenset[Cell]) -> bool:
    """Nothing but mines is covered, and the player can tell: by the flags, or by counting."""
    covered = frozenset(found.board.cells(COVERED))
    return covered == found.mines and (found.board.total_mines is not None or covered <= marked)


def _done(board: Board) -> Hint:
    covered = board.count(COVERED) + board.count(FLAGGED)
    mines = "the only covered cell is a mine" if covered == 1 else f"all {covered} covered cells are mines"
    text = f"Solved: {mines}, and nothing is left to open." if covered else "Solved: no cell is covered."
    return Hint("done", (text, text, text, text))


# words


def _list(cells: Iterable[Cell]) -> str:
    return listing([at(cell) for cell in cells])


def _name(board: Board, number: Cell) -> str:
    return f"{board[number]} at {at(number)}"


def _nearest(board: Board, numbers: Sequence[Cell], cells: Iterable[Cell]) -> Cell | None:
    """Of some numbers the one that touches most of some cells."""
    wanted = frozenset(cells)
    return max(numbers, key=lambda number: len(wanted.intersection(board.neighbours(number))), default=None)


def _comma(place: str) -> str:
    return f", {place}" if place else ""
