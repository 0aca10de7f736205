"""The general question: variables with a few values each, constraints on weighted sums, a total. A board is one case.

Only data and its checks are here. Engines count (`mineproof.engine`), and `mineproof.analysis` answers.
"""
