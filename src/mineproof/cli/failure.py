"""How a run ends that has no answer: one place where an error becomes words, or JSON, and an exit status."""

from __future__ import annotations

import errno
import json

import click

from mineproof.base import files
from mineproof.cli.output import note
from mineproof.errors import STATUS, BoardSyntaxError, BudgetExceeded, MineproofError, error_json

USAGE, INTERRUPTED = 2, 130

_OF_WRITING = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)

KINDS = (MineproofError, click.ClickException, click.Abort, OSError)


def report(error: BaseException, *, as_json: bool) -> int:
    """Tell what went wrong on stderr; the exit status."""
    document, status = _document(error)
    if as_json:
        click.echo(json.dumps(document), err=True)
    else:
        note(_words(error, document))
    return status


def report_one(error: BaseException, name: str, *, as_json: bool) -> int:
    """Tell what went wrong with one board of several; its exit status. JSON stands in the place of its answer."""
    document, status = _document(error)
    if as_json:
        click.echo(json.dumps({"source": name} | document | {"source": name}))
    else:
        words = _words(error, document)
        is_named = getattr(error, "source", None) or words.startswith(f"{name}: ") or repr(name) in words
        note(words if is_named else f"{name}: {words}")
    return status


def line_document(error: BaseException, number: int) -> tuple[dict[str, object], int]:
    """What went wrong with one line of many, as it stands in the place of its answer; its exit status."""
    document, status = _document(error)
    if isinstance(error, BoardSyntaxError) and error.line == 1:  # every board is one line here
        document["message"] = str(document["message"]).replace("line 1", f"line {number}", 1)
    return {**document, "line": number}, status


def _document(error: BaseException) -> tuple[dict[str, object], int]:
    match error:
        case MineproofError():
            return error.as_json(), STATUS[error.code].exit
        case click.Abort():
            return error_json("interrupted", "interrupted"), INTERRUPTED
        case click.ClickException():
            return error_json("usage", error.format_message()), USAGE
        case OSError():
            return error_json("file", _about_file(error)), USAGE
        case _:
            return error_json("usage", str(error)), USAGE


def _about_file(error: OSError) -> str:
    """Which file, and what is the matter with it; of all that is written, only answers have no file of their own."""
    words = files.reason(error)
    return f"standard output: {words}" if error.filename is None and error.errno in _OF_WRITING else words


def _shown(name: str) -> str:
    """The name of a file, which may hold what would move the cursor of a terminal."""
    return name if name.isprintable() else repr(name)


def _words(error: BaseException, document: dict[str, object]) -> str:
    """The message, and what a person at a terminal may do about it."""
    message = document["message"]
    match error:
        case BoardSyntaxError(source=str(source)):
            return f"{_shown(source)}: {message}"
        case BudgetExceeded(limit="seconds"):
            return f"{message}\n--budget SECONDS allows more"
        case BudgetExceeded(limit="states"):
            return f"{message}\n--states N allows more"
        case click.UsageError(ctx=click.Context() as context):
            return f"{message}\nTry '{context.command_path} --help'."
        case _:
            return str(message)
