"""Nothing is lost, and nothing is given away."""

import dataclasses
import json
import re

import pytest

from mineproof.game import autosave
from mineproof.tui import settings as kept
from mineproof.tui.session import Session
from mineproof.tui.settings import Settings
from support.terminal import PAIR, SMALL, Player, play, saved, session_on

# nothing lost, nothing leaked


def test_a_game_goes_on_where_it_was_left() -> None:
    async def first(player: Player) -> None:
        await player.do("space", (3, 0))
        await player.do("f", (0, 0))
        await player.press("q")

    session = session_on(SMALL)
    play(session, first)
    spent = json.loads(autosave.default_path().read_text())["ms"]

    async def second(player: Player) -> None:
        assert player.message == "Your unfinished game goes on; n begins another. Rules: first click any."
        assert player.game.board == session.game.board
        assert player.game.ms >= spent
        await player.do("space", (0, 4))
        assert player.game.status == "won"

    path = autosave.default_path()
    play(Session(Settings(), path), second)
    assert saved().status == "won"  # kept for a review
    assert Session(Settings(), path).game.status == "new"


def test_new_means_new() -> None:
    session_on(SMALL).play("open", (3, 0))
    assert Session(Settings(), autosave.default_path(), fresh=True).game.status == "new"
    assert saved().status == "running"


def test_a_broken_file_is_told() -> None:
    path = autosave.default_path()
    path.parent.mkdir(parents=True)
    path.write_text("{}")

    async def script(player: Player) -> None:
        assert "unreadable-1" in player.message
        assert player.game.status == "new"

    play(Session(Settings(), path), script)


def test_a_disk_that_is_full_does_not_end_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    async def script(player: Player) -> None:
        def fail(*_: object) -> None:
            raise OSError("no space left")

        monkeypatch.setattr("os.fsync", fail)
        await player.do("space", (3, 0))
        assert player.message == "Opened 17 cells at (3,0). The game could not be saved: no space left."
        assert player.game.status == "running"

    play(session_on(SMALL), script)


def test_settings_that_cannot_be_read_are_those_to_begin_with() -> None:
    assert kept.load() == Settings()
    odd = dataclasses.replace(Settings(), size="7x7x7", question_marks=True)
    assert kept.keep(odd) == ""
    assert kept.load() == odd
    for wrong in ("", "{", '{"size": "huge"}', '{"fairness": "often"}'):
        kept.path().write_text(wrong)
        assert kept.load() == Settings()


def test_nothing_shows_where_the_mines_are() -> None:
    """Two layouts on which the same is seen look the same to the last character and colour."""
    seen = []

    async def script(player: Player) -> None:
        shown = []
        for key in ("space", "f", "o", "h", "h", "h", "h", "o"):
            await player.do(key, (0, 3) if key == "space" else (0, 0))
            lines = [list(player.grid.render_line(y)) for y in range(player.grid.size.height)]
            shown.append((lines, player.message, re.sub(r"\d:\d\d", "", player.status)))
        seen.append(shown)
        assert "*" not in "".join(player.rows)
        assert json.loads(autosave.default_path().read_text())["sealed"] is True

    for rows in (PAIR, PAIR[::-1]):
        play(session_on(rows), script)
    assert seen[0] == seen[1]
