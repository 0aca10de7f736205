"""The board as a widget: two or three characters a cell, a ruler that stays in view, and scrolling with the cursor.

The widget draws line by line (Textual's line API) and caches the lines, so that a board of 100 × 100 costs no more than
its visible part. A cell is a gap and a sign. Brackets in the gaps show the cursor, parentheses the numbers of a hint.
Odds are two digits of per cent if three characters fit into a cell, else a letter for ten per cent each. A gap always
separates them, so that a copied board can be read.

The ruler has letters for columns and numbers from 1 for rows. It disappears if the settings say so, or if the board
fits into the terminal only without it.
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
from mineproof.board.topology import topology_named
from mineproof.tui.marks import CURSOR, RULER, RULER_CURSOR, RULER_FULL, USED, View
from mineproof.wording.cells import column_label

NARROW, WIDE = 2, 3  # characters a cell; wide cells show odds where there is room
_RULER_HEIGHT = 1  # lines
_ALPHABET = 26  # columns whose labels differ in their last letter only


class BoardGrid(ScrollView, can_focus=True, inherit_bindings=False):
    """Shows a `View`, moves the cursor, and reports clicks."""

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
        """The player clicked a cell."""

        def __init__(self, cell: Cell, button: int) -> None:
            super().__init__()
            self.cell, self.button = cell, button

    class Moved(Message):
        """The cursor moved to another cell."""

    def __init__(self, view: View, cursor: Cell) -> None:
        super().__init__()
        self._view = view
        self._lines: dict[int, list[Segment]] = {}
        self._width = NARROW
        self._column_ruler = self._row_ruler = view.ruler  # is there room for them?
        self._centred = False  # there is no room to centre the cursor in before the first resize
        self.cursor = cursor

    # what is shown

    @property
    def view(self) -> View:
        return self._view

    @property
    def is_narrow(self) -> bool:
        """Is there only room for a letter in a cell?"""
        return self._width == NARROW

    def show(self, view: View, cursor: Cell | None = None) -> None:
        """Draw another view; move the cursor if a cell is given or its cell is no longer on the board."""
        width, before = self._width, self._before
        self._view = view
        self._lines.clear()
        self._measure()
        if self._width != width:  # keep the cursor where it is on the screen
            self.scroll_to(max(0, before + self.cursor[1] * (self._width - width)), animate=False)
        self.refresh()
        self.move_cursor(self.cursor if cursor is None else cursor)

    def move_cursor(self, cell: Cell) -> None:
        """Put the cursor on a cell, or on the nearest cell of the board, and bring it into view."""
        board = self._view.board
        row, column = min(max(cell[0], 0), board.rows - 1), min(max(cell[1], 0), board.columns - 1)
        before, self.cursor = self.cursor, (row, column)
        self._follow(self.cursor)
        for line in {0, self._head + before[0] - self._above, self._head + row - self._above}:
            self._refresh_line_in_view(line)
        if before != self.cursor:
            self.post_message(self.Moved())

    def centre_cursor(self, cell: Cell) -> None:
        """Put the cursor on a cell of a new board, and scroll the cell to the middle."""
        self.move_cursor(cell)
        self._centre()

    def bring_into_view(self, cell: Cell) -> None:
        """Scroll to a cell without moving the cursor."""
        self._follow(cell)

    def on_mount(self) -> None:
        self._measure()

    def on_resize(self) -> None:
        self._lines.clear()
        self._measure()
        if self._centred:
            self._follow(self.cursor)
        else:
            self._centred = True
            self._centre()

    # moving

    def action_move(self, down: int, right: int) -> None:
        """Move by one cell; on a torus, across the border; on a sphere, over places without a cell."""
        board = self._view.board
        topology = topology_named(board.topology)
        cell = self.cursor
        for _ in range(max(board.rows, board.columns)):
            cell = topology.move(cell[0] + down, cell[1] + right, board.rows, board.columns)
            if not (0 <= cell[0] < board.rows and 0 <= cell[1] < board.columns):
                return
            if board.geometry.index(cell) not in board.geometry.holes:
                self.move_cursor(cell)
                return

    def action_row_end(self, side: int) -> None:
        self.move_cursor((self.cursor[0], side * self._view.board.columns))

    def action_page(self, down: int) -> None:
        self.move_cursor((self.cursor[0] + down * max(1, self._rows_in_view), self.cursor[1]))

    def action_corner(self, side: int) -> None:
        self.move_cursor((side * self._view.board.rows, side * self._view.board.columns))

    def on_click(self, event: events.Click) -> None:
        cell = self.cell_at(event.x, event.y)
        if cell is not None:
            self.move_cursor(cell)
            self.post_message(self.Clicked(cell, 3 if event.ctrl else event.button))

    # geometry: places on the screen count from the top left corner of the widget

    def cell_at(self, x: int, y: int) -> Cell | None:
        """The cell drawn at a place on the screen."""
        board = self._view.board
        line, across = y - self._top - self._head, x - self._left - self._label
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
        return x, self._top + self._head + row - self._above

    @property
    def _label(self) -> int:
        """Characters of the ruler on the left."""
        return len(str(self._view.board.rows)) + 1 if self._row_ruler else 0

    @property
    def _head(self) -> int:
        """Lines of the ruler at the top."""
        return _RULER_HEIGHT if self._column_ruler else 0

    @property
    def _span(self) -> int:
        """Characters of a row: the cells, a last gap, and half a cell where every second row is shifted."""
        return self._span_of(self._width)

    def _span_of(self, width: int) -> int:
        board = self._view.board
        return width * board.columns + 1 + topology_named(board.topology).has_shifted_rows

    @property
    def _left(self) -> int:
        return max(0, (self.size.width - self._label - self._span) // 2)

    @property
    def _top(self) -> int:
        return max(0, (self.size.height - self._head - self._view.board.rows) // 2)

    @property
    def _before(self) -> int:
        """Characters of a row that are hidden on the left: whole cells."""
        return -(-self.scroll_offset.x // self._width) * self._width

    @property
    def _above(self) -> int:
        """Rows that are hidden at the top."""
        return self.scroll_offset.y

    @property
    def _rows_in_view(self) -> int:
        return self.size.height - self._head

    @property
    def _room(self) -> int:
        """Characters of a row that are in view: whole cells, unless the whole row is."""
        room = max(0, self.size.width - self._left - self._label)
        return room if self._before + room >= self._span else room - room % self._width

    def _shift(self, row: int) -> int:
        """How far a row is shifted to the right: hexagons lie between those above."""
        return row % 2 if topology_named(self._view.board.topology).has_shifted_rows else 0

    def _measure(self) -> None:
        board = self._view.board
        label = len(str(board.rows)) + 1
        # Without the ruler the whole board may fit; a board that has to be scrolled in any case keeps its ruler.
        fits_without = self._span_of(NARROW) <= self.size.width < self._span_of(NARROW) + label
        self._row_ruler = self._view.ruler and not fits_without
        self._column_ruler = self._view.ruler and board.rows != self.size.height
        room = self.size.width - self._label
        # A board that has to be scrolled in any case can show readable odds. Numbers above 9 need two characters.
        readable = self._span_of(WIDE) <= room or self._span_of(NARROW) > room
        is_wide = board.geometry.largest_number > 9 or (self._view.shows_odds and readable)
        self._width = WIDE if is_wide else NARROW
        self.virtual_size = Size(self._label + self._span, self._head + board.rows)

    def _follow(self, cell: Cell) -> None:
        """Scroll only as far as needed to show a cell with its brackets, and one more cell where there is one."""
        row, column = cell
        width = self._width
        across = _scroll_offset(self._before, width * column, width + 2, self.size.width - self._label, width)
        down = _scroll_offset(self._above, row, 1, self._rows_in_view, 1)
        if (across, down) != (self._before, self._above):
            self.scroll_to(across, down, animate=False)

    def _centre(self) -> None:
        """Scroll the cursor to the middle, as far as the size of the board allows."""
        row, column = self.cursor
        across = (column - (self.size.width - self._label) // self._width // 2) * self._width
        self.scroll_to(max(0, across), max(0, row - self._rows_in_view // 2), animate=False)

    def _refresh_line_in_view(self, line: int) -> None:
        if 0 <= line < self.size.height:
            self.refresh_line(self._top + line + self._above)

    # drawing

    def render_line(self, y: int) -> Strip:
        line = y - self._top
        if not 0 <= line < self._head + self._view.board.rows - self._above:
            return Strip.blank(self.size.width, self.rich_style)
        if line < self._head:
            label, row = Segment(" " * self._label), Strip(self._ruler())
        else:
            row_index = line - self._head + self._above
            label, row = self._label_segment(row_index), Strip(self._row(row_index))
        shown = row.crop(self._before, self._before + self._room)
        strip = Strip([Segment(" " * self._left), label, *shown])
        return strip.adjust_cell_length(self.size.width).apply_style(self.rich_style)

    def _label_segment(self, row: int) -> Segment:
        if not self._row_ruler:
            return Segment("")
        return Segment(f"{row + 1:{self._label - 1}} ", RULER_CURSOR if row == self.cursor[0] else RULER)

    def _ruler(self) -> list[Segment]:
        """Return the labels of the columns in view; the label of the cursor stands out.

        A label that does not fit into its cell is shortened to its last letter. Every 26th column (AA, BA, …) has the
        whole label, which takes the place of the label before it. At the left edge of the view, and right of the
        cursor, that label is shortened as well.
        """
        width, cursor = self._width, self.cursor[1]
        first = self._before // width
        columns = range(first, min(self._view.board.columns, first + -(-self._room // width)))
        signs, styles = [" "] * (width * len(columns)), [RULER] * (width * len(columns))

        cursor_end = width * (cursor - first + 1) - 1  # place of the last letter
        for column in columns:
            end = width * (column - first + 1)
            text = column_label(column)
            is_full = len(text) < width or column % _ALPHABET == 0
            if not is_full or len(text) > end or end - len(text) - 1 <= cursor_end < end - 1:
                text = text[-1]
            start = end - len(text)
            blank = max(0, start - 1)
            signs[blank:end] = [" "] * (start - blank) + [*text]
            styles[start:end] = [self._ruler_style(column)] * len(text)
        segments = [Segment(" " * (width * first))]
        return segments + [Segment(sign, style) for sign, style in zip(signs, styles, strict=True)]

    def _ruler_style(self, column: int) -> Style:
        return RULER_CURSOR if column == self.cursor[1] else RULER_FULL if column % _ALPHABET == 0 else RULER

    def _row(self, row: int) -> list[Segment]:
        if row == self.cursor[0]:
            return self._draw_row(row, self.cursor[1])
        if row not in self._lines:
            self._lines[row] = self._draw_row(row, None)
        return self._lines[row]

    def _draw_row(self, row: int, cursor: int | None) -> list[Segment]:
        view, columns, room = self._view, self._view.board.columns, self._width - 1
        marks = [view.mark((row, column), narrow=room < WIDE - 1) for column in range(columns)]
        used = [(row, column) in view.used for column in range(columns)]
        segments = [Segment(" " * self._shift(row))]
        before, bracket = False, False  # is the cell on the left used, and is its bracket still open?
        for column, (mark, here) in enumerate(zip(marks, used, strict=True)):
            gap = "]" if bracket else " " if before == here else "(" if here else ")"
            style = USED if here else mark.style
            sign = mark.sign.rjust(room)
            bracket = column == cursor
            if bracket:
                segments += [Segment("[", style), Segment(sign, style + CURSOR)]
            else:
                segments.append(Segment(gap + sign, style))
            before = here
        segments.append(Segment("]" if bracket else ")" if before else " "))
        return segments


def _scroll_offset(offset: int, place: int, length: int, room: int, margin: int) -> int:
    """Return the offset closest to the current one that shows a stretch, with some margin if there is room."""
    if room < length + 2 * margin:
        margin = 0
    most = max(0, place - margin)
    least = max(0, place + length + margin - room)
    return min(max(offset, least), max(most, least))
