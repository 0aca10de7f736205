"""Bytes read one after the other: every error says at which offset, what was found and what was expected.

Nothing is taken that is not there: a length that a file tells is compared with the bytes left before anything is made
of it, so a lying file costs no memory.
"""

from __future__ import annotations

from mineproof.base.words import plural
from mineproof.board.notation import quote
from mineproof.errors import BoardSyntaxError

LONGEST_TEXT = 64 << 10  # bytes


def fault(offset: int, message: str) -> BoardSyntaxError:
    """What is wrong with a byte; offsets count from 0."""
    return BoardSyntaxError(f"offset {offset}: {message}")


class Cursor:
    """A place in some bytes, up to an end. Numbers have their high byte first."""

    def __init__(self, data: bytes, at: int = 0, end: int | None = None) -> None:
        self.data, self.at, self.end = data, at, len(data) if end is None else end

    @property
    def left(self) -> int:
        return self.end - self.at

    def fault(self, message: str, back: int = 0) -> BoardSyntaxError:
        """What is wrong with the byte that comes next, or with one ``back`` bytes before it."""
        return fault(self.at - back, message)

    def require(self, count: int, what: str) -> None:
        """Raise unless so many bytes are left; ``what`` is what they are for."""
        if count > self.left:
            raise self.fault(f"found {plural(self.left, 'byte')} up to the end, expected {count:,} for {what}")

    def take(self, count: int, what: str) -> bytes:
        self.require(count, what)
        self.at += count
        return self.data[self.at - count : self.at]

    def number(self, size: int, what: str) -> int:
        """A number of ``size`` bytes."""
        return int.from_bytes(self.take(size, what), "big")

    def known(self, size: int, what: str, values: range | tuple[int, ...], words: str) -> int:
        """A number that must be one of ``values``, which ``words`` tell."""
        found = self.number(size, what)
        if found not in values:
            raise self.fault(f"found {found} as {what}, expected {words}", size)
        return found

    def counted(self, size: int, what: str) -> bytes:
        """A text after its length, which is a number of ``size`` bytes."""
        return self.take(self.number(size, f"the length of {what}"), what)

    def ended(self, what: str) -> bytes:
        """A text up to a zero byte."""
        stop = self.data.find(0, self.at, min(self.end, self.at + LONGEST_TEXT))
        if stop < 0:
            most = min(self.left, LONGEST_TEXT)
            raise self.fault(f"found {plural(most, 'byte')} without a zero byte, expected one at the end of {what}")
        text = self.data[self.at : stop]
        self.at = stop + 1
        return text

    def section(self, size: int, what: str) -> Cursor:
        """The next bytes as a part with an end of its own."""
        self.require(size, what)
        self.at += size
        return Cursor(self.data, self.at - size, self.at)

    def expect(self, expected: bytes, what: str) -> None:
        found = self.take(len(expected), what)
        if found != expected:
            raise self.fault(f"found {quote(repr(found)[1:])}, expected {what}", len(expected))
