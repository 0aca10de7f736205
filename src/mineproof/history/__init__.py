"""Finished games in one database: facts about each game, best times, streaks, win rates.

All SQL is in `store`. The numbers of a game come from `game` and are computed once, when the game is added. Drawing,
input and output, rules of the game and new statistics do not belong here: this room stores and compares. Answers to
puzzles are stored in the same database for `practice`, which has the rating formulas. Only `practice` and the rooms for
people may import this room.
"""
