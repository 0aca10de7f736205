"""The wheel for Pyodide: the whole package with its kernels in WebAssembly, for `pip` and `micropip`."""

from __future__ import annotations

import base64
import hashlib
import zipfile
from importlib.metadata import distribution
from pathlib import Path

from static_site.places import MOMENT, ROOT

from mineproof.version import VERSION

PACKAGE = ROOT / "src/mineproof"
TAG = "cp312-abi3-pyemscripten_2026_0_wasm32"  # the limited API of Python 3.12, and the platform of the runtime
NAME = f"mineproof-{VERSION}-{TAG}.whl"
WHEEL = f"Wheel-Version: 1.0\nGenerator: mineproof tools/static_site\nRoot-Is-Purelib: false\nTag: {TAG}\n"


def build_wheel(folder: Path, kernels: Path) -> Path:
    """Write the wheel into a folder, with the modules that lie in ``kernels``, and return its path."""
    info = f"mineproof-{VERSION}.dist-info"
    installed = distribution("mineproof")
    files = {
        f"mineproof/{path.relative_to(PACKAGE).as_posix()}": path.read_bytes()
        for path in sorted(PACKAGE.rglob("*"))
        if path.is_file() and path.suffix not in (".pyc", ".so")
    }
    files |= {f"mineproof/engine/{path.name}": path.read_bytes() for path in sorted(kernels.glob("*.so"))}
    for name in ("METADATA", "entry_points.txt"):
        text = installed.read_text(name)
        assert text is not None, f"mineproof is installed without {name}"
        files[f"{info}/{name}"] = text.encode()
    files[f"{info}/WHEEL"] = WHEEL.encode()
    files[f"{info}/licenses/LICENSE"] = (ROOT / "LICENSE").read_bytes()
    files[f"{info}/RECORD"] = _record(files, f"{info}/RECORD")
    folder.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(folder / NAME, "w") as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name, MOMENT), content, zipfile.ZIP_DEFLATED, 9)
    return folder / NAME


def _record(files: dict[str, bytes], own: str) -> bytes:
    lines = []
    for name, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        lines.append(f"{name},sha256={digest},{len(content)}")
    return "".join(f"{line}\n" for line in [*lines, f"{own},,"]).encode()
