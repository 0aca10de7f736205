"""The tools and resources of the server, registered with the SDK."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Annotated, Any, Literal, ParamSpec

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations
from pydantic import Field

from mineproof.board.geometry import Topology
from mineproof.errors import MineproofError
from mineproof.mcp import tools
from mineproof.mcp.games import GameTable
from mineproof.version import VERSION

P = ParamSpec("P")
Document = dict[str, Any]

INSTRUCTIONS = (
    "Exact Minesweeper. Certain cells are proved by counting every layout, and odds are exact. Read the resource "
    "mineproof://docs/boards for the way boards are written. Cells are [row, column] from [0, 0]."
)

Board = Annotated[str, Field(description="Position as text: rows of 0-8, # covered, F flag, separated by /")]
Mines = Annotated[int | None, Field(description="Total number of mines, flags included; leave out if unknown")]
BoardTopology = Annotated[Topology | None, Field(description="Shape of the board, default grid")]
Size = Annotated[str, Field(description="beginner, intermediate, expert, or WxHxM such as 30x16x99")]
StartCell = Annotated[list[int] | None, Field(description="First click as [row, column]")]
FirstClickRule = Annotated[
    Literal["any", "safe", "open"],
    Field(description="Cells that the first click keeps free: none, the cell, or also its neighbours"),
]

READ_ONLY = ToolAnnotations(read_only_hint=True, open_world_hint=False)


def build_server(*, local_files: bool) -> MCPServer:
    """Return the server. With ``local_files``, screenshots can be read from files of this machine."""
    server: MCPServer = MCPServer("mineproof", version=VERSION, instructions=INSTRUCTIONS, log_level="WARNING")
    _add_analysis(server)
    _add_layouts(server)
    _add_screenshots(server, local_files=local_files)
    _add_games(server)
    _add_documents(server)
    return server


def _reporting(function: Callable[P, Document]) -> Callable[P, Document]:
    """Return the function with its expected errors as errors of a tool."""

    @functools.wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> Document:
        try:
            return function(*args, **kwargs)
        except MineproofError as error:
            raise ToolError(f"{error.code}: {error}") from error
        except (ValueError, TypeError, OSError, ImportError) as error:
            raise ToolError(str(error)) from error

    return call


def _add_analysis(server: MCPServer) -> None:
    @server.tool(annotations=READ_ONLY)
    @_reporting
    def analyze(board: Board, mines: Mines = None, topology: BoardTopology = None) -> Document:
        """Find every certainly safe cell and every certain mine, and the exact mine probability of each cell."""
        return tools.analyze_board(board, mines, topology)

    @server.tool(annotations=READ_ONLY)
    @_reporting
    def hint(board: Board, mines: Mines = None, topology: BoardTopology = None) -> Document:
        """Give the easiest next step with the numbers that prove it, or the best guess if nothing is certain."""
        return tools.hint_for(board, mines, topology)

    @server.tool(annotations=READ_ONLY)
    @_reporting
    def best_move(
        board: Board, mines: Mines = None, topology: BoardTopology = None, strategy: tools.Strategy = "best"
    ) -> Document:
        """Choose the cell to open next, with the chance to win and the alternatives. Needs the number of mines."""
        return tools.best_move_on(board, mines, topology, strategy)


def _add_layouts(server: MCPServer) -> None:
    @server.tool(annotations=READ_ONLY)
    @_reporting
    def check(layout: Annotated[str, Field(description="Layout as text, which shows all mines")],
              start: StartCell = None) -> Document:  # fmt: skip
        """Check whether a layout can be solved from its start without a guess, and find the first forced guess."""
        return tools.check_layout(layout, start)

    @server.tool(annotations=READ_ONLY)
    @_reporting
    def generate(
        size: Size = "expert", count: int = 1, no_guess: bool = False, start: StartCell = None,
        seed: int | None = None, topology: BoardTopology = None,
    ) -> Document:  # fmt: skip
        """Generate layouts with all their mines, for puzzles and tests. Use new_game to play."""
        return tools.generate_layouts(size, count, no_guess=no_guess, start=start, seed=seed, topology=topology)


def _add_screenshots(server: MCPServer, *, local_files: bool) -> None:
    if local_files:

        @server.tool(annotations=READ_ONLY)
        @_reporting
        def read_screenshot(path: str | None = None, data: str | None = None) -> Document:
            """Read the board on a screenshot: the path of a file on this machine, or a picture in base64 (data)."""
            return tools.read_screenshot(path, data)

        return

    @server.tool(name="read_screenshot", annotations=READ_ONLY)
    @_reporting
    def read_sent_screenshot(data: str) -> Document:
        """Read the board on a screenshot: a picture in base64 (data)."""
        return tools.read_screenshot(None, data)


def _add_games(server: MCPServer) -> None:
    games = GameTable()

    @server.tool()
    @_reporting
    def new_game(
        size: Size = "expert",
        no_guess: bool = False,
        first_click: FirstClickRule = "safe",
        fairness: Annotated[str, Field(description="Guesses that never lose; none by default")] = "none",
        topology: BoardTopology = None,
    ) -> Document:
        """Start a game and return its id. Its mines and its seed stay secret until it is over."""
        return games.new(
            size, no_guess=no_guess, first_click=first_click, fairness=fairness,  # type: ignore[arg-type]
            topology=topology or "grid",
        )  # fmt: skip

    @server.tool()
    @_reporting
    def move(id: str, row: int, column: int, kind: Literal["open", "flag", "chord"] = "open") -> Document:  # noqa: A002
        """Open, flag or chord a cell of a game. Returns the visible board, and the cells that were opened."""
        return games.move(id, kind, row, column)

    @server.tool(annotations=READ_ONLY)
    @_reporting
    def look(id: str) -> Document:  # noqa: A002
        """Show the visible board of a game."""
        return games.look(id)


def _add_documents(server: MCPServer) -> None:
    documents = {
        "boards": tools.boards_document,
        "games": tools.games_document,
        "techniques": tools.techniques_document,
        "strategies": tools.strategies_document,
    }
    for name, document in documents.items():
        server.resource(f"mineproof://docs/{name}", name=name, description=document.__doc__, mime_type="text/markdown")(
            document
        )
