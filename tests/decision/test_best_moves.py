"""The best move: its choice, its reasons, its odds, and what it is weighed against."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable
from fractions import Fraction
from itertools import islice

import pytest

from mineproof.analysis.analysis import Analysis, analyze
from mineproof.analysis.layouts import enumerate_layouts
from mineproof.base.budget import Budget
from mineproof.board.board import Board
from mineproof.board.geometry import Topology
from mineproof.decision import move_table
from mineproof.decision.best_moves import best_move, weigh_cells
from mineproof.decision.moves import BestMove, Option
from mineproof.decision.optimal import win_probability
from mineproof.decision.position import AnalyzedPosition
from mineproof.decision.safest import safest_cell
from mineproof.decision.strategy_table import deciding, strategies
from mineproof.engine.question import Question
from mineproof.errors import BudgetExceeded, ContradictionError, EngineMissing, IllegalMoveError
from mineproof.wording.cells import use_cell_labels
from support import texts
from support.engines import KERNEL, REFERENCE
from support.oracle import FLAGGED, Cell, brute_force
from support.positions import CLASSIC, stuck

[FAST] = [strategy for strategy in strategies() if strategy.name == "fast"]
NOT_THE_SAFEST = Board.parse("#####/123##/###3#", total_mines=6)


def certainly_safe(board: Board) -> Iterable[Cell]:
    return analyze(board).safe


def game(
    seed: int, rows: int = 16, columns: int = 16, mines: int = 45, guesses: int = 3, kind: Topology = "grid"
) -> Board:
    return stuck(random.Random(seed), rows, columns, mines, certainly_safe, guesses, kind).board


def moves(count: int) -> list[tuple[Board, BestMove]]:
    return [(board, best_move(board, playouts=0)) for board in map(game, range(count))]


# what is chosen


def test_the_known_example() -> None:
    move = best_move(NOT_THE_SAFEST)
    assert (move.cell, move.reason, move.exact) == ((0, 0), "optimal", True)
    assert (move.mine_probability, move.win_probability, move.win_fraction) == (0.3, 0.6, Fraction(3, 5))
    assert move.safest is not None
    assert (move.safest.cell, move.safest.mine_probability, move.safest.win_fraction) == ((0, 1), 0.2, Fraction(1, 2))
    drawback = move.drawback
    assert drawback is not None
    assert drawback[:3] == ("less-progress", (0, 0), (0, 1))
    assert [drawback.worse, drawback.better] == pytest.approx([0.4, 0.7])
    assert move.text.startswith("The best guess is (0,0): you win 60 % of the time, but only 50 % with the safest cell")
    assert str(move) == move.text
    assert move.text_in("de").startswith("Am besten rätst du bei (0,0): Damit gewinnst du zu 60 %")


def test_a_safe_cell_comes_first() -> None:
    for name in deciding():
        move = best_move(Board.parse("###/121", total_mines=2), name)
        assert (move.cell, move.reason, move.mine_probability) == ((0, 1), "safe", 0)
        assert (move.win_fraction, move.exact) == (Fraction(1), True)
        assert move.drawback is None
        assert move.text == "(0,1) is safe. You can win without a guess."


def test_all_safe_cells_are_worth_the_same() -> None:
    rows = "##11101#/##2#112#/###211#1/#2110111/#1000000/#2222110/######10/######10"
    board = Board.parse(rows, total_mines=10)
    move = best_move(board)
    assert {option.cell for option in move.moves} == analyze(board).safe
    assert {option.win_fraction for option in move.moves} == {win_probability(board)}
    assert move.text == " ".join(
        [texts.text("best-safe-others", 6, cell="(0,1)"), texts.text("best-perfect-play", chance="94 %")]
    )
    assert round(100 * win_probability(board)) == 94
    with use_cell_labels("ruler"):
        assert move.text.startswith(texts.text("best-safe-others", 6, cell="This cell"))


def test_nothing_is_left_to_open() -> None:
    for text, mines in (("1F", 1), ("1#", 1), ("000", 0)):
        move = best_move(Board.parse(text, total_mines=mines))
        assert (move.cell, move.reason, move.moves, move.win_probability) == (None, "done", (), 1)
        assert (move.drawback, move.is_fifty_fifty, move.is_last_guess) == (None, False, False)
        assert move.text == texts.text("best-done")
        assert move.as_json()["best"] is None


def test_a_fifty_fifty_is_called_one() -> None:
    move = best_move(Board.parse("11/##", total_mines=1))
    assert move.is_fifty_fifty
    assert move.text.startswith(
        "(1,0) is one half of a 50/50 that you have to take sooner or later. You win 50 % of the time"
    )
    assert not best_move(NOT_THE_SAFEST).is_fifty_fifty


def test_the_last_guess_is_called_one() -> None:
    last = best_move(Board.parse("1#/##", total_mines=1))
    assert last.is_last_guess == (last.win_fraction == 1 - Fraction(1, 3))
    assert not best_move(NOT_THE_SAFEST).is_last_guess


def test_a_fated_guess_is_made_now() -> None:
    move = best_move(game(0, 16, 30, 99, 2), playouts=0)
    assert (move.cell, move.reason) == ((0, 13), "fate")
    assert move.mine_probability == pytest.approx(0.5)
    assert (move.moves[0].fate or 0) >= 0.5  # added up over the fifty-fifties it may be part of
    assert move.safest.cell == (5, 1)
    assert move.text.startswith("Open (0,13) now. Where it is a mine (50 %), you would have to take a 50/50")
    assert "(5,1) is safer (22.8 %)" in move.text


def test_the_safest_cell() -> None:
    move = best_move(NOT_THE_SAFEST, "minesolver")
    assert (move.cell, move.reason, move.win_fraction) == ((0, 1), "safest", Fraction(1, 2))
    assert move.text.startswith(texts.text("best-safest", cell="(0,1)", risk="20 %"))
    assert move.text.endswith(texts.text("best-safest-loses", chance="50 %", more="60 %", better="(0,0)"))
    for seed in range(10):
        board = game(seed)
        analysis = analyze(board)
        if analysis.layouts > 1:
            assert best_move(board, "minesolver", playouts=0).cell == safest_cell(analysis, board).cell


def test_fast_plays_optimally_once_very_few_layouts_are_left() -> None:
    move = best_move(NOT_THE_SAFEST, "fast")
    assert (move.cell, move.reason, move.win_fraction) == ((0, 0), "optimal", Fraction(3, 5))
    for board in (Board.parse("##########/##########", total_mines=mines) for mines in (2, 3)):
        few = analyze(board).layouts <= FAST.layouts
        assert best_move(board, "fast", playouts=0).reason == ("optimal" if few else "safest")


@pytest.mark.slow
def test_the_choice_of_the_kernel_is_kept() -> None:
    for board, move in moves(25):
        if move.reason in ("ahead", "fate"):
            decision = KERNEL.decide(Question.of(board), "best", Budget())
            assert decision.best is not None
            assert (move.cell, decision.reason) == (board.cell(decision.best), move.reason)


def test_exact_means_optimal_or_nothing() -> None:
    assert best_move(NOT_THE_SAFEST, "fast", exact=True).cell == (0, 0)
    for text in ("###/121", "1F"):
        assert best_move(Board.parse(text, total_mines=2 if "#" in text else 1), exact=True).exact
    with pytest.raises(BudgetExceeded, match=r"10\^104 layouts fit"):
        best_move(Board.parse("/".join(["#" * 30] * 16), total_mines=99), exact=True)


@pytest.mark.slow
def test_solved_guesses_are_optimal() -> None:
    solved = [(board, move) for board, move in moves(40) if move.reason == "optimal"]
    assert len(solved) >= 5
    for board, move in solved:
        assert move.win_fraction == win_probability(board)
        assert move.layouts == analyze(board).layouts
        worth = [option.win_fraction for option in move.moves]
        assert worth == sorted(worth, key=lambda value: -(value or 0))


# what it was weighed by


@pytest.mark.slow
def test_no_cell_is_safer_than_the_safest() -> None:
    for board, move in moves(40):
        if move.reason in ("safe", "done"):
            continue
        analysis = analyze(board)
        undecided = [cell for cell in board.cells(-1) if cell not in analysis.mines]
        least = min(analysis.mine_probability[cell] for cell in undecided)
        assert move.safest.mine_probability == pytest.approx(least)
        assert ("No cell is safer" in move.text) <= (move.safest.cell == move.cell)
        assert (move.drawback is None) == (move.safest.cell == move.cell)


@pytest.mark.parametrize("kind", CLASSIC)
@pytest.mark.parametrize("name", ["best", "fast"])
def test_outlooks(kind: Topology, name: str) -> None:
    """The chances of a cell's numbers add up to its chance of being safe; each number equals an analysis with it."""
    board = game(4, 9, 9, 12, 0, kind)
    move = best_move(board, name, playouts=0)
    looked_at = [option for option in move.moves if option.outlook]
    assert looked_at[0].cell == move.cell
    for option in looked_at:
        assert math.fsum(outcome.chance for outcome in option.outlook) == pytest.approx(1 - option.mine_probability)
        for outcome in option.outlook:
            after = analyze(board.replace({option.cell: outcome.number}))
            assert outcome.chance == pytest.approx(after.layouts / analyze(board).layouts)
            telling = tells_something(after)
            assert len(telling & after.safe) <= outcome.safe <= len(after.safe)
            assert _freest(after, telling) <= outcome.safety + 1e-9
            assert outcome.safety <= _freest(after, after.safe.union(after.undecided)) + 1e-9
        progress = math.fsum(outcome.chance for outcome in option.outlook if outcome.safe or outcome.safety == 1)
        assert option.progress == pytest.approx(progress)


def tells_something(after: Analysis) -> frozenset[Cell]:
    """Cells that need not be mines and would not show the same in every layout; none if those are too many to list."""
    layouts = list(islice(enumerate_layouts(after.board), 400)) if after.layouts <= 400 else []
    shown = {
        cell: {sum(near in mines for near in after.board.neighbours(cell)) for mines in layouts if cell not in mines}
        for cell in after.safe.union(after.undecided)
    }
    return frozenset(cell for cell, numbers in shown.items() if len(numbers) > 1)


def _freest(after: Analysis, cells: Iterable[Cell]) -> float:
    """The highest chance to be free."""
    return max((1 - float(after.mine_probability[cell]) for cell in cells), default=0.0)


def test_outlooks_of_a_solved_position() -> None:
    """Of cells that are safe afterwards, those that show the same number in every layout left do not count."""
    [best, *_] = best_move(NOT_THE_SAFEST).moves
    assert [(outcome.number, round(outcome.chance, 9), outcome.safe) for outcome in best.outlook] == [
        (0, 0.5, 1),
        (1, 0.2, 1),
    ]
    assert len(analyze(NOT_THE_SAFEST.replace({(0, 0): 1})).safe) == 2
    assert best.progress == pytest.approx(0.7)
    assert best.fate == 0


def test_the_last_cell_wins() -> None:
    [option, _] = best_move(Board.parse("11/##", total_mines=1)).moves
    assert [(outcome.number, outcome.safe, outcome.safety) for outcome in option.outlook] == [(1, 0, 1.0)]


# estimates


@pytest.mark.slow
def test_estimates_are_marked_and_repeat() -> None:
    board = game(1, 16, 30, 99, 2)
    move = best_move(board, playouts=30)
    assert move.reason == "ahead"
    messages = [option for option in move.moves if option.win_probability is not None]
    assert move.safest in messages
    assert move_table.PLAYOUT_OPTIONS <= len(messages) <= move_table.PLAYOUT_OPTIONS + 1
    for option in messages:
        assert not option.exact
        assert option.win_fraction is None
        assert 0 < (option.standard_error or 0) < 0.1
    assert not move.exact
    assert best_move(board, playouts=30) == move
    assert "of the time" in move.text


def test_without_playouts_there_are_no_estimates() -> None:
    move = best_move(game(1, 16, 30, 99, 2), playouts=0)
    assert {option.win_probability for option in move.moves} == {None}
    assert "win" not in move.text


@pytest.mark.slow
@pytest.mark.parametrize("flagged", [False, True])
def test_playing_on_wins_as_often_as_optimal_play(flagged: bool) -> None:
    """Few layouts are played optimally by ``strong``, so its games are draws from the exact chance."""
    games, count = 400, 0
    for seed in range(60):
        board = game(seed, 8, 8, 20, 5)
        analysis = analyze(board)
        if not 3 < analysis.layouts < 500:
            continue
        if flagged:
            board = board.replace(dict.fromkeys(analysis.mines, FLAGGED))
        best = best_move(board, exact=True)
        assert best.cell is not None
        position = AnalyzedPosition(board, analyze(board), KERNEL)
        [wins] = move_table.play_on_from(position, [best.cell], games, Budget()).wins
        chance = float(win_probability(board))
        assert abs(wins / games - chance) <= 4.5 * math.sqrt(chance * (1 - chance) / games) + 1e-9
        count += 1
    assert count >= 4


def test_known_mines_are_taken_off_the_board() -> None:
    board = Board.parse("F3F22FF1/##4##332/#####1##", total_mines=9)
    plain = move_table._without_known_mines(board)
    assert not any(plain.cells(FLAGGED))
    assert plain.total_mines == 5
    bare = [frozenset(layout) - frozenset(board.cells(FLAGGED)) for layout in brute_force(board).layouts()]
    assert set(brute_force(plain).layouts()) == set(bare)


# flags, limits, names


def test_flags_are_trusted_unless_ignored() -> None:
    board = Board.parse("#2F/###", total_mines=2)
    assert best_move(board).win_fraction == Fraction(3, 4)
    ignoring = best_move(board, flags="ignore")
    assert ignoring.win_fraction == win_probability(board.without_flags())
    assert (0, 2) in [option.cell for option in ignoring.moves]


@pytest.mark.parametrize("name", ["go", "fair", "minedetector"])
def test_strategies_of_the_simulator_only(name: str) -> None:
    with pytest.raises(
        ValueError, match=f"fast, strong, best, deep, minesolver, got '{name}', which plays whole games only"
    ):
        best_move(NOT_THE_SAFEST, name)


def test_wrong_questions() -> None:
    with pytest.raises(ValueError, match=r"strategy must be one of fast, .*, got 'lucky'"):
        best_move(NOT_THE_SAFEST, "lucky")
    with pytest.raises(ValueError, match="playouts must be at least 0, got -1"):
        best_move(NOT_THE_SAFEST, playouts=-1)
    with pytest.raises(ValueError, match="number of mines is unknown"):
        best_move(Board.parse("1#/##"))
    with pytest.raises(ContradictionError, match="The 3 at"):
        best_move(Board.parse("3#/##", total_mines=2))
    with pytest.raises(BudgetExceeded):
        best_move(NOT_THE_SAFEST, budget=Budget(states=1))


def test_a_long_chain_is_not_listed() -> None:
    """Two layouts, and more cells than the kernel lists layouts of: the safest cell, without odds to win."""
    chain = Board.parse("#1" * 3599 + "#", total_mines=1800)
    move = best_move(chain)
    assert (move.reason, move.mine_probability, move.win_probability) == ("safest", 0.5, None)


def test_without_the_kernel() -> None:
    assert best_move(NOT_THE_SAFEST, exact=True, engine=REFERENCE).cell == (0, 0)
    assert best_move(NOT_THE_SAFEST, "fast", engine=REFERENCE).win_fraction == Fraction(3, 5)
    assert best_move(NOT_THE_SAFEST, "minesolver", engine=REFERENCE).win_fraction == Fraction(1, 2)
    with pytest.raises(EngineMissing, match="strategy 'fast'"):
        best_move(NOT_THE_SAFEST, engine=REFERENCE)


# as data


def test_json() -> None:
    answer = best_move(NOT_THE_SAFEST).as_json()
    assert answer["schema"] == "mineproof/best/1"
    assert (answer["best"], answer["exact"], answer["win_fraction"]) == ([0, 0], True, "3/5")
    assert isinstance(answer["moves"], list)
    first = answer["moves"][0]
    assert first == {
        "cell": [0, 0],
        "mine_probability": 0.3,
        "win_probability": 0.6,
        "exact": True,
        "win_fraction": "3/5",
        "standard_error": None,
        "score": first["score"],
        "progress": pytest.approx(0.7),
        "fate": 0.0,
        "outlook": [
            {"number": 0, "chance": pytest.approx(0.5), "safe": 1, "safety": 1.0},
            {"number": 1, "chance": pytest.approx(0.2), "safe": 1, "safety": 1.0},
        ],
        "alike": [],
    }


@pytest.mark.parametrize(
    ("option", "words"),
    [
        (Option((0, 0), 0.5), "?"),
        (Option((0, 0), 0.5, 0.414, standard_error=0.03), "about 41 %"),
        (Option((0, 0), 0.5, 0.6, exact=True, win_fraction=Fraction(3, 5)), "3/5"),
        (Option((0, 0), 0.0, 1.0, exact=True, win_fraction=Fraction(1)), "always"),
        (Option((0, 0), 0.5, 0.2, exact=True, win_fraction=Fraction(20001, 100003)), "20 %"),
    ],
)
def test_chances_to_win_in_words(option: Option, words: str) -> None:
    assert option.wins == words


def test_an_estimate_never_says_always_or_never() -> None:
    def told(chance: float) -> str:
        return Option((0, 0), 0.1, win_probability=chance, standard_error=0.01).wins

    assert [told(chance) for chance in (1.0, 0.996, 0.99, 0.5, 0.01, 0.004, 0.0)] == [
        "more than 99 %", "more than 99 %", "about 99 %", "about 50 %", "about 1 %", "less than 1 %", "less than 1 %",
    ]  # fmt: skip


# what single cells are worth


def test_cells_are_weighed_exactly_where_few_layouts_are_left() -> None:
    analysis = analyze(NOT_THE_SAFEST)
    best, safest = weigh_cells(analysis, [(0, 0), (0, 1)])
    assert (best.win_fraction, safest.win_fraction) == (Fraction(3, 5), Fraction(1, 2))
    board = Board.parse("111/###/###", total_mines=2)
    options = weigh_cells(analyze(board), [(1, 0), (2, 0), (1, 1)])
    assert [option.win_fraction for option in options] == [1, Fraction(2, 3), 0], "safe, risky, certainly a mine"
    assert [option.mine_probability for option in options] == [0, pytest.approx(1 / 3), 1]


def test_elsewhere_cells_are_played_on_from_on_the_same_layouts() -> None:
    board = game(3)
    move = best_move(board, playouts=0)
    assert not move.exact
    cells = [option.cell for option in move.moves[:2]]
    first, second = weigh_cells(analyze(board), cells, "fast", playouts=300)
    assert weigh_cells(analyze(board), cells[::-1], "fast", playouts=300) == [second, first]
    for option in (first, second):
        assert not option.exact
        assert 0 < (option.win_probability or 0) < 1
        assert 0 < (option.standard_error or 0) < 0.03
    (unknown,) = weigh_cells(analyze(board), cells[:1], playouts=0)
    assert unknown.win_probability is None


def test_a_finished_board_has_no_move() -> None:
    done = best_move(Board.parse("1F", total_mines=1))
    assert (done.cell, done.reason, done.moves) == (None, "done", ())
    assert math.isnan(done.mine_probability)
    with pytest.raises(IllegalMoveError, match="No cell is left to open"):
        _ = done.safest
    document = done.as_json()
    assert (document["mine_probability"], document["safest"], document["best"]) == (None, None, None)
