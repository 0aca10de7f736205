"""Datasets: every position, move and outcome is that of a game replayed by other code; the same bytes in every way."""

import errno
import json
import os
import shutil
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import mineproof as mp
from mineproof.base.budget import Budget
from mineproof.board.levels import Size
from mineproof.datasets import api, scheduler
from mineproof.datasets import parts as parts_module
from mineproof.datasets import plan as plans
from mineproof.datasets import positions as positions_module
from mineproof.datasets.api import Dataset, dataset, read_dataset, resume_dataset
from mineproof.datasets.parts import Parts, folder_of
from mineproof.datasets.schema import COLUMNS
from mineproof.errors import DatasetError
from support.effort import THOROUGH
from support.engines import needs_kernel
from support.sweeps import Death, Killed

pytest.importorskip("pyarrow")
pytestmark = needs_kernel

SMALL: dict[str, Any] = {"rows": 6, "columns": 7, "mines": 7, "positions": 400, "seed": 3}


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some ten parts and row groups of a small dataset."""
    monkeypatch.setattr(plans, "PART_POSITIONS", 50)
    monkeypatch.setattr(plans, "SLICE_MAX_CELLS", 42 * 32)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "positions.parquet"


def rows_of(found: Dataset) -> list[dict[str, Any]]:
    """All positions as Python has them, boards as flat lists."""
    rows: list[dict[str, Any]] = found.to_arrow().to_pylist()
    return rows


def has_parts(path: Path) -> bool:
    """Is something finished?"""
    return any(folder_of(path).glob("*.part"))


def by_game(found: Dataset) -> dict[int, list[dict[str, Any]]]:
    games: dict[int, list[dict[str, Any]]] = {}
    for row in rows_of(found):
        games.setdefault(row["game"], []).append(row)
    return games


def without_odds(row: dict[str, Any]) -> dict[str, Any]:
    """A row that can be compared: NaN is not equal to itself."""
    return {name: str(value) for name, value in row.items()}


# what it holds


@pytest.mark.slow
@pytest.mark.parametrize(
    "wish",
    [
        {"strategy": "fast"},
        {"strategy": "go", "topology": "torus"},
        {"strategy": "strong", "topology": "hex", "first_click": "open"},
        {"strategy": "minesolver", "first_click": "any", "start": "random"},
    ],
)
def test_a_replay_by_the_rules_sees_the_same(path: Path, wish: dict[str, Any]) -> None:
    """Layouts come from `generate`, numbers and the outcome from `Game`: nothing of the kernel that played."""
    result = dataset(path, **SMALL, **wish)
    games = by_game(result)
    series = result.plan.series
    for number, moves in games.items():
        layout = series.layout(number)
        game = mp.Game(layout, first_click="any")
        game.open(*series.start_cell(number))
        assert [row["move"] for row in moves] == list(range(1, len(moves) + 1))
        for row in moves:
            assert game.status == "running"
            assert row["cells"] == np.frombuffer(game.board.codes, dtype=np.int8).tolist()
            cell = divmod(row["chosen"], 7)
            assert row["lost"] == (cell in layout.mines)
            assert row["layout"] == [divmod(place, 7) in layout.mines for place in range(42)]
            game.open(*cell)
        if number + 1 < result.games:  # the last one may be cut off
            assert game.is_over
            assert moves[-1]["won"] == (game.status == "won")
        assert len({row["won"] for row in moves}) == 1
    assert {row["won"] for moves in games.values() for row in moves} == {True, False}


def test_odds_are_those_of_analyze_bit_for_bit(path: Path) -> None:
    result = dataset(path, **SMALL | {"positions": 150})
    for batch in result.batches():
        for place, codes in enumerate(batch["cells"]):
            known = mp.analyze(mp.Board.from_array(codes, 7))
            odds = known.mine_probability
            assert np.array_equal(batch["mine_probability"][place], odds, equal_nan=True)
            is_safe, is_mine = batch["certainty"][place] == 2, batch["certainty"][place] == 3
            assert {tuple(cell) for cell in np.argwhere(is_safe).tolist()} == known.safe
            assert {tuple(cell) for cell in np.argwhere(is_mine).tolist()} == known.mines
            assert np.array_equal(odds == 0, is_safe)
            assert np.array_equal(odds == 1, is_mine)
            assert np.array_equal(np.isnan(odds), batch["certainty"][place] == 0)
            assert batch["safe_cells"][place] == len(known.safe)
            assert batch["log10_layouts"][place] == known.log10_layouts
            chosen = divmod(int(batch["chosen"][place]), 7)
            assert batch["chosen_odds"][place] == odds[chosen]
            assert not batch["certain"][place] or chosen in known.safe


@pytest.mark.slow
def test_games_are_those_of_simulate(path: Path) -> None:
    result = dataset(path, **SMALL)
    played = mp.simulate(6, 7, 7, games=result.games, seed=3)
    won = {number: moves[0]["won"] for number, moves in by_game(result).items()}
    assert all(bool(played.outcomes[number]) == is_won for number, is_won in won.items())
    skipped = set(range(result.games)) - set(won)
    assert all(played.outcomes[number] for number in skipped), "the first click alone wins these"
    guesses = sum(not row["certain"] for row in rows_of(result) if row["game"] < result.games - 1)
    rest = mp.simulate(6, 7, 7, games=result.games - 1, seed=3)
    assert guesses + result.games - 1 == rest.tally.all_guesses, "the first click of each counts"


@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["fast", "go"])
def test_guesses_are_the_positions_without_a_safe_cell(tmp_path: Path, strategy: str) -> None:
    every = dataset(tmp_path / "all", **SMALL | {"positions": 1500, "strategy": strategy})
    stuck = [without_odds(row) for row in rows_of(every) if row["safe_cells"] == 0]
    assert every.stuck == len(stuck) > 20
    only = dataset(tmp_path / "only", **SMALL | {"positions": len(stuck), "strategy": strategy}, only="guesses")
    assert [without_odds(row) for row in rows_of(only)] == stuck
    assert only.stuck == only.positions
    careless = [row for row in rows_of(every) if not row["certain"] and row["safe_cells"] > 0]
    assert bool(careless) == (strategy == "go"), "who knows all that is certain guesses only where it must"


@pytest.mark.slow
def test_some_of_each_game_are_drawn(tmp_path: Path) -> None:
    every = by_game(dataset(tmp_path / "all", **SMALL | {"positions": 2000}))
    stored: dict[int, set[tuple[int, int]]] = {}
    for most in (1, 3):
        result = by_game(dataset(tmp_path / f"{most}", **SMALL | {"positions": 90}, per_game=most))
        for number, rows in list(result.items())[:-1]:
            assert len(rows) == min(most, len(every[number]))
            known = {row["move"]: without_odds(row) for row in every[number]}
            assert all(without_odds(row) == known[row["move"]] for row in rows)
            assert [row["move"] for row in rows] == sorted(row["move"] for row in rows)
        stored[most] = {(row["game"], row["move"]) for rows in list(result.values())[:-1] for row in rows}
    last = max(stored[3])[0]
    assert {place for place in stored[1] if place[0] <= last} < stored[3], "fewer are a part of more"
    share = [move / len(every[game]) for game, move in stored[1]]
    assert 0.4 < np.mean(share) < 0.65, "drawn from all of the game, by this seed"
    drawn = by_game(dataset(tmp_path / "both", **SMALL | {"positions": 40}, per_game=1, only="guesses"))
    assert all(len(rows) == 1 and rows[0]["safe_cells"] == 0 for rows in drawn.values())


@pytest.mark.slow
def test_fewer_positions_are_the_beginning_of_more(tmp_path: Path) -> None:
    more = rows_of(dataset(tmp_path / "more", **SMALL))
    fewer = rows_of(dataset(tmp_path / "fewer", **SMALL | {"positions": 111}))
    assert list(map(without_odds, more[:111])) == list(map(without_odds, fewer))


@pytest.mark.slow
def test_what_is_too_wide_has_a_status(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(positions_module, "Budget", lambda **options: Budget(states=3, **options))
    result = dataset(path, **SMALL)
    rows = rows_of(result)
    wide = [row for row in rows if row["status"]]
    assert 0 < len(wide) == result.unanswered < len(rows)
    for row in wide:
        assert row["status"] == mp.PositionStatus.BUDGET
        assert np.isnan([*row["mine_probability"], row["chosen_odds"], row["log10_layouts"]]).all()
        assert set(row["certainty"]) == {0}


@pytest.mark.slow
def test_guesses_leave_out_what_is_too_wide_to_know(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(positions_module, "Budget", lambda **options: Budget(states=3, **options))
    every = dataset(tmp_path / "all", **SMALL | {"positions": 1500})
    assert any(row["status"] and not row["certain"] for row in rows_of(every))
    stuck = [without_odds(row) for row in rows_of(every) if row["safe_cells"] == 0 and not row["status"]]
    only = dataset(tmp_path / "only", **SMALL | {"positions": len(stuck)}, only="guesses")
    assert [without_odds(row) for row in rows_of(only)] == stuck
    assert (only.stuck, only.unanswered) == (len(stuck), 0)


# the file


@pytest.mark.slow
def test_the_file_tells_what_it_is(path: Path) -> None:
    from pyarrow import parquet

    result = dataset(path, **SMALL)
    file = parquet.ParquetFile(path)
    assert json.loads(file.metadata.metadata[b"mineproof"]) == result.as_json()
    assert result.as_json()["plan"] == result.plan.as_json()
    schema = file.schema_arrow
    assert schema.names == [column.name for column in COLUMNS]
    assert [schema.field(name).metadata[b"meaning"].decode() for name in schema.names] == [
        column.meaning for column in COLUMNS
    ]
    sizes = [file.metadata.row_group(index).num_rows for index in range(file.num_row_groups)]
    assert sizes == [32] * 12 + [16]
    assert read_dataset(str(path)) == result
    assert repr(result) == "<Dataset of 400 positions: positions.parquet>"
    assert len(result) == 400
    assert not folder_of(path).exists()


@pytest.mark.slow
def test_batches_and_frames(path: Path) -> None:
    result = dataset(path, **SMALL)
    batches = list(result.batches(150, columns=["cells", "won"]))
    assert [batch["cells"].shape for batch in batches] == [(150, 6, 7), (150, 6, 7), (100, 6, 7)]
    assert [list(batch) for batch in batches] == [["cells", "won"]] * 3
    assert batches[0]["won"].dtype == bool
    frame = result.to_pandas()
    assert np.array_equal(np.stack(frame["cells"]).reshape(-1, 6, 7)[:150], batches[0]["cells"])
    assert list(result.to_pandas(["move"]).columns) == ["move"]
    with pytest.raises(ValueError, match="columns must be one of"):
        next(result.batches(columns=["x"]))


# the same bytes


@pytest.mark.slow
@pytest.mark.parametrize("wish", [{}, {"only": "guesses", "per_game": 2, "positions": 60}])
def test_any_number_of_threads(tmp_path: Path, wish: dict[str, Any]) -> None:
    made = [dataset(tmp_path / str(threads), **SMALL | wish, threads=threads) for threads in (1, 2, 5)]
    assert len({item.path.read_bytes() for item in made}) == 1


@pytest.mark.slow
def test_resumed_after_an_interruption(tmp_path: Path) -> None:
    whole = dataset(tmp_path / "whole", **SMALL)
    path = tmp_path / "part"
    messages: list[mp.DatasetProgress] = []
    part = dataset(path, **SMALL, threads=1, progress=messages.append, cancelled=partial(has_parts, path))
    assert not part.is_complete
    assert 0 < part.positions < 400
    assert not path.exists()
    assert messages[-1].asked == 400
    stored = {file.name: file.stat().st_mtime_ns for file in folder_of(path).glob("*.part")}
    assert stored
    with pytest.raises(DatasetError, match=r"is not finished: <Dataset of .*>\. Resume it first"):
        part.to_arrow()
    with pytest.raises(
        DatasetError, match=r"part\.parts is an unfinished dataset\. Resume it, remove it, or choose another"
    ):
        dataset(path, **SMALL)
    made, make = [], Parts.make

    def noted(parts: Parts, index: int, stopped: Callable[[], bool]) -> int | None:
        made.append(index)
        return make(parts, index, stopped)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Parts, "make", noted)
        again = resume_dataset(path, threads=2)
    assert not {f"{index:06}.part" for index in made} & set(stored), "what is there is not made again"
    assert again.path.read_bytes() == whole.path.read_bytes()
    assert not folder_of(path).exists()
    assert dataset(path, **SMALL, resume=True) == resume_dataset(path) == again


@pytest.mark.slow
def test_what_is_there_is_summed_once_and_not_before_the_first_look(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cancelling a run that continues many parts takes no longer than with few."""
    unfinished(path)
    parts = Parts.read(path)
    assert parts is not None
    known = {index: parts.make(index, bool) for index in range(6)}
    checked, check = [], Parts.check

    def noted(parts: Parts, index: int) -> int:
        checked.append(index)
        return check(parts, index)

    monkeypatch.setattr(Parts, "check", noted)
    monkeypatch.setattr(Parts, "make", lambda *_: None)
    again = resume_dataset(path, cancelled=lambda: True)
    assert checked == [0], "one is written, then there is a look"
    assert again.positions == sum(filter(None, known.values()))


@pytest.mark.slow
def test_killed_at_any_moment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Death comes at many of the things done to files: what was on disk stays, and the bytes are the same."""
    monkeypatch.setattr(os, "fsync", lambda _: None)  # takes long, and a test cannot cut the power
    wish = SMALL | {"positions": 60}
    whole = dataset(tmp_path / "whole", **wish).path.read_bytes()
    for after in count(0, 3 if THOROUGH else 19):
        path = tmp_path / f"{after}" / "positions.parquet"
        path.parent.mkdir()
        death = Death(after)
        with pytest.MonkeyPatch.context() as patch, suppress(Killed):
            death.install(patch)
            dataset(path, **wish, threads=1, resume=True)
        assert not path.exists() or path.read_bytes() == whole
        stored = {part.name: part.read_bytes() for part in folder_of(path).glob("*.part")}
        parts = Parts.read(path)
        assert parts is None or len(parts.finished_parts()) == len(stored)
        result = dataset(path, **wish, threads=2, resume=True)
        assert result.path.read_bytes() == whole
        assert list(path.parent.iterdir()) == [path]
        if not death.is_dead:
            break
        shutil.rmtree(path.parent)
    assert after > 60


# what goes wrong


def unfinished(path: Path) -> Path:
    """A dataset that was interrupted; the first of its parts."""
    dataset(path, **SMALL, threads=1, cancelled=partial(has_parts, path))
    return min(folder_of(path).glob("*.part"))


def cut(data: bytes) -> bytes:
    return data[:-1]


def emptied(_: bytes) -> bytes:
    return b""


def flipped(data: bytes) -> bytes:
    return data[:100] + bytes([data[100] ^ 1]) + data[101:]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("harm", "words"),
    [
        (cut, "expected b'mpparts1' where its end begins"),
        (emptied, "expected at least 64 bytes, got 0"),
        (flipped, "expected checksum "),
    ],
)
def test_a_damaged_part(path: Path, harm: Callable[[bytes], bytes], words: str) -> None:
    part = unfinished(path)
    whole = part.read_bytes()
    part.write_bytes(harm(whole))
    for go_on in (partial(resume_dataset, path), partial(dataset, path, **SMALL, resume=True)):
        with pytest.raises(DatasetError) as caught:
            go_on()
        assert str(caught.value).startswith(f"{part} is damaged: ")
        assert words in str(caught.value)
        assert "Remove it; --resume (resume=True) creates it again" in str(caught.value)
    assert part.read_bytes() == harm(whole)
    part.unlink()
    assert resume_dataset(path).is_complete


def test_parts_in_the_wrong_place(path: Path, tmp_path: Path) -> None:
    part = unfinished(path)
    other = unfinished(tmp_path / "other")
    shutil.copy(part, part.with_name("000099.part"))
    with pytest.raises(DatasetError, match=r"000099.part is damaged: expected part 99 of [0-9,]+ bytes, got 0 of"):
        resume_dataset(path)
    part.with_name("000099.part").unlink()
    plan = folder_of(tmp_path / "other") / "plan.json"
    plan.write_text(plan.read_text().replace('"seed": 3', '"seed": 4'))
    with pytest.raises(DatasetError, match=f"{other} belongs to another dataset than {plan}"):
        resume_dataset(tmp_path / "other")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("wish", "words"),
    [
        ({"positions": 500}, "positions=400, not 500"),
        ({"seed": 4}, "seed=3, not 4"),
        ({"only": "guesses"}, "only='all', not 'guesses'"),
        ({"per_game": 1}, "per_game=None, not 1"),
        ({"strategy": "go"}, "strategy='fast', not 'go'"),
        ({"mines": 8}, "mines=7, not 8"),
        ({"start": (1, 1)}, r"start=\[0, 0\], not \[1, 1\]"),
    ],
)
def test_other_options(path: Path, wish: dict[str, Any], words: str) -> None:
    unfinished(path)
    with pytest.raises(DatasetError, match=f"positions.parquet.parts was started with {words}. Resume it with"):
        dataset(path, **SMALL | wish, resume=True)
    resume_dataset(path)
    with pytest.raises(DatasetError, match=f"positions.parquet was started with {words}"):
        dataset(path, **SMALL | wish, resume=True)


@pytest.mark.parametrize("key", ["version", "signature"])
def test_another_program(path: Path, key: str) -> None:
    unfinished(path)
    plan = folder_of(path) / "plan.json"
    document = json.loads(plan.read_text())
    document[key] = {"version": "0.0.1", "signature": {"engine": "another"}}[key]
    plan.write_text(json.dumps(document))
    with pytest.raises(DatasetError, match=f"was started with {key}=.*(0.0.1|another)"):
        resume_dataset(path)
    plan.write_text("{}")
    with pytest.raises(DatasetError, match=r"plan.json is not the plan of a dataset: "):
        resume_dataset(path)


def test_names_that_are_taken_and_files_of_something_else(path: Path, tmp_path: Path) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    with pytest.raises(DatasetError, match=r"No dataset to resume: neither .*parquet nor .*parts exists"):
        resume_dataset(path)
    with pytest.raises(FileNotFoundError):
        read_dataset(path)
    path.write_text("something else")
    for act in (partial(dataset, path, **SMALL), partial(read_dataset, path), partial(resume_dataset, path)):
        with pytest.raises(DatasetError, match=r"positions\.parquet"):
            act()
    assert path.read_text() == "something else"
    with pytest.raises(DatasetError, match="expected a file, got a folder"):
        read_dataset(tmp_path)
    parquet.write_table(pa.table({"x": [1]}), tmp_path / "table")
    with pytest.raises(DatasetError, match="a Parquet file without the key 'mineproof'"):
        read_dataset(tmp_path / "table")
    parquet.write_table(pa.table({"x": [1]}).replace_schema_metadata({"mineproof": "{}"}), tmp_path / "key")
    with pytest.raises(DatasetError, match="is not a dataset: its description is invalid"):
        read_dataset(tmp_path / "key")


@pytest.mark.slow
def test_a_damaged_file_is_noticed_when_it_is_read(path: Path) -> None:
    """Wherever odds are damaged, and not only where they cannot be unpacked any more."""
    from pyarrow import parquet

    result = dataset(path, **SMALL)
    whole = path.read_bytes()
    odds = parquet.read_metadata(path).row_group(3).column(3)
    assert odds.path_in_schema == "mine_probability.list.element"
    end = odds.dictionary_page_offset + odds.total_compressed_size
    begin = (odds.data_page_offset + end) // 2  # past the head of the page
    for place in range(begin, end, (end - begin) // 40):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        with pytest.raises(DatasetError, match=r"positions.parquet is damaged: "):
            result.to_arrow()


def test_a_full_disk_keeps_what_was_finished(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced, fsync = count(), os.fsync

    def full(handle: int) -> None:
        if next(synced) >= 6:
            raise OSError(errno.ENOSPC, "No space left on device")
        fsync(handle)

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(OSError, match="No space left on device"):
            dataset(path, **SMALL, threads=1)
    assert not path.exists()
    assert list(folder_of(path).glob("*.part"))
    assert resume_dataset(path).is_complete


@pytest.mark.slow
def test_games_without_such_positions(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scheduler, "MAX_EMPTY_GAMES", 64)
    with pytest.raises(DatasetError, match=r"^[0-9]+ games have no positions\. Choose another size\.$"):
        dataset(path, 3, 3, 0, positions=10)


@pytest.mark.slow
def test_games_that_never_guess_end_with_an_error_and_few_parts(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plans, "PART_POSITIONS", 4096)
    with pytest.raises(DatasetError, match=r"^100,[0-9]{3} games have no positions with a forced guess\."):
        dataset(path, 5, 5, 1, positions=5, only="guesses")
    assert len(list(folder_of(path).glob("*.part"))) < 250


@pytest.mark.parametrize("positions", [1, 5, 1000, 10**6])
@pytest.mark.parametrize("only", ["all", "guesses"])
def test_the_games_of_parts_follow_each_other_and_grow(
    positions: int, only: plans.Only, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plans, "PART_POSITIONS", 4096)
    plan = plans.make_plan(Size(9, 9, 10), "fast", "safe", "grid", None, 0, positions, only, None)
    parts = [plan.numbers(index) for index in range(100)]
    assert [part.start for part in parts] == [0, *(part.stop for part in parts[:-1])]
    sizes = list(map(len, parts))
    assert sizes == sorted(sizes)
    assert len(set(sizes[:8])) == 1
    assert sizes[-1] == max(sizes[0], 128 if only == "all" else 1024)


def test_without_pyarrow(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    for act in (dataset, read_dataset, resume_dataset):
        with pytest.raises(ImportError, match=r"dataset needs pyarrow .*: pip install 'mineproof\[results\]'"):
            act(path)


def test_two_at_a_time(path: Path) -> None:
    unfinished(path)
    parts = Parts.read(path)
    assert parts is not None
    with parts.claim(), pytest.raises(DatasetError, match="is in use by another process"):
        resume_dataset(path)


def test_another_process_has_finished_it_just_now(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that continues looks for the file, claims the folder, and looks again: it was finished in between."""
    unfinished(path)
    claimed, whole = Parts.claim, b""

    def late(parts: Parts) -> Any:
        nonlocal whole
        monkeypatch.setattr(Parts, "claim", claimed)
        whole = resume_dataset(path).path.read_bytes()
        monkeypatch.setattr(api, "run", lambda *_: pytest.fail("it is made already"))
        return claimed(parts)

    monkeypatch.setattr(Parts, "claim", late)
    assert resume_dataset(path).is_complete
    assert path.read_bytes() == whole
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.slow
def test_parts_are_removed_by_who_has_claimed_them(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    remove = Parts.remove

    def looked_at(parts: Parts) -> None:
        with pytest.raises(DatasetError, match="is in use"):
            resume_dataset(path)
        remove(parts)

    monkeypatch.setattr(Parts, "remove", looked_at)
    assert dataset(path, **SMALL).is_complete
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.slow
def test_a_file_that_appears_meanwhile_is_not_replaced(path: Path) -> None:
    def appear(_: mp.DatasetProgress) -> None:
        path.write_text("a thesis")

    words = r"positions\.parquet was created by another process in the meantime and is not replaced\."
    with pytest.raises(DatasetError, match=words):
        dataset(path, **SMALL, progress=appear)
    assert path.read_text() == "a thesis"
    path.rename(path.with_name("thesis"))
    assert resume_dataset(path).is_complete


def test_strategies_that_are_not_built_in(path: Path) -> None:
    with pytest.raises(ValueError, match=r"strategy must be one of fast, .*, got 'own': only built-in strategies"):
        dataset(path, strategy="own")
    with pytest.raises(TypeError, match="only built-in strategies are recorded"):
        dataset(path, strategy=lambda board: (0, 0))  # type: ignore[arg-type]


def test_the_reference_plays_no_games() -> None:
    from mineproof.engine.reference_engine import ReferenceEngine
    from mineproof.simulation.series import Series
    from mineproof.simulation.simulator import match_of

    series = Series(rows=4, columns=4, mines=2, first_click="safe", start=(0, 0), strategy="fast", seed=0)
    with pytest.raises(mp.EngineMissing, match="Watching games needs the native kernel"):
        ReferenceEngine().watch(match_of(series), range(1), bool)


def test_the_blocks_that_are_checked(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A checksum is the same however the file is read."""
    part = unfinished(path)
    monkeypatch.setattr(parts_module, "BLOCK", 7)
    parts = Parts.read(path)
    assert parts is not None
    assert parts.check(0) > 0
    assert part.name == "000000.part"


# damage that pyarrow itself does not foresee


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["ArrowNotImplementedError", "ArrowInvalid", "UnicodeDecodeError", "OSError"])
def test_whatever_pyarrow_raises_about_a_file_is_a_dataset_error(
    path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    error = UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid") if kind == "UnicodeDecodeError" else None
    raised = error or getattr(pa, kind, OSError)("damaged")

    def fail(*_: object, **__: object) -> None:
        raise raised

    result = dataset(path, **SMALL)
    monkeypatch.setattr(parquet, "read_metadata", fail)
    with pytest.raises(DatasetError, match=r"positions\.parquet is not a dataset: "):
        read_dataset(path)
    monkeypatch.setattr(parquet, "ParquetFile", fail)
    with pytest.raises(DatasetError, match=r"positions\.parquet is damaged: "):
        result.to_arrow()


@pytest.mark.slow
def test_damaged_files_raise_dataset_errors_only(path: Path) -> None:
    dataset(path, **SMALL | {"positions": 40})
    whole, random = path.read_bytes(), Random(1)
    outcomes = set()
    for _ in range(400):
        data = bytearray(whole)
        for _ in range(random.choice((1, 1, 3))):
            data[-random.randrange(1, min(len(data), 8000))] = random.randrange(256)
        path.write_bytes(data)
        try:
            for _ in read_dataset(path).batches():
                pass
            outcomes.add("read")
        except DatasetError:
            outcomes.add("refused")
    assert outcomes == {"read", "refused"}


@pytest.mark.parametrize("name", ["x.csv", "x.parquet.gz", "x.json"])
def test_a_name_that_promises_another_format_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match=rf"name of a dataset must end with \.parquet, got '{name}'"):
        dataset(tmp_path / name, **SMALL)
    assert list(tmp_path.iterdir()) == []
