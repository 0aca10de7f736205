"""The game in progress, saved after every move: it survives a crash and ``kill -9``.

A file holds one game and is replaced atomically (`mineproof.base.files`). A file that is not a game is renamed, never
deleted. Two processes that write the same file would overwrite each other's moves, so a player locks it first.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from mineproof.base import files
from mineproof.base.budget import Budget
from mineproof.errors import MineproofError
from mineproof.game import record
from mineproof.game.game import Game
from mineproof.game.record import GameExtras

GAME = "game.json"
SAVED_GAME_MAX_BYTES = 64 * 2**20  # a million moves take about 25 million


class SavedGame(NamedTuple):
    """The game of a file with its extras; or None, with a note for the player if the file was unreadable."""

    game: Game | None
    note: str = ""
    extras: GameExtras = GameExtras()


def default_path() -> Path:
    """Return the file of the game that ``mineproof play`` resumes."""
    return files.state_folder() / GAME


def save(game: Game, path: Path, extras: GameExtras | None = None) -> None:
    """Save a game and its extras. If this raises OSError, the file is unchanged."""
    files.write(path, record.to_json(game.record(), extras), private=True)


def load(path: Path, *, budget: Budget | float | None = None) -> SavedGame:
    """Load the game of a file; ``budget`` limits its moves.

    Renames a file that is not a game. Raises OSError for a file without permission, a folder or a device.
    """
    if path.exists() and not path.is_file() and not path.is_dir():
        raise OSError(f"{path}: expected a file, got a device or a pipe")
    try:
        text = files.read(path, SAVED_GAME_MAX_BYTES).decode("utf-8")
        return SavedGame(Game.load(text, budget=budget), extras=record.read_extras(text) or record.GameExtras())
    except FileNotFoundError:
        return SavedGame(None)
    except (MineproofError, ValueError, RecursionError) as error:
        return SavedGame(
            None, f"The saved game cannot be read ({error}). It was renamed to {_rename_unreadable(path)}."
        )


def _rename_unreadable(path: Path) -> Path:
    """Rename a file to a free name and return that name."""
    target = path.resolve()
    number = 1
    while (aside := target.with_name(f"{target.name}.unreadable-{number}")).exists():
        number += 1
    return target.rename(aside)
