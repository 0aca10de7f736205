"""Lessons: games whose lesson is known by hand, the five points of advice, pauses, clicks and flags."""

import json
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import pytest

import mineproof as mp
from mineproof.decision.moves import Option
from mineproof.errors import BudgetExceeded, IllegalMoveError
from mineproof.game.record import Clicks, Move, Record
from mineproof.lessons import coach, pauses
from mineproof.lessons.results import GuessLesson, Pace
from mineproof.lessons.sentences import Sentence
from mineproof.practice.puzzles import TECHNIQUES
from mineproof.wording.catalogue import has_message, message
from mineproof.wording.phrases import CellValue, Decimal, Phrase, Risk, Seconds, WinChance, phrase
from support.engines import REFERENCE
from support.finished import finished
from support.known_replays import folder, known_replays
from support.positions import CLASSIC

Moves = Sequence[tuple[str, tuple[int, int] | None, int]]

# The middle 1 sees all that the left one sees, and (1,2): that is safe, and (1,0) too. The second mine is below.
SUBSET = "111/###/###"


def played(position: str, mines: set[tuple[int, int]], moves: Moves) -> Record:
    """A game on from a position, with the time of each move."""
    given = mp.Board.parse(position, total_mines=len(mines))
    layout = mp.Layout(given.rows, given.columns, frozenset(mines))
    game = mp.Game(layout, first_click="any", given=given, clock=lambda: 0.0)
    for kind, cell, ms in moves:
        game.play(kind, cell, ms=ms)  # type: ignore[arg-type]
    return game.record()


def on(rows: str, moves: Moves, **options: object) -> mp.Game:
    lines = rows.split("/")
    mines = frozenset((r, c) for r, line in enumerate(lines) for c, sign in enumerate(line) if sign == "*")
    game = mp.Game(mp.Layout(len(lines), len(lines[0]), mines), clock=lambda: 0.0, **options)  # type: ignore[arg-type]
    for kind, cell, ms in moves:
        game.play(kind, cell, ms=ms)  # type: ignore[arg-type]
    return game


def needless() -> Record:
    moves = [("open", (2, 0), 0), ("open", (1, 0), 400), ("open", (1, 2), 800), ("open", (2, 1), 1200)]
    return played(SUBSET, {(1, 1), (2, 2)}, moves)


def point(found: mp.Lesson | mp.Profile, topic: str) -> list[tuple[str, int | None, dict[str, object]]]:
    """The phrases of a point: key, count and fields."""
    (sentence,) = [sentence for sentence in found.sentences if sentence.topic == topic]
    return [(part.key, part.count, dict(part.fields)) for part in sentence.phrases]


def keys(found: mp.Lesson | mp.Profile, topic: str) -> list[str]:
    return [key for key, _, _ in point(found, topic)]


def only(found: mp.Lesson) -> GuessLesson:
    (guess,) = found.guesses
    return guess


# guesses


def test_a_needless_guess_that_a_subset_would_have_saved() -> None:
    lesson = mp.lesson(needless())
    guess = only(lesson)
    assert (guess.guess.index, guess.guess.mine_fraction, guess.technique) == (0, Fraction(1, 3), "partition")
    assert guess.hint is not None
    assert guess.hint.because == ((0, 0), (0, 1))
    assert guess.best_option is not None
    assert guess.chosen_option is not None
    # One mine is in three cells, and the two safe numbers decide which: all are won. (2,0) loses a third.
    assert (guess.best_option.win_fraction, guess.chosen_option.win_fraction) == (Fraction(1), Fraction(2, 3))
    assert (guess.cost, guess.exact, guess.was_worse) == (float(Fraction(1, 3)), True, True)
    options = {
        "best": CellValue((1, 2)),
        "best_wins": WinChance(1.0, True),
        "chosen": CellValue((2, 0)),
        "chosen_wins": WinChance(2 / 3, True),
    }
    assert guess.cost is not None
    assert guess.cost_phrase == phrase("lesson-cost", **options)
    assert point(lesson, "guesses") == [("lesson-guesses-needless", 1, {}), ("lesson-technique-partition", None, {})]
    assert point(lesson, "choices") == [
        ("lesson-choices-not-forced", 1, {}),
        ("lesson-costliest", None, {"move": 1, **options}),
    ]
    assert lesson.sentences[1].command == "mineproof puzzle --technique partition"


def test_a_forced_guess_that_was_the_best_there_was() -> None:
    lesson = mp.lesson(on("..../*...", [("open", (0, 3), 0), ("open", (0, 0), 500)]))
    guess = only(lesson)
    assert (guess.guess.forced, guess.hint, guess.technique) == (True, None, None)
    assert guess.best is not None
    assert guess.best_option is not None
    assert (guess.best_option.win_fraction, guess.cost, guess.was_worse) == (Fraction(1, 2), 0.0, False)
    assert point(lesson, "guesses") == [("lesson-guesses-forced", 1, {})]
    assert point(lesson, "choices") == [("lesson-choices-best", 1, {})]
    assert point(lesson, "end") == [
        ("lesson-won-speed", None, {"time": Seconds(0.5), "bbbv": 2, "speed": Decimal(4.0, 2)}),
        ("lesson-luck", None, {"luck": Risk(0.5)}),
    ]


def test_a_forced_guess_that_was_the_safest_and_not_the_best() -> None:
    position = mp.Board.parse("#####/123##/###3#", total_mines=6)
    mines = next(set(layout) for layout in mp.enumerate_layouts(position) if (0, 1) not in layout)
    record = played("#####/123##/###3#", mines, [("open", (0, 1), 0), ("open", min(mines), 900)])
    first, last = mp.lesson(record).guesses
    assert first.best_option is not None
    assert (first.best_option.cell, first.best_option.win_fraction) == ((0, 0), Fraction(3, 5))
    assert first.cost == float(Fraction(1, 10))
    assert first.was_worse
    assert first.cost_text == "You opened (0,1), which wins 50 % of the time. (0,0) would have won 60 %."
    assert not last.guess.survived
    lesson = mp.lesson(replace(record, moves=record.moves))
    assert keys(lesson, "choices")[-2:] == ["lesson-costliest", "lesson-technique-guess"]
    options = {
        "best": CellValue((0, 0)),
        "best_wins": WinChance(0.6, True),
        "chosen": CellValue((0, 1)),
        "chosen_wins": WinChance(0.5, True),
    }
    assert point(lesson, "choices")[-2][2] == {"move": 1, **options}


@pytest.mark.parametrize(
    ("cell", "reason"),
    [
        ((2, 2), phrase("lesson-lost-needless", risk=Risk(1 / 3), cell=CellValue((1, 2)))),
        ((1, 1), phrase("lesson-lost-mine", cell=CellValue((1, 1)))),
    ],
)
def test_how_a_game_was_lost(cell: tuple[int, int], reason: Phrase) -> None:
    lesson = mp.lesson(played(SUBSET, {(1, 1), (2, 2)}, [("open", cell, 0)]))
    lost, why = lesson.sentences[0].phrases
    assert (lost.key, dict(lost.fields)["move"], dict(lost.fields)["solved"]) == ("lesson-lost", 1, 0)
    assert why == reason


def test_a_chord_next_to_a_wrong_flag() -> None:
    record = played(SUBSET, {(1, 1), (2, 2)}, [("flag", (1, 2), 0), ("chord", (0, 2), 100)])
    lesson = mp.lesson(record)
    assert point(lesson, "end")[-1] == ("lesson-lost-chord", None, {"cell": CellValue((0, 2))})
    guess = only(lesson)
    assert guess.hint is not None
    assert (guess.hint.kind, guess.hint.cell) == ("flag", (1, 2))
    assert guess.technique == "partition"


def test_a_chord_of_several_cells_has_no_chance_of_its_own() -> None:
    record = played("#####/121##/#####", {(0, 0), (0, 2), (2, 4)}, [("flag", (0, 1), 0), ("chord", (1, 0), 50)])
    guess = only(mp.lesson(record))
    assert len(guess.guess.cells) > 1
    assert (guess.chosen_option, guess.cost, guess.was_worse) == (None, None, False)
    assert guess.best_option is not None
    assert guess.cost_phrase is not None
    assert (guess.cost_phrase.key, dict(guess.cost_phrase.fields)["best"]) == (
        "lesson-cost-best",
        CellValue(guess.best_option.cell),
    )


def test_estimates_are_marked_and_told_apart_only_where_they_differ() -> None:
    game = mp.Game(mp.generate("expert", seed=3), first_click="safe", clock=lambda: 0.0)
    game.play("open", (8, 15), ms=0)
    far = next(cell for cell in game.board.cells(mp.COVERED) if min(abs(cell[0] - 8), abs(cell[1] - 15)) > 4)
    game.play("open", far, ms=10)
    mine = next(iter(sorted(mp.generate("expert", seed=3).mines)))
    if not game.is_over:
        game.play("open", mine, ms=20)
    guesses = [guess for guess in mp.lesson(game).guesses if guess.cost is not None and not guess.exact]
    assert guesses
    for guess in guesses:
        assert guess.best_option is not None
        assert guess.cost_phrase is not None
        wins = dict(guess.cost_phrase.fields)["best_wins"]
        assert wins == WinChance(guess.best_option.win_probability or 0.0, guess.best_option.exact)
        same_cell = guess.chosen_option is not None and guess.best_option.cell == guess.chosen_option.cell
        expected = "lesson-cost-none" if same_cell else "lesson-cost" if guess.was_worse else "lesson-cost-close"
        assert guess.cost_phrase.key == expected


@pytest.mark.parametrize(
    ("chosen", "text"), [(0.47, "That is too close to call."), (0.3, "(0,0) would have won about 50 %.")]
)
def test_estimates_that_differ_by_their_errors_are_no_reproach(chosen: float, text: str) -> None:
    best = Option((0, 0), 0.1, win_probability=0.5, standard_error=0.03)
    other = Option((0, 1), 0.1, win_probability=chosen, standard_error=0.03)
    changed = replace(only(mp.lesson(needless())), best_option=best, chosen_option=other)
    assert (changed.was_worse, changed.exact) == (chosen < 0.4, False)
    assert changed.cost_text.endswith(text)


def test_only_the_riskiest_guesses_are_told_in_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coach, "MAX_FULL_GUESSES", 2)
    lesson = mp.lesson(finished("9x9x20", seed=4))
    assert len(lesson.guesses) > 3
    full = [guess for guess in lesson.guesses if guess.picture is not None]
    assert len(full) == 2
    least = min(guess.guess.mine_fraction for guess in full)
    assert all(guess.guess.mine_fraction <= least for guess in lesson.guesses if guess.picture is None)
    assert all(guess.technique is not None for guess in lesson.needless), (
        "each has the technique that would have helped"
    )


# time


def test_a_pause_while_a_cell_was_certain() -> None:
    moves = [
        ("open", (1, 0), 0), ("flag", (1, 1), 500), ("open", (1, 2), 10_500), ("open", (2, 0), 11_000),
        ("open", (2, 1), 11_500),
    ]  # fmt: skip
    lesson = mp.lesson(played(SUBSET, {(1, 1), (2, 2)}, moves))
    assert lesson.pace == Pace(usual=0.5, long=1.5, waits=1, looked_at=1)
    (pause,) = lesson.pauses
    assert (pause.index, pause.ms, pause.seconds, pause.lost) == (2, 500, 10.0, 9.5)
    assert (pause.since, pause.lay) == (0, 10.5), "it was certain since the first move"
    assert pause.technique == "single-open", "the flag was there"
    assert point(lesson, "time") == [
        ("lesson-paused", 1, {"time": Seconds(9.5)}),
        ("lesson-technique-single-open", None, {}),
    ]
    assert lesson.lost_seconds == 9.5


def test_thinking_about_a_guess_is_not_lost() -> None:
    lesson = mp.lesson(on("..../*...", [("open", (0, 3), 0), ("open", (0, 0), 20_000)]))
    assert (lesson.pauses, lesson.pace) == ((), Pace(20.0, 60.0, 0, 0))
    moves = [("open", (0, 3), 0), ("flag", (1, 0), 10), ("flag", (1, 0), 20), ("open", (0, 0), 20_000)]
    lesson = mp.lesson(on("..../*...", moves))
    assert lesson.pace is not None
    assert (lesson.pauses, lesson.pace.waits) == ((), 1)
    assert point(lesson, "time") == [("lesson-waits-fine", 1, {})]


def test_without_times_nothing_is_lost() -> None:
    lesson = mp.lesson(played(SUBSET, {(1, 1), (2, 2)}, [("open", (1, 1), 0)]))
    assert (lesson.pace, lesson.pauses) == (None, ())
    assert point(lesson, "time") == [("lesson-time-unknown", None, {})]


def test_since_when_a_cell_was_certain_is_the_first_move_that_told_it() -> None:
    game = mp.Game(mp.generate("beginner", seed=1, no_guess=True, start=(4, 4)), clock=lambda: 0.0)
    game.play("open", (4, 4), ms=0)
    ms = 0
    while not game.is_over:
        ms += 5000 if len(game.moves) % 7 == 6 else 100
        game.play("open", min(mp.analyze(game.board).safe), ms=ms)
    lesson, record = mp.lesson(game), game.record()
    assert len(lesson.pauses) > 2
    for pause in lesson.pauses:
        known = [
            pause.cell in mp.analyze(mp.Game.replay(record, upto=made + 1).board).safe for made in range(pause.index)
        ]
        assert record.moves[known.index(True)].ms == pause.since


def test_moves_that_were_taken_back_tell_nothing_of_later(monkeypatch: pytest.MonkeyPatch) -> None:
    moves = [
        ("open", (1, 0), 0), ("open", (1, 2), 100), ("undo", None, 200), ("undo", None, 300), ("open", (1, 0), 400),
        ("open", (1, 2), 9_000), ("open", (2, 0), 9_100), ("open", (2, 1), 9_200),
    ]  # fmt: skip
    (pause,) = mp.lesson(played(SUBSET, {(1, 1), (2, 2)}, moves)).pauses
    assert pause.since >= 300
    monkeypatch.setattr(pauses, "MAX_ANALYZED_WAITS", 0)
    assert mp.lesson(played(SUBSET, {(1, 1), (2, 2)}, moves)).pauses == ()


# clicks


def test_wasted_clicks_and_what_would_save_them() -> None:
    record = replace(needless(), clicks=Clicks(9, 0, 3))
    assert point(mp.lesson(record), "clicks") == [
        ("lesson-clicks-bbbv", 12, {"bbbv": 4}),
        ("lesson-wasted-left", 5, {"wasted": 8}),
        ("lesson-advice-left", None, {}),
    ]
    record = replace(needless(), clicks=Clicks(4, 0, 3))
    assert point(mp.lesson(record), "clicks")[1:] == [
        ("lesson-wasted-all-chord", 3, {}),
        ("lesson-advice-chord", None, {}),
    ]
    assert keys(mp.lesson(needless()), "clicks")[-1] == "lesson-wasted-none"


def test_flags_that_no_chord_used() -> None:
    moves = [("open", (0, 5), 0), ("flag", (0, 0), 10), ("flag", (0, 4), 20), ("chord", (0, 5), 30)]
    moves += [("open", (0, column), 40) for column in (3, 2)]
    lesson = mp.lesson(on("*...*..", moves, first_click="any"))
    assert (lesson.flags.placed, lesson.flags.unused) == (2, 1), "the chord was next to the second alone"
    assert point(lesson, "clicks")[1:] == [
        ("lesson-wasted-none", None, {}),
        ("lesson-flags-unused", 1, {"placed": 2}),
    ]
    unused = [("open", (0, 5), 0), ("flag", (0, 0), 10), ("flag", (0, 4), 15)]
    unused += [("open", (0, column), 40) for column in (6, 3, 2)]
    lesson = mp.lesson(on("*...*..", unused, first_click="any"))
    assert point(lesson, "clicks")[-1] == ("lesson-flags-all-unused", 2, {})


def test_a_flag_that_was_there_and_is_taken_off_was_not_set() -> None:
    moves = [
        ("flag", (1, 1), 0),
        ("open", (1, 0), 10),
        ("open", (1, 2), 20),
        ("open", (2, 0), 30),
        ("open", (2, 1), 40),
    ]
    lesson = mp.lesson(played("111/#F#/###", {(1, 1), (2, 2)}, moves))
    assert (lesson.flags.placed, lesson.flags.unused) == (0, 0)


# what every lesson keeps


def many() -> list[mp.Lesson]:
    games = [finished("9x9x10", seed=seed, won=seed % 3 > 0) for seed in range(12)]
    games += [finished("9x9x10", seed=50, topology=shape) for shape in CLASSIC]
    return [mp.lesson(game, name=f"game {number}") for number, game in enumerate(games)]


@pytest.mark.slow
def test_five_sentences_whatever_happened() -> None:
    lessons = many()
    everything: list[mp.Lesson | mp.Profile] = [*lessons, mp.profile(lessons), mp.profile(lessons[:1])]
    for found in everything:
        assert [sentence.topic for sentence in found.sentences] == ["end", "guesses", "choices", "time", "clicks"]
        for sentence in found.sentences:
            assert sentence.text.endswith(".")
            assert "{" not in sentence.text + sentence.text_in("de"), "every field is filled in"
            assert ";" not in sentence.text
            assert sentence.technique in (None, *TECHNIQUES)
            if sentence.technique is not None:
                assert sentence.text.endswith(f" {message(f'lesson-technique-{sentence.technique}')}")
        assert found.text.count("\n") == found.text_in("de").count("\n") == 4
    assert all(has_message(f"lesson-technique-{technique}") for technique in TECHNIQUES)


@pytest.mark.slow
def test_the_numbers_of_the_sentences_are_those_of_the_lesson() -> None:
    for found in many():
        guesses, needless_ones = len(found.guesses), len(found.needless)
        key, count, fields = point(found, "guesses")[0]
        if not guesses:
            assert (key, count) == ("lesson-guesses-none", None)
        elif not needless_ones:
            assert (key, count) == ("lesson-guesses-forced", guesses)
        elif needless_ones == guesses:
            assert (key, count) == ("lesson-guesses-needless", guesses)
        else:
            assert (key, count, fields) == ("lesson-guesses-some-needless", needless_ones, {"guesses": guesses})
        assert len(found.guesses) == len(found.review.guesses)
        assert [guess.guess for guess in found.guesses] == list(found.review.guesses)


def test_the_same_game_gives_the_same_lesson() -> None:
    game = finished("9x9x10", seed=2)
    first, second = mp.lesson(game), mp.lesson(game.record())
    assert first == second
    assert json.dumps(first.as_json()) == json.dumps(second.as_json())
    assert first.html() == second.html()


def test_the_shape_of_its_json() -> None:
    lesson = mp.lesson(needless(), name="n", player="p")
    answer = json.loads(json.dumps(lesson.as_json()))
    assert (answer["schema"], answer["name"], answer["player"]) == ("mineproof/lesson/1", "n", "p")
    assert answer["review"]["schema"] == "mineproof/review/1"
    (guess,) = answer["guesses"]
    assert (guess["technique"], guess["best"], guess["cost"], guess["exact"]) == ("partition", [1, 2], 1 / 3, True)
    assert guess["hint"]["schema"] == "mineproof/hint/1"
    assert guess["chosen_win"]["win_fraction"] == "2/3"
    assert answer["sentences"][1]["command"] == "mineproof puzzle --technique partition"
    assert (answer["pauses"], answer["lost_by_technique"], answer["lost_seconds"]) == ([], [], 0)
    assert repr(lesson) == "<Lesson of n: won, 1 guess, 0 pauses>"


# what is refused


def test_a_running_game_has_no_lesson() -> None:
    game = mp.Game(mp.Layout(2, 4, frozenset([(1, 0)])))
    game.open(0, 3)
    with pytest.raises(IllegalMoveError, match="still running"):
        mp.lesson(game)
    with pytest.raises(TypeError):
        mp.lesson("game.avf")  # type: ignore[arg-type]


def test_limits() -> None:
    large = Record(mp.Layout(101, 100, frozenset([(0, 0)])), moves=(Move("open", (0, 0), 0),), over=True)
    with pytest.raises(BudgetExceeded, match="up to 10,000 cells, got 10,100"):
        mp.lesson(large)
    with pytest.raises(BudgetExceeded):
        mp.lesson(needless(), budget=1e-9)
    with pytest.raises(BudgetExceeded, match="Cancelled"):
        mp.lesson(needless(), budget=mp.Budget(cancelled=lambda: True))
    with pytest.raises(ValueError, match="at least 1 lesson"):
        mp.profile([])


def test_an_engine_that_does_not_play_leaves_out_what_cells_are_worth() -> None:
    guess = only(mp.lesson(needless(), engine=REFERENCE))
    assert (guess.technique, guess.cost, guess.best_option) == ("partition", None, None)
    forced = only(mp.lesson(on("..../*...", [("open", (0, 3), 0), ("open", (0, 0), 500)]), engine=REFERENCE))
    assert (forced.best, forced.cost_text, forced.text) == (None, "", "")
    assert forced.picture is not None


# many games


def test_a_profile_adds_lessons_up() -> None:
    lessons = [mp.lesson(needless(), name=name) for name in ("a", "b")]
    lessons.append(mp.lesson(on("..../*...", [("open", (0, 3), 0), ("open", (1, 0), 500)]), name="c"))
    profile = mp.profile(lessons, unread=[("d", "cannot be read")])
    assert (profile.games, profile.won, len(profile.guesses)) == (3, 2, 3)
    (missed,) = profile.missed
    assert (missed.technique, missed.guesses, missed.pauses, missed.seconds) == ("partition", 2, 0, 0.0)
    assert point(profile, "end") == [("profile-won", 3, {"won": 2}), ("profile-lost-forced", 1, {})]
    assert point(profile, "guesses") == [
        ("profile-guesses-some-needless", 2, {"games": 3, "guesses": 3}),
        ("lesson-technique-partition", None, {}),
    ]
    assert point(profile, "choices") == [("lesson-choices-best", 1, {})]
    assert point(profile, "clicks") == [
        ("profile-clicks-bbbv", 10, {"games": 3, "bbbv": 9}),
        ("lesson-wasted-none", None, {}),
    ]
    answer = json.loads(json.dumps(profile.as_json()))
    assert (answer["schema"], answer["needless"], answer["forced"]) == ("mineproof/profile/1", 2, 1)
    assert answer["unread"] == [{"name": "d", "message": "cannot be read"}]
    assert answer["names"] == ["a", "b", "c"]
    assert repr(profile) == "<Profile of 3 games: 2 won>"


def test_losses_that_could_have_been_avoided_are_counted() -> None:
    lost = mp.lesson(played(SUBSET, {(1, 1), (2, 2)}, [("open", (2, 2), 0)]))
    assert point(mp.profile([lost]), "end") == [
        ("profile-won", 1, {"won": 0}),
        ("profile-lost-all-needless", 1, {}),
    ]
    assert point(mp.profile([lost, lost]), "end")[-1] == ("profile-lost-all-needless", 2, {})


@pytest.mark.skipif(not known_replays(), reason="no replays of others here")
def test_real_replays_have_lessons() -> None:
    for known in known_replays():
        record = mp.read_replay(folder() / known["file"])
        if record.over:
            lesson = mp.lesson(record, name=known["file"])
            assert len(lesson.sentences) == 5
            assert len(lesson.html()) < 1_000_000


def test_a_sentence_without_a_technique_has_no_command() -> None:
    assert Sentence("end", (phrase("lesson-luck-none"),)).command is None
