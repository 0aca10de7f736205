"""Files: what is read has a limit, and what fails names its file."""

from __future__ import annotations

import io
import os
import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from mineproof.base import files
from mineproof.errors import BoardSyntaxError
from support.patience import PATIENCE

DEVICES = [Path(name) for name in ("/dev/zero", "/dev/full", "/dev/random", "/dev/null") if Path(name).exists()]


@contextmanager
def endless(path: Path) -> Iterator[None]:
    """A pipe at a path, with a thread that writes into it as long as it is read."""
    os.mkfifo(path)

    def write() -> None:
        with suppress(BrokenPipeError), path.open("wb") as pipe:
            while True:
                pipe.write(b"1#\n" * 4096)

    writer = threading.Thread(target=write)
    writer.start()
    yield
    writer.join(timeout=PATIENCE)
    assert not writer.is_alive(), "the reader has stopped"


def test_a_file_is_read_up_to_its_limit(tmp_path: Path) -> None:
    path = tmp_path / "board"
    path.write_bytes(b"1#\n##")
    assert files.read(path) == b"1#\n##"
    assert files.read(path, most=5) == b"1#\n##"
    with pytest.raises(BoardSyntaxError, match=r"^expected at most 4 bytes, got more: ") as caught:
        files.read(path, most=4)
    assert caught.value.source == str(path)


def test_no_more_is_taken_from_a_stream_than_is_needed_to_refuse_it() -> None:
    stream = io.BytesIO(bytes(100))
    with pytest.raises(BoardSyntaxError) as caught:
        files.read_stream(stream, "standard input", most=10)
    assert (stream.tell(), caught.value.source) == (11, "standard input")


def test_an_endless_pipe_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    with endless(path), pytest.raises(BoardSyntaxError, match="expected at most 64 MiB, got more"):
        files.read(path)


def test_the_limit_is_above_the_widest_text_of_a_million_cells() -> None:
    row = len("cvkbw | 1 |\r\n".encode("utf-16-le"))  # a row of the Go simulator with one cell
    mine = len("    [\n      999999,\n      0\n    ],\n")  # a mine of our JSON with an indent of 2
    assert 1_000_000 * max(row, mine) < files.MAX_BOARD_BYTES


@pytest.mark.parametrize("path", DEVICES, ids=str)
def test_a_device_is_refused(path: Path) -> None:
    for refuse in (files.read, files.require_file):
        with pytest.raises(OSError, match="expected a file, got a device") as caught:
            refuse(path)
        assert caught.value.filename == str(path)
    lock = path.with_name(f"{path.name}.lock")
    was_there = lock.exists()
    with pytest.raises(OSError, match="expected a file, got a device"), files.claim(path):
        pass
    assert lock.exists() == was_there


def test_a_folder_is_refused(tmp_path: Path) -> None:
    for refuse in (files.read, files.require_file):
        with pytest.raises(IsADirectoryError, match="expected a file, got a folder") as caught:
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
    assert [(file.name, file.read_bytes()) for file in tmp_path.iterdir()] == [("result.json", b"before")]


def test_what_is_written_piece_by_piece_replaces_a_file_only_when_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("old")
    with suppress(ZeroDivisionError), files.replacing(path) as file:
        file.write(b"half of it")
        raise ZeroDivisionError
    assert [entry.name for entry in tmp_path.iterdir()] == ["file"]
    with files.replacing(path) as file:
        file.write(b"new ")
        assert path.read_text() == "old"
        file.write(b"content")
    assert path.read_text() == "new content"
    assert [entry.name for entry in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize(("name", "told"), [("run", "run"), ("a b×", "a b×"), ("a\nb\x1b[1m", r"'a\nb\x1b[1m'")])
def test_a_name_in_a_message_moves_no_cursor(name: str, told: str) -> None:
    assert files.printable_name(Path(name)) == files.printable_name(name) == told


# temporary files


def test_a_planted_link_is_never_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither at the old fixed name nor at the random one, even if that is guessed."""
    precious = tmp_path / "precious"
    precious.write_bytes(b"precious")
    path = tmp_path / "out.svg"
    (tmp_path / "out.svg.new").symlink_to(precious)
    files.write(path, b"picture")
    assert (path.read_bytes(), path.is_symlink(), precious.read_bytes()) == (b"picture", False, b"precious")
    monkeypatch.setattr(secrets, "token_hex", lambda count: "0" * 2 * count)
    (tmp_path / f"out.svg.{'0' * 16}.new").symlink_to(precious)
    with pytest.raises(FileExistsError):
        files.write(path, b"other")
    assert (path.read_bytes(), precious.read_bytes()) == (b"picture", b"precious")


def test_temporary_names_are_random(tmp_path: Path) -> None:
    path, names = tmp_path / "file", set()
    for _ in range(3):
        with files.replacing(path) as file:
            file.write(b"x")
            [name] = {entry.name for entry in tmp_path.iterdir()} - {"file"}
            assert files.is_temporary(name)
            names.add(name)
    assert len(names) == 3


def test_a_name_of_any_length_can_be_replaced(tmp_path: Path) -> None:
    path = tmp_path / ("ü" * 120)  # 240 bytes of 255
    files.write(path, b"content")
    assert path.read_bytes() == b"content"


@pytest.mark.skipif(os.name == "nt", reason="permissions of POSIX")
def test_permissions(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        files.write(tmp_path / "new", b"")
        (tmp_path / "old").touch()
        (tmp_path / "old").chmod(0o666)
        files.write(tmp_path / "old", b"changed")
        files.write(tmp_path / "state" / "game", b"", private=True)
    finally:
        os.umask(before)
    modes = {name: (tmp_path / name).stat().st_mode & 0o777 for name in ("new", "old", "state", "state/game")}
    assert modes == {"new": 0o644, "old": 0o666, "state": 0o700, "state/game": 0o600}


def test_whoever_claims_a_file_removes_what_a_killed_process_left(tmp_path: Path) -> None:
    mine, other = f"game.json.{'a' * 16}.new", f"other.json.{'b' * 16}.new"
    for name in (mine, other, "game.json.new"):
        (tmp_path / name).touch()
    with files.claim(tmp_path / "game.json"):
        left = {path.name for path in tmp_path.iterdir()} - {"game.json.lock"}
    assert left == {other, "game.json.new"}
    files.remove_leftovers(tmp_path)
    assert not (tmp_path / other).exists()


# folders


def test_a_file_goes_into_a_folder_that_exists(tmp_path: Path) -> None:
    path = tmp_path / "nowhere" / "file"
    with pytest.raises(FileNotFoundError, match="folder not found; create it first") as caught:
        files.write(path, b"")
    assert caught.value.filename == str(tmp_path / "nowhere")
    assert not path.parent.exists()
    (tmp_path / "nowhere").touch()
    with pytest.raises(NotADirectoryError, match="expected a folder, got a file"):
        files.write(path, b"")


def test_a_folder_is_made_in_one_that_exists(tmp_path: Path) -> None:
    files.make_folder(tmp_path / "run")
    files.make_folder(tmp_path / "run")
    assert (tmp_path / "run").is_dir()
    with pytest.raises(FileNotFoundError, match="folder not found"):
        files.make_folder(tmp_path / "a" / "b")
    assert not (tmp_path / "a").exists()


def test_a_claimed_folder_in_which_nothing_was_begun_is_removed(tmp_path: Path) -> None:
    run = tmp_path / "run"
    with suppress(ZeroDivisionError), files.claim_folder(run, "plan.json"):
        raise ZeroDivisionError
    assert not run.exists()
    run.mkdir()
    with files.claim_folder(run, "plan.json"):
        pass
    assert run.is_dir(), "it was there before"
