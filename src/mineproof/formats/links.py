"""Parameters of a link, however much of the link was copied: the whole address, ``?a=1&b=2`` or ``a=1&b=2``.

Some sites keep their parameters behind the ``#`` of a page route, so the query is what follows the first ``?``
wherever that stands, up to the next ``#``.
"""

from __future__ import annotations

from urllib.parse import parse_qsl

from mineproof.board.notation import quote
from mineproof.errors import BoardSyntaxError


def parameters(text: str) -> dict[str, str]:
    """Names and decoded values; a name given twice with different values is refused."""
    text = text.strip()
    query = text.partition("?")[2] if "?" in text else text
    found: dict[str, str] = {}
    for key, value in parse_qsl(query.partition("#")[0], keep_blank_values=True):
        if found.setdefault(key, value) != value:
            raise BoardSyntaxError(f"found two values of {quote(key)} in the link, expected one")
    return found


def parameter(text: str, key: str) -> str:
    """One value, which must be there."""
    found = parameters(text)
    if key not in found:
        raise BoardSyntaxError(f"found no {key}= in {quote(text.strip())}, expected a link with one")
    return found[key]
