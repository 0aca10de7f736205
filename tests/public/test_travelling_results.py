"""Every public result and error is a value: it can be pickled, copied, compared and sent to another process."""

from __future__ import annotations

import ast
import copy
import inspect
import multiprocessing
import pickle
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

import mineproof as mp
from support.engines import needs_kernel
from support.jobs import analyze_too_wide
from support.patience import PATIENCE

BOARD = mp.Board.parse("1#/##", total_mines=1)
STUCK = mp.Board.parse("000000/011100/02F211/03F###/03####/02####", total_mines=8)
LAYOUT = mp.Layout(3, 3, frozenset([(0, 0)]))
SIZE = "5x5x4"
WHEN = datetime(2026, 11, 16, tzinfo=UTC)


def finished_game() -> mp.Game:
    game = mp.Game(mp.Layout(2, 4, frozenset([(0, 0)])), seed=1, clock=lambda: 0.0)
    game.play("open", (0, 3), ms=0)
    game.play("open", (1, 0), ms=1500)
    return game


def stored_game() -> mp.Added:
    with TemporaryDirectory() as folder, mp.History.open(folder) as history:
        return history.add(finished_game(), help_used={}, when=WHEN)


def level_summary() -> mp.LevelSummary:
    with TemporaryDirectory() as folder, mp.History.open(folder) as history:
        history.add(finished_game(), help_used={}, when=WHEN)
        return history.summary("4x2x1")


def standing() -> mp.Standing:
    with TemporaryDirectory() as folder, mp.Training.open(folder) as training:
        training.add(right_answer())
        return training.standing()


def puzzle() -> mp.Puzzle:
    return mp.puzzle("partition", level="beginner", seed=1)


def right_answer() -> mp.Answer:
    return mp.answer(puzzle(), min(puzzle().solution))


def dataset() -> mp.Dataset:
    path = shared_folder() / "positions.parquet"
    return mp.read_dataset(path) if path.exists() else mp.dataset(path, "4x4x2", positions=5)


@cache
def shared_folder() -> Path:
    """Kept until the process ends, so that both results of a kind name the same file."""
    shared_folder.kept = TemporaryDirectory()  # type: ignore[attr-defined]
    return Path(shared_folder.kept.name)  # type: ignore[attr-defined]


def over_budget() -> mp.BudgetExceeded:
    return mp.BudgetExceeded("no result", limit="states", seconds=1.5, states=7, width=3)


def caught(kind: type[mp.MineproofError], call: Callable[[], object]) -> mp.MineproofError:
    with pytest.raises(kind) as error:
        call()
    return error.value


def rival() -> mp.Rival:
    return mp.Rival((0, 1), 0.5, 0.01, 200, "strong", dropped=False)


def swept(**options: Any) -> mp.Sweep:
    return mp.sweep("5x5x4", games=64, strategy=["fast", "go"], **options)


def calibration() -> mp.Calibration:
    with TemporaryDirectory() as folder:
        return swept(per_game=True, path=Path(folder) / "run").calibration(0)


def report() -> mp.Report:
    with TemporaryDirectory() as folder:
        return mp.report(swept(per_game=True, path=Path(folder) / "run"))


def labelled() -> mp.LabelledPosition:
    return mp.LabelledPosition("one", STUCK, safe=frozenset([(0, 0)]), shown={(0, 1): 2})


# How each is made; called twice, it gives two equal results that were computed independently.


def league() -> mp.League:
    return mp.league(["fast", "strong"], 4, 4, 2, games=4)


def variant_position() -> mp.VariantPosition:
    return mp.VariantPosition.from_board(mp.Board.parse("1##/###/0##", total_mines=2))


LIAR = mp.Board.parse("1##/##0", total_mines=2, rules="liar")


def variant_without_guess() -> mp.GeneratedVariant:
    return mp.generate_variant(4, 4, 4, "liar", seed=1, no_guess=True)


def variant_game() -> mp.VariantGame:
    return mp.VariantGame(mp.VariantLayout.of(1, 4, [(0, 0)], mp.Variant("liar")), seed=1)


RESULTS: dict[str, Callable[[], Any]] = {
    "Added": stored_game,
    "Analysis": lambda: mp.analyze(STUCK),
    "Answer": right_answer,
    "Assertion": lambda: mp.Assertion((0, 1), "mine", ((0, 0),)),
    "Audit": lambda: mp.audit(labelled()),
    "BestMove": lambda: mp.best_move(STUCK, playouts=20),
    "Board": lambda: mp.Board.parse("1#/##", total_mines=1),
    "BoardSyntaxError": lambda: caught(mp.BoardSyntaxError, lambda: mp.Board.parse("1#/#")),
    "BotError": lambda: mp.BotError("the bot ended with status 1"),
    "Bounds": lambda: mp.bounds_table(STUCK)[0],
    "Budget": lambda: mp.Budget(seconds=1),
    "BudgetExceeded": over_budget,
    "Calibration": calibration,
    "Certificate": lambda: mp.certify(LAYOUT, (2, 2)),
    "CertificateError": lambda: mp.CertificateError("step 3 proves nothing"),
    "Check": lambda: mp.check(LAYOUT, (2, 2)),
    "Clicks": lambda: mp.measure_game(finished_game()).clicks,
    "Comparison": lambda: mp.compare(mp.simulate(SIZE, games=64), mp.simulate(SIZE, games=64, strategy="go")),
    "ContradictionError": lambda: caught(mp.ContradictionError, lambda: mp.analyze(mp.Board.parse("4#/##"))),
    "Dataset": dataset,
    "DatasetError": lambda: mp.DatasetError("positions.parquet is damaged"),
    "DatasetProgress": lambda: mp.DatasetProgress(*range(len(mp.DatasetProgress._fields))),
    "Deduction": lambda: mp.deduce(STUCK)[0],
    "Doubt": lambda: mp.Doubt(((0, 0),), "1", 0.5, (("7", 0.4),)),
    "EngineMissing": lambda: mp.EngineMissing("no kernel"),
    "Constraint": lambda: mp.Constraint([0, 1], 1),
    "League": league,
    "LeagueRow": lambda: league().table()[0],
    "Problem": lambda: mp.Problem(3, [mp.Constraint([0, 1], 1)]),
    "ProblemAnalysis": lambda: mp.analyze(mp.Problem(3, [mp.Constraint([0, 1], 1)])),
    "Shape": lambda: mp.Shape.from_neighbours([[1], [0]]),
    "SizeDoubt": lambda: mp.SizeDoubt("top", 1, 0.25),
    "Variant": lambda: mp.Variant("capped:3", ["quad", "connected"]),
    "VariantAnalysis": lambda: mp.analyze_variant(variant_position(), mp.Variant("liar")),
    "VariantBestMove": lambda: mp.best_move(LIAR),
    "VariantBoard": lambda: LIAR,
    "VariantCheck": lambda: mp.check_variant(variant_without_guess().solution, (2, 2)),
    "VariantDeduction": lambda: mp.deduce(LIAR)[0],
    "VariantHint": lambda: mp.hint(LIAR),
    "VariantLayout": lambda: mp.VariantLayout.of(1, 4, [(0, 0)], mp.Variant("liar")),
    "VariantOption": lambda: mp.best_move(LIAR).moves[0],
    "VariantOutcome": lambda: variant_game().open(0, 3),
    "VariantPosition": variant_position,
    "Estimate": lambda: mp.Estimate(0.5, 0.1, 64, mp.Interval(0.0, 1.0)),
    "GameMeasures": lambda: mp.measure_game(finished_game()),
    "Generated": lambda: mp.generate(SIZE, seed=1),
    "GeneratedVariant": variant_without_guess,
    "Grade": lambda: mp.grade(LAYOUT, (2, 2)),
    "GuessLesson": lambda: mp.lesson(finished_game()).guesses[0],
    "GuessReview": lambda: mp.review(finished_game()).guesses[0],
    "Hint": lambda: mp.hint(STUCK),
    "HistoryError": lambda: mp.HistoryError("no game 3"),
    "IllegalMoveError": lambda: caught(mp.IllegalMoveError, lambda: finished_game().open(0, 0)),
    "Interval": lambda: mp.simulate(SIZE, games=64).interval,
    "Judgement": lambda: mp.judge(BOARD, [(0, 1)]),
    "LabelFault": lambda: mp.audit(labelled()).faults[0],
    "LabelledPosition": labelled,
    "KeptGame": lambda: stored_game().game,
    "Layout": lambda: mp.Layout(3, 3, frozenset([(0, 0)])),
    "Lesson": lambda: mp.lesson(finished_game()),
    "LevelSummary": level_summary,
    "ManyAnalyses": lambda: mp.analyze_many([BOARD, BOARD]),
    "ManyMeasures": lambda: mp.measure_many([[[1, 0, 0], [0, 0, 0]]]),
    "Matrix": lambda: mp.matrix(STUCK),
    "Measures": lambda: mp.measure(LAYOUT),
    "MineproofError": lambda: mp.MineproofError("wrong"),
    "Move": lambda: finished_game().record().moves[0],
    "NoGuessLayout": lambda: mp.generate(9, 9, 20, seed=1, no_guess=True, start=(4, 4)),
    "Option": lambda: mp.best_move(STUCK, playouts=0).moves[0],
    "Outcome": lambda: mp.Game(LAYOUT, seed=1).open(2, 2),
    "Outlook": lambda: mp.Outlook(1, 0.5, 2, 1.0),
    "OutsideError": lambda: caught(mp.OutsideError, lambda: BOARD[5, 5]),
    "Pause": lambda: mp.Pause(3, 1000, 51.0, 50.0, 900, mp.hint(STUCK)),
    "Picture": lambda: mp.draw(BOARD, odds=True),
    "PositionStatus": lambda: mp.PositionStatus.OK,
    "Profile": lambda: mp.profile([mp.lesson(finished_game())]),
    "ProofStep": lambda: mp.generate(9, 9, 20, seed=1, no_guess=True, start=(4, 4)).certificate.steps[0],
    "Puzzle": puzzle,
    "Rating": lambda: mp.Rating(1500.0, 350.0),
    "Reading": lambda: mp.read_image(mp.draw(STUCK, coordinates=False).png()),
    "Record": lambda: finished_game().record(),
    "Report": report,
    "Review": lambda: mp.review(finished_game()),
    "Rival": rival,
    "Rules": mp.Rules,
    "Sentence": lambda: mp.lesson(finished_game()).sentences[0],
    "Simulation": lambda: mp.simulate(SIZE, games=64),
    "Setup": lambda: mp.Setup("beginner", seed=1, topology="hex"),
    "Size": lambda: mp.Size(3, 3, 1),
    "Standing": standing,
    "Strategy": lambda: mp.strategies()[0],
    "Sweep": swept,
    "SweepError": lambda: mp.SweepError("the folder is in use"),
    "SweepProgress": lambda: mp.SweepProgress(*range(len(mp.SweepProgress._fields))),
    "Task": lambda: mp.task("claim", level="5x5x4", seed=1),
    "Thought": lambda: mp.Thought(1.5, (rival(),), clear=True),
    "Timeline": lambda: mp.timeline(finished_game()),
    "TimelineStep": lambda: mp.timeline(finished_game()).steps[0],
    "Totals": lambda: swept()[0],
    "Tournament": lambda: mp.tournament(SIZE, strategies=["fast", "strong"], games=16, seed=1),
    "Turn": lambda: next(mp.autoplay(mp.Game(LAYOUT, seed=1), LAYOUT)),
    "Verdict": lambda: mp.judge(mp.task("safe", level="5x5x4", seed=1), "[[0, 0]]"),
    "WeightedGames": lambda: mp.tournament(SIZE, strategies=["fast"], games=16, seed=1).players[0],
}
NO_RESULTS = {
    "LocalRule": "a rule, which holds functions; a `Variant` travels with its rules",
    "PatternRule": "a rule, which holds functions; a `Variant` travels with its rules",
    "ShapeRule": "a rule, which holds functions; a `Variant` travels with its rules",
    "SumRule": "a rule, which holds functions; a `Variant` travels with its rules",
    "Engine": "an interface",
    "Game": "an object that changes; its `Record` is the result",
    "History": "an open file",
    "TextGame": "a game that changes; `judge` and `game_verdict` have its result",
    "Training": "an open file",
    "VariantGame": "an object that changes; `save` writes it",
}
DATED = {"Added", "KeptGame", "LevelSummary", "LeagueRow"}  # hold a moment, or how long games took
NEEDS = {"Dataset": "pyarrow", "Reading": "PIL"}  # packages that only some results need


def public_classes() -> set[str]:
    """Classes that the package exports, by its stub."""
    stub = ast.parse((Path(mp.__file__).parent / "__init__.pyi").read_text("utf-8"))
    names = [alias.name for node in stub.body if isinstance(node, ast.ImportFrom) for alias in node.names]
    return {name for name in names if inspect.isclass(getattr(mp, name))}


def made(name: str) -> Any:
    if (package := NEEDS.get(name)) is not None and find_spec(package) is None:
        pytest.skip(f"needs {package}")
    return RESULTS[name]()


def test_every_public_class_is_tried() -> None:
    assert public_classes() == RESULTS.keys() | NO_RESULTS.keys()


@pytest.mark.slow
@needs_kernel
@pytest.mark.parametrize("name", RESULTS)
def test_a_copy_is_equal(name: str) -> None:
    result = made(name)
    assert type(result) is getattr(mp, name)
    copies = [pickle.loads(pickle.dumps(result, protocol)) for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1)]
    for twin in [*copies, copy.copy(result), copy.deepcopy(result)]:
        assert type(twin) is type(result)
        assert twin == result
        assert repr(twin) == repr(result)
    assert result != object()


@pytest.mark.slow
@needs_kernel
@pytest.mark.parametrize("name", [name for name in RESULTS if name not in DATED])
def test_the_same_computation_gives_an_equal_result(name: str) -> None:
    first, second = made(name), made(name)
    assert first == second
    if isinstance(first, BaseException) or type(first).__hash__ is not None:
        try:
            expected = hash(first)
        except TypeError:  # a frozen class that holds a list, an array or a dict
            return
        assert hash(second) == expected


# errors


def test_an_error_keeps_its_attributes() -> None:
    for error in (over_budget(), RESULTS["BoardSyntaxError"](), RESULTS["ContradictionError"]()):
        twin = pickle.loads(pickle.dumps(error))
        assert vars(twin) == vars(error)
        assert twin.as_json() == error.as_json()
        assert str(twin) == str(error)


def test_errors_with_other_attributes_differ() -> None:
    assert over_budget() == over_budget()
    assert over_budget() != mp.BudgetExceeded("no result", limit="states", seconds=1.5, states=8, width=3)
    assert mp.SweepError("x") != mp.DatasetError("x")


def test_an_error_of_a_class_with_other_arguments_travels() -> None:
    error = Demanding(3, unit="cells")
    twin = pickle.loads(pickle.dumps(error))
    assert twin == error
    assert (str(twin), twin.unit) == ("3 cells", "cells")


class Demanding(mp.MineproofError):
    """A subclass as another program may derive it."""

    def __init__(self, count: int, *, unit: str) -> None:
        super().__init__(f"{count} {unit}")
        self.unit = unit


# analyses


@pytest.mark.parametrize("flags", ["trust", "ignore"])
@pytest.mark.parametrize("density", [None, 0.2])
@pytest.mark.parametrize("engine", ["kernel", "reference"])
def test_an_analysis_has_the_same_facts_elsewhere(engine: str, density: float | None, flags: Any) -> None:
    board = mp.Board.parse("1##/1F#/###") if density is not None else mp.Board.parse("1##/1F#/###", total_mines=3)
    answer = mp.analyze(board, density=density, flags=flags, engine=mp.engine_named(engine))
    twin = pickle.loads(pickle.dumps(answer))
    assert twin.as_json(exact=True) == answer.as_json(exact=True)
    assert (twin.safe, twin.mines, twin.undecided, twin.states) == (
        answer.safe,
        answer.mines,
        answer.undecided,
        answer.states,
    )
    assert twin.mine_probability.tobytes() == answer.mine_probability.tobytes()


def test_analyses_of_other_questions_differ() -> None:
    flagged = mp.Board.parse("1F/##")
    analyses = [
        mp.analyze(flagged),
        mp.analyze(flagged, flags="ignore"),
        mp.analyze(flagged, density=0.2),
        mp.analyze(BOARD),
    ]
    assert len(set(analyses)) == len(analyses)
    assert mp.analyze(BOARD, density=0.2) == mp.analyze(BOARD), "with a total the density says nothing"
    assert mp.analyze(BOARD) == mp.analyze(BOARD, engine=mp.engine_named("reference"))


def test_a_budget_that_can_be_cancelled_does_not_keep_an_analysis_at_home() -> None:
    budget = mp.Budget(cancelled=threading.Event().is_set)
    assert pickle.loads(pickle.dumps(mp.analyze(BOARD, budget=budget))).layouts == 3
    many = mp.analyze_many([BOARD, mp.Board.parse("4#/##", total_mines=1)], budget=budget)
    assert pickle.loads(pickle.dumps(many)).error(1) == many.error(1)


def test_a_number_of_layouts_that_was_counted_is_not_counted_again() -> None:
    answer = mp.analyze(STUCK)
    counted = answer.layouts
    twin = pickle.loads(pickle.dumps(answer))
    twin._counted = None  # nothing left to count with
    assert twin.layouts == counted


@needs_kernel
def test_an_analysis_is_small() -> None:
    game = mp.Game(mp.generate("expert", seed=1))
    game.open(8, 15)
    assert len(pickle.dumps(mp.analyze(game.board))) < 12 * 480


@pytest.mark.slow
@pytest.mark.skipif(find_spec("PIL") is None, reason="needs Pillow")
def test_a_reading_can_be_confirmed_elsewhere() -> None:
    reading = RESULTS["Reading"]()
    twin = pickle.loads(pickle.dumps(reading))
    assert twin.confirm({(5, 5): "#"}) == reading.confirm({(5, 5): "#"})


# other processes


@needs_kernel
@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_results_come_back_from_other_processes(method: str) -> None:
    context = multiprocessing.get_context(method)
    with ProcessPoolExecutor(1, context) as pool:
        analyses = list(pool.map(mp.analyze, [BOARD, STUCK], timeout=PATIENCE))
        assert analyses == [mp.analyze(BOARD), mp.analyze(STUCK)]
        assert analyses[1].layouts == mp.analyze(STUCK).layouts
        assert pool.submit(mp.hint, STUCK).result(PATIENCE) == mp.hint(STUCK)
        with pytest.raises(mp.BudgetExceeded) as over:
            pool.submit(analyze_too_wide).result(PATIENCE)
        assert over.value.limit == "states"
        assert pool.submit(mp.analyze, BOARD).result(PATIENCE) == analyses[0], "the pool is as it was"


@needs_kernel
@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_a_position_over_budget_raises_in_a_pool(method: str) -> None:
    with multiprocessing.get_context(method).Pool(1) as pool:
        with pytest.raises(mp.BudgetExceeded) as over:
            pool.apply_async(analyze_too_wide).get(PATIENCE)
        assert over.value.limit == "states"
        assert pool.apply_async(mp.analyze, (BOARD,)).get(PATIENCE).layouts == 3
