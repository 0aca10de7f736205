"""A chosen move as data, with everything it was weighed against, and in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from mineproof.base.showing import Shown
from mineproof.base.words import at, percent, plural
from mineproof.board.board import Board
from mineproof.board.cells import Cell
from mineproof.decision.thinking import Thought
from mineproof.engine.answers import Outlook

SCHEMA = "mineproof/best/1"
LONGEST_FRACTION = 9  # characters that people read
SOONER_OR_LATER = "a guess that has to be made sooner or later"

# Why a cell was chosen: it is certainly safe; optimal play; it loses only what is half lost anyway; it is best by a
# look one reveal ahead and by playing on; it is the safest; or nothing is left to open.
MoveReason = Literal["safe", "optimal", "fate", "ahead", "safest", "done"]


@dataclass(frozen=True, slots=True)
class Option:
    """One cell that may be opened.

    ``win_probability`` is exact, with its fraction, or an estimate with its standard error; None where neither was
    worked out. ``score`` is what strategies that look ahead compare, no probability of anything. ``progress`` is the
    chance that the cell is free and something is certainly safe afterwards. ``fate`` is the chance of fifty-fifties
    that a mine here would be part of, or wall in; it is added up over all there may be, so it can be more than the
    chance of the mine. All three are None, and ``outlook`` is empty, where nobody looked.
    """

    cell: Cell
    mine_probability: float
    win_probability: float | None = None
    exact: bool = False
    win_fraction: Fraction | None = None
    standard_error: float | None = None
    score: float | None = None
    progress: float | None = None
    fate: float | None = None
    outlook: tuple[Outlook, ...] = ()

    @property
    def next_safety(self) -> float:
        """How safe the next cell is on average, if this one is free."""
        seen = sum(each.chance for each in self.outlook)
        return sum(each.chance * each.safety for each in self.outlook) / seen if seen else 0.0

    @property
    def wins(self) -> str:
        """The chance to win as people read it."""
        if self.win_probability is None:
            return "?"
        if self.win_fraction is None:
            return _about(self.win_probability)
        short = str(self.win_fraction)
        if len(short) <= LONGEST_FRACTION:
            return "always" if short == "1" else "never" if short == "0" else short
        return percent(self.win_probability)

    def __repr__(self) -> str:
        return f"<Option {at(self.cell)}: {self._odds}>"

    @property
    def _odds(self) -> str:
        """What is known of it, in short."""
        mine = {0.0: "safe", 1.0: "a mine"}.get(self.mine_probability, f"mine {percent(self.mine_probability)}")
        return mine if self.win_probability is None else f"{mine}, wins {self.wins}"

    def as_json(self) -> dict[str, object]:
        return {
            "cell": list(self.cell),
            "mine_probability": self.mine_probability,
            "win_probability": self.win_probability,
            "exact": self.exact,
            "win_fraction": None if self.win_fraction is None else str(self.win_fraction),
            "standard_error": self.standard_error,
            "score": self.score,
            "progress": self.progress,
            "fate": self.fate,
            "outlook": [each._asdict() for each in self.outlook],
        }


@dataclass(frozen=True, slots=True)
class BestMove(Shown):
    """The cell to open, why, and the other cells that were weighed, best first; see `mineproof.best_move`.

    ``cell`` is None if nothing is left to open. ``exact`` says whether ``win_probability`` is that of optimal play.
    ``safest`` is the option with the lowest mine probability, the chosen one where none is lower.
    """

    cell: Cell | None
    reason: MoveReason
    moves: tuple[Option, ...]
    safest: Option | None
    layouts: int | None  # that fit, where they are few enough to tell
    thought: Thought | None = None  # how the guess was thought over, where it was given time
    board: Board | None = field(default=None, compare=False, repr=False)  # what it was asked about

    @property
    def mine_probability(self) -> float | None:
        return self.moves[0].mine_probability if self.moves else None

    @property
    def win_probability(self) -> float | None:
        return self.moves[0].win_probability if self.moves else 1.0

    @property
    def win_fraction(self) -> Fraction | None:
        return self.moves[0].win_fraction if self.moves else Fraction(1)

    @property
    def exact(self) -> bool:
        return self.moves[0].exact if self.moves else True

    @property
    def text(self) -> str:
        """Why this cell, although another may be safer."""
        return sentence_for(self)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        if self.cell is None or not self.moves:
            return "<BestMove: nothing is left to open>"
        return f"<BestMove: open {at(self.cell)}, {self.moves[0]._odds}; {plural(len(self.moves), 'cell')} weighed>"

    def as_json(self) -> dict[str, object]:
        """The ``mineproof/best/1`` shape."""
        return {
            "schema": SCHEMA,
            "best": None if self.cell is None else list(self.cell),
            "mine_probability": self.mine_probability,
            "win_probability": self.win_probability,
            "exact": self.exact,
            "win_fraction": None if self.win_fraction is None else str(self.win_fraction),
            "reason": self.reason,
            "text": self.text,
            "safest": None if self.safest is None else list(self.safest.cell),
            "layouts": None if self.layouts is None else str(self.layouts),
            "thought": None if self.thought is None else self.thought.as_json(),
            "moves": [option.as_json() for option in self.moves],
        }


# words


def sentence_for(move: BestMove) -> str:
    """Why a cell was chosen, although another may be safer."""
    if not move.moves or move.safest is None:
        return "Nothing is left to open: the game is won."
    best, safest = move.moves[0], move.safest
    tell = {"safe": _safe, "optimal": _optimal, "fate": _fate, "ahead": _ahead, "safest": _safest}[move.reason]
    return tell(best, safest, move)


def _safe(best: Option, _: Option, move: BestMove) -> str:
    others = sum(option.mine_probability == 0 for option in move.moves) - 1
    also = f", and so {'is' if others == 1 else 'are'} {plural(others, 'other cell')}" if others else ""
    sentence = f"Open {at(best.cell)}: it is certainly safe{also}."
    if best.win_probability is None:
        return sentence
    if best.win_fraction == 1:
        return f"{sentence} No guess will be needed."
    return (
        f"{sentence} Optimal play wins {best.wins}."
        if best.exact
        else f"{sentence} The game is won {best.wins} of the time."
    )


def _optimal(best: Option, safest: Option, move: BestMove) -> str:
    if best.cell != safest.cell:
        risk, least = percent(best.mine_probability), percent(safest.mine_probability)
        return (
            f"Open {at(best.cell)}: it wins {best.wins}, the safest cell {at(safest.cell)} only {safest.wins}. "
            f"{at(safest.cell)} is a mine with a chance of {least}, {at(best.cell)} with {risk}; "
            f"but {lack(best, safest)}."
        )
    if all(option.mine_probability == 0.5 and option.win_fraction == best.win_fraction for option in move.moves):
        return f"Open {at(best.cell)}: a fifty-fifty, {SOONER_OR_LATER}. It wins {best.wins}, as every other cell does."
    sure = best.win_fraction is not None and best.win_fraction == 1 - _mined(best, move)
    after = " If it is free, no other guess will be needed." if sure else ""
    risk = percent(best.mine_probability)
    return f"Open {at(best.cell)}: it wins {best.wins}, no cell more, and none is safer ({risk}).{after}"


def _fate(best: Option, safest: Option, _: BestMove) -> str:
    risk = percent(best.mine_probability)
    sentence = f"Open {at(best.cell)} now: where it is a mine ({risk}), it is part of a fifty-fifty, {SOONER_OR_LATER}."
    if best.cell == safest.cell:
        return sentence
    return (
        f"{sentence} {at(safest.cell)} is safer ({percent(safest.mine_probability)}), but leaves that guess to be made."
    )


def _ahead(best: Option, safest: Option, _: BestMove) -> str:
    risk = percent(best.mine_probability)
    if best.cell == safest.cell:
        known = f"a safe cell is known afterwards with a chance of {_chance(best.progress)}"
        sentence = f"Open {at(best.cell)}: no cell is safer ({risk}), and {known}."
    else:
        sentence = (
            f"Open {at(best.cell)} ({risk}), although {at(safest.cell)} is safer "
            f"({percent(safest.mine_probability)}): {lack(best, safest)}."
        )
    return sentence if best.win_probability is None else f"{sentence} It wins {best.wins} of the time."


def _safest(best: Option, _: Option, move: BestMove) -> str:
    sentence = f"Open {at(best.cell)}: no cell is safer ({percent(best.mine_probability)})."
    if best.win_probability is None:
        return sentence
    better = max(move.moves, key=lambda option: option.win_probability or 0.0)
    if better.exact and best.exact and (better.win_probability or 0.0) > best.win_probability:
        return f"{sentence} It wins {best.wins}; {at(better.cell)} would win {better.wins}."
    return f"{sentence} It wins {best.wins}{'' if best.exact else ' of the time'}."


def lack(best: Option, safer: Option) -> str:
    """What speaks against a safer cell."""
    if len(safer.outlook) == 1:
        return f"{at(safer.cell)} can show nothing but a {safer.outlook[0].number}, which tells nothing"
    if _surviving(best) < _surviving(safer) and (best.fate or 0.0) > (safer.fate or 0.0):
        return f"a mine at {at(best.cell)} often means a fifty-fifty, which is lost half of the time anyway"
    if (best.progress or 0.0) - (safer.progress or 0.0) > 0.01:
        less, more = _chance(safer.progress), _chance(best.progress)
        return f"after {at(safer.cell)} a safe cell is known with a chance of only {less}, not {more}"
    if best.next_safety - safer.next_safety > 0.005:
        risk, least = percent(1 - safer.next_safety), _chance(1 - best.next_safety)
        return f"after {at(safer.cell)} the next step is riskier, {risk} on average, not {least}"
    if 0 < len(safer.outlook) < len(best.outlook):
        return f"{at(safer.cell)} shows less: one of {len(safer.outlook)} numbers, not of {len(best.outlook)}"
    return f"{at(safer.cell)} leads to worse guesses later"


def _about(win_probability: float) -> str:
    """An estimate, which never says always or never."""
    if win_probability > 0.99:
        return "more than 99 %"
    if win_probability < 0.01:
        return "less than 1 %"
    return f"about {win_probability:.0%}".replace("%", " %")


def _surviving(option: Option) -> float:
    """The chance to survive this step and the next."""
    return (1 - option.mine_probability) * option.next_safety


def _chance(value: float | None) -> str:
    return "0 %" if not value else "100 %" if value == 1 else percent(value)


def _mined(option: Option, move: BestMove) -> Fraction:
    layouts = move.layouts or 1
    return Fraction(round(option.mine_probability * layouts), layouts)


def safest_of(options: Sequence[Option]) -> Option | None:
    """The option with the lowest mine probability; the first of several, so the chosen one where none is lower."""
    if not options:
        return None
    least = min(option.mine_probability for option in options)
    return next(option for option in options if option.mine_probability <= least * (1 + 1e-9))
