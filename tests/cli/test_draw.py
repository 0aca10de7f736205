"""``mineproof draw``."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

import mineproof as mp
from support.command import mineproof
from support.recordings import avf, small
from support.texts import text

BOARD = ["#####/123##/###3#", "--mines", "6"]


def test_svg_goes_to_standard_output() -> None:
    done = mineproof("draw", *BOARD, "--odds")
    assert (done.status, done.out) == (0, mp.draw(mp.Board.parse(BOARD[0], total_mines=6), odds=True).svg.encode())


def test_files_by_their_names(tmp_path: Path) -> None:
    for name in ("a.svg", "a.png"):
        assert mineproof("draw", *BOARD, "--best", "--theme", "dark", "-o", str(tmp_path / name)).status == 0
    picture = mp.draw(mp.Board.parse(BOARD[0], total_mines=6), best=True, theme="dark")
    assert (tmp_path / "a.svg").read_text("utf-8") == picture.svg
    assert (tmp_path / "a.png").read_bytes() == picture.png(2)
    again = mineproof("draw", *BOARD, "-o", str(tmp_path / "a.svg"))
    assert again.status == 2
    assert "already exists. Use --force to replace it" in again.err


def test_json_has_the_picture() -> None:
    done = mineproof("draw", *BOARD, "--hint", "--json", "--no-legend", "--no-coordinates")
    board = mp.Board.parse(BOARD[0], total_mines=6)
    expected = mp.draw(board, hint=True, legend=False, coordinates=False).as_json()
    assert json.loads(done.out) == expected
    many = mineproof("draw", "1#/##", "11/##", "--json")
    assert [json.loads(line)["schema"] for line in many.out.splitlines()] == ["mineproof/picture/1"] * 2


def test_games_and_reviews(tmp_path: Path) -> None:
    replay, saved = tmp_path / "game.avf", tmp_path / "game.json"
    replay.write_bytes(avf(small()))
    record = mp.read_replay(replay)
    saved.write_text(mp.Game.replay(record).save(), "utf-8")
    for path in (replay, saved):
        assert mineproof("draw", str(path)).out == mp.draw(record).svg.encode()
        done = mineproof("draw", str(path), "--review", "--theme", "dark")
        assert done.out == mp.draw(mp.review(record), theme="dark").svg.encode()
    assert mineproof("draw", "-", "--review", stdin=replay.read_bytes()).out == mp.draw(mp.review(record)).svg.encode()
    running = mp.Game(mp.Layout(2, 4, frozenset([(0, 0)])), first_click="any")
    running.open(0, 3)
    saved.write_text(running.save(), "utf-8")
    assert mineproof("draw", str(saved), "--odds").out == mp.draw(running.board, odds=True).svg.encode()
    board = tmp_path / "board.json"
    board.write_bytes(mineproof("analyze", "1#/##", "--mines", "1", "--json").out)
    assert mineproof("draw", str(board)).out == mp.draw(mp.Board.parse("1#/##", total_mines=1)).svg.encode()


def test_what_is_wrong_with_a_game_is_told(tmp_path: Path) -> None:
    (tmp_path / "cut.avf").write_bytes(avf(small())[:100])
    done = mineproof("draw", str(tmp_path / "cut.avf"))
    assert done.status == 3
    assert "cut.avf: offset " in done.err
    (tmp_path / "game.avf").write_bytes(avf(small()))
    done = mineproof("draw", str(tmp_path / "game.avf"), "--odds")
    assert done.status == 2
    assert "odds, hints and best moves need a position, got a game that is over" in done.err
    (tmp_path / "board.txt").write_text("1#/##", "utf-8")
    done = mineproof("draw", str(tmp_path / "board.txt"), "--review")
    assert done.status == 3
    assert "expected a saved game" in done.err


def test_odds_without_a_total_are_explained() -> None:
    done = mineproof("draw", "1#/##", "--odds")
    told = text("cli-draw-total-unknown")
    assert (done.status, told in " ".join(done.err.split())) == (0, True)
    assert "The odds depend on the number of mines" in " ".join(done.text.split())
    for option in (("--mines", "1"), ("--density", "20%")):
        done = mineproof("draw", "1#/##", "--odds", *option)
        assert (done.err, "The odds depend" in done.text, ">33<" in done.text) == ("", False, True)


def test_what_is_wrong_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = {
        ("1#/##", "-o", "a.jpg"): "-o must end with .svg or .png",
        ("1#/##", "11/##"): "A picture shows a single board, got 2 boards",
        ("1#/##", "--scale", "99"): "--scale must be a number above 0 and at most 16, got 99",
        ("3#", "--odds"): "the 3 at (0,0) has room for only 1 mine",
        ("1#/##", "--best"): "--best needs --mines N",
    }
    for arguments, words in wrong.items():
        done = mineproof("draw", *arguments)
        assert done.status in (2, 3, 4), arguments
        assert words in done.err, arguments
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    done = mineproof("draw", *BOARD, "-o", str(tmp_path / "a.png"))
    assert done.status == 2
    assert "pip install 'mineproof[image]'" in done.err
