"""Which engine counts: the kernel unless the reference is requested, and an error if there is none."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from mineproof.engine.default import engine_named
from support.patience import PATIENCE

QUESTION = """
import mineproof as mp
from mineproof.engine.default import default_engine
try:
    found = mp.analyze(mp.Board.parse("#1#1#", total_mines=2))
    drawn = list(mp.sample_layouts(mp.Board.parse("#1#1#", total_mines=2), 1))
    print(default_engine().name, found.layouts, sorted(found.safe), sorted(drawn[0]), type(found._counted).__module__)
except mp.MineproofError as error:
    print(error.code, error)
"""
NO_KERNEL = """
import sys
sys.modules["mineproof.engine._kernel"] = None
"""
OLD_KERNEL = """
import sys, types
old = types.ModuleType("mineproof.engine._kernel")
old.__version__ = "0.0.1"
sys.modules["mineproof.engine._kernel"] = old
"""


def ask(wish: str | None, prelude: str = "") -> str:
    """What a fresh process answers with MINEPROOF_ENGINE set, or not."""
    env = {name: value for name, value in os.environ.items() if name != "MINEPROOF_ENGINE"}
    if wish is not None:
        env["MINEPROOF_ENGINE"] = wish
    command = [sys.executable, "-c", prelude + QUESTION]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.stderr == ""
    return done.stdout.strip()


@pytest.mark.parametrize("wish", [None, "kernel"])
def test_the_kernel_is_the_usual_engine(wish: str | None) -> None:
    assert ask(wish) == "kernel 1 [(0, 2)] [(0, 0), (0, 4)] mineproof.engine.kernel"


def test_the_reference_answers_when_asked_for() -> None:
    assert ask("reference") == "reference 1 [(0, 2)] [(0, 0), (0, 4)] mineproof.engine.reference"


def test_the_reference_needs_no_kernel() -> None:
    assert ask("reference", NO_KERNEL) == "reference 1 [(0, 2)] [(0, 0), (0, 4)] mineproof.engine.reference"


@pytest.mark.parametrize("wish", ["Kernel", "gpu"])
def test_an_unknown_engine(wish: str) -> None:
    answer = ask(wish)
    assert (
        answer == f"no-engine MINEPROOF_ENGINE must be kernel or reference, got {wish!r}. Unset it to use the kernel."
    )


def test_a_name_that_no_engine_has_is_refused_at_once() -> None:
    with pytest.raises(ValueError, match="name must be one of kernel, reference, got 'foo'"):
        engine_named("foo")


def test_a_missing_kernel_is_told_and_not_replaced() -> None:
    answer = ask(None, NO_KERNEL)
    assert answer.startswith("no-engine The native kernel cannot be loaded")
    assert "Install a C++20 compiler" in answer
    assert "MINEPROOF_ENGINE=reference" in answer


def test_a_kernel_of_another_version_is_refused() -> None:
    answer = ask(None, OLD_KERNEL)
    assert answer.startswith("no-engine The native kernel has version 0.0.1, mineproof ")
