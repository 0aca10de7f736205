"""The project as a tree of files."""

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CACHES = {"__pycache__", ".hypothesis", ".mypy_cache", ".pytest_cache", ".ruff_cache"}
MADE = {".git", ".venv", "build", "dist", "node_modules", *CACHES}


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def project_files() -> list[Path]:
    """Every file that is part of the project: tracked by git, or new and not ignored."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    try:
        listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):  # an unpacked sdist, or a machine without git
        paths = [path for path in ROOT.rglob("*") if not MADE.intersection(path.relative_to(ROOT).parts)]
    else:
        paths = [ROOT / name for name in listed.split("\0") if name]
    return sorted(path for path in paths if path.is_file())
