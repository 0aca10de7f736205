"""A sample of ``benchmarks/serve_attack.py``: a player plays while others attack.

No time is compared here, as the machine may be busy. None of the rest depends on that: right answers, no 5xx, the
memory, and that the server ends.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from support.patience import PATIENCE

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "serve_attack.py"
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="each attacker needs an address of its own")


@pytest.fixture(scope="module")
def found() -> dict[str, Any]:
    names = "keys,hard,count,generate,pictures,large-pictures,simulate,think,slow-bodies,connections"
    command = [sys.executable, str(SCRIPT), "--seconds", "5", "--attacks", names, "--json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0, done.stderr
    document: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return document


@LINUX
def test_the_player_is_always_answered_rightly(found: dict[str, Any]) -> None:
    assert found["wrong"] == []
    assert found["errors"] == 0, found["statuses"]
    assert set(found["statuses"]) <= {"200", "201"}
    assert found["count"] > 0


@LINUX
def test_the_attackers_have_their_share_and_no_more(found: dict[str, Any]) -> None:
    refused = {name: statuses.get("429", 0) for name, statuses in found["attackers"].items()}
    for name in ("hard", "generate", "connections"):
        assert refused[name] > 0, found["attackers"]
    assert found["attackers"]["keys"].get("400", 0) > 0, found["attackers"]


@LINUX
def test_memory_stays_below_a_gigabyte_and_the_server_ends(found: dict[str, Any]) -> None:
    assert found["peak_megabytes"] < 1000
    assert found["exit_status"] == 0
