"""One game after the other: new ones, settings, seeds, and boards that need no guess."""

from textual.widgets import Input, Static

from mineproof.analysis.analysis import analyze
from mineproof.board.cells import FLAGGED
from mineproof.game import autosave
from mineproof.tui import settings as kept
from mineproof.tui.session import Session
from mineproof.tui.settings import Settings
from mineproof.tui.settings_screen import SettingsScreen
from mineproof.wording.catalogue import message
from support.terminal import SMALL, Player, play, saved, session_on

# other games and settings


def test_a_new_game_must_be_meant() -> None:
    async def script(player: Player) -> None:
        first = player.game
        await player.do("space", (3, 0))
        await player.press("n")
        assert (player.game, player.message) == (first, message("tui-give-up-new"))
        await player.press("escape", "n")
        assert player.game is first
        await player.press("n")
        assert player.game is not first
        assert player.message == "New game: 9 × 9, 10 mines. Rules: the first click can hit a mine."
        assert saved().status == "running"  # the file keeps the game before until a move is made
        await player.press("space")
        assert saved().rows == 9

    play(session_on(SMALL), script)


def test_settings_begin_another_game() -> None:
    async def script(player: Player) -> None:
        await player.press("s")
        assert isinstance(player.app.screen, SettingsScreen)
        await player.press("right", "right", "down", "right", "down", "enter", "down", "space", "end", "enter")
        assert (player.game.rows, player.game.columns, player.game.total_mines) == (16, 16, 40)
        expected = Settings(size="intermediate", first_click="open", fairness="forced", no_guess=True)
        assert player.app.session.settings == expected
        assert kept.load() == expected
        assert (player.game.rules.first_click, player.game.rules.fairness) == ("open", "forced")
        await player.press("space")
        assert player.game.status == "running"

    session = Session(Settings(), autosave.default_path())
    play(session, script)


def test_settings_can_wait() -> None:
    async def script(player: Player) -> None:
        game = player.game
        await player.press("s", "left", "left", "escape")
        assert player.game is game
        assert player.app.session.settings.size == "expert"
        assert "next game" in player.message
        await player.press("n")
        assert player.game.columns == 30

    play(session_on(SMALL), script)


def test_a_size_of_ones_own() -> None:
    async def script(player: Player) -> None:
        await player.press("s", "left", "tab")
        field = player.app.screen.query_one(Input)
        assert field.has_focus
        field.value = "7x5x99"
        await player.press("enter")
        assert isinstance(player.app.screen, SettingsScreen)
        assert "at most 35 mines on 7 × 5, got 99" in str(player.app.screen.query_one("#wrong", Static).render())
        await player.press("escape")
        assert player.app.session.settings.size == "beginner"
        await player.press("s", "left", "tab")
        field = player.app.screen.query_one(Input)
        field.value = "7x5x9"
        await player.press("enter")
        assert (player.game.columns, player.game.rows, player.game.total_mines) == (7, 5, 9)

    play(session_on(SMALL), script)


def test_seeds_make_the_same_games() -> None:
    def boards(seed: int) -> list[str]:
        session = Session(Settings(first_click="any"), autosave.default_path(), seed=seed, fresh=True)
        shown = []
        for _ in range(2):
            for cell in ((4, 4), (0, 0), (8, 8)):
                session.play("open", cell)
            shown.append(str(session.game))
            session.start_game()
        return shown

    assert boards(5) == boards(5)
    assert boards(5)[1] == boards(6)[0]
    assert boards(5)[0] != boards(6)[0]


# boards that need no guess


def test_a_board_without_guesses_is_made_for_the_first_click() -> None:
    path = autosave.default_path()
    session = Session(Settings(size="expert", no_guess=True), path, seed=1)
    session.play("flag", (0, 0))
    resumed = Session(Settings(), path)  # the first click is still to come
    resumed.play("open", (7, 20))
    game = resumed.game
    assert game.board[0, 0] == FLAGGED
    assert game.record().layout.start == (7, 20)
    while not game.is_over:
        safe = analyze(game.board, flags="ignore").safe
        assert safe, "stuck on a board that needs no guess"
        for cell in safe - frozenset(game.board.cells(FLAGGED)):
            if game.board[cell] < 0:
                resumed.play("open", cell)
        if (0, 0) in safe:
            resumed.play("flag", (0, 0))
    assert game.status == "won"


def test_a_board_without_guesses_stays_when_its_first_click_is_taken_back() -> None:
    session = Session(Settings(size="intermediate", no_guess=True), autosave.default_path(), seed=1)
    session.play("open", (3, 3))
    made = session.game.record().layout
    assert made.start == (3, 3)
    assert session.game.board[3, 3] == 0
    session.play("undo")
    session.play("open", (12, 12))
    assert session.game.record().layout == made
