"""Binary recordings of other programs: the board, mouse events, player and date.

Each format has one module, which parses bytes into a `mineproof.recordings.recording.Recording`. `replays` plays the
events on a board. Text formats belong to `formats`.
"""
