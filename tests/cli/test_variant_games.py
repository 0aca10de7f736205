"""``play --rules`` and ``watch --rules``: games of variants from the shell, and what is refused by name."""

from __future__ import annotations

import json

import pytest

from support.command import mineproof


def test_the_solver_plays_a_variant_with_reasons() -> None:
    done = mineproof("watch", "5x5x8", "--rules", "liar,quad", "--seed", "3")
    assert (done.status, done.err) == (0, "")
    assert done.lines[0] == "  1  first  The first click: (2,2)."
    assert any("in every layout that fits" in line for line in done.lines)
    assert done.lines[-1] in ("won", "lost")
    head, *steps, end = map(
        json.loads, mineproof("watch", "5x5x8", "--rules", "liar,quad", "--seed", "3", "--json").lines
    )
    assert (head["schema"], head["rules"]) == ("mineproof/watch/1", "liar,quad")
    assert [step["step"] for step in steps] == list(range(1, len(steps) + 1))
    assert (end["schema"], end["status"]) == ("mineproof/variant-view/1", done.lines[-1])


def test_a_shape_that_cannot_be_judged_yet_is_left_out_of_the_odds_and_named() -> None:
    lines = mineproof("watch", "--rules", "connected", "--seed", "2").lines
    assert any("By the other rules" in line for line in lines)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["watch", "--rules", "lair"], ": --rules must be some of classic, liar"),
        (["watch", "--rules", "liar,wall"], "one rule for its clues"),
        (["watch", "--rules", "quad,mines:2"], "quad is for one mine in a cell"),
        (["watch", "--rules", "quad", "--shape", "hex"], "quad is for the shapes grid, torus"),
        (["watch", "--rules", "liar", "--fairness", "kind"], "--rules does not go with --fairness"),
        (["watch", "99x99x99", "--rules", "liar"], "at most 2,500 cells"),
        (["play", "--rules", "liar", "--no-guess"], "--rules does not go with --no-guess"),
        (["play", "*./..", "--rules", "liar"], "--rules needs a size"),
    ],
)
def test_what_games_of_variants_do_not_have_is_refused_by_name(arguments: list[str], message: str) -> None:
    done = mineproof(*arguments)
    assert (done.status, done.out) == (2, b"")
    assert message in done.err
