"""Hints and odds on the board."""

from mineproof.advice.hints import hint
from mineproof.analysis.analysis import analyze
from mineproof.board.cells import Cell
from mineproof.wording.catalogue import message
from mineproof.wording.cells import use_cell_labels
from support.terminal import PAIR, SMALL, WIDER, Player, hint_text, play, session_on, shown_hint

# hints


def test_a_hint_is_told_in_four_levels() -> None:
    async def script(player: Player) -> None:
        await player.press("h")
        assert player.message == hint_text(player, 1)
        assert shown_hint(player).kind == "guess"
        await player.do("space", (3, 0))
        await player.press("h")
        first = player.message
        assert first == hint_text(player, 1)
        assert "(" in "".join(player.rows)
        assert not player.grid.view.moves
        await player.press("h")
        assert player.message == hint_text(player, 2)
        assert player.grid.view.used
        assert all(player.game.board[cell] == 1 for cell in player.grid.view.used)
        assert not player.grid.view.moves
        await player.press("h")
        assert player.message == hint_text(player, 3)
        assert list(player.grid.view.moves) == [(0, 4)]
        assert player.rows[0].rstrip().endswith("S")
        await player.press("h")
        assert player.message == hint_text(player, 4)
        whole = player.message
        await player.press("h")
        assert player.message == whole
        await player.press("escape")
        assert (player.message, player.rows[0].rstrip()[-1]) == ("", "·")
        await player.press("h")
        assert player.message == first

    play(session_on(SMALL), script)


def test_keys_that_come_faster_than_the_hint_count() -> None:
    async def script(player: Player) -> None:
        await player.do("space", (3, 0))
        for _ in range(3):
            player.app.action_hint()
        await player.settle()
        assert player.message == hint_text(player, 3)
        assert shown_hint(player).safe == {(0, 4)}

    play(session_on(SMALL), script)


def test_a_player_who_sets_flags_is_told_the_easiest_step_be_it_a_mine() -> None:
    async def script(player: Player) -> None:
        await player.do("space", (3, 0))
        await player.do("f", (1, 4))
        await player.press("h", "h", "h")
        assert (player.message, shown_hint(player).safe) == (hint_text(player, 3), frozenset([(0, 4)]))
        await player.do("f", (1, 4))
        await player.do("f", (0, 0))
        await player.press("h", "h", "h")
        assert (player.message, shown_hint(player).mines) == (hint_text(player, 3), frozenset([(1, 4)]))

    play(session_on(SMALL), script)


def test_a_forced_guess_cannot_lose_under_a_rule_that_says_so() -> None:
    async def script(player: Player) -> None:
        await player.do("space", (0, 3))
        await player.press("h")
        board = player.game.board
        with use_cell_labels("ruler"):
            fair, unfair = (hint(board, prefer="safe", fair=rule).level(1) for rule in (True, False))
        assert player.message == message("tui-hint", level=1, levels=4, text=fair)
        assert fair != unfair

    play(session_on(PAIR, fairness="forced"), script)


def test_a_move_ends_a_hint() -> None:
    async def script(player: Player) -> None:
        await player.do("space", (3, 0))
        await player.press("h", "h", "h")
        await player.do("f", (0, 0))
        assert not player.grid.view.moves
        await player.press("h")
        assert player.message.startswith("Hint 1 of 4")

    play(session_on(SMALL), script)


def test_a_wrong_flag_is_pointed_out() -> None:
    async def script(player: Player) -> None:
        await player.do("space", (2, 0))
        safe = min(analyze(player.game.board).safe)
        await player.do("f", safe)
        await player.press("h", "h", "h")
        assert player.message == hint_text(player, 3)
        assert (shown_hint(player).kind, shown_hint(player).cell) == ("flag", safe)
        assert [(cell, mark.sign) for cell, mark in player.grid.view.moves.items()] == [(safe, "X")]

    play(session_on(WIDER), script)


def test_the_first_click_needs_no_hint() -> None:
    async def script(player: Player) -> None:
        await player.press("h")
        assert player.message == message("tui-first-any")

    play(session_on(SMALL, first_click="safe"), script)


# odds


def labels(player: Player) -> dict[Cell, str]:
    return {cell: odds.label for cell, odds in player.grid.view.odds.items()}


def test_odds_are_those_of_the_engine() -> None:
    async def script(player: Player) -> None:
        await player.do("space", (0, 3))
        await player.press("o")
        assert labels(player) == {(0, 0): "50", (1, 0): "50"}
        assert player.rows == [" 50  1   [  ]", " 50  1"]
        await player.do("f", (0, 0))  # a flag proves nothing
        assert labels(player) == {(0, 0): "50", (1, 0): "50"}
        await player.press("o")
        assert labels(player) == {}
        assert player.rows[1] == " · 1"

    play(session_on(PAIR), script)


def test_odds_follow_the_game() -> None:
    async def script(player: Player) -> None:
        await player.press("o")
        assert set(labels(player).values()) == {"10"}
        await player.do("space", (3, 0))
        assert labels(player) == {(0, 0): "M", (0, 4): "S", (1, 4): "M"}
        assert player.rows[0] == "  M  1     1  S"
        await player.do("space", (0, 4))
        assert player.game.status == "won"
        assert labels(player) == {}

    play(session_on(SMALL), script)


def test_odds_never_round_to_certainty() -> None:
    async def rare(player: Player) -> None:
        await player.press("o")
        assert analyze(player.game.board).mine_probability[0, 0] < 0.005
        assert set(labels(player).values()) == {"<1"}

    async def crowded(player: Player) -> None:
        await player.press("o")
        assert analyze(player.game.board).mine_probability[0, 0] > 0.995
        assert set(labels(player).values()) == {"99"}

    play(session_on(["*" + "." * 300]), rare)
    play(session_on(["." + "*" * 300]), crowded)
