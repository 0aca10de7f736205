"""The board as a widget: two or three characters a cell, rulers that stay in view, and a cursor that is followed.

It draws line by line (Textual's line API) and keeps the lines it has drawn, so that a board of 100 × 100 costs what is
in view of it. A cell is a gap and a sign; brackets in the gaps show the cursor, parentheses what a hint speaks of.
Odds take two characters: with three a cell, if there is room, a gap stays between them; with two, only cells next to a
number show theirs.
"""

from __future__ import annotations

from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from mineproof.board.cells import Cell
from mineproof.tui.marks import CURSOR, RULER, RULER_HERE, RULER_TENTH, USED, View

NARROW, WIDE = 2, 3  # characters a cell, and where odds are shown and there is room
HEAD = 1  # lines of the ruler above


class Grid(ScrollView, can_focus=True, inherit_bindings=False):
    """Shows a `View`, and tells where it was clicked and what the keys that move the cursor do."""

    ALLOW_SELECT = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1, 0)", show=False),
        Binding("down", "move(1, 0)", show=False),
        Binding("left", "move(0, -1)", show=False),
        Binding("right", "move(0, 1)", show=False),
        Binding("home", "row_end(-1)", show=False),
        Binding("end", "row_end(1)", show=False),
        Binding("pageup", "page(-1)", show=False),
        Binding("pagedown", "page(1)", show=False),
        Binding("ctrl+home", "corner(-1)", show=False),
        Binding("ctrl+end", "corner(1)", show=False),
    ]

    class Clicked(Message):
        """A button of the mouse was pressed and released on a cell."""

        def __init__(self, cell: Cell, button: int) -> None:
            super().__init__()
            self.cell, self.button = cell, button

    class Moved(Message):
        """The cursor is somewhere else."""

    def __init__(self, view: View, cursor: Cell) -> None:
        super().__init__()
        self._view = view
        self._lines: dict[int, list[Segment]] = {}
        self._width = NARROW
        self._placed = False  # has there been room to put the cursor in the middle of?
        self.cursor = cursor

    # what is shown

    @property
    def view(self) -> View:
        return self._view

    def show(self, view: View, cursor: Cell | None = None) -> None:
        """Draw another view; a cursor that is given, or no longer on the board, is moved."""
        width, before = self._width, self._before
        self._view = view
        self._lines.clear()
        self._measure()
        if self._width != width:  # keep the cursor where it is on the screen
            self.scroll_to(max(0, before + self.cursor[1] * (self._width - width)), animate=False)
        self.refresh()
        self.go(self.cursor if cursor is None else cursor)

    def go(self, cell: Cell) -> None:
        """Put the cursor on a cell, or as close to it as the board has one, and bring it into view."""
        board = self._view.board
        row, column = min(max(cell[0], 0), board.rows - 1), min(max(cell[1], 0), board.columns - 1)
        before, self.cursor = self.cursor, (row, column)
        self._follow(self.cursor)
        for line in {0, HEAD + before[0] - self._above, HEAD + row - self._above}:
            self._refresh_line_in_view(line)
        if before != self.cursor:
            self.post_message(self.Moved())

    def go_first(self, cell: Cell) -> None:
        """Put the cursor on a cell of a new board, and the cell in the middle of what is in view."""
        self.go(cell)
        self._centre()

    def bring_into_view(self, cell: Cell) -> None:
        """Scroll to a cell that the cursor is not on."""
        self._follow(cell)

    def on_mount(self) -> None:
        self._measure()

    def on_resize(self) -> None:
        self._lines.clear()
        self._measure()
        if self._placed:
            self._follow(self.cursor)
        else:
            self._placed = True
            self._centre()

    # moving

    def action_move(self, down: int, right: int) -> None:
        """One cell on; across the border where the board is joined to itself."""
        row, column = self.cursor[0] + down, self.cursor[1] + right
        if self._view.board.topology == "torus":
            row, column = row % self._view.board.rows, column % self._view.board.columns
        self.go((row, column))

    def action_row_end(self, side: int) -> None:
        self.go((self.cursor[0], side * self._view.board.columns))

    def action_page(self, down: int) -> None:
        self.go((self.cursor[0] + down * max(1, self._rows_in_view), self.cursor[1]))

    def action_corner(self, side: int) -> None:
        self.go((side * self._view.board.rows, side * self._view.board.columns))

    def on_click(self, event: events.Click) -> None:
        cell = self.cell_at(event.x, event.y)
        if cell is not None:
            self.go(cell)
            self.post_message(self.Clicked(cell, 3 if event.ctrl else event.button))

    # geometry: places on the screen count from the top left of the widget

    def cell_at(self, x: int, y: int) -> Cell | None:
        """The cell drawn at a place on the screen."""
        board = self._view.board
        line, across = y - self._top - HEAD, x - self._left - self._label
        if line < 0 or not 0 <= across < self._room:
            return None
        row = line + self._above
        column = (across + self._before - self._shift(row)) // self._width
        inside = 0 <= row < board.rows and 0 <= column < board.columns
        return (row, column) if inside else None

    def place_of(self, cell: Cell) -> tuple[int, int]:
        """Where the sign of a cell that is in view ends: (x, y)."""
        row, column = cell
        x = self._left + self._label + self._width * (column + 1) - 1 + self._shift(row) - self._before
        return x, self._top + HEAD + row - self._above

    @property
    def _label(self) -> int:
        """Characters of the ruler on the left."""
        return len(str(self._view.board.rows - 1)) + 1

    @property
    def _span(self) -> int:
        """Characters of a row: the cells, a last gap, and half a cell where every other row is shifted."""
        return self._span_of(self._width)

    def _span_of(self, width: int) -> int:
        board = self._view.board
        return width * board.columns + 1 + (board.topology == "hex")

    @property
    def _left(self) -> int:
        return max(0, (self.size.width - self._label - self._span) // 2)

    @property
    def _top(self) -> int:
        return max(0, (self.size.height - HEAD - self._view.board.rows) // 2)

    @property
    def _before(self) -> int:
        """Characters of a row that are scrolled away to the left: whole cells."""
        return -(-self.scroll_offset.x // self._width) * self._width

    @property
    def _above(self) -> int:
        """Rows that are scrolled away."""
        return self.scroll_offset.y

    @property
    def _rows_in_view(self) -> int:
        return self.size.height - HEAD

    @property
    def _room(self) -> int:
        """Characters of a row that are in view: whole cells, unless it is all of them."""
        room = max(0, self.size.width - self._left - self._label)
        return room if self._before + room >= self._span else room - room % self._width

    def _shift(self, row: int) -> int:
        """How far a row stands to the right: hexagons lie between those above."""
        return row % 2 if self._view.board.topology == "hex" else 0

    def _measure(self) -> None:
        room = self.size.width - self._label
        # A board that has to be scrolled in any case may as well be read.
        readable = self._span_of(WIDE) <= room or self._span_of(NARROW) > room
        self._width = WIDE if self._view.shows_odds and readable else NARROW
        self.virtual_size = Size(self._label + self._span, HEAD + self._view.board.rows)

    def _follow(self, cell: Cell) -> None:
        """Scroll no further than it takes to see a cell with its brackets, and a cell more where there is one."""
        row, column = cell
        width = self._width
        across = _slid(self._before, width * column, width + 2, self.size.width - self._label, width)
        down = _slid(self._above, row, 1, self._rows_in_view, 1)
        if (across, down) != (self._before, self._above):
            self.scroll_to(across, down, animate=False)

    def _centre(self) -> None:
        """Scroll so that the cursor is in the middle, as far as the board goes on there."""
        row, column = self.cursor
        across = (column - (self.size.width - self._label) // self._width // 2) * self._width
        self.scroll_to(max(0, across), max(0, row - self._rows_in_view // 2), animate=False)

    def _refresh_line_in_view(self, line: int) -> None:
        if 0 <= line < self.size.height:
            self.refresh_line(self._top + line + self._above)

    # drawing

    def render_line(self, y: int) -> Strip:
        line = y - self._top
        if not 0 <= line < HEAD + self._view.board.rows - self._above:
            return Strip.blank(self.size.width, self.rich_style)
        if line < HEAD:
            label, row = self._label_segment(None), Strip(self._ruler())
        else:
            at = line - HEAD + self._above
            label, row = self._label_segment(at), Strip(self._row(at))
        shown = row.crop(self._before, self._before + self._room)
        strip = Strip([Segment(" " * self._left), label, *shown])
        return strip.adjust_cell_length(self.size.width).apply_style(self.rich_style)

    def _label_segment(self, row: int | None) -> Segment:
        if row is None:
            return Segment(" " * self._label)
        return Segment(f"{row:{self._label - 1}} ", RULER_HERE if row == self.cursor[0] else RULER)

    def _ruler(self) -> list[Segment]:
        """The last digit of every column in view, and the whole number of every tenth; that of the cursor stands out.

        A number that fills a cell, or more, takes the place of those before it. Where it would be cut off by the end of
        the view, or hide that of the cursor, its last digit stands for it.
        """
        width, here = self._width, self.cursor[1]
        first = self._before // width
        columns = range(first, min(self._view.board.columns, first + -(-self._room // width)))
        signs, styles = [" "] * (width * len(columns)), [RULER] * (width * len(columns))

        cursor = width * (here - first + 1) - 1  # where its digit is
        for column in columns:
            end = width * (column - first + 1)
            text = str(column) if column % 10 == 0 else str(column % 10)
            if len(text) > end or end - len(text) - 1 <= cursor < end - 1:
                text = text[-1]
            start = end - len(text)
            blank = max(0, start - 1)
            signs[blank:end] = [" "] * (start - blank) + [*text]
            styles[start:end] = [self._ruler_style(column)] * len(text)
        segments = [Segment(" " * (width * first))]
        return segments + [Segment(sign, style) for sign, style in zip(signs, styles, strict=True)]

    def _ruler_style(self, column: int) -> Style:
        return RULER_HERE if column == self.cursor[1] else RULER_TENTH if column % 10 == 0 else RULER

    def _row(self, row: int) -> list[Segment]:
        if row == self.cursor[0]:
            return self._draw(row, self.cursor[1])
        if row not in self._lines:
            self._lines[row] = self._draw(row, None)
        return self._lines[row]

    def _draw(self, row: int, cursor: int | None) -> list[Segment]:
        view, columns, room = self._view, self._view.board.columns, self._width - 1
        marks = [view.mark((row, column), narrow=room < WIDE - 1) for column in range(columns)]
        used = [(row, column) in view.used for column in range(columns)]
        segments = [Segment(" " * self._shift(row))]
        before, bracket = False, False  # was the cell on the left used, and does its bracket wait to be closed?
        for column, (mark, here) in enumerate(zip(marks, used, strict=True)):
            gap = "]" if bracket else " " if before == here else "(" if here else ")"
            style = USED if here else mark.style
            sign = mark.sign.rjust(room)
            bracket = column == cursor and len(sign) == room
            if bracket:
                segments += [Segment("[", style), Segment(sign, style + CURSOR)]
            else:  # odds in a narrow cell leave no room for what stands in the gap
                text = sign if len(sign) > room else gap + sign
                segments.append(Segment(text, style + CURSOR if column == cursor else style))
            before = here
        segments.append(Segment("]" if bracket else ")" if before else " "))
        return segments


def _slid(offset: int, place: int, length: int, room: int, margin: int) -> int:
    """The offset closest to the present one with which a stretch is in view, with some margin if there is room."""
    if room < length + 2 * margin:
        margin = 0
    most = max(0, place - margin)
    least = max(0, place + length + margin - room)
    return min(max(offset, least), max(most, least))
