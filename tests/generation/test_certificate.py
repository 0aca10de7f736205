"""Certificates: made by the ladder, verified without it; and the quick check for a forced guess."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

import mineproof as mp
from mineproof.base.words import at
from mineproof.deduction.ladder import LADDER
from mineproof.generation.certificate import Certificate, CertificateError, ProofStep
from mineproof.generation.certificate_builder import certify
from mineproof.generation.guess_check import check, no_guess_starts
from mineproof.generation.verifier import verify
from mineproof.generation.walk import walk
from mineproof.wording.catalogue import use_language
from mineproof.wording.cells import use_cell_labels
from support.oracle import COVERED, FLAGGED, Cell, brute_force
from support.positions import CLASSIC, Ground, ground


def layout(text: str, **options: Any) -> mp.Layout:
    rows = text.split("/")
    signs = {(r, c): sign for r, row in enumerate(rows) for c, sign in enumerate(row)}
    mines = frozenset(cell for cell, sign in signs.items() if sign == "*")
    absent = frozenset(cell for cell, sign in signs.items() if sign == "~")
    return mp.Layout(len(rows), len(rows[0]), mines, absent=absent, **options)


def layout_of(truth: Ground, start: Cell | None = None) -> mp.Layout:
    places = ((row, column) for row in range(truth.rows) for column in range(truth.columns))
    absent = frozenset(cell for cell in places if cell not in truth.cells)
    return mp.Layout(truth.rows, truth.columns, truth.mines, start, truth.kind, absent)


def solvable(rng: random.Random, count: int, most_side: int = 8) -> Iterator[tuple[Ground, mp.Layout, Certificate]]:
    """Random layouts of every shape, some with holes, that need no guess and more than one click."""
    while count:
        rows, columns = rng.randint(3, most_side), rng.randint(3, most_side)
        mines = rng.randint(1, max(1, rows * columns // 5))
        truth = ground(rng, rows, columns, mines, rng.choice(CLASSIC), rng.choice([0.0, 0.15]))
        if not truth.safe:
            continue
        found = layout_of(truth, rng.choice(sorted(truth.safe)))
        certificate = certify(found)
        if certificate.solved and certificate.steps:
            count -= 1
            yield truth, found, certificate


PARTITION = layout("*.*/.../...", start=(2, 1))
LONG = layout("..*..../...*..*/......./*.*..../....*.*/.......", start=(5, 2))
TOTAL = layout("..../..*.", start=(0, 2))
EXHAUSTIVE = layout("....*/...*./**.../....*", start=(0, 1))


# making


def test_a_certificate_in_full() -> None:
    certificate = certify(PARTITION)
    assert (certificate.rows, certificate.columns, certificate.total_mines, certificate.topology) == (3, 3, 2, "grid")
    assert (certificate.start, certificate.solved) == ((2, 1), True)
    assert certificate.opened == ((1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (2, 2))
    first, second = certificate.steps
    assert (first.deduction.technique, sorted(first.deduction.mines), first.opened) == ("partition", [(0, 2)], ())
    deduction = second.deduction
    assert (deduction.technique, sorted(deduction.safe), deduction.because, second.opened) == (
        "single-open",
        [(0, 1)],
        ((1, 2),),
        ((0, 1),),
    )


@pytest.mark.slow
def test_every_safe_cell_is_opened_once() -> None:
    for truth, _, found in solvable(random.Random(1), 40):
        opened = [cell for cells in (found.opened, *(step.opened for step in found.steps)) for cell in cells]
        assert sorted(opened) == sorted(truth.safe)
        assert found.opened == tuple(sorted(truth.cascade(found.start)))


def test_where_a_guess_is_needed_the_certificate_says_so() -> None:
    certificate = certify(layout("*..*"), (0, 1))
    assert (certificate.solved, certificate.steps) == (False, ())
    with pytest.raises(CertificateError, match="it ends with 1 safe cell still covered"):
        verify(certificate, layout("*..*"))


@pytest.mark.slow
def test_a_walk_may_be_limited_to_easy_techniques() -> None:
    """It is solved by techniques up to T exactly when the hardest one it needs is at most T."""
    rungs: list[str] = list(LADDER)
    for truth in (PARTITION, LONG, TOTAL, EXHAUSTIVE):
        hardest = rungs.index(mp.grade(truth).hardest or rungs[0])
        assert [walk(truth, upto=rung).solved for rung in rungs] == [place >= hardest for place in range(len(rungs))]
    assert walk(LONG, upto="single-open").steps == ()


# verifying


@pytest.mark.parametrize("truth", [PARTITION, LONG, TOTAL, EXHAUSTIVE, layout("..."), layout("*.")])
def test_what_certify_makes_is_verified(truth: mp.Layout) -> None:
    start = truth.start or (0, 1)
    verify(certify(truth, start), truth)


@pytest.mark.slow
def test_certificates_of_random_layouts_are_verified() -> None:
    kinds: set[tuple[str, bool]] = set()
    techniques: set[str] = set()
    for truth, found, certificate in solvable(random.Random(2), 150):
        verify(certificate, found)
        kinds.add((truth.kind, bool(found.absent)))
        techniques.update(step.deduction.technique for step in certificate.steps)
    assert len(kinds) == 2 * len(CLASSIC)
    assert len(techniques) >= 6, techniques


def test_verifying_has_a_budget() -> None:
    with pytest.raises(mp.BudgetExceeded):
        verify(certify(LONG), LONG, budget=mp.Budget(states=3))


# tampering


def with_step(certificate: Certificate, number: int, *put: ProofStep) -> Certificate:
    steps = certificate.steps
    return replace(certificate, steps=(*steps[:number], *put, *steps[number + 1 :]))


def claim(step: ProofStep, **changes: Any) -> ProofStep:
    return replace(step, deduction=replace(step.deduction, **changes))


def rejected(certificate: Certificate, truth: mp.Layout, words: str = "") -> CertificateError:
    with pytest.raises(CertificateError) as caught:
        verify(certificate, truth)
    assert words in str(caught.value)
    return caught.value


def test_a_wrong_cell_is_rejected() -> None:
    certificate = certify(PARTITION)
    first = certificate.steps[0]
    safe = claim(first, safe=first.deduction.mines, mines=frozenset())
    error = rejected(with_step(certificate, 0, safe), PARTITION, "(0,2) need not be safe")
    assert (error.step, error.code) == (0, "certificate")
    assert str(error) == "step 0: by the 1 at (1,0) and the 2 at (1,1) alone (0,2) need not be safe"
    mine = claim(first, mines=frozenset({(0, 1), (0, 2)}))
    rejected(with_step(certificate, 0, mine), PARTITION, "(0,1) need not be a mine")
    open_cell = claim(first, mines=frozenset({(1, 1), (0, 2)}))
    rejected(with_step(certificate, 0, open_cell), PARTITION, "(1,1) need not be a mine")
    nothing = claim(first, mines=frozenset())
    rejected(with_step(certificate, 0, nothing), PARTITION, "it decides no new cell")
    both = claim(first, safe=frozenset({(0, 2)}))
    rejected(with_step(certificate, 0, both), PARTITION, "(0,2) cannot be both")


def test_cells_that_are_none_are_rejected() -> None:
    holey = layout("*.*/.../..~", start=(2, 0))
    certificate = certify(holey)
    verify(certificate, holey)
    for cell in ((9, 9), (-1, 0), (2, 2)):
        for changes in ({"safe": frozenset({cell})}, {"mines": frozenset({cell})}, {"because": (cell,)}):
            wrong = with_step(certificate, 0, claim(certificate.steps[0], **changes))
            rejected(wrong, holey, f"({cell[0]},{cell[1]}) is not a cell of the board")


def test_a_number_that_is_not_open_proves_nothing() -> None:
    certificate = certify(PARTITION)
    hidden = claim(certificate.steps[0], because=((0, 1), *certificate.steps[0].deduction.because))
    rejected(with_step(certificate, 0, hidden), PARTITION, "(0,1) is not an open number")


def test_a_proof_without_its_total_is_rejected() -> None:
    certificate = certify(TOTAL)
    number = next(number for number, step in enumerate(certificate.steps) if step.deduction.uses_total)
    rejected(with_step(certificate, number, claim(certificate.steps[number], uses_total=False)), TOTAL, "need not be")


def test_another_layout_is_rejected() -> None:
    certificate = certify(PARTITION)
    rejected(certificate, layout(".**/.../..."), "step 1: by the 2 at (1,2) alone (0,1) need not be safe")
    rejected(certificate, layout("*../..*/..."), "the first click at (2,1) opens other cells than listed")
    rejected(
        certificate, layout("*.*/.../.../..."), "expected a layout of 3 × 3, 2 mines, grid, got 3 × 4, 2 mines, grid"
    )
    rejected(certificate, layout("***/.../..."), "3 mines")
    rejected(certificate, layout("*.*/.../...", topology="hex"), "hex")


def test_a_start_that_cannot_be_is_rejected() -> None:
    certificate = certify(PARTITION)
    rejected(replace(certificate, start=(0, 0)), PARTITION, "Cannot start at (0,0): it is a mine.")
    rejected(replace(certificate, start=(7, 0)), PARTITION, "expected a cell on the 3 × 3 board, got (7,0)")
    rejected(replace(certificate, start=(0, 1)), PARTITION, "opens other cells than listed")
    rejected(replace(certificate, solved=False), PARTITION, "does not claim")


@pytest.mark.slow
def test_a_dropped_step_is_rejected() -> None:
    for _, truth, found in solvable(random.Random(3), 40):
        for number, step in enumerate(found.steps):
            if step.opened:
                rejected(with_step(found, number), truth)


@pytest.mark.slow
def test_steps_out_of_order_or_with_other_cells_listed_are_rejected() -> None:
    for _, truth, found in solvable(random.Random(4), 25):
        opening = [number for number, step in enumerate(found.steps) if step.opened]
        wrong = with_step(found, opening[-1], replace(found.steps[opening[-1]], opened=()))
        rejected(wrong, truth, "open other cells than listed")
        if len(opening) > 1:
            moved = replace(found, steps=(found.steps[opening[-1]], *found.steps))
            rejected(moved, truth)


@pytest.mark.slow
def test_a_missing_number_is_rejected() -> None:
    """Brute force agrees that no proof can spare one of its numbers, or the total."""
    tried = 0
    for truth, found, certificate in solvable(random.Random(5), 60, most_side=4):
        opened, flagged = set(certificate.opened), set[Cell]()
        for number, step in enumerate(certificate.steps):
            news = (step.deduction.safe - opened) | (step.deduction.mines - flagged)
            for fewer in spared(step):
                assert rejected(with_step(certificate, number, fewer), found).step == number
                board = truth.board(opened, flagged)
                if not fewer.deduction.uses_total:
                    board = board.replace({}, total_mines=None)
                rest = brute_force(board, fewer.deduction.because)
                assert not news <= rest.safe | rest.mines
                tried += 1
            opened.update(step.opened)
            flagged |= step.deduction.mines
    assert tried > 150


def spared(step: ProofStep) -> Iterator[ProofStep]:
    """The step with something less to argue with."""
    because = step.deduction.because
    for cell in because:
        yield claim(step, because=tuple(other for other in because if other != cell))
    if step.deduction.uses_total:
        yield claim(step, uses_total=False)


@pytest.mark.slow
def test_only_new_cells_are_named() -> None:
    """Number 1 of this seed once named (12,0) as safe, which an opened zero had opened before."""
    generated = mp.generate("expert", seed=2, number=1, no_guess=True)
    known = set[Cell]()
    certificate = certify(generated)
    opened = set(certificate.opened)
    for step in certificate.steps:
        news = step.deduction.safe | step.deduction.mines
        assert news.isdisjoint(opened | known), step
        assert {cell for cell in step.deduction.safe if at(cell) not in step.deduction.text} == set()
        opened.update(step.opened)
        known |= step.deduction.mines
    verify(certificate, generated)


def test_a_cell_that_is_known_already_is_rejected() -> None:
    certificate = certify(PARTITION)
    first, second = certificate.steps
    opened = claim(second, safe=frozenset({(0, 1), (1, 0)}))
    rejected(with_step(certificate, 1, opened), PARTITION, "step 1: (1,0) is open already. A step names only new cells")
    proved = claim(second, mines=first.deduction.mines)
    rejected(with_step(certificate, 1, proved), PARTITION, "step 1: (0,2) was proved to be a mine before")


@pytest.mark.slow
def test_a_superfluous_number_is_rejected() -> None:
    tried = 0
    for _, truth, found in solvable(random.Random(9), 30):
        opened = list(found.opened)
        for number, step in enumerate(found.steps):
            for cell in opened[:3]:
                if cell not in step.deduction.because:
                    longer = claim(step, because=(*step.deduction.because, cell))
                    assert "does not need the" in str(rejected(with_step(found, number, longer), truth))
                    tried += 1
            opened += step.opened
    assert tried > 100
    first = certify(PARTITION).steps[0]
    twice = claim(first, because=(*first.deduction.because, first.deduction.because[0]))
    rejected(with_step(certify(PARTITION), 0, twice), PARTITION, "names the same number twice")
    total = claim(first, uses_total=True)
    rejected(with_step(certify(PARTITION), 0, total), PARTITION, "does not need the total")


def test_changed_words_are_rejected() -> None:
    """Words and technique prove nothing, so only the digest shows that they were changed."""
    certificate = certify(PARTITION)
    changes: list[Callable[[Any], object]] = [
        lambda step: step.update(text="Trust me."),
        lambda step: step.update(technique="total"),
        lambda step: step["argument"]["parts"][-1].update(cells=[[0, 0]]),
        lambda step: step["argument"]["parts"].pop(),
    ]
    for change in changes:
        document = certificate.as_json()
        change(document["steps"][0])
        changed = Certificate.from_json(json.dumps(document))
        rejected(changed, PARTITION, "its digest does not match: the certificate was changed")
        verify(replace(changed, digest=None), PARTITION)  # as older certificates, which have no digest


def test_the_text_of_a_certificate_is_english_whatever_the_language() -> None:
    certificate = certify(PARTITION)
    with use_language("de"), use_cell_labels("ruler"):
        assert certify(PARTITION) == certificate
        assert certify(PARTITION).as_json() == certificate.as_json()
        verify(certificate, PARTITION)
        again = Certificate.from_json(json.dumps(certificate.as_json()))
        assert (
            again.steps[0].deduction.text
            == certificate.steps[0].deduction.text
            != certificate.steps[0].as_json()["text"]
        )


def test_a_certificate_without_arguments_keeps_its_texts() -> None:
    """Certificates were written so before steps had arguments."""
    document = certify(PARTITION).as_json()
    for step in document["steps"]:
        del step["argument"], step["pattern"]
    document["steps"][0]["text"] = "As it was."
    del document["digest"]
    older = Certificate.from_json(json.dumps(document)).sealed()
    assert older.steps[0].deduction.text == older.steps[0].deduction.text_in("de") == "As it was."
    assert older.as_json() == {**document, "digest": older.digest}
    verify(Certificate.from_json(json.dumps(older.as_json())), PARTITION)


def test_an_argument_that_cannot_be_rendered_is_named() -> None:
    changes: list[tuple[Callable[[Any], object], str]] = [
        (lambda step: step["argument"]["parts"][0].update(kind="magic"), "unknown kind of clause: 'magic'"),
        (lambda step: step["argument"]["parts"][1].update(numbers=[]), "incomplete clause of kind"),
        (lambda step: step.update(pattern="1-1"), "expected the pattern of the argument"),
        (lambda step: step.pop("argument"), "expected the pattern of the argument"),
        (lambda step: step["argument"].update(parts=3), "$.steps[0].argument.parts"),
    ]
    for change, words in changes:
        document = certify(PARTITION).as_json()
        change(document["steps"][0])
        with pytest.raises(mp.BoardSyntaxError) as caught:
            Certificate.from_json(json.dumps(document))
        assert words in str(caught.value)


def test_the_digest_is_that_of_the_rest_of_the_document() -> None:
    document = certify(PARTITION).as_json()
    digest = document.pop("digest")
    text = json.dumps(document, sort_keys=True, separators=(",", ":"))
    assert digest == hashlib.sha256(text.encode()).hexdigest()
    without = Certificate.from_json(json.dumps(document))
    assert without.digest is None
    verify(without, PARTITION)


# JSON


@pytest.mark.slow
def test_certificates_are_read_back() -> None:
    for _, truth, found in solvable(random.Random(6), 20):
        again = Certificate.from_json(json.dumps(found.as_json()))
        assert again == found
        verify(again, truth)


def test_the_shape() -> None:
    document = certify(PARTITION).as_json()
    assert document["schema"] == "mineproof/certificate/1"
    assert document["start"] == [2, 1]
    assert isinstance(document["steps"], list)
    assert set(document["steps"][0]) == {"technique", "safe", "mines", "because", "uses_total", "text", "pattern",
                                          "argument", "opened"}  # fmt: skip


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda document: document.pop("steps"), "missing required field `steps`"),
        (lambda document: document.update(schema="mineproof/board/1"), "mineproof/board/1"),
        (lambda document: document.update(start=[1]), "$.start"),
        (lambda document: document["steps"][0].update(because="x"), "$.steps[0].because"),
        (lambda document: document.update(extra=1), "extra"),
    ],
)
def test_a_broken_document_is_named(change: Callable[[Any], object], words: str) -> None:
    document: Any = certify(PARTITION).as_json()
    change(document)
    with pytest.raises(mp.BoardSyntaxError) as caught:
        Certificate.from_json(json.dumps(document))
    assert words in str(caught.value)
    with pytest.raises(mp.BoardSyntaxError, match="certificate: "):
        Certificate.from_json("{")


# checking


def test_the_first_forced_guess() -> None:
    verdict = check(layout("*..*"), (0, 1))
    assert (verdict.no_guess, verdict.start, verdict.open_cells, verdict.safe_cells) == (False, (0, 1), 1, 2)
    assert set(verdict.board.cells(FLAGGED)) == {(0, 3)}
    assert verdict.guess is not None
    assert (verdict.guess.kind, verdict.guess.cell, verdict.guess.mine_fraction) == ("guess", (0, 0), Fraction(1, 2))


def test_no_guess() -> None:
    verdict = check(PARTITION)
    assert (verdict.no_guess, verdict.guess, verdict.open_cells, verdict.safe_cells) == (True, None, 7, 7)
    assert set(verdict.board.cells(FLAGGED)) == {(0, 0), (0, 2)}


@pytest.mark.slow
def test_the_check_ends_where_the_grade_does() -> None:
    rng = random.Random(7)
    outcomes = set()
    for _ in range(80):
        truth = ground(rng, rng.randint(3, 7), rng.randint(3, 7), rng.randint(1, 10), rng.choice(CLASSIC), 0.1)
        if not truth.safe:
            continue
        found = layout_of(truth, rng.choice(sorted(truth.safe)))
        quick, slow = check(found), mp.grade(found)
        outcomes.add(quick.no_guess)
        assert (quick.no_guess, quick.open_cells) == (slow.solved, slow.open_cells)
        if not quick.no_guess:
            assert (quick.board, quick.guess) == (slow.board, slow.guess)
            assert not mp.analyze(quick.board, flags="ignore").safe
    assert outcomes == {True, False}


def test_check_as_json() -> None:
    stuck = check(layout("*..*"), (0, 1)).as_json()
    assert json.loads(json.dumps(stuck)) == stuck
    assert {key: stuck[key] for key in ("schema", "start", "no_guess", "open_cells", "safe_cells", "board")} == {
        "schema": "mineproof/check/1",
        "start": [0, 1],
        "no_guess": False,
        "open_cells": 1,
        "safe_cells": 2,
        "board": ["#1#F"],
    }
    assert isinstance(stuck["guess"], dict)
    assert stuck["guess"]["mine_fraction"] == "1/2"
    assert check(PARTITION).as_json()["guess"] is None


@pytest.mark.slow
def test_every_start_from_which_no_guess_is_needed() -> None:
    rng = random.Random(8)
    some = 0
    for _ in range(25):
        truth = ground(rng, rng.randint(2, 6), rng.randint(2, 6), rng.randint(1, 6), rng.choice(CLASSIC), 0.1)
        found = layout_of(truth)
        expected = [cell for cell in sorted(truth.safe) if check(found, cell).no_guess]
        assert no_guess_starts(found) == expected
        some += 0 < len(expected) < len(truth.safe)
    assert some > 5, "the answer depends on the start"


def test_starts_have_a_budget() -> None:
    with pytest.raises(mp.BudgetExceeded):
        no_guess_starts(LONG, budget=0.0)


@pytest.mark.parametrize("ask", [walk, certify, check])
def test_a_first_click_that_cannot_be(ask: Callable[..., object]) -> None:
    cases = {
        (0, 0): "Cannot start at (0,0): it is a mine.",
        (0, 9): "expected a cell on the 3 × 1 board, got (0,9)",
        (0, 2): "Cannot start at (0,2): it is not part of the board.",
        None: "has no start cell",
    }
    for start, words in cases.items():
        with pytest.raises(mp.IllegalMoveError) as caught:
            ask(layout("*.~"), start)
        assert words in str(caught.value)


def test_nothing_changes() -> None:
    certificate = certify(PARTITION)
    for value, name in ((certificate, "solved"), (certificate.steps[0], "opened"), (check(PARTITION), "guess")):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(value, name, None)


def test_cells_outside_the_board_stay_outside() -> None:
    verdict = check(layout("**~/..~/..~"), (2, 0))
    assert verdict.no_guess
    assert [verdict.board[row, 2] for row in range(3)] == [-9] * 3
    assert list(verdict.board.cells(COVERED)) == []
