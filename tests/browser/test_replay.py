"""Replays in the page: the player, the lesson, what help does to them, imported games, and files dropped anywhere."""

import base64
import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

import mineproof as mp
from mineproof.game.help import HelpUsed
from mineproof.wording.reviews import accuracy_text
from support.browser import Faults, axe, screenshot, until
from support.finished import finished
from support.recordings import avf, small
from support.texts import as_on_the_page, part, text, text_in

GAME = finished("9x9x20", seed=0)
HELP = {"hints": [2, 1, 0, 0], "odds_moves": 1}
PTTA = "https://example.org/?b=44&m=g00g"  # 4 by 4 cells, mines in two corners
DROP = """(element, [data, name, type, words]) => {
    const transfer = new DataTransfer();
    if (words) transfer.setData("text/plain", words);
    else {
        const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
        transfer.items.add(new File([bytes], name, {type}));
    }
    const event = new DragEvent("drop", {dataTransfer: transfer, bubbles: true, cancelable: true});
    element.dispatchEvent(event);
    return event.defaultPrevented;
}"""


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Game 1 with many guesses, game 2 with help and no guess, game 3 a recording of another program."""
    path = tmp_path_factory.mktemp("played")
    calm = mp.Game(mp.Layout(3, 5, frozenset([(1, 2)])))
    for ms, cell in enumerate([(0, 0), (0, 2), (2, 2), (1, 4)]):
        calm.play("open", cell, ms=1000 * ms)
    assert calm.status == "won"
    with mp.History.open(path) as history:
        history.add(GAME, help_used={}, when=datetime(2026, 9, 1, tzinfo=UTC))
        history.add(calm, help_used=HELP, when=datetime(2026, 9, 2, tzinfo=UTC))
        history.import_data(avf(small()), file="one.avf")
    return path


def slider(page: Page) -> Locator:
    return page.get_by_role("slider", name=text("page-review-move"))


def opened(page: Page, number: int = 1) -> Page:
    page.goto(f"/#/review?number={number}")
    expect(slider(page)).to_be_visible()
    return page


def covered(page: Page) -> Locator:
    return page.locator("[role=gridcell][aria-label*='covered']")


# the player


def test_keys_step_through_the_game_and_play_it(page: Page) -> None:
    opened(page)
    moves = len(GAME.moves)
    expect(slider(page)).to_have_value(str(moves))
    page.locator("body").press("Home")
    expect(slider(page)).to_have_value("0")
    expect(covered(page)).to_have_count(81)
    page.keyboard.press("ArrowRight")
    expect(slider(page)).to_have_value("1")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    expect(slider(page)).to_have_value("1")
    expect(page.get_by_text(part("page-review-opened", move=1, last=moves))).to_be_visible()
    page.keyboard.press("End")
    expect(slider(page)).to_have_value(str(moves))
    page.keyboard.press("Home")
    page.keyboard.press(" ")
    expect(page.get_by_role("button", name=text("page-replay-pause"))).to_be_visible()
    page.keyboard.press(" ")
    expect(page.get_by_role("button", name=text("page-replay-play"), exact=True)).to_be_visible()
    slider(page).focus()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    expect(slider(page)).to_have_value("1")  # and not two moves further


def test_the_game_runs_in_its_own_time_or_faster(page: Page) -> None:
    """The clock of the page stands still unless the test moves it, so nothing depends on the machine."""
    page.clock.install(time=0)
    opened(page, 2)
    page.clock.pause_at(3600)
    steps = page.request.get("/api/v1/history/2/timeline").json()["steps"]
    last = steps[-1]["time"]
    assert last > 1
    for speed, factor in (("×1", 1.0), ("×4", 4.0), ("×½", 0.5)):
        page.get_by_role("button", name=speed, exact=True).click()
        page.get_by_role("button", name=text("page-replay-start")).click()
        expect(slider(page)).to_have_value("0")
        page.get_by_role("button", name=text("page-replay-play"), exact=True).click()
        page.clock.run_for(int(1000 * (0.3 + 0.5 * last) / factor))
        made = sum(step["time"] <= 0.5 * last for step in steps)
        expect(slider(page)).to_have_value(str(made))
        page.clock.run_for(int(1000 * last / factor))
        expect(slider(page)).to_have_value(str(len(steps)))
        expect(page.get_by_role("button", name=text("page-replay-play"), exact=True)).to_be_visible()  # it has stopped


def test_guesses_and_mistakes_are_marked_listed_and_reached(page: Page) -> None:
    opened(page)
    guesses = mp.review(GAME).guesses
    mistakes = [guess for guess in guesses if guess.kept < 1]
    assert 0 < len(mistakes) < len(guesses)
    expect(page.locator(".strip .mistake")).to_have_count(len(mistakes))
    expect(page.locator(".strip .guess")).to_have_count(len(guesses) - len(mistakes))
    graph = page.locator(".chances").get_by_role("img")
    expect(graph).to_have_accessible_name(part("page-replay-graph", count=len(guesses)))
    listed = page.locator(".moments li")
    expect(page.locator(".moments li.mistake")).to_have_count(len(mistakes))
    first = guesses.index(mistakes[0])
    listed.nth(first).get_by_role("button").click()
    expect(slider(page)).to_have_value(str(mistakes[0].index))
    with as_on_the_page():
        words = mistakes[0].text
    expect(page.locator(".player .words")).to_have_text(words)
    cursor, mark = page.locator(".chances .cursor"), page.locator(".strip i").nth(first)
    assert cursor.evaluate("at => at.style.left") == mark.evaluate("at => at.style.left")
    box = page.locator(".chances").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 1, box["y"] + 10)
    expect(slider(page)).to_have_value("0")


def test_odds_of_any_moment(page: Page) -> None:
    opened(page)
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    odds = page.locator("[role=gridcell][aria-label*='percent']")
    expect(odds).to_have_count(0)
    page.get_by_role("button", name=text("page-overlay-odds"), exact=True).click()
    expect(odds.first).to_be_attached()
    page.keyboard.press("End")
    expect(odds).to_have_count(0)
    page.get_by_role("button", name=text("page-overlay-odds"), exact=True).click()


def test_the_mouse_of_a_recording_is_drawn(page: Page) -> None:
    opened(page, 3)
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    path = page.locator(".mouse-path polyline")
    expect(path).to_have_count(1)
    page.get_by_role("button", name=text("page-replay-path")).click()
    expect(path).to_have_count(0)
    page.get_by_role("button", name=text("page-replay-path")).click()
    expect(path).to_have_count(1)
    opened(page, 1)
    expect(page.get_by_role("heading", level=1)).to_have_text(text("page-game", number=1))
    expect(page.get_by_role("button", name=text("page-replay-path"))).to_be_hidden()


def test_trying_from_a_moment_and_analysing_it(page: Page) -> None:
    opened(page)
    expect(page.get_by_role("button", name=text("page-analyse-position"))).to_have_count(1)
    expect(page.get_by_role("button", name=text("page-review-try"))).to_be_disabled()
    page.keyboard.press("ArrowLeft")
    page.get_by_role("button", name=text("page-review-try")).click()
    expect(page).to_have_url(re.compile(r"#/play$"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_is_accessible(page: Page, scheme: str) -> None:
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    opened(page)
    expect(page.locator(".sentences li")).to_have_count(5)
    page.locator(".moments button").first.click()
    screenshot(page, f"replay-{scheme}")
    axe(page)


def test_on_a_phone_the_board_and_the_controls_share_the_screen(phone: Page) -> None:
    opened(phone)
    expect(phone.locator(".sentences li")).to_have_count(5)
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    play = phone.get_by_role("button", name=text("page-replay-play"), exact=True)
    expect(play).to_be_in_viewport()
    expect(phone.locator(".stage")).to_be_in_viewport(ratio=0.99)
    axe(phone)
    phone.locator(".moments button").last.tap()
    expect(phone.locator(".stage")).to_be_in_viewport()  # the list is far below
    screenshot(phone, "replay-phone")
    phone.set_viewport_size({"width": 844, "height": 390})  # on its side, the controls lie beside the board
    expect(play).to_be_in_viewport()
    until(phone, lambda: (phone.locator(".stage").bounding_box() or {"height": 0})["height"] >= 0.66 * 390)
    axe(phone)
    screenshot(phone, "replay-landscape")


# the lesson and the help used


def test_the_lesson_is_in_the_page_and_in_its_language(page: Page, faults: Faults) -> None:
    faults.allow("preloaded using link preload but not used")  # a slow test sees this: texts in the browser's language
    page.goto("/#/history")
    page.get_by_role("button", name=text("page-settings")).click()
    page.get_by_role("group", name=text("page-language")).get_by_role("button", name="Deutsch").click()
    page.get_by_role("link", name=text_in("de", "page-lesson-of", number=1)).click()
    expect(page).to_have_url(re.compile(r"#/review\?number=1&part=lesson$"))
    expect(page.locator("#lesson")).to_be_focused()
    sentences = page.locator(".sentences li")
    expect(sentences).to_have_count(5)
    expect(sentences.first).to_contain_text("gewonnen")
    with page.expect_popup() as popup:
        page.get_by_role("link", name=text_in("de", "page-review-open-lesson")).click()
    expect(popup.value.get_by_role("heading", level=1)).to_contain_text("Spiel 1")
    expect(popup.value.locator("html")).to_have_attribute("lang", "de")
    page.get_by_role("link", name=text_in("de", "page-review-back")).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(text_in("de", "page-screen-history"))


def test_a_lesson_that_cannot_be_made_is_told_in_words(page: Page, faults: Faults) -> None:
    faults.allow("409")
    refusal = '{"schema": "mineproof/error/1", "code": "illegal-move", "message": "The game was resumed."}'
    page.route("**/history/1/lesson*", lambda route: route.fulfill(status=409, body=refusal))
    opened(page)
    expect(page.locator("#lesson .bad")).to_have_text("The game was resumed.")
    expect(page.get_by_role("link", name=text("page-review-open-lesson"))).to_have_count(0)


def test_help_is_named_and_takes_the_credit(page: Page) -> None:
    opened(page, 2)
    with as_on_the_page():
        used = text("review-help-line", help=HelpUsed.from_json(HELP).text)
    expect(page.locator(".helped")).to_have_text(used)
    expect(page.locator(".sentences li").first).to_contain_text(used)
    expect(page.locator(".review")).not_to_contain_text(text("lesson-luck-none"))
    expect(page.locator(".facts").get_by_text("100\N{NO-BREAK SPACE}%").last).to_be_visible()
    opened(page, 1)
    expect(page.get_by_role("heading", level=1)).to_have_text(text("page-game", number=1))
    expect(page.locator(".sentences li")).to_have_count(5)
    expect(page.locator(".helped")).to_have_count(0)
    page.goto("/api/v1/history/2/lesson?to=html")
    expect(page.locator("body")).to_contain_text(used)
    expect(page.locator("body")).not_to_contain_text(text("lesson-luck-none"))


def test_signs_of_the_lesson_are_drawn(page: Page) -> None:
    page.goto("/api/v1/history/1/lesson?to=html")
    expect(page.locator(".controls button svg")).to_have_count(6)
    assert not re.search("[⏮⏭◀▶]", page.locator(".controls").inner_text())


def test_accuracy_is_shown_in_the_review_and_in_the_list(page: Page) -> None:
    share = accuracy_text(mp.review(GAME).accuracy).replace(" ", "\N{NO-BREAK SPACE}")
    opened(page)
    fact = page.locator(".facts div").filter(has_text=text("page-fact-accuracy"))
    expect(fact.locator("dd")).to_have_text(share)
    page.goto("/#/history")
    row = page.get_by_role("region", name=text("page-games")).locator("tbody tr").filter(has_text="Game 1")
    expect(row).to_contain_text(share)


def test_one_guess_is_no_guesses(page: Page) -> None:
    made = page.request.post("/api/v1/games", data={"layout": "*../..*", "first_click": "any"}).json()
    page.request.post(f"/api/v1/games/{made['id']}/moves", data={"kind": "open", "cell": [0, 0]})
    page.goto(f"/#/play?game={made['id']}")
    fact = page.locator(".facts div").filter(has_text=re.compile("Guess"))
    expect(fact.locator("dt")).to_have_text(text("page-fact-guess-count", 1))
    expect(page.get_by_role("button", name=text("page-analyse-position"))).to_have_count(1)


# imported games


def test_imported_games_are_apart_from_my_own(page: Page) -> None:
    page.goto("/#/history")
    levels, games = (page.get_by_role("region", name=text(f"page-{name}")) for name in ("levels", "games"))
    own = len(page.request.get("/api/v1/history?origin=own").json()["games"])
    expect(games.locator("tbody tr")).to_have_count(own)
    expect(levels).not_to_contain_text("Ann")
    expect(levels.locator("tbody tr")).to_have_count(2)
    page.get_by_role("button", name=text("page-origin-imported")).click()
    expect(games.locator("tbody tr")).to_have_count(1)
    expect(games).to_contain_text(text("page-note-imported"))
    expect(levels.locator("tbody tr")).to_have_count(1)
    expect(levels).to_contain_text("Ann")
    axe(page)
    page.get_by_role("button", name=text("page-origin-own")).click()
    expect(games.locator("tbody tr")).to_have_count(own)


# files dropped anywhere


def drop(page: Page, content: bytes = b"", name: str = "one.avf", kind: str = "", words: str = "") -> None:
    place = page.locator("main > *").first
    assert place.evaluate(DROP, [base64.b64encode(content).decode(), name, kind, words]), "the browser would open it"


def dialog(page: Page) -> Locator:
    return page.get_by_role("dialog", name=text("page-drop-title"))


@pytest.mark.parametrize("screen", ["play", "practise", "analyse"])
def test_a_dropped_replay_is_watched(page: Page, screen: str) -> None:
    page.goto(f"/#/{screen}")
    expect(page.locator(".stage").first).to_be_visible()
    drop(page, avf(small()))
    expect(dialog(page)).to_contain_text("one.avf")
    axe(page)
    dialog(page).get_by_role("button", name=text("page-drop-watch")).click()
    expect(page).to_have_url(re.compile(r"#/review\?number=3&play=1$"))
    expect(slider(page)).to_be_visible()


def test_the_board_of_a_replay_is_shown_played_or_analysed(page: Page) -> None:
    page.goto("/#/play")
    expect(page.locator(".stage").first).to_be_visible()
    drop(page, avf(small()))
    dialog(page).get_by_role("button", name=text("page-drop-mines")).click()
    expect(dialog(page).locator("[role=gridcell][aria-label$='mine']")).to_have_count(10)
    dialog(page).get_by_role("button", name=text("page-cancel")).click()
    expect(dialog(page)).to_have_count(0)
    drop(page, avf(small()))
    dialog(page).get_by_role("button", name=text("page-drop-analyse")).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(text("page-screen-analyse"))
    expect(covered(page)).to_have_count(64)
    drop(page, avf(small()))
    dialog(page).get_by_role("button", name=text("page-drop-play")).click()
    expect(page).to_have_url(re.compile(r"#/play$"))
    expect(page.get_by_role("grid").first).to_have_attribute("aria-rowcount", "8")


def test_a_link_is_asked_about_on_analyse_too(page: Page) -> None:
    page.goto("/#/analyse")
    expect(page).to_have_url(re.compile("board="))
    drop(page, words=PTTA)
    expect(dialog(page).get_by_role("button", name=text("page-drop-play"))).to_be_visible()
    expect(dialog(page).get_by_role("button", name=text("page-drop-watch"))).to_have_count(0)


@pytest.mark.parametrize("position", ["5x3x6/#####/123##/###3#", "Mines: 6\n🟦🟦🟦🟦🟦\n1️⃣2️⃣3️⃣🟦🟦\n🟦🟦🟦3️⃣🟦"])
def test_a_pasted_position_goes_to_analyse_and_other_words_nowhere(page: Page, position: str) -> None:
    page.goto("/#/play")
    expect(page.locator(".stage").first).to_be_visible()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.evaluate("navigator.clipboard.writeText('good morning')")
    page.keyboard.press("Control+V")
    page.evaluate("text => navigator.clipboard.writeText(text)", position)
    page.keyboard.press("Control+V")
    expect(page).to_have_url(re.compile(r"#/analyse\?board=HHHHH/123HH/HHH3H&mines=6"))
    expect(page.get_by_role("alert")).to_have_count(0)


def test_a_picture_dropped_on_play_is_read_by_analyse(page: Page, faults: Faults) -> None:
    faults.allow("400")  # it is no picture at all
    page.goto("/#/play")
    expect(page.locator(".stage").first).to_be_visible()
    with page.expect_request("**/api/v1/read*") as request:
        drop(page, b"\x89PNG\r\n", "a.png", "image/png")
    assert request.value.method == "POST"
    expect(page.get_by_role("heading", level=1)).to_have_text(text("page-screen-analyse"))


def test_what_cannot_be_read_is_told(page: Page, faults: Faults) -> None:
    faults.allow("400")
    page.goto("/#/play")
    expect(page.locator(".stage").first).to_be_visible()
    drop(page, b"\0\1\2", "odd.bin")
    expect(page.get_by_role("alert")).not_to_be_empty()


def test_a_saved_game_is_watched(page: Page) -> None:
    page.clock.install()
    page.goto("/#/play")
    expect(page.locator(".stage").first).to_be_visible()
    page.clock.pause_at(page.evaluate("Date.now() + 1000"))
    drop(page, GAME.save().encode(), "game.json", "application/json")
    dialog(page).get_by_role("button", name=text("page-drop-watch")).click()
    expect(page).to_have_url(re.compile(r"#/review\?number=1&play=1$"))
    expect(page.get_by_role("button", name=text("page-replay-pause"))).to_be_visible()  # it plays
