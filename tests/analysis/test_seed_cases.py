"""The worked examples of the systems before us, with answers checked by brute force."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.checks import Case, Solve, check_seed_case
from support.engines import KERNEL, REFERENCE

CASES = json.loads((Path(__file__).parents[1] / "golden/seed_cases.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("solve", [KERNEL.solve, REFERENCE.solve], ids=["kernel", "reference"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["id"]))
def test_worked_example(solve: Solve, case: Case) -> None:
    check_seed_case(solve, case)
