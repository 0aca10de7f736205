"""Measures of many layouts and games: read the entries of a file, measure each, and summarize them.

`formats` reads single boards and games. Statistics of stored games belong to `history`.
"""
