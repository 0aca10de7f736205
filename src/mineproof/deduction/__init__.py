"""Reasons a person can follow: the techniques, one file each, and the ladder that climbs them.

No technique is trusted: the engine confirms every step. Nothing here weighs a guess against another.
"""
