"""The plots of a report, drawn by matplotlib: what they show is decided here, how they are written in `images`.

Lines      Configurations that differ in the mines alone are a line. No axes have more than seven lines: what is more
           becomes small multiples, and what is more than these can hold is left out, with a sentence that says so.
Marks      A line has a colour, a marker and a dash of its own, so that it is told from others without colour. The
           colours are those of Okabe and Ito, which people see apart whichever colours they see.
Intervals  Every share has its 95 % interval: Wilson's, of each point on its own.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from mineproof.base.words import at, plural
from mineproof.reports import images
from mineproof.reports.counting import Bin, Losses, together
from mineproof.reports.images import COLOURS, INK, LINE, QUIET
from mineproof.reports.naming import differing, evenly, grouped, name, shown
from mineproof.simulation.results import Totals

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_LINES = len(COLOURS)
MOST_PANELS = 30  # with the win rates, of which none is left out if it can be helped
MOST_CURVES = 12  # panels of survival, each with up to `MOST_LINES` lines
MOST_MAPS = 12
MOST_STEPS = 160  # of a line of survival: finer than can be seen
BOARD = ("board", "topology", "first click")  # what a board is called by, whatever its mines
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
NO_LOSS = "#000b1c"  # darker than any colour of the scale
FEWEST = 20  # guesses of a bin that is drawn, unless there are no others
NARROW = 0.1  # an interval that the scale of differences goes by; wider ones may go beyond it


Named = dict[str, Any]  # what matplotlib drew, by the name in the legend


class Data(NamedTuple):
    """What plots are drawn from: configurations, and how their games were lost if that is known."""

    found: Sequence[Totals]
    losses: Sequence[Losses]


@dataclass(frozen=True)
class Plot:
    """A plot by the name of its file, with what is said beside it: a title, a caption, and a text in its place."""

    name: str
    title: str
    caption: str
    alternative: str
    draw: Callable[[], Figure]

    @cached_property
    def svg(self) -> str:
        return images.svg(self._figure, self.name)

    @cached_property
    def png(self) -> bytes:
        return images.png(self._figure)

    @cached_property
    def _figure(self) -> Figure:
        return images.laid_out(self.draw)


def plots(data: Data) -> list[Plot]:
    """All plots that the data allow, in the order in which they are read."""
    made = [_win_rates(data.found)]
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
    """A figure with so many axes, the last ones of the grid left out."""
    from matplotlib.figure import Figure

    columns = min(columns, panels)
    rows = -(-panels // columns)
    figure = Figure(figsize=(WIDTH, rows * height + extra), layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False, **options).ravel().tolist()
    for each in axes[panels:]:
        each.remove()
    return figure, axes[:panels]


def _folded(title: str, columns: int) -> str:
    """A title over axes of which so many stand side by side."""
    return "\n".join(textwrap.wrap(title, 84 // columns))


def _style(number: int) -> dict[str, Any]:
    """How a line looks, by its number: no two of 49 look alike."""
    place, turn = number % MOST_LINES, number // MOST_LINES
    marker, dash = (place + turn) % MOST_LINES, (place + 2 * turn) % MOST_LINES
    return {"color": COLOURS[place], "marker": MARKERS[marker], "linestyle": DASHES[dash]}


def _legend(figure: Figure, drawn: Named) -> None:
    """One legend for all axes, above them; none for a line that is alone."""
    if len(drawn) > 1:
        longest = max(map(len, drawn))
        columns = max(1, min(len(drawn), 4, 96 // (longest + 10)))
        _named(figure, drawn, loc="outside upper center", ncols=columns)


def _named(owner: Figure | Axes, drawn: Named, **options: Any) -> None:
    """A legend with any names: matplotlib itself would leave out those that begin with an underscore."""
    numbers = [str(number) for number in range(len(drawn))]
    legend = owner.legend(list(drawn.values()), numbers, **options)
    for text, label in zip(legend.get_texts(), drawn, strict=True):
        text.set_text(label)


def _evenly(found: Sequence[Totals], lists: Sequence[list[int]], parts: Sequence[str], most: int) -> list[list[int]]:
    """Some of many lists of configurations; those with the same ``parts`` stay together, where there is room."""
    same: dict[str, list[list[int]]] = {}
    for each in lists:
        same.setdefault(name(found[each[0]], parts), []).append(each)
    chosen = evenly(list(same.values()), max(1, most // max(map(len, same.values()))))
    return [each for together_there in chosen for each in together_there][:most]


def _percent(axes: Axes, which: str = "y") -> None:
    from matplotlib.ticker import FuncFormatter

    getattr(axes, f"{which}axis").set_major_formatter(FuncFormatter(lambda value, _: f"{100 * value:g} %"))


def _within(axes: Axes, values: Sequence[float], least: float = 0.05) -> None:
    """Shares as high as they are, with some room, and no less than a few points."""
    low, high = min(values), max(values)
    room = max(least - (high - low), 0.06 * (high - low)) / 2
    axes.set_ylim(max(-0.02, low - room), min(1.02, high + room))


# win rates


def _win_rates(found: Sequence[Totals]) -> Plot | None:
    played = [each for each in found if each.games]
    if not played:
        return None
    lines = grouped(played, ["mines"])
    alone = len(lines) <= MOST_LINES
    panels = [list(range(len(played)))] if alone else list(grouped(played, ["mines", "strategy"]).values())
    kept = evenly(panels, MOST_PANELS)
    parts = [part for part in differing(played) if part != "mines"]
    beside = 1 if alone else 5 if len(kept) > 12 else 3

    def draw() -> Figure:
        if alone:
            figure, axes = _grid(1, 1, 4.0, 0.22 * -(-len(lines) // 3))
        else:
            height = 1.7 if beside == 5 else 2.1
            figure, axes = _grid(len(kept), beside, height, 0.5, sharex=True, sharey=True)
        strategies = list(dict.fromkeys(each.strategy for each in played))
        shares = [each.mines / each.board_cells for each in played]
        wide = max(shares) - min(shares) or 0.5  # of one density: 2.5 points to each side
        drawn: Named = {}
        for one, panel in zip(axes, kept, strict=True):
            chosen = [played[number] for number in panel]
            of_panel = list(grouped(chosen, ["mines"]).values())
            for place, line in enumerate(of_panel):
                configurations = sorted((chosen[number] for number in line), key=lambda each: each.mines)
                first = configurations[0]
                label = name(first, parts if alone else ["strategy"])
                style = _style(place if alone else strategies.index(first.strategy))
                drawn[label] = _rate_line(one, configurations, style)
            _percent(one)
            _percent(one, "x")
            if not alone:
                title = name(chosen[0], [part for part in parts if part != "strategy"])
                one.set_title(_folded(title, beside))
        values = [end for panel in kept for number in panel for end in played[number].interval]
        for one in axes:
            _within(one, values)
            one.set_xlim(min(shares) - 0.05 * wide, max(shares) + 0.05 * wide)
        if alone and len({each.board_cells for each in played}) == 1:
            _mines_above(axes[0], played)
        figure.supxlabel("share of cells that are mines")
        figure.supylabel("games won")
        _legend(figure, drawn)
        return figure

    left = _of(len(kept), len(panels), "board")
    return Plot(
        "win-rate",
        "Win rate against density",
        "Games won, with 95 % intervals, against the share of cells that are mines." + left,
        f"Line chart of the win rate against the density of mines, {plural(len(lines), 'line')}: "
        + "; ".join(_told(played, line, parts) for line in list(lines.values())[:MOST_LINES])
        + ("." if len(lines) <= MOST_LINES else "; and so on, as in the table."),
        draw,
    )


def _rate_line(axes: Axes, configurations: Sequence[Totals], style: dict[str, Any]) -> Any:
    """A line with its intervals, every point at its density: moved aside, lines that are equal would look apart."""
    density = [each.mines / each.board_cells for each in configurations]
    rates = [each.wins / each.games for each in configurations]
    reach = [
        [max(0.0, share - each.interval.low) for share, each in zip(rates, configurations, strict=True)],
        [max(0.0, each.interval.high - share) for share, each in zip(rates, configurations, strict=True)],
    ]
    return axes.errorbar(density, rates, yerr=reach, **style)


def _mines_above(axes: Axes, played: Sequence[Totals]) -> None:
    """The same scale in mines, where all boards have as many cells."""
    cells = played[0].board_cells
    ways: tuple[Any, Any] = (lambda share: share * cells, lambda mines: mines / cells)
    above = axes.secondary_xaxis("top", functions=ways)
    above.set_ticks(evenly(sorted({each.mines for each in played}), 12))
    above.set_xlabel("mines")
    above.tick_params(color=LINE, labelcolor=QUIET)
    above.spines["top"].set_visible(False)


def _told(found: Sequence[Totals], line: Sequence[int], parts: Sequence[str]) -> str:
    """The ends of a line in words."""
    ends = sorted((found[number] for number in line), key=lambda each: each.mines)
    words = [f"{100 * each.wins / each.games:.1f} % at {100 * each.mines / each.board_cells:.1f} %" for each in ends]
    return f"{name(ends[0], parts)} {words[0]}" + (f" to {words[-1]}" if len(words) > 1 else "")


def _of(shown_count: int, all_count: int, what: str) -> str:
    if shown_count == all_count:
        return ""
    return f" Drawn are {shown_count} of {plural(all_count, what)}, at equal steps; the tables have all."


# survival


def _survival(data: Data, by: str) -> Plot | None:
    numbers = [number for number, each in enumerate(data.losses) if each.games]
    if not numbers:
        return None
    found = [data.found[number] for number in numbers]
    parts = differing(found)
    alone = len(found) <= MOST_LINES
    panels = [list(range(len(found)))] if alone else list(grouped(found, ["mines"]).values())
    kept = _evenly(found, panels, BOARD, MOST_CURVES)
    chosen = [evenly(panel, MOST_LINES) for panel in kept]
    names = [[name(found[number], parts if alone else ["mines"]) for number in panel] for panel in chosen]
    shared = list(dict.fromkeys(each for panel in names for each in panel))  # one legend, if the panels have the same
    together_in_one = len(shared) <= MOST_LINES

    def draw() -> Figure:
        from matplotlib.ticker import MaxNLocator

        if alone:
            figure, axes = _grid(1, 1, 4.0, 0.22 * -(-len(found) // 3))
        else:
            height = 2.3 if together_in_one else 2.3 + 0.15 * max(-(-len(panel) // 2) for panel in names)
            figure, axes = _grid(len(kept), 3 if len(kept) > 2 else 2, height, 0.3, sharey=True)
        everything: Named = {}
        for one, panel, labels in zip(axes, chosen, names, strict=True):
            drawn: Named = {}
            last = max(len(getattr(data.losses[numbers[number]], by)) for number in panel)
            for place, (number, label) in enumerate(zip(panel, labels, strict=True)):
                style = _style(shared.index(label) if together_in_one else place)
                drawn[label] = _survival_line(one, data.losses[numbers[number]], by, last, style)
            _percent(one)
            one.xaxis.set_major_locator(MaxNLocator(5, integer=True))
            one.set_xlim(0, last)
            one.set_ylim(-0.02, 1.02)
            if not alone:
                title = name(found[panel[0]], [part for part in parts if part != "mines"])
                one.set_title(_folded(title, 3 if len(kept) > 2 else 2))
            if not together_in_one:
                place_below = (0.5, -0.12)
                _named(one, drawn, loc="upper center", bbox_to_anchor=place_below, ncols=2, fontsize=7, columnspacing=1)
            everything |= drawn
        figure.supxlabel(by)
        figure.supylabel("games not lost")
        if together_in_one:
            _legend(figure, everything)
        return figure

    count = "openings and flags" if by == "moves" else "openings that were not certain, the first click included"
    shown_lines = sum(map(len, chosen))
    return Plot(
        f"survival-{by}",
        f"Survival against {by}",
        f"Games that are not lost after so many {by} ({count}), with 95 % intervals. A game won is never lost, so a "
        f"line ends at the win rate.{_of(shown_lines, len(found), 'configuration')}",
        f"Falling lines: the share of games not lost against {by}. "
        + " ".join(
            f"{name(found[number], parts)}: {100 * found[number].wins / found[number].games:.1f} % in the end."
            for number in evenly([number for panel in chosen for number in panel], MOST_LINES)
        ),
        draw,
    )


def _survival_line(axes: Axes, losses: Losses, by: str, last: int, style: dict[str, Any]) -> Any:
    steps = evenly(losses.survival(by), MOST_STEPS)
    places = [0, *(step.after for step in steps), last]
    share = [1.0, *(step.share for step in steps)]
    low = [1.0, *(step.interval.low for step in steps)]
    high = [1.0, *(step.interval.high for step in steps)]
    every = max(1, len(places) // 6)
    axes.fill_between(places, [*low, low[-1]], [*high, high[-1]], step="post", color=style["color"], alpha=0.18, lw=0)
    [line] = axes.step(places, [*share, share[-1]], where="post", markevery=(every // 2, every), **style)
    return line


# calibration


def _calibration(data: Data) -> Plot | None:
    by: dict[str, list[Sequence[Bin]]] = {}
    for found, lost in zip(data.found, data.losses, strict=True):
        if lost.bins:
            by.setdefault(found.strategy, []).append(lost.bins)
    if not by:
        return None
    every_bin = {strategy: together(each) for strategy, each in by.items()}
    enough = {strategy: [one for one in each if one.guesses >= FEWEST] for strategy, each in every_bin.items()}
    bins = {strategy: each or every_bin[strategy] for strategy, each in enough.items()}
    kept = evenly(list(bins), 6)

    def draw() -> Figure:
        from matplotlib.figure import Figure

        columns = min(3, len(kept))
        blocks = -(-len(kept) // columns)
        figure = Figure(figsize=(WIDTH if columns > 1 else 4.6, 4.1 * blocks), layout="constrained")
        axes = figure.subplots(
            2 * blocks, columns, squeeze=False, sharex=True, sharey="row", height_ratios=[2.2, 1] * blocks
        )
        for place in range(blocks * columns):
            above, below = (
                axes[2 * (place // columns)][place % columns],
                axes[2 * (place // columns) + 1][place % columns],
            )
            if place < len(kept):
                _calibration_panel(above, below, bins[kept[place]], shown(kept[place]))
            else:
                above.remove()
                below.remove()
        every = [one for strategy in kept for one in bins[strategy]]
        axes[0][0].set_xlim(-0.02, min(1.02, max(one.high for one in every) + 0.02))
        for row in axes[::2]:
            row[0].set_ylim(-0.02, min(1.02, max(one.interval.high for one in every) + 0.02))
        narrow = [one for one in every if one.interval.high - one.interval.low <= NARROW] or every
        farthest = max(abs(end - one.stated) for one in narrow for end in one.interval)
        for row in axes[1::2]:
            row[0].set_ylim(-110 * farthest, 110 * farthest)
        axes[0][0].set_ylabel("guesses that were mines")
        axes[1][0].set_ylabel("difference\n(points)")
        figure.supxlabel("stated mine probability")
        return figure

    return Plot(
        "calibration",
        "Calibration of stated odds",
        "Above: of the guesses with a stated mine probability, so many were mines; on the line both are the same. "
        "Below: the difference in percentage points. With 95 % intervals, in steps of 5 points, over all "
        f"configurations of a strategy, where there are {FEWEST} guesses or more; the first click is left out. Wide "
        "intervals may go beyond the scale." + _of(len(kept), len(bins), "panel"),
        "Stated mine probability against the share of guesses that were mines. "
        + " ".join(_calibrated(strategy, bins[strategy]) for strategy in kept),
        draw,
    )


def _calibrated(strategy: str, bins: Sequence[Bin]) -> str:
    inside = sum(each.interval.low <= each.stated <= each.interval.high for each in bins)
    guesses = sum(each.guesses for each in bins)
    return f"{shown(strategy)}: {inside} of {len(bins)} intervals hold what was stated, guesses: {guesses:,}."


def _calibration_panel(above: Axes, below: Axes, bins: Sequence[Bin], title: str) -> None:
    stated = [each.stated for each in bins]
    reach = np.array([[each.share - each.interval.low, each.interval.high - each.share] for each in bins]).T
    reach = np.maximum(reach, 0)
    style = {**_style(0), "linestyle": "none"}
    above.plot([0, 1], [0, 1], color=QUIET, lw=1, zorder=1)
    above.errorbar(stated, [each.share for each in bins], yerr=reach, **style)
    below.axhline(0, color=QUIET, lw=1, zorder=1)
    below.errorbar(stated, [100 * (each.share - each.stated) for each in bins], yerr=100 * reach, **style)
    above.set_title(title)
    _percent(above)
    _percent(above, "x")


# where games are lost


def _maps(data: Data) -> Plot | None:
    numbers = [number for number, each in enumerate(data.losses) if each.lost and each.cells is not None]
    if not numbers:
        return None
    kept = [number for [number] in _evenly(data.found, [[each] for each in numbers], (*BOARD, "mines"), MOST_MAPS)]
    parts = differing(data.found)

    def draw() -> Figure:
        columns = min(3, len(kept)) if len(kept) != 4 else 2
        tallest = max(data.found[number].rows / data.found[number].columns for number in kept)
        wide = (4.6 if columns == 1 else WIDTH / columns) - 0.7
        lines = max(_folded(name(data.found[number], parts), columns).count("\n") for number in kept)
        figure, axes = _grid(len(kept), columns, min(wide * tallest, 4.5) + 0.7 + 0.15 * lines)
        if columns == 1:
            figure.set_figwidth(4.6)
        for place, (one, number) in enumerate(zip(axes, kept, strict=True)):
            title = _folded(name(data.found[number], parts), columns)
            _map(figure, one, data.found[number], data.losses[number], title)
            one.set_ylabel("row" if place % columns == 0 else "")
            one.set_xlabel("column" if place // columns == (len(kept) - 1) // columns else "")
        return figure

    hexagonal = any(data.found[number].topology == "hex" for number in kept)
    shape = " Hexagonal boards are drawn by rows and columns." if hexagonal else ""
    return Plot(
        "lost-cells",
        "Where games are lost",
        "Of the lost games, so many were lost by opening the mine at a cell; rows and columns count from 0, from the "
        f"top left. The scale is logarithmic; cells without a loss are black. The ring is the first click.{shape}"
        + _of(len(kept), len(numbers), "configuration"),
        "Heat maps of the board. " + " ".join(_mapped(data, number, parts) for number in kept[:MOST_LINES]),
        draw,
    )


def _mapped(data: Data, number: int, parts: Sequence[str]) -> str:
    cells = data.losses[number].cells
    assert cells is not None
    row, column = divmod(int(cells.argmax()), cells.shape[1])
    share = 100 * int(cells.max()) / data.losses[number].lost
    return f"{name(data.found[number], parts)}: most at {at((row, column))}, {share:.1f} % of the lost games."


def _map(figure: Figure, axes: Axes, found: Totals, losses: Losses, title: str) -> None:
    from matplotlib import colormaps
    from matplotlib.colors import LogNorm
    from matplotlib.ticker import FuncFormatter, MaxNLocator, NullLocator

    assert losses.cells is not None
    shares = np.ma.masked_equal(losses.cells, 0) * (100 / losses.lost)
    least, most = 100 / losses.lost, float(shares.max())
    colours = colormaps["cividis"].with_extremes(bad=NO_LOSS)
    # Corners lose a hundred times as many games as other cells: on an even scale nothing else would be seen.
    scale = LogNorm(least, max(most, 2 * least))
    image = axes.imshow(shares, cmap=colours, norm=scale, interpolation="none")
    axes.grid(visible=False)
    axes.set_title(f"{title}\n{plural(losses.lost, 'lost game')}")
    axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))
    axes.yaxis.set_major_locator(MaxNLocator(5, integer=True))
    if found.start != "random":
        row, column = found.start
        axes.plot(column, row, "o", ms=6, mfc="none", mec="#ffffff", mew=2.2)
        axes.plot(column, row, "o", ms=6, mfc="none", mec=INK, mew=0.9)
    bar = figure.colorbar(image, cax=axes.inset_axes((1.03, 0, 0.04, 1)))
    bar.ax.yaxis.set_minor_locator(NullLocator())
    ticks = [least, *(ten for ten in (0.001, 0.01, 0.1, 1.0, 10.0) if 2.5 * least < ten < most / 2.5), most]
    bar.set_ticks(sorted(set(ticks)))
    bar.ax.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:.2g} %" if value < 99.5 else "100 %"))
    bar.outline.set_visible(False)
