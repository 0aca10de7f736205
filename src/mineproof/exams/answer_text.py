"""Read answers leniently: JSON, lists, prose with coordinates, code blocks, and answers behind marks.

Order    Thoughts are dropped: text up to ``</think>``, and from a ``<think>`` that does not end. Of what is marked as
         the answer, the last one counts: a block ``<answer>…</answer>``, ``\\boxed{…}``, what follows ``Answer:``, or a
         code block with JSON. If that holds no answer, the whole text is read.
Cells    JSON comes first: a list of pairs, a pair, or an object with such a value. Then `answer_prose` reads the text.
         ``none`` and ``[]`` are an empty list. Cells that the text calls mines are no answer to a question about safe
         cells, and the other way round.
Words    `answer_words` reads ``right`` or ``wrong``.
Limits   Only the last `READ_CHARACTERS` characters of a text are read, so that no answer takes long.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections import deque
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, NamedTuple

from mineproof.board.cells import Cell
from mineproof.exams.answer_prose import CellClaim, cells_in_prose, counted_from_zero, says_none
from mineproof.exams.answer_words import word_in_text

READ_CHARACTERS = 20_000
MAX_NESTING = 6  # of lists and objects around a cell
MAX_MARKS = 5  # marked answers of each sort that are tried, the last one first
MAX_BOXES = 500  # boxes side by side that are one answer

ANSWER_KEYS = (
    "answer", "finalanswer", "cells", "cell", "moves", "move", "bestmove", "best", "open", "reveal", "solution",
    "result", "coordinates", "coordinate", "coords", "position", "choice", "guess", "action",
)  # fmt: skip
CLAIM_KEYS: dict[CellClaim, tuple[str, ...]] = {
    "safe": ("safe", "safecells", "safecell", "certainlysafe", "certainsafe"),
    "mine": ("mines", "mine", "minecells", "certainmines", "certainlymines", "bombs", "flags"),
}
ROW_KEYS, COLUMN_KEYS = ("row", "r"), ("column", "col", "c")
ACTION_KEYS = ("action", "kind", "type", "state", "status", "label")

_THOUGHT = r"think|thinking|thought|reasoning|analysis|scratchpad"
_THOUGHT_MARKS = re.compile(rf"<(?P<end>/)?(?:{_THOUGHT})>|(?P<answer><answer>)", re.IGNORECASE)
_FINAL_CHANNEL = re.compile(r"<\|channel\|>final<\|message\|>")
_MARKED = re.compile(
    r"<answer>(?P<tag>.*?)(?:</answer>|\Z)|\\boxed\{(?P<boxed>(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}",
    re.DOTALL | re.IGNORECASE,
)
_BESIDE = re.compile(r"(?:[ \t,;&$]|\b(?:and|und)\b|\\(?:[,;:! ]|quad|qquad))*")
_BLOCK = re.compile(r"```[\w+-]*[^\S\n]*\n(.*?)```", re.DOTALL)
_AFTER = re.compile(
    r"(?:\b(?:answer|antwort|respuesta|réponse)|答案)[*_\s]{0,4}(?:(?:is|ist|lautet|est|es)\b|[:=–—-]|(?<=[*_\n])(?=\n)|\n)"
    r"|\b(?:solution|lösung)[*_\s]{0,4}[:=]",
    re.IGNORECASE,
)
_JSON_LABEL = re.compile(r"\]\s*(?:is|are|must|has|have|contains?|ist|sind)\b", re.IGNORECASE)
_LATEX = re.compile(r"\\(?:left|right|displaystyle|quad|qquad|[,;:! ])|\$|\*\*|__|(?<!`)`(?!`)")
_LATEX_TEXT = re.compile(r"\\(?:text|textbf|textit|mathrm|mathbf|mathit)\{([^{}]*)\}")
_ARROWS = re.compile(r"\\(?:to|rightarrow|Rightarrow|implies)\b")


class _Part(NamedTuple):
    """A part of an answer that may hold it."""

    text: str
    before: str = ""
    is_marked: bool = False  # follows a mark such as "Answer:"


def read_cells(answer: object, claim: CellClaim = "safe") -> list[Cell] | None:
    """Return the cells that an answer names, in order and each once; None if it names none and is not an empty list.

    ``claim`` is the kind of cells in question: ``"safe"``, also for cells to open, or ``"mine"``.

    >>> read_cells("I think (0, 1) is safe.\\nAnswer: [[0, 3], [2, 5]]")
    [(0, 3), (2, 5)]
    >>> read_cells('{"row": 3, "column": 4}'), read_cells("Open row 3, column 4."), read_cells("none"), read_cells("?")
    ([(3, 4)], [(3, 4)], [], None)
    """
    if not isinstance(answer, str):
        return _cells_of(answer, claim)
    parts = list(_parts(answer))
    for part in parts:
        if (cells := _cells_in_part(part, claim)) is not None:
            return cells
    return None


def read_word(answer: object) -> bool | None:
    """Return whether an answer says ``right``; None if it says neither ``right`` nor ``wrong``.

    >>> read_word("At first it looks right.\\nBut the claim is not correct."), read_word("**Answer:** true")
    (False, True)
    """
    if isinstance(answer, dict):
        answer = _word_value(answer)
    if isinstance(answer, bool):
        return answer
    if not isinstance(answer, str):
        return None
    for part in _parts(answer):
        if part.text[:1] in ("{", "[") and isinstance(value := _json(part.text), dict):
            if (word := read_word(value)) is not None:
                return word
            continue
        if (word := word_in_text(part.text, is_marked=part.is_marked)) is not None:
            return word
    return None


def _word_value(answer: dict[Any, Any]) -> object:
    """The word in an object: its answer, or a key such as ``correct`` with true or false."""
    for key, value in answer.items():
        name = _key(key)
        if name in ("answer", "verdict", "finalanswer", "result", "judgement", "judgment"):
            return value
        if name in ("correct", "right", "valid", "true", "isright", "iscorrect", "holds") and isinstance(value, bool):
            return value
    return None


# parts of a text


def _parts(answer: str) -> Iterator[_Part]:
    """The parts of a text that may be its answer, the likeliest first."""
    text = unicodedata.normalize("NFKC", _without_thoughts(answer)[-READ_CHARACTERS:])[-READ_CHARACTERS:].strip()
    for start, marked in islice(_marked_answers(text), MAX_MARKS):
        before = text[:start]
        for after in _last(_AFTER, marked):
            yield _Part(_plain_text(marked[after.end() :]), _plain_text(before), is_marked=True)
        yield from _json_blocks(marked)
        yield _Part(_plain_text(marked), _plain_text(before))
    for match in _last(_AFTER, text):
        behind = text[match.end() :]
        yield from _json_blocks(behind)
        yield _Part(_plain_text(behind), _plain_text(text[: match.start()]), is_marked=True)
    yield from _json_blocks(text)
    yield _Part(_plain_text(text))


def _marked_answers(text: str) -> Iterator[tuple[int, str]]:
    """Marked answers and where they begin, the last one first. Boxes side by side are one answer."""
    matches = deque(_last(_MARKED, text, MAX_BOXES))
    while matches:
        run = [matches.popleft()]
        while matches and _BESIDE.fullmatch(text, matches[0].end(), run[-1].start()):
            run.append(matches.popleft())
        parts = [match["boxed"] if match["tag"] is None else match["tag"] for match in reversed(run)]
        yield run[-1].start(), ", ".join(parts) if len(parts) > 1 else parts[0]


def _without_thoughts(answer: str) -> str:
    """The text behind the last thought that ended, without one that did not end."""
    channels = list(_FINAL_CHANNEL.finditer(answer))
    text, start, end = answer[channels[-1].end() :] if channels else answer, 0, None
    for mark in _THOUGHT_MARKS.finditer(text):
        if mark["end"]:
            start, end = mark.end(), None
        elif mark["answer"]:
            start, end = (mark.start(), None) if end is not None else (start, end)
        elif end is None:
            end = mark.start()
    return text[start:end]


def _json_blocks(text: str) -> Iterator[_Part]:
    """The code blocks that are JSON objects or lists."""
    for block in _last(_BLOCK, text):
        inside = block[1].strip()
        if inside[:1] in ("[", "{") and _json(inside) is not None:
            yield _Part(inside)


def _plain_text(text: str) -> str:
    """A text without LaTeX, emphasis and the borders of code blocks."""
    text = _ARROWS.sub("→", _LATEX_TEXT.sub(r" \1 ", text))
    text = re.sub(r"\\([\[\](){}_])", r"\1", _LATEX.sub(" ", text))
    return re.sub(r"```[\w+-]*", "\n\n", text).strip()


def _last(pattern: re.Pattern[str], text: str, most: int = MAX_MARKS) -> list[re.Match[str]]:
    """The last matches, the very last first."""
    return list(pattern.finditer(text))[: -most - 1 : -1]


# cells


def _cells_in_part(part: _Part, claim: CellClaim) -> list[Cell] | None:
    text = part.text
    if text[:1] in ("[", "{"):
        value = _json(text)
        if isinstance(value, list) and _JSON_LABEL.search(text.partition("\n")[0]):
            value = None  # the sentence that continues says what the cells are
        if value is not None and (cells := _cells_of(value, claim)) is not None:
            return counted_from_zero(cells, part.before)
        if isinstance(value, dict) and any(_key(key) in keys for key in value for keys in CLAIM_KEYS.values()):
            return None  # it answers another question
    cells = cells_in_prose(text, claim, before=part.before, is_marked=part.is_marked)
    if cells is not None:
        return cells
    return [] if says_none(text) else None


def _json(text: str) -> object:
    """The value of a JSON text, behind which no more numbers may follow; None if it is none."""
    try:
        value, end = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        return None
    return None if re.search(r"\d", text[end:]) else value


def _cells_of(value: Any, claim: CellClaim, depth: int = 0) -> list[Cell] | None:
    """The cells of a JSON value: pairs, lists of pairs, and objects that hold them."""
    if depth > MAX_NESTING:
        return None
    if isinstance(value, str):
        return read_cells(value, claim) if depth else None
    if isinstance(value, dict):
        return _cells_of_object({_key(key): item for key, item in value.items()}, claim, depth)
    if isinstance(value, list | tuple | set | frozenset):
        items = list(value)
        if len(items) == 2 and None not in (pair := [_whole(item) for item in items]):
            return [(pair[0], pair[1])]  # type: ignore[list-item]
        cells = [_cells_of(item, claim, depth + 1) for item in items if isinstance(item, list | tuple | dict | str)]
        if len(cells) == len(items) and all(cell is not None and len(cell) <= 1 for cell in cells):
            return _unique(cell[0] for cell in cells if cell)
    return None


def _cells_of_object(value: dict[str, Any], claim: CellClaim, depth: int) -> list[Cell] | None:
    row, column = (_whole(next((value[key] for key in keys if key in value), None)) for keys in (ROW_KEYS, COLUMN_KEYS))
    if any(_says_other(value.get(key), claim) for key in ACTION_KEYS):
        return []
    if row is not None and column is not None:
        return [(row, column)]
    names = (*ANSWER_KEYS[:2], *CLAIM_KEYS[claim], *ANSWER_KEYS[2:])
    inner = next((value[name] for name in names if name in value), None)
    return _cells_of(inner, claim, depth + 1)


def _says_other(value: object, claim: CellClaim) -> bool:
    """Does an object say something else of its cell, such as the action "flag"?"""
    others = ("mine", "mines", "flag", "bomb") if claim == "safe" else ("safe", "open", "reveal")
    return isinstance(value, str) and value.lower() in others


def _key(key: object) -> str:
    return re.sub(r"[^a-z]", "", str(key).lower())


def _whole(value: object) -> int | None:
    """A coordinate: a whole number, also as text or as 3.0; None for anything else."""
    if isinstance(value, str) and re.fullmatch(r"\s*\d{1,7}\s*", value, re.ASCII):
        value = int(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    is_whole = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10_000_000
    return value if is_whole else None  # type: ignore[return-value]


def _unique(cells: Iterable[Cell]) -> list[Cell]:
    return list(dict.fromkeys(cells))
