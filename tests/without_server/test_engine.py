"""The engine of the static site in Node.js: the signature of all answers, and the kernel's own tests."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from mineproof.bench import work

ROOT = Path(__file__).parents[2]
PARTS = ROOT / "build/site-parts"
SPEED = {"median_microseconds", "positions_per_second"}
# These start threads themselves, and the runtime has none. The kernel works alone where it cannot start one.
THREADS = {"threads_count_and_sample_alike", "threads_play_alike", "threads_advise_alike"}
# Their expected value is a log2 of more than a double holds; the C library of the runtime computes it in a double.
LONG_DOUBLES = {
    "counts_beyond_doubles_are_noticed", "rare_totals_are_not_lost", "what_is_faint_by_itself_may_count_in_numbers",
}  # fmt: skip

SIGN = """
import json
from mineproof.bench import work
print(json.dumps(work.run(0.1, lambda message: None).as_json()))
"""
START = """
import sys
from pathlib import Path
from mineproof.web.local import LocalServer
server = LocalServer(Path("/data"))
await server.start()
print(*sys.modules)
"""
RUN_TESTS = """
import ctypes
words = [b"kernel_tests", b"-q"]
ctypes.CDLL("/folder/kernel_tests.so").__main_argc_argv(len(words), (ctypes.c_char_p * len(words))(*words))
"""


def in_node(tmp_path: Path, code: str, folder: Path = PARTS) -> str:
    """What Python code prints in Node.js, with the packages of the site."""
    file = tmp_path / "code.py"
    file.write_text(code, "utf-8")
    command = ["node", "--stack-size=3000", str(ROOT / "tools/static_site/node.mjs"), str(file), str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def test_it_gives_the_signature_of_this_machine(tmp_path: Path) -> None:
    theirs = json.loads(in_node(tmp_path, SIGN))
    mine = dict(work.run(0.1, lambda _: None).as_json())
    assert {key: theirs[key] for key in theirs.keys() - SPEED} == {key: mine[key] for key in mine.keys() - SPEED}


def test_a_start_loads_byte_code_and_no_client_of_http(tmp_path: Path) -> None:
    modules = set(in_node(tmp_path, START).split())
    assert "mineproof.web.local" in modules
    assert not {"urllib.request", "http.client", "email"} & modules
    with zipfile.ZipFile(PARTS / "python_stdlib.zip") as library:
        assert [name for name in library.namelist() if name.endswith(".py")] == []


@pytest.mark.timeout(3600)  # compiles them the first time
def test_the_kernel_passes_its_own_tests(tmp_path: Path) -> None:
    sys.path.append(str(ROOT / "tools"))
    from static_site.kernel import build_kernel_tests

    build_kernel_tests(PARTS / "kernel_tests.so", os.cpu_count() or 1)
    output = in_node(tmp_path, RUN_TESTS)
    assert re.search(r"^\d{3} passed, \d+ failed$", output, re.MULTILINE), output[-2000:]
    failed = set(re.findall(r"^FAILED (\w+)", output, re.MULTILINE))
    assert failed == THREADS | LONG_DOUBLES, output[-2000:]
