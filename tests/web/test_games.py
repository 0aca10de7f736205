"""Games over HTTP: moves by the rules, help that is counted, no mine in any byte before the end, nothing lost."""

import asyncio
import json
import random
import secrets
import socket
import sqlite3
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import mineproof as mp
from mineproof.base.budget import Budget, Deadline
from mineproof.game.game import Game
from mineproof.game.risks import Risks
from mineproof.history.postgresql import Address
from mineproof.history.store import FILE as HISTORY
from mineproof.history.store import HistoryStore as Past
from mineproof.web import games, limits, store
from mineproof.web.app import Service
from mineproof.web.live_game import Live
from support.patience import PATIENCE
from support.served import Answer, Client, posted, serving, wait

SMALL = {"rows": 5, "columns": 6, "mines": 5}


def begin(client: Client, **wanted: object) -> str:
    answer = client.post("games", wanted)
    assert answer.status == 201, answer.content
    return str(answer.json["id"])


def move(client: Client, game_id: str, kind: str, *cell: int) -> Answer:
    return client.post(f"games/{game_id}/moves", {"kind": kind} | ({"cell": list(cell)} if cell else {}))


def flag(client: Client, game_id: str, row: int, column: int, seconds: float = 120.0) -> None:
    """Flag a cell. Where a loaded machine answers 503 the flag may be there: look first, then try again."""
    end = time.monotonic() + seconds
    while (answer := move(client, game_id, "flag", row, column)).status != 200:
        assert answer.status == 503, answer.content
        while (shown := client.get(f"games/{game_id}")).status == 503:
            assert time.monotonic() < end, shown.content
            time.sleep(0.1)
        if shown.json["cells"][row][column] == "F":
            return
        assert time.monotonic() < end, answer.content


def finish(client: Client, game_id: str, seed: int = 0) -> list[Answer]:
    """Open covered cells, one after the other, until the game is over."""
    chance = random.Random(seed)
    answers: list[Answer] = []
    while True:
        shown = client.get(f"games/{game_id}").json
        if shown["status"] in ("won", "lost"):
            return answers
        covered = [(r, c) for r, row in enumerate(shown["cells"]) for c, sign in enumerate(row) if sign == "#"]
        answers.append(move(client, game_id, "open", *chance.choice(covered)))


def test_a_game_begins_as_it_is_asked_for(client: Client) -> None:
    answer = client.post("games", {"level": "expert"})
    view = answer.json
    assert (answer.status, view["schema"], view["status"]) == (201, "mineproof/view/1", "new")
    assert (view["rows"], view["columns"], view["total_mines"]) == (16, 30, 99)
    assert set(view) == {"id", "moves", *mp.Game(mp.generate(2, 2, 1, seed=0)).as_json()}
    assert client.get(f"games/{view['id']}").json == view


def test_moves_are_those_of_the_rules(client: Client) -> None:
    game_id = begin(client, **SMALL, seed=7, first_click="safe")
    mirror = mp.Game(mp.generate(5, 6, 5, seed=7), seed=7)
    cells = [("open", (0, 0)), ("flag", (4, 5)), ("question", (4, 5)), ("question", (4, 5)), ("undo", None)]
    for kind, cell in cells:
        answer = move(client, game_id, kind, *(cell or ()))
        outcome = mirror.play(kind, cell)  # type: ignore[arg-type]
        assert answer.status == 200, answer.content
        found = answer.json
        assert found["cells"] == mirror.as_json()["cells"]
        assert found["outcome"] == {
            "opened": [[*each, number] for each, number in sorted(outcome.opened.items())],
            "exploded": [],
            "redrawn": False,
        }


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"kind": "open", "cell": [9, 9]}, 409, "outside"),
        ({"kind": "open", "cell": [-1, 0]}, 409, "outside"),
        ({"kind": "chord", "cell": [4, 5]}, 409, "illegal-move"),
        ({"kind": "open"}, 409, "illegal-move"),
        ({"kind": "undo", "cell": [0, 0]}, 409, "illegal-move"),
        ({"kind": "undo"}, 409, "illegal-move"),
        ({"kind": "explode", "cell": [0, 0]}, 400, "syntax"),
        ({"kind": "open", "cell": [0]}, 400, "syntax"),
        ({"kind": "open", "cell": [2**70, 0]}, 409, "outside"),
    ],
)
def test_an_illegal_move_changes_nothing(client: Client, body: object, status: int, code: str) -> None:
    game_id = begin(client, **SMALL)
    before = client.get(f"games/{game_id}").json
    answer = client.post(f"games/{game_id}/moves", body)
    assert (answer.status, answer.code) == (status, code), answer.content
    assert client.get(f"games/{game_id}").json == before


@pytest.mark.parametrize("part", ["", "/hint", "/odds", "/best", "/review", "/record", "/timeline"])
def test_an_id_that_is_none_is_not_found(client: Client, part: str) -> None:
    answer = client.get(f"games/nobody{part}")
    assert (answer.status, answer.code) == (404, "not-found")


def test_ids_cannot_be_guessed(client: Client) -> None:
    ids = {begin(client, **SMALL, seed=1) for _ in range(20)}
    assert len(ids) == 20
    assert min(map(len, ids)) >= 24


def test_a_no_guess_board_is_made_for_the_first_click(client: Client) -> None:
    game_id = begin(client, level="beginner", no_guess=True, seed=3)
    move(client, game_id, "flag", 0, 0)
    view = move(client, game_id, "open", 4, 4).json
    assert view["cells"][0][0] == "F"
    while view["status"] == "running":
        found = client.get(f"games/{game_id}/odds").json
        assert found["safe"], "a guess is needed"
        opened = [cell for cell in found["safe"] if view["cells"][cell[0]][cell[1]] == "#"]
        if not opened:
            view = move(client, game_id, "flag", *found["safe"][0]).json  # a wrong flag is taken off
            continue
        view = move(client, game_id, "open", *opened[0]).json
    assert view["status"] == "won"


def test_a_no_guess_board_is_made_once(place: Path | Address) -> None:
    """Another first click after an undo meets the same board, and the clock is not set back."""
    with serving(place) as (client, service):
        game_id = begin(client, level="beginner", no_guess=True, seed=3)
        move(client, game_id, "open", 4, 4)
        game = service.games._live[game_id].game
        layout = game.record().layout
        game._stopwatch.set(60_000)
        move(client, game_id, "undo")
        free = next(cell for cell in layout.cells() if cell not in layout.mines and cell != (4, 4))
        view = move(client, game_id, "open", *free).json
        assert view["seconds"] >= 60
        assert service.games._live[game_id].game.record().layout == layout


SLOW = {"rows": 100, "columns": 100, "mines": 3500, "no_guess": True}


def first_click(client: Client, game_id: str) -> socket.socket:
    """The first click of a game, which is not waited for."""
    connection = socket.create_connection(("127.0.0.1", client.port), timeout=PATIENCE)
    connection.sendall(posted(f"games/{game_id}/moves", b'{"kind": "open", "cell": [50, 50]}'))
    return connection


def test_a_player_does_not_wait_for_boards_that_are_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "MOVE_BUDGET", Budget(3600.0, limits.STATES))
    with serving(tmp_path) as (client, service):
        mine = begin(client, **SMALL)
        clicks = [first_click(client, begin(client, **SLOW)) for _ in range(limits.BOARDS + 2)]
        assert wait(lambda: service.boards.load == len(clicks))
        assert move(client, mine, "open", 0, 0).status == 200
        assert begin(client, **SMALL)
        assert service.boards.load == len(clicks), "the boards are made already, so this shows nothing"
        for connection in clicks:
            connection.close()
        assert wait(lambda: service.boards.load == 0), "boards are made without a waiting client"


def test_so_many_boards_of_a_client_and_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "BOARDS_PER_CLIENT", 1)
    with serving(tmp_path) as (client, service):
        ids = [begin(client, **SLOW) for _ in range(2)]
        with first_click(client, ids[0]):
            assert wait(lambda: service.boards.load == 1)
            answer = move(client, ids[1], "open", 50, 50)
            assert (answer.status, answer.code) == (429, "too-many")
        assert wait(lambda: service.boards.load == 0)
        begun_again = begin(client, level="beginner", no_guess=True)
        assert move(client, begun_again, "open", 4, 4).status == 200


def test_a_board_that_was_given_up_is_made_when_it_is_asked_for_again(tmp_path: Path) -> None:
    with serving(tmp_path) as (client, service):
        game_id = begin(client, level="beginner", no_guess=True, fairness="forced")
        service.boards._most = 0
        assert move(client, game_id, "open", 4, 4).status == 503
        service.boards._most = 1
        assert move(client, game_id, "open", 4, 4).json["status"] == "running"
        assert service.games._live[game_id].game._budget.cancelled is None, "later moves would be given up at once"


# what leaves


def holds_mines(content: bytes, mines: frozenset[tuple[int, int]], saved: dict[str, Any], seed: int) -> list[str]:
    """What of a game's secrets is in some bytes: the list of mines in any order of JSON, a bitmap, the seed."""
    text = content.decode()
    found = [] if str(seed) not in text else ["seed"]
    found += [name for name in ("layout", "seed", "start", "redraws_mines") if f'"{name}":' in text]
    found += ["bitmap"] if saved["layout"] in text else []
    listed = json.dumps([list(cell) for cell in sorted(mines)], separators=(",", ":"))
    return found + (["mines"] if listed in text or listed[1:-1] in text else [])


LOOKS = ("", "/hint", "/odds", "/record", "/review", "/timeline")
TRIES = (("from", {"move": 0}), ("from", {"move": 1}), ("pause", None), ("resume", None))


def secrets_of(live: Live) -> tuple[frozenset[tuple[int, int]], dict[str, Any], int]:
    return live.game._field.layout.mines, json.loads(live.to_json()), live.game.seed


@pytest.mark.parametrize("rules", [{}, {"fairness": "kind"}, {"fairness": "strict"}, {"no_guess": True}])
def test_no_answer_about_a_running_game_holds_its_mines(
    tmp_path: Path, rules: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    seeds = iter(range(2**63 + 12345678901, 2**64, 12345678901))  # not requested, and the same every time
    monkeypatch.setattr(secrets, "randbits", lambda _: next(seeds))
    sent = repeated = 0
    with serving(tmp_path) as (client, service):
        for number in range(6):
            game_id = begin(client, level="beginner", **rules)
            chance = random.Random(number)
            while True:
                covered = [
                    (r, c) for r, row in enumerate(client.get(f"games/{game_id}").json["cells"])
                    for c, sign in enumerate(row) if sign in "#F"
                ]  # fmt: skip
                kind = chance.choice(["open", "open", "flag", "question", "chord", "undo"])
                asked = [move(client, game_id, kind, *(() if kind == "undo" else chance.choice(covered)))]
                live = service.games._live[game_id]
                if live.game.is_over:
                    break
                asked += [client.get(f"games/{game_id}{part}") for part in LOOKS]
                asked += [client.post(f"games/{game_id}/{part}", body) for part, body in TRIES]
                mines, saved, seed = secrets_of(live)
                if mp.analyze(live.game.board.without_flags()).mines == mines:
                    break  # everybody can work out where they are
                for answer in asked:
                    everything = answer.content + str(answer.headers).encode()
                    assert holds_mines(everything, mines, saved, seed) == [], answer.content
                    if answer.status == 200:
                        assert "mines" not in answer.json or answer.json["schema"] != "mineproof/view/1"
                        if answer.json["schema"] == "mineproof/view/1":
                            assert all(answer.json["cells"][r][c] in "#F?" for r, c in mines)
                    sent += 1
                if chance.random() < 0.02 + 0.2 * (number % 2):  # every other game is hardly begun
                    break
            if live.game.is_over:
                continue
            mines, saved, seed = secrets_of(live)
            best = client.get(f"games/{game_id}/best")
            assert holds_mines(best.content, mines, saved, seed) == []
            again = client.post(f"games/{game_id}/again", None)
            assert again.status == 201, again.content
            assert client.get(f"games/{game_id}").status == 404, "the first game could be won with what this one shows"
            start = again.json.get("start")
            assert start is None or start not in map(list, mines)
            told = again.content.replace(b'"start":', b"") + str(again.headers).encode()
            assert holds_mines(told, mines, saved, seed) == []
            repeated += 1
    assert repeated > 0
    assert sent > 50, "hardly anything was looked at"


def test_the_search_for_mines_finds_them() -> None:
    """What the test above looks with sees what it must never see."""
    mines, saved = frozenset([(0, 1), (2, 3)]), {"layout": "a1b2c3"}
    for leak in (b'{"mines":[[0,1],[2,3]]}', b'{"seed": 5}', b"x 8472913 x", b'"a1b2c3"', b'{"layout":"?"}'):
        assert holds_mines(leak, mines, saved, 8472913)
    assert holds_mines(b'{"cells":["1#"],"safe":[[0,1]]}', mines, saved, 8472913) == []


def test_the_end_shows_everything(client: Client) -> None:
    game_id = begin(client, level="beginner", first_click="any")
    for part in ("review", "record", "timeline"):
        before = client.get(f"games/{game_id}/{part}")
        assert (before.status, before.code) == (409, "illegal-move")
    finish(client, game_id)
    view = client.get(f"games/{game_id}").json
    assert len(view["mines"]) == 10
    record = client.get(f"games/{game_id}/record").json
    assert record["schema"] == "mineproof/game/1"
    played = Game.load(json.dumps(record))
    assert sorted(map(list, played.layout.mines)) == view["mines"]
    assert client.get(f"games/{game_id}/review").json["schema"] == "mineproof/review/1"
    assert client.get(f"games/{game_id}/timeline").json == mp.timeline(played).as_json()
    for part in ("hint", "odds", "best"):
        assert client.get(f"games/{game_id}/{part}").status == 409
    if view["status"] == "lost":
        undone = move(client, game_id, "undo").json
        assert undone["status"] in ("running", "new")
        assert "mines" not in undone
        assert client.get(f"games/{undone['id']}/record").status == 409


# other ways to begin


GUESSED = "..*/.*./..."


def test_a_layout_is_played_as_it_is(tmp_path: Path) -> None:
    with serving(tmp_path) as (client, service):
        game_id = begin(client, layout=GUESSED)
        assert move(client, game_id, "open", 0, 2).json["exploded"] == [[0, 2]]
        wait_for_history(service)
    with mp.History.open(tmp_path / HISTORY) as history:
        [kept] = history.games()
    assert (kept.given, kept.counts, kept.first_click) == (True, False, "any")


def test_the_start_of_a_layout_is_told_until_it_is_opened(client: Client) -> None:
    made = mp.generate(9, 9, 10, seed=3, no_guess=True, start=(4, 4))
    game_id = begin(client, layout=json.dumps(made.as_json()))
    assert client.get(f"games/{game_id}").json["start"] == [4, 4]
    opened = move(client, game_id, "open", 4, 4).json
    assert "start" not in opened
    assert opened["cells"][4][4] == "0"


def test_a_layout_that_is_no_guess_is_not_made_again_for_another_click(tmp_path: Path) -> None:
    made = mp.generate(9, 9, 10, seed=3, no_guess=True, start=(4, 4))
    safe = next(cell for cell in made.cells() if cell not in made.mines and cell != (4, 4))
    with serving(tmp_path) as (client, service):
        game_id = begin(client, layout=json.dumps(made.as_json()))
        move(client, game_id, "open", *safe)
        assert service.games._live[game_id].game._field.layout.mines == made.mines


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"level": "expert"}, "usage"),
        ({"rows": 3}, "usage"),
        ({"seed": 0}, "usage"),
        ({"no_guess": True}, "usage"),
        ({"first_click": "safe"}, "usage"),
        ({"layout": "1#/##"}, "syntax"),
        ({"layout": "**/**"}, "syntax"),
        ({"layout": ""}, "syntax"),
        ({"layout": "no layout"}, "syntax"),
    ],
)
def test_a_layout_says_all_of_a_board(client: Client, more: dict[str, Any], code: str) -> None:
    answer = client.post("games", {"layout": GUESSED} | more)
    assert (answer.status, answer.code) == (400, code), answer.content


def test_the_same_board_again(place: Path | Address) -> None:
    with serving(place) as (client, service):
        first = begin(client, level="beginner")
        finish(client, first)
        mines = client.get(f"games/{first}").json["mines"]
        opened = service.games._live[first].game.line[0].cell
        second = client.post(f"games/{first}/again", None)
        assert second.status == 201
        view = second.json
        assert (view["status"], view["seconds"], "mines" in view) == ("new", 0.0, False)
        assert (view["id"] != first, view["start"]) == (True, list(opened or ()))
        assert move(client, view["id"], "open", *(opened or ())).json["status"] in ("running", "won")
        assert sorted(map(list, service.games._live[view["id"]].game._field.layout.mines)) == mines
        assert client.get(f"games/{first}").status == 200  # it is over: it stays
        finish(client, view["id"])
        third = client.post(f"games/{view['id']}/again", {}).json
        assert service.games._live[third["id"]].help.repeats == 2
        wait_for_history(service)
    with history_of(place) as history:
        assert {(kept.again, kept.counts) for kept in history.games()} == {(None, True), (True, False)}


def test_a_running_game_is_given_up_for_the_same_board_again(client: Client) -> None:
    first = begin(client, **SMALL, seed=7)
    move(client, first, "open", 0, 0)
    second = client.post(f"games/{first}/again", None)
    assert second.status == 201
    assert client.get(f"games/{first}").status == 404
    assert client.post(f"games/{first}/again", None).status == 404


def test_a_no_guess_board_that_is_not_made_yet_is_still_made_when_it_is_begun_again(tmp_path: Path) -> None:
    with serving(tmp_path) as (client, service):
        first = begin(client, level="beginner", no_guess=True, seed=3)
        second = client.post(f"games/{first}/again", None).json
        assert "start" not in second
        move(client, second["id"], "open", 4, 4)
        layout = service.games._live[second["id"]].game.record().layout
        assert (layout.no_guess, layout.start) == (True, (4, 4))


def test_a_game_goes_on_from_any_move_of_one_that_is_over(tmp_path: Path) -> None:
    with serving(tmp_path) as (client, service):
        first = begin(client, level="beginner", seed=7)
        early = client.post(f"games/{first}/from", {"move": 0})
        assert (early.status, early.code) == (409, "illegal-move")
        shown = [client.get(f"games/{first}").json["cells"], move(client, first, "flag", 0, 0).json["cells"]]
        shown += [answer.json["cells"] for answer in finish(client, first)]
        over = client.get(f"games/{first}").json
        for number, cells in enumerate(shown[:-1]):
            answer = client.post(f"games/{first}/from", {"move": number})
            assert answer.status == 201, answer.content
            assert (answer.json["cells"], "mines" in answer.json) == (cells, False)
            second = answer.json["id"]
        last = client.post(f"games/{first}/from", {"move": len(shown) - 1})
        assert (last.status, last.code) == (409, "illegal-move")
        assert client.post(f"games/{first}/from", {"move": len(shown)}).code == "usage"
        assert client.post(f"games/{first}/from", {"move": -1}).code == "syntax"
        assert client.get(f"games/{first}").json == over
        finish(client, second, seed=1)
        assert client.get(f"games/{second}").json["mines"] == over["mines"]
        wait_for_history(service)
    with mp.History.open(tmp_path / HISTORY) as history:
        assert {(kept.again, kept.counts) for kept in history.games()} == {(None, True), (True, False)}


def test_a_game_from_its_beginning_has_the_mines_as_the_first_click_left_them(client: Client) -> None:
    """On a board where that click moved a mine; the mark that was set before it is there, too."""
    for seed in range(100):
        layout = mp.generate(5, 6, 12, seed=seed)
        if (2, 2) in layout.mines:
            break
    first = begin(client, rows=5, columns=6, mines=12, seed=seed)
    move(client, first, "flag", 0, 0)
    move(client, first, "open", 2, 2)
    finish(client, first)
    mines = client.get(f"games/{first}").json["mines"]
    assert mines != sorted(map(list, layout.mines))
    view = client.post(f"games/{first}/from", {"move": 1}).json
    assert (view["cells"][0][0], view["start"]) == ("F", [2, 2])
    finish(client, view["id"])
    moved = {tuple(cell) for cell in client.get(f"games/{view['id']}").json["mines"]} ^ {tuple(cell) for cell in mines}
    assert len(moved) <= 2  # the first click of this game may move one mine of its own


def test_a_pause_stops_the_clock_and_moves_wait_for_it(place: Path | Address) -> None:
    with serving(place) as (client, _):
        game_id = begin(client, level="beginner", seed=7)
        assert client.post(f"games/{game_id}/pause", None).status == 409  # the clock does not run yet
        assert move(client, game_id, "open", 4, 4).json["paused"] is False
        paused = client.post(f"games/{game_id}/pause", None).json
        assert paused["paused"] is True
        refused = move(client, game_id, "flag", 0, 0)
        assert (refused.status, refused.code) == (409, "illegal-move")
        for part in ("hint", "odds", "best"):
            refused = client.get(f"games/{game_id}/{part}")
            assert (refused.status, refused.code) == (409, "illegal-move")
        assert client.post(f"games/{game_id}/pause", {}).json == paused
    with serving(place) as (client, service):
        assert client.get(f"games/{game_id}").json == paused  # to the millisecond
        assert service.games._live[game_id].help.pauses == 1
        assert client.post(f"games/{game_id}/resume", None).json["paused"] is False
        assert client.post(f"games/{game_id}/resume", None).status == 200
        assert move(client, game_id, "flag", 0, 0).status == 200
        finish(client, game_id)
        assert client.post(f"games/{game_id}/pause", None).status == 409


def test_a_paused_game_shows_no_cell(place: Path | Address) -> None:
    """Also after a restart; what is no cell, and the number of mines that are not flagged, stay."""
    with serving(place) as (client, _):
        absent = json.dumps(mp.Layout(3, 4, frozenset([(0, 3)]), absent=frozenset([(2, 0)])).as_json())
        game_id = begin(client, layout=absent)
        move(client, game_id, "open", 0, 2)
        move(client, game_id, "question", 0, 1)
        seen = move(client, game_id, "flag", 0, 3).json
        assert (seen["cells"][0], seen["cells"][2][0]) == ("#?1F", "~")
        paused = client.post(f"games/{game_id}/pause", None).json
        assert (paused["cells"], paused["mines_left"]) == (["####", "####", "~###"], 0)
    with serving(place) as (client, _):
        assert client.get(f"games/{game_id}").json["cells"] == paused["cells"]
        assert client.post(f"games/{game_id}/resume", None).json["cells"] == seen["cells"]


def test_the_games_of_an_earlier_version_go_on(tmp_path: Path) -> None:
    with serving(tmp_path) as (client, _):
        game_id = begin(client, level="beginner", seed=7)
        before = move(client, game_id, "open", 4, 4).json["cells"]
    with sqlite3.connect(tmp_path / store.FILE) as database:
        later = ("owner", "touched_uptime", "changed_uptime", "blocks")
        for column in ("is_untouched", "version", "changed", "odds_at", "is_paused", *later):
            database.execute(f"ALTER TABLE games DROP COLUMN {column}")
        for table in ("ended", "servers", "ending", "uptime", "blocks"):
            database.execute(f"DROP TABLE {table}")
        database.execute("PRAGMA user_version = 1")
    database.close()
    with serving(tmp_path) as (client, _):
        assert client.get(f"games/{game_id}").json["cells"] == before
        assert client.post(f"games/{game_id}/pause", None).json["paused"] is True


# help


def test_help_is_the_answer_of_the_library_and_counted(place: Path | Address) -> None:
    with serving(place) as (client, service):
        game_id = begin(client, level="beginner", seed=7)
        move(client, game_id, "open", 4, 4)
        board = service.games._live[game_id].game.board
        expected = mp.hint(board).as_json(2) | {"board": board.as_json()}
        assert client.get(f"games/{game_id}/hint?level=2").json == expected
        assert client.get(f"games/{game_id}/odds").json == mp.analyze(board).as_json() | {"survived": 1.0}
        client.get(f"games/{game_id}/odds")
        assert client.get(f"games/{game_id}/best").json["best"] == list(mp.best_move(board).cell or ())
        move(client, game_id, "flag", 0, 0)
        move(client, game_id, "undo")
        client.get(f"games/{game_id}/odds")
        used = service.games._live[game_id].help
    assert used.hints == (0, 1, 0, 0)
    assert (used.odds_moves, used.best_moves, used.undos) == (2, 1, 1)


def test_survived_is_worked_out_move_by_move_and_again_after_a_restart(place: Path | Address) -> None:
    """Of a fair game with moves taken back, with odds requested now and then: always those of the whole game."""
    with serving(place) as (client, service):
        game_id = begin(client, rows=8, columns=9, mines=16, seed=5, fairness="forced")
        move(client, game_id, "open", 4, 4)
        chance, told = random.Random(3), []
        for number in range(40):
            live = service.games._live[game_id]
            kind = "undo" if live.game.is_over or chance.random() < 0.2 else "open"
            covered = list(live.game.board.cells(mp.COVERED))
            view = move(client, game_id, kind, *(() if kind == "undo" else chance.choice(covered))).json
            game_id = view["id"]  # an undo after the end is a new game
            if view["status"] == "running" and number % 3 != 1:
                record = service.games._live[game_id].game.record()
                told.append(client.get(f"games/{game_id}/odds").json["survived"])
                assert told[-1] == Risks(record).survive(record, Deadline(Budget()))
        if view["status"] == "lost":
            game_id = move(client, game_id, "undo").json["id"]
        last = client.get(f"games/{game_id}/odds").json
    assert len(set(told)) > 3, told
    with serving(place) as (client, _):
        assert client.get(f"games/{game_id}/odds").json == last


@pytest.mark.parametrize("query", ["level=0", "level=5", "level=x", "levels=1", "level=1&level=2", "level", "%zz=1"])
def test_a_query_that_is_none_is_refused(client: Client, query: str) -> None:
    answer = client.get(f"games/{begin(client, **SMALL)}/hint?{query}")
    assert (answer.status, answer.code) == (400, "usage")


# keeping


def test_a_finished_game_goes_into_the_history_with_its_help(place: Path | Address) -> None:
    with serving(place) as (client, service):
        game_id = begin(client, level="beginner")
        move(client, game_id, "open", 4, 4)
        client.get(f"games/{game_id}/hint?level=4")
        finish(client, game_id)
        wait_for_history(service)
    with history_of(place) as history:
        [kept] = history.games()
    assert (kept.level, kept.source, kept.with_help) == ("beginner", "serve", True)


def history_of(place: Path | Address) -> mp.History:
    return mp.History(Past(place / HISTORY if isinstance(place, Path) else place))


def wait_for_history(service: Service) -> None:
    assert wait(lambda: not service._store.not_in_history()), "a finished game is not in the history"


def test_games_survive_a_restart(place: Path | Address) -> None:
    with serving(place) as (client, _):
        game_id = begin(client, level="beginner", seed=7)
        move(client, game_id, "open", 4, 4)
        client.get(f"games/{game_id}/hint?level=1")
        before = move(client, game_id, "flag", 0, 0).json
    with serving(place) as (client, service):
        after = client.get(f"games/{game_id}").json
        assert {**after, "seconds": 0} == {k: v for k, v in before.items() if k != "outcome"} | {"seconds": 0}
        assert service.games._live[game_id].help.hints == (1, 0, 0, 0)
        finish(client, game_id)


def test_what_a_server_could_not_hand_over_is_handed_over_by_the_next(
    place: Path | Address, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(games.LiveGames, "_queue_for_history", lambda *_: None)
    with serving(place) as (client, service):
        finish(client, begin(client, **SMALL))
        assert len(service._store.not_in_history()) == 1
    monkeypatch.undo()
    with serving(place) as (_, service):
        wait_for_history(service)
    with history_of(place) as history:
        assert len(history) == 1


def unkept(client: Client, service: Service, number: int) -> list[str]:
    """Finished games that are not in the history yet."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(service.games, "_queue_for_history", lambda *_: None)
        ids = [begin(client, **SMALL, seed=each) for each in range(number)]
        for game_id in ids:
            finish(client, game_id)
    return ids


def test_a_slow_history_takes_one_thread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However often games that are left over are found, each waits once, and one at a time is handed over."""
    looks, loads, free = list[float](), list[int](), threading.Event()
    left_over, kept = store.GameStore.not_in_history, games.LiveGames._add_to_history

    def looked(self: store.GameStore, seconds: float = 0.0) -> list[store.Ended]:
        looks.append(seconds)
        return left_over(self, seconds)

    def slow(self: games.LiveGames, end: store.Ended) -> None:
        loads.append(self._questions.light.load)
        assert free.wait(PATIENCE)
        kept(self, end)

    with serving(tmp_path) as (client, service):
        unkept(client, service, 6)
    monkeypatch.setattr(games, "LEFT_OVER_SECONDS", 0.02)
    monkeypatch.setattr(store.GameStore, "not_in_history", looked)
    monkeypatch.setattr(games.LiveGames, "_add_to_history", slow)
    with serving(tmp_path) as (client, service):
        assert wait(lambda: len(looks) > 10)
        assert (len(service.games._tasks), len(service.games._waiting), len(loads)) == (1, 6, 1)
        assert service.questions.light.load <= 2  # and a look
        free.set()
        wait_for_history(service)
        assert wait(lambda: not service.games._waiting)
    with history_of(tmp_path) as history:
        assert len(history) == 6


def test_what_waits_for_the_history_and_what_is_told_of_it_is_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(games, "MAX_WAITING_GAMES", 3)
    monkeypatch.setattr(games, "MAX_REPORTED_GAMES", 2)
    tried = list[str]()

    def full(_: object, end: store.Ended) -> None:
        tried.append(end.game_id)
        raise mp.HistoryError("the disk is full")

    with serving(tmp_path) as (client, service):
        ids = unkept(client, service, 5)
    monkeypatch.setattr(games.LiveGames, "_add_to_history", full)
    with serving(tmp_path) as (client, service):
        assert wait(lambda: len(tried) == 3 and not service.games._waiting)
        assert set(tried) < set(ids)
        assert len(service.games._reported) <= 2
        assert len(service._store.not_in_history()) == 5  # for later
    assert capsys.readouterr().err.count("a finished game is not in the history yet: the disk is full\n") == 3


def test_a_store_that_cannot_tell_what_is_over_does_not_keep_a_server_from_starting(
    place: Path | Address, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def away(*_: object) -> list[store.Ended]:
        raise mp.HistoryError("the database has gone away")

    with serving(place, change=lambda service: monkeypatch.setattr(service._store, "not_in_history", away)) as (
        client,
        _,
    ):
        assert client.post("games", SMALL).status == 201
    told = "mineproof: cannot look up finished games now: the database has gone away\n"
    err = capsys.readouterr().err
    assert told in err
    assert err.replace(told, "") == ""  # it looks again after a minute


def test_a_move_that_cannot_be_saved_is_not_made(place: Path | Address, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(place) as (client, service):
        game_id = begin(client, **SMALL, seed=7)
        before = move(client, game_id, "flag", 0, 0).json

        def full(*_: object, **__: object) -> None:
            raise mp.HistoryError("the disk is full")

        monkeypatch.setattr(service._store, "save", full)
        answer = move(client, game_id, "open", 4, 4)
        assert (answer.status, answer.code) == (503, "history")
        monkeypatch.undo()
        assert client.get(f"games/{game_id}").json["cells"] == before["cells"]


def test_a_move_that_says_how_many_were_made_is_not_made_twice(place: Path | Address) -> None:
    with serving(place) as (client, _):
        game_id = begin(client, **SMALL, seed=7)
        flag = {"kind": "flag", "cell": [0, 0], "moves": 0}
        assert client.post(f"games/{game_id}/moves", flag).json["moves"] == 1
        again = client.post(f"games/{game_id}/moves", flag)
        assert (again.status, again.code) == (409, "illegal-move")
        assert again.json["message"] == (
            "The game has changed: this move is for move count 0, the game has 1. Reload the game."
        )
        undo = {"kind": "undo", "moves": 1}
        assert client.post(f"games/{game_id}/moves", undo).json["moves"] == 2  # an undo is one, too
        assert client.post(f"games/{game_id}/moves", undo).status == 409
        assert client.get(f"games/{game_id}").json["cells"][0] == "######"
        assert client.post(f"games/{game_id}/moves", flag | {"moves": -1}).status == 400


def test_a_move_whose_commit_was_not_answered_may_have_been_made(
    place: Path | Address, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(place) as (client, service):
        game_id = begin(client, **SMALL, seed=7)
        save = service._store.save

        def unanswered(*arguments: Any, **options: Any) -> None:
            save(*arguments, **options)
            raise mp.HistoryError("the connection was lost")

        flag = {"kind": "flag", "cell": [0, 0], "moves": 0}
        with monkeypatch.context() as patch:
            patch.setattr(service._store, "save", unanswered)
            answer = client.post(f"games/{game_id}/moves", flag)
        assert (answer.status, answer.code) == (503, "history")
        assert answer.json["message"].endswith("may have been carried out: look at the game before you try again.")
        assert client.post(f"games/{game_id}/moves", flag).status == 409
        assert client.get(f"games/{game_id}").json["cells"][0] == "F#####"


def test_a_server_that_ends_does_not_say_that_a_move_can_be_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def cancelled(*_: object) -> None:
        raise asyncio.CancelledError

    with serving(tmp_path) as (client, service):
        monkeypatch.setattr(service.games, "move", cancelled)
        monkeypatch.setattr(service.games, "view", cancelled)
        moved, viewed = move(client, "any", "flag", 0, 0), client.get("games/any")
        assert {moved.code, viewed.code} == {"busy"}
        assert "look at the game before you try again" in moved.json["message"]
        assert viewed.json["message"] == "The server is shutting down. Try again in a moment."


@pytest.mark.parametrize("kind", ["open", "undo", "pause", "hint"])
def test_what_cannot_be_saved_changes_neither_clock_nor_help(
    place: Path | Address, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    def full(*_: object, **__: object) -> None:
        raise mp.HistoryError("the disk is full")

    with serving(place) as (client, service):
        game_id = begin(client, **SMALL, seed=7)
        before = move(client, game_id, "open", 0, 0).json
        live = service.games._live[game_id]
        live.game._stopwatch.set(60_000)  # a minute has passed
        used = live.help
        with monkeypatch.context() as patch:
            patch.setattr(service._store, "save", full)
            if kind == "hint":
                answer = client.get(f"games/{game_id}/hint")
            elif kind == "pause":
                answer = client.post(f"games/{game_id}/pause", None)
            else:
                answer = move(client, game_id, kind, *((4, 5) if kind == "open" else ()))
            assert (answer.status, answer.code) == (503, "history")
        found = client.get(f"games/{game_id}").json
        assert (found["cells"], found["paused"]) == (before["cells"], False)
        assert found["seconds"] >= 60
        assert service.games._live[game_id].help == used
        assert move(client, game_id, "flag", 4, 5).json["seconds"] >= 60


def test_a_move_that_is_not_taken_on_leaves_the_clock_alone(
    place: Path | Address, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(place) as (client, service):
        game_id = begin(client, **SMALL, seed=7)
        move(client, game_id, "open", 0, 0)
        service.games._live[game_id].game._stopwatch.set(60_000)
        with monkeypatch.context() as patch:
            patch.setattr(service.moves, "_most", 0)
            answer = move(client, game_id, "flag", 4, 5)
            assert (answer.status, answer.code) == (503, "busy")
        assert client.get(f"games/{game_id}").json["seconds"] >= 60


def test_the_clock_of_a_game_that_left_memory_goes_on(place: Path | Address, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "GAMES_IN_MEMORY", 1)
    with serving(place) as (client, service):
        game_id = begin(client, **SMALL, seed=7)
        move(client, game_id, "open", 0, 0)
        begin(client, **SMALL)
        assert game_id not in service.games._live
        execute(service, "UPDATE games SET changed = changed - 3600, changed_uptime = changed_uptime - 3600")
        service.games._started -= 3600
        assert 3600 <= client.get(f"games/{game_id}").json["seconds"] < 7200


def test_the_clock_stands_while_the_server_does_not_run(place: Path | Address) -> None:
    with serving(place) as (client, service):
        game_id = begin(client, **SMALL, seed=7)
        seconds = move(client, game_id, "open", 0, 0).json["seconds"]
        execute(service, "UPDATE games SET changed = changed - 3600")
    with serving(place) as (client, service):
        assert seconds <= client.get(f"games/{game_id}").json["seconds"] < 3600


def test_a_server_that_is_alone_does_not_say_again_and_again_that_it_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store.GameStore, "runs", lambda *_: pytest.fail("it was said"))
    with serving(tmp_path) as (client, service):
        assert client.post("games", SMALL).status == 201
        assert service._store._database.rows("SELECT id FROM servers") == []
    service = Service(tmp_path, workers=2, started=1.0)  # one of its workers, which know when the first one started
    assert service.games._started == 1.0
    assert service.close()


def execute(service: Service, statement: str, *values: object) -> None:
    """Behind the server's back."""
    with service._store._database.writing() as database:
        database.execute(statement, values)


def test_nobody_waits_long_for_another_program_that_has_the_file(tmp_path: Path) -> None:
    """Moves are written one at a time: what each waits is waited by all after it."""
    with serving(tmp_path) as (client, _):
        game_id = begin(client, **SMALL)
        other = sqlite3.connect(tmp_path / store.FILE, isolation_level=None)
        other.execute("BEGIN EXCLUSIVE")
        assert move(client, game_id, "flag", 0, 0).code == "history"
        other.close()
        assert move(client, game_id, "flag", 0, 0).json["cells"][0][0] == "F"


def test_games_beyond_memory_are_read_again(place: Path | Address, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "GAMES_IN_MEMORY", 2)
    with serving(place) as (client, service):
        ids = [begin(client, **SMALL, seed=number) for number in range(5)]
        views = [move(client, game_id, "flag", 1, 1).json["cells"] for game_id in ids]
        assert len(service.games._live) == 2
        assert [client.get(f"games/{game_id}").json["cells"] for game_id in ids] == views


def test_moves_at_the_same_time_are_made_one_after_the_other(client: Client) -> None:
    game_id = begin(client, **SMALL)

    def flag_all(column: int) -> None:
        own = Client(client.port)
        for row in range(5):
            assert move(own, game_id, "flag", row, column).status == 200
        own.close()

    threads = [threading.Thread(target=flag_all, args=(column,)) for column in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert client.get(f"games/{game_id}").json["cells"] == ["FFFFFF"] * 5


def test_an_undo_after_the_end_is_a_new_game(place: Path | Address) -> None:
    """The finished game keeps its view, review, lesson and record, whatever its continuation does."""
    with serving(place) as (client, service):
        lost_id = begin(client, layout=GUESSED)
        lost = move(client, lost_id, "open", 0, 2).json
        wait_for_history(service)
        looks = [f"games/{lost_id}/{part}" for part in ("record", "review", "timeline", "lesson")]
        [number] = [game["id"] for game in client.get("history").json["games"]]
        looks += [f"history/{number}/{part}" for part in ("record", "review", "timeline", "lesson")]
        before = [client.get(look).json for look in looks]
        branch = move(client, lost_id, "undo").json
        assert (branch["continues"], branch["status"], branch["moves"]) == (lost_id, "new", 2)
        assert (branch["id"] != lost_id, "mines" in branch) == (True, False)
        assert branch["outcome"] == {"opened": [], "exploded": [], "redrawn": False}
        assert client.get(f"games/{branch['id']}/record").status == 409
        assert move(client, lost_id, "open", 0, 0).status == 409, "the finished game takes no move"
        assert move(client, branch["id"], "open", 1, 1).json["status"] == "lost"
        wait_for_history(service)
        again = move(client, branch["id"], "undo").json
        assert (again["continues"], again["moves"]) == (branch["id"], 4)
        assert [client.get(look).json for look in looks] == before
        shown = client.get(f"games/{lost_id}").json
        assert shown == {key: lost[key] for key in lost if key != "outcome"}
    with serving(place) as (client, service):
        assert [client.get(look).json for look in looks] == before
        assert client.get(f"games/{again['id']}").json["moves"] == 4
    with history_of(place) as history:
        games = history.games()
        kept = [(game.revived, game.undos, game.with_help) for game in games]
        assert kept == [(True, 1, True), (False, 0, False)], "the continuation is marked"


def test_a_repeated_move_is_answered_as_the_first_time(place: Path | Address) -> None:
    with serving(place) as (client, _):
        game_id = begin(client, **SMALL, seed=7)
        opening = {"kind": "open", "cell": [0, 0], "moves": 0}
        first = client.post(f"games/{game_id}/moves", opening).json
        flag = {"kind": "flag", "cell": [4, 5], "moves": 1}
        assert client.post(f"games/{game_id}/moves", flag | {"retry": True}).json["moves"] == 2, "it was not made yet"
        again = client.post(f"games/{game_id}/moves", opening | {"retry": True})
        assert (again.status, again.json["outcome"], again.json["moves"]) == (200, first["outcome"], 2)
        assert client.post(f"games/{game_id}/moves", flag | {"retry": True}).json["cells"][4][5] == "F"
        other = client.post(f"games/{game_id}/moves", flag | {"cell": [4, 4], "retry": True})
        assert (other.status, other.code) == (409, "illegal-move"), "another move has this number"
    with serving(place) as (client, _):
        again = client.post(f"games/{game_id}/moves", flag | {"retry": True})
        assert (again.status, again.json["moves"]) == (200, 2), "a restarted server knows it too"
        assert client.post(f"games/{game_id}/moves", {"kind": "undo", "retry": True}).status == 400


# results


def test_the_result_has_the_record_and_the_streak_of_the_level(place: Path | Address) -> None:
    with serving(place) as (client, service):

        def win(milliseconds: int, cell: tuple[int, int] = (0, 0), **options: object) -> str:
            game_id = begin(client, rows=3, columns=3, mines=1, seed=1, first_click="open", **options)
            service.games._live[game_id].game._stopwatch.set(milliseconds)
            assert move(client, game_id, "open", *cell).json["status"] == "won"
            return game_id

        slow = win(5000)
        first = client.get(f"games/{slow}/result").json
        assert (first["best_before"], first["is_best"], first["streak"], first["counts"]) == (None, True, 1, True)
        wait_for_history(service)
        assert client.get(f"games/{slow}/result").json == first, "the game itself is not its own record"
        fast = client.get(f"games/{win(3000)}/result").json
        assert fast["best_before"] == first["seconds"]
        assert (fast["is_best"], fast["streak"], fast["longest_streak"]) == (True, 2, 2)
        wait_for_history(service)
        fair = client.get(f"games/{win(1000, fairness='kind')}/result").json
        assert (fair["best_before"], fair["streak"]) == (None, 1), "other rules have other records"
        wait_for_history(service)
        later = client.get(f"games/{win(4000)}/result").json
        assert (later["best_before"], later["is_best"], later["streak"]) == (fast["seconds"], False, 3)


def test_a_result_knows_the_help(client: Client) -> None:
    game_id = begin(client, rows=3, columns=4, mines=1, seed=1, first_click="open")
    client.get(f"games/{game_id}/hint?level=4")
    finish(client, game_id)
    view, result = client.get(f"games/{game_id}").json, client.get(f"games/{game_id}/result").json
    review, lesson = client.get(f"games/{game_id}/review").json, client.get(f"games/{game_id}/lesson").json
    for answer in (view, result, review):
        assert (answer["with_help"], answer["help_used"]["hints"]) == (True, [0, 0, 0, 1])
        assert answer["help_text"] == "You used help: 1 hint (1 with the full explanation)."
    assert result["is_best"] is False
    assert "no luck" not in lesson["sentences"][0]["text"]


def test_a_running_game_has_no_result(client: Client) -> None:
    game_id = begin(client, **SMALL)
    assert client.get(f"games/{game_id}/result").status == 409
    assert "help_used" not in client.get(f"games/{game_id}").json


# limits


def test_so_many_games_and_no_more(place: Path | Address, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mineproof.web.store.GAMES_PER_CLIENT", 3)
    with serving(place) as (client, service):
        ids = [begun(client) for _ in range(3)]
        answer = client.post("games", SMALL)
        assert (answer.status, answer.code, answer.headers["retry-after"]) == (429, "too-many", "1")
        finish(client, ids[1])
        wait_for_history(service)
        begun(client)  # in the place of the one that is over
        assert client.get(f"games/{ids[0]}").status == 200
    monkeypatch.setattr("mineproof.web.store.GIVEN_UP", 0.0)
    with serving(place) as (client, _):
        begin(client, **SMALL)  # in the place of the one that has lain the longest


def begun(client: Client) -> str:
    """A game with a move."""
    game_id = begin(client, **SMALL)
    assert move(client, game_id, "flag", 0, 0).status == 200
    return game_id


def test_games_without_a_move_make_room_first(place: Path | Address, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mineproof.web.store.GAMES_PER_CLIENT", 3)
    with serving(place) as (client, _):
        played, *others = begun(client), *(begin(client, **SMALL) for _ in range(5))
        assert [client.get(f"games/{each}").status for each in (played, *others)] == [200, 404, 404, 404, 200, 200]


def test_a_game_that_made_room_takes_no_moves(place: Path | Address, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was in memory, where its moves would be answered and kept nowhere."""
    with serving(place) as (client, service):
        first, second = begun(client), begun(client)
        monkeypatch.setattr("mineproof.web.store.GAMES_PER_CLIENT", 2)
        monkeypatch.setattr("mineproof.web.store.GIVEN_UP", 0.0)
        begin(client, **SMALL)
        assert move(client, first, "flag", 1, 1).status == 404
        execute(service, "DELETE FROM games WHERE id = ?", second)
        answer = move(client, second, "flag", 1, 1)
        assert (answer.status, answer.code) == (404, "not-found")
        assert client.get(f"games/{second}").status == 404


def test_a_look_at_a_game_keeps_it(place: Path | Address, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "LOOKS", 0.0)
    monkeypatch.setattr("mineproof.web.store.GAMES_PER_CLIENT", 2)
    with serving(place) as (client, service):
        ids = [begun(client), begun(client)]
        execute(service, "UPDATE games SET touched_uptime = touched_uptime - 1000")
        assert client.get(f"games/{ids[0]}").status == 200
        begin(client, **SMALL)
        assert [client.get(f"games/{each}").status for each in ids] == [200, 404]


def test_a_look_that_cannot_be_written_down_is_answered(place: Path | Address, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise mp.HistoryError("the disk is full")

    monkeypatch.setattr(games, "LOOKS", 0.0)
    monkeypatch.setattr(store.GameStore, "touch", full)
    with serving(place) as (client, service):
        game_id = begin(client, **SMALL)
        assert client.get(f"games/{game_id}").status == 200
        service.games._live.clear()
        assert client.get(f"games/{game_id}").status == 200


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"rows": 101, "columns": 100, "mines": 5}, 413, "too-large"),
        ({"rows": 2, "columns": 2, "mines": 4}, 400, "usage"),
        ({"rows": 2, "columns": 2, "mines": 5}, 400, "syntax"),
        ({"rows": 0, "columns": 2, "mines": 0}, 400, "syntax"),
        ({"level": "expert", "seed": 2**64}, 400, "usage"),
        ({"level": "expert", "seed": -1}, 400, "syntax"),
        ({"level": "expert", "fairness": "always"}, 400, "syntax"),
        ({"level": "expert", "layout": "*"}, 400, "usage"),
        ({"level": "expert", "surprise": True}, 400, "syntax"),
    ],
)
def test_a_game_that_cannot_be_is_refused(client: Client, body: object, status: int, code: str) -> None:
    answer = client.post("games", body)
    assert (answer.status, answer.code) == (status, code), answer.content


def test_the_largest_board_is_played(client: Client) -> None:
    game_id = begin(client, rows=100, columns=100, mines=2000)
    assert move(client, game_id, "open", 50, 50).status == 200
    assert limits.MAX_CELLS == 100 * 100
