"""The worked examples of the systems before us, with answers checked by brute force."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mineproof import reference
from support.checks import Case, check_seed_case

CASES = json.loads(Path(__file__).with_name("seed_cases.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["id"]))
def test_reference(case: Case) -> None:
    check_seed_case(reference.solve, case)
