"""The command as a process: signals, pipes, terminals, start-up and the demo."""

import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType

import pytest

from support.patience import PATIENCE

# A shell that starts something in the background makes it, and its children, deaf to Ctrl-C: listen all the same.
LISTEN = """
import runpy, signal
signal.signal(signal.SIGINT, signal.default_int_handler)
runpy.run_module("mineproof", run_name="__main__")
"""

COMMAND = [sys.executable, "-c", LISTEN]
EXPERT = "/".join(["#" * 30] * 8 + ["1" * 30] + ["0" * 30] * 7)
WIDE = "/".join("".join("#" if row % 2 or column % 2 else "3" for column in range(61)) for row in range(61))


def run(*arguments: str, env: Mapping[str, str] = MappingProxyType({})) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(arguments, capture_output=True, env=os.environ | env, check=False)


class Terminal:
    """The other end of a terminal."""

    def __init__(self) -> None:
        self._ours, self.theirs = pty.openpty()
        self.shown = b""

    def read_until(self, pattern: bytes) -> None:
        """Wait for text that matches, or for the end of what is written; fail if nothing comes for a long time."""
        with suppress(OSError):  # no process has it open any more
            while re.search(pattern, self.shown) is None:
                assert select.select([self._ours], [], [], PATIENCE)[0], f"no {pattern!r} in {self.shown!r}"
                piece = os.read(self._ours, 4096)
                if not piece:
                    break
                self.shown += piece

    def read_all(self) -> bytes:
        os.close(self.theirs)
        self.read_until(rb"\0")
        os.close(self._ours)
        return self.shown


# Ctrl-C


def interrupted(process: subprocess.Popen[bytes], what: str) -> None:
    """Press Ctrl-C and wait for the end."""
    process.send_signal(signal.SIGINT)
    try:
        status = process.wait(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        raise
    assert status == 130, what


@pytest.mark.slow
@pytest.mark.parametrize("command", ["analyze", "layouts --count"])
def test_ctrl_c_while_counting(command: str) -> None:
    terminal = Terminal()
    with subprocess.Popen(
        [*COMMAND, *command.split(), WIDE], stdout=subprocess.PIPE, stderr=terminal.theirs
    ) as process:
        terminal.read_until(rb"counting for \d+ s, limit 60 s")
        interrupted(process, command)
        assert process.stdout is not None
        assert process.stdout.read() == b""
    shown = terminal.read_all()
    assert b"\r\x1b[Kmineproof: interrupted" in shown
    assert b"Traceback" not in shown


def test_ctrl_c_keeps_what_was_listed(tmp_path: Path) -> None:
    path = tmp_path / "blocks"
    command = [*COMMAND, "layouts", EXPERT, "--json"]
    with path.open("wb") as out, subprocess.Popen(command, stdout=out, stderr=subprocess.PIPE) as process:
        while path.stat().st_size < 10_000:
            time.sleep(0.01)
            assert process.poll() is None
        interrupted(process, "layouts")
        assert process.stderr is not None
        assert json.loads(process.stderr.read())["code"] == "interrupted"
    head, *layouts = path.read_text().splitlines()
    assert json.loads(head)["schema"] == "mineproof/layouts/1"
    assert all(json.loads(line)["mines"] for line in layouts)


# pipes


@pytest.mark.parametrize(
    "arguments",
    [["layouts", EXPERT], ["layouts", EXPERT, "--json"], ["layouts", EXPERT, "--sample", "100000"]],
)
def test_a_reader_that_leaves_early_is_no_error(arguments: list[str]) -> None:
    with subprocess.Popen([*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline()
        process.stdout.close()
        assert process.wait(timeout=PATIENCE) == 0
        assert process.stderr.read() == b""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_is_an_error() -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run([*COMMAND, "analyze", "1#/##"], stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 2
    assert b"No space left" in done.stderr
    assert b"Traceback" not in done.stderr


def test_signs_that_an_encoding_lacks_are_replaced() -> None:
    done = run(*COMMAND, "analyze", "#" * 60, env={"PYTHONIOENCODING": "latin-1"})
    assert done.returncode == 0
    assert done.stdout.decode("latin-1").splitlines()[1].startswith("? 1.15 × 10^18 layouts fit")


# terminals


def at_a_terminal(*arguments: str, **env: str) -> tuple[int, bytes]:
    """The status of a command with a terminal on every side, and what that shows."""
    plain = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    terminal, all_of_it = Terminal(), plain | {"TERM": "xterm-256color", "COLUMNS": "80"} | env
    side = terminal.theirs
    process = subprocess.Popen([*COMMAND, *arguments], stdin=side, stdout=side, stderr=side, env=all_of_it)
    status = process.wait(timeout=PATIENCE)
    return status, terminal.read_all()


def test_nobody_is_asked_for_a_board() -> None:
    status, shown = at_a_terminal("analyze")
    assert status == 2
    assert b"BOARD is missing" in shown


def test_a_terminal_gets_colours_unless_it_wants_none() -> None:
    status, shown = at_a_terminal("analyze", "1#/##", "--mines", "1")
    assert status == 0
    assert re.search(rb"\x1b\[[0-9;]+m33", shown)
    for wish in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        status, shown = at_a_terminal("analyze", "1#/##", "--mines", "1", **wish)
        assert status == 0
        assert b"\x1b" not in shown


def test_bytes_are_kept_off_a_terminal() -> None:
    status, shown = at_a_terminal("convert", "b=32&m=60", "--to", "mbf")
    assert status == 2
    assert b"-o FILE" in b" ".join(shown.split())
    assert b"\x03\x02" not in shown


# start-up and demo


def test_scripts_do_not_wait_for_rich() -> None:
    code = (
        "import sys\n"
        "from mineproof.cli import main\n"
        "try: main(['analyze', '1#/##', '--json'])\n"
        "except SystemExit as end: assert not end.code\n"
        "assert not [name for name in sys.modules if name.split('.')[0] == 'rich']\n"
    )
    done = run(sys.executable, "-c", code)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("module", ["mineproof", "mineproof.cli"])
def test_modules_run_as_the_command(module: str) -> None:
    done = run(sys.executable, "-m", module, "layouts", "1#/##", "--count")
    assert (done.returncode, done.stdout) == (0, b"3\n")


@pytest.mark.parametrize("engine", ["kernel", "reference"])
def test_the_demo(engine: str) -> None:
    done = run(sys.executable, "-m", "mineproof.cli.demo", env={"MINEPROOF_ENGINE": engine, "COLUMNS": "80"})
    assert (done.returncode, done.stderr) == (0, b"")
    text = done.stdout.decode()
    assert "30 × 16, 99 mines" in text
    words = " ".join(text.split())
    assert "The flag at (0,4) is wrong" in words
    assert f"by the {engine} engine" in words
    assert ("Proof checked" in words) == (engine == "kernel")  # the reference makes no such boards
    cell = "(6,8)" if engine == "kernel" else "(4,8)"
    assert f"In this game a forced guess cannot lose. Open {cell}." in words
    assert [line for line in text.splitlines() if len(line) > 80] == []
