"""``mineproof serve`` as a process: its address, its end, and what survives it."""

import contextlib
import http.client
import json
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
import uvicorn

import mineproof as mp
from mineproof.web.app import Service
from mineproof.web.guard import Guard
from mineproof.web.server import Server
from support.command import mineproof
from support.patience import PATIENCE
from support.process import at_a_terminal
from support.served import Client, posted, served, wait


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_tells_its_address_once_it_answers_and_ends_when_told(tmp_path: Path, number: signal.Signals) -> None:
    with served(tmp_path) as (process, client):
        assert client.post("analyze", {"board": "1#/##", "mines": 1}).json["layouts"] == "3"
        process.send_signal(number)
        out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out, err) == (0, "", "")


def test_a_server_keeps_python_s_limit_on_the_digits_of_integers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command line lifts it for counts of layouts; what requests send must not use that."""
    limits_seen: list[int] = []
    monkeypatch.setattr(uvicorn.Server, "run", lambda *_: limits_seen.append(sys.get_int_max_str_digits()))
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    service = Service(tmp_path)
    try:
        Server(service, Guard("127.0.0.1", "here"), lambda: None).run([])
        assert (limits_seen, sys.get_int_max_str_digits()) == ([4_300], 0)
    finally:
        sys.set_int_max_str_digits(before)
        service.close()


def test_it_ends_though_much_is_under_way(tmp_path: Path) -> None:
    with served(tmp_path) as (process, client):
        asked = json.dumps({"level": "expert", "seed": 1, "bbbv": 1, "budget": 60}).encode()
        simulated = json.dumps({"games": 1_000_000}).encode()
        with (
            socket.create_connection(("127.0.0.1", client.port)) as slow,
            socket.create_connection(("127.0.0.1", client.port)) as streaming,
            socket.create_connection(("127.0.0.1", client.port)),
        ):
            slow.sendall(posted("generate", asked))
            streaming.sendall(posted("simulate", simulated))
            assert streaming.recv(100)
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=PATIENCE)
    assert process.returncode == 0


STUCK = {
    "the event loop": "answers.analyze_at_once = lambda question: [None for _ in iter(int, 1)]",
    "a thread": "answers.analyze_at_once = None; answers.analyze_answer = lambda *_: [None for _ in iter(int, 1)]",
}


@pytest.mark.parametrize("where", STUCK)
def test_it_ends_though_something_never_asks(tmp_path: Path, where: str) -> None:
    """A fault keeps a thread busy in Python for ever, which never asks whether it is cancelled."""
    program = f"""
from mineproof.web import answers
{STUCK[where]}
from mineproof.cli import main
main()
"""
    arguments = ["serve", "--port", "0", "--no-open", "--data", str(tmp_path)]
    command = [sys.executable, "-c", program, *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        port = int(process.stdout.readline().rstrip("/\n").rpartition(":")[2])
        client = Client(port)
        game_id = client.post("games", {"level": "beginner"}).json["id"]
        assert client.post(f"games/{game_id}/moves", {"kind": "flag", "cell": [0, 0]}).status == 200
        client.close()
        with socket.create_connection(("127.0.0.1", port)) as stuck:
            stuck.sendall(posted("analyze", b'{"board": "1#/##"}'))
            time.sleep(0.5)
            process.send_signal(signal.SIGTERM)
            try:
                assert process.wait(PATIENCE) == 0
                assert process.stderr.read() == "", "what uvicorn says of the requests it cancels is not logged"
            finally:
                process.kill()
    with served(tmp_path) as (_, client):
        assert client.get(f"games/{game_id}").json["cells"][0].startswith("F"), "a move that was answered is lost"


def test_a_request_to_upgrade_is_answered_and_leaves_no_trace_in_the_log(tmp_path: Path) -> None:
    head = b"GET /api/v1/openapi.json HTTP/1.1\r\nHost: localhost\r\n"
    upgrade = head + b"Upgrade: websocket\r\nConnection: Upgrade, close\r\n"
    with served(tmp_path) as (process, client):
        for _ in range(3):
            answer = client.raw(upgrade + b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: x\r\n\r\n")
            assert answer.startswith(b"HTTP/1.1 200")
            assert client.raw(b"no HTTP\r\n\r\n").startswith(b"HTTP/1.1 400")
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out, err) == (0, "", "")


LOADED_LATER = """
import json, sys, tempfile, threading
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from mineproof.web import preload
from support.declared import declared_types
from support.served import serving
import mineproof as mp
declared_types()  # what the client compares answers with
picture = mp.draw("011/0##/0##", coordinates=False).png(scale=2)
questions = {
    "analyze": {"board": "1#/##", "mines": 1, "exact": True}, "solve": {"board": "1#/##"}, "hint": {"board": "1#/##"},
    "best": {"board": "11/##", "mines": 1}, "convert": {"board": "1#/##", "mines": 1, "to": "mine"},
    "check": {"board": "*../.../...", "start": [2, 2]},
    "generate": {"level": "beginner", "no_guess": True, "start": [4, 4]},
    "puzzle": {"technique": "single-open", "seed": 1}, "games": {"level": "beginner", "no_guess": True},
    "simulate": {"level": "beginner", "games": 10},
}
preload.warm_up()
with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as (client, _):
    client.get("openapi.json")
    loaded = []
    sys.addaudithook(lambda name, args: loaded.append(args[0]) if name == "import" else None)
    for name, body in questions.items():
        assert client.post(name, body).status in (200, 201), name
    for path in ("history", "history/summary", "history/export", "standing", "strategies"):
        assert client.get(path).status == 200, path
    client.ask("POST", "/api/v1/read", picture, Content_Type="image/png")
    game = client.post("games", {"layout": "..*/.../..."}).json["id"]
    client.post(f"games/{game}/moves", {"kind": "open", "cell": [0, 2]})
    for part in ("review", "timeline", "lesson", "record"):
        assert client.get(f"games/{game}/{part}").status == 200, part
    print(json.dumps(sorted(set(loaded))))
"""


def test_nothing_is_loaded_while_requests_are_answered() -> None:
    """A server with too many open files could not load it."""
    tests = str(Path(__file__).parents[1])
    done = subprocess.run(
        [sys.executable, "-c", LOADED_LATER, tests], capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == []


def test_kill_9_loses_no_move(tmp_path: Path) -> None:
    with served(tmp_path) as (process, client):
        game_id = client.post("games", {"level": "expert", "seed": 7}).json["id"]
        last = client.post(f"games/{game_id}/moves", {"kind": "open", "cell": [8, 15]}).json
        for place in range(30):
            answer = client.post(f"games/{game_id}/moves", {"kind": "flag", "cell": [place // 6, place % 6]})
            last = answer.json if answer.status == 200 else last
        os.kill(process.pid, signal.SIGKILL)
        process.wait(PATIENCE)
    with served(tmp_path) as (_, client):
        found = client.get(f"games/{game_id}").json
        assert (found["cells"], found["mines_left"]) == (last["cells"], last["mines_left"])


KILLS, PLAYERS = 4, 2


def test_kill_9_at_any_moment_loses_no_answered_move(tmp_path: Path) -> None:
    """Players flag cell after cell; the server is killed in between, and each game is as its player last saw it."""
    random_moments = random.Random(12)
    games: list[str] = []
    refused: list[bytes] = []
    answered = [0] * PLAYERS  # flags that each player saw confirmed

    def play(player: int, port: int) -> None:
        client = Client(port)
        with contextlib.suppress(OSError, http.client.HTTPException):  # the server is no more
            while answered[player] < 16 * 30:
                cell = divmod(answered[player], 30)
                answer = client.post(f"games/{games[player]}/moves", {"kind": "flag", "cell": cell})
                if answer.status != 200:
                    refused.append(answer.content)
                    break
                answered[player] += 1
        client.close()

    for kill in range(KILLS + 1):
        with served(tmp_path) as (process, client):
            if kill == 0:
                games += [client.post("games", {"level": "expert"}).json["id"] for _ in range(PLAYERS)]
            for player, game_id in enumerate(games):
                flags = "".join(client.get(f"games/{game_id}").json["cells"])
                found = flags.count("F")
                assert found in (answered[player], answered[player] + 1), "a move that was answered is lost"
                assert flags == "F" * found + "#" * (16 * 30 - found)
                answered[player] = found  # the last was made, though its answer did not arrive
            before = list(answered)
            threads = [threading.Thread(target=play, args=(player, client.port)) for player in range(PLAYERS)]
            for thread in threads:
                thread.start()
            while kill < KILLS and answered == before and any(thread.is_alive() for thread in threads):
                time.sleep(0.001)
            time.sleep(random_moments.uniform(0, 0.2))
            os.kill(process.pid, signal.SIGKILL)
            process.wait(PATIENCE)
            for thread in threads:
                thread.join(PATIENCE)
    assert refused == []
    assert min(answered) > KILLS, "too few moves to show anything"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="/proc tells the memory of a process")
def test_memory_does_not_grow_with_the_requests(tmp_path: Path) -> None:
    """A leak of 1 kB a request would be 2.5 MB here; benchmarks/serve_soak.py asks a million times."""
    game = mp.Game(mp.generate("expert", seed=3, start=(8, 15), first_click="open"), first_click="any")
    game.open(8, 15)
    question = posted("analyze", json.dumps({"board": str(game.board), "mines": 99}).encode())
    with served(tmp_path) as (process, client), socket.create_connection(("127.0.0.1", client.port)) as connection:
        game_id = client.post("games", {"level": "beginner"}).json["id"]
        move = posted(f"games/{game_id}/moves", b'{"kind": "flag", "cell": [0, 0]}')

        def ask(times: int) -> int:
            """The memory in kB after so many requests, one in fifty of them a move."""
            for number in range(times):
                connection.sendall(question if number % 50 else move)
                found = b""
                while b"\r\n\r\n" not in found:
                    found += connection.recv(1 << 20)
                head, _, content = found.partition(b"\r\n\r\n")
                length = int(head.partition(b"content-length: ")[2].partition(b"\r")[0])
                while len(content) < length:
                    content += connection.recv(1 << 20)
                assert head.startswith(b"HTTP/1.1 200"), found
            pages = int(Path(f"/proc/{process.pid}/statm").read_text().split()[1])
            return pages * os.sysconf("SC_PAGE_SIZE") // 1000

        before = ask(1000)
        assert ask(2500) - before < 1200


def test_a_port_that_is_taken_is_told() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = mineproof("serve", "--port", str(port), "--no-open")
    assert (done.status, done.out) == (2, b"")
    assert f"Cannot listen on 127.0.0.1:{port}: Address already in use. Choose another --port" in done.err


def test_an_address_that_is_none_is_told() -> None:
    done = mineproof("serve", "--host", "no.such.host.invalid", "--port", "0", "--no-open")
    assert (done.status, done.out) == (2, b"")
    assert "Cannot listen on no.such.host.invalid:0: " in done.err
    assert "--host must be an address or a name of this machine." in done.err
    assert "--port" not in done.err


def test_two_servers_do_not_share_their_games(tmp_path: Path) -> None:
    with served(tmp_path):
        done = mineproof("serve", "--port", "0", "--no-open", "--data", str(tmp_path))
    assert done.status == 2
    assert f"Another server uses {tmp_path}. Choose another folder with --data DIR." in done.err


def test_a_file_of_something_else_is_left_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "games.sqlite"
    file.write_bytes(b"something else, and long enough to be looked at" * 100)
    before = file.read_bytes()
    done = mineproof("serve", "--port", "0", "--no-open", "--data", str(tmp_path))
    assert done.status == 2
    assert "got a damaged file or one of another kind" in done.err
    assert file.read_bytes() == before


@pytest.mark.parametrize("name", ["uvicorn", "httptools"])
def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setitem(sys.modules, name, None)
    done = mineproof("serve")
    assert (done.status, done.out) == (2, b"")
    assert "pip install 'mineproof[web]', or in a clone: make start" in done.err


def test_the_games_are_for_their_owner_alone(tmp_path: Path) -> None:
    data = tmp_path / "new"
    with served(data):
        assert data.stat().st_mode & 0o077 == 0
        assert (data / "games.sqlite").stat().st_mode & 0o077 == 0


def test_it_has_no_json_of_its_own() -> None:
    assert "It prints only its address" in mineproof("serve", "--json").error()["message"]


def test_half_open_connections_do_not_keep_it_from_ending(tmp_path: Path) -> None:
    with served(tmp_path) as (process, client):
        half = [socket.create_connection(("127.0.0.1", client.port)) for _ in range(5)]
        half[0].sendall(b"GET / HT")
        time.sleep(0.1)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=PATIENCE)
        for each in half:
            each.close()
    assert process.returncode == 0


@pytest.mark.parametrize(
    ("options", "env", "expected"),
    [([], {"DISPLAY": ":0"}, True), ([], {"DISPLAY": ""}, False), ([], {"DISPLAY": ":0", "SSH_CONNECTION": "x"}, False),
     (["--no-open"], {"DISPLAY": ":0"}, False), (["--open"], {"DISPLAY": ""}, True)],
)  # fmt: skip
def test_the_page_is_opened_where_there_is_a_screen(
    tmp_path: Path, options: list[str], env: dict[str, str], expected: bool
) -> None:
    program = tmp_path / "browser"
    program.write_text(f'#!/bin/sh\necho "$1" > {tmp_path}/shown.new && mv {tmp_path}/shown.new {tmp_path}/shown\n')
    program.chmod(0o755)
    shown = at_a_terminal(
        "serve", "--port", "0", "--data", str(tmp_path / "data"), *options, ctrl_c_after="http://",
        pause=(lambda: wait((tmp_path / "shown").exists, PATIENCE)) if expected else 1.5,
        BROWSER=f"{program} %s", DISPLAY=env["DISPLAY"], WAYLAND_DISPLAY="",
        SSH_CONNECTION=env.get("SSH_CONNECTION", ""),
    )  # fmt: skip
    assert shown.status == 0
    assert (tmp_path / "shown").exists() == expected
