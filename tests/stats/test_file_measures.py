"""Measures of the entries of a file."""

import pytest

from mineproof.stats import file_measures


def test_layouts_of_several_sizes_keep_their_order() -> None:
    text = "*..\n*../...\n.*.\n*../...\n".replace("*..\n", "*../...\n", 1)
    found = [entry for entry in file_measures.entries(text.encode()) if isinstance(entry, file_measures.Entry)]
    assert [(entry.line, entry.rows) for entry in found] == [(1, 2), (2, 2), (3, 1), (4, 2)]
    assert [entry.numbers["bbbv"] for entry in found] == [2, 2, 2, 2]


def test_what_is_measured_together_makes_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "".join(f"{'*' * (k % 3)}.{'.' * (k % 5)}\n\n" for k in range(40)) + "..\n.\n"
    whole = list(file_measures.entries(text.encode()))
    monkeypatch.setattr(file_measures, "BATCH_LAYOUTS", 7)
    assert list(file_measures.entries(text.encode())) == whole
    assert len(whole) == 41
