"""Counting: a question about a position in, exact answers out.

`question` is what may be asked, `answers` what comes back and what an engine is; `batches` is the same for many
positions at once, `records` what is kept of single games. `kernel` asks the C++ extension; `reference` and
`reference_optimal` answer the same in plain Python, and `plain` makes them an engine; `choice` says which of the two is
used. Nothing here explains, chooses a move or knows the mines, and no other room imports the extension.
"""
