"""``mineproof analyze``: the JSON that scripts read, and the text that people read."""

import re

import pytest

from support import texts
from support.command import mineproof

CONTRACT = {"schema", "rows", "columns", "total_mines", "layouts", "mine_probability", "safe", "mines"}
GAME = "9x5x8/00001####/00012####/0001#3###/2212###F#/#########"
LONG = "#" * 20_000  # as many layouts as 2 to that power


# JSON


def test_the_shape_of_the_contract() -> None:
    answer = mineproof("analyze", "1#/##", "--mines", "1", "--json").json()
    assert set(answer) == CONTRACT | {"log10_layouts", "states", "board"}
    third = pytest.approx(1 / 3)
    assert {key: answer[key] for key in CONTRACT} == {
        "schema": "mineproof/analysis/1",
        "rows": 2,
        "columns": 2,
        "total_mines": 1,
        "layouts": "3",
        "mine_probability": [[None, third], [third, third]],
        "safe": [],
        "mines": [],
    }


def test_certain_cells_are_pairs_in_row_order() -> None:
    answer = mineproof("analyze", "#1#1#", "--mines", "2", "--json").json()
    assert (answer["mines"], answer["safe"]) == ([[0, 0], [0, 4]], [[0, 2]])
    assert answer["mine_probability"] == [[1.0, None, 0.0, None, 1.0]]


def test_without_a_total_undecided_cells_have_no_odds() -> None:
    answer = mineproof("analyze", "1##", "--json").json()
    assert answer["total_mines"] is None
    assert answer["mine_probability"] == [[None, 1.0, None]]
    assert answer["layouts"] == "2"
    assert mineproof("analyze", "1##", "--density", "1/4", "--json").json()["mine_probability"] == [[None, 1.0, 0.25]]


def test_exact_adds_fractions() -> None:
    answer = mineproof("analyze", "1#/##", "--mines", "1", "--json", "--exact").json()
    assert answer["mine_fraction"] == [[None, "1/3"], ["1/3", "1/3"]]
    weighed = mineproof("analyze", "#1#1#", "--density", "0.1", "--json", "--exact").json()
    assert weighed["mine_fraction"] == [["1/10", None, "9/10", None, "1/10"]]
    assert mineproof("analyze", "1##", "--json", "--exact").json()["mine_fraction"] == [[None, "1", None]]


def test_a_count_beyond_reading_is_given_when_asked_for() -> None:
    answer = mineproof("analyze", LONG, "--json").json()
    assert answer["layouts"] is None
    assert answer["log10_layouts"] == pytest.approx(6020.6, abs=0.01)
    assert mineproof("analyze", LONG, "--json", "--exact").json()["layouts"] == str(2**20_000)


# text


def test_headline() -> None:
    def headline(*arguments: str) -> list[str]:
        return mineproof("analyze", *arguments).lines[:2]

    assert headline("1#/##", "--mines", "1") == ["2 × 2, 1 mine", "3 layouts fit"]
    assert headline("1F#", "--mines", "2") == ["3 × 1, 2 mines, 1 flag trusted", "1 layout fits"]
    assert headline("1F#", "--flags", "ignore") == [
        "3 × 1, number of mines unknown, 1 flag ignored",
        texts.text("cli-analyze-all-totals", layouts="2 layouts fit"),
    ]
    assert (
        headline("##", "--density", "0.25", "--topology", "hex")[0]
        == "2 × 1 hex, number of mines unknown, density 0.25"
    )
    assert headline("##", "--density", "0.25", "--mines", "1")[0] == "2 × 1, 1 mine, density not needed"
    assert headline("#" * 60)[1] == texts.text("cli-analyze-all-totals", layouts="≈ 1.15 × 10^18 layouts fit")
    assert headline("#" * 60, "--exact")[1] == f"{2**60:,} layouts fit, over all numbers of mines"


def test_how_a_board_was_understood_is_said_where_it_was_a_guess() -> None:
    assert "position in the fair alphabet: ? covered, F mine" in mineproof("analyze", "1?/??").text
    assert "alphabet" not in mineproof("analyze", "1?/??", "--from", "fair").text
    assert "alphabet" not in mineproof("analyze", "1#/##").text


def test_a_whole_answer() -> None:
    assert (
        mineproof("analyze", GAME).text
        == """\
9 × 5, 8 mines, 1 flag trusted
54 layouts fit

    0  1  2  3  4  5  6  7  8
0   .  .  .  .  1 11  -  -  -
1   .  .  .  1  2 89 28  -  -
2   .  .  .  1  M  3 28  -  -
3   2  2  1  2  S 28 28  F  -
4   M  M  S  S  M  -  -  -  -

S safe   M mine   F flag   . 0   - touches no number: 7.4 %
two digits: risk of a mine (20 is 20 %)

  chance  cells
    safe   3  (3,4) (4,2) (4,3)
    mine   4  (2,4) (4,0) (4,1) (4,4)
   7.4 %  12  touches no number
  11.1 %   1  (0,5)
  27.8 %   4  (1,6) (2,6) (3,5) (3,6)
  88.9 %   1  (1,5)
"""
    )


def test_where_per_cent_do_not_fit_odds_are_letters() -> None:
    spaced = mineproof("analyze", GAME, columns=24).lines
    assert spaced[4:10] == [
        "   0 1 2 3 4 5 6 7 8",
        "0  . . . . 1 b - - -",
        "1  . . . 1 2 i c - -",
        "2  . . . 1 M 3 c - -",
        "3  2 2 1 2 S c c F -",
        "4  M M S S M - - - -",
    ]
    assert "b <20 %   c <30 %" in spaced
    tight = mineproof("analyze", GAME, columns=18).lines
    assert tight[4:6] == ["   012345678", "0  ....1b---"]


def test_a_board_wider_than_the_terminal_is_drawn_in_bands() -> None:
    lines = mineproof("analyze", "1" + "#" * 33 + "1", "--mines", "3", columns=20).lines
    assert lines[3:13] == [
        "   0",
        "   0123456789",
        "0  1M--------",
        "",
        "   10",
        "   0123456789",
        "0  ----------",
        "",
        "   20",
        "   0123456789",
    ]


@pytest.mark.parametrize("columns", [17, 20, 21, 30, 33, 40, 80, 200])
@pytest.mark.parametrize("arguments", [[GAME], [GAME, "--exact"], ["9x3x5 hex/####1####/#########/####2####"]])
def test_never_wider_than_the_terminal(columns: int, arguments: list[str]) -> None:
    done = mineproof("analyze", *arguments, columns=columns)
    assert done.status == 0
    assert [line for line in done.lines if len(line) > columns] == []


def test_hexagons_lie_between_those_above() -> None:
    assert mineproof("analyze", "1#/##/##", "--topology", "hex", "--mines", "2").lines[4:7] == [
        "0   1 50",
        "1   50  -",
        "2   -  -",
    ]


def test_odds_are_never_shown_as_certain() -> None:
    lines = mineproof("analyze", "#1#1#", "--density", "0.0001").lines
    assert "0  <1  1 99  1 <1" in lines
    assert [line.split("  ")[0].strip() or line.split("  ")[1] for line in lines[-2:]] == ["< 0.1 %", "> 99.9 %"]
    assert "touches no number: < 0.1 %" in mineproof("analyze", "#" * 5000, "--mines", "1").text


def test_undecided_cells_without_odds_are_counted() -> None:
    text = mineproof("analyze", "1#/##").text
    assert texts.text("cli-analyze-undecided", 3) in text
    assert "# undecided" in text


def test_exact_lists_every_cell_and_its_fraction() -> None:
    lines = mineproof("analyze", GAME, "--exact").lines
    assert lines[-8:] == [
        "   7.4 %  12  touches no number",
        "              = 2/27",
        "  11.1 %   1  (0,5)",
        "              = 1/9",
        "  27.8 %   4  (1,6) (2,6) (3,5) (3,6)",
        "              = 5/18",
        "  88.9 %   1  (1,5)",
        "              = 8/9",
    ]


def test_long_lists_are_cut_unless_asked_for() -> None:
    board = "/".join(["0#"] * 40)
    assert re.search(r"… and \d+ more", mineproof("analyze", board).text)
    assert "more" not in mineproof("analyze", board, "--exact").text


def test_a_board_too_large_for_a_picture_is_summed_up() -> None:
    done = mineproof("analyze", "/".join(["1" + "#" * 149] * 150), "--density", "0.2")
    assert "22,500 cells are too many for a picture" in done.text
    assert len(done.lines) < 30


def test_colours() -> None:
    assert "\x1b[" not in mineproof("analyze", GAME).text
    assert "\x1b[" not in mineproof("analyze", GAME, "--color", "never").text
    colored = mineproof("analyze", GAME, "--color", "always", NO_COLOR="1").text
    assert re.search(r"\x1b\[[0-9;]*48;5;28mS\x1b\[0m", colored)
    assert re.sub(r"\x1b\[[0-9;]*m", "", colored) == mineproof("analyze", GAME).text
