"""Many players on one server: each has a history, a rating and games, and cannot touch those of others."""

import base64
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import mineproof as mp
from mineproof.history.postgresql import Address
from mineproof.history.store import FILE as HISTORY
from mineproof.web.app import Service
from mineproof.web.players import KEY_BYTES, Players
from support.finished import finished
from support.patience import PATIENCE
from support.served import Answer, Client, served, serving, wait

LOST = {"layout": "..*/.../..."}
KEY = "Mineproof_Player"  # as a keyword; the header has a hyphen


@dataclass
class Person:
    """A player with a key."""

    client: Client
    key: str

    def post(self, path: str, body: object, **headers: str) -> Answer:
        return self.client.post(path, body, **{KEY: self.key}, **headers)

    def get(self, path: str, **headers: str) -> Answer:
        return self.client.get(path, **{KEY: self.key}, **headers)

    def delete(self, path: str) -> Answer:
        return self.client.ask("DELETE", f"/api/v1/{path}", **{KEY: self.key})

    def begin(self, **wanted: object) -> str:
        answer = self.post("games", wanted or LOST)
        assert answer.status == 201, answer.content
        return str(answer.json["id"])

    def lose(self) -> int:
        """A game that is over; its number in the history."""
        before = {game["id"] for game in self.get("history").json["games"]}
        assert open_cell(self, self.begin(), 0, 2).json["status"] == "lost"
        assert wait(lambda: len(self.get("history").json["games"]) > len(before))
        [number] = {game["id"] for game in self.get("history").json["games"]} - before
        return int(number)


def open_cell(who: Client | Person, game_id: str, row: int, column: int) -> Answer:
    return who.post(f"games/{game_id}/moves", {"kind": "open", "cell": [row, column]})


def person(client: Client) -> Person:
    answer = client.post("player", None)
    assert (answer.status, answer.json["players"]) == (200, "many")
    return Person(client, answer.json["key"])


@pytest.fixture
def many(place: Path | Address) -> Iterator[tuple[Client, Service]]:
    with serving(place, players="many") as (client, service):
        yield client, service


# many


def test_each_player_has_a_history(many: tuple[Client, Service]) -> None:
    client, _ = many
    ann, ben = person(client), person(client)
    number = ann.lose()
    assert ben.get("history").json["games"] == client.get("history").json["games"] == []
    assert ben.get("history/summary").json["levels"] == client.get("history/summary").json["levels"] == []
    assert ben.get("history/export?to=jsonl").content == b""
    assert ben.get("history/profile").status == client.get("history/profile").status == 404
    for look in ("record", "review", "timeline", "lesson"):
        assert ann.get(f"history/{number}/{look}").status == 200
        assert ben.get(f"history/{number}/{look}").status == client.get(f"history/{number}/{look}").status == 404
    assert ben.post(f"history/{number}/name", {"name": "Eve"}).status == 404
    assert ben.post(f"history/{number}/from", {"move": 0}).status == 404
    assert ben.delete(f"history/{number}").status == 404
    assert ann.post(f"history/{number}/name", {"name": "Ann"}).json["games"][0]["player"] == "Ann"
    assert ann.post(f"history/{number}/from", {"move": 0}).status == 201
    assert ann.delete(f"history/{number}").json["forgotten"] == [number]


def test_without_a_key_nothing_is_written(many: tuple[Client, Service]) -> None:
    client, _ = many
    number = person(client).lose()
    data = base64.b64encode(finished().save().encode()).decode()
    puzzle = client.post("puzzle", {"technique": "single-open", "level": "beginner", "seed": 1}).json
    named = {name: puzzle[name] for name in ("board", "technique", "level", "seed")}
    given = named | {"cell": puzzle["solution"][0]}
    for answer in (
        client.post("history", {"data": data}),
        client.post(f"history/{number}/name", {"name": "Eve"}),
        client.ask("DELETE", f"/api/v1/history/{number}"),
        client.post("answer", given),
    ):
        assert (answer.status, answer.code) == (401, "no-player")
        assert "POST /api/v1/player" in answer.json["message"]
        assert "Mineproof-Player" in answer.json["message"]
        assert answer.headers["www-authenticate"] == "Mineproof-Player"
    judged = client.post("answer", given | {"counted": False}).json
    assert (judged["verdict"], judged["change"]) == ("right", None)
    assert client.get("standing").json["rating"] == 700
    assert client.post("analyze", {"board": "1#/##", "mines": 1}).status == 200


def test_imports_and_ratings_are_of_one_player(many: tuple[Client, Service]) -> None:
    client, _ = many
    ann, ben = person(client), person(client)
    data = base64.b64encode(finished().save().encode()).decode()
    assert [each.post("history", {"data": data}).json["added"] for each in (ann, ann, ben)] == [1, 0, 1]
    puzzle = client.post("puzzle", {"technique": "single-open", "level": "beginner", "seed": 1}).json
    named = {name: puzzle[name] for name in ("board", "technique", "level", "seed")}
    before = ben.get("standing").json
    assert ann.post("answer", named | {"cell": puzzle["solution"][0]}).json["change"] > 0
    assert ben.get("standing").json == before
    assert ann.get("standing").json["answers"] == 1


def test_only_its_player_changes_a_running_game(many: tuple[Client, Service]) -> None:
    client, service = many
    ann, ben = person(client), person(client)
    game_id = ann.begin(level="beginner", seed=7)
    assert open_cell(ann, game_id, 4, 4).status == 200
    for other in (ben, client):
        for answer in (
            open_cell(other, game_id, 0, 0),
            *(other.post(f"games/{game_id}/{act}", None) for act in ("pause", "resume", "again")),
            *(other.get(f"games/{game_id}/{look}") for look in ("hint", "odds", "best", "best/events?seconds=1")),
        ):
            assert (answer.status, answer.code) == (403, "forbidden"), answer.content
        assert other.get(f"games/{game_id}").json["moves"] == 1, "who knows the id may look"
    assert not service.games._live[game_id].help.hints[3]
    assert ann.post(f"games/{game_id}/pause", None).json["paused"] is True


def test_a_game_without_a_player_is_changed_by_its_id_and_is_in_no_history(many: tuple[Client, Service]) -> None:
    client, service = many
    game_id = client.post("games", LOST).json["id"]
    assert open_cell(client, game_id, 0, 2).json["status"] == "lost"
    assert client.get(f"games/{game_id}/record").status == 200
    assert service._store.not_in_history() == []
    ann = person(client)
    ann.lose()  # a later game is in the history: so would be the earlier one
    assert len(service._store._database.rows("SELECT 1 FROM games WHERE is_over = 1 AND owner IS NOT NULL")) == 1
    assert client.get("history").json["games"] == []


def test_a_game_goes_to_its_player_after_a_restart(place: Path | Address, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(place, players="many") as (client, service):
        ann = person(client)
        monkeypatch.setattr(service.games, "_queue_for_history", lambda _: None)
        assert open_cell(ann, ann.begin(), 0, 2).json["status"] == "lost"
    with serving(place, players="many") as (client, service):
        assert wait(lambda: len(Person(client, ann.key).get("history").json["games"]) == 1)
        assert client.get("history").json["games"] == []
        assert wait(lambda: not service._store.not_in_history())


def test_a_result_is_that_of_the_player_who_asks(many: tuple[Client, Service]) -> None:
    client, service = many
    ann, ben = person(client), person(client)
    game_id = ann.begin()
    assert open_cell(ann, game_id, 0, 2).json["status"] == "lost"
    assert wait(lambda: not service._store.not_in_history())
    branch = ann.post(f"games/{game_id}/moves", {"kind": "undo"}).json["id"]
    assert ann.get(f"games/{game_id}/result").json["status"] == "lost"
    assert ben.get(f"games/{game_id}/result").json["best_before"] is None
    assert open_cell(ben, branch, 0, 0).status == 403, "the continuation belongs to the same player"


def test_keys_are_stored_as_hashes(tmp_path: Path) -> None:
    with serving(tmp_path, players="many") as (client, _):
        ann = person(client)
        ann.lose()
        assert len(base64.urlsafe_b64decode(ann.key)) == KEY_BYTES >= 16
        assert person(client).key != ann.key
    stored = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert ann.key.encode() not in stored


@pytest.mark.parametrize("key", ["", "short", "x" * 33, "x" * 31 + "!", "x" * 31 + "\xe9"])
def test_a_key_that_cannot_be_ours_is_refused(tmp_path: Path, key: str) -> None:
    with serving(tmp_path, players="many") as (client, _):
        answer = client.get("history", **{KEY: key})
        assert (answer.status, answer.code) == (401, "no-player")
        assert "32 letters, digits" in answer.json["message"]


# the page


def cookie_of(client: Client, **headers: str) -> str:
    return client.ask("GET", "/", **headers).headers.get("set-cookie", "")


def test_the_page_gets_a_cookie_that_is_its_key(many: tuple[Client, Service]) -> None:
    client, _ = many
    page = client.ask("GET", "/")
    value, *attributes = page.headers["set-cookie"].split("; ")
    assert attributes == ["Path=/", "Max-Age=34560000", "HttpOnly", "SameSite=Lax"]
    assert page.headers["cache-control"] == "private, no-cache"
    assert cookie_of(client).split(";")[0] != value, "each browser has its own"
    assert cookie_of(client, Cookie=f"theme=dark; {value}").split(";")[0] == value, "a browser keeps its key"
    game_id = client.post("games", LOST, Cookie=value).json["id"]
    assert open_cell(client, game_id, 0, 2).status == 403
    moved = client.post(f"games/{game_id}/moves", {"kind": "open", "cell": [0, 2]}, Cookie=f"a=b; {value}; c=d")
    assert moved.json["status"] == "lost"
    assert wait(lambda: len(client.get("history", Cookie=value).json["games"]) == 1)
    assert client.get("player", Cookie=value).json["known"] is True
    assert client.get("player").json["known"] is False
    key = value.partition("=")[2]
    assert len(client.get("history", **{KEY: key}).json["games"]) == 1, "the header has the same key"


def test_no_other_part_of_a_page_gets_a_cookie(tmp_path: Path) -> None:
    with serving(tmp_path, players="many") as (client, _):
        for dest in ("iframe", "image", "script", "empty"):
            assert cookie_of(client, Sec_Fetch_Dest=dest) == ""
        assert cookie_of(client, Sec_Fetch_Dest="document") != ""
        for path in ("/static/style.css", "/api/v1/strategies"):
            assert "set-cookie" not in client.ask("GET", path).headers


def test_a_page_of_another_site_cannot_use_the_cookie(tmp_path: Path) -> None:
    with serving(tmp_path, origins=["https://game.example"], players="many") as (client, _):
        value = cookie_of(client).split(";")[0]
        own = f"http://127.0.0.1:{client.port}"
        assert client.get("player", Cookie=value, Origin=own).json["known"] is True
        assert client.get("player", Cookie=value, Origin="https://game.example").json["known"] is False
        key = value.partition("=")[2]
        assert client.get("player", **{KEY: key}, Origin="https://game.example").json["known"] is True


def test_the_cookie_is_secure_where_a_proxy_says_https() -> None:
    """It is believed as X-Forwarded-For is: where a proxy may be, and one was named."""
    https = {b"x-forwarded-proto": b"https"}
    for is_proxied, headers, peer, is_secure in (
        (True, https, "127.0.0.1", True),
        (True, https, "8.8.8.8", False),
        (True, {b"x-forwarded-proto": b"http"}, "127.0.0.1", False),
        (True, {b"x-forwarded-proto": b"https, http"}, "127.0.0.1", False),
        (True, {}, "127.0.0.1", False),
        (False, https, "127.0.0.1", False),
    ):
        [(_, cookie), _] = Players("many", is_proxied=is_proxied).page_headers(headers, peer)
        assert cookie.endswith(b"; Secure") is is_secure, (is_proxied, headers, peer)


# one


def test_one_player_notices_nothing(tmp_path: Path) -> None:
    with mp.History.open(tmp_path / HISTORY) as history:
        history.add(finished(seed=1), player="Ann")
    with serving(tmp_path) as (client, _):
        page = client.ask("GET", "/")
        assert ("set-cookie" in page.headers, page.headers["cache-control"]) == (False, "no-cache")
        assert client.post("player", None).json == {"schema": "mineproof/player/1", "players": "one", "key": None}
        assert client.get("player").json["known"] is True
        assert [game["player"] for game in client.get("history").json["games"]] == ["Ann"]
        game_id = client.post("games", LOST).json["id"]
        assert open_cell(client, game_id, 0, 2).json["status"] == "lost"
        assert wait(lambda: len(client.get("history", **{KEY: "x" * 32}).json["games"]) == 2)
        assert client.ask("DELETE", "/api/v1/history/1").status == 200
    with mp.History.open(tmp_path / HISTORY) as history:
        assert len(history) == 1


def test_games_of_one_player_go_on_where_there_are_many(tmp_path: Path) -> None:
    """Their ids are the keys to them, as before; when they are over they are in the history of this machine."""
    with serving(tmp_path) as (client, _):
        game_id = client.post("games", LOST).json["id"]
    with serving(tmp_path, players="many") as (client, service):
        assert open_cell(person(client), game_id, 0, 2).json["status"] == "lost"
        assert wait(lambda: not service._store.not_in_history())
    with mp.History.open(tmp_path / HISTORY) as history:
        assert len(history) == 1
    with serving(tmp_path, players="many") as (client, _):
        kept = person(client).begin()
    with serving(tmp_path) as (client, _):
        assert open_cell(client, kept, 0, 1).status == 200, "the only player may change all games"


def test_who_can_connect_decides_how_many_players_there_are(tmp_path: Path) -> None:
    for options, mode in (
        ((), "one"),
        (("--proxy", "mines.example"), "many"),
        (("--proxy", "mines.example", "--players", "one"), "one"),
        (("--players", "many"), "many"),
    ):
        with served(tmp_path, *options) as (process, client):
            assert client.get("player").json["players"] == mode
            process.terminate()
            _, err = process.communicate(timeout=PATIENCE)
            assert ("Each player has their own history" in err) is (options == ("--proxy", "mines.example")), err
