"""Sweeps on a Dask cluster of real processes: the same bytes as here after any kill; nothing waits for ever."""

from __future__ import annotations

import asyncio
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from distributed import Client
from distributed.comm.core import CommClosedError

import mineproof as mp
from mineproof.errors import SweepError
from mineproof.sweeps import cluster as module
from mineproof.sweeps.scheduler import SweepProgress
from mineproof.sweeps.sweep_api import Sweep, read_sweep, resume_sweep, sweep
from support import texts
from support.command import mineproof
from support.dask import Dask
from support.engines import needs_kernel
from support.patience import PATIENCE
from support.process import at_a_terminal
from support.sweeps import sums

pytestmark = [needs_kernel, pytest.mark.slow]

WISH: dict[str, Any] = {"sizes": "9x9", "mines": [10, 20], "strategy": ["fast", "go"], "games": 3_200, "unit": 64}
OPTIONS = ("9x9", "--mines", "10,20", "--strategy", "fast,go", "--games", "3200", "--unit", "64")


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Sweep:
    """What is expected: the sweep of one thread of this process."""
    return sweep(**WISH, path=tmp_path_factory.mktemp("here"), threads=1)


@pytest.fixture(scope="module")
def dask(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Dask]:
    """A scheduler and four workers."""
    with Dask(tmp_path_factory.mktemp("dask")) as cluster:
        cluster.add_workers(4)
        yield cluster


@pytest.fixture(scope="module")
def only_scheduler(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Dask]:
    """It gives up on a unit when a single worker has died of it."""
    with Dask(tmp_path_factory.mktemp("dask"), DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES="0") as cluster:
        yield cluster


@pytest.fixture
def lonely(only_scheduler: Dask) -> Iterator[Dask]:
    """A scheduler without workers."""
    yield only_scheduler
    only_scheduler.kill_workers()


def files(found: Sweep) -> dict[str, str]:
    assert found.folder is not None
    return sums(found.folder)


class Once:
    """A ``progress`` that does something the first time that a condition holds."""

    def __init__(self, when: Callable[[SweepProgress], bool], do: Callable[[], object]) -> None:
        self._when, self._do = when, do
        self.then: SweepProgress | None = None  # how far it was

    def __call__(self, found: SweepProgress) -> None:
        if self.then is None and self._when(found):
            self.then = found
            self._do()


def has_begun(found: SweepProgress) -> bool:
    return found.games > 0


def waits_for_workers(found: SweepProgress) -> bool:
    return found.waiting.startswith("workers of the scheduler at tcp://127.0.0.1:")


def preload(folder: Path, text: str) -> list[str]:
    """Options of a worker that runs a script when it starts."""
    path = folder / "preloaded.py"
    path.write_text(text)
    return ["--preload", str(path)]


def test_results_and_errors_of_the_library_come_back(dask: Dask) -> None:
    board = mp.Board.parse("1#/##", total_mines=1)
    with Client(dask.address, set_as_default=False) as client:  # type: ignore[no-untyped-call]
        analysis = client.submit(mp.analyze, board).result(PATIENCE)
        assert (analysis, analysis.layouts) == (mp.analyze(board), 3)
        with pytest.raises(mp.BudgetExceeded) as over:
            client.submit(mp.analyze, mp.Board.parse("#2#2#/#####"), budget=mp.Budget(states=1)).result(PATIENCE)
        assert over.value.limit == "states"


# the same bytes


# Ends itself by SIGKILL once there are more games than before: however long anybody is held up, it cannot finish first.
DIES = f"""
import os, signal, sys
from pathlib import Path
from mineproof.sweeps.sweep_api import read_sweep, sweep

folder, cluster, before = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])

def cancelled():
    if (folder / "plan.json").is_file() and sum(each.games for each in read_sweep(folder)) > before:
        os.kill(os.getpid(), signal.SIGKILL)
    return False

sweep(**{WISH}, path=folder, resume=True, cluster=cluster, cancelled=cancelled)
"""


def test_one_thread_two_threads_four_workers_and_after_kills(dask: Dask, here: Sweep, tmp_path: Path) -> None:
    """A process that sweeps on the cluster is killed twice; then every file has the same checksum."""
    folder, games = tmp_path / "killed", 0
    for _ in range(2):
        command = [sys.executable, "-c", DIES, str(folder), dask.address, str(games)]
        done = subprocess.run(command, check=False, stderr=subprocess.PIPE, timeout=PATIENCE)
        assert done.returncode == -signal.SIGKILL, done.stderr.decode()
        before, games = games, sum(totals.games for totals in read_sweep(folder))
        assert before < games < 12_800
    ways: dict[str, dict[str, Any]] = {"two": {"threads": 2}, "four": {"cluster": dask.address}}
    for name, how in ways.items():
        assert sweep(**WISH, path=tmp_path / name, **how) == here
    assert resume_sweep(folder, cluster=str(dask.file)) == here, "by the file of the scheduler"
    assert files(here) == sums(tmp_path / "two") == sums(tmp_path / "four") == sums(folder)


def test_single_games_and_narrow_intervals(dask: Dask, tmp_path: Path) -> None:
    wish: dict[str, Any] = {"sizes": "5x5", "mines": [3, 5], "until": 2, "unit": 64, "per_game": True}
    result = sweep(**wish, path=tmp_path / "cluster", cluster=dask.address)
    assert result == sweep(**wish, path=tmp_path / "here", threads=1)
    assert sums(tmp_path / "cluster") == sums(tmp_path / "here")


def test_the_executor_of_a_client(dask: Dask, here: Sweep, tmp_path: Path) -> None:
    with Client(dask.address, set_as_default=False) as client:  # type: ignore[no-untyped-call]
        result = sweep(**WISH, path=tmp_path, executor=client.get_executor(pure=False))
    assert (result, sums(tmp_path)) == (here, files(here))


def test_a_bar_and_ctrl_c(dask: Dask, tmp_path: Path) -> None:
    shown = at_a_terminal(
        "sweep", *OPTIONS, "--games", "10000000", "-o", str(tmp_path / "run"), "--cluster", dask.address,
        columns=110, ctrl_c_after="/s ",
    )  # fmt: skip
    assert shown.status == 130, shown.text
    assert "/40000000 0/4 configurations" in shown.text
    assert "To continue, run: mineproof sweep -o" in " ".join(shown.text.split())
    assert read_sweep(tmp_path / "run")[0].games > 0


def test_workers_are_killed(dask: Dask, here: Sweep, tmp_path: Path) -> None:
    """Two of four, after the first games; the other tests of this module continue with two."""
    with Client(dask.address, set_as_default=False) as client:  # type: ignore[no-untyped-call]
        client.wait_for_workers(4, timeout=PATIENCE)
    killing = Once(has_begun, lambda: dask.kill_workers(2))
    result = sweep(**WISH, path=tmp_path, cluster=dask.address, progress=killing)
    assert killing.then is not None
    assert (result, sums(tmp_path)) == (here, files(here))


# the scheduler


def test_the_scheduler_is_killed_and_comes_back(lonely: Dask, here: Sweep, tmp_path: Path) -> None:
    """With other workers, too: those of the first end with it."""

    def anew() -> None:
        lonely.kill_scheduler()
        lonely.kill_workers()
        lonely.start()
        lonely.add_workers(1)

    lonely.add_workers(1)
    dying = Once(has_begun, anew)
    result = sweep(**WISH, path=tmp_path, cluster=lonely.address, progress=dying)
    assert dying.then is not None
    assert 0 < dying.then.games < 12_800
    assert (result, sums(tmp_path)) == (here, files(here))


def test_the_scheduler_is_gone_for_good(
    lonely: Dask, here: Sweep, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "RECONNECT_SECONDS", 3.0)  # longer than Dask takes to see that a connection is lost
    lonely.add_workers(1)

    def die() -> None:
        monkeypatch.setattr(module, "CONNECT_SECONDS", 0.5)
        lonely.kill_scheduler()

    dying = Once(has_begun, die)
    try:
        with pytest.raises(SweepError) as caught:
            sweep(**WISH, path=tmp_path, cluster=lonely.address, progress=dying)
    finally:
        lonely.start()
    words = str(caught.value)
    assert words.startswith(f"No Dask scheduler at {lonely.address} (")
    assert words.endswith("). Finished games are kept.")
    assert 0 < sum(totals.games for totals in read_sweep(tmp_path)) < 12_800
    assert resume_sweep(tmp_path) == here
    assert sums(tmp_path) == files(here)


def test_nobody_listens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CONNECT_SECONDS", 0.2)
    with pytest.raises(SweepError, match=r"^No Dask scheduler at tcp://127\.0\.0\.1:9 \(.*\)\.$"):
        sweep(**WISH, path=tmp_path / "run", cluster="tcp://127.0.0.1:9")
    assert not (tmp_path / "run").exists(), "nothing is begun"


# workers that are not there, or not ours


def test_no_workers(lonely: Dask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "WORKER_SECONDS", 0.2)
    seen: list[SweepProgress] = []
    with pytest.raises(SweepError, match=r"^No active worker at tcp:.*\d for 0 s\. Finished games"):
        sweep(**WISH, path=tmp_path, cluster=lonely.address, progress=seen.append)
    assert any(waits_for_workers(item) for item in seen)


def test_workers_that_are_paused(lonely: Dask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Dask pauses one that is short of memory: it is listed, and plays nothing."""

    def pause(dask_worker: Any) -> None:
        from distributed.core import Status

        dask_worker.status = Status.paused

    def statuses(client: Any) -> set[str]:
        return {value["status"] for value in client.scheduler_info()["workers"].values()}

    monkeypatch.setattr(module, "WORKER_SECONDS", 0.2)
    lonely.add_workers(1, "--memory-limit", "0")
    with Client(lonely.address, set_as_default=False) as client:  # type: ignore[no-untyped-call]
        client.wait_for_workers(1, timeout=PATIENCE)
        client.run(pause)
        wait_until(lambda: statuses(client) == {"paused"})
    seen: list[SweepProgress] = []
    words = r"^No active worker at tcp:.*\d for 0 s \(paused: 1\)\. Finished games"
    with pytest.raises(SweepError, match=words):
        sweep(**WISH, path=tmp_path, cluster=lonely.address, progress=seen.append)
    assert any(value.waiting.endswith(" (paused: 1)") for value in seen)


def wait_until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_a_scheduler_that_is_silent_when_a_unit_has_failed(here: Sweep, monkeypatch: pytest.MonkeyPatch) -> None:
    """The list of workers is requested with a time limit; the error of the unit is reported without it."""

    class Silent:
        status = "running"

        async def submit(self, *_: object, **__: object) -> bytes:
            raise RuntimeError("of a unit")

        @property
        def scheduler(self) -> Any:
            return self

        async def identity(self) -> None:
            await asyncio.sleep(3600)

        nthreads = identity

    monkeypatch.setattr(module, "CONNECT_SECONDS", 0.05)
    cluster = module.Cluster("tcp://127.0.0.1:9")
    cluster._loop.close()  # of a thread that is not started here
    asked = cluster._submit(Silent(), here.plan.configurations[0].task(0))
    with pytest.raises(RuntimeError, match=r"^of a unit$"):
        asyncio.run(asyncio.wait_for(asked, 30))


def test_a_connection_that_is_lost_when_a_unit_comes_back(here: Sweep) -> None:
    """The client does not know of it yet: the unit is handed out again, and is no failure of a worker."""

    class Unaware:
        status = "running"

        async def submit(self, *_: object, **__: object) -> bytes:
            raise CommClosedError("Stream is closed")

    cluster = module.Cluster("tcp://127.0.0.1:9")
    cluster._loop.close()  # of a thread that is not started here
    with pytest.raises(module._UnitLost):
        asyncio.run(cluster._submit(Unaware(), here.plan.configurations[0].task(0)))


def test_ctrl_c_while_there_are_no_workers(lonely: Dask) -> None:
    shown = at_a_terminal("sweep", *OPTIONS, "--cluster", lonely.address, columns=120, ctrl_c_after="waiting for work")
    assert shown.status == 130, shown.text
    assert texts.text("cli-interrupted-early") in shown.text


OTHERS = {
    "does not have mineproof": (
        "import sys\n"
        "class Gone:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'mineproof':\n"
        "            raise ModuleNotFoundError(f'No module named {name!r}', name=name)\n"
        "sys.meta_path.insert(0, Gone())\n"
    ),
    "runs mineproof 0.0.9, client runs": "from mineproof.sweeps import cluster; cluster.VERSION = '0.0.9'",
    "plays differently: its signature has decisions 0123, ours": (
        "from mineproof.sweeps import cluster\n"
        "found = cluster.identity()\n"
        "cluster.identity = lambda: found | {'decisions': '0123'}\n"
    ),
}


@pytest.mark.parametrize("words", OTHERS)
def test_a_worker_with_another_program(lonely: Dask, tmp_path: Path, words: str) -> None:
    """It joins while no worker plays, and the waiting sweep ends; it is there before, and no unit starts."""
    options = preload(tmp_path, OTHERS[words])
    joining = Once(waits_for_workers, lambda: lonely.add_workers(1, *options))
    for progress, name in ((joining, "late"), (None, "early")):
        with pytest.raises(SweepError, match=rf"^Worker tcp://127\.0\.0\.1:\d+ {words}") as caught:
            sweep(**WISH, path=tmp_path / name, cluster=lonely.address, progress=progress)
        assert "and" not in str(caught.value)
    assert joining.then is not None
    assert [path.name for path in tmp_path.iterdir() if path.is_dir()] == ["late"]
    assert sum(totals.games for totals in read_sweep(tmp_path / "late")) == 0


def test_a_unit_that_kills_its_worker(lonely: Dask, here: Sweep, tmp_path: Path) -> None:
    deadly = (
        "import os\n"
        "from mineproof.sweeps import cluster\n"
        "from mineproof.sweeps.units import play\n"
        "cluster.play = lambda unit: os._exit(1) if unit.numbers.start == 640 else play(unit)\n"
    )
    lonely.add_workers(1, *preload(tmp_path, deadly))
    with Client(lonely.address, set_as_default=False) as client:  # type: ignore[no-untyped-call]
        client.wait_for_workers(1, timeout=PATIENCE)
    with pytest.raises(SweepError) as caught:
        sweep(**WISH, path=tmp_path / "run", cluster=lonely.address)
    words = str(caught.value)
    assert words.startswith("A worker failed on games ")
    assert " of configuration 0: KilledWorker: " in words
    assert words.endswith(" Finished games are kept.")
    assert resume_sweep(tmp_path / "run") == here
    assert sums(tmp_path / "run") == files(here)


def test_an_error_comes_back_in_words(here: Sweep, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that a worker cannot pickle would never come: the scheduler would believe that the unit is being played."""

    def broken(_: object) -> None:
        raise RecursionError(lambda: "cannot be pickled")

    monkeypatch.setattr(module, "play", broken)
    with pytest.raises(RuntimeError, match=r"^RecursionError: <function ") as caught:
        module.play_unit(here.plan.configurations[0].task(0), module.own_identity())
    assert pickle.loads(pickle.dumps(caught.value)).args == caught.value.args


# options


@pytest.mark.parametrize(
    "cluster", ["", " ", "localhost", "tcp://host", "http://host:80", "tcp://host:8786/x", "\0", "/"]
)
def test_what_is_no_address(cluster: str) -> None:
    with pytest.raises(ValueError, match=r"cluster must be an address such as 'tcp://host:8786' or a scheduler file"):
        sweep(**WISH, cluster=cluster)


def test_a_file_of_something_else(tmp_path: Path) -> None:
    path = tmp_path / "letter.json"
    for text in ("", "{}", "[1]", "\xff"):
        path.write_text(text, "latin-1")
        with pytest.raises(SweepError, match=r"letter\.json: .*\. It is not a scheduler file"):
            sweep(**WISH, cluster=str(path))


@pytest.mark.parametrize(("name", "value"), [("threads", 2), ("executor", module)])
def test_one_who_plays(name: str, value: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "submit", print, raising=False)
    with pytest.raises(ValueError, match=f"cluster and {name} exclude each other"):
        sweep(**WISH, cluster="tcp://127.0.0.1:9", **{name: value})


def test_bad_usage_of_the_command() -> None:
    for options, words in (
        (["tcp://host:1", "--threads", "2"], "cluster and threads exclude each other"),
        (["host"], "an address"),
    ):
        done = mineproof("sweep", "5x5x4", "--cluster", *options)
        assert (done.status, done.out) == (2, b"")
        assert words in " ".join(done.err.split())


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(
        SweepError, match=r"A cluster needs dask\.distributed \(.*\): pip install 'mineproof\[cluster\]'"
    ):
        sweep(**WISH, cluster="tcp://127.0.0.1:9")
