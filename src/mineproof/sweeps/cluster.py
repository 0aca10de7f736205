"""Playing the units of a sweep on the workers of a Dask cluster (``dask.distributed``, the extra ``cluster``).

Program   Every worker must play as we do: before work starts each tells the version of its mineproof and the signature
          of its play. Workers that join later are asked too, and each unit carries ours, so that no worker plays one
          without having compared: once for each process, in less than a second. The scheduler needs no mineproof.
Losses    Units of a worker that is gone are given to others by the scheduler, which gives up on a unit after several
          workers have died of it. If the scheduler is gone, the units in flight are: we look for it again, and hand
          them out again. Where nobody comes back for long enough the sweep ends with an error; nothing waits for ever.
          A worker that is paused, as Dask does with one that is short of memory, counts as one that is not there.
Bytes     A unit is plain data, its answer the bytes that are kept. They come back through the scheduler, so that
          whoever asks needs no connection to the workers.

All that talks to Dask runs in the event loop of one thread; the sweep itself waits for plain futures.
"""

from __future__ import annotations

import asyncio
import json
import logging
import pickle
import re
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future, wait
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NoReturn, Self

from mineproof.base import checks, extras
from mineproof.base.words import plural
from mineproof.errors import MineproofError, SweepError
from mineproof.simulation.spreading import POLL, Stop
from mineproof.sweeps.plan import identity
from mineproof.sweeps.units import AHEAD, KEPT, Unit, play
from mineproof.version import VERSION

CONNECT = 5.0  # seconds for one attempt to reach the scheduler
LOST = 120.0  # seconds to look for a scheduler that was there before
NOBODY = 600.0  # seconds to wait for a first worker, or for one where all are gone or paused
LOOK = 0.5  # seconds between two looks at who is there
ANSWER = 60.0  # seconds for a worker to tell of itself
END = 5.0  # seconds to say goodbye
LOGGERS = ("asyncio", "distributed", "tornado")

Identity = dict[str, object]

_ADDRESS = re.compile(r"(?:(?:tcp|tls|ws|wss|ucx)://)?(?:[\w.-]+|\[[0-9a-fA-F:.]+\]):[0-9]{1,5}")


def require_address(cluster: object) -> str:
    """The address of a scheduler, or the name of the file in which it has written it; ValueError for anything else."""
    text: str = checks.instance("cluster", cluster, str, "such as 'tcp://host:8786'")
    with suppress(ValueError, OSError):  # no name of a file
        if _ADDRESS.fullmatch(text) or Path(text).is_file():
            return text
    raise ValueError(f"found cluster={text!r}, expected an address such as 'tcp://host:8786', or a scheduler file")


def require_dask() -> None:
    try:
        import distributed as distributed
    except ImportError as error:
        wanted = extras.wanted("mineproof[cluster]")
        raise SweepError(f"a cluster needs dask.distributed ({error}): {wanted}") from None


# what a worker does

_signing = threading.Lock()


def own_identity() -> Identity:
    """The version and the signature of play of this process, which are found once."""
    with _signing:
        return {"version": VERSION, **identity()}


async def tell_identity() -> Identity:
    """The same as a worker answers it, beside its other work."""
    return await asyncio.to_thread(own_identity)


def play_unit(unit: Unit, expected: Identity) -> bytes | None:
    """The record of a unit, by a worker that plays as whoever asks."""
    found = own_identity()
    if found != expected:
        from distributed import get_worker

        raise SweepError(_difference(get_worker().address, found, expected))
    try:
        return play(unit)
    except MineproofError:
        raise
    except Exception as error:
        words = f"{type(error).__name__}: {error}"
    raise RuntimeError(words)  # without the error itself: one that cannot be pickled would never arrive


class _PlayedWhenUnpickled:
    """A call of `play_unit` that happens when it is unpickled.

    A worker is handed ``pickle.loads`` and bytes: one without mineproof reports an error. Handed the call itself it
    would end, with all it has, because it could not read the message.
    """

    def __init__(self, unit: Unit, expected: Identity) -> None:
        self._unit, self._expected = unit, expected

    def __reduce__(self) -> tuple[Callable[[Unit, Identity], bytes | None], tuple[Unit, Identity]]:
        return play_unit, (self._unit, self._expected)


# what is said of workers


def _difference(worker: str, found: Identity | Exception, expected: Identity) -> str:
    """In which way a worker is another program."""
    if isinstance(found, Exception) and "No module named 'mineproof'" in str(found):  # Dask passes on words alone
        return f"worker {worker}: found no mineproof, expected {VERSION} as here: it must be installed there"
    if isinstance(found, Exception):
        told = f"{type(found).__name__}: {found}".removesuffix(": ")
        return f"worker {worker}: found {told}, expected it to tell of its mineproof, {VERSION} as here"
    if found.get("version") != expected["version"]:
        return f"worker {worker}: found mineproof {found.get('version')}, expected {expected['version']} as here"
    key = next(key for key in expected if found.get(key) != expected[key])
    return f"worker {worker}: found {key} {found.get(key)} in its signature, expected {expected[key]} as here"


class Cluster:
    """A connection to a scheduler, for as long as a sweep takes; `play` hands out a unit.

    ``threads`` is how many units can be played at a time, as the workers were when last looked at; ``waiting`` says
    what is waited for while nobody plays. Once entered, all workers that are there have been compared with us, unless
    ``stopped`` said to go on without.
    """

    def __init__(self, cluster: str, stopped: Stop = bool) -> None:
        require_dask()
        self.threads, self.waiting = 0, ""
        self._cluster, self._stopped, self._address = cluster, stopped, cluster
        self._expected = own_identity()
        self._same: set[str] = set()  # workers that play as we do
        self._client: Any = None  # while there is a connection
        self._met = 0.0  # when somebody who plays was last seen
        self._flying: set[asyncio.Task[Any]] = set()
        self._failure: BaseException | None = None
        self._begun: Future[None] = Future()
        self._ended = asyncio.Event()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._work, name="mineproof-cluster", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        try:
            while not self._stopped() and wait([self._begun], timeout=POLL).not_done:
                pass
            if self._begun.done():
                self._begun.result()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._ended.set)
        self._thread.join(2 * END)

    @property
    def room(self) -> int:
        """How many units may be in flight: for each that is played one to begin with at once."""
        return AHEAD * max(1, self.threads)

    def play(self, unit: Unit) -> Future[bytes | None]:
        """The record of a unit, once there is one; the error of the future if the cluster cannot be used any more."""
        return asyncio.run_coroutine_threadsafe(self._play(unit), self._loop)

    # in the thread of the loop

    def _work(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner, _silence():
            runner.run(self._serve())

    async def _serve(self) -> None:
        tending = asyncio.create_task(self._tend())
        tending.add_done_callback(self._fail)
        await self._ended.wait()
        tending.cancel()
        await asyncio.wait([tending])

    def _fail(self, tending: asyncio.Task[NoReturn]) -> None:
        """The cluster cannot be used any more: tell everybody who waits."""
        if tending.cancelled():
            return
        self._failure = tending.exception()
        if not self._begun.done():
            self._begun.set_exception(self._failure)
        for task in self._flying:
            task.cancel()

    async def _play(self, unit: Unit) -> bytes | None:
        task = asyncio.current_task()
        assert task is not None
        self._flying.add(task)
        try:
            while self._failure is None:
                if (client := self._client) is not None:
                    try:
                        return await self._submit(client, unit)
                    except _Lost:
                        pass
                await asyncio.sleep(POLL)
        except asyncio.CancelledError:
            if self._failure is None:
                raise
        finally:
            self._flying.discard(task)
        assert self._failure is not None
        raise self._failure

    async def _submit(self, client: Any, unit: Unit) -> bytes | None:
        from distributed.comm.core import CommClosedError

        try:
            task = pickle.dumps(_PlayedWhenUnpickled(unit, self._expected))
            record: bytes | None = await client.submit(pickle.loads, task, key=f"play_unit-{uuid.uuid4().hex}")
            self._met = time.monotonic()  # a worker that is paused ends what it has begun
            return record
        except MineproofError:
            raise
        except CancelledError:  # not by us: the scheduler is gone, or was told to begin anew
            raise _Lost from None
        except CommClosedError:  # on the way back, before the client has seen that the connection is lost
            raise _Lost from None
        except Exception:
            if client.status != "running":
                raise _Lost from None
            with suppress(OSError):
                await self._compare(client, await _threads(client))  # another program may be why it failed
            raise

    async def _tend(self) -> NoReturn:
        """Keep a connection; SweepError if there is none, or if a worker is another program."""
        client, patience = await self._reach(0), LOST
        while True:
            try:
                self._client = client
                await self._watch(client)
            finally:
                self._client = None
                with suppress(OSError):
                    await asyncio.wait_for(client.close(), END)
            client = await self._reach(patience)

    async def _reach(self, patience: float) -> Any:
        """A client of the scheduler, which is looked for that many seconds."""
        began = time.monotonic()
        while True:
            try:
                return await self._connect()
            except (OSError, ImportError, ValueError) as error:
                if time.monotonic() - began >= patience:
                    words = f"found nobody at {self._address} ({_reason(error)}), expected a Dask scheduler"
                    raise SweepError(f"{words}; {KEPT}" if patience else words) from None
            self.waiting = f"the scheduler at {self._address}"
            await asyncio.sleep(LOOK)

    async def _connect(self) -> Any:
        import distributed

        self._address = _address_of(self._cluster)
        make: Any = distributed.Client
        client = make(self._address, asynchronous=True, set_as_default=False, timeout=CONNECT, name="mineproof-sweep")
        try:
            return await client
        except BaseException:
            with suppress(OSError):
                await asyncio.wait_for(client.close(), END)
            raise

    async def _watch(self, client: Any) -> None:
        """Look at who is there until the connection is lost."""
        heard = self._met = time.monotonic()
        while client.status == "running":
            now = time.monotonic()
            try:
                found = await _threads(client)
                heard = now
            except OSError:
                self.waiting = f"the scheduler at {self._address}"
                if now - heard > LOST:
                    raise SweepError(
                        f"found no answer from {self._address} for {LOST:.0f} s, expected its workers; {KEPT}"
                    ) from None
                await asyncio.sleep(LOOK)
                continue
            await self._compare(client, found)
            self.threads = sum(found.values())
            self._wait_for_workers(found, now)
            if not self._begun.done():
                self._begun.set_result(None)
            await asyncio.sleep(LOOK)

    def _wait_for_workers(self, found: dict[str, int], now: float) -> None:
        """Say what is waited for while nobody plays; SweepError after too long."""
        if self.threads:
            self.waiting, self._met = "", now
            return
        paused = f", where {plural(len(found), 'worker')} {'is' if len(found) == 1 else 'are'} paused" if found else ""
        self.waiting = f"workers of the scheduler at {self._address}{paused}"
        if now - self._met > NOBODY:
            words = f"found no worker that plays at {self._address}{paused}, for {NOBODY:.0f} s, expected one or more"
            raise SweepError(f"{words}; {KEPT}")

    async def _compare(self, client: Any, found: dict[str, int]) -> None:
        """SweepError that names a worker which is another program; of those that were not asked before."""
        self._same &= found.keys()
        new = sorted(found.keys() - self._same)
        told = await asyncio.gather(*(self._ask(client, worker) for worker in new))
        wrong = {worker: each for worker, each in zip(new, told, strict=True) if each not in (self._expected, None)}
        self._same |= {worker for worker, each in zip(new, told, strict=True) if each == self._expected}
        if wrong:
            worker, answer = next(iter(wrong.items()))
            others = f" (and {plural(len(wrong) - 1, 'other worker')})" if len(wrong) > 1 else ""
            raise SweepError(_difference(worker, answer, self._expected) + others)

    async def _ask(self, client: Any, worker: str) -> Identity | Exception | None:
        """What a worker tells of itself; None if it is gone, and is to be asked again if it is not."""
        try:
            told = await asyncio.wait_for(client.run(tell_identity, workers=[worker], on_error="return"), ANSWER)
        except OSError as error:
            return error if isinstance(error, TimeoutError) and not self._begun.done() else None
        answer: Identity | Exception | None = told.get(worker)
        return None if isinstance(answer, OSError) else answer


async def _threads(client: Any) -> dict[str, int]:
    """All workers, and how many units each can play at a time: none where it is paused, or about to end."""
    known = await asyncio.wait_for(client.scheduler.identity(), CONNECT)
    return {worker: each["nthreads"] if each["status"] == "running" else 0 for worker, each in known["workers"].items()}


@contextmanager
def _silence() -> Iterator[None]:
    """What Dask logs of lost connections in this thread is told by the sweep itself, in words of its own."""
    here = threading.get_ident()

    def is_elsewhere(record: logging.LogRecord) -> bool:
        return record.thread != here

    loggers = [logging.getLogger(name) for name in list(logging.root.manager.loggerDict) if name.startswith(LOGGERS)]
    for each in loggers:
        each.addFilter(is_elsewhere)
    try:
        yield
    finally:
        for each in loggers:
            each.removeFilter(is_elsewhere)


class _Lost(Exception):
    """A unit that nobody plays any more."""


def _address_of(cluster: str) -> str:
    """The address as it is, or as the scheduler last wrote it to a file."""
    if _ADDRESS.fullmatch(cluster):
        return cluster
    try:
        return str(json.loads(Path(cluster).read_bytes())["address"])
    except (ValueError, LookupError, TypeError) as error:
        raise ValueError(f"{cluster}: {type(error).__name__}: {error}, expected a scheduler file") from None


def _reason(error: BaseException) -> str:
    """The first line of what an error came of: Dask tells that time was up, its cause why."""
    while error.__cause__ is not None:
        error = error.__cause__
    return str(error).partition("\n")[0] or type(error).__name__
