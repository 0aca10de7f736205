"""Tasks and verdicts for packages that train or test language models, one module for each package.

Each module needs its package, which an extra installs, and says so if it is missing. Nothing here decides what is
right: `mineproof.exams` makes the tasks and judges the answers. ``mineproof.gym`` has the environment for Gymnasium.
"""
