"""A server for all tests of a file."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from mineproof.history.postgresql import Address
from support.postgres import Cluster
from support.served import Client, serving


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("served")


@pytest.fixture(scope="module")
def client(data: Path) -> Iterator[Client]:
    with serving(data) as (found, _):
        yield found


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Path | Address:
    """Where a server may keep its games, once for each database."""
    if request.param == "sqlite":
        return tmp_path
    cluster: Cluster = request.getfixturevalue("postgres")
    return Address(cluster.emptied())
