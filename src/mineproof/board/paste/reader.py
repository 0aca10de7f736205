"""Read a position from whatever was pasted: documented alphabets first, then what `pasted` understands."""

from __future__ import annotations

from dataclasses import replace

from mineproof.board import notation
from mineproof.board.cells import COVERED
from mineproof.board.notation import Grid
from mineproof.board.paste import mistakes, nestings, pictures, tables
from mineproof.board.paste.meanings import Known, Position, resolve
from mineproof.board.paste.plausibility import is_possible
from mineproof.board.paste.sheet import ADVICE, MAX_CHARACTERS, PasteNote, Sheet, Table, paste_note
from mineproof.board.paste.symbols import BOMBS, DOUBTFUL
from mineproof.board.paste.wrappers import unwrap
from mineproof.errors import BoardSyntaxError

ADVICE_FOR_PROGRAMS = "See docs/formats.md."
NOTHING_KNOWN = Known()


def read(text: str, known: Known = NOTHING_KNOWN) -> Position:
    """The position in a text, for programs; documented alphabets come before everything else."""
    try:
        grid = notation.read(text)
    except BoardSyntaxError as error:
        return _read_for_programs(text, known, error)
    return reconsider(text, grid, known)


def _read_for_programs(text: str, known: Known, refusal: BoardSyntaxError) -> Position:
    try:
        return read_pasted(text, known, refusal)
    except BoardSyntaxError as error:
        if error.advice:
            error.advise(ADVICE_FOR_PROGRAMS)
        raise


def read_pasted(text: str, known: Known = NOTHING_KNOWN, refusal: BoardSyntaxError | None = None) -> Position:
    """The position in a text that no documented alphabet reads; ``refusal`` is what the strict reader said."""
    return resolve(find_table(text, refusal), known)


def find_table(text: str, refusal: BoardSyntaxError | None = None) -> Table:
    """The rows of cells in a text, whatever they mean."""
    if len(text) > MAX_CHARACTERS:
        raise _with_advice(
            refusal or BoardSyntaxError(f"expected at most {MAX_CHARACTERS:,} characters, got {len(text):,}")
        )
    sheet = unwrap(text)
    table = _find_table(sheet) if text.strip() else None
    if table is None:
        raise _with_advice(_refusal(sheet, refusal))
    bombs = [sign for sign in BOMBS if sign in text]
    if bombs and any("F" in row for row in table.rows):
        return replace(table, notes=(*table.notes, paste_note("format-paste-bombs", symbols=tuple(bombs))))
    return table


def _refusal(sheet: Sheet, refusal: BoardSyntaxError | None) -> BoardSyntaxError:
    """The most helpful one: what the strict reader said of the whole, the first mistake, or what it said of a place."""
    if refusal is not None and refusal.line is None:
        return refusal
    return mistakes.find(sheet) or refusal or BoardSyntaxError("expected rows of cells, got none")


def _find_table(sheet: Sheet) -> Table | None:
    table = pictures.read(sheet)
    if table is None and nestings.fits(sheet):
        table = nestings.read(sheet)
    return tables.read(sheet) if table is None else table


def reconsider(text: str, grid: Grid, known: Known = NOTHING_KNOWN) -> Position:
    """A position in a documented alphabet, or the only other reading that is possible where this one is not.

    Only a reading without a covered cell is in doubt: some symbol must stand for covered cells. If any other reading is
    impossible, that is for an analysis to say.
    """
    total = known.total_mines if grid.total_mines is None else grid.total_mines
    kind = known.topology if grid.topology is None else grid.topology
    if COVERED & 0xFF in grid.codes or DOUBTFUL.keys().isdisjoint(text):
        return Position(grid, (), possible=True)
    if is_possible(grid.rows, grid.columns, grid.codes, total, kind):
        return Position(grid, _doubts(text, grid), possible=True)
    try:
        other = read_pasted(text, known)
    except BoardSyntaxError:
        other = None
    same_size = other is not None and (other.grid.rows, other.grid.columns) == (grid.rows, grid.columns)
    return other if other is not None and other.possible and same_size else Position(grid, (), possible=False)


def _doubts(text: str, grid: Grid) -> tuple[PasteNote, ...]:
    """What to say of a documented reading that a person may have meant otherwise."""
    if grid.alphabet == notation.MINEPROOF.name and "." in text:
        return (paste_note("format-paste-dots"),)
    return ()


def _with_advice(error: BoardSyntaxError) -> BoardSyntaxError:
    """The error with a sentence on what to do next."""
    error.advise(ADVICE)
    return error
