"""A game in the browser: by mouse, by keyboard alone, by touch; help, pause, reload, restart, review.

Boards are given as layouts, so that a test knows what must happen; the page itself never knows the mines.
"""

import json
import re
from pathlib import Path
from typing import Literal
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Locator, Page, Request, expect

import mineproof as mp
import mineproof.formats
from browser.conftest import DESKTOP, opened
from support import boards
from support.boards import expect_label, label, picture, settle, starting
from support.browser import Faults, axe, screenshot, until
from support.served import served
from support.texts import part, pattern, text

# one opening, three mines
LAYOUT = "....*/...../...../*...*"
ROWS, COLUMNS = 4, 5


def start(page: Page, layout: str = LAYOUT, **settings: object) -> None:
    page.add_init_script(
        f"localStorage.getItem('mineproof') ?? localStorage.setItem('mineproof', '{json.dumps(settings)}')"
    )
    page.goto(f"/#/play?layout={quote(layout)}")
    expect(page.get_by_role("grid")).to_have_attribute("aria-rowcount", str(layout.count("/") + 1))
    boards.settle(page)  # the frame is as large as its board


def won(page: Page) -> Locator:
    """The verdict of a won game, with help or without."""
    without_help = page.locator(".verdict", has_text=pattern("page-won"))
    return without_help.or_(page.locator(".verdict", has_text=pattern("page-won-with-help")))


def push(page: Page, key: str, **options: bool) -> None:
    page.get_by_role("button", name=text(key), **options).click()  # type: ignore[arg-type]


def place(page: Page, row: int, column: int, rows: int = ROWS, columns: int = COLUMNS) -> tuple[float, float]:
    return boards.place(page, row, column, rows, columns)


def test_a_game_by_mouse(page: Page) -> None:
    start(page)
    page.mouse.click(*place(page, 1, 1))
    expect_label(page, 0, 3, "1")
    expect_label(page, 1, 1, "empty")
    page.mouse.click(*place(page, 0, 4), button="right")
    expect_label(page, 0, 4, "flag")
    expect(page.get_by_label(text("page-mines-left", 2))).to_have_count(1)
    page.mouse.click(*place(page, 0, 3))  # left on a number whose flags are set
    expect_label(page, 1, 4, "1")
    with page.expect_response("**/review") as review:
        page.mouse.click(*place(page, 2, 4))
    expect(won(page)).to_be_visible()
    expect(page.get_by_text(text("page-review-forced", 1))).to_be_visible()  # the first click, on a given board
    (guess,) = review.value.json()["guesses"]
    expect(page.locator(".moments li").get_by_role("button")).to_contain_text(guess["text"])
    screenshot(page, "play-won")


def test_a_game_by_keyboard_alone(page: Page) -> None:
    start(page)
    press = page.keyboard.press
    press("Tab")  # somewhere else: the arrows come back to the board
    page.locator("body").press("ArrowUp")
    focus = page.locator("[role=gridcell]:focus")
    expect(focus).to_have_attribute("aria-label", label(2, 2, "covered"))  # the middle
    press("PageUp")
    press("Home")
    expect(focus).to_have_attribute("aria-label", label(0, 0, "covered"))
    press("Enter")
    expect_label(page, 0, 0, "empty")
    press("Control+ArrowDown")  # no key of ours
    for _ in range(4):
        press("ArrowRight")
    press("f")
    expect_label(page, 0, 4, "flag")
    press("ArrowLeft")
    press("c")
    expect_label(page, 1, 4, "1")
    press("h")
    expect(page.get_by_text(text("page-hint-step-1"))).to_be_visible()
    for key in ("page-hint-step-2", "page-hint-step-3", "page-hint-step-4"):
        press("h")
        expect(page.get_by_text(text(key))).to_be_visible()
    press("ArrowRight")
    press("ArrowDown")
    press("ArrowDown")
    press("Space")
    expect(won(page)).to_be_visible()


def test_a_game_by_touch(phone: Page, faults: Faults) -> None:
    start(phone)
    tap = phone.touchscreen.tap
    tap(*place(phone, 1, 1))
    expect_label(phone, 0, 3, "1")
    phone.get_by_role("button", name=text("page-tap-flag"), exact=True).tap()
    tap(*place(phone, 0, 4))
    expect_label(phone, 0, 4, "flag")
    tap(*place(phone, 0, 3))
    expect_label(phone, 1, 4, "1")
    phone.get_by_role("button", name=text("page-hint"), exact=True).last.tap()
    expect(phone.locator(".caption")).not_to_be_empty()
    screenshot(phone, "play-phone")
    phone.get_by_role("button", name=text("page-tap-open"), exact=True).tap()
    for at in ((2, 4), (3, 1), (3, 2), (3, 3)):
        tap(*place(phone, *at))
    expect(won(phone)).to_be_visible()


def test_a_long_press_does_what_a_tap_does_not(phone: Page) -> None:
    start(phone)
    phone.touchscreen.tap(*place(phone, 1, 1))
    expect_label(phone, 0, 3, "1")
    x, y = place(phone, 0, 4)
    session = phone.context.new_cdp_session(phone)
    session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    expect_label(phone, 0, 4, "flag")  # while the finger is still down
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    settle(phone)
    expect_label(phone, 0, 4, "flag")


def test_pinching_zooms_and_one_finger_pans(phone: Page, faults: Faults) -> None:
    faults.allow("willReadFrequently")  # the test reads the canvas
    phone.goto("/#/play")
    expect(phone.get_by_role("grid")).to_have_attribute("aria-colcount", "9")  # the page has stored its settings
    phone.evaluate("localStorage.setItem('mineproof', JSON.stringify({level: 'expert'}))")
    phone.reload()
    expect(phone.get_by_role("grid")).to_have_attribute("aria-colcount", "16")  # upright
    before = picture(phone)
    box = phone.locator(".stage canvas").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    session = phone.context.new_cdp_session(phone)
    send = session.send
    for kind, spread in (("touchStart", 40), ("touchMove", 60), ("touchMove", 110)):
        points = [{"x": x - spread, "y": y, "id": 0}, {"x": x + spread, "y": y, "id": 1}]
        send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    until(phone, lambda: picture(phone) != before)
    larger = picture(phone)
    for kind, moved in (("touchStart", 0), ("touchMove", 30), ("touchMove", 90)):
        send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x - moved, "y": y - moved / 2}]})
    send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    until(phone, lambda: picture(phone) != larger)
    expect(phone.get_by_role("gridcell", name="covered")).to_have_count(480)  # and nothing was opened by it


def test_lost_undone_and_tried_from_a_move(page: Page) -> None:
    start(page)
    page.mouse.click(*place(page, 1, 1))
    page.mouse.click(*place(page, 3, 0))
    expect(page.locator(".verdict")).to_have_text(text("page-lost"))
    expect_label(page, 3, 0, text("page-cell-exploded"))
    expect_label(page, 0, 4, "mine")
    expect(page.get_by_text(f"{text('page-review-forced', 1)} {text('page-review-needless', 1)}")).to_be_visible()
    axe(page)
    push(page, "page-back", exact=True)
    expect(page.get_by_text(part("page-review-opened", move=1, last=2))).to_be_visible()
    expect_label(page, 3, 0, "covered")
    push(page, "page-review-try")
    expect(page.get_by_role("button", name=text("page-review-try"))).to_have_count(0)
    expect_label(page, 0, 3, "1")
    page.keyboard.press("u")
    expect_label(page, 0, 3, "covered")


def test_overlays_say_what_is_certain_and_what_is_not(page: Page) -> None:
    start(page, "*../.../...")
    page.mouse.click(*place(page, 1, 1, 3, 3))
    expect_label(page, 1, 1, "1")
    push(page, "page-overlay-odds", exact=True)
    expect_label(page, 0, 0, f"covered, {text('page-cell-odds', percent=13)}")
    push(page, "page-overlay-risk", exact=True)
    expect(page.get_by_text(text("page-risk-so-far", chance="11.11 %"))).to_be_visible()  # the first click, one of nine
    expect_label(page, 0, 0, f"covered, {text('page-cell-risk', percent=22)}")
    push(page, "page-overlay-certain", exact=True)
    expect_label(page, 0, 0, "covered")
    axe(page)


def test_the_best_move_and_a_forced_guess_that_never_loses(page: Page) -> None:
    start(page, fairness="forced", level="custom", rows=1, columns=2, mines=1, first_click="any")
    page.keyboard.press("n")
    expect(page.get_by_role("grid")).to_have_attribute("aria-rowcount", "1")
    page.keyboard.press("b")
    expect(page.get_by_text(text("page-fact-win"))).to_be_visible()
    for _ in range(6):  # without fairness each would lose half of the time
        page.keyboard.press("Enter")
        expect(won(page)).to_be_visible()
        page.keyboard.press("n")
        expect(won(page)).to_be_hidden()


def test_a_paused_game_shows_nothing(page: Page) -> None:
    start(page)
    page.mouse.click(*place(page, 1, 1))
    expect_label(page, 0, 3, "1")
    page.keyboard.press("p")
    expect(page.get_by_text(text("page-paused"))).to_be_visible()
    expect_label(page, 0, 3, text("page-cell-hidden"))
    axe(page)
    page.mouse.click(*place(page, 2, 4))  # continues, and opens nothing
    expect_label(page, 0, 3, "1")
    expect_label(page, 2, 4, "covered")


def test_the_same_board_again_and_a_reload_in_the_middle(page: Page) -> None:
    start(page)
    page.mouse.click(*place(page, 1, 1))
    expect_label(page, 0, 3, "1")
    page.reload()
    expect_label(page, 0, 3, "1")
    page.keyboard.press("g")
    page.keyboard.press("g")  # a second time, as the game is in progress
    expect_label(page, 0, 3, "covered")


def test_a_server_that_ends_and_comes_back(browser: Browser, faults: Faults, tmp_path: Path) -> None:
    with served(tmp_path) as (_, client):
        port = client.port
        address = f"http://127.0.0.1:{port}"
        context = opened(browser, address, faults, DESKTOP)
        page = context.__enter__()
        start(page)
        page.mouse.click(*place(page, 1, 1))
        expect_label(page, 0, 3, "1")
    faults.allow("ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_SOCKET_NOT_CONNECTED|ERR_CONNECTION_RESET")
    page.mouse.click(*place(page, 0, 4), button="right")
    waiting = page.get_by_text(text("page-offline-moves", 1))
    expect(waiting).to_be_visible()
    expect_label(page, 0, 4, "flag")
    page.keyboard.press("n")  # nothing else can be loaded
    expect(page.get_by_role("alert")).to_contain_text(text("page-error-no-response"))
    with served(tmp_path, "--port", str(port)):
        expect(waiting).to_have_count(0)
        expect_label(page, 0, 4, "flag")
        page.mouse.click(*place(page, 0, 3))  # a chord by the flag, which the server has
        expect_label(page, 1, 4, "1")
        context.__exit__(None, None, None)


def test_a_custom_game_is_chosen_and_each_choice_is_explained(page: Page) -> None:
    page.goto("/")
    push(page, "page-level-custom")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label(text("page-columns")).fill("12")
    dialog.get_by_label(text("page-rows")).fill("7")
    mines = dialog.get_by_role("spinbutton", name=text("page-mines"))
    mines.fill("84")
    dialog.get_by_role("button", name=text("page-start")).click()
    expect(dialog.get_by_role("alert")).to_have_text(text("page-size-too-many-mines", mines=84, most=83))
    mines.fill("15")
    dialog.get_by_role("radio", name=text("page-shape-hex")).check(force=True)  # the card covers the button
    expect(dialog).to_contain_text(text("page-shape-hex-help"))
    dialog.get_by_text(text("page-rules"), exact=True).click()
    dialog.get_by_role("radio", name=text("page-fairness-strict")).check()
    expect(dialog).to_contain_text(text("page-fairness-strict-help"))
    axe(page)
    screenshot(page, "play-custom")
    dialog.get_by_role("button", name=text("page-start")).click()
    expect(page.get_by_role("grid")).to_have_attribute("aria-colcount", "12")
    expect(page.get_by_label(text("page-mines-left", 15))).to_have_count(1)
    expect(page.get_by_role("button", name=text("page-level-custom"), pressed=True)).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_role("gridcell", name="empty").first).to_be_attached()
    screenshot(page, "play-hexagons")


def test_autoplay_says_why_and_stops_when_told(page: Page) -> None:
    made = mp.generate(16, 30, 99, no_guess=True, seed=1)
    page.clock.install()
    start(page, str(mp.formats.write(made, "layout")).replace("\n", "/"), pace=300)
    assert made.start is not None
    sent: list[Request] = []
    finished: list[Request] = []
    page.on("request", lambda request: sent.append(request) if request.url.endswith("/moves") else None)
    page.on("requestfinished", lambda request: finished.append(request) if request.url.endswith("/moves") else None)
    page.get_by_role("gridcell", name=starting(*made.start)).dispatch_event("click")
    page.keyboard.press("a")
    expect(page.get_by_role("button", name=text("page-stop"))).to_be_visible()
    expect(page.locator(".side .words p.words").first).to_be_visible()
    covered = page.get_by_role("gridcell", name="covered")
    expect(covered.nth(440)).to_have_count(0)
    page.keyboard.press("a")
    expect(page.get_by_role("button", name=text("page-autoplay"))).to_be_visible()
    until(page, lambda: len(finished) == len(sent))  # the last move is on its way when it is stopped
    made_moves = len(sent)
    page.clock.fast_forward("01:00")
    settle(page)
    assert len(sent) == made_moves
    expect(covered).not_to_have_count(0)


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_the_screen_is_accessible(page: Page, colours: str) -> None:
    page.emulate_media(color_scheme=colours, reduced_motion="reduce")  # type: ignore[arg-type]
    start(page, overlay="odds")
    page.mouse.click(*place(page, 1, 1))
    expect_label(page, 0, 4, f"covered, {text('page-cell-certainly-mine')}")
    axe(page)
    screenshot(page, f"play-{colours}")


def test_it_can_be_used_at_twice_the_size(page: Page) -> None:
    page.set_viewport_size({"width": 640, "height": 400})  # 1280x800 at 200 %
    start(page)
    page.mouse.click(*place(page, 1, 1))
    expect_label(page, 0, 3, "1")
    assert page.evaluate("document.documentElement.scrollWidth") <= 640


def test_a_second_right_click_may_put_a_question_mark(page: Page) -> None:
    start(page, questions=True)
    for state in ("flag", "question mark", "covered"):
        page.mouse.click(*place(page, 0, 0), button="right")
        expect_label(page, 0, 0, state)


def test_autoplay_ends_with_its_game(page: Page) -> None:
    page.clock.install()
    start(page, pace=600_000)
    page.mouse.click(*place(page, 1, 1))
    expect_label(page, 0, 3, "1")
    page.keyboard.press("a")
    expect(page.locator(".side .words p.words").first).to_be_visible()  # it says what it will do, and waits
    page.keyboard.press("n")
    expect(page.get_by_role("grid")).to_have_attribute("aria-rowcount", "9")
    expect(page.get_by_role("button", name=text("page-autoplay"))).to_be_visible()
    page.clock.fast_forward("11:00")
    settle(page)
    expect(page.get_by_role("gridcell", name=re.compile("covered$"))).to_have_count(81)


def test_cancel_changes_nothing(page: Page) -> None:
    page.goto("/")
    push(page, "page-level-custom")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label(text("page-rows")).fill("4")
    dialog.get_by_role("button", name=text("page-cancel")).click()
    page.keyboard.press("n")
    expect(page.get_by_role("grid")).to_have_attribute("aria-rowcount", "9")
    expect(page.get_by_role("button", name=text("page-level-beginner"), pressed=True)).to_be_visible()


def test_a_game_is_called_what_it_is(page: Page) -> None:
    start(page, level="expert")
    expect(page.locator(".under")).to_contain_text(text("page-size", 3, columns=5, rows=4))
    expect(page.get_by_role("button", name=text("page-level-custom"), pressed=True)).to_be_visible()


@pytest.mark.parametrize("buttons", [("left", "right"), ("right", "left")])
def test_both_buttons_chord_whichever_comes_first(page: Page, buttons: tuple[Literal["left", "right"], ...]) -> None:
    start(page, chordLeft=False)
    page.mouse.click(*place(page, 1, 1))
    page.mouse.click(*place(page, 0, 4), button="right")
    expect_label(page, 0, 4, "flag")
    page.mouse.move(*place(page, 0, 3))
    for button in buttons:
        page.mouse.down(button=button)
    for button in buttons:
        page.mouse.up(button=button)
    expect_label(page, 1, 4, "1")


def test_two_quick_taps_flag_and_unflag(phone: Page) -> None:
    start(phone, tap="flag")
    phone.touchscreen.tap(*place(phone, 0, 0))
    expect_label(phone, 0, 0, "flag")
    phone.touchscreen.tap(*place(phone, 0, 0))
    expect_label(phone, 0, 0, "covered")


def test_a_game_is_paused_where_it_is_not_seen(page: Page) -> None:
    start(page)
    page.mouse.click(*place(page, 1, 1))
    expect_label(page, 0, 3, "1")
    page.get_by_role("link", name=text("page-screen-history")).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(text("page-screen-history"))
    page.get_by_role("link", name=text("page-screen-play"), exact=True).click()
    expect(page.get_by_text(text("page-paused"))).to_be_visible()


def test_a_link_to_what_is_no_game_costs_nothing(page: Page, faults: Faults) -> None:
    start(page)
    page.mouse.click(*place(page, 1, 1))
    expect_label(page, 0, 3, "1")
    faults.allow("404|400")
    for address in ("game=../standing", "game=nobody", "layout=zzz"):
        page.goto(f"/#/play?{address}")
        dialog, alert = page.get_by_role("dialog"), page.get_by_role("alert")
        expect(dialog.or_(alert).first).to_be_visible()
        if dialog.is_visible():
            push(page, "page-abandon")
        expect(alert).to_be_visible()
        page.reload()  # without the notice
        expect(alert).to_be_hidden()
    page.reload()
    expect_label(page, 0, 3, "1")


def test_a_game_that_is_on_is_not_given_up_unasked(page: Page) -> None:
    start(page)
    page.mouse.click(*place(page, 1, 1))
    expect_label(page, 0, 3, "1")
    page.goto("/#/play?layout=*../.../...")
    push(page, "page-keep-playing")
    expect_label(page, 0, 3, "1")
    page.goto("/#/play?layout=*../.../..*")
    push(page, "page-abandon")
    expect(page.get_by_role("grid")).to_have_attribute("aria-rowcount", "3")


def test_a_screen_that_did_not_arrive_says_so(page: Page, faults: Faults) -> None:
    page.goto("/")
    expect(page.get_by_role("grid")).to_have_attribute("aria-rowcount", "9")
    page.route("**/screens/simulate.js", lambda route: route.abort("connectionrefused"))
    faults.allow("ERR_CONNECTION_REFUSED")
    page.get_by_role("link", name=text("page-screen-simulate")).click()
    expect(page.get_by_text(text("page-error-screen", screen=text("page-screen-simulate")))).to_be_visible()
    page.unroute("**/screens/simulate.js")
    push(page, "page-retry")
    expect(page.get_by_role("heading", name=text("page-simulate-setup"))).to_be_visible()


def test_panning_a_large_board_shows_what_drawing_it_afresh_would(page: Page, faults: Faults) -> None:
    faults.allow("willReadFrequently")  # the test reads the canvas
    page.add_init_script(
        """localStorage.setItem('mineproof', JSON.stringify({level: 'custom', rows: 60, columns: 60, mines: 600}))"""
    )
    page.goto("/")
    expect(page.get_by_role("grid")).to_have_attribute("aria-rowcount", "60")
    box = page.locator(".stage canvas").bounding_box()
    assert box is not None
    page.keyboard.press("Enter")
    expect(page.get_by_role("gridcell", name="empty").first).to_be_attached()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    for step in range(1, 8):
        page.mouse.move(x - 21 * step, y + 13 * step)
    page.mouse.up()
    page.mouse.move(2, 2)
    panned = picture(page)
    page.evaluate("document.dispatchEvent(new Event('themechange'))")  # everything is drawn again
    until(page, lambda: picture(page) == panned)
