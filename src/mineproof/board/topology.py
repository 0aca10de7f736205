"""Topologies: every board shape is one object, declared here, with all that the rest of the program asks of it.

A topology is data. ``steps`` are the offsets to the neighbours of a cell; they repeat over the board like a pattern, so
that rows of hexagons or of triangles can take turns. ``joins_rows`` and ``joins_columns`` say which borders touch each
other, and ``outlines`` are how cells are drawn, again as a pattern. Neighbour tables, pictures, cursor movement, help
texts and the schema of the HTTP API are made from these. Symmetries need no declaration: `mineproof.decision.optimal`
tries flips, turns and shifts and uses those that map neighbours to neighbours. `mineproof.board.lattices` has the
classes. docs/shapes.md shows every shape.

A new shape is one more `register` at the end of this file. A program can register its own, before it imports the room
that uses it: the command line and the HTTP API list the topologies when they are imported. Graphs of any kind need no
registration: `mineproof.board.graphs`.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Literal, cast

from mineproof.base import checks
from mineproof.board import outlines
from mineproof.board.lattices import MAX_NEIGHBOURS, Layers, Sphere, Step, Steps, Topology
from mineproof.errors import BoardSyntaxError

if TYPE_CHECKING:
    TopologyName = Literal[
        "grid", "torus", "hex", "cylinder", "moebius", "triangles", "knight", "orthogonal", "cross", "radius2",
        "octagons", "cube", "sphere",
    ]  # fmt: skip  # at run time: the names of all registered topologies

__all__ = [
    "GRAPH_PREFIX", "MAX_NEIGHBOURS", "TOPOLOGIES", "Step", "Steps", "Topology", "find_topology", "register",
    "require_topology", "topology_named",
]  # fmt: skip

TOPOLOGIES: list[TopologyName] = []  # the names of all topologies, in the order of lists for people
_BY_NAME: dict[str, Topology] = {}
GRAPH_PREFIX = "graph:"  # names of graphs begin with it: see `mineproof.board.graphs`


def register(topology: Topology) -> Topology:
    """Add a topology and return it. Raises ValueError for an invalid name, a name in use, or too many neighbours."""
    if topology.name in _BY_NAME:
        raise ValueError(f"A topology named {topology.name} is registered already.")
    if not topology.name.isidentifier():
        raise ValueError(f"the name of a topology must be one word of letters, digits and _, got {topology.name!r}")
    checks.whole(f"the number of neighbours in topology {topology.name}", topology.most_neighbours, 0, MAX_NEIGHBOURS)
    TOPOLOGIES.append(topology.name)  # type: ignore[arg-type]  # its name is not in the static list
    _BY_NAME[topology.name] = topology
    return topology


def topology_named(name: object) -> Topology:
    """Return a topology by its name. Raises BoardSyntaxError if there is none."""
    topology = _BY_NAME.get(name) if isinstance(name, str) else None
    if topology is not None:
        return topology
    if str(name).startswith(GRAPH_PREFIX):
        from mineproof.board.graphs import read_graph

        return read_graph(name)
    raise BoardSyntaxError(f"topology must be one of {', '.join(TOPOLOGIES)}, got {name!r}")


def find_topology(word: str | None) -> TopologyName | None:
    """Return a word of a text as the name of a topology, or None if it is none."""
    if word is not None and word.startswith(GRAPH_PREFIX):
        require_topology(word)
    elif word not in TOPOLOGIES:
        return None
    return cast("TopologyName", word)


def require_topology(name: str) -> None:
    """Raise BoardSyntaxError unless a topology has this name."""
    topology_named(name)


def __getattr__(name: str) -> object:
    if name == "TopologyName":  # decoders of JSON are built from this type when their module is imported
        return Literal[tuple(TOPOLOGIES)]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


_EIGHT: Steps = tuple(step for step in product(range(-1, 2), range(-1, 2)) if step != (0, 0))
_FOUR: Steps = ((-1, 0), (0, -1), (0, 1), (1, 0))
_SIX_EVEN: Steps = ((-1, -1), (-1, 0), (0, -1), (0, 1), (1, -1), (1, 0))
_SIX_ODD: Steps = ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, 0), (1, 1))
_KNIGHT: Steps = tuple(step for step in product(range(-2, 3), range(-2, 3)) if abs(step[0] * step[1]) == 2)
_CROSS: Steps = tuple((down * far, right * far) for far in (1, 2) for down, right in _FOUR)
_RADIUS_2: Steps = tuple(step for step in product(range(-2, 3), range(-2, 3)) if step != (0, 0))


def _triangle(base: int) -> Steps:
    """Steps of a triangle whose base lies down (1) or up (-1): five cells along the base, three around the tip."""
    across = [(0, right) for right in (-2, -1, 1, 2)]
    return (*((-base, right) for right in (-1, 0, 1)), *across, *((base, right) for right in (-2, -1, 0, 1, 2)))


_UP, _DOWN = _triangle(1), _triangle(-1)
_HEX_HEIGHT = 3**0.5 / 2

register(
    Topology(
        "grid",
        ((_EIGHT,),),
        label="Squares",
        description="A cell touches the eight cells around it.",
    )
)
register(
    Topology(
        "torus",
        ((_EIGHT,),),
        joins_rows=True,
        joins_columns=True,
        label="Torus",
        description="Opposite borders are joined: the left border touches the right one, the top the bottom.",
        remark="opposite edges joined",
    )
)
register(
    Topology(
        "hex",
        ((_SIX_EVEN,), (_SIX_ODD,)),
        ((outlines.HEXAGON,),),
        row_height=_HEX_HEIGHT,
        odd_row_shift=0.5,
        label="Hexagons",
        description="A cell touches six others.",
        remark="hexagons",
    )
)
register(
    Topology(
        "cylinder",
        ((_EIGHT,),),
        joins_columns=True,
        label="Cylinder",
        description="The left border touches the right one.",
        remark="left and right edges joined",
    )
)
register(
    Topology(
        "moebius",
        ((_EIGHT,),),
        joins_columns=True,
        flips_rows=True,
        label="Möbius strip",
        description="The left border touches the right one upside down: top left touches bottom right.",
        remark="left and right edges joined upside down",
    )
)
register(
    Topology(
        "triangles",
        ((_UP, _DOWN), (_DOWN, _UP)),
        ((outlines.TRIANGLE_UP, outlines.TRIANGLE_DOWN), (outlines.TRIANGLE_DOWN, outlines.TRIANGLE_UP)),
        column_width=outlines.TRIANGLE_SIDE / 2,
        row_height=outlines.TRIANGLE_HEIGHT,
        label="Triangles",
        description="A cell touches the twelve triangles that share a corner with it.",
        remark="triangles",
    )
)
register(
    Topology(
        "knight",
        ((_KNIGHT,),),
        label="Knight moves",
        description="A cell counts the eight cells that are a knight's move away.",
        remark="neighbours a knight's move away",
    )
)
register(
    Topology(
        "orthogonal",
        ((_FOUR,),),
        label="Four sides",
        description="A cell touches the four cells that share a side with it.",
        remark="four neighbours",
    )
)
register(
    Topology(
        "cross",
        ((_CROSS,),),
        label="Cross",
        description="A cell counts the two cells in each of the four directions.",
        remark="two cells in four directions",
    )
)
register(
    Topology(
        "radius2",
        ((_RADIUS_2,),),
        label="Two cells far",
        description="A cell counts the 24 cells up to two rows and two columns away.",
        remark="24 neighbours",
    )
)
register(
    Topology(
        "octagons",
        ((_EIGHT, _FOUR), (_FOUR, _EIGHT)),
        ((outlines.OCTAGON, outlines.SMALL_SQUARE), (outlines.SMALL_SQUARE, outlines.OCTAGON)),
        column_width=outlines.OCTAGON_STEP,
        row_height=outlines.OCTAGON_STEP,
        label="Octagons and squares",
        description="Octagons touch four octagons and four squares; squares touch four octagons.",
        remark="octagons and squares",
    )
)
register(
    Layers(
        "cube",
        ((_EIGHT,),),
        label="Cube of layers",
        description="Square layers on top of each other, drawn side by side. A cell touches up to 26 cells.",
        remark="layers on top of each other",
    )
)
register(
    Sphere(
        "sphere",
        ((_SIX_EVEN,),),
        ((outlines.HEXAGON,),),
        row_height=_HEX_HEIGHT,
        joins_columns=True,
        label="Sphere",
        description="Hexagons and twelve pentagons on a ball, drawn as a map that is cut open.",
        remark="sphere of hexagons and pentagons",
    )
)
