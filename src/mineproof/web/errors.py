"""Errors of requests: turn an exception into a status and a ``mineproof/error/1`` document."""

from __future__ import annotations

from typing import NamedTuple

from mineproof.base.extras import ExtraMissing
from mineproof.errors import STATUS, ErrorJson, HistoryError, MineproofError, error_json
from mineproof.history.database import DatabaseLocked
from mineproof.web.limits import RETRY_SECONDS

# The codes that only a server has, beside those of `mineproof.errors.STATUS`.
HTTP = {
    "usage": 400,
    "no-player": 401,
    "forbidden": 403,
    "not-found": 404,
    "method": 405,
    "timeout": 408,
    "too-large": 413,
    "media-type": 415,
    "too-many": 429,
    "head-too-large": 431,
    "internal": 500,
    "not-installed": 501,
    "busy": 503,
}
KEPT_NOWHERE = "The game database is unavailable. See the server log."
LOCKED = "The database is locked by another process. Nothing was changed. Try again in a moment."
ENDS = "The server is shutting down."
AGAIN = " Try again in a moment."
LOOK = " The request may have been carried out: look at the game before you try again."
LATER = (429, 503)  # statuses that say when to try again


class Refused(Exception):
    """A rejected request with a code of `HTTP`; ``allow`` lists the allowed methods."""

    def __init__(self, code: str, message: str, *, allow: str | None = None) -> None:
        super().__init__(message)
        self.code, self.allow = code, allow


class Failure(NamedTuple):
    """An error response."""

    status: int
    document: ErrorJson
    headers: list[tuple[bytes, bytes]]


def failure(error: Exception, *, changes: bool = False) -> Failure:
    """Return the response to an error; an unexpected error has no details.

    ``changes``: the request may have changed a game although the database failed, if the response to a COMMIT was lost.
    """
    allow: str | None = None
    match error:
        case DatabaseLocked():
            status, document = STATUS[error.code].http, error_json(error.code, LOCKED)
        case HistoryError():  # which names a file of this machine: that is for the log
            status, document = STATUS[error.code].http, error_json(error.code, KEPT_NOWHERE + LOOK * changes)
        case MineproofError():
            status, document = STATUS[error.code].http, error.as_json()
        case Refused():
            status, document, allow = HTTP[error.code], error_json(error.code, str(error)), error.allow
        case ExtraMissing():
            status, document = HTTP["not-installed"], error_json("not-installed", str(error))
        case ValueError() | TypeError():  # an argument that the library refuses
            status, document = HTTP["usage"], error_json("usage", str(error))
        case _:
            status, document = HTTP["internal"], error_json("internal", "Internal server error. See the server log.")
    headers = [(b"retry-after", str(RETRY_SECONDS).encode())] if status in LATER else []
    if allow is not None:
        headers.append((b"allow", allow.encode()))
    if status == HTTP["no-player"]:
        headers.append((b"www-authenticate", b"Mineproof-Player"))
    return Failure(status, document, headers)
