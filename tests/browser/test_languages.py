"""The page in German: chosen by the browser or in the settings; and the ruler that names cells."""

import json
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from browser.conftest import DESKTOP, PHONE, opened
from support.boards import at_rest, expect_label, label, place
from support.browser import Faults, axe, screenshot
from support.texts import text, text_in

SCREENS = ["play", "analyse", "practise", "generate", "simulate", "history", "api"]
PIXELS = """canvas => {
    const {data} = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    return data.reduce((sum, value, at) => (sum * 31 + value * (at % 7 + 1)) % 1000003, 7);
}"""


def de(key: str, count: int | None = None, **fields: object) -> str:
    return text_in("de", key, count, **fields)


@pytest.fixture
def german(browser: Browser, address: str, faults: Faults) -> Iterator[Page]:
    with opened(browser, address, faults, {**DESKTOP, "locale": "de-DE"}) as page:
        yield page


@pytest.fixture
def german_phone(browser: Browser, address: str, faults: Faults) -> Iterator[Page]:
    with opened(browser, address, faults, {**PHONE, "locale": "de-DE"}) as page:
        yield page


def test_the_browser_chooses_german(german: Page) -> None:
    with german.expect_request("**/api/v1/games") as request:
        german.goto("/#/play?layout=....*/...../...../*...*")
    assert request.value.headers["accept-language"] == "de"
    assert request.value.headers["mineproof-cell-labels"] == "ruler"
    expect(german.locator("html")).to_have_attribute("lang", "de")
    expect(german.get_by_role("heading", name="Hilfe")).to_be_visible()
    expect(german.get_by_role("button", name="Bester Zug")).to_be_visible()
    expect(german.get_by_role("grid", name=de("page-board"))).to_have_attribute("aria-rowcount", "4")
    expect_label(german, 0, 4, "verdeckt")
    german.mouse.click(*place(german, 1, 1, 4, 5))
    expect_label(german, 1, 1, "leer")
    expect(german.get_by_label(de("page-mines-left", 3))).to_have_count(1)
    axe(german)
    screenshot(german, "german-play")


def test_numbers_are_german_too(german: Page) -> None:
    german.goto("/#/analyse?board=HHHHH/123HH/HHH3H&mines=6")
    expect(german.locator("section[role=status]")).to_contain_text("10 Minenverteilungen passen.")
    german.mouse.move(*place(german, 0, 0, 3, 5))
    expect(german.locator(".under")).to_have_text("A1: zu 30,00 % eine Mine, genau 3/10")
    screenshot(german, "german-analyse")


def test_the_language_is_chosen_and_stored(page: Page, faults: Faults) -> None:
    faults.allow("preloaded using link preload but not used")  # a slow test sees this: texts in the browser's language
    page.goto("/")
    page.get_by_role("button", name=text("page-settings")).click()
    page.get_by_role("group", name=text("page-language")).get_by_role("button", name="Deutsch").click()
    expect(page.get_by_role("link", name=de("page-screen-play"), exact=True)).to_be_visible()
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    page.get_by_role("button", name=de("page-settings")).click()
    chosen = page.get_by_role("group", name=de("page-language")).get_by_role("button", pressed=True)
    expect(chosen).to_have_text("Deutsch")
    page.get_by_role("group", name=de("page-language")).get_by_role("button", name="English").click()
    expect(page.get_by_role("link", name=text("page-screen-play"), exact=True)).to_be_visible()


@pytest.mark.parametrize("screen", SCREENS)
def test_german_fits_every_screen(german: Page, german_phone: Page, screen: str) -> None:
    for page, width in ((german, 1280), (german_phone, 390)):
        page.goto(f"/#/{screen}")
        expect(page.get_by_role("heading", level=1)).to_have_text(re.compile(r"\w"))
        page.wait_for_load_state("networkidle")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        screenshot(page, f"german-{screen}-{width}")


def test_a_page_without_its_texts_says_so(page: Page, faults: Faults) -> None:
    faults.allow("ERR_CONNECTION_REFUSED")
    page.route("**/messages/*.json", lambda route: route.abort("connectionrefused"))
    page.goto("/")
    expect(page.get_by_role("alert")).to_be_visible()
    page.unroute("**/messages/*.json")
    page.reload()
    expect(page.get_by_role("grid")).to_be_attached()


@pytest.mark.parametrize("topology", ["grid", "torus", "hex"])
def test_the_ruler_is_switched_off_and_on(page: Page, faults: Faults, topology: str) -> None:
    faults.allow("willReadFrequently")  # by this test
    stored = {"level": "custom", "rows": 5, "columns": 6, "mines": 4, "topology": topology}
    page.add_init_script(
        f"localStorage.getItem('mineproof') ?? localStorage.setItem('mineproof', '{json.dumps(stored)}')"
    )
    page.goto("/")
    expect(page.get_by_role("gridcell", name=label(4, 5, "covered"), exact=True)).to_have_count(1)
    page.get_by_role("button", name=text("page-settings")).click()
    canvas = page.locator(".stage canvas")
    at_rest(page)
    drawn = [canvas.evaluate(PIXELS)]
    screenshot(page, f"ruler-{topology}")
    for _ in range(2):
        page.get_by_label(text("page-option-ruler")).click()
        at_rest(page)
        drawn.append(canvas.evaluate(PIXELS))
    assert drawn[0] == drawn[2] != drawn[1]
    page.get_by_label(text("page-option-ruler")).click()
    page.reload()
    page.get_by_role("button", name=text("page-settings")).click()
    expect(page.get_by_label(text("page-option-ruler"))).not_to_be_checked()
    expect(page.get_by_role("gridcell", name=label(4, 5, "covered"), exact=True)).to_have_count(1)
