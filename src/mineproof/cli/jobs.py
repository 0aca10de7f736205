"""The games that simulate plays, and the strategy or file to compare with."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from mineproof.board.geometry import Topology
from mineproof.board.levels import Size
from mineproof.board.start import FirstClick
from mineproof.cli import output
from mineproof.cli.failure import usage_error
from mineproof.cli.phrases import board_and_mines
from mineproof.decision.custom import installed_strategies
from mineproof.decision.strategy_table import strategies
from mineproof.errors import OutsideError
from mineproof.game.rules import Fairness
from mineproof.protocol.names import is_bot
from mineproof.simulation.comparison import require_same_games
from mineproof.simulation.series import Series, StartCell
from mineproof.wording.catalogue import message
from mineproof.wording.cells import cell_label

if TYPE_CHECKING:
    from rich.console import Console


S = TypeVar("S", bound=Series)


@dataclass(frozen=True)
class Job:
    """The options of simulate."""

    size: Size
    first_click: FirstClick
    start: StartCell
    seed: int
    topology: Topology
    threads: int | None
    games: int | None  # None: the default
    strategy: str
    against: str | None
    path: Path | None  # of the file that stores finished games
    resume: bool
    force: bool
    as_json: bool
    fairness: Fairness = "none"

    def series(self, strategy: str) -> Series:
        return Series(
            **self.size._asdict(), topology=self.topology, first_click=self.first_click, start=self.start,
            strategy=strategy, seed=self.seed, fairness=self.fairness,
        )  # fmt: skip

    @contextmanager
    def reporting_usage(self, *, resumed: bool) -> Iterator[None]:
        """Turn a ValueError into a usage error: nothing was read, so an option is wrong."""
        try:
            yield
        except OutsideError:
            raise
        except ValueError as error:
            usage = usage_error(error)
            is_clear = not resumed or usage.message.startswith("Cannot resume")
            raise usage if is_clear else click.UsageError(f"--resume: {usage.message}") from None

    def draw(self, console: Console) -> None:
        """Print the board and the rules in one line."""
        board = board_and_mines(*self.size, self.topology)
        start = start_label(self.start)
        text = message("cli-simulate-head", board=board, rule=self.first_click, start=start, seed=self.seed)
        if self.fairness != "none":
            text += message("cli-simulate-fairness", rule=message(f"tui-fairness-{self.fairness}"))
        print_folded(console, text)


def start_label(start: StartCell) -> str:
    """The first click of a game."""
    return message("cli-random-cell") if isinstance(start, str) else cell_label(start)


def rival_of(job: Job, read: Callable[[Path], S]) -> str | S | None:
    """The rival to compare with, if any: the name of a strategy, or the games in a file."""
    against = job.against
    if against is None:
        return None
    names = [strategy.name for strategy in strategies()]
    if against in names or is_bot(against):
        return against
    if not Path(against).is_file():
        names += [strategy.name for strategy in installed_strategies() if strategy.name not in names]
        if against in names:
            return against
        allowed = f"one of {', '.join(names)}, or a file written by -o"
        raise click.UsageError(f"--against must be {allowed}, got {against!r}")
    stored = read(Path(against))
    try:
        require_same_games(job.series(stored.strategy), stored)
    except ValueError as error:
        raise click.UsageError(f"--against {against}: {error}") from None
    return stored


def note_interruption(games: int) -> None:
    """Print on standard error that a run was interrupted, and which games its result covers."""
    output.note(message("cli-interrupted-games" if games else "cli-interrupted-early"))


def print_folded(console: Console, text: str, indent: int = 0) -> None:
    """Print text in lines that fit; a number and its % stay together."""
    for line in output.fold(text, console.width, indent):
        console.print(" " * indent + line)
