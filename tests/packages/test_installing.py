"""The package in clean environments: on every Python of this machine, and with the oldest dependencies it allows.

A Python that is not on this machine is skipped; the workflows of hosted CI have all of them.
"""

import json
import os
import shutil
import subprocess
import tomllib
import urllib.request
from pathlib import Path

import nanobind
import pytest
from packaging.requirements import Requirement

from support.installing import (
    HERE,
    LARGE_EXTRAS,
    LOCKED,
    ROOT,
    Python,
    build_wheel,
    find_python,
    installed_once,
    made_once,
    only,
    pip,
    promised_versions,
    run,
    wheel_family,
    wheel_installed,
)
from support.patience import PATIENCE

# Some compile the kernel, on a machine that may be busy.
pytestmark = [pytest.mark.slow, pytest.mark.packages, pytest.mark.timeout(3600)]


LIMITED_API = "0x030C0000"  # as nanobind's STABLE_ABI sets it from Python 3.12 on
COMPILER = next((found for name in ("c++", "g++", "clang++") if (found := shutil.which(name))), None)
BINDINGS = sorted(path.name for path in (ROOT / "native/bindings").glob("*.cpp"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
# Textual needs a newer Rich than we do, and verifiers a newer NumPy.
OLDEST_TOGETHER = sorted(set(EXTRAS) - {"all", "tui", *LARGE_EXTRAS})


SIGN = """
import json
from mineproof.bench.work import play_signature
from mineproof.engine.default import default_engine
print(json.dumps(play_signature(default_engine())))
"""


def python_of(version: str) -> Python:
    python = find_python(version)
    if python is None:
        pytest.skip(f"This machine has no Python {version} (looked in PATH, pyenv and uv)")
    return python


def python_with_headers(family: str) -> Python:
    """The oldest Python of this machine that can build the wheel of a family."""
    versions = [version for version in promised_versions() if wheel_family(version) == family]
    for python in map(find_python, versions):
        if python is not None and python.headers is not None:
            return python
    pytest.skip(f"This machine has no Python {' or '.join(versions)} with its headers")


def wheel_for(version: str, dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel that a Python takes, built from the sdist unless it is the one of this Python."""
    family = wheel_family(version)
    if family == wheel_family(HERE):
        return only(dist, "*.whl")
    python = python_with_headers(family)
    sdist = only(dist, "*.tar.gz")
    folder = made_once(f"wheel-{family}", lambda folder: build_wheel(sdist, python, folder), tmp_path_factory)
    return only(folder, "*.whl")


def test_bindings_compile_against_the_limited_api(tmp_path: Path) -> None:
    if COMPILER is None:
        pytest.skip("This machine has no C++ compiler")
    headers = python_with_headers("abi3").headers
    assert headers is not None
    package = Path(nanobind.include_dir()).parent
    folders = [headers, nanobind.include_dir(), package / "ext/robin_map/include", ROOT / "native/include"]
    whole = tmp_path / "bindings.cpp"  # one file, because reading nanobind's headers takes most of the time
    whole.write_text("".join(f'#include "{ROOT / "native/bindings" / name}"\n' for name in BINDINGS))
    command = [COMPILER, "-std=c++20", "-fsyntax-only", f"-DPy_LIMITED_API={LIMITED_API}", '-DMINEPROOF_VERSION=""']
    run(*command, *[f"-I{folder}" for folder in folders], whole, cwd=ROOT)


@pytest.mark.parametrize("version", promised_versions())
def test_the_package_installs_and_runs(
    version: str, dist: Path, tmp_path_factory: pytest.TempPathFactory, tmp_path: Path
) -> None:
    python = python_of(version)
    wheel = wheel_for(version, dist, tmp_path_factory)
    assert f"-{'cp312-abi3' if wheel_family(version) == 'abi3' else 'cp' + version.replace('.', '')}-" in wheel.name
    commands = wheel_installed(python, wheel, tmp_path_factory)
    # As our messages advise where an extra is missing: the mineproof that is installed stays.
    run(*pip(commands.parent), "install", "--no-compile", "--constraint", LOCKED, "mineproof[image]", cwd=tmp_path)

    run(*pip(commands.parent), "check", cwd=tmp_path)
    load = "import sys, mineproof.engine._kernel, mineproof.web.app; print('%d.%d' % sys.version_info[:2])"
    assert run(commands / "python", "-W", "error", "-c", load, cwd=tmp_path).strip() == version
    analysis = json.loads(run(commands / "mineproof", "analyze", "1#/##", "--mines", "1", "--json", cwd=tmp_path))
    assert analysis["layouts"] == "3"
    run(commands / "mineproof", "draw", "1#/##", "-o", "board.png", cwd=tmp_path)
    assert (tmp_path / "board.png").read_bytes().startswith(b"\x89PNG")
    if version != HERE:  # tests/bench/test_signature.py has checked the signature with this Python
        signed = json.loads(run(commands / "python", "-c", SIGN, cwd=tmp_path))
        golden = json.loads((ROOT / "tests/golden/signature.json").read_text("utf-8"))["kernel"]
        assert signed == {key: golden[key] for key in signed}
        assert {"answers", "states", "endgame", "decisions"} <= set(signed), "all but the ladder, which is Python"


def oldest(requirement: str) -> str:
    """The requirement with its lower bound as the only version allowed."""
    parsed = Requirement(requirement)
    [bound] = [specifier.version for specifier in parsed.specifier if specifier.operator == ">="]
    extras = f"[{','.join(sorted(parsed.extras))}]" if parsed.extras else ""
    marker = f"; {parsed.marker}" if parsed.marker else ""
    return f"{parsed.name}{extras}=={bound}{marker}"


@pytest.fixture(scope="session")
def with_oldest(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The commands of an environment with the lower bounds of all dependencies, on the oldest Python."""
    version = promised_versions()[0]
    python = python_of(version)
    wheel = wheel_for(version, dist, tmp_path_factory)
    requirements = [*PROJECT["dependencies"], *(each for extra in OLDEST_TOGETHER for each in EXTRAS[extra])]
    return installed_once("oldest", python.program, [*map(oldest, requirements), wheel], tmp_path_factory)


def test_the_lower_bounds_are_what_is_installed(with_oldest: Path, tmp_path: Path) -> None:
    run(*pip(with_oldest.parent), "check", cwd=tmp_path)
    listed = json.loads(run(*pip(with_oldest.parent), "list", "--format", "json", cwd=tmp_path))
    versions = {each["name"].lower().replace("_", "-"): each["version"] for each in listed}
    for requirement in PROJECT["dependencies"]:
        name, _, bound = oldest(requirement).partition("==")
        assert versions[name].startswith(bound), name


def test_commands_work_with_the_lower_bounds(with_oldest: Path, tmp_path: Path) -> None:
    def mineproof(*arguments: str) -> str:
        return run(with_oldest / "mineproof", *arguments, cwd=tmp_path)

    assert "33.3 %" in mineproof("analyze", "1#/##", "--mines", "1")
    assert "safe" in mineproof("solve", "###/121", "--steps")
    assert json.loads(mineproof("hint", "###/121", "--json"))["schema"].startswith("mineproof/")
    assert json.loads(mineproof("best", "5x3x6/#####/123##/###3#", "--exact", "--json"))["win_fraction"] == "3/5"
    mineproof("generate", "beginner", "--no-guess", "--seed", "7", "--count", "2", "-o", "boards")
    assert "3BV" in mineproof("stats", "boards")
    assert json.loads(mineproof("simulate", "beginner", "--games", "50", "--json"))["games"] == 50
    mineproof("sweep", "beginner", "--mines", "10,12", "--games", "20", "-o", "run")
    mineproof("report", "run", "-o", "report.html")
    mineproof("dataset", "beginner", "--positions", "50", "-o", "positions.parquet")
    mineproof("draw", "1#/##", "-o", "board.png")
    assert json.loads(mineproof("history", "--json", "--data", "empty"))
    assert "mineproof" in mineproof("completion", "bash")
    for command in ("play", "serve", "read", "watch", "review"):
        assert "Usage" in mineproof(command, "--help")


def test_extras_load_with_the_lower_bounds(with_oldest: Path, tmp_path: Path) -> None:
    load = (
        "import distributed, gymnasium, mcp, psycopg\n"
        "import mineproof.gym, mineproof.history.postgresql, mineproof.mcp.server, mineproof.sweeps.cluster\n"
        "environment = gymnasium.make('mineproof/Minesweeper-v0', level='beginner')\n"
        "environment.reset(seed=1); environment.step(0)\n"
    )
    run(with_oldest / "python", "-c", load, cwd=tmp_path)


TERMINAL_GAME = """
import asyncio
from pathlib import Path
from mineproof.tui.app import TerminalGame
from mineproof.tui.session import Session
from mineproof.tui.settings import Settings

async def play():
    app = TerminalGame(Session(Settings(), Path("game.json")))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("space")
        await pilot.pause()
        print(app.session.game.status)

asyncio.run(play())
"""


def test_the_terminal_game_plays_with_the_lower_bounds(
    dist: Path, tmp_path_factory: pytest.TempPathFactory, tmp_path: Path
) -> None:
    """All but Rich, of which Textual chooses the version."""
    version = promised_versions()[0]
    wheel = wheel_for(version, dist, tmp_path_factory)
    requirements = [*PROJECT["dependencies"], *EXTRAS["tui"]]
    pinned = [oldest(each) for each in requirements if Requirement(each).name != "rich"]
    commands = installed_once("oldest-tui", python_of(version).program, [*pinned, wheel], tmp_path_factory)
    assert run(commands / "python", "-c", TERMINAL_GAME, cwd=tmp_path).strip() in ("running", "won")


def test_the_server_answers_with_the_lower_bounds(with_oldest: Path, tmp_path: Path) -> None:
    command = [str(with_oldest / "mineproof"), "serve", "--port", "0", "--no-open", "--data", "data"]
    with subprocess.Popen(command, cwd=tmp_path, env=os.environ, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            address = server.stdout.readline().strip()
            request = urllib.request.Request(
                f"{address}api/v1/analyze",
                b'{"board": "1#/##", "mines": 1}',
                {"Content-Type": "application/json"},
            )
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                assert json.load(answer)["layouts"] == "3"
            server.terminate()
            assert server.wait(PATIENCE) == 0
        finally:
            server.kill()
