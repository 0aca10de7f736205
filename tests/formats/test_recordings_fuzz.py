"""Replays under any bytes: a game or an error of ours that says where, and what is written is read back.

``MINEPROOF_MUTATIONS=N`` damages N files of each format instead of sixty, and where the real replays are (see
`support.known_replays`) as many of these.
"""

from __future__ import annotations

import os
import re
import time
import tracemalloc
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mineproof as mp
from mineproof import formats
from mineproof.errors import BoardSyntaxError, IllegalMoveError
from mineproof.formats.rawvf import games as rawvf
from mineproof.formats.replays.reader import read_game
from mineproof.formats.replays.recording import CODES
from mineproof.formats.replays.writer import write_replay
from mineproof.formats.table import FORMATS, GAME_WRITERS, RECORDINGS
from mineproof.game.game import Game
from mineproof.history import exchange
from support.effort import examples
from support.known_replays import folder, known_replays
from support.mutations import mutated
from support.recordings import OLD_MVF, WRITERS, Act, Tape, rmv, small

pytestmark = pytest.mark.property

FILES = {name: write(small()) for name, write in (WRITERS | OLD_MVF).items()}
FILES["rawvf"] = rawvf.write_record(small().record).encode()
FILES["rawvf of freesweeper"] = FILES["rawvf"].replace(b"Events:\n", b"")
MUTATIONS = int(os.environ.get("MINEPROOF_MUTATIONS", "60"))
SECONDS = 1.0  # of the processor, for one file
PLACED = re.compile(r"offset (?P<offset>[0-9]+): |line (?P<line>[0-9]+)(?:, character [0-9]+)?: ")
# what is missing has no place; what is no text, or no JSON, has one in its words
UNPLACED = ("expected a saved game", "found no board", "found byte ", "JSON: ")
SIDES = st.integers(1, 6)


def read_or_refuse(data: bytes, name: str) -> bool:
    """Whatever comes out is a game that can be played again, kept and written, or our error with its place.

    Was it a game?
    """
    try:
        replay = read_game(data, f"game.{name}")
    except BoardSyntaxError as error:
        require_place(str(error), data)
        return False
    game = Game.replay(replay.record)
    assert game.status == replay.record.status
    assert replay.player.isprintable()
    assert [record for record, _ in exchange.read_games(data, f"game.{name}")] == [replay.record]
    for format_name in GAME_WRITERS:
        with suppress(BoardSyntaxError, IllegalMoveError):  # no room for it, or it is on
            written = write_replay(replay, format_name)
            record_value = read_game(written if isinstance(written, bytes) else written.encode()).record
            again = Game.replay(record_value)
            assert (again.status, again.board) == (game.status, game.board)
            # the clock of EVF starts with the first opening
            opened = next((move.ms for move in replay.record.moves if move.kind == "open"), 0)
            assert replay.record.ms in (record_value.ms, record_value.ms + opened)
    return True


def require_place(message: str, data: bytes) -> None:
    place = PLACED.match(message)
    if place is None:
        assert message.startswith(UNPLACED), message
    elif place["offset"] is not None:
        assert int(place["offset"]) <= len(data), message
    else:
        assert int(place["line"]) <= data.count(b"\n") + data.count(b"\r") + 1, message


def damage(data: bytes, name: str, seed: int) -> None:
    """Read a file so many times, each time with other damage."""
    rng, others = Random(f"{name} {seed}"), [*FILES.values()]
    for number in range(MUTATIONS):
        broken = mutated(data, others, rng)
        began = time.process_time()
        try:
            read_or_refuse(broken, name)
        except BaseException:
            Path("build").mkdir(exist_ok=True)
            Path(f"build/damaged-{name}-{seed}-{number}").write_bytes(broken)
            raise
        assert time.process_time() - began < SECONDS, (name, number)


@pytest.mark.parametrize("name", sorted(FILES))
def test_files_that_were_damaged_are_a_game_or_refused(name: str) -> None:
    damage(FILES[name], name.partition(" ")[0], seed=1)


@pytest.mark.skipif("MINEPROOF_MUTATIONS" not in os.environ, reason="MINEPROOF_MUTATIONS=N damages the real replays")
@pytest.mark.parametrize("name", [known["file"] for known in known_replays()])
def test_real_files_that_were_damaged_are_a_game_or_refused(name: str) -> None:
    damage((folder() / name).read_bytes(), name.rpartition(".")[2], seed=2)


@pytest.mark.parametrize("name", sorted(FILES))
def test_counts_that_lie_take_no_memory(name: str) -> None:
    """The largest number there is, in one, two and four bytes, all over a file; a board of 255 × 255 takes 30 MB."""
    data = FILES[name]
    tracemalloc.start()
    try:
        for at in range(0, len(data), 7):
            for length in (1, 2, 4):
                with suppress(BoardSyntaxError):
                    read_game(data[:at] + b"\xff" * length + data[at + length :], f"game.{name.partition(' ')[0]}")
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert most < 64 << 20


@pytest.mark.slow
@settings(max_examples=examples(150))
@given(draw=st.data(), name=st.sampled_from(sorted(FILES)))
def test_damaged_files_are_a_game_or_refused(draw: st.DataObject, name: str) -> None:
    data = FILES[name]
    for _ in range(draw.draw(st.integers(1, 4))):
        at, length = draw.draw(st.integers(0, len(data))), draw.draw(st.integers(0, 4))
        data = data[:at] + draw.draw(st.binary(max_size=4)) + data[at + length :]
    read_or_refuse(data, name.partition(" ")[0])
    read_or_refuse(data, "")


@settings(max_examples=examples(200))
@given(st.binary(max_size=300), st.sampled_from(RECORDINGS))
def test_any_bytes_are_a_recording_or_refused(data: bytes, name: str) -> None:
    heads = {"rmv": b"*rmv\0\x01", "mvf": b"\x11Minesweeper Clone\x092004-2007", "evf": b"\x04", "avf": b"\x34"}
    read = FORMATS[name].read_game
    assert read is not None
    for given_bytes in (data, heads[name] + data):
        with suppress(BoardSyntaxError):
            read(given_bytes)
        read_or_refuse(given_bytes, "")


@pytest.mark.slow
def test_bytes_changed_one_by_one() -> None:
    """Every ninth byte of every file, each by a bit."""
    for number, (name, data) in enumerate(FILES.items()):
        for at in range(number % 9, len(data), 9):
            read_or_refuse(data[:at] + bytes([data[at] ^ (1 << at % 8)]) + data[at + 1 :], name.partition(" ")[0])


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
@settings(max_examples=examples(150))
@given(tapes())
def test_whatever_a_mouse_did_is_written_and_read_back(tape: Tape) -> None:
    """From RMV, which has every place and every button, to both formats that are written."""
    plain = replace(tape, acts=tuple(act for act in tape.acts if len(act.what) == 2 and act.what != "cc"))
    replay = read_game(rmv(plain, 2, ends=17))
    for name in GAME_WRITERS if replay.record.over else ():
        written = write_replay(replay, name)
        data = written if isinstance(written, bytes) else written.encode()
        record = read_game(data).record
        game, again = Game.replay(replay.record), Game.replay(record)
        assert (again.status, again.board, again.layout.mines) == (game.status, game.board, game.layout.mines)
        assert formats.read(data).value == replay.record.layout
