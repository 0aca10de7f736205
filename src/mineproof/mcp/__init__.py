"""A server for the Model Context Protocol: language models analyse boards and play games through tools.

`tools` has what the tools compute, as plain functions; `games` the games that clients play; `server` registers both
with the official SDK, which the extra ``mcp`` installs. A running game never leaves its mines or its seed here.
"""
