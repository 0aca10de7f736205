"""Finds the Chromium that the tests of the page drive, and installs Debian's where there is none and it may.

    python tools/browser.py             prints where Chromium is; status 1 and a message if it is nowhere
    python tools/browser.py --install   as `make test` calls it: silent if there is one, otherwise it is installed

It may where apt-get is and this is root, or sudo asks for no password. Where it cannot be had, --install says that the
tests are left out, and with which status: 0, or 1 where CI is set, because there nothing is left out.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import debian

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


def main() -> int:
    if "--install" not in sys.argv[1:]:
        found = find()
        print(found or missing(), file=sys.stdout if found else sys.stderr)
        return 0 if found else 1
    said = ""
    if not find() and not os.environ.get("MINEPROOF_CHROMIUM") and (may := debian.installer()) is not None:
        print("installing chromium, for the tests of the page", flush=True)
        said = debian.install(may, "chromium")
    if find():
        return 0
    print(f"{said}*** The tests of the page in a browser are LEFT OUT: {missing()}", file=sys.stderr)
    return 1 if os.environ.get("CI") else 0


if __name__ == "__main__":
    sys.exit(main())
