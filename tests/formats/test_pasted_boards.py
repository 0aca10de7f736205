"""Boards of real games in many dresses: each is read as it is, whatever its size. `support.dresses` has small ones."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache

import numpy as np
import numpy.typing as npt
import pytest

import mineproof as mp
from mineproof import formats

pytestmark = pytest.mark.property

Rows = list[str]
CODES = {"#": -1, "F": -2, **{str(number): number for number in range(9)}}
NAMES = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight"]
SHORTCODES = {"#": ":white_large_square:", "F": ":triangular_flag_on_post:"} | {
    str(number): f":{name}:" for number, name in enumerate(NAMES)
}
KEYCAPS = {str(number): f"{number}\ufe0f\u20e3" for number in range(9)}


@cache
def board(level: str) -> mp.Board:
    """A position in the middle of a game, with a flag; its mines are for no reader to know."""
    game = mp.Game(mp.generate(level, seed=3), first_click="open")
    game.open(4, 4)
    for _ in range(3):
        for cell in sorted(mp.analyze(game.board).safe)[:6]:
            if not game.is_over and game.board[cell] == mp.COVERED:
                game.open(*cell)
    game.flag(*min(mp.analyze(game.board).mines))
    return game.board


def signs(rows: Rows, table: dict[str, str], between: str = "") -> str:
    return "\n".join(between.join(table.get(cell, cell) for cell in row) for row in rows)


def letters(count: int) -> list[str]:
    return [chr(65 + number) if number < 26 else "A" + chr(39 + number) for number in range(count)]


def array(rows: Rows) -> npt.NDArray[np.int8]:
    return np.array([[CODES[cell] for cell in row] for row in rows], dtype=np.int8)


def numpy_text(value: object) -> str:
    with np.printoptions(threshold=10**9, linewidth=75):
        return str(value)


def with_letters(rows: Rows) -> str:
    lines = (f"{number:2} {' '.join(row)}" for number, row in enumerate(rows, 1))
    return "\n".join(["   " + " ".join(letters(len(rows[0]))), *lines])


def with_numbers(rows: Rows) -> str:
    head = "    " + " ".join(f"{number:2}" for number in range(len(rows[0])))
    return "\n".join(
        [head, *(f"{number:3} " + " ".join(f"{cell:>2}" for cell in row) for number, row in enumerate(rows))]
    )


def with_numbers_below(rows: Rows) -> str:
    lines = [f"{number:2}| {' '.join(row)}" for number, row in enumerate(rows, 1)]
    below = " ".join(str(number % 10) for number in range(1, len(rows[0]) + 1))
    return "\n".join([*lines, "   " + "--" * len(rows[0]), "    " + below])


def sheet(rows: Rows) -> str:
    lines = (f"{number}\t" + "\t".join(row) for number, row in enumerate(rows, 1))
    return "\n".join(["\t" + "\t".join(letters(len(rows[0]))), *lines])


def markdown(rows: Rows) -> str:
    head, *lines = (f"| {' | '.join(row.replace('0', ' '))} |" for row in rows)
    return "\n".join([head, "|" + "---|" * len(rows[0]), *lines])


def grid(rows: Rows) -> str:
    rule = "+" + "---+" * len(rows[0])
    return "\n".join(line for row in rows for line in (rule, f"| {' | '.join(row.replace('0', ' '))} |")) + "\n" + rule


def html(rows: Rows) -> str:
    cells = ("".join(f"<td>{cell.replace('0', '')}</td>" for cell in row) for row in rows)
    return f"<table>{''.join(f'<tr>{line}</tr>' for line in cells)}</table>"


def page(rows: Rows) -> str:
    cells = ("".join(f'<div class="cell">{cell}</div>' for cell in row) for row in rows)
    return "\n".join(f'<div class="row">{line}</div>' for line in cells)


def flat(rows: Rows) -> str:
    return json.dumps({"rows": len(rows), "cols": len(rows[0]), "board": array(rows).flatten().tolist()}, indent=1)


DRESSES: dict[str, Callable[[Rows], str]] = {
    "blanks": lambda rows: signs(rows, {}, " "),
    "tabs": lambda rows: signs(rows, {}, "\t"),
    "tabs, zeros left empty": lambda rows: signs(rows, {"0": ""}, "\t"),
    "tabs, an empty column before": lambda rows: "\n".join("\t" + "\t".join(row) for row in rows),
    "CSV, zeros left empty": lambda rows: signs(rows, {"0": ""}, ","),
    "a sheet with its headings": sheet,
    "letters and numbers": with_letters,
    "numbers above and at the side": with_numbers,
    "numbers below and at the side": with_numbers_below,
    "a Markdown table": markdown,
    "a grid": grid,
    "HTML": html,
    "HTML without a table": page,
    "emoji": lambda rows: signs(rows, {"#": "🟦", "F": "🚩"} | KEYCAPS),
    "emoji, two squares": lambda rows: signs(rows, {"#": "⬜", "F": "🚩"} | KEYCAPS | {"0": "⬛"}),
    "emoji by name": lambda rows: signs(rows, SHORTCODES),
    "spoilers": lambda rows: signs(rows, {cell: f"||{name}||" for cell, name in SHORTCODES.items()}),
    "dots": lambda rows: signs(rows, {"#": "."}),
    "dashes": lambda rows: signs(rows, {"#": "-"}, " "),
    "x": lambda rows: signs(rows, {"#": "x"}),
    "two squares": lambda rows: signs(rows, {"#": "■", "0": "□", "F": "⚑"}),
    "brackets": lambda rows: "\n".join("".join(f"[{cell.replace('0', ' ')}]" for cell in row) for row in rows),
    "colours": lambda rows: "\n".join(" ".join(f"\x1b[3{ord(c) % 8}m{c}\x1b[0m" for c in row) for row in rows),
    "NumPy": lambda rows: numpy_text(array(rows)),
    "NumPy in a loop": lambda rows: "\n".join(numpy_text(row) for row in array(rows)),
    "lists": lambda rows: str(array(rows).tolist()),
    "lists in a loop": lambda rows: "\n".join(str(list(row)) for row in rows),
    "a flat list": flat,
    "JSON": lambda rows: json.dumps([list(row) for row in rows], indent=2),
    "codes of ms_toollib": lambda rows: str(array(rows).tolist()).replace("-1", "10").replace("-2", "11"),
    "a matrix": lambda rows: f"B = [{'; '.join(' '.join(map(str, row)) for row in array(rows).tolist())}];",
    "rows in one line": " ".join,
    "a question": lambda rows: "Help?\n```\n" + "\n".join(rows) + "\n```\nthanks",
}  # fmt: skip


@pytest.mark.parametrize("level", ["beginner", "expert"])
@pytest.mark.parametrize("name", DRESSES)
def test_a_board_of_a_game_is_read_as_it_is(name: str, level: str) -> None:
    rows = board(level).as_json()["cells"]
    assert isinstance(rows, list)
    assert dict(formats.read(DRESSES[name](rows)).value.as_json())["cells"] == rows
