"""Pillow for the site: its core, built from its sdist, for reading screenshots.

The runtime has zlib, so it decodes PNG, GIF and BMP. There is no library for JPEG and WebP: the browser decodes those
(`site/worker.js`).
"""

from __future__ import annotations

import ast
import shutil
import tarfile
from pathlib import Path

from static_site.places import CACHE, PYTHON_HEADERS
from static_site.toolchain import compile_all, link

# What opens pictures, and what that imports. JPEG and WebP are recognized only.
MODULES = (
    "__init__", "_binary", "_deprecate", "_typing", "_util", "_version", "BmpImagePlugin", "ExifTags", "GifImagePlugin",
    "GimpGradientFile", "GimpPaletteFile", "Image", "ImageChops", "ImageColor", "ImageFile", "ImageMode", "ImageOps",
    "ImagePalette", "ImageSequence", "JpegImagePlugin", "JpegPresets", "PaletteFile", "PngImagePlugin", "TiffTags",
    "WebPImagePlugin",
)  # fmt: skip
LISTS = ("_IMAGING", "_LIB_IMAGING")  # of its setup


def build_pillow(sdist: Path, target: Path, jobs: int) -> None:
    """Build Pillow into ``target``: a folder `PIL` with its Python files and its core."""
    folder = CACHE / "pillow"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with tarfile.open(sdist) as archive:
        archive.extractall(folder, filter="data")
    (source,) = folder.iterdir()
    names, parts = _sources_of_core(source / "setup.py")
    files = [source / f"src/{name}.c" for name in names] + [source / f"src/libImaging/{name}.c" for name in parts]
    version = sdist.name.removeprefix("pillow-").removesuffix(".tar.gz")
    options = (f"-I{PYTHON_HEADERS}", "-DHAVE_LIBZ", f'-DPILLOW_VERSION="{version}"', "-w")
    objects = compile_all(files, folder / "objects", *options, jobs=jobs, language="c")
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    link(objects, target / "_imaging.so", "PyInit__imaging")
    for module in MODULES:
        shutil.copyfile(source / f"src/PIL/{module}.py", target / f"{module}.py")


def _sources_of_core(setup: Path) -> tuple[list[str], list[str]]:
    """Return the C files of the module, and those of its library, as Pillow's own setup lists them."""
    lists = {
        node.targets[0].id: ast.literal_eval(node.value)
        for node in ast.parse(setup.read_text("utf-8")).body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id in LISTS
    }
    names, parts = (list(lists[name]) for name in LISTS)
    return ["_imaging", *names], [*parts, "Mode"]
