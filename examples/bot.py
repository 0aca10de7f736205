"""A bot for mineproof's engine protocol (docs/protocol.md), in plain Python. It counts around single numbers.

mineproof simulate beginner --games 100 --strategy 'exec:python3 examples/bot.py'
"""

import sys


def neighbours(cell, rows, columns):
    """Yield the cells that touch a cell."""
    for row in range(max(0, cell[0] - 1), min(rows, cell[0] + 2)):
        for column in range(max(0, cell[1] - 1), min(columns, cell[1] + 2)):
            if (row, column) != cell:
                yield row, column


def choose(board, total):
    """Return certainly safe cells and True, or the best guess and False."""
    rows, columns = len(board), len(board[0])
    covered = {(r, c) for r in range(rows) for c in range(columns) if board[r][c] == "#"}
    numbers = [(r, c) for r in range(rows) for c in range(columns) if board[r][c].isdigit() and board[r][c] != "0"]
    around = {cell: [near for near in neighbours(cell, rows, columns) if near in covered] for cell in numbers}
    mines = {near for (r, c) in numbers for near in around[r, c] if len(around[r, c]) == int(board[r][c])}
    safe, odds = set(), {}
    for r, c in numbers:
        unknown = [near for near in around[r, c] if near not in mines]
        left = int(board[r][c]) - (len(around[r, c]) - len(unknown))
        for near in unknown:
            odds[near] = max(odds.get(near, 0), left / len(unknown))
            if left == 0:
                safe.add(near)
    if safe:
        return sorted(safe), True
    unknown = sorted(covered - mines)
    density = (total - len(mines)) / len(unknown)
    return [min(unknown, key=lambda cell: (odds.get(cell, density), cell))], False


def main():
    board, total = [], 0
    for line in sys.stdin:
        word, *rest = line.split()
        if word == "mineproof":
            print("id name Single numbers (Python)\nid version 1\ncapabilities grid\nready", flush=True)
        elif word == "newgame":
            total = int(rest[rest.index("mines") + 1])
            print("ready", flush=True)
        elif word == "position":
            board = rest[0].split("/")
        elif word == "go":
            cells, safe = choose(board, total)
            first, *more = [f"{row},{column}" for row, column in cells]
            print("bestmove", first, *["safe"] * safe, *(["more", *more] if more else []), flush=True)
        elif word == "quit":
            return


main()
