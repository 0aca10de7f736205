"""Tables by rich: plain columns two blanks apart, and entries that break between two pieces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from mineproof.wording.catalogue import plural

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions
    from rich.measure import Measurement
    from rich.table import Table
    from rich.text import Text

Side = Literal["left", "right"]
Column = tuple[str, Side] | tuple[str, Side, int]  # its head, the alignment of its entries, its least width


def table(*columns: Column, heads: bool = True) -> Table:
    """An empty table."""
    from rich.table import Table

    empty = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim", show_header=heads)
    for head, side, *least in columns:
        empty.add_column(head, justify=side, no_wrap=side == "right", min_width=least[0] if least else None)
    return empty


@dataclass(frozen=True, slots=True)
class Flow:
    """Pieces of text in as many lines as needed, or in ``most_lines`` and a note on how many more there are."""

    pieces: Sequence[str]
    between: str = " "
    most_lines: int | None = None
    indent: int = 0  # of all lines but the first

    def lines(self, width: int) -> list[str]:
        """Each at most ``width`` characters long, or of one piece."""
        lines = list(self._fill_lines(width))
        # One more line takes no more room than the note.
        if self.most_lines is not None and len(lines) > self.most_lines + 1:
            rest = sum(count for count, _ in lines[self.most_lines :])
            lines[self.most_lines :] = [(rest, plural("cli-and-more", rest))]
        return [line for _, line in lines]

    def _fill_lines(self, width: int) -> Iterator[tuple[int, str]]:
        """Lines with the number of pieces in each."""
        line, count, indent = "", 0, ""
        for number, piece in enumerate(self.pieces):
            shown = piece + (self.between.rstrip() if number < len(self.pieces) - 1 else "")
            gap = self.between[len(self.between.rstrip()) :] if count else ""
            if count and len(line) + len(gap) + len(shown) > width:
                yield count, line
                indent, gap = " " * self.indent, ""
                line, count = indent, 0
            line, count = line + gap + shown, count + 1
        yield count, line

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        from rich.text import Text

        yield from (Text(line, no_wrap=True, overflow="ignore") for line in self.lines(options.max_width))

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        from rich.measure import Measurement

        longest = max(map(len, self.pieces), default=0) + len(self.between.rstrip())
        whole = sum(map(len, self.pieces)) + len(self.between) * (len(self.pieces) - 1)
        return Measurement(min(longest, options.max_width), max(min(whole, options.max_width), 1))
