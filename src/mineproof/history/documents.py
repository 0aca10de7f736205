"""JSON documents about changes to a history, as the command line and the server print them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from mineproof.base import files
from mineproof.errors import ErrorJson, MineproofError, error_json
from mineproof.history.history import Added

if TYPE_CHECKING:
    from mineproof.history.wire import (
        ExportedJson,
        FilledJson,
        ForgottenJson,
        ImportedFileJson,
        ImportedGameJson,
        ImportedJson,
    )


class ImportedFile(NamedTuple):
    """The games of one imported file, or the error that stopped it."""

    file: str
    games: Sequence[Added]
    error: MineproofError | OSError | None = None


def imported_json(imports: Sequence[ImportedFile], left_out: int | None = None) -> ImportedJson:
    """The ``mineproof/imported/1`` shape; ``left_out`` is the number of games that there was no time for."""
    games = [added for one in imports for added in one.games]
    new = sum(added.new for added in games)
    shown: ImportedJson = {
        "schema": "mineproof/imported/1",
        "added": new,
        "known": len(games) - new,
        "failed": sum(one.error is not None for one in imports),
        "left_out": left_out or 0,
        "files": [_file_json(one) for one in imports],
    }
    if left_out is None:
        del shown["left_out"]
    return shown


def _file_json(one: ImportedFile) -> ImportedFileJson:
    games: list[ImportedGameJson] = [{"id": added.game.id, "new": added.new} for added in one.games]
    return {"file": one.file, "games": games, "error": None if one.error is None else _error_json(one.error)}


def _error_json(error: MineproofError | OSError) -> ErrorJson:
    return error.as_json() if isinstance(error, MineproofError) else error_json("file", files.cause(error))


def forgotten_json(game_ids: Sequence[int]) -> ForgottenJson:
    """The ``mineproof/forgotten/1`` shape: numbers of deleted games."""
    return {"schema": "mineproof/forgotten/1", "forgotten": list(game_ids)}


def exported_json(file: str, games: int) -> ExportedJson:
    """The ``mineproof/exported/1`` shape."""
    return {"schema": "mineproof/exported/1", "file": file, "games": games}


def filled_json(filled: int, left: int) -> FilledJson:
    """The ``mineproof/filled/1`` shape: games whose guesses were computed, and games without them."""
    return {"schema": "mineproof/filled/1", "filled": filled, "left": left}
