"""One technique, one file: its idea, cost and limits on top. What they share is `mineproof.deduction.state`."""
