"""Puzzles from real games: found, proved to need a technique, judged and rated.

Techniques, certainty and win chances come from earlier rooms. Answers are stored through `mineproof.history.store`,
which has all SQL. No rules of the game, no search for certain cells, no drawing and no input or output belong here.
Only the rooms for people may import this room.
"""
