"""Python's standard library for the site, as byte code: the runtime would compile its sources at each start."""

from __future__ import annotations

import shutil
import subprocess
import zipfile
from pathlib import Path

from static_site.places import CACHE, MOMENT, NODE_MODULES

# What neither the package nor the runtime imports: tools for developers, servers, other protocols, processes.
LEFT_OUT = {
    "_pyrepl", "bdb", "doctest", "ftplib", "imaplib", "mailbox", "modulefinder", "multiprocessing", "optparse", "pdb",
    "pickletools", "plistlib", "poplib", "profile", "pstats", "pydoc", "pydoc_data", "smtplib", "socketserver",
    "trace", "turtle", "unittest", "wave", "wsgiref", "xml", "xmlrpc",
}  # fmt: skip
WITHOUT_DOCSTRINGS = "2"  # as python -OO


def build_standard_library(target: Path) -> None:
    """Write the library as a ZIP file, from which Python imports."""
    folder = CACHE / "standard-library"
    shutil.rmtree(folder, ignore_errors=True)
    with zipfile.ZipFile(NODE_MODULES / "pyodide/python_stdlib.zip") as archive:
        names = [name for name in archive.namelist() if name.partition("/")[0].removesuffix(".py") not in LEFT_OUT]
        archive.extractall(folder, names)
    compiler = Path(__file__).with_name("compile.mjs")
    subprocess.run(["node", str(compiler), str(folder), WITHOUT_DOCSTRINGS], check=True)
    with zipfile.ZipFile(target, "w") as archive:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            name = zipfile.ZipInfo(path.relative_to(folder).as_posix(), MOMENT)
            archive.writestr(name, path.read_bytes(), zipfile.ZIP_DEFLATED, 9)
