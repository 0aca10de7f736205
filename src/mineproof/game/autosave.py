"""The game in progress, on disk after every move: only its player ends it, neither a crash nor ``kill -9``.

One file holds one game, written whole (`mineproof.base.files`). A file that cannot be read as a game is set aside under
another name and kept. Two processes that played into the same file would undo each other's moves, so a player claims it
first.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from mineproof.base import files
from mineproof.base.budget import Budget
from mineproof.errors import MineproofError
from mineproof.game import record
from mineproof.game.game import Game
from mineproof.game.record import Kept

GAME = "game.json"
LARGEST = 64 * 2**20  # bytes that are read; a million moves take some 25 million


class Found(NamedTuple):
    """What a file held: a game and what is kept beside it; or none, with a note for the player where that surprises."""

    game: Game | None
    note: str = ""
    kept: Kept = Kept()


def default_path() -> Path:
    """The file of the game that ``mineproof play`` resumes."""
    return files.state_folder() / GAME


def save(game: Game, path: Path, kept: Kept | None = None) -> None:
    """Put a game on disk, and what is kept beside it; OSError if that fails, and then the file is as it was."""
    files.write(path, record.to_json(game.record(), kept), private=True)


def load(path: Path, *, budget: Budget | float | None = None) -> Found:
    """The game of a file, to be played within a budget.

    A file that is not a game is set aside, and one that may not be read, or is none, raises OSError.
    """
    if path.exists() and not path.is_file() and not path.is_dir():
        raise OSError(f"{path}: found a device or a pipe, expected a file for the game")
    try:
        text = files.read(path, LARGEST).decode("utf-8")
        return Found(Game.load(text, budget=budget), kept=record.kept_in(text) or record.Kept())
    except FileNotFoundError:
        return Found(None)
    except (MineproofError, ValueError, RecursionError) as error:
        return Found(None, f"The saved game cannot be read ({error}); it is kept as {_set_aside(path)}.")


def _set_aside(path: Path) -> Path:
    """Give a file a name that is free; that name."""
    target = path.resolve()
    number = 1
    while (aside := target.with_name(f"{target.name}.unreadable-{number}")).exists():
        number += 1
    return target.rename(aside)
