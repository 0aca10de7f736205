"""Read answers leniently: JSON, lists, prose with coordinates, code blocks, and answers behind marks.

Order    Text up to the last ``</think>`` is dropped. Of what is marked as the answer, the last one counts: a block
         ``<answer>…</answer>``, ``\\boxed{…}``, a code block at the end, or what follows ``Answer:``. If that holds no
         answer, the whole text is read.
Cells    JSON comes first: a list of pairs, a pair, or an object with such a value. Then the last list of pairs in the
         text, then the coordinates of the last line that has any: ``(3, 4)``, ``3,4``, ``r3c4``, ``row 3, column 4``.
         ``none`` and ``[]`` are an empty list.
Words    ``right``, ``wrong``, ``true``, ``false``, ``yes``, ``no`` or a German word, in the last line that has one: the
         word that the line begins with, else its last. ``not`` reverses it.
Limits   Only the last `READ_CHARACTERS` characters of a text are read, so that no answer takes long.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

from mineproof.board.cells import Cell

READ_CHARACTERS = 20_000
MAX_NESTING = 6  # of lists and objects around a cell
CELL_KEYS = ("answer", "cells", "cell", "safe", "mines", "moves", "move", "solution", "coordinates", "position")

_THOUGHT = re.compile(r"^.*</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
_MARKED = re.compile(r"<answer>(.*?)</answer>|\\boxed\{((?:[^{}]|\{[^{}]*\})*)\}", re.DOTALL | re.IGNORECASE)
_BLOCK = re.compile(r"```[\w+-]*\s*\n(.*?)```\s*$", re.DOTALL)
_AFTER = re.compile(r"(?:final answer|answer|antwort)\W{0,4}(?:is\b|ist\b)?\W{0,4}?\s*[:=]", re.IGNORECASE)
_PAIR = r"[\[(]\s*\d{1,7}\s*,\s*\d{1,7}\s*[\])]"
_LIST = re.compile(rf"[\[{{(]\s*(?:{_PAIR}[\s,;]*)*[\]}})]")
_CELL = re.compile(
    r"""\brow\s*[=:]?\s*(?P<row>\d{1,7})\W{0,4}(?:and\s+|und\s+)?col(?:umn)?\s*[=:]?\s*(?P<column>\d{1,7})
    |\bzeile\s*[=:]?\s*(?P<zeile>\d{1,7})\W{0,4}(?:und\s+)?spalte\s*[=:]?\s*(?P<spalte>\d{1,7})
    |\br(?P<r>\d{1,7})\s*,?\s*c(?P<c>\d{1,7})\b
    |(?<![\d.])(?P<first>\d{1,7})\s*,\s*(?P<second>\d{1,7})(?![\d.]*\d)""",
    re.VERBOSE | re.IGNORECASE,
)
_NONE = re.compile(r"\b(?:none|no cells?|nothing|empty|keine|keines|leer)\b", re.IGNORECASE)
_WORD = re.compile(
    r"\b(?P<no>(?:not|isn't|n't|nicht)\s+)?(?:(?P<right>right|true|yes|correct|valid|richtig|wahr|ja)"
    r"|(?P<wrong>wrong|false|no|incorrect|invalid|falsch|nein))\b",
    re.IGNORECASE,
)


def read_cells(answer: object) -> list[Cell] | None:
    """Return the cells that an answer names, in order and each once; None if it names none and is not an empty list.

    >>> read_cells("I think (0, 1) is safe.\\nAnswer: [[0, 3], [2, 5]]")
    [(0, 3), (2, 5)]
    >>> read_cells('{"row": 3, "column": 4}'), read_cells("Open row 3, column 4."), read_cells("none"), read_cells("?")
    ([(3, 4)], [(3, 4)], [], None)
    """
    if not isinstance(answer, str):
        return _cells_of(answer)
    for text in _candidates(answer):
        if (cells := _cells_in_text(text)) is not None:
            return cells
    return None


def read_word(answer: object) -> bool | None:
    """Return whether an answer says ``right``; None if it says neither ``right`` nor ``wrong``.

    >>> read_word("At first it looks right.\\nBut the claim is not correct."), read_word("**Answer:** true")
    (False, True)
    """
    if isinstance(answer, dict):
        answer = next((answer[key] for key in ("answer", "verdict") if key in answer), None)
    if isinstance(answer, bool):
        return answer
    if not isinstance(answer, str):
        return None
    for text in _candidates(answer):
        if text.lstrip().startswith("{"):
            value = _json(text)
            if isinstance(value, dict) and (word := read_word(value)) is not None:
                return word
        if (word := _word_in_text(text)) is not None:
            return word
    return None


def _word_in_text(text: str) -> bool | None:
    """The word that the last line with one begins with, or else its last word."""
    for line in reversed(text.splitlines()):
        if words := list(_WORD.finditer(line)):
            begins = re.search(r"\w", line[: words[0].start()]) is None
            match = words[0 if begins else -1]
            return (match["right"] is not None) is (match["no"] is None)
    return None


def _candidates(answer: str) -> Iterable[str]:
    """The parts of a text that may be its answer, the likeliest first."""
    text = _THOUGHT.sub("", answer[-READ_CHARACTERS:]).strip()
    for pattern in (_MARKED, _BLOCK):
        if marked := list(pattern.finditer(text)):
            yield next(part for part in marked[-1].groups() if part is not None)
    if after := list(_AFTER.finditer(text)):
        yield text[after[-1].end() :]
    yield text


def _cells_in_text(text: str) -> list[Cell] | None:
    text = text.strip()
    if text[:1] in ("[", "{") and (cells := _cells_of(_json(text))) is not None:
        return cells
    lists = [match for match in _LIST.finditer(text) if len(match[0]) > 2 or match[0] == "[]"]
    lines = list(_CELL.finditer(text))
    last_line = text[text.rfind("\n", 0, lines[-1].start()) + 1 :] if lines else ""
    if lists and (not lines or lists[-1].end() >= lines[-1].end()):
        return _unique(_cell(match) for match in _CELL.finditer(lists[-1][0]))
    if lines:
        return _unique(_cell(match) for match in _CELL.finditer(last_line))
    return [] if _NONE.search(text) else None


def _json(text: str) -> object:
    """The value of a JSON text, behind which no more numbers may follow; None if it is none."""
    try:
        value, end = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        return None
    return None if re.search(r"\d", text[end:]) else value


def _cells_of(value: Any, depth: int = 0) -> list[Cell] | None:
    """The cells of a JSON value: pairs, lists of pairs, and objects that hold them."""
    if depth > MAX_NESTING:
        return None
    if isinstance(value, dict):
        row, column = value.get("row", value.get("r")), value.get("column", value.get("col", value.get("c")))
        if isinstance(row, int) and isinstance(column, int) and _is_whole(row) and _is_whole(column):
            return [(row, column)]
        inner = next((value[key] for key in CELL_KEYS if key in value), None)
        return read_cells(inner) if isinstance(inner, str) else _cells_of(inner, depth + 1)
    if isinstance(value, list | tuple | set | frozenset):
        items = list(value)
        if len(items) == 2 and all(map(_is_whole, items)):
            return [(items[0], items[1])]
        cells = [_cells_of(item, depth + 1) for item in items if isinstance(item, list | tuple | dict)]
        if len(cells) == len(items) and all(cell is not None and len(cell) == 1 for cell in cells):
            return _unique(cell[0] for cell in cells if cell)
    return None


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10_000_000


def _cell(match: re.Match[str]) -> Cell:
    row, column = (part for part in match.groups() if part is not None)
    return int(row), int(column)


def _unique(cells: Iterable[Cell]) -> list[Cell]:
    return list(dict.fromkeys(cells))
