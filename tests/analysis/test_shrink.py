"""Shrinking proofs: the rest still holds, none of it can be left out, and few checks are needed."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from itertools import count, pairwise

import pytest

from mineproof.analysis.shrink import shrink

Holds = Callable[[Sequence[int]], bool]


def is_subsequence(part: Sequence[int], whole: Sequence[int]) -> bool:
    rest = iter(whole)
    return all(item in rest for item in part)


def some_of(*ways: set[int]) -> Holds:
    """True of whatever has all items of one of the ways: more items never spoil it."""
    return lambda items: any(way <= set(items) for way in ways)


def check_minimal(items: Sequence[int], holds: Holds) -> list[int]:
    result = shrink(items, holds)
    assert holds(result)
    assert is_subsequence(result, items)
    for place in range(len(result)):
        assert not holds(result[:place] + result[place + 1 :]), f"{result[place]} can be spared"
    return result


# by hand


def test_all_are_needed_or_none() -> None:
    assert shrink([3, 1, 2], lambda items: len(items) == 3) == [3, 1, 2]
    assert shrink([3, 1, 2], lambda _: True) == []
    assert shrink([], lambda _: True) == []
    assert shrink([1], lambda items: 1 in items) == [1]


def test_the_front_is_tried_first() -> None:
    """Any two will do, so those at the end are left."""
    assert shrink(range(8), lambda items: len(items) >= 2) == [6, 7]
    assert shrink("abcabc", lambda items: {"a", "b"} <= set(items)) == ["a", "b"]


def test_what_is_given_is_not_changed() -> None:
    items = [5, 4, 3, 2, 1]
    assert shrink(items, lambda part: 4 in part) == [4]
    assert items == [5, 4, 3, 2, 1]


# at random


@pytest.mark.parametrize("seed", range(200))
def test_the_very_subset_that_is_needed(seed: int) -> None:
    rng = random.Random(seed)
    items = rng.sample(range(1000), rng.randint(0, 60))
    needed = set(rng.sample(items, rng.randint(0, len(items))))
    assert shrink(items, some_of(needed)) == [item for item in items if item in needed]


@pytest.mark.parametrize("seed", range(200))
def test_where_several_subsets_would_do(seed: int) -> None:
    rng = random.Random(seed)
    items = rng.sample(range(1000), rng.randint(1, 60))
    ways = [set(rng.sample(items, rng.randint(1, min(8, len(items))))) for _ in range(rng.randint(1, 5))]
    assert set(check_minimal(items, some_of(*ways))) in ways


@pytest.mark.parametrize("seed", range(100))
def test_sums_that_are_large_enough(seed: int) -> None:
    """Items that can stand in for each other, and are equal now and then."""
    rng = random.Random(seed)
    items = [rng.randint(1, 20) for _ in range(rng.randint(1, 40))]
    goal = rng.randint(0, sum(items))
    check_minimal(items, lambda part: sum(part) >= goal)


# time that is up


@pytest.mark.parametrize("seed", range(60))
def test_whoever_gives_up_gets_a_larger_part(seed: int) -> None:
    """A predicate that says no from some question on: the part still holds, and shrinks with the questions allowed."""
    rng = random.Random(seed)
    items = rng.sample(range(1000), rng.randint(1, 40))
    holds = some_of(*(set(rng.sample(items, rng.randint(1, min(6, len(items))))) for _ in range(3)))

    def within(patience: int) -> list[int]:
        questions = count()
        return shrink(items, lambda part: next(questions) < patience and holds(part))

    best = shrink(items, holds)
    parts = [within(patience) for patience in range(4 * len(items) + 1)]
    assert parts[0] == items
    assert parts[-1] == best
    for larger, smaller in pairwise(parts):
        assert is_subsequence(smaller, larger)
    assert all(holds(part) and is_subsequence(best, part) for part in parts)


# cost


@pytest.mark.parametrize("size", [10, 100, 1000, 10_000])
@pytest.mark.parametrize("needed", [0, 1, 2, 5])
def test_few_questions_find_few_reasons(size: int, needed: int) -> None:
    rng = random.Random(size + needed)
    for _ in range(10):
        asked = 0
        wanted = set(rng.sample(range(size), needed))

        def holds(part: Sequence[int], wanted: set[int] = wanted) -> bool:
            nonlocal asked
            asked += 1
            return wanted <= set(part)

        assert shrink(range(size), holds) == sorted(wanted)
        assert asked <= 1 + 2 * (needed + 1) * (math.log2(size) + 2)
