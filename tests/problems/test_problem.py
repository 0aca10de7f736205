"""Problems: what they are made of, errors, JSON, and the answers that boards have, too."""

from __future__ import annotations

import json
import pickle
import random
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import mineproof as mp
from mineproof.engine.answers import Engine
from support.command import mineproof
from support.effort import examples
from support.engines import KERNEL, REFERENCE
from support.positions import small

ENGINES = pytest.mark.parametrize("engine", [KERNEL, REFERENCE], ids=["kernel", "reference"])
PAIR = mp.Problem(2, [mp.Constraint([0, 1], 1)])


@ENGINES
def test_boards_are_problems(engine: Engine) -> None:
    rng = random.Random(4)
    for _ in range(examples(400)):
        board, density = small(rng).board, rng.choice([None, Fraction(1, 5)])
        if not list(board.cells(mp.COVERED)):
            continue
        problem = mp.Problem.from_board(board, density if board.total_mines is None else None)
        try:
            expected = mp.analyze(board, density=density, engine=engine)
        except mp.ContradictionError:
            with pytest.raises(mp.ContradictionError):
                mp.analyze(problem, engine=engine)
            continue
        analysis = mp.analyze(problem, engine=engine)
        assert analysis.solutions == expected.layouts
        if board.total_mines is None and density is None:
            continue
        for variable, cell in enumerate(board.cells(mp.COVERED)):
            assert analysis.exact(variable, 1) == expected.exact(*cell)


@ENGINES
def test_a_wire_has_two_solutions(engine: Engine) -> None:
    """Kaye's wire: every pair of covered cells has the same side mined, however far apart."""
    length = 60
    wire = mp.Board.parse("\n".join(["1" * (3 * length + 2), "##1" * length + "##", "1" * (3 * length + 2)]))
    analysis = mp.analyze(mp.Problem.from_board(wire), engine=engine)
    assert analysis.solutions == 2
    assert analysis.exact(0, 1) == Fraction(1, 2)


@ENGINES
def test_a_splitter_has_131072_solutions(engine: Engine) -> None:
    """Kaye's splitter carries a signal into four arms: two ways, times 16 covered cells that no number touches."""
    half = ["###0##", "###01#", "###01#", "000011", "#1111#", "###1#2"]
    rows = [row + row[-2::-1] for row in half]
    splitter = mp.Board.parse("\n".join(rows + rows[-2::-1]))
    analysis = mp.analyze(mp.Problem.from_board(splitter), engine=engine)
    assert analysis.solutions == mp.analyze(splitter, engine=engine).layouts == 131_072
    assert mp.analyze(mp.VariantBoard.of(splitter, "classic"), engine=engine).layouts == 131_072
    assert len(analysis.certain) == 32, "the cells beside a 0"


@pytest.mark.slow
@ENGINES
def test_counts_of_any_size_are_exact(engine: Engine) -> None:
    pairs = mp.Problem(600, [mp.Constraint([2 * pair, 2 * pair + 1], 1) for pair in range(300)])
    assert mp.analyze(pairs, engine=engine).solutions == 2**300
    free = mp.analyze(mp.Problem(3000), engine=engine)
    assert free.solutions == 2**3000
    assert np.allclose(free.value_probability, 0.5, rtol=1e-12)
    assert free.exact(5, 1) == Fraction(1, 2)
    assert mp.analyze(mp.Problem(400, total=200), engine=engine).exact(7, 1) == Fraction(1, 2)


@ENGINES
def test_small_chances_are_not_certain(engine: Engine) -> None:
    rare = mp.analyze(mp.Problem([[1, Fraction(1, 10**19)]] * 3, [mp.Constraint([0, 1], [0, 2])]), engine=engine)
    assert rare.possible(0) == (0, 1)
    assert rare.certain == {}
    assert 0 < rare.value_probability[0, 1] < 1e-30


@ENGINES
def test_weights(engine: Engine) -> None:
    analysis = mp.analyze(mp.Problem([[1, 2, Decimal("0.5")], [0, 1]], [([0, 1], [1, 1], [1, 2])]), engine=engine)
    assert analysis.solutions == 2
    assert analysis.weight == 3
    assert [analysis.exact(0, value) for value in range(3)] == [Fraction(1, 3), Fraction(2, 3), 0]
    assert analysis.certain == {1: 1}
    assert "1 of 2 variables certain" in repr(analysis)


@ENGINES
def test_a_contradiction_names_few_constraints(engine: Engine) -> None:
    crowd = [mp.Constraint([place, place + 1], range(2)) for place in range(4)]
    problem = mp.Problem(6, [*crowd, mp.Constraint([5], 1, name="one"), mp.Constraint([4, 5], 0, name="none")])
    with pytest.raises(mp.ContradictionError, match="one and none contradict each other") as caught:
        mp.analyze(problem, engine=engine)
    assert caught.value.constraints == (4, 5)
    assert caught.value.as_json()["constraints"] == [4, 5]
    assert caught.value.text_in("de").startswith("Die Aufgabe hat keine Lösung")
    with pytest.raises(
        mp.ContradictionError, match="the total must be 6, but it is 0 to 5 because of constraint 3"
    ) as caught:
        mp.analyze(mp.Problem(6, crowd, total=6), engine=engine)
    assert caught.value.uses_total
    with pytest.raises(mp.ContradictionError, match="must be 7 to 9, but it is 0 to 6"):
        mp.analyze(mp.Problem(6, total=(7, 9)), engine=engine)


@ENGINES
def test_budgets(engine: Engine) -> None:
    rng = random.Random(2)
    hard = mp.Problem(60, [mp.Constraint(rng.sample(range(60), 8), 3) for _ in range(40)])
    with pytest.raises(mp.BudgetExceeded, match="the search needs more memory than its limit"):
        mp.analyze(hard, budget=mp.Budget(states=1000), engine=engine)
    with pytest.raises(mp.BudgetExceeded, match="Cancelled"):
        mp.analyze(hard, budget=mp.Budget(cancelled=lambda: True, states=10**9), engine=engine)


def test_kernel_and_reference_draw_what_the_seed_says() -> None:
    problem = mp.Problem(5, [mp.Constraint(range(5), [1, 2])])
    drawn = list(mp.sample_solutions(problem, 300, seed=3))
    assert drawn == list(mp.sample_solutions(problem, 300, seed=3))
    assert drawn[:10] == list(mp.sample_solutions(problem, 10, seed=3))
    assert len(set(drawn)) == 15, "every solution comes up"


def test_results_can_be_pickled() -> None:
    analysis = mp.analyze(PAIR)
    copy = pickle.loads(pickle.dumps(analysis))
    assert copy.problem == PAIR
    assert copy.exact(0, 1) == Fraction(1, 2)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: mp.Problem(-1), "variables must be from 0 to 1000000, got -1"),
        (lambda: mp.Problem([[0, 0]]), "variable 0: expected a weight above 0"),
        (lambda: mp.Problem([[1, -1]]), "variable 0: expected weights of at least 0, got -1"),
        (lambda: mp.Problem([[1, Decimal("1e999999999")]]), "variable 0: expected weights"),
        (lambda: mp.Problem([[1, 1e-300]]), "too far apart or too precise"),
        (lambda: mp.Problem([64]), "variable 0 must be from 0 to 63, got 64"),
        (lambda: mp.Problem(2, [mp.Constraint([2], 1)]), "constraint 0: expected cells from 0 to 1, got 2"),
        (lambda: mp.Problem(2, [([0], [1, 2], 1)]), "constraint 0: coefficients must have one entry for each of 1"),
        (lambda: mp.Problem(2, [mp.Constraint([0], 1, [2**21])]), "coefficients must be at most 1,048,576"),
        (lambda: mp.Problem([2], density=0.5), "density needs variables with the values 0 and 1"),
        (lambda: mp.Problem(2, total=(3, 1)), "total must be from the least to the most"),
        (lambda: mp.analyze(PAIR, density=0.5), "flags and density are for boards"),  # type: ignore[call-overload]
    ],
)
def test_malformed_problems(make: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()


def test_malformed_types() -> None:
    with pytest.raises(TypeError, match=r"constraint 0: expected a Constraint or \(cells, coefficients, sums\)"):
        mp.Problem(2, [(0, 1)])
    with pytest.raises(TypeError, match="cells must be a whole number"):
        mp.Constraint([0.5], 1)  # type: ignore[list-item]


def test_json_round_trip() -> None:
    problem = mp.Problem(
        [[1, Fraction(1, 3)], 2, 1], [mp.Constraint([0, 2], [1, 2], [1, -2], "a"), ([1], [1], 0)], total=(0, 4)
    )
    document = json.loads(json.dumps(mp.problem_json(problem)))
    assert mp.read_problem(document) == problem
    assert mp.read_problem(json.dumps(document)) == problem


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "line 1, character 2: expected JSON"),
        ("[]", "expected a JSON object, got list"),
        ('{"schema": "mineproof/problem/2"}', "expected the schema mineproof/problem/1, got 'mineproof/problem/2'"),
        ('{"schema": "mineproof/problem/1", "variables": 2, "rules": 1}', "expected the keys schema, variables"),
        ('{"schema": "mineproof/problem/1"}', "variables must be a whole number, got None"),
        ('{"schema": "mineproof/problem/1", "variables": 1, "constraints": [{"cells": [0]}]}', "0]: sums is missing"),
        ('{"schema": "mineproof/problem/1", "variables": [["1/0", 1]]}', "expected a number or a fraction"),
        ('{"schema": "mineproof/problem/1", "variables": [["1e999999999", 1]]}', "expected a number or a fraction"),
    ],
)
def test_malformed_json(text: str, message: str) -> None:
    with pytest.raises(mp.BoardSyntaxError) as caught:
        mp.read_problem(text)
    assert message in str(caught.value)


def test_the_command() -> None:
    text = json.dumps(mp.problem_json(PAIR))
    assert "2 solutions." in mineproof("analyze", text).text
    document = json.loads(mineproof("analyze", "-", "--json", "--exact", stdin=text).lines[0])
    assert document["value_fraction"] == [["1/2", "1/2"]] * 2
    refused = mineproof("analyze", text, "--mines", "3")
    assert refused.status == 2
    assert "--mines is for boards" in refused.err
    wrong = mineproof("analyze", text.replace("[0, 1]", "[0, 5]"))
    assert (wrong.status, "expected cells from 0 to 1, got 5" in wrong.err) == (3, True)
    none = mineproof("analyze", json.dumps(mp.problem_json(mp.Problem(2, total=3))))
    assert (none.status, "the total must be 3" in none.err) == (4, True)
