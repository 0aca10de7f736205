"""``mineproof review --lesson`` and ``--html``: sentences, pages, profiles, and what goes wrong with them."""

import json
from pathlib import Path

import pytest

import mineproof as mp
from support import texts
from support.command import mineproof
from support.finished import finished
from support.html import Page
from support.recordings import WRITERS, evf, small


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """A win with guesses, a loss, and a game of another program."""
    games = {"won.json": finished("9x9x20", seed=0), "lost.json": finished("9x9x10", seed=1, won=False)}
    for name, game in games.items():
        (tmp_path / name).write_text(game.save())
    (tmp_path / "other.evf").write_bytes(evf(small()))
    return [str(tmp_path / name) for name in (*games, "other.evf")]


@pytest.fixture
def running(tmp_path: Path) -> str:
    game = mp.Game(mp.Layout(2, 4, frozenset([(1, 0)])))
    game.open(0, 3)
    path = tmp_path / "running.json"
    path.write_text(game.save())
    return str(path)


def flat(text: str) -> str:
    return " ".join(text.split())


# sentences


@pytest.mark.slow
def test_five_sentences_stand_below_the_review(files: list[str]) -> None:
    plain, told = mineproof("review", files[0]), mineproof("review", files[0], "--lesson")
    assert (told.status, told.err) == (0, "")
    assert told.text.startswith(plain.text), "the review is what it is"
    found = mp.lesson(finished("9x9x20", seed=0), name="won.json")
    rest = flat(told.text[len(plain.text) :])
    for number, sentence in enumerate(found.sentences, 1):
        assert f"{number}. {sentence.text}" in rest
        assert sentence.command is None or sentence.command in rest


@pytest.mark.parametrize("columns", [20, 40, 80, 200])
def test_never_wider_than_the_terminal(files: list[str], columns: int) -> None:
    done = mineproof("review", *files, "--lesson", columns=columns)
    assert done.status == 0
    assert [line for line in done.lines if len(line) > columns and not line.startswith("==>")] == []


@pytest.mark.slow
def test_json_has_the_lesson_besides(files: list[str]) -> None:
    plain, told = mineproof("review", files[0], "--json").json(), mineproof("review", files[0], "--json", "--lesson")
    answer = told.json()
    lesson = answer.pop("lesson")
    assert answer == plain
    assert lesson == json.loads(json.dumps(mp.lesson(finished("9x9x20", seed=0), name="won.json").as_json()))
    assert mineproof("review", "--json", "--lesson", stdin=Path(files[0]).read_bytes()).json()["lesson"]["name"] == ""


@pytest.mark.slow
def test_several_games_end_with_their_profile(files: list[str]) -> None:
    done = mineproof("review", *files, "--lesson")
    assert done.status == 0
    assert "==> all 3 games <==" in done.lines
    assert "You won 2 of 3 games" in flat(done.text)
    documents = [json.loads(line) for line in mineproof("review", *files, "--lesson", "--json").lines]
    assert [each["schema"] for each in documents] == ["mineproof/review/1"] * 3 + ["mineproof/profile/1"]
    assert documents[-1]["names"] == ["won.json", "lost.json", "other.evf"]
    assert [each["schema"] for each in map(json.loads, mineproof("review", *files, "--json").lines)] == [
        "mineproof/review/1"
    ] * 3


# pages


@pytest.mark.parametrize("name", WRITERS)
def test_a_page_of_every_format(tmp_path: Path, name: str) -> None:
    path, out = tmp_path / f"game.{name[:3]}", tmp_path / "lesson.html"
    path.write_bytes(WRITERS[name](small()))
    done = mineproof("review", str(path), "--html", str(out))
    assert (done.status, done.err) == (0, "")
    assert "won in" in done.text
    assert f"Lesson: {path.name}" in Page(out.read_text("utf-8")).words


@pytest.mark.slow
def test_the_page_is_that_of_the_library(files: list[str], tmp_path: Path) -> None:
    out = tmp_path / "lesson.html"
    assert mineproof("review", files[0], "--html", str(out)).status == 0
    assert out.read_text("utf-8") == mp.lesson(finished("9x9x20", seed=0), name="won.json").html()
    profile = tmp_path / "profile.html"
    assert mineproof("review", *files, "--html", str(profile)).status == 0
    words = Page(profile.read_text("utf-8")).words
    assert texts.text("profile-page-title", 3) in words
    assert {"won.json", "lost.json", "other.evf"} <= set(words)


@pytest.mark.slow
def test_what_cannot_be_read_is_named_on_the_page(files: list[str], running: str, tmp_path: Path) -> None:
    out, bad = tmp_path / "profile.html", tmp_path / "<bad>.avf"
    bad.write_bytes(b"no game")
    done = mineproof("review", files[0], str(bad), running, str(tmp_path / "nowhere"), "--html", str(out))
    assert done.status == 3
    assert "The game is still running" in done.err
    words = "".join(Page(out.read_text("utf-8")).words)
    assert texts.text("profile-page-title", 1) in words
    assert f"{bad}: expected a saved game" in words
    assert f"{running}: The game is still running. A lesson needs a finished game." in words
    assert f"{tmp_path / 'nowhere'}: file not found" in words


def test_nothing_is_written_without_a_lesson(running: str, tmp_path: Path) -> None:
    out = tmp_path / "lesson.html"
    for arguments in ([running], [running, str(tmp_path / "nowhere")]):
        done = mineproof("review", *arguments, "--html", str(out))
        assert (done.status, out.exists()) == (2, False)
    assert mineproof("review", running, "--lesson").status == 2
    assert mineproof("review", running).status == 0


@pytest.mark.slow
def test_no_page_is_written_over_unasked(files: list[str], tmp_path: Path) -> None:
    out = tmp_path / "lesson.html"
    out.write_text("something")
    done = mineproof("review", files[0], "--html", str(out))
    assert (done.status, "already exists. Use --force to replace it" in done.err) == (2, True)
    assert out.read_text() == "something"
    assert mineproof("review", files[0], "--html", str(out), "--force").status == 0
    assert mineproof("review", files[0], "--html", str(out)).status == 0, "it holds the same"
    assert "<!doctype html>" in out.read_text("utf-8")


def test_pages_that_cannot_be_written(files: list[str], tmp_path: Path) -> None:
    folder = mineproof("review", files[0], "--html", str(tmp_path))
    assert (folder.status, "is a directory" in folder.err) == (2, True)
    below = mineproof("review", files[0], "--html", f"{files[1]}/lesson.html")
    assert (below.status, files[1] in below.err.replace("\n", "")) == (2, True)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk(files: list[str]) -> None:
    done = mineproof("review", files[0], "--html", "/dev/full")
    assert (done.status, done.err.splitlines()[-1]) == (2, "mineproof: /dev/full: No space left on device")


def test_the_budget_is_for_the_lesson_too(files: list[str], tmp_path: Path) -> None:
    out = tmp_path / "lesson.html"
    done = mineproof("review", files[0], "--html", str(out), "--budget", "1e-9")
    assert (done.status, out.exists()) == (5, False)
