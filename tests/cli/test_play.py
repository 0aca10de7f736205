"""``mineproof play`` as a process: terminals and the lack of one, options, and games that survive their process."""

import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from mineproof import formats
from mineproof.analysis.layouts import sample_layouts
from mineproof.board.board import Board
from mineproof.game import autosave
from mineproof.game.layout import Layout
from mineproof.tui import settings
from support import texts
from support.command import mineproof
from support.patience import PATIENCE

NONE: Mapping[str, str] = MappingProxyType({})
COLOUR = re.compile(rb"\x1b\[[0-9;]*(?:3[0-7]|4[0-7]|9[0-7]|10[0-7]|[34]8;[25])[0-9;]*m")


@pytest.fixture(autouse=True)
def _state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


# no game


def test_without_a_terminal_it_says_so() -> None:
    done = mineproof("play")
    assert (done.status, done.out) == (2, b"")
    assert "play needs a terminal" in done.err


def test_output_that_goes_elsewhere_is_no_terminal() -> None:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "mineproof", "play"]
    done = subprocess.run(command, stdin=theirs, stderr=theirs, stdout=subprocess.PIPE, check=False, timeout=PATIENCE)
    os.close(theirs)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"standard output is not one" in os.read(ours, 4096)
    os.close(ours)


def test_there_is_no_json() -> None:
    done = mineproof("play", "--json")
    assert (done.status, done.error()["code"]) == (2, "usage")
    assert "hint --json" in done.error()["message"]


def test_without_textual_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "textual", None)
    done = mineproof("play")
    assert done.status == 2
    assert "pip install 'mineproof[tui]', or in a clone: make play" in done.err


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["huge"], "SIZE: expected beginner, beginner8, intermediate, expert, a size such as 30x16x99, or a file"),
        (["huge"], "or a file or text with a layout"),
        (["9x9x-1"], "got '9x9x-1'"),
        (["nowhere.mbf"], "nowhere.mbf: file not found"),
        (["-"], "standard input is the keyboard"),
        (["--from", "-"], "standard input is the keyboard"),
        (["--from", "1#/##"], "The number of mines of POSITION is unknown. Pass --mines N."),
        (["beginner", "--from", "1#/##"], "Pass 'beginner' or --from '1#/##', not both."),
        (["beginner", "--mines", "3"], "--mines and --flags need --from POSITION"),
        (["beginner", "--flags", "ignore"], "--mines and --flags need --from POSITION"),
        (["9x9x100"], "expected at most 81 mines on 9 × 9, got 100"),
        (["--fairness", "often"], "--fairness must be one of none, forced, kind, strict, safest, local, got 'often'"),
        (["--first-click", "never"], "--first-click must be one of"),
        (["--topology", "ball"], "--topology must be one of"),
        (["--seed", "-1"], "--seed must be at least 0, got -1"),
    ],
)
def test_bad_usage(arguments: list[str], complaint: str) -> None:
    done = mineproof("play", *arguments)
    assert done.status == 2
    assert complaint in done.err


@pytest.mark.parametrize(
    ("arguments", "status", "complaint"),
    [
        (["1#/##"], 3, "This board does not show where the mines are. Use --from POSITION to continue from it."),
        (["**/**"], 3, "expected a cell without a mine, got a mine in every cell"),
        (["*./.."], 2, "play needs a terminal"),
        (["--from", "*./.."], 3, "This board shows where the mines are"),
        (["--from", "9#/##", "--mines", "1"], 3, "got '9'"),
        (["--from", "1#/##", "--mines", "9"], 3, "9"),
        (["--from", "1F/11", "--mines", "1"], 3, "got one with only mines covered"),
        (["--from", "3#/1#", "--mines", "3"], 4, "the 3 at (0,0)"),
        (["--from", "1F/F#", "--mines", "2"], 4, "the 1 at (0,0)"),
        (["--from", "1F/F#", "--mines", "1", "--flags", "ignore"], 2, "play needs a terminal"),
        (["--from", "1#/##", "--mines", "1"], 2, "play needs a terminal"),
    ],
)
def test_what_cannot_be_played(arguments: list[str], status: int, complaint: str) -> None:
    done = mineproof("play", *arguments)
    assert (done.status, done.out) == (status, b"")
    assert complaint in done.err


def test_the_help_names_the_options() -> None:
    text = mineproof("play", "--help").text
    for option in (
        "--from",
        "--mines",
        "--flags",
        "--first-click",
        "--fairness",
        "--no-guess",
        "--seed",
        "--topology",
        "--new",
        "--save",
    ):
        assert option in text
    assert "--json" not in text


# a game


class Played:
    """The command on a terminal of its own."""

    def __init__(
        self, *arguments: str, lines: int = 24, columns: int = 80, env: Mapping[str, str] = NONE, fault: str = ""
    ) -> None:
        self._ours, theirs = pty.openpty()
        self.modes = termios.tcgetattr(self._ours)
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        everywhere = {"TERM": "xterm-256color", "COLORTERM": ""}
        inherited = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "LINES", "COLUMNS")}
        self.process = subprocess.Popen(
            [sys.executable, "-c", f"{fault}\nfrom mineproof.cli import main\nmain()", "play", *arguments],
            stdin=theirs, stdout=theirs, stderr=theirs, env=inherited | everywhere | dict(env), start_new_session=True,
        )  # fmt: skip
        os.close(theirs)
        self.shown = b""

    def wait_for(self, words: str) -> None:
        """Until words are on the screen, wherever they are."""
        end = time.monotonic() + PATIENCE
        while words.encode() not in self.shown:
            assert time.monotonic() < end, f"no {words!r} in {self.shown!r}"
            self._read()

    def wait_for_moves(self, path: Path, count: int) -> None:
        end = time.monotonic() + PATIENCE
        while not path.exists() or len(json.loads(path.read_text())["moves"]) < count:
            assert time.monotonic() < end, f"no {count} moves in {path}"
            self._read()

    def type(self, keys: str) -> None:
        os.write(self._ours, keys.encode())

    def ends(self) -> int:
        """Its exit status."""
        end = time.monotonic() + PATIENCE
        while self.process.poll() is None:
            assert time.monotonic() < end, "it does not end"
            self._read()
        return self.process.returncode

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.ends()

    def drain(self) -> None:
        """Read what is still on its way."""
        while select.select([self._ours], [], [], 0.2)[0]:
            try:
                self.shown += os.read(self._ours, 65536)
            except OSError:
                return

    def modes_now(self) -> list[Any]:
        """The settings of the terminal, as stty shows them."""
        return termios.tcgetattr(self._ours)

    def hang_up(self) -> None:
        """Close the window of the terminal."""
        os.close(self._ours)
        self._ours = os.open(os.devnull, os.O_RDWR)

    def _read(self) -> None:
        if select.select([self._ours], [], [], 0.05)[0]:
            try:
                self.shown += os.read(self._ours, 65536)
            except OSError:  # the other end is closed
                time.sleep(0.05)

    def __enter__(self) -> "Played":
        return self

    def __exit__(self, *_: Any) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self._ours)


@pytest.mark.slow
def test_a_game_survives_kill_9(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    arguments = ("beginner", "--seed", "3", "--first-click", "open", "--save", str(path))
    with Played(*arguments) as first:
        first.wait_for("Space opens a cell")
        first.type(" ")
        first.wait_for_moves(path, 1)
        first.type("\x1b[Hf")  # Home, then a flag
        first.wait_for_moves(path, 2)
        first.kill()
    before = autosave.load(path).game
    assert before is not None
    assert [move.kind for move in before.moves] == ["open", "flag"]
    with Played("--save", str(path)) as second:
        second.wait_for("Your unfinished game continues")
        second.type("u")
        second.wait_for_moves(path, 3)
        second.type("q")
        assert second.ends() == 0
    after = autosave.load(path).game
    assert after is not None
    assert [move.kind for move in after.line] == ["open"]
    with Played("--save", str(path), "--new") as third:
        third.wait_for("Space opens a cell")
        third.type("\x03")
        assert third.ends() == 130
    kept = autosave.load(path).game
    assert kept is not None
    assert kept.moves == after.moves  # no move was made, so nothing is lost


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_gives_the_terminal_back_as_it_was(number: signal.Signals) -> None:
    path = autosave.default_path()
    with Played("beginner", "--seed", "3", "--first-click", "open") as game:
        game.wait_for("Space opens a cell")
        assert game.modes_now() != game.modes
        game.type(" ")
        game.wait_for_moves(path, 1)
        game.drain()
        before = len(game.shown)
        game.process.send_signal(number)
        assert game.ends() == 128 + number
        game.drain()
        after = game.shown[before:]
        # the other screen, the cursor, and the mouse with its kinds of reports
        for taken, given_back in ((b"?1049h", b"?1049l"), (b"?25l", b"?25h")):
            assert taken in game.shown
            assert after.rfind(given_back) > after.rfind(taken)
        for mouse in (b"1000", b"1003", b"1006"):
            assert b"\x1b[?" + mouse + b"h" in game.shown
            assert b"\x1b[?" + mouse + b"l" in after
        assert game.modes_now() == game.modes
    kept = autosave.load(path).game
    assert kept is not None
    assert (kept.status, len(kept.moves)) == ("running", 1)
    assert kept.ms >= kept.moves[-1].ms


def test_a_terminal_that_is_closed_ends_the_game() -> None:
    path = autosave.default_path()
    with Played("beginner", "--seed", "3", "--first-click", "open") as game:
        game.wait_for("Space opens a cell")
        game.type(" ")
        game.wait_for_moves(path, 1)
        game.hang_up()
        game.process.send_signal(signal.SIGHUP)  # as the system does to the process on the terminal
        assert game.ends() == 128 + signal.SIGHUP
    kept = autosave.load(path).game
    assert kept is not None
    assert len(kept.moves) == 1


# a board that is given

LAYOUT = Layout(8, 8, frozenset([(0, 0), (0, 7), (3, 3), (7, 0), (5, 6)]), (4, 6))
FORMATS = ["layout", "json", "mbf", "mbf-hex", "ptta", "tatham", "rawvf"]


@pytest.mark.slow
@pytest.mark.parametrize("name", FORMATS)
def test_a_layout_of_any_format_is_played_as_it_is(name: str, tmp_path: Path) -> None:
    written = formats.write(LAYOUT, name)
    file = tmp_path / "board"
    file.write_bytes(written if isinstance(written, bytes) else written.encode())
    starts = formats.read(file.read_bytes()).value
    assert isinstance(starts, Layout)
    with Played(str(file), "--first-click", "open", "--no-guess", columns=300) as game:
        game.wait_for("8 × 8, 5 mines.")
        game.wait_for(texts.text("cli-play-ignored", 2, options="--first-click and --no-guess"))
        if starts.start is not None:
            game.wait_for("on its first click, G5")
        game.type("\x1b[1;5H ")  # Ctrl+Home: a mine
        game.wait_for("Lost: there was a mine at A1")
        game.type("q")
        assert game.ends() == 0
    kept = autosave.load(autosave.default_path()).game
    assert kept is not None
    assert kept.layout.mines == LAYOUT.mines
    assert settings.load() == settings.Settings(), "the options of such a game are not remembered"
    assert starts.start == (LAYOUT.start if name in ("json", "tatham") else None)


@pytest.mark.slow
def test_the_start_of_a_layout_is_where_the_cursor_is() -> None:
    path = autosave.default_path()
    identifier = formats.write(LAYOUT, "tatham")
    assert isinstance(identifier, str)
    with Played(identifier, columns=200) as game:
        game.wait_for("on its first click, G5")
        game.type(" ")
        game.wait_for_moves(path, 1)
        game.type("q")
        assert game.ends() == 0
    assert json.loads(path.read_text())["moves"][0][:3] == ["open", 4, 6]
    with Played(identifier) as again:
        again.wait_for("Your unfinished game continues")
        again.type("q")
        again.ends()
    with Played("*./..", columns=200) as other:
        other.wait_for("Another game is unfinished in")
        other.type("n\n")
        assert other.ends() == 2
        assert b"The unfinished game stays. Use --save PATH for another file." in other.shown
    assert json.loads(path.read_text())["moves"][0][:3] == ["open", 4, 6]
    with Played("*./..", columns=200) as other:
        other.wait_for("Replace it by this one?")
        other.type("y\n")
        other.wait_for(texts.text("cli-play-layout", board="2 × 2, 1 mine"))
        other.type("q")
        assert other.ends() == 0
    assert json.loads(path.read_text())["moves"][0][:3] == ["open", 4, 6], "until the new game has its first move"


def test_a_position_is_gone_on_from() -> None:
    path = autosave.default_path()
    arguments = ["--from", "F1####/11####/######/######", "--mines", "3", "--seed", "7"]
    with Played(*arguments, columns=160) as game:
        game.wait_for("Continuing your position: 6 × 4, 3 mines. The mines are drawn from all consistent layouts")
        game.type("\x1b[1;5Ff")  # Ctrl+End, and a flag there
        game.wait_for_moves(path, 1)
        game.type("q")
        assert game.ends() == 0
    kept = autosave.load(path).game
    assert kept is not None
    given = Board.parse("F1####/11####/######/######", total_mines=3)
    assert kept.record().given == given
    assert kept.record().layout.mines == next(iter(sample_layouts(given, 1, seed=7)))
    assert str(kept).splitlines()[0] == "F1####"
    assert str(kept).splitlines()[3] == "#####F"


def test_a_file_of_a_level_s_name_is_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("expert").write_text("1#/##\n")
    done = mineproof("play", "expert")
    assert done.status == 3
    assert "This board does not show where the mines are" in done.err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no such device")
def test_a_device_holds_no_game() -> None:
    with Played("--save", "/dev/full") as game:
        assert game.ends() == 2
        assert b"expected a file, got a device" in game.shown.replace(b"\r\n", b" ")


@pytest.mark.slow
def test_a_fault_of_ours_is_told_without_the_mines() -> None:
    fault = "import mineproof.game.game\nmineproof.game.game.judge = lambda *_, **__: 1 / 0"
    with Played("beginner", "--fairness", "forced", lines=50, columns=120, fault=fault) as game:
        game.wait_for("Space opens a cell")
        game.type(" ")
        assert game.ends() == 1
        game.wait_for("ZeroDivisionError")
    told = re.sub(rb"\x1b\[[0-9;]*m", b"", game.shown)
    assert b"verdict = judge(" in told, "the traceback shows where it happened"
    assert b"Layout(" not in told


def test_the_mouse_of_a_terminal() -> None:
    path = autosave.default_path()
    with Played("9x9x10", "--first-click", "open", "--seed", "3") as game:
        game.wait_for("Space opens a cell")
        # The board is in the middle: line 7, column 33 is its first cell, counted from 1 as terminals do.
        game.type("\x1b[<2;33;7M\x1b[<2;33;7m")
        game.wait_for_moves(path, 1)
        game.type("\x1b[<0;49;15M\x1b[<0;49;15m")
        game.wait_for_moves(path, 2)
        game.type("q")
        assert game.ends() == 0
    moves = json.loads(path.read_text())["moves"]
    assert [move[:3] for move in moves] == [["flag", 0, 0], ["open", 8, 8]]


@pytest.mark.slow
def test_one_game_has_one_player() -> None:
    with Played() as first:
        first.wait_for("Space opens a cell")
        with Played() as second:
            assert second.ends() == 2
            assert b"Another process plays the game" in second.shown.replace(b"\r\n", b" ")
        first.type("q")
        assert first.ends() == 0


@pytest.mark.slow
def test_options_are_remembered() -> None:
    with Played("12x7x5", "--fairness", "kind", "--topology", "torus") as first:
        first.wait_for("Fairness: kind")
        first.type("q")
        first.ends()
    with Played("--seed", "1") as second:
        second.wait_for("Fairness: kind")
        second.type(" ")
        second.wait_for_moves(autosave.default_path(), 1)
    game = autosave.load(autosave.default_path()).game
    assert game is not None
    assert (game.columns, game.rows, game.total_mines, game.board.topology) == (12, 7, 5, "torus")


@pytest.mark.parametrize("wanted", [True, False])
def test_colours_are_left_out_where_nobody_wants_them(wanted: bool) -> None:
    with Played("--seed", "3", "--first-click", "open", env=NONE if wanted else {"NO_COLOR": "1"}) as game:
        game.wait_for("Space opens a cell")
        game.type(" o")
        game.wait_for("Odds:")
        game.type("q")
        assert game.ends() == 0
        assert bool(COLOUR.search(game.shown)) == wanted


@pytest.mark.slow
def test_a_small_terminal_will_do() -> None:
    with Played("expert", "--first-click", "open", "--seed", "3", lines=12, columns=40) as game:
        game.wait_for("Space opens a cell")
        game.type(" hhhh")
        game.wait_for("t: full message")
        game.type("q")
        assert game.ends() == 0


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [["play", "expert"], ["watch", "expert", "--seed", "7", "--delay", "0"]])
def test_a_signal_ends_a_game_that_is_not_read(arguments: list[str]) -> None:
    """A terminal that takes no more output would keep it for ever."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "mineproof", *arguments]
    process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True)
    try:
        deadline = time.monotonic() + PATIENCE
        while not select.select([ours], [], [], 0.1)[0]:
            assert time.monotonic() < deadline
        time.sleep(2)  # drawn until the terminal is full, and never read
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=PATIENCE) == 128 + signal.SIGTERM
    finally:
        process.kill()
        os.close(ours)
        os.close(theirs)
