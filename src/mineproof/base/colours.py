"""The colours of a board in a terminal: one palette for the game and for every picture, as rich writes styles.

Numbers have the colours that players know. They are the terminal's own, by name, so that they can be read on dark
and on light backgrounds; 7, which is black in the originals, has the colour of text. Marks bring their background
along, from the fixed part of the 256 colours: a mine must not look like a 3.
"""

NUMBERS = ("bright_blue", "green", "red", "magenta", "bright_red", "cyan", "default", "bright_magenta")  # 1 to 8

SAFE = "bold color(231) on color(28)"
MINE = "bold color(231) on color(160)"
FLAG = "bold color(231) on color(88)"
WRONG_FLAG = "bold color(16) on color(214)"
GUESS = "bold color(16) on color(220)"
USED = "bold color(231) on color(26)"  # a number that proves something
