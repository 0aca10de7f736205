"""Truth: where the mines are, the rules, the game with its record, what players count, the look back.

From here on rooms know the mines. What reasons about a position is asked, and is only ever shown a board.
"""
