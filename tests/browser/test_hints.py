"""Hints: one sentence at a time, chips, arrows, the ruler, wrong flags, guesses, and quick presses."""

import json
import re
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import Locator, Page, expect

from support.boards import expect_label, label, picture, place, settle
from support.browser import Faults, axe, screenshot, until
from support.texts import text

LAYOUT = "....*/...../...../*...*"  # one opening, three mines
PATTERN = "*.*..../......./......."  # a 1-2-1 at the left of the top row
HEX = "*...../....../....../....*."
GUESS = "../.*"  # an opened corner leaves a guess


def start(page: Page, layout: str = LAYOUT, topology: str = "grid", **settings: object) -> None:
    page.add_init_script(f"localStorage.setItem('mineproof', '{json.dumps({'overlay': 'none', **settings})}')")
    page.goto(f"/#/play?layout={quote(layout)}&topology={topology}")
    expect(page.get_by_role("grid")).to_have_attribute("aria-rowcount", str(layout.count("/") + 1))


def open_cell(page: Page, row: int, column: int) -> None:
    page.get_by_role("gridcell", name=label(row, column, "covered"), exact=True).dispatch_event("click")
    expect(page.get_by_role("gridcell", name=label(row, column, "covered"), exact=True)).to_have_count(0)


def panel(page: Page) -> Locator:
    return page.get_by_role("region", name=text("page-help"), exact=True)


def heading(page: Page, level: int) -> Locator:
    return panel(page).get_by_text(text(f"page-hint-step-{level}"), exact=True)


def arrows(page: Page) -> Locator:
    return page.locator(".arrows path.arrow")


def rings(page: Page) -> Locator:
    return page.locator(".arrows circle.ring")


def to_level_4(page: Page) -> None:
    for level in range(1, 5):
        page.keyboard.press("h")
        expect(heading(page, level)).to_be_visible()


def center(page: Page, selector: str) -> tuple[float, float]:
    box: dict[str, Any] = page.locator(selector).first.evaluate("e => e.getBoundingClientRect().toJSON()")
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_an_explanation_is_read_sentence_by_sentence(page: Page) -> None:
    start(page)
    open_cell(page, 1, 1)
    to_level_4(page)
    sentences = panel(page).locator(".proof p.words")
    expect(sentences).to_have_count(1)
    first = sentences.inner_text()
    assert not re.search(r"\([0-9]+,[0-9]+\)|\b[A-Z][0-9]+\b", first), first
    back, following = (
        panel(page).get_by_role("button", name=text(key), exact=True) for key in ("page-back", "page-next")
    )
    expect(back).to_be_disabled()
    following.click()
    expect(sentences).not_to_have_text(first)
    page.keyboard.press(",")
    expect(sentences).to_have_text(first)
    page.keyboard.press(".")
    expect(sentences).not_to_have_text(first)
    while following.is_enabled():
        following.click()
    expect(arrows(page).first).to_be_visible()
    expect(panel(page).get_by_role("button", name=text("page-hint-first"))).to_be_enabled()
    screenshot(page, "hint-last-sentence")
    panel(page).get_by_role("button", name=text("page-proof-all")).click()
    expect(panel(page).locator(".proof li").nth(1)).to_be_visible()
    axe(page)
    screenshot(page, "hint-whole-proof")


def test_chips_light_their_cells_on_hover_and_focus(page: Page) -> None:
    start(page)
    open_cell(page, 1, 1)
    to_level_4(page)
    chip = panel(page).locator(".proof .cellref").first
    expect(rings(page)).to_have_count(0)
    chip.hover()
    expect(rings(page)).to_have_count(1)
    page.mouse.move(0, 0)
    expect(rings(page)).to_have_count(0)
    chip.focus()
    expect(rings(page)).to_have_count(1)
    name = re.search(r", ([A-Z])(\d+)$", chip.get_attribute("aria-label") or "")
    assert name, chip.get_attribute("aria-label")
    row, column = int(name[2]) - 1, ord(name[1]) - ord("A")
    x, y = place(page, row, column, 4, 5)
    assert center(page, ".arrows circle.ring") == pytest.approx((x, y), abs=1.5)


@pytest.mark.parametrize(("topology", "layout"), [("grid", LAYOUT), ("hex", "....*/...../...../*...*")])
def test_arrows_follow_zoom_and_go_with_the_move(page: Page, topology: str, layout: str) -> None:
    start(page, layout, topology)
    open_cell(page, 1, 1)
    to_level_4(page)
    while not arrows(page).count():
        page.keyboard.press(".")
    before = page.locator(".arrows > g").get_attribute("transform")
    page.get_by_role("button", name=text("page-zoom-in")).click()
    settle(page)
    expect(page.locator(".arrows > g")).not_to_have_attribute("transform", before or "")
    screenshot(page, f"hint-arrows-{topology}")
    page.keyboard.press("u")
    expect(arrows(page)).to_have_count(0)
    expect(panel(page).get_by_text(text("page-hint-start"))).to_be_visible()


def test_four_quick_presses_end_at_level_4(page: Page) -> None:
    start(page)
    open_cell(page, 1, 1)
    page.evaluate("for (let i = 0; i < 4; i++) dispatchEvent(new KeyboardEvent('keydown', { key: 'h' }))")
    expect(heading(page, 4)).to_be_visible()
    expect(panel(page).get_by_text(text("page-count-of", count=1, all=3))).to_be_visible()


def test_the_hint_is_still_there_after_the_best_move(page: Page) -> None:
    start(page)
    open_cell(page, 1, 1)
    to_level_4(page)
    explanation = panel(page).locator(".proof p.words").inner_text()
    page.keyboard.press("b")
    expect(panel(page).get_by_text(text("page-fact-win"))).to_be_visible()
    again = panel(page).get_by_role("button", name=text("page-hint-again"))
    expect(again).to_be_enabled()
    again.click()
    expect(heading(page, 4)).to_be_visible()
    expect(panel(page).locator(".proof p.words")).to_have_text(explanation)
    page.keyboard.press("Escape")
    expect(panel(page).locator(".proof")).to_have_count(0)
    expect(arrows(page)).to_have_count(0)
    page.keyboard.press("h")
    expect(panel(page).locator(".proof p.words")).to_have_text(explanation)


def test_a_wrong_flag_is_explained_in_four_levels(page: Page) -> None:
    start(page)
    open_cell(page, 1, 1)
    with page.expect_response("**/moves"):  # a hint is about the position that the server knows
        page.mouse.click(*place(page, 1, 4, 4, 5), button="right")
    settle(page)
    expect_label(page, 1, 4, "flag")
    fault = text("page-mark-fault")
    for level in range(1, 5):
        page.keyboard.press("h")
        expect(heading(page, level)).to_be_visible()
        if level < 3:
            expect_label(page, 1, 4, "flag")
        else:
            expect_label(page, 1, 4, f"flag, {fault}")
    page.keyboard.press(".")
    expect_label(page, 1, 4, f"flag, {fault}")  # it stays lit
    screenshot(page, "hint-wrong-flag")


def test_a_guess_is_taught(page: Page) -> None:
    """Level 1 lights a number, level 2 the cells to compare, level 3 the guess."""
    start(page, ".*./..*/...", level="custom")
    open_cell(page, 1, 1)
    page.keyboard.press("h")
    expect(heading(page, 1)).to_be_visible()
    expect_label(page, 1, 1, f"2, {text('page-mark-near')}")
    page.keyboard.press("h")
    expect(heading(page, 2)).to_be_visible()
    marked = page.locator(f"[role=gridcell][aria-label$='covered, {text('page-mark-near')}']")
    expect(marked).to_have_count(4)
    expect(panel(page).get_by_text(text("page-hint-compare", 4))).to_be_visible()
    page.keyboard.press("h")
    expect(heading(page, 3)).to_be_visible()
    expect(page.locator(f"[role=gridcell][aria-label$='{text('page-mark-best')}']")).to_have_count(1)
    page.keyboard.press("h")
    expect(heading(page, 4)).to_be_visible()
    expect(page.locator(f"[role=gridcell][aria-label$='{text('page-mark-best')}']")).to_have_count(1)


def test_the_ruler_is_there_while_a_hint_is_open(page: Page, faults: Faults) -> None:
    faults.allow("willReadFrequently")  # the test reads the canvas
    page.emulate_media(reduced_motion="reduce")  # nothing but the ruler changes the picture
    start(page, ruler=False)
    open_cell(page, 1, 1)
    page.keyboard.press("Escape")
    without = picture(page)
    page.keyboard.press("h")
    expect(heading(page, 1)).to_be_visible()
    until(page, lambda: picture(page) != without)
    page.keyboard.press("Escape")
    expect(heading(page, 1)).to_be_hidden()
    until(page, lambda: picture(page) == without)


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_a_phone(phone: Page, colours: str) -> None:
    """The Hint button in the thumb bar advances like that of the panel, and its sentence is near the thumb."""
    phone.emulate_media(color_scheme=colours, reduced_motion="reduce")  # type: ignore[arg-type]
    start(phone)
    phone.touchscreen.tap(*place(phone, 1, 1, 4, 5))
    expect_label(phone, 0, 3, "1")
    thumb = phone.locator(".thumb").get_by_role("button", name=text("page-hint"), exact=True)
    for level in range(1, 5):
        thumb.tap()
        title = text(f"page-hint-step-{level}")
        expect(phone.locator(".side").get_by_text(title, exact=True)).to_be_attached()  # in the sheet, which is closed
    caption = phone.locator(".caption")
    before = caption.text_content() or ""
    thumb.tap()
    expect(caption).not_to_have_text(before)
    back = caption.get_by_role("button", name=text("page-back"), exact=True)
    back.tap()
    expect(caption).to_have_text(before)
    expect(back).to_be_disabled()
    caption.get_by_role("button", name=text("page-next"), exact=True).tap()
    expect(caption).not_to_have_text(before)
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    axe(phone)
    screenshot(phone, f"hint-phone-{colours}")
    chip = caption.locator(".cellref").first
    chip.evaluate("chip => { chip.textContent = 'these 12 other cells'; }")
    assert chip.evaluate("chip => chip.scrollWidth <= chip.clientWidth")  # not over the words beside it


@pytest.mark.parametrize("row", [0, 29])
def test_the_sentence_does_not_hide_the_cells_it_speaks_of(phone: Page, row: int) -> None:
    """An expert board held upright fills the screen: the sentence is at the other end of it."""
    rows = [["."] * 16 for _ in range(30)]
    rows[row][1] = rows[row][3] = "*"  # the cell between them stays covered
    start(phone, "/".join(map("".join, rows)))
    open_cell(phone, 15, 4)
    thumb = phone.locator(".thumb").get_by_role("button", name=text("page-hint"), exact=True)
    thumb.tap()
    caption = phone.locator(".caption")
    expect(caption).not_to_be_empty()
    lit = phone.locator(f"[role=gridcell][aria-label$=', {text('page-mark-near')}']")
    expect(lit).to_have_count(1)
    name = re.match(r"([A-Z]+)(\d+),", lit.get_attribute("aria-label") or "")
    assert name
    hinted = int(name[2]) - 1
    assert hinted in (0, 1, 28, 29)
    box = caption.bounding_box()
    assert box is not None
    y = place(phone, hinted, 0, 30, 16)[1]
    assert not box["y"] <= y <= box["y"] + box["height"]
    screenshot(phone, f"hint-phone-row-{row}")


def test_a_newcomer_is_led_to_the_course(page: Page) -> None:
    start(page)
    course = panel(page).get_by_role("link", name=text("page-help-course"))
    expect(course).to_be_visible()
    axe(page)
    open_cell(page, 1, 1)
    expect(course).to_have_count(0)
    start(page, learnt=["numbers"])
    page.reload()
    expect(
        panel(page).get_by_text(text("page-hint-help")).or_(panel(page).get_by_text(text("page-hint-start")))
    ).to_be_visible()
    expect(course).to_have_count(0)
    page.keyboard.press("n")
    expect(panel(page).get_by_text(text("page-hint-start"))).to_be_visible()
    expect(course).to_have_count(0)


def test_the_question_mark_opens_help_and_escape_closes_it(page: Page) -> None:
    start(page)
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name=text("page-help-keys"))
    expect(dialog).to_be_visible()
    expect(dialog).to_contain_text(text("page-key-sentence"))
    axe(page)
    screenshot(page, "help")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    page.keyboard.press("?")
    dialog.get_by_role("link", name=text("page-help-course")).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(text("page-screen-learn"))
    expect(dialog).to_have_count(0)
