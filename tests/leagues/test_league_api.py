"""Leagues: the games of `simulate` and `tournament`, resumed without a difference, and one page about them."""

from __future__ import annotations

import json
import re
import shlex
import sys
from pathlib import Path

import pytest

import mineproof as mp
from mineproof.base import work
from mineproof.cli import league as command
from mineproof.leagues.league_api import FILE
from mineproof.leagues.page import files_of, league_page
from mineproof.reports.labels import NAME_MAX_CHARACTERS, short_name
from mineproof.simulation import chunks
from support.command import interrupted, mineproof
from support.engines import needs_kernel

pytestmark = needs_kernel

NAMES = ["fast", "go", "strong"]
BOT = f"exec@60:{sys.executable} {Path(__file__).parents[2] / 'examples/bot.py'}"
BAD_BOT = f"""exec@60:{sys.executable} -c 'print("id version 1\\nready", flush=True); input(); input()'"""


def test_all_players_play_the_games_of_a_simulation() -> None:
    league = mp.league(NAMES, "beginner", games=600, seed=1)
    for player in league.players:
        assert player == mp.simulate("beginner", games=600, seed=1, strategy=player.strategy)
    rates = [row.win_rate for row in league.table()]
    assert rates == sorted(rates, reverse=True)
    best, second = league.table()[:2]
    assert best.behind is None
    assert second.behind is not None
    assert second.behind.value == pytest.approx(second.win_rate - best.win_rate)
    comparison = mp.compare(*(mp.simulate("beginner", games=600, seed=1, strategy=name) for name in NAMES[:2]))
    assert league.difference(0, 1).value == pytest.approx(comparison.difference)
    assert league.difference(0, 1).interval == pytest.approx(comparison.interval, abs=0.003)


def test_weighted_games_are_those_of_a_tournament() -> None:
    league = mp.league(NAMES, "beginner", games=300, seed=1, weighted=True)
    assert league.tournament == mp.tournament("beginner", strategies=NAMES, games=300, seed=1)
    assert league.difference(2, 0) == mp.tournament("beginner", strategies=NAMES, games=300, seed=1).difference(2, 0)


@pytest.mark.parametrize("weighted", [False, True])
def test_a_league_is_resumed_as_if_it_had_not_stopped(
    weighted: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (work, chunks):  # so that progress comes, and a stop, after every few games
        monkeypatch.setattr(module, "POLL", 0.0)
    whole = mp.league(NAMES, "beginner", games=700, seed=1, weighted=weighted)
    seen: list[mp.League] = []
    first = mp.league(NAMES, "beginner", games=700, seed=1, weighted=weighted, path=tmp_path / "run",
                      progress=seen.append, cancelled=lambda: len(seen) > 0, threads=1)  # fmt: skip
    resumed = mp.league(NAMES, "beginner", games=700, seed=1, weighted=weighted, path=tmp_path / "run", resume=True)
    assert first.games < 700
    assert resumed == whole
    assert mp.League.from_json(resumed.to_json()) == whole
    longer = mp.league(NAMES, "beginner", games=800, seed=1, weighted=weighted, path=tmp_path / "run", resume=True)
    assert longer == mp.league(NAMES, "beginner", games=800, seed=1, weighted=weighted)


def test_a_folder_is_never_mixed(tmp_path: Path) -> None:
    path = tmp_path / "run"
    mp.league(["fast", "go"], "beginner", games=64, path=path)
    stored = (path / FILE).read_bytes()
    with pytest.raises(mp.SweepError, match="already has a league"):
        mp.league(["fast", "go"], "beginner", games=64, path=path)
    with pytest.raises(mp.SweepError, match="has plain games of fast, go"):
        mp.league(["fast", "strong"], "beginner", games=64, path=path, resume=True)
    with pytest.raises(mp.SweepError, match="has plain games of fast, go"):
        mp.league(["fast", "go"], "beginner", games=64, path=path, resume=True, weighted=True)
    with pytest.raises(ValueError, match="Cannot resume"):
        mp.league(["fast", "go"], "beginner", games=64, path=path, resume=True, seed=9)
    with pytest.raises(ValueError, match="games must be at least 64"):
        mp.league(["fast", "go"], "beginner", games=10, path=path, resume=True)
    assert (path / FILE).read_bytes() == stored
    (path / FILE).write_text("{}", "utf-8")
    with pytest.raises(mp.SweepError, match="is not a league"):
        mp.league(["fast", "go"], "beginner", games=64, path=path, resume=True)


@pytest.mark.parametrize("names", ["fast", [], ["fast", "fast"], ["no such"], [mp.hint]])
def test_wrong_players_are_refused(names: list[str]) -> None:
    with pytest.raises((TypeError, ValueError), match=r"strateg|Players must be different"):
        mp.league(names, "beginner", games=1)


@pytest.mark.slow
def test_the_page_has_every_player_and_every_forfeit(tmp_path: Path) -> None:
    league = mp.league(["fast", BOT, BAD_BOT], "beginner", games=20, seed=1)
    row = {row.strategy: row for row in league.table()}
    assert (row[BAD_BOT].forfeits, row[BAD_BOT].win_rate) == (20, 0)
    assert row[BOT].forfeits == 0
    page = league_page(league)
    assert "This league is not complete" not in page
    assert page.count("<svg") == 2
    assert "the bot ended with status 0" in page
    assert set(files_of(league)) == {
        "league.html", "win-rates.svg", "win-rates.png", "time.svg", "time.png",
    }  # fmt: skip


@pytest.mark.slow
def test_the_command_prints_a_table_and_writes_a_page(tmp_path: Path) -> None:
    path = tmp_path / "run"
    done = mineproof("league", "fast", BOT, "--level", "beginner", "--games", "30", "--seed", "1", "-o", str(path))
    assert (done.status, done.err) == (0, "")
    assert re.sub(" +", " ", done.lines[2]) == "player won 95 % interval behind the best time per game"
    assert "30 games of each player" in done.text
    assert done.lines[3].startswith("fast")
    assert done.lines[4].startswith("exec")
    assert (path / "league.html").is_file()
    as_json = mineproof("league", "fast", BOT, "--level", "beginner", "--games", "30", "--seed", "1", "--json").json()
    stored = mp.League.from_json((path / FILE).read_bytes())
    assert [player["win_rate"] for player in as_json["players"]] == [row.win_rate for row in stored.table()]
    assert json.loads(json.dumps(as_json)) == as_json
    assert mineproof("league", "fast", "no such").status == 2
    assert mineproof("league", "fast", "--resume").status == 2
    assert mineproof("league", "fast", "fast").status == 2


@pytest.mark.slow
def test_the_command_says_why_a_bot_lost_games_on_a_narrow_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    failing = BAD_BOT
    options = ("league", "fast", failing, "--level", "5x5x4", "--games", "2", "--seed", "1")
    done = mineproof(*options)
    assert "lost 2 games because it failed. The first is game 0: the bot ended with status" in " ".join(done.lines)
    (failed,) = [player for player in mineproof(*options, "--json").json()["players"] if player["forfeits"]]
    assert [forfeit["game"] for forfeit in failed["first_forfeits"]] == [0, 1]
    assert all("the bot ended" in forfeit["reason"] for forfeit in failed["first_forfeits"])


def test_long_names_of_bots_differ_in_every_table() -> None:
    names = [f"exec:/a/long/folder/{'x' * 80}/python /another/folder/bots/{bot}.py" for bot in ("first", "second")]
    assert [short_name(name)[-9:] for name in names] == ["/first.py", "second.py"]
    assert all(len(short_name(name)) == NAME_MAX_CHARACTERS for name in names)


@pytest.mark.slow
def test_ctrl_c_keeps_what_was_played(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    options = ["league", "fast", "go", "--level", "9x9x10", "--start", "1,2", "--games", "100000", "--seed", "7"]
    done = interrupted(monkeypatch, command, *options, "--threads", "1", "-o", str(tmp_path / "run"))
    assert done.status == 130
    (line,) = [line for line in done.err.splitlines() if "To continue, run: " in line]
    words = shlex.split(line.partition("run: ")[2])
    assert words[:4] == ["mineproof", *options[:3]]
    assert words[-1] == "--resume"
    again = mineproof(*words[1:-1], "--games", "1", "--resume")
    assert "--games must be at least" in again.err, "the same league, which has more games than one"
    stored = mp.League.from_json((tmp_path / "run" / FILE).read_bytes())
    assert stored.goal == 100_000
    assert not stored.is_complete
