"""The solver plays a game and says why at each step: what `watch` shows, the demo and whoever else wants to look on.

It sees what a player sees. Of a layout it is told the start, where there is one, and whether it needs no guess. Certain
steps are those of the hint, whoever guesses: the hint, the safest cell, or a strategy that decides positions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from mineproof.advice.hints import Hint, hint
from mineproof.analysis.analysis import analyze
from mineproof.base import checks
from mineproof.base.budget import Budget
from mineproof.base.words import at, percent, plural
from mineproof.board.board import Board
from mineproof.board.cells import COVERED, Cell, pairs
from mineproof.board.start import FirstClick
from mineproof.decision.choosing import best_move
from mineproof.decision.own import Choosing, installed, installed_strategy
from mineproof.decision.safest import safest_cell
from mineproof.decision.strategy_table import deciding
from mineproof.engine.answers import Engine
from mineproof.engine.choice import chosen_engine
from mineproof.game.game import Game, Outcome
from mineproof.game.layout import Layout

SCHEMA = "mineproof/watch/1"
FIRST, GUESS = "first", "guess"  # kinds of turn; the others are techniques
HINT, SAFEST = "hint", "safest"  # who guesses, besides the strategies that decide positions


@dataclass(frozen=True, slots=True)
class Turn:
    """One step of the solver: the board it looked at, what it did and why, and what came of it.

    ``kind`` is ``first``, ``guess`` or the technique of a step. ``cell`` is what a first click or a guess opened, None
    in a step, which opened ``safe`` and flagged ``mines``. ``mine_fraction`` is the chance it took, None when it knew.
    """

    number: int
    kind: str
    reasons: str
    before: Board
    outcome: Outcome
    cell: Cell | None = None
    mine_fraction: Fraction | None = None
    safe: frozenset[Cell] = frozenset()
    mines: frozenset[Cell] = frozenset()
    because: tuple[Cell, ...] = ()
    uses_total: bool = False

    @property
    def text(self) -> str:
        """The reasons, and that the rules stepped in where they did."""
        return f"{self.reasons} The mines were drawn again: it is free." if self.outcome.redrawn else self.reasons

    def as_json(self) -> dict[str, object]:
        chance = self.mine_fraction
        return {
            "step": self.number,
            "kind": self.kind,
            "text": self.text,
            "because": pairs(self.because),
            "uses_total": self.uses_total,
            "mine_probability": None if chance is None else float(chance),
            "mine_fraction": None if chance is None else str(chance),
            "flagged": pairs(self.mines),
            "opened": [[*cell, number] for cell, number in sorted(self.outcome.opened.items())],
            "exploded": pairs(self.outcome.exploded),
            "redrawn": self.outcome.redrawn,
            "status": self.outcome.status,
        }


def guessers(engine: Engine | None = None) -> list[str]:
    """Who can be asked for a guess: the hint, the safest cell, and the strategies that decide positions."""
    return [HINT, SAFEST, *deciding(engine)]


def watch_json(game: Game, layout: Layout, first_click: FirstClick, strategy: str) -> dict[str, object]:
    """The ``mineproof/watch/1`` shape that a game played for onlookers begins with; its turns follow."""
    return {
        "schema": SCHEMA,
        "rows": game.rows,
        "columns": game.columns,
        "total_mines": game.total_mines,
        "topology": layout.topology,
        "first_click": first_click,
        "fairness": game.rules.fairness,
        "no_guess": layout.no_guess,
        "strategy": strategy,
        "seed": game.seed,
    }


def autoplay(
    game: Game,
    layout: Layout,
    *,
    strategy: str = HINT,
    budget: Budget | float | None = None,
    engine: Engine | None = None,
) -> Iterator[Turn]:
    """Play a game to its end: the easiest certain step of `hint`, and a guess where there is none.

    The guess is that of the hint, or of the ``strategy``, one of `guessers` or of an installed package. The budget is
    for each step.

    >>> layout = Layout(1, 4, frozenset([(0, 3)]), start=(0, 0))
    >>> [turn.kind for turn in autoplay(Game(layout), layout)]
    ['first']
    """
    checks.instance("game", game, Game)
    checks.instance("layout", layout, Layout, "that of the game, which shows its own once it is over")
    limit, using = Budget.of(budget), chosen_engine(engine)
    own = None
    if strategy not in (HINT, SAFEST, *deciding(using)):
        own = installed_strategy(checks.instance("strategy", strategy, str, "the name of one"))
        if own is None and using.plays:
            checks.one_of("strategy", strategy, [*guessers(using), *(each.name for each in installed())])
    choose = None if own is None else own.for_game(game.seed, 0)
    turn = _begin(game, layout, limit, using)
    while True:
        yield turn
        if game.is_over:
            return
        number = turn.number + 1
        guess = None if strategy == HINT else _guess(game, number, choose or strategy, limit, using)
        turn = guess or _go_on(game, number, limit, using)


def _guess(game: Game, number: int, strategy: str | Choosing, budget: Budget, engine: Engine) -> Turn | None:
    """A guess by a strategy, where nothing is certain."""
    before = game.board  # its flags are those of earlier steps, and right
    found = analyze(before, budget=budget, engine=engine)
    if found.safe or found.mines:
        return None
    if strategy == SAFEST:
        safest = safest_cell(found, before)
        cell, chance = safest.cell, safest.fraction
        words = f"The safest guess is {at(cell)}: its chance of a mine is {percent(float(chance))}."
    elif not isinstance(strategy, str):
        cell = strategy.cell(before, found)
        chance = found.exact(*cell)
        words = f"{strategy.name} opens {at(cell)}: its chance of a mine is {percent(float(chance))}."
    else:
        move = best_move(before, strategy, budget=budget, engine=engine)
        assert move.cell is not None, "the game is not over, so something is left to open"
        cell, words, chance = move.cell, move.text, found.exact(*move.cell)
    outcome = game.open(*cell)
    return Turn(number, GUESS, f"No cell is certain. {words}", before, outcome, cell, chance)


def _begin(game: Game, layout: Layout, budget: Budget, engine: Engine) -> Turn:
    before = game.board
    covered = list(before.cells(COVERED))
    cell = layout.start or hint(before, strategy=None, budget=budget, engine=engine).cell or covered[0]
    promise, chance = _promise(game, layout, Fraction(game.total_mines, len(covered)))
    outcome = game.open(*cell)
    return Turn(1, FIRST, f"{at(cell)} is the first click: {promise}.", before, outcome, cell, chance)


def _promise(game: Game, layout: Layout, chance: Fraction) -> tuple[str, Fraction | None]:
    """What is known of a first click before it is made, and the risk."""
    match game.rules.first_click:
        case _ if layout.no_guess:
            return "the board was made to need no guess from here", None
        case _ if chance == 1:
            return "it is a mine, as every cell is", chance
        case _ if chance == 0:
            return "there are no mines", None
        case "safe":
            return "the rules keep it free of mines", None
        case "open":
            return "the rules keep it and its neighbours free of mines, as far as there is room", None
        case _:
            return f"its chance of a mine is {percent(float(chance))}", chance


def _go_on(game: Game, number: int, budget: Budget, engine: Engine) -> Turn:
    before = game.board
    found = hint(before, fair=game.rules.fairness != "none", budget=budget, engine=engine)
    if found.deduction is None:
        assert found.cell is not None, "with a total there are odds, and a safest cell"
        outcome = game.open(*found.cell)
        return Turn(number, GUESS, found.text, before, outcome, found.cell, found.mine_fraction)
    step = found.deduction
    outcome = _take(game, found)
    return Turn(
        number, step.technique, found.text, before, outcome,
        safe=step.safe, mines=step.mines, because=step.because, uses_total=step.uses_total,
    )  # fmt: skip


def _take(game: Game, found: Hint) -> Outcome:
    """Flag and open what is certain."""
    for cell in sorted(found.mines):
        game.flag(*cell)
    opened: dict[Cell, int] = {}
    for cell in sorted(found.safe):
        if cell not in opened:
            opened |= game.open(*cell).opened
    return Outcome(opened, frozenset(), False, game.status)


@dataclass
class Score:
    """What is told of a game in the end."""

    game: Game
    steps: int = 0
    guesses: int = 0
    luck: Fraction = field(default=Fraction(1))  # the chance of surviving the guesses that only chance let it survive

    def add(self, turn: Turn) -> None:
        self.steps += 1
        if turn.mine_fraction is not None:
            self.guesses += 1
            if not (turn.outcome.redrawn or turn.outcome.exploded):
                self.luck *= 1 - turn.mine_fraction

    @property
    def text(self) -> str:
        end = {"won": "Won", "lost": "Lost"}.get(self.game.status, "Not finished")
        words = f"{end} after {plural(self.steps, 'step')}"
        if not self.guesses:
            return f"{words}, without a guess."
        words += f" and {self.guesses} guess{'' if self.guesses == 1 else 'es'}"
        words += f", {plural(self.game.redraws, 'layout')} drawn again" if self.game.redraws else ""
        lucky = f" The chance of surviving what it survived was {percent(float(self.luck))}." if self.luck != 1 else ""
        return f"{words}.{lucky}"
