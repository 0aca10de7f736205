"""``mineproof play``: a game in the terminal, on a new board, a layout or a position."""

from __future__ import annotations

import dataclasses
import re
import secrets
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mineproof.base import files
from mineproof.board.board import Board, Flags
from mineproof.board.cells import ABSENT
from mineproof.board.levels import LEVELS, read_size
from mineproof.board.notation import quote
from mineproof.cli import options
from mineproof.cli.input import BoardSource, is_file
from mineproof.cli.output_files import OutputFile
from mineproof.cli.parameters import Choice
from mineproof.cli.phrases import board_and_mines
from mineproof.cli.variant_options import require_alone, rules_option
from mineproof.errors import BoardSyntaxError, MineproofError
from mineproof.game import autosave
from mineproof.wording.catalogue import decimal, listing, message, plural
from mineproof.wording.cells import cell_label, use_cell_labels

if TYPE_CHECKING:
    from fractions import Fraction

    from mineproof.board.geometry import Topology
    from mineproof.board.start import FirstClick
    from mineproof.game.layout import Layout
    from mineproof.game.record import GameExtras, Record
    from mineproof.tui.session import Opening
    from mineproof.tui.settings import Settings

LOCK_SECONDS = 2.0  # to wait for a process that is just ending the same game
REVIEW_SECONDS = 0.5  # for the guesses of a finished game; 'history fill' computes those that take longer
_SIZE_LIKE = re.compile(r"[-+.\d]+[xX×][-+.\d]+[xX×][-+.\d]+")


@click.command("play")
@click.argument("what", metavar="[SIZE|LAYOUT]", required=False)
@click.option("--from", "position", metavar="POSITION",
              help="Continue a position (file, text or link). The mines are drawn from all layouts that "
              "fit.")  # fmt: skip
@options.mines_option("Number of mines of POSITION, or a percentage of its cells.  [default: as in POSITION]")
@click.option("--flags", type=Choice(["trust", "ignore"]),
              help="Treat flags as mines (trust) or as covered cells (ignore).  [default: trust]")  # fmt: skip
@options.first_click_option(None, otherwise="as in the last game")
@options.fairness_option(None, otherwise="as in the last game")
@click.option("--no-guess/--guess", "no_guess", default=None,
              help="Play boards that need no guess, or any boards.  [default: as in the last game]")  # fmt: skip
@options.topology_option(None, otherwise="as in the last game")
@rules_option
@options.seed_option("random")
@click.option("--new", "fresh", is_flag=True, help="Start a new game, even if one is unfinished.")
@click.option("--save", "path", type=OutputFile(), metavar="PATH",
              help="File to save the game in.  [default: one file per user]")  # fmt: skip
@options.hidden_json_option
def command(
    what: str | None,
    position: str | None,
    mines: int | Fraction | None,
    flags: Flags | None,
    variant_rules: str | None,
    seed: int | None,
    fresh: bool,
    path: Path | None,
    as_json: bool,
    **rules: Any,
) -> int:
    """Play Minesweeper in the terminal, with keyboard or mouse. Press ? for the keys.

    SIZE is beginner, beginner8, intermediate, expert or WIDTHxHEIGHTxMINES, by default that of the last game.

    LAYOUT is a file or text: rows of * and ., JSON of generate, .mbf, a replay, a link or a game ID. The cursor starts
    on the first click of the layout. --from continues a position instead. The rules of such a game are not remembered.
    The boards after the first one have the seeds S + 1, S + 2 and so on.

    --rules plays a variant, in a file of its own. Sizes then have at most 2,500 cells.

    Every move is saved at once. An unfinished game continues the next time, unless --new is given; other options then
    apply to the next game. A finished game stays in its file until the next game has its first move.

    \b
    Examples:
      mineproof play
      mineproof play expert --fairness forced
      mineproof play 30x16x130 --no-guess --new
      mineproof play samples/board.mbf
      mineproof play --from '1#/##' --mines 1
      mineproof play --rules liar,quad
      mineproof play --rules wall --shape hex
    """
    if as_json:
        raise click.UsageError("play has no --json. Programs can use 'hint --json' and 'analyze --json'.")
    _check_options(what, position, mines, flags)
    if variant_rules is not None:
        return _play_variant(what, variant_rules, seed, fresh, path, rules)
    size = None if what is None or is_file(what) else _size(what)
    opening: Opening | None = None
    if position is not None:
        opening = _from_position(
            BoardSource(position, None, None, mines, rules["topology"]), flags or "trust", seed, rules
        )
    elif what is not None and size is None:
        opening = _from_layout(BoardSource(what, None, None, None, rules["topology"]), rules)
    _check_textual()
    _check_terminal()
    settings = _settings(size, rules) if opening is None else _last_settings()
    return _play_terminal_game(settings, path or autosave.default_path(), seed, fresh, opening)


# the board


def _check_options(what: str | None, position: str | None, mines: object, flags: str | None) -> None:
    if "-" in (what, position):
        raise click.UsageError("Pass a file or text instead of -: standard input is the keyboard of play.")
    if what is not None and position is not None:
        raise click.UsageError(f"Pass {quote(what)} or --from {quote(position)}, not both.")
    if position is None and (mines is not None or flags is not None):
        raise click.UsageError("--mines and --flags need --from POSITION. Write a size as 30x16x99.")


def _size(text: str) -> str | None:
    """Return the text of a level or WxHxM, or None if it should be a layout."""
    try:
        read_size(text)
    except BoardSyntaxError as error:
        if _SIZE_LIKE.fullmatch(text.strip()):
            raise click.UsageError(f"SIZE: {error}") from None
        return None
    return text.strip()


def _from_layout(source: BoardSource, rules: dict[str, Any]) -> Opening:
    from mineproof.tui.session import Opening

    layout = _read_source(source)
    if isinstance(layout, Board):
        raise BoardSyntaxError("This board does not show where the mines are. Use --from POSITION to continue from it.")
    if len(layout.mines) == len(layout.cells()):
        raise BoardSyntaxError("expected a cell without a mine, got a mine in every cell")
    board = board_and_mines(layout.rows, layout.columns, layout.total_mines)
    argument = source.argument or ""
    key = "cli-play-layout-file" if is_file(argument) else "cli-play-layout"
    notes = [message(key, file=argument, board=board)]
    if layout.start is not None:
        with use_cell_labels("ruler"):  # as in the game
            notes.append(message("cli-play-start", cell=cell_label(layout.start)))
    return Opening(layout, fairness=rules["fairness"] or "none", note=" ".join([*notes, *_ignored_options(rules)]))


def _from_position(source: BoardSource, flags: Flags, seed: int | None, rules: dict[str, Any]) -> Opening:
    from mineproof.analysis.layouts import sample_layouts
    from mineproof.game.layout import Layout
    from mineproof.tui.session import Opening

    board, _ = source.position()
    if board.total_mines is None:
        raise click.UsageError("The number of mines of POSITION is unknown. Pass --mines N.")
    drawn = secrets.randbits(32) if seed is None else seed
    mines = next(iter(sample_layouts(board, 1, seed=drawn, flags=flags)))
    if board.open_cells + board.total_mines == len(board.codes) - board.count(ABSENT):
        raise BoardSyntaxError("expected a position that is not won yet, got one with only mines covered")
    absent = frozenset(board.cells(ABSENT))
    layout = Layout(board.rows, board.columns, mines, topology=board.topology, absent=absent)
    size = board_and_mines(board.rows, board.columns, board.total_mines)
    note = " ".join([message("cli-play-position", board=size, seed=drawn), *_ignored_options(rules)])
    return Opening(layout, board, rules["fairness"] or "none", drawn, note)


def _read_source(source: BoardSource) -> Board | Layout:
    """Read a board or layout; report a single word that is neither as a misspelt level."""
    try:
        return source.read().value
    except (BoardSyntaxError, FileNotFoundError):
        word = source.argument or ""
        if word.isalnum() and not is_file(word):
            allowed = f"{', '.join(LEVELS)}, a size such as 30x16x99, or a file or text with a layout"
            raise click.UsageError(f"SIZE: expected {allowed}, got {quote(word)}") from None
        raise


def _ignored_options(rules: dict[str, Any]) -> list[str]:
    """A sentence about options that have no effect if the mines are given."""
    names = {"first_click": "--first-click", "no_guess": "--guess" if rules["no_guess"] is False else "--no-guess"}
    ignored = [option for name, option in names.items() if rules[name] is not None]
    return [plural("cli-play-ignored", len(ignored), options=listing(ignored))] if ignored else []


# playing


def _play_variant(
    what: str | None, variant_rules: str, seed: int | None, fresh: bool, path: Path | None, rules: dict[str, Any]
) -> int:
    from mineproof.cli.variant_games import play_variant, saved_path, variant_of

    require_alone(("position", "mines", "flags", "fairness", "no_guess"))
    variant, text = variant_of(variant_rules), None if what is None else _size(what)
    if what is not None and text is None:
        raise click.UsageError(f"--rules needs a size such as 8x8x12, got {quote(what)}")
    _check_textual()
    _check_terminal()
    first_click: FirstClick = rules["first_click"] or "safe"
    topology: Topology = rules["topology"] or "grid"
    file = path or saved_path()
    try:
        with files.claim(file, LOCK_SECONDS):
            size = None if text is None else read_size(text)
            return play_variant(variant, size, seed, first_click, file, topology, fresh=fresh)
    except BlockingIOError:
        busy = f"Another process plays the game in {file}. Use --save PATH for another file."
        raise click.UsageError(busy) from None


def _check_textual() -> None:
    try:
        import textual as textual
    except ImportError as error:
        install = "pip install 'mineproof[tui]', or in a clone: make play"
        raise click.UsageError(f"play needs Textual ({error}): {install}") from None


def _check_terminal() -> None:
    """Require a terminal on all streams: Textual draws on standard error, but a redirected output expects no game."""
    for name, stream in (("input", sys.stdin), ("output", sys.stdout), ("error", sys.stderr)):
        if stream is None or not stream.isatty():
            raise click.UsageError(f"play needs a terminal, but standard {name} is not one")


def _settings(size: str | None, rules: dict[str, Any]) -> Settings:
    """Change the settings of the last game by the options, and store them."""
    from mineproof.tui import settings

    last = settings.load()
    given = {name: value for name, value in {"size": size, **rules}.items() if value is not None}
    changed = dataclasses.replace(last, **given)
    if changed != last:
        settings.save(changed)
    return changed


def _last_settings() -> Settings:
    from mineproof.tui import settings

    return settings.load()


def _play_terminal_game(settings: Settings, path: Path, seed: int | None, fresh: bool, opening: Opening | None) -> int:
    from mineproof.tui.app import TerminalGame
    from mineproof.tui.session import Session, UnfinishedGame

    try:
        with files.claim(path, LOCK_SECONDS):
            try:
                session = Session(settings, path, seed=seed, fresh=fresh, opening=opening, on_finished=_store_game)
            except UnfinishedGame:
                _confirm_new_game(path)
                session = Session(settings, path, seed=seed, fresh=True, opening=opening, on_finished=_store_game)
            app = TerminalGame(session, handle_signals=True)
            status = app.run()
    except BlockingIOError:
        busy = f"Another process plays the game in {path}. Use --save PATH for another file."
        raise click.UsageError(busy) from None
    return (app.return_code or 0) if status is None else status  # the app returns None if it failed


def _confirm_new_game(path: Path) -> None:
    """Ask before an unfinished game is replaced, which happens with the first move of the new one."""
    if not click.confirm(message("cli-play-confirm-new", path=path), err=True):
        raise click.UsageError("The unfinished game stays. Use --save PATH for another file.")


def _store_game(record: Record, stored: GameExtras) -> str:
    """Add a finished game to the history, and return a sentence for the player."""
    from mineproof.history.history import History

    try:
        with History.open() as history:
            game = history.add(record, help_used=stored.help.as_json(), given=stored.fixed, budget=REVIEW_SECONDS).game
            best = history.best_times(
                game.level, topology=game.topology, fairness=game.fairness, no_guess=game.no_guess,
                with_help=game.with_help, limit=1,
            )  # fmt: skip
    except (MineproofError, OSError) as error:
        reason = files.reason(error) if isinstance(error, OSError) else str(error)
        return " " + message("cli-play-not-stored", reason=reason.rstrip("."))
    if not best or best[0].id != game.id:
        return ""
    key = "cli-play-best-time-help" if game.with_help else "cli-play-best-time"
    return " " + message(key, level=game.level, seconds=decimal((game.ms or 0) / 1000, 3))
