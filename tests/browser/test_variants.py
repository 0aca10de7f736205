"""Variants: the gallery, a game by mouse and keyboard with odds, and a game on another shape."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from mineproof.game.variant_gallery import GALLERY
from support.browser import axe, screenshot
from support.texts import text

SHAPES = 12  # all but the grid, which is that of Play


def test_a_game_from_the_gallery(page: Page) -> None:
    page.goto("/#/variants")
    expect(page.locator(".variant-card")).to_have_count(len(GALLERY) + SHAPES)
    axe(page)
    screenshot(page, "variants-gallery")
    page.locator("[data-rules='liar']").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Liar")
    cells = page.locator(".variant-cell")
    expect(cells).to_have_count(64)
    cells.nth(27).click()
    opened = page.locator(".variant-cell.open")
    expect(opened.first).to_be_visible()
    page.keyboard.press("o")
    odds = page.locator(".variant-cell[data-odds]")
    expect(odds.first).to_be_visible()
    expect(page.locator(".variant-line")).to_contain_text("layouts fit")
    common = page.locator(".variant-cell[data-odds=common]")  # their chance is said once, below
    assert common.count() >= 8
    assert not "".join(common.all_inner_texts()).strip()
    said = re.search(r"(\d+) % each", page.locator(".variant-line").inner_text().replace("\N{NO-BREAK SPACE}", " "))
    assert said
    assert f"{said[1]} percent" in (common.first.get_attribute("aria-label") or "")
    axe(page)
    screenshot(page, "variants-game")
    page.locator(".variant-cell.covered").first.click(button="right")
    expect(page.locator(".variant-cell.flag")).to_have_count(1)
    page.keyboard.press("u")
    expect(page.locator(".variant-cell.flag")).to_have_count(0)
    page.reload()
    expect(opened.first).to_be_visible()
    page.get_by_role("button", name=text("page-variants-back")).click()
    expect(page.locator(".variant-card").first).to_be_visible()
    page.locator("[data-shape='radius2']").click()
    expect(page.locator(".stage canvas").first).to_be_visible()


def test_hints_and_the_solver(page: Page) -> None:
    page.goto("/#/variants")
    game = page.evaluate(
        """async () => {
            const post = async (path, body) => (await fetch(`/api/v1/variant-games${path}`, {
                method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify(body),
            })).json();
            const {id} = await post("", {rules: "wall", rows: 6, columns: 6, mines: 5, seed: 1});
            await post(`/${id}/moves`, {kind: "open", cell: [2, 2]});
            return id;
        }"""
    )
    page.goto(f"/#/variants?game={game}")
    words = page.locator(".variant-game .words").first
    expect(page.locator(".variant-cell.open").first).to_be_visible()
    for level in range(1, 5):
        page.keyboard.press("h")
        expect(words).to_contain_text(text(f"page-hint-step-{level}"))
    expect(page.locator(".variant-cell[data-mark]").first).to_be_visible()
    axe(page)
    screenshot(page, "variants-hint")
    page.keyboard.press("b")
    expect(page.locator(".variant-cell[data-mark='best']")).to_have_count(1)
    before = page.locator(".variant-cell.covered").count()
    page.get_by_role("button", name=text("page-autoplay")).click()
    expect(page.get_by_role("button", name=text("page-stop"))).to_be_visible()
    expect(page.locator(".variant-cell.covered")).not_to_have_count(before)
    page.get_by_role("button", name=text("page-stop")).click()
    expect(page.get_by_role("button", name=text("page-autoplay"))).to_be_visible()


def test_a_contrast_theme_shows_mines_and_covered_cells(page: Page) -> None:
    page.emulate_media(forced_colors="active")
    page.goto("/#/variants")
    card = page.locator("[data-rules='liar']")
    mine, clue = (card.locator(f".variant-example .{kind}").first for kind in ("mine", "open"))
    assert ground(mine, "backgroundImage") != ground(clue, "backgroundImage")
    card.click()
    page.locator(".variant-cell").nth(27).click()
    opened, covered = (page.locator(f".variant-cell.{kind}").first for kind in ("open", "covered"))
    expect(opened).to_be_visible()
    assert ground(opened) != ground(covered)


def ground(cell: Locator, name: str = "backgroundColor") -> str:
    return str(cell.evaluate("(cell, name) => getComputedStyle(cell)[name]", name))
