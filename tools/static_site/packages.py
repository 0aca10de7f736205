"""The Python packages of the site in one archive: byte code, modules in WebAssembly, and data."""

from __future__ import annotations

import gzip
import io
import shutil
import subprocess
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

from static_site.contents import PACKAGE, is_left_out
from static_site.fetch import sdist_of, wheels
from static_site.kernel import build_kernels
from static_site.numpy_package import build_numpy
from static_site.pillow_package import build_pillow
from static_site.places import CACHE, KERNELS, SOURCES

NUMPY_LEFT_OUT = ("tests", "f2py", "distutils", "testing", "include", "doc", "_pyinstaller", "ctypeslib", "random",
                  "pkgconfig", "polynomial", "lapack_lite.so", "recfunctions.py")  # fmt: skip
PICTURES = (
    "mineproof/screens/marks.npz",
    "mineproof/screens/characters.npz",
    "numpy/fft/",
    "PIL/",
)  # loaded when the first screenshot is read


def build_packages(target: Path, pictures: Path, jobs: int) -> None:
    """Write the packages as an archive, and those that only screenshots need as another."""
    folder = CACHE / "packages"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    _copy_mineproof(folder / "mineproof")
    build_kernels(KERNELS, jobs)
    for path in sorted(KERNELS.glob("*.so")):
        shutil.copyfile(path, folder / "mineproof/engine" / path.name)
    _copy_numpy(_built("numpy", build_numpy, jobs), folder / "numpy")
    shutil.copytree(_built("pillow", build_pillow, jobs), folder / "PIL")
    for wheel in wheels():
        with zipfile.ZipFile(wheel) as archive:
            names = [name for name in archive.namelist() if ".dist-info/" not in name and not name.endswith(".pyi")]
            archive.extractall(folder, names)
    shutil.copyfile(SOURCES / "mineproof_page.py", folder / "mineproof_page.py")
    subprocess.run(["node", str(Path(__file__).with_name("compile.mjs")), str(folder)], check=True)
    files = [path.relative_to(folder).as_posix() for path in sorted(folder.rglob("*")) if path.is_file()]
    later = [name for name in files if name.startswith(PICTURES)]
    _write_archive(target, folder, [name for name in files if name not in later])
    _write_archive(pictures, folder, later)


def _built(name: str, build: Callable[[Path, Path, int], None], jobs: int) -> Path:
    """Return the folder of a package that is built from its sdist, unless it was before."""
    sdist, folder = sdist_of(name), CACHE / f"{name}-built"
    stamp = folder.with_suffix(".txt")
    if not stamp.exists() or stamp.read_text("utf-8") != sdist.name:
        build(sdist, folder, jobs)
        stamp.write_text(sdist.name, "utf-8")
    return folder


def _write_archive(target: Path, folder: Path, names: list[str]) -> None:
    """Write a tar file, compressed as a whole: smaller than a ZIP file. The same contents give the same file."""
    tar = io.BytesIO()
    with tarfile.open(fileobj=tar, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name in names:
            content = (folder / name).read_bytes()
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    target.write_bytes(gzip.compress(tar.getvalue(), 9, mtime=0))


def _copy_mineproof(target: Path) -> None:
    for path in sorted(PACKAGE.rglob("*")):
        name = path.relative_to(PACKAGE)
        is_source = path.suffix == ".py" or name.as_posix() == "__init__.pyi"
        is_data = path.suffix not in (".py", ".pyi", ".pyc", ".so") and "static" not in name.parts
        if not path.is_file() or is_left_out(name):
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
