"""Reports: their numbers are those of the sweep and of another count; what is not there is said, with how to get it."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mineproof as mp
from mineproof.reports import game_counts
from mineproof.reports.game_counts import Bin, Losses, merge_bins
from mineproof.reports.labels import common, differing_parts, evenly, group_by_parts, name, short_name
from mineproof.reports.report_api import Report, report
from mineproof.reports.tables import comparisons, ends, win_rates
from mineproof.simulation.comparison import compare
from mineproof.simulation.intervals import wilson
from mineproof.sweeps.store import SweepStore
from mineproof.sweeps.sweep_api import Sweep, read_sweep, sweep
from support.engines import needs_kernel
from support.sweeps import SMALL, sums
from support.texts import text

pytestmark = needs_kernel

WISH = SMALL | {"strategy": ["fast", "go", "minesolver"], "per_game": True}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Sweep:
    return sweep(**WISH, path=tmp_path_factory.mktemp("report") / "run", threads=1)


@pytest.fixture(scope="module")
def found(run: Sweep) -> Report:
    return report(run)


# pairs


def test_all_strategies_are_compared_on_the_same_games(run: Sweep, found: Report) -> None:
    expected = [*combinations((0, 1, 2), 2), *combinations((3, 4, 5), 2)]
    assert [(pair.first, pair.second) for pair in found.pairs] == expected
    for pair in found.pairs:
        assert pair.comparison == run.compare(pair.first, pair.second)
        assert pair.comparison == compare(run.simulation(pair.first), run.simulation(pair.second))


def test_pairs_where_one_has_ended_earlier(tmp_path: Path) -> None:
    done = sweep("5x5", mines=8, strategy=["fast", "go"], until=4, unit=64, path=tmp_path / "run")
    assert done[0].games != done[1].games
    [pair] = report(done).pairs
    assert pair.comparison == done.compare(0, 1)
    assert pair.comparison.games == min(item.games for item in done)


def test_one_strategy_without_records_reads_no_unit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = sweep(**SMALL, path=tmp_path / "run")
    monkeypatch.setattr(SweepStore, "units_of", lambda *_: pytest.fail("sums are in the heads"))
    assert report(done).pairs == ()


# losses


def test_losses_are_those_of_another_count(run: Sweep, found: Report) -> None:
    for number, losses in enumerate(found.losses):
        units = list(run.records(number))
        games: dict[str, Any] = {key: np.concatenate([unit[key] for unit in units]) for key in units[0]}
        lost = ~games["won"]
        assert (losses.games, losses.lost) == (300, 300 - run[number].wins)
        for by in ("moves", "guesses"):
            for step in losses.survival(by):
                left = 300 - int((lost & (games[by] <= step.after)).sum())
                assert (step.share, step.interval) == (left / 300, wilson(left, 300))
            assert losses.survival(by)[-1].share == run[number].win_rate
        assert losses.cells is not None
        for row in range(5):
            for column in range(5):
                assert losses.cells[row, column] == (games["lost_cell"] == 5 * row + column).sum()


def test_bins_are_those_of_the_calibration(run: Sweep, found: Report) -> None:
    for number, losses in enumerate(found.losses):
        _, guesses, mines, stated = run.calibration(number)
        assert sum(entry.guesses for entry in losses.bins) == guesses.sum()
        assert sum(entry.mines for entry in losses.bins) == mines.sum()
        for entry in losses.bins:
            part = slice(round(100 * entry.low), round(100 * entry.high))
            assert entry.high - entry.low == pytest.approx(0.05)
            assert (entry.guesses, entry.mines) == (guesses[part].sum(), mines[part].sum())
            assert entry.stated == pytest.approx(stated[part].sum() / entry.guesses)
            assert entry.low - 1e-9 <= entry.stated <= entry.high, "as exact as what is kept"
            assert entry.interval == wilson(entry.mines, entry.guesses)
    assert found.losses[1].bins == (), "go states no odds"
    assert found.losses[0].bins


def test_bins_of_several_configurations() -> None:
    few, many = Bin(0.05, 0.1, 10, 1, 0.06), Bin(0.05, 0.1, 30, 2, 0.08)
    assert merge_bins([[few, Bin(0.2, 0.25, 4, 4, 0.2)], [], [many]]) == [
        Bin(0.05, 0.1, 40, 3, pytest.approx(0.075)),  # type: ignore[arg-type]
        Bin(0.2, 0.25, 4, 4, 0.2),
    ]


def test_large_boards_are_not_counted_cell_by_cell(run: Sweep, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_counts, "HEATMAP_MAX_CELLS", 24)
    summary = report(run)
    assert all(loss.cells is None for loss in summary.losses)
    assert "Where games are lost: 6 configurations with a board of more than" in summary.left_out[-1]
    assert "lost-cells" not in {plot.name for plot in summary.plots}


def test_a_game_that_was_lost_at_once() -> None:
    losses = Losses(cells=np.zeros((1, 2), dtype=np.int64))
    unit: dict[str, list[int]] = {
        "won": [False, True, False],
        "moves": [1, 4, 3],
        "guesses": [1, 1, 2],
        "lost_cell": [0, -1, 1],
    }
    losses.add({key: np.array(values) for key, values in unit.items()})
    losses.add({key: np.array(values[:1]) for key, values in unit.items()})
    assert [(step.after, step.share) for step in losses.survival("moves")] == [(1, 0.5), (3, 0.25)]
    assert losses.cells is not None
    assert losses.cells.tolist() == [[2, 1]]


# text


def test_json(run: Sweep, found: Report) -> None:
    document = json.loads(json.dumps(found.as_json()))
    assert document["schema"] == "mineproof/report/1"
    assert (document["complete"], document["version"]) == (True, run.plan.version)
    assert document["configurations"] == run.as_json()["configurations"]
    for told, pair in zip(document["comparisons"], found.pairs, strict=True):
        assert told == run.compare(pair.first, pair.second).as_json() | {"configurations": [pair.first, pair.second]}
    for told, losses in zip(document["losses"], found.losses, strict=True):
        assert sum(lost for _, lost in told["moves"]) == sum(map(sum, told["cells"])) == told["lost"] == losses.lost
        assert [entry["guesses"] for entry in told["calibration"]] == [each.guesses for each in losses.bins]
    assert document["left_out"] == [text("report-no-calibration", strategies="go")]


def test_tables_have_the_numbers_of_the_sweep(run: Sweep, found: Report) -> None:
    table = win_rates(run.results)
    heads = [head for head, _ in table.heads]
    assert heads == ["mines", "density", "strategy", "games", "won", "95 % interval"]
    for row, item in zip(table.rows, run, strict=True):
        low, high = item.interval
        rate, interval = f"{100 * item.wins / 300:.2f} %", f"{100 * low:.2f} to {100 * high:.2f}"
        assert row == (f"{item.mines}", f"{4 * item.mines:.1f} %", item.strategy, "300", rate, interval)
    pairs = comparisons(run.results, found.pairs)
    comparison = run.compare(0, 1)
    low, high = comparison.interval
    assert pairs.rows[0] == (
        "4 mines", "fast", "go", "300", f"{comparison.only_first} : {comparison.only_second}",
        f"{100 * (comparison.difference or 0):+.2f}", f"{100 * low:+.2f} to {100 * high:+.2f}",
    )  # fmt: skip
    lost = ends(run.results, found.losses).rows[0]
    units: list[dict[str, Any]] = list(run.records(0))
    moves = np.concatenate([unit["moves"][~unit["won"]] for unit in units])
    assert lost[:3] == ("4 mines, fast", f"{300 - run[0].wins}", f"{int(np.sort(moves)[(len(moves) - 1) // 2])}")


def test_what_configurations_are_called() -> None:
    one, other = sweep("5x5", mines=4, strategy=["fast", "go"], games=1)
    assert differing_parts([one, other]) == ["strategy"]
    assert name(one, differing_parts([one, other])) == "fast"
    assert name(one, []) == "5 × 5, fast"
    assert common([one, other]) == "5 × 5, 4 mines, first click safe, start (0,0), seed 0"
    assert list(group_by_parts([one, other], ["strategy"]).values()) == [[0, 1]]
    assert common([replace(one, first_click="any", start="random")]).endswith("start a random cell, seed 0")


@pytest.mark.parametrize(
    ("text", "label"),
    [("a\nb\x1b[1m", "a\ufffdb\ufffd[1m"), ("x" * 90 + "end.py", "x" * 13 + "…" + "x" * 20 + "end.py")],
)
def test_names_chosen_by_users(text: str, label: str) -> None:
    assert short_name(text) == label


def test_long_names_that_begin_and_end_alike_are_told_apart() -> None:
    """They are shown by the same short name, and are two strategies."""
    one = sweep("5x5x4", games=1)[0]
    both = [replace(one, strategy="x" * 30 + middle + "x" * 30) for middle in "ab"]
    assert short_name(both[0].strategy) == short_name(both[1].strategy)
    assert differing_parts(both) == ["strategy"]
    assert list(group_by_parts(both, ["mines"]).values()) == [[0], [1]]
    assert "xxx" not in common(both)


def test_some_of_many() -> None:
    assert evenly(range(5), 5) == [0, 1, 2, 3, 4]
    assert evenly(range(100), 3) == [0, 50, 99]
    assert evenly(range(9), 1) == [0]


# what is not there


def test_without_records_it_says_how_to_get_them(tmp_path: Path) -> None:
    summary = report(sweep(**SMALL, path=tmp_path / "run"))
    assert summary.losses == ()
    assert summary.as_json()["losses"] is None
    assert summary.left_out == (text("report-no-losses"),)


def test_a_run_that_is_not_complete(tmp_path: Path) -> None:
    part = sweep(**WISH, path=tmp_path / "run", threads=1, cancelled=lambda: True)
    summary = report(tmp_path / "run")
    assert summary.sweep == part
    assert summary.as_json()["complete"] is False
    assert sum(loss.games for loss in summary.losses) == sum(loss.games for loss in part) < 1800
    whole = report(mp.resume_sweep(tmp_path / "run"))
    assert whole.is_complete
    assert sum(loss.games for loss in whole.losses) == 1800


def test_a_run_in_which_nothing_is_finished(tmp_path: Path) -> None:
    done = sweep(**WISH, path=tmp_path / "run")
    for path in (tmp_path / "run/units").iterdir():
        path.unlink()
    summary = report(tmp_path / "run")
    assert summary.left_out[0] == text("report-no-games")
    assert summary.plots == ()
    assert [pair.comparison.games for pair in summary.pairs] == [0] * 6
    assert "0 of 1,800 games are finished" in summary.html
    assert json.dumps(summary.as_json())
    assert len(win_rates(summary.sweep.results, means=True).rows) == len(done)


def test_a_plan_without_configurations(tmp_path: Path) -> None:
    empty = sweep("3x3x1", games=1)
    summary = report(Sweep(replace(empty.plan, configurations=()), ()))
    assert summary.plots == ()
    assert "Report of an empty sweep" in summary.html


def test_damage_is_named_and_nothing_is_changed(tmp_path: Path) -> None:
    sweep(**WISH, path=tmp_path / "run")
    path = max((tmp_path / "run/units").iterdir())
    data = bytearray(path.read_bytes())
    data[-40] ^= 1
    path.write_bytes(data)
    before = sums(tmp_path / "run")
    with pytest.raises(mp.SweepError, match=rf"{path.name} is damaged: games 256 to 299: .* --repair$"):
        report(tmp_path / "run")
    assert sums(tmp_path / "run") == before


def test_what_is_no_run(tmp_path: Path) -> None:
    with pytest.raises(mp.SweepError, match="is not the folder of a sweep"):
        report(tmp_path)
    with pytest.raises(TypeError, match="run must be a Sweep or the name of its folder, got int"):
        report(3)  # type: ignore[arg-type]
    (tmp_path / "plan.json").write_text("{}")
    with pytest.raises(mp.SweepError, match="is not the plan of a sweep"):
        report(str(tmp_path))


def test_a_part_that_becomes_a_file_meanwhile(run: Sweep, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run.folder is not None
    copy = shutil.copytree(run.folder, tmp_path / "run")
    failures = iter([True, False])
    units_of = SweepStore.units_of

    def once_gone(store: SweepStore, number: int) -> Any:
        if number == 0 and next(failures, False):
            raise FileNotFoundError("00000-000000.part")
        return units_of(store, number)

    monkeypatch.setattr(SweepStore, "units_of", once_gone)
    assert report(copy).sweep == read_sweep(copy)
