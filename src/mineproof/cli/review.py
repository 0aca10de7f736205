"""``mineproof review``: the numbers and the guesses of a game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mineproof.base.budget import Budget
from mineproof.cli import options, output, output_files, progress, summary
from mineproof.cli.boards import Options, takes_boards
from mineproof.cli.coach import Lessons, sentence_lines, teaches
from mineproof.cli.input import read_input
from mineproof.cli.phrases import board_and_mines, percent, share
from mineproof.cli.tables import Column, table
from mineproof.errors import BoardSyntaxError
from mineproof.formats.replays.reader import read_game
from mineproof.formats.replays.recording_games import Replay
from mineproof.formats.replays.writer import write_replay
from mineproof.game.game_measures import GameMeasures
from mineproof.game.reviews import GuessReview, Review, review
from mineproof.pictures.text import MINE, SAFE, heat
from mineproof.wording.catalogue import decimal, message, plural
from mineproof.wording.cells import cell_label

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.text import Text

    from mineproof.lessons.results import Lesson

INDENT = 4
TABLE_MIN_COLUMNS = 72  # on a narrower terminal each guess is a line


def _reason_for_one(options: Options) -> str | None:
    return None if options["replay"] is None else "--rawvf needs a single game"


@click.command("review")
@teaches
@partial(takes_boards, refuse=_reason_for_one, metavar="[FILE]...")
@click.option("--rawvf", "replay", type=output_files.OutputFile(), metavar="FILE",
              help="Also write the game as a RAWVF replay, if it is finished.")  # fmt: skip
@options.budget_option()
@options.states_option
@options.as_json_option
@options.color_option
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
    """Review a game: 3BV, clicks, every guess with its odds, and luck.

    FILE is a saved game (JSON) or a replay (AVF, EVF, MVF, RMV, RAWVF). - or nothing is standard input. Several files
    are reviewed one after the other. A guess is a move that might have lost. It was forced if no cell was certainly
    safe, and needless otherwise. The review names a better move. Luck is the chance that all your guesses would work
    out. A running game has no 3BV and no lesson.

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
    with lessons.recording_errors(board or "standard input"):
        game, name = _load(board)
        for note in () if as_json else game.notes:
            output.note(note)
        with progress.waiting(Budget(seconds=budget, states=states)) as limit:
            game_review = review(game.record, budget=limit)
            lesson = lessons.add(game, name, limit)
    if replay is not None:
        output_files.write(replay, f"{write_replay(game, 'rawvf')!s}\n", force=force)
    printed = lesson if sentences else None
    if as_json and printed is not None:
        from mineproof.lessons.results import lesson_review_json

        output.print_json(lesson_review_json(game_review, printed))
    elif as_json:
        output.print_json(game_review.as_json())
    else:
        with output.drawing(color) as console:
            draw(game_review, console, printed)


def _load(file: str | None) -> tuple[Replay, str]:
    """Read a game, and return its name."""
    data, name = read_input(file, "FILE is missing. Pass a saved game or a replay, or - for standard input.")
    try:
        return read_game(data, name), "" if file in (None, "-") else Path(name).name
    except BoardSyntaxError as error:
        error.source = name
        raise


def draw(game_review: Review, console: Console, lesson: Lesson | None = None) -> None:
    """Print the numbers, the guesses, notes on the odds, and the lesson."""
    width = console.width
    notes = [summary.text(line, "dim") for note in game_review.notes for line in output.fold(note, width)]
    sentences = [] if lesson is None else list(sentence_lines(lesson.sentences, width))
    summary.show([list(_facts(game_review, width)), list(_guess_table(game_review, width)), notes, sentences], console)


def _facts(game_review: Review, width: int) -> Iterator[Text]:
    yield from (summary.text(line, "bold") for line in output.fold(_headline(game_review), width))
    numbers = [] if game_review.numbers is None else list(_numbers(game_review.numbers))
    for fact in [*numbers, *_counts(game_review), game_review.luck_text]:
        yield from (summary.text(line) for line in output.fold(fact, width))


_ENDS = {
    "new": "cli-review-new",
    "won": "cli-review-won",
    "lost": "cli-review-lost",
    "running": "cli-review-running",
}


def _headline(game_review: Review) -> str:
    board = game_review.board
    size = board_and_mines(board.rows, board.columns, board.total_mines or 0, board.topology)
    return f"{size}: " + message(_ENDS[game_review.status], seconds=decimal(game_review.seconds, 3))


def _numbers(numbers: GameMeasures) -> Iterator[str]:
    """The numbers that players compare, in lines; docs/numbers.md defines them."""
    known = numbers.measures
    solved = "" if numbers.status == "won" else ", " + message("cli-review-solved", bbbv=numbers.solved_bbbv)
    openings, islands = plural("cli-review-openings", known.openings), plural("cli-review-islands", known.islands)
    yield f"3BV {known.bbbv}{solved}, {openings}, {islands}"
    yield message("cli-review-zini", zini=known.zini, human=known.human_zini)
    clicks = numbers.clicks
    yield plural(
        "cli-review-clicks", clicks.total, left=clicks.left, right=clicks.right, double=clicks.double,
        effective=numbers.effective.total,
    )  # fmt: skip
    shares = {"cli-review-efficiency": numbers.efficiency, "cli-review-correctness": numbers.correctness}
    parts = [f"{message(key)} {share(value)}" for key, value in shares.items() if value is not None]
    scores = {message("cli-review-throughput"): numbers.throughput, "3BV/s": numbers.bbbv_per_second}
    yield ", ".join(parts + _scores(scores))
    yield ", ".join(_scores({"RQP": numbers.rqp, "QG": numbers.qg, "STNB": numbers.stnb}))


def _scores(scores: Mapping[str, float | None]) -> list[str]:
    return [f"{name} {decimal(score, 2)}" for name, score in scores.items() if score is not None]


def _counts(game_review: Review) -> Iterator[str]:
    if game_review.numbers is None:
        yield plural("cli-clicks", game_review.clicks)
    if game_review.redraws:
        yield plural("cli-review-redraws", game_review.redraws)


def _columns() -> tuple[Column, ...]:
    return (
        (message("cli-review-head-move"), "right", 4),
        (message("cli-review-head-time"), "right", 8),
        (message("cli-review-head-risk"), "right", 8),
        (message("cli-review-head-guess"), "left", 8),
        (message("cli-review-head-cell"), "left"),
    )


def _guess_table(game_review: Review, width: int) -> Iterator[RenderableType]:
    """Each guess in columns, or in one line on a narrow terminal, with its sentence below; moves count from 1."""
    is_wide, columns = width >= TABLE_MIN_COLUMNS, _columns()
    if is_wide and game_review.guesses:
        yield table(*columns)
    for guess in game_review.guesses:
        risk = summary.text(_risk(guess), heat(guess.mine_probability))
        key, style = ("cli-review-forced", "") if guess.forced else ("cli-review-needless", MINE.style)
        kind = summary.text(message(key), style)
        if is_wide:
            row = table(*columns, heads=False)
            row.add_row(str(guess.index + 1), decimal(guess.ms / 1000, 3), risk, kind, _outcome(guess))
            yield row
        else:
            blank = summary.text(" ")
            move = summary.text(message("cli-review-move", number=guess.index + 1))
            yield move + blank + risk + blank + kind + blank + _outcome(guess)
        yield from (summary.text(" " * INDENT + line) for line in output.fold(guess.text, width, INDENT))


def _risk(guess: GuessReview) -> str:
    return message("cli-label-mine") if guess.mine_fraction == 1 else percent(guess.mine_probability)


def _outcome(guess: GuessReview) -> Text:
    """The cell of a guess, and what happened."""
    key, style = ("cli-review-survived", SAFE.style) if guess.survived else ("cli-review-exploded", MINE.style)
    text = summary.text(f"{cell_label(guess.cell)} ") + summary.text(message(key), style)
    text.append(", " + message("cli-review-redrawn") if guess.redrawn else "")
    return text.append(", " + message("cli-review-undone") if guess.undone else "")
