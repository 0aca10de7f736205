"""Lines of a pasted text that are no cells: sizes, totals of mines, borders, words, and numbers along a side."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mineproof.board.geometry import TOPOLOGIES, Topology
from mineproof.board.paste.sheet import Facts

_SIZE_LINE = re.compile(r"\s*([0-9]{1,7})[xX×]([0-9]{1,7})[xX×]([0-9]{1,7}|\?)(?:[ \t]+(\w+))?\s*")
_SIDES = re.compile(r"\s*([0-9]{1,7})[xX×]([0-9]{1,7})(?:[xX×].*)?\s*")
# how our own commands begin: "30 × 16 hex, 99 mines, 24 of them without a flag"
_OUR_SIZE = re.compile(r"\s*([0-9]{1,7}) × ([0-9]{1,7})(?: (\w+))?, (?:([0-9,]{1,9}) mines?|total unknown)\b.{0,200}")
_TOTAL = re.compile(
    r"\W*(?:(?:total|number) (?:of )?)?(?:mines|bombs)(?: total| in total)?\s*[:=]?\s*([0-9]{1,7})\W*"
    r"|\W*([0-9]{1,7}) (?:mines?|bombs?)(?: total| in total)?\W*",
    re.IGNORECASE,
)
_PARTS = re.compile(r"[,;|·–—()]| - ")
_BORDER = frozenset("-=+:|_~*. \t─━═│┃║┌┬┐├┼┤└┴┘╔╦╗╠╬╣╚╩╝╒╤╕╞╪╡╘╧╛╓╥╖╟╫╢╙╨╜╭╮╰╯┏┳┓┣╋┫┗┻┛╴╵╶╷╼╾¦┆┊┄┈")
_LINE = frozenset("─━═┌┬┐├┼┤└┴┘╔╦╗╠╬╣╚╩╝╒╤╕╞╪╡╘╧╛╓╥╖╟╫╢╙╨╜╭╮╰╯┏┳┓┣╋┫┗┻┛")
_RULE = re.compile(r"[\s|+:│┆┊]*(?:[-=_*:]{3,}|:?-{2,}:?)(?:[\s|+:│┆┊]+[-=_*:]{2,})*[\s|+:│┆┊]*|\s*(?:\+[-=])+\+\s*")
_WORD = re.compile(r"[^\W\d_]{2,}|\b[iuf](?:8|16|32|64)\b|\b[0-9]{4}-[0-9]{2}-[0-9]{2}\b")
_BESIDE = re.compile(r"[ \t]{1,60}(?:<-{1,9}|←|//|--|\(|# )[^\W\d]{0,1}.{0,60}[^\W\d]{2}")
_SYMBOL_LETTERS = frozenset("FHMXBCEPfxOo")
_LABEL_END = ".:)|"


def size_line(line: str, offset: int) -> Facts | None:
    """A line ``WxHxM`` of its own."""
    parts = _SIZE_LINE.fullmatch(line)
    if parts is None:
        return None
    topology = next((kind for kind in TOPOLOGIES if kind == parts[4]), None)
    if parts[4] is not None and topology is None:
        return None
    total = None if parts[3] == "?" else int(parts[3])
    return Facts(total, topology, (int(parts[2]), int(parts[1])), offset + parts.start(3), stated=True)


def sides_in(line: str) -> tuple[int, int] | None:
    """The rows and columns that a line ``WxH`` or ``WxHxM`` names, if the line is nothing else."""
    parts = _SIDES.fullmatch(line)
    return None if parts is None else (int(parts[2]), int(parts[1]))


def our_size(line: str, offset: int) -> Facts | None:
    """The first line of our own answers."""
    parts = _OUR_SIZE.fullmatch(line)
    if parts is None:
        return None
    total = None if parts[4] is None else int(parts[4].replace(",", "") or 0)
    topology: Topology | None = next((kind for kind in TOPOLOGIES if kind == parts[3]), None)
    if parts[3] is not None and topology is None:
        return None
    return Facts(total, topology, (int(parts[2]), int(parts[1])), offset)


def total_in(lines: Sequence[tuple[str, int]]) -> tuple[int, int] | None:
    """The total of mines that lines of words name, and where; None if they name none, or several."""
    totals = {}
    for line, offset in lines:
        for part in _PARTS.split(line[:2000]):
            match = _TOTAL.fullmatch(part.strip())
            if match is not None:
                totals[int(match[1] or match[2])] = offset
    return next(iter(totals.items())) if len(totals) == 1 else None


def is_total(line: str) -> bool:
    """Does the line name a total of mines, and nothing else?"""
    return is_prose(line) and _TOTAL.fullmatch(line.strip()) is not None


def is_border(line: str) -> bool:
    """Can the line be a border or a rule between rows? Dashes, stars and underscores can be cells, too."""
    if not _BORDER.issuperset(line):
        return False
    return not _LINE.isdisjoint(line) or not line.strip("|│┃║¦┆┊ ") or _RULE.fullmatch(line) is not None


def is_empty_row(line: str) -> bool:
    """Are there nothing but blanks between the bars of a line? That can be a row of empty cells."""
    return "  " in line.strip() and not line.strip("|│┃║¦┆┊ ")


def is_prose(line: str) -> bool:
    """Does the line have a word in it?"""
    return any(not _SYMBOL_LETTERS.issuperset(word) for word in _WORD.findall(line[:2000]))


def before_words(line: str) -> str:
    """What a line has before a comment or words in brackets; empty if it has none."""
    comment = _BESIDE.search(line[:2000])
    return "" if comment is None else line[: comment.start()]


def is_sequence(tokens: Sequence[str]) -> bool:
    """Are these the numbers or letters along a side: 0 1 2, 1 2 3, 8 9 0 1, A B C?"""
    labels = [token.rstrip(_LABEL_END) for token in tokens]
    if not labels:
        return False
    if all(label.isascii() and label.isdigit() and len(label) < 8 for label in labels):
        numbers = [int(label) for label in labels]
        first = numbers[0]
        counted = range(first, first + len(numbers))
        return first in (0, 1) and (numbers == list(counted) or numbers == [number % 10 for number in counted])
    if not all(len(label) == 1 and label.isascii() and label.isalpha() for label in labels):
        return False
    return labels[0] in "Aa" and [ord(label) for label in labels] == list(
        range(ord(labels[0]), ord(labels[0]) + len(labels))
    )


def is_marked_label(token: str) -> bool:
    """Does a row begin with ``3:`` or ``3)``, which is never a cell?"""
    return len(token) > 1 and token[-1] in _LABEL_END and token[:-1].isalnum()
