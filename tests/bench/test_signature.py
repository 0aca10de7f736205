"""The signature of `mineproof bench`, on both engines: answers and effort, bit for bit.

A commit that changes it changes signature.json too and says in its message which part changed, and why. To write it
anew: ``python tests/bench/test_signature.py``.
"""

import json
from pathlib import Path

import pytest

from mineproof.base import budget
from mineproof.bench.work import corpus, sign
from mineproof.engine.answers import Engine
from support.engines import KERNEL, REFERENCE

PATH = Path(__file__).parents[1] / "golden/signature.json"


@pytest.mark.slow
@pytest.mark.parametrize("engine", [KERNEL, REFERENCE], ids=["kernel", "reference"])
def test_signature(engine: Engine) -> None:
    assert sign(list(corpus()), engine).as_json() == json.loads(PATH.read_text("utf-8"))[engine.name]


def test_both_engines_give_the_same_answers() -> None:
    signed = json.loads(PATH.read_text("utf-8"))
    assert signed["kernel"]["answers"] == signed["reference"]["answers"]


def test_the_signature_depends_on_no_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine a position took longer than the default budget of a minute."""
    boards = list(corpus())[:2]
    expected = sign(boards, KERNEL)
    monkeypatch.setattr(budget, "DEFAULT", budget.Budget(seconds=0))
    assert sign(boards, KERNEL) == expected


if __name__ == "__main__":
    boards = list(corpus())
    found = {engine.name: sign(boards, engine).as_json() for engine in (KERNEL, REFERENCE)}
    PATH.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
