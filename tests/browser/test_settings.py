"""The settings panel: built from a list, applied at once, stored, and the same on every screen."""

import json

import pytest
from playwright.sync_api import Locator, Page, expect

from support.browser import axe, screenshot
from support.texts import text


def open_panel(page: Page) -> Locator:
    page.goto("/")
    page.get_by_role("button", name=text("page-settings")).click()
    return page.get_by_role("dialog", name=text("page-settings"))


def stored(page: Page) -> dict[str, object]:
    settings: dict[str, object] = json.loads(page.evaluate("localStorage.getItem('mineproof') ?? '{}'"))
    return settings


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_the_panel_is_accessible(page: Page, colours: str) -> None:
    page.emulate_media(color_scheme=colours)  # type: ignore[arg-type]
    panel = open_panel(page)
    panel.get_by_text(text("page-keys"), exact=True).click()
    axe(page)
    screenshot(page, f"settings-{colours}")
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()


def test_choices_apply_at_once_and_are_stored(page: Page) -> None:
    panel = open_panel(page)
    root = page.locator("html")
    panel.get_by_role("button", name=text("page-theme-dark")).click()
    expect(root).to_have_attribute("data-theme", "dark")
    group = panel.get_by_role("group", name=text("page-setting-skin"))
    group.get_by_role("button", name=text("page-skin-classic")).click()
    expect(root).to_have_attribute("data-skin", "classic")
    panel.get_by_role("switch", name=text("page-setting-left-handed")).click()
    expect(root).to_have_attribute("data-hand", "left")
    panel.get_by_role("switch", name=text("page-setting-sound")).click()
    panel.get_by_role("switch", name=text("page-option-chord-rule")).click()
    for name, value in {"theme": "dark", "skin": "classic", "sound": True, "chord_rule": "at-least"}.items():
        assert stored(page)[name] == value
    page.reload()
    expect(root).to_have_attribute("data-skin", "classic")
    page.get_by_role("button", name=text("page-settings")).click()
    expect(panel.get_by_role("switch", name=text("page-setting-sound"))).to_be_checked()
    expect(panel.get_by_role("switch", name=text("page-option-chord-rule"))).to_be_checked()


def test_it_fits_a_phone(phone: Page) -> None:
    panel = open_panel(phone)
    expect(panel.get_by_role("button", name=text("page-close"))).to_be_visible()
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    assert panel.evaluate("panel => panel.scrollWidth <= panel.clientWidth")
    axe(phone)
    screenshot(phone, "settings-phone")
    panel.get_by_role("button", name=text("page-close")).click()
    expect(panel).to_be_hidden()
