"""Jobs in threads and processes: results in order, and everything stops together."""

import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import closing
from functools import partial

import pytest

from mineproof.base import threads as runtime
from mineproof.base.work import JOBS_AHEAD, Crew, Job, Stop, in_order
from support.jobs import number, wait_for_stop
from support.patience import PATIENCE


def fail(_: Stop) -> int:
    raise ValueError("this job fails")


@pytest.mark.parametrize("processes", [False, True])
def test_results_come_in_the_order_of_the_jobs(processes: bool) -> None:
    jobs = (partial(number, value) for value in range(40))
    assert list(in_order(jobs, 2, processes=processes)) == list(range(40))


def test_a_job_that_ends_first_waits_for_its_turn() -> None:
    is_second_done = threading.Event()

    def first(_: Stop) -> str:
        assert is_second_done.wait(PATIENCE)
        return "first"

    def second(_: Stop) -> str:
        is_second_done.set()
        return "second"

    assert list(in_order([first, second], 2)) == ["first", "second"]


def test_jobs_are_begun_only_a_few_ahead() -> None:
    begun = 0

    def jobs() -> Iterator[Job[int]]:
        nonlocal begun
        for value in range(1000):
            begun += 1
            yield partial(number, value)

    with closing(in_order(jobs(), 2)) as results:
        assert next(results) == 0
        assert begun <= 2 * JOBS_AHEAD + 1


def test_none_awaits_a_result_instead_of_the_next_job() -> None:
    seen: list[int] = []

    def jobs() -> Iterator[Job[int] | None]:
        for value in range(3):
            yield partial(number, value)
            yield None
            assert seen == list(range(value + 1)), "the result before the next job"
        yield None  # nothing is under way

    with closing(in_order(jobs(), 2)) as results:
        for result in results:
            seen.append(result)  # noqa: PERF402 (jobs look at it)
    assert seen == [0, 1, 2]


def test_the_results_before_an_error_come_first() -> None:
    jobs: list[Job[int]] = [partial(number, 0), partial(number, 1), fail, partial(number, 3)]
    results = in_order(jobs, 2)
    assert [next(results), next(results)] == [0, 1]
    with pytest.raises(ValueError, match="this job fails"):
        next(results)


@pytest.mark.parametrize("processes", [False, True])
def test_cancelled_jobs_are_told_to_stop_and_waiting_ones_are_dropped(processes: bool) -> None:
    asked: list[None] = []

    def cancelled() -> bool:
        asked.append(None)
        return len(asked) > 1

    results = list(in_order([wait_for_stop] * 100, 1, processes=processes, cancelled=cancelled))
    assert 1 <= len(results) <= JOBS_AHEAD
    assert all(results)


def test_nothing_is_begun_if_it_is_cancelled_before() -> None:
    assert list(in_order([fail], 1, cancelled=lambda: True)) == []


def test_cancelled_may_raise_an_error() -> None:
    def cancelled() -> bool:
        raise ValueError("enough")

    with pytest.raises(ValueError, match="enough"):
        list(in_order([wait_for_stop], 1, cancelled=cancelled))


def test_closing_the_results_stops_the_jobs() -> None:
    begun, stopped = threading.Event(), threading.Event()

    def second(stop: Stop) -> int:
        begun.set()
        wait_for_stop(stop)
        stopped.set()
        return 1

    jobs: list[Job[int]] = [partial(number, 0), second]
    with closing(in_order(jobs, 2)) as results:
        assert next(results) == 0
        assert begun.wait(PATIENCE)
    assert stopped.is_set()


def test_a_crew_that_is_closed_by_an_error_stops_its_jobs() -> None:
    def interrupt(crew: Crew) -> None:
        with crew:
            running.append(crew.submit(wait_for_stop))
            raise KeyboardInterrupt

    running: list[Future[bool]] = []
    with pytest.raises(KeyboardInterrupt):
        interrupt(Crew(1))
    assert running[0].done()


def test_without_threads_jobs_run_where_results_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runtime, "HAS_THREADS", False)

    def where(_: Stop) -> threading.Thread:
        return threading.current_thread()

    assert list(in_order([where, None, where], 2)) == [threading.current_thread()] * 2
    assert list(in_order([fail], 2, cancelled=lambda: True)) == []
