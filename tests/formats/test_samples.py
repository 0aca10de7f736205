"""The files of samples/, as the commands of README and docs use them."""

import re
from pathlib import Path

import pytest

from mineproof.cli import COMMANDS
from support.command import mineproof

SAMPLES = Path(__file__).parents[2] / "samples"


@pytest.mark.parametrize("name", [None, *COMMANDS])
def test_examples_of_the_help_name_samples_that_exist(name: str | None) -> None:
    text = mineproof(*filter(None, [name]), "--help").text
    assert [each for each in re.findall(r"samples/([\w.]+)", text) if not (SAMPLES / each).is_file()] == []
    assert not re.search(r"(?<!/)\b(game\.mine|board\.mbf|board\.certificate\.json)\b", text)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["analyze", "expert.txt"], "30 × 16, 99 mines"),
        (["solve", "beginner.txt", "--steps"], "is safe"),
        (["hint", "beginner.txt", "--level", "1"], "Look"),
        (["best", "endgame.txt", "--exact"], "3/5"),
        (["check", "board.mbf", "--start", "8,15"], "No guess is needed"),
        (["check", "board.mbf", "--certificate", "board.certificate.json"], "certificate"),
        (["stats", "board.mbf"], "3BV"),
        (["review", "game.evf"], "2 guesses"),
        (["draw", "game.evf"], "<svg"),
        (["draw", "game.evf", "--review"], "<svg"),
        (["draw", "endgame.txt", "--best"], "<svg"),
        (["layouts", "endgame.txt", "--count"], "10"),
        (["layouts", "expert.txt", "--sample", "3", "--seed", "7"], "*"),
        (["hint", "beginner.txt", "--safe-only", "--json"], '"kind": "step"'),
        (["check", "board.mbf", "--anywhere"], "No guess is needed from"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_commands_read_the_samples(arguments: list[str], expected: str) -> None:
    done = mineproof(*(str(SAMPLES / each) if (SAMPLES / each).is_file() else each for each in arguments))
    assert done.status == 0, done.err
    assert expected in done.text
