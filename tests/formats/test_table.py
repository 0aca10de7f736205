"""The table of formats, and the lists elsewhere that must agree with it."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from mineproof import formats
from mineproof.formats.table import GAME_WRITERS, RECORDINGS, REPLAYS, SAVED, replay_names

ROOT = Path(__file__).parents[2]
SUFFIXES = {".py", ".md", ".po", ".js", ".html", ".json"}
MEASUREMENTS = {"benchmarks.md", "numbers.md"}  # they name the formats of the measured files
LIST = re.compile(r"\bAVF,(?:\s+(?!JSON)[A-Z]{3,5}\b,?){2,}")


def test_each_entry_can_do_something() -> None:
    assert all(entry.reads for entry in formats.FORMATS.values())
    assert set(GAME_WRITERS) <= {*REPLAYS, SAVED}
    assert all(formats.FORMATS[name].holds == "layout" for name in REPLAYS)
    assert all(formats.FORMATS[name].read_text is None for name in RECORDINGS)


def test_no_suffix_is_that_of_two_formats() -> None:
    suffixes = [suffix for entry in formats.FORMATS.values() for suffix in entry.suffixes]
    assert len(suffixes) == len(set(suffixes))
    assert all(suffix.startswith(".") for suffix in suffixes)


def test_lists_of_replay_formats_in_texts_are_those_of_the_table() -> None:
    lists = list(texts_with_lists())
    assert len(lists) > 10
    assert {text for _, text in lists} == {replay_names()}, lists


def test_the_page_takes_the_replays_of_the_table() -> None:
    script = (ROOT / "src/mineproof/web/static/app/panels/dropped.js").read_text("utf-8")
    match = re.search(r"const REPLAYS = \[(.*?)\]", script)
    assert match is not None
    assert sorted(re.findall(r'"(\w+)"', match[1])) == sorted(REPLAYS)


def test_reading_boards_loads_nothing_that_plays_games() -> None:
    code = (
        "import sys, mineproof as mp\n"
        "mp.formats.read(mp.formats.write(mp.formats.read('b=32&m=60').value, 'evf'))\n"
        "print(*sorted(name for name in sys.modules if name.startswith('mineproof.')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = done.stdout.split()
    assert "mineproof.formats.evf.writer" in loaded
    games = {"mineproof.game.game", "mineproof.formats.replays.mouse", "mineproof.formats.replays.recording_games",
             "mineproof.formats.evf.games", "mineproof.formats.rawvf.games"}  # fmt: skip
    assert not games & set(loaded)


def texts_with_lists() -> Iterator[tuple[str, str]]:
    """Yield lists of replay formats with their files; line ends count as blanks."""
    paths = [ROOT / "README.md", *(path for folder in ("src", "docs") for path in (ROOT / folder).rglob("*"))]
    for path in paths:
        if path.suffix in SUFFIXES and path.name not in MEASUREMENTS:
            for match in LIST.finditer(path.read_text("utf-8")):
                yield str(path.relative_to(ROOT)), " ".join(match[0].rstrip(",").split())
