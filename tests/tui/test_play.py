"""Moves by keys and by mouse, and what is drawn of them."""

import pytest

from mineproof.board.cells import FLAGGED
from mineproof.board.geometry import Topology
from mineproof.tui.grid import BoardGrid
from mineproof.tui.settings import Settings
from mineproof.wording.catalogue import message, plural
from support.positions import CLASSIC
from support.terminal import SMALL, Player, play, saved, session_on
from support.texts import text

RIGHT, MIDDLE = 3, 2  # buttons of the mouse


# moves by keys


def test_opening_and_what_is_drawn() -> None:
    async def script(player: Player) -> None:
        assert player.game.status == "new"
        await player.do("space", (3, 0))
        assert player.rows == [" · 1   1 ·", " 1 1   1 ·", "       1 1", "[ ]"]
        assert player.message == text("tui-opened-from", 17, cell="A4")
        assert "playing" in player.status
        assert saved().board == player.game.board
        await player.press("u")
        await player.do("enter", (0, 4))
        assert player.game.board[0, 4] == 1
        assert player.message == "Opened E1."

    play(session_on(SMALL), script)


def test_marks() -> None:
    async def script(player: Player) -> None:
        await player.do("f", (0, 0))
        assert player.rows[0] == "[F]· · · ·"
        assert player.message == text("tui-flag-set", cell="A1")
        assert player.status.startswith("Mines 1 ")
        await player.press("m")
        assert player.rows[0] == "[?]· · · ·"
        assert (player.message, player.game.mines_left) == (text("tui-question-set", cell="A1"), 2)
        await player.press("m")
        assert player.message == text("tui-mark-removed", cell="A1")
        assert [move.kind for move in saved().moves] == ["flag", "question", "question"]

    play(session_on(SMALL), script)


@pytest.mark.parametrize("key", ["c", "space", "enter"])
def test_chords(key: str) -> None:
    async def script(player: Player) -> None:
        await player.do("space", (3, 0))
        await player.do(key, (1, 3))
        assert player.message == plural("tui-refused-chord", 0, number=1, cell="D2")
        await player.do("f", (1, 4))
        await player.do(key, (1, 3))
        assert player.game.board[0, 4] == 1

    play(session_on(SMALL), script)


def test_undo() -> None:
    async def script(player: Player) -> None:
        await player.press("u")
        assert player.message == message("tui-refused-undo")
        before = player.game.board
        await player.do("space", (3, 0))
        await player.press("u")
        assert (player.game.board, player.message) == (before, message("tui-undone-open", cell="A4"))
        await player.do("f", (3, 0))
        await player.press("ctrl+z")
        assert player.game.board == before
        assert len(saved().moves) == 4

    play(session_on(SMALL), script)


def test_illegal_moves_are_refused_in_words() -> None:
    async def script(player: Player) -> None:
        await player.do("f", (0, 0))
        before = player.game.moves
        await player.press("space")
        assert player.message == message("tui-refused-flagged", cell="A1")
        await player.do("c", (0, 1))
        assert player.message == message("tui-refused-covered", cell="B1")
        assert player.game.moves == before

    play(session_on(SMALL), script)


def test_moving_the_cursor() -> None:
    async def script(player: Player) -> None:
        player.grid.move_cursor((1, 1))
        places = {
            "up": (0, 1), "left": (0, 0), "right": (0, 1), "down": (1, 1), "end": (1, 4), "home": (1, 0),
            "pagedown": (3, 0), "pageup": (0, 0), "ctrl+end": (3, 4), "ctrl+home": (0, 0),
        }  # fmt: skip
        for key, place in places.items():
            await player.press(key)
            assert player.grid.cursor == place, key
        await player.press("up", "left")
        assert player.grid.cursor == (0, 0)
        assert "Cell A1" in player.status

    play(session_on(SMALL), script)


def test_a_torus_is_walked_around() -> None:
    async def script(player: Player) -> None:
        player.grid.move_cursor((0, 0))
        await player.press("up")
        assert player.grid.cursor == (3, 0)
        await player.press("left")
        assert player.grid.cursor == (3, 4)

    play(session_on(SMALL, kind="torus"), script)


def test_letters_move_where_that_is_wanted() -> None:
    async def script(player: Player) -> None:
        await player.do("space", (3, 0))
        await player.press("l")
        assert player.grid.cursor == (3, 0)
        player.app.session.settings = Settings(letters_move=True)
        for key, place in (("l", (3, 1)), ("k", (2, 1)), ("h", (2, 0)), ("j", (3, 0))):
            await player.press(key)
            assert player.grid.cursor == place
        await player.press("i")
        assert player.message.startswith("Hint 1 of 4")

    play(session_on(SMALL), script)


# moves by mouse


def test_the_mouse_opens_flags_and_chords() -> None:
    async def script(player: Player) -> None:
        await player.click((3, 0))
        assert player.game.board[3, 0] == 0
        await player.click((1, 4), RIGHT)
        assert player.game.board[1, 4] == FLAGGED
        await player.click((1, 4), RIGHT)
        await player.click((1, 4), control=True)
        assert player.game.board[1, 4] == FLAGGED
        await player.click((0, 1))
        assert player.message == plural("tui-refused-chord", 0, number=1, cell="B1")
        assert player.grid.cursor == (0, 1)
        await player.click((0, 3), MIDDLE)
        assert player.game.board[0, 4] == 1

    play(session_on(SMALL), script)


@pytest.mark.parametrize("marks", [False, True])
def test_the_right_button_goes_round(marks: bool) -> None:
    async def script(player: Player) -> None:
        player.app.session.settings = Settings(question_marks=marks)
        seen = []
        for _ in range(3):
            await player.click((0, 0), RIGHT)
            seen.append("F" if player.game.board[0, 0] == FLAGGED else "?" if player.game.questions else "·")
        assert seen == (["F", "?", "·"] if marks else ["F", "·", "F"])

    play(session_on(SMALL), script)


@pytest.mark.parametrize("kind", CLASSIC)
def test_every_cell_can_be_clicked(kind: Topology) -> None:
    async def script(player: Player) -> None:
        for corner in ("ctrl+home", "ctrl+end"):
            await player.press(corner)
            seen = set()
            for y in range(player.grid.size.height):
                for x in range(player.grid.size.width):
                    cell = player.grid.cell_at(x, y)
                    if cell is not None and player.grid.place_of(cell) == (x, y):
                        assert player.grid.render_line(y).text[x] == "·"
                        seen.add(cell)
            assert player.grid.cursor in seen
            assert len(seen) > 30

    play(session_on(["." * 30] * 29 + ["." * 29 + "*"], kind=kind), script, (30, 12))


def test_the_cursor_crosses_places_without_a_cell() -> None:
    async def script(player: Player) -> None:
        seen = [player.grid.cursor]
        for key in ("up", "up", "up", "left", "down", "left", "left", "left"):
            await player.press(key)
            seen.append(player.grid.cursor)
        assert seen == [(2, 2), (1, 2), (0, 2), (0, 2), (0, 2), (1, 2), (1, 1), (1, 0), (1, 4)]

    play(session_on(["~~.~~", "*....", ".....", "~~.~~"], kind="sphere"), script)


def test_numbers_above_9_have_room() -> None:
    async def script(player: Player) -> None:
        await player.press("enter")
        x, y = player.grid.place_of((2, 2))
        assert player.grid.render_line(y).text[x - 1 : x + 1] == "24"

    mines = ["*****", "*****", "**.**", "*****", "*****"]
    play(session_on(mines, kind="radius2"), script)


def test_a_click_beside_the_board_does_nothing() -> None:
    async def script(player: Player) -> None:
        await player.pilot.click(BoardGrid, offset=(0, 0))
        await player.pilot.click(BoardGrid, offset=(79, 5), button=RIGHT)
        assert player.game.moves == ()

    play(session_on(SMALL), script)
