"""What is not used is not loaded: start-up is kept short by what is imported, not by a clock."""

import json
import subprocess
import sys

import pytest

HEAVY = ["numpy", "rich", "textual", "msgspec", "filelock", "multiprocessing", "mineproof.engine", "mineproof.game",
         "mineproof.simulation", "mineproof.formats", "mineproof.deduction", "mineproof.sweeps.cluster",
         "mineproof.board.paste", "urllib.request"]  # fmt: skip
SHOW = "import json, sys; print(json.dumps([name for name in {heavy} if name in sys.modules]))"


def loaded(program: str) -> list[str]:
    """Which of the heavy modules a program has loaded in the end."""
    code = f"{program}\n{SHOW.format(heavy=HEAVY)}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    names: list[str] = json.loads(done.stdout.splitlines()[-1])
    return names


def command(*arguments: str) -> str:
    return f"from mineproof.cli import main\ntry:\n    main({list(arguments)!r})\nexcept SystemExit:\n    pass"


@pytest.mark.parametrize("program", ["import mineproof", command("--version"), command("--help")])
def test_nothing_heavy_is_loaded_before_it_is_used(program: str) -> None:
    assert loaded(program) == []


def test_counting_loads_no_games() -> None:
    names = loaded("import mineproof as mp\nmp.analyze(mp.Board.parse('1#/##'))")
    assert names == ["numpy", "mineproof.engine"]


def test_json_loads_nothing_that_draws() -> None:
    names = loaded(command("analyze", "1#/##", "--json"))
    assert "numpy" in names
    assert not {"rich", "textual", "filelock", "multiprocessing", "mineproof.simulation"} & set(names)


def test_an_answer_on_a_terminal_loads_no_games() -> None:
    assert not {"textual", "multiprocessing", "mineproof.simulation"} & set(loaded(command("analyze", "1#/##")))


def test_the_page_without_a_server_loads_no_client_of_http() -> None:
    """The static site imports Python at each start."""
    assert "urllib.request" not in loaded("import mineproof.web.local")


@pytest.mark.slow
def test_a_sweep_here_loads_no_cluster() -> None:
    names = loaded("import mineproof as mp\nmp.sweep('4x4x3', games=1)")
    assert "mineproof.simulation" in names
    assert "mineproof.sweeps.cluster" not in names


@pytest.mark.slow
def test_the_command_line_runs_where_there_is_no_fcntl() -> None:
    hide = "import sys\nfor name in ('fcntl', 'termios', 'pwd', 'grp', 'resource'):\n    sys.modules[name] = None\n"
    code = (
        hide
        + "import pkgutil, importlib, mineproof\n"
        + (
            "names = [each.name for each in pkgutil.walk_packages(mineproof.__path__, 'mineproof.')]\n"
            "left = {'tui', 'adapters', '__main__'}\n"
            "wanted = [name for name in names if not left & set(name.split('.')) and '.mcp.server' not in name]\n"
            "for name in wanted:\n    importlib.import_module(name)\n"
            "from mineproof.cli import main\nmain(['analyze', '1#/##', '--mines', '1', '--json'])"
        )
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["layouts"] == "3"
