"""Analyse in a real browser: editing by mouse, touch and keys, what is told about the position, and sharing it."""

import re

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from support.browser import Faults, axe, screenshot

GUESS = "HHHHH/123HH/HHH3H&mines=6"  # 10 layouts fit; the best move is not the safest cell
WRONG_FLAG = "HHHHHH/F112HH/11FHHH/HHHHHH&mines=5"
PLAIN = "HHH/HHH/HHH&mines=2"
RULER = 18  # CSS pixels of the numbers beside the board


def show(page: Page, board: str) -> Locator:
    """Open a position; what is said about it."""
    page.goto(f"/#/analyse?board={board}")
    verdict = page.locator("section[role=status]")
    expect(verdict).to_contain_text("fit")
    return verdict


def shows(page: Page, board: str, rest: str = "") -> None:
    """Fails unless the address tells this position: it follows the edits."""
    expect(page).to_have_url(re.compile(rf"board={re.escape(board)}{rest or '(&|$)'}"))


def cell(page: Page, row: int, column: int) -> Locator:
    return page.get_by_role("gridcell", name=re.compile(f"^row {row}, column {column},"))


def spot(page: Page, row: int, column: int, size: tuple[int, int]) -> tuple[float, float]:
    """Where a cell is on the screen; the board is in the middle, as large as it may be."""
    box = page.locator(".stage canvas").bounding_box()
    assert box
    room = min((box["width"] - RULER - 2) // size[1], (box["height"] - RULER - 2) // size[0])
    side = min(60, room)
    left = box["x"] + (box["width"] - size[1] * side - RULER) / 2 + RULER
    top = box["y"] + (box["height"] - size[0] * side - RULER) / 2 + RULER
    return left + (column + 0.5) * side, top + (row + 0.5) * side


def tool(page: Page, name: str) -> None:
    page.get_by_role("group", name="Tools").get_by_role("button", name=name, exact=True).click()


def unfold(page: Page, panel: str) -> Locator:
    found = page.locator("details", has=page.get_by_role("heading", name=panel, exact=True))
    if found.get_attribute("open") is None:
        found.locator("summary").click()
    return found


def clipboard(page: Page) -> str:
    return str(page.evaluate("navigator.clipboard.readText()"))


def paste(page: Page, text: str) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.evaluate("text => navigator.clipboard.writeText(text)", text)
    page.keyboard.press("Control+V")


# what is told


def test_a_first_visit_sees_an_example(page: Page) -> None:
    page.goto("/#/analyse")
    expect(page.locator("section[role=status]")).to_contain_text("Certain: 15 safe cells, 6 mines")
    expect(cell(page, 0, 2)).to_have_accessible_name("row 0, column 2, covered, certainly safe")
    expect(unfold(page, "Deductions").get_by_role("listitem").first).to_contain_text("single-flag: (3,2) is a mine")
    shows(page, "HHHHHHHHH/HHH1111HH/12H1002HH/01", ".*&mines=10$")
    screenshot(page, "analyse")


def test_odds_are_exact_under_the_mouse_and_where_it_is_tapped(page: Page) -> None:
    show(page, GUESS)
    page.mouse.move(*spot(page, 0, 0, (3, 5)))
    expect(page.locator(".under")).to_have_text(re.compile(r"^\(0,0\): 30\.00.% mine, exactly 3/10$"))
    page.mouse.click(*spot(page, 2, 2, (3, 5)))
    expect(page.get_by_role("region", name="Cell")).to_contain_text("exactly 3/5")
    page.mouse.move(*spot(page, 1, 0, (3, 5)))
    expect(page.locator(".under")).to_have_text("(1,0): shows 1")


def test_overlays_tell_what_they_say(page: Page) -> None:
    page.goto("/#/analyse")
    expect(cell(page, 0, 0)).to_have_accessible_name(re.compile("18 percent mine"))
    page.get_by_role("button", name="Certain", exact=True).click()
    expect(cell(page, 0, 0)).to_have_accessible_name("row 0, column 0, covered")
    expect(cell(page, 0, 2)).to_have_accessible_name(re.compile("certainly safe"))
    page.get_by_role("button", name="Plain", exact=True).click()
    expect(cell(page, 0, 2)).to_have_accessible_name("row 0, column 2, covered")


def test_a_contradiction_is_outlined_and_the_wrong_flag_named(page: Page, faults: Faults) -> None:
    faults.allow("422")
    verdict = show(page, WRONG_FLAG)
    expect(verdict).to_contain_text("No layout fits")
    expect(verdict).to_contain_text("the flag at (2,2) is wrong")
    for place in [(2, 1), (2, 2)]:
        expect(cell(page, *place)).to_have_accessible_name(re.compile("contradiction$"))
    page.mouse.move(*spot(page, 0, 0, (4, 6)))
    expect(page.locator(".under")).to_contain_text("no odds: no layout fits")
    hint = unfold(page, "Hint")
    hint.get_by_role("button", name="Why").click()
    expect(hint).to_contain_text("Your flag at (2,2) is wrong")
    page.get_by_label("Flags").select_option("ignore")
    expect(verdict).to_contain_text("Wrong flags, on cells that are certainly safe: (2,2)")


def test_deductions_are_stepped_through_with_their_proof(page: Page) -> None:
    page.goto("/#/analyse")
    panel = unfold(page, "Deductions")
    panel.get_by_role("button", name="Next").click()
    expect(panel).to_contain_text("1 of ")
    expect(panel.locator(".words")).to_contain_text("(3,2)")
    expect(cell(page, 3, 2)).to_have_accessible_name(re.compile("mine by the hint$"))
    first = page.locator("[role=gridcell][aria-label$='part of the proof']").count()
    assert first > 0
    panel.get_by_role("button", name="Next").click()
    expect(panel).to_contain_text("2 of ")
    expect(cell(page, 3, 2)).not_to_have_accessible_name(re.compile("by the hint"))
    panel.get_by_role("button", name="Previous").click()
    expect(cell(page, 3, 2)).to_have_accessible_name(re.compile("mine by the hint$"))


def test_a_hint_tells_as_much_as_is_wanted(page: Page) -> None:
    page.goto("/#/analyse")
    panel = unfold(page, "Hint")
    expect(panel.locator(".words")).to_contain_text("Look around")
    expect(page.locator("[role=gridcell][aria-label$='look here']")).to_have_count(1)
    expect(page.locator("[role=gridcell][aria-label*='by the hint']")).to_have_count(0)
    panel.get_by_role("button", name="Cells").click()
    expect(page.locator("[role=gridcell][aria-label*='by the hint']")).not_to_have_count(0)
    panel.get_by_role("button", name="Why").click()
    expect(page.locator("[role=gridcell][aria-label$='part of the proof']")).not_to_have_count(0)


def test_the_best_move_has_its_decision_table(page: Page) -> None:
    show(page, GUESS)
    panel = unfold(page, "Best move")
    table = panel.get_by_role("region", name="Decision table")
    expect(table.get_by_role("row").nth(1)).to_have_text(re.compile(r"^\(0,0\)30\.00.%60\.00.% = 3/5$"))
    expect(table.get_by_role("row").nth(2)).to_have_text(re.compile(r"^\(0,1\) safest20\.00.%50\.00.% = 1/2$"))
    expect(cell(page, 0, 0)).to_have_accessible_name(re.compile("best move$"))
    expect(cell(page, 0, 1)).to_have_accessible_name(re.compile("safest$"))
    expect(panel.get_by_role("heading", level=3)).to_have_text("If (0,0) shows a number")
    table.get_by_role("button", name="(2,1)").click()
    expect(panel.get_by_role("heading", level=3)).to_have_text("If (2,1) shows a number")
    expect(cell(page, 2, 1)).to_have_accessible_name(re.compile("look here$"))
    expect(panel.get_by_role("button", name="Suppose")).to_have_count(3)
    expect(table.get_by_role("row")).to_have_count(9)
    panel.get_by_role("button", name="Show all 11 cells").click()
    expect(table.get_by_role("row")).to_have_count(12)


def test_suppositions_are_walked_on_and_back(page: Page) -> None:
    verdict = show(page, GUESS)
    unfold(page, "Best move").get_by_role("button", name="Suppose 1").click()
    expect(verdict).to_contain_text("2 layouts fit")
    expect(cell(page, 0, 0)).to_have_accessible_name("row 0, column 0, 1, supposed")
    page.mouse.click(*spot(page, 0, 2, (3, 5)))
    page.get_by_role("button", name="Suppose (0,2) shows 2").click()
    trail = page.get_by_role("group", name="Suppositions")
    expect(trail).to_contain_text("(0,0) shows 1(0,2) shows 2")
    shows(page, "1H2HH/123HH/HHH3H")
    trail.get_by_role("button", name="(0,0) shows 1").click()
    expect(trail).not_to_contain_text("(0,2)")
    shows(page, "1HHHH/123HH/HHH3H")
    trail.get_by_role("button", name="Back to the position").click()
    expect(trail).to_be_hidden()
    expect(verdict).to_contain_text("10 layouts fit")
    page.keyboard.press("Control+z")
    expect(trail).to_contain_text("(0,0) shows 1")


def test_the_keys_alone_walk_on_and_back(page: Page) -> None:
    verdict = show(page, GUESS)
    page.locator("[role=gridcell][tabindex='0']").focus()
    page.keyboard.press("b")
    unfold(page, "Best move").get_by_role("button", name="Suppose 0").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Back to the position")).to_be_focused()
    expect(verdict).to_contain_text("5 layouts fit")
    page.keyboard.press("Enter")
    expect(page.locator("[role=gridcell][tabindex='0']")).to_be_focused()
    expect(verdict).to_contain_text("10 layouts fit")


def test_the_chance_of_each_number_is_told_with_the_selected_cell(page: Page) -> None:
    show(page, GUESS)
    unfold(page, "Best move")
    page.mouse.click(*spot(page, 0, 1, (3, 5)))
    numbers = page.get_by_role("region", name="Cell").get_by_role("button")
    expect(numbers).to_have_text(
        [re.compile(rf"^{number}: {chance}\.00.%$") for number, chance in [(0, 30), (1, 40), (2, 10)]]
    )


# editing


def test_a_drag_of_the_mouse_paints_and_is_one_edit(page: Page) -> None:
    show(page, PLAIN)
    tool(page, "Number 1")
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
    page.get_by_role("button", name="Redo").click()
    shows(page, "111/HHH/HHF")


def test_fill_paints_the_area(page: Page, faults: Faults) -> None:
    faults.allow("422")
    show(page, "HH1HH/HH1HH/HH1HH&mines=6")
    tool(page, "Outside: no cell here")
    tool(page, "Fill")
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
    page.get_by_label("Rows").fill("2")
    page.get_by_label("Rows").press("Tab")
    page.get_by_label("Columns").fill("5")
    page.get_by_label("Columns").press("Tab")
    shows(page, "1HHHH/HHHHH")
    expect(verdict).to_contain_text("18 layouts fit")
    page.get_by_label("Mines in all").fill("")
    expect(verdict).to_contain_text("There are no odds without the total of mines.")
    shows(page, "1HHHH/HHHHH", "$")
    page.get_by_label("Mines in all").fill("99")
    expect(verdict).to_contain_text("Found a total of 99 mines, expected 0 to 10 on this board")
    page.get_by_label("Rows").fill("5000")
    page.get_by_label("Rows").press("Tab")
    expect(page.get_by_role("alert")).to_contain_text("Found 5000 × 5 cells")
    expect(page.get_by_label("Rows")).to_have_value("2")
    page.get_by_label("Board shape").select_option("torus")
    shows(page, "1HHHH/HHHHH", "&mines=99&topology=torus$")


def test_painting_by_touch_on_a_phone(phone: Page, faults: Faults) -> None:
    faults.allow("422")
    show(phone, PLAIN)
    phone.touchscreen.tap(*spot(phone, 1, 1, (3, 3)))
    expect(phone.get_by_role("region", name="Cell")).to_contain_text("Cell (1,1)")
    expect(phone.get_by_role("region", name="Cell")).to_contain_text("exactly 2/9")
    shows(phone, "HHH/HHH/HHH")
    tool(phone, "Number 2")
    phone.touchscreen.tap(*spot(phone, 2, 2, (3, 3)))
    shows(phone, "HHH/HHH/HH2")
    touch = phone.context.new_cdp_session(phone)
    places = [spot(phone, 0, column, (3, 3)) for column in range(3)]
    for kind, (x, y) in zip(["touchStart", "touchMove", "touchMove"], places, strict=True):
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    shows(phone, "222/HHH/HH2")
    tool(phone, "Undo")
    shows(phone, "HHH/HHH/HH2")
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    screenshot(phone, "analyse-phone")


def test_an_edit_stops_the_question_before_it(page: Page) -> None:
    verdict = show(page, PLAIN)
    stopped: list[str] = []
    page.on("requestfailed", lambda request: stopped.append(request.post_data or ""))
    held: list[Route] = []
    page.route("**/analyze", lambda route: held.append(route) if asks(route, 3) else route.continue_())
    page.get_by_label("Mines in all").fill("3")
    expect(verdict).to_contain_text("Working…")
    expect(unfold(page, "Deductions")).to_contain_text("There is nothing to tell without odds.")
    page.get_by_label("Mines in all").fill("1")
    expect(verdict).to_contain_text("9 layouts fit")
    assert len(held) == 1
    assert ['"mines":3' in question for question in stopped] == [True]


def test_what_was_stopped_by_leaving_is_asked_again(page: Page) -> None:
    verdict = show(page, PLAIN)
    page.route("**/analyze", lambda _: None)  # no answer comes
    page.get_by_label("Mines in all").fill("3")
    expect(verdict).to_contain_text("Working…")
    page.get_by_role("link", name="Generate").click()
    expect(verdict).not_to_be_attached()
    page.unroute("**/analyze")
    page.get_by_role("link", name="Analyse").click()
    expect(verdict).to_contain_text("84 layouts fit")


def test_fractions_are_asked_for_once(page: Page) -> None:
    show(page, GUESS)
    held: list[Route] = []
    page.route("**/analyze", lambda route: held.append(route))  # noqa: PLW0108 (Playwright sets attributes on it)
    for column in range(3):
        page.mouse.move(*spot(page, 0, column, (3, 5)))
    expect(page.locator(".under")).to_contain_text("(0,2): 40.00")
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
    page.get_by_label("Mines in all").fill("3")
    expect(verdict).to_contain_text("No odds")
    expect(verdict).to_contain_text("Found no answer within 10 seconds")
    page.unroute("**/analyze")
    page.route("**/analyze", lambda _: None)  # no answer comes
    page.get_by_label("Mines in all").fill("4")
    verdict.get_by_role("button", name="Stop").click()
    expect(verdict).to_contain_text("Stopped. The next edit asks again.")


# from elsewhere and to elsewhere


def test_paste_analysis_link_reload(page: Page, address: str) -> None:
    page.goto("/#/analyse")
    expect(page.locator("section[role=status]")).to_contain_text("fit")
    paste(page, "5x3x6\n#####\n123##\n###3#\n")
    verdict = page.locator("section[role=status]")
    expect(verdict).to_contain_text("10 layouts fit")
    page.get_by_role("button", name="Copy link").click()
    expect(page.locator(".notice")).to_have_text("Copied the link.")
    link = clipboard(page)
    assert link == f"{address}/#/analyse?board={GUESS}"
    page.reload()
    expect(verdict).to_contain_text("10 layouts fit")
    page.goto("/")
    page.goto(link)
    expect(verdict).to_contain_text("10 layouts fit")
    page.get_by_role("button", name="Copy text").click()
    expect(page.locator(".notice")).to_have_text("Copied the text.")
    assert clipboard(page) == "5x3x6\n#####\n123##\n###3#"


@pytest.mark.parametrize(
    ("text", "board"),
    [
        ("see http://localhost/#/analyse?board=1H/HH&mines=1", "1H/HH"),
        ("https://example.org/JSMinesweeper/?analysis=aeadaaacSd2dSOc", "H100/F210/HH10"),
        ('{"schema": "mineproof/board/1", "rows": 1, "columns": 2, "cells": ["1#"]}', "1H"),
        ("+33+\n----", "F33F/HHHH"),
    ],
)
def test_the_box_reads_other_formats(phone: Page, text: str, board: str, faults: Faults) -> None:
    faults.allow("422")
    phone.goto("/#/analyse")
    phone.get_by_label("Paste a board").fill(text)
    phone.get_by_role("button", name="Read it").click()
    shows(phone, board)


def test_what_cannot_be_read_says_why_and_leaves_the_position(page: Page, faults: Faults) -> None:
    faults.allow("400")
    show(page, PLAIN)
    paste(page, "1##\n#x#")
    expect(page.get_by_role("alert")).to_contain_text("line 2, column 2: found 'x'")
    shows(page, "HHH/HHH/HHH")
    page.goto("/#/analyse?board=1y")
    expect(page.get_by_role("alert")).to_contain_text("found 'y'")


def test_dropped_text_and_files_are_read(page: Page) -> None:
    show(page, PLAIN)
    for make in ["transfer.setData('text/plain', '1#/##')", "transfer.items.add(new File(['2#/##'], 'board.txt'))"]:
        drop = f"""element => {{
            const transfer = new DataTransfer();
            {make};
            element.dispatchEvent(new DragEvent("drop", {{dataTransfer: transfer, bubbles: true, cancelable: true}}));
        }}"""
        page.locator(".stage").evaluate(drop)
        expect(page.get_by_label("Rows")).to_have_value("2")
        shows(page, "1H/HH" if "text/plain" in make else "2H/HH")


def test_a_file_is_opened(page: Page, faults: Faults) -> None:
    faults.allow("40[0-9]")
    verdict = show(page, PLAIN)
    box = page.get_by_label("Open a file")
    box.set_input_files({"name": "a.mbf", "mimeType": "", "buffer": bytes([4, 3, 0, 2, 0, 0, 3, 2])})
    expect(page.locator(".notice")).to_contain_text("Read a layout of 4×3 cells")
    expect(verdict).to_contain_text("66 layouts fit")
    expect(page.get_by_role("button", name="Copy a link that tells the mines")).to_be_visible()
    box.set_input_files({"name": "b.bin", "mimeType": "", "buffer": b"\0\1\2"})
    expect(page.get_by_role("alert")).to_be_visible()
    box.set_input_files({"name": "c.txt", "mimeType": "", "buffer": b"#" * 800_000})
    expect(page.get_by_role("alert")).to_contain_text("Found a file of 800000 bytes")
    shows(page, "HHHH/HHHH/HHHH")


def test_a_layout_is_shown_covered_and_shared_on_purpose_only(page: Page) -> None:
    verdict = show(page, PLAIN)
    paste(page, "*...\n....\n...*")
    expect(verdict).to_contain_text("66 layouts fit")
    shows(page, "HHHH/HHHH/HHHH", "&mines=2$")
    for name in ["Copy link", "Copy text"]:
        page.get_by_role("button", name=name, exact=True).click()
        expect(page.locator(".notice")).to_contain_text("Copied")
        assert "*" not in clipboard(page)
    page.get_by_role("button", name="Copy a link that tells the mines").click()
    expect(page.locator(".notice")).to_have_text("Copied the layout.")
    link = clipboard(page)
    assert link.endswith("#/analyse?layout=*.../..../...*")
    page.goto("/")
    page.goto(link)
    expect(page.get_by_role("button", name="Copy a link that tells the mines")).to_be_visible()
    shows(page, "HHHH/HHHH/HHHH")


def test_a_picture_of_the_whole_board_is_copied(page: Page) -> None:
    show(page, PLAIN)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy picture").click()
    expect(page.locator(".notice")).to_have_text("Copied the picture.")
    size = """async () => {
        const [item] = await navigator.clipboard.read();
        const picture = await createImageBitmap(await item.getType("image/png"));
        return [picture.width, picture.height];
    }"""
    assert page.evaluate(size) == [96, 96]


def test_the_position_is_kept_while_other_screens_are_shown(page: Page) -> None:
    show(page, GUESS)
    tool(page, "Number 1")
    page.mouse.click(*spot(page, 0, 0, (3, 5)))
    shows(page, "1HHHH/123HH/HHH3H")
    page.get_by_role("link", name="Generate").click()
    page.get_by_role("link", name="Analyse").click()
    shows(page, "1HHHH/123HH/HHH3H")
    page.keyboard.press("Control+z")
    shows(page, "HHHHH/123HH/HHH3H")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_is_accessible(page: Page, scheme: str) -> None:
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    show(page, GUESS)
    unfold(page, "Hint")
    unfold(page, "Best move").get_by_role("button", name="Suppose 1").click()
    expect(page.locator("section[role=status]")).to_contain_text("2 layouts fit")
    unfold(page, "Deductions").get_by_role("button", name="Next").click()
    page.mouse.click(*spot(page, 0, 2, (3, 5)))
    expect(page.get_by_role("region", name="Cell")).to_contain_text("Suppose it shows")
    axe(page)
    screenshot(page, f"analyse-{scheme}")


def test_it_is_accessible_on_a_phone(phone: Page, faults: Faults) -> None:
    faults.allow("422")
    show(phone, WRONG_FLAG)
    axe(phone)


def test_nothing_is_cut_off_at_twice_the_size(page: Page) -> None:
    page.set_viewport_size({"width": 640, "height": 400})
    show(page, GUESS)
    unfold(page, "Best move")
    expect(page.get_by_role("region", name="Decision table")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 640
