"""The plan of a dataset: its games, which of their positions, how many, and the program that plays them.

The plan is the file ``plan.json`` next to the parts of an unfinished dataset. The finished file contains it too. Every
byte of the file depends only on the plan and on the version of pyarrow. A run can be resumed only with the plan it was
started with.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Literal, cast

import msgspec

from mineproof.base import checks
from mineproof.board.cells import Cell
from mineproof.board.geometry import Topology
from mineproof.board.levels import Size
from mineproof.board.start import FirstClick
from mineproof.engine.default import default_engine
from mineproof.errors import DatasetError
from mineproof.game.layout import Layout
from mineproof.simulation.series import PARTS, Series, StartCell
from mineproof.simulation.simulator import as_start, default_start, match_of
from mineproof.sweeps.plan import identity
from mineproof.version import VERSION

if TYPE_CHECKING:
    from mineproof.bench.wire import PlaySignatureJson
    from mineproof.datasets.wire import DatasetPlanJson

SCHEMA: Final = "mineproof/dataset-plan/1"
ONLY = ("all", "guesses")

MAX_POSITIONS = 10**12
PART_POSITIONS = 4096  # approximately
PARTS_OF_A_SIZE = 8  # then parts have twice as many games, up to those of a large dataset
SLICE_MAX_CELLS = 1 << 21  # analyzed at a time, and a row group: 4,096 positions of expert
PART_MAX_CELLS = 1 << 24  # of all games of a part

Only = Literal["all", "guesses"]


@dataclass(frozen=True)
class DatasetPlan:
    """``positions`` from the games of a series, starting with game 0; at most ``per_game`` of each game."""

    version: str
    signature: dict[str, Any]
    series: Series
    positions: int
    only: Only
    per_game: int | None

    def as_json(self) -> DatasetPlanJson:
        """Return the ``mineproof/dataset-plan/1`` object."""
        return {
            "schema": SCHEMA,
            "version": self.version,
            "signature": cast("PlaySignatureJson", self.signature),
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
        """Sixteen bytes that identify this plan; parts contain them."""
        return hashlib.blake2b(self.text.encode(), digest_size=16).digest()

    @property
    def cells(self) -> int:
        return self.series.rows * self.series.columns

    @property
    def slice(self) -> int:
        """Number of positions analyzed at a time, which are a row group of the file: a power of two."""
        return 1 << max(0, (SLICE_MAX_CELLS // self.cells).bit_length() - 1)

    def numbers(self, index: int) -> range:
        """Return the numbers of the games of a part.

        The first parts have as many games as usually have all positions of the plan, or some thousand. If that is not
        enough, because positions are rare, later parts are larger.
        """
        return range(self.games_before(index), self.games_before(index + 1))

    def games_before(self, index: int) -> int:
        """Return the number of games of the parts before a part."""
        first, largest = self._part_games(self.positions), self._part_games(PART_POSITIONS)
        doublings = max(0, largest.bit_length() - first.bit_length())
        step, rest = divmod(index, PARTS_OF_A_SIZE)
        grown = min(step, doublings)
        games = PARTS_OF_A_SIZE * first * ((1 << grown) - 1)
        return games + ((step - grown) * PARTS_OF_A_SIZE + rest) * (first << grown)

    def _part_games(self, positions: int) -> int:
        """Return how many games usually have some positions: a power of two."""
        typical = 4 if self.only == "guesses" else max(1, self.cells // 4)
        if self.per_game is not None:
            typical = min(typical, self.per_game)
        games = max(1, min(positions, PART_POSITIONS) // typical)
        return 1 << (min(games, max(1, PART_MAX_CELLS // self.cells)).bit_length() - 1)

    def by_this_program(self) -> DatasetPlan:
        """Return the same plan with the version and signature of this program."""
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
    """Check the arguments of `dataset` and return its plan."""
    checks.whole("positions", positions, 1, MAX_POSITIONS)
    checks.one_of("only", only, ONLY)
    if per_game is not None:
        checks.whole("per_game", per_game, 1, MAX_POSITIONS)
    begin = as_start(start) or default_start(Layout(size.rows, size.columns, frozenset(), None, topology), first_click)
    series = Series(
        **size._asdict(), topology=topology, first_click=first_click, start=begin, strategy=_require_built_in(strategy),
        seed=seed,
    )  # fmt: skip
    default_engine().simulate(match_of(series), range(0), bool)
    return DatasetPlan(VERSION, identity(), series, positions, only, per_game)


def _require_built_in(strategy: object) -> str:
    """Return the name of a built-in strategy; ValueError for any other."""
    engine = default_engine()
    known = [built_in.name for built_in in engine.strategies]
    name = checks.instance("strategy", strategy, str, "only built-in strategies are recorded by move")
    if name not in known and engine.plays:
        raise ValueError(
            f"strategy must be one of {', '.join(known)}, got {name!r}: only built-in strategies are recorded by move"
        )
    return name


# reading a plan


class _DatasetPlanDocument(msgspec.Struct, tag_field="schema", tag=SCHEMA, kw_only=True, forbid_unknown_fields=True):
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
    """Parse the output of `DatasetPlan.text`; DatasetError for anything else."""
    try:
        plan = msgspec.json.decode(text, type=_DatasetPlanDocument)
        series = Series(**{part: getattr(plan, part) for part in PARTS if part not in ("absent", "fairness")})
        checks.whole("positions", plan.positions, 1, MAX_POSITIONS)
        return DatasetPlan(plan.version, plan.signature, series, plan.positions, plan.only, plan.per_game)
    except (msgspec.MsgspecError, UnicodeError, RecursionError, ValueError, TypeError) as error:
        raise DatasetError(f"{name} is not the plan of a dataset: {error}") from None


def require_same(run: DatasetPlan, expected: DatasetPlan, name: str) -> None:
    """Raise a DatasetError that names the first difference unless a run has this plan."""
    stored = dict(run.as_json())
    for key, value in expected.as_json().items():
        if stored.get(key) != value:
            raise DatasetError(
                f"{name} was started with {key}={stored.get(key)!r}, not {value!r}. "
                "Resume it with the same options, or choose another name."
            )
