"""Recordings of other programs: every version of every format gives its game, and errors have an offset."""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import mineproof as mp
from mineproof import formats
from mineproof.errors import BoardSyntaxError
from mineproof.formats import evf as evf_format
from mineproof.formats import mvf as mvf_format
from mineproof.formats import rmv as rmv_format
from mineproof.formats.evf import games as evf_replay
from mineproof.formats.mvf import bit_order
from mineproof.formats.replays.reader import read_game, read_record
from mineproof.formats.replays.recording import name_of
from mineproof.formats.replays.writer import write_replay
from mineproof.history import exchange
from mineproof.version import VERSION
from support import recordings
from support.known_replays import Known, differences, known_replays
from support.recordings import OLD_MVF, WRITERS, Act, Tape, avf, evf, mvf, rmv, small, tape, with_cc
from support.texts import text
from support.toollib import their_game

ALL = WRITERS | OLD_MVF


def summary(record: mp.Record) -> tuple[Any, ...]:
    return record.layout, record.moves, record.status, record.ms, record.clicks


def fault_in(data: bytes, name: str = "") -> BoardSyntaxError:
    with pytest.raises(BoardSyntaxError) as caught:
        read_game(data, name)
    return caught.value


# the same game in every format


@pytest.mark.parametrize("name", ALL)
def test_a_game_is_the_same_in_every_format(name: str) -> None:
    replay = read_game(ALL[name](small()))
    assert summary(replay.record) == summary(small().record)
    assert (replay.format, replay.record.status) == (name[:3], "won")
    assert [move.kind for move in replay.record.moves] == ["open", "flag", "flag", "chord"]
    assert replay.record.clicks == (1, 2, 1)
    assert replay.notes == ()
    if name != "mvf 0.75":
        assert replay.player == "Ann"


@pytest.mark.slow
@pytest.mark.parametrize("number", range(6))
def test_careless_games_are_the_same_in_every_format(number: int) -> None:
    """Wrong flags, clicks without effect, chords of every kind, places outside the board."""
    played = tape(number)
    level = (played.layout.rows, played.layout.columns, played.layout.total_mines)
    old = OLD_MVF if level in ((8, 8, 10), (16, 16, 40), (16, 30, 99)) and played.last_ms < 255_000 else {}
    for name, write in (WRITERS | old).items():
        assert summary(read_record(write(played))) == summary(played.record), name


@pytest.mark.parametrize("side", [20, 33, 54])
def test_cells_may_have_any_size(side: int) -> None:
    played = tape(0, side)
    for data in (rmv(played, 2), evf(played, 3), evf(played, 4)):
        assert summary(read_record(data)) == summary(played.record)


@pytest.mark.parametrize("number", range(4))
def test_the_second_of_two_buttons_may_be_an_event_of_its_own(number: int) -> None:
    played = with_cc(tape(number))
    assert any(act.what == "cc" for act in played.acts)
    data = evf(played, 3, summary=0)
    assert summary(read_record(data)) == summary(tape(number).record)


def test_buttons_may_be_told_by_their_changes() -> None:
    acts = tuple(act._replace(what=act.what[0] if act.what != "mv" else "mv") for act in small().acts)
    for version in (3, 4):
        data = evf(replace(small(), acts=acts), version, summary=0x80)
        assert summary(read_record(data)) == summary(small().record)


def test_the_clock_starts_with_the_first_opening() -> None:
    """Metasweeper counts from the first press, and flags may come before."""
    acts = [Act("rc", 0, 100, 5), Act("rr", 50, 100, 5), Act("lc", 300, 5, 50), Act("lr", 400, 5, 50)]
    later = [act._replace(ms=act.ms + 400) for act in small().acts[5:]]
    for version in (3, 4):
        record = read_record(evf(replace(small(), acts=(*acts, *later), ms=1100), version, summary=0x80))
        assert [(move.kind, move.ms) for move in record.moves] == [
            ("flag", 0), ("open", 0), ("flag", 910), ("chord", 1100),
        ]  # fmt: skip
        assert (record.ms, record.clicks) == (1100, (1, 2, 1))


def test_a_first_release_that_comes_late_is_the_start_in_mvf_too() -> None:
    acts = (small().acts[0], *(act._replace(ms=act.ms + 10) for act in small().acts[1:]))
    replay = read_game(mvf(replace(small(), acts=acts)))
    assert (replay.record.ms, replay.notes) == (1100, ())


def test_question_marks() -> None:
    right = [Act("rc", 200, 100, 5), Act("rr", 200, 100, 5)]
    acts = (*small().acts[:2], *right * 4)
    changed = replace(small(), acts=acts, marks=True)
    plain = replace(changed, marks=False)
    for name in ("avf", "mvf 0.97", "mvf 2007", "mvf 0.96", "rmv 1", "rmv 2"):
        kinds = [[move.kind for move in read_record(ALL[name](item)).moves] for item in (changed, plain)]
        assert kinds == [["open", "flag", "question", "question", "flag"], ["open", *["flag"] * 4]], name


def test_flags_before_the_start_of_rmv() -> None:
    flagged = [(0, 6), (1, 7)]
    acts = (*small().acts[:2], *small().acts[8:])
    for version in (1, 2):
        record = read_record(rmv(replace(small(), acts=acts), version, preflags=flagged, ends=16))
        assert [move.kind for move in record.moves] == ["flag", "flag", "open", "chord"]
        assert (record.clicks, record.status) == ((1, 2, 1), "won")


def test_a_middle_button_and_the_others_do_not_hinder_each_other_in_recordings() -> None:
    middle = [Act("mc", 20, 5, 50), Act("mr", 30, 5, 50)]
    acts = (Act("lc", 0, 5, 50), *middle, Act("lr", 40, 5, 50))
    record = read_record(avf(replace(small(), acts=acts, ms=40)))
    assert ([move.kind for move in record.moves], record.clicks) == (["open"], (1, 0, 0))


# what a file tells besides


def test_who_played_and_when() -> None:
    assert read_game(avf(small())).played == datetime(2021, 4, 6, 12, 39, 2)
    assert read_game(mvf(small())).played == datetime(2013, 5, 22, 15, 12, 19)
    assert read_game(rmv(small())).played == datetime.fromtimestamp(1_355_000_000, UTC)
    assert {read_game(evf(small(), version)).played for version in range(5)} == {
        datetime.fromtimestamp(1_600_000_000, UTC)
    }
    assert read_game(avf(small())).program == "Minesweeper Arbiter 0.52.3"
    assert read_game(rmv(small())).program == "Vienna Minesweeper - Release 3.0"
    assert read_game(mvf(small())).program == "Minesweeper Clone version 0.97 beta"


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("王五".encode(), "王五"),
        ("王五".encode("gb18030"), "王五"),
        (b"Andr\xe9", "André"),
        (b"\x81\x8d\xff", "��ÿ"),
        (b"a\x07b\r\n", "a b"),
        (b"[0|x]", "[0|x]"),
        (b"", ""),
    ],
)
def test_names_in_any_encoding(written: bytes, shown: str) -> None:
    assert name_of(written) == shown
    for name in ("avf", "mvf 0.97", "mvf 2006", "rmv 1", "evf 3"):
        expected = "Nick" if not written and name == "rmv 1" else shown
        assert read_game(WRITERS[name](small(written))).player == expected, name


def test_names_that_are_promised_to_be_utf_8() -> None:
    wrong = b"Andr\xe9!"
    for name in ("evf 4", "rmv 2"):
        assert read_game(WRITERS[name](small("王五".encode()))).player == "王五"
        data = WRITERS[name](small(wrong))
        text = str(fault_in(data))
        assert text.startswith(f"offset {data.index(wrong) + 4}: expected UTF-8 in ")
        assert text.endswith(", got e9")
    transcoded = evf(small(b"Andr\xe9"), 4, summary=0x88)
    assert read_game(transcoded).player == "André"


def test_a_program_may_give_itself_a_name() -> None:
    further = b"\0\x01\x0aclone_name\x05Miner"
    assert read_game(rmv(small(), 2, further=further, program=0)).program == "Miner"
    assert read_game(rmv(small(), 2, further=further)).program == "Vienna Minesweeper - Release 3.0"
    assert "for 2 further properties" in str(fault_in(rmv(small(), 2, further=b"\0\x02")))


def test_a_secret_is_not_read() -> None:
    assert "secret" not in repr(read_game(rmv(small())))


@pytest.mark.parametrize("name", ["avf", "mvf 0.97", "mvf 2006", "rmv 1", "evf 3", "evf 4"])
def test_a_stated_time_is_not_believed(name: str) -> None:
    replay = read_game(WRITERS[name](replace(small(), ms=14_520)))
    assert replay.record.ms == 1100
    (note,) = replay.notes
    assert note.startswith("the file states a time of 14.520 s, but")


@pytest.mark.parametrize("name", ["avf", "mvf 0.97", "rmv 2", "evf 0", "evf 4"])
def test_a_stated_3bv_is_not_believed(name: str) -> None:
    (note,) = read_game(WRITERS[name](replace(small(), bbbv=99))).notes
    assert note == text("replay-bbbv", stated=99, actual=2)


def test_a_stated_3bv_of_the_first_rmv() -> None:
    for stated, notes in ((2, 0), (0, 0), (99, 1)):
        assert len(read_game(rmv(small(), result=f"\nNAME:Ann#3BV:{stated}#NF:0#\n".encode())).notes) == notes


def test_a_stated_level_is_not_believed() -> None:
    words = (text("replay-level", stated="intermediate", actual="8 × 8, 10 mines"),)
    lies = [patched(MVF, MVF_BODY + 7, 2), patched(RMV, RMV.index(RMV_PROPERTIES) + 3, 1)]
    for data in lies:
        assert read_game(data).notes == words
    for version in (1, 2):
        assert [read_game(rmv(small(), version, level=level)).notes for level in (0, 3)] == [(), ()]
    old = avf(small(), 44, sums=False)
    assert read_game(old.replace(b"[0|", b"[1|")).notes == words


@pytest.mark.parametrize(
    ("place", "number", "actual"),
    [(2, "solved-bbbv", 2), (4, "left-clicks", 1), (6, "double-clicks", 1), (8, "right-clicks", 2)],
)
def test_stated_counts_are_not_believed(place: int, number: str, actual: int) -> None:
    notes = read_game(patched(MVF, MVF_BODY + 12 + place, b"\0\x07")).notes
    assert notes == (text(f"replay-{number}", stated=7, actual=actual),)


def test_events_decide_whether_a_game_was_completed() -> None:
    (note,) = read_game(evf(small(), 4, summary=0)).notes
    assert note == text("replay-not-completed")


def test_partly_unknown_rules_have_a_note() -> None:
    (note,) = read_game(evf(small(), 4, mode=4)).notes
    assert note == text("replay-rules-unknown", mode="'Windows 7'")


@pytest.mark.parametrize("year", [0, 1, 1601, 1969, 9999, 65535])
def test_years_that_clocks_cannot_tell_are_left_out(year: int) -> None:
    data = patched(MVF, MVF_BODY + 2, year.to_bytes(2, "big"))
    replay = read_game(data)
    assert replay.played is None
    assert read_game(bytes(write_replay(replay, "evf"))).played is None  # type: ignore[arg-type]
    [(_, about)] = exchange.read_games(data)
    assert about.when is None
    for seconds in (253_402_300_799, 300_000_000_000, 18_446_744_073_709):  # the end of 9999, later, the most
        late = patched(EVF4, EVF4.index(b"CN") + 2, (1_000_000 * seconds).to_bytes(8, "big"))
        assert read_game(late).played is None


def test_an_end_that_is_not_reached_is_a_fault() -> None:
    running = replace(small(), acts=small().acts[:2])
    won = "expected a game won, but after its events it is not over"
    assert str(fault_in(evf(running, 4, summary=0x80))) == f"offset 1: {won}"
    data = rmv(running, ends=16)
    assert str(fault_in(data)) == f"offset {len(data) - 18 - 9}: {won}"
    assert "expected a game lost, but after its events it is won" in str(fault_in(rmv(small(), ends=15)))
    assert read_record(rmv(running, ends=17)).status == "running"


def test_cells_that_were_opened_must_be_open() -> None:
    assert "expected (0,0) to be covered at the end, but after its events it is not" in str(
        fault_in(rmv(small(), opened=False))
    )
    place = RMV.index(b"\x12\0\0")
    assert str(fault_in(patched(RMV, place, 0x13))) == (f"offset {place}: expected a 0 at (0,0), got an opened 1")
    mine = patched(RMV, place + 1, b"\x06\0")
    assert str(fault_in(mine)) == f"offset {place}: expected a mine at (0,6), got an opened 0"
    outside = patched(RMV, place + 1, b"\x08\0")
    assert str(fault_in(outside)) == f"offset {place + 1}: expected a cell inside 8 × 8, got (0,8)"


def test_what_comes_after_an_end_by_decree_does_not_count() -> None:
    """A game that was restarted, or broke off by an error, goes no further."""
    begin = EVF4.index(b"\0\x01nng\0") + 6
    opened = begin + 2 * 6
    for code, status in ((81, "running"), (83, "running"), (99, "running")):
        data = patched(EVF4, 1, 0)
        record = read_record(data[:opened] + bytes([code, 0]) + data[opened:])
        assert (record.status, len(record.moves)) == (status, 1), code
    data = EVF4[:opened] + bytes([82, 0]) + EVF4[opened:]
    words = "expected a game won, but after its events it is not over"
    assert str(fault_in(patched(data, 1, 0))) == f"offset {opened}: {words}"


def test_other_events_of_version_4_are_passed_over() -> None:
    """Cells, metrics, pauses: their times count."""
    begin = EVF4.index(b"\0\x01nng\0") + 6
    other = bytes([100, 3, 0, 0]) + bytes([200, 4, 0x27, 0x10]) + bytes(8) + bytes([201, 5, 0x27, 0x10]) + b"text\0"
    pause = bytes([255, 1, 0])
    events = evf_format.read(EVF4[:begin] + other + pause + EVF4[begin:]).events
    plain = evf_format.read(EVF4).events
    assert (events.ms - plain.ms).tolist() == [3 + 4 + 5 + 256] * len(plain)
    assert (events.x.tolist(), events.y.tolist()) == (plain.x.tolist(), plain.y.tolist())


def test_times_of_version_4_have_a_bound() -> None:
    begin = EVF4.index(b"\0\x01nng\0") + 6
    data = EVF4[:begin] + b"\xff\xff\xff" * 65_538 + EVF4[begin:]
    assert str(fault_in(data)) == f"offset {begin + 3 * 65_537}: expected a time below 2**32 ms, got 4295032830 ms"


@pytest.mark.parametrize("mode", [11, 13, 16, 65535])
def test_rules_that_are_not_known_are_refused_and_the_layout_is_read(mode: int) -> None:
    data = evf(small(), 4, mode=mode)
    assert str(fault_in(data)).startswith("offset 8: Cannot replay mode ")
    assert "its rules are unknown" in str(fault_in(data))
    assert formats.read(data).value == replace(small().layout, no_guess=mode == 16)


def test_where_mines_move_it_is_told() -> None:
    (note,) = read_game(evf(small(), 4, mode=10)).notes
    assert note.startswith("mines move in mode 'weak guessable': only their last places are known")


def test_boards_without_a_guess_say_so() -> None:
    assert [read_record(evf(small(), 3, mode=mode)).layout.no_guess for mode in (0, 4, 5, 8, 10)] == [
        False, False, True, False, False,
    ]  # fmt: skip
    assert read_record(rmv(small(), 2, mode=5)).layout.no_guess


def test_version_0_with_the_body_of_version_2() -> None:
    assert summary(read_record(evf(small(), 0, device=True))) == summary(small().record)


# known bytes


def test_how_bits_are_scattered() -> None:
    assert recordings.digits(0xDDBE, 5) == "0340782620344987807234366450751578936573"
    assert recordings.digits(0xBD01, 6) == "224830447178234693214962096669339199477139204109"
    for key, length in ((0xDDBE, 5), (0xBD01, 6), (0, 5), (65535, 6)):
        places = bit_order(key, length).tolist()
        digits = recordings.digits(key, length)
        assert sorted(places) == list(range(8 * length))
        assert "".join(digits[place] for place in places) == "".join(sorted(digits))


def test_a_record_of_097() -> None:
    """A press at 0 ms at (234, 38), then nothing down at 10 ms at (217, 59)."""
    data = mvf(replace(small(), acts=(Act("lc", 0, 0, 0), Act("lr", 10, 0, 0)), ms=10))
    given = bytes.fromhex("0432284a0c 44296a2a04")
    events = mvf_format.read(data[:-42] + given + data[-32:]).events
    assert [column.tolist() for column in (events.ms, events.x, events.y)] == [
        [0, 10, 10],
        [234, 217, 217],
        [38, 59, 59],
    ]


def test_a_record_of_2006() -> None:
    data = recordings.mvf_2006(replace(small(), acts=(Act("lc", 0, 0, 0),), ms=0))
    events = mvf_format.read(data[:-38] + bytes.fromhex("00100a808248") + data[-32:]).events
    assert (events.kinds.tolist(), events.x.tolist(), events.y.tolist()) == ([1, 2], [8, 8], [253, 253])


def test_a_short_move() -> None:
    acts = (*small().acts[:2], Act("mv", 5, 4, 58))
    data = rmv(replace(small(), acts=acts), 2, ends=17)
    assert bytes.fromhex("1c05f1") in data
    assert rmv_format.read(data).events.x.tolist() == [5, 5, 4]


# recognised by content


@pytest.mark.parametrize("name", ALL)
def test_a_recording_is_known_by_its_content(name: str, tmp_path: Path) -> None:
    data = ALL[name](small())
    assert formats.detection.sniff(data) == name[:3]
    reading = formats.read(data)
    assert (reading.format, reading.value) == (name[:3], small().layout)
    assert reading.note.startswith(f"layout of an {name[:3].upper()} replay")
    (tmp_path / "game.txt").write_bytes(data)
    assert summary(mp.read_replay(tmp_path / "game.txt")) == summary(small().record)


def test_what_could_be_anything_is_what_it_is_called(tmp_path: Path) -> None:
    data = bytes([9]) + evf(small())[1:]
    assert "expected 4 + 2" in str(fault_of(lambda: formats.read(data)))
    (tmp_path / "game.EVF").write_bytes(data)
    for read in (mp.read_replay, formats.read):
        error = fault_of(partial(read, tmp_path / "game.EVF"))
        assert str(error) == "offset 0: expected 0 to 4 as the version, got 9"
        assert error.source == str(tmp_path / "game.EVF")


def test_what_begins_with_0_is_what_it_is_called() -> None:
    """A rare MVF has no texts before its body."""
    body = mvf(small())[MVF_BODY:]
    replay = read_game(bytes(7) + body, "game.mvf")
    assert (summary(replay.record), replay.format) == (summary(small().record), "mvf")
    assert "which FreeSweeper writes" in str(fault_in(bytes(1) + avf(small())[1:], "game.avf"))


def fault_of(call: Callable[[], object]) -> BoardSyntaxError:
    with pytest.raises(BoardSyntaxError) as caught:
        call()
    return caught.value


# faults


def patched(data: bytes, at: int, new: bytes | int) -> bytes:
    piece = bytes([new]) if isinstance(new, int) else new
    return data[:at] + piece + data[at + len(piece) :]


AVF, MVF, OLD, RMV, EVF3, EVF4 = (
    ALL[name](small()) for name in ("avf", "mvf 0.97", "mvf 0.96", "rmv 1", "evf 3", "evf 4")
)
RMV_PROPERTIES = bytes([0, 0, 0, 3]) + b"\x03\0\0\0\0"  # and the first event
AVF_RECORDS = AVF.index(b"\x03\x00\x01\x05\x00")
MVF_BODY = MVF.index(b"\x05\x16\x07\xdd")
RMV_EVENTS = RMV.index(b"\x03\x00\x00\x00\x00")


@pytest.mark.parametrize(
    ("data", "name", "words"),
    [
        (
            patched(AVF, 0, 0),
            "avf",
            "offset 0: expected version 35 to 99 (Minesweeper Arbiter 0.35 to",
        ),
        (
            patched(AVF, 0, 20),
            "avf",
            "offset 0: expected version 35 to 99 (Minesweeper Arbiter 0.35 to 0.99), got 20",
        ),
        (patched(AVF, 5, 9), "avf", "(30 × 16) or 6 (custom) as the level, got 9"),
        (patched(AVF, 6, 0), "avf", "offset 6: expected a mine inside 8 × 8, got one at (-1,6)"),
        (patched(AVF, 8, AVF[6:8]), "avf", "offset 8: expected every mine once, got (0,6) twice"),
        (patched(AVF, 7, 6), "avf", "as the sum of the board, got "),
        (patched(AVF, AVF_RECORDS, 8), "", f"offset {AVF_RECORDS}: expected an event of type 1, 3, 5"),
        (
            patched(AVF, AVF_RECORDS + 4, 100),
            "",
            f"offset {AVF_RECORDS + 4}: expected 0 to 99 hundredths of a second",
        ),
        (
            patched(AVF, AVF_RECORDS + 2, 9),
            "",
            f"offset {AVF_RECORDS + 8}: expected at least 8000 ms, the previous time, got 0 ms",
        ),
        (patched(AVF, AVF_RECORDS + 2, 0), "", f"offset {AVF_RECORDS}: expected 0 seconds in the last 6 records only"),
        (
            patched(MVF, 28 - 1, b"9"),
            "",
            "offset 19: expected years that end in 5 (0.97), 6",
        ),
        (
            patched(MVF, MVF_BODY + 23, 0),
            "",
            f"offset {MVF_BODY + 23}: expected sides of 1 to 256 cells, got 0 and 8",
        ),
        (
            patched(MVF, MVF_BODY + 25, 64),
            "",
            f"offset {MVF_BODY + 25}: expected at most 63 mines on 8 × 8, got 16394",
        ),
        (
            patched(MVF, len(MVF) - 32 - 5 * 13 - 3, b"\xff\xff\xff"),
            "",
            "expected at most 1,000,000 events, got 16,777,215",
        ),
        (patched(MVF, len(MVF) - 32 - 5 * 13 - 1, 20), "", "expected 100 bytes for 20 records, got 97 up to the end"),
        (patched(OLD, len(OLD) - 1, 7), "", "expected 00 at offsets"),
        (patched(OLD, len(OLD) - 124, 200), "", "expected the last record at the stated 200100 ms, got it at 1100 ms"),
        (patched(RMV, 5, 3), "", "offset 4: expected 1 or 2 as the format version, got 3"),
        (patched(RMV, 22, 9), "", "expected 150,995,"),
        (
            patched(RMV, RMV_EVENTS, 8),
            "",
            f"offset {RMV_EVENTS}: expected an event of code 0 to 7, 9 to 28 of version 1, got 8",
        ),
        (patched(EVF4, 0, 7), "evf", "offset 0: expected 0 to 4 as the version, got 7"),
        (patched(EVF4, 8, b"\0\x63"), "", "offset 8: expected 0 to 16, or 65535 as the mode, got 99"),
        (patched(EVF4, 7, 0), "evf", "offset 7: expected 1 or more as pixels of a cell, got 0"),
        (patched(EVF4, 5, b"\0\x0b"), "", "expected 11 mines, as in the header, got 10 on 8 × 8"),
        (
            patched(EVF3, len(EVF3) - 33 - 8, 77),
            "",
            f"offset {len(EVF3) - 41}: expected 1 to 12, or 0 or 255 at the end as the code of an event, got 77",
        ),
        (
            patched(EVF4, len(EVF4) - 7 - 6, 77),
            "",
            f"offset {len(EVF4) - 13}: expected an event of code 0 to 12, 81 to 83, 99",
        ),
    ],
)
def test_a_fault_has_an_offset(data: bytes, name: str, words: str) -> None:
    text = str(fault_in(data, f"game.{name}"))
    assert text.startswith("offset ")
    assert words in text


@pytest.mark.parametrize("name", ALL)
def test_whatever_is_cut_off_is_missed(name: str) -> None:
    """All but the line on the program in AVF, and the checksum of MVF: their ends are unknown."""
    data = ALL[name](small())
    spare = {"avf": len("Minesweeper Arbiter 0.52.3. Copyright (c) 2005"), "mvf": 33}.get(name[:3], 1)
    spare = 1 if name in OLD_MVF else spare
    for length in range(len(data) - spare + 1):
        error = fault_in(data[:length], f"game.{name[:3]}") if length else fault_in(b"")
        # text that is a part of nothing is not a recording, so it has no offset
        assert str(error).startswith("offset ") or length < 6, length
        assert all(
            int(number) <= len(data) for number in str(error).removeprefix("offset ").split(":")[:1] if number.isdigit()
        )
    for length in range(len(data) - spare + 1, len(data)):
        if name not in OLD_MVF:
            replay = read_game(data[:length])
            assert summary(replay.record) == summary(small().record)


def test_a_file_that_is_cut_off_has_a_note() -> None:
    assert text("replay-checksum-length", 31, expected=32) in read_game(MVF[:-1]).notes[0]
    assert text("replay-no-copyright") in read_game(AVF[:-20]).notes[0]
    assert text("replay-bytes-after-end", 2) in read_game(EVF4 + b"ab").notes
    assert text("replay-bytes-after-sections", 2) in read_game(RMV + b"ab").notes


def test_a_lying_length_makes_nothing() -> None:
    """Counts are compared with the bytes there are; a million of something is not made first."""
    lies = [
        patched(AVF, AVF.index(b"\xd3\xd3\xd3"), bytes([0x7F - 45, 255 - 45, 255 - 45, 255 - 45])),
        patched(RMV, 22, b"\xff\xff\xff\xff"),
        patched(EVF4, EVF4.index(b"\0\x03abc"), b"\xff\xff"),
    ]
    for data in lies:
        assert str(fault_in(data)).startswith("offset ")
    huge = b"*rmv" + bytes(8 << 20)
    assert "expected a recording of at most 8,388,608" in str(fault_in(huge))


def test_more_clicks_than_anybody_makes_are_refused() -> None:
    acts = small().acts[:2] * 50_001
    data = evf(replace(small(), acts=acts), 3, summary=0)
    offset = len(data) - 33 - 8 * len(acts)
    words = "expected at most 100,000 button events, got 100,002"
    assert str(fault_in(data)) == f"offset {offset}: {words}"


@pytest.mark.slow
def test_a_million_events_is_the_most() -> None:
    one = struct.pack(">BBhh", 1, 0, 0, 0)
    end = EVF4.index(b"\0\x01nng\0") + 6
    data = EVF4[:end] + one * 1_000_001 + b"\0\0\0"
    assert "expected at most 1,000,000 events, got 1,000,001" in str(fault_in(data))


# what is written


def test_what_is_written_is_read_back() -> None:
    record = small().record
    data = evf_replay.write_record(record, player="王五", played=datetime(2026, 11, 1, 12, tzinfo=UTC))
    replay = read_game(data)
    assert (replay.record.layout, replay.record.moves, replay.record.ms) == (record.layout, record.moves, record.ms)
    assert (replay.player, replay.played, replay.notes) == ("王五", datetime(2026, 11, 1, 12, tzinfo=UTC), ())
    assert replay.program.startswith("mineproof ")


@pytest.mark.parametrize(
    ("layout", "words"),
    [
        (mp.Layout(2, 256, frozenset()), "evf: expected a board of at most 255 × 255, got 256 × 2"),
        (mp.Layout(1, 2, frozenset([(0, 0), (0, 1)])), "evf: expected at least one cell without a mine"),
        (mp.Layout(2, 2, frozenset(), topology="torus"), "evf holds plain grids only, got topology torus"),
    ],
)
def test_what_evf_cannot_hold(layout: mp.Layout, words: str) -> None:
    assert words in str(fault_of(lambda: formats.write(layout, "evf")))


def test_a_board_of_too_many_pixels_is_written_by_its_moves() -> None:
    """Places of EVF have two bytes; a wide RMV with large cells goes beyond."""
    layout = mp.Layout(1, 200, frozenset([(0, 0)]))
    acts = (Act("rc", 0, -9, 5), Act("rr", 0, 300, 5))  # outside is the lower right corner: x is 50,000
    replay = read_game(rmv(Tape(layout, acts, side=250), 2, ends=17))
    with pytest.raises(BoardSyntaxError, match="at most 32767 pixels, got 250 per cell"):
        evf_replay.write_events(replay, replay.recording)  # type: ignore[arg-type]
    with pytest.raises(mp.IllegalMoveError, match="The game is not over"):
        write_replay(replay, "evf")


def test_what_is_made_of_another_recording_names_both_programs() -> None:
    data = bytes(write_replay(read_game(avf(small("王五".encode()))), "evf"))  # type: ignore[arg-type]
    replay = read_game(data)
    assert (replay.program, replay.player, replay.notes) == ("Minesweeper Arbiter 0.52.3", "王五", ())
    assert data[1] == 0x88
    assert f"Minesweeper Arbiter 0.52.3\0mineproof {VERSION}\0UTF-8\0王五\0".encode() in data
    assert not evf_replay.write_record(small().record)[1] & 0x08
    again = read_game(str(write_replay(read_game(data), "rawvf")).encode())
    assert (again.program, again.player) == ("Minesweeper Arbiter 0.52.3", "王五")


def test_a_long_name_is_cut_between_characters() -> None:
    data = evf_replay.write_record(small().record, player="王" * 30_000)
    assert read_game(data).player == "王" * 21_845


def test_a_running_game_is_not_written() -> None:
    game = mp.Game(mp.Layout(2, 4, frozenset([(0, 0)])), first_click="any")
    game.open(0, 3)
    with pytest.raises(mp.IllegalMoveError, match="The game is not over"):
        evf_replay.write_record(game.record())


def test_a_chord_with_more_flags_than_the_number_is_not_in_evf() -> None:
    game = mp.Game(mp.Layout(3, 3, frozenset([(0, 0), (2, 2)])), first_click="any", chord_rule="at-least")
    for kind, cell in (("open", (1, 1)), ("flag", (0, 0)), ("flag", (2, 2)), ("flag", (0, 1)), ("chord", (1, 1))):
        game.play(kind, cell)  # type: ignore[arg-type]
    game.flag(0, 1)
    game.open(0, 1)
    assert game.status == "won"
    with pytest.raises(BoardSyntaxError, match="Cannot chord \\(1,1\\): the rules do not allow it"):
        evf_replay.write_record(game.record())


@pytest.mark.slow
@pytest.mark.parametrize("number", range(4))
def test_another_program_reads_what_is_written(number: int, tmp_path: Path) -> None:
    """With the numbers that we read, from a recording of a third one."""
    ms_toollib = pytest.importorskip("ms_toollib")
    replay = read_game(avf(tape(number)))
    path = tmp_path / "game.evf"
    path.write_bytes(bytes(write_replay(replay, "evf")))  # type: ignore[arg-type]
    names = ["left", "right", "double", "lce", "rce", "dce", "bbbv_solved", "flag", "rtime"]
    theirs = their_game(ms_toollib.EvfVideo(str(path)), names)
    measures = mp.measure_game(replay.record)
    ours = [*measures.clicks, *measures.effective, measures.solved_bbbv, measures.flags, measures.seconds]
    assert [theirs[name] for name in names] == pytest.approx(ours)


# the real ones, where they are


@pytest.mark.skipif(not known_replays(), reason="the real replays are not here; MINEPROOF_REPLAYS names their folder")
@pytest.mark.parametrize("known", known_replays(), ids=lambda known: str(known["id"]))
def test_real_replays(known: Known) -> None:
    assert list(differences(known)) == []
