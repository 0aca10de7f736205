"""Install packages of Debian and Ubuntu for tools/browser.py and tools/postgres.py, if that is allowed.

It is allowed if INSTALL or CI is set: `make test INSTALL=1`. It also needs apt-get, and root or sudo without a
password.
"""

from __future__ import annotations

import os
import shutil
import subprocess

HOW = "On Debian and Ubuntu `make test INSTALL=1` installs it, as root or by sudo"


def installer() -> list[str] | None:
    """Return the prefix of commands that change the system: none for root, else sudo. None if it is not allowed."""
    if not (os.environ.get("INSTALL") or os.environ.get("CI")) or not shutil.which("apt-get"):
        return None
    if os.geteuid() == 0:
        return []
    done = shutil.which("sudo") and subprocess.run(["sudo", "-n", "true"], capture_output=True, check=False)
    return ["sudo", "-n"] if done and done.returncode == 0 else None


def install(prefix: list[str], package: str) -> str:
    """Install a package. Return the output of apt-get if that failed."""
    command = [*prefix, "apt-get", "-o", "DPkg::Lock::Timeout=300", "-qq", "-y"]
    env = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    output = ""
    for update in (False, True):  # the lists of packages may be missing or old
        for step in ([["update"]] if update else []) + [["install", "--no-install-recommends", package]]:
            done = subprocess.run([*command, *step], env=env, capture_output=True, text=True, check=False)
            output = done.stdout + done.stderr
        if done.returncode == 0:
            return ""
    return output
