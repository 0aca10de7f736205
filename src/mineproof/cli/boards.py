"""Many boards in one call: several BOARD arguments, or ``--lines``, one position a line.

Several  The boards are answered in the order given, each under a line with its name; with --json each document has
         the name as its ``source``. An error in one board is reported, and the next one follows.
Lines    Lines are read as they arrive, processed in batches and answered in order: line k of the output is about line k
         of the input. The command itself answers, as with --json; its documents are collected, not printed.
Status   The highest of all.
Cost     A process takes half a second to start, so none is started for less work. Batches grow until one takes
         `BATCH_SECONDS`, so that passing them on costs little. Memory does not grow with the input.
"""

from __future__ import annotations

import functools
import json
import os
import select
import sys
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import click

from mineproof.base.budget import Budget
from mineproof.cli import failure, output, progress
from mineproof.cli.input import BoardLine
from mineproof.cli.options import lines_threads_option
from mineproof.errors import BoardSyntaxError, BudgetExceeded, MineproofError
from mineproof.wording.catalogue import language, use_language

LINE_MAX_BYTES = 16 << 20  # a board of a million cells takes a few in any format
READ_BYTES = 1 << 16  # at a time
SECONDS_BEFORE_PROCESSES = 0.5  # of work before processes are started
BATCH_SECONDS, BATCH_MAX_SECONDS = 0.02, 0.1
BATCH_MAX_LINES = 256

Options = Mapping[str, Any]
Command = Callable[..., int | None]
Refusal = Callable[[Options], str | None]  # why some options need a single board


def takes_boards(function: Command, *, refuse: Refusal | None = None, metavar: str = "[BOARD]...") -> Command:
    """Give a command any number of BOARD arguments; it is called once for each, with None if there are none."""

    @click.argument("boards", nargs=-1, metavar=metavar)
    @functools.wraps(function)
    def command(boards: tuple[str, ...], **options: Any) -> int | None:
        if len(boards) < 2:
            return function(board=boards[0] if boards else None, **options)
        if refuse is not None and (reason := refuse(options)) is not None:
            raise click.UsageError(f"{reason}, got {len(boards)} boards")
        return max(_answer_one(function, place, board, options) for place, board in enumerate(boards))

    return command


def takes_boards_or_lines(function: Command, *, refuse: Refusal | None = None) -> Command:
    """Like `takes_boards`, with --lines; the command must have --json and then print one document."""
    several = takes_boards(function, refuse=refuse)

    @_lines_option
    @lines_threads_option
    @functools.wraps(several)
    def command(boards: tuple[str, ...], lines: bool, threads: int | None, **options: Any) -> int | None:
        if lines:
            if refuse is not None and (reason := refuse(options)) is not None:
                raise click.UsageError(f"{reason}, so it cannot be combined with --lines")
            return _answer_lines(function.__module__, boards, threads, options)
        if threads is not None:
            raise click.UsageError("--threads needs --lines")
        return several(boards=boards, **options)

    parameters = command.__dict__["__click_params__"]  # the first in the help is the last in this list
    parameters[:] = [*parameters[-2:], *parameters[:-2]]
    return command


_lines_option = click.option(
    "--lines",
    is_flag=True,
    help="Read one board per line from a file or standard input; print one JSON document per line.",
)


# several boards


def _answer_one(function: Command, place: int, board: str, options: Options) -> int:
    """Run a command on one of several boards, and return its exit status."""
    name, as_json = "standard input" if board == "-" else board, bool(options.get("as_json"))
    if not as_json:
        click.echo(("\n" if place else "") + f"==> {name} <==")
    try:
        with output.collecting_json(lambda document: click.echo(json.dumps({"source": name, **document}))):
            return function(board=board, **options) or 0
    except (MineproofError, click.ClickException, OSError) as error:
        if isinstance(error, OSError) and error.filename is None:  # of writing the result, not of reading
            raise
        return failure.report_one(error, name, as_json=as_json)


# one board per line


class _BatchResult(NamedTuple):
    """The output of a batch."""

    text: str
    status: int
    lines: int
    size: int  # bytes of its lines
    seconds: float


@dataclass(frozen=True)
class _Batch:
    """Some lines, with everything that a process needs to answer them."""

    module: str  # of the command
    options: Options
    language: str
    first: int  # number of the first line
    lines: tuple[bytes, ...]

    def __call__(self, stop: Callable[[], bool] = bool) -> _BatchResult:
        started = time.monotonic()
        sys.set_int_max_str_digits(0)
        command: click.Command = import_module(self.module).command
        assert command.callback is not None
        answer = functools.partial(command.callback, **self.options, lines=False, threads=None)
        documents: list[output.Document] = []
        status = 0
        with (
            click.Context(command).scope(), use_language(self.language), output.collecting_json(documents.append),
            progress.supervisor(stop),
        ):  # fmt: skip
            for number, line in enumerate(self.lines, self.first):
                Budget(cancelled=stop).raise_if_cancelled()
                try:
                    status = max(status, answer(boards=(_decode_line(line),)) or 0)
                except BudgetExceeded as error:
                    if error.limit == "cancelled":
                        raise
                    status = max(status, _fail(error, number, documents))
                except (MineproofError, click.ClickException) as error:
                    status = max(status, _fail(error, number, documents))
        assert len(documents) == len(self.lines), "one document per line"
        text = "".join(f"{json.dumps(document)}\n" for document in documents)
        size = sum(map(len, self.lines)) + len(documents)
        return _BatchResult(text, status, len(documents), size, time.monotonic() - started)


def _decode_line(line: bytes) -> BoardLine:
    if len(line) > LINE_MAX_BYTES:
        raise BoardSyntaxError(
            f"expected at most {LINE_MAX_BYTES:,} bytes in a line; lines after it are not read", line=1
        )
    try:
        return BoardLine(line.decode("utf-8").removesuffix("\r"))
    except UnicodeDecodeError as error:
        raise BoardSyntaxError("expected UTF-8 text, got other bytes", line=1, column=error.start + 1) from None


def _fail(error: MineproofError | click.ClickException, number: int, documents: list[output.Document]) -> int:
    document, status = failure.line_document(error, number)
    documents.append(document)
    return status


def _answer_lines(module: str, boards: tuple[str, ...], threads: int | None, options: Options) -> int:
    """Answer line after line, and return the exit status."""
    if len(boards) > 1:
        raise click.UsageError(f"--lines reads one file, got {len(boards)}. Join the files with cat.")
    status = 0
    with _open_lines(boards[0] if boards else None) as (stream, size), progress.lines_bar(size) as advance:
        batches = _Batches(module, {**options, "as_json": True}, language(), _Reader(stream))
        with closing(_run_batches(iter(batches), threads)) as results:
            for result in results:
                click.echo(result.text, nl=False)
                advance(result.lines, result.size)
                batches.learn(result)
                status = max(status, result.status)
    return status


@contextmanager
def _open_lines(name: str | None) -> Iterator[tuple[BinaryIO, int | None]]:
    """The stream to read, and its size in bytes, if known."""
    if name is None or name == "-":
        if sys.stdin is None or (name is None and sys.stdin.isatty()):
            raise click.UsageError("BOARD is missing. Pass a file with one board per line, or - for standard input.")
        yield sys.stdin.buffer, None
        return
    with Path(name).open("rb") as stream:
        yield stream, os.fstat(stream.fileno()).st_size or None


def _run_batches(batches: Iterator[_Batch | None], threads: int | None) -> Generator[_BatchResult, None, None]:
    """Yield the result of each batch in order: computed here at first, then by processes."""
    from mineproof.base.processors import processors
    from mineproof.base.work import in_order

    count, seconds = threads or processors(), 0.0
    for batch in batches:
        if batch is None:
            continue
        if count > 1 and seconds > SECONDS_BEFORE_PROCESSES:
            yield from in_order(chain([batch], batches), count, processes=True)
            return
        result = batch()
        seconds += result.seconds
        yield result


class _Batches:
    """Lines in batches of a size that is learned. None means that no line has arrived while others are in progress."""

    def __init__(self, module: str, options: Options, language: str, reader: _Reader) -> None:
        self._make = functools.partial(_Batch, module, options, language)
        self._reader = reader
        self._most = 1

    def learn(self, result: _BatchResult) -> None:
        """Make the next batches longer if this one was quick, and shorter if it was slow."""
        if result.seconds < BATCH_SECONDS and result.lines >= self._most:
            self._most = min(2 * self._most, BATCH_MAX_LINES)
        elif result.seconds > BATCH_MAX_SECONDS:
            self._most = max(self._most // 2, 1)

    def __iter__(self) -> Iterator[_Batch | None]:
        number, in_progress = 1, 0
        while (lines := self._reader.read()) is not None:
            while lines:
                batch = tuple(lines.popleft() for _ in range(min(self._most, len(lines))))
                yield self._make(number, batch)
                number, in_progress = number + len(batch), in_progress + 1
            while in_progress and not self._reader.is_ready():
                yield None
                in_progress -= 1


class _Reader:
    """Whole lines of a stream, as soon as they arrive."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._rest = b""
        self._is_over = False

    def is_ready(self) -> bool:
        """Can the stream be read without waiting? True if the system does not know (Windows, for pipes)."""
        try:
            return bool(select.select([self._stream], [], [], 0)[0])
        except (OSError, ValueError):
            return True

    def read(self) -> deque[bytes] | None:
        """Return some lines, none if the next one is not complete yet, or None at the end."""
        if self._is_over:
            return None
        piece: bytes = self._stream.read1(READ_BYTES)  # type: ignore[attr-defined]
        if not piece:
            self._is_over = True
            return deque([self._rest] if self._rest else [])
        *whole, self._rest = (self._rest + piece).split(b"\n")
        long = next((place for place, line in enumerate([*whole, self._rest]) if len(line) > LINE_MAX_BYTES), None)
        if long is not None:
            whole = [*whole, self._rest][: long + 1]
            self._is_over = True
        return deque(whole)
