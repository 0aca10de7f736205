"""The line above the board: mines left, time, how it stands, the rules, and where the cursor is."""

from __future__ import annotations

from mineproof.base.words import at, plural
from mineproof.board.cells import Cell
from mineproof.game.game import Game

FACES = {"new": ":-)", "running": ":-)", "won": "B-)", "lost": "X-("}
WORDS = {"new": "ready", "running": "playing", "won": "won", "lost": "lost"}


def line(game: Game, cursor: Cell, width: int, *, no_guess: bool = False, sea: str = "") -> str:
    """As much of it as fits, the most important first; rules that are not the usual ones are always among that.

    ``sea`` are the odds of all cells that no number touches, where odds are shown.
    """
    mines, time = f"Mines {game.mines_left}", clock(game.seconds)
    face, word = FACES[game.status], WORDS[game.status]
    rule, redraws = game.rules.fairness, game.redraws
    fairness = "" if rule == "none" else f"{rule}, {plural(redraws, 'redraw')}"
    brief = "" if rule == "none" else f"{rule} {redraws}"
    kind = "" if game.board.topology == "grid" else game.board.topology
    unusual = ["no-guess" if no_guess else "", kind, f"· {sea} %" if sea else ""]
    for pieces in (
        (mines, f"Time {time}", f"{face} {word}", f"Fairness: {fairness or 'none'}", *unusual, f"Cell {at(cursor)}"),
        (mines, time, f"{face} {word}", fairness, *unusual, at(cursor)),
        (mines, time, face, fairness, *unusual),
        (str(game.mines_left), time, face, brief, *unusual),
        (str(game.mines_left), time, brief, *unusual),
        (str(game.mines_left), time, face, f"{redraws} redrawn" if redraws else ""),
    ):
        text = "  ".join(filter(None, pieces))
        if len(text) <= width:
            break
    return text[:width]


def clock(seconds: float) -> str:
    """Minutes and seconds; hours where there are any."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
