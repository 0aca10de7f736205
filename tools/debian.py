"""Installs packages of Debian, for tools/browser.py and tools/postgres.py: where apt-get is and it may."""

from __future__ import annotations

import os
import shutil
import subprocess


def installer() -> list[str] | None:
    """What stands before a command that may change the machine, or None if none may."""
    if not shutil.which("apt-get"):
        return None
    if os.geteuid() == 0:
        return []
    may = shutil.which("sudo") and subprocess.run(["sudo", "-n", "true"], capture_output=True, check=False)
    return ["sudo", "-n"] if may and may.returncode == 0 else None


def install(may: list[str], package: str) -> str:
    """Install a package; what apt-get said if that failed."""
    command = [*may, "apt-get", "-o", "DPkg::Lock::Timeout=300", "-qq", "-y"]
    env = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    said = ""
    for update in (False, True):  # the lists of packages may be missing or old
        for step in ([["update"]] if update else []) + [["install", "--no-install-recommends", package]]:
            done = subprocess.run([*command, *step], env=env, capture_output=True, text=True, check=False)
            said = done.stdout + done.stderr
        if done.returncode == 0:
            return ""
    return said
