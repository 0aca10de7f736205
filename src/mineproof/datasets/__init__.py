"""Datasets: positions of real games with exact odds and the chosen move, in one Parquet file for machine learning.

`simulation` plays the games and `analysis` computes the odds. This room stores positions in parts, so that a run can be
resumed. It is the only room that writes the layout, which no player sees, next to the position.
"""
