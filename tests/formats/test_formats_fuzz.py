"""Formats under any input: what is written is read back, and nothing but our own errors ever comes out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mineproof import formats
from mineproof.board import notation
from mineproof.board.board import Board
from mineproof.board.geometry import Topology
from mineproof.errors import BoardSyntaxError, MineproofError
from mineproof.formats.rawvf import games as rawvf_replay
from mineproof.game.game import Game
from mineproof.game.layout import Layout
from support.effort import examples
from support.positions import CLASSIC

pytestmark = pytest.mark.property

NAMES = [None, *formats.FORMATS]
POSITIONS = ["mineproof", "mine", "json", "jsminesweeper"]
LAYOUTS = ["layout", "json", "mbf", "mbf-hex", "ptta", "tatham", "rawvf"]
FOREIGN = [notation.FAIR, notation.MINE, notation.TRUFFLE, notation.MINEDETECTOR, notation.GO, notation.PRINTED]

sides = st.integers(1, 3) | st.integers(1, 12)  # most inputs that could be two things are small


@st.composite
def boards(draw: st.DrawFn, absent: bool = True, kinds: Sequence[Topology] = CLASSIC, total: bool = False) -> Board:
    """Any board at all: nothing says that its numbers can be satisfied."""
    rows, columns = draw(sides), draw(sides)
    codes = [*range(9), 255, 254] + ([247] if absent else [])
    cells = bytes(draw(st.lists(st.sampled_from(codes), min_size=rows * columns, max_size=rows * columns)))
    totals = st.integers(0, len(cells) - cells.count(247))
    return Board(rows, columns, cells, draw(totals if total else st.none() | totals), draw(st.sampled_from(kinds)))


@st.composite
def layouts(draw: st.DrawFn, kinds: Sequence[Topology] = ("grid",), absent: bool = False) -> Layout:
    rows, columns = draw(sides), draw(sides)
    cells = st.tuples(st.integers(0, rows - 1), st.integers(0, columns - 1))
    start, mines = draw(cells), draw(st.frozensets(cells))
    missing = draw(st.frozensets(cells)) - mines - {start} if absent else frozenset()
    return Layout(rows, columns, mines, start, draw(st.sampled_from(kinds)), missing, absent and draw(st.booleans()))


@settings(max_examples=examples(1000))
@given(st.text("01258.#F~/\n", max_size=12) | st.text("018.#F~/\n xX*", max_size=8))
def test_what_is_told_at_a_glance_is_what_all_formats_would_be_tried_for(text: str) -> None:
    def taken() -> list[str]:
        found = []
        for sniff in (formats.detection.sniff, notation.sniff):
            try:
                found.append(sniff(text))
            except BoardSyntaxError as error:
                found.append(str(error))
        return found

    quick = taken()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(notation, "is_plain", lambda _: False)
        assert quick == taken()


def mines_alone(layout: Layout) -> Layout:
    """What is left of a layout in formats without a place for the first click and how it was made."""
    return Layout(layout.rows, layout.columns, layout.mines, None, layout.topology, layout.absent)


# there and back


@given(boards())
def test_any_board_survives_its_text(board: Board) -> None:
    assert Board.parse(str(board)) == board
    assert Board.parse(str(board), alphabet="mineproof") == board
    assert Board.parse(str(board).replace("\n", " / ")) == board


@given(boards())
def test_any_board_survives_our_formats(board: Board) -> None:
    for name in ("mineproof", "json"):
        reading = formats.read(formats.write(board, name))
        assert (reading.format, reading.value) == (name, board)


@given(boards(absent=False, kinds=("grid",), total=True))
def test_a_plain_board_survives_every_position_format(board: Board) -> None:
    for name in POSITIONS:
        assert formats.read(formats.write(board, name)).value == board
        assert formats.read(formats.write(board, name), name).value == board


@given(layouts(tuple(CLASSIC), absent=True))
def test_any_layout_survives_our_formats(layout: Layout) -> None:
    assert formats.read(formats.write(layout, "json")).value == layout
    reading = formats.read(formats.write(layout, "layout"))
    told = layout.start is not None and layout.no_guess and layout.start not in layout.mines
    assert (reading.format, reading.value) == ("layout", layout if told else mines_alone(layout))


@given(layouts())
def test_a_plain_layout_survives_every_layout_format(layout: Layout) -> None:
    for name in LAYOUTS:
        whole = name in ("json", "tatham") or (
            name == "layout" and layout.no_guess and layout.start not in {None, *layout.mines}
        )
        expected = layout if whole else mines_alone(layout)
        written = formats.write(layout, name)
        assert formats.read(written, name).value == expected
        reading = formats.read(written)
        assert (reading.format, reading.value) == (name, expected)


@given(boards(absent=False, kinds=("grid",)), st.sampled_from(FOREIGN), st.booleans())
def test_a_board_is_read_in_every_alphabet(board: Board, alphabet: notation.Alphabet, bytewise: bool) -> None:
    """Written here by hand, with the first symbol of each kind."""
    signs = {255: alphabet.covered[0], 254: alphabet.flagged[0], 0: alphabet.zero[-1]}
    rows = [board.codes[at : at + board.columns] for at in range(0, len(board.codes), board.columns)]
    lines = [[signs.get(code, str(code)) for code in row] for row in rows]
    match alphabet:
        case notation.GO:
            text = "\n".join(f"| {' | '.join(line)} |" for line in lines)
        case notation.PRINTED:
            text = "\n".join("".join(f"{sign} " for sign in line) for line in lines)
        case _:
            text = "\n".join("".join(line) for line in lines)
    data = text.encode() if bytewise else text
    value = formats.read(data, alphabet.name).value
    assert isinstance(value, Board)
    assert value.codes == board.codes
    assert (value.rows, value.columns) == (board.rows, board.columns)


# anything at all

SYMBOLS = "0123456789xX×/#F.~?HM*_CB-+|\n\r\t ,:nmuabcdefzZ=&{}[]\"'%"
texts = st.text() | st.text(SYMBOLS) | st.from_regex(r"\A[0-9]{1,3}x[0-9]{1,3}[x:n][^\x00]{0,40}\Z")
inputs = st.binary() | texts | texts.map(lambda text: text.encode("utf-8", "surrogatepass"))


def answer(data: bytes | str, name: str | None, **given_besides: Any) -> formats.FormatReading | MineproofError:
    try:
        return formats.read(data, name, **given_besides)
    except MineproofError as error:
        return error


def read_or_refuse(data: bytes | str, name: str | None, **given_besides: Any) -> None:
    found = answer(data, name, **given_besides)
    if isinstance(found, MineproofError):
        assert isinstance(found, BoardSyntaxError)
        assert 0 < len(str(found)) < 1000
    else:
        assert isinstance(found.value, (Board, Layout))
        assert found.format in formats.FORMATS
        assert found.note


@pytest.mark.parametrize("name", NAMES)
@given(data=inputs)
@settings(max_examples=examples(300))
def test_only_our_own_errors_come_out(name: str | None, data: bytes | str) -> None:
    read_or_refuse(data, name)


@given(inputs, st.tuples(st.integers(-1, 4), st.integers(-1, 4)), st.none() | st.integers(-1, 9))
def test_only_our_own_errors_come_out_with_options(data: bytes | str, size: tuple[int, int], total: int | None) -> None:
    for name in (None, "minedetector", "mineproof"):
        read_or_refuse(data, name, size=size, total_mines=total, topology="torus")


VALID: list[bytes | str] = [
    *(formats.write(Board.parse("4x3x2/#100/F210/##10"), name) for name in POSITIONS),
    *(formats.write(Layout(3, 4, frozenset({(0, 0), (2, 3)}), (1, 1)), name) for name in LAYOUTS),
    "| - | 1 |\n| * |   |", "X 1 \n#   ", "9x9:4,4,m00b7d48a3e0231c419200",
    "https://example.org/?analysis=ajajaaakZS&x=1", "5x4x? hex\n#####\n#####\n#####\n#####",
]  # fmt: skip


@pytest.mark.parametrize("whole", VALID, ids=lambda whole: repr(whole)[:24])
@given(draw=st.data())
@settings(max_examples=examples(150))
def test_a_damaged_input_is_read_or_refused(whole: bytes | str, draw: st.DataObject) -> None:
    data = whole.encode() if isinstance(whole, str) else whole
    patches = st.binary(max_size=2) | st.text(SYMBOLS, max_size=2).map(str.encode)
    for _ in range(draw.draw(st.integers(1, 3))):
        at, length = draw.draw(st.integers(0, len(data))), draw.draw(st.integers(0, 3))
        data = data[:at] + draw.draw(patches) + data[at + length :]
    read_or_refuse(data, draw.draw(st.sampled_from(NAMES)))
    read_or_refuse(data, None)


@given(st.text(SYMBOLS), st.none() | st.sampled_from(list(notation.ALPHABETS)))
def test_a_place_named_in_an_error_is_in_the_text(text: str, alphabet: str | None) -> None:
    line, column = place_of_mistake(text, alphabet)
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    assert 1 <= line <= len(lines)
    assert 1 <= column <= len(lines[line - 1]) + 1


def place_of_mistake(text: str, alphabet: str | None) -> tuple[int, int]:
    """Line and column of the error, (1, 1) where there is none."""
    try:
        notation.read(text, alphabet)
    except BoardSyntaxError as error:
        return error.line or 0, error.column or 0
    return 1, 1


# replays

BUTTONS = ["lc", "lr", "rc", "rr", "mc", "mr", "sc", "mt", "mv"]
KEYS = ["Marks: On", "SuperClick: On", "ElmarTechnique: On", "ChordRule: at-least", "FirstClick: open", "Time: 9.5"]
events = st.builds(
    "{:.3f} {} {} {} ({} {})".format,
    st.floats(-1, 99),
    st.sampled_from(BUTTONS),
    *[st.integers(0, 5)] * 2,
    *[st.integers(-16, 80)] * 2,
)


@given(layouts(), st.lists(events, max_size=40), st.sets(st.sampled_from(KEYS)))
def test_whatever_the_mouse_did_is_a_game(layout: Layout, lines: list[str], keys: set[str]) -> None:
    """The reader leaves out what the rules do not allow, and the game knows nothing of the reader."""
    board = str(layout).replace(".", "0")
    record = rawvf_replay.read_record("\n".join([*sorted(keys), "Board:", board, "Events:", *lines]))
    game = Game.replay(record)
    assert game.status == record.status
    if game.is_over:
        again = Game.replay(rawvf_replay.read_record(rawvf_replay.write_record(record)))
        assert (again.board, again.status, again.ms) == (game.board, game.status, game.ms)


@given(draw=st.data())
@settings(max_examples=examples(150))
def test_a_damaged_replay_is_a_game_or_refused(draw: st.DataObject) -> None:
    text = "Marks: On\nBoard:\n*000\n0000\n000*\nEvents:\n0.01 lc 4 1 (50 3)\n0.02 lr 4 1 (50 3)\n1.5 rc 1 1 (3 3)\n"
    for _ in range(draw.draw(st.integers(1, 3))):
        at, length = draw.draw(st.integers(0, len(text))), draw.draw(st.integers(0, 3))
        text = text[:at] + draw.draw(st.text(max_size=2) | st.text(SYMBOLS, max_size=2)) + text[at + length :]
    try:
        record = rawvf_replay.read_record(text)
    except BoardSyntaxError:
        return
    assert Game.replay(record).status == record.status


# what people paste

COVERED, FLAGGED, ABSENT = 255, 254, 247
SIGNS: list[dict[int, str]] = [  # for covered cells, flags and open cells without a number
    {COVERED: "#", FLAGGED: "F", 0: "0"},
    {COVERED: "■", FLAGGED: "⚑", 0: "0"},
    {COVERED: "🟦", FLAGGED: "🚩", 0: "０"},
    {COVERED: "-1", FLAGGED: "-2", 0: "0"},
    {COVERED: "None", FLAGGED: "-2", 0: "0"},
]
NESTED = [("[", ", ", "]", "[{}]", ", "), ("[", " ", "]", "[{}]", "\n "), ("{", ",", "}", "{{{}}}", ",\n")]
JOINED = [" ", "\t", ",", ", ", ";", " | ", "  ", "\u00a0"]
AROUND = ["{}", "```\n{}\n```", "\x1b[1m{}\x1b[0m", "\ufeff{}\n", "Can somebody help me with this one?\n{}\nThank you!"]


@st.composite
def dressed(draw: st.DrawFn) -> tuple[str, Board]:
    """A board, and the same in a random dress that leaves no doubt."""
    rows, columns = draw(st.integers(1, 6)), draw(st.integers(2, 7))
    codes = bytes(
        draw(st.lists(st.sampled_from([*range(9), COVERED, FLAGGED]), min_size=rows * columns, max_size=rows * columns))
    )
    codes = bytes([COVERED]) + codes[1:]  # neither the first row nor the first column counts upwards
    signs = draw(st.sampled_from(SIGNS))
    cells = [[signs.get(code, str(code)) for code in codes[at : at + columns]] for at in range(0, len(codes), columns)]
    if draw(st.booleans()):
        begin, joined, end, whole, between = draw(st.sampled_from(NESTED))
        text = whole.format(between.join(begin + joined.join(row) + end for row in cells))
    else:
        joined, between = draw(st.sampled_from(JOINED)), draw(st.sampled_from(["\n", "\n\n", "\r\n"]))
        prefix = draw(st.sampled_from(["", "> ", "    "]))
        text = between.join(prefix + joined.join(row) for row in cells)
    return draw(st.sampled_from(AROUND)).format(text), Board(rows, columns, codes)


@given(dressed())
@settings(max_examples=examples(400))
def test_a_board_in_any_dress_is_that_board(case: tuple[str, Board]) -> None:
    text, board = case
    assert formats.read(text).value == board
    assert Board.parse(text) == board
    assert formats.read(text.encode()).value == board


PASTED = "0123456789#F.-_*?xX |,;:[](){}\"'<>&`\n\t\u00a0\ufe0f\u20e3\x1b⬜⬛🟦🚩①│─┌ABSMG"


@given(st.text(PASTED, max_size=60) | st.lists(st.sampled_from([
    "# # #", "1 2 1", "|1|#|", "+--+", "---", "0 1 2", "S safe", "Mines 3  Time 0:01", "[[1,2],", "<td>", "</tr>", "",
    "words", "3x2x1", "2 mines", "```", "> 1#", "||1||", ":one:", "{\"cells\":", "\x1b[0m", "0 # #", "&nbsp;",
    "<img alt=1>",
]), max_size=8).map("\n".join))  # fmt: skip
@settings(max_examples=examples(1500))
def test_pasted_junk_is_read_or_refused(text: str) -> None:
    for name in (None, "pasted"):
        read_or_refuse(text, name)
    error = answer(text, None)
    if isinstance(error, BoardSyntaxError) and error.line is not None and error.column is not None:
        lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        assert 1 <= error.line <= len(lines)
        assert 1 <= error.column <= len(lines[error.line - 1]) + 1
