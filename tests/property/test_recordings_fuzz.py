"""Recordings under any bytes: a game or an error of ours, and what is written is read back."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mineproof as mp
from mineproof import formats
from mineproof.errors import BoardSyntaxError
from mineproof.game.game import Game
from mineproof.recordings.readers import READERS
from mineproof.recordings.recording import CODES
from mineproof.replays.reading import read_game
from mineproof.replays.recorded import replay_of
from mineproof.replays.writing import WRITERS as PRODUCT
from mineproof.replays.writing import write_replay
from support.recordings import OLD_MVF, WRITERS, Act, Tape, rmv, small

FILES = {name: write(small()) for name, write in (WRITERS | OLD_MVF).items()}
SIDES = st.integers(1, 6)


def read_or_refuse(data: bytes, name: str) -> None:
    """Whatever comes out is a game that can be played again, or our error."""
    try:
        replay = read_game(data, f"game.{name}")
    except BoardSyntaxError:
        return
    game = Game.replay(replay.record)
    assert game.status == replay.record.status
    assert replay.player.isprintable()


@pytest.mark.slow
@settings(max_examples=400)
@given(draw=st.data(), name=st.sampled_from(sorted(FILES)))
def test_damaged_files_are_a_game_or_refused(draw: st.DataObject, name: str) -> None:
    data = FILES[name]
    for _ in range(draw.draw(st.integers(1, 4))):
        at, length = draw.draw(st.integers(0, len(data))), draw.draw(st.integers(0, 4))
        data = data[:at] + draw.draw(st.binary(max_size=4)) + data[at + length :]
    read_or_refuse(data, name[:3])
    read_or_refuse(data, "")


@settings(max_examples=200)
@given(st.binary(max_size=300), st.sampled_from(sorted(READERS)))
def test_any_bytes_are_a_recording_or_refused(data: bytes, name: str) -> None:
    heads = {"rmv": b"*rmv\0\x01", "mvf": b"\x11Minesweeper Clone\x092004-2007", "evf": b"\x04", "avf": b"\x34"}
    for given_bytes in (data, heads[name] + data):
        with suppress(BoardSyntaxError):
            replay_of(READERS[name].read(given_bytes))
        read_or_refuse(given_bytes, "")


@pytest.mark.slow
def test_bytes_changed_one_by_one() -> None:
    """Every third byte of every file, each by a bit."""
    for number, (name, data) in enumerate(FILES.items()):
        for at in range(number % 3, len(data), 3):
            read_or_refuse(data[:at] + bytes([data[at] ^ (1 << at % 8)]) + data[at + 1 :], name[:3])


@st.composite
def tapes(draw: st.DrawFn) -> Tape:
    rows, columns = draw(SIDES), draw(SIDES)
    cells = [(row, column) for row in range(rows) for column in range(columns)]
    mines = draw(st.frozensets(st.sampled_from(cells), max_size=len(cells) - 1))
    kinds = st.sampled_from([kind for kind in CODES if kind not in ("sc", "pf")])
    places = st.tuples(st.integers(-9, columns * 16 + 9), st.integers(-9, rows * 16 + 9))
    steps = draw(st.lists(st.tuples(kinds, st.integers(0, 99), places), max_size=30))
    row, column = next(cell for cell in cells if cell not in mines)
    acts, ms = [Act(what, 0, column * 16 + 1, row * 16 + 1) for what in ("lc", "lr")], 0
    for what, step, (x, y) in steps:
        ms += 10 * step
        acts.append(Act(what, ms, x, y))
    return Tape(mp.Layout(rows, columns, mines), tuple(acts), marks=draw(st.booleans()))


@pytest.mark.slow
@settings(max_examples=150)
@given(tapes())
def test_whatever_a_mouse_did_is_written_and_read_back(tape: Tape) -> None:
    """From RMV, which has every place and every button, to both formats that are written."""
    plain = replace(tape, acts=tuple(act for act in tape.acts if len(act.what) == 2 and act.what != "cc"))
    replay = read_game(rmv(plain, 2, ends=17))
    for name in PRODUCT if replay.record.over else ():
        written = write_replay(replay, name)
        data = written if isinstance(written, bytes) else written.encode()
        found = read_game(data).record
        game, again = Game.replay(replay.record), Game.replay(found)
        assert (again.status, again.board, again.layout.mines) == (game.status, game.board, game.layout.mines)
        assert formats.read(data).value == replay.record.layout
