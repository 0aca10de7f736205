"""The C and C++ compiler for WebAssembly: clang of the package `ziglang`, with the headers of Emscripten.

A side module takes the C library, the C++ library and Python from the runtime's main module, so only headers are needed
and no library is linked. What must match the runtime is how exceptions are raised: by WebAssembly, in the legacy
encoding.
"""

from __future__ import annotations

import shlex
import shutil
import subprocess
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from pathlib import Path
from typing import Literal

import ziglang
from static_site.places import CACHE, SYSROOT

ZIG = Path(ziglang.__file__).parent / "zig"
FEATURES = "generic+exception_handling+simd128+bulk_memory+nontrapping_fptoint+sign_ext"
EXCEPTIONS = ("-mllvm", "-wasm-enable-eh", "-mllvm", "-wasm-use-legacy-eh=true")
CONSTRUCTORS = "--export-if-defined=__wasm_call_ctors"  # of static objects: the runtime calls it
INCLUDE = SYSROOT / "include"
SYSTEM = ("-target", "wasm32-emscripten", f"-mcpu={FEATURES}", "--sysroot", str(SYSROOT))
C_HEADERS = ("-idirafter", str(INCLUDE / "compat"), "-idirafter", str(INCLUDE))
CXX_HEADERS = ("-nostdinc++", f"-I{INCLUDE / 'c++/v1'}", *C_HEADERS)
# As CMakeLists.txt has them: no contraction of a*b+c, so that answers are the same on every machine.
OPTIONS = ("-O3", "-DNDEBUG", "-fPIC", "-fvisibility=hidden", "-ffp-contract=off")
CXX_OPTIONS = ("-std=c++20", "-fwasm-exceptions", "-mllvm", "-wasm-use-legacy-eh=true")


def compile_all(
    sources: Sequence[Path], folder: Path, *options: str, jobs: int, language: Literal["c", "c++"] = "c++"
) -> list[Path]:
    """Compile sources into a folder, and return the objects. ccache has those that were compiled before."""
    folder.mkdir(parents=True, exist_ok=True)
    own = (*C_HEADERS, *OPTIONS) if language == "c" else (*CXX_HEADERS, *OPTIONS, *CXX_OPTIONS)
    flags = (*SYSTEM, *own, *options)
    objects = [folder / f"{source.stem}.o" for source in sources]
    ccache = shutil.which("ccache")
    compiler = [*([ccache] if ccache else []), str(_write_compiler("cc" if language == "c" else "c++"))]

    def compile_one(source: Path, target: Path) -> None:
        subprocess.run([*compiler, *flags, "-c", str(source), "-o", str(target)], check=True)

    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(compile_one, sources, objects))
    return objects


def _write_compiler(command: str) -> Path:
    """Write a script that runs zig's compiler, because ccache takes one program. Its content has the version of zig."""
    script = CACHE / f"zig-{command}"
    text = f'#!/bin/sh\n# zig {version("ziglang")}\nexec {shlex.quote(str(ZIG))} {command} "$@"\n'
    if not script.exists() or script.read_text("utf-8") != text:
        script.parent.mkdir(parents=True, exist_ok=True)
        script.write_text(text, "utf-8")
        script.chmod(0o755)
    return script


def link(objects: Sequence[Path], target: Path, *exports: str) -> None:
    """Link a side module."""
    subprocess.run(
        [
            str(ZIG), "wasm-ld", "-shared", "--experimental-pic", "--no-entry", "-Bsymbolic",
            "--unresolved-symbols=import-dynamic", "--strip-all", CONSTRUCTORS,
            *(f"--export={name}" for name in exports), *EXCEPTIONS, "-o", str(target), *map(str, objects),
        ],
        check=True,
    )  # fmt: skip
