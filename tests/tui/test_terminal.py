"""Terminals of all sizes, and the pages over the board."""

import pytest
from textual.binding import Binding

from mineproof.game import autosave
from mineproof.tui import app
from mineproof.tui.app import TerminalGame
from mineproof.tui.message_lines import MessageLines
from mineproof.tui.session import Session
from mineproof.tui.settings import Settings
from mineproof.tui.text_screen import TextScreen
from mineproof.wording.catalogue import languages, message, use_language
from support.terminal import SMALL, Player, play, session_on

# sizes of terminals


def test_an_expert_board_fits_into_80_by_24() -> None:
    async def script(player: Player) -> None:
        assert len(player.rows) == 16
        assert all(row.count("·") == 30 for row in player.rows)
        assert player.grid.max_scroll_x == player.grid.max_scroll_y == 0
        assert player.app.screen.query_one(MessageLines).size.height == 4

    play(Session(Settings(size="expert"), autosave.default_path()), script)


@pytest.mark.parametrize("size", [(40, 12), (20, 8), (30, 100)])
def test_the_cursor_stays_in_view(size: tuple[int, int]) -> None:
    async def script(player: Player) -> None:
        left, up, right = ["move(0, -1)"] * 30, ["move(-1, 0)"] * 30, ["move(0, 1)"] * 30
        for action in ["corner(1)", *left, *up, "row_end(-1)", "corner(-1)", *right, "page(1)", "row_end(1)"]:
            await player.grid.run_action(action)
            x, y = player.grid.place_of(player.grid.cursor)
            assert player.grid.cell_at(x, y) == player.grid.cursor
            assert player.grid.render_line(y).text[x - 1 : x + 2] == "[·]"

    play(Session(Settings(size="100x100x2000"), autosave.default_path()), script, size)


def test_terminals_may_change_their_size() -> None:
    async def script(player: Player) -> None:
        await player.press("ctrl+end", "o")
        for size in ((40, 12), (10, 4), (1, 1), (200, 60), (80, 24)):
            await player.pilot.resize_terminal(*size)
            await player.press("left", "h")
        for key in ("s", "question_mark"):
            await player.press(key)
            for size in ((12, 4), (40, 12), (80, 24)):
                await player.pilot.resize_terminal(*size)
            await player.press("escape")
        x, y = player.grid.place_of(player.grid.cursor)
        assert player.grid.cell_at(x, y) == player.grid.cursor

    play(Session(Settings(size="expert", first_click="any"), autosave.default_path()), script)


def test_a_long_message_is_a_key_away() -> None:
    async def script(player: Player) -> None:
        await player.press("space", "h", "h", "h", "h")
        assert "t: full message" in str(player.app.screen.query_one(MessageLines).render())
        await player.press("t")
        assert player.page == player.message

    play(Session(Settings(size="expert", first_click="open"), autosave.default_path(), seed=3), script, (40, 12))


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("size", [(80, 24), (75, 24), (40, 12)])
def test_the_help_has_every_key(size: tuple[int, int], language: str) -> None:
    async def script(player: Player) -> None:
        await player.press("question_mark")
        assert sorted(player.page.split()) == sorted(message("tui-help").split())
        assert (player.page.strip() == message("tui-help").strip()) == (size[0] < 76)
        assert max(map(len, player.page.splitlines())) <= size[0] - 4
        await player.press("q")
        assert not isinstance(player.app.screen, TextScreen)

    with use_language(language):
        play(session_on(SMALL), script, size)
        text = message("tui-help")
    assert max(map(len, text.splitlines())) <= 35
    words = set(text.replace('"', " ").split())
    keys = [*(binding.key for binding in TerminalGame.BINDINGS if isinstance(binding, Binding)), *FOOTER_KEYS]
    assert len(keys) == 26
    for key in keys:
        names = {NAMES.get(language, {}).get(name, name) for name in key.split(",")}
        assert names & words or key == "question_mark", key


NAMES = {"de": {"space": "Leertaste", "enter": "Enter", "escape": "Esc", "ctrl+c": "Strg+c", "ctrl+z": "Strg+z"}}
FOOTER_KEYS = [key for key, *_ in app._FOOTER_KEYS]
