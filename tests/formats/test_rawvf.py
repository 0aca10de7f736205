"""RAWVF replays: what the mouse did becomes moves, and a finished game becomes a replay that plays the same."""

import random
import re
from dataclasses import replace

import pytest

from mineproof import formats
from mineproof.errors import BoardSyntaxError, IllegalMoveError
from mineproof.formats import rawvf
from mineproof.formats.rawvf import games as rawvf_replay
from mineproof.game.game import Game
from mineproof.game.layout import Layout
from mineproof.game.record import Move, Record
from mineproof.game.rules import MOVE_KINDS, Rules
from support import texts

# As a converter of replays writes it, with moves of the mouse, cells as they opened, and clicks for nothing.
REPLAY = """\
RawVF_Version: Rev6
Program: Minesweeper Arbiter
Version: 0.52.3
Player: Ann: "the miner"
Level: Custom
Width: 4
Height: 3
Mines: 2
Marks: Off
Time: 1.100
BBBV: 2
BBBVS: 0.438
Timestamp: 15.11.2020.10:00:00
Mode: Classic
Skin: bilbo
Board:
*000
0000
000*
Events:
0.000 mv 4 1 (50 3)
-0.200 lc 4 1 (50 3)
0.010 lr 4 1 (50 3)
number0 4 1
0.010 start
0.500 rc 1 1 (3 3)
flag 1 1
0.620 rr 1 1 (3 3)
1.00 lc 2 2 (20 20)
1.05 rc 2 2 (20 20)
1.10 lr 2 2 (20 20)
1.10 rr 2 2 (20 20)
2.000 lc 2 2 (20 20)
2.100 lr 2 2 (20 20)
3.000 lc 3 3 (40 40)
3.100 lr 3 3 (40 40)
3.100 Solved 3BV: 2 of 2
4.400 lc 1 3 (3 40)
4.500 lr 1 3 (3 40)
4.560 won
5.000 lc 4 3 (50 40)
5.100 lr 4 3 (50 40)
"""
MOVES = (Move("open", (0, 3), 10), Move("flag", (0, 0), 500), Move("chord", (1, 1), 1100))


def record_of(text: str) -> Record:
    return rawvf_replay.read_record(text)


def sheet(events: str, board: str = "*000/0000/000*", **keys: str) -> str:
    """A replay of a few events, separated by ``/``, half a second each: ``lc 1 1 / lr 1 1``."""
    lines = [f"{key}: {value}" for key, value in keys.items()] + ["Board:", *board.split("/"), "Events:"]
    for number, event in enumerate(filter(None, map(str.strip, events.split("/")))):
        lines.append(f"{number / 2:.3f} {event}")
    return "\n".join(lines)


def played(events: str, board: str = "*000/0000/000*", **keys: str) -> list[tuple[str, tuple[int, int]]]:
    moves = record_of(sheet(events, board, **keys)).moves
    return [(move.kind, move.cell) for move in moves if move.cell is not None]


def click(column: int, row: int, button: str = "l") -> str:
    return f"{button}c {column} {row} / {button}r {column} {row} / "


# reading


def test_a_whole_replay() -> None:
    record = record_of(REPLAY)
    assert record.layout == Layout(3, 4, frozenset([(0, 0), (2, 3)]))
    assert record.moves == MOVES
    assert (record.status, record.over, record.won, record.ms) == ("won", True, True, 1100)
    assert record.rules == Rules("safe", "none", "equal")
    game = Game.replay(record)
    assert (game.status, game.seconds, game.layout.mines) == ("won", 1.1, record.layout.mines)


def test_the_row_in_the_table_of_formats_gives_the_layout() -> None:
    reading = formats.read(REPLAY)
    assert (reading.format, reading.value) == ("rawvf", Layout(3, 4, frozenset([(0, 0), (2, 3)])))
    assert reading.note == "layout of a RAWVF replay"


@pytest.mark.parametrize(
    "text",
    [
        REPLAY.replace("\n", "\r\n"),
        REPLAY.replace("\n", "\r"),
        "\ufeff" + REPLAY,
        REPLAY.replace("Board:", "board: ").replace("Events:", "EVENTS:").replace("Width", "width"),
        REPLAY.replace(" lc ", "  LC "),
        "Description:\n" + REPLAY,
        re.sub(r"(?m)^(?!Board|Events)[A-Z].*: .*\n", "", REPLAY),
        REPLAY.replace("Time: 1.100\n", "").replace("Events:", "Time: 1.100\n\nStatus: Won\nEvents:"),
        REPLAY.replace(".000", ".0"),
        REPLAY.replace("Events:\n", ""),
        REPLAY.replace("Events:", ""),
    ],
)
def test_what_makes_no_difference(text: str) -> None:
    assert formats.read(text).format == "rawvf"
    assert record_of(text).moves == MOVES


def test_names_may_be_in_any_encoding() -> None:
    assert rawvf_replay.read_replay(
        rawvf.decode_replay(REPLAY.replace("Ann", "王五").encode("gb18030"))
    ).player.startswith("王五")
    data = REPLAY.replace('Ann: "the miner"', "王五").encode("gb18030")
    reading = formats.read(data)
    assert (reading.format, reading.value.total_mines) == ("rawvf", 2)
    assert formats.read(REPLAY.encode("utf-16")).format == "rawvf"
    assert formats.read(data, "rawvf").value == reading.value


def test_a_game_that_does_not_end_is_on() -> None:
    record = record_of(sheet(click(4, 1)))
    assert (record.status, record.over, record.ms) == ("running", False, 500)
    assert record_of(sheet("")).status == "new"


def test_a_first_click_is_protected_unless_it_loses() -> None:
    assert record_of(sheet(click(4, 1))).rules.first_click == "safe"
    lost = record_of(sheet(click(1, 1)))
    assert (lost.rules.first_click, lost.status) == ("any", "lost")
    by_chord = record_of(sheet(click(2, 2) + click(1, 2, "r") + click(2, 2, "m")))
    assert (by_chord.rules.first_click, by_chord.status) == ("safe", "lost")
    assert record_of(sheet(click(4, 1), FirstClick="open")).rules.first_click == "open"


def test_times_never_run_backwards() -> None:
    text = "Board:\n*00\nEvents:\n-1.500 lc 3 1 (40 3)\n-1.250 lr 3 1 (40 3)\n"
    assert [move.ms for move in record_of(text).moves] == [0]
    text = "Board:\n*0*0\nEvents:\n3.5 lc 2 1 (20 3)\n3.5 lr 2 1 (20 3)\n2 lc 4 1 (50 3)\n2 lr 4 1 (50 3)\n"
    assert [move.ms for move in record_of(text).moves] == [3500, 3500]


def test_times_are_of_the_clock_of_the_game() -> None:
    text = "Board:\n*0*0\nEvents:\n1 rc 1 1\n1 rr 1 1\n3.5 lc 2 1\n3.5 lr 2 1\n5 lc 4 1\n5.25 lr 4 1\n"
    record = record_of(text)
    assert ([move.ms for move in record.moves], record.status, record.ms) == ([1000, 3500, 5250], "won", 5250)
    assert record_of(text[: text.index("\n5 lc")]).ms == 3500
    not_begun = record_of(text[: text.index("\n3.5")])
    assert ([move.ms for move in not_begun.moves], not_begun.ms) == ([0], 0)


def notes_of(text: str) -> tuple[str, ...]:
    return rawvf_replay.read_replay(text).notes


def test_what_the_header_states_is_not_believed() -> None:
    assert notes_of(REPLAY) == ()
    assert notes_of(REPLAY.replace("Time: 1.100", "Time: 4.560")) == (
        texts.text("replay-time-taken", stated="4.560", actual="1.100"),
    )
    assert record_of(REPLAY.replace("Time: 1.100", "Time: 4.560")).ms == 1100
    assert notes_of(REPLAY.replace("BBBV: 2", "BBBV: 9")) == (texts.text("replay-bbbv", stated=9, actual=2),)
    assert notes_of(REPLAY.replace("Level: Custom", "Level: Expert")) == (
        texts.text("replay-level", stated="expert", actual="4 × 3, 2 mines"),
    )


def test_falling_times_have_a_note() -> None:
    text = "Board:\n*0*0\nEvents:\n3.5 lc 2 1 (20 3)\n2 lr 2 1 (20 3)\n"
    assert notes_of(text) == (texts.text("replay-time-falls", after="2.000", before="3.500"),)


@pytest.mark.slow
def test_there_are_bounds() -> None:
    text = "Board:\n*0*0\nEvents:\n"
    with pytest.raises(BoardSyntaxError, match="expected at most 1,000,000 lines in a replay, got more"):
        record_of(text + "\n" * 1_000_000)
    with pytest.raises(BoardSyntaxError, match="line 100004: expected at most 100,000 button events, got more"):
        record_of(text + "1 lc 2 1\n" * 100_001)


def test_a_replay_of_a_no_guess_board_says_so() -> None:
    for mode in ("NG", "Classic NG", "no guess"):
        assert record_of(sheet("", Mode=mode)).layout.no_guess
    assert not record_of(sheet("", Mode="Classic")).layout.no_guess


# where


def test_cells_may_be_told_by_pixels_alone() -> None:
    assert played("lc (50 3) / lr (63 15)") == [("open", (0, 3))]
    assert played("lc (100 3) / lr (100 40)", SquareSize="32") == [("open", (1, 3))]


def test_cells_that_are_counted_from_0_are_noticed() -> None:
    assert played("lc 3 0 (50 3) / lr 3 0 (50 3)") == [("open", (0, 3))]
    assert played("lc 2 1 (140 70) / lr 3 1 (200 70)", SquareSize="64") == [("open", (1, 3))]
    assert played("lc 3 1 (50 3) / lr 3 1 (50 3)") == [("open", (0, 2))], "other pixels: the cells are believed"


@pytest.mark.parametrize("place", ["5 1 (70 3)", "0 1 (-3 3)", "(70 3)", "(3 -20)", "4 4 (50 60)"])
def test_nothing_happens_outside_the_board(place: str) -> None:
    for button in "lrm":
        events = f"{click(2, 2)} {button}c {place} / {button}r {place}"
        assert played(events) == [("open", (1, 1))]
    assert played(f"lc 4 1 (50 3) / lr {place}") == []
    assert played(f"{click(2, 2)} lc {place} / lr 4 1 (50 3)") == [("open", (1, 1)), ("open", (0, 3))]


# what the buttons do


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        (click(2, 2), "open"),
        ("lr 2 2", ""),
        ("lc 4 1 / mv 3 2 / lr 2 2", "open"),
        (click(2, 2, "r"), "flag"),
        (click(2, 2, "r") * 2, "flag flag"),
        (click(2, 2, "r") + click(2, 2), "flag"),
        (click(2, 2) * 2, "open"),
        (click(2, 2) + click(2, 2, "r"), "open"),
        (click(2, 2, "m"), ""),
        ("mc 2 2 / lc 2 2 / lr 2 2 / rc 2 2 / rr 2 2 / mr 4 1", ""),
        ("lc 2 2 / rc 2 2 / lr 2 2 / rr 2 2", ""),
        ("lc 2 2 / rc 2 2 / rr 2 2 / lr 2 2", ""),
        ("lc 2 2 / rc 2 2 / rr 2 2 / lr 2 2 / " + click(2, 2), "open"),
        ("rc 2 2 / lc 2 2 / lr 2 2 / rr 2 2", "flag"),
        ("lc 2 2 / mc 2 2 / mr 2 2 / lr 2 2", ""),
    ],
)
def test_one_cell(events: str, expected: str) -> None:
    assert played(events) == [(kind, (1, 1)) for kind in expected.split()]


@pytest.mark.parametrize(
    "chord",
    [
        "mc 2 2 / mr 2 2",
        "sc 2 2 / lr 2 2",
        "lc 2 2 / rc 2 2 / lr 2 2 / rr 2 2",
        "lc 2 2 / rc 2 2 / rr 2 2 / lr 2 2",
        "rc 2 2 / lc 2 2 / lr 2 2 / rr 2 2",
        "rc 2 2 / lc 2 2 / rr 2 2 / lr 2 2",
        "mc 4 1 / mr 2 2",
    ],
)
def test_ways_to_chord(chord: str) -> None:
    start = click(2, 2) + click(1, 1, "r")
    assert played(start + chord) == [("open", (1, 1)), ("flag", (0, 0)), ("chord", (1, 1))]
    assert played(click(2, 2) + chord) == [("open", (1, 1))], "without the flag"
    assert played(click(2, 2) + click(1, 1, "r") + click(2, 1, "r") + chord)[3:] == [], "with one too many"


def test_a_flag_and_a_chord_in_one_motion() -> None:
    events = click(2, 2) + "rc 1 1 / lc 2 2 / lr 2 2 / rr 2 2"
    assert played(events)[1:] == [("flag", (0, 0)), ("chord", (1, 1))]


def test_rules_of_clones() -> None:
    start = click(2, 2) + click(1, 1, "r")
    assert played(start + click(2, 2), SuperClick="On")[2:] == [("chord", (1, 1))]
    assert played(start + click(2, 2), SuperClick="Off")[2:] == []
    assert played("lc 2 2", ElmarTechnique="on") == [("open", (1, 1))]
    extra = click(2, 2) + click(1, 1, "r") + click(3, 3, "r") + click(2, 2, "m")
    assert played(extra)[3:] == []
    assert played(extra, ChordRule="at-least")[3:] == [("chord", (1, 1))]


def test_question_marks() -> None:
    right = click(1, 1, "r")
    assert [kind for kind, _ in played(right * 4)] == ["flag"] * 4
    for key in ("Marks", "QuestionMarks"):
        assert [kind for kind, _ in played(right * 4, **{key: "On"})] == ["flag", "question", "question", "flag"]
    assert [kind for kind, _ in played(right * 2 + "mt / " + right, Marks="On")] == ["flag", "question", "flag"]
    assert [kind for kind, _ in played("mt / " + right * 2)] == ["flag", "question"]
    record = record_of(sheet(click(2, 2, "r") * 2 + click(2, 2), Marks="On"))
    assert Game.replay(record).board[1, 1] == 1, "a cell with a question mark can be opened"


# mistakes


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("Skin: bilbo", "Skin", 15, "line 15: expected 'Key: value', 'Board:' or 'Events:', got 'Skin'"),
        ("0000\n", "00x0\n", 18, "line 18, character 3: expected * or 0, got 'x'"),
        ("0000\n", "000\n", 18, "line 18: expected 4 cells as in the rows above, got 3"),
        ("Width: 4", "Width: 5", 6, "line 6: expected 5 on the board as Width says, got 4"),
        ("Height: 3", "Height: 4", 7, "line 7: expected 4 on the board as Height says, got 3"),
        ("Mines: 2", "Mines: 3", 8, "line 8: expected 3 on the board as Mines says, got 2"),
        ("Mines: 2", "Mines: two", 8, "line 8: Mines must be a whole number, got 'two'"),
        ("Time: 1.100", "Time: soon", 10, "line 10: Time must be seconds such as 12.345, got 'soon'"),
        ("0.500 rc 1 1 (3 3)", "0.500 xx 1 1 (3 3)", 26, "expected one of lc lr rc rr mc mr sc mt mv, got 'xx'"),
        ("0.500 rc 1 1 (3 3)", "0.500 rc 1", 26, "expected a place such as 3 5 (40 72), got '1'"),
        ("0.500 rc 1 1 (3 3)", "0.500 rc", 26, "expected a place such as 3 5 (40 72), got ''"),
        ("0.500 rc 1 1 (3 3)", "0.5.0 rc 1 1", 26, "expected an event such as 1.250 lc 3 5 (40 72)"),
        ("flag 1 1", "reset 1 1", 27, "the board changes during the game"),
        ("flag 1 1", "Board:", 27, "line 27: expected one game with one board, got a second 'Board:'"),
        ("flag 1 1", "Description:", 27, "line 27: expected one game with one board, got a second 'Description:'"),
        ("Skin: bilbo", "Status: lost", 15, "the header says 'lost', but after its events the game is won"),
        ("Skin: bilbo", "SuperFlag: On", 15, "expected the classic rules, got SuperFlag: on"),
        ("Skin: bilbo", "Lives: 3", 15, "expected the classic rules, got Lives: 3"),
        ("Skin: bilbo", "FirstClick: lucky", 15, "line 15: FirstClick must be one of any, safe, open, got 'lucky'"),
    ],
)
def test_a_mistake_has_a_line(old: str, new: str, line: int, words: str) -> None:
    text = REPLAY.replace(old, new, 1)
    with pytest.raises(BoardSyntaxError) as caught:
        record_of(text)
    assert caught.value.line == line
    assert words in str(caught.value)


def test_an_end_that_does_not_come_is_a_mistake() -> None:
    with pytest.raises(BoardSyntaxError, match="the header says 'won', but after its events the game is not over"):
        record_of(sheet(click(2, 2), Status="Won"))
    with pytest.raises(BoardSyntaxError, match="the header says 'won', but after its events the game is lost"):
        record_of(sheet(click(1, 1), Status="won"))
    assert record_of(sheet(click(2, 2), Status="lost")).status == "running", "given up"


def test_without_a_board_it_is_no_replay() -> None:
    for text in ("", "Width: 3", "Board:\nEvents:\n"):
        with pytest.raises(BoardSyntaxError, match=r"expected 'Board:' and rows of \* and 0, got no board"):
            record_of(text)


def test_a_layout_is_read_whatever_the_rules_were() -> None:
    assert formats.read(sheet("zz", SuperFlag="on", Status="won"), "rawvf").value.total_mines == 2


# writing


def test_a_replay_as_it_is_written() -> None:
    game = Game(Layout(3, 4, frozenset([(0, 0), (2, 3)])), clock=iter(range(100)).__next__)
    game.open(0, 3)
    game.flag(0, 0)
    game.flag(2, 0)
    game.undo()
    game.chord(1, 1)
    text = rawvf_replay.write_record(game.record())
    assert text == "\n".join(
        [
            "RawVF_Version: Rev6",
            "Program: mineproof",
            re.search("Version: [0-9].*", text)[0],  # type: ignore[index]
            "Level: Custom",
            "Width: 4",
            "Height: 3",
            "Mines: 2",
            "Marks: Off",
            "BBBV: 2",
            f"Time: {game.ms // 1000}.000",
            "Solved3BV: 2",
            "Status: won",
            "Mode: Classic",
            "Board:",
            "*000",
            "0000",
            "000*",
            "Events:",
            *(
                f"{move.ms // 1000}.000 {button}{part} {column} {row} ({16 * column - 8} {16 * row - 8})"
                for move, button, column, row in zip(game.line, "lrm", (4, 1, 2), (1, 1, 2), strict=True)
                for part in "cr"
            ),
        ]
    )


def test_a_running_game_is_not_written() -> None:
    game = Game(Layout(2, 3, frozenset([(0, 0)])))
    for cell in ((0, 1), (0, 2), (1, 0)):
        with pytest.raises(IllegalMoveError, match=r"The game is not over\. Its replay would show the mines"):
            rawvf_replay.write_record(game.record())
        game.open(*cell)
    assert "Status: won" in rawvf_replay.write_record(game.record())


def test_levels_have_names() -> None:
    sizes = {"Beginner": (9, 9, 10), "Intermediate": (16, 16, 40), "Expert": (16, 30, 99), "Custom": (9, 9, 11)}
    for name, (rows, columns, mines) in [*sizes.items(), ("Beginner", (8, 8, 10))]:
        layout = Layout(rows, columns, frozenset(divmod(index, columns) for index in range(mines)))
        assert f"Level: {name}\n" in rawvf.write(layout)


def test_what_a_replay_cannot_hold_is_refused() -> None:
    for layout in (Layout(2, 3, frozenset(), topology="hex"), Layout(2, 3, frozenset(), absent=frozenset([(0, 0)]))):
        game = Game(layout)
        game.open(1, 1)
        with pytest.raises(BoardSyntaxError, match="rawvf"):
            rawvf_replay.write_record(game.record())
        with pytest.raises(BoardSyntaxError, match="rawvf"):
            formats.write(layout, "rawvf")


def test_a_record_that_cannot_be_is_not_written() -> None:
    layout = Layout(1, 3, frozenset([(0, 0)]))
    record = Record(layout, moves=(Move("open", (0, 2), 0),), over=True, won=True)
    assert rawvf_replay.write_record(record)
    for moves, words in [
        ((Move("open", (0, 3), 0),), "is not on the board"),
        ((Move("open", (0, 2), 0), Move("flag", (0, 0), 0)), "the rules do not allow it"),
        ((Move("chord", (0, 2), 0),), "the rules do not allow it"),
        ((Move("flag", (0, 2), 0),), "expected a game won, but after its moves it is not over"),
        ((Move("open", (0, 0), 0),), "expected a game won, but after its moves it is lost"),
    ]:
        with pytest.raises(BoardSyntaxError, match=words):
            rawvf_replay.write_record(replace(record, moves=moves))


def random_game(rng: random.Random, seed: int) -> Game:
    """Anything a player may do, for a while, on a small board; a clock that goes by odd steps."""
    rows, columns = rng.randint(1, 5), rng.randint(2, 6)
    cells = [(row, column) for row in range(rows) for column in range(columns)]
    now = [0.0]
    game = Game(
        Layout(rows, columns, frozenset(rng.sample(cells, rng.randint(0, len(cells) // 3)))),
        first_click=rng.choice(["any", "safe", "open"]),
        fairness=rng.choice(["none", "none", "forced", "kind", "strict"]),
        chord_rule=rng.choice(["equal", "at-least"]),
        seed=seed,
        clock=lambda: now[0],
    )
    for _ in range(120):
        now[0] += rng.random()
        kind = rng.choices(MOVE_KINDS, [4, 3, 1, 6, 1])[0]
        try:
            game.play(kind, None if kind == "undo" else rng.choice(cells))
        except IllegalMoveError:
            continue
        if game.is_over and rng.random() < 0.6:
            break
    return game


@pytest.mark.slow
def test_a_game_survives_being_written_and_read() -> None:
    rng = random.Random(7)
    over = [game for game in (random_game(rng, seed) for seed in range(300)) if game.is_over]
    assert len(over) > 150
    assert sum(game.redraws > 0 for game in over) > 10
    assert {game.status for game in over} == {"won", "lost"}
    for game in over:
        text = rawvf_replay.write_record(game.record())
        again = Game.replay(record_of(text))
        assert again.board == game.board
        assert (again.status, again.ms, again.layout.mines) == (game.status, game.ms, game.layout.mines)
        assert (again.questions, again.exploded) == (game.questions, game.exploded)
        assert again.rules.chord_rule == game.rules.chord_rule
        assert rawvf_replay.write_record(again.record()).split("Board:")[1] == text.split("Board:")[1]
