"""Several servers with one PostgreSQL: a game continues on any of them, and no move is lost or made twice."""

import os
import random
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

import mineproof as mp
from mineproof.game import record as saving
from mineproof.history.postgresql import Address
from mineproof.web import games, store
from mineproof.web.app import Service
from support.command import mineproof
from support.patience import PATIENCE
from support.postgres import Cluster
from support.served import Client, served, serving, wait
from web.test_games import SMALL, begin, execute, finish, flag, move

pytest.importorskip("psycopg")


@pytest.fixture
def address(postgres: Cluster) -> str:
    return postgres.emptied()


@contextmanager
def two(address: str) -> Iterator[tuple[tuple[Client, Service], tuple[Client, Service]]]:
    """Two servers in this process, each with a connection of its own."""
    with serving(Address(address)) as first, serving(Address(address)) as second:
        yield first, second


def history(address: str) -> list[mp.KeptGame]:
    with mp.History.open(address) as found:
        return found.games()


# what both see


def test_each_move_is_made_in_the_game_as_it_is(address: str) -> None:
    with two(address) as ((one, _), (other, _)):
        game_id = begin(one, **SMALL, seed=7)
        for number in range(6):
            for client in (one, other):
                assert move(client, game_id, "flag", number % 5, 0 if client is one else 5).status == 200
        assert one.get(f"games/{game_id}").json["cells"] == other.get(f"games/{game_id}").json["cells"]
        assert move(one, game_id, "flag", 1, 1).json["cells"][1][1] == "F"
        assert move(other, game_id, "open", 1, 1).code == "illegal-move"  # by the flag that the other one set


def test_a_move_that_was_worked_out_from_an_old_game_is_worked_out_again(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between reading the version and saving, another client makes a move."""
    with two(address) as ((one, service), (other, _)):
        game_id = begin(one, **SMALL, seed=7)
        save, raced = store.GameStore.save, list[int]()

        def meanwhile(self: store.GameStore, *arguments: Any, **options: Any) -> None:
            if self is service._store and not raced:
                raced.append(move(other, game_id, "flag", 0, 5).status)
            save(self, *arguments, **options)

        monkeypatch.setattr(store.GameStore, "save", meanwhile)
        assert move(one, game_id, "flag", 0, 0).json["cells"][0] == "F####F"
        assert raced == [200]
        raced.clear()
        before = other.get(f"games/{game_id}").json["cells"]
        assert one.get(f"games/{game_id}/hint").status == 200  # help is counted in the newest game
        assert raced == [200]
        assert other.get(f"games/{game_id}").json["cells"] != before


def test_a_game_that_changes_all_the_time_is_told(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def stale(*_: object, **__: object) -> None:
        raise store.Stale

    monkeypatch.setattr(games, "CONFLICT_RETRY_SECONDS", 0.1)
    with serving(Address(address)) as (client, service):
        game_id = begin(client, **SMALL)
        with monkeypatch.context() as patch:
            patch.setattr(service._store, "save", stale)
            answer = move(client, game_id, "flag", 0, 0)
            assert (answer.status, answer.code, answer.headers["retry-after"]) == (503, "busy", "1")
        assert move(client, game_id, "flag", 0, 0).json["cells"][0] == "F#####"


def test_pause_help_and_clock_are_those_of_the_game(address: str) -> None:
    with two(address) as ((one, first), (other, second)):
        game_id = begin(one, **SMALL, seed=7)
        move(one, game_id, "open", 0, 0)
        assert other.post(f"games/{game_id}/pause", None).json["paused"] is True
        assert move(one, game_id, "flag", 4, 5).code == "illegal-move"
        assert one.post(f"games/{game_id}/resume", None).json["paused"] is False
        assert one.get(f"games/{game_id}/odds").status == other.get(f"games/{game_id}/odds").status == 200
        assert second.games._live[game_id].help.odds_moves == 1  # the same board: counted once
        with first._store._database.writing() as database:
            database.execute(
                "UPDATE games SET changed = changed - 3600, changed_uptime = changed_uptime - 3600, "
                "version = version + 1"
            )
        for service in (first, second):
            service.games._started -= 3600
        assert 3600 <= move(other, game_id, "flag", 4, 5).json["seconds"] < 7200
        assert 3600 <= one.get(f"games/{game_id}").json["seconds"] < 7200


def test_the_clock_goes_on_while_another_server_runs(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # On a slow machine, signs of life come late: the first server sends one only where the test says so.
    monkeypatch.setattr(games, "BEAT", 3600.0)
    monkeypatch.setattr(store, "ALIVE", 1000.0)
    with serving(Address(address)) as (one, first):
        game_id = begin(one, **SMALL, seed=7)
        move(one, game_id, "open", 0, 0)
        execute(first, "UPDATE games SET changed = changed - 3600, changed_uptime = changed_uptime - 3600")
        execute(first, "UPDATE servers SET since = since - 7200")  # and its server has run for two
        first.games._started -= 7200
        with serving(Address(address)) as (other, _):
            assert 3600 <= other.get(f"games/{game_id}").json["seconds"] < 7200
        with serving(Address(address)) as (other, second):  # the one before has left: no other is mistaken for it
            assert len(first._store._database.rows("SELECT id FROM servers")) == 2
            execute(first, "UPDATE servers SET until = until - 2000")
        # The first was not heard of for half an hour, such as while it could not reach the database.
        monkeypatch.setattr(games, "BEAT", 0.02)
        with serving(Address(address)) as (other, second):
            started = second.games._started
            assert first.games._started < started - 3600
            first._store.runs(first.games._started)  # it sends a sign of life again
            assert wait(lambda: second.games._started == first.games._started)
            assert 3600 <= other.get(f"games/{game_id}").json["seconds"] < 7200


def test_the_time_since_a_server_was_killed_is_not_counted(address: str) -> None:
    with serving(Address(address)) as (one, first):
        game_id = begin(one, **SMALL, seed=7)
        move(one, game_id, "open", 0, 0)
        execute(first, "UPDATE games SET changed = changed - 3600")
        execute(first, "UPDATE servers SET since = since - 7200, until = until - 1800")
        with serving(Address(address)) as (other, _):
            assert other.get(f"games/{game_id}").json["seconds"] < 1800
    with serving(Address(address)) as (_, service):
        assert len(service._store._database.rows("SELECT id FROM servers")) == 1  # those that end say so
    with postgres_store(address) as kept:
        assert kept._database.rows("SELECT id FROM servers") == []


@contextmanager
def postgres_store(address: str) -> Iterator[store.GameStore]:
    kept = store.GameStore(Address(address))
    try:
        yield kept
    finally:
        kept.close()


def test_a_finished_game_stays_when_one_server_repeats_it_and_another_undoes_its_end(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with two(address) as ((one, service), (other, _)):
        game_id = one.post("games", {"layout": "..*/.../..."}).json["id"]
        assert move(one, game_id, "open", 0, 2).json["status"] == "lost"
        add, raced = store.GameStore.add, list[int]()

        def meanwhile(self: store.GameStore, *arguments: Any, **options: Any) -> list[str]:
            if self is service._store and not raced:
                raced.append(move(other, game_id, "undo").status)
            return add(self, *arguments, **options)

        monkeypatch.setattr(store.GameStore, "add", meanwhile)
        assert one.post(f"games/{game_id}/again", None).status == 201
        assert raced == [200]
        assert other.get(f"games/{game_id}").json["status"] == "lost"


def test_a_game_that_makes_room_while_it_is_put_into_the_history(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both change two tables; neither waits for the other without end."""
    monkeypatch.setattr(store, "GAMES_PER_CLIENT", 1)
    with postgres_store(address) as one, postgres_store(address) as other:
        one.add("first", "client", "new")
        one.save("first", 0, "over", is_over=True)
        one.put_into_history("first", 1)
        between, failed = threading.Event(), list[mp.HistoryError]()
        writing = other._database.writing

        @contextmanager
        def slow(**options: Any) -> Iterator[Any]:
            with writing(**options) as database:

                class Session:
                    def __init__(self) -> None:
                        self.done = 0

                    def execute(self, statement: str, values: Any = (), /) -> Any:
                        found = database.execute(statement, values)
                        self.done += 1
                        if self.done == 1:
                            between.set()
                            time.sleep(0.5)  # so that the other one waits for what this has changed
                        return found

                yield Session()

        monkeypatch.setattr(other._database, "writing", slow)

        def put() -> None:
            try:
                other.put_into_history("first", 1)
            except mp.HistoryError as error:
                failed.append(error)

        thread = threading.Thread(target=put)
        thread.start()
        assert between.wait(PATIENCE)
        assert one.add("second", "client", "new") == ["first"]
        thread.join(PATIENCE)
        assert failed == []


def test_a_game_that_is_over_is_in_the_history_once(address: str) -> None:
    with two(address) as ((one, first), (other, second)):
        ids = [begin(one, **SMALL, seed=number) for number in range(4)]
        for number, game_id in enumerate(ids):
            finish(other if number % 2 else one, game_id)
        assert wait(lambda: not first.games._tasks | second.games._tasks)
        assert len(one.get("history").json["games"]) == len(other.get("history").json["games"]) == 4
        assert one.get(f"games/{ids[1]}/review").status == 200
        with first._store._database.writing() as database:
            database.execute("UPDATE games SET in_history = 0")
    with two(address) as ((_, first), (_, second)):  # both hand over what there is, again and at once
        assert wait(lambda: not first.games._tasks | second.games._tasks)
        assert not first._store.not_in_history()
    assert len(history(address)) == 4


def test_what_a_killed_server_did_not_hand_over_another_does(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "LEFT_OVER_SECONDS", 0.2)
    with serving(Address(address)) as (client, service):
        game_id = begin(client, **SMALL, seed=7)
        with monkeypatch.context() as patch:
            patch.setattr(games.LiveGames, "_queue_for_history", lambda *_: None)
            finish(client, game_id)
            assert len(service._store.not_in_history()) == 1
        assert wait(lambda: not service._store.not_in_history())
    assert len(history(address)) == 1


def test_limits_hold_over_all_servers(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mineproof.web.store.GAMES_PER_CLIENT", 4)
    with two(address) as ((one, _), (other, _)):
        played = [begin(client, **SMALL) for client in (one, other, one, other)]
        for game_id in played:
            assert move(one, game_id, "flag", 0, 0).status == 200
        assert {client.post("games", SMALL).code for client in (one, other)} == {"too-many"}
        assert other.post(f"games/{played[0]}/again", None).status == 201  # in its place
        assert one.get(f"games/{played[0]}").status == 404  # though it was in memory here
        assert move(one, played[0], "flag", 1, 1).status == 404


def test_a_game_with_a_new_move_does_not_make_room(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The game that would go first gets a move after it was chosen: another one goes."""
    monkeypatch.setattr("mineproof.web.store.GAMES_PER_CLIENT", 2)
    with serving(Address(address)) as (client, service):
        first, second = begin(client, **SMALL), begin(client, **SMALL)
        chosen: list[object] = []

        class Meanwhile:
            def __init__(self, database: Any) -> None:
                self.database = database

            def execute(self, statement: str, values: Any = (), /) -> Any:
                if statement.startswith("DELETE FROM games WHERE id") and not chosen:
                    chosen.append(values[0])
                    other = store.GameStore(Address(address))
                    row = other.load(first)
                    assert row is not None
                    other.save(first, row.version, row.saved, is_over=False)
                    other.close()
                return self.database.execute(statement, values)

        with service._store._database.writing() as database:
            gone = store._make_room(Meanwhile(database), "1 = 1", [], service._store._uptime.seconds(), 2)
        assert (chosen, gone) == ([first], second)


# processes


def play(client: Client, game_id: str, cells: list[tuple[int, int]], made: list[tuple[int, int]]) -> None:
    """Flag one cell after the other; what is there is noted."""
    for cell in cells:
        flag(client, game_id, *cell)
        made.append(cell)


@pytest.mark.slow
def test_two_servers_one_game_and_one_of_them_killed(address: str, tmp_path: Path, postgres: Cluster) -> None:
    """A thousand moves from both at once; then one is killed, and PostgreSQL is started again."""
    rows, columns = 25, 40
    cells = [(row, column) for row in range(rows) for column in range(columns)]
    random.Random(1).shuffle(cells)
    with ExitStack() as stack:
        (killed, one), (_, other) = (
            stack.enter_context(served(None, XDG_STATE_HOME=str(tmp_path), MINEPROOF_DATABASE=address))
            for _ in range(2)
        )
        game_id = begin(one, rows=rows, columns=columns, mines=5, seed=1)
        halves = (cells[::2], cells[1::2])
        made: tuple[list[tuple[int, int]], ...] = ([], [])
        threads = [
            threading.Thread(target=play, args=(client, game_id, half, done))
            for client, half, done in zip((one, other), halves, made, strict=True)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(PATIENCE)
        assert [len(done) for done in made] == [len(half) for half in halves], "a move was not answered"
        shown = [client.get(f"games/{game_id}").json["cells"] for client in (one, other)]
        assert shown[0] == shown[1] == ["F" * columns] * rows

        # one is killed, the other one continues
        assert move(one, game_id, "flag", 0, 0).json["cells"][0][0] == "#"
        os.kill(killed.pid, signal.SIGKILL)
        killed.wait(PATIENCE)
        assert other.get(f"games/{game_id}").json["cells"][0][0] == "#"
        assert move(other, game_id, "flag", 0, 0).json["cells"][0][0] == "F"

        # the database is started again: an error meanwhile, and then all is as it was
        postgres.stop()
        try:
            for answer in (move(other, game_id, "flag", 0, 1), other.get(f"games/{game_id}"), other.get("history")):
                assert (answer.status, answer.code, answer.headers["retry-after"]) == (503, "history", "1")
        finally:
            postgres.start()
        assert other.get(f"games/{game_id}").json["cells"] == ["F" * columns] * rows
        assert move(other, game_id, "flag", 0, 1).json["cells"][0][1] == "#"
        lost = other.post("games", {"layout": "..*/.../..."}).json["id"]
        record_of(postgres, game_id, len(cells) + 3)
        assert move(other, lost, "open", 0, 2).json["status"] == "lost"
        assert wait(lambda: len(other.get("history").json["games"]) == 1)
    assert not (tmp_path / "mineproof").exists(), "nothing is on disk"


def record_of(postgres: Cluster, game_id: str, moves: int) -> None:
    """The store has every move, once, in order of the clock."""
    with postgres_store(postgres.address()) as kept:
        row = kept.load(game_id)
    assert row is not None
    assert (row.version, len(saving.from_json(row.saved).moves)) == (moves, moves)


def test_a_database_that_is_not_there_is_told_without_its_password(tmp_path: Path) -> None:
    done = mineproof("serve", "--port", "0", "--no-open", "--database", "postgresql://ann:s3cret@127.0.0.1:1/games")
    assert (done.status, done.out) == (2, b"")
    assert "Cannot read the games in postgresql://ann@127.0.0.1:1/games" in done.err
    wrong = mineproof("serve", "--port", "0", "--no-open", MINEPROOF_DATABASE="postgresql://ann:s3cret@a@b/games")
    assert (wrong.status, wrong.out) == (2, b"")
    assert "expected a database address" in wrong.err
    assert "s3cret" not in done.err + wrong.err
    both = mineproof("serve", "--data", str(tmp_path), "--database", "postgresql://127.0.0.1:1/games")
    assert "--data cannot be combined with --database" in both.err
