"""Screenshots on the Analyse screen: dropped, pasted or chosen; what is in doubt is outlined, asked and settled."""

import base64
import json
import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from support.boards import label, settle
from support.browser import Faults, axe, screenshot
from support.screenshot import LEFT, ROWS, TOP, encoded
from support.texts import pattern, text

PNG = encoded()
SLOW = 120_000  # milliseconds that a reading may take on a busy machine
LINK = "/".join(ROWS).replace("#", "H")
TWOS = [[2, 1], [2, 6], [6, 4]]
READING: dict[str, Any] = {
    "schema": "mineproof/reading/1",
    "rows": 9,
    "columns": 9,
    "cells": list(ROWS),
    "total_mines": 10,
    "confidence": [[1.0] * 9] * 9,
    "box": [LEFT, TOP, LEFT + 216, TOP + 216],
    "counter": 8,
    "sure": False,
    "doubts": [
        {
            "cells": TWOS,
            "mark": "2",
            "confidence": 0.7,
            "alternatives": [{"mark": "7", "chance": 0.3}, {"mark": "3", "chance": 0.001}],
        },
        {"cells": [[0, 0]], "mark": "F", "confidence": 0.6, "alternatives": [{"mark": "?", "chance": 0.4}]},
    ],
    "wrong_flags": [],
    "notes": ["the picture is small"],
}


def answer(route: Route) -> None:
    """Read as a server that believes what is confirmed: what the page makes of doubts does not hang on the reader."""
    query = parse_qs(urlsplit(route.request.url).query)
    told = dict(one.rsplit(",", 1) for one in query["confirm"][0].split(";")) if query else {}
    found = json.loads(json.dumps(READING))
    rows = [list(row) for row in ROWS]
    for doubt in READING["doubts"]:
        if mark := next((told[f"{r},{c}"] for r, c in doubt["cells"] if f"{r},{c}" in told), None):
            found["doubts"] = [other for other in found["doubts"] if other["cells"] != doubt["cells"]]
            for r, c in doubt["cells"]:
                rows[r][c] = mark
    found["cells"] = ["".join(row) for row in rows]
    route.fulfill(body=json.dumps(found), content_type="application/json")


def begin(page: Page) -> None:
    page.goto("/#/analyse")
    expect(page.locator("section[role=status]")).to_contain_text(text("page-layouts", 2).removeprefix("2 "))
    expect(page).to_have_url(re.compile("board="))  # which follows the position


def drop(page: Page, data: bytes = PNG, kind: str = "image/png") -> None:
    script = """(element, [data, type]) => {
        const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
        const transfer = new DataTransfer();
        transfer.items.add(new File([bytes], "screen", {type}));
        element.dispatchEvent(new DragEvent("drop", {dataTransfer: transfer, bubbles: true, cancelable: true}));
    }"""
    page.locator(".stage").evaluate(script, [base64.b64encode(data).decode(), kind])


def doubted(page: Page) -> Locator:
    return page.locator("[role=gridcell][aria-label*=', unclear']")


def panel(page: Page) -> Locator:
    return page.get_by_role("region", name=text("page-screenshot"), exact=True)


def doubtful(page: Page) -> Locator:
    """A screenshot with two questions, on the page; its panel."""
    page.route("**/api/v1/read*", answer)
    begin(page)
    drop(page)
    expect(doubted(page)).to_have_count(4)
    return panel(page)


def shows(page: Page, board: str) -> None:
    expect(page).to_have_url(re.compile(rf"board={re.escape(board)}(&|$)"))


# how it comes


def test_a_dropped_screenshot_is_read(page: Page) -> None:
    """By the reader itself; the others are about the page."""
    begin(page)
    drop(page)
    expect(page).to_have_url(re.compile(re.escape(f"board={LINK}")), timeout=SLOW)
    expect(panel(page).get_by_role("img")).to_be_visible()
    expect(page.locator(".notice")).to_contain_text(text("page-screenshot-read", columns=9, rows=9))


def test_a_pasted_screenshot_is_read(page: Page) -> None:
    page.route("**/api/v1/read*", answer)
    begin(page)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    copy = """async (data) => {
        const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
        const blob = new Blob([bytes], {type: "image/png"});
        await navigator.clipboard.write([new ClipboardItem({"image/png": blob})]);
    }"""
    page.evaluate(copy, base64.b64encode(PNG).decode())
    page.keyboard.press("Control+V")
    shows(page, LINK)
    expect(doubted(page)).to_have_count(4)


def test_a_chosen_screenshot_is_read(page: Page) -> None:
    page.route("**/api/v1/read*", answer)
    begin(page)
    with page.expect_request("**/read") as asked:
        page.get_by_label(text("page-choose-screenshot")).set_input_files(
            {"name": "a.png", "mimeType": "image/png", "buffer": PNG}
        )
    shows(page, LINK)
    assert (asked.value.method, asked.value.headers["content-type"]) == ("POST", "application/octet-stream")


def test_what_is_no_screenshot_says_why_and_leaves_the_position(page: Page, faults: Faults) -> None:
    faults.allow("400")
    begin(page)
    before = page.url
    drop(page, PNG[:200])
    expect(page.get_by_role("alert")).to_contain_text("picture cannot be decoded", timeout=SLOW)
    expect(panel(page)).to_be_hidden()
    assert page.url == before


def test_a_screenshot_that_is_too_large_is_not_sent(page: Page) -> None:
    begin(page)
    drop(page, b"\0" * ((16 << 20) + 1))
    expect(page.get_by_role("alert")).to_have_text(text("page-picture-too-large", size="16,777,217", most="16,777,216"))


def test_reading_can_be_stopped(page: Page) -> None:
    page.route("**/api/v1/read*", lambda _: None)  # no answer comes
    begin(page)
    drop(page)
    reading = page.get_by_role("group", name=text("page-screenshot-reading"))
    expect(reading.get_by_role("progressbar")).to_be_visible()
    reading.get_by_role("button", name=text("page-cancel")).click()
    expect(reading).to_be_hidden()
    expect(panel(page)).to_be_hidden()


def test_the_picture_is_shown_while_it_is_read(page: Page, phone: Page) -> None:
    for shown in (page, phone):
        shown.route("**/api/v1/read*", lambda _: None)  # no answer comes
        begin(shown)
        drop(shown)
        picture = shown.get_by_role("group", name=text("page-screenshot-reading")).get_by_role("img")
        expect(picture).to_be_in_viewport()
        assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 100
        axe(shown)
        width = shown.viewport_size["width"] if shown.viewport_size else 0
        screenshot(shown, f"screenshot-reading-{width}")


def test_screenshots_come_first(page: Page, phone: Page, faults: Faults) -> None:
    faults.allow("422")  # of a flag among numbers
    for shown in (page, phone):
        begin(shown)
        place = shown.get_by_role("region", name=text("page-read-screenshot"))
        expect(place).to_contain_text(text("page-intake"))
        box, stage = place.bounding_box(), shown.locator(".stage").bounding_box()
        assert box is not None
        assert stage is not None
        assert box["y"] + box["height"] <= stage["y"] + 1, "above the board"
        before = box["height"]
        shown.keyboard.press("h")  # not an edit
        shown.locator("[role=gridcell][tabindex='0']").focus()
        shown.keyboard.press("f")
        expect(place).to_have_class(re.compile("small"))
        after = place.bounding_box()
        assert after is not None
        assert after["height"] < before
        assert shown.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_total_is_asked_where_it_is_missing(page: Page, faults: Faults) -> None:
    faults.allow("422")

    def without_total(route: Route) -> None:
        route.fulfill(body=json.dumps({**READING, "total_mines": None, "doubts": []}), content_type="application/json")

    page.route("**/api/v1/read*", without_total)
    begin(page)
    drop(page)
    total = page.locator("section", has=page.get_by_role("heading", name=text("page-total-question")))
    expect(total).to_be_in_viewport()
    expect(total.get_by_role("button").first).to_have_accessible_name(text("page-total-choose", 10))
    axe(page)
    screenshot(page, "analyse-total")
    total.get_by_role("button").first.click()
    expect(page).to_have_url(re.compile("mines=10$"))
    expect(total).to_be_hidden()
    page.keyboard.press("Control+z")
    expect(total).to_be_visible()
    total.get_by_role("spinbutton").fill("12")
    total.get_by_role("spinbutton").press("Enter")
    expect(page).to_have_url(re.compile("mines=12$"))


def test_a_picture_is_pasted_by_the_button(page: Page) -> None:
    page.route("**/api/v1/read*", answer)
    begin(page)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    copy = """async (data) => {
        const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
        await navigator.clipboard.write([new ClipboardItem({"image/png": new Blob([bytes], {type: "image/png"})})]);
    }"""
    page.evaluate(copy, base64.b64encode(PNG).decode())
    page.get_by_role("button", name=text("page-paste-screenshot"), exact=True).click()
    shows(page, LINK)


# what is in doubt


def test_doubts_are_outlined_and_listed_with_the_picture(page: Page) -> None:
    found = doubtful(page)
    expect(found).to_contain_text(text("page-unclear-count", 4))
    expect(found).to_contain_text(text("page-unclear-question", 3, symbol="2", others="7"))
    expect(found).to_contain_text(text("page-unclear-question", 1, symbol="flag", others="question mark"))
    expect(found).to_contain_text(text("page-screenshot-counter", number=8))
    expect(found).to_contain_text("the picture is small")
    expect(page.get_by_role("gridcell", name=label(2, 1, f"2, {text('page-cell-unclear')}"), exact=True)).to_have_count(
        1
    )
    expect(page.get_by_label(text("page-mines-total"))).to_have_value("10")
    canvas = found.get_by_role("img", name=text("page-screenshot-board"))
    pixels = "canvas => [...canvas.getContext('2d').getImageData(canvas.width * 0.5, canvas.height * 0.72, 1, 1).data]"
    assert canvas.evaluate(pixels)[3] == 255, "the picture is drawn"
    found.locator(".doubt").first.hover()
    expect(page.locator("[role=gridcell][aria-label$='look here']")).to_have_count(3)
    page.mouse.move(5, 5)
    expect(page.locator("[role=gridcell][aria-label$='look here']")).to_have_count(0)


def test_dashes_are_drawn_as_long_as_there_is_doubt(page: Page, faults: Faults) -> None:
    """In the colour of text, which nothing else on the board has."""
    faults.allow("willReadFrequently")  # of this test
    dark = """canvas => {
        const {data} = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
        let found = 0;
        for (let at = 0; at < data.length; at += 4)
            if (data[at] === 0x16 && data[at + 1] === 0x20 && data[at + 2] === 0x2e) found++;
        return found;
    }"""
    found = doubtful(page)
    canvas = page.locator(".stage canvas")
    settle(page)
    assert canvas.evaluate(dark) > 1000
    found.get_by_role("button", name=text("page-close")).click()
    expect(doubted(page)).to_have_count(0)
    settle(page)
    assert canvas.evaluate(dark) == 0


def test_a_group_is_confirmed_or_corrected(page: Page, faults: Faults) -> None:
    faults.allow("422")  # of sevens where there were twos
    found = doubtful(page)
    found.get_by_role("button", name=pattern("page-unclear-answer", count=3, symbol=7)).click()
    expect(doubted(page)).to_have_count(1)
    shows(page, LINK.replace("2", "7"))
    expect(found.get_by_role("button", name=pattern("page-unclear-answer", count=1, symbol="flag"))).to_be_focused()
    with page.expect_request("**/read?*") as asked:
        page.keyboard.press("Enter")
    assert parse_qs(urlsplit(asked.value.url).query) == {"confirm": ["2,1,7;0,0,F"]}
    expect(found).to_contain_text(text("page-unclear-none"))
    expect(doubted(page)).to_have_count(0)
    expect(found.get_by_role("heading", name=text("page-screenshot"))).to_be_focused()
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+z")
    expect(doubted(page)).to_have_count(4)
    shows(page, LINK)


def test_painting_settles_a_cell_and_stays(page: Page, faults: Faults) -> None:
    faults.allow("422")
    found = doubtful(page)
    page.locator("[role=gridcell][tabindex='0']").focus()  # (4,4)
    for key in [*["ArrowUp"] * 2, *["ArrowLeft"] * 3, "3"]:
        page.keyboard.press(key)
    expect(doubted(page)).to_have_count(3)
    expect(found).to_contain_text(text("page-unclear-question", 2, symbol="2", others="7"))
    for key in [*["ArrowUp"] * 2, "ArrowLeft", "f"]:
        page.keyboard.press(key)
    expect(doubted(page)).to_have_count(2)
    expect(found).not_to_contain_text(text("page-unclear-question", 1, symbol="flag", others="question mark"))
    found.get_by_role("button", name=pattern("page-unclear-answer", count=2, symbol=2)).click()
    expect(doubted(page)).to_have_count(0)
    expect(page.locator(f"[role=gridcell][aria-label^='{label(2, 1, '3')}']")).to_have_count(1)


def test_an_answer_that_fails_can_be_given_again(page: Page, faults: Faults) -> None:
    faults.allow("429")
    found = doubtful(page)
    busy = '{"schema": "mineproof/error/1", "code": "too-many", "message": "found 4 requests under way"}'
    page.route("**/api/v1/read?*", lambda route: route.fulfill(status=429, body=busy, content_type="application/json"))
    one = found.get_by_role("button", name=pattern("page-unclear-answer", count=3, symbol=7))
    one.click()
    expect(page.get_by_role("alert")).to_contain_text("found 4 requests under way")
    expect(one).to_be_enabled()
    expect(doubted(page)).to_have_count(4)


def test_it_is_put_away_and_kept_off_other_positions(page: Page) -> None:
    found = doubtful(page)
    found.get_by_role("button", name=text("page-close")).click()
    expect(found).to_be_hidden()
    expect(doubted(page)).to_have_count(0)
    shows(page, LINK)
    page.keyboard.press("Control+z")
    expect(found).to_be_visible()
    page.get_by_label(text("page-rows")).fill("8")
    page.get_by_label(text("page-rows")).press("Tab")
    expect(found).to_be_hidden()


# for everybody


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_is_accessible(page: Page, scheme: str) -> None:
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    doubtful(page)
    axe(page)
    screenshot(page, f"screenshot-{scheme}")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_a_phone(phone: Page, scheme: str) -> None:
    phone.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    found = doubtful(phone)
    found.scroll_into_view_if_needed()
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    screenshot(phone, f"screenshot-phone-{scheme}")
    phone.evaluate("scrollTo(0, 0)")  # where no bar lies over a button
    axe(phone)
    found.get_by_role("button", name=pattern("page-unclear-answer", count=1, symbol="question mark")).click()
    expect(doubted(phone)).to_have_count(3)
