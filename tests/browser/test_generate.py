"""New boards in the browser: wishes, the proof step by step, files, links; by mouse, keyboard and touch."""

import json
import re
from pathlib import Path
from urllib.parse import parse_qs, urlparse

import pytest
from playwright.sync_api import Page, Route, expect

import mineproof as mp
import mineproof.formats
from mineproof.practice.puzzles import TECHNIQUES, technique_label
from support.boards import expect_label, label, labels, place
from support.browser import Faults, axe, choose, screenshot, until
from support.texts import as_chips, as_on_the_page, pattern, text

ADDRESS = "/#/generate?level=beginner&topology=grid&no_guess=on&first_click=open&start=2,3&seed=5"
WORDS = {"0": "empty", "#": "covered", "F": "flag", "*": "mine"}


def made(page: Page, address: str = ADDRESS) -> None:
    page.goto(address)
    expect(page.get_by_role("heading", name=pattern("page-generated"))).to_be_visible()


def press(page: Page, key: str) -> None:
    page.get_by_role("button", name=text(key), exact=True).click()


def reveal(page: Page) -> None:
    page.get_by_role("button", name=text("page-reveal"), exact=True).first.click()


def step_of(number: int) -> re.Pattern[str]:
    return pattern("page-proof-step-of", step=number)


def fact(page: Page, key: str) -> str:
    return page.locator(".facts div", has=page.get_by_text(text(key), exact=True)).locator("dd").inner_text()


def shown(board: mp.Board, mine: str = "F") -> dict[tuple[int, int], str]:
    """What the grid says of a board on which nothing is lit."""
    cells = board.as_json()["cells"]
    assert isinstance(cells, list)
    rows = [line.replace("F", mine) for line in cells]
    return {(row, column): WORDS.get(sign, sign) for row, line in enumerate(rows) for column, sign in enumerate(line)}


def unlit(page: Page) -> dict[tuple[int, int], str]:
    return {cell: words.partition(",")[0] for cell, words in labels(page).items()}


def test_a_board_by_mouse_and_its_proof_to_the_end(page: Page) -> None:
    page.goto("/#/generate")
    page.get_by_text(text("page-size-beginner"), exact=True).click()
    expect(page.get_by_text(text("page-density", 10, cells=81, share="12.35 %"))).to_be_visible()
    page.mouse.click(*place(page, 2, 3, 9, 9))
    expect_label(page, 2, 3, f"covered, {text('page-mark-start')}")
    page.get_by_label(text("page-seed"), exact=True).fill("5")
    press(page, "page-generate")
    expect(page.get_by_role("heading", name=text("page-generated", columns=9, rows=9, seed=5))).to_be_visible()
    layout = mp.generate("beginner", seed=5, no_guess=True, start=(2, 3), first_click="open")
    assert set(unlit(page).values()) == {"covered"}, "the mines are hidden until they are requested"
    expect_label(page, 2, 3, f"covered, {text('page-mark-start')}")
    expect(page.locator(".under")).to_have_text(text("page-ring-made"))
    expect(page.get_by_role("button", name=text("page-play-it"), exact=True)).to_have_class("primary")
    reveal(page)
    assert unlit(page) == shown(layout.opened(), "*")
    numbers = mp.measure(layout)
    keys = ("page-fact-3bv", "page-fact-openings", "page-fact-islands", "page-fact-zini", "page-mines")
    assert [fact(page, key) for key in keys] == [
        str(number) for number in (numbers.bbbv, numbers.openings, numbers.islands, numbers.zini, 10)
    ]

    press(page, "page-show-proof")
    assert layout.certificate is not None
    steps = layout.certificate.steps
    game = mp.Game(layout)
    game.open(2, 3)
    for number, step in enumerate(steps, 1):
        with as_on_the_page():
            named = technique_label(step.deduction.technique)
        expect(page.locator(".words")).to_have_text(as_chips(step.deduction))
        place_ = text("page-proof-step-of", step=number, all=len(steps), technique=named)
        expect(page.get_by_text(place_, exact=True)).to_be_visible()
        assert unlit(page) == shown(game.board), number
        said = labels(page)
        assert {cell for cell, words in said.items() if text("page-mark-because") in words} == set(
            step.deduction.because
        )
        assert {cell for cell, words in said.items() if words.endswith(text("page-mark-safe"))} == step.deduction.safe
        assert {cell for cell, words in said.items() if words.endswith(text("page-mark-mine"))} == step.deduction.mines
        for cell in step.deduction.mines:
            game.flag(*cell)
        for cell in step.deduction.safe:
            if game.board[cell] == mp.COVERED:
                game.open(*cell)
        page.get_by_role("button", name=text("page-next")).click()
    expect(page.locator(".words")).to_have_text(text("page-proof-done"))
    assert labels(page) == shown(game.board)
    expect(page.get_by_role("button", name=text("page-next"))).to_be_disabled()
    page.get_by_role("button", name=text("page-back")).click()
    expect(page.locator(".side p", has_text=step_of(len(steps)))).to_be_visible()
    screenshot(page, "generate-proof")


def test_keyboard_alone(page: Page) -> None:
    page.goto("/#/generate")
    page.get_by_role("radio", name=text("page-size-intermediate")).press("ArrowLeft")  # Beginner
    grid = page.get_by_role("gridcell", name=label(4, 4, "covered"), exact=True)
    grid.focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect_label(page, 3, 4, f"covered, {text('page-mark-start')}")
    page.get_by_label(text("page-seed"), exact=True).fill("9")
    page.keyboard.press("Enter")
    expect(page.locator(".side p", has_text=text("page-proved", cell="E4"))).to_be_visible()
    page.get_by_role("button", name=text("page-show-proof")).press("Enter")
    expect(page.locator(".side p", has_text=step_of(1))).to_be_visible()
    page.keyboard.press(".")
    page.keyboard.press(".")
    page.keyboard.press(",")
    expect(page.locator(".side p", has_text=step_of(2))).to_be_visible()
    choose(page, text("page-speed"), "150")
    page.get_by_label(text("page-proof-step"), exact=True).focus()
    page.keyboard.press("End")
    expect(page.locator(".words")).to_have_text(text("page-proof-done"))
    page.locator("h1").click()
    choose(page, text("page-speed"), "600")
    page.keyboard.press("p")  # from the end it starts again, and plays all steps: a busy machine may not see each
    third_or_later = re.compile("|".join(step_of(number).pattern for number in range(3, 100)))
    expect(page.locator(".side p", has_text=third_or_later)).to_be_visible()
    page.keyboard.press("p")
    expect(page.get_by_role("button", name=f"{text('page-proof-play')} P", exact=True)).to_be_visible()


def test_touch_on_a_phone(phone: Page) -> None:
    phone.goto("/#/generate")
    phone.get_by_text(text("page-size-beginner"), exact=True).click()
    phone.evaluate("scrollTo(0, 0)")  # back to the board
    phone.touchscreen.tap(*place(phone, 2, 3, 9, 9))
    expect_label(phone, 2, 3, f"covered, {text('page-mark-start')}")
    phone.get_by_role("button", name=text("page-generate"), exact=True).tap()
    expect(phone.locator(".side p", has_text=text("page-proved", cell="D3"))).to_be_visible()
    phone.get_by_role("button", name=text("page-proof"), exact=True).tap()
    choose(phone, text("page-speed"), "150")
    phone.get_by_role("button", name=text("page-proof-play"), exact=True).tap()
    expect(phone.locator(".words")).to_have_text(text("page-proof-done"))
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    axe(phone)
    screenshot(phone, "generate-phone")


def test_the_address_makes_the_same_board(page: Page) -> None:
    made(page, "/#/generate?level=custom&rows=6&columns=8&mines=9&topology=hex&first_click=any&seed=3")
    reveal(page)
    assert unlit(page) == shown(mp.generate(6, 8, 9, seed=3, topology="hex", first_click="any").opened(), "*")
    expect(page.get_by_text(text("page-not-proved"), exact=True)).to_be_visible()
    expect(page.get_by_role("button", name=text("page-proof"), exact=True)).to_be_disabled()
    expect(page.get_by_role("combobox", name=text("page-needs"))).to_be_disabled()
    before = labels(page)
    page.get_by_role("link", name=text("page-screen-history"), exact=True).click()
    page.get_by_role("link", name=text("page-screen-generate"), exact=True).click()
    expect(page).to_have_url(re.compile("level=custom&rows=6.*seed=3"))
    page.reload()
    expect(page.get_by_role("heading", name=text("page-generated", columns=8, rows=6, seed=3))).to_be_visible()
    reveal(page)
    assert labels(page) == before


def test_wishes_are_met(page: Page) -> None:
    page.goto("/#/generate")
    page.get_by_text(text("page-size-beginner"), exact=True).click()
    choose(page, text("page-needs"), "partition")
    choose(page, text("page-hardest"), "bounds")
    page.get_by_label(text("page-3bv-from")).fill("10")
    page.get_by_label(text("page-3bv-to"), exact=True).fill("16")
    page.get_by_label(text("page-seed"), exact=True).fill("1")
    press(page, "page-generate")
    expect(page.get_by_role("heading", name=pattern("page-generated", seed=1))).to_be_visible()
    assert 10 <= int(fact(page, "page-fact-3bv")) <= 16
    steps = page.locator(".side p", has_text=text("page-proved", cell="E5")).inner_text()
    with as_on_the_page():
        names = {name: technique_label(name) for name in TECHNIQUES}
    used = {name for name, label in names.items() if label in steps}
    assert used & {"partition", "bounds"}
    assert used <= {"single-open", "single-flag", "partition", "bounds"}


@pytest.mark.parametrize(
    ("button", "format_", "ending"),
    [
        (text("page-file-mbf"), "mbf", "mbf"),
        ("JSON", "json", "json"),
        (text("page-file-text"), "layout", "txt"),
        (text("page-file-tatham"), "tatham", "tatham.txt"),
    ],
)
def test_downloads(page: Page, tmp_path: Path, button: str, format_: str, ending: str) -> None:
    made(page)
    with page.expect_download() as waited:
        page.get_by_role("button", name=button, exact=True).click()
    assert waited.value.suggested_filename == f"5-0.{ending}"
    waited.value.save_as(tmp_path / "file")
    layout = mp.generate("beginner", seed=5, no_guess=True, start=(2, 3), first_click="open")
    written = mineproof.formats.write(layout, format_)
    content = (tmp_path / "file").read_bytes()
    if format_ == "json":
        assert json.loads(content) == json.loads(written)
    else:
        assert content == (written if isinstance(written, bytes) else f"{written}\n".encode())


def test_the_certificate_is_downloaded_and_holds(page: Page, tmp_path: Path) -> None:
    made(page)
    with page.expect_download() as waited:
        page.get_by_role("button", name=text("page-file-certificate"), exact=True).click()
    waited.value.save_as(tmp_path / "file")
    layout = mp.generate("beginner", seed=5, no_guess=True, start=(2, 3), first_click="open")
    mp.verify(mp.Certificate.from_json((tmp_path / "file").read_bytes()), layout)


def test_a_file_that_cannot_be_written_says_why(page: Page, faults: Faults) -> None:
    faults.allow("400")
    made(page, ADDRESS.replace("grid", "hex"))
    press(page, "page-file-tatham")
    expect(page.get_by_role("alert")).to_contain_text("hex")


def test_a_link_to_what_the_first_click_opens(page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    made(page)
    press(page, "page-copy-analyse-link")
    expect(page.get_by_text(text("page-copied-analyse-link"))).to_be_visible()
    link = urlparse(page.evaluate("navigator.clipboard.readText()"))
    path, _, query = link.fragment.partition("?")
    game = mp.Game(mp.generate("beginner", seed=5, no_guess=True, start=(2, 3), first_click="open"))
    game.open(2, 3)
    assert (path, mp.Board.parse(parse_qs(query)["board"][0])) == ("/analyse", game.board)
    page.goto(f"/#{link.fragment}")
    expect(page.get_by_role("heading", level=1, name=text("page-screen-analyse"))).to_be_attached()
    expect_label(page, 2, 3, "empty")
    assert unlit(page) == shown(game.board)


def test_the_board_is_played(page: Page) -> None:
    made(page)
    press(page, "page-play-it")
    expect(page).to_have_url(re.compile("#/play"))
    expect_label(page, 2, 3, f"covered, {text('page-mark-start')}")  # its first click
    page.mouse.click(*place(page, 2, 3, 9, 9))
    game = mp.Game(mp.generate("beginner", seed=5, no_guess=True, start=(2, 3), first_click="open"))
    game.open(2, 3)
    expect_label(page, 2, 3, "empty")
    assert unlit(page) == shown(game.board)


def test_a_search_is_cancelled(page: Page) -> None:
    page.goto("/#/generate")
    held: list[Route] = []
    page.route("**/api/v1/generate", lambda route: held.append(route))  # noqa: PLW0108 (Playwright sets attributes on it)
    press(page, "page-generate")
    expect(page.get_by_text(text("page-generate-searching"))).to_be_visible()
    until(page, lambda: held)
    press(page, "page-cancel")
    expect(page.get_by_text(text("page-stopped"))).to_be_visible()
    assert len(held) == 1


def test_what_to_loosen_where_nothing_is_found(page: Page, faults: Faults) -> None:
    faults.allow("503")
    page.goto("/#/generate")
    # The server's own answer depends on how many layouts a machine can try in the time.
    message = "No layout with 3BV 80.. after 30.00 s. 9 no-guess layouts tried: 9 outside the requested range."
    error = {"schema": "mineproof/error/1", "code": "budget", "message": message}
    page.route("**/api/v1/generate", lambda route: route.fulfill(status=503, json=error))
    page.get_by_text(text("page-size-beginner"), exact=True).click()
    page.get_by_label(text("page-3bv-from")).fill("80")
    press(page, "page-generate")
    status = page.locator("form p.bad")
    expect(status).to_contain_text(message)
    expect(status).to_contain_text(f"{text('page-advice-3bv')} {text('page-advice-mines')}")
    expect(status).to_be_in_viewport(ratio=1)


def test_a_long_form_scrolls_beside_the_board(page: Page) -> None:
    made(page)
    box = page.locator("canvas").bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= 800, "the board extends below the window"
    assert page.evaluate("document.documentElement.scrollHeight") <= 800


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_is_accessible(page: Page, scheme: str) -> None:
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    page.goto("/#/generate")
    expect(page.get_by_role("combobox", name=text("page-needs"))).to_contain_text(text("page-technique-any"))
    axe(page)
    made(page)
    press(page, "page-show-proof")
    axe(page)
