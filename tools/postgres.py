"""Finds the PostgreSQL that the tests of shared servers start, and installs Debian's where there is none and it may.

    python tools/postgres.py             prints the folder of its programs; status 1 and a message if it is nowhere
    python tools/postgres.py --install   as `make test` calls it: silent if there is one, otherwise it is installed

The tests make a database of their own in a temporary folder. So none is made, nor started, when the package is
installed. It may be installed where apt-get is and this is root, or sudo asks for no password. Where it cannot be had,
--install says that the tests are left out, and with which status: 0, or 1 where CI is set, because there nothing is.
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
        f"found no PostgreSQL (looked in {looked}), expected {' and '.join(PROGRAMS)} for the tests of shared servers. "
        "Debian: apt install postgresql; anywhere: MINEPROOF_POSTGRES=FOLDER names it"
    )


def install(may: list[str]) -> str:
    """Install Debian's postgresql, without a database of its own; what apt-get said if that failed."""
    if not CLUSTERS.exists():
        setting = f"/bin/mkdir -p '{CLUSTERS.parent}' && echo 'create_main_cluster = false' > '{CLUSTERS}'"
        subprocess.run([*may, "/bin/sh", "-c", setting], capture_output=True, check=False)
    return debian.install(may, "postgresql")


def main() -> int:
    if "--install" not in sys.argv[1:]:
        found = find()
        print(found or missing(), file=sys.stdout if found else sys.stderr)
        return 0 if found else 1
    said = ""
    if not find() and not os.environ.get("MINEPROOF_POSTGRES") and (may := debian.installer()) is not None:
        print("installing postgresql, for the tests of shared servers", flush=True)
        said = install(may)
    if find():
        return 0
    print(f"{said}*** The tests of shared servers are LEFT OUT: {missing()}", file=sys.stderr)
    return 1 if os.environ.get("CI") else 0


if __name__ == "__main__":
    sys.exit(main())
