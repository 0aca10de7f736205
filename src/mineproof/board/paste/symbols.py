"""Every sign that people write for a cell, and what it can mean: the only table of them.

A *token* is what stands in a cell of the text: ``1``, ``⚑``, ``-1``, ``None``. A *symbol* is one character that stands
for all tokens of one meaning: ``0`` to ``8``, ``#`` covered, ``F`` mine, ``~`` not on the board, or a doubtful
character such as ``.``. Doubtful characters have several meanings in `DOUBTFUL`, the documented one first.
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

from mineproof.board.cells import ABSENT, COVERED, FLAGGED, LARGEST_DIGIT

BLANK = " "  # an empty cell of a table
NINE = "9"  # a code of some programs in nestings of numbers; anywhere else a 9 is a mistake


class Doubtful(NamedTuple):
    """A character with several meanings: the codes in order of preference, and who documents the first one."""

    codes: tuple[int, ...]
    documented: str = ""


CERTAIN: dict[str, int] = {
    **{str(number): number for number in range(LARGEST_DIGIT + 1)},
    "#": COVERED,
    "F": FLAGGED,
    "~": ABSENT,
}

DOUBTFUL: dict[str, Doubtful] = {
    ".": Doubtful((0, COVERED), "mineproof"),
    BLANK: Doubtful((0, COVERED), "go"),
    "·": Doubtful((COVERED, 0), "mineproof play"),
    "-": Doubtful((COVERED, 0), "minedetector"),
    "_": Doubtful((COVERED, 0), "truffle"),
    "?": Doubtful((COVERED, FLAGGED), "fair"),
    "*": Doubtful((FLAGGED, COVERED), "truffle"),
    "X": Doubtful((FLAGGED, COVERED), "minedetector-output"),
    "+": Doubtful((FLAGGED, COVERED), "minedetector"),
    "B": Doubtful((FLAGGED, 0), "truffle"),
    "x": Doubtful((COVERED, FLAGGED)),
    "o": Doubtful((0, COVERED)),
    "O": Doubtful((0, COVERED)),
    "P": Doubtful((FLAGGED, COVERED)),
    "!": Doubtful((FLAGGED, COVERED)),
    "@": Doubtful((FLAGGED, COVERED)),
    "⬜": Doubtful((COVERED, 0)),
    "⬛": Doubtful((COVERED, 0)),
    "🟫": Doubtful((0, COVERED)),
    "□": Doubtful((COVERED, 0)),
    NINE: Doubtful((COVERED, FLAGGED)),
}

# Signs that are another way to write a symbol. Each string is a set of characters.
_ALIKE: dict[str, str] = {
    "#": "HCE■▣█▓▒░◼◾▪🟦🟩🟪🟧🟨🟥🔲🔳🟢🔵🔴🟠🟡🟣❓❔",
    "F": "fM⚑⚐🚩⛳🏴🏳🏁💣💥🧨☠💀☢✹🔥",
    "~": "∅⊘",
    "·": "•∙⋅・",
    "-": "–—−‐‑",
    "*": "∗✱✲✳⁎",
    "X": "❌✖✗✘",
    "x": "×",
    "+": "➕",
    ".": "。",
    "⬜": "◻◽▫🤍⚪",
    "⬛": "🖤⚫",
    "□": "▢☐",
}

# Codes of arrays, and words. 10 and 11 are those of ms_toollib.
_WORDS: dict[str, str] = {
    "-1": "#",
    "-2": "F",
    "-9": "~",
    "10": "#",
    "11": "F",
    "": BLANK,
    **dict.fromkeys(["none", "null", "nan", "na", "<na>", "undefined", "covered", "hidden", "closed", "unknown"], "#"),
    **dict.fromkeys(["flag", "flagged", "mine", "bomb"], "F"),
}

# Discord and Slack write an emoji as a word between colons.
SHORTCODES: dict[str, str] = {
    **dict(zip(["zero", "one", "two", "three", "four", "five", "six", "seven", "eight"], "012345678", strict=True)),
    **dict.fromkeys(["triangular_flag_on_post", "triangular_flag", "golf", "flag_white", "flag_black"], "F"),
    **dict.fromkeys(["bomb", "boom", "firecracker", "skull", "skull_crossbones", "collision"], "F"),
    **dict.fromkeys(["blue_square", "large_blue_square", "green_square", "large_green_square", "red_square"], "#"),
    **dict.fromkeys(["purple_square", "orange_square", "yellow_square", "black_square_button", "question"], "#"),
    **dict.fromkeys(["white_large_square", "white_square", "white_medium_square"], "⬜"),
    **dict.fromkeys(["black_large_square", "black_square", "black_medium_square"], "⬛"),
    "brown_square": "🟫",
    "x": "X",
}

# Signs of mines that exploded or were shown at the end of a game: taken for flags, and said so.
BOMBS = (":bomb:", ":boom:", ":collision:", ":firecracker:", "💣", "💥", "🧨")

_SYMBOL_OF = {
    **{symbol: symbol for symbol in (*CERTAIN, *DOUBTFUL) if symbol != NINE},
    **{sign: symbol for symbol, signs in _ALIKE.items() for sign in signs},
}
_WHOLE = re.compile(r"-?(?:0|[1-9][0-9]?)(?:\.0{0,18})?")  # 1, -1, and 1. as NumPy prints it


def symbol_of(token: str) -> str | None:
    """The symbol of a token, or None if the token is no cell."""
    symbol = _SYMBOL_OF.get(token)
    if symbol is not None:
        return symbol
    if len(token) == 1:
        number = unicodedata.digit(token, LARGEST_DIGIT + 1)  # full-width, circled, superscript
        return str(number) if number <= LARGEST_DIGIT else None
    if _WHOLE.fullmatch(token):
        token = str(int(token.partition(".")[0]))
        return _SYMBOL_OF.get(token) or _WORDS.get(token)
    return _WORDS.get(token.lower())


def is_code(token: str) -> bool:
    """Is the token a whole number, as arrays have them?"""
    return _WHOLE.fullmatch(token) is not None


def symbol_of_code(token: str) -> str | None:
    """The symbol of a token among others that are all whole numbers, where 9 can be a cell."""
    return NINE if is_code(token) and token.partition(".")[0] == NINE else symbol_of(token)


def meanings_of(symbol: str) -> tuple[int, ...]:
    """The codes that a symbol can have, the preferred one first."""
    return (CERTAIN[symbol],) if symbol in CERTAIN else DOUBTFUL[symbol].codes


def is_documented(symbol: str) -> bool:
    """Has the symbol a meaning that some program documents?"""
    return symbol in CERTAIN or bool(DOUBTFUL[symbol].documented)


NAMES = {COVERED: "covered", FLAGGED: "a mine", ABSENT: "not on the board", 0: "an open 0"}
PLAIN = {COVERED: "#", FLAGGED: "F", ABSENT: "~", 0: "0"}  # how to write each code without doubt
