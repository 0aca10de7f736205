"""Check what is in a folder before it is published as a release: `make release-check` has built it.

    python tools/release_check.py dist

Nothing is uploaded. Each line says what is right, or what to do.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from wheels import TARGETS

from mineproof.version import VERSION

ROOT = Path(__file__).parents[1]


def release_faults(folder: Path) -> list[str]:
    """What has to be done before the files of a folder can be published."""
    faults = []
    names = sorted(path.name for path in folder.iterdir())
    expected_items = [f"mineproof-{VERSION}.tar.gz"]
    for target in TARGETS.values():
        for major, minor in target.versions:
            short = f"cp{major}{minor}"
            expected_items.append(f"mineproof-{VERSION}-{short}-{'abi3' if minor >= 12 else short}-{target.tag}.whl")
    faults += [f"{name} is missing: run make wheel and make wheels" for name in expected_items if name not in names]
    faults += [
        f"{name} does not belong to version {VERSION}: delete it" for name in names if name not in expected_items
    ]
    present = [folder / name for name in expected_items if name in names]
    checked = subprocess.run(
        [sys.executable, "-m", "twine", "check", "--strict", *present], capture_output=True, text=True, check=False
    )
    if checked.returncode != 0:
        faults.append(f"twine: {checked.stdout.strip()}{checked.stderr.strip()}")
    changes = (ROOT / "CHANGELOG.md").read_text("utf-8")
    if not re.search(rf"^## {re.escape(VERSION)}\b", changes, re.MULTILINE):
        faults.append(f"CHANGELOG.md has no section for {VERSION}")
    if re.search(r"^## Unreleased", changes, re.MULTILINE):
        faults.append("CHANGELOG.md has unreleased changes: set VERSION in version.py and rename the section")
    if _git("status", "--porcelain"):
        faults.append("the checkout has changes that are not committed")
    if _git("tag", "--list", f"v{VERSION}"):
        faults.append(f"the tag v{VERSION} exists: set another VERSION in src/mineproof/version.py")
    return faults


def _git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


if __name__ == "__main__":
    faults = release_faults(Path(sys.argv[1]))
    print(*(f"release-check: {fault}" for fault in faults), sep="\n", end="\n" if faults else "")
    if not faults:
        print(f"mineproof {VERSION} is ready: tag it v{VERSION} and push the tag.")
    sys.exit(bool(faults))
