"""The generator is Philox by the book and the kernel's bit for bit; dealing is uniform."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from mineproof.base.rng import CHOICES, FIRST_CLICK, REDRAWS, Random, deal, derive

Words = tuple[int, int, int, int]
ONES = 2**32 - 1


def philox(counter: Words, key: tuple[int, int]) -> Words:
    """Philox4x32-10 written down from the paper."""
    for _ in range(10):
        first, second = divmod(0xD2511F53 * counter[0], 2**32), divmod(0xCD9E8D57 * counter[2], 2**32)
        counter = second[0] ^ counter[1] ^ key[0], second[1], first[0] ^ counter[3] ^ key[1], first[1]
        key = (key[0] + 0x9E3779B9) % 2**32, (key[1] + 0xBB67AE85) % 2**32
    return counter


@pytest.mark.parametrize(
    ("counter", "key", "block"),
    [  # kat_vectors of the Random123 distribution
        ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
        ((ONES, ONES, ONES, ONES), (ONES, ONES), (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
        (
            (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
            (0xA4093822, 0x299F31D0),
            (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
        ),
    ],
)
def test_the_book_has_the_published_answers(counter: Words, key: tuple[int, int], block: Words) -> None:
    assert philox(counter, key) == block


@pytest.mark.parametrize("seed", [0, 1 << 32, 2**64 - 1, 0x123456789ABCDEF])
@pytest.mark.parametrize("stream", [0, 7, 1 << 40, 2**64 - 1])
def test_numbers_are_philox_of_seed_stream_and_position(seed: int, stream: int) -> None:
    random = Random(seed, stream)
    for position in range(20):
        a, b, c, d = philox((position, 0, stream % 2**32, stream >> 32), (seed % 2**32, seed >> 32))
        assert (random.next(), random.next()) == (a << 32 | b, c << 32 | d)


def test_the_kernel_says_the_same() -> None:
    """What a program that includes native/include/mineproof/random.hpp prints."""
    random = Random(7, 5)
    numbers = [0x356EF799E4004707, 0x6EF5B09A80B68A5D, 0x93E8B6661185ADF0, 0x3D0365AAE4F32FE2]
    assert [random.next() for _ in range(4)] == numbers
    random = Random(0x123456789ABCDEF, 1 << 40)
    bounds = (1, 2, 81, 10**6, 3 << 62, 2**64 - 1)
    below = [0, 0, 64, 989783, 9268810143275783372, 16106472501711964731]
    assert [random.below(bound) for bound in bounds] == below
    random = Random(3, 0)  # every second number is drawn again
    below = [7532312963776259047, 2473930096727597982, 2069578871757983631, 7582118347810143496]
    assert [random.below(2**63 + 1) for _ in range(4)] == below
    assert Random(1, 2).uniform() == float.fromhex("0x1.ce68099f19db8p-1")
    assert deal(Random(2026, 3), range(480), 10) == [12, 37, 113, 133, 150, 173, 194, 201, 401, 456]
    assert derive(2026, FIRST_CLICK) == 0x71163E0315AD0345


def test_purposes_have_seeds_of_their_own() -> None:
    seeds = {derive(seed, purpose) for seed in range(50) for purpose in (FIRST_CLICK, REDRAWS, CHOICES)}
    assert len(seeds) == 150
    assert derive(2**64 - 1, 0) == Random(2**64 - 1, 2**64 - 1).next()


def test_a_draw_below_a_bound_is_unbiased() -> None:
    """With a bound of 3/4 · 2**64 a plain product would hit every third value twice as often."""
    random = Random(42, 0)
    thirds = Counter(random.below(3 << 62) % 3 for _ in range(30_000))
    assert sum((count - 10_000) ** 2 / 10_000 for count in thirds.values()) < 20


@pytest.mark.slow
def test_every_set_is_dealt_equally_often() -> None:
    deals = 20_000
    seen = Counter(tuple(deal(Random(9, number), range(6), 3)) for number in range(deals))
    assert set(seen) == set(combinations(range(6), 3))
    expected = deals / 20
    assert sum((count - expected) ** 2 / expected for count in seen.values()) < 43.8  # 19 degrees, one in a thousand


def test_dealing_keeps_the_pool_and_sorts() -> None:
    cells = [(1, 1), (0, 2), (0, 0)]
    assert deal(Random(0, 0), cells, 3) == [(0, 0), (0, 2), (1, 1)]
    assert deal(Random(0, 0), cells, 0) == []
    assert cells == [(1, 1), (0, 2), (0, 0)]


def test_what_is_out_of_range() -> None:
    with pytest.raises(ValueError, match=r"seed must be from 0 to 2\*\*64 - 1, got -1"):
        Random(-1, 0)
    with pytest.raises(ValueError, match=r"stream must be from 0 to .* got 18446744073709551616"):
        Random(0, 2**64)
    with pytest.raises(ValueError, match=r"bound must be from 1 to .* got 0"):
        Random(0, 0).below(0)
    with pytest.raises(ValueError, match="count must be from 0 to 3, the number of cells, got 4"):
        deal(Random(0, 0), [1, 2, 3], 4)
