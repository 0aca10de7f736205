"""One technique, one file: its idea, cost and limits on top, one `Technique` at the end.

The code that they share is in `mineproof.deduction.state`; `mineproof.deduction.ladder` lists them.
"""
