"""What a player may choose, kept from one day to the next."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import msgspec

from mineproof.base import files
from mineproof.board.geometry import Topology
from mineproof.board.levels import Size, read_size
from mineproof.board.start import FirstClick
from mineproof.errors import BoardSyntaxError
from mineproof.game.rules import Fairness

FILE = "settings.json"


@dataclass(frozen=True, slots=True)
class Settings:
    """The next game, and how it is played; ``size`` is a level or ``WxHxM``.

    With ``letters_move`` the keys h, j, k and l move the cursor as in vi, and only i asks for a hint.
    """

    size: str = "beginner"
    first_click: FirstClick = "safe"
    fairness: Fairness = "none"
    no_guess: bool = False
    topology: Topology = "grid"
    question_marks: bool = False
    letters_move: bool = False

    def dimensions(self) -> Size:
        return read_size(self.size)


def path() -> Path:
    return files.state_folder() / FILE


def load() -> Settings:
    """The settings of last time; where there are none, or none that can be used, those to begin with."""
    try:
        found = msgspec.json.decode(files.read(path()), type=Settings)
        found.dimensions()
    except (OSError, msgspec.MsgspecError, UnicodeError, RecursionError, BoardSyntaxError):
        return Settings()
    return found


def keep(settings: Settings) -> str:
    """Remember settings for next time; nothing, or what to tell the player if that fails."""
    try:
        files.write(path(), msgspec.json.encode(settings), private=True)
    except OSError as error:
        return f" The settings could not be saved: {files.reason(error)}."
    return ""
