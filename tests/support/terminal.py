"""A player in the terminal: presses keys, clicks, and reads the screen."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

from textual.pilot import Pilot
from textual.widgets import Static
from textual.worker import WorkerCancelled

from mineproof.advice.hints import Hint
from mineproof.board.cells import Cell
from mineproof.board.geometry import Topology
from mineproof.board.start import FirstClick
from mineproof.decision.moves import BestMove
from mineproof.game import autosave
from mineproof.game.game import Game
from mineproof.game.layout import Layout
from mineproof.game.rules import Fairness
from mineproof.tui.app import TerminalGame
from mineproof.tui.grid import BoardGrid
from mineproof.tui.message_lines import MessageLines
from mineproof.tui.session import Session
from mineproof.tui.settings import Settings
from mineproof.tui.text_screen import TextScreen
from mineproof.tui.texts import with_ruler_labels
from mineproof.wording.catalogue import message

SMALL = ["*....", "....*", ".....", "....."]  # (3,0) opens all but the mines and (0,4), and all is certain
PAIR = ["*...", "...."]  # (0,3) opens all but (0,0) and (1,0), one of which is the mine
WIDER = ["*..*..", ".....*", "......"]  # after (2,0) some cells are certainly safe


def layout(rows: list[str], kind: Topology = "grid") -> Layout:
    mines = frozenset((r, c) for r, row in enumerate(rows) for c, sign in enumerate(row) if sign == "*")
    return Layout(len(rows), len(rows[0]), mines, topology=kind)


def session_on(
    rows: list[str], *, kind: Topology = "grid", first_click: FirstClick = "any", fairness: Fairness = "none"
) -> Session:
    """A session with a known layout: that of a saved game in which nothing is done yet."""
    path = autosave.default_path()
    autosave.save(Game(layout(rows, kind), first_click=first_click, fairness=fairness), path)
    return Session(Settings(first_click=first_click, fairness=fairness), path)


class Player:
    """A player at the terminal."""

    def __init__(self, app: TerminalGame, pilot: Pilot[int]) -> None:
        self.app, self.pilot = app, pilot

    @property
    def grid(self) -> BoardGrid:
        return self.app.screen_stack[0].query_one(BoardGrid)

    @property
    def game(self) -> Game:
        return self.app.session.game

    @property
    def message(self) -> str:
        return self.app.screen_stack[0].query_one(MessageLines).text

    @property
    def status(self) -> str:
        return str(self.app.screen_stack[0].query_one("#status", Static).render())

    @property
    def page(self) -> str:
        assert isinstance(self.app.screen, TextScreen)
        return str(self.app.screen.query_one(Static).render())

    @property
    def screen(self) -> str:
        """All that is seen, whatever lies over the board."""
        return "\n".join(strip.text for strip in self.app.screen._compositor.render_strips())

    @property
    def rows(self) -> list[str]:
        """The board as it is drawn, rulers and the room on the right left out."""
        lines = [self.grid.render_line(y).text.strip() for y in range(self.grid.size.height)]
        return [line.partition(" ")[2] for line in lines if line][1:]

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.settle()

    async def click(self, cell: Cell, button: int = 1, *, control: bool = False) -> None:
        await self.pilot.click(BoardGrid, offset=self.grid.place_of(cell), button=button, control=control)
        await self.settle()

    async def do(self, key: str, cell: Cell) -> None:
        self.grid.move_cursor(cell)
        await self.press(key)

    async def settle(self) -> None:
        """Wait for what is being thought about."""
        while any(not worker.is_finished for worker in self.app.workers):
            with suppress(WorkerCancelled):
                await self.app.workers.wait_for_complete()
            await self.pilot.pause()


@asynccontextmanager
async def playing(session: Session, size: tuple[int, int] = (80, 24)) -> AsyncIterator[Player]:
    app = TerminalGame(session)
    async with app.run_test(size=size) as pilot:
        player = Player(app, pilot)
        await player.settle()
        yield player


def play(session: Session, script: Callable[[Player], Awaitable[None]], size: tuple[int, int] = (80, 24)) -> None:
    """Run a script against the terminal game."""

    async def whole() -> None:
        async with playing(session, size) as player:
            await script(player)

    asyncio.run(whole())


def hint_text(player: Player, level: int) -> str:
    """What the game says about the hint of the current board, up to a level."""
    result = shown_hint(player)
    return message("tui-hint", level=level, levels=4, text=with_ruler_labels(lambda: result.level(level)))


def best_text(player: Player) -> str:
    """What the library says about the best move of the current board."""
    return with_ruler_labels(lambda: shown_best(player).text)


def shown_hint(player: Player) -> Hint:
    """The hint on the screen."""
    assert player.app._hint is not None
    return player.app._hint


def shown_best(player: Player) -> BestMove:
    """The best move on the screen."""
    assert player.app._best is not None
    return player.app._best


def saved() -> Game:
    found = autosave.load(autosave.default_path())
    assert found.game is not None
    return found.game
