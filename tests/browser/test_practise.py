"""Puzzles in the browser: right, wrong and harder; by mouse, keyboard and touch; addresses, waiting, giving up."""

import json
import re
from datetime import UTC, datetime, tzinfo
from typing import Any

import pytest
from playwright.sync_api import Page, Request, Response, Route, expect

import mineproof as mp
from mineproof.board.cells import Cell
from mineproof.practice import progress
from mineproof.practice.puzzles import TECHNIQUES, technique_label
from mineproof.practice.search import puzzle_at
from mineproof.web import practice as web_practice
from support.boards import expect_label, label, labels, place
from support.browser import Faults, axe, choose, screenshot, until
from support.texts import text

BOUNDS = "/#/practise?technique=bounds&level=beginner&seed=7"  # right (0,4), harder (0,5), a mine (1,4)
GUESS = "/#/practise?technique=guess&level=beginner&seed=3"
EASY = {"technique": "single-open", "practiceLevel": "beginner"}  # found at once


def start(page: Page, address: str = BOUNDS) -> None:
    stored = json.dumps(EASY)
    page.add_init_script(f"localStorage.getItem('mineproof') ?? localStorage.setItem('mineproof', '{stored}')")
    page.goto(address)
    ready(page)


def ready(page: Page) -> None:
    """Wait until there is a puzzle; finding a rare one takes some seconds."""
    expect(page.get_by_role("button", name=text("page-show-solution"))).to_be_visible()


def expect_task(page: Page, words: str) -> None:
    expect(page.locator(".task")).to_contain_text(words)


def on_the_cell(words: str, cell: str) -> str:
    """The first sentence of a verdict; its chip names the cell of the answer."""
    first = re.sub(r"\. .*", ".", words, flags=re.DOTALL)
    return re.sub(r"⟦name\|[\d,]+⟧", cell.capitalize(), first)


def standing(page: Page) -> dict[str, Any]:
    document: dict[str, Any] = page.request.get("/api/v1/standing").json()
    return document


def verdict(page: Page, key: str) -> None:
    expect(page.locator(".verdict")).to_have_text(text(key))


def test_wrong_harder_and_right_by_mouse(page: Page) -> None:
    start(page)
    before = standing(page)
    with page.expect_response("**/api/v1/answer") as judged:
        page.mouse.click(*place(page, 1, 4, 9, 9))
    verdict(page, "page-puzzle-wrong")
    your_cell = text("page-chip-last")
    expect(page.locator(".words")).to_have_text(on_the_cell(judged.value.json()["text"], your_cell))  # and not why
    assert not [cell for cell, state in labels(page).items() if "hint" in state]
    after = standing(page)
    assert (after["answers"], after["right"]) == (before["answers"] + 1, before["right"])
    lost = round(before["rating"] - after["rating"])
    expect(page.get_by_role("heading", name=f"{round(after['rating'])}")).to_contain_text(f"−{lost}")

    with page.expect_response("**/api/v1/answer") as judged:
        page.mouse.click(*place(page, 0, 5, 9, 9))
    verdict(page, "page-puzzle-harder")
    expect(page.locator(".words")).to_have_text(on_the_cell(judged.value.json()["text"], your_cell))

    page.mouse.click(*place(page, 0, 4, 9, 9))
    verdict(page, "page-puzzle-right")
    page.get_by_role("button", name=text("page-proof-all")).click()
    expect_label(page, 0, 3, f"1, {text('page-mark-because')}")
    expect_label(page, 2, 4, f"3, {text('page-mark-because')}")
    expect_label(page, 0, 4, f"covered, {text('page-mark-safe')}")
    assert standing(page)["answers"] == after["answers"]  # the first answer was the one that counts
    screenshot(page, "practise-right")


def test_a_proof_is_shown_sentence_by_sentence_without_coordinates(page: Page) -> None:
    start(page, "/#/practise?technique=partition&level=beginner&seed=7")
    page.get_by_role("button", name=text("page-show-solution")).click()
    panel = page.locator(".panel", has=page.locator(".proof"))
    words = panel.locator(".words")
    expect(words).to_have_text("This is a 1-1 pattern.")
    expect_label(page, 7, 1, f"1, {text('page-mark-because')}")  # the whole proof, while no number is named
    expect_label(page, 6, 0, f"covered, {text('page-mark-safe')}")
    panel.get_by_role("button", name=text("page-next"), exact=True).click()
    expect(words).to_have_text("This 1 needs 1 mine among these 2 cells.")
    expect_label(page, 8, 1, f"1, {text('page-mark-because')}")
    expect_label(page, 7, 1, "1")
    expect_label(page, 6, 0, f"covered, {text('page-mark-safe')}")  # the solution stays
    page.keyboard.press(",")
    expect(words).to_have_text("This is a 1-1 pattern.")
    panel.get_by_role("button", name=text("page-proof-all")).click()
    expect(words).to_have_count(4)
    assert not re.search(r"\b[A-I][1-9]\b", panel.inner_text())
    page.keyboard.press("n")
    expect(page.locator(".arrows[data-shown]")).to_have_count(0)


def test_a_right_answer_counts(page: Page) -> None:
    start(page, "/#/practise?technique=single-open&level=beginner&seed=11")
    before = standing(page)
    cell = min(mp.puzzle("single-open", level="beginner", seed=11).solution)
    page.mouse.click(*place(page, *cell, 9, 9))
    verdict(page, "page-puzzle-right")
    after = standing(page)
    assert (after["right"], after["streak"]) == (before["right"] + 1, before["streak"] + 1)
    row = page.locator(".facts div", has_text=text("page-fact-streak")).locator("dd")
    expect(row).to_have_text(str(after["streak"]))
    assert page.locator(".task").inner_text()  # the technique is named with the proof
    expect(page.get_by_role("heading", name=technique_label("single-open"))).to_be_visible()


def test_the_next_puzzle_is_there_before_the_answer(page: Page) -> None:
    with page.expect_response(lambda response: is_search(response.request)):  # while the player thinks
        start(page, "/#/practise?technique=single-open&level=beginner&seed=11")
    page.wait_for_load_state("networkidle")
    page.route("**/api/v1/puzzle", lambda route: None)  # the server answers no more
    page.get_by_role("button", name=text("page-show-solution")).click()
    page.get_by_role("button", name=text("page-next-puzzle")).click()
    expect(page).to_have_url(re.compile(r"technique=single-open&level=beginner&seed=(?!11$)\d+$"))
    expect(page.locator(".verdict")).to_be_empty()
    expect(page.get_by_role("button", name=text("page-show-solution"))).to_be_visible()


def test_after_two_wrong_answers_the_solution_is_shown(page: Page) -> None:
    start(page)
    for cell in ((1, 4), (1, 5)):
        page.mouse.click(*place(page, *cell, 9, 9))
        expect(page.locator(".verdict")).not_to_be_empty()
    verdict(page, "page-puzzle-wrong-solution")
    expect_label(page, 0, 4, f"covered, {text('page-mark-safe')}")
    page.mouse.click(*place(page, 0, 4, 9, 9))  # it is over
    verdict(page, "page-puzzle-wrong-solution")


def test_keyboard_alone(page: Page) -> None:
    start(page)
    press = page.keyboard.press
    press("ArrowUp")  # to the board
    focus = page.locator("[role=gridcell]:focus")
    expect(focus).to_have_attribute("aria-label", label(4, 4, "empty"))
    press("Enter")  # nothing is covered there
    for _ in range(4):
        press("ArrowUp")
    expect(focus).to_have_attribute("aria-label", label(0, 4, "covered"))
    press("Enter")
    verdict(page, "page-puzzle-right")
    press("n")
    expect(page).to_have_url(re.compile(r"technique=bounds&level=beginner&seed=(?!7$)\d+$"))
    expect(page.get_by_role("button", name=text("page-show-solution"))).to_be_visible()
    expect(focus).to_have_count(1)  # still on the board
    press("s")
    verdict(page, "page-puzzle-solution")
    name = dict(re.findall(r"(\w+)=([\w-]+)", page.url))
    found = mp.puzzle(name["technique"], level=name["level"], seed=int(name["seed"]))
    assert found.deduction is not None
    lit = {cell for cell, state in labels(page).items() if state == f"covered, {text('page-mark-safe')}"}
    assert lit == found.deduction.safe


def test_touch_on_a_phone(phone: Page) -> None:
    start(phone)
    empty = phone.locator(".practise .stage").bounding_box()
    assert empty
    assert empty["height"] < empty["width"] + 30  # no bands above and below a square board
    phone.touchscreen.tap(*place(phone, 0, 4, 9, 9))
    verdict(phone, "page-puzzle-right")
    expect(phone.locator(".words")).to_be_visible()
    phone.get_by_role("button", name=text("page-next-puzzle")).tap()
    expect(phone).to_have_url(re.compile(r"technique=bounds&level=beginner&seed=(?!7$)\d+$"))
    screenshot(phone, "practise-phone")


def test_a_mine_is_flagged_with_the_right_button(page: Page) -> None:
    start(page, "/#/practise?technique=single-flag&level=beginner&seed=2")
    cell = min(mp.puzzle("single-flag", level="beginner", seed=2).solution)
    page.mouse.click(*place(page, *cell, 9, 9), button="right")
    verdict(page, "page-puzzle-right")
    expect_label(page, *cell, f"covered, {text('page-mark-mine')}")


def test_the_best_guess(page: Page) -> None:
    start(page, GUESS)
    with page.expect_response("**/api/v1/answer") as judged:
        page.mouse.click(*place(page, 4, 8, 9, 9))
    verdict(page, "page-puzzle-wrong")
    expect(page.locator(".words")).to_have_text(on_the_cell(judged.value.json()["text"], text("page-chip-last")))
    page.get_by_role("button", name=text("page-show-solution")).click()
    verdict(page, "page-puzzle-solution")
    words = page.locator(".words")
    expect(words).to_contain_text("The best guess is ★: you win")
    star, dashed = (words.locator(f".cellref.{sign}").first for sign in ("best", "safest"))
    expect(star).to_have_attribute("aria-label", f"{text('page-mark-best')}, G1")
    expect(dashed).to_have_attribute("aria-label", f"{text('page-mark-safest')}, I5")
    expect_label(page, 0, 6, f"covered, {text('page-cell-odds', percent=11)}, {text('page-mark-best')}")
    expect_label(page, 4, 8, f"covered, {text('page-cell-odds', percent=5)}, {text('page-mark-safest')}")


def test_the_address_names_the_puzzle(page: Page) -> None:
    start(page, "/#/practise")
    expect(page).to_have_url(re.compile(r"#/practise\?technique=single-open&level=beginner&seed=\d+$"))
    before, address = labels(page), page.url
    page.get_by_role("link", name=text("page-screen-history"), exact=True).click()
    page.get_by_role("link", name=text("page-screen-practise"), exact=True).click()
    expect(page).to_have_url(address)
    page.reload()
    expect(page.get_by_role("button", name=text("page-show-solution"))).to_be_visible()
    assert (labels(page), page.url) == (before, address)
    page.goto(BOUNDS)  # another one, by a link
    expect_label(page, 0, 3, "1")
    board = mp.puzzle("bounds", level="beginner", seed=7).board
    words = {"0": "empty", "#": "covered", "F": "flag"}
    cells = board.as_json()["cells"]
    assert isinstance(cells, list)
    assert labels(page) == {
        (row, column): words.get(symbol, symbol) for row, line in enumerate(cells) for column, symbol in enumerate(line)
    }


def test_the_puzzle_of_the_day(page: Page) -> None:
    start(page)
    day = datetime.now(UTC).date().isoformat()
    page.get_by_role("button", name=text("page-practise-daily")).click()
    expect(page).to_have_url(re.compile(f"daily={day}$"))
    ready(page)
    before = labels(page)
    assert len(before) == 16 * 30
    page.reload()
    ready(page)
    assert labels(page) == before


def test_a_search_is_cancelled(page: Page) -> None:
    start(page)
    held: list[Route] = []
    page.route("**/api/v1/puzzle", lambda route: held.append(route))  # noqa: PLW0108 (Playwright sets attributes on it)
    choose(page, text("page-technique"), "contradiction")
    expect_task(page, text("page-puzzle-searching"))
    expect(page.get_by_role("grid")).to_have_count(0)  # the old puzzle is over
    page.get_by_role("button", name=text("page-cancel")).click()
    expect_task(page, text("page-stopped"))
    until(page, lambda: held)
    assert '"technique":"contradiction"' in (held[0].request.post_data or "")
    page.unroute("**/api/v1/puzzle")
    choose(page, text("page-technique"), "single-open")
    ready(page)


def test_a_search_that_finds_nothing_says_so(page: Page, faults: Faults) -> None:
    faults.allow("503")
    start(page)
    message = "No puzzle for exhaustive in 9 positions of 1 game: no result after 60 s"
    document = {"schema": "mineproof/error/1", "code": "budget", "message": message}
    page.route("**/api/v1/puzzle", lambda route: route.fulfill(status=503, json=document))
    choose(page, text("page-technique"), "exhaustive")
    expect_task(page, "exhaustive")
    expect_task(page, text("page-puzzle-try-other"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_is_accessible(page: Page, scheme: str) -> None:
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    start(page)
    axe(page)
    page.mouse.click(*place(page, 1, 4, 9, 9))
    verdict(page, "page-puzzle-wrong")
    page.get_by_role("button", name=text("page-show-solution")).click()
    verdict(page, "page-puzzle-solution")
    axe(page)


def test_it_fits_a_phone(phone: Page) -> None:
    start(phone, GUESS)
    phone.get_by_role("button", name=text("page-show-solution")).tap()
    verdict(phone, "page-puzzle-solution")
    axe(phone)
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390


# mines, technique, links


def test_the_mines_that_are_left_are_shown(page: Page) -> None:
    start(page)
    board = mp.puzzle("bounds", level="beginner", seed=7).board
    left = 10 - board.count(mp.FLAGGED)
    expect(page.locator(".mines")).to_contain_text(text("page-practise-mines", left=left, total=10))
    expect(page.locator(".mines")).to_contain_text(f"{text('page-level-beginner')} 9×9")


def test_the_daily_puzzle_names_its_own_level_and_mines(page: Page) -> None:
    start(page)
    page.get_by_role("button", name=text("page-practise-daily")).click()
    expect(page.locator(".mines")).to_contain_text(f"{text('page-level-expert')} 30×16")
    flags = sum(state == "flag" for state in labels(page).values())
    expect(page.locator(".mines")).to_contain_text(text("page-practise-mines", left=99 - flags, total=99))
    expect(page.get_by_label(text("page-puzzle-board"), exact=True)).to_be_hidden()  # it is another level


def test_the_technique_is_hidden_until_the_answer(page: Page) -> None:
    page.goto("/#/practise")
    ready(page)
    expect(page).to_have_url(re.compile(r"#/practise\?puzzle=beginner-\d-\d+$"))
    task = page.locator(".task")
    names = [technique_label(name) for name in TECHNIQUES]
    assert not [name for name in names if name in task.inner_text()]
    before, address = labels(page), page.url
    page.reload()
    ready(page)
    assert (labels(page), page.url) == (before, address)
    switch = page.get_by_label(text("page-setting-hide-technique"))
    switch.uncheck()
    [named] = [name for name in names if name in task.inner_text()]
    switch.check()
    assert named not in task.inner_text()
    page.get_by_role("button", name=text("page-show-solution")).click()
    expect(page.get_by_role("heading", name=named)).to_be_visible()
    expect(task).to_contain_text(named)


def test_a_harder_answer_does_not_name_a_hidden_technique(page: Page) -> None:
    techniques = list(TECHNIQUES)
    digit = (techniques.index("bounds") + 7) % len(techniques)
    page.goto(f"/#/practise?puzzle=beginner-{digit}-7")
    ready(page)
    page.mouse.click(*place(page, 0, 5, 9, 9))
    verdict(page, "page-puzzle-harder")
    assert technique_label("bounds") not in page.locator(".work").inner_text()
    expect(page.locator(".words")).to_be_hidden()


@pytest.mark.parametrize(
    "query",
    ["technique=subset", "technique=subset&level=beginner&seed=1", "seed=x", "puzzle=nonsense", "daily=2999-01-01"],
)
def test_a_bad_link_gets_a_plain_sentence(page: Page, query: str) -> None:
    page.goto(f"/#/practise?{query}")
    expect_task(page, text("page-puzzle-bad-link"))
    page.get_by_role("button", name=text("page-next-puzzle")).click()
    ready(page)


def test_a_link_that_the_server_refuses_gets_a_plain_sentence(page: Page, faults: Faults) -> None:
    faults.allow("400")
    page.goto("/#/practise?technique=bounds&level=huge&seed=1")
    expect_task(page, text("page-puzzle-bad-link"))
    assert "$" not in page.locator(".work").inner_text()


def test_the_lists_follow_a_link(page: Page) -> None:
    start(page, "/#/practise?technique=partition&level=intermediate&seed=1")
    page.get_by_role("combobox", name=text("page-technique")).click()
    expect(page.get_by_role("option", selected=True)).to_have_attribute("data-value", "partition")
    page.keyboard.press("Escape")
    level = page.get_by_role("group", name=text("page-puzzle-board")).get_by_role("button", pressed=True)
    expect(level).to_have_attribute("data-value", "intermediate")
    address = re.compile(r"technique=partition&level=intermediate&seed=(?!1$)\d+$")
    for _ in range(5):  # on a busy machine a search may end without a puzzle, and says so
        page.get_by_role("button", name=text("page-next-puzzle")).click()
        expect(page.locator(".task")).not_to_have_text(text("page-puzzle-searching"), timeout=120_000)
        if address.search(page.url):
            break
    expect(page).to_have_url(address, timeout=120_000)


@pytest.mark.parametrize("size", [(1440, 900), (1280, 720), (820, 1180), (390, 844)])
def test_the_board_is_on_whole_pixels(page: Page, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    start(page)
    box = page.locator(".stage canvas").bounding_box()
    assert box is not None
    assert box["y"] == pytest.approx(round(box["y"]), abs=0.02)
    assert box["x"] == pytest.approx(round(box["x"]), abs=0.02)


def test_a_skeleton_while_the_first_one_loads(page: Page) -> None:
    held: list[Route] = []
    page.route("**/api/v1/puzzle", lambda route: held.append(route))  # noqa: PLW0108 (Playwright sets attributes on it)
    page.goto("/#/practise")
    expect(page.locator(".skeleton.busy")).to_be_visible()
    expect(page.get_by_role("grid")).to_have_count(0)
    screenshot(page, "practise-skeleton")
    until(page, lambda: held)
    held[0].continue_()
    page.unroute("**/api/v1/puzzle")
    ready(page)
    expect(page.locator(".skeleton")).to_be_hidden()


# streaks and storms


class Puzzles:
    """The puzzles that the server sends, in order: a run shows them one after the other."""

    def __init__(self, page: Page) -> None:
        self.page, self.shown, self.right = page, 0, 0
        self.sent: list[Response] = []
        page.on("response", lambda response: self.sent.append(response) if is_puzzle(response) else None)

    def answer_right(self) -> dict[str, Any]:
        """Solve the puzzle that is shown. Return the run as the server stores it now."""
        solution, _ = self._cells()
        self.right += 1
        return self._press(min(solution))

    def answer_wrong(self) -> dict[str, Any]:
        """Answer wrongly. Puzzles are drawn at random, and a few have no wrong answer: solve those before it."""
        while not (wrong := self._cells()[1]):
            self.answer_right()
        return self._press(min(wrong))

    def _cells(self) -> tuple[set[Cell], set[Cell]]:
        """The right and the wrong answers to the puzzle that is shown, which comes without its solution."""
        until(self.page, lambda: len(self.sent) > self.shown)
        puzzle = self.sent[self.shown].json()
        assert puzzle["solution"] is None
        position = mp.Board.parse("\n".join(puzzle["board"]["cells"]), total_mines=puzzle["board"]["total_mines"])
        task = puzzle_at(position, puzzle["technique"])
        assert task is not None
        expect_label(self.page, *min(task.solution), "covered")
        exact = mp.analyze(position)
        right = exact.mines if task.kind == "flag" else exact.safe
        return set(task.solution), set(position.cells(mp.COVERED)) - right - set(task.solution)

    def _press(self, cell: Cell) -> dict[str, Any]:
        with self.page.expect_response("**/api/v1/answer") as answered:
            self.page.mouse.click(*place(self.page, *cell, 9, 9))
        self.shown += 1
        run: dict[str, Any] = answered.value.json()["run"]
        return run


def is_puzzle(response: Response) -> bool:
    return response.url.endswith("/api/v1/puzzle") and '"run"' in (response.request.post_data or "")


def is_search(request: Request) -> bool:
    return request.url.endswith("/api/v1/puzzle") and '"seed"' not in (request.post_data or "")


def test_a_streak_until_the_first_mistake(page: Page) -> None:
    start(page)
    puzzles = Puzzles(page)
    before = standing(page)
    page.get_by_role("button", name=text("page-practise-streak")).click()
    expect_task(page, text("page-practise-streak-help"))
    page.get_by_role("button", name=text("page-practise-start")).click()
    status = page.locator(".status")
    expect(status).to_have_text("0")
    for score in (1, 2):
        puzzles.answer_right()
        expect(status).to_have_text(str(score))
    expect(page.get_by_role("button", name=text("page-show-solution"))).to_be_hidden()
    puzzles.answer_wrong()
    verdict(page, "page-puzzle-wrong-solution")
    expect(page.locator(".run")).to_contain_text(str(puzzles.right))
    expect(page.get_by_role("button", name=text("page-practise-analyse"))).to_be_visible()
    expect(page.locator(".words")).not_to_be_empty()
    screenshot(page, "practise-streak")
    after = standing(page)
    assert (after["rating"], after["answers"]) == (before["rating"], before["answers"])
    page.get_by_role("button", name=text("page-practise-start")).click()
    expect(status).to_have_text("0")


def seconds_left(page: Page) -> int:
    """What the clock of a storm shows."""
    shown = re.search(r"(\d):(\d\d)$", page.locator(".status").inner_text())
    assert shown, page.locator(".status").inner_text()
    return 60 * int(shown[1]) + int(shown[2])


@pytest.fixture
def still_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """On the server no time passes, so a storm lasts as long as the clock of the page says."""
    moment = datetime.now(UTC).replace(microsecond=0)  # as the store has it

    class Still(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]
            return moment.astimezone(tz)

    for module in (web_practice, progress):
        monkeypatch.setattr(module, "datetime", Still)


def start_storm(page: Page) -> None:
    """The clock of the page is the test's, which may only move it on: a busy machine does so, too."""
    page.clock.install()
    start(page)
    page.get_by_role("button", name=text("page-practise-storm")).click()
    with page.expect_response("**/api/v1/runs") as begun:
        page.keyboard.press("n")
    assert begun.value.json()["seconds_left"] == 180
    expect(page.locator(".status")).to_contain_text(re.compile(r"^0\d:\d\d$"))


@pytest.mark.usefixtures("still_server")
def test_a_storm_of_three_minutes(page: Page) -> None:
    puzzles = Puzzles(page)
    start_storm(page)
    score = page.locator(".status strong")
    assert seconds_left(page) <= 180
    assert puzzles.answer_right()["seconds_left"] == 180
    expect(score).to_have_text("1")
    assert puzzles.answer_wrong()["seconds_left"] == 170
    verdict(page, "page-practise-storm-wrong")
    expect(score).to_have_text(str(puzzles.right))
    assert seconds_left(page) <= 170
    page.clock.fast_forward("03:05")
    expect_task(page, text("page-practise-run-over", score=puzzles.right).split(".")[0])
    expect(page.locator(".run .score")).to_contain_text(str(puzzles.right))
    expect(page.locator(".run")).to_contain_text(text("page-practise-run-retry"))
    expect(page.get_by_role("grid")).to_be_hidden()
    assert page.request.get("/api/v1/dashboard").json()["best"]["storm"] >= 1


@pytest.mark.usefixtures("still_server")
def test_the_clock_of_a_storm_goes_down(page: Page) -> None:
    start_storm(page)
    before = seconds_left(page)
    page.clock.fast_forward("00:30")
    expect(page.locator(".status")).not_to_contain_text(f"{before // 60}:{before % 60:02}")
    assert seconds_left(page) <= before - 29


def test_a_storm_that_ends_while_a_puzzle_loads_shows_none(page: Page) -> None:
    held: list[Route] = []
    page.clock.install()
    start(page)
    page.get_by_role("button", name=text("page-practise-storm")).click()
    page.route("**/api/v1/puzzle", lambda route: held.append(route))  # noqa: PLW0108 (Playwright sets attributes on it)
    with page.expect_request(lambda request: '"run"' in (request.post_data or "")):
        page.keyboard.press("n")
    with page.expect_event("requestfailed", lambda request: request.url.endswith("/puzzle")):  # it is cancelled
        page.clock.fast_forward("03:05")
    expect_task(page, text("page-practise-run-over", score=0))
    expect(page.get_by_role("grid")).to_be_hidden()
    expect(page.get_by_role("button", name=text("page-practise-start"))).to_be_visible()


# progress and retry


def test_a_failed_puzzle_is_retried_from_the_progress(page: Page) -> None:
    start(page, "/#/practise?technique=partition&level=beginner&seed=4")
    mine = min(mp.analyze(mp.puzzle("partition", level="beginner", seed=4).board).mines)
    page.mouse.click(*place(page, *mine, 9, 9))
    verdict(page, "page-puzzle-wrong")
    page.get_by_text(text("page-progress"), exact=True).click()
    rows = page.locator(".progress tbody tr")
    expect(rows).to_have_count(len(TECHNIQUES))
    expect(rows.nth(list(TECHNIQUES).index("partition"))).to_contain_text(technique_label("partition"))
    failed = page.request.get("/api/v1/dashboard").json()["failed"]
    page.get_by_role("button", name=text("page-retry-failed", len(failed))).click()
    newest = failed[0]
    assert (newest["technique"], newest["seed"]) == ("partition", 4)
    expect(page).to_have_url(re.compile("."))
    ready(page)
    cell = min(mp.puzzle("partition", level="beginner", seed=4).solution)
    expect_label(page, *cell, "covered")
    with page.expect_response("**/api/v1/answer") as judged:
        page.mouse.click(*place(page, *cell, 9, 9))
    verdict(page, "page-puzzle-right")
    assert '"retry":true' in (judged.value.request.post_data or "")
    left = page.request.get("/api/v1/dashboard").json()["failed"]
    assert ("partition", 4) not in [(one["technique"], one["seed"]) for one in left]
    axe(page)
    screenshot(page, "practise-progress")


# the day


def test_the_calendar_and_the_result_to_share(page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto("/#/practise?daily=2026-11-16")  # a day of the past, found quickly
    ready(page)
    day = page.locator(".calendar [aria-current=date]")
    expect(day).to_have_attribute("aria-label", re.compile(text("page-daily-open")))
    task = mp.puzzle("partition", seed=20261116)
    page.mouse.click(*place(page, *min(task.solution), 16, 30))
    verdict(page, "page-puzzle-right")
    expect(day).to_have_attribute("aria-label", re.compile(text("page-daily-late")))
    page.get_by_role("button", name=text("page-daily-copy")).click()
    expect(page.get_by_role("status").filter(has_text=text("page-daily-copied"))).to_be_visible()
    shared = page.evaluate("navigator.clipboard.readText()")
    assert shared.splitlines()[-1].endswith("#/practise?daily=2026-11-16")
    assert "🟩" in shared
    assert technique_label("partition") not in shared
    with page.expect_download() as download:
        page.get_by_role("button", name=text("page-daily-picture")).click()
    assert download.value.suggested_filename == "mineproof-2026-11-16.png"
    axe(page)
    screenshot(page, "practise-daily")
    page.get_by_role("button", name=text("page-daily-previous-month")).click()
    expect(page.get_by_role("table", name=re.compile("October 2026"))).to_be_visible()
    page.get_by_role("button", name=re.compile("^(Oct 5,|5 Oct )")).click()
    expect(page).to_have_url(re.compile("daily=2026-10-05$"))


# going on


def test_analyse_and_play_on(page: Page) -> None:
    start(page)
    before = labels(page)
    page.get_by_role("button", name=text("page-show-solution")).click()
    page.get_by_role("button", name=text("page-practise-play-on")).click()
    expect(page).to_have_url(re.compile("#/play$"))
    expect_label(page, 0, 3, "1")
    assert labels(page) == before
    page.goto(BOUNDS)  # it is as it was left
    page.get_by_role("button", name=text("page-practise-analyse")).click()
    expect(page).to_have_url(re.compile(r"#/analyse\?.*board="))


def test_a_rating_is_shown_without_its_error(page: Page) -> None:
    start(page)
    expect(page.get_by_role("heading", name=re.compile(r"Rating \d+"))).not_to_contain_text("±")


@pytest.mark.parametrize("mode", ["page-practise-daily", "page-practise-streak", "page-practise-storm"])
def test_every_mode_is_accessible(page: Page, mode: str) -> None:
    start(page)
    page.get_by_role("button", name=text(mode)).click()
    if mode == "page-practise-daily":
        ready(page)
    axe(page)
