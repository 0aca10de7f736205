"""Hints, best moves and contradictions in every language: editing a sentence changes a catalogue and a file here.

MINEPROOF_UPDATE_GOLDEN=1 writes the files again.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple, get_args

import pytest

import mineproof as mp
from mineproof.decision.moves import BestMove, MoveReason, MoveTable, Option
from mineproof.decision.rivals import Rival, Thought
from mineproof.decision.strategy_table import describe_strategy, strategies
from mineproof.wording.best_moves import Drawback, DrawbackKind, describe_wins
from mineproof.wording.catalogue import languages, use_language
from mineproof.wording.cells import CellLabels, use_cell_labels
from mineproof.wording.clauses import NumberAt
from mineproof.wording.contradictions import Contradiction
from mineproof.wording.hints import Guess, Peers, SolvedFacts, Uncertainty
from mineproof.wording.layout_count import LayoutCount
from mineproof.wording.odds import percent_text, win_text
from mineproof.wording.regions import Region, region_text
from support.engines import KERNEL, needs_kernel

pytestmark = needs_kernel

HERE = Path(__file__).parents[1] / "golden"
STYLES: tuple[CellLabels, ...] = ("index", "ruler")  # chips: tests/wording/test_chips.py
HALF, FIFTH = Fraction(1, 2), Fraction(1, 5)


class HintCase(NamedTuple):
    """A board and the options of a hint for it."""

    board: str
    total_mines: int | None = None
    options: dict[str, Any] = {}  # noqa: RUF012


HINTS = [
    HintCase("1#/11"),
    HintCase("###/121"),
    HintCase("###/121", None, {"prefer": "safe"}),
    HintCase("####/1221"),
    HintCase("####/1221", None, {"prefer": "safe"}),
    HintCase("F33F/###F", None, {"flags": "trust"}),
    HintCase("1F1##/11111"),
    HintCase("2F~/F2#/~~#"),
    HintCase("#1#1#", 1),
    HintCase("##", 0),
    HintCase("####/####", 0),
    HintCase("####/####", 8),
    HintCase("0#/##"),
    HintCase("1#~#1#~##", 2, {"prefer": "safe"}),
    HintCase("1#~#1~#1#~##", 3, {"prefer": "safe"}),
    HintCase("0112F/01F3#/02#4F/01#21/01110"),
    HintCase("0" * 8 + "F/" + "/".join(["0" * 9] * 8)),
    HintCase("#1F1#", 2),
    HintCase("#####/123##/###3#", 6),
    HintCase("#####/123##/###3#", 6, {"strategy": None}),
    HintCase("11/##", 1, {"fair": True}),
    HintCase("1F/F1", 1),
    HintCase("F33F/###F"),
    HintCase("1#~##", 2, {"prefer": "safe"}),
    HintCase("1#/##"),
    HintCase("1#/##", None, {"density": 0.2}),
    HintCase("1" + "#" * 30 + "/" + "#" * 31, 2),
    HintCase("#" * 3000, 1),
    HintCase("000/000"),
    HintCase("1F"),
    HintCase("###/232/000", 3),
]

MOVES = [
    ("#####/123##/###3#", 6, "best"),
    ("#####/123##/###3#", 6, "minesolver"),
    ("###/121", 2, "best"),
    ("##11101#/##2#112#/###211#1/#2110111/#1000000/#2222110/######10/######10", 10, "best"),
    ("11/##", 1, "best"),
    ("1#/##", 1, "best"),
    ("1F", 1, "best"),
]

CONFLICTS = [
    ("F1F/###", None),
    ("F1F1/~~~~/~~~~", None),
    ("0F", None),
    ("4#/##", None),
    ("8#", None),
    ("1~~", None),
    ("12/##", None),
    ("1#1/#~#/~1~", None),
    ("1#/##", 3),
    ("#1##1#", 1),
    ("FF#", 1),
    ("1#~##", 0),
    ("1#~##", 4),
]


def hint_blocks() -> Iterator[str]:
    for case in HINTS:
        hint = mp.hint(mp.Board.parse(case.board, total_mines=case.total_mines), engine=KERNEL, **case.options)
        board = case.board if len(case.board) < 100 else f"{case.board[:20]} ..."
        levels = [f"{number}. {hint.level(number)}" for number in (1, 2, 3, 4)]
        yield "\n".join([f"{hint.kind}: {board}, {case.total_mines} mines, {case.options}", *levels])
    for covered in (0, 1, 2):
        yield f"solved, {covered} covered\n{SolvedFacts(covered).look()}"
    for unproved in (False, True):
        for flagged in (False, True):
            for mines in (1, 2):
                facts = Uncertainty(LayoutCount(7, 0.8), mines, flagged, unproved, mines)
                yield f"uncertainty\n{facts.text}"
    for peers in (Peers(1, 0, 3, True), Peers(2, 0, 3, True), Peers(2, 1, 3, True), Peers(9, 8, 3, False)):
        yield f"{peers}\n{peers.text}"
    drawback = Drawback("worse-guesses", (0, 0), (0, 1))
    peers = Peers(1, 0, 3, True)
    for guess in (
        Guess((0, 0), FIFTH, None, True, (0, 1), FIFTH, peers, drawback=drawback, is_flagged=True),
        Guess((0, 0), HALF, None, True, (0, 1), FIFTH, peers, drawback=drawback),
        Guess((0, 0), HALF, None, True, (0, 0), HALF, peers, fifty_fifty=(0, 1)),
    ):
        yield f"guess\n{guess.short_text}\n{guess.whole_text}"
    for region in get_args(Region):
        yield f"region {region}\n{region_text(region)}"


def options() -> list[Option]:
    return [
        Option((0, 0), 0.3, 0.41, standard_error=0.01, progress=0.5),
        Option((0, 1), 0.2, 0.4, standard_error=0.01, progress=0.25),
    ]


def made_move(reason: MoveReason, moves: list[Option], *, playouts: int = 200, complete: bool = True) -> BestMove:
    return BestMove(moves[0], reason, MoveTable(tuple(moves), 10, playouts, complete))


def move_blocks() -> Iterator[str]:
    for text, mines, strategy in MOVES:
        move = mp.best_move(mp.Board.parse(text, total_mines=mines), strategy, engine=KERNEL)
        yield f"{move.reason}: {text}, {mines} mines, {strategy}\n{move.text}"
    best, safer = options()
    for reason in ("ahead", "fate", "safest"):
        for moves in ([best, safer], [safer, best]):
            yield f"{reason} {moves[0].cell}\n{made_move(reason, moves).text}"
    safe = [Option((0, 0), 0.0, 0.41, standard_error=0.01), Option((0, 1), 0.0, 0.41, standard_error=0.01)]
    yield f"safe, estimated\n{made_move('safe', safe).text}"
    yield f"safe, unknown\n{made_move('safe', [Option((0, 0), 0.0)]).text}"
    yield f"last guess\n{made_move('optimal', [Option((0, 0), 0.3, 0.7, True, Fraction(7, 10))]).text}"
    for playouts in (0, 1, 5):
        yield f"{playouts} playouts\n{made_move('ahead', options(), playouts=playouts, complete=False).text}"
    yield f"no estimate\n{made_move('ahead', [Option((0, 0), 0.3)], complete=False).text}"
    for kind in get_args(DrawbackKind):
        yield f"drawback {kind}\n{Drawback(kind, (0, 0), (0, 1), *_values(kind)).text}"
    for clear in (False, True):
        for layouts in (1, 12_345):
            rivals = (Rival((0, 0), 0.4, 0.01, layouts, "strong", False),)
            yield f"thought, clear {clear}\n{Thought(1.25, rivals, clear).text}"
    for option in (Option((0, 0), 0.3), Option((0, 0), 0.0, 1.0, True, Fraction(1)), best):
        yield f"wins\n{describe_wins(option)}"
    yield f"never wins\n{describe_wins(Option((0, 0), 1.0, 0.0, True, Fraction(0)))}"
    for chance in (0.0, 0.00001, 0.3, 1 / 3, 0.99999, 1.0):
        yield f"{chance}\n{percent_text(chance)}\n{win_text(chance, exact=True)}\n{win_text(chance, exact=False)}"
    for row in strategies(KERNEL):
        yield f"strategy {row.name}\n{describe_strategy(row.name)}"


def _values(kind: DrawbackKind) -> tuple[float, float]:
    return (1, 0) if kind == "no-news" else (2, 5) if kind == "fewer-numbers" else (0.125, 0.4)


def conflict_blocks() -> Iterator[str]:
    for text, total in CONFLICTS:
        with pytest.raises(mp.ContradictionError) as caught:
            mp.analyze(mp.Board.parse(text, total_mines=total), engine=KERNEL)
        yield f"{text}, {total} mines\n{caught.value.text}"
    yield f"gap\n{Contradiction(total=1_500, totals=(1_000, 2_000)).text}"
    many = tuple(NumberAt((0, column), 1) for column in range(15))
    yield f"many numbers\n{Contradiction(many).text}"
    for count in (LayoutCount(1, 0.0), LayoutCount(1_234, 3.1), LayoutCount(None, 104.75)):
        yield f"layouts\n{count.text}"


TOPICS = {"hints": hint_blocks, "best_moves": move_blocks, "contradictions": conflict_blocks}


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("topic", TOPICS)
def test_sentences(topic: str, language: str) -> None:
    blocks: list[str] = []
    for labels in STYLES:
        with use_language(language), use_cell_labels(labels):
            blocks += [f"# cells by {labels}", *TOPICS[topic]()]
    text = "\n\n".join(dict.fromkeys(blocks)) + "\n"
    path = HERE / "sentences" / language / f"{topic}.txt"
    if "MINEPROOF_UPDATE_GOLDEN" in os.environ:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    assert text == path.read_text("utf-8")
    assert "{" not in text.replace("{}", "").replace("{'", "")
