"""Facts about a position: what is certain, the odds of the rest, its layouts, why none fits, what a reveal risks.

Facts only: how a person would find them is told in `deduction`, what to do about them in `decision`.
"""
