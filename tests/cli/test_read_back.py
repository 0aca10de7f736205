"""What we write we read back: the JSON of every command is given to every command that takes a BOARD."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest

import mineproof as mp
from mineproof import formats
from support.command import Done, mineproof

POSITION = ["#####/123##/###3#", "--mines", "6"]
SEEN = mp.Board.parse("#####/123##/###3#", total_mines=6)
LAYOUT = "*../.../..*"

# Who writes what: the command, and whether it holds a position, a layout, both, or no board.
WRITERS: dict[str, tuple[list[str], str]] = {
    "analyze": (["analyze", *POSITION], "position"),
    "analyze --exact": (["analyze", *POSITION, "--exact"], "position"),
    "solve": (["solve", *POSITION], "position"),
    "solve --show bounds": (["solve", *POSITION, "--show", "bounds"], "nothing"),
    "solve --show matrix": (["solve", *POSITION, "--show", "matrix"], "nothing"),
    "hint": (["hint", *POSITION], "position"),
    "hint --level 1": (["hint", *POSITION, "--level", "1"], "position"),
    "best": (["best", *POSITION], "position"),
    "best SIZE": (["best", "--exact", "3x3x2"], "nothing"),
    "layouts": (["layouts", *POSITION], "position"),
    "layouts --count": (["layouts", *POSITION, "--count"], "position"),
    "watch": (["watch", "4x4x2", "--seed", "1"], "both"),
    "generate": (["generate", "4x4x2", "--seed", "1", "--start", "0,0"], "layout"),
    "generate --certificate": (["generate", "4x4x2", "--seed", "1", "--no-guess", "--certificate"], "layout"),
    "generate --count": (["generate", "4x4x2", "--seed", "1", "--count", "3"], "many"),
    "check": (["check", LAYOUT, "--start", "2,0"], "position"),
    "check --anywhere": (["check", LAYOUT, "--anywhere"], "nothing"),
    "convert, a position": (["convert", *POSITION], "position"),
    "convert, a layout": (["convert", LAYOUT, "--start", "2,0"], "layout"),
    "convert --list": (["convert", "--list"], "nothing"),
    "simulate": (["simulate", "4x4x2", "--games", "2"], "nothing"),
    "simulate --against": (["simulate", "4x4x2", "--games", "2", "--against", "strong"], "nothing"),
    "review": (["review"], "nothing"),
    "an error": (["analyze", "1w"], "nothing"),
}
READERS = {
    "analyze": "position", "solve": "position", "hint": "position", "best": "position", "layouts": "position",
    "check": "layout", "convert --to mineproof": "position", "convert --to mbf-hex": "layout",
    "convert --to json": "any",
}  # fmt: skip


@cache
def game(over: bool) -> mp.Game:
    """A game of 2 × 4 cells with a mine in the corner, a flag on it and a question mark beside it."""
    played = mp.Game(mp.Layout(2, 4, frozenset([(0, 0)])), first_click="any", clock=lambda: 0.0)
    played.open(0, 3)
    played.flag(0, 0)
    if over:
        played.open(1, 0)
    else:
        played.play("question", (1, 0))
    return played


@cache
def written(name: str) -> str:
    arguments, _ = WRITERS[name]
    stdin = game(over=True).save() if name == "review" else ""
    done = mineproof(*arguments, "--json", stdin=stdin)
    return (done.out or done.err.encode()).decode("utf-8")


def give(reader: str, text: str) -> Done:
    start = [] if not reader.startswith("check") or '"start"' in text else ["--start", "0,3"]
    return mineproof(*reader.split(), *start, stdin=text)


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("writer", WRITERS)
def test_every_pair(writer: str, reader: str) -> None:
    holds, wanted = WRITERS[writer][1], READERS[reader]
    done = give(reader, written(writer))
    if holds in (wanted, "both") or (wanted == "any" and holds in ("position", "layout")):
        assert done.status in (0, 1), done.err
        assert done.out
    else:
        assert (done.status, done.out) == (3, b"")
        expected = {
            "nothing": "expected a document that holds a board",
            "many": "expected one board in 3 lines, got 3 boards",
        }
        assert expected.get(holds, "") in done.err
    assert "Traceback" not in done.err


@pytest.mark.parametrize("writer", [name for name in WRITERS if name.startswith(("analyze", "solve", "hint", "best"))])
def test_the_board_is_the_one_that_was_asked_about(writer: str) -> None:
    if WRITERS[writer][1] == "position":
        assert formats.read(written(writer)).value == SEEN


def test_a_layout_comes_back_whole() -> None:
    made = mp.generate(4, 4, 2, seed=1, start=(0, 0))
    assert formats.read(written("generate")).value == made


def test_what_check_wrote_before_is_read() -> None:
    old = {"schema": "mineproof/check/1", "start": [0, 1], "board": ["4x1x2 torus", "#1#F"], "guess": None}
    expected = mp.Board.parse("#1#F", total_mines=2, topology="torus")
    assert formats.read(json.dumps(old)).value == expected
    now = old | {"board": ["#1#F"], "total_mines": 2, "topology": "torus"}
    assert formats.read(json.dumps(now)).value == expected


# games


def test_a_saved_game_is_what_its_player_sees(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text(game(over=False).save())
    read = formats.read(path.read_bytes())
    assert read.value == game(over=False).board
    assert "layout" not in repr(read)
    for command in ("analyze", "solve", "hint", "best", "layouts"):
        done = mineproof(command, str(path), "--json")
        assert done.status == 0, done.err
        assert json.loads(done.lines[0])["board"]["cells"] == ["F100", "#100"]


def test_no_command_on_positions_tells_the_mines_of_a_running_game() -> None:
    text = game(over=False).save()
    seen = mp.Game.load(text).board
    for command in ("analyze", "solve", "hint", "best", "layouts"):
        here, there = (mineproof(command, "--flags", "ignore", "--json", stdin=each).text for each in (text, str(seen)))
        assert here == there
    assert mineproof("convert", "--json", stdin=text).json()["schema"] == "mineproof/board/1"


@pytest.mark.parametrize("over", [False, True])
def test_where_a_layout_is_asked_for_it_is_the_one_behind_the_game(over: bool) -> None:
    text = game(over).save()
    done = mineproof("convert", "--to", "layout", stdin=text)
    assert (done.status, done.text) == (0, "*...\n....\n")
    assert done.err == f"mineproof: read as json: saved game, {'won' if over else 'running'}: its layout\n"
    found = mineproof("check", "--json", stdin=text).json()
    assert (found["start"], found["no_guess"]) == ([0, 3], False)


def test_the_mines_of_a_game_are_those_of_its_last_redraw() -> None:
    layout = mp.Layout(3, 3, frozenset([(0, 0), (2, 2)]))
    played = mp.Game(layout, first_click="safe", seed=5)
    played.open(0, 0)
    assert played.record().redraws, "the first click moves the mine that it hits"
    behind = formats.read(played.save()).layout
    assert behind is not None
    assert (behind.mines, behind.start) == (played.record().redraws[0], (0, 0))


@pytest.mark.parametrize("over", [False, True])
def test_the_view_of_a_game(over: bool) -> None:
    read = formats.read(json.dumps(game(over).as_json()))
    assert read.value == game(over).board
    assert (read.layout is not None) == over
    assert (mineproof("check", "--start", "0,3", stdin=json.dumps(game(over).as_json())).status == 3) == (not over)


def test_a_tampered_game_is_refused_in_words() -> None:
    text = game(over=True).save().replace('"won"', '"lost"')
    done = mineproof("analyze", stdin=text)
    assert (done.status, "expected 'won' in `status`" in done.err) == (3, True)
