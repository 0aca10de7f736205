"""Where the site is built, and from what."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "site"
SITE = ROOT / "build/site"
CACHE = ROOT / "build/site-parts"
KERNELS = CACHE / "kernels"
STANDARD_LIBRARY = CACHE / "python_stdlib.zip"
NODE_MODULES = SOURCES / "node_modules"
SYSROOT = CACHE / "sysroot/usr"
PYTHON_HEADERS = CACHE / "python-headers"
PYTHON_VERSION = "3.14"  # of the runtime
MOMENT = (1980, 1, 1, 0, 0, 0)  # of each file in an archive, so that the same contents are the same file


def python() -> str:
    """Return the Python that runs the build."""
    return sys.executable
