"""A history in PostgreSQL: versioned, shared by several programs, reconnected; no password in any message."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest

import mineproof as mp
from history.test_store import WRITER
from mineproof.history import postgresql, store
from mineproof.history.postgresql import Address, PostgreSQL
from support.command import mineproof
from support.finished import finished
from support.patience import PATIENCE
from support.postgres import Cluster
from support.served import wait

pytest.importorskip("psycopg")

SCHEMA = "mineproof_history"


@pytest.fixture
def address(postgres: Cluster) -> str:
    return postgres.emptied()


def filled(address: str, *seeds: int) -> None:
    with mp.History.open(address) as history:
        for seed in seeds:
            history.add(finished(seed=seed), help_used={})


# versions


def test_what_the_database_says_of_itself(address: str, postgres: Cluster) -> None:
    filled(address, 1)
    assert postgres.ask(f"SELECT version FROM {SCHEMA}.mineproof_version") == [(len(store.MIGRATIONS),)]
    tables = postgres.ask(f"SELECT tablename FROM pg_tables WHERE schemaname = '{SCHEMA}' ORDER BY 1")
    assert [name for (name,) in tables] == [
        "games", "mineproof_version", "mouse_paths", "puzzle_answers", "puzzle_runs", "ratings", "records",
    ]  # fmt: skip


def test_an_older_history_is_brought_up_to_date(
    address: str, postgres: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(address, 1, 2)
    step = ("ALTER TABLE games ADD COLUMN extra INTEGER", "UPDATE games SET extra = bbbv")
    monkeypatch.setattr(store, "MIGRATIONS", (*store.MIGRATIONS, step))
    filled(address, 3)
    assert postgres.ask(f"SELECT version FROM {SCHEMA}.mineproof_version") == [(len(store.MIGRATIONS),)]
    assert postgres.ask(f"SELECT count(*), count(extra) FROM {SCHEMA}.games") == [(3, 2)]


def test_a_migration_that_fails_changes_nothing(
    address: str, postgres: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(address, 1)
    step = ("ALTER TABLE games ADD COLUMN extra INTEGER", "UPDATE nowhere SET extra = 1")
    with monkeypatch.context() as patch:
        patch.setattr(store, "MIGRATIONS", (*store.MIGRATIONS, step))
        with pytest.raises(mp.HistoryError, match=r'^Cannot read .*: relation "nowhere" does not exist'):
            mp.History.open(address)
    assert postgres.ask(f"SELECT version FROM {SCHEMA}.mineproof_version") == [(len(store.MIGRATIONS),)]
    filled(address, 2)


def test_a_newer_history_is_refused(address: str, postgres: Cluster) -> None:
    filled(address, 1)
    newer = len(store.MIGRATIONS) + 1
    postgres.ask(f"UPDATE {SCHEMA}.mineproof_version SET version = {newer}")
    with pytest.raises(mp.HistoryError, match=f"postgresql:.*: it has version {newer}, and this mineproof supports"):
        mp.History.open(address)


def test_a_schema_of_another_program_is_refused(address: str, postgres: Cluster) -> None:
    postgres.ask(f"CREATE SCHEMA {SCHEMA}")
    postgres.ask(f"CREATE TABLE {SCHEMA}.games (id BIGINT)")
    with pytest.raises(mp.HistoryError, match=f"another program's database in the schema {SCHEMA} of postgresql:"):
        mp.History.open(address)
    assert postgres.ask(f"SELECT tablename FROM pg_tables WHERE schemaname = '{SCHEMA}'") == [("games",)]


def test_an_empty_schema_becomes_a_history_for_whoever_may_not_make_one(address: str, postgres: Cluster) -> None:
    postgres.ask("DO $$ BEGIN CREATE ROLE ann LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$")
    postgres.ask("REVOKE CREATE ON DATABASE postgres FROM PUBLIC")
    ann = address.replace("postgres@", "ann@")
    with pytest.raises(mp.HistoryError, match="permission denied for database"):
        mp.History.open(ann)
    postgres.ask(f"CREATE SCHEMA {SCHEMA} AUTHORIZATION ann")
    filled(ann, 1)


def test_many_who_open_it_first_make_it_once(address: str) -> None:
    """Each looks while others make the tables: what they see is nothing at all, or a history."""
    opened: list[int] = []
    faults: list[Exception] = []
    barrier = threading.Barrier(8)

    def look() -> None:
        barrier.wait(PATIENCE)
        try:
            with mp.History.open(address) as history:
                opened.append(len(history))
        except Exception as error:
            faults.append(error)

    threads = [threading.Thread(target=look) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert (opened, faults) == ([0] * 8, [])


# several at once


@pytest.mark.slow
def test_several_programs_write_at_once(address: str, postgres: Cluster, tmp_path: Path) -> None:
    writers, games, go = 3, 30, tmp_path / "go"
    script = WRITER.replace("Path(sys.argv[1])", "sys.argv[1]")
    started = [
        subprocess.Popen(
            [sys.executable, "-c", script, address, str(number), str(games), str(go)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        for number in range(writers)
    ]  # fmt: skip
    for process in started:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    go.touch()
    ends = [process.communicate(timeout=PATIENCE) for process in started]
    assert [err for _, err in ends] == [""] * writers
    assert sum(int(out) for out, _ in ends) == games * (writers + 1)
    expected = games * (writers + 1)
    assert postgres.ask(f"SELECT count(*), count(record) FROM {SCHEMA}.games JOIN {SCHEMA}.records USING (id)") == [
        (expected, expected)
    ]


def test_threads_share_a_few_connections(address: str, postgres: Cluster) -> None:
    query = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'mineproof'"
    assert wait(lambda: postgres.ask(query) == [(0,)])  # those of other tests are about to end
    with mp.History.open(address) as history:
        threads = [threading.Thread(target=lambda: [len(history) for _ in range(20)]) for _ in range(12)]
        for thread in threads:
            thread.start()
        most = max(postgres.ask(query)[0][0] for _ in range(5))
        for thread in threads:
            thread.join()
    assert 1 <= most <= store.MAX_CONNECTIONS


def test_whoever_waits_too_long_for_a_connection_is_told(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgresql, "WAIT_SECONDS", 0.05)
    with mp.History.open(address) as history:
        database = history._store._database
        assert isinstance(database, PostgreSQL)
        with (
            database._borrow("SELECT 1"),
            database._borrow("SELECT 1"),
            pytest.raises(mp.HistoryError, match=r"^Cannot read .*: all connections have been in use"),
        ):
            len(history)
        assert len(history) == 0


# what fails


def test_a_lost_connection_is_made_again(address: str, postgres: Cluster) -> None:
    with mp.History.open(address) as history:
        history.add(finished(seed=1))
        postgres.ask("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'mineproof'")
        assert len(history) == 1
        postgres.ask("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'mineproof'")
        assert history.add(finished(seed=2)).new


def test_a_server_that_is_not_there_is_told(postgres: Cluster) -> None:
    with pytest.raises(mp.HistoryError, match=r"^Cannot read the history postgresql://ann@127.0.0.1:1/games: "):
        mp.History.open("postgresql://ann:secret@127.0.0.1:1/games")
    with pytest.raises(mp.HistoryError, match=r'database "nowhere" does not exist'):
        mp.History.open(postgres.address("nowhere"))


@pytest.mark.parametrize(
    "text",
    ["postgresql://ann:s3cret@host@db/games", "postgresql://ann:s3cret@db:port/games?x=y", "s3cret",
     "postgresql://ann:s3cret@[db/games", "mysql://ann:s3cret@db/games", ""],
)  # fmt: skip
def test_an_address_that_is_none_is_not_repeated(text: str) -> None:
    with pytest.raises(mp.HistoryError, match="expected a database address") as found:
        Address(text)
    assert "s3cret" not in str(found.value)


def test_no_message_has_a_password(postgres: Cluster) -> None:
    for text in (
        "postgresql://ann:s3cret@127.0.0.1:1/games",
        "postgresql://127.0.0.1:1/games?user=ann&password=s3cret",
    ):
        for options in ([], ["--json"]):
            done = mineproof("history", "--data", text, *options)
            assert done.status == 2
            assert "s3cret" not in done.err + done.out.decode()
        assert "s3cret" not in repr(Address(text))
    assert Address("postgresql://ann:a%40b@db:5433/games").name == "postgresql://ann@db:5433/games"
    assert Address("postgresql:///games?host=/run/pg").reason(ValueError("x\n  y")) == "x y"
    assert Address("postgresql://ann:a%40b@db/games").reason(ValueError("found a@b")) == "found …"


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(mp.HistoryError, match=r"needs psycopg .*: pip install 'mineproof\[postgres\]'"):
        mp.History.open("postgresql://localhost/games")


def test_a_history_in_a_database_has_no_file(address: str) -> None:
    with mp.History.open(address) as history, pytest.raises(mp.HistoryError, match="in PostgreSQL and has no file"):
        _ = history.path


# the command


def test_the_command_takes_an_address(address: str) -> None:
    filled(address, 1, 2)
    assert "2 games" in mineproof("history", "--data", address, "best").out.decode()
    assert mineproof("history", "forget", "1", "--yes", "--data", address).status == 0
    assert [game["id"] for game in mineproof("history", "--data", address, "--json").json()["games"]] == [2]
