"""How a plot is written: PNG, SVG, and the same SVG to stand in a page; the same bytes for the same plot.

Bytes      Nothing of the clock, of the machine or of somebody's matplotlibrc goes into a file. Names inside an SVG are
           made from what they stand for, with a salt; PNG has the font that matplotlib brings.
Page       In a page a plot has the page's colours, light and dark: where it says one of ours, a variable is put. Its
           names get the name of the plot in front, because several stand in one page.
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

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PLOT = "mineproof[plot]"  # what brings matplotlib

# Okabe and Ito's, without the yellow, which cannot be read on white.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b97f00", "#3f8fc4", "#4d4d4d")
INK, QUIET, LINE, PAPER = "#16202e", "#566274", "#d5dbe4", "#ffffff"
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
DOTS = 200  # of a PNG, per inch

SVG, XLINK = "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"
_REFERENCE = re.compile(r"#([\w-]+)")
_COLOUR = re.compile(r"#[0-9a-f]{6}")


@contextmanager
def _plain(salt: str) -> Iterator[None]:
    """Our style and none of anybody else's; a sign that the font has not is no matter."""
    matplotlib = extras.load("matplotlib", PLOT, "plots")
    with matplotlib.rc_context(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(STYLE | {"svg.hashsalt": salt})
        yield


def laid_out(draw: Callable[[], Figure]) -> Figure:
    """A figure in which everything has its place, for all files that are made of it."""
    with _plain(""):
        figure = draw()
        if (layout := figure.get_layout_engine()) is not None:
            layout.execute(figure)
            figure.set_layout_engine(None)
        return figure


def png(figure: Figure) -> bytes:
    data = io.BytesIO()
    with _plain(""):
        figure.savefig(data, format="png", dpi=DOTS, metadata={"Software": None})
    return data.getvalue()


def svg(figure: Figure, name: str) -> str:
    """The text of an SVG file."""
    text = io.StringIO()
    with _plain(name):
        figure.savefig(text, format="svg", metadata=dict.fromkeys(("Creator", "Date", "Format", "Type")))
    return _tidied(text.getvalue(), name)


def _tidied(text: str, name: str) -> str:
    """Without the names that nothing refers to, and with the fonts that a reader has."""
    ElementTree.register_namespace("", SVG)
    ElementTree.register_namespace("xlink", XLINK)
    root = ElementTree.fromstring(text)
    used = {found for each in root.iter() for value in _places(each) for found in _REFERENCE.findall(value)}
    for each in root.iter():
        if (own := each.get("id")) is not None:
            if own in used:
                each.set("id", f"{name}-{own}")
            else:
                del each.attrib["id"]
        for key in _ATTRIBUTES:
            if key in each.attrib and not each.attrib[key].startswith("data:"):
                each.set(key, _REFERENCE.sub(lambda found: _renamed(found, used, name), each.attrib[key]))
        if each.tag == f"{{{SVG}}}image":
            each.set("style", "image-rendering: pixelated")
        if each.tag == f"{{{SVG}}}text":
            each.set("style", each.get("style", "").replace("'DejaVu Sans'", "system-ui, 'DejaVu Sans', sans-serif"))
    for child in list(root):
        if child.tag == f"{{{SVG}}}metadata":
            root.remove(child)
    return ElementTree.tostring(root, encoding="unicode") + "\n"


_ATTRIBUTES = ("style", "clip-path", f"{{{XLINK}}}href", "href", "fill")


def _places(element: ElementTree.Element) -> list[str]:
    """Attributes that may refer to a name; an image has its bytes there."""
    found = (element.get(key, "") for key in _ATTRIBUTES)
    return [value for value in found if "#" in value and not value.startswith("data:")]


def _renamed(found: re.Match[str], used: set[str], name: str) -> str:
    """A reference to a name; colours look the same, and are none."""
    return found[0] if _COLOUR.fullmatch(found[0]) or found[1] not in used else f"#{name}-{found[1]}"


def inlined(text: str, title: str, description: str, name: str) -> str:
    """An SVG to stand in a page: the page's colours, a title, and a text in its place."""
    root = ElementTree.fromstring(text)
    for each in root.iter():
        if style := each.get("style"):
            each.set("style", _COLOUR.sub(_variable, style.lower() if "#" in style else style))
        if (target := each.attrib.pop(f"{{{XLINK}}}href", None)) is not None:
            each.set("href", target)
    width = float(root.get("viewBox", "0 0 518 0").split()[2])  # in points
    for key in ("width", "height", "version"):
        root.attrib.pop(key, None)
    # As large as can be read, and no larger than the other plots have their words.
    root.set("style", f"min-width:{width:.0f}px;max-width:{1.75 * width:.0f}px")
    root.set("role", "img")
    root.set("aria-labelledby", f"{name}-title {name}-text")
    told = [("title", title), ("desc", description)]
    for place, (tag, words) in enumerate(told):
        element = ElementTree.Element(f"{{{SVG}}}{tag}", id=f"{name}-{'title' if tag == 'title' else 'text'}")
        element.text = words
        root.insert(place, element)
    return ElementTree.tostring(root, encoding="unicode")


def _variable(found: re.Match[str]) -> str:
    variable = VARIABLES.get(found[0])
    return found[0] if variable is None else f"var({variable})"
