"""Write the options of all commands into the table that shell completion reads.

    python tools/completion_options.py

tests/cli/test_completion.py fails if the table is out of date.
"""

from mineproof.cli import completion, main

completion.OPTIONS.write_text(completion.table(main), "utf-8")
