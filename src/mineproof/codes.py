"""The numbers that stand for what a cell shows, shared by library, arrays and kernel."""

COVERED = -1
FLAGGED = -2
ABSENT = -9  # not part of the board: never a mine, never counted
LARGEST_NUMBER = 8
MAX_CELLS = 1_000_000
