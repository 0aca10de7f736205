"""Finished games, kept: added, looked for, summed up, imported and exported."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from os import PathLike
from pathlib import Path
from typing import Literal, NamedTuple, Self, get_args

from mineproof.base import checks, files
from mineproof.base.budget import Budget
from mineproof.board.geometry import TOPOLOGIES, Topology
from mineproof.board.levels import LEVELS, read_size
from mineproof.errors import BoardSyntaxError, HistoryError
from mineproof.game import record as saving
from mineproof.game.game import Game
from mineproof.game.record import Record
from mineproof.game.rules import FAIRNESSES, Fairness
from mineproof.history import exchange, facts
from mineproof.history.exchange import About, Export
from mineproof.history.facts import Help
from mineproof.history.kept import KeptGame, level_name, timestamp
from mineproof.history.opening import InStore
from mineproof.history.store import LARGEST, Group, Wanted
from mineproof.history.summaries import LevelSummary, summed_up

SCHEMA = "mineproof/history/1"

Order = Literal["date", "time", "3bv", "speed", "clicks", "guesses", "luck"]

ORDERS: tuple[Order, ...] = get_args(Order)
THOUGHT = 2.0  # seconds that the guesses of one game may take when it is added


class Added(NamedTuple):
    """A game as it is kept now, and whether it is new; the same game added again is not."""

    game: KeptGame
    new: bool


class History(InStore):
    """The games that were finished, in one file that several programs and threads may use at once.

    >>> from tempfile import TemporaryDirectory
    >>> from mineproof.game.layout import Layout
    >>> game = Game(Layout(9, 9, frozenset((0, column) for column in range(9)) | {(2, 4)}), first_click="any")
    >>> lost = game.open(0, 0)
    >>> with TemporaryDirectory() as folder, History.open(folder) as history:
    ...     kept = history.add(game, help_used={}).game
    ...     print(kept.id, kept.level, kept.won, history.add(game).new, len(history.games(level="beginner")))
    1 beginner False False 1
    """

    @classmethod
    def open(cls, path: str | PathLike[str] | None = None) -> Self:
        """The history in a file or folder, by default the one that ``mineproof play`` fills.

        The file is made when the first game is added. HistoryError if there is one that cannot be used: it is of a
        later mineproof, damaged, or something else.
        """
        return super().open(path)

    @property
    def path(self) -> Path:
        """The file; HistoryError where the history is in PostgreSQL."""
        return self._store.path

    def __len__(self) -> int:
        return self._store.count(Wanted())

    def __contains__(self, game_id: object) -> bool:
        """Is there a game with this number?"""
        return isinstance(game_id, int) and self._store.game(_id(game_id)) is not None

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
        budget: Budget | float = THOUGHT,
    ) -> Added:
        """Keep a finished game; IllegalMoveError while it is on, HistoryError if it cannot be written.

        ``help_used`` counts what was asked for, such as ``{"hints": [1, 0, 0, 2], "odds_moves": 3}``: ``{}`` if nothing
        was, None if nobody knows. ``undos`` are counted from the record if left out, ``pauses`` are no help, and
        ``repeats`` set ``again``. ``when`` it was played is now if left out. ``given`` says that the layout or position
        was chosen, ``again`` that the same board was played before. The budget is for its guesses and luck; where it
        does not last they are left open, and `fill` works them out later.
        """
        record = played.record() if isinstance(played, Game) else checks.instance("played", played, Record, "or a Game")
        moment = datetime.now(UTC) if when is None else when
        return self._add(record, About(help_used, moment, source, player, given, again), Budget.of(budget))

    def _add(self, record: Record, about: About, budget: Budget) -> Added:
        text = saving.to_json(record)
        values = facts.of_record(record)
        values |= facts.of_guesses(record, budget)
        values |= facts.of_help(about.help_used, sum(move.kind == "undo" for move in record.moves))
        values |= {
            "fingerprint": facts.fingerprint(text),
            "added": timestamp(datetime.now(UTC)),
            "played": None if about.when is None else timestamp(about.when),
            "source": about.source,
            "player": about.player,
            "given": about.given,
            "again": True if (about.help_used or {}).get(facts.REPEATS) else about.again,
            "seed": record.seed if about.seeded else None,
        }
        game_id, new = self._store.insert(values, text)
        return Added(self.game(game_id), new)

    def import_file(
        self,
        path: str | PathLike[str],
        *,
        help_used: Help | None = None,
        when: datetime | None = None,
        player: str | None = None,
        budget: Budget | float = THOUGHT,
    ) -> list[Added]:
        """Keep the games of a file: a saved game, a replay, or what `export` wrote as JSON lines.

        Raises BoardSyntaxError where it is none of these or a game cannot be replayed, IllegalMoveError where one is
        still on; games before it are kept then. When a game was played, and by whom, is what a replay tells, or what is
        told here. Help is what a saved game of ``play`` tells; programs that write replays give none.
        """
        data = files.read(Path(path), files.LARGEST_RESULT)
        try:
            return self.import_data(
                data, file=Path(path).name, help_used=help_used, when=when, player=player, budget=budget
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
        budget: Budget | float = THOUGHT,
    ) -> list[Added]:
        """The same of the bytes of a file; ``file`` is what it is called, for bytes that could be several things."""
        checks.instance("data", data, bytes, "those of a file")
        told = About(help_used, when, player=player)
        found = list(exchange.read(data, checks.instance("file", file, str)))
        return [self._add(record, about.with_told(told), Budget.of(budget)) for record, about in found]

    @property
    def unfilled(self) -> int:
        """Of how many games guesses and luck are still to be worked out."""
        return self._store.count(Wanted(unfilled=True))

    def fill(self, *, budget: Budget | float | None = None) -> int:
        """Work out guesses and luck where that took too long before, within a budget for each; for how many it did."""
        filled = 0
        for game_id, text in self._store.unfilled():
            values = facts.of_guesses(saving.from_json(text), Budget.of(budget))
            if values["guesses"] is not None:
                filled += self._store.update(game_id, values)
        return filled

    # changing

    def name(self, game_id: int, player: str | None) -> KeptGame:
        """Say who played a game, for the hall of fame; None takes the name off."""
        named = None if player is None else exchange.label("player", player)
        self.game(game_id)
        self._store.update(game_id, {"player": named})
        return self.game(game_id)

    def forget(self, game_ids: Iterable[int] | None) -> list[int]:
        """Delete games, all of them if None; the numbers of those that were there."""
        return self._store.delete(None if game_ids is None else [_id(each) for each in game_ids])

    # looking

    def game(self, game_id: int) -> KeptGame:
        """One game; HistoryError if there is none with this number."""
        found = self._store.game(_id(game_id))
        if found is None:
            raise self._no_game(game_id)
        return found

    def record(self, game_id: int) -> Record:
        """The record of a game, to be replayed or reviewed; HistoryError if there is none with this number."""
        return saving.from_json(self._record_text(game_id))

    def games(
        self,
        *,
        level: str | None = None,
        won: bool | None = None,
        with_help: bool | None = None,
        since: datetime | date | None = None,
        until: datetime | date | None = None,
        limit: int | None = None,
        order: Order = "date",
    ) -> list[KeptGame]:
        """Games that are as asked for, the latest first or by another order.

        ``level`` is a name or ``WxHxM``, whatever the rules. ``since`` and ``until`` are days or moments, both
        included, local time where they name no zone. Orders: ``date``; ``time``, the fastest first; ``3bv`` and
        ``guesses``, the most first; ``speed``, the most 3BV a second first; ``clicks``, the fewest first; ``luck``, the
        luckiest first.
        """
        checks.one_of("order", order, ORDERS)
        wanted = Wanted(level=_level(level), won=won, with_help=with_help, since=_since(since), before=_before(until))
        return self._store.select(wanted, order, _limit(limit))

    def best_times(
        self,
        level: str,
        *,
        topology: Topology = "grid",
        fairness: Fairness = "none",
        no_guess: bool = False,
        with_help: bool | None = None,
        since: datetime | date | None = None,
        until: datetime | date | None = None,
        limit: int | None = 10,
    ) -> list[KeptGame]:
        """The fastest wins of a level by the same rules, of those that count; of two that are equal the earlier first.

        Games by other rules have lists of their own. A game without a time is in none.
        """
        wanted = replace(
            _group(level, topology, fairness, no_guess), won=True, with_help=with_help, timed=True,
            since=_since(since), before=_before(until),
        )  # fmt: skip
        return self._store.select(wanted, "time", _limit(limit))

    def summary(
        self,
        level: str,
        *,
        topology: Topology = "grid",
        fairness: Fairness = "none",
        no_guess: bool = False,
        with_help: bool | None = None,
        since: datetime | date | None = None,
        until: datetime | date | None = None,
    ) -> LevelSummary:
        """Win rate with its 95 % interval, streaks and best times of a level by the same rules.

        Games that do not count are left out (`KeptGame.counts`), and from streaks those of which nobody knows when
        they were played.
        """
        wanted = replace(
            _group(level, topology, fairness, no_guess), with_help=with_help, since=_since(since), before=_before(until)
        )
        return summed_up(
            Group(level_name(read_size(level)), topology, fairness, bool(no_guess)),
            self._store.results(wanted),
            without_help=None if with_help is True else self._best(wanted, helped=False),
            with_help=None if with_help is False else self._best(wanted, helped=True),
        )

    def summaries(
        self,
        *,
        level: str | None = None,
        with_help: bool | None = None,
        since: datetime | date | None = None,
        until: datetime | date | None = None,
    ) -> list[LevelSummary]:
        """A summary for each level and rules by which games were played that count; named levels first."""
        wanted = Wanted(
            level=_level(level), with_help=with_help, since=_since(since), before=_before(until), counts=True
        )
        return [
            self.summary(
                group.level, topology=group.topology, fairness=group.fairness, no_guess=group.no_guess,
                with_help=with_help, since=since, until=until,
            )
            for group in sorted(self._store.groups(wanted), key=_place)
        ]  # fmt: skip

    def export(self, kind: Export, games: Iterable[KeptGame] | None = None) -> Iterator[str]:
        """Games, by default all in the order of `games`, as the lines of a file.

        ``csv`` is a table; ``jsonl`` has the records too, one JSON object a line, and `import_file` reads it.
        """
        checks.one_of("kind", kind, exchange.EXPORTS)
        chosen = self.games() if games is None else games
        return exchange.csv_lines(chosen) if kind == "csv" else exchange.json_lines(chosen, self._record_text)

    def _best(self, wanted: Wanted, *, helped: bool) -> KeptGame | None:
        found = self._store.select(replace(wanted, won=True, with_help=helped, timed=True), "time", 1)
        return found[0] if found else None

    def _record_text(self, game_id: int) -> str:
        text = self._store.record(_id(game_id))
        if text is None:
            raise self._no_game(game_id)
        return text

    def _no_game(self, game_id: int) -> HistoryError:
        return HistoryError(f"found no game {game_id} in the history {self._store.name}")


def games_json(games: Iterable[KeptGame]) -> dict[str, object]:
    """The ``mineproof/history/1`` shape."""
    return {"schema": SCHEMA, "games": [game.as_json() for game in games]}


# what is asked for


def read_day(text: str) -> date | datetime:
    """A day, or a moment, as people write it for `History.games`; ValueError where it is neither.

    >>> read_day("2026-11-01"), read_day("20261101"), read_day("2026-11-01T18:30")
    (datetime.date(2026, 11, 1), datetime.date(2026, 11, 1), datetime.datetime(2026, 11, 1, 18, 30))
    """
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise ValueError(
            f"found {checks.shortened(text)}, expected a day such as 2026-11-01, or 2026-11-01T18:30"
        ) from None
    if not 2 <= moment.year <= 9998:
        raise ValueError(f"found {text!r}, expected a day of the years 2 to 9998")
    try:
        return date.fromisoformat(text)
    except ValueError:  # it has a time, too
        return moment


def _group(level: str, topology: Topology, fairness: Fairness, no_guess: bool) -> Wanted:
    checks.one_of("topology", topology, TOPOLOGIES)
    checks.one_of("fairness", fairness, FAIRNESSES)
    return Wanted(level=_level(level), topology=topology, fairness=fairness, no_guess=bool(no_guess), counts=True)


def _level(level: str | None) -> str | None:
    """As it is kept: a name where the size has one."""
    return None if level is None else level_name(read_size(checks.instance("level", level, str)))


def _place(group: Group) -> tuple[bool, int, tuple[int, ...], Group]:
    """Where a group stands in a list: known levels in their order, then others by size; plain rules first."""
    names, size = list(LEVELS), read_size(group.level)
    known = group.level in names
    place = names.index(group.level) if known else 0
    plain = (group.topology, group.fairness, group.no_guess) == ("grid", "none", False)
    return not known, place, (size.rows * size.columns, *size, not plain), group


def _id(game_id: int) -> int:
    return checks.whole("game_id", game_id, -LARGEST, LARGEST)


def _limit(limit: int | None) -> int | None:
    return None if limit is None else checks.whole("limit", limit, 0, LARGEST)


def _since(since: datetime | date | None) -> str | None:
    return None if since is None else _moment("since", since, timedelta(0))


def _before(until: datetime | date | None) -> str | None:
    """The moment that is just not included: after a day, the next one."""
    if until is None:
        return None
    return _moment("until", until, timedelta(milliseconds=1) if isinstance(until, datetime) else timedelta(days=1))


def _moment(name: str, value: datetime | date, later: timedelta) -> str:
    checks.instance(name, value, date, "or a datetime")
    try:
        return timestamp((value if isinstance(value, datetime) else datetime.combine(value, time())) + later)
    except OverflowError:
        raise ValueError(f"found {name}={value}, expected a day of the years 2 to 9998") from None
