"""The sections of a page about one game: advice, time line, guesses, time, clicks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from mineproof.base.html_pages import bullets, facts, section, table
from mineproof.game.reviews import GuessReview, Review
from mineproof.lessons import replay
from mineproof.lessons.elements import advice_list, column_heads, escape, format_decimal, format_share, td
from mineproof.lessons.sentences import lost_time
from mineproof.practice.puzzles import technique_label
from mineproof.wording.catalogue import decimal, message, number, plural
from mineproof.wording.cells import cell_label
from mineproof.wording.phrases import seconds_text
from mineproof.wording.reviews import accuracy_text, luck_percentage

if TYPE_CHECKING:
    from mineproof.lessons.results import GuessLesson, Lesson, Pause
    from mineproof.pictures.draw_api import Picture

MARK_GAP_PERCENT = 3.0  # of the time line, between the numbers of two guesses


def subtitle(lesson: Lesson) -> str:
    """Size of the board, mines and player."""
    board = lesson.review.board
    fields = {
        "columns": number(board.columns),
        "rows": number(board.rows),
        "mines": plural("lesson-mines", board.total_mines or 0),
    }
    if board.topology == "grid":
        text = message("lesson-board", **fields)
    else:
        text = message("lesson-board-shaped", topology=board.topology, **fields)
    return message("lesson-played-by", board=text, player=lesson.player) if lesson.player else text


def game_sections(lesson: Lesson, name: str, practise: str | None) -> str:
    """All sections of a game; ``name`` is the prefix of their ids, unique on the page."""
    notes = lesson.review.notes
    parts = [
        section(message("lesson-section-advice"), advice_list(lesson.sentences, practise)),
        section(message("lesson-section-timeline"), _timeline(lesson, name)),
        section(message("lesson-section-guesses"), *_guess_parts(lesson, name)),
        section(message("lesson-section-time"), *_time_parts(lesson, name)),
        section(message("lesson-section-clicks"), *_click_parts(lesson, name)),
        section(message("lesson-section-odds"), bullets(notes)) if notes else "",
    ]
    return f'<div class="lesson" id="{name}">\n' + "\n".join(part for part in parts if part) + "\n</div>"


def _region_label(key: str, name: str) -> str:
    """The name of a region for screen readers, unique on the page."""
    return message(key, name=name.replace("-", " "))


def game_facts(review: Review) -> str:
    """The result of a game and its statistics."""
    numbers = review.numbers
    assert numbers is not None  # the game is finished
    bbbv, solved_bbbv = number(numbers.measures.bbbv), number(numbers.solved_bbbv)
    solved = bbbv if solved_bbbv == bbbv else message("lesson-fact-solved", solved=solved_bbbv, bbbv=bbbv)
    named = [
        (f"lesson-fact-{review.status}", f"{decimal(review.seconds, 2)} s"),
        ("lesson-fact-bbbv", solved),
        ("lesson-fact-speed", format_decimal(numbers.bbbv_per_second)),
        ("lesson-fact-clicks", number(numbers.clicks.total)),
        ("lesson-fact-efficiency", format_share(numbers.efficiency)),
        ("lesson-fact-guesses", _guess_count(review)),
        ("lesson-fact-accuracy", accuracy_text(review.accuracy)),
        ("lesson-fact-luck", luck_percentage(review.luck)),
        ("lesson-fact-help", "" if review.help_used is None or not review.help_used.any else review.help_used.text),
    ]
    return facts((message(key), value) for key, value in named if value)


def _guess_count(review: Review) -> str:
    if not review.guesses:
        return message("lesson-fact-none")
    needless = sum(not guess.forced for guess in review.guesses)
    return message("lesson-fact-guesses-value", guesses=number(len(review.guesses)), needless=number(needless))


# the time line


def _timeline(lesson: Lesson, name: str) -> str:
    last = len(lesson.timeline.steps)
    guess = message("lesson-button-guess")
    back, on = _icon("M11 3v10L4 8z"), _icon("M5 3v10l7-5z")
    buttons = {
        "start": _icon("M3 3h2v10H3zM13 3v10L6 8z"),
        "guess-before": f"{back} {escape(guess)}",
        "back": back,
        "on": on,
        "guess-after": f"{escape(guess)} {on}",
        "end": _icon("M3 3v10l7-5zM11 3h2v10h-2z"),
    }
    if not lesson.guesses:
        buttons = {jump: sign for jump, sign in buttons.items() if "guess" not in jump}
    button_tags = "".join(_button(jump, sign) for jump, sign in buttons.items())
    slider = (
        f'<input type="range" min="0" max="{last}" step="1" value="{last}" '
        f'aria-label="{escape(message("lesson-slider"))}">'
    )
    board_label = escape(_region_label("lesson-board-label", name))
    return (
        f'<div class="scroll" tabindex="0" role="group" aria-label="{board_label}" id="{name}-board">'
        f"{replay.board(lesson)}</div>\n"
        f"{_strip(lesson, name)}\n"
        f'<div class="controls" hidden>{button_tags}{slider}</div>\n'
        f'<p class="said" role="status">{escape(message("lesson-game-end"))}</p>\n'
        f'<script type="application/json" class="moves">{replay.moves(lesson)}</script>'
    )


def _button(jump: str, sign: str) -> str:
    label = escape(message(f"lesson-button-{jump}"))
    return f'<button type="button" data-jump="{jump}" aria-label="{label}" title="{label}">{sign}</button>'


def _icon(path: str) -> str:
    """A sign of a button, drawn: not every font has arrows."""
    return f'<svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d="{path}"/></svg>'


def _strip(lesson: Lesson, name: str) -> str:
    """The game along its time: a stroke per move, pauses as bars, guesses by their numbers."""
    places = _move_places(lesson)
    strokes = "".join(f"M{place:.2f} 0v1" for place in places)
    pauses = "".join(
        f'<rect class="pause" x="{places[pause.index - 1]:.2f}" y="0" '
        f'width="{places[pause.index] - places[pause.index - 1]:.2f}" height="1"/>'
        for pause in lesson.pauses
    )
    mark_places = spread([places[guess.guess.index] for guess in lesson.guesses])
    marks = "".join(
        f'<a href="#{name}-guess-{guess_number}" data-move="{guess.guess.index}" class="{_kind(guess.guess)}" '
        f'style="left:{place:.2f}%" title="{escape(replay.guess_title(guess_number, forced=guess.guess.forced))}">'
        f"{guess_number}</a>"
        for guess_number, (guess, place) in enumerate(zip(lesson.guesses, mark_places, strict=True), 1)
    )
    times = " ".join(f"{place:.4g}" for place in places)
    drawing = f'{pauses}<path d="{strokes}"/>'
    return (
        f'<div class="strip" data-times="{times}">'
        f'<svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">{drawing}</svg>'
        f'<i class="cursor"></i>{marks}</div>'
    )


def _move_places(lesson: Lesson) -> list[float]:
    """The place of each move from 0 to 100: by its time, or at equal distances without times."""
    steps = lesson.timeline.steps
    times = [step.ms for step in steps] if lesson.pace is not None else list(range(1, len(steps) + 1))
    return [100 * time / max(times[-1], 1) for time in times]


def spread(places: Sequence[float]) -> list[float]:
    """Move ascending places from 0 to 100 apart, so that no mark hides another.

    >>> spread([10.0, 50.0, 50.5, 99.5, 100.0])
    [10.0, 50.0, 53.0, 97.0, 100.0]
    """
    gap = min(MARK_GAP_PERCENT, 100 / max(len(places), 1))
    moved: list[float] = []
    for place in places:
        moved.append(max(place, moved[-1] + gap) if moved else place)
    limit = 100.0
    for index in reversed(range(len(moved))):
        moved[index] = min(moved[index], limit)
        limit = moved[index] - gap
    return moved


def _kind(guess: GuessReview) -> str:
    """The CSS class of a guess."""
    return "forced" if guess.forced else "needless"


# guesses


def _guess_parts(lesson: Lesson, name: str) -> Iterator[str]:
    if not lesson.guesses:
        yield f"<p>{escape(message('lesson-no-guesses'))}</p>"
        return
    yield f'<p class="quiet">{escape(lesson.review.luck_text)}.</p>'
    cards = "\n".join(_guess_card(guess, guess_number, name) for guess_number, guess in enumerate(lesson.guesses, 1))
    yield f'<div class="cards">\n{cards}\n</div>'
    if any(guess.cost is not None and not guess.exact for guess in lesson.guesses):
        yield f'<p class="note quiet">{escape(message("lesson-estimates"))}</p>'


def _guess_card(lesson: GuessLesson, guess_number: int, name: str) -> str:
    guess = lesson.guess
    is_lost = not guess.survived and not guess.undone
    lost = f', <span class="lost">{escape(message("lesson-guess-lost"))}</span>' if is_lost else ""
    at_move = message("lesson-at-move", move=number(guess.index + 1), seconds=decimal(guess.ms / 1000, 2))
    return (
        f'<article class="card {_kind(guess)}" id="{name}-guess-{guess_number}">\n'
        f"<h3>{escape(replay.guess_title(guess_number, forced=guess.forced))}{lost}</h3>\n"
        f'<p class="quiet">{escape(at_move)} {_show_link(name, guess.index)}</p>\n'
        f"<p>{escape(guess.text)}</p>\n{_figure(lesson.picture)}{_better_move(lesson)}</article>"
    )


def _show_link(name: str, index: int) -> str:
    return f'<a href="#{name}-board" data-move="{index}">{escape(message("lesson-show"))}</a>'


def _figure(picture: Picture | None) -> str:
    """A picture without its style, which the page has already."""
    if picture is None:
        return ""
    before, _, rest = picture.svg.partition("<style>")
    return f"<figure>{before}{rest.partition('</style>')[2].strip()}</figure>\n"


def _better_move(lesson: GuessLesson) -> str:
    parts = []
    if lesson.hint is not None:
        parts.append(f"{_certain_label(str(lesson.technique))} {escape(lesson.hint.text)}")
    elif lesson.best is not None:
        parts.append(f"{_strong('lesson-best-guess')} {escape(lesson.best.text)}")
    if lesson.cost_text:
        parts.append(f"{_strong('lesson-win-chance')} {escape(lesson.cost_text)}")
    return "".join(f"<p>{part}</p>\n" for part in parts)


def _strong(key: str) -> str:
    return f"<strong>{escape(message(key))}</strong>"


def _certain_label(technique: str) -> str:
    return message("lesson-by-technique", label=_strong("lesson-certain"), technique=escape(technique))


# time


def _time_parts(lesson: Lesson, name: str) -> Iterator[str]:
    pace = lesson.pace
    if pace is None:
        yield f"<p>{escape(message('lesson-no-times'))}</p>"
        return
    sentences = [
        message("lesson-pace", seconds=decimal(pace.usual, 2)),
        plural("lesson-waits", pace.waits, time=seconds_text(pace.long)),
        "" if pace.waits == pace.looked_at else plural("lesson-waits-checked", pace.looked_at),
        message("lesson-time-lost"),
    ]
    yield f"<p>{escape(' '.join(sentence for sentence in sentences if sentence))}</p>"
    if lesson.pauses:
        rows = [
            [td(technique), td(number(pauses), right=True), _seconds_cell(seconds), td(technique_label(technique))]
            for technique, pauses, seconds in lost_time(lesson.pauses)
        ]
        heads = column_heads(
            ("lesson-column-technique", False), ("lesson-column-pauses", True), ("lesson-column-lost", True), ("",
            False)
        )  # fmt: skip
        yield table(_region_label("lesson-time-table", name), heads, rows)
        longest = sorted(lesson.pauses, key=lambda pause: -pause.lost)
        yield f'<div class="cards">\n{"".join(_pause_card(pause, name) for pause in longest)}</div>'


def _seconds_cell(seconds: float) -> str:
    return td(seconds_text(seconds), right=True)


def _pause_card(pause: Pause, name: str) -> str:
    title = message("lesson-pause-title", time=seconds_text(pause.lost), move=number(pause.index + 1))
    text = message(
        "lesson-pause-text",
        time=seconds_text(pause.seconds),
        cell=cell_label(pause.cell),
        safe_time=seconds_text(pause.lay),
    )
    return (
        f'<article class="card">\n<h3>{escape(title)}</h3>\n'
        f'<p class="quiet">{escape(text)} {_show_link(name, pause.index)}</p>\n'
        f"{_figure(pause.picture)}<p>{_certain_label(pause.technique)} {escape(pause.hint.text)}</p>\n</article>\n"
    )


# clicks


def _click_parts(lesson: Lesson, name: str) -> Iterator[str]:
    numbers = lesson.review.numbers
    assert numbers is not None
    rows = [
        [
            td(message(f"lesson-row-{button}")),
            *(td(number(count), right=True) for count in (clicks, effective, max(clicks - effective, 0))),
        ]
        for button, clicks, effective in (
            *zip(("left", "right", "double"), numbers.clicks, numbers.effective, strict=True),
            ("all", numbers.clicks.total, numbers.effective.total),
        )
    ]
    heads = column_heads(
        ("lesson-column-clicks", False), ("lesson-column-made", True), ("lesson-column-effective", True),
        ("lesson-column-wasted", True),
    )  # fmt: skip
    yield table(_region_label("lesson-click-table", name), heads, rows)
    measures, flags = numbers.measures, lesson.flags
    sentences = [message("lesson-board-takes", bbbv=number(measures.bbbv), zini=number(measures.zini or 0))]
    if flags.placed:
        sentences += [plural("lesson-flags-placed", flags.placed), plural("lesson-flags-idle", flags.unused)]
    else:
        sentences.append(message("lesson-flags-none"))
    yield f"<p>{escape(' '.join(sentences))}</p>"
