"""Lessons of ``mineproof review``: five sentences with --lesson, a page with --html, a profile of several games."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mineproof.base import files
from mineproof.base.budget import Budget
from mineproof.cli import options, output, output_files, summary
from mineproof.errors import MineproofError
from mineproof.formats.replays.recording_games import Replay
from mineproof.wording.catalogue import plural

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.text import Text

    from mineproof.lessons.profiles import Profile
    from mineproof.lessons.results import Lesson
    from mineproof.lessons.sentences import Sentence

Command = Callable[..., int | None]


@dataclass
class Lessons:
    """The lessons of the games so far, and the files that could not be read."""

    enabled: bool
    finished: list[Lesson] = field(default_factory=list)
    unread: list[tuple[str, str]] = field(default_factory=list)

    def add(self, game: Replay, name: str, budget: Budget) -> Lesson | None:
        """Make the lesson of a game, if lessons are enabled."""
        if not self.enabled:
            return None
        from mineproof.lessons.coach import lesson

        self.finished.append(lesson(game.record, name=name, player=game.player, budget=budget))
        return self.finished[-1]

    @contextmanager
    def recording_errors(self, name: str) -> Iterator[None]:
        """Record errors in this block for the page, and raise them again."""
        try:
            yield
        except (MineproofError, click.ClickException, OSError) as error:
            self.unread.append((name, files.cause(error) if isinstance(error, OSError) else str(error)))
            raise


def teaches(function: Command) -> Command:
    """Give a command --lesson and --html; it is called with `Lessons`, which are printed or written at the end."""

    @click.option("--lesson", "sentences", is_flag=True,
                  help="Print five sentences on what to learn from the game, or from all games together.")  # fmt: skip
    @click.option("--html", type=output_files.OutputFile(), metavar="FILE",
                  help="Write the lesson as an HTML page, or a profile of several games with all lessons.")  # fmt: skip
    @options.force_option
    @functools.wraps(function)
    def command(
        boards: tuple[str, ...], sentences: bool, html: Path | None, force: bool, as_json: bool, color: str, **rest: Any
    ) -> int | None:
        lessons = Lessons(enabled=sentences or html is not None)
        status = function(
            boards=boards, lessons=lessons, sentences=sentences, force=force, as_json=as_json, color=color, **rest
        )
        if not lessons.finished:
            return status
        from mineproof.lessons.profiles import profile

        together = profile(lessons.finished, unread=lessons.unread) if len(boards) > 1 else None
        if together is not None and sentences:
            _print_profile(together, as_json, color)
        if html is not None:
            output_files.write(html, (together or lessons.finished[0]).html(), force=force)
        return status

    return command


def _print_profile(together: Profile, as_json: bool, color: str) -> None:
    """Print the profile, after all games."""
    if as_json:
        click.echo(json.dumps(together.as_json()))
        return
    click.echo(f"\n==> {plural('cli-review-all-games', together.games)} <==")
    with output.drawing(color) as console:
        summary.show([list(sentence_lines(together.sentences, console.width))], console)


def sentence_lines(sentences: Sequence[Sentence], width: int) -> Iterator[Text]:
    """Each sentence with its number, then the commands that start puzzles."""
    for number, sentence in enumerate(sentences, 1):
        first, *others = output.fold(sentence.text, width, 3)
        yield summary.text(f"{number}. {first}")
        yield from (summary.text(f"   {line}") for line in others)
    commands = dict.fromkeys(sentence.command for sentence in sentences if sentence.command is not None)
    for command in commands:
        yield from (summary.text(line, "dim") for line in output.fold(command, width))
