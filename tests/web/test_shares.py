"""One client, whatever it sends, leaves the server to the others."""

import base64
import contextlib
import json
import socket
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import mineproof as mp
from mineproof import formats
from mineproof.base.budget import Budget, Deadline, budget_error
from mineproof.engine.kernel import KernelCount
from mineproof.web import answers, limits, requests
from mineproof.web import slots as slots_of_lanes
from mineproof.web.slots import Cancelled, Slots
from support.patience import PATIENCE
from support.served import Answer, Client, posted, served, serving, wait

PROXY = "mines.example"
GREEDY, OTHER = "10.0.0.1", "10.0.0.2"


class Name(str):
    """A key that counts how often it is compared."""

    compared = 0

    def __eq__(self, other: object) -> bool:
        Name.compared += 1
        return str.__eq__(self, other)

    __hash__ = str.__hash__


def test_a_key_that_stands_twice_is_found_in_one_pass() -> None:
    names = [Name(f"{number:05x}") for number in range(20_000)]
    Name.compared = 0
    with pytest.raises(ValueError, match="got '04e1f' twice"):
        requests._require_distinct([(name, 0) for name in [*names, Name("04e1f")]])
    assert Name.compared < 5 * len(names)


def test_the_first_key_that_comes_again_is_named() -> None:
    with pytest.raises(ValueError, match="got 'b' twice"):
        requests._require_distinct([(name, 0) for name in "abcbca"])
    requests._require_distinct([(name, 0) for name in "abc"])


def keys(count: int) -> bytes:
    inner = ",".join(f'"{number:05x}":0' for number in range(count))
    return ('{"board":"*..","start":[0,2],"certificate":{' + inner + ',"00000":0}}').encode()


def test_a_large_body_is_parsed_beside_the_event_loop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parse, is_parsing, go_on = requests.read, threading.Event(), threading.Event()

    def parse_slowly(body: bytes, decoder: object) -> object:
        if len(body) > limits.LARGE_BODY:
            is_parsing.set()
            assert go_on.wait(PATIENCE)
        return parse(body, decoder)  # type: ignore[arg-type]

    monkeypatch.setattr(requests, "read", parse_slowly)
    given: list[Answer] = []
    with serving(tmp_path) as (client, _):

        def ask() -> None:
            mine = Client(client.port)
            given.append(mine.ask("POST", "/api/v1/check", keys(20_000)))
            mine.close()

        thread = threading.Thread(target=ask)
        thread.start()
        assert is_parsing.wait(PATIENCE)
        try:
            assert client.post("analyze", {"board": "1#/##", "mines": 1}).json["layouts"] == "3"
            assert client.ask("GET", "/").status == 200
        finally:
            go_on.set()
            thread.join(PATIENCE)
    assert [(answer.status, answer.code) for answer in given] == [(400, "syntax")]
    assert "expected each key once, got '00000' twice" in given[0].json["message"]


def test_a_body_of_too_many_keys_is_refused(client: Client) -> None:
    """Parsing it would hold up the event loop, in whichever thread."""
    answer = client.ask("POST", "/api/v1/check", keys(limits.MAX_KEYS + 1))
    assert (answer.status, answer.code) == (400, "syntax")
    assert "expected at most 32,000 keys, got more" in answer.json["message"]


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("check", b'{"board":"*..","start":[0,2],"certificate":%s}'),
        ("generate", b'{"level":"beginner","seed":%s}'),
        ("answer", b'{"board":{"rows":%s},"cell":[0,0],"kind":"open"}'),
    ],
)
def test_an_integer_of_many_digits_is_refused_before_it_is_made(
    client: Client, monkeypatch: pytest.MonkeyPatch, path: str, body: bytes
) -> None:
    """Making one takes time that grows with the square of its digits, and holds Python's lock all the while."""
    digits = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)  # as the command line does: the refusal must not rest on Python's own limit
    try:
        answer = client.ask("POST", f"/api/v1/{path}", body % (b"9" * 60_000))
    finally:
        sys.set_int_max_str_digits(digits)
    assert (answer.status, answer.code) == (400, "syntax")
    assert "expected numbers of at most 400 digits, got one of 60,000" in answer.json["message"]


@pytest.mark.parametrize("text", ["1#\n" * 60_000, "1/" * 60_000, "/" * 60_000])
def test_a_text_of_too_many_rows_is_refused_before_it_is_read(
    client: Client, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.setattr(formats, "read", None)
    for route in ("hint", "convert"):
        answer = client.post(route, {"board": text, **({"to": "mineproof"} if route == "convert" else {})})
        assert (answer.status, answer.code) == (413, "too-large")


def test_what_shows_that_it_takes_long_does_not_start_among_the_light_ones() -> None:
    long = (
        requests.HintRequest(board="#" * (limits.LIGHT_TEXT + 1)),
        requests.GenerateRequest(bbbv=1),
        requests.GenerateRequest(difficulty=(5, None)),
    )
    light = (
        requests.HintRequest(board="###/121"),
        requests.GenerateRequest(no_guess=True),
        requests.ConvertRequest(board="1#", to="mineproof"),
    )
    assert [answers.takes_long(question) for question in (*long, *light)] == [True] * 3 + [False] * 3


def test_a_text_of_many_colons_is_no_key(client: Client) -> None:
    answer = client.post("analyze", {"board": ":" * 2000})
    assert "keys" not in answer.json["message"]


def forwarded(name: str, body: Mapping[str, object], client: str) -> bytes:
    """A question of a client behind the proxy, as the bytes of a request."""
    head = f"\r\nX-Forwarded-For: {client}\r\n".encode()
    return posted(name, json.dumps(body).encode()).replace(b"\r\n", head, 1)


@contextlib.contextmanager
def flood(port: int, request: bytes, times: int) -> Iterator[list[socket.socket]]:
    with contextlib.ExitStack() as stack:
        connections = [stack.enter_context(socket.create_connection(("127.0.0.1", port))) for _ in range(times)]
        for connection in connections:
            connection.settimeout(60)
            connection.sendall(request)
        yield connections


SLOW = {"rows": 16, "columns": 30, "mines": 99, "seed": 1, "bbbv": 1, "budget": 60}


def test_a_flood_of_long_questions_of_one_client_leaves_the_others_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "LIGHT_SECONDS", 0.05)  # that each of the flood takes first
    running, waiting = limits.WORKERS_PER_CLIENT
    with serving(tmp_path, PROXY) as (client, service):
        game = client.post("games", {"level": "expert", "seed": 7}, X_Forwarded_For=OTHER).json["id"]
        client.post(f"games/{game}/moves", {"kind": "open", "cell": [8, 15]}, X_Forwarded_For=OTHER)
        times = running + waiting + 4
        with flood(client.port, forwarded("generate", SLOW, GREEDY), times) as connections:
            assert wait(lambda: service.questions.long.load == running + waiting)
            assert wait(lambda: service.questions.light.load == 0)
            assert len(service.questions.long._running) == running, "a client has its share of the threads"
            for path in (f"games/{game}/hint?level=1", f"games/{game}/odds", "history", f"games/{game}", "standing"):
                assert client.get(path, X_Forwarded_For=OTHER).status == 200, path
            best = client.post("best", {"board": "11/##", "mines": 1}, X_Forwarded_For=OTHER)
            assert best.status == 200, "a thread is left for another client's long question"
            assert service.questions.long.load == running + waiting, "the flood has ended, so this shows nothing"
            refused = 0
            for connection in connections:
                connection.settimeout(0.5)
                with contextlib.suppress(TimeoutError):
                    answer = connection.recv(65536)
                    assert answer.startswith(b"HTTP/1.1 429"), answer
                    assert b'"too-many"' in answer
                    assert b"retry-after: 1\r\n" in answer
                    refused += 1
            assert refused == 4
        assert wait(lambda: service.questions.long.load == 0)


def test_a_client_runs_one_simulation(tmp_path: Path) -> None:
    wanted = {"level": "expert", "games": limits.MAX_SIMULATED_GAMES}
    with serving(tmp_path, PROXY) as (client, service):
        with flood(client.port, forwarded("simulate", wanted, GREEDY), 1) as connections:
            assert connections[0].recv(100).startswith(b"HTTP/1.1 200")
            second = client.post("simulate", wanted, X_Forwarded_For=GREEDY)
            assert (second.status, second.code) == (429, "too-many")
            few = client.post("simulate", {"level": "beginner", "games": 10}, X_Forwarded_For=OTHER)
            assert (few.status, few.content.count(b"event: done")) == (200, 1)
        assert wait(lambda: service.simulations.lane.load == 0)


# long work takes turns on the processors


def test_no_more_threads_compute_than_there_are_slots() -> None:
    slots, computing, most, turns = Slots(2), 0, 0, [0] * 5
    lock, stop = threading.Lock(), threading.Event()

    def work(number: int, cancelled: Cancelled) -> None:
        nonlocal computing, most
        while not cancelled():
            with lock:
                computing += 1
                most = max(most, computing)
            turns[number] += 1
            time.sleep(0.001)
            with lock:
                computing -= 1

    threads = [threading.Thread(target=slots.run, args=(partial(work, number), stop.is_set)) for number in range(5)]
    for thread in threads:
        thread.start()
    try:
        assert wait(lambda: min(turns) > 0), "each has had its turn, though none has ended"
    finally:
        stop.set()
        for thread in threads:
            thread.join(PATIENCE)
    assert not any(thread.is_alive() for thread in threads)
    assert most <= 2


def test_a_thread_that_never_asks_does_not_keep_the_others_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slots_of_lanes, "PATIENCE", 0.05)
    slots, release = Slots(1), threading.Event()
    holder = threading.Thread(target=slots.run, args=(lambda _: release.wait(PATIENCE), release.is_set))
    holder.start()
    try:
        assert wait(lambda: slots._free == 0)
        assert slots.run(lambda cancelled: cancelled(), lambda: False) is False
    finally:
        release.set()
        holder.join(PATIENCE)
    assert slots._free == 1


# one deadline, and bounded memory


def lattice(rows: int, columns: int) -> dict[str, object]:
    """Numbers on every other cell of every other row: a frontier as wide as the board, and no contradiction."""
    lines = ["".join("2" if row % 2 == column % 2 == 0 else "#" for column in range(columns)) for row in range(rows)]
    return {"board": "\n".join(lines)}


def test_layouts_are_null_where_only_they_take_too_long(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """The odds are known by then, and are not thrown away."""
    count = KernelCount.layouts

    def give_up(self: KernelCount, budget: Budget | None = None) -> int:
        raise budget_error("seconds", 1.0, 0, None)

    monkeypatch.setattr(KernelCount, "layouts", give_up)
    answer = client.post("analyze", {"board": "11#/###", "mines": 1, "budget": 1})
    monkeypatch.setattr(KernelCount, "layouts", count)
    assert (answer.status, answer.json["layouts"]) == (200, None)
    assert (
        answer.json["mine_probability"]
        == client.post("analyze", {"board": "11#/###", "mines": 1}).json["mine_probability"]
    )


def test_a_link_to_a_large_board_is_not_read_on_the_event_loop(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fifteen letters may hold a million cells."""
    names: list[str] = []
    read = formats.read

    def named(*arguments: Any, **options: Any) -> object:
        names.append(threading.current_thread().name)
        return read(*arguments, **options)

    monkeypatch.setattr(formats, "read", named)
    answer = client.post("analyze", {"board": "qiqiaaafSRRRRRR"})
    assert (answer.status, answer.code) == (413, "too-large")
    assert all(name.startswith("mineproof-") for name in names), names
    assert names


@pytest.mark.skipif(sys.platform != "linux", reason="/proc tells the memory of a process")
def test_hard_questions_of_many_clients_stay_below_a_gigabyte(tmp_path: Path) -> None:
    """Sixteen clients ask what no memory would be enough for; limits.py says what they get."""
    with served(tmp_path, "--proxy", PROXY) as (process, client):
        with contextlib.ExitStack() as stack:
            connections = []
            for number in range(16):
                connection = stack.enter_context(socket.create_connection(("127.0.0.1", client.port), timeout=PATIENCE))
                connection.sendall(forwarded("analyze", lattice(100, 100) | {"budget": 4}, f"10.0.1.{number}"))
                connections.append(connection)
            said = [connection.recv(65536) for connection in connections]
        lines = Path(f"/proc/{process.pid}/status").read_text().splitlines()
        peak = int(next(line for line in lines if line.startswith("VmHWM:")).split()[1])
    assert all(answer.startswith(b"HTTP/1.1 503") and b'"budget"' in answer for answer in said), said
    assert peak < 1_000_000, f"{peak} kB"


# pictures and imports


def test_reading_a_picture_ends_with_its_deadline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked_often = threading.Event()

    def read_for_ever(_: bytes, *, budget: Budget) -> object:
        while True:
            budget.raise_if_cancelled()
            asked_often.set()

    monkeypatch.setattr(answers, "read_image", read_for_ever)
    monkeypatch.setattr(limits, "PICTURE_SECONDS", 0.2)
    with serving(tmp_path) as (client, service):
        late = client.ask("POST", "/api/v1/read", b"picture", Content_Type="image/png")
        assert (late.status, late.code, late.json["limit"]) == (503, "budget", "seconds")
        monkeypatch.setattr(limits, "PICTURE_SECONDS", 3600.0)
        asked_often.clear()
        head = b"POST /api/v1/read HTTP/1.1\r\nHost: localhost\r\nContent-Type: image/png\r\nContent-Length: 1\r\n\r\nx"
        with socket.create_connection(("127.0.0.1", client.port)) as connection:
            connection.sendall(head)
            assert asked_often.wait(PATIENCE)
        assert wait(lambda: service.pictures.load == 0), "it continues although the client has left"


def test_an_import_has_one_deadline_for_all_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with mp.History.open(tmp_path / "other.sqlite") as other:
        for column in range(1, 5):
            game = mp.Game(mp.Layout(2, 6, frozenset([(0, column)])), first_click="any")
            game.open(0, column)
            other.add(game)
        lines = "\n".join(other.export("jsonl"))
    added = 0
    add = mp.History._add_record

    def add_slowly(self: mp.History, *arguments: Any) -> Any:
        nonlocal added
        added += 1
        if added == 2:  # the deadline passes while the second game is stored
            monkeypatch.setattr(Deadline, "passed", True)
        return add(self, *arguments)

    monkeypatch.setattr(mp.History, "_add_record", add_slowly)
    with serving(tmp_path / "data") as (client, _):
        first = client.post("history", {"data": base64.b64encode(lines.encode()).decode()}).json
        monkeypatch.undo()
        second = client.post("history", {"data": base64.b64encode(lines.encode()).decode()}).json
    assert (first["added"], first["known"], first["left_out"]) == (2, 0, 2)
    assert (second["added"], second["known"], second["left_out"]) == (2, 2, 0)
