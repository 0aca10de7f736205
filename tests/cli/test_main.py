"""What every command keeps: where boards come from, how a run ends, and what goes where."""

import re
from dataclasses import fields
from itertools import islice
from pathlib import Path

import click
import pytest

from mineproof.bench import work
from mineproof.bench.work import BenchReport, Signature
from mineproof.cli import HEADINGS, main
from support.command import mineproof

ANSWER = ["analyze", "--mines", "1", "--json"]
WIDE = "\n".join("".join("#" if row % 2 or column % 2 else "3" for column in range(61)) for row in range(61))
CONTEXT = click.Context(main)
COMMANDS = main.list_commands(CONTEXT)
WITHOUT_JSON = {"play", "completion", "serve", "engine", "mcp"}  # which are for people, shells, browsers and programs


# where a board comes from


def test_a_literal_a_file_and_standard_input_are_the_same_board(tmp_path: Path) -> None:
    path = tmp_path / "position.txt"
    path.write_text("1#\n##\n")
    answers = [
        mineproof(*ANSWER, "1#/##"),
        mineproof(*ANSWER, str(path)),
        mineproof(*ANSWER, stdin="1#\n##\n"),
        mineproof(*ANSWER, "-", stdin="1#\n##\n"),
    ]
    assert [done.status for done in answers] == [0] * 4
    assert [done.json()["layouts"] for done in answers] == ["3"] * 4


def test_a_file_comes_before_a_literal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert mineproof("layouts", "1#", "--count").text == "1\n"
    Path("1#").write_text("##")
    assert mineproof("layouts", "1#", "--count").text == "4\n"


def test_a_board_spelled_like_a_folder_is_a_board() -> None:
    assert mineproof("layouts", "..", "--from", "mineproof", "--count").text == "1\n"


@pytest.mark.parametrize("name", ["game.mine", "./game", "../games/one", "/no/such/file", "~/game.txt"])
def test_a_file_that_is_not_there_is_bad_usage(name: str) -> None:
    done = mineproof("analyze", name)
    assert (done.status, done.text) == (2, "")
    assert f"{name}: file not found" in done.err


def test_a_file_that_cannot_be_opened_is_bad_usage(tmp_path: Path) -> None:
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    assert mineproof("analyze", str(loop)).status == 2


def test_a_board_longer_than_a_file_name_is_read() -> None:
    assert mineproof("layouts", "#" * 5000, "--mines", "1", "--count").text == "5000\n"


def test_a_link_and_a_forced_format() -> None:
    assert mineproof("analyze", "https://example.org/?analysis=adadaaabcOg", "--json").json()["mines"] == [[0, 2]]
    assert mineproof("analyze", "?1/11", "--from", "fair", "--json").json()["mines"] == [[0, 0]]
    flagged = mineproof("analyze", "?1/11", "--from", "mine", "--json").json()
    assert (flagged["mines"], flagged["mine_probability"][0][0]) == ([], 1.0)


def test_a_stream_of_cells_is_read_by_size() -> None:
    done = mineproof("analyze", "--from", "minedetector", "--size", "3x2", "--json", stdin="1 - 1 : 1 1 1 and so on")
    assert (done.json()["rows"], done.json()["columns"], done.json()["mines"]) == (2, 3, [[0, 1]])
    assert mineproof("analyze", "1#/##", "--size", "3x2").status == 3
    assert mineproof("analyze", "1#/##", "--size", "3by2").status == 2


def test_the_total_and_the_topology_must_agree_with_the_board() -> None:
    assert mineproof("analyze", "2x2x1/1#/##", "--mines", "2").status == 3
    assert mineproof("analyze", "2x2x1 hex/1#/##", "--topology", "torus").status == 3
    assert mineproof("layouts", "1##/###", "--topology", "hex", "--count").text == "16\n"
    assert mineproof("layouts", "1##/###", "--count").text == "12\n"


# how a run ends


@pytest.mark.slow
@pytest.mark.parametrize(
    ("status", "code", "arguments"),
    [
        (2, "usage", ["analyze", "1#", "--mine", "1"]),
        (2, "usage", ["analyze", "1#", "--mines", "-1"]),
        (2, "usage", ["analyze", "1#", "--density", "1"]),
        (2, "usage", ["analyze", "1#", "--density", "1/0"]),
        (2, "usage", ["analyze", "1#", "--budget", "nan"]),
        (2, "usage", ["analyze", "1#", "--flags", "perhaps"]),
        (2, "usage", ["analyze", "1#", "--from", "nowhere"]),
        (2, "usage", ["analyze", "1#", "--threads", "2"]),
        (2, "usage", ["simulate", "2x2x1", "3x3x1"]),
        (2, "file", ["analyze", "nowhere.mine"]),
        (2, "usage", ["analyse", "1#"]),
        (2, "usage", ["layouts", "1#", "--count", "--limit", "3"]),
        (2, "usage", ["layouts", "1#", "--sample", "1", "--limit", "3"]),
        (2, "usage", ["layouts", "1#", "--seed", "3"]),
        (2, "usage", ["bench", "--seconds", "0"]),
        (3, "syntax", ["analyze", "1#/#"]),
        (3, "syntax", ["analyze", "1#/#x"]),
        (3, "syntax", ["analyze", "1#", "--mines", "7"]),
        (3, "syntax", ["analyze", ""]),
        (3, "syntax", ["analyze", "b=32&m=60"]),
        (4, "contradiction", ["analyze", "3#/#1"]),
        (4, "contradiction", ["layouts", "1#/##", "--mines", "2"]),
        (4, "contradiction", ["layouts", "1#/##", "--mines", "2", "--sample", "1"]),
        (5, "budget", ["analyze", WIDE, "--states", "1000"]),
        (5, "budget", ["layouts", WIDE, "--budget", "0.2"]),
    ],
)
def test_exit_statuses(status: int, code: str, arguments: list[str]) -> None:
    plain, asked = mineproof(*arguments), mineproof(*arguments, "--json")
    assert (plain.status, plain.text) == (status, "")
    assert plain.err.startswith("mineproof: ")
    assert (asked.status, asked.text) == (status, "")
    assert asked.error()["schema"] == "mineproof/error/1"
    assert asked.error()["code"] == code
    assert asked.error()["message"]


def test_a_syntax_error_names_the_source_and_the_place(tmp_path: Path) -> None:
    path = tmp_path / "broken.txt"
    path.write_text("1#\n#x\n")
    assert mineproof("analyze", str(path)).err.startswith(f"mineproof: {path}: line 2, character 2: 'x' can be covered")
    assert "standard input: line 2" in mineproof("analyze", stdin="1#\n#").err
    assert "word: file not found" in mineproof("analyze", "word").err
    assert "'#w' (not a file, so read as a board)" in mineproof("analyze", "#w").err
    error = mineproof("analyze", str(path), "--json").error()
    assert (error["line"], error["column"]) == (2, 2)


def test_a_contradiction_names_numbers_and_the_wrong_flag() -> None:
    error = mineproof("analyze", "1F/F1", "--json").error()
    assert set(error) == {"schema", "code", "message", "cells", "uses_total", "wrong_flags", "text"}
    assert error["cells"] in ([[0, 0]], [[1, 1]])
    assert error["wrong_flags"] == [[0, 1], [1, 0]]
    assert mineproof("analyze", "1F/F1", "--flags", "ignore").status == 0


@pytest.mark.slow
def test_a_spent_budget_says_what_was_spent_and_how_to_allow_more() -> None:
    error = mineproof("analyze", WIDE, "--states", "1000", "--json").error()
    assert set(error) == {"schema", "code", "message", "limit", "seconds", "states", "width"}
    assert error["limit"] == "states"
    assert "--states N" in mineproof("analyze", WIDE, "--states", "1000").err


def test_a_layout_is_no_position() -> None:
    assert "This board shows where the mines are" in mineproof("analyze", "b=32&m=60").err
    assert "This board shows where the mines are" in mineproof("layouts", "b=32&m=60").err


# help


def test_bare_call_shows_help_as_bad_usage() -> None:
    done = mineproof()
    assert (done.status, done.text) == (2, "")
    assert "Usage: mineproof" in done.err


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_every_command(name: str) -> None:
    done = mineproof(name, "--help")
    assert (done.status, done.err) == (0, "")
    assert done.lines[0].startswith(f"Usage: mineproof {name} ")
    assert [line for line in done.lines if re.match(rf" +mineproof {name}( |$)", line)], "an example"
    assert ("--json" in done.text) == (name not in WITHOUT_JSON)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_listed_with_what_it_does(name: str) -> None:
    command = main.get_command(CONTEXT, name)
    assert command is not None
    assert (command.name, command.hidden) == (name, False)
    first_sentence = " ".join((command.help or "").partition("\n\n")[0].split())
    assert first_sentence
    assert f" {name} {first_sentence} " in " ".join(mineproof("-h").text.split())


def test_commands_are_listed_in_groups() -> None:
    lines = mineproof("-h").lines
    assert [line for line in lines if line.removesuffix(":") in HEADINGS.values()] == [
        f"{words}:" for words in HEADINGS.values()
    ]
    listed = [line.split()[0] for line in lines[lines.index("Understand a position:") :] if re.match("  [a-z]", line)]
    assert [name for name in listed if name in COMMANDS][: len(COMMANDS)] == COMMANDS
    for first, words in HEADINGS.items():
        assert lines[lines.index(f"{words}:") + 1].split()[0] == first


@pytest.mark.parametrize("name", COMMANDS)
def test_bad_usage_of_every_command(name: str) -> None:
    done = mineproof(name, "--no-such-option")
    assert (done.status, done.text) == (2, "")
    assert done.err.startswith("mineproof: No such option")
    assert f"Try 'mineproof {name} --help'." in done.err


@pytest.mark.parametrize("name", [name for name in COMMANDS if name not in WITHOUT_JSON])
def test_bad_usage_of_every_command_in_json(name: str) -> None:
    done = mineproof(name, "--no-such-option", "--json")
    assert (done.status, done.text) == (2, "")
    assert (done.error()["schema"], done.error()["code"]) == ("mineproof/error/1", "usage")
    assert "--no-such-option" in done.error()["message"]


def test_version() -> None:
    from mineproof import __version__

    assert mineproof("--version").text == f"mineproof {__version__}\n"


# bench


@pytest.mark.slow
def test_bench(monkeypatch: pytest.MonkeyPatch) -> None:
    """That the signature is the right one is asserted in golden/test_signature.py; here it is made of two positions."""
    whole = work.corpus
    monkeypatch.setattr(work, "corpus", lambda: islice(whole(), 2))
    done = mineproof("bench", "--seconds", "0.01", "--json")
    assert "about 15 s, independent of --seconds" in done.err
    assert "for 0.01 s" in done.err
    answer = done.json()
    assert answer["schema"] == "mineproof/bench/1"
    signature = Signature(**{each.name: answer[each.name] for each in fields(Signature)})
    words = BenchReport(signature, answer["median_microseconds"], answer["positions_per_second"]).text
    assert words.splitlines()[:4] == ["engine     kernel", "positions  2", f"answers    {answer['answers']}",
                                      f"states     {answer['states']:,}"]  # fmt: skip
