"""A strategy is one row of the kernel's table, or one entry point of a package: every list is made from these."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from mineproof.cli.completion import _strategies as completed_strategies
from mineproof.decision.custom import strategies_json
from mineproof.decision.strategy_table import Strategy, deciding
from mineproof.engine.default import default_engine
from mineproof.wording.catalogue import load_catalogue
from support.command import mineproof
from support.engines import KERNEL, needs_kernel
from support.packages import install

pytestmark = needs_kernel

MODULE = """
def choose(board, analysis):
    return min(board.cells(-1), key=lambda cell: analysis.mine_probability[cell])
"""
# What a user sees of the strategies, from a process that has the package.
REPORT = """
import json
import mineproof as mp
from mineproof.cli.completion import _strategies
from mineproof.web.routes import strategies_json

print(json.dumps({
    "api": strategies_json()["strategies"],
    "completion": list(_strategies("")),
    "strategy": mp.simulate("6x6x6", games=5, strategy="newcomer").strategy,
}))
"""


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a process in which a package with a strategy is installed."""
    folder = tmp_path_factory.mktemp("package")
    install(folder, "new-strategies", {"newcomer": "new_strategies:choose"})
    (folder / "new_strategies.py").write_text(MODULE, "utf-8")
    return os.environ | {"PYTHONPATH": str(folder), "COLUMNS": "300"}


def run(environment: Mapping[str, str], *arguments: str) -> str:
    done = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_strategy_of_a_package_is_in_every_list(environment: dict[str, str]) -> None:
    report = json.loads(run(environment, "-c", REPORT))
    assert {"name": "newcomer", "package": "new-strategies"}.items() <= report["api"][-1].items()
    assert "new-strategies" in report["api"][-1]["text"]
    assert "newcomer" in report["completion"]
    assert report["strategy"] == "newcomer"


@pytest.mark.parametrize("command", ["simulate", "sweep"])
def test_a_strategy_of_a_package_is_in_the_help(command: str, environment: dict[str, str]) -> None:
    words = " ".join(run(environment, "-m", "mineproof", command, "--help").split())
    assert "go, newcomer, one of an installed package" in words


@pytest.fixture
def new_row(monkeypatch: pytest.MonkeyPatch) -> None:
    """One more row of the kernel's table, and its message."""
    row = Strategy("newcomer", decides=True, weighs=True, looks_ahead=False, layouts=0)
    monkeypatch.setattr(type(default_engine()), "strategies", (*KERNEL.strategies, row))
    monkeypatch.setitem(load_catalogue("en").texts, "strategy-newcomer", ("Opens what is new.",))


@pytest.mark.usefixtures("new_row")
@pytest.mark.parametrize("command", ["simulate", "sweep", "best"])
def test_a_row_of_the_table_is_in_the_help(command: str) -> None:
    words = " ".join(mineproof(command, "--help", columns=300).text.split())
    assert re.search(r"(go|minesolver), newcomer", words)


@pytest.mark.usefixtures("new_row")
def test_a_row_of_the_table_is_in_the_api_and_in_completion() -> None:
    row = {"name": "newcomer", "package": None, "text": "Opens what is new."}
    assert row in strategies_json()["strategies"]
    assert "newcomer" in completed_strategies("")


@pytest.mark.usefixtures("new_row")
@pytest.mark.parametrize("page", ["simulate.md", "best.md"])
def test_a_row_that_the_documents_lack_is_noticed(page: str, root: Path) -> None:
    assert missing_rows(root / "docs" / page, deciding()) == ["newcomer"]


@pytest.mark.parametrize("page", ["simulate.md", "best.md"])
def test_the_tables_of_the_documents_have_every_strategy(page: str, root: Path) -> None:
    names = [strategy.name for strategy in KERNEL.strategies] if page == "simulate.md" else deciding(KERNEL)
    assert missing_rows(root / "docs" / page, names) == []


def missing_rows(page: Path, names: list[str]) -> list[str]:
    """Strategies that no row of a table begins with."""
    first_cells = re.findall(r"^\| ([^|]*) \|", page.read_text("utf-8"), re.MULTILINE)
    rows = {name for cell in first_cells for name in re.findall(r"`(\w+)`", cell)}
    return [name for name in names if name not in rows]
