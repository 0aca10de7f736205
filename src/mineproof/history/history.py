"""The history of finished games: add, search, summarize, import and export."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, Self, get_args

from mineproof.base import checks, files
from mineproof.base.budget import Budget, Deadline
from mineproof.board.geometry import TOPOLOGIES, Topology
from mineproof.board.levels import LEVELS, read_size
from mineproof.errors import BoardSyntaxError, HistoryError
from mineproof.game import record as saving
from mineproof.game.game import Game
from mineproof.game.record import Record
from mineproof.game.rules import FAIRNESSES, Fairness
from mineproof.history import exchange, facts
from mineproof.history.connection import StoreClient
from mineproof.history.exchange import Export, GameOrigin
from mineproof.history.facts import Help
from mineproof.history.game_row import IMPORTED, KeptGame, level_name, timestamp
from mineproof.history.mouse_paths import path_json
from mineproof.history.store import MAX_INTEGER, GameFilter, LevelGroup
from mineproof.history.summaries import LevelSummary, summarize_level

if TYPE_CHECKING:
    from mineproof.history.wire import HistoryJson

SCHEMA: Final = "mineproof/history/1"

Order = Literal["date", "time", "3bv", "speed", "clicks", "guesses", "luck"]

ORDERS: tuple[Order, ...] = get_args(Order)
Origin = Literal["own", "imported", "all"]
ORIGINS: tuple[Origin, ...] = get_args(Origin)
IMPORTED_BY_ORIGIN: dict[Origin, bool | None] = {"own": False, "imported": True, "all": None}
OWN_FILE = "file"  # the source of imported games that the player says are their own
REVIEW_SECONDS = 2.0  # for the guesses and luck of one game when it is added


class Added(NamedTuple):
    """A stored game, and whether it is new; the same game added again is not."""

    game: KeptGame
    new: bool


class History(StoreClient):
    """The history of finished games, in one file that several programs and threads may use at once.

    >>> from tempfile import TemporaryDirectory
    >>> from mineproof.game.layout import Layout
    >>> game = Game(Layout(9, 9, frozenset((0, column) for column in range(9)) | {(2, 4)}), first_click="any")
    >>> lost = game.open(0, 0)
    >>> with TemporaryDirectory() as folder, History.open(folder) as history:
    ...     stored = history.add(game, help_used={}).game
    ...     print(stored.id, stored.level, stored.won, history.add(game).new, len(history.games(level="beginner")))
    1 beginner False False 1
    """

    @classmethod
    def open(cls, path: str | PathLike[str] | None = None) -> Self:
        """Open the history in a file or folder, by default the one of ``mineproof play``.

        The first added game creates the file. Raises HistoryError if the file cannot be used: it is damaged, of a newer
        mineproof, or of another kind.
        """
        return super().open(path)

    @property
    def path(self) -> Path:
        """The file. Raises HistoryError if the history is in PostgreSQL."""
        return self._store.path

    def __len__(self) -> int:
        return self._store.count(GameFilter())

    def __contains__(self, game_id: object) -> bool:
        """Is there a game with this id?"""
        return isinstance(game_id, int) and self._store.game(_check_id(game_id)) is not None

    # adding

    def add(
        self,
        played: Game | Record,
        *,
        help_used: Help | None = None,
        when: datetime | None = None,
        source: str = "play",
        player: str | None = None,
        given: bool | None = None,
        again: bool | None = None,
        budget: Budget | float = REVIEW_SECONDS,
    ) -> Added:
        """Store a finished game. Raises IllegalMoveError for a running game, HistoryError if it cannot be written.

        ``help_used`` counts the help by kind, such as ``{"hints": [1, 0, 0, 2], "odds_moves": 3}``: ``{}`` for no help,
        None if unknown. ``undos`` default to those of the record, ``pauses`` are not help, and ``repeats`` set
        ``again``. ``when`` defaults to now. ``given``: the layout or position was chosen. ``again``: the same board was
        played before. The budget is for guesses and luck; if it is not enough, they stay None until `fill` computes
        them.
        """
        record = played.record() if isinstance(played, Game) else checks.instance("played", played, Record, "or a Game")
        moment = datetime.now(UTC) if when is None else when
        return self._add_record(record, GameOrigin(help_used, moment, source, player, given, again), Budget.of(budget))

    def _add_record(self, record: Record, origin: GameOrigin, budget: Budget) -> Added:
        text = saving.to_json(record)
        values = facts.record_facts(record)
        values |= facts.guess_facts(record, budget)
        values |= facts.help_facts(origin.help_used, sum(move.kind == "undo" for move in record.moves))
        values |= {
            "fingerprint": facts.fingerprint(text),
            "added": timestamp(datetime.now(UTC)),
            "played": None if origin.when is None else timestamp(origin.when),
            "source": origin.source,
            "player": origin.player,
            "given": origin.given,
            "again": True if (origin.help_used or {}).get(facts.REPEATS) else origin.again,
            "seed": record.seed if origin.seeded else None,
        }
        path = None if origin.path is None else path_json(origin.path)
        game_id, new = self._store.insert(values, text, path)
        return Added(self.game(game_id), new)

    def import_file(
        self,
        path: str | PathLike[str],
        *,
        help_used: Help | None = None,
        when: datetime | None = None,
        player: str | None = None,
        mine: bool = False,
        budget: Budget | float = REVIEW_SECONDS,
    ) -> list[Added]:
        """Store the games of a file: a saved game, a replay, or JSON lines of `export`.

        Raises BoardSyntaxError if the file is of another kind or a game cannot be replayed, IllegalMoveError for a
        running game; the games before it are stored. Date and player come from the replay, or from the arguments. Help
        comes from a saved game of ``play``; programs that write replays give none. Imported games are kept apart from
        those played here, unless they are ``mine``.
        """
        data = files.read(Path(path), files.MAX_RESULT_BYTES)
        try:
            return self.import_data(
                data, file=Path(path).name, help_used=help_used, when=when, player=player, mine=mine, budget=budget
            )
        except BoardSyntaxError as error:
            error.source = str(path)
            raise

    def import_data(
        self,
        data: bytes,
        *,
        file: str = "",
        help_used: Help | None = None,
        when: datetime | None = None,
        player: str | None = None,
        mine: bool = False,
        budget: Budget | float = REVIEW_SECONDS,
    ) -> list[Added]:
        """Store the games of a file, given as bytes; the name of the file helps to recognize the format."""
        checks.instance("data", data, bytes, "those of a file")
        options = GameOrigin(help_used, when, OWN_FILE if mine else IMPORTED, player)
        games = list(exchange.read_games(data, checks.instance("file", file, str)))
        return [self._add_record(record, origin.completed_by(options), Budget.of(budget)) for record, origin in games]

    def import_within(
        self, data: bytes, budget: Budget, *, file: str = "", player: str | None = None
    ) -> tuple[list[Added], int]:
        """Import the games of a file within one budget; return the stored games and the number of omitted ones.

        Guesses and luck take at most half of the time; `fill` computes the rest. Raises BudgetExceeded if the file
        cannot even be read in time. Then nothing is stored.
        """
        deadline, review_deadline = Deadline(budget), Deadline(replace(budget, seconds=budget.seconds / 2))
        options, games, added = GameOrigin(player=player), [], []
        for game in exchange.read_games(data, file):
            deadline.check()
            games.append(game)
        for record, origin in games:
            if deadline.passed:
                break
            added.append(self._add_record(record, origin.completed_by(options), review_deadline.rest()))
        return added, len(games) - len(added)

    @property
    def unfilled(self) -> int:
        """Number of games without guesses and luck."""
        return self._store.count(GameFilter(unfilled=True))

    def fill(self, *, budget: Budget | float | None = None) -> int:
        """Compute missing guesses and luck, with a budget per game; return the number of filled games."""
        filled = 0
        for game_id, text in self._store.games_without_luck():
            values = facts.guess_facts(self._parse_record(game_id, text), Budget.of(budget))
            if values["guesses"] is not None:
                filled += self._store.update(game_id, values)
        return filled

    # changing

    def name(self, game_id: int, player: str | None) -> KeptGame:
        """Set the name of the player of a game, for the hall of fame; None removes it."""
        player = None if player is None else exchange.check_name("player", player)
        self.game(game_id)
        self._store.update(game_id, {"player": player})
        return self.game(game_id)

    def forget(self, game_ids: Iterable[int] | None) -> list[int]:
        """Delete games, all of them if None; return the ids of deleted games."""
        return self._store.delete(None if game_ids is None else [_check_id(game_id) for game_id in game_ids])

    # looking

    def game(self, game_id: int) -> KeptGame:
        """Return a game. Raises HistoryError if there is no game with this id."""
        game = self._store.game(_check_id(game_id))
        if game is None:
            raise self._missing_game_error(game_id)
        return game

    def record(self, game_id: int) -> Record:
        """Return the record of a game for replay or review. Raises HistoryError if there is no game with this id."""
        return self._parse_record(game_id, self._record_text(game_id))

    def mouse_path(self, game_id: int) -> list[list[float]] | None:
        """Return the path of the mouse in an imported game: milliseconds, and x and y in cells; None if unknown."""
        text = self._store.mouse_path(_check_id(game_id))
        return None if text is None else json.loads(text)

    def games(
        self,
        *,
        level: str | None = None,
        won: bool | None = None,
        with_help: bool | None = None,
        imported: bool | None = None,
        since: datetime | date | None = None,
        until: datetime | date | None = None,
        limit: int | None = None,
        order: Order = "date",
    ) -> list[KeptGame]:
        """Return games that match, by default the latest first.

        ``level`` is a name or ``WxHxM``, with any rules. ``since`` and ``until`` are days or moments, both included, in
        local time unless they have a zone. ``imported``: only games from files, or only others.

        Orders: ``date``; ``time``, the fastest first; ``3bv`` and
        ``guesses``, the most first; ``speed``, the most 3BV a second first; ``clicks``, the fewest first; ``luck``, the
        luckiest first.
        """
        checks.one_of("order", order, ORDERS)
        game_filter = GameFilter(
            level=_stored_level(level), won=won, with_help=with_help, imported=imported, since=_since(since),
            before=_before(until),
        )  # fmt: skip
        return self._store.select(game_filter, order, _check_limit(limit))

    def best_times(
        self,
        level: str,
        *,
        topology: Topology = "grid",
        fairness: Fairness = "none",
        no_guess: bool = False,
        with_help: bool | None = None,
        imported: bool | None = False,
        since: datetime | date | None = None,
        until: datetime | date | None = None,
        limit: int | None = 10,
    ) -> list[KeptGame]:
        """Return the fastest wins of a level with the same rules; of equal times the earlier first.

        Games that do not count (`KeptGame.counts`), games without a time and imported games are left out.
        ``imported=True`` returns only imported games, None both.
        """
        game_filter = replace(
            _group_filter(level, topology, fairness, no_guess), won=True, with_help=with_help, imported=imported,
            timed=True, since=_since(since), before=_before(until),
        )  # fmt: skip
        return self._store.select(game_filter, "time", _check_limit(limit))

    def summary(
        self,
        level: str,
        *,
        topology: Topology = "grid",
        fairness: Fairness = "none",
        no_guess: bool = False,
        with_help: bool | None = None,
        imported: bool | None = False,
        since: datetime | date | None = None,
        until: datetime | date | None = None,
    ) -> LevelSummary:
        """Return win rate with its 95 % interval, streaks and best times of a level with the same rules.

        Games that do not count (`KeptGame.counts`) and imported games are left out. ``imported=True`` summarizes only
        imported games, None both. Streaks leave out games without a date, too.
        """
        game_filter = replace(
            _group_filter(level, topology, fairness, no_guess),
            with_help=with_help,
            imported=imported,
            since=_since(since),
            before=_before(until),
        )
        return summarize_level(
            LevelGroup(level_name(read_size(level)), topology, fairness, bool(no_guess)),
            self._store.results(game_filter),
            without_help=None if with_help is True else self._best(game_filter, helped=False),
            with_help=None if with_help is False else self._best(game_filter, helped=True),
        )

    def summaries(
        self,
        *,
        level: str | None = None,
        with_help: bool | None = None,
        imported: bool | None = False,
        since: datetime | date | None = None,
        until: datetime | date | None = None,
    ) -> list[LevelSummary]:
        """Return a summary per level and rules, of games that count; named levels first.

        Imported games are left out; ``imported=True`` summarizes only them, None both.
        """
        game_filter = GameFilter(
            level=_stored_level(level), with_help=with_help, imported=imported, since=_since(since),
            before=_before(until), counts=True,
        )  # fmt: skip
        return [
            self.summary(
                group.level, topology=group.topology, fairness=group.fairness, no_guess=group.no_guess,
                with_help=with_help, imported=imported, since=since, until=until,
            )
            for group in sorted(self._store.groups(game_filter), key=_sort_key)
        ]  # fmt: skip

    def export(self, kind: Export, games: Iterable[KeptGame] | None = None) -> Iterator[str]:
        """Export games, by default all in the order of `games`, as the lines of a file.

        ``csv`` is a table; ``jsonl`` has one JSON object per game with its record, which `import_file` reads.
        """
        checks.one_of("kind", kind, exchange.EXPORTS)
        exported = self.games() if games is None else games
        return (
            exchange.csv_lines(exported)
            if kind == "csv"
            else exchange.json_lines(exported, self._record_text, self._store.mouse_path)
        )

    def _best(self, game_filter: GameFilter, *, helped: bool) -> KeptGame | None:
        games = self._store.select(replace(game_filter, won=True, with_help=helped, timed=True), "time", 1)
        return games[0] if games else None

    def _record_text(self, game_id: int) -> str:
        text = self._store.record(_check_id(game_id))
        if text is None:
            raise self._missing_game_error(game_id)
        return text

    def _parse_record(self, game_id: int, text: str) -> Record:
        """Parse a stored record. Raises HistoryError if another program has changed it."""
        try:
            return saving.from_json(text)
        except BoardSyntaxError as error:
            raise HistoryError(f"Game {game_id} in the history {self._store.name} is damaged: {error}") from None

    def _missing_game_error(self, game_id: int) -> HistoryError:
        return HistoryError(f"No game {game_id} in the history {self._store.name}")


def games_json(games: Iterable[KeptGame]) -> HistoryJson:
    """The ``mineproof/history/1`` shape."""
    return {"schema": SCHEMA, "games": [game.as_json() for game in games]}


# arguments


def read_day(text: str) -> date | datetime:
    """Parse a day or a moment for `History.games`. Raises ValueError for other text.

    >>> read_day("2026-11-01"), read_day("20261101"), read_day("2026-11-01T18:30")
    (datetime.date(2026, 11, 1), datetime.date(2026, 11, 1), datetime.datetime(2026, 11, 1, 18, 30))
    """
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise ValueError(
            f"expected a day such as 2026-11-01, or 2026-11-01T18:30, got {checks.shorten(text)}"
        ) from None
    if not 2 <= moment.year <= 9998:
        raise ValueError(f"expected a day of the years 2 to 9998, got {text!r}")
    try:
        return date.fromisoformat(text)
    except ValueError:  # the text has a time, too
        return moment


def _group_filter(level: str, topology: Topology, fairness: Fairness, no_guess: bool) -> GameFilter:
    checks.one_of("topology", topology, TOPOLOGIES)
    checks.one_of("fairness", fairness, FAIRNESSES)
    return GameFilter(
        level=_stored_level(level), topology=topology, fairness=fairness, no_guess=bool(no_guess), counts=True
    )


def _stored_level(level: str | None) -> str | None:
    """A level as it is stored: by its name if it has one."""
    return None if level is None else level_name(read_size(checks.instance("level", level, str)))


def _sort_key(group: LevelGroup) -> tuple[bool, int, tuple[int, ...], LevelGroup]:
    """The order of groups: named levels in their order, then other sizes; plain rules first."""
    names, size = list(LEVELS), read_size(group.level)
    known = group.level in names
    place = names.index(group.level) if known else 0
    plain = (group.topology, group.fairness, group.no_guess) == ("grid", "none", False)
    return not known, place, (size.rows * size.columns, *size, not plain), group


def _check_id(game_id: int) -> int:
    return checks.whole("game_id", game_id, -MAX_INTEGER, MAX_INTEGER)


def _check_limit(limit: int | None) -> int | None:
    return None if limit is None else checks.whole("limit", limit, 0, MAX_INTEGER)


def _since(since: datetime | date | None) -> str | None:
    return None if since is None else _moment("since", since, timedelta(0))


def _before(until: datetime | date | None) -> str | None:
    """The first moment that is not included; for a day, the next day."""
    if until is None:
        return None
    return _moment("until", until, timedelta(milliseconds=1) if isinstance(until, datetime) else timedelta(days=1))


def _moment(name: str, value: datetime | date, later: timedelta) -> str:
    checks.instance(name, value, date, "or a datetime")
    try:
        return timestamp((value if isinstance(value, datetime) else datetime.combine(value, time())) + later)
    except OverflowError:
        raise ValueError(f"{name}: expected a day of the years 2 to 9998, got {value}") from None
