"""``mineproof review``: a game looked back upon."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mineproof.base.budget import DEFAULT, Budget
from mineproof.base.words import at, percent, plural, size
from mineproof.cli import output, progress, summary, writing
from mineproof.cli.coaching import Lessons, sentence_lines, teaches
from mineproof.cli.input import contents, positive_seconds, states_option
from mineproof.cli.many import Options, takes_boards
from mineproof.cli.tables import Column, table
from mineproof.errors import BoardSyntaxError
from mineproof.game.game_measures import GameMeasures
from mineproof.game.reviews import GuessReview, Review, review
from mineproof.pictures.text import MINE, SAFE, heat
from mineproof.replays.reading import read_game
from mineproof.replays.recorded import Replay
from mineproof.replays.writing import write_replay

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.text import Text

    from mineproof.lessons.results import Lesson

INDENT = 4
WIDE = 72  # columns from which on there is room for a table


def _for_one_game(options: Options) -> str | None:
    return None if options["replay"] is None else "--rawvf writes one game"


@click.command("review")
@teaches
@partial(takes_boards, refuse=_for_one_game, metavar="[FILE]...")
@click.option("--rawvf", "replay", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
              help="Write the game as a RAWVF replay, too, once it is over.")  # fmt: skip
@click.option("--budget", type=positive_seconds, default=DEFAULT.seconds, show_default=True, metavar="SECONDS",
              help="Give up after this time.")  # fmt: skip
@states_option("Give up after this effort.")
@output.as_json_option
@output.color_option
def command(
    board: str | None,
    replay: Path | None,
    lessons: Lessons,
    sentences: bool,
    force: bool,
    budget: float,
    states: int,
    as_json: bool,
    color: str,
) -> None:
    """Look back upon a game: 3BV, clicks, every guess with its odds, and how lucky it was.

    FILE is a saved game of ours (JSON) or a replay: AVF, EVF, MVF, RMV, RAWVF; - or nothing is standard input. Several
    are answered one after the other. A guess is a reveal that might have lost. It was forced if no cell was certainly
    safe, and needless otherwise; what would have been better is named. Luck is the chance of surviving the guesses that
    were survived. While a game is on, its 3BV is not told, and there is no lesson.

    With --json, schema mineproof/review/1; with --lesson it has a mineproof/lesson/1 as `lesson`, and after several
    games comes a mineproof/profile/1.

    \b
    Examples:
      mineproof review game.json
      mineproof review replay.avf --lesson
      mineproof review replay.avf --html lesson.html
      mineproof review games/*.avf --html profile.html
      mineproof review games/*.json --json
      mineproof review game.json --rawvf game.rawvf
    """
    with lessons.noting(board or "standard input"):
        game, name = _load(board)
        for note in () if as_json else game.notes:
            output.note(note)
        with progress.waiting(Budget(seconds=budget, states=states)) as limit:
            found = review(game.record, budget=limit)
            taught = lessons.of(game, name, limit)
    if replay is not None:
        writing.write(replay, f"{write_replay(game, 'rawvf')!s}\n", force=force)
    told = taught if sentences else None
    if as_json:
        output.print_json(found.as_json() | ({} if told is None else {"lesson": told.as_json()}))
    else:
        with output.drawing(color) as console:
            draw(found, console, told)


def _load(file: str | None) -> tuple[Replay, str]:
    """A game, and what to call it."""
    data, name = contents(file, "FILE is missing: a saved game or a replay, or - to type it in")
    try:
        return read_game(data, name), "" if file in (None, "-") else Path(name).name
    except BoardSyntaxError as error:
        error.source = name
        raise


def draw(found: Review, console: Console, taught: Lesson | None = None) -> None:
    """The numbers, the guesses, what is to be said about the odds, and what to learn from it."""
    notes = [summary.text(line, "dim") for note in found.notes for line in output.folded(note, console.width)]
    told = [] if taught is None else list(sentence_lines(taught.sentences, console.width))
    summary.show([list(_facts(found, console.width)), list(_table(found, console.width)), notes, told], console)


def _facts(found: Review, width: int) -> Iterator[Text]:
    head, *facts = [_headline(found), *([] if found.numbers is None else _numbers(found.numbers)), *_counts(found)]
    yield from (summary.text(line, "bold") for line in output.folded(head, width))
    for fact in [*facts, found.luck_text]:
        yield from (summary.text(line) for line in output.folded(fact, width))


def _headline(found: Review) -> str:
    board = found.board
    kind = "" if board.topology == "grid" else f" {board.topology}"
    words = f"{size(board.rows, board.columns)}{kind}, {plural(board.total_mines or 0, 'mine')}"
    ends = {"won": "won in", "lost": "lost after", "running": "still on after"}
    return f"{words}: " + ("not begun" if found.status == "new" else f"{ends[found.status]} {found.seconds:.3f} s")


def _numbers(numbers: GameMeasures) -> Iterator[str]:
    """What players compare, in lines; docs/numbers.md defines it."""
    known = numbers.measures
    solved = "" if numbers.status == "won" else f", {numbers.solved_bbbv} solved"
    yield f"3BV {known.bbbv}{solved}, {plural(known.openings, 'opening')}, {plural(known.islands, 'island')}"
    yield f"ZiNi {known.zini}, human ZiNi {known.human_zini}"
    clicks = numbers.clicks
    yield (
        f"{plural(clicks.total, 'click')}: {clicks.left} left, {clicks.right} right, {clicks.double} double; "
        f"{numbers.effective.total} effective"
    )
    shares = {"efficiency": numbers.efficiency, "correctness": numbers.correctness}
    told = [f"{name} {share:.0%}".replace("%", " %") for name, share in shares.items() if share is not None]
    scores = {"throughput": numbers.throughput, "3BV/s": numbers.bbbv_per_second}
    yield ", ".join(told + _scores(scores))
    yield ", ".join(_scores({"RQP": numbers.rqp, "QG": numbers.qg, "STNB": numbers.stnb}))


def _scores(scores: Mapping[str, float | None]) -> list[str]:
    return [f"{name} {score:,.2f}" for name, score in scores.items() if score is not None]


def _counts(found: Review) -> Iterator[str]:
    if found.numbers is None:
        yield plural(found.clicks, "click")
    if found.redraws:
        yield f"Fair play moved the mines {'once' if found.redraws == 1 else f'{found.redraws} times'}."


_COLUMNS: tuple[Column, ...] = (
    ("move", "right", 4),
    ("time", "right", 8),
    ("risk", "right", 8),
    ("guess", "left", 8),
    ("at", "left"),
)


def _table(found: Review, width: int) -> Iterator[RenderableType]:
    """Each guess in columns, or in one line where there is no room for them, and in words below; moves are from 1."""
    wide = width >= WIDE
    if wide and found.guesses:
        yield table(*_COLUMNS)
    for guess in found.guesses:
        risk = summary.text(_risk(guess), heat(guess.mine_probability))
        kind = summary.text(*("forced", "") if guess.forced else ("needless", MINE.style))
        if wide:
            row = table(*_COLUMNS, heads=False)
            row.add_row(str(guess.index + 1), f"{guess.ms / 1000:.3f}", risk, kind, _place(guess))
            yield row
        else:
            blank = summary.text(" ")
            yield summary.text(f"move {guess.index + 1} ") + risk + blank + kind + blank + _place(guess)
        yield from (summary.text(" " * INDENT + line) for line in output.folded(guess.text, width, INDENT))


def _risk(guess: GuessReview) -> str:
    return "mine" if guess.mine_fraction == 1 else percent(guess.mine_probability)


def _place(guess: GuessReview) -> Text:
    """Where, and what came of it."""
    end = summary.text(*("survived", SAFE.style) if guess.survived else ("lost", MINE.style))
    words = summary.text(f"{at(guess.cell)} ") + end
    return words.append(", redrawn" if guess.redrawn else "").append(", taken back" if guess.undone else "")
