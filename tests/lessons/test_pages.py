"""The page of a lesson: well-formed, escaped, nothing from elsewhere, and a time line that shows the game as it was."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

import mineproof as mp
from mineproof.board.geometry import Topology
from mineproof.board.outlines import SQUARE
from mineproof.game.rules import MoveKind
from mineproof.lessons import pages, replay
from mineproof.lessons.sections import spread
from mineproof.pictures.scene import Scene, board_scene, close_up
from mineproof.pictures.svg import piece, places
from mineproof.wording.catalogue import message, plural, use_language
from mineproof.wording.cells import use_cell_labels
from support.finished import finished
from support.html import Page
from support.positions import CLASSIC

HOSTILE = '</script></h1><script src="https://evil.example/x.js">alert(1)</script>&amp;"\x1b[31m'
LETTERS = {"c": "#", "f": "F", "q": "?", "m": "*", "x": "X", "w": "W"}


def restless(topology: Topology = "grid", *, absent: bool = False) -> mp.Game:
    """A lost game with flags, question marks, chords, and a mine that was taken back."""
    holes = frozenset([(0, 0), (3, 4)]) if absent else frozenset()
    mines = frozenset([(1, 5), (2, 2), (4, 6), (5, 0)]) - holes
    game = mp.Game(mp.Layout(6, 8, mines, topology=topology, absent=holes), first_click="any", clock=lambda: 0.0)
    moves: list[tuple[MoveKind, tuple[int, int] | None]] = [
        ("open", (5, 4)), ("flag", (1, 5)), ("question", (2, 2)), ("open", (2, 2)), ("undo", None), ("flag", (0, 1)),
        ("open", (1, 1)), ("open", (2, 3)), ("open", (4, 6)),
    ]  # fmt: skip
    for number, (kind, cell) in enumerate(moves):
        if cell is None or game.board[cell] < 0:
            game.play(kind, cell, ms=700 * number)
    assert game.status == "lost"
    return game


def data_of(lesson: mp.Lesson) -> Any:
    return json.loads(replay.moves(lesson))


def shown(data: Any, moves: int) -> str:
    """The board as the script shows it after so many moves, in the letters of our text."""
    signs = list(data["first"])
    for _, _, changes in data["steps"][:moves]:
        for place, sign in zip(changes[::2], changes[1::2], strict=True):
            signs[place] = sign
    return "".join(LETTERS.get(sign, sign) for sign in signs)


# the page


@pytest.fixture(scope="module")
def lesson() -> mp.Lesson:
    return mp.lesson(finished("9x9x20", seed=0), name="a game", player="somebody")


def test_it_is_one_sound_file(lesson: mp.Lesson) -> None:
    text = lesson.html()
    page = Page(text)
    assert text.startswith('<!doctype html>\n<html lang="en">')
    assert page.tags.count("script") == 2, "the moves, and what walks along them"
    assert not {"link", "img", "iframe", "object"} & set(page.tags)
    assert not re.findall(r"https?://(?!www\.w3\.org/2000/svg)", text)
    assert not [value for name, value in page.attributes if name in ("src", "srcset") or name.startswith("on")]
    assert "@import" not in text
    assert "url(" not in text
    links = [value or "" for name, value in page.attributes if name == "href"]
    ids = {value for name, value in page.attributes if name == "id"}
    assert links
    assert {link.removeprefix("#") for link in links} <= ids, "every link leads to something on the page"
    assert len(text) < 300_000


def test_everything_is_told_without_the_script(lesson: mp.Lesson) -> None:
    text = " ".join("".join(Page(lesson.html()).words).split())
    for sentence in lesson.sentences:
        assert sentence.text in text
        assert sentence.command is None or sentence.command in text
    for guess in lesson.guesses:
        assert " ".join(guess.guess.text.split()) in text
        assert guess.cost_text in text
        if guess.hint is not None:
            assert guess.hint.text in text
    assert text.count(message("lesson-show")) == len(lesson.guesses) + len(lesson.pauses)
    pictures = [*(guess.picture for guess in lesson.guesses), *(pause.picture for pause in lesson.pauses)]
    assert lesson.html().count("<figure>") == sum(picture is not None for picture in pictures)
    assert "played by somebody" in text


def test_names_are_text_and_nothing_else() -> None:
    coached = mp.lesson(finished("9x9x10"), name=HOSTILE, player=HOSTILE)
    several = mp.profile([coached, coached], unread=[(HOSTILE, HOSTILE)])
    for text in (coached.html(), several.html()):
        page = Page(text)
        assert "evil.example" in "".join(page.words)
        assert not [value for name, value in page.attributes if value and "evil.example" in value]
        assert page.tags.count("script") == 1 + (1 if text == coached.html() else 2)


def test_puzzles_are_linked_where_there_are_any(lesson: mp.Lesson) -> None:
    assert '<a class="practise"' not in lesson.html()
    linked = lesson.html(practise="/#/practise?technique=")
    techniques = {sentence.technique for sentence in lesson.sentences if sentence.technique is not None}
    assert techniques
    for technique in techniques:
        assert f'href="/#/practise?technique={technique}"' in linked
        assert f"mineproof puzzle --technique {technique}" in linked


def test_a_lesson_without_a_guess_or_times_says_so() -> None:
    text = mp.lesson(finished("3x3x1", ms=0)).html()
    assert message("lesson-no-times") in text
    certain = mp.Game(mp.Layout(1, 3, frozenset([(0, 2)])), clock=lambda: 0.0)
    certain.play("open", (0, 0), ms=0)
    assert message("lesson-no-guesses") in mp.lesson(certain).html()


def test_a_profile_folds_its_lessons_in(lesson: mp.Lesson, monkeypatch: pytest.MonkeyPatch) -> None:
    other = mp.lesson(restless("hex"), name="hexagons")
    text = mp.profile([lesson, other], unread=[("c.avf", "it is cut off")]).html()
    page = Page(text)
    assert page.tags.count("details") == 2
    assert "c.avf: it is cut off" in page.words
    ids = [value for name, value in page.attributes if name == "id"]
    assert len(ids) == len(set(ids))
    assert [row[0] for row in page.rows if row and row[0] == "partition"]
    monkeypatch.setattr(pages, "PROFILE_MAX_LESSONS", 1)
    short = mp.profile([lesson, other]).html()
    assert Page(short).tags.count("details") == 1
    assert plural("profile-more", 1) in short


# the time line


@pytest.mark.parametrize("topology", CLASSIC)
@pytest.mark.parametrize("absent", [False, True])
def test_the_board_after_each_move_is_that_of_the_game(topology: Topology, absent: bool) -> None:
    game = restless(topology, absent=absent)
    record, data = game.record(), data_of(mp.lesson(game))
    assert len(data["steps"]) == len(record.moves)
    for made in range(len(record.moves)):
        then = mp.Game.replay(record, upto=made)
        signs = str(then).replace("\n", "").replace("~", "")
        for cell in then.exploded:
            place = list(board_scene(then.board).looks).index(cell)
            signs = f"{signs[:place]}X{signs[place + 1 :]}"
        assert shown(data, made) == signs


def test_mines_stand_in_the_last_step_alone() -> None:
    game = finished("9x9x10", seed=1, won=False)
    data = data_of(mp.lesson(game))
    before = [sign for _, _, changes in data["steps"][:-1] for sign in changes[1::2]]
    assert not {"m", "x", "w"} & {*before, *data["first"]}
    end = shown(data, len(data["steps"]))
    assert (end.count("*"), end.count("X")) == (9, 1)
    won = data_of(mp.lesson(finished("9x9x10", seed=1)))
    assert shown(won, len(won["steps"])).count("F") == 10


def test_moves_cannot_end_their_script() -> None:
    lucky = replay.moves(mp.lesson(finished("9x9x40", seed=0)))
    assert "\\u003c 0.1 %" in lucky, "a smaller chance is shown like this"
    assert "<" not in lucky


def test_wrong_flags_are_shown_in_the_end() -> None:
    end = shown(data := data_of(mp.lesson(restless())), len(data["steps"]))
    assert (end.count("W"), end.count("X"), end.count("F")) == (1, 1, 1)


def test_the_board_without_the_script_is_that_of_the_end(lesson: mp.Lesson) -> None:
    letters = re.findall(r'<use href="#grid-(.)"', replay.board(lesson))
    data = data_of(lesson)
    assert "".join(LETTERS.get(letter, letter) for letter in letters) == shown(data, len(data["steps"]))
    drawn = set(re.findall(r'<g id="grid-(.)"', replay.pieces("grid")))
    assert set(letters) <= drawn


def test_moves_in_words(lesson: mp.Lesson) -> None:
    words = [step[0] for step in data_of(lesson)["steps"]]
    guess = lesson.guesses[1]
    assert words[guess.guess.index].endswith(f"Guess 2, {'forced' if guess.guess.forced else 'needless'}.")
    assert words[0].startswith(f"Move 1 of {len(words)}, 1.00 s: opened (0,0). The risk was ")
    texts = [step[0] for step in data_of(mp.lesson(restless()))["steps"]]
    assert any(message("review-move-undo") in text for text in texts)


def test_pages_are_in_the_language_of_the_reader(lesson: mp.Lesson) -> None:
    english = lesson.html()
    with use_language("de"), use_cell_labels("ruler"):
        page, profile = lesson.html(), mp.profile([lesson]).html()
        data = data_of(lesson)
    assert page.startswith('<!doctype html>\n<html lang="de">')
    assert profile.startswith('<!doctype html>\n<html lang="de">')
    for key in ("lesson-section-timeline", "lesson-show", "lesson-button-start", "lesson-section-clicks"):
        with use_language("de"):
            assert message(key) in page
            assert message(key) in profile
        assert message(key) not in page
        assert message(key) in english
    assert data["steps"][0][0].startswith(f"Zug 1 von {len(data['steps'])}, 1,00 s: A1 geöffnet.")
    assert data["texts"]["before"] == "Vor dem ersten Zug."
    assert "{number}" in data["texts"]["next"]
    assert "{move}" in data["texts"]["slider"]
    assert "{moves}" in data["texts"]["slider"]


def test_numbers_of_guesses_do_not_hide_each_other() -> None:
    assert spread([]) == []
    for wanted in ([0.0, 0.0, 0.0], [100.0, 100.0], [50.0] * 200, [0.0, 1.0, 2.0, 99.0, 99.5]):
        result = spread(wanted)
        assert all(-1e-6 <= place <= 100 for place in result)
        gap = min(3.0, 100 / len(wanted))
        assert all(second - first > gap - 1e-6 for first, second in pairwise(result))


# pictures


def test_a_close_up_keeps_its_numbers() -> None:
    board = finished("30x16x99").board
    scene = board_scene(board)
    part = close_up(scene, [(8, 20)])
    assert (part.rows, part.columns, part.first) == (6, 10, (6, 16))
    assert part.looks[2, 4] is scene.looks[8, 20]
    assert close_up(scene, [(0, 0), (15, 29)]) == replace(scene, first=(0, 0))
    corner = close_up(scene, [(15, 29)])
    assert (corner.first, corner.rows, corner.columns) == ((10, 20), 6, 10)
    torus = finished("9x9x10", topology="torus").board
    assert close_up(board_scene(torus), [(4, 4)]).rows == 9
    hexagons = close_up(board_scene(finished("30x16x99", topology="hex").board), [(8, 20)])
    assert hexagons.first[0] % 2 == 0
    wide = mp.draw(board)
    assert ">29</text>" in wide.svg


def test_pieces_are_what_pictures_are_made_of() -> None:
    scene: Scene = board_scene(mp.Board.parse("3F/##"))
    where = places(scene)
    (x, y) = where.middles[0, 0]
    drawn = piece(scene.looks[0, 0], SQUARE)
    assert '<text class="n n3" x="0"' in drawn
    assert f'<text class="n n3" x="{x:g}"' in mp.draw("3F/##").svg
    assert where.width > x > 0
    assert where.height > y > 0
    assert ">1</text>" in where.frame
