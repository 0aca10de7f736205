"""Finds the PostgreSQL that the tests of shared servers start, and installs Debian's if there is none and it may.

    python tools/postgres.py             prints the folder of its programs; status 1 and a message if there is none
    python tools/postgres.py --install   as `make test` calls it: silent if there is one, installs it if INSTALL or CI
                                         is set (tools/debian.py)

The tests make a database of their own in a temporary folder, so the package is installed without starting one. Without
a PostgreSQL, --install says that the tests are left out. The status is 0, or 1 if CI is set: CI leaves out nothing.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import debian

PROGRAMS = ("initdb", "postgres")
ROOT = Path(os.environ.get("MINEPROOF_ROOT", "/"))  # of the machine; the tests of this program have one of their own
DEBIAN = ROOT / "usr/lib/postgresql"
PLACES = ("opt/homebrew/opt/postgresql*/bin", "usr/local/opt/postgresql*/bin", "usr/local/pgsql/bin")
CLUSTERS = ROOT / "etc/postgresql-common/createcluster.conf"
DEFAULTS = ROOT / "usr/share/postgresql-common/createcluster.conf"


def find() -> Path | None:
    """The folder: the one that MINEPROOF_POSTGRES names, or the first of those that are known."""
    named = os.environ.get("MINEPROOF_POSTGRES")
    places = [Path(named)] if named else _known()
    return next((place for place in places if all(shutil.which(name, path=place) for name in PROGRAMS)), None)


def _known() -> list[Path]:
    in_path = [Path(found).parent for name in PROGRAMS if (found := shutil.which(name))]
    versions = [path for path in DEBIAN.glob("*/bin") if path.parent.name.isdigit()]
    others = [path for place in PLACES for path in sorted(ROOT.glob(place))]
    return [*in_path, *sorted(versions, key=lambda path: -int(path.parent.name)), *others]


def missing() -> str:
    looked = os.environ.get("MINEPROOF_POSTGRES") or f"PATH, {DEBIAN}/*/bin"
    return (
        f"The tests of shared servers need PostgreSQL, and this machine has none (looked in {looked} for "
        f"{' and '.join(PROGRAMS)}). {debian.HOW}. MINEPROOF_POSTGRES=FOLDER names another folder of its programs."
    )


def install(prefix: list[str]) -> str:
    """Install Debian's postgresql without a running database. Return the output of apt-get if that failed."""

    def change(command: str) -> None:
        subprocess.run([*prefix, "/bin/sh", "-c", command], capture_output=True, check=False)

    if CLUSTERS.exists():
        return debian.install(prefix, "postgresql")
    change(f"/bin/mkdir -p '{CLUSTERS.parent}' && echo 'create_main_cluster = false' > '{CLUSTERS}'")
    try:
        return debian.install(prefix, "postgresql")
    finally:  # the setting is for this installation only
        change(f"/bin/cp '{DEFAULTS}' '{CLUSTERS}' || /bin/rm -f '{CLUSTERS}'")


def main() -> int:
    if "--install" not in sys.argv[1:]:
        found = find()
        print(found or missing(), file=sys.stdout if found else sys.stderr)
        return 0 if found else 1
    output = ""
    if not find() and not os.environ.get("MINEPROOF_POSTGRES") and (prefix := debian.installer()) is not None:
        print("installing postgresql, for the tests of shared servers", flush=True)
        output = install(prefix)
    if find():
        return 0
    print(f"{output}*** LEFT OUT: {missing()}", file=sys.stderr)
    return 1 if os.environ.get("CI") else 0


if __name__ == "__main__":
    sys.exit(main())
