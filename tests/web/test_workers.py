"""``mineproof serve --workers``: one address, several processes, one set of games."""

import contextlib
import os
import signal
import sys
import threading
from contextlib import suppress
from pathlib import Path

import pytest

from support.command import mineproof
from support.patience import PATIENCE
from support.process import at_a_terminal
from support.served import Client, served, wait
from web.test_games import SMALL, begin, finish, flag, move

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="/proc tells the children of a process"),
]


def workers_of(parent: int) -> list[int]:
    """The processes that answer; another one is Python's, and tracks what they share."""
    with suppress(FileNotFoundError):
        found = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
        return [int(each) for each in found if b"spawn_main" in Path(f"/proc/{each}/cmdline").read_bytes()]
    return []


def is_running(number: int) -> bool:
    """A process that has ended does not run, even before its status was read."""
    with suppress(FileNotFoundError):
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def test_they_share_the_games_and_end_together(tmp_path: Path) -> None:
    with served(tmp_path, "--workers", "2") as (process, client):
        workers = workers_of(process.pid)
        assert len(workers) == 2
        page = client.ask("GET", "/")
        assert (page.status, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
        rows, columns = 20, 25
        game_id = begin(client, rows=rows, columns=columns, mines=5)
        flagged: list[int] = []

        def flag_some(first: int) -> None:
            own = Client(client.port)
            for place in range(first, rows * columns, 4):
                flag(own, game_id, *divmod(place, columns))
                flagged.append(place)
            own.close()

        threads = [threading.Thread(target=flag_some, args=(first,)) for first in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(PATIENCE)
        assert len(flagged) == rows * columns
        for _ in range(8):  # through whichever worker takes the connection
            other = Client(client.port)
            assert other.get(f"games/{game_id}").json["cells"] == ["F" * columns] * rows
            other.close()
        lost = begin(client, **SMALL)
        finish(client, lost)
        assert wait(lambda: len(client.get("history").json["games"]) == 1)
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=PATIENCE)
        told = [line for line in err.splitlines() if "database is locked" not in line]  # those of a 503
        assert (process.returncode, out, told) == (0, "", [])
        assert not any(map(is_running, workers))


def test_a_worker_that_is_killed_is_replaced_and_its_games_go_on(tmp_path: Path) -> None:
    with served(tmp_path, "--workers", "2") as (process, client):
        before = workers_of(process.pid)
        game_id = begin(client, **SMALL)
        assert move(client, game_id, "flag", 0, 0).status == 200
        client.close()
        for worker, number in zip(before, (signal.SIGKILL, signal.SIGTERM), strict=True):
            os.kill(worker, number)
        assert wait(lambda: len(set(workers_of(process.pid)) - set(before)) == 2, PATIENCE)
        assert wait(lambda: not any(map(is_running, before)), PATIENCE)
        assert client.get(f"games/{game_id}").json["cells"][0] == "F#####"  # over a new connection
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert f"mineproof: worker {before[0]} ended (signal 9), starting another one\n" in err
    assert f"mineproof: worker {before[1]} ended (status 0), starting another one\n" in err


def test_ctrl_c_ends_them_without_a_word(tmp_path: Path) -> None:
    with served(tmp_path, "--workers", "2") as (process, _):
        for _ in range(3):  # an impatient user
            for each in workers_of(process.pid):  # at a terminal every process gets it
                with contextlib.suppress(ProcessLookupError):
                    os.kill(each, signal.SIGINT)
            process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out, err) == (0, "", "")
    shown = at_a_terminal(
        "serve", "--port", "0", "--no-open", "--workers", "2", "--data", str(tmp_path), ctrl_c_after="http://"
    )
    assert (shown.status, shown.text.count("http://"), "Traceback" in shown.text) == (0, 1, False)


def test_workers_end_with_the_process_that_watches_over_them(tmp_path: Path) -> None:
    with served(tmp_path, "--workers", "2") as (process, client):
        workers = workers_of(process.pid)
        game_id = begin(client, **SMALL)
        os.kill(process.pid, signal.SIGKILL)
        process.wait(PATIENCE)
        assert wait(lambda: not any(map(is_running, workers)), PATIENCE)
    with served(tmp_path) as (_, client):  # its folder is free again
        assert client.get(f"games/{game_id}").status == 200


def test_what_is_wrong_is_told_once(tmp_path: Path) -> None:
    assert "--workers must be from 1 to 64, got 0" in mineproof("serve", "--workers", "0").err
    file = tmp_path / "games.sqlite"
    file.write_bytes(b"something else, and long enough to be looked at" * 100)
    done = mineproof("serve", "--port", "0", "--no-open", "--workers", "2", "--data", str(tmp_path))
    assert done.status == 2
    assert done.err.count("got a damaged file or one of another kind") == 1
