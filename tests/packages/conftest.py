"""What tests of the packages share."""

import os
from pathlib import Path

import pytest

from support.installing import IN_TREE, ROOT, build, made_once


@pytest.fixture(scope="session")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sdist and the wheel: those of `make wheel`, or built now."""
    if "MINEPROOF_DIST" in os.environ:
        return ROOT / os.environ["MINEPROOF_DIST"]

    def make(folder: Path) -> None:
        build(folder, "--config-setting=cmake.define.MINEPROOF_REQUIRE_KERNEL=ON", **IN_TREE)

    return made_once("dist", make, tmp_path_factory)
