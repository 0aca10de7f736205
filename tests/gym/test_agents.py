"""Agents: what they open, how often they win, and that something can be learned."""

import importlib.util
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import gymnasium
import numpy as np
import pytest

import mineproof as mp
from mineproof.gym import ID, Minesweeper, MinesweeperVector
from mineproof.gym.agents import AGENTS, Actions, AgentScore, Codes, Masks, make_agent, score
from support.positions import CLASSIC


@pytest.mark.slow
@pytest.mark.parametrize("name", AGENTS)
@pytest.mark.parametrize("topology", CLASSIC)
def test_agents_open_covered_cells_until_the_end(name: str, topology: str) -> None:
    env = gymnasium.make_vec(ID, num_envs=12, level="6x6x6", topology=topology)
    agent = make_agent(name, env, seed=3)
    observations, info = env.reset(seed=1)
    over = np.zeros(12, dtype=np.bool_)
    for _ in range(25):
        actions = agent(observations, info["action_mask"])
        assert info["action_mask"][np.arange(12), actions][~over].all()
        observations, _, over, _, info = env.step(actions)


@pytest.mark.parametrize("topology", CLASSIC)
@pytest.mark.parametrize("name", ["single", "exact", "strong"])
def test_what_is_certain_is_opened_first(name: str, topology: str) -> None:
    """``exact`` and ``strong`` lose by guesses alone; ``single`` may overlook, but what one number proves is safe."""
    env = Minesweeper("7x7x9", topology=topology)  # type: ignore[arg-type]
    agent = make_agent(name, env)
    met = 0
    for seed in range(6):
        observation, info = env.reset(seed=seed)
        terminated = False
        while not terminated:
            analysis = mp.analyze(env.board)
            action = int(agent(observation, info["action_mask"]))
            cell = divmod(action, 7)
            if name != "single":
                least = min(chance for chance in analysis.mine_probability.ravel() if not np.isnan(chance))
                assert (cell in analysis.safe) == bool(analysis.safe)
                assert name == "strong" or analysis.mine_probability[cell] == least
            else:
                proved = single_numbers(env.board)
                assert not proved or cell in proved
                met += bool(proved)
            observation, _, terminated, _, info = env.step(action)
            assert not (terminated and not info["won"] and cell in analysis.safe)
    assert met > 10 or name != "single"


def single_numbers(board: mp.Board) -> set[tuple[int, int]]:
    """Cells that one number proves safe once others have proved mines: the textbook, cell by cell."""
    mines: set[tuple[int, int]] = set()
    numbers = [cell for cell in np.ndindex(board.rows, board.columns) if board[cell] >= 0]
    for cell in numbers:
        covered = [other for other in board.neighbours(cell) if board[other] < 0]
        if len(covered) == board[cell]:
            mines.update(covered)
    safe: set[tuple[int, int]] = set()
    for cell in numbers:
        covered_cells = {other for other in board.neighbours(cell) if board[other] < 0}
        if len(covered_cells & mines) == board[cell]:
            safe |= covered_cells - mines
    return safe


def test_better_agents_win_more_often() -> None:
    env = gymnasium.make_vec(ID, num_envs=100, level="beginner")
    random, single, exact = (
        score(make_agent(name, env), env, games=300, seed=2) for name in ("random", "single", "exact")
    )
    assert random.win_rate < 0.02
    assert 0.55 < single.win_rate < 0.80 < exact.win_rate


def test_scores_are_the_same_for_any_way_to_reset_and_any_number_of_threads() -> None:
    results = {
        score(make_agent("exact", env), env, games=90, seed=5)
        for env in (
            MinesweeperVector(30, "6x6x7", threads=1),
            MinesweeperVector(30, "6x6x7", threads=2, autoreset_mode="SameStep"),
            MinesweeperVector(30, "6x6x7", copy=False),
        )
    }
    assert len(results) == 1
    (one,) = results
    assert one.games == 90
    assert 0 < one.wins < 90


def test_a_score_counts_the_games_of_its_seeds() -> None:
    """Board i plays games 0 and 1 of seed + i: opening cell 0 of each is enough to know how it ends here."""
    env = MinesweeperVector(10, "2x2x2", first_click="any")

    class First:
        def __call__(self, observations: object, action_masks: Masks) -> Actions:
            return np.asarray(action_masks.argmax(axis=1))

    expected = 0
    for seed, number in ((seed, number) for seed in range(50, 60) for number in (0, 1)):
        layout = mp.generate(2, 2, 2, seed=seed, number=number, start=(0, 0), first_click="any")
        expected += layout.mines == {(1, 0), (1, 1)}
    result = score(First(), env, games=20, seed=50)
    assert result == AgentScore(20, expected)
    assert expected > 0
    assert str(AgentScore(4, 1)) == "25.00% of 4 games (95 %: 4.56% to 69.94%)"


@pytest.mark.parametrize("name", ["exact", "strong"])
def test_agents_open_covered_cells_where_the_analysis_gives_up(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An open cell would change nothing, and the agent choose it again, for ever."""
    from mineproof.gym import agents

    def analyze_little(*arguments: Any, **options: Any) -> Any:
        return mp.analyze_many(*arguments, budget=mp.Budget(states=1), **options)

    def weigh_little(*arguments: Any, **options: Any) -> Any:
        return mp.best_move(*arguments, budget=mp.Budget(states=1), **options)

    monkeypatch.setattr(agents, "analyze_many", analyze_little)
    monkeypatch.setattr(agents, "best_move", weigh_little)
    env = MinesweeperVector(20, "expert", first_click="open")
    agent = make_agent(name, env)
    env.reset(seed=1)
    observations, _, _, _, info = env.step([0] * 20)
    assert np.isnan(analyze_little(observations, 99).mine_probability.reshape(20, -1)).all(axis=1).any()
    actions = agent(observations, info["action_mask"])
    assert info["action_mask"][np.arange(20), actions].all()


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_a_game_without_an_end_is_not_won(mode: str) -> None:
    """The agent opens one cell, for ever; where that cell is the last one, it has won. Others are as they would be."""
    env = MinesweeperVector(10, "3x3x7", autoreset_mode=mode)

    def first(observations: Codes, action_masks: Masks) -> Actions:
        return np.zeros(10, dtype=np.int64)

    assert score(first, env, games=30) == AgentScore(30, 0)

    def half(observations: Codes, action_masks: Masks) -> Actions:
        actions = make_agent("exact", env)(observations, action_masks)
        actions[:5] = 0
        return actions

    stubborn, exact = score(half, env, games=30), score(make_agent("exact", env), env, games=30)
    assert 0 < stubborn.wins < exact.wins
    assert stubborn.games == 30


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda env: make_agent("clever", env), "name must be one of random, single, exact, strong, got 'clever'"),
        (lambda env: make_agent("exact", env.spec), "env must be a Minesweeper environment of mineproof.gym"),
        (lambda env: make_agent("random", env, seed=-1), "seed must be from 0 to"),
        (lambda env: score(make_agent("exact", env), env, games=0), "games must be at least 1, got 0"),
        (
            lambda env: score(make_agent("exact", env), MinesweeperVector(2, autoreset_mode="Disabled"), games=3),
            "The environment does not reset itself",
        ),
    ],
)
def test_what_agents_are_not_made_for(call: Callable[[MinesweeperVector], object], message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        call(MinesweeperVector(2))


# learning


@pytest.fixture(scope="module")
def learning() -> ModuleType:
    path = Path(__file__).parents[2] / "benchmarks/gym_learning.py"
    result = importlib.util.spec_from_file_location("gym_learning", path)
    assert result is not None
    assert result.loader is not None
    module = importlib.util.module_from_spec(result)
    result.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_the_example_learns(learning: ModuleType) -> None:
    """From next to nothing, in 40,000 steps, to ten times what chance wins."""
    env = gymnasium.make_vec(ID, num_envs=500, level="5x5x4")
    learner = learning.Learner()
    before = score(learner, env, games=1000, seed=2**63)
    for _ in learning.train(learner, "5x5x4", 40_000):
        pass
    after = score(learner, env, games=1000, seed=2**63)
    chance = score(make_agent("random", env), env, games=1000, seed=2**63)
    assert before.win_rate < 0.03
    assert chance.win_rate < 0.04
    assert after.win_rate > 0.30
