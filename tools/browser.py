"""Find the Chromium for the tests of the page, or install Debian's if that is allowed.

    python tools/browser.py             prints the path of Chromium, or a message with status 1
    python tools/browser.py --install   used by `make test`: silent if Chromium exists, installs it if INSTALL or CI is
                                        set (tools/debian.py)

Without Chromium, --install prints that the tests are left out. The status is 0, or 1 if CI is set, because CI must
run every test.
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
    """Return the path of MINEPROOF_CHROMIUM if it is set, else of the first known program that exists."""
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
        result = find()
        print(result or missing(), file=sys.stdout if result else sys.stderr)
        return 0 if result else 1
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
