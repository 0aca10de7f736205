"""Sweeps as tables of Arrow and pandas, and as Parquet: the same numbers, the same bytes, nothing half-written."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import mineproof as mp
from mineproof.base.extras import ExtraMissing
from mineproof.simulation.arrow import TOTALS
from mineproof.sweeps import arrow as tabled
from mineproof.sweeps.store import SweepStore
from mineproof.sweeps.sweep_api import Sweep, read_sweep, sweep
from support.engines import needs_kernel
from support.sweeps import SMALL, sums

pytestmark = needs_kernel

WISH = SMALL | {"strategy": ["fast", "go"], "per_game": True}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Sweep:
    return sweep(**WISH, path=tmp_path_factory.mktemp("arrow") / "run", threads=1)


# configurations


def test_a_row_for_each_configuration_with_all_of_its_parts(run: Sweep) -> None:
    rows = run.to_arrow().to_pylist()
    assert [row["configuration"] for row in rows] == [0, 1, 2, 3]
    for row, totals in zip(rows, run, strict=True):
        document = dict(totals.as_json())
        for key in document.keys() & row.keys():
            assert row[key] == document[key], key
        assert (row["start_row"], row["start_column"]) == totals.start
        assert (row["interval_low"], row["interval_high"]) == totals.interval
        assert (row["cells"], row["density"]) == (25, totals.mines / 25)


def test_rates_are_those_of_another_count(run: Sweep) -> None:
    frame = run.to_pandas()
    for row in frame.itertuples():
        won = mp.simulate(5, 5, int(row.mines), games=300, seed=3, strategy=row.strategy).won
        assert (row.games, row.wins, row.win_rate) == (300, won.sum(), won.sum() / 300)


def test_what_is_not_known_is_null(tmp_path: Path) -> None:
    none = sweep("5x5x24", strategy="go", start="random", first_click="any", games=64)
    [row] = none.to_arrow().to_pylist()
    assert row["start_row"] is None
    assert row["start_column"] is None
    assert row["survived_odds"] is None, "go states no odds"
    begun = sweep("5x5x4", games=640, unit=64, path=tmp_path / "run", threads=1, cancelled=lambda: True)
    [row] = begun.to_arrow().to_pylist()
    assert (row["asked"], row["games"] < 640) == (640, True)


def test_every_column_says_what_it_means(run: Sweep) -> None:
    for known in (run.to_arrow().schema, run.arrow_games().schema):
        for field in known:
            assert field.metadata[b"meaning"], field.name
        assert known.metadata == {b"mineproof": run.plan.version.encode(), b"plan": run.plan.digest.hex().encode()}
    units = {field.unit for field in TOTALS}
    assert units <= {"", "cells", "mines", "share", "games", "moves", "guesses", "probability", "positions"}


def test_the_largest_seed_and_totals_alone() -> None:
    result = mp.simulate("5x5x4", games=5, seed=2**64 - 1, first_game=7)
    [row] = result.to_arrow().to_pylist()
    assert (row["seed"], row["first_game"], row["games"]) == (2**64 - 1, 7, 5)
    assert "configuration" not in row
    games = result.to_arrow(games=True)
    assert games.column("game").to_pylist() == [7, 8, 9, 10, 11]
    assert games.column("won").to_pylist() == result.won.tolist()
    assert result.to_pandas(games=True)["won"].sum() == result.wins
    assert list(result.to_pandas()["wins"]) == [result.wins]


# single games


def all_records(run: Sweep) -> Iterator[dict[str, Any]]:
    """The games as `records` tells them, with None where it has -1 or NaN."""
    for number in range(len(run)):
        for unit in run.records(number):
            names = list(unit)
            for values in zip(*(unit[name].tolist() for name in names), strict=True):
                yield {"configuration": number, **dict(zip(names, map(plain, names, values), strict=True))}


def plain(name: str, value: Any) -> Any:
    nothing = value == -1 and name in ("moves", "forced_guesses", "lost_cell")
    return None if nothing or (isinstance(value, float) and math.isnan(value)) else value


def test_games_are_those_of_the_records(run: Sweep) -> None:
    rows = run.to_arrow(games=True).to_pylist()
    assert rows == list(all_records(run))
    assert len(rows) == 4 * 300
    frame = run.to_pandas(games=True)
    assert frame.groupby("configuration")["won"].sum().tolist() == [totals.wins for totals in run]


def test_games_are_read_a_unit_at_a_time(run: Sweep, monkeypatch: pytest.MonkeyPatch) -> None:
    reader = run.arrow_games()
    read: list[int] = []
    units = SweepStore.units

    def counted(*arguments: Any) -> Any:
        for played in units(*arguments):
            read.append(len(played.numbers))
            yield played

    monkeypatch.setattr(SweepStore, "units", counted)
    assert reader.read_next_batch().num_rows == 64
    assert read == [64]


def test_games_without_records_have_their_outcomes(tmp_path: Path) -> None:
    result = sweep(**SMALL, path=tmp_path / "run")
    table = result.to_arrow(games=True)
    assert table.column_names == ["configuration", "game", "won"]
    assert sum(table.column("won").to_pylist()) == sum(totals.wins for totals in result)


def test_boards_of_all_sizes_are_one_table(tmp_path: Path) -> None:
    result = sweep(["3x3x1", "200x200x1"], games=2, per_game=True, path=tmp_path / "run")
    assert {result.plan.configurations[number].columns[0].type for number in (0, 1)} == {"<i2", "<i4"}
    assert result.to_arrow(games=True).schema.field("moves").type == pa.int32()


def test_a_column_of_a_later_version_is_handed_on(run: Sweep, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tabled, "GAME_FIELDS", tuple(field for field in tabled.GAME_FIELDS if field.name != "bbbv"))
    field = run.arrow_games().schema.field("bbbv")
    assert (field.type, field.metadata[b"meaning"]) == (pa.int16(), b"kept by another version of mineproof")
    assert run.to_arrow(games=True).column("bbbv").to_pylist() == [
        all_record["bbbv"] for all_record in all_records(run)
    ]


def test_without_a_folder_there_are_no_games(tmp_path: Path) -> None:
    result = sweep("3x3x1", games=2)
    with pytest.raises(mp.SweepError, match="The sweep has no folder"):
        result.to_arrow(games=True)
    assert [path.name for path in result.to_parquet(tmp_path)] == ["configurations.parquet"]


# Parquet


def test_parquet_is_the_tables(run: Sweep, tmp_path: Path) -> None:
    first, second = run.to_parquet(tmp_path / "folder")
    assert (first.name, second.name) == ("configurations.parquet", "games.parquet")
    assert pq.read_table(first).equals(run.to_arrow(), check_metadata=True)
    assert pq.read_table(second).equals(run.to_arrow(games=True), check_metadata=True)


def test_the_same_run_gives_the_same_bytes(run: Sweep, tmp_path: Path) -> None:
    part = sweep(**WISH, path=tmp_path / "again", threads=1, cancelled=lambda: True)
    assert not part.is_complete
    mp.resume_sweep(tmp_path / "again", threads=2)
    run.to_parquet(tmp_path / "one")
    read_sweep(tmp_path / "again").to_parquet(tmp_path / "two")
    assert sums(tmp_path / "one") == sums(tmp_path / "two")
    assert len(sums(tmp_path / "one")) == 2


@pytest.mark.parametrize("rows", [100, 64, 1200, 7])
def test_groups_of_rows_do_not_depend_on_units(
    run: Sweep, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rows: int
) -> None:
    monkeypatch.setattr(tabled, "ROW_GROUP_ROWS", rows)
    _, path = run.to_parquet(tmp_path)
    metadata = pq.ParquetFile(path).metadata
    sizes = [metadata.row_group(number).num_rows for number in range(metadata.num_row_groups)]
    assert sizes == [rows] * (1200 // rows) + [1200 % rows] * bool(1200 % rows)
    assert pq.read_table(path).equals(run.to_arrow(games=True))


def test_damage_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    result = sweep(**WISH, path=tmp_path / "run")
    result.to_parquet(tmp_path / "out")
    before = sums(tmp_path / "out")
    path = max((tmp_path / "run/units").iterdir())
    data = bytearray(path.read_bytes())
    data[-40] ^= 1
    path.write_bytes(data)
    with pytest.raises(mp.SweepError, match="is damaged: games 256 to 299: expected checksum"):
        result.to_parquet(tmp_path / "out")
    assert sums(tmp_path / "out") == before
    with pytest.raises(mp.SweepError, match="is damaged"):
        result.to_pandas(games=True)


def test_a_folder_that_is_a_file(run: Sweep, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("mine")
    with pytest.raises(OSError, match="out"):
        run.to_parquet(tmp_path / "out")
    assert (tmp_path / "out").read_text() == "mine"


# what is not installed


@pytest.mark.parametrize(
    ("missing", "ask", "words"),
    [
        ("pyarrow", lambda run, _: run.to_arrow(), r"to_arrow needs pyarrow .*: pip install 'mineproof\[results\]'"),
        ("pyarrow", lambda run, _: run.to_arrow(games=True), r"pip install 'mineproof\[results\]'"),
        ("pyarrow", lambda run, path: run.to_parquet(path), r"pip install 'mineproof\[results\]'"),
        ("pandas", lambda run, _: run.to_pandas(), r"to_pandas needs pandas .*: pip install 'pandas'"),
    ],
)
def test_a_package_that_is_missing_is_named(
    run: Sweep, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, missing: str, ask: Any, words: str
) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(ExtraMissing, match=words):
        ask(run, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_games_must_be_a_truth_value(run: Sweep) -> None:
    either: list[Any] = [run, mp.simulate("3x3x1", games=1)]
    for found in either:
        with pytest.raises(TypeError, match="games must be True or False, got 1"):
            found.to_arrow(games=1)
        with pytest.raises(TypeError, match="games must be True or False, got 1"):
            found.to_pandas(games=1)
    with pytest.raises(TypeError, match="path must be a str, got int"):
        run.to_parquet(3)  # type: ignore[arg-type]


def test_numbers_of_other_machines_are_read() -> None:
    arrow = tabled._array(pa, pa.field("moves", pa.int32()), np.array([1, -1], dtype=">i2"))
    assert arrow.to_pylist() == [1, None]
