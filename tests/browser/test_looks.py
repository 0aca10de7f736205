"""Every screen is accessible in every skin, in light, dark and a contrast theme.

A skin and a theme change colours only. So one page for each screen gets all rules once, and the rule about contrast in
every look. All looks are tried with MINEPROOF_THOROUGH=1. Otherwise each screen has its own three, so that all screens
together have every theme and every skin, and each theme meets each skin.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import mineproof as mp
from support.boards import settle
from support.browser import axe, screenshot
from support.effort import THOROUGH
from support.finished import finished
from support.texts import text

SCREENS = [
    "play",
    "analyse",
    "practise",
    "learn",
    "variants",
    "generate",
    "simulate",
    "history",
    "review?number=1",
    "api",
    "settings",
]
SKINS = ["mineproof", "classic", "contrast"]
THEMES = ["light", "dark", "forced"]
ONLY_CONTRAST = {"type": "rule", "values": ["color-contrast"]}


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished game, for History and the review."""
    path = tmp_path_factory.mktemp("looks")
    with mp.History.open(path) as history:
        history.add(finished("9x9x10", seed=1, won=False), help_used={})
    return path


def looks(turn: int) -> list[tuple[str, str]]:
    """Themes and skins to try on one screen."""
    if THOROUGH:
        return [(theme, skin) for theme in THEMES for skin in SKINS]
    return [(theme, SKINS[(turn + place) % len(SKINS)]) for place, theme in enumerate(THEMES)]


def wear(page: Page, theme: str, skin: str) -> None:
    if theme == "forced":
        page.emulate_media(forced_colors="active")
    else:
        page.emulate_media(color_scheme="dark" if theme == "dark" else "light", forced_colors="none")
    page.evaluate("skin => { document.documentElement.dataset.skin = skin }", skin)


@pytest.mark.parametrize("screen", SCREENS)
def test_every_screen_is_accessible_in_every_look(page: Page, screen: str) -> None:
    page.emulate_media(reduced_motion="reduce")  # a colour on its way to another has no contrast of its own
    page.goto("/#/play" if screen == "settings" else f"/#/{screen}")
    page.wait_for_load_state("networkidle")
    expect(page.locator("main h1, main .frame").first).to_be_attached()
    if screen == "settings":
        page.get_by_role("button", name=text("page-settings")).click()
        expect(page.get_by_role("dialog", name=text("page-settings"))).to_be_visible()
    axe(page)
    assert page.locator("select").count() == 0, "a choice has a control of the page's own"
    for theme, skin in looks(SCREENS.index(screen)):
        wear(page, theme, skin)
        settle(page)
        axe(page, runOnly=ONLY_CONTRAST)
        screenshot(page, f"look-{screen.split('?', maxsplit=1)[0]}-{theme}-{skin}")
