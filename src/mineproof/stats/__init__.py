"""Replays of other programs: read them as game records, and write game records as replays.

A reader turns mouse events into moves of a `mineproof.game.game.Game`, so the rules are those of the game. Layouts and
positions without a game belong to `formats`.
"""
