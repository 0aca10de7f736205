"""``mineproof completion``: commands, options, names and files on the Tab key, in bash, zsh, fish and PowerShell.

The scripts are click's, but for PowerShell, which click does not know. With each Tab they call the command with
`VARIABLE` in its environment, and `complete` prints the possible next words. `OPTIONS` has the options of all commands,
so that a Tab loads no command. It is written by ``tools/completion_options.py``. The kernel is loaded for the names of
strategies only. Errors are never printed.
"""

from __future__ import annotations

import contextlib
import functools
import json
import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeAlias

import click
from click.shell_completion import BashComplete, CompletionItem, FishComplete, ShellComplete, ZshComplete

from mineproof.cli import COMMANDS, output
from mineproof.cli.parameters import Choice, ParamType
from mineproof.wording.catalogue import message

VARIABLE = "_MINEPROOF_COMPLETE"
SHELLS = ("bash", "zsh", "fish", "powershell")
OPTIONS = Path(__file__).with_name("completion_options.json")

Items: TypeAlias = "list[CompletionItem[str]]"  # in quotes: click takes a type in brackets only since 8.4


@click.command("completion")
@click.argument("shell", type=Choice(SHELLS), required=False)
def command(shell: str | None) -> None:
    """Print a script that lets a shell complete commands, options, names and files.

    To install it, run the line for your shell once, and open a new terminal.

    \b
    Examples:
      mineproof completion bash > ~/.mineproof.bash && echo '. ~/.mineproof.bash' >> ~/.bashrc
      mineproof completion zsh > ~/.mineproof.zsh &&
        echo 'autoload -Uz compinit && compinit && . ~/.mineproof.zsh' >> ~/.zshrc
      mineproof completion fish > ~/.config/fish/completions/mineproof.fish
      mineproof completion powershell >> $PROFILE
    """
    if shell is None:
        raise click.UsageError(f"SHELL is missing. Choose one of {', '.join(SHELLS)}.")
    click.echo(script(shell), nl=False)
    if sys.stdout.isatty():
        output.note(message("cli-completion-install", shell=shell))


def script(shell: str) -> str:
    """The script that a shell runs when it starts."""
    return completer(click.Group(), shell).source().strip() + "\n"


def complete(group: click.Group, instruction: str) -> int:
    """Print the possible next words for a shell; ``instruction`` is ``bash_complete`` and the like."""
    shell, _, task = instruction.partition("_")
    try:
        with open(os.devnull, "w") as nothing, contextlib.redirect_stderr(nothing):  # noqa: PTH123
            words = completer(group, shell).complete() if task == "complete" else script(shell)
        click.echo(words)
    except Exception:  # an error message would disturb the command line that is being typed
        return 1
    return 0


def completer(group: click.Group, shell: str) -> ShellComplete:
    """Click's completion for a shell."""
    return _CLASSES[shell](_Names(group), {}, "mineproof", VARIABLE)


# names and files


class _Names(click.Group):
    """The commands of a group, made of the table `OPTIONS`. They can be completed only."""

    def __init__(self, group: click.Group) -> None:
        super().__init__("mineproof", params=group.params, context_settings=group.context_settings)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        rows = _options().get(cmd_name)
        return None if rows is None else click.Command(cmd_name, params=[_parameter(row) for row in rows])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> Items:
        commands = [CompletionItem(name, help=text) for name, text in COMMANDS.items() if name.startswith(incomplete)]
        return [*commands, *click.Command.shell_complete(self, ctx, incomplete)]


@functools.cache
def _options() -> dict[str, list[dict[str, Any]]]:
    table: dict[str, list[dict[str, Any]]] = json.loads(OPTIONS.read_text("utf-8"))
    return table


def _parameter(row: dict[str, Any]) -> click.Parameter:
    """Return a parameter that completes as the one that `describe` was given."""
    rest = dict(row)
    names, argument, values = rest.pop("names"), rest.pop("argument", False), rest.pop("values", [])
    kind = _Text(values)
    if argument:
        return click.Argument(names, type=kind, required=False, **rest)
    return click.Option(names, type=None if rest.get("is_flag") else kind, **rest)


def table(group: click.Group) -> str:
    """Return the content of `OPTIONS`, one parameter in a line."""
    commands = []
    for name in COMMANDS:
        command = group.get_command(click.Context(group), name)
        assert command is not None
        rows = ",\n    ".join(json.dumps(row, ensure_ascii=False) for row in describe(name, command))
        commands.append(f"  {json.dumps(name)}: [\n    {rows}\n  ]")
    return "{\n" + ",\n".join(commands) + "\n}\n"


def describe(command_name: str, command: click.Command) -> list[dict[str, Any]]:
    """Return the rows of `OPTIONS` for one command: what a Tab must know of its parameters."""
    return [_describe_parameter(command_name, parameter) for parameter in command.params]


def _describe_parameter(command_name: str, parameter: click.Parameter) -> dict[str, Any]:
    row: dict[str, Any] = {"names": [*parameter.opts, *parameter.secondary_opts]}
    if parameter.nargs != 1:
        row["nargs"] = parameter.nargs
    if parameter.multiple:
        row["multiple"] = True
    if isinstance(parameter, click.Option):
        row |= {key: True for key in ("is_flag", "hidden") if getattr(parameter, key)}
        if parameter.help and not parameter.hidden:
            row["help"] = parameter.help
    else:
        row["argument"] = True
    if not row.get("is_flag"):
        row["values"] = _values(command_name, parameter)
    return row


def _values(command_name: str, parameter: click.Parameter) -> str | list[str]:
    """Return the words that may follow, or the name of their source."""
    context = click.Context(click.Command(command_name))
    if items := parameter.type.shell_complete(context, parameter, ""):
        [*kinds] = {item.type for item in items}
        return kinds[0] if kinds != ["plain"] else [str(item.value) for item in items]
    is_argument = parameter.param_type_name == "argument"
    match parameter.name:
        case "strategy" | "against" if parameter.name == "against" or command_name in ("simulate", "sweep", "dataset"):
            return "strategies"
        case "strategy":
            return "deciding"
        case "size" | "sizes" | "what" if is_argument:
            return "sizes"
        case "level" if command_name == "puzzle":  # --level of hint is a number
            return "sizes"
    return "file" if is_argument and parameter.type is click.STRING else []


class _Text(ParamType[str]):
    """Names that match, and files if none does."""

    name = "text"

    def __init__(self, values: str | list[str]) -> None:
        self._values = values

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> Items:
        if self._values in ("file", "dir"):
            return [CompletionItem(incomplete, type=self._values)]
        known = _SOURCES[self._values](incomplete) if isinstance(self._values, str) else self._values
        names = [CompletionItem(name) for name in known if name.startswith(incomplete)]
        or_files = isinstance(self._values, str)  # a size or a strategy can be a file as well
        return names or ([CompletionItem(incomplete, type="file")] if or_files else [])


def _sizes(incomplete: str) -> Iterable[str]:
    """Levels, or their sizes after a digit."""
    from mineproof.board.levels import LEVELS

    return (
        [f"{size.columns}x{size.rows}x{size.mines}" for size in LEVELS.values()] if incomplete[:1].isdigit() else LEVELS
    )


def _strategies(_: str) -> Iterable[str]:
    from mineproof.decision.custom import installed_strategies
    from mineproof.decision.strategy_table import strategies

    known = [strategy.name for strategy in strategies()]
    return [*known, *(offered.name for offered in installed_strategies() if offered.name not in known)]


def _deciding(_: str) -> Iterable[str]:
    from mineproof.decision.strategy_table import deciding

    return deciding()


_SOURCES: dict[str, Callable[[str], Iterable[str]]] = {
    "sizes": _sizes,
    "strategies": _strategies,
    "deciding": _deciding,
}


# the shells


class _Quiet(ShellComplete):
    """Completion of click without messages."""

    def get_completion_args(self) -> tuple[list[str], str]:
        args, incomplete = super().get_completion_args()
        # bash passes "--to=json" as three words
        return [word for word in args if word != "="], "" if incomplete == "=" else incomplete

    def source(self) -> str:
        return ShellComplete.source(self)  # that of bash runs bash, and prints warnings


class _Bash(_Quiet, BashComplete):
    source_template = (
        BashComplete.source_template.replace("=bash_complete $1)", "=bash_complete $1 2>/dev/null)")
        .replace("compopt -o default", "compopt -o default 2>/dev/null")
        .replace("compopt -o dirnames", "compopt -o dirnames 2>/dev/null")
        .replace("complete -o nosort -F %(complete_func)s %(prog_name)s",
                 "complete -o nosort -F %(complete_func)s %(prog_name)s 2>/dev/null ||\n"
                 "        complete -F %(complete_func)s %(prog_name)s  # bash before 4.4")
    )  # fmt: skip


class _Zsh(_Quiet, ZshComplete):
    source_template = ZshComplete.source_template.replace(
        "=zsh_complete %(prog_name)s)", "=zsh_complete %(prog_name)s 2>/dev/null)"
    )


class _Fish(_Quiet, FishComplete):
    source_template = FishComplete.source_template.replace(
        "(commandline -t) %(prog_name)s)", "(commandline -t) %(prog_name)s 2>/dev/null)"
    ).replace('(string split "," ', '(string split --max 1 "," ')  # a comma in a description is part of it


class _PowerShell(_Quiet, FishComplete):
    """Words are passed as in fish. If nothing is printed, PowerShell completes files."""

    name = "powershell"
    source_template = """\
Register-ArgumentCompleter -Native -CommandName %(prog_name)s -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $line = $commandAst.ToString()
    $typed = [Math]::Min($line.Length, $cursorPosition - $commandAst.Extent.StartOffset)
    try {
        $env:%(complete_var)s = 'powershell_complete'
        $env:COMP_WORDS = $line.Substring(0, $typed)
        $env:COMP_CWORD = $wordToComplete
        %(prog_name)s 2>$null | Where-Object { $_ } | ForEach-Object {
            $value, $help = $_ -split "`t", 2
            [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $help)
        }
    } finally {
        Remove-Item Env:%(complete_var)s, Env:COMP_WORDS, Env:COMP_CWORD -ErrorAction SilentlyContinue
    }
}
"""

    def get_completions(self, args: list[str], incomplete: str) -> Items:
        return [item for item in super().get_completions(args, incomplete) if item.type == "plain"]

    def format_completion(self, item: CompletionItem[str]) -> str:
        return f"{item.value}\t{item.help or item.value}"


_CLASSES: dict[str, type[ShellComplete]] = {"bash": _Bash, "zsh": _Zsh, "fish": _Fish, "powershell": _PowerShell}
