"""Adapters to other packages, tested with the packages themselves where they are installed.

They are too large to install for development (verifiers takes half a gigabyte). To run these tests, install the extra:
``.venv/bin/pip install verifiers`` and so on.
"""

from __future__ import annotations

import asyncio
import json
import socket
import subprocess
import sys
import threading

import pytest

import mineproof as mp
from mineproof.base.extras import ExtraMissing
from mineproof.exams.episodes import TaskEpisode
from mineproof.exams.task_settings import TaskSettings, task_row
from mineproof.exams.tasks import Task

MODULES = {
    "verifiers_taskset": "mineproof[verifiers]",
    "openenv_environment": "mineproof[openenv]",
    "reasoning_gym_dataset": "mineproof[reasoning-gym]",
}


@pytest.mark.parametrize("module", MODULES)
def test_a_missing_package_is_named_with_its_extra(module: str) -> None:
    package = {"verifiers_taskset": "verifiers", "openenv_environment": "openenv"}.get(module, "reasoning_gym")
    code = f"import sys\nsys.modules[{package!r}] = None\nimport mineproof.adapters.{module}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert f"{ExtraMissing.__name__}: mineproof.adapters.{module} needs {package}" in done.stderr
    assert f"pip install '{MODULES[module]}'" in done.stderr


# what the adapters share


def test_kinds_take_turns() -> None:
    settings = TaskSettings(("safe-cell", "claim"), level="5x5x4", seed=3)
    assert [settings.make(number).kind for number in range(3)] == ["safe-cell", "claim", "safe-cell"]
    assert settings.make(1) == mp.task("claim", level="5x5x4", seed=3, number=1)
    with pytest.raises(ValueError, match="kinds must be a list of kinds of tasks"):
        TaskSettings("safe")
    with pytest.raises(ValueError, match="kind must be one of safe"):
        TaskSettings(("riddle",))


def test_a_row_has_all_that_a_verdict_needs() -> None:
    task = mp.task("safe", level="5x5x4", seed=1)
    row = task_row(task)
    assert (row["question"], row["answer"]) == (task.prompt, task.answer)
    assert Task.from_json(json.dumps(row["metadata"]["task"])) == task


def test_an_episode_of_one_turn() -> None:
    episode = TaskEpisode(mp.task("safe-cell", level="5x5x4", seed=1))
    assert (episode.is_over, episode.reward) == (False, 0.0)
    text = episode.answer(episode.task.answer)
    assert text == "Right. The position proves it."
    assert (episode.is_over, episode.reward, episode.answer("[9, 9]")) == (True, 1.0, text)


def test_a_game_ends_after_the_last_turn() -> None:
    episode = TaskEpisode(mp.task("game", level="beginner", seed=2), max_turns=1)
    safe = min(mp.analyze(episode.task.board).safe)
    assert episode.answer([safe]).endswith("Every move was proved, but the game is not finished.")
    assert episode.is_over
    assert 0 < episode.reward < 1


# the packages


def test_verifiers() -> None:
    vf = pytest.importorskip("verifiers.v1")
    from verifiers.v1.trace import TraceTask

    from mineproof.adapters.verifiers_taskset import MinesweeperConfig, MinesweeperTaskset

    config = MinesweeperConfig(kinds=["safe-cell", "claim"], count=4, level="5x5x4", seed=3)
    tasks = list(MinesweeperTaskset(config).include(idx=["0:3"]))
    assert [task.data.exam["kind"] for task in tasks] == ["safe-cell", "claim", "safe-cell"]
    assert tasks[0].data.prompt == mp.task("safe-cell", level="5x5x4", seed=3).prompt
    for answer, reward in ((tasks[0].data.exam["answer"], 1.0), ("no idea", 0.0)):
        trace = vf.Trace(
            task=TraceTask(type="MinesweeperTask", data=tasks[0].data), state=vf.State(),
            agent=vf.AgentInfo(config=vf.AgentConfig()), root_reply=answer,
        )  # fmt: skip
        asyncio.run(tasks[0].score(trace))  # as verifiers scores a rollout
        assert (trace.reward, set(trace.rewards), trace.metrics) == (reward, {"proof"}, {"luck": reward})
    (one,) = MinesweeperTaskset(MinesweeperConfig(count=1, numbers=(2, 2))).load()
    assert one.data.exam["metadata"]["numbers"] == 2
    with pytest.raises(ValueError, match="kinds of one turn"):
        list(MinesweeperTaskset(MinesweeperConfig(kinds=["game"])))


def test_verifiers_takes_the_taskset_from_the_module() -> None:
    pytest.importorskip("verifiers.v1")
    from verifiers.v1.taskset import Taskset
    from verifiers.v1.utils.loaders import _plugin_class

    import mineproof.adapters.verifiers_taskset as module

    assert _plugin_class(module, Taskset, "taskset") is module.MinesweeperTaskset


def test_openenv() -> None:
    pytest.importorskip("openenv.core")
    from mineproof.adapters.openenv_environment import MinesweeperAction, MinesweeperEnvironment

    environment = MinesweeperEnvironment(TaskSettings(("safe-cell",), level="5x5x4"))
    task = mp.task("safe-cell", level="5x5x4", seed=3)
    assert environment.reset(seed=3).text == task.prompt
    seen = environment.step(MinesweeperAction(message=f"I choose {task.answer}"))
    assert (seen.done, seen.reward, seen.outcome, seen.luck) == (True, 1.0, "right", 1.0)
    assert environment.state.step_count == 1
    assert environment.reset().task == "safe-cell/grid/5x5x4/3/1"


def test_openenv_plays_a_game_with_its_own_client() -> None:
    openenv = pytest.importorskip("openenv.core")
    import uvicorn

    from mineproof.adapters.openenv_environment import make_app

    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        app = make_app(TaskSettings(("game",), level="5x5x3"))
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning"))
        thread = threading.Thread(target=server.run, args=([listening],))
        thread.start()
        try:
            with openenv.GenericEnvClient(base_url=f"http://127.0.0.1:{listening.getsockname()[1]}").sync() as client:
                assert client.reset(seed=1).observation["text"] == mp.task("game", level="5x5x3", seed=1).prompt
                for move in json.loads(mp.task("game", level="5x5x3", seed=1).answer):
                    seen = client.step({"message": json.dumps(move)})
        finally:
            server.should_exit = True
            thread.join()
    assert (seen.done, seen.reward) == (True, 1.0)
    assert (seen.observation["outcome"], seen.observation["luck"]) == ("right", 1.0)


def test_reasoning_gym() -> None:
    reasoning_gym = pytest.importorskip("reasoning_gym")
    import mineproof.adapters.reasoning_gym_dataset

    data = reasoning_gym.create_dataset("mineproof", kinds=["safe", "mines"], level="5x5x4", size=4, seed=1)
    assert len(data) == 4
    for number, entry in enumerate(data):
        assert entry["metadata"]["kind"] == ("safe", "mines")[number % 2]
        assert data.score_answer(f"Answer: {entry['answer']}", entry) == 1.0
        assert data.score_answer(None, entry) == 0.0
    (one,) = reasoning_gym.create_dataset("mineproof", numbers=(2, 2), size=1)
    assert one["metadata"]["task"]["metadata"]["numbers"] == 2
    with pytest.raises(IndexError):
        data[4]
    assert mineproof.adapters.reasoning_gym_dataset.NAME == "mineproof"
