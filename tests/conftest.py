"""Settings, marks and fixtures of all tests."""

import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from support.postgres import Cluster, programs, running

# Slow examples are no failures: benchmarks measure time, on a quiet machine. All other settings are hypothesis'
# defaults, which draw the same examples every time if CI is set.
settings.register_profile("mineproof", parent=settings(), deadline=None, print_blob=True)
settings.load_profile("mineproof")

# `make check` leaves out thorough and slow tests. Those that try many boards, in one of these ways, are thorough.
THOROUGH = ("oracle", "parity", "property", "statistical")


@pytest.hookimpl(tryfirst=True)  # before -m chooses by the marks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if any(item.get_closest_marker(name) for name in THOROUGH):
            item.add_marker("thorough")
        called = getattr(item, "callspec", None)
        values = [value for value in called.params.values() if isinstance(value, str)] if called else []
        if "postgres" in getattr(item, "fixturenames", ()) or "postgresql" in values:
            item.add_marker("postgres")


def pytest_configure() -> None:
    # Some tests press Ctrl-C, but a shell without job control starts background programs with SIGINT ignored.
    if threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Cluster]:
    """A PostgreSQL for all tests of a process. Without PostgreSQL they are skipped; in CI they fail."""
    folder, missing = programs()
    if folder is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(missing)
    with running(folder) as cluster:
        yield cluster


@pytest.fixture(params=["sqlite", "postgresql"])
def history_at(request: pytest.FixtureRequest, tmp_path: Path) -> Path | str:
    """Where an empty history can be, once for each database."""
    if request.param == "sqlite":
        return tmp_path
    cluster: Cluster = request.getfixturevalue("postgres")
    return cluster.emptied()
