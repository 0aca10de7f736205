"""The screen Simulate: run, stop, resume, compare, download; what it shows is what the library finds."""

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import mineproof as mp
from mineproof.simulation.results import Simulation
from support.browser import Faults, axe, screenshot
from support.packages import install_tiny
from support.served import served

SPENT = ("cpu_seconds", "seconds")
MANY = 1_000_000  # games that are not over before they are stopped


def choose(page: Page, games: int = 500, address: str = "", **options: str) -> None:
    """Open the screen and choose; the seed is 7."""
    page.goto(f"{address}/#/simulate")
    for name, value in {"Level": "beginner", "Strategy": "fast", **options}.items():
        page.get_by_label(name, exact=True).select_option(value)
    page.get_by_label("Games", exact=True).fill(str(games))
    page.get_by_label("Seed").fill("7")


def start(page: Page) -> None:
    page.get_by_role("button", name=re.compile("^Start")).click()


def finish(page: Page) -> None:
    expect(page.get_by_text("Finished.")).to_be_visible(timeout=60_000)


def downloaded(page: Page, kind: str) -> str:
    with page.expect_download() as coming:
        page.get_by_role("button", name=f"Download {kind.upper()}").click()
    assert coming.value.suggested_filename == f"simulation.{kind}"
    return Path(coming.value.path()).read_text("utf-8")


def unspent(document: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in document.items() if name not in SPENT}


def verdict(found: Simulation) -> str:
    low, high = (f"{100 * end:.2f}" for end in found.interval)
    rate = f"{100 * (found.win_rate or 0):.2f} %, 95 % interval {low} to {high} %"
    return f"{found.strategy} won {found.wins:,} of {found.games:,} games: {rate}."


def test_it_shows_what_the_library_finds(page: Page) -> None:
    choose(page)
    start(page)
    finish(page)
    found = mp.simulate("beginner", games=500, seed=7)
    result = page.get_by_role("region", name="Result")
    expect(result).to_contain_text(verdict(found))
    expect(page.get_by_role("img", name=verdict(found))).to_be_visible()
    row = result.get_by_role("row").filter(has_text="Guesses per win, first click included")
    expect(row.get_by_role("cell").last).to_have_text(f"{found.guesses_per_win:.2f}".rstrip("0"))
    expect(page.get_by_role("button", name="Resume")).to_be_hidden()
    whole = json.loads(downloaded(page, "json"))
    assert unspent(whole) == unspent(json.loads(found.to_json()))
    [line] = csv.DictReader(io.StringIO(downloaded(page, "csv")))
    assert (line["strategy"], int(line["wins"]), float(line["high"])) == ("fast", found.wins, found.interval.high)


def test_the_command_does_the_same(page: Page) -> None:
    choose(page, 300, Level="Custom size", **{"Board shape": "Hexagons", "First click": "No promise"})
    for name, value in {"Rows": "6", "Columns": "8", "Mines": "7"}.items():
        page.get_by_label(name, exact=True).fill(value)
    start(page)
    finish(page)
    options = "--strategy fast --topology hex --first-click any --games 300 --seed 7"
    expect(page.locator("code")).to_have_text(f"mineproof simulate 8x6x7 {options}")
    found = mp.simulate("8x6x7", topology="hex", first_click="any", games=300, seed=7)
    expect(page.get_by_role("region", name="Result")).to_contain_text(verdict(found))


@pytest.mark.parametrize("against", ["", "go"])
def test_it_is_stopped_and_goes_on_as_if_it_had_not_been(page: Page, against: str) -> None:
    """Stopped by the keyboard; the games asked for are then made fewer, so that the rest takes no time."""
    choose(page, MANY, Strategy="strong", **({"Compare with": against} if against else {}))
    bodies: list[dict[str, Any]] = []

    def fewer(route: Any) -> None:
        body = json.loads(route.request.post_data)
        bodies.append(body)
        done = body["resume"][0]["games"] if "resume" in body else MANY
        games = MANY if done == MANY else done + 100
        route.continue_(post_data=json.dumps(body | {"games": games}))

    page.route("**/api/v1/simulate", fewer)
    start(page)
    stop = page.get_by_role("button", name="Stop")
    expect(page.get_by_text("left")).to_be_visible(timeout=30_000)
    stop.focus()
    page.wait_for_timeout(600)  # some answers come; the focus stays where it is
    expect(stop).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_text(re.compile(r"^Stopped at .* of 1,000,000 games\.$"))).to_be_visible()
    stopped = json.loads(downloaded(page, "json"))
    games = stopped["games"]
    assert 0 < games < MANY

    page.get_by_role("button", name="Resume").click()
    result = page.get_by_role("region", name="Result")
    expect(result).to_contain_text(f"of {games + 100:,} games", timeout=30_000)
    expect(result).to_contain_text("Stopped at")
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
        expect(page.get_by_text("left")).to_be_visible(timeout=30_000)
        process.kill()
        expect(page.get_by_role("alert")).to_contain_text("The server")
    games = json.loads(downloaded(page, "json"))["games"]
    expect(page.get_by_role("button", name="Resume")).to_be_visible()
    with served(tmp_path, "--port", str(client.port)):
        page.get_by_role("button", name="Resume").click()
        expect(page.get_by_text("left")).to_be_visible(timeout=30_000)
        page.get_by_role("button", name="Stop").click()
        expect(page.get_by_text("Stopped at")).to_be_visible()
        found = json.loads(downloaded(page, "json"))
    assert found["games"] > games
    assert found["wins"] == mp.simulate("beginner", games=found["games"], seed=7).wins


def test_two_strategies_are_compared_on_the_same_layouts(page: Page) -> None:
    choose(page, 2000, **{"Compare with": "go"})
    start(page)
    finish(page)
    one, other = (mp.simulate("beginner", games=2000, seed=7, strategy=name) for name in ("fast", "go"))
    pair = mp.compare(one, other)
    low, high = (f"{100 * end:.2f}" for end in pair.interval)
    told = f"fast less go: {100 * (pair.difference or 0):.2f} points, 95 % interval {low} to {high}"
    result = page.get_by_role("region", name="Result")
    expect(result).to_contain_text(told)
    expect(result).to_contain_text(f"{verdict(one)} {verdict(other)}")
    counts = f"Both won {pair.both:,} games, only fast {pair.only_first}, only go {pair.only_second}, neither"
    expect(result).to_contain_text(counts)
    rates = page.get_by_role("img", name=verdict(one))
    assert rates.locator(".second").count() > 0
    expect(page.get_by_role("img", name=told)).to_be_visible()
    first, second = csv.DictReader(io.StringIO(downloaded(page, "csv")))
    assert (first["against"], float(first["difference"])) == ("go", pair.difference)
    assert float(second["difference_low"]) == -pair.interval.high
    axe(page)


def test_leaving_the_screen_stops_nothing(page: Page) -> None:
    choose(page, MANY)
    start(page)
    expect(page.get_by_text("left")).to_be_visible(timeout=30_000)
    page.get_by_role("link", name="History").click()
    expect(page.get_by_role("heading", name="History")).to_be_visible()
    page.get_by_role("link", name="Simulate").click()
    before = page.get_by_role("progressbar").get_attribute("value")
    expect(page.get_by_role("progressbar")).not_to_have_attribute("value", before or "", timeout=30_000)
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text("Stopped at")).to_be_visible()


def test_an_end_is_told_on_another_screen(page: Page) -> None:
    choose(page, 3000, Level="expert", Strategy="strong")
    start(page)
    page.get_by_role("link", name="History").click()
    expect(page.get_by_text("The simulation has ended: strong won")).to_be_visible(timeout=60_000)
    page.get_by_role("link", name="Simulate").click()
    expect(page.get_by_text("Finished.")).to_be_visible()


def test_what_the_server_refuses_is_told(page: Page, faults: Faults) -> None:
    faults.allow("400")
    choose(page, Level="Custom size")
    for name, value in {"Rows": "2", "Columns": "2", "Mines": "5"}.items():
        page.get_by_label(name, exact=True).fill(value)
    start(page)
    expect(page.get_by_role("alert")).to_contain_text("found 5 mines")
    expect(page.get_by_role("button", name="Start")).to_be_enabled()


def test_a_first_visit_says_what_it_is_for(page: Page) -> None:
    page.goto("/#/simulate")
    expect(page.get_by_text("How often does a strategy win?")).to_be_visible()
    expect(page.get_by_role("button", name="Download JSON")).to_be_hidden()
    page.get_by_label("Strategy", exact=True).select_option("minedetector")
    expect(page.get_by_text("13.5 % won")).to_be_visible()
    axe(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_is_accessible(page: Page, scheme: str) -> None:
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    choose(page, 3000)
    start(page)
    finish(page)
    screenshot(page, f"simulate-{scheme}")
    axe(page)


def test_on_a_phone_nothing_is_beyond_the_edge(phone: Page) -> None:
    choose(phone, 3000, **{"Compare with": "minedetector"})
    start(phone)
    finish(phone)
    screenshot(phone, "simulate-phone")
    axe(phone)
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390


def test_on_a_phone_the_result_is_in_view_once_it_is_asked_for(phone: Page) -> None:
    choose(phone)
    start(phone)
    finish(phone)
    box = phone.get_by_role("heading", name="Result").bounding_box()
    assert box is not None
    assert 80 < box["y"] < 200, "found it elsewhere, expected it just below the header"


def test_strategies_of_installed_packages_can_be_chosen(
    page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_tiny(tmp_path / "site", monkeypatch)
    with served(tmp_path / "data") as (_, client):
        address = f"http://127.0.0.1:{client.port}"
        choose(page, 60, address, Strategy="tiny-careful", **{"Compare with": "tiny-many"})
        expect(page.get_by_text("From the package tiny-strategies. Played in Python, so slower.")).to_be_visible()
        start(page)
        finish(page)
    found = mp.simulate("beginner", games=60, seed=7, strategy="tiny-careful")
    expect(page.get_by_role("region", name="Result")).to_contain_text(verdict(found))
