"""Every option and argument of every command, as click lists them, with invalid values.

Whatever is given, a command ends with a status of the contract, and where that is an error it is one sentence on
standard error, or with ``--json`` one object of ``mineproof/error/1``. An exception would come through as a traceback.
"""

from __future__ import annotations

import atexit
import itertools
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import click
import pytest

import mineproof as mp
from mineproof.cli import COMMANDS, main
from mineproof.cli import dataset as dataset_command
from mineproof.cli import generate as generate_command
from mineproof.cli import layouts as layouts_command
from mineproof.cli import simulate as simulate_command
from mineproof.cli import sweep as sweep_command
from mineproof.exams import task_generator
from mineproof.exams.task_generator import task as make_task
from support.command import Done, mineproof
from support.effort import examples

STATUSES = {0, 1, 2, 3, 4, 5, 130}
ANSWERED = {0, 1}
NOT_TRIED = {"bench", "mcp", "serve"}  # fixed work, and servers that run until they are stopped

# What makes a command answer at once; an argument comes first. Commands that are not here are called without.
PLAIN = {
    **{name: ["1#/##", "--mines", "1"] for name in ("analyze", "solve", "hint", "best", "draw", "layouts")},
    "review": ["game.json"],
    "check": ["*../.../..*", "--start", "2,0"],
    "convert": ["1#/##", "--to", "mineproof"],
    "generate": ["3x3x1", "--seed", "1"],
    "watch": ["3x3x1", "--seed", "1"],
    "simulate": ["3x3x1", "--games", "2"],
    "sweep": ["3x3x1", "--games", "2"],
    "report": ["run"],
    "dataset": ["3x3x1", "--positions", "2", "-o", "new.parquet"],
}
# The text of a saved game that is over: 1 × 2 cells, of which one is a mine.
GAME = (
    '{"schema":"mineproof/game/1","rows":1,"columns":2,"total_mines":1,"start":null,"first_click":"any",'
    '"fairness":"none","chord_rule":"equal","seed":0,"status":"won","ms":5,"sealed":false,"layout":"80",'
    '"moves":[["open",0,1,5]],"redraws":[]}'
)
VALUES = [
    "-1", "0", "1", "-0.5", "0.5", str(2**31), str(2**63), str(2**64), str(10**30), "9" * 5000, "1e300", "1e-300",
    "1e999999999", "1e5", "1_000", "1,000", "nan", "inf", "-inf", "", " ", "x", "Expert", "é×☃", "\U0001f6a9", "0,0",
    "9,9", "1,2,3", "-1,-1", "99999999,0", "0x0x0", "3x3", "9999999x9999999x9999999", "1/0", "1/3", "a/b", "--", "-",
    "{}", "[]", '{"schema": null}', '{"schema": "mineproof/board/1"}', "~", "*", "?", "%s%n", "\x1b[31m", "\n", "..",
    "folder", "no/such/file", "no-such.file", "folder/new/file", "/dev/zero", "/dev/full",
]  # fmt: skip
COMBINATIONS = int(os.environ.get("MINEPROOF_COMBINATIONS", examples(50)))  # of several options, for each command
TRIED = [name for name in COMMANDS if name not in NOT_TRIED]


@pytest.fixture(autouse=True)
def short(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder of its own, and no more of an endless answer than its beginning."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    Path("folder").mkdir()
    Path("game.json").write_text(GAME)
    shutil.copytree(a_run(), "run")
    monkeypatch.setitem(sys.modules, "matplotlib", None)  # a page without plots is written at once
    monkeypatch.setattr("time.sleep", lambda _: None)

    def few_made(count: int, *size: Any, **wishes: Any) -> Iterator[Any]:
        return some(mp.generate_many(count, *size, **wishes))

    def few_drawn(*arguments: Any, **options: Any) -> Iterator[Any]:
        return some(mp.sample_layouts(*arguments, **options))

    def few_played(*size: Any, **options: Any) -> Any:
        return mp.simulate(*size, **options | {"cancelled": lambda: options["games"] > 2})

    def few_swept(**options: Any) -> Any:
        return mp.sweep(**options | {"cancelled": lambda: True})

    def few_kept(path: Any, **options: Any) -> Any:
        return mp.dataset(path, **options | {"cancelled": lambda: options["positions"] > 2})

    asked = itertools.count()

    def few_asked(*arguments: Any, **options: Any) -> Any:
        if next(asked) > 2:
            raise KeyboardInterrupt
        return make_task(*arguments, **options)

    monkeypatch.setattr(task_generator, "task", few_asked)
    monkeypatch.setattr(dataset_command, "dataset", few_kept)
    monkeypatch.setattr(sweep_command, "sweep", few_swept)
    monkeypatch.setattr(generate_command, "generate_many", few_made)
    monkeypatch.setattr(layouts_command, "sample_layouts", few_drawn)
    monkeypatch.setattr(simulate_command, "simulate", few_played)


@lru_cache(maxsize=1)
def a_run() -> Path:
    """The folder of a sweep."""
    folder = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, folder)
    mp.sweep("3x3x1", games=2, per_game=True, path=folder / "run")
    return folder / "run"


def some(found: Iterator[Any]) -> Iterator[Any]:
    yield from islice(found, 2)


def command_of(name: str) -> click.Command:
    found = main.get_command(click.Context(main), name)
    assert found is not None
    return found


def soon(name: str) -> list[str]:
    """A limit, where a command has one: what is not there may be looked for until it is reached."""
    return ["--budget", "0.1"] if any("--budget" in each.opts for each in command_of(name).params) else []


def with_value(name: str, parameter: click.Parameter, value: str) -> list[str]:
    """The arguments of a plain call with another value of one parameter."""
    plain = [*PLAIN.get(name, []), *soon(name)]
    if isinstance(parameter, click.Argument):
        rest = plain[1:] if plain and not plain[0].startswith("-") else plain
        return [name, *rest, "--", value]
    options = [*parameter.opts, *parameter.secondary_opts]
    for option in options:
        if option in plain:
            del plain[plain.index(option) : plain.index(option) + 2]
    return [name, *plain, f"{max(options, key=len)}={value}"]


def parameters(name: str) -> list[click.Parameter]:
    """Those that take a value."""
    return [each for each in command_of(name).params if not getattr(each, "is_flag", False)]


def sentences(done: Done) -> list[str]:
    """The messages on standard error, each in one piece."""
    return [message for message in f"\n{done.err}".split("\nmineproof: ")[1:] if message]


def require_sound(arguments: list[str], done: Done) -> None:
    assert done.status in STATUSES, (arguments, done)
    assert "Traceback" not in done.err + done.out.decode("utf-8", "replace"), arguments
    if done.status in ANSWERED:
        return
    told = sentences(done)
    assert told, (arguments, done)
    words, *advice = told[-1].strip().split("\n")
    assert words.isprintable(), (arguments, words)
    assert "Errno" not in words, (arguments, words)
    assert all(line.startswith(("Try 'mineproof", "Use --budget", "Use --states")) for line in advice), (
        arguments,
        told[-1],
    )


def require_sound_json(arguments: list[str], done: Done) -> None:
    assert done.status in STATUSES, (arguments, done)
    if done.status in ANSWERED:
        return
    error = json.loads(done.err.strip().split("\n")[-1])
    assert error["schema"] == "mineproof/error/1", arguments
    assert error["code"], arguments
    assert error["message"], arguments


@pytest.mark.slow
@pytest.mark.parametrize("name", TRIED)
def test_values_that_nobody_should_give(name: str) -> None:
    random = Random(name)
    for parameter in parameters(name):
        for value in random.sample(VALUES, examples(len(VALUES), 0.3)):
            arguments = with_value(name, parameter, value)
            done = mineproof(*arguments)
            require_sound(arguments, done)
            if done.status not in ANSWERED:
                require_sound_json(arguments, mineproof(*arguments[:1], "--json", *arguments[1:]))


def anything(parameter: click.Parameter, random: Random) -> list[str]:
    """One option with a value that it has by itself, or any other."""
    known = list(getattr(parameter.type, "choices", [])) * 20
    option = random.choice([*parameter.opts, *parameter.secondary_opts])
    return [option] if getattr(parameter, "is_flag", False) else [option, random.choice([*known, *VALUES])]


@pytest.mark.parametrize("name", TRIED)
def test_several_options_at_once(name: str) -> None:
    random = Random(name)
    options = {each.opts[0]: each for each in command_of(name).params if isinstance(each, click.Option)}
    options.pop("--budget", None)
    for _ in range(COMBINATIONS):
        chosen = random.sample(list(options.values()), min(len(options), random.randint(2, 4)))
        given = [part for each in chosen for part in anything(each, random)]
        arguments = [name, *PLAIN.get(name, []), *soon(name), *given]
        done = mineproof(*arguments)
        (require_sound_json if "--json" in arguments else require_sound)(arguments, done)


@pytest.mark.parametrize("name", TRIED)
def test_an_option_without_its_value(name: str) -> None:
    for parameter in parameters(name):
        if isinstance(parameter, click.Option):
            arguments = [name, *PLAIN.get(name, []), parameter.opts[0]]
            done = mineproof(*arguments)
            require_sound(arguments, done)
            assert done.status == 2, arguments


@pytest.mark.parametrize("name", TRIED)
def test_a_flag_with_a_value(name: str) -> None:
    for parameter in command_of(name).params:
        if getattr(parameter, "is_flag", False):
            done = mineproof(name, *PLAIN.get(name, []), f"{parameter.opts[0]}=x")
            assert done.status == 2, parameter.opts


@pytest.mark.parametrize("name", [name for name in TRIED if name in PLAIN])
def test_what_the_values_are_put_into_is_answered(name: str) -> None:
    assert mineproof(name, *PLAIN[name]).status in ANSWERED
