"""95 % confidence intervals of rates and of differences of rates.

Rate        Wilson's score interval (1927): all rates whose distance from the observed rate is less than 1.96 of their
            own standard deviations. Unlike rate ± 1.96 deviations it stays inside 0 to 1, and it is accurate for few
            trials and for rates near 0 and 1.
Difference  Two rates measured on the same trials differ only by the trials with different outcomes. The interval is
            Bonett and Price's (2012): the large-sample interval with one trial of either kind added.
"""

from __future__ import annotations

import math
from typing import NamedTuple

Z = 1.959963984540054  # standard deviations that contain 95 % of a normal distribution


class Interval(NamedTuple):
    """Lower and upper bound of a confidence interval."""

    low: float
    high: float


def wilson(successes: int, trials: int) -> Interval:
    """Return Wilson's 95 % interval of a success rate; 0 to 1 if there are no trials.

    >>> low, high = wilson(5, 10)
    >>> round(low, 4), round(high, 4)
    (0.2366, 0.7634)
    """
    if not 0 <= successes <= trials:
        raise ValueError(f"expected 0 to {trials} successes in {trials} trials, got {successes}")
    if trials == 0:
        return Interval(0.0, 1.0)
    rate, weight = successes / trials, Z * Z / trials
    middle = (rate + weight / 2) / (1 + weight)
    reach = math.sqrt(rate * (1 - rate) * weight + weight * weight / 4) / (1 + weight)
    # With no success or no failure one bound is exactly 0 or 1. Rounding must not change that.
    return Interval(middle - reach if successes else 0.0, middle + reach if successes < trials else 1.0)


def paired_difference(only_first: int, only_second: int, trials: int) -> Interval:
    """Return the 95 % interval of the first rate minus the second, measured on the same trials.

    ``only_first`` and ``only_second`` count the trials in which only one of them succeeded.
    """
    if min(only_first, only_second) < 0 or only_first + only_second > trials:
        raise ValueError(
            f"expected non-negative counts of at most {trials} trials in all, got {only_first} and {only_second}"
        )
    first, second = (only_first + 1) / (trials + 2), (only_second + 1) / (trials + 2)
    middle = first - second
    reach = Z * math.sqrt(max(0.0, first + second - middle * middle) / (trials + 2))
    return Interval(max(-1.0, middle - reach), min(1.0, middle + reach))
