"""The wheel for Pyodide: pip takes it for that platform, micropip installs it, and it has both kernels."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from support.static_site import SITE
from without_server.test_engine import PARTS, in_node

# The packages of the site, without its mineproof: the wheel takes its place.
INSTALL = """
import shutil, sys
shutil.rmtree("/packages/mineproof")
for name in {others!r}:
    sys.path.insert(0, "/folder/" + name)
import micropip
await micropip.install("emfs:/folder/{wheel}", deps=False)
import mineproof as mp
from importlib.metadata import version
print(version("mineproof"), mp.analyze(mp.Board.parse("1#/##", total_mines=1)).layouts)
print(mp.analyze(mp.Board.parse("1#/##", total_mines=1, topology="radius2")).layouts)
print(mp.hint(mp.Board.parse("1#/11")).text)
"""


@pytest.fixture
def wheel() -> Path:
    assert SITE is not None
    (found,) = (SITE / "wheels").iterdir()
    return found


def test_pip_takes_it_for_the_platform(wheel: Path, tmp_path: Path) -> None:
    platform = ["--platform", "pyemscripten_2026_0_wasm32", "--python-version", "3.14", "--implementation", "cp"]
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--only-binary=:all:", *platform,
         "--target", str(tmp_path), str(wheel)],
        check=True,
    )  # fmt: skip
    assert {path.name for path in (tmp_path / "mineproof/engine").glob("*.so")} == {
        "_kernel.abi3.so",
        "_kernel_wide.abi3.so",
    }


def test_micropip_installs_it(wheel: Path, tmp_path: Path) -> None:
    (micropip,) = (PARTS / "downloads/tests").glob("micropip-*.whl")
    folder = tmp_path / "folder"
    folder.mkdir()
    for path in (wheel, micropip):
        shutil.copy(path, folder)
    output = in_node(tmp_path, INSTALL.format(wheel=wheel.name, others=[micropip.name]), folder)
    version = wheel.name.split("-")[1]
    assert output.splitlines()[:2] == [f"{version} 3", "3"]
    assert "(0,1)" in output.splitlines()[2]
