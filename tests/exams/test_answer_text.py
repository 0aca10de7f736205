"""Answers as language models write them: every way to name cells or a word is read as it is meant."""

from __future__ import annotations

import pytest

import mineproof as mp
from mineproof.exams.answer_prose import CellClaim
from mineproof.exams.answer_text import READ_CHARACTERS, read_cells, read_word
from mineproof.exams.tasks import Task

ONE = [(3, 4)]
TWO = [(3, 4), (0, 2)]

ONE_CELL = [
    # coordinates
    "3 4", "3;4", "(3;4)", "(3 4)", "<3,4>", "（3，4）", "cell[3][4]", "open(3,4)", "reveal 3 4", "(3, 4)→safe",
    "row 3 column 4", "Row 3, Column 4", "row=3, col=4", "r=3, c=4", "r3 c4", "(r3, c4)", "row index 3, column index 4",
    "column 4, row 3", "col 4 row 3", "Spalte 4, Zeile 3", "the cell in column 4 of row 3", "row **3**, column **4**",
    # LaTeX, Markdown, marks of models
    r"$\boxed{(3,\,4)}$", r"\boxed{\text{(3, 4)}}", r"\[\boxed{(3,4)}\]", r"\boxed{\left(3, 4\right)}",
    r"\left(3, 4\right)",
    "`[3, 4]`", "**(3, 4)**", "[3, 4]<|im_end|>", "<|channel|>analysis (1,1)<|channel|>final<|message|>[3,4]",
    "<think>(1,1)</think>\n\n[3,4]", "<thinking>(1,1)</thinking><answer>(3,4)</answer>", "<answer>[3,4]",
    "<think>(1,1), so <answer>(3,4)</answer>", "```\n(3,4)\n```\nThat is because of (1,1).",
    # JSON that is nearly right
    '{"row": "3", "col": "4"}', '[["3","4"]]', '["(3,4)"]', "{'answer': [3, 4]}", '{"answer":[3.0,4.0]}',
    '{"final_answer": [3,4]}',
    '{"certain_safe_cells": [[3,4]]}', '{"safe": [[3,4]], "mines": [[1,1]]}',
    '{"reasoning": "the 1 at (2,3)", "answer": [3,4]}',
    '[{"action":"flag","cell":[1,1]},{"action":"open","cell":[3,4]}]',
    # marks, with reasons behind them
    "Final answer - (3,4)", "the answer is [3, 4] because (1,1) is a 1.", "Antwort: (3,4)",
    "Die Antwort ist (3,4), weil (1,1) eine 1 ist.",
    "Answer: [3, 4]\n\nExplanation: the 1 at (2,3) touches only (2,4).",
    "Answer: (3,4) — the 1 at (2,3) touches only (2,4)",
    "Answer: [3,4]\n\nThis answer is correct.",
    # reasons in prose
    "[3, 4]\n\nThe 1 at (2,3) is satisfied by (2,4).", "(3,4) is safe because (2,4) is a mine.",
    "Since (2,4) is a mine, (3,4) is safe.", "The cell (3,4) is certainly safe. The mine at (2,4) satisfies (2,3).",
    "I choose (3,4), since the 1 at (2,3) is already satisfied by the mine at (2,4).", "Flag (1,1). Open (3,4).",
    "1. The 1 at (1,1) touches (1,2), (1,3).\n2. The 1 at (2,1) touches (1,2), (1,3) and (3,4).\n3. So (3,4) is safe.",
    "Frontier cells: (1,1), (1,2)\n\nSo (3,4) is safe.", "(3,4) cannot be a mine.", "Not (1,1). It is (3,4).",
    "If (1,1) is safe then the 2 fails. Therefore (3,4) is safe.", "[3, 4] is safe. [1, 1] is not.",
    "Suppose (1,1) is safe. Then the 2 fails, so (1,1) is a mine. (3,4) is safe.",
    "(3,4) would be a mine if (1,1) were safe. So (1,1) is a mine and (3,4) is safe.",
    "(1,1) is not safe, but (3,4) is.", "[0,2]\nWait, actually:\n[3,4]", "(3,4) may be best.",
    "I'd guess (3, 4): it has only a 20% chance of being a mine.",
    # numbers that are no cells
    "[3, 4]\n\nProbability of mine 0, 100% safe", "(3,4) with probability 0,5", "(3,4).\n\nTime: 1,234 ms",
    # counting from 1
    "1-based: row 4, column 5", "(4,5) (1-indexed)", "Row 4, column 5 (1-based), i.e. (3,4).", "(4, 5) counting from 1",
    "In 1-based coordinates (4,5), that is [3,4] in 0-based.", "Using one-based indices, the answer is (4,5).",
    "(4,5) (1-indexed).\nAnswer: [3, 4]", "I do not use 1-based indexing. (3,4)", "Using 0-based indexing: (3,4)",
    "Zeile 4, Spalte 5 (gezählt ab 1)",
]  # fmt: skip

TWO_CELLS = [
    "(3,4)\n(0,2)", "[3,4]\n[0,2]", "- (3,4)\n- (0,2)", "1. (3,4)\n2. (0,2)", "* row 3, column 4\n* row 0, column 2",
    "(3,4),\n(0,2)", "3 4\n0 2", "| row | col |\n|---|---|\n| 3 | 4 |\n| 0 | 2 |", "row,col\n3,4\n0,2", "3,4; 0,2",
    r"$\{(3,4),(0,2)\}$", r"\boxed{[[3,4],[0,2]]}", '{"answer": ["(3, 4)", "(0, 2)"]}', "[[3,4],[0,2],]",
    "The safe cells are:\n\n(3,4)\n(0,2)\n\nThese follow from the 1 at (2,2).", "Answer:\n- (3,4)\n- (0,2)",
    "The safe cells are:\n- (3,4): the 1 at (2,3) is satisfied by (2,4)\n- (0,2): since (1,1) is 0",
    "Answer:\n- (3,4): the 1 at (2,3) has its mine\n- (0,2): the same for (1,1)", "(3,4) is safe.\n(0,2) is safe.",
    "[[3, 4],\n[0, 2]]\n\nExplanation: since (1,1) is 2 …", "safe: (3,4), (0,2)\nmines: (1,1)",
    "**Certain mines:**\n\n- (1,1)\n\n**Safe:**\n\n- (3,4)\n- (0,2)",
    "Coordinates below count from 1.\n\n[[4, 5], [1, 3]]",
    "(1,1) is a 1 and touches only (1,2), which is a mine. The 1 at (2,2) touches (1,2) too, so (3,4), (0,2) are safe.",
    "- (3,4) – forced by the number\n- (0,2) – forced by the number", "* (3,4), by its clue\n* (0,2), by its clue",
    "There are 2 such cells: (3,4), (0,2)", "cell(3,4), cell(0,2)", "(3,4)\n\n(0,2)", "- (3,4)\n\n- (0,2)",
    r"\boxed{(3,4)}, \boxed{(0,2)}", r"$\boxed{(3,4)}$ and $\boxed{(0,2)}$",
    r"\boxed{(1,1)}. No: \boxed{[[3,4],[0,2]]}",
]  # fmt: skip

MINES = [
    "Safe: (1,1)\nMines: (3,4), (0,2)", "Mines: (3,4), (0,2). Safe: (1,1).",
    '{"safe": [[1,1]], "mines": [[3,4],[0,2]]}',
    "So (3,4) and (0,2).", "So the final list is [[3, 4], [0, 2]]. This follows from 3 numbers.",
    "Therefore my answer is (3,4), (0,2).", "I pick (3,4) and (0,2).", "(1,1) can be opened, so (3,4) and (0,2).",
    "Both (3,4) and (0,2) must be mines.", "**Certain mines:**\n\n- (3,4)\n- (0,2)\n\n**Safe:**\n\n- (1,1)",
]  # fmt: skip

NONE = [
    "There are no certainly safe cells.", "No safe cell exists.", r"\boxed{\emptyset}", "∅", "()",
    "(1,1) could be anything, so none.",
    "Answer: There are none.", '{"answer": "none"}',
]  # fmt: skip

UNREADABLE = [
    "<think>hmm (1,1) maybe (3,4)", "(-3, 4)", "(3.5, 4.2)", "8x8", "The board has 10 mines.", "[3, 4, 0]",
    "(1,1) is a mine", "[1, 1] is a mine, so avoid it.", "[[1, 1]] are mines.",
    '{"mines": [[1,1]]}', "The 1 at (2,3) is satisfied.",
]  # fmt: skip


@pytest.mark.parametrize(
    ("texts", "claim", "cells"),
    [
        (ONE_CELL, "safe", ONE),
        (TWO_CELLS, "safe", TWO),
        (MINES, "mine", TWO),
        (NONE, "safe", []),
        (["No certain mines.", '{"mines": []}'], "mine", []),
        (UNREADABLE, "safe", None),
        (['{"safe": []}', "(1,1) is safe"], "mine", None),
    ],
    ids=["one cell", "two cells", "mines", "none", "no mines", "unreadable", "not the mines"],
)
def test_cells_are_read_as_they_are_meant(
    texts: list[str], claim: CellClaim, cells: list[tuple[int, int]] | None
) -> None:
    readings = {text: read_cells(text, claim) for text in texts}
    assert {text: reading for text, reading in readings.items() if reading != cells} == {}


CELLS = [(0, 0), (0, 7), (3, 1), (3, 2), (10, 15)]
WRITTEN = {
    "JSON": "[[0, 0], [0, 7], [3, 1], [3, 2], [10, 15]]",
    "bullets": "\n".join(f"- ({row}, {column})" for row, column in CELLS),
    "numbered": "\n".join(f"{place}. r{row}c{column}" for place, (row, column) in enumerate(CELLS, 1)),
    "prose": " and ".join(f"row {row}, column {column}" for row, column in CELLS) + " are safe because (9,9) is a 1.",
    "rows": "Row 0: columns 0, 7\nRow 3: columns 1 and 2\nRow 10: column 15",
    "LaTeX": r"\boxed{\{" + ", ".join(f"({row},{column})" for row, column in CELLS) + r"\}}",
    "objects": "```json\n" + str([{"row": row, "col": column} for row, column in CELLS]).replace("'", '"') + "\n```",
    "table": "| row | column |\n|---|---|\n" + "\n".join(f"| {row} | {column} |" for row, column in CELLS),
    "from 1": ", ".join(f"({row + 1},{column + 1})" for row, column in CELLS) + " (1-based)",
}


@pytest.mark.parametrize("form", WRITTEN)
def test_a_list_is_read_in_every_form(form: str) -> None:
    assert read_cells(WRITTEN[form]) == CELLS


RIGHT = [
    "RIGHT.", r"$\boxed{\text{Right}}$", "The answer is right.", "It is valid.", "The claim holds.",
    "Yes, there is no mine there.",
    "No mine can be at (3,4), so the claim is right.", "The claim is right: there is no other layout.", "✓",
    "The claim is right because no layout has a mine there.",
    "There is only one valid arrangement, so the claim is right.",
    "Right.\nIf the claim were wrong, two mines would touch.", "right or wrong? I say right.",
    "The claim is right, not wrong.",
    '{"reasoning": "it looks wrong", "answer": "right"}', "Das stimmt.", "Die Behauptung trifft zu.",
    "Ja, denn (1,1) ist sicher.",
    "The claim \"(2,3) is certainly safe\" is right.",
    "The claim cannot be wrong.", "It can't be false.", "The proof is sound.",
    "It is wrong to look at (1,1) only. Therefore: right",
]  # fmt: skip

WRONG = [
    "**wrong**", "Answer: wrong\n\nExplanation: the cell on the right is a mine.",
    "wrong\n\nThe cell to the right of it is a mine.",
    "The correct answer is wrong.", "The claim does not hold.", "The proof isn't valid.",
    "No, because (3,4) can be a mine.",
    "bottom right is a mine, so it's wrong", '{"correct": false}', "Das stimmt nicht.",
    "Die Behauptung trifft nicht zu.",
    "Das kann nicht stimmen.", "That's not true",
    "The claim cannot be right.", "It can't be right.", "This is by no means correct.", "The proof fails.",
    "right? No, wrong.",
    "The claim is right only if (2,3) is a mine, which is not certain. So: wrong",
    "The claim is false since both arrangements are right.",
    "Wrong.\nFor it to be right, (1,1) would have to be safe.", "The claim that (2,3) is certainly a mine is wrong.",
]  # fmt: skip

NO_WORD = [
    "<think>hmm right",
    "The rightmost cell is a mine.",
    "I cannot say whether it is right or wrong.",
    "the top-right cell",
]


@pytest.mark.parametrize(("texts", "word"), [(RIGHT, True), (WRONG, False), (NO_WORD, None)])
def test_words_are_read_as_they_are_meant(texts: list[str], word: bool | None) -> None:
    readings = {text: read_word(text) for text in texts}
    assert {text: reading for text, reading in readings.items() if reading is not word} == {}


def test_a_verdict_reads_what_its_task_asks_for() -> None:
    board = mp.Board.parse("#1#1#", total_mines=2)
    text = '{"safe": [[0, 2]], "mines": [[0, 0], [0, 4]]}'
    assert mp.judge(Task("safe", board), text).right
    assert mp.judge(Task("mines", board), text).right


HOSTILE = [
    "(1,1)" + "\n" * 19_000 + "(2,2)", "(1,1)\n" * 3_300, "(1,1) is " * 2_200, "1," * 10_000,
    "(1,1) because " * 1_400, "wait " * 4_000,
    "Answer:\n" * 2_500, "<think>" * 2_800, r"\boxed{" + "{" * 19_000, r"\boxed{" + "{}" * 9_000, r"\text{" * 3_000,
    "(1,1) 1-based " * 1_400, "- (1,1): x\n" * 1_800, "_" * 20_000, ":\n" * 10_000 + "(1,1)", "row 1 col " * 2_000,
    "```json\n[[1,1]]\n```\n" * 900,
    r"\boxed{(1,1)}," * 1_500, "so " * 6_000 + "right", "it is not " * 2_000 + "right",
    "\ufdfa" * 20_000, "is not " * 2_800 + "right", "the claim " * 2_000 + "right",
]  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_texts_are_read_in_time(text: str) -> None:
    """Each of these would take minutes with a pattern that tries every way to split it."""
    read_cells(text[:READ_CHARACTERS])
    read_word(text[:READ_CHARACTERS])
