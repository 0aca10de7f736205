"""What is handed to users: an sdist, a wheel built from it, and the command in an empty environment."""

import json
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

import pytest
from filelock import FileLock

from mineproof.version import VERSION

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
STATIC = "src/mineproof/web/static"
NO_COMPILER = {"CXX": "/no/such/compiler", "CC": "/no/such/compiler", "CMAKE_TOOLCHAIN_FILE": ""}
ANALYZE = ["analyze", "1#/##", "--mines", "1", "--json"]


def run(*command: str | Path, cwd: Path, env: Mapping[str, str] = MappingProxyType({})) -> str:
    """What a command that must succeed prints."""
    done = subprocess.run(command, cwd=cwd, env=os.environ | env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command} exited {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def build(outdir: Path, *options: str, **env: str) -> None:
    """Builds with the tools that are installed here already, not in a fresh environment."""
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", outdir, *options, cwd=ROOT, env=env)


def only(folder: Path, pattern: str) -> Path:
    [path] = folder.glob(pattern)
    return path


def names(wheel: Path) -> list[str]:
    return zipfile.ZipFile(wheel).namelist()


def made_once(name: str, make: Callable[[Path], None], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder made by the first who asks, whichever process of pytest-xdist that is; the others wait for it."""
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


@pytest.fixture(scope="session")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sdist and the wheel: those of `make wheel`, or made now."""
    if "MINEPROOF_DIST" in os.environ:
        return ROOT / os.environ["MINEPROOF_DIST"]

    def make(folder: Path) -> None:
        build(folder, "--config-setting=cmake.define.MINEPROOF_REQUIRE_KERNEL=ON")

    return made_once("dist", make, tmp_path_factory)


@pytest.fixture(scope="session")
def pure_wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel without the kernel."""
    return only(
        made_once("pure", lambda folder: build(folder, "--wheel", MINEPROOF_NO_KERNEL="1"), tmp_path_factory), "*"
    )


@pytest.fixture(scope="session")
def venv(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the commands of an environment that had nothing in it before the wheel was installed."""

    def make(folder: Path) -> None:
        # Scripts name the folder they were installed into, so it is made where it stays.
        run(sys.executable, "-m", "venv", "--without-pip", home, cwd=folder)
        locked = ROOT / "constraints/dev.txt"
        pip = (sys.executable, "-m", "pip", "--python", home)
        run(*pip, "install", "--no-compile", "--constraint", locked, only(dist, "*.whl"), cwd=folder)

    home = made_once("home", lambda folder: None, tmp_path_factory) / "venv"
    made_once("installed", make, tmp_path_factory)
    return home / ("Scripts" if sys.platform == "win32" else "bin")


def test_the_sdist_has_what_a_build_needs(dist: Path) -> None:
    with tarfile.open(only(dist, "*.tar.gz")) as sdist:
        paths = [Path(*Path(name).parts[1:]) for name in sdist.getnames()]
    folders = {path.parts[0] for path in paths if len(path.parts) > 1}
    assert {"native", "src", "tests"} <= folders
    assert not {".venv", "build", "dist", ".git", "node_modules"} & folders
    assert {Path("pyproject.toml"), Path("CMakeLists.txt"), Path("LICENSE"), Path("README.md")} <= set(paths)
    assert Path("src/mineproof/__init__.pyi") in paths


def test_the_wheel_carries_the_kernel_and_its_types(dist: Path) -> None:
    packed = names(only(dist, "*.whl"))
    assert {name.split("/")[0] for name in packed} == {"mineproof", f"mineproof-{VERSION}.dist-info"}
    assert {"mineproof/engine/_kernel.pyi", "mineproof/py.typed"} <= set(packed)
    assert "mineproof/__init__.pyi" in packed, "the package reads it for the names it offers"
    assert [name for name in packed if name.startswith("mineproof/engine/_kernel.") and name.endswith((".so", ".pyd"))]
    assert [name for name in packed if name.endswith("/LICENSE")]


def test_the_wheels_carry_the_whole_page(dist: Path, pure_wheel: Path) -> None:
    page = {path.relative_to(ROOT / "src").as_posix() for path in (ROOT / STATIC).rglob("*") if path.is_file()}
    assert page
    for wheel in (only(dist, "*.whl"), pure_wheel):
        assert {name for name in names(wheel) if name.startswith("mineproof/web/static/")} == page


def test_version(venv: Path, tmp_path: Path) -> None:
    assert VERSION in run(venv / "mineproof", "--version", cwd=tmp_path)


def test_kernel_and_package_have_one_version(venv: Path, tmp_path: Path) -> None:
    show = "import mineproof.engine._kernel as kernel; print(kernel.__version__)"
    assert run(venv / "python", "-c", show, cwd=tmp_path).strip() == VERSION


def test_analyze(venv: Path, tmp_path: Path) -> None:
    answer = json.loads(run(venv / "mineproof", *ANALYZE, cwd=tmp_path))
    assert answer["layouts"] == "3"


def test_without_the_kernel_the_answers_are_the_same(venv: Path, pure_wheel: Path, tmp_path: Path) -> None:
    assert pure_wheel.name.endswith("-py3-none-any.whl")
    assert not [name for name in names(pure_wheel) if name.endswith((".so", ".pyd"))]
    zipfile.ZipFile(pure_wheel).extractall(tmp_path / "pure")

    pure = {"PYTHONPATH": str(tmp_path / "pure"), "MINEPROOF_ENGINE": "reference"}
    where = "import mineproof; print(mineproof.__file__)"
    assert str(tmp_path) in run(venv / "python", "-c", where, cwd=tmp_path, env=pure)
    slow = json.loads(run(venv / "mineproof", *ANALYZE, cwd=tmp_path, env=pure))
    fast = json.loads(run(venv / "mineproof", *ANALYZE, cwd=tmp_path))
    assert slow.pop("states") != fast.pop("states"), "the effort tells the engines apart"
    assert slow == fast


def test_without_a_compiler_the_package_still_installs(tmp_path: Path) -> None:
    build(tmp_path, "--wheel", **NO_COMPILER)
    packed = names(only(tmp_path, "*.whl"))
    assert "mineproof/__init__.py" in packed
    assert not [name for name in packed if name.endswith((".so", ".pyd"))]


def test_a_kernel_that_is_required_is_not_left_out(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="apt install g"):
        build(tmp_path, "--wheel", "--config-setting=cmake.define.MINEPROOF_REQUIRE_KERNEL=ON", **NO_COMPILER)
