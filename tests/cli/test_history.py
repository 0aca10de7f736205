"""``mineproof history``: lists, best times, one game, import, export, deleting."""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import mineproof as mp
from mineproof.formats.rawvf import games as rawvf
from mineproof.game.record import from_json
from support import texts
from support.command import Done, mineproof
from support.finished import finished

FIRST = datetime(2026, 11, 1, 12, tzinfo=UTC)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A history with a few games of every kind."""
    path = tmp_path_factory.mktemp("made") / "history.sqlite"
    with mp.History.open(path) as history:

        def add(game: mp.Game, day: int, **about: object) -> None:
            history.add(game, when=FIRST + timedelta(days=day), **{"help_used": {}} | about)  # type: ignore[arg-type]

        add(finished("beginner", 1, ms=9123), 0)
        add(finished("beginner", 2, ms=8000, won=False), 1)
        add(finished("expert", 3, ms=99_500), 2, player="Ann")
        add(finished("expert", 4, ms=70_250), 3, help_used={"hints": [1, 0, 2, 0]})
        add(finished("expert", 5, ms=60_100, topology="torus"), 4)
        add(finished("beginner", 6, ms=5000), 5, given=True)
        add(finished("beginner", 7, ms=4000), 6, help_used={"repeats": 1})
        add(finished("beginner", 8, ms=7000), 7, help_used=None)
    return path


@pytest.fixture
def data(made: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return Path(shutil.copy(made, tmp_path / "history.sqlite"))


def ask(data: Path, *arguments: str, columns: int = 80) -> Done:
    return mineproof("history", *arguments, "--data", str(data), columns=columns, TZ="UTC")


def ids(done: Done) -> list[int]:
    assert done.status == 0, done.err
    return [game["id"] for game in done.json()["games"]]


# listing


@pytest.mark.slow
def test_the_list_in_words(data: Path) -> None:
    done = ask(data)
    assert (done.status, done.err) == (0, "")
    assert done.lines[0] == "game  played      level         end       time  3BV  3BV/s  guesses  notes"
    with mp.History.open(data) as history:
        game = history.game(3)
    assert done.lines[1].split()[:4] == ["8", "2026-11-08", "beginner", "won"]
    assert done.lines[1].endswith("  help?")
    (line,) = (line for line in done.lines if line.startswith("   3 "))
    assert line.split() == ["3", "2026-11-03", "expert", "won", "99.500", str(game.bbbv), f"{game.bbbv / 99.5:.2f}",
                            str(game.guesses), "Ann"]  # fmt: skip
    assert [line.split()[-1] for line in done.lines if line[:4].strip() in ("4", "6")] == ["given", "help"]
    assert any(line.endswith("help, again") for line in done.lines)
    assert any("(torus)" in line for line in done.lines)


def test_filters(data: Path) -> None:
    assert ids(ask(data, "--json")) == [8, 7, 6, 5, 4, 3, 2, 1]
    assert ids(ask(data, "--json", "--level", "expert")) == [5, 4, 3]
    assert ids(ask(data, "--json", "--level", "30x16x99", "--limit", "1")) == [5]
    assert ids(ask(data, "--json", "--lost")) == [2]
    assert ids(ask(data, "--json", "--won", "--without-help", "--order", "time")) == [6, 1, 5, 3]
    assert ids(ask(data, "--json", "--with-help")) == [7, 4]
    assert ids(ask(data, "--json", "--since", "2026-11-03", "--until", "2026-11-04")) == [4, 3]
    assert ids(ask(data, "--json", "--since", "2026-11-08T12:00:00Z")) == [8]
    assert ids(ask(data, "--json", "--until", "2026-11-01T11:59")) == []


def test_a_long_list_is_cut_and_says_so(tmp_path: Path) -> None:
    with mp.History.open(tmp_path) as history:
        for ms in range(1, 23):
            history.add(finished("4x4x2", ms=ms), budget=0)
    assert ask(tmp_path).lines[-1] == texts.text("cli-history-first", 20)
    assert len(ask(tmp_path).lines) == 23
    assert len(ask(tmp_path, "--limit", "22").lines) == 23
    assert len(ask(tmp_path, "--limit", "2").lines) == 3
    assert len(ids(ask(tmp_path, "--json"))) == 22


@pytest.mark.parametrize("columns", [20, 40, 60, 75, 76, 80, 100, 200])
@pytest.mark.parametrize("arguments", [[], ["best"], ["show", "3"]], ids=["list", "best", "show"])
def test_never_wider_than_the_terminal(data: Path, arguments: list[str], columns: int) -> None:
    done = ask(data, *arguments, columns=columns)
    assert done.status == 0
    assert [line for line in done.lines if len(line) > columns] == []


def test_a_narrow_list_has_all_that_matters(data: Path) -> None:
    lines = ask(data, "--level", "expert", columns=40).lines
    assert lines[-2:] == ["3  expert won 99.500 s", lines[-1]]
    assert "2026-11-03 12:00" in lines[-1]
    assert "Ann" in lines[-1]


def test_colours(data: Path) -> None:
    colored = ask(data, "--color", "always").text
    assert "\x1b[" in colored
    assert re.sub(r"\x1b\[[0-9;]*m", "", colored) == ask(data).text


def test_an_empty_history_says_how_to_fill_it(tmp_path: Path) -> None:
    for arguments in ([], ["best"]):
        done = ask(tmp_path / "none.sqlite", *arguments)
        assert (done.status, done.err) == (0, "")
        assert done.lines[0].startswith("No finished games yet. 'mineproof play' adds")
        assert "'mineproof history import FILES'" in " ".join(done.lines)
    assert ask(tmp_path / "none.sqlite", "--json").json() == {"schema": "mineproof/history/1", "games": []}
    assert not (tmp_path / "none.sqlite").exists()


def test_nothing_as_asked_for(data: Path) -> None:
    assert ask(data, "--level", "intermediate").text == texts.text("cli-history-no-match", 8) + "\n"


def test_the_usual_place(tmp_path: Path) -> None:
    with mp.History.open(tmp_path / "mineproof") as history:
        assert history.path == tmp_path / "mineproof"  # no folder yet, so a file of that name
    (tmp_path / "mineproof").mkdir()
    with mp.History.open(tmp_path / "mineproof") as history:
        history.add(finished())
    assert ids(mineproof("history", "--json", XDG_STATE_HOME=str(tmp_path))) == [1]


# best times


def test_the_hall_of_fame(data: Path) -> None:
    done = ask(data, "best")
    assert (done.status, done.err) == (0, "")
    blocks = [block.splitlines() for block in done.text.split("\n\n")]
    assert [block[0] for block in blocks] == ["beginner", "expert", "expert (torus)"]
    assert blocks[0][1:] == [
        "3 games, 2 won: 66.7 % (20.8 to 93.9 %)",
        texts.text("cli-history-streak", 1, current=1),
        f"{speed(data, 1, 8):.2f} 3BV/s in won games",
        "without help",
        "   9.123  2026-11-01  game 1",
    ]
    assert blocks[1][4:] == [
        "without help",
        "  99.500  2026-11-03  game 3  Ann",
        "with help",
        "  70.250  2026-11-04  game 4",
    ]
    assert "game 6" not in done.text  # a given board
    assert "game 7" not in done.text  # the same board again


def speed(data: Path, *games: int) -> float:
    with mp.History.open(data) as history:
        return sum(history.game(number).bbbv_per_second or 0 for number in games) / len(games)


def test_the_hall_of_fame_in_json(data: Path) -> None:
    answer = ask(data, "best", "--level", "expert", "--json").json()
    assert answer["schema"] == "mineproof/summary/1"
    plain, torus = answer["levels"]
    assert (plain["games"], plain["wins"], plain["win_rate"], plain["longest_streak"]) == (2, 2, 1.0, 2)
    assert (plain["best_without_help"]["id"], plain["best_with_help"]["id"]) == (3, 4)
    assert (torus["topology"], torus["best_without_help"]["id"], torus["best_with_help"]) == ("torus", 5, None)
    (alone,) = ask(data, "best", "--level", "beginner", "--without-help", "--until", "2026-11-01", "--json").json()[
        "levels"
    ]
    assert (alone["games"], alone["best_with_help"]) == (1, None)


def test_options_before_the_command_hold_for_it(data: Path) -> None:
    before = mineproof("history", "--data", str(data), "--json", "--level", "expert", "best")
    assert before.json() == ask(data, "best", "--level", "expert", "--json").json()
    after = mineproof("history", "--level", "beginner", "best", "--level", "expert", "--json", "--data", str(data))
    assert after.json() == before.json()


# one game


def test_a_game_is_shown_as_its_review(data: Path) -> None:
    shown = ask(data, "show", "4")
    record = ask(data, "show", "4", "--record").text
    assert from_json(record).won
    assert shown.lines[0] == "game 4, played 2026-11-04 12:00, expert, help: 3 hints"
    assert "\n".join(shown.lines[1:]) == "\n".join(mineproof("review", "-", stdin=record).lines)
    answer = ask(data, "show", "4", "--json").json()
    assert answer["games"][0]["id"] == 4
    assert answer["review"] == mineproof("review", "-", "--json", stdin=record).json()


def test_a_name_for_the_hall_of_fame(data: Path) -> None:
    assert ask(data, "name", "1", "Bob").text == texts.text("cli-history-name-stored", player="Bob", id=1) + "\n"
    assert "game 1  Bob" in ask(data, "best").text
    assert ask(data, "name", "1", "--json").json()["games"][0]["player"] is None
    assert ask(data, "name", "1", "\x1b[2J").status == 2


# in and out


def test_import(tmp_path: Path) -> None:
    data = tmp_path / "history.sqlite"
    saved, replay, running, text = (tmp_path / name for name in ("game.json", "game.rawvf", "on.json", "text"))
    saved.write_text(finished(ms=1500).save())
    os.utime(saved, (FIRST.timestamp(), FIRST.timestamp()))
    replay.write_text(rawvf.write_record(finished(ms=2500, won=False).record()))
    on = mp.Game(mp.Layout(2, 4, frozenset([(0, 0)])), first_click="any")
    on.open(0, 3)
    running.write_text(on.save())
    text.write_text("1#/##")
    done = ask(data, "import", str(text), str(saved), str(running), str(replay), "--file-dates", "--player", "Ann")
    assert done.status == 3
    assert done.lines == [
        f"{saved}: added as game 1 (beginner, won, 1.500 s)",
        f"{replay}: added as game 2 (beginner, lost, 2.500 s)",
    ]
    assert f"{text}: expected a saved game in JSON or a replay (AVF, EVF, MVF, RMV, RAWVF)" in done.err
    assert f"{running}: The game is still running" in done.err
    again = ask(data, "import", str(saved), str(tmp_path / "nowhere"), "--json")
    assert again.status == 2
    answer = again.json()
    assert (answer["schema"], answer["added"], answer["known"], answer["failed"]) == ("mineproof/imported/1", 0, 1, 1)
    assert answer["files"][0] == {"file": str(saved), "games": [{"id": 1, "new": False}], "error": None}
    assert answer["files"][1]["error"]["code"] == "file"
    games = ask(data, "--json", "--order", "time").json()["games"]
    assert [game["player"] for game in games] == ["Ann", "Ann"]
    assert [game["with_help"] for game in games] == [None, False]
    assert games[0]["played"] == "2026-11-01T12:00:00.000Z"


def test_import_of_games_without_help(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text(finished().save())
    assert ask(tmp_path / "h.sqlite", "import", str(path), "--no-help").status == 0
    assert ask(tmp_path / "h.sqlite", "--json").json()["games"][0]["with_help"] is False


@pytest.mark.slow
def test_export(data: Path, tmp_path: Path) -> None:
    rows = list(csv.DictReader(ask(data, "export", "--level", "expert").lines))
    assert [(row["id"], row["seconds"]) for row in rows] == [("5", "60.1"), ("4", "70.25"), ("3", "99.5")]
    path = tmp_path / "games.jsonl"
    done = ask(data, "export", "--to", "jsonl", "-o", str(path))
    assert (done.status, done.text) == (0, f"{path}: 8 games\n")
    assert path.read_text() == ask(data, "export", "--to", "jsonl").text
    other = tmp_path / "other.sqlite"
    assert ask(other, "import", str(path)).text == f"{path}: 8 games added, 0 already stored\n"
    best = [ask(each, "best", "--json").json()["levels"] for each in (data, other)]
    for levels in best:
        for level in levels:
            for kind in ("best_without_help", "best_with_help"):
                level[kind] = level[kind] and level[kind] | {"id": 0, "added": ""}
    assert best[0] == best[1]


def test_export_writes_over_nothing(data: Path, tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    path.write_text("mine")
    done = ask(data, "export", "-o", str(path))
    assert (done.status, done.text) == (2, "")
    assert f"{path} already exists" in done.err
    assert path.read_text() == "mine"
    assert ask(data, "export", "--json").status == 2
    answer = ask(data, "export", "-o", str(tmp_path / "new.csv"), "--json").json()
    assert answer == {"schema": "mineproof/exported/1", "file": str(tmp_path / "new.csv"), "games": 8}


# upkeep


def test_forgetting_needs_a_yes(data: Path) -> None:
    done = ask(data, "forget", "1", "2")
    assert (done.status, done.text) == (2, "")
    assert "Deleting games (2) needs --yes" in done.err
    assert ask(data, "forget").status == 2
    assert ask(data, "forget", "1", "--all").status == 2
    missing = ask(data, "forget", "1", "99", "--yes")
    assert (missing.status, len(ids(ask(data, "--json")))) == (2, 8)
    assert "No game 99" in missing.err
    assert ask(data, "forget", "1", "2", "--yes").text == texts.text("cli-history-deleted", 2) + "\n"
    assert ids(ask(data, "--json")) == [8, 7, 6, 5, 4, 3]
    assert ask(data, "forget", "--all", "--yes", "--json").json()["forgotten"] == [3, 4, 5, 6, 7, 8]
    assert ids(ask(data, "--json")) == []


def test_forgetting_asks_at_a_terminal(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mineproof.cli.history._can_ask", lambda: True)
    forget = ("history", "--data", str(data), "forget", "1")
    for answer in ("n\n", "\n", ""):  # the last is Ctrl-D
        refused = mineproof(*forget, stdin=answer)
        assert (refused.status, refused.text) == (130, "")
        assert texts.text("cli-history-confirm-delete", 1) in refused.err
    assert len(ids(ask(data, "--json"))) == 8
    assert mineproof(*forget, stdin="y\n").text == texts.text("cli-history-deleted", 1) + "\n"
    assert len(ids(ask(data, "--json"))) == 7


def test_filling_in(tmp_path: Path) -> None:
    with mp.History.open(tmp_path) as history:
        history.add(finished(), budget=0)
    assert ask(tmp_path, "--json").json()["games"][0]["luck"] is None
    assert ask(tmp_path, "fill").text == texts.text("cli-history-filled", 1, left=0) + "\n"
    assert ask(tmp_path, "fill", "--json").json() == {"schema": "mineproof/filled/1", "filled": 0, "left": 0}
    assert ask(tmp_path, "--json").json()["games"][0]["luck"] == mp.review(finished()).luck


# how it ends


@pytest.mark.parametrize(
    "arguments",
    [
        ["show"], ["show", "0"], ["show", "x"], ["show", "1e3"], ["show", "99999999999999999999"], ["show", "²"],
        ["show", "99"], ["name", "99", "Ann"], ["bset"], ["--level", "hard"], ["--since", "yesterday"],
        ["--since", "0001-01-01"], ["--until", "9999-12-31"], ["--limit", "0"], ["--limit", "-1"], ["--limit", "nan"],
        ["--order", "shuffled"], ["export", "--to", "xml"], ["import"], ["fill", "--budget", "nan"],
        ["--data", ""], ["best", "--data", ""],
        ["show", "1", "--budget", "0"], ["best", "--limit", "0"], ["import", "x", "--player", ""],
    ],
)  # fmt: skip
def test_bad_usage(data: Path, arguments: list[str]) -> None:
    place = ("--data", str(data))
    done = mineproof("history", *place, *arguments)
    assert (done.status, done.text) == (2, "")
    assert done.err.startswith("mineproof: ")
    assert mineproof("history", *place, *arguments, "--json").error()["schema"] == "mineproof/error/1"


def test_a_file_that_is_no_history(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("not a database\n" * 100)
    for arguments in ([], ["best"], ["show", "1"], ["forget", "--all", "--yes"]):
        done = ask(path, *arguments)
        assert (done.status, done.text) == (2, "")
        assert str(path) in done.err
    assert ask(path, "--json").error()["code"] == "history"
    assert path.read_text() == "not a database\n" * 100


def test_a_later_history(data: Path) -> None:
    database = sqlite3.connect(data)
    database.execute("PRAGMA user_version = 999")
    database.close()
    assert "it has version 999, and this mineproof supports" in ask(data).err


def test_json_is_valid_everywhere(data: Path) -> None:
    for arguments in ([], ["best"], ["show", "1"], ["name", "1", "A"], ["fill"], ["forget", "1", "--yes"]):
        json.loads(ask(data, *arguments, "--json").text)
