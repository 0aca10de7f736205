"""Phrases: values in sentences, in two languages and two styles of cell labels."""

import pickle

import pytest

from mineproof.practice.puzzles import technique_label
from mineproof.wording.catalogue import has_message, use_language
from mineproof.wording.cells import use_cell_labels
from mineproof.wording.lessons import practise_phrase
from mineproof.wording.phrases import CellValue, Decimal, Risk, Seconds, WinChance, format_value, phrase


@pytest.mark.parametrize(
    ("value", "english", "german"),
    [
        (12_345, "12,345", "12.345"),
        ("a name, with {braces}", "a name, with {braces}", "a name, with {braces}"),
        (Risk(1 / 3), "33.3 %", "33,3 %"),
        (Risk(1e-9), "< 0.1 %", "< 0,1 %"),
        (Risk(1 - 1e-9), "> 99.9 %", "> 99,9 %"),
        (WinChance(0.75, True), "75 %", "75 %"),
        (WinChance(0.0, True), "0 %", "0 %"),
        (WinChance(0.7501, True), "75.0 %", "75,0 %"),
        (WinChance(0.475, False), "about 48 %", "etwa 48 %"),
        (WinChance(0.999, False), "> 99 %", "> 99 %"),
        (WinChance(0.001, False), "< 1 %", "< 1 %"),
        (Seconds(9.94), "9.9 s", "9,9 s"),
        (Seconds(9.96), "10 s", "10 s"),
        (Decimal(1234.567, 2), "1,234.57", "1.234,57"),
        (CellValue((0, 27)), "(0,27)", "(0,27)"),
        ((CellValue((0, 1)), 2, "x"), "(0,1), 2 and x", "(0,1), 2 und x"),
    ],
)
def test_values(value: object, english: str, german: str) -> None:
    assert format_value(value) == english
    with use_language("de"):
        assert format_value(value) == german


def test_phrases_nest_and_take_plurals() -> None:
    nested = phrase("review-luck", luck=Risk(0.5), guesses=phrase("review-guesses-survived", 2))
    assert nested.text == "2 guesses survived; the chance of that was 50.0 %"
    assert phrase("review-guesses-survived", 1).text == "1 guess survived"
    assert pickle.loads(pickle.dumps(nested)) == nested
    with use_cell_labels("ruler"):
        assert phrase("puzzle-certain-safe", cell=CellValue((0, 27))).text.startswith("AB1 ")


def test_a_technique_without_sentences_is_called_by_its_name() -> None:
    assert not has_message("lesson-technique-new-trick")
    assert practise_phrase("new-trick").text == "Practise new-trick."
    assert technique_label("new-trick") == "new-trick"
