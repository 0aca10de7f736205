"""How fast are variants analyzed, and how does CP-SAT answer the same question?

Run: .venv/bin/python benchmarks/variants.py [POSITIONS]        CP-SAT needs: pip install ortools; else it is left out

Positions are 8×8 boards with mines in 40 % of the cells and half of the clues open, for each clue rule, and 30×16
liar boards with 20 % mines, without a total. Times are seconds of CPU, medians over the positions.

CP-SAT finds the certain cells: for each covered cell it tries to find a layout with a mine and one without, as
variant solvers do. It gives no chances and no number of layouts. One thread; every layout that it finds answers for
all cells.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from importlib.util import find_spec
from pathlib import Path

import mineproof as mp
from mineproof.variants.clues import CLUE_RULES, ClueRule, clue_rule

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from support.variant_oracle import SHOWS

RULES = [rule.replace("capped:N", "capped:3").replace("modulo:N", "modulo:3") for rule in CLUE_RULES]


def position(rule: ClueRule, rows: int, columns: int, share: float, open_share: float, seed: int) -> mp.VariantPosition:
    """Return a random position: some of the cells without a mine show a clue that is true of the layout."""
    rng = random.Random(f"{rule.name} {rows} {columns} {seed}")
    cells = [(row, column) for row in range(rows) for column in range(columns)]
    mined = set(rng.sample(cells, round(share * len(cells))))
    mines = {cell: int(cell in mined) for cell in cells}
    free = [cell for cell in cells if cell not in mined]
    shown = set(rng.sample(free, round(open_share * len(free))))
    show = SHOWS["classic" if rule.name == "capped:3" else rule.name]
    lines = []
    for row in range(rows):
        words = []
        for column in range(columns):
            clue = rng.choice(show(row, column, mines) or ["?"]) if (row, column) in shown else "#"
            words.append(str(min(3, int(clue))) if rule.name == "capped:3" and clue != "#" else clue)
        lines.append(" ".join(words))
    return mp.VariantPosition.parse("\n".join(lines))


def ours(problem: mp.Problem) -> tuple[float, dict[int, int]]:
    """Return the seconds of CPU to count a problem, and its certain variables."""
    started = time.process_time()
    analysis = mp.analyze(problem, budget=mp.Budget(seconds=60, states=10**9, memory=4 << 30))
    return time.process_time() - started, analysis.certain


def cp_sat(problem: mp.Problem) -> tuple[float, dict[int, int]]:
    """Return the seconds of CPU to find the certain variables of a problem with CP-SAT, and these."""
    from ortools.sat.python import cp_model

    started = time.process_time()
    model = cp_model.CpModel()
    domains = [[value for value, weight in enumerate(domain) if weight] for domain in problem.domains]
    cells = [model.new_int_var_from_domain(cp_model.Domain.from_values(values), "") for values in domains]
    for constraint in problem.constraints:
        pairs = zip(constraint.coefficients, constraint.cells, strict=True)
        total = sum(factor * cells[cell] for factor, cell in pairs)
        allowed = model.new_int_var_from_domain(cp_model.Domain.from_values(list(constraint.sums)), "")
        model.add(total == allowed)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    seen: list[set[int]] = [set() for _ in cells]
    certain = {variable: values[0] for variable, values in enumerate(domains) if len(values) == 1}
    for variable in range(len(cells)):
        for value in domains[variable]:
            if variable in certain or value in seen[variable]:
                continue
            trial = model.clone()
            trial.add(trial.get_int_var_from_proto_index(cells[variable].index) == value)
            if solver.solve(trial) == cp_model.OPTIMAL:
                for place, cell in enumerate(cells):
                    seen[place].add(solver.value(cell))
        if len(seen[variable]) == 1:
            certain[variable] = min(seen[variable])
    return time.process_time() - started, certain


def main(positions: int) -> None:
    has_cp_sat = find_spec("ortools") is not None
    for name, rows, columns, share in [*((rule, 8, 8, 0.4) for rule in RULES), ("liar", 16, 30, 0.2)]:
        rule = clue_rule(name)
        times: list[float] = []
        others: list[float] = []
        for seed in range(positions):
            problem = mp.Variant(rule).problem(position(rule, rows, columns, share, 0.5, seed))
            seconds, certain = ours(problem)
            times.append(seconds)
            if has_cp_sat and seed < max(1, positions // 10):  # CP-SAT takes its time
                other, found = cp_sat(problem)
                others.append(other)
                if found != certain:
                    raise SystemExit(f"{name}, position {seed}: CP-SAT found other certain cells")
        own, longest = statistics.median(times), max(times)
        line = f"{name:11} {columns}×{rows}  {1000 * own:8.1f} ms (longest {1000 * longest:8.1f})"
        if others:
            theirs = statistics.median(others)
            line += f"  CP-SAT {1000 * theirs:9.0f} ms  {theirs / own:6.0f}×"
        print(line, flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 50)
