"""mineproof as a bot: every line of the protocol, through a session and through the command."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

import mineproof as mp
from mineproof.board.topology import TOPOLOGIES
from mineproof.protocol.server import BotSession, serve
from support.command import mineproof
from support.engines import needs_kernel

pytestmark = needs_kernel
GAME = "newgame rows 2 columns 3 mines 1 topology grid seed 7"
WIDE = "/".join("".join("#" if row % 2 or column % 2 else "3" for column in range(61)) for row in range(61))


def answers(*lines: str, strategy: str = "strong", seconds: float | None = None) -> list[str]:
    written: list[str] = []
    serve(lines, BotSession(written.append, strategy, seconds))
    return written


def test_the_greeting_names_version_and_abilities() -> None:
    assert answers("mineproof 1") == [
        "id name mineproof strong",
        f"id version {mp.__version__}",
        f"capabilities {' '.join(TOPOLOGIES)} odds stop",
        "ready",
    ]


@pytest.mark.parametrize(
    ("lines", "last"),
    [
        (["mineproof 2"], "error expected `mineproof 1`, got version 2"),
        (["go"], "error expected `position` with a covered cell before `go`"),
        ([GAME, "position 1#x/###"], "error line 1, character 3: expected 0-8"),
        ([GAME, "position 000/000", "go"], "error expected `position` with a covered cell before `go`"),
        ([GAME, "position 3##/###", "go"], "error "),
        ([GAME, "position 1##/###", "go movetime soon"], "error expected a whole number after `movetime`, got 'soon'"),
        ([GAME, "position 1##/###", "go movetime"], "error expected a whole number after `movetime`, got 'nothing'"),
        ([GAME, "position 1##/###", "go movetime nan", "go"], "bestmove 0,2 safe more 1,2"),
        (["newgame rows 2 columns 3 mines nan"], "error expected a whole number after `mines`, got 'nan'"),
        (["newgame rows 2 columns 3 mines 1 seed -7"], "error expected a whole number after `seed`, got '-7'"),
        (
            ["newgame rows 2 columns 3 mines 1 topology ball"],
            f"error topology must be one of {', '.join(TOPOLOGIES)}, got 'ball'",
        ),
        (["newgame rows 2 columns 3 mines ?", "position 1##/###", "go"], "error expected the number of mines"),
        (["newgame rows 2 columns 3 mines ?", "position 1#1/##1", "go"], "bestmove 1,0 safe"),
        ([GAME.replace("mines 1", "mines 4"), "position 3##/###", "go"], "bestmove "),
        ([GAME, "position 1##/###", "go"], "bestmove 0,2 safe more 1,2"),
        ([GAME, "position 1#1/1#1", "go movetime 60000 odds"], "bestmove 0,1"),
        ([GAME, "hello", "", "debug on", "position 1#1/1#1", "go", "quit", "go"], "bestmove 0,1"),
    ],
)
def test_answers(lines: list[str], last: str) -> None:
    assert answers(*lines)[-1].startswith(last)


def test_odds_are_those_of_the_analysis() -> None:
    odds = answers(GAME, "position 1##/###", "go odds")[1]
    assert odds == "odds 0,1 0.333333 0,2 0 1,0 0.333333 1,1 0.333333 1,2 0"


def test_comments_have_no_endless_numbers() -> None:
    rows = "/".join(["1" + "#" * 29, *["#" * 30] * 15])
    lines = answers("newgame rows 16 columns 30 mines 99 topology grid seed 1", f"position {rows}", "go")
    assert re.fullmatch(r"info mine probability [\d./]+, 10\^\d+\.\d layouts fit", lines[-2])


def test_a_board_too_wide_to_count_has_an_answer() -> None:
    game = "newgame rows 61 columns 61 mines 800 topology grid seed 1"
    *_, info, move = answers(game, f"position {WIDE}", "go movetime 200")
    assert info.startswith("info No result")
    assert move == "bestmove 0,1"


def test_a_timed_strategy_thinks_no_longer_than_its_time() -> None:
    game = "newgame rows 9 columns 9 mines 10 topology grid seed 1"
    board = "position " + "/".join(["1########"] + ["#########"] * 8)
    assert answers(game, board, "go movetime 60000", strategy="deep", seconds=0.01)[-1].startswith("bestmove")
    with pytest.raises(ValueError, match="seconds must be left out"):
        BotSession(print, "fast", 1.0)


def test_the_command_speaks_until_quit_and_stops_on_request() -> None:
    """`deep` would think for a minute; `stop` ends that, and it must not hang."""
    board = "position " + "/".join(["1" + "#" * 29] + ["#" * 30] * 15)
    lines = ["mineproof 1", "newgame rows 16 columns 30 mines 99 topology grid seed 1", board, "go", "stop", "quit"]
    done = subprocess.run(
        [sys.executable, "-m", "mineproof", "engine", "--strategy", "deep", "--seconds", "500"],
        input="\n".join(lines), capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    assert done.stdout.splitlines()[3:5] == ["ready", "ready"]
    assert done.stdout.splitlines()[-1].startswith("bestmove")


def test_the_command_refuses_what_cannot_play() -> None:
    assert mineproof("engine", "--strategy", "go").status == 2
    refused = mineproof("engine", "--strategy", "fast", "--seconds", "1")
    assert (refused.status, refused.err.splitlines()[0]) == (
        2, "mineproof: --seconds must be left out unless the strategy is one of best, deep",
    )  # fmt: skip


def test_a_stop_has_an_answer_even_if_no_time_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stopped search can compare no exact odds. It still names a cell of the lowest odds."""
    written: list[str] = []
    session = BotSession(written.append, "best", 5.0)

    def stopped(*_: object, **__: object) -> None:
        raise mp.BudgetExceeded("stopped", limit="cancelled")

    for search in ("mineproof.protocol.server.best_move", "mineproof.protocol.server.safest_cell"):
        monkeypatch.setattr(search, stopped)
    monkeypatch.setattr("mineproof.protocol.server.Analysis.exact", stopped)
    for line in ("newgame rows 9 columns 9 mines 10 topology grid seed 1", "position " + "/".join(["#" * 9] * 9), "go"):
        session.receive(line)
    assert written == ["ready", "bestmove 0,0"]
