"""Options that several commands share: one help text, one type, one form of error."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction

import click
import pytest

from mineproof.cli import COMMANDS, main
from mineproof.cli.mine_counts import mines_on
from support.command import mineproof

# Options whose name means different things in different commands, and why.
DIFFERENT = {
    "--certificate": "a file of check, a flag of generate",
    "--count": "layouts to generate, puzzles to ask, tasks to write, or only the number of layouts",
    "--data": "a history, a rating or the folder of a server",
    "--exact": "fractions of analyze, optimal play of best",
    "--flags": "hint checks flags",
    "--from": "a format, a kind of label file, or the position that play continues",
    "--games": "of one simulation, or of each configuration",
    "--level": "the detail of a hint, or a size",
    "--limit": "layouts, games, faults or best times",
    "--mines": "of a position, of a new board, or of many sizes",
    "--no-guess": "a layout or all new boards",
    "--output": "a file or a folder, with different contents",
    "--resume": "a file, a folder or a dataset",
    "--seconds": "to measure, or to think",
    "--show": "a solution, or a table of a technique",
    "--strategy": "plays whole games, or chooses a guess",
    "--technique": "the hardest one to use, or the one to practise",
    "--threads": "processes with --lines",
    "--to": "formats of boards, layouts or games",
    "--topology": "a sweep takes several",
    "--host": "a server for people, or for language models",
    "--port": "a server for people, or for language models",
    "--weighted": "of one strategy or two, or of all players of a league",
    "--until": "a standard error, an interval or a day",
    "--won": "a filter of history, a flag of stats",
    "--zini": "a range, or whether to compute it",
    "--budget": "for a board, a layout, a step, a puzzle or a game",
    "--per-game": "a number of positions, or records of games",
}


def commands() -> Iterator[tuple[str, click.Command]]:
    context = click.Context(main)
    for name in COMMANDS:
        command = main.get_command(context, name)
        assert command is not None
        yield name, command
        if isinstance(command, click.Group):
            yield from ((f"{name} {below}", one) for below, one in command.commands.items())


def options() -> Iterator[tuple[str, str, click.Option]]:
    for name, command in commands():
        for param in command.params:
            if isinstance(param, click.Option) and not param.hidden:
                yield max(param.opts, key=len), name, param


def sentence(option: click.Option) -> str:
    """The help without the default, which may differ."""
    return (option.help or "").partition("  [")[0]


def test_shared_options_have_one_help_text() -> None:
    texts: dict[str, set[str]] = defaultdict(set)
    for option, _, param in options():
        texts[option].add(sentence(param))
    assert {option for option, sentences in texts.items() if len(sentences) > 1} == set(DIFFERENT)


def test_every_option_has_a_help_text_that_is_a_sentence() -> None:
    for option, command, param in options():
        text = sentence(param)
        assert text[:1].isupper() or text.startswith(("one:", "3BV", "ZiNi")), (command, option, text)
        assert text.endswith((".", "NAMES")), (command, option, text)


def test_values_of_options_are_short() -> None:
    """A long list of values as the name of a value is wider than a terminal. Help texts can list them instead."""
    for option, command, param in options():
        with click.Context(click.Command(command)) as context:
            assert len(param.make_metavar(context)) <= 42, (command, option)


DIALECT = ("told", "whoever", "nobody", "somebody", "anybody", "goes on", "so many", "asked for", "wished", " is none",
           "lies there", "one's own", "unasked")  # fmt: skip


def test_help_has_no_dialect() -> None:
    for name, command in commands():
        with click.Context(command, info_name=name) as context:
            text = " ".join(command.get_help(context).split())
        assert [word for word in DIALECT if word in text] == [], name


# errors


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["simulate", "--games", "0"], "--games must be at least 1, got 0"),
        (["simulate", "--games", "1e30"], "--games must be at most 2**62 - 1, got '1e30'"),
        (["simulate", "--games", "many"], "--games must be a whole number such as 1000, 1_000 or 1e3, got 'many'"),
        (["serve", "--port", "abc"], "--port must be a whole number from 0 to 65535, got 'abc'"),
        (["serve", "--port", "70000"], "--port must be from 0 to 65535, got 70000"),
        (["hint", "1#", "--level", "9"], "--level must be from 1 to 4, got 9"),
        (["analyze", "1#", "--budget", "0"], "--budget must be a number of seconds above 0, got 0"),
        (["analyze", "1#", "--budget", "long"], "--budget must be a number of seconds above 0, got 'long'"),
        (["analyze", "1#", "--density", "2"],
         "--density must be a number between 0 and 1 such as 0.2, 1/5 or 20%, got 2"),
        (["analyze", "1#", "--topology", "disc"], "--topology must be one of grid, torus, hex, "),
        (["analyze", "1#", "--mines", "120%"],
         "--mines must be a number such as 99, or a percentage of the cells from 0% to 100%, got '120%'"),
        (["analyze", "1#", "--mines", "x%"],
         "--mines must be a number such as 99, or a percentage of the cells from 0% to 100%, got 'x%'"),
        (["generate", "--mines", "many"],
         "--mines must be a number such as 99, or a percentage of the cells from 0% to 100%, got 'many'"),
        (["generate", "--start", "4"], "--start must be ROW,COLUMN, counted from 0,0, got 4"),
        (["generate", "--bbbv", "5..3"], "--bbbv must be a number, or a range A..B, A.. or ..B with the smaller number "
         "first, got '5..3'"),
        (["sweep", "--until", "-1", "--games", "1"], "--until must be from 0.0001 to 50 percentage points, got -1.0"),
        (["sweep", "--first-click", "lucky"], "--first-click must be one or more of any, safe, open, got 'lucky'"),
        (["simulate", "--strategy", "foo"], "--strategy must be one of fast, strong, "),
        (["watch", "--delay", "-1"], "--delay must be from 0 to 3600 seconds, got -1"),
        (["history", "--since", "soon"], "--since must be a day such as 2026-11-01, or a time such as "),
        (["history", "show", "0"], "ID must be from 1 to "),
        (["best", "1#/##"], "The number of mines is unknown. Pass --mines N"),
    ],
)  # fmt: skip
def test_errors_name_the_option_and_what_is_allowed(arguments: list[str], words: str) -> None:
    done = mineproof(*arguments)
    assert (done.status, done.out) == (2, b"")
    assert words in done.err.removeprefix("mineproof: ")


# a share of mines


def test_a_share_of_the_cells_as_mines() -> None:
    assert [mines_on(mines, 480) for mines in (None, 99, Fraction(1, 5), Fraction(1, 1000))] == [None, 99, 96, 0]
    assert mineproof("analyze", "1#/##", "--mines", "25%", "--json").json()["total_mines"] == 1
    assert mineproof("analyze", "~1#/~##", "--mines", "25%", "--json").json()["total_mines"] == 1
    assert mineproof("best", "####/####", "--mines", "25%", "--json").json()["board"]["total_mines"] == 2
    assert mineproof("generate", "10x10x1", "--mines", "12.5%", "--seed", "1", "--json").json()["layout"]["mines"]
    assert mineproof("simulate", "9x9x10", "--mines", "20%", "--games", "1", "--json").json()["mines"] == 16
    assert mineproof("simulate", "--mines", "20%", "--games", "1", "--json").json()["mines"] == 96
    done = mineproof("analyze", "2x2x1/1#/##", "--mines", "50%")
    assert (done.status, "expected 2" in done.err) == (3, True)
