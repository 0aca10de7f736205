"""The command line: ``mineproof COMMAND [BOARD] [options]``.

One command, one module, imported when it is called: ``--version`` and ``--help`` load none of them. What they share:
`input` is what may be asked about, `output` how answers are written, `failure` how a run ends that has no answer. How a
board is drawn in text is told by `mineproof.pictures.text`. Rich is imported by what draws, when it draws: a script
that asks for JSON does not wait for it. What is worked out is worked out in the rooms below, and results know their
JSON themselves.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from importlib import import_module
from typing import Any, NoReturn

import click

from mineproof.cli import failure
from mineproof.version import VERSION

# In the order in which they are listed, each with the first sentence of its help.
COMMANDS = {
    "analyze": "Tell the mine probability of every covered cell, exactly.",
    "solve": "Find every certain cell.",
    "hint": "Help with one step, and no more than is asked for.",
    "best": "Tell the best move, and what the others are worth.",
    "draw": "Draw a board as SVG or PNG: the odds, the next step with its proof, the best move.",
    "read": "Read the board on a screenshot of any program, and tell what is in doubt.",
    "layouts": "List every mine layout that fits, each once, in a stable order.",
    "play": "Play Minesweeper in the terminal, with keyboard or mouse; ? tells the keys.",
    "puzzle": "Practise on positions out of real games, each of which needs the technique it is for.",
    "serve": "Open the web page on this machine, and answer programs over HTTP.",
    "watch": "Watch the solver play one game, and read why it does what it does.",
    "review": "Look back upon a game: 3BV, clicks, every guess with its odds, and how lucky it was.",
    "history": "List the games that were finished: best times, streaks, win rates, export and import.",
    "generate": "Make new layouts, the same for the same seed and options on every machine.",
    "check": "Tell whether a layout needs a guess, and where the first forced one is.",
    "convert": "Write a position, a layout or a game in another format.",
    "simulate": "Play many games and tell how many were won, with a 95 % interval.",
    "sweep": "Play the same games with every combination of sizes, mines, strategies and rules.",
    "report": "Tell what a sweep found: tables, plots, and a page to be read.",
    "dataset": "Write positions of real games with exact odds, certain cells, the move and the outcome.",
    "stats": "Tell 3BV, ZiNi, efficiency and the like of many layouts and games.",
    "bench": "Print a signature of answers and effort, then the speed.",
    "completion": "Print a script that lets a shell complete commands, options, names and files.",
}

# What stands above a command, and those after it, in the list of commands.
HEADINGS = {
    "analyze": "Understand a position",
    "play": "Play",
    "generate": "Make and convert boards",
    "simulate": "Measure",
    "completion": "Set up",
}


class Program(click.Group):
    """The group of all commands, which leaves by the exit statuses of the contract. A command returns its status."""

    def main(self, args: Sequence[str] | None = None, *_: Any, **extra: Any) -> NoReturn:
        if instruction := os.environ.get("_MINEPROOF_COMPLETE"):
            from mineproof.cli import completion

            sys.exit(completion.answer(self, instruction))
        arguments = list(sys.argv[1:] if args is None else args)
        sys.set_int_max_str_digits(0)  # counts of layouts are longer than Python prints unasked
        if hasattr(sys.stdout, "reconfigure"):
            sys.stdout.reconfigure(errors="replace")  # × and ≈, where a terminal has no such signs
        try:
            status = super().main(arguments, **extra | {"prog_name": "mineproof", "standalone_mode": False})
        except failure.KINDS as error:
            status = failure.report(error, as_json="--json" in arguments)
        sys.exit(status)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and (close := get_close_matches(args[0], COMMANDS, 1)):
            ctx.fail(f"No such command {args[0]!r}. Did you mean {close[0]!r}?")
        return super().resolve_command(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"mineproof.cli.{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        rows: dict[str, list[tuple[str, str]]] = {}
        longest = max(map(len, COMMANDS))
        heading = ""
        for name, sentence in COMMANDS.items():
            heading = HEADINGS.get(name, heading)
            rows.setdefault(heading, []).append((name.ljust(longest), sentence))  # columns alike in all sections
        for each, listed in rows.items():
            with formatter.section(each):
                formatter.write_dl(listed)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise click.Abort from None
        except (IndexError, RuntimeError, ValueError) as error:
            if _was_interrupted(error):
                raise click.Abort from None
            raise
        except BrokenPipeError:  # whoever reads the answer has seen enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 0


def _was_interrupted(error: BaseException) -> bool:
    """Did Ctrl-C come while a library was tidying up, which then failed over it? Rich does, in the midst of a bar."""
    while error.__context__ is not None:
        error = error.__context__
        if isinstance(error, KeyboardInterrupt):
            return True
    return False


EXAMPLES = """\b
Examples:
  mineproof analyze '1#/##' --mines 1
  mineproof analyze boards/* --json
  mineproof solve game.mine --steps
  mineproof hint game.mine --level 2
  mineproof best '#####/123##/###3#' --mines 6
  mineproof read screen.png | mineproof hint
  mineproof layouts '#2#/###' --limit 5
  mineproof play expert --fairness forced
  mineproof puzzle --technique partition
  mineproof generate expert --no-guess --count 5
  mineproof convert 'https://example.org/?analysis=ajajaaakZS' --to mine

\b
Exit status:
  0 done             3 the input cannot be read as a board
  1 answered "no"    4 contradictory position: no layout fits
  2 bad usage        5 budget exceeded             130 interrupted
"""


@click.group(
    cls=Program,
    invoke_without_command=True,
    epilog=EXAMPLES,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(VERSION, message="%(prog)s %(version)s")
@click.pass_context
def main(context: click.Context) -> None:
    """Exact Minesweeper: what is certain in a position and why, and how likely the rest is.

    BOARD, in every command, is a file, a board written out ('1#/##', a link, a game ID), or - for standard input,
    which is also read when BOARD is left out; one that begins with - goes after --. Several are answered one after the
    other, and the exit status is the highest. Answers go to standard output, everything else to standard error.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help(), err=True)
        context.exit(failure.USAGE)
