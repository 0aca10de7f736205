"""Text in lines: a number stays with its unit, and lines stay lines."""

from mineproof.base.words import keep_units, wrap_text


def test_a_number_and_its_unit_are_never_parted() -> None:
    text = "In 95 % of 1,000 games it took 2.5 s and 12 ms, with < 0.1 % of 3 GB."
    for width in range(8, 80):
        lines = wrap_text(text, width)
        assert " ".join(lines) == text
        assert max(map(len, lines)) <= width
        assert not any(line.split()[0].rstrip(",.") in ("%", "s", "ms", "GB") for line in lines), lines
        assert not any(line.endswith("<") for line in lines)


def test_words_that_begin_like_a_unit_may_be_parted() -> None:
    assert keep_units("2 safe cells, 3 mines, 4 hints") == "2 safe cells, 3 mines, 4 hints"


def test_lines_of_a_text_stay_lines() -> None:
    assert wrap_text("Case 1: a mine.\nCase 2: safe.", 80) == ["Case 1: a mine.", "Case 2: safe."]
