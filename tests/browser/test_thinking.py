"""Thinking a guess over: rivals that narrow, a clear end, stopping with the best so far, and being interrupted."""

import json
import re
from urllib.parse import quote

import pytest
from playwright.sync_api import Locator, Page, Request, expect

from support.browser import axe, screenshot

OPENING = "/".join(["1" + 29 * "H"] + 15 * [30 * "H"]) + "&mines=99"  # not clear for a long time
CLEAR = "/".join(["1" + 8 * "H"] + 6 * [9 * "H"]) + "&mines=12"  # after some tenths of a second
SOLVED = "HHHHH/123HH/HHH3H&mines=6"
LAYOUT = "/".join([".*" + 28 * ".", *(11 * [30 * "."]), 8 * "*" + 22 * ".", *(3 * [30 * "*"])])
ROW = re.compile(r"^\((\d+),(\d+)\)( best| dropped|)≈\s\d[\d.]*\s±\s(\d[\d.]*)\s%([\d,]+) (fast|strong)$")


def keep(page: Page, **settings: object) -> None:
    page.add_init_script(f"localStorage.setItem('mineproof', '{json.dumps({'thinking': 60, **settings})}')")


def analyse(page: Page, board: str) -> Locator:
    """The panel of the best move of a position."""
    keep(page)
    page.goto(f"/#/analyse?board={board}")
    panel = page.locator("details", has=page.get_by_role("heading", name="Best move", exact=True))
    panel.locator("summary").click()
    expect(panel.get_by_role("region", name="Decision table")).to_be_visible()
    return panel


def play(page: Page) -> Locator:
    """The panel of help in a game, whose best move is told."""
    keep(page, overlay="none")
    page.goto(f"/#/play?layout={quote(LAYOUT)}")
    expect(page.get_by_role("grid")).to_have_attribute("aria-rowcount", "16")
    page.get_by_role("gridcell", name="row 0, column 0, covered").dispatch_event("click")
    expect(page.get_by_role("gridcell", name="row 0, column 0, 1")).to_have_count(1)
    page.keyboard.press("b")
    panel = page.get_by_role("region", name="Help", exact=True)
    expect(panel.get_by_role("button", name="Think longer")).to_be_visible()
    return panel


def rivals(panel: Locator) -> Locator:
    return panel.get_by_role("region", name="Cells that come close").locator("tbody tr")


def begin(panel: Locator) -> None:
    panel.get_by_role("button", name="Think longer").click()
    expect(rivals(panel).first).to_be_visible()


def read(row: Locator) -> re.Match[str]:
    found = ROW.match(row.inner_text().replace("\t", ""))
    assert found, row.inner_text()
    return found


def marked(page: Page, words: str) -> Locator:
    return page.locator(f"[role=gridcell][aria-label$=', {words}']")


def spoken(page: Page) -> Locator:
    return page.locator("#spoken")


def is_thinking(request: Request) -> bool:
    return "best/events" in request.url


def test_rivals_narrow_until_it_is_stopped(page: Page) -> None:
    panel = analyse(page, OPENING)
    begin(panel)
    assert rivals(panel).count() > 1
    first = read(rivals(panel).first)
    expect(spoken(page)).to_have_text("Thinking for up to 60 seconds.")
    expect(rivals(panel).first).to_have_text(re.compile(r"±\s[12]\s%"))
    later = read(rivals(panel).first)
    assert (later[6] == "strong") > (first[6] == "strong") or later[5] != first[5]
    expect(spoken(page)).to_have_text("Thinking for up to 60 seconds.")  # nobody is told of every step
    screenshot(page, "thinking-analyse")
    panel.get_by_role("button", name="Stop").click()
    told = panel.get_by_text(re.compile(r"^Stopped after .*; more time might change the choice\.$"))
    expect(told).to_be_visible()
    expect(spoken(page)).to_have_text(told.inner_text())
    best = read(rivals(panel).first)
    assert best[3] == " best"
    expect(panel.locator("p.words").first).to_contain_text(f"Open ({best[1]},{best[2]}): the best so far.")
    expect(marked(page, "best move")).to_have_attribute("aria-label", re.compile(f"^row {best[1]}, column {best[2]},"))
    rows = panel.get_by_role("region", name="Decision table").locator("tbody tr")
    expect(rows.first).to_contain_text(f"({best[1]},{best[2]})")
    expect(rows.first).to_contain_text(rivals(panel).first.locator("td").nth(1).inner_text())
    expect(panel.get_by_role("button", name="Think longer")).to_be_focused()
    begin(panel)  # again, which may go further
    panel.get_by_role("button", name="Stop").click()
    expect(told).to_be_visible()


def test_it_ends_when_the_choice_is_clear(page: Page) -> None:
    panel = analyse(page, CLEAR)
    begin(panel)
    expect(panel.get_by_text(re.compile(r"^Thought over for .*; the choice is clear\.$"))).to_be_visible()
    best, *others = [read(row) for row in rivals(panel).all()]
    assert best[3] == " best"
    assert {other[3] for other in others} == {" dropped"}
    expect(marked(page, "best move")).to_have_attribute("aria-label", re.compile(f"^row {best[1]}, column {best[2]},"))
    expect(panel.get_by_role("button", name="Think longer")).to_be_hidden()
    expect(spoken(page)).to_have_text(re.compile("the choice is clear"))
    expect(panel.get_by_role("region", name="Cells that come close")).to_be_focused()
    page.evaluate("document.querySelectorAll('[role=region]').forEach((each) => each.scrollIntoView())")
    screenshot(page, "thinking-clear")


def test_the_time_is_chosen_and_kept(page: Page) -> None:
    panel = analyse(page, CLEAR)
    panel.get_by_label("Thinking time").select_option("2 s")
    with page.expect_request(is_thinking) as asked:
        begin(panel)
    assert json.loads(asked.value.post_data or "")["seconds"] == 2
    assert page.evaluate("JSON.parse(localStorage.getItem('mineproof')).thinking") == 2
    page.get_by_role("link", name="Play", exact=True).click()
    page.keyboard.press("b")
    expect(page.get_by_label("Thinking time")).to_have_value("2")


def test_what_is_solved_needs_no_thinking(page: Page) -> None:
    expect(analyse(page, SOLVED).get_by_role("button", name="Think longer")).to_be_hidden()


def test_where_no_other_cell_comes_close(page: Page) -> None:
    """On a board that is untouched the corners are best, and alike."""
    panel = analyse(page, "/".join(9 * [9 * "H"]) + "&mines=10")
    panel.get_by_role("button", name="Think longer").click()
    expect(panel.get_by_text("There is nothing to think over: no other cell comes close.")).to_be_visible()
    expect(marked(page, "best move")).to_have_count(1)
    expect(rivals(panel).first).to_be_hidden()


def test_a_game_by_keyboard(page: Page) -> None:
    """B tells the best move, thinks it over, and stops with the best so far."""
    panel = play(page)
    expect(marked(page, "best move")).to_have_count(1)
    page.keyboard.press("b")
    expect(rivals(panel).first).to_be_visible()
    screenshot(page, "thinking-play")
    page.keyboard.press("b")
    expect(panel.get_by_text("Stopped after")).to_be_visible()
    best = read(rivals(panel).first)
    expect(marked(page, "best move")).to_have_attribute("aria-label", re.compile(f"^row {best[1]}, column {best[2]},"))
    expect(panel.locator(".words").first).to_contain_text(f"Open ({best[1]},{best[2]}): the best so far.")
    expect(panel.locator("dd").last).to_have_text(re.compile(r"^≈\s\d"))


@pytest.mark.parametrize("what", ["flag", "hint", "pause", "leave", "new"])
def test_a_move_another_question_or_leaving_aborts_it(page: Page, what: str) -> None:
    panel = play(page)
    begin(panel)
    with page.expect_event("requestfailed", is_thinking) as stopped:
        if what == "flag":
            page.get_by_role("gridcell", name="row 5, column 5, covered").press("f")
        elif what == "leave":
            page.get_by_role("link", name="History").click()
        else:
            page.keyboard.press(what[0])
    assert stopped.value.failure == "net::ERR_ABORTED"
    expect(rivals(panel).first).to_be_hidden()
    if what != "leave":
        expect(panel.get_by_text("Thinking:")).to_be_hidden()
        expect(marked(page, "best move")).to_have_count(0)


def test_folding_the_panel_ends_it_and_unfolding_offers_it_again(page: Page) -> None:
    panel = analyse(page, OPENING)
    begin(panel)
    with page.expect_event("requestfailed", is_thinking):
        panel.locator("summary").click()
    panel.locator("summary").click()
    expect(panel.get_by_role("region", name="Decision table")).to_be_visible()
    expect(panel.get_by_role("button", name="Think longer")).to_be_visible()


@pytest.mark.parametrize("what", ["edit", "leave"])
def test_an_edit_or_leaving_aborts_it_in_an_analysis(page: Page, what: str) -> None:
    panel = analyse(page, OPENING)
    begin(panel)
    with page.expect_event("requestfailed", is_thinking):
        if what == "edit":
            page.get_by_role("gridcell", name="row 9, column 9, covered").press("2")
        else:
            page.get_by_role("link", name="Play").click()
    if what == "edit":
        expect(panel.get_by_role("button", name="Think longer")).to_be_visible()
    expect(rivals(panel).first).to_be_hidden()


def test_a_server_that_is_busy_says_so(page: Page) -> None:
    panel = analyse(page, CLEAR)
    message = "found 4 requests under way, expected room for another; try again"
    error = {"schema": "mineproof/error/1", "code": "busy", "message": message}
    events = f"event: error\ndata: {json.dumps(error)}\n\n"
    page.route("**/best/events", lambda route: route.fulfill(status=200, body=events))
    panel.get_by_role("button", name="Think longer").click()
    expect(panel.get_by_text(message)).to_be_visible()
    expect(panel.get_by_role("button", name="Think longer")).to_be_focused()


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_it_is_accessible_and_fits_a_phone(phone: Page, colours: str) -> None:
    phone.emulate_media(color_scheme=colours, reduced_motion="reduce")  # type: ignore[arg-type]
    panel = play(phone)
    begin(panel)
    axe(phone)
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    expect(rivals(panel).first).to_be_in_viewport()
    expect(panel.get_by_role("button", name="Stop")).to_be_in_viewport()
    screenshot(phone, f"thinking-phone-{colours}")
    panel.get_by_role("button", name="Stop").click()
    expect(panel.get_by_text("Stopped after")).to_be_visible()
    axe(phone)
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    screenshot(phone, f"thinking-phone-{colours}-stopped")
