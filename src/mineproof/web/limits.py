"""How much a server takes on, in one place.

Every kind of work has a lane of threads, and every client a share of each lane (`mineproof.web.pool`): so many requests
in progress, so many waiting. A client is an address; behind a proxy, the address that the proxy names.
"""

from __future__ import annotations

import os

MIB = 1 << 20

MAX_HEAD_BYTES = 64 << 10  # bytes of the lines before a body
MAX_BODY_BYTES = MIB  # bytes; a board of `MAX_CELLS` in our widest JSON takes some 400,000
MAX_PICTURE_BYTES = 16 * MIB  # bytes of a screenshot; its pixels are limited by `mineproof.screens.pixels`
MAX_DIGITS = 400  # of an integer in a body; a seed has 20
MAX_LINES = 50_000  # of the text of a board; one of `MAX_CELLS` with a cell per line, as JSON, has some 10,000
MAX_KEYS = 32_000  # of the objects in a body; a certificate of 1 MiB has 30,000
MAX_CELLS = 10_000  # of a board to analyse or play: 100 × 100
MAX_MATRIX_ENTRIES = 1_000_000  # of a matrix that is answered; some 2 MB

# Threads of long work that compute at a time, of all lanes; the others wait their turn. One processor is left to moves.
SLOTS = max(1, (os.cpu_count() or 1) - 1)
LIGHT = 3  # questions that are answered at a time within `LIGHT_SECONDS`: most of them, and what the history lists
LIGHT_WAITING = 256
LIGHT_PER_CLIENT = (1, 32)  # in progress, waiting
LIGHT_SECONDS = 0.25  # a question that takes longer starts again among the long ones
LIGHT_TEXT = 25_000  # characters of a board; a longer text starts among the long ones. 100 × 100 with blanks: 20,000
REMEMBERED_SECONDS = 10.0  # that a client whose question took long starts among the long ones
WORKERS = 4  # long questions at a time; they share the processors
WAITING = 64
WORKERS_PER_CLIENT = (2, 8)
WAIT_SECONDS = 60.0  # that a request waits for a thread, at most
BODIES = 1  # large bodies that are parsed at a time, beside the event loop
BODIES_WAITING = 64
BODIES_PER_CLIENT = (1, 4)
LARGE_BODY = 50_000  # bytes; smaller ones are parsed at once, in less than a millisecond
PLAYERS = 4  # moves at a time, apart from the questions: a player does not wait for those
PLAYERS_WAITING = 256
PLAYERS_PER_CLIENT = (3, 64)
BOARDS = 4  # no-guess boards that are made, and moves of fair games that are judged, at a time
BOARDS_WAITING = 32
BOARDS_PER_CLIENT = 12  # in progress or waiting
BOARDS_RUNNING = 2  # of one client at a time
PICTURES = 2  # that are read at a time
PICTURES_WAITING = 10  # or on their way here
PICTURES_PER_CLIENT = 4
PICTURES_RUNNING = 1  # of one client at a time
SIMULATIONS = 2  # that run at a time, in one thread each
SIMULATIONS_PER_CLIENT = 1
MAX_SIMULATED_GAMES = 1_000_000  # in one request
THOUGHTS = 2  # guesses that are thought over at a time, each on all processors
THOUGHTS_WAITING = 2
THOUGHTS_PER_CLIENT = 3  # in progress or waiting: a page that asks anew is there before its old question has ended
THOUGHTS_RUNNING = 1  # of one client at a time

# How far threads step back behind the event loop and the moves, where the system can tell threads apart (Linux).
# Not far: other programs on the machine do not step back.
LIGHT_NICENESS = 1
LONG_NICENESS = 4

PICTURE_SECONDS = 30.0  # to read a screenshot, which takes about a second, or over ten on a busy machine
SECONDS, MAX_SECONDS = 10.0, 60.0  # of a question: the default, and the most
MAX_THINKING_SECONDS = 60.0  # seconds that a guess is thought over, at most
STATES = 4_000_000  # of a question, at most
MEMORY = 48 * MIB  # of the tables of a question, at most; it takes up to twice as much meanwhile
MOVE_SECONDS = 5.0  # to judge a move, or to make a board for the first click
SIMULATION_SECONDS = 3600.0
IMPORT_SECONDS = 8.0  # to store the games of one file, as many as that is enough for
LESSONS, MAX_LESSONS = 20, 50  # games of a profile: the default, and the most; a lesson takes 0.1 s

GAMES_PER_CLIENT = 200  # kept at a time; see `mineproof.web.store`
GAMES = 20_000
VARIANT_CELLS = 400  # of a game of a variant
VARIANT_MOVES = 2000
GAMES_IN_MEMORY = 256  # the others are read again when they are requested
GIVEN_UP = 600.0  # seconds without a move or a look after which a game may make room for another
LOOKS = 30.0  # seconds between two looks that are written down
FORGOTTEN = 30 * 86400.0  # seconds after which a game is deleted

BODY_SECONDS = 10.0  # for a body to arrive
HEAD_SECONDS = 10.0  # for the lines before it
IDLE_SECONDS = 30  # between two requests of a connection
WRITE_SECONDS = 30.0  # for a client to read some of an answer
CONNECTIONS = 1000
CONNECTIONS_PER_CLIENT = 200  # a proxy in front of the server has no limit of its own
RETRY_SECONDS = 1  # after which to try again what was too much
END_SECONDS = 0.5  # for threads to end when the server does, and to tell other servers
