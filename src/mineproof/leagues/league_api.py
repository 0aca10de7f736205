"""Play a league. The players take turns, so an interruption leaves games that all of them have played.

Plain games are those of `simulate`, weighted ones those of `tournament`. The file `FILE` of the folder has everything
that a run needs to continue. It is replaced as a whole, so it is complete at every moment.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from mineproof.base import checks, files
from mineproof.base.work import Stop
from mineproof.board.geometry import Topology
from mineproof.board.start import FirstClick
from mineproof.errors import BoardSyntaxError, SweepError
from mineproof.leagues.results import League
from mineproof.protocol.bots import BotStrategy
from mineproof.protocol.names import is_bot
from mineproof.simulation.forfeits import NO_FORFEITS
from mineproof.simulation.results import Simulation, Tally
from mineproof.simulation.series import StartCell
from mineproof.simulation.simulator import simulate
from mineproof.simulation.tournaments import tournament

FILE = "league.json"
DEFAULT_GAMES = 1000
TURN = 256  # games of a player in a row
SAVE_SECONDS = 5.0  # between two writes

Progress = Callable[[League], object]


def league(
    strategies: Sequence[str],
    rows: int | str = "expert",
    columns: int | None = None,
    mines: int | None = None,
    *,
    games: int = DEFAULT_GAMES,
    weighted: bool = False,
    first_click: FirstClick = "safe",
    start: StartCell | None = None,
    seed: int = 0,
    topology: Topology = "grid",
    threads: int | None = None,
    path: str | Path | None = None,
    resume: bool = False,
    progress: Progress | None = None,
    cancelled: Stop | None = None,
) -> League:
    """Let strategies play the same ``games`` and compare them; size and rules are as in `simulate`.

    ``strategies`` are names as `simulate` takes them, bots included. With ``weighted`` every guess is survived and
    weighs the game, as in `tournament`, which needs far fewer games for small differences. In the folder ``path`` the
    games are stored every few seconds, and with ``resume`` a league continues there, also with more games.

    Raises SweepError if the folder has another league.

    >>> result = league(["fair", "fast"], games=100, seed=1)
    >>> [row.strategy for row in result.table()], result.difference(1, 0).value > 0
    (['fast', 'fair'], True)
    """
    names = _require_names(strategies)
    checks.whole("games", games, 1)
    for flag, value in (("weighted", weighted), ("resume", resume)):
        checks.flag(flag, value)
    for name, function in (("progress", progress), ("cancelled", cancelled)):
        checks.require_callable(name, function)
    if resume and path is None:
        raise ValueError("resume=True needs path, the name of a folder")
    programs = _programs(names)
    play = partial(
        simulate, rows, columns, mines, first_click=first_click, start=start, seed=seed, topology=topology,
        threads=threads, cancelled=cancelled,
    )  # fmt: skip
    with _store(path, resume=resume) as store:
        done = store.read(names, programs, weighted=weighted)
        report = _Reporter(store, progress)
        if weighted:
            result = _play_weighted(names, games, programs, play, done, report)
        else:
            result = _play_plain(names, games, programs, play, done, report)
        store.write(result)
    return result


def _play_plain(
    names: list[str], games: int, programs: _Programs, play: Callable[..., Simulation], done: League | None,
    report: _Reporter,
) -> League:  # fmt: skip
    cancelled: Stop = play.keywords["cancelled"] or bool  # type: ignore[attr-defined]
    played: list[Simulation | None] = [None] * len(names) if done is None else list(done.simulations)
    if most := max((one.games for one in played if one is not None and one.games > games), default=0):
        raise ValueError(f"games must be at least {most}, the games of the stored league, got {games}")

    def current(place: int, simulation: Simulation) -> League:
        now = [*played[:place], simulation, *played[place + 1 :]]
        return League(games, tuple(_or_nothing(*one, simulation, games) for one in zip(now, names, strict=True)), None,
                      programs)  # fmt: skip

    for turn_end in range(TURN, games + TURN, TURN):
        for place, name in enumerate(names):
            before = played[place]
            games_before = 0 if before is None else before.games
            goal = max(games_before, min(games, turn_end))
            # The first turn also checks that stored games are of this series. The first player always takes its turn.
            if (games_before < goal or turn_end == TURN) and (place == 0 or not cancelled()):
                show = partial(report.show, partial(current, place))
                played[place] = play(games=goal, strategy=name, resume=before if games_before else None, progress=show)
    assert played[0] is not None
    return current(0, played[0])


def _or_nothing(simulation: Simulation | None, name: str, other: Simulation, games: int) -> Simulation:
    """Return the games of a player; none if it has not begun."""
    if simulation is not None:
        return replace(simulation, asked=games)
    return replace(
        other, strategy=name, asked=games, tally=Tally(), outcomes=b"", forfeits=NO_FORFEITS, cpu_seconds=0.0,
        seconds=0.0,
    )  # fmt: skip


def _play_weighted(
    names: list[str], games: int, programs: _Programs, play: Any, done: League | None, report: _Reporter
) -> League:
    resumed = None if done is None else done.tournament
    result = tournament(
        *play.args, **play.keywords, strategies=names, games=games, resume=resumed,
        progress=partial(report.show, lambda now: League(games, (), now, programs)),
    )  # fmt: skip
    return League(games, (), result, programs)


class _Reporter:
    """Stores a league every few seconds, and tells the caller."""

    def __init__(self, store: _Store, progress: Progress | None) -> None:
        self._store = store
        self._progress = progress
        self._written = time.monotonic()

    def show(self, make: Callable[[Any], League], played: object) -> None:
        is_due = time.monotonic() - self._written >= SAVE_SECONDS
        if not (is_due or self._progress):
            return
        now = make(played)
        if is_due:
            self._store.write(now)
            self._written = time.monotonic()
        if self._progress is not None:
            self._progress(now)


# players

_Programs = tuple[tuple[str, str, str], ...]


def _require_names(strategies: object) -> list[str]:
    if isinstance(strategies, str) or not isinstance(strategies, Sequence) or not strategies:
        raise TypeError(f"strategies must be a list of names, got {checks.shorten(strategies)}")
    names = [checks.instance("strategies", name, str, "the name of one") for name in strategies]
    if len(set(names)) < len(names):
        raise ValueError(f"Players must be different, got {', '.join(names)}")
    return names


def _programs(names: list[str]) -> _Programs:
    """Start each bot once, and return what it says about itself; BotError if one does not start."""
    programs = []
    for name in names:
        if is_bot(name):
            with closing(BotStrategy(name)) as bot:
                programs.append((name, bot.identity.name, bot.identity.version))
    return tuple(programs)


# the folder


class _Store:
    """The file of a league; None if it is not stored."""

    def __init__(self, path: Path | None, *, resume: bool) -> None:
        self._path = path
        self._resume = resume

    def read(self, names: list[str], programs: _Programs, *, weighted: bool) -> League | None:
        """Return the stored league, if it has the same players."""
        if self._path is None or not self._path.exists():
            return None
        if not self._resume:
            raise SweepError(f"{self._path} already has a league. Use resume to continue it, or another folder.")
        try:
            stored = League.from_json(files.read(self._path, files.MAX_RESULT_BYTES))
        except BoardSyntaxError as error:
            raise SweepError(f"{self._path} is not a league: {error}") from None
        known = [player.strategy for player in stored.players]
        if known != names or stored.is_weighted != weighted:
            kind = "weighted" if stored.is_weighted else "plain"
            raise SweepError(f"{self._path} has {kind} games of {', '.join(known)}. Resume with the same players.")
        if stored.programs != programs:
            raise SweepError(f"{self._path} was played by another version of a bot. Use another folder.")
        return stored

    def write(self, league: League) -> None:
        if self._path is not None:
            files.write(self._path, league.to_json() + "\n")


@contextmanager
def _store(path: str | Path | None, *, resume: bool) -> Iterator[_Store]:
    folder = None if path is None else Path(path)
    with nullcontext() if folder is None else files.claim_folder(folder, FILE):
        yield _Store(None if folder is None else folder / FILE, resume=resume)
