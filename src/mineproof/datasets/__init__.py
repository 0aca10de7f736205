"""Datasets: positions of real games with exact odds and the move that was made, in one Parquet file for learning.

How games are played belongs to `simulation`, and what is known about a position to `analysis`; here both are asked for
many games, and the answers are kept in parts from which a run goes on. Only this room writes the layout, which no
player sees, beside the position.
"""
