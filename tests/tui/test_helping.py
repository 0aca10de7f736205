"""The best move on a key, moves that are made for the player, and the count of all help."""

import asyncio
import time

import pytest

from mineproof.analysis.analysis import analyze
from mineproof.base.budget import Budget, budget_error
from mineproof.board.board import Board
from mineproof.decision.moves import BestMove
from mineproof.game import autosave
from mineproof.game.help import HelpUsed
from mineproof.game.record import GameExtras, Record
from mineproof.game.rules import Fairness
from mineproof.tui import questions
from mineproof.tui.session import Session
from mineproof.tui.settings import Settings
from mineproof.wording.catalogue import message
from support import texts
from support.patience import PATIENCE
from support.terminal import PAIR, SMALL, WIDER, Player, best_text, play, playing, session_on, shown_best

# the best move


def test_the_best_move_where_something_is_safe() -> None:
    async def script(player: Player) -> None:
        await player.do("space", (3, 0))
        await player.press("b")
        assert player.message == best_text(player)
        assert [(cell, mark.sign) for cell, mark in player.grid.view.moves.items()] == [((0, 4), "S")]
        await player.press("escape")
        assert not player.grid.view.moves
        assert player.app.session.help == HelpUsed(best_moves=1)

    play(session_on(SMALL), script)


@pytest.mark.parametrize("fairness", ["none", "forced"])
def test_the_best_guess_tells_its_odds(fairness: Fairness) -> None:
    async def script(player: Player) -> None:
        await player.do("space", (0, 3))
        await player.press("b")
        assert player.message.startswith(message("tui-best-guess", text=best_text(player)))
        assert shown_best(player).win_probability == 0.5
        assert (message("tui-best-fair", name="forced") in player.message) == (fairness == "forced")
        assert [(cell, mark.sign) for cell, mark in player.grid.view.moves.items()] == [((0, 0), "G")]
        await player.do("space", (0, 0))
        assert not player.grid.view.moves

    play(session_on(PAIR, fairness=fairness), script)


def test_flags_prove_nothing_to_the_best_move() -> None:
    async def script(player: Player) -> None:
        await player.do("space", (3, 0))
        await player.do("f", (0, 4))
        await player.press("b")
        assert player.message == best_text(player)
        assert (shown_best(player).cell, shown_best(player).reason) == ((0, 4), "safe")

    play(session_on(SMALL), script)


ASSUMED = message("tui-best-no-guess")


def test_a_board_that_needs_no_guess_says_what_its_chances_assume() -> None:
    """Of all layouts that fit some need a guess, but not this one."""

    async def script(player: Player) -> None:
        await player.press("space")
        await player.press("b")
        assert shown_best(player).reason == "safe"
        assert player.message == f"{best_text(player)} {ASSUMED}"

    play(Session(Settings(size="expert", no_guess=True), autosave.default_path(), seed=5), script)


@pytest.mark.parametrize(("text", "mines", "told"), [("11/##", 1, True), ("11#/###", 1, False)])
def test_chances_are_explained_where_they_are_told(text: str, mines: int, told: bool) -> None:
    result = questions.find_best_move(Board.parse(text, total_mines=mines), Budget(), playouts=0)
    assert ASSUMED not in questions.describe_best_move(result, "none")
    assert (ASSUMED in questions.describe_best_move(result, "none", no_guess=True)) == told


def test_the_first_click_needs_no_best_move() -> None:
    async def script(player: Player) -> None:
        await player.press("b")
        assert player.message == message("tui-first-any")
        assert player.app.session.help == HelpUsed()

    play(session_on(SMALL, first_click="safe"), script)


def test_looking_for_it_blocks_nothing_and_can_be_cancelled(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that would take for ever ends with the key, or with a move."""
    ended = []

    def search(board: Board, budget: Budget, **_: object) -> BestMove:
        while budget.cancelled is None or not budget.cancelled():
            time.sleep(0.001)
        ended.append(board)
        raise budget_error("cancelled", 0.0, 0, None)

    monkeypatch.setattr(questions, "find_best_move", search)

    async def whole() -> None:
        async with playing(session_on(SMALL)) as player:
            await player.do("space", (3, 0))
            player.grid.move_cursor((0, 1))
            for stop in (["escape"], ["left", "f"], ["b", "escape"]):
                await player.pilot.press("b")
                assert player.message == message("tui-searching")
                await player.pilot.press("left", *stop)
                assert player.message != message("tui-searching")
                await player.settle()
            assert len(ended) == 4
            assert "No answer" not in player.message
            assert player.app.session.help == HelpUsed()

    asyncio.run(whole())


# moves made for the player


def test_a_step_by_the_best_move() -> None:
    async def script(player: Player) -> None:
        await player.do("space", (3, 0))
        await player.do("f", (0, 4))  # wrong, and taken off
        await player.press("a")
        assert player.game.status == "won"
        assert player.message.startswith("Won in 0:0")
        assert player.grid.cursor == (0, 4)
        assert player.app.session.help == HelpUsed(auto_moves=2)

    play(session_on(SMALL), script)


def test_following_the_best_move_to_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mineproof.tui.app.AUTOPLAY_INTERVAL", 0.001)

    async def script(player: Player) -> None:
        await player.press("A")
        end = time.monotonic() + PATIENCE
        while not player.game.is_over:
            assert time.monotonic() < end
            await player.pilot.pause(0.01)
        assert player.game.status == "won"
        assert player.app.session.help.auto_moves == len(player.game.moves) > 3

    settings = Settings(size="beginner", no_guess=True)
    play(Session(settings, autosave.default_path(), seed=5), script)


@pytest.mark.parametrize("key", ["escape", "A", "u", "p", "question_mark"])
def test_following_stops(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mineproof.tui.app.AUTOPLAY_INTERVAL", 0.05)

    async def script(player: Player) -> None:
        await player.press("A")
        assert player.game.moves
        await player.press(key)
        count = len(player.game.moves)
        await player.pilot.pause(0.2)
        assert len(player.game.moves) == count
        assert not player.game.is_over

    settings = Settings(size="expert", no_guess=True)
    play(Session(settings, autosave.default_path(), seed=5), script)


def test_a_lost_guess_is_explained_as_any_other() -> None:
    async def script(player: Player) -> None:
        await player.do("space", (0, 3))
        await player.press("a")
        assert player.game.status == "lost"
        assert player.message.startswith("Lost: there was a mine at A1. The chance of a mine was 50.0 %")

    play(session_on(PAIR), script)


def test_nothing_but_certainty_is_followed_where_there_is_some() -> None:
    async def script(player: Player) -> None:
        await player.do("space", (2, 0))
        steps = 0
        while not player.game.is_over and (safe := analyze(player.game.board, flags="ignore").safe):
            opened = player.game.open_cells
            await player.press("a")
            assert player.game.open_cells > opened
            assert player.grid.cursor in safe
            assert " safe" in player.message or player.game.is_over
            steps += 1
        assert steps

    play(session_on(WIDER), script)


# the count


def test_help_is_counted_and_kept() -> None:
    async def first(player: Player) -> None:
        await player.press("h")  # before any move, and counted all the same
        await player.do("space", (2, 0))
        await player.press("h", "h", "b")
        await player.press("o")
        await player.do("f", (0, 0))
        await player.press("o")
        await player.do("f", (1, 1))  # refused where it is open, so no move
        await player.do("f", (0, 5))
        await player.press("u")

    expected = HelpUsed((2, 1, 0, 0), odds_moves=1, best_moves=1, undos=1)
    session = session_on(WIDER)
    play(session, first)
    assert session.help == expected
    resumed = Session(Settings(), autosave.default_path())
    assert resumed.help == expected
    resumed.start_game()
    assert resumed.help == HelpUsed()


def test_a_level_that_is_told_again_is_counted_once() -> None:
    async def script(player: Player) -> None:
        await player.do("space", (2, 0))
        await player.press("h", "h", "h", "h", "h", "h")
        assert player.app.session.help == HelpUsed((1, 1, 1, 1))
        await player.press("escape", "h")
        assert player.app.session.help == HelpUsed((2, 1, 1, 1))

    play(session_on(WIDER), script)


def test_help_is_on_disk_before_the_next_move() -> None:
    async def script(player: Player) -> None:
        await player.do("space", (2, 0))
        await player.press("h")
        saved = autosave.load(autosave.default_path())
        assert saved.extras.help == HelpUsed((1, 0, 0, 0))

    play(session_on(WIDER), script)


def test_whoever_wants_to_know_is_told_of_the_end() -> None:
    messages: list[tuple[Record, HelpUsed]] = []

    def listen(record: Record, kept: GameExtras) -> str:
        messages.append((record, kept.help))
        return " Kept."

    session = session_on(PAIR)
    session.on_finished = listen
    assert session.play("open", (0, 3)).text == texts.text("tui-opened-from", 6, cell="D1")
    assert not messages
    assert session.play("open", (0, 0)).text == "Lost: there was a mine at A1. Kept."
    session.play("open", (0, 0))  # refused: the game is over
    assert [(record.status, used) for record, used in messages] == [("lost", HelpUsed())]
    session.play("undo")
    assert session.play("open", (1, 0), helped="odds_moves").text.endswith(" Kept.")
    assert [record.status for record, _ in messages] == ["lost", "won"]
    assert messages[1][1] == HelpUsed(odds_moves=1, undos=1)


def test_the_review_tells_the_help() -> None:
    async def script(player: Player) -> None:
        await player.do("space", (0, 3))
        await player.press("b")
        await player.do("space", (1, 0))
        await player.press("r")
        assert "help: 1 best move shown" in player.page

    play(session_on(PAIR), script)
