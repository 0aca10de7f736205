"""Names of strategies that are programs: ``exec:COMMAND``, or ``exec@SECONDS/SECONDS:COMMAND`` with time limits."""

from __future__ import annotations

import re
import shlex
from typing import NamedTuple

DEFAULT_MOVE_SECONDS, DEFAULT_GAME_SECONDS = 10.0, 600.0

_NAME = re.compile(r"exec(?:@(\d{1,6}(?:\.\d{1,3})?)(?:/(\d{1,6}(?:\.\d{1,3})?))?)?:(.+)", re.ASCII | re.DOTALL)
FORM = "exec:COMMAND, exec@SECONDS:COMMAND or exec@SECONDS/SECONDS:COMMAND"


class BotCommand(NamedTuple):
    """What to run, and how long it may take for a move and for all moves of a game."""

    words: tuple[str, ...]
    move_seconds: float
    game_seconds: float


def is_bot(name: object) -> bool:
    """Return whether this is the name of a strategy that is a program."""
    return isinstance(name, str) and re.match(r"exec[@:]", name) is not None


def parse_bot(name: str) -> BotCommand:
    """Return the command and the limits in a name; ValueError if it has another form.

    >>> parse_bot("exec@2/60:python3 bot.py")
    BotCommand(words=('python3', 'bot.py'), move_seconds=2.0, game_seconds=60.0)
    """
    match = _NAME.fullmatch(name)
    try:
        words = tuple(shlex.split(match[3])) if match else ()
    except ValueError:  # a quotation mark is missing
        words = ()
    if match is None or not words:
        raise ValueError(f"strategy must be {FORM}, got {name!r}")
    move = float(match[1]) if match[1] else DEFAULT_MOVE_SECONDS
    game = float(match[2]) if match[2] else max(DEFAULT_GAME_SECONDS, move)
    if not 0 < move <= game:
        raise ValueError(f"strategy must have a limit above 0 for a move, and at least that for a game, got {name!r}")
    return BotCommand(words, move, game)
