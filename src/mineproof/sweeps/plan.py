"""What a sweep is: its configurations, how many games of each, in which units, and by which program.

The plan is the file ``plan.json`` of the folder, to be read by people too. Everything that the result depends on is in
it, with the version of mineproof and the signature of its answers, and with the package of a strategy that is not
mineproof's, and its version: the same plan gives the same files, byte for byte. A run is taken up only with the plan it
began with.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Any, TypeGuard, cast

import msgspec

from mineproof.base import checks
from mineproof.base.words import plural, size
from mineproof.bench.work import play_signature
from mineproof.board.cells import Cell
from mineproof.board.geometry import TOPOLOGIES, Topology
from mineproof.board.levels import Size, read_sides, read_size
from mineproof.board.start import FIRST_CLICKS, FirstClick
from mineproof.decision.own import offered_strategy
from mineproof.engine.choice import default_engine
from mineproof.errors import BoardSyntaxError, SweepError
from mineproof.game.layout import Layout
from mineproof.simulation.intervals import Z
from mineproof.simulation.results import Tally, Totals
from mineproof.simulation.running import (
    CHUNK,
    as_start,
    chunk_size,
    default_start,
    match_of,
    require_numbers,
    strategy_name,
)
from mineproof.simulation.series import PARTS, Series, StartCell
from mineproof.sweeps.units import Column, Package, Unit, columns_of
from mineproof.version import VERSION

SCHEMA = "mineproof/plan/1"

GAMES = 10_000  # of a configuration, unless it is asked for more, or for a width of the interval
OWN_UNIT = 256  # games of a strategy in Python: some seconds on expert
CHUNKS_OF_A_UNIT = 64  # 4,096 games on boards of up to 1,024 cells: half a second of `fast` on expert
LEAST_UNTIL = 0.0001  # percentage points: 960 billion games
MOST_UNIT = 1 << 20  # games
MOST_CONFIGURATIONS = 100_000
MOST_GAMES = 1 << 20  # of a file, unless one unit has more


@dataclass(frozen=True)
class Configuration:
    """The games of one series, in units of so many; ``columns`` are what is kept of each game."""

    series: Series
    weighed: bool
    games: int
    unit: int
    columns: tuple[Column, ...]
    package: Package | None = None  # that brings the strategy, if it is not one of mineproof

    @property
    def units(self) -> int:
        """How many units there are at most."""
        return -(-self.games // self.unit)

    @property
    def units_of_a_file(self) -> int:
        return max(1, MOST_GAMES // self.unit)

    def numbers(self, index: int) -> range:
        """The games of a unit."""
        return range(index * self.unit, min(self.games, (index + 1) * self.unit))

    def task(self, index: int) -> Unit:
        """A unit as a worker is told of it."""
        return Unit(self.series, self.numbers(index), self.weighed, self.columns, VERSION, self.package)

    def totals(self, games: int, tally: Tally, *, ended: bool) -> Totals:
        """What became of the first games; ``ended`` if no more are to be played."""
        parts = {name: getattr(self.series, name) for name in PARTS}
        asked = games if ended else self.games
        return Totals(**parts, first_game=0, asked=asked, games=games, tally=tally, weighed=self.weighed)

    def as_json(self) -> dict[str, object]:
        columns = [list(column) for column in self.columns]
        package = None if self.package is None else self.package._asdict()
        parts = {"package": package, "weighed": self.weighed, "unit": self.unit, "record": columns}
        return {**self.series.series_json(), **parts}

    def by_this_program(self) -> Configuration:
        """The same with the package as it is installed here; None where it is not."""
        return self if self.package is None else replace(self, package=_package(self.series.strategy))


@dataclass(frozen=True)
class Plan:
    """``games`` of each configuration, or fewer: until half of the interval is ``until`` points or less."""

    version: str
    signature: dict[str, object]
    games: int
    until: float | None
    configurations: tuple[Configuration, ...]

    def as_json(self) -> dict[str, object]:
        """The ``mineproof/plan/1`` shape."""
        return {
            "schema": SCHEMA,
            "version": self.version,
            "signature": self.signature,
            "games": self.games,
            "until": self.until,
            "configurations": [each.as_json() for each in self.configurations],
        }

    @property
    def text(self) -> str:
        """The file: a line for each configuration."""
        head = {**self.as_json(), "configurations": "HERE"}
        lines = ",\n".join(f"    {json.dumps(each.as_json())}" for each in self.configurations)
        return json.dumps(head, indent=2).replace('"HERE"', f"[\n{lines}\n  ]") + "\n"

    @property
    def digest(self) -> bytes:
        """Sixteen bytes that files of units begin with: they belong to this plan."""
        return hashlib.blake2b(self.text.encode(), digest_size=16).digest()

    def by_this_program(self) -> Plan:
        """The same plan as this program would make it."""
        configurations = tuple(each.by_this_program() for each in self.configurations)
        return replace(self, version=VERSION, signature=identity(), configurations=configurations)

    def is_narrow(self, half_width: float) -> bool:
        """Is half of an interval, as a share, as small as was asked for?"""
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
    """The product of all lists, in their order, the strategies of a board next to each other."""
    if until is not None and not LEAST_UNTIL <= checks.any_number("until", until) <= 50:
        raise ValueError(f"found until={until}, expected {LEAST_UNTIL} to 50 percentage points")
    asked = _enough(until) if games is None else games
    require_numbers(asked, 0, None)
    checks.flag("per_game", per_game)
    if unit is not None and checks.whole("unit", unit, CHUNK, MOST_UNIT) % CHUNK:
        raise ValueError(f"found unit={unit}, expected a multiple of {CHUNK}")
    found: dict[Series, Configuration] = {}
    begin = as_start(start)
    for board, kind, rule, name in product(
        list(_boards(sizes, mines)),
        _chosen("topology", topology, TOPOLOGIES),
        _chosen("first_click", first_click, FIRST_CLICKS),
        _several("strategy", strategy),
    ):
        if len(found) == MOST_CONFIGURATIONS:
            raise ValueError(f"found more than {MOST_CONFIGURATIONS:,} configurations, expected no more")
        made = _configuration(
            board, cast(Topology, kind), cast(FirstClick, rule), name, begin, seed, asked, unit, per_game
        )
        if made.series in found:
            words = f"{size(*board)}, {kind}, first click {rule}, {made.series.strategy}"
            raise ValueError(f"found {words} twice, expected each configuration once")
        found[made.series] = made
    return Plan(VERSION, identity(), asked, None if until is None else float(until), tuple(found.values()))


def wishes_of(plan: Plan, *, sides_only: bool = False) -> dict[str, Any]:
    """What `make_plan` was asked for, as far as a plan tells: where it is asked again, the same plan comes of it.

    ``sides_only`` leaves the mines out of the sizes, to be asked for apart.
    """
    series = [each.series for each in plan.configurations]

    def several(part: str) -> list[Any]:
        return list(dict.fromkeys(getattr(each, part) for each in series))

    sizes = [Size(each.rows, each.columns, each.mines) for each in series]
    starts, units = {each.start for each in series}, {each.unit for each in plan.configurations}
    return {
        "sizes": list(dict.fromkeys(f"{each.columns}x{each.rows}" if sides_only else each for each in sizes)),
        "mines": None,
        "strategy": several("strategy"),
        "first_click": several("first_click"),
        "topology": several("topology"),
        "start": series[0].start if len(starts) == 1 else None,
        "games": plan.games,
        "until": plan.until,
        "seed": series[0].seed,
        "unit": plan.configurations[0].unit if len(units) == 1 else None,
        "per_game": bool(plan.configurations[0].columns),
    }


@lru_cache(maxsize=1)
def identity() -> dict[str, object]:
    """The signature of this program's play; the same wherever the same games come of it."""
    return play_signature(default_engine())


def _configuration(
    board: Size, topology: Topology, first_click: FirstClick, strategy: object, start: StartCell | None, seed: int,
    games: int, unit: int | None, per_game: bool,
) -> Configuration:  # fmt: skip
    if callable(strategy):
        raise TypeError(f"found strategy={strategy!r}, expected a name: workers are told of it in words")
    name, weighed, package = _player(strategy)
    begin = start or default_start(Layout(board.rows, board.columns, frozenset(), None, topology), first_click)
    series = Series(
        **board._asdict(), topology=topology, first_click=first_click, start=begin, strategy=name, seed=seed
    )
    if package is None:
        default_engine().simulate(match_of(series), range(0), bool)  # what cannot be played is known before anything is
    else:
        series.layout(0)
    usual = CHUNKS_OF_A_UNIT * chunk_size(series) if package is None else OWN_UNIT
    return Configuration(series, weighed, games, unit or usual, columns_of(series) if per_game else (), package)


def _player(strategy: object) -> tuple[str, bool, Package | None]:
    """A name, whether the odds of its guesses are known, and the package that brings it if it is not the engine's."""
    engine = default_engine()
    if isinstance(strategy, str) and strategy not in {each.name for each in engine.strategies}:
        offered = offered_strategy(strategy)
        if offered is not None:
            offered.load()  # what cannot be is known before anything is played
            return strategy, True, Package(offered.package, offered.version)
    return *strategy_name(strategy, engine), None


def _package(strategy: str) -> Package | None:
    """The package that brings a strategy, as it is installed here."""
    offered = offered_strategy(strategy)
    return None if offered is None else Package(offered.package, offered.version)


def _enough(until: float | None) -> int:
    """So many games make any interval narrow enough: Wilson's is never wider than at one half."""
    return GAMES if until is None else math.ceil((50 * Z / until) ** 2)


# lists, and what may stand in them


def _several(name: str, value: object) -> list[Any]:
    """One value, or those of a list."""
    values = list(value) if isinstance(value, list | tuple | range) and not isinstance(value, Size) else [value]
    if not values:
        raise ValueError(f"found no {name}, expected one or more")
    return values


def _chosen(name: str, value: object, known: Iterable[str]) -> list[str]:
    values = _several(name, value)
    for each in values:
        checks.one_of(name, each, tuple(known))
    return values


def _boards(sizes: object, mines: object) -> Iterator[Size]:
    for each in _several("sizes", sizes):
        if mines is None:
            yield _size(each)
            continue
        rows, columns = _sides(each)
        counts: list[int] = []
        for value in _several("mines", mines):
            count = _mines(value, rows * columns)
            if count not in counts or not _is_share(value):  # on a small board two shares may be as many mines
                yield Size(rows, columns, count)
            counts.append(count)


def _size(value: object) -> Size:
    if isinstance(value, Size):
        return Size(*(checks.whole(name, part) for name, part in zip(Size._fields, value, strict=True)))
    return read_size(checks.instance("sizes", value, str, "such as 'expert' or '30x16x99'"))


def _sides(value: object) -> tuple[int, int]:
    """Rows and columns of what may be a size without mines, where these are told apart."""
    if isinstance(value, str):
        try:
            return read_sides(value.strip())
        except BoardSyntaxError:
            pass
    found = _size(value)
    return found.rows, found.columns


def _is_share(value: object) -> TypeGuard[float | Fraction]:
    return isinstance(value, float | Fraction)


def _mines(value: object, cells: int) -> int:
    """A number of mines, or a share of all cells between 0 and 1."""
    if _is_share(value):
        return math.floor(checks.chance("share of mines", value) * cells + Fraction(1, 2))
    return checks.whole("mines", value)


# reading a plan


class _Package(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    version: str


class _Configuration(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    rows: int
    columns: int
    mines: int
    topology: Topology
    first_click: FirstClick
    start: Cell | str
    strategy: str
    seed: int
    package: _Package | None
    weighed: bool
    unit: int
    record: list[tuple[str, str]]


class _Document(msgspec.Struct, tag_field="schema", tag=SCHEMA, kw_only=True, forbid_unknown_fields=True):
    version: str
    signature: dict[str, Any]
    games: int
    until: float | None
    configurations: list[_Configuration]


def read_plan(text: bytes, name: str) -> Plan:
    """What `Plan.text` wrote; SweepError for anything else."""
    try:
        document = msgspec.json.decode(text, type=_Document)
        made = [_configured(each, document.games) for each in document.configurations]
        return Plan(document.version, document.signature, document.games, document.until, tuple(made))
    except (msgspec.MsgspecError, UnicodeError, RecursionError, ValueError, TypeError) as error:
        raise SweepError(f"{name}: {error}; expected a plan that sweep wrote") from None


def _configured(found: _Configuration, games: int) -> Configuration:
    parts = {name: getattr(found, name) for name in PARTS if name != "absent"}
    if found.unit < 1:
        raise ValueError(f"found unit={found.unit}, expected 1 or more")
    columns = tuple(Column(*each) for each in found.record)
    package = None if found.package is None else Package(found.package.name, found.package.version)
    return Configuration(Series(**parts), found.weighed, games, found.unit, columns, package)


def require_same(found: Plan, expected: Plan, name: str) -> None:
    """SweepError that says what differs unless a run can be taken up with this plan, by this program."""
    if found == expected:
        return
    raise SweepError(
        f"{name}: {_difference(found, expected)}: a run goes on with what it began with, or in another folder"
    )


def _difference(found: Plan, expected: Plan) -> str:
    """The first thing that differs between two plans."""
    if found.version != expected.version:
        return f"found a run of mineproof {found.version}, expected {expected.version}, which this is"
    if found.signature != expected.signature:
        names = [name for name, value in expected.signature.items() if found.signature.get(name) != value]
        first = names[0] if names else "another set of keys"
        values = f"{found.signature.get(first)}, expected {expected.signature.get(first)}"
        return f"found a run whose signature has {first} {values}, which this program has"
    for key in ("until", "games"):
        if getattr(found, key) != getattr(expected, key):
            return f"found a run with {key}={getattr(found, key)}, expected {getattr(expected, key)}"
    return _other_configuration(found.configurations, expected.configurations)


def _other_package(number: int, found: Configuration, expected: Configuration) -> str:
    strategy = found.series.strategy
    began = "mineproof" if found.package is None else " ".join(found.package)
    now = "it to be installed" if expected.package is None else f"{' '.join(expected.package)}, which is installed"
    return f"found a run whose configuration {number} has strategy {strategy!r} of {began}, expected {now}"


def _other_configuration(found: tuple[Configuration, ...], expected: tuple[Configuration, ...]) -> str:
    if len(found) != len(expected):
        return f"found a run of {plural(len(found), 'configuration')}, expected {len(expected)}"
    number, one, other = next(
        (number, one, other) for number, (one, other) in enumerate(zip(found, expected, strict=True)) if one != other
    )
    was, now = one.as_json(), other.as_json()
    key = next(key for key in now if was.get(key) != now[key])
    if key == "package":
        return _other_package(number, one, other)
    return f"found a run whose configuration {number} has {key}={was.get(key)!r}, expected {now[key]!r}"
