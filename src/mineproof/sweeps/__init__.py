"""Sweeps: many configurations of games, played in units by any workers, kept in a folder from which a run goes on.

How games are played belongs to `simulation`; here they are shared out, written down, and put together again.
"""
