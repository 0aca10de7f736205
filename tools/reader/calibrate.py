"""Fit the weights of `mineproof.screens.extent` and of `mineproof.screens.certainty` on drawn pictures.

    python tools/reader/calibrate.py strips --scenes 330 --seed 10000
    python tools/reader/calibrate.py readings --scenes 400 --seed 30000

``strips`` looks at boards whose size is known, with rows and columns added and removed, and fits the chance that a
strip belongs to the board. ``readings`` reads pictures of boards and of other grids, and fits the chances that a
reading is right, and that it is of a board. Families in `HELD_OUT` are never drawn. The weights are printed.
``--save FILE`` keeps the features, ``--load FILE`` fits them again, ``--test FILE`` judges the weights on others.
"""

from __future__ import annotations

import argparse
import pickle
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "src")]

from mineproof.base.budget import Budget, Deadline  # noqa: E402
from mineproof.errors import BoardSyntaxError  # noqa: E402
from mineproof.screens import certainty, extent, reader  # noqa: E402
from mineproof.screens.board_fit import SIDES, BoardFit  # noqa: E402
from mineproof.screens.cell_names import choose_marks  # noqa: E402
from mineproof.screens.lattice import Lattice  # noqa: E402
from mineproof.screens.lattice_fit import frame  # noqa: E402
from mineproof.screens.patches import Canvas  # noqa: E402
from support.skins import families, looks, non_boards, positions, scenes  # noqa: E402

LARGEST = 160  # cells of a board
RIDGE = {"strips": 1.0, "readings": 0.1}
SECONDS = 10_000  # also on a busy machine
Sample = tuple[str, tuple[int, ...], NDArray[np.floating]]  # what was drawn, what is true, features
FAMILIES = [name for name in families.FAMILIES if name not in families.HELD_OUT]
OTHER_GRIDS = [name for name in non_boards.KINDS if name not in non_boards.HELD_OUT]


def draw(number: int, rng: np.random.Generator) -> tuple[str, scenes.Scene]:
    if number % 12 == 1:
        return "classic", families.draw_classic(rng, largest=LARGEST)
    if number % 3:
        return "random", scenes.draw_scene(looks.random_look(rng), positions.random_position(rng, largest=LARGEST), rng)
    name = FAMILIES[number // 3 % len(FAMILIES)]
    return name, families.draw_family(name, rng, largest=LARGEST)


def strip_samples(number: int, seed: int) -> Iterator[Sample]:
    rng, deadline = np.random.default_rng(seed + number), Deadline(Budget(seconds=SECONDS))
    name, scene = draw(number, rng)
    if name == "turned":
        return
    rows, columns = scene.position.marks.shape
    x0, y0, x1, y1 = scene.box
    wide, tall = (x1 - x0) / columns, (y1 - y0) / rows
    dx, dy = rng.normal(0, 0.03, 2)
    canvas = Canvas.of(np.asarray(scene.picture.convert("RGB")), deadline)
    true = frame(canvas, Lattice(x0 + dx * wide, y0 + dy * tall, wide, tall, rows, columns))
    for is_changed in (False, True):
        board, change = shift_board(true, rng) if is_changed else (true, dict.fromkeys(SIDES, 0))
        marks = choose_marks(board.looks, board.chances, {}, deadline).marks
        for side in SIDES:
            outer, beyond = extent.outer_strip(board, marks, side), extent.strip_beyond(board, marks, side)
            if outer is not None:
                yield name, (int(change[side] <= 0),), extent.features(outer)
            if beyond is not None:
                yield name, (int(change[side] < 0),), extent.features(beyond)


def shift_board(board: BoardFit, rng: np.random.Generator) -> tuple[BoardFit, dict[str, int]]:
    """The board with outer strips added or removed, and how many on each side."""
    changes = dict.fromkeys(SIDES, 0)
    for side in SIDES:
        change = int(rng.choice([1, 0, -1], p=[0.4, 0.42, 0.18]))
        if (change == 1 and not board.room(side)) or (change == -1 and min(board.rows, board.columns) < 5):
            continue
        board, changes[side] = board.resize(side, change), change
    return board, changes


def reading_samples(number: int, seed: int) -> Iterator[Sample]:
    rng = np.random.default_rng(seed + number)
    rows = None
    if number % 4 == 3:
        name = OTHER_GRIDS[number // 4 % len(OTHER_GRIDS)]
        picture = non_boards.draw_non_board(name, rng)
    else:
        name, scene = draw(number // 4 * 3 + number % 4, rng)
        picture, rows = scene.picture, ["".join(row).replace("X", "F") for row in scene.position.marks]
    values: list[NDArray[np.floating]] = []
    measure = certainty.features

    def note(*given: Any) -> NDArray[np.floating]:
        values.append(measure(*given))
        return values[-1]

    certainty.features = note  # type: ignore[assignment]
    try:
        reading = reader.read_pixels(np.asarray(picture.convert("RGB")), budget=SECONDS)
    except BoardSyntaxError:
        return
    finally:
        certainty.features = measure
    same = rows is not None and (len(rows), len(rows[0])) == (len(reading.cells), len(reading.cells[0]))
    yield name, (int(list(reading.cells) == rows), int(rows is not None), int(same)), values[-1]


def fit(features: NDArray[np.floating], truth: NDArray[np.floating], ridge: float) -> NDArray[np.floating]:
    """Weights of a logistic regression, by Newton's method; the last is the constant."""
    values = np.c_[features, np.ones(len(features))]
    weights = np.zeros(values.shape[1])
    for _ in range(60):
        chance = 1 / (1 + np.exp(-np.clip(values @ weights, -30, 30)))
        slope = values.T @ (chance - truth) + ridge * weights
        curve = (values * (chance * (1 - chance) + 1e-6)[:, None]).T @ values + ridge * np.eye(len(weights))
        weights -= np.linalg.solve(curve, slope)
    return weights


def report(samples: list[Sample], column: int, weights: NDArray[np.floating]) -> None:
    truth = np.array([sample[1][column] for sample in samples])
    features = np.array([sample[2] for sample in samples])
    chance = 1 / (1 + np.exp(-(np.c_[features, np.ones(len(features))] @ weights)))
    print(f"  {len(truth)} samples, {truth.sum()} true; {((chance > 0.5) != truth).sum()} on the wrong side")
    for least in (0.02, 0.5, 0.9, 0.95, 0.98, 0.99):
        above = chance > least
        wrong = sorted(
            {sample[0] for sample, over, true in zip(samples, above, truth, strict=True) if over and not true}
        )
        print(
            f"  above {least}: {above.sum()}, wrong {(above & (truth == 0)).sum()} {wrong}, true {truth[above].sum()}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["strips", "readings"])
    parser.add_argument("--scenes", type=int, default=330)
    parser.add_argument("--seed", type=int, default=10_000)
    for name in ("--save", "--load", "--test"):
        parser.add_argument(name, type=Path)
    options = parser.parse_args()
    draw_samples = strip_samples if options.what == "strips" else reading_samples
    if options.load:
        samples: list[Sample] = pickle.loads(options.load.read_bytes())
    else:
        samples = []
        for number in range(options.scenes):
            samples += draw_samples(number, options.seed)
            if options.save:
                options.save.write_bytes(pickle.dumps(samples))
    tested: list[Sample] = pickle.loads(options.test.read_bytes()) if options.test else samples
    names = extent.FEATURES if options.what == "strips" else certainty.FEATURES
    for column, weighed in enumerate(["WEIGHTS"] if options.what == "strips" else ["RIGHT", "IS_BOARD"]):
        truth = np.array([one[1][column] for one in samples])
        weights = fit(np.array([one[2] for one in samples]), truth, RIDGE[options.what])
        print(weighed, tuple(round(float(weight), 2) for weight in weights))
        print(
            "  " + ", ".join(f"{name} {weight:.1f}" for name, weight in zip((*names, "constant"), weights, strict=True))
        )
        report(tested, column, weights)


if __name__ == "__main__":
    main()
