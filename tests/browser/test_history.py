"""The screen History: games that were put into the data folder are listed, drawn, named, forgotten and exported."""

import csv
import io
import json
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

import mineproof as mp
from support.browser import Faults, axe, choose, screenshot
from support.finished import finished
from support.recordings import avf, mvf, small
from support.served import serving
from support.texts import pattern, text

GAME = re.compile(r"^Game \d+$")  # a link to its review, beside that to its lesson
GAMES = 30  # more than are listed at first
LONG = "W" * 40  # the longest name there may be
ODD = "<b>Zoë</b> \u0645\u0631\u062d\u0628\u0627 & 'Co'"


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Beginner games, each a day after the other and a second faster; every third is lost; and one of hexagons."""
    path = tmp_path_factory.mktemp("played")
    names = {1: LONG, 2: ODD}
    with mp.History.open(path) as history:
        for number in range(1, GAMES + 1):
            game = finished(seed=number, ms=100_000 - 1000 * number, won=number % 3 != 0)
            used = {"odds_moves": 1} if number == 2 else {}
            when = datetime(2026, 9, 1, 12, tzinfo=UTC) + timedelta(days=number)
            history.add(game, help_used=used, when=when, player=names.get(number))
        hexagons = finished("8x8x5", seed=1, ms=9000, topology="hex")
        history.add(hexagons, help_used={}, when=datetime(2026, 8, 1, tzinfo=UTC))
    return path


def shown(page: Page) -> Locator:
    """The rows of the list, once it is there."""
    page.goto("/#/history")
    rows = page.get_by_role("region", name=text("page-games")).locator("tbody tr")
    expect(rows.first).to_be_visible()
    return rows


def numbers(rows: Locator) -> list[int]:
    return [int(text.removeprefix("Game ")) for text in rows.get_by_role("link", name=GAME).all_inner_texts()]


def test_games_are_listed_filtered_and_ordered(page: Page, data: Path) -> None:
    rows = shown(page)
    with mp.History.open(data) as history:
        expect(rows).to_have_count(25)
        assert numbers(rows) == [game.id for game in history.games(limit=25)]
        page.get_by_role("button", name=text("page-more-games")).click()
        expect(rows).to_have_count(GAMES + 1)
        assert numbers(rows) == [game.id for game in history.games()]
        expect(page.get_by_role("button", name=text("page-more-games"))).to_be_hidden()

        filters = page.locator(".filters")
        choose(filters, text("page-result"), "false")
        expect(rows).to_have_count(10)
        assert numbers(rows) == [game.id for game in history.games(won=False)]
        choose(filters, text("page-result"), "true")
        choose(filters, text("page-order"), "time")
        expect(rows.first.get_by_role("link", name=GAME)).to_have_text("Game 31")
        assert numbers(rows) == [game.id for game in history.games(won=True, order="time")]
        choose(filters, text("page-level"), "8x8x5")
        expect(rows).to_have_count(1)
        expect(rows.first).to_contain_text(f"{text('page-size', 5, columns=8, rows=8)}, {text('page-shape-hex')}")
        choose(filters, text("page-help"), "true")
    expect(page.get_by_text(text("page-no-match"))).to_be_visible()


def test_levels_have_their_win_rate_best_time_and_streak(page: Page, data: Path) -> None:
    shown(page)
    row = (
        page.get_by_role("region", name=text("page-levels"))
        .get_by_role("row")
        .filter(has_text=text("page-level-beginner"))
    )
    with mp.History.open(data) as history:
        found = history.summary("beginner")
    assert (found.games, found.best_without_help and found.best_without_help.id) == (30, 29)
    for words in (
        "66.67 %",
        text("page-range", low="48.78 %", high="80.77 %"),
        "1:11.0",
        text("page-streak", now=0, best=2),
    ):
        expect(row).to_contain_text(words)
    expect(row.get_by_role("link").first).to_have_attribute("href", "#/review?number=29")


def test_wins_are_drawn_by_date(page: Page) -> None:
    shown(page)
    drawn = {"title": text("page-chart-times"), "unit": text("page-unit-seconds")}
    values = {"least": "71.00", "most": "99.00", "latest": "71.00"}
    kind = text("page-level-beginner")
    times = page.get_by_role("img", name=text("page-chart-description", 20, kind=kind, **drawn, **values))
    expect(times.locator("circle.dot:not(.second)")).to_have_count(19)
    expect(times.locator("circle.second")).to_have_count(1)  # the one with help
    heights = times.locator("circle.dot:not(.second)").evaluate_all(
        "dots => dots.map((dot) => Number(dot.getAttribute('cy')))"
    )
    assert heights == sorted(heights), "faster is lower"
    expect(page.get_by_role("img", name=text("page-chart-speeds"))).to_be_visible()
    kind = f"{text('page-size', 5, columns=8, rows=8)}, {text('page-shape-hex')}"
    choose(page, text("page-level-and-rules"), kind)
    single = page.get_by_role("img", name=pattern("page-chart-description", count=1, kind=kind, **drawn))
    expect(single.locator("circle")).to_have_count(1)
    labels = single.locator("text").all_text_contents()
    assert [label for label in labels if ":" in label], labels  # hours of the day


def test_a_game_is_named_by_the_keyboard_and_forgotten_when_sure(page: Page, data: Path) -> None:
    rows = shown(page)
    page.get_by_role("button", name=text("page-rename-game", number=30)).focus()
    page.keyboard.press("Enter")
    axe(page)
    page.keyboard.type("Ann O'Neil")
    page.keyboard.press("Enter")
    expect(rows.first.locator("bdi")).to_have_text("Ann O'Neil")
    expect(page.get_by_role("dialog")).to_have_count(0)
    with mp.History.open(data) as history:
        assert history.game(30).player == "Ann O'Neil"
        copy = history.record(30)

    page.get_by_role("button", name=text("page-delete-game", number=30)).click()
    dialog = page.get_by_role("dialog", name=text("page-delete-question", number=30))
    expect(dialog).to_contain_text(f"{text('page-level-beginner')}, {text('page-filter-lost')}, 1 Oct 2026")
    dialog.get_by_role("button", name=text("page-cancel")).click()
    expect(rows.first).to_contain_text("Game 30")
    page.get_by_role("button", name=text("page-delete-game", number=30)).click()
    dialog.get_by_role("button", name=text("page-delete")).click()
    expect(rows.first).to_contain_text("Game 29")
    with mp.History.open(data) as history:
        assert len(history) == GAMES
        again = history.add(copy, help_used={}, when=datetime(2026, 10, 1, 12, tzinfo=UTC))
        assert again.new


def test_a_name_that_cannot_be_is_told(page: Page, faults: Faults) -> None:
    faults.allow("400")
    shown(page)
    page.get_by_role("button", name=text("page-rename-game", number=29)).click()
    page.get_by_label(text("page-player")).fill("a\u200eb")  # a mark that turns the direction of writing
    page.get_by_role("button", name=text("page-save")).click()
    expect(page.get_by_role("alert")).to_contain_text("expected 1 to 40 printable characters")


def test_odd_names_are_text_and_take_little_room(page: Page) -> None:
    rows = shown(page)
    choose(page, text("page-order"), "guesses")
    page.get_by_role("button", name=text("page-more-games")).click()
    expect(rows).to_have_count(GAMES + 1)
    expect(page.get_by_text(ODD).first).to_be_visible()
    assert page.locator("main b").count() == 0
    heights = rows.evaluate_all("rows => rows.map((row) => row.offsetHeight)")
    assert max(heights) == min(heights), heights


@pytest.mark.parametrize(("kind", "name"), [("CSV", "games.csv"), ("JSON lines", "games.jsonl")])
def test_all_games_are_exported(page: Page, data: Path, kind: str, name: str) -> None:
    shown(page)
    with page.expect_download() as coming:
        page.get_by_role("button", name=text("page-export", format=kind)).click()
    assert coming.value.suggested_filename == name
    content = Path(coming.value.path()).read_text("utf-8")
    with mp.History.open(data) as history:
        expected = [game.id for game in history.games()]
    if name.endswith("csv"):
        assert [int(row["id"]) for row in csv.DictReader(io.StringIO(content))] == expected
    else:
        assert [json.loads(line)["id"] for line in content.splitlines()] == expected


def test_a_first_visit_leads_to_play(page: Page, tmp_path: Path) -> None:
    with serving(tmp_path) as (client, _):
        page.goto(f"http://127.0.0.1:{client.port}/#/history")
        expect(page.get_by_text(text("page-history-empty"))).to_be_visible()
        axe(page)
        expect(page.get_by_role("link", name=text("page-play-game"))).to_have_attribute("href", "#/play")


def test_a_server_that_fails_is_told_and_asked_again(page: Page, faults: Faults) -> None:
    faults.allow("503|ERR_")
    failing = '{"schema": "mineproof/error/1", "code": "history", "message": "The disk is full."}'
    page.route("**/history/summary*", lambda route: route.fulfill(status=503, body=failing))
    page.goto("/#/history")
    expect(page.get_by_text("The disk is full.")).to_be_visible()
    page.unroute("**/history/summary*")
    page.get_by_role("button", name=text("page-retry")).click()
    expect(page.get_by_role("region", name=text("page-games"))).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_is_accessible(page: Page, scheme: str) -> None:
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    shown(page)
    expect(page.get_by_role("img", name=text("page-chart-speeds"))).to_be_visible()
    screenshot(page, f"history-{scheme}")
    axe(page)


def test_on_a_phone_nothing_is_beyond_the_edge(phone: Page) -> None:
    shown(phone)
    expect(phone.get_by_role("img", name=text("page-chart-speeds"))).to_be_visible()
    screenshot(phone, "history-phone")
    axe(phone)
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_game_is_looked_back_upon_beside_the_one_that_is_on(page: Page) -> None:
    page.goto("/#/play?layout=*../.../...")
    expect(page.get_by_role("grid")).to_have_attribute("aria-rowcount", "3")
    shown(page).get_by_role("link", name="Game 28", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Game 28")
    expect(page.get_by_role("group", name=text("page-review-replay"))).to_be_visible()
    expect(page.get_by_role("grid")).to_have_attribute("aria-rowcount", "9")
    page.keyboard.press("u")  # no key of this screen
    axe(page)
    page.get_by_role("button", name=text("page-back"), exact=True).click()
    page.get_by_role("button", name=text("page-analyse-position")).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(text("page-screen-analyse"))
    page.go_back()
    page.get_by_role("button", name=text("page-back"), exact=True).click()
    page.get_by_role("button", name=text("page-review-try")).click()
    expect(page.get_by_role("button", name=text("page-level-beginner"))).to_be_visible()
    expect(page.get_by_role("gridcell", name="covered").first).to_be_attached()


def test_a_game_that_is_not_there(page: Page, faults: Faults) -> None:
    faults.allow("404")
    page.goto("/#/review?number=9999")
    expect(page.locator(".bad")).to_contain_text("no game with this number")


def test_replays_are_added_from_files(page: Page, data: Path, tmp_path: Path, faults: Faults) -> None:
    faults.allow("400")  # one of them is damaged
    shown(page)
    replays = [tmp_path / "one.avf", tmp_path / "cut.mvf"]
    replays[0].write_bytes(avf(small()))
    replays[1].write_bytes(mvf(small())[:-60])
    page.get_by_label(text("page-import")).set_input_files(replays)
    expect(page.get_by_role("alert")).to_contain_text(
        f"{text('page-import-added', 1)} {text('page-import-known', 0)} cut.mvf: offset "
    )
    expect(page.get_by_role("region", name=text("page-levels"))).to_contain_text("beginner8")
    with mp.History.open(data) as history:
        (added,) = [game for game in history.games() if game.player == "Ann"]
        history.forget([added.id])
