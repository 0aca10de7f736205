"""Files: what is read has a limit, and what fails names its file."""

from __future__ import annotations

import io
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from mineproof.base import files
from mineproof.errors import BoardSyntaxError

DEVICES = [Path(name) for name in ("/dev/zero", "/dev/full", "/dev/random", "/dev/null") if Path(name).exists()]


@contextmanager
def endless(path: Path) -> Iterator[None]:
    """A pipe at a path that somebody writes into for as long as it is read."""
    os.mkfifo(path)

    def write() -> None:
        with suppress(BrokenPipeError), path.open("wb") as pipe:
            while True:
                pipe.write(b"1#\n" * 4096)

    writer = threading.Thread(target=write)
    writer.start()
    yield
    writer.join(timeout=20)
    assert not writer.is_alive(), "nobody reads any more"


def test_a_file_is_read_up_to_its_limit(tmp_path: Path) -> None:
    path = tmp_path / "board"
    path.write_bytes(b"1#\n##")
    assert files.read(path) == b"1#\n##"
    assert files.read(path, most=5) == b"1#\n##"
    with pytest.raises(BoardSyntaxError, match=r"^found more than 4 bytes, expected less: ") as caught:
        files.read(path, most=4)
    assert caught.value.source == str(path)


def test_no_more_is_taken_from_a_stream_than_is_needed_to_refuse_it() -> None:
    stream = io.BytesIO(bytes(100))
    with pytest.raises(BoardSyntaxError) as caught:
        files.read_stream(stream, "standard input", most=10)
    assert (stream.tell(), caught.value.source) == (11, "standard input")


def test_an_endless_pipe_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    with endless(path), pytest.raises(BoardSyntaxError, match="found more than 64 MiB, expected less"):
        files.read(path)


def test_the_limit_is_above_the_widest_text_of_a_million_cells() -> None:
    row = len("cvkbw | 1 |\r\n".encode("utf-16-le"))  # a row of the Go simulator with one cell
    mine = len("    [\n      999999,\n      0\n    ],\n")  # a mine of our JSON with an indent of 2
    assert 1_000_000 * max(row, mine) < files.LARGEST


@pytest.mark.parametrize("path", DEVICES, ids=str)
def test_a_device_is_refused(path: Path) -> None:
    for refuse in (files.read, files.require_file):
        with pytest.raises(OSError, match="found a device, expected a file") as caught:
            refuse(path)
        assert caught.value.filename == str(path)
    lock = path.with_name(f"{path.name}.lock")
    was_there = lock.exists()
    with pytest.raises(OSError, match="found a device, expected a file"), files.claim(path):
        pass
    assert lock.exists() == was_there


def test_a_folder_is_refused(tmp_path: Path) -> None:
    for refuse in (files.read, files.require_file):
        with pytest.raises(IsADirectoryError, match="found a folder, expected a file") as caught:
            refuse(tmp_path)
        assert caught.value.filename == str(tmp_path)


def test_a_write_that_fails_names_its_file_and_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "result.json"
    path.write_bytes(b"before")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left on device") as caught:
        files.write(path, b"after")
    assert (caught.value.filename, caught.value.filename2) == (str(path), None)
    assert [(each.name, each.read_bytes()) for each in tmp_path.iterdir()] == [("result.json", b"before")]


def test_what_is_written_piece_by_piece_replaces_a_file_only_when_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("old")
    with suppress(ZeroDivisionError), files.replacing(path) as file:
        file.write(b"half of it")
        raise ZeroDivisionError
    assert [each.name for each in tmp_path.iterdir()] == ["file"]
    with files.replacing(path) as file:
        file.write(b"new ")
        assert path.read_text() == "old"
        file.write(b"content")
    assert path.read_text() == "new content"
    assert [each.name for each in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize(("name", "told"), [("run", "run"), ("a b×", "a b×"), ("a\nb\x1b[1m", r"'a\nb\x1b[1m'")])
def test_a_name_in_a_message_moves_no_cursor(name: str, told: str) -> None:
    assert files.shown(Path(name)) == files.shown(name) == told
