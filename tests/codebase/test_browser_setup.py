"""``tools/browser.py`` on machines with and without a Chromium, with an apt-get that only pretends."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere Chromium is not in PATH")

CHROMIUM = "#!/bin/sh\n"
SUDO = '#!/bin/sh\nshift\n[ "$1" = true ] || exec "$@"\n'
APT = """#!/bin/sh
cd "${0%/*}"
for last; do :; done
echo "$*" >> called
case "$last" in
    update) echo > lists ;;
    chromium) [ -e KNOWN ] || { echo "Unable to locate package chromium"; exit 100; }; /bin/ln -s sudo chromium ;;
esac
"""


class Machine:
    """A folder that is all of PATH."""

    def __init__(self, folder: Path, root: Path) -> None:
        self.folder, self.root = folder, root

    def has(self, name: str, script: str) -> None:
        (self.folder / name).write_text(script)
        (self.folder / name).chmod(0o755)

    def run(self, *options: str, **env: str) -> tuple[int, str, str]:
        command = [sys.executable, str(self.root / "tools/browser.py"), *options]
        unset = ("CI", "INSTALL", "MINEPROOF_CHROMIUM")
        env = {k: v for k, v in os.environ.items() if k not in unset} | {"PATH": str(self.folder)} | env
        done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout, done.stderr

    @property
    def called(self) -> list[str]:
        """The last arguments of each call of apt-get."""
        file = self.folder / "called"
        return [line.partition("-y ")[2] for line in file.read_text().splitlines()] if file.exists() else []


@pytest.fixture
def machine(tmp_path: Path, root: Path) -> Machine:
    """A machine with nothing but sudo, which asks for no password."""
    made = Machine(tmp_path, root)
    made.has("sudo", SUDO)
    return made


INSTALL = "install --no-install-recommends chromium"


@pytest.mark.parametrize("name", ["chromium", "chromium-browser", "google-chrome"])
def test_what_is_there_is_found_and_nothing_is_installed(machine: Machine, name: str) -> None:
    machine.has(name, CHROMIUM)
    machine.has("apt-get", APT)
    assert machine.run() == (0, f"{machine.folder / name}\n", "")
    assert machine.run("--install") == (0, "", "")
    assert machine.called == []


def test_the_one_that_is_named_is_taken(machine: Machine) -> None:
    machine.has("chromium", CHROMIUM)
    machine.has("other", CHROMIUM)
    assert machine.run(MINEPROOF_CHROMIUM="other")[1] == f"{machine.folder / 'other'}\n"
    status, out, err = machine.run(MINEPROOF_CHROMIUM="/no/such")
    assert (status, out) == (1, "")
    assert "looked for /no/such" in err


def test_nothing_is_installed_unasked(machine: Machine) -> None:
    machine.has("apt-get", APT.replace("KNOWN", "sudo"))
    status, out, err = machine.run("--install")
    assert (status, out) == (0, "")
    assert err.startswith("*** LEFT OUT: The tests of the page need Chromium")
    assert "make test INSTALL=1" in err
    assert machine.called == []


@pytest.mark.parametrize("allowed", ["CI", "INSTALL"])
def test_it_is_installed(machine: Machine, allowed: str) -> None:
    machine.has("apt-get", APT.replace("KNOWN", "sudo"))
    status, out, err = machine.run("--install", **{allowed: "1"})
    assert (status, out, err) == (0, "installing chromium, for the tests of the page\n", "")
    assert machine.called == [INSTALL]
    assert machine.run()[0] == 0


def test_the_lists_of_packages_are_fetched_where_they_are_missing(machine: Machine) -> None:
    machine.has("apt-get", APT.replace("KNOWN", "lists"))
    assert machine.run("--install", CI="1")[0] == 0
    assert machine.called == [INSTALL, "update", INSTALL]


@pytest.mark.parametrize("apt", [None, APT.replace("KNOWN", "never")])
def test_where_it_cannot_be_had_that_is_said_and_in_ci_is_a_failure(machine: Machine, apt: str | None) -> None:
    if apt:
        machine.has("apt-get", apt)
    status, _, err = machine.run("--install", INSTALL="1")
    assert status == 0
    assert "LEFT OUT: The tests of the page need Chromium, and this machine has none (looked for chromium, " in err
    assert ("Unable to locate package" in err) == (apt is not None), "what apt-get said"
    assert machine.run("--install", CI="1")[0] == 1
    assert machine.run()[0] == 1
