"""A tiny package with strategies, as pip leaves it in a folder of installed packages."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from mineproof.decision.custom import GROUP

MODULE = """
import mineproof as mp

def careful(board, analysis):
    cells = board.cells(mp.COVERED)
    return min(cells, key=lambda cell: analysis.mine_probability[cell])

class Turns:
    def __init__(self, seed):
        self.seed = seed
    def __call__(self, board):
        covered = list(board.cells(mp.COVERED))
        return covered[self.seed % len(covered)]

class Many:
    def choose_many(self, boards, analyses):
        odds = analyses.mine_probability.copy()
        odds[boards != mp.COVERED] = 2
        return [divmod(int(each.argmin()), each.shape[1]) for each in odds]

nothing = 5
"""
ENTRIES = {
    "tiny-careful": "tiny_strategies:careful",
    "tiny-turns": "tiny_strategies:Turns",
    "tiny-many": "tiny_strategies:Many",
    "tiny-nothing": "tiny_strategies:nothing",
    "tiny-gone": "tiny_strategies:gone",
    "tiny-missing": "no_such_module:choose",
    "fast": "tiny_strategies:careful",
}


def install(folder: Path, package: str, entries: dict[str, str], version: str = "1.0") -> None:
    """What pip leaves behind of a package: its metadata with entry points."""
    info = folder / f"{package.replace('-', '_')}-{version}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: {version}\n", "utf-8")
    lines = "\n".join(f"{name} = {value}" for name, value in entries.items())
    (info / "entry_points.txt").write_text(f"[{GROUP}]\n{lines}\n", "utf-8")


def install_tiny(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install the package into a folder, for this process and those it starts."""
    install(folder, "tiny-strategies", ENTRIES)
    (folder / "tiny_strategies.py").write_text(MODULE, "utf-8")
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.delitem(sys.modules, "tiny_strategies", raising=False)
    monkeypatch.setenv("PYTHONPATH", str(folder))
