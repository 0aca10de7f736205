"""The environments play as `mineproof.game` does: the same boards, step by step, under every rule."""

from itertools import product
from typing import Any, get_args

import gymnasium
import numpy as np
import numpy.typing as npt
import pytest

import mineproof as mp
from mineproof.base.rng import Random
from mineproof.board.geometry import Topology
from mineproof.board.start import FIRST_CLICKS, FirstClick
from mineproof.game.rules import FAIRNESSES, Fairness
from mineproof.gym import Minesweeper, MinesweeperVector
from mineproof.gym.settings import REWARDS
from support.positions import CLASSIC

FAIRNESS_STREAM = 1 << 61


class Referee:
    """Game ``number`` of a seed as the other rooms play it, with what each step should be worth."""

    def __init__(self, setting: dict[str, Any], seed: int, number: int) -> None:
        self.setting, self.seed, self.number = setting, seed, number
        self.rewards: dict[str, float] = {**REWARDS, **setting.get("rewards", {})}
        self.game: mp.Game | None = None

    def open(self, cell: tuple[int, int]) -> float:
        """Make a move, if the cell is covered; what it is worth."""
        setting, rewards = self.setting, self.rewards
        if self.game is None:
            layout = mp.generate(
                setting["rows"], setting["columns"], setting["mines"], seed=self.seed, number=self.number,
                start=cell, first_click=setting["first_click"], topology=setting["topology"],
            )  # fmt: skip
            own = Random(self.seed, self.number | FAIRNESS_STREAM).next()
            self.game = mp.Game(layout, first_click="any", fairness=setting["fairness"], seed=own)
        board = self.game.board
        if board[cell] >= 0:
            return rewards["repeat"]
        is_blind = self.game.status != "new" and all(board[other] < 0 for other in board.neighbours(cell))
        outcome = self.game.open(*cell)
        safe: int = setting["rows"] * setting["columns"] - setting["mines"]
        worth = rewards["blind"] * is_blind + rewards["progress"] * len(outcome.opened) / safe
        return worth + {"won": rewards["win"], "lost": rewards["lose"]}.get(outcome.status, 0.0)

    @property
    def codes(self) -> npt.NDArray[np.int8]:
        rows, columns = self.setting["rows"], self.setting["columns"]
        if self.game is None:
            return np.full((rows, columns), mp.COVERED, dtype=np.int8)
        return self.game.board.to_array()

    @property
    def status(self) -> str:
        return "new" if self.game is None else self.game.status


def setting_of(
    topology: Topology, first_click: FirstClick, fairness: Fairness = "none", mines: int = 8, **more: object
) -> dict[str, Any]:
    size = {"rows": 6, "columns": 7, "mines": mines}
    return {**size, "topology": topology, "first_click": first_click, "fairness": fairness, **more}


def check_against_the_referee(setting: dict[str, Any], games: int, seed: int) -> set[str]:
    """Random openings, one in eight of an open cell; the ways in which the games ended."""
    env = Minesweeper(**setting)
    random = np.random.default_rng(seed)
    endings = set()
    for number in range(games):
        observation, info = env.reset(seed=seed) if number == 0 else env.reset()
        referee = Referee(setting, seed, number)
        assert env.game == (seed, number)
        while True:
            np.testing.assert_array_equal(observation, referee.codes)
            np.testing.assert_array_equal(info["action_mask"].reshape(observation.shape), referee.codes == mp.COVERED)
            is_open = observation.ravel() >= 0
            choices = is_open if is_open.any() and random.random() < 1 / 8 else ~is_open
            action = random.choice(np.flatnonzero(choices))
            expected = referee.open(divmod(int(action), setting["columns"]))
            observation, reward, terminated, truncated, info = env.step(action)
            assert reward == pytest.approx(expected, abs=1e-6)
            assert (terminated, truncated) == (referee.status in ("won", "lost"), False)
            if terminated:
                assert info["won"] == (referee.status == "won")
                assert referee.game is not None
                mines = {(int(row), int(column)) for row, column in np.argwhere(env.mines)}
                assert mines == referee.game.layout.mines
                np.testing.assert_array_equal(observation, referee.codes)
                endings.add(referee.status)
                break
    return endings


@pytest.mark.parametrize(("topology", "first_click"), list(product(CLASSIC, FIRST_CLICKS)))
def test_games_are_those_of_the_game_room(topology: Topology, first_click: FirstClick) -> None:
    rewards = {"progress": 3.0, "blind": -0.25}
    setting = setting_of(topology, first_click, mines=3, rewards=rewards)
    assert check_against_the_referee(setting, games=20, seed=5) == {"won", "lost"}


@pytest.mark.parametrize("mines", [0, 1, 20, 33, 34, 38, 40, 41])
def test_there_is_room_for_any_number_of_mines(mines: int) -> None:
    """With 34 and more, some lie beside the first click; with 41 it is the only safe cell."""
    for first_click in FIRST_CLICKS:
        check_against_the_referee(setting_of("grid", first_click, mines=mines), games=3, seed=9)


@pytest.mark.parametrize(("topology", "fairness"), list(product(CLASSIC, FAIRNESSES[1:])))
def test_fairness_is_that_of_the_game_room(topology: Topology, fairness: Fairness) -> None:
    endings = check_against_the_referee(setting_of(topology, "any", fairness, mines=6), games=12, seed=2)
    assert "lost" in endings or fairness == "kind"


def test_the_rules_are_all_tried() -> None:
    assert {"any", "safe", "open"} == set(get_args(FirstClick))
    assert len(FAIRNESSES) == 6


@pytest.mark.parametrize(("topology", "first_click"), list(product(CLASSIC, FIRST_CLICKS)))
@pytest.mark.parametrize("fairness", ["none", "kind"])
def test_boards_of_a_vector_are_those_of_single_environments(
    topology: Topology, first_click: FirstClick, fairness: Fairness
) -> None:
    setting = setting_of(topology, first_click, fairness, rewards={"progress": 1.0, "blind": -1.0})
    count, random = 5, np.random.default_rng(4)
    vector = MinesweeperVector(count, **setting)
    singles = [Minesweeper(**setting) for _ in range(count)]
    observations, info = vector.reset(seed=40)
    expected = [env.reset(seed=40 + board) for board, env in enumerate(singles)]
    over = np.zeros(count, dtype=np.bool_)
    for _ in range(60):
        np.testing.assert_array_equal(observations, np.stack([seen for seen, _ in expected]))
        np.testing.assert_array_equal(info["action_mask"], np.stack([told["action_mask"] for _, told in expected]))
        actions = random.integers(0, 42, count)
        observations, rewards, terminated, truncated, info = vector.step(actions)
        for board, env in enumerate(singles):
            if over[board]:
                expected[board] = env.reset()
                assert (rewards[board], terminated[board], info["won"][board]) == (0, False, False)
            else:
                seen, reward, is_over, _, told = env.step(actions[board])
                expected[board] = seen, told
                assert (rewards[board], terminated[board]) == (np.float32(reward), is_over)
                assert info["won"][board] == told.get("won", False)
            assert (int(vector.seeds[board]), int(vector.numbers[board])) == env.game
        assert not truncated.any()
        over = terminated
    assert vector.numbers.min() > 0, "no game was followed by another one"


@pytest.mark.slow
@pytest.mark.parametrize("fairness", ["none", "forced"])
def test_threads_change_nothing(fairness: Fairness) -> None:
    """Two thousand boards are enough for every thread to have some."""
    setting = setting_of("grid", "safe", fairness)
    vectors = [MinesweeperVector(2000, **setting, threads=threads) for threads in (1, 2, 7)]
    random = np.random.default_rng(6)
    for vector in vectors:
        vector.reset(seed=1)
    for _ in range(12):
        actions = random.integers(0, 42, 2000)
        first, *others = [vector.step(actions) for vector in vectors]
        for other in others:
            for found, expected in zip(other[:4], first[:4], strict=True):
                np.testing.assert_array_equal(found, expected)
            np.testing.assert_array_equal(other[4]["action_mask"], first[4]["action_mask"])


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_a_reveal_that_cannot_be_judged_truncates_its_game_alone(mode: str) -> None:
    """Without states nothing can be counted; single numbers still decide, so the first cells open."""
    setting: dict[str, Any] = {"level": "expert", "fairness": "kind", "first_click": "open"}
    vector = MinesweeperVector(6, **setting, budget=mp.Budget(states=0), autoreset_mode=mode)
    ample = MinesweeperVector(6, **setting, autoreset_mode=mode)
    before, _ = vector.reset(seed=1)
    ample.reset(seed=1)
    for action in range(0, 480, 7):
        observations, rewards, terminated, truncated, info = vector.step([action] * 6)
        expected, *_ = ample.step([action] * 6)
        np.testing.assert_array_equal(truncated, info["unjudged"])
        if truncated.any():
            break
        before = observations
    assert truncated.any()
    assert not truncated.all()
    np.testing.assert_array_equal(observations[~truncated], expected[~truncated])  # the others have moved
    assert (observations[~truncated] != before[~truncated]).any()
    assert not (terminated | info["won"])[truncated].any()
    assert (rewards[truncated] == 0).all()
    last = observations if mode == "NextStep" else info["final_obs"]
    np.testing.assert_array_equal(last[truncated], before[truncated])
    assert (before[truncated] >= 0).any()
    if mode == "NextStep":
        observations, _, _, again, info = vector.step([action] * 6)
        assert not (again | info["unjudged"])[truncated].any()
    else:
        np.testing.assert_array_equal(info["final_info"]["unjudged"][truncated], True)
        np.testing.assert_array_equal(info["final_info"]["_unjudged"], truncated)
    np.testing.assert_array_equal(vector.numbers, truncated)
    assert (observations[truncated] == mp.COVERED).all()


def test_a_single_game_that_cannot_be_judged_is_truncated() -> None:
    env = Minesweeper("expert", fairness="kind", first_click="open", budget=mp.Budget(states=0))
    before, info = env.reset(seed=1)
    for action in range(0, 480, 7):
        assert "unjudged" not in info
        observation, reward, terminated, truncated, info = env.step(action)
        if truncated:
            break
        before = observation
    assert (truncated, terminated, reward, info["unjudged"]) == (True, False, 0, True)
    np.testing.assert_array_equal(observation, before)
    with pytest.raises(mp.IllegalMoveError, match="is over"):
        env.step(action)
    assert "unjudged" not in env.reset()[1]


def test_seconds_do_not_count() -> None:
    """A game that a slow machine cuts short would be another one there."""
    setting: dict[str, Any] = {"level": "16x16x60", "fairness": "kind", "autoreset_mode": "SameStep"}
    vector = MinesweeperVector(8, **setting, budget=mp.Budget(seconds=0))
    random = np.random.default_rng(0)
    _, info = vector.reset(seed=1)
    for _ in range(120):
        masks = info["action_mask"]
        actions = (random.random(masks.shape, dtype=np.float32) * masks).argmax(axis=1)
        *_, info = vector.step(actions)
        assert not info["unjudged"].any()


def test_games_of_simulate_are_those_of_a_seed() -> None:
    """The strategy ``strong`` wins the games in the kernel that the agent wins here."""
    from mineproof.gym.agents import make_agent

    simulation = mp.simulate("beginner", games=12, strategy="strong", seed=7)
    env = gymnasium.make("mineproof/Minesweeper-v0", level="beginner")
    agent = make_agent("strong", env)
    won = []
    for number in range(12):
        observation, info = env.reset(seed=7, options={"number": number})
        terminated = False
        while not terminated:
            observation, _, terminated, _, info = env.step(agent(observation, info["action_mask"]))
        won.append(info["won"])
    assert won == [bool(each) for each in simulation.outcomes]
    assert set(won) == {True, False}
