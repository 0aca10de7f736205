"""Files of JSON lines: one JSON value a line, with errors that name the line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mineproof.base import checks, files
from mineproof.errors import BoardSyntaxError

LINE_MAX_BYTES = 16 << 20  # a board of a million cells has fewer


def read_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of a file that are not empty, with their numbers from 1."""
    files.require_file(path)
    with path.open("rb") as file:
        number = 0
        while line := file.readline(LINE_MAX_BYTES + 1):
            number += 1
            if len(line) > LINE_MAX_BYTES:
                raise line_error(path, number, f"expected at most {LINE_MAX_BYTES >> 20} MiB in a line, got more")
            if line.strip():
                yield number, line


def read_values(path: Path) -> Iterator[tuple[int, Any]]:
    """Yield the JSON values of a file with the numbers of their lines."""
    for number, line in read_lines(path):
        yield number, decode(line, path, number)


def decode(line: bytes, path: Path, number: int) -> Any:
    """Return the JSON value of a line; BoardSyntaxError if it is none."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        given = checks.shorten(line[:200].decode("utf-8", "replace").strip())
        raise line_error(path, number, f"expected a JSON value, got {given}") from None


def line_error(path: Path, number: int, message: str) -> BoardSyntaxError:
    """Return the error of a line."""
    error = BoardSyntaxError(f"line {number}: {message}")
    error.source = str(path)
    return error
