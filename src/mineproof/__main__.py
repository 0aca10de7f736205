"""``python -m mineproof``: the command line."""

from mineproof.cli import main

main()
