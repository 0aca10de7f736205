"""Sweeps: simulate many configurations in units, on any workers, and store them in a folder that can be resumed.

`simulation` plays the games. This room distributes, stores and combines them.
"""
