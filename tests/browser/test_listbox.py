"""The page's own list box: by keyboard alone, by its letters, by mouse, and in a form."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from support.browser import Faults, axe, screenshot
from support.texts import text


def technique(page: Page) -> Locator:
    page.goto("/#/generate")
    box = page.get_by_role("combobox", name=text("page-needs"), exact=True)
    expect(box).to_have_text(text("page-technique-any"))
    expect(page.locator(".list").first.locator("[role=option]")).not_to_have_count(1)  # the techniques are loaded
    return box


def options(page: Page) -> Locator:
    """The options that can be seen."""
    return page.locator(".list:popover-open [role=option]")


def active(box: Locator) -> str:
    """The text of the option that the keys point to."""
    found: str = box.evaluate("box => document.getElementById(box.getAttribute('aria-activedescendant')).textContent")
    return found


def test_the_keyboard_chooses(page: Page) -> None:
    box = technique(page)
    box.focus()
    page.keyboard.press("ArrowDown")
    expect(box).to_have_attribute("aria-expanded", "true")
    names = options(page).all_inner_texts()
    assert active(box) == names[0]
    for key, expected in (("ArrowDown", 1), ("End", -1), ("ArrowDown", -1), ("ArrowUp", -2), ("Home", 0)):
        page.keyboard.press(key)
        assert active(box) == names[expected], key
    axe(page)
    screenshot(page, "list-box")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Escape")
    expect(box).to_have_attribute("aria-expanded", "false")
    expect(box).to_have_text(names[0])
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(box).to_have_text(names[1])
    expect(box).to_be_focused()
    page.keyboard.press("End")
    page.keyboard.press("Tab")
    expect(box).to_have_text(names[-1])
    expect(page.get_by_role("combobox", name=text("page-hardest"))).to_be_focused()


def test_letters_find_an_option_without_its_number(page: Page) -> None:
    page.clock.install(time=0)
    box = technique(page)
    box.focus()
    page.keyboard.press("ArrowDown")
    names = [re.sub(r"^\d+ · ", "", name) for name in options(page).all_inner_texts()]
    page.clock.pause_at(3600)  # letters belong together, however long the machine takes for them
    for wanted in names[2:4]:
        page.clock.fast_forward(800)  # unless a pause is between them
        page.keyboard.type(wanted[:12])
        assert active(box).endswith(wanted)


def test_the_mouse_chooses_and_leaves(page: Page) -> None:
    box = technique(page)
    box.click()
    expect(options(page).first).to_be_visible()
    page.locator("h1").click()
    expect(options(page)).to_have_count(0)
    page.get_by_text(text("page-needs"), exact=True).click()
    expect(box).to_be_focused()
    box.click()
    options(page).nth(3).click()
    expect(options(page)).to_have_count(0)
    name = page.locator("input[name=needs]")
    assert name.input_value() == "partition"
    box.click()
    expect(options(page).nth(3)).to_have_attribute("aria-selected", "true")
    box.click()  # the second press closes it
    expect(options(page)).to_have_count(0)


def test_keys_of_the_screen_rest_while_a_list_has_the_focus(page: Page, faults: Faults) -> None:
    page.goto("/#/practise")
    box = page.get_by_role("combobox", name=text("page-technique"), exact=True)
    expect(page.get_by_role("button", name=re.compile(text("page-show-solution")))).to_be_visible()
    before = page.url
    box.focus()
    page.keyboard.press("s")
    expect(box).to_have_attribute("aria-expanded", "true")
    expect(page.get_by_role("button", name=re.compile(text("page-show-solution")))).to_be_visible()
    assert page.url == before
    assert faults.unexpected == []


def test_a_list_near_the_edge_stays_in_the_window(phone: Page) -> None:
    box = technique(phone)
    for block in ("start", "end"):
        box.evaluate("(box, block) => box.scrollIntoView({block})", block)
        box.tap()
        area = phone.locator(".list:popover-open").bounding_box()
        assert area is not None
        assert area["x"] >= 0
        assert area["x"] + area["width"] <= 390
        assert area["y"] >= 0
        assert area["y"] + area["height"] <= 844
        screenshot(phone, f"list-box-phone-{block}")
        phone.keyboard.press("Escape")
        expect(options(phone)).to_have_count(0)
