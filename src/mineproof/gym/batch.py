"""The games of an environment, one or thousands: the arrays that the kernel writes to, with seeds and game numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NoReturn

import numpy as np
import numpy.typing as npt

from mineproof.base import checks
from mineproof.engine.default import default_engine
from mineproof.engine.games import Autoreset, GamesArrays, GamesOrder
from mineproof.gym.settings import GameSetting

BATCH_MAX_CELLS = 2**31  # of all boards together: 6 GiB


class GameBatch:
    """Games that run side by side; see `mineproof.engine.games`. Seed and number identify a game."""

    def __init__(self, setting: GameSetting, count: int, threads: int, autoreset: Autoreset, longest: int) -> None:
        cells = setting.geometry.cells
        checks.whole("num_envs", count, 1, BATCH_MAX_CELLS // cells)
        final_count = count if autoreset == "same_step" else 0
        self.arrays = GamesArrays(
            seeds=np.zeros(count, dtype=np.uint64),
            numbers=np.zeros(count, dtype=np.uint64),
            codes=np.zeros((count, cells), dtype=np.int8),
            masks=np.zeros((count, cells), dtype=np.int8),
            rewards=np.zeros(count, dtype=np.float32),
            terminated=np.zeros(count, dtype=np.bool_),
            truncated=np.zeros(count, dtype=np.bool_),
            won=np.zeros(count, dtype=np.bool_),
            unjudged=np.zeros(count, dtype=np.bool_),
            last_codes=np.zeros((final_count, cells), dtype=np.int8),
        )
        order = GamesOrder(
            setting.geometry, setting.mines, setting.first_click, setting.fairness, autoreset, longest,
            setting.rewards, setting.budget,
        )  # fmt: skip
        self._games = default_engine().games(order, self.arrays, threads)
        self.step = self._games.step
        self.mines_of = self._games.mines_of

    def reset(
        self, which: npt.NDArray[np.bool_], seeds: npt.NDArray[np.uint64] | None, options: Mapping[str, object]
    ) -> None:
        """Start a game wherever ``which`` is True: number 0 of a new seed, or the next number of the old seed.

        ``options["number"]`` chooses another number for all of them.
        """
        for name in options:
            if name != "number":
                raise ValueError(f"options must be number or reset_mask (of vectors), got {name!r}")
        number = checks.whole("number", options["number"], 0, checks.LARGEST_SEED) if "number" in options else None
        arrays = self.arrays
        if seeds is not None:
            arrays.seeds[which] = seeds[which]
            arrays.numbers[which] = 0
        else:
            arrays.numbers[which] += np.uint64(1)
        if number is not None:
            arrays.numbers[which] = number
        self._games.reset(which)

    def __reduce__(self) -> NoReturn:
        """Refuse copies: a copy could reveal the mines of the running game."""
        raise TypeError("Games in progress cannot be copied or pickled. Make another environment with the same seed.")
