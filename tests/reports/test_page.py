"""The plots and the page of a report: well-formed, everything named, nothing from elsewhere, the same bytes again."""

from __future__ import annotations

import os
import re
import struct
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from mineproof.base.extras import ExtraMissing
from mineproof.reports.images import COLOURS, VARIABLES
from mineproof.reports.labels import PARTS, name
from mineproof.reports.page import page as page_of
from mineproof.reports.plots import MARKERS, MAX_LINES, _style
from mineproof.reports.report_api import Report
from mineproof.simulation.results import Totals
from support.html import Page
from support.reports import made_report, totals

HOSTILE = '</text></svg><script src="https://evil.example/x.js">alert(1)</script>&amp;$x^2$\x1b[31m\x00 _a'
SVG = "{http://www.w3.org/2000/svg}"
PLOTS = ["win-rate", "survival-moves", "survival-guesses", "calibration", "lost-cells"]


def words_of(svg: str) -> list[str]:
    """The texts in a picture."""
    return ["".join(item.itertext()) for item in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def few() -> list[Totals]:
    return [
        totals(wins, mines=mines, strategy=strategy)
        for mines, wins in ((6, 100), (10, 60), (30, 0))
        for strategy in ("fast", "go")
    ]


@pytest.fixture(scope="module")
def small() -> Report:
    return made_report(few())


# pictures


@pytest.mark.slow
def test_every_plot_is_there_as_svg_and_png(small: Report) -> None:
    assert [plot.name for plot in small.plots] == PLOTS
    for plot in small.plots:
        root = ElementTree.fromstring(plot.svg)
        assert root.tag == f"{SVG}svg"
        assert plot.png.startswith(b"\x89PNG")
        width, height = struct.unpack(">II", plot.png[16:24])
        assert width > 600
        _, _, wide, high = map(float, root.attrib["viewBox"].split())
        assert width / height == pytest.approx(wide / high, rel=0.01)
        assert plot.caption.endswith(".")
        assert plot.alternative


def test_lines_are_named(small: Report) -> None:
    drawn = {plot.name: words_of(plot.svg) for plot in small.plots}
    assert {"fast", "go", "mines", "games won", "share of cells that are mines"} <= set(drawn["win-rate"])
    assert {f"{mines} mines, {who}" for mines in (6, 10, 30) for who in ("fast", "go")} <= set(drawn["survival-moves"])
    assert "fast" in drawn["calibration"]
    assert "go" not in drawn["calibration"], "it states no odds"
    assert {"10 mines, fast", "40 lost games", "column", "row"} <= set(drawn["lost-cells"])
    assert "6 mines, fast" not in drawn["lost-cells"], "no game was lost"


def test_lines_differ_without_colour() -> None:
    looks = [(style["color"], style["marker"], str(style["linestyle"])) for style in map(_style, range(49))]
    assert len(set(looks)) == 49
    first = [(_style(number)["marker"], str(_style(number)["linestyle"])) for number in range(MAX_LINES)]
    assert len({marker for marker, _ in first}) == len({dash for _, dash in first}) == MAX_LINES == len(MARKERS)


@pytest.mark.slow
def test_the_same_report_gives_the_same_bytes(small: Report) -> None:
    again = made_report(few())
    assert small.files() == again.files()
    assert set(small.files()) == {"report.html", *(f"{item}.{kind}" for item in PLOTS for kind in ("svg", "png"))}


@pytest.mark.slow
def test_another_process_gives_the_same_bytes(small: Report, tmp_path: Path) -> None:
    """With another hash seed, another clock, and the user's own style."""
    (tmp_path / "matplotlibrc").write_text("lines.linewidth: 9\naxes.facecolor: red\nfont.size: 30\n")
    code = (
        "from support.reports import made_report\nfrom unit_page import few\n"
        f"made_report(few()).write({str(tmp_path / 'out')!r})\n"
    )
    (tmp_path / "unit_page.py").write_text(
        "from support.reports import totals\ndef few():\n    return [totals(wins, mines=mines, strategy=strategy)\n"
        "        for mines, wins in ((6, 100), (10, 60), (30, 0)) for strategy in ('fast', 'go')]\n"
    )
    tests = Path(__file__).parents[1]
    settings = {"PYTHONHASHSEED": "77", "PYTHONPATH": f"{tmp_path}{os.pathsep}{tests}", "TZ": "Asia/Tokyo"}
    subprocess.run([sys.executable, "-c", code], check=True, cwd=tmp_path, env=os.environ | settings)
    for file, content in small.files().items():
        data = content.encode() if isinstance(content, str) else content
        assert (tmp_path / "out" / file).read_bytes() == data, file


def test_rates_of_0_and_1_stay_within_the_axes(small: Report) -> None:
    [plot] = [each for each in small.plots if each.name == "win-rate"]
    assert {"0 %", "100 %"} <= set(words_of(plot.svg))
    assert "-5 %" not in plot.svg
    assert "105 %" not in words_of(plot.svg)


@pytest.mark.slow
def test_one_configuration() -> None:
    summary = made_report([totals(40)])
    assert [plot.name for plot in summary.plots] == PLOTS
    [plot] = [each for each in summary.plots if each.name == "lost-cells"]
    assert "8 × 8, fast" in words_of(plot.svg)
    Page(summary.html)


def test_no_game_lost_and_no_game_played() -> None:
    won = made_report([totals(100)])
    assert "lost-cells" not in {plot.name for plot in won.plots}
    none = made_report([totals(0, 0)])
    assert none.plots == ()
    page = Page(none.html)
    assert "–" in page.rows[1]


@pytest.mark.slow
def test_200_configurations() -> None:
    """Small multiples; no axes with more lines than can be distinguished, and missing lines are named."""
    sizes = range(5, 30)
    densities = (0.08, 0.12, 0.16, 0.2)
    results = [
        totals(90 - place, rows=size, columns=size, mines=round(share * size * size), strategy=strategy)
        for size in sizes
        for place, share in enumerate(densities)
        for strategy in ("fast", "go")
    ]
    assert len(results) == 200
    summary = made_report(results)
    drawn = {plot.name: words_of(plot.svg) for plot in summary.plots if plot.name in ("win-rate", "lost-cells")}
    assert {f"{size} × {size}" for size in sizes} <= set(drawn["win-rate"])
    assert drawn["win-rate"].count("fast") == 1, "one legend for all"
    assert sum("lost game" in word for word in drawn["lost-cells"]) == 12
    captions = {plot.name: plot.caption for plot in summary.plots}
    assert "12 of 200 configurations" in captions["lost-cells"]
    assert "48 of 200 configurations" in captions["survival-moves"]
    assert "of" not in captions["win-rate"].split("mines.")[1].replace("of the same density", "")
    page = Page(page_of(summary.sweep, summary.pairs, summary.losses, (), summary.left_out))
    rates = page.rows[1:201]
    assert [row[:4] for row in rates] == [
        [PARTS["board"](result), f"{result.mines}", f"{100 * result.mines / result.board_cells:.1f} %", result.strategy]
        for result in results
    ]


# the page


def test_the_page_is_well_formed_and_names_every_configuration(small: Report) -> None:
    page = Page(small.html)
    assert page.tags.count("svg") == len(PLOTS)
    assert [row[0] for row in page.rows[1:7]] == ["6", "6", "10", "10", "30", "30"]
    assert page.rows[3][:7] == ["10", "15.6 %", "fast", "100", "60.00 %", "50.20 to 69.06", "9.00"]
    ids = [value for key, value in page.attributes if key == "id"]
    assert len(ids) == len(set(ids)), "names in one page are different"
    labelled = " ".join(value or "" for key, value in page.attributes if key == "aria-labelledby").split()
    assert labelled
    assert set(labelled) <= set(ids)
    used = {value[1:] for key, value in page.attributes if key == "href" and value and value.startswith("#")}
    used |= set(re.findall(r"url\(#([^)]+)\)", small.html))
    assert used
    assert used <= set(ids)


def test_the_page_asks_for_nothing_from_elsewhere(small: Report) -> None:
    page = Page(small.html)
    assert not {"script", "link", "iframe", "img", "object", "embed", "base", "form"} & set(page.tags)
    spaces = {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}
    for text in (small.html, *(plot.svg for plot in small.plots)):
        assert set(re.findall(r"https?://[^\s\"'<>)]+", text)) <= spaces
        assert not re.search(r"@import|url\((?!#)", text)
    for key, value in page.attributes:
        assert not key.startswith("on")
        if key in ("href", "src"):
            assert value is not None
            assert value.startswith(("#", "data:image/png;base64,"))


@pytest.mark.slow
def test_colours_of_a_plot_are_those_of_the_page(small: Report) -> None:
    for colour, variable in VARIABLES.items():
        assert f"{variable}:" in small.html
        assert f"fill: {colour}" not in small.html
        assert f"stroke: {colour}" not in small.html
    assert f"stroke: var({VARIABLES[COLOURS[0]]})" in small.html
    assert "@media (prefers-color-scheme: dark)" in small.html
    assert 'name="viewport"' in small.html


@pytest.mark.slow
def test_a_hostile_name_is_text_everywhere() -> None:
    summary = made_report([totals(40, strategy=HOSTILE), totals(50, strategy="fast")])
    page = Page(summary.html)
    shown = PARTS["strategy"](summary.sweep[0])
    assert "\x1b" not in shown
    assert "\x00" not in shown
    assert shown.startswith("</text></svg>"), "long names have their ends"
    assert "script" not in page.tags
    assert page.tags.count("svg") == len(PLOTS)
    assert shown in page.rows[1]
    for plot in summary.plots:
        if plot.name in ("win-rate", "calibration"):
            assert shown in words_of(plot.svg)
        assert not list(ElementTree.fromstring(plot.svg).iter(f"{SVG}script"))
    assert "<script" not in summary.html
    assert name(summary.sweep[0], ["strategy"]) == shown


@pytest.mark.parametrize("text", ["$x^2$", "_hidden", "a_b", "%s{}", "名前 🚩", "\\frac{1}{2}"])
def test_names_are_drawn_as_they_are(text: str) -> None:
    summary = made_report([totals(40, strategy=text), totals(50, strategy="fast")], per_game=False)
    assert text in words_of(summary.plots[0].svg)
    assert text in Page(summary.html).rows[1]


@pytest.mark.slow
def test_a_run_that_is_not_complete_says_so() -> None:
    summary = made_report([replace(totals(40), asked=1000)])
    assert "This run is not complete." in "".join(Page(summary.html).words)
    assert "100 of 1,000 games are finished" in "".join(Page(summary.html).words)


def test_without_matplotlib_the_rest_still_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    summary = made_report(few())
    with pytest.raises(ExtraMissing, match=r"plots needs matplotlib .*: pip install 'mineproof\[plot\]'"):
        _ = summary.plots
    assert [path.name for path in summary.write(tmp_path)] == ["report.html"]
    page = Page((tmp_path / "report.html").read_text("utf-8"))
    assert "svg" not in page.tags
    assert "pip install 'mineproof[plot]'" in "".join(page.words)
    assert len(page.rows) > 6


def test_files_take_the_place_of_older_ones(small: Report, tmp_path: Path) -> None:
    (tmp_path / "report.html").write_text("old")
    paths = small.write(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == set(small.files()) == {path.name for path in paths}
    with pytest.raises(TypeError, match="path must be a str, got int"):
        small.write(3)  # type: ignore[arg-type]
