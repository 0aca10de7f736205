"""Every public function, with wrong values for each of its parameters: an error of ours, in words, or an answer.

Nothing here may end in an AttributeError, in the signature of the kernel, or in a truth value or a float that passes
for a whole number.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import mineproof as mp

BOARD = mp.Board.parse("1#/##", total_mines=1)
LAYOUT = mp.Layout(3, 3, frozenset([(0, 0)]))
PLAYED = mp.simulate("beginner", games=2)
PUZZLE = mp.puzzle("partition", level="beginner", seed=0)
PROBLEM = mp.Problem(3, [mp.Constraint([0, 1], 1)])
TASK = mp.task("safe-cell", level="5x5x4", seed=0)
LABELLED = mp.LabelledPosition("one", BOARD, safe=frozenset([(0, 1)]))

# What makes each of them answer.
# What it needs is given by name; its wrong values are tried in tests/simulation/test_tournaments.py.
ELSEWHERE = {"tournament"}
OVER = mp.Game(LAYOUT, first_click="any")
OVER.open(0, 0)

LIAR = mp.generate_variant(4, 4, 4, "liar", seed=1, no_guess=True, start=(2, 2))
CALLS: dict[str, tuple[Any, ...]] = {
    "Board": (2, 2, BOARD.codes, 1),
    "Board.from_array": ([[1, -1], [-1, -1]],),
    "Board.parse": ("1#/##",),
    "Budget": (),
    "Game": (LAYOUT,),
    "Layout": (3, 3, frozenset([(0, 0)])),
    "Rules": (),
    "analyze": (BOARD,),
    "analyze_variant": (mp.VariantPosition.from_board(BOARD), mp.Variant("liar")),
    "analyze_many": ([[[1, -1], [-1, -1]]], 1),
    "answer": (PUZZLE, min(PUZZLE.solution)),
    "audit": (LABELLED,),
    "autoplay": (mp.Game(LAYOUT), LAYOUT),
    "best_move": (BOARD,),
    "check_variant": (LIAR.solution, (2, 2)),
    "deal_variant": (3, 3, 2, mp.Variant("liar")),
    "generate_variant": (3, 3, 2, "liar"),
    "variant_solution_json": (mp.deduce(LIAR.board),),
    "verify_variant": (LIAR.certificate_json(),),
    "bounds_table": (BOARD,),
    "certify": (LAYOUT, (2, 2)),
    "check": (LAYOUT, (2, 2)),
    "compare": (PLAYED, PLAYED),
    "daily_puzzle": (date(2026, 11, 16),),
    "dataset": ("positions.parquet", "4x4x2"),
    "deduce": (BOARD,),
    "draw": (BOARD,),
    "engine_named": ("kernel",),
    "enumerate_layouts": (BOARD,),
    "enumerate_solutions": (PROBLEM,),
    "formats.read": ("1#/##",),
    "formats.write": (BOARD, "json"),
    "generate": (4, 4, 2),
    "generate_many": (2, 4, 4, 2),
    "grade": (LAYOUT, (2, 2)),
    "hint": (BOARD,),
    "judge": (TASK, "[0, 1]"),
    "league": (["fast"], 4, 4, 2),
    "matrix": (BOARD,),
    "measure": (LAYOUT,),
    "measure_game": (mp.Game(LAYOUT),),
    "measure_many": ([[[1, 0, 0], [0, 0, 0]]],),
    "optimal_first_moves": (3, 3, 1),
    "optimal_moves": (BOARD,),
    "problem_json": (PROBLEM,),
    "puzzle": ("partition",),
    "read_dataset": ("no such file",),
    "read_labels": ("no such file",),
    "read_problem": ("{}",),
    "read_image": ("no such file",),
    "read_replay": ("no such file",),
    "read_sweep": ("no such folder",),
    "report": ("no such folder",),
    "resume_dataset": ("no such file",),
    "resume_sweep": ("no such folder",),
    "lesson": (OVER,),
    "profile": ([mp.lesson(OVER)],),
    "review": (mp.Game(LAYOUT),),
    "risk": (BOARD, [(0, 1)]),
    "sample_layouts": (BOARD, 2),
    "sample_solutions": (PROBLEM, 2),
    "simulate": (4, 4, 2),
    "strategies": (),
    "sweep": ("4x4x2",),
    "task": ("safe-cell",),
    "timeline": (mp.Game(LAYOUT),),
    "verify": (mp.certify(LAYOUT, (2, 2)), LAYOUT),
    "win_probability": (BOARD,),
    "win_probability_from_start": (3, 3, 1),
}
WRONG: list[Any] = [
    None, True, False, -1, 0, 2**31, 2**63, 2**64, 10**30, 1.0, 0.5, float("nan"), float("inf"), -float("inf"), 1j,
    "", " ", "x", "Expert", b"x", [], [1], [1, 2], (1,), (9, 9), (-1, -1), (1.0, 2.0), {}, {1: 2}, set(), object(),
    ..., int, BOARD, LAYOUT,
]  # fmt: skip
COUNTS = {"games", "count", "positions"}  # of what an answer has one of each: no more than the first few are waited for
NUMBERS = {"budget", "seconds", "density", "until"}  # which may be floats
FLAGS = {"exact", "no_guess"}
OURS = (TypeError, ValueError, mp.MineproofError, OSError)
TECHNICAL = ("object has no attribute", "object is not", "incompatible function", "unhashable", "unsupported operand",
             "cannot unpack", "has no len", "argument must be", "argument after")  # fmt: skip


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Words that name a folder may make one."""
    monkeypatch.chdir(tmp_path)


def function(name: str) -> Callable[..., Any]:
    result: Any = mp
    for part in name.split("."):
        result = getattr(result, part)
    return result  # type: ignore[no-any-return]


def call(name: str, parameter: str, value: object) -> Any:
    """The answer with one value for one parameter, as far as it is needed."""
    known = inspect.signature(function(name))
    soon = {"budget": 0.2} if "budget" in known.parameters else {}  # what cannot be found is looked for until then
    few = {"sweep": {"games": 2}, "league": {"games": 2}, "dataset": {"positions": 2}}.get(name, {})
    bound = known.bind(*CALLS[name]).arguments | soon | few | {parameter: value}
    result = function(name)(**bound)
    return list(islice(result, 3)) if inspect.isgenerator(result) else result


def cases() -> list[tuple[str, str]]:
    skipped = (inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL)
    every = {name: inspect.signature(function(name)).parameters.values() for name in CALLS}
    return [(name, item.name) for name, all_of in every.items() for item in all_of if item.kind not in skipped]


def test_every_public_function_is_tried() -> None:
    public = {name for name in mp.__all__ if inspect.isfunction(getattr(mp, name))}
    assert public - ELSEWHERE <= set(CALLS), "add a call that answers to CALLS"


@pytest.mark.slow
@pytest.mark.parametrize(("name", "parameter"), cases())
def test_wrong_values(name: str, parameter: str) -> None:
    for value in WRONG:
        if parameter in COUNTS and isinstance(value, int) and value >= 2**31:
            continue
        try:
            call(name, parameter, value)
        except OURS as error:
            words = str(error)
            assert words, (name, parameter, value)
            if value is not int:  # which can be called, and is, where a function is wanted
                assert not [item for item in TECHNICAL if item in words], (name, parameter, value, words)


@pytest.mark.parametrize(("name", "parameter"), [case for case in cases() if case[1] not in NUMBERS | FLAGS])
def test_neither_a_truth_value_nor_a_float_is_a_whole_number(name: str, parameter: str) -> None:
    default = inspect.signature(function(name)).parameters[parameter].default
    given = inspect.signature(function(name)).bind(*CALLS[name]).arguments.get(parameter, default)
    if type(given) is not int and parameter not in ("total_mines", "threads"):
        return
    for value in (True, False, 1.0, float("nan")):
        with pytest.raises(TypeError, match="must be a whole number"):
            call(name, parameter, value)


@pytest.mark.parametrize("value", [2**64, 10**30, -1])
def test_numbers_that_no_engine_can_hold_are_refused_with_their_bounds(value: int) -> None:
    for name, parameter in [("Budget", "states"), ("optimal_moves", "most"), ("generate", "seed")]:
        with pytest.raises(ValueError, match=rf"^{parameter} must be from 0 to 2\*\*64 - 1, got {value}$"):
            call(name, parameter, value)


@pytest.mark.parametrize("name", ["analyze", "hint", "sample_layouts"])
@pytest.mark.parametrize("value", [0, 1, -0.1, 1.5, float("nan"), float("inf")])
def test_a_density_is_a_chance(name: str, value: float) -> None:
    with pytest.raises(ValueError, match=r"^density must be more than 0 and less than 1, got "):
        call(name, "density", value)


def test_a_density_may_be_a_decimal_number() -> None:
    board = mp.Board.parse("1##/###")
    assert mp.analyze(board, density=Decimal("0.2")) == mp.analyze(board, density=Fraction(1, 5))
    for value in ("NaN", "sNaN", "Infinity", "0", "1", "1e-999999999"):
        with pytest.raises(ValueError, match=r"^density must "):
            mp.analyze(board, density=Decimal(value))


@pytest.mark.parametrize("value", ["0.2", "x", None, [0.2], True])
def test_a_density_is_a_number(value: object) -> None:
    if value is not None:
        with pytest.raises(TypeError, match="density must be a number between 0 and 1, got"):
            call("analyze", "density", value)


@pytest.mark.parametrize(
    ("name", "parameter", "words"),
    [
        ("analyze", "board", "board must be a Board, got str (Board.parse reads text)"),
        ("risk", "board", "board must be a Board, got str (Board.parse reads text)"),
        ("matrix", "board", "board must be a Board, got str (Board.parse reads text)"),
        ("check", "layout", "layout must be a Layout, got str (formats.read returns one)"),
        ("measure", "layout", "layout must be a Layout, got str (formats.read returns one)"),
        ("analyze", "engine", "engine must be an Engine, got str (engine_named returns one)"),
        ("hint", "engine", "engine must be an Engine, got str (engine_named returns one)"),
        ("judge", "task", "task must be a Task, got str (task makes one)"),
        ("Layout", "mines", "mines must be cells (row, column), got '1#/##'"),
        ("generate", "absent", "absent must be cells (row, column), got '1#/##'"),
        ("simulate", "progress", "progress must be callable, got str"),
        ("simulate", "resume", "resume must be a Simulation, got str (Simulation.from_json reads one)"),
        ("compare", "second", "second must be a Simulation, got str (simulate makes one)"),
        ("formats.write", "value", "value must be a Board or a Layout, got str"),
        ("generate", "no_guess", "no_guess must be True or False, got '1#/##'"),
    ],
)
def test_the_words(name: str, parameter: str, words: str) -> None:
    with pytest.raises(TypeError) as caught:
        call(name, parameter, "1#/##")
    assert str(caught.value) == words


def test_cells_may_be_lists_as_json_has_them() -> None:
    assert mp.Layout(2, 2, [[0, 1]]).mines == frozenset([(0, 1)])  # type: ignore[arg-type]
    assert mp.generate(3, 3, 1, seed=1, start=[0, 0]).start == (0, 0)  # type: ignore[call-overload]


# methods


@pytest.mark.parametrize("cell", [None, True, 1, 1.0, "", "x", [1], (1,), (1, 2, 3), (1.0, 0.0), (True, False), {1: 2}])
def test_what_is_no_cell_is_refused_by_every_board(cell: Any) -> None:
    for asked in (BOARD.index, BOARD.neighbours, BOARD.__getitem__, LAYOUT.neighbours):
        with pytest.raises(TypeError) as caught:
            asked(cell)
        assert str(caught.value) == f"cell must be a cell (row, column), got {cell!r}"


def test_a_cell_outside_is_refused_by_every_board() -> None:
    for asked in (BOARD.index, BOARD.neighbours, BOARD.__getitem__, LAYOUT.neighbours):
        with pytest.raises(mp.OutsideError, match=r"expected a cell on the .* board, got \(9,9\)"):
            asked((9, 9))


@pytest.mark.parametrize(
    "value", [value for value in WRONG if not isinstance(value, str)], ids=lambda value: repr(value)[:20]
)
def test_wrong_values_for_methods(value: Any) -> None:
    calls: list[Callable[[], Any]] = [
        lambda: mp.analyze(BOARD).exact(value, 0),
        lambda: BOARD.count(value),
        lambda: BOARD.replace(value),
        lambda: mp.Game.load(value),
        lambda: mp.Game.replay(value),
        lambda: mp.Game.replay(mp.Game(LAYOUT).record(), upto=value),
        lambda: mp.Game(LAYOUT).open(value, 0),
        lambda: mp.Game(LAYOUT).flag(0, value),
        lambda: mp.Game(LAYOUT).play(value, (0, 0)),
        lambda: mp.hint(BOARD).level(value),
        lambda: PLAYED.merge(value),
        lambda: mp.Simulation.from_json(value),
        lambda: mp.Certificate.from_json(value),
    ]
    said = [words_of(call_) for call_ in calls]
    assert not [words for words in said for technical in TECHNICAL if technical in words]


def words_of(asked: Callable[[], Any]) -> str:
    """What an error of ours says; nothing where there is an answer."""
    try:
        asked()
    except (TypeError, ValueError, mp.MineproofError) as error:
        return str(error)
    return ""
