"""What to tell a player: one step at a time, in words, and no more than is asked for.

It draws on deductions and decisions, and adds nothing to them but the choice of what to say and how.
"""
