"""The command line: ``mineproof COMMAND [BOARD] [options]``.

Each command is one module, which is imported when it is called: ``--version`` and ``--help`` load none of them. Shared
modules: `options` declares options, `parameters` their types, `input` reads BOARD, `output` prints results, `failure`
reports errors. `mineproof.pictures.text` draws boards in text. Rich is imported only to draw, so that scripts which use
JSON do not wait for it. All computing is done in the rooms below, and results know their JSON themselves.
"""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from importlib import import_module
from typing import TYPE_CHECKING, Any, NoReturn

import click

from mineproof.base.memory import is_out_of_memory
from mineproof.cli import failure
from mineproof.cli.parameters import ParamType
from mineproof.version import VERSION

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

# In the order of the help, each with the first sentence of its help.
COMMANDS = {
    "analyze": "Print the exact mine probability of every covered cell.",
    "solve": "Find every certain cell.",
    "hint": "Give a hint for the next step, as detailed as you want.",
    "best": "Show the best move, and compare it with the alternatives.",
    "draw": "Draw a board as SVG or PNG: the odds, the next step with its proof, the best move.",
    "read": "Read the board on a screenshot of any program, and list uncertain cells.",
    "layouts": "List every mine layout that fits, each once, in a stable order.",
    "play": "Play Minesweeper in the terminal, with keyboard or mouse. Press ? for the keys.",
    "puzzle": "Practise one technique at a time, on positions from real games.",
    "serve": "Serve the web page and the HTTP API on this machine.",
    "mcp": "Serve tools for language models over the Model Context Protocol.",
    "watch": "Watch the solver play and explain each move.",
    "review": "Review a game: 3BV, clicks, every guess with its odds, and luck.",
    "history": "List finished games: best times, streaks, win rates, export and import.",
    "generate": "Generate new layouts. The same seed and options give the same layouts on every machine.",
    "check": "Check whether a layout needs a guess, and show where the first forced guess is.",
    "convert": "Write a position, a layout or a game in another format.",
    "simulate": "Play many games, and print the win rate with its 95 % confidence interval.",
    "sweep": "Play the same games with every combination of sizes, mines, strategies and rules.",
    "league": "Let strategies and bots play the same layouts, and print a table.",
    "report": "Summarize a sweep: tables, plots and an HTML page.",
    "engine": "Play by the engine protocol, on standard input and output.",
    "dataset": "Write positions of real games with exact odds, certain cells, the move and the outcome.",
    "stats": "Summarize 3BV, ZiNi, efficiency and more of many layouts and games.",
    "bench": "Print a signature of all results and their effort, then the speed.",
    "task": "Write questions about Minesweeper as text, each with a right answer.",
    "judge": "Judge answers to tasks by counting. Proofs and lucky guesses count separately.",
    "audit": "Check a labelled dataset, and prove which labels are wrong or missing.",
    "completion": "Print a script that lets a shell complete commands, options, names and files.",
}

# The heading above a command and those after it in the list of commands.
HEADINGS = {
    "analyze": "Understand a position",
    "play": "Play",
    "generate": "Make and convert boards",
    "simulate": "Measure",
    "task": "Test language models and datasets",
    "completion": "Set up",
}


class Program(click.Group):
    """The group of all commands. A command returns its exit status."""

    def main(self, args: Sequence[str] | None = None, *_: Any, **extra: Any) -> NoReturn:
        if instruction := os.environ.get("_MINEPROOF_COMPLETE"):
            from mineproof.cli import completion

            sys.exit(completion.complete(self, instruction))
        arguments = list(sys.argv[1:] if args is None else args)
        sys.set_int_max_str_digits(0)  # numbers of layouts can have more digits than Python prints by default
        if hasattr(sys.stdout, "reconfigure"):
            sys.stdout.reconfigure(errors="replace")  # × and ≈, if the encoding lacks them
        try:
            status = super().main(arguments, **extra | {"prog_name": "mineproof", "standalone_mode": False})
        except failure.REPORTED_ERRORS as error:
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
            rows.setdefault(heading, []).append((name.ljust(longest), sentence))  # the same width in all sections
        for title, commands in rows.items():
            with formatter.section(title):
                formatter.write_dl(commands)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise click.Abort from None
        except (IndexError, RuntimeError, ValueError) as error:
            if _was_interrupted(error):
                raise click.Abort from None
            if is_out_of_memory(error):
                raise MemoryError from error
            raise
        except BrokenPipeError:  # the reader has closed the pipe
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 0


def _was_interrupted(error: BaseException) -> bool:
    """Did Ctrl-C cause this error? It can interrupt the cleanup of a library, such as a bar of rich."""
    while error.__context__ is not None:
        error = error.__context__
        if isinstance(error, KeyboardInterrupt):
            return True
    return False


class Language(ParamType[str]):
    """The code of a language that has a catalogue."""

    name = "language"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        from mineproof.wording.catalogue import languages

        if value and value not in languages():  # an empty variable of the environment means the default
            raise click.UsageError(f"--language must be one of {', '.join(languages())}, got {value!r}", ctx)
        return value

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:
        from click.shell_completion import CompletionItem

        from mineproof.wording.catalogue import languages

        return [CompletionItem(code) for code in languages() if code.startswith(incomplete)]


def _use_language(context: click.Context, code: str) -> None:
    """Set the language until the command ends."""
    from mineproof.wording import catalogue

    context.call_on_close(functools.partial(catalogue.set_default_language, catalogue.language()))
    catalogue.set_default_language(code)


EXAMPLES = """\b
Examples:
  mineproof analyze '1#/##' --mines 1
  mineproof analyze boards/* --json
  mineproof solve samples/beginner.txt --steps
  mineproof hint samples/beginner.txt --level 2
  mineproof best '#####/123##/###3#' --mines 6
  mineproof read screen.png | mineproof hint
  mineproof layouts '#2#/###' --limit 5
  mineproof play expert --fairness forced
  mineproof puzzle --technique partition
  mineproof generate expert --no-guess --count 5
  mineproof convert 'https://example.org/?analysis=ajajaaakZS' --to mine

\b
Exit status:
  0 success          3 the input is not a board      6 out of memory
  1 the answer is no 4 contradiction: no layout fits 130 interrupted
  2 wrong usage      5 budget exceeded
"""


@click.group(
    cls=Program,
    invoke_without_command=True,
    epilog=EXAMPLES,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(VERSION, message="%(prog)s %(version)s", help="Print the version and exit.")
@click.option("--language", type=Language(), envvar="MINEPROOF_LANGUAGE", metavar="CODE",
              help="Language of results: en or de. Errors and help are in English.  [default: en]  "
              "[env: MINEPROOF_LANGUAGE]")  # fmt: skip
@click.pass_context
def main(context: click.Context, language: str | None) -> None:
    """Exact Minesweeper: certain cells with their proofs, and the exact odds of all others.

    In every command, BOARD is a file, a board as text ('1#/##'), a link, a game ID, or - for standard input. Without
    BOARD, standard input is read. Write -- before a board that begins with -. Several boards are processed one after
    the other; the exit status is the highest. Cells are (row, column), counted from (0,0) at the top left. Results go
    to standard output, everything else to standard error.
    """
    if language:
        _use_language(context, language)
    if context.invoked_subcommand is None:
        click.echo(context.get_help(), err=True)
        context.exit(failure.USAGE)
