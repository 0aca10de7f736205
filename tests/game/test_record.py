"""A saved game: the same back, nothing shown while it runs, and mistakes named by their key."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import pytest

from mineproof.board.board import Board
from mineproof.errors import BoardSyntaxError
from mineproof.game.help import HelpUsed
from mineproof.game.layout import Layout
from mineproof.game.record import GameExtras, Move, Record, from_json, moves_in_effect, read_extras, to_json
from mineproof.game.rules import Rules

LAYOUT = Layout(2, 3, frozenset([(0, 2), (1, 0)]), (0, 0))
MOVES = (Move("flag", (0, 2), 0), Move("open", (0, 0), 0), Move("undo", None, 1200), Move("open", (0, 0), 1300))
RECORD = Record(LAYOUT, Rules("safe", "forced", "at-least"), 7, MOVES, {1: frozenset([(0, 2), (1, 1)])}, ms=2000)


def test_the_shape_of_a_game_that_is_over() -> None:
    """Bits of the layout: 001 then 100, so 0b00110000; of the redraw: 001 then 010."""
    over = dataclasses.replace(RECORD, over=True)
    assert json.loads(to_json(over)) == {
        "schema": "mineproof/game/1", "rows": 2, "columns": 3, "total_mines": 2, "topology": "grid", "start": [0, 0],
        "first_click": "safe", "fairness": "forced", "chord_rule": "at-least", "seed": 7, "status": "lost", "ms": 2000,
        "sealed": False, "layout": "30",
        "moves": [["flag", 0, 2, 0], ["open", 0, 0, 0], ["undo", 1200], ["open", 0, 0, 1300]], "redraws": [[1, "28"]],
    }  # fmt: skip
    assert from_json(to_json(over)) == over


def test_a_running_game_is_sealed() -> None:
    document = json.loads(to_json(RECORD))
    assert (document["status"], document["sealed"]) == ("running", True)
    assert document["layout"] != "30"
    assert document["redraws"][0][1] != "28"
    assert from_json(to_json(RECORD)) == RECORD


@pytest.mark.parametrize(
    "layout",
    [
        Layout(1, 1, frozenset()),
        Layout(3, 3, frozenset([(2, 2)]), None, "torus", frozenset([(0, 0), (1, 1)])),
        Layout(4, 5, frozenset([(0, 0), (3, 4)]), (1, 1), "hex", no_guess=True),
        Layout(100, 101, frozenset((row, row) for row in range(100))),
    ],
)
@pytest.mark.parametrize(("over", "won"), [(False, False), (True, False), (True, True)])
def test_every_layout_comes_back(layout: Layout, over: bool, won: bool) -> None:
    record = Record(layout, seed=2**64 - 1, over=over, won=won)
    assert from_json(to_json(record)) == record
    assert ("absent" in json.loads(to_json(record))) == bool(layout.absent)
    assert ("no_guess" in json.loads(to_json(record))) == layout.no_guess


def test_a_given_position_comes_back() -> None:
    record = Record(LAYOUT, given=Board.parse("#2F/###", total_mines=2))
    assert json.loads(to_json(record))["given"] == ["#2F", "###"]
    assert from_json(to_json(record)) == record
    document = json.loads(to_json(record))
    for rows, complaint in ((["#2F"], "1 rows of 3 cells"), (["#2F", "##"], "2 rows of 2, 3"), (["#2F", "##x"], "'x'")):
        with pytest.raises(BoardSyntaxError, match=f"in `given`, got {complaint}"):
            from_json(json.dumps(document | {"given": rows}))


def test_what_is_kept_beside_a_game() -> None:
    used = HelpUsed(hints=(1, 0, 0, 2), undos=3)
    text = to_json(RECORD, GameExtras(used, fixed=True))
    assert from_json(text) == RECORD
    assert read_extras(text) == GameExtras(used, fixed=True)
    older = to_json(RECORD)
    assert not {"help", "fixed", "given"} & set(json.loads(older))
    assert read_extras(older) is None
    wrong = json.dumps(json.loads(text) | {"help": {"undos": "many"}})
    with pytest.raises(BoardSyntaxError, match=r"help\.undos"):
        from_json(wrong)


def test_the_status() -> None:
    assert dataclasses.replace(RECORD, moves=MOVES[:1], redraws={}).status == "new"
    assert dataclasses.replace(RECORD, moves=MOVES[:2]).status == "running"
    assert dataclasses.replace(RECORD, moves=MOVES[:3]).status == "new"
    assert dataclasses.replace(RECORD, over=True).status == "lost"
    assert dataclasses.replace(RECORD, over=True, won=True).status == "won"


def test_the_moves_that_count() -> None:
    assert moves_in_effect(MOVES) == [0, 3]
    assert moves_in_effect([*MOVES, *[Move("undo", None, 2000)] * 2]) == []
    undo = Move("undo", None, 0)
    with pytest.raises(BoardSyntaxError, match=r"the undo in `moves\[2\]` has no move to undo"):
        moves_in_effect([MOVES[0], undo, undo, MOVES[0]])


def test_no_repr_shows_mines() -> None:
    assert repr(RECORD) == "<Record of 3 × 2, 2 mines: 4 moves, running>"
    assert repr(dataclasses.replace(RECORD, over=True)) == "<Record of 3 × 2, 2 mines: 4 moves, lost>"


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"seed": -1}, r"`seed` must be from 0 to 2\*\*64 - 1, got -1"),
        ({"won": True}, "a game that is won must be over, got won without over"),
        ({"ms": 1299}, "`ms` must be at least 1300, the time of the last move, got 1299"),
        (
            {"moves": MOVES[::-1], "redraws": {}},
            r"expected at least 1300 ms in `moves\[1\]` after the move before, got",
        ),
        ({"redraws": {4: LAYOUT.mines}}, "expected the index of an open or a chord in `redraws`, got 4"),
        ({"redraws": {0: LAYOUT.mines}}, "expected the index of an open or a chord in `redraws`, got 0"),
        ({"redraws": {1: frozenset([(0, 0)])}}, "expected 2 mines in `redraws` after move 1, got 1"),
    ],
)
def test_parts_that_do_not_agree(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(BoardSyntaxError, match=said):
        dataclasses.replace(RECORD, **changes)


@pytest.mark.parametrize("name", ["first_click", "fairness", "chord_rule"])
def test_rules_that_are_not_known(name: str) -> None:
    with pytest.raises(ValueError, match=f"{name} must be one of .*, got 'sometimes'"):
        Rules(**{name: "sometimes"})  # type: ignore[arg-type]


GONE: Any = object()


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"schema": "mineproof/game/2"}, "Invalid value 'mineproof/game/2' - at `$.schema`"),
        ({"rows": GONE}, "missing required field `rows`"),
        ({"rows": "2"}, "Expected `int`, got `str` - at `$.rows`"),
        ({"rows": 0}, "JSON: expected 1 to 1000000 cells, got 0 in `rows` and 3 in `columns`"),
        ({"columns": 10**9}, "1000000000 in `columns`"),
        ({"fair": 1}, "unknown field `fair`"),
        ({"fairness": "cruel"}, "Invalid enum value 'cruel' - at `$.fairness`"),
        ({"topology": "ring"}, "at `$.topology`"),
        ({"total_mines": 3}, "JSON: expected 3 mines in `layout`, got 2"),
        ({"layout": "3"}, "JSON: expected hexadecimal digits in `layout`, got '3'"),
        ({"layout": "zz"}, "JSON: expected hexadecimal digits in `layout`, got 'zz'"),
        ({"layout": "3 0 "}, "JSON: expected hexadecimal digits in `layout`, got '3 0 '"),
        ({"layout": " 30"}, "JSON: expected 2 digits for 6 cells in `layout`, got 3"),
        ({"layout": "3000"}, "JSON: expected 2 digits for 6 cells in `layout`, got 4"),
        ({"layout": "31"}, "JSON: expected zero bits after the last of 6 cells in `layout`, got"),
        ({"sealed": True, "layout": "31"}, "JSON: expected zero bits after the last of 6 cells in `layout`, got"),
        ({"absent": [[0, 2]]}, "JSON: expected mines on the board, got one at (0,2), which is not"),
        ({"absent": [[1, 1], [1, 1]]}, "JSON: a cell is listed twice in `absent`"),
        ({"start": [2, 0]}, "expected a cell on the 3 × 2 board, got (2,0) (in `layout`, `start` or `absent`)"),
        ({"seed": 2**64}, "JSON: `seed` must be from 0 to 2**64 - 1, got 18446744073709551616"),
        ({"moves": [["open", 0, 0]]}, 'JSON: expected ["open", row, column, ms] (or "flag", "question",'),
        (
            {"moves": [["undo", 0, 0, 0]]},
            'JSON: expected ["open", row, column, ms] (or "flag", "question", "chord") or ["undo", ms]',
        ),
        (
            {"moves": [["dig", 0, 0, 0]]},
            'JSON: expected ["open", row, column, ms] (or "flag", "question", "chord") or ["undo", ms]',
        ),
        (
            {"moves": [["open", 0, 0, "0"]]},
            'JSON: expected ["open", row, column, ms] (or "flag", "question", "chord") or ["undo", ms]',
        ),
        ({"moves": [["open", 0, 0, 0.5]]}, "at `$.moves[0][3]`"),
        ({"moves": [["undo", 0]], "redraws": [], "status": "new"}, "JSON: the undo in `moves[0]` has no move to undo"),
        (
            {"moves": [["open", 0, 0, 5], ["open", 0, 1, 4]]},
            "JSON: expected at least 5 ms in `moves[1]` after the move before, got",
        ),
        ({"redraws": [[1, "28"], [1, "28"]]}, "JSON: a move is listed twice in `redraws`"),
        ({"redraws": [[1, "2"]]}, "JSON: expected hexadecimal digits in `redraws[0]`, got '2'"),
        ({"redraws": [[0, "28"]]}, "expected the index of an open or a chord in `redraws`, got 0"),
        ({"status": "new"}, "JSON: expected 'running' in `status` after these moves, got 'new'"),
        ({"ms": 1}, "JSON: `ms` must be at least 1300, the time of the last move, got 1"),
    ],
)
def test_mistakes_name_the_key(changes: dict[str, Any], said: str) -> None:
    document = json.loads(to_json(dataclasses.replace(RECORD, over=True))) | changes
    text = json.dumps({key: value for key, value in document.items() if value is not GONE})
    with pytest.raises(BoardSyntaxError) as caught:
        from_json(text)
    assert str(caught.value).startswith("JSON: ")
    assert said in str(caught.value)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"\ud800": 1}', "[" * 100_000])
def test_what_is_no_json_object(text: str) -> None:
    with pytest.raises(BoardSyntaxError, match="JSON: "):
        from_json(text)
