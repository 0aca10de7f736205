"""A PostgreSQL of our own: made in a temporary folder, reached by a socket in it, stopped and started at will."""

from __future__ import annotations

import itertools
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from support.patience import PATIENCE

ROOT = Path(__file__).parents[2]

# Nothing that these tests write is to survive the machine, and there may be as many of them as there are processors.
SETTINGS = ("fsync=off", "listen_addresses=", "shared_buffers=16MB", "max_connections=60", "log_min_messages=fatal")


def programs() -> tuple[Path | None, str]:
    """The folder of PostgreSQL's programs, and otherwise why there is none."""
    done = subprocess.run([sys.executable, ROOT / "tools/postgres.py"], capture_output=True, text=True, check=False)
    return (Path(done.stdout.strip()), "") if done.returncode == 0 else (None, done.stderr.strip())


class Cluster:
    """One PostgreSQL; each test has a database of its own in it."""

    def __init__(self, programs: Path, folder: Path) -> None:
        self._programs, self._folder = programs, folder
        self._numbers = itertools.count()
        # PostgreSQL does not run as root.
        self._user: dict[str, Any] = {}
        if os.geteuid() == 0:
            import pwd

            names = {each.pw_name for each in pwd.getpwall()}
            other = pwd.getpwnam("postgres" if "postgres" in names else "nobody")
            self._user = {"user": other.pw_uid, "group": other.pw_gid, "extra_groups": []}
            os.chown(folder, other.pw_uid, other.pw_gid)
        self._run("initdb", "--no-sync", "-A", "trust", "-U", "postgres", "-E", "UTF8", "--no-locale", "-D", "data")
        self.start()

    def address(self, name: str = "postgres", password: str = "") -> str:
        return f"postgresql://postgres{password and f':{password}'}@/{name}?host={self._folder}"

    def new(self) -> str:
        """The address of an empty database."""
        name = f"test_{next(self._numbers)}"
        self.ask(f"CREATE DATABASE {name}")
        return self.address(name)

    def emptied(self) -> str:
        """The address of a database whose tables are taken away first, which is quicker than to make one."""
        self.ask("DROP SCHEMA IF EXISTS mineproof_history, mineproof_games CASCADE")
        return self.address()

    def ask(self, query: str, name: str = "postgres") -> list[Any]:
        import psycopg

        with psycopg.connect(self.address(name), autocommit=True) as database:
            cursor = database.execute(query.encode())
            return cursor.fetchall() if cursor.description else []

    def start(self) -> None:
        settings = [word for each in (*SETTINGS, f"unix_socket_directories={self._folder}") for word in ("-c", each)]
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [self._programs / "postgres", "-D", "data", *settings], cwd=self._folder, stdout=log, stderr=log,
                **self._user,
            )  # fmt: skip
        self._wait()

    def _wait(self) -> None:
        import psycopg

        end = time.monotonic() + PATIENCE
        while True:
            try:
                self.ask("SELECT 1")
                return
            except psycopg.OperationalError:
                running = self._process.poll() is None and time.monotonic() < end
                assert running, (self._folder / "log").read_text()
                time.sleep(0.05)

    def stop(self) -> None:
        """Stop at once; open connections are closed."""
        self._process.send_signal(signal.SIGINT)
        self._process.wait(PATIENCE)

    def _run(self, name: str, *arguments: str) -> None:
        done = subprocess.run(
            [self._programs / name, *arguments], cwd=self._folder, capture_output=True, text=True, check=False,
            **self._user,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr


@contextmanager
def running(programs: Path) -> Iterator[Cluster]:
    folder = Path(tempfile.mkdtemp(prefix="mineproof-pg-"))  # other users see no folder of pytest's
    try:
        cluster = Cluster(programs, folder)
        try:
            yield cluster
        finally:
            cluster.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
