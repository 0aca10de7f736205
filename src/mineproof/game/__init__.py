"""Truth: where the mines are, the rules, the game with its record, statistics of games, and reviews.

This room and those after it know the mines. The rooms before it reason about positions and are given boards only.
"""
