"""ms_toollib as a bot for mineproof's engine protocol (docs/protocol.md): the cell with the lowest mine probability.

pip install ms_toollib
mineproof league fast 'exec:python3 examples/ms_toollib_bot.py' --games 200
"""

import sys

import ms_toollib

COVERED = 10  # in its boards; open cells are their numbers


def choose(rows, mines):
    """Return the safe cells, or one cell with the lowest mine probability."""
    board = [[COVERED if symbol == "#" else int(symbol) for symbol in row] for row in rows]
    odds, _ = ms_toollib.cal_probability_onboard(board, mines)
    covered = [(odds[r][c], r, c) for r, row in enumerate(board) for c, code in enumerate(row) if code == COVERED]
    return [cell for cell in covered if cell[0] == 0] or [min(covered)]


def main():
    rows, mines = [], 0
    for line in sys.stdin:
        word, *rest = line.split()
        if word == "mineproof":
            print("id name ms_toollib\nid version", getattr(ms_toollib, "__version__", "1"))
            print("capabilities grid\nready", flush=True)
        elif word == "newgame":
            mines = int(rest[rest.index("mines") + 1])
            print("ready", flush=True)
        elif word == "position":
            rows = rest[0].split("/")
        elif word == "go":
            first, *more = [f"{row},{column}" for _, row, column in choose(rows, mines)]
            print("bestmove", first, *(["more", *more] if more else []), flush=True)
        elif word == "quit":
            return


main()
