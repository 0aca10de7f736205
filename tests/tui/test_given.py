"""A layout or a position that is given, and a position that is taken away as text or as a link."""

import pytest

from mineproof import formats
from mineproof.board.board import Board
from mineproof.game import autosave
from mineproof.game.layout import Layout
from mineproof.tui.session import Opening, Session, UnfinishedGame
from mineproof.tui.settings import Settings
from mineproof.tui.text_screen import TextScreen
from mineproof.wording.catalogue import message
from support.terminal import SMALL, Player, layout, play, saved, session_on

MADE = Layout(4, 5, layout(SMALL).mines, start=(3, 1), no_guess=True)


def session(opening: Opening, *, fresh: bool = False) -> Session:
    return Session(Settings(fairness="kind", first_click="open"), autosave.default_path(), fresh=fresh, opening=opening)


# given


def test_a_layout_is_played_as_it_is_and_begins_at_its_start() -> None:
    async def script(player: Player) -> None:
        assert (player.message, player.grid.cursor) == ("Hello.", (3, 1))
        assert (player.game.rules.first_click, player.game.rules.fairness) == ("any", "none")
        assert "no-guess" in player.status
        await player.press("h")
        assert player.message == message("tui-first-start", cell="B4")
        await player.do("space", (0, 0))  # a mine stays where it is, whatever the settings say
        assert player.game.status == "lost"
        assert player.game.layout.mines == MADE.mines
        await player.press("n")
        assert (player.game.rows, player.game.rules.fairness) == (9, "kind")

    play(session(Opening(MADE, note="Hello.")), script)


def test_a_position_goes_on_with_its_flags() -> None:
    board = Board.parse("F1##F/11###/#####/#####", total_mines=2)

    async def script(player: Player) -> None:
        assert player.game.board == board
        assert player.game.mines_left == 0
        assert player.rows[0].startswith(" F 1")
        await player.press("u")
        assert player.message == message("tui-refused-undo")
        await player.do("space", (1, 3))
        assert player.game.status == "running"
        assert saved().record().given == board
        await player.press("g", "g")
        assert player.game.board == board
        assert player.message == message("tui-same-board")

    play(session(Opening(Layout(4, 5, frozenset([(0, 0), (0, 4)])), board)), script)


def test_the_same_layout_goes_on_and_another_one_is_not_lost() -> None:
    first = session(Opening(MADE))
    first.play("open", (3, 1))
    resumed = session(Opening(MADE))
    assert resumed.game.board == first.game.board
    assert resumed.note.startswith("Your unfinished game continues")
    other = Opening(Layout(4, 5, frozenset([(0, 0)])))
    with pytest.raises(UnfinishedGame):
        session(other)
    assert saved().board == first.game.board
    assert session(other, fresh=True).game.total_mines == 1
    first.play("undo")  # nothing is open: nothing is lost
    assert session(other).game.total_mines == 1


def test_a_position_goes_on_on_the_layout_it_was_begun_with() -> None:
    board = Board.parse("1#/##", total_mines=1)
    first = session(Opening(Layout(2, 2, frozenset([(0, 1)])), board))
    first.play("flag", (0, 1))
    first.play("open", (1, 1))
    resumed = session(Opening(Layout(2, 2, frozenset([(1, 1)])), board))  # drawn once more
    assert resumed.game.record().layout == first.game.record().layout
    assert resumed.game.moves == first.game.moves


# taken away


@pytest.mark.parametrize("size", [(80, 24), (40, 12)])
def test_the_position_as_text(size: tuple[int, int]) -> None:
    async def script(player: Player) -> None:
        await player.do("space", (3, 0))
        await player.do("f", (0, 0))
        await player.press("y")
        expected = "5x4x2\nF101#\n1101#\n00011\n00000"
        assert player.app.clipboard == expected
        assert player.page.startswith(f"{expected}\n\n")
        assert Board.parse(player.app.clipboard) == player.game.board
        before = player.game.ms
        await player.pilot.pause(0.05)
        assert player.game.ms >= before + 50, "the page shows the position, so the clock runs"
        await player.press("escape")

    play(session_on(SMALL), script, size)


def test_the_position_as_a_link() -> None:
    async def script(player: Player) -> None:
        await player.do("space", (3, 0))
        await player.do("f", (0, 0))
        await player.press("Y")
        link = player.app.clipboard
        assert link.startswith("https://davidnhill.github.io/JSMinesweeper/index.html?board=5x4x2&analysis=")
        assert formats.read(link).value == player.game.board
        assert link.split("=")[-1] in player.page.replace("\n", "")

    play(session_on(SMALL), script)


def test_a_torus_has_no_link() -> None:
    async def script(player: Player) -> None:
        await player.press("Y")
        assert not isinstance(player.app.screen, TextScreen)
        assert player.message.startswith(message("tui-copy-failed-link", error="Jsminesweeper"))

    play(session_on(SMALL, kind="torus"), script)
