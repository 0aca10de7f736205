"""Two strategies that take turns: each has what it would have alone, also where it is broken off."""

from dataclasses import replace
from functools import partial

import pytest

import mineproof as mp
from mineproof.simulation.side_by_side import simulate_both

NAMES = ("fast", "go")
PLAY = partial(mp.simulate, 9, 9, 10, seed=3)


@pytest.mark.parametrize(("games", "first_game"), [(1, 0), (64, 0), (65, 63), (700, 5)])
def test_both_are_what_they_are_alone(games: int, first_game: int) -> None:
    messages: list[tuple[int, int]] = []
    both = simulate_both(
        PLAY, NAMES, games, first_game=first_game, progress=lambda one, other: messages.append((one.games, other.games))
    )
    assert both == tuple(PLAY(games=games, strategy=name, first_game=first_game) for name in NAMES)
    assert all(one == other < games for one, other in messages)
    assert all((first_game + one) % 64 == 0 for one, _ in messages)


@pytest.mark.parametrize("asks", range(6))
def test_broken_off_both_have_the_same_games(asks: int) -> None:
    left = asks

    def stop() -> bool:
        nonlocal left
        left -= 1
        return left < 0

    one, other = simulate_both(PLAY, NAMES, 100_000, cancelled=stop)
    assert one.games == other.games < 100_000
    assert (one.asked, other.asked) == (100_000, 100_000)
    assert mp.compare(one, other).games == one.games
    for found, name in zip((one, other), NAMES, strict=True):
        if found.games:
            assert found == replace(PLAY(games=found.games, strategy=name), asked=100_000)
        assert found.wins == int(found.won.sum())


def test_what_is_to_stop_stops_after_a_turn() -> None:
    """Also where no turn takes so long that the simulation itself would ask."""
    one, other = simulate_both(PLAY, NAMES, 100_000, cancelled=lambda: True)
    assert one.games == other.games <= 64


def test_a_strategy_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="luck"):
        simulate_both(PLAY, ("fast", "luck"), 10)
