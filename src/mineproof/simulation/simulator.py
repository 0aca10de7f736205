"""Play many games and count the wins; `mineproof.simulation.results` holds the result.

Games       Game k of a seed is layout k of that seed (see `mineproof.generation.generator`). A strategy that uses
            random numbers has its own stream for each game. A game depends on nothing else. So games can be played in
            any order by any number of threads, interrupted and resumed, and two strategies can be compared on the same
            layouts.
Strategies  Built-in strategies play in the kernel and release the GIL. A Python function is called for each move, in
            one thread. Each of its positions is also analyzed, to distinguish guesses from safe moves.
Chunks      The kernel adds logarithms as floats within a chunk of games. The bounds of chunks depend on the numbers of
            the games alone, so the sums do not depend on the threads. An interrupted chunk is discarded.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from contextlib import closing
from dataclasses import replace
from functools import partial, reduce
from typing import NamedTuple

from mineproof.base import checks
from mineproof.base.processors import processors
from mineproof.base.threads import thread_seconds
from mineproof.base.work import Stop
from mineproof.board.cells import Cell
from mineproof.board.geometry import Topology
from mineproof.board.levels import as_size
from mineproof.board.setup import Setup, accepts_setup
from mineproof.board.start import FirstClick
from mineproof.decision.custom import Choose, Own, installed_strategies, own_strategy
from mineproof.decision.strategy_table import require_strategy
from mineproof.engine.answers import Engine, GameSums, Match
from mineproof.engine.default import chosen_engine
from mineproof.errors import BoardSyntaxError
from mineproof.game.layout import Layout
from mineproof.game.rules import Fairness
from mineproof.protocol.bots import load_strategy
from mineproof.simulation.chunks import play_chunks
from mineproof.simulation.custom_games import PlayedGames, own_chunk, play_own
from mineproof.simulation.forfeits import NO_FORFEITS, Forfeits
from mineproof.simulation.named_strategy import NamedStrategy
from mineproof.simulation.results import LOG_UNIT, Simulation, Tally
from mineproof.simulation.series import FIRST_STREAM, Series, StartCell, require_same_series

# Default first click with first_click="open": the cell that wins most often, on boards of up to SMALL_BOARD_CELLS and
# on larger ones (docs/benchmarks.md).
SMALL_BOARD_CELLS, OPEN_START_SMALL, OPEN_START = 256, (2, 2), (3, 3)

CHUNK = 64  # games: a few seconds for `best`, and for the fastest strategy still far more than a call costs
SLOW = ("deep",)  # strategies that take seconds per game: every chunk is one game
CHUNK_MAX_CELLS = 1 << 16  # chunks of large boards have fewer games, so that Ctrl-C loses little work
SIMULATION_MAX_THREADS = 256


@accepts_setup
def simulate(
    rows: int | str | Setup = "expert",
    columns: int | None = None,
    mines: int | None = None,
    *,
    games: int = 10_000,
    strategy: str | Choose = "fast",
    first_click: FirstClick = "safe",
    start: StartCell | None = None,
    fairness: Fairness = "none",
    seed: int = 0,
    topology: Topology = "grid",
    absent: Collection[Cell] = (),
    threads: int | None = None,
    first_game: int = 0,
    resume: Simulation | None = None,
    progress: Callable[[Simulation], None] | None = None,
    cancelled: Stop | None = None,
    engine: Engine | None = None,
) -> Simulation:
    """Play games ``first_game``, ``first_game + 1``, … of a seed. The result does not depend on the number of threads.

    The size is ``rows``, ``columns`` and ``mines``, or only a level, ``"WxHxM"`` or a `Setup`.

    ``strategy`` is the name of a strategy (see `strategies`), the name of a strategy of an installed package,
    ``exec:COMMAND`` for a program that speaks the engine protocol (``docs/protocol.md``), or a function that takes the
    visible board and returns the cell to open. `mineproof.decision.custom` describes other options.

    The first click is made for the strategy, at ``start``. The default is the cell nearest to the top left corner; with
    ``first_click="open"`` it is the cell nearest to (3,3), or (2,2) on small boards. ``"random"`` is a new cell in each
    game and needs ``first_click="any"``. The default for ``threads`` is the number of processors.

    With a ``fairness`` rule (`mineproof.game.game`) named strategies must be able to decide single positions. They then
    play move by move in one thread, about as fast as functions.

    ``progress`` is called about twenty times a second with the games finished so far. ``cancelled`` is called as often.
    When it returns True, the result has fewer ``games`` than ``asked``; pass it as ``resume`` to continue.

    Raises BoardSyntaxError for an impossible board, EngineMissing for a named strategy without the kernel, and
    IllegalMoveError if a function chooses a cell that cannot be opened.

    >>> result = simulate(9, 9, 10, games=1000, strategy="fast", seed=1)
    >>> result.games, 0.88 < result.interval.low < result.win_rate < result.interval.high < 0.95
    (1000, True)
    """
    size, using = as_size(rows, columns, mines), chosen_engine(engine)
    board = Layout(size.rows, size.columns, frozenset(), None, topology, checks.cells("absent", absent))
    require_numbers(games, first_game, threads)
    checks.require_callable("progress", progress)
    checks.require_callable("cancelled", cancelled)
    own = own_of(strategy, using)
    if own is None and fairness != "none":
        own = NamedStrategy(require_strategy(checks.instance("strategy", strategy, str), using).name, using)
    name, weighed = (own.name, True) if own is not None else strategy_name(strategy, using)
    series = Simulation(
        **size._asdict(), topology=topology, absent=board.absent, first_click=first_click,
        start=as_start(start) or default_start(board, first_click), fairness=fairness, strategy=name, seed=seed,
        first_game=first_game, asked=games, tally=Tally(), outcomes=b"", weighed=weighed,
    )  # fmt: skip
    begun = series if resume is None else _resume_simulation(resume, series)
    if own is not None:
        with closing(own):
            return _run_games(
                begun, partial(play_own, begun, own, using), own_chunk(begun, own), 1, progress, cancelled
            )
    chunk = chunk_size(begun)
    busy = min(threads or processors(), SIMULATION_MAX_THREADS, (games - begun.games) // chunk + 1)
    return _run_games(begun, kernel_player(begun, using), chunk, busy, progress, cancelled)


def default_start(board: Layout, first_click: FirstClick) -> Cell:
    """Return the default first click."""
    row, column = (0, 0)
    if first_click == "open":
        row, column = OPEN_START_SMALL if board.rows * board.columns <= SMALL_BOARD_CELLS else OPEN_START
    return min(board.cells(), key=lambda cell: (abs(cell[0] - row) + abs(cell[1] - column), cell))


def as_start(cell: StartCell | None) -> StartCell | None:
    """Return the value of ``start`` after checking its type."""
    if cell is None or cell == "random":
        return cell
    if isinstance(cell, str):
        raise ValueError(f"start must be (row, column) or 'random', got {cell!r}")
    return checks.cell("start", cell)


def own_of(strategy: object, engine: Engine) -> Own | None:
    """Return the strategy if it is a function, a bot, or one of an installed package; None for the engine's."""
    if not isinstance(strategy, str):
        return None if strategy is None else own_strategy(strategy)
    return None if strategy in {built_in.name for built_in in engine.strategies} else load_strategy(strategy)


def strategy_name(strategy: object, engine: Engine) -> tuple[str, bool]:
    """Return the name of a strategy of an engine, and whether it knows the odds of its guesses."""
    known = {built_in.name: built_in for built_in in engine.strategies}
    name = checks.instance("strategy", strategy, str, "the name of one, or a function")
    if name not in known and engine.plays:
        offered = sorted({package.name for package in installed_strategies()} - set(known))
        names = ", ".join([*known, *offered])
        raise ValueError(f"strategy must be one of {names}, exec:COMMAND or a function, got {name!r}")
    return name, name not in known or known[name].weighs  # an engine that cannot play raises later


def require_numbers(games: int, first_game: int, threads: int | None) -> None:
    """Check the arguments ``games``, ``first_game`` and ``threads``."""
    checks.whole("games", games, 1)
    checks.whole("first_game", first_game, 0)
    if threads is not None:
        checks.whole("threads", threads, 1)
    if first_game > FIRST_STREAM - games:  # the streams above are those of first clicks
        raise ValueError(f"first_game + games must be at most 2**62, got {first_game} + {games}")


def _resume_simulation(done: Simulation, start: Simulation) -> Simulation:
    """Return the finished part with the new number of games; ValueError if it is of another series."""
    checks.instance("resume", done, Simulation, "Simulation.from_json reads one")
    require_same_series(done, start, "a simulation")
    if done.games > start.asked:
        raise ValueError(f"games must be at least {done.games}, the games of the resumed simulation, got {start.asked}")
    return replace(done, asked=start.asked)


def chunk_size(series: Series) -> int:
    """Return a power of two up to `CHUNK`. It depends on board and strategy alone, so every run has the same sums."""
    size = 1 if series.strategy in SLOW else CHUNK
    while size > 1 and size * series.rows * series.columns > CHUNK_MAX_CELLS:
        size //= 2
    return size


# playing

Player = Callable[[range, Stop], PlayedGames]  # plays these games; fewer, from the first on, when stopped


class _PlayedChunk(NamedTuple):
    """Games that one thread played in one call."""

    numbers: range
    tally: Tally
    outcomes: bytes
    forfeits: Forfeits
    cpu_seconds: float


def _run_games(
    start: Simulation,
    player: Player,
    size: int,
    threads: int,
    progress: Callable[[Simulation], None] | None,
    cancelled: Stop | None,
) -> Simulation:
    """Play the remaining games and add the chunks in the order of their numbers."""
    began = time.monotonic() - start.seconds
    simulation = start

    def play(numbers: range, stopped: Stop) -> _PlayedChunk | None:
        began = thread_seconds()
        played = player(numbers, stopped)
        if len(played.outcomes) < len(numbers):
            return None
        cpu_seconds = thread_seconds() - began + played.waited_seconds
        return _PlayedChunk(numbers, played.tally, played.outcomes, played.forfeits, cpu_seconds)

    def take(ready: list[_PlayedChunk]) -> bool:
        nonlocal simulation
        tally = sum((chunk.tally for chunk in ready), Tally())
        outcomes = b"".join(chunk.outcomes for chunk in ready)
        forfeits = reduce(Forfeits.plus, (chunk.forfeits for chunk in ready), NO_FORFEITS)
        simulation = simulation.plus(tally, outcomes, sum(chunk.cpu_seconds for chunk in ready), forfeits)
        if progress is not None:
            progress(replace(simulation, seconds=time.monotonic() - began))
        return False

    left = range(start.first_game + start.games, start.first_game + start.asked)
    play_chunks(play, left, size, threads, take, cancelled)
    return replace(simulation, seconds=time.monotonic() - began)


# in the kernel


def kernel_player(series: Series, engine: Engine) -> Player:
    """Return a function that plays games of a series with a built-in strategy."""
    match = match_of(series)

    def play(numbers: range, stopped: Stop) -> PlayedGames:
        sums, outcomes = engine.simulate(match, numbers, stopped)
        return PlayedGames(tally_of(sums), outcomes)

    return play


def match_of(series: Series) -> Match:
    """Return the series in the form engines take; BoardSyntaxError if a built-in strategy cannot play it."""
    board = series.board
    start = None if series.start == "random" else board.geometry.index(series.start)
    return Match(
        board.geometry, board.board().codes, _mine_mask(series), series.mines, start, series.strategy, series.seed
    )


def tally_of(sums: GameSums) -> Tally:
    """Return the sums of the kernel as a `Tally`."""
    return Tally(
        wins=sums.wins,
        moves=sums.moves,
        guesses=sums.guesses,
        all_guesses=sums.all_guesses,
        survived=round(sums.log_survived / LOG_UNIT),
        fallbacks=sums.fallbacks,
    )


def _mine_mask(series: Series) -> bytes:
    """Return one byte per cell: 1 if the first-click rule allows a mine there."""
    board, start = series.board, series.board.start
    near = frozenset(board.neighbours(start) if start and series.first_click == "open" else ())
    far = frozenset(board.cells()) - near - (frozenset() if series.first_click == "any" else {start})
    if series.mines > len(far) > 0:
        raise BoardSyntaxError(
            f"expected at most {len(far)} mines besides the first click and its neighbours, got {series.mines} "
            "(only a strategy written in Python can play such boards, in plain games)"
        )
    mask = bytearray(series.rows * series.columns)
    for row, column in far or near:
        mask[row * series.columns + column] = 1
    return bytes(mask)
