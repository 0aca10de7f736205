"""Errors of commands: the one place where an error becomes a message, or JSON, and an exit status."""

from __future__ import annotations

import errno
import json
import re
from pathlib import Path

import click

from mineproof.base import files
from mineproof.cli.output import note
from mineproof.errors import STATUS, BoardSyntaxError, BudgetExceeded, ErrorJson, MineproofError, error_json

USAGE, OUT_OF_MEMORY, INTERRUPTED = 2, 6, 130

_LIKE_A_BOARD = re.compile(r"-[-0-9#.F~/]*")  # click names only the first letter of an option with one dash
_WRITE_ERRORS = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)

_OUT_OF_MEMORY_TEXT = "Out of memory. Try a smaller board, fewer threads or a lower --states N."

# Arguments of the library in its errors, with the options that set them.
_OPTIONS = {"`total_mines`": "--mines N", "`start=(row, column)`": "--start R,C"}

REPORTED_ERRORS = (MineproofError, click.ClickException, click.Abort, MemoryError, OSError)


def report(error: BaseException, *, as_json: bool) -> int:
    """Print an error on stderr and return the exit status."""
    document, status = _document(error)
    if as_json:
        click.echo(json.dumps(document), err=True)
    else:
        note(_message(error, document))
    return status


def report_one(error: BaseException, name: str, *, as_json: bool) -> int:
    """Print the error of one board or file of several on stderr, with its name, and return its exit status."""
    document, status = _document(error)
    if as_json:
        click.echo(json.dumps({"source": name} | document | {"source": name}), err=True)
    else:
        message = _message(error, document)
        same_name = str(Path(name))  # an error of the system names ./x.txt as x.txt
        is_named = getattr(error, "source", None) or message.startswith((f"{name}: ", f"{same_name}: "))
        is_named = is_named or repr(name) in message
        note(message if is_named else f"{name}: {message}")
    return status


def line_document(error: BaseException, number: int) -> tuple[ErrorJson, int]:
    """Return the error of one line of many, which is printed in place of a result, and its exit status."""
    document, status = _document(error)
    if isinstance(error, BoardSyntaxError) and error.line == 1:  # every board is one line here
        document["message"] = document["message"].replace("line 1", f"line {number}", 1)
    return document | {"line": number}, status


def usage_error(error: Exception) -> click.UsageError:
    """Return a library error about an argument as an error about the option.

    ``games must be`` becomes ``--games must be``, and ``no_guess=True`` becomes ``--no-guess``.
    """
    context = click.get_current_context(silent=True)
    message = str(error)
    for param in () if context is None else context.command.params:
        if isinstance(param, click.Option) and param.name is not None:
            option = max(param.opts, key=len)
            argument = rf"(?<![-\w])(?:{param.name}|{option.lstrip('-').replace('-', '_')})"
            message = re.sub(rf"{argument}(?= must\b)|{argument}=True\b", option, message)
            message = re.sub(rf"{argument}=", f"{option} ", message)
    return click.UsageError(message)


def _name_options(message: str) -> str:
    """Replace the arguments of the library that a message names by options."""
    for argument, option in _OPTIONS.items():
        message = message.replace(argument, option)
    return message


def status_of(error: BaseException) -> int:
    """The exit status of an error."""
    return _document(error)[1]


def _document(error: BaseException) -> tuple[ErrorJson, int]:
    match error:
        case MineproofError():
            document = error.as_json()
            return document | {"message": _name_options(document["message"])}, STATUS[error.code].exit
        case click.Abort():
            return error_json("interrupted", "interrupted"), INTERRUPTED
        case click.ClickException():
            return error_json("usage", error.format_message()), USAGE
        case MemoryError() | OSError(errno=errno.ENOMEM):
            return error_json("memory", _OUT_OF_MEMORY_TEXT), OUT_OF_MEMORY
        case OSError():
            return error_json("file", _file_message(error)), USAGE
        case _:
            return error_json("usage", str(error)), USAGE


def _file_message(error: OSError) -> str:
    """Name the file and what is wrong. An error of writing without a file name is about standard output."""
    reason = files.reason(error)
    return f"standard output: {reason}" if error.filename is None and error.errno in _WRITE_ERRORS else reason


def _message(error: BaseException, document: ErrorJson) -> str:
    """Return the message, and what the user can do about it."""
    message = document["message"]
    match error:
        case BoardSyntaxError(source=str(source)):
            return f"{files.printable_name(source)}: {message}"
        case BudgetExceeded(limit="seconds"):
            return f"{message}\nUse --budget SECONDS to allow more."
        case BudgetExceeded(limit="states"):
            return f"{message}\nUse --states N to allow more."
        case click.NoSuchOption(ctx=click.Context() as context) if _LIKE_A_BOARD.fullmatch(error.option_name):
            return f"{message}\nIf this is a board, write -- before it.\nTry '{context.command_path} --help'."
        case click.UsageError(ctx=click.Context() as context):
            return f"{message}\nTry '{context.command_path} --help'."
        case _:
            return str(message)
