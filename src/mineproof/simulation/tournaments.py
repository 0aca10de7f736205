"""Tournaments: strategies play the same survival-weighted games; see `mineproof.simulation.weighted_results`.

Games    Game k of a seed has the same layout and random numbers as in plain simulations. After a guess hits a mine,
         the redrawn mines depend on seed, k, the cell, the layout and the position.
Players  Each player plays a game from its beginning. Games are identical as long as players choose the same cells.
Chunks   Games that are played in one call. Their bounds depend on numbers, board and players alone.
Enough   The standard errors are checked with each chunk that completes `STEP` more games, in order. So the result does
         not depend on the number of threads. Games beyond that chunk are discarded.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from mineproof.base import checks
from mineproof.base.processors import processors
from mineproof.base.threads import thread_seconds
from mineproof.base.words import plural
from mineproof.base.work import Stop
from mineproof.board.cells import Cell
from mineproof.board.geometry import Topology
from mineproof.board.levels import as_size
from mineproof.board.setup import Setup, accepts_setup
from mineproof.board.start import FirstClick
from mineproof.decision.custom import Choose, Own
from mineproof.engine.answers import Engine
from mineproof.engine.default import chosen_engine
from mineproof.game.layout import Layout
from mineproof.simulation.chunks import play_chunks
from mineproof.simulation.comparison import require_same_games
from mineproof.simulation.custom_games import own_chunk
from mineproof.simulation.custom_weighted import WeightedPlays, survive_own
from mineproof.simulation.series import StartCell, require_same_series
from mineproof.simulation.simulator import (
    SIMULATION_MAX_THREADS,
    as_start,
    chunk_size,
    default_start,
    match_of,
    own_of,
    require_numbers,
    strategy_name,
)
from mineproof.simulation.weighted_results import WEIGHT, Tournament, WeightedGames

DEFAULT_GAMES = 10_000  # without `until`
MAX_GAMES = 10_000_000  # with `until`
TOURNAMENT_CHUNK = 16  # games: an interrupted chunk is lost, and some strategies are slow
STEP, MIN_GAMES = 256, 1024  # games between two checks of the standard error, and before the first check
MIN_UNTIL = 0.001  # percentage points


@accepts_setup
def tournament(
    rows: int | str | Setup = "expert",
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
    """Play survival-weighted games with one or more strategies. The result does not depend on the number of threads.

    ``strategies`` takes what `simulate` takes, and `WeightedGames` of an earlier tournament of the same series. Size,
    ``first_click``, ``start``, ``seed``, ``first_game``, ``threads``, ``progress`` and ``cancelled`` work as in
    `simulate`.

    ``games`` is the number of games, by default 10,000, and at most the number of games of an earlier player. With
    ``until`` the tournament ends when the difference of every two strategies (for one strategy: its win rate) has a
    standard error of at most ``until`` percentage points. That is checked every 256 games, first after 1,024.
    ``resume`` continues an interrupted tournament, or plays more games.

    >>> result = tournament(9, 9, 10, strategies=("strong", "fast"), games=400, seed=1)
    >>> result.games, result.difference().standard_error < result.players[0].standard_error / 2
    (400, True)
    """
    size, using = as_size(rows, columns, mines), chosen_engine(engine)
    board = Layout(size.rows, size.columns, frozenset(), None, topology, checks.cells("absent", absent))
    game_limit = _game_limit(games, until)
    require_numbers(game_limit, first_game, threads)
    for name, function in (("progress", progress), ("cancelled", cancelled)):
        checks.require_callable(name, function)
    begun = WeightedGames(
        **size._asdict(), topology=topology, absent=board.absent, first_click=first_click,
        start=as_start(start) or default_start(board, first_click), strategy="", seed=seed, first_game=first_game,
    )  # fmt: skip
    with ExitStack() as stack:
        players = []
        for strategy in _require_strategies(strategies):
            players.append(player := _TournamentPlayer.of(strategy, begun, using))
            stack.callback(player.close)
        game_limit = min([game_limit, *(player.earlier.games for player in players if player.earlier is not None)])
        fresh = Tournament(tuple(player.begun for player in players), game_limit, until)
        start_from = fresh if resume is None else _resume_tournament(resume, fresh, players)
        return _run_tournament(start_from, players, threads, progress, cancelled)


def _game_limit(games: int | None, until: float | None) -> int:
    if until is not None and not MIN_UNTIL <= checks.any_number("until", until) <= 50:
        raise ValueError(f"until must be from {MIN_UNTIL} to 50 percentage points, got {until}")
    return (DEFAULT_GAMES if until is None else MAX_GAMES) if games is None else games


def _require_strategies(strategies: object) -> Sequence[object]:
    if isinstance(strategies, str) or not isinstance(strategies, Sequence) or not strategies:
        raise TypeError(f"strategies must be a list of one or more strategies, got {checks.shorten(strategies)}")
    return strategies


class _TournamentPlayer(NamedTuple):
    """A strategy: ``play`` returns the weights of games, looked up in ``earlier`` if they were played before."""

    begun: WeightedGames
    play: Callable[[range, Stop], WeightedPlays]
    chunk: int = 1  # games that it finishes together
    alone: bool = False  # in one thread only
    earlier: WeightedGames | None = None
    close: Callable[[], None] = lambda: None  # after the last game

    @staticmethod
    def of(strategy: object, series: WeightedGames, engine: Engine) -> _TournamentPlayer:
        if isinstance(strategy, WeightedGames):
            return _earlier_player(strategy, series)
        if (own := own_of(strategy, engine)) is not None:
            return _own_player(own, replace(series, strategy=own.name), engine)
        named = replace(series, strategy=strategy_name(strategy, engine)[0])
        chunk = min(TOURNAMENT_CHUNK, chunk_size(named))
        match = match_of(named)
        return _TournamentPlayer(
            named, lambda numbers, stopped: WeightedPlays(*engine.survive(match, numbers, stopped)), chunk
        )


def _own_player(own: Own, series: WeightedGames, engine: Engine) -> _TournamentPlayer:
    play = partial(survive_own, series, match_of(series), own, engine)
    return _TournamentPlayer(series, play, own_chunk(series, own), alone=True, close=own.close)


def _earlier_player(games: WeightedGames, series: WeightedGames) -> _TournamentPlayer:
    require_same_games(series, games)
    first = games.first_game
    if first != series.first_game or not games.games:
        raise ValueError(
            f"expected earlier games of {games.strategy} that start with game {series.first_game}, "
            f"got {games.games} from game {first}"
        )

    def look_up(numbers: range, _: Stop) -> WeightedPlays:
        return WeightedPlays(games.weights[numbers.start - first : numbers.stop - first], 0)

    return _TournamentPlayer(replace(games, data=b"", cpu_seconds=0.0), look_up, earlier=games)


def _resume_tournament(done: Tournament, start: Tournament, players: list[_TournamentPlayer]) -> Tournament:
    """Return the finished part with the new limits; ValueError if it does not fit the tournament to play."""
    checks.instance("resume", done, Tournament, "Tournament.from_json reads one")
    if len(done.players) != len(start.players):
        count = plural(len(done.players), "player")
        raise ValueError(f"Cannot resume a tournament of {count} with {len(start.players)}.")
    for one, player in zip(done.players, players, strict=True):
        require_same_series(one, player.begun, "a tournament")
        if player.earlier is not None and not player.earlier.data.startswith(one.data):
            raise ValueError(
                f"Cannot resume: the tournament and the earlier player have other games of {one.strategy}."
            )
    if done.games > start.asked:
        raise ValueError(f"games must be at least {done.games}, the games of the resumed tournament, got {start.asked}")
    return replace(done, asked=start.asked, until=start.until)


# playing


class _WeightedChunk(NamedTuple):
    """Games that all players have played: the results and the processor time of each player."""

    numbers: range
    results: list[WeightedPlays]
    cpu_seconds: list[float]


def _run_tournament(
    start: Tournament,
    players: list[_TournamentPlayer],
    threads: int | None,
    progress: Callable[[Tournament], None] | None,
    cancelled: Stop | None,
) -> Tournament:
    size = max(player.chunk for player in players)
    began, sums = time.monotonic() - start.seconds, _TournamentSums(start)
    first = start.players[0].first_game

    def current() -> Tournament:
        return replace(sums.tournament(), seconds=time.monotonic() - began)

    def take(ready: list[_WeightedChunk]) -> bool:
        enough = any(sums.add(chunk) for chunk in ready)  # stops at the first chunk that is enough
        if progress is not None:
            progress(current())
        return enough

    if not sums.is_enough(size):
        left = range(first + start.games, first + start.asked)
        alone = any(player.alone for player in players)
        busy = 1 if alone else min(threads or processors(), SIMULATION_MAX_THREADS, len(left) // size + 1)
        play_chunks(partial(_play_chunk, players), left, size, busy, take, cancelled)
    return current()


def _play_chunk(players: list[_TournamentPlayer], numbers: range, stopped: Stop) -> _WeightedChunk | None:
    chunk = _WeightedChunk(numbers, [], [])
    for player in players:
        began = thread_seconds()
        chunk.results.append(player.play(numbers, stopped))
        chunk.cpu_seconds.append(thread_seconds() - began + chunk.results[-1].waited_seconds)
        if len(chunk.results[-1].weights) < len(numbers):
            return None
    return chunk


class _TournamentSums:
    """Sums of chunks, added in order."""

    def __init__(self, start: Tournament) -> None:
        self._start = start
        self._data = [bytearray(player.data) for player in start.players]
        self._blind = [player.blind for player in start.players]
        self._cpu_seconds = [player.cpu_seconds for player in start.players]
        self._forfeits = [player.forfeits for player in start.players]

    def add(self, chunk: _WeightedChunk) -> bool:
        """Add the next games and return whether the result is precise enough."""
        for place, (result, cpu_seconds) in enumerate(zip(chunk.results, chunk.cpu_seconds, strict=True)):
            self._data[place] += result.weights.astype(WEIGHT).tobytes()
            self._blind[place] += result.blind
            self._cpu_seconds[place] += cpu_seconds
            self._forfeits[place] = self._forfeits[place].plus(result.forfeits)
        return self.is_enough(len(chunk.numbers))

    def is_enough(self, last: int) -> bool:
        """Return whether the ``last`` games completed a step and all standard errors are small enough."""
        games = len(self._data[0]) // WEIGHT.itemsize
        if self._start.until is None or games < MIN_GAMES or games // STEP == (games - last) // STEP:
            return False
        return self.tournament().is_sure

    def tournament(self) -> Tournament:
        parts = zip(self._start.players, self._data, self._blind, self._forfeits, self._cpu_seconds, strict=True)
        players = (
            replace(player, data=bytes(data), blind=blind, forfeits=forfeits, cpu_seconds=cpu_seconds)
            for player, data, blind, forfeits, cpu_seconds in parts
        )
        return replace(self._start, players=tuple(players))
