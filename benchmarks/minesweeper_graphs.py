"""Exact posteriors for the graph-learning benchmark "Minesweeper" of Platonov et al. (ICLR 2023).

Run: .venv/bin/python benchmarks/minesweeper_graphs.py [FILE.npz] [--side N] [--seed S] [--labels] [-o POSTERIORS.npy]

FILE is `data/minesweeper.npz` of yandex-research/heterophilous-graphs. Without a file, makes a graph of the same kind:
a grid of --side × --side cells, mines in 20 % of them, and the number of mines around each cell, cells with mines
included. Numbers above 5 are cut off to 5, and the numbers of half of the cells are hidden. Like the file, it has ten
splits into 50 % train, 25 % validation and 25 % test.

Prints the AUC (area under the ROC curve) of the exact chance that a node has a mine: given the numbers alone, or with
--labels given the mines of the train nodes, too. A learner can estimate this chance; no learner that knows no more can
rank better on average.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

import mineproof as mp

SHARE_MINED, SHARE_HIDDEN, CAP, SPLITS = Fraction(1, 5), 0.5, 5, 10
BUDGET = mp.Budget(seconds=600, states=1_000_000_000, memory=4 << 30)


class Graph(NamedTuple):
    """A graph, its mines, and the numbers that are known; -1 stands for a hidden one."""

    neighbours: list[list[int]]
    mined: npt.NDArray[np.bool_]
    numbers: npt.NDArray[np.int64]
    train: npt.NDArray[np.bool_]  # (splits, nodes)
    test: npt.NDArray[np.bool_]


def make_graph(side: int, seed: int) -> Graph:
    """Return a random graph of the kind of the benchmark."""
    rng = np.random.default_rng(seed)
    nodes = side * side
    neighbours = [
        [other for row in range(max(0, r - 1), min(side, r + 2)) for column in range(max(0, c - 1), min(side, c + 2))
         if (other := row * side + column) != r * side + c]
        for r in range(side) for c in range(side)
    ]  # fmt: skip
    mined = np.zeros(nodes, dtype=bool)
    mined[rng.permutation(nodes)[: int(nodes * SHARE_MINED)]] = True
    numbers = np.array([min(CAP, int(mined[near].sum())) for near in neighbours])
    numbers[rng.random(nodes) < SHARE_HIDDEN] = -1
    train, test = np.zeros((SPLITS, nodes), dtype=bool), np.zeros((SPLITS, nodes), dtype=bool)
    for split in range(SPLITS):
        order = rng.permutation(nodes)
        train[split, order[: nodes // 2]] = True
        test[split, order[3 * nodes // 4 :]] = True
    return Graph(neighbours, mined, numbers, train, test)


def read_graph(path: Path) -> Graph:
    """Read the file of the benchmark, and check that its numbers are those of its mines."""
    with np.load(path) as data:
        features, labels, edges = data["node_features"], data["node_labels"], data["edges"]
        train, test = data["train_masks"].astype(bool), data["test_masks"].astype(bool)
    neighbours: list[set[int]] = [set() for _ in labels]
    for a, b in edges.tolist():
        neighbours[a].add(b)
        neighbours[b].add(a)
    around = [sorted(near) for near in neighbours]
    # One column says that the number is hidden: half of the nodes have it, many more than any number.
    hidden = int(features.sum(axis=0).argmax())
    columns = [column for column in range(features.shape[1]) if column != hidden]
    numbers = features[:, columns].argmax(axis=1)
    mined = labels.astype(bool)
    true = np.array([min(len(columns) - 1, int(mined[near].sum())) for near in around])
    known = features[:, hidden] == 0
    if not (numbers[known] == true[known]).all():
        raise SystemExit(f"{path}: the features are not numbers of mines from 0 to {len(columns) - 1}")
    return Graph(around, mined, np.where(known, numbers, -1), train, test)


def graph_problem(graph: Graph, known: npt.NDArray[np.bool_] | None = None) -> mp.Problem:
    """Return the problem of a graph: a variable for each node, a constraint for each number and each ``known`` node."""
    cap = max(CAP, int(graph.numbers.max(initial=0)))
    constraints = []
    for node, number in enumerate(graph.numbers.tolist()):
        if number >= 0:
            sums: Sequence[int] = range(cap, len(graph.neighbours[node]) + 1) if number == cap else [number]
            constraints.append(mp.Constraint(graph.neighbours[node], sums))
    if known is not None:
        constraints += [mp.Constraint([node], int(graph.mined[node])) for node in np.flatnonzero(known).tolist()]
    return mp.Problem(len(graph.neighbours), constraints, density=SHARE_MINED)


def posteriors(graph: Graph, known: npt.NDArray[np.bool_] | None = None) -> npt.NDArray[np.float64]:
    """Return the exact chance of a mine in each node."""
    return mp.analyze(graph_problem(graph, known), budget=BUDGET).value_probability[:, 1]


def auc(scores: npt.NDArray[np.float64], labels: npt.NDArray[np.bool_]) -> float:
    """Return the chance that a mined node scores higher than a free one; ties count half."""
    _, place, counts = np.unique(scores, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[place]
    positive = int(labels.sum())
    return float((ranks[labels].sum() - positive * (positive + 1) / 2) / (positive * (len(labels) - positive)))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("file", nargs="?", type=Path)
    parser.add_argument("--side", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--labels", action="store_true")
    parser.add_argument("-o", dest="output", type=Path)
    options = parser.parse_args()
    graph = read_graph(options.file) if options.file else make_graph(options.side, options.seed)
    started = time.process_time()
    runs = [posteriors(graph, known) for known in graph.train] if options.labels else [posteriors(graph)]
    seconds = (time.process_time() - started) / len(runs)
    values = [
        auc(chances[test], graph.mined[test])
        for chances, test in zip(runs * (1 if options.labels else len(graph.test)), graph.test, strict=True)
    ]
    certain = np.mean([np.mean((chances == 0) | (chances == 1)) for chances in runs])
    given = "numbers and train labels" if options.labels else "numbers alone"
    print(f"{len(graph.neighbours):,} nodes, {given}: {100 * certain:.1f} % of the nodes are certain")
    spread = f"deviation {100 * np.std(values):.3f}"
    print(f"mean test AUC {100 * np.mean(values):.3f} %, {spread} ({seconds:.2f} s of CPU per graph)")
    if options.output:
        np.save(options.output, np.array(runs))


if __name__ == "__main__":
    main()
