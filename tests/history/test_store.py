"""The file of a history: private, versioned, shared by several programs, and never lost to a mistake."""

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import mineproof as mp
from mineproof.base import files
from mineproof.history import store
from mineproof.history.database import SQLite
from support.finished import finished
from support.patience import PATIENCE

# Adds games of its own, and some that all writers have, while others do the same.
WRITER = """
import sys, time
from pathlib import Path
from mineproof.game.game import Game
from mineproof.game.layout import Layout
from mineproof.history.history import History

def game(ms):
    made = Game(Layout(1, 4, frozenset([(0, 2)])), first_click="any")
    made.play("open", (0, 0), ms=0)
    made.play("open", (0, 3), ms=ms)
    return made

path, number, games, go = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4])
print("ready", flush=True)
while not go.exists():
    time.sleep(0.001)
new = 0
with History.open(path) as history:
    for k in range(games):
        new += history.add(game(1_000_000 * number + k + 1), budget=0).new
        new += history.add(game(10_000_000 + k), budget=0).new
        history.games(limit=3)
print(new)
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "history.sqlite"


def filled(path: Path, *seeds: int) -> None:
    with mp.History.open(path) as history:
        for seed in seeds:
            history.add(finished(seed=seed), help_used={})


def ask(path: Path, query: str) -> object:
    database = sqlite3.connect(path)
    try:
        return database.execute(query).fetchone()[0]
    finally:
        database.close()


# where


def test_the_usual_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    with mp.History.open() as history:
        assert history.path == files.state_folder() / "history.sqlite" == tmp_path / "mineproof/history.sqlite"
        history.add(finished())
    with mp.History.open(tmp_path / "mineproof") as history:  # a folder stands for the file in it
        assert len(history) == 1


@pytest.mark.skipif(os.name == "nt", reason="rights of another kind")
def test_nobody_else_can_look(path: Path) -> None:
    old = os.umask(0)
    try:
        with mp.History.open(path) as history:
            history.add(finished())
            modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()}
    finally:
        os.umask(old)
    assert modes == {"history.sqlite": 0o600, "history.sqlite-wal": 0o600, "history.sqlite-shm": 0o600}
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_what_the_file_says_of_itself(path: Path) -> None:
    filled(path, 1)
    assert ask(path, "PRAGMA journal_mode") == "wal"
    assert ask(path, "PRAGMA user_version") == len(store.MIGRATIONS)
    assert ask(path, "PRAGMA application_id") == store.APPLICATION
    assert ask(path, "PRAGMA integrity_check") == "ok"
    assert [file.name for file in path.parent.iterdir()] == ["history.sqlite"]  # nothing is left beside it


def test_an_empty_file_becomes_a_history(path: Path) -> None:
    path.parent.mkdir()
    path.touch()
    filled(path, 1)
    assert ask(path, "SELECT count(*) FROM games") == 1


# versions


def test_an_older_history_is_brought_up_to_date(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    filled(path, 1, 2)
    step = ("ALTER TABLE games ADD COLUMN extra INTEGER", "UPDATE games SET extra = bbbv")
    monkeypatch.setattr(store, "MIGRATIONS", (*store.MIGRATIONS, step))
    filled(path, 3)
    assert ask(path, "PRAGMA user_version") == len(store.MIGRATIONS)
    assert ask(path, "SELECT count(*) FROM games WHERE extra = bbbv") == 2
    assert ask(path, "SELECT count(*) FROM games") == 3


def test_a_migration_that_fails_changes_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    filled(path, 1)
    step = ("ALTER TABLE games ADD COLUMN extra INTEGER", "UPDATE nowhere SET extra = 1")
    with monkeypatch.context() as patch:
        patch.setattr(store, "MIGRATIONS", (*store.MIGRATIONS, step))
        with pytest.raises(mp.HistoryError, match=r"^Cannot read the history .*: no such table: nowhere"):
            mp.History.open(path)
    assert ask(path, "PRAGMA user_version") == len(store.MIGRATIONS)
    filled(path, 2)
    assert ask(path, "SELECT count(*) FROM games") == 2


def test_a_newer_history_is_refused(path: Path) -> None:
    filled(path, 1)
    newer = len(store.MIGRATIONS) + 1
    database = sqlite3.connect(path)
    database.execute(f"PRAGMA user_version = {newer}")
    database.close()
    before = path.read_bytes()
    with pytest.raises(mp.HistoryError, match=f"history.sqlite: it has version {newer}, and this mineproof supports"):
        mp.History.open(path)
    assert path.read_bytes() == before


# other files


def test_another_program_s_database_is_refused(path: Path) -> None:
    path.parent.mkdir()
    database = sqlite3.connect(path)
    database.execute("CREATE TABLE games (id INTEGER)")
    database.close()
    before = path.read_bytes()
    with pytest.raises(mp.HistoryError, match=r"another program's database in .*history.sqlite"):
        mp.History.open(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("content", [b"not a database\n" * 100, b"\0" * 5000, b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_file_that_is_something_else_is_refused(path: Path, content: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(content)
    with pytest.raises(mp.HistoryError, match=r"history\.sqlite"):
        mp.History.open(path)
    assert path.read_bytes() == content


def test_a_damaged_history_is_refused_and_kept(path: Path) -> None:
    filled(path, *range(20))
    whole = path.read_bytes()
    path.write_bytes(whole[:8192] + b"\xee" * (len(whole) - 8192))
    damaged = path.read_bytes()
    with pytest.raises(mp.HistoryError, match=r"got a damaged file .*malformed"), mp.History.open(path) as history:
        history.games()
    with pytest.raises(mp.HistoryError, match="malformed"), mp.History.open(path) as history:
        history.add(finished(seed=99))
    assert path.read_bytes() == damaged


def test_a_row_that_was_changed_by_hand_is_told(path: Path) -> None:
    filled(path, 1)
    for change in ("help_used = '{'", "played = 'noon'", "seed = 'x'"):
        database = sqlite3.connect(path)
        database.execute(f"UPDATE games SET {change}")
        database.commit()
        database.close()
        with pytest.raises(mp.HistoryError, match=r"^Cannot read the history"), mp.History.open(path) as history:
            history.games()


@pytest.mark.parametrize("name", ["/dev/null", "/dev/full", "a\0b", "file/below"])
def test_places_where_no_file_can_be(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").touch()
    where = tmp_path / name
    with pytest.raises((mp.HistoryError, ValueError)), mp.History.open(where) as history:
        history.add(finished())


# what fails


def test_a_full_disk_is_told_and_costs_nothing(path: Path) -> None:
    filled(path, 1)
    code = f"""
import resource, signal
from pathlib import Path
import mineproof as mp
from support.finished import finished
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
with mp.History.open({str(path)!r}) as history:
    resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, 40_000))
    for seed in range(2, 300):
        try:
            history.add(finished(seed=seed))
        except mp.HistoryError as error:
            print(error)
            break
    print(len(history.games()))
"""
    tests = str(Path(__file__).parents[1])
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ | {"PYTHONPATH": tests}
    )
    words, count = done.stdout.splitlines()
    assert words.startswith(f"Cannot write the history {path}: ")
    assert ask(path, "PRAGMA integrity_check") == "ok"
    assert ask(path, "SELECT count(*) FROM games") == ask(path, "SELECT count(*) FROM records") == int(count)
    filled(path, 1000)  # and it continues when there is room again
    assert ask(path, "SELECT count(*) FROM games") == int(count) + 1


def test_a_disk_without_room_for_a_page(path: Path) -> None:
    with mp.History.open(path) as history:
        history.add(finished(seed=1))
        assert isinstance(history._store._database, SQLite)
        database = history._store._database._connection
        assert database is not None
        (pages,) = database.execute("PRAGMA page_count").fetchone()
        database.execute(f"PRAGMA max_page_count = {pages}")
        games = (history.add(finished(seed=seed)) for seed in range(2, 100))
        with pytest.raises(mp.HistoryError, match=r"^Cannot write .*: database or disk is full"):
            list(games)
        count = len(history)
        database.execute("PRAGMA max_page_count = 1000000")
        history.add(finished(seed=1000))
        assert len(history) == count + 1


def test_where_nothing_may_be_written_a_history_can_be_read(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    filled(path, 1)
    before = path.read_bytes()
    monkeypatch.setattr(os, "access", lambda *_: False)  # the user who runs the tests may be root
    with mp.History.open(path) as history:
        assert (len(history.games()), history.record(1).won) == (1, True)
        assert [file.name for file in path.parent.iterdir()] == ["history.sqlite"]
        with pytest.raises(mp.HistoryError, match=r"^Cannot write .*: attempt to write a readonly database"):
            history.add(finished(seed=2))
        assert len(history) == 1
    assert path.read_bytes() == before


def test_a_folder_that_may_not_be_looked_into(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: Path) -> bool:
        raise PermissionError(13, "Permission denied", "x")

    monkeypatch.setattr(Path, "is_dir", refuse)
    with pytest.raises(mp.HistoryError, match=r"^Cannot read .*history.sqlite: Permission denied"):
        mp.History.open(path)


def test_a_history_that_others_hold_for_too_long(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    filled(path, 1)
    monkeypatch.setattr(store, "LOCK_SECONDS", 0.05)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with mp.History.open(path) as history:
        assert len(history.games()) == 1  # reading does not wait
        with pytest.raises(mp.HistoryError, match=r"^Cannot write .* locked by another process"):
            history.add(finished(seed=2))
        other.execute("ROLLBACK")
        other.close()
        assert history.add(finished(seed=2)).new


def test_the_first_of_all_waits_for_others_too(path: Path) -> None:
    """SQLite does not wait where a file changes to write-ahead logging, which every new history does once."""
    path.parent.mkdir(exist_ok=True)
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    threading.Timer(0.3, lambda: other.execute("ROLLBACK")).start()
    with mp.History.open(path) as history:
        assert history.add(finished(seed=1)).new
    other.close()


def test_a_history_that_another_program_makes_meanwhile_is_not_taken_for_something_else(path: Path) -> None:
    path.parent.mkdir(exist_ok=True)
    database = sqlite3.connect(path, isolation_level=None)
    database.execute("PRAGMA journal_mode = WAL")

    def meanwhile(statement: str) -> None:
        if "user_version" in statement:
            database.set_trace_callback(None)
            filled(path, 1)

    database.set_trace_callback(meanwhile)
    ours = store.HistoryStore(path)._database
    assert isinstance(ours, SQLite)
    assert ours._version(database) == 0  # what there was when it began to look
    assert ours._version(database) == len(store.MIGRATIONS)
    database.close()


# several at once


@pytest.mark.slow
def test_threads_share_a_history(path: Path) -> None:
    games = [finished(seed=seed) for seed in range(40)]
    with mp.History.open(path) as history:
        threads = [
            threading.Thread(target=lambda part: [history.add(game) for game in part], args=(games[first:],))
            for first in range(0, 40, 10)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(history) == 40


@pytest.mark.slow
def test_several_programs_write_at_once(path: Path, tmp_path: Path) -> None:
    writers, games = 4, 100
    go = tmp_path / "go"
    started = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path), str(number), str(games), str(go)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        for number in range(writers)
    ]  # fmt: skip
    for process in started:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    go.touch()  # so that all of them find no file, and make one
    ends = [process.communicate(timeout=PATIENCE) for process in started]
    assert [err for _, err in ends] == [""] * writers
    assert sum(int(out) for out, _ in ends) == games * (writers + 1)  # those that all have are new to one of them
    assert ask(path, "SELECT count(*) FROM games") == games * (writers + 1)
    assert ask(path, "SELECT count(DISTINCT fingerprint) FROM games") == games * (writers + 1)
    assert ask(path, "SELECT count(*) FROM games JOIN records USING (id)") == games * (writers + 1)
    assert ask(path, "PRAGMA integrity_check") == "ok"
