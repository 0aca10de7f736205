"""Finds the Chromium that the tests of the page drive, and installs Debian's where there is none and it may.

    python tools/browser.py             prints where Chromium is; status 1 and a message if it is nowhere
    python tools/browser.py --install   as `make test` calls it: silent if there is one, otherwise it is installed

It may where apt-get is and this is root, or sudo asks for no password. Where it cannot be had, --install says that the
tests are left out, and with which status: 0, or 1 where CI is set, because there nothing is left out.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
PLACES = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)


def find() -> str | None:
    """The program: the one that MINEPROOF_CHROMIUM names, or the first of those that are known."""
    named = os.environ.get("MINEPROOF_CHROMIUM")
    if named:
        return shutil.which(named)
    found = [path for name in NAMES if (path := shutil.which(name))] + [path for path in PLACES if Path(path).exists()]
    return found[0] if found else None


def missing() -> str:
    looked = os.environ.get("MINEPROOF_CHROMIUM") or ", ".join(NAMES)
    return (
        f"found no Chromium (looked for {looked}), expected one for the tests of the page. "
        "Debian: apt install chromium; anywhere: MINEPROOF_CHROMIUM=PROGRAM names it"
    )


def installer() -> list[str] | None:
    """How apt-get is called here, or None if it may not be."""
    if not shutil.which("apt-get"):
        return None
    if os.geteuid() == 0:
        return ["apt-get"]
    may = shutil.which("sudo") and subprocess.run(["sudo", "-n", "true"], capture_output=True, check=False)
    return ["sudo", "-n", "apt-get"] if may and may.returncode == 0 else None


def install(apt: list[str]) -> str:
    """Install Debian's chromium, and return what apt-get said if that failed."""
    command = [*apt, "-o", "DPkg::Lock::Timeout=300", "-qq", "-y"]
    env = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    said = ""
    for update in (False, True):  # the lists of packages may be missing or old
        steps = ([["update"]] if update else []) + [["install", "--no-install-recommends", "chromium"]]
        for step in steps:
            done = subprocess.run([*command, *step], env=env, capture_output=True, text=True, check=False)
            said = done.stdout + done.stderr
        if done.returncode == 0:
            return ""
    return said


def main() -> int:
    if "--install" not in sys.argv[1:]:
        found = find()
        print(found or missing(), file=sys.stdout if found else sys.stderr)
        return 0 if found else 1
    said = ""
    if not find() and not os.environ.get("MINEPROOF_CHROMIUM") and (apt := installer()):
        print("installing chromium, for the tests of the page", flush=True)
        said = install(apt)
    if find():
        return 0
    print(f"{said}*** The tests of the page in a browser are LEFT OUT: {missing()}", file=sys.stderr)
    return 1 if os.environ.get("CI") else 0


if __name__ == "__main__":
    sys.exit(main())
