"""Sweeps: the same bytes on any workers and after any kills; damage is reported, and nothing is lost."""

import errno
import json
import math
import multiprocessing
import os
import pickle
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import suppress
from copy import deepcopy
from fractions import Fraction
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mineproof.analysis.analysis import analyze
from mineproof.bench.work import play_signature
from mineproof.board.cells import COVERED, Cell
from mineproof.engine.default import default_engine
from mineproof.errors import SweepError
from mineproof.game.game import Game
from mineproof.game.layout import Layout
from mineproof.game.measures import measure
from mineproof.simulation.comparison import compare
from mineproof.simulation.intervals import wilson
from mineproof.simulation.simulator import simulate
from mineproof.sweeps import plan as plans
from mineproof.sweeps.plan import read_plan
from mineproof.sweeps.scheduler import SweepProgress
from mineproof.sweeps.store import HEAD_SIZE, SweepStore
from mineproof.sweeps.sweep_api import Sweep, read_sweep, resume_sweep, sweep
from mineproof.sweeps.units import play, record_length
from support.engines import needs_kernel
from support.sweeps import SMALL, Death, Killed, Shuffled, sums

pytestmark = needs_kernel


@pytest.fixture
def small_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files of two units."""
    monkeypatch.setattr(plans, "FILE_MAX_GAMES", 128)


@pytest.fixture
def whole(tmp_path: Path) -> Sweep:
    return sweep(**SMALL, path=tmp_path / "whole", threads=1)


def folder_of(found: Sweep) -> Path:
    assert found.folder is not None
    return found.folder


# what is played


def test_every_combination_in_order() -> None:
    result = sweep(["4x4", "5x3x9"], mines=[2, 3], strategy=["fast", "go"], first_click=["any", "safe"], games=1)
    messages = [(totals.columns, totals.rows, totals.mines, totals.first_click, totals.strategy) for totals in result]
    boards = [(4, 4, 2), (4, 4, 3), (5, 3, 2), (5, 3, 3)]
    rules = [("any", "fast"), ("any", "go"), ("safe", "fast"), ("safe", "go")]
    assert messages == [(*board, *rule) for board in boards for rule in rules]


def test_a_configuration_is_what_simulate_gives(whole: Sweep) -> None:
    for index, mines in enumerate((4, 6)):
        alone = simulate(5, 5, mines, games=300, seed=3)
        assert whole.simulation(index) == alone
        assert (whole[index].tally, whole[index].interval) == (alone.tally, alone.interval)
        timeless = {"cpu_seconds": None, "seconds": None}
        assert whole[index].as_json() == alone.as_json() | timeless


def test_defaults_are_those_of_simulate() -> None:
    [result] = sweep("beginner", first_click="open", games=1)
    assert (result.start, result.strategy, result.topology) == ((2, 2), "fast", "grid")
    assert sweep("5x5x4").plan.games == 10_000
    assert plans.make_plan("expert", None, "fast", "safe", "grid", None, None, None, 0, None, False).configurations[
        0
    ].unit == 4096  # fmt: skip


def test_shares_of_mines() -> None:
    result = sweep("10x10", mines=[0.1, Fraction(1, 8), 0.155, 30], games=1)
    assert [totals.mines for totals in result] == [10, 13, 16, 30]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"mines": []}, "mines must not be empty"),
        (
            {"mines": [4, 4]},
            "configurations must be unique, got 5 × 5, 4 mines, grid, first click safe, fast twice",
        ),
        ({"mines": 25}, "expected 0 to 24 mines besides the first click, got 25"),
        ({"strategy": ["fast", "nobody"]}, "strategy must be one of"),
        ({"strategy": min}, "strategy must be a name, because it is sent to workers"),
        ({"first_click": "open", "mines": 20}, "expected at most 16 mines besides the first click and its neighbours"),
        ({"unit": 100}, "unit must be a multiple of 64, got 100"),
        ({"until": 0}, "until must be from 0.0001 to 50 percentage points, got 0"),
        ({"games": 2**62 + 1}, "first_game + games must be at most 2"),
        ({"resume": True}, "resume=True needs path, the name of a folder"),
        ({"per_game": True}, "per_game=True needs path, the name of a folder"),
        ({"start": "random"}, "start must be a cell, or 'random' with first_click='any'"),
        ({"executor": 3}, "executor must be one of concurrent.futures, got int"),
    ],
)
def test_what_cannot_be_played_is_said_before_anything_is(change: dict[str, Any], message: str) -> None:
    with pytest.raises((ValueError, TypeError)) as caught:
        sweep(**SMALL | change)
    assert message in str(caught.value)


@pytest.mark.slow
def test_the_plan_is_read_back_and_says_who_made_it(whole: Sweep) -> None:
    path = folder_of(whole) / "plan.json"
    assert read_plan(path.read_bytes(), "plan.json") == whole.plan
    document = json.loads(path.read_text())
    assert document == whole.plan.as_json()
    assert document["signature"] == play_signature(default_engine())
    assert len([line for line in path.read_text().splitlines() if '"strategy"' in line]) == 2, "a line for each"


@pytest.mark.slow
def test_the_signature_is_that_of_the_bench() -> None:
    """Golden: tests/bench/test_signature.py holds the bench against the same file."""
    golden = json.loads((Path(__file__).parents[1] / "golden/signature.json").read_text("utf-8"))["kernel"]
    signature = play_signature(default_engine())
    assert signature
    assert {key: golden[key] for key in signature} == signature


# the same bytes


@pytest.mark.slow
@pytest.mark.parametrize("per_game", [False, True])
def test_threads_processes_and_order_change_no_byte(tmp_path: Path, per_game: bool, small_files: None) -> None:
    wish = SMALL | {"per_game": per_game, "strategy": ["fast", "minesolver"]}
    expected = sweep(**wish, path=tmp_path / "one", threads=1)
    ways: dict[str, dict[str, Any]] = {"two": {"threads": 2}}
    ways |= {f"shuffled{seed}": {"executor": Shuffled(seed), "threads": 4} for seed in range(5)}
    for name, how in ways.items():
        assert sweep(**wish, path=tmp_path / name, **how) == expected
        assert sums(tmp_path / name) == sums(tmp_path / "one"), name
    assert len(sums(tmp_path / "one")) == 1 + 4 * 3


def test_an_executor_of_processes(tmp_path: Path, whole: Sweep) -> None:
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        assert sweep(**SMALL, path=tmp_path / "run", executor=pool) == whole
    assert sums(tmp_path / "run") == sums(folder_of(whole))


def test_a_unit_that_somebody_else_cancels_is_not_left_out(tmp_path: Path, whole: Sweep) -> None:
    """As an executor does whose workers are gone."""

    class Forgetful(Shuffled):
        def submit(self, function: Any, /, *arguments: Any, **options: Any) -> Future[Any]:
            if function is play and arguments[0].numbers.start < 128:
                return super().submit(function, *arguments, **options)
            future: Future[Any] = Future()
            future.cancel()
            return future

    with pytest.raises(SweepError, match=r"failed on games 128 to 191 of configuration 0: CancelledError\. Finished"):
        sweep(**SMALL, path=tmp_path / "run", executor=Forgetful(1))
    assert resume_sweep(tmp_path / "run") == whole


def test_a_unit_is_plain_data(whole: Sweep) -> None:
    task = whole.plan.configurations[1].task(2)
    assert play(pickle.loads(pickle.dumps(task))) == play(task)
    assert len(pickle.dumps(task)) < 1000


def test_a_worker_of_another_version_refuses(whole: Sweep) -> None:
    task = whole.plan.configurations[0].task(0)._replace(version="0.0.9")
    with pytest.raises(SweepError, match=r"Worker runs mineproof .*, client runs 0\.0\.9\."):
        play(task)


# killed


@pytest.mark.slow
def test_killed_at_any_moment_and_resumed(tmp_path: Path, small_files: None) -> None:
    """At each thing that is done to a file in turn, with the last write torn; in the end no byte differs."""
    wish = SMALL | {"mines": 4, "threads": 1}
    expected = sums(folder_of(sweep(**wish, path=tmp_path / "whole")))
    for after in count():
        folder, death = tmp_path / f"run{after}", Death(after)
        with pytest.MonkeyPatch.context() as patch:
            death.install(patch)
            with suppress(Killed):
                sweep(**wish, path=folder)
        left = read_sweep(folder)[0].games if (folder / "plan.json").is_file() else 0
        result = sweep(**wish, path=folder, resume=True)
        assert result[0].games == 300
        assert 300 >= left >= 0
        assert sums(folder) == expected, f"killed after {after}"
        if not death.is_dead:
            break
    assert after > 20


def test_killed_again_and_again(tmp_path: Path, whole: Sweep, small_files: None) -> None:
    """Each run does a few things more before it is killed; units that were finished are never played again."""
    folder, before = tmp_path / "run", 0
    expected = sums(folder_of(sweep(**SMALL, path=tmp_path / "other", threads=1)))
    for attempt in count():
        with pytest.MonkeyPatch.context() as patch:
            death = Death(16)
            death.install(patch)
            with suppress(Killed):
                sweep(**SMALL, path=folder, resume=True, threads=1)
        now = sum(totals.games for totals in read_sweep(folder))
        assert now >= before  # a run may be killed in the middle of writing a whole file
        before = now
        if not death.is_dead:
            break
        assert attempt < 50
    assert attempt > 2
    assert sums(folder) == expected


def test_resume_plays_only_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looks = count()
    part = sweep(**SMALL, path=tmp_path, threads=1, cancelled=lambda: next(looks) >= 2)
    assert not part.is_complete
    on_disk = sum(
        1 for place in SweepStore.read(tmp_path).places("part") for _ in SweepStore.read(tmp_path).part(place)
    )
    on_disk += 5 * len(SweepStore.read(tmp_path).places("units"))
    worker = Shuffled(1)
    result = resume_sweep(tmp_path, executor=worker)
    assert result.is_complete
    assert worker.played == 10 - on_disk
    again = Shuffled(2)
    assert resume_sweep(tmp_path, executor=again) == result
    assert again.played == 0


# damage


def damage(path: Path, place: int) -> None:
    data = bytearray(path.read_bytes())
    data[place] ^= 0x40
    path.write_bytes(data)


def test_a_damaged_unit_is_named_and_can_be_played_again(whole: Sweep) -> None:
    folder = folder_of(whole)
    expected, path = sums(folder), folder / "units/00001-000000.units"
    length = record_length(64, ())
    damage(path, HEAD_SIZE + 2 * length + 40)
    before = path.read_bytes()
    for ask in (lambda: whole.simulation(1), lambda: resume_sweep(folder), lambda: list(whole.records(1))):
        with pytest.raises(
            SweepError, match=r"00001-000000\.units is damaged: games 128 to 191: expected checksum"
        ) as caught:
            ask()
        assert str(caught.value).endswith(f"mineproof sweep -o {folder} --repair")
    assert read_sweep(folder) == whole, "sums come from the heads"
    assert path.read_bytes() == before
    worker = Shuffled(1)
    assert resume_sweep(folder, repair=True, executor=worker) == whole
    assert worker.played == 1, "units that are whole are kept"
    aside = path.with_name(f"{path.name}.damaged")
    assert aside.read_bytes() == before
    aside.unlink()
    assert sums(folder) == expected


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda path: damage(path, 0), "expected b'mpsweep1' at its beginning, got b'-psweep1'"),
        (lambda path: damage(path, 60), "of its header, got"),
        (lambda path: path.write_bytes(path.read_bytes()[:-1]), "bytes, got"),
        (lambda path: path.write_bytes(path.read_bytes() + b"x"), "bytes, got"),
        (lambda path: path.write_bytes(b""), "expected b'mpsweep1' at its beginning, got b''"),
        (lambda path: path.replace(path.with_name("00000-000000.units")), "its name is wrong"),
    ],
)
def test_a_damaged_file_is_named(whole: Sweep, change: Any, words: str) -> None:
    folder = folder_of(whole)
    expected = sums(folder)
    change(folder / "units/00001-000000.units")
    for ask in (read_sweep, resume_sweep):
        with pytest.raises(SweepError) as caught:
            ask(folder)
        assert words in str(caught.value)
    assert resume_sweep(folder, repair=True) == whole
    for aside in folder.rglob("*.damaged"):
        aside.unlink()
    assert sums(folder) == expected


def test_a_file_that_is_not_in_the_plan_is_not_repaired(whole: Sweep) -> None:
    path = folder_of(whole) / "units/00001-000000.units"
    for name in ("00007-000000.units", "00007-000000.part"):
        path = path.rename(path.with_name(name))
        for ask in (read_sweep, resume_sweep, lambda folder: resume_sweep(folder, repair=True)):
            with pytest.raises(SweepError, match="expected a file of configuration 0 to 1 as in the plan, got 7"):
                ask(folder_of(whole))


def unfinished(folder: Path) -> Path:
    """A run that has a part with several units; that part."""
    looks = count()
    sweep(**SMALL | {"games": 3_000}, path=folder, threads=1, cancelled=lambda: next(looks) >= 4)
    part = folder / "units/00000-000000.part"
    assert part.stat().st_size > HEAD_SIZE + 3 * record_length(64, ())
    return part


@pytest.mark.slow
def test_damage_in_the_midst_of_a_part_is_told(tmp_path: Path) -> None:
    part = unfinished(tmp_path)
    damage(part, HEAD_SIZE + 40)
    for ask in (read_sweep, resume_sweep):
        with pytest.raises(SweepError, match=rf"part is damaged: at byte {HEAD_SIZE}: expected checksum"):
            ask(tmp_path)
    worker, kept = Shuffled(1), (part.stat().st_size - HEAD_SIZE) // record_length(64, ()) - 1
    assert resume_sweep(tmp_path, repair=True, executor=worker) == sweep(**SMALL | {"games": 3_000})
    assert worker.played <= 94 - kept


@pytest.mark.slow
@pytest.mark.parametrize("cut", [1, 20, record_length(64, ()) - 1, record_length(64, ())])
def test_what_is_cut_short_at_the_end_of_a_part_is_played_again(tmp_path: Path, cut: int) -> None:
    part = unfinished(tmp_path)
    games = read_sweep(tmp_path)[0].games
    part.write_bytes(part.read_bytes()[:-cut])
    assert read_sweep(tmp_path)[0].games in (games - 64, games)  # a unit may have waited for an earlier one
    result = resume_sweep(tmp_path, threads=1)
    assert result[0] == sweep(**SMALL | {"games": 3_000})[0]


def test_a_full_disk_loses_nothing(tmp_path: Path, whole: Sweep, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, written = tmp_path / "run", count()
    fsync = os.fsync

    def full(handle: int) -> None:
        if next(written) >= 6:
            raise OSError(errno.ENOSPC, "No space left on device")
        fsync(handle)

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(OSError, match="No space left on device") as caught:
            sweep(**SMALL, path=folder, threads=1)
        assert str(folder) in str(caught.value.filename)
    left = read_sweep(folder)
    assert 0 < sum(totals.games for totals in left) < 600
    assert resume_sweep(folder) == whole
    assert sums(folder) == sums(folder_of(whole))


# folders


def test_a_folder_is_not_written_over(whole: Sweep, tmp_path: Path) -> None:
    folder = folder_of(whole)
    before = sums(folder)
    with pytest.raises(SweepError, match=r"already has a sweep of 2 configurations: 600 games\. Resume it"):
        sweep(**SMALL, path=folder)
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters/mum.txt").write_text("x")
    with pytest.raises(SweepError, match=r"is not empty: it has 'mum\.txt'\. Choose an empty folder"):
        sweep(**SMALL, path=tmp_path / "letters")
    with pytest.raises(SweepError, match=r"is not the folder of a sweep: it has no plan\.json"):
        read_sweep(tmp_path / "letters")
    assert sums(folder) == before


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"seed": 4}, "configuration 0 of the run has seed=3, not 4"),
        ({"games": 301}, "the run has games=300, not 301"),
        ({"until": 5}, "the run has until=None, not 5.0"),
        ({"mines": [4]}, "the run has 2 configurations, not 1"),
        ({"mines": [4, 7]}, "configuration 1 of the run has mines=6, not 7"),
        ({"strategy": "go"}, "configuration 0 of the run has strategy='fast', not 'go'"),
        ({"unit": 128}, "configuration 0 of the run has unit=64, not 128"),
        ({"per_game": True}, "configuration 0 of the run has record=[], not [['moves', '<i2']"),
    ],
)
def test_another_plan_is_not_resumed(whole: Sweep, change: dict[str, Any], words: str) -> None:
    before = sums(folder_of(whole))
    with pytest.raises(SweepError) as caught:
        sweep(**SMALL | change, path=folder_of(whole), resume=True)
    assert words in str(caught.value)
    assert sums(folder_of(whole)) == before


def test_another_program_is_not_resumed(whole: Sweep, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plans, "VERSION", "9.0")
    with pytest.raises(SweepError, match=r"the run was started by mineproof 0\.2\.0, this is 9\.0"):
        resume_sweep(folder_of(whole))
    with pytest.raises(SweepError, match=r"the run was started by mineproof 0\.2\.0, this is 9\.0"):
        sweep(**SMALL, path=folder_of(whole), resume=True)
    monkeypatch.undo()
    monkeypatch.setattr(plans, "identity", lambda: whole.plan.signature | {"decisions": "feed"})
    with pytest.raises(SweepError, match=r"the signature of the run has decisions .*, that of this program feed"):
        resume_sweep(folder_of(whole))
    assert read_sweep(folder_of(whole)) == whole, "it can still be read"


def test_files_of_another_plan_are_seen(whole: Sweep, tmp_path: Path) -> None:
    other = sweep(**SMALL | {"seed": 4}, path=tmp_path / "other")
    path = "units/00000-000000.units"
    (folder_of(whole) / path).write_bytes((folder_of(other) / path).read_bytes())
    for ask in (read_sweep, resume_sweep, lambda folder: resume_sweep(folder, repair=True)):
        with pytest.raises(SweepError, match="belongs to another plan than"):
            ask(folder_of(whole))


@pytest.mark.parametrize("text", ["", "{}", "[]", "x", '{"schema": "mineproof/plan/2"}', "1" * 100])
def test_a_plan_that_is_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "plan.json").write_text(text)
    with pytest.raises(SweepError, match=r"plan\.json is not the plan of a sweep: "):
        read_sweep(tmp_path)


def test_two_runs_in_one_folder(tmp_path: Path) -> None:
    said: list[str] = []

    def second(_: SweepProgress) -> None:
        if not said:
            with pytest.raises(SweepError) as caught:
                sweep(**SMALL, path=tmp_path, resume=True)
            said.append(str(caught.value))

    assert sweep(**SMALL, path=tmp_path, progress=second).is_complete
    assert said == [f"{tmp_path} is in use by another process. Wait until it has finished."]


def test_a_sweep_can_be_read_while_it_is_played(tmp_path: Path, small_files: None) -> None:
    seen: list[int] = []
    messages: list[SweepProgress] = []

    def look(now: SweepProgress) -> None:
        messages.append(now)
        seen.append(sum(totals.games for totals in read_sweep(tmp_path)))

    result = sweep(**SMALL, path=tmp_path, threads=2, progress=look)
    assert seen == sorted(seen)
    assert seen[-1] == 600
    assert messages[-1] == SweepProgress(600, 600, 2, 2)
    assert read_sweep(tmp_path) == result


def test_without_a_folder_single_games_are_not_kept() -> None:
    result = sweep(**SMALL)
    assert result.folder is None
    with pytest.raises(SweepError, match="The sweep has no folder"):
        result.simulation(0)


# workers that fail


class Failing(Executor):
    """Plays some units, and then fails."""

    def __init__(self, after: int, error: Exception) -> None:
        self._left, self._error = after, error

    def submit(self, function: Any, /, *arguments: Any, **options: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self._left -= 1
        if self._left < 0:
            future.set_exception(self._error)
        else:
            future.set_result(function(*arguments, **options))
        return future


def test_a_worker_that_fails_costs_its_unit_alone(tmp_path: Path, whole: Sweep) -> None:
    folder = tmp_path / "run"
    with pytest.raises(SweepError, match=r"A worker failed on games 192 to 255 of configuration 0: OSError: no route"):
        sweep(**SMALL, path=folder, executor=Failing(3, OSError("no route")), threads=2)
    assert read_sweep(folder)[0].games == 192
    assert resume_sweep(folder) == whole
    assert sums(folder) == sums(folder_of(whole))


class Garbling(Executor):
    """Hands back what is no record."""

    def submit(self, function: Any, /, *arguments: Any, **options: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(function(*arguments, **options)[:-1] + b"?")
        return future


def test_a_worker_that_hands_back_something_else_is_seen(tmp_path: Path) -> None:
    with pytest.raises(SweepError, match=r"A worker failed on games 0 to 63 .*ValueError: expected checksum .*, got"):
        sweep(**SMALL, path=tmp_path, executor=Garbling())
    assert read_sweep(tmp_path)[0].games == 0


# enough


UNTIL: dict[str, Any] = {"sizes": "5x5", "mines": [2, 4, 8, 12], "until": 3, "unit": 64}


@pytest.mark.slow
def test_the_interval_decides_and_nothing_else(tmp_path: Path, small_files: None) -> None:
    result = sweep(**UNTIL, path=tmp_path / "one", threads=1)
    assert result.is_complete
    for item in result:
        low, high = item.interval
        assert 100 * (high - low) / 2 <= 3
        assert item.games == item.asked <= result.plan.games == 1068
        alone = simulate(5, 5, item.mines, games=item.games)
        assert alone.tally == item.tally
        fewer = wilson(int(alone.won[:-64].sum()), item.games - 64)
        assert item.games == 1068 or 100 * (fewer.high - fewer.low) / 2 > 3, "a unit fewer is not enough"
    assert len({totals.games for totals in result}) > 1
    for name, how in (("two", {"threads": 2}), ("more", {"executor": Shuffled(1), "threads": 16})):
        assert sweep(**UNTIL, path=tmp_path / name, **how) == result
        assert sums(tmp_path / name) == sums(tmp_path / "one")


@pytest.mark.slow
def test_enough_is_the_same_after_an_interruption(tmp_path: Path, small_files: None) -> None:
    expected = sweep(**UNTIL, path=tmp_path / "one")
    for after in range(0, 200, 9):
        folder, death = tmp_path / f"run{after}", Death(after)
        with pytest.MonkeyPatch.context() as patch:
            death.install(patch)
            with suppress(Killed):
                sweep(**UNTIL, path=folder, threads=2)
        assert sweep(**UNTIL, path=folder, resume=True) == expected
        assert sums(folder) == sums(tmp_path / "one")


def test_few_units_are_played_in_vain() -> None:
    """Eight workers, and configurations that need 4 to 17 units: not many more than needed are handed out."""
    worker = Shuffled(5)
    result = sweep(**UNTIL, executor=worker, threads=8)
    needed = sum(-(-totals.games // 64) for totals in result)
    assert needed <= worker.played <= needed + 2 * 8 + 4 * len(result)


def test_games_are_a_limit_too() -> None:
    result = sweep(**UNTIL | {"games": 100})
    assert [totals.games for totals in result] == [100] * 4
    assert result.is_complete


# single games


def games_of(found: Sweep, index: int) -> dict[str, Any]:
    units_of = list(found.records(index))
    return {name: np.concatenate([unit[name] for unit in units_of]) for name in units_of[0]}


def test_records_of_games(tmp_path: Path) -> None:
    wish: dict[str, Any] = {"sizes": "6x6", "mines": 7, "games": 200, "unit": 64, "seed": 1}
    strategies = ["fast", "go"]
    result = sweep(**wish, strategy=strategies, first_click="any", per_game=True, path=tmp_path / "run")
    plain = sweep(**wish, strategy=strategies, first_click="any", path=tmp_path / "plain")
    assert result.results == plain.results, "records change no sum"
    for index, totals in enumerate(result):
        game = games_of(result, index)
        won, tally = game["won"], totals.tally
        assert game["game"].tolist() == list(range(200))
        assert won.sum() == totals.wins
        assert game["moves"][won].sum() == tally.moves
        assert (game["moves"] >= game["guesses"]).all()
        assert game["guesses"].sum() == tally.all_guesses
        assert game["guesses"][won].sum() == tally.guesses
        assert game["fallbacks"].sum() == tally.fallbacks
        assert game["bbbv"].tolist() == [measure(totals.layout(number), zini=False).bbbv for number in range(200)]
        for number, cell in enumerate(game["lost_cell"].tolist()):
            assert won[number] if cell < 0 else divmod(cell, 6) in totals.layout(number).mines
        table = result.calibration(index)
        if totals.weighed:
            assert (game["forced_guesses"] == game["guesses"] - 1).all()
            mean = math.exp(np.log(game["survived_odds"][won]).mean())
            assert totals.survived_odds == pytest.approx(mean)
            assert table.guesses.sum() == game["forced_guesses"].sum()
        else:
            assert (game["forced_guesses"] == -1).all()
            assert np.isnan(game["survived_odds"]).all()
            assert np.isnan(game["lost_odds"]).all()
            assert table.guesses.sum() == 0


Course = tuple[bool, int, list[float]]  # won, the cell opened last, and the odds of all guesses after the first click


def courses(layout: Layout, start: Cell) -> list[Course]:
    """Every way in which a game may go that opens what is certain, or else a cell with the least odds."""
    results: list[Course] = []
    begun, seen = Game(layout, first_click="any"), set()

    def go_on(game: Game, last: Cell, stated: list[float]) -> None:
        while not game.is_over and (safe := analyze(game.board).safe):
            game.open(*min(safe))
        if game.is_over:
            results.append((game.status == "won", last[0] * layout.columns + last[1], stated))
            return
        state = (game.board.codes, tuple(stated))
        if state in seen:
            return
        seen.add(state)
        odds = analyze(game.board).mine_probability
        least = np.nanmin(np.where(game.board.to_array() == COVERED, odds, np.nan))
        for cell in game.board.cells(COVERED):
            if odds[cell] <= least + 1e-12:
                ahead = deepcopy(game)
                ahead.open(*cell)
                go_on(ahead, cell, [*stated, float(least)])

    begun.open(*start)
    go_on(begun, start, [])
    return results


@pytest.mark.slow
@pytest.mark.parametrize("first_click", ["any", "safe"])
def test_games_go_as_they_may_go_in_python(tmp_path: Path, first_click: Any) -> None:
    """Each game is one of those that are played in Python; the calibration is that of their guesses."""
    result = sweep(
        "4x3x3", strategy="minesolver", games=30, seed=2, first_click=first_click, per_game=True, path=tmp_path
    )
    game, mines = games_of(result, 0), 0
    stated: list[float] = []
    first = 0.75 if first_click == "any" else 1.0
    for number in range(30):
        messages = [game[name][number] for name in ("won", "lost_cell", "forced_guesses", "survived_odds", "lost_odds")]
        fitting = set()
        for won, last, odds in courses(result[0].layout(number), result[0].start_cell(number)):
            odds_survived = [1 - odd for odd in odds[: len(odds) - (not won)]]
            survived = math.prod([first, *odds_survived]) if won or odds else 1.0
            lost = (-1, math.nan) if won else (last, odds[-1] if odds else math.nan)
            if messages == pytest.approx([won, lost[0], len(odds), survived, lost[1]], rel=1e-9, nan_ok=True):
                fitting.add(tuple(sorted(round(odd, 12) for odd in odds)))
        assert len(fitting) == 1, f"game {number} went as {'none' if not fitting else 'several'} may go: {messages}"
        stated += fitting.pop()
        mines += messages[2] > 0 and not messages[0]
    table = result.calibration(0)
    assert table.edges.tolist() == [odd / 100 for odd in range(101)]
    assert table.guesses.tolist() == np.histogram([odd + 1e-10 for odd in stated], bins=table.edges)[0].tolist()
    assert table.mines.sum() == mines > 5
    assert table.stated.sum() == pytest.approx(sum(stated), abs=len(stated) * 2**-32)


def test_calibration_needs_records(whole: Sweep) -> None:
    with pytest.raises(SweepError, match=r"The sweep has no records of games\. Run it with per_game=True"):
        whole.calibration(0)
    with pytest.raises(IndexError):
        whole.calibration(2)


@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["fast", "strong"])
def test_stated_odds_are_what_happens(tmp_path: Path, strategy: str) -> None:
    """Each guess is a mine with its own odds, given all that came before: so the deviations add up as for coins."""
    result = sweep("8x8x13", strategy=strategy, games=1500, per_game=True, path=tmp_path)
    table = result.calibration(0)
    many = table.guesses >= 40
    mean = table.stated[many] / table.guesses[many]
    deviation = np.sqrt(table.guesses[many] * mean * (1 - mean))
    assert (np.abs(table.mines[many] - table.stated[many]) < 4 * deviation).all()
    assert many.sum() > 15
    assert (
        (table.edges[:-1] * table.guesses - 1e-6 <= table.stated) & (table.stated <= table.edges[1:] * table.guesses)
    ).all()


def test_records_of_an_unfinished_run_are_those_of_its_sums(tmp_path: Path) -> None:
    unfinished(tmp_path)
    result = read_sweep(tmp_path)
    assert sum(len(unit["won"]) for unit in result.records(0)) == result[0].games > 0
    assert result.simulation(0).tally == result[0].tally
    assert list(result.records(1)) == []


def test_a_part_that_becomes_a_whole_file_while_it_is_looked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reader looks for the whole file first, then for the part: the run may finish it in between."""
    parts = tmp_path / "units"
    sweep("5x5x6", games=640, unit=64, path=tmp_path, threads=1, cancelled=lambda: any(parts.glob("*.part")))
    part, path = read_sweep(tmp_path), SweepStore.path
    assert 0 < part[0].games < 640

    def slow(store: SweepStore, place: tuple[int, int], *, part: bool = False) -> Path:
        if part:
            monkeypatch.setattr(SweepStore, "path", path)
            resume_sweep(tmp_path)
        return path(store, place, part=part)

    monkeypatch.setattr(SweepStore, "path", slow)
    assert sum(len(unit["won"]) for unit in part.records(0)) == part[0].games
    assert read_sweep(tmp_path).is_complete


def test_games_that_are_gone_are_missed(tmp_path: Path) -> None:
    result = sweep("5x5x6", games=640, unit=64, path=tmp_path)
    for file in (tmp_path / "units").iterdir():
        file.unlink()
    for read in (
        result.simulation,
        lambda number: list(result.records(number)),
        lambda number: result.compare(number, 0),
    ):
        with pytest.raises(SweepError, match=r"configuration 0: expected 640 games as in its sums, got 0$"):
            read(0)


def test_two_strategies_are_compared_on_the_same_games(tmp_path: Path) -> None:
    result = sweep("6x6x7", strategy=["fast", "go"], games=300, unit=128, path=tmp_path)
    assert result.compare(0, 1) == compare(result.simulation(0), result.simulation(1))
    assert result.compare(1, -2).games == 300
    other = sweep("6x6", mines=[7, 8], games=64, path=tmp_path / "other")
    with pytest.raises(ValueError, match="must have the same mines"):
        other.compare(0, 1)


def test_large_boards_have_wider_numbers_and_smaller_units() -> None:
    plan = plans.make_plan("200x200x100", None, "fast", "safe", "grid", None, None, None, 0, None, True)
    [each] = plan.configurations
    assert {column.type for column in each.columns} == {"<i4", "<f8"}
    assert each.unit == 64


# what is public


def test_a_sweep_is_a_sequence(whole: Sweep) -> None:
    assert (len(whole), whole[-1], list(whole)) == (2, whole.results[1], list(whole.results))
    assert repr(whole) == "<Sweep of 2 configurations: 600 games>"
    assert repr(whole[0]).startswith("<Totals of 5 × 5, 4 mines: fast won ")
    document = whole.as_json()
    assert document == {"schema": "mineproof/sweep/1", "configurations": [item.as_json() for item in whole]}
    json.dumps(document)


def test_half_a_sweep_says_so(tmp_path: Path) -> None:
    unfinished(tmp_path)
    result = read_sweep(tmp_path)
    assert not result.is_complete
    assert repr(result) == f"<Sweep of 2 configurations: {result[0].games:,} of 6,000 games>"
