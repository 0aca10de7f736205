"""Thinking a guess over: rivals that narrow, a clear end, stopping with the best so far, and being interrupted."""

import json
import re
from urllib.parse import quote

import pytest
from playwright.sync_api import Locator, Page, Request, expect

from support.boards import label
from support.browser import axe, choose, screenshot
from support.texts import part, pattern, text

OPENING = "/".join(["1" + 29 * "H"] + 15 * [30 * "H"]) + "&mines=99"  # not clear for a long time
CLEAR = "/".join(["1" + 8 * "H"] + 6 * [9 * "H"]) + "&mines=12"  # after some tenths of a second
SOLVED = "HHHHH/123HH/HHH3H&mines=6"
LAYOUT = "/".join([".*" + 28 * ".", *(11 * [30 * "."]), 8 * "*" + 22 * ".", *(3 * [30 * "*"])])
DIFFERENCE = r"(?:[−+]?\d+\.\d\s±\s\d+\.\d(?:, \D+)?|unknown)?"  # to the best, with its error and what it means
ROW = re.compile(
    rf"^([A-Z]+\d+)(?: ×\d+)?( best| dropped|)≈\s\d[\d.]*\s±\s(\d[\d.]*)\s%{DIFFERENCE}([\d,]+) (fast|strong)$"
)


def keep(page: Page, **settings: object) -> None:
    page.add_init_script(f"localStorage.setItem('mineproof', '{json.dumps({'thinking': 60, **settings})}')")


def analyse(page: Page, board: str) -> Locator:
    """The panel of the best move of a position."""
    keep(page)
    page.goto(f"/#/analyse?board={board}")
    panel = page.locator("details", has=page.get_by_role("heading", name=text("page-best-move"), exact=True))
    panel.locator("summary").click()
    expect(panel.get_by_role("region", name=text("page-decision-table"))).to_be_visible()
    return panel


def play(page: Page) -> Locator:
    """Open the help panel of a game with its best move."""
    keep(page, overlay="none")
    page.goto(f"/#/play?layout={quote(LAYOUT)}")
    expect(page.get_by_role("grid")).to_have_attribute("aria-rowcount", "16")
    page.get_by_role("gridcell", name=label(0, 0, "covered"), exact=True).dispatch_event("click")
    expect(page.get_by_role("gridcell", name=label(0, 0, "1"), exact=True)).to_have_count(1)
    page.keyboard.press("b")
    panel = page.get_by_role("region", name=text("page-help"), exact=True)
    more = page.get_by_role("button", name=text("page-more"), exact=True)
    if more.is_visible():  # a phone has its panels in a sheet
        more.click()
    expect(panel.get_by_role("button", name=text("page-think-longer"))).to_be_visible()
    return panel


def rivals(panel: Locator) -> Locator:
    return panel.get_by_role("region", name=text("page-think-rivals")).locator("tbody tr")


def begin(panel: Locator) -> None:
    panel.get_by_role("button", name=text("page-think-longer")).click()
    expect(rivals(panel).first).to_be_visible()


def read(row: Locator) -> re.Match[str]:
    match = ROW.match(re.sub(r"[\t\n]", "", row.inner_text()))
    assert match, row.inner_text()
    return match


def best_cell(page: Page) -> Locator:
    return page.locator(f"[role=gridcell][aria-label$=', {text('page-mark-best')}']")


def named(cell: str) -> re.Pattern[str]:
    return re.compile(f"^{cell}, ")


def spoken(page: Page) -> Locator:
    return page.locator("#spoken")


def stopped() -> re.Pattern[str]:
    return part("page-think-stopped-after")


def is_thinking(request: Request) -> bool:
    return "best/events" in request.url


def test_rivals_narrow_until_it_is_stopped(page: Page) -> None:
    panel = analyse(page, OPENING)
    begin(panel)
    assert rivals(panel).count() > 1
    first = rivals(panel).first.text_content() or ""
    expect(spoken(page)).to_have_text(text("page-think-announce", 60))
    expect(rivals(panel).first).not_to_have_text(first)
    expect(rivals(panel).first).to_have_text(re.compile(r"±\s[12]\s%"))
    expect(spoken(page)).to_have_text(text("page-think-announce", 60))  # not every step is announced
    screenshot(page, "thinking-analyse")
    panel.get_by_role("button", name=text("page-stop")).click()
    status = panel.get_by_text(stopped())
    expect(status).to_contain_text(text("page-think-unclear"))
    expect(spoken(page)).to_have_text(status.inner_text())
    best = read(rivals(panel).first)
    assert best[2] == " best"
    expect(panel.locator("p.words").first).to_have_text(pattern("page-think-best-so-far", cell=best[1]))
    expect(best_cell(page)).to_have_attribute("aria-label", named(best[1]))
    rows = panel.get_by_role("region", name=text("page-decision-table")).locator("tbody tr")
    expect(rows.first).to_contain_text(best[1])
    expect(rows.first).to_contain_text(rivals(panel).first.locator("td").nth(1).inner_text())
    expect(panel.get_by_role("button", name=text("page-think-longer"))).to_be_focused()
    begin(panel)  # again, which may go further
    panel.get_by_role("button", name=text("page-stop")).click()
    expect(status).to_be_visible()


def test_it_ends_when_the_choice_is_clear(page: Page) -> None:
    panel = analyse(page, CLEAR)
    begin(panel)
    ended = re.compile("|".join(re.escape(text(key)) for key in ("page-think-clear", "page-think-close")))
    expect(panel.get_by_text(ended)).to_be_visible()
    best, *others = [read(row) for row in rivals(panel).all()]
    assert best[2] == " best"
    assert {other[2] for other in others} == {" dropped"}
    expect(best_cell(page)).to_have_attribute("aria-label", named(best[1]))
    expect(panel.get_by_role("button", name=text("page-think-longer"))).to_be_hidden()
    expect(spoken(page)).to_contain_text(ended)
    expect(panel.get_by_role("region", name=text("page-think-rivals"))).to_be_focused()
    page.evaluate("document.querySelectorAll('[role=region]').forEach((each) => each.scrollIntoView())")
    screenshot(page, "thinking-clear")


def test_the_time_is_chosen_and_kept(page: Page) -> None:
    panel = analyse(page, CLEAR)
    choose(panel, text("page-think-time"), "2")
    with page.expect_request(is_thinking) as asked:
        begin(panel)
    assert json.loads(asked.value.post_data or "")["seconds"] == 2
    assert page.evaluate("JSON.parse(localStorage.getItem('mineproof')).thinking") == 2
    page.get_by_role("link", name=text("page-screen-play"), exact=True).click()
    expect(page.get_by_role("grid")).to_have_attribute("aria-rowcount", "9")  # keys count from here on
    page.keyboard.press("b")
    pressed = page.get_by_role("group", name=text("page-think-time")).get_by_role("button", pressed=True)
    expect(pressed).to_have_attribute("data-value", "2")


def test_what_is_solved_needs_no_thinking(page: Page) -> None:
    expect(analyse(page, SOLVED).get_by_role("button", name=text("page-think-longer"))).to_be_hidden()


def test_where_no_other_cell_comes_close(page: Page) -> None:
    """On a board that is untouched the corners are best, and alike."""
    panel = analyse(page, "/".join(9 * [9 * "H"]) + "&mines=10")
    panel.get_by_role("button", name=text("page-think-longer")).click()
    expect(panel.get_by_text(text("page-think-nothing"))).to_be_visible()
    expect(best_cell(page)).to_have_count(1)
    expect(rivals(panel).first).to_be_hidden()


def test_a_game_by_keyboard(page: Page) -> None:
    """B tells the best move, thinks it over, and stops with the best so far."""
    panel = play(page)
    expect(best_cell(page)).to_have_count(1)
    page.keyboard.press("b")
    expect(rivals(panel).first).to_be_visible()
    screenshot(page, "thinking-play")
    page.keyboard.press("b")
    expect(panel.get_by_text(stopped())).to_be_visible()
    best = read(rivals(panel).first)
    expect(best_cell(page)).to_have_attribute("aria-label", named(best[1]))
    expect(panel.locator(".words").first).to_contain_text(part("page-think-best-so-far", cell="★"))
    expect(panel.locator("dd").last).to_have_text(re.compile(r"^≈\s\d"))


@pytest.mark.parametrize("what", ["flag", "hint", "pause", "leave", "new"])
def test_a_move_another_question_or_leaving_aborts_it(page: Page, what: str) -> None:
    panel = play(page)
    begin(panel)
    with page.expect_event("requestfailed", is_thinking) as stopped:
        if what == "flag":
            page.get_by_role("gridcell", name=label(5, 5, "covered"), exact=True).press("f")
        elif what == "leave":
            page.get_by_role("link", name=text("page-screen-history")).click()
        else:
            page.keyboard.press(what[0])
    assert stopped.value.failure == "net::ERR_ABORTED"
    expect(rivals(panel).first).to_be_hidden()
    if what != "leave":
        expect(panel.get_by_text(pattern("page-think-progress"))).to_be_hidden()
        expect(best_cell(page)).to_have_count(0)


def test_folding_the_panel_ends_it_and_unfolding_offers_it_again(page: Page) -> None:
    panel = analyse(page, OPENING)
    begin(panel)
    with page.expect_event("requestfailed", is_thinking):
        panel.locator("summary").click()
    panel.locator("summary").click()
    expect(panel.get_by_role("region", name=text("page-decision-table"))).to_be_visible()
    expect(panel.get_by_role("button", name=text("page-think-longer"))).to_be_visible()


@pytest.mark.parametrize("what", ["edit", "leave"])
def test_an_edit_or_leaving_aborts_it_in_an_analysis(page: Page, what: str) -> None:
    panel = analyse(page, OPENING)
    begin(panel)
    with page.expect_event("requestfailed", is_thinking):
        if what == "edit":
            page.get_by_role("gridcell", name=re.compile(f"^{label(9, 9, 'covered')}")).press("2")
        else:
            page.get_by_role("link", name=text("page-screen-play")).click()
    if what == "edit":
        expect(panel.get_by_role("button", name=text("page-think-longer"))).to_be_visible()
    expect(rivals(panel).first).to_be_hidden()


def test_a_server_that_is_busy_says_so(page: Page) -> None:
    panel = analyse(page, CLEAR)
    message = "Server busy: 4 requests in progress. Try again in a moment."
    error = {"schema": "mineproof/error/1", "code": "busy", "message": message}
    events = f"event: error\ndata: {json.dumps(error)}\n\n"
    page.route("**/best/events", lambda route: route.fulfill(status=200, body=events))
    panel.get_by_role("button", name=text("page-think-longer")).click()
    expect(panel.get_by_text(message)).to_be_visible()
    expect(panel.get_by_role("button", name=text("page-think-longer"))).to_be_focused()


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_it_is_accessible_and_fits_a_phone(phone: Page, colours: str) -> None:
    phone.emulate_media(color_scheme=colours, reduced_motion="reduce")  # type: ignore[arg-type]
    panel = play(phone)
    begin(panel)
    axe(phone)
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    expect(rivals(panel).first).to_be_in_viewport()
    expect(panel.get_by_role("button", name=text("page-stop"))).to_be_in_viewport()
    screenshot(phone, f"thinking-phone-{colours}")
    panel.get_by_role("button", name=text("page-stop")).click()
    expect(panel.get_by_text(stopped())).to_be_visible()
    axe(phone)
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    screenshot(phone, f"thinking-phone-{colours}-stopped")
