"""Bots through the engine protocol: they play as strategies, and those that fail lose their game and nothing else."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import mineproof as mp
from mineproof.cli import watch
from mineproof.protocol.bots import BotStrategy
from mineproof.protocol.names import parse_bot
from support.command import mineproof
from support.effort import examples
from support.engines import needs_kernel

pytestmark = needs_kernel

STRONG = f"exec@600:{sys.executable} -m mineproof engine --strategy strong"
SIZE: dict[str, Any] = {"rows": 5, "columns": 5, "mines": 4, "seed": 3}
PATIENCE = 120.0  # seconds; only a failure takes that long

# A bot that opens the first covered cell; ``misbehave`` is run before each answer, with the number of answers so far.
BOT = """
import os, subprocess, sys, time
board = answers = None
def say(*words):
    print(*words, flush=True)
def misbehave(covered):
    {misbehave}
for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word == "mineproof":
        {greet}
    elif word == "newgame":
        answers = 0
        say("ready")
    elif word == "position":
        board = rest.split("/")
    elif word == "go":
        covered = [(r, c) for r, row in enumerate(board) for c, symbol in enumerate(row) if symbol == "#"]
        misbehave(covered)
        answers += 1
        say("bestmove", "%d,%d" % covered[0])
    elif word == "quit":
        break
"""
GREETING = 'say("id name Test\\nid version 7\\ncapabilities grid\\nready")'


def first_covered(board: mp.Board) -> tuple[int, int]:
    return next(board.cells(mp.COVERED))


def bot(folder: Path, misbehave: str = "pass", *, greet: str = GREETING, limits: str = "@60") -> str:
    """Write a bot and return the name of its strategy."""
    path = folder / "bot.py"
    path.write_text(BOT.format(misbehave=misbehave, greet=greet), "utf-8")
    return f"exec{limits}:{sys.executable} {path}"


def is_running(pid: int) -> bool:
    """Is there such a process, and no mere zombie?"""
    try:
        return Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def wait_until_gone(pid: int) -> None:
    end = time.monotonic() + PATIENCE
    while is_running(pid):
        assert time.monotonic() < end, f"process {pid} is left behind"
        time.sleep(0.01)


# playing


def test_a_bot_plays_the_games_of_the_same_strategy_in_python(tmp_path: Path) -> None:
    direct = mp.simulate(**SIZE, games=30, strategy=first_covered)
    played = mp.simulate(**SIZE, games=30, strategy=bot(tmp_path))
    assert (played.outcomes, played.tally) == (direct.outcomes, direct.tally)
    assert 0 < played.wins < 30
    assert played.forfeits.total == 0
    assert "forfeits" not in played.as_json()
    assert mp.Simulation.from_json(played.to_json()) == played


@pytest.mark.slow
@pytest.mark.parametrize("size", ["9x9x20", "expert"])
def test_strong_plays_the_same_games_directly_and_through_the_protocol(size: str) -> None:
    games = examples(60)
    direct = mp.simulate(size, games=games, strategy="strong", seed=4)
    played = mp.simulate(size, games=games, strategy=STRONG, seed=4)
    assert played.outcomes == direct.outcomes
    assert played.tally.all_guesses == direct.tally.all_guesses
    assert 0 < played.wins < games


def test_weighted_games_are_the_same_too() -> None:
    tournament = mp.tournament("16x16x51", strategies=["strong", STRONG], games=examples(16, 0.25), seed=3)
    direct, played = tournament.players
    assert (direct.weights == played.weights).all()
    assert played.weights.any()


def test_an_agent_wins_an_expert_board_without_guesses_over_the_protocol() -> None:
    layout = mp.generate("expert", seed=5, no_guess=True)
    assert layout.start is not None
    game = mp.Game(layout, first_click="any")
    game.open(*layout.start)
    strategy = BotStrategy(STRONG)
    agent = strategy.for_game(1, 0)
    while not game.is_over:
        game.open(*agent.cell(game.board, None))
    strategy.close()
    assert game.status == "won"


@pytest.mark.slow
@pytest.mark.parametrize("example", ["bot.py", "bot.mjs"])
def test_the_examples_play_well_and_are_short(example: str) -> None:
    path = Path(__file__).parents[2] / "examples" / example
    program = sys.executable if example.endswith("py") else "node"
    assert len(path.read_text("utf-8").splitlines()) <= 60
    try:
        played = mp.simulate("beginner", games=40, seed=1, strategy=f"exec@60:{program} {path}")
    except mp.BotError as error:
        if program == "node" and "cannot start" in str(error):
            pytest.skip("Node.js is missing")
        raise
    assert played.forfeits.total == 0
    assert played.wins >= 24  # 75 % of 200 games


# failing

FAILURES = {
    "crash": ("sys.exit(3)", "ended with status 3"),
    "error output": ("raise SystemExit('out of cheese')", "out of cheese"),
    "killed": ("os.kill(os.getpid(), 9)", "was killed by SIGKILL"),
    "gives up": ("say('error no idea')", "the bot reported: no idea"),
    "opens an open cell": ("say('bestmove 0,0')", "0,0, which is not a covered cell"),
    "opens outside": ("say('bestmove 99,99')", "99,99, which is not a covered cell"),
    "no cell": ("say('bestmove')", "got no cell"),
    "nonsense": ("say('bestmove here')", "expected a cell ROW,COLUMN, got 'here'"),
    "wrong odds": ("say('odds 1,1 1.5')", "expected odds from 0 to 1, got '1.5'"),
    "lies": ("say('bestmove', '%d,%d' % covered[-1], 'safe')", "which is not certain"),
    "talks": ("say('info x\\n' * 20000)", "lines without a move"),
    "flood": ("sys.stdout.write('x' * (17 << 20)); sys.stdout.flush()", "expected lines of at most"),
}


@pytest.mark.parametrize("kind", FAILURES)
def test_a_bot_that_fails_loses_its_games_with_the_reason(kind: str, tmp_path: Path) -> None:
    misbehave, reason = FAILURES[kind]
    path = bot(tmp_path, misbehave)
    played = mp.simulate(6, 6, 9, seed=1, games=2, strategy=path)
    assert (played.games, played.wins) == (2, 0)
    assert [forfeit.game for forfeit in played.forfeits.first] == [0, 1]
    assert all(reason in forfeit.reason for forfeit in played.forfeits.first)
    assert mp.Simulation.from_json(played.to_json()) == played


@pytest.mark.slow
def test_a_bot_that_hangs_loses_and_the_next_game_is_played(tmp_path: Path) -> None:
    hang = "open(flag, 'w').close(); time.sleep(1000)"
    once = f"flag = sys.argv[1]\n    if not os.path.exists(flag):\n        {hang}"
    name = bot(tmp_path, once, limits="@0.1") + f" {tmp_path / 'flag'}"
    played = mp.simulate(**SIZE, games=5, strategy=name.replace("@0.1", "@0.1/60"))
    whole = mp.simulate(**SIZE, games=5, strategy=first_covered)
    assert played.forfeits.first[0].game == 0
    assert "did not answer `go` within 0.1 s" in played.forfeits.first[0].reason
    late = {forfeit.game for forfeit in played.forfeits.first}  # a slow machine may lose more
    assert [bool(won) for game, won in enumerate(played.won) if game not in late] == [
        bool(won) for game, won in enumerate(whole.won) if game not in late
    ]


def test_a_bot_can_use_up_the_time_of_its_game(tmp_path: Path) -> None:
    played = mp.simulate(5, 5, 4, games=1, first_click="any", seed=3, start=(0, 0),
                         strategy=bot(tmp_path, "time.sleep(0.2)", limits="@0.3/0.3"))  # fmt: skip
    assert played.forfeits.total == 1


def test_weighted_games_of_a_bot_that_fails_weigh_nothing(tmp_path: Path) -> None:
    tournament = mp.tournament(5, 5, 4, strategies=["fast", bot(tmp_path, "sys.exit(3)")], games=3, seed=3)
    assert tournament.players[0].weights.all()
    assert not tournament.players[1].weights.any()
    assert tournament.players[1].forfeits.total == 3
    assert mp.Tournament.from_json(tournament.to_json()) == tournament


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("exec:/no/such/program", "cannot start /no/such/program: No such file or directory"),
        (f"exec:{sys.executable} -c pass", "the bot ended with status 0"),
        (f"exec:{sys.executable} -c 'print(\"error no license\")'", "the bot reported: no license"),
    ],
)
def test_a_bot_that_does_not_start_is_an_error(name: str, message: str) -> None:
    with pytest.raises(mp.BotError, match=message.replace("(", r"\(")):
        mp.simulate(**SIZE, games=1, strategy=name)


@pytest.mark.parametrize("name", ["exec:", "exec@:x", "exec@0:x", "exec@5/2:x", "exec:'x", "exec@nan:x"])
def test_names_of_a_wrong_form_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match="strategy must "):
        parse_bot(name)
    assert mineproof("simulate", "5x5x4", "--games", "1", "--strategy", name).status == 2


def test_a_bot_says_which_boards_it_plays(tmp_path: Path) -> None:
    played = mp.simulate(**SIZE, games=1, topology="hex", strategy=bot(tmp_path))
    assert played.forfeits.first[0].reason == "the bot does not play on a hex board"


# processes


def test_no_process_is_left_behind(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    child = f"p = subprocess.Popen(['sleep', '1000']); open({str(pids)!r}, 'a').write('%d %d ' % (p.pid, os.getpid()))"
    mp.simulate(**SIZE, games=2, strategy=bot(tmp_path, child))
    started = [int(pid) for pid in pids.read_text("utf-8").split()]
    assert len(started) >= 4
    for pid in started:
        wait_until_gone(pid)


def test_no_process_is_left_behind_when_the_host_is_killed(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    hang = f"open({str(pids)!r}, 'w').write('%d ' % os.getpid()); time.sleep(1000)"
    name = bot(tmp_path, hang, limits="@1000/1000")
    host = subprocess.Popen(
        [sys.executable, "-m", "mineproof", "simulate", "5x5x4", "--games", "9", "--strategy", name]
    )
    end = time.monotonic() + PATIENCE
    while not (pids.exists() and pids.read_text("utf-8").endswith(" ")):
        assert time.monotonic() < end
        time.sleep(0.01)
    os.kill(host.pid, signal.SIGKILL)
    host.wait()
    wait_until_gone(int(pids.read_text("utf-8")))


# commands


@pytest.mark.slow
def test_the_commands_take_bots(tmp_path: Path) -> None:
    name = bot(tmp_path)
    compared = mineproof("simulate", "5x5x4", "--games", "5", "--strategy", name, "--against", "fast", "--json")
    assert compared.json()["simulations"][0]["strategy"] == name
    swept = mineproof("sweep", "5x5x4", "--games", "5", "--strategy", f"fast,{name}", "--json")
    assert [one["games"] for one in swept.json()["configurations"]] == [5, 5]
    watched = mineproof("watch", "5x5x4", "--seed", "1", "--strategy", name, "--json")
    assert watched.status == 0
    failing = mineproof("simulate", "5x5x4", "--games", "2", "--strategy", bot(tmp_path, "sys.exit(1)"))
    assert "2  games lost because the bot failed" in failing.text
    lost = mineproof("watch", "5x5x4", "--seed", "1", "--strategy", bot(tmp_path, "sys.exit(1)"))
    assert lost.status == 2
    assert "the bot ended with status 1" in lost.err
    assert "Lost after 1 step: the bot ended with status 1." in lost.text


def test_a_bot_makes_every_move_of_a_game_that_is_watched(tmp_path: Path) -> None:
    name = bot(tmp_path, r'say("info I like \x1b[31mcorners")')
    layout = mp.generate(8, 8, 8, seed=19, start=(3, 3))
    game = mp.Game(layout, first_click="any", seed=19)
    first, *turns = mp.autoplay(game, layout, strategy=name)
    assert (game.is_over, first.kind) == (True, "first")
    seen = set()
    for turn in turns:
        analysis, cell = mp.analyze(turn.before), first_covered(turn.before)
        risk = analysis.exact(*cell)
        if risk in (0, 1):
            what = "which is certainly a mine" if risk else "which is certainly safe"
        else:
            what = "Other cells are certainly safe" if analysis.safe else "No cell is certainly safe"
        seen.add(what)
        assert (turn.cell, turn.kind) == (cell, "guess" if risk else "bot")
        assert turn.mine_fraction == (risk or None)
        assert what in turn.text
        legend = watch.frame(turn, "seed 19", 80, 30)[-1].plain
        assert legend.startswith("G guess" if risk else "S safe"), legend
        assert f"Test opens ({cell[0]},{cell[1]})" in turn.text
        assert turn.text.endswith("Comment: I like \ufffd[31mcorners")
    assert len(seen) == 4


@pytest.mark.slow
def test_a_sweep_of_a_bot_can_be_resumed_only_with_the_same_bot(tmp_path: Path) -> None:
    folder, name = tmp_path / "run", bot(tmp_path)
    stored = mp.sweep("5x5x4", strategy=name, games=70, unit=64, seed=1, per_game=True, path=folder)
    assert stored[0].games == 70
    assert mp.resume_sweep(folder)[0].wins == stored[0].wins
    bot(tmp_path, greet=GREETING.replace("version 7", "version 8"))
    with pytest.raises(mp.SweepError, match="Test 7, and Test 8 is installed"):
        mp.resume_sweep(folder)
    bot(tmp_path, "sys.exit(1)")
    lost = mp.sweep("5x5x4", strategy=name, games=10, per_game=True, path=tmp_path / "lost")
    assert mp.report(lost).losses[0].lost == 10
