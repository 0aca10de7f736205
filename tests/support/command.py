"""The command line, called in this process as a script would call it."""

import json
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import pytest
from click.testing import CliRunner

from mineproof.cli import main
from support import declared


@dataclass(frozen=True)
class Done:
    """How a command ended and what it wrote."""

    status: int
    out: bytes
    err: str

    @property
    def text(self) -> str:
        return self.out.decode("utf-8")

    @property
    def lines(self) -> list[str]:
        return self.text.splitlines()

    def json(self) -> Any:
        return json.loads(self.out)

    def error(self) -> Any:
        return json.loads(self.err)


def mineproof(*arguments: str, stdin: bytes | str = b"", columns: int = 80, **env: str) -> Done:
    """Run a command on a pipe, not a terminal, of a given width."""
    everywhere: dict[str, str | None] = {"COLUMNS": str(columns), "NO_COLOR": None, "TERM": "xterm-256color"}
    result = CliRunner(env=everywhere | env).invoke(main, arguments, input=stdin, catch_exceptions=False)
    done = Done(result.exit_code, result.stdout_bytes, result.stderr)
    if "--json" in arguments:
        for line in (*done.lines, *done.err.splitlines()):
            if line.startswith('{"schema"'):
                declared.require_declared(json.loads(line), "source", "line")
    return done


def interrupted(monkeypatch: pytest.MonkeyPatch, module: ModuleType, *arguments: str) -> Done:
    """Run a command and press Ctrl-C, once, as soon as it reports progress."""
    unpressed = [signal.SIGINT]

    def press(_: object) -> None:
        if unpressed:
            signal.raise_signal(unpressed.pop())

    @contextmanager
    def pressing(*_: object) -> Iterator[Callable[[object], None]]:
        yield press

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with monkeypatch.context() as patch:
            patch.setattr(module, "_progress_bar", pressing)
            return mineproof(*arguments)
    finally:
        signal.signal(signal.SIGINT, before)
