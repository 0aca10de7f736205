"""Small random positions of variants, and their layouts by brute force without any code of src/."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from mineproof.engine.answers import Engine
from mineproof.errors import ContradictionError
from mineproof.variants.position import VariantPosition
from mineproof.variants.variant import Variant
from mineproof.variants.variant_analysis import analyze_variant
from support.oracle import touching

Mines = dict[tuple[int, int], int]  # the mines in each cell of the board
Cell = tuple[int, int]
Judge = Callable[[str, int, int, Mines], bool]  # does a clue's text hold at a cell?


def box(row: int, column: int, mines: Mines) -> list[int]:
    """Mines in the eight cells around a cell, clockwise, 0 off the board."""
    ring = [(-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1)]
    return [mines.get((row + a, column + b), 0) for a, b in ring]


def _sum(row: int, column: int, mines: Mines) -> int:
    return sum(box(row, column, mines))


def _coloured(row: int, column: int, mines: Mines, dark: int) -> int:
    """A sum in which dark cells count `dark` times."""
    around = [
        (r, c) for r in (row - 1, row, row + 1) for c in (column - 1, column, column + 1) if (r, c) != (row, column)
    ]
    return sum(mines.get(cell, 0) * (dark if sum(cell) % 2 else 1) for cell in around)


def _groups(ring: list[int]) -> list[int]:
    """The lengths of the groups of mines in a ring."""
    text = "".join("x" if mined else "." for mined in ring)
    if "." not in text:
        return [len(text)]
    first = text.index(".")
    return sorted(len(group) for group in (text[first:] + text[:first]).split(".") if group)


def _in_cross(row: int, column: int, mines: Mines) -> int:
    return sum(
        count for (r, c), count in mines.items() if (r == row) != (c == column) and abs(r - row) + abs(c - column) <= 2
    )


def _knights(row: int, column: int, mines: Mines) -> int:
    return sum(count for (r, c), count in mines.items() if abs(r - row) * abs(c - column) == 2)


# What a layout shows at a cell: the clues that are true there.
SHOWS: dict[str, Callable[[int, int, Mines], list[str]]] = {
    "classic": lambda r, c, m: [str(_sum(r, c, m))],
    "liar": lambda r, c, m: [str(n) for n in (_sum(r, c, m) - 1, _sum(r, c, m) + 1) if n >= 0],
    "at-least": lambda r, c, m: [str(n) for n in range(_sum(r, c, m) + 1)],
    "at-most": lambda r, c, m: [str(_sum(r, c, m) + n) for n in range(4)],
    "multiple": lambda r, c, m: [str(_coloured(r, c, m, 2))],
    "negation": lambda r, c, m: [str(abs(_coloured(r, c, m, -1)))],
    "cross": lambda r, c, m: [str(_in_cross(r, c, m))],
    "knight": lambda r, c, m: [str(_knights(r, c, m))],
    "wall": lambda r, c, m: ["+".join(map(str, _groups(box(r, c, m)))) or "0"],
    "partition": lambda r, c, m: [str(len(_groups(box(r, c, m))))],
    "capped:2": lambda r, c, m: [str(min(2, _sum(r, c, m)))],
    "modulo:3": lambda r, c, m: [str(_sum(r, c, m) % 3)],
}


class Area(NamedTuple):
    rows: int
    columns: int
    cells: frozenset[Cell]


def _mined(mines: Mines) -> set[Cell]:
    return {cell for cell, count in mines.items() if count}


def _sides(cell: Cell) -> list[Cell]:
    row, column = cell
    return [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]


def _king(a: Cell, b: Cell) -> bool:
    return a != b and max(abs(a[0] - b[0]), abs(a[1] - b[1])) == 1


def _parts(cells: set[Cell], touch: Callable[[Cell, Cell], bool]) -> list[set[Cell]]:
    """The connected parts of a set of cells, merged pair by pair."""
    parts = [{cell} for cell in cells]
    for a, b in itertools.combinations(sorted(cells), 2):
        if touch(a, b):
            one = next(part for part in parts if a in part)
            other = next(part for part in parts if b in part)
            if one is not other:
                one |= other
                parts.remove(other)
    return parts


def _quad(area: Area, mined: set[Cell]) -> bool:
    blocks = ({(r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1)} for r, c in area.cells)
    return all(block & mined for block in blocks if block <= area.cells)


def _no_three(area: Area, mined: set[Cell]) -> bool:
    lines = (
        {(r, c), (r + a, c + b), (r + 2 * a, c + 2 * b)}
        for r, c in area.cells
        for a, b in ((0, 1), (1, 0), (1, 1), (-1, 1))
    )
    return not any(line <= mined for line in lines)


def _balance(area: Area, mined: set[Cell]) -> bool:
    rows = {sum((r, c) in mined for c in range(area.columns)) for r in range(area.rows)}
    columns = {sum((r, c) in mined for r in range(area.rows)) for c in range(area.columns)}
    return len(rows) == len(columns) == 1


def _dual(area: Area, mined: set[Cell]) -> bool:
    return all(len(mined & set(_sides(cell))) == 1 for cell in mined)


def _no_touching(area: Area, mined: set[Cell]) -> bool:
    return not any(_king(a, b) for a, b in itertools.combinations(mined, 2))


def _connected(area: Area, mined: set[Cell]) -> bool:
    return len(_parts(mined, _king)) <= 1


def _outside(area: Area, mined: set[Cell]) -> bool:
    def beside(a: Cell, b: Cell) -> bool:
        return b in _sides(a)

    at_border = [
        any(other not in area.cells for cell in part for other in _sides(cell)) for part in _parts(mined, beside)
    ]
    return len(_parts(set(area.cells) - mined, beside)) <= 1 and all(at_border)


def _snake(area: Area, mined: set[Cell]) -> bool:
    if len(mined) < 2:
        return True
    links = [len(mined & set(_sides(cell))) for cell in mined]
    joined = len(_parts(mined, lambda a, b: b in _sides(a))) == 1
    return joined and max(links) <= 2 and links.count(1) == 2


RULES: dict[str, Callable[[Area, set[Cell]], bool]] = {
    "quad": _quad, "no-three": _no_three, "balance": _balance, "dual": _dual, "no-touching": _no_touching,
    "connected": _connected, "outside": _outside, "snake": _snake,
}  # fmt: skip


def check(rng: random.Random, engine: Engine, clues: str, rules: tuple[str, ...], cell_max: int = 1) -> int:
    """Compare an engine with brute force on one random board. Returns the number of layouts."""
    rows, columns = rng.choice([(2, 3), (3, 3), (2, 4), (3, 4)] if cell_max == 1 else [(2, 3), (2, 2), (1, 5)])
    table = {(r, c): "#" for r in range(rows) for c in range(columns)}
    absent = [cell for cell in table if rng.random() < 0.05] if "balance" not in rules else []
    area = Area(rows, columns, frozenset(table) - frozenset(absent))
    layouts = [
        dict(zip(sorted(area.cells), values, strict=True))
        for values in itertools.product(range(cell_max + 1), repeat=len(area.cells))
    ]
    layouts = [mines for mines in layouts if all(RULES[rule](area, _mined(mines)) for rule in rules)]
    truth = rng.choice(layouts)
    for cell in table:
        table[cell] = _draw_cell(rng, cell, area, truth, clues)
    total = sum(truth.values()) if rng.random() < 0.5 else None
    if rng.random() < 0.1:
        total = (total or 0) + 1
    text = "\n".join(" ".join(table[r, c] for c in range(columns)) + " " for r in range(rows))
    fitting = [mines for mines in layouts if total in (None, sum(mines.values())) and _fits(table, mines, clues)]
    if columns == 1:
        return len(fitting)
    position = VariantPosition.parse(text, total_mines=total)
    try:
        analysis = analyze_variant(position, Variant(clues, rules, cell_max), engine=engine)
    except ContradictionError:
        assert not fitting, text
        return 0
    assert analysis.layouts == len(fitting), text
    counts = Counter(cell for mines in fitting for cell in _mined(mines))
    for cell in area.cells:
        assert analysis.exact(*cell) == Fraction(counts[cell], len(fitting)), (text, cell)
    covered = {cell for cell in area.cells if table[cell].startswith("#")}
    assert analysis.safe == {cell for cell in covered if not counts[cell]}
    assert analysis.mines == {cell for cell in covered if counts[cell] == len(fitting)}
    return len(fitting)


def _draw_cell(rng: random.Random, cell: Cell, area: Area, truth: Mines, clues: str) -> str:
    if cell not in area.cells:
        return "~"
    shown = rng.choice(SHOWS[clues](*cell, truth) or ["?"])
    if shown != "?" and rng.random() < 0.1:
        shown = f"{shown}|7"
    if truth[cell]:
        return str(rng.choice([*"######", "F", f"#{shown}"]))
    return str(rng.choice([*"#######", f"#{shown}", "?", shown, shown, shown]))


def _fits(table: dict[Cell, str], mines: Mines, clues: str) -> bool:
    for cell, shown in table.items():
        if shown == "~":
            continue
        if (shown == "F" and not mines[cell]) or (shown[0] not in "#F" and mines[cell]):
            return False
        alternatives = shown.removeprefix("#").split("|")
        if alternatives[0] not in ("", "F", "?") and not any(_holds(clue, cell, mines, clues) for clue in alternatives):
            return False
    return True


def _holds(clue: str, cell: Cell, mines: Mines, clues: str) -> bool:
    shown = SHOWS[clues](*cell, mines)
    if clues == "at-most":
        return int(clue) >= min(map(int, shown))
    return clue in shown


# on other shapes than squares

SHAPE_SIZES = {
    "torus": (3, 3), "cylinder": (3, 3), "moebius": (3, 3), "hex": (3, 4), "triangles": (2, 5), "octagons": (3, 3),
    "knight": (3, 4), "orthogonal": (3, 4), "cross": (3, 4), "radius2": (3, 4), "cube": (2, 6), "sphere": (4, 5),
    "graph:0-1,1-2,2-3,3-4,4-0,0-5,1-5,5-6": (1, 8),
}  # fmt: skip
COUNTING = ("classic", "liar", "at-least", "at-most", "capped:2", "modulo:3")  # clues that only count neighbours
OF_SQUARES = ("torus", "cylinder", "moebius", "knight", "orthogonal", "cross", "radius2")
WITH_ROWS = (*OF_SQUARES, "hex", "triangles", "octagons")
RING_SHAPES = ("torus", "cylinder", "moebius", "hex", "triangles", "octagons")


def clues_on(kind: str) -> list[str]:
    """The clue rules for boards of a shape."""
    coloured = ["multiple", "negation"] if kind in (*OF_SQUARES, "triangles", "octagons") else []
    reaching = ["cross", "knight"] if kind in OF_SQUARES else []
    return [*COUNTING, *coloured, *reaching, *(["wall", "partition"] if kind in RING_SHAPES else [])]


def rules_on(kind: str) -> list[str]:
    """The rules on the mines for boards of a shape."""
    squares = ["quad", "no-three"] if kind in OF_SQUARES else []
    rows = ["balance"] if kind in WITH_ROWS else []
    border = ["outside"] if kind in WITH_ROWS and kind != "torus" else []
    return [*squares, *rows, *border, "dual", "no-touching", "connected", "snake"]


def _wrapped(kind: str, rows: int, columns: int, row: int, column: int) -> Cell | None:
    """The cell at a place that may lie beyond joined borders; None if there is none."""
    if kind == "moebius" and column // columns % 2:
        row = rows - 1 - row
    if kind in ("torus", "cylinder", "moebius"):
        column %= columns
    if kind == "torus":
        row %= rows
    return (row, column) if 0 <= row < rows and 0 <= column < columns else None


def _touching(kind: str, rows: int, columns: int) -> dict[Cell, set[Cell]]:
    if not kind.startswith("graph:"):
        return touching(kind, rows, columns)
    edges = [tuple(map(int, pair.split("-"))) for pair in kind.removeprefix("graph:").split(",")]
    return {(0, c): {(0, a + b - c) for a, b in edges if c in (a, b)} for c in range(columns)}


def _places_on(kind: str, cell: Cell) -> tuple[float, float]:
    """The middle of a cell in the plane, with the height of a row as 1.5 for hexagons and 3 for triangles."""
    row, column = cell
    if kind == "hex":
        return column + row % 2 / 2, row * 3**0.5 / 2
    if kind == "triangles":
        points_up = (row + column) % 2 == 0
        return column / 2, (row + (2 / 3 if points_up else 1 / 3)) * 3**0.5 / 2
    return float(column), float(row)


class _Shape:
    """A small board of a shape: its cells, and which of them touch, share a side or form a ring."""

    def __init__(self, kind: str, rows: int, columns: int) -> None:
        self.kind, self.rows, self.columns = kind, rows, columns
        self.near = _touching(kind, rows, columns)
        self.cells = sorted(cell for cell in self.near if self.near[cell] or kind.startswith("graph:"))

    def step(self, cell: Cell, down: int, right: int) -> Cell | None:
        """The cell some rows down and some columns to the right."""
        return _wrapped(self.kind, self.rows, self.columns, cell[0] + down, cell[1] + right)

    def at(self, cell: Cell, steps: list[Cell]) -> set[Cell]:
        """The other cells at some steps."""
        return {other for step in steps if (other := self.step(cell, *step)) is not None and other != cell}

    def sides(self, cell: Cell) -> set[Cell]:
        """The cells that share a side with a cell."""
        if self.kind in OF_SQUARES:
            return self.at(cell, _sides((0, 0)))
        if self.kind == "triangles":
            base = 1 if sum(cell) % 2 == 0 else -1
            return self.near[cell] & {(cell[0], cell[1] - 1), (cell[0], cell[1] + 1), (cell[0] + base, cell[1])}
        if self.kind == "cube":
            return {other for other in self.near[cell] if sum(map(abs, _offset(self.rows, cell, other))) == 1}
        return self.near[cell]

    def is_at_border(self, cell: Cell) -> bool:
        """Has a cell fewer sides than in the middle of a large board?"""
        if self.kind in OF_SQUARES:
            return any(self.step(cell, *step) is None for step in _sides((0, 0)))
        if self.kind == "triangles":
            return len(self.sides(cell)) < 3
        return len(self.near[cell]) < len(touching(self.kind, 9, 9)[2 + cell[0] % 2, 2 + cell[1] % 2])

    def ring(self, cell: Cell, mines: Mines) -> list[int]:
        """Mines around a cell in the order of their directions; places off the board are empty."""
        if self.kind in OF_SQUARES:
            ring = [(-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1)]
            return [0 if (other := self.step(cell, *step)) is None else mines[other] for step in ring]
        return _ring_on(self.kind, cell, mines)

    def shows(self, clues: str, cell: Cell, mines: Mines) -> list[str]:
        """The clues that are true at a cell."""
        if clues in ("wall", "partition"):
            groups = _groups(self.ring(cell, mines))
            return ["+".join(map(str, groups)) or "0"] if clues == "wall" else [str(len(groups))]
        if clues in ("multiple", "negation"):
            factor = 2 if clues == "multiple" else -1
            return [str(abs(sum(mines[other] * (factor if sum(other) % 2 else 1) for other in self.near[cell])))]
        if clues == "cross":
            return [
                str(
                    sum(
                        mines[other]
                        for other in self.at(cell, [(a * d, b * d) for a, b in _sides((0, 0)) for d in (1, 2)])
                    )
                )
            ]
        if clues == "knight":
            steps = [(a, b) for a in (-2, -1, 1, 2) for b in (-2, -1, 1, 2) if abs(a * b) == 2]
            return [str(sum(mines[other] for other in self.at(cell, steps)))]
        return _SHOWN_SUMS[clues](sum(mines[other] for other in self.near[cell]))

    def keeps(self, rule: str, mined: set[Cell]) -> bool:
        """Does a layout obey a rule on the mines?"""
        if rule == "no-touching":
            return not any(self.near[cell] & mined for cell in mined)
        if rule == "connected":
            return len(_parts(mined, lambda a, b: b in self.near[a])) <= 1
        if rule == "dual":
            return all(len(mined & self.sides(cell)) == 1 for cell in mined)
        if rule == "balance":
            rows = {sum((r, c) in mined for c in range(self.columns)) for r in range(self.rows)}
            columns = {sum((r, c) in mined for r in range(self.rows)) for c in range(self.columns)}
            return len(rows) == len(columns) == 1
        if rule == "quad":
            blocks = [{cell} | self.at(cell, [(0, 1), (1, 0), (1, 1)]) for cell in self.cells]
            return all(block & mined for block in blocks if len(block) == 4)
        if rule == "no-three":
            directions = [(0, 1), (1, 0), (1, 1), (1, -1)]
            lines = [{cell} | self.at(cell, [(a, b), (2 * a, 2 * b)]) for cell in mined for a, b in directions]
            return not any(len(line) == 3 and line <= mined for line in lines)
        parts = _parts(mined, lambda a, b: b in self.sides(a))
        if rule == "outside":
            free = _parts(set(self.cells) - mined, lambda a, b: b in self.sides(a))
            return len(free) <= 1 and all(any(map(self.is_at_border, part)) for part in parts)
        assert rule == "snake"
        links = [len(mined & self.sides(cell)) for cell in mined]
        return len(mined) < 2 or (len(parts) == 1 and max(links) <= 2 and links.count(1) == 2)


def _offset(height: int, cell: Cell, other: Cell) -> tuple[int, int, int]:
    """From a cell to another one of a cube, whose layers lie side by side."""
    (row, (layer, column)), (r, (l2, c)) = ((place[0], divmod(place[1], height)) for place in (cell, other))
    return r - row, l2 - layer, c - column


def _ring_on(kind: str, cell: Cell, mines: Mines) -> list[int]:
    """Mines around a cell in the order of their directions; places off the board are empty."""
    far = 2 + cell[0], 2 + cell[1]  # on a larger board, where nothing is cut off
    around = touching(kind, 9, 9)[far]
    x, y = _places_on(kind, far)
    ordered = sorted(
        around, key=lambda other: math.atan2(_places_on(kind, other)[1] - y, _places_on(kind, other)[0] - x)
    )
    return [mines.get((row - 2, column - 2), 0) for row, column in ordered]


def check_on_shape(rng: random.Random, engine: Engine, kind: str, clues: str, rules: tuple[str, ...] = ()) -> int:
    """Compare an engine with brute force on one random board of another shape. Returns the number of layouts."""
    shape = _Shape(kind, *SHAPE_SIZES[kind])
    truth = {cell: int(rng.random() < 0.35) for cell in shape.cells}
    if not all(shape.keeps(rule, _mined(truth)) for rule in rules):
        allowed = _allowed(shape, rules)
        truth = rng.choice(allowed) if allowed else dict.fromkeys(shape.cells, 0)
    table = {}
    for cell in itertools.product(range(shape.rows), range(shape.columns)):
        if cell not in truth:
            table[cell] = "~"
        elif truth[cell] or rng.random() < 0.5:
            table[cell] = "#"
        else:
            table[cell] = rng.choice(shape.shows(clues, cell, truth))
            if rng.random() < 0.03:
                table[cell] = "1"
    total = sum(truth.values()) if rng.random() < 0.5 else None
    position = VariantPosition.parse(
        "\n".join(" ".join(table[row, column] for column in range(shape.columns)) for row in range(shape.rows)),
        total_mines=total, topology=kind,  # type: ignore[arg-type]
    )  # fmt: skip
    covered = [cell for cell in shape.cells if table[cell] == "#"]
    open_cells = [cell for cell in shape.cells if table[cell] != "#"]
    fitting = []
    for values in itertools.product(range(2), repeat=len(covered)):
        mines = dict.fromkeys(shape.cells, 0) | dict(zip(covered, values, strict=True))
        fits = all(_shape_clue_holds(table[cell], shape.shows(clues, cell, mines), clues) for cell in open_cells)
        if fits and total in (None, sum(values)) and all(shape.keeps(rule, _mined(mines)) for rule in rules):
            fitting.append(mines)
    try:
        analysis = analyze_variant(position, Variant(clues, rules), engine=engine)
    except ContradictionError:
        assert not fitting, (position, clues, rules)
        return 0
    assert analysis.layouts == len(fitting), (position, clues, rules)
    for cell in covered:
        count = sum(mines[cell] for mines in fitting)
        assert analysis.exact(*cell) == Fraction(count, len(fitting)), (position, cell)
        assert (cell in analysis.safe, cell in analysis.mines) == (count == 0, count == len(fitting))
    return len(fitting)


def _allowed(shape: _Shape, rules: tuple[str, ...]) -> list[Mines]:
    """Every layout that the rules on the mines allow."""
    layouts = (
        dict(zip(shape.cells, values, strict=True)) for values in itertools.product(range(2), repeat=len(shape.cells))
    )
    return [mines for mines in layouts if all(shape.keeps(rule, _mined(mines)) for rule in rules)]


def check_combination(rng: random.Random, engine: Engine) -> int:
    """Compare an engine with brute force on a random shape with a clue rule and up to two rules on the mines."""
    kind = rng.choice(["grid", *SHAPE_SIZES])
    if kind == "grid":
        return check(rng, engine, rng.choice(list(SHOWS)), tuple(rng.sample(list(RULES), 2)))
    rules = rng.sample(rules_on(kind), rng.choice([1, 2, 2]))
    return check_on_shape(rng, engine, kind, rng.choice(clues_on(kind)), tuple(rules))


def _shape_clue_holds(clue: str, shown: list[str], clues: str) -> bool:
    return int(clue) >= int(shown[0]) if clues == "at-most" else clue in shown


_SHOWN_SUMS: dict[str, Callable[[int], list[str]]] = {
    "classic": lambda n: [str(n)],
    "liar": lambda n: [str(shown) for shown in (n - 1, n + 1) if shown >= 0],
    "at-least": lambda n: [str(shown) for shown in range(n + 1)],
    "at-most": lambda n: [str(shown) for shown in range(n, n + 4)],
    "capped:2": lambda n: [str(min(n, 2))],
    "modulo:3": lambda n: [str(n % 3)],
}
