"""A file that another process holds: one bounded wait for all writers of a process, and reads that do not wait."""

import os
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import mineproof as mp
from mineproof.history import database, store
from mineproof.history.database import DatabaseLocked, SQLite, Turnstile
from support.finished import finished
from support.patience import PATIENCE


class FakeTime:
    """A clock that only sleeping moves on."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> FakeTime:
    fake = FakeTime()
    monkeypatch.setattr(database, "time", fake)
    return fake


@pytest.fixture
def held(tmp_path: Path) -> Iterator[tuple[SQLite, sqlite3.Connection]]:
    """The database of a history that another connection has locked."""
    past = store.HistoryStore(tmp_path / store.FILE, lock_seconds=2.0)
    with mp.History(past) as history:
        history.add(finished(seed=1))
        other = sqlite3.connect(tmp_path / store.FILE, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        assert isinstance(past._database, SQLite)
        yield past._database, other
        other.close()


def write(ours: SQLite) -> None:
    with ours.writing() as connection:
        connection.execute("UPDATE games SET player = 'Ann'")


def test_writers_that_queue_share_one_wait(held: tuple[SQLite, sqlite3.Connection], clock: FakeTime) -> None:
    ours, other = held
    for _ in range(20):
        with pytest.raises(DatabaseLocked, match=r"^Cannot write .* locked by another process"):
            write(ours)
    assert 2.0 <= clock.now - 1000.0 < 2.1  # not twenty times as much
    other.execute("ROLLBACK")
    write(ours)
    assert ours.rows("SELECT player FROM games") == [("Ann",)]


def test_a_later_writer_waits_anew(held: tuple[SQLite, sqlite3.Connection], clock: FakeTime) -> None:
    ours, _ = held
    for start in (1000.0, 5000.0):
        clock.now = start
        with pytest.raises(DatabaseLocked):
            write(ours)
        assert 2.0 <= clock.now - start < 2.1


def test_no_attempt_is_long_after_the_one_before(
    held: tuple[SQLite, sqlite3.Connection], clock: FakeTime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite's own handler sleeps up to 100 ms, which made moves of two workers slower than those of one."""
    ours, other = held
    slept = list[float]()

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        clock.now += seconds
        if len(slept) == 50:
            other.execute("ROLLBACK")

    monkeypatch.setattr(clock, "sleep", sleep)
    write(ours)
    assert len(slept) == 50
    assert max(slept) <= 0.002


def test_reads_go_on_while_another_thread_writes(tmp_path: Path) -> None:
    past = store.HistoryStore(tmp_path / store.FILE)
    with mp.History(past) as history:
        history.add(finished(seed=1))
        ours = past._database
        inside, go_on = threading.Event(), threading.Event()

        def slow() -> None:
            with ours.writing() as connection:
                connection.execute("UPDATE games SET player = 'Ann'")
                inside.set()
                assert go_on.wait(PATIENCE)

        thread = threading.Thread(target=slow)
        thread.start()
        try:
            assert inside.wait(PATIENCE)
            assert ours.rows("SELECT player FROM games") == [(None,)]  # what is committed
        finally:
            go_on.set()
            thread.join(PATIENCE)
        assert ours.rows("SELECT player FROM games") == [("Ann",)]


def test_writers_of_several_processes_take_turns(tmp_path: Path) -> None:
    """The one that is next keeps the one that has just committed from beginning again before it."""
    one, other = Turnstile(tmp_path / "turn"), Turnstile(tmp_path / "turn")
    with one, pytest.raises(BlockingIOError):
        other.__enter__()
    with other, pytest.raises(BlockingIOError):
        one.__enter__()
    one.close()
    other.close()


def test_a_process_that_holds_the_turn_for_too_long_is_told(tmp_path: Path, clock: FakeTime) -> None:
    purpose = database.Purpose("the games in", "games", 1, "games", (("CREATE TABLE games (id INTEGER)",),))
    ours = SQLite(tmp_path / "games.sqlite", purpose, 2.0, has_workers=True)
    ours.check(create=True)
    with Turnstile(tmp_path / "games.sqlite-turn"), pytest.raises(DatabaseLocked, match="locked by another process"):
        ours.writing().__enter__()
    with ours.writing() as connection:
        connection.execute("INSERT INTO games VALUES (1)")
    ours.close()


@pytest.mark.skipif(os.name == "nt", reason="no turnstile there")
def test_who_has_waited_for_long_is_next(tmp_path: Path, clock: FakeTime, monkeypatch: pytest.MonkeyPatch) -> None:
    """At first the process that writes may continue; later it cannot begin again before the one that waits."""
    purpose = database.Purpose("the games in", "games", 1, "games", (("CREATE TABLE games (id INTEGER)",),))
    ours = SQLite(tmp_path / "games.sqlite", purpose, 2.0, has_workers=True)
    ours.check(create=True)
    other = sqlite3.connect(tmp_path / "games.sqlite", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    rival, seen = Turnstile(tmp_path / "games.sqlite-turn"), list[tuple[float, bool]]()

    def sleep(seconds: float) -> None:
        try:
            with rival:
                seen.append((clock.now - 1000.0, True))
        except BlockingIOError:
            seen.append((clock.now - 1000.0, False))
        clock.now += seconds
        if clock.now > 1000.1:
            other.close()

    monkeypatch.setattr(clock, "sleep", sleep)
    with ours.writing() as connection:
        connection.execute("INSERT INTO games VALUES (1)")
    assert {may_go_on for when, may_go_on in seen if when < database.FAIRNESS_SECONDS} == {True}
    assert {may_go_on for when, may_go_on in seen if when > 2 * database.FAIRNESS_SECONDS} == {False}
    with rival:
        pass
    ours.close()
    rival.close()
