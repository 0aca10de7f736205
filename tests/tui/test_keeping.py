"""Games finished in play are in the history, with what is to be known of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from mineproof.base import files
from mineproof.cli.play import _store_game
from mineproof.game.help import HelpUsed
from mineproof.history.history import History
from support.terminal import PAIR, SMALL, session_on


def test_a_finished_game_is_kept_with_its_help() -> None:
    session = session_on(SMALL)
    session.on_finished = _store_game
    session.play("open", (3, 0))
    with History.open() as history:
        assert len(history) == 0
    session.count_hint(2)
    won = session.play("open", (0, 4), helped="odds_moves")
    assert won.text.startswith("Won")
    with History.open() as history:
        (game,) = history.games()
        assert (game.level, game.won, game.with_help, game.source) == ("5x4x2", True, True, "play")
        assert game.help_used == {"hints": [0, 1, 0, 0], "odds_moves": 1}
        assert history.record(game.id) == session.game.record()


def test_the_best_time_of_a_level_is_told() -> None:
    first = session_on(SMALL)
    first.on_finished = _store_game
    first.play("open", (3, 0))
    text = first.play("open", (0, 4)).text
    with History.open() as history:
        (game,) = history.games()
    if game.ms:
        assert f"Best time for 5x4x2: {game.ms / 1000:.3f} s." in text


def test_a_loss_that_is_undone_stays_a_loss() -> None:
    session = session_on(PAIR)
    session.on_finished = _store_game
    session.play("open", (0, 3))
    session.play("open", (0, 0))
    session.play("undo")
    session.play("open", (1, 0))
    with History.open() as history:
        games = history.games()
        assert sorted((game.won, game.revived, game.counts) for game in games) == [
            (False, False, True),
            (True, True, False),
        ]


def test_the_same_board_again_does_not_count() -> None:
    session = session_on(PAIR)
    session.on_finished = _store_game
    for _ in range(2):
        session.play("open", (0, 3))
        session.play("open", (1, 0))
        session.restart_game()
    assert session.help == HelpUsed(repeats=2)
    with History.open() as history:
        assert sorted((bool(game.again), game.counts) for game in history.games()) == [(False, True), (True, False)]


def test_a_history_that_cannot_be_written_is_said_and_loses_no_game(tmp_path: Path) -> None:
    folder = files.state_folder()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "history.sqlite").write_text("something else")
    session = session_on(PAIR)
    session.on_finished = _store_game
    session.play("open", (0, 3))
    text = session.play("open", (1, 0)).text
    assert "The game is not in the history: " in text
    assert session.game.status == "won"
    assert (folder / "history.sqlite").read_text() == "something else"


@pytest.mark.parametrize("fixed", [False, True])
def test_a_layout_that_was_chosen_is_marked(fixed: bool) -> None:
    session = session_on(PAIR)
    session._fixed = fixed
    session.on_finished = _store_game
    session.play("open", (0, 3))
    session.play("open", (1, 0))
    with History.open() as history:
        assert [(game.given, game.counts) for game in history.games()] == [(fixed, not fixed)]


def test_a_saved_game_is_imported_with_its_help(tmp_path: Path) -> None:
    session = session_on(PAIR)
    session.play("open", (0, 3))
    session.play("open", (1, 0), helped="odds_moves")
    with History.open(tmp_path) as history:
        (added,) = history.import_file(session.path)
        assert (added.game.with_help, added.game.help_used, added.game.given) == (True, {"odds_moves": 1}, False)
