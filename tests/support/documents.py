"""JSON documents that hold the state of a player, or that take files, pictures or a server to make."""

from __future__ import annotations

import dataclasses
import json
import tempfile
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import mineproof as mp
from mineproof.game.rules import MoveKind
from support.command import mineproof
from support.finished import finished

PICTURED = "000000/011100/02F211/03F###/03####/02####"

# Two needless guesses, a flag that no chord uses, and a minute of thought while a cell was certainly safe.
MOVES: tuple[tuple[MoveKind, tuple[int, int], int], ...] = (
    ("open", (0, 0), 0),
    ("open", (4, 0), 1_000),
    ("open", (4, 2), 2_000),
    ("flag", (2, 0), 3_000),
    ("open", (3, 0), 63_000),
    ("open", (3, 2), 64_000),
    ("open", (5, 0), 65_000),
    ("open", (5, 1), 66_000),
    ("open", (5, 3), 67_000),
)


def coached_game() -> mp.Game:
    """A won game with something to learn from."""
    game = mp.Game(mp.generate("6x6x6", seed=1, start=(0, 0)), first_click="any", clock=lambda: 0.0)
    for kind, cell, ms in MOVES:
        game.play(kind, cell, ms=ms)
    assert game.status == "won"
    return game


@cache
def lesson() -> mp.Lesson:
    return mp.lesson(coached_game(), name="game.json", player="Ann")


def profile_document() -> Any:
    return dataclasses.replace(mp.profile([lesson()]), unread=(("broken.avf", "Not a replay."),)).as_json()


@cache
def history_documents() -> dict[str, Any]:
    """What each command of ``mineproof history`` prints. Game 1 was played with help, game 2 without."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        saved, broken, lines = folder / "game.json", folder / "broken.json", folder / "games.jsonl"
        saved.write_text(coached_game().save(), "utf-8")
        broken.write_text("{", "utf-8")

        def ask(*arguments: str) -> Any:
            return mineproof("history", *arguments, "--data", name, "--json").json()

        with mp.History.open(name) as history:
            history.add(finished("6x6x6"), help_used={"hints": [1, 0, 0, 0]}, player="Ann", given=False, again=False)
        imported = ask("import", str(saved), str(broken), "--no-help")
        exported = ask("export", "--to", "jsonl", "-o", str(lines))
        kept = [json.loads(line) for line in lines.read_text("utf-8").splitlines()]
        return {
            "imported/1": imported,
            "exported/1": exported,
            "kept/1": next(game for game in kept if game["id"] == 1),
            "history/1": ask("show", "1"),
            "summary/1": ask("best", "--origin", "all"),
            "filled/1": ask("fill"),
            "forgotten/1": ask("forget", "1", "--yes"),
        }


@cache
def sweep_documents() -> dict[str, Any]:
    """A small sweep that keeps single games, its plan, and its report."""
    with tempfile.TemporaryDirectory() as folder:
        sweep = mp.sweep("5x5x4", strategy=["fast", "go"], games=64, per_game=True, path=Path(folder, "run"))
        report = mp.report(sweep).as_json()
        return {"sweep/1": sweep.as_json(), "plan/1": sweep.plan.as_json(), "report/1": report}


@cache
def dataset_documents() -> dict[str, Any]:
    pytest.importorskip("pyarrow")
    with tempfile.TemporaryDirectory() as folder:
        dataset = mp.dataset(Path(folder, "positions.parquet"), "beginner", positions=10)
        return {"dataset/1": dataset.as_json(), "dataset-plan/1": dataset.plan.as_json()}


def reading_document() -> Any:
    """A board that is read from a picture, with a doubt added: real doubts depend on the network."""
    pytest.importorskip("PIL")
    pytest.importorskip("resvg_py")
    from mineproof.screens.reader import Doubt

    reading = mp.read_image(mp.draw(PICTURED, coordinates=False).png())
    doubt = Doubt(((0, 0),), "1", 0.7, (("7", 0.3),))
    return dataclasses.replace(reading, doubts=(doubt,), notes=("A note.",), wrong_flags=((2, 2),)).as_json()


def player_document() -> Any:
    """What GET and POST of ``/api/v1/player`` answer, as one document."""
    pytest.importorskip("uvicorn")
    from support.served import serving

    with tempfile.TemporaryDirectory() as folder, serving(Path(folder), players="many") as (client, _):
        return client.get("player").json | client.post("player", None).json


def standing_document(answer: mp.Answer) -> Any:
    with tempfile.TemporaryDirectory() as folder, mp.Training.open(folder) as training:
        training.add(answer)
        return training.standing().as_json()


def practice_document(kind: str, answers: list[mp.Answer]) -> Any:
    """The dashboard, the calendar of a month, or a run of a player who has answered some puzzles."""
    now = datetime(2026, 11, 18, 12, tzinfo=UTC)
    with tempfile.TemporaryDirectory() as folder, mp.Training.open(folder) as training:
        run = training.start_run("streak", "beginner", when=now)
        for one in answers:
            training.add(one, when=now)
        if kind == "dashboard":
            return training.dashboard_json(day=now.date())
        return training.daily_json(now.date(), day=now.date()) if kind == "daily" else run.as_json(now)
