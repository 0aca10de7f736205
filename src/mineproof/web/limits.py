"""How much a server takes on, in one place.

The numbers are for a machine that also does other things: the memory of counting is about 12 bytes a state, so all
workers together stay below a gigabyte.
"""

from __future__ import annotations

MIB = 1 << 20

LARGEST_HEAD = 64 << 10  # bytes of the lines before a body
LARGEST_BODY = MIB  # bytes; a board of `MOST_CELLS` in our widest JSON takes some 400,000
LARGEST_PICTURE = 16 * MIB  # bytes of a screenshot; its pixels are limited by `mineproof.screens.pixels`
MOST_CELLS = 10_000  # of a board that is asked about or played: 100 × 100
MOST_ENTRIES = 1_000_000  # of a matrix that is answered; some 2 MB

WORKERS = 16  # questions that are thought about at a time; they share the processors
WAITING = 128  # questions that wait for a worker; one more is told to come back
PLAYERS = 4  # moves that are made at a time, apart from the questions: a player does not wait for those
PLAYERS_WAITING = 128
BOARDS = 4  # no-guess boards that are made, and moves of fair games that are judged, at a time
BOARDS_WAITING = 32
BOARDS_PER_CLIENT = 12  # under way or waiting
PICTURES = 2  # that are read at a time; one of the most pixels takes some hundred MB meanwhile
PICTURES_WAITING = 10  # or on their way here
PICTURES_PER_CLIENT = 4
SIMULATIONS = 2  # that run at a time, in one thread each
MOST_GAMES_SIMULATED = 1_000_000  # in one request
THOUGHTS = 2  # guesses that are thought over at a time, each on all processors
THOUGHTS_WAITING = 2
THOUGHTS_PER_CLIENT = 3  # under way or waiting: a page that asks anew is there before its old question has ended

SECONDS, MOST_SECONDS = 10.0, 60.0  # of a question: unless asked otherwise, and at most
MOST_THINKING = 60.0  # seconds that a guess is thought over, at most
STATES = 4_000_000  # of a question, at most
MOVE_SECONDS = 5.0  # to judge a move, or to make a board for the first click
SIMULATION_SECONDS = 3600.0
LESSONS, MOST_TAUGHT = 20, 50  # games of a profile: unless asked otherwise, and at most; a lesson takes 0.1 s

GAMES_PER_CLIENT = 200  # kept at a time; see `mineproof.web.store`
GAMES = 20_000
GAMES_IN_MEMORY = 256  # the others are read again when they are asked for
GIVEN_UP = 600.0  # seconds without a move or a look after which a game may make room for another
LOOKS = 30.0  # seconds between two looks that are written down
FORGOTTEN = 30 * 86400.0  # seconds after which a game is deleted

BODY_SECONDS = 10.0  # for a body to arrive
HEAD_SECONDS = 10.0  # for the lines before it
IDLE_SECONDS = 30  # between two requests of a connection
WRITE_SECONDS = 30.0  # for a client to read some of an answer
CONNECTIONS = 1000
RETRY_SECONDS = 1  # after which to try again what was too much
END_SECONDS = 0.5  # for threads to end when the server does
