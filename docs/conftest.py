"""The pages here are tests; what builds the site is not, and needs Sphinx."""

collect_ignore = ["conf.py", "_ext"]
