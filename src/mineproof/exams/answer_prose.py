"""Cells in prose: where a text names them, what it says about them, and which of them it means as its answer.

Mentions    ``(3, 4)``, ``[3][4]``, ``3,4``, ``r3c4``, ``row 3, column 4``, ``column 4 of row 3``, ``row 3: columns 4,
            5``. Mentions with nothing but commas, bullets or "and" between them are one group.
Labels      A group is said to be safe or mines, maybe so, is something else (a number, a reason), or has no label.
Choice      1. the cells that a marked answer begins with; 2. the last lines that hold nothing but cells, unless later
            prose names other cells with the right label; 3. the last paragraph with rightly labelled cells; 4. the last
            line with cells that have no label. Cells before a retraction ("wait", "actually") come last.
Counting    Where the text says that it counts from 1, one is subtracted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from mineproof.board.cells import Cell

BARE_MAX_CHARACTERS = 200  # before and behind the cells of a line

CellClaim = Literal["safe", "mine"]
CellLabel = Literal["safe", "mine", "maybe", "else"]  # "else": a number, a reason, or certainly the opposite

_ROW = r"(?<![^\W\d_])(?:rows?|r|zeile|reihe)(?:[ -]?(?:index|number|nr))?\W{0,4}"
_COLUMN = r"(?<![^\W\d_])(?:col(?:umn)?|c|spalte)(?:[ -]?(?:index|number|nr))?\W{0,4}"
_COLUMNS = r"\b(?:col(?:umn)?s|spalten)\W{0,4}"
_NUMBERS = r"\d{1,7}(?:(?:\s{0,9}[,&]\s{0,9}|\s{1,9}(?:and|und)\s{1,9})\d{1,7})*"
_GAP = r"[^\d\n.]{0,24}?"
_MENTION = re.compile(
    rf"""{_ROW}(?P<row>\d{{1,7}}){_GAP}(?:{_COLUMNS}(?P<columns>{_NUMBERS})|{_COLUMN}(?P<column>\d{{1,7}}))
    |{_COLUMN}(?P<column_first>\d{{1,7}}){_GAP}{_ROW}(?P<row_second>\d{{1,7}})
    |\[\s*(?P<outer>\d{{1,7}})\s*\]\s*\[\s*(?P<inner>\d{{1,7}})\s*\]
    |[(\[{{<]\s*(?P<left>\d{{1,7}})\s*(?:[,;|]\s*|\s)(?P<right>\d{{1,7}})\s*[)\]}}>]
    |(?<![\d.\-])(?P<bare>\d{{1,7}}\s*[,;]\s*\d{{1,7}}(?:\s*,\s*\d{{1,7}})*)(?![\d%])(?!\.\d|\s*%)""",
    re.VERBOSE | re.IGNORECASE,
)
_SPACED = re.compile(
    r"^[^\w\n]*(?:(?:open|reveal|click|öffne)\s+)?(\d{1,7})(?:[ \t]+|[ \t]*\|[ \t]*)(\d{1,7})[^\w\n]*$",
    re.MULTILINE | re.IGNORECASE,
)
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+")
_NO_CELL = re.compile(
    r"(?:probabilit\w+|chance|risk|odds|confidence|wahrscheinlichkeit|risiko)\W{0,3}(?:(?:is|of|ist|von)\s)?\W{0,3}$|[≈~=]\s*$",
    re.IGNORECASE,
)

# what stands between the mentions of one group, and beside those of a line of cells
_JOINED = re.compile(
    r"""(?:[\s,;&|()\[\]{}<>"'•*+–-]|\n[ \t]{0,9}\d{1,3}[.)]|\b(?:and|or|und|oder|cell|square|tile|feld|zelle)\b)*""",
    re.IGNORECASE,
)
_WORDS_OF_LISTS = (
    r"and|or|und|oder|the|cells?|squares?|tiles?|felder|feld|zellen?|certain(?:ly)?|safe|sicher\w*|mines?|minen?|open|reveal"
    r"|click|öffne|final|answer|antwort|list|moves?|best|result|solution|rows?|col(?:umn)?s?|certainly_\w+|safe_\w+|is|are"
)
_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")
_LINE_END = re.compile(r"\n")
_BARE_LINE = re.compile(rf"""(?:[^\w\n]|_|\b(?:{_WORDS_OF_LISTS})\b|^\s*\d{{1,3}}[.)](?!\d))*""", re.IGNORECASE)

# what a text says about cells
_MINE = r"\b(?:mines?|bombs?|flag(?:s|ged)?|minen?|bomben?)\b"
_SAFE = r"\b(?:mine[- ]free|free\s+of\s+mines|safe(?:ly|st)?|clear|sicher\w*|frei|minenfrei)\b"
_OPEN = r"\b(?:open|reveal|click|uncover|dig|öffne|decke)\b|\bsafe_\w+"
_CHOSEN = (  # what follows is the answer, whatever the question
    r"\b(?:choose|chose|pick|select|play|say|try|so|therefore|thus|hence|conclude|wähle|also|daher|somit)\b"
)
_OPENABLE = r"\b(?:be|werden)\s+(?:opened|revealed|clicked|uncovered)\b|\b(?:geöffnet|aufgedeckt)\s+werden\b"
_NOT = r"\b(?:not|cannot|never|neither|nor|no|nicht|kein\w*)\b|n't\b|n’t\b"
_LABEL = re.compile(rf"(?P<mine>{_MINE})|(?P<safe>{_SAFE}|{_OPENABLE})", re.IGNORECASE)
_LABEL_BEFORE = re.compile(
    rf"(?P<mine>{_MINE}|\bmines?_\w+)|(?P<safe>{_SAFE}|{_OPEN})|(?P<chosen>{_CHOSEN})", re.IGNORECASE
)
_NEGATION = re.compile(_NOT, re.IGNORECASE)
_UNSAFE = re.compile(r"\b(?:unsafe|unsicher\w*|dangerous)\b", re.IGNORECASE)
_OPEN_QUESTION = re.compile(
    r"\b(?:could|may|might|maybe|perhaps|possibly|undecided|unknown|uncertain|ambiguous|risky|vielleicht|könnten?|unklar"
    r"|unentschieden)\b",
    re.IGNORECASE,
)
_CHANCE = re.compile(
    r"\b(?:probabilit\w+|chances?|odds|risk|likel\w+|wahrscheinlich\w*|risiko)\b|(?<!\b100)(?<!\b100\s)\s?%",
    re.IGNORECASE,
)
_PREDICATE = re.compile(
    r"\b(?:is|are|be|was|as|must|has|have|contains?|holds?|ist|sind|sein|als|muss|enthält|hat|haben)\b|[:=→⇒]|[-=]>",
    re.IGNORECASE,
)
_CLAUSE_ENDS = re.compile(
    r"[.;!?\n]|,(?!\s*(?:which|that|die|der|das)\b)|\b(?:because|since|therefore|thus|hence|but|while|whereas|if|weil|denn"
    r"|daher|deshalb|aber|wenn)\b",
    re.IGNORECASE,
)
_REFERENCE_BEFORE = re.compile(
    r"(?:\b[0-8]s?|\b(?:ones?|twos?|threes?|fours?|number|clue|zahl|eins|zwei|drei))\s+(?:[a-zäöü]+\s+)?"
    r"(?:at|in|on|of|from|bei|auf|an|cell|position)[^\w\n:]{1,3}(?:the\s+)?(?:(?:cells?|positions?)\s+)?$"
    r"|\b(?:(?:the|an?|die|der|eine?)\s+[0-8]s?|numbers?|clues?)[^\S\n]+[^\w\n]{0,3}$"
    r"|\b(?:near|next\s+to|adjacent\s+to|beside|touch(?:es|ing)?|neighbou?rs?\s+of|around|neben|because\s+of|wegen)\W{0,3}"
    r"(?:the\s+cells?\s+)?$",
    re.IGNORECASE,
)
_NUMBER_AFTER = re.compile(
    r"\W{0,3}(?:(?:is|has|shows?|reads?|being|ist|hat|zeigt)\s+(?:an?\s+|eine?\s+)?|=\s*)[0-8]\b(?![.%/]\w|%)",
    re.IGNORECASE,
)
_REASON = re.compile(r"\b(?:because|since|due\s+to|given|weil|denn|wegen)\b[^.;!?\n]*$", re.IGNORECASE)
_SUPPOSED = re.compile(  # what a text only tries out
    r"\b(?:if|suppos\w+|assum\w+|were|wenn|falls|angenommen)\b(?:(?!\b(?:then|dann)\b)[^.,;:!?\n])*$", re.IGNORECASE
)
_RETRACTION = re.compile(
    r"\b(?:wait|actually|correction|scratch that|moment|halt|stimmt nicht|korrektur)\b", re.IGNORECASE
)
_HEADING = re.compile(r"(?:^|\n)([^\n]*:|[^\S\n]*#+[^\n]*)[^\S\n]*\n(?:[^\w\n]*\n)*[^\w\n]*$")

_BASED = re.compile(
    r"""\b(?P<one>1|one|eins|0|zero|null)[- ](?:based|index(?:ed|ing)?|basiert\w*)\b
    |\b(?:count|start|number|index|begin)\w*\s+(?:from|at|with)\s+(?P<from>1|one|0|zero)\b
    |\b(?:ab|von|bei|mit)\s+(?P<ab>1|eins|0|null)\s+(?:an\s+)?(?:gezählt|beginnend)
    |\b(?:gezählt|beginnend)\s+(?:ab|von|bei|mit)\s+(?P<ab_after>1|eins|0|null)\b""",
    re.VERBOSE | re.IGNORECASE,
)
_ONES = ("1", "one", "eins")
_EMPTY = re.compile(
    r"\b(?:none|nothing|empty|keine[rsn]?|leer)\b|∅|\\(?:emptyset|varnothing)\b|^\W*(?:\[\s*\]|\{\s*\}|\(\s*\))\W*$"
    r"|\[\s*\]|\b(?:no|zero)\b[^.;\n\d]{0,40}\b(?:cells?|mines?|squares?|tiles?)\b",
    re.IGNORECASE,
)


@dataclass(slots=True)
class CellGroup:
    """Mentions that belong together, and what the text says about them."""

    start: int
    end: int
    cells: list[Cell]
    label: CellLabel | None = None
    is_alone: bool = False  # on lines with nothing but cells
    is_head: bool = False  # at the beginning of a line


def cells_in_prose(text: str, claim: CellClaim, *, before: str = "", is_marked: bool = False) -> list[Cell] | None:
    """Return the cells that a text answers; None if it names none that fit.

    ``claim`` is the kind of cells in question. ``before`` is the text that comes before this one, and ``is_marked``
    says that this one follows a mark such as "Answer:".

    >>> cells_in_prose("Since (2,4) is a mine, (3,4) is safe.", "safe")
    [(3, 4)]
    """
    groups = _groups(text)
    if not groups:
        return _unique((int(match[1]), int(match[2])) for match in _SPACED.finditer(text)) or None
    _label(text, groups, claim)
    _count_from_zero(text, groups, before)
    groups = _without_contradicted(groups)
    fitting = [group for group in groups if group.label in (claim, None)]
    if not fitting and not says_none(text):
        fitting = [group for group in groups if group.label == "maybe"]
    if retracted := _last_start(_RETRACTION, text):
        fitting = [group for group in fitting if group.start > retracted] or fitting
    return _unique(cell for group in _choose(text, fitting, claim, is_marked=is_marked) for cell in group.cells) or None


def says_none(text: str) -> bool:
    """Does a text say that there are no cells?"""
    return _EMPTY.search(text) is not None


def _choose(text: str, groups: Sequence[CellGroup], claim: CellClaim, *, is_marked: bool) -> Sequence[CellGroup]:
    if not groups:
        return ()
    if is_marked and _is_bare(text[: groups[0].start]):
        return _heads(text, groups)
    labelled = [group for group in groups if group.label == claim]
    alone = [group for group in groups if group.is_alone]
    if alone:
        block = _last_block(text, alone)
        listed = {cell for group in block for cell in group.cells}
        later = [group for group in labelled if group.start > block[-1].end and not listed.issuperset(group.cells)]
        if not later:
            return block
        labelled = later
    if labelled:
        return _same_part(text, labelled, _BLANK_LINE)
    last_line = _same_part(text, groups, _LINE_END)
    if not last_line[0].is_head:
        return last_line
    paragraph = _same_part(text, groups, _BLANK_LINE)
    return _heads(text, [group for group in paragraph if group.is_head])


def _last_block(text: str, groups: Sequence[CellGroup]) -> Sequence[CellGroup]:
    """The last groups that are on lines with nothing but cells, one line after the other or with blank lines."""
    first = len(groups) - 1
    while first and _is_adjacent(text[groups[first - 1].end : groups[first].start]):
        first -= 1
    return groups[first:]


def _is_adjacent(between: str) -> bool:
    return between.count("\n") == 1 or _JOINED.fullmatch(between) is not None


def _heads(text: str, groups: Sequence[CellGroup]) -> Sequence[CellGroup]:
    """The first group, and those that the next lines begin with."""
    heads = [groups[0]]
    for group in groups[1:]:
        if group.is_head and text.count("\n", heads[-1].end, group.start) == 1:
            heads.append(group)
    return heads


def _same_part(text: str, groups: Sequence[CellGroup], border: re.Pattern[str]) -> Sequence[CellGroup]:
    """The last groups without a border between them."""
    first = len(groups) - 1
    while first and not border.search(text, groups[first - 1].end, groups[first].start):
        first -= 1
    return groups[first:]


# mentions


def _groups(text: str) -> list[CellGroup]:
    groups: list[CellGroup] = []
    for match in _MENTION.finditer(text):
        cells = _cells_of_mention(match)
        if not cells:
            continue
        if groups and _is_joined(text, groups[-1], match.start()):
            groups[-1].end = match.end()
            groups[-1].cells += cells
        else:
            groups.append(CellGroup(match.start(), match.end(), cells))
    for group in groups:
        line, end = text.rfind("\n", 0, group.start) + 1, text.find("\n", group.end)
        group.is_head = _is_bare(text[line : group.start])
        group.is_alone = group.is_head and _is_bare(text[group.end : end if end >= 0 else len(text)])
    return groups


def _is_joined(text: str, group: CellGroup, start: int) -> bool:
    """Does a mention continue a group? On the next line it does in a list, or after a comma or "and"."""
    between = text[group.end : start]
    if not _JOINED.fullmatch(between):
        return False
    if "\n" not in between:
        return True
    return not _BLANK_LINE.search(between) and (
        re.search(r"[,;&a-z]", between) is not None
        or _is_bare(text[text.rfind("\n", 0, group.start) + 1 : group.start])
    )


def _is_bare(text: str) -> bool:
    """Has a part of a line nothing but words of lists and signs?"""
    return len(text) <= BARE_MAX_CHARACTERS and _BARE_LINE.fullmatch(text) is not None


def _cells_of_mention(match: re.Match[str]) -> list[Cell]:
    part = match.groupdict()
    if part["columns"]:
        return [(int(part["row"]), int(column)) for column in re.findall(r"\d+", part["columns"])]
    if part["bare"]:
        numbers = [int(number) for number in re.findall(r"\d+", part["bare"])]
        before = match.string[max(0, match.start() - 40) : match.start()]
        if len(numbers) % 2 or _THOUSANDS.fullmatch(part["bare"]) or _NO_CELL.search(before):
            return []
        return list(zip(numbers[::2], numbers[1::2], strict=True))
    for row, column in (("row", "column"), ("row_second", "column_first"), ("outer", "inner"), ("left", "right")):
        if part[row] and part[column]:
            return [(int(part[row]), int(part[column]))]
    return []


# labels


def _label(text: str, groups: Sequence[CellGroup], claim: CellClaim) -> None:
    ends = [0, *(group.end for group in groups)]
    starts = [*(group.start for group in groups[1:]), len(text)]
    for place, group in enumerate(groups):
        before, after = text[ends[place] : group.start], text[group.end : starts[place]]
        is_first, is_last = not place, place + 1 == len(groups)
        group.label = _label_of(text, group, claim, before, after, is_first=is_first, is_last=is_last)


def _without_contradicted(groups: Sequence[CellGroup]) -> list[CellGroup]:
    """The groups without cells that the text later calls the opposite."""
    last: dict[Cell, CellLabel] = {}
    for group in reversed(groups):
        if group.label in ("safe", "mine"):
            for cell in group.cells:
                last.setdefault(cell, group.label)
            group.cells = [cell for cell in group.cells if last[cell] == group.label]
    return [group for group in groups if group.cells]


def _label_of(
    text: str, group: CellGroup, claim: CellClaim, before: str, after: str, *, is_first: bool, is_last: bool
) -> CellLabel | None:
    if _REFERENCE_BEFORE.search(before[-60:]) or _NUMBER_AFTER.match(after) or _SUPPOSED.search(before[-60:]):
        return "else"
    end = _CLAUSE_ENDS.search(after)
    said = after[: end.start()] if end else after
    predicate = _PREDICATE.search(said)
    if _OPEN_QUESTION.search(said):
        return "maybe"
    label = None if _CHANCE.search(said) else _LABEL.search(said)
    if label and (is_last or end or (predicate and predicate.start() < label.start())):
        return _read_label(label, claim, is_denied=_NEGATION.search(said, 0, label.end()) is not None)
    if _UNSAFE.search(said):
        return "else"
    if group.is_alone and (heading := _HEADING.search(text[max(0, group.start - 200) : group.start])):
        before, is_first = heading[1], True
    said = before[_last_end(_CLAUSE_ENDS, before) :]
    begins_here = is_first or len(said) < len(before)
    labels = list(_LABEL_BEFORE.finditer(said))
    is_denied = _NEGATION.search(said) is not None
    if labels and (begins_here or not _PREDICATE.search(said, 0, labels[-1].start())):
        return _read_label(labels[-1], claim, is_denied=is_denied)
    if is_denied and begins_here:
        return "else"
    sentence = text[max(0, group.start - 300) : group.start]
    return "else" if _REASON.search(sentence) else None


def _read_label(match: re.Match[str], claim: CellClaim, *, is_denied: bool) -> CellLabel:
    if match["mine"] is not None:
        return "safe" if is_denied else "mine"
    if is_denied:
        return "else"
    return "safe" if match["safe"] is not None else claim


# counting from 1


def _count_from_zero(text: str, groups: Sequence[CellGroup], before: str) -> None:
    """Subtract one from the cells that the text counts from 1."""
    stated = list(_BASED.finditer(before))
    if not stated and not _BASED.search(text):
        return
    from_one = bool(stated) and not _belongs_to_cells(before, stated[-1]) and _says_one(stated[-1])
    borders = [0, *(group.end for group in groups)]
    for place, group in enumerate(groups):
        since = text[borders[place] : group.start]
        for match in _BASED.finditer(since):
            if not place or re.search(r"[.;\n]", since[: match.start()]):
                from_one = _says_one(match)
        until = groups[place + 1].start if place + 1 < len(groups) else len(text)
        own = _BASED.search(re.split(r"[.;\n]", text[group.end : until])[0])
        if (_says_one(own) if own else from_one) and all(row and column for row, column in group.cells):
            group.cells = [(row - 1, column - 1) for row, column in group.cells]


def counted_from_zero(cells: list[Cell], before: str) -> list[Cell]:
    """Return cells counted from 0, where the text before them may state that it counts from 1."""
    group = CellGroup(0, 0, cells)
    _count_from_zero("", [group], before)
    return group.cells


def _says_one(match: re.Match[str]) -> bool:
    if re.search(
        rf"(?:{_NOT})(?:\s+\w+)?\W*$", match.string[max(0, match.start() - 20) : match.start()], re.IGNORECASE
    ):
        return False
    return next(part for part in match.groups() if part).lower() in _ONES


def _belongs_to_cells(text: str, match: re.Match[str]) -> bool:
    """Does a statement follow cells in the same sentence, such as "(4,5) (1-based)"?"""
    sentence = text[max(0, match.start() - 200) : match.start()]
    return _MENTION.search(re.split(r"[.;\n]", sentence)[-1]) is not None


def _last_start(pattern: re.Pattern[str], text: str) -> int:
    return max((match.start() for match in pattern.finditer(text)), default=0)


def _last_end(pattern: re.Pattern[str], text: str) -> int:
    return max((match.end() for match in pattern.finditer(text)), default=0)


def _unique(cells: Iterable[Cell]) -> list[Cell]:
    return list(dict.fromkeys(cells))
