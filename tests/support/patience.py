"""How long a test waits for something that comes at once on a quiet machine: a guard against hangs, not a measure."""

PATIENCE = 300.0  # seconds
