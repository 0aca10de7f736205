"""``python -m mineproof.cli``."""

from mineproof.cli import main

main()
