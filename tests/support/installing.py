"""Wheels and environments that tests build once, and the Pythons of this machine to install into."""

from __future__ import annotations

import functools
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import pytest
from filelock import FileLock

ROOT = Path(__file__).parents[2]
# Extras that are not installed for development, because their packages take hundreds of megabytes.
LARGE_EXTRAS = frozenset(["openenv", "reasoning-gym", "verifiers"])
LOCKED = ROOT / "constraints/dev.txt"
LIMITED_API = (3, 12)  # from this version on, one wheel serves all later versions
HERE = f"{sys.version_info[0]}.{sys.version_info[1]}"  # the Python that runs the tests
# Below the sources, as in the clone: ccache then finds the objects of the clone.
IN_TREE = {"SKBUILD_BUILD_DIR": "build/{wheel_tag}"}
FOLDER_OF_COMMANDS = "Scripts" if sys.platform == "win32" else "bin"

_ABOUT = """
import json, os, sys, sysconfig
include = sysconfig.get_path("include")
print(json.dumps({
    "version": "%d.%d" % sys.version_info[:2],
    "implementation": sys.implementation.name,
    "is_free_threaded": bool(sysconfig.get_config_var("Py_GIL_DISABLED")),
    "headers": include if os.path.exists(os.path.join(include, "Python.h")) else None,
}))
"""


@dataclass(frozen=True)
class Python:
    """A CPython on this machine."""

    program: str
    version: str
    headers: str | None


def promised_versions() -> list[str]:
    """The versions of Python that pyproject.toml promises, oldest first."""
    lines = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["classifiers"]
    return [line.split(" :: ")[2] for line in lines if re.search(r":: 3\.\d+$", line)]


def wheel_family(version: str) -> str:
    """The versions that share one wheel: one each before the limited API, then all together."""
    return "abi3" if tuple(map(int, version.split("."))) >= LIMITED_API else version


@functools.cache
def find_python(version: str) -> Python | None:
    """A CPython of this version, with its headers if one has them, or None."""
    known = [python for program in _programs(version) if (python := _describe(program, version)) is not None]
    return min(known, key=lambda python: python.headers is None, default=None)


def _programs(version: str) -> Iterator[str]:
    """This Python, those in PATH, and those of pyenv and uv, which need not be in PATH."""
    yield sys.executable
    yield from (program for folder in os.get_exec_path() if (program := shutil.which(f"python{version}", path=folder)))
    home = Path.home()
    for root in (Path(os.environ.get("PYENV_ROOT", home / ".pyenv")) / "versions", home / ".local/share/uv/python"):
        yield from (str(program) for program in sorted(root.glob(f"*/bin/python{version}")))


@functools.cache
def _describe(program: str, version: str) -> Python | None:
    """What a program says of itself, or None if it does not run (a shim of pyenv) or is no such CPython with a GIL."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PYENV_VERSION"))}
    done = subprocess.run([program, "-c", _ABOUT], env=env, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return None
    about = json.loads(done.stdout)
    if about["implementation"] != "cpython" or about["is_free_threaded"] or about["version"] != version:
        return None
    return Python(program, version, about["headers"])


def run(*command: str | Path, cwd: Path, env: Mapping[str, str] = MappingProxyType({})) -> str:
    """Return what a command that must succeed prints."""
    return _finish(*command, cwd=cwd, env=env).stdout


def build(outdir: Path, *options: str, **env: str) -> None:
    """Build with the tools that are installed here already, not in a fresh environment, and without a deprecation."""
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(outdir), *options]
    done = _finish(*command, cwd=ROOT, env=env)
    assert "deprecated" not in done.stdout + done.stderr


def _finish(*command: str | Path, cwd: Path, env: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(command, cwd=cwd, env=os.environ | env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command} exited {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done


def only(folder: Path, pattern: str) -> Path:
    """Return the one file of a folder that fits."""
    [path] = folder.glob(pattern)
    return path


def made_once(name: str, make: Callable[[Path], None], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder made by the first process of pytest-xdist that needs it; the others wait."""
    base = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        base = base.parent
    folder = base / name
    with FileLock(base / f"{name}.lock"):
        if not folder.exists():
            half_made = base / f"{name}.making"
            shutil.rmtree(half_made, ignore_errors=True)
            half_made.mkdir()
            make(half_made)
            half_made.rename(folder)
    return folder


def installed_once(
    name: str, python: str, requirements: list[str | Path], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """The folder of the commands of an environment that has the requirements, what they need, and nothing else."""

    def make(folder: Path) -> None:
        run(python, "-m", "venv", "--without-pip", home, cwd=folder)
        run(*pip(home), "install", "--no-compile", "--only-binary", ":all:", *requirements, cwd=folder)

    # Scripts name the folder they were installed into, so the environment is made where it stays.
    home = made_once(f"{name}-home", lambda _: None, tmp_path_factory) / "venv"
    made_once(f"{name}-installed", make, tmp_path_factory)
    return home / FOLDER_OF_COMMANDS


def wheel_installed(python: Python, wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the commands of an environment with the wheel and what the server needs, at the locked versions."""
    requirements: list[str | Path] = ["--constraint", LOCKED, f"{wheel}[web]"]
    return installed_once(f"python-{python.version}", python.program, requirements, tmp_path_factory)


def pip(home: Path) -> list[str | Path]:
    """This environment's pip, working on another one that has none."""
    return [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", home]


def build_wheel(sdist: Path, python: Python, outdir: Path) -> None:
    """Build a wheel from the sdist with another Python, in a folder of its own, with the tools' locked versions."""
    home = outdir.parent / f"{outdir.name}-{python.version}-tools"
    shutil.rmtree(home, ignore_errors=True)
    run(python.program, "-m", "venv", "--without-pip", home, cwd=outdir)
    run(*pip(home), "install", "--constraint", LOCKED, "nanobind", "scikit-build-core", cwd=outdir)
    tools = IN_TREE | {"PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])}  # cmake, ninja
    required = "--config-settings=cmake.define.MINEPROOF_REQUIRE_KERNEL=ON"
    run(*pip(home), "wheel", "--no-deps", "--no-build-isolation", required, sdist, cwd=outdir, env=tools)
