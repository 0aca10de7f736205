"""``mineproof watch``: a whole game with its reasons, as lines, as JSON and on a terminal."""

import json
import re
import signal
from typing import Any

import pytest

from mineproof.analysis.analysis import analyze
from mineproof.cli import watch
from mineproof.decision.best_moves import best_move
from mineproof.decision.safest import safest_cell
from mineproof.game.autoplayer import autoplay
from mineproof.game.game import Game
from mineproof.generation.generator import generate
from support.command import mineproof
from support.effort import examples
from support.positions import CLASSIC
from support.process import at_a_terminal

BEGINNER = ["watch", "beginner", "--seed", "7"]
LOST = ["watch", "5x5x12", "--seed", "2", "--first-click", "any"]


def played(*arguments: str) -> tuple[Any, list[Any], Any]:
    """The head, the steps and the end of a game."""
    done = mineproof(*arguments, "--json")
    assert (done.status, done.err) == (0, "")
    head, *steps, end = map(json.loads, done.lines)
    return head, steps, end


# JSON


def test_json_lines() -> None:
    head, steps, end = played(*BEGINNER)
    assert head == {
        "schema": "mineproof/watch/1",
        "rows": 9,
        "columns": 9,
        "total_mines": 10,
        "topology": "grid",
        "first_click": "safe",
        "fairness": "none",
        "no_guess": False,
        "strategy": "hint",
        "seed": 7,
    }
    assert [step["step"] for step in steps] == list(range(1, len(steps) + 1))
    assert steps[0]["kind"] == "first"
    assert set(steps[0]) == {
        "step", "kind", "text", "because", "uses_total", "mine_probability", "mine_fraction", "flagged", "opened",
        "exploded", "redrawn", "status",
    }  # fmt: skip
    assert [step["status"] for step in steps[:-1]] == ["running"] * (len(steps) - 1)
    assert steps[-1]["status"] == end["status"] in ("won", "lost")
    assert (end["schema"], len(end["mines"])) == ("mineproof/view/1", 10)


@pytest.mark.slow
def test_every_cell_is_opened_or_flagged_for_a_reason() -> None:
    """The steps add up to the board at the end, and a step that takes no risk hits no mine."""
    for seed in range(12):
        _, steps, end = played("watch", "8x8x10", "--seed", str(seed))
        shown = {(row, column): number for step in steps for row, column, number in step["opened"]}
        flagged = {tuple(cell) for step in steps for cell in step["flagged"]}
        cells = {(row, column): sign for row, line in enumerate(end["cells"]) for column, sign in enumerate(line)}
        assert {cell: str(number) for cell, number in shown.items()} == {
            cell: sign for cell, sign in cells.items() if sign.isdigit()
        }
        assert flagged == {cell for cell, sign in cells.items() if sign == "F"} <= set(map(tuple, end["mines"]))
        for step in steps:
            assert step["text"]
            assert step["because"] or step["uses_total"] or step["kind"] in ("first", "guess")
            assert (step["mine_fraction"] is not None) == (step["kind"] == "guess")
            assert not step["exploded"] or step["kind"] == "guess"


def test_no_text_of_a_running_game_shows_mines() -> None:
    done = mineproof(*LOST, "--json")
    lines = done.lines
    assert '"mines"' not in "".join(lines[:-1])
    assert '"mines"' in lines[-1]


def test_no_guess_means_none() -> None:
    for kind in CLASSIC:
        head, steps, end = played("watch", "beginner", "--seed", "4", "--no-guess", "--topology", kind)
        assert (head["no_guess"], head["topology"], end["status"]) == (True, kind, "won")
        assert {"guess"} & {step["kind"] for step in steps} == set()
        assert "need no guess" in steps[0]["text"]


@pytest.mark.slow
def test_a_forced_guess_never_loses_under_forced_fairness() -> None:
    redrawn = 0
    for seed in range(10):
        _, steps, end = played("watch", "6x6x10", "--seed", str(seed), "--fairness", "forced")
        assert end["status"] == "won"
        redrawn += sum(step["redrawn"] for step in steps)
        assert end["redraws"] == sum(step["redrawn"] for step in steps)
    assert redrawn


def test_chances_are_written_as_the_language_writes_numbers() -> None:
    german = mineproof("--language", "de", *LOST).text
    assert "48,0 %" in german
    assert "48.0" not in german


def test_the_first_click() -> None:
    wish = ["watch", "5x5x12", "--seed", "2", "--first-click"]
    first = {rule: played(*wish, rule)[1][0] for rule in ("any", "safe", "open")}
    assert first["any"]["mine_fraction"] == "12/25"
    assert "its chance of a mine is 48.0 %" in first["any"]["text"]
    assert first["safe"]["mine_fraction"] is None
    assert "free of mines" in first["safe"]["text"]
    assert "neighbours free of mines" in first["open"]["text"]
    assert played("watch", "5x5x3", "--seed", "2", "--start", "3,2")[1][0]["text"].startswith(
        "(3,2) is the first click"
    )


@pytest.mark.parametrize("rule", ["any", "safe", "open"])
def test_a_first_click_that_is_certain(rule: str) -> None:
    _, (full,), _ = played("watch", "2x2x4", "--seed", "1", "--first-click", rule)
    assert (full["text"], full["mine_fraction"]) == ("(0,0) is the first click: it is a mine, like every cell.", "1")
    _, (empty,), _ = played("watch", "2x2x0", "--seed", "1", "--first-click", rule)
    assert (empty["text"], empty["mine_fraction"]) == ("(0,0) is the first click: there are no mines.", None)


def test_the_same_seed_is_the_same_game() -> None:
    assert mineproof(*BEGINNER).text == mineproof(*BEGINNER).text
    drawn = mineproof("watch", "beginner")
    assert drawn.err.startswith("mineproof: seed ")
    assert mineproof("watch", "beginner", "--seed", drawn.err.split()[2]).text == drawn.text


@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["safest", "fast", "strong", "best", "minesolver"])
def test_guesses_follow_a_strategy(strategy: str) -> None:
    """Each guess is the strategy's choice on the same board; every other step is certain."""
    guesses = 0
    for seed in range(examples(10)):
        layout = generate(7, 7, 12, seed=seed)
        game = Game(layout, fairness="kind")
        for turn in autoplay(game, layout, strategy=strategy):
            if turn.kind != "guess":
                continue
            guesses += 1
            found = analyze(turn.before)
            assert not found.safe
            assert turn.cell is not None
            assert turn.mine_fraction == found.exact(*turn.cell)
            assert turn.text.startswith("No cell is certainly safe. ")
            if strategy == "safest":
                assert turn.mine_fraction == safest_cell(found, turn.before).fraction
            else:
                assert turn.cell == best_move(turn.before, strategy).cell
    assert guesses > examples(10)


@pytest.mark.slow
def test_the_best_guess_is_not_always_the_safest() -> None:
    """As the command plays it, too."""

    def differs(seed: int) -> bool:
        head, steps, _ = played("watch", "7x7x12", "--seed", str(seed), "--strategy", "best")
        assert head["strategy"] == "best"
        return any("is safer" in step["text"] or "the safest cell" in step["text"] for step in steps)

    assert any(map(differs, range(12)))


def test_a_strategy_that_plays_whole_games_only_is_refused() -> None:
    layout = generate(5, 5, 5, seed=1)
    with pytest.raises(ValueError, match=r"strategy must be one of hint, safest, fast, .*, got 'go'"):
        next(autoplay(Game(layout), layout, strategy="go"))


# lines


def test_a_line_a_step_and_the_board_at_the_end() -> None:
    done = mineproof(*BEGINNER)
    assert (done.status, done.err) == (0, "")
    gap = done.lines.index("")
    steps = done.lines[:gap]
    assert [int(line.split()[0]) for line in steps] == list(range(1, gap + 1))
    assert re.match(r"  1  first +\(\d,\d\) is the first click: the rules keep it free of mines\.", steps[0])
    assert all(len(line.split()) > 5 for line in steps)
    assert done.lines[gap + 1] == "   0 1 2 3 4 5 6 7 8"
    _, told, end = played(*BEGINNER)
    assert done.lines[-2 if len(done.lines[-1]) < 30 else -1].startswith(
        f"{end['status'].capitalize()} after {len(told)} steps"
    )


@pytest.mark.slow
def test_a_lost_game_shows_what_went_off() -> None:
    for seed in range(30):
        wish = ["watch", "5x5x12", "--seed", str(seed), "--first-click", "any"]
        if played(*wish)[2]["status"] == "lost":
            text = mineproof(*wish).text
            assert "X mine that exploded" in text
            assert "Lost after" in text
            return
    pytest.fail("no game was lost")


# the terminal


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height"), [(80, 23), (80, 40), (40, 23), (30, 12), (120, 50)])
@pytest.mark.parametrize("size", [(16, 30, 60), (30, 60, 200), (9, 9, 10)])
def test_a_picture_fits_its_terminal(size: tuple[int, int, int], width: int, height: int) -> None:
    layout = generate(*size, seed=3, no_guess=True)
    game = Game(layout, first_click="any")
    for turn in autoplay(game, layout):
        lines = [line.plain for line in watch.frame(turn, "seed 1", width, height)]
        assert len(lines) <= height
        assert max(map(len, lines)) <= width
        if (width, height) == (80, 23):
            told = " ".join(lines)
            assert turn.text.split()[0] in told
            assert any(re.search(r"\d .*[SMG]", line) for line in lines), "what is about to be done is in sight"
        if turn.number > 40:
            break


def test_on_a_terminal_the_board_is_drawn_again_and_the_end_stays() -> None:
    shown = at_a_terminal("watch", "beginner", "--seed", "7", "--delay", "0")
    assert shown.status == 0
    assert "\x1b[?25l" in shown.raw, "the cursor is hidden"
    assert shown.raw.count("seed 7, step ") >= len(played(*BEGINNER)[1])
    assert "Won after" in shown.text or "Lost after" in shown.text
    moves = re.findall(r"(?:\x1b\[2K\x1b\[1A)+", shown.raw)
    assert 10 < max(move.count("\x1b[1A") for move in moves) < 24, "over itself, and never beyond the screen"


def test_ctrl_c_ends_with_the_board_so_far() -> None:
    shown = at_a_terminal("watch", "--seed", "7", "--delay", "5", ctrl_c_after="step 1")
    assert shown.status == 130
    assert "mineproof: interrupted" in shown.text
    assert "Not finished after 1 step" in shown.text
    assert "Traceback" not in shown.text
    assert "mine\n" not in shown.text.split("covered")[-1], "no mine is shown before the end"


def test_a_signal_gives_the_cursor_back() -> None:
    shown = at_a_terminal("watch", "--seed", "7", "--delay", "5", ctrl_c_after="step 1", number=signal.SIGTERM)
    assert shown.status == 143
    assert shown.raw.rfind("\x1b[?25h") > shown.raw.rfind("\x1b[?25l")
    assert "Not finished after 1 step" in shown.text


def test_a_terminal_that_cannot_move_its_cursor_gets_lines() -> None:
    shown = at_a_terminal("watch", "beginner", "--seed", "7", TERM="dumb")
    assert shown.status == 0
    assert "\x1b" not in shown.raw


# how it ends


@pytest.mark.parametrize(
    "arguments",
    [
        ["3x3"],
        ["9x9x99"],
        ["beginner", "--delay", "-1"],
        ["beginner", "--delay", "nan"],
        ["beginner", "--delay", "inf"],
        ["beginner", "--delay", "1e300"],
        ["beginner", "--delay", ""],
        ["beginner", "--strategy", "go"],
        ["beginner", "--strategy", ""],
        ["beginner", "--fairness", "always"],
        ["3x3x1", "--start", "5,5"],
        ["101x100x10"],
    ],
)
def test_bad_usage(arguments: list[str]) -> None:
    done = mineproof("watch", *arguments)
    assert (done.status, done.text) == (2, "")
