"""Analyse in a real browser: editing by mouse, touch and keys, the results shown, and sharing."""

import re

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from support.boards import label, place, starting
from support.browser import Faults, axe, choose, screenshot
from support.texts import at, part, pattern, text

GUESS = "HHHHH/123HH/HHH3H&mines=6"  # 10 layouts fit; the best move is not the safest cell
WRONG_FLAG = "HHHHHH/F112HH/11FHHH/HHHHHH&mines=5"
PLAIN = "HHH/HHH/HHH&mines=2"
FITS = re.compile("mine layouts? fit")  # whether or not there is one
LOOK_HERE = f"[role=gridcell][aria-label$='{text('page-mark-near')}']"
PROOF = f"[role=gridcell][aria-label$='{text('page-mark-because')}']"
HINT = "[role=gridcell][aria-label*=' hint: ']"


def show(page: Page, board: str) -> Locator:
    """Open a position; what is said about it."""
    page.goto(f"/#/analyse?board={board}")
    verdict = page.locator("section[role=status]")
    expect(verdict).to_contain_text(FITS)
    return verdict


def shows(page: Page, board: str, rest: str = "") -> None:
    """Fails unless the address tells this position: it follows the edits."""
    expect(page).to_have_url(re.compile(rf"board={re.escape(board)}{rest or '(&|$)'}"))


def cell(page: Page, row: int, column: int) -> Locator:
    return page.get_by_role("gridcell", name=starting(row, column))


def spot(page: Page, row: int, column: int, size: tuple[int, int]) -> tuple[float, float]:
    return place(page, row, column, *size)


def tool(page: Page, key: str, **fields: object) -> None:
    tools = page.get_by_role("group", name=text("page-tools"))
    tools.get_by_role("button", name=text(key, **fields), exact=True).click()


def press(where: Page | Locator, key: str, **fields: object) -> None:
    where.get_by_role("button", name=text(key, **fields), exact=True).click()


def unfold(page: Page, key: str) -> Locator:
    panel = page.locator("details", has=page.get_by_role("heading", name=text(key), exact=True))
    if panel.get_attribute("open") is None:
        panel.locator("summary").click()
    return panel


def fits(verdict: Locator, count: int) -> None:
    expect(verdict).to_contain_text(text("page-layouts", count))


def clipboard(page: Page) -> str:
    return str(page.evaluate("navigator.clipboard.readText()"))


def paste(page: Page, content: str) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.evaluate("text => navigator.clipboard.writeText(text)", content)
    page.keyboard.press("Control+V")


# results


def test_a_first_visit_sees_an_example(page: Page) -> None:
    page.goto("/#/analyse")
    verdict = page.locator("section[role=status]")
    expect(verdict).to_contain_text(f"{text('page-verdict-safe', 15)} · {text('page-verdict-mines', 6)}")
    expect(cell(page, 0, 2)).to_have_accessible_name(label(0, 2, f"covered, {text('page-cell-certainly-safe')}"))
    first = unfold(page, "page-deductions").get_by_role("listitem").first
    expect(first).to_contain_text(text("page-step-mine", cell="C4"))
    shows(page, "HHHHHHHHH/HHH1111HH/12H1002HH/01", ".*&mines=10$")
    screenshot(page, "analyse")


def test_odds_are_exact_under_the_mouse_and_where_it_is_tapped(page: Page) -> None:
    show(page, GUESS)
    page.mouse.move(*spot(page, 0, 0, (3, 5)))
    expect(page.locator(".under")).to_have_text("A1: 30.00 % mine, exactly 3/10")
    page.mouse.click(*spot(page, 2, 2, (3, 5)))
    expect(page.get_by_role("region", name=text("page-column-cell"), exact=True)).to_contain_text("exactly 3/5")
    page.mouse.move(*spot(page, 1, 0, (3, 5)))
    expect(page.locator(".under")).to_have_text("A2: shows 1")


def test_overlays_tell_what_they_say(page: Page) -> None:
    page.goto("/#/analyse")
    expect(cell(page, 0, 0)).to_have_accessible_name(re.compile(text("page-cell-odds", percent=18)))
    press(page, "page-overlay-certain")
    expect(cell(page, 0, 0)).to_have_accessible_name(label(0, 0, "covered"))
    expect(cell(page, 0, 2)).to_have_accessible_name(re.compile(text("page-cell-certainly-safe")))
    press(page, "page-overlay-none")
    expect(cell(page, 0, 2)).to_have_accessible_name(label(0, 2, "covered"))


def test_a_contradiction_is_outlined_and_the_wrong_flag_named(page: Page, faults: Faults) -> None:
    faults.allow("422")
    with page.expect_response("**/api/v1/analyze") as response:
        verdict = show(page, WRONG_FLAG)
    error = response.value.json()
    assert error["wrong_flags"] == [[2, 2]]
    expect(verdict).to_contain_text(text("page-verdict-contradiction"))
    named = re.sub(r"\((\d+),(\d+)\)", lambda index: at((int(index[1]), int(index[2]))), error["message"])
    expect(verdict).to_contain_text(named[1:])
    for fault in [(2, 1), (2, 2)]:
        expect(cell(page, *fault)).to_have_accessible_name(re.compile(f"{text('page-mark-fault')}$"))
    page.mouse.move(*spot(page, 0, 0, (4, 6)))
    expect(page.locator(".under")).to_contain_text(text("page-odds-contradiction"))
    hint = unfold(page, "page-hint")
    press(hint, "page-hint-why")
    press(hint, "page-proof-all")
    expect(hint.locator(".words").last).to_contain_text("Your flag at this cell is wrong.")
    expect(hint.get_by_role("button", name="this cell, C3").first).to_be_visible()
    choose(page, text("page-flags"), "ignore")
    expect(verdict).to_contain_text(text("page-verdict-wrong-flags", cells="C3"))


def test_deductions_are_stepped_through_with_their_proof(page: Page) -> None:
    page.goto("/#/analyse")
    panel = unfold(page, "page-deductions")
    press(panel, "page-next")
    expect(panel).to_contain_text("1 of ")
    expect(panel.locator(".words")).to_contain_text("So this cell is a mine.")
    expect(panel.get_by_role("button", name="this cell, C4").last).to_be_visible()
    mine = re.compile(f"{text('page-mark-mine')}$")
    expect(cell(page, 3, 2)).to_have_accessible_name(mine)
    expect(page.locator(PROOF)).not_to_have_count(0)
    press(panel, "page-next")
    expect(panel).to_contain_text("2 of ")
    expect(cell(page, 3, 2)).not_to_have_accessible_name(mine)
    press(panel, "page-back")
    expect(cell(page, 3, 2)).to_have_accessible_name(mine)


def test_a_hint_tells_as_much_as_is_wanted(page: Page) -> None:
    page.goto("/#/analyse")
    panel = unfold(page, "page-hint")
    expect(panel.locator(".words")).not_to_be_empty()
    expect(page.locator(LOOK_HERE)).to_have_count(1)
    expect(page.locator(HINT)).to_have_count(0)
    press(panel, "page-hint-cells")
    expect(page.locator(HINT)).not_to_have_count(0)
    press(panel, "page-hint-why")
    expect(page.locator(PROOF)).not_to_have_count(0)


def test_the_best_move_has_its_decision_table(page: Page) -> None:
    show(page, GUESS)
    panel = unfold(page, "page-best-move")
    table = panel.get_by_role("region", name=text("page-decision-table"))
    expect(table.get_by_role("row").nth(1)).to_have_text(re.compile(r"^A130\.00.%60\.00.% = 3/5best$"))
    expect(table.get_by_role("row").nth(2)).to_have_text(re.compile(r"^B1 safest20\.00.%50\.00.% = 1/2−10\.0$"))
    assert table.evaluate("table => table.scrollWidth <= table.clientWidth"), "it fits beside the board"
    expect(cell(page, 0, 0)).to_have_accessible_name(re.compile("best move$"))
    expect(cell(page, 0, 1)).to_have_accessible_name(re.compile("safest$"))
    expect(panel.get_by_role("heading", level=3)).to_have_text(text("page-outlook-title", cell="A1"))
    table.get_by_role("button", name="B3").click()
    expect(panel.get_by_role("heading", level=3)).to_have_text(text("page-outlook-title", cell="B3"))
    expect(cell(page, 2, 1)).to_have_accessible_name(re.compile("look here$"))
    expect(panel.get_by_role("button", name=pattern("page-assume-number"))).to_have_count(3)
    expect(table.get_by_role("row")).to_have_count(9)
    panel.get_by_role("button", name=text("page-show-all-cells", 11)).click()
    expect(table.get_by_role("row")).to_have_count(12)


def test_cells_that_are_alike_are_one_row_and_the_best_comes_first(page: Page) -> None:
    """The corners of an untouched board are equal, whatever the playouts say."""
    verdict = show(page, "/".join(12 * [8 * "H"]) + "&mines=12")
    expect(verdict).not_to_be_empty()
    panel = unfold(page, "page-best-move")
    rows = panel.get_by_role("region", name=text("page-decision-table")).locator("tbody tr")
    expect(rows.first).to_contain_text("×4")
    names = [row.split("\t")[0].split(" ")[0] for row in rows.all_inner_texts()]
    assert not {"A1", "H1", "A12", "H12"} <= set(names)
    first = names[0]
    expect(panel.locator("p.words").first).to_contain_text(first)
    expect(page.locator("[role=gridcell][aria-label$='best move']")).to_have_attribute(
        "aria-label", re.compile(f"^{first},")
    )
    rows.first.get_by_role("button").hover()
    expect(page.locator(".arrows circle.ring")).to_have_count(4)


def test_the_star_belongs_to_the_position(page: Page) -> None:
    show(page, GUESS)
    panel = unfold(page, "page-best-move")
    best = page.locator("[role=gridcell][aria-label$='best move']")
    expect(best).to_have_attribute("aria-label", re.compile("^A1,"))
    page.goto("/#/analyse?board=HHH3H/123HH/HHHHH&mines=6")
    expect(panel.get_by_role("region", name=text("page-decision-table"))).to_be_visible()
    shows(page, "HHH3H/123HH/HHHHH")
    expect(best).to_have_attribute("aria-label", re.compile("^A3,"))


def test_the_reasons_of_a_hint_are_read_one_by_one(page: Page) -> None:
    page.goto("/#/analyse")
    panel = unfold(page, "page-hint")
    press(panel, "page-hint-why")
    sentence = panel.locator(".proof p.words")
    first = sentence.inner_text()
    press(panel.locator(".proof"), "page-next")
    expect(sentence).not_to_have_text(first)
    press(panel.locator(".proof"), "page-proof-all")
    expect(panel.locator(".proof li").first).to_contain_text(first)
    screenshot(page, "analyse-hint")


def test_suppositions_are_walked_on_and_back(page: Page) -> None:
    verdict = show(page, GUESS)
    press(unfold(page, "page-best-move"), "page-assume-number", number=1)
    fits(verdict, 2)
    expect(cell(page, 0, 0)).to_have_accessible_name(label(0, 0, f"1, {text('page-mark-assume')}"))
    page.mouse.click(*spot(page, 0, 2, (3, 5)))
    page.get_by_role("button", name=text("page-assume-shows", cell="C1", number=2)).click()
    trail = page.get_by_role("group", name=text("page-assumptions"))
    expect(trail).to_contain_text("A1 shows 1C1 shows 2")
    shows(page, "1H2HH/123HH/HHH3H")
    press(trail, "page-cell-shows", cell="A1", number=1)
    expect(trail).not_to_contain_text("C1")
    shows(page, "1HHHH/123HH/HHH3H")
    press(trail, "page-assume-none")
    expect(trail).to_be_hidden()
    fits(verdict, 10)
    page.keyboard.press("Control+z")
    expect(trail).to_contain_text("A1 shows 1")


def test_the_keys_alone_walk_on_and_back(page: Page) -> None:
    verdict = show(page, GUESS)
    page.locator("[role=gridcell][tabindex='0']").focus()
    page.keyboard.press("b")
    unfold(page, "page-best-move").get_by_role("button", name=text("page-assume-number", number=0)).focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name=text("page-assume-none"))).to_be_focused()
    fits(verdict, 5)
    page.keyboard.press("Enter")
    expect(page.locator("[role=gridcell][tabindex='0']")).to_be_focused()
    fits(verdict, 10)


def test_only_what_is_possible_can_be_assumed(page: Page) -> None:
    verdict = show(page, GUESS)
    page.mouse.click(*spot(page, 0, 1, (3, 5)))
    panel = page.get_by_role("region", name=text("page-column-cell"), exact=True)
    expect(panel.get_by_role("button")).to_have_text(
        [re.compile(rf"^{what}: {chance}\.00.%$") for what, chance in [("Mine", 20), (0, 30), (1, 40), (2, 10)]]
    )
    expect(panel).to_contain_text(re.compile(r"safe \(80\.00.%\)"))
    panel.get_by_role("button", name=text("page-assume-mine", cell="B1")).click()
    fits(verdict, 2)
    trail = page.get_by_role("group", name=text("page-assumptions"))
    expect(trail).to_contain_text(text("page-cell-is-mine", cell="B1"))
    shows(page, "HFHHH/123HH/HHH3H")


def test_numbers_are_offered_without_the_total(page: Page) -> None:
    page.goto("/#/analyse?board=1H/HH")
    expect(page.get_by_role("gridcell")).to_have_count(4)  # the board has been read
    page.mouse.click(*spot(page, 1, 1, (2, 2)))
    panel = page.get_by_role("region", name=text("page-column-cell"), exact=True)
    expect(panel.get_by_role("button")).to_have_text([text("page-assume-mine-short"), "1"])


@pytest.mark.parametrize("board", ["1F/11&mines=1", "1H/11&mines=1", "00/00&mines=0", "F1/11"])
def test_a_finished_board_is_called_finished(page: Page, board: str) -> None:
    page.goto(f"/#/analyse?board={board}")
    verdict = page.locator("section[role=status]")
    expect(verdict).to_contain_text(text("page-verdict-finished"))
    expect(verdict).not_to_contain_text(text("page-verdict-nothing"))
    expect(page.get_by_text(text("page-deductions-none"))).to_have_count(0)


def test_a_phone_shows_the_question_for_the_mines_without_scrolling(phone: Page) -> None:
    phone.goto("/#/analyse?board=HHHHH/123HH/HHH3H")
    expect(phone.locator(".panel.total")).to_be_in_viewport(ratio=1)


# editing


def test_a_drag_of_the_mouse_paints_and_is_one_edit(page: Page) -> None:
    show(page, PLAIN)
    tool(page, "page-tool-number", number=1)
    page.mouse.move(*spot(page, 0, 0, (3, 3)))
    page.mouse.down()
    page.mouse.move(*spot(page, 0, 1, (3, 3)), steps=4)
    page.mouse.move(*spot(page, 0, 2, (3, 3)), steps=4)
    page.mouse.up()
    shows(page, "111/HHH/HHH")
    page.mouse.click(*spot(page, 2, 2, (3, 3)), button="right")
    shows(page, "111/HHH/HHF")
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+z")
    shows(page, "HHH/HHH/HHH")
    page.keyboard.press("Control+Shift+z")
    shows(page, "111/HHH/HHH")
    press(page, "page-redo")
    shows(page, "111/HHH/HHF")


def test_fill_paints_the_area(page: Page, faults: Faults) -> None:
    faults.allow("422")
    show(page, "HH1HH/HH1HH/HH1HH&mines=6")
    tool(page, "page-tool-outside")
    tool(page, "page-tool-fill")
    page.mouse.click(*spot(page, 1, 4, (3, 5)))
    shows(page, "/".join(["%23%231~~"] * 3))


def test_keys_alone_edit(page: Page, faults: Faults) -> None:
    faults.allow("422")
    show(page, PLAIN)
    page.locator("[role=gridcell][tabindex='0']").focus()
    for key in ["ArrowUp", "ArrowLeft", "1", "ArrowRight", "f", "ArrowRight", "3", "#", "ArrowDown", "0", "ArrowDown"]:
        page.keyboard.press(key)
    shows(page, "1FH/HH0/HHH")
    page.keyboard.press("~")
    shows(page, "1F%23/%23%230/%23%23~")
    page.keyboard.press("u")
    shows(page, "1FH/HH0/HHH")


def test_size_and_total(page: Page, faults: Faults) -> None:
    faults.allow("400")
    verdict = show(page, "1HH/HHH/HHH&mines=2")
    page.get_by_label(text("page-rows")).fill("2")
    page.get_by_label(text("page-rows")).press("Tab")
    page.get_by_label(text("page-columns")).fill("5")
    page.get_by_label(text("page-columns")).press("Tab")
    shows(page, "1HHHH/HHHHH")
    fits(verdict, 18)
    page.get_by_label(text("page-mines-total")).fill("")
    expect(verdict).to_contain_text(text("page-verdict-no-total"))
    shows(page, "1HHHH/HHHHH", "$")
    page.get_by_label(text("page-mines-total")).fill("99")
    expect(verdict).to_contain_text(re.compile("expected 0 to 10 mines on this board, got 99", re.IGNORECASE))
    page.get_by_label(text("page-rows")).fill("5000")
    page.get_by_label(text("page-rows")).press("Tab")
    expect(page.get_by_role("alert")).to_have_text(text("page-size-limit", rows=5000, columns=5, most="10,000"))
    expect(page.get_by_label(text("page-rows"))).to_have_value("2")
    choose(page, text("page-board-shape"), "torus")
    shows(page, "1HHHH/HHHHH", "&mines=99&topology=torus$")


def test_painting_by_touch_on_a_phone(phone: Page, faults: Faults) -> None:
    faults.allow("422")
    show(phone, PLAIN)
    expect(phone.get_by_text(text("page-analyse-tap"))).to_have_count(2)  # under the board and in the help
    expect(phone.get_by_text(text("page-analyse-point"))).to_have_count(0)
    phone.touchscreen.tap(*spot(phone, 1, 1, (3, 3)))
    panel = phone.get_by_role("region", name=text("page-column-cell"), exact=True)
    expect(panel).to_contain_text(text("page-cell-title", cell="B2"))
    expect(panel).to_contain_text("exactly 2/9")
    shows(phone, "HHH/HHH/HHH")
    tool(phone, "page-tool-number", number=2)
    phone.touchscreen.tap(*spot(phone, 2, 2, (3, 3)))
    shows(phone, "HHH/HHH/HH2")
    touch = phone.context.new_cdp_session(phone)
    places = [spot(phone, 0, column, (3, 3)) for column in range(3)]
    for kind, (x, y) in zip(["touchStart", "touchMove", "touchMove"], places, strict=True):
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    shows(phone, "222/HHH/HH2")
    tool(phone, "page-undo")
    shows(phone, "HHH/HHH/HH2")
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    screenshot(phone, "analyse-phone")


def test_an_edit_stops_the_question_before_it(page: Page) -> None:
    verdict = show(page, PLAIN)
    stopped: list[str] = []
    page.on("requestfailed", lambda request: stopped.append(request.post_data or ""))
    held: list[Route] = []
    page.route("**/analyze", lambda route: held.append(route) if asks(route, 3) else route.continue_())
    page.get_by_label(text("page-mines-total")).fill("3")
    expect(verdict).to_contain_text(text("page-working"))
    expect(unfold(page, "page-deductions")).to_contain_text(text("page-answer-needs-odds"))
    page.get_by_label(text("page-mines-total")).fill("1")
    fits(verdict, 9)
    assert len(held) == 1
    assert ['"mines":3' in question for question in stopped] == [True]


def test_what_was_stopped_by_leaving_is_asked_again(page: Page) -> None:
    verdict = show(page, PLAIN)
    page.route("**/analyze", lambda _: None)  # no answer comes
    page.get_by_label(text("page-mines-total")).fill("3")
    expect(verdict).to_contain_text(text("page-working"))
    page.get_by_role("link", name=text("page-screen-generate")).click()
    expect(verdict).not_to_be_attached()
    page.unroute("**/analyze")
    page.get_by_role("link", name=text("page-screen-analyse")).click()
    fits(verdict, 84)


def test_fractions_are_asked_for_once(page: Page) -> None:
    show(page, GUESS)
    held: list[Route] = []
    page.route("**/analyze", lambda route: held.append(route))  # noqa: PLW0108 (Playwright sets attributes on it)
    for column in range(3):
        page.mouse.move(*spot(page, 0, column, (3, 5)))
    expect(page.locator(".under")).to_contain_text("C1: 40.00")
    held[0].continue_()
    expect(page.locator(".under")).to_contain_text("exactly 2/5")
    assert len(held) == 1


def asks(route: Route, mines: int) -> bool:
    return f'"mines":{mines},' in (route.request.post_data or "").replace("}", ",")


def test_it_can_be_stopped_and_says_when_the_budget_is_spent(page: Page, faults: Faults) -> None:
    faults.allow("503")
    verdict = show(page, PLAIN)
    spent = '{"schema": "mineproof/error/1", "code": "budget", "message": "found no answer within 10 seconds"}'
    page.route("**/analyze", lambda route: route.fulfill(status=503, body=spent, content_type="application/json"))
    page.get_by_label(text("page-mines-total")).fill("3")
    expect(verdict).to_contain_text(text("page-verdict-no-odds"))
    expect(verdict).to_contain_text("Found no answer within 10 seconds")
    page.unroute("**/analyze")
    page.route("**/analyze", lambda _: None)  # no answer comes
    page.get_by_label(text("page-mines-total")).fill("4")
    press(verdict, "page-stop")
    expect(verdict).to_contain_text(text("page-analyse-stopped"))


# from elsewhere and to elsewhere


def test_paste_analysis_link_reload(page: Page, address: str) -> None:
    page.goto("/#/analyse")
    expect(page.locator("section[role=status]")).to_contain_text(FITS)
    paste(page, "5x3x6\n#####\n123##\n###3#\n")
    verdict = page.locator("section[role=status]")
    fits(verdict, 10)
    press(page, "page-copy-link")
    expect(page.locator(".notice")).to_have_text(text("page-copied-link"))
    link = clipboard(page)
    assert link == f"{address}/#/analyse?board={GUESS}"
    page.reload()
    fits(verdict, 10)
    page.goto("/")
    page.goto(link)
    fits(verdict, 10)
    press(page, "page-copy-text")
    expect(page.locator(".notice")).to_have_text(text("page-copied-text"))
    assert clipboard(page) == "5x3x6\n#####\n123##\n###3#"


@pytest.mark.parametrize(
    ("pasted", "board"),
    [
        ("see http://localhost/#/analyse?board=1H/HH&mines=1", "1H/HH"),
        ("https://example.org/JSMinesweeper/?analysis=aeadaaacSd2dSOc", "H100/F210/HH10"),
        ('{"schema": "mineproof/board/1", "rows": 1, "columns": 2, "cells": ["1#"]}', "1H"),
        ("+33+\n----", "F33F/HHHH"),
    ],
)
def test_the_box_reads_other_formats(phone: Page, pasted: str, board: str, faults: Faults) -> None:
    faults.allow("422")
    phone.goto("/#/analyse")
    phone.get_by_label(text("page-paste")).fill(pasted)
    press(phone, "page-read")
    shows(phone, board)


def test_what_cannot_be_read_says_why_and_leaves_the_position(page: Page, faults: Faults) -> None:
    faults.allow("400")
    show(page, PLAIN)
    paste(page, "1##\n#x#")
    expect(page.get_by_role("alert")).to_contain_text("line 2, character 2: 'x' can be covered or a mine")
    shows(page, "HHH/HHH/HHH")
    page.goto("/#/analyse?board=1y")
    expect(page.get_by_role("alert")).to_contain_text("got 'y'")


def test_dropped_text_and_files_are_read(page: Page) -> None:
    show(page, PLAIN)
    for make in ["transfer.setData('text/plain', '1#/##')", "transfer.items.add(new File(['2#/##'], 'board.txt'))"]:
        drop = f"""element => {{
            const transfer = new DataTransfer();
            {make};
            element.dispatchEvent(new DragEvent("drop", {{dataTransfer: transfer, bubbles: true, cancelable: true}}));
        }}"""
        page.locator(".stage").evaluate(drop)
        expect(page.get_by_label(text("page-rows"))).to_have_value("2")
        shows(page, "1H/HH" if "text/plain" in make else "2H/HH")


def test_a_file_is_opened(page: Page, faults: Faults) -> None:
    faults.allow("40[0-9]")
    verdict = show(page, PLAIN)
    box = page.get_by_label(text("page-open-file"))
    box.set_input_files({"name": "a.mbf", "mimeType": "", "buffer": bytes([4, 3, 0, 2, 0, 0, 3, 2])})
    expect(page.locator(".notice")).to_contain_text(part("page-read-board", columns=4, rows=3))
    fits(verdict, 66)
    expect(page.get_by_role("button", name=text("page-copy-layout"))).to_be_visible()
    box.set_input_files({"name": "b.bin", "mimeType": "", "buffer": b"\0\1\2"})
    expect(page.get_by_role("alert")).to_be_visible()
    box.set_input_files({"name": "c.txt", "mimeType": "", "buffer": b"#" * 800_000})
    expect(page.get_by_role("alert")).to_have_text(pattern("page-file-too-large", size="800,000"))
    shows(page, "HHHH/HHHH/HHHH")


def test_a_layout_is_shown_covered_and_shared_on_purpose_only(page: Page) -> None:
    verdict = show(page, PLAIN)
    paste(page, "*...\n....\n...*")
    fits(verdict, 66)
    shows(page, "HHHH/HHHH/HHHH", "&mines=2$")
    for key in ["link", "text"]:
        press(page, f"page-copy-{key}")
        expect(page.locator(".notice")).to_have_text(text(f"page-copied-{key}"))
        assert "*" not in clipboard(page)
    press(page, "page-copy-layout")
    expect(page.locator(".notice")).to_have_text(text("page-copied-link"))
    link = clipboard(page)
    assert link.endswith("#/analyse?layout=*.../..../...*")
    page.goto("/")
    page.goto(link)
    expect(page.get_by_role("button", name=text("page-copy-layout"))).to_be_visible()
    shows(page, "HHHH/HHHH/HHHH")


def test_a_picture_of_the_whole_board_is_copied(page: Page) -> None:
    show(page, PLAIN)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    press(page, "page-copy-picture")
    expect(page.locator(".notice")).to_have_text(text("page-copied-picture"))
    size = """async () => {
        const [item] = await navigator.clipboard.read();
        const picture = await createImageBitmap(await item.getType("image/png"));
        return [picture.width, picture.height];
    }"""
    assert page.evaluate(size) == [96, 96]


def test_the_position_is_kept_while_other_screens_are_shown(page: Page) -> None:
    show(page, GUESS)
    tool(page, "page-tool-number", number=1)
    page.mouse.click(*spot(page, 0, 0, (3, 5)))
    shows(page, "1HHHH/123HH/HHH3H")
    page.get_by_role("link", name=text("page-screen-generate")).click()
    page.get_by_role("link", name=text("page-screen-analyse")).click()
    shows(page, "1HHHH/123HH/HHH3H")
    page.keyboard.press("Control+z")
    shows(page, "HHHHH/123HH/HHH3H")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_is_accessible(page: Page, scheme: str) -> None:
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    show(page, GUESS)
    unfold(page, "page-hint")
    press(unfold(page, "page-best-move"), "page-assume-number", number=1)
    fits(page.locator("section[role=status]"), 2)
    press(unfold(page, "page-deductions"), "page-next")
    page.mouse.click(*spot(page, 0, 2, (3, 5)))
    expect(page.get_by_role("region", name=text("page-column-cell"), exact=True)).to_contain_text(
        text("page-assume-title")
    )
    axe(page)
    screenshot(page, f"analyse-{scheme}")


def test_it_is_accessible_on_a_phone(phone: Page, faults: Faults) -> None:
    faults.allow("422")
    show(phone, WRONG_FLAG)
    axe(phone)


def test_nothing_is_cut_off_at_twice_the_size(page: Page) -> None:
    page.set_viewport_size({"width": 640, "height": 400})
    show(page, GUESS)
    unfold(page, "page-best-move")
    expect(page.get_by_role("region", name=text("page-decision-table"))).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 640
