"""The game in a terminal, on Textual (the extra ``tui``; ``make play`` installs it).

`settings` is what a player may choose; `session` is the game being played, its file and its words, and knows no
terminal; `thinking` is what the exact engine is asked, `looking_back` the review, `copying` the position as others read
it. Of what is drawn, `marks` says how a cell looks, `grid` is the board, `status` the line above it and `saying` those
below it, `reading` and `choosing` are pages that open over it; `app` puts them together.
"""
