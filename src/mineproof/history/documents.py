"""JSON documents about changes to a history, as the command line and the server print them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from mineproof.base import files
from mineproof.errors import MineproofError, error_json
from mineproof.history.history import Added


class ImportedFile(NamedTuple):
    """The games of one imported file, or the error that stopped it."""

    file: str
    games: Sequence[Added]
    error: MineproofError | OSError | None = None


def imported_json(imports: Sequence[ImportedFile], left_out: int | None = None) -> dict[str, Any]:
    """The ``mineproof/imported/1`` shape; ``left_out`` is the number of games that there was no time for."""
    games = [added for one in imports for added in one.games]
    new = sum(added.new for added in games)
    return {
        "schema": "mineproof/imported/1",
        "added": new,
        "known": len(games) - new,
        "failed": sum(one.error is not None for one in imports),
        **({} if left_out is None else {"left_out": left_out}),
        "files": [_file_json(one) for one in imports],
    }


def _file_json(one: ImportedFile) -> dict[str, Any]:
    games = [{"id": added.game.id, "new": added.new} for added in one.games]
    return {"file": one.file, "games": games, "error": None if one.error is None else _error_json(one.error)}


def _error_json(error: MineproofError | OSError) -> dict[str, Any]:
    return error.as_json() if isinstance(error, MineproofError) else error_json("file", files.cause(error))


def forgotten_json(game_ids: Sequence[int]) -> dict[str, Any]:
    """The ``mineproof/forgotten/1`` shape: numbers of deleted games."""
    return {"schema": "mineproof/forgotten/1", "forgotten": game_ids}


def exported_json(file: str, games: int) -> dict[str, Any]:
    """The ``mineproof/exported/1`` shape."""
    return {"schema": "mineproof/exported/1", "file": file, "games": games}


def filled_json(filled: int, left: int) -> dict[str, Any]:
    """The ``mineproof/filled/1`` shape: games whose guesses were computed, and games without them."""
    return {"schema": "mineproof/filled/1", "filled": filled, "left": left}
