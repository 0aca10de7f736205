"""New layouts: dealt, or made to need no guess, with the certificate that proves it and the verifier that checks it.

How games are played on them belongs to `simulation`.
"""
