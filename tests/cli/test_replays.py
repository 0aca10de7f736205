"""Replays on the command line: every format is reviewed, counted, imported, converted and played."""

from dataclasses import replace
from pathlib import Path

import pytest

import mineproof as mp
from mineproof.formats.replays.reader import read_game
from support.command import Done, mineproof
from support.finished import finished
from support.recordings import OLD_MVF, WRITERS, avf, evf, mvf, rmv, small, tape
from support.texts import text

ALL = WRITERS | OLD_MVF


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    """The same game in every format."""
    paths = {name: tmp_path / f"{name.replace(' ', '-')}.{name[:3]}" for name in ALL}
    for name, path in paths.items():
        path.write_bytes(ALL[name](small()))
    return paths


# review, stats


def test_the_review_is_the_same_in_every_format(files: dict[str, Path]) -> None:
    answers = [mineproof("review", str(path), "--json") for path in files.values()]
    assert {(done.status, done.err) for done in answers} == {(0, "")}
    assert all(done.json() == answers[0].json() for done in answers)
    assert (answers[0].json()["status"], answers[0].json()["clicks_by_button"]) == ("won", [1, 2, 1])


def test_what_is_odd_is_told(tmp_path: Path) -> None:
    path = tmp_path / "slow.avf"
    path.write_bytes(avf(replace(small(), ms=14_520)))
    done = mineproof("review", str(path))
    assert done.err == (
        "mineproof: the file states a time of 14.520 s, but its events end at 1.100 s: using the events\n"
    ), "and it is reviewed"
    assert text("cli-review-won", seconds="1.100") in done.text
    assert mineproof("review", str(path), "--json").err == ""


def test_a_damaged_replay_is_named_with_its_offset(tmp_path: Path) -> None:
    path = tmp_path / "cut.evf"
    path.write_bytes(evf(small())[:-20])
    for command in (["review"], ["convert", "--to", "layout"], ["play"], ["check"]):
        done = mineproof(*command, str(path))
        assert done.status == 3
        assert f"{path}: offset " in " ".join(done.err.split()).replace("- ", "-")
    error = mineproof("review", str(path), "--json").error()
    assert (error["code"], error["source"]) == ("syntax", str(path))


def test_stats_of_a_folder(files: dict[str, Path], tmp_path: Path) -> None:
    (tmp_path / "cut.rmv").write_bytes(rmv(small())[:-1])
    done = mineproof("stats", str(tmp_path), "--json")
    assert done.status == 3
    found = done.json()
    assert (found["won"], found["lost"], found["layouts"], found["unread"]) == (len(files), 0, 0, 1)
    assert found["numbers"]["seconds"] == {
        "count": len(files), "mean": pytest.approx(1.1), "min": 1.1, "max": 1.1,
        "quantiles": dict.fromkeys(("0.05", "0.25", "0.5", "0.75", "0.95"), pytest.approx(1.1)),
    }  # fmt: skip
    assert "offset " in done.err


def test_stats_of_a_replay_without_an_end_is_of_its_layout() -> None:
    running = rmv(replace(small(), acts=small().acts[:2]), ends=17)
    found = mineproof("stats", "-", "--json", stdin=running).json()
    assert (found["layouts"], found["games"]) == (1, 0)


# convert


@pytest.mark.slow
@pytest.mark.parametrize("number", range(3))
def test_there_and_back_with_every_event(number: int, tmp_path: Path) -> None:
    source = tmp_path / "game.avf"
    source.write_bytes(avf(tape(number)))
    expected = read_game(source.read_bytes())
    for suffix in ("evf", "rawvf"):
        target = tmp_path / f"there.{suffix}"
        done = mineproof("convert", str(source), "-o", str(target))
        assert (done.status, done.out) == (0, b"")
        assert f"read as avf: a game of {len(expected.record.moves)} moves" in done.err
        found = read_game(target.read_bytes())
        assert (found.record, found.player) == (expected.record, "Ann")
    assert b" mv " in (tmp_path / "there.rawvf").read_bytes(), "moves of the mouse are kept"


def test_a_saved_game_becomes_a_replay(tmp_path: Path) -> None:
    game = finished(ms=1500)
    for suffix in ("evf", "rawvf"):
        path = tmp_path / f"game.{suffix}"
        assert mineproof("convert", "-", "-o", str(path), stdin=game.save()).status == 0
        found = read_game(path.read_bytes()).record
        assert (found.layout, found.status) == (game.layout, "won")
        assert [(move.kind, move.cell) for move in found.moves] == [(move.kind, move.cell) for move in game.moves]


def test_of_a_game_that_is_on_the_layout_is_written(tmp_path: Path) -> None:
    game = mp.Game(mp.Layout(2, 4, frozenset([(0, 0)])), first_click="any")
    game.open(0, 3)
    done = mineproof("convert", "-", "-o", str(tmp_path / "game.evf"), stdin=game.save())
    assert done.status == 0
    assert "its layout" in done.err
    found = read_game((tmp_path / "game.evf").read_bytes()).record
    assert (found.status, found.layout.mines) == ("new", frozenset([(0, 0)]))


def test_a_replay_without_an_end_keeps_its_events(tmp_path: Path) -> None:
    running = rmv(replace(small(), acts=small().acts[:5]), ends=17)
    for suffix in ("evf", "rawvf"):
        path = tmp_path / f"game.{suffix}"
        assert mineproof("convert", "-", "-o", str(path), stdin=running).status == 0
        found = read_game(path.read_bytes()).record
        assert ([move.kind for move in found.moves], found.status) == (["open", "flag"], "running")


def test_where_evf_has_no_question_marks_the_moves_are_written(tmp_path: Path) -> None:
    right = [act for act in small().acts if act.what in ("rc", "rr")][:2]
    acts = (*small().acts[:5], *(act._replace(ms=300) for act in right * 3), *small().acts[5:])
    asked = read_game(avf(replace(small(), acts=acts, marks=True)))
    assert [move.kind for move in asked.record.moves].count("question") == 2
    path = tmp_path / "game.evf"
    mineproof("convert", "-", "-o", str(path), stdin=avf(replace(small(), acts=acts, marks=True)))
    found = read_game(path.read_bytes()).record
    assert (mp.Game.replay(found).board, found.status) == (mp.Game.replay(asked.record).board, "won")


def test_the_layout_of_a_replay_in_every_format(files: dict[str, Path]) -> None:
    rows = mineproof("convert", str(files["avf"]), "--to", "layout").text
    assert rows.count("*") == 10
    for path in files.values():
        assert mineproof("convert", str(path), "--to", "layout").text == rows


def test_an_ending_that_names_no_format_is_bad_usage(tmp_path: Path) -> None:
    for name, words in (
        ("x.avf", "names no format. Add --to, one of "),
        ("x.txt", "names no format. Add --to, one of "),
        ("x", "--to is missing"),
    ):
        done = mineproof("convert", "1#", "-o", str(tmp_path / name))
        assert (done.status, words in done.err) == (2, True)


# history


def ask(data: Path, *arguments: str) -> Done:
    return mineproof("history", *arguments, "--data", str(data))


def test_history_takes_who_and_when_from_a_replay(tmp_path: Path) -> None:
    data, path = tmp_path / "h.sqlite", tmp_path / "a.evf"
    path.write_bytes(evf(small("王五".encode())))
    assert ask(data, "import", str(path), "--file-dates").status == 0
    (game,) = ask(data, "--json").json()["games"]
    assert (game["player"], game["played"]) == ("王五", "2020-09-13T12:26:40.000Z")
    assert (game["with_help"], game["ms"]) == (False, 1100)
    other = tmp_path / "b.mvf"
    other.write_bytes(mvf(small()))
    assert "already stored as game 1" in ask(data, "import", str(other)).text, "the same game in another format"


def test_whoever_imports_says_who_it_was(tmp_path: Path) -> None:
    path = tmp_path / "a.avf"
    path.write_bytes(avf(small(b"Anonymous! Press F5 for Setup, and a name that is far too long")))
    ask(tmp_path / "1", "import", str(path))
    ask(tmp_path / "2", "import", str(path), "--player", "Ann")
    names = [ask(tmp_path / folder, "--json").json()["games"][0]["player"] for folder in "12"]
    assert names == ["Anonymous! Press F5 for Setup, and a nam", "Ann"]


def test_cheats_and_boards_known_before(tmp_path: Path) -> None:
    for mode, help_known, again in ((4, None, False), (3, False, True), (1, False, False)):
        data = bytearray(mvf(small()))
        data[data.index(b"\x05\x16\x07\xdd") + 8] = mode
        path = tmp_path / f"{mode}.mvf"
        path.write_bytes(data)
        ask(tmp_path / f"h{mode}", "import", str(path))
        (game,) = ask(tmp_path / f"h{mode}", "--json").json()["games"]
        assert (game["with_help"], bool(game["again"])) == (help_known, again)


# play


def test_a_replay_is_a_layout_to_play(files: dict[str, Path]) -> None:
    for name in ("avf", "mvf 0.97", "rmv 1", "evf 4"):
        done = mineproof("play", str(files[name]))
        assert (done.status, "play needs a terminal" in done.err) == (2, True)
