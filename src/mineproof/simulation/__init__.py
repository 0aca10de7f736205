"""Simulations: play many games with a strategy and measure its win rate with a confidence interval.

Games of a person belong to `game`.
"""
