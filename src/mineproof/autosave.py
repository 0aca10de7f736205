"""The game in progress, on disk after every move: only its player ends it, neither a crash nor ``kill -9``.

One file holds one game. It is replaced, never written into: the new text goes to a file next to it, which is forced to
disk and then takes the name in one step. Whoever looks finds the game before the move or after it, and nothing between.
A file that cannot be read as a game is set aside under another name and kept.

Two processes that played into the same file would undo each other's moves, so a player claims it first. The claim is a
lock of the operating system: it ends with its process, however that ends.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from mineproof.budget import Budget
from mineproof.errors import MineproofError
from mineproof.game import Game

GAME = "game.json"


class Found(NamedTuple):
    """What a file held: a game, or none, with a note for the player where that is a surprise."""

    game: Game | None
    note: str = ""


def folder() -> Path:
    """Where mineproof keeps what it must remember: ``$XDG_STATE_HOME/mineproof``, by default in ``~/.local/state``."""
    named = Path(os.environ.get("XDG_STATE_HOME", ""))
    # The XDG specification has relative paths ignored; so is the empty one.
    return (named if named.is_absolute() else Path.home() / ".local" / "state") / "mineproof"


def default_path() -> Path:
    """The file of the game that ``mineproof play`` resumes."""
    return folder() / GAME


def save(game: Game, path: Path) -> None:
    """Put a game on disk; OSError if that fails, and then the file is as it was."""
    write(path, game.save())


def load(path: Path, *, budget: Budget | float | None = None) -> Found:
    """The game of a file, to be played within a budget.

    A file that is not a game is set aside, and one that may not be read raises OSError.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return Found(None)
    try:
        return Found(Game.load(data.decode("utf-8"), budget=budget))
    except (MineproofError, ValueError, RecursionError) as error:
        return Found(None, f"The saved game cannot be read ({error}); it is kept as {_set_aside(path)}.")


def write(path: Path, text: str) -> None:
    """Replace a file in one step, and return once it is on disk. Only whoever has claimed the file may do so."""
    target = path.resolve()  # through a link, to what it stands for
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    fresh = target.with_name(f"{target.name}.new")
    with fresh.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(target)
    _sync_folder(target.parent)


@contextmanager
def claim(path: Path) -> Iterator[None]:
    """Keep a file to oneself; BlockingIOError while somebody else has it."""
    target = path.resolve()
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    # The file itself is replaced all the time, and a lock would go with the old one.
    with target.with_name(f"{target.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield


def _set_aside(path: Path) -> Path:
    """Give a file a name that is free; that name."""
    target = path.resolve()
    number = 1
    while (aside := target.with_name(f"{target.name}.unreadable-{number}")).exists():
        number += 1
    return target.rename(aside)


def _sync_folder(path: Path) -> None:
    """Force the names in a folder to disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
