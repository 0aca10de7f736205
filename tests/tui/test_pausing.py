"""The clock stands where the board is hidden; the same board can be played again."""

import time
from typing import Any

import pytest

from mineproof.game import autosave
from mineproof.game.help import HelpUsed
from mineproof.tui import questions
from mineproof.tui.session import Session
from mineproof.tui.settings import Settings
from mineproof.tui.settings_screen import SettingsScreen
from mineproof.tui.text_screen import PauseScreen, TextScreen
from mineproof.wording.catalogue import message
from support.terminal import PAIR, SMALL, WIDER, Player, play, saved, session_on

# pausing


@pytest.mark.parametrize("key", ["p", "escape", "space"])
def test_a_pause_hides_the_board_and_stops_the_clock(key: str) -> None:
    async def script(player: Player) -> None:
        await player.press("p")
        assert player.message == message("tui-nothing-to-pause")
        await player.do("space", (3, 0))
        assert "1 1" in player.screen
        await player.press("p")
        assert isinstance(player.app.screen, PauseScreen)
        assert "1 1" not in player.screen
        assert "The clock is stopped at 0:0" in player.page
        before = player.game.ms
        await player.pilot.pause(0.05)
        assert player.game.ms == before
        await player.press(key)
        assert "1 1" in player.screen
        await player.pilot.pause(0.05)
        assert player.game.ms >= before + 50
        assert player.app.session.help == HelpUsed(pauses=1)

    play(session_on(SMALL), script)


@pytest.mark.parametrize("key", ["question_mark", "s", "t"])
def test_pages_stop_the_clock(key: str) -> None:
    async def script(player: Player) -> None:
        await player.do("space", (3, 0))
        await player.press(key)
        assert isinstance(player.app.screen, TextScreen | SettingsScreen)
        before = player.game.ms
        await player.pilot.pause(0.05)
        assert player.game.ms == before
        await player.press("escape")
        await player.pilot.pause(0.05)
        assert player.game.ms >= before + 50
        assert player.app.session.help == HelpUsed()  # no pause was requested

    play(session_on(SMALL), script)


def test_the_time_of_a_pause_is_not_saved() -> None:
    async def script(player: Player) -> None:
        await player.do("space", (3, 0))
        await player.press("p")
        before = player.game.ms
        await player.pilot.pause(0.1)
        await player.press("ctrl+c")
        assert before == player.game.record().ms

    play(session_on(SMALL), script)
    assert saved().record().ms < 60_000


def test_a_first_move_that_is_taken_back_stops_the_clock() -> None:
    async def script(player: Player) -> None:
        await player.do("space", (3, 0))
        await player.press("u")
        assert ":-) ready" in player.status
        before = player.game.ms
        await player.pilot.pause(0.05)
        assert player.game.ms == before

    play(session_on(SMALL), script)


# the same board again


def test_the_same_board_again_after_a_loss() -> None:
    async def script(player: Player) -> None:
        await player.do("space", (0, 3))
        opened = player.game.board
        await player.do("space", (0, 0))
        assert player.game.status == "lost"
        await player.press("g")
        assert player.message == message("tui-same-board-start", cell="D1")
        assert (player.game.status, player.game.ms, player.grid.cursor) == ("new", 0, (0, 3))
        assert saved().status == "lost"  # until a move is made
        await player.press("h")
        assert player.message == message("tui-first-start", cell="D1")
        await player.press("space")
        assert player.game.board == opened
        await player.do("space", (1, 0))
        assert saved().status == "won"
        assert player.app.session.help == HelpUsed(repeats=1)

    play(session_on(PAIR), script)


def test_a_running_game_is_not_given_up_by_one_key() -> None:
    async def script(player: Player) -> None:
        await player.do("space", (3, 0))
        first = player.game
        await player.press("g")
        assert (player.game, player.message) == (first, message("tui-give-up-again"))
        await player.press("n")  # the other question
        assert player.game is first
        await player.press("g", "g")
        assert player.game is not first
        assert player.game.rows == 4

    play(session_on(SMALL), script)


def test_a_board_without_guesses_stays_the_same_for_another_first_click() -> None:
    session = Session(Settings(size="intermediate", no_guess=True), autosave.default_path(), seed=1)
    session.play("open", (3, 3))
    layout = session.game.record().layout
    assert layout.start == (3, 3)
    session.restart_game()
    assert session.start == session.place == (3, 3)
    assert session.game.record().layout == layout
    session.play("open", (12, 12))
    assert session.game.record().layout.start == (3, 3)
    resumed = Session(Settings(), autosave.default_path())
    resumed.play("undo")
    resumed.play("open", (5, 5))
    assert resumed.game.record().layout.start == (3, 3)
    assert resumed.help.repeats == 1


def test_the_first_click_that_moved_mines_is_part_of_the_board() -> None:
    session = Session(Settings(size="9x9x60", first_click="open"), autosave.default_path(), seed=1)
    session.play("open", (4, 4))
    before = session.game.board
    session.restart_game()
    session.play("open", (4, 4))
    assert session.game.board == before


def test_nothing_is_played_while_a_page_hides_the_board(monkeypatch: pytest.MonkeyPatch) -> None:
    """A best move that was requested before the pause is not made during it, and the clock stands."""
    find = questions.find_best_move

    def slow(*arguments: Any, **options: Any) -> Any:
        time.sleep(0.3)
        return find(*arguments, **options)

    monkeypatch.setattr(questions, "find_best_move", slow)

    async def script(player: Player) -> None:
        await player.do("space", (2, 0))
        await player.pilot.press("a")
        await player.pilot.press("p")
        while not player.game.is_paused:  # a busy machine handles the key later
            await player.pilot.pause(0.01)
        moves, ms = len(player.game.moves), player.game.ms
        await player.pilot.pause(0.6)
        assert (len(player.game.moves), player.game.ms) == (moves, ms)

    play(session_on(WIDER), script)
