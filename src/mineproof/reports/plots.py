"""The plots of a report, drawn with matplotlib; `images` writes them.

Lines      Configurations that differ only in the mines form a line. Axes have at most seven lines. More lines become
           small multiples; if there are too many for these, some are left out and the caption says so.
Marks      Each line has its own colour, marker and dash, so lines can be distinguished without colour. The palette is
           Okabe and Ito's, which works for colour-blind readers.
Intervals  Every share has its own 95 % Wilson interval.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from mineproof.base.cached import cached_property
from mineproof.base.colours import PLOT_EMPTY, PLOT_MARK
from mineproof.base.words import at
from mineproof.board.topology import topology_named
from mineproof.reports import images
from mineproof.reports.game_counts import Bin, Losses, merge_bins
from mineproof.reports.images import COLOURS, INK, LINE, QUIET
from mineproof.reports.labels import differing_parts, evenly, group_by_parts, name, short_name
from mineproof.reports.tables import rate
from mineproof.simulation.results import Totals
from mineproof.wording.catalogue import language, message, plural, use_language
from mineproof.wording.catalogue import number as format_number

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MAX_LINES = len(COLOURS)
MAX_RATE_PANELS = 30
MAX_SURVIVAL_PANELS = 12  # each with up to `MAX_LINES` lines
MAX_HEATMAPS = 12
MAX_SURVIVAL_STEPS = 160  # of a line: finer than visible
BOARD = ("board", "topology", "first click")  # parts of the name of a board without its mines
MARKERS = "osD^vPX"
DASHES: tuple[Any, ...] = (
    "-",
    (0, (5, 2)),
    (0, (1, 1.5)),
    (0, (6, 2, 1, 2)),
    (0, (3, 1)),
    (0, (8, 3)),
    (0, (2, 2, 6, 2)),
)
WIDTH = 7.2  # inches
MIN_BIN_GUESSES = 20  # of a bin that is drawn, unless there are no others
NARROW = 0.1  # intervals up to this width set the scale of differences; wider ones may exceed it


LegendEntries = dict[str, Any]  # objects drawn by matplotlib, by their name in the legend


class PlotData(NamedTuple):
    """Data of the plots: configurations, and how their games were lost if that is known."""

    results: Sequence[Totals]
    losses: Sequence[Losses]


@dataclass(frozen=True)
class Plot:
    """A plot with the name of its file, a title, a caption, and a text alternative, all in one language."""

    name: str
    title: str
    caption: str
    alternative: str
    draw: Callable[[], Figure]
    language: str = field(default_factory=language)

    @cached_property
    def svg(self) -> str:
        with use_language(self.language):
            return images.svg(self._figure, self.name)

    @cached_property
    def png(self) -> bytes:
        with use_language(self.language):
            return images.png(self._figure)

    @cached_property
    def _figure(self) -> Figure:
        return images.lay_out(self.draw)


def plots(data: PlotData) -> list[Plot]:
    """Return all plots that the data allow, in reading order."""
    made = [_win_rates(data.results)]
    if data.losses:
        made += [
            _survival(data, "moves"),
            _survival(data, "guesses"),
            _calibration(data),
            _maps(data),
        ]
    return [plot for plot in made if plot is not None]


# axes


def _grid(panels: int, columns: int, height: float, extra: float = 0.0, **options: Any) -> tuple[Figure, list[Axes]]:
    """Return a figure with a grid of axes; unused ones at the end are removed."""
    from matplotlib.figure import Figure

    columns = min(columns, panels)
    rows = -(-panels // columns)
    figure = Figure(figsize=(WIDTH, rows * height + extra), layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False, **options).ravel().tolist()
    for unused in axes[panels:]:
        unused.remove()
    return figure, axes[:panels]


def _wrap_title(title: str, columns: int) -> str:
    """Wrap a title for axes in a grid with this number of columns."""
    return "\n".join(textwrap.wrap(title, 84 // columns))


def _style(number: int) -> dict[str, Any]:
    """Return the style of a line by its number; the first 49 are all different."""
    place, turn = number % MAX_LINES, number // MAX_LINES
    marker, dash = (place + turn) % MAX_LINES, (place + 2 * turn) % MAX_LINES
    return {"color": COLOURS[place], "marker": MARKERS[marker], "linestyle": DASHES[dash]}


def _legend(figure: Figure, drawn: LegendEntries) -> None:
    """Add one legend for all axes, above them; none for a single line."""
    if len(drawn) > 1:
        longest = max(map(len, drawn))
        columns = max(1, min(len(drawn), 4, 96 // (longest + 10)))
        _add_legend(figure, drawn, loc="outside upper center", ncols=columns)


def _add_legend(owner: Figure | Axes, drawn: LegendEntries, **options: Any) -> None:
    """Add a legend with any names; matplotlib would omit names that begin with an underscore."""
    numbers = [str(number) for number in range(len(drawn))]
    legend = owner.legend(list(drawn.values()), numbers, **options)
    for text, label in zip(legend.get_texts(), drawn, strict=True):
        text.set_text(label)


def _choose_lists(
    results: Sequence[Totals], lists: Sequence[list[int]], parts: Sequence[str], most: int
) -> list[list[int]]:
    """Choose at most ``most`` lists of configurations; those with the same ``parts`` stay together if possible."""
    same: dict[str, list[list[int]]] = {}
    for numbers in lists:
        same.setdefault(name(results[numbers[0]], parts), []).append(numbers)
    chosen = evenly(list(same.values()), max(1, most // max(map(len, same.values()))))
    return [numbers for group in chosen for numbers in group][:most]


def percent_label(percentage: float, digits: int = 6) -> str:
    """Return a percentage with the digits it has, at most ``digits`` significant ones."""
    shown = f"{percentage:.{digits}g}".replace(".", message("number-point"))
    return message("report-percent", percentage=shown)


def _percent(axes: Axes, which: str = "y") -> None:
    from matplotlib.ticker import FuncFormatter

    getattr(axes, f"{which}axis").set_major_formatter(FuncFormatter(lambda value, _: percent_label(100 * value)))


def _within(axes: Axes, values: Sequence[float], least: float = 0.05) -> None:
    """Set the limits of the y axis to the values with a margin, at least ``least`` apart."""
    low, high = min(values), max(values)
    room = max(least - (high - low), 0.06 * (high - low)) / 2
    axes.set_ylim(max(-0.02, low - room), min(1.02, high + room))


# win rates


def _win_rates(results: Sequence[Totals]) -> Plot | None:
    played = [totals for totals in results if totals.games]
    if not played:
        return None
    lines = group_by_parts(played, ["mines"])
    alone = len(lines) <= MAX_LINES
    panels = [list(range(len(played)))] if alone else list(group_by_parts(played, ["mines", "strategy"]).values())
    drawn_panels = evenly(panels, MAX_RATE_PANELS)
    parts = [part for part in differing_parts(played) if part != "mines"]
    beside = 1 if alone else 5 if len(drawn_panels) > 12 else 3

    def draw() -> Figure:
        if alone:
            figure, axes = _grid(1, 1, 4.0, 0.22 * -(-len(lines) // 3))
        else:
            height = 1.7 if beside == 5 else 2.1
            figure, axes = _grid(len(drawn_panels), beside, height, 0.5, sharex=True, sharey=True)
        strategies = list(dict.fromkeys(totals.strategy for totals in played))
        shares = [totals.mines / totals.board_cells for totals in played]
        wide = max(shares) - min(shares) or 0.5  # of one density: 2.5 points to each side
        drawn: LegendEntries = {}
        for one, panel in zip(axes, drawn_panels, strict=True):
            chosen = [played[number] for number in panel]
            of_panel = list(group_by_parts(chosen, ["mines"]).values())
            for place, line in enumerate(of_panel):
                configurations = sorted((chosen[number] for number in line), key=lambda totals: totals.mines)
                first = configurations[0]
                label = name(first, parts if alone else ["strategy"])
                style = _style(place if alone else strategies.index(first.strategy))
                drawn[label] = _rate_line(one, configurations, style)
            _percent(one)
            _percent(one, "x")
            if not alone:
                title = name(chosen[0], [part for part in parts if part != "strategy"])
                one.set_title(_wrap_title(title, beside))
        values = [end for panel in drawn_panels for number in panel for end in played[number].interval]
        for one in axes:
            _within(one, values)
            one.set_xlim(min(shares) - 0.05 * wide, max(shares) + 0.05 * wide)
        if alone and len({totals.board_cells for totals in played}) == 1:
            _mines_above(axes[0], played)
        figure.supxlabel(message("report-axis-density"))
        figure.supylabel(message("report-axis-won"))
        _legend(figure, drawn)
        return figure

    described = [_describe_line(played, line, parts) for line in list(lines.values())[:MAX_LINES]]
    if len(lines) > MAX_LINES:
        described.append(message("report-alternative-other-lines"))
    return Plot(
        "win-rate",
        message("report-plot-rates"),
        _caption(
            message("report-caption-rates"), _selection_note("report-some-boards", len(drawn_panels), len(panels))
        ),
        plural("report-alternative-rates", len(lines), lines="; ".join(described)),
        draw,
    )


def _rate_line(axes: Axes, configurations: Sequence[Totals], style: dict[str, Any]) -> Any:
    """Draw a line with its intervals. Points are not shifted sideways: equal lines would look different."""
    density = [totals.mines / totals.board_cells for totals in configurations]
    rates = [totals.wins / totals.games for totals in configurations]
    reach = [
        [max(0.0, share - totals.interval.low) for share, totals in zip(rates, configurations, strict=True)],
        [max(0.0, totals.interval.high - share) for share, totals in zip(rates, configurations, strict=True)],
    ]
    return axes.errorbar(density, rates, yerr=reach, **style)


def _mines_above(axes: Axes, played: Sequence[Totals]) -> None:
    """Add a scale in mines above the axes, for boards with the same number of cells."""
    cells = played[0].board_cells
    ways: tuple[Any, Any] = (lambda share: share * cells, lambda mines: mines / cells)
    above = axes.secondary_xaxis("top", functions=ways)
    above.set_ticks(evenly(sorted({totals.mines for totals in played}), 12))
    above.set_xlabel(message("report-axis-mines"))
    above.tick_params(color=LINE, labelcolor=QUIET)
    above.spines["top"].set_visible(False)


def _describe_line(results: Sequence[Totals], line: Sequence[int], parts: Sequence[str]) -> str:
    """Return a text about the ends of a line."""
    points = sorted((results[number] for number in line), key=lambda totals: totals.mines)
    texts = [
        message(
            "report-rate-at-density",
            rate=rate(totals.wins / totals.games, 1),
            density=rate(totals.mines / totals.board_cells, 1),
        )
        for totals in points
    ]
    ends = texts[0] if len(texts) == 1 else message("report-range", low=texts[0], high=texts[-1])
    return f"{name(points[0], parts)} {ends}"


def _caption(*sentences: str) -> str:
    return " ".join(sentence for sentence in sentences if sentence)


def _selection_note(key: str, drawn_count: int, all_count: int) -> str:
    """Return a note if some are left out, by the message of what there is."""
    if drawn_count == all_count:
        return ""
    return message("report-some", drawn=format_number(drawn_count), all=plural(key, all_count))


# survival


def _survival(data: PlotData, by: str) -> Plot | None:
    numbers = [number for number, lost in enumerate(data.losses) if lost.games]
    if not numbers:
        return None
    results = [data.results[number] for number in numbers]
    parts = differing_parts(results)
    alone = len(results) <= MAX_LINES
    panels = [list(range(len(results)))] if alone else list(group_by_parts(results, ["mines"]).values())
    drawn_panels = _choose_lists(results, panels, BOARD, MAX_SURVIVAL_PANELS)
    chosen = [evenly(panel, MAX_LINES) for panel in drawn_panels]
    names = [[name(results[number], parts if alone else ["mines"]) for number in panel] for panel in chosen]
    shared = list(dict.fromkeys(label for panel in names for label in panel))  # one legend if all panels have the same
    together_in_one = len(shared) <= MAX_LINES

    def draw() -> Figure:
        from matplotlib.ticker import MaxNLocator

        if alone:
            figure, axes = _grid(1, 1, 4.0, 0.22 * -(-len(results) // 3))
        else:
            height = 2.3 if together_in_one else 2.3 + 0.15 * max(-(-len(panel) // 2) for panel in names)
            figure, axes = _grid(len(drawn_panels), 3 if len(drawn_panels) > 2 else 2, height, 0.3, sharey=True)
        everything: LegendEntries = {}
        for one, panel, labels in zip(axes, chosen, names, strict=True):
            drawn: LegendEntries = {}
            last = max(len(getattr(data.losses[numbers[number]], by)) for number in panel)
            for place, (number, label) in enumerate(zip(panel, labels, strict=True)):
                style = _style(shared.index(label) if together_in_one else place)
                drawn[label] = _survival_line(one, data.losses[numbers[number]], by, last, style)
            _percent(one)
            one.xaxis.set_major_locator(MaxNLocator(5, integer=True))
            one.set_xlim(0, last)
            one.set_ylim(-0.02, 1.02)
            if not alone:
                title = name(results[panel[0]], [part for part in parts if part != "mines"])
                one.set_title(_wrap_title(title, 3 if len(drawn_panels) > 2 else 2))
            if not together_in_one:
                place_below = (0.5, -0.12)
                _add_legend(
                    one, drawn, loc="upper center", bbox_to_anchor=place_below, ncols=2, fontsize=7, columnspacing=1
                )
            everything |= drawn
        figure.supxlabel(message(f"report-axis-{by}"))
        figure.supylabel(message("report-axis-not-lost"))
        if together_in_one:
            _legend(figure, everything)
        return figure

    drawn_lines = [results[number] for panel in chosen for number in panel]
    ends = [
        message("report-survival-end", name=name(totals, parts), rate=rate(totals.wins / totals.games, 1))
        for totals in evenly(drawn_lines, MAX_LINES)
    ]
    return Plot(
        f"survival-{by}",
        message(f"report-plot-survival-{by}"),
        _caption(
            message(f"report-caption-survival-{by}"),
            message("report-caption-survival"),
            _selection_note("report-some-configurations", len(drawn_lines), len(results)),
        ),
        _caption(message(f"report-alternative-survival-{by}"), *ends),
        draw,
    )


def _survival_line(axes: Axes, losses: Losses, by: str, last: int, style: dict[str, Any]) -> Any:
    steps = evenly(losses.survival(by), MAX_SURVIVAL_STEPS)
    places = [0, *(step.after for step in steps), last]
    share = [1.0, *(step.share for step in steps)]
    low = [1.0, *(step.interval.low for step in steps)]
    high = [1.0, *(step.interval.high for step in steps)]
    every = max(1, len(places) // 6)
    axes.fill_between(places, [*low, low[-1]], [*high, high[-1]], step="post", color=style["color"], alpha=0.18, lw=0)
    [line] = axes.step(places, [*share, share[-1]], where="post", markevery=(every // 2, every), **style)
    return line


# calibration


def _calibration(data: PlotData) -> Plot | None:
    by: dict[str, list[Sequence[Bin]]] = {}
    for totals, lost in zip(data.results, data.losses, strict=True):
        if lost.bins:
            by.setdefault(totals.strategy, []).append(lost.bins)
    if not by:
        return None
    bins = {}
    for strategy, lists in by.items():
        merged = merge_bins(lists)
        bins[strategy] = [one for one in merged if one.guesses >= MIN_BIN_GUESSES] or merged
    strategies = evenly(list(bins), 6)

    def draw() -> Figure:
        from matplotlib.figure import Figure

        columns = min(3, len(strategies))
        blocks = -(-len(strategies) // columns)
        figure = Figure(figsize=(WIDTH if columns > 1 else 4.6, 4.1 * blocks), layout="constrained")
        axes = figure.subplots(
            2 * blocks, columns, squeeze=False, sharex=True, sharey="row", height_ratios=[2.2, 1] * blocks
        )
        for place in range(blocks * columns):
            above, below = (
                axes[2 * (place // columns)][place % columns],
                axes[2 * (place // columns) + 1][place % columns],
            )
            if place < len(strategies):
                _calibration_panel(above, below, bins[strategies[place]], short_name(strategies[place]))
            else:
                above.remove()
                below.remove()
        every = [one for strategy in strategies for one in bins[strategy]]
        axes[0][0].set_xlim(-0.02, min(1.02, max(one.high for one in every) + 0.02))
        for row in axes[::2]:
            row[0].set_ylim(-0.02, min(1.02, max(one.interval.high for one in every) + 0.02))
        narrow = [one for one in every if one.interval.high - one.interval.low <= NARROW] or every
        farthest = max(abs(end - one.stated) for one in narrow for end in one.interval)
        for row in axes[1::2]:
            row[0].set_ylim(-110 * farthest, 110 * farthest)
        axes[0][0].set_ylabel(message("report-axis-mine-guesses"))
        axes[1][0].set_ylabel(message("report-axis-difference"))
        figure.supxlabel(message("report-axis-stated"))
        return figure

    return Plot(
        "calibration",
        message("report-plot-calibration"),
        _caption(
            message("report-caption-calibration", guesses=format_number(MIN_BIN_GUESSES)),
            _selection_note("report-some-panels", len(strategies), len(bins)),
        ),
        _caption(
            message("report-alternative-calibration"),
            *(_describe_calibration(strategy, bins[strategy]) for strategy in strategies),
        ),
        draw,
    )


def _describe_calibration(strategy: str, bins: Sequence[Bin]) -> str:
    inside = sum(one.interval.low <= one.stated <= one.interval.high for one in bins)
    guesses = sum(one.guesses for one in bins)
    return plural(
        "report-calibration-of",
        len(bins),
        name=short_name(strategy),
        inside=format_number(inside),
        guesses=format_number(guesses),
    )


def _calibration_panel(above: Axes, below: Axes, bins: Sequence[Bin], title: str) -> None:
    stated = [one.stated for one in bins]
    reach = np.array([[one.share - one.interval.low, one.interval.high - one.share] for one in bins]).T
    reach = np.maximum(reach, 0)
    style = {**_style(0), "linestyle": "none"}
    above.plot([0, 1], [0, 1], color=QUIET, lw=1, zorder=1)
    above.errorbar(stated, [one.share for one in bins], yerr=reach, **style)
    below.axhline(0, color=QUIET, lw=1, zorder=1)
    below.errorbar(stated, [100 * (one.share - one.stated) for one in bins], yerr=100 * reach, **style)
    above.set_title(title)
    _percent(above)
    _percent(above, "x")


# where games are lost


def _maps(data: PlotData) -> Plot | None:
    numbers = [number for number, losses in enumerate(data.losses) if losses.lost and losses.cells is not None]
    if not numbers:
        return None
    alone = [[number] for number in numbers]
    drawn_numbers = [number for [number] in _choose_lists(data.results, alone, (*BOARD, "mines"), MAX_HEATMAPS)]
    parts = differing_parts(data.results)

    def draw() -> Figure:
        columns = min(3, len(drawn_numbers)) if len(drawn_numbers) != 4 else 2
        tallest = max(data.results[number].rows / data.results[number].columns for number in drawn_numbers)
        wide = (4.6 if columns == 1 else WIDTH / columns) - 0.7
        lines = max(_wrap_title(name(data.results[number], parts), columns).count("\n") for number in drawn_numbers)
        figure, axes = _grid(len(drawn_numbers), columns, min(wide * tallest, 4.5) + 0.7 + 0.15 * lines)
        if columns == 1:
            figure.set_figwidth(4.6)
        for place, (one, number) in enumerate(zip(axes, drawn_numbers, strict=True)):
            title = _wrap_title(name(data.results[number], parts), columns)
            _map(figure, one, data.results[number], data.losses[number], title)
            one.set_ylabel(message("report-axis-row") if place % columns == 0 else "")
            is_last = place // columns == (len(drawn_numbers) - 1) // columns
            one.set_xlabel(message("report-axis-column") if is_last else "")
        return figure

    hexagonal = any(topology_named(data.results[number].topology).has_shifted_rows for number in drawn_numbers)
    return Plot(
        "lost-cells",
        message("report-plot-lost-cells"),
        _caption(
            message("report-caption-lost-cells"),
            message("report-caption-hexagons") if hexagonal else "",
            _selection_note("report-some-configurations", len(drawn_numbers), len(numbers)),
        ),
        _caption(
            message("report-alternative-lost-cells"),
            *(_describe_map(data, number, parts) for number in drawn_numbers[:MAX_LINES]),
        ),
        draw,
    )


def _describe_map(data: PlotData, number: int, parts: Sequence[str]) -> str:
    cells = data.losses[number].cells
    assert cells is not None
    row, column = divmod(int(cells.argmax()), cells.shape[1])
    share = rate(int(cells.max()) / data.losses[number].lost, 1)
    return message("report-most-losses", name=name(data.results[number], parts), cell=at((row, column)), share=share)


def _map(figure: Figure, axes: Axes, totals: Totals, losses: Losses, title: str) -> None:
    from matplotlib import colormaps
    from matplotlib.colors import LogNorm
    from matplotlib.ticker import FuncFormatter, MaxNLocator, NullLocator

    assert losses.cells is not None
    shares = np.ma.masked_equal(losses.cells, 0) * (100 / losses.lost)
    least, most = 100 / losses.lost, float(shares.max())
    colours = colormaps["cividis"].with_extremes(bad=PLOT_EMPTY)
    # Corners lose a hundred times as many games as other cells: a linear scale would show nothing else.
    scale = LogNorm(least, max(most, 2 * least))
    image = axes.imshow(shares, cmap=colours, norm=scale, interpolation="none")
    axes.grid(visible=False)
    axes.set_title(f"{title}\n{plural('report-lost-games', losses.lost)}")
    axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))
    axes.yaxis.set_major_locator(MaxNLocator(5, integer=True))
    if totals.start != "random":
        row, column = totals.start
        axes.plot(column, row, "o", ms=6, mfc="none", mec=PLOT_MARK, mew=2.2)
        axes.plot(column, row, "o", ms=6, mfc="none", mec=INK, mew=0.9)
    bar = figure.colorbar(image, cax=axes.inset_axes((1.03, 0, 0.04, 1)))
    bar.ax.yaxis.set_minor_locator(NullLocator())
    ticks = [least, *(ten for ten in (0.001, 0.01, 0.1, 1.0, 10.0) if 2.5 * least < ten < most / 2.5), most]
    bar.set_ticks(sorted(set(ticks)))
    bar.ax.yaxis.set_major_formatter(FuncFormatter(lambda value, _: percent_label(value, 2 if value < 99.5 else 3)))
    bar.outline.set_visible(False)
