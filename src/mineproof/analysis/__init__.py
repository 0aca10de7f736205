"""Facts about a position: certain cells, odds, layouts, contradictions, and the risk of a reveal.

This room holds facts only. `deduction` explains how a person finds them, and `decision` chooses a move.
"""
