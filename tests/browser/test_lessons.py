"""Lessons in Chromium: the page walks along the game by slider, keys and buttons, and the app leads to it and on."""

import re
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

import mineproof as mp
from support.browser import Faults, axe, screenshot
from support.finished import finished
from support.texts import as_on_the_page, text

GAME = finished("9x9x20", seed=0)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("played")
    with mp.History.open(path) as history:
        history.add(GAME, help_used={})
        history.add(finished("9x9x10", seed=1, won=False), help_used={})
    return path


def signs(page: Page) -> str:
    """What the board of the lesson shows."""
    names = page.locator(".board use").evaluate_all("uses => uses.map((use) => use.getAttribute('href').slice(-1))")
    letters = {"c": "#", "f": "F", "q": "?", "m": "*", "x": "X", "w": "W"}
    return "".join(letters.get(name, name) for name in names)


def seen(moves: int) -> str:
    return str(mp.Game.replay(GAME.record(), upto=moves)).replace("\n", "")


def slider(page: Page) -> Locator:
    return page.get_by_role("slider", name="Move")


def test_the_slider_walks_along_the_game(page: Page) -> None:
    page.goto("/api/v1/history/1/lesson?to=html")
    moves = len(GAME.moves)
    expect(slider(page)).to_have_value(str(moves))
    assert signs(page).count("F") == 20, "won: every mine has its flag"
    slider(page).focus()
    page.keyboard.press("Home")
    assert signs(page) == "#" * 81
    for made in range(1, 6):
        page.keyboard.press("ArrowRight")
        assert signs(page) == seen(made)
    expect(page.locator(".said")).to_contain_text(f"Move 5 of {moves}, 1.00 s: opened ")
    page.get_by_role("button", name="Back", exact=True).click()
    assert signs(page) == seen(4)
    page.get_by_role("button", name="To the end").click()
    expect(slider(page)).to_have_value(str(moves))
    screenshot(page, "lesson")


def test_cards_and_marks_jump_to_their_guess(page: Page) -> None:
    page.goto("/api/v1/history/1/lesson?to=html")
    guesses = mp.lesson(GAME).guesses
    third = guesses[2].guess.index
    page.locator(".strip").get_by_role("link", name="3", exact=True).click()
    expect(slider(page)).to_have_value(str(third))
    assert signs(page) == seen(third), "the board before the guess"
    expect(page.locator(".said")).to_contain_text("Next: guess 3.")
    page.get_by_role("button", name="Next guess").click()
    expect(slider(page)).to_have_value(str(guesses[3].guess.index))
    page.locator("#game-guess-1").get_by_role("link", name="Show on the time line").click()
    expect(slider(page)).to_have_value(str(guesses[0].guess.index))
    expect(page.locator("#game-board")).to_be_in_viewport()


def test_the_history_leads_to_lessons_and_those_to_puzzles(page: Page) -> None:
    page.goto("/#/history")
    page.get_by_role("link", name=text("page-lesson-of", number=1)).click()
    with page.expect_popup() as opened:
        page.get_by_role("link", name=text("page-review-open-lesson")).click()
    lesson = opened.value
    expect(lesson.get_by_role("heading", name="Lesson: Game 1")).to_be_visible()
    technique = next(each.technique for each in mp.lesson(GAME).sentences if each.technique is not None)
    lesson.locator(f'a[href$="technique={technique}"]').first.click()
    expect(lesson).to_have_url(re.compile(rf"#/practise\?.*technique={technique}&.*seed="))
    lesson.get_by_role("combobox", name=text("page-technique")).click()
    expect(lesson.get_by_role("option", selected=True)).to_have_attribute("data-value", technique)
    page.get_by_role("link", name=text("page-review-back")).click()
    with page.expect_popup() as popup:
        page.get_by_role("link", name=text("page-profile")).click()
    profile = popup.value
    expect(profile.get_by_role("heading", name="Profile of 2 games")).to_be_visible()
    profile.get_by_role("link", name="Game 2").click()
    expect(profile.locator("#lesson-1")).to_be_visible()  # the latest comes first


def test_the_review_tells_the_sentences(page: Page) -> None:
    page.goto("/#/review?number=1")
    said = page.locator(".sentences li")
    expect(said).to_have_count(5)
    with as_on_the_page():
        sentence = mp.lesson(GAME).sentences[1].text
    expect(said.nth(1)).to_contain_text(sentence)
    expect(page.get_by_role("link", name=text("page-review-open-lesson"))).to_have_attribute(
        "href", "/api/v1/history/1/lesson?to=html&language=en"
    )
    axe(page)
    said.get_by_role("link", name=text("page-review-puzzles")).first.click()
    expect(page).to_have_url(re.compile(r"#/practise\?"))


def test_a_game_that_was_just_lost_has_a_lesson(page: Page) -> None:
    made = page.request.post("/api/v1/games", data={"layout": "*../..*", "first_click": "any"}).json()
    page.request.post(f"/api/v1/games/{made['id']}/moves", data={"kind": "open", "cell": [0, 0]})
    page.goto(f"/#/play?game={made['id']}")
    expect(page.locator(".sentences li")).to_have_count(5)
    expect(page.get_by_role("link", name=text("page-review-open-lesson"))).to_have_attribute(
        "href", f"/api/v1/games/{made['id']}/lesson?to=html&language=en"
    )


@pytest.mark.parametrize("which", ["history/1/lesson", "history/profile"])
def test_it_fits_a_phone_and_is_accessible(phone: Page, which: str) -> None:
    phone.goto(f"/api/v1/{which}?to=html")
    phone.locator("details").evaluate_all("all => all.forEach((each) => { each.open = true; })")
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    themes: tuple[Literal["light", "dark"], ...] = ("light", "dark")
    for theme in themes:
        phone.emulate_media(color_scheme=theme)
        axe(phone, crowded=".strip a")  # each guess has a link below, too
        screenshot(phone, f"phone-{which.replace('/', '-')}-{theme}")


def test_a_file_needs_no_server_and_no_script(browser: Browser, tmp_path: Path, faults: Faults) -> None:
    path = tmp_path / "lesson.html"
    path.write_text(mp.lesson(GAME).html(), "utf-8")
    context = browser.new_context(offline=True)
    faults.watch(context)
    page = context.new_page()
    page.goto(path.as_uri())
    slider(page).focus()
    page.keyboard.press("Home")
    assert signs(page) == "#" * 81
    context.close()
    assert faults.unexpected == []
    plain = browser.new_context(java_script_enabled=False)
    page = plain.new_page()
    page.goto(path.as_uri())
    expect(page.locator(".card.needless").first).to_be_visible()
    expect(slider(page)).to_be_hidden()
    expect(page.locator(".board")).to_be_visible()
    plain.close()
