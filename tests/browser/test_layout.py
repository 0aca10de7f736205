"""The page around the board at four sizes: how much room the board has, that nothing shifts or sticks out, and that
a game is one click away."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from browser.conftest import opened
from support.boards import FRAME, RULER, THIN_FRAME, expect_label, place, settle
from support.browser import Faults, axe, screenshot, until
from support.texts import text, text_in

TOUCH = {"has_touch": True, "is_mobile": True}
SIZES: dict[str, dict[str, Any]] = {
    "desktop": {"viewport": {"width": 1440, "height": 900}},
    "tablet": {"viewport": {"width": 820, "height": 1180}, **TOUCH},
    "phone": {"viewport": {"width": 390, "height": 844}, **TOUCH},
    "landscape": {"viewport": {"width": 844, "height": 390}, **TOUCH},
}
# Of the height of the window: what is above the board, at most, and the board with its frame, at least.
ABOVE = {"desktop": 0.13, "tablet": 0.10, "phone": 0.12, "landscape": 0.12}
BOARD = {"desktop": 0.70, "tablet": 0.70, "phone": 0.70, "landscape": 0.70}

SHIFTS = """
    window.shifts = 0;
    new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifts += entry.value;
    }).observe({type: "layout-shift", buffered: true});
"""


@contextmanager
def window(browser: Browser, address: str, faults: Faults, size: str, **options: Any) -> Iterator[Page]:
    with opened(browser, address, faults, {**SIZES[size], **options}) as page:
        yield page


def begin(page: Page, **settings: object) -> None:
    if settings:
        page.add_init_script(f"localStorage.setItem('mineproof', '{json.dumps(settings)}')")
    page.goto("/")
    expect(page.locator(".frame")).to_be_visible()
    settle(page)


def box(page: Page, selector: str) -> dict[str, float]:
    area = page.locator(selector).bounding_box()
    assert area is not None
    return {"x": area["x"], "y": area["y"], "width": area["width"], "height": area["height"]}


def level(page: Page, name: str) -> None:
    page.get_by_role("button", name=text(f"page-level-{name}"), exact=True).click()


@pytest.mark.parametrize("size", SIZES)
def test_the_board_has_the_room(browser: Browser, address: str, faults: Faults, size: str) -> None:
    width, height = SIZES[size]["viewport"].values()
    with window(browser, address, faults, size) as page:
        begin(page, level="intermediate")
        table, frame = box(page, ".table"), box(page, ".frame")
        assert table["y"] <= ABOVE[size] * height
        assert table["height"] >= BOARD[size] * height
        assert max(frame["width"] / width, frame["height"] / height) >= 0.70
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate("document.documentElement.scrollHeight") <= height
        screenshot(page, f"layout-{size}")


@pytest.mark.parametrize("size", ["desktop", "tablet"])
@pytest.mark.parametrize("key", ["1", "2", "3"])
def test_the_frame_fits_its_board(browser: Browser, address: str, faults: Faults, size: str, key: str) -> None:
    """Between the board and the edge of the frame there is only the frame: cells are square."""
    with window(browser, address, faults, size) as page:
        begin(page)
        page.keyboard.press(key)
        columns = {"1": 9, "2": 16, "3": 30 if size == "desktop" else 16}[key]
        grid = page.get_by_role("grid")
        expect(grid).to_have_attribute("aria-colcount", str(columns))
        settle(page)
        rows = int(grid.get_attribute("aria-rowcount") or 0)
        canvas = box(page, ".stage canvas")
        margin = RULER + 2 * FRAME + 2
        wide, tall = (canvas["width"] - margin) / columns, (canvas["height"] - margin) / rows
        assert (wide, tall) == (round(wide), round(wide))
        if key == "3":
            screenshot(page, f"layout-{size}-expert")


def test_a_board_too_tall_for_a_phone_on_its_side_shows_all_columns(
    browser: Browser, address: str, faults: Faults
) -> None:
    with window(browser, address, faults, "landscape") as page:
        begin(page, level="custom", rows=20, columns=30, mines=99, ruler=False)
        canvas = box(page, ".stage canvas")
        size = (canvas["width"] - 2 * THIN_FRAME) // 30
        page.locator(".thumb").get_by_role("button", name=text("page-tap-flag")).tap()
        for column, name in ((0, "A"), (29, "AD")):
            page.touchscreen.tap(canvas["x"] + canvas["width"] / 2 + (column - 14.5) * size, canvas["y"] + 100)
            expect(page.get_by_role("gridcell", name=re.compile(rf"^{name}\d+, flag$"))).to_have_count(1)


@pytest.mark.parametrize("size", SIZES)
def test_controls_do_not_stick_out(browser: Browser, address: str, faults: Faults, size: str) -> None:
    width, height = SIZES[size]["viewport"].values()
    with window(browser, address, faults, size, locale="de-DE") as page:
        begin(page)
        for selector in ("header button", ".setup button", ".hud > *", ".thumb button"):
            for control in page.locator(selector).all():
                area = control.bounding_box()
                if area is None or not control.is_visible():
                    continue
                assert area["x"] >= 0, selector
                assert area["x"] + area["width"] <= width + 1, selector
                assert area["y"] + area["height"] <= height + 1, selector
        setup, hud = box(page, ".rules-button"), box(page, ".hud")
        beside = setup["x"] + setup["width"] <= hud["x"] + 1 or hud["y"] + hud["height"] <= setup["y"] + 1
        assert beside or setup["y"] + setup["height"] <= hud["y"]
        more = page.get_by_role("button", name=text_in("de", "page-more"), exact=True)
        if more.is_visible():
            more.click()
        inside = """row => {
            const [inner, outer] = [row, row.closest(".panel")].map((element) => element.getBoundingClientRect());
            return inner.right <= outer.right && row.scrollWidth <= row.clientWidth + 1;
        }"""
        assert page.locator(".side .segmented").first.evaluate(inside)


@pytest.mark.parametrize("size", SIZES)
def test_nothing_shifts(browser: Browser, address: str, faults: Faults, size: str) -> None:
    with window(browser, address, faults, size) as page:
        page.add_init_script(SHIFTS)
        begin(page)
        page.keyboard.press("Enter")
        expect(page.get_by_role("gridcell", name="empty").first).to_be_attached()
        page.wait_for_load_state("networkidle")
        assert page.evaluate("window.shifts") < 0.02


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("colours", ["light", "dark"])
def test_it_is_accessible(browser: Browser, address: str, faults: Faults, size: str, colours: str) -> None:
    with window(browser, address, faults, size, color_scheme=colours) as page:
        begin(page)
        axe(page)
        page.locator(".rules-button").click()
        expect(page.locator(".rules")).to_be_visible()
        axe(page)
        screenshot(page, f"rules-{size}-{colours}")
        page.keyboard.press("Escape")
        more = page.get_by_role("button", name=text("page-more"), exact=True)
        if more.is_visible():
            more.click()
            expect(page.locator(".side")).to_be_visible()
            axe(page)
            screenshot(page, f"sheet-{size}-{colours}")


@pytest.mark.parametrize(("screen", "share"), [("practise", 0.68), ("learn", 0.66), ("analyse", 0.85)])
def test_other_screens_leave_room_for_the_board_on_a_low_screen(
    browser: Browser, address: str, faults: Faults, screen: str, share: float
) -> None:
    """A phone on its side: the board has most of the height, and nothing is cut off."""
    with window(browser, address, faults, "landscape") as page:
        page.goto(f"/#/{screen}")
        expect(page.locator("[role=gridcell]").first).to_be_attached()
        settle(page)
        stage = box(page, ".stage")
        assert stage["height"] >= share * 390
        assert stage["y"] + stage["height"] <= 390
        if screen == "analyse":
            expect(page.get_by_text(text("page-choose-screenshot"), exact=True)).to_be_in_viewport(ratio=1)
        assert page.evaluate("document.documentElement.scrollWidth") <= 844
        axe(page)
        screenshot(page, f"landscape-{screen}")


def test_one_click_to_an_expert_game(page: Page) -> None:
    begin(page)
    level(page, "expert")
    expect(page.get_by_role("grid")).to_have_attribute("aria-colcount", "30")
    expect(page.get_by_label(text("page-mines-left", 99))).to_be_visible()
    expect(page.get_by_role("button", name=text("page-level-expert"), pressed=True)).to_be_visible()


def test_keys_choose_the_level(page: Page) -> None:
    begin(page)
    for key, rows, columns in (("3", "16", "30"), ("2", "16", "16"), ("1", "9", "9")):
        page.keyboard.press(key)
        expect(page.get_by_role("grid")).to_have_attribute("aria-colcount", columns)
        expect(page.get_by_role("grid")).to_have_attribute("aria-rowcount", rows)


def test_no_guess_and_fairness_start_a_game_with_them(page: Page) -> None:
    begin(page)
    with page.expect_request("**/api/v1/games") as request:
        page.get_by_role("switch", name=text("page-no-guess")).click()
    assert json.loads(request.value.post_data or "")["no_guess"] is True
    page.locator(".rules-button").click()
    with page.expect_request("**/api/v1/games") as request:
        page.get_by_role("radio", name=text("page-fairness-kind")).check()
    assert json.loads(request.value.post_data or "")["fairness"] == "kind"
    expect(page.locator(".rules-button")).to_contain_text(text("page-fairness-kind"))


def in_progress(page: Page) -> list[str | None]:
    """Open a cell that does not end the game; the labels of all cells."""
    page.keyboard.press("Enter")
    expect(page.get_by_role("gridcell", name="empty").first).to_be_attached()
    settle(page)
    labels: list[str | None] = page.locator("[role=gridcell]").evaluate_all(
        "cells => cells.map(cell => cell.getAttribute('aria-label'))"
    )
    return labels


@pytest.mark.parametrize("way", ["notice", "key"])
def test_a_new_game_can_be_undone(page: Page, way: str) -> None:
    begin(page, level="intermediate")
    before = in_progress(page)
    page.keyboard.press("3")
    expect(page.get_by_role("grid")).to_have_attribute("aria-colcount", "30")
    notice = page.get_by_role("status").filter(has_text=text("page-new-game-started"))
    expect(notice).to_be_visible()
    axe(page)
    screenshot(page, "play-new-game-undo")
    if way == "notice":
        notice.get_by_role("button", name=text("page-undo")).click()
    else:
        page.keyboard.press("u")
    expect(page.get_by_role("grid")).to_have_attribute("aria-colcount", "16")
    settle(page)
    script = "cells => cells.map(cell => cell.getAttribute('aria-label'))"
    assert page.locator("[role=gridcell]").evaluate_all(script) == before
    expect(page.get_by_role("button", name=text("page-pause"))).to_be_enabled()  # it is running again
    expect(notice).to_be_hidden()


def test_the_notice_goes_with_the_first_move_of_the_new_game(page: Page) -> None:
    begin(page, level="intermediate")
    in_progress(page)
    page.keyboard.press("n")
    notice = page.get_by_role("status").filter(has_text=text("page-new-game-started"))
    expect(notice).to_be_visible()
    page.keyboard.press("Enter")
    expect(notice).to_be_hidden()
    page.keyboard.press("u")  # takes the move back, not the game
    expect(page.get_by_role("gridcell", name="covered").nth(255)).to_be_attached()
    expect(page.get_by_role("grid")).to_have_attribute("aria-colcount", "16")


def test_the_same_board_needs_a_second_press_in_a_game_in_progress(page: Page) -> None:
    begin(page, level="intermediate")
    before = in_progress(page)
    page.keyboard.press("g")
    notice = page.get_by_role("status").filter(has_text=text("page-same-board-question"))
    expect(notice).to_be_visible()
    script = "cells => cells.map(cell => cell.getAttribute('aria-label'))"
    assert page.locator("[role=gridcell]").evaluate_all(script) == before
    page.keyboard.press("g")
    expect(page.get_by_role("gridcell", name="covered").nth(255)).to_be_attached()
    expect(notice).to_be_hidden()


def test_the_face_shows_how_the_game_stands(page: Page) -> None:
    page.goto("/#/play?layout=*../.../...")
    face = page.get_by_role("button", name=text("page-new-game"), exact=True).and_(page.locator(".face"))
    expect(face).to_have_attribute("data-mood", "playing")
    expect(page.get_by_role("grid")).to_have_attribute("aria-rowcount", "3")
    area = box(page, ".stage canvas")
    page.mouse.move(area["x"] + area["width"] / 2, area["y"] + area["height"] / 2)
    page.mouse.down()
    expect(face).to_have_attribute("data-mood", "pressed")
    page.mouse.up()
    expect_label(page, 1, 1, "1")
    expect(face).to_have_attribute("data-mood", "playing")
    page.keyboard.press("Home")
    page.keyboard.press("PageUp")
    page.keyboard.press("Enter")
    expect(face).to_have_attribute("data-mood", "lost")
    face.click()
    expect(face).to_have_attribute("data-mood", "playing")


def size_of_cells(page: Page) -> float:
    """The width of the frame, which follows the size of the cells."""
    settle(page)
    return box(page, ".frame")["width"]


def test_the_wheel_zooms_only_if_the_settings_say_so(page: Page) -> None:
    begin(page)
    area = box(page, ".stage")
    page.mouse.move(area["x"] + 100, area["y"] + 100)
    before = size_of_cells(page)
    page.evaluate("addEventListener('wheel', () => { window.turned = true; }, { capture: true })")
    page.mouse.wheel(0, 300)
    until(page, lambda: page.evaluate("window.turned"))
    assert size_of_cells(page) == before
    page.get_by_role("button", name=text("page-settings")).click()
    page.get_by_role("switch", name=text("page-setting-wheel-zoom")).click()
    page.keyboard.press("Escape")
    page.mouse.move(area["x"] + 100, area["y"] + 100)
    page.mouse.wheel(0, 300)
    page.wait_for_function("before => document.querySelector('.frame').offsetWidth < before", arg=before)


def point_until(page: Page, x: float, y: float, words: str) -> None:
    """Point at a place until this is said about the cell there: the board may still move."""

    def pointed_at() -> bool:
        page.mouse.move(x - 2, y)
        page.mouse.move(x, y)
        settle(page)
        return words in page.locator(".under").inner_text()

    until(page, pointed_at)


def test_a_zoomed_board_can_be_panned_to_every_row_and_a_new_game_fits_again(page: Page) -> None:
    begin(page)
    before = box(page, ".frame")
    for _ in range(4):
        page.get_by_role("button", name=text("page-zoom-in")).click()
    settle(page)
    assert box(page, ".frame")["height"] > before["height"]  # the frame grows with the board
    area = box(page, ".stage canvas")
    page.mouse.move(area["x"] + area["width"] / 2, area["y"] + area["height"] / 2)
    for wheel, row in ((-2000, 1), (2000, 9)):
        page.mouse.wheel(0, wheel)
        edge = area["y"] + (30 if wheel < 0 else area["height"] - 12)
        point_until(page, area["x"] + area["width"] / 2, edge, str(row))
        page.mouse.move(area["x"] + area["width"] / 2, area["y"] + area["height"] / 2)
    page.keyboard.press("n")
    page.wait_for_function("height => document.querySelector('.frame').offsetHeight === height", arg=before["height"])


def test_expert_is_upright_on_a_phone_and_all_of_it_is_seen(browser: Browser, address: str, faults: Faults) -> None:
    with window(browser, address, faults, "phone") as page:
        begin(page)
        level(page, "expert")
        grid = page.get_by_role("grid")
        expect(grid).to_have_attribute("aria-rowcount", "30")
        expect(grid).to_have_attribute("aria-colcount", "16")
        expect(page.get_by_role("button", name=text("page-level-expert"), pressed=True)).to_be_visible()
        settle(page)
        screenshot(page, "layout-phone-expert")
        canvas = box(page, ".stage canvas")
        page.touchscreen.tap(canvas["x"] + canvas["width"] - 20, canvas["y"] + canvas["height"] - 12)
        expect(page.get_by_role("gridcell", name="covered").nth(479)).not_to_be_attached()  # the last row is there


def test_expert_is_seen_whole_on_a_phone_on_its_side(browser: Browser, address: str, faults: Faults) -> None:
    with window(browser, address, faults, "landscape") as page:
        begin(page, level="expert")
        canvas = box(page, ".stage canvas")
        size = (canvas["height"] - 2 * THIN_FRAME) // 16  # without a ruler
        middle = (canvas["x"] + canvas["width"] / 2, canvas["y"] + canvas["height"] / 2)
        page.locator(".thumb").get_by_role("button", name=text("page-tap-flag")).tap()
        for name, across, down in (("A1", -14.5, -7.5), ("AD16", 14.5, 7.5)):
            page.touchscreen.tap(middle[0] + across * size, middle[1] + down * size)
            expect(page.get_by_role("gridcell", name=f"{name}, flag")).to_have_count(1)


@pytest.mark.parametrize("language", ["en", "de"])
def test_all_screens_are_in_the_row_of_a_tablet(browser: Browser, address: str, faults: Faults, language: str) -> None:
    with window(browser, address, faults, "tablet", locale=language) as page:
        begin(page)
        hidden = page.locator("nav").evaluate("nav => nav.scrollWidth - nav.clientWidth")
        assert hidden == 0
        for link in page.locator("nav a").all():
            expect(link).to_be_in_viewport(ratio=1)


def test_a_first_visit_on_a_phone_says_how_to_begin(browser: Browser, address: str, faults: Faults) -> None:
    with window(browser, address, faults, "phone") as page:
        begin(page)
        welcome = page.locator(".caption")
        expect(welcome).to_contain_text(text("page-hint-tap"))
        expect(welcome.get_by_role("link")).to_have_attribute("href", "#/learn")
        axe(page)
        level(page, "expert")  # whose last rows it would hide
        expect(welcome).to_be_hidden()
        level(page, "beginner")
        expect(welcome).to_be_hidden()


def test_help_is_in_the_thumb_bar_which_can_be_left_handed(browser: Browser, address: str, faults: Faults) -> None:
    with window(browser, address, faults, "phone") as page:
        page.goto("/#/play?layout=....*/...../...../*...*")
        expect(page.get_by_role("grid")).to_have_attribute("aria-rowcount", "4")
        settle(page)
        page.touchscreen.tap(*place(page, 1, 1, 4, 5))
        expect_label(page, 0, 3, "1")
        thumb = page.locator(".thumb")
        odds = thumb.get_by_role("button", name=text("page-overlay-odds"))
        odds.tap()
        expect(odds).to_have_attribute("aria-pressed", "true")
        expect(page.get_by_role("gridcell", name=text("page-cell-certainly-safe")).first).to_be_attached()
        for key in ("page-best-move", "page-hint"):
            with page.expect_response("**/best" if key == "page-best-move" else "**/hint*"):
                thumb.get_by_role("button", name=text(key), exact=True).tap()
        flag = thumb.get_by_role("button", name=text("page-tap-flag"))
        right = flag.bounding_box()
        page.get_by_role("button", name=text("page-settings")).tap()
        page.get_by_role("switch", name=text("page-setting-left-handed")).tap()
        page.get_by_role("button", name=text("page-close")).tap()
        left = flag.bounding_box()
        assert right is not None
        assert left is not None
        assert right["x"] > 195 > left["x"]


def test_the_result_is_a_sheet_above_the_thumb_bar(browser: Browser, address: str, faults: Faults) -> None:
    with window(browser, address, faults, "phone") as page:
        page.goto("/#/play?layout=*../.../...")
        expect(page.get_by_role("grid")).to_have_attribute("aria-rowcount", "3")
        settle(page)
        page.get_by_role("gridcell").first.dispatch_event("click")
        result = page.get_by_role("region", name=text("page-result"))
        expect(result).to_be_visible()
        settle(page)
        area, thumb = box(page, ".result"), box(page, ".thumb")
        assert area["y"] + area["height"] <= thumb["y"] + 1
        assert area["y"] > 844 / 3
        axe(page)
        screenshot(page, "layout-phone-result")
        result.get_by_role("button", name=text("page-result-close")).tap()
        expect(result).to_be_hidden()


def test_screens_are_behind_the_menu_button_of_a_phone(browser: Browser, address: str, faults: Faults) -> None:
    with window(browser, address, faults, "phone") as page:
        begin(page)
        link = page.get_by_role("link", name=text("page-screen-history"))
        expect(link).to_be_hidden()
        page.get_by_role("button", name=text("page-screens")).tap()
        axe(page)
        screenshot(page, "layout-phone-menu")
        link.tap()
        expect(page.get_by_role("heading", level=1)).to_have_text(text("page-screen-history"))
        expect(link).to_be_hidden()


def test_no_button_is_there_twice(browser: Browser, address: str, faults: Faults) -> None:
    for size in SIZES:
        with window(browser, address, faults, size) as page:
            begin(page)
            names = [button.inner_text().strip() for button in page.get_by_role("button").all() if button.is_visible()]
            named = [name for name in names if name]
            assert sorted(named) == sorted(set(named)), size
