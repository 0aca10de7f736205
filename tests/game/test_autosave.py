"""The saved game: whole at every moment, resumed after any end, and never a reason to crash."""

import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from mineproof.base import files
from mineproof.game import autosave
from mineproof.game.autosave import SavedGame
from mineproof.game.game import Game
from mineproof.game.help import HelpUsed
from mineproof.game.layout import Layout
from mineproof.game.record import GameExtras

LAYOUT = Layout(4, 5, frozenset([(0, 0), (2, 3), (3, 4)]))

# Flags one cell on and off, and says so after each move that is saved.
PLAYER = """
import sys
from pathlib import Path
from mineproof.base import files
from mineproof.game import autosave
path = Path(sys.argv[1])
with files.claim(path):
    game = autosave.load(path).game
    for _ in range(100_000):
        game.flag(1, 1)
        autosave.save(game, path)
        print(len(game.moves), flush=True)
"""


def played() -> Game:
    game = Game(LAYOUT, first_click="any")
    game.flag(0, 0)
    game.open(0, 1)
    game.question(3, 4)
    game.undo()
    return game


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "game.json"


# where


def test_the_file_is_in_the_state_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert autosave.default_path() == tmp_path / "mineproof" / "game.json"
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for ignored in ("", "relative/state"):
        monkeypatch.setenv("XDG_STATE_HOME", ignored)
        assert autosave.default_path() == tmp_path / "home/.local/state/mineproof/game.json"


# saving and loading


def test_a_game_comes_back_as_it_was(path: Path) -> None:
    game = played()
    autosave.save(game, path)
    saved = autosave.load(path)
    assert saved.note == ""
    assert saved.game is not None
    assert (saved.game.board, saved.game.moves, saved.game.status) == (game.board, game.moves, "running")
    assert [file.name for file in path.parent.iterdir()] == ["game.json"]
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_where_nothing_is_saved_nothing_is_found(path: Path) -> None:
    assert autosave.load(path) == SavedGame(None)


def test_help_is_kept_beside_the_game(path: Path) -> None:
    game, stored = played(), GameExtras(HelpUsed(undos=1), fixed=True)
    autosave.save(game, path, stored)
    assert autosave.load(path).extras == stored
    assert Game.load(path.read_text()).board == game.board
    autosave.save(game, path)
    assert autosave.load(path).extras == GameExtras()


def test_a_file_without_end_is_not_read(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if Path("/dev/zero").exists():
        with pytest.raises(OSError, match="/dev/zero: expected a file, got a device or a pipe"):
            autosave.load(Path("/dev/zero"))
    autosave.save(played(), path)
    monkeypatch.setattr(autosave, "SAVED_GAME_MAX_BYTES", 100)
    saved = autosave.load(path)
    assert saved.game is None
    assert "expected at most 100 bytes, got more" in saved.note
    assert "unreadable-1" in saved.note


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    link, target = tmp_path / "link.json", tmp_path / "elsewhere" / "game.json"
    link.symlink_to(target)
    autosave.save(played(), link)
    assert link.is_symlink()
    assert autosave.load(target).game is not None


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_save_that_fails_leaves_the_game_before(path: Path, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    game = played()
    autosave.save(game, path)
    before = path.read_bytes()

    def fail(*_: object) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(*(("os.fsync", fail) if step == "fsync" else ("pathlib.Path.replace", fail)))
    game.flag(3, 3)
    with pytest.raises(OSError, match="no space left"):
        autosave.save(game, path)
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir()] == ["game.json"]


def test_what_is_named_is_on_disk_before(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The new text is forced to disk before it takes the name, and the name after."""
    done: list[str] = []
    sync, replace = os.fsync, Path.replace

    def noted_sync(handle: int) -> None:
        done.append("folder" if stat.S_ISDIR(os.fstat(handle).st_mode) else "file")
        sync(handle)

    def noted_replace(self: Path, target: Path) -> Path:
        done.append("name")
        return replace(self, target)

    monkeypatch.setattr("os.fsync", noted_sync)
    monkeypatch.setattr("pathlib.Path.replace", noted_replace)
    autosave.save(played(), path)
    assert done == ["file", "name", "folder"]


# files that are no games


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"\xff\xfe\x00",
        b"null",
        b"[" * 100_000,
        b'{"schema": "mineproof/board/1", "rows": ["1#"]}',
        b"shopping list\n",
    ],
    ids=["empty", "cut", "bytes", "null", "deep", "board", "text"],
)
def test_another_file_is_set_aside(path: Path, data: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(data)
    saved = autosave.load(path)
    aside = path.with_name("game.json.unreadable-1")
    assert saved.game is None
    assert str(aside) in saved.note
    assert (aside.read_bytes(), path.exists()) == (data, False)


@pytest.mark.slow
def test_a_game_that_is_cut_anywhere_is_set_aside(path: Path) -> None:
    autosave.save(played(), path)
    whole = path.read_text()
    for length in range(len(whole)):
        path.write_text(whole[:length])
        assert autosave.load(path).game is None, whole[:length]
    assert len(list(path.parent.iterdir())) == len(whole)  # every one of them is kept


def test_moves_that_cannot_have_been_made_are_no_game(path: Path) -> None:
    autosave.save(played(), path)
    path.write_text(path.read_text().replace('["open",0,1,', '["open",0,0,'))
    saved = autosave.load(path)
    assert saved.game is None
    assert "illegal move" in saved.note


def test_a_file_that_may_not_be_read_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError):
        autosave.load(tmp_path)


# two players, and kill -9


def test_a_file_has_one_player(path: Path) -> None:
    with files.claim(path):
        with pytest.raises(BlockingIOError), files.claim(path):
            pass
        with files.claim(path.with_name("other.json")):
            pass
    with files.claim(path):
        pass


@pytest.mark.slow
def test_a_kill_loses_no_move(path: Path) -> None:
    autosave.save(Game(LAYOUT), path)
    reports = 0
    for _ in range(3):
        command = [sys.executable, "-c", PLAYER, str(path)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            goal = reports + 20
            while reports < goal:
                reports = int(process.stdout.readline())
            process.send_signal(signal.SIGKILL)
            rest = process.stdout.read().split("\n")  # what was said before the end; the last line may be cut
        reports = max([reports, *map(int, rest[:-1])])
        saved = autosave.load(path)
        assert saved.note == ""
        assert saved.game is not None
        assert len(saved.game.moves) in (reports, reports + 1)
        reports = len(saved.game.moves)
        with files.claim(path):  # no process has it any more
            pass
