"""What can be read: odds apart, headings of many columns, the rules, and where a large board opens."""

import pytest

from mineproof.base.budget import Budget
from mineproof.board.cells import Cell
from mineproof.game import autosave
from mineproof.game.game import Game
from mineproof.game.help import HelpUsed
from mineproof.game.rules import MoveKind
from mineproof.tui.review_screen import review_text
from mineproof.tui.session import Session
from mineproof.tui.settings import Settings
from mineproof.tui.status import status_line
from mineproof.tui.texts import cell_label
from mineproof.wording.cells import column_label
from support import texts
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
        assert ruler(player).split()[8:12] == ["I", "J", "K", "L"]
        for cell in ((0, 0), (15, 29), (8, 15)):
            assert player.grid.cell_at(*player.grid.place_of(cell)) == cell
        await player.press("o")
        assert player.rows[0].split() == ["·"] * 30
        assert max(map(len, player.rows)) <= 61

    play(expert(), script, (columns, 40))


@pytest.mark.parametrize("columns", [80, 93])
def test_where_there_is_no_room_odds_are_letters_that_stand_apart(columns: int) -> None:
    """A row can be copied and read: every sign is a cell."""

    async def script(player: Player) -> None:
        await player.press("space", "o")
        assert player.rows[0].split() == ["·"] * 30
        view = player.grid.view
        for row, text in enumerate(player.rows):
            signs = text.replace("[", " ").replace("]", " ")[1::2]
            for column, sign in enumerate(signs):
                odds = view.odds.get((row, column))
                if odds is not None and odds.near and odds.label not in "SM":
                    assert sign == "abcdefghij"[min(int(odds.mine_probability * 10), 9)]
        assert any(sign in "bcdefghi" for sign in player.rows[6]), "some odds are shown"
        assert "· 20 %" in player.status
        near = next(cell for cell, odds in view.odds.items() if odds.label == "57")
        player.grid.move_cursor(near)
        await player.press("o", "o")
        assert f"{cell_label(near)}: 57 %" in player.status
        assert player.grid.max_scroll_x == 0

    play(expert(), script, (columns, 24))


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


def test_columns_have_letters_and_rows_count_from_1() -> None:
    async def script(player: Player) -> None:
        assert ruler(player).split() == [*"ABCDEFGHI"]
        labels = [player.grid.render_line(y).text.split()[0] for y in range(player.grid.size.height) if
                  player.grid.render_line(y).text.strip()][1:]  # fmt: skip
        assert labels == [*"123456789"]

    play(Session(Settings(), autosave.default_path()), script)


def test_labels_of_two_letters() -> None:
    async def script(player: Player) -> None:
        player.grid.move_cursor((0, 20))
        assert ruler(player).split()[-6:] == ["X", "Y", "AA", "B", "C", "D"]
        player.grid.move_cursor((0, 25))
        assert ruler(player).split()[-6:] == ["Y", "Z", "A", "B", "C", "D"], "the column of the cursor is not hidden"
        text = ruler(player)
        for column in range(30):  # each label ends above the sign of its column
            assert text[player.grid.place_of((0, column))[0]] == column_label(column)[-1]
        await player.press("o")
        await player.pilot.resize_terminal(120, 24)
        await player.pilot.pause()
        assert ruler(player).split() == [column_label(column) for column in range(30)]

    play(Session(EXPERT, autosave.default_path(), seed=3), script)


def test_a_label_is_never_cut_at_the_left() -> None:
    async def script(player: Player) -> None:
        for column in range(690, 740):
            player.grid.move_cursor((0, column))
            await player.pilot.pause()
            for word in ruler(player).split():
                assert len(word) == 1 or word in ("ZA", "AAA", "ABA"), ruler(player)

    play(Session(Settings(size="1000x5x300"), autosave.default_path()), script, (40, 12))


def test_the_ruler_can_be_switched_off() -> None:
    async def script(player: Player) -> None:
        lines = [player.grid.render_line(y).text for y in range(player.grid.size.height)]
        assert next(line.strip() for line in lines if line.strip()).count("·") == 9
        assert len([line for line in lines if line.strip()]) == 9
        assert player.grid.cell_at(*player.grid.place_of((2, 3))) == (2, 3)

    play(Session(Settings(ruler=False), autosave.default_path()), script)


@pytest.mark.parametrize(("columns", "has_labels"), [(39, False), (40, False), (42, True), (30, True)])
def test_the_row_labels_leave_room_for_the_board(columns: int, has_labels: bool) -> None:
    """A board of 19 columns takes 39 characters, and its labels 3; one that scrolls anyway keeps its labels."""

    async def script(player: Player) -> None:
        assert (player.grid._label > 0) == has_labels
        assert (player.grid.max_scroll_x == 0) == (columns >= 39)
        assert player.grid.cell_at(*player.grid.place_of(player.grid.cursor)) == player.grid.cursor

    play(Session(Settings(size="19x10x30"), autosave.default_path()), script, (columns, 24))


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
        assert player.message.endswith(
            "Rules: fairness forced, no-guess board, shape hexagons and the first click opens an area."
        )
        for width in (80, 60, 40):
            await player.pilot.resize_terminal(width, 24)
            await player.pilot.pause()
            for word in ("forced", "no-guess", "hexagons"):
                assert word in player.status, (width, word)
        await player.press("n")
        assert player.message.startswith("New game: 9 × 9, 10 mines. Rules: fairness forced, ")

    rules = Settings(fairness="forced", no_guess=True, topology="hex", first_click="open")
    play(Session(rules, autosave.default_path()), script)


def test_usual_rules_need_no_words() -> None:
    session = Session(Settings(), autosave.default_path())
    assert session.rules_text() == ""
    assert "no-guess" not in status_line(session.game, (0, 0), 80)
    assert "grid" not in status_line(session.game, (0, 0), 80)


# words


def test_a_chord_says_what_it_opened() -> None:
    session = session_on(WIDER)
    session.play("open", (2, 0))
    session.play("flag", (0, 0))
    assert session.play("chord", (1, 0)).text == "Opened B1."


def test_a_chord_that_opens_several_says_around_what() -> None:
    session = session_on(["*....", ".....", ".....", "...**", "...*."])
    session.play("open", (0, 1))
    session.play("flag", (0, 0))
    assert session.play("chord", (0, 1)).text == texts.text("tui-opened-around", 19, cell="B1")


@pytest.mark.parametrize(
    ("moves", "words"),
    [
        (
            [("open", (0, 3)), ("open", (0, 0))],
            "2 guesses: 1 survived, 1 lost; the chance of surviving that one was 87.5 %",
        ),
        ([("open", (0, 0))], texts.text("review-guesses-lost", 1)),
        ([("open", (0, 0)), ("undo", None), ("open", (0, 0))], "2 guesses: 1 lost, 1 taken back"),
    ],
)
def test_luck_in_words(moves: list[tuple[MoveKind, Cell | None]], words: str) -> None:
    game = Game(layout(PAIR), first_click="any")
    for kind, cell in moves:
        game.play(kind, cell)
    told = review_text(game, HelpUsed(), Budget())
    assert words in told
    assert "help:" not in told


def test_a_guess_that_fair_play_rescued_took_no_luck() -> None:
    game = Game(layout(PAIR), first_click="safe", fairness="forced")
    game.open(0, 3)
    game.open(0, 0)
    assert texts.text("review-guesses-rescued", 1) in review_text(game, HelpUsed(), Budget())
