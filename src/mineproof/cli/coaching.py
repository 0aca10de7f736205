"""What ``mineproof review`` teaches: five sentences with --lesson, a page with --html; of several games a profile."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mineproof.base.budget import Budget
from mineproof.cli import output, summary, writing
from mineproof.errors import MineproofError
from mineproof.replays.recorded import Replay

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.text import Text

    from mineproof.lessons.profiles import Profile
    from mineproof.lessons.results import Lesson
    from mineproof.lessons.sentences import Sentence

Command = Callable[..., int | None]


@dataclass
class Lessons:
    """The lessons of a call, as far as they are made, and files that there is none of."""

    wanted: bool
    made: list[Lesson] = field(default_factory=list)
    unread: list[tuple[str, str]] = field(default_factory=list)

    def of(self, game: Replay, name: str, budget: Budget) -> Lesson | None:
        """The lesson of a game, if there is to be one."""
        if not self.wanted:
            return None
        from mineproof.lessons.coaching import lesson

        self.made.append(lesson(game.record, name=name, player=game.player, budget=budget))
        return self.made[-1]

    @contextmanager
    def noting(self, name: str) -> Iterator[None]:
        """Remember what goes wrong within, for the page."""
        try:
            yield
        except (MineproofError, click.ClickException, OSError) as error:
            self.unread.append((name, error.strerror if isinstance(error, OSError) and error.strerror else str(error)))
            raise


def teaches(function: Command) -> Command:
    """Give a command --lesson and --html; it is called with `Lessons`, and what is in them in the end is told."""

    @click.option("--lesson", "sentences", is_flag=True,
                  help="Tell in five sentences what to learn from it, and from several games together.")  # fmt: skip
    @click.option("--html", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
                  help="Write the lesson as a page; of several games, their profile with all lessons.")  # fmt: skip
    @writing.force_option
    @functools.wraps(function)
    def command(
        boards: tuple[str, ...], sentences: bool, html: Path | None, force: bool, as_json: bool, color: str, **rest: Any
    ) -> int | None:
        lessons = Lessons(wanted=sentences or html is not None)
        status = function(
            boards=boards, lessons=lessons, sentences=sentences, force=force, as_json=as_json, color=color, **rest
        )
        if not lessons.made:
            return status
        from mineproof.lessons.profiles import profile

        several = profile(lessons.made, unread=lessons.unread) if len(boards) > 1 else None
        if several is not None and sentences:
            _tell(several, as_json, color)
        if html is not None:
            writing.write(html, (several or lessons.made[0]).html(), force=force)
        return status

    return command


def _tell(found: Profile, as_json: bool, color: str) -> None:
    """The profile after all the games."""
    if as_json:
        click.echo(json.dumps(found.as_json()))
        return
    click.echo(f"\n==> {'the game' if found.games == 1 else f'all {found.games} games'} <==")
    with output.drawing(color) as console:
        summary.show([list(sentence_lines(found.sentences, console.width))], console)


def sentence_lines(sentences: Sequence[Sentence], width: int) -> Iterator[Text]:
    """Each sentence under its number, and then what to type for puzzles."""
    for number, sentence in enumerate(sentences, 1):
        first, *others = output.folded(sentence.text, width, 3)
        yield summary.text(f"{number}. {first}")
        yield from (summary.text(f"   {line}") for line in others)
    commands = dict.fromkeys(sentence.command for sentence in sentences if sentence.command is not None)
    for command in commands:
        yield from (summary.text(line, "dim") for line in output.folded(command, width))
