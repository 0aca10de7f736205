"""What of the package is in the site."""

from pathlib import Path

from static_site.places import ROOT

PACKAGE = ROOT / "src/mineproof"
# What no route of the site needs: the command line, files, other programs.
LEFT_OUT_ROOMS = {"adapters", "cli", "datasets", "exams", "gym", "leagues", "mcp", "reports", "stats", "sweeps",
                  "tui", "__main__.py"}  # fmt: skip
LEFT_OUT_FILES = {"web/preload.py", "web/server.py", "web/workers.py"}


def is_left_out(name: Path) -> bool:
    """Whether the site does not have a file of mineproof."""
    return name.parts[0] in LEFT_OUT_ROOMS or name.as_posix() in LEFT_OUT_FILES
