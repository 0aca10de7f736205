"""Sentences about the best move: why this cell, what speaks against a safer one, and how the choice was made."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Literal, NamedTuple, Protocol

from mineproof.board.cells import Cell
from mineproof.wording.catalogue import decimal, message, number, plural, sentence
from mineproof.wording.cells import cell_label, cells_are_highlighted
from mineproof.wording.odds import percent_text, win_text

FRACTION_MAX_CHARACTERS = 9  # longer fractions are shown as per cent

DrawbackKind = Literal["no-news", "fifty-fifty", "less-progress", "riskier-next", "fewer-numbers", "worse-guesses"]


class Drawback(NamedTuple):
    """Why a safer cell is not the better guess.

    ``no-news``: it can only show the number ``worse``. ``fifty-fifty``: a mine at ``best`` often means a 50/50 that is
    half lost anyway. ``less-progress``: a safe cell is known afterwards with the chance ``worse`` instead of
    ``better``. ``riskier-next``: the next move risks ``worse`` instead of ``better``. ``fewer-numbers``: it can show
    ``worse`` different numbers instead of ``better``. ``worse-guesses``: it leads to worse guesses later.
    """

    kind: DrawbackKind
    best: Cell
    safer: Cell
    worse: float = 0
    better: float = 0

    @property
    def text(self) -> str:
        """The drawback as a whole sentence."""
        best, safer = cell_label(self.best), cell_label(self.safer)
        match self.kind:
            case "no-news":
                return message("best-drawback-no-news", safer=safer, number=number(int(self.worse)))
            case "fifty-fifty":
                return message("best-drawback-fifty-fifty", best=best)
            case "less-progress":
                worse, better = percent_text(self.worse), percent_text(self.better)
                return message("best-drawback-less-progress", safer=safer, worse=worse, best=best, better=better)
            case "riskier-next":
                worse, better = percent_text(self.worse), percent_text(self.better)
                return message("best-drawback-riskier-next", safer=safer, worse=worse, best=best, better=better)
            case "fewer-numbers":
                worse, better = number(int(self.worse)), number(int(self.better))
                return message("best-drawback-fewer-numbers", safer=safer, worse=worse, best=best, better=better)
            case "worse-guesses":
                return message("best-drawback-worse-guesses", safer=safer)


class OptionFacts(Protocol):
    """A cell that may be opened: `mineproof.decision.moves.Option`."""

    @property
    def cell(self) -> Cell: ...

    @property
    def mine_probability(self) -> float: ...

    @property
    def win_probability(self) -> float | None: ...

    @property
    def win_fraction(self) -> Fraction | None: ...

    @property
    def exact(self) -> bool: ...

    @property
    def progress(self) -> float | None: ...


class MoveFacts(Protocol):
    """A best move: `mineproof.decision.moves.BestMove`."""

    @property
    def reason(self) -> str: ...

    @property
    def moves(self) -> Sequence[OptionFacts]: ...

    @property
    def safest(self) -> OptionFacts: ...

    @property
    def drawback(self) -> Drawback | None: ...

    @property
    def is_fifty_fifty(self) -> bool: ...

    @property
    def is_last_guess(self) -> bool: ...

    @property
    def playouts(self) -> int: ...

    @property
    def complete(self) -> bool: ...


def describe_move(move: MoveFacts) -> str:
    """Why this cell is the one to open, although another may be safer."""
    if not move.moves:
        return message("best-done")
    describe = {
        "safe": _describe_safe,
        "optimal": _describe_optimal,
        "fate": _describe_fate,
        "ahead": _describe_ahead,
        "safest": _describe_safest,
    }[move.reason]
    return " ".join([*describe(move), *_describe_shortfall(move)])


def describe_wins(option: OptionFacts) -> str:
    """The chance to win as a table shows it: ``always``, ``3/5``, ``about 41 %``, or ``?`` if it is unknown."""
    if option.win_probability is None:
        return "?"
    if option.win_fraction is not None:
        fraction = str(option.win_fraction)
        if fraction in ("0", "1"):
            return message("best-wins-always" if fraction == "1" else "best-wins-never")
        if len(fraction) <= FRACTION_MAX_CHARACTERS:
            return fraction
        return percent_text(option.win_probability)
    return win_text(option.win_probability, exact=False)


def describe_thinking(seconds: float, layouts: int, *, clear: bool) -> str:
    """How long a guess was considered, and whether more time could change it."""
    spent = plural("best-thought", layouts, seconds=decimal(seconds, 1))
    return f"{spent} {message('best-thought-clear' if clear else 'best-thought-open')}"


def _describe_safe(move: MoveFacts) -> list[str]:
    best = move.moves[0]
    others = sum(option.mine_probability == 0 for option in move.moves) - 1
    cell = message("best-this-cell") if cells_are_highlighted() else cell_label(best.cell)
    safe = plural("best-safe-others", others, cell=cell) if others else message("best-safe", cell=cell)
    if best.win_probability is None:
        return [sentence(safe)]
    if best.win_fraction == 1:
        return [sentence(safe), message("best-no-guess")]
    chance = win_text(best.win_probability, exact=best.exact)
    return [sentence(safe), message("best-perfect-play" if best.exact else "best-from-here", chance=chance)]


def _describe_optimal(move: MoveFacts) -> list[str]:
    best, safest = move.moves[0], move.safest
    fields = {"cell": cell_label(best.cell), "chance": _win_chance(best), "risk": percent_text(best.mine_probability)}
    if best.cell != safest.cell:
        safer = {"safer": cell_label(safest.cell), "less": _win_chance(safest)}
        least = percent_text(safest.mine_probability)
        guess = message("best-guess-beats-safest", cell=fields["cell"], chance=fields["chance"], **safer)
        risks = message("best-risks", cell=fields["cell"], risk=fields["risk"], safer=safer["safer"], least=least)
        return [guess, risks, *_describe_drawback(move)]
    if move.is_fifty_fifty:
        return [message("best-fifty-fifty", cell=fields["cell"], chance=fields["chance"])]
    guess = message("best-guess-and-safest", **fields)
    return [guess, message("best-last-guess")] if move.is_last_guess else [guess]


def _describe_fate(move: MoveFacts) -> list[str]:
    best, safest = move.moves[0], move.safest
    guess = message("best-fate", cell=cell_label(best.cell), risk=percent_text(best.mine_probability))
    if best.cell == safest.cell:
        return [guess]
    risk = percent_text(safest.mine_probability)
    return [guess, message("best-fate-delays", safer=cell_label(safest.cell), risk=risk)]


def _describe_ahead(move: MoveFacts) -> list[str]:
    best, safest = move.moves[0], move.safest
    cell, risk = cell_label(best.cell), percent_text(best.mine_probability)
    if best.cell == safest.cell and best.progress is None:
        sentences = [message("best-ahead-unknown", cell=cell, risk=risk)]
    elif best.cell == safest.cell:
        sentences = [message("best-ahead", cell=cell, risk=risk, chance=percent_text(best.progress or 0.0))]
    else:
        safer, least = cell_label(safest.cell), percent_text(safest.mine_probability)
        guess = message("best-ahead-not-safest", cell=cell, risk=risk, safer=safer, least=least)
        sentences = [guess, *_describe_drawback(move)]
    return sentences if best.win_probability is None else [*sentences, message("best-wins", chance=_win_chance(best))]


def _describe_safest(move: MoveFacts) -> list[str]:
    best = move.moves[0]
    guess = message("best-safest", cell=cell_label(best.cell), risk=percent_text(best.mine_probability))
    if best.win_probability is None:
        return [guess]
    better = max(move.moves, key=lambda option: option.win_probability or 0.0)
    if better.exact and best.exact and (better.win_probability or 0.0) > best.win_probability:
        fields = {"chance": _win_chance(best), "better": cell_label(better.cell), "more": _win_chance(better)}
        return [guess, message("best-safest-loses", **fields)]
    return [guess, message("best-wins", chance=_win_chance(best))]


def _describe_drawback(move: MoveFacts) -> list[str]:
    return [] if move.drawback is None else [move.drawback.text]


def _describe_shortfall(move: MoveFacts) -> list[str]:
    """What the budget did not allow."""
    best = move.moves[0]
    if move.complete:
        return []
    if best.win_probability is None:
        return [message("best-budget-no-estimate")]
    if move.playouts and not best.exact:
        return [plural("best-budget-rough-estimate", move.playouts)]
    return [message("best-budget-not-every-cell")]


def _win_chance(option: OptionFacts) -> str:
    return win_text(option.win_probability or 0.0, exact=option.exact)
