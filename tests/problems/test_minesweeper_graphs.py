"""The graph benchmark: graphs, their files, and posteriors that are those of brute force."""

from __future__ import annotations

import itertools
import os
import sys
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
graphs: Any = import_module("minesweeper_graphs")


FILE = os.environ.get("MINEPROOF_MINESWEEPER_GRAPH")


def test_posteriors_are_those_of_brute_force() -> None:
    graph = graphs.make_graph(3, seed=5)
    weights = np.zeros(9)
    whole = 0.0
    for values in itertools.product((0, 1), repeat=9):
        shown = [min(graphs.CAP, sum(values[other] for other in near)) for near in graph.neighbours]
        if all(number in (-1, seen) for number, seen in zip(graph.numbers.tolist(), shown, strict=True)):
            weight = float(Fraction(1, 4) ** sum(values))
            whole += weight
            weights += weight * np.array(values)
    assert np.allclose(graphs.posteriors(graph), weights / whole, atol=1e-12)


def test_known_nodes_are_certain() -> None:
    graph = graphs.make_graph(6, seed=1)
    chances = graphs.posteriors(graph, graph.train[0])
    assert (chances[graph.train[0]] == graph.mined[graph.train[0]]).all()


def test_auc() -> None:
    labels = np.array([False, True, False, True])
    assert graphs.auc(np.array([0.1, 0.9, 0.2, 0.8]), labels) == 1
    assert graphs.auc(np.array([0.5, 0.5, 0.5, 0.5]), labels) == 0.5
    assert graphs.auc(np.array([0.1, 0.2, 0.3, 0.4]), labels) == 0.75


def test_a_file_of_the_benchmark_is_read(tmp_path: Path) -> None:
    graph = graphs.make_graph(8, seed=2)
    graphs_file, wrong_file = tmp_path / "graph.npz", tmp_path / "wrong.npz"
    write(graphs_file, graph)
    read = graphs.read_graph(graphs_file)
    assert read.neighbours == graph.neighbours
    assert (read.numbers == graph.numbers).all()
    write(wrong_file, graph._replace(mined=~graph.mined))
    with pytest.raises(SystemExit, match="the features are not numbers of mines"):
        graphs.read_graph(wrong_file)


def write(path: Path, graph: Any) -> None:
    """Write a graph as the benchmark has it: one column for each number, and one for hidden numbers."""
    features = np.zeros((len(graph.mined), graphs.CAP + 2))
    features[np.arange(len(graph.mined)), np.where(graph.numbers < 0, graphs.CAP + 1, graph.numbers)] = 1
    edges = np.array([(a, b) for a, near in enumerate(graph.neighbours) for b in near if a < b])
    np.savez(
        path, node_features=features, node_labels=graph.mined.astype(int), edges=edges, train_masks=graph.train,
        val_masks=~(graph.train | graph.test), test_masks=graph.test,
    )  # fmt: skip


@pytest.mark.skipif(FILE is None, reason="MINEPROOF_MINESWEEPER_GRAPH names data/minesweeper.npz of the benchmark")
def test_the_file_of_the_benchmark() -> None:
    graph = graphs.read_graph(Path(str(FILE)))
    chances = graphs.posteriors(graph)
    values = [graphs.auc(chances[test], graph.mined[test]) for test in graph.test]
    assert np.mean(values) > 0.9984
