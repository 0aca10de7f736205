"""The icons of the installed site, drawn from the icon of the page, and its manifest."""

from __future__ import annotations

import shutil
from pathlib import Path

import resvg_py
from static_site.places import ROOT, SOURCES

ICON = ROOT / "src/mineproof/web/static/icon.svg"
SIZES = (192, 512)


def draw_icons(site: Path) -> None:
    shutil.copyfile(ICON, site / "icon.svg")
    shutil.copyfile(SOURCES / "site.webmanifest", site / "site.webmanifest")
    for size in SIZES:
        picture = resvg_py.svg_to_bytes(svg_string=ICON.read_text("utf-8"), width=size, height=size)
        (site / f"icon-{size}.png").write_bytes(bytes(picture))
