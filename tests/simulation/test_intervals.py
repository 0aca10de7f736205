"""Intervals against published values, and how often they hold what they should."""

import math

import pytest

from mineproof.simulation.intervals import Interval, Z, paired_difference, wilson


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [
        (5, 10, 0.2366, 0.7634),
        (29, 29, 0.8830, 1.0000),
        # R. G. Newcombe, "Two-sided confidence intervals for the single proportion", 1998, table I, method 3
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_as_published(successes: int, trials: int, low: float, high: float) -> None:
    assert wilson(successes, trials) == pytest.approx((low, high), abs=6e-5)


def test_wilson_without_a_trial_says_nothing() -> None:
    assert wilson(0, 0) == Interval(0, 1)


def test_wilson_at_the_ends_is_exact() -> None:
    for trials in (1, 3, 7, 1000, 10**9):
        assert wilson(0, trials).low == 0
        assert wilson(trials, trials).high == 1


def test_wilson_ends_are_a_deviation_of_their_own_away() -> None:
    """What defines the interval: at its ends the observed rate is just 1.96 standard deviations off."""
    for end in wilson(381, 1000):
        assert abs(0.381 - end) == pytest.approx(Z * math.sqrt(end * (1 - end) / 1000))


@pytest.mark.parametrize(("successes", "trials"), [(-1, 5), (6, 5)])
def test_impossible_counts_are_refused(successes: int, trials: int) -> None:
    with pytest.raises(ValueError, match=f"expected 0 to 5 successes in 5 trials, got {successes}"):
        wilson(successes, trials)
    with pytest.raises(ValueError, match="expected non-negative counts of at most 5 trials"):
        paired_difference(successes, 0, trials)


def chance(counts: tuple[int, ...], odds: tuple[float, ...]) -> float:
    """Of a multinomial outcome."""
    ways = math.factorial(sum(counts)) // math.prod(map(math.factorial, counts))
    return ways * math.prod(odd**count for odd, count in zip(odds, counts, strict=True))


@pytest.mark.parametrize("rate", [0.05, 0.2, 0.38, 0.5, 0.92])
def test_wilson_holds_the_rate_as_often_as_it_says(rate: float) -> None:
    trials, held = 200, 0.0
    for successes in range(trials + 1):
        low, high = wilson(successes, trials)
        held += chance((successes, trials - successes), (rate, 1 - rate)) * (low <= rate <= high)
    assert 0.935 < held < 0.97


@pytest.mark.parametrize(("first", "second"), [(0.1, 0.1), (0.2, 0.1), (0.05, 0.3)])
def test_a_paired_interval_holds_the_difference_as_often_as_it_says(first: float, second: float) -> None:
    trials, held = 60, 0.0
    for one in range(trials + 1):
        for other in range(trials + 1 - one):
            low, high = paired_difference(one, other, trials)
            odds = (first, second, 1 - first - second)
            held += chance((one, other, trials - one - other), odds) * (low <= first - second <= high)
    assert 0.935 < held < 0.98


def test_a_paired_interval_is_the_usual_one_for_many_trials() -> None:
    low, high = paired_difference(30_000, 20_000, 1_000_000)
    reach = 1.96 * math.sqrt((0.05 - 0.01**2) / 1_000_000)
    assert (low, high) == pytest.approx((0.01 - reach, 0.01 + reach), abs=1e-6)


def test_a_paired_interval_is_symmetric_and_has_a_width_without_a_difference() -> None:
    low, high = paired_difference(3, 8, 50)
    assert paired_difference(8, 3, 50) == (-high, -low)
    low, high = paired_difference(0, 0, 50)
    assert low == -high < 0
    assert paired_difference(0, 0, 0) == (-1, 1)
