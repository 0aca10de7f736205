from mineproof.engine._kernel import *  # noqa: F403  # the same sources, compiled for longer neighbour tables
