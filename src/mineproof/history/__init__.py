"""The games that were finished, kept in one SQLite database: what each was like, best times, streaks, win rates.

All SQL is in `store`; the numbers of a game are those of `game`, worked out once when it is added. What draws, asks or
prints does not belong here, nor does a rule of the game or a number that players count: this room keeps and compares.
Answers to puzzles are kept in the same file, for `practice`, which has the ratings' formulas. The only rooms that may
import it are `practice` and those for people.
"""
