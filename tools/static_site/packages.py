"""The Python packages of the site in one file: byte code, modules in WebAssembly, and data."""

from __future__ import annotations

import shutil
import subprocess
import zipfile
from pathlib import Path

from static_site.fetch import sdist_of, wheels
from static_site.kernel import build_kernel
from static_site.numpy_package import build_numpy
from static_site.places import CACHE, ROOT, SOURCES

PACKAGE = ROOT / "src/mineproof"
# What no route of the site needs: the command line, files, other programs, and screenshots, which need Pillow.
LEFT_OUT_ROOMS = {"cli", "datasets", "gym", "reports", "sweeps", "tui", "__main__.py"}
LEFT_OUT_FILES = {"web/server.py", "web/workers.py", "screens/marks.npz", "screens/characters.npz"}
NUMPY_LEFT_OUT = ("tests", "f2py", "distutils", "testing", "include", "doc", "_pyinstaller", "ctypeslib", "random",
                  "pkgconfig")  # fmt: skip
MOMENT = (1980, 1, 1, 0, 0, 0)  # of each file, so that the same contents are the same file


def build_packages(target: Path, jobs: int) -> None:
    """Write the packages as a ZIP file."""
    folder = CACHE / "packages"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    _copy_mineproof(folder / "mineproof")
    build_kernel(folder / "mineproof/engine/_kernel.abi3.so", jobs)
    numpy = CACHE / "numpy-built"
    stamp = numpy.with_suffix(".txt")
    if not stamp.exists() or stamp.read_text("utf-8") != sdist_of("numpy").name:
        build_numpy(sdist_of("numpy"), numpy, jobs)
        stamp.write_text(sdist_of("numpy").name, "utf-8")
    _copy_numpy(numpy, folder / "numpy")
    for wheel in wheels():
        with zipfile.ZipFile(wheel) as archive:
            names = [name for name in archive.namelist() if ".dist-info/" not in name and not name.endswith(".pyi")]
            archive.extractall(folder, names)
    shutil.copyfile(SOURCES / "mineproof_page.py", folder / "mineproof_page.py")
    subprocess.run(["node", str(Path(__file__).with_name("compile.mjs")), str(folder)], check=True)
    target.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(target, "w") as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                entry = zipfile.ZipInfo(path.relative_to(folder).as_posix(), MOMENT)
                archive.writestr(entry, path.read_bytes(), zipfile.ZIP_DEFLATED, 9)


def _copy_mineproof(target: Path) -> None:
    for path in sorted(PACKAGE.rglob("*")):
        name = path.relative_to(PACKAGE)
        is_source = path.suffix == ".py" or name.as_posix() == "__init__.pyi"
        is_data = path.suffix not in (".py", ".pyi", ".pyc", ".so") and "static" not in name.parts
        if not path.is_file() or name.parts[0] in LEFT_OUT_ROOMS or name.as_posix() in LEFT_OUT_FILES:
            continue
        if is_source or is_data:
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target / name)


def _copy_numpy(source: Path, target: Path) -> None:
    for path in sorted(source.rglob("*")):
        name = path.relative_to(source)
        if path.suffix in (".py", ".so") and not any(part in NUMPY_LEFT_OUT for part in name.parts):
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target / name)
