"""Strategies on the same survival-weighted games; `mineproof.simulation.weighted` is what comes of it.

Games    Game k of a seed is that of plain simulations: the same layout, the same random numbers for the strategy. What
         is redrawn where a guess was a mine depends on seed, k, the cell, and the layout and position at hand.
Players  Each plays a game from its beginning, alone: as long as they choose the same cells, the games are the same.
Chunks   Games that are played in one go; their bounds depend on numbers, board and players alone.
Enough   Whether the standard errors are small enough is looked at with the chunk that completes `STEP` more games, in
         order, so the answer is the same for any number of threads. Games that were played beyond count for nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from mineproof.base import checks
from mineproof.base.processors import processors
from mineproof.board.cells import Cell
from mineproof.board.geometry import Topology
from mineproof.board.levels import as_size
from mineproof.board.start import FirstClick
from mineproof.decision.own import Choose, Own
from mineproof.engine.answers import Engine, SurvivalWeights
from mineproof.engine.choice import chosen_engine
from mineproof.game.layout import Layout
from mineproof.simulation.comparison import require_same_games
from mineproof.simulation.own_games import own_chunk
from mineproof.simulation.own_weighted import survive_own
from mineproof.simulation.running import (
    MOST_THREADS,
    as_start,
    chunk_size,
    default_start,
    match_of,
    own_of,
    require_numbers,
    strategy_name,
)
from mineproof.simulation.series import StartCell, require_same_series
from mineproof.simulation.spreading import Stop, spread
from mineproof.simulation.weighted import WEIGHT, Tournament, WeightedGames

GAMES = 10_000  # by default, if no standard error is wished for
MOST_GAMES = 10_000_000  # if one is
CHUNK = 16  # games: a chunk that is broken off is lost, and strategies that think for long may play
STEP, FEWEST = 256, 1024  # games between two looks at the standard error, and before the first: fewer tell too little
LEAST_UNTIL = 0.001  # points


def tournament(
    rows: int | str = "expert",
    columns: int | None = None,
    mines: int | None = None,
    *,
    strategies: Sequence[str | Choose | WeightedGames],
    games: int | None = None,
    until: float | None = None,
    first_click: FirstClick = "safe",
    start: StartCell | None = None,
    seed: int = 0,
    topology: Topology = "grid",
    absent: Collection[Cell] = (),
    threads: int | None = None,
    first_game: int = 0,
    resume: Tournament | None = None,
    progress: Callable[[Tournament], None] | None = None,
    cancelled: Stop | None = None,
    engine: Engine | None = None,
) -> Tournament:
    """Play survival-weighted games with one or more strategies; the same answer for any number of threads.

    A strategy is what `simulate` takes, or the `WeightedGames` that one has played before, of the same series. Size,
    ``first_click``, ``start``, ``seed``, ``first_game``, ``threads``, ``progress`` and ``cancelled`` are those of
    `simulate`, too.

    ``games`` are played (10,000), or no more than those of a player that played before. With ``until`` only as many as
    it takes until the difference of each two strategies (of a single one the win rate) has a standard error of so many
    percentage points or less, which is looked at after every 256 games from 1,024 on. ``resume`` goes on from what
    was broken off, or with more games.

    >>> found = tournament(9, 9, 10, strategies=("strong", "fast"), games=400, seed=1)
    >>> found.games, found.difference().standard_error < found.players[0].standard_error / 2
    (400, True)
    """
    size, using = as_size(rows, columns, mines), chosen_engine(engine)
    board = Layout(size.rows, size.columns, frozenset(), None, topology, checks.cells("absent", absent))
    asked = _asked(games, until)
    require_numbers(asked, first_game, threads)
    for name, function in (("progress", progress), ("cancelled", cancelled)):
        checks.called(name, function)
    begun = WeightedGames(
        **size._asdict(), topology=topology, absent=board.absent, first_click=first_click,
        start=as_start(start) or default_start(board, first_click), strategy="", seed=seed, first_game=first_game,
    )  # fmt: skip
    players = [_Player.of(given, begun, using) for given in _several(strategies)]
    asked = min([asked, *(player.before.games for player in players if player.before is not None)])
    fresh = Tournament(tuple(player.begun for player in players), asked, until)
    return _run(fresh if resume is None else _resumed(resume, fresh, players), players, threads, progress, cancelled)


def _asked(games: int | None, until: float | None) -> int:
    if until is not None and not LEAST_UNTIL <= checks.any_number("until", until) <= 50:
        raise ValueError(f"found until={until}, expected {LEAST_UNTIL} to 50 percentage points")
    return (GAMES if until is None else MOST_GAMES) if games is None else games


def _several(strategies: object) -> Sequence[object]:
    if isinstance(strategies, str) or not isinstance(strategies, Sequence) or not strategies:
        raise TypeError(f"found strategies={checks.shortened(strategies)}, expected a list of one or more strategies")
    return strategies


class _Player(NamedTuple):
    """Who plays: ``play`` has the weights of games; those of ``before``, if they were played already."""

    begun: WeightedGames
    play: Callable[[range, Stop], SurvivalWeights]
    chunk: int = 1  # games that it finishes together
    alone: bool = False  # in one thread only
    before: WeightedGames | None = None

    @staticmethod
    def of(given: object, series: WeightedGames, engine: Engine) -> _Player:
        if isinstance(given, WeightedGames):
            return _played_before(given, series)
        if (own := own_of(given, engine)) is not None:
            return _own_player(own, replace(series, strategy=own.name), engine)
        named = replace(series, strategy=strategy_name(given, engine)[0])
        return _Player(named, partial(engine.survive, match_of(named)), min(CHUNK, chunk_size(named)))


def _own_player(own: Own, series: WeightedGames, engine: Engine) -> _Player:
    play = partial(survive_own, series, match_of(series), own, engine)
    return _Player(series, play, own_chunk(series, own), alone=True)


def _played_before(games: WeightedGames, series: WeightedGames) -> _Player:
    require_same_games(series, games)
    first = games.first_game
    if first != series.first_game or not games.games:
        found = f"{games.games} games of {games.strategy} from {first} on"
        raise ValueError(f"found {found}, expected some from {series.first_game} on")

    def look_up(numbers: range, _: Stop) -> SurvivalWeights:
        return SurvivalWeights(games.weights[numbers.start - first : numbers.stop - first], 0)

    return _Player(replace(games, data=b"", cpu_seconds=0.0), look_up, before=games)


def _resumed(done: Tournament, start: Tournament, players: list[_Player]) -> Tournament:
    """What is done already of a tournament that is to be played."""
    checks.instance("resume", done, Tournament, "Tournament.from_json reads one")
    if len(done.players) != len(start.players):
        found, expected = len(done.players), len(start.players)
        raise ValueError(f"found a tournament of {found} strategies, expected {expected} to go on from it")
    for one, player in zip(done.players, players, strict=True):
        require_same_series(one, player.begun, "a tournament")
        if player.before is not None and not player.before.data.startswith(one.data):
            others = f"a tournament with other games of {one.strategy}"
            raise ValueError(f"found {others}, expected those that were played before to go on from it")
    if done.games > start.asked:
        raise ValueError(f"found a tournament of {done.games} games, expected no more than games={start.asked}")
    return replace(done, asked=start.asked, until=start.until)


# playing


class _Chunk(NamedTuple):
    """Games that all players have played, and how long it took each of them."""

    numbers: range
    found: list[SurvivalWeights]
    cpu_seconds: list[float]


def _run(
    start: Tournament,
    players: list[_Player],
    threads: int | None,
    progress: Callable[[Tournament], None] | None,
    cancelled: Stop | None,
) -> Tournament:
    size = max(player.chunk for player in players)
    began, gathered = time.monotonic() - start.seconds, _Gathered(start)
    first = start.players[0].first_game

    def look() -> Tournament:
        return replace(gathered.tournament(), seconds=time.monotonic() - began)

    def take(ready: list[_Chunk]) -> bool:
        enough = any(gathered.add(chunk) for chunk in ready)  # no further than to the first that is
        if progress is not None:
            progress(look())
        return enough

    if not gathered.is_enough(size):
        left = range(first + start.games, first + start.asked)
        alone = any(player.alone for player in players)
        busy = 1 if alone else min(threads or processors(), MOST_THREADS, len(left) // size + 1)
        spread(partial(_play, players), left, size, busy, take, cancelled)
    return look()


def _play(players: list[_Player], numbers: range, stopped: Stop) -> _Chunk | None:
    chunk = _Chunk(numbers, [], [])
    for player in players:
        began = time.thread_time()
        chunk.found.append(player.play(numbers, stopped))
        chunk.cpu_seconds.append(time.thread_time() - began)
        if len(chunk.found[-1].weights) < len(numbers):
            return None
    return chunk


class _Gathered:
    """Chunks added up in their order."""

    def __init__(self, start: Tournament) -> None:
        self._start = start
        self._data = [bytearray(player.data) for player in start.players]
        self._blind = [player.blind for player in start.players]
        self._cpu_seconds = [player.cpu_seconds for player in start.players]

    def add(self, chunk: _Chunk) -> bool:
        """Add games that follow; is that enough?"""
        for place, (found, cpu_seconds) in enumerate(zip(chunk.found, chunk.cpu_seconds, strict=True)):
            self._data[place] += found.weights.astype(WEIGHT).tobytes()
            self._blind[place] += found.blind
            self._cpu_seconds[place] += cpu_seconds
        return self.is_enough(len(chunk.numbers))

    def is_enough(self, last: int) -> bool:
        """Have the ``last`` games led past a place to look at the standard errors, and are they small enough?"""
        games = len(self._data[0]) // WEIGHT.itemsize
        if self._start.until is None or games < FEWEST or games // STEP == (games - last) // STEP:
            return False
        return self.tournament().is_sure

    def tournament(self) -> Tournament:
        parts = zip(self._start.players, self._data, self._blind, self._cpu_seconds, strict=True)
        players = (
            replace(player, data=bytes(data), blind=blind, cpu_seconds=cpu_seconds)
            for player, data, blind, cpu_seconds in parts
        )
        return replace(self._start, players=tuple(players))
