"""How a request ends that has no answer: one place where an error becomes a status and a ``mineproof/error/1``."""

from __future__ import annotations

from typing import NamedTuple

from mineproof.base.extras import ExtraMissing
from mineproof.errors import STATUS, HistoryError, MineproofError, error_json
from mineproof.web.limits import RETRY_SECONDS

# The codes that only a server has, beside those of `mineproof.errors.STATUS`.
HTTP = {
    "usage": 400,
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
KEPT_NOWHERE = "found games or a history that cannot be used now; the log of the server has more"
ENDS = "found a server that ends, expected one that goes on"
AGAIN = "; try again"
LOOK = "; what was asked for may have been done: look at the game before you try again"
LATER = (429, 503)  # statuses that say when to try again


class Refused(Exception):
    """A request that is not answered, by a code of `HTTP`; ``allow`` are the methods that there are."""

    def __init__(self, code: str, message: str, *, allow: str | None = None) -> None:
        super().__init__(message)
        self.code, self.allow = code, allow


class Failure(NamedTuple):
    """What is sent instead of an answer."""

    status: int
    document: dict[str, object]
    headers: list[tuple[bytes, bytes]]


def failure(error: Exception, *, changes: bool = False) -> Failure:
    """What a client is told of an error; of one that nobody foresaw, only that there was one.

    ``changes``: the request was to change a game. Where the database failed it may have done so: whether a COMMIT that
    was not answered took place, nobody knows.
    """
    allow: str | None = None
    match error:
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
            status, document = HTTP["internal"], error_json("internal", "found a fault in the server; its log has more")
    headers = [(b"retry-after", str(RETRY_SECONDS).encode())] if status in LATER else []
    if allow is not None:
        headers.append((b"allow", allow.encode()))
    return Failure(status, document, headers)
