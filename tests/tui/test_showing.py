"""What can be read: odds apart, headings of many columns, the rules, and where a large board opens."""

import pytest

from mineproof.base.budget import Budget
from mineproof.board.cells import Cell
from mineproof.game import autosave
from mineproof.game.game import Game
from mineproof.game.help import HelpUsed
from mineproof.game.rules import MoveKind
from mineproof.tui import looking_back, status
from mineproof.tui.session import Session
from mineproof.tui.settings import Settings
from support.terminal import PAIR, WIDER, Player, layout, play, session_on

EXPERT = Settings(size="expert", first_click="open")


def ruler(player: Player) -> str:
    return next(filter(str.strip, (player.grid.render_line(y).text for y in range(player.grid.size.height))))


def expert() -> Session:
    return Session(EXPERT, autosave.default_path(), seed=3)


# odds


@pytest.mark.parametrize("columns", [120, 200, 94])
def test_odds_are_apart_where_there_is_room(columns: int) -> None:
    async def script(player: Player) -> None:
        await player.press("space", "o")
        for row in player.rows:
            assert max(map(len, row.replace("[", " ").replace("]", " ").split())) <= 2, row
        assert player.rows[0].split() == ["20"] * 30
        assert ruler(player).split()[8:12] == ["8", "9", "10", "1"]
        for cell in ((0, 0), (15, 29), (8, 15)):
            assert player.grid.cell_at(*player.grid.place_of(cell)) == cell
        await player.press("o")
        assert player.rows[0].split() == ["·"] * 30
        assert max(map(len, player.rows)) <= 61

    play(expert(), script, (columns, 40))


def test_where_there_is_no_room_only_cells_next_to_numbers_show_their_odds() -> None:
    async def script(player: Player) -> None:
        await player.press("space", "o")
        assert "2020" not in "".join(player.rows)
        assert player.rows[0].split() == ["·"] * 30
        assert "57" in player.rows[6]
        assert "· 20 %" in player.status
        assert player.grid.max_scroll_x == 0

    play(expert(), script, (93, 24))


def test_a_board_that_is_scrolled_in_any_case_has_its_odds_apart() -> None:
    async def script(player: Player) -> None:
        await player.press("space", "o")
        assert "20 20" in player.rows[0]
        for key in ("ctrl+home", "ctrl+end"):
            await player.press(key)
            assert player.grid.cell_at(*player.grid.place_of(player.grid.cursor)) == player.grid.cursor

    play(expert(), script, (40, 12))


def test_the_cursor_stays_where_it_is_when_cells_get_wider() -> None:
    async def script(player: Player) -> None:
        await player.press("space")
        before = player.grid.place_of(player.grid.cursor)
        for _ in range(2):
            await player.press("o")
            x, y = player.grid.place_of(player.grid.cursor)
            assert abs(x - before[0]) < 4
            assert y == before[1]

    session = Session(Settings(size="120x50x900", first_click="open"), autosave.default_path(), seed=3)
    play(session, script, (80, 24))


# headings


def test_headings_past_99() -> None:
    async def script(player: Player) -> None:
        player.grid.go((0, 125))
        await player.pilot.pause()
        seen = ruler(player).split()
        assert "110" in seen
        assert "120" in seen
        where = seen.index("110")
        assert seen[where - 1 : where + 3] == ["8", "110", "1", "2"]
        player.grid.go((0, 119))
        seen = ruler(player).split()
        assert seen[seen.index("110") + 8 :][:4] == ["8", "9", "0", "1"], "the column of the cursor is not hidden"
        # each heading ends above the sign of its column
        text = ruler(player)
        for column in (111, 119):
            x, _ = player.grid.place_of((0, column))
            assert text[x] == str(column % 10)

    play(Session(Settings(size="150x20x300"), autosave.default_path()), script)


def test_a_heading_is_never_cut_at_the_left() -> None:
    async def script(player: Player) -> None:
        for column in range(130, 180):
            player.grid.go((0, column))
            await player.pilot.pause()
            text = ruler(player)
            for word in text.split():
                assert len(word) in (1, 3), text

    play(Session(Settings(size="1000x5x300"), autosave.default_path()), script, (40, 12))


# where it opens


@pytest.mark.parametrize("size", [(80, 24), (40, 12)])
def test_a_large_board_opens_with_the_cursor_in_the_middle(size: tuple[int, int]) -> None:
    async def script(player: Player) -> None:
        for _ in range(2):
            assert player.grid.cursor == (60, 75)
            x, y = player.grid.place_of((60, 75))
            width, height = player.grid.size
            assert abs(x - width / 2) < 6
            assert abs(y - height / 2) < 3
            await player.press("ctrl+end")
            await player.press("n")

    play(Session(Settings(size="150x120x2000"), autosave.default_path()), script, size)


def test_a_game_that_goes_on_opens_at_its_last_move() -> None:
    session = Session(Settings(size="150x120x2000", first_click="open"), autosave.default_path(), seed=1)
    session.play("open", (100, 20))

    async def script(player: Player) -> None:
        assert player.grid.cursor == (100, 20)
        x, y = player.grid.place_of((100, 20))
        assert player.grid.cell_at(x, y) == (100, 20)

    play(Session(Settings(), autosave.default_path()), script)


# rules


def test_rules_that_stick_are_told() -> None:
    async def script(player: Player) -> None:
        assert player.message.endswith("Rules: fairness forced, no-guess board, shape hex and first click open.")
        for width in (80, 60, 40):
            await player.pilot.resize_terminal(width, 24)
            await player.pilot.pause()
            for word in ("forced", "no-guess", "hex"):
                assert word in player.status, (width, word)
        await player.press("n")
        assert player.message.startswith("A new game: 9 × 9, 10 mines. Rules: fairness forced, ")

    rules = Settings(fairness="forced", no_guess=True, topology="hex", first_click="open")
    play(Session(rules, autosave.default_path()), script)


def test_usual_rules_need_no_words() -> None:
    session = Session(Settings(), autosave.default_path())
    assert session.rule_words() == ""
    assert "no-guess" not in status.line(session.game, (0, 0), 80)
    assert "grid" not in status.line(session.game, (0, 0), 80)


# words


def test_a_chord_says_what_it_opened() -> None:
    session = session_on(WIDER)
    session.play("open", (2, 0))
    session.play("flag", (0, 0))
    assert session.play("chord", (1, 0)).text == "Opened (0,1)."


def test_a_chord_that_opens_several_says_around_what() -> None:
    session = session_on(["*....", ".....", ".....", "...**", "...*."])
    session.play("open", (0, 1))
    session.play("flag", (0, 0))
    assert session.play("chord", (0, 1)).text == "Opened 19 cells around (0,1)."


@pytest.mark.parametrize(
    ("moves", "words"),
    [
        ([("open", (0, 3)), ("open", (0, 0))], "luck 87.5 %; guesses survived by it: 1 of 2"),
        ([("open", (0, 0))], "1 guess: 1 lost"),
        ([("open", (0, 0)), ("undo", None), ("open", (0, 0))], "2 guesses: 1 lost and 1 taken back"),
    ],
)
def test_luck_in_words(moves: list[tuple[MoveKind, Cell | None]], words: str) -> None:
    game = Game(layout(PAIR), first_click="any")
    for kind, cell in moves:
        game.play(kind, cell)
    told = looking_back.page(game, HelpUsed(), Budget())
    assert words in told
    assert "help:" not in told


def test_a_guess_that_fair_play_rescued_took_no_luck() -> None:
    game = Game(layout(PAIR), first_click="safe", fairness="forced")
    game.open(0, 3)
    game.open(0, 0)
    assert "1 guess: 1 rescued by fair play" in looking_back.page(game, HelpUsed(), Budget())
