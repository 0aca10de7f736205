"""Results on standard output, as JSON or as text that fits the terminal, and notes on standard error."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

import click

from mineproof.base.words import wrap_text

if TYPE_CHECKING:
    from rich.console import Console

PROSE_MAX_COLUMNS = 100
_TRAILING_BLANKS = re.compile(r" +((?:\x1b\[[0-9;]*m)*)$", re.MULTILINE)  # tables fill their lines up with them

Document = Mapping[str, Any]
_collector: ContextVar[Callable[[Document], None] | None] = ContextVar("_collector", default=None)


def print_json(document: Document) -> None:
    """Print one line of JSON, or pass the document to the collector of several results."""
    collect = _collector.get()
    if collect is None:
        click.echo(json.dumps(document))
    else:
        collect(document)


def is_collected() -> bool:
    """Does a collector take documents, instead of having them printed?"""
    return _collector.get() is not None


@contextmanager
def collecting_json(collect: Callable[[Document], None]) -> Iterator[None]:
    """Pass documents to a collector in this block, instead of printing them."""
    token = _collector.set(collect)
    try:
        yield
    finally:
        _collector.reset(token)


def note(text: str) -> None:
    """Print a note on standard error, folded between words on a terminal."""
    lines = f"mineproof: {text}".split("\n")
    if sys.stderr.isatty():
        lines = [piece for line in lines for piece in wrap_text(line, terminal_width())]
    click.echo("\n".join(lines), err=True)


def terminal_width() -> int:
    """Columns of the terminal: COLUMNS if it is set, and 80 without a terminal."""
    return shutil.get_terminal_size().columns


def terminal_height() -> int:
    """Lines of the terminal on standard output, or a very large number if it is not a terminal."""
    return shutil.get_terminal_size().lines if sys.stdout.isatty() else sys.maxsize


def fold(text: str, width: int, indent: int = 0) -> list[str]:
    """Break prose into lines of readable length, with room for an indent before each."""
    return wrap_text(text, min(width, PROSE_MAX_COLUMNS) - indent)


@contextmanager
def drawing(color: str) -> Iterator[Console]:
    """A console to draw on, printed in one piece at the end of the block."""
    from rich.console import Console

    colored = color == "always" or (color == "auto" and _is_color_terminal())
    buffer = io.StringIO()
    yield Console(
        file=buffer,
        width=terminal_width(),
        force_terminal=colored,
        color_system="auto" if colored else None,
        no_color=not colored,
        highlight=False,
        markup=False,
        emoji=False,
    )
    click.echo(_TRAILING_BLANKS.sub(r"\1", buffer.getvalue()), nl=False, color=True)


def _is_color_terminal() -> bool:
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")
