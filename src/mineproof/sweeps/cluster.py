"""Play the units of a sweep on the workers of a Dask cluster (``dask.distributed``, the extra ``cluster``).

Program   Every worker must play exactly like the client. Before work starts, each worker reports the version of its
          mineproof and the signature of its play. Workers that join later report too. Each unit carries the expected
          signature, and every worker process compares it once, in less than a second. The scheduler does not need
          mineproof.
Losses    The scheduler gives the units of a lost worker to others, and gives up on a unit after several workers died of
          it. If the scheduler is lost, so are the units in flight: the client reconnects and submits them again. If
          nothing comes back for too long, the sweep ends with an error. A paused worker (Dask pauses workers that are
          short of memory) counts as missing.
Bytes     A unit is plain data, and its result is the bytes to store. Results come back through the scheduler, so the
          client needs no connection to the workers.

All communication with Dask runs in the event loop of one thread. The sweep waits for ordinary futures.
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
from mineproof.base.work import POLL, Stop
from mineproof.errors import MineproofError, SweepError
from mineproof.sweeps.plan import identity
from mineproof.sweeps.units import AHEAD, GAMES_STORED, Unit, play
from mineproof.version import VERSION

CONNECT_SECONDS = 5.0  # for one attempt to reach the scheduler
RECONNECT_SECONDS = 120.0  # to find a lost scheduler again
WORKER_SECONDS = 600.0  # to wait for a worker if there is none, or all are paused
WATCH_SECONDS = 0.5  # between two checks of the workers
IDENTITY_SECONDS = 60.0  # for a worker to report its identity
CLOSE_SECONDS = 5.0  # to close the connection
LOGGERS = ("asyncio", "distributed", "tornado")

Identity = dict[str, object]

_ADDRESS = re.compile(r"(?:(?:tcp|tls|ws|wss|ucx)://)?(?:[\w.-]+|\[[0-9a-fA-F:.]+\]):[0-9]{1,5}")


def require_address(cluster: object) -> str:
    """Return the address of a scheduler, or the name of a scheduler file; ValueError for anything else."""
    text: str = checks.instance("cluster", cluster, str, "such as 'tcp://host:8786'")
    with suppress(ValueError, OSError):  # not a valid file name
        if _ADDRESS.fullmatch(text) or Path(text).is_file():
            return text
    raise ValueError(f"cluster must be an address such as 'tcp://host:8786' or a scheduler file, got {text!r}")


def require_dask() -> None:
    """Raise SweepError if dask.distributed is not installed."""
    try:
        import distributed as distributed
    except ImportError as error:
        install = extras.install_advice("mineproof[cluster]")
        raise SweepError(f"A cluster needs dask.distributed ({error}): {install}") from None


# functions that run on a worker

_signing = threading.Lock()


def own_identity() -> Identity:
    """Return the version and the play signature of this process, computed once."""
    with _signing:
        return {"version": VERSION, **identity()}


async def report_identity() -> Identity:
    """Return the identity of a worker without blocking its event loop."""
    return await asyncio.to_thread(own_identity)


def play_unit(unit: Unit, expected: Identity) -> bytes | None:
    """Play a unit and return its record; SweepError if this worker is not the same program as the client."""
    actual = own_identity()
    if actual != expected:
        from distributed import get_worker

        raise SweepError(_identity_error(get_worker().address, actual, expected))
    try:
        return play(unit)
    except MineproofError:
        raise
    except Exception as error:
        message = f"{type(error).__name__}: {error}"
    raise RuntimeError(message)  # not the original error: it might not be picklable


class _PlayedWhenUnpickled:
    """A call of `play_unit` that runs when it is unpickled.

    A worker receives ``pickle.loads`` and bytes, so a worker without mineproof reports an error. If it received the
    call itself, it would crash because it could not unpickle the message.
    """

    def __init__(self, unit: Unit, expected: Identity) -> None:
        self._unit, self._expected = unit, expected

    def __reduce__(self) -> tuple[Callable[[Unit, Identity], bytes | None], tuple[Unit, Identity]]:
        return play_unit, (self._unit, self._expected)


# error messages about workers


def _identity_error(worker: str, actual: Identity | Exception, expected: Identity) -> str:
    """Return how a worker differs from the client."""
    if isinstance(actual, Exception) and "No module named 'mineproof'" in str(actual):  # Dask passes only the message
        return f"Worker {worker} does not have mineproof. Install mineproof {VERSION} there."
    if isinstance(actual, Exception):
        reason = f"{type(actual).__name__}: {actual}".removesuffix(": ")
        return f"Worker {worker} did not report its version: {reason}. It must run mineproof {VERSION}."
    if actual.get("version") != expected["version"]:
        version = actual.get("version")
        return f"Worker {worker} runs mineproof {version}, client runs {VERSION}. The versions must match."
    key = next(key for key in expected if actual.get(key) != expected[key])
    return f"Worker {worker} plays differently: its signature has {key} {actual.get(key)}, ours {expected[key]}."


class Cluster:
    """A connection to a scheduler for the duration of a sweep; `play` submits a unit.

    ``threads`` is the number of units that can be played at a time, as of the last check of the workers. ``waiting``
    says what the cluster is waiting for while no worker plays. Entering the context compares all workers with the
    client, unless ``stopped`` returns True before.
    """

    def __init__(self, cluster: str, stopped: Stop = bool) -> None:
        require_dask()
        self.threads, self.waiting = 0, ""
        self._cluster, self._stopped, self._address = cluster, stopped, cluster
        self._expected = own_identity()
        self._same: set[str] = set()  # workers with the expected identity
        self._client: Any = None  # while there is a connection
        self._last_active = 0.0  # when a worker was last seen playing
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
        self._thread.join(2 * CLOSE_SECONDS)

    @property
    def room(self) -> int:
        """Number of units that may be in flight: one waits for each one that is played."""
        return AHEAD * max(1, self.threads)

    def play(self, unit: Unit) -> Future[bytes | None]:
        """Submit a unit and return a future of its record; the future fails if the cluster is lost."""
        return asyncio.run_coroutine_threadsafe(self._play_unit(unit), self._loop)

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
        """Pass the failure of the connection to everything that waits for it."""
        if tending.cancelled():
            return
        self._failure = tending.exception()
        if not self._begun.done():
            self._begun.set_exception(self._failure)
        for task in self._flying:
            task.cancel()

    async def _play_unit(self, unit: Unit) -> bytes | None:
        task = asyncio.current_task()
        assert task is not None
        self._flying.add(task)
        try:
            while self._failure is None:
                if (client := self._client) is not None:
                    try:
                        return await self._submit(client, unit)
                    except _UnitLost:
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
            self._last_active = time.monotonic()  # a paused worker finishes its current unit
            return record
        except MineproofError:
            raise
        except CancelledError:  # not cancelled by the client: the scheduler is gone or was restarted
            raise _UnitLost from None
        except CommClosedError:  # the client has not noticed the lost connection yet
            raise _UnitLost from None
        except Exception:
            if client.status != "running":
                raise _UnitLost from None
            with suppress(OSError):
                await self._compare(client, await _threads(client))  # a different program may be the cause
            raise

    async def _tend(self) -> NoReturn:
        """Keep a connection open; SweepError if there is none, or if a worker runs another program."""
        client, patience = await self._reach(0), RECONNECT_SECONDS
        while True:
            try:
                self._client = client
                await self._watch(client)
            finally:
                self._client = None
                with suppress(OSError):
                    await asyncio.wait_for(client.close(), CLOSE_SECONDS)
            client = await self._reach(patience)

    async def _reach(self, patience: float) -> Any:
        """Return a client of the scheduler; try to connect for ``patience`` seconds."""
        began = time.monotonic()
        while True:
            try:
                return await self._connect()
            except (OSError, ImportError, ValueError) as error:
                if time.monotonic() - began >= patience:
                    message = f"No Dask scheduler at {self._address} ({_root_cause(error)})."
                    raise SweepError(f"{message} {GAMES_STORED}" if patience else message) from None
            self.waiting = f"the scheduler at {self._address}"
            await asyncio.sleep(WATCH_SECONDS)

    async def _connect(self) -> Any:
        import distributed

        self._address = _address_of(self._cluster)
        make: Any = distributed.Client
        client = make(
            self._address, asynchronous=True, set_as_default=False, timeout=CONNECT_SECONDS, name="mineproof-sweep"
        )
        try:
            return await client
        except BaseException:
            with suppress(OSError):
                await asyncio.wait_for(client.close(), CLOSE_SECONDS)
            raise

    async def _watch(self, client: Any) -> None:
        """Check the workers regularly until the connection is lost."""
        last_answer = self._last_active = time.monotonic()
        while client.status == "running":
            now = time.monotonic()
            try:
                workers = await _threads(client)
                last_answer = now
            except OSError:
                self.waiting = f"the scheduler at {self._address}"
                if now - last_answer > RECONNECT_SECONDS:
                    message = f"No answer from {self._address} for {RECONNECT_SECONDS:.0f} s."
                    raise SweepError(f"{message} {GAMES_STORED}") from None
                await asyncio.sleep(WATCH_SECONDS)
                continue
            await self._compare(client, workers)
            self.threads = sum(workers.values())
            self._wait_for_workers(workers, now)
            if not self._begun.done():
                self._begun.set_result(None)
            await asyncio.sleep(WATCH_SECONDS)

    def _wait_for_workers(self, workers: dict[str, int], now: float) -> None:
        """Set ``waiting`` while no worker plays; SweepError after too long."""
        if self.threads:
            self.waiting, self._last_active = "", now
            return
        paused = f" (paused: {len(workers):,})" if workers else ""
        self.waiting = f"workers of the scheduler at {self._address}{paused}"
        if now - self._last_active > WORKER_SECONDS:
            message = f"No active worker at {self._address} for {WORKER_SECONDS:.0f} s{paused}."
            raise SweepError(f"{message} {GAMES_STORED}")

    async def _compare(self, client: Any, workers: dict[str, int]) -> None:
        """Raise a SweepError that names a worker which runs another program; known workers are not checked again."""
        self._same &= workers.keys()
        new = sorted(workers.keys() - self._same)
        answers = dict(zip(new, await asyncio.gather(*(self._ask(client, worker) for worker in new)), strict=True))
        wrong = {worker: answer for worker, answer in answers.items() if answer not in (self._expected, None)}
        self._same |= {worker for worker, answer in answers.items() if answer == self._expected}
        if wrong:
            worker, answer = next(iter(wrong.items()))
            others = f" (and {plural(len(wrong) - 1, 'other worker')})" if len(wrong) > 1 else ""
            raise SweepError(_identity_error(worker, answer, self._expected) + others)

    async def _ask(self, client: Any, worker: str) -> Identity | Exception | None:
        """Return the identity of a worker; None if it did not answer; the next check retries."""
        try:
            answers = await asyncio.wait_for(
                client.run(report_identity, workers=[worker], on_error="return"), IDENTITY_SECONDS
            )
        except OSError as error:
            return error if isinstance(error, TimeoutError) and not self._begun.done() else None
        answer: Identity | Exception | None = answers.get(worker)
        return None if isinstance(answer, OSError) else answer


async def _threads(client: Any) -> dict[str, int]:
    """Return all workers with the number of units each can play at a time: 0 if it is paused or closing."""
    known = await asyncio.wait_for(client.scheduler.identity(), CONNECT_SECONDS)
    workers = known["workers"].items()
    return {worker: state["nthreads"] if state["status"] == "running" else 0 for worker, state in workers}


@contextmanager
def _silence() -> Iterator[None]:
    """Drop what Dask logs about lost connections in this thread; the sweep reports them itself."""
    here = threading.get_ident()

    def is_elsewhere(record: logging.LogRecord) -> bool:
        return record.thread != here

    loggers = [logging.getLogger(name) for name in list(logging.root.manager.loggerDict) if name.startswith(LOGGERS)]
    for logger in loggers:
        logger.addFilter(is_elsewhere)
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeFilter(is_elsewhere)


class _UnitLost(Exception):
    """A submitted unit is lost and must be submitted again."""


def _address_of(cluster: str) -> str:
    """Return the address, read from a scheduler file if necessary."""
    if _ADDRESS.fullmatch(cluster):
        return cluster
    try:
        return str(json.loads(Path(cluster).read_bytes())["address"])
    except (ValueError, LookupError, TypeError) as error:
        raise ValueError(f"{cluster}: {type(error).__name__}: {error}. It is not a scheduler file.") from None


def _root_cause(error: BaseException) -> str:
    """Return the first line of the root cause of an error: Dask raises timeouts, whose causes have the reason."""
    while error.__cause__ is not None:
        error = error.__cause__
    return str(error).partition("\n")[0] or type(error).__name__
