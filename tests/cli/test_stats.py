"""``mineproof stats``: what it reads, what it tells, and how it ends."""

import csv
import io
import json
from pathlib import Path

import pytest

import mineproof as mp
from mineproof.game.game import Game
from mineproof.game.layout import Layout
from support import texts
from support.command import mineproof

ROWS = "*../.../..*"
LAYOUT = Layout(3, 3, frozenset([(0, 0), (2, 2)]))


def finished(*moves: tuple[int, int], seconds: float = 2.0) -> Game:
    times = iter([0.0, *([seconds] * 99)])
    game = Game(Layout(2, 4, frozenset([(0, 0)])), clock=lambda: next(times))
    for cell in moves:
        game.open(*cell)
    return game


WON, LOST = finished((0, 3), (1, 0)), finished((0, 3), (0, 0))


def numbers(*arguments: str, stdin: bytes | str = b"") -> dict[str, float]:
    """The means."""
    answer = mineproof("stats", *arguments, "--json", stdin=stdin).json()
    return {name: each["mean"] for name, each in answer["numbers"].items()}


# what is read


@pytest.mark.parametrize("name", ["layout", "json", "mbf", "mbf-hex", "ptta", "tatham", "rawvf"])
def test_every_format_of_a_layout(name: str, tmp_path: Path) -> None:
    layout = Layout(3, 3, LAYOUT.mines, start=(0, 2))
    path = tmp_path / "board"
    written = mp.formats.write(layout, name)
    path.write_bytes(written if isinstance(written, bytes) else written.encode())
    found, known = numbers(str(path)), mp.measure(LAYOUT)
    assert found == {
        "bbbv": known.bbbv, "openings": known.openings, "islands": known.islands,
        "zini": known.zini, "human_zini": known.human_zini,
    }  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        f"{ROWS}\n{ROWS}\n",
        f"{ROWS}\r\n\r\n{ROWS}",
        "*..\n...\n..*\n\n*..\n...\n..*\n",
        f"{json.dumps(LAYOUT.as_json())}\n{json.dumps(LAYOUT.as_json())}\n",
        "\n".join(json.dumps({"schema": "mineproof/generated/1", "layout": LAYOUT.as_json()}) for _ in range(2)),
        "b=32&m=60\nb=32&m=60\n",
    ],
)
def test_many_in_a_file(text: str) -> None:
    done = mineproof("stats", "-", "--each", "--json", stdin=text)
    assert done.status == 0, done.err
    *each, last = map(json.loads, done.lines)
    assert (last["layouts"], last["unread"]) == (2, 0)
    assert len(each) == 2
    assert each[0]["line"] == 1


def test_what_generate_prints_is_read_back() -> None:
    printed = mineproof("generate", "9x9x10", "--seed", "5", "--count", "20").text
    made = [mp.measure(mp.generate(9, 9, 10, seed=5, number=number)).bbbv for number in range(20)]
    *each, _ = map(json.loads, mineproof("stats", "--each", "--json", stdin=printed).lines)
    assert [entry["bbbv"] for entry in each] == made
    lines = mineproof("generate", "9x9x10", "--seed", "5", "--count", "20", "--json").text
    *again, _ = map(json.loads, mineproof("stats", "--each", "--json", stdin=lines).lines)
    assert [entry["bbbv"] for entry in again] == made


def test_games_and_a_folder(tmp_path: Path) -> None:
    (tmp_path / "won.json").write_text(WON.save())
    (tmp_path / "lost.json").write_text(LOST.save())
    (tmp_path / "board.txt").write_text(ROWS)
    (tmp_path / ".hidden").write_text("no board")
    done = mineproof("stats", str(tmp_path), "--each", "--json")
    *each, last = map(json.loads, done.lines)
    assert [Path(entry["source"]).name for entry in each] == ["board.txt", "lost.json", "won.json"]
    assert [entry["status"] for entry in each] == [None, "lost", "won"]
    assert (last["layouts"], last["games"], last["won"], last["lost"]) == (1, 2, 1, 1)
    assert last["numbers"]["bbbv"]["count"] == 3
    assert last["numbers"]["bbbv_per_second"] == {
        "count": 2, "mean": 0.75, "min": 0.5, "max": 1.0,
        "quantiles": {"0.05": 0.525, "0.25": 0.625, "0.5": 0.75, "0.75": 0.875, "0.95": 0.975},
    }  # fmt: skip
    assert mineproof("stats", str(tmp_path), "--won", "--json").json()["lost"] == 0


def test_saved_games_one_a_line() -> None:
    answer = mineproof("stats", "--json", stdin=f"{WON.save()}\n{LOST.save()}\n").json()
    assert (answer["won"], answer["lost"]) == (1, 1)


def test_a_replay_without_an_end_is_a_layout() -> None:
    text = "Board:\n*000\n0000\nEvents:\n0.000 lc (56 8)\n0.000 lr (56 8)\n"
    answer = mineproof("stats", "--json", stdin=text).json()
    assert (answer["layouts"], answer["games"]) == (1, 0)


# what is not


def test_what_cannot_be_read_is_reported_and_passed_over(tmp_path: Path) -> None:
    names = {"a.txt": "no board", "b.txt": ROWS, "c.txt": "1#/##", "d.json": finished((0, 3)).save(), "e.txt": ""}
    for name, text in names.items():
        (tmp_path / name).write_text(text)
    paths = [str(tmp_path / name) for name in [*names, "gone.txt"]]
    done = mineproof("stats", *paths, "--json")
    assert done.status == 3
    assert (done.json()["layouts"], done.json()["unread"]) == (1, 5)
    faults = [json.loads(line) for line in done.err.splitlines()]
    assert [fault["source"] for fault in faults] == [path for path in paths if not path.endswith("b.txt")]
    assert {fault["schema"] for fault in faults} == {"mineproof/error/1"}
    done = mineproof("stats", *paths)
    assert (done.status, done.lines[0]) == (3, "1 layout, 5 not read")
    lines = done.err.splitlines()
    assert [line.split(": ")[1] for line in lines] == [path for path in paths if not path.endswith("b.txt")]
    assert "expected a layout or a game, got a position, which does not show the mines" in lines[1]
    assert "expected a finished game, got one in progress" in lines[2]
    assert lines[4].endswith("gone.txt: file not found")


def test_a_layout_that_is_written_out() -> None:
    done = mineproof("stats", "*../...", "--json")
    assert (done.status, done.json()["layouts"]) == (0, 1)
    done = mineproof("stats", "1#/##")
    assert (done.status, done.lines) == (3, ["0 layouts, 1 not read"])
    assert done.err == "mineproof: 1#/##: expected a layout or a game, got a position, which does not show the mines\n"


def test_a_wrong_line_does_not_stop_the_rest() -> None:
    done = mineproof("stats", stdin=f"{ROWS}\n*../..\n{ROWS}\n")
    assert (done.status, done.lines[0]) == (3, "2 layouts, 1 not read")
    assert done.err == "mineproof: standard input:2: expected 3 cells in every row, as in the first, got 2\n"
    lines = "\n".join(["b=32&m=60", "b=32&m=x!", "b=32&m=60"])
    done = mineproof("stats", "--json", stdin=lines)
    assert (done.status, done.json()["layouts"], done.json()["unread"]) == (3, 2, 1)
    assert done.error()["source"] == "standard input:2"


def test_many_faults_are_told_once() -> None:
    done = mineproof("stats", stdin=f"{ROWS}\n" + "*../.\n" * 50)
    assert done.status == 3
    assert len(done.err.splitlines()) == 12
    assert done.err.splitlines()[-1] == "mineproof: 50 files or lines could not be read"


def test_devices_and_endless_files_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    done = mineproof("stats", "/dev/zero")
    assert (done.status, done.err) == (2, "mineproof: /dev/zero: expected a file, got a device\n")
    monkeypatch.setattr("mineproof.cli.stats.FILE_MAX_BYTES", 10)
    done = mineproof("stats", stdin="*" * 20)
    assert done.status == 3
    assert "standard input: expected at most 10 bytes, got more" in done.err


# output


def test_the_text() -> None:
    assert mineproof("stats", stdin=f"{ROWS}\n*../.../...\n").lines == [
        "2 layouts",
        "",
        "            mean  min  25 %  median  75 %  max",
        "3BV         1.50    1   1.2     1.5   1.8    2",
        "openings    1.50    1   1.2     1.5   1.8    2",
        "islands     0.00    0     0       0     0    0",
        "ZiNi        1.50    1   1.2     1.5   1.8    2",
        "human ZiNi  1.50    1   1.2     1.5   1.8    2",
    ]


def test_each_and_games_in_words(tmp_path: Path) -> None:
    path = tmp_path / "g.json"
    path.write_text(WON.save())
    lines = mineproof("stats", str(path), "--each").lines
    told = (
        "won, 3BV 2, openings 1, islands 1, ZiNi 2, human ZiNi 2, seconds 2.00, 3BV/s 1.00, clicks 2, efficiency 100 %"
    )
    assert lines[:3] == [f"{path}: 4 × 2, 1 mine: {told}", "", texts.text("cli-stats-games", 1, won=1, lost=0)]


def test_without_zini() -> None:
    assert set(numbers("--no-zini", stdin=ROWS)) == {"bbbv", "openings", "islands"}


def test_csv() -> None:
    done = mineproof("stats", "--csv", stdin=f"{ROWS}\n*../.../...\n")
    rows = list(csv.DictReader(io.StringIO(done.text)))
    assert [(row["source"], row["line"], row["bbbv"], row["zini"], row["stnb"]) for row in rows] == [
        ("-", "1", "2", "2", ""),
        ("-", "2", "1", "1", ""),
    ]
    assert mineproof("stats", "--csv", "--json", stdin=ROWS).status == 2


@pytest.mark.parametrize("columns", [40, 60, 80])
def test_never_wider_than_the_terminal(columns: int) -> None:
    done = mineproof("stats", "-", stdin=f"{WON.save()}\n{LOST.save()}\n", columns=columns)
    assert [line for line in done.lines if len(line) > columns] == []


def test_nothing_at_all() -> None:
    done = mineproof("stats", stdin="")
    assert done.status == 3
    assert done.lines == ["0 layouts, 1 not read"]
