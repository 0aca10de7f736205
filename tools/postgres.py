"""Find the PostgreSQL for the tests of shared servers, or install Debian's if that is allowed.

    python tools/postgres.py             prints the folder of its programs, or a message with status 1
    python tools/postgres.py --install   used by `make test`: silent if PostgreSQL exists, installs it if INSTALL or CI
                                         is set (tools/debian.py)

The tests create a database in a temporary folder, so the package is installed without starting a server. Without
PostgreSQL, --install prints that the tests are left out. The status is 0, or 1 if CI is set, because CI must run every
test.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import debian

PROGRAMS = ("initdb", "postgres")
ROOT = Path(os.environ.get("MINEPROOF_ROOT", "/"))  # tests of this script use another one
DEBIAN = ROOT / "usr/lib/postgresql"
PLACES = ("opt/homebrew/opt/postgresql*/bin", "usr/local/opt/postgresql*/bin", "usr/local/pgsql/bin")
CLUSTERS = ROOT / "etc/postgresql-common/createcluster.conf"
DEFAULTS = ROOT / "usr/share/postgresql-common/createcluster.conf"


def find() -> Path | None:
    """Return the folder MINEPROOF_POSTGRES if it is set, else the first known folder with these programs."""
    named = os.environ.get("MINEPROOF_POSTGRES")
    places = [Path(named)] if named else _candidate_folders()
    return next((place for place in places if all(shutil.which(name, path=place) for name in PROGRAMS)), None)


def _candidate_folders() -> list[Path]:
    in_path = [Path(result).parent for name in PROGRAMS if (result := shutil.which(name))]
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
        result = find()
        print(result or missing(), file=sys.stdout if result else sys.stderr)
        return 0 if result else 1
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
