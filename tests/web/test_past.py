"""The history over HTTP: what the library has, in the shapes of the command."""

import base64
import csv
import io
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

import mineproof as mp
from mineproof.game.help import HelpUsed
from mineproof.history.history import games_json
from mineproof.history.store import FILE
from mineproof.history.summaries import summary_json
from mineproof.web.app import Service
from support.recordings import evf, rmv, small
from support.served import Client, serving


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[Client, Service, mp.History]]:
    """Three finished games: a win without help, a loss with help, and a loss on another size."""
    with mp.History.open(tmp_path / FILE) as history:
        for day, (layout, cell, used) in enumerate([
            (mp.Layout(9, 9, frozenset((0, column) for column in range(9)) | {(2, 4)}), (0, 0), {"odds_moves": 2}),
            (mp.Layout(1, 3, frozenset([(0, 0)])), (0, 2), {}),
            (mp.Layout(1, 3, frozenset([(0, 0)])), (0, 0), {}),
        ], 1):  # fmt: skip
            game = mp.Game(layout, first_click="any")
            game.play("flag", (0, 1), ms=0)
            game.play("flag", (0, 1), ms=day)
            game.play("open", cell, ms=1000 * day)
            if not game.is_over:
                game.play("open", (0, 1), ms=1000 * day)
            history.add(game, help_used=used, when=datetime(2026, 11, day, 12, tzinfo=UTC), source="play")
        with serving(tmp_path) as (client, service):
            yield client, service, history


def test_games_are_listed_as_the_command_does(served: tuple[Client, Service, mp.History]) -> None:
    client, _, history = served
    assert client.get("history").json == games_json(history.games())
    assert [game["id"] for game in client.get("history?order=time&limit=2").json["games"]] == [1, 2]
    for query, expected in {
        "level=3x1x1": [3, 2],
        "won=true": [2],
        "won=false&help=true": [1],
        "help=false": [3, 2],
        "since=2026-11-02": [3, 2],
        "until=2026-11-02T23:00%2B00:00": [2, 1],
        "level=expert": [],
    }.items():
        assert [game["id"] for game in client.get(f"history?{query}").json["games"]] == expected, query


@pytest.mark.parametrize(
    "query",
    ["level=x", "won=maybe", "order=size", "limit=0", "limit=-1", "limit=9" + "9" * 30, "since=yesterday", "what=1",
     "since=0001-01-01", "until=9999-12-31"],
)  # fmt: skip
def test_a_query_that_cannot_be_is_refused(client: Client, query: str) -> None:
    answer = client.get(f"history?{query}")
    assert answer.status == 400, answer.content
    assert answer.code in ("usage", "syntax")


def test_the_summary_is_that_of_the_library(served: tuple[Client, Service, mp.History]) -> None:
    client, _, history = served
    assert client.get("history/summary").json == summary_json(history.summaries())
    assert client.get("history/summary?level=3x1x1&help=false").json == summary_json(
        history.summaries(level="3x1x1", with_help=False)
    )
    assert client.get("history/summary?order=time").status == 400


def test_games_come_out_as_a_file(served: tuple[Client, Service, mp.History]) -> None:
    client, _, history = served
    table = client.get("history/export")
    assert table.headers["content-type"] == "text/csv; charset=utf-8"
    assert table.headers["content-disposition"] == 'attachment; filename="mineproof-games.csv"'
    assert table.content.decode().splitlines() == list(history.export("csv"))
    assert [row["id"] for row in csv.DictReader(io.StringIO(table.content.decode()))] == ["3", "2", "1"]
    lines = client.get("history/export?to=jsonl&won=true")
    assert lines.headers["content-type"] == "application/x-ndjson"
    assert [json.loads(line)["id"] for line in lines.content.decode().splitlines()] == [2]
    assert client.get("history/export?to=xml").status == 400
    assert client.get("history/export?to=csv&level=expert").content == b""


def test_a_game_is_looked_back_upon(served: tuple[Client, Service, mp.History]) -> None:
    client, _, history = served
    record = history.record(2)
    expected = mp.review(record, help_used=HelpUsed()).as_json() | {"game": history.game(2).as_json()}
    assert client.get("history/2/review").json == expected
    assert client.get("history/2/timeline").json == mp.timeline(record).as_json() | {"mouse_path": None}
    assert mp.Game.load(client.get("history/2/record").content.decode()).record() == record


def test_a_game_is_named_and_deleted(served: tuple[Client, Service, mp.History]) -> None:
    client, _, history = served
    assert client.post("history/2/name", {"name": "Ann"}).json == games_json([history.game(2)])
    assert history.game(2).player == "Ann"
    assert client.post("history/2/name", {"name": None}).json["games"][0]["player"] is None
    for wrong in ({"name": ""}, {"name": "x" * 41}, {"name": "a\nb"}, {}, {"name": 7}):
        assert client.post("history/2/name", wrong).status == 400
    gone = client.ask("DELETE", "/api/v1/history/2")
    assert gone.json == {"schema": "mineproof/forgotten/1", "forgotten": [2]}
    assert [game.id for game in history.games()] == [3, 1]
    assert client.ask("DELETE", "/api/v1/history/2").code == "not-found"


def test_a_game_goes_on_from_a_move_of_a_kept_one(served: tuple[Client, Service, mp.History]) -> None:
    client, service, _ = served
    answer = client.post("history/1/from", {"move": 2})
    assert answer.status == 201
    assert (answer.json["cells"], "mines" in answer.json) == (["#########"] * 9, False)
    live = service.games._live[answer.json["id"]]
    assert (live.help.repeats, live.fixed, len(live.game.moves)) == (1, True, 2)
    assert live.game._field.layout.mines == {(0, column) for column in range(9)} | {(2, 4)}
    assert client.post("history/1/from", {"move": 3}).code == "illegal-move"  # it was over then
    assert client.post("history/1/from", {"move": 4}).code == "usage"


@pytest.mark.parametrize("number", ["99", "0", "-1", "x", "1e3", "9" * 30, "%D9%A1", "2.0"])
def test_a_number_that_is_none_is_not_found(served: tuple[Client, Service, mp.History], number: str) -> None:
    client, _, _ = served
    for part in ("review", "record", "timeline"):
        assert client.get(f"history/{number}/{part}").code == "not-found"
    assert client.post(f"history/{number}/name", {"name": "Ann"}).code == "not-found"
    assert client.post(f"history/{number}/from", {"move": 0}).code == "not-found"
    assert client.ask("DELETE", f"/api/v1/history/{number}").code == "not-found"


def test_a_history_that_is_not_there_is_empty(client: Client) -> None:
    assert client.get("history").json["games"] == []
    assert client.get("history/summary").json["levels"] == []
    assert client.ask("DELETE", "/api/v1/history/summary").status == 405
    assert client.get("history/1").status == 405


@pytest.mark.parametrize("part", ["record", "review", "timeline", "name"])
def test_a_game_that_is_deleted_meanwhile_is_not_found(
    served: tuple[Client, Service, mp.History], monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    client, _, _ = served
    find = mp.History.game

    def deleted(history: mp.History, number: int) -> object:
        history.forget([number])
        return find(history, number)

    monkeypatch.setattr(mp.History, "game", deleted)
    answer = client.post("history/1/name", {"name": "Ann"}) if part == "name" else client.get(f"history/1/{part}")
    assert (answer.status, answer.code) == (404, "not-found")


def test_an_error_of_the_disk_tells_no_path(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"something else, and long enough to be looked at" * 100)
    with serving(tmp_path) as (client, _):
        answer = client.get("history")
        assert (answer.status, answer.code) == (503, "history")
        assert str(tmp_path).encode() not in answer.content


def test_a_day_without_hyphens_is_a_day(served: tuple[Client, Service, mp.History]) -> None:
    client, _, _ = served
    assert [len(client.get(f"history?until={day}").json["games"]) for day in ("2026-11-02", "20261102")] == [2, 2]


# games from elsewhere


def encoded(data: bytes) -> str:
    return base64.b64encode(data).decode()


def test_a_replay_is_kept_and_looked_back_upon(served: tuple[Client, Service, mp.History]) -> None:
    client, _, history = served
    answer = client.post("history", {"data": encoded(evf(small())), "file": "game.evf"})
    assert answer.json == {
        "schema": "mineproof/imported/1", "added": 1, "known": 0, "failed": 0, "left_out": 0,
        "files": [{"file": "game.evf", "games": [{"id": 4, "new": True}], "error": None}],
    }  # fmt: skip
    assert (history.game(4).player, history.game(4).ms) == ("Ann", 1100)
    assert client.get("history/4/review").json["clicks_by_button"] == [1, 2, 1]
    again = client.post("history", {"data": encoded(rmv(small())), "player": "Bob"}).json
    assert (again["added"], again["known"]) == (0, 1)


def test_games_that_cannot_be_kept_are_refused(served: tuple[Client, Service, mp.History]) -> None:
    client, _, history = served
    on = mp.Game(mp.Layout(2, 4, frozenset([(0, 0)])), first_click="any")
    on.open(0, 3)
    for data, status, code in [
        (evf(small())[:-30], 400, "syntax"), (b"1#/##", 400, "syntax"), (on.save().encode(), 409, "illegal-move"),
        (b"", 400, "syntax"),
    ]:  # fmt: skip
        answer = client.post("history", {"data": encoded(data)})
        assert (answer.status, answer.code) == (status, code)
    assert client.post("history", {"data": encoded(evf(small())), "player": "\x1b"}).status == 400
    assert len(history.games()) == 3


def test_imported_games_are_apart_and_have_their_mouse_path(served: tuple[Client, Service, mp.History]) -> None:
    client, _, history = served
    (added,) = history.import_data(rmv(small()), file="one.rmv")
    number = added.game.id
    own = {level["level"] for level in client.get("history/summary").json["levels"]}
    assert added.game.level not in own
    levels = client.get("history/summary?origin=imported").json["levels"]
    assert [level["level"] for level in levels] == [added.game.level]
    assert [game["id"] for game in client.get("history?origin=imported").json["games"]] == [number]
    assert number not in [game["id"] for game in client.get("history?origin=own").json["games"]]
    assert number in [game["id"] for game in client.get("history").json["games"]]
    assert client.get("history?origin=theirs").status == 400
    path = history.mouse_path(number)
    assert path
    assert client.get(f"history/{number}/timeline").json["mouse_path"] == path


def test_help_and_language_of_a_lesson(served: tuple[Client, Service, mp.History]) -> None:
    client, _, _ = served
    review = client.get("history/1/review").json
    assert (review["with_help"], review["help_used"]["odds_moves"]) == (True, 2)
    assert review["help_text"] == "You used help: 2 moves with odds."
    page = client.get("history/1/lesson?to=html&language=de").content.decode()
    assert '<html lang="de"' in page
    assert "Du hattest Hilfe: " in page
    assert review["help_text"] in client.get("history/1/lesson?to=html").content.decode()
