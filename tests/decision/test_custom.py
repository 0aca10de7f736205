"""Custom strategies: functions, classes with state, those that take the analysis, those that answer for many; and
those that installed packages offer."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
import pytest

import mineproof as mp
from mineproof.decision.custom import custom_strategy, installed_strategies, strategies_json
from mineproof.decision.strategy_table import describe_strategy
from mineproof.engine.default import default_engine
from support.command import mineproof
from support.engines import needs_kernel
from support.packages import ENTRIES, install, install_tiny

SIZE: dict[str, Any] = {"rows": 6, "columns": 6, "mines": 6}
Codes = npt.NDArray[np.int8]


def lowest(board: mp.Board) -> tuple[int, int]:
    """The first of the cells that are least likely to be mines."""
    odds = mp.analyze(board).mine_probability
    return min(board.cells(mp.COVERED), key=lambda cell: odds[cell])


def lowest_of_analysis(board: mp.Board, analysis: mp.Analysis) -> tuple[int, int]:
    assert isinstance(analysis, mp.Analysis)
    assert analysis.board == board
    return min(board.cells(mp.COVERED), key=lambda cell: analysis.mine_probability[cell])


class LowestOfMany:
    """The same for many games at once, from the arrays alone."""

    def __init__(self) -> None:
        self.asked: list[int] = []

    def choose_many(self, boards: Codes, analyses: mp.ManyAnalyses) -> npt.NDArray[np.intp]:
        self.asked.append(len(boards))
        assert analyses.mine_probability.shape == boards.shape
        odds = np.where(boards == mp.COVERED, analyses.mine_probability, 2.0)
        places = odds.reshape(len(boards), -1).argmin(axis=1)
        return np.stack(np.divmod(places, boards.shape[2]), axis=1)


def sums(found: mp.Simulation) -> object:
    return found.tally, found.outcomes


@pytest.mark.parametrize("first_click", ["any", "safe", "open"])
def test_the_same_play_in_any_shape_gives_the_same_sums(first_click: Any) -> None:
    many = LowestOfMany()
    shapes: list[Any] = [lowest, lowest_of_analysis, many, LowestOfMany]
    results = [mp.simulate(**SIZE, games=70, strategy=strategy, first_click=first_click, seed=3) for strategy in shapes]
    assert all(sums(result) == sums(results[0]) for result in results)
    assert 0 < results[0].wins < 70
    assert max(many.asked) > 20
    assert [result.strategy for result in results] == [
        f"python:{name}" for name in ("lowest", "lowest_of_analysis", "LowestOfMany", "LowestOfMany")
    ]


def test_games_side_by_side_can_be_broken_off_and_resumed() -> None:
    whole = mp.simulate(**SIZE, games=40, strategy=LowestOfMany, seed=5)
    part = mp.simulate(**SIZE, games=13, strategy=LowestOfMany, seed=5)
    assert sums(mp.simulate(**SIZE, games=40, strategy=LowestOfMany, seed=5, resume=part)) == sums(whole)
    none = mp.simulate(**SIZE, games=40, strategy=LowestOfMany, seed=5, cancelled=lambda: True)
    assert none.games in (0, 40)


class Counts:
    """Remembers how often it was asked in its game, and opens covered cells in turn."""

    made: ClassVar[list[Counts]] = []

    def __init__(self) -> None:
        self.asked = 0
        Counts.made.append(self)

    def __call__(self, board: mp.Board) -> tuple[int, int]:
        self.asked += 1
        covered = list(board.cells(mp.COVERED))
        return covered[self.asked % len(covered)]


def test_a_class_is_made_anew_for_each_game() -> None:
    Counts.made.clear()
    first = mp.simulate(**SIZE, games=20, strategy=Counts, seed=1)
    assert len(Counts.made) == 20
    assert sums(mp.simulate(**SIZE, games=20, strategy=Counts, seed=1)) == sums(first)
    late = mp.simulate(**SIZE, games=8, first_game=12, strategy=Counts, seed=1)
    assert late.outcomes == first.outcomes[12:]


class Lots:
    seeds: ClassVar[list[int]] = []

    def __init__(self, seed: int) -> None:
        Lots.seeds.append(seed)
        self.random = np.random.default_rng(seed)

    def __call__(self, board: mp.Board) -> tuple[int, int]:
        covered = list(board.cells(mp.COVERED))
        return covered[int(self.random.integers(len(covered)))]


def test_lots_depend_on_the_seed_and_the_number_of_the_game() -> None:
    Lots.seeds.clear()
    whole = mp.simulate(**SIZE, games=30, strategy=Lots, seed=1)
    again = mp.simulate(**SIZE, games=10, first_game=20, strategy=Lots, seed=1)
    assert Lots.seeds[30:] == Lots.seeds[20:30]
    assert len(set(Lots.seeds[:30])) == 30
    assert again.outcomes == whole.outcomes[20:]
    mp.simulate(**SIZE, games=1, strategy=Lots, seed=2)
    assert Lots.seeds[-1] not in Lots.seeds[:-1]


def test_a_parameter_of_another_name_is_left_alone() -> None:
    def deep(board: mp.Board, depth: int = 3) -> tuple[int, int]:
        assert depth == 3
        return next(board.cells(mp.COVERED))

    assert mp.simulate(2, 2, 1, games=3, strategy=deep).games == 3


@pytest.mark.parametrize("given", [int, 5, None, [], object()])
def test_what_is_no_strategy_is_refused(given: Any) -> None:
    with pytest.raises(TypeError, match=r"^strategy (python:|must be )"):
        mp.simulate(2, 2, 1, games=1, strategy=given)


WRONG: list[Any] = [None, 7, [], [(0, 0)] * 3, [(0, 0), 5], np.zeros((2, 3), int), np.zeros((2, 2)), "up"]


@pytest.mark.parametrize("answer", WRONG)
def test_an_answer_for_many_that_is_none_is_told(answer: Any) -> None:
    class Wrong:
        def choose_many(self, boards: Codes) -> Any:
            return answer

    ask = custom_strategy(Wrong()).for_games(0, 0)
    boards = np.array([[[1, -1], [-1, -1]]] * 2, dtype=np.int8)
    with pytest.raises(ValueError, match=r"Wrong: expected 2 cells \(row, column\)"):
        ask(boards, mp.analyze_many(boards, 1))


def test_a_cell_for_many_that_is_not_covered_names_the_game() -> None:
    class Corner:
        def choose_many(self, boards: Codes) -> Sequence[tuple[int, int]]:
            return [(0, 0)] * len(boards)

    with pytest.raises(
        mp.IllegalMoveError, match=r"game [4-8]: expected a covered cell from python:.*Corner, got \(0, 0\)"
    ):
        mp.simulate(3, 3, 3, games=5, first_game=4, strategy=Corner())


# installed packages


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of installed packages: one with strategies."""
    install_tiny(tmp_path, monkeypatch)
    return tmp_path


@pytest.mark.usefixtures("site")
def test_installed_strategies_play_by_name() -> None:
    assert {result.name for result in installed_strategies()} >= set(ENTRIES)
    results = [mp.simulate(**SIZE, games=40, strategy=name, seed=3) for name in ("tiny-careful", "tiny-many")]
    assert sums(results[0]) == sums(results[1]) == sums(mp.simulate(**SIZE, games=40, strategy=lowest, seed=3))
    assert [result.strategy for result in results] == ["tiny-careful", "tiny-many"]
    assert mp.simulate(**SIZE, games=5, strategy="tiny-turns", seed=3).games == 5
    resumed = mp.Simulation.from_json(results[0].to_json())
    assert mp.simulate(**SIZE, games=50, strategy="tiny-careful", seed=3, resume=resumed).games == 50


@needs_kernel
@pytest.mark.usefixtures("site")
def test_a_name_of_the_engine_is_the_engines() -> None:
    assert sums(mp.simulate("beginner", games=50, seed=1)) != sums(
        mp.simulate("beginner", games=50, strategy=lowest, seed=1)
    )


@needs_kernel
@pytest.mark.usefixtures("site")
def test_names_that_nobody_knows_are_told_with_those_that_are_known() -> None:
    with pytest.raises(
        ValueError, match=r"strategy must be one of fast, .*, tiny-careful, .* or a function, got 'tiny'"
    ):
        mp.simulate(2, 2, 1, strategy="tiny")


@pytest.mark.usefixtures("site")
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("tiny-missing", r"\(no_such_module:choose\): ModuleNotFoundError: No module named 'no_such_module'"),
        ("tiny-gone", r"\(tiny_strategies:gone\): AttributeError: .*gone"),
        (
            "tiny-nothing",
            r"\(tiny_strategies:nothing\): TypeError: strategy tiny-nothing: expected a function .*, got int",
        ),
    ],
)
def test_a_package_that_cannot_be_loaded_is_told(name: str, words: str) -> None:
    with pytest.raises(ValueError, match=f"^strategy '{name}' of package tiny-strategies cannot be loaded {words}"):
        mp.simulate(2, 2, 1, strategy=name)


def test_two_packages_with_one_name_are_told(site: Path) -> None:
    install(site, "other-strategies", {"tiny-careful": "tiny_strategies:careful"})
    with pytest.raises(ValueError, match="'tiny-careful': other-strategies and tiny-strategies"):
        mp.simulate(2, 2, 1, strategy="tiny-careful")


@needs_kernel
@pytest.mark.usefixtures("site")
def test_the_command_line_knows_installed_strategies() -> None:
    done = mineproof(
        "simulate", "6x6x6", "--strategy", "tiny-careful", "--against", "tiny-many", "--games", "40", "--json"
    )
    assert done.status == 0, done.err
    assert (done.json()["strategies"], done.json()["only_first"], done.json()["only_second"]) == (
        ["tiny-careful", "tiny-many"], 0, 0,
    )  # fmt: skip
    wrong = mineproof("simulate", "6x6x6", "--strategy", "tiny-missing")
    assert wrong.status == 2
    assert "of package tiny-strategies cannot be loaded" in " ".join(wrong.err.split())
    unknown = mineproof("simulate", "6x6x6", "--strategy", "tiny")
    assert unknown.status == 2
    assert "tiny-careful" in unknown.err
    watched = mineproof("watch", "8x8x18", "--seed", "4", "--strategy", "tiny-many", "--json")
    assert watched.status == 0, watched.err
    assert "tiny-many opens" in watched.text


@pytest.mark.usefixtures("site")
@pytest.mark.parametrize("name", ["tiny-careful", "tiny-turns", "tiny-many"])
def test_installed_strategies_guess_for_onlookers(name: str) -> None:
    layout = mp.generate(8, 8, 18, seed=4)
    game = mp.Game(layout, first_click="any", seed=4)
    turns = list(mp.autoplay(game, layout, strategy=name))
    guesses = [turn for turn in turns if turn.kind == "guess"]
    assert game.is_over
    assert guesses
    for turn in guesses:
        assert turn.cell is not None
        assert f"{name} opens " in turn.text
        assert turn.mine_fraction == mp.analyze(turn.before).exact(*turn.cell)


@pytest.mark.usefixtures("site")
def test_nobody_guesses_under_a_name_that_nobody_knows() -> None:
    layout = mp.generate(4, 4, 3, seed=1)
    if default_engine().plays:
        with pytest.raises(ValueError, match=r"strategy must be one of hint, safest, .*tiny-careful, .*, got 'tiny'"):
            next(mp.autoplay(mp.Game(layout), layout, strategy="tiny"))


@pytest.mark.usefixtures("site")
def test_all_names_are_listed_once() -> None:
    listed: Any = strategies_json()["strategies"]
    names = [item["name"] for item in listed]
    assert names[: len(mp.strategies())] == [item.name for item in mp.strategies()]
    assert set(names) >= set(ENTRIES)
    assert names.count("fast") == 1
    by_name = {strategy["name"]: strategy for strategy in listed}
    assert by_name["fast"] == {"name": "fast", "package": None, "text": describe_strategy("fast")}
    assert by_name["tiny-many"]["package"] == "tiny-strategies"
    assert by_name["tiny-many"]["text"].startswith("From the package tiny-strategies.")
