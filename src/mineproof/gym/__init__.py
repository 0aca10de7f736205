"""Minesweeper for reinforcement learning: a Gymnasium environment, the same for thousands of boards, and agents.

Importing this room registers ``mineproof/Minesweeper-v0``: `gymnasium.make` gives a `Minesweeper`, `gymnasium.make_vec`
a `MinesweeperVector`. It also registers ``mineproof/MinesweeperText-v0``, tasks in words: a `MinesweeperText`, and
``mineproof/MinesweeperVariant-v0``, games of variants: a `VariantMinesweeper`. It needs
Gymnasium, ``pip install 'mineproof[gym]'``. No rule of the game is written here: the kernel deals and opens, and what
an environment shows is what a player sees.

>>> import gymnasium, mineproof.gym
>>> env = gymnasium.make("mineproof/Minesweeper-v0", level="expert")
>>> observation, info = env.reset(seed=1)
>>> observation.shape, observation.dtype, env.action_space.n
((16, 30), dtype('int8'), np.int64(480))
>>> observation, reward, terminated, truncated, info = env.step(8 * 30 + 15)  # row 8, column 15
>>> int((observation >= 0).sum()), reward, terminated, int(info["action_mask"].sum())
(1, 0.0, False, 479)
"""

from __future__ import annotations

from mineproof.base.extras import load as _load

_gymnasium = _load("gymnasium", "mineproof[gym]", "mineproof.gym")

from mineproof.gym.environment import Minesweeper as Minesweeper  # noqa: E402
from mineproof.gym.settings import REWARDS as REWARDS  # noqa: E402
from mineproof.gym.text_environment import MinesweeperText as MinesweeperText  # noqa: E402
from mineproof.gym.variant_environment import VariantMinesweeper as VariantMinesweeper  # noqa: E402
from mineproof.gym.vector import MinesweeperVector as MinesweeperVector  # noqa: E402

ID = "mineproof/Minesweeper-v0"
TEXT_ID = "mineproof/MinesweeperText-v0"
VARIANT_ID = "mineproof/MinesweeperVariant-v0"

if ID not in _gymnasium.registry:
    _gymnasium.register(
        ID,
        entry_point="mineproof.gym.environment:Minesweeper",
        vector_entry_point="mineproof.gym.vector:MinesweeperVector",
    )
if TEXT_ID not in _gymnasium.registry:
    _gymnasium.register(TEXT_ID, entry_point="mineproof.gym.text_environment:MinesweeperText")
if VARIANT_ID not in _gymnasium.registry:
    _gymnasium.register(VARIANT_ID, entry_point="mineproof.gym.variant_environment:VariantMinesweeper")
