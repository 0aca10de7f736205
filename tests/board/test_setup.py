"""`Setup`: one value for the size, shape, first click and seed, taken wherever these are arguments."""

import copy
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mineproof as mp
from mineproof.gym import Minesweeper, MinesweeperVector

SETUP = mp.Setup("beginner", first_click="open", start=(4, 4), seed=7)
SINGLY: dict[str, Any] = {"first_click": "open", "start": (4, 4), "seed": 7}


@pytest.mark.parametrize(
    "play",
    [
        mp.generate,
        lambda *size, **options: list(mp.generate_many(3, *size, **options)),
        lambda *size, **options: mp.simulate(*size, games=64, **options),
        lambda *size, **options: mp.tournament(*size, strategies=["fast"], games=16, **options).players,
        lambda *size, **options: [row.as_json() for row in mp.sweep(*size, games=64, **options)],
    ],
)
def test_it_stands_for_its_arguments(play: Callable[..., object]) -> None:
    assert play(SETUP) == play("beginner", **SINGLY)


def test_a_dataset_takes_it(tmp_path: Path) -> None:
    written = [
        mp.dataset(tmp_path / "setup.parquet", SETUP, positions=40).path.read_bytes(),
        mp.dataset(tmp_path / "singly.parquet", "beginner", positions=40, **SINGLY).path.read_bytes(),
    ]
    assert written[0] == written[1]


def test_environments_take_it() -> None:
    setup = mp.Setup(5, 6, 7, first_click="open", topology="hex")
    one, many = Minesweeper(setup), MinesweeperVector(2, level=setup)
    for setting in (one.setting, many.setting):
        assert (setting.rows, setting.columns, setting.mines, setting.first_click) == (5, 6, 7, "open")
        assert setting.geometry.topology == "hex"
    assert np.array_equal(
        one.reset(seed=1)[0], Minesweeper(rows=5, columns=6, mines=7, topology="hex").reset(seed=1)[0]
    )


def test_a_shape_and_holes() -> None:
    setup = mp.Setup(4, 4, 3, topology="torus", absent=[(1, 1), (0, 0)], seed=1)
    assert setup.absent == ((0, 0), (1, 1))
    assert mp.generate(setup) == mp.generate(4, 4, 3, topology="torus", absent=[(0, 0), (1, 1)], seed=1)


def test_other_arguments_are_free() -> None:
    setup = mp.Setup("9x9x10", seed=3)
    assert mp.generate(setup, no_guess=True, start=(0, 0)).start == (0, 0)
    assert mp.simulate(setup, games=16, first_click="open").first_click == "open"


@pytest.mark.parametrize("options", [{"seed": 7}, {"columns": 3}, {"topology": "hex", "seed": 2}])
def test_an_argument_is_not_given_twice(options: dict[str, Any]) -> None:
    setup = mp.Setup("beginner", seed=7, topology="hex")
    with pytest.raises(TypeError, match=f"got {', '.join(sorted(options))} besides a Setup, which has it"):
        mp.generate(setup, **options)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("huge",), "expected beginner"),
        ((9, 9), "expected rows, columns and mines"),
        ((9, 9, 10.5), "mines"),
    ],
)
def test_a_wrong_size_is_refused(arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises((mp.BoardSyntaxError, TypeError), match=message):
        mp.Setup(*arguments)


@pytest.mark.parametrize("options", [{"topology": "ring"}, {"first_click": "free"}, {"seed": -1}, {"absent": [(0,)]}])
def test_wrong_options_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises((TypeError, ValueError), match=next(iter(options))):
        mp.Setup(**options)


def test_it_is_a_value() -> None:
    assert mp.Setup("expert") == mp.Setup(16, 30, 99) == mp.Setup()
    assert len({SETUP, mp.Setup("beginner", first_click="open", start=(4, 4), seed=7)}) == 1
    assert pickle.loads(pickle.dumps(SETUP)) == copy.deepcopy(SETUP) == SETUP
