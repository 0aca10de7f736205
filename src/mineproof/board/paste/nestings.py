"""Rows written as lists in lists: JSON, Python, NumPy (`repr` and `str`), braces of C and Java, ``[1 2; 3 4]``.

The text is cut into brackets, commas and atoms, and one pass builds the nesting, which may be `_DEEPEST` deep. In an
object, the value of a key such as ``cells`` or ``board`` is the board, and ``mines`` or ``total_mines`` its total. So
it is in a call with keyword arguments, in which the board can come first without a name. Rows can also be lists of
their own, one per line, as a loop prints them, and a flat list is cut where its lines end or its object says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice, pairwise, takewhile
from typing import NamedTuple, cast

from mineproof.base.words import plural
from mineproof.board.geometry import TOPOLOGIES
from mineproof.board.notation import quote
from mineproof.board.paste.sheet import VOID, Facts, Sheet, Table
from mineproof.board.paste.symbols import is_code, symbol_of, symbol_of_code

_BEGIN = re.compile(r"""[\[({]\s*(?:[A-Za-z_][\w.]{0,40}!?[\[({]|[\[({"']|[^\[\](){};]{1,2000};)""")
_ROW_LINE = re.compile(
    r"""(?m)^[ \t\ufdd0-]{0,60}(\[[^\[\]{}:]{2,}\]|\(\s*["'][^\[\](){}:\n]{2,}\))[ \t,;\ufdd0]{0,60}$"""
)
_FLAT = re.compile(r"\[[-\s,.0-9]+\]")
_NAME = re.compile(r"[A-Za-z_][\w.]*!?")
_KEYWORD = re.compile(r"([A-Za-z_]\w*)=(.*)")
_TOKEN = re.compile(r"""[\[\](){},;:]|"[^"]*"|'[^']*'|[^\s\[\](){},;:"'\ufdd0]+""")
_PAIRS = {"]": "[", ")": "(", "}": "{"}
_DEEPEST = 8
_BOARD_KEYS = ("cells", "board", "grid", "field", "position", "state", "rows", "matrix", "map", "data")
_SIDE_KEYS = (("rows", "height", "h", "nrows"), ("columns", "cols", "width", "w", "ncols"))
_TOTAL_KEYS = ("total_mines", "totalmines", "mines", "mine_count", "minecount", "num_mines", "total", "bombs")


class Atom(NamedTuple):
    """A number, word or string, and where it stands."""

    text: str
    offset: int
    is_string: bool = False


class Key(NamedTuple):
    """The key of an object, in lower case."""

    name: str


Node = list["Atom | Key | Node"]
Rows = list[list[Atom]]


def fits(sheet: Sheet) -> bool:
    """Can the text hold a nesting?"""
    return _begin(sheet.text) is not None or len(_row_lines(sheet.text)) > 1


def _begin(text: str) -> int | None:
    """Where the first nesting begins, or the first flat list of several lines."""
    nested = _BEGIN.search(text)
    flat = (match.start() for match in _FLAT.finditer(text) if "\n" in match[0].strip("[] \n"))
    return min([*([] if nested is None else [nested.start()]), *islice(flat, 1)], default=None)


def _row_lines(text: str) -> list[re.Match[str]]:
    """The lists that begin a line and end one; a word in brackets is none. NumPy breaks long ones into lines."""
    return [line for line in _ROW_LINE.finditer(text) if not {",", " "}.isdisjoint(line[1])]


def read(sheet: Sheet) -> Table | None:
    """The first nesting of a text as rows of cells; None where it is no board."""
    begin = _begin(sheet.text)
    root = _rows_of_lines(sheet, begin)
    if root is None and begin is not None:
        root = _parse(sheet.text, begin)
    if root is None:
        return None
    facts, value, sides = _board_in(root)
    rows = _rows(value)
    if len(rows) == 1 and rows[0]:
        rows = _cut_flat(sheet, rows[0], sides)
    if not rows or not rows[0]:
        return None
    _require_rectangle(sheet, rows)
    has_codes = all(is_code(atom.text) and not atom.is_string for row in rows for atom in row)
    symbols = [[_symbol(sheet, atom, has_codes=has_codes) for atom in row] for row in rows]
    return Table(sheet, symbols, lambda row, column: rows[row][column].offset, facts, fixed=_leetcode(symbols))


def _rows_of_lines(sheet: Sheet, begin: int | None) -> Node | None:
    """The lists of a text that has one per line; None where it has not, or a nesting begins before."""
    lines = _row_lines(sheet.text)
    if len(lines) < 2 or (begin is not None and begin < lines[0].start(1)):
        return None
    for before, after in pairwise(lines):
        if sheet.text[before.end() : after.start()].replace(VOID, "").strip():
            raise sheet.error(after.start(1), "expected one board, got several. Paste one of them.")
    rows = [_parse(sheet.text, line.start(1)) for line in lines]
    return [row for row in rows if row is not None]


def _cut_flat(sheet: Sheet, cells: list[Atom], sides: tuple[int, int] | None) -> Rows:
    """A flat list as rows: of the size that its object states, or one per line if the lines are equally long."""
    if sides is not None and sides[0] * sides[1] == len(cells):
        return [cells[at : at + sides[1]] for at in range(0, len(cells), sides[1])]
    rows: Rows = [[]]
    for before, cell in pairwise([cells[0], *cells]):
        if "\n" in sheet.text[before.offset : cell.offset]:
            rows.append([])
        rows[-1].append(cell)
    return rows if len(rows[0]) > 1 and len({len(row) for row in rows}) == 1 else [cells]


def _parse(text: str, begin: int) -> Node | None:
    """The nesting that begins at a bracket; None where its brackets do not match."""
    stack: list[tuple[str, Node, bool]] = []
    for token in _TOKEN.finditer(text, begin):
        sign = token[0]
        if sign in ("[", "(", "{"):
            if len(stack) == _DEEPEST:
                return None
            is_call = bool(stack) and _drop_name(stack[-1][1], token.start())
            stack.append((sign, [], is_call))
        elif sign in _PAIRS:
            bracket, node, is_call = stack.pop()
            if bracket != _PAIRS[sign]:
                return None
            if not stack:
                return _split_rows(node)
            if is_call and len(node) == 1 and isinstance(node[0], Atom):
                stack[-1][1].append(node[0])  # np.int64(1)
            else:
                stack[-1][1].append(_argument(node) if sign == ")" else _split_rows(node))
        else:
            _add_sign(stack[-1][1], sign, token.start())
    return None


def _argument(node: Node) -> Node:
    """The list that a function is called with, such as that of ``array([1, 2], dtype=int8)``."""
    positional = _positional(node)
    return positional[0] if len(positional) == 1 and isinstance(positional[0], list) else _split_rows(node)


def _positional(node: Node) -> Node:
    """What stands before the first key."""
    return list(takewhile(lambda child: not isinstance(child, Key), node))


def _drop_name(node: Node, offset: int) -> bool:
    """Drop the name of a function that is called, such as ``array`` and ``vec!``; was there one?"""
    last = node[-1] if node else None
    if not isinstance(last, Atom) or last.is_string or last.offset + len(last.text) != offset:
        return False
    if (keyword := _KEYWORD.fullmatch(last.text)) is not None:
        node[-1] = Key(keyword[1].lower())
        return False
    if _NAME.fullmatch(last.text) is None:
        return False
    node.pop()
    return True


def _add_sign(node: Node, sign: str, offset: int) -> None:
    if sign == ",":
        return
    if sign == ":":
        if node and isinstance(node[-1], Atom):
            node[-1] = Key(node[-1].text.lower())
        return
    keyword = _KEYWORD.fullmatch(sign)
    if keyword is not None and keyword[2]:
        node += [Key(keyword[1].lower()), Atom(keyword[2], offset + keyword.start(2))]
    elif sign[0] in "\"'":
        if node and isinstance(node[-1], Atom) and not node[-1].is_string and _KEYWORD.fullmatch(node[-1].text):
            node[-1] = Key(node[-1].text[:-1].lower())
        if node and isinstance(node[-1], Atom) and node[-1][:2] == ("b", offset - 1):
            node.pop()  # b'#'
        node.append(Atom(sign[1:-1].replace(VOID, ""), offset + 1, is_string=True))
    else:
        node.append(Atom(sign, offset))


def _split_rows(node: Node) -> Node:
    """``[1 2; 3 4]`` as a list of two lists."""
    breaks = [at for at, child in enumerate(node) if isinstance(child, Atom) and child.text == ";"]
    if not breaks:
        return node
    starts, ends = [0, *(at + 1 for at in breaks)], [*breaks, len(node)]
    return [node[start:end] for start, end in zip(starts, ends, strict=True) if start < end]


def _board_in(node: Node) -> tuple[Facts, Node, tuple[int, int] | None]:
    """The part of a nesting that holds the cells, what an object around it says, and the sides that it states."""
    facts, sides = Facts(), None
    for _ in range(_DEEPEST):
        pairs = dict(_pairs(node))
        if not pairs:
            break
        facts, sides = _facts(pairs, facts), _sides(pairs) or sides
        inner = next((pairs[key] for key in _BOARD_KEYS if isinstance(pairs.get(key), list)), None)
        if inner is None:
            return facts, _innermost(_positional(node)), sides
        node = cast(Node, inner)
    return facts, _innermost(node), sides


def _sides(pairs: dict[str, Atom | Node]) -> tuple[int, int] | None:
    """The rows and columns that an object names."""
    sides = []
    for keys in _SIDE_KEYS:
        values = (pairs[key] for key in keys if key in pairs)
        sides += [int(atom.text) for atom in values if isinstance(atom, Atom) and _is_count(atom.text)][:1]
    return (sides[0], sides[1]) if len(sides) == 2 else None


def _innermost(node: Node) -> Node:
    """Without what stands around a board: the call of ``array(…, dtype=int8)``, or a batch of one board."""
    for _ in range(_DEEPEST):
        lists = [child for child in node if isinstance(child, list)]
        if len(lists) != 1 or (len(node) == 1 and all(isinstance(child, Atom) for child in lists[0])):
            break
        node = lists[0]
    return node


def _pairs(node: Node) -> Iterator[tuple[str, Atom | Node]]:
    for key, value in pairwise(node):
        if isinstance(key, Key) and not isinstance(value, Key):
            is_text = isinstance(value, Atom) and key.name in _BOARD_KEYS and value.is_string
            yield key.name, [value] if is_text else value


def _facts(pairs: dict[str, Atom | Node], before: Facts) -> Facts:
    totals = (pairs[key] for key in _TOTAL_KEYS if key in pairs)
    total = next((int(atom.text) for atom in totals if isinstance(atom, Atom) and _is_count(atom.text)), None)
    kind = pairs.get("topology")
    topology = next((kind_ for kind_ in TOPOLOGIES if isinstance(kind, Atom) and kind_ == kind.text), None)
    return Facts(before.total_mines if total is None else total, before.topology if topology is None else topology)


def _is_count(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 8


def _rows(node: Node) -> Rows:
    """Rows of atoms: lists in a list, strings of cells in a list, or a list that is one row."""
    if not node or any(isinstance(child, Key) for child in node):
        return []
    if all(isinstance(child, list) for child in node):
        rows = [cast(Node, child) for child in node]
        if all(isinstance(atom, Atom) for row in rows for atom in row):
            cells = [[cast(Atom, atom) for atom in row] for row in rows]
            return [_cut(row[0]) if len(row) == 1 and len(row[0].text) > 2 else row for row in cells]
        return []
    if not all(isinstance(child, Atom) for child in node):
        return []
    atoms = [cast(Atom, child) for child in node]
    if all(atom.is_string for atom in atoms):
        return [_cut(line) for atom in atoms for line in _lines(atom)]
    return [atoms]


def _lines(atom: Atom) -> Iterator[Atom]:
    """A string of several rows, divided by ``/`` or an escaped line end."""
    offset = atom.offset
    for piece in re.split(r"/|\\n|\n", atom.text):
        yield Atom(piece, offset, is_string=True)
        offset += len(piece) + 1


def _cut(atom: Atom) -> list[Atom]:
    """A row written as one string: a cell a character, or cells with blanks or commas between."""
    pieces = re.split(r"[ ,]+", atom.text.strip())
    cells = pieces if len(pieces) > 1 and all(symbol_of(piece) for piece in pieces) else list(atom.text)
    return [Atom(cell, atom.offset, is_string=True) for cell in cells]


def _require_rectangle(sheet: Sheet, rows: Rows) -> None:
    for row in rows:
        if len(row) != len(rows[0]):
            place = row[0].offset if row else rows[0][0].offset
            message = f"expected {plural(len(rows[0]), 'cell')} as in the first row, got {len(row)}"
            raise sheet.error(place, message)


def _symbol(sheet: Sheet, atom: Atom, *, has_codes: bool) -> str:
    symbol = symbol_of_code(atom.text) if has_codes else symbol_of(atom.text)
    if symbol is None:
        message = f"expected 0-8, -1 covered, -2 flagged or -9 not on the board, got {quote(atom.text)}"
        if "..." in atom.text or atom.text == "…":
            message = "the array is cut short here: print all of it, e.g. with numpy.set_printoptions(threshold=10**9)"
        raise sheet.error(atom.offset, message)
    return symbol


def _leetcode(rows: list[list[str]]) -> dict[str, int]:
    """In problem 529 of LeetCode, ``B`` is an open cell without a mine next to it."""
    return {"B": 0} if any("B" in row for row in rows) else {}
