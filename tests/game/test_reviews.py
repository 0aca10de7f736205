"""Reviews of games: guesses against brute force, numbers by hand, texts by their parts."""

import json
import pickle
import random
from collections.abc import Sequence
from fractions import Fraction

import pytest

from mineproof.analysis.layouts import sample_layouts
from mineproof.base.budget import Budget
from mineproof.board.board import Board
from mineproof.errors import BoardSyntaxError, BudgetExceeded, IllegalMoveError
from mineproof.formats.rawvf import games as rawvf_replay
from mineproof.game.game import Game
from mineproof.game.game_measures import measure_game
from mineproof.game.help import HelpUsed
from mineproof.game.layout import Layout
from mineproof.game.record import Move, Record, moves_in_effect
from mineproof.game.reviews import GuessReview, Review, review
from mineproof.game.rules import MOVE_KINDS, REVEALS
from mineproof.wording.catalogue import message, use_language
from mineproof.wording.cells import use_cell_labels
from support.oracle import COVERED, Truth, brute_force
from support.positions import CLASSIC as SHAPES


def game_on(rows: str, **options: object) -> Game:
    """A game on rows of ``*`` and ``.`` whose clock goes by a second at every look."""
    lines = rows.split("/")
    mines = frozenset((r, c) for r, line in enumerate(lines) for c, sign in enumerate(line) if sign == "*")
    layout = Layout(len(lines), len(lines[0]), mines, no_guess=bool(options.pop("no_guess", False)))
    return Game(layout, clock=iter(range(10_000)).__next__, **options)  # type: ignore[arg-type]


def only(found: Review) -> GuessReview:
    (guess,) = found.guesses
    return guess


# against brute force


def random_game(rng: random.Random, seed: int) -> Game:
    rows, columns = rng.randint(1, 4), rng.randint(2, 4)
    cells = [(row, column) for row in range(rows) for column in range(columns)]
    absent = frozenset(rng.sample(cells, rng.choice([0, 0, 1])))
    present = [cell for cell in cells if cell not in absent]
    layout = Layout(
        rows, columns, frozenset(rng.sample(present, rng.randint(0, len(present) // 2))), None,
        rng.choice(SHAPES), absent,
    )  # fmt: skip
    game = Game(
        layout,
        first_click=rng.choice(["any", "safe", "open"]),
        fairness=rng.choice(["none", "none", "forced", "strict"]),
        chord_rule="at-least",
        seed=seed,
        clock=lambda: 0.0,
    )
    for _ in range(40):
        kind = rng.choices(MOVE_KINDS, [4, 3, 1, 5, 1])[0]
        try:
            game.play(kind, None if kind == "undo" else rng.choice(cells))
        except IllegalMoveError:
            continue
    return game


def expected_guesses(record: Record) -> list[tuple[int, Fraction, bool, Truth]]:
    """Index, risk and whether it was forced, of every guess: by all layouts that fit the board before it."""
    results = []
    for index, move in enumerate(record.moves):
        before = Game.replay(record, upto=index)
        if move.kind not in REVEALS or (before.status == "new" and record.rules.first_click != "any"):
            continue
        assert move.cell is not None
        board = before.board
        near = [cell for cell in board.neighbours(move.cell) if board[cell] == COVERED]
        opened = {move.cell} if move.kind == "open" else set(near)
        truth = brute_force(board.without_flags())
        risky = sum(not opened.isdisjoint(mines) for mines in truth.layouts())
        if risky:
            results.append((index, Fraction(risky, truth.count), not truth.safe, truth))
    return results


@pytest.mark.slow
def test_every_guess_of_random_games_against_brute_force() -> None:
    rng = random.Random(2)
    chords = certain = needless = undone = redrawn = 0
    for seed in range(150):
        record = random_game(rng, seed).record()
        results = [
            guess for guess in review(record).guesses if record.rules.first_click == "any" or not first(guess, record)
        ]
        expected = expected_guesses(record)
        assert [(guess.index, guess.mine_fraction, guess.forced) for guess in results] == [row[:3] for row in expected]
        for guess, (_, risk, forced, truth) in zip(results, expected, strict=True):
            check_alternative(guess, risk, forced, truth)
            assert guess.undone == (guess.index not in moves_in_effect(record.moves))
            chords += guess.kind == "chord" and len(guess.cells) > 1
            certain += risk == 1
            needless += not forced
            undone += guess.undone
            redrawn += guess.redrawn
    assert min(chords, certain, needless, undone, redrawn) > 10, "all of them are met"


def first(guess: GuessReview, record: Record) -> bool:
    return Game.replay(record, upto=guess.index).status == "new"


def check_alternative(guess: GuessReview, risk: Fraction, forced: bool, truth: Truth) -> None:
    odds = {cell: truth.mine_probability(cell) for cell in truth.covered}
    least = min(odds.values())
    if not forced:
        assert guess.alternative in truth.safe
        assert guess.alternative_fraction == 0
    elif least < risk:
        assert guess.alternative_fraction == least
        assert guess.alternative is not None
        assert odds[guess.alternative] == least
    else:
        assert (guess.alternative, guess.alternative_fraction) == (None, None)


# what is a guess


def test_the_first_click_is_a_guess_only_where_it_may_lose() -> None:
    for first_click, guesses in (("any", 1), ("safe", 0), ("open", 0)):
        game = game_on("*....", first_click=first_click)
        game.open(0, 4)
        assert len(review(game).guesses) == guesses
    taken = only(review(game_after("*....", [("open", (0, 4))], first_click="any")))
    assert (taken.mine_fraction, taken.forced, taken.alternative) == (Fraction(1, 5), True, None)


def test_where_no_rule_can_protect_the_first_click_it_is_told_what_it_was() -> None:
    guess = only(review(game_after("**", [("open", (0, 0))])))
    assert (guess.mine_fraction, guess.survived, guess.alternative) == (Fraction(1), False, None)
    assert guess.text.startswith(message("review-open-mine", cell="(0,0)"))


def game_after(rows: str, moves: Sequence[tuple[str, tuple[int, int] | None]], **options: object) -> Game:
    game = game_on(rows, **options)
    for kind, cell in moves:
        game.play(kind, cell)  # type: ignore[arg-type]
    return game


def test_a_certain_reveal_is_no_guess() -> None:
    result = review(game_after(".../*..", [("open", (0, 2)), ("open", (0, 0))], first_click="safe"))
    assert only(result).mine_probability == Fraction(1, 2)
    result = review(game_after("..*", [("open", (0, 0))]))
    assert (result.guesses, result.luck_fraction) == ((), Fraction(1))


def test_flags_take_no_part() -> None:
    moves = [("open", (0, 3)), ("flag", (0, 0)), ("open", (1, 0))]
    guess = only(review(game_after("*.../....", moves)))
    assert (guess.mine_fraction, guess.forced) == (Fraction(1, 2), True)


def test_a_chord_risks_all_that_it_opens() -> None:
    guess = only(review(game_after(".*./...", [("open", (1, 1)), ("flag", (0, 0)), ("chord", (1, 1))])))
    assert guess.cells == ((0, 1), (0, 2), (1, 0), (1, 2))
    assert guess.mine_fraction == Fraction(4, 5)
    assert (guess.kind, guess.survived, guess.forced) == ("chord", False, True)
    assert guess.alternative_fraction == Fraction(1, 5)
    cells = "(0,1), (0,2), (1,0) and (1,2)"
    assert guess.text == " ".join(
        [
            message("review-chord", cell="(1,1)", cells=cells, risk="80.0 %"),
            message("review-safer", cell="(0,2)", risk="20.0 %"),
            message("review-lost"),
        ]
    )


# luck


def test_luck_is_the_product_of_what_was_survived() -> None:
    result = review(game_after("...*", [("open", (0, 0))], first_click="any"))
    assert [guess.mine_fraction for guess in result.guesses] == [Fraction(1, 4)]
    assert result.luck_fraction == Fraction(3, 4)
    result = review(game_after("*..*.", [("open", (0, 1)), ("open", (0, 2))], first_click="any"))
    assert [guess.mine_fraction for guess in result.guesses] == [Fraction(2, 5), Fraction(1, 2)]
    assert result.luck_fraction == Fraction(3, 10)
    result = review(game_after("*.*.", [("open", (0, 1)), ("open", (0, 3))], first_click="any"))
    assert [guess.mine_fraction for guess in result.guesses] == [Fraction(1, 2)], "a 2 leaves no choice"


def test_what_was_taken_back_takes_no_luck() -> None:
    moves = [("open", (0, 3)), ("open", (0, 0)), ("undo", None), ("open", (1, 0))]
    result = review(game_after("*.../....", moves))
    lost, won = result.guesses
    assert (lost.undone, lost.survived, won.undone, won.survived) == (True, False, False, True)
    assert (lost.index, won.index) == (1, 3)
    assert result.luck_fraction == Fraction(1, 2)
    assert (result.moves, result.clicks) == (2, 3)
    assert lost.text.endswith(f"{message('review-lost')} {message('review-undone')}")
    assert (result.note_codes, result.notes) == (("undone",), (message("review-note-undone"),))


def test_fair_play_is_told() -> None:
    rescued = review(game_after("*.../....", [("open", (0, 3)), ("open", (0, 0))], fairness="forced"))
    guess = only(rescued)
    assert (guess.redrawn, guess.survived, rescued.luck_fraction, rescued.redraws) == (True, True, Fraction(1), 1)
    assert guess.text.endswith(message("review-rescued"))
    assert rescued.note_codes == ("fairness-forced",)
    assert rescued.notes == (message("review-note-fairness", rule="forced"),)
    # The 1 at (1,1) and the total of 1 make (0,3) safe; (0,0) is then a needless guess, and strict makes it a mine.
    strict = game_after("..../..*./....", [("open", (1, 1)), ("open", (0, 0))], fairness="strict")
    guess = only(review(strict))
    assert (guess.forced, guess.redrawn, guess.survived) == (False, True, False)
    assert guess.text.endswith(message("review-moved-here"))


# numbers


def test_numbers_of_a_won_game() -> None:
    game = game_after("*.../....", [("open", (0, 3)), ("flag", (0, 0)), ("chord", (0, 1))])
    result = review(game)
    assert result.status == "won"
    assert result.measures is not None
    assert (result.measures.bbbv, result.measures.openings, result.measures.islands, result.solved_bbbv) == (2, 1, 1, 2)
    assert (result.moves, result.clicks) == (3, 3)
    assert result.efficiency == pytest.approx(2 / 3)
    assert result.seconds == game.seconds > 0
    assert result.bbbv_per_second == pytest.approx(2 / game.seconds)


def test_a_lost_game_counts_what_is_solved() -> None:
    result = review(game_after("*.../....", [("open", (0, 3)), ("open", (0, 0))]))
    assert (result.status, result.solved_bbbv, result.luck_fraction) == ("lost", 1, Fraction(1))
    assert result.measures is not None
    assert result.measures.bbbv == 2
    assert result.efficiency == 0.5


def test_a_running_game_keeps_its_mines() -> None:
    game = game_after("*.../....", [("open", (0, 3))])
    result = review(game)
    assert (result.measures, result.solved_bbbv, result.efficiency, result.bbbv_per_second) == (None, None, None, None)
    other = game_after("..../*...", [("open", (0, 3))])
    assert review(other).as_json() == result.as_json(), "equal visible boards give equal reviews"
    new = review(game_on("*..."))
    assert (new.status, new.clicks, new.guesses, new.luck_fraction) == ("new", 0, (), Fraction(1))


def test_odds_on_a_no_guess_layout_come_with_a_warning() -> None:
    moves = [("open", (0, 0))]
    result = review(game_after("..*", moves, no_guess=True))
    assert (result.note_codes, result.notes) == (("no-guess",), (message("review-note-no-guess"),))
    assert review(game_after("..*", moves)).notes == ()


def test_a_replay_is_reviewed_like_the_game() -> None:
    game = game_after("*.../....", [("open", (0, 3)), ("flag", (0, 0)), ("open", (1, 0))])
    again = Game.replay(rawvf_replay.read_record(rawvf_replay.write_record(game.record())))
    assert review(again).as_json() == review(game).as_json() == review(game.record()).as_json()


def test_accuracy_is_what_the_choices_kept_of_the_best_ones() -> None:
    perfect = review(game_after("*.../....", [("open", (0, 3)), ("open", (1, 0))]))
    assert (perfect.accuracy, perfect.luck) == (1.0, 0.5), "both cells were equal: the risk was not a mistake"
    blunder = review(game_after("*.../....", [("open", (0, 3)), ("open", (0, 0))]))
    assert (blunder.status, blunder.accuracy) == ("lost", 1.0), "luck is no part of it"
    # 2/3 of the layouts have a mine at neither end; the safe cell between them would have cost nothing
    needless = Game(
        Layout(3, 3, frozenset([(1, 1), (2, 2)])), first_click="any",
        given=Board.parse("111/###/###", total_mines=2),
    )  # fmt: skip
    needless.open(2, 0)
    (guess,) = review(needless).guesses
    assert (guess.forced, guess.kept) == (False, Fraction(2, 3))
    assert review(needless).accuracy == pytest.approx(2 / 3)
    needless.undo()
    assert review(needless).accuracy == 1.0, "taken back"
    needless.open(1, 1)
    assert review(needless).accuracy == 0.0, "a certain mine"


def test_help_is_part_of_a_review() -> None:
    game = game_after("*.../....", [("open", (0, 3)), ("open", (1, 0))])
    unknown, without = review(game), review(game, help_used=HelpUsed(pauses=2))
    helped = review(game, help_used=HelpUsed(hints=(2, 1, 0, 0), odds_moves=1))
    assert [one.with_help for one in (unknown, without, helped)] == [None, False, True]
    assert (unknown.help_line, without.help_line) == ("", "")
    assert helped.help_line == "You used help: 2 hints and 1 move with odds."
    assert helped.help_line in helped.text
    used = helped.as_json()["help_used"]
    assert used is not None
    assert used["odds_moves"] == 1


def test_the_json_shape() -> None:
    game = game_after("*.../....", [("open", (0, 3)), ("open", (1, 0))])
    answer = json.loads(json.dumps(review(game).as_json()))
    assert (answer["bbbv"], answer["clicks"], answer["seconds"]) == (2, 2, game.seconds)
    assert answer == {
        "schema": "mineproof/review/1",
        "rows": 2,
        "columns": 4,
        "total_mines": 1,
        "topology": "grid",
        "status": "won",
        **measure_game(game).as_json(),
        "moves": 2,
        "redraws": 0,
        "luck": 0.5,
        "luck_fraction": "1/2",
        "accuracy": 1.0,
        "with_help": None,
        "help_used": None,
        "help_text": "",
        "guesses": [
            {
                "index": 1,
                "kind": "open",
                "cell": [1, 0],
                "cells": [[1, 0]],
                "ms": game.moves[1].ms,
                "mine_probability": 0.5,
                "mine_fraction": "1/2",
                "forced": True,
                "survived": True,
                "redrawn": False,
                "undone": False,
                "alternative": None,
                "alternative_probability": None,
                "alternative_fraction": None,
                "was_best": False,
                "kept": 1.0,
                "text": " ".join(
                    [
                        message("review-open", cell="(1,0)", risk="50.0 %"),
                        message("review-none-safer"),
                        message("review-survived"),
                    ]
                ),
            }
        ],
        "notes": [],
    }


def test_words_of_a_needless_guess() -> None:
    game = game_after("..../..*./....", [("open", (1, 1)), ("open", (0, 0))])
    guess = only(review(game))
    assert message("review-needless", cell="(0,3)") in guess.text
    with use_cell_labels("ruler"), use_language("de"):
        assert message("review-needless", cell="D1") in guess.text
    assert guess.text_in("de").startswith("Du hast (0,0) geöffnet.")


def test_text_of_a_whole_review() -> None:
    result = review(game_after("*.../....", [("open", (0, 3)), ("open", (0, 0)), ("undo", None), ("open", (1, 0))]))
    lost, won = result.guesses
    assert result.text.splitlines() == [result.luck_text, lost.text, won.text, *result.notes]
    assert result.text_in("de") != result.text
    assert pickle.loads(pickle.dumps(result)) == result


# limits


def test_a_record_that_cannot_be_replayed_is_refused() -> None:
    layout = Layout(1, 3, frozenset([(0, 0)]))
    with pytest.raises(BoardSyntaxError, match="illegal move"):
        review(Record(layout, moves=(Move("chord", (0, 0), 0),)))


def test_the_budget_is_for_all_of_it() -> None:
    game = game_after("*.../....", [("open", (0, 3)), ("open", (1, 0))])
    with pytest.raises(BudgetExceeded):
        review(game, budget=Budget(seconds=0.0))


def test_a_guess_that_was_best_is_not_blamed_for_a_safer_cell() -> None:
    given = Board.parse("#####/123##/###3#", total_mines=6)
    mines = next(mines for mines in sample_layouts(given, 50, seed=3) if (0, 0) in mines)
    game = Game(Layout(3, 5, mines), first_click="any", given=given)
    game.open(0, 0)
    result = review(game)
    (guess,) = result.guesses
    assert (guess.forced, guess.was_best, guess.alternative) == (True, True, (0, 1))
    assert message("review-best-not-safest", cell="(0,1)", risk="20.0 %") in guess.text
    assert result.solved_bbbv == 0, "cells that were open before count for no click"


def test_a_first_click_that_the_layout_proposes_is_no_guess() -> None:
    layout = Layout(2, 4, frozenset([(0, 0)]), start=(0, 3))
    for start, guesses in (((0, 3), 0), ((1, 3), 1)):
        game = Game(layout, first_click="any")
        game.open(*start)
        assert sum(guess.index == 0 for guess in review(game).guesses) == guesses
