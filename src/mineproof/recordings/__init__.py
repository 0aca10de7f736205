"""What other programs wrote down of a game, byte by byte: the board, what the mouse did, who played and when.

One module a format, from bytes to a `mineproof.recordings.recording.Recording`. What the events come to on a board is
said in `replays`, and text belongs to `formats`.
"""
