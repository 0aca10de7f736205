"""A server for all tests of a file."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from support.served import Client, serving


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("served")


@pytest.fixture(scope="module")
def client(data: Path) -> Iterator[Client]:
    with serving(data) as (found, _):
        yield found
