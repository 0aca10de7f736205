"""What Gymnasium asks of an environment, and what a user may get wrong."""

import copy
import json
import multiprocessing
import pickle
import signal
import subprocess
import sys
import threading
import tracemalloc
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

import mineproof as mp
import mineproof.gym
from mineproof.gym import ID, Minesweeper, MinesweeperVector
from support.patience import PATIENCE
from support.positions import CLASSIC

# One setting, three ways in which a game is followed by the next one.
SMALL: dict[str, Any] = {"rows": 3, "columns": 4, "mines": 3}


@pytest.mark.parametrize("topology", [*CLASSIC, "triangles"])
@pytest.mark.parametrize("fairness", ["none", "strict"])
def test_gymnasium_finds_nothing_wrong(topology: str, fairness: str) -> None:
    for render_mode in ("ansi", "rgb_array"):
        env = gymnasium.make(ID, level="6x5x4", topology=topology, fairness=fairness, render_mode=render_mode)
        check_env(env.unwrapped)


@pytest.mark.parametrize("level", [*mp.LEVELS, "7x3x2"])
def test_sizes(level: str) -> None:
    rows, columns, mines = (3, 7, 2) if level == "7x3x2" else mp.LEVELS[level]
    for env in (gymnasium.make(ID, level=level), gymnasium.make(ID, rows=rows, columns=columns, mines=mines)):
        assert env.observation_space.shape == (rows, columns)
        assert env.action_space.n == rows * columns  # type: ignore[attr-defined]
        assert env.unwrapped.setting.mines == mines  # type: ignore[attr-defined]
    vector = gymnasium.make_vec(ID, num_envs=3, level=level)
    assert vector.observation_space.shape == (3, rows, columns)
    assert isinstance(vector.unwrapped, MinesweeperVector)


def test_the_default_is_beginner() -> None:
    assert Minesweeper().observation_space.shape == (9, 9)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            {"level": "hard"},
            "expected beginner, beginner8, intermediate, expert or a size such as 30x16x99, got 'hard'",
        ),
        ({"level": 3}, "level must be a str, got int"),
        ({"level": "expert", "mines": 3}, "Pass a level, or rows, columns and mines, not both"),
        ({"rows": 4, "columns": 4}, "expected rows, columns and mines, or a level"),
        ({"columns": 4, "mines": 4}, "expected rows, columns and mines, or a level"),
        ({"rows": 4, "columns": 4, "mines": 16}, "expected 0 to 15 mines besides the first click, got 16"),
        ({"rows": 4, "columns": 4, "mines": -1}, "expected 0 to 15 mines besides the first click, got -1"),
        ({"rows": 0, "columns": 4, "mines": 0}, "expected a board of at least one cell, got 4 × 0"),
        ({"rows": "expert", "columns": 4, "mines": 0}, "rows must be a whole number, got 'expert'"),
        ({"topology": "disc"}, "topology must be one of grid, torus, hex, .*, got 'disc'"),
        ({"topology": "sphere", "rows": 4, "columns": 5, "mines": 2}, "need a shape without holes, got sphere"),
        ({"first_click": "never"}, "first_click must be one of any, safe, open, got 'never'"),
        ({"fairness": "some"}, "fairness must be one of none, forced, kind, strict, safest, local, got 'some'"),
        ({"rewards": {"victory": 1}}, "rewards must be of win, lose, progress, blind, repeat, got 'victory'"),
        ({"rewards": {"win": "much"}}, "rewards\\['win'\\] must be a number, got 'much'"),
        ({"rewards": {"win": float("nan")}}, "rewards\\['win'\\] must be finite, got nan"),
        ({"rewards": {"win": float("inf")}}, "rewards\\['win'\\] must be finite, got inf"),
        ({"rewards": 3}, "rewards must be a Mapping, got int"),
        ({"render_mode": "human"}, "render_mode must be one of ansi, rgb_array, got 'human'"),
        ({"budget": 5.0}, "budget must be a Budget, got float .whose states count"),
    ],
)
def test_what_cannot_be_made(arguments: dict[str, Any], message: str) -> None:
    for make in (Minesweeper, MinesweeperVector):
        with pytest.raises((ValueError, TypeError), match=message):
            make(**arguments)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"num_envs": 0}, "num_envs must be "),
        ({"num_envs": 2.5}, "num_envs must be a whole number, got 2.5"),
        ({"num_envs": 2**40}, "num_envs must be from 1 to 26512143, got 1099511627776"),
        ({"threads": 0}, "threads must be from 1 to 1024, got 0"),
        ({"copy": 1}, "copy must be True or False, got 1"),
        ({"max_episode_steps": 0}, "max_episode_steps must be at least 1, got 0"),
        ({"autoreset_mode": "Sometimes"}, "autoreset_mode must be one of NextStep, SameStep, .*, got 'Sometimes'"),
    ],
)
def test_what_a_vector_cannot_be(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        MinesweeperVector(**arguments)


# seeds


def test_a_seed_is_a_series_of_games() -> None:
    first, second = (Minesweeper(**SMALL, first_click="any") for _ in range(2))
    for env in (first, second):
        env.reset(seed=11)
    seen = set()
    for _ in range(20):
        results = [env.step(5) for env in (first, second)]
        np.testing.assert_array_equal(results[0][0], results[1][0])
        assert results[0][1:4] == results[1][1:4]
        seen.add(results[0][0].tobytes() + bytes([results[0][2]]))
        for env in (first, second):
            env.reset()
    assert len(seen) > 2, "all games of the seed are the same"
    first.reset(seed=11)
    second.reset(seed=3, options={"number": 0})
    assert (first.game, second.game) == ((11, 0), (3, 0))
    second.reset(options={"number": 12})
    assert second.game == (3, 12)


def test_without_a_seed_games_differ() -> None:
    envs = [Minesweeper() for _ in range(3)]
    for env in envs:
        env.reset()
    assert len({env.game for env in envs}) == 3
    vector = MinesweeperVector(50)
    vector.reset()
    assert len(set(vector.seeds.tolist())) == 50
    seeds = vector.seeds
    vector.reset()
    np.testing.assert_array_equal(vector.seeds, seeds)
    assert (vector.numbers == 2).all() or (vector.numbers == 1).all()


def test_seeds_of_a_vector() -> None:
    vector = MinesweeperVector(3)
    vector.reset(seed=2**64 - 3)
    assert vector.seeds.tolist() == [2**64 - 3, 2**64 - 2, 2**64 - 1]
    vector.reset(seed=[5, 9, 2**64 - 1])
    assert (vector.seeds.tolist(), vector.numbers.tolist()) == ([5, 9, 2**64 - 1], [0, 0, 0])
    vector.reset(seed=[None, 7, None], options={"reset_mask": np.array([False, True, False])})
    assert vector.seeds.tolist() == [5, 7, 2**64 - 1]
    vector.reset(options={"number": 6})
    assert vector.numbers.tolist() == [6, 6, 6]


def test_seeds_stay_until_others_are_given() -> None:
    vector = MinesweeperVector(3)
    vector.reset(options={"reset_mask": np.ones(3, dtype=np.bool_)})
    vector.reset(seed=3)
    vector.reset(seed=7, options={"reset_mask": np.array([True, True, False])})
    vector.reset()
    assert (vector.seeds.tolist(), vector.numbers.tolist()) == ([7, 8, 5], [1, 1, 1])


@pytest.mark.parametrize(
    ("reset", "message"),
    [
        ({"seed": -1}, "seed must be from 0 to"),
        ({"seed": 1.5}, "seed must be a whole number, got 1.5"),
        ({"seed": 2**64}, "seed must be from 0 to"),
        ({"options": {"level": 3}}, "options must be number or reset_mask"),
        ({"options": {"number": -3}}, "number must be from 0 to"),
    ],
)
def test_a_reset_that_cannot_be(reset: dict[str, Any], message: str) -> None:
    for env in (Minesweeper(), MinesweeperVector(2)):
        with pytest.raises((ValueError, TypeError), match=message):
            env.reset(**reset)


@pytest.mark.parametrize(
    ("reset", "message"),
    [
        ({"seed": [1, 2]}, "expected 3 seeds, one for each board, got 2"),
        ({"seed": [1, None, 2]}, "seed must be a whole number, got None"),
        ({"seed": 2**64 - 2}, "seed must be from 0 to 18446744073709551613, got 18446744073709551614"),
        ({"options": {"reset_mask": [True]}}, "must be an array of bool .*, got list"),
        ({"options": {"reset_mask": np.ones(2, dtype=bool)}}, r"must be an array of bool \(3,\), got bool \(2,\)"),
        ({"options": {"reset_mask": np.ones(3, dtype=int)}}, r"must be an array of bool .*, got int64 \(3,\)"),
        ({"options": {"reset_mask": np.zeros(3, dtype=bool)}}, "must have at least one True"),
        ({"options": {"reset_mask": np.array([True, False, True])}}, "Cannot reset some boards before the first reset"),
        ({"seed": 7, "options": {"reset_mask": np.array([True, True, False])}}, "before the first reset of all boards"),
    ],
)
def test_a_reset_of_a_vector_that_cannot_be(reset: dict[str, Any], message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        MinesweeperVector(3).reset(**reset)


# steps


def test_a_step_before_a_reset_or_after_the_end_is_refused() -> None:
    env, vector = Minesweeper("3x3x8"), MinesweeperVector(2, "3x3x8", autoreset_mode="Disabled")
    for early in (lambda: env.step(0), lambda: vector.step([0, 0])):
        with pytest.raises(mp.IllegalMoveError, match="before the first reset"):
            early()
    env.reset(seed=1)
    assert env.step(4)[2]
    with pytest.raises(mp.IllegalMoveError, match="board 0 is over"):
        env.step(4)


@pytest.mark.parametrize("action", [-1, 81, 2**40, -(2**63)])
def test_an_action_outside_the_board_names_board_and_bounds(action: int) -> None:
    env, vector = Minesweeper(), MinesweeperVector(300, threads=2)
    env.reset(seed=1)
    with pytest.raises(mp.OutsideError, match=f"board 0: expected an action from 0 to 80, got {action}"):
        env.step(action)
    observations, info = vector.reset(seed=1)
    actions = np.zeros(300, dtype=np.int64)
    actions[[217, 290]] = action
    with pytest.raises(mp.OutsideError, match=f"board 217: expected an action from 0 to 80, got {action}"):
        vector.step(actions)
    after, *_ = vector.reset(options={"reset_mask": np.arange(300) == 299})
    np.testing.assert_array_equal(after, observations)  # no board has moved
    assert info["action_mask"].all()


@pytest.mark.parametrize("action", [1.0, "3", None, True, (0, 0)])
def test_an_action_is_a_whole_number(action: object) -> None:
    env = Minesweeper()
    env.reset(seed=1)
    with pytest.raises(TypeError, match=r"action must be a whole number, got .*"):
        env.step(action)


@pytest.mark.parametrize("actions", [[1], [1, 2, 3], [[1, 2]], [1.0, 2.0], 3, ["a", "b"]])
def test_actions_are_whole_numbers_one_for_each_board(actions: object) -> None:
    vector = MinesweeperVector(2)
    vector.reset(seed=1)
    with pytest.raises(ValueError, match="expected 2 whole numbers as actions, one for each board"):
        vector.step(actions)  # type: ignore[arg-type]


def test_an_open_cell_changes_nothing_and_costs_a_little() -> None:
    env = Minesweeper("4x4x6", rewards={"repeat": -0.75})
    env.reset(seed=1)
    before, *_ = env.step(0)
    after, reward, terminated, _, info = env.step(0)
    np.testing.assert_array_equal(after, before)
    assert (reward, terminated, info["action_mask"][0]) == (-0.75, False, 0)
    default = Minesweeper("4x4x6")
    default.reset(seed=1)
    default.step(0)
    assert default.step(0)[1] == pytest.approx(-0.1)


def test_masked_samples_open_something() -> None:
    env = Minesweeper("intermediate")
    env.action_space.seed(1)
    for game in range(3):
        _, info = env.reset(seed=game)
        terminated, covered = False, 256
        while not terminated:
            np.testing.assert_array_equal(env.action_masks(), info["action_mask"] == 1)
            _, _, terminated, _, info = env.step(env.action_space.sample(info["action_mask"]))
            assert info["action_mask"].sum() < covered or terminated
            covered = info["action_mask"].sum()


def test_no_mine_is_told_before_the_end() -> None:
    """What can be had of a running game is the same whatever its mines are."""
    env = Minesweeper("5x5x5", render_mode="ansi")
    told = set()
    for number in range(5):
        observation, info = env.reset(seed=4, options={"number": number})
        with pytest.raises(mp.IllegalMoveError, match="still running"):
            _ = env.mines
        told.add((observation.tobytes(), json.dumps(info, default=lambda array: array.tolist()), env.render()))
    assert len(told) == 1
    observation, _, terminated, _, _ = env.step(12)
    assert "*" not in env.render()
    while not terminated:
        covered = np.flatnonzero(env.action_masks())
        observation, _, terminated, _, _ = env.step(covered[0])
    assert env.render().count("*") == 5 == env.mines.sum()
    assert (observation[env.mines] == mp.COVERED).all()
    vector = MinesweeperVector(2)
    vector.reset(seed=1)
    with pytest.raises(mp.IllegalMoveError, match="Game 1 is still running"):
        vector.mines(1)


def test_a_game_is_not_copied() -> None:
    """A copy would reveal what a cell hides."""
    for env in (Minesweeper(), MinesweeperVector(2)):
        for attempt in (copy.deepcopy, pickle.dumps):
            with pytest.raises(TypeError, match="cannot be copied or pickled"):
                attempt(env)


# vectors


def ended(vector: MinesweeperVector, seed: int = 1) -> tuple[Any, ...]:
    """The first step in which some games end and others do not."""
    vector.reset(seed=seed)
    for action in range(12):
        result = vector.step(np.full(vector.num_envs, action))
        if result[2].any():
            return result
    raise AssertionError("no game ended")


def test_autoreset_in_the_next_step() -> None:
    vector = gymnasium.make_vec(ID, num_envs=40, **SMALL)
    assert vector.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    inner = vector.unwrapped
    assert isinstance(inner, MinesweeperVector)
    observations, rewards, terminated, _, info = ended(inner)
    assert terminated.any()
    assert not terminated.all()
    assert ((observations >= 0).any(axis=(1, 2))).all()
    np.testing.assert_array_equal(rewards == 1, info["won"])
    np.testing.assert_array_equal((rewards == -1) | info["won"], terminated)
    for board in np.flatnonzero(terminated).tolist():
        assert inner.mines(board).sum() == 3
    after, rewards, again, _, info = vector.step(np.full(40, -5) * terminated)  # that action is not looked at
    assert (after[terminated] == mp.COVERED).all()
    assert (rewards[terminated] == 0).all()
    assert not again[terminated].any()
    assert info["action_mask"][terminated].all()
    np.testing.assert_array_equal(inner.numbers, terminated)


def test_autoreset_in_the_same_step() -> None:
    vector = MinesweeperVector(40, **SMALL, autoreset_mode="SameStep")
    assert vector.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    slow = MinesweeperVector(40, **SMALL)
    expected, result = ended(slow), ended(vector)
    observations, rewards, terminated, truncated, info = result
    np.testing.assert_array_equal(terminated, expected[2])
    np.testing.assert_array_equal(rewards, expected[1])
    assert (observations[terminated] == mp.COVERED).all()
    assert info["action_mask"][terminated].all()
    np.testing.assert_array_equal(observations[~terminated], expected[0][~terminated])
    np.testing.assert_array_equal(info["_final_obs"], terminated)
    np.testing.assert_array_equal(info["final_obs"][terminated], expected[0][terminated])
    np.testing.assert_array_equal(info["final_info"]["won"][terminated], expected[4]["won"][terminated])
    np.testing.assert_array_equal(info["final_info"]["_won"], terminated)
    assert not truncated.any()


def test_without_autoreset_the_caller_resets() -> None:
    vector = MinesweeperVector(40, **SMALL, autoreset_mode=AutoresetMode.DISABLED)
    assert vector.metadata["autoreset_mode"] is AutoresetMode.DISABLED
    before, _, terminated, _, _ = ended(vector)
    first = int(np.flatnonzero(terminated)[0])
    with pytest.raises(mp.IllegalMoveError, match=f"board {first} is over"):
        vector.step(np.zeros(40, dtype=np.int64))
    observations, info = vector.reset(options={"reset_mask": terminated})
    assert (observations[terminated] == mp.COVERED).all()
    assert info["action_mask"][terminated].all()
    np.testing.assert_array_equal(observations[~terminated], before[~terminated])
    np.testing.assert_array_equal(vector.numbers, terminated)
    vector.step(np.zeros(40, dtype=np.int64))


def test_a_vector_is_what_gymnasium_makes_of_single_environments() -> None:
    """Gymnasium's own vector of our single environments is the specification of ours."""
    for mode in AutoresetMode:
        ours = gymnasium.make_vec(ID, num_envs=6, **SMALL, autoreset_mode=mode)
        theirs = gymnasium.make_vec(
            ID, num_envs=6, **SMALL, vectorization_mode="sync", vector_kwargs={"autoreset_mode": mode}
        )
        assert ours.observation_space == theirs.observation_space
        assert ours.action_space == theirs.action_space
        assert ours.metadata["autoreset_mode"] is theirs.metadata["autoreset_mode"]
        random = np.random.default_rng(3)
        for env in (ours, theirs):
            env.reset(seed=8)
        finals = 0
        for _ in range(40):
            actions = random.integers(0, 12, 6)
            found, expected = ours.step(actions), theirs.step(actions)
            for one, other in zip(found[:4], expected[:4], strict=True):
                np.testing.assert_allclose(one, other, rtol=1e-6)
                assert one.dtype in (other.dtype, np.float32)
            np.testing.assert_array_equal(found[4]["action_mask"], np.stack(list(expected[4]["action_mask"])))
            for board in np.flatnonzero(expected[4].get("_final_obs", np.zeros(6))).tolist():
                finals += 1
                np.testing.assert_array_equal(found[4]["final_obs"][board], expected[4]["final_obs"][board])
                assert found[4]["final_info"]["won"][board] == expected[4]["final_info"]["won"][board]
            over = found[2] | found[3]
            if mode is AutoresetMode.DISABLED and over.any():
                for env in (ours, theirs):
                    env.reset(options={"reset_mask": over.copy()})
        assert (finals > 0) == (mode is AutoresetMode.SAME_STEP)


def test_long_games_are_cut_short() -> None:
    vector = gymnasium.make_vec(ID, num_envs=3, level="expert", first_click="open", max_episode_steps=4)
    vector.reset(seed=1)
    for step in range(1, 5):
        _, _, terminated, truncated, _ = vector.step([0, 0, 0])  # an open cell from the second step on
        assert (truncated == (step == 4)).all()
        assert not terminated.any()
    observations, _, _, truncated, _ = vector.step([0, 0, 0])
    assert (observations == mp.COVERED).all()
    assert not truncated.any()
    single = gymnasium.make(ID, level="expert", first_click="open", max_episode_steps=2)
    single.reset(seed=1)
    assert [single.step(0)[3] for _ in range(2)] == [False, True]


def test_arrays_are_copied_unless_one_asks_for_speed() -> None:
    copied, shared = MinesweeperVector(3), MinesweeperVector(3, copy=False)
    first, _ = copied.reset(seed=1)
    copied.step([0, 0, 0])
    assert (first == mp.COVERED).all()
    assert first.flags.writeable
    first, info = shared.reset(seed=1)
    second, rewards, *_ = shared.step([0, 0, 0])
    assert np.shares_memory(first, second)
    assert (first >= 0).any()
    for array in (first, info["action_mask"], rewards):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_what_is_told_can_be_changed_and_nothing_happens() -> None:
    copied, shared = MinesweeperVector(3, fairness="kind"), MinesweeperVector(3, fairness="kind", copy=False)
    copied.reset(seed=1)
    told = copied.step([0, 0, 0])[4]
    assert sorted(told) == ["_action_mask", "_unjudged", "_won", "action_mask", "unjudged", "won"]
    for array in told.values():
        array[:] = 0
    observations, info = copied.reset(seed=5)
    assert (observations == mp.COVERED).all()
    assert info["_won"].all()
    assert info["_action_mask"].all()
    for array in shared.reset(seed=1)[1].values():
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_no_array_of_boards_is_allocated_without_copies(mode: str) -> None:
    vector = MinesweeperVector(2000, "expert", copy=False, autoreset_mode=mode)
    vector.reset(seed=1)
    actions = np.random.default_rng(1).integers(0, 480, (20, 2000))
    vector.step(actions[0])
    tracemalloc.start()
    try:
        for each in actions[1:]:
            vector.step(each)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 20_000, "the observations alone have 960,000 bytes"


def test_wrappers_of_gymnasium_work() -> None:
    vector = gymnasium.make_vec(ID, num_envs=20, **SMALL)
    counted = gymnasium.wrappers.vector.RecordEpisodeStatistics(vector)
    counted.reset(seed=1)
    lengths = 0
    for action in range(12):
        *_, info = counted.step(np.full(20, action))
        lengths += int(info["episode"]["l"][info["_episode"]].sum()) if "episode" in info else 0
    assert lengths > 0
    flat = gymnasium.wrappers.FlattenObservation(gymnasium.make(ID, **SMALL))
    assert flat.reset(seed=1)[0].shape == (12,)


def step_in_child(vector: MinesweeperVector, send: Callable[[bytes], None]) -> None:
    send(vector.step(np.full(600, 40))[0].tobytes())


@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_fork_has_threads_of_its_own() -> None:
    """The threads of the parent are not in the child: it must not wait for them."""
    vector = MinesweeperVector(600, threads=3)
    vector.reset(seed=1)
    vector.step(np.zeros(600, dtype=np.int64))
    context = multiprocessing.get_context("fork")
    receive, send = context.Pipe(duplex=False)
    child = context.Process(target=step_in_child, args=(vector, send.send_bytes))
    child.start()
    assert receive.poll(60), "the child hangs"
    found = receive.recv_bytes()
    child.join(PATIENCE)
    assert child.exitcode == 0
    assert found == vector.step(np.full(600, 40))[0].tobytes()


# in the middle of a step

BOARDS = 40_000  # whose step takes far more than 50 ms, after which it looks around


class Meanwhile:
    """A budget's ``cancelled`` that does something once, in the middle of a step."""

    def __init__(self, something: Callable[[], object]) -> None:
        self._something, self.happened = something, False

    def __call__(self) -> bool:
        if self.happened:
            return False
        self.happened = True
        return bool(self._something())


def long_steps(something: Callable[[], object], **more: Any) -> tuple[MinesweeperVector, Meanwhile]:
    """A vector whose steps take long enough for ``cancelled`` to be asked, some time."""
    meanwhile = Meanwhile(something)
    setting = {"fairness": "kind", "first_click": "open", "threads": 1, "copy": False, **more}
    vector = MinesweeperVector(BOARDS, "expert", budget=mp.Budget(cancelled=meanwhile), **setting)
    return vector, meanwhile


def step_until(vector: MinesweeperVector, actions: Any, ended: Callable[[], bool]) -> tuple[Any, ...]:
    """Open covered cells, which ``actions`` holds, until something has happened; that step."""
    random = np.random.default_rng(1)
    _, info = vector.reset(seed=1)
    for _ in range(1000):
        actions[:] = (random.random(info["action_mask"].shape, dtype=np.float32) * info["action_mask"]).argmax(axis=1)
        result = vector.step(actions)
        info = result[4]
        if ended():
            return result
    raise AssertionError("no step took long enough")


@pytest.mark.slow
def test_actions_that_change_meanwhile_do_not_count() -> None:
    """They are checked and used at different times: another thread could have written anything."""
    actions, chosen = np.zeros(BOARDS, dtype=np.int64), np.zeros(BOARDS, dtype=np.int64)

    def change() -> None:
        chosen[:] = actions
        actions[:] = 0

    vector, meanwhile = long_steps(change, autoreset_mode="SameStep")
    _, _, terminated, _, info = step_until(vector, actions, lambda: meanwhile.happened)
    assert not actions.any()
    assert ((info["action_mask"][np.arange(BOARDS), chosen] == 0) | terminated).all()
    assert (chosen > 0).mean() > 0.9


@pytest.mark.slow
def test_a_step_is_broken_off_by_its_caller() -> None:
    vector, _ = long_steps(lambda: True)
    actions = np.zeros(BOARDS, dtype=np.int64)
    with pytest.raises(mp.BudgetExceeded, match="Cancelled during a step: some boards have moved") as caught:
        step_until(vector, actions, lambda: False)
    assert caught.value.limit == "cancelled"
    covered = vector.step(np.zeros(BOARDS, dtype=np.int64))[4]["action_mask"]  # it continues
    assert not covered[:, 0].all()


@pytest.mark.slow
def test_a_step_hears_signals() -> None:
    """Ctrl-C: the last boards have not moved. A fast machine needs more boards, a busy one a later signal."""

    def interrupt(*_: object) -> None:
        raise InterruptedError

    old = signal.signal(signal.SIGINT, interrupt)
    try:
        assert any(is_interrupted(BOARDS * more, 0.01 * later) for more in (1, 2, 4) for later in (1, 4, 16, 64)), (
            "no step was broken off"
        )
    finally:
        signal.signal(signal.SIGINT, old)


def is_interrupted(boards: int, seconds: float) -> bool:
    """Whether a signal that comes after some seconds ends a step after its first and before its last boards."""
    vector = MinesweeperVector(boards, "expert", fairness="kind", first_click="open", threads=1)
    vector.reset(seed=1)
    masks = vector.step(np.zeros(boards, dtype=np.int64))[4]["action_mask"]
    actions = (np.random.default_rng(1).random(masks.shape, dtype=np.float32) * masks).argmax(axis=1)
    timer = threading.Timer(seconds, signal.raise_signal, [signal.SIGINT])
    try:
        timer.start()
        vector.step(actions)
        timer.join()
    except InterruptedError:
        pass
    else:
        return False
    finally:
        timer.join()
    masks = vector.reset(options={"reset_mask": np.arange(boards) == 0})[1]["action_mask"]
    is_opened = masks[np.arange(boards), actions] == 0
    return bool(is_opened[:100].any() and not is_opened[-100:].any())


@pytest.mark.slow
@pytest.mark.parametrize("call", ["step", "reset", "mines"])
def test_a_call_from_within_a_step_is_refused(call: str) -> None:
    """By a signal handler, say. It would wait for itself."""
    actions = np.zeros(BOARDS, dtype=np.int64)
    calls: dict[str, Callable[[], object]] = {
        "step": lambda: vector.step(actions),
        "reset": lambda: vector.reset(seed=2),
        "mines": lambda: vector.mines(0),
    }
    vector, _ = long_steps(calls[call])
    with pytest.raises(RuntimeError, match=r"A step is in progress\. Call this after the step\."):
        step_until(vector, actions, lambda: False)


def after_a_fork(vector: MinesweeperVector, send: Callable[[object], None]) -> None:
    told = []
    for _ in range(2):
        try:
            vector.step(np.zeros(BOARDS, dtype=np.int64))
        except mp.IllegalMoveError as error:
            told.append(str(error))
    vector.reset(seed=1)
    send((told, vector.step(np.full(BOARDS, 40))[0].tobytes()))


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@pytest.mark.parametrize("threads", [1, 3])
def test_a_fork_in_the_middle_of_a_step(threads: int) -> None:
    """No thread of the child ends that step: the child must not wait for it, nor continue with half a step."""
    begun, forked = threading.Event(), threading.Event()

    def wait() -> bool:
        begun.set()
        return not forked.wait(PATIENCE)

    vector, _ = long_steps(wait, threads=threads)
    actions = np.zeros(BOARDS, dtype=np.int64)
    stepping = threading.Thread(target=step_until, args=(vector, actions, begun.is_set))
    stepping.start()
    assert begun.wait(PATIENCE)
    context = multiprocessing.get_context("fork")
    receive, send = context.Pipe(duplex=False)
    child = context.Process(target=after_a_fork, args=(vector, send.send))
    child.start()
    forked.set()
    try:
        assert receive.poll(60), "the child hangs"
        told, found = receive.recv()
    finally:
        child.kill()
        child.join(PATIENCE)
        stepping.join(PATIENCE)
    assert told == ["The process was forked during a step of board 0. Reset it first."] * 2
    vector.reset(seed=1)  # the parent's step has ended well
    assert vector.step(np.full(BOARDS, 40))[0].tobytes() == found


# pictures


def test_text() -> None:
    env = gymnasium.make(ID, level="4x3x2", render_mode="ansi")
    env.reset(seed=2)
    assert env.render() == "####\n####\n####"
    env.step(0)
    shown = str(env.render())
    assert shown[0].isdigit()
    assert shown.count("#") == (env.unwrapped.board.to_array() == mp.COVERED).sum()  # type: ignore[attr-defined]
    hexagonal = gymnasium.make(ID, level="3x2x1", topology="hex", render_mode="ansi")
    hexagonal.reset(seed=2)
    assert hexagonal.render() == "# # #\n # # #"


def test_pixels() -> None:
    env = gymnasium.make(ID, level="4x3x2", render_mode="rgb_array")
    env.reset(seed=2)
    covered = env.render()
    assert isinstance(covered, np.ndarray)
    assert (covered.shape, covered.dtype.name) == ((48, 64, 3), "uint8")
    env.step(0)
    shown = env.render()
    assert isinstance(shown, np.ndarray)
    changed = (shown != covered).any(axis=2).reshape(3, 16, 4, 16).any(axis=(1, 3))
    np.testing.assert_array_equal(changed, env.unwrapped.board.to_array() >= 0)  # type: ignore[attr-defined]
    vector = MinesweeperVector(2, "4x3x2", topology="hex", render_mode="rgb_array")
    vector.reset(seed=1)
    frames = vector.render()
    assert frames is not None
    assert [frame.shape for frame in frames] == [(48, 72, 3)] * 2


def test_render_without_a_mode_says_so() -> None:
    for env in (Minesweeper(), MinesweeperVector(2)):
        env.reset(seed=1)
        with pytest.warns(UserWarning, match="render.. needs a render_mode"):
            assert env.render() is None


# the extra


def test_without_gymnasium_the_error_names_the_extra() -> None:
    code = "import sys; sys.modules['gymnasium'] = None; import mineproof.gym"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert "mineproof.gym needs gymnasium" in done.stderr
    assert "pip install 'mineproof[gym]'" in done.stderr


@pytest.mark.slow
def test_the_package_itself_does_not_import_gymnasium() -> None:
    code = "import sys, mineproof as mp; mp.simulate; mp.analyze_many; print('gymnasium' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=PATIENCE)
    assert done.stdout == "False\n"


def test_the_reference_says_that_it_does_not_play(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mineproof.gym.batch.default_engine", lambda: mp.engine_named("reference"))
    with pytest.raises(mp.EngineMissing, match="Playing parallel games needs the native kernel"):
        Minesweeper()


def test_the_specification_of_an_environment_is_data() -> None:
    env = gymnasium.make(ID, level="expert", topology="torus", rewards={"progress": 1.0})
    assert env.spec is not None
    again = gymnasium.make(gymnasium.envs.registration.EnvSpec.from_json(env.spec.to_json()))
    assert again.unwrapped.setting == env.unwrapped.setting  # type: ignore[attr-defined]
    assert pickle.loads(pickle.dumps(env.spec)) == env.spec
    assert mineproof.gym.REWARDS == {"win": 1.0, "lose": -1.0, "progress": 0.0, "blind": 0.0, "repeat": -0.1}
