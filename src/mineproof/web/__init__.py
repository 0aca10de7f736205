"""The HTTP API and the page that is served beside it: questions and games by JSON, for browsers and programs.

`table` lists every route once: the server is made from it, and so is the OpenAPI document (`openapi`). `asked` is what
a request may say, `answers` what it is answered with, `games` the games that are on, kept by `store`; `pool` is where
the work is done, `guard` what is refused before anything is read, `app` puts them together, `server` is the process.
Answers are those of the commands.

What must not live here: a rule of the game, a technique, a number that is worked out, a shape of JSON that another room
could make; whoever adds one puts it into the room it belongs to. Starlette and uvicorn are imported here and nowhere
else, and this room is imported by nothing but the command `serve`, when it is called.
"""
