"""A topology is one object: registering one is all it takes to parse, count, generate, draw and offer it."""

from __future__ import annotations

import json
import math
import shutil
import subprocess
import sys
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import pytest

from mineproof.board.board import Board
from mineproof.board.geometry import Geometry
from mineproof.board.topology import TOPOLOGIES, Topology, register, topology_named
from mineproof.errors import BoardSyntaxError
from mineproof.game.layout import Layout

TUBE = """
from mineproof.board.topology import Topology, register, topology_named

register(
    Topology(
        "tube",
        topology_named("grid").steps,
        joins_columns=True,
        label="Tube",
        description="The left border touches the right one.",
        remark="left and right edges joined",
    )
)
"""

# Prints what every part of the program knows about the new topology.
REPORT = """
import json
from itertools import combinations
import tube
import mineproof as mp
from mineproof.web.routes import ROUTES
from mineproof.web.openapi import document

board = mp.Board.parse("1##2/####", total_mines=3, topology="tube")
analysis = mp.analyze(board)
reference = mp.analyze(board, engine=mp.engine_named("reference"))
layout = mp.generate(6, 6, 6, seed=3, no_guess=True, topology="tube")
print(json.dumps({
    "written": str(board),
    "read_back": mp.Board.parse(str(board)) == board,
    "neighbours": board.neighbours((0, 0)),
    "layouts": analysis.layouts,
    "odds": [[str(analysis.exact(r, c)) if board[r, c] < 0 else None for c in range(4)] for r in range(2)],
    "reference": [[str(reference.exact(r, c)) if board[r, c] < 0 else None for c in range(4)] for r in range(2)],
    "generated": [layout.topology, layout.certificate.solved],
    "verified": mp.verify(layout.certificate, layout) is None,
    "restored": mp.formats.read(mp.formats.write(layout, "json")).value == layout,
    "svg": mp.draw(board).svg,
    "openapi": json.dumps(document(ROUTES)),
}))
"""
COLUMNS, CODES = 4, {(0, 0): 1, (0, 3): 2}


def run(folder: Path, *arguments: str) -> str:
    (folder / "tube.py").write_text(TUBE, "utf-8")
    code = f"import sys; sys.path.insert(0, {str(folder)!r}); {arguments[0]}"
    command = [sys.executable, "-c", code, *arguments[1:]]
    return subprocess.run(command, capture_output=True, text=True, check=True, encoding="utf-8").stdout


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    folder = tmp_path_factory.mktemp("tube")
    (folder / "report.py").write_text(REPORT, "utf-8")
    found = json.loads(run(folder, "import report"))
    assert isinstance(found, dict)
    return found


def touching(cell: tuple[int, int]) -> list[tuple[int, int]]:
    """The neighbours on a cylinder of two rows and four columns."""
    row, column = cell
    near = {(1 - row, column), *((r, (column + step) % COLUMNS) for r in (0, 1) for step in (-1, 1))}
    return sorted(near)


def consistent_layouts() -> list[set[tuple[int, int]]]:
    """All layouts of three mines that fit, by brute force."""
    covered = [(r, c) for r in (0, 1) for c in range(COLUMNS) if (r, c) not in CODES]
    candidates = (set(mines) for mines in combinations(covered, 3))
    return [
        mines for mines in candidates if all(len(mines & {*touching(at)}) == number for at, number in CODES.items())
    ]


def test_a_new_topology_is_parsed_and_written(report: dict[str, object]) -> None:
    assert report["written"] == "4x2x3 tube\n1##2\n####"
    assert report["read_back"] is True
    assert report["restored"] is True
    assert report["neighbours"] == [list(cell) for cell in touching((0, 0))]


def test_a_new_topology_is_counted_exactly(report: dict[str, object]) -> None:
    layouts = consistent_layouts()
    assert layouts
    assert report["layouts"] == len(layouts)
    odds = [
        [
            None if (r, c) in CODES else str(Fraction(sum((r, c) in mines for mines in layouts), len(layouts)))
            for c in range(COLUMNS)
        ]
        for r in (0, 1)
    ]
    assert report["odds"] == report["reference"] == odds


def test_a_new_topology_is_generated_and_proved(report: dict[str, object]) -> None:
    assert report["generated"] == ["tube", True]
    assert report["verified"] is True


def test_a_new_topology_is_drawn(report: dict[str, object]) -> None:
    assert "left and right edges joined" in str(report["svg"])
    assert 'class="frame"' in str(report["svg"])


def test_a_new_topology_is_in_the_schema_of_the_http_api(report: dict[str, object]) -> None:
    schema = json.loads(str(report["openapi"]))["components"]["schemas"]
    assert "tube" in json.dumps(schema["AnalyzeRequest"])
    assert "tube" in json.dumps(schema["GenerateRequest"])


COMMAND = "sys.argv[0] = 'mineproof'; import tube, runpy; runpy.run_module('mineproof', run_name='__main__')"


@pytest.mark.parametrize("command", ["analyze", "generate"])
def test_a_new_topology_is_in_the_help_of_commands(command: str, tmp_path: Path) -> None:
    assert "tube" in run(tmp_path, COMMAND, command, "--help")


def test_a_new_topology_is_drawn_as_text(tmp_path: Path) -> None:
    shown = run(tmp_path, COMMAND, "analyze", "1##2/####", "--mines", "3", "--topology", "tube")
    assert shown.startswith("4 × 2 tube, 3 mines")
    pasted = run(tmp_path, COMMAND, "convert", "--to", "mineproof", shown)
    assert pasted == "4x2x3 tube\n1##2\n####\n"


def test_names_are_unique_words() -> None:
    with pytest.raises(ValueError, match="registered already"):
        register(topology_named("hex"))
    with pytest.raises(ValueError, match="must be one word"):
        register(Topology("two words", topology_named("grid").steps))
    assert TOPOLOGIES[:3] == ["grid", "torus", "hex"]


def test_a_cell_has_at_most_32_neighbours() -> None:
    many = (((tuple((0, step) for step in range(1, 34))),),)
    with pytest.raises(ValueError, match=r"number of neighbours .* from 0 to 32, got 33"):
        register(Topology("star", many))


def test_an_unknown_topology() -> None:
    with pytest.raises(BoardSyntaxError, match=r"topology must be one of grid, torus, hex, .*, got 'disc'"):
        topology_named("disc")


SIZES = {"cube": (4, 8), "sphere": (7, 10)}


@pytest.mark.parametrize("name", TOPOLOGIES)
def test_every_topology_has_words_and_json(name: str) -> None:
    topology = topology_named(name)
    assert topology.label
    assert topology.description.endswith(".")
    assert topology.remark or name == "grid"
    assert json.loads(json.dumps(topology.as_json()))["name"] == name


@pytest.mark.parametrize("name", TOPOLOGIES)
def test_a_move_beyond_a_joined_border_comes_in_at_the_other_side(name: str) -> None:
    topology = topology_named(name)
    expected_row = 2 if topology.joins_rows else 3 if topology.flips_rows else -1
    assert topology.move(-1, -1, 3, 4) == (expected_row, 3 if topology.joins_columns else -1)


@pytest.mark.parametrize("name", TOPOLOGIES)
def test_cells_lie_apart_and_the_board_holds_all_of_them(name: str) -> None:
    topology = topology_named(name)
    rows, columns = SIZES.get(name, (4, 6))
    wide, tall = topology.extent(rows, columns)
    shape = Geometry(name, rows, columns)  # type: ignore[arg-type]
    middles, depths, edges = {}, {}, []
    for index in set(range(shape.cells)) - shape.holes:
        place = (*shape.cell(index), rows, columns)
        outline = topology.outline(*place)
        x, y = middles[index] = topology.middle(*place)
        depths[index] = outline.depth
        edges += [(x + outline.box[0], y + outline.box[1]), (x + outline.box[2], y + outline.box[3])]
    assert min(min(edge) for edge in edges) >= -1e-9
    assert max(x for x, _ in edges) <= wide + 1e-9
    assert max(y for _, y in edges) <= tall + 1e-9
    for one, other in combinations(middles, 2):
        assert math.dist(middles[one], middles[other]) >= (depths[one] + depths[other]) / 2 - 1e-9


def test_sizes_that_a_shape_does_not_have() -> None:
    with pytest.raises(BoardSyntaxError, match="for cube, such as 9 × 3 or 12 × 3, got 4 × 3"):
        Board(3, 4, b"\xff" * 12, topology="cube")
    with pytest.raises(BoardSyntaxError, match=r"width of 5n and a height of 3n \+ 1 for sphere, .* 9 × 9"):
        Layout(9, 9, frozenset(), topology="sphere")
    with pytest.raises(BoardSyntaxError, match=r"\(0,0\): expected -9, because sphere has no cell there, got -1"):
        Board(4, 5, b"\xff" * 20, topology="sphere")


PAGE = """
const {{ SHAPES, around, centre, extent, outlineOf, largestNumber }} = await import({module!r});
const boards = {cases}.map(([topology, rows, columns]) => {{
  const board = {{ rows, columns, topology }};
  const cells = Array.from({{ length: rows * columns }}, (_, i) => [Math.floor(i / columns), i % columns]);
  return {{
    extent: extent(board), largest: largestNumber(topology),
    cells: cells.map((cell) => [around(...cell, board), centre(...cell, board), outlineOf(...cell, board)]),
  }};
}});
console.log(JSON.stringify({{ names: Object.keys(SHAPES), boards }}));
"""


def test_the_page_has_the_same_shapes() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node.js is not installed")
    module = (Path(__file__).parents[2] / "src/mineproof/web/static/app/board/shape.js").as_uri()
    sizes = {"cube": [(3, 9), (2, 2)], "sphere": [(4, 5), (10, 15)]}
    cases = [(name, rows, columns) for name in TOPOLOGIES for rows, columns in sizes.get(name, [(4, 6), (5, 5)])]
    code = PAGE.format(module=module, cases=json.dumps(cases))
    command = [node, "--input-type=module", "-e", code]
    page = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert page["names"] == TOPOLOGIES
    for (name, rows, columns), board in zip(cases, page["boards"], strict=True):
        topology, shape = topology_named(name), Geometry(name, rows, columns)
        assert board["extent"] == pytest.approx(topology.extent(rows, columns))
        assert board["largest"] == topology.largest_number
        for index in sorted(set(range(shape.cells)) - shape.holes):
            near, middle, outline = board["cells"][index]
            place = (*shape.cell(index), rows, columns)
            assert sorted(map(tuple, near)) == [shape.cell(other) for other in shape.neighbours(index)], (name, place)
            assert middle == pytest.approx(topology.middle(*place))
            assert outline == topology.outline(*place).name


def missing_rows(names: Sequence[str]) -> list[str]:
    """Topologies without a row in the table of docs/shapes.md."""
    text = (Path(__file__).parents[2] / "docs/shapes.md").read_text("utf-8")
    return [name for name in names if f"| `{name}` |" not in text]


def test_the_table_of_the_documents_has_every_topology() -> None:
    assert missing_rows(TOPOLOGIES) == []
    assert missing_rows([*TOPOLOGIES, "tube"]) == ["tube"]
