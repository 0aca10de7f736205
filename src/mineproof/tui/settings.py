"""The player's settings, stored between games."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import msgspec

from mineproof.base import files
from mineproof.board.geometry import Topology
from mineproof.board.levels import Size, read_size, size_on
from mineproof.board.start import FirstClick
from mineproof.errors import BoardSyntaxError
from mineproof.game.rules import Fairness
from mineproof.wording.catalogue import message

FILE = "settings.json"


@dataclass(frozen=True, slots=True)
class Settings:
    """The rules of the next game, and how the board is shown and played; ``size`` is a level or ``WxHxM``.

    With ``letters_move`` the keys h, j, k and l move the cursor as in vi, and only i gives a hint. ``ruler`` shows the
    labels of rows and columns at the edge of the board.
    """

    size: str = "beginner"
    first_click: FirstClick = "safe"
    fairness: Fairness = "none"
    no_guess: bool = False
    topology: Topology = "grid"
    question_marks: bool = False
    letters_move: bool = False
    ruler: bool = True

    def dimensions(self) -> Size:
        """Return the size of the board; a shape that cannot have it has one with about as many cells."""
        return size_on(self.topology, read_size(self.size))


def path() -> Path:
    return files.state_folder() / FILE


def load() -> Settings:
    """Return the stored settings, or the defaults if there are none or the file is not valid."""
    try:
        settings = msgspec.json.decode(files.read(path()), type=Settings)
        settings.dimensions()
    except (OSError, msgspec.MsgspecError, UnicodeError, RecursionError, BoardSyntaxError):
        return Settings()
    return settings


def save(settings: Settings) -> str:
    """Store settings for the next game; return an empty text, or the message to show if that fails."""
    try:
        files.write(path(), msgspec.json.encode(settings), private=True)
    except OSError as error:
        return message("tui-settings-unsaved", reason=files.reason(error))
    return ""
