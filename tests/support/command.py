"""The command line, called in this process as a script would call it."""

import json
from dataclasses import dataclass
from typing import Any

from click.testing import CliRunner

from mineproof.cli import main


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
    return Done(result.exit_code, result.stdout_bytes, result.stderr)
