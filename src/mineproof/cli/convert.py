"""``mineproof convert``: from any format that can be read to any that can be written."""

from __future__ import annotations

import dataclasses
import json
import sys
from functools import partial
from pathlib import Path

import click

from mineproof import formats
from mineproof.base.words import plural
from mineproof.board.board import Board
from mineproof.board.cells import Cell
from mineproof.cli import output, writing
from mineproof.cli.input import Source, Whole, cell, takes_source
from mineproof.cli.many import Options, takes_boards
from mineproof.cli.tables import table
from mineproof.errors import BoardSyntaxError
from mineproof.game.layout import Layout
from mineproof.replays.reading import read_game
from mineproof.replays.writing import WRITERS, write_replay

WIDE = 76  # columns from which on there is room for a table
_WRITABLE = [row.name for row in formats.FORMATS.values() if row.writes]
_BINARY = [row.name for row in formats.FORMATS.values() if row.read_text is None]
_REPLAYS = ("avf", "evf", "mvf", "rawvf", "rmv")
_SUFFIXES = {".abf": "mbf"} | {f".{name}": name for name in ("evf", "json", "mbf", "mine", "rawvf")}


def _alone(options: Options) -> str | None:
    if options["path"] is not None:
        return "-o FILE holds one board"
    return f"{options['to']} is not text: it takes -o FILE, for one board" if options["to"] in _BINARY else None


@click.command("convert")
@partial(takes_boards, refuse=_alone)
@takes_source
@click.option("--to", type=click.Choice(_WRITABLE), metavar="NAME", help="Format to write; --list names them.")
@click.option("-o", "--output", "path", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
              help="Write to a file instead of standard output.")  # fmt: skip
@writing.force_option
@click.option("--start", type=cell, metavar="R,C", help="First click of a layout, where its format names none.")
@click.option("--list", "list_formats", is_flag=True, help="List the formats and do nothing else.")
@click.option("--json", "as_json", is_flag=True, help="Same as --to json; with --list, the list; errors too.")
def command(
    source: Source,
    to: str | None,
    path: Path | None,
    force: bool,
    start: Cell | None,
    list_formats: bool,
    as_json: bool,
) -> None:
    """Write a position, a layout or a game in another format.

    The format of BOARD is recognised by its content, and named on standard error. What the other format cannot hold is
    refused, never dropped; a position does not become a layout, since it does not say where the mines are. Of a replay
    or a finished game evf and rawvf hold all of it, the others the layout. Without --to, the ending of -o FILE decides.

    \b
    Examples:
      mineproof convert '1#/##' --mines 1 --to jsminesweeper
      mineproof convert 'b=32&m=60' -o small.mbf
      mineproof convert replay.avf -o replay.evf
      mineproof convert --list
    """
    if list_formats:
        _print_formats(as_json)
        return
    name = _target(to, path, as_json)
    whole = source.read_whole()
    written, note = (None, "") if start is not None else _game(whole, name)
    if written is None:
        written, note = _board(whole.reading, name, start)
    if not as_json:
        output.note(f"read as {whole.reading.format}: {note}")
    if as_json and output.is_taken():
        output.print_json(json.loads(written))
    else:
        _deliver(written, name, path, force)


def _game(whole: Whole, name: str) -> tuple[str | bytes | None, str]:
    """The game of a replay, or of a saved game that is over, in a format that holds games; else nothing."""
    reading = whole.reading
    if name not in WRITERS or not (reading.format in _REPLAYS or reading.layout is not None):
        return None, ""
    try:
        game = read_game(whole.data, whole.name)
    except BoardSyntaxError as error:
        if reading.format == "json":  # a position inside of other JSON of ours
            return None, ""
        error.source = whole.name
        raise
    if not game.record.moves or not (game.record.over or game.recording is not None):
        return None, ""
    return write_replay(game, name), f"a game of {plural(len(game.record.moves), 'move')}"


def _board(reading: formats.Reading, name: str, start: Cell | None) -> tuple[str | bytes, str]:
    wants_mines = formats.FORMATS[name].holds == "layout" or start is not None
    value, note = reading.value, reading.note
    if wants_mines and reading.layout is not None:
        value, note = reading.layout, f"{note.partition(':')[0]}: where its mines are"
    return formats.write(value if start is None else _started(value, start), name), note


def _started(value: Board | Layout, start: Cell) -> Layout:
    if isinstance(value, Board):
        raise click.UsageError("--start is for layouts, and this is a position")
    return dataclasses.replace(value, start=start)


def _target(to: str | None, path: Path | None, as_json: bool) -> str:
    if to is None and not as_json and path is not None:
        to = _SUFFIXES.get(path.suffix.lower())
    if as_json and to not in (None, "json"):
        raise click.UsageError(f"--json is --to json, and --to {to} is something else")
    if to is None and not as_json:
        raise click.UsageError(f"--to is missing: one of {', '.join(_WRITABLE)}")
    return to or "json"


def _deliver(written: str | bytes, name: str, path: Path | None, force: bool) -> None:
    data = written if isinstance(written, bytes) else f"{written}\n".encode()
    if path is not None:
        writing.write(path, data, force=force)
        return
    if isinstance(written, bytes) and sys.stdout.isatty():
        raise click.UsageError(f"{name} is not text, and this is a terminal: write it to a file with -o FILE")
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def _print_formats(as_json: bool) -> None:
    if as_json:
        output.print_json(formats.formats_json())
        return
    wide = output.terminal_width() >= WIDE
    rows = table(("", "left"), ("", "left"), ("", "left"), ("", "left"), heads=False)
    with output.drawing("never") as console:
        for row in formats.FORMATS.values():
            ways = "read, write" if row.writes else "read"
            if wide:
                rows.add_row(row.name, row.holds, ways, row.description)
            else:
                console.print(f"{row.name}  {row.holds}  {ways}")
                for line in output.folded(row.description, console.width, indent=4):
                    console.print(f"    {line}")
        if wide:
            console.print(rows)
