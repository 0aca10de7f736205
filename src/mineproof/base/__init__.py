"""What every room may use and no room is about: budgets, random numbers, words, files.

Nothing here knows what a board is. What is about Minesweeper lives in a room above.
"""
