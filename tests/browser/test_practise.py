"""Puzzles in the browser: right, wrong and harder; by mouse, keyboard and touch; addresses, waiting, giving up."""

import json
import re
from datetime import UTC, datetime
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

import mineproof as mp
from support.boards import expect_label, hurry, labels, place
from support.browser import Faults, axe, screenshot

BOUNDS = "/#/practise?technique=bounds&level=beginner&seed=7"  # right (0,4), harder (0,5), a mine (1,4)
GUESS = "/#/practise?technique=guess&level=beginner&seed=3"
EASY = {"technique": "single-open", "practiceLevel": "beginner"}  # found at once


def start(page: Page, address: str = BOUNDS, task: str = "Open a cell that is certainly safe.") -> None:
    kept = json.dumps(EASY)
    page.add_init_script(f"localStorage.getItem('mineproof') ?? localStorage.setItem('mineproof', '{kept}')")
    page.goto(address)
    told(page, task)


def told(page: Page, task: str) -> None:
    """Wait until there is a puzzle, or what else is told in its place; rare ones are looked for some seconds."""
    expect(page.locator(".task")).to_contain_text(task, timeout=60_000)


def standing(page: Page) -> dict[str, Any]:
    found: dict[str, Any] = page.request.get("/api/v1/standing").json()
    return found


def verdict(page: Page, words: str) -> None:
    expect(page.locator(".verdict")).to_have_text(words)


def test_wrong_harder_and_right_by_mouse(page: Page) -> None:
    start(page)
    before = standing(page)
    page.mouse.click(*place(page, 1, 4, 9, 9))
    verdict(page, "Wrong. Look again.")
    expect(page.locator(".words")).to_have_text("(1,4) is certainly a mine.")  # and not why
    assert not [cell for cell, words in labels(page).items() if "by the hint" in words]
    after = standing(page)
    assert (after["answers"], after["right"]) == (before["answers"] + 1, before["right"])
    lost = round(before["rating"] - after["rating"])
    expect(page.get_by_role("heading", name=f"Rating {round(after['rating'])}")).to_contain_text(f"−{lost}")

    page.mouse.click(*place(page, 0, 5, 9, 9))
    verdict(page, "True, but harder than needed. Look again.")
    expect(page.locator(".words")).to_contain_text("(0,5) is safe, but bounds does not tell:")

    page.mouse.click(*place(page, 0, 4, 9, 9))
    verdict(page, "Right!")
    expect(page.locator(".words")).to_have_text(mp.puzzle("bounds", level="beginner", seed=7).text)
    expect_label(page, 0, 3, "1, part of the proof")
    expect_label(page, 2, 4, "3, part of the proof")
    expect_label(page, 0, 4, "covered, safe by the hint")
    assert standing(page)["answers"] == after["answers"]  # the first answer was the one that counts
    screenshot(page, "practise-right")


def test_a_right_answer_counts_and_the_next_one_is_there_already(page: Page) -> None:
    start(page, "/#/practise?technique=single-open&level=beginner&seed=11")
    before = standing(page)
    asked: list[str] = []
    page.on("request", lambda request: asked.extend(re.findall(r"/api/v1/(\w+)$", request.url)))
    cell = min(mp.puzzle("single-open", level="beginner", seed=11).solution)
    with page.expect_response("**/api/v1/puzzle"):  # it is looked for while the proof is read
        page.mouse.click(*place(page, *cell, 9, 9))
    verdict(page, "Right!")
    after = standing(page)
    assert (after["right"], after["streak"]) == (before["right"] + 1, before["streak"] + 1)
    row = page.locator(".facts div", has_text="right in a row").locator("dd")
    expect(row).to_have_text(str(after["streak"]))
    assert asked == ["answer", "puzzle"]
    page.get_by_role("button", name="Next").click()
    expect(page).to_have_url(re.compile(r"technique=single-open&level=beginner&seed=(?!11$)\d+$"))
    verdict(page, "")
    assert asked == ["answer", "puzzle"]


def test_after_two_wrong_answers_the_solution_is_shown(page: Page) -> None:
    start(page)
    for cell in ((1, 4), (1, 5)):
        page.mouse.click(*place(page, *cell, 9, 9))
        expect(page.locator(".verdict")).not_to_be_empty()
    verdict(page, "Wrong. This is the solution.")
    expect_label(page, 0, 4, "covered, safe by the hint")
    page.mouse.click(*place(page, 0, 4, 9, 9))  # it is over
    verdict(page, "Wrong. This is the solution.")


def test_keyboard_alone(page: Page) -> None:
    start(page)
    press = page.keyboard.press
    press("ArrowUp")  # to the board
    focus = page.locator("[role=gridcell]:focus")
    expect(focus).to_have_attribute("aria-label", "row 4, column 4, empty")
    press("Enter")  # nothing is covered there
    for _ in range(4):
        press("ArrowUp")
    expect(focus).to_have_attribute("aria-label", "row 0, column 4, covered")
    press("Enter")
    verdict(page, "Right!")
    press("n")
    expect(page).to_have_url(re.compile("technique=single-open"))
    expect(page.get_by_role("button", name="Show me")).to_be_visible()
    expect(focus).to_have_count(1)  # still on the board
    press("s")
    verdict(page, "This is the solution.")
    name = dict(re.findall(r"(\w+)=([\w-]+)", page.url))
    found = mp.puzzle(name["technique"], level=name["level"], seed=int(name["seed"]))
    assert found.deduction is not None
    lit = {cell for cell, words in labels(page).items() if words == "covered, safe by the hint"}
    assert lit == found.deduction.safe


def test_touch_on_a_phone(phone: Page) -> None:
    start(phone)
    phone.touchscreen.tap(*place(phone, 0, 4, 9, 9))
    verdict(phone, "Right!")
    expect(phone.locator(".words")).to_be_visible()
    phone.get_by_role("button", name="Next").tap()
    expect(phone).to_have_url(re.compile("technique=single-open"))
    screenshot(phone, "practise-phone")


def test_a_mine_is_flagged_with_the_right_button(page: Page) -> None:
    start(page, "/#/practise?technique=single-flag&level=beginner&seed=2", "Flag a cell that is certainly a mine.")
    cell = min(mp.puzzle("single-flag", level="beginner", seed=2).solution)
    page.mouse.click(*place(page, *cell, 9, 9), button="right")
    verdict(page, "Right!")
    expect_label(page, *cell, "covered, mine by the hint")


def test_the_best_guess(page: Page) -> None:
    start(page, GUESS, "No cell is certain.")
    page.mouse.click(*place(page, 4, 8, 9, 9))
    verdict(page, "Wrong. Look again.")
    expect(page.locator(".words")).to_have_text("(4,8) is the safest cell, but wins only 16/19.")
    page.get_by_role("button", name="Show me").click()
    expect(page.locator(".words")).to_contain_text("Open (0,6): it wins 17/19")
    expect_label(page, 0, 6, "covered, 11 percent mine, best move")
    expect_label(page, 4, 8, "covered, 5 percent mine, safest")


def test_the_address_names_the_puzzle(page: Page) -> None:
    start(page, "/#/practise")
    expect(page).to_have_url(re.compile(r"#/practise\?technique=single-open&level=beginner&seed=\d+$"))
    before, address = labels(page), page.url
    page.get_by_role("link", name="History", exact=True).click()
    page.get_by_role("link", name="Practise", exact=True).click()
    expect(page).to_have_url(address)
    page.reload()
    expect(page.get_by_role("button", name="Show me")).to_be_visible()
    assert (labels(page), page.url) == (before, address)
    page.goto(BOUNDS)  # another one, by a link
    expect_label(page, 0, 3, "1")
    board = mp.puzzle("bounds", level="beginner", seed=7).board
    words = {"0": "empty", "#": "covered", "F": "flag"}
    cells = board.as_json()["cells"]
    assert isinstance(cells, list)
    assert labels(page) == {
        (row, column): words.get(symbol, symbol) for row, line in enumerate(cells) for column, symbol in enumerate(line)
    }


def test_the_puzzle_of_the_day(page: Page) -> None:
    start(page)
    day = datetime.now(UTC).date().isoformat()
    page.get_by_role("button", name="Today's puzzle").click()
    told(page, f"Puzzle of {day}")
    assert f"daily={day}&" in page.url
    before = labels(page)
    assert len(before) == 16 * 30
    page.reload()
    told(page, f"Puzzle of {day}")
    assert labels(page) == before


def test_a_search_is_cancelled(page: Page) -> None:
    start(page)
    held: list[Route] = []
    page.route("**/api/v1/puzzle", lambda route: held.append(route))  # noqa: PLW0108 (Playwright sets attributes on it)
    page.get_by_label("Technique").select_option(label="6 · Suppose, and find it impossible")
    told(page, "Rare techniques take some seconds")
    expect(page.get_by_role("grid")).to_have_count(0)  # the old puzzle is over
    page.get_by_role("button", name="Cancel").click()
    told(page, "Stopped.")
    assert '"technique":"contradiction"' in (held[0].request.post_data or "")
    page.unroute("**/api/v1/puzzle")
    page.get_by_label("Technique").select_option(label="1 · One number that has its mines")
    told(page, "Open a cell that is certainly safe.")


def test_a_search_that_finds_nothing_says_so(page: Page, faults: Faults) -> None:
    faults.allow("503")
    start(page)
    hurry(page, "puzzle", 0.01)
    page.get_by_label("Technique").select_option(label="8 · Case by case")
    told(page, "found no puzzle for exhaustive among")
    told(page, "Try another technique or board.")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_is_accessible(page: Page, scheme: str) -> None:
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    start(page)
    axe(page)
    page.mouse.click(*place(page, 1, 4, 9, 9))
    verdict(page, "Wrong. Look again.")
    page.get_by_role("button", name="Show me").click()
    verdict(page, "This is the solution.")
    axe(page)


def test_it_fits_a_phone(phone: Page) -> None:
    start(phone, GUESS, "No cell is certain.")
    phone.get_by_role("button", name="Show me").tap()
    verdict(phone, "This is the solution.")
    axe(phone)
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
