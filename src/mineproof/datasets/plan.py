"""What a dataset is: which games, which of their positions, how many, and by which program.

The plan is the file ``plan.json`` beside the parts of an unfinished dataset, and stands in the finished file too. Every
byte of the file depends on it, and on the version of pyarrow, alone. A run is taken up only with the plan it began
with.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from typing import Any, Literal

import msgspec

from mineproof.base import checks
from mineproof.board.cells import Cell
from mineproof.board.geometry import Topology
from mineproof.board.levels import Size
from mineproof.board.start import FirstClick
from mineproof.engine.choice import default_engine
from mineproof.errors import DatasetError
from mineproof.game.layout import Layout
from mineproof.simulation.running import as_start, default_start, match_of
from mineproof.simulation.series import PARTS, Series, StartCell
from mineproof.sweeps.plan import identity
from mineproof.version import VERSION

SCHEMA = "mineproof/dataset-plan/1"
ONLY = ("all", "guesses")

MOST_POSITIONS = 10**12
POSITIONS_OF_A_PART = 4096  # about
CELLS_OF_A_SLICE = 1 << 21  # so many are analysed at a time, and are a row group: 4,096 positions of expert
CELLS_OF_GAMES = 1 << 24  # of all games of a part

Only = Literal["all", "guesses"]


@dataclass(frozen=True)
class DatasetPlan:
    """``positions`` of the games of a series, from game 0 on; ``per_game`` of each at most."""

    version: str
    signature: dict[str, object]
    series: Series
    positions: int
    only: Only
    per_game: int | None

    def as_json(self) -> dict[str, object]:
        """The ``mineproof/dataset-plan/1`` shape."""
        return {
            "schema": SCHEMA,
            "version": self.version,
            "signature": self.signature,
            **self.series.series_json(),
            "positions": self.positions,
            "only": self.only,
            "per_game": self.per_game,
        }

    @property
    def text(self) -> str:
        return json.dumps(self.as_json(), indent=2) + "\n"

    @property
    def digest(self) -> bytes:
        """Sixteen bytes that parts end with: they belong to this plan."""
        return hashlib.blake2b(self.text.encode(), digest_size=16).digest()

    @property
    def cells(self) -> int:
        return self.series.rows * self.series.columns

    @property
    def slice(self) -> int:
        """Positions that are analysed at a time, and are a row group of the file: a power of two."""
        return 1 << max(0, (CELLS_OF_A_SLICE // self.cells).bit_length() - 1)

    @property
    def games(self) -> int:
        """Games of a part: what gives some thousand positions, or all that are wanted; a power of two."""
        typical = 4 if self.only == "guesses" else max(1, self.cells // 4)
        if self.per_game is not None:
            typical = min(typical, self.per_game)
        wanted = max(1, min(self.positions, POSITIONS_OF_A_PART) // typical)
        return 1 << (min(wanted, max(1, CELLS_OF_GAMES // self.cells)).bit_length() - 1)

    def numbers(self, index: int) -> range:
        """The games of a part."""
        return range(index * self.games, (index + 1) * self.games)

    def by_this_program(self) -> DatasetPlan:
        """The same plan as this program would make it."""
        return replace(self, version=VERSION, signature=identity())


def make_plan(
    size: Size,
    strategy: object,
    first_click: FirstClick,
    topology: Topology,
    start: StartCell | None,
    seed: int,
    positions: int,
    only: Only,
    per_game: int | None,
) -> DatasetPlan:
    """What is asked for; ValueError, before anything is played, where it cannot be."""
    checks.whole("positions", positions, 1, MOST_POSITIONS)
    checks.one_of("only", only, ONLY)
    if per_game is not None:
        checks.whole("per_game", per_game, 1, MOST_POSITIONS)
    begin = as_start(start) or default_start(Layout(size.rows, size.columns, frozenset(), None, topology), first_click)
    series = Series(
        **size._asdict(), topology=topology, first_click=first_click, start=begin, strategy=_built_in(strategy),
        seed=seed,
    )  # fmt: skip
    default_engine().simulate(match_of(series), range(0), bool)
    return DatasetPlan(VERSION, identity(), series, positions, only, per_game)


def _built_in(strategy: object) -> str:
    """The name of a strategy that plays in the kernel; ValueError that says why another one is refused."""
    engine = default_engine()
    known = [each.name for each in engine.strategies]
    name = checks.instance("strategy", strategy, str, "the name of a built-in one: only these are watched move by move")
    if name not in known and engine.plays:
        raise ValueError(
            f"found strategy={name!r}, expected one of {', '.join(known)}: only built-in ones are watched move by move"
        )
    return name


# reading a plan


class _Document(msgspec.Struct, tag_field="schema", tag=SCHEMA, kw_only=True, forbid_unknown_fields=True):
    version: str
    signature: dict[str, Any]
    rows: int
    columns: int
    mines: int
    topology: Topology
    first_click: FirstClick
    start: Cell | str
    strategy: str
    seed: int
    positions: int
    only: Only
    per_game: int | None


def read_plan(text: bytes, name: str) -> DatasetPlan:
    """What `DatasetPlan.text` wrote; DatasetError for anything else."""
    try:
        found = msgspec.json.decode(text, type=_Document)
        series = Series(**{part: getattr(found, part) for part in PARTS if part != "absent"})
        checks.whole("positions", found.positions, 1, MOST_POSITIONS)
        return DatasetPlan(found.version, found.signature, series, found.positions, found.only, found.per_game)
    except (msgspec.MsgspecError, UnicodeError, RecursionError, ValueError, TypeError) as error:
        raise DatasetError(f"{name}: {error}; expected a plan that dataset wrote") from None


def require_same(found: DatasetPlan, expected: DatasetPlan, name: str) -> None:
    """DatasetError that says what differs unless a run can be taken up with this plan, by this program."""
    ours, theirs = expected.as_json(), found.as_json()
    for key, value in ours.items():
        if theirs[key] != value:
            raise DatasetError(
                f"{name}: found a dataset with {key}={theirs[key]!r}, expected {value!r}: "
                "it goes on with what it began with, or under another name"
            )
