"""Sequential reading of bytes. Every error names the offset, what was expected and what was there.

A length stated in a file is compared with the remaining bytes before anything is allocated, so a wrong length costs no
memory.
"""

from __future__ import annotations

from mineproof.base.words import plural
from mineproof.board.notation import quote
from mineproof.errors import BoardSyntaxError

MAX_TEXT_BYTES = 64 << 10


def fault(offset: int, message: str) -> BoardSyntaxError:
    """Return an error about the byte at an offset, which counts from 0."""
    return BoardSyntaxError(f"offset {offset}: {message}")


class ByteCursor:
    """A position in some bytes, with an end. Numbers are big-endian."""

    def __init__(self, data: bytes, at: int = 0, end: int | None = None) -> None:
        self.data, self.at, self.end = data, at, len(data) if end is None else end

    @property
    def left(self) -> int:
        """Number of bytes up to the end."""
        return self.end - self.at

    def fault(self, message: str, back: int = 0) -> BoardSyntaxError:
        """Return an error about the next byte, or about the byte ``back`` bytes before it."""
        return fault(self.at - back, message)

    def require(self, count: int, what: str) -> None:
        """Raise an error unless ``count`` bytes are left; ``what`` names their content."""
        if count > self.left:
            raise self.fault(f"expected {plural(count, 'byte')} for {what}, got {self.left:,} up to the end")

    def take(self, count: int, what: str) -> bytes:
        """Read ``count`` bytes."""
        self.require(count, what)
        self.at += count
        return self.data[self.at - count : self.at]

    def number(self, size: int, what: str) -> int:
        """Read a number of ``size`` bytes."""
        return int.from_bytes(self.take(size, what), "big")

    def number_in(self, size: int, what: str, values: range | tuple[int, ...], description: str) -> int:
        """Read a number that must be one of ``values``; ``description`` lists them in the error message."""
        number = self.number(size, what)
        if number not in values:
            raise self.fault(f"expected {description} as {what}, got {number}", size)
        return number

    def counted_text(self, size: int, what: str) -> bytes:
        """Read a text after its length, which is a number of ``size`` bytes."""
        return self.take(self.number(size, f"the length of {what}"), what)

    def zero_ended_text(self, what: str) -> bytes:
        """Read a text up to a zero byte."""
        stop = self.data.find(0, self.at, min(self.end, self.at + MAX_TEXT_BYTES))
        if stop < 0:
            most = min(self.left, MAX_TEXT_BYTES)
            raise self.fault(f"expected a zero byte at the end of {what}, got {plural(most, 'byte')} without one")
        text = self.data[self.at : stop]
        self.at = stop + 1
        return text

    def section(self, size: int, what: str) -> ByteCursor:
        """Return a cursor for the next ``size`` bytes, and skip them."""
        self.require(size, what)
        self.at += size
        return ByteCursor(self.data, self.at - size, self.at)

    def expect(self, expected: bytes, what: str) -> None:
        """Read bytes that must be ``expected``."""
        actual = self.take(len(expected), what)
        if actual != expected:
            raise self.fault(f"expected {what}, got {quote(repr(actual)[1:])}", len(expected))
