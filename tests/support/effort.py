"""How many examples the tests try: a sample on every run, all of them with ``make thorough``."""

import os

THOROUGH = os.environ.get("MINEPROOF_THOROUGH", "0") != "0"


def examples(number: int, share: float = 0.1) -> int:
    """Return how many examples a test tries: ``number`` with `THOROUGH`, else a share of it."""
    return number if THOROUGH else max(1, round(share * number))
