"""Reports of made-up runs: any configurations, with the games that a test wants."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from random import Random

import numpy as np

from mineproof.board.geometry import Topology
from mineproof.board.start import FirstClick
from mineproof.reports.game_counts import Bin, Losses, Pair
from mineproof.reports.report_api import Report
from mineproof.simulation.comparison import Comparison
from mineproof.simulation.results import Tally, Totals
from mineproof.sweeps.plan import Configuration, Plan
from mineproof.sweeps.sweep_api import Sweep
from mineproof.sweeps.units import columns_of

SIGNATURE: dict[str, object] = {"engine": "none"}


def totals(
    wins: int,
    games: int = 100,
    *,
    rows: int = 8,
    columns: int = 8,
    mines: int = 10,
    strategy: str = "fast",
    first_click: FirstClick = "safe",
    topology: Topology = "grid",
) -> Totals:
    """A configuration with a given number of won games."""
    return Totals(
        rows=rows, columns=columns, mines=mines, topology=topology, first_click=first_click, start=(0, 0),
        strategy=strategy, seed=1, first_game=0, asked=games, games=games, tally=Tally(wins=wins, moves=9 * wins),
    )  # fmt: skip


def made_report(found: Sequence[Totals], *, per_game: bool = True, pairs: bool = True) -> Report:
    """A report of these configurations; losses are drawn, the same for the same configurations."""
    planned = tuple(
        Configuration(replace(item), item.weighed, item.asked, 64, columns_of(item) if per_game else ())
        for item in found
    )
    plan = Plan("1.2.3", SIGNATURE, max((item.asked for item in found), default=1), None, planned)
    sweep = Sweep(plan, tuple(found), Path("nowhere"))
    losses = tuple(_losses(item, number) for number, item in enumerate(found)) if per_game else ()
    return Report(sweep, _pairs(found) if pairs else (), losses)


def _pairs(found: Sequence[Totals]) -> tuple[Pair, ...]:
    return tuple(
        Pair(number, number + 1, Comparison(one.strategy, other.strategy, one.games, 0, one.wins, other.wins // 2))
        for number, (one, other) in enumerate(pairwise(found))
        if one.mines == other.mines and one.strategy != other.strategy and one.wins + other.wins // 2 <= one.games
    )


def _losses(found: Totals, seed: int) -> Losses:
    random = Random(seed)
    losses = Losses(cells=np.zeros((found.rows, found.columns), dtype=np.int64))
    won = np.arange(found.games) < found.wins
    losses.add(
        {
            "won": won,
            "moves": np.array([random.randint(1, 60) for _ in won], dtype=np.int16),
            "guesses": np.array([random.randint(1, 9) for _ in won], dtype=np.int16),
            "lost_cell": np.array([random.randrange(found.rows * found.columns) for _ in won], dtype=np.int32),
        }
    )
    if found.strategy != "go" and found.games:
        losses.bins = tuple(
            Bin(k / 20, (k + 1) / 20, 50 - k, (50 - k) * k // 20, (k + 0.5) / 20) for k in range(0, 12, 2)
        )
    return losses
