"""Histories and ratings of several owners in one database: no owner sees or changes those of others."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

import mineproof as mp
from mineproof.history import facts, store
from mineproof.history.connection import Owned
from mineproof.history.database import SQLite
from mineproof.history.postgresql import Address
from mineproof.history.store import LOCAL, HistoryStore, owned_fingerprint
from mineproof.practice.answers import answer
from support.finished import finished
from support.postgres import Cluster

ANN, BEN = "a" * 64, "b" * 64


@pytest.fixture(params=["sqlite", "postgresql"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> Path | Address:
    if request.param == "sqlite":
        return tmp_path / store.FILE
    cluster: Cluster = request.getfixturevalue("postgres")
    return Address(cluster.emptied())


@pytest.fixture
def kept(where: Path | Address) -> Iterator[HistoryStore]:
    opened = HistoryStore(where)
    yield opened
    opened.close()


def history(kept: HistoryStore, owner: str) -> mp.History:
    return mp.History.lent(Owned(kept, owner))


def test_each_owner_has_a_history(kept: HistoryStore) -> None:
    ann, ben, local = (history(kept, owner) for owner in (ANN, BEN, LOCAL))
    first = ann.add(finished(seed=1), player="Ann").game
    second = ann.add(finished(seed=2, won=False)).game
    third = ben.add(finished(seed=3)).game
    assert [(len(item), [game.id for game in item.games()]) for item in (ann, ben, local)] == [
        (2, [second.id, first.id]), (1, [third.id]), (0, []),
    ]  # fmt: skip
    assert (ann.summary("beginner").games, ben.summary("beginner").games) == (2, 1)
    assert [len(item.summaries()) for item in (ann, ben, local)] == [1, 1, 0]
    assert [len(list(item.export("jsonl"))) for item in (ann, ben, local)] == [2, 1, 0]
    assert ann.unfilled == ben.unfilled == 0
    assert ben.record(third.id).won


def test_nobody_reads_or_changes_the_games_of_others(kept: HistoryStore) -> None:
    ann, others = history(kept, ANN), [history(kept, owner) for owner in (BEN, LOCAL)]
    game = ann.add(finished(seed=1), player="Ann").game
    for other in others:
        assert game.id not in other
        assert other.forget([game.id]) == other.forget(None) == []
        for act in (other.game, other.record, partial(other.name, player="Eve")):
            with pytest.raises(mp.HistoryError, match=f"No game {game.id} in the history"):
                act(game.id)
        assert not other._store.update(game.id, {"player": "Eve"})
    assert ann.game(game.id).player == "Ann"
    assert ann.forget(None) == [game.id]


def test_the_same_game_may_be_in_two_histories(kept: HistoryStore) -> None:
    game = finished(seed=1)
    added = {owner: history(kept, owner).add(game) for owner in (ANN, BEN, LOCAL)}
    assert [value.new for value in added.values()] == [True] * 3
    assert not history(kept, ANN).add(game).new
    fingerprint = owned_fingerprint(facts.fingerprint(game.save()), ANN)
    assert kept.game_ids([fingerprint]) == {added[ANN].game.id}
    assert history(kept, BEN).forget(None) == [added[BEN].game.id]
    assert len(history(kept, ANN)) == len(history(kept, LOCAL)) == 1


def test_nobody_changes_the_ratings_of_others(kept: HistoryStore) -> None:
    puzzle = mp.puzzle("single-open", level="beginner", seed=1)
    solution = min(puzzle.solution)
    wrong = next(cell for cell in puzzle.board.cells(mp.COVERED) if cell not in puzzle.solution)
    ann, ben, local = (mp.Training.lent(Owned(kept, owner)) for owner in (ANN, BEN, LOCAL))
    techniques = local.ratings()
    assert ann.add(answer(puzzle, wrong))
    assert not ann.add(answer(puzzle, solution)), "answered before"
    assert ann.standing().answers == 1
    assert ann.standing().rating.rating < 700
    for other in (ben, local):
        assert (other.standing().answers, other.standing().rating.rating) == (0, 700)
        assert other.ratings() == techniques
    assert ben.add(answer(puzzle, solution)), "others may answer the same puzzle"
    assert (ben.standing().right, local.standing().answers) == (1, 0)


@pytest.mark.parametrize("version", range(1, len(store.MIGRATIONS)))
def test_games_of_earlier_versions_belong_to_the_player_of_this_machine(where: Path | Address, version: int) -> None:
    opened = HistoryStore(where)
    with mp.History(opened) as filled:
        number = filled.add(finished(seed=1), player="Ann").game.id
        database = opened._database
        with database.writing() as connection:
            connection.execute("DROP TABLE mouse_paths")
            connection.execute("ALTER TABLE games DROP COLUMN accuracy")
            if version < 4:
                connection.execute("DROP TABLE puzzle_runs")
                for column in ("ms", "shape", "board", "run", "solved_later"):
                    connection.execute(f"ALTER TABLE puzzle_answers DROP COLUMN {column}")
            if version < 3:
                connection.execute("DROP INDEX games_by_owner")
                connection.execute("ALTER TABLE games DROP COLUMN owner")
            if version < 2:
                for table in ("puzzle_answers", "ratings"):
                    connection.execute(f"DROP TABLE {table}")
            if not isinstance(database, SQLite):
                connection.execute("UPDATE mineproof_version SET version = ?", [version])
        if isinstance(database, SQLite):
            assert database._connection is not None
            database._connection.execute(f"PRAGMA user_version = {version}")
    again = HistoryStore(where)
    with mp.History(again) as result:
        assert [(game.id, game.player) for game in result.games()] == [(number, "Ann")]
        assert not result.add(finished(seed=1)).new
        assert len(history(again, ANN)) == 0
        assert mp.Training(again).standing().answers == 0


def test_a_damaged_record_is_told_as_such(kept: HistoryStore) -> None:
    local = history(kept, LOCAL)
    number = local.add(finished(seed=1)).game.id
    with kept._database.writing() as connection:
        connection.execute("UPDATE records SET record = ?", ["{"])
    with pytest.raises(mp.HistoryError, match=f"Game {number} in the history .* is damaged: JSON"):
        local.record(number)
