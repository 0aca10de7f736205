"""How often the agents of `mineproof.gym.agents` win, by level: rows of the table in docs/gym.md.

    python benchmarks/gym_agents.py [--games 10000] [--strong 2000] [--seed 1]

Board i plays games of seed + i. All agents play the same games, ``strong`` the first of them, as many as --strong says.
"""

from __future__ import annotations

import argparse

import gymnasium

from mineproof.gym import ID
from mineproof.gym.agents import AGENTS, make_agent, score

BOARDS = 1000
LEVELS = ("beginner", "intermediate", "expert")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--strong", type=int, default=2_000, help="games of the agent strong, which takes its time")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    for level in LEVELS:
        env = gymnasium.make_vec(ID, num_envs=BOARDS, level=level, copy=False)
        for name in AGENTS:
            games = chosen.strong if name == "strong" else chosen.games
            result = score(make_agent(name, env), env, games=games, seed=chosen.seed)
            print(f"{level:12} {name:6} {result}", flush=True)


if __name__ == "__main__":
    main()
