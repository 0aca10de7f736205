"""Boards on the page: where a cell is, and what the grid for screen readers says; questions with little time."""

from __future__ import annotations

import json
import re

from playwright.sync_api import Page, Route, expect

LARGEST = 60  # CSS pixels of a cell, as in board.js


def place(page: Page, row: int, column: int, rows: int, columns: int) -> tuple[float, float]:
    """Where a cell is on the screen: a board that fits is in the middle of its canvas."""
    box = page.locator("canvas").bounding_box()
    assert box is not None
    size = min(LARGEST, int(min((box["width"] - 2) / columns, (box["height"] - 2) / rows)))
    x = box["x"] + (box["width"] - columns * size) / 2 + (column + 0.5) * size
    y = box["y"] + (box["height"] - rows * size) / 2 + (row + 0.5) * size
    return x, y


def labels(page: Page) -> dict[tuple[int, int], str]:
    """What is said of each cell, without its row and column."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    script = "cells => cells.map(cell => cell.getAttribute('aria-label'))"
    found = page.locator("[role=gridcell]").evaluate_all(script)
    parts = [re.fullmatch(r"row (\d+), column (\d+), (.*)", label) for label in found]
    return {(int(part[1]), int(part[2])): part[3] for part in parts if part}


def expect_label(page: Page, row: int, column: int, words: str) -> None:
    """Wait until a cell is told in these words."""
    expect(page.get_by_role("gridcell", name=f"row {row}, column {column}, {words}", exact=True)).to_have_count(1)


def hurry(page: Page, question: str, seconds: float) -> None:
    """Let the server give up on a question of the page after this time."""

    def changed(route: Route) -> None:
        body = json.loads(route.request.post_data or "{}")
        route.continue_(post_data=json.dumps({**body, "budget": seconds}))

    page.route(f"**/api/v1/{question}", changed)
