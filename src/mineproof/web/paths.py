"""Find what answers a path, in a table whose paths may have parts in braces: ``/games/{id}``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")
_PART = re.compile(r"\\{(\w+)\\}")  # as `re.escape` writes a part in braces


class PathMatch(NamedTuple, Generic[T]):
    """What answers a path, and the parts of the path by their names."""

    value: T
    parts: dict[str, str]


class Paths(Generic[T]):
    """A table of paths.

    >>> paths = Paths({"/games": "all", "/games/{id}": "one"})
    >>> paths.find("/games"), paths.find("/games/x1"), paths.find("/games/x1/")
    (PathMatch(value='all', parts={}), PathMatch(value='one', parts={'id': 'x1'}), None)
    """

    def __init__(self, table: Mapping[str, T]) -> None:
        self._whole = {path: value for path, value in table.items() if "{" not in path}
        self._patterns = [
            (re.compile(_PART.sub(r"(?P<\1>[^/]+)", re.escape(path))), value)
            for path, value in table.items()
            if "{" in path
        ]

    def find(self, path: str) -> PathMatch[T] | None:
        """Return what answers a path; None if nothing does. A path without braces goes before the others."""
        value = self._whole.get(path)
        if value is not None:
            return PathMatch(value, {})
        for pattern, value in self._patterns:
            if match := pattern.fullmatch(path):
                return PathMatch(value, match.groupdict())
        return None
