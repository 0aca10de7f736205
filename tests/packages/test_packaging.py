"""What is handed to users: an sdist, a wheel built from it, and the command in an empty environment."""

import json
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from mineproof.version import VERSION
from support.installing import HERE, ROOT, build, find_python, made_once, only, run, wheel_installed

# Some compile the kernel, on a machine that may be busy.
pytestmark = [pytest.mark.slow, pytest.mark.packages, pytest.mark.timeout(3600)]

STATIC = "src/mineproof/web/static"
NO_COMPILER = {"CXX": "/no/such/compiler", "CC": "/no/such/compiler", "CMAKE_TOOLCHAIN_FILE": ""}
ANALYZE = ["analyze", "1#/##", "--mines", "1", "--json"]


def names(wheel: Path) -> list[str]:
    return zipfile.ZipFile(wheel).namelist()


@pytest.fixture(scope="session")
def pure_wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel without the kernel."""
    return only(
        made_once("pure", lambda folder: build(folder, "--wheel", MINEPROOF_NO_KERNEL="1"), tmp_path_factory), "*"
    )


@pytest.fixture(scope="session")
def venv(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the commands of an environment that had nothing in it before the wheel was installed."""
    python = find_python(HERE)
    assert python is not None
    return wheel_installed(python, only(dist, "*.whl"), tmp_path_factory)


def test_the_sdist_has_what_a_build_needs(dist: Path) -> None:
    with tarfile.open(only(dist, "*.tar.gz")) as sdist:
        paths = [Path(*Path(name).parts[1:]) for name in sdist.getnames()]
    folders = {path.parts[0] for path in paths if len(path.parts) > 1}
    assert {"native", "samples", "src", "tests"} <= folders
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


def test_an_error_in_our_code_is_not_blamed_on_the_machine(tmp_path: Path) -> None:
    launcher = tmp_path / "launcher.py"
    launcher.write_text(
        "import subprocess, sys\n"
        "ours = [word for word in sys.argv if '/native/' in word and word.endswith('.cpp')]\n"
        "sys.exit(f'{ours[0]}:1: error: not C++' if ours else subprocess.call(sys.argv[1:]))\n"
    )
    with pytest.raises(AssertionError) as failure:
        build(tmp_path / "dist", "--wheel", CMAKE_CXX_COMPILER_LAUNCHER=f"{sys.executable};{launcher}")
    message = " ".join(str(failure.value).split())
    assert ".cpp:1: error: not C++" in message
    assert "The first error above says why." in message
    assert "An error in a file of native/: the compiler does not know C++20, or mineproof has a bug." in message
