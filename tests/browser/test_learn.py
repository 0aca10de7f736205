"""Learn: the course by mouse, keyboard and touch, mistakes that are explained, progress, and the ladder."""

import json
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from support.boards import LARGEST_TO_LEARN, expect_label, place
from support.browser import axe, screenshot
from support.texts import text
from web.test_tutorial import load_steps

IDS = ["numbers", "flag", "chord", "1-1", "1-2", "1-2-1", "1-2-2-1", "count", "guess"]


def learn(page: Page, step: str = "", **settings: object) -> None:
    if settings:
        page.add_init_script(f"localStorage.setItem('mineproof', '{json.dumps(settings)}')")
    page.goto(f"/#/learn{f'?step={step}' if step else ''}")
    expect(page.get_by_role("heading", level=1)).to_have_text(text("page-screen-learn"))


def size(step: dict[str, Any]) -> tuple[int, int]:
    rows = step["position"].split("/")
    return len(rows), len(rows[0])


def verdict(page: Page) -> Locator:
    return page.locator(".learn-answer .verdict")


def solve(page: Page, step: dict[str, Any]) -> None:
    """Click the right cells of a step."""
    rows, columns = size(step)
    if "chord" in step:
        row, column = step["chord"]
        page.mouse.click(*place(page, row, column, rows, columns, LARGEST_TO_LEARN))
        return
    for row, column in step["open"] or ([[0, 0]] if step.get("guess") else []):
        page.mouse.click(*place(page, row, column, rows, columns, LARGEST_TO_LEARN))
    if step["id"] != "numbers":
        for row, column in step["flag"]:
            page.mouse.click(*place(page, row, column, rows, columns, LARGEST_TO_LEARN), button="right")


def test_the_whole_course_by_mouse(page: Page) -> None:
    steps = load_steps()
    assert [step["id"] for step in steps] == IDS
    learn(page)
    for number, step in enumerate(steps, 1):
        heading = text("page-learn-step", number=number, all=len(steps), title=text(step["texts"][0]))
        expect(page.locator(".learn .bar strong").first).to_have_text(heading)
        solve(page, step)
        expect(verdict(page)).to_contain_text(text(step["texts"][3]))
        expect(page.get_by_text(text("page-learn-done-count", count=number, all=len(steps)))).to_be_visible()
        if number < len(steps):
            page.keyboard.press("n")
    expect(verdict(page)).to_contain_text(text("page-learn-finished"))
    screenshot(page, "learn-finished")
    page.reload()
    expect(page.get_by_text(text("page-learn-done-count", count=9, all=9))).to_be_visible()  # it is kept


def test_mistakes_are_explained(page: Page) -> None:
    learn(page, "1-2-1")
    page.mouse.click(*place(page, 0, 0, 3, 3, LARGEST_TO_LEARN))  # opens a mine
    expect(verdict(page)).to_contain_text(text("page-learn-wrong-mine"))
    expect(verdict(page)).to_contain_text(text("page-learn-1-2-1-tip"))
    expect_label(page, 0, 0, f"covered, {text('page-mark-fault')}")
    expect(page.locator(".arrows path.arrow").first).to_be_visible()
    page.mouse.click(*place(page, 0, 1, 3, 3, LARGEST_TO_LEARN), button="right")  # flags a safe cell
    expect(verdict(page)).to_contain_text(text("page-learn-wrong-safe"))
    axe(page)
    page.mouse.click(*place(page, 0, 1, 3, 3, LARGEST_TO_LEARN))
    expect(verdict(page)).to_have_text(text("page-learn-right", 2))
    learn(page, "1-1")
    page.mouse.click(*place(page, 0, 0, 3, 5, LARGEST_TO_LEARN))
    expect(verdict(page)).to_contain_text(text("page-learn-wrong-uncertain"))
    learn(page, "chord")
    page.mouse.click(*place(page, 0, 0, 3, 3, LARGEST_TO_LEARN))
    expect(verdict(page)).to_contain_text(text("page-learn-wrong-chord"))


def test_a_step_by_keyboard(page: Page) -> None:
    learn(page, "1-2-1")
    for key in ("ArrowUp", "Enter", "ArrowLeft", "f", "ArrowRight", "ArrowRight", "f"):
        page.keyboard.press(key)  # the cursor begins in the middle
    expect(verdict(page)).to_contain_text(text("page-learn-1-2-1-done"))


def test_it_goes_on_where_it_was_left(page: Page) -> None:
    learn(page, learnt=["numbers", "flag"])
    title = text("page-learn-step", number=3, all=9, title=text("page-learn-chord-title"))
    expect(page.locator(".learn .bar strong").first).to_have_text(title)
    choices = page.get_by_role("region", name=text("page-learn-course")).get_by_role("button")
    expect(choices.nth(1)).to_contain_text(text("page-learn-step-done"))
    choices.nth(8).click()
    expect(page.locator(".learn .bar strong").first).to_contain_text(text("page-learn-guess-title"))


def test_the_ladder_leads_into_practise(page: Page) -> None:
    learn(page)
    ladder = page.get_by_role("region", name=text("page-learn-ladder"))
    links = ladder.get_by_role("link")
    expect(links.first).to_be_visible()
    assert links.count() > 5
    expect(ladder.locator("li").first).to_contain_text(text("page-count-of", count=0, all=3))
    assert (links.first.get_attribute("href") or "").startswith("#/practise?technique=")
    links.first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text(text("page-screen-practise"))


def test_right_answers_climb_the_ladder(page: Page) -> None:
    answer = {"schema": "mineproof/standing/1", "techniques": [
        {"name": "single-open", "label": "One", "rating": 1, "deviation": 1, "right": 3},
        {"name": "single-flag", "label": "Two", "rating": 1, "deviation": 1, "right": 1},
    ]}  # fmt: skip
    page.route("**/api/v1/standing", lambda route: route.fulfill(json=answer))
    learn(page)
    rungs = page.get_by_role("region", name=text("page-learn-ladder")).locator("li")
    expect(rungs.first).to_contain_text(text("page-learn-step-done"))
    expect(rungs.nth(1)).to_contain_text(text("page-count-of", count=1, all=3))
    expect(rungs.nth(1).locator("a.primary")).to_have_count(1)


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_it_is_accessible(page: Page, colours: str) -> None:
    page.emulate_media(color_scheme=colours, reduced_motion="reduce")  # type: ignore[arg-type]
    page.set_viewport_size({"width": 1440, "height": 900})
    learn(page, "1-2-2-1", learnt=["numbers", "flag"])
    expect(page.get_by_role("region", name=text("page-learn-ladder")).get_by_role("link").first).to_be_visible()
    axe(page)
    screenshot(page, f"learn-{colours}")


def test_a_phone(phone: Page) -> None:
    learn(phone, "flag")
    phone.locator(".learn-tap").get_by_role("button", name=text("page-tap-flag")).tap()
    phone.touchscreen.tap(*place(phone, 0, 1, 3, 3, LARGEST_TO_LEARN))
    expect(verdict(phone)).to_contain_text(text("page-learn-flag-done"))
    expect(verdict(phone)).to_be_in_viewport()
    expect(phone.get_by_role("button", name=text("page-next"))).to_be_in_viewport()
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    axe(phone)
    screenshot(phone, "learn-phone")
    phone.locator(".course button").last.tap()
    expect(phone.locator(".learn .task")).to_be_in_viewport()  # the list of the course lies below the board
