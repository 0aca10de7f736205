"""numpy for the site: a wheel of the package index if there is one for the runtime, or built from numpy's sdist.

The modules that the package needs are built: arrays, linear algebra and Fourier transforms. `numpy.random` is left
out.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

from static_site.places import CACHE, PYTHON_HEADERS, ROOT
from static_site.toolchain import C_HEADERS, CONSTRUCTORS, CXX_HEADERS, CXX_OPTIONS, EXCEPTIONS, OPTIONS, SYSTEM, ZIG

CROSS_FILE = """\
[binaries]
c = '{folder}/cc'
cpp = '{folder}/c++'
ar = '{folder}/ar'
strip = 'true'
python = '{python}'

[properties]
needs_exe_wrapper = true
skip_sanity_check = true
longdouble_format = 'IEEE_QUAD_LE'

[host_machine]
system = 'emscripten'
cpu_family = 'wasm32'
cpu = 'wasm'
endian = 'little'
"""
# Compiles by zig, with the headers of the runtime's Python. Links a side module, which takes what is missing from the
# runtime.
COMPILER = """\
#!/bin/sh
for word do
    shift
    case "$word" in -I*/include/python3.*) word=-I{headers} ;; esac
    set -- "$@" "$word"
done
case " $* " in
*" -c "* | *" -E "* | *" -S "* | *" --version "* | *"-Wl,--version"* | *" -print"*) exec {compile} "$@" ;;
esac
exec {python} {folder}/link.py "$@"
"""
LINKER = """\
import subprocess, sys
words, objects, target, skip = sys.argv[1:], [], "a.out", False
for word, after in zip(words, [*words[1:], ""]):
    if skip:
        skip = False
    elif word == "-o":
        target, skip = after, True
    elif word.endswith((".o", ".a", ".obj")):
        objects.append(word)
    elif word.endswith((".c", ".cpp")):
        subprocess.run([*{compile}[word.endswith(".cpp")], "-c", word, "-o", target + ".o"], check=True)
        objects.append(target + ".o")
module = target.split("/")[-1].split(".")[0]
sys.exit(subprocess.call([
    *{link}, f"--export-if-defined=PyInit_{{module}}", "-o", target, *objects,
]))
"""
# Lines of numpy's build files that ask for Cython, which only `numpy.random` needs.
WITHOUT_CYTHON: dict[str, list[tuple[str, str]]] = {
    "meson.build": [
        (r"'c', 'cpp', 'cython',", "'c', 'cpp',"),
        (r"cy = meson\.get_compiler\('cython'\)\n", ""),
        (r"(?s)if not cy\.version\(\).*?endif\n", ""),
    ],
    "numpy/meson.build": [(r"  'CYTHON': cy,\n", ""), (r"subdir\('random'\)\n", "")],
}


def build_numpy(sdist: Path, target: Path, jobs: int) -> None:
    """Build numpy into ``target``: a folder `numpy` with its Python files and WebAssembly modules."""
    folder = CACHE / "numpy"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with tarfile.open(sdist) as archive:
        archive.extractall(folder, filter="data")
    (source,) = folder.iterdir()
    for name, changes in WITHOUT_CYTHON.items():
        _edit(source / name, changes)
    _write_tools(folder)
    build = folder / "build"
    meson = [sys.executable, str(source / "vendored-meson/meson/meson.py")]
    options = ["-Dblas=none", "-Dlapack=none", "-Dallow-noblas=true", "-Ddisable-optimization=true"]
    _run([*meson, "setup", str(build), str(source), "--cross-file", str(folder / "cross.ini"),
          "--buildtype=release", "--prefix=/", "--python.purelibdir=/packages", "--python.platlibdir=/packages",
          *options])  # fmt: skip
    _run(["ninja", "-C", str(build), f"-j{jobs}"])
    _run([*meson, "install", "-C", str(build), "--no-rebuild", "--destdir", str(folder / "installed"),
          "--tags", "runtime,python-runtime"])  # fmt: skip
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(folder / "installed/packages/numpy", target)
    for module in target.rglob("*.so"):
        module.rename(module.with_name(f"{module.name.split('.')[0]}.so"))


def _edit(path: Path, changes: list[tuple[str, str]]) -> None:
    text = path.read_text("utf-8")
    for old, new in changes:
        text, count = re.subn(old, new, text)
        if count == 0:
            raise SystemExit(f"{path}: expected {old!r}, which this version of numpy does not have")
    path.write_text(text, "utf-8")


def _write_tools(folder: Path) -> None:
    commands = {
        "cc": [str(ZIG), "cc", *SYSTEM, *C_HEADERS, *OPTIONS],
        "c++": [str(ZIG), "c++", *SYSTEM, *CXX_HEADERS, *OPTIONS, *CXX_OPTIONS],
    }
    for name, command in commands.items():
        _script(folder / name, _compiler(command, folder))
    _script(folder / "ar", f'#!/bin/sh\nexec {ZIG} ar "$@"\n')
    link = [
        str(ZIG), "wasm-ld", "-shared", "--experimental-pic", "--no-entry", "-Bsymbolic",
        "--unresolved-symbols=import-dynamic", "--strip-all", CONSTRUCTORS, *EXCEPTIONS,
    ]  # fmt: skip
    (folder / "link.py").write_text(LINKER.format(compile=[commands["cc"], commands["c++"]], link=link), "utf-8")
    (folder / "cross.ini").write_text(CROSS_FILE.format(folder=folder, python=sys.executable), "utf-8")


def _compiler(command: list[str], folder: Path) -> str:
    words = " ".join(command)
    return COMPILER.format(compile=words, python=sys.executable, folder=folder, headers=PYTHON_HEADERS)


def _script(path: Path, text: str) -> None:
    path.write_text(text, "utf-8")
    path.chmod(0o755)


def _run(command: list[str]) -> None:
    subprocess.run(command, check=True, cwd=ROOT, env=dict(os.environ))
