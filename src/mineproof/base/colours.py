"""Every colour of the program, declared once: terminal, pictures, the page and its skins, reports, plots, the gym.

Python reads these constants. Style sheets and scripts of the page hold a generated copy: `python tools/colours.py`
writes it, and a test fails if it differs.

Text on a cell has a contrast of at least 4.5 to 1, and so have signs. Rings have 3 to 1, and so have the edges of
covered cells of pictures against open ones. Odds go from blue over pale to orange, two hues that colour-blind people
can distinguish, and are also written in the cells.
"""

from __future__ import annotations

Colour = tuple[str, str]  # for light and dark themes

# ---- boards: pictures and the page ----

BOARD_COLOURS: dict[str, Colour] = {
    "covered": ("#adc4e3", "#314767"),
    "covered-edge": ("#7391bd", "#22344f"),
    "open": ("#f9fbfd", "#1a222d"),
    "open-edge": ("#d5dde8", "#2a3544"),
    "pressed": ("#d6deea", "#2c3a4c"),
    "flag": ("#9a0d18", "#ff9c9c"),
    "pole": ("#1b2533", "#eef3fa"),
    "mine": ("#1b2533", "#e7edf5"),
    "exploded": ("#c01722", "#c01722"),
    "safe": ("#07501f", "#8df0b0"),
    "wrong": ("#930a15", "#ffb6ae"),
    "because": ("#1746d1", "#6ea8ff"),
    "best": ("#5f17a3", "#d9b3ff"),
    "cursor": ("#b54100", "#ffb057"),
    "n1": ("#1a4fd6", "#82b1ff"),
    "n2": ("#1b6e2c", "#7fd694"),
    "n3": ("#c3202b", "#ff8c8c"),
    "n4": ("#5b2394", "#cda2ff"),
    "n5": ("#8c3a09", "#f0a875"),
    "n6": ("#0b6a74", "#66d4de"),
    "n7": ("#1b2533", "#e7edf5"),
    "n8": ("#5c6673", "#a9b4c2"),
}

# What only the canvas of the page draws: lit edges of covered cells, the frame, and the grounds of certain cells.
CANVAS_COLOURS: dict[str, Colour] = {
    "covered-light": ("#cfe0f6", "#4d6b99"),
    "well": ("#7391bd", "#131b27"),
    "frame": ("#294a7a", "#22344f"),
    "frame-light": ("#5c7fb5", "#48648e"),
    "frame-dark": ("#172c4b", "#0a111b"),
    "frame-ink": ("#e3edfb", "#c3d2e8"),
    "safe-ground": ("#86d69d", "#14603a"),
    "mine-ground": ("#f5a8a0", "#74242b"),
}

# Other skins of the page's boards: what differs from the colours above. "contrast" has 7 to 1 for numbers.
SKINS: dict[str, dict[str, Colour]] = {
    "classic": {
        "stage": ("#e6e6e6", "#16181b"),
        "covered": ("#c0c0c0", "#3f454c"),
        "covered-light": ("#ffffff", "#666e78"),
        "covered-edge": ("#808080", "#24282d"),
        "open": ("#d0d0d0", "#2b3036"),
        "open-edge": ("#9c9c9c", "#1b1e22"),
        "pressed": ("#c6c6c6", "#343a41"),
        "well": ("#808080", "#1b1e22"),
        "frame": ("#c0c0c0", "#3f454c"),
        "frame-light": ("#ffffff", "#666e78"),
        "frame-dark": ("#808080", "#1b1e22"),
        "frame-ink": ("#262626", "#dfe3e8"),
        "flag": ("#a30000", "#ff9c9c"),
        "pole": ("#000000", "#f4f4f4"),
        "mine": ("#000000", "#f4f4f4"),
        "wrong": ("#930a15", "#ffb6ae"),
        "because": ("#0b36b8", "#6ea8ff"),
    },
    "contrast": {
        "stage": ("#ffffff", "#000000"),
        "covered": ("#d9d9d9", "#3a3a3a"),
        "covered-light": ("#000000", "#ffffff"),
        "covered-edge": ("#000000", "#ffffff"),
        "open": ("#ffffff", "#000000"),
        "open-edge": ("#8c8c8c", "#707070"),
        "pressed": ("#ffffff", "#000000"),
        "well": ("#000000", "#ffffff"),
        "frame": ("#000000", "#ffffff"),
        "frame-light": ("#000000", "#ffffff"),
        "frame-dark": ("#000000", "#ffffff"),
        "frame-ink": ("#ffffff", "#000000"),
        "flag": ("#8a0000", "#ffc2c2"),
        "pole": ("#000000", "#ffffff"),
        "mine": ("#000000", "#ffffff"),
        "safe": ("#00400f", "#a8ffc6"),
        "wrong": ("#7d0000", "#ffcfc9"),
        "safe-ground": ("#86d69d", "#0d4d2a"),
        "mine-ground": ("#ffb3ab", "#66161c"),
        "because": ("#0030b0", "#9cc6ff"),
        "best": ("#4f0a92", "#e6ccff"),
        "cursor": ("#a33a00", "#ffc784"),
    },
}

# Numbers 1 to 8 in the colours of the original games, and in hues that colour-blind people can tell apart (after the
# palette of Okabe and Ito). Both are dark and light enough for every skin.
DIGITS: dict[str, tuple[Colour, ...]] = {
    "classic": (
        ("#0000ff", "#8cb4ff"), ("#006400", "#7ed68a"), ("#b00000", "#ff8f8f"), ("#000080", "#b9a2ff"),
        ("#800000", "#f0a875"), ("#005f5f", "#66d4de"), ("#000000", "#f2f2f2"), ("#4d4d4d", "#b4b4b4"),
    ),
    "distinct": (
        ("#0052b8", "#5ab4ff"), ("#8f3600", "#ffae52"), ("#00634a", "#3fe0b0"), ("#7a2a66", "#f0a3d6"),
        ("#000000", "#ffffff"), ("#5c4a00", "#f2e27a"), ("#1f3f6e", "#a9c6ee"), ("#4d4d4d", "#b9b9b9"),
    ),
}  # fmt: skip

# Odds of 0, 25, 50, 75 and 100 per cent; colours in between are mixed. Pictures have the first scale in both themes,
# the page's dark theme has its own, which does not glare.
DARK_HEAT_STOPS = ((24, 78, 128), (44, 88, 118), (88, 82, 66), (128, 74, 28), (150, 60, 20))
ON_DARK_HEAT = "#f4f8fd"
HEAT_STOPS = ((92, 156, 212), (160, 205, 230), (247, 237, 215), (246, 178, 112), (228, 116, 58))
ON_HEAT = "#14181f"  # text on every colour of odds
ON_HEAT_RINGS = {"safe": "#07501f", "wrong": "#7d0811", "best": "#5f17a3"}
ON_EXPLODED = "#ffffff"

# ---- pages: text, panels and controls ----

PAGE_COLOURS: dict[str, Colour] = {
    "page": ("#f3f5f8", "#0f141b"),
    "panel": ("#ffffff", "#171e28"),
    "line": ("#d5dbe4", "#2d3847"),
    "ink": ("#16202e", "#e7edf5"),
    "quiet": ("#566274", "#9fadbf"),
    "accent": ("#1d4f91", "#7db0ff"),
    "accent-ink": ("#ffffff", "#0c1a2e"),
    "soft": ("#e6edf7", "#1f2c3f"),
    "good": ("#14693a", "#69d391"),
    "bad": ("#ad1f1f", "#ff8a8a"),
    "warn": ("#8a5300", "#f3bd5f"),
    "warn-soft": ("#fdf3e0", "#2c2415"),
    "mark": ("#d55e00", "#ff8b3d"),
    "stage": ("#e4e9f0", "#0b0f15"),
    "face": ("#ffc94d", "#f2b83a"),
    "face-ink": ("#3a2a05", "#2b1f04"),
}

# Pictures stand on paper: white in the light theme, the page itself in the dark one. Edges are darker on white.
PICTURE_COLOURS: dict[str, Colour] = {
    "paper": (PAGE_COLOURS["panel"][0], PAGE_COLOURS["page"][1]),
    "ink": PAGE_COLOURS["ink"],
    "quiet": PAGE_COLOURS["quiet"],
    **BOARD_COLOURS,
    "covered": ("#b4c2d3", "#3b4a5e"),
    "covered-edge": ("#7f90a8", "#5d7089"),
    "guess": BOARD_COLOURS["cursor"],
}

# ---- plots ----

# Lines of plots: the palette of Okabe and Ito without its yellow, which is hard to see on white.
PLOT_LINES: tuple[Colour, ...] = (
    ("#0072b2", "#5bb3f0"),
    ("#d55e00", "#ff8b3d"),
    ("#009e73", "#35c79a"),
    ("#b8558c", "#e39bc4"),
    ("#b97f00", "#f2c14e"),
    ("#3f8fc4", "#9ad8ff"),
    ("#4d4d4d", "#c9d3df"),
)
PLOT_EMPTY = "#000b1c"  # cells of a heat map without a value: darker than its scale
PLOT_MARK = "#ffffff"  # the outer ring of the mark on a heat map

# ---- terminals, as rich writes styles ----

# Numbers have the colours that players know, as names of the terminal's own colours: readable on dark and on light
# backgrounds. The 7 is black in the original games and has the colour of text here.
NUMBERS = ("bright_blue", "green", "red", "magenta", "bright_red", "cyan", "default", "bright_magenta")  # 1 to 8

# Marks have a background from the fixed part of the 256 colours: a mine must not look like a 3.
SAFE = "bold color(231) on color(28)"
MINE = "bold color(231) on color(160)"
FLAG = "bold color(231) on color(88)"
WRONG_FLAG = "bold color(16) on color(214)"
GUESS = "bold color(16) on color(220)"
USED = "bold color(231) on color(26)"  # a number that proves something
QUESTION = "bold color(231) on color(60)"
SHOWN_MINE = "bold color(231) on color(239)"  # after the end of a game
EXPLODED = "bold color(231) on color(160)"

# Covered cells, and odds from green over yellow to red. Neighbours in the game differ a little, like the squares of a
# chessboard, so that it is easy to see which odds belong to which cell.
COVERED_SHADES = tuple(f"color(250) on color({shade})" for shade in (239, 241))
TERMINAL_HEAT = tuple(
    f"color(16) on color({shade})" for shade in (114, 150, 186, 222, 221, 215, 209, 203, 197, 161)
)  # for every ten per cent
GAME_HEAT = tuple(
    tuple(f"color(16) on color({shade})" for shade in shades)
    for shades in ((114, 150), (186, 185), (222, 221), (215, 209), (203, 204))
)  # for every twenty per cent

# ---- the gym: pixels (red, green, blue) in the colours of the original game, 4.5 to 1 against an open cell ----

GYM_LINE, GYM_OPEN, GYM_COVERED = (122, 122, 122), (222, 222, 222), (165, 165, 172)
GYM_NUMBERS = (
    (0, 0, 255), (0, 100, 0), (200, 0, 0), (0, 0, 128), (128, 0, 0), (0, 95, 95), (0, 0, 0), (90, 90, 90),
)  # fmt: skip
GYM_MINE = (0, 0, 0)
