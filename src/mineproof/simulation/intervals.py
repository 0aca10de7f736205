"""How sure a measured rate is: intervals that hold the true value in about 95 of 100 experiments.

Rate        Wilson's score interval (1927): the rates that the observed one is less than 1.96 of their own standard
            deviations away from. Unlike rate ± 1.96 deviations it stays inside 0 to 1, and it is good for few trials
            and for rates near the ends too.
Difference  Of two rates measured on the same trials only the trials that came out differently tell. The interval is
            Bonett and Price's (2012): that of large samples, with one more trial of either kind in the count.
"""

from __future__ import annotations

import math
from typing import NamedTuple

Z = 1.959963984540054  # a normal variable stays within so many deviations with 95 %


class Interval(NamedTuple):
    low: float
    high: float


def wilson(successes: int, trials: int) -> Interval:
    """The rate that so many successes speak for; anything from 0 to 1 without a trial.

    >>> low, high = wilson(5, 10)
    >>> round(low, 4), round(high, 4)
    (0.2366, 0.7634)
    """
    if not 0 <= successes <= trials:
        raise ValueError(f"found {successes} successes in {trials} trials, expected 0 to {trials}")
    if trials == 0:
        return Interval(0.0, 1.0)
    rate, weight = successes / trials, Z * Z / trials
    middle = (rate + weight / 2) / (1 + weight)
    reach = math.sqrt(rate * (1 - rate) * weight + weight * weight / 4) / (1 + weight)
    # At the ends the terms are equal, and rounding must not leave them apart.
    return Interval(middle - reach if successes else 0.0, middle + reach if successes < trials else 1.0)


def paired_difference(only_first: int, only_second: int, trials: int) -> Interval:
    """The rate of the first less the rate of the second, where so many trials were a success for one of them only."""
    if min(only_first, only_second) < 0 or only_first + only_second > trials:
        found = f"{only_first} and {only_second} trials that differ"
        raise ValueError(f"found {found}, expected none below 0 and no more than the {trials} there are")
    first, second = (only_first + 1) / (trials + 2), (only_second + 1) / (trials + 2)
    middle = first - second
    reach = Z * math.sqrt(max(0.0, first + second - middle * middle) / (trials + 2))
    return Interval(max(-1.0, middle - reach), min(1.0, middle + reach))
