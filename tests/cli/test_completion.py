"""Shell completion: what is offered where, in each shell, and that it is quick and silent."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest

from mineproof.board.levels import LEVELS
from mineproof.cli import COMMANDS, completion, main
from mineproof.cli.completion import SHELLS, completer
from mineproof.decision.strategy_table import deciding, strategies
from mineproof.deduction.ladder import LADDER
from support.command import mineproof

FILES = ["(file)"]
BIN = Path(sys.executable).parent


def offered(*words: str, shell: str = "bash") -> list[str]:
    """What stands for the last word."""
    found = completer(main, shell).get_completions(list(words[:-1]), words[-1])
    return ["(file)" if item.type == "file" else item.value for item in found]


@pytest.mark.parametrize("shell", SHELLS)
def test_commands(shell: str) -> None:
    assert offered("", shell=shell) == list(COMMANDS)
    assert offered("s", shell=shell) == [name for name in COMMANDS if name.startswith("s")]
    assert offered("--v", shell=shell) == ["--version"]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["analyze", ""], FILES),
        (["analyze", "a.mine", "b"], FILES),
        (["check", "--certificate", ""], FILES),
        (["review", ""], FILES),
        (["simulate", ""], list(LEVELS)),
        (["generate", "ex"], ["expert"]),
        (["generate", "3"], ["30x16x99"]),
        (["watch", "b"], ["beginner", "beginner8"]),
        (["analyze", "--size", ""], []),
        (["analyze", "--topology", "c"], ["cylinder", "cross", "cube"]),
        (["analyze", "--from", "mine"], ["mineproof", "mine", "minedetector", "minedetector-output"]),
        (["analyze", "--from=jso"], ["json"]),
        (["convert", "x.mbf", "--to", "mb"], ["mbf", "mbf-hex"]),
        (["solve", "--technique", ""], list(LADDER)),
        (["generate", "--needs", "con"], ["contradiction"]),
        (["simulate", "--strategy", ""], [strategy.name for strategy in strategies()]),
        (["simulate", "--strategy", "fast", "--against", "m"], ["minesolver", "minedetector"]),
        (["simulate", "--against", "old.js"], FILES),
        (["sweep", "ex"], ["expert"]),
        (["sweep", "expert", "--strategy", "st"], ["strong"]),
        (["best", "--strategy", ""], deciding()),
        (["best", "--strategy", "fast", "--pl"], ["--playouts"]),
        (["puzzle", "--technique", ""], [*LADDER, "guess"]),
        (["puzzle", "--level", "in"], ["intermediate"]),
        (["completion", ""], list(SHELLS)),
    ],
)
def test_what_is_offered(words: list[str], expected: list[str]) -> None:
    assert offered(*words) == expected


def test_strategies_come_from_the_table_of_the_kernel() -> None:
    everyone = asked("mineproof simulate --strategy ", 3).stdout.splitlines()
    assert everyone[: len(strategies())] == [f"plain,{strategy.name}" for strategy in strategies()]
    assert asked("mineproof best --strategy ", 3).stdout.splitlines() == [f"plain,{name}" for name in deciding()]


def test_the_table_has_the_options_that_the_commands_have() -> None:
    assert completion.OPTIONS.read_text("utf-8") == completion.table(main), "run python tools/completion_options.py"


def test_a_type_that_completes_itself_is_asked() -> None:
    class Own(click.ParamType[str]):
        name = "own"

        def shell_complete(
            self, ctx: click.Context, param: click.Parameter, incomplete: str
        ) -> list[click.shell_completion.CompletionItem[str]]:
            return [click.shell_completion.CompletionItem("mine")]

    [row] = completion.describe("c", click.Command("c", params=[click.Option(["--strategy"], type=Own())]))
    assert row["values"] == ["mine"]


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script(shell: str) -> None:
    done = mineproof("completion", shell)
    assert (done.status, done.err) == (0, "")
    sets = f"$env:{completion.VARIABLE} = '{shell}_complete'" if shell == "powershell" else f"={shell}_complete"
    assert sets in done.text
    assert ("2>$null" if shell == "powershell" else "2>/dev/null") in done.text


def test_a_shell_that_is_missing_or_not_known() -> None:
    assert "SHELL is missing. Choose one of bash, zsh, fish, powershell." in mineproof("completion").err
    done = mineproof("completion", "csh")
    assert done.status == 2
    assert "SHELL must be one of bash, zsh, fish, powershell, got 'csh'" in done.err


# as a shell asks


def asked(words: str, place: int, instruction: str = "bash_complete", **env: str) -> subprocess.CompletedProcess[str]:
    how = {completion.VARIABLE: instruction, "COMP_WORDS": words, "COMP_CWORD": str(place)} | env
    command = [sys.executable, "-m", "mineproof"]
    return subprocess.run(command, capture_output=True, text=True, env=os.environ | how, check=False)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_is_completed(name: str) -> None:
    command = main.get_command(click.Context(main), name)
    assert command is not None
    options = {opt for param in command.params if isinstance(param, click.Option) and not param.hidden
               for opt in (*param.opts, *param.secondary_opts) if opt.startswith("--")}  # fmt: skip
    assert set(offered(name, "--")) == options | {"--help"}


def test_an_option_is_completed_as_a_shell_asks() -> None:
    done = asked("mineproof play --h", 2)
    assert (done.returncode, done.stderr) == (0, "")
    assert "plain,--help" in done.stdout.splitlines()


def test_three_words_are_one_option() -> None:
    assert asked("mineproof solve --technique = par", 4).stdout == "plain,partition\n"
    assert asked("mineproof solve --technique =", 3).stdout.splitlines()[0] == "plain,single-open"


def test_powershell_is_told_words_and_what_they_mean() -> None:
    words = asked("mineproof simulate ex", 0, "powershell_complete", COMP_CWORD="ex")
    assert (words.stdout, words.stderr) == ("expert\texpert\n", "")
    commands = asked("mineproof an", 0, "powershell_complete", COMP_CWORD="an").stdout
    assert commands == f"analyze\t{COMMANDS['analyze']}\n"
    assert asked("mineproof analyze ", 0, "powershell_complete", COMP_CWORD="").stdout.strip() == ""  # files


@pytest.mark.parametrize(
    ("words", "place", "instruction"),
    [
        ("mineproof nothing ", 2, "bash_complete"),
        ("mineproof analyze 'un", 2, "bash_complete"),
        ("mineproof --x", 1, "csh_complete"),
        ("mineproof", 7, "zsh_complete"),
        ("mineproof", 1, "bash"),
        ("mineproof simulate --strategy nobody ", 4, "fish_complete"),
    ],
)
def test_nothing_is_ever_said(words: str, place: int, instruction: str) -> None:
    assert asked(words, place, instruction).stderr == ""
    assert asked(words, place, instruction, MINEPROOF_ENGINE="none").stderr == ""


@pytest.mark.parametrize("words", ["mineproof ana", "mineproof simulate --strategy fast --t", "mineproof best --st"])
def test_no_command_is_loaded(words: str) -> None:
    """Nor NumPy, the kernel or Rich: a Tab is answered at once."""
    code = (
        "import sys\nfrom mineproof.cli import main\n"
        "try: main()\nexcept SystemExit as end: assert end.code == 0\n"
        "print([name for name in sys.modules if name in ('numpy', 'rich') or 'mineproof.engine' in name])\n"
        "print([name for name in ('analyze', 'simulate', 'best') if f'mineproof.cli.{name}' in sys.modules])"
    )
    how = {completion.VARIABLE: "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=os.environ | how, check=True
    )
    assert done.stdout.splitlines()[-2:] == ["[]", "[]"]


# in the shells themselves


def in_shell(shell: str, *arguments: str, cwd: Path | None = None) -> str:
    if shutil.which(shell) is None:
        pytest.skip(f"no {shell} here")
    path = f"{BIN}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        [shell, *arguments], capture_output=True, text=True, env=os.environ | {"PATH": path}, cwd=cwd, check=False
    )
    assert done.stderr == ""
    return done.stdout


def test_in_bash() -> None:
    ask = """
    eval "$(mineproof completion bash)"
    complete -p mineproof
    ask() { COMPREPLY=(); COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _mineproof_completion mineproof; }
    ask mineproof solve --technique par; echo "${COMPREPLY[@]}"
    ask mineproof hi; echo "${COMPREPLY[@]}"
    ask mineproof analyze ''; echo "${#COMPREPLY[@]}"
    """
    registered, *found = in_shell("bash", "--norc", "-c", ask).splitlines()
    assert registered.endswith("-F _mineproof_completion mineproof")
    assert found == ["partition", "hint history", "0"]


def test_in_zsh() -> None:
    ask = """
    compdef() { registered=$1; }
    eval "$(mineproof completion zsh)"
    _describe() { print -l $completions_with_descriptions; }
    compadd() { print -l $completions; }
    _path_files() { print files; }
    ask() { words=("$@"); CURRENT=$#; $registered; }
    ask mineproof solve --technique par
    ask mineproof hi
    ask mineproof analyze ''
    """
    assert in_shell("zsh", "-f", "-c", ask).splitlines() == ["partition", f"hint:{COMMANDS['hint']}", "files"]


def test_in_fish(tmp_path: Path) -> None:
    (tmp_path / "game.mine").write_text("1#")
    asks = ["mineproof solve --technique par", "mineproof hi", "mineproof analyze ga"]
    ask = "; ".join(["mineproof completion fish | source", *(f'complete -C "{words}"' for words in asks)])
    found = in_shell("fish", "--no-config", "-c", ask, cwd=tmp_path).splitlines()
    assert found == ["partition", f"hint\t{COMMANDS['hint']}", "game.mine"]
