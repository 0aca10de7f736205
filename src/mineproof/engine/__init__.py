"""Counting: questions about positions, and exact answers.

`question` is the input, `answers` the results and the protocol of an engine. `batches` does the same for many
positions, `records` holds data of single games. `kernel` calls the C++ extension; `reference` and `reference_optimal`
answer the same questions in plain Python, and `reference_engine` makes them an engine. `default` selects an engine.
Nothing here explains, chooses a move or knows the mines, and no other room imports the extension.
"""
