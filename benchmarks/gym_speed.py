"""Steps a second of Minesweeper environments: ours, one board and many, and others of the package index.

    python benchmarks/gym_speed.py [--level intermediate] [--seconds 2] [--others PYTHON]

Every step opens a covered cell that is drawn at random; games that end are followed by the next one, and that is part
of the time. Drawing the cells is not. For each environment: thousands of steps a second by the clock, in the quickest
call (of many boards) or twenty games (of one), and nanoseconds of CPU time a step. On a machine that has other
work the clock says little on average; the quickest call and the CPU time can be compared.

The others are measured with --others, by a Python that has them; those that it lacks are left out:

    python -m venv /tmp/others && /tmp/others/bin/pip install gym-minesweeper pygame minesweeper-env-rl jumanji

What they do is not quite the same. gym-minesweeper 0.0.1 and minesweeper-env-rl 0.12.0 have one board, in Python;
the former hands out the mines in its info, and refuses columns beyond the number of rows, so that expert cannot be
played; the latter lists all valid actions in every observation. jumanji 1.1.2
(JAX) opens one cell a step, also where it shows 0. mibexx-gym-minesweeper 0.0.5 has no code in its packages.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import time
import warnings
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

import numpy as np
import numpy.typing as npt

SIZES = {"beginner": (9, 9, 10), "intermediate": (16, 16, 40), "expert": (16, 30, 99)}
MANY = 4096
COVERED = -1
Codes = npt.NDArray[Any]


class Measured:
    """Steps, and what they took."""

    def __init__(self) -> None:
        self.steps, self.wall, self.cpu, self.quickest = 0, 0.0, 0.0, float("inf")

    def add(self, steps: int, wall: float, cpu: float) -> None:
        self.steps += steps
        self.wall += wall
        self.cpu += cpu
        self.quickest = min(self.quickest, wall / steps)

    def __str__(self) -> str:
        by_clock, quickest = self.steps / self.wall / 1e3, 1 / self.quickest / 1e3
        return f"{by_clock:10,.1f} {quickest:10,.1f} {self.cpu / self.steps * 1e9:11,.0f}"


def measure(step: Callable[[Any], None], draw: Callable[[], Any], boards: int, seconds: float) -> Measured:
    """Draw and step in turn for a while; only the steps are timed."""
    for _ in range(3):
        step(draw())
    result = Measured()
    while result.wall < seconds:
        actions = draw()
        clock, spent = time.perf_counter(), time.process_time()
        step(actions)
        result.add(boards, time.perf_counter() - clock, time.process_time() - spent)
    return result


def measure_single(
    step: Callable[[int], tuple[Codes, bool]], reset: Callable[[], Codes], cells: int, seconds: float
) -> Measured:
    """The same of one board: cells in a random order, open ones left out, which takes next to no time."""
    result, random = Measured(), np.random.default_rng(1)
    while result.wall < seconds:
        orders, steps = [random.permutation(cells).tolist() for _ in range(20)], 0
        clock, spent = time.perf_counter(), time.process_time()
        for order in orders:
            seen, is_over = reset(), False
            for cell in order:
                if seen.item(cell) == COVERED:
                    seen, is_over = step(cell)
                    steps += 1
                    if is_over:
                        break
        result.add(steps, time.perf_counter() - clock, time.process_time() - spent)
    return result


def tell(name: str, found: Measured) -> None:
    print(f"{name:58} {found}", flush=True)


# ours


def ours(size: tuple[int, int, int], seconds: float) -> None:
    import gymnasium

    from mineproof.base.processors import processors
    from mineproof.gym import ID, Minesweeper, MinesweeperVector
    from mineproof.gym.agents import make_agent

    rows, columns, mines = size
    setting: dict[str, Any] = {"rows": rows, "columns": columns, "mines": mines}
    for name, env in (("gymnasium.make", gymnasium.make(ID, **setting)), ("Minesweeper", Minesweeper(**setting))):

        def step(cell: int, env: Any = env) -> tuple[Codes, bool]:
            seen, _, terminated, _, _ = env.step(cell)
            return seen, terminated

        tell(f"mineproof, {name}", measure_single(step, lambda env=env: env.reset()[0], rows * columns, seconds))
    for boards in (256, MANY, 4 * MANY):
        for threads in sorted({1, 2, processors()}):
            for copy in (True, False):
                vector = MinesweeperVector(boards, **setting, threads=threads, copy=copy, autoreset_mode="SameStep")
                agent = make_agent("random", vector)
                seen, info = vector.reset(seed=1)
                told = {"seen": seen, "mask": info["action_mask"]}

                def many(actions: Any, vector: MinesweeperVector = vector, told: dict[str, Any] = told) -> None:
                    told["seen"], _, _, _, info = vector.step(actions)
                    told["mask"] = info["action_mask"]

                draw = lambda agent=agent, told=told: agent(told["seen"], told["mask"])  # noqa: E731
                words = f"mineproof, make_vec, {boards:,} boards, {threads} threads{'' if copy else ', copy=False'}"
                tell(words, measure(many, draw, boards, seconds))


# others


def gym_minesweeper(size: tuple[int, int, int], seconds: float) -> None:
    from gym_minesweeper.envs import MinesweeperEnv  # type: ignore[import-not-found]

    if size[1] > size[0]:
        print("gym-minesweeper: refuses columns beyond the number of rows")
        return
    env, columns = MinesweeperEnv(*size), size[1]

    def step(cell: int) -> tuple[Codes, bool]:
        seen, _, is_over, _ = env.step(divmod(cell, columns))
        return seen, is_over

    result = measure_single(step, env.reset, size[0] * columns, seconds)
    tell(f"gym-minesweeper {version('gym-minesweeper')}", result)


def minesweeper_env_rl(size: tuple[int, int, int], seconds: float) -> None:
    from minesweeper_env_rl import MinesweeperPOMDP  # type: ignore[import-not-found]

    env, columns = MinesweeperPOMDP(*size), size[1]

    def step(cell: int) -> tuple[Codes, bool]:
        told, _, is_over, _ = env.step({"cell": divmod(cell, columns), "type": "reveal"})
        return told["global_state"][:, :, 1], is_over

    result = measure_single(step, lambda: env.reset()["global_state"][:, :, 1], size[0] * columns, seconds)
    tell(f"minesweeper-env-rl {version('minesweeper-env-rl')}", result)


def jumanji(size: tuple[int, int, int], seconds: float) -> None:
    import jax
    from jumanji.environments.logic.minesweeper.env import Minesweeper  # type: ignore[import-not-found]
    from jumanji.environments.logic.minesweeper.generator import UniformSamplingGenerator  # type: ignore[import-not-found]
    from jumanji.wrappers import AutoResetWrapper, VmapWrapper  # type: ignore[import-not-found]

    for boards in (256, MANY):
        env = VmapWrapper(AutoResetWrapper(Minesweeper(generator=UniformSamplingGenerator(*size))))
        state, told = jax.jit(env.reset)(jax.random.split(jax.random.PRNGKey(1), boards))
        now: dict[str, Any] = {"state": state, "told": told}
        stepped = jax.jit(env.step)
        random = np.random.default_rng(1)

        def draw(now: dict[str, Any] = now, random: np.random.Generator = random) -> Any:
            mask = np.asarray(now["told"].observation.action_mask).reshape(len(now["told"].reward), -1)
            places = np.where(mask, random.random(mask.shape, dtype=np.float32), -1).argmax(axis=1)
            return jax.numpy.asarray(np.stack(np.divmod(places, size[1]), axis=1).astype(np.int32))

        def step(actions: Any, now: dict[str, Any] = now, stepped: Any = stepped) -> None:
            now["state"], now["told"] = jax.block_until_ready(stepped(now["state"], actions))

        tell(f"jumanji {version('jumanji')} (JAX), {boards:,} boards", measure(step, draw, boards, seconds))


OTHERS = (gym_minesweeper, minesweeper_env_rl, jumanji)


def others(size: tuple[int, int, int], seconds: float) -> None:
    for item in OTHERS:
        try:
            item(size, seconds)
        except ImportError as error:
            print(f"{item.__name__}: not installed ({error})")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--level", default="intermediate", choices=SIZES)
    parser.add_argument("--seconds", type=float, default=2.0, help="for each environment")
    parser.add_argument("--others", metavar="PYTHON", help="a Python that has other environments")
    parser.add_argument("--only-others", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    warnings.simplefilter("ignore")
    if chosen.only_others:
        others(SIZES[chosen.level], chosen.seconds)
        return
    rows, columns, mines = SIZES[chosen.level]
    load = ", ".join(f"{item:.1f}" for item in os.getloadavg())
    print(f"{columns} × {rows}, {mines} mines; {len(os.sched_getaffinity(0))} cores, load {load}")
    print(f"{'':58} {'1000/s':>10} {'quickest':>10} {'ns of CPU':>11}", flush=True)
    ours(SIZES[chosen.level], chosen.seconds)
    if chosen.others:
        subprocess.run(
            [chosen.others, __file__, "--only-others", "--level", chosen.level, "--seconds", str(chosen.seconds)],
            check=True,
            env=os.environ | {"PYGAME_HIDE_SUPPORT_PROMPT": "1"},
        )


if __name__ == "__main__":
    main()
