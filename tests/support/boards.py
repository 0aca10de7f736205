"""Boards on the page: where a cell is, and its label for screen readers."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from mineproof.board.cells import Cell
from support.texts import at

# CSS pixels, as in board.js and view.js
LARGEST = 72  # of a cell
LARGEST_TO_LEARN = 110  # in the course, whose boards are small
RULER = 20  # of the ruler above and beside the board
FRAME, THIN_FRAME = 8, 3  # around the board, and on a small screen


def place(page: Page, row: int, column: int, rows: int, columns: int, largest: int = LARGEST) -> tuple[float, float]:
    """Where a cell is on the screen: a board that fits is in the middle of its canvas, with its ruler."""
    box = page.locator(".stage canvas").bounding_box()
    assert box is not None
    screen = page.viewport_size
    assert screen is not None
    frame = THIN_FRAME if screen["width"] <= 640 or screen["height"] <= 480 else FRAME
    margin = RULER + 2 * frame
    size = min(largest, int(min((box["width"] - margin) / columns, (box["height"] - margin) / rows)))
    x = box["x"] + (box["width"] - columns * size + RULER) / 2 + (column + 0.5) * size
    y = box["y"] + (box["height"] - rows * size + RULER) / 2 + (row + 0.5) * size
    return x, y


def label(row: int, column: int, state: str) -> str:
    """The label of a cell in a state."""
    return f"{at((row, column))}, {state}"


def starting(row: int, column: int, state: str = "") -> re.Pattern[str]:
    """A pattern for the label of a cell."""
    return re.compile(f"^{re.escape(label(row, column, state))}")


def settle(page: Page) -> None:
    """Wait until the page has drawn what it was going to draw."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


# Frames in a row that show the same board before it counts as being at rest.
STILL_FRAMES = 4

AT_REST = """([frames, milliseconds]) => new Promise((done, failed) => {
  const canvas = document.querySelector(".stage canvas");
  const begun = performance.now();
  let [before, same] = [null, 0];
  const look = () => {
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    const words = new Uint32Array(data.buffer);
    const equal = before?.length === words.length && words.every((word, place) => word === before[place]);
    [before, same] = [words, equal ? same + 1 : 1];
    if (same >= frames) done();
    else if (performance.now() - begun > milliseconds) failed(new Error("the board does not come to rest"));
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})"""


def at_rest(page: Page) -> None:
    """Wait until nothing moves on the board any more: before two pictures of it are compared, its effects are over."""
    page.evaluate(AT_REST, [STILL_FRAMES, 30_000])


def picture(page: Page) -> bytes:
    """The board at rest, as a picture."""
    at_rest(page)
    return page.locator(".stage canvas").screenshot()


def labels(page: Page) -> dict[Cell, str]:
    """The label of each cell, without its name."""
    settle(page)
    columns = int(page.get_by_role("grid").get_attribute("aria-colcount") or "0")
    script = "cells => cells.map(cell => cell.getAttribute('aria-label'))"
    states = {}
    for number, text in enumerate(page.locator("[role=gridcell]").evaluate_all(script)):
        cell = divmod(number, columns)
        name, _, state = text.partition(", ")
        assert name == at(cell)
        states[cell] = state
    return states


def expect_label(page: Page, row: int, column: int, state: str) -> None:
    """Wait until a cell has this label."""
    expect(page.get_by_role("gridcell", name=label(row, column, state), exact=True)).to_have_count(1)
