"""The game in a terminal, on Textual (the extra ``tui``; ``make play`` installs it).

`settings` holds what a player can choose. `session` is the game in progress with its file and its messages; it does not
depend on a terminal. `questions` calls the exact engine, `review_screen` writes the review, `clipboard` the position as
text or link. `texts` has the parts that several messages share. On the screen, `marks` defines how a cell looks, `grid`
draws the board, `status` the line above it and `message_lines` the lines below. `text_screen` and `settings_screen`
open over the board; `app` puts everything together.
"""
