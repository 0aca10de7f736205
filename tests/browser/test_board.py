"""The board itself: skins, contrast themes, odds that can be scanned, effects, sharpness, its grid for screen readers.

What is drawn is read from the canvas: tests look at the pixels of cells.
"""

import io
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from browser.conftest import DESKTOP, opened
from mineproof.board.cells import Cell
from support.boards import at_rest, place, settle
from support.browser import Faults, axe, screenshot
from support.texts import text

# A row of certain cells, a frontier, and cells that touch no number.
POSITION = "9x9x10/#########/###1111##/12#1002##/01#1001##/0111001##/0000111##/00112####/001######/001######"
LAYOUT = "......*../..*....../......*../*......../...*...../......*../.*......./......*../....*...*"

# What is in a part of a square of the canvas, given by its middle and its size: how often each colour, and a digest.
PROBE = """([x, y, size, [left, top, right, bottom]]) => {
    const canvas = document.querySelector(".stage canvas");
    const box = canvas.getBoundingClientRect();
    const scale = canvas.width / box.width;
    const pixel = (at) => Math.round(at * scale);
    const [fromX, fromY] = [pixel(x - box.left + size * (left - 0.5)), pixel(y - box.top + size * (top - 0.5))];
    const context = canvas.getContext("2d");
    const {data} = context.getImageData(fromX, fromY, pixel(size * (right - left)), pixel(size * (bottom - top)));
    const colours = {};
    let digest = 7;
    for (let at = 0; at < data.length; at += 4) {
        const colour = `${data[at]} ${data[at + 1]} ${data[at + 2]}`;
        colours[colour] = (colours[colour] ?? 0) + 1;
        digest = (digest * 31 + data[at] * 3 + data[at + 1] * 5 + data[at + 2] * 7) % 1000003;
    }
    return [digest, Object.entries(colours)];
}"""
WHOLE = (0.0, 0.0, 1.0, 1.0)

# A board of its own over the page, which a test can change at will: window.board, window.State.
OWN_BOARD = """async ({cells, topology}) => {
    const { Board } = await import("/static/app/board/board.js");
    window.State = await import("/static/app/board/state.js");
    const board = (window.board = new Board("own", {}));
    document.body.replaceChildren(board.element);
    board.element.style.cssText = "position: fixed; left: 0; top: 0; width: 480px; height: 360px";
    board.setCells({ rows: cells.length, columns: cells[0].length, topology, cells });
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}"""

Colour = tuple[int, ...]


@dataclass(frozen=True)
class Look:
    """A part of the canvas: two are equal if all their pixels are."""

    digest: int
    colours: dict[Colour, int] = field(compare=False)

    @property
    def ground(self) -> Colour:
        return max(self.colours, key=self.colours.__getitem__)

    @property
    def depth(self) -> int:
        """How much the sign differs in brightness from the ground, up to 765."""
        return max(abs(sum(colour) - sum(self.ground)) for colour in self.colours)


def probe(page: Page, where: list[Any], part: tuple[float, ...]) -> Look:
    digest, colours = page.evaluate(PROBE, [*where, part])
    return Look(digest, {tuple(map(int, name.split())): count for name, count in colours})


@pytest.fixture(autouse=True)
def reading(faults: Faults) -> None:
    """The browser would rather not have its canvas read so often."""
    faults.allow("willReadFrequently")


def start(page: Page, **settings: Any) -> None:
    page.add_init_script(f"localStorage.setItem('mineproof', '{json.dumps(settings)}')")


def own_board(page: Page, cells: list[str], topology: str = "grid") -> None:
    page.goto("/?debug#/api")
    expect(page.locator("h1").first).to_be_visible()  # its texts are there
    page.evaluate(OWN_BOARD, {"cells": cells, "topology": topology})


def cell(page: Page, row: int, column: int, part: tuple[float, ...] = WHOLE) -> Look:
    """A cell of the own board, or a part of it: left, top, right and bottom from 0 to 1."""
    where = page.evaluate(
        """([row, column]) => {
            const { state, view, canvas } = window.board;
            const box = canvas.getBoundingClientRect();
            const at = (number, from, edge) => edge + (number + 0.5) * state.size - from + view.ruler;
            return [at(column, state.left, box.left), at(row, state.top, box.top), state.size];
        }""",
        [row, column],
    )
    return probe(page, where, part)


def unlike(page: Page, row: int, column: int) -> list[Cell]:
    """The cells of the own board that do not look as this one does."""
    looks = page.evaluate(
        """() => {
            const { state, view, canvas } = window.board;
            const context = canvas.getContext("2d");
            const scale = canvas.width / canvas.clientWidth;
            const side = state.size * scale;
            return state.cells.map((_, place) => {
                const [row, column] = State.cellOf(state, place);
                const [x, y] = [column * state.size - state.left, row * state.size - state.top].map(
                    (at) => Math.round((at + view.ruler) * scale));
                const { data } = context.getImageData(x, y, side, side);
                return data.reduce((sum, value, at) => (sum * 31 + value * (at % 7 + 1)) % 1000003, 7);
            });
        }"""
    )
    columns = page.evaluate("board.state.columns")
    return [divmod(at, columns) for at, look in enumerate(looks) if look != looks[row * columns + column]]


def drawn(page: Page, row: int, column: int, rows: int, columns: int, size: int = 24) -> Look:
    """The middle of a cell of the screen's board."""
    return probe(page, [*place(page, row, column, rows, columns), size], WHOLE)


def green(colour: Colour) -> bool:
    return colour[1] > colour[0] + 25 and colour[1] > colour[2] + 15


def red(colour: Colour) -> bool:
    return colour[0] > colour[1] + 40 and colour[0] > colour[2] + 40


def redraw(page: Page) -> None:
    page.evaluate("window.board.update()")
    settle(page)


# contrast themes


@pytest.fixture(params=["light", "dark"])
def forced(request: pytest.FixtureRequest, browser: Browser, address: str, faults: Faults) -> Iterator[Page]:
    options = {**DESKTOP, "forced_colors": "active", "color_scheme": request.param}
    with opened(browser, address, faults, options) as page:
        yield page


def test_a_contrast_theme_of_the_system_shows_the_board(forced: Page) -> None:
    """Covered, open, numbers and flags all differ, and a game can be played."""
    forced.goto(f"/#/play?layout={LAYOUT}")
    expect(forced.locator("[role=gridcell]")).to_have_count(81)
    forced.mouse.click(*place(forced, 0, 0, 9, 9))
    expect(forced.get_by_role("gridcell", name="B1, 1", exact=True)).to_have_count(1)
    forced.mouse.click(*place(forced, 8, 0, 9, 9), button="right")
    expect(forced.get_by_role("gridcell", name="A9, flag", exact=True)).to_have_count(1)
    forced.mouse.move(5, 5)
    at_rest(forced)
    blank, number, flag, covered = (drawn(forced, *at, 9, 9, 40) for at in ((0, 0), (0, 1), (8, 0), (5, 5)))
    assert blank.ground != covered.ground
    assert len(blank.colours) == 1, "an empty cell is empty"
    assert (number.ground, flag.ground) == (blank.ground, covered.ground)
    assert number.depth > 300, "a number stands out"
    assert flag.depth > 300, "a flag stands out"
    screenshot(forced, f"forced-{'light' if sum(blank.ground) > 380 else 'dark'}")


def test_a_contrast_theme_shows_counters_and_what_is_chosen(forced: Page) -> None:
    start(forced, level="expert", overlay="none")
    forced.goto("/")
    expect(forced.get_by_label(text("page-mines-left", 99))).to_be_visible()
    settle(forced)
    for number in forced.locator(".hud .counter span").all():
        grey = Image.open(io.BytesIO(number.screenshot())).convert("L").tobytes()
        assert max(grey) - min(grey) > 150, "the number stands out"
    ground = "element => getComputedStyle(element).backgroundColor"
    chosen, other = (
        forced.get_by_role("button", name=text(f"page-level-{level}"), exact=True).evaluate(ground)
        for level in ("expert", "beginner")
    )
    assert chosen != other
    switch = forced.get_by_role("switch", name=text("page-no-guess"))
    looks = []
    for on in (False, True):
        expect(switch).to_be_checked(checked=on)
        knob = "element => getComputedStyle(element, '::before').backgroundColor"
        looks.append((switch.evaluate(ground), switch.evaluate(knob)))
        if not on:
            switch.click()
    assert looks[0] != looks[1]
    assert all(groove != knob for groove, knob in looks), "the knob stands out"
    link = forced.get_by_role("link", name=text("page-screen-play"), exact=True)
    assert link.evaluate(ground) == chosen
    axe(forced)


def test_a_contrast_theme_marks_certain_cells_by_shape(forced: Page) -> None:
    start(forced, overlay="odds")
    forced.goto(f"/#/analyse?board={POSITION.split('/', 1)[1].replace('#', 'H')}&mines=10")
    expect(forced.locator("section[role=status]")).to_contain_text("safe")
    own = ["###", "1#1"]
    forced.evaluate(OWN_BOARD, {"cells": own, "topology": "grid"})
    forced.evaluate("""() => { const { state } = board; state.overlay = "certain";
        state.safe = new Set([0]); state.mines = new Set([1]); }""")
    redraw(forced)
    safe, mine, plain = (cell(forced, 0, column, (0.2, 0.2, 0.8, 0.8)) for column in range(3))
    assert safe.depth > 300
    assert mine.depth > 300
    assert len(plain.colours) == 1
    assert safe != mine


# skins


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_skins_apply_at_once(browser: Browser, address: str, faults: Faults, theme: str) -> None:
    with opened(browser, address, faults, {**DESKTOP, "color_scheme": theme}) as page:
        own_board(page, ["1234", "####", "5678"])
        grounds, looks = set(), set()
        for skin in ("mineproof", "classic", "contrast"):
            page.evaluate(
                """async (skin) => {
                    const { change } = await import("/static/app/settings.js");
                    change({ skin });
                    document.dispatchEvent(new CustomEvent("settingchange", { detail: "skin" }));
                }""",
                skin,
            )
            settle(page)
            expect(page.locator("html")).to_have_attribute("data-skin", skin)
            grounds.add(cell(page, 1, 1).ground)
            looks.add(cell(page, 0, 2).digest)
        assert len(grounds) == 3
        assert len(looks) == 3


@pytest.mark.parametrize("skin", ["classic", "contrast"])
def test_a_stored_skin_is_there_after_loading(page: Page, skin: str) -> None:
    start(page, skin=skin, digits="distinct")
    page.goto(f"/#/play?layout={LAYOUT}")
    expect(page.locator("[role=gridcell]")).to_have_count(81)
    expect(page.locator("html")).to_have_attribute("data-skin", skin)
    expect(page.locator("html")).to_have_attribute("data-digits", "distinct")
    axe(page)
    screenshot(page, f"skin-{skin}")


def test_numbers_have_colours_for_colour_blind_players(page: Page) -> None:
    own_board(page, ["12345678"])
    before = [cell(page, 0, column) for column in range(8)]
    page.evaluate(
        """async () => {
            const { change } = await import("/static/app/settings.js");
            change({ digits: "distinct" });
            document.dispatchEvent(new CustomEvent("settingchange", { detail: "digits" }));
        }"""
    )
    settle(page)
    assert all(cell(page, 0, column) != before[column] for column in (1, 2, 3))


# tiles


@pytest.mark.parametrize("scale", [1, 2])
def test_tiles_leave_no_gaps_at_their_corners(browser: Browser, address: str, faults: Faults, scale: int) -> None:
    """Where four covered cells meet, the ground of the stage does not shine through, at any zoom."""
    options = {**DESKTOP, "device_scale_factor": scale}
    with opened(browser, address, faults, options) as page:
        own_board(page, ["####"] * 4)
        for factor in (1, 0.737, 1.21):
            page.evaluate("factor => board.view.zoom(board.state.size * factor, 300, 300)", factor)
            settle(page)
            size = page.evaluate("board.state.size")
            assert (size * scale) % 1 == 0, "cells begin on whole pixels"
            first, second = cell(page, 1, 1), cell(page, 2, 2)
            assert first == second, "all covered cells are alike, to the pixel"
            stage = page.evaluate("getComputedStyle(board.element).backgroundColor")
            assert stage not in {f"rgb({r}, {g}, {b})" for r, g, b in first.colours}


def test_the_canvas_begins_on_whole_pixels(page: Page) -> None:
    own_board(page, ["12##"] * 4)
    page.evaluate("board.element.style.inset = '137.5px 0 0 20.3px'")
    redraw(page)
    box = page.evaluate(
        "(({left, top, width, height}) => [left, top, width, height])(board.canvas.getBoundingClientRect())"
    )
    assert [value % 1 for value in box] == pytest.approx([0, 0, 0, 0], abs=1e-3)
    assert cell(page, 1, 2) == cell(page, 2, 3)


def test_the_frame_moves_with_the_board(page: Page) -> None:
    own_board(page, ["#" * 12] * 12)
    frame = page.evaluate("board.view.frame")
    assert frame >= 3
    page.evaluate("board.view.zoom(96, 0, 0); board.view.pan(5000, 5000)")
    settle(page)
    left, top = page.evaluate("[board.state.left, board.state.top]")
    assert (left, top) == (-frame, -frame), "the frame can be seen at the border of a board that overflows"


def test_joined_borders_have_arrows(page: Page) -> None:
    """Pixels of the frame: on a torus they differ from those of a plain board."""
    own_board(page, ["####"] * 4)
    shown = {}
    for topology in ("grid", "torus"):
        page.evaluate(OWN_BOARD, {"cells": ["####"] * 4, "topology": topology})
        shown[topology] = page.evaluate(
            """() => {
                const { state, view, canvas } = board;
                const [x, y] = [-state.left - view.frame, -state.top];
                const {data} = canvas.getContext("2d").getImageData(x, y, view.frame, 4 * state.size);
                const pixels = Array.from({length: data.length / 4}, (_, at) => data.slice(4 * at, 4 * at + 3).join());
                return new Set(pixels).size;
            }"""
        )
    assert shown["torus"] > shown["grid"]


# odds

FAR = ["1" + "#" * 9, *["#" * 10] * 5]
ODDS = """(chance) => {
    const { state } = board;
    state.overlay = "odds";
    State.setOdds(state, {
        mine_probability: Array.from({ length: state.rows }, (_, row) =>
            Array.from({ length: state.columns }, (_, column) => (row < 2 && column < 2 ? 0.33 : chance))),
        safe: [[0, 1]], mines: [[1, 0]],
    });
}"""


def test_certain_cells_are_green_and_red_with_a_sign(page: Page) -> None:
    own_board(page, FAR)
    page.evaluate(ODDS, 0.21)
    redraw(page)
    safe, mine, frontier = cell(page, 0, 1), cell(page, 1, 0), cell(page, 1, 1)
    assert green(safe.ground)
    assert red(mine.ground)
    assert safe.depth > 180, "a tick"
    assert mine.depth > 180, "a cross"
    assert not green(frontier.ground)
    screenshot(page, "odds-own-board")


def test_odds_away_from_the_numbers_are_printed_once(page: Page) -> None:
    own_board(page, FAR)
    page.evaluate(ODDS, 0.21)
    redraw(page)
    changed = unlike(page, 5, 9)
    assert set(changed) > {(0, 0), (0, 1), (1, 0), (1, 1)}, "the number and its neighbours"
    assert 1 <= len(changed) - 4 <= 6, "no number on cells off the frontier, and the caption covers few of them"
    expect(page.get_by_role("grid", name="own")).to_have_attribute(
        "aria-description", text("page-far-odds-label", percent="21\u00a0%")
    )
    under = changed[-1][0] * 10 + changed[-1][1]
    page.evaluate("(place) => { board.state.hover = place; board.view.request([place]); }", under)
    settle(page)
    page.evaluate("(place) => { board.state.hover = -1; board.view.request([place]); }", under)
    settle(page)
    assert unlike(page, 5, 9) == changed, "hovering under the caption leaves it whole"


def test_differing_odds_are_printed_in_each_cell(page: Page) -> None:
    own_board(page, FAR)
    page.evaluate(ODDS, 0.21)
    page.evaluate("() => { board.state.odds[59] = 0.4; board.state.odds = [...board.state.odds]; }")
    redraw(page)
    assert (0, 9) in unlike(page, 5, 9)
    assert page.get_by_role("grid", name="own").get_attribute("aria-description") is None


def test_a_flag_on_a_safe_cell_is_struck_out(page: Page) -> None:
    own_board(page, ["1F", "F#"])
    page.evaluate(
        """() => { const { state } = board; state.overlay = "odds";
        State.setOdds(state, { mine_probability: [[null, 0], [1, 0.5]], safe: [[0, 1]], mines: [[1, 0]] }); }"""
    )
    redraw(page)
    wrong, right = cell(page, 0, 1), cell(page, 1, 0)
    assert green(wrong.ground)
    assert red(right.ground)
    assert len(cell(page, 1, 0, (0.64, 0.64, 0.9, 0.9)).colours) == 1, "a right flag has no sign beside it"
    crossed = sum(count for colour, count in wrong.colours.items() if red(colour))
    assert crossed > sum(wrong.colours.values()) * 0.04, "a red cross over the green ground"


def test_the_star_of_the_best_move_leaves_the_tick_alone(page: Page) -> None:
    own_board(page, ["1#", "##"])
    page.evaluate("() => { const { state } = board; state.overlay = 'certain'; state.safe = new Set([1, 2]); }")
    page.evaluate("() => State.setMarks(board.state, [['best', [[0, 1]]]])")
    redraw(page)
    starred, plain = cell(page, 0, 1), cell(page, 1, 0)
    tick = max(plain.colours, key=lambda colour: plain.colours[colour] * (sum(colour) < 200))
    assert plain.colours[tick] > 100
    assert starred.colours[tick] > 0.6 * plain.colours[tick], "the whole tick is there, a little smaller"
    star = (0.6, 0.1, 0.9, 0.4)
    assert cell(page, 0, 1, star) != cell(page, 1, 0, star)


def test_a_new_game_that_cannot_lose_shows_no_odds(page: Page) -> None:
    start(page, overlay="odds", level="beginner", first_click="open")
    questions: list[str] = []
    page.on("request", lambda request: questions.append(request.url))
    page.goto("/")
    expect(page.locator("[role=gridcell]")).to_have_count(81)
    settle(page)
    expect(page.get_by_role("gridcell", name="A1, covered", exact=True)).to_have_count(1)
    assert not [url for url in questions if url.endswith("/odds")], "looking at odds counts as help"
    page.mouse.click(*place(page, 4, 4, 9, 9))
    expect(page.get_by_role("gridcell", name=re.compile("percent mine|certainly")).first).to_be_attached()


# effects

FRAMES = """(act) => {
    let frames = 0;
    const asked = window.requestAnimationFrame;
    window.requestAnimationFrame = (call) => { frames++; return asked.call(window, call); };
    return new Promise((done) => setTimeout(() => { window.requestAnimationFrame = asked; done(frames); }, 400));
}"""
PLAY = """({kind, cells, origin, state}) => {
    State.setCells(board.state, { rows: 5, columns: 5, topology: "grid", cells: state });
    board.update();
    board.play({ kind, cells, origin });
    return board.view.effects.busy;
}"""
ALL = [[row, column] for row in range(5) for column in range(5)]
OPEN, COVERED = ["00000"] * 5, ["#####"] * 5


def kinds() -> list[Any]:
    mines = ["*####", "##X##", "#####", "####*", "#W###"]
    return [
        pytest.param("open", ALL, [2, 2], OPEN, id="open"),
        pytest.param("flag", [[1, 1]], [1, 1], ["#####", "#F###", "#####", "#####", "#####"], id="flag"),
        pytest.param("unflag", [[1, 1]], [1, 1], COVERED, id="unflag"),
        pytest.param("explode", [[0, 0], [3, 4], [1, 2]], [1, 2], mines, id="explode"),
        pytest.param("win", ALL, [2, 2], OPEN, id="win"),
    ]


@pytest.mark.parametrize(("kind", "cells", "origin", "state"), kinds())
def test_effects_end_with_the_true_board(
    page: Page, kind: str, cells: list[list[int]], origin: list[int], state: list[str]
) -> None:
    own_board(page, COVERED)
    assert page.evaluate(PLAY, {"kind": kind, "cells": cells, "origin": origin, "state": state}) is True
    page.wait_for_function("() => !board.view.effects.busy")
    settle(page)
    shown = page.evaluate("board.canvas.toDataURL()")
    page.evaluate("board.view.request()")
    settle(page)
    assert page.evaluate("board.canvas.toDataURL()") == shown, "nothing of the effect is left"
    assert page.evaluate(FRAMES) == 0, "nothing runs without an effect"


def test_an_opening_spreads_from_where_it_began(page: Page) -> None:
    """Time stands still for the effect: its frames are drawn at times of the test's choosing."""
    own_board(page, ["#" * 11] * 11)
    covered = cell(page, 0, 0).ground
    page.evaluate(
        """() => {
            window.now = 1000;
            performance.now = () => window.now;
            const cells = Array(11).fill("0".repeat(11));
            State.setCells(board.state, { rows: 11, columns: 11, topology: "grid", cells });
            board.play({ kind: "open", cells: board.state.cells.map((_, place) => place), origin: [5, 5] });
            board.view.request();
            board.view.draw();
        }"""
    )
    seen = []
    for time in (1000, 1110, 1250):
        page.evaluate("(time) => { window.now = time; board.view.draw(); }", time)
        seen.append([cell(page, 5, 5).ground == covered, cell(page, 0, 0).ground == covered])
    assert seen[0] == [True, True], "the press is seen at once, cells follow"
    assert seen[1] == [False, True], "near cells first"
    assert seen[2] == [False, False], "at most 250 ms for all"


@pytest.mark.parametrize("how", ["setting", "system"])
def test_without_motion_there_are_no_effects(browser: Browser, address: str, faults: Faults, how: str) -> None:
    options = {**DESKTOP, "reduced_motion": "reduce" if how == "system" else "no-preference"}
    with opened(browser, address, faults, options) as page:
        start(page, animation=how == "system")
        own_board(page, COVERED)
        assert page.evaluate(PLAY, {"kind": "open", "cells": ALL, "origin": [2, 2], "state": OPEN}) is False
        settle(page)
        assert cell(page, 0, 0).ground == cell(page, 2, 2).ground


def test_a_press_counts_while_an_effect_runs(page: Page) -> None:
    page.goto(f"/#/play?layout={LAYOUT}")
    expect(page.locator("[role=gridcell]")).to_have_count(81)
    page.mouse.click(*place(page, 0, 0, 9, 9))
    page.mouse.click(*place(page, 8, 0, 9, 9), button="right")
    expect(page.get_by_role("gridcell", name="A9, flag", exact=True)).to_have_count(1)


# for screen readers


def test_cells_are_numbered_from_one(page: Page) -> None:
    page.goto(f"/#/play?layout={LAYOUT}")
    cells = page.locator("[role=gridcell]")
    expect(cells).to_have_count(81)
    last = cells.nth(80)
    expect(last).to_have_attribute("aria-colindex", "9")
    expect(last.locator("..")).to_have_attribute("aria-rowindex", "9")
    expect(cells.first).to_have_attribute("aria-colindex", "1")
    expect(cells.first.locator("..")).to_have_attribute("aria-rowindex", "1")
    axe(page)
