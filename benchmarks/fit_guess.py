"""Fit the constants of the decider again: what a reveal is worth, how far a score can be trusted.

    python benchmarks/fit_guess.py --games 20000 --seed 11

Expert games are played by ``strong``, half of them with a safe and half with an open start. At every guess that the
look ahead decides, every candidate is played on from ``--playouts`` times on the same layouts (guess_data.cpp, which is
compiled first). The worth of a candidate, relative to the mean of its decision, is fitted by least squares to what its
numbers would tell; only differences within a decision count. What is printed beside each constant is the value in
native/src/decider.cpp or thinker.cpp and two standard errors, by a jackknife over ten parts of the games.

Only candidates that might be chosen are fitted: those whose score is close to the best (``--within``). Candidates that
can show one number only are left out too: they are never compared by their worth. The constants not listed
(limits, numbers of rivals and rounds) were chosen, not fitted; thought_gain.cpp measures what others would win. Takes
about a minute for 1,000 games on two cores, ten with ``--strong 64``.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import numpy.typing as npt

ROOT = Path(__file__).parents[1]
BUILD = ROOT / "build/benchmarks"
PARTS = 10
LATE = 60  # log2 of the layouts: kLate in thinker.cpp
FEATURES = ("one safe cell", "two", "three", "five or more", "a zero, in the opening",
            "no safe cell", "… the safest free", "… the second free", "fate")  # fmt: skip

Floats = npt.NDArray[np.float64]


def build() -> Path:
    """Compile the program that plays."""
    BUILD.mkdir(parents=True, exist_ok=True)
    options = ["-D", "MINEPROOF_BINDINGS=OFF", "-D", "MINEPROOF_BENCHMARKS=ON", "-D", "CMAKE_BUILD_TYPE=Release"]
    configure = ["cmake", "-S", ROOT, "-B", BUILD, "-G", "Ninja", "--log-level=WARNING", *options]
    for command in (configure, ["cmake", "--build", BUILD]):
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return BUILD / "guess_data"


def play(program: Path, games: int, seed: int, playouts: int, strong: int) -> list[Floats]:
    """The data of all parts; a part is half safe, half open."""
    each = max(1, games // (2 * PARTS))

    def run(job: tuple[int, str]) -> Floats:
        part, rule = job
        command = [program, str(part * each), str(each), str(seed), rule, str(playouts), str(strong)]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        data = np.array([line.split() for line in done.stdout.splitlines()], dtype=np.float64).reshape(-1, 24)
        data[:, 0] += 1e7 * (2 * part + (rule == "open"))  # decisions of all programs apart
        return data

    jobs = [(part, rule) for part in range(PARTS) for rule in ("safe", "open")]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(run, jobs))
    return [np.concatenate(results[2 * part : 2 * part + 2]) for part in range(PARTS)]


def read_parts(path: Path | None) -> list[Floats]:
    """What an earlier run has played."""
    if path is None or not path.exists():
        return []
    with np.load(path) as saved:
        return [saved[name] for name in saved.files]


def close(data: Floats, within: float) -> Floats:
    """The candidates that might be chosen: those whose score is close to the best of their decision."""
    decision = np.unique(data[:, 0], return_inverse=True)[1]
    best = np.zeros(decision.max() + 1)
    np.maximum.at(best, decision, data[:, 5])
    values: Floats = data[data[:, 5] >= (1 - within) * best[decision]]
    return values


class Sample:
    """Candidates as differences from the means of their decisions, which have two candidates or more."""

    def __init__(self, data: Floats) -> None:
        _, decision, count = np.unique(data[:, 0], return_inverse=True, return_counts=True)
        keep = count[decision] > 1
        self._decision = np.unique(decision[keep], return_inverse=True)[1]
        data = data[keep]
        worth = data[:, 14:16].mean(axis=1)
        mean = self._means(worth)
        good = mean > 0
        scale = np.where(good, mean, 1)[self._decision]
        self.features = self._apart(np.column_stack([data[:, 6:14], data[:, 4]]))
        self.worth = np.where(good[self._decision], self._apart(worth) / scale, 0)
        self.halves = [np.where(good[self._decision], self._apart(data[:, 14 + half]) / scale, 0) for half in (0, 1)]
        self.data = data

    def _means(self, values: Floats) -> Floats:
        sums = np.zeros((self._decision.max() + 1, *values.shape[1:]))
        np.add.at(sums, self._decision, values)
        return sums / np.bincount(self._decision).reshape(-1, *[1] * (values.ndim - 1))

    def _apart(self, values: Floats) -> Floats:
        return values - self._means(values)[self._decision]

    @property
    def decisions(self) -> int:
        return int(self._decision.max()) + 1


def fit(sample: Sample) -> Floats:
    """The constants in the order of `CONSTANTS`."""
    weights = np.linalg.lstsq(sample.features, sample.worth, rcond=None)[0]
    one = weights[0]
    # Where there are two safe cells there is one; the code adds up in the same way.
    relative = weights / one
    score = sample.features @ relative
    slope = float(score @ sample.worth / (score @ score))
    rest = [half - slope * score for half in sample.halves]
    both = rest[0] * rest[1]  # on average, the square of what both halves agree on, beyond the score
    errors = [float(np.sqrt(max(0.0, both[phase].mean()))) if phase.any() else np.nan for phase in phases(sample)]
    return np.array(
        [
            *relative[1:5], relative[5], relative[6], relative[7], relative[8], slope, *errors, common(sample),
            *by_strong(sample),
        ]
    )  # fmt: skip


def phases(sample: Sample) -> list[npt.NDArray[np.bool_]]:
    """Which candidates are of the opening, of the middle of a game, and of a time with few layouts."""
    opening, late = sample.data[:, 2] > 0, sample.data[:, 1] < LATE
    return [opening, ~opening & ~late, ~opening & late]


def common(sample: Sample) -> float:
    """The share of the variance of a playout that it has in common with the first candidate's."""
    count, mean, first, square, first_square, product = sample.data[:, 16:22].T
    enough = (count >= 8) & (product != square)  # not the first candidate itself
    count, mean, first = count[enough], mean[enough] / count[enough], first[enough] / count[enough]
    variance = square[enough] / count - mean**2
    first_variance = first_square[enough] / count - first**2
    together = product[enough] / count - mean * first
    return float(together.sum() / np.sqrt(np.maximum(variance * first_variance, 0)).sum())


def by_strong(sample: Sample) -> list[float]:
    """How much the worth of a candidate, relative to others, differs if ``strong`` plays on instead of ``fast``."""
    played = sample.data[sample.data[:, 22] + sample.data[:, 23] > 0]
    if not len(played):
        return [np.nan] * 3
    better = played.copy()
    better[:, 14:16] = played[:, 22:24]
    one, other = Sample(played), Sample(better)
    both = (one.halves[0] - other.halves[0]) * (one.halves[1] - other.halves[1])
    return [float(np.sqrt(max(0.0, both[phase].mean()))) if phase.any() else np.nan for phase in phases(one)]


WORTHS = ("two_safe", "three_safe", "five_safe", "zero", "stuck", "safest", "second")
CONSTANTS = (*WORTHS, "shared_fate",
             "kByScore", "kOpeningError", "kMiddleError", "kLateError", "kCommon",
             "kOpeningBias", "kMiddleBias", "kLateBias")  # fmt: skip


def in_the_code() -> dict[str, float]:
    source = (ROOT / "native/src/thinker.cpp").read_text("utf-8")
    header = (ROOT / "native/include/mineproof/decider.hpp").read_text("utf-8")
    results = {name: float(value) for name, value in re.findall(r"\b(k\w+) = (-?[0-9.]+)[,;]", source)}
    worths, strong = (_list_values(header, name) for name in ("kWorths", "kStrong"))
    return results | dict(zip(WORTHS, worths, strict=True)) | {"shared_fate": strong[2]}


def _list_values(header: str, name: str) -> list[float]:
    """The numbers of a constant of decider.hpp."""
    match = re.search(rf"\b{name}\{{([^}}]*)\}}", header)
    assert match is not None, f"decider.hpp has no {name}"
    return [float(number.replace("'", "")) for number in match[1].split(",")]


def jackknife(parts: list[Floats], statistic: Callable[[Sample], Floats]) -> Floats:
    """Standard errors by leaving out one part after the other."""
    left_out = [statistic(Sample(np.concatenate(parts[:i] + parts[i + 1 :]))) for i in range(len(parts))]
    spread = np.array(left_out)
    error: Floats = np.sqrt((len(parts) - 1) * np.var(spread, axis=0))
    return error


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=11, help="must differ from those of published win rates")
    parser.add_argument("--playouts", type=int, default=64)
    parser.add_argument("--strong", type=int, default=0, help="playouts by strong, for the biases: ten times the work")
    parser.add_argument("--within", type=float, default=0.1, help="share of the best score that a candidate may lack")
    parser.add_argument("--data", type=Path, help="keep what was played in this file, or fit what it holds")
    parser.add_argument("--build", action="store_true", help="only compile the programs of this folder")
    wish = parser.parse_args()
    if wish.build:
        print(build().parent)
        return
    if wish.games < 2 * PARTS:
        sys.exit(f"--games must be at least {2 * PARTS}, got {wish.games}")
    parts = read_parts(wish.data) or play(build(), wish.games, wish.seed, wish.playouts, wish.strong)
    if wish.data is not None and not wish.data.exists():
        np.savez_compressed(wish.data, *parts)
    parts = [close(part, wish.within) for part in parts]
    sample = Sample(np.concatenate(parts))
    print(f"{wish.games} games, seed {wish.seed}: {sample.decisions} decisions, {len(sample.worth)} candidates")
    errors = jackknife(parts, fit)
    written = in_the_code()
    print(f"{'constant':12} {'in the code':>12} {'fitted':>9}   two standard errors")
    for name, value, error in zip(CONSTANTS, fit(sample), errors, strict=True):
        if np.isnan(value):
            continue
        print(f"{name:12} {written[name]:12.3f} {value:9.3f} ± {2 * error:.3f}")


if __name__ == "__main__":
    main()
