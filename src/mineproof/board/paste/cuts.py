"""Ways to cut a line into cells: at bars, tabs, commas, semicolons, blanks, brackets, or at every character.

A way returns the tokens of a line, or None where the line cannot be meant so. A token that ends with `LABEL` is the
number or letter of a row, set apart by a bar or a colon. Empty fields are `BLANK` tokens.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from mineproof.board.paste.symbols import BLANK
from mineproof.board.paste.words import is_sequence

Tokens = Sequence[str]
LABEL = ":"

_BARS = "|│┃║¦┆┊"
_AT_BARS = re.compile(f"[{_BARS}]")
_BRACKETED = re.compile(r"(?:\[[^\[\]]?\]\s*)+")
_IN_BRACKETS = re.compile(r"\[([^\[\]]?)\]")
_GLUED_LABEL = re.compile(r"([0-9]{1,7}|[A-Za-z])[:)]([^:]+)")
_QUOTES = str.maketrans("", "", "\"'“”‘’«»")


class Way(NamedTuple):
    """One way to cut; a text without any of ``signs`` is not cut so.

    ``even`` ones need lines of equal length. ``ended``: the separator can stand after the last cell of each line, too.
    """

    signs: str
    cut: Callable[[str], Tokens | None]
    even: bool = False
    ended: bool = False


def is_label(token: str) -> bool:
    """Is the token a label for certain?"""
    return len(token) > 1 and token[-1] in ":)" and token[:-1].isalnum()


def _above(line: str) -> Tokens | None:
    """The numbers of columns, which have no bars between them."""
    numbers = line.split()
    return numbers if is_sequence(numbers) else None


def _by_bars(line: str) -> Tokens | None:
    """``| 1 | # |`` with or without the outer bars; what stands before the first bar alone is a label."""
    if not _AT_BARS.search(line):
        return _above(line)
    fields = [_field(field) for field in _AT_BARS.split(line)]
    begins, ends = not fields[0], not fields[-1]
    if ends and not begins and len(fields) > 2:
        return [fields[0] + LABEL, *(field or BLANK for field in fields[1:-1])]
    return [field or BLANK for field in fields[begins : len(fields) - ends]]


def between_bars(line: str) -> Tokens | None:
    """``1 | # |`` in a table without outer bars, where the first and the last cell of a row can be empty."""
    if not _AT_BARS.search(line):
        return _above(line)
    return [_field(field) or BLANK for field in _AT_BARS.split(line)]


def _field(text: str) -> str:
    """What stands between two bars, without the blanks or the line of a ``|_1_|`` around it."""
    cell = text.strip()
    return cell.strip("_") if len(cell) > 1 else cell


def has_outer_bars(lines: Sequence[str]) -> bool:
    """Do the first and the last bars of rows stand around the cells, or between labels and cells?"""
    rows = [line for line in lines if _AT_BARS.search(line)]
    if not all(row.strip()[-1] in _BARS for row in rows):
        return all(row[0] in _BARS for row in rows)  # the bars of an empty first cell stand behind its blanks
    labels = [_AT_BARS.split(row)[0].strip() for row in rows if row.strip()[0] not in _BARS]
    return not labels or is_sequence(labels)


def _cut_inside_frame(line: str) -> Tokens | None:
    """Bars around a row only: ``|# 1 1|`` and ``3 | # 1 1``. None if there is an empty cell between bars."""
    if not _AT_BARS.search(line):
        return _above(line)
    label, *cells = (field.strip() for field in _AT_BARS.split(line))
    if "" in cells[:-1]:
        return None
    inner = " ".join(cells if label.isalnum() and "".join(cells) else [label, *cells]).split()
    tokens = list(inner[0]) if len(inner) == 1 else inner
    return [label + LABEL, *tokens] if label.isalnum() and "".join(cells) else tokens


def _at(separator: str) -> Callable[[str], Tokens | None]:
    def cut(line: str) -> Tokens | None:
        if separator not in line:
            return None
        return [field.translate(_QUOTES).strip() or BLANK for field in line.strip(" ").split(separator)]

    return cut


def _at_blanks(line: str) -> Tokens | None:
    return line.translate(_QUOTES).split()


def _in_brackets(line: str) -> Tokens | None:
    if not _BRACKETED.fullmatch(line.strip()):
        return None
    return [cell.strip() or BLANK for cell in _IN_BRACKETS.findall(line)]


def _solid(line: str) -> Tokens | None:
    tokens = line.translate(_QUOTES).strip(" \t,;").split()
    return list(tokens[0]) if len(tokens) == 1 else None


def _cut_after_label(line: str) -> Tokens | None:
    """``3 #11``: a label, and a row without blanks."""
    if " " not in line.strip() and (glued := _GLUED_LABEL.fullmatch(line.strip())):
        return [glued[1] + LABEL, *glued[2]]
    label, *cells = line.split() or [""]
    if not cells:
        return list(label)
    return [label.rstrip(":).") + LABEL, *cells[0]] if len(cells) == 1 else None


def every_second(line: str) -> Tokens | None:
    """A blank after each cell, where a cell can be blank, too."""
    return None if line[1::2].strip(" ") else list(line[::2])


WAYS = (
    Way(_BARS, between_bars, ended=True),
    Way(_BARS, _by_bars),
    Way(_BARS, _cut_inside_frame),
    Way("\t", _at("\t"), ended=True),
    Way(",", _at(","), ended=True),
    Way(";", _at(";"), ended=True),
    Way("[", _in_brackets),
    Way("", _at_blanks),
    Way("", _solid),
    Way(" :)", _cut_after_label),
    Way(" ", every_second, even=True),
    Way(" ", list, even=True),
)
BETWEEN_BARS, AT_BLANKS, EVERY_SECOND = WAYS[0], WAYS[7], WAYS[10]
