"""Strategies of installed packages in sweeps: by name, the same bytes on any workers, only with the same version."""

from __future__ import annotations

import json
import math
import multiprocessing
import shutil
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mineproof.analysis.analysis import analyze
from mineproof.board.cells import COVERED
from mineproof.errors import SweepError
from mineproof.game.game import Game
from mineproof.game.measures import measure
from mineproof.reports.report_api import report
from mineproof.simulation.comparison import compare
from mineproof.simulation.results import Totals
from mineproof.simulation.simulator import simulate
from mineproof.sweeps import plan as plan_module
from mineproof.sweeps.sweep_api import Sweep, read_sweep, resume_sweep, sweep
from mineproof.sweeps.units import play
from support.command import mineproof
from support.engines import needs_kernel
from support.packages import ENTRIES, install, install_tiny
from support.sweeps import Shuffled, sums

pytestmark = needs_kernel

TINY = ["tiny-careful", "tiny-turns", "tiny-many"]
SMALL: dict[str, Any] = {"sizes": "5x5x5", "games": 150, "unit": 64, "seed": 3, "first_click": "any"}


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of installed packages: one with strategies."""
    install_tiny(tmp_path / "site", monkeypatch)
    return tmp_path / "site"


def upgrade(site: Path) -> None:
    shutil.rmtree(site / "tiny_strategies-1.0.dist-info")
    install(site, "tiny-strategies", ENTRIES, "1.1")


@pytest.mark.usefixtures("site")
def test_a_strategy_of_a_package_plays_as_simulate_does(tmp_path: Path) -> None:
    result = sweep(**SMALL | {"unit": 256}, strategy=[*TINY, "fast"], path=tmp_path / "run")
    for index, name in enumerate([*TINY, "fast"]):
        alone = simulate(5, 5, 5, games=150, seed=3, first_click="any", strategy=name)
        assert result.simulation(index) == alone
    document = json.loads((tmp_path / "run/plan.json").read_text())
    packages = [configuration["package"] for configuration in document["configurations"]]
    assert packages == [{"name": "tiny-strategies", "version": "1.0"}] * 3 + [None]
    assert read_sweep(tmp_path / "run") == result
    assert result.plan.configurations[0].unit == 256


@pytest.mark.usefixtures("site")
def test_the_unit_of_a_package_is_small_unless_another_is_asked_for() -> None:
    result = sweep("4x4x3", strategy=["tiny-many", "fast"], games=2)
    assert [configuration.unit for configuration in result.plan.configurations] == [256, 4096]


@pytest.mark.usefixtures("site")
@pytest.mark.parametrize("wish", [{"games": 400}, {"until": 6, "per_game": True}])
def test_units_of_several_sizes_are_compared_by_the_number_of_the_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wish: dict[str, Any]
) -> None:
    """A strategy of a package has smaller units than one of the kernel; also where one of them has ended earlier."""
    monkeypatch.setattr(plan_module, "OWN_UNIT", 64)
    monkeypatch.setattr(plan_module, "CHUNKS_PER_UNIT", 3)
    result = sweep("4x4x3", strategy=["fast", "tiny-turns", "go"], **wish, path=tmp_path / "run")
    assert [totals.unit for totals in result.plan.configurations] == [192, 64, 192]
    assert (result[0].games == result[1].games) == ("games" in wish)
    summary = report(result)
    assert [pair[:2] for pair in summary.pairs] == [(0, 1), (0, 2), (1, 2)]
    for first, second, comparison in summary.pairs:
        assert comparison == compare(result.simulation(first), result.simulation(second))
        assert comparison == result.compare(first, second)
        assert comparison.games == min(result[first].games, result[second].games)
    assert [totals.games for totals in summary.losses] == [totals.games for totals in result if "per_game" in wish]


@pytest.mark.slow
@pytest.mark.usefixtures("site")
def test_threads_processes_and_order_change_no_byte(tmp_path: Path) -> None:
    wish = SMALL | {"strategy": TINY, "per_game": True}
    whole = sweep(**wish, path=tmp_path / "whole", threads=1)
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        ways: dict[str, Any] = {"processes": {"executor": pool}, "threads": {"threads": 3}}
        ways["shuffled"] = {"executor": Shuffled(1), "threads": 4}
        for name, how in ways.items():
            assert sweep(**wish, path=tmp_path / name, **how) == whole
            assert sums(tmp_path / name) == sums(tmp_path / "whole"), name
    plain = sweep(**SMALL, strategy=TINY)
    assert plain.results == whole.results, "records change no sum"


def played_again(totals: Totals, number: int) -> dict[str, float]:
    """A game of tiny-careful, played and counted here."""
    game = Game(totals.layout(number), first_click="any")
    moves, stated, cell = 1, [], totals.start_cell(number)
    game.open(*cell)
    while not game.is_over:
        odds = analyze(game.board).mine_probability
        cell = min(game.board.cells(COVERED), key=lambda each: odds[each])
        moves += 1
        stated += [float(odds[cell])] if odds[cell] > 0 else []
        game.open(*cell)
    lost = game.status == "lost"
    first = 1.0 if lost and moves == 1 else 1 - totals.mines / (totals.rows * totals.columns)
    return {
        "won": float(not lost),
        "moves": moves,
        "guesses": 1 + len(stated),
        "forced_guesses": len(stated),
        "survived_odds": first * math.prod(1 - each for each in stated[: len(stated) - lost]),
        "bbbv": measure(totals.layout(number), zini=False).bbbv,
        "fallbacks": 0,
        "lost_cell": cell[0] * totals.columns + cell[1] if lost else -1,
        "lost_odds": stated[-1] if lost and stated else math.nan,
    }


@pytest.mark.usefixtures("site")
@pytest.mark.parametrize("strategy", ["tiny-careful", "tiny-many"])
def test_records_of_games(tmp_path: Path, strategy: str) -> None:
    result = sweep(**SMALL | {"games": 64}, strategy=strategy, per_game=True, path=tmp_path / "run")
    [unit] = result.records(0)
    lost = 0
    for number in range(64):
        again = played_again(result[0], number)
        values = {name: float(unit[name][number]) for name in again}
        assert values == pytest.approx(again, rel=1e-9, nan_ok=True), number
        lost += again["lost_odds"] > 0
    table = result.calibration(0)
    assert (table.guesses.sum(), table.mines.sum()) == (unit["forced_guesses"].sum(), lost)
    assert lost > 5


@pytest.mark.usefixtures("site")
def test_guesses_that_were_needless_are_not_forced(tmp_path: Path) -> None:
    result = sweep(**SMALL, strategy="tiny-turns", per_game=True, path=tmp_path / "run")
    games = {name: np.concatenate([unit[name] for unit in result.records(0)]) for name in ("guesses", "forced_guesses")}
    assert (games["forced_guesses"] <= games["guesses"] - 1).all()
    assert (games["forced_guesses"] < games["guesses"] - 1).any()


# another version


@pytest.fixture
def half(site: Path, tmp_path: Path) -> Sweep:
    result = sweep(**SMALL, strategy="tiny-careful", path=tmp_path / "run", threads=1, cancelled=lambda: True)
    assert not result.is_complete
    return result


def test_another_version_of_the_package_does_not_go_on(half: Sweep, site: Path) -> None:
    upgrade(site)
    assert half.folder is not None
    words = "has strategy 'tiny-careful' of tiny-strategies 1.0, and tiny-strategies 1.1 is installed"
    before = sums(half.folder)
    with pytest.raises(SweepError, match=words):
        resume_sweep(half.folder)
    with pytest.raises(SweepError, match=words):
        sweep(**SMALL, strategy="tiny-careful", path=half.folder, resume=True)
    assert sums(half.folder) == before
    assert read_sweep(half.folder) == half, "it can still be read"


def test_without_the_package_it_can_be_read_but_not_gone_on_with(half: Sweep, site: Path) -> None:
    shutil.rmtree(site / "tiny_strategies-1.0.dist-info")
    assert half.folder is not None
    with pytest.raises(SweepError, match=r"of tiny-strategies 1\.0, and it is not installed\. Resume it"):
        resume_sweep(half.folder)
    assert read_sweep(half.folder) == half


def test_the_same_package_goes_on(half: Sweep) -> None:
    assert half.folder is not None
    assert resume_sweep(half.folder).results == sweep(**SMALL, strategy="tiny-careful").results


def test_a_worker_with_another_version_refuses(half: Sweep, site: Path) -> None:
    task = half.plan.configurations[0].task(0)
    assert play(task) is not None
    upgrade(site)
    words = r"client has that of tiny-strategies 1\.0"
    with pytest.raises(SweepError, match=rf"Worker has strategy 'tiny-careful' of tiny-strategies 1\.1, {words}"):
        play(task)
    shutil.rmtree(site / "tiny_strategies-1.1.dist-info")
    with pytest.raises(SweepError, match=f"Worker does not have strategy 'tiny-careful', {words}"):
        play(task)


# what goes wrong


@pytest.mark.usefixtures("site")
@pytest.mark.parametrize(
    ("strategy", "words"),
    [
        ("tiny-missing", "strategy 'tiny-missing' of package tiny-strategies cannot be loaded"),
        ("tiny-nothing", "strategy 'tiny-nothing' of package tiny-strategies cannot be loaded"),
        ("tiny", "strategy must be one of fast, .*, tiny-careful, .*, got 'tiny'"),
        (["tiny-many", "tiny-many"], "tiny-many twice"),
    ],
)
def test_what_cannot_be_played_is_said_before_anything_is(strategy: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        sweep(**SMALL, strategy=strategy)


def test_a_strategy_that_fails_names_its_games(site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (site / "bad_strategies.py").write_text("def raises(board):\n    raise OSError('no network')\n")
    install(site, "bad-strategies", {"bad": "bad_strategies:raises"})
    with pytest.raises(SweepError, match=r"A worker failed on games 0 to 63 of configuration 0: OSError: no network"):
        sweep(**SMALL, strategy="bad", path=tmp_path / "run", threads=1)


@pytest.mark.usefixtures("site")
def test_a_board_that_only_a_package_can_play() -> None:
    """Where mines reach into the surroundings of the first click the kernel refuses."""
    result = sweep("4x4x14", strategy="tiny-careful", first_click="open", games=20)
    assert result[0].games == 20


@pytest.mark.usefixtures("site")
def test_a_sweep_of_a_package_stops_when_asked(tmp_path: Path) -> None:
    result = sweep(
        "expert", strategy="tiny-careful", games=10**6, path=tmp_path / "run", threads=2, cancelled=lambda: True
    )
    assert result[0].games < 10**6


@pytest.mark.usefixtures("site")
def test_the_command_line_sweeps_with_packages(tmp_path: Path) -> None:
    folder = str(tmp_path / "run")
    done = mineproof(
        "sweep", "5x5x5", "--strategy", "tiny-careful,fast", "--games", "64", "--per-game", "-o", folder, "--json"
    )
    assert done.status == 0, done.err
    assert [configuration["strategy"] for configuration in done.json()["configurations"]] == ["tiny-careful", "fast"]
    again = mineproof("sweep", "-o", folder, "--resume", "--json")
    assert (again.status, again.json()) == (0, done.json())
    wrong = mineproof("sweep", "5x5x5", "--strategy", "tiny-missing", "--games", "64")
    assert wrong.status == 2
    assert "cannot be loaded" in " ".join(wrong.err.split())
