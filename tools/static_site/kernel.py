"""The kernel in WebAssembly: the Python module that the site loads, and the kernel's own tests."""

from __future__ import annotations

from pathlib import Path

import nanobind
from static_site.places import CACHE, ROOT, SYSROOT
from static_site.toolchain import compile_all, link

from mineproof.version import VERSION

LIMITED_API = "0x030C0000"  # as wheels from Python 3.12 on are built: any header of a newer version will do
NANOBIND = Path(nanobind.__file__).parent


def build_kernel(target: Path, jobs: int) -> None:
    """Build `_kernel.abi3.so`."""
    native, folder = ROOT / "native", CACHE / "kernel"
    core = compile_all(sorted((native / "src").glob("*.cpp")), folder / "src", f"-I{native / 'include'}", jobs=jobs)
    headers = sorted((SYSROOT / "include").glob("python3.*"))
    options = [
        "-include", "stdio.h", f"-DPy_LIMITED_API={LIMITED_API}", "-DNB_STATIC=1", f"-I{headers[0]}",
        f"-I{NANOBIND / 'include'}", f"-I{NANOBIND / 'ext/robin_map/include'}", f"-I{native / 'include'}",
        f'-DMINEPROOF_VERSION="{VERSION}"', "-fno-strict-aliasing", "-w",
    ]  # fmt: skip
    sources = [*sorted((native / "bindings").glob("*.cpp")), NANOBIND / "src/nb_combined.cpp"]
    bindings = compile_all(sources, folder / "bindings", *options, jobs=jobs)
    link([*core, *bindings], target, "PyInit__kernel")


def build_kernel_tests(target: Path, jobs: int) -> None:
    """Build the kernel's tests as a module that the runtime can load, too."""
    native, folder = ROOT / "native", CACHE / "kernel"
    includes = (f"-I{native / 'include'}", f"-I{ROOT / 'benchmarks'}")
    core = compile_all(sorted((native / "src").glob("*.cpp")), folder / "src", f"-I{native / 'include'}", jobs=jobs)
    tests = compile_all(sorted((native / "tests").glob("*.cpp")), folder / "tests", *includes, "-w", "-O1", jobs=jobs)
    link([*core, *tests], target, "__main_argc_argv")
