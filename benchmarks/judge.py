"""Figures for docs/judge.md: verdicts against brute force, rewards of three agents, labels of a weak labeller, speed.

    .venv/bin/python benchmarks/judge.py oracle --count 10000     verdicts on small boards, compared with brute force
    .venv/bin/python benchmarks/judge.py agents --count 1000      rewards by proof and by luck, as a table
    .venv/bin/python benchmarks/judge.py labels -o labels.jsonl   labels by single numbers only, for 'mineproof audit'
    .venv/bin/python benchmarks/judge.py speed                    tasks and verdicts per second of one core

Times are of the processor. The exit status of ``oracle`` is 1 if a verdict disagrees.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import mineproof as mp
from mineproof.board.cells import COVERED, Cell
from mineproof.exams.tasks import KINDS
from mineproof.exams.verdicts import game_verdict
from mineproof.practice.positions import decide_singles
from support.exams import SIZES, answers, expect, is_small, same

SEED = 29


def oracle(count: int) -> int:
    """Compare verdicts with brute force; return the exit status."""
    rng, wrong, verdicts, skipped = random.Random(SEED), 0, 0, 0
    for number in range(count):
        kind = KINDS[number % len(KINDS)]
        attempt = 0
        while True:
            size = SIZES[(number + attempt) % len(SIZES)]
            task = mp.task(kind, level=size, seed=SEED + attempt, number=number)
            if is_small(task):
                break
            attempt += 1
            skipped += 1
        for answer in answers(task, rng):
            verdicts += 1
            if not same(mp.judge(task, answer), expect(task, answer)):
                wrong += 1
                print(f"{task.id}: {answer}", file=sys.stderr)
        wrong += not mp.judge(task, task.answer).right
    print(f"{count:,} tasks, {verdicts:,} answers, {wrong} disagreements; {skipped:,} larger tasks left out")
    return 1 if wrong else 0


# agents: a position → the cells to open next

Agent = Callable[[mp.Board, random.Random], list[Cell]]


def by_singles(board: mp.Board) -> tuple[set[Cell], set[Cell]]:
    """Cells that single numbers prove safe and mines, until they prove nothing more."""
    safe: set[Cell] = set()
    mines: set[Cell] = set()
    while True:
        known = board.suppose(free=safe, mines=mines)
        new_safe, new_mines = decide_singles(known)
        if not new_safe and not new_mines:
            return safe, mines
        safe |= set(new_safe)
        mines |= set(new_mines)


def far_cells(board: mp.Board) -> list[Cell]:
    """Covered cells that touch no number, or all covered cells if there are none."""
    sea = board.sea()
    covered = list(board.cells(COVERED))
    return [cell for cell in covered if sea[cell]] or covered


def prover(board: mp.Board, rng: random.Random) -> list[Cell]:
    """Every certain cell; on boards that need no guess there is always one."""
    return sorted(mp.analyze(board).safe)


def single_numbers(board: mp.Board, rng: random.Random) -> list[Cell]:
    """What single numbers prove, else a cell far from all numbers."""
    safe, mines = by_singles(board)
    return sorted(safe) or [rng.choice([cell for cell in far_cells(board) if cell not in mines] or far_cells(board))]


def gambler(board: mp.Board, rng: random.Random) -> list[Cell]:
    """A cell far from all numbers, which is rarely a mine."""
    return [rng.choice(far_cells(board))]


AGENTS: dict[str, Agent] = {"prover": prover, "single numbers": single_numbers, "far cells": gambler}


def play(task: mp.Task, agent: Agent, rng: random.Random) -> mp.Verdict:
    """The verdict on a game that an agent plays turn by turn."""
    game = mp.TextGame(task)
    while not game.is_over:
        game.reply(agent(game.board, rng))
    return game_verdict(game)


def agents(count: int) -> int:
    """Print mean rewards of the agents."""
    print("| agent | task | reward by luck | reward by proof |")
    print("|---|---|---|---|")
    for kind, level in (("safe-cell", "expert"), ("safe", "expert"), ("game", "beginner")):
        tasks = [mp.task(kind, level=level, seed=SEED, number=number) for number in range(count)]
        for name, agent in AGENTS.items():
            rng = random.Random(SEED)
            verdicts = [
                play(task, agent, rng) if kind == "game" else mp.judge(task, agent(task.board, rng)) for task in tasks
            ]
            luck, score = (float(sum(getattr(v, key) for v in verdicts) / count) for key in ("luck", "score"))
            print(f"| {name} | `{kind}`, {level} | {luck:.3f} | {score:.3f} |", flush=True)
    return 0


def labels(count: int, path: Path, level: str) -> int:
    """Write positions with the labels of single numbers."""
    with path.open("w", encoding="utf-8") as file:
        for number in range(count):
            task = mp.task("mines", level=level, seed=SEED, number=number)
            safe, mines = by_singles(task.board)
            document = {"id": task.id, "board": task.board.as_json(), "safe": sorted(safe), "mines": sorted(mines)}
            file.write(json.dumps(document) + "\n")
    return 0


def speed(count: int) -> int:
    """Print tasks, JSON objects and verdicts per second of one core."""
    print("| kind | tasks | prompts and answers | verdicts |")
    print("|---|---|---|---|")
    for kind in KINDS:
        few = count if kind in ("safe", "mines", "safe-cell", "claim", "proof") else max(1, count // 10)
        marks = [time.process_time()]
        tasks = [mp.task(kind, seed=SEED, number=number) for number in range(few)]
        marks.append(time.process_time())
        documents = [task.as_json() for task in tasks]
        marks.append(time.process_time())
        for task, document in zip(tasks, documents, strict=True):
            assert mp.judge(task, document["answer"]).right
        marks.append(time.process_time())
        rates = [few / (after - before) for before, after in itertools.pairwise(marks)]
        print(f"| `{kind}` | " + " | ".join(f"{rate:,.0f}" for rate in rates) + " |", flush=True)
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["oracle", "agents", "labels", "speed"])
    parser.add_argument("--count", type=int)
    parser.add_argument("--level", default="8x8x12")
    parser.add_argument("-o", "--output", type=Path, default=Path("labels.jsonl"))
    given = parser.parse_args()
    match given.what:
        case "oracle":
            return oracle(given.count or 10_000)
        case "agents":
            return agents(given.count or 1_000)
        case "labels":
            return labels(given.count or 1_300, given.output, given.level)
        case _:
            return speed(given.count or 2_000)


if __name__ == "__main__":
    sys.exit(main())
