"""The screen Simulate: run, stop, resume, compare, download; what it shows is what the library finds."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

import mineproof as mp
from mineproof.decision.custom import strategies_json
from mineproof.simulation.results import Simulation
from mineproof.wording.catalogue import message
from support.browser import Faults, axe, screenshot, until
from support.packages import install_tiny
from support.served import served
from support.texts import part, pattern, text

SPENT = ("cpu_seconds", "seconds")
MANY = 1_000_000  # games that are not over before they are stopped


def pick(page: Page, key: str, value: str) -> None:
    """Choose a chip of a group by its value."""
    group = page.get_by_role("group", name=text(key), exact=True)
    group.locator(f"label:has(input[value='{value}'])").click()


def choose(page: Page, games: int = 500, address: str = "", **options: str) -> None:
    """Open the screen and choose; the seed is 7."""
    page.goto(f"{address}/#/simulate")
    for key, value in {"page-level": "beginner", "page-strategy": "fast", **options}.items():
        pick(page, key, value)
    page.get_by_label(text("page-games"), exact=True).fill(str(games))
    page.get_by_label(text("page-seed"), exact=True).fill("7")


def fill_size(page: Page, rows: int, columns: int, mines: int) -> None:
    for key, value in {"page-rows": rows, "page-columns": columns, "page-mines": mines}.items():
        page.get_by_label(text(key), exact=True).fill(str(value))


def start(page: Page) -> None:
    page.locator("form button[type=submit]").click()


def finish(page: Page) -> None:
    expect(page.get_by_text(text("page-finished"))).to_be_visible()


def downloaded(page: Page, kind: str) -> str:
    with page.expect_download() as coming:
        page.get_by_role("button", name=text("page-download", format=kind.upper())).click()
    assert coming.value.suggested_filename == f"simulation.{kind}"
    return Path(coming.value.path()).read_text("utf-8")


def unspent(document: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in document.items() if name not in SPENT}


def verdict(found: Simulation) -> str:
    low, high = (f"{100 * end:.2f}" for end in found.interval)
    fields = {"strategy": found.strategy, "wins": f"{found.wins:,}", "low": low, "high": high}
    return text("page-simulate-rate", found.games, rate=f"{100 * (found.win_rate or 0):.2f}", **fields)


def test_it_shows_what_the_library_finds(page: Page) -> None:
    choose(page)
    start(page)
    finish(page)
    found = mp.simulate("beginner", games=500, seed=7)
    result = page.get_by_role("region", name=text("page-result"))
    expect(result).to_contain_text(verdict(found))
    expect(page.get_by_role("img", name=verdict(found))).to_be_visible()
    row = result.get_by_role("row").filter(has_text=text("page-measure-guesses"))
    expect(row.get_by_role("cell").last).to_have_text(f"{found.guesses_per_win:.2f}".rstrip("0"))
    expect(page.get_by_role("button", name=text("page-resume"))).to_be_hidden()
    whole = json.loads(downloaded(page, "json"))
    assert unspent(whole) == unspent(json.loads(found.to_json()))
    [line] = csv.DictReader(io.StringIO(downloaded(page, "csv")))
    assert (line["strategy"], int(line["wins"]), float(line["high"])) == ("fast", found.wins, found.interval.high)


def test_the_command_does_the_same(page: Page) -> None:
    choose(page, 300, **{"page-level": "custom", "page-board-shape": "hex", "page-first-click": "any"})
    fill_size(page, 6, 8, 7)
    start(page)
    finish(page)
    options = "--strategy fast --topology hex --first-click any --games 300 --seed 7"
    expect(page.locator("code")).to_have_text(f"mineproof simulate 8x6x7 {options}")
    found = mp.simulate("8x6x7", topology="hex", first_click="any", games=300, seed=7)
    expect(page.get_by_role("region", name=text("page-result"))).to_contain_text(verdict(found))


@pytest.mark.parametrize("against", ["", "go"])
def test_it_is_stopped_and_goes_on_as_if_it_had_not_been(page: Page, against: str) -> None:
    """Stop by the keyboard, then request fewer games, so that the rest takes no time."""
    choose(page, MANY, **{"page-strategy": "strong"}, **({"page-compare-with": against} if against else {}))
    bodies: list[dict[str, Any]] = []

    def fewer(route: Any) -> None:
        body = json.loads(route.request.post_data)
        bodies.append(body)
        done = body["resume"][0]["games"] if "resume" in body else MANY
        games = MANY if done == MANY else done + 100
        route.continue_(post_data=json.dumps(body | {"games": games}))

    page.route("**/api/v1/simulate", fewer)
    start(page)
    stop = page.get_by_role("button", name=text("page-stop"))
    expect(page.get_by_text(part("page-simulate-speed"))).to_be_visible()
    stop.focus()
    bar = page.get_by_role("progressbar")
    before = bar.get_attribute("value") or ""
    expect(bar).not_to_have_attribute("value", before)  # another answer; the focus stays where it is
    expect(stop).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_text(pattern("page-simulate-stopped", count="1,000,000"))).to_be_visible()
    stopped = json.loads(downloaded(page, "json"))
    games = stopped["games"]
    assert 0 < games < MANY

    page.get_by_role("button", name=text("page-resume")).click()
    result = page.get_by_role("region", name=text("page-result"))
    expect(result).to_contain_text(f"of {games + 100:,} games")
    expect(result).to_contain_text(part("page-simulate-stopped"))
    found = json.loads(downloaded(page, "json"))
    names = ["strong", against] if against else ["strong"]
    expected = [mp.simulate("beginner", games=games + 100, seed=7, strategy=name) for name in names]
    assert [each["wins"] for each in found.get("simulations", [found])] == [each.wins for each in expected]
    assert [tuple(each["interval"]) for each in found.get("simulations", [found])] == [
        each.interval for each in expected
    ]
    assert bodies[1]["resume"] == stopped.get("simulations", [stopped])
    if against:
        assert found["difference"] == mp.compare(*expected).difference


def test_it_goes_on_after_the_server_was_killed(page: Page, faults: Faults, tmp_path: Path) -> None:
    faults.allow("ERR_|network error")
    with served(tmp_path) as (process, client):
        choose(page, MANY, f"http://127.0.0.1:{client.port}")
        start(page)
        expect(page.get_by_text(part("page-simulate-speed"))).to_be_visible()
        process.kill()
        expect(page.get_by_role("alert")).to_have_text(text("page-error-stopped"))
    games = json.loads(downloaded(page, "json"))["games"]
    expect(page.get_by_role("button", name=text("page-resume"))).to_be_visible()
    with served(tmp_path, "--port", str(client.port)):
        page.get_by_role("button", name=text("page-resume")).click()
        expect(page.get_by_text(part("page-simulate-speed"))).to_be_visible()
        page.get_by_role("button", name=text("page-stop")).click()
        expect(page.get_by_text(pattern("page-simulate-stopped"))).to_be_visible()
        found = json.loads(downloaded(page, "json"))
    assert found["games"] > games
    assert found["wins"] == mp.simulate("beginner", games=found["games"], seed=7).wins


def test_two_strategies_are_compared_on_the_same_layouts(page: Page) -> None:
    choose(page, 2000, **{"page-compare-with": "go"})
    start(page)
    finish(page)
    one, other = (mp.simulate("beginner", games=2000, seed=7, strategy=name) for name in ("fast", "go"))
    pair = mp.compare(one, other)
    low, high = (f"{100 * end:.2f}" for end in pair.interval)
    names = {"one": "fast", "two": "go"}
    difference = text(
        "page-compare-rate", **names, difference=f"{100 * (pair.difference or 0):.2f}", low=low, high=high
    )
    result = page.get_by_role("region", name=text("page-result"))
    expect(result).to_contain_text(difference)
    expect(result).to_contain_text(f"{verdict(one)} {verdict(other)}")
    neither = one.games - pair.both - pair.only_first - pair.only_second
    counts = text(
        "page-compare-counts",
        **names,
        both=f"{pair.both:,}",
        first=f"{pair.only_first:,}",
        second=f"{pair.only_second:,}",
        neither=f"{neither:,}",
    )
    expect(result).to_contain_text(counts)
    rates = page.get_by_role("img", name=verdict(one))
    assert rates.locator(".second").count() > 0
    expect(page.get_by_role("img", name=difference)).to_be_visible()
    first, second = csv.DictReader(io.StringIO(downloaded(page, "csv")))
    assert (first["against"], float(first["difference"])) == ("go", pair.difference)
    assert float(second["difference_low"]) == -pair.interval.high
    axe(page)


def test_leaving_the_screen_stops_nothing(page: Page) -> None:
    choose(page, MANY)
    start(page)
    expect(page.get_by_text(part("page-simulate-speed"))).to_be_visible()
    page.get_by_role("link", name=text("page-screen-history")).click()
    expect(page.get_by_role("heading", name=text("page-screen-history"))).to_be_visible()
    page.get_by_role("link", name=text("page-screen-simulate")).click()
    before = page.get_by_role("progressbar").get_attribute("value")
    expect(page.get_by_role("progressbar")).not_to_have_attribute("value", before or "")
    page.get_by_role("button", name=text("page-stop")).click()
    expect(page.get_by_text(pattern("page-simulate-stopped"))).to_be_visible()


def test_an_end_is_told_on_another_screen(page: Page) -> None:
    choose(page)
    held: list[Route] = []
    page.route("**/api/v1/simulate", lambda route: held.append(route))  # noqa: PLW0108 (Playwright sets attributes on it)
    start(page)
    page.get_by_role("link", name=text("page-screen-history")).click()
    expect(page.get_by_role("heading", name=text("page-screen-history"))).to_be_visible()
    until(page, lambda: held)
    held[0].continue_()
    expect(page.get_by_text(part("page-simulate-ended"))).to_be_visible()
    page.get_by_role("link", name=text("page-screen-simulate")).click()
    expect(page.get_by_text(text("page-finished"))).to_be_visible()


def test_what_the_server_refuses_is_told(page: Page, faults: Faults) -> None:
    faults.allow("400")
    choose(page, 500, **{"page-level": "custom"})
    fill_size(page, 2, 2, 5)
    start(page)
    expect(page.get_by_role("alert")).to_contain_text("5")
    expect(page.get_by_role("button", name=text("page-start"))).to_be_enabled()


def test_a_first_visit_says_what_it_is_for(page: Page) -> None:
    page.goto("/#/simulate")
    expect(page.get_by_text(text("page-simulate-empty"))).to_be_visible()
    expect(page.get_by_role("button", name=text("page-download", format="JSON"))).to_be_hidden()
    pick(page, "page-strategy", "minedetector")
    described = next(one["text"] for one in strategies_json()["strategies"] if one["name"] == "minedetector")
    expect(page.get_by_text(described)).to_be_visible()
    axe(page)


def test_start_is_in_view_and_no_choice_is_a_list(page: Page) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto("/#/simulate")
    expect(page.get_by_role("button", name=text("page-start"), exact=True)).to_be_in_viewport(ratio=1)
    expect(page.locator("main select")).to_have_count(0)
    page.get_by_role("radio", name="fast", exact=True).first.focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("radio", name="strong", exact=True).first).to_be_checked()
    page.get_by_role("button", name="1,000", exact=True).click()
    expect(page.get_by_label(text("page-games"), exact=True)).to_have_value("1000")
    screenshot(page, "simulate-start")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_is_accessible(page: Page, scheme: str) -> None:
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    choose(page, 3000)
    start(page)
    finish(page)
    screenshot(page, f"simulate-{scheme}")
    axe(page)


def test_on_a_phone_nothing_is_beyond_the_edge(phone: Page) -> None:
    choose(phone, 3000, **{"page-compare-with": "minedetector"})
    start(phone)
    finish(phone)
    screenshot(phone, "simulate-phone")
    axe(phone)
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390


def test_on_a_phone_the_result_is_in_view_once_it_is_asked_for(phone: Page) -> None:
    choose(phone)
    start(phone)
    finish(phone)
    box = phone.get_by_role("heading", name=text("page-result")).bounding_box()
    assert box is not None
    assert 80 < box["y"] < 200, "it must be just below the header"


def test_strategies_of_installed_packages_can_be_chosen(
    page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_tiny(tmp_path / "site", monkeypatch)
    with served(tmp_path / "data") as (_, client):
        address = f"http://127.0.0.1:{client.port}"
        choose(page, 60, address, **{"page-strategy": "tiny-careful", "page-compare-with": "tiny-many"})
        expect(page.get_by_text(message("strategy-from-package", package="tiny-strategies"))).to_be_visible()
        start(page)
        finish(page)
    found = mp.simulate("beginner", games=60, seed=7, strategy="tiny-careful")
    expect(page.get_by_role("region", name=text("page-result"))).to_contain_text(verdict(found))
