"""The kernel in WebAssembly: the Python modules that the site loads, and the kernel's own tests."""

from __future__ import annotations

from pathlib import Path

import nanobind
from static_site.places import CACHE, ROOT, SYSROOT
from static_site.toolchain import compile_all, link

from mineproof.version import VERSION

LIMITED_API = "0x030C0000"  # as wheels from Python 3.12 on are built: any header of a newer version will do
NANOBIND = Path(nanobind.__file__).parent
REACHES = {"_kernel": 8, "_kernel_wide": 32}  # as CMakeLists.txt: the neighbours of a cell, at most


def build_kernels(folder: Path, jobs: int) -> None:
    """Build `_kernel.abi3.so` and `_kernel_wide.abi3.so` into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for module, reach in REACHES.items():
        _build_kernel(folder / f"{module}.abi3.so", module, reach, jobs)


def _build_kernel(target: Path, module: str, reach: int, jobs: int) -> None:
    native, folder = ROOT / "native", CACHE / module
    core = _compile_core(folder / "src", reach, jobs)
    headers = sorted((SYSROOT / "include").glob("python3.*"))
    options = [
        "-include", "stdio.h", f"-DPy_LIMITED_API={LIMITED_API}", "-DNB_STATIC=1", f"-I{headers[0]}",
        f"-I{NANOBIND / 'include'}", f"-I{NANOBIND / 'ext/robin_map/include'}", f"-I{native / 'include'}",
        f'-DMINEPROOF_VERSION="{VERSION}"', f"-DMINEPROOF_MODULE={module}", f"-DMINEPROOF_REACH={reach}",
        f"-DNB_DOMAIN=mineproof{module}", "-fno-strict-aliasing", "-w",
    ]  # fmt: skip
    sources = [*sorted((native / "bindings").glob("*.cpp")), NANOBIND / "src/nb_combined.cpp"]
    bindings = compile_all(sources, folder / "bindings", *options, jobs=jobs)
    link([*core, *bindings], target, f"PyInit_{module}")


def _compile_core(folder: Path, reach: int, jobs: int) -> list[Path]:
    native = ROOT / "native"
    options = (f"-I{native / 'include'}", f"-DMINEPROOF_REACH={reach}")
    return compile_all(sorted((native / "src").glob("*.cpp")), folder, *options, jobs=jobs)


def build_kernel_tests(target: Path, jobs: int) -> None:
    """Build the kernel's tests as a module that the runtime can load, too."""
    native, reach = ROOT / "native", REACHES["_kernel"]
    core = _compile_core(CACHE / "_kernel/src", reach, jobs)
    options = (f"-I{native / 'include'}", f"-I{ROOT / 'benchmarks'}", f"-DMINEPROOF_REACH={reach}", "-w", "-O1")
    tests = compile_all(sorted((native / "tests").glob("*.cpp")), CACHE / "kernel_tests", *options, jobs=jobs)
    link([*core, *tests], target, "__main_argc_argv")
