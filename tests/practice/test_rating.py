"""Glicko-2, held to the worked example of its paper and to what must be true of any rating."""

import pytest

from mineproof.practice.rating import Rating

# Glickman, "Example of the Glicko-2 system": the paper rounds on the way, so its last digit is not ours.
PAPER = [(Rating(1400, 30), 1.0), (Rating(1550, 100), 0.0), (Rating(1700, 300), 0.0)]


def test_the_example_of_the_paper() -> None:
    new = Rating(1500, 200, 0.06).after(PAPER)
    assert new.rating == pytest.approx(1464.06, abs=0.01)
    assert new.deviation == pytest.approx(151.52, abs=0.01)
    assert new.volatility == pytest.approx(0.05999, abs=0.00001)


def test_the_same_differences_change_a_rating_the_same_wherever_it_is() -> None:
    """What the package glicko2 gets wrong: its volatility depends on how far a rating is from 1500."""
    low = Rating(1500, 200, 0.06).after([(Rating(900, 30), 0.0)] * 5)
    high = Rating(2500, 200, 0.06).after([(Rating(1900, 30), 0.0)] * 5)
    assert high.rating - low.rating == pytest.approx(1000)
    assert (high.deviation, high.volatility) == pytest.approx((low.deviation, low.volatility))
    assert low.volatility > 0.06


def test_a_win_raises_and_a_loss_lowers_by_more_where_it_was_expected_less() -> None:
    player = Rating(1500, 100)
    beaten = [player.after([(Rating(other, 100), 1.0)]).rating for other in (1200, 1500, 1800)]
    lost = [player.after([(Rating(other, 100), 0.0)]).rating for other in (1200, 1500, 1800)]
    assert 1500 < beaten[0] < beaten[1] < beaten[2]
    assert lost[0] < lost[1] < lost[2] < 1500


def test_without_a_game_only_the_doubt_grows() -> None:
    new = Rating(1500, 200, 0.06).after([])
    assert (new.rating, new.volatility) == (1500, 0.06)
    assert new.deviation == pytest.approx(200.2714, abs=0.001)


def test_a_long_row_of_answers_stays_finite() -> None:
    rating = Rating()
    for _ in range(5_000):
        rating = rating.after([(Rating(700, 60), 1.0)])
    assert 1500 < rating.rating < 4000
    assert 0 < rating.deviation <= 350
    assert 0 < rating.volatility < 1
