"""``tools/postgres.py`` on machines with and without a PostgreSQL, with an apt-get that only pretends."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere it is in other folders")

PROGRAM = "#!/bin/sh\n"
SUDO = '#!/bin/sh\nshift\n[ "$1" = true ] || exec "$@"\n'
APT = """#!/bin/sh
cd "${0%/*}"
for last; do :; done
echo "$*" >> called
case "$last" in
    update) echo > lists ;;
    postgresql)
        [ -e KNOWN ] || { echo "Unable to locate package postgresql"; exit 100; }
        /bin/cp etc/postgresql-common/createcluster.conf setting
        /bin/mkdir -p usr/lib/postgresql/15/bin
        /bin/cp sudo usr/lib/postgresql/15/bin/initdb
        /bin/cp sudo usr/lib/postgresql/15/bin/postgres ;;
esac
"""


class Machine:
    """A folder that is all of PATH, and of the machine."""

    def __init__(self, folder: Path, root: Path) -> None:
        self.folder, self.root = folder, root

    def has(self, name: str, script: str = PROGRAM) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(script)
        path.chmod(0o755)

    def run(self, *options: str, **env: str) -> tuple[int, str, str]:
        command = [sys.executable, str(self.root / "tools/postgres.py"), *options]
        kept = {k: v for k, v in os.environ.items() if k not in ("CI", "INSTALL", "MINEPROOF_POSTGRES")}
        env = kept | {"PATH": str(self.folder), "MINEPROOF_ROOT": str(self.folder)} | env
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


CLUSTERS = "etc/postgresql-common/createcluster.conf"
INSTALL = "install --no-install-recommends postgresql"


def test_what_is_there_is_found_and_nothing_is_installed(machine: Machine) -> None:
    machine.has("apt-get", APT)
    for version in ("9", "15", "14"):
        for name in ("initdb", "postgres"):
            machine.has(f"usr/lib/postgresql/{version}/bin/{name}")
    newest = machine.folder / "usr/lib/postgresql/15/bin"
    assert machine.run() == (0, f"{newest}\n", "")
    assert machine.run("--install") == (0, "", "")
    for name in ("initdb", "postgres"):
        machine.has(name)
    assert machine.run() == (0, f"{machine.folder}\n", ""), "what is in PATH comes first"
    assert machine.called == []


def test_the_one_that_is_named_is_taken(machine: Machine) -> None:
    for name in ("initdb", "postgres"):
        machine.has(f"other/{name}")
    other = str(machine.folder / "other")
    assert machine.run(MINEPROOF_POSTGRES=other)[1] == f"{other}\n"
    status, out, err = machine.run(MINEPROOF_POSTGRES="/no/such")
    assert (status, out) == (1, "")
    assert "looked in /no/such" in err


def test_nothing_is_installed_unasked(machine: Machine) -> None:
    machine.has("apt-get", APT.replace("KNOWN", "sudo"))
    status, out, err = machine.run("--install")
    assert (status, out) == (0, "")
    assert err.startswith("*** LEFT OUT: The tests of shared servers need PostgreSQL")
    assert "make test INSTALL=1" in err
    assert machine.called == []


@pytest.mark.parametrize("allowed", ["CI", "INSTALL"])
def test_it_is_installed_without_a_database_of_the_machine(machine: Machine, allowed: str) -> None:
    machine.has("apt-get", APT.replace("KNOWN", "sudo"))
    status, out, err = machine.run("--install", **{allowed: "1"})
    assert (status, out, err) == (0, "installing postgresql, for the tests of shared servers\n", "")
    assert machine.called == [INSTALL]
    assert (machine.folder / "setting").read_text() == "create_main_cluster = false\n", "while it is installed"
    assert not (machine.folder / CLUSTERS).exists(), "and not afterwards"
    assert machine.run()[0] == 0


def test_the_settings_for_databases_are_the_defaults_afterwards(machine: Machine) -> None:
    machine.has("apt-get", APT.replace("KNOWN", "sudo"))
    machine.has("usr/share/postgresql-common/createcluster.conf", "# defaults\n")
    assert machine.run("--install", INSTALL="1")[0] == 0
    assert (machine.folder / CLUSTERS).read_text() == "# defaults\n"


def test_the_settings_of_the_machine_are_kept(machine: Machine) -> None:
    machine.has("apt-get", APT.replace("KNOWN", "sudo"))
    machine.has(CLUSTERS, "data_directory = '/srv'\n")
    assert machine.run("--install", INSTALL="1")[0] == 0
    assert (machine.folder / CLUSTERS).read_text() == "data_directory = '/srv'\n"


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
    assert "LEFT OUT: The tests of shared servers need PostgreSQL, and this machine has none (looked in PATH, " in err
    assert ("Unable to locate package" in err) == (apt is not None), "what apt-get said"
    assert machine.run("--install", CI="1")[0] == 1
    assert machine.run()[0] == 1
