"""``mineproof review``: a saved game or a replay, in words and in JSON."""

import json
import re
import textwrap
from pathlib import Path

import pytest

from mineproof.formats.rawvf import games as rawvf_replay
from mineproof.game.game import Game
from mineproof.game.game_measures import NUMBERS
from mineproof.game.layout import Layout
from mineproof.game.reviews import GuessReview, review
from mineproof.game.rules import MoveKind
from support import texts
from support.command import mineproof

Moves = list[tuple[MoveKind, tuple[int, int] | None]]

LOST: Moves = [("open", (0, 3)), ("open", (0, 0)), ("undo", None), ("flag", (0, 0)), ("undo", None), ("open", (0, 0))]
KEYS = {
    "schema", "rows", "columns", "total_mines", "topology", "status", *NUMBERS, "moves", "clicks", "seconds", "redraws",
    "luck", "luck_fraction", "accuracy", "with_help", "help_used", "help_text", "guesses", "notes",
}  # fmt: skip


def game(rows: str, moves: Moves, **options: object) -> Game:
    lines = rows.split("/")
    mines = frozenset((r, c) for r, line in enumerate(lines) for c, sign in enumerate(line) if sign == "*")
    layout = Layout(len(lines), len(lines[0]), mines, no_guess=bool(options.pop("no_guess", False)))
    made = Game(layout, clock=iter(range(1000)).__next__, **options)  # type: ignore[arg-type]
    for kind, cell in moves:
        made.play(kind, cell)
    return made


WON = game("*.../....", [("open", (0, 3)), ("open", (1, 0))])


@pytest.fixture
def saved(tmp_path: Path) -> str:
    path = tmp_path / "game.json"
    path.write_text(WON.save())
    return str(path)


# JSON


def test_the_shape(saved: str) -> None:
    done = mineproof("review", saved, "--json")
    assert (done.status, done.err) == (0, "")
    answer = done.json()
    assert set(answer) == KEYS
    assert answer["schema"] == "mineproof/review/1"
    assert {"mine_probability", "mine_fraction", "alternative_fraction"} < set(answer["guesses"][0])
    assert answer == json.loads(json.dumps(review(WON).as_json()))


def test_a_replay_says_the_same_as_the_saved_game(tmp_path: Path, saved: str) -> None:
    path = tmp_path / "game.rawvf"
    path.write_bytes(rawvf_replay.write_record(WON.record()).replace("\n", "\r\n").encode("ascii"))
    assert mineproof("review", str(path), "--json").json() == mineproof("review", saved, "--json").json()
    named = path.read_bytes().replace(b"Program", b"Player: \xcd\xf5\r\nProgram")
    path.write_bytes(named)
    assert mineproof("review", str(path)).status == 0


def test_standard_input() -> None:
    expected = review(WON).as_json()
    for arguments in ([], ["-"]):
        assert mineproof("review", *arguments, "--json", stdin=WON.save()).json() == json.loads(json.dumps(expected))


# text


def test_a_won_game_in_words(saved: str) -> None:
    assert mineproof("review", saved).lines == [
        f"4 × 2, 1 mine: won in {WON.seconds:.3f} s",
        "3BV 2, 1 opening, 1 island",
        texts.text("cli-review-zini", zini=2, human=2),
        texts.text("cli-review-clicks", 2, left=2, right=0, double=0, effective=2),
        "efficiency 100 %, correctness 100 %, throughput 1.00, 3BV/s 2.00",
        "RQP 0.50, QG 0.50",
        "1 guess survived; the chance of that was 50.0 %",
        "",
        "move      time      risk  guess     cell",
        f"   2  {WON.moves[1].ms / 1000:8.3f}    50.0 %  forced    (1,0) survived",
        *textwrap.wrap(only_guess(WON).text, 80, initial_indent="    ", subsequent_indent="    "),
    ]


def only_guess(played: Game) -> GuessReview:
    (guess,) = review(played).guesses
    return guess


def test_a_lost_game_with_moves_taken_back() -> None:
    lost = game("*.../....", LOST)
    lines = mineproof("review", stdin=lost.save()).lines
    assert lines[0].startswith("4 × 2, 1 mine: lost after ")
    assert lines[1] == "3BV 2, 1 solved, 1 opening, 1 island"
    assert lines[3] == texts.text("cli-review-clicks", 4, left=3, right=1, double=0, effective=1)
    assert lines[4].startswith("efficiency 25 %, correctness 25 %, throughput 1.00, ")
    assert "2 guesses: 1 lost, 1 taken back" in lines
    assert any(line.endswith("forced    (0,0) lost, undone") for line in lines)
    assert any(line.endswith("forced    (0,0) lost") for line in lines)
    assert lines[-1] == review(lost).notes[-1]


def test_luck_and_needless_guesses() -> None:
    lucky = game("*..*.*", [("open", (0, 1)), ("open", (0, 2)), ("open", (0, 4))], first_click="any")
    text = mineproof("review", stdin=lucky.save()).text
    luck = review(lucky).luck
    assert luck < 0.5
    assert f"(1 in {round(1 / luck)})\n" in text
    needless = game("..../..*./....", [("open", (1, 1)), ("open", (0, 0))])
    done = mineproof("review", stdin=needless.save())
    assert "needless  (0,0) survived" in done.text
    assert only_guess(needless).text in " ".join(done.text.split())
    assert "still running after" in done.lines[0]
    assert "3BV" not in done.text


def test_a_loss_is_not_told_as_survived() -> None:
    lines = mineproof("review", stdin=game("*.../....", [("open", (0, 3)), ("open", (0, 0))]).save()).lines
    assert texts.text("review-guesses-lost", 1) in lines
    unlucky = game("*..*.*", [("open", (0, 1)), ("open", (0, 2)), ("open", (0, 3))], first_click="any")
    told = [line for line in mineproof("review", stdin=unlucky.save()).lines if "surviving" in line]
    assert [line.partition("; ")[0] for line in told] == ["3 guesses: 2 survived, 1 lost"]


def test_a_game_that_is_not_begun() -> None:
    lines = mineproof("review", stdin=game("*.../....", []).save()).lines
    assert lines == ["4 × 2, 1 mine: not started", "0 clicks", texts.text("review-no-guess")]


def test_a_game_without_a_guess() -> None:
    clean = game("..*", [("open", (0, 0))], no_guess=True)
    text = mineproof("review", stdin=clean.save()).text
    assert texts.text("review-no-guess") in text
    assert review(clean).notes[0] in " ".join(text.split())
    assert "move  " not in text


def test_fair_play_is_told() -> None:
    rescued = game("*.../....", [("open", (0, 3)), ("open", (0, 0))], fairness="forced")
    text = mineproof("review", stdin=rescued.save()).text
    assert texts.text("cli-review-redraws", 1) in text
    assert texts.text("review-guesses-rescued", 1) in text
    assert "survived, mines moved" in text
    assert "Fair play (forced) was on." in text


@pytest.mark.parametrize("columns", [10, 20, 33, 40, 60, 71, 72, 80, 200])
@pytest.mark.parametrize("played", [WON, game("*.../....", LOST, fairness="kind")], ids=["won", "lost"])
def test_never_wider_than_the_terminal(played: Game, columns: int) -> None:
    done = mineproof("review", stdin=played.save(), columns=columns)
    assert done.status == 0
    assert [line for line in done.lines if len(line) > columns] == []


def test_colours(saved: str) -> None:
    plain = mineproof("review", saved).text
    assert "\x1b[" not in plain
    colored = mineproof("review", saved, "--color", "always").text
    assert "\x1b[" in colored
    assert re.sub(r"\x1b\[[0-9;]*m", "", colored) == plain


# a replay besides


def test_a_replay_is_written(tmp_path: Path, saved: str) -> None:
    path = tmp_path / "out.rawvf"
    done = mineproof("review", saved, "--rawvf", str(path), "--json")
    assert (done.status, done.json()["status"]) == (0, "won")
    again = Game.replay(rawvf_replay.read_record(path.read_text("ascii")))
    assert (again.board, again.ms) == (WON.board, WON.ms)
    assert mineproof("convert", str(path), "--to", "layout").lines == ["*...", "...."]


def test_no_replay_of_a_game_that_is_on(tmp_path: Path) -> None:
    path = tmp_path / "out.rawvf"
    running = game("*.../....", [("open", (0, 3))])
    done = mineproof("review", "--rawvf", str(path), stdin=running.save())
    assert (done.status, done.text) == (2, "")
    assert "The game is not over" in done.err
    assert not path.exists()


# how it ends


@pytest.mark.parametrize(
    ("status", "text", "words"),
    [
        (3, "1#/##", "standard input: expected a saved game in JSON or a replay (AVF, EVF, MVF, RMV, RAWVF)"),
        (3, "", "expected a saved game"),
        (3, '{"schema": "mineproof/board/1"}', "mineproof/board/1"),
        (3, WON.save().replace('"open",1,0', '"chord",1,0'), "illegal move"),
        (3, "Width: 3\nBoard:\n00\nEvents:\n", "standard input: line 1: expected 3 on the board as Width says, got 2"),
    ],
)
def test_what_cannot_be_read(status: int, text: str, words: str) -> None:
    done = mineproof("review", stdin=text)
    assert (done.status, done.text) == (status, "")
    assert words in done.err
    assert mineproof("review", "--json", stdin=text).error()["schema"] == "mineproof/error/1"


def test_other_ends(tmp_path: Path, saved: str) -> None:
    missing = mineproof("review", str(tmp_path / "nowhere.json"))
    assert (missing.status, missing.text) == (2, "")
    assert "nowhere.json" in missing.err
    assert mineproof("review", saved, "--states", "0").status == 2
    assert mineproof("review", saved, "--budget", "1e-9").status == 5


def test_several_games_are_reviewed_one_after_the_other(tmp_path: Path) -> None:
    for name, cell in (("lost", (0, 0)), ("won", (0, 3))):
        game = Game(Layout(1, 4, frozenset([(0, 0)])), first_click="any")
        game.open(*cell)
        (tmp_path / name).write_text(game.save())
    done = mineproof("review", str(tmp_path / "lost"), str(tmp_path / "nowhere"), str(tmp_path / "won"), "--json")
    assert done.status == 2
    first, last = map(json.loads, done.text.splitlines())
    assert (first["status"], last["status"]) == ("lost", "won")
    assert [each["source"] for each in (first, last)] == [str(tmp_path / "lost"), str(tmp_path / "won")]
    assert done.error()["schema"] == "mineproof/error/1"
    refused = mineproof("review", str(tmp_path / "lost"), str(tmp_path / "won"), "--rawvf", str(tmp_path / "out"))
    assert (refused.status, "--rawvf needs a single game" in refused.err) == (2, True)
