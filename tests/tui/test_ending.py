"""What is said and shown when a game is won, lost, or saved by fairness."""

import mineproof as mp
from mineproof.analysis.analysis import analyze
from mineproof.board.cells import COVERED
from mineproof.tui.text_screen import TextScreen
from mineproof.tui.texts import cell_label, with_ruler_labels
from mineproof.wording.catalogue import message, plural
from support.terminal import PAIR, SMALL, WIDER, Player, layout, play, saved, session_on
from support.texts import text

# the end


def test_a_loss_tells_the_odds_of_a_forced_guess() -> None:
    async def script(player: Player) -> None:
        await player.do("space", (0, 3))
        await player.do("space", (0, 0))
        lost, reason = plural("tui-lost", 1, cells="A1"), message("tui-lost-forced", chance="50.0 %")
        assert player.message == f"{lost} {reason} {message('tui-after-loss')}"
        assert player.rows == ["[!]1", " · 1"]
        assert "X-( lost" in player.status
        await player.press("space")
        assert player.message == message("tui-refused-lost")
        await player.press("u")
        assert player.game.status == "running"
        assert player.rows == ["[·]1", " · 1"]

    play(session_on(PAIR), script)


def test_a_loss_tells_of_a_needless_guess() -> None:
    async def script(player: Player) -> None:
        await player.do("space", (2, 0))
        analysis = analyze(player.game.board)
        assert analysis.safe
        await player.do("space", (0, 3))
        assert "The guess was needless" in player.message
        certain = {f"{cell_label(cell)} was certainly safe" for cell in analysis.safe}
        assert any(words in player.message for words in certain)

    play(session_on(WIDER), script)


def test_a_loss_tells_of_a_certain_mine() -> None:
    async def script(player: Player) -> None:
        await player.do("space", (3, 0))
        await player.do("f", (0, 4))
        await player.do("space", (1, 4))
        assert plural("tui-lost-proved", 1) in player.message
        assert player.rows[:2] == [" * 1   1 X", " 1 1   1[!]"]

    play(session_on(SMALL), script)


def test_a_chord_that_loses_tells_the_odds_of_all_its_cells() -> None:
    async def script(player: Player) -> None:
        await player.do("space", (0, 3))
        await player.do("f", (1, 0))
        await player.do("c", (0, 1))
        assert player.game.status == "lost"
        assert player.message.startswith("Lost: there was a mine at A1. The chance of a mine was 50.0 %")
        assert player.rows == [" ![1]", " X 1"]

    play(session_on(PAIR), script)


def test_the_review_of_a_game_without_a_guess() -> None:
    async def script(player: Player) -> None:
        await player.do("space", (0, 0))
        await player.press("r")
        assert text("review-no-guess") in player.page

    play(session_on(["...", "..."]), script)


def test_a_win_tells_time_and_3bv() -> None:
    async def script(player: Player) -> None:
        await player.do("space", (3, 0))
        await player.do("space", (0, 4))
        assert player.game.status == "won"
        assert player.message.startswith("Won in 0:0")
        assert "3BV 2" in player.message
        assert "B-) won" in player.status
        assert player.rows[0] == " * 1   1[1]"
        assert saved().status == "won"

    play(session_on(SMALL), script)


def test_the_review_is_there_at_the_end_only() -> None:
    async def script(player: Player) -> None:
        await player.press("r")
        assert not isinstance(player.app.screen, TextScreen)
        await player.do("space", (0, 3))
        await player.do("space", (1, 0))
        await player.press("r")
        assert "4 × 2, 1 mine: won in" in player.page
        assert "3BV 2; ZiNi 2; openings 1; islands 1" in player.page
        assert "2 guesses survived; the chance of that was 43.8 % (1 in 2)" in player.page
        assert with_ruler_labels(lambda: mp.review(player.game).guesses[-1].text) in player.page
        await player.press("escape")
        assert not isinstance(player.app.screen, TextScreen)

    play(session_on(PAIR), script)


# fairness


def test_a_forced_guess_is_redrawn_and_counted() -> None:
    async def script(player: Player) -> None:
        assert "Fairness: forced, 0 redraws" in player.status
        await player.do("space", (0, 3))
        await player.do("space", (0, 0))
        assert player.message.startswith(f"{message('tui-redrawn-forced')} Won in 0:0")
        assert "Fairness: forced, 1 redraw " in player.status
        assert player.rows == ["[1]1", " * 1"]
        await player.press("u")
        assert "0 redraws" in player.status

    play(session_on(PAIR, fairness="forced"), script)


def test_a_kind_rule_saves_needless_guesses_too() -> None:
    async def script(player: Player) -> None:
        await player.do("space", (2, 0))
        analysis = analyze(player.game.board)
        risky = min(layout(WIDER).mines - analysis.mines)
        await player.do("space", risky)
        assert player.message.startswith(message("tui-redrawn-kind"))
        assert "kind, 1 redraw" in player.status

    play(session_on(WIDER, fairness="kind"), script)


def test_a_strict_rule_says_why_it_loses() -> None:
    async def script(player: Player) -> None:
        await player.do("space", (2, 0))
        analysis, covered = analyze(player.game.board), frozenset(player.game.board.cells(COVERED))
        lucky = min(covered - analysis.mines - analysis.safe - layout(WIDER).mines)
        await player.do("space", lucky)
        assert player.game.status == "lost"
        assert message("tui-lost-strict") in player.message
        assert "The guess was needless" in player.message

    play(session_on(WIDER, fairness="strict"), script)
