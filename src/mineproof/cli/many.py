"""Many boards in one call: several BOARD arguments, or ``--lines``, one position a line.

Several  BOARD after BOARD, in the order given, each under a line with its name; with --json each document has the name
         as its ``source``. What is wrong with one board is told, and the next one is taken.
Lines    Lines are read as they come in, handed to processes in batches, and answered in order: line k of the output is
         about line k of the input. The command itself answers, as with --json; its documents are taken, not printed.
Status   The highest of all.
Cost     A process takes half a second to start, so none is started for what is done by then. Batches grow until one
         takes `LONG_ENOUGH`, so that handing them over costs little; what is held at a time does not grow with the
         input.
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
from mineproof.cli.input import Line
from mineproof.errors import BoardSyntaxError, BudgetExceeded, MineproofError

LONGEST = 16 << 20  # bytes of a line: a board of a million cells takes a few in any format
PIECE = 1 << 16  # bytes to read at a time
HEAD_START = 0.5  # seconds of work before processes are started
LONG_ENOUGH, TOO_LONG = 0.02, 0.1  # seconds of a batch
MOST_LINES = 256  # of a batch

Options = Mapping[str, Any]
Command = Callable[..., int | None]
Refusal = Callable[[Options], str | None]  # why options go with a single board only


def takes_boards(function: Command, *, refuse: Refusal | None = None, metavar: str = "[BOARD]...") -> Command:
    """Give a command BOARD, as often as one likes; it is called with ``board`` for each, and None for none."""

    @click.argument("boards", nargs=-1, metavar=metavar)
    @functools.wraps(function)
    def command(boards: tuple[str, ...], **options: Any) -> int | None:
        if len(boards) < 2:
            return function(board=boards[0] if boards else None, **options)
        if refuse is not None and (reason := refuse(options)) is not None:
            raise click.UsageError(f"{reason}, and {len(boards)} boards were given")
        return max(_answer_one(function, place, board, options) for place, board in enumerate(boards))

    return command


def takes_boards_or_lines(function: Command, *, refuse: Refusal | None = None) -> Command:
    """The same, and --lines; it needs --json, and to print one document then."""
    several = takes_boards(function, refuse=refuse)

    @_lines_option
    @_threads_option
    @functools.wraps(several)
    def command(boards: tuple[str, ...], lines: bool, threads: int | None, **options: Any) -> int | None:
        if lines:
            if refuse is not None and (reason := refuse(options)) is not None:
                raise click.UsageError(f"{reason}, and --lines is for many")
            return _answer_lines(function.__module__, boards, threads, options)
        if threads is not None:
            raise click.UsageError("--threads goes with --lines")
        return several(boards=boards, **options)

    mine = command.__dict__["__click_params__"]  # the first in help are the last in here
    mine[:] = [*mine[-2:], *mine[:-2]]
    return command


_lines_option = click.option(
    "--lines", is_flag=True, help="BOARD is a file of boards, or standard input: one a line in, one JSON a line out."
)
_threads_option = click.option(
    "--threads", type=click.IntRange(1, 1024), metavar="N",
    help="With --lines: processes, which change nothing but the time.  [default: one a processor]",
)  # fmt: skip


# several boards


def _answer_one(function: Command, place: int, board: str, options: Options) -> int:
    """Answer about one of several; its exit status."""
    name, as_json = "standard input" if board == "-" else board, bool(options.get("as_json"))
    if not as_json:
        click.echo(("\n" if place else "") + f"==> {name} <==")
    try:
        with output.taking_json(lambda document: click.echo(json.dumps({"source": name, **document}))):
            return function(board=board, **options) or 0
    except (MineproofError, click.ClickException, OSError) as error:
        if isinstance(error, OSError) and error.filename is None:  # of writing the answer, not of reading a board
            raise
        return failure.report_one(error, name, as_json=as_json)


# one a line


class _Answers(NamedTuple):
    """What came of a batch."""

    text: str
    status: int
    lines: int
    size: int  # bytes of its lines
    seconds: float


@dataclass(frozen=True)
class _Batch:
    """Some lines, to be answered by a process that knows nothing else."""

    module: str  # of the command
    options: Options
    first: int  # number of the first line
    lines: tuple[bytes, ...]

    def __call__(self, budget: Budget) -> _Answers:
        began = time.monotonic()
        sys.set_int_max_str_digits(0)
        command: click.Command = import_module(self.module).command
        assert command.callback is not None
        answer = functools.partial(command.callback, **self.options, lines=False, threads=None)
        taken: list[output.Document] = []
        status = 0
        with click.Context(command).scope(), output.taking_json(taken.append), progress.watched(budget.cancelled):
            for number, line in enumerate(self.lines, self.first):
                budget.stop_if_asked()
                try:
                    status = max(status, answer(boards=(_board(line),)) or 0)
                except BudgetExceeded as error:
                    if error.limit == "cancelled":
                        raise
                    status = max(status, _fail(error, number, taken))
                except (MineproofError, click.ClickException) as error:
                    status = max(status, _fail(error, number, taken))
        assert len(taken) == len(self.lines), "a line, a document"
        text = "".join(f"{json.dumps(document)}\n" for document in taken)
        return _Answers(text, status, len(taken), sum(map(len, self.lines)) + len(taken), time.monotonic() - began)


def _board(line: bytes) -> Line:
    if len(line) > LONGEST:
        raise BoardSyntaxError(f"found more than {LONGEST:,} bytes in a line, so nothing after it is read", line=1)
    try:
        return Line(line.decode("utf-8").removesuffix("\r"))
    except UnicodeDecodeError as error:
        raise BoardSyntaxError("found bytes that are not UTF-8 text", line=1, column=error.start + 1) from None


def _fail(error: MineproofError | click.ClickException, number: int, taken: list[output.Document]) -> int:
    document, status = failure.line_document(error, number)
    taken.append(document)
    return status


def _answer_lines(module: str, boards: tuple[str, ...], threads: int | None, options: Options) -> int:
    """Answer line after line; the exit status."""
    if len(boards) > 1:
        raise click.UsageError(f"--lines reads one file, or standard input; found {len(boards)}: join them with cat")
    status = 0
    with _opened(boards[0] if boards else None) as (stream, size), progress.counting(size) as tell:
        batches = _Batches(module, {**options, "as_json": True}, _Reader(stream))
        with closing(_answered(iter(batches), threads)) as found:
            for answers in found:
                click.echo(answers.text, nl=False)
                tell(answers.lines, answers.size)
                batches.learn(answers)
                status = max(status, answers.status)
    return status


@contextmanager
def _opened(name: str | None) -> Iterator[tuple[BinaryIO, int | None]]:
    """What to read, and its size, if that is known."""
    if name is None or name == "-":
        if sys.stdin is None or (name is None and sys.stdin.isatty()):
            raise click.UsageError("a file of boards is missing, one a line; or - to type them in")
        yield sys.stdin.buffer, None
        return
    try:
        stream = Path(name).open("rb")  # noqa: SIM115 (closed below)
    except OSError as error:
        raise click.UsageError(f"{name}: {error.strerror}; --lines takes a file of boards, one a line") from None
    with stream:
        yield stream, os.fstat(stream.fileno()).st_size or None


def _answered(batches: Iterator[_Batch | None], threads: int | None) -> Generator[_Answers, None, None]:
    """What comes of each batch, in order: here at first, then by processes."""
    from mineproof.base.processors import processors
    from mineproof.generation.workers import in_order

    count, worked = threads or processors(), 0.0
    for batch in batches:
        if batch is None:
            continue
        if count > 1 and worked > HEAD_START:
            yield from in_order(chain([batch], batches), count, Budget(), processes=True)
            return
        answers = batch(Budget())
        worked += answers.seconds
        yield answers


class _Batches:
    """Lines in batches of a size that is learned. None is a batch that is not there yet, while others are under way."""

    def __init__(self, module: str, options: Options, reader: _Reader) -> None:
        self._make = functools.partial(_Batch, module, options)
        self._reader = reader
        self._most = 1

    def learn(self, answers: _Answers) -> None:
        """The next batches are longer if this one was short."""
        if answers.seconds < LONG_ENOUGH and answers.lines >= self._most:
            self._most = min(2 * self._most, MOST_LINES)
        elif answers.seconds > TOO_LONG:
            self._most = max(self._most // 2, 1)

    def __iter__(self) -> Iterator[_Batch | None]:
        number, under_way = 1, 0
        while (lines := self._reader.read()) is not None:
            while lines:
                batch = tuple(lines.popleft() for _ in range(min(self._most, len(lines))))
                yield self._make(number, batch)
                number, under_way = number + len(batch), under_way + 1
            while under_way and not self._reader.is_ready():
                yield None
                under_way -= 1


class _Reader:
    """Whole lines, as soon as they are there."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._rest = b""
        self._is_over = False

    def is_ready(self) -> bool:
        """Reading does not wait. Where that cannot be told (not by Windows, of a pipe), it is said to be so."""
        try:
            return bool(select.select([self._stream], [], [], 0)[0])
        except (OSError, ValueError):
            return True

    def read(self) -> deque[bytes] | None:
        """Some lines, none if the next one is not whole yet; None at the end."""
        if self._is_over:
            return None
        piece: bytes = self._stream.read1(PIECE)  # type: ignore[attr-defined]
        if not piece:
            self._is_over = True
            return deque([self._rest] if self._rest else [])
        *whole, self._rest = (self._rest + piece).split(b"\n")
        long = next((place for place, line in enumerate([*whole, self._rest]) if len(line) > LONGEST), None)
        if long is not None:
            whole = [*whole, self._rest][: long + 1]
            self._is_over = True
        return deque(whole)
