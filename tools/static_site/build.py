"""Builds the static site into build/site: the page, the engine, and the docs if they are there.

    python tools/static_site/build.py [JOBS]

All addresses are relative, so any static host can serve the folder, below any path. The same locked inputs give the
same files.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from static_site.fetch import fetch_all
from static_site.icons import draw_icons
from static_site.licences import licences_page
from static_site.packages import build_packages
from static_site.places import CACHE, KERNELS, NODE_MODULES, ROOT, SITE, SOURCES, STANDARD_LIBRARY
from static_site.standard_library import build_standard_library
from static_site.wheel import build_wheel

from mineproof.board.levels import read_size
from mineproof.game.rules import Rules
from mineproof.generation.new_game import start_game
from mineproof.version import VERSION
from mineproof.web.lessons import PAGE_POLICY
from mineproof.web.pages import write_page

DEALS = 200  # beginner boards that the page can begin with while the engine loads
WORKER = ("worker.js", "python.js", "archive.js")
RUNTIME = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
# No inline code, and nothing from elsewhere. The kernel and Python are WebAssembly, which is compiled here. A lesson
# opens as a page of its own with the policy of the page that made it, so the script of lessons and their inline styles
# are allowed.
LESSON_SCRIPT = re.findall("'sha256-[^']+'", PAGE_POLICY[1].decode())[0]
POLICY = (
    f"default-src 'none'; script-src 'self' 'wasm-unsafe-eval' {LESSON_SCRIPT}; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; connect-src 'self'; font-src 'self'; manifest-src 'self'; worker-src 'self'; "
    "base-uri 'none'; form-action 'none'"
)


def build(jobs: int) -> None:
    """Build everything into a new folder, which then takes the place of the old one."""
    fetch_all()
    packages, pictures = CACHE / "packages.tar.gz", CACHE / "pictures.tar.gz"
    build_packages(packages, pictures, jobs)
    build_standard_library(STANDARD_LIBRARY)
    site = SITE.with_name("site-new")
    shutil.rmtree(site, ignore_errors=True)
    site.mkdir(parents=True)
    engine = _write_engine(site, [packages, pictures, STANDARD_LIBRARY])
    write_page(site)
    _complete_first_page(site / "index.html", engine)
    draw_icons(site)
    (site / "licences.html").write_text(licences_page(), "utf-8")
    (site / ".nojekyll").touch()  # GitHub Pages would leave out names that begin with _
    _write_service_worker(site)
    build_wheel(site / "wheels", KERNELS)
    docs = ROOT / "build/docs"
    if docs.exists():
        shutil.copytree(docs, site / "docs")
    shutil.rmtree(SITE, ignore_errors=True)
    site.rename(SITE)


def _write_engine(site: Path, packages: Sequence[Path]) -> str:
    """Write the runtime, the packages and the worker into a folder named after their contents; return its address."""
    parts = {name: (NODE_MODULES / "pyodide" / name).read_bytes() for name in RUNTIME}
    lock = json.loads((NODE_MODULES / "pyodide/pyodide-lock.json").read_text("utf-8"))
    parts["pyodide-lock.json"] = json.dumps({**lock, "packages": {}}).encode()  # nothing more is loaded
    parts |= {path.name: path.read_bytes() for path in packages}
    parts["opening.json"] = json.dumps(_deals(), separators=(",", ":")).encode()
    parts |= {name: (SOURCES / name).read_bytes() for name in WORKER}
    version = _hash(parts)
    folder = site / "engine" / version
    folder.mkdir(parents=True)
    for name, content in parts.items():
        (folder / name).write_bytes(content)
    return f"engine/{version}/"


def _deals() -> list[dict[str, object]]:
    """Return beginner boards for the moves that are made while the engine loads: seeds, and places of mines."""
    size = read_size("beginner")
    deals: list[dict[str, object]] = []
    for number in range(DEALS):
        seed = int(hashlib.sha256(f"{VERSION} {number}".encode()).hexdigest(), 16) >> 203  # JavaScript knows 53 bits
        layout = start_game(size, Rules(), seed=seed, topology="grid", no_guess=False).record().layout
        deals.append({"seed": seed, "mines": sorted(row * size.columns + column for row, column in layout.mines)})
    return deals


def _complete_first_page(path: Path, engine: str) -> None:
    """Name the engine in the first page, and what a server would say in headers."""
    page = path.read_text("utf-8")
    policy = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
    head = f'{policy}\n<meta name="referrer" content="no-referrer">'
    loads = re.search(r'src="(static/\w+)/app/main.js"', page)
    assert loads is not None
    links = (
        f'<link rel="modulepreload" href="{loads[1]}/app/local/engine.js">\n'
        '<link rel="apple-touch-icon" href="icon-192.png">\n'
    )
    page = page.replace("<html", f'<html data-engine="{engine}"', 1)
    page = page.replace('<meta charset="utf-8">', f'<meta charset="utf-8">\n{head}', 1)
    page = page.replace("<script", f"{links}<script", 1)
    page = re.sub(r'(<link rel="manifest" href=")[^"]*', r"\1site.webmanifest", page)
    path.write_text(page, "utf-8")


def _write_service_worker(site: Path) -> None:
    files = sorted(path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file())
    files = ["" if name == "index.html" else name for name in files if name != ".nojekyll"]
    version = _hash({name: (site / (name or "index.html")).read_bytes() for name in files})
    text = (SOURCES / "sw.js").read_text("utf-8")
    for blank, value in (('"{version}"', f"{VERSION}-{version}"), ('["{files}"]', files)):
        assert blank in text, f"sw.js has no {blank}"
        text = text.replace(blank, json.dumps(value))
    (site / "sw.js").write_text(text, "utf-8")


def _hash(parts: dict[str, bytes]) -> str:
    digest = hashlib.sha256()
    for name in sorted(parts):
        digest.update(f"{name}\0{len(parts[name])}\0".encode() + parts[name])
    return digest.hexdigest()[:16]


if __name__ == "__main__":
    build(int(sys.argv[1]) if len(sys.argv) > 1 else os.cpu_count() or 1)
    files = [path for path in SITE.rglob("*") if path.is_file() and not {"docs", "wheels"} & set(path.parts)]
    sizes = sum(path.stat().st_size for path in files)
    sys.stdout.write(f"{SITE.relative_to(ROOT)}/index.html ({sizes / 1e6:.1f} MB without docs and wheel)\n")
