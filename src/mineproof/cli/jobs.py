"""Games that a command is asked to play, and whom to compare with."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from mineproof.base.words import at, plural, size
from mineproof.board.geometry import Topology
from mineproof.board.levels import Size
from mineproof.board.start import FirstClick
from mineproof.cli import output
from mineproof.decision.own import installed
from mineproof.decision.strategy_table import strategies
from mineproof.errors import OutsideError
from mineproof.simulation.comparison import require_same_games
from mineproof.simulation.series import Series, StartCell

if TYPE_CHECKING:
    from rich.console import Console

BOUND = "\N{NO-BREAK SPACE}"

S = TypeVar("S", bound=Series)


@dataclass(frozen=True)
class Job:
    """What is asked for."""

    size: Size
    first_click: FirstClick
    start: StartCell
    seed: int
    topology: Topology
    threads: int | None
    games: int | None  # None: by default
    strategy: str
    against: str | None
    path: Path | None  # of the file that keeps what is finished
    resume: bool
    force: bool
    as_json: bool

    def series(self, strategy: str) -> Series:
        return Series(
            **self.size._asdict(), topology=self.topology, first_click=self.first_click, start=self.start,
            strategy=strategy, seed=self.seed,
        )  # fmt: skip

    @contextmanager
    def as_usage(self, *, resumed: bool) -> Iterator[None]:
        """Nothing was read: a size that cannot be played is bad usage."""
        try:
            yield
        except OutsideError:
            raise
        except ValueError as error:
            raise click.UsageError(f"--resume: {error}" if resumed else str(error)) from None

    def draw(self, console: Console) -> None:
        """What is played, in one line."""
        kind = "" if self.topology == "grid" else f" {self.topology}"
        board = f"{size(self.size.rows, self.size.columns)}{kind}, {plural(self.size.mines, 'mine')}"
        where = "a random cell" if self.start == "random" else at(self.start)
        print_words(console, f"{board}, first click {self.first_click} at {where}, seed {self.seed}")


def rival_of(job: Job, read: Callable[[Path], S]) -> str | S | None:
    """Who to compare with, if anybody: the name of a strategy, or what another one has done already."""
    against = job.against
    if against is None:
        return None
    names = [each.name for each in strategies()]
    if against in names:
        return against
    if not Path(against).is_file():
        names += [each.name for each in installed() if each.name not in names]
        if against in names:
            return against
        expected = f"one of {', '.join(names)} or a file that -o wrote"
        raise click.BadParameter(f"found {against!r}, expected {expected}", param_hint="--against")
    found = read(Path(against))
    try:
        require_same_games(job.series(found.strategy), found)
    except ValueError as error:
        raise click.UsageError(f"--against {against}: {error}") from None
    return found


def print_words(console: Console, words: str, indent: int = 0) -> None:
    """Words in lines that fit; a number and its % stay together."""
    for line in output.folded(words.replace(" %", f"{BOUND}%"), console.width, indent):
        console.print(" " * indent + line.replace(BOUND, " "))
