"""``mineproof convert``: from any readable format to any writable one."""

from __future__ import annotations

import dataclasses
import json
import sys
from functools import partial
from pathlib import Path

import click

from mineproof import formats
from mineproof.board.board import Board
from mineproof.board.cells import Cell
from mineproof.cli import options, output, output_files
from mineproof.cli.boards import Options, takes_boards
from mineproof.cli.input import BoardFile, BoardSource, takes_source
from mineproof.cli.parameters import Choice
from mineproof.cli.tables import table
from mineproof.errors import BoardSyntaxError
from mineproof.formats.replays.reader import read_game
from mineproof.formats.replays.writer import write_replay
from mineproof.formats.table import BINARY, GAME_WRITERS, REPLAYS, WRITABLE
from mineproof.game.layout import Layout
from mineproof.wording.catalogue import message, plural

TABLE_MIN_COLUMNS = 76  # on a narrower terminal each format is a paragraph
_SUFFIXES = {suffix: name for name in WRITABLE for suffix in formats.FORMATS[name].suffixes}


def _reason_for_one(options: Options) -> str | None:
    if options["path"] is not None:
        return "-o FILE needs a single board"
    return f"--to {options['to']} needs -o FILE and a single board" if options["to"] in BINARY else None


@click.command("convert")
@partial(takes_boards, refuse=_reason_for_one)
@takes_source
@click.option(
    "--to",
    type=Choice(WRITABLE),
    metavar="NAME",
    help="Format to write. --list lists the formats.  [default: by the suffix of -o FILE]",
)
@options.output_file_option(type=click.Path(dir_okay=False, path_type=Path))
@options.force_option
@options.start_option("the start that a layout names")
@click.option("--list", "list_formats", is_flag=True, help="List the formats and exit.")
@options.as_json_option
def command(
    source: BoardSource,
    to: str | None,
    path: Path | None,
    force: bool,
    start: Cell | None,
    list_formats: bool,
    as_json: bool,
) -> None:
    """Write a position, a layout or a game in another format.

    The format of BOARD is recognised by its content and printed on standard error. If the new format cannot store
    something, the conversion fails: nothing is dropped. A position cannot become a layout, because its mines are
    unknown. Of a replay or a finished game, evf and rawvf store the whole game, other formats store the layout.

    --json means --to json, and with --list it prints the list as JSON.

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
    board = source.read_file()  # first, because a missing file matters more than a missing --to
    name = _target_format(to, path, as_json)
    content, note = (None, "") if start is not None else _convert_game(board, name)
    if content is None:
        content, note = _convert_board(board.reading, name, start)
    if not as_json:
        read_as = message("cli-convert-read-as", format=board.reading.format, note=note)
        output.note("; ".join([read_as, *board.reading.notes]))
    if as_json and output.is_collected():
        output.print_json(json.loads(content))
    else:
        _deliver(content, name, path, force)


def _convert_game(board: BoardFile, name: str) -> tuple[str | bytes | None, str]:
    """Write a replay or a finished game in a format that stores games; None if it is not one."""
    reading = board.reading
    if name not in GAME_WRITERS or not (reading.format in REPLAYS or reading.layout is not None):
        return None, ""
    try:
        game = read_game(board.data, board.name)
    except BoardSyntaxError as error:
        if reading.format == "json":  # other JSON of ours, with a position in it
            return None, ""
        error.source = board.name
        raise
    if not game.record.moves or not (game.record.over or game.recording is not None):
        return None, ""
    return write_replay(game, name), plural("cli-convert-game", len(game.record.moves))


def _convert_board(reading: formats.FormatReading, name: str, start: Cell | None) -> tuple[str | bytes, str]:
    needs_mines = formats.FORMATS[name].holds == "layout" or start is not None
    value, note = reading.value, reading.note
    if needs_mines and reading.layout is not None:
        value = reading.layout
        note = message("cli-convert-mines", kind=note.partition(":")[0])
    return formats.write(value if start is None else _with_start(value, start), name), note


def _with_start(value: Board | Layout, start: Cell) -> Layout:
    if isinstance(value, Board):
        raise click.UsageError("--start needs a layout, got a position")
    return dataclasses.replace(value, start=start)


def _target_format(to: str | None, path: Path | None, as_json: bool) -> str:
    if to is None and not as_json and path is not None:
        to = _SUFFIXES.get(path.suffix.lower())
    if as_json and to not in (None, "json"):
        raise click.UsageError(f"--json cannot be combined with --to {to}")
    if to is None and not as_json:
        if path is not None and path.suffix:
            raise click.UsageError(f"The suffix of {path} names no format. Add --to, one of {', '.join(WRITABLE)}.")
        raise click.UsageError(f"--to is missing. Choose one of {', '.join(WRITABLE)}.")
    return to or "json"


def _deliver(content: str | bytes, name: str, path: Path | None, force: bool) -> None:
    data = content if isinstance(content, bytes) else f"{content}\n".encode()
    if path is not None:
        output_files.write(path, data, force=force)
        return
    if isinstance(content, bytes) and sys.stdout.isatty():
        raise click.UsageError(f"{name} is a binary format. Use -o FILE to write it to a file.")
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def _print_formats(as_json: bool) -> None:
    if as_json:
        output.print_json(formats.formats_json())
        return
    wide = output.terminal_width() >= TABLE_MIN_COLUMNS
    rows = table(("", "left"), ("", "left"), ("", "left"), ("", "left"), heads=False)
    with output.drawing("never") as console:
        for row in formats.FORMATS.values():
            access = message("cli-convert-read-write") if row.writes else message("cli-convert-read-only")
            if wide:
                rows.add_row(row.name, row.holds, access, row.description)
            else:
                console.print(f"{row.name}  {row.holds}  {access}")
                for line in output.fold(row.description, console.width, indent=4):
                    console.print(f"    {line}")
        if wide:
            console.print(rows)
