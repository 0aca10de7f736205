"""Examples to learn from: cells of boards in random looks, each with its mark, and places that are no cells.

    python tools/reader/examples.py --scenes 3000 --seed 1 -o build/examples

draws scenes by `tests/support/skins` (with the fonts of this machine, too; every other one of a family that is not in
`HELD_OUT`), takes up to `CELLS` cells of each at a
lattice that is off by a few hundredths, and about a third as many places that are no cells: half a cell off, a wrong
pitch, beside the board. One compressed file for every `PART` scenes.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "src")]

from mineproof.screens.lattice import Lattice  # noqa: E402
from mineproof.screens.lattice import looks as cell_looks  # noqa: E402
from support.skins import families, looks, positions, scenes  # noqa: E402

CLASSES = "012345678#F?*X-"  # the last is no cell
SHARES = [0.12, *[0.07] * 8, 0.12, 0.06, 0.04, 0.06, 0.04]
CELLS = 130
LARGEST = 300  # cells of a board
PART = 100
# A turned picture has no lattice.
FAMILIES = [name for name in families.FAMILIES if name not in {*families.HELD_OUT, "turned"}]


def balance_marks(marks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Indices of cells; marks that are common are taken less often."""
    flat = marks.ravel()
    counts = {mark: int((flat == mark).sum()) for mark in np.unique(flat)}
    weights = np.array([1 / counts[mark] ** 0.65 for mark in flat])
    take = min(CELLS, flat.size)
    return rng.choice(flat.size, take, replace=False, p=weights / weights.sum())


def draw(seed: int, rng: np.random.Generator) -> scenes.Scene:
    if seed % 2:
        return families.draw_family(FAMILIES[seed // 2 % len(FAMILIES)], rng, largest=LARGEST)
    look = looks.random_look(rng, system_fonts=True)
    position = positions.random_position(rng, largest=LARGEST)
    if rng.random() < 0.5:  # any mark anywhere, to learn marks that are rare in games
        position.marks[:] = rng.choice(list(CLASSES[:-1]), position.marks.shape, p=SHARES)
    return scenes.draw_scene(look, position, rng)


def scene_examples(seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    scene = draw(seed, rng)
    pixels = np.asarray(scene.picture.convert("RGB"))
    rows, columns = scene.position.marks.shape
    x0, y0, x1, y1 = scene.box
    true = Lattice(x0, y0, (x1 - x0) / columns, (y1 - y0) / rows, rows, columns)
    chosen = balance_marks(scene.position.marks, rng)
    images, labels = [], []
    for part in np.array_split(chosen, 3):
        jitter = rng.normal(0, 0.035, 2)
        near = Lattice(
            true.left + jitter[0] * true.wide, true.top + jitter[1] * true.tall, true.wide, true.tall, rows, columns
        )
        images.append(cell_looks(pixels, near).reshape(-1, 28, 28, 3)[part])
        labels += [CLASSES.index(mark) for mark in scene.position.marks.ravel()[part]]
    off = no_cells(pixels, true, rng, chosen.size // 3)
    images.append(off)
    labels += [CLASSES.index("-")] * len(off)
    return (np.concatenate(images) * 255).round().astype(np.uint8), np.array(labels, np.uint8)


def no_cells(pixels: np.ndarray, true: Lattice, rng: np.random.Generator, count: int) -> np.ndarray:
    taken: list[np.ndarray] = []
    each = -(-count // 4)
    for k in range(4):
        if k == 0:  # off by a part of a cell
            dx, dy = rng.uniform(-0.5, 0.5, 2)
            if max(abs(dx), abs(dy)) < 0.18:
                dx = 0.5 * (1 if dx > 0 else -1)
            other = Lattice(
                true.left + dx * true.wide, true.top + dy * true.tall, true.wide, true.tall, true.rows, true.columns
            )
        elif k == 1:  # another pitch
            factor = rng.choice([0.5, 2.0, 1.5, 0.67, rng.uniform(0.4, 2.2)])
            if 0.85 < factor < 1.15:
                factor = 2.0
            other = Lattice(
                true.left + rng.uniform(0, 1) * true.wide,
                true.top + rng.uniform(0, 1) * true.tall,
                true.wide * factor,
                true.tall * factor,
                max(1, int(true.rows / factor) - 1),
                max(1, int(true.columns / factor) - 1),
            )
        elif k == 2:  # cells beside the board, in its raster
            ring = true.part(-1, -1, true.rows + 2, true.columns + 2)
            all_ = cell_looks(pixels, ring)
            edge = np.ones((ring.rows, ring.columns), bool)
            edge[1:-1, 1:-1] = False
            found = all_[edge]
            # outside the picture its edge continues: those are fair examples too
            taken.append(found[rng.permutation(len(found))[:each]])
            continue
        else:  # anywhere in the picture that is not the board
            found_list = []
            height, width = pixels.shape[:2]
            for _ in range(each * 4):
                x, y = rng.uniform(-0.5 * true.wide, width), rng.uniform(-0.5 * true.tall, height)
                bx0, by0, bx1, by1 = true.box
                if bx0 - true.wide < x < bx1 and by0 - true.tall < y < by1:
                    continue
                found_list.append(cell_looks(pixels, Lattice(x, y, true.wide, true.tall, 1, 1))[0, 0])
                if len(found_list) == each:
                    break
            if found_list:
                taken.append(np.stack(found_list))
            continue
        all_ = cell_looks(pixels, other).reshape(-1, 28, 28, 3)
        taken.append(all_[rng.permutation(len(all_))[:each]])
    return np.concatenate(taken)


def make_part(job: tuple[int, int, Path]) -> str:
    seed, number, folder = job
    found = [scene_examples(seed * 1_000_000 + number * PART + k) for k in range(PART)]
    path = folder / f"{number:04d}.npz"
    np.savez(path, images=np.concatenate([f[0] for f in found]), labels=np.concatenate([f[1] for f in found]))
    return path.name


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-o", type=Path, default=ROOT / "build" / "examples")
    chosen = parser.parse_args()
    chosen.o.mkdir(parents=True, exist_ok=True)
    jobs = [(chosen.seed, number, chosen.o) for number in range(-(-chosen.scenes // PART))]
    with multiprocessing.Pool(2) as pool:
        for name in pool.imap_unordered(make_part, jobs):
            print(name, flush=True)


if __name__ == "__main__":
    main()
