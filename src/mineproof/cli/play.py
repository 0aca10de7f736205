"""``mineproof play``: a game in the terminal."""

from __future__ import annotations

import dataclasses
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mineproof.base import files
from mineproof.board.geometry import TOPOLOGIES
from mineproof.board.levels import read_size
from mineproof.board.start import FIRST_CLICKS
from mineproof.errors import BoardSyntaxError
from mineproof.game import autosave
from mineproof.game.rules import FAIRNESSES

if TYPE_CHECKING:
    from mineproof.tui.settings import Settings


def _size(text: str) -> str:
    """A level or WxHxM, as it was written."""
    try:
        read_size(text)
    except BoardSyntaxError as error:
        raise click.BadParameter(str(error)) from None
    return text.strip()


@click.command("play")
@click.argument("size", type=_size, required=False)
@click.option("--first-click", type=click.Choice(FIRST_CLICKS),
              help="The first click: any may be a mine, safe never is, open has none next to it either.")  # fmt: skip
@click.option("--fairness", type=click.Choice(FAIRNESSES),
              help="Guesses that never lose: none, forced, all (kind); strict: needless ones always do.")  # fmt: skip
@click.option("--no-guess/--guess", "no_guess", default=None, help="Boards made to need no guess, or any.")
@click.option("--topology", type=click.Choice(TOPOLOGIES), help="Shape of the board.")
@click.option("--seed", type=click.IntRange(0, 2**64 - 1), metavar="S",
              help="Seed of the first new board, the next one having S + 1, and so on.  [default: random]")  # fmt: skip
@click.option("--new", "fresh", is_flag=True, help="Begin a new game even if one is unfinished.")
@click.option("--save", "path", type=click.Path(dir_okay=False, path_type=Path), metavar="PATH",
              help="The file that holds the game, instead of the usual one.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, hidden=True)
def command(size: str | None, seed: int | None, fresh: bool, path: Path | None, as_json: bool, **rules: Any) -> int:
    """Play Minesweeper in the terminal, with keyboard or mouse; ? tells the keys.

    SIZE is beginner, beginner8, intermediate, expert or WIDTHxHEIGHTxMINES. What is not given is as last time.

    Every move is saved at once. An unfinished game goes on when play is started again, however it ended, unless --new
    is given; what is asked for then holds from the next game on. A finished game stays in its file until the next one
    has its first move.

    \b
    Examples:
      mineproof play
      mineproof play expert --fairness forced
      mineproof play 30x16x130 --no-guess --new
    """
    if as_json:
        raise click.UsageError("play is for people and has no JSON; 'hint --json' and 'analyze --json' answer programs")
    _check_textual()
    _check_terminal()
    return _play(_settings(size, rules), path or autosave.default_path(), seed, fresh)


def _check_textual() -> None:
    try:
        import textual as textual
    except ImportError as error:
        raise click.UsageError(f"play needs Textual ({error}): pip install textual, or in a clone: make play") from None


def _check_terminal() -> None:
    """Textual draws on standard error, but whoever sends the output elsewhere does not expect a game."""
    for name, stream in (("input", sys.stdin), ("output", sys.stdout), ("error", sys.stderr)):
        if stream is None or not stream.isatty():
            raise click.UsageError(f"play needs a terminal, and standard {name} is none")


def _settings(size: str | None, rules: dict[str, Any]) -> Settings:
    """The settings of last time with what is asked for now, which is remembered."""
    from mineproof.tui import settings

    last = settings.load()
    given = {name: value for name, value in {"size": size, **rules}.items() if value is not None}
    asked = dataclasses.replace(last, **given)
    if asked != last:
        settings.keep(asked)
    return asked


def _play(settings: Settings, path: Path, seed: int | None, fresh: bool) -> int:
    from mineproof.tui.app import Play
    from mineproof.tui.session import Session

    try:
        with files.claim(path):
            app = Play(Session(settings, path, seed=seed, fresh=fresh))
            status = app.run()
    except BlockingIOError:
        taken = f"the game in {path} is being played already; --save PATH plays into another file"
        raise click.UsageError(taken) from None
    return (app.return_code or 0) if status is None else status  # none is returned when the app has failed
