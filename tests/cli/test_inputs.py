"""What is read: every command refuses what has no end, what is no file, and folders, in one sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from mineproof.base import files
from support.command import mineproof
from support.process import at_a_terminal

READERS = {
    "analyze": ["analyze"],
    "solve": ["solve"],
    "hint": ["hint"],
    "best": ["best"],
    "layouts": ["layouts"],
    "check": ["check"],
    "convert": ["convert", "--to", "json"],
    "review": ["review"],
}
ALL = pytest.mark.parametrize("command", READERS.values(), ids=READERS)


def words(text: str) -> str:
    return " ".join(text.split())


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of one byte more than is read."""
    path = tmp_path_factory.mktemp("large") / "large"
    with path.open("wb") as file:
        file.truncate(files.MAX_BOARD_BYTES + 1)
    return path


@ALL
def test_a_file_that_no_board_can_fill(command: list[str], large: Path) -> None:
    done = mineproof(*command, str(large))
    assert (done.status, done.text) == (3, "")
    assert f"{large}: expected at most 64 MiB, got more" in words(done.err)
    error = mineproof(*command, str(large), "--json").error()
    assert (error["code"], error["source"]) == ("syntax", str(large))


@ALL
def test_standard_input_that_does_not_end(command: list[str], large: Path) -> None:
    done = mineproof(*command, stdin=large.read_bytes())
    assert (done.status, done.text) == (3, "")
    assert "standard input: expected at most 64 MiB, got more" in words(done.err)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no /dev/zero here")
@ALL
def test_a_device(command: list[str]) -> None:
    done = mineproof(*command, "/dev/zero")
    assert (done.status, done.text, words(done.err)) == (
        2, "", "mineproof: /dev/zero: expected a file, got a device",
    )  # fmt: skip


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no /dev/zero here")
def test_a_device_in_place_of_other_files() -> None:
    done = mineproof("check", "*..", "--start", "0,2", "--certificate", "/dev/zero")
    assert (done.status, "/dev/zero: expected a file, got a device" in done.err) == (2, True)
    done = mineproof("simulate", "beginner", "--games", "1", "--against", "/dev/zero")
    assert (done.status, "or a file written by -o, got '/dev/zero'" in done.err) == (2, True)
    done = mineproof("simulate", "beginner", "--games", "1", "-o", "/dev/zero", "--resume")
    assert (done.status, "/dev/zero" in done.err) == (2, True)


@ALL
def test_a_folder(command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "FOLDER").mkdir()
    monkeypatch.chdir(tmp_path)
    for name in ("FOLDER", "./", "../", str(tmp_path)):
        done = mineproof(*command, name)
        assert (done.status, done.text) == (2, ""), name
        assert words(done.err) == f"mineproof: {Path(name)}: expected a file, got a folder"


def test_dots_are_boards_where_they_can_be() -> None:
    assert mineproof("check", "..", "--start", "0,0").status == 0
    assert mineproof("convert", ".", "--json").json()["columns"] == 1
    assert mineproof("layouts", "..", "--from", "mineproof", "--count").text == "1\n"


@pytest.mark.parametrize("command", ["analyze", "solve", "hint", "best", "layouts"])
def test_dots_are_a_folder_where_a_layout_is_not_wanted(command: str) -> None:
    done = mineproof(command, "..")
    assert (done.status, words(done.err)) == (2, "mineproof: ..: expected a file, got a folder")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_game_is_not_kept_in_a_device() -> None:
    pytest.importorskip("textual")
    shown = at_a_terminal("play", "--save", "/dev/full")
    assert (shown.status, words(shown.text)) == (2, "mineproof: /dev/full: expected a file, got a device")
