"""Write plots as PNG, SVG, and SVG embedded in a page. The same plot always gives the same bytes.

Bytes      Files do not depend on the clock, the machine or a matplotlibrc. Ids inside an SVG are hashes of their
           content with a salt; PNG uses the font that comes with matplotlib.
Page       An embedded plot has the colours of the page, light and dark: CSS variables replace the colours of the plot.
           The name of the plot is put in front of its ids, because a page has several plots.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

from mineproof.base import extras
from mineproof.base.colours import PAGE_COLOURS, PLOT_LINES

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PLOT_EXTRA = "mineproof[plot]"  # installs matplotlib

COLOURS = tuple(light for light, _ in PLOT_LINES)
INK, QUIET, LINE, PAPER = (PAGE_COLOURS[name][0] for name in ("ink", "quiet", "line", "panel"))
VARIABLES = {
    INK: "--ink", QUIET: "--quiet", LINE: "--line", PAPER: "--panel",
    **{colour: f"--line-{number}" for number, colour in enumerate(COLOURS)},
}  # fmt: skip

STYLE: dict[str, Any] = {
    "font.family": ["DejaVu Sans"], "font.size": 9, "axes.titlesize": 9, "axes.labelsize": 9, "legend.fontsize": 8.5,
    "figure.labelsize": 9.5, "xtick.labelsize": 8, "ytick.labelsize": 8, "text.parse_math": False, "text.usetex": False,
    "text.color": INK, "axes.labelcolor": INK, "axes.titlecolor": INK, "xtick.labelcolor": QUIET,
    "ytick.labelcolor": QUIET, "xtick.color": LINE, "ytick.color": LINE, "axes.edgecolor": LINE, "grid.color": LINE,
    "axes.grid": True, "grid.linewidth": 0.6, "axes.axisbelow": True, "axes.spines.top": False,
    "axes.spines.right": False, "figure.facecolor": PAPER, "axes.facecolor": "none", "savefig.facecolor": PAPER,
    "lines.linewidth": 1.5, "lines.markersize": 4.5, "errorbar.capsize": 2.5, "legend.frameon": False,
    "legend.handlelength": 3.4, "svg.fonttype": "none", "svg.image_inline": True, "axes.unicode_minus": True,
    "figure.dpi": 100, "savefig.dpi": "figure", "figure.constrained_layout.h_pad": 0.06,
    "figure.constrained_layout.w_pad": 0.06,
}  # fmt: skip
PNG_DPI = 200

SVG, XLINK = "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"
_REFERENCE = re.compile(r"#([\w-]+)")
_COLOUR = re.compile(r"#[0-9a-f]{6}")


@contextmanager
def _plain_style(salt: str) -> Iterator[None]:
    """Context manager with this style only, without a matplotlibrc and without warnings about missing glyphs."""
    matplotlib = extras.load("matplotlib", PLOT_EXTRA, "plots")
    with matplotlib.rc_context(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(STYLE | {"svg.hashsalt": salt})
        yield


def lay_out(draw: Callable[[], Figure]) -> Figure:
    """Return a figure with a fixed layout, for all files made from it."""
    with _plain_style(""):
        figure = draw()
        if (layout := figure.get_layout_engine()) is not None:
            layout.execute(figure)
            figure.set_layout_engine(None)
        return figure


def png(figure: Figure) -> bytes:
    data = io.BytesIO()
    with _plain_style(""):
        figure.savefig(data, format="png", dpi=PNG_DPI, metadata={"Software": None})
    return data.getvalue()


def svg(figure: Figure, name: str) -> str:
    """Return the text of an SVG file."""
    text = io.StringIO()
    with _plain_style(name):
        figure.savefig(text, format="svg", metadata=dict.fromkeys(("Creator", "Date", "Format", "Type")))
    return _tidy(text.getvalue(), name)


def _tidy(text: str, name: str) -> str:
    """Remove unused ids, put the name in front of the others, and use system fonts."""
    ElementTree.register_namespace("", SVG)
    ElementTree.register_namespace("xlink", XLINK)
    root = ElementTree.fromstring(text)
    used = {own for element in root.iter() for value in _references(element) for own in _REFERENCE.findall(value)}
    for element in root.iter():
        if (own := element.get("id")) is not None:
            if own in used:
                element.set("id", f"{name}-{own}")
            else:
                del element.attrib["id"]
        for key in _ATTRIBUTES:
            if key in element.attrib and not element.attrib[key].startswith("data:"):
                element.set(key, _REFERENCE.sub(lambda match: _rename(match, used, name), element.attrib[key]))
        if element.tag == f"{{{SVG}}}image":
            element.set("style", "image-rendering: pixelated")
        if element.tag == f"{{{SVG}}}text":
            style = element.get("style", "").replace("'DejaVu Sans'", "system-ui, 'DejaVu Sans', sans-serif")
            element.set("style", style)
    for child in list(root):
        if child.tag == f"{{{SVG}}}metadata":
            root.remove(child)
    return ElementTree.tostring(root, encoding="unicode") + "\n"


_ATTRIBUTES = ("style", "clip-path", f"{{{XLINK}}}href", "href", "fill")


def _references(element: ElementTree.Element) -> list[str]:
    """Return the attributes that may refer to an id; the bytes of an image do not."""
    values = (element.get(key, "") for key in _ATTRIBUTES)
    return [value for value in values if "#" in value and not value.startswith("data:")]


def _rename(match: re.Match[str], used: set[str], name: str) -> str:
    """Put the name in front of a reference; colours look like references and stay the same."""
    return match[0] if _COLOUR.fullmatch(match[0]) or match[1] not in used else f"#{name}-{match[1]}"


def embed(text: str, title: str, description: str, name: str) -> str:
    """Return an SVG for a page: with the colours of the page, a title and a description."""
    root = ElementTree.fromstring(text)
    for element in root.iter():
        if style := element.get("style"):
            element.set("style", _COLOUR.sub(_variable, style.lower() if "#" in style else style))
        if (target := element.attrib.pop(f"{{{XLINK}}}href", None)) is not None:
            element.set("href", target)
    width = float(root.get("viewBox", "0 0 518 0").split()[2])  # in points
    for key in ("width", "height", "version"):
        root.attrib.pop(key, None)
    # Wide enough to read; the limit keeps the text of all plots about equally large.
    root.set("style", f"min-width:{width:.0f}px;max-width:{1.75 * width:.0f}px")
    root.set("role", "img")
    root.set("aria-labelledby", f"{name}-title {name}-text")
    for place, (tag, words) in enumerate((("title", title), ("desc", description))):
        element = ElementTree.Element(f"{{{SVG}}}{tag}", id=f"{name}-{'title' if tag == 'title' else 'text'}")
        element.text = words
        root.insert(place, element)
    return ElementTree.tostring(root, encoding="unicode")


def _variable(colour: re.Match[str]) -> str:
    variable = VARIABLES.get(colour[0])
    return colour[0] if variable is None else f"var({variable})"
