"""Playing many games, and counting how many are won; `mineproof.simulation.results` is what comes of it.

Games    Game k of a seed is layout k of that seed (see `mineproof.generation.making`) and, for a strategy that draws
         lots, its own stream of random numbers. It depends on nothing else, so games can be played in any order by
         any number of threads, broken off and taken up again, and two strategies can be compared on the same layouts.
Who      Built-in strategies play in the kernel and release the GIL. A Python function is asked for a cell, move by
         move, in one thread; each of its positions is also analysed, to tell guesses from knowledge.
Chunks   The kernel adds up logarithms as floats within a chunk of games. Where chunks begin and end depends on the
         numbers of the games alone, so the sums are the same however the chunks were spread. A chunk that was broken
         off counts for nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from mineproof.base import checks
from mineproof.base.processors import processors
from mineproof.board.cells import Cell
from mineproof.board.geometry import Topology
from mineproof.board.levels import as_size
from mineproof.board.start import FirstClick
from mineproof.decision.own import Choose, Own, installed, installed_strategy, own_strategy
from mineproof.engine.answers import Engine, GameSums, Match
from mineproof.engine.choice import chosen_engine
from mineproof.errors import BoardSyntaxError
from mineproof.game.layout import Layout
from mineproof.simulation.own_games import own_chunk, play_own
from mineproof.simulation.results import UNIT, Simulation, Tally
from mineproof.simulation.series import FIRST_STREAM, Series, StartCell, require_same_series
from mineproof.simulation.spreading import Stop, spread

# Where a start that opens its surroundings is by default: what wins most, on boards of so many cells or fewer
# and on larger ones (docs/benchmarks.md).
SMALL, OPEN_START_SMALL, OPEN_START = 256, (2, 2), (3, 3)

CHUNK = 64  # games: a second for the slowest strategy, and for the fastest still far more than a call costs
CHUNK_CELLS = 1 << 16  # of a chunk: fewer games where boards are large, so that Ctrl-C loses little
MOST_THREADS = 256


def simulate(
    rows: int | str = "expert",
    columns: int | None = None,
    mines: int | None = None,
    *,
    games: int = 10_000,
    strategy: str | Choose = "fast",
    first_click: FirstClick = "safe",
    start: StartCell | None = None,
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
    """Play games ``first_game``, ``first_game + 1``, … of a seed; the same answer for any number of threads.

    The size is ``rows``, ``columns`` and ``mines``, or a level or ``"WxHxM"`` alone. ``strategy`` is the name of one,
    of `strategies` or of an installed package, or a function from the board that is seen to the cell to open next; what
    else it may be is told by `mineproof.decision.own`. The first click is made for it. Without ``start`` that is the
    cell nearest to the top left corner or, where its surroundings are kept free too, to (3,3), or (2,2) on small
    boards; ``"random"``, with ``first_click="any"``, is another cell in each game. ``threads`` are by default as many
    as there are processors.

    ``progress`` is called about twenty times a second with what is finished. ``cancelled`` is asked as often; once it
    says so, the answer is what is finished, of fewer ``games`` than ``asked``. ``resume`` goes on from there.

    Raises BoardSyntaxError for a board that cannot be, EngineMissing for a named strategy without the kernel, and
    IllegalMoveError where a function chooses a cell that cannot be opened.

    >>> found = simulate(9, 9, 10, games=1000, strategy="fast", seed=1)
    >>> found.games, 0.88 < found.interval.low < found.win_rate < found.interval.high < 0.95
    (1000, True)
    """
    size, using = as_size(rows, columns, mines), chosen_engine(engine)
    board = Layout(size.rows, size.columns, frozenset(), None, topology, checks.cells("absent", absent))
    require_numbers(games, first_game, threads)
    own = own_of(strategy, using)
    name, weighed = (own.name, True) if own is not None else strategy_name(strategy, using)
    series = Simulation(
        **size._asdict(), topology=topology, absent=board.absent, first_click=first_click,
        start=as_start(start) or default_start(board, first_click), strategy=name, seed=seed,
        first_game=first_game, asked=games, tally=Tally(), outcomes=b"", weighed=weighed,
    )  # fmt: skip
    checks.called("progress", progress)
    checks.called("cancelled", cancelled)
    begun = series if resume is None else _resumed(resume, series)
    if own is not None:
        return _run(begun, partial(play_own, begun, own, using), own_chunk(begun, own), 1, progress, cancelled)
    chunk = chunk_size(begun)
    busy = min(threads or processors(), MOST_THREADS, (games - begun.games) // chunk + 1)
    return _run(begun, kernel_player(begun, using), chunk, busy, progress, cancelled)


def default_start(board: Layout, first_click: FirstClick) -> Cell:
    """The first click where none is asked for."""
    row, column = (0, 0)
    if first_click == "open":
        row, column = OPEN_START_SMALL if board.rows * board.columns <= SMALL else OPEN_START
    return min(board.cells(), key=lambda cell: (abs(cell[0] - row) + abs(cell[1] - column), cell))


def as_start(cell: StartCell | None) -> StartCell | None:
    """A start as it was asked for, made sure to be one."""
    if cell is None or cell == "random":
        return cell
    if isinstance(cell, str):
        raise ValueError(f"found start={cell!r}, expected (row, column) or 'random'")
    return checks.cell("start", cell)


def own_of(strategy: object, engine: Engine) -> Own | None:
    """A strategy that is not the engine's: what was handed in, or what a package offers under a name."""
    if not isinstance(strategy, str):
        return None if strategy is None else own_strategy(strategy)
    return None if strategy in {each.name for each in engine.strategies} else installed_strategy(strategy)


def strategy_name(strategy: object, engine: Engine) -> tuple[str, bool]:
    """The name of a strategy of an engine, and whether it knows the odds of its guesses."""
    known = {each.name: each for each in engine.strategies}
    name = checks.instance("strategy", strategy, str, "the name of one, or a function")
    if name not in known and engine.plays:
        offered = sorted({each.name for each in installed()} - set(known))
        raise ValueError(f"found strategy={name!r}, expected one of {', '.join([*known, *offered])} or a function")
    return name, name not in known or known[name].weighs  # an engine that does not play will refuse


def require_numbers(games: int, first_game: int, threads: int | None) -> None:
    checks.whole("games", games, 1)
    checks.whole("first_game", first_game, 0)
    if threads is not None:
        checks.whole("threads", threads, 1)
    if first_game > FIRST_STREAM - games:  # what is not the layout's has the streams from there on
        raise ValueError(f"found {games} games from {first_game} on, expected numbers from 0 to 2**62 - 1")


def _resumed(done: Simulation, start: Simulation) -> Simulation:
    """What is done already of a simulation that is to be played."""
    checks.instance("resume", done, Simulation, "Simulation.from_json reads one")
    require_same_series(done, start, "a simulation")
    if done.games > start.asked:
        raise ValueError(f"found a simulation of {done.games} games, expected no more than games={start.asked}")
    return replace(done, asked=start.asked)


def chunk_size(series: Series) -> int:
    """A power of two up to `CHUNK`: it depends on the board alone, so that sums are the same in every run."""
    size = CHUNK
    while size > 1 and size * series.rows * series.columns > CHUNK_CELLS:
        size //= 2
    return size


# playing

Player = Callable[[range, Stop], tuple[Tally, bytes]]  # plays these games; fewer, from the first on, when stopped


class _Chunk(NamedTuple):
    """Games that were played in one go."""

    numbers: range
    tally: Tally
    outcomes: bytes
    cpu_seconds: float


def _run(
    start: Simulation,
    player: Player,
    size: int,
    threads: int,
    progress: Callable[[Simulation], None] | None,
    cancelled: Stop | None,
) -> Simulation:
    """Play what is left, and put the chunks together in the order of their numbers."""
    began = time.monotonic() - start.seconds
    found = start

    def play(numbers: range, stopped: Stop) -> _Chunk | None:
        began = time.thread_time()
        tally, outcomes = player(numbers, stopped)
        return _Chunk(numbers, tally, outcomes, time.thread_time() - began) if len(outcomes) == len(numbers) else None

    def take(ready: list[_Chunk]) -> bool:
        nonlocal found
        tally = sum((chunk.tally for chunk in ready), Tally())
        outcomes = b"".join(chunk.outcomes for chunk in ready)
        found = found.plus(tally, outcomes, sum(chunk.cpu_seconds for chunk in ready))
        if progress is not None:
            progress(replace(found, seconds=time.monotonic() - began))
        return False

    left = range(start.first_game + start.games, start.first_game + start.asked)
    spread(play, left, size, threads, take, cancelled)
    return replace(found, seconds=time.monotonic() - began)


# in the kernel


def kernel_player(series: Series, engine: Engine) -> Player:
    match = match_of(series)

    def play(numbers: range, stopped: Stop) -> tuple[Tally, bytes]:
        sums, outcomes = engine.simulate(match, numbers, stopped)
        return tally_of(sums), outcomes

    return play


def match_of(series: Series) -> Match:
    """What an engine is told of a series; BoardSyntaxError where a strategy with a name cannot play it."""
    board = series.board
    start = None if series.start == "random" else board.geometry.index(series.start)
    return Match(
        board.geometry, board.board().codes, _allowed(series), series.mines, start, series.strategy, series.seed
    )


def tally_of(sums: GameSums) -> Tally:
    survived = round(sums.log_survived / UNIT)
    return Tally(sums.wins, sums.moves, sums.guesses, 0, sums.all_guesses, survived, sums.fallbacks)


def _allowed(series: Series) -> bytes:
    """1 where a mine may be: where the rule on the first click keeps no cell free."""
    board, start = series.board, series.board.start
    near = frozenset(board.neighbours(start) if start and series.first_click == "open" else ())
    far = frozenset(board.cells()) - near - (frozenset() if series.first_click == "any" else {start})
    if series.mines > len(far) > 0:
        message = f"found {series.mines} mines, expected at most {len(far)} besides the first click and its neighbours"
        raise BoardSyntaxError(f"{message} (a Python function can play such boards, in plain games)")
    mask = bytearray(series.rows * series.columns)
    for row, column in far or near:
        mask[row * series.columns + column] = 1
    return bytes(mask)
