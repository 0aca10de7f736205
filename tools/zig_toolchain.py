"""Write the scripts and the toolchain file with which CMake uses the C++ compiler of the package ziglang.

    python tools/zig_toolchain.py native FOLDER
    python tools/zig_toolchain.py x86_64-windows-gnu FOLDER
    python tools/zig_toolchain.py aarch64-macos.11.0 FOLDER

`native` is the platform of the running Python, without tuning for this processor and with an old C library, so that the
result runs elsewhere too. Then: cmake -D CMAKE_TOOLCHAIN_FILE=FOLDER/toolchain.cmake.
"""

import platform
import shlex
import sys
import sysconfig
from importlib.metadata import version
from pathlib import Path

import ziglang

GLIBC = "2.28"  # the oldest that numpy's wheels run with
SYSTEMS = {"windows": "Windows", "macos": "Darwin", "linux": "Linux"}


def native() -> str:
    machine = {"arm64": "aarch64", "AMD64": "x86_64"}.get(platform.machine(), platform.machine())
    match sys.platform:
        case "darwin":
            return f"{machine}-macos"
        case "win32":
            return f"{machine}-windows-gnu"
        case "linux" if "musl" in (sysconfig.get_config_var("HOST_GNU_TYPE") or ""):
            return f"{machine}-linux-musl"
        case "linux":
            return f"{machine}-linux-gnu.{GLIBC}"
    raise SystemExit(f"zig_toolchain: no target is known for {sys.platform}")


def write(path: Path, text: str, mode: int) -> None:
    """Write a file unless it already has this content, so that nothing is rebuilt."""
    if not path.exists() or path.read_text("utf-8") != text:
        path.write_text(text, "utf-8")
        path.chmod(mode)


def main(target: str, folder: Path) -> None:
    zig = Path(ziglang.__file__).parent / "zig"
    folder.mkdir(parents=True, exist_ok=True)
    exact = native() if target == "native" else target
    lines = [f"# Made by tools/zig_toolchain.py for {exact}."]
    if target != "native":
        machine, system, *_ = target.split("-")
        lines += [
            f"set(CMAKE_SYSTEM_NAME {SYSTEMS[system.partition('.')[0]]})",
            f"set(CMAKE_SYSTEM_PROCESSOR {machine})",
        ]
    for tool, command, variable in (
        ("zig-c++", f"c++ -target {exact}", "CMAKE_CXX_COMPILER"),
        ("zig-cc", f"cc -target {exact}", "CMAKE_C_COMPILER"),
        ("zig-ar", "ar", "CMAKE_AR"),
        ("zig-ranlib", "ranlib", "CMAKE_RANLIB"),
    ):
        path = folder.resolve() / tool
        # ccache compares the script instead of the compiler, so the script has its version.
        script = f'#!/bin/sh\n# zig {version("ziglang")}\nexec {shlex.quote(str(zig))} {command} "$@"\n'
        write(path, script, 0o755)
        lines.append(f'set({variable} "{path.as_posix()}")')
    if "macos" in exact:  # CMake wants Apple's tool for run paths, which our modules and programs do not have
        tool_path = folder.resolve() / "install_name_tool"
        write(tool_path, "#!/bin/sh\n", 0o755)
        lines += [f'set(CMAKE_INSTALL_NAME_TOOL "{tool_path.as_posix()}")', "set(CMAKE_SKIP_RPATH ON)"]
    # zig's linker writes no list of its inputs.
    lines += ["set(CMAKE_LINK_DEPENDS_USE_LINKER OFF)", "set(CMAKE_CXX_LINKER_DEPFILE_SUPPORTED OFF)", ""]
    write(folder / "toolchain.cmake", "\n".join(lines), 0o644)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
