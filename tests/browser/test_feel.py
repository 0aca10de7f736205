"""What a press does at once, with a slow server, without one, and in two tabs; and the end of a game."""

import json
import re
import time
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, Request, Route, expect

from browser.conftest import TIMEOUT_MILLISECONDS
from support import boards, browser
from support.boards import expect_label
from support.browser import Faults, axe, screenshot
from support.texts import part, pattern, text

LAYOUT = "....*/...../...../*...*"  # one opening, three mines
ROWS, COLUMNS = 4, 5

# Sends each move some milliseconds after the page asks for it.
DELAY = """(milliseconds) => {
  const send = window.fetch;
  window.fetch = async (address, options) => {
    if (String(address).endsWith("/moves")) await new Promise((done) => setTimeout(done, milliseconds));
    return send(address, options);
  };
}"""

# Whether the middles of cells look as if they were pressed: not like the covered cell at the first place.
PRESSED = """(places) => {
  const canvas = document.querySelector(".stage canvas");
  const scale = canvas.width / canvas.getBoundingClientRect().width;
  const box = canvas.getBoundingClientRect();
  const colour = ([x, y]) => canvas.getContext("2d")
    .getImageData((x - box.left) * scale, (y - box.top) * scale, 1, 1).data.join();
  const [covered, ...others] = places.map(colour);
  return others.every((other) => other !== covered);
}"""


def start(page: Page, layout: str = LAYOUT, **settings: object) -> None:
    stored = json.dumps(settings)
    page.add_init_script(f"localStorage.getItem('mineproof') ?? localStorage.setItem('mineproof', '{stored}')")
    page.goto(f"/#/play?layout={quote(layout)}")
    expect(page.get_by_role("grid")).to_have_attribute("aria-rowcount", str(layout.count("/") + 1))
    expect(page).to_have_url(re.compile("#/play$"))
    until(page, "() => Boolean(JSON.parse(localStorage.getItem('mineproof') ?? '{}').game)")


def until(page: Page, script: str, argument: object = None) -> None:
    """Wait until a script returns true; the policy of the page forbids wait_for_function."""
    end = time.monotonic() + TIMEOUT_MILLISECONDS / 1000
    while not page.evaluate(script, argument):
        assert time.monotonic() < end, script
        page.wait_for_timeout(20)


def place(page: Page, row: int, column: int) -> tuple[float, float]:
    return boards.place(page, row, column, ROWS, COLUMNS)


def moves_sent(page: Page) -> list[tuple[str, list[int] | None]]:
    """The moves that the page sends from now on."""
    sent: list[tuple[str, list[int] | None]] = []

    def note(request: Request) -> None:
        if request.url.endswith("/moves"):
            body: dict[str, Any] = json.loads(request.post_data or "{}")
            sent.append((body["kind"], body.get("cell")))

    page.on("request", note)
    return sent


def hold_moves(page: Page, times: int) -> list[Route]:
    """The requests of moves, which wait until the test continues them."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/moves", hold, times=times)
    return held


def game_on_server(page: Page) -> dict[str, Any]:
    game = page.evaluate("JSON.parse(localStorage.getItem('mineproof')).game")
    view: dict[str, Any] = page.request.get(f"/api/v1/games/{game}").json()
    return view


def test_a_press_is_seen_before_the_server_answers(page: Page, faults: Faults) -> None:
    faults.allow("willReadFrequently")  # the test reads the canvas
    start(page)
    sent, held = moves_sent(page), hold_moves(page, times=1)
    page.mouse.click(*place(page, 0, 4), button="right")
    expect_label(page, 0, 4, "flag")
    expect(page.get_by_label(text("page-mines-left", 2))).to_have_count(1)
    cells = [(1, 1), (2, 2), (2, 1)]
    for cell in cells:
        page.mouse.click(*place(page, *cell))
    page.mouse.move(5, 5)
    until(page, PRESSED, [place(page, *cell) for cell in [(3, 2), *cells]])
    browser.until(page, lambda: held)
    assert sent == [("flag", [0, 4])], "the others wait for the first"
    held[0].continue_()
    expect_label(page, 1, 1, "empty")
    expect_label(page, 0, 4, "flag")


@pytest.mark.parametrize("latency", [0, 100, 300])
def test_quick_moves_are_sent_in_their_order(page: Page, faults: Faults, latency: int) -> None:
    start(page)
    page.evaluate(DELAY, latency)
    sent = moves_sent(page)
    page.mouse.click(*place(page, 1, 1))  # opens most of the board
    page.mouse.click(*place(page, 0, 4), button="right")
    page.mouse.click(*place(page, 2, 2))  # the flood opens it
    page.mouse.click(*place(page, 3, 4), button="right")
    page.mouse.click(*place(page, 1, 4))
    page.mouse.click(*place(page, 2, 4))
    expect(page.locator(".verdict", has_text=pattern("page-won"))).to_be_visible()
    assert sent == [("open", [1, 1]), ("flag", [0, 4]), ("flag", [3, 4]), ("open", [1, 4]), ("open", [2, 4])]
    assert game_on_server(page)["status"] == "won"
    assert faults.found == []


def test_a_cell_that_a_flood_has_opened_is_not_sent(page: Page, faults: Faults) -> None:
    start(page)
    sent = moves_sent(page)
    held = hold_moves(page, times=1)
    page.mouse.click(*place(page, 1, 1))
    page.mouse.click(*place(page, 2, 2))
    page.mouse.click(*place(page, 0, 4), button="right")
    browser.until(page, lambda: held)
    held[0].continue_()
    expect_label(page, 2, 2, "empty")
    expect_label(page, 0, 4, "flag")
    assert sent == [("open", [1, 1]), ("flag", [0, 4])]
    assert faults.found == []


def test_what_the_server_refuses_is_taken_back(page: Page, faults: Faults) -> None:
    faults.allow("503")
    start(page)
    refusal = {"schema": "mineproof/error/1", "code": "history", "message": "The disk is full."}
    page.route("**/moves", lambda route: route.fulfill(status=503, json=refusal))
    page.mouse.click(*place(page, 0, 4), button="right")
    expect(page.get_by_text("The disk is full.")).to_be_visible()
    expect_label(page, 0, 4, "covered")
    expect(page.get_by_label(text("page-mines-left", 3))).to_have_count(1)


def test_moves_made_offline_are_sent_when_the_connection_is_back(page: Page, faults: Faults) -> None:
    faults.allow("ERR_INTERNET_DISCONNECTED|ERR_FAILED")
    start(page)
    page.context.set_offline(True)
    page.mouse.click(*place(page, 0, 4), button="right")
    page.mouse.click(*place(page, 1, 1))
    expect(page.get_by_role("status").filter(has_text=text("page-offline-moves", 2))).to_be_visible()
    expect_label(page, 0, 4, "flag")
    axe(page)
    screenshot(page, "play-offline")
    page.context.set_offline(False)
    expect(page.locator(".waiting")).to_be_hidden()
    expect_label(page, 0, 4, "flag")
    expect_label(page, 0, 3, "1")
    assert game_on_server(page)["moves"] == 2


def test_a_move_whose_response_got_lost_is_not_made_twice(page: Page, faults: Faults) -> None:
    faults.allow("ERR_FAILED")
    start(page)

    def lose(route: Route) -> None:
        assert route.fetch().status == 200  # the server has made it
        route.abort()

    page.route("**/moves", lose, times=1)
    page.mouse.click(*place(page, 0, 4), button="right")
    page.mouse.click(*place(page, 3, 0), button="right")
    expect_label(page, 3, 0, "flag")
    expect(page.get_by_label(text("page-mines-left", 1))).to_have_count(1)
    page.mouse.click(*place(page, 1, 1))
    expect_label(page, 0, 3, "1")
    view = game_on_server(page)
    assert (view["moves"], view["cells"][0][4], view["cells"][3][0]) == (3, "F", "F")


def test_a_second_tab_follows_the_first(page: Page) -> None:
    start(page)
    page.mouse.click(*place(page, 1, 1))
    expect_label(page, 0, 3, "1")
    other = page.context.new_page()
    other.goto("/#/play")
    expect_label(other, 0, 3, "1")
    page.mouse.click(*place(page, 0, 4), button="right")
    expect_label(other, 0, 4, "flag")
    other.mouse.click(*place(other, 0, 3))  # a chord by the flag of the first tab
    expect_label(other, 1, 4, "1")
    expect_label(page, 1, 4, "1")


def test_a_lost_game_keeps_its_review_when_it_is_continued(page: Page) -> None:
    start(page)
    page.mouse.click(*place(page, 1, 1))
    page.mouse.click(*place(page, 3, 0))
    expect(page.locator(".verdict")).to_have_text(text("page-lost"))
    lost = game_on_server(page)
    page.keyboard.press("u")
    expect_label(page, 3, 0, "covered")
    expect(page.locator(".result")).to_be_hidden()
    branch = game_on_server(page)
    assert (branch["status"], branch["id"] != lost["id"]) == ("running", True)
    page.mouse.click(*place(page, 0, 4), button="right")
    expect_label(page, 0, 4, "flag")
    for look in ("review", "lesson", "timeline", "record"):
        assert page.request.get(f"/api/v1/games/{lost['id']}/{look}").status == 200
    games = page.request.get("/api/v1/history?limit=1").json()["games"]
    page.goto(f"/#/review?number={games[0]['id']}")
    expect(page.get_by_text(part("page-review-opened", move=2, last=2))).to_be_visible()


def test_the_result_has_record_and_streak(page: Page) -> None:
    results: list[dict[str, Any]] = [
        {"best_before": 5.5, "is_best": True, "seconds": 2.4, "counts": True, "streak": 3, "longest_streak": 3},
        {"best_before": None, "is_best": True, "seconds": 2.4, "counts": True, "streak": 1, "longest_streak": 1},
    ]
    page.route("**/result", lambda route: route.fulfill(json={"schema": "mineproof/result/1", **results.pop(0)}))
    start(page, "*../.../...")
    page.mouse.click(*boards.place(page, 2, 2, 3, 3))
    badges = page.locator(".badges li")
    expect(badges.filter(has_text=text("page-result-new-best", difference="−3.10\u00a0s"))).to_be_visible()
    expect(badges.filter(has_text=text("page-result-streak", 3))).to_be_visible()
    axe(page)
    screenshot(page, "play-result")
    page.get_by_role("button", name=text("page-same-board")).first.click()
    expect(page.locator(".result")).to_be_hidden()
    page.mouse.click(*boards.place(page, 2, 2, 3, 3))
    expect(badges.filter(has_text=text("page-result-first-win"))).to_be_visible()


def test_the_result_on_a_phone_lies_above_the_thumb_bar(phone: Page) -> None:
    start(phone, "*../.../...")
    phone.touchscreen.tap(*boards.place(phone, 2, 2, 3, 3))
    result = phone.locator(".result")
    expect(result).to_be_in_viewport(ratio=1)
    sheet, thumb = result.bounding_box(), phone.locator(".thumb").bounding_box()
    assert sheet is not None
    assert thumb is not None
    assert sheet["y"] + sheet["height"] <= thumb["y"] + 1
    axe(phone)
    screenshot(phone, "play-result-phone")
    result.get_by_role("button", name=text("page-result-close")).tap()
    expect(result).to_be_hidden()
    expect(phone.locator(".stage canvas")).to_be_in_viewport()


def test_a_win_with_help_says_so(page: Page) -> None:
    start(page, "*../.../...")
    page.keyboard.press("h")
    expect(page.get_by_text(text("page-hint-step-1")).or_(page.locator(".words p").first)).to_be_visible()
    with page.expect_response("**/hint**"):
        page.keyboard.press("h")
    with page.expect_response("**/lesson") as lesson:
        page.mouse.click(*boards.place(page, 2, 2, 3, 3))
    expect(page.locator(".verdict")).to_have_text(pattern("page-won-with-help"))
    expect(page.locator(".badges li").filter(has_text=part("review-help-line"))).to_be_visible()
    assert text("lesson-luck-none") not in lesson.value.json()["sentences"][0]["text"]


AUDIO = """
  window.tones = [];
  const { createOscillator } = AudioContext.prototype;
  AudioContext.prototype.createOscillator = function () {
    window.tones.push(navigator.userActivation.hasBeenActive);
    return createOscillator.call(this);
  };
  window.vibrations = [];
  navigator.vibrate = (pattern) => window.vibrations.push(pattern);
"""


def test_sounds_only_where_the_player_wants_them(page: Page) -> None:
    page.add_init_script(AUDIO)
    start(page)
    page.mouse.click(*place(page, 0, 4), button="right")
    expect_label(page, 0, 4, "flag")
    assert page.evaluate("window.tones") == [], "sound is off by default"
    until(page, "() => window.vibrations.length === 1")
    page.get_by_role("button", name=text("page-settings"), exact=True).click()
    page.get_by_role("switch", name=text("page-setting-sound")).check()
    page.get_by_role("switch", name=text("page-setting-haptics")).uncheck()
    page.reload()
    expect_label(page, 0, 4, "flag")
    assert page.evaluate("window.tones") == []
    page.mouse.click(*place(page, 3, 0), button="right")
    expect_label(page, 3, 0, "flag")
    until(page, "() => window.tones.length > 0")  # a flag plays a sound
    tones = page.evaluate("window.tones")
    assert all(tones), "and never before the player has pressed something"
    assert page.evaluate("window.vibrations.length") == 0
