"""``mineproof play``: a game in the terminal, on a new board, a layout, or from a position on."""

from __future__ import annotations

import dataclasses
import re
import secrets
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mineproof.base import files
from mineproof.base.words import at, listing
from mineproof.base.words import size as size_words
from mineproof.board.board import Board, Flags
from mineproof.board.cells import ABSENT
from mineproof.board.geometry import TOPOLOGIES
from mineproof.board.levels import LEVELS, read_size
from mineproof.board.notation import quote
from mineproof.board.start import FIRST_CLICKS
from mineproof.cli.input import Source, is_file
from mineproof.errors import BoardSyntaxError, MineproofError
from mineproof.game import autosave
from mineproof.game.rules import FAIRNESSES

if TYPE_CHECKING:
    from mineproof.game.layout import Layout
    from mineproof.game.record import Kept, Record
    from mineproof.tui.session import Opening
    from mineproof.tui.settings import Settings

PATIENCE = 2.0  # seconds to wait for a game that is just being ended
REVIEW = 0.5  # seconds for the guesses of a finished game; 'history fill' makes up for what takes longer
_LIKE_A_SIZE = re.compile(r"[-+.\d]+[xX×][-+.\d]+[xX×][-+.\d]+")


@click.command("play")
@click.argument("what", metavar="[SIZE|LAYOUT]", required=False)
@click.option("--from", "position", metavar="POSITION",
              help="Go on from a position (file, text, link), with a layout drawn of all that fit.")  # fmt: skip
@click.option("--mines", type=click.IntRange(min=0), metavar="N", help="Mines of POSITION, if it does not tell.")
@click.option("--flags", type=click.Choice(["trust", "ignore"]),
              help="Flags of POSITION are mines, or may be wrong.  [default: trust]")  # fmt: skip
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
def command(
    what: str | None,
    position: str | None,
    mines: int | None,
    flags: Flags | None,
    seed: int | None,
    fresh: bool,
    path: Path | None,
    as_json: bool,
    **rules: Any,
) -> int:
    """Play Minesweeper in the terminal, with keyboard or mouse; ? tells the keys.

    SIZE is beginner, beginner8, intermediate, expert or WIDTHxHEIGHTxMINES. What is not given is as last time.

    LAYOUT is a file that exists, or whatever is not a SIZE: rows of * and ., JSON of generate, .mbf, a replay, a link
    or a game ID. It is played as it is; where it was made for a first click, that is where the cursor is. --from goes
    on from a position instead. Rules of such a game are not remembered.

    Every move is saved at once. An unfinished game goes on when play is started again, however it ended, unless --new
    is given; what is asked for then holds from the next game on. A finished game stays in its file until the next one
    has its first move.

    \b
    Examples:
      mineproof play
      mineproof play expert --fairness forced
      mineproof play 30x16x130 --no-guess --new
      mineproof play board.mbf
      mineproof play --from '1#/##' --mines 1
    """
    if as_json:
        raise click.UsageError("play is for people and has no JSON; 'hint --json' and 'analyze --json' answer programs")
    _check_options(what, position, mines, flags)
    size = None if what is None or is_file(what) else _size(what)
    opening: Opening | None = None
    if position is not None:
        opening = _from_position(Source(position, None, None, mines, rules["topology"]), flags or "trust", seed, rules)
    elif what is not None and size is None:
        opening = _from_layout(Source(what, None, None, None, rules["topology"]), rules)
    _check_textual()
    _check_terminal()
    settings = _settings(size, rules) if opening is None else _last_settings()
    return _play(settings, path or autosave.default_path(), seed, fresh, opening)


# what is to be played


def _check_options(what: str | None, position: str | None, mines: int | None, flags: str | None) -> None:
    if "-" in (what, position):
        raise click.UsageError("found - for a board, expected a file or text: standard input is the keyboard of play")
    if what is not None and position is not None:
        raise click.UsageError(f"found {quote(what)} and --from {quote(position)}, expected one of them")
    if position is None and (mines is not None or flags is not None):
        raise click.UsageError("--mines and --flags are about the POSITION of --from; a size is written as 30x16x99")


def _size(text: str) -> str | None:
    """A level or WxHxM, as it was written; nothing if it is neither, and so should be a layout."""
    try:
        read_size(text)
    except BoardSyntaxError as error:
        if _LIKE_A_SIZE.fullmatch(text.strip()):
            raise click.BadParameter(str(error), param_hint="SIZE") from None
        return None
    return text.strip()


def _from_layout(source: Source, rules: dict[str, Any]) -> Opening:
    from mineproof.tui.session import Opening

    found = _read(source)
    if isinstance(found, Board):
        raise BoardSyntaxError("found a position, expected a layout: --from POSITION goes on from a position")
    note = f"{_named(source)}: {size_words(found.rows, found.columns, found.total_mines)}, played as it is."
    if len(found.mines) == len(found.cells()):
        raise BoardSyntaxError("found a mine in every cell, expected a cell that can be opened")
    if found.start is not None:
        note += f" It is made for the first click at {at(found.start)}: the cursor is there, space opens it."
    return Opening(found, fairness=rules["fairness"] or "none", note=note + _not_counting(rules))


def _from_position(source: Source, flags: Flags, seed: int | None, rules: dict[str, Any]) -> Opening:
    from mineproof.analysis.layouts import sample_layouts
    from mineproof.game.layout import Layout
    from mineproof.tui.session import Opening

    board, _ = source.position()
    if board.total_mines is None:
        raise click.UsageError("found no number of mines in POSITION, expected --mines N")
    drawn = secrets.randbits(32) if seed is None else seed
    mines = next(iter(sample_layouts(board, 1, seed=drawn, flags=flags)))
    if board.open_cells + board.total_mines == len(board.codes) - board.count(ABSENT):
        raise BoardSyntaxError("found nothing but mines left to open, expected a position that is not won yet")
    absent = frozenset(board.cells(ABSENT))
    layout = Layout(board.rows, board.columns, mines, topology=board.topology, absent=absent)
    words = size_words(board.rows, board.columns, board.total_mines)
    note = f"Your position goes on: {words}, on a layout drawn of all that fit (--seed {drawn})."
    return Opening(layout, board, rules["fairness"] or "none", drawn, note + _not_counting(rules))


def _read(source: Source) -> Board | Layout:
    """What is written in a file or on the command line; a word that is neither is most likely a slip in a level."""
    try:
        return source.read().value
    except BoardSyntaxError:
        word = source.argument or ""
        if word.isalnum() and not is_file(word):
            levels = ", ".join(LEVELS)
            raise click.BadParameter(
                f"found {quote(word)}, expected {levels} or a size such as 30x16x99, or a file or text with a layout",
                param_hint="SIZE",
            ) from None
        raise


def _named(source: Source) -> str:
    word = source.argument or ""
    return f"The layout of {word}" if is_file(word) else "Your layout"


def _not_counting(rules: dict[str, Any]) -> str:
    """A word on options that make no sense where the mines are given."""
    given = {"first_click": "--first-click", "no_guess": "--guess" if rules["no_guess"] is False else "--no-guess"}
    ignored = [option for name, option in given.items() if rules[name] is not None]
    return f" {listing(ignored)} {'does' if len(ignored) == 1 else 'do'} not count here." if ignored else ""


# playing


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


def _last_settings() -> Settings:
    from mineproof.tui import settings

    return settings.load()


def _play(settings: Settings, path: Path, seed: int | None, fresh: bool, opening: Opening | None) -> int:
    from mineproof.tui.app import Play
    from mineproof.tui.session import Session, UnfinishedGame

    try:
        with files.claim(path, PATIENCE):
            try:
                session = Session(settings, path, seed=seed, fresh=fresh, opening=opening, on_finished=_keep)
            except UnfinishedGame:
                _ask_to_give_up(path)
                session = Session(settings, path, seed=seed, fresh=True, opening=opening, on_finished=_keep)
            app = Play(session)
            status = app.run()
    except BlockingIOError:
        taken = f"the game in {path} is being played already; --save PATH plays into another file"
        raise click.UsageError(taken) from None
    return (app.return_code or 0) if status is None else status  # none is returned when the app has failed


def _ask_to_give_up(path: Path) -> None:
    """Another game is unfinished; it is given up once the new one has its first move."""
    if not click.confirm(f"Another game is unfinished in {path}. Give it up for this one?", err=True):
        raise click.UsageError("the unfinished game is kept; --save PATH plays into another file")


def _keep(record: Record, kept: Kept) -> str:
    """Put a finished game into the history; what its player is told of that."""
    from mineproof.history.history import History

    try:
        with History.open() as history:
            game = history.add(record, help_used=kept.help.as_json(), given=kept.fixed, budget=REVIEW).game
            best = history.best_times(
                game.level, topology=game.topology, fairness=game.fairness, no_guess=game.no_guess,
                with_help=game.with_help, limit=1,
            )  # fmt: skip
    except (MineproofError, OSError) as error:
        return f" It is not in the history: {files.reason(error) if isinstance(error, OSError) else error}."
    if not best or best[0].id != game.id:
        return ""
    helped = " with help" if game.with_help else ""
    return f" The best time for {game.level}{helped}: {(game.ms or 0) / 1000:.3f} s."
