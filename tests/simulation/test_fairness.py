"""Simulations with a fairness rule: who is protected, and that results keep the rule."""

from __future__ import annotations

from typing import Any

import pytest

import mineproof as mp
from mineproof.game.rules import Fairness
from support.command import mineproof
from support.engines import needs_kernel

pytestmark = needs_kernel

SIZE: dict[str, Any] = {"rows": 5, "columns": 5, "mines": 6, "games": 60, "seed": 2}


def safest(board: mp.Board, analysis: mp.Analysis) -> tuple[int, int]:
    return min(board.cells(mp.COVERED), key=lambda cell: (float(analysis.mine_probability[cell]), cell))


def riskiest(board: mp.Board, analysis: mp.Analysis) -> tuple[int, int]:
    free = [cell for cell in board.cells(mp.COVERED) if cell not in analysis.mines]
    return max(free, key=lambda cell: (float(analysis.mine_probability[cell]), cell))


@pytest.mark.slow
def test_a_game_without_a_hit_is_the_same_under_every_rule() -> None:
    plain = mp.simulate(**SIZE, strategy="strong")
    for fairness in ("forced", "kind", "strict", "safest", "local"):
        fair = mp.simulate(**SIZE, strategy="strong", fairness=fairness)
        assert (fair.won >= plain.won).all(), fairness
        assert fair.fairness == fairness
    assert 0 < plain.wins < 60


@pytest.mark.parametrize("fairness", ["forced", "kind", "strict"])
def test_a_strategy_that_guesses_only_if_forced_never_loses(fairness: Fairness) -> None:
    assert mp.simulate(**SIZE, strategy="strong", fairness=fairness).wins == 60


@pytest.mark.parametrize("fairness", ["safest", "local"])
def test_only_the_safest_guess_is_protected(fairness: Fairness) -> None:
    assert mp.simulate(**SIZE, strategy=safest, fairness=fairness).wins == 60
    assert mp.simulate(**SIZE, strategy=riskiest, fairness=fairness).wins < 60


def test_the_rule_is_part_of_the_series() -> None:
    fair = mp.simulate(**SIZE, strategy="fast", fairness="local")
    assert fair.as_json()["fairness"] == "local"
    assert mp.Simulation.from_json(fair.to_json()) == fair
    part = mp.simulate(**SIZE | {"games": 20}, strategy="fast", fairness="local")
    assert mp.simulate(**SIZE, strategy="fast", fairness="local", resume=part) == fair
    with pytest.raises(ValueError, match="fairness='local', not 'safest'"):
        mp.simulate(**SIZE, strategy="fast", fairness="safest", resume=part)
    with pytest.raises(ValueError, match="same fairness"):
        mp.compare(fair, mp.simulate(**SIZE, strategy="fast"))
    with pytest.raises(ValueError, match="fairness must be one of"):
        mp.simulate(**SIZE, strategy="fast", fairness="x")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="which plays whole games only"):
        mp.simulate(**SIZE, strategy="go", fairness="local")


def test_the_command_names_the_rule() -> None:
    options = ["simulate", "5x5x6", "--games", "20", "--strategy", "strong", "--fairness", "safest"]
    assert mineproof(*options).lines[0].endswith("seed 0, fairness safest")
    compared = mineproof(*options, "--against", "fast", "--json").json()
    assert [one["fairness"] for one in compared["simulations"]] == ["safest", "safest"]
    assert mineproof(*options, "--weighted").status == 2
