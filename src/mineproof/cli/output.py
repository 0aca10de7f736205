"""How answers are written: as JSON, or as text that may have colours and fits its terminal."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rich.console import Console

WIDEST_PROSE = 100
_BLANKS_AT_THE_END = re.compile(r" +((?:\x1b\[[0-9;]*m)*)$", re.MULTILINE)  # which tables fill their lines up with

as_json_option = click.option("--json", "as_json", is_flag=True, help="Answer in JSON; errors too.")
color_option = click.option(
    "--color", type=click.Choice(["auto", "always", "never"]), default="auto", show_default=True,
    help="Colours; auto is on a terminal, unless NO_COLOR is set.",
)  # fmt: skip


Document = Mapping[str, Any]
_taker: ContextVar[Callable[[Document], None] | None] = ContextVar("_taker", default=None)


def print_json(document: Document) -> None:
    """One line of JSON; where many boards are answered, whoever puts the answers together takes it."""
    take = _taker.get()
    if take is None:
        click.echo(json.dumps(document))
    else:
        take(document)


def is_taken() -> bool:
    """Whether somebody takes documents instead of having them printed."""
    return _taker.get() is not None


@contextmanager
def taking_json(take: Callable[[Document], None]) -> Iterator[None]:
    """Within, documents are handed over instead of printed."""
    token = _taker.set(take)
    try:
        yield
    finally:
        _taker.reset(token)


def note(message: str) -> None:
    """Tell a person something that is not part of the answer; folded between words on a terminal."""
    lines = f"mineproof: {message}".split("\n")
    if sys.stderr.isatty():
        lines = [piece for line in lines for piece in textwrap.wrap(line, terminal_width())]
    click.echo("\n".join(lines), err=True)


def terminal_width() -> int:
    """Columns of the terminal; COLUMNS if that is set, 80 where there is no terminal."""
    return shutil.get_terminal_size().columns


def terminal_height() -> int:
    """Lines of the terminal that answers go to; where they go elsewhere, more than anybody needs."""
    return shutil.get_terminal_size().lines if sys.stdout.isatty() else sys.maxsize


def folded(words: str, width: int, indent: int = 0) -> list[str]:
    """Prose in lines that can be read, with room for an indent in front of each."""
    return textwrap.wrap(words, max(min(width, WIDEST_PROSE) - indent, 1), break_on_hyphens=False)


@contextmanager
def drawing(color: str) -> Iterator[Console]:
    """Something to draw on, which goes to stdout in one piece once it is finished."""
    from rich.console import Console

    colored = color == "always" or (color == "auto" and _wants_color())
    sheet = io.StringIO()
    yield Console(
        file=sheet,
        width=terminal_width(),
        force_terminal=colored,
        color_system="auto" if colored else None,
        no_color=not colored,
        highlight=False,
        markup=False,
        emoji=False,
    )
    click.echo(_BLANKS_AT_THE_END.sub(r"\1", sheet.getvalue()), nl=False, color=True)


def _wants_color() -> bool:
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")
