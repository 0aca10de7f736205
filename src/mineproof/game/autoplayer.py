"""The solver plays a game and gives its reasons at each step, for ``mineproof watch`` and the demo.

It sees what a player sees. Of a layout it knows only the start, if there is one, and whether it needs no guess. Certain
steps are those of the hint. Guesses are those of the hint, the safest cell, or a strategy that decides positions. A
bot makes every move but the first click.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, nullcontext
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from mineproof.advice.hints import Hint, hint
from mineproof.analysis.analysis import analyze
from mineproof.base import checks
from mineproof.base.budget import Budget
from mineproof.board.board import Board
from mineproof.board.cells import COVERED, Cell, pairs
from mineproof.board.start import FirstClick
from mineproof.decision.best_moves import best_move
from mineproof.decision.custom import GameStrategy, installed_strategies
from mineproof.decision.moves import BestMove
from mineproof.decision.safest import safest_cell
from mineproof.decision.strategy_table import deciding
from mineproof.engine.answers import Engine
from mineproof.engine.default import chosen_engine
from mineproof.game.game import Game, Outcome
from mineproof.game.layout import Layout
from mineproof.game.rules import hint_options
from mineproof.protocol.bots import load_strategy
from mineproof.wording.catalogue import message, plural, use_language
from mineproof.wording.cells import cell_label
from mineproof.wording.phrases import risk_text

if TYPE_CHECKING:
    from mineproof.game.wire import TurnJson, WatchJson

SCHEMA: Final = "mineproof/watch/1"
FIRST, GUESS, BOT = "first", "guess", "bot"  # kinds of turn; the others are techniques
HINT, SAFEST = "hint", "safest"  # guessers besides the strategies that decide positions


@dataclass(frozen=True, slots=True)
class Turn:
    """A step of the solver: the board before it, the move, its reasons and its outcome.

    ``kind`` is ``first``, ``guess``, ``bot`` (a bot opened a cell that is certainly safe) or a technique. ``cell`` is
    the cell that a first click, a guess or a bot opened; it is None for other steps, which opened ``safe`` and flagged
    ``mines``. ``mine_fraction`` is the chance of a mine in ``cell``, None if it was certainly safe. ``argument`` is the
    hint or the best move behind the step, or the key of a message. ``guesser`` is the name of the strategy or bot that
    chose ``cell``, and ``comment`` what the bot said about it.
    """

    number: int
    kind: str
    argument: Hint | BestMove | str
    before: Board
    outcome: Outcome
    cell: Cell | None = None
    mine_fraction: Fraction | None = None
    safe: frozenset[Cell] = frozenset()
    mines: frozenset[Cell] = frozenset()
    because: tuple[Cell, ...] = ()
    uses_total: bool = False
    guesser: str = ""
    comment: str = ""

    @property
    def reasons(self) -> str:
        """Why the solver made this move, in the current language."""
        if isinstance(self.argument, BestMove):
            return message("watch-best-move", text=self.argument.text)
        if isinstance(self.argument, Hint):
            return self.argument.text
        chance = "" if self.mine_fraction is None else risk_text(float(self.mine_fraction))
        cell = "" if self.cell is None else cell_label(self.cell)
        return message(self.argument, cell=cell, chance=chance, strategy=self.guesser)

    @property
    def text(self) -> str:
        """The reasons, a note if the rules moved the mines, and the comment of a bot, in the current language."""
        text = message("watch-redrawn", text=self.reasons) if self.outcome.redrawn else self.reasons
        return message("watch-comment", text=text, comment=self.comment) if self.comment else text

    def text_in(self, language: str) -> str:
        """Return the text in another language."""
        with use_language(language):
            return self.text

    def as_json(self) -> TurnJson:
        """Return this turn as a JSON object."""
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
    """Return the names of guessers: the hint, the safest cell, and the strategies that decide positions."""
    return [HINT, SAFEST, *deciding(engine)]


def watch_json(game: Game, layout: Layout, first_click: FirstClick, strategy: str) -> WatchJson:
    """Return the head of ``mineproof/watch/1``; the turns of the game follow."""
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
    """Play a game to its end and yield its turns: the easiest certain step of `hint`, or else a guess.

    ``strategy`` guesses: the hint, another of `guessers`, or a strategy of an installed package. A bot
    (``exec:COMMAND``) makes every move after the first click. The budget is for each step. Raises ValueError for an
    unknown strategy, and BotError if a bot fails.

    >>> layout = Layout(1, 4, frozenset([(0, 3)]), start=(0, 0))
    >>> [turn.kind for turn in autoplay(Game(layout), layout)]
    ['first']
    """
    checks.instance("game", game, Game)
    checks.instance("layout", layout, Layout, "the layout of the game")
    limit, using = Budget.of(budget), chosen_engine(engine)
    custom = None
    if strategy not in (HINT, SAFEST, *deciding(using)):
        custom = load_strategy(checks.instance("strategy", strategy, str, "the name of a strategy"))
        if custom is None and using.plays:
            checks.one_of("strategy", strategy, [*guessers(using), *(plugin.name for plugin in installed_strategies())])
    choose = None if custom is None else custom.for_game(game.seed, 0)
    with nullcontext() if custom is None else closing(custom):
        turn = _first_turn(game, layout, limit, using)
        while True:
            yield turn
            if game.is_over:
                return
            number = turn.number + 1
            if custom is not None and choose is not None and custom.plays_alone:
                turn = _bot_turn(game, number, choose, limit, using)
                continue
            guess = None if strategy == HINT else _guess(game, number, choose or strategy, limit, using)
            turn = guess or _next_turn(game, number, limit, using)


def _bot_turn(game: Game, number: int, bot: GameStrategy, budget: Budget, engine: Engine) -> Turn:
    """Open the cell that a bot chooses, and say what the position proves about it."""
    before = game.board
    analysis = analyze(before, budget=budget, engine=engine)
    cell = bot.cell(before, analysis)
    risk = analysis.exact(*cell)
    key = "watch-strategy" if not analysis.safe else "watch-bot-needless"
    if risk in (0, 1):
        key = "watch-bot-mine" if risk else "watch-bot-safe"
    outcome, comment = game.open(*cell), bot.comment()
    kind, chance = (GUESS, risk) if risk else (BOT, None)
    return Turn(number, kind, key, before, outcome, cell, chance, guesser=bot.name, comment=comment)


def _guess(game: Game, number: int, strategy: str | GameStrategy, budget: Budget, engine: Engine) -> Turn | None:
    """Guess by a strategy; None if a cell is certain."""
    before = game.board  # its flags are those of earlier steps, and right
    analysis = analyze(before, budget=budget, engine=engine)
    if analysis.safe or analysis.mines:
        return None
    argument: BestMove | str
    guesser = strategy if isinstance(strategy, str) else strategy.name
    if strategy == SAFEST:
        cell, argument = safest_cell(analysis, before).cell, "watch-safest"
    elif not isinstance(strategy, str):
        cell, argument = strategy.cell(before, analysis), "watch-strategy"
    else:
        argument = best_move(before, strategy, budget=budget, engine=engine)
        assert argument.cell is not None, "the game is not over, so something is left to open"
        cell = argument.cell
    outcome = game.open(*cell)
    return Turn(number, GUESS, argument, before, outcome, cell, analysis.exact(*cell), guesser=guesser)


def _first_turn(game: Game, layout: Layout, budget: Budget, engine: Engine) -> Turn:
    before = game.board
    covered = list(before.cells(COVERED))
    cell = layout.start or hint(before, strategy=None, budget=budget, engine=engine).cell or covered[0]
    key, chance = _first_click_message(game, layout, Fraction(game.total_mines, len(covered)))
    outcome = game.open(*cell)
    return Turn(1, FIRST, key, before, outcome, cell, chance)


def _first_click_message(game: Game, layout: Layout, chance: Fraction) -> tuple[str, Fraction | None]:
    """Return the key of the message about a first click, and its risk."""
    match game.rules.first_click:
        case _ if layout.no_guess:
            return "watch-first-no-guess", None
        case _ if chance == 1:
            return "watch-first-all-mines", chance
        case _ if chance == 0:
            return "watch-first-no-mines", None
        case "safe":
            return "watch-first-safe", None
        case "open":
            return "watch-first-open", None
        case _:
            return "watch-first-chance", chance


def _next_turn(game: Game, number: int, budget: Budget, engine: Engine) -> Turn:
    before = game.board
    advice = hint(before, **hint_options(game.rules.fairness), budget=budget, engine=engine)
    if advice.deduction is None:
        assert advice.cell is not None, "with a total there are odds, and a safest cell"
        outcome = game.open(*advice.cell)
        return Turn(number, GUESS, advice, before, outcome, advice.cell, advice.mine_fraction)
    step = advice.deduction
    outcome = _take_step(game, advice)
    return Turn(
        number, step.technique, advice, before, outcome,
        safe=step.safe, mines=step.mines, because=step.because, uses_total=step.uses_total,
    )  # fmt: skip


def _take_step(game: Game, advice: Hint) -> Outcome:
    """Flag and open the certain cells of a hint."""
    for cell in sorted(advice.mines):
        game.flag(*cell)
    opened: dict[Cell, int] = {}
    for cell in sorted(advice.safe):
        if cell not in opened:
            opened |= game.open(*cell).opened
    return Outcome(opened, frozenset(), False, game.status)


@dataclass
class Score:
    """The summary of a game."""

    game: Game
    steps: int = 0
    guesses: int = 0
    luck: Fraction = field(default=Fraction(1))  # the chance of surviving the guesses that only chance let it survive
    forfeit: str = ""  # why a bot lost the game before its end

    def add(self, turn: Turn) -> None:
        """Count a turn."""
        self.steps += 1
        if turn.mine_fraction is not None:
            self.guesses += 1
            if not (turn.outcome.redrawn or turn.outcome.exploded):
                self.luck *= 1 - turn.mine_fraction

    @property
    def text(self) -> str:
        """The summary in the current language."""
        end = self.game.status if self.game.is_over else "unfinished"
        steps = plural("watch-steps", self.steps)
        if self.forfeit:
            return message("watch-forfeit", steps=steps, reason=self.forfeit)
        if not self.guesses:
            return message(f"watch-{end}-without-a-guess", steps=steps)
        sentences = [message(f"watch-{end}", steps=steps, guesses=plural("watch-guesses", self.guesses))]
        if self.game.redraws:
            sentences.append(plural("watch-redraws", self.game.redraws))
        if self.luck != 1:
            sentences.append(message("watch-luck", chance=risk_text(float(self.luck))))
        return " ".join(sentences)
