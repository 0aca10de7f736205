"""The store of running games: clocks that jump delete nothing, moves are appended, damage is reported."""

import itertools
import json
import logging
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import mineproof as mp
from mineproof.game import record
from mineproof.history.database import Purpose, SQLite
from mineproof.history.postgresql import Address
from mineproof.web import games, store
from mineproof.web.store import GameStore
from support.served import Client, serving, wait

DAY = 86400.0
YEAR = 365 * DAY
NOW = 1_800_000_000.0


class Clocks:
    """The clocks of a machine: one that people set, and one that only runs."""

    def __init__(self) -> None:
        self.wall, self.monotonic = NOW, 50.0

    def run(self, seconds: float) -> None:
        self.wall += seconds
        self.monotonic += seconds

    def restart_machine(self) -> None:
        self.monotonic = 7.0


def in_place(place: Path | Address) -> Path | Address:
    return place / store.FILE if isinstance(place, Path) else place


@contextmanager
def opened(place: Path | Address, clocks: Clocks, *, is_killed: bool = False) -> Iterator[GameStore]:
    kept = GameStore(in_place(place), clock=lambda: clocks.wall, monotonic=lambda: clocks.monotonic)
    try:
        yield kept
        if not is_killed:
            kept.ends()
    finally:
        kept.close()


_ids = itertools.count()


def begin(kept: GameStore) -> list[str]:
    """Begin a game, as any player may; the games that are deleted for it."""
    return kept.add(f"later-{next(_ids)}", "another client", "{}", is_untouched=False)


def moved(kept: GameStore, game_id: str) -> None:
    kept.add(game_id, "client", "{}")
    kept.save(game_id, 0, "{}", is_over=False)


# clocks


@pytest.mark.parametrize("jump", [10 * YEAR, -10 * YEAR, 31 * DAY])
@pytest.mark.parametrize("restarts", [False, True])
def test_a_jump_of_the_clock_deletes_no_game(place: Path | Address, jump: float, restarts: bool) -> None:
    clocks = Clocks()
    with opened(place, clocks) as kept:
        moved(kept, "game")
        if not restarts:
            clocks.wall += jump
            assert begin(kept) == []
            clocks.wall -= jump
            assert begin(kept) == []
    clocks.wall += jump
    clocks.restart_machine()
    with opened(place, clocks) as kept:
        assert begin(kept) == []
        assert kept.load("game") is not None
        clocks.wall -= jump
        assert begin(kept) == []


def test_a_clock_that_is_set_right_after_the_start_deletes_no_game(place: Path | Address) -> None:
    """A machine without a battery starts in the past, and learns the time once it is connected."""
    clocks = Clocks()
    clocks.wall -= 9000 * DAY
    with opened(place, clocks) as kept:
        moved(kept, "game")
        clocks.run(60)
        clocks.wall += 9000 * DAY
        clocks.run(60)
        assert begin(kept) == []
        assert kept.load("game") is not None


def test_a_game_that_is_old_by_both_clocks_is_deleted_and_logged(
    place: Path | Address, caplog: pytest.LogCaptureFixture
) -> None:
    clocks, deleted_on = Clocks(), list[int]()
    for day in range(33):  # server and machine are started anew each day
        with opened(place, clocks) as kept:
            if day == 0:
                moved(kept, "old")
                moved(kept, "used")
            kept.touch("used")
            gone = begin(kept)
            assert "used" not in gone
            deleted_on += [day] * gone.count("old")
            clocks.run(DAY)
        clocks.restart_machine()
    assert deleted_on == [31]
    assert any(line.startswith("Deleted ") and line.endswith("not used for 30 days.") for line in caplog.messages)


def test_uptime_survives_restarts_and_kills(place: Path | Address) -> None:
    clocks = Clocks()
    with opened(place, clocks) as kept:
        clocks.run(1000)
    clocks.restart_machine()
    with opened(place, clocks, is_killed=True) as kept:
        assert kept._uptime.seconds() == pytest.approx(1000)
        clocks.run(500)
        moved(kept, "game")  # the last that a killed server wrote
        clocks.run(400)
        kept.touch("game")
    clocks.restart_machine()
    with opened(place, clocks) as kept:
        assert kept._uptime.seconds() == pytest.approx(1900)


def test_servers_that_run_at_the_same_time_count_it_once(place: Path | Address) -> None:
    clocks = Clocks()
    with opened(place, clocks) as one, opened(place, clocks) as other:
        for _ in range(10):
            clocks.run(50)
            one.runs(clocks.wall)
            clocks.run(50)
            other.runs(clocks.wall)
        assert one._uptime.seconds() == other._uptime.seconds() == pytest.approx(1000)


def test_the_least_recently_used_game_makes_room_whatever_the_clock_says(
    place: Path | Address, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "GAMES_PER_CLIENT", 2)
    clocks = Clocks()
    with opened(place, clocks) as kept:
        clocks.wall += YEAR
        moved(kept, "first")
        clocks.run(700)
        clocks.wall -= YEAR
        moved(kept, "second")
        clocks.run(10)
        assert kept.add("third", "client", "{}") == ["first"]


def test_a_jump_does_not_run_the_clock_of_a_game(place: Path | Address, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(place) as (client, service):
        game_id = client.post("games", {"level": "beginner", "seed": 7}).json["id"]
        client.post(f"games/{game_id}/moves", {"kind": "open", "cell": [4, 4]})
        service.games._live.clear()  # as if others had taken its place in memory
        later = time.time() + 10 * YEAR
        monkeypatch.setattr(time, "time", lambda: later)
        assert client.get(f"games/{game_id}").json["seconds"] < 3600


# moves


def toggled(client: Client, game_id: str, moves: int) -> None:
    for _ in range(moves):
        assert client.post(f"games/{game_id}/moves", {"kind": "flag", "cell": [0, 0]}).status == 200


def test_a_move_costs_the_same_however_many_there_were(place: Path | Address) -> None:
    with serving(place) as (client, service):
        game_id = client.post("games", {"rows": 5, "columns": 6, "mines": 5, "seed": 7}).json["id"]
        kept, written = service._store, list[int]()
        save = kept.save

        def measured(*arguments: object, **options: object) -> None:
            blocks = options["blocks"]
            assert isinstance(blocks, list)
            written.append(len(str(arguments[2])) + sum(map(len, blocks)))
            save(*arguments, **options)  # type: ignore[arg-type]

        kept.save = measured  # type: ignore[method-assign]
        toggled(client, game_id, 3 * store.BLOCK_MOVES + 5)
        most = max(written[: store.BLOCK_MOVES])
        assert max(written) < 2 * most
        row = kept.load(game_id)
        assert row is not None
        assert (row.blocks, len(record.from_json(row.saved).moves)) == (3, 3 * store.BLOCK_MOVES + 5)
        before = client.get(f"games/{game_id}").json
    with serving(place) as (client, _):
        after = client.get(f"games/{game_id}").json
        assert (after["moves"], after["cells"]) == (before["moves"], before["cells"])
        toggled(client, game_id, 1)


def test_moves_and_mines_of_a_fair_game_come_back_out_of_blocks(
    place: Path | Address, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fairness moves mines, and what was drawn is stored with the move."""
    monkeypatch.setattr(store, "BLOCK_MOVES", 2)
    monkeypatch.setattr("mineproof.web.live_game.BLOCK_MOVES", 2)
    with serving(place) as (client, service):
        game_id = client.post("games", {"rows": 5, "columns": 6, "mines": 5, "seed": 7, "fairness": "kind"}).json["id"]
        for row, column in itertools.product(range(5), range(6)):
            client.post(f"games/{game_id}/moves", {"kind": "open", "cell": [row, column]})
        played = service.games._live[game_id].game.record()
        row_of = service._store.load(game_id)
        assert row_of is not None
        stored = record.from_json(row_of.saved)
        assert row_of.blocks >= 2
        assert (stored.moves, stored.redraws, stored.layout) == (played.moves, played.redraws, played.layout)
        assert len(stored.redraws) > 0
        if played.status == "won":
            assert wait(lambda: len(client.get("history").json["games"]) == 1)


def test_a_game_has_a_most_of_moves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "EXTRA_MOVES", 2)
    with serving(tmp_path) as (client, _):
        game_id = client.post("games", {"rows": 2, "columns": 2, "mines": 1}).json["id"]
        toggled(client, game_id, 18)
        answer = client.post(f"games/{game_id}/moves", {"kind": "flag", "cell": [0, 0]})
        assert (answer.status, answer.code) == (409, "illegal-move")
        assert answer.json["message"] == (
            "Cannot move: the game has 18 moves, the maximum for its size. Start a new game."
        )


def test_a_game_of_the_version_before_goes_on(tmp_path: Path) -> None:
    """Its row has all moves; they become blocks when it is saved again."""
    game = mp.Game(mp.Layout(2, 3, frozenset([(0, 2)])), seed=3)
    for _ in range(3 * store.BLOCK_MOVES):
        game.flag(0, 0)
    with serving(tmp_path) as (client, service):
        game_id = client.post("games", {"rows": 2, "columns": 3, "mines": 1}).json["id"]
        with service._store._database.writing() as database:
            database.execute("UPDATE games SET saved = ? WHERE id = ?", [game.save(), game_id])
        service.games._live.clear()
        assert client.get(f"games/{game_id}").json["moves"] == 3 * store.BLOCK_MOVES
        toggled(client, game_id, 1)
        service.games._live.clear()
        assert client.get(f"games/{game_id}").json["moves"] == 3 * store.BLOCK_MOVES + 1


@pytest.mark.parametrize("version", range(1, len(store.MIGRATIONS)))
def test_games_of_every_earlier_version_are_read(
    place: Path | Address, version: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved = mp.Game(mp.Layout(2, 3, frozenset([(0, 2)])), seed=3).save()
    with monkeypatch.context() as patch:
        patch.setattr(store, "MIGRATIONS", store.MIGRATIONS[:version])
        purpose = Purpose("the games in", "games", store.APPLICATION, "mineproof_games", store.MIGRATIONS)
        old = SQLite(place / store.FILE, purpose, 2.0) if isinstance(place, Path) else place.database(purpose, 1)
        old.check(create=True)
        with old.writing() as database:
            database.execute(
                "INSERT INTO games (id, client, touched, is_over, in_history, saved) VALUES ('old', 'me', 1, 0, 0, ?)",
                [saved],
            )
        old.close()
    with serving(place) as (client, service):
        assert client.get("games/old").json["cells"] == ["###", "###"]
        assert service.games._live["old"].owner == ""
        assert client.post("games/old/moves", {"kind": "flag", "cell": [0, 2]}).json["cells"] == ["##F", "###"]


# damage


def test_a_damaged_row_is_the_server_s_fault(place: Path | Address, caplog: pytest.LogCaptureFixture) -> None:
    with serving(place) as (client, service):
        game_id = client.post("games", {"rows": 5, "columns": 6, "mines": 5, "seed": 7}).json["id"]
        toggled(client, game_id, store.BLOCK_MOVES + 1)
        whole = service._store._database.rows("SELECT saved FROM games WHERE id = ?", [game_id])[0][0]
        document = json.loads(whole)
        rest = {"moves": [["open", 9, 9, 0]]}
        for damaged in ("{", "", json.dumps(document | {"status": "won"}), json.dumps(document | rest)):
            with service._store._database.writing() as database:
                database.execute("UPDATE games SET saved = ? WHERE id = ?", [damaged, game_id])
            service.games._live.clear()
            caplog.clear()
            answer = client.get(f"games/{game_id}")
            assert (answer.status, answer.code) == (503, "history"), damaged
            assert "See the server log" in answer.json["message"]
            assert any(f"The game {game_id}" in line and "is damaged" in line for line in caplog.messages)
        with service._store._database.writing() as database:
            database.execute("UPDATE games SET saved = ? WHERE id = ?", [whole, game_id])
            database.execute("DELETE FROM blocks")
        assert client.get(f"games/{game_id}").status == 503
        assert "expected 1 blocks of moves, got 0" in caplog.messages[-1]


def test_a_database_of_no_bytes_is_told_and_set_aside(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / store.FILE).touch()
    (tmp_path / f"{store.FILE}-wal").write_bytes(b"perhaps all the games")
    with serving(tmp_path) as (client, _):
        assert client.post("games", {"level": "beginner"}).status == 201
    [told] = [each.getMessage() for each in caplog.records if each.levelno == logging.WARNING]
    assert f"{tmp_path / store.FILE} has 0 bytes" in told
    aside = [path for path in tmp_path.iterdir() if ".empty-" in path.name]
    assert sorted(path.read_bytes() for path in aside) == [b"", b"perhaps all the games"]


def test_a_new_folder_says_nothing(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with serving(tmp_path):
        pass
    with serving(tmp_path):
        pass
    assert caplog.messages == []


# locked by another process


def test_what_is_locked_is_told_and_looks_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "LOCKED", 0.05)
    with serving(tmp_path) as (client, _):
        game_id = client.post("games", {"level": "beginner"}).json["id"]
        other = sqlite3.connect(tmp_path / store.FILE, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        answer = client.post(f"games/{game_id}/moves", {"kind": "flag", "cell": [0, 0]})
        assert (answer.status, answer.code, answer.headers["retry-after"]) == (503, "history", "1")
        assert answer.json["message"] == (
            "The database is locked by another process. Nothing was changed. Try again in a moment."
        )
        assert client.get(f"games/{game_id}").json["moves"] == 0
        other.close()
        assert client.post(f"games/{game_id}/moves", {"kind": "flag", "cell": [0, 0]}).json["moves"] == 1
