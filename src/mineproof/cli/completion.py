"""``mineproof completion``: commands, options, names and files on the Tab key, in bash, zsh, fish and PowerShell.

The scripts are click's, but for PowerShell, which click does not know. With each Tab they call the command with
`VARIABLE` in its environment, and `answer` prints the possible next words. The kernel is loaded for the names of
strategies only, and NumPy, which takes most of the start-up, is replaced by a placeholder: a Tab takes 0.1 s for
commands, 0.3 s for options. Errors are never printed.
"""

from __future__ import annotations

import contextlib
import copy
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from types import ModuleType
from typing import TypeAlias

import click
from click.shell_completion import BashComplete, CompletionItem, FishComplete, ShellComplete, ZshComplete

from mineproof.cli import COMMANDS, output
from mineproof.cli.parameters import Choice, ParamType
from mineproof.wording.catalogue import message

VARIABLE = "_MINEPROOF_COMPLETE"
SHELLS = ("bash", "zsh", "fish", "powershell")

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
    for name in ("numpy", "numpy.typing"):
        sys.modules.setdefault(name, _Placeholder(name))
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


class _Placeholder(ModuleType):
    """A stand-in for NumPy while modules are imported."""

    def __getattr__(self, name: str) -> _Placeholder:
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __call__(self, *_: object, **__: object) -> _Placeholder:
        return self

    def __iter__(self) -> Iterator[_Placeholder]:
        return iter(())  # without this, iteration by index would never end

    def __getitem__(self, _: object) -> _Placeholder:
        return self

    def __or__(self, _: object) -> _Placeholder:
        return self


# names and files


class _Names(click.Group):
    """The commands of a group, which complete names and files where click accepts any text. Listing them loads none."""

    def __init__(self, group: click.Group) -> None:
        super().__init__("mineproof", params=group.params, context_settings=group.context_settings)
        self._group = group

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        original = self._group.get_command(ctx, cmd_name)
        if original is None:
            return None
        command = copy.copy(original)
        command.params = [_with_names(param, cmd_name) for param in original.params]
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> Items:
        commands = [CompletionItem(name, help=text) for name, text in COMMANDS.items() if name.startswith(incomplete)]
        return [*commands, *click.Command.shell_complete(self, ctx, incomplete)]


def _with_names(parameter: click.Parameter, command_name: str) -> click.Parameter:
    if type(parameter.type).shell_complete is not click.ParamType.shell_complete:  # it completes itself
        return parameter
    choose = {
        "size": _sizes,
        "sizes": _sizes,
        "what": _sizes,  # of play: a size or a layout
        "strategy": _strategies if command_name in ("simulate", "sweep", "dataset") else _deciding,
        "against": _strategies,
        "level": _levels if command_name == "puzzle" else None,  # --level of hint is a number
    }.get(parameter.name or "")
    if choose is None and (parameter.param_type_name != "argument" or parameter.type is not click.STRING):
        return parameter
    if choose is _sizes and parameter.param_type_name != "argument":  # --size WxH is a board size without mines
        return parameter
    changed = copy.copy(parameter)
    changed.type = _Text(choose or _nothing)
    return changed


class _Text(ParamType[str]):
    """Names that match, and files if none does."""

    name = "text"

    def __init__(self, choose: Callable[[str], Iterable[str]]) -> None:
        self._choose = choose

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> Items:
        names = [CompletionItem(name) for name in self._choose(incomplete) if name.startswith(incomplete)]
        return names or [CompletionItem(incomplete, type="file")]


def _sizes(incomplete: str) -> Iterable[str]:
    """Levels, or their sizes after a digit."""
    from mineproof.board.levels import LEVELS

    return (
        [f"{size.columns}x{size.rows}x{size.mines}" for size in LEVELS.values()] if incomplete[:1].isdigit() else LEVELS
    )


def _levels(incomplete: str) -> Iterable[str]:
    """Levels as the value of an option."""
    return _sizes(incomplete)


def _strategies(_: str) -> Iterable[str]:
    from mineproof.decision.custom import installed_strategies
    from mineproof.decision.strategy_table import strategies

    known = [strategy.name for strategy in strategies()]
    return [*known, *(offered.name for offered in installed_strategies() if offered.name not in known)]


def _deciding(_: str) -> Iterable[str]:
    from mineproof.decision.strategy_table import deciding

    return deciding()


def _nothing(_: str) -> Iterable[str]:
    return ()


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
