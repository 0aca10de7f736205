"""The engine protocol: lines of text between a program that runs games, the host, and a program that plays, the bot.

``docs/protocol.md`` describes the lines. `messages` reads and writes them, `process` runs a bot, `bots` makes it a
strategy, `server` answers as one of the built-in strategies. A bot sees only the visible board.
"""
