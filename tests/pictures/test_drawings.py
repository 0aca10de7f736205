"""Pictures: what is in them, for every kind of thing and every topology, and that they can be read without colour."""

from __future__ import annotations

import importlib.util
import re
import struct
import sys
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest
from rich.console import Console

import mineproof as mp
from mineproof.base.colours import ON_EXPLODED, ON_HEAT, ON_HEAT_RINGS, PICTURE_COLOURS
from mineproof.pictures import raster
from mineproof.pictures.palette import heat
from mineproof.pictures.scene import percent_label
from mineproof.wording.catalogue import message, plural

NAMES = {"svg": "http://www.w3.org/2000/svg"}
GUESS = mp.Board.parse("#####/123##/###3#", total_mines=6)
CERTAIN = mp.Board.parse("#1#1#", total_mines=2)
LAYOUT = mp.Layout(2, 4, frozenset([(1, 0)]))


def parsed(picture: mp.Picture) -> ElementTree.Element:
    return ElementTree.fromstring(picture.svg)


def texts(picture: mp.Picture, name: str) -> list[str]:
    """The contents of the text elements of a class, in order."""
    result = parsed(picture).iterfind(".//svg:text", NAMES)
    return [item.text or "" for item in result if name in item.get("class", "").split()]


def paths(picture: mp.Picture, *names: str) -> int:
    """How many shapes, of the board alone, have all these classes."""
    result = parsed(mp_without_legend(picture)).iterfind("svg:path", NAMES)
    return sum(
        len(re.findall("M", item.get("d", ""))) for item in result if set(names) <= set(item.get("class", "").split())
    )


def mp_without_legend(picture: mp.Picture) -> mp.Picture:
    return mp.Picture(picture._what, picture._scene, "light", legend=False, coordinates=False)


def lost_game() -> mp.Game:
    game = mp.Game(LAYOUT, first_click="any")
    game.open(0, 3)
    game.flag(0, 0)
    game.open(1, 0)
    return game


# what is in them


def test_numbers_are_text_and_every_cell_has_a_tile() -> None:
    picture = mp.draw(GUESS)
    assert texts(picture, "n") == ["1", "2", "3", "3"]
    assert (paths(picture, "tile", "open"), paths(picture, "tile", "covered")) == (4, 11)
    assert texts(picture, "ruler") == ["0", "1", "2", "0", "1", "2", "3", "4"]


def test_odds_are_in_every_undecided_cell_and_certain_cells_have_signs() -> None:
    analysis = mp.analyze(GUESS)
    expected = [percent_label(float(analysis.mine_probability[cell])) for cell in analysis.undecided]
    assert texts(mp.draw(GUESS, odds=True), "odds") == expected
    certain = mp.draw(CERTAIN, odds=True)
    assert (paths(certain, "tick"), paths(certain, "cross"), texts(certain, "odds")) == (
        1,
        4,
        [],
    )  # a cross has two lines
    assert mp.draw(analysis).svg == mp.draw(GUESS, odds=True).svg


def test_odds_never_say_0_or_100() -> None:
    assert [percent_label(chance) for chance in (1e-9, 0.004, 0.994, 1 - 1e-9)] == ["<1", "<1", "99", ">99"]


def test_a_hint_marks_its_numbers_and_what_they_prove() -> None:
    advice = mp.hint(CERTAIN)
    picture = mp.draw(CERTAIN, hint=True)
    assert paths(picture, "ring", "because") == len(advice.because)
    assert paths(picture, "ring", "mine") + paths(picture, "ring", "safe") == len(advice.mines) + len(advice.safe)
    assert " ".join(texts(picture, "words")).endswith(advice.text)
    assert mp.draw(advice).svg == picture.svg


def test_a_wrong_flag_is_marked() -> None:
    board = mp.Board.parse("F1.", total_mines=1).replace({(0, 0): mp.FLAGGED})
    wrong = mp.Board.parse("#1F1#", total_mines=2)
    assert paths(mp.draw(mp.hint(wrong)), "ring", "wrong") == 1
    assert paths(mp.draw(board), "cloth") == 1


def test_a_deduction_is_drawn_on_its_board() -> None:
    step = next(iter(mp.deduce(CERTAIN)))
    picture = mp.draw(step)
    assert paths(picture, "ring", "because") == len(step.because)
    assert picture.svg == mp.draw(step, CERTAIN).svg
    assert paths(mp.draw(step, "#1###"), "tile", "covered") == 4
    read = replace(step, board=None)  # as those of a certificate are
    assert read == step
    with pytest.raises(ValueError, match="The Deduction has no board"):
        mp.draw(read)
    assert read._repr_svg_() is None


def test_what_is_wished_for_is_drawn_or_refused() -> None:
    game = mp.Game(LAYOUT, first_click="any")
    game.open(0, 3)
    assert texts(mp.draw(game, odds=True), "odds") == texts(mp.draw(game.board, odds=True), "odds") == ["50", "50"]
    assert paths(mp.draw(mp.analyze(GUESS), best=True), "ring", "best") == 1
    puzzle = mp.puzzle("partition", level="beginner", seed=0)
    assert paths(mp.draw(puzzle, hint=True), "ring", "because") > 0
    over: list[Any] = [lost_game(), lost_game().record(), mp.review(lost_game()), LAYOUT]
    for item in over:
        with pytest.raises(ValueError, match="odds, hints and best moves need a position"):
            mp.draw(item, odds=True)


def test_the_best_move_with_what_each_cell_wins_and_may_show() -> None:
    best = mp.best_move(GUESS)
    picture = mp.draw(GUESS, best=True)
    assert (paths(picture, "ring", "best"), paths(picture, "ring", "safest")) == (1, 1)
    wins = {move.cell: round(100 * (move.win_probability or 0)) for move in best.moves}
    assert texts(picture, "odds") == [str(wins[cell]) for cell in sorted(wins)]
    shown: list[Any] = [line for line in texts(picture, "words") if ", then " in line or "nothing certain" in line]
    assert len(shown) == len(best.moves[0].outlook) > 0
    assert mp.draw(best).svg == picture.svg


def test_a_game_shows_no_mine_before_its_end() -> None:
    game = mp.Game(LAYOUT, first_click="any")
    game.open(0, 3)
    assert paths(mp.draw(game), "body") == 0
    over = lost_game()
    picture = mp.draw(over)
    assert (paths(picture, "tile", "exploded"), paths(picture, "body")) == (1, 1)
    assert paths(picture, "cloth") == 1
    assert paths(picture, "cross") == 2  # the flag at (0,0) is wrong
    assert mp.draw(over.record()).svg == picture.svg


def test_a_won_game_has_flags_on_its_mines() -> None:
    game = mp.Game(LAYOUT, first_click="any")
    game.open(0, 3)
    game.open(0, 0)
    assert game.status == "won"
    assert (paths(mp.draw(game), "cloth"), paths(mp.draw(game), "body")) == (1, 0)


def test_question_marks() -> None:
    game = mp.Game(LAYOUT, first_click="any")
    game.question(0, 0)
    assert texts(mp.draw(game), "ink") == ["?"]


def test_a_review_numbers_its_guesses() -> None:
    result = mp.review(lost_game())
    picture = mp.draw(result)
    assert texts(picture, "badge") == [str(number) for number in range(1, len(result.guesses) + 1)]
    assert "".join(texts(picture, "words")).count("chance of a mine") == len(result.guesses)


def test_a_review_of_many_guesses_stays_small() -> None:
    """Safe cells opened in any order: most are guesses that go well."""
    layout = mp.generate("intermediate", seed=5)
    game = mp.Game(layout, first_click="any", clock=lambda: 0.0)
    cells = sorted(set(layout.cells()) - layout.mines)
    Random(3).shuffle(cells)
    for cell in cells:
        if game.board[cell] == mp.COVERED:
            game.open(*cell)
    result = mp.review(game)
    picture = mp.draw(result)
    assert len(result.guesses) > 25
    assert len(texts(picture, "badge")) == len(result.guesses)
    text = " ".join(texts(picture, "words"))
    assert " 12. You opened" in text
    assert " 13. The chance" not in text
    assert plural("picture-more-guesses", len(result.guesses) - 12) in text
    assert len(picture.svg) < 50_000


def test_a_layout_and_a_puzzle() -> None:
    picture = mp.draw(mp.Layout(2, 4, frozenset([(1, 0)]), start=(0, 3)))
    assert (paths(picture, "body"), texts(picture, "n"), paths(picture, "ring", "start")) == (1, ["1", "1", "1"], 1)
    puzzle = mp.puzzle("partition", level="beginner", seed=0)
    assert puzzle.task in " ".join(texts(mp.draw(puzzle), "words"))


def test_cells_that_are_not_part_of_the_board_are_left_out() -> None:
    board = mp.Board(1, 3, bytes([1, 0xFF, 0xF7]), 1)
    assert (paths(mp.draw(board), "tile"), texts(mp.draw(board), "n")) == (2, ["1"])


@pytest.mark.parametrize("kind", ["grid", "torus", "hex"])
def test_every_topology_stays_on_its_paper(kind: Any) -> None:
    picture = mp.draw(mp.Board.parse("#####/12###/#####", total_mines=4, topology=kind), odds=True)
    root = parsed(picture)
    width, height = float(root.get("width", "")), float(root.get("height", ""))
    places = [
        (float(element.get("x", "")), float(element.get("y", ""))) for element in root.iterfind(".//svg:text", NAMES)
    ]
    assert all(0 <= x <= width and 0 <= y <= height for x, y in places)
    frames = [element for element in root.iterfind("svg:rect", NAMES) if element.get("class") == "frame"]
    assert len(frames) == (kind == "torus")
    corners = {"grid": "h", "torus": "h", "hex": "L"}[kind]
    tiles = [element for element in root.iterfind("svg:path", NAMES) if "tile" in element.get("class", "")]
    assert all(corners in element.get("d", "") for element in tiles)


def test_title_and_description_are_read_aloud() -> None:
    root = parsed(mp.draw(CERTAIN, odds=True))
    assert root.get("role") == "img"
    assert [root.findtext(f"svg:{name}", namespaces=NAMES) for name in ("title", "desc")] == [
        "Minesweeper, 5 × 1, 2 mines: odds", "Certain: 1 safe cell, 2 mines.",
    ]  # fmt: skip


# colours


def contrast(one: str, other: str) -> float:
    def light(colour: str) -> float:
        parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    high, low = sorted((light(one), light(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("dark", [0, 1])
def test_text_and_signs_can_be_read_on_what_they_stand_on(dark: int) -> None:
    colour = {name: pair[dark] for name, pair in PICTURE_COLOURS.items()}
    pairs = [(f"n{number}", "open") for number in range(1, 9)]
    pairs += [("ink", "paper"), ("quiet", "paper"), ("ink", "covered"), ("flag", "covered"), ("safe", "covered")]
    pairs += [("wrong", "covered"), ("mine", "open"), ("pole", "covered"), ("guess", "open"), ("best", "covered")]
    assert [(a, b) for a, b in pairs if contrast(colour[a], colour[b]) < 4.5] == []
    heats = [heat(step / 100) for step in range(101)]
    assert min(contrast(ON_HEAT, each) for each in heats) >= 4.5
    assert contrast(ON_EXPLODED, colour["exploded"]) >= 4.5
    rings = [("because", "open"), ("because", "covered"), ("safe", "covered"), ("guess", "covered"), ("bar", "paper")]
    rings += [("covered-edge", "open")]
    colour["bar"] = colour["because"]
    assert [(a, b) for a, b in rings if contrast(colour[a], colour[b]) < 3] == []
    assert min(contrast(ring, each) for ring in ON_HEAT_RINGS.values() for each in heats) >= 3


def applied(picture: mp.Picture, *names: str) -> str:
    """The last rule of a style sheet that is about these classes, and so the one that holds."""
    sheet = parsed(picture).findtext("svg:style", namespaces=NAMES) or ""
    text = ""
    for rule, body in re.findall(r"([^{}]+)\{([^{}]+)\}", sheet):
        for item in rule.split(","):
            wanted = set(re.findall(r"\.([a-z-]+)", item)) - {f"mp-{picture._theme}"}
            if wanted and wanted <= set(names) and ("stroke:" in body or "fill:#" in body):
                text = body
    return text


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_what_stands_on_odds_is_dark_in_both_themes(theme: Any) -> None:
    picture = mp.draw(mp.analyze(mp.Board.parse("F33F/###F/##F1", total_mines=5), flags="ignore"), theme=theme)
    assert len(re.findall(r'class="pole on-heat"', picture.svg)) == 3  # in one path, and two beside their odds
    assert applied(picture, "pole", "on-heat") == applied(picture, "cloth", "on-heat") == f"fill:{ON_HEAT}"
    best = mp.draw(GUESS, odds=True, best=True, theme=theme)
    assert paths(best, "ring", "best", "on-heat") == 1
    assert applied(best, "ring", "best", "on-heat") == f"stroke:{ON_HEAT_RINGS['best']}"
    lost = mp.draw(mp.review(lost_game()), theme=theme)
    assert "ring needless on-exploded" in lost.svg or "ring forced on-exploded" in lost.svg
    assert applied(lost, "ring", "forced", "on-exploded") == f"stroke:{ON_EXPLODED}"


def test_a_badge_leaves_room_for_what_is_in_the_cell() -> None:
    """A number that was a guess, and a flag with its odds: smaller, and to the left below."""
    game = mp.Game(mp.Layout(3, 3, frozenset([(0, 0)])), first_click="any")
    game.open(0, 1)
    picture = mp.draw(mp.review(game), coordinates=False)
    texts_of = {element.get("class"): element for element in parsed(picture).iterfind(".//svg:text", NAMES)}
    shown, badge = texts_of["n n1"], texts_of["badge"]
    assert float(shown.get("x", "")) < 24 + 32 < float(badge.get("x", ""))
    assert float(shown.get("font-size", "")) == 17
    assert float(badge.get("y", "")) < float(shown.get("y", "")) - 12


def test_themes_do_not_get_in_each_others_way() -> None:
    for theme in ("light", "dark", "auto"):
        sheet = parsed(mp.draw(GUESS, theme=theme)).findtext("svg:style", namespaces=NAMES) or ""
        rules = re.findall(r"([^{}]+)\{", sheet.replace("@media (prefers-color-scheme: dark){", ""))
        assert rules
        assert all(name.startswith(f".mp-{theme} ") for rule in rules for name in rule.split(","))
        assert ("prefers-color-scheme" in sheet) == (theme == "auto")


# notebooks and terminals


@pytest.mark.slow
def test_notebooks_show_them() -> None:
    about: list[Any] = [mp.analyze(GUESS), mp.hint(GUESS), mp.best_move(GUESS), mp.review(lost_game())]
    about += [mp.puzzle("partition", level="beginner", seed=0), mp.deduce(CERTAIN)[0], lost_game().record()]
    for item in [GUESS, lost_game(), LAYOUT, *about]:
        assert item._repr_svg_() == mp.draw(item).svg
    assert mp.draw(GUESS)._repr_svg_() == mp.draw(GUESS).svg


def test_what_is_too_large_is_shown_as_its_repr() -> None:
    large = mp.Board(201, 200, b"\xff" * 40_200, 5)
    assert large._repr_svg_() is None
    assert large.__rich__() == repr(large)
    with pytest.raises(ValueError, match="A picture has at most 40,000 cells, got 40,200"):
        mp.draw(large)


def printed(what: object, width: int = 60) -> str:
    console = Console(width=width, color_system=None)
    with console.capture() as capture:
        console.print(what)
    return capture.get()


def test_rich_prints_pictures_in_text() -> None:
    assert printed(mp.analyze(mp.Board.parse("1#/##", total_mines=1))).splitlines()[1:3] == ["0   1 33", "1  33 33"]
    advice = mp.hint(CERTAIN)
    assert "M mine" in printed(advice)
    assert advice.text in " ".join(printed(advice).split())
    assert "G best guess" in printed(mp.best_move(GUESS))
    assert printed(LAYOUT).splitlines()[1:3] == ["0  1 1 . .", "1  M 1 . ."]
    for over in (lost_game(), lost_game().record()):
        assert printed(over).splitlines()[1:3] == ["0  X 1 . .", "1  * 1 . ."]
        assert "X wrong flag   * mine that was opened" in printed(over)
    looked_back = printed(mp.review(lost_game()))
    assert "1 [*]1 . ." in looked_back
    assert "[ ] guess" in looked_back
    assert "2. You opened (1,0). The chance of a mine was 50.0 %." in looked_back
    step = mp.deduce(CERTAIN)[0]
    assert step.text in " ".join(printed(step).split())
    asking = mp.Game(LAYOUT, first_click="any")
    asking.question(0, 0)
    assert "? question mark" in printed(asking)
    assert max(map(len, printed(mp.draw(advice), width=20).splitlines())) <= 20


# pixels and files


def test_png_has_the_size_that_was_asked_for() -> None:
    picture = mp.draw(CERTAIN, odds=True)
    root = parsed(picture)
    data = picture.png(2)
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", data[16:24]) == tuple(2 * int(root.get(side, "")) for side in ("width", "height"))


def test_png_without_resvg_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(ImportError, match=r"pip install 'mineproof\[image\]'"):
        mp.draw(CERTAIN).png()


def test_png_without_a_font_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(raster, "_has_font", lambda: False)
    with pytest.raises(RuntimeError, match="A PNG needs a font"):
        mp.draw(CERTAIN).png()


def test_save_goes_by_the_name(tmp_path: Path) -> None:
    picture = mp.draw(CERTAIN)
    picture.save(tmp_path / "a.SVG")
    picture.save(str(tmp_path / "a.png"))
    assert (tmp_path / "a.SVG").read_text("utf-8") == picture.svg
    assert (tmp_path / "a.png").read_bytes() == picture.png()
    with pytest.raises(ValueError, match=r"the name must end with \.svg or \.png, got '\.jpg'"):
        picture.save(tmp_path / "a.jpg")


@pytest.mark.parametrize("scale", [0, -1, 17, float("nan")])
def test_scales_have_bounds(scale: float) -> None:
    with pytest.raises(ValueError, match=r"^scale must be "):
        mp.draw(CERTAIN).png(scale)


@pytest.mark.slow
def test_pixels_have_a_bound() -> None:
    large = mp.draw(mp.Board(200, 200, b"\xff" * 40_000, 5))
    with pytest.raises(ValueError, match=r"A picture has at most 50,000,000 pixels, got .* pixels"):
        large.png(2)


def test_what_cannot_be_drawn_is_named() -> None:
    with pytest.raises(TypeError, match=r"expected a board, .*, got int"):
        mp.draw(3)  # type: ignore[arg-type]


# the drawings of the docs


@pytest.mark.slow
def test_the_drawings_of_the_docs_are_what_is_drawn_now() -> None:
    root = Path(__file__).parents[2]
    spec = importlib.util.spec_from_file_location("drawings", root / "tools/drawings.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    made = {name: picture.svg for name, picture in module.drawings()}
    stored = {name: (root / "docs/pictures" / name).read_text("utf-8") for name in made}
    assert [name for name in made if made[name] != stored[name]] == []


@pytest.mark.parametrize("text", ["1F/11", "00/00"])
def test_a_finished_board_is_called_finished(text: str) -> None:
    analysis = mp.analyze(mp.Board.parse(text, total_mines=text.count("F")))
    svg = mp.draw(analysis).svg
    assert message("picture-finished") in svg
    assert message("picture-nothing-certain") not in svg
