"""A Dask scheduler and workers as processes of their own on this machine, to be killed at will."""

from __future__ import annotations

import json
import os
import random
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

START = 60.0  # seconds, on a machine with much else to do
PORTS = range(20_000, 32_000)  # below those that the system assigns, so they stay free
IN_USE = "Address already in use"


def _free_port() -> int:
    while True:
        with socket.socket() as one:
            port = random.choice(PORTS)
            with suppress(OSError):
                one.bind(("127.0.0.1", port))
                return port


class Dask:
    """A scheduler at a port of its own, and workers of one thread each; all of them are gone in the end.

    ``folder`` gets their logs, and the file in which the scheduler writes its address.
    """

    def __init__(self, folder: Path, **env: str) -> None:
        self._folder, self._env = folder, os.environ | {"DASK_TEMPORARY_DIRECTORY": str(folder)} | env
        self.file = folder / "scheduler.json"
        self._port = 0
        self._scheduler: subprocess.Popen[bytes] | None = None
        self._workers: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill_workers()
        self.kill_scheduler()

    @property
    def address(self) -> str:
        return f"tcp://127.0.0.1:{self._port}"

    def start(self) -> None:
        """Start the scheduler; at the port it had, if it had one."""
        deadline = time.monotonic() + START
        while not self._is_started(self._port or _free_port(), deadline):
            time.sleep(0.1)  # another process has the port, for a while

    def _is_started(self, port: int, deadline: float) -> bool:
        """Has it started, and not ended because another process has the port?"""
        self.file.unlink(missing_ok=True)
        options = ["--port", str(port), "--scheduler-file", str(self.file), "--idle-timeout", "300"]
        self._scheduler = self._run("scheduler", *options)
        while not self._has_told(port):
            if self._scheduler.poll() is not None and time.monotonic() < deadline and IN_USE in self.log:
                return False
            assert self._scheduler.poll() is None, self.log
            assert time.monotonic() < deadline, self.log
            time.sleep(0.02)
        self._port = port
        return True

    def _has_told(self, port: int) -> bool:
        """Is its file written, and whole?"""
        try:
            return int(json.loads(self.file.read_text())["address"].rpartition(":")[2]) == port
        except (FileNotFoundError, ValueError):
            return False

    def add_workers(self, count: int, *options: str) -> None:
        """Start workers, which join when they are ready."""
        self._workers += [
            self._run("worker", self.address, "--no-nanny", "--nthreads", "1", "--death-timeout", "60", *options)
            for _ in range(count)
        ]

    def kill_workers(self, count: int | None = None) -> None:
        """Kill some of those that were started last, or all."""
        for process in self._workers[0 if count is None else -count :]:
            process.kill()
            process.wait()
            self._workers.remove(process)

    def kill_scheduler(self) -> None:
        assert self._scheduler is not None
        self._scheduler.kill()
        self._scheduler.wait()

    @property
    def log(self) -> str:
        return (self._folder / "dask.log").read_text("utf-8")

    def _run(self, what: str, *arguments: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", f"distributed.cli.dask_{what}", *arguments, "--host", "127.0.0.1"]
        with (self._folder / "dask.log").open("ab") as log:
            return subprocess.Popen(
                [*command, "--no-dashboard"], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                env=self._env, cwd=self._folder,
            )  # fmt: skip
