"""The plan of a sweep: its configurations, number of games, units, and the program that plays it.

The plan is the file ``plan.json`` of the folder, formatted for people too. It has everything the result depends on: the
version of mineproof, the signature of its answers, and for a strategy of another package the package and its version.
So the same plan gives the same files, byte for byte. A run can be resumed only with the plan it was started with.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING, Any, Final, TypeGuard, cast

import msgspec

from mineproof.base import checks
from mineproof.base.words import plural, size
from mineproof.bench.work import play_signature
from mineproof.board.cells import Cell
from mineproof.board.geometry import TOPOLOGIES, Topology
from mineproof.board.levels import Size, read_sides, read_size
from mineproof.board.start import FIRST_CLICKS, FirstClick
from mineproof.decision.custom import offered_strategy
from mineproof.engine.default import default_engine
from mineproof.errors import BoardSyntaxError, SweepError
from mineproof.game.layout import Layout
from mineproof.protocol.bots import BotStrategy
from mineproof.protocol.names import is_bot
from mineproof.simulation.intervals import Z
from mineproof.simulation.results import Tally, Totals
from mineproof.simulation.series import PARTS, Series, StartCell
from mineproof.simulation.simulator import (
    CHUNK,
    as_start,
    chunk_size,
    default_start,
    match_of,
    require_numbers,
    strategy_name,
)
from mineproof.sweeps.units import GameColumn, Package, Unit, bot_package, columns_of
from mineproof.version import VERSION

if TYPE_CHECKING:
    from mineproof.bench.wire import PlaySignatureJson
    from mineproof.sweeps.wire import ConfigurationJson, PlanJson

SCHEMA: Final = "mineproof/plan/1"

DEFAULT_GAMES = 10_000  # of a configuration, without `games` and `until`
OWN_UNIT = 256  # games of a strategy in Python: some seconds on expert
CHUNKS_PER_UNIT = 64  # 4,096 games on boards of up to 1,024 cells: half a second of `fast` on expert
MIN_UNTIL = 0.0001  # percentage points: 960 billion games
UNIT_MAX_GAMES = 1 << 20
MAX_CONFIGURATIONS = 100_000
FILE_MAX_GAMES = 1 << 20  # unless one unit has more


@dataclass(frozen=True)
class Configuration:
    """The games of one series, in units of ``unit`` games; ``columns`` are stored for each game."""

    series: Series
    weighed: bool
    games: int
    unit: int
    columns: tuple[GameColumn, ...]
    package: Package | None = None  # has the strategy, if it is not one of mineproof

    @property
    def units(self) -> int:
        """Maximum number of units."""
        return -(-self.games // self.unit)

    @property
    def units_of_a_file(self) -> int:
        return max(1, FILE_MAX_GAMES // self.unit)

    def numbers(self, index: int) -> range:
        """Return the numbers of the games of a unit."""
        return range(index * self.unit, min(self.games, (index + 1) * self.unit))

    def task(self, index: int) -> Unit:
        """Return a unit in the form that is sent to a worker."""
        return Unit(self.series, self.numbers(index), self.weighed, self.columns, VERSION, self.package)

    def totals(self, games: int, tally: Tally, *, ended: bool) -> Totals:
        """Return the totals of the first games; ``ended`` if no more will be played."""
        parts = {name: getattr(self.series, name) for name in PARTS}
        goal = games if ended else self.games
        return Totals(**parts, first_game=0, asked=goal, games=games, tally=tally, weighed=self.weighed)

    def as_json(self) -> ConfigurationJson:
        package = self.package
        return {
            **self.series.series_json(),
            "package": None if package is None else {"name": package.name, "version": package.version},
            "weighed": self.weighed,
            "unit": self.unit,
            "record": [list(column) for column in self.columns],
        }

    def by_this_program(self) -> Configuration:
        """Return a copy with the package version that is installed here; None if it is not installed."""
        return self if self.package is None else replace(self, package=_package(self.series.strategy))


@dataclass(frozen=True)
class Plan:
    """``games`` of each configuration, or fewer: until half of the interval is at most ``until`` percentage points."""

    version: str
    signature: dict[str, Any]
    games: int
    until: float | None
    configurations: tuple[Configuration, ...]

    def as_json(self) -> PlanJson:
        """Return the ``mineproof/plan/1`` object."""
        return {
            "schema": SCHEMA,
            "version": self.version,
            "signature": cast("PlaySignatureJson", self.signature),
            "games": self.games,
            "until": self.until,
            "configurations": [configuration.as_json() for configuration in self.configurations],
        }

    @property
    def text(self) -> str:
        """Content of the file, one line per configuration."""
        head = {**self.as_json(), "configurations": "HERE"}
        lines = ",\n".join(f"    {json.dumps(configuration.as_json())}" for configuration in self.configurations)
        return json.dumps(head, indent=2).replace('"HERE"', f"[\n{lines}\n  ]") + "\n"

    @property
    def digest(self) -> bytes:
        """Sixteen bytes that identify this plan; files of units begin with them."""
        return hashlib.blake2b(self.text.encode(), digest_size=16).digest()

    def by_this_program(self) -> Plan:
        """Return the same plan with the version and signature of this program."""
        configurations = tuple(configuration.by_this_program() for configuration in self.configurations)
        return replace(self, version=VERSION, signature=identity(), configurations=configurations)

    def is_narrow(self, half_width: float) -> bool:
        """Return whether half of an interval, as a share, is at most ``until``."""
        return self.until is not None and 100 * half_width <= self.until


def make_plan(
    sizes: object,
    mines: object,
    strategy: object,
    first_click: object,
    topology: object,
    start: StartCell | None,
    games: int | None,
    until: float | None,
    seed: int,
    unit: int | None,
    per_game: bool,
) -> Plan:
    """Return a plan of all combinations, in order; the strategies of a board are next to each other."""
    if until is not None and not MIN_UNTIL <= checks.any_number("until", until) <= 50:
        raise ValueError(f"until must be from {MIN_UNTIL} to 50 percentage points, got {until}")
    game_limit = _sufficient_games(until) if games is None else games
    require_numbers(game_limit, 0, None)
    checks.flag("per_game", per_game)
    if unit is not None and checks.whole("unit", unit, CHUNK, UNIT_MAX_GAMES) % CHUNK:
        raise ValueError(f"unit must be a multiple of {CHUNK}, got {unit}")
    configurations: dict[Series, Configuration] = {}
    begin = as_start(start)
    for board, kind, rule, name in product(
        list(_boards(sizes, mines)),
        _choices("topology", topology, TOPOLOGIES),
        _choices("first_click", first_click, FIRST_CLICKS),
        _as_list("strategy", strategy),
    ):
        if len(configurations) == MAX_CONFIGURATIONS:
            raise ValueError(f"A sweep has at most {MAX_CONFIGURATIONS:,} configurations, got more")
        configuration = _configuration(
            board, cast(Topology, kind), cast(FirstClick, rule), name, begin, seed, game_limit, unit, per_game
        )
        if configuration.series in configurations:
            parts = f"{size(*board)}, {kind}, first click {rule}, {configuration.series.strategy}"
            raise ValueError(f"configurations must be unique, got {parts} twice")
        configurations[configuration.series] = configuration
    limit = None if until is None else float(until)
    return Plan(VERSION, identity(), game_limit, limit, tuple(configurations.values()))


def plan_arguments(plan: Plan, *, sides_only: bool = False) -> dict[str, Any]:
    """Return the arguments of `make_plan` that give this plan again.

    ``sides_only`` leaves the mines out of the sizes, to be passed separately.
    """
    every_series = [configuration.series for configuration in plan.configurations]

    def values(part: str) -> list[Any]:
        return list(dict.fromkeys(getattr(series, part) for series in every_series))

    sizes = [Size(series.rows, series.columns, series.mines) for series in every_series]
    starts = {series.start for series in every_series}
    units = {configuration.unit for configuration in plan.configurations}
    series = every_series[0]
    return {
        "sizes": list(dict.fromkeys(f"{one.columns}x{one.rows}" if sides_only else one for one in sizes)),
        "mines": None,
        "strategy": values("strategy"),
        "first_click": values("first_click"),
        "topology": values("topology"),
        "start": series.start if len(starts) == 1 else None,
        "games": plan.games,
        "until": plan.until,
        "seed": series.seed,
        "unit": plan.configurations[0].unit if len(units) == 1 else None,
        "per_game": bool(plan.configurations[0].columns),
    }


@lru_cache(maxsize=1)
def identity() -> dict[str, object]:
    """Return the signature of this program's play; programs with equal signatures play the same games."""
    return dict(play_signature(default_engine()))


def _configuration(
    board: Size, topology: Topology, first_click: FirstClick, strategy: object, start: StartCell | None, seed: int,
    games: int, unit: int | None, per_game: bool,
) -> Configuration:  # fmt: skip
    if callable(strategy):
        raise TypeError(f"strategy must be a name, because it is sent to workers, got {strategy!r}")
    name, weighed, package = _player(strategy)
    begin = start or default_start(Layout(board.rows, board.columns, frozenset(), None, topology), first_click)
    series = Series(
        **board._asdict(), topology=topology, first_click=first_click, start=begin, strategy=name, seed=seed
    )
    if package is None:
        default_engine().simulate(match_of(series), range(0), bool)  # raises an error for an impossible series
    else:
        series.layout(0)
    usual = CHUNKS_PER_UNIT * chunk_size(series) if package is None else OWN_UNIT
    return Configuration(series, weighed, games, unit or usual, columns_of(series) if per_game else (), package)


def _player(strategy: object) -> tuple[str, bool, Package | None]:
    """Return the name, whether it knows the odds of its guesses, and its package if it is not the engine's."""
    engine = default_engine()
    if is_bot(strategy):
        return str(strategy), True, _package(str(strategy))
    if isinstance(strategy, str) and strategy not in {built_in.name for built_in in engine.strategies}:
        offered = offered_strategy(strategy)
        if offered is not None:
            offered.load()  # raises errors before anything is played
            return strategy, True, Package(offered.package, offered.version)
    return *strategy_name(strategy, engine), None


def _package(strategy: str) -> Package | None:
    """Return the installed package that has a strategy, or the name and version of a bot."""
    if is_bot(strategy):
        with closing(BotStrategy(strategy)) as bot:
            return bot_package(bot)
    offered = offered_strategy(strategy)
    return None if offered is None else Package(offered.package, offered.version)


def _sufficient_games(until: float | None) -> int:
    """Return a number of games that makes any interval narrow enough: Wilson's is widest at a rate of one half."""
    return DEFAULT_GAMES if until is None else math.ceil((50 * Z / until) ** 2)


# lists and their values


def _as_list(name: str, value: object) -> list[Any]:
    """Return the values of a list, or a single value as a list."""
    values = list(value) if isinstance(value, list | tuple | range) and not isinstance(value, Size) else [value]
    if not values:
        raise ValueError(f"{name} must not be empty")
    return values


def _choices(name: str, value: object, known: Iterable[str]) -> list[str]:
    choices = _as_list(name, value)
    for choice in choices:
        checks.one_of(name, choice, tuple(known))
    return choices


def _boards(sizes: object, mines: object) -> Iterator[Size]:
    for one in _as_list("sizes", sizes):
        if mines is None:
            yield _size(one)
            continue
        rows, columns = _sides(one)
        counts: list[int] = []
        for value in _as_list("mines", mines):
            count = _mines(value, rows * columns)
            if count not in counts or not _is_share(value):  # on a small board two shares may give the same count
                yield Size(rows, columns, count)
            counts.append(count)


def _size(value: object) -> Size:
    if isinstance(value, Size):
        return Size(*(checks.whole(name, part) for name, part in zip(Size._fields, value, strict=True)))
    return read_size(checks.instance("sizes", value, str, "such as 'expert' or '30x16x99'"))


def _sides(value: object) -> tuple[int, int]:
    """Return rows and columns of a size that may lack the mines."""
    if isinstance(value, str):
        try:
            return read_sides(value.strip())
        except BoardSyntaxError:
            pass
    board = _size(value)
    return board.rows, board.columns


def _is_share(value: object) -> TypeGuard[float | Fraction]:
    return isinstance(value, float | Fraction)


def _mines(value: object, cells: int) -> int:
    """Return the number of mines from a number, or from a share of all cells between 0 and 1."""
    if _is_share(value):
        return math.floor(checks.chance("share of mines", value) * cells + Fraction(1, 2))
    return checks.whole("mines", value)


# reading a plan


class _PackageDocument(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    version: str


class _ConfigurationDocument(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    rows: int
    columns: int
    mines: int
    topology: Topology
    first_click: FirstClick
    start: Cell | str
    strategy: str
    seed: int
    package: _PackageDocument | None
    weighed: bool
    unit: int
    record: list[tuple[str, str]]


class _PlanDocument(msgspec.Struct, tag_field="schema", tag=SCHEMA, kw_only=True, forbid_unknown_fields=True):
    version: str
    signature: dict[str, Any]
    games: int
    until: float | None
    configurations: list[_ConfigurationDocument]


def read_plan(text: bytes, name: str) -> Plan:
    """Parse the output of `Plan.text`; SweepError for anything else."""
    try:
        document = msgspec.json.decode(text, type=_PlanDocument)
        configurations = tuple(_read_configuration(one, document.games) for one in document.configurations)
        return Plan(document.version, document.signature, document.games, document.until, configurations)
    except (msgspec.MsgspecError, UnicodeError, RecursionError, ValueError, TypeError) as error:
        raise SweepError(f"{name} is not the plan of a sweep: {error}") from None


def _read_configuration(document: _ConfigurationDocument, games: int) -> Configuration:
    parts = {name: getattr(document, name) for name in PARTS if name not in ("absent", "fairness")}
    if document.unit < 1:
        raise ValueError(f"unit must be at least 1, got {document.unit}")
    columns = tuple(GameColumn(*column) for column in document.record)
    package = None if document.package is None else Package(document.package.name, document.package.version)
    return Configuration(Series(**parts), document.weighed, games, document.unit, columns, package)


def require_same(run: Plan, expected: Plan, name: str) -> None:
    """Raise a SweepError that names the first difference unless a run has this plan."""
    if run == expected:
        return
    raise SweepError(
        f"{name}: {_difference(run, expected)}. Resume it with the same options, or choose another folder."
    )


def _difference(run: Plan, expected: Plan) -> str:
    """Return the first difference between two plans."""
    if run.version != expected.version:
        return f"the run was started by mineproof {run.version}, this is {expected.version}"
    if run.signature != expected.signature:
        names = [name for name, value in expected.signature.items() if run.signature.get(name) != value]
        first = names[0] if names else "another set of keys"
        values = f"{run.signature.get(first)}, that of this program {expected.signature.get(first)}"
        return f"the signature of the run has {first} {values}"
    for key in ("until", "games"):
        if getattr(run, key) != getattr(expected, key):
            return f"the run has {key}={getattr(run, key)}, not {getattr(expected, key)}"
    return _configuration_difference(run.configurations, expected.configurations)


def _package_difference(number: int, run: Configuration, expected: Configuration) -> str:
    strategy = run.series.strategy
    began = "mineproof" if run.package is None else " ".join(run.package)
    now = "it is not installed" if expected.package is None else f"{' '.join(expected.package)} is installed"
    return f"configuration {number} of the run has strategy {strategy!r} of {began}, and {now}"


def _configuration_difference(run: tuple[Configuration, ...], expected: tuple[Configuration, ...]) -> str:
    if len(run) != len(expected):
        return f"the run has {plural(len(run), 'configuration')}, not {len(expected)}"
    number, one, other = next(
        (number, one, other) for number, (one, other) in enumerate(zip(run, expected, strict=True)) if one != other
    )
    was, now = dict(one.as_json()), dict(other.as_json())
    key = next(key for key in now if was.get(key) != now[key])
    if key == "package":
        return _package_difference(number, one, other)
    return f"configuration {number} of the run has {key}={was.get(key)!r}, not {now[key]!r}"
