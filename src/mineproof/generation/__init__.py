"""New layouts: drawn at random, or generated to need no guess, with a certificate and its verifier.

Playing games on them belongs to `simulation`.
"""
