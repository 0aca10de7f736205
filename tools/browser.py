"""Finds the Chromium that the tests of the page drive, and installs Debian's if there is none and it may.

    python tools/browser.py             prints the path of Chromium; status 1 and a message if there is none
    python tools/browser.py --install   as `make test` calls it: silent if there is one, installs it if INSTALL or CI
                                        is set (tools/debian.py)

Without a Chromium, --install says that the tests are left out. The status is 0, or 1 if CI is set, because CI
leaves out nothing.
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
        f"The tests of the page need Chromium, and this machine has none (looked for {looked}). "
        f"{debian.HOW}. MINEPROOF_CHROMIUM=PROGRAM names another program."
    )


def main() -> int:
    if "--install" not in sys.argv[1:]:
        found = find()
        print(found or missing(), file=sys.stdout if found else sys.stderr)
        return 0 if found else 1
    output = ""
    if not find() and not os.environ.get("MINEPROOF_CHROMIUM") and (prefix := debian.installer()) is not None:
        print("installing chromium, for the tests of the page", flush=True)
        output = debian.install(prefix, "chromium")
    if find():
        return 0
    print(f"{output}*** LEFT OUT: {missing()}", file=sys.stderr)
    return 1 if os.environ.get("CI") else 0


if __name__ == "__main__":
    sys.exit(main())
