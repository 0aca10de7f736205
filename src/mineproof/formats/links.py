"""Parameters of a link, however much of the link was copied: the whole address, ``?a=1&b=2`` or ``a=1&b=2``.

Some sites keep their parameters behind the ``#`` of a page route, so the query is what follows the first ``?``
wherever that stands, up to the next ``#``.
"""

from __future__ import annotations

from urllib.parse import parse_qsl

from mineproof.board.notation import quote
from mineproof.errors import BoardSyntaxError


def parameters(text: str) -> dict[str, str]:
    """Return names and decoded values. Raises BoardSyntaxError for a name with two different values."""
    text = text.strip()
    query = text.partition("?")[2] if "?" in text else text
    values: dict[str, str] = {}
    for key, value in parse_qsl(query.partition("#")[0], keep_blank_values=True):
        if values.setdefault(key, value) != value:
            raise BoardSyntaxError(f"the link has two values of {quote(key)}")
    return values


def parameter(text: str, key: str) -> str:
    """Return one value. Raises BoardSyntaxError if it is missing."""
    values = parameters(text)
    if key not in values:
        raise BoardSyntaxError(f"expected a link with {key}=, got {quote(text.strip())}")
    return values[key]
