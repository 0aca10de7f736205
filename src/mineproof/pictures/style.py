"""The style sheet of pictures: colours are rules for classes; light, dark, or following the reader's system."""

from __future__ import annotations

from mineproof.base.colours import ON_EXPLODED, ON_HEAT, ON_HEAT_RINGS, PICTURE_COLOURS
from mineproof.pictures.palette import Theme

FONT = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif"
_DASHED = ("near", "safest", "needless")
_RING_COLOUR = {
    "because": "because", "near": "because", "safe": "safe", "mine": "wrong", "best": "best", "safest": "best",
    "wrong": "wrong", "forced": "guess", "needless": "guess", "start": "because",
}  # fmt: skip


def rules(theme: Theme) -> str:
    """Return the style sheet; with ``auto``, the light rules and the dark ones for systems that prefer them."""
    if theme != "auto":
        return _sheet(f".mp-{theme} ", theme == "dark")
    return f"{_sheet('.mp-auto ', False)}@media (prefers-color-scheme: dark){{{_sheet('.mp-auto ', True)}}}"


def _sheet(root: str, dark: bool) -> str:
    colour = {name: pair[dark] for name, pair in PICTURE_COLOURS.items()}
    declarations = {
        ".paper": f"fill:{colour['paper']}",
        "text": f"font-family:{FONT};fill:{colour['ink']}",
        ".n,.ruler,.ink": "text-anchor:middle",
        ".n,.odds,.badge,.strong": "font-weight:700",
        ".ruler": f"fill:{colour['quiet']}",
        ".end,.badge": "text-anchor:end",
        ".open": f"fill:{colour['open']};stroke:{colour['open-edge']}",
        ".covered": f"fill:{colour['covered']};stroke:{colour['covered-edge']}",
        ".heat": f"stroke:{colour['covered-edge']}",
        "path.exploded": f"fill:{colour['exploded']}",
        ".pole": f"fill:{colour['pole']}",
        ".cloth": f"fill:{colour['flag']}",
        ".body": f"fill:{colour['mine']}",
        ".line": "fill:none;stroke-width:3.4;stroke-linecap:round;stroke-linejoin:round",
        ".spikes": f"stroke-width:2.6;stroke:{colour['mine']}",
        ".tick": f"stroke:{colour['safe']}",
        ".cross": f"stroke:{colour['wrong']}",
        ".ring": "fill:none;stroke-width:3.4",
        **{f".ring.{name}": f"stroke:{colour[_RING_COLOUR[name]]}" for name in _RING_COLOUR},
        ",".join(f".ring.{name}" for name in _DASHED): "stroke-dasharray:5 3.4",
        ".star": f"fill:{colour['best']}",
        ".bar": f"fill:{colour['because']}",
        ".frame": f"fill:none;stroke:{colour['quiet']};stroke-dasharray:2 4",
        ".badge": f"fill:{colour['guess']}",
        **{f".n{number}": f"fill:{colour[f'n{number}']}" for number in range(1, 9)},
        "text.on-heat,.pole.on-heat,.cloth.on-heat": f"fill:{ON_HEAT}",
        ".line.on-heat": f"stroke:{ON_HEAT}",
        **{
            f".ring.{name}.on-heat": f"stroke:{ON_HEAT_RINGS[kind]}"
            for name, kind in _RING_COLOUR.items()
            if kind in ON_HEAT_RINGS
        },
        ".star.on-heat": f"fill:{ON_HEAT_RINGS['best']}",
        "text.on-exploded,.body.on-exploded": f"fill:{ON_EXPLODED}",
        ".line.on-exploded,.ring.on-exploded": f"stroke:{ON_EXPLODED}",
    }
    return "".join(f"{_scope_selectors(root, names)}{{{body}}}" for names, body in declarations.items())


def _scope_selectors(root: str, names: str) -> str:
    return ",".join(root + name for name in names.split(","))
