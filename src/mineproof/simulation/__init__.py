"""Many games at once: which games, who plays them, what came of it and how sure that is.

Single games belong to `game`; here nothing is asked of a person.
"""
