"""The line above the board: mines left, time, how it stands, fairness with its redraws, and where the cursor is."""

from __future__ import annotations

from mineproof.base.words import at
from mineproof.board.cells import Cell
from mineproof.game.game import Game

FACES = {"new": ":-)", "running": ":-)", "won": "B-)", "lost": "X-("}
WORDS = {"new": "ready", "running": "playing", "won": "won", "lost": "lost"}


def line(game: Game, cursor: Cell, width: int) -> str:
    """As much of it as fits, the most important first."""
    mines, time = f"Mines {game.mines_left}", clock(game.seconds)
    face, word = FACES[game.status], WORDS[game.status]
    fairness = _fairness(game)
    for pieces in (
        (mines, f"Time {time}", f"{face} {word}", f"Fairness: {fairness or 'none'}", f"Cell {at(cursor)}"),
        (mines, time, f"{face} {word}", fairness, at(cursor)),
        (mines, time, face, fairness),
        (str(game.mines_left), time, face, f"{game.redraws} redrawn" if game.redraws else ""),
    ):
        text = "  ".join(filter(None, pieces))
        if len(text) <= width:
            break
    return text[:width]


def _fairness(game: Game) -> str:
    """The rule and how often it moved the mines; nothing where there is none."""
    rule = game.rules.fairness
    if rule == "none":
        return ""
    return f"{rule}, {game.redraws} redraw{'' if game.redraws == 1 else 's'}"


def clock(seconds: float) -> str:
    """Minutes and seconds; hours where there are any."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
