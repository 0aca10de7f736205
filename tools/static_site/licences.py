"""The licences of what the site is made of, as a page of the site."""

from __future__ import annotations

import html
import tarfile
import zipfile
from pathlib import Path

import nanobind
from static_site.fetch import sdist_of, wheels
from static_site.places import ROOT

PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Licences · mineproof</title>
<link rel="icon" href="icon.svg">
</head>
<body>
<h1>Licences</h1>
<p>This page lists what the mineproof page in your browser is made of.</p>
{parts}
</body>
</html>
"""
RUNTIME = """\
Pyodide, the Python runtime in WebAssembly, is distributed under the Mozilla Public License 2.0. Its source code is at
https://github.com/pyodide/pyodide, and the licence at https://mozilla.org/MPL/2.0/. It contains CPython
(Python Software Foundation License 2.0, https://docs.python.org/3.14/license.html), the C library musl (MIT,
https://musl.libc.org),
Emscripten and the C++ library of LLVM (MIT and University of Illinois; Apache License 2.0 with LLVM exceptions,
https://github.com/emscripten-core/emscripten), SQLite (public domain, https://sqlite.org/copyright.html) and the
libraries that its source code lists."""


def licences_page() -> str:
    """Return the page."""
    nanobind_folder = Path(nanobind.__file__).parent
    texts = {
        "mineproof (MIT)": (ROOT / "LICENSE").read_text("utf-8"),
        "Pyodide and Python": RUNTIME,
        "numpy": _from_sdist(sdist_of("numpy")),
        "Pillow (MIT-CMU)": _from_sdist(sdist_of("pillow")),
        **{wheel.name.split("-")[0]: _from_wheel(wheel) for wheel in wheels()},
        "nanobind (BSD-3-Clause)": _beside(nanobind_folder, "nanobind"),
        "robin_map (MIT)": _first_comment(nanobind_folder / "ext/robin_map/include/tsl/robin_map.h"),
    }
    parts = [f"<h2>{html.escape(name)}</h2>\n<pre>{html.escape(text)}</pre>" for name, text in texts.items()]
    return PAGE.format(parts="\n".join(parts))


def _from_sdist(sdist: Path) -> str:
    with tarfile.open(sdist) as archive:
        names = [name for name in archive.getnames() if name.count("/") == 1 and "LICENSE" in name]
        files = [archive.extractfile(name) for name in sorted(names)]
        return _joined([file.read().decode() for file in files if file is not None], sdist)


def _from_wheel(wheel: Path) -> str:
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if ".dist-info/" in name and "LICENSE" in name.upper()]
        return _joined([archive.read(name).decode() for name in sorted(names)], wheel)


def _beside(package: Path, name: str) -> str:
    (folder,) = package.parent.glob(f"{name}-*.dist-info")
    return _joined([path.read_text("utf-8") for path in sorted(folder.rglob("LICENSE*"))], folder)


def _first_comment(header: Path) -> str:
    text = header.read_text("utf-8")
    return text[text.index("/*") : text.index("*/") + 2]


def _joined(texts: list[str], source: Path) -> str:
    if not texts:
        raise SystemExit(f"{source.name}: expected a licence, found none")
    return "\n".join(texts)
