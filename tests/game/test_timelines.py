"""A game step by step: the changes add up to what is seen, and the odds are those of the review."""

import contextlib
import random

import pytest

import mineproof as mp
from mineproof.base.budget import Budget, Deadline
from mineproof.errors import BudgetExceeded, IllegalMoveError
from mineproof.game.risks import Risks
from mineproof.game.rules import FAIRNESSES, Fairness


def played(seed: int, fairness: Fairness = "none", topology: str = "grid") -> mp.Game:
    """A game with every kind of move: open, chord, marks, undo, also of the end."""
    chance = random.Random(seed)
    layout = mp.generate(6, 7, 7, seed=seed, topology=topology)  # type: ignore[call-overload]
    game = mp.Game(layout, seed=seed, fairness=fairness, chord_rule="at-least")
    undos = 3
    while not game.is_over or undos:
        kind = "undo" if game.is_over else chance.choice(["open", "open", "flag", "question", "chord", "undo"])
        undos -= kind == "undo" and game.is_over
        cell = None if kind == "undo" else (chance.randrange(6), chance.randrange(7))
        try:
            game.play(kind, cell)  # type: ignore[arg-type]
        except IllegalMoveError:
            continue
    return game


GAMES = [(seed, FAIRNESSES[seed % 4], ("grid", "torus", "hex")[seed % 3]) for seed in range(24)]


@pytest.mark.parametrize(("seed", "fairness", "topology"), GAMES)
def test_the_changes_add_up_to_what_is_seen(seed: int, fairness: Fairness, topology: str) -> None:
    game = played(seed, fairness, topology)
    result = mp.timeline(game).as_json()
    record = game.record()
    cells = [list(row) for row in result["cells"]]
    steps = result["steps"]
    assert [step["move"] for step in steps] == list(range(1, len(record.moves) + 1))
    for step in steps:
        for row, column, sign in step["changes"]:
            assert cells[row][column] != sign
            cells[row][column] = sign
        seen = mp.Game.replay(record, upto=step["move"])
        assert ["".join(row) for row in cells] == seen.as_json()["cells"]
    assert (result["status"], result["mines"]) == (game.status, game.as_json()["mines"])


@pytest.mark.parametrize(("seed", "fairness", "topology"), GAMES)
def test_the_odds_are_those_of_each_moment(seed: int, fairness: Fairness, topology: str) -> None:
    """Worked out anew for every reveal, without anything that was known before."""
    game = played(seed, fairness, topology)
    record = game.record()
    line: list[float] = []
    for (seen, move, outcome), step in zip(mp.Game.steps(record), mp.timeline(record).steps, strict=True):
        if move.kind == "undo":
            line.pop()
        elif move.kind in ("flag", "question"):
            line.append(line[-1] if line else 1.0)
        else:
            assert move.cell is not None
            around = game.layout.neighbours(move.cell) if move.kind == "chord" else [move.cell]
            cells = [cell for cell in around if seen[cell] == mp.COVERED]
            first = seen.open_cells == 0 and not outcome.exploded
            odds = 0.0 if first else float(mp.risk(seen, cells))
            assert step.odds == pytest.approx(odds)
            line.append((line[-1] if line else 1.0) * (1.0 if outcome.redrawn else 1.0 - odds))
        if move.kind in ("undo", "flag", "question"):
            assert step.odds is None
        assert step.survived == pytest.approx(line[-1] if line else 1.0)


@pytest.mark.parametrize("seed", range(8))
def test_the_last_survived_is_the_luck_of_a_won_game(seed: int) -> None:
    game = mp.Game(mp.generate(6, 7, 7, seed=seed), seed=seed, fairness="kind")
    while not game.is_over:
        covered = list(game.board.cells(mp.COVERED))
        game.open(*min(covered, key=lambda cell: mp.analyze(game.board).mine_probability[cell]))
    assert game.status == "won"
    assert mp.timeline(game).steps[-1].survived == pytest.approx(mp.review(game).luck)


def test_a_game_that_is_on_has_no_timeline() -> None:
    game = mp.Game(mp.generate(4, 4, 2, seed=1))
    with pytest.raises(IllegalMoveError, match="still running"):
        mp.timeline(game)


def test_a_budget_is_for_all_of_it() -> None:
    with pytest.raises(BudgetExceeded):
        mp.timeline(played(1), budget=Budget(cancelled=lambda: True))


@pytest.mark.parametrize("seed", range(6))
def test_risks_go_on_where_they_were(seed: int) -> None:
    """Also after a budget that did not last: no move is counted twice, none is left out."""
    whole = played(seed).record()
    expected = [step.survived for step in mp.timeline(whole).steps]
    stopped = False

    def stop() -> bool:
        return stopped

    risks = None
    for count in range(len(whole.moves) + 1):
        record = mp.Game.replay(whole, upto=count).record()
        risks = risks or Risks(record)
        assert risks.is_of(record)
        stopped = True
        with contextlib.suppress(BudgetExceeded):
            risks.survive(record, Deadline(Budget(cancelled=stop)))
        stopped = False
        assert risks.survive(record, Deadline(Budget(cancelled=stop))) == (expected[count - 1] if count else 1.0)
    assert risks is not None
    other = mp.Game(mp.generate(6, 7, 7, seed=99)).record()
    assert not risks.is_of(other)
