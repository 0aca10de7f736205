"""New boards in the browser: wishes, the proof step by step, files, links; by mouse, keyboard and touch."""

import json
import re
from pathlib import Path
from urllib.parse import parse_qs, urlparse

import pytest
from playwright.sync_api import Page, Route, expect

import mineproof as mp
import mineproof.formats
from support.boards import expect_label, hurry, labels, place
from support.browser import Faults, axe, screenshot

ADDRESS = "/#/generate?level=beginner&topology=grid&no_guess=on&first_click=open&start=2,3&seed=5"
WORDS = {"0": "empty", "#": "covered", "F": "flag", "*": "mine"}


def made(page: Page, address: str = ADDRESS) -> None:
    page.goto(address)
    expect(page.get_by_role("heading", name="seed")).to_be_visible()


def fact(page: Page, name: str) -> str:
    return page.locator(".facts div", has=page.get_by_text(name, exact=True)).locator("dd").inner_text()


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
    page.get_by_label("Size").select_option("beginner")
    expect(page.get_by_text("10 mines on 81 cells: 12.35 %.")).to_be_visible()
    page.mouse.click(*place(page, 2, 3, 9, 9))
    expect_label(page, 2, 3, "covered, first click")
    page.get_by_label("Seed").fill("5")
    page.get_by_role("button", name="Generate", exact=True).click()
    expect(page.get_by_role("heading", name="9 × 9, seed 5")).to_be_visible()
    layout = mp.generate("beginner", seed=5, no_guess=True, start=(2, 3), first_click="open")
    assert unlit(page) == shown(layout.opened(), "*")
    numbers = mp.measure(layout)
    found = [fact(page, name) for name in ("3BV", "openings", "islands", "ZiNi", "mines")]
    assert found == [str(each) for each in (numbers.bbbv, numbers.openings, numbers.islands, numbers.zini, 10)]

    page.get_by_role("button", name="Show the proof").click()
    assert layout.certificate is not None
    steps = layout.certificate.steps
    game = mp.Game(layout)
    game.open(2, 3)
    for number, step in enumerate(steps, 1):
        expect(
            page.get_by_text(f"Step {number} of {len(steps)}, {step.deduction.technique}", exact=True)
        ).to_be_visible()
        expect(page.locator(".words")).to_have_text(step.deduction.text)
        assert unlit(page) == shown(game.board), number
        said = labels(page)
        assert {cell for cell, words in said.items() if "part of the proof" in words} == set(step.deduction.because)
        assert {cell for cell, words in said.items() if words.endswith("safe by the hint")} == step.deduction.safe
        assert {cell for cell, words in said.items() if words.endswith("mine by the hint")} == step.deduction.mines
        for cell in step.deduction.mines:
            game.flag(*cell)
        for cell in step.deduction.safe:
            if game.board[cell] == mp.COVERED:
                game.open(*cell)
        page.get_by_role("button", name="Forward").click()
    expect(page.locator(".words")).to_have_text("Every safe cell is open, and nothing was guessed.")
    assert labels(page) == shown(game.board)
    expect(page.get_by_role("button", name="Forward")).to_be_disabled()
    page.get_by_role("button", name="Back").click()
    expect(page.locator(".side p", has_text=f"Step {len(steps)} of {len(steps)}, ")).to_be_visible()
    screenshot(page, "generate-proof")


def test_keyboard_alone(page: Page) -> None:
    page.goto("/#/generate")
    page.get_by_label("Size").press("b")  # Beginner
    grid = page.get_by_role("gridcell", name="row 4, column 4, covered")
    grid.focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect_label(page, 3, 4, "covered, first click")
    page.get_by_label("Seed").fill("9")
    page.keyboard.press("Enter")
    expect(page.locator(".side p", has_text="Needs no guess from (3,4).")).to_be_visible()
    page.get_by_role("button", name="Show the proof").press("Enter")
    expect(page.locator(".side p", has_text=re.compile("^Step 1 of"))).to_be_visible()
    page.keyboard.press(".")
    page.keyboard.press(".")
    page.keyboard.press(",")
    expect(page.locator(".side p", has_text=re.compile("^Step 2 of"))).to_be_visible()
    page.get_by_label("Speed").select_option("150")
    page.get_by_label("Step", exact=True).focus()
    page.keyboard.press("End")
    expect(page.locator(".words")).to_have_text("Every safe cell is open, and nothing was guessed.")
    page.locator("h1").click()
    page.keyboard.press("p")  # from the end it begins anew, and goes on by itself
    expect(page.locator(".side p", has_text=re.compile("^Step 3 of"))).to_be_visible()
    page.keyboard.press("p")
    expect(page.get_by_role("button", name="Play P", exact=True)).to_be_visible()


def test_touch_on_a_phone(phone: Page) -> None:
    phone.goto("/#/generate")
    phone.get_by_label("Size").select_option("beginner")
    phone.touchscreen.tap(*place(phone, 2, 3, 9, 9))
    expect_label(phone, 2, 3, "covered, first click")
    phone.get_by_role("button", name="Generate", exact=True).tap()
    expect(phone.locator(".side p", has_text="Needs no guess from (2,3).")).to_be_visible()
    phone.get_by_role("button", name="Proof", exact=True).tap()
    phone.get_by_label("Speed").select_option("150")
    phone.get_by_role("button", name="Play", exact=True).tap()
    expect(phone.locator(".words")).to_have_text("Every safe cell is open, and nothing was guessed.", timeout=30_000)
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    axe(phone)
    screenshot(phone, "generate-phone")


def test_the_address_makes_the_same_board(page: Page) -> None:
    made(page, "/#/generate?level=custom&rows=6&columns=8&mines=9&topology=hex&first_click=any&seed=3")
    assert unlit(page) == shown(mp.generate(6, 8, 9, seed=3, topology="hex", first_click="any").opened(), "*")
    expect(page.get_by_text("It may need guesses.", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Proof", exact=True)).to_be_disabled()
    expect(page.get_by_label("Needs at least")).to_be_disabled()
    before = labels(page)
    page.get_by_role("link", name="History", exact=True).click()
    page.get_by_role("link", name="Generate", exact=True).click()
    expect(page).to_have_url(re.compile("level=custom&rows=6.*seed=3"))
    page.reload()
    expect(page.get_by_role("heading", name="8 × 6, seed 3")).to_be_visible()
    assert labels(page) == before


def test_wishes_are_met(page: Page) -> None:
    page.goto("/#/generate")
    page.get_by_label("Size").select_option("beginner")
    page.get_by_label("Needs at least").select_option(label="3 · One number inside another")
    page.get_by_label("Needs at most").select_option(label="4 · At least and at most")
    page.get_by_label("3BV from").fill("10")
    page.get_by_label("to", exact=True).fill("16")
    page.get_by_label("Seed").fill("1")
    page.get_by_role("button", name="Generate", exact=True).click()
    expect(page.get_by_role("heading", name="seed 1")).to_be_visible(timeout=30_000)
    assert 10 <= int(fact(page, "3BV")) <= 16
    steps = page.locator(".side p", has_text="Needs no guess from (4,4).").inner_text()
    assert re.search("partition|bounds", steps)
    assert not re.search("elimination|contradiction|total|exhaustive", steps)


@pytest.mark.parametrize(
    ("button", "format_", "ending"),
    [
        ("Board file (mbf)", "mbf", "mbf"),
        ("JSON", "json", "json"),
        ("Text", "layout", "txt"),
        ("Tatham ID", "tatham", "tatham.txt"),
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
        page.get_by_role("button", name="Certificate", exact=True).click()
    waited.value.save_as(tmp_path / "file")
    layout = mp.generate("beginner", seed=5, no_guess=True, start=(2, 3), first_click="open")
    mp.verify(mp.Certificate.from_json((tmp_path / "file").read_bytes()), layout)


def test_a_file_that_cannot_be_written_says_why(page: Page, faults: Faults) -> None:
    faults.allow("400")
    made(page, ADDRESS.replace("grid", "hex"))
    page.get_by_role("button", name="Tatham ID").click()
    expect(page.get_by_role("alert")).to_contain_text("hex")


def test_a_link_to_what_the_first_click_opens(page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    made(page)
    page.get_by_role("button", name="Copy link to Analyse").click()
    expect(page.get_by_text("Link copied.")).to_be_visible()
    link = urlparse(page.evaluate("navigator.clipboard.readText()"))
    path, _, query = link.fragment.partition("?")
    game = mp.Game(mp.generate("beginner", seed=5, no_guess=True, start=(2, 3), first_click="open"))
    game.open(2, 3)
    assert (path, mp.Board.parse(parse_qs(query)["board"][0])) == ("/analyse", game.board)
    page.goto(f"/#{link.fragment}")
    expect(page.get_by_role("heading", level=1, name="Analyse")).to_be_attached()
    expect_label(page, 2, 3, "empty")
    assert unlit(page) == shown(game.board)


def test_the_board_is_played(page: Page) -> None:
    made(page)
    page.get_by_role("button", name="Play it").click()
    expect(page).to_have_url(re.compile("#/play"))
    expect_label(page, 2, 3, "covered, first click")  # its first click
    page.mouse.click(*place(page, 2, 3, 9, 9))
    game = mp.Game(mp.generate("beginner", seed=5, no_guess=True, start=(2, 3), first_click="open"))
    game.open(2, 3)
    expect_label(page, 2, 3, "empty")
    assert unlit(page) == shown(game.board)


def test_a_search_is_cancelled(page: Page) -> None:
    page.goto("/#/generate")
    held: list[Route] = []
    page.route("**/api/v1/generate", lambda route: held.append(route))  # noqa: PLW0108 (Playwright sets attributes on it)
    page.get_by_role("button", name="Generate", exact=True).click()
    expect(page.get_by_text("Rare ones take some seconds")).to_be_visible()
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text("Stopped.")).to_be_visible()
    assert len(held) == 1


def test_what_to_loosen_where_nothing_is_found(page: Page, faults: Faults) -> None:
    faults.allow("503")
    page.goto("/#/generate")
    hurry(page, "generate", 0.1)
    page.get_by_label("Size").select_option("beginner")
    page.get_by_label("3BV from").fill("80")
    page.get_by_role("button", name="Generate", exact=True).click()
    told = page.get_by_text("found no layout")
    expect(told).to_contain_text("3BV")
    expect(told).to_contain_text("To find one: widen the range of 3BV, or take fewer mines, or allow guesses.")
    expect(told).to_be_in_viewport(ratio=1)


def test_a_long_form_scrolls_beside_the_board(page: Page) -> None:
    made(page)
    box = page.locator("canvas").bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= 800, "the board goes on below the window"
    assert page.evaluate("document.documentElement.scrollHeight") <= 800


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_is_accessible(page: Page, scheme: str) -> None:
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    page.goto("/#/generate")
    expect(page.get_by_label("Needs at least")).to_have_text(re.compile("Case by case"))
    axe(page)
    made(page)
    page.get_by_role("button", name="Show the proof").click()
    axe(page)
