"""Named techniques, from the simplest to the complete one; each is one file with its idea, cost and limits on top."""
