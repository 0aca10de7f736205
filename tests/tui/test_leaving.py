"""The last resort of the terminal game: it ends the process on every system."""

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from mineproof.tui import exit_signals
from support.patience import PATIENCE
from support.terminal import SMALL, Player, play, session_on


class Ended(BaseException):
    """Stands for the end of the process."""


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """A file in place of the terminal, and a process that only pretends to end."""

    def end(status: int) -> None:
        raise Ended(status)

    path = tmp_path / "terminal"
    monkeypatch.setattr(exit_signals, "GRACE_SECONDS", 0)
    monkeypatch.setattr(os, "_exit", end)
    with path.open("w") as terminal:
        monkeypatch.setattr(sys, "__stderr__", terminal)
        yield path


def test_the_process_ends_and_the_terminal_is_restored(written: Path) -> None:
    with pytest.raises(Ended, match="143"):
        exit_signals._force_exit(143, None)
    assert written.read_bytes() == exit_signals.RESTORE_TERMINAL


def test_the_process_ends_without_set_blocking(written: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows has no os.set_blocking before Python 3.12."""
    monkeypatch.delattr(os, "set_blocking")
    with pytest.raises(Ended, match="143"):
        exit_signals._force_exit(143, None)


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="needs a pseudo-terminal")
def test_a_terminal_that_disappears_ends_the_game() -> None:
    """Without SIGHUP: the process has another session than the terminal."""
    master, slave = os.openpty()
    code = "from mineproof.cli import main; main()"
    environment = {**os.environ, "TERM": "xterm-256color"}
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-c", code, "play", "beginner", "--save", f"{folder}/game.json"]
        game = subprocess.Popen(
            command, stdin=slave, stdout=slave, stderr=slave, env=environment, start_new_session=True
        )
        os.close(slave)
        shown = b""
        while b"\x1b[?1049h" not in shown:  # the alternate screen: the game is there
            shown += os.read(master, 4096)
        os.close(master)
        assert game.wait(PATIENCE) == 128 + signal.SIGHUP


def test_a_game_inside_another_program_leaves_its_signals_alone() -> None:
    before = {name: signal.getsignal(getattr(signal, name)) for name in exit_signals.SIGNALS}

    async def script(player: Player) -> None:
        during = {name: signal.getsignal(getattr(signal, name)) for name in exit_signals.SIGNALS}
        assert {**during, "SIGINT": None} == {**before, "SIGINT": None}  # asyncio.run has its own for SIGINT

    play(session_on(SMALL), script)
    assert {name: signal.getsignal(getattr(signal, name)) for name in exit_signals.SIGNALS} == before
