"""Uniform where uniform is promised, and no game lost by a player who does as the hint says.

Draws are counted and compared with equal shares by Pearson's χ², at a limit that chance passes once in ten thousand;
the seeds are fixed, so a test that passes keeps passing until answers change.

MINEPROOF_GAMES sets how many games are played by the hints, MINEPROOF_LEVEL on which level.
"""

from __future__ import annotations

import json
import math
import os
import random
from collections import Counter
from collections.abc import Collection, Iterable
from itertools import combinations
from pathlib import Path

import pytest

import mineproof as mp
from mineproof.analysis.judgement import redraw_free, redraw_mined
from mineproof.base.rng import Random, deal
from mineproof.board.levels import read_size
from mineproof.board.start import FirstClick
from mineproof.game.autoplayer import autoplay
from mineproof.game.game import Game, Outcome
from mineproof.game.layout import Layout
from mineproof.game.rules import Fairness
from support.checks import seed_board
from support.effort import examples
from support.oracle import COVERED, FLAGGED, Cell, brute_force, neighbours

pytestmark = pytest.mark.statistical

GAMES = int(os.environ.get("MINEPROOF_GAMES", "150"))
LEVEL = os.environ.get("MINEPROOF_LEVEL", "beginner")
CASES = json.loads((Path(__file__).parents[1] / "golden/seed_cases.json").read_text(encoding="utf-8"))
TRAPS = [case for case in CASES if case["id"].startswith("fm-hint-trap")]

Mines = frozenset[Cell]


def assert_uniform(drawn: Iterable[Mines], among: Collection[Mines]) -> None:
    """Each of the layouts equally often, and no others."""
    counts = Counter(drawn)
    assert counts.keys() <= set(among)
    share = counts.total() / len(among)
    assert share >= 20  # or χ² is no guide
    statistic = sum((counts[mines] - share) ** 2 / share for mines in among)
    assert statistic < chi_square_limit(len(among) - 1)


def chi_square_limit(freedom: int) -> float:
    """What χ² stays below with 99.99 %, by Wilson and Hilferty."""
    spread = 2 / (9 * max(freedom, 1))
    return max(freedom, 1) * (1 - spread + 3.719 * math.sqrt(spread)) ** 3


# redraws


BOARDS = {
    "one number": ("####/#2##/####", 4),
    "frontier and sea": ("1###/#2##/####", 4),
    "chain": ("11111/#####/#####", 4),
    "torus": ("4x3x3 torus/####/#2##/####", 3),
    "hex with holes": ("4x3x3 hex/###~/#2##/####", 3),
}
CELLS = {"one": [(2, 1)], "several": [(2, 0), (2, 1), (2, 2)]}


@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.parametrize("cells", CELLS.values(), ids=CELLS)
def test_redraws_are_uniform(name: str, cells: list[Cell]) -> None:
    text, total = BOARDS[name]
    board = mp.Board.parse(text, total, alphabet="mineproof")
    layouts, chosen = list(brute_force(board).layouts()), frozenset(cells)
    free = [mines for mines in layouts if not chosen & mines]
    mined = [mines for mines in layouts if chosen & mines]
    assert len(free) > 1
    assert len(mined) > 1
    assert_uniform((redraw_free(board, chosen, 1, number) for number in range(40 * len(free))), free)
    assert_uniform((redraw_mined(board, chosen, 2, number) for number in range(40 * len(mined))), mined)


def layouts_of(rows: int, columns: int, mines: int) -> list[Layout]:
    """All layouts of a small board."""
    cells = [(row, column) for row in range(rows) for column in range(columns)]
    return [Layout(rows, columns, frozenset(chosen)) for chosen in combinations(cells, mines)]


def mines_after(game: Game) -> Mines:
    """Where the mines are, which a running game does not say."""
    record = game.record()
    return record.redraws[max(record.redraws)] if record.redraws else record.layout.mines


# the first click


@pytest.mark.parametrize("rule", ["safe", "open"])
@pytest.mark.parametrize(("rows", "columns", "mines"), [(2, 3, 2), (3, 3, 2), (3, 3, 4), (2, 3, 5), (3, 4, 3)])
def test_a_first_click_leaves_all_allowed_layouts_alike(rule: FirstClick, rows: int, columns: int, mines: int) -> None:
    layouts, cell = layouts_of(rows, columns, mines), (1, 0)
    near = neighbours("grid", rows, columns, cell) if rule == "open" else set()
    crowding = {layout.mines: (cell in layout.mines, len(near & layout.mines)) for layout in layouts}
    least = min(crowding.values())
    allowed = [found for found, crowd in crowding.items() if crowd == least]
    rounds = -(-60 * len(allowed) // len(layouts))

    def drawn() -> Iterable[Mines]:
        for seed, layout in enumerate(layouts * rounds):  # a seed for each, or the draws would not be independent
            game = Game(layout, first_click=rule, seed=seed)
            game.open(*cell)
            yield mines_after(game)

    assert_uniform(drawn(), allowed)


# forced guesses


@pytest.mark.parametrize("fairness", ["forced", "kind", "strict"])
def test_after_a_forced_first_click_all_layouts_are_alike(fairness: Fairness) -> None:
    hit = [layout for layout in layouts_of(2, 3, 2) if (0, 0) in layout.mines]
    free = [layout.mines for layout in layouts_of(2, 3, 2) if (0, 0) not in layout.mines]

    def drawn() -> Iterable[Mines]:
        for seed, layout in enumerate(hit * 100):
            game = Game(layout, first_click="any", fairness=fairness, seed=seed)
            assert game.open(0, 0).redrawn
            yield mines_after(game)

    assert_uniform(drawn(), free)


def test_after_a_forced_guess_within_a_game_all_layouts_that_fit_are_alike() -> None:
    """2 in the middle of 3 × 3 with a tail: nothing is certain; a guess beside it that hits is redrawn."""
    board = mp.Board.parse("####/#2##/####", total_mines=4)
    layouts, cell = list(brute_force(board).layouts()), (0, 1)
    free, hit = ([mines for mines in layouts if (cell in mines) == mined] for mined in (False, True))

    def drawn() -> Iterable[Mines]:
        for seed, mines in enumerate(hit * (40 * len(free) // len(hit))):
            game = Game(Layout(3, 4, mines), first_click="any", fairness="forced", seed=seed)
            game.open(1, 1)
            assert game.open(*cell).redrawn
            yield mines_after(game)

    assert_uniform(drawn(), free)


# games by the hints


class HintPlayer:
    """Does what the hint says; where numbers have their flags it often chords, and some guesses are chords too."""

    def __init__(self, game: Game, seed: int) -> None:
        self.game = game
        self.rng = random.Random(seed)

    def play(self) -> Game:
        while not self.game.is_over:
            self.step(mp.hint(self.game.board))
        return self.game

    def step(self, hint: mp.Hint) -> None:
        if hint.kind == "flag":
            assert hint.cell is not None
            self.game.flag(*hint.cell)
        elif hint.certain:
            for cell in sorted(hint.mines):
                if self.game.board[cell] != FLAGGED:
                    self.game.flag(*cell)
            for cell in sorted(hint.safe):
                self.open_safely(cell)
        else:
            assert hint.cell is not None
            if not (self.rng.random() < 0.3 and self.guess_by_chord()):
                self.open(hint.cell)

    def open(self, cell: Cell) -> Outcome | None:
        """Open a cell, with or without a flag on it; cascades may have done so already."""
        shown = self.game.board[cell]
        if shown == FLAGGED:
            self.game.flag(*cell)
        return self.game.open(*cell) if shown < 0 and not self.game.is_over else None

    def open_safely(self, cell: Cell) -> None:
        """By a chord if there is one that opens it and nothing that is not certain."""
        board = self.game.board
        safe = mp.analyze(board, flags="ignore").safe if self.rng.random() < 0.5 else frozenset()
        for number in board.neighbours(cell) if board[cell] == COVERED else []:
            around = board.neighbours(number)
            covered = {other for other in around if board[other] == COVERED}
            if board[number] == sum(board[other] == FLAGGED for other in around) and covered <= safe:
                self.game.chord(*number)
                return
        self.open(cell)

    def guess_by_chord(self) -> bool:
        """Flag around some number as in one of the layouts that fit, and chord."""
        board = self.game.board
        numbers = [
            cell for code in range(1, 9) for cell in board.cells(code) if hidden_around(board, cell) > board[cell]
        ]
        if not numbers:
            return False
        number = self.rng.choice(numbers)
        (mines,) = mp.sample_layouts(board, 1, seed=self.rng.randrange(2**32), flags="ignore")
        for other in board.neighbours(number):
            if board[other] < 0 and (other in mines) != (board[other] == FLAGGED):
                self.game.flag(*other)
        self.game.chord(*number)
        return True


def hidden_around(board: mp.Board, cell: Cell) -> int:
    return sum(board[other] < 0 for other in board.neighbours(cell))


def test_no_game_is_lost_by_the_hints() -> None:
    rows, columns, mines = read_size(LEVEL)
    rescued = 0
    for number in range(GAMES):
        cells = deal(Random(2026, number), [(row, column) for row in range(rows) for column in range(columns)], mines)
        game = Game(Layout(rows, columns, frozenset(cells)), first_click="any", fairness="forced", seed=number)
        assert HintPlayer(game, number).play().status == "won", f"game {number} of seed 2026 was lost"
        rescued += game.redraws
    assert rescued >= GAMES // 10  # or there was nothing to be rescued from


@pytest.mark.parametrize("fairness", ["safest", "local"])
def test_no_game_is_lost_by_the_hints_where_only_the_safest_cell_is_protected(fairness: Fairness) -> None:
    rescued = 0
    for number in range(examples(60, 0.2)):
        cells = deal(Random(2026, number), [(row, column) for row in range(8) for column in range(8)], 12)
        layout = Layout(8, 8, frozenset(cells))
        game = Game(layout, first_click="any", fairness=fairness, seed=number)
        for _ in autoplay(game, layout):
            pass
        assert game.status == "won", f"game {number} was lost"
        rescued += game.redraws
    assert rescued > 3


def test_without_fairness_games_are_lost() -> None:
    """The same player, so that it is fairness that saves it."""
    rows, columns, mines = read_size("beginner")
    places = [(row, column) for row in range(rows) for column in range(columns)]
    layouts = [Layout(rows, columns, frozenset(deal(Random(2026, number), places, mines))) for number in range(15)]
    ends = {HintPlayer(Game(layout, first_click="any"), 0).play().status for layout in layouts}
    assert ends == {"won", "lost"}


def at_position(board: mp.Board, mines: Mines) -> Game:
    """A game that shows a board."""
    game = Game(Layout(board.rows, board.columns, mines), first_click="any", fairness="forced")
    for cell in board.cells(FLAGGED):
        game.flag(*cell)
    for code in range(9):
        for cell in board.cells(code):
            if game.board[cell] == COVERED:
                game.open(*cell)
    assert game.board == board
    return game


@pytest.mark.parametrize("case", TRAPS, ids=lambda case: str(case["id"]))
def test_the_traps_of_fair_minesweeper(case: dict[str, object]) -> None:
    """It called a certain mine "random" though a safe cell was there; following our hint never loses."""
    board = seed_board(case, int(str(case["mines"])))
    layouts = list(brute_force(board.without_flags()).layouts())
    assert len(layouts) == case["solutions"]
    for mines in layouts:
        for seed in range(20):
            hint = mp.hint(board)
            assert hint.certain
            assert hint.safe.isdisjoint(mines)
            assert hint.mines <= mines
            assert HintPlayer(at_position(board, mines), seed).play().status == "won"


def test_there_are_traps() -> None:
    assert TRAPS
