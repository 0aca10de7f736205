"""``mineproof completion``: commands, options, names and files on the Tab key, in bash, zsh and fish.

The scripts are click's. With each Tab they call the command with `VARIABLE` in its environment, and `answer` prints
what may stand next. Nothing is counted then, so the kernel is not loaded, and NumPy, which takes most of the start-up,
is replaced by a placeholder: a Tab takes 0.1 s for commands, 0.3 s for options. Whatever goes wrong, nothing is
said.
"""

from __future__ import annotations

import contextlib
import copy
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from types import ModuleType

import click
from click.shell_completion import BashComplete, CompletionItem, FishComplete, ShellComplete, ZshComplete

from mineproof.cli import COMMANDS, output

VARIABLE = "_MINEPROOF_COMPLETE"
SHELLS = ("bash", "zsh", "fish")

# As the kernel's table has them, which is not loaded for this; a test compares the two.
STRATEGIES = ("fast", "strong", "best", "deep", "minesolver", "minedetector", "fair", "go")
DECIDING = ("fast", "strong", "best", "deep", "minesolver")

Items = list[CompletionItem[str]]


@click.command("completion")
@click.argument("shell", type=click.Choice(SHELLS), required=False)
def command(shell: str | None) -> None:
    """Print a script that lets a shell complete commands, options, names and files.

    To install it, run the line for your shell once, and open a new terminal.

    \b
    Examples:
      mineproof completion bash > ~/.mineproof.bash && echo '. ~/.mineproof.bash' >> ~/.bashrc
      mineproof completion zsh > ~/.mineproof.zsh &&
        echo 'autoload -Uz compinit && compinit && . ~/.mineproof.zsh' >> ~/.zshrc
      mineproof completion fish > ~/.config/fish/completions/mineproof.fish
    """
    if shell is None:
        raise click.UsageError("the shell is missing: bash, zsh or fish")
    click.echo(script(shell), nl=False)
    if sys.stdout.isatty():
        output.note(f"this is a script for {shell}; 'mineproof completion --help' tells how to install it")


def script(shell: str) -> str:
    """What a shell is to run when it starts."""
    return completer(click.Group(), shell).source().strip() + "\n"


def answer(group: click.Group, instruction: str) -> int:
    """Tell a shell what may stand next; the exit status. ``instruction`` is ``bash_complete`` and the like."""
    shell, _, task = instruction.partition("_")
    for name in ("numpy", "numpy.typing"):
        sys.modules.setdefault(name, _Placeholder(name))
    try:
        with open(os.devnull, "w") as nothing, contextlib.redirect_stderr(nothing):  # noqa: PTH123
            found = completer(group, shell).complete() if task == "complete" else script(shell)
        click.echo(found)
    except Exception:  # a person is typing: no words could help
        return 1
    return 0


def completer(group: click.Group, shell: str) -> ShellComplete:
    """What completes for a shell."""
    return _CLASSES[shell](_Names(group), {}, "mineproof", VARIABLE)


class _Placeholder(ModuleType):
    """Anything that modules make of NumPy while they are imported."""

    def __getattr__(self, name: str) -> _Placeholder:
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __call__(self, *_: object, **__: object) -> _Placeholder:
        return self

    def __iter__(self) -> Iterator[_Placeholder]:
        return iter(())  # without this, items are asked for until there is an error, which never comes

    def __getitem__(self, _: object) -> _Placeholder:
        return self

    def __or__(self, _: object) -> _Placeholder:
        return self


# what may stand where


class _Names(click.Group):
    """The commands of a group, with names and files for what click takes for any text. Listing them loads none."""

    def __init__(self, group: click.Group) -> None:
        super().__init__("mineproof", params=group.params, context_settings=group.context_settings)
        self._group = group

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        found = self._group.get_command(ctx, cmd_name)
        if found is None:
            return None
        command = copy.copy(found)
        command.params = [_with_names(each, cmd_name) for each in found.params]
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> Items:
        commands = [CompletionItem(name, help=words) for name, words in COMMANDS.items() if name.startswith(incomplete)]
        return [*commands, *click.Command.shell_complete(self, ctx, incomplete)]


def _with_names(parameter: click.Parameter, command_name: str) -> click.Parameter:
    if (
        type(parameter.type).shell_complete is not click.ParamType.shell_complete
    ):  # it knows itself what may stand there
        return parameter
    choose = {
        "size": _sizes,
        "sizes": _sizes,
        "what": _sizes,  # of play: a size or a layout
        "strategy": _strategies if command_name in ("simulate", "sweep", "dataset") else _deciding,
        "against": _strategies,
        "level": _levels if command_name == "puzzle" else None,  # that of a hint is a number
    }.get(parameter.name or "")
    if choose is None and (parameter.param_type_name != "argument" or parameter.type is not click.STRING):
        return parameter
    if choose is _sizes and parameter.param_type_name != "argument":  # --size WxH is that of a board
        return parameter
    changed = copy.copy(parameter)
    changed.type = _Text(choose or _nothing)
    return changed


class _Text(click.ParamType[str]):
    """Names that fit, and if there is none, files."""

    name = "text"

    def __init__(self, choose: Callable[[str], Iterable[str]]) -> None:
        self._choose = choose

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> Items:
        names = [CompletionItem(name) for name in self._choose(incomplete) if name.startswith(incomplete)]
        return names or [CompletionItem(incomplete, type="file")]


def _sizes(incomplete: str) -> Iterable[str]:
    """Levels, or in digits what they stand for."""
    from mineproof.board.levels import LEVELS

    return (
        [f"{size.columns}x{size.rows}x{size.mines}" for size in LEVELS.values()] if incomplete[:1].isdigit() else LEVELS
    )


def _levels(incomplete: str) -> Iterable[str]:
    """The same for an option."""
    return _sizes(incomplete)


def _strategies(_: str) -> Iterable[str]:
    from mineproof.decision.own import installed

    return [*STRATEGIES, *(each.name for each in installed() if each.name not in STRATEGIES)]


def _deciding(_: str) -> Iterable[str]:
    return DECIDING


def _nothing(_: str) -> Iterable[str]:
    return ()


# the shells


class _Quiet(ShellComplete):
    """What click has for a shell, without a word to the person at it."""

    def get_completion_args(self) -> tuple[list[str], str]:
        args, incomplete = super().get_completion_args()
        # bash hands over "--to=json" as three words
        return [word for word in args if word != "="], "" if incomplete == "=" else incomplete

    def source(self) -> str:
        return ShellComplete.source(self)  # bash's own looks for a bash, and prints what it thinks of it


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


_CLASSES: dict[str, type[ShellComplete]] = {"bash": _Bash, "zsh": _Zsh, "fish": _Fish}
