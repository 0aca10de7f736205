"""The mask comes off again, touches no bit after the last cell, and hides what it covers."""

from __future__ import annotations

import random

import pytest

from mineproof.game.mask import mask, unmask


def test_the_vectors_of_the_original() -> None:
    """Both in the comments of mines.c: 28 bits, and 50 zero bytes that need a second hash for each half."""
    assert mask(bytes.fromhex("12345670"), 28) == bytes.fromhex("07fa6500")
    masked = "b202c07b990c01f6ff2d544707f60e506019b671fcb1d8b5a210b0af913db85d37ca27f52a9f78bba3a80030db3d01d8df78"
    assert mask(bytes(50), 400) == bytes.fromhex(masked)


@pytest.mark.parametrize("cells", [1, 7, 8, 9, 16, 17, 81, 480, 999, 10_001])
def test_unmasking_undoes_masking(cells: int) -> None:
    rng = random.Random(cells)
    length, unused = -(-cells // 8), -cells % 8
    for _ in range(20):
        plain = (rng.getrandbits(cells) << unused).to_bytes(length, "big")
        masked = mask(plain, cells)
        assert unmask(masked, cells) == plain
        assert len(masked) == length
        assert masked[-1] % (1 << unused) == 0
        assert masked != plain
