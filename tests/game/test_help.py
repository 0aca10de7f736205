"""Help used in a game: counted, told, written and read back."""

from __future__ import annotations

import json

import pytest

from mineproof.errors import BoardSyntaxError
from mineproof.game.help import HelpUsed

ALL = HelpUsed((3, 0, 1, 2), odds_moves=4, best_moves=1, auto_moves=20, undos=5, repeats=1, pauses=2)


def test_counting() -> None:
    used = HelpUsed().with_hint(1).with_hint(4).with_hint(4).more("undos").more("odds_moves")
    assert used == HelpUsed((1, 0, 0, 2), odds_moves=1, undos=1)


@pytest.mark.parametrize("kind", ["odds_moves", "best_moves", "auto_moves", "undos", "repeats"])
def test_every_kind_is_help(kind: str) -> None:
    assert HelpUsed(**{kind: 1}).any  # type: ignore[arg-type]
    assert HelpUsed().with_hint(2).any


def test_a_pause_is_no_help() -> None:
    assert not HelpUsed(pauses=3).any
    assert HelpUsed(pauses=3).text == HelpUsed().text == "no help"


def test_words() -> None:
    for part in ("3 hints (2 with", "4 moves", "1 best move", "20 moves", "5 undos and", "once"):
        assert part in ALL.text
    assert ALL.text_in("de").startswith("3 Tipps (2 mit voller Erklärung), ")


def test_it_comes_back() -> None:
    assert HelpUsed.from_json(json.loads(json.dumps(ALL.as_json()))) == ALL
    assert HelpUsed.from_json({}) == HelpUsed()
    wrongs: list[object] = [
        [],
        {"undos": "x"},
        {"undos": -1},
        {"hints": [1, 2]},
        {"hints": [0, 0, 0, -1]},
        {"undos": 1.5},
    ]
    for wrong in wrongs:
        with pytest.raises(BoardSyntaxError):
            HelpUsed.from_json(wrong)
