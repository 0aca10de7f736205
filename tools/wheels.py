"""Build the wheels of several systems with the C++ compiler of the package ziglang, and check them.

    python tools/wheels.py [TARGET…]
    python tools/wheels.py --check FOLDER

A wheel is the package without its kernel, plus the two modules of the kernel compiled for a target. Each target gets a
wheel for the limited API of Python 3.12; Linux also gets one for 3.11, which has no limited API that nanobind can use.
The wheels for this machine are installed into clean environments, on every Python found. Called by `make wheels`.
"""

from __future__ import annotations

import argparse
import base64
import csv
import hashlib
import io
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

import nanobind

ROOT = Path(__file__).parents[1]
BUILD = ROOT / "build/wheels"
GLIBC = "2.28"  # the oldest that numpy's wheels run with
MOMENT = (1980, 1, 1, 0, 0, 0)  # of each file, so that the same contents are the same wheel
MODULES = ("_kernel", "_kernel_wide")
LIMITED_API = (3, 12)
SIGNATURE = ROOT / "tests/golden/signature.json"


@dataclass(frozen=True)
class Target:
    """A system that wheels are built for."""

    zig: str
    tag: str  # of the platform, as in the wheel's name
    ending: str  # of the modules for the limited API
    libraries: str  # a pattern of the libraries that the modules may load
    versions: tuple[tuple[int, int], ...] = (LIMITED_API,)


_LINUX = r"lib(c|m|dl|rt|pthread)\.so\.\d+|ld-linux-.*"
_MACOS = r"/usr/lib/libSystem\.B\.dylib"
_WINDOWS = r"python3\.dll|kernel32\.dll|ntdll\.dll|advapi32\.dll|api-ms-win-crt-.*\.dll"
TARGETS = {
    "linux-x86_64": Target(
        f"x86_64-linux-gnu.{GLIBC}", "manylinux_2_28_x86_64", ".abi3.so", _LINUX, ((3, 11), LIMITED_API)
    ),
    "linux-aarch64": Target(
        f"aarch64-linux-gnu.{GLIBC}", "manylinux_2_28_aarch64", ".abi3.so", _LINUX, ((3, 11), LIMITED_API)
    ),
    "macos-x86_64": Target("x86_64-macos.11.0", "macosx_11_0_x86_64", ".abi3.so", _MACOS),
    "macos-arm64": Target("aarch64-macos.11.0", "macosx_11_0_arm64", ".abi3.so", _MACOS),
    "windows-x86_64": Target("x86_64-windows-gnu", "win_amd64", ".pyd", _WINDOWS),
}

# What Python's headers ask of Windows. The headers of a Python on Linux lack this file; the limited API needs no more.
WINDOWS_CONFIG = """\
#define MS_WIN32 1
#define MS_WIN64 1
#define MS_WINDOWS 1
#define NT_THREADS 1
#define WITH_THREAD 1
#define Py_ENABLE_SHARED 1
#define HAVE_DECLSPEC_DLL 1
#define SIZEOF_SHORT 2
#define SIZEOF_INT 4
#define SIZEOF_LONG 4
#define SIZEOF_LONG_LONG 8
#define SIZEOF_SIZE_T 8
#define SIZEOF_VOID_P 8
#define SIZEOF_WCHAR_T 2
#define SIZEOF_TIME_T 8
#define ALIGNOF_SIZE_T 8
#define ALIGNOF_MAX_ALIGN_T 8
#define HAVE_STDARG_H 1
#define HAVE_STDDEF_H 1
#define HAVE_STDINT_H 1
#define HAVE_SYS_TYPES_H 1
"""


def run(*command: str | Path, **env: str) -> str:
    """Return what a command prints. If it fails, say so with all of its output."""
    done = subprocess.run(
        [str(word) for word in command], cwd=ROOT, env=os.environ | env, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise SystemExit(f"wheels: {command[0]} exited {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def version_name(version: tuple[int, int]) -> str:
    return ".".join(map(str, version))


# --- building ---------------------------------------------------------------------------------------------------------


def find_headers(version: tuple[int, int]) -> tuple[Path, Path]:
    """A Python of exactly this version, or of the limited API's and later, and the folder of its headers."""
    from support.installing import find_python, promised_versions

    for name in promised_versions():
        known = (*map(int, name.split(".")),)
        if known == version or (version == LIMITED_API <= known):
            python = find_python(name)
            if python is not None and python.headers is not None:
                return Path(python.program), Path(python.headers)
    raise SystemExit(f"wheels: no Python {version_name(version)} with headers is on this machine (PATH, pyenv, uv)")


def build_pure(folder: Path) -> Path:
    """Build the wheel that has no kernel."""
    shutil.rmtree(folder, ignore_errors=True)
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, MINEPROOF_NO_KERNEL="1")
    [wheel] = folder.glob("*.whl")
    return wheel


def import_library(folder: Path) -> Path:
    """The library with which a module for Windows finds the functions of python3.dll."""
    import abi3info
    import ziglang

    names = [
        *(value.symbol.name for value in abi3info.FUNCTIONS.values() if value.added <= LIMITED_API),
        *(f"{value.symbol.name} DATA" for value in abi3info.DATAS.values() if value.added <= LIMITED_API),
    ]
    definition, library = folder / "python3.def", folder / "python3.lib"
    definition.write_text("LIBRARY python3.dll\nEXPORTS\n" + "".join(f"  {name}\n" for name in sorted(names)), "utf-8")
    zig = Path(ziglang.__file__).parent / "zig"
    run(zig, "dlltool", "-m", "i386:x86-64", "-d", definition, "-l", library)
    return library


def compile_modules(name: str, target: Target, version: tuple[int, int]) -> list[Path]:
    """Compile the modules of the kernel for a target and a version of Python."""
    folder = BUILD / f"{name}-{version_name(version)}"
    folder.mkdir(parents=True, exist_ok=True)
    program, headers = find_headers(version)
    run(sys.executable, "tools/zig_toolchain.py", target.zig, folder / "zig")
    options = {
        "CMAKE_TOOLCHAIN_FILE": folder / "zig/toolchain.cmake",
        "CMAKE_BUILD_TYPE": "Release",
        "CMAKE_CXX_FLAGS": "-include cstdio",  # the limited API of Python.h does not include it, and nanobind prints
        "MINEPROOF_REQUIRE_KERNEL": "ON",
        "Python_EXECUTABLE": program,
        "nanobind_DIR": nanobind.cmake_dir(),
    }
    if version >= LIMITED_API:
        options |= {"SKBUILD_SABI_VERSION": version_name(version), "SKBUILD_SOSABI": "abi3"}
    else:  # the ending names the processor, and Python looks for its own
        machine = target.tag.removeprefix("manylinux_2_28_")
        options |= {"SKBUILD_SOABI": f"cpython-{version[0]}{version[1]}-{machine}-linux-gnu"}
    if target.ending == ".pyd":
        own = folder / "include"
        shutil.rmtree(own, ignore_errors=True)
        shutil.copytree(headers, own)
        (own / "pyconfig.h").write_text(WINDOWS_CONFIG, "utf-8")
        headers, library = own, import_library(folder)
        options |= {"Python_LIBRARY": library, "Python_SABI_LIBRARY": library, "SKBUILD_SOSABI": ""}
    options["Python_INCLUDE_DIR"] = headers
    defines = [f"-D{key}={value}" for key, value in options.items()]
    run("cmake", "-S", ".", "-B", folder / "cmake", "-G", "Ninja", "--log-level=WARNING", *defines)
    run("cmake", "--build", folder / "cmake")
    shutil.rmtree(folder / "installed", ignore_errors=True)
    run("cmake", "--install", folder / "cmake", "--prefix", folder / "installed", "--strip")
    return sorted((folder / "installed/mineproof/engine").iterdir())


def assemble(pure: Path, modules: list[Path], tag: str, folder: Path) -> Path:
    """Write the wheel: the files of the pure one, the modules, and the record of all."""
    files: dict[str, bytes] = {}
    with zipfile.ZipFile(pure) as archive:
        for name in archive.namelist():
            files[name] = archive.read(name)
    [record] = [name for name in files if name.endswith(".dist-info/RECORD")]
    about = record.replace("RECORD", "WHEEL")
    text = files[about].decode("utf-8").replace("Root-Is-Purelib: true", "Root-Is-Purelib: false")
    files[about] = re.sub(r"(?m)^Tag: .*$", f"Tag: {tag}", text).encode("utf-8")
    files |= {f"mineproof/engine/{module.name}": module.read_bytes() for module in modules}
    del files[record]
    rows = io.StringIO()
    writer = csv.writer(rows, lineterminator="\n")
    for name, content in sorted(files.items()):
        writer.writerow([name, f"sha256={_digest(content)}", len(content)])
    writer.writerow([record, "", ""])
    files[record] = rows.getvalue().encode("utf-8")
    wheel = folder / pure.name.replace("py3-none-any", tag)
    with zipfile.ZipFile(wheel, "w") as archive:
        for name in sorted(files, key=lambda name: (".dist-info/" in name, name)):  # metadata last, as recommended
            entry = zipfile.ZipInfo(name, MOMENT)
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, files[name], zipfile.ZIP_DEFLATED, 9)
    return wheel


def _digest(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


# --- checking ---------------------------------------------------------------------------------------------------------


def check(wheel: Path, pure: set[str]) -> list[str]:
    """What is wrong with a wheel: its tag, its contents, its record, what it loads, what it calls in Python."""
    faults = []
    _, _, python, abi, tag = wheel.stem.split("-")
    [target] = [value for value in TARGETS.values() if value.tag == tag]
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        [record] = [name for name in names if name.endswith(".dist-info/RECORD")]
        metadata = archive.read(record.replace("RECORD", "WHEEL")).decode("utf-8")
        if f"Tag: {python}-{abi}-{tag}\n" not in metadata or "Root-Is-Purelib: false\n" not in metadata:
            faults.append("the file WHEEL does not have the tag of the name")
        modules = {name for name in names if name.startswith("mineproof/engine/_kernel") and not name.endswith(".pyi")}
        if names - modules != pure:
            faults.append(f"its files differ from the package: {sorted((names - modules) ^ pure)}")
        if len(modules) != len(MODULES):
            faults.append(f"it has the modules {sorted(modules)}")
        for name, digest, size in csv.reader(io.StringIO(archive.read(record).decode("utf-8"))):
            content = archive.read(name)
            if name != record and (digest, size) != (f"sha256={_digest(content)}", str(len(content))):
                faults.append(f"the record of {name} is wrong")
        for name in sorted(modules):
            loaded = loaded_libraries(archive.read(name))
            faults += [
                f"{name} loads {value}" for value in loaded if not re.fullmatch(target.libraries, value, re.IGNORECASE)
            ]
    if abi == "abi3":
        audit = subprocess.run(
            [sys.executable, "-m", "abi3audit", "--strict", "--report", str(wheel)],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        if audit.returncode != 0:
            faults.append(f"abi3audit: {audit.stdout.strip()} {audit.stderr.strip()}")
    if tag.startswith("manylinux"):
        shown = run(sys.executable, "-m", "auditwheel", "show", wheel)
        supported = re.findall(r'"manylinux_2_(\d+)_', shown)
        if not supported or int(supported[0]) > int(GLIBC.split(".")[1]):
            faults.append(f"auditwheel: {shown.strip()}")
    return faults


def loaded_libraries(content: bytes) -> list[str]:
    """The libraries that a module names: ELF, Mach-O or PE."""
    if content.startswith(b"\x7fELF"):
        from elftools.elf.dynamic import DynamicSection
        from elftools.elf.elffile import ELFFile

        sections = ELFFile(io.BytesIO(content)).iter_sections()
        return [
            tag.needed  # type: ignore[attr-defined, unused-ignore]
            for section in sections
            if isinstance(section, DynamicSection)
            for tag in section.iter_tags()
            if tag.entry.d_tag == "DT_NEEDED"
        ]
    if content.startswith(b"MZ"):
        import pefile

        return [entry.dll.decode() for entry in pefile.PE(data=content).DIRECTORY_ENTRY_IMPORT]
    if content[:4] == b"\xcf\xfa\xed\xfe":
        count = int.from_bytes(content[16:20], "little")
        names, position = [], 32
        for _ in range(count):
            command, size = (int.from_bytes(content[position + at : position + at + 4], "little") for at in (0, 4))
            if command in (0xC, 0x80000018, 0x8000001F):  # LC_LOAD_DYLIB, and the weak and re-exported ones
                start = position + int.from_bytes(content[position + 8 : position + 12], "little")
                names.append(content[start : position + size].split(b"\0")[0].decode())
            position += size
        return names
    return ["a file of an unknown kind"]


def try_here(wheels: list[Path]) -> list[str]:
    """Install the wheels of this machine on every Python found, and compare the signature of `mineproof bench`."""
    from support.installing import find_python, pip, promised_versions

    here = f"manylinux_2_28_{platform.machine()}" if sys.platform == "linux" else sysconfig.get_platform()
    own = [wheel for wheel in wheels if wheel.name.endswith(f"{here}.whl")]
    golden = json.loads(SIGNATURE.read_text("utf-8"))["kernel"]
    tried = []
    for version in promised_versions():
        python = find_python(version)
        if python is None or not own:
            continue
        with tempfile.TemporaryDirectory() as folder:
            home = Path(folder) / "venv"
            run(python.program, "-m", "venv", "--without-pip", home)
            constraints = ("--constraint", ROOT / "constraints/dev.txt", "--only-binary", ":all:", "--no-compile")
            fits = [wheel for wheel in own if f"-cp{version.replace('.', '')}-" in wheel.name] or [
                wheel for wheel in own if "-abi3-" in wheel.name
            ]
            run(*pip(home), "install", "-qq", *constraints, fits[0])
            program = home / ("Scripts" if sys.platform == "win32" else "bin") / "mineproof"
            signed = json.loads(run(program, "bench", "--seconds", "0.1", "--json"))
        if {key: signed[key] for key in golden} != golden:
            raise SystemExit(f"wheels: Python {version} with {fits[0].name} gives another signature")
        tried.append(f"{fits[0].name} on Python {version}: installed, same signature")
    return tried


def main() -> None:
    parser = argparse.ArgumentParser(description="Build and check wheels with zig.")
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"default: all of {', '.join(TARGETS)}")
    parser.add_argument("--outdir", type=Path, default=ROOT / "dist")
    chosen = parser.parse_args()
    unknown = sorted(set(chosen.targets) - set(TARGETS))
    if unknown:
        parser.error(f"there is no target {unknown[0]}; choose from {', '.join(TARGETS)}")
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])  # its cmake and ninja
    pure = build_pure(BUILD / "pure")
    with zipfile.ZipFile(pure) as archive:
        contents = set(archive.namelist())
    chosen.outdir.mkdir(parents=True, exist_ok=True)
    wheels, failed = [], False
    for name in chosen.targets or TARGETS:
        target = TARGETS[name]
        for version in target.versions:
            short = f"cp{version[0]}{version[1]}"
            abi = "abi3" if version >= LIMITED_API else short
            modules = compile_modules(name, target, version)
            wheel = assemble(pure, modules, f"{short}-{abi}-{target.tag}", chosen.outdir)
            faults = check(wheel, contents)
            failed |= bool(faults)
            print(f"{wheel.name}: {'; '.join(faults) or f'ok, {wheel.stat().st_size / 1e6:.1f} MB'}", flush=True)
            wheels.append(wheel)
    print(*try_here(wheels), sep="\n")
    sys.exit(failed)


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT / "tests"))  # support.installing finds the Pythons of this machine
    main()
