"""``mineproof read``: the board of a picture on standard output, doubts on standard error, exit statuses."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import mineproof as mp
from mineproof.cli import main
from support.texts import text

ROWS = "000000/011100/02F211/03F###/03####/02####"


@pytest.fixture
def screen(tmp_path: Path) -> Path:
    path = tmp_path / "screen.png"
    mp.draw(ROWS, coordinates=False).save(path)
    return path


def run(*arguments: str, given: bytes | None = None) -> tuple[int, str, str]:
    done = CliRunner().invoke(main, list(arguments), input=given)
    return done.exit_code, done.stdout, done.stderr


@pytest.mark.slow
def test_the_board_is_printed_and_can_be_read_back(screen: Path) -> None:
    status, out, err = run("read", str(screen))
    assert status == 0
    assert mp.Board.parse(out) == mp.Board.parse(ROWS)
    assert text("cli-read-size", size="6 × 6") in err


@pytest.mark.slow
def test_standard_input_is_a_picture_too(screen: Path) -> None:
    status, out, _ = run("read", given=screen.read_bytes())
    assert (status, out.split()) == (0, ROWS.split("/"))


@pytest.mark.slow
def test_json_has_the_shape_of_the_contract(screen: Path) -> None:
    status, out, _ = run("read", str(screen), "--json")
    told = json.loads(out)
    assert status == 0
    assert told["schema"] == "mineproof/reading/1"
    assert {"rows", "columns", "cells", "total_mines", "confidence", "box"} <= told.keys()
    assert told["cells"] == ROWS.split("/")


@pytest.mark.slow
def test_a_picture_is_a_board_for_other_commands(screen: Path) -> None:
    status, out, _ = run("analyze", str(screen), "--json")
    assert status == 0
    assert json.loads(out)["rows"] == 6
    assert run("hint", str(screen))[0] == 0


@pytest.mark.slow
def test_a_file_is_not_written_over_unasked(screen: Path, tmp_path: Path) -> None:
    target = tmp_path / "game.txt"
    assert run("read", str(screen), "-o", str(target))[0] == 0
    assert mp.Board.parse(target.read_text()) == mp.Board.parse(ROWS)
    target.write_text("mine")
    assert run("read", str(screen), "-o", str(target))[0] == 2
    assert target.read_text() == "mine"
    assert run("read", str(screen), "-o", str(target), "--force")[0] == 0


@pytest.mark.parametrize("content", [b"", b"no picture", b"\x89PNG\r\n\x1a\n" + bytes(9)])
def test_what_is_no_picture_is_status_3(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "screen.png"
    path.write_bytes(content)
    status, out, err = run("read", str(path))
    assert (status, out) == (3, "")
    assert "screen.png" in err
    assert "expected PNG, JPEG, WebP, GIF or BMP" in err


def test_a_picture_without_a_board_is_status_3(tmp_path: Path) -> None:
    from PIL import Image

    path = tmp_path / "white.png"
    Image.new("RGB", (300, 200), "white").save(path)
    status, _, err = run("read", str(path), "--json")
    assert status == 3
    assert "no board in the picture" in json.loads(err)["message"]


@pytest.mark.slow
def test_nothing_is_asked_where_nobody_sits(screen: Path) -> None:
    assert run("read", str(screen), "--ask")[0] == 0


@pytest.mark.slow
def test_the_size_is_asked_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """One question about the top row, which does not belong to the board."""
    import dataclasses

    from mineproof.cli import read

    reading = mp.read_image(mp.draw(ROWS, coordinates=False).png(1))
    asked: list[str] = []

    def answer(question: str, **_: object) -> bool:
        asked.append(question)
        return False

    monkeypatch.setattr("click.confirm", answer)
    doubted = dataclasses.replace(reading, size_doubts=(mp.SizeDoubt("up", -1, 0.4),))
    settled = read._ask_about_size(doubted)
    assert asked[0] == "Is the top row part of the board?"
    assert len(settled.cells) == 5
    assert "uncertain size: Is the top row part of the board?" in read._notes(doubted)


@pytest.mark.slow
def test_ask_and_a_file_are_for_one_picture(screen: Path) -> None:
    assert run("read", str(screen), str(screen), "--ask")[0] == 2
    assert run("read", str(screen), str(screen), "-o", "x.txt")[0] == 2
    status, out, _ = run("read", str(screen), str(screen))
    assert status == 0
    assert out.count("02F211") == 2
