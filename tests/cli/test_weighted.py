"""``mineproof simulate --weighted``: the answer, its JSON, Ctrl-C, and files to continue or compare with."""

import json
import os
import pty
import re
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from mineproof.cli import weighted_games as module
from mineproof.simulation.tournaments import TOURNAMENT_CHUNK, tournament
from mineproof.simulation.weighted_results import Tournament
from support import texts
from support.command import interrupted, mineproof
from support.engines import needs_kernel

pytestmark = needs_kernel

BEGINNER = ("simulate", "beginner", "--seed", "1", "--weighted")
PAIR = (*BEGINNER, "--strategy", "strong", "--against", "fast")


def timeless(document: Mapping[str, Any]) -> dict[str, Any]:
    """A tournament without what depends on the machine."""
    players = [{key: value for key, value in each.items() if key != "cpu_seconds"} for each in document["players"]]
    return {key: value for key, value in document.items() if key != "seconds"} | {"players": players}


def found_by(path: str) -> Tournament:
    return Tournament.from_json(Path(path).read_bytes())


def test_json_is_what_the_library_says() -> None:
    done = mineproof(*PAIR, "--games", "300", "--json")
    assert (done.status, done.err) == (0, "")
    expected = tournament(9, 9, 10, strategies=("strong", "fast"), games=300, seed=1)
    assert timeless(done.json()) == timeless(expected.as_json())
    assert [each["strategy"] for each in done.json()["players"]] == ["strong", "fast"]
    [difference] = done.json()["differences"]
    assert difference["strategies"] == ["strong", "fast"]
    assert difference["difference"] == expected.difference().value


def test_text() -> None:
    done = mineproof(*PAIR, "--games", "300")
    text = " ".join(done.text.split())
    found = tournament(9, 9, 10, strategies=("strong", "fast"), games=300, seed=1)
    difference, player = found.difference(), found.players[1]
    assert done.lines[0] == "9 × 9, 10 mines, first click safe at (0,0), seed 1"
    assert done.lines[2] == texts.text("cli-weighted-games", 300)
    assert difference.value is not None
    assert player.win_rate is not None
    low, high = (f"{100 * end:+.2f}" for end in difference.interval)
    assert f"strong minus fast: {100 * difference.value:+.2f} points (95 % interval {low} to {high}); " in text
    assert f"fast: {100 * player.win_rate:.2f} % (95 % interval " in text
    assert text.count(texts.text("cli-simulate-cpu-per-game")) == 2
    assert max(map(len, done.lines)) <= 80


@pytest.mark.parametrize("columns", [20, 40, 80])
def test_never_wider_than_the_terminal(columns: int) -> None:
    done = mineproof(*PAIR, "--games", "100", columns=columns)
    assert max(map(len, done.lines)) <= columns


def test_one_strategy_and_one_game() -> None:
    done = mineproof(*BEGINNER, "--games", "1")
    assert done.status == 0
    assert texts.text("cli-weighted-games", 1) in done.text
    assert "standard error" not in done.text
    assert "minus" not in done.text


def test_until() -> None:
    done = mineproof(*PAIR, "--until", "0.05", "--json", "--threads", "2")
    assert timeless(done.json()) == timeless(
        tournament(9, 9, 10, strategies=("strong", "fast"), until=0.05, seed=1).as_json()
    )
    done = mineproof(*PAIR, "--until", "0.001", "--games", "1100")
    assert texts.text("cli-weighted-games-unsure", 1100, until="0.001") in " ".join(done.text.split())


def test_a_file_is_gone_on_from_and_compared_with(tmp_path: Path) -> None:
    kept, other = str(tmp_path / "kept.json"), str(tmp_path / "other.json")
    assert mineproof(*PAIR, "--games", "100", "-o", kept).status == 0
    assert mineproof(*PAIR, "--games", "300", "-o", kept, "--resume").status == 0
    assert found_by(kept) == tournament(9, 9, 10, strategies=("strong", "fast"), games=300, seed=1)
    done = mineproof(*PAIR, "--games", "300", "-o", kept)
    assert done.status == 2
    assert "already has 300 games" in " ".join(done.err.split())
    # the first of its strategies is the one to compare with
    done = mineproof(*BEGINNER, "--against", kept, "-o", other, "--json")
    assert done.json()["differences"][0]["strategies"] == ["fast", "strong"]
    assert done.json()["games"] == 300
    assert found_by(other).players == tuple(reversed(found_by(kept).players))


def test_what_does_not_go_together(tmp_path: Path) -> None:
    plain, weighted = str(tmp_path / "plain.json"), str(tmp_path / "weighted.json")
    assert mineproof("simulate", "beginner", "--games", "10", "-o", plain).status == 0
    assert mineproof(*BEGINNER, "--games", "10", "-o", weighted).status == 0
    for arguments, status, message in (
        (("simulate", "beginner", "--until", "1"), 2, "--until needs --weighted"),
        ((*BEGINNER, "--until", "0"), 2, "--until must be from 0.001 to 50 percentage points, got 0.0"),
        ((*BEGINNER, "--against", "nobody"), 2, "--against must be one of fast, strong"),
        ((*BEGINNER, "--against", plain), 3, "plain.json"),
        (("simulate", "beginner", "--against", weighted), 3, "weighted.json"),
        ((*BEGINNER, "--seed", "2", "--against", weighted), 2, "must have the same seed"),
        ((*PAIR, "--games", "10", "-o", weighted, "--resume"), 2, "Cannot resume a tournament of 1 player with 2."),
        ((*BEGINNER, "--seed", "2", "-o", weighted, "--resume"), 2, "that was started with --seed 1, not 2."),
        ((*BEGINNER, "--resume"), 2, "--resume needs -o FILE"),
        ((*BEGINNER, "--games", "0"), 2, "--games must be at least 1, got 0"),
    ):
        done = mineproof(*arguments)
        assert (done.status, done.out) == (status, b"")
        assert message in " ".join(done.err.split())


def test_a_terminal_is_told_how_far_it_is() -> None:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "mineproof", *PAIR, "--until", "0.05", "--json"]
    env = os.environ | {"TERM": "xterm", "COLUMNS": "100"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs, env=env) as process:
        os.close(theirs)
        shown = b""
        with suppress(OSError):  # how Linux says that the other side is gone
            while piece := os.read(ours, 1 << 16):
                shown += piece
        assert process.stdout is not None
        assert json.loads(process.stdout.read())["games"] >= 1024
    os.close(ours)
    assert process.returncode == 0
    assert b"strong and fast" in shown
    assert re.search(rb"\d+/\d+", shown)  # games, and how many it will take
    assert b" \xc2\xb1 0.0" in shown


# Ctrl-C


def test_ctrl_c_tells_and_keeps_what_was_finished(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = str(tmp_path / "kept.json")
    done = interrupted(monkeypatch, module, *PAIR, "--games", "10000000", "-o", path, "--json")
    assert done.status == 130
    assert texts.text("cli-interrupted-games") in done.err
    games = done.json()["games"]
    assert TOURNAMENT_CHUNK <= games < 10_000_000
    assert games % TOURNAMENT_CHUNK == 0
    expected = tournament(9, 9, 10, strategies=("strong", "fast"), games=games, seed=1)
    assert found_by(path).players == expected.players
    done = interrupted(monkeypatch, module, *PAIR, "--games", "10000000")
    assert " of 10,000,000 survival-weighted games" in done.text
